// Decides whether an open change is this stack's. It is if its values are declared, or this run
// wrote them; in an environment also if a pull made it, or it follows from declared clouds (flows
// §5.10).
import { type Attributes, ENCRYPTED, type Record as WireRecord, templateClass } from '../../api/contract';
import { platformOf } from '../address/ids';
import { distinguishedBy, type Work } from '../kind';
import { userOf } from '../history/change';
import type { LinkTexts } from '../kinds/environment/cloud-links';
import { declaredLinks, linksIn } from '../kinds/environment/clouds';
import { writersOf } from '../lifecycle/own-writes';
import { insideTurn, memoryOfStage, stageKey, subjectKey } from '../session';
import { secretAttributes } from '../secrets/attributes';
import { isOursAlone } from '../secrets/writes';
import { snakeCase } from '../values/field';
import { present, textAt, wordsAt } from '../values/plain';
import { declaredValues, means, textOf } from '../values/wire';
import { committedOf } from '../verbs/live';
import { classTail } from '../verbs/records';
import type { Judged } from './open-changes';
import { type DeclaredMember, declaredMember, environmentStamp, isOwn, leftTheFile, refreshedAt } from './own-records';

/** What of a change is another user's: nothing, or wire names; none of them for a whole record. */
type Foreign = 'nothing' | readonly string[];

interface ChangedRecord {
  readonly record: WireRecord;
  /** What is declared of the record in this run. */
  readonly member: DeclaredMember | undefined;
  /** Whether the record is this stack's, in its last run or in this one. */
  readonly isMember: boolean;
  /** Whether a record that it is in was created by this stack. */
  readonly isInOwn?: boolean;
  /** Further records as declared, whose secrets no message shows. */
  readonly hiding?: readonly (DeclaredMember | undefined)[];
}

const WHOLE: readonly string[] = [];

/**
 * What of an open change this stack neither declares nor wrote. What the same user left open, and
 * nothing declared contradicts, is an earlier run's.
 */
async function foreignIn(work: Work, { record, member, isMember, isInOwn = false }: ChangedRecord): Promise<Foreign> {
  const { sent, isDeleted } = work.session.own.of(record.ciId);
  if (record.rfcAction === 'delete') {
    if (isDeleted || (isMember && member === undefined)) return 'nothing';
    // An earlier run of ours that was cut off deleted it, to make a record of another class under
    // its name, or under another name: of that the state has no trace once the other one is made.
    const isReplaced = isMember ? isOfAnotherClass(record, member) : isInOwn;
    return isReplaced && (await isOwnChange(work, record)) ? 'nothing' : WHOLE;
  }
  if (!isMember && sent === undefined) return record.rfcAction === 'update' ? changedNames(record) : WHOLE;
  const names = record.rfcAction === 'add' ? await changedSinceAdded(work, record, member) : changedNames(record);
  const foreign = names.filter((name) => !isOwnText(work, record, member, name));
  if (foreign.length === 0) return 'nothing';
  // Where nothing but secrets changed, the last writer wrote them.
  const areSecrets = names.every(
    (name) => record.ciAttributes[name] === ENCRYPTED && (!member || declaredOf(member, name)),
  );
  if (areSecrets && writersOf(record).at(-1) === (await userOf(work))) return 'nothing';
  const contradicts = foreign.some((name) => declaredOf(member, name) && record.ciAttributes[name] !== ENCRYPTED);
  return !contradicts && (await isOwnChange(work, record)) ? 'nothing' : foreign;
}

/** Whether this run wrote all of a change, wherever: lists name no attachment's component. */
export async function isWrittenHere(work: Work, record: WireRecord): Promise<boolean> {
  const { sent, isDeleted } = work.session.own.of(record.ciId);
  if (record.rfcAction === 'delete') return isDeleted === true;
  if (sent === undefined) return false;
  const names = record.rfcAction === 'add' ? await changedSinceAdded(work, record, undefined) : changedNames(record);
  return names.every((name) => isOwnText(work, record, undefined, name));
}

/** Whether the name is declared with another class, as far as the packaged catalogue knows. */
function isOfAnotherClass(record: WireRecord, member: DeclaredMember | undefined): boolean {
  const type = member && member.work.args[distinguishedBy(member.of) ?? ''];
  const tail = typeof type === 'string' ? templateClass(type) : undefined;
  return tail !== undefined && tail !== classTail(record);
}

const declaredOf = (member: DeclaredMember | undefined, name: string) => {
  const declared = member?.declared.get(name);
  return declared?.field.channel === 'attribute' ? declared : undefined;
};

function isOwnText(work: Work, record: WireRecord, member: DeclaredMember | undefined, name: string): boolean {
  const text = record.ciAttributes[name] ?? '';
  const { sent } = work.session.own.of(record.ciId);
  // What reads as encrypted may be anybody's secret: it is ours when the last writer is.
  if (text === ENCRYPTED) return sent !== undefined && name in sent && isLastWriter(work, record);
  const declared = declaredOf(member, name);
  return declared ? means(declared, text) : sent !== undefined && (sent[name] ?? '') === text && name in sent;
}

const isLastWriter = ({ session: { own } }: Work, record: WireRecord): boolean =>
  own.user !== undefined && writersOf(record).at(-1) === own.user;

/** Attributes with another value by the change; of encrypted ones that is not known. */
const changedNames = ({ ciAttributes, ciBaseAttributes }: WireRecord): readonly string[] =>
  Object.entries(ciBaseAttributes ?? {}).flatMap(([name, before]) =>
    differs(before, ciAttributes[name]) ? [name] : [],
  );

const differs = (left: string | null | undefined, right: string | null | undefined): boolean =>
  right === ENCRYPTED || (left ?? '') !== (right ?? '');

/**
 * Attributes of a new record that are not as our last write left it; without one, what is declared
 * of a record of this user, or taken over in this run.
 */
async function changedSinceAdded(
  work: Work,
  record: WireRecord,
  member: DeclaredMember | undefined,
): Promise<readonly string[]> {
  const { answered: left } = work.session.own.of(record.ciId);
  const names = Object.keys(record.ciAttributes);
  if (left)
    return names.filter((name) =>
      record.ciAttributes[name] === ENCRYPTED
        ? !isLastWriter(work, record)
        : differs(left[name], record.ciAttributes[name]),
    );
  const isTakenOver = member && work.session.memory.of(subjectKey(member.of, member.work.id)).isMade;
  if (isTakenOver || (await isOwnChange(work, record)))
    return member ? [...member.declared.keys()].filter((name) => name in record.ciAttributes) : [];
  return names;
}

/** Who wrote an open change besides this run's user, also where that user wrote last. */
function otherWriters({ session: { own } }: Work, record: WireRecord): Pick<Judged, 'who'> {
  const writers = [...(own.of(record.ciId).writersBefore ?? []), ...writersOf(record)];
  const others = [...new Set(writers.filter((writer) => writer !== own.user))];
  return others.length === 0 ? {} : { who: others.join(' and ') };
}

/** Whether nobody but the user of this run wrote the open change. */
export const isOwnChange = (work: Work, record: WireRecord): Promise<boolean> =>
  isOursAlone(work, [...writersOf(record), ...(work.session.own.of(record.ciId).writersBefore ?? [])]);

/** `max_threads there "55", declared "100"`: each attribute, without the values of secrets. */
function formatForeign(
  texts: Attributes,
  member: DeclaredMember | undefined,
  names: readonly string[],
  isSecret: (name: string) => boolean = () => false,
): string {
  return names
    .map((name) => {
      const declared = declaredOf(member, name);
      if (isSecret(name)) return name;
      const text = texts[name] ?? '';
      const there = JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
      return `${name} there ${there}${declared ? `, declared ${JSON.stringify(textOf(declared))}` : ''}`;
    })
    .join('; ');
}

/** Whether an attribute of a changed record is a secret: now, before, or as a member declares. */
const secretsIn =
  ({ ciAttributes, ciBaseAttributes = {} }: WireRecord, members: readonly (DeclaredMember | undefined)[]) =>
  (name: string): boolean =>
    [ciAttributes[name], ciBaseAttributes?.[name]].includes(ENCRYPTED) ||
    (name === 'value' && ciBaseAttributes?.['secure'] === 'true') ||
    members.some((member) => member !== undefined && declaresSecret(member, name));

function declaresSecret({ of, work: { args } }: DeclaredMember, name: string): boolean {
  const field = Object.entries(of.fields).find(([argument]) => snakeCase(argument) === name)?.[1];
  const isInOtherForm = field?.whenSecret !== undefined && present(args[field.whenSecret]);
  return field?.secret === true || isInOtherForm || secretAttributes(of, args)?.names.includes(name) === true;
}

/** The records declared at a path of an environment, there and in its design. */
function membersAt(work: Work, path: string): readonly (DeclaredMember | undefined)[] {
  const { assembly = '', environment = '' } = work.at;
  const around = { ...work, address: { assembly, environment } };
  return [declaredMember(around, 'environment', path), declaredMember(around, 'design', path.replace('/+', '/'))];
}

/** Whether an open change is this stack's, what is not, and how `overwrite` undoes it. */
export async function judged(work: Work, changed: ChangedRecord): Promise<Judged> {
  const foreign = await foreignIn(work, changed);
  if (foreign === 'nothing') return { own: true };
  const { record, member, hiding = [] } = changed;
  const isDeclared = foreign.length > 0 && foreign.every((name) => declaredOf(member, name));
  return {
    own: false,
    ...otherWriters(work, record),
    detail: formatForeign(record.ciAttributes, member, foreign, secretsIn(record, [member, ...hiding])),
    ...(member && isDeclared && record.rfcAction !== 'delete' ? overwriting(member, foreign) : {}),
  };
}

/**
 * A record that a pull of this user created again before an interrupted run wrote what is declared
 * of it, which is not locked yet: it is written before the commit.
 */
async function unwritten(
  work: Work,
  record: WireRecord,
  member: DeclaredMember | undefined,
): Promise<Judged | undefined> {
  const { rfcAction, ciId, ciAttributes, ciAttrProps } = record;
  if (rfcAction !== 'add' || member?.of.verbs.restoresSecrets !== true || work.session.own.of(ciId).sent !== undefined)
    return undefined;
  const names = [...member.declared.keys()].filter(
    (name) => declaredOf(member, name) && name in ciAttributes && ciAttrProps?.owner?.[name] !== 'manifest',
  );
  if (names.length === 0 || !(await isOwnChange(work, record))) return undefined;
  const detail = formatForeign(ciAttributes, member, names, secretsIn(record, [member]));
  return { own: false, detail, isRecreated: true, overwrite: writing(member, names) };
}

/** Writes the declared values of these names, where the record declares `overwrite`. */
const overwriting = (member: DeclaredMember, names: readonly string[]): Pick<Judged, 'overwrite'> =>
  member.work.args['overwrite'] === true ? { overwrite: writing(member, names) } : {};

/** Writes the declared values of these names. The caller has the turn of the place. */
function writing({ of, declared, work: own }: DeclaredMember, names: readonly string[]): () => Promise<void> {
  const work = { ...own, session: insideTurn(own.session) };
  return async () => {
    const live = await of.verbs.read(work);
    if (live === undefined) return;
    const texts = [...declared].filter(([name]) => names.includes(name)).map(([name, value]) => [name, textOf(value)]);
    await of.verbs.update({
      ...work,
      live,
      changes: Object.fromEntries(texts) as { readonly [name: string]: string },
    });
  };
}

/** The record of the same name and place in the design, if there is one. */
export type Twin = () => Promise<WireRecord | undefined>;

/** Judges changes of an environment. */
export interface Ownership {
  /** `path`: among the members. `inDesign` reads the record of the design that a pull copies. */
  record(path: string, record: WireRecord, inDesign: Twin): Promise<Judged>;
  link(link: ChangedLink): Judged;
}

/** A change of a platform's link to a cloud: open, or committed and compared with the file. */
interface ChangedLink {
  readonly platform: string;
  readonly cloud: string;
  /** The texts of the link that the change sets and that this run did not write. */
  readonly changed: LinkTexts;
  readonly isOffline: boolean;
  /** Texts of the environment's own link to that cloud. */
  readonly defaults: LinkTexts | undefined;
  /** Whether the change adds the link to a platform that the environment had before. */
  readonly isAdded: boolean;
  /** Whether a pull that is not committed created the platform, and the link with it. */
  readonly isBorn: boolean;
}

/**
 * What a deployment may commit: what the last run and this one declare and, if the environment was
 * written since, what a pull of this user brought, which changes no lock, and what follows from the
 * environment's clouds.
 */
export function ownToDeploy(work: Work): Ownership {
  // A run that was killed after a pull did not end its deployment, or did not reset removed values.
  const isEnded = work.known?.['state'] === 'complete' && leftTheFile(work).length === 0;
  const isMember = (path: string): boolean => isOwn(work, 'environment', path);
  const isRolledOut = ['', textAt(work.known, 'rolledOut')].includes(environmentStamp(work));
  const { isPulled: hasPulled = false, isChanged = false } = memoryOfStage(work, 'environment');
  const isWritten = !isEnded || !isRolledOut || hasPulled || isChanged;
  const isPulled = async (record: WireRecord, inDesign: Twin): Promise<boolean> =>
    isWritten && !isByHand(record) && isBroughtByPull(work, record, inDesign);
  const clouds = Array.isArray(work.args['clouds']) ? (work.args['clouds'] as readonly unknown[]) : undefined;
  return {
    record: async (path, record, inDesign) => {
      if (!isMember(path) && (await isPulled(record, inDesign))) return OWN;
      const member = declaredMember(work, 'environment', path);
      const changed = { record, member, isMember: isMember(path), hiding: membersAt(work, path) };
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
      const mayBeOurs = isLinkOwn || isWritten;
      if (mayBeOurs && isLeaving(link, clouds)) return OWN;
      const isFollowing = mayBeOurs && !(isJoining(link) && clouds?.includes(cloud) !== true);
      const isOurs = (name: string): boolean => isFollowing && isExpected(name, changed, member, defaults);
      const foreign = Object.keys(changed).filter((name) => !isOurs(name));
      return isFollowing && foreign.length === 0 ? OWN : foreignLink(changed, foreign, member);
    },
  };
}

/** Whether a cut-off run restored the link after its platform was created again, as declared. */
function isRestored(work: Work, { platform, isBorn }: ChangedLink): boolean {
  return isBorn && wordsAt(memoryOfStage(work, 'environment').inputs, 'recreatePlatforms').includes(platform);
}

/** The whole change belongs to this stack. */
export const OWN: Judged = { own: true };

/** Whether a platform uses another cloud by it; not one that this run takes offline. */
const isJoining = ({ isAdded, changed }: ChangedLink): boolean => isAdded && changed['adminstatus'] !== undefined;

/** Whether a link's text is the declared one, or else the environment's. */
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
 * What may be committed before a pull: changes of the same user, links as this environment declares
 * or declared them, and what the pull makes anyway. Links of cloud configurations are judged before
 * they are deployed. `isPull`: whether the pull follows.
 */
export function ownLeftovers(work: Work, isPull = true): Ownership {
  const configured = [work.args, work.known ?? {}].flatMap((args) => wordsAt(args, 'configured'));
  const expected = [declaredLinks(work), linksIn(work.known)];
  const names = expected[0] && [...expected[0].keys()];
  const judgedRecord = async (path: string, record: WireRecord, inDesign: Twin): Promise<Judged> => {
    if (await isBroughtByPull(work, record, inDesign)) return OWN;
    const changed = Object.keys(record.ciBaseAttributes ?? {});
    const isOverwrittenByPull = changed.length > 0 && !isByHand(record) && (await inDesign()) !== undefined;
    const isSecret = secretsIn(record, membersAt(work, path));
    return {
      own: false,
      detail: formatForeign(record.ciAttributes, undefined, changed, isSecret),
      isOverwrittenByPull,
    };
  };
  return {
    record: async (path, record, inDesign) => {
      if (isPull) noteRecreated(work, record);
      const found = await judgedRecord(path, record, inDesign);
      const reset = found.own === true ? undefined : refreshedAt(work, path);
      const declared = reset && declaredValues(reset.of, reset.known ?? {});
      const isDeclared = (name: string): boolean => reset?.of.token === 'Variable' || declared?.has(name) === true;
      // The pull would take what nobody declares without a word.
      const isReset = reset !== undefined && Object.keys(record.ciBaseAttributes ?? {}).every(isDeclared);
      return isReset ? { ...found, own: true, isWrittenAgain: true } : found;
    },
    link: (link) => {
      const { platform, cloud, changed, defaults } = link;
      const path = `${platform}/${cloud}`;
      // Who adds a cloud sets the environment's own link, which the links of platforms follow.
      const isForeign = isJoining(link) && !expected.some((links) => links?.has(cloud));
      if (isLeaving(link, names) || isRestored(work, link)) return OWN;
      if (!configured.some((each) => each.startsWith(`${path}/`))) {
        const whole = [isForeign ? undefined : defaults, ...expected.map((links) => links?.get(cloud))];
        if (whole.some((links) => follows(changed, links))) return OWN;
        return foreignLink(changed, Object.keys(changed), undefined);
      }
      if (!isPull) return OWN;
      const { unjudgedLinks = [] } = memoryOfStage(work, 'environment');
      work.session.memory.note(stageKey('environment', work.at), { unjudgedLinks: [...unjudgedLinks, path] });
      return OWN;
    },
  };
}

/** Remembers a record of an earlier pull that nobody wrote: it is still to be written. */
function noteRecreated(work: Work, record: WireRecord): void {
  const { rfcAction, ciAttrProps, ciName } = record;
  const isWritten = Object.values(ciAttrProps?.owner ?? {}).includes('manifest');
  const platform = platformOf(record);
  if (rfcAction !== 'add' || isWritten || platform === '') return;
  const { renewed = [] } = memoryOfStage(work, 'environment');
  work.session.memory.note(stageKey('environment', work.at), { renewed: [...renewed, `${platform}/${ciName}`] });
}

/** Whether a change is the same user's, or a pull's. Only a pull adds or deletes records. */
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
  (committedOf(designed)[name] ?? '') === (ciAttributes[name] ?? '');

/** A changed record without what a pull changed: unlocked values, undeclared new ones. */
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

const isLeaving = ({ isOffline, cloud }: ChangedLink, declared: readonly unknown[] | undefined): boolean =>
  isOffline && declared !== undefined && !declared.includes(cloud);
