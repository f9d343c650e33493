// The findings of each file of the golden corpus are exactly those that the file names.
import { EXPLANATIONS, examine, explanationOf } from '../../stack';
import { right, wrong, type Case } from '../findings-corpus';

const found = (text: string): readonly string[] =>
  examine(text).findings.map(
    ({ at, severity, code, message }) =>
      `${at.start.line}:${at.start.column} ${severity} ${explanationOf(code)?.id} ${message}`,
  );

const examples = EXPLANATIONS.flatMap(({ explanations }) => explanations).length;

test(`the corpus: ${wrong.length + examples} wrong files and ${right.length + examples} right ones, with ${examples} examples of each`, () => {
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
