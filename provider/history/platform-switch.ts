// Finds whether platforms of an environment are enabled, and who switched them. No list shows it;
// switches are found by other answers (flows F12, service-facts §3.10).
import { routes, type Instance, type Record as WireRecord, type Relation, type Release } from '../../api/contract';
import { ApiError } from '../../api/errors';
import { versionIn, versionOf } from '../address/ids';
import type { Work } from '../kind';
import { isPendingDelete } from '../verbs/live';
import { instancesAt } from '../verbs/named-component';
import { hasWork } from '../kinds/environment/cloud-links';
import {
  causeOf,
  closedReleases,
  FARTHEST,
  newestManifest,
  type Place,
  readRelease,
  textBefore,
  type Walk,
} from './environment-releases';
import type { Cause } from './change';

/** The connection, the memory of the run, and the environment that `at` names. */
type Asking = Pick<Work, 'api' | 'session' | 'at'>;

/** The known facts about the switch of one platform. */
export interface PlatformSwitch {
  /** As the environment's list shows it. */
  readonly platform: WireRecord;
  /** The value once everything open is committed; undefined when it is not known. */
  readonly enabled: boolean | undefined;
  /** The value that is committed already. */
  readonly committed: boolean | undefined;
  /** It waits for a commit, waits for a deployment, or agrees with what runs. */
  readonly reach: 'open' | 'committed' | 'deployed';
  /** How it is known, or why it is not, as the end of a sentence. */
  readonly reason: string;
  /** The change that set it; absent when no release that can be read contains one. */
  readonly switched?: Cause;
}

/** By the platform's record number. */
type PlatformSwitches = ReadonlyMap<number, PlatformSwitch>;

/**
 * The switches of an environment's platforms, without those being deleted, read once per run: by
 * the newest release, a plan that is not stored, the instances, and further releases if needed.
 */
export const platformSwitches = (asking: Asking): Promise<PlatformSwitches> => {
  const { api, at, session } = asking;
  const key = `switches ${api.organization}/${at['assembly']}/${at['environment']}`;
  const { platform: _, ...environment } = at;
  return session.answers.derived(key, 'releases of an environment', environment, () =>
    readSwitches({ ...asking, at: environment }),
  );
};

async function readSwitches(asking: Asking): Promise<PlatformSwitches> {
  const { api, at } = asking;
  const listed = await api.call(routes.environmentPlatforms.list, { address: at });
  const platforms = listed.filter((platform) => !isPendingDelete(platform));
  if (platforms.length === 0) return new Map();
  const newest = await newestManifest(asking);
  const found = new Map<number, FoundSwitch>(newest ? switchesIn(newest) : []);
  // Read before the instances: what starts or ends in between then never reads as `enabled`.
  const plan = await plannedChanges(asking);
  const instances = await instancesAt(asking);
  const verdicts = new Map(platforms.map((platform) => [platform.ciId, verdictOf(platform, plan, instances)]));
  const sought = platforms.filter(({ ciId }) => !found.has(ciId) && verdicts.get(ciId)?.enabled !== true);
  const walk: Walk = sought.length === 0 ? 'whole' : await walkReleases(asking, newest, sought, found);
  const switches: [number, PlatformSwitch][] = [];
  for (const platform of platforms) {
    const verdict = verdicts.get(platform.ciId) as Verdict;
    const change = found.get(platform.ciId);
    const isShown = change !== undefined && (change.isOpen || change.enabled || verdict.enabled !== true);
    const known = isShown ? byChange(change, verdict) : await byPlan(asking, platform, verdict, walk);
    switches.push([platform.ciId, { platform, ...(isShown ? known : withUnlisted(known, newest)) }]);
  }
  return new Map(switches);
}

type Known = Omit<PlatformSwitch, 'platform'>;

/** The plan of a deployment of the committed records, or why there is none. */
type Plan = { readonly changes: readonly WireRecord[] } | { readonly refusal: string };

export async function plannedChanges({ api, at }: Place): Promise<Plan> {
  try {
    return { changes: (await api.call(routes.deployments.preview, { address: at })).rfcs.cis };
  } catch (error) {
    if (error instanceof ApiError) return { refusal: error.message };
    throw error;
  }
}

interface Verdict {
  /** Undefined when the instances and the plan alone do not decide. */
  readonly enabled: boolean | undefined;
  readonly running: number;
  /** Whether the plan starts something of it. */
  readonly starts: boolean;
  readonly refusal?: string;
}

/** What keeps running or starts is enabled: a plan deletes all of a disabled platform (§10.5). */
function verdictOf(platform: WireRecord, plan: Plan, instances: readonly Instance[]): Verdict {
  const isOwn = (each: { readonly nsPath: string }): boolean => versionIn(each) === versionOf(platform);
  const own = instances.filter(isOwn);
  const running = own.length;
  if ('refusal' in plan) return { enabled: undefined, running, starts: false, refusal: plan.refusal };
  const changes = plan.changes.filter(isOwn);
  const leaving = new Set(changes.filter(({ rfcAction }) => rfcAction === 'delete').map(({ ciId }) => ciId));
  const starts = changes.some(({ rfcAction }) => rfcAction === 'add');
  const stays = own.some(({ ciId }) => !leaving.has(ciId));
  return { enabled: starts || stays ? true : undefined, running, starts };
}

/** The last change of a platform's switch, newest release first. */
interface FoundSwitch {
  readonly enabled: boolean;
  /** The value before; undefined when the change does not show it. */
  readonly before: boolean | undefined;
  readonly isOpen: boolean;
  readonly switched: Cause;
}

/** The switches that a release changes, by the platform's number. */
export function switchesIn(release: Release): [number, FoundSwitch][] {
  return (release.rfc_relations ?? []).flatMap((change): [number, FoundSwitch][] => {
    const enabled = switchedTo(change);
    if (enabled === undefined) return [];
    const isOpen = release.releaseState === 'open';
    const switched = causeOf(release, change);
    const text = textBefore(change, 'enabled');
    return [[change.toCiId, { enabled, before: text === undefined ? undefined : text !== 'false', isOpen, switched }]];
  });
}

/** The value after a change. A new platform is enabled by default (service-facts §2.1.9). */
function switchedTo({ relationName, relationAttributes, rfcAction }: Relation): boolean | undefined {
  if (relationName !== 'manifest.ComposedOf' || rfcAction === 'delete') return undefined;
  const text = relationAttributes['enabled'];
  if (text === undefined || text === null) return rfcAction === 'add' ? true : undefined;
  return text !== 'false';
}

/** Adds to `found` what releases show, newest first, until each `sought` platform is found. */
async function walkReleases(
  asking: Place,
  newest: Release | undefined,
  sought: readonly WireRecord[],
  found: Map<number, FoundSwitch>,
): Promise<Walk> {
  if (newest === undefined) return 'whole';
  if (newest.rfc_relations === undefined) return 'unlisted';
  const earlier = (await closedReleases(asking, newest)).toReversed();
  for (const { releaseId } of earlier.slice(0, FARTHEST)) {
    if (sought.every(({ ciId }) => found.has(ciId))) return 'whole';
    const release = await readRelease(asking, releaseId);
    if (release.rfc_relations === undefined) return 'unlisted';
    for (const [ciId, change] of switchesIn(release)) if (!found.has(ciId)) found.set(ciId, change);
  }
  return earlier.length > FARTHEST ? 'too far' : 'whole';
}

function byChange({ enabled, before, isOpen, switched }: FoundSwitch, verdict: Verdict): Known {
  const { running, starts } = verdict;
  const { who, releaseId } = switched;
  const isDeployed = enabled ? running > 0 || !starts : running === 0;
  const what = enabled ? 'enabled' : 'disabled';
  const seen = who === '' ? `it was ${what}` : `${who} ${what} it`;
  return {
    enabled,
    committed: isOpen ? (before ?? verdict.enabled) : enabled,
    reach: isOpen ? 'open' : isDeployed ? 'deployed' : 'committed',
    reason: `${seen} in release ${releaseId}${isOpen ? ', not committed yet' : ''}`,
    switched,
  };
}

/** An open release whose changes the service does not list may switch any platform. */
function withUnlisted(known: Known, newest: Release | undefined): Known {
  if (newest?.releaseState !== 'open' || newest.rfc_relations !== undefined) return known;
  const { releaseId } = newest;
  const reason = `release ${releaseId} is not committed, and the service does not list its changes`;
  return { ...known, enabled: undefined, reach: 'open', reason };
}

/** The committed value by the plan, when no release that can be read shows it. */
async function byPlan(asking: Asking, platform: WireRecord, verdict: Verdict, walk: Walk): Promise<Known> {
  const { enabled, running, starts, refusal } = verdict;
  const unclear = (reason: string): Known => ({
    enabled: undefined,
    committed: undefined,
    reach: 'committed',
    reason,
  });
  if (enabled === true)
    return {
      enabled,
      committed: enabled,
      reach: running > 0 || !starts ? 'deployed' : 'committed',
      reason: running > 0 ? 'it runs, and a plan keeps it' : 'a plan starts it',
    };
  const notFound = NOT_FOUND[walk];
  if (refusal !== undefined) return unclear(`${notFound}, and the service makes no plan: ${refusal}`);
  if (platform.rfcAction === 'add')
    return unclear(`${notFound}, and a plan does not know a platform that is not committed`);
  const { api, at } = asking;
  const read = { ...at, platform: String(platform.ciId) };
  if (!hasWork(await api.call(routes.environmentPlatforms.read, { address: read })))
    return unclear(`${notFound}, and it has no cloud on which a plan would start it`);
  const reach = running === 0 ? 'deployed' : 'committed';
  const seen = running === 0 ? 'nothing of it runs, and a plan starts nothing' : 'a plan takes all of it down';
  return { enabled: false, committed: false, reach, reason: `${seen} although a cloud is active` };
}

const NOT_FOUND: { readonly [walk in Walk]: string } = {
  whole: 'no release of the environment contains a change of it',
  unlisted: 'the service does not list the changes of its releases',
  'too far': `the newest ${FARTHEST} releases contain no change of it`,
};
