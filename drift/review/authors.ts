// Whose last write of a record it is, as seen from ours: from stamps, times and names on the record, and on what it is linked by.
import { ENCRYPTED, routes, type Call, type Release } from '../../api/contract';
import type { Api } from '../../api/client';
import { parseId, writesOf, pathAddress } from '../../provider';
import { newestReleases, setBy, WITH_CHANGES } from '../../provider/history';
import type { State } from '../../provider/lifecycle';
import { secretWrite, serviceStamp, type SecretWrite } from '../../provider/secrets';
import { sameValue } from '../../provider/values';
import type { Writer } from './compare';
import { answerIfAny, type AnsweredRecord, type ReviewRecording } from './reading';
import { readOpenRelease, listedDesignReleases } from './releases';
import type { Author } from './review';
import type { ReadRecord, Subject } from './sources';

/** Who wrote a record last, as seen from our own last write. */
interface LastWrite {
  readonly writer: Writer;
  /** Another user wrote it for certain, though not necessarily what we declare. */
  readonly wasWritten: boolean;
  readonly author?: Author | undefined;
  /** Who may have set an attribute, by its wire name, where that is not simply who wrote the record last. */
  readonly setter?: (wireName: string) => { readonly writer: Writer; readonly author: Author } | undefined;
  /** The write since ours that changed a secret, or may have, by the secret's wire name. */
  readonly writtenSecret?: (wireName: string) => SecretWrite | undefined;
}

/** A record that was read, and who wrote it last. */
export interface ReviewedRecord extends ReadRecord {
  readonly lastWrite: LastWrite;
}

/** What attribution rests on: the connection and the answers of a review, a few further requests, and the user of the review. */
export interface Evidence {
  /** Sends each GET once. */
  readonly api: Api;
  readonly recording: ReviewRecording;
  readonly get: Call;
  readonly user: string | undefined;
}

/** An author the service does not name. */
const UNNAMED: Author = { who: '', when: 0 };

/** Each record with who wrote it last. */
export async function withLastWrites(
  evidence: Evidence,
  records: readonly ReadRecord[],
): Promise<readonly ReviewedRecord[]> {
  const reviewed: ReviewedRecord[] = [];
  for (const record of records) {
    const onRecord = lastWriteOf(evidence, record);
    const onLink = await withLinkWriter(evidence, record, onRecord);
    const onClouds = await withCloudWriter(evidence, record, onLink);
    const onOpen = await withOpenSetters(evidence, record, onClouds);
    reviewed.push({ ...record, lastWrite: await withUnstampedWriter(evidence, record, onOpen) });
  }
  return reviewed;
}

/** What the record itself says. */
function lastWriteOf({ recording, user }: Evidence, { subject: { applied }, live }: ReadRecord): LastWrite {
  const record = recording.record(Number((live?.outputs ?? applied?.computed)?.['ciId']));
  // What was set next to the record is no write of it.
  const author = live?.setBy && record ? recordAuthor(record) : authorOf(live, record);
  const self = user ?? applied?.computed['updatedBy'];
  const isOwn = author !== undefined && author.who === self;
  const hasNewStamp = serviceStamp(applied?.computed['revision']) !== serviceStamp(live?.outputs['revision']);
  const isNewer =
    Number(live?.setBy ? author?.when : live?.outputs['updated']) > Number(applied?.computed['updated'] ?? Infinity);
  // An open change takes further writes without a new number.
  const wasWritten = hasNewStamp || (isNewer && Boolean(record?.releaseId));
  // A commit is no write, but what was written before it, and after us, shows no more than its time.
  const isUnclear = !wasWritten && isNewer && !isOwn;
  const writer: Writer = !wasWritten && !isUnclear ? 'nobody' : isOwn ? 'own-user' : 'somebody';
  const ours = serviceStamp(applied?.computed['revision']);
  return {
    writer,
    wasWritten: wasWritten && writer === 'somebody',
    author,
    setter: (name) =>
      besideRecord(live, name, self) ??
      (record === undefined || author === undefined || writer === 'nobody'
        ? undefined
        : setterOf(record, name, { author, self, ours })),
    writtenSecret: (name) =>
      record && applied && record.ciAttributes?.[name] === ENCRYPTED
        ? secretWrite(applied.kind, applied.computed, writesOf(record), { name, user })
        : undefined,
  };
}

/** How far a release of an environment has come. */
const STAGES = { open: 'design', committed: 'released', deployed: 'deployed' } as const;

/** Who set what leaves no mark on the record. */
function besideRecord(
  live: State | undefined,
  name: string,
  self: unknown,
): { readonly writer: Writer; readonly author: Author } | undefined {
  const own = live?.setBy?.[name];
  if (own === undefined) return undefined;
  const { by: who, at: when, releaseId, reach } = own;
  const release = releaseId === undefined || reach === undefined ? {} : { releaseId, stage: STAGES[reach] };
  const author = { who, when, ...release };
  return { writer: author.who === self ? 'own-user' : 'somebody', author };
}

/**
 * A closed link that an open release changes still names those who wrote it before, at the time they did (service-facts §2.1.9): the release it is
 * changed in is the only one that says who.
 */
async function withLinkWriter(
  { recording, get, user }: Evidence,
  { subject, live }: ReadRecord,
  lastWrite: LastWrite,
): Promise<LastWrite> {
  const record = recording.record(Number(live?.outputs['ciId']));
  if (lastWrite.writer === 'nobody' || record?.ciRelationId === undefined || !record.releaseId) return lastWrite;
  // One that was never committed names its own writers.
  if (record.rfcAction === 'add') return lastWrite;
  const updated = Number(live?.outputs['updated']);
  const { opened, author } = await readOpenRelease(get, subject, record.releaseId);
  // A commit of ours moves the time of the link, too: only a time within the open release is that of the change.
  if (updated > Number(subject.applied?.computed['updated']) && updated >= opened) return lastWrite;
  return { ...lastWrite, writer: author.who !== '' && author.who === user ? 'own-user' : 'somebody', author };
}

/** Of a value next to the record that an open release changes, and of which nothing names the writer, the release says who wrote it. */
async function withOpenSetters(
  { get, user }: Evidence,
  { subject, live }: ReadRecord,
  lastWrite: LastWrite,
): Promise<LastWrite> {
  const unnamed = Object.entries(live?.setBy ?? {}).find(([, { by, reach }]) => by === '' && reach === 'open');
  const { releaseId } = unnamed?.[1] ?? {};
  if (unnamed === undefined || releaseId === undefined) return lastWrite;
  const { author } = await readOpenRelease(get, subject, releaseId);
  const writer: Writer = author.who !== '' && author.who === user ? 'own-user' : 'somebody';
  const { setter } = lastWrite;
  return { ...lastWrite, setter: (name) => (name === unnamed[0] ? { writer, author } : setter?.(name)) };
}

async function withCloudWriter(
  evidence: Evidence,
  { subject, live }: ReadRecord,
  lastWrite: LastWrite,
): Promise<LastWrite> {
  const { kind, applied } = subject;
  const shape = kind.token === 'Environment' ? kind.fields['clouds']?.shape : undefined;
  if (shape === undefined || live === undefined || applied === undefined) return lastWrite;
  if (sameValue(shape, applied.inputs['clouds'], live.inputs['clouds'])) return lastWrite;
  // A map that differs was written by somebody, also when no link says by whom.
  const author = (await cloudMapAuthor(evidence, subject, Number(applied.computed['updated'] ?? 0))) ?? UNNAMED;
  const writer: Writer = author.who !== '' && author.who === evidence.user ? 'own-user' : 'somebody';
  if (lastWrite.writer === 'nobody') return { ...lastWrite, writer, author };
  // A commit of ours gives the record a new stamp, which says nothing of the map.
  const { setter } = lastWrite;
  return { ...lastWrite, setter: (name) => (name === 'clouds' ? { writer, author } : setter?.(name)) };
}

/** An argument that leaves no stamp on its record, and differs, was written by somebody: a release may list its relations with their writer. */
async function withUnstampedWriter(
  { recording, get, user }: Evidence,
  { subject, live }: ReadRecord,
  lastWrite: LastWrite,
): Promise<LastWrite> {
  const { kind, applied } = subject;
  if (live === undefined || applied === undefined) return lastWrite;
  const moved = Object.entries(kind.fields).filter(
    ([name, { unstamped, shape }]) =>
      unstamped && name in applied.inputs && !sameValue(shape, applied.inputs[name], live.inputs[name]),
  );
  const listed = new Map<string, { readonly writer: Writer; readonly author: Author }>();
  for (const [name, { relation }] of moved) {
    if (relation === undefined) continue;
    const from = Number(live.outputs['ciId']);
    const [before, now] = [namesIn(applied.inputs[name]), namesIn(live.inputs[name])];
    const author = await relationAuthor(get, recording, subject, { relation, from, before, now });
    const isOwn = author?.who === user && author?.unsure === undefined;
    if (author) listed.set(name, { writer: isOwn ? 'own-user' : 'somebody', author });
  }
  const { setter } = lastWrite;
  const named: LastWrite =
    listed.size === 0 ? lastWrite : { ...lastWrite, setter: (name) => listed.get(name) ?? setter?.(name) };
  return moved.length > 0 && named.writer === 'nobody' ? { ...named, writer: 'somebody', author: UNNAMED } : named;
}

const namesIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/**
 * Who changed the clouds of an environment since a time: the map leaves no mark on its record, only on the links of its
 * platforms (flows F4). Undefined when no release lists such a change.
 */
async function cloudMapAuthor({ api }: Evidence, { kind, id }: Subject, since: number): Promise<Author | undefined> {
  const { assembly = '', name: environment = '' } = parseId(kind, id)?.address ?? {};
  const at = { organization: api.organization, assembly, environment };
  const found = await answerIfAny(() => newestReleases({ api, at }));
  const changes = (found?.releases ?? []).flatMap((release) =>
    (release.rfc_relations ?? [])
      .filter(({ relationName }) => relationName.endsWith('.Consumes'))
      .map((change) => ({ ...setBy(release, change), isOpen: release.releaseState === 'open' })),
  );
  const last = changes.findLast((change) => change.at > since);
  return (
    last && { who: last.by, when: last.at, releaseId: last.releaseId, ...(last.isOpen ? { stage: 'design' } : {}) }
  );
}

/** Who wrote a record last, as the record says itself: what is in an open release was written after what is closed. */
export function recordAuthor(record: AnsweredRecord): Author {
  const who = record.rfcUpdatedBy ?? record.rfcCreatedBy ?? record.updatedBy ?? record.createdBy ?? '';
  const when = record.rfcUpdated ?? record.rfcCreated ?? record.updated ?? record.created ?? 0;
  return { who, when, ...(record.releaseId ? { releaseId: record.releaseId, stage: 'design' as const } : {}) };
}

/**
 * Who may have set one attribute, where the record says more, or less, than its last writer; undefined where the last writer is all there is to say.
 * An open change lists the old values of what it changed: what it does not list was set before it. A closed change lists nothing, and the user of
 * this review may have set back other attributes only. `self`: that user; `ours`: the stamp of our last write.
 */
function setterOf(
  record: AnsweredRecord,
  name: string,
  { author, self, ours }: { readonly author: Author; readonly self: unknown; readonly ours: string },
): { readonly writer: Writer; readonly author: Author } | undefined {
  if (record.ciRelationId !== undefined || record.ciAttributes?.[name] === undefined) return undefined;
  const isOpen = Boolean(record.releaseId) && record.rfcAction === 'update';
  if (isOpen && name in (record.ciBaseAttributes ?? {})) {
    // Of our own change we know who opened it, and why: what differs was written into it later.
    const opener = String(record.rfcId) === ours ? '' : (record.rfcCreatedBy ?? '');
    if (opener !== '' && opener !== author.who) return { writer: 'somebody', author: { ...author, unsure: [opener] } };
    return asOwnUser(author, self);
  }
  if (!isOpen) return asOwnUser(author, self);
  if (String(record.lastAppliedRfcId) === ours) return undefined;
  const before: Author = {
    who: record.updatedBy ?? record.createdBy ?? '',
    when: record.updated ?? record.created ?? 0,
  };
  return asOwnUser(before, self) ?? { writer: 'somebody', author: before };
}

/** The user of the review as the last writer, who may not have set the attribute; undefined of anybody else. */
const asOwnUser = (author: Author, self: unknown): { readonly writer: Writer; readonly author: Author } | undefined =>
  author.who === self ? { writer: 'own-user', author: { ...author, unsure: [] } } : undefined;

function authorOf(live: State | undefined, record: AnsweredRecord | undefined): Author | undefined {
  const open = record?.releaseId ? { releaseId: record.releaseId, stage: 'design' as const } : {};
  if (live === undefined) {
    if (record?.rfcAction !== 'delete') return undefined;
    const who = record.rfcUpdatedBy ?? record.rfcCreatedBy ?? '';
    return { who, when: record.rfcUpdated ?? record.rfcCreated ?? 0, ...open };
  }
  const { updatedBy, updated } = live.outputs;
  return {
    who: typeof updatedBy === 'string' ? updatedBy : '',
    when: typeof updated === 'number' ? updated : 0,
    ...open,
  };
}

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
async function relationAuthor(
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
