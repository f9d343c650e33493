// Routes of environments with their releases and deployments (service-facts §4.7).
import * as z from 'zod';
import {
  approval,
  attachmentBody,
  changeBody,
  cloudConfigurationBody,
  cloudPriorityBody,
  commitBody,
  committedBody,
  componentIdsBody,
  componentSchema,
  dependsOnBody,
  deploymentBody,
  deploymentChanges,
  deploymentDetail,
  deploymentSchema,
  deploymentStatus,
  environmentBody,
  environmentComponentBody,
  environmentPlatformBody,
  environmentPlatformSchema,
  environmentSchema,
  loadBody,
  logEntry,
  planBody,
  planned,
  platformIdsBody,
  pullBody,
  record,
  relation,
  release,
  restored,
  scalablePlatform,
  settleBody,
  templateSchema,
} from '../schemas';
import { area, collection, locking, route } from '../route';

/** The source of a route that the published documentation of the API lists. */
const LISTED = { source: 'service-facts §4.7', documented: true } as const;

const ENVIRONMENTS = '/{organization}/assemblies/{assembly}/transition/environments';
const ENVIRONMENT = `${ENVIRONMENTS}/{environment}` as const;
const PLATFORM = `${ENVIRONMENT}/platforms/{platform}` as const;
const COMPONENT = `${PLATFORM}/components/{component}` as const;
const DEPLOYMENT = `${ENVIRONMENT}/deployments/{deployment}` as const;

const records = z.array(record);
const relations = z.array(relation);
const deleted = record.nullish();
/** What was set in an environment, as people write it. */
const environmentDocument = z.looseObject({ variables: z.unknown().optional(), platforms: z.unknown().optional() });

export const environments = area('environments', 'service-facts §4.7.1', {
  list: route(`GET ${ENVIRONMENTS}`, 'Lists the environments of an assembly', records),
  template: route(
    `GET ${ENVIRONMENTS}/new`,
    'Reads what a new environment begins with, from a profile or not',
    templateSchema,
    { query: ['profile_id'] },
  ),
  read: route(`GET ${ENVIRONMENT}`, 'Reads an environment with its clouds', environmentSchema, LISTED),
  create: route(`POST ${ENVIRONMENT}`, 'Creates an environment and pulls the design into it', environmentSchema, {
    body: environmentBody,
    ...LISTED,
  }),
  update: route(`PUT ${ENVIRONMENT}`, 'Changes an environment and the set of its clouds', environmentSchema, {
    body: environmentBody,
  }),
  delete: route(`DELETE ${ENVIRONMENT}`, 'Deletes an environment in which nothing runs', deleted, LISTED),
  pull: route(`POST ${ENVIRONMENT}/pull`, 'Pulls the committed design into an environment', environmentSchema, {
    body: pullBody,
    ...LISTED,
    repeat: 'action',
  }),
  pullStatus: route(`GET ${ENVIRONMENT}/pull_status`, 'Reads an environment while a pull runs', environmentSchema, {
    source: 'service-facts §4.7.2',
  }),
  commit: route(
    `POST ${ENVIRONMENT}/commit`,
    'Commits the manifest and builds the plan of a deployment, in the background',
    environmentSchema,
    { body: commitBody, ...LISTED, repeat: 'action' },
  ),
  forceDeploy: route(
    `POST ${ENVIRONMENT}/force_deploy`,
    'Builds the plan of a deployment from what is committed, in the background',
    environmentSchema,
    { body: commitBody, source: 'service-facts §4.7.2', repeat: 'action' },
  ),
  discard: route(`POST ${ENVIRONMENT}/discard`, 'Discards the open manifest release', release, {
    source: 'service-facts §4.7.2',
    repeat: 'action',
  }),
  disable: route(
    `PUT ${ENVIRONMENT}/disable`,
    'Disables platforms: the next deployment deletes their instances',
    environmentSchema,
    { body: platformIdsBody, ...LISTED },
  ),
  enable: route(`PUT ${ENVIRONMENT}/enable`, 'Enables platforms again', environmentSchema, {
    body: platformIdsBody,
    source: 'service-facts §4.7.2',
  }),
  extract: route(
    `GET ${ENVIRONMENT}/extract`,
    'Reads what was set in an environment itself, as people write it',
    environmentDocument,
  ),
  extractYaml: route(
    `GET ${ENVIRONMENT}/extract.yaml`,
    'Reads what was set in an environment itself, in YAML',
    z.string(),
    { media: 'text/yaml' },
  ),
  load: route(
    `PUT ${ENVIRONMENT}/load`,
    'Lays what people write over the manifest of an environment',
    environmentDocument,
    { body: loadBody, repeat: 'action', warns: true },
  ),
  timeline: route(
    `GET ${ENVIRONMENT}/timeline`,
    'Lists the releases and deployments of an environment, newest first',
    z.array(z.union([release, deploymentSchema])),
    { query: ['size', 'offset'] },
  ),
});

export const environmentMonitors = area('environmentMonitors', 'service-facts §4.7.5', {
  ...collection(`${COMPONENT}/monitors`, 'monitor', 'monitor of a component of an environment', {
    verbs: ['list', 'read', 'update'],
    body: changeBody,
  }),
});

export const environmentPlatforms = area('environmentPlatforms', 'service-facts §4.7.5', {
  list: route(`GET ${ENVIRONMENT}/platforms`, 'Lists the platforms of an environment', records),
  read: route(
    `GET ${PLATFORM}`,
    'Reads a platform of an environment with its links and clouds',
    environmentPlatformSchema,
  ),
  edit: route(
    `GET ${PLATFORM}/edit`,
    'Reads a platform of an environment with the relations that can be scaled',
    scalablePlatform,
  ),
  update: route(`PUT ${PLATFORM}`, 'Changes a platform of an environment and how it is scaled', scalablePlatform, {
    body: environmentPlatformBody,
  }),
  delete: route(`DELETE ${PLATFORM}`, 'Deletes a version of a platform that is not the active one', deleted),
  configureCloud: route(
    `PUT ${PLATFORM}/cloud_configuration`,
    'Changes how a platform uses one of its clouds',
    relation,
    { body: cloudConfigurationBody, ...LISTED },
  ),
  cloudPriority: route(`PUT ${PLATFORM}/cloud_priority`, 'Changes the priority of one cloud of a platform', relation, {
    body: cloudPriorityBody,
  }),
  toggle: route(`GET ${PLATFORM}/toggle`, 'Enables a platform, or disables it: a GET that writes', record, {
    repeat: 'action',
  }),
  activate: route(
    `GET ${PLATFORM}/activate`,
    'Makes a version of a platform the active one: a GET that writes',
    record,
    { repeat: 'write' },
  ),
  components: route(`GET ${PLATFORM}/components`, 'Lists the components of a platform of an environment', records),
  component: route(`GET ${COMPONENT}`, 'Reads a component of an environment with what it depends on', componentSchema, {
    query: ['class_name'],
  }),
  updateComponent: route(`PUT ${COMPONENT}`, 'Changes a component of an environment', record, {
    body: environmentComponentBody,
    query: ['class_name'],
  }),
  touchComponent: route(`POST ${COMPONENT}/touch`, 'Has a component deployed again although nothing changed', record, {
    repeat: 'write',
  }),
  touchComponents: route(
    `POST ${PLATFORM}/components/touch`,
    'Has several components deployed again although nothing changed',
    records,
    { body: componentIdsBody, repeat: 'write' },
  ),
  deployComponent: route(
    `POST ${COMPONENT}/deploy`,
    'Deploys a component again immediately, if deployment is continuous',
    record,
    { repeat: 'action' },
  ),
  dependsOn: route(`GET ${COMPONENT}/depends_on`, 'Lists the dependencies of a component', relations),
  updateDependsOn: route(`PUT ${COMPONENT}/update_depends_on`, 'Changes the dependencies of a component', relations, {
    body: dependsOnBody,
  }),
});

export const environmentAttachments = area('environmentAttachments', 'service-facts §4.7.5', {
  ...collection(`${COMPONENT}/attachments`, 'attachment', 'attachment of a component of an environment', {
    verbs: ['list', 'read', 'update'],
    summaries: { update: 'Changes an attachment in one environment' },
    body: attachmentBody,
  }),
  readInPlatform: route(
    `GET ${PLATFORM}/attachments/{attachment}`,
    'Reads an attachment of an environment without naming its component',
    record,
  ),
  updateInPlatform: route(
    `PUT ${PLATFORM}/attachments/{attachment}`,
    'Changes an attachment in one environment without naming its component',
    record,
    { body: attachmentBody },
  ),
});

export const environmentVariables = area('environmentVariables', 'service-facts §4.7.5', {
  ...collection(`${ENVIRONMENT}/variables`, 'variable', 'variable of an environment', {
    verbs: ['list', 'read', 'update'],
    summaries: { update: 'Changes a variable in one environment' },
    body: changeBody,
  }),
  ...locking(`${ENVIRONMENT}/variables`, 'variables of an environment', 'the next pull'),
});

export const environmentPlatformVariables = area('environmentPlatformVariables', 'service-facts §4.7.5', {
  ...collection(`${PLATFORM}/variables`, 'variable', 'variable of a platform of an environment', {
    verbs: ['list', 'read', 'update'],
    summaries: { update: "Changes a platform's variable in one environment" },
    body: changeBody,
  }),
  ...locking(`${PLATFORM}/variables`, "a platform's variables", 'the next pull'),
});

export const relays = area('relays', 'service-facts §4.7.5', {
  ...collection(`${ENVIRONMENT}/relays`, 'relay', 'mail relay', {
    verbs: ['list', 'template', 'read', 'create', 'update', 'delete'],
    nouns: 'mail relays of an environment',
    body: committedBody,
  }),
  toggle: route(`PUT ${ENVIRONMENT}/relays/{relay}/toggle`, 'Turns a mail relay on or off', record, {
    repeat: 'action',
  }),
});

export const environmentReleases = area('environmentReleases', 'service-facts §4.7.3', {
  list: route(
    `GET ${ENVIRONMENT}/releases`,
    'Lists the manifest and bom releases of an environment that are no longer open, newest first',
    z.array(release),
    { query: ['size', 'offset'] },
  ),
  bom: route(`GET ${ENVIRONMENT}/releases/bom`, 'Reads the release to deploy', release, {
    query: ['latest', 'include_rfcs'],
    ...LISTED,
  }),
  latest: route(
    `GET ${ENVIRONMENT}/releases/latest`,
    'Reads the newest release: of the manifest in classic, else as bom does',
    release,
    { query: ['latest', 'include_rfcs'], ...LISTED, deprecated: true },
  ),
  read: route(`GET ${ENVIRONMENT}/releases/{release}`, 'Reads a release of an environment', release, {
    query: ['include_rfcs'],
  }),
  discard: route(
    `POST ${ENVIRONMENT}/releases/{release}/discard`,
    'Discards an open release of an environment',
    release,
    { ...LISTED, repeat: 'action' },
  ),
  restore: route(
    `POST ${ENVIRONMENT}/releases/{release}/restore`,
    'Brings a manifest back to what it was after a release, as a new open release',
    restored,
    { repeat: 'action' },
  ),
});

export const deployments = area('deployments', 'service-facts §4.7.4', {
  list: route(`GET ${ENVIRONMENT}/deployments`, 'Lists the deployments of an environment', z.array(deploymentSchema)),
  latest: route(
    `GET ${ENVIRONMENT}/deployments/latest`,
    'Reads the newest deployment of an environment',
    deploymentSchema,
  ),
  create: route(
    `POST ${ENVIRONMENT}/deployments/`,
    'Deploys a bom release, or, without one in the body, plans and deploys what is committed',
    deploymentSchema,
    {
      body: deploymentBody, // Without a releaseId in the body, as createFromCommitted.
      otherAnswer: environmentSchema,
      ...LISTED,
      repeat: 'action',
    },
  ),
  createFromCommitted: route(
    `POST ${ENVIRONMENT}/deployments`,
    'Plans and deploys what is committed, in the background: the same address, without a release in the body',
    environmentSchema,
    {
      body: deploymentBody, // With a releaseId in the body, as create.
      otherAnswer: deploymentSchema,
      repeat: 'action',
    },
  ),
  preview: route(`GET ${ENVIRONMENT}/deployments/bom`, 'Plans a deployment without storing the plan', planned, {
    query: ['exclude_platforms'],
  }),
  plan: route(
    `POST ${ENVIRONMENT}/deployments/bom`,
    'Plans a deployment without storing the plan; may commit the manifest before',
    planned,
    { body: planBody, repeat: 'action' },
  ),
  read: route(
    `GET ${DEPLOYMENT}`,
    'Reads a deployment; in classic its changes',
    z.union([deploymentSchema, deploymentChanges]),
  ),
  status: route(
    `GET ${DEPLOYMENT}/status`,
    'Reads a deployment with the state of each of its work orders',
    deploymentStatus,
    LISTED,
  ),
  edit: route(`GET ${DEPLOYMENT}/edit`, 'Reads a deployment with its moves and approvals', deploymentDetail),
  update: route(`PUT ${DEPLOYMENT}`, 'Pauses, resumes, retries or cancels a deployment', deploymentSchema, {
    body: deploymentBody,
    repeat: 'action',
  }),
  logData: route(`GET ${DEPLOYMENT}/log_data`, 'Reads what was logged of a work order', z.array(logEntry), {
    query: ['rfcId'],
  }),
  approvals: route(
    `GET ${DEPLOYMENT}/approvals`,
    'Lists the approvals a deployment waits for, or had',
    z.array(approval),
  ),
  settle: route(
    `PUT ${DEPLOYMENT}/approvals/settle`,
    'Approves or rejects a deployment for the clouds it goes to',
    z.array(approval),
    { body: settleBody, repeat: 'action' },
  ),
});
