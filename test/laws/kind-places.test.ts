// What people write about kinds by hand is complete: the table of the README, the pages on programs and files, and the guide for a new kind.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { kinds } from '../../provider/kinds';

const ROOT = join(__dirname, '..', '..');
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const readme = textOf('README.md');
const programs = textOf('docs/programs.md');
const notInFiles = /^.* not part of a stack file.*$/m.exec(textOf('docs/yaml.md'))?.[0] ?? '';

const tokens = kinds.map(({ token }) => [token]);
test.each(tokens)('%s has a row in the table "What declares what" of README.md', (token) => {
  expect(readme.split('\n').filter((line) => line.startsWith(`| ${token} |`))).toHaveLength(1);
});

const apart = kinds.filter(({ inFile }) => inFile === undefined).map(({ token }) => [token]);
test.each(apart)(
  '%s has no `inFile`: docs/yaml.md says so in "What a file cannot declare", and docs/programs.md has an example',
  (token) => {
    expect(notInFiles).toContain(`\`${token}\``);
    expect(programs).toContain(`new oneops.${token}(`);
  },
);

test('docs/yaml.md says of no kind with `inFile` that it is not part of a stack file', () => {
  expect(kinds.filter(({ token, inFile }) => inFile && notInFiles.includes(`\`${token}\``))).toEqual([]);
});

/** Names of the optional members of an interface in `provider/kind.ts`: the facets of a kind. */
function optionalMembers(name: string): readonly string[] {
  const source = ts.createSourceFile('kind.ts', textOf('provider/kind.ts'), ts.ScriptTarget.Latest);
  const found = source.statements.filter(ts.isInterfaceDeclaration).find((each) => each.name.text === name);
  const members = found?.members.filter(({ questionToken }) => questionToken !== undefined) ?? [];
  return members.map((member) => (member.name as ts.Identifier).text);
}

test('docs/design/kinds.md names each facet that a kind can have', () => {
  const section = textOf('docs/design/kinds.md');
  const facets = ['Scope', 'Kind'].flatMap(optionalMembers);
  expect(facets).toContain('nameRule');
  expect(facets.filter((facet) => !section.includes(`\`${facet}\``))).toEqual([]);
});
