// What runs in an environment, held against what is there to run, and plans that nobody carries out: what the service never says by itself.
// It must not know how anything is deployed.
import { routes, type EnvironmentPlatform, type Instance } from '../../../api/contract';
import { NotFound } from '../../../api/errors';
import { isPendingDelete } from '../../verbs/live';
import type { Work } from '../../verbs/verbs';
import { linkTexts } from '../../releases/cloud-links';
import { downOnPurpose } from '../../releases/down-on-purpose';
import { userOf } from '../../releases/open-changes';

const ALL = { instances_state: 'all' };

/** `web` and `1` of `/organization/assembly/environment/bom/web/1`: the platform of an instance, by name and major version. */
const placeOf = ({ nsPath }: Instance): readonly string[] => nsPath.split('/').slice(5, 7);

/** How many instances there are, by platform and cloud: `web/east`. */
export type Running = ReadonlyMap<string, number>;

/** How many instances of a list each platform has on each cloud. */
export function countsOf(instances: readonly Instance[]): Running {
  const counts = new Map<string, number>();
  for (const instance of instances) {
    const key = `${placeOf(instance)[0] ?? ''}/${instance.deployedTo?.ciName ?? '?'}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** `db/east 5, web/east 12`: as the state keeps it. */
export const runningText = (counts: Running): string =>
  [...counts]
    .map(([key, count]) => `${key} ${count}`)
    .sort()
    .join(', ');

/** The counts of such a text; none where a state does not tell them. */
export const runningIn = (text: unknown): Running =>
  new Map(
    (typeof text === 'string' ? text : '').split(', ').flatMap((part): [string, number][] => {
      const found = /^(\S+) (\d+)$/.exec(part);
      return found?.[1] === undefined ? [] : [[found[1], Number(found[2])]];
    }),
  );

/** What a look at an environment shows. */
export interface Look {
  /** Committed platforms that stay, and are not declared to be down. */
  readonly platforms: readonly EnvironmentPlatform[];
  readonly counts: Running;
  /** Those of the platforms that have a cloud to run on and no instance anywhere: disabled ones, and those whose instances are gone. */
  readonly idle: readonly EnvironmentPlatform[];
}

/** Asks for the platforms and the instances, and once more for those platforms alone that have no instance. */
export async function lookAtRunning(work: Work): Promise<Look> {
  const all = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const down = downOnPurpose(work);
  const platforms = all.filter(
    (platform) => !isPendingDelete(platform) && platform.rfcAction !== 'add' && !down.has(platform.ciName),
  );
  if (platforms.length === 0) return { platforms, counts: new Map(), idle: [] };
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
      // A list that came shortened is not taken for an outage: the platform's own has to agree.
      return hasWork(platform) && (await instancesOf(work, ciName)).length === 0 ? [platform] : [];
    }),
  );
  return { platforms, counts: countsOf(instances), idle: found.flat() };
}

/** The instances of one platform, from its own list. */
export const instancesOf = (work: Work, platform: string): Promise<readonly Instance[]> =>
  work.api.call(routes.operations.platformInstances, { address: { ...work.at, platform }, query: ALL });

/** Whether a cloud is there to run on, and a share of it is wanted. */
const hasWork = ({ consumes }: EnvironmentPlatform): boolean =>
  (consumes ?? []).some(({ relationAttributes, rfcAction }) => {
    const link = linkTexts(relationAttributes);
    return !rfcAction && link['adminstatus'] === 'active' && Number(link['pct_scale']) > 0;
  });

/** `planned` when the run's own user committed the environment and nobody deployed it, as a run of ours that was cut off; of others, who did. */
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
