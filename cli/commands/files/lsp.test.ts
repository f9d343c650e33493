// The language server, as an editor drives it: one process over stdio for all questions.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CodeAction, Diagnostic, Location } from 'vscode-languageserver/node';
import { sharedFolder } from '../../../test/folder';
import { cursorIn, startLanguageServer, type LanguageClient } from '../../../test/language-client';

const FILES: { readonly [name: string]: string } = {
  'oneops.yaml': `assembly: { name: shop, owner: '\${config.owner}' }
config:
  owner: { type: string, default: team@acme.io }
  password: { type: string, secret: true }
include: [shared.yaml]
templates:
  service:
    parameters:
      size: { type: string, default: M }
      database: { type: string, default: db }
      key: { type: string, default: none }
    body:
      pack: oneops/tomcat:1
      links: ['\${param.database}']
      variables: { HEAP: 2g, KIND: '\${param.key}' }
      components:
        compute: { size: '\${param.size}' }
        user: { deployer: { username: deployer, description: '$OO_LOCAL{HEAP}' } }
        tomcat: { max_threads: 10 }
platforms:
  include: [platforms/*.yaml]
  web: { use: service, with: { size: L, key: 'a key' } }
  cache:
    pack: oneops/apache:1
    links: [db]
    components:
      compute: { depends: [os], size: S }
      os: { monitors: { cache-os-cpu: { enable: false } } }
  'shop-\${each.key}':
    each: { orders: { size: XL, password: hunter2 } }
    use: service
    with: { size: '\${each.value.size}', database: "db" }
    components: { user: { deployer: { description: 'with \${each.value.password}' } } }
environments:
  prod:
    clouds: { east: { priority: 1 } }
    platforms:
      db: { variables: { SIZE: big } }
      cache: { scale: { compute: { current: 2 } }, availability: redundant }
    procedures:
      restart: { platform: db, component: mysql, action: restart }
  qa: { clouds: [east], deploy: false }
overlays:
  big:
    platforms: { db: { description: bigger } }
outputs:
  db: '\${platforms.db.ciId} at \${environments.prod.ciId}'
  user: '\${platforms.web.components.deployer.ciId}'
  level: '\${variables.LEVEL.value}'
`,
  'shared.yaml': `variables: { LEVEL: info, TOKEN: { encrypted_value: '\${config.password}' } }\n`,
  'platforms/db.yaml': `db:
  pack: oneops/mysql:1
  variables: { SIZE: small }
  components: { user: { admin: { username: "$OO_GLOBAL{LEVEL}", description: '$OO_LOCAL{SIZE}' } } }
`,
  'Pulumi.yaml': 'name: shop\nruntime: oneops\n',
};

const folder = sharedFolder({ files: FILES });
let client: LanguageClient;
const uriOf = (name: string): string => pathToFileURL(join(folder.path, name)).href;
const text = (name: string): string => FILES[name] ?? '';
const main = 'oneops.yaml';

beforeAll(async () => {
  client = await startLanguageServer(['--require', './test/run-source.cjs', 'cli/main.ts', 'lsp', '--stdio']);
  await client.open(uriOf(main), text(main));
});

afterAll(async () => expect(await client.end()).toBe(0));

/** Findings as `line:column code`, from 1. */
const short = (findings: readonly Diagnostic[]): readonly string[] =>
  findings.map(({ range, code }) => `${range.start.line + 1}:${range.start.character + 1} ${code}`);

/** The text that a place has, after its file and line. */
function placeText({ uri, range }: Location): string {
  const name = Object.keys(FILES).find((each) => uriOf(each) === uri) ?? uri;
  const line = text(name).split('\n')[range.start.line] ?? '';
  return `${name}:${range.start.line + 1} ${line.slice(range.start.character, range.end.character)}`.trim();
}

test('a right stack has no findings, and completion and descriptions are left to the schema', async () => {
  expect(await client.findings(uriOf(main))).toEqual([]);
  expect(Object.keys(client.capabilities).sort()).toEqual([
    'codeActionProvider',
    'definitionProvider',
    'textDocumentSync',
  ]);
  expect(client.registered).toEqual(['workspace/didChangeWatchedFiles']);
});

test.each([
  ['a platform in an output', "'${platforms.d|b.ciId}", ['platforms/db.yaml:1 db']],
  ['an output of it', "'${platforms.db.ci|Id}", ['platforms/db.yaml:1 db']],
  ['a platform in links', 'links: [d|b]', ['platforms/db.yaml:1 db']],
  ['a platform as an argument', 'database: "d|b"', ['platforms/db.yaml:1 db']],
  ['a platform of an environment', '      d|b: { variables', ['platforms/db.yaml:1 db']],
  ['a platform of an overlay', 'platforms: { d|b: { desc', ['platforms/db.yaml:1 db']],
  ['a platform of a procedure', 'platform: d|b, component', ['platforms/db.yaml:1 db']],
  ['a variable of an environment', 'SI|ZE: big', ['platforms/db.yaml:3 SIZE']],
  ['a variable of the service', '$OO_LOCAL{HE|AP}', ['oneops.yaml:15 HEAP']],
  ['a variable of another file', '${variables.LEV|EL.value}', ['shared.yaml:1 LEVEL']],
  ['a component that a template makes', 'web.components.deplo|yer.ciId', ['oneops.yaml:18 deployer']],
  ['a component in depends', 'depends: [o|s]', ['oneops.yaml:28 os']],
  ['a component in scale', 'scale: { com|pute', ['oneops.yaml:27 compute']],
  ['configuration', "owner: '${config.ow|ner}'", ['oneops.yaml:3 owner']],
  ['a template', 'use: serv|ice, with', ['oneops.yaml:7 service']],
  ['a parameter', "'${param.si|ze}'", ['oneops.yaml:9 size']],
  ['an argument', 'with: { si|ze: L', ['oneops.yaml:9 size']],
  ['an environment', '${environments.pr|od', ['oneops.yaml:35 prod']],
  ['an included file', '[shar|ed.yaml]', ['shared.yaml:1']],
  ['files of a pattern', 'platforms/*.ya|ml', ['platforms/db.yaml:1']],
  ['a cloud that is declared nowhere', 'clouds: { ea|st', ['oneops.yaml:36 east']],
  ['a cloud in a list', 'clouds: [ea|st]', ['oneops.yaml:36 east']],
  ['a word of the language', 'pa|ck: oneops/apache', []],
])('definition of %s', async (_, snippet, expected) => {
  const position = cursorIn(text(main), snippet);
  const found = await client.ask<Location[]>('textDocument/definition', uriOf(main), { position });
  expect(found.map(placeText).sort()).toEqual([...expected].sort());
});

test('definition of the first name in an included file', async () => {
  const at = { position: { line: 0, character: 0 } };
  const found = await client.ask<Location[]>('textDocument/definition', uriOf('platforms/db.yaml'), at);
  expect(found.map(placeText)).toEqual(['platforms/db.yaml:1 db']);
});

test('findings are those of check, of unsaved text, with code, explanation and related places', async () => {
  const wrong = text(main).replace('max_threads: 10', 'max_threads: many').replace('links: [db]', 'links: [bd]');
  await client.change(uriOf(main), wrong);
  const findings = await client.findings(uriOf(main));
  expect(short(findings)).toEqual(['19:32 ONE1105', '25:13 ONE1213']);
  expect(findings[0]).toMatchObject({
    severity: 2,
    source: 'pulumi-oneops',
    codeDescription: { href: expect.stringMatching(/docs\/findings\.md#one\d+$/) },
    relatedInformation: [{ message: 'template service is used here', location: { uri: uriOf(main) } }],
  });
  await client.change(uriOf(main), text(main));
  expect(await client.findings(uriOf(main))).toEqual([]);
});

test('a quick fix puts the nearest name in place of a misspelt one', async () => {
  const wrong = text(main).replace('links: [db]', 'links: [bd]').replace('${variables.LEVEL', '${variables.LEVLE');
  await client.change(uriOf(main), wrong);
  const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  const context = { diagnostics: [] };
  const actions = await client.ask<CodeAction[]>('textDocument/codeAction', uriOf(main), { range, context });
  expect(
    actions.map(({ title, isPreferred, edit }) => [title, isPreferred, edit?.changes?.[uriOf(main)]?.length]),
  ).toEqual([
    ['Replace with db', true, 1],
    ['Replace with ${variables.LEVEL.value}', true, 1],
  ]);
  await client.change(uriOf(main), text(main));
});

test('a wrong setting of a stack is a finding of its file', async () => {
  const settings = 'Pulumi.dev.yaml';
  folder.write({ [settings]: 'config:\n  oneops:catalogue: strikt\n' });
  await client.change(uriOf(main), text(main));
  expect(short(await client.findings(uriOf(settings)))).toEqual(['2:3 ONE1106']);
  rmSync(join(folder.path, settings));
  await client.change(uriOf(main), text(main));
  expect(await client.findings(uriOf(settings))).toEqual([]);
});

test('included files are read again when they change, open or not', async () => {
  const shared = 'shared.yaml';
  folder.write({ [shared]: 'variables: { LEVLE: info }\n' });
  await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uriOf(shared), type: 2 }] });
  await client.change(uriOf(main), text(main));
  expect(short(await client.findings(uriOf(main)))).toHaveLength(1);
  await client.open(uriOf(shared), text(shared));
  await client.change(uriOf(main), text(main));
  expect(await client.findings(uriOf(main))).toEqual([]);
  await client.change(uriOf(shared), 'variables: [');
  expect(short(await client.findings(uriOf(shared)))).toHaveLength(1);
  await client.change(uriOf(shared), text(shared));
  folder.write({ [shared]: text(shared) });
  expect(await client.findings(uriOf(shared))).toEqual([]);
});

test.each([
  ['grammar that does not hold', 'assembly: {'],
  ['nothing', ''],
  ['no map', '- 1'],
  ['half a reference', "assembly: { name: shop, owner: '${' }"],
  ['half a loop', "assembly: { name: shop }\nplatforms:\n  '${each.key}': { each: 7 }"],
  [
    'a ring of templates',
    'assembly: { name: a }\ntemplates: { t: { body: { use: t } } }\nplatforms: { a: { use: t } }',
  ],
  ['a hostile key', 'assembly: { name: a }\n__proto__: { constructor: [] }\nconstructor: 1\ntoString: { use: 1 }'],
])('a broken file has findings, and answers to every question: %s', async (_, broken) => {
  await client.change(uriOf(main), broken);
  expect((await client.findings(uriOf(main))).length).toBeGreaterThan(0);
  for (let character = 0; character < 12; character += 3)
    await client.ask('textDocument/definition', uriOf(main), { position: { line: 0, character } });
  await client.change(uriOf(main), text(main));
  expect(await client.findings(uriOf(main))).toEqual([]);
});

test('files of no stack are left alone', async () => {
  await client.open(uriOf('Pulumi.yaml'), 'name: [');
  expect(
    await client.ask('textDocument/definition', uriOf('Pulumi.yaml'), { position: { line: 0, character: 1 } }),
  ).toEqual([]);
  for (const uri of ['untitled:one', 'file://files.acme.io/shop/oneops.yaml', 'file:///shop/%ZZ.yaml']) {
    await client.open(uri, 'assembly: 1');
    expect(await client.ask('textDocument/definition', uri, { position: { line: 0, character: 1 } })).toEqual([]);
  }
  // All open documents are read again after a change.
  await client.change(uriOf(main), text(main));
  expect(await client.findings(uriOf(main))).toEqual([]);
});
