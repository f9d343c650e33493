// Routes of clouds and what they contain: services, offerings, variables, supports; and the compute report (service-facts §4.2).
import { z } from 'zod';
import { cloudBody, cloudServiceBody, committedBody, teamsBody } from '../body';
import { instance } from '../instance';
import { difference, record, teamRow, templateSchema } from '../record';
import { route } from '../route';
import { collection } from '../collection';

const CLOUD = '/{organization}/clouds/{cloud}';
const SERVICE = `${CLOUD}/services/{service}` as const;

const records = z.array(record);
const byType = z.record(z.string(), records);
const deleted = record.nullish();
const rows = z.array(teamRow);

export const clouds = {
  ...collection('clouds', '/{organization}/clouds', 'cloud', {
    verbs: ['list', 'template', 'read', 'delete'],
    noun: 'cloud',
    summaries: { list: 'Lists the clouds of an organization', delete: 'Deletes a cloud that no environment uses' },
    source: 'service-facts §4.2',
    documented: ['list', 'read'],
  }),
  /** Creates a cloud in a location. */
  create: route('clouds.create', 'POST /{organization}/clouds', {
    summary: 'Creates a cloud in a location',
    body: cloudBody,
    answer: record,
    source: 'service-facts §4.2',
    documented: true,
  }),
  /** Changes a cloud; its location stays. */
  update: route('clouds.update', `PUT ${CLOUD}`, {
    summary: 'Changes a cloud; its location stays',
    body: committedBody,
    answer: record,
    source: 'service-facts §4.2',
  }),
  /** Lists the possible locations of clouds: name to path. */
  locations: route('clouds.locations', 'GET /{organization}/clouds/locations.json', {
    summary: 'Lists the possible locations of clouds: name to path',
    answer: z.record(z.string(), z.string()),
    source: 'service-facts §4.2',
    documented: true,
  }),
  /** Lists the teams of a cloud. */
  teams: route('clouds.teams', `GET ${CLOUD}/teams`, {
    summary: 'Lists the teams of a cloud',
    answer: rows,
    source: 'service-facts §4.2',
  }),
  /** Changes the teams of a cloud. */
  updateTeams: route('clouds.updateTeams', `PUT ${CLOUD}/update_teams`, {
    summary: 'Changes the teams of a cloud',
    body: teamsBody,
    answer: rows,
    source: 'service-facts §4.2',
  }),
  /** Lists the instances on a cloud. Query: instances_state. */
  instances: route('clouds.instances', `GET ${CLOUD}/instances`, {
    summary: 'Lists the instances on a cloud',
    query: ['instances_state'],
    answer: z.array(instance),
    source: 'service-facts §4.2',
  }),
  /** Lists the environments that use a cloud. */
  operations: route('clouds.operations', `GET ${CLOUD}/operations`, {
    summary: 'Lists the environments that use a cloud',
    answer: records,
    source: 'service-facts §4.2',
  }),
};

export const cloudServices = {
  /** Lists the templates of services by service type. */
  available: route('cloudServices.available', `GET ${CLOUD}/services/available.json`, {
    summary: 'Lists the templates of services by service type',
    answer: byType,
    source: 'service-facts §4.2',
    documented: true,
  }),
  /** Lists the services of a cloud. */
  list: route('cloudServices.list', `GET ${CLOUD}/services`, {
    summary: 'Lists the services of a cloud',
    answer: records,
    source: 'service-facts §4.2',
  }),
  /** Reads a service of a cloud. */
  read: route('cloudServices.read', `GET ${SERVICE}`, {
    summary: 'Reads a service of a cloud',
    answer: record,
    source: 'service-facts §4.2',
    documented: true,
  }),
  /** Reads what a new service begins with, to be completed and posted. Query: mgmtCiId. */
  template: route('cloudServices.template', `GET ${SERVICE}/new.json`, {
    summary: 'Reads what a new service begins with, to be completed and posted',
    query: ['mgmtCiId'],
    answer: templateSchema,
    source: 'service-facts §4.2',
    documented: true,
  }),
  /** Adds a service to a cloud, with the offerings of its template. */
  create: route('cloudServices.create', `POST ${CLOUD}/services/`, {
    summary: 'Adds a service to a cloud, with the offerings of its template',
    body: cloudServiceBody,
    answer: record,
    source: 'service-facts §4.2',
    documented: true,
  }),
  /** Changes a service of a cloud. */
  update: route('cloudServices.update', `PUT ${SERVICE}`, {
    summary: 'Changes a service of a cloud',
    body: cloudServiceBody,
    answer: record,
    source: 'service-facts §4.2',
    documented: true,
  }),
  /** Deletes a service of a cloud with its offerings. */
  delete: route('cloudServices.delete', `DELETE ${SERVICE}`, {
    summary: 'Deletes a service of a cloud with its offerings',
    answer: deleted,
    source: 'service-facts §4.2',
  }),
  /** Compares the services of a cloud with their templates. Query: changes_only. */
  diff: route('cloudServices.diff', `GET ${CLOUD}/services/diff`, {
    summary: 'Compares the services of a cloud with their templates',
    query: ['changes_only'],
    answer: z.array(difference),
    source: 'service-facts §4.2',
  }),
};

export const cloudOfferings = {
  ...collection('cloudOfferings', `${SERVICE}/offerings`, 'offering', {
    verbs: ['list', 'read', 'create', 'update', 'delete'],
    noun: 'offering of a service',
    body: committedBody,
    source: 'service-facts §4.2',
  }),
  /** Lists the offerings of the service's template. */
  available: route('cloudOfferings.available', `GET ${SERVICE}/offerings/available`, {
    summary: "Lists the offerings of the service's template",
    answer: records,
    source: 'service-facts §4.2',
  }),
  /** Reads what a new offering begins with. Query: mgmtOfferingCiId. */
  template: route('cloudOfferings.template', `GET ${SERVICE}/offerings/new`, {
    summary: 'Reads what a new offering begins with',
    query: ['mgmtOfferingCiId'],
    answer: templateSchema,
    source: 'service-facts §4.2',
  }),
};

export const cloudVariables = collection('cloudVariables', `${CLOUD}/variables`, 'variable', {
  verbs: ['list', 'read', 'create', 'update', 'delete'],
  noun: 'variable of a cloud',
  body: committedBody,
  source: 'service-facts §4.2',
});

export const cloudZones = {
  /** Lists the zones of a cloud. */
  list: route('cloudZones.list', `GET ${CLOUD}/zones`, {
    summary: 'Lists the zones of a cloud',
    answer: records,
    source: 'service-facts §4.2',
  }),
};

export const cloudSupports = collection('cloudSupports', `${CLOUD}/supports`, 'support', {
  verbs: ['list', 'read', 'create', 'update', 'delete'],
  noun: 'support of a cloud',
  summaries: { list: 'Lists who supports a cloud and approves deployments to it' },
  body: committedBody,
  source: 'service-facts §4.2',
});

export const reports = {
  /** Adds up the running machines by assembly, or by cloud. Query: grouping, cloud, assembly. */
  compute: route('reports.compute', 'GET /{organization}/reports/compute.json', {
    summary: 'Adds up the running machines by assembly, or by cloud',
    query: ['grouping', 'cloud', 'assembly'],
    answer: z.looseObject({ scope: z.array(z.unknown()), metrics: z.array(z.unknown()), data: z.looseObject({}) }),
    source: 'service-facts §4.2',
    documented: true,
  }),
};
