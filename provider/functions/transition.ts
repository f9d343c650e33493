// Functions of environments: one of them, its newest release, and the state of a deployment (service-facts §4.5.6, §4.7.3).
// It must not know how functions are called.
import { routes, type Attributes, type Record as WireRecord, type Release } from '../../api/contract';
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

/** The newest release of a design or, with an environment, the newest release to deploy there; in any state. */
export const getLatestRelease = apiFunction({
  token: 'getLatestRelease',
  arguments: {
    /** Name of the assembly. */
    assembly: name(),
    /** Name of an environment, to see what is or was to be deployed there instead of the design. */
    environment: name().optional(),
  },
  reads: [routes.designReleases.latest, routes.environmentReleases.bom],
  result: {
    /** Number of the release. */
    releaseId: result.int(),
    /** Name of the release. */
    name: result.text(),
    /** `open`, `closed` or `canceled`. */
    state: result.text(),
    /** Text of its commit; of an environment's release, what the service notes about it. */
    description: result.text(),
    /** Number of the release it was made from; 0 for a design's. */
    parentReleaseId: result.int(),
    /** When it was begun, in milliseconds since 1970. */
    created: result.int(),
    /** Who began it. */
    createdBy: result.text(),
    /** When it last changed, in milliseconds since 1970. */
    updated: result.int(),
    /** Who committed it; empty while it is open. */
    committedBy: result.text(),
  },
  read: async (ask, { assembly, environment }) =>
    releaseOf(
      environment === undefined
        ? await ask(routes.designReleases.latest, { address: { assembly } })
        : // One dialect answers only an open one, unless asked for the newest (service-facts §13 row 10).
          await ask(routes.environmentReleases.bom, { address: { assembly, environment }, query: { latest: 'true' } }),
    ),
});

const releaseOf = (release: Release) => ({
  releaseId: release.releaseId,
  name: release.releaseName ?? '',
  state: release.releaseState,
  description: release.description ?? '',
  parentReleaseId: release.parentReleaseId ?? 0,
  created: release.created ?? 0,
  createdBy: release.createdBy ?? '',
  updated: release.updated ?? release.created ?? 0,
  committedBy: release.commitedBy ?? '',
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
