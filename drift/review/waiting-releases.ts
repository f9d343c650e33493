// Committed releases that the state of a stack does not know, and that the next pull or deployment of an environment brings along.
// GETs only: one for each environment, one for each design, and one for each release that waits.
import type { Api } from '../../api/client';
import { routes, type Deployment, type Release, type Record as WireRecord, type Relation } from '../../api/contract';
import { platformOf, type Kind } from '../../provider';
import { designReleasesAfter, isManifest, newestPull, nounOf } from '../../provider/history';
import { Forbidden, messageOf, NotFound, Unauthenticated } from '../../api/errors';
import { timeText } from '../report/words';
import { closedAt, committer } from './releases';

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
const isClosed = ({ releaseState }: Release): boolean => releaseState === 'closed';

async function waitingIn(
  asking: Asking,
  assembly: string,
  reached: readonly ReachedEnvironment[],
): Promise<readonly WaitingRelease[]> {
  const { api, reader, known } = asking;
  const own = reached.filter(({ environment }) => assemblyOf(environment) === assembly);
  const [, name = ''] = assembly.split('/');
  const newest = known.designs[assembly] ?? 0;
  const pulledBy = ({ environment }: ReachedEnvironment): number => known.environments[environment]?.pulled || newest;
  // Whoever deploys asks who committed the newest known one.
  const oldest = own.some(({ deploys }) => deploys) ? 0 : Math.min(...own.map(pulledBy));
  const at = { assembly: name };
  const design =
    (await reader.read(`the releases of ${assembly}`, () => designReleasesAfter({ api, at }, oldest))) ?? [];
  const ours = design.filter(({ releaseId }) => releaseId === newest).map(committer);
  const brought = new Map<Release, string[]>();
  for (const each of own.filter(({ pulls }) => pulls)) {
    const { environment } = each;
    const pulled = pulledBy(each);
    // What the same user committed before the newest known one, an interrupted run of the stack did.
    const isKnown = (release: Release): boolean =>
      release.releaseId === newest || (release.releaseId < newest && ours.includes(committer(release)));
    const waits = design.filter((release) => isClosed(release) && release.releaseId > pulled && !isKnown(release));
    for (const release of waits) brought.set(release, [...(brought.get(release) ?? []), environment]);
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
    (each) => isManifest(each) && isClosed(each) && !isDeployed(each) && !ours.includes(committer(each)),
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

/** Releases that the state of a stack knows, by number. */
export interface KnownReleases {
  /** The newest committed one of each design, by the assembly's id. */
  readonly designs: { readonly [assembly: string]: number };
  /** By the environment's id. */
  readonly environments: {
    readonly [environment: string]: {
      /** The design release that was pulled last; 0 where the state does not say. */
      readonly pulled: number;
      /** The deployment that ended last. */
      readonly deployment: number;
    };
  };
}

/** A record as the state holds it. */
interface StateRecord {
  readonly kind: Kind;
  readonly id: string;
  readonly outputs: { readonly [name: string]: unknown };
}

/** The releases that the records of a state know. */
export function knownReleases(records: readonly StateRecord[]): KnownReleases {
  const designs: { [assembly: string]: number } = {};
  const environments: { [environment: string]: { pulled: number; deployment: number } } = {};
  for (const { kind, id, outputs } of records) {
    const number = (name: string): number => Number(outputs[name]) || 0;
    if (kind.token === 'DesignRelease') designs[id] = number('releaseId');
    if (kind.token !== 'Deployment' && kind.token !== 'Environment') continue;
    const known = environments[id] ?? { pulled: 0, deployment: 0 };
    environments[id] =
      kind.token === 'Environment'
        ? { ...known, pulled: number('pulled') }
        : { ...known, deployment: number('deploymentId') };
  }
  return { designs, environments };
}

/** The newest design release that an environment has pulled; 0 where that is not known. */
export async function readPull(api: Api, reader: LiveReader, id: string): Promise<number> {
  const [, assembly = '', environment = ''] = id.split('/');
  return (await reader.read(`the releases of ${id}`, () => newestPull({ api, at: { assembly, environment } }))) ?? 0;
}

/** Reads, and remembers what could not be read. */
export interface LiveReader {
  /** The answer; undefined when the record does not exist, or, said in `unread`, when there is none. */
  read<T>(what: string, ask: () => Promise<T>): Promise<T | undefined>;
  readonly unread: string[];
  authentication: boolean;
}

/** A reader that has read nothing yet. */
export function newLiveReader(): LiveReader {
  const reader: LiveReader = {
    unread: [],
    authentication: false,
    async read(what, ask) {
      try {
        return await ask();
      } catch (error) {
        if (error instanceof NotFound) return undefined;
        if (error instanceof Unauthenticated || error instanceof Forbidden) reader.authentication = true;
        reader.unread.push(`${what}: ${messageOf(error).replace(/\s*\n\s*/g, '; ')}`);
        return undefined;
      }
    },
  };
  return reader;
}

const SHOWN = 5;

/** `release 42 of acme/shop by maria, 2026-01-05 00:01 UTC`. */
export function waitingText({ address, releaseId, who = 'somebody', when }: WaitingRelease): string {
  const at = when === undefined ? '' : `, ${timeText(when)}`;
  return `release ${releaseId} of ${address} by ${who}${at}`;
}

/** Members of a release, the first of them; undefined where the service does not list them. */
export function changesText(members: readonly string[] | undefined): string {
  if (members === undefined) return 'the service does not list its changes';
  const left = members.length - SHOWN;
  return [...members.slice(0, SHOWN), ...(left > 0 ? [`and ${left} more`] : [])].join(' ');
}

/** What a release changes. */
interface ReleasedMembers {
  /** `~web/tomcat -db`: written and removed; of a platform that is new or goes, the platform alone. */
  readonly members: readonly string[];
  /** By the path of a record that was only changed: names of its attributes on the wire. */
  readonly attributes: { readonly [path: string]: readonly string[] };
  /** Whether each of them is a platform or is in a component, so that the instances that it touches can be counted. */
  readonly isCountable: boolean;
}

/** Names by number, in one platform. */
type NamesIn = (platform: string) => Promise<ReadonlyMap<number, string>>;

/** Names that a release does not contain. */
interface MemberNames {
  readonly componentsOf: NamesIn;
  /** Names of clouds, by the number of the platform's link to them. */
  readonly cloudsOf: NamesIn;
}

/** The members of a release; undefined where the service does not list its changes. */
async function releasedMembers(release: Release, names: MemberNames): Promise<ReleasedMembers | undefined> {
  const { rfc_cis: records, rfc_relations: relations = [] } = release;
  if (records === undefined) return undefined;
  const whole = new Set(records.filter(isWhole).map(({ ciName }) => ciName));
  const parts = records.filter((each) => nounOf(each) === 'platform' || !whole.has(platformOf(each)));
  const members: string[] = [];
  const attributes: { [path: string]: readonly string[] } = {};
  let isCountable = true;
  for (const record of parts) {
    const named = await pathOf(record, relations, names.componentsOf);
    members.push(`${record.rfcAction === 'delete' ? '-' : '~'}${named.path}`);
    if (record.rfcAction === 'update') attributes[named.path] = Object.keys(record.ciBaseAttributes ?? {});
    if (!named.isCountable) isCountable = false;
  }
  const links = linksAlone(records, relations, whole);
  for (const link of links) {
    const path = await linkPath(link, names.cloudsOf);
    members.push(`${link.rfcAction === 'delete' ? '-' : '~'}${path}`);
    if (link.rfcAction === 'update') attributes[path] = Object.keys(Object(link['relationBaseAttributes']) as object);
  }
  return { members: [...new Set(members)], attributes, isCountable: isCountable && links.length === 0 };
}

/** Whether a platform is new, or goes: what is in it comes and goes with it. */
const isWhole = (record: WireRecord): boolean =>
  nounOf(record) === 'platform' && (record.rfcAction === 'add' || record.rfcAction === 'delete');

async function pathOf(
  record: WireRecord,
  relations: readonly Relation[],
  componentsOf: NamesIn,
): Promise<{ readonly path: string; readonly isCountable: boolean }> {
  const { ciName, ciId } = record;
  const noun = nounOf(record);
  const platform = platformOf(record);
  if (noun === 'platform') return { path: ciName, isCountable: true };
  if (platform === '') return { path: noun === 'variable' ? `variables/${ciName}` : ciName, isCountable: false };
  if (noun === 'variable') return { path: `${platform}/variables/${ciName}`, isCountable: false };
  if (noun === 'component') return { path: `${platform}/${ciName}`, isCountable: true };
  const holder = relations.find(({ toCiId }) => toCiId === ciId)?.fromCiId;
  const component = holder === undefined ? undefined : (await componentsOf(platform)).get(holder);
  return component === undefined
    ? { path: `${platform}/${ciName}`, isCountable: false }
    : { path: `${platform}/${component}/${ciName}`, isCountable: true };
}

/** Relations that somebody changed between records which stay as they are: links, scaling, use of clouds. */
function linksAlone(
  records: readonly WireRecord[],
  relations: readonly Relation[],
  whole: ReadonlySet<string>,
): readonly Relation[] {
  const changed = new Set(records.map(({ ciId }) => ciId));
  return relations.filter(
    (each) => !changed.has(each.fromCiId) && !changed.has(each.toCiId) && !whole.has(platformOf(each)),
  );
}

/** `web/east`, the use of a cloud; `web/DependsOn` for other relations. */
async function linkPath({ nsPath, relationName, ciRelationId }: Relation, cloudsOf: NamesIn): Promise<string> {
  const platform = platformOf({ nsPath });
  const name = relationName.slice(relationName.lastIndexOf('.') + 1);
  if (platform === '') return name;
  const cloud = name === 'Consumes' ? (await cloudsOf(platform)).get(ciRelationId) : undefined;
  return `${platform}/${cloud ?? name}`;
}
