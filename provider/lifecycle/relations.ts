// Relations that one record holds to others, such as links of a platform. The service deletes them
// with the record at their other end: when that is replaced, they are written again.
import { messageOf } from '../../api/errors';
import { formatId, parseId } from '../address/ids';
import type { Live } from '../address/live';
import type { Inputs } from './check';
import { LifecycleError } from '../errors';
import { type Address, distinguishedBy, type Kind, type Work } from '../kind';
import { declaredKey, type HeldRelation, inTurn, memoryOf, subjectKey } from '../session';
import { findIn } from '../verbs/records';
import { readOrGone } from '../verbs/presence';
import { type Managed, type Row, workOn, subjectOf } from './managed';
import { isReference } from './refer';

/**
 * Arguments that are held in relations, without names that this run replaces or makes: those
 * relations are gone. `there`: the record, with what it still holds. Empty when nothing is gone.
 */
export function relationsLeft(
  { of, session }: Pick<Managed, 'of' | 'session'>,
  id: string,
  olds: Inputs,
  there?: Live,
): Inputs {
  const address = parseId(of, id)?.address;
  const isGone = (argument: string, token: string | undefined, name: unknown): boolean => {
    const other = session.kinds.find((kind) => kind.token === token);
    if (other === undefined || typeof name !== 'string') return false;
    const memory = memoryOf(session, other, { ...address, name });
    // Nobody deletes a record that is only referred to.
    if (isReference(memory.inputs ?? {})) return false;
    const { lost, replaced, isMade, isNew } = memory;
    if (lost === undefined) return replaced === 'deletes' || isMade === true || isNew === true;
    return lost.some((each) => each.argument === argument && declaredKey(of, each.holder) === subjectKey(of, id));
  };
  const left = Object.entries(of.fields).flatMap(([argument, { unstamped, refersTo }]): [string, unknown][] => {
    const names = olds[argument];
    if (!unstamped || !Array.isArray(names)) return [];
    const held = namesIn(there, argument);
    const kept = names.filter((name) => held.includes(String(name)) || !isGone(argument, refersTo, name));
    return kept.length === names.length ? [] : [[argument, kept]];
  });
  return Object.fromEntries(left);
}

const namesIn = (live: Live | undefined, argument: string): readonly string[] =>
  JSON.parse(live?.wire[argument] ?? '[]') as readonly string[];

/** Arguments that are held in relations to other records of the same kind. */
const argumentsWithRelations = ({ fields, token }: Kind): readonly string[] =>
  Object.entries(fields).flatMap(([argument, { unstamped, refersTo }]) =>
    unstamped && refersTo === token ? [argument] : [],
  );

interface Holder {
  readonly holder: Address;
  readonly number: number | undefined;
  readonly argument: string;
  readonly names: readonly string[];
}

/** A record as far as it holds relations in an argument; undefined for one that does not exist. */
async function liveHolder(
  managed: Managed,
  { holder, number, argument, names }: Holder,
  row: Row,
): Promise<Live | undefined> {
  // A name of several records cannot be read: the number in its place can.
  const address = number === undefined ? holder : { ...holder, name: String(number) };
  const subject = { address, inputs: { [argument]: [] }, known: { [argument]: names } };
  return managed.of.verbs.read(await workOn(managed, subject, row));
}

/** Takes turns with neighbours: a write made of an earlier read would drop new relations. */
export function inTurnOfRelations<T>(
  { of, session }: Managed,
  { name: _, ...parent }: Address,
  job: () => Promise<T>,
): Promise<T> {
  if (argumentsWithRelations(of).length === 0) return job();
  return inTurn(session, `relations ${of.token} ${Object.values(parent).join('/')}`, job);
}

/** What a holder is known by in a run: records that share its name have numbers. */
const holderOf = (of: Kind, { holder, number }: Pick<HeldRelation, 'holder' | 'number'>): string =>
  `${declaredKey(of, holder)} ${number ?? ''}`;

function declaredOf(
  { of, session }: Managed,
  { holder, argument }: Pick<HeldRelation, 'holder' | 'argument'>,
): readonly unknown[] | undefined {
  const declared = memoryOf(session, of, holder).inputs?.[argument];
  return Array.isArray(declared) ? declared : undefined;
}

/**
 * Relations of others to a record that is deleted and created again, each read and noted for the
 * run. Undefined where an earlier run deleted the record.
 */
export async function relationsTo(
  managed: Managed,
  work: Work,
  row: Row,
): Promise<readonly HeldRelation[] | undefined> {
  const { of, session } = managed;
  const argumentsHeld = argumentsWithRelations(of);
  if (argumentsHeld.length === 0) return undefined;
  const { name, ...parent } = work.address;
  const distinction = work.known?.[distinguishedBy(of) ?? ''];
  // Where the parent is gone, nothing holds a relation.
  const all = (await readOrGone(work.api, work.at, () => findIn(work.api, of, parent))) ?? [];
  const names = all.map(({ address }) => String(address['name']));
  if (!names.includes(String(name))) return undefined;
  const found: HeldRelation[] = [];
  for (const { address, number } of all) {
    // Relations are held to names: records that share one are of another class.
    if (address['name'] === name) continue;
    for (const argument of argumentsHeld) {
      const holder = { ...parent, ...address };
      const held = namesIn(await liveHolder(managed, { holder, number, argument, names }, row), argument);
      if (!held.includes(String(name))) continue;
      found.push({ holder, number, argument, name: String(name), distinction });
      const key = holderOf(of, { holder, number });
      const before = session.memory.of(key).held;
      const all = [...new Set([...(before?.[argument] ?? []), ...held])];
      session.memory.note(key, { held: { ...before, [argument]: all } });
    }
  }
  return found;
}

/**
 * Writes such relations again, unless their holders are gone, have them, or are declared without
 * them. Throws LifecycleError with all that could not be written.
 */
export async function restoreRelations(
  managed: Managed,
  { lost, inputs }: { readonly lost: readonly HeldRelation[]; readonly inputs: Inputs },
  row: Row,
): Promise<void> {
  const { of } = managed;
  const failures: string[] = [];
  for (const each of lost) {
    try {
      await restore(managed, each, row);
    } catch (error) {
      const { organization } = await managed.connect();
      const holder = subjectOf(of, formatId(of, organization, each.holder));
      const sort = distinguishedBy(of);
      const isOther = sort !== undefined && inputs[sort] !== each.distinction;
      const said = `${holder} did not get "${each.name}" back in its ${each.argument}: ${messageOf(error)}`;
      if (isOther && error instanceof LifecycleError) row.notice(said);
      else failures.push(said);
    }
  }
  if (failures.length > 0)
    throw new LifecycleError(
      `it was deleted and created again, but ${failures.join('; ')}`,
      'run pulumi up again: it writes what the program declares; write what it does not declare by hand',
    );
}

async function restore(managed: Managed, { holder, number, argument, name }: HeldRelation, row: Row): Promise<void> {
  const { of, session } = managed;
  const held = session.memory.of(holderOf(of, { holder, number })).held?.[argument] ?? [];
  const live = await liveHolder(managed, { holder, number, argument, names: held }, row);
  const names = namesIn(live, argument);
  const declared = declaredOf(managed, { holder, argument });
  if (live === undefined || names.includes(name) || declared?.includes(name) === false) return;
  // A noted write would make others' open changes ours, and a commit would include them.
  const isNoted = (live.openedBy ?? []).length === 0;
  const subject = { address: holder, inputs: { [argument]: [...names, name] }, known: {}, isNoted };
  const work = await workOn(managed, subject, row);
  await of.verbs.update({ ...work, live, changes: work.wire });
}

/** Says which relations go with a renamed record: those that this run does not declare. */
export function announceLostRelations(managed: Managed, id: string, lost: readonly HeldRelation[], row: Row): void {
  const { organization = '' } = parseId(managed.of, id) ?? {};
  const going = lost
    .filter((each) => declaredOf(managed, each) === undefined)
    .map(
      ({ holder, argument }) => `${argument} of ${subjectOf(managed.of, formatId(managed.of, organization, holder))}`,
    );
  if (going.length > 0)
    row.notice(
      `${id} gets another name. The service takes the old one out of ${going.join(', ')}, which this run does not declare: add the new name there`,
    );
}
