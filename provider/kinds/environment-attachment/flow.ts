// EnvironmentAttachment verbs: what differs for an attachment in one environment, laid over the design's attachment (flows §3.14).
// They know no engine.
import { routes, type Record as WireRecord, type Route } from '../../../api/contract';
import type { Api } from '../../../api/client';
import { NotFound } from '../../../api/errors';
import { LifecycleError } from '../../errors';
import { snakeCase } from '../../field';
import { entryNames, type Address, type FoundRecord } from '../../kind';
import { isPendingDelete } from '../../verbs/live';
import { readOrGone } from '../../verbs/presence';
import { isWhole, numberedAddress, ofClass, readNumbered, type Readable } from '../../verbs/records';
import type { Verbs, Work } from '../../verbs/verbs';
import { attachedIn } from '../../releases/design-changes';
import { declaredTemplate, isNumber, isOfTemplate, namedIn, platformText } from '../../releases/named-component';
import { laidOver, overlayVerbs } from '../environment/overlay';

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

const attachments: Readable = { ...routes.environmentAttachments, isMeant: ofClass('Attachment') };

/** Where components are listed, and the attachments of each: in an environment, or in its design. */
interface Lists {
  readonly components: Route;
  readonly attachments: Route;
}

const inEnvironment: Lists = {
  components: routes.environmentPlatforms.components,
  attachments: routes.environmentAttachments.list,
};
const inDesign: Lists = { components: routes.components.list, attachments: routes.attachments.list };

const call = (work: Work, route: Route, at = work.at): Promise<readonly WireRecord[]> =>
  work.api.call(route, { address: at }) as Promise<readonly WireRecord[]>;

/** An attachment out of the list of the component that a path names, by its number where several have the name. */
async function listed(work: Work, lists: Lists): Promise<WireRecord | undefined> {
  const own = (list: readonly WireRecord[]): WireRecord | undefined =>
    list.find(({ ciName }) => ciName === work.address['name']);
  const found = own(await call(work, lists.attachments));
  if (found !== undefined) return found;
  const name = String(work.at['component']);
  const components = isNumber(name) ? [] : namedIn(await call(work, lists.components), name);
  const type = declaredTemplate(work, name);
  for (const component of components.length > 1 ? components : []) {
    if (type !== undefined && !(await isOfTemplate(work, component, type))) continue;
    const there = own(await call(work, lists.attachments, { ...work.at, component: String(component.ciId) }));
    if (there !== undefined) return there;
  }
  return undefined;
}

/** Out of its component's list: by name alone the service also finds an attachment of another component (service-facts §4.6). */
async function find(work: Work): Promise<WireRecord | undefined> {
  const record = await readOrGone(work.api, work.at, () => listed(work, inEnvironment));
  if (record === undefined || isPendingDelete(record)) return undefined;
  const isRead = work.reads === undefined || (await isWhole(work, attachments, record));
  return isRead ? record : readNumbered(work, attachments, record);
}

async function designed(work: Work): Promise<WireRecord | undefined> {
  try {
    return await listed(work, inDesign);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** Verbs of the EnvironmentAttachment kind. */
export const environmentAttachmentVerbs: Verbs = overlayVerbs({
  find,
  designed,
  update: routes.environmentAttachments.update,
  addressOf: (work, record) => numberedAddress(work, attachments, record),
  nameOf: (work) => String(work.address['name']),
  missing: (work) =>
    new LifecycleError(
      `component "${work.at['component']}" of ${platformText(work)} has no attachment "${work.address['name']}"`,
      'declare it for the component of the design too: an environment gives other values to an attachment that its design has',
    ),
  declares: (args) =>
    entryNames(args)
      .filter((name) => ATTRIBUTES.includes(name))
      .map(snakeCase),
});

/** Attachments of an environment that hold something of their own: two lists for each component that has attachments in the design. */
export async function searchAttachments(api: Api, at: Address): Promise<readonly FoundRecord[]> {
  const platforms = await api.call(routes.environmentPlatforms.list, { address: at });
  const names = platforms.filter((platform) => !isPendingDelete(platform)).map(({ ciName }) => ciName);
  const found = await Promise.all(names.map((platform) => searchPlatform(api, { ...at, platform })));
  return found.flat();
}

async function searchPlatform(api: Api, at: Address): Promise<readonly FoundRecord[]> {
  const there = await api.call(routes.environmentPlatforms.components, { address: at });
  const holders = await attachedIn(api, at);
  const found = await Promise.all(
    there
      .filter((component) => !isPendingDelete(component) && holders.has(component.ciName))
      .map(async ({ ciName: component, ciId }): Promise<readonly FoundRecord[]> => {
        const address = { ...at, component };
        const list = await api.call(routes.environmentAttachments.list, {
          address: { ...address, component: String(ciId) },
        });
        const design = await readOrGone(api, at, () => api.call(routes.attachments.list, { address }));
        return laidOver(list, design ?? []).map(({ record, isGiven }) => ({
          address: { platform: at['platform'] ?? '', component, name: record.ciName },
          isGiven,
        }));
      }),
  );
  return found.flat();
}
