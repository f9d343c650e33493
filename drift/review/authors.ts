// The last writer of a record besides ourselves, by stamps, times, names and links; the release of
// the write, how far it came, and who deleted a record (service-facts §2.2.9, §3.2).
import { ENCRYPTED, type Record as WireRecord, routes, type Release } from '../../api/contract';
import type { Api } from '../../api/client';
import type { Session } from '../../provider';
import {
  carriedOut,
  causeOf,
  closedAfter,
  type CommittedChange,
  isManifest,
  isSameRecord,
  lastDesignChange,
  linksIn,
  newestDeployedPull,
  newestReleases,
  WITH_CHANGES,
  lastWriter,
  writesOf,
} from '../../provider/history';
import type { State } from '../../provider/lifecycle';
import { secretWrite, serviceStamp, type SecretWrite } from '../../provider/secrets';
import { sameValue, textAt } from '../../provider/values';
import { wireNameOf, type WrittenBy } from './compare';
import { answerIfAny, type AnsweredRecord, type Ask, boundedApi, type ReviewRecording } from './reading';
import type { Author, DriftFinding } from './review';
import { addressIn, type EnvironmentAt, environmentOf, pathTo, type ReadRecord, type Subject } from './sources';

interface Attributed {
  readonly writer: WrittenBy;
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

/** The evidence of a review: its answers, a few further requests, and the stack's user. */
export interface Evidence {
  /** Sends each GET once. */
  readonly api: Api;
  /** Remembers closed releases. */
  readonly session: Session;
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
  for (const name of moved) {
    const author = await relationAuthor(evidence, record, name);
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
  const writer: WrittenBy = !wasWritten && !isUnclear ? 'nobody' : isOwn ? 'own-user' : 'somebody';
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
  const { who, when, releaseId, reach } = own;
  const release = releaseId === undefined || reach === undefined ? {} : { releaseId, stage: STAGES[reach] };
  return { writer: who === self ? 'own-user' : 'somebody', author: { who, when, ...release } };
}

/** Writer of the open change of a link, which names earlier ones (service-facts §2.1.9). */
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
  const unnamed = Object.entries(live?.setBy ?? {}).find(([, { who, reach }]) => who === '' && reach === 'open');
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
  const found = await answerIfAny(() => newestReleases({ api, at: environmentOf(subject) }));
  const changes = (found?.releases ?? []).flatMap((release) =>
    (release.rfc_relations ?? [])
      .filter(({ relationName }) => relationName.endsWith('.Consumes'))
      .map((change): Author => ({ ...causeOf(release, change), ...openStage(release) })),
  );
  const last = changes.findLast(({ when }) => when > Number(applied.computed['updated'] ?? 0));
  return attributed(last ?? UNNAMED, user);
}

/** Arguments that leave no stamp on their record, and differ. */
function unstampedChanges({ subject: { kind, applied }, live }: ReadRecord): readonly string[] {
  if (live === undefined || applied === undefined) return [];
  return Object.keys(applied.inputs).filter((name) => {
    const field = kind.fields[name];
    return field?.unstamped && !sameValue(field.shape, applied.inputs[name], live.inputs[name]);
  });
}

/** Who wrote a record last, by the record itself: an open release comes after closed ones. */
export const recordAuthor = (record: AnsweredRecord): Author => ({ ...lastWriter(record), ...openReleaseOf(record) });

const openReleaseOf = ({ releaseId }: AnsweredRecord): Pick<Author, 'releaseId' | 'stage'> =>
  releaseId ? { releaseId, stage: 'design' } : {};

/** The last writer of a record; of a missing one, the user who deletes it in an open release. */
function readAuthor(live: State | undefined, record: AnsweredRecord | undefined): Author | undefined {
  if (live === undefined) return record?.rfcAction === 'delete' ? recordAuthor(record) : undefined;
  const who = textAt(live.outputs, 'updatedBy');
  return { who, when: Number(live.outputs['updated'] ?? 0), ...(record ? openReleaseOf(record) : {}) };
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

/** The stage of a change in a release, as far as its state shows it. */
const openStage = ({ releaseState }: Release): Pick<Author, 'stage'> =>
  releaseState === 'open' ? { stage: 'design' } : {};

/** Closed releases that are read at most, newest first: an older change has no known author. */
const MOST_RELEASES = 4;

/**
 * Who changed the relations of an argument since our own last write: the last one, and the others in
 * `unsure`; undefined when no release lists it. Of a closed release without a stage.
 */
async function relationAuthor(
  { api, ask }: Evidence,
  { subject, live }: ReadRecord,
  name: string,
): Promise<Author | undefined> {
  if (subject.kind.stage !== 'design') return undefined;
  const { assembly } = pathTo(subject);
  // Changes after this number are of other users, or of a later run.
  const ours = Number(serviceStamp(subject.applied?.computed['revision']));
  if (assembly === undefined || !Number.isSafeInteger(ours)) return undefined;
  // Lists of releases leave out the open one.
  const latest = await ask(routes.designReleases.latest, { address: { assembly }, query: WITH_CHANGES });
  // A service that ignores the query lists the changes of no release.
  if (latest && latest.rfc_relations === undefined) return undefined;
  const [before, now] = [namesIn(subject.applied?.inputs[name]), namesIn(live?.inputs[name])];
  const added = now.filter((each) => !before.includes(each));
  const removed = before.filter((each) => !now.includes(each));
  const from = Number(live?.outputs['ciId']);
  /** The newest author of the change at each end. */
  const found = new Map<string, Author>();
  /** Changes of records in the same releases and in later ones: they name an end that is gone. */
  const records: WireRecord[] = [];
  const take = async (release: Release): Promise<void> => {
    const { rfc_cis: cis = [], rfc_relations: relations = [] } = release;
    records.push(...cis);
    const own = { ...release, rfc_relations: relations.filter(({ fromCiId }) => fromCiId === from) };
    const all = await answerIfAny(() => linksIn({ api: boundedApi(api, ask), at: { assembly } }, [own], records));
    const changes = (all ?? [])
      .filter(({ changeId }) => changeId > ours)
      .filter(({ link, action }) => (action === 'delete' ? removed : added).includes(link.to))
      .sort((left, right) => right.changeId - left.changeId);
    for (const { link, cause } of changes)
      if (!found.has(link.to)) found.set(link.to, { ...cause, ...openStage(release) });
  };
  if (latest?.releaseState === 'open') await take(latest);
  for (const { releaseId } of closedSince(await listedDesignReleases(ask, assembly), ours)) {
    if (found.size >= added.length + removed.length) break;
    const address = { assembly, release: String(releaseId) };
    const release = await ask(routes.designReleases.read, { address, query: WITH_CHANGES });
    if (release) await take(release);
  }
  return joined([...found.values()]);
}

const namesIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

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

/** Releases that are looked at, newest first: an older change is reported without its release. */
const MOST = 100;
const PAGE = { size: String(MOST) };

const listedDesignReleases = async (ask: Ask, assembly: string): Promise<readonly Release[]> =>
  (await ask(routes.designReleases.list, { address: { assembly }, query: PAGE })) ?? [];

/** Releases of an environment, with plans; undefined when they are not known. */
export async function releasesIn(ask: Ask, address: EnvironmentAt): Promise<readonly Release[] | undefined> {
  return (await ask(routes.environmentReleases.list, { address, query: PAGE })) ?? undefined;
}

/**
 * The release of an author, or else of a change: the newest with a smaller number, since a release
 * has its number before its changes, and only one is open at a time.
 */
function releaseOf(releases: readonly Release[], { releaseId }: Author, change: number): Release | undefined {
  if (releaseId !== undefined) return releases.find((each) => each.releaseId === releaseId);
  const before = releases.filter((each) => each.releaseId < change && each.releaseState !== 'canceled');
  return before.sort((left, right) => right.releaseId - left.releaseId)[0];
}

interface FoundOn {
  readonly subject: Subject;
  readonly live: State | undefined;
  /** Who wrote the record last; undefined when nothing says so. */
  readonly author: Author | undefined;
  readonly findings: readonly DriftFinding[];
}

type Asking = Pick<Evidence, 'api' | 'ask' | 'session'>;

/** All findings, with release and stage of what was written, and with who deleted what is gone. */
export async function withReleases(
  asking: Asking,
  subjects: readonly Subject[],
  found: readonly FoundOn[],
): Promise<readonly DriftFinding[]> {
  const environments = subjects.filter(({ kind }) => kind.token === 'Environment').map(environmentOf);
  const findings: DriftFinding[] = [];
  for (const each of found) {
    const isWritten = each.findings.some(({ classification }) => classification !== 'pending');
    const author = isWritten ? await releasedAuthor(asking, environments, each) : undefined;
    for (const finding of each.findings) {
      const isOpen = author === undefined || finding.classification === 'pending';
      const own = isOpen ? finding : withRelease(finding, author, each.author);
      const isKnown = own.author?.releaseId === undefined || each.subject.kind.stage !== 'design';
      findings.push(isKnown ? own : { ...own, author: await inDesign(asking, environments, each.subject, own.author) });
    }
  }
  return findings;
}

/** Who wrote a record last, with release and stage; of one that is gone, who deleted it. */
async function releasedAuthor(
  asking: Asking,
  environments: readonly EnvironmentAt[],
  { subject, live, author }: FoundOn,
): Promise<Author | undefined> {
  if (author === undefined) return live === undefined ? deleter(asking, subject) : undefined;
  const change = Number(serviceStamp(live?.outputs['revision']));
  const { stage, token } = subject.kind;
  if (!Number.isSafeInteger(change) || stage === 'none' || token === 'Environment') return author;
  return stage === 'environment'
    ? inEnvironment(asking, { ...environmentOf(subject), platform: platformAt(subject) }, author, change)
    : inDesign(asking, environments, subject, author, change);
}

/** The platform that a record is, or is in; empty for none. */
const platformAt = (subject: Subject): string => pathTo(subject)['platform'] ?? '';

/** An author with the environment's release, and how far it came. `change`: without a release. */
export async function inEnvironment(
  asking: Pick<Asking, 'api' | 'ask'>,
  { platform, ...at }: EnvironmentAt & { readonly platform: string },
  author: Author,
  change = 0,
): Promise<Author> {
  if (author.stage !== undefined) return author;
  const all = (await releasesIn(asking.ask, at)) ?? [];
  const release = releaseOf(all.filter(isManifest), author, change);
  if (release === undefined) return author;
  const { releaseId } = release;
  const isDeployed = await deployedIn(asking, at, platform, all, releaseId);
  return { ...author, releaseId, ...(isDeployed === undefined ? {} : { stage: isDeployed ? 'deployed' : 'released' }) };
}

/** Whether a release's change of a platform is deployed; undefined where nothing shows it. */
const deployedIn = (
  { api, ask }: Pick<Asking, 'api' | 'ask'>,
  at: EnvironmentAt,
  platform: string,
  all: readonly Release[],
  releaseId: number,
): Promise<boolean | undefined> =>
  answerIfAny(async () =>
    (await carriedOut({ api: boundedApi(api, ask), at }, all, releaseId - 1))(platform, releaseId),
  );

/** The same with the release of the design that a record is in. */
async function inDesign(
  asking: Asking,
  environments: readonly EnvironmentAt[],
  subject: Subject,
  author: Author,
  change = 0,
): Promise<Author> {
  if (author.stage !== undefined) return author;
  const { assembly = '' } = pathTo(subject);
  const listed = author.releaseId === undefined ? await listedDesignReleases(asking.ask, assembly) : [];
  const releaseId = author.releaseId ?? releaseOf(listed, author, change)?.releaseId;
  if (releaseId === undefined) return author;
  const own = environments.filter((each) => each.assembly === assembly);
  return { ...author, releaseId, ...(await reachedStage(asking, own, platformAt(subject), releaseId)) };
}

/** How far a closed release of a design has come; no stage where an environment may run it. */
async function reachedStage(
  asking: Asking,
  environments: readonly EnvironmentAt[],
  platform: string,
  releaseId: number,
): Promise<Pick<Author, 'stage'>> {
  const api = boundedApi(asking.api, asking.ask);
  let isKnown = true;
  for (const at of environments) {
    const all = await releasesIn(asking.ask, at);
    const pulled = await answerIfAny(() => newestDeployedPull({ api, at }, releaseId - 1));
    const first = closedAfter(all ?? []).find((each) => isManifest(each) && (each.parentReleaseId ?? 0) >= releaseId);
    const isPulled = pulled !== undefined && pulled >= releaseId && first !== undefined;
    const isDeployed = isPulled && (await deployedIn(asking, at, platform, all ?? [], first.releaseId));
    if (isDeployed === true) return { stage: 'deployed' };
    // Before the first one of a full list, there may be a pull that is deployed.
    if (isDeployed === undefined || pulled === undefined || (all?.length ?? MOST) >= MOST) isKnown = false;
  }
  return isKnown ? { stage: 'released' } : {};
}

/** A finding with release and stage of the last write, unless its attribute was set in another. */
function withRelease(found: DriftFinding, author: Author, last: Author | undefined): DriftFinding {
  const own = found.attribute === undefined ? undefined : found.author;
  // A release that lists the change was read; a change without an author is in none.
  if (own?.releaseId !== undefined || (own?.who === '' && own.when === 0)) return found;
  if (own?.unsure === undefined && (own === undefined || own.when === last?.when || last === undefined))
    return { ...found, author };
  if (own.when !== last?.when) return found;
  return { ...found, author: { ...author, unsure: own.unsure ?? [] } };
}

/**
 * An open release of an environment: when it was opened (ms since 1970), and by whom; nobody when
 * another one wrote to it. Asked as the search for undeclared values asks.
 */
async function readOpenRelease(
  ask: Ask,
  subject: Subject,
  releaseId: number,
): Promise<{ readonly opened: number; readonly author: Author }> {
  const address = { ...environmentOf(subject), release: String(releaseId) };
  const open = await ask(routes.environmentReleases.read, { address, query: WITH_CHANGES });
  const opener = open?.createdBy ?? '';
  const who = (open?.updatedBy ?? opener) === opener ? opener : '';
  const when = open?.updated ?? open?.created ?? 0;
  return { opened: open?.created ?? 0, author: { who, when, releaseId, stage: 'design' } };
}

/** Who deleted a record of a design, by the newest such release; undefined where none shows it. */
async function deleter({ api, ask, session }: Asking, subject: Subject): Promise<Author | undefined> {
  if (subject.kind.stage !== 'design') return undefined;
  const { assembly = '', platform = '', name = '' } = addressIn(subject);
  const noun = subject.kind.token.toLowerCase();
  const isDeletion = (change: CommittedChange): boolean =>
    change.action === 'delete' && isSameRecord(change, { noun, name, platform });
  const found = await answerIfAny(() =>
    lastDesignChange(
      { api: boundedApi(api, ask), session, at: { assembly } },
      (change) => change.noun === 'release' || isDeletion(change),
    ),
  );
  return found === undefined || found.noun === 'release' ? undefined : found.cause;
}
