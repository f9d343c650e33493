// Whether a saved plan may still be applied: its state, and with a client the service, are as they were when it was made. Sends only GETs.
import type { Api } from '../../api/client';
import type { Clock, ServiceIdentity } from '../../provider';
import { readState, reviewStack, type DriftFinding, type StackState, type Unread } from '../../drift';
import { planDigest } from './digest';
import { movedState } from './moved';
import { stackOfPlan } from './planned-document';
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

/** What a review of the stack finds that is not as it was when the plan was made. */
async function liveReasons(
  { plan, exported, clock, ahead = () => 0 }: VerifyOptions,
  api: Api,
): Promise<{ readonly reasons: readonly StaleReason[]; readonly unread: readonly Unread[] }> {
  const state = readState(exported);
  const { findings, unread } = await reviewStack({ api, state, ...(clock ? { clock } : {}) });
  const since = sinceWhen(Date.parse(plan.manifest.time), readStart(exported).saved, ahead(), state);
  return { reasons: findings.filter((each) => isStale(each, since)).map(reasonOf), unread };
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
  undeclared: 'somebody created it since',
  undeployed: 'what was written is not what runs',
  touched: 'it was written since, though no declared value differs',
};

function reasonOf({ classification, address, attribute, author, live }: DriftFinding): StaleReason {
  const release = /^releases\.(\d+)$/.exec(attribute ?? '')?.[1];
  const waits = live?.is === 'value' ? String(live.value) : 'it waits to be deployed';
  const message =
    release === undefined
      ? (MESSAGES[classification] ?? `${attribute ?? 'it'} is not what the state has`)
      : `release ${release} was committed since: ${waits}`;
  return {
    of: release !== undefined ? 'release' : classification === 'undeployed' ? 'deployment' : 'record',
    address,
    message,
    ...(author && author.who !== '' ? { who: author.who } : {}),
    ...(author && author.when > 0 ? { when: author.when } : {}),
  };
}
