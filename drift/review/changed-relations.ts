// Who changed the relations of a record in a design: they leave no stamp on the record, but each release lists those it changes (service-facts §4.5.6).
import { routes, type Call, type Release } from '../../api/contract';
import { parseId, pathAddress, serviceStamp } from '../../provider';
import type { AnsweredRecord, ReviewRecording } from './recording-api';
import { listedDesignReleases, WITH_CHANGES } from './releases';
import type { Author } from './review';
import type { Subject } from './subjects';

/** Closed releases that are read at most, newest first: a change further back is reported without its author. */
const MOST_RELEASES = 4;

/** A relation as a release lists it. */
interface ListedRelation extends AnsweredRecord {
  readonly relationName?: string;
  readonly fromCiId?: number;
  readonly toCiId?: number;
}

/** How the relations of one name that begin at one record differ from ours. */
interface RelationChange {
  readonly relation: string;
  readonly from: number;
  /** Names at which the relations end, as they were applied. */
  readonly before: readonly string[];
  /** Names at which they end now. */
  readonly now: readonly string[];
}

/** What to look for in releases: the entries that make the difference. A relation that our own run wrote, and that is as it was, is none of them. */
interface Wanted {
  readonly relation: string;
  readonly from: number;
  /** Whether an entry made a part of the difference. */
  readonly isPart: (entry: ListedRelation) => boolean;
  /** The number of our own last change: those after it are of other users, or of a later run. */
  readonly after: number;
}

/**
 * Who changed the relations of this name that begin at a record, since our own last write. Undefined when no release lists such a change. If several
 * users did, the author is who did it last, and the others are in `unsure`. Of a closed release the author has the number and no stage: only its
 * deployments show how far it came.
 */
export async function relationAuthor(
  get: Call,
  recording: ReviewRecording,
  { kind, id, applied }: Subject,
  change: RelationChange,
): Promise<Author | undefined> {
  const parsed = parseId(kind, id);
  const after = Number(serviceStamp(applied?.computed['revision']));
  if (parsed === undefined || !Number.isSafeInteger(after)) return undefined;
  const { assembly = '' } = pathAddress(kind, parsed.organization, parsed.address);
  const wanted = { ...change, after, isPart: partOf(recording, change) };
  // Lists of releases leave out the open one.
  const latest = (await get(routes.designReleases.latest, { address: { assembly }, query: WITH_CHANGES })) as
    Release | null | undefined;
  // A service that ignores the query lists the changes of no release.
  if (latest && latest.rfc_relations === undefined) return undefined;
  /** The newest author of the change at each end. */
  const found = new Map<number, Author>();
  const take = (release: Release | null | undefined, stage: Pick<Author, 'stage'> = {}): void => {
    for (const [end, author] of release ? authorsIn(release, wanted) : [])
      if (!found.has(end)) found.set(end, { ...author, ...stage });
  };
  if (latest?.releaseState === 'open') take(latest, { stage: 'design' });
  const ends = [...addedBy(change), ...removedBy(change)].length;
  for (const { releaseId } of closedSince(await listedDesignReleases(get, assembly), after)) {
    if (found.size >= ends) break;
    const address = { assembly, release: String(releaseId) };
    take((await get(routes.designReleases.read, { address, query: WITH_CHANGES })) as Release | null | undefined);
  }
  return joined([...found.values()]);
}

const addedBy = ({ before, now }: RelationChange): readonly string[] => now.filter((name) => !before.includes(name));
const removedBy = ({ before, now }: RelationChange): readonly string[] => before.filter((name) => !now.includes(name));

/** Distinguishes the entries that make the difference from others. Names are looked up among the records that the review read. */
function partOf(recording: ReviewRecording, change: RelationChange): Wanted['isPart'] {
  const place = recording.record(change.from)?.nsPath;
  const idsOf = (name: string): readonly (number | undefined)[] =>
    recording
      .named(name)
      .filter(({ nsPath }) => nsPath === place)
      .map(({ ciId }) => ciId);
  const added = new Set(addedBy(change).flatMap(idsOf));
  const removed = new Set(removedBy(change).flatMap(idsOf));
  // What a relation led to can be deleted, too: then no record has its number.
  const isOneDeleted = removedBy(change).some((name) => idsOf(name).length === 0);
  return ({ rfcAction, toCiId }) => {
    if (toCiId === undefined) return false;
    if (rfcAction !== 'delete') return added.has(toCiId);
    return removed.has(toCiId) || (isOneDeleted && recording.record(toCiId) === undefined);
  };
}

/** One author for all: the newest, with the others. */
function joined(authors: readonly Author[]): Author | undefined {
  const [newest, ...older] = [...authors].sort((left, right) => right.when - left.when);
  if (newest === undefined) return undefined;
  const others = new Set(older.map(({ who }) => who).filter((who) => who !== newest.who));
  return others.size === 0 ? newest : { ...newest, unsure: [...others] };
}

/** Closed releases that may contain a write after ours, newest first: those after the one that ours is in, and that one. */
function closedSince(all: readonly Release[], ours: number): readonly Release[] {
  const newestFirst = all
    .filter(({ releaseState }) => releaseState === 'closed')
    .sort((left, right) => right.releaseId - left.releaseId);
  const later = newestFirst.filter(({ releaseId }) => releaseId > ours);
  return newestFirst.slice(0, Math.min(later.length + 1, MOST_RELEASES));
}

/** Who made the changes that a release lists, the newest first, each with the number of the record that the relation leads to. */
function authorsIn(
  { releaseId, rfc_relations: all }: Release,
  { relation, from, isPart, after }: Wanted,
): readonly (readonly [end: number, author: Author])[] {
  return ((all ?? []) as readonly ListedRelation[])
    .filter(
      ({ fromCiId, relationName, rfcId }) =>
        fromCiId === from && relationName?.split('.').at(-1) === relation && Number(rfcId) > after,
    )
    .filter(isPart)
    .sort((left, right) => Number(right.rfcId) - Number(left.rfcId))
    .map((entry) => [Number(entry.toCiId), { ...writerOf(entry), releaseId }]);
}

function writerOf(entry: ListedRelation): Author {
  const who = entry.rfcUpdatedBy ?? entry.rfcCreatedBy ?? entry.updatedBy ?? entry.createdBy ?? '';
  return { who, when: entry.rfcUpdated ?? entry.rfcCreated ?? entry.updated ?? entry.created ?? 0 };
}
