// Attachments and monitors of components in an environment, which the service finds by name in the whole platform, and the records of their design.
// It knows no single kind.
import { routes, type Record as WireRecord, type Route } from '../../../api/contract';
import type { Api } from '../../../api/client';
import { NotFound } from '../../../api/errors';
import type { Address, FoundRecord } from '../../kind';
import { inNoList } from '../../releases/component-records';
import { declaredTemplate, isNumber, isOfTemplate, namedIn } from '../../releases/named-component';
import { isPendingDelete } from '../../verbs/live';
import { readOrGone } from '../../verbs/presence';
import { isWhole, numberedAddress, readNumbered, type Readable } from '../../verbs/records';
import type { Work } from '../../verbs/verbs';
import { laidOver } from './overlay';

/** Where the records of components are, in environments and in designs. */
interface Parts {
  readonly readable: Readable & { readonly list: Route };
  /** Their list in the design. */
  readonly designed: Route;
  /** Names of the components of a design's platform that have such records. */
  readonly holdersIn: (api: Api, at: Work['at']) => Promise<ReadonlySet<string>>;
}

/** Where components are listed, and the records of each: in an environment, or in its design. */
interface Lists {
  readonly components: Route;
  readonly parts: Route;
}

interface PartReader {
  readonly find: (work: Work) => Promise<WireRecord | undefined>;
  readonly designed: (work: Work) => Promise<WireRecord | undefined>;
  readonly addressOf: (work: Work, record: Pick<WireRecord, 'ciId'>) => Work['at'];
  /** Records of an environment that have values of their own: reads two lists for each component that has such records in the design. */
  readonly search: (api: Api, at: Address) => Promise<readonly FoundRecord[]>;
}

const call = (work: Work, route: Route, at = work.at): Promise<readonly WireRecord[]> =>
  work.api.call(route, { address: at }) as Promise<readonly WireRecord[]>;

/** A record in the list of the component that the path names; by its number when several components have the name. */
async function listed(work: Work, lists: Lists): Promise<WireRecord | undefined> {
  const own = (list: readonly WireRecord[]): WireRecord | undefined =>
    list.find(({ ciName }) => ciName === work.address['name']);
  const found = own(await call(work, lists.parts));
  if (found !== undefined) return found;
  const name = String(work.at['component']);
  const components = isNumber(name) ? [] : namedIn(await call(work, lists.components), name);
  const type = declaredTemplate(work, name);
  for (const component of components.length > 1 ? components : []) {
    if (type !== undefined && !(await isOfTemplate(work, component, type))) continue;
    const there = own(await call(work, lists.parts, { ...work.at, component: String(component.ciId) }));
    if (there !== undefined) return there;
  }
  return undefined;
}

/** Missing in its list, a record is gone when it cannot be read by name either, or is in another component's list. Throws LifecycleError otherwise. */
async function expectGone(work: Work, { read, list, isMeant }: Parts['readable']): Promise<undefined> {
  const { api, at } = work;
  const elsewhere = (await readOrGone(api, at, () => api.call(read, { address: at }))) as WireRecord | undefined;
  if (elsewhere === undefined || isPendingDelete(elsewhere) || !(await isMeant?.(elsewhere, work))) return undefined;
  const own = String(at['component']);
  for (const { ciId, ciName } of await call(work, routes.environmentPlatforms.components)) {
    if (ciName === own || String(ciId) === own) continue;
    const others = await call(work, list, { ...at, component: String(ciId) });
    if (others.some((other) => other.ciId === elsewhere.ciId)) return undefined;
  }
  throw inNoList();
}

/** How records of components are found: in the list of their component, because a read by name may return one of another (service-facts §4.6). */
export function partReader(parts: Parts): PartReader {
  const { readable } = parts;
  return {
    async find(work) {
      const lists = { components: routes.environmentPlatforms.components, parts: readable.list };
      const record = await readOrGone(work.api, work.at, () => listed(work, lists));
      if (record === undefined) return expectGone(work, readable);
      if (isPendingDelete(record)) return undefined;
      const isRead = work.reads === undefined || (await isWhole(work, readable, record));
      return isRead ? record : readNumbered(work, readable, record);
    },

    async designed(work) {
      try {
        return await listed(work, { components: routes.components.list, parts: parts.designed });
      } catch (error) {
        if (error instanceof NotFound) return undefined;
        throw error;
      }
    },

    addressOf: (work, record) => numberedAddress(work, readable, record),

    async search(api, at) {
      const platforms = await api.call(routes.environmentPlatforms.list, { address: at });
      const names = platforms.filter((platform) => !isPendingDelete(platform)).map(({ ciName }) => ciName);
      const found = await Promise.all(names.map((platform) => searchPlatform(api, { ...at, platform }, parts)));
      return found.flat();
    },
  };
}

async function searchPlatform(api: Api, at: Address, parts: Parts): Promise<readonly FoundRecord[]> {
  const there = await api.call(routes.environmentPlatforms.components, { address: at });
  const holders = await parts.holdersIn(api, at);
  const found = await Promise.all(
    there
      .filter((component) => !isPendingDelete(component) && holders.has(component.ciName))
      .map(async ({ ciName: component, ciId }): Promise<readonly FoundRecord[]> => {
        const inside = { ...at, component: String(ciId) };
        const list = (await api.call(parts.readable.list, { address: inside })) as readonly WireRecord[];
        const address = { ...at, component };
        const design = await readOrGone(api, at, () => api.call(parts.designed, { address }));
        return laidOver(list, (design ?? []) as readonly WireRecord[]).map(({ record, isGiven }) => ({
          address: { platform: at['platform'] ?? '', component, name: record.ciName },
          isGiven,
        }));
      }),
  );
  return found.flat();
}
