// What the engine's delete of a record means in this run: the record itself, or only a name of the program that went.
// It must not know any single kind, requests or the engine.
import { ancestorsTakingAlong } from '../address/place';
import type { Kind } from '../kind';
import type { Inputs } from '../check';
import { subjectKey, type Session } from '../session';

/** What a delete does. Everything but the first two leaves the service as it is. */
type Deletion =
  /** The record leaves: it is deleted, and what commits its stage goes again. */
  | 'delete'
  /** It is deleted to be created again: the commit comes later in the run. */
  | 'delete amid the run'
  /** Another resource of the program declares it, or this run made it: a rename without an alias. */
  | 'given to another name'
  /** The engine made the replacement before this delete, and that took the record over. */
  | 'created again'
  /** A sweep deleted it before a commit. */
  | 'swept'
  /** The delete of a record above it, which is replaced, takes it along. */
  | 'inside replaced';

/** A record that the engine deletes: its id, its outputs of the last run, and the resource's URN where it is known. */
export interface Leaving {
  readonly id: string;
  readonly known: Inputs;
  readonly urn: string | undefined;
}

/** What the delete of a record does, by what this run declared and did. */
export function deletionOf(
  { of, session }: { readonly of: Kind; readonly session: Session },
  { id, known, urn }: Leaving,
): Deletion {
  const { declarations, records } = session;
  const key = subjectKey(of, id);
  const isRecreated = declarations.isNewUnder(key, urn);
  const isReplaced = isRecreated || records.isReplaced(key) || declarations.isAskedAgain(key);
  if (records.isMade(key) || (declarations.has(key) && !isReplaced))
    return isRecreated ? 'created again' : 'given to another name';
  if (records.isSwept(key, Number(known['ciId'] ?? 0))) return 'swept';
  if (ancestorsTakingAlong(of, id).some((above) => records.takesAlong(above))) return 'inside replaced';
  return isReplaced ? 'delete amid the run' : 'delete';
}
