// The list of kinds. Adding one is a file next to this and a line here.
// It must not know what any of them does.
import type { Kind } from '../kind';
import { assembly } from './assembly/kind';
import { attachment } from './attachment/kind';
import { cloud } from './cloud/kind';
import { cloudConfiguration } from './cloud-configuration/kind';
import { cloudService } from './cloud-service/kind';
import { component } from './component/kind';
import { deployment } from './deployment/kind';
import { designRelease } from './design-release/kind';
import { environment } from './environment/kind';
import { environmentAttachment } from './environment-attachment/kind';
import { environmentComponent } from './environment-component/kind';
import { environmentPlatform } from './environment-platform/kind';
import { instanceReplacement } from './instance-replacement/kind';
import { monitor } from './monitor/kind';
import { platform } from './platform/kind';
import { procedure } from './procedure/kind';
import { relay } from './relay/kind';
import { team } from './team/kind';
import { variable } from './variable/kind';

export {
  assembly,
  attachment,
  cloudConfiguration,
  component,
  deployment,
  environment,
  environmentAttachment,
  environmentComponent,
  environmentPlatform,
  monitor,
  platform,
};

/** Every kind, parents first. */
export const kinds: readonly Kind[] = [
  assembly,
  platform,
  component,
  attachment,
  monitor,
  variable,
  designRelease,
  environment,
  environmentPlatform,
  cloudConfiguration,
  environmentComponent,
  environmentAttachment,
  relay,
  deployment,
  cloud,
  cloudService,
  procedure,
  instanceReplacement,
  team,
];

/** The kind of a token; undefined for what is none. */
export const kindOf = (token: string): Kind | undefined => kinds.find((of) => of.token === token);
