// Functions for environments and deployments (service-facts §4.7.1, §4.7.4).
import { routes, type Attributes, type DeploymentStatus, type Environment } from '../../api/contract';
import { apiFunction, inAssembly, inEnvironment, name, serial } from './api-function';
import { environmentAttributes } from '../kinds/environment/kind';
import { cloudLink, inAttributes, ofKind, recordFacts } from './records';
import * as result from './result';

const environmentFacts = {
  ...recordFacts,
  description: inAttributes.text('description').describe('What the environment is for.'),
  state: result
    .text((record: Environment) => record.ciState ?? 'default')
    .describe('`locked` while the service works on it, else `default`.'),
  availability: inAttributes.text('availability').describe('`single` or `redundant`.'),
  ...ofKind(environmentAttributes),
};

export const getEnvironment = apiFunction({
  token: 'getEnvironment',
  description: 'An environment of an assembly.',
  arguments: {
    ...inAssembly,
    name: name().describe('Name of the environment.'),
  },
  result: {
    ...environmentFacts,
    clouds: result.map(result.record(cloudLink)).describe("How it uses each of its clouds, by the cloud's name."),
  },
  read: async (ask, { assembly, name: environment }) => {
    const record = await ask(routes.environments.read, { address: { assembly, environment } });
    const links = Object.entries(record.clouds ?? {});
    // Links are kept by the number of the cloud.
    const clouds = links.length === 0 ? [] : await ask(routes.clouds.list);
    const named = ([number, link]: readonly [string, Attributes]) =>
      [
        clouds.find(({ ciId }) => String(ciId) === number)?.ciName ?? number,
        result.valuesIn(cloudLink.members, link),
      ] as const;
    return {
      ...result.valuesIn(environmentFacts, record),
      clouds: Object.fromEntries(links.map(named)),
    };
  },
});

const workOrder = result.recordType('DeploymentRecord', 'One change that a deployment carries out.', {
  rfcId: result.int().describe('Number of the change.'),
  recordId: result.int().describe('Number of the work order; 0 before there is one.'),
  state: result.text().describe('`pending`, `inprogress`, `complete`, `failed` or `canceled`.'),
  comments: result.text().describe('What the service says of it: why it failed.'),
});

const status = result.inMembers<DeploymentStatus>();

const deploymentFacts = {
  deploymentId: status.int('deploymentId').describe('Number of the deployment.'),
  releaseId: status.int('releaseId').describe('Number of the release it deploys.'),
  state: status
    .text('deploymentState')
    .describe('`pending`, `active`, `pausing`, `paused`, `failed`, `canceled` or `complete`.'),
  comments: status.text('comments').describe('Text given to the deployment.'),
  currentStep: status.int('currentStep').describe('The step it is at.'),
  maxExecOrder: status.int('maxExecOrder').describe('The last step there is.'),
  continueOnFailure: status.flag('continueOnFailure').describe('Whether it continues when a record fails.'),
  created: status.int('created').describe('When it was started, in milliseconds since 1970.'),
  createdBy: status.text('createdBy').describe('Who started it.'),
  updated: status.int('updated', 'created').describe('When it last changed, in milliseconds since 1970.'),
};

export const getDeploymentStatus = apiFunction({
  token: 'getDeploymentStatus',
  description: 'The state of a deployment: the newest of an environment, or one by its number.',
  arguments: {
    ...inEnvironment,
    deploymentId: serial().optional().describe('Number of the deployment; default the newest one.'),
  },
  result: {
    ...deploymentFacts,
    records: result.records(workOrder).describe('Its changes, by number in ascending order.'),
  },
  read: async (ask, { assembly, environment, deploymentId }) => {
    const address = { assembly, environment };
    const newest = deploymentId ?? (await ask(routes.deployments.latest, { address })).deploymentId;
    const found = await ask(routes.deployments.status, { address: { ...address, deployment: String(newest) } });
    const records = Object.entries(found.rfc_info ?? {}).map(([rfcId, order]) => ({
      rfcId: Number(rfcId),
      recordId: order.recordId ?? 0,
      state: order.state,
      comments: order.comments ?? '',
    }));
    return {
      ...result.valuesIn(deploymentFacts, found),
      records: records.sort((left, right) => left.rfcId - right.rfcId),
    };
  },
});
