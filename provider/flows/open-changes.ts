// Changes that are not committed yet: whose they are, and what becomes of a commit that would take somebody else's along (architecture §5, Busy).
// It must not know where changes are listed.
import { routes, type Record as WireRecord } from '../../api/contract';
import { LifecycleError } from '../../api/errors';
import { lookUp } from '../session';
import { textAt } from '../text-at';
import { liveOf } from '../verbs/live';
import type { Work } from '../verbs/verbs';
import { waitUntil } from './waiting';

/** `unclear`: where a run that is under way cannot know yet whether it declares the record. */
export type Own = boolean | 'unclear';

/** A record or link where changes are open, whether it has one or not. Times in ms since 1970. */
export interface Standing {
  /** `component web/os`, for people. */
  readonly what: string;
  /** Its ciId or ciRelationId. */
  readonly number: number;
  /** `add`, `update`, `delete`; none when nothing of it is open. */
  readonly action: string | undefined;
  readonly changeId: number;
  /** Number of the change that was committed last. */
  readonly appliedId: number;
  /** Release the change is in. */
  readonly releaseId: number;
  /** Empty where the service does not tell. */
  readonly by: string;
  readonly at: number;
  /** Whether the change is this stack's, or follows from what is. */
  readonly own: Own;
}

/** A record as it stands; whether it is `own` is asked of those with an open change only. */
export async function standing(what: string, record: WireRecord, own: () => Own | Promise<Own>): Promise<Standing> {
  const action = record.rfcAction ?? undefined;
  return {
    what,
    number: record.ciId,
    action,
    changeId: record.rfcId ?? 0,
    appliedId: record.lastAppliedRfcId ?? 0,
    releaseId: record.releaseId ?? 0,
    by: writerOf(record),
    at: liveOf(record).updated ?? 0,
    own: action === undefined || (await own()),
  };
}

/** Who wrote a record last, in its open change if it has one; empty where the service does not tell. */
export const writerOf = (record: WireRecord): string => liveOf(record).updatedBy ?? '';

/** What stands somewhere, and who opened a release that holds changes of which the service does not tell whose they are. */
export interface OpenPlace {
  /** `the design`, `the environment`. */
  readonly name: string;
  /** Longest wait in ms. */
  readonly limit: number;
  list(): Promise<readonly Standing[]>;
  openerOf(releaseId: number): Promise<string>;
}

const SHOWN = 20;

/**
 * Lets a commit go on that takes nothing of somebody else along, else does what `whenBusy` says: `fail` throws and names each change, `wait`
 * asks until they are gone, `cancel` takes them along and says so; it discards nothing. Answers whether it waited.
 */
export async function mindOthers(work: Work, place: OpenPlace): Promise<boolean> {
  const before = await place.list();
  const foreign = before.filter(({ own }) => !own);
  const unclear = before.filter(({ own }) => own === 'unclear');
  if (unclear.length > 0)
    work.notice(
      `committed along with ${place.name}, whether they are of this stack or not:\n${await linesOf(place, unclear)}`,
    );
  if (foreign.length === 0) return false;
  const whenBusy = textAt(work.args, 'whenBusy', 'fail');
  if (whenBusy === 'wait') {
    await waitForOthers(work, place, before);
    return true;
  }
  const lines = await linesOf(place, foreign);
  if (whenBusy === 'cancel') {
    work.notice(`committed along with ${place.name}, although not of this stack:\n${lines}`);
    return false;
  }
  throw new LifecycleError(
    `${place.name} holds changes that are not of this stack, and a commit would take them along:\n${lines}`,
    'commit or discard them in the service, or declare these records here; whenBusy: wait waits until they are gone, whenBusy: cancel takes them along',
  );
}

async function waitForOthers(work: Work, place: OpenPlace, before: readonly Standing[]): Promise<void> {
  const after = await waitUntil(
    work,
    `waiting for open changes of others in ${place.name}`,
    place.limit,
    () => place.list(),
    (all) => {
      const left = all.filter(({ own }) => !own).map(({ what }) => what);
      const shown = left.length > 3 ? `${left.slice(0, 3).join(', ')} and ${left.length - 3} more` : left.join(', ');
      if (left.length > 0) work.progress(`waits for open changes of others: ${shown}`);
      return left.length === 0;
    },
  );
  const lost = before.filter((was) => was.own && was.action !== undefined && !isKept(was, after));
  if (lost.length === 0) return;
  throw new LifecycleError(
    `while ${place.name} was waited for, its open changes were discarded, and this stack's with them: ${lost.map(({ what }) => what).join(', ')}`,
    'run pulumi up --refresh: it finds what is missing and makes it again',
  );
}

/** Whether a change is still open, or was committed. */
function isKept(was: Standing, after: readonly Standing[]): boolean {
  const now = after.find(({ number }) => number === was.number);
  if (now === undefined) return was.action === 'delete';
  return now.action !== undefined || (was.action !== 'delete' && now.appliedId >= was.changeId);
}

/** `  component web/os: update by maria at 2026-01-05T00:00:00.000Z`, a line each. */
async function linesOf(place: OpenPlace, changes: readonly Standing[]): Promise<string> {
  const lines = await Promise.all(
    changes.slice(0, SHOWN).map(async ({ what, action, by, at, releaseId }) => {
      const who = by || (await place.openerOf(releaseId)) || 'somebody';
      return `  ${what}: ${action} by ${who} at ${new Date(at).toISOString()}`;
    }),
  );
  const more = changes.length > SHOWN ? [`  and ${changes.length - SHOWN} more`] : [];
  return [...lines, ...more].join('\n');
}

/** Name of the user the run speaks as, asked once per run. */
export const userOf = (work: Work): Promise<string> =>
  lookUp(work.session, 'user', async () => (await work.api.call(routes.profile.read, {})).username);
