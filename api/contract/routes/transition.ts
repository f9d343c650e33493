// Routes of environments, their releases and deployments, and of what runs (api.md §4.7–4.8, wire-facts §4.7–4.8).
// It must not know who calls them, nor how the two dialects differ.
import { z } from 'zod';
import {
  changeBody,
  cloudConfigurationBody,
  commitBody,
  deploymentBody,
  environmentBody,
  instancesStateBody,
  instanceStateBody,
  platformIdsBody,
  procedureBody,
  pullBody,
} from '../body';
import {
  availableAction,
  deployment,
  deploymentStatus,
  environment,
  environmentPlatform,
  instance,
  procedure,
  record,
  relation,
  release,
} from '../record';
import { route } from '../route';

const records = z.array(record);
const instances = z.array(instance);

export const environments = {
  list: route('environments.list', 'GET /{organization}/assemblies/{assembly}/transition/environments', {
    answer: records,
    source: 'wire-facts §4.7.1',
  }),
  read: route('environments.read', 'GET /{organization}/assemblies/{assembly}/transition/environments/{environment}', {
    answer: environment,
    source: 'api.md §4.7',
  }),
  create: route(
    'environments.create',
    'POST /{organization}/assemblies/{assembly}/transition/environments/{environment}',
    {
      body: environmentBody,
      answer: environment,
      source: 'api.md §4.7',
    },
  ),
  update: route(
    'environments.update',
    'PUT /{organization}/assemblies/{assembly}/transition/environments/{environment}',
    {
      body: environmentBody,
      answer: environment,
      source: 'wire-facts §4.7.1',
    },
  ),
  delete: route(
    'environments.delete',
    'DELETE /{organization}/assemblies/{assembly}/transition/environments/{environment}',
    {
      answer: record.nullish(),
      source: 'api.md §4.7',
    },
  ),
  pull: route(
    'environments.pull',
    'POST /{organization}/assemblies/{assembly}/transition/environments/{environment}/pull',
    {
      body: pullBody,
      answer: environment,
      source: 'api.md §4.7',
      repeat: 'action',
    },
  ),
  commit: route(
    'environments.commit',
    'POST /{organization}/assemblies/{assembly}/transition/environments/{environment}/commit',
    {
      body: commitBody,
      answer: environment,
      source: 'api.md §4.7',
      repeat: 'action',
    },
  ),
  discard: route(
    'environments.discard',
    'POST /{organization}/assemblies/{assembly}/transition/environments/{environment}/discard',
    {
      answer: release,
      source: 'wire-facts §4.7.2',
      repeat: 'action',
    },
  ),
  disable: route(
    'environments.disable',
    'PUT /{organization}/assemblies/{assembly}/transition/environments/{environment}/disable',
    {
      body: platformIdsBody,
      answer: environment,
      source: 'api.md §4.7',
    },
  ),
  enable: route(
    'environments.enable',
    'PUT /{organization}/assemblies/{assembly}/transition/environments/{environment}/enable',
    {
      body: platformIdsBody,
      answer: environment,
      source: 'wire-facts §4.7.2',
    },
  ),
};

export const environmentPlatforms = {
  list: route(
    'environmentPlatforms.list',
    'GET /{organization}/assemblies/{assembly}/transition/environments/{environment}/platforms',
    {
      answer: records,
      source: 'wire-facts §4.7.5',
    },
  ),
  read: route(
    'environmentPlatforms.read',
    'GET /{organization}/assemblies/{assembly}/transition/environments/{environment}/platforms/{platform}',
    { answer: environmentPlatform, source: 'wire-facts §4.7.5' },
  ),
  configureCloud: route(
    'environmentPlatforms.configureCloud',
    'PUT /{organization}/assemblies/{assembly}/transition/environments/{environment}/platforms/{platform}/cloud_configuration',
    { body: cloudConfigurationBody, answer: relation, source: 'api.md §4.7' },
  ),
  components: route(
    'environmentPlatforms.components',
    'GET /{organization}/assemblies/{assembly}/transition/environments/{environment}/platforms/{platform}/components',
    { answer: records, source: 'wire-facts §4.7.5' },
  ),
  updateComponent: route(
    'environmentPlatforms.updateComponent',
    'PUT /{organization}/assemblies/{assembly}/transition/environments/{environment}/platforms/{platform}/components/{component}',
    { body: changeBody, answer: record, source: 'wire-facts §4.7.5' },
  ),
};

export const environmentReleases = {
  bom: route(
    'environmentReleases.bom',
    'GET /{organization}/assemblies/{assembly}/transition/environments/{environment}/releases/bom',
    {
      query: ['latest', 'include_rfcs'],
      answer: release,
      source: 'api.md §4.7',
    },
  ),
  latest: route(
    'environmentReleases.latest',
    'GET /{organization}/assemblies/{assembly}/transition/environments/{environment}/releases/latest',
    {
      answer: release,
      source: 'api.md §4.7',
    },
  ),
  discard: route(
    'environmentReleases.discard',
    'POST /{organization}/assemblies/{assembly}/transition/environments/{environment}/releases/{release}/discard',
    { answer: release, source: 'api.md §4.7', repeat: 'action' },
  ),
};

export const deployments = {
  list: route(
    'deployments.list',
    'GET /{organization}/assemblies/{assembly}/transition/environments/{environment}/deployments',
    {
      answer: z.array(deployment),
      source: 'wire-facts §4.7.4',
    },
  ),
  latest: route(
    'deployments.latest',
    'GET /{organization}/assemblies/{assembly}/transition/environments/{environment}/deployments/latest',
    {
      answer: deployment,
      source: 'wire-facts §4.7.4',
    },
  ),
  create: route(
    'deployments.create',
    'POST /{organization}/assemblies/{assembly}/transition/environments/{environment}/deployments/',
    {
      body: deploymentBody,
      answer: deployment,
      source: 'api.md §4.7',
      repeat: 'action',
    },
  ),
  status: route(
    'deployments.status',
    'GET /{organization}/assemblies/{assembly}/transition/environments/{environment}/deployments/{deployment}/status',
    { answer: deploymentStatus, source: 'api.md §4.7' },
  ),
  update: route(
    'deployments.update',
    'PUT /{organization}/assemblies/{assembly}/transition/environments/{environment}/deployments/{deployment}',
    { body: deploymentBody, answer: deployment, source: 'wire-facts §4.7.4', repeat: 'action' },
  ),
};

export const operations = {
  component: route(
    'operations.component',
    'GET /{organization}/assemblies/{assembly}/operations/environments/{environment}/platforms/{platform}/components/{component}',
    { answer: record, source: 'api.md §4.8' },
  ),
  actions: route(
    'operations.actions',
    'GET /{organization}/assemblies/{assembly}/operations/environments/{environment}/platforms/{platform}/components/{component}/actions',
    { answer: z.array(availableAction), source: 'api.md §4.8' },
  ),
  instances: route(
    'operations.instances',
    'GET /{organization}/assemblies/{assembly}/operations/environments/{environment}/platforms/{platform}/components/{component}/instances',
    { query: ['instances_state'], answer: instances, source: 'api.md §4.8' },
  ),
  computes: route(
    'operations.computes',
    'GET /{organization}/assemblies/{assembly}/operations/environments/{environment}/platforms/{platform}/components/compute/instances.json',
    { query: ['instances_state'], answer: instances, source: 'api.md §4.8' },
  ),
  assemblyInstances: route('operations.assemblyInstances', 'GET /{organization}/assemblies/{assembly}/instances', {
    query: ['instances_state'],
    answer: instances,
    source: 'wire-facts §4.8',
  }),
  environmentInstances: route(
    'operations.environmentInstances',
    'GET /{organization}/assemblies/{assembly}/operations/environments/{environment}/instances',
    { query: ['instances_state'], answer: instances, source: 'wire-facts §4.8' },
  ),
  setInstanceState: route(
    'operations.setInstanceState',
    'PUT /{organization}/assemblies/{assembly}/operations/environments/{environment}/platforms/{platform}/components/{component}/instances/{instance}/state',
    { body: instanceStateBody, answer: z.unknown(), source: 'api.md §4.8', repeat: 'action' },
  ),
  setInstancesState: route('operations.setInstancesState', 'PUT /{organization}/operations/instances/state', {
    body: instancesStateBody,
    answer: z.unknown(),
    source: 'wire-facts §4.8',
    repeat: 'action',
  }),
};

export const procedures = {
  create: route('procedures.create', 'POST /{organization}/operations/procedures', {
    body: procedureBody,
    answer: procedure,
    source: 'api.md §4.8',
    repeat: 'action',
  }),
  read: route('procedures.read', 'GET /{organization}/operations/procedures/{procedure}', {
    answer: procedure,
    source: 'api.md §4.8',
  }),
  list: route('procedures.list', 'GET /{organization}/operations/procedures', {
    query: ['ciId', 'actionCiId', 'ns_path', 'state', 'name', 'size', 'include_actions'],
    answer: z.array(procedure),
    source: 'wire-facts §4.8',
  }),
  update: route('procedures.update', 'PUT /{organization}/operations/procedures/{procedure}', {
    body: procedureBody,
    answer: procedure,
    source: 'wire-facts §4.8',
    repeat: 'action',
  }),
};
