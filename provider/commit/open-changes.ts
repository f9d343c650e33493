// Uncommitted changes: their users, and what a commit does with those of others (architecture §5).
import { firstNamed } from '../../api/errors';
import type { Record as WireRecord, Relation } from '../../api/contract';
import { LifecycleError } from '../errors';
import { type Cause, userOf } from '../history/change';
import { readRelease } from '../history/environment-releases';
import { textAt } from '../values/plain';
import { lastWriter } from '../verbs/live';
import type { Work } from '../kind';
import { waitUntil } from '../verbs/waiting';

/** `unclear`: where a run that is under way cannot know yet whether it declares the record. */
type Own = boolean | 'unclear';

/** A record or link where changes are open, whether it has one or not, and who wrote it last. */
export interface Standing extends Cause {
  /** `component web/os`, for people. */
  readonly what: string;
  /** Its ciId or ciRelationId. */
  readonly number: number;
  /** `add`, `update`, `delete`; none when nothing of it is open. */
  readonly action: string | undefined;
  /** Number of the change that was committed last. */
  readonly appliedId: number;
  /** Who opened the change; absent when the list does not show it. */
  readonly begunBy?: string | undefined;
  /** Whether the change is this stack's, or follows from what is. */
  readonly own: Own;
  /** What of the change is not this stack's. */
  readonly detail?: string;
  /** Whether the pull that follows the commit writes the design's values over the change. */
  readonly isOverwrittenByPull?: boolean;
  /** Whether it is another user's, and this run writes what is declared of it after the commit. */
  readonly isWrittenAgain?: boolean;
  /** Writes the declared values where the record says `overwrite` and that undoes the change. */
  readonly overwrite?: () => Promise<void>;
  /** Whether a pull created the record again, and `overwrite` writes what a killed run did not. */
  readonly isRecreated?: boolean;
}

/** What is known of an open change once it was compared with what is declared. */
export type Judged = Pick<
  Standing,
  'own' | 'detail' | 'isOverwrittenByPull' | 'isWrittenAgain' | 'overwrite' | 'isRecreated'
> &
  Partial<Pick<Standing, 'who'>>;

/** A record as it is; only one with an open change is judged. */
export async function standing(
  what: string,
  record: WireRecord,
  judge: () => Judged | Promise<Judged>,
): Promise<Standing> {
  const action = record.rfcAction ?? undefined;
  return {
    what,
    number: record.ciId,
    action,
    appliedId: record.lastAppliedRfcId ?? 0,
    releaseId: record.releaseId ?? 0,
    ...lastWriter(record),
    begunBy: (record.rfcAction === 'add' ? record.createdBy : record.rfcCreatedBy) ?? undefined,
    ...(action === undefined ? { own: true } : await judge()),
  };
}

/** The same of a relation. `who`: empty where nothing shows who changed it. */
export const standingRelation = (
  what: string,
  relation: Relation,
  { action = relation.rfcAction ?? undefined, who }: Pick<Standing, 'who'> & Partial<Pick<Standing, 'action'>>,
  judged: Judged,
): Standing => ({
  what,
  number: relation.ciRelationId,
  action,
  appliedId: Number(relation['lastAppliedRfcId'] ?? 0),
  releaseId: relation.releaseId ?? 0,
  who,
  when: relation.updated ?? relation.created ?? 0,
  ...judged,
});

/** Open changes of the design, of one platform, or of the environment of a work. */
export interface OpenPlace {
  /** What is open; records without a change may be left out. */
  list(): Promise<readonly Standing[]>;
  /** Every record, with an open change or not: a closed change was committed or discarded. */
  all(): Promise<readonly Standing[]>;
}

const SHOWN = 20;

const nameOf = ({ at }: Work): string =>
  at['environment'] !== undefined
    ? 'the environment'
    : at['platform'] === undefined
      ? 'the design'
      : `platform ${at['platform']}`;

const whenBusyOf = ({ args }: Work): string => textAt(args, 'whenBusy', 'fail');

/** Throws in a preview for the open changes of others for which the run would stop. */
export async function refuseInPreview(work: Work, place: OpenPlace): Promise<void> {
  if (whenBusyOf(work) === 'fail') await refuseForeignChanges(work, place, true);
}

/**
 * Lets a commit go on that includes nothing of others, else does what `whenBusy` says: `fail`
 * throws and names each change, `wait` looks until there are none, `proceed` commits them, too, and
 * says so. What `overwrite` is declared for is written first. Answers whether it waited. `isFresh`:
 * the service was asked just now.
 */
export async function refuseForeignChanges(work: Work, place: OpenPlace, isFresh = false): Promise<boolean> {
  const before = await withOverwritten(work, place, isFresh);
  const foreign = before.filter(({ own }) => !own);
  const whenBusy = whenBusyOf(work);
  if (foreign.length > 0 && whenBusy === 'fail')
    throw new LifecycleError(
      `${nameOf(work)} contains changes that are not of this stack, and a commit would include them:\n${await linesOf(work, foreign)}`,
      `${await hintFor(work, foreign)}; whenBusy: wait (when_busy in a stack file) waits until there are none, whenBusy: proceed includes them`,
    );
  const say = async (changes: readonly Standing[], text: string): Promise<void> => {
    if (changes.length > 0) work.notice(`${text}:\n${await linesOf(work, changes)}`);
  };
  await say(
    before.filter(({ isWrittenAgain }) => isWrittenAgain),
    'committed first, although not of this stack; what the file declares is written after that',
  );
  await say(
    before.filter(({ own }) => own === 'unclear'),
    `committed along with ${nameOf(work)}, whether they are of this stack or not`,
  );
  if (foreign.length === 0) return false;
  if (whenBusy !== 'proceed') {
    await waitForOthers(work, place);
    return true;
  }
  await say(
    foreign.filter(({ isOverwrittenByPull }) => !isOverwrittenByPull),
    `committed along with ${nameOf(work)}, although not of this stack`,
  );
  await say(
    foreign.filter(({ isOverwrittenByPull }) => isOverwrittenByPull),
    "committed before the pull, and then overwritten by the pull with the design's values",
  );
  return false;
}

async function hintFor(work: Work, foreign: readonly Standing[]): Promise<string> {
  const actions = foreign.map(({ action }) => action);
  // Before a pull it is not known what the file declares below the environment.
  const isBeforePull = foreign.some(({ isOverwrittenByPull }) => isOverwrittenByPull !== undefined);
  const hint = [
    `commit or discard them in the service${isBeforePull ? ' before the pull, also those that the file declares' : ''}`,
    ...(!isBeforePull && actions.some((action) => action !== 'delete') ? ['or declare these records here'] : []),
    ...(actions.includes('delete') ? ['or remove from the file what is deleted there'] : []),
  ].join(', ');
  const user = await userOf(work);
  // A refresh reads what the state has, and a record of a run that was killed is not in it.
  if (!foreign.some(({ who, action }) => who === user && action !== 'add')) return hint;
  return `what a failed run of this stack left open, pulumi up --refresh takes back; else ${hint}`;
}

/** How often a value that somebody keeps changing is written before it counts as a change. */
const ROUNDS = 3;

/** What is in a place once the declared values were written where `overwrite` is declared. */
async function withOverwritten(work: Work, place: OpenPlace, isFresh: boolean): Promise<readonly Standing[]> {
  for (let round = 1; ; round += 1) {
    if (!isFresh || round > 1) work.session.answers.lookAgain(work.at);
    const all = await place.list();
    const overwritten = all.filter(({ own, overwrite }) => own !== true && overwrite !== undefined);
    if (overwritten.length === 0 || round > ROUNDS) return all;
    for (const wasRecreated of [false, true]) {
      const changes = overwritten.filter(({ isRecreated = false }) => isRecreated === wasRecreated);
      if (changes.length === 0) continue;
      const lines = await linesOf(work, changes);
      for (const { overwrite } of changes) await overwrite?.();
      const [did, why] = wasRecreated
        ? ['written as declared', 'because a pull created the record again']
        : ['set back', 'as overwrite says'];
      work.notice(`${did} before the commit of ${nameOf(work)}, ${why}:\n${lines}`);
    }
  }
}

async function waitForOthers(work: Work, place: OpenPlace): Promise<void> {
  const look = (): Promise<readonly Standing[]> => {
    work.session.answers.lookAgain(work.at, true);
    return place.all();
  };
  const before = await look();
  const after = await waitUntil(
    work,
    { what: `waiting for open changes of others in ${nameOf(work)}` },
    look,
    (all) => {
      const left = all.filter(({ own }) => !own).map(({ what }) => what);
      if (left.length > 0) work.progress(`waits for open changes of others: ${firstNamed(left, 3)}`);
      return left.length === 0;
    },
  );
  const lost = before.filter((was) => was.own && was.action !== undefined && !isKept(was, after));
  if (lost.length === 0) return;
  throw new LifecycleError(
    `while ${nameOf(work)} was waited for, its open changes were discarded, and this stack's with them: ${lost.map(({ what }) => what).join(', ')}`,
    'run pulumi up --refresh: it finds what is missing and creates it again',
  );
}

/** Whether a change is still open, or was committed. */
function isKept(was: Standing, after: readonly Standing[]): boolean {
  const now = after.find(({ number }) => number === was.number);
  if (now === undefined) return was.action === 'delete';
  return now.action !== undefined || (was.action !== 'delete' && now.appliedId !== was.appliedId);
}

/**
 * `  component web/os: update by maria at 2026-01-05T00:00:00.000Z`, a line each. A change without a
 * visible author is attributed to the user who opened its release.
 */
async function linesOf(work: Work, changes: readonly Standing[]): Promise<string> {
  const lines = await Promise.all(
    changes.slice(0, SHOWN).map(async ({ what, action, who, when, releaseId, detail = '' }) => {
      const by = who || (releaseId > 0 && (await readRelease(work, releaseId)).createdBy) || 'somebody';
      return `  ${what}: ${action} by ${by} at ${new Date(when).toISOString()}${detail && `: ${detail}`}`;
    }),
  );
  const more = changes.length > SHOWN ? [`  and ${changes.length - SHOWN} more`] : [];
  return [...lines, ...more].join('\n');
}
