// The Attachment kind: a file, certificate or script on a design component (flows §3.5).
// It must not know the engine or the file that declares it.
import { nameRules, problem, routes } from '../../../api/contract';
import { base, csv, int, map, member, secret, takingOver, text } from '../../field';
import { idle } from '../../idle';
import { kind } from '../../kind';
import { attachmentVerbs } from './flow';
import { component } from '../component/kind';

/** Lifecycle events that run an attachment's command (service-facts §2.3): the documented seven, and the two of a replacement. */
export const LIFECYCLE_EVENTS = [
  'before-add',
  'after-add',
  'before-update',
  'after-update',
  'before-delete',
  'after-delete',
  'before-replace',
  'after-replace',
  'on-demand',
] as const;

/** A file, certificate or script laid onto a design component. */
export const attachment = kind({
  token: 'Attachment',
  path: routes.attachments.read.path,
  named: true,
  within: component,
  nameRule: nameRules.attachment,
  cascades: true,
  stage: 'design',
  found: {
    list: {
      route: routes.attachments.list,
      isReviewed: true,
      alsoIn: { route: routes.platforms.diff, className: 'catalog.Attachment' },
    },
  },
  logicalName: ['platform', 'name'],
  fields: {
    /** Where the content is saved on the machine. */
    path: base('/tmp/download_file', text()).optional(),
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
    runsOn: base('before-add', csv(LIFECYCLE_EVENTS)).optional(),
    /** Order among attachments of the same event, ascending. */
    priority: base('1', int(0)).optional(),
    /** Free text on the record, next to its attributes. If the service stores it only together with another change of the record, the next change stores it. */
    comments: member(text()).optional(),
    ...takingOver,
  },
  impact: {
    // What runs, and what it runs with.
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
  inFile: { path: 'platforms.*.components.*.attachments.*', aliases: { run_on: 'runsOn' }, written: () => ({}) },
  computed: {},
  verbs: attachmentVerbs,
  sample: {
    create: {
      path: '/etc/motd',
      content: 'hello\n',
      source: 'http://files.acme.io/motd',
      headers: { Accept: 'text/plain' },
      basicAuthUser: 'reader',
      basicAuthPassword: 's3cret-one',
      checksum: 'abc',
      execCmd: 'chmod 644 /etc/motd',
      runsOn: ['after-add', 'after-update'],
      priority: 2,
      comments: 'made first',
    },
    update: {
      content: 'bye\n',
      runsOn: ['on-demand'],
      priority: 3,
      basicAuthPassword: 's3cret-two',
      comments: 'later',
    },
  },
  idle: (args) =>
    args.source === undefined
      ? idle(args, ['headers', 'checksum'], 'there is no "source" to download')
      : args.content !== undefined && args.content !== ''
        ? idle(args, ['source'], '"content" is given, so nothing is downloaded')
        : [],
  rule: (args) =>
    args.basicAuthUser !== undefined && args.source === undefined
      ? [
          problem(
            'unused-field',
            ['basicAuthUser'],
            'credentials are only used with a source',
            'give a source, or leave the credentials out',
          ),
        ]
      : [],
});
