// `pulumi-oneops policies`: the rules of policies with their parameters, and a file's exceptions.
import { tableText } from '../../../drift';
import { isPlanRule, kindsOf, POLICY_LEVELS, ruleOf, RULE_NAMES, type PolicyEntry, type Rule } from '../../../policy';
import { dayOf, hasExpired } from '../../../stack';
import { commandOf, type Print } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { toJSONSchema } from 'zod';
import { policiesHere } from '../../here/policies';
import { flag, JSON_OPTION, POLICIES_OPTION } from '../../options';

export const command = commandOf({
  usage: ['policies [RULE] [options]', 'policies --exceptions [options]'],
  about: `Lists the rules that a policy file can choose. With the name of a RULE, shows what it demands and its parameters. Sends no request.

check, preview-comment and the policy pack bin/pulumi-oneops-policy judge a stack by the file policies.yaml. Levels of a policy: ${POLICY_LEVELS.join(', ')}.`,
  options: {
    exceptions: flag('lists the exceptions in the policy file, with owner, reason and last day'),
    ...POLICIES_OPTION,
    ...JSON_OPTION,
  },
  exits: { done: 'shown', policy: 'with --exceptions: the last day of one of them has passed' },
  words: RULE_NAMES,
  run({ values, positionals, print }) {
    if (positionals.length > (values.exceptions ? 0 : 1)) throw new UsageError('policies takes one rule');
    if (values.exceptions) return listExceptions(policiesHere(values.policies), print);
    const described = (positionals.length === 0 ? RULE_NAMES : positionals).map((name) => describeRule(named(name)));
    const list = (): string => tableText(described.map(({ rule, judges }) => [rule, judges]));
    print(described, (rules) => (positionals.length === 0 ? list() : rules.map(ruleText).join('\n')));
    return EXIT.done;
  },
});

/** Prints the exceptions of a file, and returns the exit code. */
function listExceptions(policies: readonly PolicyEntry[], print: Print): number {
  const today = dayOf();
  const all = policies.flatMap(({ name, exceptions }) =>
    exceptions.map((each) => ({ policy: name, ...each, ended: hasExpired(each, today) })),
  );
  const rows = all.map(({ policy, record, owner, until = '', ended, reason }) => [
    policy,
    record,
    owner,
    ended ? `ended ${until}` : until,
    reason,
  ]);
  print(all, () =>
    all.length === 0 ? 'there are no exceptions\n' : tableText(rows, ['POLICY', 'RECORD', 'OWNER', 'UNTIL', 'REASON']),
  );
  return all.some(({ ended }) => ended) ? EXIT.policy : EXIT.done;
}

function named(name: string): Rule {
  const rule = ruleOf(name);
  if (rule !== undefined) return rule;
  throw new UsageError(`there is no rule "${name}"`, { word: name, known: RULE_NAMES });
}

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

type DescribedRule = ReturnType<typeof describeRule>;

/** `judges`: kinds of records, every record, or planned runs. */
export function describeRule(rule: Rule) {
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
