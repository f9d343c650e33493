// The list of kinds. Adding one is a file beside this and a line here.
// It must not know what any of them does.
import type { Kind } from '../kind';
import { assembly } from './assembly';
import { attachment } from './attachment';
import { cloud } from './cloud';
import { cloudConfiguration } from './cloud-configuration';
import { component } from './component';
import { deployment } from './deployment';
import { designRelease } from './design-release';
import { environment } from './environment';
import { platform } from './platform';
import { variable } from './variable';

export {
  assembly,
  attachment,
  cloud,
  cloudConfiguration,
  component,
  deployment,
  designRelease,
  environment,
  platform,
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
];
