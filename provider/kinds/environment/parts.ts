// Attachments and monitors in an environment, which the service finds by name in the platform.
import { routes, type Record as WireRecord, type Route } from '../../../api/contract';
import type { Api } from '../../../api/client';
import { orNone } from '../../../api/errors';
import { LifecycleError } from '../../errors';
import { type Address, type FoundRecord, type Verbs, type Work } from '../../kind';
import { snakeCase, type Fields } from '../../values/field';
import { inNoList, wholeRecord } from '../../verbs/component-records';
import { recordsIfAny } from '../../commit/design-changes';
import type { WrittenRecord } from '../../history/as-pulled';
import { declaredTemplate, isNumber, isOfTemplate, namedIn, platformText } from '../../verbs/named-component';
import { isPendingDelete } from '../../verbs/live';
import { readOrGone } from '../../verbs/presence';
import { numberedAddress, ofClass, type Readable } from '../../verbs/records';
import { inEachPlatform, laidOver, mayDiffer, overlayVerbs } from './overlay';
import { entryNames } from '../../values/plain';

interface Parts {
  /** Their class in a design, without `catalog.`: `Monitor`. */
  readonly className: string;
  readonly routes: { readonly read: Route; readonly list: Route; readonly update: Route };
  readonly designed: Route;
  readonly attributes: Fields;
  /** What to do where the environment has no such record. */
  readonly advice: string;
}

/** Wire names of the attributes that arguments declare. */
export const declaredOf = (attributes: Fields, args: Work['args']): readonly string[] =>
  entryNames(args)
    .filter((name) => Object.hasOwn(attributes, name))
    .map(snakeCase);

type ListedPart = Readable & Pick<Parts['routes'], 'list'>;

interface Lists {
  readonly components: Route;
  readonly parts: Route;
}

interface PartKind {
  readonly verbs: Verbs;
  /** Records of an environment with values of their own. Reads lists with changed records only. */
  readonly search: (api: Api, at: Address) => Promise<readonly FoundRecord[]>;
}

const call = (work: Work, route: Route, at = work.at): Promise<readonly WireRecord[]> =>
  work.api.call(route, { address: at }) as Promise<readonly WireRecord[]>;

/** A record in its component's list. Several components of one name are read by number. */
async function listed(work: Work, lists: Lists): Promise<WireRecord | undefined> {
  const own = (list: readonly WireRecord[]): WireRecord | undefined =>
    list.find(({ ciName }) => ciName === work.address['name']);
  const found = own(await call(work, lists.parts));
  if (found !== undefined && !isPendingDelete(found)) return found;
  const name = String(work.at['component']);
  const all = isNumber(name) ? [] : await call(work, lists.components);
  if (all.filter(({ ciName }) => ciName === name).length < 2) return found;
  const type = declaredTemplate(work, name);
  for (const component of namedIn(all, name)) {
    if (type !== undefined && !(await isOfTemplate(work, component, type))) continue;
    const there = own(await call(work, lists.parts, { ...work.at, component: String(component.ciId) }));
    if (there !== undefined) return there;
  }
  return found;
}

/** A missing record is gone, or another component's. Throws LifecycleError otherwise. */
async function expectGone(work: Work, { read, list, isMeant }: ListedPart): Promise<undefined> {
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

/** From its component's list: by name the service also finds another's (service-facts §4.6). */
async function find(work: Work, readable: ListedPart): Promise<WireRecord | undefined> {
  const lists = { components: routes.environmentPlatforms.components, parts: readable.list };
  const record = await readOrGone(work.api, work.at, () => listed(work, lists));
  if (record === undefined) return expectGone(work, readable);
  return isPendingDelete(record) ? undefined : wholeRecord(work, readable, record);
}

export function partKind(parts: Parts): PartKind {
  const readable = { ...parts.routes, isMeant: ofClass(parts.className) };
  return {
    verbs: overlayVerbs({
      find: (work) => find(work, readable),
      designed: (work) => orNone(listed(work, { components: routes.components.list, parts: parts.designed })),
      update: parts.routes.update,
      addressOf: (work, record) => numberedAddress(work, readable, record),
      missing: (work) =>
        new LifecycleError(
          `component "${work.at['component']}" of ${platformText(work)} has no ${parts.className.toLowerCase()} "${work.address['name']}"`,
          parts.advice,
        ),
      declares: (args) => declaredOf(parts.attributes, args),
    }),

    search: (api, at) =>
      inEachPlatform(api, at, parts.className.toLowerCase(), (place, written) => searchIn(api, place, parts, written)),
  };
}

/** The records of a platform's components that contain something of their own. */
async function searchIn(
  api: Api,
  at: Address,
  { className, routes: { list } }: Parts,
  written: readonly WrittenRecord[] | undefined,
): Promise<readonly FoundRecord[]> {
  const { platform = '' } = at;
  const designed = (await recordsIfAny({ api, at })).filter(
    ({ ciClassName, component }) => ciClassName === `catalog.${className}` && component,
  );
  const differing = designed.filter((part) => mayDiffer(written, [part]));
  if (differing.length === 0) return [];
  const all = await api.call(routes.environmentPlatforms.components, { address: at });
  const asked = all.filter(
    (component) => !isPendingDelete(component) && differing.some((part) => part.component?.ciName === component.ciName),
  );
  const found = asked.map(async ({ ciName: component, ciId }) => {
    const there = (await api.call(list, { address: { ...at, component: String(ciId) } })) as readonly WireRecord[];
    const own = designed.filter((part) => part.component?.ciName === component);
    return laidOver(there, own).map(({ record: { ciName: name }, isGiven }) => ({
      address: { platform, component, name },
      isGiven,
    }));
  });
  return (await Promise.all(found)).flat();
}
