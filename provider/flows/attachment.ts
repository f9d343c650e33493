// Attachment verbs: plain records whose names are unique in the whole platform (flows §3.5).
// It must not know the engine.
import { routes } from '../../api/contract';
import { inTurn } from '../session';
import { bodyOf, createOrFind, crud, type Recording } from '../verbs/crud';
import { isPendingDelete, liveOf } from '../verbs/live';
import { readOrGone } from '../verbs/presence';
import type { Live, Verbs, Work } from '../verbs/verbs';
import { afterPendingDelete, designQueue } from './platform';

const recording: Recording = { wrapper: 'cms_dj_ci', locked: true, memberNames: [] };

/** Read from the component's own list: by name the live service also finds an attachment of another component (wire-facts §4.6). */
async function read(work: Work): Promise<Live | undefined> {
  const list = await readOrGone(work.api, work.at, () => work.api.call(routes.attachments.list, { address: work.at }));
  const record = list?.find((attachment) => attachment.ciName === work.address['name']);
  return record === undefined || isPendingDelete(record) ? undefined : liveOf(record);
}

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
