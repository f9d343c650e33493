// Whether each platform of an environment is enabled, how that is known, and who switched it: no list tells it (flows F12, service-facts §3.10).
// It must not know what is declared, nor what is done about a platform that is disabled.
import { routes, type Instance, type Record as WireRecord, type Relation, type Release } from '../../api/contract';
import { ApiError, NotFound } from '../../api/errors';
import { isPlainObject } from '../plain-object';
import { lookUp } from '../session';
import { isPendingDelete } from '../verbs/live';
import type { Work } from '../verbs/verbs';
import { linkTexts } from './cloud-links';

/** What is asked with, and where: `at` names organization, assembly and environment. */
type Asking = Pick<Work, 'api' | 'session' | 'at'>;

/** Who switched a platform, in which release, and when (ms since 1970). `by` is empty where the service does not tell. */
interface SwitchedBy {
  readonly by: string;
  readonly at: number;
  readonly releaseId: number;
}

/** What is known of one platform's switch. */
export interface PlatformSwitch {
  /** As the environment's list shows it. */
  readonly platform: WireRecord;
  /** What holds once everything open is committed; undefined where nothing tells. */
  readonly enabled: boolean | undefined;
  /** The same for what is committed already. */
  readonly committed: boolean | undefined;
  /** `change`: a release holds the change. `plan`: what runs, held against what a plan would want. `nothing`: neither tells. */
  readonly knownBy: 'change' | 'plan' | 'nothing';
  /** `open`: the switch waits for a commit. `committed`: for a deployment. `deployed`: what runs agrees with it. */
  readonly reach: 'open' | 'committed' | 'deployed';
  /** How it is known, or why it is not, as the end of a sentence. */
  readonly reason: string;
  /** The change that made it so; absent where no release that can be read holds one. */
  readonly switched?: SwitchedBy;
}

/** By the platform's record number. */
export type PlatformSwitches = ReadonlyMap<number, PlatformSwitch>;

/** How many releases are read for the change of a platform's switch. */
const FARTHEST = 25;

const keyOf = ({ api, at }: Asking): string => `switches ${api.organization}/${at['assembly']}/${at['environment']}`;

/**
 * The switches of an environment's platforms, asked once per run: a list of platforms, the newest release, a plan that is not stored, the
 * instances, and further releases only for platforms that these leave open. Platforms that leave are left out.
 */
export const platformSwitches = (asking: Asking): Promise<PlatformSwitches> =>
  lookUp(asking.session, keyOf(asking), () => readSwitches(asking));

/** Has the next question asked anew: something was written since. */
export const forgetSwitches = (asking: Asking): void => {
  asking.session.lookups.forget(keyOf(asking));
};

async function readSwitches(asking: Asking): Promise<PlatformSwitches> {
  const { api, at } = asking;
  const listed = await api.call(routes.environmentPlatforms.list, { address: at });
  const platforms = listed.filter((platform) => !isPendingDelete(platform));
  if (platforms.length === 0) return new Map();
  const newest = await newestManifest(asking);
  const found = new Map<number, Found>(newest ? changesIn(newest) : []);
  // The plan comes before the instances: what starts or ends in between then looks undecided, and never enabled.
  const plan = await plannedChanges(asking);
  const query = { instances_state: 'all' };
  const instances = await api.call(routes.operations.environmentInstances, { address: at, query });
  const verdicts = new Map(platforms.map((platform) => [platform.ciId, verdictOf(platform, plan, instances)]));
  const sought = platforms.filter(({ ciId }) => !found.has(ciId) && verdicts.get(ciId)?.enabled !== true);
  const walk = sought.length === 0 ? ENOUGH : await walkReleases(asking, newest, sought, found);
  const switches: [number, PlatformSwitch][] = [];
  for (const platform of platforms) {
    const verdict = verdicts.get(platform.ciId) as Verdict;
    const change = found.get(platform.ciId);
    const isTold = change !== undefined && (change.isOpen || change.enabled || verdict.enabled !== true);
    const known = isTold ? byChange(change, verdict) : await byPlan(asking, platform, verdict, walk);
    switches.push([platform.ciId, { platform, ...(isTold ? known : withUntold(known, newest)) }]);
  }
  return new Map(switches);
}

type Known = Omit<PlatformSwitch, 'platform'>;

/** The last change of a platform's switch, newest release first. */
interface Found {
  readonly enabled: boolean;
  /** What it was before; undefined where the change does not tell. */
  readonly before: boolean | undefined;
  readonly isOpen: boolean;
  readonly isNew: boolean;
  readonly switched: SwitchedBy;
}

/** Answers undefined where there is nothing of the kind. */
async function ifThere<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

const isManifest = ({ nsPath }: { readonly nsPath?: string | null }): boolean => nsPath?.endsWith('/manifest') === true;

const WITH_RELATIONS = { include_rfcs: 'relations' };

/**
 * The newest release of the manifest that was not discarded, with its changes where the service tells them. Where `latest` is a bom release
 * (service-facts §13 row 9), the timeline shows an open one.
 */
async function newestManifest(asking: Asking): Promise<Release | undefined> {
  const { api, at } = asking;
  const latest = await ifThere(() =>
    api.call(routes.environmentReleases.latest, { address: at, query: WITH_RELATIONS }),
  );
  if (latest && isManifest(latest)) return latest;
  const events = await api.call(routes.environments.timeline, { address: at });
  const releases = events.filter((event) => isManifest(event) && event['releaseState'] !== 'canceled');
  const [first] = releases.sort((one, other) => other.releaseId - one.releaseId);
  return first && readRelease(asking, first.releaseId);
}

/** A release with its changes of relations. */
const readRelease = ({ api, at }: Asking, releaseId: number): Promise<Release> =>
  api.call(routes.environmentReleases.read, {
    address: { ...at, release: String(releaseId) },
    query: WITH_RELATIONS,
  });

/** The switches that a release changes, by the platform's number. */
function changesIn(release: Release): [number, Found][] {
  return (release.rfc_relations ?? []).flatMap((change): [number, Found][] => {
    const enabled = switchedTo(change);
    if (enabled === undefined) return [];
    const by = change.updatedBy || change.createdBy || release.commitedBy || release.createdBy || '';
    const at = change.updated ?? change.created ?? release.updated ?? release.created ?? 0;
    const isNew = change.rfcAction === 'add';
    const isOpen = release.releaseState === 'open';
    const switched = { by, at, releaseId: release.releaseId };
    return [[change.toCiId, { enabled, before: valueBefore(change), isOpen, isNew, switched }]];
  });
}

function valueBefore(change: Relation): boolean | undefined {
  const base = change['relationBaseAttributes'];
  return isPlainObject(base) && typeof base['enabled'] === 'string' ? base['enabled'] !== 'false' : undefined;
}

/** A platform is new with `enabled` as it is by default (service-facts §2.1.9). */
function switchedTo({ relationName, relationAttributes, rfcAction }: Relation): boolean | undefined {
  if (relationName !== 'manifest.ComposedOf' || rfcAction === 'delete') return undefined;
  const text = relationAttributes['enabled'];
  if (text === undefined || text === null) return rfcAction === 'add' ? true : undefined;
  return text !== 'false';
}

/** What a deployment of what is committed would do, or why there is no plan. */
type Plan = { readonly changes: readonly WireRecord[] } | { readonly refusal: string };

async function plannedChanges({ api, at }: Asking): Promise<Plan> {
  try {
    return { changes: (await api.call(routes.deployments.preview, { address: at })).rfcs.cis };
  } catch (error) {
    if (error instanceof ApiError) return { refusal: error.message };
    throw error;
  }
}

/** What runs of a platform, and what a plan makes of it. */
interface Verdict {
  /** Undefined where instances and plan alone do not decide. */
  readonly enabled: boolean | undefined;
  readonly running: number;
  /** Whether the plan starts something of it. */
  readonly starts: boolean;
  readonly refusal?: string;
}

/** `web/1` of `/organization/assembly/environment/bom/web/1`, and of the same below `manifest`. */
const placeOf = ({ nsPath }: { readonly nsPath: string }): string => nsPath.split('/').slice(5, 7).join('/');

/** What keeps running or starts is enabled: a plan takes every instance of a disabled platform away (service-facts §10.5). */
function verdictOf(platform: WireRecord, plan: Plan, instances: readonly Instance[]): Verdict {
  const place = `${platform.ciName}/${platform.ciAttributes['major_version'] || '1'}`;
  const own = instances.filter((instance) => placeOf(instance) === place);
  const running = own.length;
  if ('refusal' in plan) return { enabled: undefined, running, starts: false, refusal: plan.refusal };
  const changes = plan.changes.filter((change) => placeOf(change) === place);
  const leaving = new Set(changes.filter(({ rfcAction }) => rfcAction === 'delete').map(({ ciId }) => ciId));
  const starts = changes.some(({ rfcAction }) => rfcAction === 'add');
  const stays = own.some(({ ciId }) => !leaving.has(ciId));
  return { enabled: starts || stays ? true : undefined, running, starts };
}

/** Whether more releases could be read that may tell. */
type Walk = 'whole' | 'untold' | 'too far';
const ENOUGH: Walk = 'whole';

/** Reads releases of the manifest, newest first, until each platform that is sought was found. Puts what it finds into `found`. */
async function walkReleases(
  asking: Asking,
  newest: Release | undefined,
  sought: readonly WireRecord[],
  found: Map<number, Found>,
): Promise<Walk> {
  if (newest === undefined) return 'whole';
  if (newest.rfc_relations === undefined) return 'untold';
  const { api, at } = asking;
  const ended = await api.call(routes.environmentReleases.list, { address: at });
  const earlier = ended
    .filter((each) => isManifest(each) && each.releaseState === 'closed' && each.releaseId < newest.releaseId)
    .sort((one, other) => other.releaseId - one.releaseId);
  for (const { releaseId } of earlier.slice(0, FARTHEST)) {
    if (sought.every(({ ciId }) => found.has(ciId))) return 'whole';
    // What is closed stays as it is.
    const key = `${keyOf(asking)} ${releaseId}`;
    const release = await lookUp(asking.session, key, () => readRelease(asking, releaseId));
    if (release.rfc_relations === undefined) return 'untold';
    for (const [ciId, change] of changesIn(release)) if (!found.has(ciId)) found.set(ciId, change);
  }
  return earlier.length > FARTHEST ? 'too far' : 'whole';
}

function byChange({ enabled, before, isOpen, isNew, switched }: Found, verdict: Verdict): Known {
  const { running, starts } = verdict;
  const { by, releaseId } = switched;
  const isDeployed = enabled ? running > 0 || !starts : running === 0;
  const who = by === '' ? '' : ` by ${by}`;
  const what = isNew && enabled ? 'new' : enabled ? 'enabled' : 'disabled';
  return {
    enabled,
    committed: isOpen ? (before ?? verdict.enabled) : enabled,
    knownBy: 'change',
    reach: isOpen ? 'open' : isDeployed ? 'deployed' : 'committed',
    reason: `release ${releaseId} has it ${what}${who}${isOpen ? ', not committed' : ''}`,
    switched,
  };
}

/** A release that is open, and of which the service does not tell the changes, may switch any platform. */
function withUntold(known: Known, newest: Release | undefined): Known {
  if (newest?.releaseState !== 'open' || newest.rfc_relations !== undefined) return known;
  const { releaseId } = newest;
  const reason = `release ${releaseId} is not committed, and the service does not tell its changes`;
  return { ...known, enabled: undefined, knownBy: 'nothing', reach: 'open', reason };
}

/** What the plan shows of what is committed, where no release that can be read does. */
async function byPlan(asking: Asking, platform: WireRecord, verdict: Verdict, walk: Walk): Promise<Known> {
  const { enabled, running, starts, refusal } = verdict;
  const unclear = (reason: string): Known => ({
    enabled: undefined,
    committed: undefined,
    knownBy: 'nothing',
    reach: 'committed',
    reason,
  });
  if (enabled === true)
    return {
      enabled,
      committed: enabled,
      knownBy: 'plan',
      reach: running > 0 || !starts ? 'deployed' : 'committed',
      reason: running > 0 ? 'it runs, and a plan keeps it' : 'a plan starts it',
    };
  const untold = UNTOLD[walk];
  if (refusal !== undefined) return unclear(`${untold}, and the service makes no plan: ${refusal}`);
  if (platform.rfcAction === 'add')
    return unclear(`${untold}, and a plan does not know a platform that is not committed`);
  const { api, at } = asking;
  const read = { ...at, platform: String(platform.ciId) };
  const { consumes } = await api.call(routes.environmentPlatforms.read, { address: read });
  if (!(consumes ?? []).some(hasWork)) return unclear(`${untold}, and it has no cloud on which a plan would start it`);
  const reach = running === 0 ? 'deployed' : 'committed';
  const seen = running === 0 ? 'nothing of it runs, and a plan starts nothing' : 'a plan takes all of it down';
  return { enabled: false, committed: false, knownBy: 'plan', reach, reason: `${seen} although a cloud is active` };
}

const UNTOLD: { readonly [walk in Walk]: string } = {
  whole: 'no release of the environment holds a change of it',
  untold: 'the service does not tell the changes of its releases',
  'too far': `the newest ${FARTHEST} releases hold no change of it`,
};

/** Whether a cloud is there to run on, and a share of it is wanted, committed. */
const hasWork = ({ relationAttributes, rfcAction }: Relation): boolean => {
  const link = linkTexts(relationAttributes);
  return !rfcAction && link['adminstatus'] === 'active' && Number(link['pct_scale']) > 0;
};
