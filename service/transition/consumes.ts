// Links to clouds: attributes of base.Consumes as clients send them, checked and filled (service-facts §2.1.9, §4.7.1).
// It must not know environments or platforms.
import { attributeFault, relationMetadata, type Voice } from '../../api/contract';
import { unreadable, refused } from '../handler';
import type { Values } from '../store';

/** Attributes of a link to a cloud, all of them. A type, not an interface: it is stored as attribute values. */
export type CloudLink = {
  /** `1` primary, `2` secondary; `''`: neither. */
  readonly priority: string;
  readonly dpmt_order: string;
  readonly pct_scale: string;
  /** `active`, `inactive` or `offline` (service-facts §3.9). */
  readonly adminstatus: string;
};

type SentValue = string | number | boolean | null;

const NAMES = ['priority', 'dpmt_order', 'pct_scale', 'adminstatus'] as const;
const DEFAULTS: CloudLink = { priority: '', dpmt_order: '1', pct_scale: '100', adminstatus: 'active' };
const ALLOWED: { readonly [name: string]: readonly string[] } = {
  priority: ['1', '2'],
  adminstatus: ['active', 'inactive', 'offline'],
};

/** The sent attributes as text. Throws a Refusal (422) that tells every one that is unknown or of another form. */
export function linkPatch(sent: { readonly [name: string]: SentValue }): Partial<CloudLink> {
  const rules = relationMetadata('base.Consumes')?.attributes ?? {};
  const entries = Object.entries(sent).map(([name, value]) => [name, value === null ? '' : String(value)] as const);
  const faults = entries.flatMap(([name, value]) => {
    const rule = rules[name];
    if (rule === undefined) return [`attribute ${name} is not defined for relation base.Consumes (400)`];
    const allowed = ALLOWED[name];
    if (allowed !== undefined && !allowed.includes(value)) return [`${name} must be one of ${allowed.join(', ')}`];
    // A pattern is anchored at its start only: decimals get through, and fail when the plan is built (service-facts §4.7.5).
    return value === '' || attributeFault(rule, value) !== undefined ? [`${name} must be a number in digits`] : [];
  });
  if (faults.length > 0) throw refused(...faults);
  return Object.fromEntries(entries);
}

/**
 * One entry of an environment's `clouds`: a priority, or an object of attributes. In classic a priority that is a number is ignored
 * (dialect row 16).
 */
export function linkEntry(
  entry: string | number | { readonly [name: string]: string | number },
  voice: Voice,
): CloudLink {
  const sent = typeof entry === 'object' ? entry : { priority: entry };
  const unknown = Object.keys(sent).filter((name) => !(NAMES as readonly string[]).includes(name));
  if (unknown.length > 0) throw unreadable(`clouds: unknown attributes ${unknown.join(', ')}`);
  const heard = Object.fromEntries(
    Object.entries(sent).filter(
      ([name, value]) => !(voice.cloudPriorityTextOnly && name === 'priority' && typeof value === 'number'),
    ),
  );
  return { ...DEFAULTS, ...linkPatch(heard) };
}

/** The attributes of a stored link, with defaults for what it lacks. */
export function storedLink(values: Values): CloudLink {
  const given = NAMES.flatMap((name) => {
    const value = values[name];
    return value === null || value === undefined ? [] : [[name, value] as const];
  });
  return { ...DEFAULTS, ...Object.fromEntries(given) };
}

/** Whether a link counts as primary; `inactive` does (service-facts §3.9). */
export function isPrimaryLink(link: Pick<CloudLink, 'priority' | 'adminstatus'>): boolean {
  return link.priority === '1' && link.adminstatus !== 'offline';
}
