// The reference of findings: an index, and a page for each code with its meaning, an example of the mistake, what check says of it, and what is right.
// It must not know any single code.
import {
  CONVERSION_CODES,
  conversionExample,
  EXPLANATIONS,
  examine,
  renderFindings,
  type ConversionCode,
  type Explanation,
} from '../../stack';

const FOLDER = 'docs/reference/findings';

const GENERATED = '<!-- Generated from the codes of findings by `npm run generate`: changes made here are lost. -->';

/** Path and text of the index and of the page of each code. */
export function findingsPages(): readonly (readonly [string, string])[] {
  const groups = [...EXPLANATIONS, { title: 'Old files', explanations: CONVERSION_CODES }];
  const rows = groups.flatMap(({ title, explanations }) =>
    explanations.map(({ id, code }, index) => `| ${index === 0 ? title : ''} | [${id}](${id}.md) | \`${code}\` |`),
  );
  const index = [
    GENERATED,
    '',
    '# Findings',
    '',
    'Every finding of a stack file, and every line of a report of `pulumi-oneops convert`, has a code. `pulumi-oneops explain CODE` prints its page. The word of a code is the member `code` in',
    '`pulumi-oneops check --format json`, and the code itself is the member `id`. A code never changes its meaning.',
    '',
    'Each wrong example has the finding below it and no other. The file `motd.txt` is next to the examples, and the environment variable `LEVEL` is set.',
    '',
    '| About | Code | Word |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
  const pages = EXPLANATIONS.flatMap(({ explanations }) => explanations.map(pageOf));
  return [[`${FOLDER}/README.md`, index], ...pages, ...CONVERSION_CODES.map(conversionPage)];
}

function pageOf({ id, code, meaning, wrong, right, config = {} }: Explanation): readonly [string, string] {
  const { file, findings } = examine(wrong, { config });
  const set = Object.keys(config).map((name) => `\`${name}\``);
  const text = [
    GENERATED,
    '',
    `# ${id}: ${code}`,
    '',
    meaning,
    '',
    ...(set.length > 0 ? [`In both examples, the stack sets ${set.join(', ')}.`, ''] : []),
    'Wrong:',
    '',
    ...block('yaml', wrong),
    ...block('text', renderFindings(findings, [file]).replace(/\n[^\n]+\n$/, '\n')),
    'Right:',
    '',
    ...block('yaml', right),
    '[All findings](README.md)',
    '',
  ].join('\n');
  return [`${FOLDER}/${id}.md`, text];
}

function conversionPage(each: ConversionCode): readonly [string, string] {
  const { files, told } = conversionExample(each);
  const text = [
    GENERATED,
    '',
    `# ${each.id}: ${each.code}`,
    '',
    each.meaning,
    '',
    ...files.flatMap(({ name, text: own }) => [`In ${name}:`, '', ...block('text', own)]),
    'What convert says:',
    '',
    ...block('text', told),
    '[All findings](README.md)',
    '',
  ].join('\n');
  return [`${FOLDER}/${each.id}.md`, text];
}

const block = (language: string, text: string): readonly string[] => [`\`\`\`${language}`, text.trimEnd(), '```', ''];
