// `pulumi-oneops explain`: what a code of a finding means, with an example of the mistake and of
// what is right.
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
import { parseWords, type Command } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { JSON_OPTION } from '../../options';

const all: readonly (Explanation | ConversionCode)[] = [
  ...EXPLANATIONS.flatMap(({ explanations }) => explanations),
  ...CONVERSION_CODES,
];

export const explainCommand: Command = {
  usage: ['explain [CODE] [options]'],
  about: `Explains a code of a finding of "pulumi-oneops check" or of a preview: what it means, a file
with the mistake and what check reports, and the file without the mistake. For a code of a line that
"pulumi-oneops convert" prints, shows an old file that causes it, and the line. CODE is an id (ONE1207
or 1207) or a word (unknown-platform). Without a CODE, lists all of them.`,
  options: JSON_OPTION,
  exits: { done: 'shown' },
  words: all.map(({ id }) => id),
  run(words) {
    const { values, positionals } = parseWords(words, JSON_OPTION, 1);
    const [word] = positionals;
    const found = word === undefined ? undefined : explanationNamed(word);
    const text = values.json
      ? JSON.stringify(found ?? all, null, 2)
      : found === undefined
        ? listText()
        : 'wrong' in found
          ? explanationText(found)
          : conversionText(found);
    process.stdout.write(`${text}\n`);
    return Promise.resolve(EXIT.done);
  },
};

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

function explanationText({ id, code, meaning, wrong, right, config = {} }: Explanation): string {
  const { file, findings } = examine(wrong, { config });
  return [
    `${id} ${code}`,
    '',
    folded(meaning),
    '',
    'Wrong:',
    '',
    indented(wrong),
    '',
    indented(renderFindings(findings, [file])),
    '',
    'Right:',
    '',
    indented(right),
    '',
    reference(id),
  ].join('\n');
}

function conversionText(code: ConversionCode): string {
  const { files, told } = conversionExample(code);
  return [
    `${code.id} ${code.code}`,
    '',
    folded(code.meaning),
    ...files.flatMap(({ name, text }) => ['', `In ${name}:`, '', indented(text)]),
    '',
    'What convert says:',
    '',
    indented(told),
    '',
    reference(code.id),
  ].join('\n');
}

const reference = (id: string): string => `In the reference: docs/findings.md#${id.toLowerCase()}`;

const folded = (text: string): string => text.replace(/(.{1,78})(?:\s+|$)/g, '$1\n').trimEnd();

const indented = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
