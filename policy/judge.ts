// Judges declared records and planned runs by the policies of a file. Pure.
// It must not know any single rule, nor where records come from.
import { isPlainObject, kindOf, parseId, scopeOfId, textAt, type Kind } from '../provider';
import type { Plan } from '../preview';
import type { PolicyEntry, PolicyLevel } from './policy-file';
import { isPlanRule, kindsOf, type JudgedRecord } from './rules';

/** A policy that something breaks. */
export interface PolicyViolation {
  readonly policy: string;
  readonly rule: string;
  readonly level: PolicyLevel;
  /** Id of the record; empty for a whole planned run. */
  readonly address: string;
  /** What is wrong, with its subject; for a policy with its own message, that message after it. */
  readonly message: string;
  /** Token and logical name of the record, to find its place in a file. */
  readonly kind?: string;
  readonly logicalName?: string;
  /** Argument that is wrong: `['clouds', 'west']`. */
  readonly path?: readonly string[];
  /** Place in the program: `oneops.yaml:17:7`. */
  readonly at?: string;
  /** Arguments that would satisfy the rule. */
  readonly remedy?: { readonly [name: string]: unknown };
}

/** A policy that could not be judged in full. */
export interface UnjudgedPolicy {
  readonly policy: string;
  /** `mandatory` for one that stops a run: what is not judged has no remedy. */
  readonly level: PolicyLevel;
  /** As a clause: `it needs --live`. */
  readonly reason: string;
}

/** What is judged next to records. */
interface JudgeContext {
  readonly stack: string | undefined;
  readonly now?: Date;
}

/** Everything that records break. */
export function judgeRecords(
  policies: readonly PolicyEntry[],
  records: readonly JudgedRecord[],
  context: JudgeContext,
): readonly PolicyViolation[] {
  return policies
    .filter((policy) => isOn(policy, context.stack))
    .flatMap((policy) => records.flatMap((record) => judgeRecord(policy, record, context)));
}

const isOn = (policy: PolicyEntry, stack: string | undefined): boolean =>
  policy.level !== 'disabled' && policy.holdsForStack(stack);

function judgeRecord(policy: PolicyEntry, record: JudgedRecord, { now }: JudgeContext): readonly PolicyViolation[] {
  const today = now ?? new Date();
  const { rule, parameters } = policy;
  if (isPlanRule(rule) || (record.leaves && !rule.ofLeaving)) return [];
  const tokens = kindsOf(rule);
  const { kind, id, logicalName, args } = record;
  if (tokens.length > 0 && !tokens.includes(kind.token)) return [];
  // What the program only refers to is declared, and judged, elsewhere.
  if (args['existing'] === true || !policy.holdsFor(pathInOrganization(id), environmentIn(kind, args), today))
    return [];
  const watched = rule.secretsSatisfy ? { record, read: [] } : watchedSecrets(record);
  const found = rule.judge(watched.record, parameters, now === undefined ? {} : { now });
  const secret = watched.read.map((at) => ({ message: secretMessage(at), path: at, remedy: undefined }));
  return [...found, ...secret].map(({ message, path, remedy }) => ({
    ...violation(policy, id, today, `${kind.token} ${pathInOrganization(id)} ${message}`, remedy),
    ...{ kind: kind.token, logicalName },
    ...(path === undefined ? {} : { path }),
  }));
}

const secretMessage = (path: readonly string[]): string =>
  `cannot be judged: ${path.join('.')} is a secret, and no rule sees one`;

/** The record, and the places of the secrets that a rule has read since: it cannot judge the value that is there. */
function watchedSecrets(record: JudgedRecord): {
  readonly record: JudgedRecord;
  readonly read: readonly (readonly string[])[];
} {
  const { args, hidden } = record;
  const read: (readonly string[])[] = [];
  const told = (value: unknown, path: readonly string[]): unknown => {
    const isSecret = hidden.some((each) => each.join('\n') === path.join('\n'));
    if (isSecret && !read.some((each) => each.join('\n') === path.join('\n'))) read.push(path);
    return value;
  };
  const watch = (values: JudgedRecord['args'], path: readonly string[]): JudgedRecord['args'] =>
    Object.defineProperties(
      {},
      Object.fromEntries(
        Object.entries(values).map(([name, item]) => {
          const own = [...path, name];
          const inner = isPlainObject(item) ? watch(item, own) : item;
          return [name, { enumerable: true, get: () => told(inner, own) }];
        }),
      ),
    );
  return { record: hidden.length === 0 ? record : { ...record, args: watch(args, []) }, read };
}

/** Policies about records, of which a preview does not list all: each may be broken by one of the others. */
export function unlistedPolicies(
  policies: readonly PolicyEntry[],
  { stack, unlisted }: { readonly stack: string; readonly unlisted: number },
): readonly UnjudgedPolicy[] {
  if (unlisted === 0) return [];
  const records = unlisted === 1 ? '1 unchanged record' : `${unlisted} unchanged records`;
  const reason = `the preview does not list ${records}: make it with --show-sames`;
  return policies
    .filter((policy) => isOn(policy, stack) && !isPlanRule(policy.rule))
    .map((policy) => unjudgedBecause(policy, reason));
}

const unjudgedBecause = ({ name, level }: PolicyEntry, reason: string): UnjudgedPolicy => ({
  ...{ policy: name, reason },
  level: level === 'remediate' ? 'mandatory' : level,
});

/** Everything that a planned run breaks, and the policies that cannot be judged in full. */
export function judgePlan(
  policies: readonly PolicyEntry[],
  plan: Plan,
  now = new Date(),
): { readonly violations: readonly PolicyViolation[]; readonly unjudged: readonly UnjudgedPolicy[] } {
  const on = policies.filter((policy) => isOn(policy, plan.stack));
  const violations = on.flatMap((policy) => {
    const { rule, parameters } = policy;
    if (!isPlanRule(rule)) return [];
    return rule
      .judge(plan, parameters)
      .filter(({ address }) => policy.holdsFor(pathInOrganization(address), environmentOf(plan, address), now))
      .map(({ address, message, at }) => ({
        ...violation(policy, address, now, `${address === '' ? 'The run' : pathInOrganization(address)} ${message}`),
        ...(at === undefined ? {} : { at }),
      }));
  });
  const unjudged = on.flatMap((policy) => {
    const reasons = unknownOf(policy, plan);
    return reasons.length === 0 ? [] : [unjudgedBecause(policy, reasons.join('; '))];
  });
  return { violations, unjudged };
}

/** Why a rule about runs cannot be judged in full. */
function unknownOf({ rule, parameters }: PolicyEntry, plan: Plan): readonly string[] {
  if (!isPlanRule(rule)) return [];
  if (rule.needsLive && plan.live === undefined) return ['it needs --live'];
  const unread = rule.needsLive && plan.live?.unread.length !== 0;
  return [...(unread ? ['the service did not answer everything'] : []), ...rule.unknown(plan, parameters)];
}

function violation(
  { name, rule, level, message: own, endedException }: PolicyEntry,
  address: string,
  now: Date,
  sentence: string,
  remedy?: PolicyViolation['remedy'],
): PolicyViolation {
  const until = endedException(pathInOrganization(address), now);
  const ended = until === undefined ? [] : [`Its exception ended on ${until}`];
  return {
    ...{ policy: name, rule: rule.name, address },
    // What no remedy fixes stops the run.
    level: level === 'remediate' && remedy === undefined ? 'mandatory' : level,
    message: [sentence, ...ended, ...(own === undefined ? [] : [own])].join('. '),
    ...(remedy === undefined ? {} : { remedy }),
  };
}

/** An id below its organization. */
export const pathInOrganization = (id: string): string => id.slice(id.indexOf('/') + 1);

/** The environment that a record is, or is in. */
export function environmentIn(
  kind: Pick<Kind, 'token'>,
  args: { readonly [name: string]: unknown },
): string | undefined {
  const name = kind.token === 'Environment' ? textAt(args, 'name') : textAt(args, 'environment');
  return name === '' ? undefined : name;
}

/** The environment of a record in a plan, from its id. */
function environmentOf({ actions, changes, live }: Plan, address: string): string | undefined {
  if (live?.touched.some(({ environment }) => environment === address) === true) return address.split('/')[2];
  const change = [...changes, ...actions].find((each) => each.address === address);
  const kind = change && kindOf(change.kind);
  const scope = kind && scopeOfId(kind, address);
  const found = scope && parseId(scope, address)?.address;
  return kind && isPlainObject(found) ? environmentIn(kind, found) : undefined;
}
