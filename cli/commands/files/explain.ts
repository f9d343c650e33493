// `pulumi-oneops explain`: what a code of a finding means, with a wrong and a right example.
import { folded } from '../../../api/errors';
import { didYouMean } from '../../../provider/values';
import {
  CONVERSION_CODES,
  EXPLANATIONS,
  examine,
  explanationOf,
  renderFindings,
  type ConversionCode,
  type Explanation,
} from '../../../stack';
import { conversionExample } from '../../../stack/convert/convert';
import { commandOf } from '../../command';
import { UsageError } from '../../exit';
import { JSON_OPTION } from '../../options';

const all: readonly (Explanation | ConversionCode)[] = [
  ...EXPLANATIONS.flatMap(({ explanations }) => explanations),
  ...CONVERSION_CODES,
];

export const command = commandOf({
  usage: ['explain [CODE] [options]'],
  about: `Explains a code of a finding of "pulumi-oneops check" or of a preview: what it means, a file
with the mistake and what check reports, and the file without the mistake. For a code of a line that
"pulumi-oneops convert" prints, shows an old file that causes it, and the line. CODE is an id (ONE1207
or 1207) or a word (unknown-platform). Without a CODE, lists all of them.`,
  options: JSON_OPTION,
  exits: { done: 'shown' },
  words: all.map(({ id }) => id),
  most: 1,
  run({ positionals: [word], print }) {
    const found = word === undefined ? undefined : explanationNamed(word);
    print(found ?? all, () => `${found === undefined ? listText() : textOf(found)}\n`);
  },
});

function explanationNamed(word: string): Explanation | ConversionCode {
  const found =
    explanationOf(word) ??
    explanationOf(`ONE${word}`) ??
    explanationOf(word.toUpperCase()) ??
    explanationOf(word.toLowerCase());
  if (found !== undefined) return found;
  const known = all.flatMap(({ id, code }) => [id, code]);
  const hint = didYouMean(word, known, 'pulumi-oneops explain lists all of them');
  throw new UsageError(`there is no code "${word}": ${hint}`);
}

const listText = (): string =>
  [...EXPLANATIONS, { title: 'Old files', explanations: CONVERSION_CODES }]
    .map(({ title, explanations }) => [title, ...explanations.map(({ id, code }) => `  ${id}  ${code}`)].join('\n'))
    .join('\n\n');

/** What there is to read of a code: its meaning, then texts under headings. */
export function explained(found: Explanation | ConversionCode): readonly ExplainedPart[] {
  if (!('wrong' in found)) {
    const { files, shown } = conversionExample(found);
    const parts = files.map(({ name, text }): ExplainedPart => ({ heading: `In ${name}:`, language: 'text', text }));
    return [...parts, { heading: 'What convert says:', language: 'text', text: shown }];
  }
  const { wrong, right, config = {} } = found;
  const { file, findings } = examine(wrong, { config });
  return [
    { heading: 'Wrong:', language: 'yaml', text: wrong },
    { language: 'text', text: renderFindings(findings, [file]) },
    { heading: 'Right:', language: 'yaml', text: right },
  ];
}

interface ExplainedPart {
  /** Left out for what follows from the text before it. */
  readonly heading?: string;
  readonly language: 'yaml' | 'text';
  readonly text: string;
}

const textOf = (found: Explanation | ConversionCode): string =>
  [
    `${found.id} ${found.code}`,
    folded(found.meaning, 78).join('\n'),
    ...explained(found).flatMap(({ heading, text }) => [...(heading === undefined ? [] : [heading]), indented(text)]),
    `In the reference: docs/findings.md#${found.id.toLowerCase()}`,
  ].join('\n\n');

const indented = (text: string): string => text.trimEnd().replace(/^(?=.)/gm, '  ');
