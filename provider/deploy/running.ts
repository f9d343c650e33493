// Compares the instances of an environment with its platforms, and finds plans that nobody deploys. No single route shows either.
import { userOf } from '../history/user';
import { type EnvironmentPlatform, type Instance, routes } from '../../api/contract';
import { NotFound } from '../../api/errors';
import { isPendingDelete } from '../verbs/live';
import type { Work } from '../model';
import { hasWork } from '../kinds/environment/cloud-links';
import { downOnPurpose } from './declared-records';
import { platformOf } from '../address/namespace';

const ALL = { instances_state: 'all' };

/** `web` and `1` of `/organization/assembly/environment/bom/web/1`: the platform of an instance, by name and major version. */
const placeOf = ({ nsPath }: Instance): readonly string[] => nsPath.split('/').slice(5, 7);

/** How many instances there are, by platform and cloud: `web/east`. */
export type Running = ReadonlyMap<string, number>;

/** Counts the instances of a list by platform and cloud. */
export function countsOf(instances: readonly Instance[]): Running {
  const counts = new Map<string, number>();
  for (const instance of instances) {
    const key = `${placeOf(instance)[0] ?? ''}/${instance.deployedTo?.ciName ?? '?'}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

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

/** What runs in an environment, and what does not. */
export interface Look {
  /** Committed platforms that stay, and are not declared to be down. */
  readonly platforms: readonly EnvironmentPlatform[];
  readonly counts: Running;
  readonly instances: readonly Instance[];
  /** Those of the platforms that have a cloud to run on and no instance anywhere: disabled ones, and those whose instances no longer exist. */
  readonly idle: readonly EnvironmentPlatform[];
}

/** Reads the platforms and the instances of an environment, and again each platform that has no instance. */
export async function lookAtRunning(work: Work): Promise<Look> {
  const all = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const down = downOnPurpose(work);
  const platforms = all.filter(
    (platform) => !isPendingDelete(platform) && platform.rfcAction !== 'add' && !down.has(platform.ciName),
  );
  if (platforms.length === 0) return { platforms, counts: new Map(), instances: [], idle: [] };
  const instances = await work.api.call(routes.operations.environmentInstances, { address: work.at, query: ALL });
  const running = new Set(instances.map((instance) => placeOf(instance).join('/')));
  const empty = platforms.filter(
    ({ ciName, ciAttributes }) => !running.has(`${ciName}/${ciAttributes['major_version'] || '1'}`),
  );
  const found = await Promise.all(
    empty.map(async ({ ciName }) => {
      const platform = await work.api.call(routes.environmentPlatforms.read, {
        address: { ...work.at, platform: ciName },
      });
      // The list of the environment may be incomplete, so the list of the platform must show the same.
      return hasWork(platform) && (await instancesOf(work, ciName)).length === 0 ? [platform] : [];
    }),
  );
  return { platforms, counts: countsOf(instances), instances, idle: found.flat() };
}

/** The instances of one platform, from its own list. */
export const instancesOf = (work: Work, platform: string): Promise<readonly Instance[]> =>
  work.api.call(routes.operations.platformInstances, { address: { ...work.at, platform }, query: ALL });

/** `planned` when a plan is open that this run's user committed, for example in a run that was killed; names the user when another one did. */
export async function openPlan(work: Work): Promise<string | undefined> {
  try {
    const { releaseState, createdBy } = await work.api.call(routes.environmentReleases.bom, { address: work.at });
    if (releaseState !== 'open') return undefined;
    return createdBy === (await userOf(work)) ? 'planned' : `what ${createdBy ?? 'somebody'} committed is not deployed`;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** Columns of the line: with the rest of the row, a terminal of 110 columns shows it whole. */
const WIDTH = 56;

/** `7 instances: east 5, west 2; web 10.0.0.4, …`: the first address of each platform, as many as fit; `nothing runs` without instances. */
export function whatRuns(instances: readonly Instance[]): string {
  if (instances.length === 0) return 'nothing runs';
  const clouds = new Map<string, number>();
  const addresses = new Map<string, string>();
  for (const instance of instances) {
    const { deployedTo, ciAttributes } = instance;
    const cloud = deployedTo?.ciName ?? '?';
    clouds.set(cloud, (clouds.get(cloud) ?? 0) + 1);
    const address = ciAttributes['public_ip'] || ciAttributes['private_ip'];
    const platform = platformOf(instance);
    if (address && !(address > (addresses.get(platform) ?? '~'))) addresses.set(platform, address);
  }
  const count = `${instances.length} instance${instances.length === 1 ? '' : 's'}`;
  const counts = fitting(
    `${count}: `,
    [...clouds].sort().map(([cloud, own]) => `${cloud} ${own}`),
  );
  return addresses.size === 0 || counts.endsWith('…')
    ? counts
    : fitting(
        `${counts}; `,
        [...addresses].sort().map(([platform, address]) => `${platform} ${address}`),
      );
}

/** The parts after a beginning, as many as fit, and the first one in any case. */
const fitting = (beginning: string, parts: readonly string[]): string =>
  parts.reduce((line, part, index) => {
    if (line.endsWith('…')) return line;
    if (index === 0) return `${line}${part}`;
    return line.length + part.length > WIDTH ? `${line}, …` : `${line}, ${part}`;
  }, beginning);
