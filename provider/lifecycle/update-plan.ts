// Which texts an update writes: what differs from the live record, removed fields' base values, and never what another user just changed.
// It must not know any single kind.
import { userOf } from '../history/user';
import { ENCRYPTED } from '../../api/contract';
import type { Live } from '../address/live';
import type { Inputs } from '../check';
import { LifecycleError } from '../errors';
import type { Field } from '../field';
import type { Kind } from '../kind';
import type { Work } from '../model';
import { changedText, isUnknownSecret, writtenSecrets } from '../secrets/writes';
import { isPlainObject } from '../values/plain';
import { decodeShape, encodeShape, sameValue, type Shape } from '../values/shape';
import { type Declared, declaredValues, isUnseen, means, textOf } from '../values/wire';
import { noteWanted } from './own-writes';
import { givenBack } from './required-attributes';

/**
 * Wire names and texts to write so that the live record says what is declared. Throws when a declared attribute was changed by somebody
 * since our last read and would be lost, unless `overwrite` is declared (architecture §3, lost-update guard).
 */
export async function planUpdate(
  of: Kind,
  work: Work,
  olds: Inputs,
  live: Live,
): Promise<{ readonly [wireName: string]: string }> {
  const before = declaredValues(of, olds);
  const now = declaredValues(of, work.args);
  const removed = [...before.keys()].filter((name) => !now.has(name));
  const { texts: bases, kept } =
    removed.length > 0
      ? await givenBack(
          work,
          live.className,
          readable(of, await basesOf(of, work, live, new Map([...before].filter(([name]) => removed.includes(name))))),
        )
      : { texts: {} as { readonly [name: string]: string }, kept: [] };
  const isBase = (name: string): boolean => (live.wire[name] ?? '') === bases[name];
  // What somebody gave back before this run would have is as this run wants it.
  noteWanted(
    work.session.own,
    live.ciId,
    Object.fromEntries(removed.filter(isBase).map((name) => [name, bases[name] ?? ''])),
  );
  const lost = [...before].filter(
    ([name, old]) => !isBase(name) && !kept.includes(name) && isLost(old, now.get(name), live.wire[name]),
  );
  if (lost.length > 0 && !(await isOwnPull(of, work, live, lost))) {
    if (work.args['overwrite'] !== true) throw lostUpdate(lost, live);
    work.notice(`written as declared, as overwrite says, although ${lostText(lost, live)}`);
  }

  const written = await writtenSecrets(of, work, olds, live);
  const changes: { [wireName: string]: string } = {};
  for (const [name, declared] of now) {
    // With ignoreChanges the engine declares what a refresh kept in place of the secret: that is no value.
    if (isUnknownSecret(declared.value)) continue;
    const unseen = isUnseen(declared, live.wire[name]);
    const old = before.get(name);
    const write = written.get(name);
    const isNewlyDeclared = !old || !sameValue(declared.shape, old.value, declared.value);
    if (write && !(isNewlyDeclared && write.isOwn)) work.notice(`${changedText(name, write)}: written again`);
    const differs = unseen ? isNewlyDeclared || write !== undefined : !means(declared, live.wire[name]);
    // Declared for the first time, it stops following its pack, also when it says what the pack says: the write locks it.
    const isToLock =
      of.stage === 'design' && declared.field.channel === 'attribute' && !old && live.owners?.[name] === undefined;
    if (differs || isToLock) changes[name] = textOf(declared);
  }
  // Given back is the lock, too: without it the attribute follows its pack again.
  const given = Object.keys(bases).filter(
    (name) => !isBase(name) || before.get(name)?.field.secret === true || live.owners?.[name] !== undefined,
  );
  return { ...changes, ...Object.fromEntries(given.map((name) => [name, bases[name] ?? ''])) };
}

/** Changed by somebody to something that is neither what we last saw nor what we want, nor on the way from one to the other. */
function isLost(old: Declared, now: Declared | undefined, live: string | null | undefined): boolean {
  if (isUnseen(old, live) || means(old, live)) return false;
  if (now && means(now, live)) return false;
  return !isMixture(old.shape, old.value, now?.value, live);
}

/**
 * Whether our own pull brought what a record of an environment holds now: its attributes follow the design where nobody locked them, and our own
 * writes lock them.
 */
async function isOwnPull(
  of: Kind,
  work: Work,
  { origin, owners, updatedBy }: Live,
  changed: readonly (readonly [string, Declared])[],
): Promise<boolean> {
  if (of.stage !== 'environment' || origin !== 'pack' || owners === undefined) return false;
  if (changed.some(([name]) => owners[name] !== undefined)) return false;
  return updatedBy !== undefined && updatedBy !== '' && updatedBy === (await userOf(work));
}

/** `size was changed by maria at 2026-01-05T00:00:00.000Z, since our last read`. */
function lostText(lost: readonly (readonly [string, Declared])[], live: Live): string {
  // The record reports its last write, which is not that of a field whose writes leave no stamp.
  const isTold = lost.some(([, { field }]) => !field.unstamped);
  const when = isTold && live.updated ? new Date(live.updated).toISOString() : 'an unknown time';
  const names = lost.map(([name]) => name).join(', ');
  return `${names} was changed by ${(isTold && live.updatedBy) || 'somebody'} at ${when}, since our last read`;
}

function lostUpdate(lost: readonly (readonly [string, Declared])[], live: Live): LifecycleError {
  return new LifecycleError(
    lostText(lost, live),
    'look at the change with "pulumi refresh --preview-only --diff"; then take it into the file, or run "pulumi up --refresh" to set the declared value again, or declare overwrite: true',
  );
}

/** Texts without the secrets that an update of the kind brings back by itself. */
const readable = (of: Kind, texts: { readonly [name: string]: string }): typeof texts =>
  of.verbs.restoresSecrets ? Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ENCRYPTED)) : texts;

/** The texts removed fields go back to. */
async function basesOf(
  of: Kind,
  work: Work,
  live: Live,
  removed: ReadonlyMap<string, Declared>,
): Promise<{ readonly [wireName: string]: string }> {
  const known = of.verbs.base ? await of.verbs.base(work, live, [...removed.keys()]) : {};
  // A secret leaves for good when its plain form is declared in its place: it does not go back to what its record follows.
  const isReplaced = (field: Field): boolean =>
    Object.entries(of.fields).some(
      ([plain, { whenSecret }]) =>
        whenSecret !== undefined && of.fields[whenSecret] === field && (work.args[plain] ?? undefined) !== undefined,
    );
  return Object.fromEntries(
    [...removed].map(([name, { field }]) => [name, (isReplaced(field) ? undefined : known[name]) ?? field.base]),
  );
}

// What an interrupted change of a map or a set leaves: parts of what was there before, and parts of what was to come.

/**
 * Whether each entry of a map, or each item of a set, is on the wire as it is in one value or in another: what an interrupted change from one to the
 * other leaves.
 */
export function isMixture(shape: Shape, one: unknown, other: unknown, wire: string | null | undefined): boolean {
  const inner = partsOf(shape);
  if (inner === undefined) return false;
  const there = entriesOf(inner, decodeShape(shape, wire ?? ''));
  const sides = [entriesOf(inner, one), entriesOf(inner, other)];
  const keys = new Set([there, ...sides].flatMap((map) => Object.keys(map)));
  return [...keys].every((key) =>
    sides.some((side) => key in side === key in there && sameValue(inner, side[key], there[key])),
  );
}

/** The shape of the parts of a value that can change one at a time; undefined where it changes as a whole. */
function partsOf(shape: Shape): Shape | undefined {
  if (shape.type === 'map') return shape.values;
  return shape.type === 'list' && shape.unordered ? shape.items : undefined;
}

/** The parts of a map by their keys, and those of a set by what they mean. */
function entriesOf(inner: Shape, value: unknown): { readonly [key: string]: unknown } {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item) => [encodeShape(inner, item), item]));
  return isPlainObject(value) ? value : {};
}
