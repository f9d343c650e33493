// The Attachment kind: a file, certificate or script on a design component (flows §3.5).
import { nameRules, problem, routes, type Record as WireRecord } from '../../api/contract';
import { type ApiError, isApiError } from '../../api/errors';
import type { Live } from '../address/live';
import { base, csv, int, map, commented, secret, takingOver, text } from '../values/field';
import { idle } from '../lifecycle/check';
import { kind, type Verbs, type Work } from '../kind';
import { atComponent, holderOfName, isHolder, recordOnComponent } from '../verbs/component-records';
import { TimedOutWaiting, waitUntil } from '../verbs/waiting';
import { askingAnew, besideOthers, subjectKey } from '../session';
import { withComments } from '../verbs/comments';
import { bodyOf, createOrFind, crud, deleteOnce, liveIn, type Recording } from '../verbs/crud';
import { numberedAddress, ofClass } from '../verbs/records';
import { component } from './component';
import { afterPendingDelete, designQueue } from './platform';

// The record that still has an attachment's name: names are unique in a whole platform.

/** Longest time to wait for a delete that the engine sends at the same time. */
const LIMIT = 60_000;

/** Statuses with which a service refuses a name that is taken. */
const TAKEN = [400, 409, 422];

/**
 * Sends a create. The engine runs deletes and creates side by side: when the create is refused and
 * a component that this run replaces still has the attachment, it waits for the delete and sends
 * again.
 */
async function afterLeaving<T>(work: Work, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isApiError(error) || !TAKEN.includes(error.status) || !replacesHere(work)) throw error;
    const holder = await holderOfName(work, routes.attachments.list);
    if (holder !== undefined && !isLeaving(work, holder.ciName)) throw error;
    // Without a holder it was deleted since the refusal.
    if (holder !== undefined) await waitUntilGone(work, holder, error);
    return send();
  }
}

const platformOf = ({ api, address }: Work): string =>
  [api.organization, address['assembly'], address['platform']].join('/');

/** Whether this run replaces any component of the platform, or any attachment. */
function replacesHere(work: Work): boolean {
  const inPlatform = ['Component', 'Attachment'].map((token) => subjectKey({ token }, `${platformOf(work)}/`));
  return work.session.memory
    .all()
    .some(([key, { replaced }]) => replaced !== undefined && inPlatform.some((start) => key.startsWith(start)));
}

/** Keys of a component and its attachment: the delete of either deletes the attachment. */
function keysOn(work: Work, component: string): readonly string[] {
  const id = `${platformOf(work)}/${component}`;
  return [subjectKey({ token: 'Component' }, id), subjectKey({ token: 'Attachment' }, `${id}/${work.address['name']}`)];
}

/** Whether this run still has to delete the component, or its attachment of this name. */
const isLeaving = (work: Work, component: string): boolean =>
  keysOn(work, component).some((key) => {
    const { replaced, isMade } = work.session.memory.of(key);
    return replaced === 'deletes' && isMade !== true;
  });

async function waitUntilGone(work: Work, holder: WireRecord, refusal: ApiError): Promise<void> {
  const place = `component ${[work.address['assembly'], work.address['platform'], holder.ciName].join('/')}`;
  const what = `waiting until the attachment of this name on ${place} is deleted: it is being replaced`;
  work.progress(what);
  const isHeld = (): Promise<boolean> =>
    isHolder({ ...work, api: askingAnew(work.api) }, holder, routes.attachments.list);
  try {
    await waitUntil(work, { what, limit: LIMIT }, isHeld, (held) => !held);
  } catch (error) {
    if (!(error instanceof TimedOutWaiting)) throw error;
    // A delete may read much before it is sent, beside other writes.
    for (const key of keysOn(work, holder.ciName)) await work.session.memory.of(key).deletion;
    if (!(await isHeld())) return;
    throw refusal.advised(
      `${place} has an attachment of this name, and this run did not delete it within a minute: run pulumi up again`,
    );
  }
}

// Attachment names are unique in the whole platform (flows §3.5).

const recording: Recording = { wrapper: 'cms_dj_ci', memberNames: ['comments'] };

const attachments = { ...routes.attachments, isMeant: ofClass('Attachment') };

async function read(work: Work): Promise<Live | undefined> {
  const found = await recordOnComponent(work, attachments);
  return found && { ...liveIn(recording, found.record), ...(found.named ? { named: found.named } : {}) };
}

const plain = crud(attachments, recording);

async function create(work: Work): Promise<Live> {
  const within = await atComponent(work);
  const body = bodyOf(within, recording, within.wire);
  return createOrFind(
    within,
    read,
    () => afterPendingDelete(within, () => work.api.call(routes.attachments.create, { address: within.at, body })),
    recording,
  );
}

const attachmentVerbs: Verbs = withComments({
  ...plain,
  read,
  // Outside of the queue: the awaited delete takes its turn there.
  create: (work) => afterLeaving(work, () => besideOthers(work.session, designQueue(work), () => create(work))),
  update: (work) => besideOthers(work.session, designQueue(work), () => plain.update(work)),
  /** By name the live service may delete another component's attachment (service-facts §4.6). */
  delete: (work) =>
    besideOthers(work.session, designQueue(work), async () => {
      const found = await read(work);
      if (found === undefined) return;
      const address = numberedAddress(work, attachments, found);
      await deleteOnce(() => work.api.call(routes.attachments.delete, { address }));
    }),
});

/** Events of an attachment (service-facts §2.3): the documented seven, and two of a replacement. */
const LIFECYCLE_EVENTS = [
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

/** The attributes of an attachment, in a design and in an environment. */
export const attachmentAttributes = {
  path: base('/tmp/download_file', text()).optional().describe('Where the content is saved on the machine.'),
  content: text().optional().describe('The content itself; wins over `source`.'),
  source: text().optional().describe('URL the content is downloaded from.'),
  headers: map().optional().describe('HTTP headers of the download.'),
  basicAuthUser: text().optional().describe('User name for a protected source.'),
  basicAuthPassword: secret(text()).optional().describe('Password for a protected source.'),
  checksum: text().optional().describe('Checksum compared after the download.'),
  execCmd: text().optional().describe('Command run after the content is saved.'),
  runsOn: base('before-add', csv(LIFECYCLE_EVENTS)).optional().describe('Lifecycle events that run the command.'),
  priority: base('1', int(0)).optional().describe('Order among attachments of the same event, ascending.'),
};

/** A change of these changes what runs, or with which content. */
export const attachmentSeverity = {
  execCmd: 'high',
  content: 'high',
  source: 'high',
  path: 'high',
  headers: 'high',
  runsOn: 'high',
  checksum: 'high',
} as const;

export const attachment = kind({
  token: 'Attachment',
  description: 'A file, certificate or script laid onto a design component.',
  path: routes.attachments.read.path,
  within: component,
  nameRule: nameRules.attachment,
  stage: 'design',
  found: {
    list: {
      route: routes.attachments.list,
      isReviewed: true,
      alsoIn: { route: routes.platforms.diff, className: 'catalog.Attachment' },
    },
  },
  fields: {
    ...attachmentAttributes,
    ...commented,
    ...takingOver,
  },
  impact: { severity: attachmentSeverity },
  inFile: { path: 'platforms.*.components.*.attachments.*', aliases: { run_on: 'runsOn' }, written: () => ({}) },
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
