// Routes of clouds: services, offerings, variables, supports, compute report (service-facts §4.2).
import * as z from 'zod';
import {
  cloudBody,
  cloudServiceBody,
  committedBody,
  difference,
  instance,
  record,
  teamRow,
  teamsBody,
  templateSchema,
} from '../schemas';
import { area, collection, route } from '../route';

const CLOUD = '/{organization}/clouds/{cloud}';
const SERVICE = `${CLOUD}/services/{service}` as const;

const records = z.array(record);
const byType = z.record(z.string(), records);
const deleted = record.nullish();
const rows = z.array(teamRow);

export const clouds = area('clouds', 'service-facts §4.2', {
  ...collection('/{organization}/clouds', 'cloud', 'cloud', {
    verbs: ['list', 'template', 'read', 'delete'],
    summaries: { list: 'Lists the clouds of an organization', delete: 'Deletes a cloud that no environment uses' },
    documented: ['list', 'read'],
  }),
  create: route('POST /{organization}/clouds', 'Creates a cloud in a location', record, {
    body: cloudBody,
    documented: true,
  }),
  update: route(`PUT ${CLOUD}`, 'Changes a cloud; its location stays', record, { body: committedBody }),
  locations: route(
    'GET /{organization}/clouds/locations.json',
    'Lists the possible locations of clouds: name to path',
    z.record(z.string(), z.string()),
    { documented: true },
  ),
  teams: route(`GET ${CLOUD}/teams`, 'Lists the teams of a cloud', rows),
  updateTeams: route(`PUT ${CLOUD}/update_teams`, 'Changes the teams of a cloud', rows, { body: teamsBody }),
  instances: route(`GET ${CLOUD}/instances`, 'Lists the instances on a cloud', z.array(instance), {
    query: ['instances_state'],
  }),
  operations: route(`GET ${CLOUD}/operations`, 'Lists the environments that use a cloud', records),
});

export const cloudServices = area('cloudServices', 'service-facts §4.2', {
  available: route(`GET ${CLOUD}/services/available.json`, 'Lists the templates of services by service type', byType, {
    documented: true,
  }),
  list: route(`GET ${CLOUD}/services`, 'Lists the services of a cloud', records),
  read: route(`GET ${SERVICE}`, 'Reads a service of a cloud', record, { documented: true }),
  template: route(
    `GET ${SERVICE}/new.json`,
    'Reads what a new service begins with, to be completed and posted',
    templateSchema,
    { query: ['mgmtCiId'], documented: true },
  ),
  create: route(`POST ${CLOUD}/services/`, 'Adds a service to a cloud, with the offerings of its template', record, {
    body: cloudServiceBody,
    documented: true,
  }),
  update: route(`PUT ${SERVICE}`, 'Changes a service of a cloud', record, { body: cloudServiceBody, documented: true }),
  delete: route(`DELETE ${SERVICE}`, 'Deletes a service of a cloud with its offerings', deleted),
  diff: route(
    `GET ${CLOUD}/services/diff`,
    'Compares the services of a cloud with their templates',
    z.array(difference),
    { query: ['changes_only'] },
  ),
});

export const cloudOfferings = area('cloudOfferings', 'service-facts §4.2', {
  ...collection(`${SERVICE}/offerings`, 'offering', 'offering of a service', { body: committedBody }),
  available: route(`GET ${SERVICE}/offerings/available`, "Lists the offerings of the service's template", records),
  template: route(`GET ${SERVICE}/offerings/new`, 'Reads what a new offering begins with', templateSchema, {
    query: ['mgmtOfferingCiId'],
  }),
});

export const cloudVariables = area('cloudVariables', 'service-facts §4.2', {
  ...collection(`${CLOUD}/variables`, 'variable', 'variable of a cloud', { body: committedBody }),
});

export const cloudZones = area('cloudZones', 'service-facts §4.2', {
  list: route(`GET ${CLOUD}/zones`, 'Lists the zones of a cloud', records),
});

export const cloudSupports = area('cloudSupports', 'service-facts §4.2', {
  ...collection(`${CLOUD}/supports`, 'support', 'support of a cloud', {
    summaries: { list: 'Lists who supports a cloud and approves deployments to it' },
    body: committedBody,
  }),
});

export const reports = area('reports', 'service-facts §4.2', {
  compute: route(
    'GET /{organization}/reports/compute.json',
    'Adds up the running machines by assembly, or by cloud',
    z.looseObject({ scope: z.array(z.unknown()), metrics: z.array(z.unknown()), data: z.looseObject({}) }),
    { query: ['grouping', 'cloud', 'assembly'], documented: true },
  ),
});
