// Attachments and monitors of a component, found in its own list (service-facts §4.6).
import { routes, type Record as WireRecord, type Route } from '../../api/contract';
import { orNone } from '../../api/errors';
import { LifecycleError } from '../errors';
import type { Address, Work } from '../kind';
import { isPendingDelete } from './live';
import { readOrGone } from './presence';
import { askBeside, isWhole, readNumbered, type Readable } from './records';
import { componentsInPath, isNumber, platformText, theOnly, type Found } from './named-component';

interface OnComponents extends Readable {
  readonly list: Route;
  readonly isMeant: (record: WireRecord) => boolean;
}

/** A record, and the name of its component when the address has a number instead. */
interface OnComponent {
  readonly record: WireRecord;
  readonly named?: Address;
}

/**
 * The record at an address; undefined when it no longer exists, or is to be deleted. A record that
 * is missing in its list is deleted when it cannot be read by name either, or is in another
 * component's list. Of several components of one name, the one that has the record is used. Throws
 * LifecycleError when the record can be read but is in no list.
 */
export async function recordOnComponent(work: Work, at: OnComponents): Promise<OnComponent | undefined> {
  const known = await knownInList(work, at);
  if (known !== undefined) return isPendingDelete(known) ? undefined : { record: await wholeRecord(work, at, known) };
  const components = await componentsInPath(work);
  for (const component of components) {
    const listed = await inList(inside(work, component), at);
    if (listed === undefined) continue;
    if (isPendingDelete(listed)) return undefined;
    return { record: await wholeRecord(inside(work, component), at, listed), ...(await namedBy(work)) };
  }
  const elsewhere = await readOrGone(work.api, work.at, () => readNamed(work, at, components));
  if (elsewhere === undefined || isPendingDelete(elsewhere) || !at.isMeant(elsewhere)) return undefined;
  const all = await work.api.call(routes.components.list, { address: work.at });
  const others = all.filter(({ ciId }) => !components.some((component) => component.ciId === ciId));
  for (const component of others) if ((await inList(inside(work, component), at)) !== undefined) return undefined;
  throw inNoList();
}

/** The error for a record that can be read but is in no list: its component is not known. */
export const inNoList = (): LifecycleError =>
  new LifecycleError(
    'it can be read by its name, but it is in the list of no component',
    'an answer may be incomplete: try again, and check the proxies between this machine and the service',
  );

/** The work at the one component of its address, by number. Throws LifecycleError for several. */
export async function atComponent(work: Work): Promise<Work> {
  const component = theOnly(await componentsInPath(work), String(work.at['component']), platformText(work));
  return component ? inside(work, component) : work;
}

/** The component that has a record of this name, without a waiting delete. */
export async function holderOfName(work: Work, list: Route): Promise<WireRecord | undefined> {
  for (const component of (await orNone(work.api.call(routes.components.list, { address: work.at }))) ?? [])
    if (await isHolder(work, component, list)) return component;
  return undefined;
}

/** Whether a component has a record of this name, without a waiting delete. */
export async function isHolder(work: Work, component: WireRecord, list: Route): Promise<boolean> {
  if (isPendingDelete(component)) return false;
  const address = { ...work.at, component: String(component.ciId) };
  const records = (await orNone(work.api.call(list, { address }))) as readonly WireRecord[] | undefined;
  return records?.some((each) => each.ciName === work.address['name'] && !isPendingDelete(each)) ?? false;
}

/** An address with the component's number: a name may be another component's. */
const inside = (work: Work, { ciId }: Pick<Found, 'ciId'>): Work => ({
  ...work,
  at: { ...work.at, component: String(ciId) },
});

/** The record of the last run, if it is in the list that the component's name leads to. */
async function knownInList(work: Work, at: OnComponents): Promise<WireRecord | undefined> {
  const number = work.known?.['ciId'];
  const listed = number === undefined ? undefined : await inList(work, at);
  return listed?.ciId === number ? listed : undefined;
}

async function inList(work: Work, { list: route }: OnComponents): Promise<WireRecord | undefined> {
  askBeside(work, route);
  const list = (await orNone(work.api.call(route, { address: work.at }))) as readonly WireRecord[] | undefined;
  return list?.find((record) => record.ciName === work.address['name']);
}

const readNamed = (work: Work, { read }: OnComponents, [component]: readonly Found[]): Promise<WireRecord> =>
  work.api.call(read, { address: (component ? inside(work, component) : work).at }) as Promise<WireRecord>;

/** A record of the list; a refresh reads it alone when the list is incomplete. */
export const wholeRecord = async (work: Work, at: Readable, listed: WireRecord): Promise<WireRecord> =>
  !work.isRefresh || (await isWhole(work, at, listed)) ? listed : readNumbered(work, at, listed);

async function namedBy(work: Work): Promise<Pick<OnComponent, 'named'>> {
  const component = work.address['component'] ?? '';
  if (work.known !== undefined || !isNumber(component)) return {};
  const list = await work.api.call(routes.components.list, { address: work.at });
  const found = list.find(({ ciId }) => String(ciId) === component);
  return found === undefined ? {} : { named: { component: found.ciName } };
}
