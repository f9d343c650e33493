// The findings of each file of the golden corpus are exactly those that the file names.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isScalar, parseDocument, visit } from 'yaml';
import { checkCommand } from '../../cli/commands/files/check';
import { examine, explanationOf, EXPLANATIONS } from '../../stack';
import { prepare } from '../../stack/host/prepare';
import { runCommand } from '../run-command';
import { type Case, right, wrong } from '../findings-corpus';

/** What is found in a text, as the corpus writes it; with its hint where the corpus has one. */
const found = (text: string, expected: readonly string[] = []): readonly string[] =>
  examine(text).findings.map(({ at, severity, code, message, hint }, index) => {
    const line = `${at.start.line}:${at.start.column} ${severity} ${explanationOf(code)?.id} ${message}`;
    return expected[index]?.includes(' | ') === true ? `${line} | ${hint}` : line;
  });

const examples = EXPLANATIONS.flatMap(({ explanations }) => explanations).length;

test(`the corpus: ${wrong.length + examples} wrong files and ${right.length + examples} right ones, with ${examples} examples of each`, () => {
  expect(wrong.length + examples).toBeGreaterThanOrEqual(150);
  expect(right.length + examples).toBeGreaterThanOrEqual(50);
});

test.each(wrong.map((each): [string, Case] => [each.title, each]))('wrong: %s', (_, { text, findings }) => {
  expect(findings.length).toBeGreaterThan(0);
  expect(found(text, findings)).toEqual(findings);
});

test('a misspelt word at every place that takes one is one finding, and its hint is the word that was meant', () => {
  const words = wrong.filter(({ title }) => title.startsWith('a misspelt word: '));
  expect(words.length).toBeGreaterThanOrEqual(60);
  expect(words.filter(({ findings }) => findings.length !== 1)).toEqual([]);
  // Too far from the word that was meant, or among words that nobody lists.
  const others = words.filter(({ findings }) => !findings[0]?.includes(' | did you mean "'));
  expect(others.map(({ title }) => title.split(': ')[1])).toEqual([
    'a key of a monitor',
    'a number that is a word',
    'a reference to a component',
  ]);
});

test('wrong files: check ends with 3 exactly for errors, and no run begins with such a file, so that nothing reaches a service', async () => {
  const before = process.cwd();
  const directory = mkdtempSync(join(tmpdir(), 'oneops-mistakes-'));
  process.chdir(directory);
  try {
    for (const { title, text, findings } of wrong) {
      writeFileSync('oneops.yaml', text);
      const isError = findings.some((line) => / error ONE/.test(line));
      const { code } = await runCommand(checkCommand, {});
      const request = { directory, options: {}, config: {}, secretKeys: [], project: 'shop', stack: 'dev' };
      const isRefused = 'problem' in prepare(request, () => undefined);
      expect([title, code, isRefused]).toEqual([title, isError ? 3 : 0, isError]);
    }
  } finally {
    process.chdir(before);
    rmSync(directory, { recursive: true });
  }
});

test.each(right.map((each): [string, Case] => [each.title, each]))('right: %s', (_, { text }) => {
  expect(found(text)).toEqual([]);
});

// One mistake is one finding: a key of a right file with two of its letters exchanged is reported, and nothing that only follows from it.

/** Words that name a thing: another name is another thing, and what refers to the first one is a second mistake. */
const NAMES = [/: compute -> cmopute$/];

interface Misspelt {
  readonly title: string;
  readonly text: string;
}

/** The file once for each key of letters alone, with the second and the third letter of that key exchanged. */
function misspeltFiles({ title, text }: Misspelt): readonly Misspelt[] {
  const found: Misspelt[] = [];
  visit(parseDocument(text), {
    Pair: (_, { key }) => {
      if (!isScalar(key) || !key.range) return;
      const [start, end] = key.range;
      const word = text.slice(start, end);
      const [, first = '', second = '', third = '', rest = ''] = /^([a-z])([a-z])([a-z])(\w*)$/i.exec(word) ?? [];
      const other = first + third + second + rest;
      if (second !== third)
        found.push({ title: `${title}: ${word} -> ${other}`, text: text.slice(0, start) + other + text.slice(end) });
    },
  });
  return found;
}

const cases = right.flatMap(misspeltFiles).filter(({ title }) => !NAMES.some((name) => name.test(title)));

test('every key of the corpus is misspelt once', () => {
  expect(cases.length).toBeGreaterThan(200);
});

test.each(cases.map((each): [string, string] => [each.title, each.text]))('%s', (_, text) => {
  const found = examine(text).findings.map(({ at, message }) => `${at.start.line}:${at.start.column} ${message}`);
  expect(found.slice(1)).toEqual([]);
});
