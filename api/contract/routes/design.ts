// Routes of assemblies and their designs (service-facts §4.4–4.6).
import * as z from 'zod';
import {
  assemblyBody,
  attachmentBody,
  changeBody,
  cloneBody,
  committedBody,
  componentBody,
  componentSchema,
  componentTypes,
  designCommitBody,
  designDocument,
  designPlatform,
  difference,
  loadBody,
  platformBody,
  platformCloneBody,
  record,
  relation,
  release,
  restored,
  servicesBody,
  teamRow,
  teamsBody,
  templateSchema,
  userRow,
} from '../schemas';
import { area, collection, locking, route } from '../route';

/** The source of a route that the published documentation of the API lists. */
const LISTED = { source: 'service-facts §4.5', documented: true } as const;

const ASSEMBLIES = '/{organization}/assemblies';
const ASSEMBLY = `${ASSEMBLIES}/{assembly}` as const;
const DESIGN = `${ASSEMBLY}/design` as const;
const PLATFORM = `${DESIGN}/platforms/{platform}` as const;
const COMPONENT = `${PLATFORM}/components/{component}` as const;
const RELEASE = `${DESIGN}/releases/{release}` as const;

const records = z.array(record);
const deleted = record.nullish();
const rows = z.array(teamRow);

export const assemblies = area('assemblies', 'service-facts §4.4', {
  ...collection(ASSEMBLIES, 'assembly', 'assembly', {
    verbs: ['list', 'template', 'read', 'update', 'delete'],
    summaries: {
      list: 'Lists the assemblies of an organization',
      delete: 'Deletes an assembly in which nothing runs, with all it has',
    },
    body: committedBody,
    documented: ['list', 'read', 'update', 'delete'],
  }),
  create: route(`POST ${ASSEMBLIES}`, 'Creates an assembly, empty or from a saved design', record, {
    body: assemblyBody,
    documented: true,
  }),
  clone: route(
    `POST ${ASSEMBLY}/clone`,
    'Copies an assembly under another name, or saves its design into the catalogue',
    record,
    { body: cloneBody },
  ),
  teams: route(`GET ${ASSEMBLY}/teams`, 'Lists the teams of an assembly', rows),
  updateTeams: route(`PUT ${ASSEMBLY}/update_teams`, 'Changes the teams of an assembly', rows, { body: teamsBody }),
  users: route(`GET ${ASSEMBLY}/users`, 'Lists the users who may read an assembly', z.array(userRow)),
});

export const design = area('design', 'service-facts §4.5.5', {
  extract: route(`GET ${DESIGN}/extract`, 'Reads a design as people write it', designDocument, {
    query: ['platform_id', 'collapse'],
  }),
  extractYaml: route(`GET ${DESIGN}/extract.yaml`, 'Reads a design as people write it, in YAML', z.string(), {
    query: ['platform_id', 'collapse'],
    media: 'text/yaml',
  }),
  load: route(`PUT ${DESIGN}/load`, 'Lays a design as people write it over the present one', designDocument, {
    body: loadBody,
    repeat: 'action',
    warns: true,
  }),
});

export const platforms = area('platforms', 'service-facts §4.5.1', {
  list: route(`GET ${DESIGN}/platforms`, 'Lists the platforms of a design', records, LISTED),
  read: route(`GET ${PLATFORM}`, 'Reads a platform with the names it links to', designPlatform, LISTED),
  template: route(`GET ${DESIGN}/platforms/new`, 'Reads what a new platform begins with', templateSchema),
  create: route(`POST ${DESIGN}/platforms`, 'Creates a platform with the components its pack requires', record, {
    body: platformBody,
    ...LISTED,
  }),
  update: route(`PUT ${PLATFORM}`, 'Changes a platform; links that are not sent again are dropped', record, {
    body: platformBody,
  }),
  delete: route(`DELETE ${PLATFORM}`, 'Deletes a platform with all it has', deleted, LISTED),
  clone: route(`POST ${PLATFORM}/clone`, 'Copies a platform into this or another assembly', record, {
    body: platformCloneBody,
  }),
  componentTypes: route(
    `GET ${PLATFORM}/component_types`,
    'Shows how many components of each template there are and may be',
    componentTypes,
  ),
  diff: route(
    `GET ${PLATFORM}/diff`,
    "Lists a platform's records, each with what its pack gives it, or what is committed",
    z.array(difference),
    { query: ['committed', 'changes_only'] },
  ),
  commit: route(`POST ${PLATFORM}/commit`, 'Commits the open changes of one platform', record, {
    body: designCommitBody,
    repeat: 'action',
  }),
  discard: route(`POST ${PLATFORM}/discard`, 'Discards the open changes of one platform', record, { repeat: 'action' }),
  packRefresh: route(
    `PUT ${PLATFORM}/pack_refresh`,
    'Brings a platform to the present content of its pack version',
    record,
  ),
  packUpdate: route(`PUT ${PLATFORM}/pack_update`, 'Brings a platform to another version of its pack', record, {
    body: z.looseObject({ version: z.string() }),
  }),
});

export const components = area('components', 'service-facts §4.5.2', {
  list: route(`GET ${PLATFORM}/components`, 'Lists the components of a platform', records),
  template: route(
    `GET ${PLATFORM}/components/new`,
    'Reads what a new component of a template begins with',
    templateSchema,
    { query: ['template_name'] },
  ),
  read: route(`GET ${COMPONENT}`, 'Reads a component with what it depends on', componentSchema, {
    query: ['class_name'],
  }),
  create: route(`POST ${PLATFORM}/components`, 'Creates a component from a template', record, { body: componentBody }),
  update: route(`PUT ${PLATFORM}/components`, 'Changes a component', record, {
    body: componentBody,
    ...LISTED,
  }),
  delete: route(`DELETE ${COMPONENT}`, 'Deletes a component with its attachments', deleted, { query: ['class_name'] }),
  services: route(`GET ${COMPONENT}/update_services`, 'Reads what services a component needs of its clouds', relation),
  updateServices: route(
    `PUT ${COMPONENT}/update_services`,
    'Changes what services a component needs of its clouds',
    relation,
    { body: servicesBody },
  ),
});

export const designVariables = area('designVariables', 'service-facts §4.5.3', {
  ...collection(`${DESIGN}/variables`, 'variable', 'variable of a design', {
    verbs: ['list', 'template', 'read', 'create', 'update', 'delete'],
    body: changeBody,
  }),
  ...locking(`${DESIGN}/variables`, 'variables of a design', 'its packs'),
});

export const platformVariables = area('platformVariables', 'service-facts §4.5.3', {
  ...collection(`${PLATFORM}/variables`, 'variable', 'variable of a platform', {
    verbs: ['list', 'template', 'read', 'create', 'delete'],
    body: changeBody,
  }),
  update: route(`PUT ${PLATFORM}/variables`, 'Changes a variable of a platform', record, {
    body: changeBody,
    ...LISTED,
  }),
  ...locking(`${PLATFORM}/variables`, 'variables of a platform', 'its pack'),
});

export const attachments = area('attachments', 'service-facts §4.6', {
  ...collection(`${COMPONENT}/attachments`, 'attachment', 'attachment of a component', {
    verbs: ['list', 'template', 'read', 'create', 'update', 'delete'],
    body: attachmentBody,
    documented: ['list', 'read', 'create', 'update', 'delete'],
  }),
  readInPlatform: route(
    `GET ${PLATFORM}/attachments/{attachment}`,
    'Reads an attachment without naming its component',
    record,
  ),
  updateInPlatform: route(
    `PUT ${PLATFORM}/attachments/{attachment}`,
    'Changes an attachment without naming its component',
    record,
    { body: attachmentBody },
  ),
  deleteInPlatform: route(
    `DELETE ${PLATFORM}/attachments/{attachment}`,
    'Deletes an attachment without naming its component',
    deleted,
  ),
});

export const monitors = area('monitors', 'service-facts §4.5.4', {
  ...collection(`${COMPONENT}/monitors`, 'monitor', 'monitor of a component', {
    verbs: ['list', 'template', 'read', 'create', 'update', 'delete'],
    body: changeBody,
  }),
  toggle: route(`PUT ${COMPONENT}/monitors/{monitor}/toggle`, 'Turns a monitor on or off', record, {
    repeat: 'action',
  }),
});

export const designReleases = area('designReleases', 'service-facts §4.5.6', {
  list: route(
    `GET ${DESIGN}/releases`,
    'Lists the releases of a design that are no longer open, newest first',
    z.array(release),
    { query: ['size', 'offset', 'source'] },
  ),
  latest: route(`GET ${DESIGN}/releases/latest`, 'Reads the newest release of a design, in any state', release, {
    query: ['include_rfcs'],
  }),
  read: route(`GET ${RELEASE}`, 'Reads a release of a design', release, { query: ['include_rfcs'] }),
  commit: route(
    `POST ${RELEASE}/commit`,
    'Commits an open release of a design; only its state shows a refusal',
    release,
    { body: designCommitBody, repeat: 'action' },
  ),
  discard: route(
    `POST ${RELEASE}/discard`,
    'Discards an open release of a design; only its state shows a refusal',
    release,
    { repeat: 'action' },
  ),
  restore: route(
    `POST ${RELEASE}/restore`,
    'Brings a design back to what it was after a release, as a new open release',
    restored,
    { repeat: 'action' },
  ),
});
