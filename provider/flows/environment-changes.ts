// What is open in an environment: its variables, its platforms' clouds and records, and whether each change is this stack's (flows §5.10).
// It must not know what is done about others' changes, nor how a design is pulled.
import { routes, type EnvironmentPlatform, type Record as WireRecord, type Relation } from '../../api/contract';
import { compareMembers } from '../members';
import { NotFound } from '../../api/errors';
import { subjectKey } from '../session';
import { isPendingDelete } from '../verbs/live';
import type { Work } from '../verbs/verbs';
import { LINK_BASE, linkTexts, platformsOf, type LinkTexts } from './cloud-links';
import { declaredLinks, linksIn } from './environment-clouds';
import { standing, userOf, writerOf, type OpenPlace, type Own, type Standing } from './open-changes';
import { allMembers } from './sweep';

const MINUTES = 60_000;
const LONGEST = 60;

/** The record of the same name and place in the design, if there is one. */
type Twin = () => Promise<WireRecord | undefined>;

/** Whose a change of an environment is. */
export interface Ownership {
  /** `inDesign` asks for the record of the design that a pull brings it from. */
  record(record: WireRecord, inDesign: Twin): Own | Promise<Own>;
  /** A variable of the environment itself. */
  variable(record: WireRecord, inDesign: Twin): Own | Promise<Own>;
  /** `changed` are the texts the change gives the link; `defaults` those of the environment's own link to that cloud. */
  link(platform: string, cloud: string, changed: LinkTexts, defaults: LinkTexts | undefined, isNew: boolean): Own;
}

/** An environment as a place of open changes. The service tells no writer of a link's change: that of its release stands for it. */
export function openEnvironment(work: Work, owns: Ownership): OpenPlace {
  return {
    name: 'the environment',
    limit: Number(work.args['timeout'] ?? LONGEST) * MINUTES,
    list: () => standingInEnvironment(work, owns),
    openerOf: async (releaseId) => {
      const address = { ...work.at, release: String(releaseId) };
      return (await work.api.call(routes.environmentReleases.read, { address })).createdBy ?? '';
    },
  };
}

/**
 * What a deployment may commit: its members, of the last run and of this one, and, where its environment was written since, what a pull
 * brought and what the environment's clouds came to. A pull never touches what an owner `manifest` locks (wire-facts §2.1.5).
 */
export function ownToDeploy(work: Work): Ownership {
  const members = allMembers(work);
  const { removed, written } = compareMembers(work.known?.['members'], work.args['members']);
  // What an interrupted run pulled is known by what it did not come to: its deployment's end, or the reset of what left.
  const isEnded = work.known?.['state'] === 'complete' && removed.length === 0;
  const isWritten = !isEnded || written.includes('environment') || work.session.pulled.has(work.id);
  const isPulled = (record: WireRecord): boolean => isWritten && !isByHand(record);
  const clouds = Array.isArray(work.args['clouds']) ? (work.args['clouds'] as readonly unknown[]) : undefined;
  return {
    record: isPulled,
    variable: (record) => `$${record.ciName}` in members || isPulled(record),
    link: (platform, cloud, changed, defaults, isNew) =>
      `${platform}/${cloud}` in members ||
      (isWritten &&
        (follows(changed, defaults) ||
          isLeaving(changed, clouds, cloud) ||
          // It came with the pull, or with the environment's cloud.
          (isNew && clouds?.includes(cloud) !== false))),
  };
}

/**
 * What may be committed before a pull, as an interrupted run of ours left it open: changes of the same user, what this environment declares of
 * its clouds, or did, and what the pull brings all the same, whoever pulled it. Members are not known here, so that of others' changes to what
 * members are, variables and cloud configurations, nobody can say whether they are declared.
 */
export async function ownLeftovers(work: Work): Promise<Ownership> {
  const user = await userOf(work);
  const isOurs = async (record: WireRecord, inDesign: Twin): Promise<boolean> =>
    writerOf(record) === user || record.rfcAction !== 'update' || isAsDesigned(record, await inDesign());
  const configured = [work.args, work.known ?? {}].flatMap((args) => (args['configured'] ?? []) as readonly string[]);
  const wanted = [declaredLinks(work), linksIn(work.known)];
  const names = wanted[0] && [...wanted[0].keys()];
  return {
    record: isOurs,
    variable: async (record, inDesign) => (await isOurs(record, inDesign)) || 'unclear',
    link: (platform, cloud, changed, defaults) =>
      configured.some((path) => path.startsWith(`${platform}/${cloud}/`)) ||
      [defaults, ...wanted.map((links) => links?.get(cloud))].some((links) => follows(changed, links)) ||
      isLeaving(changed, names, cloud) ||
      'unclear',
  };
}

/** Whether somebody set one of the values that a change brings, and locked it against pulls. */
function isByHand({ rfcAction, ciBaseAttributes, ciAttrProps }: WireRecord): boolean {
  const owners = ciAttrProps?.owner ?? {};
  return rfcAction === 'update' && Object.keys(ciBaseAttributes ?? {}).some((name) => owners[name] === 'manifest');
}

/** Whether every value that a change brings is the committed one of the design. */
function isAsDesigned({ ciBaseAttributes, ciAttributes }: WireRecord, designed: WireRecord | undefined): boolean {
  if (designed === undefined) return false;
  const committed = { ...designed.ciAttributes, ...designed.ciBaseAttributes };
  const changed = Object.keys(ciBaseAttributes ?? {});
  return changed.length > 0 && changed.every((name) => (committed[name] ?? '') === (ciAttributes[name] ?? ''));
}

const follows = (changed: LinkTexts, defaults: LinkTexts | undefined): boolean =>
  defaults !== undefined && Object.entries(changed).every(([name, text]) => defaults[name] === text);

const isLeaving = (changed: LinkTexts, declared: readonly unknown[] | undefined, cloud: string): boolean =>
  changed['adminstatus'] === 'offline' && declared !== undefined && !declared.includes(cloud);

async function standingInEnvironment(work: Work, owns: Ownership): Promise<readonly Standing[]> {
  if (work.session.born.has(subjectKey({ token: 'Environment' }, work.id))) return [];
  const [platforms, variables] = await Promise.all([
    platformsOf(work, work.at),
    work.api.call(routes.environmentVariables.list, { address: work.at }),
  ]);
  const isLinkOpen = platforms.some(({ consumes }) => (consumes ?? []).some(({ rfcAction }) => rfcAction));
  const clouds = isLinkOpen ? (await work.api.call(routes.environments.read, { address: work.at })).clouds : {};
  const inside = await Promise.all(platforms.map((platform) => standingInPlatform(work, platform, owns)));
  const ofDesign = named(() => work.api.call(routes.designVariables.list, { address: work.at }));
  const links = platforms.flatMap((platform) =>
    (platform.consumes ?? []).map((link) => standingLink(platform, link, clouds, owns)),
  );
  const ofEnvironment = variables.map((record) =>
    standing(`variable $${record.ciName}`, record, () => owns.variable(record, ofDesign(record))),
  );
  return [...links, ...(await Promise.all([...ofEnvironment, ...inside.flat()]))];
}

/** Looks for a record's twin in a list of the design. */
const named =
  (list: () => Promise<readonly WireRecord[]>) =>
  ({ ciName }: WireRecord): Twin =>
  async () => {
    try {
      return (await list()).find((record) => record.ciName === ciName);
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  };

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
    outer: string,
    records: readonly WireRecord[],
    list: () => Promise<readonly WireRecord[]>,
  ): readonly Promise<Standing>[] =>
    records.map((record) =>
      standing(`${noun} ${outer}${record.ciName}`, record, () => owns.record(record, named(list)(record))),
    );
  const attachments = await Promise.all(
    components
      .filter((component) => !isPendingDelete(component))
      .map(async ({ ciName: component }) => {
        const address = { ...at, component };
        const list = await work.api.call(routes.environmentAttachments.list, { address });
        return all('attachment', `${ciName}/${component}/`, list, () =>
          work.api.call(routes.attachments.list, { address }),
        );
      }),
  );
  return [
    ...all('platform', '', [platform], () => work.api.call(routes.platforms.list, { address: at })),
    ...all('component', `${ciName}/`, components, () => work.api.call(routes.components.list, { address: at })),
    ...all('variable', `${ciName}/$`, variables, () => work.api.call(routes.platformVariables.list, { address: at })),
    ...attachments.flat(),
  ];
}

function standingLink(
  platform: EnvironmentPlatform,
  link: Relation,
  clouds: { readonly [cloudId: string]: { readonly [name: string]: string | null } } | null | undefined,
  owns: Ownership,
): Standing {
  const cloud = link.toCi?.ciName ?? String(link.toCiId);
  const action = link.rfcAction ?? undefined;
  const own = clouds?.[String(link.toCiId)];
  const before = link['relationBaseAttributes'];
  const names =
    action === 'update' && typeof before === 'object' && before !== null ? Object.keys(before) : Object.keys(LINK_BASE);
  const texts = linkTexts(link.relationAttributes);
  const changed = Object.fromEntries(names.flatMap((name) => (name in texts ? [[name, texts[name] ?? '']] : [])));
  return {
    what: `cloud ${cloud} of platform ${platform.ciName}`,
    number: link.ciRelationId,
    action,
    changeId: link.rfcId ?? 0,
    appliedId: Number(link['lastAppliedRfcId'] ?? 0),
    releaseId: link.releaseId ?? 0,
    by: '',
    at: link.updated ?? link.created ?? 0,
    own: action === undefined || owns.link(platform.ciName, cloud, changed, own && linkTexts(own), action === 'add'),
  };
}
