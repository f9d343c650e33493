// What happened in the service since a plan was made, besides the records of its start: releases, deployments, and records that the plan creates.
import type { Api } from '../../api/client';
import { routes, type Deployment, type Release } from '../../api/contract';
import { Bug, Forbidden, NotFound, OneOpsError, Unauthenticated } from '../../api/errors';
import { formatId, holdsUnknown, parentAddress, parseId, scopeOfId, type Kind, type Session } from '../../provider';
import { type AppliedRecord, readLive, type Unread } from '../../drift';
import type { PlannedStep } from '../document';
import type { StaleReason } from './verification';

/** What is asked, and from when on something counts as new. */
interface LiveStart {
  /** Read-only. */
  readonly api: Api;
  readonly session: Session;
  /** Steps that do something. */
  readonly steps: readonly PlannedStep[];
  readonly records: readonly AppliedRecord[];
  /** User of the token. */
  readonly user: string | undefined;
  /** When the plan was made, by the service's clock. */
  readonly since: number;
}

interface Found {
  readonly reasons: readonly StaleReason[];
  readonly unread: readonly Unread[];
}

/** Everything that happened since, in the assemblies and environments of the plan. */
export async function happenedSince(asking: LiveStart): Promise<Found> {
  const parts = [
    await namesakes(asking),
    ...(await Promise.all(placesOf(asking, 'assembly').map((id) => designReleases(asking, id)))),
    ...(await Promise.all(placesOf(asking, 'environment').map((id) => environmentHistory(asking, id)))),
  ];
  return { reasons: parts.flatMap(({ reasons }) => reasons), unread: parts.flatMap(({ unread }) => unread) };
}

/** Records that the plan creates, and another user created since. One inside a record that the plan creates too is not looked for. */
async function namesakes({ api, session, steps, since }: LiveStart): Promise<Found> {
  const created = steps.filter(({ operation }) => operation === 'create');
  const born = new Set(created.map(({ address }) => address));
  const wanted = created.flatMap(({ kind: of, address, step }) => {
    const kind = of && scopeOfId(of, address);
    if (kind === undefined || kind.verbs.isAction === true || kind.commits !== undefined) return [];
    const above = parentOf(kind, address);
    if (above !== undefined && born.has(above)) return [];
    const { __provider: _, __kept: __, ...inputs } = step.newState?.inputs ?? {};
    const known = Object.fromEntries(Object.entries(inputs).filter(([, value]) => !holdsUnknown(value)));
    return [{ kind, id: address, known: { ...known, origin: 'created' } }];
  });
  const reads = await readLive(api, wanted, { concurrency: 8, session });
  return {
    reasons: reads.flatMap((read, index) => {
      const { updated, updatedBy } = ('live' in read ? read.live?.outputs : undefined) ?? {};
      if (typeof updated !== 'number' || updated < since) return [];
      const message = 'the plan creates it, and somebody created or changed it since';
      return [{ of: 'created', address: wanted[index]?.id ?? '', message, ...author(updatedBy, updated) } as const];
    }),
    unread: reads.flatMap((read) => ('unread' in read ? [read.unread] : [])),
  };
}

function parentOf(kind: Kind, id: string): string | undefined {
  const parsed = parseId(kind, id);
  const above = parsed && parentAddress(kind, parsed.address);
  return above && kind.within && parsed ? formatId(kind.within, parsed.organization, above) : undefined;
}

/** Who and when, as far as they are known. */
function author(who: unknown, when: unknown): Pick<StaleReason, 'who' | 'when'> {
  return {
    ...(typeof who === 'string' && who !== '' ? { who } : {}),
    ...(typeof when === 'number' && when > 0 ? { when } : {}),
  };
}

/** Ids of the assemblies, or the environments, that the plan is about and does not create. */
function placesOf({ steps, records }: LiveStart, holds: 'assembly' | 'environment'): readonly string[] {
  const parts = holds === 'assembly' ? 2 : 3;
  const own = records.filter(({ kind }) =>
    holds === 'assembly'
      ? kind.stage === 'design' || kind.commits !== undefined
      : kind.holds === holds || kind.commits === holds,
  );
  const ids = new Set(own.map(({ id }) => id.split('/').slice(0, parts).join('/')));
  const born = new Set(
    steps.filter(({ operation }) => operation === 'create').map(({ address, kind }) => (kind?.commits ? '' : address)),
  );
  return [...ids].filter((id) => id.split('/').length === parts && !born.has(id));
}

/** Newest entries of a list of releases, or of an environment's timeline, that are looked at. */
const PAGE = { size: '50' };

/** An open design release of another user, and a release that was committed since. */
async function designReleases(asking: LiveStart, id: string): Promise<Found> {
  const [, assembly = ''] = id.split('/');
  return asked(`the releases of ${id}`, id, async () => {
    const address = { assembly };
    const latest = await asking.api.call(routes.designReleases.latest, { address });
    // What was discarded hides what was committed before it.
    const isDiscarded = latest.releaseState === 'canceled';
    const releases = isDiscarded
      ? await asking.api.call(routes.designReleases.list, { address, query: PAGE })
      : [latest];
    const committed = asking.records.find(({ kind, id: own }) => kind.commits === 'design' && own === id);
    return releaseReasons(asking, id, releases, Number(committed?.computed['releaseId'] ?? 0));
  });
}

/** An open release of another user, what was committed since, and deployments that run or ran since. */
async function environmentHistory(asking: LiveStart, id: string): Promise<Found> {
  const [, assembly = '', environment = ''] = id.split('/');
  return asked(`the releases and deployments of ${id}`, id, async () => {
    const address = { assembly, environment };
    const entries = await asking.api.call(routes.environments.timeline, { address, query: PAGE });
    const own = asking.records.find(({ kind, id: other }) => kind.commits === 'environment' && other === id)?.computed;
    const deployments = entries.filter((each): each is Deployment => 'deploymentState' in each);
    const releases = entries.filter((each): each is Release => 'releaseState' in each && !('deploymentState' in each));
    return [
      ...releaseReasons(asking, id, releases, Number(own?.['releaseId'] ?? 0)),
      ...deployments.flatMap((each) => deploymentReasons(asking, id, each, Number(own?.['deploymentId'] ?? 0))),
    ];
  });
}

/** `known`: the newest release that the state knows of. */
function releaseReasons(
  { user, since }: LiveStart,
  address: string,
  releases: readonly Release[],
  known: number,
): readonly StaleReason[] {
  return releases.flatMap(({ releaseId, releaseState, createdBy, created, updated, commitedBy }): StaleReason[] => {
    if ((releaseId <= known && releaseState !== 'open') || releaseState === 'canceled') return [];
    const isOpen = releaseState === 'open';
    const who = isOpen ? createdBy : (commitedBy ?? createdBy);
    const when = isOpen ? created : (updated ?? created);
    if (isOpen ? who === user && (created ?? 0) < since : (when ?? 0) < since) return [];
    const message = isOpen ? `release ${releaseId} is open` : `release ${releaseId} was committed since`;
    return [{ of: 'release', address, message, ...author(who, when) }];
  });
}

/** States in which a deployment does nothing any more. */
const ENDED = ['complete', 'canceled', 'failed'];

/** `known`: the newest deployment that the state knows of. */
function deploymentReasons(
  { since }: LiveStart,
  address: string,
  { deploymentId, deploymentState, createdBy, created }: Deployment,
  known: number,
): readonly StaleReason[] {
  const runs = !ENDED.includes(deploymentState);
  if (!runs && (deploymentId <= known || (created ?? 0) < since)) return [];
  const message = runs ? `deployment ${deploymentId} is ${deploymentState}` : `deployment ${deploymentId} ran since`;
  return [{ of: 'deployment', address, message, ...author(createdBy, created) }];
}

/** What was found, or that it could not be looked at. A place that no longer exists is reported with its record. */
async function asked(what: string, address: string, look: () => Promise<readonly StaleReason[]>): Promise<Found> {
  try {
    return { reasons: await look(), unread: [] };
  } catch (error) {
    if (error instanceof NotFound) return { reasons: [], unread: [] };
    if (!(error instanceof OneOpsError) || error instanceof Bug) throw error;
    const reason = `cannot read ${what}: ${error.message.split('\n')[0] ?? ''}`;
    const authentication = error instanceof Unauthenticated || error instanceof Forbidden;
    return {
      reasons: [],
      unread: [{ kind: 'Release', address, reason, ...(authentication ? { authentication } : {}) }],
    };
  }
}
