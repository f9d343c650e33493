// Attachment verbs: plain records whose names are unique in the whole platform (flows §3.5).
// It must not know the engine.
import { routes, type Record as WireRecord } from '../../../api/contract';
import { NotFound } from '../../../api/errors';
import { LifecycleError } from '../../errors';
import { inTurn } from '../../session';
import { bodyOf, createOrFind, crud, deleteOnce, type Recording } from '../../verbs/crud';
import { isPendingDelete, liveOf } from '../../verbs/live';
import { readOrGone } from '../../verbs/presence';
import { isWhole, numberedAddress, ofClass, readNumbered } from '../../verbs/records';
import type { Live, Verbs, Work } from '../../verbs/verbs';
import { afterLeaving } from './holder';
import { componentsInPath, isNumber, platformText, theOnly, type Found } from '../../releases/named-component';
import { afterPendingDelete, designQueue } from '../platform/flow';

const recording: Recording = { wrapper: 'cms_dj_ci', locked: true, memberNames: [] };

const attachments = { ...routes.attachments, isMeant: ofClass('Attachment') };

/**
 * Read from the component's own list: by name the live service also finds an attachment of another component (service-facts §4.6). Missing there,
 * it is gone when it cannot be read by name either, or stands in another component's list. Where several components have the path's name and
 * nothing says which is meant, it is the one that has the attachment. One that the last run knew by its number needs no such search.
 */
async function read(work: Work): Promise<Live | undefined> {
  const known = await knownInList(work);
  if (known !== undefined) return isPendingDelete(known) ? undefined : liveOf(await whole(work, known));
  const components = await componentsInPath(work);
  for (const component of components) {
    const listed = await inListOf(work, component);
    if (listed === undefined) continue;
    if (isPendingDelete(listed)) return undefined;
    return { ...liveOf(await whole(inside(work, component), listed)), ...(await namedBy(work)) };
  }
  const elsewhere = await readOrGone(work.api, work.at, () => readNamed(work, components));
  if (elsewhere === undefined || isPendingDelete(elsewhere) || !attachments.isMeant(elsewhere)) return undefined;
  const all = await work.api.call(routes.components.list, { address: work.at });
  const others = all.filter(({ ciId }) => !components.some((component) => component.ciId === ciId));
  for (const component of others) if ((await inListOf(work, component)) !== undefined) return undefined;
  throw new LifecycleError(
    'it can be read by its name, but stands in the list of no component',
    'an answer may have come shortened: try again, and look at what stands between here and the service',
  );
}

/** A place by the component's number: by name the service may take another component for it. */
const inside = (work: Work, { ciId }: Pick<Found, 'ciId'>): Work => ({
  ...work,
  at: { ...work.at, component: String(ciId) },
});

/** The record of the last run, if it stands in the list that the component's name leads to. */
async function knownInList(work: Work): Promise<WireRecord | undefined> {
  const number = work.known?.['ciId'];
  const listed = number === undefined ? undefined : await inList(work);
  return listed?.ciId === number ? listed : undefined;
}

const inListOf = (work: Work, component: Found): Promise<WireRecord | undefined> => inList(inside(work, component));

async function inList(work: Work): Promise<WireRecord | undefined> {
  try {
    const list = await work.api.call(routes.attachments.list, { address: work.at });
    return list.find((attachment) => attachment.ciName === work.address['name']);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

const readNamed = (work: Work, [component]: readonly Found[]): Promise<WireRecord> =>
  work.api.call(routes.attachments.read, { address: (component ? inside(work, component) : work).at });

/** A record of the list, read by itself in a refresh that found the list's records not to be whole. */
const whole = async (work: Work, listed: WireRecord): Promise<WireRecord> =>
  work.reads === undefined || (await isWhole(work, attachments, listed))
    ? listed
    : readNumbered(work, attachments, listed);

/** The component's name, of an address that gives its number and that nothing keeps yet. */
async function namedBy(work: Work): Promise<Pick<Live, 'named'>> {
  const component = work.address['component'] ?? '';
  if (work.known !== undefined || !isNumber(component)) return {};
  const list = await work.api.call(routes.components.list, { address: work.at });
  const found = list.find(({ ciId }) => String(ciId) === component);
  return found === undefined ? {} : { named: { component: found.ciName } };
}

const plain = crud(attachments, recording);

async function create(work: Work): Promise<Live> {
  const component = theOnly(await componentsInPath(work), String(work.at['component']), platformText(work));
  const within = component ? inside(work, component) : work;
  const body = bodyOf(within, recording, within.wire);
  return createOrFind(
    within,
    read,
    () => afterPendingDelete(within, () => work.api.call(routes.attachments.create, { address: within.at, body })),
    recording,
  );
}

/** Verbs of the Attachment kind. */
export const attachmentVerbs: Verbs = {
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
};
