// Functions for environments and deployments (service-facts §4.7.1, §4.7.4).
import { routes, type Attributes, type DeploymentStatus, type Environment } from '../../api/contract';
import { apiFunction, inAssembly, inEnvironment, name, serial } from './api-function';
import { environmentAttributes } from '../kinds/environment/kind';
import { cloudLink, inAttributes, ofKind, recordFacts } from './records';
import * as result from './result';

const environmentFacts = {
  ...recordFacts,
  /** What the environment is for. */
  description: inAttributes.text('description'),
  /** `locked` while the service works on it, else `default`. */
  state: result.text((record: Environment) => record.ciState ?? 'default'),
  /** `single` or `redundant`. */
  availability: inAttributes.text('availability'),
  ...ofKind(environmentAttributes),
};

/** An environment of an assembly. */
export const getEnvironment = apiFunction({
  token: 'getEnvironment',
  arguments: {
    ...inAssembly,
    /** Name of the environment. */
    name: name(),
  },
  result: {
    ...environmentFacts,
    /** How it uses each of its clouds, by the cloud's name. */
    clouds: result.map(result.record(cloudLink)),
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

/** One change that a deployment carries out. */
const workOrder = result.recordType('DeploymentRecord', {
  /** Number of the change. */
  rfcId: result.int(),
  /** Number of the work order; 0 before there is one. */
  recordId: result.int(),
  /** `pending`, `inprogress`, `complete`, `failed` or `canceled`. */
  state: result.text(),
  /** What the service says of it: why it failed. */
  comments: result.text(),
});

const status = result.inMembers<DeploymentStatus>();

const deploymentFacts = {
  /** Number of the deployment. */
  deploymentId: status.int('deploymentId'),
  /** Number of the release it deploys. */
  releaseId: status.int('releaseId'),
  /** `pending`, `active`, `pausing`, `paused`, `failed`, `canceled` or `complete`. */
  state: status.text('deploymentState'),
  /** Text given to the deployment. */
  comments: status.text('comments'),
  /** The step it is at. */
  currentStep: status.int('currentStep'),
  /** The last step there is. */
  maxExecOrder: status.int('maxExecOrder'),
  /** Whether it continues when a record fails. */
  continueOnFailure: status.flag('continueOnFailure'),
  /** When it was started, in milliseconds since 1970. */
  created: status.int('created'),
  /** Who started it. */
  createdBy: status.text('createdBy'),
  /** When it last changed, in milliseconds since 1970. */
  updated: status.int('updated', 'created'),
};

/** The state of a deployment: the newest of an environment, or one by its number. */
export const getDeploymentStatus = apiFunction({
  token: 'getDeploymentStatus',
  arguments: {
    ...inEnvironment,
    /** Number of the deployment; default the newest one. */
    deploymentId: serial().optional(),
  },
  result: {
    ...deploymentFacts,
    /** Its changes, by number in ascending order. */
    records: result.records(workOrder),
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
