// The Platform kind: one deployable part of an assembly's design, made from a pack (flows §3.2).
import { nameRules, problem, routes, type Record as WireRecord } from '../../api/contract';
import { orNone, Unprocessable } from '../../api/errors';
import { Incomplete, type Live } from '../address/live';
import { orElse } from '../errors';
import { judgePack } from './catalogue';
import { environmentsWith } from '../deploy/run-elsewhere';
import {
  base,
  fixed,
  commented,
  member,
  referring,
  refersTo,
  set,
  takingOver,
  text,
  unstamped,
  version,
} from '../values/field';
import { kind, type UpdateWork, type Verbs, type Work } from '../kind';
import { openAmidWrites } from '../commit/design-changes';
import { refuseForeignChanges } from '../commit/open-changes';
import { noteNewPack } from '../deploy/platform-replacement';
import { besideOthers, inTurn, stageKey } from '../session';
import { commentsOf, withComments } from '../verbs/comments';
import { bodyOf, createOrFind, crud, liveIn, type Recording } from '../verbs/crud';
import { isPendingDelete, liveOf, restamped } from '../verbs/live';
import { readRecord } from '../verbs/records';
import { assembly } from './assembly';

const recording: Recording = {
  wrapper: 'cms_dj_ci',
  memberNames: ['links', 'comments'],
  members: (record) => ({
    links: JSON.stringify((record as { links_to?: readonly string[] | null }).links_to ?? []),
  }),
  // A PUT without links drops all of them (service-facts §4.5.1-2).
  beside: (texts, live) => ({ links_to: JSON.parse(texts['links'] ?? live?.wire['links'] ?? '[]') as unknown }),
};

/** Key of the turns of a design: no record is written during a commit (service-facts §11). */
export const designQueue = (work: Work): string => `design ${work.at['assembly']}`;

async function read(work: Work): Promise<Live | undefined> {
  const record = await readRecord(
    work,
    routes.platforms,
    ['links_to'],
    'links' in work.args || work.known === undefined,
  );
  return record && liveIn(recording, record);
}

const platforms: Verbs = crud(routes.platforms, recording, {
  read,

  create: (work) =>
    besideOthers(work.session, designQueue(work), async () => {
      const send = (): Promise<WireRecord> =>
        work.api.call(routes.platforms.create, { address: work.at, body: bodyOf(work, recording, work.wire) });
      const live = await createOrFind(work, read, () => afterPendingDelete(work, send), recording);
      return verifiedLinks(work, live);
    }),

  update: (work) =>
    besideOthers(work.session, designQueue(work), async () => {
      const { version, ...others } = work.changes;
      let live = work.live;
      if (version !== undefined) live = { ...(await updatePack(work, version)), owners: work.live.owners ?? {} };
      if (version === undefined || Object.keys(others).length > 0) {
        const record = await work.api.call(routes.platforms.update, {
          address: work.at,
          body: bodyOf(work, recording, others, live),
        });
        live = liveOf(record, { ...commentsOf(record), links: others['links'] ?? work.live.wire['links'] ?? '[]' });
      }
      if (others['links'] === undefined) return live;
      return restamped(await verifiedLinks(work, live), work.live, work.session.clock.now());
    }),

  guarded: ['name', 'source', 'pack', 'version', 'majorVersion'],

  async guard(work, { replaces }) {
    // Each environment says, later in the run, whether the new version can be pulled.
    if (replaces.length === 0) noteNewPack(work);
    const environments = replaces.length === 0 ? [] : await environmentsWith(work);
    if (environments.length === 0) return {};
    return {
      refusal:
        `cannot change ${replaces.join(' and ')} of platform ${work.id}: ${environments.join(', ')} ${environments.length === 1 ? 'has' : 'have'} it running from the present one. ` +
        'Take the platform out of the file, run pulumi up, then declare it with the new pack and run pulumi up again',
    };
  },
});

const platformVerbs: Verbs = withComments(platforms);

/**
 * Sends a create; when a delete of that name waits for its commit, the platform is committed and
 * the create sent once more (flows F6). Several creates may wait for deletes that one commit
 * includes: they commit one after the other, and only what still waits. `isPending`: whether it
 * does.
 */
export async function afterPendingDelete<T>(
  work: Work,
  send: () => Promise<T>,
  isPending: () => Promise<boolean> = () => deleteIsPending(work),
): Promise<T> {
  const { memory } = work.session;
  const design = stageKey('design', work.at);
  const freed = (): number => memory.of(design).freed ?? 0;
  const before = freed();
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    const isFree = await inTurn(work.session, `deletions ${work.at['assembly']}`, async () => {
      if (!(await isPending())) return freed() > before;
      await commitPendingDelete(work);
      memory.note(design, { freed: freed() + 1 });
      return true;
    });
    if (!isFree) throw error;
    work.notice('the deletion of the record it replaces was committed first');
    return send();
  }
}

/** Commits the open changes of the platform with a waiting delete, or of the design. */
async function commitPendingDelete(work: Work): Promise<void> {
  await refuseForeignChanges(work, openAmidWrites(work));
  const body = { desc: 'commits a deletion before the record is created again' };
  if (work.at['platform'] !== undefined) {
    await work.api.call(routes.platforms.commit, { address: work.at, body });
    return;
  }
  const { releaseId } = await work.api.call(routes.designReleases.latest, { address: work.at });
  await work.api.call(routes.designReleases.commit, { address: { ...work.at, release: String(releaseId) }, body });
}

/** Whether the platform, or any record in it, waits for the commit of its deletion. */
const deleteIsPending = async (work: Work): Promise<boolean> => (await orNone(holdsPendingDelete(work))) ?? false;

async function holdsPendingDelete({ api, at, address: { name } }: Work): Promise<boolean> {
  if (isPendingDelete(await api.call(routes.platforms.read, { address: at }))) return true;
  const components = await api.call(routes.components.list, { address: at });
  if (components.some(isPendingDelete)) return true;
  for (const { ciId } of at['component'] === undefined ? [] : components) {
    const attachments = await api.call(routes.attachments.list, { address: { ...at, component: String(ciId) } });
    if (attachments.some((attachment) => isPendingDelete(attachment) && attachment.ciName === name)) return true;
  }
  return false;
}

/** A new pack version; a platform with open changes is committed first (service-facts §11). */
async function updatePack(work: UpdateWork, version: string): Promise<Live> {
  const send = async (): Promise<Live> => {
    const record = await work.api.call(routes.platforms.packUpdate, { address: work.at, body: { version } });
    return liveOf(record, { ...commentsOf(record), links: work.live.wire['links'] ?? '[]' });
  };
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Unprocessable) || !(await commitOpenChanges(work, version))) throw error;
    return send();
  }
}

/** Commits the platform's open changes; false when it has none. */
async function commitOpenChanges(work: UpdateWork, version: string): Promise<boolean> {
  await refuseForeignChanges(work, openAmidWrites(work));
  const body = { desc: `commits open changes before pack version ${version}` };
  const committed = work.api.call(routes.platforms.commit, { address: work.at, body });
  return orElse(
    committed.then(() => true),
    false,
    (error) => error instanceof Unprocessable,
  );
}

/** Checked after the write: the service drops unknown names (service-facts §4.5.1-2). */
async function verifiedLinks(work: Work, live: Live): Promise<Live> {
  const wanted = work.args['links'];
  if (!Array.isArray(wanted) || wanted.length === 0) return live;
  const now = await work.api.call(routes.platforms.read, { address: work.at });
  const missing = wanted.filter((name) => !(now.links_to ?? []).includes(String(name)));
  if (missing.length === 0) return live;
  throw new Incomplete({ ...live, outputs: { links: now.links_to ?? [] } }, [
    `the service did not take the link to ${missing.join(', ')}: links name platforms of the same assembly`,
  ]);
}

export const platform = kind({
  token: 'Platform',
  description: "A part of the design: a pack's components, ready to be configured.",
  path: routes.platforms.read.path,
  within: assembly,
  nameRule: nameRules.platform,
  stage: 'design',
  found: { list: { route: routes.platforms.list, isReviewed: true } },
  fields: {
    source: fixed(text()).describe('Register the pack comes from.'),
    pack: fixed(text()).describe('Pack: `tomcat`, `mysql`, `custom`.'),
    version: version().describe('Version of the pack.'),
    majorVersion: base('1', fixed(version())).optional().describe('Major version of the platform itself.'),
    description: text().optional().describe('What the platform is for.'),
    ...commented,
    links: base('[]', unstamped(member(refersTo('Platform', set()))))
      .optional()
      .describe('Platforms it uses; they start before it does.'),
    ...referring,
    ...takingOver,
  },
  impact: {
    deleted: { severity: 'high', message: 'the platform is deleted: its instances go from every environment' },
    makesInstances: ({ operation, address }, { assembly }) =>
      operation !== 'update' && operation !== 'delete' && address.startsWith(`${assembly}/`),
    takesDown: ({ operation, address }, { assembly, platform }) =>
      operation === 'replace' && address === `${assembly}/${platform}`,
  },
  inFile: {
    path: 'platforms.*',
    written: ({ source, pack, version }) =>
      [source, pack, version].every((part) => typeof part === 'string')
        ? {
            first: { pack: `${String(source)}/${String(pack)}:${String(version)}` },
            omits: ['source', 'pack', 'version'],
          }
        : { reason: 'its pack is not known' },
  },
  verbs: platformVerbs,
  judge: judgePack,
  sample: {
    create: {
      source: 'oneops',
      pack: 'custom',
      version: '1',
      description: 'front',
      links: ['db'],
      comments: 'made first',
    },
    update: { description: 'front end', links: [], comments: 'made later' },
    replace: { pack: 'apache' },
  },
  rule: (args) =>
    args.links && new Set(args.links).size !== args.links.length
      ? [problem('duplicate-item', ['links'], 'the same platform is linked twice')]
      : [],
});
