// Whether a saved plan may still be applied: its start is as it was when it was made. GETs only.
import { isDeepStrictEqual } from 'node:util';
import { plural } from '../api/errors';
import type { Api } from '../api/client';
import { IGNORED, type Ignored, kindToken, parseUrn } from '../provider';
import type { Clock } from '../provider/session';
import { type ServiceIdentity, serviceIdentity } from '../provider/session/settings';
import { holdsUnknown, isPlainObject } from '../provider/values';
import {
  readState,
  reviewStack,
  type DriftFinding,
  type StackState,
  type Unread,
  oneLine,
  timeText,
  whoText,
  wrapped,
} from '../drift';
import {
  planDigest,
  stackOfPlan,
  withoutSecrets,
  plannedInputs,
  readStart,
  type PlanFile,
  type PlanStart,
  type ResourcePlan,
  type StartResource,
} from './plan-file';

export interface VerifyOptions {
  readonly plan: PlanFile;
  /** The export of the stack's present state: its JSON, parsed. */
  readonly exported: unknown;
  readonly digest?: string | undefined;
  /** The service that a run here would speak to, as far as settings name it. */
  readonly service?: ServiceIdentity;
  /** The stack's configuration as its files have it now; undefined where they are unknown. */
  readonly settings?: WrittenSettings | undefined;
  /** The service; without it only the state is looked at. */
  readonly api?: Api | undefined;
  /** Milliseconds by which the service's clock is ahead, once it answered. */
  readonly ahead?: () => number;
  readonly policies?: PolicyVerdict;
  /** Time the lifecycle waits by; for tests. */
  readonly clock?: Clock;
}

export interface PolicyVerdict {
  readonly broken: readonly StaleReason[];
  /** What else people read of it. */
  readonly notes: readonly string[];
  /** Why a mandatory policy could not be judged in full. */
  readonly unread: readonly Unread[];
}

/** Clocks may differ by these milliseconds; what happened within them counts as later. */
const CLOCKS = 5_000;

/** Verifies a plan. Throws Error for what is no export, or is of another stack. */
export async function verifyPlan(options: VerifyOptions): Promise<Verification> {
  const { plan, exported, api, service = {}, policies = { broken: [], notes: [], unread: [] } } = options;
  const approved = options.digest;
  const start = readStart(exported);
  const state = readState(exported);
  // Without a service, nothing is known of what happened there.
  const happened = api === undefined ? { reasons: [], unread: [] } : await liveReasons(options, { api, start, state });
  const digest = planDigest(plan, start, service);
  const moved = movedState(plan, start, approved === digest);
  const organizations = state.records.map(({ id }) => id.split('/')[0] ?? '');
  const here = { ...(api === undefined ? {} : { organization: api.organization }), ...service };
  const reasons = [
    ...(approved === undefined || approved === digest ? [] : [ofPlan(anotherDigest(approved, service))]),
    ...futureReasons(options),
    ...endedRules(options, start),
    ...elsewhereReasons(plan, organizations, here),
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

const ofPlan = (message: string): StaleReason => ({ of: 'plan', address: 'the plan', message });

const anotherDigest = (approved: string, service: ServiceIdentity): string =>
  `its digest is not the approved ${approved}: the plan, its start or the service is another one; the service here is ${identityText(service)}`;

/** A plan of the future: everything seems to have happened before it. */
function futureReasons({ plan, clock, ahead = () => 0 }: VerifyOptions): readonly StaleReason[] {
  const planned = Date.parse(plan.manifest.time);
  const now = nowBy(clock);
  if (planned <= Math.max(now, now + ahead()) + CLOCKS) return [];
  const message = 'its time is in the future: a clock is wrong, or somebody changed the file';
  return [{ ...ofPlan(message), when: planned }];
}

const nowBy = (clock: Clock | undefined): number => clock?.now() ?? Date.now();

/** Rules of drift.yaml that ended since: the engine refuses a plan with their attributes. */
function endedRules({ plan, clock }: VerifyOptions, start: PlanStart): readonly StaleReason[] {
  const day = new Date(nowBy(clock)).toISOString().slice(0, 10);
  return Object.entries(plan.resourcePlans).flatMap(([urn, each]) => {
    const before = start.resources.get(urn);
    const planned = isPlainObject(each.state) ? each.state : {};
    const rules = {
      ...(before?.inputs?.[IGNORED] as Ignored | undefined),
      ...(planned[IGNORED] as Ignored | undefined),
    };
    const paths = Array.isArray(each.goal?.['ignoreChanges']) ? (each.goal['ignoreChanges'] as readonly string[]) : [];
    return paths.flatMap((path): readonly StaleReason[] => {
      const { rule = '', until = day } = rules[path] ?? {};
      if (until >= day) return [];
      const message = `${path} is no longer ignored, so that the engine refuses the plan: ${rule}`;
      return [{ of: 'plan', address: before?.id ?? parseUrn(urn)?.name ?? urn, message }];
    });
  });
}

/** What a review of the stack finds that is not as it was when the plan was made. */
async function liveReasons(
  { plan, clock, ahead = () => 0 }: VerifyOptions,
  { api, start, state }: { readonly api: Api; readonly start: PlanStart; readonly state: StackState },
): Promise<{ readonly reasons: readonly StaleReason[]; readonly unread: readonly Unread[] }> {
  const { findings, unread } = await reviewStack({ api, state, ...(clock ? { clock } : {}) });
  const since = sinceWhen(Date.parse(plan.manifest.time), start.saved, ahead(), state);
  return { reasons: findings.filter((each) => isStale(each, since)).map(reasonOf), unread };
}

/**
 * From when on something came after the plan, by the service's clock: what existed when the state
 * was saved, or is not newer than the newest write that the state knows, was there before.
 */
function sinceWhen(planned: number, saved: number | undefined, ahead: number, { records }: StackState): number {
  const newest = Math.max(0, ...records.map(({ computed }) => Number(computed['updated'] ?? 0) + 1));
  return Math.max(planned + ahead - CLOCKS, Math.min(saved ?? 0, planned) + ahead, newest);
}

/** Differences that a refresh or a revert ends: a declared value is another one. */
export const OTHER_THAN_DECLARED: readonly DriftFinding['classification'][] = [
  'changed',
  'changed-by-own-user',
  'conflict',
  'deleted',
];

function isStale({ classification, author }: DriftFinding, since: number): boolean {
  if (OTHER_THAN_DECLARED.includes(classification)) return true;
  // The others count if they are newer than the plan.
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
  const shown = live?.is === 'value' ? String(live.value) : 'it waits to be deployed';
  const isOther = classification === 'touched' && attribute === 'state';
  const said = isOther ? shown : MESSAGES[classification];
  const message =
    release === undefined
      ? (said ?? `${attribute ?? 'it'} is not what the state has`)
      : `release ${release} ${author?.stage === 'design' ? '' : 'was committed since: '}${shown}`;
  return {
    of: release !== undefined ? 'release' : classification === 'undeployed' || isOther ? 'deployment' : 'record',
    address,
    message,
    ...(author && author.who !== '' ? { who: author.who } : {}),
    ...(author && author.when > 0 ? { when: author.when } : {}),
  };
}

/** Why a plan must not be applied any more. */
interface StaleReason {
  /**
   * `plan`: it is not the plan that was approved, or of the future, of another service or
   * organization, or made with other settings or rules of drift.yaml. `state`: the state moved on.
   * `record`: a review finds it changed, deleted or created. `release`: it was committed, and comes
   * along. `deployment`: what was written is not what runs. `policy`: it breaks a mandatory policy.
   */
  readonly of: 'plan' | 'state' | 'record' | 'release' | 'deployment' | 'policy';
  /** Id of the record, or the URN of a resource that has none. */
  readonly address: string;
  /** One sentence. */
  readonly message: string;
  /** Name of the user, where the service says so. */
  readonly who?: string;
  /** Milliseconds since 1970, by the clock that wrote it. */
  readonly when?: number;
}

/** `current`: as it was; `stale`: not; `refused`: it breaks a mandatory policy; else unreadable. */
type VerificationOutcome = 'current' | 'stale' | 'refused' | 'incomplete' | 'authentication';

/** A complete verification. Members are added, never renamed or removed, within one `version`. */
export interface Verification {
  readonly version: 1;
  readonly stack: string;
  readonly digest: string;
  /** The service that a run here would speak to, as far as settings name it; in the digest. */
  readonly service: ServiceIdentity;
  /** When the plan was made, in milliseconds since 1970. */
  readonly planned: number;
  /** Whether the service was asked. */
  readonly live: boolean;
  readonly outcome: VerificationOutcome;
  readonly reasons: readonly StaleReason[];
  readonly unread: readonly Unread[];
  /** What the approval does not say. */
  readonly notes: readonly string[];
}

/** The outcome: changes count most, a broken policy least: `refused` has an unchanged start. */
export function verifiedOutcome(reasons: readonly StaleReason[], unread: readonly Unread[]): VerificationOutcome {
  if (reasons.some(({ of }) => of !== 'policy')) return 'stale';
  if (unread.length === 0) return reasons.length > 0 ? 'refused' : 'current';
  return unread.some(({ authentication }) => authentication) ? 'authentication' : 'incomplete';
}

const COLUMNS = 80;

/** Lines of at most 80 columns, where the words allow it. */
export function verificationText(verification: Verification): string {
  const { digest, service, notes, reasons, unread, outcome } = verification;
  const lines = [
    ...wrapped(headline(verification), COLUMNS, '', '  '),
    ...reasons.flatMap(reasonLines),
    ...unread.flatMap(({ address, reason }) => wrapped(`${address}: ${oneLine(reason)}`, COLUMNS, '  ', '    ')),
    ...(outcome === 'current' ? [] : wrapped(ADVICE[outcome], COLUMNS)),
    ...notes.flatMap((note) => wrapped(oneLine(note), COLUMNS)),
    ...wrapped(`service ${oneLine(identityText(service))}`, COLUMNS, '', '  '),
    `digest ${digest}`,
  ];
  return `${lines.join('\n')}\n`;
}

function headline({ stack, planned, live, outcome, reasons, unread }: Verification): string {
  const plan = `The plan of stack ${stack}, made ${timeText(planned)},`;
  if (outcome === 'stale') return `${plan} is stale: ${plural(reasons.length, 'reason')}.`;
  if (outcome === 'refused') return `${plan} breaks mandatory policies: ${plural(reasons.length, 'violation')}.`;
  if (outcome === 'current')
    return `${plan} may be applied: ${live ? 'its state and the service are' : 'its state is'} as when it was made.`;
  return `${plan} was not verified: ${plural(unread.length, 'thing')} could not be read.`;
}

const ADVICE = {
  stale:
    'Do not apply it: preview again, and let the new plan be approved. If the service has what the state does not, "pulumi-oneops drift" says what and by whom: decide on it first.',
  refused:
    'Do not apply it now. After a freeze window it may be applied as it is, as long as its start is as it was; for another policy, change what it demands, preview again, and let the new plan be approved.',
  incomplete: 'Do not apply it yet: verify it again once everything can be read.',
  authentication: 'Do not apply it yet: verify it again with a token that the service accepts.',
} as const;

function reasonLines({ address, message, who, when }: StaleReason): readonly string[] {
  const by = who === undefined ? [] : [whoText({ who, when: when ?? 0 })];
  const at = when === undefined ? [] : [timeText(when)];
  const author = [...by, ...at].join(', ');
  return [
    ...wrapped(`${oneLine(address)}: ${oneLine(message)}`, COLUMNS, '  ', '    '),
    ...(author === '' ? [] : [`    ${author}`]),
  ];
}

/** How the state moved on. `isBound`: a digest covers the start, so that no time matters. */
function movedState(plan: PlanFile, start: PlanStart, isBound: boolean): readonly StaleReason[] {
  const planned = Date.parse(plan.manifest.time);
  const resources = Object.entries(plan.resourcePlans).flatMap(([urn, each]) => {
    const message = movedResource(each, start.resources.get(urn), kindToken(parseUrn(urn)?.type ?? '') ?? 'resource');
    return message === undefined || isOfEngine(urn) ? [] : [reason(urn, start, message)];
  });
  const added = [...start.resources.keys()]
    .filter((urn) => plan.resourcePlans[urn] === undefined && !isOfEngine(urn))
    .map((urn) => reason(urn, start, 'it came into the state after the plan was made'));
  const pending = start.pending.map(({ urn, operation }) =>
    reason(urn, start, `an interrupted run left it pending (${operation}): ${finish(operation)}`),
  );
  const found = [...pending, ...resources, ...added];
  if (found.length > 0 || isBound || start.saved === undefined || start.saved <= planned) return found;
  const message = 'the state was saved again after the plan was made: another run, a refresh or an import ended';
  return [{ of: 'state', address: 'the state of the stack', message, when: start.saved }];
}

/** How an interrupted run is ended: only what it was creating has to be cleared. */
const finish = (operation: string): string =>
  `end that run with "pulumi up"${operation === 'creating' ? ' and "pulumi refresh --clear-pending-creates"' : ''}, then make the plan again`;

/** Whether a URN is of the stack itself or of a provider. */
const isOfEngine = (urn: string): boolean => parseUrn(urn)?.type.startsWith('pulumi:') === true;

const reason = (urn: string, { resources }: PlanStart, message: string): StaleReason => ({
  of: 'state',
  address: resources.get(urn)?.id ?? parseUrn(urn)?.name ?? urn,
  message,
});

/** What shows that the state of a resource is not the one that was planned from. */
function movedResource(plan: ResourcePlan, now: StartResource | undefined, kind: string): string | undefined {
  const steps = plan.steps ?? [];
  const isNew = steps.includes('create') || steps.includes('import');
  if (isNew) return now === undefined ? undefined : `the plan creates this ${kind}, and it is in the state already`;
  if (now === undefined)
    return steps.length === 0 ? undefined : 'it was in the state when the plan was made, and no longer is';
  const { state } = plan;
  if (!isPlainObject(state) || steps.includes('delete')) return undefined;
  // A preview by the plugin also contains the outputs that an update leaves as they are.
  const present = steps.includes('same') ? now.outputs : { ...now.outputs, ...plannedInputs(plan, now) };
  // The plan does not show what it changes of inputs that the engine hides.
  const shown = Object.keys(state).filter((name) => !name.startsWith('__'));
  const names = shown.filter((name) => !isEqual(state[name], present?.[name]));
  return names.length === 0 ? undefined : `the state does not have the ${names.join(', ')} that the plan was made from`;
}

/** Whether two values are equal, as far as they are known; what is encrypted counts as equal. */
const isEqual = (planned: unknown, now: unknown): boolean =>
  holdsUnknown(planned) || isDeepStrictEqual(withoutSecrets(planned), withoutSecrets(now));

/** A service as people read it: `https://oneops.acme.io, organization acme`. */
function identityText({ url, organization }: ServiceIdentity): string {
  if (url === undefined && organization === undefined) return 'none: no setting names one';
  return `${url ?? 'at no address'}, ${organization === undefined ? 'no organization' : `organization ${organization}`}`;
}

/** Why a plan is of another service, which has nothing of what the plan is about. */
function elsewhereReasons(
  plan: PlanFile,
  organizations: readonly string[],
  here: ServiceIdentity,
): readonly StaleReason[] {
  // What only the environment of the preview named is not in the file: the digest binds it.
  const planned = serviceIdentity((key) => plan.config?.[key], {});
  const named = [...(planned.organization === undefined ? [] : [planned.organization]), ...organizations];
  const other = named.find((each) => each !== here.organization);
  return [
    ...(here.organization === undefined || other === undefined
      ? []
      : [ofPlan(`it is of organization ${other}, and this is ${here.organization}`)]),
    ...(here.url === undefined || planned.url === undefined || planned.url === here.url
      ? []
      : [ofPlan(`it is of the service ${planned.url}, and this is ${here.url}`)]),
  ];
}

/** Configuration of a stack as its files have it: a text, or `{ secure: … }` for a secret. */
export interface WrittenSettings {
  readonly values: { readonly [key: string]: unknown };
  /** Whether nothing else gives configuration, so that a missing key was removed. */
  readonly isWhole: boolean;
}

/**
 * Settings that changed since the plan was made. The engine keeps those of the default provider in
 * its inputs, and refuses the plan with "violates plan: properties changed". A secret counts as
 * changed when its encrypted text is another one. Another service or organization is reported as
 * such.
 */
function changedSettings({ config }: PlanFile, written: WrittenSettings | undefined): readonly StaleReason[] {
  if (written === undefined) return [];
  const { values, isWhole } = written;
  const planned = config ?? {};
  const known = isWhole ? [...Object.keys(planned), ...Object.keys(values)] : Object.keys(values);
  const changed = [...new Set(known)].filter(
    (key) =>
      !['oneops:url', 'oneops:organization'].includes(key) &&
      (key.startsWith('oneops:') || key in planned) &&
      settingText(planned[key]) !== settingText(values[key]),
  );
  return changed.map((key) =>
    ofPlan(
      `the setting ${key} was changed after the plan was made, so that the engine refuses ${key.startsWith('oneops:') ? 'the plan' : 'what uses it'}`,
    ),
  );
}

const settingText = (value: unknown): string | undefined => (typeof value === 'string' ? value : JSON.stringify(value));
