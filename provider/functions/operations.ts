// Functions for what runs: instances, computes, actions and procedures (service-facts §2.5, §4.8).
import type * as z from 'zod';
import { problem, routes, type Diagnostic, type Instance, type Procedure } from '../../api/contract';
import { textLike, type Field } from '../values/field';
import type { Values } from '../values/plain';
import { apiFunction, type Ask, inAssembly, inPlatform, name, serial } from './api-function';
import { isNumber, namedIn, theOnly } from '../verbs/named-component';
import { attributesOf, inAttributes, recordFacts } from './records';
import * as result from './result';
import { componentOf } from '../address/ids';

/** Parts of a namespace `/<organization>/<assembly>/<environment>/bom/<platform>/<version>`. */
const partOf = (place: number) => result.text((record: Instance) => record.nsPath.split('/')[place] ?? '');

const running = result.inMembers<Instance>();

const instanceFacts = {
  ...recordFacts,
  /** Class of the record. */
  className: running.text('ciClassName'),
  /** Name of the environment it runs in. */
  environment: partOf(3),
  /** Name of the platform it belongs to. */
  platform: partOf(5),
  /** Name of the component it is an instance of. */
  component: result.text((record: Instance) => componentOf(record)),
  /** Name of the cloud it runs on. */
  cloud: result.text((record: Instance) => record.deployedTo?.ciName ?? ''),
  /** `default`, or `replace` when the next deployment rebuilds it. */
  state: result.text((record: Instance) => record.ciState ?? 'default'),
  /** `good`, `notify`, `unhealthy`, `overutilized` or `underutilized`; empty if never seen. */
  opsState: running.text('opsState'),
  /** Attributes as the service writes them; secrets, which it keeps to itself, are left out. */
  attributes: result.map(result.text(), attributesOf),
};

/** Something that runs. */
const instance = result.recordType('InstanceRecord', instanceFacts);

/** A machine that runs. */
const compute = result.recordType('ComputeRecord', {
  ...instanceFacts,
  /** Address inside the cloud. */
  privateIp: inAttributes.text('private_ip'),
  /** Address outside of the cloud. */
  publicIp: inAttributes.text('public_ip'),
  /** Name the cloud knows it by. */
  instanceName: inAttributes.text('instance_name'),
  /** Number the cloud knows it by. */
  instanceId: inAttributes.text('instance_id'),
  /** Part of the cloud it runs in. */
  availabilityZone: inAttributes.text('availability_zone'),
  /** Its cores; 0 when the service does not say. */
  cores: inAttributes.number('cores'),
  /** Its memory in megabytes; 0 when the service does not say. */
  ram: inAttributes.number('ram'),
});

type AvailableAction = z.output<typeof routes.operations.actions.answer>[number];

type Placed = Pick<result.ResultValues<typeof instanceFacts>, 'environment' | 'platform' | 'name'>;

/** One order, whatever the service answers. */
function inOrder<T extends Placed>(all: readonly T[]): readonly T[] {
  const key = ({ environment, platform, name: own }: Placed): string => `${environment}/${platform}/${own}`;
  return [...all].sort((left, right) => (key(left) < key(right) ? -1 : 1));
}

type ComponentAddress = { readonly [name in 'assembly' | 'environment' | 'platform' | 'component']: string };

/** A component's address by its number. Throws LifecycleError where several share the name. */
async function numbered(ask: Ask, address: ComponentAddress): Promise<ComponentAddress> {
  const { component, platform, environment, assembly } = address;
  if (isNumber(component)) return address;
  const named = namedIn(await ask(routes.operations.components, { address }), component);
  const found = theOnly(named, component, `platform ${assembly}/${environment}/${platform}`);
  return found === undefined ? address : { ...address, component: String(found.ciId) };
}

/** Names of health states, or `all`. */
const healthStates = (): Field<string, true> =>
  textLike(/^[a-z]+(,[a-z]+)*$/, '"all", or names of health states with commas between them, such as "good,unhealthy"');

/** A finding for each argument that is given without those it needs, outermost first. */
function needsOuter(args: Values, outermostFirst: readonly string[]): Diagnostic[] {
  const isGiven = (key: string): boolean => args[key] !== undefined;
  return outermostFirst.filter(isGiven).flatMap((key) => {
    const outer = outermostFirst.slice(0, outermostFirst.indexOf(key));
    const missing = outer.filter((each) => !isGiven(each)).map((each) => `"${each}"`);
    return missing.length === 0
      ? []
      : [problem('incomplete-address', [key], `"${key}" needs ${missing.join(' and ')}`)];
  });
}

/** What runs of an assembly, or of an environment, a platform or a component of it. */
export const getInstances = apiFunction({
  token: 'getInstances',
  arguments: {
    ...inAssembly,
    /** Name of an environment, to see only what runs there. */
    environment: name().optional(),
    /** Name of a platform, to see only its instances; with `environment`. */
    platform: name().optional(),
    /**
     * Name of a component, to see only its instances; with `environment` and `platform`. Its number
     * (`ciId`) where several have that name.
     */
    component: name().optional(),
    /** Health states to see, with commas between them. Default `all`. */
    opsState: healthStates().optional(),
  },
  result: {
    /** Instances, by environment, platform and name. */
    instances: result.records(instance),
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
    return { instances: inOrder(result.rowsIn(instance, await found())) };
  },
});

/** The machines of a platform in an environment. */
export const getComputes = apiFunction({
  token: 'getComputes',
  arguments: {
    ...inPlatform,
    /** Health states to see, with commas between them. Default `all`. */
    opsState: healthStates().optional(),
  },
  result: {
    /** Machines, by name. */
    computes: result.records(compute),
  },
  read: async (ask, { opsState = 'all', ...address }) => {
    const computes = await ask(routes.operations.computes, { address, query: { instances_state: opsState } });
    return { computes: inOrder(result.rowsIn(compute, computes)) };
  },
});

const available = result.inMembers<AvailableAction>();

/** Something that can be run on the instances of a component. */
const action = result.recordType('ActionRecord', {
  /** Name a Procedure runs it by. */
  name: available.text('actionName'),
  /** What it does; of an attachment that runs on demand, the attachment's name. */
  description: available.text('description'),
  /** Number of the action, or of the attachment. */
  actionId: available.int('actionId'),
});

/** What can be run on the instances of a component. */
export const getActions = apiFunction({
  token: 'getActions',
  arguments: {
    ...inPlatform,
    /** Name of the component. Its number (`ciId`) where several have that name. */
    component: name(),
  },
  result: {
    /** Actions of the component's class, then attachments that run on demand. */
    actions: result.records(action),
  },
  read: async (ask, address) => {
    const actions = await ask(routes.operations.actions, { address: await numbered(ask, address) });
    return { actions: result.rowsIn(action, actions) };
  },
});

const step = result.inMembers<NonNullable<Procedure['actions']>[number]>();

/** One step of a procedure. */
const procedureAction = result.recordType('ProcedureActionRecord', {
  /** Number of the step. */
  actionId: step.int('actionId'),
  /** Number of its procedure. */
  procedureId: step.int('procedureId'),
  /** Name of the action. */
  name: step.text('actionName'),
  /** `pending`, `inprogress`, `complete`, `failed` or `canceled`. */
  state: step.text('actionState'),
  /** Number of the instance it runs on. */
  ciId: step.int('ciId'),
  /** Its position among the steps. */
  execOrder: step.int('execOrder'),
  /** Whether the procedure ends when it fails. */
  isCritical: step.flag('isCritical'),
  /** Arguments of the action, as the service keeps them. */
  arglist: step.text('arglist'),
  /** Number of the attachment it runs, when it runs one. */
  extraInfo: step.text('extraInfo'),
  /** Further records that are passed to the action; empty unless the procedure names some. */
  payLoadDef: step.text('payLoadDef'),
  /** When the step was created, in milliseconds since 1970. */
  created: step.int('created'),
  /** Who started it. */
  createdBy: step.text('createdBy'),
  /** When it last changed, in milliseconds since 1970. */
  updated: step.int('updated', 'created'),
});

const whole = result.inMembers<Procedure>();

const procedureFacts = {
  /** Number of the procedure. */
  procedureId: whole.int('procedureId'),
  /** Name of the procedure. */
  name: whole.text('procedureName'),
  /** `pending`, `active`, `complete`, `failed` or `canceled`. */
  state: whole.text('procedureState'),
  /** Number of the record it runs on. */
  ciId: whole.int('ciId'),
  /** Number of the pack's procedure it was created from; 0 when it has its own definition. */
  procedureCiId: whole.int('procedureCiId'),
  /** Arguments of the procedure, as the service keeps them. */
  arglist: whole.text('arglist'),
  /** Its definition, as JSON text; empty where the service does not return it. */
  definition: whole.text('definition'),
  /** Path of the records it runs on; empty where the service does not return it. */
  nsPath: whole.text('nsPath'),
  /** Whether it was started although another one was running. */
  forceExecution: whole.flag('forceExecution'),
  /** Number of the current step. */
  currentStep: whole.int('currentStep'),
  /** Number of the last step. */
  maxExecOrder: whole.int('maxExecOrder'),
  /** When it was started, in milliseconds since 1970. */
  created: whole.int('created'),
  /** Who started it. */
  createdBy: whole.text('createdBy'),
  /** When it last changed, in milliseconds since 1970. */
  updated: whole.int('updated', 'created'),
};

/** The state of a procedure. */
export const getProcedure = apiFunction({
  token: 'getProcedure',
  arguments: {
    /** Number of the procedure. */
    procedureId: serial(),
  },
  result: {
    ...procedureFacts,
    /** Its steps, in their order. */
    actions: result.records(procedureAction),
  },
  read: async (ask, { procedureId }) => {
    const procedure = await ask(routes.procedures.read, { address: { procedure: String(procedureId) } });
    const actions = (procedure.actions ?? []).map((each) =>
      result.valuesIn(procedureAction.members, { ...each, procedureId: each.procedureId ?? procedureId }),
    );
    return {
      ...result.valuesIn(procedureFacts, procedure),
      actions: actions.sort((left, right) => left.execOrder - right.execOrder || left.actionId - right.actionId),
    };
  },
});
