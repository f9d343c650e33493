// The reference of findings: one page with a section for each code, which shows its meaning, an example of the mistake,
// what check reports, and what is right.
import {
  CONVERSION_CODES,
  conversionExample,
  EXPLANATIONS,
  examine,
  renderFindings,
  type ConversionCode,
  type Explanation,
} from '../../stack';

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

/** Path and text of the page. */
export function findingsPage(): readonly [string, string] {
  const groups = [
    ...EXPLANATIONS.map(({ title, explanations }) => ({ title, sections: explanations.map(sectionOf) })),
    { title: 'Old files', sections: CONVERSION_CODES.map(conversionSection) },
  ];
  const lines = groups.flatMap(({ title, sections }) => [`## ${title}`, '', ...sections.flat()]);
  return ['docs/findings.md', [...HEAD, ...lines].join('\n')];
}

function sectionOf({ id, code, meaning, wrong, right, config = {} }: Explanation): readonly string[] {
  const { file, findings } = examine(wrong, { config });
  const set = Object.keys(config).map((name) => `\`${name}\``);
  return [
    ...headOf({ id, code, meaning }),
    ...(set.length > 0 ? [`In both examples, the stack sets ${set.join(', ')}.`, ''] : []),
    'Wrong:',
    '',
    ...block('yaml', wrong),
    ...block('text', renderFindings(findings, [file]).replace(/\n[^\n]+\n$/, '\n')),
    'Right:',
    '',
    ...block('yaml', right),
  ];
}

function conversionSection(each: ConversionCode): readonly string[] {
  const { files, told } = conversionExample(each);
  return [
    ...headOf(each),
    ...files.flatMap(({ name, text }) => [`In ${name}:`, '', ...block('text', text)]),
    'What convert says:',
    '',
    ...block('text', told),
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
