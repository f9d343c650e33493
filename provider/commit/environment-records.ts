// The records of an environment, with or without an open change: what each is called, whose its
// change is, and its clouds.
import {
  type EnvironmentPlatform,
  type Record as WireRecord,
  type RecordDifference,
  type Relation,
  type Route,
  routes,
} from '../../api/contract';
import { orNone } from '../../api/errors';
import { platformOf } from '../address/ids';
import { isPendingDelete } from '../verbs/live';
import { declaredTemplate, isOfTemplate } from '../verbs/named-component';
import { nounOf, pathOf } from '../history/committed';
import { classTail, isTwin } from '../verbs/records';
import type { Work } from '../kind';
import { type LinkTexts, linkTexts, platformsOf } from '../kinds/environment/cloud-links';
import { recordsIfAny } from './design-changes';
import { OWN, type Ownership, type Twin } from './foreign-changes';
import { type Judged, standing, type Standing, standingRelation } from './open-changes';
import { isOwn, ownPaths, refreshedPaths } from './own-records';
import { memoryOfStage } from '../session';

/** All records of an environment; reads each list of each of its platforms. */
export async function standingInEnvironment(work: Work, owns: Ownership): Promise<readonly Standing[]> {
  const [platforms, variables] = await Promise.all([
    platformsOf(work, work.at),
    work.api.call(routes.environmentVariables.list, { address: work.at }),
  ]);
  const inside = await Promise.all(platforms.map((platform) => recordsOf(work, platform)));
  const links = await standingLinks(work, platforms, owns);
  const all: readonly InEnvironment[] = [...variables.map((record) => ({ record })), ...inside.flat()];
  return [...links, ...(await Promise.all(all.map((each) => standingRecord(work, owns, each))))];
}

/** A record of an environment, and the name of its component, where the list shows it. */
interface InEnvironment {
  readonly record: WireRecord;
  readonly holder?: WireRecord;
}

async function recordsOf(work: Work, platform: EnvironmentPlatform): Promise<readonly InEnvironment[]> {
  const address = { ...work.at, platform: platform.ciName };
  const [components, variables] = await Promise.all([
    work.api.call(routes.environmentPlatforms.components, { address }),
    work.api.call(routes.environmentPlatformVariables.list, { address }),
  ]);
  // Only a pull creates attachments and monitors: a component has those of its twin in the design.
  const designed = await recordsIfAny(work, platform.ciName);
  const hasTwin = (ciClassName: string, holder: WireRecord): boolean =>
    designed.some((each) => classTail(each) === classTail({ ciClassName }) && isIn(each, holder));
  const parts = await Promise.all(
    Object.entries(PARTS).flatMap(([ciClassName, { list }]) =>
      components
        .filter((component) => !isPendingDelete(component) && hasTwin(ciClassName, component))
        .map(async (holder) => {
          const records = await work.api.call(list, { address: { ...address, component: String(holder.ciId) } });
          return records.map((record) => ({ record, holder }));
        }),
    ),
  );
  return [...[platform, ...components, ...variables].map((record) => ({ record })), ...parts.flat()];
}

/** A record of an environment; only one with an open change is judged. */
export async function standingRecord(
  work: Work,
  owns: Ownership,
  { record, holder }: InEnvironment,
): Promise<Standing> {
  const { what, path, inDesign } = placedIn(work, record, holder);
  const judge = async (): Promise<Judged> =>
    owns.record((await isNamesake(work, path, record)) ? '' : path, record, inDesign);
  const found = await standing(what, record, judge);
  const part = partOf(record);
  if (found.own === true || part === undefined || holder !== undefined) return found;
  // A list of changes does not name the component of an attachment or a monitor.
  const { component } = (await twinOfPart(work, record)) ?? {};
  return !component ? found : { ...found, what: placedIn(work, record, component).what };
}

/** Whether a component has the name of a component of this stack, but another template. */
async function isNamesake(work: Work, path: string, record: WireRecord): Promise<boolean> {
  const platform = platformOf(record);
  if (path !== componentPath(platform, record.ciName) || !isOwn(work, 'environment', path)) return false;
  const asking = { ...work, at: { ...work.at, platform } };
  const type = declaredTemplate(asking, record.ciName);
  return type !== undefined && !(await isOfTemplate(asking, record, type));
}

/** In a member's path, where a bare name is a cloud's. */
const componentPath = (platform: string, name: string): string => `${platform}/+${name}`;

/** The sorts of records in components: their mark in a member's path, and their list. */
const PARTS = {
  'manifest.Attachment': { mark: '', list: routes.environmentAttachments.list },
  'manifest.Monitor': { mark: '!', list: routes.environmentMonitors.list },
} as const;

/** Lists of a design with what a pull copies of other classes than components. */
const DESIGNED: { readonly [className: string]: Route | undefined } = {
  'manifest.Platform': routes.platforms.list,
  'manifest.Globalvar': routes.designVariables.list,
  'manifest.Localvar': routes.platformVariables.list,
};

type Part = (typeof PARTS)[keyof typeof PARTS];

/** The sort of a record that belongs to a component. */
export const partOf = ({ ciClassName }: WireRecord): Part | undefined =>
  (PARTS as { readonly [className: string]: Part | undefined })[ciClassName];

/** Whether a record of a design is in the component of which another one is the twin. */
const isIn = ({ component }: RecordDifference, holder: WireRecord): boolean =>
  component ? isTwin(component, holder) : false;

/** The record of the design that a pull copies. `holder`: only in this component. */
const twinOfPart = async (work: Work, record: WireRecord, holder?: WireRecord) =>
  (await recordsIfAny(work, platformOf(record))).find(
    (each) => isTwin(each, record) && (holder === undefined || isIn(each, holder)),
  );

interface Placed {
  /** `component web/os`, for messages. */
  readonly what: string;
  /** Its path among the members. */
  readonly path: string;
  readonly inDesign: Twin;
}

function placedIn(work: Work, record: WireRecord, holder?: WireRecord): Placed {
  const { ciName: name, ciClassName } = record;
  const [noun, platform, part] = [nounOf(record), platformOf(record), partOf(record)];
  if (part !== undefined) {
    const own = `${part.mark}${name}`;
    return {
      what: `${noun} ${platform}/${holder === undefined ? '' : `${holder.ciName}/`}${name}`,
      path: holder === undefined ? memberOf(work, platform, own) : `${componentPath(platform, holder.ciName)}/${own}`,
      inDesign: () => twinOfPart(work, record, holder),
    };
  }
  const list = DESIGNED[ciClassName] ?? routes.components.list;
  return {
    what: `${noun} ${pathOf(record)}`,
    path: noun === 'component' ? componentPath(platform, name) : pathOf(record),
    inDesign: async () => {
      const designed = await orNone(work.api.call(list, { address: { ...work.at, platform } }));
      return (designed as readonly WireRecord[] | undefined)?.find((each) => isTwin(each, record));
    },
  };
}

/** A part's path among the members, by its unique name (service-facts §2.1.6), or one of none. */
function memberOf(work: Work, platform: string, name: string): string {
  const below = componentPath(platform, '');
  // Only kinds that commit have members; for a pull, the stack's records are those refreshed.
  const found = [...ownPaths(work), ...refreshedPaths(work)].find((path) => {
    const [component = '', own, ...deeper] = path.startsWith(below) ? path.slice(below.length).split('/') : [];
    return component !== '' && own === name && deeper.length === 0;
  });
  return found ?? `${below}/${name}`;
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
  // The environment's own settings of each cloud.
  const clouds = isLinkOpen ? (await work.api.call(routes.environments.read, { address: work.at })).clouds : {};
  return platforms.flatMap(({ ciName: platform, rfcAction, consumes }) =>
    (consumes ?? []).map((link) => {
      const cloud = link.toCi?.ciName ?? String(link.toCiId);
      const isUnjudged = unjudged?.includes(`${platform}/${cloud}`) === true;
      const changed = changedTexts(work, link, isUnjudged);
      const own = clouds?.[String(link.toCiId)];
      const isNew = link.rfcAction === 'add';
      const isBorn = isNew && rfcAction === 'add';
      const judge = (): Judged =>
        owns.link({ platform, cloud, changed, defaults: own && linkTexts(own), isAdded: isNew && !isBorn, isBorn });
      const action = link.rfcAction ?? (isUnjudged ? 'update' : undefined);
      const isSet = action !== undefined && Object.keys(changed).length > 0;
      return standingRelation(
        `cloud ${cloud} of platform ${platform}`,
        link,
        { action, who: '' },
        isSet ? judge() : OWN,
      );
    }),
  );
}

/** The texts of a link that its change sets, all of one that is to be judged, without this run's. */
function changedTexts(work: Work, link: Relation, isAll: boolean): LinkTexts {
  const before = Object(link['relationBaseAttributes']) as LinkTexts;
  const texts = linkTexts(link.relationAttributes);
  const { sent } = work.session.own.of(link.ciRelationId);
  const isChanged = (name: string): boolean =>
    isAll || link.rfcAction !== 'update' || (name in before && linkTexts(before)[name] !== texts[name]);
  return Object.fromEntries(Object.entries(texts).filter(([name, text]) => isChanged(name) && sent?.[name] !== text));
}
