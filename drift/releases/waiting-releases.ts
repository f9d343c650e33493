// Committed releases that the state of a stack does not know, and that the next pull or deployment of an environment brings along.
// GETs only: one for each environment, one for each design, and one for each release that waits.
import type { Api } from '../../api/client';
import { routes, type Deployment, type Release } from '../../api/contract';
import type { KnownReleases } from './known-releases';
import type { LiveReader } from './live-reader';
import { releasedMembers, type ReleasedMembers } from './released-members';

/** An environment that a run is about to change. */
interface ReachedEnvironment {
  /** Id: `acme/shop/prod`. */
  readonly environment: string;
  /** Whether the run pulls the design into it. */
  readonly pulls: boolean;
  /** Whether the run deploys it. */
  readonly deploys: boolean;
}

/** A release that comes along. */
export interface WaitingRelease {
  readonly of: 'design' | 'environment';
  /** Id of the assembly, or of the environment. */
  readonly address: string;
  readonly releaseId: number;
  /** Name of the user who committed it, where the service says so. */
  readonly who?: string;
  /** When, in milliseconds since 1970. */
  readonly when?: number;
  /** Ids of the environments that it comes to. */
  readonly environments: readonly string[];
  /** `~web/tomcat -db`; absent where the service does not list its changes, and for the oldest of many. */
  readonly members?: readonly string[];
  /** By the path of a record that was only changed: names of its attributes on the wire. */
  readonly attributes?: { readonly [path: string]: readonly string[] };
  /** Whether the instances that it touches can be counted by its members. */
  readonly isCountable: boolean;
}

/** What is asked, and of whom. */
interface Asking {
  readonly api: Api;
  readonly reader: LiveReader;
  readonly known: KnownReleases;
}

/** Entries of a list of releases, or of a timeline, that are looked at. */
const MOST = 50;
const PAGE = { size: String(MOST) };
const WITH_CHANGES = { include_rfcs: 'true' };
/** Releases of which the changes are read, newest first. */
const DETAILED = 10;

/** The releases that come along to environments, newest first. */
export async function waitingReleases(
  asking: Asking,
  reached: readonly ReachedEnvironment[],
): Promise<readonly WaitingRelease[]> {
  const assemblies = [...new Set(reached.map(({ environment }) => assemblyOf(environment)))];
  const parts = await Promise.all(assemblies.map((assembly) => waitingIn(asking, assembly, reached)));
  return parts.flat();
}

const assemblyOf = (environment: string): string => environment.split('/').slice(0, 2).join('/');
const committer = ({ commitedBy, createdBy }: Release): string => commitedBy ?? createdBy ?? '';
const closedAt = ({ updated, created }: Release): number => updated ?? created ?? 0;
const isClosed = ({ releaseState }: Release): boolean => releaseState === 'closed';

async function waitingIn(
  asking: Asking,
  assembly: string,
  reached: readonly ReachedEnvironment[],
): Promise<readonly WaitingRelease[]> {
  const { api, reader, known } = asking;
  const own = reached.filter(({ environment }) => assemblyOf(environment) === assembly);
  const [, name = ''] = assembly.split('/');
  const design =
    (await reader.read(`the releases of ${assembly}`, () =>
      api.call(routes.designReleases.list, { address: { assembly: name }, query: PAGE }),
    )) ?? [];
  const newest = known.designs[assembly] ?? 0;
  const ours = design.filter(({ releaseId }) => releaseId === newest).map(committer);
  const brought = new Map<Release, string[]>();
  for (const { environment } of own.filter(({ pulls }) => pulls)) {
    const pulled = known.environments[environment]?.pulled || newest;
    // What the same user committed before the newest known one, an interrupted run of the stack did.
    const isKnown = (each: Release): boolean =>
      each.releaseId === newest || (each.releaseId < newest && ours.includes(committer(each)));
    const waits = design.filter((each) => isClosed(each) && each.releaseId > pulled && !isKnown(each));
    for (const each of waits) brought.set(each, [...(brought.get(each) ?? []), environment]);
    if (pulled > 0 && design.length >= MOST && design.every(({ releaseId }) => releaseId > pulled))
      reader.unread.push(
        `the releases of ${assembly}: more than ${MOST} are newer than the one that ${environment} has`,
      );
  }
  const ofDesign = [...brought].map(([release, environments]) => ({ of: 'design' as const, release, environments }));
  const ofEnvironments = await Promise.all(
    own
      .filter(({ deploys }) => deploys)
      .map(async ({ environment }) =>
        (await undeployedIn(asking, environment, ours)).map((release) => ({
          of: 'environment' as const,
          release,
          environments: [environment],
        })),
      ),
  );
  const all = [...ofDesign, ...ofEnvironments.flat()].sort((one, two) => two.release.releaseId - one.release.releaseId);
  return Promise.all(all.map((each, index) => described(asking, assembly, each, index < DETAILED)));
}

/** Releases of an environment that another user committed, and nobody has deployed. */
async function undeployedIn(
  { api, reader, known }: Asking,
  id: string,
  committers: readonly string[],
): Promise<readonly Release[]> {
  const [, assembly = '', environment = ''] = id.split('/');
  const entries =
    (await reader.read(`the releases and deployments of ${id}`, () =>
      api.call(routes.environments.timeline, { address: { assembly, environment }, query: PAGE }),
    )) ?? [];
  const deployments = entries.filter((each): each is Deployment => 'deploymentState' in each);
  const releases = entries.filter((each): each is Release => 'releaseState' in each && !('deploymentState' in each));
  const [complete] = deployments
    .filter(({ deploymentState }) => deploymentState === 'complete')
    .sort((one, other) => other.deploymentId - one.deploymentId);
  const plan = releases.find(({ releaseId }) => releaseId === complete?.releaseId)?.parentReleaseId ?? 0;
  const isDeployed = (each: Release): boolean =>
    complete !== undefined && (plan > 0 ? each.releaseId <= plan : closedAt(each) <= (complete.created ?? 0));
  const { deployment = 0 } = known.environments[id] ?? {};
  const deployers = deployments.filter(({ deploymentId }) => deploymentId === deployment).map((each) => each.createdBy);
  const ours: readonly unknown[] = [...committers, ...deployers];
  return releases.filter(
    (each) =>
      each.nsPath.endsWith('/manifest') && isClosed(each) && !isDeployed(each) && !ours.includes(committer(each)),
  );
}

interface Found {
  readonly of: WaitingRelease['of'];
  readonly release: Release;
  readonly environments: readonly string[];
}

async function described(
  asking: Asking,
  assembly: string,
  { of, release, environments }: Found,
  isDetailed: boolean,
): Promise<WaitingRelease> {
  const address = of === 'design' ? assembly : (environments[0] ?? '');
  const changes = isDetailed ? await changesOf(asking, address, release) : undefined;
  const [who, when] = [committer(release), closedAt(release)];
  return {
    ...{ of, address, releaseId: release.releaseId },
    ...(who === '' ? {} : { who }),
    ...(when > 0 ? { when } : {}),
    environments,
    ...(changes === undefined ? {} : { members: changes.members, attributes: changes.attributes }),
    isCountable: changes?.isCountable ?? false,
  };
}

async function changesOf(
  { api, reader }: Asking,
  id: string,
  { releaseId }: Release,
): Promise<ReleasedMembers | undefined> {
  const [, assembly = '', environment] = id.split('/');
  const release = String(releaseId);
  const read = await reader.read(`release ${release} of ${id}`, () =>
    environment === undefined
      ? api.call(routes.designReleases.read, { address: { assembly, release }, query: WITH_CHANGES })
      : api.call(routes.environmentReleases.read, { address: { assembly, environment, release }, query: WITH_CHANGES }),
  );
  return read && releasedMembers(read, { componentsOf, cloudsOf });

  async function componentsOf(platform: string): Promise<ReadonlyMap<number, string>> {
    const components = await reader.read(`the components of ${id}/${platform}`, () =>
      environment === undefined
        ? api.call(routes.components.list, { address: { assembly, platform } })
        : api.call(routes.environmentPlatforms.components, { address: { assembly, environment, platform } }),
    );
    return new Map((components ?? []).map(({ ciId, ciName }) => [ciId, ciName]));
  }
  async function cloudsOf(platform: string): Promise<ReadonlyMap<number, string>> {
    if (environment === undefined) return new Map();
    const found = await reader.read(`platform ${id}/${platform}`, () =>
      api.call(routes.environmentPlatforms.read, { address: { assembly, environment, platform } }),
    );
    return new Map((found?.consumes ?? []).map(({ ciRelationId, toCi }) => [ciRelationId, toCi?.ciName ?? '']));
  }
}
