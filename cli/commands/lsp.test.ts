// The language server, as an editor drives it: one process over stdio for all questions.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CodeAction, Diagnostic, Hover, Location, WorkspaceEdit } from 'vscode-languageserver/node';
import { cursorIn, startLanguageServer, type LanguageClient } from '../../test/language-client';

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

let folder: string;
let client: LanguageClient;
const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;
const text = (name: string): string => FILES[name] ?? '';
const main = 'oneops.yaml';

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lsp-')));
  mkdirSync(join(folder, 'platforms'));
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
  client = await startLanguageServer(['--require', './test/run-source.cjs', 'cli/main.ts', 'lsp', '--stdio']);
  await client.open(uriOf(main), text(main));
});

afterAll(async () => {
  expect(await client.end()).toBe(0);
  rmSync(folder, { recursive: true });
});

/** Findings as `line:column code`, from 1. */
const short = (findings: readonly Diagnostic[]): readonly string[] =>
  findings.map(({ range, code }) => `${range.start.line + 1}:${range.start.character + 1} ${code}`);

/** The text that a place has, after its file and line. */
function placeText({ uri, range }: Location): string {
  const name = Object.keys(FILES).find((each) => uriOf(each) === uri) ?? uri;
  const line = text(name).split('\n')[range.start.line] ?? '';
  return `${name}:${range.start.line + 1} ${line.slice(range.start.character, range.end.character)}`.trim();
}

test('a right stack has no findings, and completion is left to the schema', async () => {
  expect(await client.findings(uriOf(main))).toEqual([]);
  expect(client.capabilities).not.toHaveProperty('completionProvider');
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
  ['a word of the language', 'pa|ck: oneops/apache', []],
])('definition of %s', async (_, snippet, expected) => {
  const position = cursorIn(text(main), snippet);
  const found = await client.ask<Location[]>('textDocument/definition', uriOf(main), { position });
  expect(found.map(placeText).sort()).toEqual([...expected].sort());
});

/** The files with a change carried out, as differing lines: `oneops.yaml:12 new text`. */
function changedLines({ changes = {} }: WorkspaceEdit): readonly string[] {
  return Object.entries(FILES).flatMap(([name, content]) => {
    const lines = content.split('\n');
    const edits = [...(changes[uriOf(name)] ?? [])].sort(
      (left, right) => right.range.start.character - left.range.start.character,
    );
    for (const { range, newText } of edits) {
      const line = lines[range.start.line] ?? '';
      lines[range.start.line] = line.slice(0, range.start.character) + newText + line.slice(range.end.character);
    }
    const numbers = [...new Set(edits.map(({ range }) => range.start.line))].sort((left, right) => left - right);
    return numbers.map((number) => `${name}:${number + 1} ${lines[number]?.trim()}`);
  });
}

test.each([
  [
    'a platform',
    'links: [d|b]',
    'store',
    [
      'oneops.yaml:10 database: { type: string, default: store }',
      'oneops.yaml:25 links: [store]',
      `oneops.yaml:32 with: { size: '\${each.value.size}', database: "store" }`,
      'oneops.yaml:38 store: { variables: { SIZE: big } }',
      'oneops.yaml:41 restart: { platform: store, component: mysql, action: restart }',
      'oneops.yaml:44 platforms: { store: { description: bigger } }',
      "oneops.yaml:46 db: '${platforms.store.ciId} at ${environments.prod.ciId}'",
      'platforms/db.yaml:1 store:',
    ],
  ],
  [
    'a platform with a monitor of its pack',
    '  cac|he:\n',
    'fast',
    [
      'oneops.yaml:23 fast:',
      'oneops.yaml:28 os: { monitors: { fast-os-cpu: { enable: false } } }',
      'oneops.yaml:39 fast: { scale: { compute: { current: 2 } }, availability: redundant }',
    ],
  ],
  [
    'a component that a template makes',
    'user: { deploy|er: { username',
    'runner',
    [
      "oneops.yaml:18 user: { runner: { username: deployer, description: '$OO_LOCAL{HEAP}' } }",
      "oneops.yaml:33 components: { user: { runner: { description: 'with ${each.value.password}' } } }",
      "oneops.yaml:47 user: '${platforms.web.components.runner.ciId}'",
    ],
  ],
  [
    'a variable of another file',
    '${variables.LEV|EL',
    'LOG_LEVEL',
    [
      "oneops.yaml:48 level: '${variables.LOG_LEVEL.value}'",
      "shared.yaml:1 variables: { LOG_LEVEL: info, TOKEN: { encrypted_value: '${config.password}' } }",
      `platforms/db.yaml:4 components: { user: { admin: { username: "$OO_GLOBAL{LOG_LEVEL}", description: '$OO_LOCAL{SIZE}' } } }`,
    ],
  ],
  [
    'a parameter',
    'with: { si|ze: L',
    'scale',
    [
      'oneops.yaml:9 scale: { type: string, default: M }',
      "oneops.yaml:17 compute: { size: '${param.scale}' }",
      "oneops.yaml:22 web: { use: service, with: { scale: L, key: 'a key' } }",
      `oneops.yaml:32 with: { scale: '\${each.value.size}', database: "db" }`,
    ],
  ],
])('renaming %s changes every place', async (_, snippet, newName, expected) => {
  const position = cursorIn(text(main), snippet);
  await client.ask('textDocument/prepareRename', uriOf(main), { position });
  const edit = await client.ask<WorkspaceEdit>('textDocument/rename', uriOf(main), { position, newName });
  expect(changedLines(edit)).toEqual(expected);
});

test.each([
  ['a name that is there already', 'links: [d|b]', 'cache', '"cache" cannot link to itself'],
  ['a name with a space', 'links: [d|b]', 'a b', '"a b" is not a name'],
  ['a name that a platform cannot have', 'links: [d|b]', 'd_b', '"db" cannot become "d_b"'],
  ['a component of the pack', 'components:\n      com|pute: { depends', 'box', 'it follows from something else'],
  ['configuration', '${config.ow|ner}', 'team', 'this file does not decide its name'],
  ['a name that each makes', "  'shop-$|{each.key}':", 'other', 'cannot be renamed'],
  ['a word of the language', 'pa|ck: oneops/apache', 'other', 'there is no name here'],
])('a rename is refused: %s', async (_, snippet, newName, message) => {
  const position = cursorIn(text(main), snippet);
  await expect(client.ask('textDocument/rename', uriOf(main), { position, newName })).rejects.toThrow(message);
});

const hover = async (snippet: string, name = main): Promise<string | undefined> => {
  const position = cursorIn(text(name), snippet);
  const found = await client.ask<Hover | null>('textDocument/hover', uriOf(name), { position });
  return (found?.contents as { readonly value: string } | undefined)?.value;
};

test('hover shows the rendered values and where they come from', async () => {
  expect(await hover("compute: { size: '${param.si|ze}'")).toBe(`**platforms.web.components.compute.size**

\`\`\`yaml
size: L  # oneops.yaml:22:38
\`\`\`

- it is the value of param.size here: oneops.yaml:17:26
- template service is used here: oneops.yaml:22:15

**platforms.shop-orders.components.compute.size**

\`\`\`yaml
size: XL  # oneops.yaml:30:29
\`\`\`

- it is the value of each.value.size here: oneops.yaml:32:19
- orders is made here: oneops.yaml:30:13
- it is the value of param.size here: oneops.yaml:17:26
- template service is used here: oneops.yaml:31:10`);
});

test.each([
  [
    'a thing that a template makes',
    '  w|eb: { use',
    ['**platforms.web**', 'pack: oneops/tomcat:1  # oneops.yaml:13:13', '- db  # '],
  ],
  ['a thing that each makes', "  'shop-${each.k|ey}':", ['**platforms.shop-orders**', 'size: XL']],
  ['configuration', "owner: '${config.ow|ner}'", ['**config.owner** is `"team@acme.io"`']],
])('hover over %s', async (_, snippet, parts) => {
  const shown = await hover(snippet);
  for (const part of parts) expect(shown).toContain(part);
});

test.each([
  ['a plain pack', 'pack: oneops/apa|che'],
  ['a plain platform', '  cac|he:\n'],
])('hover says nothing of what is as it is written: %s', async (_, snippet) => {
  expect(await hover(snippet)).toBeUndefined();
});

test.each([
  ['a value in clear', 'password: hun|ter2'],
  ['a text that it became part of', "'with ${each.value.pass|word}'"],
  ['a thing that holds it', 'use: ser|vice\n'],
  ['secret configuration', '${config.pass|word}'],
])('hover shows no secret: %s', async (_, snippet) => {
  const name = snippet.includes('config') ? 'shared.yaml' : main;
  expect((await hover(snippet, name)) ?? '').not.toContain('hunter2');
});

test('no hover anywhere shows a secret', async () => {
  const secrets = `assembly: { name: shop }
config: { key: { type: string, secret: true, default: hunter2 }, password: { type: string, default: hunter2 } }
templates:
  t:
    parameters: { key: { type: string }, token: { type: string, default: hunter2 } }
    body:
      pack: oneops/mysql:1
      description: 'made with \${param.token}'
      components:
        mysql: { password: '\${param.token}' }
        user: { '\${param.key}': { username: deployer, description: "\${config.key} \${config.password}" } }
      variables: { A: { fn::secret: 'hunter2' }, B: { encrypted_value: hunter2 }, C: 'x \${param.token} y' }
platforms:
  '\${each.key}':
    each: { one: { password: hunter2, more: [{ secret: hunter2 }] } }
    use: t
    with: { key: k, token: '\${each.value.password}' }
outputs: { o: '\${platforms.one.ciId}' }
`;
  await client.change(uriOf(main), secrets);
  expect((await client.findings(uriOf(main))).filter(({ severity }) => severity === 1)).toEqual([]);
  const shown = await Promise.all(
    secrets.split('\n').flatMap((text, line) =>
      (text.match(/.{1,3}/g) ?? []).map(async (_, index) => {
        const found = await client.ask<Hover | null>('textDocument/hover', uriOf(main), {
          position: { line, character: 3 * index },
        });
        return (found?.contents as { readonly value: string } | undefined)?.value ?? '';
      }),
    ),
  );
  expect(shown.filter((text) => text.includes('(secret)')).length).toBeGreaterThan(10);
  expect(shown.filter((text) => text.includes('hunter2'))).toEqual([]);
  await client.change(uriOf(main), text(main));
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

test('included files are read again when they change, open or not', async () => {
  const shared = 'shared.yaml';
  writeFileSync(join(folder, shared), 'variables: { LEVLE: info }\n');
  await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uriOf(shared), type: 2 }] });
  await client.change(uriOf(main), text(main));
  expect(short(await client.findings(uriOf(main)))).toHaveLength(1);
  await client.open(uriOf(shared), text(shared));
  await client.change(uriOf(main), text(main));
  expect(await client.findings(uriOf(main))).toEqual([]);
  await client.change(uriOf(shared), 'variables: [');
  expect(short(await client.findings(uriOf(shared)))).toHaveLength(1);
  await client.change(uriOf(shared), text(shared));
  writeFileSync(join(folder, shared), text(shared));
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
    for (const method of ['definition', 'references', 'hover'])
      await client.ask(`textDocument/${method}`, uriOf(main), { position: { line: 0, character }, context: {} });
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
    expect(await client.ask('textDocument/hover', uri, { position: { line: 0, character: 1 } })).toBeNull();
  }
  // All open documents are read again after a change.
  await client.change(uriOf(main), text(main));
  expect(await client.findings(uriOf(main))).toEqual([]);
});
