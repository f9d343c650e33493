// What answers the routes of the API, area by area. A route without a handler is not served.
import type { HandlerTable } from './runtime/handler';
import { environmentProfileHandlers, organizationHandlers } from './account/organizations';
import { profileHandlers } from './account/profile';
import { teamHandlers } from './account/teams';
import { packHandlers, selfHandlers } from './catalogue/routes';
import { cloudRecordHandlers } from './clouds/clouds';
import { offeringHandlers } from './clouds/offerings';
import { reportHandlers } from './clouds/report';
import { cloudServiceHandlers } from './clouds/services';
import { approvalHandlers } from './deployments/approvals';
import { deployCommittedHandlers } from './deployments/deploy-committed';
import { deploymentRecordHandlers } from './deployments/deployments';
import { assemblyHandlers, platformCloneHandlers, savedDesignHandlers } from './design/assemblies';
import { designPartHandlers } from './design/collections';
import { componentHandlers } from './design/components';
import { designPlatformHandlers } from './design/platforms';
import { designReleaseHandlers, platformChangeHandlers } from './design/releases';
import { extractHandlers } from './extras/extract';
import { loadHandlers } from './extras/load';
import { numberHandlers, operationHandlers } from './extras/lookups';
import { writtenHandlers } from './extras/written-environment';
import { instanceHandlers } from './operations/instances';
import { procedureHandlers } from './operations/procedures';
import { environmentPartHandlers } from './transition/collections';
import { environmentHandlers, releaseHandlers } from './transition/environments';
import { environmentPlatformHandlers } from './transition/platforms';

export const handlers: HandlerTable = {
  ...organizationHandlers,
  ...environmentProfileHandlers,
  ...profileHandlers,
  ...teamHandlers,
  ...cloudRecordHandlers,
  ...cloudServiceHandlers,
  ...offeringHandlers,
  ...reportHandlers,
  ...packHandlers,
  ...assemblyHandlers,
  ...platformCloneHandlers,
  ...savedDesignHandlers,
  ...designPlatformHandlers,
  ...platformChangeHandlers,
  ...componentHandlers,
  ...designPartHandlers,
  ...designReleaseHandlers,
  ...environmentHandlers,
  ...environmentPlatformHandlers,
  ...environmentPartHandlers,
  ...releaseHandlers,
  ...deploymentRecordHandlers,
  ...approvalHandlers,
  ...deployCommittedHandlers,
  ...instanceHandlers,
  ...procedureHandlers,
  ...extractHandlers,
  ...loadHandlers,
  ...writtenHandlers,
  ...numberHandlers,
  ...operationHandlers,
  ...selfHandlers,
};
