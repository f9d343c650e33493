// Updates a record: which texts are written, by four rules, and why an update is refused.
import { classMetadata, ENCRYPTED, type Release, routes } from '../../api/contract';
import { describe } from '../../api/errors';
import type { Live } from '../address/live';
import { memberPath } from '../address/member-path';
import { isAnother, ownAddress, refuseInAnother, refuseWriteInAnother } from '../address/place';
import type { Inputs } from './check';
import { declaredMember } from '../commit/own-records';
import { declaredInDesign, declaredInEnvironment } from '../deploy/declared-records';
import { isOutage, LifecycleError, orElse, PartialFailure } from '../errors';
import { mayHold, userOf } from '../history/change';
import { addressOf, type Kind, openName, type Work } from '../kind';
import { changedText, GIVEN_BACK, isUnknownSecret, type SecretWrite, writtenSecrets } from '../secrets/writes';
import { memoryOf, rememberNumber } from '../session';
import { askingAnew } from '../session/answers';
import { asMap, holdsUnknown, present, type Texts, UNKNOWN, type Values } from '../values/plain';
import { type PropertyPath, withValuesAt } from '../values/property-path';
import { decodeShape, encodeShape, sameValue, type Shape } from '../values/shape';
import { type Declared, type DeclaredEntries, declaredValues, isUnseen, means, textsIn, textsOf } from '../values/wire';
import { withLiveAt } from './ignored';
import { isRenewed, kept, type Managed, type Row, workOn, describingFailure, subjectOf } from './managed';
import { countWrites, metWriters, reportCrossed, reportOverwritten } from './own-writes';
import { isReference } from './refer';
import { inTurnOfRelations, relationsLeft } from './relations';
import {
  halfDone,
  originOf,
  partDigest,
  partsBefore,
  revisionUnwritten,
  revisionUpdated,
  type State,
  stateOf,
} from './state';
import { isAdopting, takeOver } from './take-over';
import { create, knowing, referred } from './write';

interface UpdateOf {
  readonly id: string;
  readonly olds: Inputs;
  readonly news: Inputs;
  /** What is neither compared nor written. */
  readonly ignored: readonly PropertyPath[];
}

/** Updates a record; creates it again when it no longer exists. */
export async function update(managed: Managed, change: UpdateOf, row: Row): Promise<State> {
  const { of, session } = managed;
  const { id, olds, news } = change;
  await ownAddress(of, id, managed.connect);
  const work = await workOn(managed, { address: addressOf(of, news), inputs: news, known: olds }, row);
  const { takenId } = memoryOf(session, of, work.address).options ?? {};
  if (takenId !== undefined) {
    const { outputs, ...made } = await create(managed, news, row);
    return { ...made, outputs: outputs['ciId'] === takenId ? { ...outputs, origin: olds['origin'] } : outputs };
  }
  const live = await describingFailure('update', of, id, () =>
    inTurnOfRelations(managed, work.address, () => updated(managed, work, change, row)),
  );
  if (live === undefined) {
    await describingFailure('update', of, id, () => refuseInAnother(of, work));
    row.notice('it was deleted by somebody since our last run: created again');
    return create(managed, news, row);
  }
  rememberNumber(session, of, work.address, live);
  const stamp = revisionUpdated(of, { olds, news }, live, session.clock.now());
  return knowing(managed, stateOf(id, news, { ...live, origin: originOf(olds, live), stamp }));
}

/** Brings what is declared to the record; undefined when it no longer exists. */
async function updated(
  managed: Managed,
  work: Work,
  { id, olds, news, ignored }: UpdateOf,
  row: Row,
): Promise<Live | undefined> {
  const { of, session } = managed;
  if (isReference(news)) return referred(of, work);
  // What was declared of an ignored attribute was not written.
  const there = await of.verbs.read({
    ...work,
    ...(of.verbs.isAction ? {} : { api: askingAnew(work.api) }),
    known: withValuesAt(olds, {}, ignored) as Inputs,
  });
  if (there === undefined) return undefined;
  // In an environment that was made again, each record has another number.
  if (of.stage === 'environment' && there.ciId !== olds['ciId']) await refuseWriteInAnother(of, work);
  // A record that was created again has lost what we wrote: nothing is overwritten.
  const isAnew = isRenewed(managed, id, olds);
  const asThere = (inputs: Inputs): Inputs => withLiveAt(of, inputs, there.wire, isAnew ? [] : ignored);
  const before = asThere({ ...olds, ...relationsLeft(managed, id, olds, there) });
  const args = asThere(work.args);
  const own = { ...work, args, wire: textsOf(of, args), known: asThere(olds) };
  if (isReference(olds) || isAnother(of, olds, there)) return kept(of, work, () => takeOver(of, own, there));
  metWriters(session.own, there);
  const planned = isAnew ? { ...own, args: { ...args, overwrite: true } } : own;
  const changes = await planUpdate(of, planned, before, there);
  if (Object.keys(changes).length === 0 && !of.verbs.acts)
    return { ...there, stamp: revisionUnwritten(of, { olds, news }, there) };
  const { api, wrote } = countWrites(own.api);
  try {
    const live = await kept(of, work, () => of.verbs.update({ ...own, api, live: there, changes }));
    reportCrossed(session.own, there.ciId, row);
    if (args['overwrite'] !== true) reportOverwritten(session.own, there, changes, row);
    return live;
  } catch (error) {
    if (error instanceof PartialFailure || !wrote()) throw error;
    const reason = describe(error, { attempt: 'update', subject: subjectOf(of, id) });
    const declared = withSecretsGivenBack(of, { olds, news }, there);
    throw halfDone(of, { id, olds, news: declared, now: session.clock.now() }, reason);
  }
}

/** With stand-ins for secrets that leave: without a mark the next run would not give them back. */
function withSecretsGivenBack(of: Kind, { olds, news }: Pick<UpdateOf, 'olds' | 'news'>, { wire }: Live): Inputs {
  const open = openName(of) ?? '';
  const [before, now] = [asMap(olds[open]), asMap(news[open])];
  const left = Object.keys(before).filter((name) => !(name in now) && wire[name] === ENCRYPTED);
  if (left.length === 0) return news;
  return { ...news, [open]: { ...now, ...Object.fromEntries(left.map((name) => [name, GIVEN_BACK])) } };
}

type DeclaredTexts = ReadonlyMap<string, Declared>;

/** What an update is decided by: values by wire name, without what is ignored. */
interface Compared {
  readonly of: Kind;
  readonly declared: DeclaredTexts;
  readonly live: Live;
  /** What the last run declared. */
  readonly ours: DeclaredTexts;
  /** The parts of a map before runs that failed. */
  readonly before: (argument: string) => PartsBefore;
  /** What values that are no longer declared go back to. */
  readonly back: GivenBack;
  readonly written: ReadonlyMap<string, SecretWrite>;
}

interface Decision {
  readonly write: Texts;
  /** Texts that are there already as this run would leave them. */
  readonly keep: Texts;
  /** What the last run declared, and somebody changed since. */
  readonly refuse: DeclaredEntries;
}

/** What an update writes, keeps and refuses, by four rules. */
function whatToWrite(compared: Compared): Decision {
  const { declared, live, ours, before, back } = compared;
  const isBack = (name: string): boolean => (live.wire[name] ?? '') === back.texts[name];
  const goesBack = (name: string): boolean =>
    !isBack(name) || ours.get(name)?.field.secret === true || live.owners?.[name] !== undefined;
  const isOverwritten = (name: string, old: Declared): boolean => {
    if (isBack(name) || back.kept.includes(name)) return false;
    return isLost(old, declared.get(name), live.wire[name], before(old.argument));
  };
  const toWrite = [...declared].filter(
    ([name, value]) => differs(compared, name, value) || locks(compared, name, value),
  );
  const texts = Object.entries(back.texts);
  return {
    write: { ...textsIn(toWrite), ...Object.fromEntries(texts.filter(([name]) => goesBack(name))) },
    keep: Object.fromEntries(texts.filter(([name]) => isBack(name))),
    refuse: [...ours].filter(([name, old]) => isOverwritten(name, old)),
  };
}

const isNewValue = ({ ours }: Compared, name: string, { shape, value }: Declared): boolean => {
  const old = ours.get(name);
  return old === undefined || !sameValue(shape, old.value, value);
};

/** Whether a value differs from the live one, or is a secret that somebody may have written. */
function differs(compared: Compared, name: string, declared: Declared): boolean {
  // With ignoreChanges the engine declares a refresh's stand-in for the secret: no value.
  if (isUnknownSecret(declared.value)) return false;
  const text = compared.live.wire[name];
  return isUnseen(declared, text)
    ? isNewValue(compared, name, declared) || compared.written.has(name)
    : !means(declared, text);
}

/** Whether a new declaration in a design ends that the attribute follows the pack. */
const locks = ({ of, ours, live }: Compared, name: string, { field, value }: Declared): boolean =>
  of.stage === 'design' &&
  field.channel === 'attribute' &&
  !ours.has(name) &&
  live.owners?.[name] === undefined &&
  !isUnknownSecret(value);

/** Digests of parts of a map of a record. */
interface PartsBefore {
  readonly id: string;
  readonly digests: readonly string[];
}

/**
 * Changed by somebody: the live value is neither the old nor the new one, nor a mixture of both and
 * of the parts `before`.
 */
function isLost(
  old: Declared,
  now: Declared | undefined,
  live: string | null | undefined,
  before?: PartsBefore,
): boolean {
  if (isUnseen(old, live) || means(old, live)) return false;
  if (now && means(now, live)) return false;
  return !isMixture(old.shape, old.value, now?.value, live, before);
}

/** Texts to write. Throws when that loses another user's value (architecture §3). */
async function planUpdate(of: Kind, work: Work, olds: Inputs, live: Live): Promise<Texts> {
  const [ours, declared] = [declaredValues(of, olds), declaredValues(of, work.args)];
  const removed = new Map([...ours].filter(([name]) => !declared.has(name)));
  const back = await givenBack(work, live.className, await basesOf(of, work, live, removed));
  const before = (argument: string): PartsBefore => ({ id: work.id, digests: partsBefore(olds, argument) });
  const compared = { of, declared, live, ours, before, back, written: await writtenSecrets(of, work, olds, live) };
  const { write, keep, refuse } = whatToWrite(compared);
  work.session.own.noteWanted(live.ciId, keep);
  if (refuse.length > 0 && !(await isOwnPull(of, work, live, refuse))) {
    const lost = lostText(refuse, live);
    if (work.args['overwrite'] !== true) throw new LifecycleError(lost, LOST);
    work.notice(`written as declared, as overwrite says, although ${lost}`);
  }
  for (const [name, change] of compared.written) {
    const value = declared.get(name);
    const isSaid = value && !isUnknownSecret(value.value) && !(change.isOwn && isNewValue(compared, name, value));
    if (isSaid) work.notice(`${changedText(name, change)}: written again`);
  }
  return write;
}

/** Paths of arguments that are not known yet: they may turn out to be what is there. */
const unknownPaths = (of: Kind, args: Inputs): readonly PropertyPath[] =>
  Object.entries(args).flatMap(([name, value]): readonly PropertyPath[] => {
    if (!holdsUnknown(value)) return [];
    if (name !== openName(of) || value === UNKNOWN) return [[name]];
    return Object.keys(asMap(value)).flatMap((entry) => (holdsUnknown(asMap(value)[entry]) ? [[name, entry]] : []));
  });

/** What an update would write. Throws where it would overwrite a value that somebody changed. */
export function foreseeUpdate(of: Kind, work: Work, ignored: readonly PropertyPath[] = []): Promise<Texts> {
  const asked = describingFailure('update', of, work.id, async () => {
    const { known = {}, args } = work;
    const live = await of.verbs.read(work);
    if (live === undefined) return {};
    // A take-over writes all that is declared; an unknown `overwrite` may.
    if ((isAnother(of, known, live) && isAdopting(of, work)) || args['overwrite'] === UNKNOWN) return work.wire;
    const left = [...ignored, ...unknownPaths(of, args)];
    const asThere = (inputs: Inputs): Inputs => withLiveAt(of, inputs, live.wire, left);
    const before = { ...known, ...relationsLeft({ of, session: work.session }, work.id, known, live) };
    return planUpdate(of, { ...work, args: asThere(args) }, asThere(before), live);
  });
  return orElse(asked, {}, (error) => isOutage(error) && !(error instanceof LifecycleError));
}

/**
 * Throws where the update of a declared record will be refused. `releases`: those that others may
 * have changed it in; undefined for any record.
 */
export async function refuseLostValues(
  work: Work,
  stage: 'design' | 'environment',
  releases: () => Promise<readonly Release[] | undefined>,
): Promise<void> {
  const declared = stage === 'design' ? declaredInDesign(work) : declaredInEnvironment(work);
  const written = declared.filter(
    ({ isMade, memory: { isChanged, options }, ciId }) =>
      !isMade && isChanged && options?.takenId === undefined && work.session.own.of(ciId).sent === undefined,
  );
  const named = written.length === 0 ? [] : await releases();
  const changed = written.filter(({ ciId }) => named?.some((each) => mayHold(each, ciId)) !== false);
  const members = changed.flatMap(({ of, address }) => declaredMember(work, stage, memberPath(of, address)) ?? []);
  await Promise.all(members.map(({ of, work: own, ignored }) => foreseeUpdate(of, own, ignored)));
}

/** Whether our own pull brought an unlocked live value: it follows the design. */
async function isOwnPull(
  of: Kind,
  work: Work,
  { origin, owners, updatedBy }: Live,
  changed: DeclaredEntries,
): Promise<boolean> {
  if (of.stage !== 'environment' || origin !== 'pack' || owners === undefined) return false;
  if (changed.some(([name]) => owners[name] !== undefined)) return false;
  return Boolean(updatedBy) && updatedBy === (await userOf(work));
}

/** `size was changed by maria at 2026-01-05T00:00:00.000Z, since our last read`. */
function lostText(lost: DeclaredEntries, live: Pick<Live, 'updated' | 'updatedBy'>): string {
  // A field whose writes leave no stamp is not in the record's last write.
  const isStamped = lost.some(([, { field }]) => !field.unstamped);
  const when = isStamped && live.updated ? new Date(live.updated).toISOString() : 'an unknown time';
  const names = lost.map(([name]) => name).join(', ');
  return `${names} was changed by ${(isStamped && live.updatedBy) || 'somebody'} at ${when}, since our last read`;
}

/** What to do about it. */
const LOST =
  'look at the change with "pulumi-oneops drift"; then take it into the file, or run "pulumi up --refresh" to set the declared value again, or declare overwrite: true';

/** What values that are no longer declared go back to. */
async function basesOf(of: Kind, work: Work, live: Live, removed: DeclaredTexts): Promise<Texts> {
  const known = of.verbs.base && removed.size > 0 ? await of.verbs.base(work, live, [...removed.keys()]) : {};
  // A secret with its plain form in its place leaves for good.
  const isReplaced = (secret: string): boolean =>
    Object.entries(of.fields).some(([plain, { whenSecret }]) => whenSecret === secret && present(work.args[plain]));
  const texts = [...removed].map(([name, { argument, field }]): [string, string] => [
    name,
    (isReplaced(argument) ? undefined : known[name]) ?? field.base,
  ]);
  return Object.fromEntries(texts.filter(([, text]) => of.verbs.restoresSecrets !== true || text !== ENCRYPTED));
}

/** Whether each part is on the wire as in one value or the other, or `before`, after an interruption. */
export function isMixture(
  shape: Shape,
  one: unknown,
  other: unknown,
  wire: string | null | undefined,
  before?: PartsBefore,
): boolean {
  const inner = partsOf(shape);
  if (inner === undefined) return false;
  const there = entriesOf(inner, decodeShape(shape, wire ?? ''));
  const sides = [entriesOf(inner, one), entriesOf(inner, other)];
  const keys = new Set([there, ...sides].flatMap((map) => Object.keys(map)));
  return [...keys].every(
    (key) =>
      sides.some((side) => key in side === key in there && sameValue(inner, side[key], there[key])) ||
      (before !== undefined &&
        before.digests.length > 0 &&
        before.digests.includes(partDigest(before.id, inner, there, key))),
  );
}

/** The shape of parts that change one at a time; undefined where there are none. */
function partsOf(shape: Shape): Shape | undefined {
  if (shape.type === 'map') return shape.values;
  return shape.type === 'list' && shape.unordered ? shape.items : undefined;
}

/** The parts of a map by their keys, and those of a set by what they mean. */
function entriesOf(inner: Shape, value: unknown): Values {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item) => [encodeShape(inner, item), item]));
  return asMap(value);
}

interface GivenBack {
  readonly texts: Texts;
  readonly kept: readonly string[];
}

/**
 * Texts that can be given back, without a blank required attribute and a secret of the pack; the
 * row says what stays. `className` in full.
 */
export async function givenBack(work: Work, className: string, texts: Texts): Promise<GivenBack> {
  const isRequired = Object.values(texts).includes('') ? await requiredIn(work, className) : () => false;
  const kept = Object.keys(texts).filter(
    (name) => texts[name] === ENCRYPTED || (texts[name] === '' && isRequired(name)),
  );
  if (kept.length > 0)
    work.notice(
      `${kept.join(', ')} ${kept.length === 1 ? 'stays as it is' : 'stay as they are'}: no value is known to go back to, and a blank one is refused`,
    );
  return { texts: Object.fromEntries(Object.entries(texts).filter(([name]) => !kept.includes(name))), kept };
}

/** Whether a class refuses a blank attribute, by our catalogue, or else by the service's. */
async function requiredIn({ api }: Work, className: string): Promise<(wireName: string) => boolean> {
  const known = classMetadata(className);
  if (known) return (name) => known.attributes[name]?.required === true;
  const asked = await api.call(routes.catalogue.metadata, { query: { class_name: className } });
  const listed: unknown = asked?.['mdAttributes'];
  const attributes = (Array.isArray(listed) ? listed : []) as readonly {
    readonly attributeName?: unknown;
    readonly isMandatory?: unknown;
  }[];
  return (wireName) =>
    attributes.some(({ attributeName, isMandatory }) => attributeName === wireName && isMandatory === true);
}
