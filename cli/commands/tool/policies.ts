// `pulumi-oneops policies`: the rules that a policy file can choose, and their parameters.
import { isPlanRule, kindsOf, POLICY_LEVELS, ruleOf, RULE_NAMES, type Rule } from '../../../policy';
import { parseWords, type Command } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { toJSONSchema } from 'zod';
import { JSON_OPTION } from '../../options';

/** The policies command. */
export const policiesCommand: Command = {
  usage: ['policies [RULE] [options]'],
  about: `Lists the rules that a policy file can choose. With the name of a RULE, shows what it demands and its parameters. Sends no request.

check, preview-comment and the policy pack bin/pulumi-oneops-policy judge a stack by the file policies.yaml. Levels of a policy: ${POLICY_LEVELS.join(', ')}.`,
  options: JSON_OPTION,
  exits: { done: 'shown' },
  words: RULE_NAMES,
  run(words) {
    const { values, positionals } = parseWords(words, JSON_OPTION);
    if (positionals.length > 1) throw new UsageError('policies takes one rule');
    const described = (positionals.length === 0 ? RULE_NAMES : positionals).map((name) => describeRule(named(name)));
    const text = positionals.length === 0 ? listText(described) : described.map(ruleText).join('\n');
    process.stdout.write(values.json ? `${JSON.stringify(described, null, 2)}\n` : text);
    return Promise.resolve(EXIT.done);
  },
};

function named(name: string): Rule {
  const rule = ruleOf(name);
  if (rule !== undefined) return rule;
  throw new UsageError(`there is no rule "${name}"`, { word: name, known: RULE_NAMES });
}

const listText = (rules: readonly DescribedRule[]): string => {
  const width = Math.max(...rules.map(({ rule }) => rule.length));
  return rules.map(({ rule, judges }) => `${rule.padEnd(width)}  ${judges}\n`).join('');
};

const ruleText = ({ rule, demands, judges, parameters }: DescribedRule): string =>
  [
    rule,
    `  ${demands}`,
    `  judges: ${judges}`,
    ...parameters.map(({ name, description, default: standard }) => {
      const said = standard === undefined ? '' : `; default ${JSON.stringify(standard)}`;
      return `  ${name}: ${description}${said}`;
    }),
    '',
  ].join('\n');

/** A rule as people read about it. */
interface DescribedRule {
  readonly rule: string;
  readonly demands: string;
  /** What it judges: kinds of records, every record, or planned runs. */
  readonly judges: string;
  readonly parameters: readonly { readonly name: string; readonly description: string; readonly default?: unknown }[];
}

/** What a rule demands, and its parameters. */
export function describeRule(rule: Rule): DescribedRule {
  const { properties = {} } = toJSONSchema(rule.parameters, { io: 'input', unrepresentable: 'any' });
  return {
    ...{ rule: rule.name, demands: rule.demands, judges: judgedBy(rule) },
    parameters: Object.entries(properties).map(([name, shape]) => {
      const { description = '', default: standard } = typeof shape === 'object' ? shape : {};
      return { name, description, ...(standard === undefined ? {} : { default: standard }) };
    }),
  };
}

function judgedBy(rule: Rule): string {
  if (isPlanRule(rule)) return rule.needsLive ? 'planned runs, with --live' : 'planned runs';
  const tokens = kindsOf(rule);
  return tokens.length === 0 ? 'every record' : tokens.join(', ');
}
