// Reads every record of an environment, with or without an open change, and its clouds.
import { type EnvironmentPlatform, type Record as WireRecord, type Relation, routes } from '../../api/contract';
import { orNone } from '../../api/errors';
import { isPendingDelete } from '../verbs/live';
import { isTwin } from '../verbs/records';
import type { Work } from '../kind';
import { LINK_BASE, linkTexts, platformsOf } from '../kinds/environment/cloud-links';
import { componentsWithParts } from './design-changes';
import { OWN, type Ownership, type Twin } from './foreign-changes';
import { type Judged, standing, type Standing } from './open-changes';
import { memoryOfStage } from '../session';

/** All records of an environment; reads each list of each of its platforms. */
export async function standingInEnvironment(work: Work, owns: Ownership): Promise<readonly Standing[]> {
  const [platforms, variables] = await Promise.all([
    platformsOf(work, work.at),
    work.api.call(routes.environmentVariables.list, { address: work.at }),
  ]);
  const inside = await Promise.all(platforms.map((platform) => standingInPlatform(work, platform, owns)));
  const ofDesign = named(() => work.api.call(routes.designVariables.list, { address: work.at }));
  const links = await standingLinks(work, platforms, owns);
  const ofEnvironment = variables.map((record) =>
    standing(`variable $${record.ciName}`, record, () => owns.record(`$${record.ciName}`, record, ofDesign(record))),
  );
  return [...links, ...(await Promise.all([...ofEnvironment, ...inside.flat()]))];
}

/** The links of platforms to clouds. */
export async function standingLinks(
  work: Work,
  platforms: readonly EnvironmentPlatform[],
  owns: Ownership,
): Promise<readonly Standing[]> {
  const unjudged = memoryOfStage(work, 'environment').unjudgedLinks;
  const isLinkOpen =
    unjudged !== undefined || platforms.some(({ consumes }) => (consumes ?? []).some(({ rfcAction }) => rfcAction));
  const clouds = isLinkOpen ? (await work.api.call(routes.environments.read, { address: work.at })).clouds : {};
  return platforms.flatMap((platform) =>
    (platform.consumes ?? []).map((link) => standingLink(platform, link, { work, clouds, owns, unjudged })),
  );
}

/** Looks for a record's twin in a list of the design. */
export const named =
  (list: () => Promise<readonly WireRecord[]>) =>
  (of: WireRecord): Twin =>
  async () =>
    (await orNone(list()))?.find((record) => isTwin(record, of));

async function standingInPlatform(
  work: Work,
  platform: EnvironmentPlatform,
  owns: Ownership,
): Promise<readonly Promise<Standing>[]> {
  const { ciName } = platform;
  const at = { ...work.at, platform: ciName };
  const [components, variables] = await Promise.all([
    work.api.call(routes.environmentPlatforms.components, { address: at }),
    work.api.call(routes.environmentPlatformVariables.list, { address: at }),
  ]);
  const all = (
    noun: string,
    place: Place,
    records: readonly WireRecord[],
    list: () => Promise<readonly WireRecord[]>,
  ): readonly Promise<Standing>[] =>
    records.map((record) =>
      standing(`${noun} ${place.shown}${record.ciName}`, record, () =>
        owns.record(`${place.path}${record.ciName}`, record, named(list)(record)),
      ),
    );
  // Only a pull creates attachments and monitors: a component has those of its twin in the design.
  const holders = await componentsWithParts(work, ciName);
  const parts = await Promise.all(
    PARTS.flatMap(({ noun, mark, inDesign, list, designed }) =>
      components
        .filter((component) => !isPendingDelete(component) && holders[inDesign].has(component.ciName))
        .map(async (component) => {
          const place = {
            shown: `${ciName}/${component.ciName}/`,
            path: `${ciName}/${COMPONENT_MARK}${component.ciName}/${mark}`,
          };
          const records = await work.api.call(list, { address: { ...at, component: String(component.ciId) } });
          return all(noun, place, records, () => designParts(work, at, component, designed));
        }),
    ),
  );
  return [
    ...all('platform', { shown: '', path: '' }, [platform], () =>
      work.api.call(routes.platforms.list, { address: at }),
    ),
    ...all('component', { shown: `${ciName}/`, path: `${ciName}/${COMPONENT_MARK}` }, components, () =>
      work.api.call(routes.components.list, { address: at }),
    ),
    ...all('variable', { shown: `${ciName}/$`, path: `${ciName}/$` }, variables, () =>
      work.api.call(routes.platformVariables.list, { address: at }),
    ),
    ...parts.flat(),
  ];
}

/** What precedes a name: in messages, and in a member's path, where a bare name is a cloud's. */
interface Place {
  readonly shown: string;
  readonly path: string;
}

/** The mark before a component's name in a member's path. */
export const COMPONENT_MARK = '+';

/** The sorts of records in components: noun, mark in a member's path, class, and lists. */
const PARTS = [
  {
    noun: 'attachment',
    mark: '',
    inDesign: 'catalog.Attachment',
    list: routes.environmentAttachments.list,
    designed: routes.attachments.list,
  },
  {
    noun: 'monitor',
    mark: '!',
    inDesign: 'catalog.Monitor',
    list: routes.environmentMonitors.list,
    designed: routes.monitors.list,
  },
] as const;

/** The records of the twin that an environment's component has in the design. */
async function designParts(
  work: Work,
  at: Work['at'],
  component: WireRecord,
  list: (typeof PARTS)[number]['designed'],
): Promise<readonly WireRecord[]> {
  const designed = await work.api.call(routes.components.list, { address: at });
  const twin = designed.find((record) => isTwin(record, component));
  if (twin === undefined) return [];
  return work.api.call(list, { address: { ...at, component: String(twin.ciId) } });
}

const isTexts = (value: unknown): value is { readonly [name: string]: string | null } =>
  typeof value === 'object' && value !== null;

/** What the links of an environment are judged by. */
interface LinkSurroundings {
  readonly work: Work;
  /** The environment's own settings of each cloud. */
  readonly clouds: { readonly [cloudId: string]: { readonly [name: string]: string | null } } | null | undefined;
  readonly owns: Ownership;
  readonly unjudged: readonly string[] | undefined;
}

function standingLink(
  platform: EnvironmentPlatform,
  link: Relation,
  { work, clouds, owns, unjudged }: LinkSurroundings,
): Standing {
  const cloud = link.toCi?.ciName ?? String(link.toCiId);
  const isUnjudged = unjudged?.includes(`${platform.ciName}/${cloud}`) === true;
  const action = link.rfcAction ?? (isUnjudged ? 'update' : undefined);
  const own = clouds?.[String(link.toCiId)];
  const before = link['relationBaseAttributes'];
  const texts = linkTexts(link.relationAttributes);
  const { sent } = work.session.own.of(link.ciRelationId);
  const isChanged = (name: string): boolean =>
    isUnjudged ||
    link.rfcAction !== 'update' ||
    (isTexts(before) && name in before && linkTexts(before)[name] !== texts[name]);
  const names = Object.keys(LINK_BASE).filter((name) => isChanged(name) && sent?.[name] !== texts[name]);
  const changed = Object.fromEntries(names.flatMap((name) => (name in texts ? [[name, texts[name] ?? '']] : [])));
  const isNew = link.rfcAction === 'add';
  const [isAdded, isBorn] = [isNew && platform.rfcAction !== 'add', isNew && platform.rfcAction === 'add'];
  const defaults = own && linkTexts(own);
  const judge = (): Judged => owns.link({ platform: platform.ciName, cloud, changed, defaults, isAdded, isBorn });
  return {
    what: `cloud ${cloud} of platform ${platform.ciName}`,
    number: link.ciRelationId,
    action,
    appliedId: Number(link['lastAppliedRfcId'] ?? 0),
    releaseId: link.releaseId ?? 0,
    by: '',
    at: link.updated ?? link.created ?? 0,
    ...(action === undefined || names.length === 0 ? OWN : judge()),
  };
}
