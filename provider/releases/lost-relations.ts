// Relations that the service deleted with a record which an earlier run made again, and that this run has no other reason to write: that run failed,
// or had only that record as its target. It must not know any single kind, nor the engine.
import { formatId } from '../ids';
import { compareMembers, parseMemberPath } from '../members';
import { subjectKey } from '../session';
import { planUpdate } from '../update-plan';
import type { Work } from '../model';
import { declaredMember, type DeclaredMember } from './sweep';

/**
 * Writes declared relations to records that were written since the last commit, but not in this run, where the service does not have them. Sends
 * nothing where there is no such record.
 */
export async function writeLostRelations(work: Work): Promise<void> {
  const before = Object.keys(work.known?.['members'] ?? {});
  const { written } = compareMembers(work.known?.['members'], work.args['members']);
  const earlier = new Set(written.filter((path) => before.includes(path) && isUnchanged(work, path)));
  if (earlier.size === 0) return;
  for (const path of Object.keys(work.args['members'] ?? {})) {
    const member = declaredMember(work, 'design', path);
    const lost = member === undefined ? {} : relationsTo(member, path, earlier);
    if (member !== undefined && Object.keys(lost).length > 0) await writeAgain(work, member, lost);
  }
}

/** Whether the diff of the record at a path found nothing to do in this run. */
function isUnchanged({ session, address, api }: Work, path: string): boolean {
  const found = parseMemberPath(session.kinds, 'design', path);
  if (found === undefined) return false;
  const { name: _, ...outer } = address;
  const id = formatId(found.of, api.organization, { ...outer, ...found.inside });
  return session.records.isUnchanged(subjectKey(found.of, id));
}

/** The arguments that hold relations to records next to this one at these paths, without those relations. */
function relationsTo({ of, work }: DeclaredMember, path: string, others: ReadonlySet<string>): Work['args'] {
  const beside = path.slice(0, path.lastIndexOf('/') + 1);
  const without = Object.entries(of.fields).flatMap(([argument, { relation }]): [string, unknown][] => {
    const names = work.args[argument];
    if (relation === undefined || !Array.isArray(names)) return [];
    const left = names.filter((name) => !others.has(`${beside}${String(name)}`));
    return left.length === names.length ? [] : [[argument, left]];
  });
  return Object.fromEntries(without);
}

async function writeAgain(row: Work, { of, work }: DeclaredMember, lost: Work['args']): Promise<void> {
  const live = await of.verbs.read(work);
  if (live === undefined) return;
  const planned = await planUpdate(of, work, { ...work.args, ...lost }, live);
  const changes = Object.fromEntries(
    Object.entries(planned).filter(([name]) => of.fields[name]?.relation !== undefined),
  );
  if (Object.keys(changes).length === 0) return;
  await of.verbs.update({ ...work, live, changes });
  row.notice(
    `${Object.keys(changes).join(' and ')} of ${work.id} written again: an earlier run made a record again that it refers to`,
  );
}
