// A policy file: which rules hold where, how strictly, and with which parameters.
// It must not know any rule beyond its name and parameters.
import { z } from 'zod';
import { addressNames, kindOf, matchesAny, nearest, patterns, scopesOf } from '../provider';
import { entryOf, plainValue, readYaml, sourceFile, type MapNode } from '../stack';
import { isPlanRule, kindsOf, ruleOf, RULE_NAMES, type Rule } from './rules';

/** How strictly a policy holds. */
export const POLICY_LEVELS = ['advisory', 'mandatory', 'remediate', 'disabled'] as const;
export type PolicyLevel = (typeof POLICY_LEVELS)[number];

/** One policy of a file. */
export interface PolicyEntry {
  readonly name: string;
  readonly rule: Rule;
  readonly level: PolicyLevel;
  readonly parameters: object;
  /** What people read in the place of what the rule demands. */
  readonly message?: string;
  /** `policies.yaml:4` */
  readonly at: string;
  /** Whether it holds for a stack; stacks without a name are held to policies for every stack alone. */
  holdsForStack(stack: string | undefined): boolean;
  /** Whether it holds for a record, by its id below the organization and the environment it lies in. */
  holdsFor(path: string, environment: string | undefined): boolean;
}

const selection = z.strictObject({
  rule: z.string().optional(),
  level: z.enum(POLICY_LEVELS).default('advisory'),
  message: z.string().optional(),
  stacks: patterns('Stacks it holds for').optional(),
  environments: patterns('Environments it holds for').optional(),
  only: patterns('Records it holds for, by their ids below the organization').optional(),
  // Each exception says why it is one.
  except: z.record(z.string(), z.string().min(1)).default({}),
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
 * Without `rule`, the policy's name is that of its rule. Throws Error with `file:line` for what cannot be used.
 */
export function readPolicies(file: { readonly text: string; readonly name: string }): readonly PolicyEntry[] {
  const { root, findings } = readYaml(sourceFile(file.name, file.text));
  const [fault] = findings.filter(({ severity }) => severity === 'error');
  if (fault) throw new Error(`${file.name}:${fault.at.start.line}: ${fault.message}`);
  const top = mapOf(root, `${file.name}:1`);
  for (const { key, at } of top?.entries ?? [])
    if (key !== 'policies') throw new Error(`${file.name}:${at.start.line}: unknown key "${key}"; known is policies`);
  const policies = entryOf(top, 'policies');
  if (policies === undefined) throw new Error(`${file.name}: there is no key policies`);
  return (mapOf(policies.value, `${file.name}:${policies.at.start.line}`)?.entries ?? []).map(({ key, value, at }) =>
    policyIn(key, mapOf(value, `${file.name}:${at.start.line}`), `${file.name}:${at.start.line}`),
  );
}

function mapOf(node: MapNode['entries'][number]['value'] | undefined, place: string): MapNode | undefined {
  if (node === undefined || (node.form === 'scalar' && node.value === null)) return undefined;
  if (node.form === 'map') return node;
  throw new Error(`${place}: must be a map`);
}

function policyIn(name: string, map: MapNode | undefined, at: string): PolicyEntry {
  const entries = map?.entries.map(({ key, value }) => [key, plainValue(value)] as const) ?? [];
  const isOwn = ([key]: readonly [string, unknown]): boolean => SELECTION_WORDS.includes(key);
  const placeOf = (key: PropertyKey | undefined): string => {
    const line = entryOf(map, String(key))?.at.start.line;
    return line === undefined ? at : at.replace(/\d+$/, String(line));
  };
  const said = parsed(selection, Object.fromEntries(entries.filter(isOwn)), placeOf);
  const ruleName = said.rule ?? name;
  const rule = ruleOf(ruleName);
  if (rule === undefined)
    throw new Error(`${placeOf('rule')}: there is no rule "${ruleName}"${hintFor(ruleName, RULE_NAMES)}`);
  const parameters = Object.fromEntries(entries.filter((entry) => !isOwn(entry)));
  const known = [...Object.keys(rule.parameters.shape), ...SELECTION_WORDS];
  const unknown = Object.keys(parameters).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new Error(`${placeOf(unknown)}: rule ${ruleName} has no parameter "${unknown}"${hintFor(unknown, known)}`);
  const read = parsed(rule.parameters, parameters, placeOf);
  const useless = uselessWord(rule, read, said);
  if (useless !== undefined) throw new Error(`${placeOf(useless.word)}: ${useless.word}: ${useless.why}`);
  const { level, message, stacks, environments, only, except } = said;
  return {
    ...{ name, rule, level, parameters, at },
    ...(message === undefined ? {} : { message }),
    holdsForStack: (stack) =>
      stacks === undefined || (stack !== undefined && matchesAny(stacks, stack.split('/').at(-1) ?? '')),
    holdsFor: (path, environment) =>
      (environments === undefined || (environment !== undefined && matchesAny(environments, environment))) &&
      (only === undefined || matchesAny(only, path)) &&
      !matchesAny(Object.keys(except), path),
  };
}

/** A word with which a policy would hold for nothing that its rule judges: it must not be taken for one that nothing breaks. */
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
    why: `rule ${rule.name} judges ${tokens.join(', ')}, and none lies in an environment`,
  };
}

/** Whether records of a kind are environments, or can lie in one. */
function isInEnvironment(token: string): boolean {
  const kind = kindOf(token);
  if (kind === undefined) return false;
  return kind.holds === 'environment' || scopesOf(kind).some((scope) => addressNames(scope).includes('environment'));
}

function hintFor(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? `; there are ${known.join(', ')}` : `; did you mean "${near}"?`;
}

/** The values of a shape. Throws Error with the line of the first one that has another form. */
function parsed<S extends z.ZodType>(
  shape: S,
  value: unknown,
  placeOf: (key: PropertyKey | undefined) => string,
): z.output<S> {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.map(String).join('.') ?? '';
  throw new Error(
    `${placeOf(issue?.path[0])}: ${where === '' ? '' : `${where}: `}${issue?.message ?? 'cannot be used'}`,
  );
}
