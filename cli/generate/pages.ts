// The other generated pages of the reference: findings, rules of policies, and commands.
import { posix } from 'node:path';
import { CONVERSION_CODES, EXPLANATIONS, type ConversionCode, type Explanation, documentText } from '../../stack';
import { isPlanRule, ruleOf, RULE_NAMES, type Rule } from '../../policy';
import { explained } from '../commands/files/explain';
import { describeRule } from '../commands/tool/policies';
import { helpOf } from '../command';
import { EXIT, EXIT_WORDS, type ExitName } from '../exit';
import { allCommands } from '../table';

const HEAD = [
  '<!-- Generated from the codes of findings by `npm run generate`: changes made here are lost. -->',
  '',
  '# Findings',
  '',
  'Every finding of a stack file, and every line of a report of `pulumi-oneops convert`, has a code.',
  '`pulumi-oneops explain CODE` prints its section. The word after a code is the member `code` in',
  '`pulumi-oneops check --format json`, and the code itself is the member `id`. A code never changes its meaning.',
  '',
  'Each wrong example has the finding below it and no other. The file `motd.txt` is next to the examples, and the',
  'environment variable `LEVEL` is set.',
  '',
];

export function findingsPage(): readonly [string, string] {
  const groups = [
    ...EXPLANATIONS.map(({ title, explanations }) => ({ title, sections: explanations.map(sectionOf) })),
    { title: 'Old files', sections: CONVERSION_CODES.map(sectionOf) },
  ];
  const lines = groups.flatMap(({ title, sections }) => [`## ${title}`, '', ...sections.flat()]);
  return ['docs/findings.md', [...HEAD, ...lines].join('\n')];
}

function sectionOf(found: Explanation | ConversionCode): readonly string[] {
  const set = Object.keys(('config' in found && found.config) || {}).map((name) => `\`${name}\``);
  return [
    ...headOf(found),
    ...(set.length > 0 ? [`In both examples, the stack sets ${set.join(', ')}.`, ''] : []),
    ...explained(found).flatMap(({ heading, language, text }) => [
      ...(heading === undefined ? [] : [heading, '']),
      // On a terminal, the number of findings is below them.
      ...block(language, heading === undefined ? text.replace(/\n[^\n]+\n$/, '\n') : text),
    ]),
  ];
}

/** The heading of a section is its code alone, so that its anchor is the code. */
const headOf = ({ id, code, meaning }: Pick<Explanation, 'id' | 'code' | 'meaning'>): readonly string[] => [
  `### ${id}`,
  '',
  `\`${code}\`: ${meaning}`,
  '',
];

const block = (language: string, text: string): readonly string[] => [`\`\`\`${language}`, text.trimEnd(), '```', ''];

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
    ...block('yaml', documentText(policy)),
    ...(isPlanRule(rule)
      ? []
      : ['Wrong:', '', ...block('yaml', rule.sample.wrong), 'Right:', '', ...block('yaml', rule.sample.right)]),
  ];
}

/** Path and text of the page on commands: the exit codes of all of them, and the help of each. */
export async function commandsPage(): Promise<readonly [string, string]> {
  const commands = await allCommands();
  const text = [
    '<!-- Generated from the tables of commands and options by `npm run generate`: changes made here are lost. -->',
    '',
    '# Commands',
    '',
    'What `--help` of each command prints. `pulumi-oneops capabilities --json` prints the same for programs.',
    '',
    '## Exit codes',
    '',
    'The codes mean the same for every command. The help of a command says which it has, and what they mean there.',
    '',
    '| Code | Meaning |',
    '|---|---|',
    ...(Object.keys(EXIT) as ExitName[]).map((name) => `| ${EXIT[name]} | ${EXIT_WORDS[name]} |`),
    '',
    ...commands.flatMap(({ path, command }) => [`## ${path.join(' ')}`, '', ...block('text', helpOf(command))]),
  ].join('\n');
  return ['docs/reference/commands/README.md', `${text.trimEnd()}\n`];
}

/** Path and text of `llms.txt`, the index of the documentation for programs (llmstxt.org). */
export function llmsText(index: string): readonly [string, string] {
  const lines = index
    .slice(index.indexOf('## '))
    // A list entry is one line, without its number.
    .replace(/\n +(?=\S)/g, ' ')
    .replace(/^\d+\. /gm, '- ')
    .replace(/\]\(([^)]+)\)/g, (_, link: string) => `](${posix.join('docs', link)})`);
  const about =
    'A Pulumi provider and a YAML language for the OneOps API, with drift reviews, policies and an embedded service.';
  return ['llms.txt', `# pulumi-oneops\n\n> ${about}\n\n${lines}`];
}
