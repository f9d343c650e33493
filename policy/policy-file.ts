// A policy file: which rules hold where, how strictly, and with which parameters.
import * as z from 'zod';
import { WrongInput } from '../api/errors';
import { addressNames, scopesOf } from '../provider';
import { kindOf } from '../provider/kinds';
import { matchesAny, didYouMean, patterns, defined } from '../provider/values';
import {
  checkedData,
  checkedFile,
  dayOf,
  entryOf,
  exceptionMembers,
  hasExpired,
  isAboutStack,
  plainValue,
  type MapNode,
  type Range,
  type ReportMistake,
} from '../stack';
import { isPlanRule, kindsOf, ruleOf, RULE_NAMES, type Rule } from './rules';

export const POLICY_LEVELS = ['advisory', 'mandatory', 'remediate', 'disabled'] as const;
export type PolicyLevel = (typeof POLICY_LEVELS)[number];

/** Words of a policy whose values are compared with names. */
const NAMING_WORDS = ['stacks', 'environments', 'only'] as const;

/** A value that chooses what a policy holds for, and its place in the file. */
export interface ChosenNames {
  readonly word: (typeof NAMING_WORDS)[number];
  /** A name, an id below the organization, or a pattern of them. */
  readonly value: string;
  readonly at: Range;
}

export interface PolicyEntry {
  readonly name: string;
  readonly rule: Rule;
  readonly level: PolicyLevel;
  readonly parameters: object;
  /** What people read in the place of what the rule demands. */
  readonly message?: string;
  /** What it says of where it holds, each value by itself. */
  readonly chosen: readonly ChosenNames[];
  /** Whether it holds for a stack; without a name, only policies for every stack hold. */
  holdsForStack(stack: string | undefined): boolean;
  /** Whether it holds for a record, by its id below the organization; `now` ends exceptions. */
  holdsFor(path: string, environment: string | undefined, now: Date): boolean;
  /** Records that it does not hold for, by patterns of ids below the organization. */
  readonly exceptions: z.output<typeof selection>['except'];
  /** Last day of a record's exception, `2027-01-31`; undefined unless one ended. */
  readonly endedException: (path: string, now: Date) => string | undefined;
}

const mustBe =
  (form: string) =>
  ({ code }: { readonly code: string }): string | undefined =>
    code === 'invalid_type' ? `must be ${form} record, reason, owner and until` : undefined;

const selection = z.strictObject({
  rule: z.string().optional(),
  level: z
    .enum(POLICY_LEVELS, {
      error: ({ input }) => `there is no level ${JSON.stringify(input)}${hintFor(String(input), POLICY_LEVELS)}`,
    })
    .default('advisory'),
  message: z.string().optional(),
  stacks: patterns('Stacks it applies to').optional(),
  environments: patterns('Environments it applies to').optional(),
  only: patterns('Records it applies to, by their ids below the organization').optional(),
  except: z
    .array(z.strictObject({ record: z.string().min(1), ...exceptionMembers }, { error: mustBe('a map of') }), {
      error: mustBe('a list of'),
    })
    .default([]),
});

/** Words of a policy that are no parameters of its rule. */
export const SELECTION_WORDS: readonly string[] = Object.keys(selection.shape);

/**
 * Reads a policy file:
 *
 *     policies:
 *       two-clouds:
 *         rule: active-clouds
 *         level: mandatory
 *         environments: prod*
 *         least: 2
 *
 * Without `rule`, the policy's name is that of its rule. Throws WrongInput with the `file:line` of
 * each mistake, a line each.
 */
export function readPolicies({ text, name }: { readonly text: string; readonly name: string }): readonly PolicyEntry[] {
  const { root, mistakes, wrong: report } = checkedFile(name, text);
  if (mistakes.length > 0) throw new WrongInput(mistakes.join('\n'));
  const [top, policies] = [entriesOf(root, [], report), entryOf(root, 'policies')];
  const others = top?.filter(({ key }) => key !== 'policies') ?? [];
  for (const { key } of others) report([key], `unknown key "${key}"; known is policies`);
  if (top && policies === undefined && others.length === 0) mistakes.push(`${name}: there is no key policies`);
  const all = entriesOf(policies?.value, ['policies'], report) ?? [];
  const entries = all.flatMap(({ key, value }) => {
    const own = entriesOf(value, ['policies', key], report);
    return (own && policyIn(key, own, report)) ?? [];
  });
  if (mistakes.length > 0) throw new WrongInput(mistakes.join('\n'));
  return entries;
}

type Entries = MapNode['entries'];

/** The entries of a map, or of nothing; undefined, and a mistake, for anything else. */
function entriesOf(
  node: Entries[number]['value'] | undefined,
  path: readonly string[],
  report: ReportMistake,
): Entries | undefined {
  if (node === undefined || (node.form === 'scalar' && node.value === null)) return [];
  if (node.form === 'map') return node.entries;
  report(path, 'must be a map');
  return undefined;
}

/** One policy; undefined where something in it is a mistake. */
function policyIn(name: string, entries: Entries, report: ReportMistake): PolicyEntry | undefined {
  const values = entries.map(({ key, value }) => [key, plainValue(value)] as const);
  const isOwn = ([key]: readonly [string, unknown]): boolean => SELECTION_WORDS.includes(key);
  const reportAt: ReportMistake = ([key], message) =>
    report(['policies', name, ...entries.flatMap((entry) => (entry.key === key ? [key] : []))], message);
  const own = Object.fromEntries(values.filter(isOwn));
  const said = checkedData(selection, own, reportAt);
  const ruleName = typeof own['rule'] === 'string' ? own['rule'] : name;
  const rule = ruleOf(ruleName);
  if (rule === undefined) {
    reportAt(['rule'], `there is no rule "${ruleName}"${hintFor(ruleName, RULE_NAMES)}`);
    return undefined;
  }
  const parameters = Object.fromEntries(values.filter((entry) => !isOwn(entry)));
  const known = [...Object.keys(rule.parameters.shape), ...SELECTION_WORDS];
  const unknown = Object.keys(parameters).filter((key) => !known.includes(key));
  for (const key of unknown) reportAt([key], `rule ${ruleName} has no parameter "${key}"${hintFor(key, known)}`);
  // A parameter that is missing may be one of those that are misspelt.
  const read = unknown.length > 0 ? undefined : checkedData(rule.parameters, parameters, reportAt);
  if (said === undefined || read === undefined) return undefined;
  const useless = uselessWord(rule, read, said);
  if (useless !== undefined) reportAt([useless.word], `${useless.word}: ${useless.why}`);
  return entryFrom({ name, rule, parameters, chosen: chosenIn(entries) }, said);
}

const chosenIn = (entries: Entries): readonly ChosenNames[] =>
  NAMING_WORDS.flatMap((word) => {
    const given = entries.find(({ key }) => key === word)?.value;
    const values = given?.form === 'list' ? given.items : given === undefined ? [] : [given];
    return values.flatMap((node) => (node.form === 'scalar' ? [{ word, value: node.source, at: node.at }] : []));
  });

function entryFrom(
  own: Pick<PolicyEntry, 'name' | 'rule' | 'parameters' | 'chosen'>,
  { level, message, stacks, environments, only, except }: z.output<typeof selection>,
): PolicyEntry {
  const exceptionsOf = (path: string, now: Date, isEnded: boolean) =>
    except.filter((each) => matchesAny([each.record], path) && hasExpired(each, dayOf(now)) === isEnded);
  return {
    ...own,
    level,
    ...defined({ message }),
    exceptions: except,
    holdsForStack: (stack) => isAboutStack({ stacks }, stack),
    endedException: (path, now) => exceptionsOf(path, now, true)[0]?.until,
    holdsFor: (path, environment, now) =>
      (environments === undefined || (environment !== undefined && matchesAny(environments, environment))) &&
      (only === undefined || matchesAny(only, path)) &&
      exceptionsOf(path, now, false).length === 0,
  };
}

/** A word with which a policy would hold for nothing, and never be broken. */
function uselessWord(
  rule: Rule,
  parameters: { readonly [name: string]: unknown },
  given: { readonly [word: string]: unknown },
): { readonly word: string; readonly why: string } | undefined {
  if (isPlanRule(rule) && rule.ofRun) {
    const why = `rule ${rule.name} judges a run as a whole, which is no record`;
    const word = ['environments', 'only'].find((each) => given[each] !== undefined);
    return word === undefined ? undefined : { word, why };
  }
  const own = isPlanRule(rule) ? [] : kindsOf(rule);
  const { kinds: chosen } = parameters;
  const tokens = own.length > 0 || !Array.isArray(chosen) ? own : chosen.map(String);
  if (given['environments'] === undefined || tokens.length === 0 || tokens.some(isInEnvironment)) return undefined;
  return {
    word: 'environments',
    why: `rule ${rule.name} judges ${tokens.join(', ')}, and none of them is in an environment`,
  };
}

/** Whether records of a kind are environments, or can be in one. */
function isInEnvironment(token: string): boolean {
  const kind = kindOf(token);
  if (kind === undefined) return false;
  return kind.token === 'Environment' || scopesOf(kind).some((scope) => addressNames(scope).includes('environment'));
}

function hintFor(word: string, known: readonly string[]): string {
  return `; ${didYouMean(word, known, `there are ${known.join(', ')}`)}`;
}
