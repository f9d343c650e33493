// The reference of findings: every code with its meaning, an example of the mistake, what check says of it, and what is right.
// It must not know any single code.
import { EXPLANATIONS, examine, renderFindings, type Explanation } from '../../stack';

/** Path and text of the page. */
export function findingsPage(): readonly [string, string] {
  const rows = EXPLANATIONS.flatMap(({ title, explanations }) =>
    explanations.map(
      ({ id, code }, index) => `| ${index === 0 ? title : ''} | [${id}](#${id.toLowerCase()}) | \`${code}\` |`,
    ),
  );
  const text = [
    '<!-- Generated from the codes of findings by `npm run generate`: changes made here are lost. -->',
    '',
    '# Findings',
    '',
    'Every finding of a stack file has a code. `pulumi-oneops explain CODE` prints the same text. The word of a code is the member `code` in',
    '`pulumi-oneops check --format json`, and the code itself is the member `id`. A code never changes its meaning.',
    '',
    'Each wrong example has the finding below it and no other. Beside the examples lies the file `motd.txt`, and the environment variable `LEVEL` is set.',
    '',
    '| About | Code | Word |',
    '|---|---|---|',
    ...rows,
    '',
    ...EXPLANATIONS.flatMap(({ explanations }) => explanations.flatMap(section)),
  ].join('\n');
  return ['docs/reference/findings/README.md', text];
}

function section({ id, code, meaning, wrong, right, config = {} }: Explanation): readonly string[] {
  const { file, findings } = examine(wrong, { config });
  const set = Object.keys(config).map((name) => `\`${name}\``);
  return [
    `## ${id}`,
    '',
    `\`${code}\`: ${meaning}`,
    '',
    ...(set.length > 0 ? [`In both examples, the stack sets ${set.join(', ')}.`, ''] : []),
    ...block('yaml', wrong),
    ...block('text', renderFindings(findings, [file]).replace(/\n[^\n]+\n$/, '\n')),
    'Right:',
    '',
    ...block('yaml', right),
  ];
}

const block = (language: string, text: string): readonly string[] => [`\`\`\`${language}`, text.trimEnd(), '```', ''];
