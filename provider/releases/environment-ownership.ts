// Whether a change that is open in an environment is this stack's: what it declares, what a pull brings, what its clouds come to (flows §5.10).
// It must not know where changes are listed, nor what is done about others'.
import type { Record as WireRecord } from '../../api/contract';
import { compareMembers } from '../members';
import type { Work } from '../verbs/verbs';
import { means } from '../wire-texts';
import type { LinkTexts } from './cloud-links';
import { declaredLinks, linksIn } from './environment-clouds';
import { formatForeign, isOurs, judged, overwriting } from './foreign-changes';
import type { Judged } from './open-changes';
import { allMembers, declaredMember, type DeclaredMember, refreshedPaths } from './sweep';

/** The record of the same name and place in the design, if there is one. */
export type Twin = () => Promise<WireRecord | undefined>;

/** Judges changes of an environment. */
export interface Ownership {
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
  const isWritten = !isEnded || written.includes('environment') || work.session.stages.isPulled(work.id);
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

/** Nothing of a change is anybody else's. */
export const OWN: Judged = { own: true };

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
    record: async (path, record, inDesign) =>
      refreshedPaths(work).includes(path) ? OWN : judgedRecord(record, inDesign),
    link: ({ platform, cloud, changed, defaults }) => {
      const path = `${platform}/${cloud}`;
      const isOwn =
        [defaults, ...wanted.map((links) => links?.get(cloud))].some((links) => follows(changed, links)) ||
        isLeaving(changed, names, cloud);
      if (isOwn) return OWN;
      if (!configured.some((each) => each.startsWith(`${path}/`)))
        return foreignLink(changed, Object.keys(changed), undefined);
      work.session.stages.noteUnjudgedLink(environmentId(work), path);
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
