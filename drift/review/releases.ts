// Which release a change belongs to, how far it has come, who deleted what is no longer there, and which releases wait
// (service-facts §2.2.9, §3.2).
import type { Api } from '../../api/client';
import { routes, type Call, type Deployment, type Release } from '../../api/contract';
import { parseId, pathAddress, type Kind, type Session } from '../../provider';
import { type CommittedChange, isManifest, lastDesignChange, WITH_CHANGES } from '../../provider/history';
import type { State } from '../../provider/lifecycle';
import { serviceStamp } from '../../provider/secrets';
import { answerIfAny, boundedApi } from './reading';
import type { Author, DriftFinding } from './review';
import { isReferred, type ReadRecord, type Subject } from './sources';
import { closedAt, knownReleases, newLiveReader, readPull, waitingReleases, type WaitingRelease } from './waiting';

/** Releases that are looked at, newest first: a change further back is reported without its release. */
const MOST = 50;
const PAGE = { size: String(MOST) };

function addressOf({ kind, id }: { readonly kind: Kind; readonly id: string }): { readonly [name: string]: string } {
  const parsed = parseId(kind, id);
  return parsed ? pathAddress(kind, parsed.organization, parsed.address) : {};
}

export const listedDesignReleases = async (get: Call, assembly: string): Promise<readonly Release[]> =>
  ((await get(routes.designReleases.list, { address: { assembly }, query: PAGE })) as
    readonly Release[] | null | undefined) ?? [];

/** Releases of an environment; undefined when they are not known. */
async function manifestsOf(
  get: Call,
  at: { readonly [name: string]: string },
): Promise<readonly Release[] | undefined> {
  const all = (await get(routes.environmentReleases.list, { address: at, query: PAGE })) as
    readonly Release[] | null | undefined;
  return all === null ? [] : all?.filter(isManifest);
}

/**
 * The release a change was made in: a release has its number before its changes have theirs, and only one is open at a time, so it is the newest
 * one with a smaller number.
 */
function releaseOf(releases: readonly Release[], change: number): Release | undefined {
  const before = releases.filter(({ releaseId, releaseState }) => releaseId < change && releaseState !== 'canceled');
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
  readonly get: Call;
  readonly session: Session;
}

/** All findings, with release and stage of what was written, and with who removed what was deleted. */
export async function withReleases(
  asking: Asking,
  subjects: readonly Subject[],
  found: readonly FoundOn[],
): Promise<readonly DriftFinding[]> {
  const { get } = asking;
  const findings: DriftFinding[] = [];
  for (const each of found) {
    const isWritten = each.findings.some(({ classification }) => classification !== 'pending');
    const author = isWritten ? await releasedAuthor(asking, subjects, each) : undefined;
    for (const finding of each.findings)
      findings.push(
        await withReachedStage(
          get,
          subjects,
          each.subject,
          author === undefined || finding.classification === 'pending'
            ? finding
            : withRelease(finding, author, each.author),
        ),
      );
  }
  return findings;
}

/** Who wrote a record last, with release and stage; of one that no longer exists, who removed it. */
async function releasedAuthor(
  asking: Asking,
  subjects: readonly Subject[],
  { subject, live, author }: FoundOn,
): Promise<Author | undefined> {
  if (author === undefined) return live === undefined ? deleter(asking, subject) : undefined;
  const { get } = asking;
  const change = Number(serviceStamp(live?.outputs['revision']));
  const { stage } = subject.kind;
  if (author.stage !== undefined || !Number.isSafeInteger(change)) return author;
  if (stage === 'none' || subject.kind.token === 'Environment') return author;
  if (stage === 'environment') return releasedInEnvironment(get, subject, change, author);
  const environments = subjects.filter(({ kind }) => kind.token === 'Environment');
  return releasedInDesign({ get, environments }, subject, change, author);
}

async function releasedInEnvironment(get: Call, subject: Subject, change: number, author: Author): Promise<Author> {
  const place = environmentOf(subject);
  const release = releaseOf((await manifestsOf(get, place)) ?? [], change);
  if (release === undefined) return author;
  const released = { ...author, releaseId: release.releaseId };
  const isReached = await isDeployed(get, place, closedAt(release));
  return isReached === undefined ? released : { ...released, stage: isReached ? 'deployed' : 'released' };
}

async function releasedInDesign(
  { get, environments }: { readonly get: Call; readonly environments: readonly Subject[] },
  subject: Subject,
  change: number,
  author: Author,
): Promise<Author> {
  const assembly = addressOf(subject)['assembly'];
  const release = releaseOf(await listedDesignReleases(get, assembly ?? ''), change);
  if (release === undefined) return author;
  const { releaseId } = release;
  return { ...author, releaseId, ...(await reachedStage({ get, environments }, assembly, releaseId)) };
}

/** How far a closed release of a design has come; without a stage where an environment of which that is not known may run it. */
async function reachedStage(
  { get, environments }: { readonly get: Call; readonly environments: readonly Subject[] },
  assembly: string | undefined,
  releaseId: number,
): Promise<Pick<Author, 'stage'>> {
  let isKnown = true;
  for (const environment of environments) {
    const place = environmentOf(environment);
    if (place.assembly !== assembly) continue;
    const manifests = await manifestsOf(get, place);
    // The first pull of the release: a later one that waits takes nothing back.
    const pulls = (manifests ?? []).filter(({ parentReleaseId }) => (parentReleaseId ?? 0) >= releaseId);
    const [pulled] = pulls.sort((left, right) => left.releaseId - right.releaseId);
    const isReached = pulled && (await isDeployed(get, place, closedAt(pulled)));
    if (isReached === true) return { stage: 'deployed' };
    // Of more pulls than a list has, the first one may be an earlier one, which is deployed.
    if (manifests === undefined || pulls.length >= MOST || (pulled && isReached === undefined)) isKnown = false;
  }
  return isKnown ? { stage: 'released' } : {};
}

/** An author whose release of an environment is committed, with how far that release has come. */
export async function withReachedRelease(
  get: Call,
  at: { readonly [name: string]: string },
  author: Author,
): Promise<Author> {
  if (author.stage !== undefined || author.releaseId === undefined) return author;
  const release = (await manifestsOf(get, at))?.find(({ releaseId }) => releaseId === author.releaseId);
  const isReached = release && (await isDeployed(get, at, closedAt(release)));
  return isReached === undefined ? author : { ...author, stage: isReached ? 'deployed' : 'released' };
}

/** A finding of which only the release is known, with how far that release has come. */
async function withReachedStage(
  get: Call,
  subjects: readonly Subject[],
  subject: Subject,
  found: DriftFinding,
): Promise<DriftFinding> {
  const { author } = found;
  if (author?.releaseId === undefined || author.stage !== undefined || subject.kind.stage !== 'design') return found;
  const environments = subjects.filter(({ kind }) => kind.token === 'Environment');
  const reached = await reachedStage({ get, environments }, addressOf(subject)['assembly'], author.releaseId);
  return { ...found, author: { ...author, ...reached } };
}

/** The address of the environment that a record is, or is in. */
export function environmentOf(subject: Pick<Subject, 'kind' | 'id'>): {
  readonly assembly: string;
  readonly environment: string;
} {
  const at = addressOf(subject);
  return { assembly: at['assembly'] ?? '', environment: at['environment'] ?? '' };
}

/** A finding with release and stage of the record's last write, unless its attribute was set in another one. */
function withRelease(found: DriftFinding, author: Author, last: Author | undefined): DriftFinding {
  const own = found.attribute === undefined ? undefined : found.author;
  // A release that lists the change was read already. A change that nobody is named for is in none that is known.
  if (own?.releaseId !== undefined || (own?.who === '' && own.when === 0)) return found;
  if (own?.unsure === undefined && (own === undefined || own.when === last?.when || last === undefined))
    return { ...found, author };
  if (own.when !== last?.when) return found;
  return { ...found, author: { ...author, unsure: own.unsure ?? [] } };
}

/** An open release: when it was opened (ms since 1970), and who changes the environment in it. */
interface OpenRelease {
  readonly opened: number;
  /** Who opened it; '' when another one wrote to it since, or the release does not say. */
  readonly author: Author;
}

/** An open release of an environment. It is requested with its changes, because the search for undeclared values reads it so. */
export async function readOpenRelease(get: Call, subject: Subject, releaseId: number): Promise<OpenRelease> {
  const address = { ...environmentOf(subject), release: String(releaseId) };
  const open = (await get(routes.environmentReleases.read, { address, query: WITH_CHANGES })) as
    Release | null | undefined;
  const opener = open?.createdBy ?? '';
  const author: Author = {
    who: (open?.updatedBy ?? opener) === opener ? opener : '',
    when: open?.updated ?? open?.created ?? 0,
    releaseId,
    stage: 'design',
  };
  return { opened: open?.created ?? 0, author };
}

/**
 * Whether the newest deployment is complete and began once a release was closed. Undefined when that is not known: no answer, or a deployment since
 * that is not complete, so that an earlier one may be.
 */
async function isDeployed(
  get: Call,
  at: { readonly [name: string]: string },
  since: number,
): Promise<boolean | undefined> {
  const newest = (await get(routes.deployments.latest, { address: at })) as Deployment | null | undefined;
  if (newest === undefined) return undefined;
  if (newest === null || (newest.created ?? 0) < since) return false;
  return newest.deploymentState === 'complete' ? true : undefined;
}

/** Who deleted a record of a design, by the newest release that did; undefined when the service does not show it. */
async function deleter({ api, get, session }: Asking, { kind, id }: Subject): Promise<Author | undefined> {
  if (kind.stage !== 'design') return undefined;
  const { assembly = '', platform = '', name = '' } = parseId(kind, id)?.address ?? {};
  const noun = kind.token.toLowerCase();
  const at = { organization: api.organization, assembly };
  const isDeletion = (change: CommittedChange): boolean =>
    change.action === 'delete' &&
    change.noun === noun &&
    change.name === name &&
    (noun === 'platform' || change.platform === platform);
  const found = await answerIfAny(() =>
    lastDesignChange(
      { api: boundedApi(api, get), session, at },
      (change) => change.noun === 'release' || isDeletion(change),
    ),
  );
  if (found === undefined || found.noun === 'release') return undefined;
  const { by: who, at: when, releaseId } = found.cause;
  return { who, when, releaseId };
}

/** A release of a design that waits, with those of its members that no finding is about. */
export interface WaitingInDesign {
  readonly release: WaitingRelease;
  /** Absent where the service does not list its changes. */
  readonly members: readonly string[] | undefined;
  /** Whether nothing of it is declared by this stack, or inside a record that this stack declares. */
  readonly isElsewhere: boolean;
}

/** The releases of designs that no environment of the stack has yet, and a sentence for each thing that could not be read. */
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
  // An environment of which the program declares the release has no number here; others may have pulled since the last run.
  const pulled = await Promise.all(
    Object.entries(environments)
      .filter(([id, own]) => own.pulled > 0 && there.has(id))
      .map(async ([id, own]) => [id, { ...own, pulled: await readPull(api, reader, id, own.pulled) }] as const),
  );
  const releases = await waitingReleases(
    { api, reader, known: { designs, environments: Object.fromEntries(pulled) } },
    pulled.map(([environment]) => ({ environment, pulls: true, deploys: false })),
  );
  const own = known.filter(({ subject }) => !isReferred(subject));
  const declared = new Set(own.map(({ subject }) => subject.id));
  return {
    waiting: releases.flatMap((release) => waitingIn(release, findings, declared)),
    notes: reader.unread.map((line) => `what waits to be deployed may not be complete: ${line}`),
  };
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
  const members = release.members?.filter((member) => !said.has(idOf(member)));
  if (members?.length === 0) return [];
  // The assembly is above all of them: only what is below it is more than a neighbour.
  const isOurs = (id: string): boolean =>
    id.length > release.address.length && (declared.has(id) || isOurs(id.slice(0, id.lastIndexOf('/'))));
  return [{ release, members, isElsewhere: members !== undefined && !members.some((each) => isOurs(idOf(each))) }];
}
