// Sweep: members that left the file are deleted before the commit, since the engine deletes them only after it (architecture §5, F1).
// It must not know the engine; kinds come from the session.
import { messageOf } from '../../api/errors';
import { LifecycleError, Refused } from '../errors';
import { formatId, pathAddress } from '../ids';
import { openName, type Kind } from '../kind';
import { compareMembers, formatMember, parseMember, parseMemberPath, type Member } from '../members';
import { isReference } from '../refer';
import { declaredKey, subjectKey } from '../session';
import type { Refreshed } from '../session/records';
import { declaredValues, textsOf, type Declared } from '../wire-texts';
import { isStampOf } from '../verbs/live';
import { Incomplete, type Live } from '../live';
import { type Work } from '../model';

/** A member's record: its kind in its scope, and the work on it. */
interface MemberRecord {
  readonly of: Kind;
  readonly work: Work;
}

interface Left {
  readonly path: string;
  readonly member: Member;
}

type Members = { readonly [path: string]: string };

const membersIn = (values: { readonly [name: string]: unknown } | undefined): Members =>
  (values?.['members'] ?? {}) as Members;

/** Members of the last run, those that are no longer declared too, and of this one. */
export const allMembers = (work: Work): Members => ({ ...membersIn(work.known), ...membersIn(work.args) });

/** Sweeps, then does the rest. */
type Sweep = (rest: () => Promise<Live>) => Promise<Live>;

/**
 * Looks whether the members of the last run that are no longer declared may go: throws, before any write, when one of them is protected, or
 * when a member that an earlier run removed is back. The sweep it answers takes them away. What fails after something was removed is
 * Incomplete, with `left(members)` as what is known: what left is among the members, without a revision when it no longer exists, so that the next
 * run, after a refresh too, continues, and does not take one that is declared again for unchanged.
 */
export async function plannedSweep(work: Work, stage: Kind['stage'], left: (members: Members) => Live): Promise<Sweep> {
  const before = membersIn(work.known);
  const after = membersIn(work.args);
  const leaving = leavingOf(work, stage, before, after);
  refuseProtected(leaving);
  await refuseReturned(work, stage, before, after);
  return async (rest) => {
    const taken = new Set<string>();
    try {
      await sweep(work, stage, leaving, taken);
      return await rest();
    } catch (error) {
      if (error instanceof Incomplete || taken.size === 0) throw error;
      const known = Object.entries(before).map(([path, text]) => [
        path,
        taken.has(path) ? withoutRevision(text) : text,
      ]);
      throw new Incomplete(left({ ...(Object.fromEntries(known) as Members), ...after }), [messageOf(error)]);
    }
  };
}

const withoutRevision = (text: string): string => formatMember({ ...parseMember(text), revision: '' });

/** Members that left, and what a failed run left. What is declared all the same, as another stack's own, is let go. */
const leavingOf = (work: Work, stage: Kind['stage'], before: Members, after: Members): readonly Left[] => [
  ...compareMembers(before, after)
    .removed.filter((path) => !isDeclared(work, stage, path))
    .map((path) => ({ path, member: parseMember(before[path] ?? '') })),
  ...leftByFailed(work, stage).filter(({ path }) => !(path in before) && !(path in after)),
];

/**
 * Records that the engine's state has, that nothing declares, and that never became members: a run that failed before its commit made them, and
 * the file was taken back. The engine deletes them after the commit, which would include them. Known in a run that refreshed.
 */
function leftByFailed(work: Work, stage: Kind['stage']): readonly Left[] {
  const { declarations, records } = work.session;
  return records.refreshed().flatMap(([key, { address, path, declares, isPack, ...record }]) => {
    const isHere = Object.entries(work.address).every(([name, value]) => name === 'name' || address[name] === value);
    if (record.stage !== stage || !isHere || path === '' || record.isReference || declarations.has(key)) return [];
    return [{ path, member: { revision: '', pack: isPack, ...(declares ? { declares } : {}) } }];
  });
}

function refuseProtected(leaving: readonly Left[]): void {
  const shielded = leaving.filter(({ member }) => member.mark === 'protect').map(({ path }) => path);
  if (shielded.length === 0) return;
  throw new LifecycleError(
    `${shielded.join(', ')} left the file but ${shielded.length === 1 ? 'is' : 'are'} protected; nothing was changed`,
    'declare it with protect: false, run pulumi up, then take it out of the file',
  );
}

/**
 * Deletes what leaves: of each removed branch only the topmost record, since its delete deletes the rest. Retained records keep everything below
 * them; pack-born ones are given back and their own children deleted one by one. Paths that no longer exist are put into `taken`.
 */
async function sweep(work: Work, stage: Kind['stage'], left: readonly Left[], taken: Set<string>): Promise<void> {
  await eachOnceAllowed(topmost(left), async ({ path, member }) => {
    const record = memberAt(work, stage, path, member);
    if (record === undefined) return;
    work.progress(`takes away ${path}`);
    await record.of.verbs.delete(record.work);
    taken.add(path);
    if (!member.pack)
      left.filter((other) => other.path.startsWith(`${path}/`)).forEach((below) => taken.add(below.path));
  });
  for (const { path, member } of left) {
    const record = memberAt(work, stage, path, member);
    if (record && member.mark === undefined)
      work.session.records.noteSwept(subjectKey(record.of, record.work.id), member.pack ? undefined : member.type);
  }
}

/** Does a job for each; those a guard refuses again after the others, since one that went may make way for another. */
async function eachOnceAllowed<T>(items: readonly T[], job: (item: T) => Promise<void>): Promise<void> {
  const refused: T[] = [];
  let reason: Refused | undefined;
  for (const item of items) {
    try {
      await job(item);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      reason ??= error;
      refused.push(item);
    }
  }
  if (reason === undefined) return;
  if (refused.length === items.length) throw reason;
  await eachOnceAllowed(refused, job);
}

/**
 * A record that an earlier run removed, and that is declared again after that run failed: for the engine it never left, so nobody makes it
 * again. Seen by its stamp, which is no longer that of our last write. What was made or read in this run is known to be as it is.
 */
async function refuseReturned(work: Work, stage: Kind['stage'], before: Members, after: Members): Promise<void> {
  if (work.known === undefined) return;
  const stale: string[] = [];
  for (const [path, text] of Object.entries(after)) {
    const isNew = parseMember(before[path] ?? '').revision === '';
    const member = parseMember(text);
    const record = isNew ? memberAt(work, stage, path, member) : undefined;
    if (record === undefined) continue;
    const key = subjectKey(record.of, record.work.id);
    if (work.session.records.isMade(key) || work.session.records.isRead(key)) continue;
    const live = await record.of.verbs.read(record.work);
    if (live === undefined || !isStampOf(live.stamp, member.revision)) stale.push(path);
  }
  if (stale.length === 0) return;
  throw new LifecycleError(
    `${stale.join(', ')} ${stale.length === 1 ? 'is' : 'are'} declared again, but an earlier run that failed deleted ${stale.length === 1 ? 'it' : 'them'}, or somebody else changed it since`,
    'run pulumi up --refresh: it finds what is missing and creates it again',
  );
}

/** What distinguishes a member's record from others of its name; of an old state, which does not show, the stamp of our last write may. */
const distinction = ({ distinguishedBy = '' }: Kind, { type, revision }: Member): Work['known'] =>
  type === undefined ? { revision } : { [distinguishedBy]: type };

/**
 * Templates of the component that a design's members have at a path, in the last run and in this one; undefined where a state does not show them.
 */
export function memberTemplates(work: Work, path: string): readonly (string | undefined)[] {
  return [work.known, work.args].flatMap((values) => {
    const text = membersIn(values)[path];
    if (text === undefined) return [];
    const { pack, type } = parseMember(text);
    return [type ?? (pack ? ownName(work, path) : undefined)];
  });
}

/** The name of a pack's own record of a design, which is that of its template. */
const ownName = ({ session: { kinds } }: Work, path: string): string | undefined =>
  parseMemberPath(kinds, 'design', path)?.inside['name'];

/** Whether check saw the record in this run. */
export function isDeclared(work: Work, stage: Kind['stage'], path: string): boolean {
  const record = memberAt(work, stage, path, { revision: '', pack: false });
  return record !== undefined && work.session.declarations.has(declaredKey(record.of, record.work.address));
}

const refreshedIn = ({ session, at }: Work): readonly Refreshed[] =>
  session.records
    .refreshed()
    .map(([, record]) => record)
    .filter(
      ({ stage, address }) =>
        stage === 'environment' &&
        address['assembly'] === at['assembly'] &&
        address['environment'] === at['environment'],
    );

/** Paths of an environment's records that a refresh of this run read as the stack's own: what another user set there is drift, which the run resets. */
export const refreshedPaths = (work: Work): readonly string[] => refreshedIn(work).map(({ path }) => path);

/** The names of what such a record declares, from its member. */
export const refreshedNames = (work: Work, path: string): readonly string[] =>
  refreshedIn(work).find((record) => record.path === path)?.declares ?? [];

/** A record as this run declares it. */
export interface DeclaredMember extends MemberRecord {
  /** By wire name. */
  readonly declared: ReadonlyMap<string, Declared>;
}

/** A member as this run declares it, ready to be written; undefined where check did not see it, or another stack owns it. */
export function declaredMember(work: Work, stage: Kind['stage'], path: string): DeclaredMember | undefined {
  const record = memberAt(work, stage, path, parseMember(membersIn(work.args)[path] ?? ''));
  const inputs = record && work.session.declarations.inputsOf(declaredKey(record.of, record.work.address));
  if (record === undefined || inputs === undefined || isReference(inputs)) return undefined;
  const { of } = record;
  return {
    of,
    work: { ...record.work, args: inputs, wire: textsOf(of, inputs) },
    declared: declaredValues(of, inputs),
  };
}

/** Removed members that no other removed member's delete includes, and that nothing retains. */
export function topmost(left: readonly Left[]): readonly Left[] {
  const above = (path: string): readonly Left[] => left.filter((other) => path.startsWith(`${other.path}/`));
  return left.filter(({ path, member }) => {
    if (member.mark === 'retain') return false;
    return above(path).every((other) => other.member.pack && other.member.mark !== 'retain');
  });
}

/** A member's kind, in its scope, and its work; undefined for a path of no kind. */
function memberAt(work: Work, stage: Kind['stage'], path: string, member: Member): MemberRecord | undefined {
  const found = parseMemberPath(work.session.kinds, stage, path);
  if (found === undefined) return undefined;
  const { of, inside } = found;
  const { name: _, ...outer } = work.address;
  const address = { ...outer, ...inside };
  const id = formatId(of, work.api.organization, address);
  // A record of a pack is named like its template, so its member does not contain the template.
  const type = member.pack && of.named && member.type === undefined ? { type: inside['name'] } : {};
  const { argument = '', value } = of.switchedOff ?? {};
  const known = {
    origin: member.pack ? 'pack' : 'own',
    ...(of.distinguishedBy ? distinction(of, member) : {}),
    ...type,
    ...(member.down ? { [argument]: value } : {}),
  };
  const { declares } = member;
  const open = openName(of);
  const isBeside = (name: string): boolean => open === undefined || name.startsWith('.');
  const listed = (of: readonly string[]): Work['args'] => Object.fromEntries(of.map((name) => [name, '']));
  const args = declares && {
    ...listed(declares.filter(isBeside).map((name) => name.replace(/^\./, ''))),
    ...(open === undefined ? {} : { ...type, [open]: listed(declares.filter((name) => !isBeside(name))) }),
  };
  const { clouds } = work.args;
  const at = pathAddress(of, work.api.organization, address);
  const own = { ...work, address, at, id, args: args ?? {}, wire: {}, known };
  return { of, work: Array.isArray(clouds) ? { ...own, declaredClouds: clouds as readonly string[] } : own };
}
