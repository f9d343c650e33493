// Which release a change belongs to, how far it has come, who deleted what is no longer there, and
// which releases wait (service-facts §2.2.9, §3.2).
import type { Api } from '../../api/client';
import { routes, type Release } from '../../api/contract';
import { scopeOfId, type Session } from '../../provider';
import { kindOf } from '../../provider/kinds';
import { type CommittedChange, isManifest, lastDesignChange, WITH_CHANGES } from '../../provider/history';
import type { State } from '../../provider/lifecycle';
import { serviceStamp } from '../../provider/secrets';
import { answerIfAny, boundedApi, type Ask } from './reading';
import { type Author, authorOfChange, type DriftFinding, type IgnoredFinding } from './review';
import { addressIn, isReferred, pathTo, type Place, type ReadRecord, recordPath, type Subject } from './sources';
import {
  closedAt,
  knownReleases,
  newLiveReader,
  openReleases,
  readPull,
  waitingReleases,
  type WaitingRelease,
} from './waiting';

/** Releases that are looked at, newest first: an older change is reported without its release. */
const MOST = 50;
const PAGE = { size: String(MOST) };

export const listedDesignReleases = async (ask: Ask, assembly: string): Promise<readonly Release[]> =>
  (await ask(routes.designReleases.list, { address: { assembly }, query: PAGE })) ?? [];

/** Releases of an environment; undefined when they are not known. */
export async function manifestsOf(ask: Ask, address: EnvironmentAt): Promise<readonly Release[] | undefined> {
  const all = await ask(routes.environmentReleases.list, { address, query: PAGE });
  return all === null ? [] : all?.filter(isManifest);
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

/** The connection of a review, a few further requests, and what remembers closed releases. */
interface Asking {
  readonly api: Api;
  readonly ask: Ask;
  readonly session: Session;
}

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
      findings.push(
        isKnown ? own : { ...own, author: await inDesign(asking.ask, environments, each.subject, own.author) },
      );
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
    ? inEnvironment(asking.ask, environmentOf(subject), author, change)
    : inDesign(asking.ask, environments, subject, author, change);
}

/** An author with the environment's release, and how far it came. `change`: without a release. */
export async function inEnvironment(ask: Ask, at: EnvironmentAt, author: Author, change = 0): Promise<Author> {
  if (author.stage !== undefined) return author;
  const release = releaseOf((await manifestsOf(ask, at)) ?? [], author, change);
  if (release === undefined) return author;
  const isReached = await isDeployed(ask, at, closedAt(release));
  const { releaseId } = release;
  return { ...author, releaseId, ...(isReached === undefined ? {} : { stage: isReached ? 'deployed' : 'released' }) };
}

/** The same with the release of the design that a record is in. */
async function inDesign(
  ask: Ask,
  environments: readonly EnvironmentAt[],
  subject: Subject,
  author: Author,
  change = 0,
): Promise<Author> {
  if (author.stage !== undefined) return author;
  const { assembly = '' } = pathTo(subject);
  const releaseId = author.releaseId ?? releaseOf(await listedDesignReleases(ask, assembly), author, change)?.releaseId;
  if (releaseId === undefined) return author;
  const own = environments.filter((each) => each.assembly === assembly);
  return { ...author, releaseId, ...(await reachedStage(ask, own, releaseId)) };
}

/** How far a closed release of a design has come; no stage where an environment may run it. */
async function reachedStage(
  ask: Ask,
  environments: readonly EnvironmentAt[],
  releaseId: number,
): Promise<Pick<Author, 'stage'>> {
  let isKnown = true;
  for (const at of environments) {
    const manifests = await manifestsOf(ask, at);
    // The first pull of the release: a later one that waits takes nothing back.
    const pulls = (manifests ?? []).filter(({ parentReleaseId }) => (parentReleaseId ?? 0) >= releaseId);
    const [pulled] = pulls.sort((left, right) => left.releaseId - right.releaseId);
    const isReached = pulled && (await isDeployed(ask, at, closedAt(pulled)));
    if (isReached === true) return { stage: 'deployed' };
    // Of more pulls than a list has, the first one may be an earlier one, which is deployed.
    if (manifests === undefined || pulls.length >= MOST || (pulled && isReached === undefined)) isKnown = false;
  }
  return isKnown ? { stage: 'released' } : {};
}

export interface EnvironmentAt {
  readonly [parameter: string]: string;
  readonly assembly: string;
  readonly environment: string;
}

/** The address of the environment that a record is, or is in. */
export function environmentOf(place: Place): EnvironmentAt {
  const { assembly = '', environment = '' } = pathTo(place);
  return { assembly, environment };
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
export async function readOpenRelease(
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

/**
 * Whether the newest deployment is complete and began once a release was closed. Undefined without
 * an answer, or where an earlier one may be.
 */
async function isDeployed(ask: Ask, address: EnvironmentAt, since: number): Promise<boolean | undefined> {
  const newest = await ask(routes.deployments.latest, { address });
  if (newest === undefined) return undefined;
  if (newest === null || (newest.created ?? 0) < since) return false;
  return newest.deploymentState === 'complete' ? true : undefined;
}

/** Who deleted a record of a design, by the newest such release; undefined where none shows it. */
async function deleter({ api, ask, session }: Asking, subject: Subject): Promise<Author | undefined> {
  if (subject.kind.stage !== 'design') return undefined;
  const { assembly = '', platform = '', name = '' } = addressIn(subject);
  const noun = subject.kind.token.toLowerCase();
  const at = { organization: api.organization, assembly };
  const isDeletion = (change: CommittedChange): boolean =>
    change.action === 'delete' &&
    change.noun === noun &&
    change.name === name &&
    (noun === 'platform' || change.platform === platform);
  const found = await answerIfAny(() =>
    lastDesignChange(
      { api: boundedApi(api, ask), session, at },
      (change) => change.noun === 'release' || isDeletion(change),
    ),
  );
  return found === undefined || found.noun === 'release' ? undefined : authorOfChange(found.cause);
}

/** A release that waits, or is open, with its members that no finding is about. */
export interface WaitingInDesign {
  readonly release: WaitingRelease;
  /** Absent where the service does not list its changes. */
  readonly members: readonly string[] | undefined;
  /** Whether this stack declares nothing of it, nor a record that it is inside of. */
  readonly isElsewhere: boolean;
}

/** Releases of designs that no environment has yet, open ones, and what could not be read. */
export async function waitingInDesigns(
  api: Api,
  known: readonly ReadRecord[],
  findings: readonly DriftFinding[],
): Promise<{ readonly waiting: readonly WaitingInDesign[]; readonly notes: readonly string[] }> {
  const records = known.flatMap(({ subject: { applied, id, kind } }) =>
    applied === undefined ? [] : [{ kind, id, outputs: applied.computed }],
  );
  const { designs, environments } = knownReleases(records);
  const there = new Set(known.flatMap(({ subject, live }) => (live === undefined ? [] : [subject.id])));
  const reader = newLiveReader();
  // A release that the program declares has no number here; others may have pulled since.
  const pulled = await Promise.all(
    Object.entries(environments)
      .filter(([id, own]) => own.pulled > 0 && there.has(id))
      .map(async ([id, own]) => [id, { ...own, pulled: await readPull(api, reader, id, own.pulled) }] as const),
  );
  const asking = { api, reader, known: { designs, environments: Object.fromEntries(pulled) } };
  const committed = await waitingReleases(
    asking,
    pulled.map(([environment]) => ({ environment, pulls: true, deploys: false })),
  );
  const assemblies = known.flatMap(({ subject: { kind, id } }) =>
    kind.token === 'Assembly' && there.has(id) ? [id] : [],
  );
  const releases = [...(await openReleases(asking, assemblies)), ...committed];
  const own = known.filter(({ subject }) => !isReferred(subject));
  const declared = new Set(own.map(({ subject }) => subject.id));
  return {
    waiting: releases.flatMap((release) => waitingIn(release, findings, declared)),
    notes: reader.unread.map((line) => `what waits to be deployed may not be complete: ${line}`),
  };
}

/** Open releases of environments that have ignored changes: no other row says that these wait. */
export function openInEnvironments(ignored: readonly IgnoredFinding[]): readonly WaitingInDesign[] {
  const all = new Map<number, WaitingInDesign>();
  for (const { finding } of ignored) {
    const { who, when, releaseId = 0, stage } = finding.author ?? {};
    const of = kindOf(finding.kind);
    const kind = of && scopeOfId(of, finding.address);
    if (stage !== 'design' || releaseId === 0 || kind?.stage !== 'environment') continue;
    const { assembly, environment } = environmentOf({ kind, id: finding.address });
    const address = [finding.address.split('/')[0], assembly, environment].join('/');
    const members = new Set([...(all.get(releaseId)?.members ?? []), `~${recordPath(finding)}`]);
    const author = { ...(who === undefined ? {} : { who }), ...(when === undefined ? {} : { when }) };
    const place = { of: 'environment', address, environments: [], isOpen: true } as const;
    const release = { ...place, releaseId, ...author, isCountable: false };
    all.set(releaseId, { release, members: [...members], isElsewhere: false });
  }
  return [...all.values()];
}

function waitingIn(
  release: WaitingRelease,
  findings: readonly DriftFinding[],
  declared: ReadonlySet<string>,
): readonly WaitingInDesign[] {
  const said = new Set(
    findings.filter(({ classification }) => classification !== 'touched').map((each) => each.address),
  );
  const idOf = (member: string): string => `${release.address}/${member.slice(1)}`;
  // Members lack the words that ids have between names.
  const saidOf = new Set([...said].map((id) => id.replace(/\/(platforms|monitors)\//, '/')));
  const members = release.members?.filter((member) => ![said, saidOf].some((ids) => ids.has(idOf(member))));
  if (members?.length === 0) return [];
  // The assembly is above all of them: only what is below it is more than a neighbour.
  const isOurs = (id: string): boolean =>
    id.length > release.address.length && (declared.has(id) || isOurs(id.slice(0, id.lastIndexOf('/'))));
  return [{ release, members, isElsewhere: members !== undefined && !members.some((each) => isOurs(idOf(each))) }];
}
