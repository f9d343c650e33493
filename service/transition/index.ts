// The door of transition: environments, their platforms, pull, commit and releases.
import type { Catalogue } from '../catalogue';
import type { HandlerTable } from '../handler';
import type { Runners } from '../store';
import { commitRunners, pullRunners } from './background-jobs';
import { environmentHandlers } from './environments';
import { jobHandlers } from './jobs';
import { environmentAttachmentHandlers } from './attachments';
import { monitorHandlers } from './monitors';
import { platformSwitchHandlers } from './platform-switches';
import { environmentPlatformHandlers } from './platforms';
import { relayHandlers } from './relays';
import { releaseHandlers } from './releases';
import { scalingHandlers } from './scaling';
import { environmentVariableHandlers } from './variables';
import { writtenHandlers } from './written';

export { buildPlan, cancelUndeployed, closeManifest, planCommitted } from './background-jobs';
export { environmentAnswer } from './environments';
export { checkReadyToPlan, idsIn } from './jobs';
export { checkUnlocked, blocksCommits, lock } from './background-jobs';
export { isEnabled, manifestComponents, manifestPlatforms, type ManifestPlatform } from './manifest';
export { vanishPending } from './background-jobs';
export { instancesNamespace, locatePlace, placeById, placeOfBom, type EnvironmentPlace } from './place';
export { type Outage, watchOutages } from './outages';
export { locateComponent, locatePlatform, locatePlatformPlace, platformAnswer } from './platforms';
export { cloudLinks } from './links';
export { TOUCH } from './plan-input';

/** Handlers of environments, environment platforms and environment releases, by route name. */
export const transitionHandlers: HandlerTable = {
  ...environmentHandlers,
  ...jobHandlers,
  ...environmentPlatformHandlers,
  ...platformSwitchHandlers,
  ...scalingHandlers,
  ...environmentAttachmentHandlers,
  ...environmentVariableHandlers,
  ...relayHandlers,
  ...releaseHandlers,
  ...monitorHandlers,
  ...writtenHandlers,
};

/** Runners of the jobs they start, by job name. */
export function transitionJobs(catalogue: Catalogue): Runners {
  return { ...pullRunners(catalogue), ...commitRunners(catalogue) };
}
