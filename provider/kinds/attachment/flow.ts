// Attachment verbs: plain records whose names are unique in the whole platform (flows §3.5).
// It must not know the engine.
import { routes, type Record as WireRecord } from '../../../api/contract';
import { atComponent, recordOnComponent } from '../../verbs/component-records';
import { inTurn } from '../../session';
import { bodyOf, createOrFind, crud, deleteOnce, type Recording } from '../../verbs/crud';
import { commentsIn, commentsOf, withComments } from '../../verbs/comments';
import { liveOf } from '../../verbs/live';
import { numberedAddress, ofClass } from '../../verbs/records';
import type { Live } from '../../address/live';
import type { Verbs, Work } from '../../model';
import { afterPendingDelete, designQueue } from '../platform/flow';
import { afterLeaving } from './holder';

const recording: Recording = {
  wrapper: 'cms_dj_ci',
  locked: true,
  memberNames: ['comments'],
  members: commentsOf,
  beside: (texts) => ({ record: commentsIn(texts) }),
};

const liveAttachment = (record: WireRecord): Live => liveOf(record, commentsOf(record));

const attachments = { ...routes.attachments, isMeant: ofClass('Attachment') };

async function read(work: Work): Promise<Live | undefined> {
  const found = await recordOnComponent(work, attachments);
  return found && { ...liveAttachment(found.record), ...(found.named ? { named: found.named } : {}) };
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

/** Verbs of the Attachment kind. */
export const attachmentVerbs: Verbs = withComments({
  ...plain,
  read,
  // The wait is outside of the queue: the delete that it waits for takes its turn there.
  create: (work) => afterLeaving(work, () => inTurn(work.session, designQueue(work), () => create(work))),
  update: (work) => inTurn(work.session, designQueue(work), () => plain.update(work)),
  /** By name the live service would also delete an attachment that was moved to another component (service-facts §4.6). */
  delete: (work) =>
    inTurn(work.session, designQueue(work), async () => {
      const found = await read(work);
      if (found === undefined) return;
      const address = numberedAddress(work, attachments, found);
      await deleteOnce(() => work.api.call(routes.attachments.delete, { address }));
    }),
});
