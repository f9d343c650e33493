// Sweep: members that left the file are deleted before the commit, since the engine deletes them only after it (architecture §5, F1).
// It must not know the engine; kinds come from the session.
import { LifecycleError } from '../../api/errors';
import { addressNames, formatId, pathAddress, type Kind } from '../kind';
import { compareMembers, parseMember, type Member } from '../members';
import { subjectKey } from '../session';
import type { Work } from '../verbs/verbs';

interface Left {
  readonly path: string;
  readonly member: Member;
}

/**
 * Deletes what is in `before` and no longer in `after`: of each removed branch only the topmost record, since it takes the rest along.
 * Retained records keep everything below them; pack-born ones are given back and their own children deleted one by one.
 * Throws before any write when one of them is protected.
 */
export async function sweep(work: Work, stage: Kind['stage'], before: unknown, after: unknown): Promise<void> {
  const members = membersIn(before);
  const left = compareMembers(before, after).removed.map((path): Left => ({
    path,
    member: parseMember(members[path] ?? ''),
  }));
  const shielded = left.filter(({ member }) => member.mark === 'protect').map(({ path }) => path);
  if (shielded.length > 0) {
    throw new LifecycleError(
      `${shielded.join(', ')} left the file but ${shielded.length === 1 ? 'is' : 'are'} protected; nothing was changed`,
      'declare it with protect: false, run pulumi up, then take it out of the file',
    );
  }
  for (const { path } of topmost(left)) {
    const of = kindOf(work.session.kinds, stage, path);
    if (of === undefined) continue;
    work.progress(`takes away ${path}`);
    await of.verbs.delete(workOn(work, of, path, left.find((other) => other.path === path)?.member.pack === true));
  }
  for (const { path, member } of left) {
    const of = kindOf(work.session.kinds, stage, path);
    if (of && member.mark === undefined) work.session.swept.add(subjectKey(of, workOn(work, of, path, member.pack).id));
  }
}

/**
 * Refuses members that are back in the file after an earlier run took them away and then failed: the engine still has them in its state, so
 * nothing creates them again by itself. Only members that are new to the release and were not made in this run are looked at.
 */
export async function refuseReturned(work: Work, stage: Kind['stage'], before: unknown, after: unknown): Promise<void> {
  const known = membersIn(before);
  const returned = Object.entries(membersIn(after)).filter(([path]) => !(path in known));
  const lost: string[] = [];
  for (const [path, text] of returned) {
    const of = kindOf(work.session.kinds, stage, path);
    if (of === undefined) continue;
    const other = workOn(work, of, path, parseMember(text).pack);
    if (work.session.made.has(subjectKey(of, other.id))) continue;
    if ((await of.verbs.read(other)) === undefined) lost.push(path);
  }
  if (lost.length === 0) return;
  throw new LifecycleError(
    `${lost.join(', ')} ${lost.length === 1 ? 'was' : 'were'} taken away by an earlier run, and ${lost.length === 1 ? 'is' : 'are'} declared again`,
    'run pulumi up --refresh: what is gone is seen, and made again',
  );
}

const membersIn = (members: unknown): { readonly [path: string]: string } =>
  (typeof members === 'object' && members !== null ? members : {}) as { readonly [path: string]: string };

/** Removed members that no other removed member's delete takes along, and that nothing retains. */
export function topmost(left: readonly Left[]): readonly Left[] {
  const above = (path: string): readonly Left[] => left.filter((other) => path.startsWith(`${other.path}/`));
  return left.filter(({ path, member }) => {
    if (member.mark === 'retain') return false;
    return above(path).every((other) => other.member.pack && other.member.mark !== 'retain');
  });
}

/** The kind a member path belongs to, by its number of parts within the stage. */
function kindOf(kinds: readonly Kind[], stage: Kind['stage'], path: string): Kind | undefined {
  const outer = stage === 'design' ? 1 : 2;
  const parts = path.split('/').length;
  return kinds.find(
    (of) => of.stage === stage && addressNames(of).length - outer === parts && addressNames(of).length > outer,
  );
}

function workOn(work: Work, of: Kind, path: string, pack: boolean): Work {
  const outer = addressNames(of)
    .filter((name) => name in work.address && name !== 'name')
    .map((name) => [name, work.address[name] as string] as const);
  const names = addressNames(of).slice(outer.length);
  const address = Object.fromEntries([
    ...outer,
    ...path.split('/').map((part, index) => [names[index] as string, part] as const),
  ]);
  return {
    ...work,
    address,
    at: pathAddress(of, work.api.organization, address),
    id: formatId(of, work.api.organization, address),
    args: {},
    wire: {},
    known: { origin: pack ? 'pack' : 'own', ...(pack ? { type: path.split('/').at(-1) } : {}) },
  };
}
