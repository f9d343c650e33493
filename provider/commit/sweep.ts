// Deletes what left the file, before the commit. The engine deletes after it (architecture §5, F1).
import { messageOf } from '../../api/errors';
import { refuseDeleteElsewhere } from '../deploy/run-elsewhere';
import { Refused } from '../errors';
import type { Work } from '../kind';
import { Incomplete, type Live } from '../address/live';
import { memberPath } from '../address/member-path';
import { ancestorsTakingAlong, deleteOwn } from '../address/place';
import { subjectKey } from '../session';
import { textAt } from '../values/plain';
import { takenName } from '../lifecycle/leaving';
import { describingFailure } from '../lifecycle/managed';
import { leavingWork, LEFT, leftTheFile, stampsIn } from './own-records';

type Left = ReturnType<typeof leftTheFile>[number];

const nameOf = ({ of, record: { id, revision } }: Left): string => takenName(of, id, revision);

/**
 * Deletes what left the file, then does the rest, and names it in the output `taken`: the engine has
 * it until its own deletes. A later failure is Incomplete; `failed` answers what is known then. A
 * limited run deletes nothing.
 */
export async function sweeping(work: Work, failed: () => Live, rest: () => Promise<Live>): Promise<Live> {
  const left = leftTheFile(work);
  const before = textAt(work.known, 'taken').split(' ');
  const taken = new Set(left.map(nameOf).filter((name) => before.includes(name)));
  const withTaken = (live: Live): Live => ({
    ...live,
    outputs: { ...live.outputs, taken: [...taken].sort().join(' ') },
  });
  if (left.length > 0 && work.session.isLimited()) {
    work.notice(leavesToEngine(left.map(({ of, address }) => memberPath(of, address))));
    return leftOver(work, withTaken(await rest()));
  }
  try {
    await sweep(work, left, taken);
    return withTaken(await rest());
  } catch (error) {
    if (taken.size === 0) throw error;
    const { live, reasons } =
      error instanceof Incomplete
        ? error
        : { live: leftOver({ ...work, args: work.known ?? {} }, failed()), reasons: [messageOf(error)] as const };
    throw new Incomplete(withTaken(live), reasons);
  }
}

/** What a limited run says of records that left the file. */
export const leavesToEngine = (paths: readonly string[]): string =>
  `${paths.join(', ')} left the file; a run with --target or --exclude leaves that to the engine`;

/** A result after which records that left are deleted by the engine: the next run looks again. */
export const leftOver = (work: Work, live: Live): Live => ({
  ...live,
  outputs: { ...live.outputs, stamps: `${stampsIn(work.args).join(' ')} ${LEFT}` },
});

/** Deletes the topmost record of each leaving branch; gives a pack's back, with all in it. */
async function sweep(work: Work, left: readonly Left[], taken: Set<string>): Promise<void> {
  const top = topmost(left);
  // All are looked at before the first is deleted.
  const notices = new Map<Left, string | undefined>();
  for (const each of top) {
    const row = leavingWork(work, each);
    notices.set(each, await describingFailure('delete', each.of, row.id, () => refuseDeleteElsewhere(each.of, row)));
  }
  await eachOnceAllowed(top, async (each) => {
    const { of, address, record } = each;
    const does = record.origin === 'pack' ? 'gives back' : 'takes away';
    const isGone = await deleteOwn(of, leavingWork(work, each), () =>
      work.progress(`${does} ${memberPath(of, address)}`),
    );
    if (!isGone) return;
    taken.add(nameOf(each));
    const notice = notices.get(each);
    if (notice !== undefined) work.notice(notice);
    if (record.origin === 'pack') return;
    for (const below of left.filter((other) => isTakenAlong(other, each))) taken.add(nameOf(below));
  });
  for (const { of, record } of left) work.session.memory.note(subjectKey(of, record.id), { swept: record.ciId });
}

const isTakenAlong = ({ of, record }: Left, above: Left): boolean =>
  ancestorsTakingAlong(of, record.id).includes(subjectKey(above.of, above.record.id));

/** Records that leave and that no other record's delete includes. */
export const topmost = (left: readonly Left[]): readonly Left[] =>
  left.filter((each) =>
    left.every((other) => other === each || other.record.origin === 'pack' || !isTakenAlong(each, other)),
  );

/** Does a job for each, refused ones again at the end: one that went may make way for another. */
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
