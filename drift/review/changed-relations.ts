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

/** Which entries of a release make this difference. A relation that our own run wrote, and that is as it was, is none of them. */
interface Changed {
  readonly relation: string;
  readonly from: number;
  readonly added: ReadonlySet<number | undefined>;
  readonly removed: ReadonlySet<number | undefined>;
  /** The number of our own last change: those after it are of other users, or of a later run. */
  readonly after: number;
}

/**
 * Who changed the relations of this name that begin at a record, since our own last write. Undefined when no release lists such a change. Of a closed
 * release the author has the number and no stage: only its deployments show how far it came.
 */
export async function relationAuthor(
  get: Call,
  recording: ReviewRecording,
  { kind, id, applied }: Subject,
  { relation, from, before, now }: RelationChange,
): Promise<Author | undefined> {
  const parsed = parseId(kind, id);
  const after = Number(serviceStamp(applied?.computed['revision']));
  if (parsed === undefined || !Number.isSafeInteger(after)) return undefined;
  const { assembly = '' } = pathAddress(kind, parsed.organization, parsed.address);
  const place = recording.record(from)?.nsPath;
  const idsOf = (names: readonly string[]): ReadonlySet<number | undefined> =>
    new Set(
      names.flatMap((name) => recording.named(name).filter(({ nsPath }) => nsPath === place)).map(({ ciId }) => ciId),
    );
  const added = idsOf(now.filter((name) => !before.includes(name)));
  const removed = idsOf(before.filter((name) => !now.includes(name)));
  const changed: Changed = { relation, from, added, removed, after };
  // Lists of releases leave out the open one.
  const latest = (await get(routes.designReleases.latest, { address: { assembly }, query: WITH_CHANGES })) as
    Release | undefined;
  // A service that ignores the query lists the changes of no release.
  if (latest !== undefined && latest.rfc_relations === undefined) return undefined;
  const open = latest?.releaseState === 'open' ? authorIn(latest, changed) : undefined;
  if (open) return { ...open, stage: 'design' };
  for (const { releaseId } of closedSince(await listedDesignReleases(get, assembly), after)) {
    const address = { assembly, release: String(releaseId) };
    const release = (await get(routes.designReleases.read, { address, query: WITH_CHANGES })) as Release | undefined;
    const author = release && authorIn(release, changed);
    if (author) return author;
  }
  return undefined;
}

/** Closed releases that may contain a write after ours, newest first: those after the one that ours is in, and that one. */
function closedSince(all: readonly Release[], ours: number): readonly Release[] {
  const newestFirst = all
    .filter(({ releaseState }) => releaseState === 'closed')
    .sort((left, right) => right.releaseId - left.releaseId);
  const later = newestFirst.filter(({ releaseId }) => releaseId > ours);
  return newestFirst.slice(0, Math.min(later.length + 1, MOST_RELEASES));
}

/** Who made the newest of the changes that a release lists. */
function authorIn({ releaseId, rfc_relations: all }: Release, changed: Changed): Author | undefined {
  const { relation, from, added, removed, after } = changed;
  const [newest] = ((all ?? []) as readonly ListedRelation[])
    .filter(
      ({ fromCiId, relationName, rfcId }) =>
        fromCiId === from && relationName?.split('.').at(-1) === relation && Number(rfcId) > after,
    )
    .filter(({ rfcAction, toCiId }) => toCiId !== undefined && (rfcAction === 'delete' ? removed : added).has(toCiId))
    .sort((left, right) => Number(right.rfcId) - Number(left.rfcId));
  if (newest === undefined) return undefined;
  const who = newest.rfcUpdatedBy ?? newest.rfcCreatedBy ?? newest.updatedBy ?? newest.createdBy ?? '';
  const when = newest.rfcUpdated ?? newest.rfcCreated ?? newest.updated ?? newest.created ?? 0;
  return { who, when, releaseId };
}
