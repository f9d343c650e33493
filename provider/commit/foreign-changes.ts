// What of an open change is not this stack's, judged by its values: what is declared, and what this run wrote, is; all else is somebody's.
// It must not know where changes are listed, nor what is done about them.
import { userOf } from '../history/user';
import { ENCRYPTED, templateClass, type Attributes, type Record as WireRecord } from '../../api/contract';
import { writersOf } from '../lifecycle/own-writes';
import { insideTurn, subjectKey } from '../session';
import type { Work } from '../model';
import { classTail } from '../verbs/records';
import { means, textOf } from '../values/wire';
import { type Judged } from './open-changes';
import type { DeclaredMember } from './own-records';

/** What of a change is another user's: nothing, or attributes by wire name, none of them when it is the record as a whole. */
type Foreign = 'nothing' | readonly string[];

interface ChangedRecord {
  readonly record: WireRecord;
  /** What is declared of the record in this run. */
  readonly member: DeclaredMember | undefined;
  /** Whether the record is this stack's, in its last run or in this one. */
  readonly isMember: boolean;
  /** Whether a record that it is in was created by this stack. */
  readonly isInOwn?: boolean;
}

const WHOLE: readonly string[] = [];

/**
 * What an open change would carry that this stack neither declares nor wrote. What the same user left open on a record of this stack, and that
 * contradicts nothing declared, is taken for an earlier run's.
 */
async function foreignIn(work: Work, { record, member, isMember, isInOwn = false }: ChangedRecord): Promise<Foreign> {
  const { sent, deleted } = work.session.own;
  const isWritten = sent.has(record.ciId);
  if (record.rfcAction === 'delete') {
    if (deleted.has(record.ciId) || (isMember && member === undefined)) return 'nothing';
    // An earlier run of ours that was cut off deleted it, to make a record of another class under its name, or under another name: of that the state
    // has no trace once the other one is made.
    const isReplaced = isMember ? isOfAnotherClass(record, member) : isInOwn;
    return isReplaced && (await isOwnChange(work, record)) ? 'nothing' : WHOLE;
  }
  if (!isMember && !isWritten) return record.rfcAction === 'update' ? changedNames(record) : WHOLE;
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

/** Whether what is declared under a record's name is of another class than the record, as far as the packaged catalogue knows. */
function isOfAnotherClass(record: WireRecord, member: DeclaredMember | undefined): boolean {
  const type = member?.of.distinguishedBy === undefined ? undefined : member.work.args[member.of.distinguishedBy];
  const tail = typeof type === 'string' ? templateClass(type) : undefined;
  return tail !== undefined && tail !== classTail(record);
}

const declaredOf = (member: DeclaredMember | undefined, name: string) => {
  const declared = member?.declared.get(name);
  return declared?.field.channel === 'attribute' ? declared : undefined;
};

function isOwnText(work: Work, record: WireRecord, member: DeclaredMember | undefined, name: string): boolean {
  const text = record.ciAttributes[name] ?? '';
  const sent = work.session.own.sent.get(record.ciId);
  // What reads as encrypted may be anybody's secret: it is ours when the last writer is.
  if (text === ENCRYPTED) return sent !== undefined && name in sent && isLastWriter(work, record);
  const declared = declaredOf(member, name);
  return declared ? means(declared, text) : sent !== undefined && (sent[name] ?? '') === text && name in sent;
}

const isLastWriter = ({ session: { own } }: Work, record: WireRecord): boolean =>
  own.user !== undefined && writersOf(record).at(-1) === own.user;

/** Attributes that the change gives another value; whether those that read as encrypted do is not known. */
const changedNames = ({ ciAttributes, ciBaseAttributes }: WireRecord): readonly string[] =>
  Object.entries(ciBaseAttributes ?? {}).flatMap(([name, before]) =>
    differs(before, ciAttributes[name]) ? [name] : [],
  );

const differs = (left: string | null | undefined, right: string | null | undefined): boolean =>
  right === ENCRYPTED || (left ?? '') !== (right ?? '');

/**
 * Attributes of a new record that are not as our last write left them. Of one that this run did not write, whoever made it: what is declared,
 * unless it was taken over in this run, which its row says, all of it.
 */
async function changedSinceAdded(
  work: Work,
  record: WireRecord,
  member: DeclaredMember | undefined,
): Promise<readonly string[]> {
  const left: Attributes | undefined = work.session.own.answered.get(record.ciId);
  const names = Object.keys(record.ciAttributes);
  if (left)
    return names.filter((name) =>
      record.ciAttributes[name] === ENCRYPTED
        ? !isLastWriter(work, record)
        : differs(left[name], record.ciAttributes[name]),
    );
  const isTakenOver = member && work.session.records.isMade(subjectKey(member.of, member.work.id));
  if (isTakenOver || (await isOwnChange(work, record)))
    return member ? [...member.declared.keys()].filter((name) => name in record.ciAttributes) : [];
  return names;
}

/** Who wrote an open change besides the user of this run: of a record that both wrote, the last writer alone would hide the other. */
function otherWriters({ session: { own } }: Work, record: WireRecord): Pick<Judged, 'by'> {
  const writers = [...(own.writersBefore.get(record.ciId) ?? []), ...writersOf(record)];
  const others = [...new Set(writers.filter((writer) => writer !== own.user))];
  return others.length === 0 ? {} : { by: others.join(' and ') };
}

/** Whether nobody but the user of this run wrote the open change. */
export async function isOwnChange(work: Work, record: WireRecord): Promise<boolean> {
  const writers = [...writersOf(record), ...(work.session.own.writersBefore.get(record.ciId) ?? [])];
  if (writers.length === 0) return false;
  const user = await userOf(work);
  return writers.every((writer) => writer === user);
}

/** `max_threads there "55", declared "100"`: each attribute, without the values of secrets. */
export function formatForeign(texts: Attributes, member: DeclaredMember | undefined, names: readonly string[]): string {
  return names
    .map((name) => {
      const there = texts[name] ?? '';
      const declared = declaredOf(member, name);
      if (there === ENCRYPTED || declared?.field.secret) return name;
      return `${name} there ${JSON.stringify(there)}${declared ? `, declared ${JSON.stringify(textOf(declared))}` : ''}`;
    })
    .join('; ');
}

/** Whether an open change is this stack's, with what is not, and how it is undone where `overwrite` is declared. */
export async function judged(work: Work, changed: ChangedRecord): Promise<Judged> {
  const foreign = await foreignIn(work, changed);
  if (foreign === 'nothing') return { own: true };
  const { record, member } = changed;
  const isDeclared = foreign.length > 0 && foreign.every((name) => declaredOf(member, name));
  return {
    own: false,
    ...otherWriters(work, record),
    detail: formatForeign(record.ciAttributes, member, foreign),
    ...(member && isDeclared && record.rfcAction !== 'delete' ? overwriting(member, foreign) : {}),
  };
}

/**
 * A record of an environment that a pull of this user created again, when a run was interrupted before it wrote what is declared of it: the declared
 * values are not locked yet. They are written before the commit; undefined for any other record.
 */
export async function unwritten(
  work: Work,
  record: WireRecord,
  member: DeclaredMember | undefined,
): Promise<Judged | undefined> {
  const { rfcAction, ciId, ciAttributes, ciAttrProps } = record;
  if (rfcAction !== 'add' || member?.of.verbs.restoresSecrets !== true || work.session.own.sent.has(ciId))
    return undefined;
  const names = [...member.declared.keys()].filter(
    (name) => declaredOf(member, name) && name in ciAttributes && ciAttrProps?.owner?.[name] !== 'manifest',
  );
  if (names.length === 0 || !(await isOwnChange(work, record))) return undefined;
  const detail = formatForeign(ciAttributes, member, names);
  return { own: false, detail, isRecreated: true, overwrite: writing(member, names) };
}

/** Writes the declared values of these names, where the record declares `overwrite`. */
export const overwriting = (member: DeclaredMember, names: readonly string[]): Pick<Judged, 'overwrite'> =>
  member.work.args['overwrite'] === true ? { overwrite: writing(member, names) } : {};

/** Writes the declared values of these names. The caller has the turn among the writes of the place. */
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
