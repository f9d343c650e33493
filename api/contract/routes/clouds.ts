// Routes of clouds and what stands in them: services, offerings, variables, supports; and the compute report (api.md §4.2, service-facts §4.2).
// It must not know who calls them, nor how the two dialects differ.
import { z } from 'zod';
import { cloudBody, cloudServiceBody, committedBody, teamsBody } from '../body';
import { instance } from '../instance';
import { difference, record, teamRow, template } from '../record';
import { route } from '../route';

const CLOUD = '/{organization}/clouds/{cloud}';
const SERVICE = `${CLOUD}/services/{service}` as const;

const records = z.array(record);
const byType = z.record(z.string(), records);
const deleted = record.nullish();
const rows = z.array(teamRow);

export const clouds = {
  /** Lists the clouds of an organization. */
  list: route('clouds.list', 'GET /{organization}/clouds', {
    summary: 'Lists the clouds of an organization',
    answer: records,
    source: 'api.md §4.2',
  }),
  /** Reads a cloud. */
  read: route('clouds.read', `GET ${CLOUD}`, { summary: 'Reads a cloud', answer: record, source: 'api.md §4.2' }),
  /** Reads what a new cloud begins with. */
  template: route('clouds.template', 'GET /{organization}/clouds/new', {
    summary: 'Reads what a new cloud begins with',
    answer: template,
    source: 'service-facts §4.2',
  }),
  /** Creates a cloud in a location. */
  create: route('clouds.create', 'POST /{organization}/clouds', {
    summary: 'Creates a cloud in a location',
    body: cloudBody,
    answer: record,
    source: 'api.md §4.2',
  }),
  /** Changes a cloud; its location stays. */
  update: route('clouds.update', `PUT ${CLOUD}`, {
    summary: 'Changes a cloud; its location stays',
    body: committedBody,
    answer: record,
    source: 'service-facts §4.2',
  }),
  /** Deletes a cloud that no environment uses. */
  delete: route('clouds.delete', `DELETE ${CLOUD}`, {
    summary: 'Deletes a cloud that no environment uses',
    answer: deleted,
    source: 'service-facts §4.2',
  }),
  /** Lists the locations clouds may stand in: name to path. */
  locations: route('clouds.locations', 'GET /{organization}/clouds/locations.json', {
    summary: 'Lists the locations clouds may stand in: name to path',
    answer: z.record(z.string(), z.string()),
    source: 'api.md §4.2',
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
    source: 'api.md §4.2',
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
    source: 'api.md §4.2',
  }),
  /** Reads what a new service begins with, to be completed and posted. Query: mgmtCiId. */
  template: route('cloudServices.template', `GET ${SERVICE}/new.json`, {
    summary: 'Reads what a new service begins with, to be completed and posted',
    query: ['mgmtCiId'],
    answer: template,
    source: 'api.md §4.2',
  }),
  /** Adds a service to a cloud, with the offerings of its template. */
  create: route('cloudServices.create', `POST ${CLOUD}/services/`, {
    summary: 'Adds a service to a cloud, with the offerings of its template',
    body: cloudServiceBody,
    answer: record,
    source: 'api.md §4.2',
  }),
  /** Changes a service of a cloud. */
  update: route('cloudServices.update', `PUT ${SERVICE}`, {
    summary: 'Changes a service of a cloud',
    body: cloudServiceBody,
    answer: record,
    source: 'api.md §4.2',
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
  /** Lists the offerings of a service. */
  list: route('cloudOfferings.list', `GET ${SERVICE}/offerings`, {
    summary: 'Lists the offerings of a service',
    answer: records,
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
    answer: template,
    source: 'service-facts §4.2',
  }),
  /** Reads an offering of a service. */
  read: route('cloudOfferings.read', `GET ${SERVICE}/offerings/{offering}`, {
    summary: 'Reads an offering of a service',
    answer: record,
    source: 'service-facts §4.2',
  }),
  /** Adds an offering to a service. */
  create: route('cloudOfferings.create', `POST ${SERVICE}/offerings`, {
    summary: 'Adds an offering to a service',
    body: committedBody,
    answer: record,
    source: 'service-facts §4.2',
  }),
  /** Changes an offering of a service. */
  update: route('cloudOfferings.update', `PUT ${SERVICE}/offerings/{offering}`, {
    summary: 'Changes an offering of a service',
    body: committedBody,
    answer: record,
    source: 'service-facts §4.2',
  }),
  /** Deletes an offering of a service. */
  delete: route('cloudOfferings.delete', `DELETE ${SERVICE}/offerings/{offering}`, {
    summary: 'Deletes an offering of a service',
    answer: deleted,
    source: 'service-facts §4.2',
  }),
};

export const cloudVariables = {
  /** Lists the variables of a cloud. */
  list: route('cloudVariables.list', `GET ${CLOUD}/variables`, {
    summary: 'Lists the variables of a cloud',
    answer: records,
    source: 'service-facts §4.2',
  }),
  /** Reads a variable of a cloud. */
  read: route('cloudVariables.read', `GET ${CLOUD}/variables/{variable}`, {
    summary: 'Reads a variable of a cloud',
    answer: record,
    source: 'service-facts §4.2',
  }),
  /** Adds a variable to a cloud. */
  create: route('cloudVariables.create', `POST ${CLOUD}/variables`, {
    summary: 'Adds a variable to a cloud',
    body: committedBody,
    answer: record,
    source: 'service-facts §4.2',
  }),
  /** Changes a variable of a cloud. */
  update: route('cloudVariables.update', `PUT ${CLOUD}/variables/{variable}`, {
    summary: 'Changes a variable of a cloud',
    body: committedBody,
    answer: record,
    source: 'service-facts §4.2',
  }),
  /** Deletes a variable of a cloud. */
  delete: route('cloudVariables.delete', `DELETE ${CLOUD}/variables/{variable}`, {
    summary: 'Deletes a variable of a cloud',
    answer: deleted,
    source: 'service-facts §4.2',
  }),
};

export const cloudZones = {
  /** Lists the zones of a cloud. */
  list: route('cloudZones.list', `GET ${CLOUD}/zones`, {
    summary: 'Lists the zones of a cloud',
    answer: records,
    source: 'service-facts §4.2',
  }),
};

export const cloudSupports = {
  /** Lists who supports a cloud and approves deployments to it. */
  list: route('cloudSupports.list', `GET ${CLOUD}/supports`, {
    summary: 'Lists who supports a cloud and approves deployments to it',
    answer: records,
    source: 'service-facts §4.2',
  }),
  /** Reads a support of a cloud. */
  read: route('cloudSupports.read', `GET ${CLOUD}/supports/{support}`, {
    summary: 'Reads a support of a cloud',
    answer: record,
    source: 'service-facts §4.2',
  }),
  /** Adds a support to a cloud. */
  create: route('cloudSupports.create', `POST ${CLOUD}/supports`, {
    summary: 'Adds a support to a cloud',
    body: committedBody,
    answer: record,
    source: 'service-facts §4.2',
  }),
  /** Changes a support of a cloud. */
  update: route('cloudSupports.update', `PUT ${CLOUD}/supports/{support}`, {
    summary: 'Changes a support of a cloud',
    body: committedBody,
    answer: record,
    source: 'service-facts §4.2',
  }),
  /** Deletes a support of a cloud. */
  delete: route('cloudSupports.delete', `DELETE ${CLOUD}/supports/{support}`, {
    summary: 'Deletes a support of a cloud',
    answer: deleted,
    source: 'service-facts §4.2',
  }),
};

export const reports = {
  /** Adds up the running machines by assembly, or by cloud. Query: grouping, cloud, assembly. */
  compute: route('reports.compute', 'GET /{organization}/reports/compute.json', {
    summary: 'Adds up the running machines by assembly, or by cloud',
    query: ['grouping', 'cloud', 'assembly'],
    answer: z.looseObject({ scope: z.array(z.unknown()), metrics: z.array(z.unknown()), data: z.looseObject({}) }),
    source: 'api.md §4.2',
  }),
};
