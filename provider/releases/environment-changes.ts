// What is open in an environment: as its open release tells, else as each of its records stands (flows §5.10).
// It must not know whose a change is, what is done about others', nor how a design is pulled.
import { routes, type Record as WireRecord, type Release, type Relation } from '../../api/contract';
import { holderKey } from '../session';
import { readOrGone } from '../verbs/presence';
import type { Work } from '../verbs/verbs';
import { designPart } from './design-changes';
import type { Ownership, Twin } from './environment-ownership';
import { COMPONENT_MARK, named, standingInEnvironment, standingLinks } from './environment-records';
import { declaredTemplate, isOfTemplate } from './named-component';
import { standingSettings } from './open-settings';
import { standing, takenAlong, type Judged, type OpenPlace, type Standing } from './open-changes';
import { allMembers, refreshedPaths } from './sweep';

const MINUTES = 60_000;
const LONGEST = 60;

/** An environment as a place of open changes. The service tells no writer of a link's change: that of its release stands for it. */
export function openEnvironment(work: Work, owns: Ownership): OpenPlace {
  const unlessBorn = async (look: () => Promise<readonly Standing[]>): Promise<readonly Standing[]> =>
    work.session.records.isBorn(holderKey(work.session, 'environment', work.id)) ? [] : look();
  const everything = (): Promise<readonly Standing[]> => standingInEnvironment(work, owns);
  // No list of records tells how platforms are scaled and switched.
  const settings = async (): Promise<readonly Standing[]> => {
    const { relations, opener } = (await openChanges(work)) ?? NOTHING;
    return standingSettings(work, relations, opener);
  };
  return {
    name: 'the environment',
    limit: Number(work.args['timeout'] ?? LONGEST) * MINUTES,
    list: () => unlessBorn(async () => (await openInEnvironment(work, owns)) ?? everything()),
    all: () => unlessBorn(async () => [...(await everything()), ...(await settings())]),
    takeAlong: takenAlong(work, 'the environment'),
    openerOf: async (releaseId) => {
      const address = { ...work.at, release: String(releaseId) };
      return (await work.api.call(routes.environmentReleases.read, { address })).createdBy ?? '';
    },
  };
}

/** Changes of a release, where the service tells them. */
interface Changes {
  readonly records: readonly WireRecord[];
  readonly relations: readonly Relation[];
  /** Who opened the release; empty where the service does not tell. */
  readonly opener: string;
}

const WITH_CHANGES = { include_rfcs: 'true' };
const NOTHING: Changes = { records: [], relations: [], opener: '' };

/**
 * What is open in an environment, as its open release tells; undefined where the service does not tell a release's changes. Only platforms of which
 * the use of a cloud is changed are read by themselves: its texts are held against the environment's.
 */
async function openInEnvironment(work: Work, owns: Ownership): Promise<readonly Standing[] | undefined> {
  // What was committed before a pull without being judged is open no more.
  if (work.session.stages.unjudgedLinks(work.id) !== undefined) return undefined;
  const changes = await openChanges(work);
  if (changes === undefined) return undefined;
  const leaving = new Set(
    changes.records.flatMap((record) => (isPlatform(record) && isLeaving(record) ? [platformOf(record)] : [])),
  );
  const records = changes.records.filter((record) => !leaving.has(platformOf(record)));
  const staying = changes.relations.filter((relation) => !leaving.has(platformOf(relation)));
  const linked = staying
    .filter(({ relationName }) => relationName === 'base.Consumes')
    .map((relation) => platformOf(relation))
    .filter((platform) => platform !== '');
  const platforms = await Promise.all(
    [...new Set(linked)].map((platform) =>
      work.api.call(routes.environmentPlatforms.read, { address: { ...work.at, platform } }),
    ),
  );
  return [
    ...(await standingLinks(work, platforms, owns)),
    ...(await Promise.all(records.map((record) => standingChange(work, owns, record)))),
    ...(await standingSettings(work, staying, changes.opener)),
  ];
}

/** Changes that wait for a commit; undefined where nothing tells them. */
async function openChanges(work: Work): Promise<Changes | undefined> {
  // Where the newest release is a plan (service-facts §13), the timeline tells those of records, at once.
  const isPlan = (await work.api.dialect()) === 'documented';
  const release = isPlan ? await newestInTimeline(work) : await newestRelease(work);
  if (release === undefined || !isManifest(release)) return undefined;
  if (release.releaseState !== 'open') return NOTHING;
  const { rfc_cis: records, rfc_relations: relations } = release;
  return records && relations && { records, relations, opener: release.createdBy ?? '' };
}

const isManifest = ({ nsPath }: { readonly nsPath?: string | null | undefined }): boolean =>
  nsPath?.endsWith('/manifest') === true;

/** The newest release of the environment's records; none when there never was one. */
const newestRelease = (work: Work): Promise<Release | undefined> =>
  readOrGone(work.api, work.at, () =>
    work.api.call(routes.environmentReleases.latest, { address: work.at, query: WITH_CHANGES }),
  );

/** The same where releases are told by the timeline only: the newest one that was not discarded, read anew where it is open. */
async function newestInTimeline(work: Work): Promise<Release | undefined> {
  const events = await work.api.call(routes.environments.timeline, { address: work.at });
  const releases = events.flatMap((event) => ('releaseState' in event && isManifest(event) ? [event as Release] : []));
  const [newest] = releases
    .filter(({ releaseState }) => releaseState !== 'canceled')
    .sort((one, other) => other.releaseId - one.releaseId);
  if (newest?.releaseState !== 'open') return newest;
  const address = { ...work.at, release: String(newest.releaseId) };
  return work.api.call(routes.environmentReleases.read, { address, query: WITH_CHANGES });
}

/** `web` of `/organization/assembly/environment/manifest/web/1`; empty for what lies in no platform. */
const platformOf = ({ nsPath }: { readonly nsPath?: string | null | undefined }): string => nsPath?.split('/')[5] ?? '';

const isPlatform = ({ ciClassName }: WireRecord): boolean => ciClassName === 'manifest.Platform';

const isLeaving = ({ rfcAction, ciState }: WireRecord): boolean =>
  rfcAction === 'delete' || ciState === 'pending_deletion';

/** How a changed record is called and found. */
interface Placed {
  /** `component web/os`, for people. */
  readonly what: string;
  /** As members are named. */
  readonly path: string;
  readonly inDesign: Twin;
}

async function standingChange(work: Work, owns: Ownership, record: WireRecord): Promise<Standing> {
  const { what, path, inDesign } = placedIn(work, record);
  const judge = async (): Promise<Judged> =>
    owns.record((await isNamesake(work, path, record)) ? '' : path, record, inDesign);
  const found = await standing(what, record, judge);
  const part = PARTS[record.ciClassName];
  if (found.own === true || part === undefined) return found;
  // No list of changes tells the component that a record is a part of.
  const platform = platformOf(record);
  const holder = (await designPart(work, platform, part.inDesign, record.ciName))?.component?.ciName;
  return holder === undefined ? found : { ...found, what: `${part.noun} ${platform}/${holder}/${record.ciName}` };
}

/** Whether a component has the name of one of this stack's, and is of another template. */
async function isNamesake(work: Work, path: string, record: WireRecord): Promise<boolean> {
  const platform = platformOf(record);
  if (path !== componentPath(platform, record.ciName) || !(path in allMembers(work))) return false;
  const asking = { ...work, at: { ...work.at, platform } };
  const type = declaredTemplate(asking, record.ciName);
  return type !== undefined && !(await isOfTemplate(asking, record, type));
}

const componentPath = (platform: string, name: string): string => `${platform}/${COMPONENT_MARK}${name}`;

/** What lies in a component. */
interface Part {
  readonly noun: string;
  /** What its name begins with in a member's path. */
  readonly mark: string;
  /** Its class in the design. */
  readonly inDesign: string;
}

const PARTS: { readonly [className: string]: Part | undefined } = {
  'manifest.Attachment': { noun: 'attachment', mark: '', inDesign: 'catalog.Attachment' },
  'manifest.Monitor': { noun: 'monitor', mark: '!', inDesign: 'catalog.Monitor' },
};

function placedIn(work: Work, record: WireRecord): Placed {
  const { ciName: name, ciClassName } = record;
  const platform = platformOf(record);
  const at = { ...work.at, platform };
  const placed = (noun: string, shown: string, path: string, list: () => Promise<readonly WireRecord[]>): Placed => ({
    what: `${noun} ${shown}`,
    path,
    inDesign: named(list)(record),
  });
  const part = PARTS[ciClassName];
  if (part !== undefined)
    return {
      what: `${part.noun} ${platform}/${name}`,
      path: memberOf(work, platform, `${part.mark}${name}`),
      inDesign: () => designPart(work, platform, part.inDesign, name),
    };
  switch (ciClassName) {
    case 'manifest.Platform':
      return placed('platform', name, name, () => work.api.call(routes.platforms.list, { address: at }));
    case 'manifest.Globalvar':
      return placed('variable', `$${name}`, `$${name}`, () =>
        work.api.call(routes.designVariables.list, { address: work.at }),
      );
    case 'manifest.Localvar':
      return placed('variable', `${platform}/$${name}`, `${platform}/$${name}`, () =>
        work.api.call(routes.platformVariables.list, { address: at }),
      );
    default:
      return placed('component', `${platform}/${name}`, componentPath(platform, name), () =>
        work.api.call(routes.components.list, { address: at }),
      );
  }
}

/** The member's path of what lies in a component, whose name is the only one in its platform (service-facts §2.1.6); one of no member where there is none. */
function memberOf(work: Work, platform: string, name: string): string {
  const below = `${platform}/${COMPONENT_MARK}`;
  // Only what commits is given members; a pull knows its stack's records by the refresh that read them.
  const found = [...Object.keys(allMembers(work)), ...refreshedPaths(work)].find((path) => {
    const [component = '', own, ...deeper] = path.startsWith(below) ? path.slice(below.length).split('/') : [];
    return component !== '' && own === name && deeper.length === 0;
  });
  return found ?? `${below}/${name}`;
}
