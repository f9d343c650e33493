// Committed releases that the state of a stack does not know, and that the next pull or deployment of an environment brings along.
// GETs only: one for each environment, one for each design, and one for each release that waits.
import type { Api } from '../../api/client';
import { type Deployment, type Record as WireRecord, type Relation, type Release, routes } from '../../api/contract';
import { type Kind, declaredValues, platformOf } from '../../provider';
import { designReleasesAfter, isManifest, newestPull, nounOf } from '../../provider/history';
import { Forbidden, NotFound, Unauthenticated, messageOf } from '../../api/errors';
import { timeText } from '../report/words';
import { closedAt, committer } from './releases';
import type { ReadRecord } from './authors';
import type { DriftFinding } from './review';
import { type Subject, isReferred } from './sources';

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

/** Entries of a timeline that are looked at. */
const PAGE = { size: '50' };
const WITH_CHANGES = { include_rfcs: 'true' };
/** Releases of which the changes are read, newest first. */
const DETAILED = 10;

/** The releases that come along to environments, newest first. */
export async function waitingReleases(
  asking: Asking,
  reached: readonly ReachedEnvironment[],
): Promise<readonly WaitingRelease[]> {
  const assemblies = [...new Set(reached.map(({ environment }) => assemblyOf(environment)))];
  const parts = await Promise.all(assemblies.map((assembly) => waitingOf(asking, assembly, reached)));
  return parts.flat();
}

const assemblyOf = (environment: string): string => environment.split('/').slice(0, 2).join('/');
const isClosed = ({ releaseState }: Release): boolean => releaseState === 'closed';

async function waitingOf(
  asking: Asking,
  assembly: string,
  reached: readonly ReachedEnvironment[],
): Promise<readonly WaitingRelease[]> {
  const { api, reader, known } = asking;
  const own = reached.filter(({ environment }) => assemblyOf(environment) === assembly);
  const [, name = ''] = assembly.split('/');
  const newest = known.designs[assembly] ?? 0;
  const pulledBy = ({ environment }: ReachedEnvironment): number => known.environments[environment]?.pulled || newest;
  // A deployment asks who committed the newest known one.
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
    // A list that goes back far enough contains the one that was pulled.
    if (pulled > 0 && design.length > 0 && design.every(({ releaseId }) => releaseId > pulled))
      reader.unread.push(
        `the releases of ${assembly}: all ${design.length} of the list are newer than the one that ${environment} has`,
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
  return read && releasedMembers(read, { platforms, componentsOf, cloudsOf });

  async function platforms(): Promise<ReadonlyMap<number, string>> {
    if (environment === undefined) return new Map();
    const found = await reader.read(`the platforms of ${id}`, () =>
      api.call(routes.environmentPlatforms.list, { address: { assembly, environment } }),
    );
    return new Map((found ?? []).map(({ ciId, ciName }) => [ciId, ciName]));
  }
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
  /** Names of platforms, by their number: a platform's switch is in its link to the environment. */
  readonly platforms: () => Promise<ReadonlyMap<number, string>>;
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
    const path = await linkPath(link, names);
    members.push(`${link.rfcAction === 'delete' ? '-' : '~'}${path}`);
    if (link.rfcAction === 'update') attributes[path] = Object.keys(Object(link['relationBaseAttributes']) as object);
  }
  return { members: [...new Set(members)], attributes, isCountable: isCountable && links.every(isSwitch) };
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

/** Whether a link says that a platform is enabled or disabled. */
const isSwitch = ({ relationName }: Relation): boolean => relationName === 'manifest.ComposedOf';

/** `db`, the switch of a platform; `web/east`, the use of a cloud; `web/DependsOn` for other relations. */
async function linkPath(link: Relation, { platforms, cloudsOf }: MemberNames): Promise<string> {
  const { nsPath, relationName, ciRelationId, toCiId } = link;
  if (isSwitch(link)) return (await platforms()).get(toCiId) ?? `platform ${toCiId}`;
  const platform = platformOf({ nsPath });
  const name = relationName.slice(relationName.lastIndexOf('.') + 1);
  if (platform === '') return name;
  const cloud = name === 'Consumes' ? (await cloudsOf(platform)).get(ciRelationId) : undefined;
  return `${platform}/${cloud ?? name}`;
}

// What others committed in a design and no environment of the stack has yet: the next pull brings it, whether somebody declares it or not.

/** A release that waits, with those of its members that no finding is about. */
export interface WaitingInDesign {
  readonly release: WaitingRelease;
  /** Absent where the service does not list its changes. */
  readonly members: readonly string[] | undefined;
  /** Whether nothing of it is declared by this stack, or inside a record that this stack declares. */
  readonly isElsewhere: boolean;
}

/** The releases that wait, and a sentence for each thing that could not be read. */
export async function waitingInDesigns(
  api: Api,
  known: readonly ReadRecord[],
  findings: readonly DriftFinding[],
): Promise<{ readonly waiting: readonly WaitingInDesign[]; readonly notes: readonly string[] }> {
  const records = known.flatMap(({ subject: { applied, id, kind } }) =>
    applied === undefined ? [] : [{ kind, id, outputs: applied.computed }],
  );
  const releases = knownReleases(records);
  // An environment that stays at a release of its own choice has no number here.
  const reached = Object.entries(releases.environments)
    .filter(
      ([id, { pulled }]) => pulled > 0 && known.some(({ subject, live }) => subject.id === id && live !== undefined),
    )
    .map(([environment]) => ({ environment, pulls: true, deploys: false }));
  const reader = newLiveReader();
  const all = await waitingReleases({ api, reader, known: releases }, reached);
  const ids = [...new Set(all.flatMap(({ environments }) => environments))];
  const pulls = new Map(await Promise.all(ids.map(async (id) => [id, await readPull(api, reader, id)] as const)));
  const waiting = notPulled(all, pulls);
  const pulledSince = new Set(ids.filter((id) => (pulls.get(id) ?? 0) > (releases.environments[id]?.pulled ?? 0)));
  const own = known.filter(({ subject }) => !isReferred(subject));
  const declared = new Map(own.map(({ subject }) => [subject.id, subject]));
  return {
    waiting: waiting.flatMap((release) =>
      waitingIn(
        release,
        findings,
        declared,
        release.environments.some((id) => pulledSince.has(id)),
      ),
    ),
    notes: reader.unread.map((line) => `what waits to be deployed may not be complete: ${line}`),
  };
}

/** Releases without those that somebody has pulled since the state was written. */
const notPulled = (
  waiting: readonly WaitingRelease[],
  pulls: ReadonlyMap<string, number | undefined>,
): readonly WaitingRelease[] =>
  waiting.flatMap((release) => {
    const environments = release.environments.filter((id) => (pulls.get(id) ?? 0) < release.releaseId);
    return environments.length === 0 ? [] : [{ ...release, environments }];
  });

function waitingIn(
  release: WaitingRelease,
  findings: readonly DriftFinding[],
  declared: ReadonlyMap<string, Subject>,
  isPulledSince: boolean,
): readonly WaitingInDesign[] {
  const said = new Set(
    findings.filter(({ classification }) => classification !== 'touched').map((each) => each.address),
  );
  const idOf = (member: string): string => `${release.address}/${member.slice(1)}`;
  const members = release.members?.filter(
    (member) =>
      !said.has(idOf(member)) &&
      (isPulledSince || !isUndone(declared.get(idOf(member)), release.attributes?.[member.slice(1)])),
  );
  if (members?.length === 0) return [];
  // The assembly is above all of them: only what is below it is more than a neighbour.
  const isOurs = (id: string): boolean =>
    declared.has(id) || (id.length > release.address.length + 1 && isOursAbove(id, release.address, declared));
  return [{ release, members, isElsewhere: members !== undefined && !members.some((each) => isOurs(idOf(each))) }];
}

/**
 * Whether a record has again what the last run wrote and the environments pulled, of each attribute that a release
 * changed: such as after a value was set back by hand. A secret is not known to be the same.
 */
function isUndone(subject: Subject | undefined, changed: readonly string[] | undefined): boolean {
  if (subject?.applied === undefined || changed === undefined || changed.length === 0) return false;
  const values = declaredValues(subject.kind, subject.applied.inputs);
  return changed.every((name) => values.get(name)?.field.secret === false);
}

const isOursAbove = (id: string, assembly: string, declared: ReadonlyMap<string, Subject>): boolean => {
  const above = id.slice(0, id.lastIndexOf('/'));
  return above.length > assembly.length && (declared.has(above) || isOursAbove(above, assembly, declared));
};
