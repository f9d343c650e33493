// Routes of assemblies and their designs: platforms, components, variables, attachments, design releases (api.md §4.4–4.6, wire-facts §4.4–4.6).
// It must not know who calls them, nor how the two dialects differ.
import { z } from 'zod';
import { changeBody, committedBody, componentBody, designCommitBody, platformBody } from '../body';
import { component, designPlatform, record, release, template } from '../record';
import { route } from '../route';

const records = z.array(record);
const deleted = record.nullish();

export const assemblies = {
  list: route('assemblies.list', 'GET /{organization}/assemblies', { answer: records, source: 'api.md §4.4' }),
  read: route('assemblies.read', 'GET /{organization}/assemblies/{assembly}', {
    answer: record,
    source: 'api.md §4.4',
  }),
  create: route('assemblies.create', 'POST /{organization}/assemblies', {
    body: committedBody,
    answer: record,
    source: 'api.md §4.4',
  }),
  update: route('assemblies.update', 'PUT /{organization}/assemblies/{assembly}', {
    body: committedBody,
    answer: record,
    source: 'api.md §4.4',
  }),
  delete: route('assemblies.delete', 'DELETE /{organization}/assemblies/{assembly}', {
    answer: deleted,
    source: 'api.md §4.4',
  }),
};

export const platforms = {
  list: route('platforms.list', 'GET /{organization}/assemblies/{assembly}/design/platforms', {
    answer: records,
    source: 'api.md §4.5',
  }),
  read: route('platforms.read', 'GET /{organization}/assemblies/{assembly}/design/platforms/{platform}', {
    answer: designPlatform,
    source: 'api.md §4.5',
  }),
  create: route('platforms.create', 'POST /{organization}/assemblies/{assembly}/design/platforms', {
    body: platformBody,
    answer: record,
    source: 'api.md §4.5',
  }),
  update: route('platforms.update', 'PUT /{organization}/assemblies/{assembly}/design/platforms/{platform}', {
    body: platformBody,
    answer: record,
    source: 'wire-facts §4.5.1',
  }),
  delete: route('platforms.delete', 'DELETE /{organization}/assemblies/{assembly}/design/platforms/{platform}', {
    answer: deleted,
    source: 'api.md §4.5',
  }),
  commit: route('platforms.commit', 'POST /{organization}/assemblies/{assembly}/design/platforms/{platform}/commit', {
    body: designCommitBody,
    answer: record,
    source: 'wire-facts §4.5.1',
    repeat: 'action',
  }),
  packUpdate: route(
    'platforms.packUpdate',
    'PUT /{organization}/assemblies/{assembly}/design/platforms/{platform}/pack_update',
    {
      body: z.looseObject({ version: z.string() }),
      answer: record,
      source: 'wire-facts §4.5.1',
    },
  ),
};

export const components = {
  list: route('components.list', 'GET /{organization}/assemblies/{assembly}/design/platforms/{platform}/components', {
    answer: records,
    source: 'wire-facts §4.5.2',
  }),
  template: route(
    'components.template',
    'GET /{organization}/assemblies/{assembly}/design/platforms/{platform}/components/new',
    {
      query: ['template_name'],
      answer: template,
      source: 'wire-facts §4.5.2',
    },
  ),
  read: route(
    'components.read',
    'GET /{organization}/assemblies/{assembly}/design/platforms/{platform}/components/{component}',
    {
      answer: component,
      source: 'wire-facts §4.5.2',
    },
  ),
  create: route(
    'components.create',
    'POST /{organization}/assemblies/{assembly}/design/platforms/{platform}/components',
    {
      body: componentBody,
      answer: record,
      source: 'wire-facts §4.5.2',
    },
  ),
  update: route(
    'components.update',
    'PUT /{organization}/assemblies/{assembly}/design/platforms/{platform}/components',
    {
      body: componentBody,
      answer: record,
      source: 'api.md §4.5',
    },
  ),
  delete: route(
    'components.delete',
    'DELETE /{organization}/assemblies/{assembly}/design/platforms/{platform}/components/{component}',
    {
      answer: deleted,
      source: 'wire-facts §4.5.2',
    },
  ),
};

export const designVariables = {
  list: route('designVariables.list', 'GET /{organization}/assemblies/{assembly}/design/variables', {
    answer: records,
    source: 'wire-facts §4.5.3',
  }),
  read: route('designVariables.read', 'GET /{organization}/assemblies/{assembly}/design/variables/{variable}', {
    answer: record,
    source: 'wire-facts §4.5.3',
  }),
  create: route('designVariables.create', 'POST /{organization}/assemblies/{assembly}/design/variables', {
    body: changeBody,
    answer: record,
    source: 'wire-facts §4.5.3',
  }),
  update: route('designVariables.update', 'PUT /{organization}/assemblies/{assembly}/design/variables/{variable}', {
    body: changeBody,
    answer: record,
    source: 'wire-facts §4.5.3',
  }),
  delete: route('designVariables.delete', 'DELETE /{organization}/assemblies/{assembly}/design/variables/{variable}', {
    answer: deleted,
    source: 'wire-facts §4.5.3',
  }),
};

export const platformVariables = {
  list: route(
    'platformVariables.list',
    'GET /{organization}/assemblies/{assembly}/design/platforms/{platform}/variables',
    {
      answer: records,
      source: 'wire-facts §4.5.3',
    },
  ),
  read: route(
    'platformVariables.read',
    'GET /{organization}/assemblies/{assembly}/design/platforms/{platform}/variables/{variable}',
    {
      answer: record,
      source: 'wire-facts §4.5.3',
    },
  ),
  create: route(
    'platformVariables.create',
    'POST /{organization}/assemblies/{assembly}/design/platforms/{platform}/variables',
    {
      body: changeBody,
      answer: record,
      source: 'wire-facts §4.5.3',
    },
  ),
  update: route(
    'platformVariables.update',
    'PUT /{organization}/assemblies/{assembly}/design/platforms/{platform}/variables',
    {
      body: changeBody,
      answer: record,
      source: 'api.md §4.5',
    },
  ),
  delete: route(
    'platformVariables.delete',
    'DELETE /{organization}/assemblies/{assembly}/design/platforms/{platform}/variables/{variable}',
    {
      answer: deleted,
      source: 'wire-facts §4.5.3',
    },
  ),
};

export const attachments = {
  list: route(
    'attachments.list',
    'GET /{organization}/assemblies/{assembly}/design/platforms/{platform}/components/{component}/attachments',
    { answer: records, source: 'api.md §4.6' },
  ),
  create: route(
    'attachments.create',
    'POST /{organization}/assemblies/{assembly}/design/platforms/{platform}/components/{component}/attachments',
    { body: changeBody, answer: record, source: 'api.md §4.6' },
  ),
  read: route(
    'attachments.read',
    'GET /{organization}/assemblies/{assembly}/design/platforms/{platform}/components/{component}/attachments/{attachment}',
    { answer: record, source: 'api.md §4.6' },
  ),
  update: route(
    'attachments.update',
    'PUT /{organization}/assemblies/{assembly}/design/platforms/{platform}/components/{component}/attachments/{attachment}',
    { body: changeBody, answer: record, source: 'api.md §4.6' },
  ),
  delete: route(
    'attachments.delete',
    'DELETE /{organization}/assemblies/{assembly}/design/platforms/{platform}/components/{component}/attachments/{attachment}',
    { answer: deleted, source: 'api.md §4.6' },
  ),
};

export const designReleases = {
  latest: route('designReleases.latest', 'GET /{organization}/assemblies/{assembly}/design/releases/latest', {
    answer: release,
    source: 'wire-facts §4.5.6',
  }),
  read: route('designReleases.read', 'GET /{organization}/assemblies/{assembly}/design/releases/{release}', {
    answer: release,
    source: 'wire-facts §4.5.6',
  }),
  commit: route(
    'designReleases.commit',
    'POST /{organization}/assemblies/{assembly}/design/releases/{release}/commit',
    {
      body: designCommitBody,
      answer: release,
      source: 'wire-facts §4.5.6',
      repeat: 'action',
    },
  ),
  discard: route(
    'designReleases.discard',
    'POST /{organization}/assemblies/{assembly}/design/releases/{release}/discard',
    {
      answer: release,
      source: 'wire-facts §4.5.6',
      repeat: 'action',
    },
  ),
};
