// Routes of what runs: instances, switches of platforms, actions, procedures (service-facts §4.8).
import * as z from 'zod';
import {
  availableAction,
  deploymentRecord,
  environmentPlatformSchema,
  instance,
  instanceDetail,
  instancesStateBody,
  instanceStateBody,
  logEntry,
  procedureBody,
  procedureSchema,
  procedureStatus,
  record,
  switchBody,
} from '../schemas';
import { area, route } from '../route';

const ASSEMBLY = '/{organization}/assemblies/{assembly}';
const ENVIRONMENTS = `${ASSEMBLY}/operations/environments` as const;
const ENVIRONMENT = `${ENVIRONMENTS}/{environment}` as const;
const PLATFORM = `${ENVIRONMENT}/platforms/{platform}` as const;
const COMPONENT = `${PLATFORM}/components/{component}` as const;
const INSTANCE = `${COMPONENT}/instances/{instance}` as const;
const PROCEDURES = '/{organization}/operations/procedures';

const records = z.array(record);
const rows = z.array(instance);
const instances = <const P extends `/${string}`>(path: P, nouns: string, documented = false) =>
  route(`GET ${path}`, `Lists the ${nouns}`, rows, { query: ['instances_state'], documented });

const counts = z.looseObject({ total: z.number().int(), good: z.number().int(), unhealthy: z.number().int() });

export const operations = area('operations', 'service-facts §4.8', {
  health: route(
    'GET /{organization}/operations/health',
    'Counts the instances of an organization by state, in all and by environment',
    counts.extend({ environments: z.array(counts.extend({ nsPath: z.string() })) }),
  ),
  environments: route(`GET ${ENVIRONMENTS}`, 'Lists the environments of an assembly', records),
  environment: route(`GET ${ENVIRONMENT}`, 'Reads an environment', record),
  platforms: route(`GET ${ENVIRONMENT}/platforms`, 'Lists the platforms of an environment', records),
  platform: route(`GET ${PLATFORM}`, 'Reads a platform with its links and clouds', environmentPlatformSchema),
  components: route(`GET ${PLATFORM}/components`, 'Lists the components of a platform', records),
  component: route(`GET ${COMPONENT}`, 'Reads a component; procedures are anchored at its number', record, {
    query: ['class_name'],
    documented: true,
  }),
  actions: route(
    `GET ${COMPONENT}/actions`,
    "Lists what can be run on a component's instances",
    z.array(availableAction),
    { documented: true },
  ),
  instances: instances(`${COMPONENT}/instances`, 'instances of a component', true),
  computes: instances(`${PLATFORM}/components/compute/instances.json`, 'machines of a platform', true),
  platformInstances: instances(`${PLATFORM}/instances`, 'instances of a platform'),
  environmentInstances: instances(`${ENVIRONMENT}/instances`, 'instances of an environment'),
  assemblyInstances: instances(`${ASSEMBLY}/instances`, 'instances of an assembly'),
  instance: route(`GET ${INSTANCE}`, 'Reads an instance with what it depends on', instanceDetail),
  deleteInstance: route(
    `DELETE ${INSTANCE}`,
    'Removes the record of an instance; what it represents keeps running',
    record.nullish(),
  ),
  setInstanceState: route(
    `PUT ${INSTANCE}/state`,
    'Marks an instance, for example to be replaced by the next deployment',
    z.unknown(),
    { body: instanceStateBody, documented: true, repeat: 'action' },
  ),
  setAssemblyInstanceState: route(
    `PUT ${ASSEMBLY}/operations/instances/{instance}/state`,
    'Marks an instance of an assembly',
    z.unknown(),
    { body: instanceStateBody, repeat: 'action' },
  ),
  setAssemblyInstancesState: route(
    `PUT ${ASSEMBLY}/operations/instances/state`,
    'Marks several instances of an assembly',
    z.unknown(),
    { body: instancesStateBody, repeat: 'action' },
  ),
  setInstancesState: route(
    'PUT /{organization}/operations/instances/state',
    'Marks several instances of an organization',
    z.unknown(),
    { body: instancesStateBody, repeat: 'action' },
  ),
  cancelDeployment: route(
    `PUT ${INSTANCE}/cancel_deployment`,
    'Cancels the work order that is in progress on an instance',
    z.array(deploymentRecord),
    { repeat: 'action' },
  ),
  autorepair: route(`PUT ${PLATFORM}/autorepair`, 'Turns the repair of unhealthy instances on or off', record, {
    body: switchBody,
  }),
  autoreplace: route(
    `PUT ${PLATFORM}/autoreplace`,
    'Turns the replacement of instances that stay unhealthy on or off, and says when',
    record,
    { body: switchBody },
  ),
  autoscale: route(`PUT ${PLATFORM}/autoscale`, 'Turns scaling by load on or off', record, { body: switchBody }),
  autocomply: route(`PUT ${PLATFORM}/autocomply`, 'Turns compliance on or off', record, { body: switchBody }),
  procedures: route(`GET ${PLATFORM}/procedures`, "Lists the procedures of a platform's pack", records),
});

export const procedures = area('procedures', 'service-facts §4.8', {
  create: route(`POST ${PROCEDURES}`, 'Starts a procedure on instances', procedureSchema, {
    body: procedureBody,
    documented: true,
    repeat: 'action',
  }),
  read: route(`GET ${PROCEDURES}/{procedure}`, 'Reads a procedure with its actions', procedureSchema, {
    documented: true,
  }),
  status: route(
    `GET ${PROCEDURES}/{procedure}/status`,
    'Reads a procedure with what was logged of its actions',
    procedureStatus,
  ),
  logData: route(
    `GET ${PROCEDURES}/{procedure}/log_data`,
    'Reads what was logged of the actions of a procedure',
    z.array(logEntry),
    { query: ['procedure_id'] },
  ),
  actionLogs: route(
    `GET ${PROCEDURES}/log_data`,
    'Reads what was logged of some actions of a procedure',
    z.array(logEntry),
    { query: ['procedure_id', 'action_ids'] },
  ),
  list: route(`GET ${PROCEDURES}`, 'Lists procedures, newest first', z.array(procedureSchema), {
    query: ['ciId', 'actionCiId', 'ns_path', 'state', 'name', 'size', 'include_actions'],
  }),
  update: route(`PUT ${PROCEDURES}/{procedure}`, 'Starts, retries or cancels a procedure', procedureSchema, {
    body: procedureBody,
    repeat: 'action',
  }),
});
