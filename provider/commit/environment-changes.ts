// The open changes of an environment: from its open release, or else from each of its records (flows §5.10).
import { routes, type Record as WireRecord, type Release, type Relation } from '../../api/contract';
import { holderKey } from '../session';
import { readOrGone } from '../verbs/presence';
import type { Work } from '../model';
import { designPart } from './design-changes';
import type { Ownership, Twin } from './environment-ownership';
import { COMPONENT_MARK, named, standingInEnvironment, standingLinks } from './environment-records';
import { declaredTemplate, isOfTemplate } from '../verbs/named-component';
import { standingSettings } from './open-settings';
import { standingUnlisted } from './unlisted-changes';
import { standing, takenAlong, type Judged, type OpenPlace, type Standing } from './open-changes';
import { isOwn, ownPaths, refreshedPaths } from './own-records';
import { platformOf } from '../address/namespace';

const MINUTES = 60_000;
const LONGEST = 60;

/** An environment as a place of open changes. The service does not show who changed a link, so the user who opened the release is named. */
export function openEnvironment(work: Work, owns: Ownership): OpenPlace {
  const unlessBorn = async (look: () => Promise<readonly Standing[]>): Promise<readonly Standing[]> =>
    work.session.records.isBorn(holderKey('environment', work.id)) ? [] : look();
  const everything = async (): Promise<readonly Standing[]> => {
    const records = await standingInEnvironment(work, owns);
    return [...records, ...(await besideRecords(work, records))];
  };
  return {
    name: 'the environment',
    limit: Number(work.args['timeout'] ?? LONGEST) * MINUTES,
    list: () => unlessBorn(async () => (await openInEnvironment(work, owns)) ?? everything()),
    all: () => unlessBorn(everything),
    takeAlong: takenAlong(work, 'the environment'),
    openerOf: async (releaseId) => {
      const address = { ...work.at, release: String(releaseId) };
      return (await work.api.call(routes.environmentReleases.read, { address })).createdBy ?? '';
    },
  };
}

/** Changes of a release. */
interface Changes {
  readonly records: readonly WireRecord[];
  readonly relations: readonly Relation[];
  /** Who opened the release; empty when the service does not show it. */
  readonly opener: string;
}

const WITH_CHANGES = { include_rfcs: 'true' };
const NOTHING: Changes = { records: [], relations: [], opener: '' };

/**
 * The open changes of an environment, from its open release; undefined when the service does not list the changes of a release. Only platforms with
 * a changed cloud link are read separately, to compare the texts of the link with those of the environment.
 */
async function openInEnvironment(work: Work, owns: Ownership): Promise<readonly Standing[] | undefined> {
  // A link that was committed before a pull without being judged is no longer open.
  if (work.session.stages.unjudgedLinks(work.id) !== undefined) return undefined;
  const changes = await openChanges(work);
  if (changes === undefined) return undefined;
  const leaving = new Set(
    changes.records.flatMap((record) => (isPlatform(record) && isLeaving(record) ? [platformOf(record)] : [])),
  );
  const records = changes.records.filter(
    (record) => !leaving.has(platformOf(record)) && !isCreatedAgain(record, changes.records),
  );
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

/** What no list of records shows: how platforms are scaled and switched. `shown`: the records. */
async function besideRecords(work: Work, shown: readonly Standing[]): Promise<readonly Standing[]> {
  const release = await newestManifest(work);
  if (release === undefined) return [];
  const changes = changesIn(release);
  if (changes === undefined) return standingUnlisted(work, release, shown);
  return standingSettings(work, changes.relations, changes.opener);
}

/** Changes that wait for a commit; undefined when the service does not list them. */
async function openChanges(work: Work): Promise<Changes | undefined> {
  const release = await newestManifest(work);
  return release && changesIn(release);
}

function changesIn({
  releaseState,
  rfc_cis: records,
  rfc_relations: relations,
  createdBy,
}: Release): Changes | undefined {
  if (releaseState !== 'open') return NOTHING;
  return records && relations && { records, relations, opener: createdBy ?? '' };
}

/** The newest release of the environment's records, with its changes when the service lists them; undefined when none is known. */
async function newestManifest(work: Work): Promise<Release | undefined> {
  // In the dialect whose newest release is a plan (service-facts §13), the timeline shows releases of records.
  const isPlan = (await work.api.dialect()) === 'documented';
  const release = isPlan ? await newestInTimeline(work) : await newestRelease(work);
  return release && isManifest(release) ? release : undefined;
}

const isManifest = ({ nsPath }: { readonly nsPath?: string | null | undefined }): boolean =>
  nsPath?.endsWith('/manifest') === true;

/** The newest release of the environment's records; undefined when there never was one. */
const newestRelease = (work: Work): Promise<Release | undefined> =>
  readOrGone(work.api, work.at, () =>
    work.api.call(routes.environmentReleases.latest, { address: work.at, query: WITH_CHANGES }),
  );

/** The same from the timeline: the newest release that was not discarded, read separately when it is open. */
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

const isPlatform = ({ ciClassName }: WireRecord): boolean => ciClassName === 'manifest.Platform';

const isLeaving = ({ rfcAction, ciState }: WireRecord): boolean =>
  rfcAction === 'delete' || ciState === 'pending_deletion';

/** Whether a part of a component leaves with it while a pull adds it to another component: that change is then judged by what it adds. */
const isCreatedAgain = (record: WireRecord, all: readonly WireRecord[]): boolean =>
  record.ciClassName in PARTS &&
  isLeaving(record) &&
  all.some(({ rfcAction, ciClassName, ciName, nsPath }) =>
    [rfcAction === 'add', ciClassName === record.ciClassName, ciName === record.ciName, nsPath === record.nsPath].every(
      Boolean,
    ),
  );

/** The name of a changed record, and where it is. */
interface Placed {
  /** `component web/os`, for messages. */
  readonly what: string;
  /** Its path among the members. */
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
  // A list of changes does not name the component of an attachment or a monitor.
  const platform = platformOf(record);
  const holder = (await designPart(work, platform, part.inDesign, record.ciName))?.component?.ciName;
  return holder === undefined ? found : { ...found, what: `${part.noun} ${platform}/${holder}/${record.ciName}` };
}

/** Whether a component has the name of a component of this stack, but another template. */
async function isNamesake(work: Work, path: string, record: WireRecord): Promise<boolean> {
  const platform = platformOf(record);
  if (path !== componentPath(platform, record.ciName) || !isOwn(work, 'environment', path)) return false;
  const asking = { ...work, at: { ...work.at, platform } };
  const type = declaredTemplate(asking, record.ciName);
  return type !== undefined && !(await isOfTemplate(asking, record, type));
}

const componentPath = (platform: string, name: string): string => `${platform}/${COMPONENT_MARK}${name}`;

/** A sort of record that belongs to a component. */
interface Part {
  readonly noun: string;
  /** The mark before its name in a member's path. */
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

/** The member's path of a part, whose name is unique in its platform (service-facts §2.1.6); a path that no member has when there is none. */
function memberOf(work: Work, platform: string, name: string): string {
  const below = `${platform}/${COMPONENT_MARK}`;
  // Only kinds that commit have members; for a pull, the records of the stack are those that a refresh has read.
  const found = [...ownPaths(work, 'environment'), ...refreshedPaths(work)].find((path) => {
    const [component = '', own, ...deeper] = path.startsWith(below) ? path.slice(below.length).split('/') : [];
    return component !== '' && own === name && deeper.length === 0;
  });
  return found ?? `${below}/${name}`;
}
