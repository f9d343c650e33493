// Which write of a record counts as ours, once it was read: what it triggers follows from it (flows §6).
// It must not know any kind, nor requests.
import type { Kind } from './kind';
import { diff, type Inputs } from './rules';
import { textAt } from './text-at';
import type { Live } from './verbs/verbs';

/** The revision of our last write; the record's own stamp when we know of none. */
export const revisionKnown = (known: Inputs, live: Live): string => textAt(known, 'revision', live.stamp);

/**
 * The revision a refresh hands back: the known one, which touches of others do not change; but the newest when a value moved. What somebody
 * changed counts as written, since whatever is declared next, the old value or theirs, has to reach what runs.
 */
export function revisionRead(of: Kind, known: Inputs, inputs: Inputs, live: Live): string {
  const moved = diff(of, known, inputs).some(({ path: [name] }) => name !== undefined && name in inputs);
  return moved ? live.stamp : revisionKnown(known, live);
}
