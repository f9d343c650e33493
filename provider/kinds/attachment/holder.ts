// Which record of the platform still has an attachment's name, and whether this run deletes it: attachment names are unique in a whole platform.
// It must not know how an attachment is written.
import { type Record as WireRecord, routes } from '../../../api/contract';
import { type ApiError, isApiError } from '../../../api/errors';
import { subjectKey } from '../../session';
import type { Work } from '../../model';
import { holderOfName, isHolder } from '../../verbs/component-records';
import { TimedOutWaiting, waitUntil } from '../../verbs/waiting';

/** Longest time to wait for a delete that the engine sends at the same time. */
const LIMIT = 60_000;

/** Statuses with which a service refuses a name that is taken. */
const TAKEN = [400, 409, 422];

/**
 * Sends a create. When it is refused and a component that this run replaces still has an attachment of the same name, it waits until that
 * attachment no longer exists and sends the create again: the engine runs deletes and creates side by side, so the delete may come later.
 */
export async function afterLeaving<T>(work: Work, send: () => Promise<T>): Promise<T> {
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
  return inPlatform.some((start) => work.session.records.isAnyReplaced(start));
}

/** Whether this run replaces the component, or its attachment of this name, and the old one is still to be deleted. */
function isLeaving(work: Work, component: string): boolean {
  const id = `${platformOf(work)}/${component}`;
  const keys = [
    subjectKey({ token: 'Component' }, id),
    subjectKey({ token: 'Attachment' }, `${id}/${work.address['name']}`),
  ];
  return keys.some((key) => work.session.records.isLeaving(key));
}

async function waitUntilGone(work: Work, holder: WireRecord, refusal: ApiError): Promise<void> {
  const place = `component ${[work.address['assembly'], work.address['platform'], holder.ciName].join('/')}`;
  const what = `waiting until the attachment of this name on ${place} is deleted: it is being replaced`;
  work.progress(what);
  try {
    await waitUntil(
      work,
      { what, limit: LIMIT },
      () => isHolder(work, holder, routes.attachments.list),
      (isHeld) => !isHeld,
    );
  } catch (error) {
    if (!(error instanceof TimedOutWaiting)) throw error;
    throw refusal.advised(
      `${place} has an attachment of this name, and this run did not delete it within a minute: run pulumi up again`,
    );
  }
}
