// The reference pages: each kind and function has its place with every argument, tables are whole, and the examples declare what they say.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { functions } from '../../provider/functions';
import { argumentNames, everyAddressName, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import * as sdk from '../../sdk';
import { recorded } from '../recording-monitor';

const REFERENCE = join(__dirname, '..', '..', 'docs', 'reference');
const FOLDER = join(REFERENCE, 'kinds');
const textOf = (path: string): string => readFileSync(join(REFERENCE, path), 'utf8');

/** `CloudConfiguration` → `cloud-configuration.md`. */
const fileOf = ({ token }: Kind): string => `${token.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase()}.md`;
const pages = kinds.map((of): [string, Kind, string] => [of.token, of, textOf(join('kinds', fileOf(of)))]);
const functionsPage = textOf('functions.md');

test('there is one page for each kind, and the index lists it', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(['README.md', ...kinds.map(fileOf)].sort());
  const index = textOf(join('kinds', 'README.md'));
  expect(kinds.filter((of) => !index.includes(`| [${of.token}](${fileOf(of)}) |`))).toEqual([]);
});

test.each(pages)('the page of %s has every argument and output', (_, of, page) => {
  const names = [...argumentNames(of), 'ciId', 'revision', 'origin', ...Object.keys(of.computed)];
  expect(names.filter((name) => !page.includes(`\n| \`${name}\` | `))).toEqual([]);
});

test.each(pages)('the program on the page of %s declares one, with its sample', async (_, of, page) => {
  const [, program = ''] = /```ts\nimport \* as oneops from 'pulumi-oneops';\n([^]*?)```/.exec(page) ?? [];
  // Without its import it is JavaScript, and runs as it is.
  const run = runInThisContext(`(function (oneops) {${program}})`) as (oneops: object) => void;
  const declared = (await recorded(() => run(sdk))).filter(({ key }) => key.startsWith(`${of.token}::`));
  expect(declared).toHaveLength(1);
  const { inputs = {} } = declared[0] ?? {};
  const given = Object.keys(of.sample.create).filter((name) => !(name in (of.settles ?? {})));
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(given));
  expect(everyAddressName(of).some((name) => name in inputs)).toBe(true);
});

test.each(functions.map((of): [string, (typeof functions)[number]] => [of.token, of]))(
  'the page of functions has every argument and result of %s',
  (token, { arguments: args, result }) => {
    const [, section = ''] = functionsPage.split(`\n## ${token}\n`);
    const [own = ''] = section.split('\n## ');
    const names = [...Object.keys(args), ...Object.keys(result)];
    expect(names.filter((name) => !own.includes(`\n| \`${name}\` | `))).toEqual([]);
  },
);

test('every row of a table has as many cells as its head', () => {
  const cells = (line: string): number => line.replaceAll('\\|', '').split('|').length;
  for (const page of [...pages.map(([, , text]) => text), functionsPage]) {
    const tables = page.split('\n\n').filter((block) => block.startsWith('|'));
    expect(tables.length).toBeGreaterThan(1);
    for (const [head = '', ...rows] of tables.map((each) => each.trimEnd().split('\n')))
      expect(rows.filter((row) => cells(row) !== cells(head))).toEqual([]);
  }
});
