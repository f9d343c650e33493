// Records beside ours that nobody declares, out of the lists that were read anyway: candidates for import.
// It must not ask anything.
import { templatesOfClass } from '../../api/contract';
import { argumentFor, formatId, kinds, scopesOf, type Address, type Kind } from '../../provider';
import type { AnsweredRecord, ReviewRecording } from './recording-api';
import type { Subject } from './subjects';

/** An undeclared record, and the list it stood in. */
export interface Undeclared {
  readonly kind: Kind;
  readonly id: string;
  readonly record: AnsweredRecord;
}

/** The number of each record that was read; undefined of one that is gone. */
type Numbers = ReadonlyMap<Subject, number | undefined>;

/**
 * Undeclared records, each once. What a pack made by itself and nobody wrote on is no candidate. A record that has the name of one of ours, and
 * is not it, has its number in place of its name in its id.
 */
export function undeclaredIn(
  recording: ReviewRecording,
  subjects: readonly Subject[],
  organization: string,
  numbers: Numbers = new Map(),
): readonly Undeclared[] {
  const managed = new Map(subjects.map((subject) => [`${subject.kind.token} ${subject.id}`, subject]));
  const isIt = (subject: Subject | undefined, { ciId }: AnsweredRecord): subject is Subject =>
    subject !== undefined &&
    (subject.kind.distinguishedBy === undefined || !numbers.has(subject) || numbers.get(subject) === ciId);
  const found = new Map<string, Undeclared>();
  for (const { route, address, answer } of recording.answers()) {
    const kind = listedBy(route);
    if (kind?.within === undefined || !Array.isArray(answer)) continue;
    const within = parentOf(kind, address);
    const number = /^\d+$/.test(within['name'] ?? '') ? recording.record(Number(within['name'])) : undefined;
    const around = number === undefined ? within : { ...within, name: number.ciName ?? '' };
    const parent = managed.get(`${kind.within.token} ${formatId(kind.within, organization, around)}`);
    if (parent === undefined || isReferred(parent) || (number !== undefined && !isIt(parent, number))) continue;
    for (const record of answer as readonly AnsweredRecord[]) {
      const at = inside(kind, address, around);
      const own = formatId(kind, organization, { ...at, name: record.ciName ?? '' });
      const namesake = managed.get(`${kind.token} ${own}`);
      if (isIt(namesake, record) || isPackBorn(kind, record, parent, recording)) continue;
      if (record.rfcAction === 'delete' || record.ciState === 'pending_deletion') continue;
      const id = namesake === undefined ? own : formatId(kind, organization, { ...at, name: String(record.ciId) });
      found.set(`${kind.token} ${id}`, { kind, id, record });
    }
  }
  return [...found.values()];
}

/** The kind, in its scope, whose undeclared records are in the answers of a route. */
const listedBy = (route: string): Kind | undefined =>
  kinds
    .flatMap(scopesOf)
    .find(({ found }) => found && 'list' in found && found.list.isReviewed && found.list.route.name === route);

/** The argument that names a kind's parent: `platform`. */
const parentName = ({ within }: Kind): string => (within === undefined ? '' : argumentFor(within));

const parentOf = (kind: Kind, at: Address): Address => ({ ...at, name: at[parentName(kind)] ?? '' });

/** The address of what stands in a parent, the parent by its name. */
const inside = (kind: Kind, at: Address, parent: Address): Address => ({
  ...at,
  [parentName(kind)]: parent['name'] ?? '',
});

const isReferred = ({ code, applied }: Subject): boolean =>
  (code?.inputs['existing'] ?? applied?.inputs['existing']) === true;

/** Made with its parent: neither locked nor written by anybody else, and named like its template where it is made from one. */
function isPackBorn(kind: Kind, record: AnsweredRecord, parent: Subject, recording: ReviewRecording): boolean {
  const { found, distinguishedBy } = kind;
  if (found === undefined || !('list' in found) || found.list.isGiven === undefined) return false;
  const isLocked = Object.values(record.ciAttrProps?.owner ?? {}).some(Boolean);
  const platform = recording.record(Number(parent.applied?.computed['ciId']));
  const isOther = platform !== undefined && record.createdBy !== platform.createdBy;
  if (isLocked || isOther) return false;
  const tail = record.ciClassName?.split('.').at(-1) ?? '';
  return distinguishedBy === undefined || templatesOfClass(tail).includes(record.ciName ?? '');
}
