// The golden corpus: small stack files with exactly the findings that people see. Each file of the corpus holds many: `=== title`, the text, and a
// line `=> …` for each finding. `@shop`, `@web` and `@prod` are short for the lines that most of them begin with.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXPLANATIONS, examine, explanationOf } from '../../stack';

const FOLDER = join(__dirname, '..', 'fixtures', 'findings');

const LINES: { readonly [word: string]: string } = {
  '@shop': 'assembly: { name: shop }',
  '@web': 'platforms: { web: { pack: oneops/tomcat:1 } }',
  '@prod': 'environments:\n  prod:\n    clouds: [east]',
};

interface Case {
  readonly title: string;
  readonly text: string;
  readonly findings: readonly string[];
}

const casesOf = (file: string): readonly Case[] =>
  readFileSync(join(FOLDER, file), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.trimEnd().split('\n');
      const isFinding = (line: string): boolean => line.startsWith('=> ');
      const text = lines.filter((line) => !isFinding(line)).map((line) => `${LINES[line] ?? line}\n`);
      return { title, text: text.join(''), findings: lines.filter(isFinding).map((line) => line.slice(3)) };
    });

const found = (text: string): readonly string[] =>
  examine(text).findings.map(
    ({ at, severity, code, message }) =>
      `${at.start.line}:${at.start.column} ${severity} ${explanationOf(code)?.id} ${message}`,
  );

const wrong = casesOf('wrong.txt');
const right = casesOf('right.txt');
const examples = EXPLANATIONS.flatMap(({ explanations }) => explanations).length;

test('the corpus has at least 150 wrong files and 50 right ones, the examples of the codes among them', () => {
  expect(wrong.length + examples).toBeGreaterThanOrEqual(150);
  expect(right.length + examples).toBeGreaterThanOrEqual(50);
});

test.each(wrong.map((each): [string, Case] => [each.title, each]))('wrong: %s', (_, { text, findings }) => {
  expect(findings.length).toBeGreaterThan(0);
  expect(found(text)).toEqual(findings);
});

test.each(right.map((each): [string, Case] => [each.title, each]))('right: %s', (_, { text }) => {
  expect(found(text)).toEqual([]);
});
