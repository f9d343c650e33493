// The reference of policy rules: what each demands, its parameters, and files that break it and satisfy it.
// It must not know any single rule.
import { documentText } from '../../stack';
import { isPlanRule, ruleOf, RULE_NAMES, type Rule } from '../../policy';
import { describeRule } from '../policies';

/** Path and text of the page. */
export function policiesPage(): readonly [string, string] {
  const rules = RULE_NAMES.flatMap((name) => ruleOf(name) ?? []);
  const rows = rules.map((rule) => `| [${rule.name}](#${rule.name}) | ${describeRule(rule).judges} |`);
  const text = [
    '<!-- Generated from the rules of policies by `npm run generate`: changes made here are lost. -->',
    '',
    '# Rules of policies',
    '',
    'Every rule that a [policy file](../../policies.md) can choose. `pulumi-oneops policies RULE` prints the same parameters.',
    '',
    '| Rule | Judges |',
    '|---|---|',
    ...rows,
    '',
    ...rules.flatMap(section),
  ].join('\n');
  return ['docs/reference/policies/README.md', text];
}

function section(rule: Rule): readonly string[] {
  const { demands, parameters } = describeRule(rule);
  const rows = parameters.map(({ name, description, default: standard }) => {
    const said = standard === undefined ? '' : `\`${JSON.stringify(standard)}\``;
    return `| \`${name}\` | ${description} | ${said} |`;
  });
  const policy = { policies: { [rule.name]: { level: 'mandatory', ...rule.sample.parameters } } };
  return [
    `## ${rule.name}`,
    '',
    demands,
    '',
    ...(rows.length > 0 ? ['| Parameter | Meaning | Default |', '|---|---|---|', ...rows, ''] : []),
    ...block(documentText(policy)),
    ...(isPlanRule(rule) ? [] : ['Wrong:', '', ...block(rule.sample.wrong), 'Right:', '', ...block(rule.sample.right)]),
  ];
}

const block = (text: string): readonly string[] => ['```yaml', text.trimEnd(), '```', ''];
