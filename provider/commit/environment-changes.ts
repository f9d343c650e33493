// Open changes of an environment, from its open release or else from each record (flows §5.10): the
// name of each record, and the owner of its change. Also changes of its clouds.
import { isDeepStrictEqual } from 'node:util';
import {
  type EnvironmentPlatform,
  type Record as WireRecord,
  type RecordDifference,
  type Relation,
  type Release,
  type Route,
  routes,
} from '../../api/contract';
import { orNone } from '../../api/errors';
import { platformOf } from '../address/ids';
import { userOf } from '../history/change';
import { nounOf, pathOf } from '../history/committed';
import { newestManifest, textBefore } from '../history/environment-releases';
import type { Work } from '../kind';
import { type LinkTexts, linkTexts, platformsOf } from '../kinds/environment/cloud-links';
import { memoryOf, memoryOfStage } from '../session';
import { askingAnew } from '../session/answers';
import { camelCase } from '../values/field';
import { valueIn } from '../values/plain';
import { coversPath } from '../values/property-path';
import { isPendingDelete } from '../verbs/live';
import { declaredTemplate, isOfTemplate } from '../verbs/named-component';
import { classTail, isTwin } from '../verbs/records';
import { type Foresee, recordsIfAny, withoutWritten } from './design-changes';
import { OWN, type Ownership, ownToDeploy, type Twin } from './foreign-changes';
import { type Judged, type OpenPlace, standing, type Standing, standingRelation } from './open-changes';
import { declaredMember, isOwn, ownPaths, refreshedAt, refreshedPaths } from './own-records';

/** An environment with open changes. Of a link, who opened the release is all that shows. */
export function openEnvironment(work: Work, owns: Ownership): OpenPlace {
  const unlessBorn = async (look: () => Promise<readonly Standing[]>): Promise<readonly Standing[]> =>
    memoryOfStage(work, 'environment').isBorn ? [] : look();
  const everything = async (): Promise<readonly Standing[]> => {
    work.session.answers.lookAgain(work.at, true);
    const records = await standingInEnvironment(work, owns);
    return [...records, ...(await besideRecords(work, records))];
  };
  return {
    list: () => unlessBorn(async () => (await openInEnvironment(work, owns)) ?? everything()),
    all: () => unlessBorn(everything),
  };
}

/** What a deployment may commit, before a run writes: without the values that the run writes. */
export function ownBeforeWrites(work: Work, foresee: Foresee): Ownership {
  const owns = ownToDeploy(work);
  const { inputs, known } = memoryOfStage(work, 'environment');
  // An environment that changes its clouds writes the links of all its platforms.
  const writesLinks = !isDeepStrictEqual(inputs?.['clouds'], known?.['clouds']);
  const unlessOverwritten = ({ overwrite, ...rest }: Judged): Judged => (overwrite === undefined ? rest : OWN);
  return {
    record: async (path, record, inDesign) => {
      if (record.rfcAction !== 'update' && isOwn(work, 'environment', path)) return OWN;
      const left = await withoutWritten(work, 'environment', path, record, foresee);
      return unlessOverwritten(await owns.record(path, left, inDesign));
    },
    link: (link) => {
      const member = declaredMember(work, 'environment', `${link.platform}/${link.cloud}`);
      const isWritten = member && memoryOf(work.session, member.of, member.work.address).isChanged === true;
      const changed = Object.entries(link.changed).filter(([name]) => !writesLinks || member?.declared.has(name));
      if (isWritten || changed.length === 0) return OWN;
      return unlessOverwritten(owns.link({ ...link, changed: Object.fromEntries(changed) }));
    },
  };
}

/** The same, where its open release lists its changes: nothing is open elsewhere. */
export const listedEnvironment = (work: Work, owns: Ownership): OpenPlace => ({
  ...openEnvironment(work, owns),
  list: async () => (await openInEnvironment(work, owns)) ?? [],
});

/** The same of links that cloud configurations give values: a pull leaves them to the deployment. */
export const configuredLinks = (work: Work, owns: Ownership): OpenPlace => {
  const isConfigured = ({ platform, cloud }: Parameters<Ownership['link']>[0]): boolean =>
    declaredMember(work, 'environment', `${platform}/${cloud}`) !== undefined;
  const link: Ownership['link'] = (each) => (isConfigured(each) ? owns.link(each) : OWN);
  return {
    ...openEnvironment(work, owns),
    list: async () => (await openInEnvironment(work, { ...owns, link }, true)) ?? [],
  };
};

/**
 * The open changes of an environment, from its open release; undefined when the service does not
 * list them. Platforms with a changed link are read, to compare it with the environment's.
 */
async function openInEnvironment(
  work: Work,
  owns: Ownership,
  isOfLinks = false,
): Promise<readonly Standing[] | undefined> {
  // A link that was committed before a pull without being judged is no longer open.
  if (memoryOfStage(work, 'environment').unjudgedLinks !== undefined) return undefined;
  const release = await newestManifest(work, 'open');
  if (release && release.releaseState !== 'open') return [];
  const { rfc_cis: all, rfc_relations: relations, createdBy } = release ?? {};
  if (all === undefined || relations === undefined) return undefined;
  const leaving = new Set(
    all.flatMap((record) =>
      record.ciClassName === 'manifest.Platform' && isPendingDelete(record) ? [platformOf(record)] : [],
    ),
  );
  const records = all.filter((record) => !leaving.has(platformOf(record)) && !isCreatedAgain(record, all));
  const staying = relations.filter((relation) => !leaving.has(platformOf(relation)));
  const linked = staying
    .filter(({ relationName }) => relationName === 'base.Consumes')
    .map((relation) => platformOf(relation))
    .filter((platform) => platform !== '');
  const platforms = await Promise.all(
    [...new Set(linked)].map((platform) =>
      askingAnew(work.api).call(routes.environmentPlatforms.read, { address: { ...work.at, platform } }),
    ),
  );
  const links = await standingLinks(work, platforms, owns);
  if (isOfLinks) return links;
  return [
    ...links,
    ...(await Promise.all(records.map((record) => standingRecord(work, owns, { record })))),
    ...(await standingSettings(work, staying, createdBy ?? '')),
  ];
}

/** What no list of records shows: how platforms are scaled and switched. `shown`: the records. */
async function besideRecords(work: Work, shown: readonly Standing[]): Promise<readonly Standing[]> {
  const release = await newestManifest(work, 'open');
  if (release?.releaseState !== 'open') return [];
  const { rfc_cis: records, rfc_relations: relations, createdBy } = release;
  if (!records || !relations) return standingUnlisted(work, release, shown);
  return standingSettings(work, relations, createdBy ?? '');
}

/** Whether a part moves by a pull to another component: it is then judged by what the pull adds. */
const isCreatedAgain = (record: WireRecord, all: readonly WireRecord[]): boolean =>
  partOf(record) !== undefined &&
  isPendingDelete(record) &&
  all.some(({ rfcAction, ciClassName, ciName, nsPath }) =>
    [rfcAction === 'add', ciClassName === record.ciClassName, ciName === record.ciName, nsPath === record.nsPath].every(
      Boolean,
    ),
  );

/**
 * The scaling that others changed, and an entry for another user's release, which contains a change
 * that nothing shows, or may do so. `shown`: what the lists of records show.
 */
async function standingUnlisted(
  work: Work,
  release: Release,
  shown: readonly Standing[],
): Promise<readonly Standing[]> {
  const scalings = await openScalings(work);
  const opener = release.createdBy ?? '';
  const isOurs = opener === (await userOf(work));
  const others = await standingSettings(work, scalings, isOurs ? '' : opener);
  const isExplained =
    scalings.length > 0 ||
    shown.some(({ action, who, begunBy }) => action !== undefined && (who === '' || [who, begunBy].includes(opener)));
  if (opener !== '' && !isOurs) return [...others, hiddenIn(release, opener, isExplained)];
  // Before a pull nothing shows what is declared, and a killed run of ours may have scaled them.
  return isOurs && isBeforePull(work) ? others.map((each) => ({ ...each, own: 'unclear' })) : others;
}

const isBeforePull = ({ args }: Work): boolean => args['stamps'] === undefined;

/** Relations with an open change of scaling, one GET a platform. They name their maker only. */
async function openScalings(work: Work): Promise<readonly Relation[]> {
  const platforms = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const scalable = await Promise.all(
    platforms
      .filter((platform) => !isPendingDelete(platform))
      .map(({ ciName: platform }) =>
        work.api.call(routes.environmentPlatforms.edit, { address: { ...work.at, platform } }),
      ),
  );
  return scalable
    .flatMap(({ depends_on: relations }) => relations)
    .filter(({ rfcAction }) => rfcAction)
    .map((relation) => ({ ...relation, createdBy: '', updatedBy: '' }));
}

const hiddenIn = ({ releaseId, created }: Release, who: string, isExplained: boolean): Standing => ({
  what: `${isExplained ? 'perhaps another' : 'a'} change in release ${releaseId} that the service does not list, for example whether a platform is enabled`,
  number: releaseId,
  action: 'update',
  appliedId: 0,
  releaseId,
  who,
  when: created ?? 0,
  own: isExplained ? 'unclear' : false,
});

interface Setting {
  readonly relation: Relation;
  readonly platform: string;
  readonly what: string;
  /** Paths of the arguments of the platform's record that it changes, with their new texts. */
  readonly texts: readonly (readonly [steps: readonly string[], text: string])[];
}

/**
 * Others' changes of scaling, and of switches that are otherwise than declared, by default on.
 * `opener`: who opened the release, for changes that name nobody.
 */
async function standingSettings(
  work: Work,
  relations: readonly Relation[],
  opener: string,
): Promise<readonly Standing[]> {
  const settings = [...(await scalings(work, relations)), ...(await switches(work, relations))];
  const found = await Promise.all(settings.map((setting) => standingSetting(work, setting, opener)));
  return found.filter(({ own, isWrittenAgain }) => own !== true || isWrittenAgain);
}

async function scalings(work: Work, relations: readonly Relation[]): Promise<readonly Setting[]> {
  const scaled = relations.filter(
    (relation) =>
      relation.relationName === 'manifest.DependsOn' && relation.rfcAction === 'update' && setIn(relation).length > 0,
  );
  const names = new Map<number, string>();
  for (const platform of new Set(scaled.map(platformOf))) {
    const components = await work.api.call(routes.environmentPlatforms.components, {
      address: { ...work.at, platform },
    });
    for (const { ciId, ciName } of components) names.set(ciId, ciName);
  }
  return scaled.map((relation) => {
    const component = names.get(relation.toCiId) ?? String(relation.toCiId);
    const texts = relation.relationAttributes;
    return {
      relation,
      platform: platformOf(relation),
      what: `scaling of ${component} in platform ${platformOf(relation)}`,
      texts: setIn(relation).map((name) => [['scale', component, camelCase(name)], texts[name] ?? '']),
    };
  });
}

/** Names of the values that a change sets; without the value before, those that are locked. */
function setIn(relation: Relation): readonly string[] {
  const { relationAttributes: texts, relationAttrProps } = relation;
  return Object.keys(texts).filter((name) => {
    const before = textBefore(relation, name);
    return before === undefined ? relationAttrProps?.owner?.[name] === 'manifest' : before !== texts[name];
  });
}

async function switches(work: Work, relations: readonly Relation[]): Promise<readonly Setting[]> {
  const switched = relations.filter(
    ({ relationName, rfcAction, relationAttributes }) =>
      relationName === 'manifest.ComposedOf' &&
      rfcAction === 'update' &&
      ['true', 'false'].includes(relationAttributes['enabled'] ?? ''),
  );
  if (switched.length === 0) return [];
  const platforms = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  return switched.flatMap((relation) => {
    const platform = platforms.find(({ ciId }) => ciId === relation.toCiId)?.ciName;
    const enabled = relation.relationAttributes['enabled'] ?? '';
    if (platform === undefined) return [];
    // Before a pull nothing shows what is declared of the platforms.
    const declared = declaredAt(work, platform, ['enabled']) ?? (isBeforePull(work) ? undefined : true);
    if (declared === (enabled === 'true')) return [];
    return [{ relation, platform, what: `platform ${platform}`, texts: [[['enabled'], enabled]] }];
  });
}

const declaredAt = (work: Work, platform: string, steps: readonly string[]): unknown =>
  withoutIgnored(work, platform, steps, declaredMember(work, 'environment', platform)?.work.args);

/** A value of a platform's record; undefined where this run ignores it. */
function withoutIgnored(work: Work, platform: string, steps: readonly string[], values: unknown): unknown {
  const ignored = declaredMember(work, 'environment', platform)?.ignored ?? [];
  return ignored.some((path) => coversPath(path, steps)) ? undefined : valueIn(values, steps);
}

async function standingSetting(work: Work, setting: Setting, opener: string): Promise<Standing> {
  const { relation, what } = setting;
  const who = relation.updatedBy || relation.createdBy || opener;
  return standingRelation(
    what,
    relation,
    { who },
    who === (await userOf(work)) ? { own: true } : judged(work, setting),
  );
}

/** Another user's change is ours if it is what we declare, or was refreshed and is reset. */
function judged(work: Work, { platform, texts }: Setting): Judged {
  const before = refreshedAt(work, platform)?.known;
  const differing = texts.filter(([steps, text]) => String(declaredAt(work, platform, steps)) !== text);
  const foreign = differing.filter(([steps]) => withoutIgnored(work, platform, steps, before) === undefined);
  const detail = (foreign.length === 0 ? differing : foreign)
    .map(([steps, text]) => {
      const own = declaredAt(work, platform, steps);
      return `${steps.at(-1)} there "${text}"${own === undefined ? '' : `, declared ${JSON.stringify(own)}`}`;
    })
    .join('; ');
  if (foreign.length > 0) return { own: false, detail };
  return differing.length === 0 ? { own: true } : { own: true, isWrittenAgain: true, detail };
}

/** All records of an environment; reads each list of each of its platforms. */
async function standingInEnvironment(work: Work, owns: Ownership): Promise<readonly Standing[]> {
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
async function standingRecord(work: Work, owns: Ownership, { record, holder }: InEnvironment): Promise<Standing> {
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
const partOf = ({ ciClassName }: WireRecord): Part | undefined =>
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
      what: `${noun} ${pathOf(record, holder?.ciName)}`,
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
async function standingLinks(
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
      const isOffline = link.relationAttributes['adminstatus'] === 'offline';
      const place = { platform, cloud, isOffline, isAdded: isNew && !isBorn, isBorn };
      const judge = (): Judged => owns.link({ ...place, changed, defaults: own && linkTexts(own) });
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
