// Routes of assemblies and their designs: platforms, components, variables, attachments, design releases (service-facts §4.4–4.6).
import { z } from 'zod';
import {
  attachmentBody,
  assemblyBody,
  changeBody,
  cloneBody,
  committedBody,
  componentBody,
  designCommitBody,
  loadBody,
  platformBody,
  platformCloneBody,
  recordIdsBody,
  servicesBody,
  teamsBody,
} from '../body';
import {
  componentSchema,
  componentTypes,
  designDocument,
  designPlatform,
  difference,
  record,
  relation,
  teamRow,
  templateSchema,
  userRow,
} from '../record';
import { release, restored } from '../release';
import { route } from '../route';
import { collection } from '../collection';

const ASSEMBLIES = '/{organization}/assemblies';
const ASSEMBLY = `${ASSEMBLIES}/{assembly}` as const;
const DESIGN = `${ASSEMBLY}/design` as const;
const PLATFORM = `${DESIGN}/platforms/{platform}` as const;
const COMPONENT = `${PLATFORM}/components/{component}` as const;
const RELEASE = `${DESIGN}/releases/{release}` as const;

const records = z.array(record);
const deleted = record.nullish();
const rows = z.array(teamRow);

export const assemblies = {
  ...collection('assemblies', ASSEMBLIES, 'assembly', {
    verbs: ['list', 'template', 'read', 'update', 'delete'],
    noun: 'assembly',
    summaries: {
      list: 'Lists the assemblies of an organization',
      delete: 'Deletes an assembly in which nothing runs, with all it has',
    },
    body: committedBody,
    source: 'service-facts §4.4',
    documented: ['list', 'read', 'update', 'delete'],
  }),
  /** Creates an assembly, empty or from a saved design. */
  create: route('assemblies.create', `POST ${ASSEMBLIES}`, {
    summary: 'Creates an assembly, empty or from a saved design',
    body: assemblyBody,
    answer: record,
    source: 'service-facts §4.4',
    documented: true,
  }),
  /** Copies an assembly under another name, or saves its design into the catalogue. */
  clone: route('assemblies.clone', `POST ${ASSEMBLY}/clone`, {
    summary: 'Copies an assembly under another name, or saves its design into the catalogue',
    body: cloneBody,
    answer: record,
    source: 'service-facts §4.4',
  }),
  /** Lists the teams of an assembly. */
  teams: route('assemblies.teams', `GET ${ASSEMBLY}/teams`, {
    summary: 'Lists the teams of an assembly',
    answer: rows,
    source: 'service-facts §4.4',
  }),
  /** Changes the teams of an assembly. */
  updateTeams: route('assemblies.updateTeams', `PUT ${ASSEMBLY}/update_teams`, {
    summary: 'Changes the teams of an assembly',
    body: teamsBody,
    answer: rows,
    source: 'service-facts §4.4',
  }),
  /** Lists the users who may read an assembly. */
  users: route('assemblies.users', `GET ${ASSEMBLY}/users`, {
    summary: 'Lists the users who may read an assembly',
    answer: z.array(userRow),
    source: 'service-facts §4.4',
  }),
};

export const design = {
  /** Reads a design as people write it. Query: platform_id, collapse. */
  extract: route('design.extract', `GET ${DESIGN}/extract`, {
    summary: 'Reads a design as people write it',
    query: ['platform_id', 'collapse'],
    answer: designDocument,
    source: 'service-facts §4.5.5',
  }),
  /** Reads a design as people write it, in YAML. Query: platform_id, collapse. */
  extractYaml: route('design.extractYaml', `GET ${DESIGN}/extract.yaml`, {
    summary: 'Reads a design as people write it, in YAML',
    query: ['platform_id', 'collapse'],
    answer: z.string(),
    source: 'service-facts §4.5.5',
    media: 'text/yaml',
  }),
  /** Lays a design as people write it over the present one. Never sent twice. */
  load: route('design.load', `PUT ${DESIGN}/load`, {
    summary: 'Lays a design as people write it over the present one',
    body: loadBody,
    answer: designDocument,
    source: 'service-facts §4.5.5',
    repeat: 'action',
    warns: true,
  }),
};

export const platforms = {
  /** Lists the platforms of a design. */
  list: route('platforms.list', `GET ${DESIGN}/platforms`, {
    summary: 'Lists the platforms of a design',
    answer: records,
    source: 'service-facts §4.5',
    documented: true,
  }),
  /** Reads a platform with the names it links to. */
  read: route('platforms.read', `GET ${PLATFORM}`, {
    summary: 'Reads a platform with the names it links to',
    answer: designPlatform,
    source: 'service-facts §4.5',
    documented: true,
  }),
  /** Reads what a new platform begins with. */
  template: route('platforms.template', `GET ${DESIGN}/platforms/new`, {
    summary: 'Reads what a new platform begins with',
    answer: templateSchema,
    source: 'service-facts §4.5.1',
  }),
  /** Creates a platform with the components its pack requires. */
  create: route('platforms.create', `POST ${DESIGN}/platforms`, {
    summary: 'Creates a platform with the components its pack requires',
    body: platformBody,
    answer: record,
    source: 'service-facts §4.5',
    documented: true,
  }),
  /** Changes a platform; links that are not sent again are dropped. */
  update: route('platforms.update', `PUT ${PLATFORM}`, {
    summary: 'Changes a platform; links that are not sent again are dropped',
    body: platformBody,
    answer: record,
    source: 'service-facts §4.5.1',
  }),
  /** Deletes a platform with all it has. */
  delete: route('platforms.delete', `DELETE ${PLATFORM}`, {
    summary: 'Deletes a platform with all it has',
    answer: deleted,
    source: 'service-facts §4.5',
    documented: true,
  }),
  /** Copies a platform into this or another assembly. */
  clone: route('platforms.clone', `POST ${PLATFORM}/clone`, {
    summary: 'Copies a platform into this or another assembly',
    body: platformCloneBody,
    answer: record,
    source: 'service-facts §4.5.1',
  }),
  /** Shows how many components of each template there are and may be. */
  componentTypes: route('platforms.componentTypes', `GET ${PLATFORM}/component_types`, {
    summary: 'Shows how many components of each template there are and may be',
    answer: componentTypes,
    source: 'service-facts §4.5.1',
  }),
  /** Lists a platform's records, each with what its pack gives it, or what is committed. Query: committed, changes_only. */
  diff: route('platforms.diff', `GET ${PLATFORM}/diff`, {
    summary: "Lists a platform's records, each with what its pack gives it, or what is committed",
    query: ['committed', 'changes_only'],
    answer: z.array(difference),
    source: 'service-facts §4.5.1',
  }),
  /** Commits the open changes of one platform. Never sent twice. */
  commit: route('platforms.commit', `POST ${PLATFORM}/commit`, {
    summary: 'Commits the open changes of one platform',
    body: designCommitBody,
    answer: record,
    source: 'service-facts §4.5.1',
    repeat: 'action',
  }),
  /** Discards the open changes of one platform. Never sent twice. */
  discard: route('platforms.discard', `POST ${PLATFORM}/discard`, {
    summary: 'Discards the open changes of one platform',
    answer: record,
    source: 'service-facts §4.5.1',
    repeat: 'action',
  }),
  /** Brings a platform to the present content of its pack version. */
  packRefresh: route('platforms.packRefresh', `PUT ${PLATFORM}/pack_refresh`, {
    summary: 'Brings a platform to the present content of its pack version',
    answer: record,
    source: 'service-facts §4.5.1',
  }),
  /** Brings a platform to another version of its pack. */
  packUpdate: route('platforms.packUpdate', `PUT ${PLATFORM}/pack_update`, {
    summary: 'Brings a platform to another version of its pack',
    body: z.looseObject({ version: z.string() }),
    answer: record,
    source: 'service-facts §4.5.1',
  }),
};

export const components = {
  /** Lists the components of a platform. */
  list: route('components.list', `GET ${PLATFORM}/components`, {
    summary: 'Lists the components of a platform',
    answer: records,
    source: 'service-facts §4.5.2',
  }),
  /** Reads what a new component of a template begins with. Query: template_name. */
  template: route('components.template', `GET ${PLATFORM}/components/new`, {
    summary: 'Reads what a new component of a template begins with',
    query: ['template_name'],
    answer: templateSchema,
    source: 'service-facts §4.5.2',
  }),
  /** Reads a component with what it depends on. Query: class_name. */
  read: route('components.read', `GET ${COMPONENT}`, {
    summary: 'Reads a component with what it depends on',
    query: ['class_name'],
    answer: componentSchema,
    source: 'service-facts §4.5.2',
  }),
  /** Creates a component from a template. */
  create: route('components.create', `POST ${PLATFORM}/components`, {
    summary: 'Creates a component from a template',
    body: componentBody,
    answer: record,
    source: 'service-facts §4.5.2',
  }),
  /** Changes a component. */
  update: route('components.update', `PUT ${PLATFORM}/components`, {
    summary: 'Changes a component',
    body: componentBody,
    answer: record,
    source: 'service-facts §4.5',
    documented: true,
  }),
  /** Deletes a component with its attachments. Query: class_name. */
  delete: route('components.delete', `DELETE ${COMPONENT}`, {
    summary: 'Deletes a component with its attachments',
    query: ['class_name'],
    answer: deleted,
    source: 'service-facts §4.5.2',
  }),
  /** Reads what services a component needs of its clouds. */
  services: route('components.services', `GET ${COMPONENT}/update_services`, {
    summary: 'Reads what services a component needs of its clouds',
    answer: relation,
    source: 'service-facts §4.5.2',
  }),
  /** Changes what services a component needs of its clouds. */
  updateServices: route('components.updateServices', `PUT ${COMPONENT}/update_services`, {
    summary: 'Changes what services a component needs of its clouds',
    body: servicesBody,
    answer: relation,
    source: 'service-facts §4.5.2',
  }),
};

export const designVariables = {
  ...collection('designVariables', `${DESIGN}/variables`, 'variable', {
    verbs: ['list', 'template', 'read', 'create', 'update', 'delete'],
    noun: 'variable of a design',
    body: changeBody,
    source: 'service-facts §4.5.3',
  }),
  /** Locks variables of a design against its packs. */
  lock: route('designVariables.lock', `PUT ${DESIGN}/variables/lock`, {
    summary: 'Locks variables of a design against its packs',
    body: recordIdsBody,
    answer: records,
    source: 'service-facts §4.5.3',
  }),
  /** Unlocks variables of a design. */
  unlock: route('designVariables.unlock', `PUT ${DESIGN}/variables/unlock`, {
    summary: 'Unlocks variables of a design',
    body: recordIdsBody,
    answer: records,
    source: 'service-facts §4.5.3',
  }),
};

export const platformVariables = {
  ...collection('platformVariables', `${PLATFORM}/variables`, 'variable', {
    verbs: ['list', 'template', 'read', 'create', 'delete'],
    noun: 'variable of a platform',
    body: changeBody,
    source: 'service-facts §4.5.3',
  }),
  /** Changes a variable of a platform. */
  update: route('platformVariables.update', `PUT ${PLATFORM}/variables`, {
    summary: 'Changes a variable of a platform',
    body: changeBody,
    answer: record,
    source: 'service-facts §4.5',
    documented: true,
  }),
  /** Locks variables of a platform against its pack. */
  lock: route('platformVariables.lock', `PUT ${PLATFORM}/variables/lock`, {
    summary: 'Locks variables of a platform against its pack',
    body: recordIdsBody,
    answer: records,
    source: 'service-facts §4.5.3',
  }),
  /** Unlocks variables of a platform. */
  unlock: route('platformVariables.unlock', `PUT ${PLATFORM}/variables/unlock`, {
    summary: 'Unlocks variables of a platform',
    body: recordIdsBody,
    answer: records,
    source: 'service-facts §4.5.3',
  }),
};

export const attachments = {
  ...collection('attachments', `${COMPONENT}/attachments`, 'attachment', {
    verbs: ['list', 'template', 'read', 'create', 'update', 'delete'],
    noun: 'attachment of a component',
    body: attachmentBody,
    source: 'service-facts §4.6',
    documented: ['list', 'read', 'create', 'update', 'delete'],
  }),
  /** Reads an attachment without naming its component. */
  readInPlatform: route('attachments.readInPlatform', `GET ${PLATFORM}/attachments/{attachment}`, {
    summary: 'Reads an attachment without naming its component',
    answer: record,
    source: 'service-facts §4.6',
  }),
  /** Changes an attachment without naming its component. */
  updateInPlatform: route('attachments.updateInPlatform', `PUT ${PLATFORM}/attachments/{attachment}`, {
    summary: 'Changes an attachment without naming its component',
    body: attachmentBody,
    answer: record,
    source: 'service-facts §4.6',
  }),
  /** Deletes an attachment without naming its component. */
  deleteInPlatform: route('attachments.deleteInPlatform', `DELETE ${PLATFORM}/attachments/{attachment}`, {
    summary: 'Deletes an attachment without naming its component',
    answer: deleted,
    source: 'service-facts §4.6',
  }),
};

export const monitors = {
  ...collection('monitors', `${COMPONENT}/monitors`, 'monitor', {
    verbs: ['list', 'template', 'read', 'create', 'update', 'delete'],
    noun: 'monitor of a component',
    body: changeBody,
    source: 'service-facts §4.5.4',
  }),
  /** Turns a monitor on or off. Never sent twice. */
  toggle: route('monitors.toggle', `PUT ${COMPONENT}/monitors/{monitor}/toggle`, {
    summary: 'Turns a monitor on or off',
    answer: record,
    source: 'service-facts §4.5.4',
    repeat: 'action',
  }),
};

export const designReleases = {
  /** Lists the releases of a design that are no longer open, newest first. Query: size, offset, source. */
  list: route('designReleases.list', `GET ${DESIGN}/releases`, {
    summary: 'Lists the releases of a design that are no longer open, newest first',
    query: ['size', 'offset', 'source'],
    answer: z.array(release),
    source: 'service-facts §4.5.6',
  }),
  /** Reads the newest release of a design, in any state. Query: include_rfcs. */
  latest: route('designReleases.latest', `GET ${DESIGN}/releases/latest`, {
    summary: 'Reads the newest release of a design, in any state',
    query: ['include_rfcs'],
    answer: release,
    source: 'service-facts §4.5.6',
  }),
  /** Reads a release of a design. Query: include_rfcs. */
  read: route('designReleases.read', `GET ${RELEASE}`, {
    summary: 'Reads a release of a design',
    query: ['include_rfcs'],
    answer: release,
    source: 'service-facts §4.5.6',
  }),
  /** Commits an open release of a design; only its state shows a refusal. Never sent twice. */
  commit: route('designReleases.commit', `POST ${RELEASE}/commit`, {
    summary: 'Commits an open release of a design; only its state shows a refusal',
    body: designCommitBody,
    answer: release,
    source: 'service-facts §4.5.6',
    repeat: 'action',
  }),
  /** Discards an open release of a design; only its state shows a refusal. Never sent twice. */
  discard: route('designReleases.discard', `POST ${RELEASE}/discard`, {
    summary: 'Discards an open release of a design; only its state shows a refusal',
    answer: release,
    source: 'service-facts §4.5.6',
    repeat: 'action',
  }),
  /** Brings a design back to what it was after a release, as a new open release. Never sent twice. */
  restore: route('designReleases.restore', `POST ${RELEASE}/restore`, {
    summary: 'Brings a design back to what it was after a release, as a new open release',
    answer: restored,
    source: 'service-facts §4.5.6',
    repeat: 'action',
  }),
};
