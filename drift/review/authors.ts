// Who wrote a record last, seen from our own write: by stamps, times, names and links.
import { ENCRYPTED, routes, type Release } from '../../api/contract';
import type { Api } from '../../api/client';
import { type Field, writesOf } from '../../provider';
import { closedAfter, newestReleases, setBy, WITH_CHANGES } from '../../provider/history';
import type { State } from '../../provider/lifecycle';
import { secretWrite, serviceStamp, type SecretWrite } from '../../provider/secrets';
import { sameValue } from '../../provider/values';
import { wireNameOf, type Writer } from './compare';
import { answerIfAny, type AnsweredRecord, type Ask, type ReviewRecording } from './reading';
import { environmentOf, readOpenRelease, listedDesignReleases } from './releases';
import { type Author, authorOfChange } from './review';
import { pathTo, type ReadRecord } from './sources';

interface Attributed {
  readonly writer: Writer;
  readonly author?: Author | undefined;
}

interface LastWrite extends Attributed {
  /** Another user wrote it for certain, though not necessarily what we declare. */
  readonly wasWritten: boolean;
  /** Who may have set an attribute, by its wire name, where it is not the record's last writer. */
  readonly setter: (wireName: string) => Attributed | undefined;
  /** The write since ours that changed a secret, or may have, by the secret's wire name. */
  readonly writtenSecret: (wireName: string) => SecretWrite | undefined;
}

/** A record that was read, and who wrote it last. */
export interface ReviewedRecord extends ReadRecord {
  readonly lastWrite: LastWrite;
}

/** What attribution rests on: the answers of a review, a few requests, and the stack's user. */
export interface Evidence {
  /** Sends each GET once. */
  readonly api: Api;
  readonly recording: ReviewRecording;
  readonly ask: Ask;
  readonly user: string | undefined;
}

/** Who set the attribute of a record at a path. */
export const authorOf = ({ lastWrite }: ReviewedRecord, path: readonly string[]): Attributed =>
  lastWrite.setter(wireNameOf(path)) ?? lastWrite;

export async function withLastWrites(
  evidence: Evidence,
  records: readonly ReadRecord[],
): Promise<readonly ReviewedRecord[]> {
  const reviewed: ReviewedRecord[] = [];
  for (const record of records) reviewed.push({ ...record, lastWrite: await lastWriteOf(evidence, record) });
  return reviewed;
}

const UNNAMED: Author = { who: '', when: 0 };

/** An author who is not sure to be the user of the review counts as somebody else. */
const attributed = (author: Author, user: unknown): Attributed & { readonly author: Author } => ({
  writer: author.who !== '' && author.who === user && author.unsure === undefined ? 'own-user' : 'somebody',
  author,
});

/** The author by the record, and by writes that leave no mark on it: links, clouds, relations. */
async function lastWriteOf(evidence: Evidence, record: ReadRecord): Promise<LastWrite> {
  const onRecord = writeOnRecord(evidence, record);
  const onLink = onRecord.writer === 'nobody' ? undefined : await linkAuthor(evidence, record);
  const clouds = await cloudsAuthor(evidence, record);
  const open = await openSetter(evidence, record);
  const moved = unstampedChanges(record);
  const setters = new Map<string, Attributed>([
    ...(clouds ? [['clouds', clouds] as const] : []),
    ...(open ? [open] : []),
  ]);
  for (const [name, { relation }] of moved) {
    const author = relation && (await relationAuthor(evidence, record, name, relation));
    if (author) setters.set(name, attributed(author, evidence.user));
  }
  const known = onLink ? { ...onRecord, ...onLink } : onRecord;
  // Somebody wrote a value that differs, although nothing names the writer.
  const beside = clouds ?? (moved.length > 0 ? attributed(UNNAMED, undefined) : {});
  return {
    ...known,
    ...(known.writer === 'nobody' ? beside : {}),
    setter: (name) => setters.get(name) ?? onRecord.setter(name),
  };
}

function writeOnRecord({ recording, user: self }: Evidence, { subject: { applied }, live }: ReadRecord): LastWrite {
  const record = recording.record(Number((live?.outputs ?? applied?.computed)?.['ciId']));
  // What was set next to the record is no write of it.
  const author = live?.setBy && record ? recordAuthor(record) : readAuthor(live, record);
  const isOwn = author !== undefined && author.who === self;
  const ours = serviceStamp(applied?.computed['revision']);
  const hasNewStamp = ours !== serviceStamp(live?.outputs['revision']);
  const isNewer =
    Number(live?.setBy ? author?.when : live?.outputs['updated']) > Number(applied?.computed['updated'] ?? Infinity);
  // An open change takes further writes without a new number.
  const wasWritten = hasNewStamp || (isNewer && Boolean(record?.releaseId));
  // A commit is no write: what was written before it, and after us, shows its time only.
  const isUnclear = !wasWritten && isNewer && !isOwn;
  const writer: Writer = !wasWritten && !isUnclear ? 'nobody' : isOwn ? 'own-user' : 'somebody';
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
        ? secretWrite(applied.kind, applied.computed, writesOf(record), { name, user: self })
        : undefined,
  };
}

/** How far a release of an environment has come. */
const STAGES = { open: 'design', committed: 'released', deployed: 'deployed' } as const;

/** Who set what leaves no mark on the record. */
function besideRecord(live: State | undefined, name: string, self: unknown): Attributed | undefined {
  const own = live?.setBy?.[name];
  if (own === undefined) return undefined;
  const { by: who, at: when, releaseId, reach } = own;
  const release = releaseId === undefined || reach === undefined ? {} : { releaseId, stage: STAGES[reach] };
  return { writer: who === self ? 'own-user' : 'somebody', author: { who, when, ...release } };
}

/**
 * Who changes a closed link in an open release: the link names earlier writers (service-facts
 * §2.1.9).
 */
async function linkAuthor(
  { recording, ask, user }: Evidence,
  { subject, live }: ReadRecord,
): Promise<Attributed | undefined> {
  const record = recording.record(Number(live?.outputs['ciId']));
  // A link that was never committed names its own writers.
  if (record?.ciRelationId === undefined || !record.releaseId || record.rfcAction === 'add') return undefined;
  const updated = Number(live?.outputs['updated']);
  const { opened, author } = await readOpenRelease(ask, subject, record.releaseId);
  // Our commit moves the link's time, too: the change's time is within the open release.
  if (updated > Number(subject.applied?.computed['updated']) && updated >= opened) return undefined;
  return attributed(author, user);
}

/** Who set a value next to the record in an open release, where nothing else names the writer. */
async function openSetter(
  { ask, user }: Evidence,
  { subject, live }: ReadRecord,
): Promise<readonly [wireName: string, setter: Attributed] | undefined> {
  const unnamed = Object.entries(live?.setBy ?? {}).find(([, { by, reach }]) => by === '' && reach === 'open');
  const { releaseId } = unnamed?.[1] ?? {};
  if (unnamed === undefined || releaseId === undefined) return undefined;
  const { author } = await readOpenRelease(ask, subject, releaseId);
  return [unnamed[0], attributed(author, user)];
}

/**
 * Who changed the clouds of an environment, by links of its platforms that a release may list: the
 * map leaves no mark on its record (flows F4). Undefined where they are as applied.
 */
async function cloudsAuthor({ api, user }: Evidence, { subject, live }: ReadRecord): Promise<Attributed | undefined> {
  const { kind, applied } = subject;
  const shape = kind.token === 'Environment' ? kind.fields['clouds']?.shape : undefined;
  if (shape === undefined || live === undefined || applied === undefined) return undefined;
  if (sameValue(shape, applied.inputs['clouds'], live.inputs['clouds'])) return undefined;
  const at = { organization: api.organization, ...environmentOf(subject) };
  const found = await answerIfAny(() => newestReleases({ api, at }));
  const changes = (found?.releases ?? []).flatMap((release) =>
    (release.rfc_relations ?? [])
      .filter(({ relationName }) => relationName.endsWith('.Consumes'))
      .map((change) => ({ ...setBy(release, change), isOpen: release.releaseState === 'open' })),
  );
  const last = changes.findLast((change) => change.at > Number(applied.computed['updated'] ?? 0));
  if (last === undefined) return attributed(UNNAMED, user);
  return attributed(authorOfChange(last, last.isOpen ? 'design' : undefined), user);
}

/** Arguments that leave no stamp on their record, and differ. */
const unstampedChanges = ({ subject: { kind, applied }, live }: ReadRecord): readonly (readonly [string, Field])[] =>
  Object.entries(kind.fields).filter(
    ([name, { unstamped, shape }]) =>
      unstamped &&
      live !== undefined &&
      applied !== undefined &&
      name in applied.inputs &&
      !sameValue(shape, applied.inputs[name], live.inputs[name]),
  );

/** Who wrote a record last, by the record itself: an open release comes after closed ones. */
export const recordAuthor = (record: AnsweredRecord): Author => ({ ...writerOf(record), ...openReleaseOf(record) });

function writerOf(record: AnsweredRecord): Author {
  const who = record.rfcUpdatedBy ?? record.rfcCreatedBy ?? record.updatedBy ?? record.createdBy ?? '';
  return { who, when: record.rfcUpdated ?? record.rfcCreated ?? record.updated ?? record.created ?? 0 };
}

const openReleaseOf = ({ releaseId }: AnsweredRecord): Pick<Author, 'releaseId' | 'stage'> =>
  releaseId ? { releaseId, stage: 'design' } : {};

/** The last writer of a record; of a missing one, the user who deletes it in an open release. */
function readAuthor(live: State | undefined, record: AnsweredRecord | undefined): Author | undefined {
  if (live === undefined) return record?.rfcAction === 'delete' ? recordAuthor(record) : undefined;
  const { updatedBy, updated } = live.outputs;
  return {
    who: typeof updatedBy === 'string' ? updatedBy : '',
    when: typeof updated === 'number' ? updated : 0,
    ...(record ? openReleaseOf(record) : {}),
  };
}

/**
 * Who may have set an attribute, where that is not the last writer for sure. What an open change
 * does not list was set before it; of a closed one nothing is listed, and the user of this review
 * may have set back others only. `ours`: the stamp of our last write.
 */
function setterOf(
  record: AnsweredRecord,
  name: string,
  { author, self, ours }: { readonly author: Author; readonly self: unknown; readonly ours: string },
): Attributed | undefined {
  if (record.ciRelationId !== undefined || record.ciAttributes?.[name] === undefined) return undefined;
  // The user of the review, as the last writer, may not have set the attribute.
  const asOwnUser = (by: Author): Attributed | undefined =>
    by.who === self ? { writer: 'own-user', author: { ...by, unsure: [] } } : undefined;
  const isOpen = Boolean(record.releaseId) && record.rfcAction === 'update';
  if (!isOpen) return asOwnUser(author);
  if (name in (record.ciBaseAttributes ?? {})) {
    // Of our own change we know who opened it, and why: what differs was written into it later.
    const opener = String(record.rfcId) === ours ? '' : (record.rfcCreatedBy ?? '');
    const isOther = opener !== '' && opener !== author.who;
    return isOther ? { writer: 'somebody', author: { ...author, unsure: [opener] } } : asOwnUser(author);
  }
  if (String(record.lastAppliedRfcId) === ours) return undefined;
  const { updatedBy, createdBy, updated, created } = record;
  const before: Author = { who: updatedBy ?? createdBy ?? '', when: updated ?? created ?? 0 };
  return asOwnUser(before) ?? { writer: 'somebody', author: before };
}

/** Closed releases that are read at most, newest first: an older change has no known author. */
const MOST_RELEASES = 4;

interface ListedRelation extends AnsweredRecord {
  readonly relationName?: string;
  readonly fromCiId?: number;
  readonly toCiId?: number;
}

/**
 * Who changed the relations of one name from a record since our own last write: the last one, and
 * the others in `unsure`; undefined when no release lists it. Of a closed release without a stage.
 */
async function relationAuthor(
  { ask, recording }: Evidence,
  { subject, live }: ReadRecord,
  name: string,
  relation: string,
): Promise<Author | undefined> {
  const { assembly } = pathTo(subject);
  // Changes after this number are of other users, or of a later run.
  const ours = Number(serviceStamp(subject.applied?.computed['revision']));
  if (assembly === undefined || !Number.isSafeInteger(ours)) return undefined;
  // Lists of releases leave out the open one.
  const latest = await ask(routes.designReleases.latest, { address: { assembly }, query: WITH_CHANGES });
  // A service that ignores the query lists the changes of no release.
  if (latest && latest.rfc_relations === undefined) return undefined;
  const from = Number(live?.outputs['ciId']);
  const [before, now] = [namesIn(subject.applied?.inputs[name]), namesIn(live?.inputs[name])];
  const added = now.filter((each) => !before.includes(each));
  const removed = before.filter((each) => !now.includes(each));
  const isPart = partOf(recording, from, { added, removed });
  /** The newest author of the change at each end. */
  const found = new Map<number | undefined, Author>();
  const take = (release: Release, stage: Pick<Author, 'stage'> = {}): void => {
    const changes = ((release.rfc_relations ?? []) as readonly ListedRelation[])
      .filter((each) => each.fromCiId === from && each.relationName?.split('.').at(-1) === relation)
      .filter((each) => Number(each.rfcId) > ours && isPart(each))
      .sort((left, right) => Number(right.rfcId) - Number(left.rfcId));
    for (const each of changes)
      if (!found.has(each.toCiId))
        found.set(each.toCiId, { ...writerOf(each), releaseId: release.releaseId, ...stage });
  };
  if (latest?.releaseState === 'open') take(latest, { stage: 'design' });
  for (const { releaseId } of closedSince(await listedDesignReleases(ask, assembly), ours)) {
    if (found.size >= added.length + removed.length) break;
    const address = { assembly, release: String(releaseId) };
    const release = await ask(routes.designReleases.read, { address, query: WITH_CHANGES });
    if (release) take(release);
  }
  return joined([...found.values()]);
}

const namesIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/**
 * Whether an entry of a release is part of a difference: no relation of our own run that still is.
 * Names are those of records that the review read.
 */
function partOf(
  recording: ReviewRecording,
  from: number,
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): (entry: ListedRelation) => boolean {
  const place = recording.record(from)?.nsPath;
  const idsOf = (name: string): readonly (number | undefined)[] =>
    recording.named(name).flatMap(({ nsPath, ciId }) => (nsPath === place ? [ciId] : []));
  const [come, gone] = [added.flatMap(idsOf), removed.flatMap(idsOf)];
  // What a relation led to can be deleted, too: then no record has its number.
  const isOneDeleted = removed.some((name) => idsOf(name).length === 0);
  return ({ rfcAction, toCiId }) => {
    if (toCiId === undefined) return false;
    if (rfcAction !== 'delete') return come.includes(toCiId);
    return gone.includes(toCiId) || (isOneDeleted && recording.record(toCiId) === undefined);
  };
}

/** One author for all: the newest, with the others as those who may have done it, too. */
export function joined(authors: readonly Author[]): Author | undefined {
  const [newest, ...older] = [...authors].sort((left, right) => right.when - left.when);
  if (newest === undefined) return undefined;
  const others = new Set(older.map(({ who }) => who).filter((who) => who !== newest.who));
  return others.size === 0 ? newest : { ...newest, unsure: [...others] };
}

/** Closed releases, newest first, from the one of our write on. */
function closedSince(all: readonly Release[], ours: number): readonly Release[] {
  const least = closedAfter(all, ours).length + 1;
  return closedAfter(all).slice(-Math.min(least, MOST_RELEASES)).toReversed();
}
