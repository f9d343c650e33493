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
    description: result.textResult(),
    /** `locked` while the service works on it, else `default`. */
    state: result.textResult(),
    /** `single` or `redundant`. */
    availability: result.textResult(),
    /** Environment profile of the organization. */
    profile: result.textResult(),
    /** DNS domain of its instances. */
    subdomain: result.textResult(),
    /** Whether failing instances are repaired. */
    autorepair: result.flagResult(),
    /** Whether instances that stay broken are replaced. */
    autoreplace: result.flagResult(),
    /** Whether platforms scale by load. */
    autoscale: result.flagResult(),
    /** Whether monitors run. */
    monitoring: result.flagResult(),
    /** Whether logs are shipped. */
    logging: result.flagResult(),
    /** Whether deployments log in detail. */
    debug: result.flagResult(),
    /** Whether names are kept in a global DNS. */
    globalDns: result.flagResult(),
    /** Whether design commits deploy by themselves. */
    codpmt: result.flagResult(),
    /** Seconds between a commit and its deployment, with `codpmt`. */
    dpmtdelay: result.intResult(),
    /** How it uses each of its clouds, by the cloud's name. */
    clouds: result.mapResult(result.recordResult(cloudLink)),
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
  rfcId: result.intResult(),
  /** Number of the work order; 0 before there is one. */
  recordId: result.intResult(),
  /** `pending`, `inprogress`, `complete`, `failed` or `canceled`. */
  state: result.textResult(),
  /** What the service says of it: why it failed. */
  comments: result.textResult(),
});

/** The state of a deployment: the newest of an environment, or one by its number. */
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
    deploymentId: result.intResult(),
    /** Number of the release it deploys. */
    releaseId: result.intResult(),
    /** `pending`, `active`, `pausing`, `paused`, `failed`, `canceled` or `complete`. */
    state: result.textResult(),
    /** Text given to the deployment. */
    comments: result.textResult(),
    /** The step it is at. */
    currentStep: result.intResult(),
    /** The last step there is. */
    maxExecOrder: result.intResult(),
    /** Whether it continues when a record fails. */
    continueOnFailure: result.flagResult(),
    /** When it was started, in milliseconds since 1970. */
    created: result.intResult(),
    /** Who started it. */
    createdBy: result.textResult(),
    /** When it last changed, in milliseconds since 1970. */
    updated: result.intResult(),
    /** Its changes, by number in ascending order. */
    records: result.listResult(result.recordResult(workOrder)),
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
