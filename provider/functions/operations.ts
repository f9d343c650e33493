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
  className: running.text('ciClassName').describe('Class of the record.'),
  environment: partOf(3).describe('Name of the environment it runs in.'),
  platform: partOf(5).describe('Name of the platform it belongs to.'),
  component: result
    .text((record: Instance) => componentOf(record))
    .describe('Name of the component it is an instance of.'),
  cloud: result.text((record: Instance) => record.deployedTo?.ciName ?? '').describe('Name of the cloud it runs on.'),
  state: result
    .text((record: Instance) => record.ciState ?? 'default')
    .describe('`default`, or `replace` when the next deployment rebuilds it.'),
  opsState: running
    .text('opsState')
    .describe('`good`, `notify`, `unhealthy`, `overutilized` or `underutilized`; empty if never seen.'),
  attributes: result
    .map(result.text(), attributesOf)
    .describe('Attributes as the service writes them; secrets, which it keeps to itself, are left out.'),
};

const instance = result.recordType('InstanceRecord', 'Something that runs.', instanceFacts);

const compute = result.recordType('ComputeRecord', 'A machine that runs.', {
  ...instanceFacts,
  privateIp: inAttributes.text('private_ip').describe('Address inside the cloud.'),
  publicIp: inAttributes.text('public_ip').describe('Address outside of the cloud.'),
  instanceName: inAttributes.text('instance_name').describe('Name the cloud knows it by.'),
  instanceId: inAttributes.text('instance_id').describe('Number the cloud knows it by.'),
  availabilityZone: inAttributes.text('availability_zone').describe('Part of the cloud it runs in.'),
  cores: inAttributes.number('cores').describe('Its cores; 0 when the service does not say.'),
  ram: inAttributes.number('ram').describe('Its memory in megabytes; 0 when the service does not say.'),
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

export const getInstances = apiFunction({
  token: 'getInstances',
  description: 'What runs of an assembly, or of an environment, a platform or a component of it.',
  arguments: {
    ...inAssembly,
    environment: name().optional().describe('Name of an environment, to see only what runs there.'),
    platform: name().optional().describe('Name of a platform, to see only its instances; with `environment`.'),
    component: name()
      .optional()
      .describe(
        'Name of a component, to see only its instances; with `environment` and `platform`. Its number (`ciId`) where several have that name.',
      ),
    opsState: healthStates().optional().describe('Health states to see, with commas between them. Default `all`.'),
  },
  result: {
    instances: result.records(instance).describe('Instances, by environment, platform and name.'),
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

export const getComputes = apiFunction({
  token: 'getComputes',
  description: 'The machines of a platform in an environment.',
  arguments: {
    ...inPlatform,
    opsState: healthStates().optional().describe('Health states to see, with commas between them. Default `all`.'),
  },
  result: {
    computes: result.records(compute).describe('Machines, by name.'),
  },
  read: async (ask, { opsState = 'all', ...address }) => {
    const computes = await ask(routes.operations.computes, { address, query: { instances_state: opsState } });
    return { computes: inOrder(result.rowsIn(compute, computes)) };
  },
});

const available = result.inMembers<AvailableAction>();

const action = result.recordType('ActionRecord', 'Something that can be run on the instances of a component.', {
  name: available.text('actionName').describe('Name a Procedure runs it by.'),
  description: available
    .text('description')
    .describe("What it does; of an attachment that runs on demand, the attachment's name."),
  actionId: available.int('actionId').describe('Number of the action, or of the attachment.'),
});

export const getActions = apiFunction({
  token: 'getActions',
  description: 'What can be run on the instances of a component.',
  arguments: {
    ...inPlatform,
    component: name().describe('Name of the component. Its number (`ciId`) where several have that name.'),
  },
  result: {
    actions: result.records(action).describe("Actions of the component's class, then attachments that run on demand."),
  },
  read: async (ask, address) => {
    const actions = await ask(routes.operations.actions, { address: await numbered(ask, address) });
    return { actions: result.rowsIn(action, actions) };
  },
});

const step = result.inMembers<NonNullable<Procedure['actions']>[number]>();

const procedureAction = result.recordType('ProcedureActionRecord', 'One step of a procedure.', {
  actionId: step.int('actionId').describe('Number of the step.'),
  procedureId: step.int('procedureId').describe('Number of its procedure.'),
  name: step.text('actionName').describe('Name of the action.'),
  state: step.text('actionState').describe('`pending`, `inprogress`, `complete`, `failed` or `canceled`.'),
  ciId: step.int('ciId').describe('Number of the instance it runs on.'),
  execOrder: step.int('execOrder').describe('Its position among the steps.'),
  isCritical: step.flag('isCritical').describe('Whether the procedure ends when it fails.'),
  arglist: step.text('arglist').describe('Arguments of the action, as the service keeps them.'),
  extraInfo: step.text('extraInfo').describe('Number of the attachment it runs, when it runs one.'),
  payLoadDef: step
    .text('payLoadDef')
    .describe('Further records that are passed to the action; empty unless the procedure names some.'),
  created: step.int('created').describe('When the step was created, in milliseconds since 1970.'),
  createdBy: step.text('createdBy').describe('Who started it.'),
  updated: step.int('updated', 'created').describe('When it last changed, in milliseconds since 1970.'),
});

const whole = result.inMembers<Procedure>();

const procedureFacts = {
  procedureId: whole.int('procedureId').describe('Number of the procedure.'),
  name: whole.text('procedureName').describe('Name of the procedure.'),
  state: whole.text('procedureState').describe('`pending`, `active`, `complete`, `failed` or `canceled`.'),
  ciId: whole.int('ciId').describe('Number of the record it runs on.'),
  procedureCiId: whole
    .int('procedureCiId')
    .describe("Number of the pack's procedure it was created from; 0 when it has its own definition."),
  arglist: whole.text('arglist').describe('Arguments of the procedure, as the service keeps them.'),
  definition: whole
    .text('definition')
    .describe('Its definition, as JSON text; empty where the service does not return it.'),
  nsPath: whole.text('nsPath').describe('Path of the records it runs on; empty where the service does not return it.'),
  forceExecution: whole.flag('forceExecution').describe('Whether it was started although another one was running.'),
  currentStep: whole.int('currentStep').describe('Number of the current step.'),
  maxExecOrder: whole.int('maxExecOrder').describe('Number of the last step.'),
  created: whole.int('created').describe('When it was started, in milliseconds since 1970.'),
  createdBy: whole.text('createdBy').describe('Who started it.'),
  updated: whole.int('updated', 'created').describe('When it last changed, in milliseconds since 1970.'),
};

export const getProcedure = apiFunction({
  token: 'getProcedure',
  description: 'The state of a procedure.',
  arguments: {
    procedureId: serial().describe('Number of the procedure.'),
  },
  result: {
    ...procedureFacts,
    actions: result.records(procedureAction).describe('Its steps, in their order.'),
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
