// A resource as the engine keeps it: after a run, after a refresh, and after an update that stopped half-way.
// It must not know requests, the engine or any single kind.
import { PartialFailure } from '../errors';
import { COMPUTED, type Kind } from '../kind';
import { revisionMoved } from './revision';
import type { Inputs } from '../check';
import { textAt } from '../values/plain';
import type { Live, Origin } from '../address/live';

/** A resource as the engine keeps it: outputs contain the declared inputs, the fixed computed names and the kind's own. */
export interface State {
  readonly id: string;
  readonly inputs: Inputs;
  readonly outputs: Inputs;
  /** Of a record nobody declared yet: paths of arguments that have a value there, which no read shows. */
  readonly unseen?: readonly (readonly string[])[];
  /** Those of them that somebody set: the others came with the record. */
  readonly ownSecrets?: readonly (readonly string[])[];
  /** Who set what leaves no mark on the record, by wire name. No part of what the engine keeps. */
  readonly setBy?: Live['setBy'];
  /** Why values are not known, by wire name. No part of what the engine keeps. */
  readonly unknown?: Live['unknown'];
}

/**
 * Outputs: declared inputs, fixed computed names, the kind's own. Never values the service filled in by itself (architecture §2). The live
 * record's stamp is the revision.
 */
export function stateOf(id: string, inputs: Inputs, live: Live, known?: Inputs): State {
  const outputs = {
    ...inputs,
    ciId: live.ciId,
    revision: live.stamp,
    origin: known ? originOf(known, live) : live.origin,
    updated: live.updated,
    updatedBy: live.updatedBy,
    ...live.outputs,
  };
  const { setBy, unknown } = live;
  return { id, inputs, outputs, ...(setBy ? { setBy } : {}), ...(unknown ? { unknown } : {}) };
}

/** Who made the record, as the last run knew it; as it reads, when none did. */
export const originOf = (known: Inputs, { origin }: Pick<Live, 'origin'>): Origin =>
  ORIGINS.find((each) => each === known['origin']) ?? origin;

const ORIGINS: readonly Origin[] = ['created', 'adopted', 'pack'];

/** The declared arguments among a resource's outputs. */
export function declaredOf(of: Kind, outputs: Inputs): Inputs {
  const computed = new Set([...Object.keys(COMPUTED), ...Object.keys(of.computed)]);
  return Object.fromEntries(Object.entries(outputs).filter(([name]) => !name.startsWith('__') && !computed.has(name)));
}

/** An update that stopped half-way. `now` in ms. */
interface Stopped {
  readonly id: string;
  readonly olds: Inputs;
  readonly news: Inputs;
  readonly now: number;
}

/**
 * An update of several requests that failed after a write: the next run has to go on with it, or to take it back. What triggers work stays as
 * it was, so that it is seen as undone after a refresh too; what was written counts as a write, whatever the next run finds left to do.
 */
export function halfDone(of: Kind, { id, olds, news, now }: Stopped, error: Error): PartialFailure {
  const names = Object.entries(of.fields).filter(([, field]) => field.channel === 'control' && !field.quiet);
  const undone = names.flatMap(([name]) => (name in olds ? [[name, olds[name]] as const] : []));
  const declared = declaredOf(of, olds);
  const computed = Object.entries(olds).filter(([name]) => !(name in declared));
  const revision = revisionMoved(textAt(olds, 'revision'), now);
  const outputs = { ...news, ...Object.fromEntries([...computed, ...undone]), revision };
  return new PartialFailure({ id, outputs, reasons: [error.message] });
}
