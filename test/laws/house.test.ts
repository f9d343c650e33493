// Six sizes of the repository may shrink and not grow: files, lines, cycles, unused exports, citations that do not resolve. The other numbers of
// `make house` say where to look.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import * as ts from 'typescript';
import heldNumbers from '../house/held.json';
import { countOf, measureHouse, mostOf } from '../house/table';
import { importsOf, readSources } from '../house/sources';
import { kinds } from '../../provider/kinds';

/** Parsed once for all tests. */
const sources = readSources();

test('held numbers do not grow: lower them in test/house/held.json when a change makes it possible', () => {
  const measures = measureHouse(sources);
  expect(measures.filter((each) => mostOf(each) !== undefined).map(({ what }) => what)).toEqual(
    Object.keys(heldNumbers),
  );
  const grown = measures
    .filter((each) => countOf(each) > (mostOf(each) ?? Infinity))
    .map((each) => ({ what: each.what, most: mostOf(each), now: countOf(each), places: each.places }));
  expect(grown).toEqual([]);
});

// The ways of CONTRIBUTING.md: their files exist, and each is next to another one of its way.

const ROOT = join(__dirname, '..', '..');

const [, section = ''] = /^### Ways\n([^]*?)^## /m.exec(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')) ?? [];
const ways = section.split(/^(?=1\. )/m).slice(1);

const filesOf = (way: string): readonly string[] =>
  [...way.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file);

test('there are ways', () => expect(ways.length).toBeGreaterThan(0));

test.each(ways)('way %#: at most 15 files, each next to another one', (way) => {
  const files = filesOf(way);
  expect(files.length).toBeLessThanOrEqual(15);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  const { product } = sources;
  const doors = new Map(
    product.filter(({ path }) => path.endsWith('index.ts')).map((door) => [door.path, importsOf(door)]),
  );
  const importsIn = new Map(
    product
      .filter(({ path }) => files.includes(path))
      .map((source) => [source.path, importsOf(source).flatMap((file) => [file, ...(doors.get(file) ?? [])])]),
  );
  const isNext = (one: string, other: string): boolean => importsIn.get(one)?.includes(other) === true;
  const alone = files.filter(
    (one) => !files.some((other) => other !== one && (isNext(one, other) || isNext(other, one))),
  );
  expect(alone).toEqual([]);
});

// The law of folders: imports go one way, through each folder's door, and a library that is no language of the code has one file (architecture §1).
describe('imports', () => {
  const ROOT = join(__dirname, '..', '..');

  /** Each room with the rooms it may import from. */
  const MAY_IMPORT: { readonly [room: string]: readonly string[] } = {
    'api/contract': [],
    'api/errors': [],
    'api/transport': ['api/contract', 'api/errors'],
    'api/client': ['api/contract', 'api/errors', 'api/transport'],
    'provider/faces/engine': [],
    'provider/faces/served': ['api/errors'],
    provider: ['provider/faces/engine', 'provider/faces/served', 'api/client', 'api/contract', 'api/errors'],
    // `stack('oneops.yaml')` is part of what a program imports: loaded when it is called.
    sdk: ['provider', 'stack', 'api/contract'],
    stack: ['sdk', 'provider', 'provider/faces/engine', 'provider/faces/served', 'api/contract', 'api/errors'],
    drift: ['stack', 'sdk', 'provider', 'api/client', 'api/contract', 'api/errors'],
    preview: ['drift', 'provider', 'api/client', 'api/contract', 'api/errors'],
    policy: ['preview', 'drift', 'stack', 'provider', 'provider/faces/served', 'api/errors'],
    service: ['api/contract'],
    cli: [
      ...['policy', 'preview', 'drift', 'stack', 'sdk', 'provider', 'service'],
      ...['provider/faces/engine', 'provider/faces/served', 'api/client', 'api/contract', 'api/errors'],
    ],
  };

  /** Doors of parts of a room, for the rooms that may import the room itself. */
  const DOORS_OF_PARTS = [
    ...[
      ...['deploy', 'functions', 'history', 'import', 'kinds', 'kinds/catalogue', 'kinds/settled', 'lifecycle'],
      ...['secrets', 'session', 'session/settings', 'values'],
    ].map((part) => `provider/${part}`),
    // A description for those who have no client of ours.
    'api/contract/openapi',
    // The forms of generated pages.
    'sdk/generate/emit',
    ...['convert/convert', 'convert/ledger', 'convert/readable', 'export/export', 'export/pcl', 'run/program'].map(
      (part) => `stack/${part}`,
    ),
  ];

  /** Libraries that belong to one job, and the files that may name them. */
  const ONE_FILE: { readonly [library: string]: readonly string[] } = {
    axios: ['api/transport/connections.ts', 'api/transport/library-parts.d.ts'],
    undici: ['api/transport/connections.ts', 'api/transport/library-parts.d.ts'],
    // One use each: values that are accepted into a stack, stacks made from old files, entries
    // added to a drift.yaml, the stack a person writes and its layout, single values, and designs
    // as the service's own clients write them.
    yaml: [
      'stack/convert/written.ts',
      'stack/export/export.ts',
      'stack/run/drift-file.ts',
      'stack/yaml/format.ts',
      'stack/yaml/read.ts',
      'stack/yaml/source.ts',
      'drift/accept/written-value.ts',
      'service/extras/read-document.ts',
    ],
    'node:sqlite': ['service/store/database.ts'],
    'find-my-way': ['service/http/router.ts'],
    diff: ['drift/difference.ts'],
    'vscode-languageserver': ['cli/commands/files/lsp.ts'],
    'vscode-languageserver-textdocument': ['cli/commands/files/lsp.ts'],
    'string-width': ['stack/findings/show.ts'],
  };

  interface Import {
    readonly file: string;
    readonly of: string;
  }

  const sources = Object.keys(MAY_IMPORT)
    .map((room) => room.split('/')[0] as string)
    .filter((folder, index, all) => all.indexOf(folder) === index)
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));

  const imports: readonly Import[] = sources.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const found = [...text.matchAll(/(?:from|import\(|require\(|\(__filename\)\()\s*'([^']+)'/g)];
    return found.map((match) => ({ file, of: match[1] as string }));
  });

  const roomOf = (file: string): string =>
    Object.keys(MAY_IMPORT).find((room) => file === room || file === `${room}.ts` || file.startsWith(`${room}/`)) ??
    file.split('/')[0] ??
    '';

  test('there is something to judge', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(imports.length).toBeGreaterThan(300);
  });

  test('rooms import only from rooms to their right, through the door', () => {
    const wrong = imports
      .filter(({ of }) => of.startsWith('.'))
      .map(({ file, of }) => ({
        file,
        target: relative(ROOT, resolve(ROOT, dirname(file), of)).replace(/\/index\.js$|\.js$/, ''),
      }))
      .filter(({ file, target }) => {
        const from = roomOf(file);
        const to = roomOf(target);
        if (from === to) return false;
        const door = target === to || target === `${to}/index` || DOORS_OF_PARTS.includes(target);
        return !door || !(MAY_IMPORT[from] ?? []).includes(to);
      });
    expect(wrong).toEqual([]);
  });

  test.each(Object.entries(ONE_FILE))('%s is named in one file', (library, files) => {
    const named = imports.filter(({ of }) => of === library || of.startsWith(`${library}/`)).map(({ file }) => file);
    expect([...new Set(named)]).toEqual(files);
  });

  test('each file begins with a comment that says what it is for', () => {
    const headless = sources.filter((file) => !/^(#!.*\n)?\/\/ .+\n/.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(headless).toEqual([]);
  });
});

// What people write about kinds by hand is complete: the table of the README, the pages on programs and files, and the guide for a new kind.
describe('kind places', () => {
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
});
