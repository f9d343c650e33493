// Compares an environment's instances with its platforms, and finds plans without a deployment.
import { userOf } from '../history/change';
import { plannedChanges } from '../history/platform-switch';
import {
  type Deployment,
  type Environment,
  type EnvironmentPlatform,
  type Instance,
  type Record as WireRecord,
  type Relation,
  type Release,
  routes,
} from '../../api/contract';
import { isApiError, orNone, plural } from '../../api/errors';
import { orElse } from '../errors';
import { isPendingDelete } from '../verbs/live';
import type { Work } from '../kind';
import { hasWork, linkTexts, linkTo } from '../kinds/environment/cloud-links';
import { downOnPurpose } from './declared-records';
import { componentOf, platformOf, versionIn, versionOf } from '../address/ids';
import { isOurs, newestDeployment } from '../commit/commit-environment';
import { instancesAt } from '../verbs/named-component';
import { mayBeRefresh } from '../verbs/records';
import { declaredIn, refreshedIn } from '../session';
import { wordsAt } from '../values/plain';

/** How many instances there are, by platform and cloud: `web/east`. */
type Running = ReadonlyMap<string, number>;

const cloudOf = ({ deployedTo }: Instance): string => deployedTo?.ciName ?? '?';

const countsBy = (instances: readonly Instance[], keyOf: (instance: Instance) => string): Running =>
  new Map([...Map.groupBy(instances, keyOf)].map(([key, { length }]) => [key, length]));

const countsOf = (instances: readonly Instance[]): Running =>
  countsBy(instances, (instance) => `${platformOf(instance)}/${cloudOf(instance)}`);

/** The counts as the state keeps them: `db/east 5, web/east 12`. */
export const runningText = (counts: Running): string =>
  [...counts]
    .map(([key, count]) => `${key} ${count}`)
    .sort()
    .join(', ');

/** The counts in such a text; empty when a state does not contain them. */
export const runningIn = (text: unknown): Running =>
  new Map(
    (typeof text === 'string' ? text : '').split(', ').flatMap((part): [string, number][] => {
      const found = /^(\S+) (\d+)$/.exec(part);
      return found?.[1] === undefined ? [] : [[found[1], Number(found[2])]];
    }),
  );

/** The instances of an environment, and the platforms without any. */
export interface Look {
  /** Committed platforms that stay, and are not declared to be down. */
  readonly platforms: readonly WireRecord[];
  readonly counts: Running;
  readonly instances: readonly Instance[];
  /** Platforms with a cloud and no instance: disabled ones, and those that lost theirs. */
  readonly idle: readonly EnvironmentPlatform[];
}

/**
 * Reads instances and platforms, and each platform again that has no instance. The design's
 * platforms are enough where all of these run, and no other runs or ran. `isAsBefore`: nothing was
 * deployed.
 */
export async function lookAtRunning(work: Work, isAsBefore = false): Promise<Look> {
  const instances = await instancesIn(work, work.isRefresh === true || isAsBefore);
  const running = new Set(instances.map(versionIn));
  const down = downOnPurpose(work);
  const isCommitted = (platform: WireRecord): boolean =>
    !isPendingDelete(platform) && platform.rfcAction !== 'add' && !down.has(platform.ciName);
  // Asked once for all environments.
  const design = await orElse(work.api.call(routes.platforms.list, { address: work.at }), [], isApiError);
  const names = [...running, ...runningIn(work.known?.['running']).keys()].map((place) => place.split('/')[0]);
  const allRun = design.every(
    (platform) => down.has(platform.ciName) || (isCommitted(platform) && running.has(versionOf(platform))),
  );
  const isAll = names.every((name) => design.some(({ ciName }) => ciName === name));
  if (design.length > 0 && allRun && isAll)
    return { platforms: design.filter(isCommitted), counts: countsOf(instances), instances, idle: [] };
  const all = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const platforms = all.filter(isCommitted);
  if (platforms.length === 0) return { platforms, counts: new Map(), instances: [], idle: [] };
  const empty = platforms.filter((platform) => !running.has(versionOf(platform)));
  const found = await Promise.all(
    empty.map(async ({ ciName }) => {
      const platform = await work.api.call(routes.environmentPlatforms.read, {
        address: { ...work.at, platform: ciName },
      });
      // The environment's list may be incomplete, so the platform's list must show the same.
      return hasWork(platform) && (await instancesOf(work, ciName)).length === 0 ? [platform] : [];
    }),
  );
  return { platforms, counts: countsOf(instances), instances, idle: found.flat() };
}

/**
 * The instances of an environment; of several that only read (`isShared`), out of one list, which
 * holds as long as this run writes nothing there.
 */
async function instancesIn(
  { api, at, session }: Pick<Work, 'api' | 'at' | 'session'>,
  isShared: boolean,
): Promise<readonly Instance[]> {
  const seen = [...refreshedIn(session), ...declaredIn(session)];
  const names = new Set(
    seen.flatMap(({ of, address: { assembly, name } }) =>
      of.token === 'Environment' && assembly === at['assembly'] ? (name ?? []) : [],
    ),
  );
  if (!isShared || names.size < 2) return instancesAt({ api, at });
  const { environment = '', ...assembly } = at;
  const kept = (name: string, ask: () => Promise<readonly Instance[]>): Promise<readonly Instance[]> =>
    session.answers.derived(
      `instances ${at['assembly']}/${name}`,
      'environment',
      { ...assembly, environment: name },
      ask,
    );
  const all = await kept(environment, () => {
    const asked = instancesAt({ api, at: assembly });
    for (const name of names) if (name !== environment) void kept(name, () => asked);
    return asked;
  });
  return all.filter(({ nsPath }) => nsPath.split('/')[3] === environment);
}

const instancesOf = (work: Work, platform: string): Promise<readonly Instance[]> =>
  instancesAt({ ...work, at: { ...work.at, platform } });

/** The newest plan of an environment, in any state; none where nothing was ever planned. */
const newestPlan = ({ api, at }: Work): Promise<Release | undefined> =>
  orNone(api.call(routes.environmentReleases.bom, { address: at, query: { latest: 'true' } }));

/** The newest deployment, in a refresh: the state's last one where nothing was planned since. */
export async function newestSeen(work: Work): Promise<Deployment | undefined> {
  const [deploymentId, releaseId] = ['deploymentId', 'releaseId'].map((name) => Number(work.known?.[name] ?? 0));
  if (work.known?.['state'] !== 'complete' || !deploymentId || !releaseId) return newestDeployment(work);
  const plan = await newestPlan(work);
  return plan?.releaseState === 'closed' && plan.releaseId === releaseId
    ? { deploymentId, releaseId, deploymentState: 'complete', nsPath: plan.nsPath ?? '' }
    : newestDeployment(work);
}

/** `planned` for an open plan of this run's user, for example of a killed run; names others. */
async function openPlan(work: Work): Promise<string | undefined> {
  const { releaseState, createdBy } = (await newestPlan(work)) ?? {};
  if (releaseState !== 'open') return undefined;
  return createdBy === (await userOf(work)) ? 'planned' : `what ${createdBy ?? 'somebody'} committed is not deployed`;
}

const addressOf = ({ ciAttributes }: Instance): string => ciAttributes['public_ip'] || ciAttributes['private_ip'] || '';

/** The addresses of each platform, sorted: `{ web: ['10.0.0.4', '10.0.0.5'] }`. */
export function addressesOf(instances: readonly Instance[]): { readonly [platform: string]: readonly string[] } {
  const platforms = [...Map.groupBy(instances, platformOf)].sort();
  return Object.fromEntries(
    platforms.map(([platform, own]) => [platform, [...new Set(own.flatMap((each) => addressOf(each) || []))].sort()]),
  );
}

/** Columns of the line: with the rest of the row, a terminal of 110 columns shows it whole. */
const WIDTH = 55;

/** `7 instances: east 5, west 2; web 10.0.0.4, …`, a first address each; or `nothing runs`. */
export function whatRuns(instances: readonly Instance[]): string {
  if (instances.length === 0) return 'nothing runs';
  const addresses = Object.entries(addressesOf(instances)).filter(([, [first]]) => first !== undefined);
  const counts = fitting(
    `${plural(instances.length, 'instance')}: `,
    [...countsBy(instances, cloudOf)].sort().map(([cloud, own]) => `${cloud} ${own}`),
  );
  return addresses.length === 0 || counts.endsWith('…')
    ? counts
    : fitting(
        `${counts}; `,
        addresses.map(([platform, [first]]) => `${platform} ${first}`),
      );
}

/** The parts after a beginning, as many as fit, and the first one in any case. */
const fitting = (beginning: string, parts: readonly string[]): string =>
  parts.reduce((line, part, index) => {
    if (line.endsWith('…')) return line;
    if (index === 0) return `${line}${part}`;
    // After every part but the last one, dots may follow.
    const longest = index === parts.length - 1 ? WIDTH : WIDTH - ', …'.length;
    return `${line}, ${part}`.length > longest ? `${line}, …` : `${line}, ${part}`;
  }, beginning);

const UNPLANNED = 'what was committed could not be planned';

/** The state after a deployment that left instances for the next one. */
export const PARTIAL = 'partial';

const instanceName = (record: Parameters<typeof platformOf>[0] & Pick<WireRecord, 'ciName'>): string =>
  `${platformOf(record)}/${record.ciName}`;

/**
 * Platforms of which a deployment left instances for the next one: with a `pctDpmt` below 100, also
 * one of another user, it changes a part of the `instances` of a component. None where the service
 * makes no plan without storing it.
 */
export async function leftByPortion(
  work: Work,
  deployed: Release | undefined,
  instances: readonly Instance[],
): Promise<readonly string[]> {
  const all = deployed?.rfc_cis ?? [];
  const changed = all.filter(({ rfcAction }) => rfcAction !== 'add' && rfcAction !== 'delete');
  const components = new Set(changed.map((each) => `${platformOf(each)}/${componentOf(each)}`));
  const reached = new Set(all.map(instanceName));
  const behind = instances
    .filter((each) => components.has(`${platformOf(each)}/${componentOf(each)}`))
    .filter((each) => !reached.has(instanceName(each)));
  if (behind.length === 0) return [];
  const plan = await plannedChanges(work);
  const planned = new Set(('refusal' in plan ? [] : plan.changes).map(instanceName));
  const left = behind.filter((each) => planned.has(instanceName(each)));
  return [...new Set(left.map(platformOf))].sort();
}

/** `complete` when all that is declared runs as deployed; otherwise what does not. */
export async function stateNow(work: Work, newest: Deployment | undefined, comments: string): Promise<string> {
  const { known } = work;
  const isKnown = newest?.deploymentId === known?.['deploymentId'];
  if (isKnown && known?.['state'] === PARTIAL) return PARTIAL;
  // One that was canceled with nothing left to deploy was the newest when success was recorded.
  const settled = known?.['state'] === 'complete' && isKnown;
  const state = settled ? 'complete' : (newest?.deploymentState ?? 'complete');
  if (state !== 'complete' || known === undefined || newest === undefined || !mayBeRefresh(work)) return state;
  const planned = await openPlan(work);
  if (planned !== undefined) return planned;
  if (comments.startsWith('ERROR:BOM')) return UNPLANNED;
  const look = await lookAtRunning(work);
  // A newer deployment of ours changed what runs without a recorded outcome: counts are old.
  const before = runningIn(isKnown || !isOurs(work, newest) ? known['running'] : undefined);
  const idle = look.idle.map(({ ciName }) => ciName).sort();
  const missing = await missingSince(work, look, before);
  const all = [...(idle.length === 0 ? [] : [`nothing runs of ${idle.join(', ')}`]), ...missing];
  const since = isKnown ? '' : ` since deployment ${newest.deploymentId} of ${newest.createdBy ?? 'somebody'}`;
  return all.length === 0 ? state : `${all.join('; ')}${since}`;
}

/** Reports what an undeclared setting keeps from running although everything is deployed. */
export async function reportMissing(work: Work, look: Look): Promise<void> {
  const state = work.known?.['state'];
  // Only a refresh of this run writes a state of several words.
  if (typeof state !== 'string' || !state.includes(' ')) return;
  const missing = await missingSince(work, look, runningIn(work.known?.['running']));
  if (missing.length > 0)
    work.notice(
      `${missing.join('; ')}: nothing is left to deploy, so this stays as it is; "pulumi-oneops drift" shows who set what is not declared`,
    );
}

/** A cloud on which a platform has fewer instances than before. */
interface Shortfall {
  readonly cloud: string;
  readonly before: number;
  readonly now: number;
}

/**
 * What no longer runs of the last roll-out, a text for each platform and cloud, without platforms
 * of which nothing runs, and what load scaling explains.
 */
async function missingSince(work: Work, look: Look, before: Running): Promise<readonly string[]> {
  const short = look.platforms.filter(
    (platform) =>
      !look.idle.some(({ ciId }) => ciId === platform.ciId) && fewer(platform, before, look.counts).length > 0,
  );
  const texts = await Promise.all(short.map((platform) => missingOf(work, platform, before)));
  return texts.flat().sort();
}

const fewer = ({ ciName }: WireRecord, before: Running, counts: Running): readonly Shortfall[] =>
  [...before].flatMap(([key, count]) => {
    const now = counts.get(key) ?? 0;
    return key.startsWith(`${ciName}/`) && now < count
      ? [{ cloud: key.slice(ciName.length + 1), before: count, now }]
      : [];
  });

async function missingOf(work: Work, { ciName: name }: WireRecord, before: Running): Promise<readonly string[]> {
  const address = { ...work.at, platform: name };
  // The list of the environment may be incomplete, so the list of the platform must show the same.
  const [platform, instances] = await Promise.all([
    work.api.call(routes.environmentPlatforms.read, { address }),
    instancesOf(work, name),
  ]);
  const short = fewer(platform, before, countsOf(instances));
  if (short.length === 0) return [];
  const [{ clouds }, { depends_on: scaled }] = await Promise.all([
    work.api.call(routes.environments.read, { address: work.at }),
    work.api.call(routes.environmentPlatforms.edit, { address }),
  ]);
  return short.flatMap((shortfall) => {
    const why = whyFewer(work, { platform, clouds, scaled, instances }, shortfall.cloud);
    const { cloud, now, before: expected } = shortfall;
    return why === SCALED_BY_LOAD
      ? []
      : [`${name}: ${now} of ${expected} instances run in ${cloud}${why === '' ? '' : `, because ${why}`}`];
  });
}

/** The service's reason for a platform with fewer instances. */
interface Known {
  readonly platform: EnvironmentPlatform;
  /** The links of the environment, which its platforms follow unless a user sets other values. */
  readonly clouds: Environment['clouds'];
  /** Its dependencies that can be scaled. */
  readonly scaled: readonly Relation[];
  readonly instances: readonly Instance[];
}

const SCALED_BY_LOAD = 'it scales by load';

/** Why fewer instances of a platform run on a cloud; empty when no setting explains it. */
function whyFewer(work: Work, { platform, clouds, scaled, instances }: Known, cloud: string): string {
  const link = linkTo(platform, cloud);
  if (link === undefined) return 'it does not use that cloud any more';
  const texts = linkTexts(committed(link));
  const isConfigured = wordsAt(work.known, 'configured').some((name) =>
    name.startsWith(`${platform.ciName}/${cloud}/`),
  );
  const own = clouds?.[String(link.toCiId)];
  const share = Number(texts['pct_scale']);
  if (texts['adminstatus'] !== 'active') return `the cloud is ${texts['adminstatus']} for it`;
  if (!isConfigured && own && share < Number(linkTexts(own)['pct_scale']))
    return `pct_scale is ${share} for it, and ${linkTexts(own)['pct_scale']} in the environment`;
  const there = instances.filter(({ deployedTo }) => deployedTo?.ciName === cloud);
  if (scaled.length === 0 || !scaled.every((relation) => runsAsScaled(relation, share, there))) return '';
  if (scaled.every((relation) => scalesByLoad(work, platform, relation))) return SCALED_BY_LOAD;
  return scaled.map((relation) => `${nameOfTarget(relation)} is scaled to ${scaledTo(relation)}`).join(', ');
}

/** `2`, or, where a change waits for its commit: `2, and 4 is not committed`. */
function scaledTo(relation: Relation): string {
  const [now = '', open = ''] = [committed(relation)['current'], relation.relationAttributes['current']];
  return now === open ? `${now}` : `${now}, and ${open} is not committed`;
}

/** A relation's attributes without its open change. */
const committed = (relation: Relation): Relation['relationAttributes'] => ({
  ...relation.relationAttributes,
  ...(relation['relationBaseAttributes'] as Relation['relationAttributes'] | null | undefined),
});

/** Whether the number of instances is the declared one, or, within bounds, the load's. */
export function scalesByLoad(work: Work, { ciName, ciAttributes }: WireRecord, relation: Relation): boolean {
  const { current, min, max } = committed(relation);
  const isWithin = Number(min) < Number(max) && Number(current) >= Number(min) && Number(current) <= Number(max);
  // Where the stack declares the number, the platform's record has the difference.
  const isDeclared = wordsAt(work.known, 'scaled').includes(`${ciName}/${nameOfTarget(relation)}`);
  return isWithin && (isDeclared || ciAttributes['autoscale'] === 'true');
}

export const nameOfTarget = ({ toCi, toCiId }: Relation): string => toCi?.ciName ?? String(toCiId);

/** Whether a cloud runs its share of `current`, rounded up (service-facts §10.5). */
function runsAsScaled(relation: Relation, share: number, there: readonly Instance[]): boolean {
  const wanted = Math.ceil((Number(committed(relation)['current'] ?? 1) * share) / 100);
  const name = nameOfTarget(relation);
  return there.filter((each) => componentOf(each) === name).length >= wanted;
}
