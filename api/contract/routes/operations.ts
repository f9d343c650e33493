// Routes of what runs: instances and their states, switches of platforms, actions, procedures (service-facts §4.8).
import { z } from 'zod';
import { instancesStateBody, instanceStateBody, procedureBody, switchBody } from '../body';
import { availableAction, instance, instanceDetail, procedureSchema, procedureStatus } from '../instance';
import { environmentPlatformSchema, record } from '../record';
import { deploymentRecord, logEntry } from '../release';
import { route } from '../route';

const ASSEMBLY = '/{organization}/assemblies/{assembly}';
const ENVIRONMENTS = `${ASSEMBLY}/operations/environments` as const;
const ENVIRONMENT = `${ENVIRONMENTS}/{environment}` as const;
const PLATFORM = `${ENVIRONMENT}/platforms/{platform}` as const;
const COMPONENT = `${PLATFORM}/components/{component}` as const;
const INSTANCE = `${COMPONENT}/instances/{instance}` as const;
const PROCEDURES = '/{organization}/operations/procedures';

const records = z.array(record);
const instances = z.array(instance);

const counts = z.looseObject({ total: z.number().int(), good: z.number().int(), unhealthy: z.number().int() });

export const operations = {
  /** Counts the instances of an organization by state, in all and by environment. */
  health: route('operations.health', 'GET /{organization}/operations/health', {
    summary: 'Counts the instances of an organization by state, in all and by environment',
    answer: counts.extend({ environments: z.array(counts.extend({ nsPath: z.string() })) }),
    source: 'service-facts §4.8',
  }),
  /** Lists the environments of an assembly. */
  environments: route('operations.environments', `GET ${ENVIRONMENTS}`, {
    summary: 'Lists the environments of an assembly',
    answer: records,
    source: 'service-facts §4.8',
  }),
  /** Reads an environment. */
  environment: route('operations.environment', `GET ${ENVIRONMENT}`, {
    summary: 'Reads an environment',
    answer: record,
    source: 'service-facts §4.8',
  }),
  /** Lists the platforms of an environment. */
  platforms: route('operations.platforms', `GET ${ENVIRONMENT}/platforms`, {
    summary: 'Lists the platforms of an environment',
    answer: records,
    source: 'service-facts §4.8',
  }),
  /** Reads a platform with its links and clouds. */
  platform: route('operations.platform', `GET ${PLATFORM}`, {
    summary: 'Reads a platform with its links and clouds',
    answer: environmentPlatformSchema,
    source: 'service-facts §4.8',
  }),
  /** Lists the components of a platform. */
  components: route('operations.components', `GET ${PLATFORM}/components`, {
    summary: 'Lists the components of a platform',
    answer: records,
    source: 'service-facts §4.8',
  }),
  /** Reads a component; procedures are anchored at its number. Query: class_name. */
  component: route('operations.component', `GET ${COMPONENT}`, {
    summary: 'Reads a component; procedures are anchored at its number',
    query: ['class_name'],
    answer: record,
    source: 'service-facts §4.8',
    documented: true,
  }),
  /** Lists what can be run on a component's instances. */
  actions: route('operations.actions', `GET ${COMPONENT}/actions`, {
    summary: "Lists what can be run on a component's instances",
    answer: z.array(availableAction),
    source: 'service-facts §4.8',
    documented: true,
  }),
  /** Lists the instances of a component. Query: instances_state. */
  instances: route('operations.instances', `GET ${COMPONENT}/instances`, {
    summary: 'Lists the instances of a component',
    query: ['instances_state'],
    answer: instances,
    source: 'service-facts §4.8',
    documented: true,
  }),
  /** Lists the machines of a platform. Query: instances_state. */
  computes: route('operations.computes', `GET ${PLATFORM}/components/compute/instances.json`, {
    summary: 'Lists the machines of a platform',
    query: ['instances_state'],
    answer: instances,
    source: 'service-facts §4.8',
    documented: true,
  }),
  /** Lists the instances of a platform. Query: instances_state. */
  platformInstances: route('operations.platformInstances', `GET ${PLATFORM}/instances`, {
    summary: 'Lists the instances of a platform',
    query: ['instances_state'],
    answer: instances,
    source: 'service-facts §4.8',
  }),
  /** Lists the instances of an environment. Query: instances_state. */
  environmentInstances: route('operations.environmentInstances', `GET ${ENVIRONMENT}/instances`, {
    summary: 'Lists the instances of an environment',
    query: ['instances_state'],
    answer: instances,
    source: 'service-facts §4.8',
  }),
  /** Lists the instances of an assembly. Query: instances_state. */
  assemblyInstances: route('operations.assemblyInstances', `GET ${ASSEMBLY}/instances`, {
    summary: 'Lists the instances of an assembly',
    query: ['instances_state'],
    answer: instances,
    source: 'service-facts §4.8',
  }),
  /** Reads an instance with what it depends on. */
  instance: route('operations.instance', `GET ${INSTANCE}`, {
    summary: 'Reads an instance with what it depends on',
    answer: instanceDetail,
    source: 'service-facts §4.8',
  }),
  /** Removes the record of an instance; what it represents keeps running. */
  deleteInstance: route('operations.deleteInstance', `DELETE ${INSTANCE}`, {
    summary: 'Removes the record of an instance; what it represents keeps running',
    answer: record.nullish(),
    source: 'service-facts §4.8',
  }),
  /** Marks an instance, for example to be replaced by the next deployment. Never sent twice. */
  setInstanceState: route('operations.setInstanceState', `PUT ${INSTANCE}/state`, {
    summary: 'Marks an instance, for example to be replaced by the next deployment',
    body: instanceStateBody,
    answer: z.unknown(),
    source: 'service-facts §4.8',
    documented: true,
    repeat: 'action',
  }),
  /** Marks an instance of an assembly. Never sent twice. */
  setAssemblyInstanceState: route(
    'operations.setAssemblyInstanceState',
    `PUT ${ASSEMBLY}/operations/instances/{instance}/state`,
    {
      summary: 'Marks an instance of an assembly',
      body: instanceStateBody,
      answer: z.unknown(),
      source: 'service-facts §4.8',
      repeat: 'action',
    },
  ),
  /** Marks several instances of an assembly. Never sent twice. */
  setAssemblyInstancesState: route(
    'operations.setAssemblyInstancesState',
    `PUT ${ASSEMBLY}/operations/instances/state`,
    {
      summary: 'Marks several instances of an assembly',
      body: instancesStateBody,
      answer: z.unknown(),
      source: 'service-facts §4.8',
      repeat: 'action',
    },
  ),
  /** Marks several instances of an organization. Never sent twice. */
  setInstancesState: route('operations.setInstancesState', 'PUT /{organization}/operations/instances/state', {
    summary: 'Marks several instances of an organization',
    body: instancesStateBody,
    answer: z.unknown(),
    source: 'service-facts §4.8',
    repeat: 'action',
  }),
  /** Cancels the work order that is in progress on an instance. Never sent twice. */
  cancelDeployment: route('operations.cancelDeployment', `PUT ${INSTANCE}/cancel_deployment`, {
    summary: 'Cancels the work order that is in progress on an instance',
    answer: z.array(deploymentRecord),
    source: 'service-facts §4.8',
    repeat: 'action',
  }),
  /** Turns the repair of unhealthy instances on or off. */
  autorepair: route('operations.autorepair', `PUT ${PLATFORM}/autorepair`, {
    summary: 'Turns the repair of unhealthy instances on or off',
    body: switchBody,
    answer: record,
    source: 'service-facts §4.8',
  }),
  /** Turns the replacement of instances that stay unhealthy on or off, and says when. */
  autoreplace: route('operations.autoreplace', `PUT ${PLATFORM}/autoreplace`, {
    summary: 'Turns the replacement of instances that stay unhealthy on or off, and says when',
    body: switchBody,
    answer: record,
    source: 'service-facts §4.8',
  }),
  /** Turns scaling by load on or off. */
  autoscale: route('operations.autoscale', `PUT ${PLATFORM}/autoscale`, {
    summary: 'Turns scaling by load on or off',
    body: switchBody,
    answer: record,
    source: 'service-facts §4.8',
  }),
  /** Turns compliance on or off. */
  autocomply: route('operations.autocomply', `PUT ${PLATFORM}/autocomply`, {
    summary: 'Turns compliance on or off',
    body: switchBody,
    answer: record,
    source: 'service-facts §4.8',
  }),
  /** Lists the procedures of a platform's pack. */
  procedures: route('operations.procedures', `GET ${PLATFORM}/procedures`, {
    summary: "Lists the procedures of a platform's pack",
    answer: records,
    source: 'service-facts §4.8',
  }),
};

export const procedures = {
  /** Starts a procedure on instances. Never sent twice. */
  create: route('procedures.create', `POST ${PROCEDURES}`, {
    summary: 'Starts a procedure on instances',
    body: procedureBody,
    answer: procedureSchema,
    source: 'service-facts §4.8',
    documented: true,
    repeat: 'action',
  }),
  /** Reads a procedure with its actions. */
  read: route('procedures.read', `GET ${PROCEDURES}/{procedure}`, {
    summary: 'Reads a procedure with its actions',
    answer: procedureSchema,
    source: 'service-facts §4.8',
    documented: true,
  }),
  /** Reads a procedure with what was logged of its actions. */
  status: route('procedures.status', `GET ${PROCEDURES}/{procedure}/status`, {
    summary: 'Reads a procedure with what was logged of its actions',
    answer: procedureStatus,
    source: 'service-facts §4.8',
  }),
  /** Reads what was logged of the actions of a procedure. Query: procedure_id. */
  logData: route('procedures.logData', `GET ${PROCEDURES}/{procedure}/log_data`, {
    summary: 'Reads what was logged of the actions of a procedure',
    query: ['procedure_id'],
    answer: z.array(logEntry),
    source: 'service-facts §4.8',
  }),
  /** Reads what was logged of some actions of a procedure. Query: procedure_id, action_ids. */
  actionLogs: route('procedures.actionLogs', `GET ${PROCEDURES}/log_data`, {
    summary: 'Reads what was logged of some actions of a procedure',
    query: ['procedure_id', 'action_ids'],
    answer: z.array(logEntry),
    source: 'service-facts §4.8',
  }),
  /** Lists procedures, newest first. Query: ciId, actionCiId, ns_path, state, name, size, include_actions. */
  list: route('procedures.list', `GET ${PROCEDURES}`, {
    summary: 'Lists procedures, newest first',
    query: ['ciId', 'actionCiId', 'ns_path', 'state', 'name', 'size', 'include_actions'],
    answer: z.array(procedureSchema),
    source: 'service-facts §4.8',
  }),
  /** Starts, retries or cancels a procedure. Never sent twice. */
  update: route('procedures.update', `PUT ${PROCEDURES}/{procedure}`, {
    summary: 'Starts, retries or cancels a procedure',
    body: procedureBody,
    answer: procedureSchema,
    source: 'service-facts §4.8',
    repeat: 'action',
  }),
};
