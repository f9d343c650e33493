// The door of transition: environments, their platforms, pull, commit and releases.
import type { HandlerTable } from '../runtime/handler';
import { environmentHandlers, jobHandlers, releaseHandlers } from './environments';
import { environmentPartHandlers } from './collections';
import { environmentPlatformHandlers } from './platforms';

export {
  blocksCommits,
  buildPlan,
  cancelUndeployed,
  checkUnlocked,
  closeManifest,
  isUnfinished,
  planCommitted,
  startJob,
  transitionJobs,
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
export { locateComponentPlace, locateInstance, locatePlatform, locatePlatformPlace, platformAnswer } from './platforms';
export { cloudLinks } from './links';
export { TOUCH } from './planning';

export const transitionHandlers: HandlerTable = {
  ...environmentHandlers,
  ...jobHandlers,
  ...environmentPlatformHandlers,
  ...environmentPartHandlers,
  ...releaseHandlers,
};
