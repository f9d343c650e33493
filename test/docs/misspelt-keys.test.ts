// One mistake is one finding: a key of a right file with two of its letters exchanged is reported, and nothing that only follows from it.
import { isScalar, parseDocument, visit } from 'yaml';
import { examine } from '../../stack';
import { right } from '../findings-corpus';

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
