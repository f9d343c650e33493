// `pulumi-oneops policies`: the rules that a policy file can choose, and their parameters.
// It must not know any single rule.
import { nearest } from '../../provider';
import { POLICY_LEVELS, ruleOf, RULE_NAMES, type Rule } from '../../policy';
import { parseWords, UsageError, type Command } from '../command';
import { describeRule, type DescribedRule } from '../policies';

const OPTIONS = { json: { type: 'boolean', default: false } } as const;

const HELP = `usage: pulumi-oneops policies [RULE] [options]

Lists the rules that a policy file can choose. With the name of a RULE, shows
what it demands and its parameters. Sends no request.

check, preview-comment and the policy pack bin/pulumi-oneops-policy judge a stack
by the file policies.yaml. Levels of a policy: ${POLICY_LEVELS.slice(0, 2).join(', ')},
${POLICY_LEVELS.slice(2).join(', ')}.

  --json             the same as JSON

exit codes: 0 shown, 1 there is no such rule`;

/** The policies command. */
export const policiesCommand: Command = {
  help: HELP,
  options: OPTIONS,
  words: RULE_NAMES,
  run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    if (positionals.length > 1) throw new UsageError('policies takes one rule');
    const described = (positionals.length === 0 ? RULE_NAMES : positionals).map((name) => describeRule(named(name)));
    const text = positionals.length === 0 ? listText(described) : described.map(ruleText).join('\n');
    process.stdout.write(values.json ? `${JSON.stringify(described, null, 2)}\n` : text);
    return Promise.resolve(0);
  },
};

function named(name: string): Rule {
  const rule = ruleOf(name);
  if (rule !== undefined) return rule;
  const near = nearest(name, RULE_NAMES);
  throw new UsageError(`there is no rule "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`);
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
