// The list of kinds. Adding one is a file beside this and a line here.
// It must not know what any of them does.
import type { Kind } from '../kind';
import { assembly } from './assembly';
import { attachment } from './attachment';
import { cloud } from './cloud';
import { cloudConfiguration } from './cloud-configuration';
import { cloudService } from './cloud-service';
import { component } from './component';
import { deployment } from './deployment';
import { designRelease } from './design-release';
import { environment } from './environment';
import { instanceReplacement } from './instance-replacement';
import { platform } from './platform';
import { procedure } from './procedure';
import { variable } from './variable';

export {
  assembly,
  attachment,
  cloud,
  cloudConfiguration,
  cloudService,
  component,
  deployment,
  designRelease,
  environment,
  instanceReplacement,
  platform,
  procedure,
  variable,
};
export { LIFECYCLE_EVENTS } from './attachment';
export { CLOUD_LINK, CLOUD_STATUSES, type CloudLink } from './environment';

/** Every kind, parents first. */
export const kinds: readonly Kind[] = [
  assembly,
  platform,
  component,
  attachment,
  variable,
  designRelease,
  environment,
  cloudConfiguration,
  deployment,
  cloud,
  cloudService,
  procedure,
  instanceReplacement,
];
