// Relations that one record holds to others, such as the links of a platform. The service deletes them with the record at their other end: when that
// is replaced, they are written again.
// It must not know any single kind, nor the engine.
import { parseId } from '../ids';
import type { Inputs } from '../rules';
import { declaredKey } from '../session';
import type { Managed } from './managed';

/**
 * Arguments of the last run that are held in relations, without the names of records that this run replaces or made: those relations are gone, and
 * no other user took them away. Empty when nothing is gone.
 */
export function relationsLeft({ of, session }: Managed, id: string, olds: Inputs): Inputs {
  const { declarations, records } = session;
  const address = parseId(of, id)?.address;
  const isGone = (token: string | undefined, name: unknown): boolean => {
    const other = session.kinds.find((kind) => kind.token === token);
    if (other === undefined || typeof name !== 'string') return false;
    const key = declaredKey(other, { ...address, name });
    return records.takesAlong(key) || records.isMade(key) || declarations.isAskedAgain(key);
  };
  const left = Object.entries(of.fields).flatMap(([argument, { relation, refersTo }]): [string, unknown][] => {
    const names = olds[argument];
    if (relation === undefined || !Array.isArray(names)) return [];
    const kept = names.filter((name) => !isGone(refersTo, name));
    return kept.length === names.length ? [] : [[argument, kept]];
  });
  return Object.fromEntries(left);
}
