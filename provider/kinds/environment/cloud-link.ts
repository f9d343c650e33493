// A link between an environment, or one of its platforms, and a cloud: its members, and when its cloud is an active primary.
import type { Diagnostic } from '../../../api/contract';
import { idle } from '../../check';
import { holdsUnknown } from '../../values/plain';

/** How a platform of an environment uses a cloud; what is left out has the service's value. */
export interface CloudLink {
  /** 1 primary, 2 secondary. */
  readonly priority?: number;
  /** Share of the wanted instances, in percent. */
  readonly pctScale?: number;
  /** Order among clouds in a deployment, ascending. */
  readonly dpmtOrder?: number;
  /** `active`, `inactive` (left as it is) or `offline` (instances are deleted). */
  readonly adminstatus?: 'active' | 'inactive' | 'offline';
}

/** States of a cloud in an environment's platform. */
export const CLOUD_STATUSES = ['active', 'inactive', 'offline'] as const;

/** Members of a cloud link, with the service's own values (service-facts §2.1.9 base.Consumes). */
export const CLOUD_LINK = {
  priority: { shape: { type: 'int', minimum: 1, maximum: 2 }, wire: 'priority', base: '1' },
  pctScale: { shape: { type: 'int', minimum: 0 }, wire: 'pct_scale', base: '100' },
  dpmtOrder: { shape: { type: 'int' }, wire: 'dpmt_order', base: '1' },
  adminstatus: { shape: { type: 'text', allowed: CLOUD_STATUSES }, wire: 'adminstatus', base: 'active' },
} as const;

/** What of a link has no effect: nothing new is made on a cloud that is not active. */
export const idleOfLink = (link: CloudLink, path: readonly string[] = []): readonly Diagnostic[] =>
  link.adminstatus === 'inactive' || link.adminstatus === 'offline'
    ? idle(link, ['pctScale', 'dpmtOrder'], `the cloud is ${link.adminstatus}`, path)
    : [];

/** The members of a link that decide whether its cloud is an active primary: declared values, or the service's texts. */
export interface DecidingValues {
  readonly priority?: unknown;
  readonly adminstatus?: unknown;
}

/**
 * Whether a link makes its cloud an active one of priority 1. A member that is left out has the service's own value. Undefined while a member
 * is not known yet.
 */
export function isActivePrimary({ priority, adminstatus }: DecidingValues): boolean | undefined {
  if (holdsUnknown(priority) || holdsUnknown(adminstatus)) return undefined;
  const rank = priority ?? CLOUD_LINK.priority.base;
  return (rank === 1 || rank === '1') && (adminstatus ?? CLOUD_LINK.adminstatus.base) === 'active';
}
