// Functions for what runs: instances, computes and actions (service-facts §4.8).
// It must not know how functions are called.
import { routes, type Instance } from '../../api/contract';
import { apiFunction, type Ask } from './api-function';
import { isNumber, namedIn, theOnly } from '../verbs/named-component';
import { healthStates, name, needsOuter } from './arguments';
import { attribute, attributesOf, factsOf, numberIn, recordFacts } from './records';
import * as result from './result';
import { componentOf } from '../address/namespace';

const instanceFacts = {
  ...recordFacts,
  /** Class of the record. */
  className: result.textResult(),
  /** Name of the environment it runs in. */
  environment: result.textResult(),
  /** Name of the platform it belongs to. */
  platform: result.textResult(),
  /** Name of the component it is an instance of. */
  component: result.textResult(),
  /** Name of the cloud it runs on. */
  cloud: result.textResult(),
  /** `default`, or `replace` when the next deployment rebuilds it. */
  state: result.textResult(),
  /** Health: `good`, `notify`, `unhealthy`, `overutilized` or `underutilized`; empty when it was never seen. */
  opsState: result.textResult(),
  /** Attributes as the service writes them; secrets, which it keeps to itself, are left out. */
  attributes: result.mapResult(result.textResult()),
};

/** Something that runs. */
const instance = result.recordType('InstanceRecord', instanceFacts);

/** A machine that runs. */
const compute = result.recordType('ComputeRecord', {
  ...instanceFacts,
  /** Address inside the cloud. */
  privateIp: result.textResult(),
  /** Address outside of the cloud. */
  publicIp: result.textResult(),
  /** Name the cloud knows it by. */
  instanceName: result.textResult(),
  /** Number the cloud knows it by. */
  instanceId: result.textResult(),
  /** Part of the cloud it runs in. */
  availabilityZone: result.textResult(),
  /** Its cores; 0 when the service does not say. */
  cores: result.numberResult(),
  /** Its memory in megabytes; 0 when the service does not say. */
  ram: result.numberResult(),
});

function instanceOf(record: Instance): result.ResultValues<typeof instanceFacts> {
  // Namespace `/<organization>/<assembly>/<environment>/bom/<platform>/<version>`, name `<component>-<cloud>-<n>`.
  const [, , , environment = '', , platform = ''] = record.nsPath.split('/');
  return {
    ...factsOf(record),
    className: record.ciClassName,
    environment,
    platform,
    component: componentOf(record),
    cloud: record.deployedTo?.ciName ?? '',
    state: record.ciState ?? 'default',
    opsState: record.opsState ?? '',
    attributes: attributesOf(record),
  };
}

const computeOf = (record: Instance): result.ResultValues<typeof compute.members> => ({
  ...instanceOf(record),
  privateIp: attribute(record, 'private_ip'),
  publicIp: attribute(record, 'public_ip'),
  instanceName: attribute(record, 'instance_name'),
  instanceId: attribute(record, 'instance_id'),
  availabilityZone: attribute(record, 'availability_zone'),
  cores: numberIn(attribute(record, 'cores'), 0),
  ram: numberIn(attribute(record, 'ram'), 0),
});

type Placed = Pick<result.ResultValues<typeof instanceFacts>, 'environment' | 'platform' | 'name' | 'ciId'>;

/** One order, whatever the service answers. */
function inOrder<T extends Placed>(all: readonly T[]): readonly T[] {
  const key = ({ environment, platform, name: own }: Placed): string => `${environment}/${platform}/${own}`;
  return [...all].sort((left, right) => (key(left) < key(right) ? -1 : 1));
}

type ComponentAddress = { readonly [name in 'assembly' | 'environment' | 'platform' | 'component']: string };

/** A component's address by its number: by a name that several share, the service answers any of them. Throws LifecycleError where several do. */
async function numbered(
  ask: Ask<readonly [typeof routes.operations.components]>,
  address: ComponentAddress,
): Promise<ComponentAddress> {
  const { component, platform, environment, assembly } = address;
  if (isNumber(component)) return address;
  const named = namedIn(await ask(routes.operations.components, { address }), component);
  const found = theOnly(named, component, `platform ${assembly}/${environment}/${platform}`);
  return found === undefined ? address : { ...address, component: String(found.ciId) };
}

/** What runs of an assembly, or of an environment, a platform or a component of it. */
export const getInstances = apiFunction({
  token: 'getInstances',
  arguments: {
    /** Name of the assembly. */
    assembly: name(),
    /** Name of an environment, to see only what runs there. */
    environment: name().optional(),
    /** Name of a platform, to see only its instances; with `environment`. */
    platform: name().optional(),
    /** Name of a component, to see only its instances; with `environment` and `platform`. Its number (`ciId`) where several have that name. */
    component: name().optional(),
    /** Health states to see, with commas between them. Default `all`. */
    opsState: healthStates().optional(),
  },
  reads: [
    routes.operations.components,
    routes.operations.assemblyInstances,
    routes.operations.environmentInstances,
    routes.operations.platformInstances,
    routes.operations.instances,
  ],
  result: {
    /** Instances, by environment, platform and name. */
    instances: result.listResult(result.recordResult(instance)),
  },
  rule: (args) => needsOuter(args, ['environment', 'platform', 'component']),
  read: async (ask, { assembly, environment, platform, component, opsState = 'all' }) => {
    const query = { instances_state: opsState };
    const found = async (): Promise<readonly Instance[]> => {
      if (environment === undefined) return ask(routes.operations.assemblyInstances, { address: { assembly }, query });
      const within = { assembly, environment };
      if (platform === undefined) return ask(routes.operations.environmentInstances, { address: within, query });
      if (component === undefined)
        return ask(routes.operations.platformInstances, { address: { ...within, platform }, query });
      const address = await numbered(ask, { ...within, platform, component });
      return ask(routes.operations.instances, { address, query });
    };
    return { instances: inOrder((await found()).map(instanceOf)) };
  },
});

/** The machines of a platform in an environment. */
export const getComputes = apiFunction({
  token: 'getComputes',
  arguments: {
    /** Name of the assembly. */
    assembly: name(),
    /** Name of the environment. */
    environment: name(),
    /** Name of the platform. */
    platform: name(),
    /** Health states to see, with commas between them. Default `all`. */
    opsState: healthStates().optional(),
  },
  reads: [routes.operations.computes],
  result: {
    /** Machines, by name. */
    computes: result.listResult(result.recordResult(compute)),
  },
  read: async (ask, { opsState = 'all', ...address }) => {
    const computes = await ask(routes.operations.computes, { address, query: { instances_state: opsState } });
    return { computes: inOrder(computes.map(computeOf)) };
  },
});

/** Something that can be run on the instances of a component. */
const action = result.recordType('ActionRecord', {
  /** Name a Procedure runs it by. */
  name: result.textResult(),
  /** What it does; of an attachment that runs on demand, the attachment's name. */
  description: result.textResult(),
  /** Number of the action, or of the attachment. */
  actionId: result.intResult(),
});

/** What can be run on the instances of a component. */
export const getActions = apiFunction({
  token: 'getActions',
  arguments: {
    /** Name of the assembly. */
    assembly: name(),
    /** Name of the environment. */
    environment: name(),
    /** Name of the platform. */
    platform: name(),
    /** Name of the component. Its number (`ciId`) where several have that name. */
    component: name(),
  },
  reads: [routes.operations.components, routes.operations.actions],
  result: {
    /** Actions of the component's class, then attachments that run on demand. */
    actions: result.listResult(result.recordResult(action)),
  },
  read: async (ask, address) => {
    const actions = await ask(routes.operations.actions, { address: await numbered(ask, address) });
    return {
      actions: actions.map(({ actionName, description, actionId }) => ({
        name: actionName,
        description: description ?? '',
        actionId,
      })),
    };
  },
});
