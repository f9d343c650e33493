// EnvironmentComponent verbs: what differs for a component in one environment, laid over the design's component (flows §3.13).
// They know no engine.
import { routes, templatesOfClass, type Record as WireRecord } from '../../../api/contract';
import type { Api } from '../../../api/client';
import { LifecycleError } from '../../errors';
import { entryNames, type Address, type FoundRecord } from '../../kind';
import { textAt } from '../../text-at';
import { isPendingDelete, liveOf, restamped } from '../../verbs/live';
import { readOrGone } from '../../verbs/presence';
import { classTail, numberedAddress, readRecord, type Readable } from '../../verbs/records';
import type { Live, Verbs, Work } from '../../verbs/verbs';
import { askTemplate, declaredTemplate, isOfTemplate, platformText } from '../../releases/named-component';
import { laidOver, overlayVerbs, type Named } from '../environment/overlay';

const { environmentPlatforms } = routes;

const nameOf = (work: Work): string => String(work.address['component']);

/** The template that is declared, here or for the design's component, or was by the last run; undefined where nothing says one. */
const typeIn = (work: Work): string | undefined =>
  textAt(work.args, 'type') || textAt(work.known, 'type') || declaredTemplate(work, nameOf(work));

/** Whether a component of the name is the one that is meant: of several of one name, that of the template. */
async function isMeant(record: WireRecord, work: Work): Promise<boolean> {
  const type = typeIn(work);
  if (type === undefined || record.ciId === work.known?.['ciId'] || (await isOfTemplate(work, record, type)))
    return true;
  // A template of environments alone is none of the design: nothing denies that it makes this class.
  return !(await askTemplate(work, type)).ciClassName;
}

const components: Readable = {
  read: environmentPlatforms.component,
  list: environmentPlatforms.components,
  isMeant,
};

async function find(work: Work): Promise<WireRecord | undefined> {
  // The verbs of records go by the argument `name`.
  const named = { ...work, address: { ...work.address, name: nameOf(work) } };
  const record = await readRecord(named, components, ['dependsOn', 'dependents']);
  return record === undefined || isPendingDelete(record) ? undefined : record;
}

async function designed(work: Work, twin: Named): Promise<WireRecord | undefined> {
  const list = await work.api.call(routes.components.list, { address: work.at });
  return list.find((record) => record.ciName === twin.ciName && classTail(record) === classTail(twin));
}

/** The template of a component that nobody declared yet: the one of its name, or the only one of the packaged catalogue that makes its class. */
function typeOf({ ciName, ciClassName }: WireRecord): string | undefined {
  const candidates = templatesOfClass(classTail({ ciClassName }));
  return candidates.includes(ciName) || candidates.length === 0
    ? ciName
    : candidates.length === 1
      ? candidates[0]
      : undefined;
}

/** Has the component deployed again when the text of `touch` is another than that of the last run. */
async function touched(work: Work, live: Live): Promise<Live> {
  const touch = textAt(work.args, 'touch');
  if (touch === '' || touch === textAt(work.known, 'touch')) return live;
  const address = numberedAddress(work, components, live);
  const record = await work.api.call(environmentPlatforms.touchComponent, { address });
  const answer = { ...live, ...liveOf(record, { type: live.wire['type'] ?? null }), origin: live.origin };
  return restamped(answer, live, work.session.clock.now());
}

/** Verbs of the EnvironmentComponent kind. */
export const environmentComponentVerbs: Verbs = overlayVerbs({
  find,
  designed,
  update: environmentPlatforms.updateComponent,
  addressOf: (work, record) => numberedAddress(work, components, record),
  nameOf,
  ownName: 'component',
  missing: (work) =>
    new LifecycleError(
      `${platformText(work)} has no component "${nameOf(work)}"`,
      'name a component of the platform: an environment gives other values to attributes of a component that its design, or its pack, has there',
    ),
  declares: (args) => entryNames(args['attributes']),
  beside: (work, record) => ({ type: typeIn(work) ?? typeOf(record) ?? null }),
  afterWrite: touched,
});

/** Components of an environment's platforms that hold something of their own: two lists for each platform. */
export async function searchComponents(api: Api, at: Address): Promise<readonly FoundRecord[]> {
  const platforms = await api.call(environmentPlatforms.list, { address: at });
  const found = await Promise.all(
    platforms
      .filter((platform) => !isPendingDelete(platform))
      .map(async ({ ciName: platform }) => {
        const address = { ...at, platform };
        const there = await api.call(environmentPlatforms.components, { address });
        const ofDesign = await readOrGone(api, at, () => api.call(routes.components.list, { address }));
        return laidOver(there, ofDesign ?? []).map(({ record, isGiven }) => {
          const isShared = there.some((other) => other !== record && other.ciName === record.ciName);
          return {
            address: { platform, component: record.ciName },
            isGiven,
            ...(isShared ? { number: record.ciId } : {}),
          };
        });
      }),
  );
  return found.flat();
}
