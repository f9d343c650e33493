// A policy file: what it may say, and that a misspelt word in it is an error with its line instead of a rule that fits nothing.
import { kinds } from '../../provider';
import { readPolicy } from './policy';
import { CLASSIFICATIONS } from './review';

const read = (...patterns: readonly string[]) =>
  readPolicy({
    name: 'policy.yaml',
    text: `severities:\n${patterns.map((pattern) => `  '${pattern}': low\n`).join('')}`,
  }).severities.map(({ pattern }) => pattern);

test('every kind, each of its attributes in both spellings, classifications and wildcards are taken', () => {
  const all = [
    ...kinds.flatMap(({ token, fields }) => [token, ...Object.keys(fields).map((name) => `${token}.${name}`)]),
    ...CLASSIFICATIONS,
    ...['*.description', '*', 'Comp*', 'Component.*', 'Component.attributes.max_threads', 'Attachment.exec_cmd'],
  ];
  expect(read(...all)).toEqual(all);
});

test.each([
  ['Componet', 'there is no kind or classification "Componet"; did you mean "Component"?'],
  ['Componet.attributes.size', 'there is no kind "Componet"; did you mean "Component"?'],
  ['component.attributes.size', 'there is no kind "component"; did you mean "Component"?'],
  ['undeclard', 'there is no kind or classification "undeclard"; did you mean "undeclared"?'],
  ['Component.atributes.size', 'there is no attribute of Component "atributes"; did you mean "attributes"?'],
  ['Attachment.exec_cmdd', 'there is no attribute of Attachment "exec_cmdd"; did you mean "exec_cmd"?'],
  ['Nothing.like.it', 'there is no kind "Nothing"; known are Assembly,'],
])('%s is an error that names the line', (pattern, message) => {
  expect(() => read('Component', pattern)).toThrow(`policy.yaml:3: ${message}`);
});
