// Whether an open change of an environment belongs to this stack: it is declared, a pull made it, or it follows from declared clouds (flows §5.10).
import type { Record as WireRecord } from '../../api/contract';
import type { Work } from '../model';
import { environmentId } from '../deploy/brought';
import { holderKey } from '../session';
import { means } from '../values/wire';
import type { LinkTexts } from '../kinds/environment/cloud-links';
import { declaredLinks, linksIn } from '../kinds/environment/clouds';
import { formatForeign, isOwnChange, judged, overwriting, unwritten } from './foreign-changes';
import type { Judged } from './open-changes';
import { declaredMember, environmentStamp, isOwn, leftTheFile, refreshedAt, type DeclaredMember } from './own-records';
import { textAt } from '../values/plain';

/** The record of the same name and place in the design, if there is one. */
export type Twin = () => Promise<WireRecord | undefined>;

/** Judges changes of an environment. */
export interface Ownership {
  /** `path` is the record's path among the members. `inDesign` reads the record of the design that a pull copies. */
  record(path: string, record: WireRecord, inDesign: Twin): Promise<Judged>;
  link(link: ChangedLink): Judged;
}

/** An open change of a platform's link to a cloud, or a committed one that is compared with what is declared too. */
interface ChangedLink {
  readonly platform: string;
  readonly cloud: string;
  /** The texts of the link that the change sets and that this run did not write. */
  readonly changed: LinkTexts;
  /** Texts of the environment's own link to that cloud. */
  readonly defaults: LinkTexts | undefined;
  /** Whether the change adds the link to a platform that the environment had before. */
  readonly isAdded: boolean;
  /** Whether a pull that is not committed created the platform, and the link with it. */
  readonly isBorn: boolean;
}

/**
 * What a deployment may commit: what the last run and this one declare of its members and, when its environment was written since, what a pull by
 * this user changed and what follows from the environment's clouds. A pull does not change what an owner `manifest` locks (service-facts §2.1.5).
 */
export function ownToDeploy(work: Work): Ownership {
  // A run that was interrupted after a pull did not reach the end of its deployment, or did not reset what was removed.
  const isEnded = work.known?.['state'] === 'complete' && leftTheFile(work).length === 0;
  const isMember = (path: string): boolean => isOwn(work, 'environment', path);
  const isRolledOut = ['', textAt(work.known, 'rolledOut')].includes(environmentStamp(work));
  const isWritten = !isEnded || !isRolledOut || work.session.stages.isPulled(work.id);
  const isPulled = async (record: WireRecord, inDesign: Twin): Promise<boolean> =>
    isWritten && !isByHand(record) && isBroughtByPull(work, record, inDesign);
  const clouds = Array.isArray(work.args['clouds']) ? (work.args['clouds'] as readonly unknown[]) : undefined;
  return {
    record: async (path, record, inDesign) => {
      if (!isMember(path) && (await isPulled(record, inDesign))) return OWN;
      const member = declaredMember(work, 'environment', path);
      const changed = { record, member, isMember: isMember(path) };
      const found = (await unwritten(work, record, member)) ?? (await judged(work, changed));
      if (found.own === true || found.isRecreated || !changed.isMember || !isWritten) return found;
      // A pull may have changed values of the record that are not declared.
      return judged(work, { ...changed, record: withoutPulled(record, member, await inDesign()) });
    },
    link: (link) => {
      const { platform, cloud, changed, defaults } = link;
      const path = `${platform}/${cloud}`;
      const member = declaredMember(work, 'environment', path);
      const isLinkOwn = isMember(path);
      // What is no longer declared is given back before the commit.
      if (isLinkOwn && member === undefined) return OWN;
      if (!isLinkOwn && isRestored(work, link)) return OWN;
      if (isLinkOwn || isWritten) {
        if (isLeaving(changed, clouds, cloud)) return OWN;
        if (isJoining(link) && clouds?.includes(cloud) !== true)
          return foreignLink(changed, Object.keys(changed), member);
        const foreign = Object.keys(changed).filter((name) => !isExpected(name, changed, member, defaults));
        if (foreign.length === 0) return OWN;
        return foreignLink(changed, foreign, member);
      }
      return foreignLink(changed, Object.keys(changed), member);
    },
  };
}

/**
 * Whether a run writes to the link what it had before its platform was created again, as its environment declares: a run that was cut off after that
 * left it open, and what was there before is not known any more.
 */
function isRestored(work: Work, { platform, isBorn }: ChangedLink): boolean {
  const environment = holderKey('environment', environmentId(work));
  const names = work.session.declarations.inputsOf(environment)?.['recreatePlatforms'];
  return isBorn && Array.isArray(names) && names.includes(platform);
}

/** The whole change belongs to this stack. */
export const OWN: Judged = { own: true };

/** Whether the change makes a platform use another cloud. Not one that this run takes offline: `changed` then lacks its status. */
const isJoining = ({ isAdded, changed }: ChangedLink): boolean => isAdded && changed['adminstatus'] !== undefined;

/** Whether a text of a link is the declared one, or, where none is declared, that of the environment. */
function isExpected(
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
 * What may be committed before a pull, if an interrupted run of this stack left it open: changes of the same user, links to clouds as this
 * environment declares or declared them, and what the pull makes anyway, regardless of who pulled. What cloud configurations declare is not known
 * here: changes of their links are compared with it before they are deployed.
 */
export function ownLeftovers(work: Work): Ownership {
  const configured = [work.args, work.known ?? {}].flatMap((args) => (args['configured'] ?? []) as readonly string[]);
  const expected = [declaredLinks(work), linksIn(work.known)];
  const names = expected[0] && [...expected[0].keys()];
  const judgedRecord = async (record: WireRecord, inDesign: Twin): Promise<Judged> => {
    if (await isBroughtByPull(work, record, inDesign)) return OWN;
    const changed = Object.keys(record.ciBaseAttributes ?? {});
    const isOverwrittenByPull = changed.length > 0 && !isByHand(record) && (await inDesign()) !== undefined;
    return { own: false, detail: formatForeign(record.ciAttributes, undefined, changed), isOverwrittenByPull };
  };
  return {
    record: async (path, record, inDesign) => {
      noteRecreated(work, record);
      return refreshedAt(work, path) !== undefined ? OWN : judgedRecord(record, inDesign);
    },
    link: (link) => {
      const { platform, cloud, changed, defaults } = link;
      const path = `${platform}/${cloud}`;
      // Whoever adds a cloud to an environment sets the environment's own link, which the links of platforms then follow.
      const isForeign = isJoining(link) && !expected.some((links) => links?.has(cloud));
      const isOwn =
        [isForeign ? undefined : defaults, ...expected.map((links) => links?.get(cloud))].some((links) =>
          follows(changed, links),
        ) ||
        isLeaving(changed, names, cloud) ||
        isRestored(work, link);
      if (isOwn) return OWN;
      if (!configured.some((each) => each.startsWith(`${path}/`)))
        return foreignLink(changed, Object.keys(changed), undefined);
      work.session.stages.noteUnjudgedLink(environmentId(work), path);
      return OWN;
    },
  };
}

/** Remembers a record that an earlier pull created and that nobody has written since: this commit hides that, and what is declared is still to be written. */
function noteRecreated(work: Work, { rfcAction, ciAttrProps, nsPath, ciName }: WireRecord): void {
  const isWritten = Object.values(ciAttrProps?.owner ?? {}).includes('manifest');
  const [, , , , , platform] = nsPath.split('/');
  if (rfcAction === 'add' && !isWritten && platform !== undefined)
    work.session.stages.noteRenewed([environmentId(work), platform, ciName].join('/'));
}

/** Whether a change of a record is the same user's, or one that a pull of the committed design makes. Only a pull adds or deletes records. */
const isBroughtByPull = async (work: Work, record: WireRecord, inDesign: Twin): Promise<boolean> =>
  record.rfcAction !== 'update' || (await isOwnChange(work, record)) || isAsDesigned(record, await inDesign());

/** Whether a user set one of the changed values and locked it against pulls. */
function isByHand({ rfcAction, ciBaseAttributes, ciAttrProps }: WireRecord): boolean {
  const owners = ciAttrProps?.owner ?? {};
  return rfcAction === 'update' && Object.keys(ciBaseAttributes ?? {}).some((name) => owners[name] === 'manifest');
}

/** Whether every changed value equals the committed one of the design. */
function isAsDesigned(record: WireRecord, designed: WireRecord | undefined): boolean {
  const changed = Object.keys(record.ciBaseAttributes ?? {});
  return designed !== undefined && changed.length > 0 && changed.every((name) => isCommitted(name, record, designed));
}

const isCommitted = (name: string, { ciAttributes }: WireRecord, designed: WireRecord): boolean =>
  (({ ...designed.ciAttributes, ...designed.ciBaseAttributes })[name] ?? '') === (ciAttributes[name] ?? '');

/** A changed record without the changes of a pull: the design's values that are not locked and, for a new record, everything that is not declared. */
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
