// The door of transition: environments, their platforms, pull, commit and releases.
import type { Catalogue } from '../catalogue';
import type { HandlerTable } from '../runtime/handler';
import { commitRunners, pullRunners } from './background-jobs';
import { environmentHandlers, jobHandlers, releaseHandlers } from './environments';
import { environmentPartHandlers } from './collections';
import { environmentPlatformHandlers } from './platforms';
import type { Runners } from '../runtime/work';

export {
  blocksCommits,
  buildPlan,
  cancelUndeployed,
  checkUnlocked,
  closeManifest,
  isUnfinished,
  planCommitted,
  startJob,
  vanishPending,
} from './background-jobs';
export { checkReadyToPlan, environmentAnswer, idsIn } from './environments';
export {
  type EnvironmentPlace,
  instancesNamespace,
  isEnabled,
  locatePlace,
  manifestComponents,
  type ManifestPlatform,
  manifestPlatforms,
  placeById,
  placeOfBom,
} from './place';
export { type Outage, watchOutages } from './outages';
export {
  locateComponentPlace,
  locateInstance,
  locatePlatform,
  locatePlatformPlace,
  platformAnswer,
} from './platforms';
export { cloudLinks } from './links';
export { TOUCH } from './planning';

export const transitionHandlers: HandlerTable = {
  ...environmentHandlers,
  ...jobHandlers,
  ...environmentPlatformHandlers,
  ...environmentPartHandlers,
  ...releaseHandlers,
};

/** Runners of the jobs they start, by job name. */
export function transitionJobs(catalogue: Catalogue): Runners {
  return { ...pullRunners(catalogue), ...commitRunners(catalogue) };
}
