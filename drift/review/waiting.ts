// Committed releases that the state does not know, and that the next pull or deployment of an
// environment brings along. Also open changes of designs, for reviews. Sends GETs only: one for
// each environment, one for each design, and one for each release that waits.
import type { Api } from '../../api/client';
import { type Relation, type Release, routes } from '../../api/contract';
import { type Inputs, platformOf, scopeOfId } from '../../provider';
import {
  carriedOut,
  causeOf,
  changesIn,
  closedAfter,
  designReleasesAfter,
  isManifest,
  newestDeployed,
  newestPull,
  readRelease,
  type Runs,
  signOf,
  withoutDeployed,
  withoutTakenBack,
} from '../../provider/history';
import { firstOf, NotFound, OneOpsError } from '../../api/errors';
import { kindOf } from '../../provider/kinds';
import { timeText } from '../report/words';
import { attempt, inOneLine, isRefusal } from './reading';
import type { DriftFinding, IgnoredFinding } from './review';
import {
  addressIn,
  type EnvironmentAt,
  environmentOf,
  isReferred,
  type Place,
  type ReadRecord,
  recordPath,
} from './sources';

/** An environment that a run is about to change. */
interface ReachedEnvironment {
  /** Id: `acme/shop/prod`. */
  readonly environment: string;
  readonly pulls: boolean;
  readonly deploys: boolean;
}

/** A release that comes along. */
export interface WaitingRelease {
  readonly of: 'design' | 'environment';
  /** Id of the assembly, or of the environment. */
  readonly address: string;
  readonly releaseId: number;
  /** It is not committed: members are what is open in it. */
  readonly isOpen?: true;
  /** User who committed it, if known; of an open one, all who wrote into it. */
  readonly who?: string;
  /** When, in milliseconds since 1970. */
  readonly when?: number;
  /** Ids of the environments that it reaches. */
  readonly environments: readonly string[];
  /**
   * `~web/tomcat +web/cron -db`: changed, added and removed; a new platform, or one that goes,
   * alone. Absent where changes are not listed, and for the oldest of many.
   */
  readonly members?: readonly string[];
  /** By the path of a record that was only changed: names of its attributes on the wire. */
  readonly attributes?: { readonly [path: string]: readonly string[] };
  /** Whether the members show which instances a deployment touches; false for an open release. */
  readonly isCountable: boolean;
}

/** The sources of names of components and platforms. */
interface Places {
  readonly api: Api;
  readonly reader: LiveReader;
}

interface Asking extends Places {
  readonly known: KnownReleases;
}

/** Releases of which the changes are read, newest first. */
const DETAILED = 10;

const assemblyOf = (environment: string): string => environment.split('/').slice(0, 2).join('/');
const committer = (release: Release): string => causeOf(release).who;

/** The releases that come along to environments, newest first. */
export async function waitingReleases(
  places: Asking,
  reached: readonly ReachedEnvironment[],
): Promise<readonly WaitingRelease[]> {
  const pulling = reached.filter(({ pulls }) => pulls).map(({ environment }) => environment);
  const asking = await withPulls(places, pulling);
  const assemblies = [...new Set(reached.map(({ environment }) => assemblyOf(environment)))];
  const inside = (assembly: string) => reached.filter(({ environment }) => assemblyOf(environment) === assembly);
  const parts = await Promise.all(assemblies.map((assembly) => waitingOf(asking, assembly, inside(assembly))));
  return parts.flat();
}

async function waitingOf(
  asking: Asking,
  assembly: string,
  reached: readonly ReachedEnvironment[],
): Promise<readonly WaitingRelease[]> {
  const { api, reader, known } = asking;
  const [, name = ''] = assembly.split('/');
  const newest = known.designs[assembly] ?? 0;
  const pulledBy = (environment: string): number => known.environments[environment]?.pulled || newest;
  // A deployment asks who committed the newest known one.
  const oldest = reached.some(({ deploys }) => deploys)
    ? 0
    : Math.min(...reached.map(({ environment }) => pulledBy(environment)));
  const at = { assembly: name };
  const design =
    (await reader.read(`the releases of ${assembly}`, () => designReleasesAfter({ api, at }, oldest))) ?? [];
  const ours = design.filter(({ releaseId }) => releaseId === newest).map(committer);
  // What the same user committed before the newest known one, an interrupted run of the stack did.
  const isKnown = (release: Release): boolean =>
    release.releaseId === newest || (release.releaseId < newest && ours.includes(committer(release)));
  const found: WaitingRelease[] = [];
  for (const { environment, pulls, deploys } of reached) {
    const pulled = pulledBy(environment);
    const later = closedAfter(design, pulled);
    // A list that goes back far enough contains the one that was pulled.
    if (pulls && pulled > 0 && design.length > 0 && design.every(({ releaseId }) => releaseId > pulled))
      reader.unread.push(
        `the releases of ${assembly}: all ${design.length} of the list are newer than the one that ${environment} has`,
      );
    // An environment without a pull has nothing to wait for.
    if (pulls && pulled > 0) found.push(...(await comingTo(asking, assembly, environment, { all: later, isKnown })));
    if (deploys)
      found.push(...(await comingTo(asking, environment, environment, await undeployedIn(asking, environment, ours))));
  }
  return joined(found).sort((one, other) => other.releaseId - one.releaseId);
}

/** The open releases of designs with changes in them: who wrote them, and when the last one did. */
export async function openReleases(asking: Places, assemblies: readonly string[]): Promise<readonly WaitingRelease[]> {
  const found = assemblies.map(async (address): Promise<readonly WaitingRelease[]> => {
    const { assembly } = environmentAt(address);
    const newest = await asking.reader.read(`the newest release of ${address}`, () =>
      asking.api.call(routes.designReleases.latest, { address: { assembly } }),
    );
    if (newest?.releaseState !== 'open') return [];
    const [release = newest] = withoutTakenBack('design', [await withChanges(asking, address, newest)]);
    const causes = changesIn(release, 'design').map(({ cause }) => cause);
    const who = [...new Set(causes.map((each) => each.who))].sort().join(', ');
    const when = Math.max(0, ...causes.map((each) => each.when));
    return described(asking, address, release, { who, when, isOpen: true, environments: [] });
  });
  return (await Promise.all(found)).flat();
}

/** Each release once, with all environments that it reaches. */
function joined(found: readonly WaitingRelease[]): WaitingRelease[] {
  const all = Map.groupBy(found, ({ releaseId }) => releaseId);
  return [...all.values()].flatMap((each) => {
    const lists = each.flatMap(({ members }) => (members === undefined ? [] : [members]));
    const attributes = Object.fromEntries(each.flatMap((own) => Object.entries(own.attributes ?? {})));
    const environments = [...new Set(each.flatMap((own) => own.environments))];
    const isCountable = each.every((own) => own.isCountable);
    const names = lists.length === each.length ? { members: [...new Set(lists.flat())], attributes } : {};
    return each.slice(-1).map((last) => ({ ...last, environments, isCountable, ...names }));
  });
}

/** Releases, and which of them the stack knows: what these take back does not come along. */
interface Later {
  /** Oldest first. */
  readonly all: readonly Release[];
  readonly isKnown: (release: Release) => boolean;
  readonly runs?: Runs;
}

/** Releases of an environment that are not deployed, or in part; those of no other user are known. */
async function undeployedIn({ api, reader, known }: Asking, id: string, committers: readonly string[]): Promise<Later> {
  const address = environmentAt(id);
  const all =
    (await reader.read(`the releases of ${id}`, () => api.call(routes.environmentReleases.list, { address }))) ?? [];
  const plans = closedAfter(all.filter((each) => !isManifest(each)));
  const { plan = 0 } = known.environments[id] ?? {};
  const own = plans.filter(({ releaseId }) => releaseId === plan).map(committer);
  const isKnown = (each: Release): boolean => [...committers, ...own].includes(committer(each));
  const after = plan || newestDeployed(all);
  const since = closedAfter(all.filter(isManifest), after);
  if (since.every(isKnown)) return { all: [], isKnown };
  const runs = await reader.read(`what of ${id} is deployed`, () => carriedOut({ api, at: address }, all, after));
  return { all: since.filter(({ releaseId }) => runs?.('', releaseId) !== true), isKnown, ...(runs && { runs }) };
}

/** Releases of a design, or of an environment, that come to an environment and change something. */
async function comingTo(
  asking: Asking,
  address: string,
  environment: string,
  { all, isKnown, runs = () => false }: Later,
): Promise<readonly WaitingRelease[]> {
  if (all.every(isKnown)) return [];
  const read = await Promise.all(all.slice(-DETAILED).map((each) => withChanges(asking, address, each)));
  const undeployed = read.flatMap((each) => withoutDeployed(each, runs) ?? []);
  const left = [...all.slice(0, -DETAILED), ...withoutTakenBack(stageOf(address), undeployed)];
  const waiting = left
    .filter((each) => !isKnown(each))
    .map((release) => {
      const { who, when } = causeOf(release);
      const author = { ...(who === '' ? {} : { who }), ...(when > 0 ? { when } : {}) };
      return described(asking, address, release, { ...author, environments: [environment] });
    });
  return (await Promise.all(waiting)).flat();
}

/** A release with its members; nothing where it changes nothing. */
async function described(
  asking: Places,
  address: string,
  release: Release,
  rest: Pick<WaitingRelease, 'who' | 'when' | 'isOpen' | 'environments'>,
): Promise<readonly WaitingRelease[]> {
  const members = await membersOf(asking, address, release);
  if (members?.length === 0) return [];
  const isCountable = rest.isOpen !== true && (members?.every((each) => each.isCountable) ?? false);
  const place = { of: stageOf(address), address, releaseId: release.releaseId };
  const changed = members?.flatMap(({ path, attributes }) => (attributes ? [[path, attributes] as const] : []));
  const names = members && {
    members: [...new Set(members.map(({ sign, path }) => sign + path))],
    attributes: Object.fromEntries(changed ?? []),
  };
  return [{ ...place, ...names, isCountable, ...rest }];
}

const environmentAt = (id: string): EnvironmentAt => {
  const [, assembly = '', environment = ''] = id.split('/');
  return { assembly, environment };
};

const stageOf = (id: string): 'design' | 'environment' => (id.split('/').length === 2 ? 'design' : 'environment');

/** The release with its changes; as it is where it cannot be read. */
async function withChanges({ api, reader }: Places, id: string, release: Release): Promise<Release> {
  const { releaseId } = release;
  const { assembly, environment } = environmentAt(id);
  const at = { assembly, environment: environment === '' ? undefined : environment };
  const read = await reader.read(`release ${releaseId} of ${id}`, () => readRelease({ api, at }, releaseId));
  return read ?? release;
}

interface Member {
  readonly sign: ReturnType<typeof signOf>;
  readonly path: string;
  /** Of a record that was only changed: names of its attributes on the wire. */
  readonly attributes?: readonly string[];
  /** Whether the instances that it touches can be counted: it is a platform, or in a component. */
  readonly isCountable: boolean;
}

/** The members of a release; undefined where the service does not list its changes. */
async function membersOf(asking: Places, id: string, release: Release): Promise<readonly Member[] | undefined> {
  const { rfc_cis: records, rfc_relations: relations = [] } = release;
  if (records === undefined) return undefined;
  const all = changesIn(release, stageOf(id));
  const whole = new Set(all.filter((each) => each.noun === 'platform' && signOf(each) !== '~').map(({ name }) => name));
  const changes = all.filter(({ noun, platform }) => noun === 'platform' || !whole.has(platform));
  const members = changes.map(async (change): Promise<Member> => {
    const isHeld = change.noun === 'attachment' || change.noun === 'monitor';
    const relation = isHeld ? relations.find(({ toCiId }) => toCiId === change.ciId) : undefined;
    const holder = relation && (await componentAt(asking, id, change.platform, relation.fromCiId));
    const { action, attributes, noun, name, platform, path } = change;
    return {
      sign: signOf(change),
      path: holder === undefined ? path.replace('$', 'variables/') : `${platform}/${holder}/${name}`,
      ...(action === 'update' ? { attributes } : {}),
      isCountable: noun === 'platform' || (noun === 'component' && platform !== '') || holder !== undefined,
    };
  });
  const numbers = new Set(records.map(({ ciId }) => ciId));
  const links = relations.filter(
    (each) => !numbers.has(each.fromCiId) && !numbers.has(each.toCiId) && !whole.has(platformOf(each)),
  );
  return [...(await Promise.all(members)), ...(links.length === 0 ? [] : await linksOf(asking, id, links))];
}

async function componentAt(
  { api, reader }: Places,
  id: string,
  platform: string,
  number: number,
): Promise<string | undefined> {
  const address = { ...environmentAt(id), platform };
  const components = await reader.read(`the components of ${id}/${platform}`, () =>
    api.call(stageOf(id) === 'design' ? routes.components.list : routes.environmentPlatforms.components, { address }),
  );
  return components?.find(({ ciId }) => ciId === number)?.ciName;
}

/** Changes between records that stay: `db` for switch or scaling, `web/east` for a cloud. */
async function linksOf({ api, reader }: Places, id: string, links: readonly Relation[]): Promise<readonly Member[]> {
  const address = environmentAt(id);
  const platforms = await reader.read(`the platforms of ${id}`, () =>
    api.call(stageOf(id) === 'design' ? routes.platforms.list : routes.environmentPlatforms.list, { address }),
  );
  const names = new Map(platforms?.map(({ ciId, ciName }) => [ciId, ciName]));
  return Promise.all(
    links.map(async (link): Promise<Member> => {
      const platform = names.get(link.fromCiId) ?? names.get(link.toCiId) ?? platformOf(link);
      const cloud = link.relationName.endsWith('.Consumes') ? await cloudOf({ ...address, platform }, link) : undefined;
      return {
        sign: '~',
        path: [platform || `platform ${link.toCiId}`, ...(cloud === undefined ? [] : [cloud])].join('/'),
        attributes: Object.keys(Object(link['relationBaseAttributes']) as object),
        isCountable: link.relationName === 'manifest.ComposedOf',
      };
    }),
  );

  async function cloudOf(at: { readonly platform: string }, { ciRelationId }: Relation): Promise<string | undefined> {
    const found = await reader.read(`platform ${id}/${at.platform}`, () =>
      api.call(routes.environmentPlatforms.read, { address: { ...address, ...at } }),
    );
    return found?.consumes?.find((each) => each.ciRelationId === ciRelationId)?.toCi?.ciName;
  }
}

/** A release that waits, or is open, with the members that no finding is about. */
export interface WaitingInDesign extends WaitingRelease {
  /** Whether this stack declares neither the record nor one that contains it. */
  readonly isElsewhere: boolean;
  /** Whether this stack has the design, and a refresh finds nothing of the release to set back. */
  readonly isUnseen?: boolean;
  /** Whether, besides, none of its records is declared. */
  readonly isUndeclared?: boolean;
}

/** Releases of designs that no environment has yet, open ones, and what could not be read. */
export async function waitingInDesigns(
  api: Api,
  known: readonly ReadRecord[],
  findings: readonly DriftFinding[],
): Promise<{ readonly waiting: readonly WaitingInDesign[]; readonly notes: readonly string[] }> {
  const inState = knownReleases(known.flatMap(({ subject }) => subject.applied ?? []));
  const there = new Set(known.flatMap(({ subject, live }) => (live === undefined ? [] : [subject.id])));
  const reader = newLiveReader();
  // A release that the program declares has no number here.
  const reached = Object.keys(inState.environments).flatMap((environment) =>
    there.has(environment) ? [{ environment, pulls: true, deploys: false }] : [],
  );
  const committed = await waitingReleases({ api, reader, known: inState }, reached);
  const assemblies = known.flatMap(({ subject: { kind, id } }) =>
    kind.token === 'Assembly' && there.has(id) ? [id] : [],
  );
  const releases = [...(await openReleases({ api, reader }, assemblies)), ...committed];
  // Every stack has a design release, under the id of the assembly: only the owner has that, too.
  const own = known.filter(({ subject }) => !isReferred(subject) && subject.kind.token !== 'DesignRelease');
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
    const { releaseId = 0, stage, unsure: _, ...author } = finding.author ?? {};
    const of = kindOf(finding.kind);
    const kind = of && scopeOfId(of, finding.address);
    if (stage !== 'design' || releaseId === 0 || kind?.stage !== 'environment') continue;
    const { assembly, environment } = environmentOf({ kind, id: finding.address });
    const address = [finding.address.split('/')[0], assembly, environment].join('/');
    const members = [...new Set([...(all.get(releaseId)?.members ?? []), `~${recordPath(finding)}`])];
    const place = { of: 'environment', address, releaseId, environments: [], isOpen: true } as const;
    all.set(releaseId, { ...place, ...author, members, isCountable: false, isElsewhere: false });
  }
  return [...all.values()];
}

/** The id of a finding's record as paths of changes have it: its names, and `variables/`. */
export function changePath({ kind: token, address }: DriftFinding): string {
  const of = kindOf(token);
  const kind = of && (scopeOfId(of, address) ?? of);
  const names = kind === undefined ? [] : Object.values(addressIn({ kind, id: address }));
  const [organization = ''] = address.split('/');
  return [organization, ...(token === 'Variable' ? names.toSpliced(-1, 0, 'variables') : names)].join('/');
}

function waitingIn(
  release: WaitingRelease,
  findings: readonly DriftFinding[],
  declared: ReadonlySet<string>,
): readonly WaitingInDesign[] {
  const said = new Set(findings.filter(({ classification }) => classification !== 'touched').map(changePath));
  const idOf = (member: string): string => `${release.address}/${member.slice(1)}`;
  const members = release.members?.filter((member) => !said.has(idOf(member)));
  if (members?.length === 0) return [];
  // The assembly is above all of them: only what is below it is more than a neighbour.
  const isOurs = (id: string): boolean =>
    id.length > release.address.length && (declared.has(id) || isOurs(id.slice(0, id.lastIndexOf('/'))));
  const isElsewhere = members !== undefined && !members.some((each) => isOurs(idOf(each)));
  const isUnseen = declared.has(release.address) && members !== undefined && members.length === release.members?.length;
  const isUndeclared = isUnseen && !members.some((each) => declared.has(idOf(each)));
  return [{ ...release, ...(members && { members }), isElsewhere, isUnseen, isUndeclared }];
}

/** Releases that the state of a stack knows, by number. */
interface KnownReleases {
  /** The newest committed one of each design, by the assembly's id. */
  readonly designs: { readonly [assembly: string]: number };
  /** By the environment's id. */
  readonly environments: {
    readonly [environment: string]: {
      /** The design release that was pulled last; 0 where the state does not say. */
      readonly pulled: number;
      readonly plan: number;
    };
  };
}

export function knownReleases(records: readonly (Place & { readonly computed: Inputs })[]): KnownReleases {
  const designs: { [assembly: string]: number } = {};
  const environments: { [environment: string]: { pulled: number; plan: number } } = {};
  for (const { kind, id, computed } of records) {
    const number = (name: string): number => Number(computed[name]) || 0;
    if (kind.token === 'DesignRelease') designs[id] = number('releaseId');
    if (kind.token !== 'Deployment' && kind.token !== 'Environment') continue;
    const known = environments[id] ?? { pulled: 0, plan: 0 };
    environments[id] =
      kind.token === 'Environment' ? { ...known, pulled: number('pulled') } : { ...known, plan: number('releaseId') };
  }
  return { designs, environments };
}

/** Known releases, with what others pulled into environments since, as far as that can be read. */
async function withPulls({ api, reader, known: { designs, environments } }: Asking, ids: readonly string[]) {
  const read = ids.map(async (id) => {
    const { pulled: known = 0, plan = 0 } = environments[id] ?? {};
    const newest = () => newestPull({ api, at: environmentAt(id) }, { known });
    return [id, { pulled: (await reader.read(`the releases of ${id}`, newest)) ?? known, plan }] as const;
  });
  const known = { designs, environments: { ...environments, ...Object.fromEntries(await Promise.all(read)) } };
  return { api, reader, known };
}

/** Reads, and remembers what could not be read. */
export interface LiveReader {
  /** The answer; undefined for a record that does not exist, or, said in `unread`, without one. */
  read<T>(what: string, ask: () => Promise<T>): Promise<T | undefined>;
  readonly unread: string[];
  authentication: boolean;
}

export function newLiveReader(): LiveReader {
  const reader: LiveReader = {
    unread: [],
    authentication: false,
    async read(what, ask) {
      const answer = await attempt(ask);
      if (!(answer instanceof OneOpsError)) return answer;
      if (answer instanceof NotFound) return undefined;
      if (isRefusal(answer)) reader.authentication = true;
      reader.unread.push(`${what}: ${inOneLine(answer)}`);
      return undefined;
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
export const changesText = (members: readonly string[] | undefined): string =>
  members === undefined ? 'the service does not list its changes' : firstOf(members, SHOWN).join(' ');
