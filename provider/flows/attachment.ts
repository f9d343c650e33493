// Attachment verbs: plain records whose names are unique in the whole platform (flows §3.5).
// It must not know the engine.
import { routes, type Record as WireRecord } from '../../api/contract';
import { LifecycleError, NotFound } from '../../api/errors';
import { inTurn } from '../session';
import { bodyOf, createOrFind, crud, type Recording } from '../verbs/crud';
import { isPendingDelete, liveOf } from '../verbs/live';
import { readOrGone } from '../verbs/presence';
import { isWhole } from '../verbs/records';
import type { Live, Verbs, Work } from '../verbs/verbs';
import { afterPendingDelete, designQueue } from './platform';

const recording: Recording = { wrapper: 'cms_dj_ci', locked: true, memberNames: [] };

/**
 * Read from the component's own list: by name the live service also finds an attachment of another component (wire-facts §4.6). Missing there,
 * it is gone when it cannot be read by name either, or stands in another component's list.
 */
async function read(work: Work): Promise<Live | undefined> {
  const component = String(work.at['component']);
  const listed = await inListOf(work, component);
  if (listed !== undefined) return isPendingDelete(listed) ? undefined : liveOf(await whole(work, listed));
  const named = await readOrGone(work.api, work.at, () => readNamed(work));
  if (named === undefined || isPendingDelete(named)) return undefined;
  const components = await work.api.call(routes.components.list, { address: work.at });
  for (const { ciName } of components)
    if (ciName !== component && (await inListOf(work, ciName)) !== undefined) return undefined;
  throw new LifecycleError(
    'it can be read by its name, but stands in the list of no component',
    'an answer may have come shortened: try again, and look at what stands between here and the service',
  );
}

async function inListOf(work: Work, component: string): Promise<WireRecord | undefined> {
  try {
    const list = await work.api.call(routes.attachments.list, { address: { ...work.at, component } });
    return list.find((attachment) => attachment.ciName === work.address['name']);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

const readNamed = (work: Work): Promise<WireRecord> => work.api.call(routes.attachments.read, { address: work.at });

/** A record of the list, read by itself in a refresh that found the list's records not to be whole. */
const whole = async (work: Work, listed: WireRecord): Promise<WireRecord> =>
  work.reads === undefined || (await isWhole(work, routes.attachments, listed)) ? listed : readNamed(work);

const plain = crud(routes.attachments, recording);

/** Verbs of the Attachment kind. */
export const attachmentVerbs: Verbs = {
  ...plain,
  read,
  create: (work) =>
    inTurn(work.session, designQueue(work), () => {
      const body = bodyOf(work, recording, work.wire);
      return createOrFind(
        work,
        read,
        () => afterPendingDelete(work, () => work.api.call(routes.attachments.create, { address: work.at, body })),
        recording,
      );
    }),
  update: (work) => inTurn(work.session, designQueue(work), () => plain.update(work)),
  /** By name the live service would also delete an attachment that was moved to another component (wire-facts §4.6). */
  delete: (work) =>
    inTurn(work.session, designQueue(work), async () => {
      if ((await read(work)) !== undefined) await plain.delete(work);
    }),
};
