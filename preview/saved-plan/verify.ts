// Whether a saved plan may still be applied: its state, and with a client the service, are as they were when it was made. Sends only GETs.
import type { Api } from '../../api/client';
import { kinds, knowing, newSession, serviceStamp, type Clock, type ServiceIdentity } from '../../provider';
import { stepsOf } from '../document';
import {
  type DriftFinding,
  knownOf,
  onceEach,
  readLive,
  readState,
  recordingApi,
  reviewStack,
  type StackState,
  type Unread,
} from '../../drift';
import { planDigest } from './digest';
import { happenedSince } from './live-start';
import { movedState } from './moved';
import { plannedDocument, stackOfPlan } from './planned-document';
import { readStart, type PlanFile } from './plan-file';
import { changedSettings, elsewhereReasons, identityText, type WrittenSettings } from './service';
import { verifiedOutcome, type StaleReason, type Verification } from './verification';

/** What is verified, and against what. */
export interface VerifyOptions {
  readonly plan: PlanFile;
  /** The export of the stack's present state: its JSON, parsed. */
  readonly exported: unknown;
  /** Digest of the plan that was approved. */
  readonly digest?: string | undefined;
  /** The service that a run here would speak to, as far as settings name it. */
  readonly service?: ServiceIdentity;
  /** The configuration of the stack as its files have it now; undefined where they are not known. */
  readonly settings?: WrittenSettings | undefined;
  /** The service; without it only the state is looked at. */
  readonly api?: Api | undefined;
  /** Milliseconds by which the service's clock is ahead, once it answered. */
  readonly ahead?: () => number;
  /** What the plan breaks of the policies that hold now. */
  readonly policies?: PolicyVerdict;
  /** Time the lifecycle waits by; for tests. */
  readonly clock?: Clock;
}

/** What policies say of a plan. */
export interface PolicyVerdict {
  /** Mandatory policies that it breaks. */
  readonly broken: readonly StaleReason[];
  /** What else people read of it. */
  readonly notes: readonly string[];
  /** Why a mandatory policy could not be judged in full. */
  readonly unread: readonly Unread[];
}

/** Clocks of the machines that make and verify a plan may differ by these milliseconds; what happened within them counts as later. */
const CLOCKS = 5_000;

/** Verifies a plan. Throws Error for what is no export, or is of another stack. */
export async function verifyPlan(options: VerifyOptions): Promise<Verification> {
  const { plan, exported, api, service = {}, policies = { broken: [], notes: [], unread: [] } } = options;
  const start = readStart(exported);
  const happened = api === undefined ? NOT_ASKED : await liveReasons(options, api);
  const digest = planDigest(plan, start, service);
  const moved = movedState(plan, start, options.digest === digest);
  const ids = readState(exported).records.map(({ id }) => id.split('/')[0] ?? '');
  const here = { ...(api === undefined ? {} : { organization: api.organization }), ...service };
  const reasons = [
    ...digestReasons(options, digest),
    ...futureReasons(options),
    ...elsewhereReasons(plan, ids, here),
    ...changedSettings(plan, options.settings),
    ...moved,
    ...happened.reasons,
    ...policies.broken,
  ];
  const unread = [...happened.unread, ...policies.unread];
  return {
    version: 1,
    stack: stackOfPlan(plan)?.stack ?? '',
    digest,
    service,
    planned: Date.parse(plan.manifest.time),
    live: api !== undefined,
    outcome: verifiedOutcome(reasons, unread),
    reasons,
    unread,
    notes: policies.notes,
  };
}

/** That the approved digest is not the one of this plan. */
function digestReasons({ digest: approved, service = {} }: VerifyOptions, digest: string): readonly StaleReason[] {
  if (approved === undefined || approved === digest) return [];
  const message = `its digest is not the approved ${approved}: the plan, its start or the service is another one; the service here is ${identityText(service)}`;
  return [{ of: 'plan', address: 'the plan', message }];
}

/** What is known of the service when it is not asked. */
const NOT_ASKED = { reasons: [], unread: [] } as const;

/** A plan of the future: what happened since its time is not known, because everything seems to have happened before it. */
function futureReasons({ plan, clock, ahead = () => 0 }: VerifyOptions): readonly StaleReason[] {
  const planned = Date.parse(plan.manifest.time);
  const now = clock?.now() ?? Date.now();
  if (planned <= Math.max(now, now + ahead()) + CLOCKS) return [];
  const message = 'its time is in the future: a clock is wrong, or somebody changed the file';
  return [{ of: 'plan', address: 'the plan', message, when: planned }];
}

async function liveReasons(
  { plan, exported, clock, ahead = () => 0 }: VerifyOptions,
  service: Api,
): Promise<{ readonly reasons: readonly StaleReason[]; readonly unread: readonly Unread[] }> {
  const api = onceEach(recordingApi(service, {}).api);
  const state = readState(exported);
  const review = await reviewStack({ api, state, ...(clock ? { clock } : {}) });
  const start = readStart(exported);
  const since = sinceWhen(Date.parse(plan.manifest.time), start.saved, ahead(), state);
  const wanted = state.records.map((applied) => ({
    kind: applied.kind,
    id: applied.id,
    known: knownOf({ ...applied, applied }),
  }));
  const session = knowing(
    newSession(kinds, clock),
    wanted.map(({ kind, known }) => ({ kind, inputs: known })),
  );
  const document = plannedDocument(plan, start);
  const steps = stepsOf(document, api.organization);
  const { user } = review;
  const happened = await happenedSince({ api, session, steps, records: state.records, user, since });
  const differing = review.findings.filter((each) => isStale(each, since)).map(reasonOf);
  const named = new Set(differing.map(({ address }) => address));
  const reads = await readLive(api, wanted, { concurrency: 8, session });
  const written = reads.flatMap((read, index): readonly StaleReason[] => {
    const record = state.records[index];
    const { updated, updatedBy, revision } = ('live' in read ? read.live?.outputs : undefined) ?? {};
    if (record === undefined || named.has(record.id) || record.kind.commits !== undefined) return [];
    // A commit moves the time of a record, and not its stamp.
    if (typeof updated !== 'number' || updated < since) return [];
    if (serviceStamp(revision) === serviceStamp(record.computed['revision'])) return [];
    const message = 'it was written since, though no declared value differs';
    return [{ of: 'record', address: record.id, message, who: String(updatedBy), when: updated }];
  });
  return {
    reasons: [...differing, ...written, ...happened.reasons],
    unread: [...review.unread, ...happened.unread],
  };
}

/**
 * From when on something came after the plan, by the service's clock: what existed when the state was saved, or is not newer than the newest write that the
 * state knows, was there before.
 */
function sinceWhen(planned: number, saved: number | undefined, ahead: number, { records }: StackState): number {
  const newest = Math.max(0, ...records.map(({ computed }) => Number(computed['updated'] ?? 0) + 1));
  return Math.max(planned + ahead - CLOCKS, Math.min(saved ?? 0, planned) + ahead, newest);
}

/** Differences from the state that a refresh or a revert ends; the others count if they came after the plan. */
const FROM_STATE: readonly DriftFinding['classification'][] = ['changed', 'changed-by-own-user', 'conflict', 'deleted'];

function isStale({ classification, author }: DriftFinding, since: number): boolean {
  if (FROM_STATE.includes(classification)) return true;
  return classification !== 'pending' && classification !== 'healed' && (author?.when ?? 0) >= since;
}

const MESSAGES: { readonly [C in DriftFinding['classification']]?: string } = {
  deleted: 'it was deleted, or its deletion waits for a commit',
  undeclared: 'it was created, and nobody declares it',
  undeployed: 'what was written is not what runs',
  touched: 'it was written since, though no declared value differs',
};

function reasonOf({ classification, address, attribute, author }: DriftFinding): StaleReason {
  const message = MESSAGES[classification] ?? `${attribute ?? 'it'} is not what the state has`;
  return {
    of: classification === 'undeployed' ? 'deployment' : 'record',
    address,
    message,
    ...(author && author.who !== '' ? { who: author.who } : {}),
    ...(author && author.when > 0 ? { when: author.when } : {}),
  };
}
