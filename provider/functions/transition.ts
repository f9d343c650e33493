// Functions for environments: one of them, and the state of a deployment (service-facts §4.7.1, §4.7.4).
// It must not know how functions are called.
import { routes, type Attributes, type Record as WireRecord } from '../../api/contract';
import { apiFunction } from './api-function';
import { name, serial } from './arguments';
import { cloudLink, linkOf } from './cloud-links';
import { attribute, factsOf, numberIn, recordFacts } from './records';
import * as result from './result';

const isOn = (record: WireRecord, switchName: string): boolean => attribute(record, switchName) === 'true';

/** An environment of an assembly. */
export const getEnvironment = apiFunction({
  token: 'getEnvironment',
  arguments: {
    /** Name of the assembly. */
    assembly: name(),
    /** Name of the environment. */
    name: name(),
  },
  reads: [routes.environments.read, routes.clouds.list],
  result: {
    ...recordFacts,
    /** What the environment is for. */
    description: result.text(),
    /** `locked` while the service works on it, else `default`. */
    state: result.text(),
    /** `single` or `redundant`. */
    availability: result.text(),
    /** Environment profile of the organization. */
    profile: result.text(),
    /** DNS domain of its instances. */
    subdomain: result.text(),
    /** Whether failing instances are repaired. */
    autorepair: result.flag(),
    /** Whether instances that stay broken are replaced. */
    autoreplace: result.flag(),
    /** Whether platforms scale by load. */
    autoscale: result.flag(),
    /** Whether monitors run. */
    monitoring: result.flag(),
    /** Whether logs are shipped. */
    logging: result.flag(),
    /** Whether deployments log in detail. */
    debug: result.flag(),
    /** Whether names are kept in a global DNS. */
    globalDns: result.flag(),
    /** Whether design commits deploy by themselves. */
    codpmt: result.flag(),
    /** Seconds between a commit and its deployment, with `codpmt`. */
    dpmtdelay: result.int(),
    /** How it uses each of its clouds, by the cloud's name. */
    clouds: result.map(result.one(cloudLink)),
  },
  read: async (ask, { assembly, name: environment }) => {
    const record = await ask(routes.environments.read, { address: { assembly, environment } });
    const links = Object.entries(record.clouds ?? {});
    // Links are kept by the number of the cloud.
    const clouds = links.length === 0 ? [] : await ask(routes.clouds.list);
    const named = ([number, link]: readonly [string, Attributes]) =>
      [clouds.find(({ ciId }) => String(ciId) === number)?.ciName ?? number, linkOf(link)] as const;
    return {
      ...factsOf(record),
      description: attribute(record, 'description'),
      state: record.ciState ?? 'default',
      availability: attribute(record, 'availability'),
      profile: attribute(record, 'profile'),
      subdomain: attribute(record, 'subdomain'),
      autorepair: isOn(record, 'autorepair'),
      autoreplace: isOn(record, 'autoreplace'),
      autoscale: isOn(record, 'autoscale'),
      monitoring: isOn(record, 'monitoring'),
      logging: isOn(record, 'logging'),
      debug: isOn(record, 'debug'),
      globalDns: isOn(record, 'global_dns'),
      codpmt: isOn(record, 'codpmt'),
      dpmtdelay: numberIn(attribute(record, 'dpmtdelay'), 60),
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

/** How a deployment stands: the newest of an environment, or one by its number. */
export const getDeploymentStatus = apiFunction({
  token: 'getDeploymentStatus',
  arguments: {
    /** Name of the assembly. */
    assembly: name(),
    /** Name of the environment. */
    environment: name(),
    /** Number of the deployment; default the newest one. */
    deploymentId: serial().optional(),
  },
  reads: [routes.deployments.latest, routes.deployments.status],
  result: {
    /** Number of the deployment. */
    deploymentId: result.int(),
    /** Number of the release it deploys. */
    releaseId: result.int(),
    /** `pending`, `active`, `pausing`, `paused`, `failed`, `canceled` or `complete`. */
    state: result.text(),
    /** Text given to the deployment. */
    comments: result.text(),
    /** The step it is at. */
    currentStep: result.int(),
    /** The last step there is. */
    maxExecOrder: result.int(),
    /** Whether it goes on when a record fails. */
    continueOnFailure: result.flag(),
    /** When it was started, in milliseconds since 1970. */
    created: result.int(),
    /** Who started it. */
    createdBy: result.text(),
    /** When it last changed, in milliseconds since 1970. */
    updated: result.int(),
    /** Its changes, by number in ascending order. */
    records: result.list(result.one(workOrder)),
  },
  read: async (ask, { assembly, environment, deploymentId }) => {
    const address = { assembly, environment };
    const newest = deploymentId ?? (await ask(routes.deployments.latest, { address })).deploymentId;
    const status = await ask(routes.deployments.status, { address: { ...address, deployment: String(newest) } });
    const records = Object.entries(status.rfc_info ?? {}).map(([rfcId, order]) => ({
      rfcId: Number(rfcId),
      recordId: order.recordId ?? 0,
      state: order.state,
      comments: order.comments ?? '',
    }));
    return {
      deploymentId: status.deploymentId,
      releaseId: status.releaseId,
      state: status.deploymentState,
      comments: status.comments ?? '',
      currentStep: status.currentStep ?? 0,
      maxExecOrder: status.maxExecOrder ?? 0,
      continueOnFailure: status.continueOnFailure ?? false,
      created: status.created ?? 0,
      createdBy: status.createdBy ?? '',
      updated: status.updated ?? status.created ?? 0,
      records: records.sort((left, right) => left.rfcId - right.rfcId),
    };
  },
});
