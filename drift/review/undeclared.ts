// Records next to ours that nobody declares: candidates for import.
// Lists that a review has read already are not read again.
import type { Api } from '../../api/client';
import { templatesOfClass } from '../../api/contract';
import { Bug, NotFound, OneOpsError } from '../../api/errors';
import {
  distinguishedBy,
  formatId,
  type Kind,
  type List,
  parentAddress,
  parseId,
  pathAddress,
  scopesOf,
} from '../../provider';
import { kinds } from '../../provider/kinds';
import { unreadBelow } from './read-live';
import type { AnsweredRecord, ReviewRecording } from './recording-api';
import type { Unread } from './review';
import { createdByUs, isReferred, type Subject } from './sources';

/** An undeclared record, and the list it was found in. */
export interface Undeclared {
  readonly kind: Kind;
  readonly id: string;
  readonly record: AnsweredRecord;
  /** Whether it is outside of the records that this stack created. */
  readonly isElsewhere: boolean;
  /** Whether it has the name of a declared record, so that its id has its number. */
  readonly isNamesake: boolean;
}

/** What was found, and the lists that could not be read. */
interface UndeclaredRecords {
  readonly records: readonly Undeclared[];
  readonly unread: readonly Unread[];
}

/** How lists are read: what was read already is not read again. */
interface Reading {
  readonly api: Api;
  readonly recording: ReviewRecording;
}

/** The records under review: by kind and id, with the number of each that was read; undefined of one that no longer exists. */
interface Managed {
  readonly organization: string;
  readonly subjects: ReadonlyMap<string, Subject>;
  readonly numbers: ReadonlyMap<Subject, number | undefined>;
}

/**
 * Undeclared records, each once, of the lists of every parent that is under review. A list is requested when something in it is under review,
 * when it is one of an environment or of a platform that this stack created, and otherwise looked at if it was read anyway. What a pack made by itself and nobody changed is no candidate. A record that has the name of one of
 * ours, and is not it, has its number in place of its name in its id.
 */
export async function undeclaredIn(
  { api, recording }: Reading,
  subjects: readonly Subject[],
  numbers: ReadonlyMap<Subject, number | undefined>,
): Promise<UndeclaredRecords> {
  const { organization } = api;
  const managed = {
    organization,
    numbers,
    recording,
    subjects: new Map(subjects.map((each) => [keyOf(each.kind, each.id), each])),
  };
  const parents = new Set(subjects.flatMap(({ kind, id }) => parentKey(kind, id, organization)));
  const found = new Map<string, Undeclared>();
  const unread: Unread[] = [];
  for (const kind of kinds.flatMap(scopesOf)) {
    const list = reviewedList(kind);
    if (list === undefined) continue;
    for (const parent of subjects.filter((each) => each.kind.token === kind.within?.token && !isReferred(each))) {
      const hasOwn = parents.has(`${kind.token} ${keyOf(parent.kind, parent.id)}`);
      const isWatched =
        parent.kind.token === 'Environment' || (parent.kind.token === 'Platform' && createdByUs(parent));
      const isAsked = numbers.get(parent) !== undefined && (hasOwn || isWatched);
      const listed = await listOf({ api, recording }, list, { parent, number: numbers.get(parent) }, isAsked);
      if ('failed' in listed) unread.push(unreadBelow(parent, listed.failed));
      else
        for (const each of undeclaredAmong(listed.records, kind, parent, managed))
          found.set(keyOf(kind, each.id), each);
    }
  }
  return { records: [...found.values()], unread };
}

/** The list in which a kind's undeclared records are found, where a review reports them. */
const reviewedList = ({ found }: Kind): List | undefined =>
  found && 'list' in found && found.list.isReviewed ? found.list : undefined;

const keyOf = (kind: Kind, id: string): string => `${kind.token} ${id}`;

/** `Component Platform acme/shop/web`: what a record is, and what it is in. */
function parentKey(kind: Kind, id: string, organization: string): readonly string[] {
  const address = parseId(kind, id)?.address;
  const above = address && parentAddress(kind, address);
  return kind.within && above
    ? [`${kind.token} ${keyOf(kind.within, formatId(kind.within, organization, above))}`]
    : [];
}

type Listed = { readonly records: readonly AnsweredRecord[] } | { readonly failed: OneOpsError };

/**
 * The records of a list below a parent: as it was read, by the parent's number or name; else, if it is to be asked, as the service answers; else as
 * the answer for the whole platform has them. None where the service has no such list.
 */
async function listOf(
  { api, recording }: Reading,
  { route, alsoIn }: List,
  { parent: { kind, id }, number }: { readonly parent: Subject; readonly number: number | undefined },
  isAsked: boolean,
): Promise<Listed> {
  const { address = {} } = parseId(kind, id) ?? {};
  const { organization: _, ...byName } = pathAddress(kind, '', address);
  const { organization: __, ...byNumber } = pathAddress(kind, '', { ...address, name: String(number) });
  const read = recording.answer(route, byNumber) ?? recording.answer(route, byName);
  try {
    if (read === undefined && !isAsked) return { records: alsoIn ? inWhole(recording, alsoIn, address) : [] };
    return { records: recordsOf(read ?? (await api.call(route, { address: byName }))) };
  } catch (error) {
    if (error instanceof NotFound) return { records: [] };
    if (!(error instanceof OneOpsError) || error instanceof Bug) throw error;
    return { failed: error };
  }
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
  { organization, subjects, numbers, recording }: Managed & Pick<Reading, 'recording'>,
): readonly Undeclared[] {
  const { organization: _, ...at } = pathAddress(parent.kind, '', parseId(parent.kind, parent.id)?.address ?? {});
  const idOf = (name: string): string => formatId(kind, organization, { ...at, name });
  return records.flatMap((record): readonly Undeclared[] => {
    if (record.rfcAction === 'delete' || record.ciState === 'pending_deletion') return [];
    const own = idOf(record.ciName ?? '');
    const namesake = subjects.get(keyOf(kind, own));
    const isOurs =
      namesake !== undefined &&
      (distinguishedBy(namesake.kind) === undefined || !numbers.has(namesake) || numbers.get(namesake) === record.ciId);
    if (isOurs || isPackBorn(kind, record, parent, recording)) return [];
    const isNamesake = namesake !== undefined;
    // An environment is a place of its own: another stack may have it in a shared assembly.
    const isElsewhere = !createdByUs(parent) || kind.token === 'Environment';
    return [{ kind, id: isNamesake ? idOf(String(record.ciId)) : own, record, isElsewhere, isNamesake }];
  });
}

/** Made with its parent: not set by anybody, not created by another user, and named like its template where it is made from one. */
function isPackBorn(kind: Kind, record: AnsweredRecord, parent: Subject, recording: ReviewRecording): boolean {
  const { found } = kind;
  if (found === undefined || !('list' in found) || found.list.isGiven === undefined) return false;
  const isGiven = found.list.isGiven({
    ...record,
    ciName: record.ciName ?? '',
    ciAttributes: record.ciAttributes ?? {},
  });
  const platform = recording.record(Number(parent.applied?.computed['ciId']));
  const isOther = platform !== undefined && record.createdBy !== platform.createdBy;
  if (!isGiven || isOther) return false;
  const tail = record.ciClassName?.split('.').at(-1) ?? '';
  return distinguishedBy(kind) === undefined || templatesOfClass(tail).includes(record.ciName ?? '');
}
