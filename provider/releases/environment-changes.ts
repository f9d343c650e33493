// What is open in an environment: its variables, its platforms' clouds and records, and whether each change is this stack's (flows §5.10).
// It must not know what is done about others' changes, nor how a design is pulled.
import { routes, type EnvironmentPlatform, type Record as WireRecord, type Relation } from '../../api/contract';
import { compareMembers } from '../members';
import { NotFound } from '../../api/errors';
import { holderKey } from '../session';
import { isPendingDelete } from '../verbs/live';
import { isTwin } from '../verbs/records';
import type { Work } from '../verbs/verbs';
import { means } from '../wire-texts';
import { LINK_BASE, linkTexts, platformsOf, type LinkTexts } from './cloud-links';
import { declaredLinks, linksIn } from './environment-clouds';
import { attachedComponents } from './design-changes';
import { formatForeign, isOurs, judged, overwriting } from './foreign-changes';
import { standing, takenAlong, type Judged, type OpenPlace, type Standing } from './open-changes';
import { allMembers, declaredMember, type DeclaredMember, isRefreshed } from './sweep';

const MINUTES = 60_000;
const LONGEST = 60;

/** The record of the same name and place in the design, if there is one. */
type Twin = () => Promise<WireRecord | undefined>;

/** Judges changes of an environment. */
interface Ownership {
  /** `path` is the record's, as members are named. `inDesign` asks for the record of the design that a pull brings it from. */
  record(path: string, record: WireRecord, inDesign: Twin): Promise<Judged>;
  link(link: ChangedLink): Judged;
}

/** An open change of a platform's use of a cloud, or one that is to be held against what is declared all the same. */
interface ChangedLink {
  readonly platform: string;
  readonly cloud: string;
  /** The texts that the change gives the link, and that this run did not write. */
  readonly changed: LinkTexts;
  /** Texts of the environment's own link to that cloud. */
  readonly defaults: LinkTexts | undefined;
}

/** The id of the environment that work is in. */
export const environmentId = ({ api, at }: Work): string =>
  [api.organization, at['assembly'], at['environment']].join('/');

/** An environment as a place of open changes. The service tells no writer of a link's change: that of its release stands for it. */
export function openEnvironment(work: Work, owns: Ownership): OpenPlace {
  return {
    name: 'the environment',
    limit: Number(work.args['timeout'] ?? LONGEST) * MINUTES,
    list: () => standingInEnvironment(work, owns),
    takeAlong: takenAlong(work, 'the environment'),
    openerOf: async (releaseId) => {
      const address = { ...work.at, release: String(releaseId) };
      return (await work.api.call(routes.environmentReleases.read, { address })).createdBy ?? '';
    },
  };
}

/**
 * What a deployment may commit: what is declared of its members, of the last run and of this one, and, where its environment was written since,
 * what a pull of this user brought and what the environment's clouds came to. A pull never touches what an owner `manifest` locks (service-facts
 * §2.1.5).
 */
export function ownToDeploy(work: Work): Ownership {
  const members = allMembers(work);
  const { removed, written } = compareMembers(work.known?.['members'], work.args['members']);
  // What an interrupted run pulled is known by what it did not come to: its deployment's end, or the reset of what left.
  const isEnded = work.known?.['state'] === 'complete' && removed.length === 0;
  const isWritten = !isEnded || written.includes('environment') || work.session.pulled.has(work.id);
  const isPulled = async (record: WireRecord, inDesign: Twin): Promise<boolean> =>
    isWritten && !isByHand(record) && isBroughtByPull(work, record, inDesign);
  const clouds = Array.isArray(work.args['clouds']) ? (work.args['clouds'] as readonly unknown[]) : undefined;
  return {
    record: async (path, record, inDesign) => {
      if (!(path in members) && (await isPulled(record, inDesign))) return OWN;
      const member = declaredMember(work, 'environment', path);
      const changed = { record, member, isMember: path in members };
      const found = await judged(work, changed);
      if (found.own === true || !changed.isMember || !isWritten) return found;
      // What a pull brought to the record beside what is declared of it.
      return judged(work, { ...changed, record: withoutPulled(record, member, await inDesign()) });
    },
    link: ({ platform, cloud, changed, defaults }) => {
      const path = `${platform}/${cloud}`;
      const member = declaredMember(work, 'environment', path);
      const isMember = path in members;
      // What is no longer declared is given back before the commit.
      if (isMember && member === undefined) return OWN;
      if (isMember || isWritten) {
        if (isLeaving(changed, clouds, cloud)) return OWN;
        const foreign = Object.keys(changed).filter((name) => !isWanted(name, changed, member, defaults));
        if (foreign.length === 0) return OWN;
        return foreignLink(changed, foreign, member);
      }
      return foreignLink(changed, Object.keys(changed), member);
    },
  };
}

const OWN: Judged = { own: true };

/** Whether a text of a link is the declared one, or, where none is declared, that of the environment. */
function isWanted(
  name: string,
  changed: LinkTexts,
  member: DeclaredMember | undefined,
  defaults: LinkTexts | undefined,
): boolean {
  const declared = member?.declared.get(name);
  return declared ? means(declared, changed[name]) : defaults?.[name] === changed[name];
}

function foreignLink(changed: LinkTexts, foreign: readonly string[], member: DeclaredMember | undefined): Judged {
  const isDeclared = foreign.every((name) => member?.declared.has(name));
  return {
    own: false,
    detail: formatForeign(changed, member, foreign),
    ...(member && isDeclared ? overwriting(member, foreign) : {}),
  };
}

/**
 * What may be committed before a pull, as an interrupted run of ours left it open: changes of the same user, what this environment declares of
 * its clouds, or did, and what the pull brings all the same, whoever pulled it. What cloud configurations declare is not known here: what was
 * changed of them is held against it before it is deployed.
 */
export function ownLeftovers(work: Work): Ownership {
  const configured = [work.args, work.known ?? {}].flatMap((args) => (args['configured'] ?? []) as readonly string[]);
  const wanted = [declaredLinks(work), linksIn(work.known)];
  const names = wanted[0] && [...wanted[0].keys()];
  const judgedRecord = async (record: WireRecord, inDesign: Twin): Promise<Judged> => {
    if (await isBroughtByPull(work, record, inDesign)) return OWN;
    const changed = Object.keys(record.ciBaseAttributes ?? {});
    const isOverwrittenByPull = changed.length > 0 && !isByHand(record) && (await inDesign()) !== undefined;
    return { own: false, detail: formatForeign(record.ciAttributes, undefined, changed), isOverwrittenByPull };
  };
  return {
    record: async (path, record, inDesign) => (isRefreshed(work, path) ? OWN : judgedRecord(record, inDesign)),
    link: ({ platform, cloud, changed, defaults }) => {
      const path = `${platform}/${cloud}`;
      const isOwn =
        [defaults, ...wanted.map((links) => links?.get(cloud))].some((links) => follows(changed, links)) ||
        isLeaving(changed, names, cloud);
      if (isOwn) return OWN;
      if (!configured.some((each) => each.startsWith(`${path}/`)))
        return foreignLink(changed, Object.keys(changed), undefined);
      const { unheld } = work.session;
      const id = environmentId(work);
      unheld.set(id, new Set([...(unheld.get(id) ?? []), path]));
      return OWN;
    },
  };
}

/** Whether a change of a record is the same user's, or what a pull brings of the committed design: nothing but a pull adds or deletes. */
const isBroughtByPull = async (work: Work, record: WireRecord, inDesign: Twin): Promise<boolean> =>
  record.rfcAction !== 'update' || (await isOurs(work, record)) || isAsDesigned(record, await inDesign());

/** Whether somebody set one of the values that a change brings, and locked it against pulls. */
function isByHand({ rfcAction, ciBaseAttributes, ciAttrProps }: WireRecord): boolean {
  const owners = ciAttrProps?.owner ?? {};
  return rfcAction === 'update' && Object.keys(ciBaseAttributes ?? {}).some((name) => owners[name] === 'manifest');
}

/** Whether every value that a change brings is the committed one of the design. */
function isAsDesigned(record: WireRecord, designed: WireRecord | undefined): boolean {
  const changed = Object.keys(record.ciBaseAttributes ?? {});
  return designed !== undefined && changed.length > 0 && changed.every((name) => isCommitted(name, record, designed));
}

const isCommitted = (name: string, { ciAttributes }: WireRecord, designed: WireRecord): boolean =>
  (({ ...designed.ciAttributes, ...designed.ciBaseAttributes })[name] ?? '') === (ciAttributes[name] ?? '');

/** A changed record without what a pull brought to it: the design's values where nobody locked them, and all that is not declared of one that is new. */
function withoutPulled(
  record: WireRecord,
  member: DeclaredMember | undefined,
  designed: WireRecord | undefined,
): WireRecord {
  const owners = record.ciAttrProps?.owner ?? {};
  const isPulled = (name: string): boolean =>
    owners[name] !== 'manifest' && designed !== undefined && isCommitted(name, record, designed);
  const isNew = record.rfcAction === 'add';
  const changed = isNew ? [...(member?.declared.keys() ?? [])] : Object.keys(record.ciBaseAttributes ?? {});
  const left = changed.filter((name) => isNew || !isPulled(name));
  const base = record.ciBaseAttributes ?? {};
  return {
    ...record,
    rfcAction: isNew ? 'update' : record.rfcAction,
    ciBaseAttributes: Object.fromEntries(left.map((name) => [name, base[name] ?? null])),
  };
}

const follows = (changed: LinkTexts, defaults: LinkTexts | undefined): boolean =>
  defaults !== undefined && Object.entries(changed).every(([name, text]) => defaults[name] === text);

const isLeaving = (changed: LinkTexts, declared: readonly unknown[] | undefined, cloud: string): boolean =>
  changed['adminstatus'] === 'offline' && declared !== undefined && !declared.includes(cloud);

async function standingInEnvironment(work: Work, owns: Ownership): Promise<readonly Standing[]> {
  if (work.session.born.has(holderKey(work.session, 'environment', work.id))) return [];
  const [platforms, variables] = await Promise.all([
    platformsOf(work, work.at),
    work.api.call(routes.environmentVariables.list, { address: work.at }),
  ]);
  const unheld = work.session.unheld.get(work.id);
  const isLinkOpen =
    unheld !== undefined || platforms.some(({ consumes }) => (consumes ?? []).some(({ rfcAction }) => rfcAction));
  const clouds = isLinkOpen ? (await work.api.call(routes.environments.read, { address: work.at })).clouds : {};
  const inside = await Promise.all(platforms.map((platform) => standingInPlatform(work, platform, owns)));
  const ofDesign = named(() => work.api.call(routes.designVariables.list, { address: work.at }));
  const links = platforms.flatMap((platform) =>
    (platform.consumes ?? []).map((link) => standingLink(work, platform, link, clouds, owns, unheld)),
  );
  const ofEnvironment = variables.map((record) =>
    standing(`variable $${record.ciName}`, record, () => owns.record(`$${record.ciName}`, record, ofDesign(record))),
  );
  return [...links, ...(await Promise.all([...ofEnvironment, ...inside.flat()]))];
}

/** Looks for a record's twin in a list of the design. */
const named =
  (list: () => Promise<readonly WireRecord[]>) =>
  (of: WireRecord): Twin =>
  async () => {
    try {
      return (await list()).find((record) => isTwin(record, of));
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
    place: Place,
    records: readonly WireRecord[],
    list: () => Promise<readonly WireRecord[]>,
  ): readonly Promise<Standing>[] =>
    records.map((record) =>
      standing(`${noun} ${place.shown}${record.ciName}`, record, () =>
        owns.record(`${place.path}${record.ciName}`, record, named(list)(record)),
      ),
    );
  // A pull alone brings attachments: those of a component are in the design too.
  const attached = await attachedComponents(work, ciName);
  const attachments = await Promise.all(
    components
      .filter((component) => !isPendingDelete(component) && attached.has(component.ciName))
      .map(async (component) => {
        const address = { ...at, component: String(component.ciId) };
        const list = await work.api.call(routes.environmentAttachments.list, { address });
        const place = {
          shown: `${ciName}/${component.ciName}/`,
          path: `${ciName}/${COMPONENT_MARK}${component.ciName}/`,
        };
        return all('attachment', place, list, () => designAttachments(work, at, component));
      }),
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
    ...attachments.flat(),
  ];
}

/** What stands before a record's name: for people, and in a member's path, where a component begins with a mark, since a cloud has the bare name. */
interface Place {
  readonly shown: string;
  readonly path: string;
}

const COMPONENT_MARK = '+';

/** Attachments that the twin of an environment's component has in the design. */
async function designAttachments(work: Work, at: Work['at'], component: WireRecord): Promise<readonly WireRecord[]> {
  const designed = await work.api.call(routes.components.list, { address: at });
  const twin = designed.find((record) => isTwin(record, component));
  if (twin === undefined) return [];
  return work.api.call(routes.attachments.list, { address: { ...at, component: String(twin.ciId) } });
}

const isTexts = (value: unknown): value is { readonly [name: string]: string | null } =>
  typeof value === 'object' && value !== null;

function standingLink(
  work: Work,
  platform: EnvironmentPlatform,
  link: Relation,
  clouds: { readonly [cloudId: string]: { readonly [name: string]: string | null } } | null | undefined,
  owns: Ownership,
  unheld: ReadonlySet<string> | undefined,
): Standing {
  const cloud = link.toCi?.ciName ?? String(link.toCiId);
  const isUnheld = unheld?.has(`${platform.ciName}/${cloud}`) === true;
  const action = link.rfcAction ?? (isUnheld ? 'update' : undefined);
  const own = clouds?.[String(link.toCiId)];
  const before = link['relationBaseAttributes'];
  const texts = linkTexts(link.relationAttributes);
  const sent = work.session.own.sent.get(link.ciRelationId);
  const isChanged = (name: string): boolean =>
    isUnheld ||
    link.rfcAction !== 'update' ||
    (isTexts(before) && name in before && linkTexts(before)[name] !== texts[name]);
  const names = Object.keys(LINK_BASE).filter((name) => isChanged(name) && sent?.[name] !== texts[name]);
  const changed = Object.fromEntries(names.flatMap((name) => (name in texts ? [[name, texts[name] ?? '']] : [])));
  const judge = (): Judged => owns.link({ platform: platform.ciName, cloud, changed, defaults: own && linkTexts(own) });
  return {
    what: `cloud ${cloud} of platform ${platform.ciName}`,
    number: link.ciRelationId,
    action,
    changeId: link.rfcId ?? 0,
    appliedId: Number(link['lastAppliedRfcId'] ?? 0),
    releaseId: link.releaseId ?? 0,
    by: '',
    at: link.updated ?? link.created ?? 0,
    ...(action === undefined || names.length === 0 ? OWN : judge()),
  };
}
