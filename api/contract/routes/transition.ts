// Routes of environments: their platforms, components, variables, relays, releases and deployments (service-facts §4.7).
import { z } from 'zod';
import {
  attachmentBody,
  changeBody,
  cloudConfigurationBody,
  cloudPriorityBody,
  commitBody,
  committedBody,
  componentIdsBody,
  dependsOnBody,
  deploymentBody,
  environmentBody,
  environmentComponentBody,
  environmentPlatformBody,
  loadBody,
  planBody,
  platformIdsBody,
  pullBody,
  recordIdsBody,
  settleBody,
} from '../body';
import {
  componentSchema,
  environmentSchema,
  environmentPlatformSchema,
  record,
  relation,
  scalablePlatform,
  templateSchema,
} from '../record';
import {
  approval,
  deploymentSchema,
  deploymentChanges,
  deploymentDetail,
  deploymentStatus,
  logEntry,
  planned,
  release,
  restored,
} from '../release';
import { route } from '../route';
import { collection } from '../collection';

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

export const environments = {
  /** Lists the environments of an assembly. */
  list: route('environments.list', `GET ${ENVIRONMENTS}`, {
    summary: 'Lists the environments of an assembly',
    answer: records,
    source: 'service-facts §4.7.1',
  }),
  /** Reads what a new environment begins with, from a profile or not. Query: profile_id. */
  template: route('environments.template', `GET ${ENVIRONMENTS}/new`, {
    summary: 'Reads what a new environment begins with, from a profile or not',
    query: ['profile_id'],
    answer: templateSchema,
    source: 'service-facts §4.7.1',
  }),
  /** Reads an environment with its clouds. */
  read: route('environments.read', `GET ${ENVIRONMENT}`, {
    summary: 'Reads an environment with its clouds',
    answer: environmentSchema,
    source: 'service-facts §4.7',
    documented: true,
  }),
  /** Creates an environment and pulls the design into it. */
  create: route('environments.create', `POST ${ENVIRONMENT}`, {
    summary: 'Creates an environment and pulls the design into it',
    body: environmentBody,
    answer: environmentSchema,
    source: 'service-facts §4.7',
    documented: true,
  }),
  /** Changes an environment and the set of its clouds. */
  update: route('environments.update', `PUT ${ENVIRONMENT}`, {
    summary: 'Changes an environment and the set of its clouds',
    body: environmentBody,
    answer: environmentSchema,
    source: 'service-facts §4.7.1',
  }),
  /** Deletes an environment in which nothing runs. */
  delete: route('environments.delete', `DELETE ${ENVIRONMENT}`, {
    summary: 'Deletes an environment in which nothing runs',
    answer: deleted,
    source: 'service-facts §4.7',
    documented: true,
  }),
  /** Pulls the committed design into an environment. Never sent twice. */
  pull: route('environments.pull', `POST ${ENVIRONMENT}/pull`, {
    summary: 'Pulls the committed design into an environment',
    body: pullBody,
    answer: environmentSchema,
    source: 'service-facts §4.7',
    documented: true,
    repeat: 'action',
  }),
  /** Reads an environment while a pull runs. */
  pullStatus: route('environments.pullStatus', `GET ${ENVIRONMENT}/pull_status`, {
    summary: 'Reads an environment while a pull runs',
    answer: environmentSchema,
    source: 'service-facts §4.7.2',
  }),
  /** Commits the manifest and builds the plan of a deployment, in the background. Never sent twice. */
  commit: route('environments.commit', `POST ${ENVIRONMENT}/commit`, {
    summary: 'Commits the manifest and builds the plan of a deployment, in the background',
    body: commitBody,
    answer: environmentSchema,
    source: 'service-facts §4.7',
    documented: true,
    repeat: 'action',
  }),
  /** Builds the plan of a deployment from what is committed, in the background. Never sent twice. */
  forceDeploy: route('environments.forceDeploy', `POST ${ENVIRONMENT}/force_deploy`, {
    summary: 'Builds the plan of a deployment from what is committed, in the background',
    body: commitBody,
    answer: environmentSchema,
    source: 'service-facts §4.7.2',
    repeat: 'action',
  }),
  /** Discards the open manifest release. Never sent twice. */
  discard: route('environments.discard', `POST ${ENVIRONMENT}/discard`, {
    summary: 'Discards the open manifest release',
    answer: release,
    source: 'service-facts §4.7.2',
    repeat: 'action',
  }),
  /** Disables platforms: the next deployment deletes their instances. */
  disable: route('environments.disable', `PUT ${ENVIRONMENT}/disable`, {
    summary: 'Disables platforms: the next deployment deletes their instances',
    body: platformIdsBody,
    answer: environmentSchema,
    source: 'service-facts §4.7',
    documented: true,
  }),
  /** Enables platforms again. */
  enable: route('environments.enable', `PUT ${ENVIRONMENT}/enable`, {
    summary: 'Enables platforms again',
    body: platformIdsBody,
    answer: environmentSchema,
    source: 'service-facts §4.7.2',
  }),
  /** Reads what was set in an environment itself, as people write it. */
  extract: route('environments.extract', `GET ${ENVIRONMENT}/extract`, {
    summary: 'Reads what was set in an environment itself, as people write it',
    answer: environmentDocument,
    source: 'service-facts §4.7.1',
  }),
  /** Reads what was set in an environment itself, in YAML. */
  extractYaml: route('environments.extractYaml', `GET ${ENVIRONMENT}/extract.yaml`, {
    summary: 'Reads what was set in an environment itself, in YAML',
    answer: z.string(),
    source: 'service-facts §4.7.1',
    media: 'text/yaml',
  }),
  /** Lays what people write over the manifest of an environment. Never sent twice. */
  load: route('environments.load', `PUT ${ENVIRONMENT}/load`, {
    summary: 'Lays what people write over the manifest of an environment',
    body: loadBody,
    answer: environmentDocument,
    source: 'service-facts §4.7.1',
    repeat: 'action',
    warns: true,
  }),
  /** Lists the releases and deployments of an environment, newest first. Query: size, offset. */
  timeline: route('environments.timeline', `GET ${ENVIRONMENT}/timeline`, {
    summary: 'Lists the releases and deployments of an environment, newest first',
    query: ['size', 'offset'],
    answer: z.array(z.union([release, deploymentSchema])),
    source: 'service-facts §4.7.1',
  }),
};

export const environmentMonitors = collection('environmentMonitors', `${COMPONENT}/monitors`, 'monitor', {
  verbs: ['list', 'read', 'update'],
  noun: 'monitor of a component of an environment',
  body: changeBody,
  source: 'service-facts §4.7.5',
});

export const environmentPlatforms = {
  /** Lists the platforms of an environment. */
  list: route('environmentPlatforms.list', `GET ${ENVIRONMENT}/platforms`, {
    summary: 'Lists the platforms of an environment',
    answer: records,
    source: 'service-facts §4.7.5',
  }),
  /** Reads a platform of an environment with its links and clouds. */
  read: route('environmentPlatforms.read', `GET ${PLATFORM}`, {
    summary: 'Reads a platform of an environment with its links and clouds',
    answer: environmentPlatformSchema,
    source: 'service-facts §4.7.5',
  }),
  /** Reads a platform of an environment with the relations that can be scaled. */
  edit: route('environmentPlatforms.edit', `GET ${PLATFORM}/edit`, {
    summary: 'Reads a platform of an environment with the relations that can be scaled',
    answer: scalablePlatform,
    source: 'service-facts §4.7.5',
  }),
  /** Changes a platform of an environment and how it is scaled. */
  update: route('environmentPlatforms.update', `PUT ${PLATFORM}`, {
    summary: 'Changes a platform of an environment and how it is scaled',
    body: environmentPlatformBody,
    answer: scalablePlatform,
    source: 'service-facts §4.7.5',
  }),
  /** Deletes a version of a platform that is not the active one. */
  delete: route('environmentPlatforms.delete', `DELETE ${PLATFORM}`, {
    summary: 'Deletes a version of a platform that is not the active one',
    answer: deleted,
    source: 'service-facts §4.7.5',
  }),
  /** Changes how a platform uses one of its clouds. */
  configureCloud: route('environmentPlatforms.configureCloud', `PUT ${PLATFORM}/cloud_configuration`, {
    summary: 'Changes how a platform uses one of its clouds',
    body: cloudConfigurationBody,
    answer: relation,
    source: 'service-facts §4.7',
    documented: true,
  }),
  /** Changes the priority of one cloud of a platform. */
  cloudPriority: route('environmentPlatforms.cloudPriority', `PUT ${PLATFORM}/cloud_priority`, {
    summary: 'Changes the priority of one cloud of a platform',
    body: cloudPriorityBody,
    answer: relation,
    source: 'service-facts §4.7.5',
  }),
  /** Enables a platform, or disables it: a GET that writes. Never sent twice. */
  toggle: route('environmentPlatforms.toggle', `GET ${PLATFORM}/toggle`, {
    summary: 'Enables a platform, or disables it: a GET that writes',
    answer: record,
    source: 'service-facts §4.7.5',
    repeat: 'action',
  }),
  /** Makes a version of a platform the active one: a GET that writes. */
  activate: route('environmentPlatforms.activate', `GET ${PLATFORM}/activate`, {
    summary: 'Makes a version of a platform the active one: a GET that writes',
    answer: record,
    source: 'service-facts §4.7.5',
    repeat: 'write',
  }),
  /** Lists the components of a platform of an environment. */
  components: route('environmentPlatforms.components', `GET ${PLATFORM}/components`, {
    summary: 'Lists the components of a platform of an environment',
    answer: records,
    source: 'service-facts §4.7.5',
  }),
  /** Reads a component of an environment with what it depends on. Query: class_name. */
  component: route('environmentPlatforms.component', `GET ${COMPONENT}`, {
    summary: 'Reads a component of an environment with what it depends on',
    query: ['class_name'],
    answer: componentSchema,
    source: 'service-facts §4.7.5',
  }),
  /** Changes a component of an environment. Query: class_name. */
  updateComponent: route('environmentPlatforms.updateComponent', `PUT ${COMPONENT}`, {
    summary: 'Changes a component of an environment',
    body: environmentComponentBody,
    query: ['class_name'],
    answer: record,
    source: 'service-facts §4.7.5',
  }),
  /** Has a component deployed again although nothing changed. */
  touchComponent: route('environmentPlatforms.touchComponent', `POST ${COMPONENT}/touch`, {
    summary: 'Has a component deployed again although nothing changed',
    answer: record,
    source: 'service-facts §4.7.5',
    repeat: 'write',
  }),
  /** Has several components deployed again although nothing changed. */
  touchComponents: route('environmentPlatforms.touchComponents', `POST ${PLATFORM}/components/touch`, {
    summary: 'Has several components deployed again although nothing changed',
    body: componentIdsBody,
    answer: records,
    source: 'service-facts §4.7.5',
    repeat: 'write',
  }),
  /** Deploys a component again immediately, if deployment is continuous. Never sent twice. */
  deployComponent: route('environmentPlatforms.deployComponent', `POST ${COMPONENT}/deploy`, {
    summary: 'Deploys a component again immediately, if deployment is continuous',
    answer: record,
    source: 'service-facts §4.7.5',
    repeat: 'action',
  }),
  /** Lists the dependencies of a component. */
  dependsOn: route('environmentPlatforms.dependsOn', `GET ${COMPONENT}/depends_on`, {
    summary: 'Lists the dependencies of a component',
    answer: relations,
    source: 'service-facts §4.7.5',
  }),
  /** Changes the dependencies of a component. */
  updateDependsOn: route('environmentPlatforms.updateDependsOn', `PUT ${COMPONENT}/update_depends_on`, {
    summary: 'Changes the dependencies of a component',
    body: dependsOnBody,
    answer: relations,
    source: 'service-facts §4.7.5',
  }),
};

export const environmentAttachments = {
  ...collection('environmentAttachments', `${COMPONENT}/attachments`, 'attachment', {
    verbs: ['list', 'read', 'update'],
    noun: 'attachment of a component of an environment',
    summaries: { update: 'Changes an attachment in one environment' },
    body: attachmentBody,
    source: 'service-facts §4.7.5',
  }),
  /** Reads an attachment of an environment without naming its component. */
  readInPlatform: route('environmentAttachments.readInPlatform', `GET ${PLATFORM}/attachments/{attachment}`, {
    summary: 'Reads an attachment of an environment without naming its component',
    answer: record,
    source: 'service-facts §4.7.5',
  }),
  /** Changes an attachment in one environment without naming its component. */
  updateInPlatform: route('environmentAttachments.updateInPlatform', `PUT ${PLATFORM}/attachments/{attachment}`, {
    summary: 'Changes an attachment in one environment without naming its component',
    body: attachmentBody,
    answer: record,
    source: 'service-facts §4.7.5',
  }),
};

export const environmentVariables = {
  ...collection('environmentVariables', `${ENVIRONMENT}/variables`, 'variable', {
    verbs: ['list', 'read', 'update'],
    noun: 'variable of an environment',
    summaries: { update: 'Changes a variable in one environment' },
    body: changeBody,
    source: 'service-facts §4.7.5',
  }),
  /** Locks variables of an environment against the next pull. */
  lock: route('environmentVariables.lock', `PUT ${ENVIRONMENT}/variables/lock`, {
    summary: 'Locks variables of an environment against the next pull',
    body: recordIdsBody,
    answer: records,
    source: 'service-facts §4.7.5',
  }),
  /** Unlocks variables of an environment. */
  unlock: route('environmentVariables.unlock', `PUT ${ENVIRONMENT}/variables/unlock`, {
    summary: 'Unlocks variables of an environment',
    body: recordIdsBody,
    answer: records,
    source: 'service-facts §4.7.5',
  }),
};

export const environmentPlatformVariables = {
  ...collection('environmentPlatformVariables', `${PLATFORM}/variables`, 'variable', {
    verbs: ['list', 'read', 'update'],
    noun: 'variable of a platform of an environment',
    summaries: { update: "Changes a platform's variable in one environment" },
    body: changeBody,
    source: 'service-facts §4.7.5',
  }),
  /** Locks a platform's variables against the next pull. */
  lock: route('environmentPlatformVariables.lock', `PUT ${PLATFORM}/variables/lock`, {
    summary: "Locks a platform's variables against the next pull",
    body: recordIdsBody,
    answer: records,
    source: 'service-facts §4.7.5',
  }),
  /** Unlocks a platform's variables. */
  unlock: route('environmentPlatformVariables.unlock', `PUT ${PLATFORM}/variables/unlock`, {
    summary: "Unlocks a platform's variables",
    body: recordIdsBody,
    answer: records,
    source: 'service-facts §4.7.5',
  }),
};

export const relays = {
  ...collection('relays', `${ENVIRONMENT}/relays`, 'relay', {
    verbs: ['list', 'template', 'read', 'create', 'update', 'delete'],
    noun: 'mail relay',
    nouns: 'mail relays of an environment',
    body: committedBody,
    source: 'service-facts §4.7.5',
  }),
  /** Turns a mail relay on or off. Never sent twice. */
  toggle: route('relays.toggle', `PUT ${ENVIRONMENT}/relays/{relay}/toggle`, {
    summary: 'Turns a mail relay on or off',
    answer: record,
    source: 'service-facts §4.7.5',
    repeat: 'action',
  }),
};

export const environmentReleases = {
  /** Lists the manifest and bom releases of an environment that are no longer open, newest first. Query: size, offset. */
  list: route('environmentReleases.list', `GET ${ENVIRONMENT}/releases`, {
    summary: 'Lists the manifest and bom releases of an environment that are no longer open, newest first',
    query: ['size', 'offset'],
    answer: z.array(release),
    source: 'service-facts §4.7.3',
  }),
  /** Reads the release to deploy. Query: latest, include_rfcs. */
  bom: route('environmentReleases.bom', `GET ${ENVIRONMENT}/releases/bom`, {
    summary: 'Reads the release to deploy',
    query: ['latest', 'include_rfcs'],
    answer: release,
    source: 'service-facts §4.7',
    documented: true,
  }),
  /** Reads the newest release: of the manifest in classic, else as bom does. Query: latest, include_rfcs. */
  latest: route('environmentReleases.latest', `GET ${ENVIRONMENT}/releases/latest`, {
    summary: 'Reads the newest release: of the manifest in classic, else as bom does',
    query: ['latest', 'include_rfcs'],
    answer: release,
    source: 'service-facts §4.7',
    documented: true,
    deprecated: true,
  }),
  /** Reads a release of an environment. Query: include_rfcs. */
  read: route('environmentReleases.read', `GET ${ENVIRONMENT}/releases/{release}`, {
    summary: 'Reads a release of an environment',
    query: ['include_rfcs'],
    answer: release,
    source: 'service-facts §4.7.3',
  }),
  /** Discards an open release of an environment. Never sent twice. */
  discard: route('environmentReleases.discard', `POST ${ENVIRONMENT}/releases/{release}/discard`, {
    summary: 'Discards an open release of an environment',
    answer: release,
    source: 'service-facts §4.7',
    documented: true,
    repeat: 'action',
  }),
  /** Brings a manifest back to what it was after a release, as a new open release. Never sent twice. */
  restore: route('environmentReleases.restore', `POST ${ENVIRONMENT}/releases/{release}/restore`, {
    summary: 'Brings a manifest back to what it was after a release, as a new open release',
    answer: restored,
    source: 'service-facts §4.7.3',
    repeat: 'action',
  }),
};

export const deployments = {
  /** Lists the deployments of an environment. */
  list: route('deployments.list', `GET ${ENVIRONMENT}/deployments`, {
    summary: 'Lists the deployments of an environment',
    answer: z.array(deploymentSchema),
    source: 'service-facts §4.7.4',
  }),
  /** Reads the newest deployment of an environment. */
  latest: route('deployments.latest', `GET ${ENVIRONMENT}/deployments/latest`, {
    summary: 'Reads the newest deployment of an environment',
    answer: deploymentSchema,
    source: 'service-facts §4.7.4',
  }),
  /** Deploys a bom release, or, without one in the body, plans and deploys what is committed. Never sent twice. */
  create: route('deployments.create', `POST ${ENVIRONMENT}/deployments/`, {
    summary: 'Deploys a bom release, or, without one in the body, plans and deploys what is committed',
    body: deploymentBody,
    answer: deploymentSchema,
    // Without a releaseId in the body, as createFromCommitted.
    otherAnswer: environmentSchema,
    source: 'service-facts §4.7',
    documented: true,
    repeat: 'action',
  }),
  /** Plans and deploys what is committed, in the background: the same address, without a release in the body. Never sent twice. */
  createFromCommitted: route('deployments.createFromCommitted', `POST ${ENVIRONMENT}/deployments`, {
    summary: 'Plans and deploys what is committed, in the background: the same address, without a release in the body',
    body: deploymentBody,
    answer: environmentSchema,
    // With a releaseId in the body, as create.
    otherAnswer: deploymentSchema,
    source: 'service-facts §4.7.4',
    repeat: 'action',
  }),
  /** Plans a deployment without storing the plan. Query: exclude_platforms. */
  preview: route('deployments.preview', `GET ${ENVIRONMENT}/deployments/bom`, {
    summary: 'Plans a deployment without storing the plan',
    query: ['exclude_platforms'],
    answer: planned,
    source: 'service-facts §4.7.4',
  }),
  /** Plans a deployment without storing the plan; may commit the manifest before. Never sent twice. */
  plan: route('deployments.plan', `POST ${ENVIRONMENT}/deployments/bom`, {
    summary: 'Plans a deployment without storing the plan; may commit the manifest before',
    body: planBody,
    answer: planned,
    source: 'service-facts §4.7.4',
    repeat: 'action',
  }),
  /** Reads a deployment; in classic its changes. */
  read: route('deployments.read', `GET ${DEPLOYMENT}`, {
    summary: 'Reads a deployment; in classic its changes',
    answer: z.union([deploymentSchema, deploymentChanges]),
    source: 'service-facts §4.7.4',
  }),
  /** Reads a deployment with the state of each of its work orders. */
  status: route('deployments.status', `GET ${DEPLOYMENT}/status`, {
    summary: 'Reads a deployment with the state of each of its work orders',
    answer: deploymentStatus,
    source: 'service-facts §4.7',
    documented: true,
  }),
  /** Reads a deployment with its moves and approvals. */
  edit: route('deployments.edit', `GET ${DEPLOYMENT}/edit`, {
    summary: 'Reads a deployment with its moves and approvals',
    answer: deploymentDetail,
    source: 'service-facts §4.7.4',
  }),
  /** Pauses, resumes, retries or cancels a deployment. Never sent twice. */
  update: route('deployments.update', `PUT ${DEPLOYMENT}`, {
    summary: 'Pauses, resumes, retries or cancels a deployment',
    body: deploymentBody,
    answer: deploymentSchema,
    source: 'service-facts §4.7.4',
    repeat: 'action',
  }),
  /** Reads what was logged of a work order. Query: rfcId. */
  logData: route('deployments.logData', `GET ${DEPLOYMENT}/log_data`, {
    summary: 'Reads what was logged of a work order',
    query: ['rfcId'],
    answer: z.array(logEntry),
    source: 'service-facts §4.7.4',
  }),
  /** Lists the approvals a deployment waits for, or had. */
  approvals: route('deployments.approvals', `GET ${DEPLOYMENT}/approvals`, {
    summary: 'Lists the approvals a deployment waits for, or had',
    answer: z.array(approval),
    source: 'service-facts §4.7.4',
  }),
  /** Approves or rejects a deployment for the clouds it goes to. Never sent twice. */
  settle: route('deployments.settle', `PUT ${DEPLOYMENT}/approvals/settle`, {
    summary: 'Approves or rejects a deployment for the clouds it goes to',
    body: settleBody,
    answer: z.array(approval),
    source: 'service-facts §4.7.4',
    repeat: 'action',
  }),
};
