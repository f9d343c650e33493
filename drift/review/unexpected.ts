// What nobody declares, and an environment has: the values of its records that neither the design nor a pack nor the environment itself made.
// It knows no single kind: what a kind's records follow is its own business.
import {
  fieldOf,
  kindOf,
  parseId,
  settingsBelow,
  type GivenRecord,
  type Kind,
  type Session,
  type SetValue,
} from '../../provider';
import type { Api } from '../../api/client';
import type { Recorded } from '../decide/recorded';
import { comparedAttributes } from './compare';
import { recordAuthor, withLastWrites, type Evidence, type ReadRecord, type ReviewedRecord } from './last-write';
import type { AnsweredRecord } from './recording-api';
import { unreadBelow } from './read-live';
import type { SetIn, Unread } from './review';
import { isIgnored, isReferred, type Subject } from './subjects';

/** A value that nobody declares. */
interface Unexpected {
  readonly value: SetValue;
  readonly setIn: SetIn;
  /** It leaves fewer instances than there would be, or none. */
  readonly takesAway: boolean;
}

/** A record of an environment, and the values in it that nobody declares: at least one. */
export interface UnexpectedRecord {
  readonly record: ReviewedRecord;
  /** The environment it is, or is in. */
  readonly environment: Subject;
  readonly values: readonly Unexpected[];
}

/** What was found, and what could not be looked at. */
interface UnexpectedValues {
  readonly records: readonly UnexpectedRecord[];
  readonly unread: readonly Unread[];
}

/** The undeclared values of every environment that is under review and was read. `session`: the one its records were read in; `recorded`: values that count as expected. */
export async function unexpectedIn(
  how: { readonly api: Api; readonly session: Session; readonly recorded: Recorded | undefined },
  evidence: Evidence,
  known: readonly ReadRecord[],
): Promise<UnexpectedValues> {
  const { api, session, recorded } = how;
  const reader = { api, session, recorded };
  const subjects = new Map(known.map(({ subject }) => [keyOf(subject), subject]));
  const found: (Omit<UnexpectedRecord, 'record'> & { readonly read: ReadRecord })[] = [];
  const unread: Unread[] = [];
  for (const { subject, live } of known) {
    if (subject.kind.holds !== 'environment' || live === undefined || isReferred(subject)) continue;
    const { records, unreadable } = await settingsBelow(reader, subject.kind, subject.id);
    unread.push(...unreadable.map(({ kind, id, error }) => unreadBelow({ kind, id }, error)));
    for (const record of records) {
      const own = subjects.get(keyOf(record)) ?? { kind: record.kind, id: record.id };
      const values = undeclaredValues(own, record);
      if (values.length > 0) found.push({ read: { subject: own, live: record.live }, environment: subject, values });
    }
  }
  const reviewed = await withLastWrites(
    evidence,
    found.map(({ read }) => read),
  );
  return {
    records: found.flatMap(({ environment, values }, index) => {
      const record = reviewed[index];
      if (record === undefined) return [];
      const own = values.filter(({ setIn }) => setIn.nextPull === 'keeps' || !isOlderThanDesign(evidence, record));
      return own.length === 0 ? [] : [{ record, environment, values: own }];
    }),
    unread,
  };
}

/**
 * Whether the design's record was written after the one of the environment that follows it, which has no open change: what differs, and is not locked,
 * is then an older value of the design, as far as anything shows. The review reports the change of the design, and the next pull brings it.
 */
function isOlderThanDesign({ recording }: Evidence, { live }: ReviewedRecord): boolean {
  const own = recording.record(Number(live?.outputs['ciId']));
  if (own?.ciName === undefined || own.rfcAction) return false;
  const place = placeIn(own);
  const twin = recording.named(own.ciName).find((each) => !isOfEnvironment(each) && placeIn(each) === place);
  return twin !== undefined && recordAuthor(twin).when > recordAuthor(own).when;
}

const isOfEnvironment = ({ ciClassName }: AnsweredRecord): boolean => ciClassName?.startsWith('manifest.') === true;

/** What a record is, and where, without whether it is in the design or an environment: assembly, platform, last word of the class. */
function placeIn(record: AnsweredRecord): string {
  const { nsPath = '', ciClassName = '' } = record;
  const [, organization, assembly, ...inside] = nsPath.split('/');
  const platform = isOfEnvironment(record) ? inside[2] : inside[1];
  return [organization, assembly, platform ?? '', ciClassName.split('.').at(-1)].join('/');
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
    .filter((value) => !isDeclared(value) && !isIgnored(subject, value.path))
    .map((value) => ({ value, setIn: setInOf(subject, value), takesAway: takesAway(subject, value) }));
}

/** The arguments that take a value instead of this one: that of a secret. Who declares one of them declares them all. */
const otherForms = (kind: Kind, name: string): readonly string[] => {
  const own = fieldOf(kind, name)?.whenSecret;
  const plain = Object.entries(kind.fields).filter(([, { whenSecret }]) => whenSecret === name);
  return [...(own === undefined ? [] : [own]), ...plain.map(([other]) => other)];
};

/** Where a value of a record of an environment was set; `locked` against the next pull. */
function setInOf({ kind, id }: Pick<Subject, 'kind' | 'id'>, { isLocked }: { readonly isLocked: boolean }): SetIn {
  const address = parseId(kind, id)?.address ?? {};
  const follows = kind.holds === 'environment' ? 'environment' : (kind.follows ?? 'design');
  return {
    environment: (kind.holds === 'environment' ? address['name'] : address['environment']) ?? '',
    follows,
    nextPull: isLocked || follows !== 'design' ? 'keeps' : 'overwrites',
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
  const attributes = [{ path, after: { is: 'value', value: live } }];
  return impact?.takesDown?.({ operation: 'update', address: id, attributes }, where) ?? false;
}
