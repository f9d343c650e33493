// Which write of a record counts as ours: what it triggers follows from it (flows §6).
// It must not know any kind, nor requests.
import type { Kind } from '../kind';
import { diff, type Inputs } from '../check';
import { textAt } from '../values/plain';
import type { Live } from '../address/live';

/** What the last run declared, and what this one does. */
interface Redeclared {
  readonly olds: Inputs;
  readonly news: Inputs;
}

/** The revision of our last write; the record's own stamp when we know of none. */
const revisionKnown = (known: Inputs, live: Live): string => textAt(known, 'revision', live.stamp);

/** Another revision of the same stamp. `now` in ms. */
export const revisionMoved = (revision: string, now: number): string => `${revision.split('.')[0]}.${now}`;

/**
 * The revision a refresh hands back: the known one, which touches of others do not change; but another one when a value moved. What somebody
 * changed counts as written, since whatever is declared next, the old value or theirs, has to reach what runs. `now` in ms.
 */
export function revisionRead(
  of: Kind,
  { known, inputs }: { readonly known: Inputs; readonly inputs: Inputs },
  live: Live,
  now: number,
): string {
  const moved = diff(of, known, inputs).some(({ path: [name] }) => name !== undefined && name in inputs);
  return moved ? anotherThan(known, live.stamp, now) : revisionKnown(known, live);
}

/**
 * The stamp of an update that found nothing to write. The record's own when other values are declared than before: they were written by a run
 * that was killed, or by another user, and nobody knows whether they reached what runs. Else the known one.
 */
export const revisionUnwritten = (of: Kind, { olds, news }: Redeclared, there: Live): string =>
  declaresOtherValues(of, olds, news) ? there.stamp : revisionKnown(olds, there);

/** The revision after an update: another one whenever other values are declared, also when no write of ours moved the stamp. `now` in ms. */
export const revisionUpdated = (of: Kind, { olds, news }: Redeclared, live: Live, now: number): string =>
  declaresOtherValues(of, olds, news) ? anotherThan(olds, live.stamp, now) : live.stamp;

/** Whether more than what steers our own work differs. */
const declaresOtherValues = (of: Kind, olds: Inputs, news: Inputs): boolean =>
  diff(of, olds, news).some(({ path: [name = ''] }) => of.fields[name]?.channel !== 'control');

/**
 * Not every write shows in the stamp: one of links alone does not. A revision that was moved once, by a refresh, is not moved back: what follows from
 * the record may know the first one.
 */
const anotherThan = (known: Inputs, stamp: string, now: number): string =>
  stamp === textAt(known, 'revision', '').split('.')[0] ? revisionMoved(stamp, now) : stamp;
