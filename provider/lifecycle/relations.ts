// Relations that one record holds to others, such as the links of a platform. The service deletes them with the record at their other end: when that
// is replaced, they are written again.
// It must not know any single kind, nor the engine.
import { parseId } from '../ids';
import { findIn } from '../verbs/find-in';
import { type Address, type Kind } from '../kind';
import type { Work } from '../model';
import type { Inputs } from '../rules';
import { declaredKey, type HeldRelation } from '../session';
import { workOn, type Managed, type Row } from './managed';

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

/** Arguments that are held in relations to other records of the same kind. */
const argumentsWithRelations = ({ fields, token }: Kind): readonly string[] =>
  Object.entries(fields).flatMap(([argument, { relation, refersTo }]) =>
    relation !== undefined && refersTo === token ? [argument] : [],
  );

/** What a record holds in the relations of an argument; undefined for one that does not exist. */
async function namesHeld(
  managed: Managed,
  address: Address,
  argument: string,
  row: Row,
): Promise<readonly string[] | undefined> {
  const work = await workOn(managed, { address, inputs: { [argument]: [] }, known: {} }, row);
  const live = await managed.of.verbs.read(work);
  return live && (JSON.parse(live.wire[argument] ?? '[]') as readonly string[]);
}

/** The relations that other records of the same parent hold to one that is deleted and then created again. Reads each of them. */
export async function relationsTo(managed: Managed, work: Work, row: Row): Promise<readonly HeldRelation[]> {
  const { of } = managed;
  const held = argumentsWithRelations(of);
  if (held.length === 0) return [];
  const { name, ...parent } = work.address;
  const found: HeldRelation[] = [];
  for (const { address, number } of await findIn(work.api, of, parent)) {
    // A name that means several records cannot be read by itself.
    if (address['name'] === name || number !== undefined) continue;
    const holder = { ...parent, ...address };
    for (const argument of held) {
      const names = await namesHeld(managed, holder, argument, row);
      if (names?.includes(String(name))) found.push({ holder, argument, name: String(name) });
    }
  }
  return found;
}

/** Writes relations again that the service deleted with a record, now that it exists again, unless their holders are gone or have them. */
export async function restoreRelations(managed: Managed, lost: readonly HeldRelation[], row: Row): Promise<void> {
  const { of } = managed;
  for (const { holder, argument, name } of lost) {
    const names = await namesHeld(managed, holder, argument, row);
    if (names === undefined || names.includes(name)) continue;
    const inputs = { [argument]: [...names, name] };
    const work = await workOn(managed, { address: holder, inputs, known: {} }, row);
    const live = await of.verbs.read(work);
    if (live !== undefined) await of.verbs.update({ ...work, live, changes: work.wire });
  }
}
