// What runs in an environment, held against what is there to run, and plans that nobody carries out: what the service never says by itself.
// It must not know how anything is deployed.
import { routes, type EnvironmentPlatform, type Instance } from '../../../api/contract';
import { NotFound } from '../../../api/errors';
import { isPendingDelete } from '../../verbs/live';
import type { Work } from '../../verbs/verbs';
import { linkTexts } from '../../releases/cloud-links';
import { userOf } from '../../releases/open-changes';

/** `web/1` of `/organization/assembly/environment/bom/web/1`: the platform of an instance, by name and major version. */
const placeOf = ({ nsPath }: Instance): string => nsPath.split('/').slice(5, 7).join('/');

/**
 * Committed platforms of the environment that have a cloud to run on and no instance anywhere: disabled ones, and those whose instances are gone.
 * Asks for the platforms and the instances, and once more for those platforms alone
 * that have none.
 */
export async function idlePlatforms(work: Work): Promise<readonly EnvironmentPlatform[]> {
  const all = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const platforms = all.filter((platform) => !isPendingDelete(platform) && platform.rfcAction !== 'add');
  if (platforms.length === 0) return [];
  const query = { instances_state: 'all' };
  const instances = await work.api.call(routes.operations.environmentInstances, { address: work.at, query });
  const running = new Set(instances.map(placeOf));
  const idle = platforms.filter(
    ({ ciName, ciAttributes }) => !running.has(`${ciName}/${ciAttributes['major_version'] || '1'}`),
  );
  const found = await Promise.all(
    idle.map(async ({ ciName }) => {
      const address = { ...work.at, platform: ciName };
      const platform = await work.api.call(routes.environmentPlatforms.read, { address });
      if (!hasWork(platform)) return [];
      // A list that came shortened is not taken for an outage: the platform's own has to agree.
      const own = await work.api.call(routes.operations.platformInstances, { address, query });
      return own.length === 0 ? [platform] : [];
    }),
  );
  return found.flat();
}

/** Whether a cloud is there to run on, and a share of it is wanted. */
const hasWork = ({ consumes }: EnvironmentPlatform): boolean =>
  (consumes ?? []).some(({ relationAttributes, rfcAction }) => {
    const link = linkTexts(relationAttributes);
    return !rfcAction && link['adminstatus'] === 'active' && Number(link['pct_scale']) > 0;
  });

/** Whether the run's own user committed the environment and nobody deployed it: a run of ours was cut off there. */
export async function isOwnPlanOpen(work: Work): Promise<boolean> {
  try {
    const { releaseState, createdBy } = await work.api.call(routes.environmentReleases.bom, { address: work.at });
    return releaseState === 'open' && createdBy === (await userOf(work));
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}
