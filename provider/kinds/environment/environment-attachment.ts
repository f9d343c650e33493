// The EnvironmentAttachment kind: the values of an attachment that differ from the design in one environment (service-facts §4.7.5, flows §3.14).
import { routes, nameRules } from '../../../api/contract';
import { snakeCase, csv, int, map, member, secret, takingOver, text } from '../../field';
import { entryNames, kind } from '../../kind';
import { LIFECYCLE_EVENTS } from '../attachment';
import { environment } from './kind';
import { partKind, type PartKind } from './parts';

// EnvironmentAttachment verbs: the values of an attachment that differ from the design in one environment (flows §3.14).

/** Arguments that are attributes. */
const ATTRIBUTES = [
  'path',
  'content',
  'source',
  'headers',
  'basicAuthUser',
  'basicAuthPassword',
  'checksum',
  'execCmd',
  'runsOn',
  'priority',
];

/** Attachments of an environment's components. */
const attachmentsInEnvironment: PartKind = partKind({
  className: 'Attachment',
  routes: routes.environmentAttachments,
  designed: routes.attachments.list,
  advice:
    'declare it for the component of the design too: an environment gives other values to an attachment that its design has',
  declares: (args) =>
    entryNames(args)
      .filter((name) => ATTRIBUTES.includes(name))
      .map(snakeCase),
});

/** Values of an attachment that differ from the design in one environment. Arguments that are left out follow the design. */
export const environmentAttachment = kind({
  token: 'EnvironmentAttachment',
  path: routes.environmentAttachments.read.path,
  id: '{assembly}/{environment}/{platform}/components/{component}/attachments/{name}',
  named: true,
  within: environment,
  nameRule: nameRules.attachment,
  cascades: true,
  stage: 'environment',
  found: { search: attachmentsInEnvironment.search },
  fields: {
    /** Where the content is saved on the machine. */
    path: text().optional(),
    /** The content itself; wins over `source`. */
    content: text().optional(),
    /** URL the content is downloaded from. */
    source: text().optional(),
    /** HTTP headers of the download. */
    headers: map().optional(),
    /** User name for a protected source. */
    basicAuthUser: text().optional(),
    /** Password for a protected source. */
    basicAuthPassword: secret(text()).optional(),
    /** Checksum compared after the download. */
    checksum: text().optional(),
    /** Command run after the content is saved. */
    execCmd: text().optional(),
    /** Lifecycle events that run the command. */
    runsOn: csv(LIFECYCLE_EVENTS).optional(),
    /** Order among attachments of the same event, ascending. */
    priority: int(0).optional(),
    /** Free text on the record in this environment, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
    comments: member(text()).optional(),
    ...takingOver,
  },
  impact: {
    // These decide what runs, and with which content.
    severity: {
      execCmd: 'high',
      content: 'high',
      source: 'high',
      path: 'high',
      headers: 'high',
      runsOn: 'high',
      checksum: 'high',
    },
  },
  inFile: {
    path: 'environments.*.platforms.*.components.*.attachments.*',
    aliases: { run_on: 'runsOn' },
    written: () => ({}),
  },
  computed: {},
  verbs: attachmentsInEnvironment.verbs,
  sample: {
    create: {
      path: '/etc/motd-prod',
      content: 'hello, prod\n',
      source: 'http://files.acme.io/prod/motd',
      headers: { Accept: 'text/html' },
      basicAuthUser: 'reader',
      basicAuthPassword: 's3cret-one',
      checksum: 'abcd',
      execCmd: 'chmod 600 /etc/motd',
      runsOn: ['after-add'],
      priority: 4,
      comments: 'made first',
    },
    update: {
      content: 'bye, prod\n',
      runsOn: ['on-demand'],
      priority: 5,
      basicAuthPassword: 's3cret-two',
      comments: 'made later',
    },
  },
});
