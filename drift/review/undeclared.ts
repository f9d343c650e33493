// Records and values that nobody declares: records next to ours, which an import can take over, and
// values in an environment that come neither from the design, a pack nor the environment.
import { ENCRYPTED, templatesOfClass } from '../../api/contract';
import { firstNamed, NotFound, OneOpsError } from '../../api/errors';
import {
  distinguishedBy,
  fieldOf,
  formatId,
  type Inputs,
  type Kind,
  type List,
  parseId,
  scopesOf,
} from '../../provider';
import { kindOf, kinds } from '../../provider/kinds';
import { answerIfAny, attempt, unreadBelow, unreadValues, type AnsweredRecord, type ReviewRecording } from './reading';
import type { SetIn, Unread } from './review';
import {
  addressIn,
  around,
  createdByUs,
  type EnvironmentAt,
  isIgnored,
  isReferred,
  keyOf,
  pathTo,
  type Place,
  type ReadRecord,
  type Subject,
} from './sources';
import { type GivenRecord, settingsBelow, type SetValue } from '../../provider/import';
import { UNKNOWN, valueIn } from '../../provider/values';
import type { Recorded } from './filter';
import { listed, nameInFile } from '../report/shown-text';
import { comparedAttributes, isHiddenAt, wireNameOf } from './compare';
import { type Evidence, recordAuthor, type ReviewedRecord, withLastWrites } from './authors';
import { designReleasesRead, newestPull } from '../../provider/history';

/** An undeclared record, and the list it was found in. */
export interface Undeclared extends Place {
  readonly record: AnsweredRecord;
  /** Whether it is outside of the records that this stack created. */
  readonly isElsewhere: boolean;
  /** Whether it has the name of a declared record, so that its id has its number. */
  readonly isNamesake: boolean;
}

/** How lists are read: what was read already is not read again. */
type Reading = Pick<Evidence, 'api' | 'recording'>;

/** The records under review, by kind and id, with their numbers; undefined of one that is gone. */
interface Managed extends Reading {
  readonly subjects: ReadonlyMap<string, Subject>;
  readonly numbers: ReadonlyMap<Subject, number | undefined>;
}

/**
 * Undeclared records, each once, in every parent under review. A list is requested when something
 * in it is under review, and for environments and platforms that this stack created; otherwise it
 * is looked at if it was read anyway.
 */
export async function undeclaredIn(
  { api, recording }: Reading,
  subjects: readonly Subject[],
  numbers: ReadonlyMap<Subject, number | undefined>,
): Promise<{ readonly records: readonly Undeclared[]; readonly unread: readonly Unread[] }> {
  const managed = { api, numbers, recording, subjects: new Map(subjects.map((each) => [keyOf(each), each])) };
  const parents = new Set(subjects.map((each) => insideKey(each.kind, around(each))));
  const found = new Map<string, Undeclared>();
  const unread: Unread[] = [];
  for (const kind of kinds.flatMap(scopesOf)) {
    const list = kind.found && 'list' in kind.found ? kind.found.list : undefined;
    if (!list?.isReviewed) continue;
    for (const parent of subjects.filter((each) => each.kind.token === kind.within?.token && !isReferred(each))) {
      const hasOwn = parents.has(insideKey(kind, parent));
      const isWatched =
        parent.kind.token === 'Environment' || (parent.kind.token === 'Platform' && createdByUs(parent));
      const isAsked = numbers.get(parent) !== undefined && (hasOwn || isWatched);
      const listed = await listOf({ api, recording }, list, { parent, number: numbers.get(parent) }, isAsked);
      if (listed instanceof OneOpsError) unread.push(unreadBelow(parent, listed));
      else for (const each of undeclaredAmong(listed, kind, parent, managed)) found.set(keyOf(each), each);
    }
  }
  return { records: [...found.values()], unread };
}

/** `Component Platform acme/shop/web`: what a record is, and what it is in. */
const insideKey = ({ token }: Kind, parent: Place | undefined): string => `${token} ${parent ? keyOf(parent) : ''}`;

/**
 * The records of a list below a parent: as it was read; else, if it is to be asked, as the service
 * answers; else as the answer for the whole platform has them.
 */
async function listOf(
  { api, recording }: Reading,
  { route, alsoIn }: List,
  { parent, number }: { readonly parent: Subject; readonly number: number | undefined },
  isAsked: boolean,
): Promise<readonly AnsweredRecord[] | OneOpsError> {
  const byName = pathTo(parent);
  const byNumber = pathTo({ ...parent, id: parent.id.replace(/[^/]*$/, String(number)) });
  const read = recording.answer(route, byNumber) ?? recording.answer(route, byName);
  if (read === undefined && !isAsked) return alsoIn ? inWhole(recording, alsoIn, addressIn(parent)) : [];
  const answer = read ?? (await attempt(() => api.call(route, { address: byName })));
  return answer instanceof OneOpsError && !(answer instanceof NotFound) ? answer : recordsOf(answer);
}

const recordsOf = (answer: unknown): readonly AnsweredRecord[] =>
  Array.isArray(answer) ? (answer as readonly AnsweredRecord[]) : [];

/** The records of a component, from an answer for its platform; none where that was not read. */
function inWhole(
  recording: ReviewRecording,
  { route, className }: NonNullable<List['alsoIn']>,
  { assembly = '', platform = '', name }: { readonly [argument: string]: string },
): readonly AnsweredRecord[] {
  return recordsOf(recording.answer(route, { assembly, platform })).filter(
    (record) => record.ciClassName === className && record.component?.ciName === name,
  );
}

function undeclaredAmong(
  records: readonly AnsweredRecord[],
  kind: Kind,
  parent: Subject,
  { api: { organization }, subjects, numbers, recording }: Managed,
): readonly Undeclared[] {
  const at = pathTo(parent);
  const idOf = (name: string): string => formatId(kind, organization, { ...at, name });
  return records.flatMap((record): readonly Undeclared[] => {
    if (record.rfcAction === 'delete' || record.ciState === 'pending_deletion') return [];
    const own = idOf(record.ciName ?? '');
    const namesake = subjects.get(keyOf({ kind, id: own }));
    const isOurs =
      namesake !== undefined &&
      (distinguishedBy(namesake.kind) === undefined || !numbers.has(namesake) || numbers.get(namesake) === record.ciId);
    if (isOurs || isPackBorn(kind, record, parent, recording)) return [];
    const isNamesake = namesake !== undefined;
    // An environment is a place of its own: another stack may have it in a shared assembly.
    const isElsewhere = !isInCreated(parent, subjects) || kind.token === 'Environment';
    return [{ kind, id: isNamesake ? idOf(String(record.ciId)) : own, record, isElsewhere, isNamesake }];
  });
}

/**
 * Declared records that the state lacks, and that another user made in a record of this stack: no
 * run takes them over by itself.
 */
export function madeByOthers(
  { recording, user }: Pick<Evidence, 'recording' | 'user'>,
  known: readonly ReadRecord[],
): ReadonlySet<Subject> {
  const subjects = new Map(known.map(({ subject }) => [keyOf(subject), subject]));
  const parentOf = (subject: Subject): Subject | undefined => {
    const above = around(subject);
    return above && subjects.get(keyOf(above));
  };
  const adopts = (subject: Subject | undefined): boolean =>
    subject !== undefined && (subject.code?.inputs['adopt'] === true || adopts(parentOf(subject)));
  const isOthers = ({ subject, live }: ReadRecord): boolean => {
    const parent = parentOf(subject);
    const maker = recording.record(Number(live?.outputs['ciId']))?.createdBy;
    const isForeign = subject.applied === undefined && Boolean(maker) && user !== undefined && maker !== user;
    return (
      isForeign && parent !== undefined && isInCreated(parent, subjects) && !isReferred(subject) && !adopts(subject)
    );
  };
  return new Set(known.filter(isOthers).map(({ subject }) => subject));
}

/** Whether this stack created a record, or the platform with whose pack it came. */
function isInCreated(subject: Subject, subjects: Managed['subjects']): boolean {
  if (subject.applied?.computed['origin'] !== 'pack' || subject.kind.stage !== 'design') return createdByUs(subject);
  const above = around(subject);
  const parent = above && subjects.get(keyOf(above));
  return parent !== undefined && createdByUs(parent);
}

/** Whether a pack made a record by itself, and nobody changed it: such a record is no candidate. */
function isPackBorn(kind: Kind, record: AnsweredRecord, parent: Subject, recording: ReviewRecording): boolean {
  const { found } = kind;
  if (found === undefined || !('list' in found) || found.list.isGiven === undefined) return false;
  const { assembly: name = '' } = addressIn(parent);
  const assembly = recording.named(name).find(({ ciClassName }) => ciClassName === 'account.Assembly');
  const isGiven = found.list.isGiven(
    { ...record, ciName: record.ciName ?? '', ciAttributes: record.ciAttributes ?? {} },
    assembly && { ciAttributes: assembly.ciAttributes ?? {} },
  );
  const platform = recording.record(Number(parent.applied?.computed['ciId']));
  const isOther = platform !== undefined && record.createdBy !== platform.createdBy;
  if (!isGiven || isOther) return false;
  const tail = record.ciClassName?.split('.').at(-1) ?? '';
  return distinguishedBy(kind) === undefined || templatesOfClass(tail).includes(record.ciName ?? '');
}

interface Unexpected {
  readonly value: SetValue;
  /** Absent outside of environments. */
  readonly setIn?: SetIn;
  /** It leaves fewer instances than there would be, or none. */
  readonly takesAway: boolean;
}

/** A record, and the values in it that nobody declares: at least one. */
export interface UnexpectedRecord {
  readonly record: ReviewedRecord;
  /** The environment it is, or is in; or the record itself. */
  readonly within: Subject;
  readonly values: readonly Unexpected[];
}

/**
 * Undeclared comments of records outside of environments that another user wrote since the stack
 * did; an earlier writer may have set them.
 */
export function unexpectedComments(
  recording: ReviewRecording,
  reviewed: readonly ReviewedRecord[],
): readonly UnexpectedRecord[] {
  return reviewed.flatMap((record): readonly UnexpectedRecord[] => {
    const { subject, live, lastWrite } = record;
    const { kind, code, applied } = subject;
    const { shape } = fieldOf(kind, COMMENTS) ?? {};
    const text = recording.record(Number(live?.outputs['ciId']))?.comments;
    const isDeclared = [code, applied].some((side) => side?.inputs[COMMENTS] !== undefined);
    if (!shape || !text || isDeclared || kind.stage === 'environment') return [];
    if (!lastWrite.wasWritten || isReferred(subject) || isIgnored(subject, [COMMENTS])) return [];
    const facts = { isRecorded: false, isLocked: false, isFollowed: false, secret: false, parts: [] };
    const value: SetValue = { path: [COMMENTS], shape, base: undefined, live: text, ...facts };
    return [{ record, within: subject, values: [{ value, takesAway: false }] }];
  });
}

/** The argument for the free text next to the attributes of a record. */
const COMMENTS = 'comments';

/**
 * The undeclared values of every environment that was read, what could not be read, and sentences
 * on values that a pull may change.
 */
export async function unexpectedIn(
  evidence: Evidence & { readonly recorded: Recorded | undefined },
  known: readonly ReadRecord[],
) {
  const subjects = new Map(known.map(({ subject }) => [keyOf(subject), subject]));
  const byNumber = new Map(known.map(({ subject, live }) => [Number(live?.outputs['ciId']), subject]));
  const found: (Omit<UnexpectedRecord, 'record'> & { readonly read: ReadRecord })[] = [];
  const unread: Unread[] = [];
  const held: HeldValue[] = [];
  for (const { subject, live } of known) {
    if (subject.kind.token !== 'Environment' || live === undefined || isReferred(subject)) continue;
    const { records, unreadable } = await settingsBelow(evidence, subject.kind, subject.id);
    unread.push(...unreadable.map(({ kind, id, error }) => unreadBelow({ kind, id }, error)));
    for (const record of records) {
      const own = subjects.get(keyOf(record)) ?? { kind: record.kind, id: record.id };
      const read = { subject: own, live: record.live };
      if (!subjects.has(keyOf(record))) unread.push(...unreadValues(record, record.live));
      const there = evidence.recording.record(Number(record.live?.outputs['ciId']));
      const designed = there && byNumber.get(Number(twinOf(evidence.recording, there)?.ciId));
      const values = undeclaredValues(own, record).map(hiddenAsIn(designed));
      const all = await withOrigins(evidence, read, values);
      held.push(...all.held);
      if (all.values.length > 0) found.push({ read, within: subject, values: all.values });
    }
  }
  const reviewed = await withLastWrites(
    evidence,
    found.map(({ read }) => read),
  );
  return {
    records: reviewed.map((record, index): UnexpectedRecord => ({
      ...(found[index] as (typeof found)[number]),
      record,
    })),
    unread,
    notes: notesOn(held),
  };
}

/** The values that were set in the environment; and those that a pull will change, or may. */
async function withOrigins(
  asking: Reading,
  { subject, live }: ReadRecord,
  all: readonly Unexpected[],
): Promise<{ readonly values: readonly Unexpected[]; readonly held: readonly HeldValue[] }> {
  const values: Unexpected[] = [];
  const held: HeldValue[] = [];
  const { assembly = '' } = addressIn(subject);
  const own = asking.recording.record(Number(live?.outputs['ciId']));
  for (const each of all) {
    const { value } = each;
    const setIn = setInOf(subject, value);
    const at = { assembly, environment: setIn.environment };
    const isPulled = setIn.nextPull === 'overwrites' && !value.isRecorded;
    const origin = isPulled ? await valueOrigin(asking, at, own, wireNameOf(value.path)) : 'set';
    if (origin === 'set') values.push(each);
    else
      held.push({ origin, environment: setIn.environment, name: `${subject.id} ${nameInFile(value.path.join('.'))}` });
  }
  return { values, held };
}

const sidesOf = ({ code, applied }: Subject) => [code, applied].filter((side) => side !== undefined);

/** Marks a value of an environment as a secret where the design declares a secret in its place. */
const hiddenAsIn = (designed: Subject | undefined): ((each: Unexpected) => Unexpected) => {
  const declared = designed === undefined ? [] : comparedAttributes(designed.kind, sidesOf(designed));
  const secrets = declared.filter(({ secret }) => secret).map(({ path }) => path);
  return (each) => (isHiddenAt(secrets, each.value.path) ? { ...each, value: { ...each.value, secret: true } } : each);
};

/** The values of a record that neither the file nor the state declares. */
function undeclaredValues(subject: Subject, { values }: GivenRecord): readonly Unexpected[] {
  const { kind } = subject;
  const sides = sidesOf(subject);
  const declared = new Set(comparedAttributes(kind, sides).map(({ path }) => path.join('.')));
  const isDeclared = ({ path: [name = '', ...rest] }: SetValue): boolean =>
    [name, ...otherForms(kind, name)].some((each) => declared.has([each, ...rest].join('.')));
  return values
    .flatMap((value) => (isDeclared(value) ? value.parts.filter((part) => !isPartOf(sides, part)) : [value]))
    .filter((value) => !isIgnored(subject, value.path))
    .map((value) => ({ value, setIn: setInOf(subject, value), takesAway: takesAway(subject, value) }));
}

/** Whether a value in a map is declared: it exists, or a part of the map is known only in a run. */
const isPartOf = (sides: readonly { readonly inputs: Inputs }[], { path }: SetValue): boolean =>
  sides.some(({ inputs }) =>
    path.some((_, index) => {
      const value = valueIn(inputs, path.slice(0, index + 1));
      return index === path.length - 1 ? value !== undefined && value !== null : value === UNKNOWN;
    }),
  );

/** Arguments for the same value, secret and in clear: a file that has one declares all. */
const otherForms = (kind: Kind, name: string): readonly string[] => {
  const own = fieldOf(kind, name)?.whenSecret;
  const plain = Object.entries(kind.fields).filter(([, { whenSecret }]) => whenSecret === name);
  return [...(own === undefined ? [] : [own]), ...plain.map(([other]) => other)];
};

/** The source that a record of an environment follows, if that is not the design. */
const FOLLOWS: { readonly [token: string]: SetIn['follows'] } = {
  Environment: 'environment',
  CloudConfiguration: 'environment',
  EnvironmentPlatform: 'pack',
};

/** Where a value of a record of an environment was set; `locked` against the next pull. */
function setInOf(place: Place, { path: [argument = ''], isLocked, isFollowed }: SetValue): SetIn {
  const isBeside = fieldOf(place.kind, argument)?.channel === 'member';
  const follows = FOLLOWS[place.kind.token] ?? 'design';
  return {
    environment: pathTo(place)['environment'] ?? '',
    follows,
    // A pull brings attributes, and not what is next to them.
    nextPull: isLocked || ((follows !== 'design' || isBeside) && !isFollowed) ? 'keeps' : 'overwrites',
    locked: isLocked,
  };
}

function takesAway({ kind, id }: Subject, { path, base, live }: SetValue): boolean {
  const impact = kindOf(kind.token)?.impact;
  const [argument = ''] = path;
  if (impact?.takesAway?.(argument, base, live)) return true;
  const { organization = '', address = {} } = parseId(kind, id) ?? {};
  const { assembly = '', environment = '', platform = address['name'] ?? '', cloud = '' } = address;
  const where = {
    assembly: `${organization}/${assembly}`,
    environment: `${organization}/${assembly}/${environment}`,
    platform,
    cloud,
  };
  const attributes = [{ path, before: { is: 'value', value: base }, after: { is: 'value', value: live } }];
  return impact?.takesDown?.({ operation: 'update', address: id, attributes }, where) ?? false;
}

/**
 * Where a value comes from that an environment has and the design does not: set there, or from the
 * design, which was changed since the last pull.
 */
type Origin = 'set' | 'not pulled' | 'unclear';

/** Where an attribute's value comes from, by its wire name. `own`: the environment's record. */
async function valueOrigin(
  asking: Reading,
  at: EnvironmentAt,
  own: AnsweredRecord | undefined,
  wireName: string,
): Promise<Origin> {
  const twin = own && twinOf(asking.recording, own);
  if (own === undefined || twin === undefined) return 'set';
  const text = own.ciAttributes?.[wireName] ?? '';
  const changes = await changesSincePull(asking, at, twin);
  if (changes === undefined) return recordAuthor(twin).when > recordAuthor(own).when ? 'unclear' : 'set';
  // The oldest one that changed the value has the text that the last pull brought.
  const change = changes.find((each) => each.rfcAction === 'add' || wireName in (each.ciBaseAttributes ?? {}));
  if (change === undefined) return 'set';
  if (change.rfcAction === 'add' || text === ENCRYPTED) return 'unclear';
  return (change.ciBaseAttributes?.[wireName] ?? '') === text ? 'not pulled' : 'set';
}

/** The record of the design that one of an environment follows: of its name, class and place. */
function twinOf(recording: ReviewRecording, own: AnsweredRecord): AnsweredRecord | undefined {
  const place = placeIn(own);
  return recording.named(own.ciName ?? '').find((each) => !isOfEnvironment(each) && placeIn(each) === place);
}

const isOfEnvironment = ({ ciClassName }: AnsweredRecord): boolean => ciClassName?.startsWith('manifest.') === true;

/** Assembly, platform and last word of the class: equal in the design and in an environment. */
function placeIn(record: AnsweredRecord): string {
  const { nsPath = '', ciClassName = '' } = record;
  const [, organization, assembly, ...inside] = nsPath.split('/');
  const platform = isOfEnvironment(record) ? inside[2] : inside[1];
  return [organization, assembly, platform ?? '', ciClassName.split('.').at(-1)].join('/');
}

/** Changes of a design's record since the last pull, oldest first; undefined if some are hidden. */
async function changesSincePull(
  { api }: Reading,
  at: EnvironmentAt,
  twin: AnsweredRecord,
): Promise<readonly AnsweredRecord[] | undefined> {
  const since = await answerIfAny(async () =>
    // Without a size, like the search for a record's first values: the review sends it once.
    designReleasesRead({ api, at }, await newestPull({ api, at })),
  );
  const changes = since?.flatMap(({ rfc_cis: all }) => all.filter(({ ciId }) => ciId === twin.ciId));
  return changes && twin.rfcAction ? [...changes, twin] : changes;
}

/** A value that is not reported as set in the environment. */
interface HeldValue {
  readonly environment: string;
  /** `acme/shop/environments/prod/variables/LEVEL value`. */
  readonly name: string;
  readonly origin: Exclude<Origin, 'set'>;
}

const SHOWN = 5;

/** Sentences on environments that have values which a pull will change, or may. */
const notesOn = (held: readonly HeldValue[]): readonly string[] =>
  (['not pulled', 'unclear'] as const).flatMap((wanted) => {
    const own = held.filter(({ origin }) => origin === wanted);
    const environments = [...new Set(own.map(({ environment }) => environment))];
    const [where, isOne] = [listed(environments), environments.length === 1];
    if (own.length === 0) return [];
    const names = own.map(({ name }) => name);
    const values = `${own.length === 1 ? 'value' : 'values'}: ${firstNamed(names, SHOWN)}`;
    return wanted === 'not pulled'
      ? `the design was changed since the last pull of ${where}, which still ${isOne ? 'has' : 'have'} the earlier ${values}`
      : `${where} ${isOne ? 'differs' : 'differ'} from the design, which was changed later, and the service does not show whether somebody set there the ${values}`;
  });
