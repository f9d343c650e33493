// What nobody declares, and an environment has: the values of its records that neither the design nor a pack nor the environment itself made.
// It knows no single kind: what a kind's records follow is its own business.
import { settingsBelow, type GivenRecord, type SetValue } from '../../provider/import';
import { fieldOf, parseId, type Inputs, type Kind, type Session } from '../../provider';
import { kindOf } from '../../provider/kinds';
import { UNKNOWN, valueIn } from '../../provider/values';
import type { Api } from '../../api/client';
import type { Recorded } from './filter';
import { nameInFile } from '../wording';
import { comparedAttributes, wireNameOf } from './compare';
import { withLastWrites, type Evidence, type ReadRecord, type ReviewedRecord } from './authors';
import { notesOn, valueOrigin, type HeldValue } from './not-pulled';
import { unreadBelow, unreadValues } from './read-live';
import type { ReviewRecording } from './recording-api';
import type { SetIn, Unread } from './review';
import { isIgnored, isReferred, type Subject } from './sources';

/** A value that nobody declares. */
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

/** What was found, what could not be looked at, and a sentence for values that are not reported because a pull will change them, or may. */
interface UnexpectedValues {
  readonly records: readonly UnexpectedRecord[];
  readonly unread: readonly Unread[];
  readonly notes: readonly string[];
}

/**
 * Comments that nobody declares, of records outside of environments that another user wrote since the stack did. No change lists comments, so that an
 * earlier writer may have set them.
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

/** The undeclared values of every environment that is under review and was read. `session`: the one its records were read in; `recorded`: values that count as expected. */
export async function unexpectedIn(
  how: { readonly api: Api; readonly session: Session; readonly recorded: Recorded | undefined },
  evidence: Evidence,
  known: readonly ReadRecord[],
): Promise<UnexpectedValues> {
  const { api, session, recorded } = how;
  const subjects = new Map(known.map(({ subject }) => [keyOf(subject), subject]));
  const found: (Omit<UnexpectedRecord, 'record'> & { readonly read: ReadRecord })[] = [];
  const unread: Unread[] = [];
  const held: HeldValue[] = [];
  for (const { subject, live } of known) {
    if (subject.kind.token !== 'Environment' || live === undefined || isReferred(subject)) continue;
    const { records, unreadable } = await settingsBelow({ api, session, recorded }, subject.kind, subject.id);
    unread.push(...unreadable.map(({ kind, id, error }) => unreadBelow({ kind, id }, error)));
    for (const record of records) {
      const own = subjects.get(keyOf(record)) ?? { kind: record.kind, id: record.id };
      const read = { subject: own, live: record.live };
      if (!subjects.has(keyOf(record))) unread.push(...unreadValues(record, record.live));
      const all = await withOrigins({ api, recording: evidence.recording }, read, undeclaredValues(own, record));
      held.push(...all.held);
      if (all.values.length > 0) found.push({ read, within: subject, values: all.values });
    }
  }
  const reads = found.map(({ read }) => read);
  const reviewed = await withLastWrites(evidence, reads);
  return {
    records: found.flatMap(({ within, values }, index) => {
      const record = reviewed[index];
      return record === undefined ? [] : [{ record, within, values }];
    }),
    unread,
    notes: notesOn(held),
  };
}

/** The values that were set in the environment, and those of which a pull brings what the design has now, or of which nothing shows which they are. */
async function withOrigins(
  asking: Parameters<typeof valueOrigin>[0],
  { subject: { kind, id }, live }: ReadRecord,
  all: readonly Unexpected[],
): Promise<{ readonly values: readonly Unexpected[]; readonly held: readonly HeldValue[] }> {
  const values: Unexpected[] = [];
  const held: HeldValue[] = [];
  const { assembly = '' } = parseId(kind, id)?.address ?? {};
  const own = asking.recording.record(Number(live?.outputs['ciId']));
  for (const each of all) {
    const { value } = each;
    const setIn = setInOf({ kind, id }, value);
    const at = { assembly, environment: setIn.environment };
    const isPulled = setIn.nextPull === 'overwrites' && !value.isRecorded;
    const origin = isPulled ? await valueOrigin(asking, at, own, wireNameOf(value.path)) : 'set';
    if (origin === 'set') values.push(each);
    else held.push({ origin, environment: setIn.environment, name: `${id} ${nameInFile(value.path.join('.'))}` });
  }
  return { values, held };
}

const keyOf = ({ kind, id }: { readonly kind: Kind; readonly id: string }): string => `${kind.token} ${id}`;

/** The values of a record that neither the file nor the state declares. */
function undeclaredValues(subject: Subject, { values }: GivenRecord): readonly Unexpected[] {
  const { kind, code, applied } = subject;
  const sides = [code, applied].filter((side) => side !== undefined);
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

/** The arguments that take a value instead of this one: that of a secret. Who declares one of them declares them all. */
const otherForms = (kind: Kind, name: string): readonly string[] => {
  const own = fieldOf(kind, name)?.whenSecret;
  const plain = Object.entries(kind.fields).filter(([, { whenSecret }]) => whenSecret === name);
  return [...(own === undefined ? [] : [own]), ...plain.map(([other]) => other)];
};

/** What a record of an environment follows where nobody sets anything, if that is not the design. */
const FOLLOWS: { readonly [token: string]: SetIn['follows'] } = {
  Environment: 'environment',
  CloudConfiguration: 'environment',
  EnvironmentPlatform: 'pack',
};

/** Where a value of a record of an environment was set; `locked` against the next pull. */
function setInOf(
  { kind, id }: Pick<Subject, 'kind' | 'id'>,
  { path: [argument = ''], isLocked, isFollowed }: Pick<SetValue, 'path' | 'isLocked' | 'isFollowed'>,
): SetIn {
  const address = parseId(kind, id)?.address ?? {};
  const isBeside = fieldOf(kind, argument)?.channel === 'member';
  const follows = FOLLOWS[kind.token] ?? 'design';
  return {
    environment: (kind.token === 'Environment' ? address['name'] : address['environment']) ?? '',
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
