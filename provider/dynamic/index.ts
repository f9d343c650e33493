// `pulumi-oneops/dynamic`: what the constant provider texts in state load, one provider per kind under its token. Frozen for ever.
// It must not know programs, files or the engine.
import {
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
} from '../kinds';
import { face, type Face } from './face';
import { host } from './host';

/** Provider of Assembly. */
export const Assembly: Face = face(assembly, host);
/** Provider of Platform. */
export const Platform: Face = face(platform, host);
/** Provider of Component. */
export const Component: Face = face(component, host);
/** Provider of Attachment. */
export const Attachment: Face = face(attachment, host);
/** Provider of DesignRelease. */
export const DesignRelease: Face = face(designRelease, host);
/** Provider of Environment. */
export const Environment: Face = face(environment, host);
/** Provider of CloudConfiguration. */
export const CloudConfiguration: Face = face(cloudConfiguration, host);
/** Provider of Deployment. */
export const Deployment: Face = face(deployment, host);
/** Provider of Variable. */
export const Variable: Face = face(variable, host);
/** Provider of Cloud. */
export const Cloud: Face = face(cloud, host);
/** Provider of CloudService. */
export const CloudService: Face = face(cloudService, host);
/** Provider of Procedure. */
export const Procedure: Face = face(procedure, host);
/** Provider of InstanceReplacement. */
export const InstanceReplacement: Face = face(instanceReplacement, host);
