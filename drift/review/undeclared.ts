// Records beside ours that nobody declares: candidates for import.
// Lists that a review has read already are not read again.
import { templatesOfClass, type Route } from '../../api/contract';
import { formatId, kinds, parentAddress, parseId, pathAddress, scopesOf, type Kind } from '../../provider';
import type { Evidence } from './last-write';
import type { AnsweredRecord, ReviewRecording } from './recording-api';
import { isReferred, type Subject } from './subjects';

/** An undeclared record, and the list it was found in. */
export interface Undeclared {
  readonly kind: Kind;
  readonly id: string;
  readonly record: AnsweredRecord;
}

/** The records under review: by kind and id, with the number of each that was read; undefined of one that is gone. */
interface Managed {
  readonly organization: string;
  readonly subjects: ReadonlyMap<string, Subject>;
  readonly numbers: ReadonlyMap<Subject, number | undefined>;
}

/**
 * Undeclared records, each once, of the lists of every parent that is under review. A list is asked for when something in it is under review, and
 * otherwise looked at if it was read anyway. What a pack made by itself and nobody changed is no candidate. A record that has the name of one of
 * ours, and is not it, has its number in place of its name in its id.
 */
export async function undeclaredIn(
  evidence: Evidence,
  organization: string,
  subjects: readonly Subject[],
  numbers: ReadonlyMap<Subject, number | undefined>,
): Promise<readonly Undeclared[]> {
  const managed = {
    organization,
    numbers,
    subjects: new Map(subjects.map((each) => [keyOf(each.kind, each.id), each])),
  };
  const parents = new Set(subjects.flatMap(({ kind, id }) => parentKey(kind, id, organization)));
  const found = new Map<string, Undeclared>();
  for (const kind of kinds.flatMap(scopesOf)) {
    const route = reviewedList(kind);
    if (route === undefined) continue;
    for (const parent of subjects.filter((each) => each.kind.token === kind.within?.token && !isReferred(each))) {
      const isAsked =
        parents.has(`${kind.token} ${keyOf(parent.kind, parent.id)}`) && numbers.get(parent) !== undefined;
      const records = await listOf(evidence, route, { parent, number: numbers.get(parent) }, isAsked);
      for (const each of undeclaredAmong(records, kind, parent, { ...managed, recording: evidence.recording }))
        found.set(keyOf(kind, each.id), each);
    }
  }
  return [...found.values()];
}

/** The list in which a kind's undeclared records are found, where a review reports them. */
const reviewedList = ({ found }: Kind): Route | undefined =>
  found && 'list' in found && found.list.isReviewed ? found.list.route : undefined;

const keyOf = (kind: Kind, id: string): string => `${kind.token} ${id}`;

/** `Component Platform acme/shop/web`: what a record is, and what it is in. */
function parentKey(kind: Kind, id: string, organization: string): readonly string[] {
  const address = parseId(kind, id)?.address;
  const above = address && parentAddress(kind, address);
  return kind.within && above
    ? [`${kind.token} ${keyOf(kind.within, formatId(kind.within, organization, above))}`]
    : [];
}

/** The records of a list below a parent: as it was read, by the parent's number or name; else, if it is to be asked, as the service answers. */
async function listOf(
  { recording, getList }: Evidence,
  route: Route,
  { parent: { kind, id }, number }: { readonly parent: Subject; readonly number: number | undefined },
  isAsked: boolean,
): Promise<readonly AnsweredRecord[]> {
  const { address = {} } = parseId(kind, id) ?? {};
  const { organization: _, ...byName } = pathAddress(kind, '', address);
  const { organization: __, ...byNumber } = pathAddress(kind, '', { ...address, name: String(number) });
  const read = recording.answer(route, byNumber) ?? recording.answer(route, byName);
  const answer = read ?? (isAsked ? await getList(route, { address: byName }) : undefined);
  return Array.isArray(answer) ? (answer as readonly AnsweredRecord[]) : [];
}

function undeclaredAmong(
  records: readonly AnsweredRecord[],
  kind: Kind,
  parent: Subject,
  { organization, subjects, numbers, recording }: Managed & { readonly recording: ReviewRecording },
): readonly Undeclared[] {
  const { organization: _, ...at } = pathAddress(parent.kind, '', parseId(parent.kind, parent.id)?.address ?? {});
  const idOf = (name: string): string => formatId(kind, organization, { ...at, name });
  return records.flatMap((record): readonly Undeclared[] => {
    if (record.rfcAction === 'delete' || record.ciState === 'pending_deletion') return [];
    const own = idOf(record.ciName ?? '');
    const namesake = subjects.get(keyOf(kind, own));
    const isOurs =
      namesake !== undefined &&
      (namesake.kind.distinguishedBy === undefined || !numbers.has(namesake) || numbers.get(namesake) === record.ciId);
    if (isOurs || isPackBorn(kind, record, parent, recording)) return [];
    return [{ kind, id: namesake === undefined ? own : idOf(String(record.ciId)), record }];
  });
}

/** Made with its parent: not set by anybody, not created by another user, and named like its template where it is made from one. */
function isPackBorn(kind: Kind, record: AnsweredRecord, parent: Subject, recording: ReviewRecording): boolean {
  const { found, distinguishedBy } = kind;
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
  return distinguishedBy === undefined || templatesOfClass(tail).includes(record.ciName ?? '');
}
