// Judges records and planned runs by the policies of a file. Pure.
import { firstNamed, plural } from '../api/errors';
import { parseId, recordBy, scopeOfId, type Kind, addressOf, secretIn } from '../provider';
import { inheritedValues } from '../provider/kinds/settled';
import { kindOf } from '../provider/kinds';
import {
  isPlainObject,
  textAt,
  UNKNOWN,
  isTypo,
  matchesAny,
  nearest,
  type Values,
  defined,
  withAt,
  mapValues,
} from '../provider/values';
import type { Plan, EngineResource } from '../preview';
import type { PolicyEntry, PolicyLevel, ChosenNames } from './policy-file';
import { isPlanRule, kindsOf, type JudgedRecord } from './rules';
import {
  declaredCode,
  type DriftFinding,
  nearestPlace,
  recordPath,
  type SourceRecord,
  type Review,
  undeclaredRecord,
  words,
} from '../drift';
import type { Finding, Range, StackPlan } from '../stack';

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
  const found = rule.judge(watched.record, parameters, defined({ now }));
  const secret = watched.read.map((at) => ({
    message: `cannot be judged: ${at.join('.')} is a secret, and no rule sees one`,
    path: at,
    remedy: undefined,
  }));
  return [...found, ...secret].map(({ message, path, remedy }) => ({
    ...violation(policy, id, today, `${kind.token} ${pathInOrganization(id)} ${message}`, remedy),
    ...{ kind: kind.token, logicalName },
    ...defined({ path }),
  }));
}

/** The record, and the places of the secrets that a rule has read: it cannot judge them. */
function watchedSecrets(record: JudgedRecord): { readonly record: JudgedRecord; readonly read: readonly Path[] } {
  const { args, hidden } = record;
  const read: Path[] = [];
  const noted = (value: unknown, path: Path): unknown => {
    if (includesPath(hidden, path) && !includesPath(read, path)) read.push(path);
    return value;
  };
  const watch = (values: Values, path: Path): Values =>
    Object.defineProperties(
      {},
      mapValues(values, (item, name) => {
        const own = [...path, name];
        const inner = isPlainObject(item) ? watch(item, own) : item;
        return { enumerable: true, get: () => noted(inner, own) };
      }),
    );
  return { record: hidden.length === 0 ? record : { ...record, args: watch(args, []) }, read };
}

const includesPath = (paths: readonly Path[], path: Path): boolean =>
  paths.some((each) => each.length === path.length && each.every((step, index) => step === path[index]));

/** Policies that records may break which a preview does not list. */
export function unlistedPolicies(
  policies: readonly PolicyEntry[],
  { stack, unlisted }: { readonly stack: string; readonly unlisted: number },
): readonly UnjudgedPolicy[] {
  if (unlisted === 0) return [];
  const reason = `the preview does not list ${plural(unlisted, 'unchanged record')}: make it with --show-sames`;
  return policies
    .filter((policy) => isOn(policy, stack) && !isPlanRule(policy.rule))
    .map((policy) => unjudgedBecause(policy, reason));
}

const unjudgedBecause = ({ name, level }: PolicyEntry, reason: string): UnjudgedPolicy => ({
  ...{ policy: name, reason },
  level: level === 'remediate' ? 'mandatory' : level,
});

export function judgePlan(
  policies: readonly PolicyEntry[],
  plan: Plan,
): { readonly violations: readonly PolicyViolation[]; readonly unjudged: readonly UnjudgedPolicy[] } {
  const now = new Date();
  const on = policies.filter((policy) => isOn(policy, plan.stack));
  const violations = on.flatMap((policy) => {
    const { rule, parameters } = policy;
    if (!isPlanRule(rule)) return [];
    return rule
      .judge(plan, parameters)
      .filter(({ address }) => policy.holdsFor(pathInOrganization(address), environmentOf(plan, address), now))
      .map(({ address, message, at }) => ({
        ...violation(policy, address, now, `${address === '' ? 'The run' : pathInOrganization(address)} ${message}`),
        ...defined({ at }),
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
  const ended = until === undefined ? [] : `Its exception ended on ${until}`;
  return {
    ...{ policy: name, rule: rule.name, address },
    // What no remedy fixes stops the run.
    level: level === 'remediate' && remedy === undefined ? 'mandatory' : level,
    message: [sentence, ended, own ?? []].flat().join('. '),
    ...defined({ remedy }),
  };
}

const pathInOrganization = (id: string): string => recordPath({ address: id });

function environmentIn(kind: Pick<Kind, 'token'>, args: { readonly [name: string]: unknown }): string | undefined {
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

type Path = readonly string[];
interface PlanSource {
  readonly directory: string;
  readonly organization: string;
  readonly stack?: string;
  readonly secretConfig?: ReadonlySet<string>;
}

/** The records that a plan declares; those whose names are not known before a run are left out. */
export function declaredRecords(
  plan: StackPlan,
  config: { readonly [name: string]: unknown },
  source: PlanSource,
): readonly JudgedRecord[] {
  const declared = new Map(plan.resources.map((each) => [keyOf(each.kind, each.logicalName), each]));
  return judgedRecords(declaredCode(plan, config, { files: [], config: {}, ...source })).map((record) => ({
    ...record,
    isProtected: declared.get(keyOf(record.kind, record.logicalName))?.options.protect === true,
  }));
}

/** The records of a file or a state, with values that a run fills in from other records. */
function judgedRecords(records: readonly SourceRecord[]): readonly JudgedRecord[] {
  const all = records.map((record) => ({
    ...record,
    of: record.kind,
    address: addressOf(record.kind, record.inputs),
    args: record.inputs,
  }));
  return all.map((own) => {
    const { kind, id, logicalName, inputs, hidden } = own;
    const args = withoutSecrets({ ...inheritedValues(own, all), ...inputs }, hidden);
    return { kind, id, logicalName, hidden, args };
  });
}

const keyOf = ({ token }: Pick<Kind, 'token'>, name: string): string => `${token} ${name}`;

/** A violation as a finding at its line of the stack's files; undefined where none declares it. */
export function findingAt(plan: StackPlan, violation: PolicyViolation): Finding | undefined {
  const { kind, logicalName, policy, rule, message, path = [], level } = violation;
  const declaration = plan.resources.find((each) => each.kind.token === kind && each.logicalName === logicalName);
  if (declaration === undefined) return undefined;
  const placeOf = (argument: string): Range | undefined =>
    declaration.places.find((each) => each.path.join('.') === argument)?.key;
  return {
    severity: level === 'mandatory' ? 'error' : 'warning',
    code: `policy-${policy}`,
    path,
    message,
    hint: `policy ${policy} (${level}) demands this by the rule ${rule}: pulumi-oneops policies ${rule}`,
    at: nearestPlace(path, placeOf) ?? declaration.at,
    secret: false,
  };
}

/** A resource of the engine as a record; undefined for another provider, or unknown names. */
export function recordOfResource(resource: EngineResource, organization: string): JudgedRecord | undefined {
  const kind = kindOf(resource.token);
  if (kind === undefined) return undefined;
  const hidden = hiddenIn(resource.inputs);
  const args = withoutSecrets(resource.inputs, hidden);
  const { logicalName, isProtected, leaves } = resource;
  const record = recordBy(kind, organization, args);
  return record && { ...record, logicalName, args, hidden, ...defined({ isProtected, leaves }) };
}

/** Places of secrets: the engine's marks, or the word of a preview for a secret. */
function hiddenIn(value: unknown, path: Path = []): readonly Path[] {
  if (secretIn(value) !== undefined || value === '[secret]') return [path];
  if (Array.isArray(value)) return value.some((item) => hiddenIn(item).length > 0) ? [path] : [];
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => hiddenIn(item, [...path, name]));
}

/** The values with the sentinel for unknowns at each secret: no rule or message has a secret. */
function withoutSecrets(values: Values, hidden: readonly Path[]): Values {
  const at = (value: unknown, path: Path): unknown => {
    if (includesPath(hidden, path)) return UNKNOWN;
    if (!isPlainObject(value)) return value;
    return mapValues(value, (item, name) => at(item, [...path, name]));
  };
  return at(values, []) as Values;
}

/**
 * The records of a stack as they are in the service: the declared ones without those that do not
 * exist, and those of which nobody declares a value, with that value. A value that a review does
 * not show is unknown. What rules leave out of the review is in the service all the same.
 */
export function liveRecords(declared: readonly SourceRecord[], { findings, ignored }: Review): readonly JudgedRecord[] {
  const records = new Map(judgedRecords(declared).map((each) => [keyOf(each.kind, each.id), each]));
  for (const finding of [...findings, ...ignored.map((each) => each.finding)]) {
    const key = keyOf({ token: finding.kind }, finding.address);
    const found = records.get(key) ?? onlyLive(finding);
    // A record that no run has made yet is not in the service either.
    const isAbsent = finding.classification === 'deleted' || finding.classification === 'pending';
    if (isAbsent && finding.attribute === undefined) records.delete(key);
    else if (found && finding.attribute !== undefined && finding.live !== undefined)
      records.set(key, {
        ...found,
        args: withAt(found.args, finding.attribute.split('.'), valueOf(finding.live)) as Values,
      });
  }
  return [...records.values()];
}

/** A record that only the service has: its address. */
function onlyLive(finding: DriftFinding): JudgedRecord | undefined {
  const record = undeclaredRecord(finding);
  return record && { ...record, logicalName: record.id, args: record.inputs };
}

function valueOf(shown: NonNullable<DriftFinding['live']>): unknown {
  if (shown.is === 'absent') return undefined;
  return shown.is === 'value' ? shown.value : UNKNOWN;
}

/** The standard name of a policy file, in the folder of the project. */
export const POLICY_FILE = 'policies.yaml';

/** Most characters of what a comment says about a policy. */
const LONGEST = 1_000;

/** Lines of a Markdown list: what is broken, the strictest first, then what could not be judged. */
export function violationLines(
  violations: readonly PolicyViolation[],
  unjudged: readonly UnjudgedPolicy[],
): readonly string[] {
  const isStrict = ({ level }: PolicyViolation): boolean => level === 'mandatory';
  const sorted = [...violations.filter(isStrict), ...violations.filter((each) => !isStrict(each))];
  return [
    ...sorted.map((each) => {
      const place = each.at === undefined ? '' : ` (${words(each.at)})`;
      return `- ${isStrict(each) ? '**mandatory**' : each.level} \`${each.policy}\`: ${words(each.message, LONGEST)}${place}`;
    }),
    ...unjudged.map(
      ({ policy, level, reason }) =>
        `- ${level === 'mandatory' ? '**mandatory** ' : ''}\`${policy}\` was not judged in full: ${words(reason, LONGEST)}`,
    ),
  ];
}

/** The names that a policy file can mean. */
export interface KnownNames {
  /** Stacks that have settings; there may be others. */
  readonly stacks: readonly string[];
  readonly own: readonly JudgedRecord[];
  /** What all stacks declare, for rules on other stacks; undefined where not all is known. */
  readonly all: () => readonly JudgedRecord[] | undefined;
}

/** A warning for each value of `stacks`, `environments` and `only` that matches nothing. */
export function unmatchedNames(policies: readonly PolicyEntry[], known: KnownNames): readonly Finding[] {
  const on = policies.filter(({ level }) => level !== 'disabled');
  return on.flatMap((policy) => policy.chosen.flatMap((chosen) => unmatched(policy, chosen, known) ?? []));
}

function unmatched(policy: PolicyEntry, chosen: ChosenNames, known: KnownNames): Finding | undefined {
  const { word, value, at } = chosen;
  const isMatched = (names: readonly string[]): boolean => names.some((name) => matchesAny([value], name));
  if (word !== 'stacks' && isMatched(namesIn(word, known.own))) return undefined;
  const all = word === 'stacks' ? [] : known.all();
  if (all === undefined) return undefined;
  const names = word === 'stacks' ? known.stacks : namesIn(word, all);
  if (isMatched(names)) return undefined;
  const meant = meantBy(value, names);
  // A stack needs no settings, a pattern foresees names to come, and a planned run also changes
  // what is no longer declared.
  const isOpen = word === 'stacks' || value.includes('*') || isPlanRule(policy.rule);
  if (isOpen && meant === undefined) return undefined;
  const near = meant ?? nearest(value, names);
  return {
    severity: 'warning',
    code: `policy-${policy.name}`,
    path: ['policies', policy.name, word],
    message: `${word}: ${JSON.stringify(value)} matches ${NOTHING[word]}`,
    hint: near === undefined ? otherNames(names) : `did you mean ${JSON.stringify(near)}?`,
    at,
    secret: false,
  };
}

const NOTHING: { readonly [word in ChosenNames['word']]: string } = {
  stacks: 'no stack that has settings here',
  environments: 'no environment that a stack of this project declares',
  only: 'no record that a stack of this project declares',
};

function namesIn(word: 'environments' | 'only', records: readonly JudgedRecord[]): readonly string[] {
  const names = records.map(({ kind, id, args }) =>
    word === 'only' ? pathInOrganization(id) : environmentIn(kind, args),
  );
  return [...new Set(names)].flatMap((name) => name ?? []).sort();
}

/** The name that a value is a misspelling of, or whose beginning a pattern has. */
function meantBy(value: string, names: readonly string[]): string | undefined {
  const star = value.indexOf('*');
  const [fixed, rest] = star < 0 ? [value, ''] : [value.slice(0, star), value.slice(star)];
  const near = (star < 0 ? names : beginnings(fixed, names)).find(
    (name) => name.length > 2 && isTypo(fixed, name) && name.replace(/\D/g, '') === fixed.replace(/\D/g, ''),
  );
  return near === undefined ? undefined : `${near}${rest}`;
}

/** Beginnings of names, about as long as a text, or up to its final mark (`web/`, `prod-`). */
function beginnings(fixed: string, names: readonly string[]): readonly string[] {
  const [mark = ''] = /[^A-Za-z0-9]?$/.exec(fixed) ?? [];
  const lengths = [fixed.length, fixed.length + 1, fixed.length - 1];
  return lengths.flatMap((length) => names.map((name) => name.slice(0, length)).filter((each) => each.endsWith(mark)));
}

const SHOWN = 10;

const otherNames = (names: readonly string[]): string =>
  names.length === 0 ? 'none is declared' : `there are ${firstNamed(names, SHOWN)}`;
