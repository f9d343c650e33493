// Laws of the pages: every link leads somewhere, the index lists every page, and every dependency is explained.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runInThisContext } from 'node:vm';
import { parse } from 'yaml';
import { functions } from '../../provider/functions';
import { argumentNames, everyAddressName, type Kind } from '../../provider';
import { kinds } from '../../provider/kinds';
import * as sdk from '../../sdk';
import { recorded } from '../recording-monitor';

const ROOT = join(__dirname, '..', '..');

const below = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));

const pages = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  'llms.txt',
  ...below('docs'),
  ...below('examples'),
];
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const prose = (page: string): string => textOf(page).replace(/^```[^]*?^```$/gm, '');

/** Anchors of a page, as GitHub makes them of its headings. */
const anchorsOf = (page: string): readonly string[] =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );

const linksOf = (page: string): readonly string[] =>
  [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
}

test.each(pages.filter((page) => linksOf(page).length > 0))('every link of %s leads somewhere', (page) => {
  expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([]);
});

test('the index lists every page', () => {
  const listed = linksOf('docs/README.md').map((link) => join('docs', link));
  const all = below('docs').filter((page) => page !== 'docs/README.md' && !page.startsWith('docs/reference/'));
  expect(all.filter((page) => !listed.includes(page))).toEqual([]);
});

test('a page that people write has at most 1,700 words', () => {
  const written = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && name !== 'findings.md');
  expect(written.filter((name) => textOf(`docs/${name}`).split(/\s+/).length > 1700)).toEqual([]);
});

test('every dependency is explained, and every one that is not at its newest version', () => {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as { readonly [key: string]: { readonly [name: string]: string } };
  const page = textOf('docs/design/dependencies.md');
  const names = Object.keys({ ...dependencies, ...peerDependencies });
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);

  const cellsOf = (title: string): readonly (readonly string[])[] => {
    const section = page.slice(page.indexOf(`## ${title}`)).split('\n## ')[0] ?? '';
    const rows = section.split('\n').filter((row) => row.startsWith('| `'));
    return rows.map((row) => row.split('|').map((cell) => cell.trim()));
  };
  const listed = cellsOf('Libraries').flatMap(([, name]) => name?.match(/[\w./@-]+/g) ?? []);
  expect(listed.filter((name) => !(name in (dependencies ?? {})))).toEqual([]);

  const all: { readonly [name: string]: string } = { ...dependencies, ...devDependencies };
  const behind = cellsOf('Not at the newest version').map(([, name = '', version]) => [
    name.replaceAll('`', ''),
    version,
  ]);
  expect(behind.length).toBeGreaterThan(0);
  for (const [name = '', version] of behind) expect(`${name} ${all[name]?.split('.')[0]}`).toBe(`${name} ${version}`);
});

// The reference pages: each kind and function has its place with every argument, tables are whole, and the examples declare what they say.
describe('reference pages', () => {
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
});

// The example of the Pulumi Kubernetes Operator has only fields that its resource has.

const FOLDER = join(__dirname, '..', '..', 'examples', 'pipelines', 'pulumi-kubernetes-operator');

/** The fields of `spec` that the examples may use, with their types: docs/stacks.md of the operator's repository, pulumi.com/v1 Stack. */
const FIELDS: { readonly [field: string]: string } = {
  stack: 'string',
  projectRepo: 'string',
  repoDir: 'string',
  branch: 'string',
  serviceAccountName: 'string',
  refresh: 'boolean',
  continueResyncOnCommitMatch: 'boolean',
  resyncFrequencySeconds: 'number',
  destroyOnFinalize: 'boolean',
  backend: 'string',
  envRefs: 'object',
  workspaceTemplate: 'object',
};

interface Stack {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: { readonly [field: string]: unknown };
}

test.each(['stack.yaml', 'fleet.yaml'])('%s has only fields that a Stack has, of their types', (name) => {
  const read = parse(readFileSync(join(FOLDER, name), 'utf8')) as Stack & { readonly items?: readonly Stack[] };
  for (const { apiVersion, kind, spec } of read.items ?? [read]) {
    expect([apiVersion, kind]).toEqual(['pulumi.com/v1', 'Stack']);
    const types = Object.fromEntries(Object.entries(spec).map(([field, value]) => [field, typeof value]));
    const known = Object.fromEntries(Object.keys(spec).map((field) => [field, FIELDS[field]]));
    expect(types).toEqual(known);
    expect(spec).toMatchObject({ stack: expect.any(String) as string, branch: expect.any(String) as string });
    // Less than a minute is not supported.
    expect(spec['resyncFrequencySeconds'] ?? 60).toBeGreaterThanOrEqual(60);
  }
});
