// The law of folders: imports go one way, through each folder's door, and a library that is no language of the code has one file (architecture §1).
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** Each room with the rooms it may import from. */
const MAY_IMPORT: { readonly [room: string]: readonly string[] } = {
  'api/contract': [],
  'api/errors': [],
  'api/transport': ['api/contract', 'api/errors'],
  'api/client': ['api/contract', 'api/errors', 'api/transport'],
  'provider/faces/engine': ['api/errors'],
  provider: ['provider/faces/engine', 'api/client', 'api/contract', 'api/errors'],
  // `stack('oneops.yaml')` is part of what a program imports: loaded when it is called.
  sdk: ['provider', 'stack', 'api/contract'],
  stack: ['sdk', 'provider', 'provider/faces/engine', 'api/contract', 'api/errors'],
  drift: ['stack', 'sdk', 'provider', 'api/client', 'api/contract', 'api/errors'],
  preview: ['drift', 'provider', 'api/client', 'api/contract', 'api/errors'],
  policy: ['preview', 'drift', 'stack', 'provider', 'provider/faces/engine', 'api/errors'],
  service: ['api/contract'],
  cli: [
    ...['policy', 'preview', 'drift', 'stack', 'sdk', 'provider', 'provider/faces/engine', 'service'],
    ...['api/client', 'api/contract', 'api/errors'],
  ],
};

/** Doors of parts of a room, for the rooms that may import the room itself. */
const DOORS_OF_PARTS = [
  ...['catalogue', 'functions', 'history', 'import', 'kinds', 'lifecycle', 'secrets', 'session', 'settings', 'settled'],
  'values',
].map((part) => `provider/${part}`);

/** Libraries that belong to one job, and the files that may name them. */
const ONE_FILE: { readonly [library: string]: readonly string[] } = {
  axios: ['api/transport/connections.ts'],
  undici: ['api/transport/connections.ts'],
  // One use each: accepted values that are written into a stack, stacks that are written from old files, entries that are added to a drift.yaml, the
  // stack a person writes and its layout, single values, and designs as the service's own clients write them.
  yaml: [
    'stack/drift-file.ts',
    'stack/convert/written.ts',
    'stack/export/text.ts',
    'stack/yaml/format.ts',
    'stack/yaml/read.ts',
    'stack/yaml/source.ts',
    'stack/yaml/write.ts',
    'drift/accept/written-value.ts',
    'service/extras/read-document.ts',
  ],
  'node:sqlite': ['service/store/database.ts'],
  'find-my-way': ['service/http/router.ts'],
  diff: ['drift/difference.ts'],
  'vscode-languageserver': ['cli/lsp/server.ts'],
  'vscode-languageserver-textdocument': ['cli/lsp/server.ts'],
  'string-width': ['stack/findings/show.ts', 'drift/report/text-layout.ts'],
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
