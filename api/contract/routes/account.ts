// Routes of account, organizations, clouds, cloud services and the offerings catalogue (api.md §4.1–4.3, wire-facts §4.1–4.3).
// It must not know who calls them.
import { z } from 'zod';
import { committedBody } from '../body';
import { organizationRow, record, template } from '../record';
import { route } from '../route';

const records = z.array(record);
const byType = z.record(z.string(), records);

export const organizations = {
  list: route('organizations.list', 'GET /account/organizations', {
    answer: z.array(organizationRow),
    source: 'api.md §4.1',
  }),
  read: route('organizations.read', 'GET /{organization}/organization', { answer: record, source: 'wire-facts §4.1' }),
};

export const profile = {
  read: route('profile.read', 'GET /account/profile', { answer: z.looseObject({}), source: 'wire-facts §4.1' }),
  token: route('profile.token', 'POST /account/profile/authentication_token', {
    body: z.looseObject({ user: z.looseObject({ username: z.string(), password: z.string() }) }),
    answer: z.looseObject({ token: z.string() }),
    source: 'wire-facts §4.1',
    repeat: 'write',
  }),
};

export const clouds = {
  list: route('clouds.list', 'GET /{organization}/clouds', { answer: records, source: 'api.md §4.2' }),
  read: route('clouds.read', 'GET /{organization}/clouds/{cloud}', { answer: record, source: 'api.md §4.2' }),
  create: route('clouds.create', 'POST /{organization}/clouds', {
    body: committedBody,
    answer: record,
    source: 'api.md §4.2',
  }),
  update: route('clouds.update', 'PUT /{organization}/clouds/{cloud}', {
    body: committedBody,
    answer: record,
    source: 'wire-facts §4.2',
  }),
  delete: route('clouds.delete', 'DELETE /{organization}/clouds/{cloud}', {
    answer: record.nullish(),
    source: 'wire-facts §4.2',
  }),
  locations: route('clouds.locations', 'GET /{organization}/clouds/locations.json', {
    answer: z.record(z.string(), z.string()),
    source: 'api.md §4.2',
  }),
};

export const cloudServices = {
  available: route('cloudServices.available', 'GET /{organization}/clouds/{cloud}/services/available.json', {
    answer: byType,
    source: 'api.md §4.2',
  }),
  list: route('cloudServices.list', 'GET /{organization}/clouds/{cloud}/services', {
    answer: records,
    source: 'wire-facts §4.2',
  }),
  read: route('cloudServices.read', 'GET /{organization}/clouds/{cloud}/services/{service}', {
    answer: record,
    source: 'api.md §4.2',
  }),
  template: route('cloudServices.template', 'GET /{organization}/clouds/{cloud}/services/{service}/new.json', {
    query: ['mgmtCiId'],
    answer: template,
    source: 'api.md §4.2',
  }),
  create: route('cloudServices.create', 'POST /{organization}/clouds/{cloud}/services/', {
    body: z.looseObject({}),
    answer: record,
    source: 'api.md §4.2',
  }),
  update: route('cloudServices.update', 'PUT /{organization}/clouds/{cloud}/services/{service}', {
    body: z.looseObject({}),
    answer: record,
    source: 'api.md §4.2',
  }),
  delete: route('cloudServices.delete', 'DELETE /{organization}/clouds/{cloud}/services/{service}', {
    answer: record.nullish(),
    source: 'wire-facts §4.2',
  }),
};

export const reports = {
  compute: route('reports.compute', 'GET /{organization}/reports/compute.json', {
    query: ['grouping', 'cloud', 'assembly'],
    answer: z.looseObject({ scope: z.array(z.unknown()), metrics: z.array(z.unknown()), data: z.looseObject({}) }),
    source: 'api.md §4.2',
  }),
};

export const catalogue = {
  publicOfferings: route('catalogue.publicOfferings', 'GET /cloud/offerings', {
    answer: byType,
    source: 'api.md §4.3',
  }),
  publicServices: route('catalogue.publicServices', 'GET /cloud/services', { answer: byType, source: 'api.md §4.3' }),
  offerings: route('catalogue.offerings', 'GET /{organization}/clouds/offerings', {
    query: ['ns_path'],
    answer: byType,
    source: 'api.md §4.3',
  }),
  services: route('catalogue.services', 'GET /{organization}/clouds/services', {
    query: ['ns_path'],
    answer: byType,
    source: 'api.md §4.3',
  }),
  metadata: route('catalogue.metadata', 'GET /metadata', {
    query: ['class_name', 'relation_name'],
    answer: z.looseObject({}).nullable(),
    source: 'wire-facts §4.9',
  }),
};
