// The check command: which files it reads, what it finds in the settings of stacks, and how findings of the catalogue count.
// What is said of a finding is in the corpus of test/fixtures/findings.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { classMetadata, registeredClass } from '../../../api/contract';
import { prepare } from '../../../stack/host/prepare';
import { isSarif } from '../../../test/sarif-schema';
import { command as checkCommand } from './check';
import { eachFolder } from '../../../test/folder';
import { runCommand } from '../../../test/run-command';

const folder = eachFolder({ isHere: true });

const { write } = folder;

async function check(...words: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const { code, stdout, stderr } = await runCommand(checkCommand, {}, ...words);
  return { code, text: stderr + stdout };
}

/** What is printed of a stack without a mistake. */
const FINE = { code: 0, text: 'oneops.yaml: nothing wrong\n' };

/** Writes a project with its stack file, and the settings of its stacks. */
const project = (stack: string, settings: { readonly [stack: string]: string } = {}): void =>
  write({
    'Pulumi.yaml': 'name: shop\nruntime: oneops\n',
    'oneops.yaml': stack,
    ...Object.fromEntries(Object.entries(settings).map(([name, text]) => [`Pulumi.${name}.yaml`, text])),
  });

const SHOP = 'assembly: { name: shop }\n';
const TWO = `${SHOP}platforms: { web: { pack: "oneops/tomcat:1", links: [db] }, db: { pack: "oneops/mysql:1" } }\n`;
const PROD = 'environments: { prod: { clouds: { east: { priority: 1 } } } }';

/** `oneops.yaml:2:27 warning ONE1301` */
const foundIn = (text: string): readonly string[] =>
  [...text.matchAll(/^(\S+:\d+:\d+): (\w+)(?: (ONE\d+))?:/gm)].map((found) => found.slice(1).join(' ').trim());

/** Files to write, or the words of a call, and what is found: nothing else, and none of the words for a secret. */
type Step = { readonly [file: string]: string } | readonly [words: string, ...found: string[]];

// Each begins in the folder of a project `shop` with a stack file that only names its assembly.
test.each<readonly [title: string, ...steps: Step[]]>([
  [
    'which files are read: those of the call, those that Pulumi.yaml names, below its `main`, or oneops.yaml',
    { 'Pulumi.yaml': 'name: shop\nruntime: nodejs\n', 'shop.yaml': 'variables: 1\n', 'sub/shop.yaml': 'assembly: 1\n' },
    [''],
    ['oneops.yaml shop.yaml', 'shop.yaml:1:12 error ONE1105'],
    { 'Pulumi.yaml': 'name: shop\nruntime: { name: oneops, options: { file: [oneops.yaml, shop.yaml] } }\n' },
    ['', 'shop.yaml:1:12 error ONE1105'],
    ['oneops.yaml'],
    { 'Pulumi.yaml': 'name: shop\nmain: sub\nruntime: { name: oneops, options: { file: shop.yaml } }\n' },
    ['', 'sub/shop.yaml:1:11 error ONE1105'],
  ],
  [
    'the settings of stacks are in the folder that stackConfigDir, or config, names',
    {
      'oneops.yaml': `${SHOP}config: { size: { type: string, allowed: [S, M] } }\nvariables: { SIZE: '\${config.size}' }\n`,
      'stacks/Pulumi.dev.yaml': 'config: { shop:size: L }\n',
      'stacks/Pulumi.qa.yaml': 'config: { shop:size: M }\n',
      'Pulumi.yaml': 'name: shop\nruntime: oneops\nconfig: stacks\n',
    },
    ['', 'stacks/Pulumi.dev.yaml:1:22 error ONE1106'],
    ['--stack qa'],
    { 'Pulumi.yaml': 'name: shop\nruntime: oneops\nstackConfigDir: stacks\n' },
    ['', 'stacks/Pulumi.dev.yaml:1:22 error ONE1106'],
    ['--stack dev', 'stacks/Pulumi.dev.yaml:1:22 error ONE1106'],
    ['--stack qa'],
  ],
  [
    'a wrong default hides nothing of a chosen stack; with a mistake elsewhere, no value is judged where it is used',
    {
      'Pulumi.dev.yaml': 'config: { oneops:urll: http://x, shop:cuont: 1, shop:count: 7 }\n',
      'oneops.yaml': `config:
  size: { type: number, default: big }
  need: { type: string }
  count: { type: integer }
  names: { type: list, default: [a] }
${SHOP}variables: { N: '\${config.need}', S: '\${config.names[7]}', P: '\${platforms.web.ciId}' }
environments: { prod: { clouds: { east: { priority: '\${config.count}' } } } }
platforms: { web: { pack: "oneops/tomcat:1" } }
`,
    },
    [
      '--stack dev',
      'oneops.yaml:2:3 warning ONE1411',
      'oneops.yaml:2:34 error ONE1105',
      'oneops.yaml:3:3 error ONE1601',
      'oneops.yaml:7:39 error ONE1203',
      'oneops.yaml:8:54 error ONE1107',
      'Pulumi.dev.yaml:1:34 warning ONE1602',
      'Pulumi.dev.yaml:1:11 error ONE1101',
    ],
  ],
  [
    'a token, or a secret, in clear in the files of Pulumi is found, in those of the chosen stack or of all',
    {
      'oneops.yaml': `config: { key: { type: string, secret: true }, user: { type: string } }\n${SHOP}variables: { KEY: "\${config.key}", USER: "\${config.user}" }\n`,
      'Pulumi.yaml': `name: shop
runtime: oneops
config:
  shop:own: { type: string, secret: true, default: canary-a }
  none: { type: string, secret: true }
  oneops:token: { value: canary-b }
`,
      'Pulumi.dev.yaml':
        'config: { shop:key: canary-c, shop:user: ada, shop:own: { secure: v1:abc }, oneops:token: canary-d }\n',
      'Pulumi.prod.yaml':
        'config: { shop:key: { secure: v1:abc }, shop:own: { one: canary-e }, shop:user: bob, oneops:token: { secure: v1:abc } }\n',
      'Pulumi.empty.yaml': '',
    },
    [
      '',
      'Pulumi.yaml:4:52 warning ONE1502',
      'Pulumi.yaml:6:26 warning ONE1502',
      'Pulumi.dev.yaml:1:21 warning ONE1502',
      'Pulumi.dev.yaml:1:91 warning ONE1502',
      'Pulumi.prod.yaml:1:51 warning ONE1502',
    ],
    [
      '--stack prod',
      'Pulumi.yaml:4:52 warning ONE1502',
      'Pulumi.yaml:6:26 warning ONE1502',
      'Pulumi.prod.yaml:1:51 warning ONE1502',
    ],
  ],
  ...[
    ['{ type: string, description: canary }', '{}'],
    ['{ description: canary }', '{}'],
    ['{ type: array, items: { type: string } }', '{}'],
    ['{ type: string, secret: true, default: "" }', '{}'],
    ['{ value: "" }', '{ shop:key: "" }'],
    ['""', '{ shop:key: }'],
  ].map(([declared = '', settings = '']): readonly [string, ...Step[]] => [
    `a declaration without a value, and an empty text, are no secret in clear: ${declared}`,
    {
      'oneops.yaml': `config: { key: { type: string, secret: true } }\n${SHOP}variables: { KEY: "\${config.key}" }\n`,
      'Pulumi.yaml': `name: shop\nruntime: oneops\nconfig: { shop:key: ${declared} }\n`,
      'Pulumi.dev.yaml': `config: ${settings}\n`,
    },
    [''],
  ]),
  [
    'a secret in clear that looks like a declaration is one',
    {
      'oneops.yaml': `config: { key: { type: map, secret: true } }\n${SHOP}variables: { KEY: "\${config.key.type}" }\n`,
      'Pulumi.yaml': 'name: shop\nruntime: oneops\nconfig: { shop:key: { value: { type: canary } } }\n',
    },
    ['', 'Pulumi.yaml:3:30 warning ONE1502'],
  ],
  [
    'a file of Pulumi that is no YAML is an error at its place',
    { 'Pulumi.dev.yaml': 'config:\n  shop:key: [\n' },
    ['--stack dev', 'Pulumi.dev.yaml:2:13 error ONE1004'],
    { 'Pulumi.yaml': 'name: shop\nruntime: [oneops\n' },
    ['', 'Pulumi.yaml:2:10 error ONE1004'],
  ],
  [
    'a finding of the catalogue is a warning, and an error where the option, the stack or the project says strict; a wrong level is one more finding',
    { 'oneops.yaml': `${SHOP}platforms: { web: { pack: "oneops/tomcatt:1" } }\n` },
    ['', 'oneops.yaml:2:27 warning ONE1301'],
    ['--catalogue strict', 'oneops.yaml:2:27 error ONE1301'],
    { 'Pulumi.yaml': 'name: x\nruntime: oneops\nconfig: { oneops:catalogue: { value: strict } }\n' },
    ['', 'oneops.yaml:2:27 error ONE1301'],
    ['--catalogue off'],
    { 'Pulumi.dev.yaml': 'config: { oneops:catalogue: off }\n' },
    ['--stack acme/dev'],
    { 'Pulumi.yaml': 'name: x\nruntime: oneops\n', 'Pulumi.dev.yaml': 'config: { oneops:catalogue: strikt }\n' },
    ['--stack dev', 'oneops.yaml:2:27 warning ONE1301', 'Pulumi.dev.yaml:1:11 error ONE1106'],
    { 'Pulumi.dev.yaml': 'config: { oneops:catalogue: [strict] }\n' },
    ['--stack dev', 'oneops.yaml:2:27 warning ONE1301', 'Pulumi.dev.yaml:1:11 error ONE1106'],
  ],
  [
    'each overlay that nobody chose is judged, and what is wrong without it is not said again',
    {
      'oneops.yaml': `${TWO}overlays: { prod: { platforms: { wbe: { lnks: [a] } }, foo: 1 }, dev: [1] }\nvaraibles: {}\n`,
    },
    [
      '',
      'oneops.yaml:4:1 error ONE1101',
      'oneops.yaml:3:34 error ONE1103',
      'oneops.yaml:3:41 error ONE1101',
      'oneops.yaml:3:56 error ONE1101',
      'oneops.yaml:3:71 error ONE1105',
    ],
    [
      '--overlay prod',
      'oneops.yaml:3:34 error ONE1103',
      'oneops.yaml:3:41 error ONE1101',
      'oneops.yaml:3:56 error ONE1101',
      'oneops.yaml:4:1 error ONE1101',
    ],
    {
      'oneops.yaml': `${TWO}overlays: { prod: { platforms: { db: ~ } }, dev: { platforms: { web: { links: [] } } } }\n`,
    },
    ['', 'oneops.yaml:2:54 error ONE1711'],
    ['--overlay dev'],
  ],
  [
    'an overlay is judged with the settings of its stack; without them, missing configuration is no mistake',
    {
      'oneops.yaml': `config: { more: { type: list } }\n${SHOP}overlays: { prod: { platforms: { '\${each.key}': { each: '\${config.more}', pack: "oneops/mysql:1" } } } }\n`,
    },
    [''],
    { 'Pulumi.prod.yaml': 'config: { shop:more: ["a/b"] }\n' },
    ['', 'oneops.yaml:3:34 error ONE1109'],
    // Configuration of which a part is encrypted is a secret, and decides nothing.
    { 'Pulumi.prod.yaml': 'config: { shop:more: [{ secure: v1:canary }] }\n' },
    ['--stack prod', 'oneops.yaml:3:57 error ONE1710'],
  ],
  [
    'a name in policies.yaml that no stack of the project has is a warning, but where not everything is known; one that a stack, or an overlay, has is none',
    {
      'Pulumi.dev.yaml': '{}\n',
      'Pulumi.prod.yaml': '{}\n',
      'oneops.yaml': `${SHOP}environments: { dev: { clouds: [east] } }\noverlays: { prod: { ${PROD} }, late: { environments: { qa: { clouds: [east] } } } }\n`,
      'policies.yaml': 'policies: { active-clouds: { environments: [prod, qa, dev], least: 1 } }\n',
    },
    [''],
    ['--stack dev'],
    ['--stack prod'],
    { 'policies.yaml': 'policies: { active-clouds: { stacks: [pord, staging], least: 1 } }\n' },
    ['', 'policies.yaml:1:39 warning'],
    { 'policies.yaml': 'policies: { active-clouds: { environments: prdo, least: 1 } }\n' },
    ['--stack dev', 'policies.yaml:1:44 warning'],
    ['--stack dev oneops.yaml'],
    ['--stack dev --policies policies.yaml'],
    { 'Pulumi.prod.yaml': 'a: [\n' },
    ['--stack dev'],
    { 'Pulumi.prod.yaml': '{}\n', 'Pulumi.yaml': 'name: shop\nruntime: nodejs\n' },
    ['--stack dev'],
    {
      'Pulumi.yaml': 'name: shop\nruntime: oneops\n',
      'oneops.yaml': `config: { where: { type: string } }\n${SHOP}${PROD}\noverlays: { prod: { assembly: { name: "\${config.where}" } } }\n`,
    },
    ['--stack dev', 'oneops.yaml:4:39 error ONE1601', 'oneops.yaml:1:11 error ONE1601'],
  ],
  [
    'a misspelt setting is an error at its place, another unknown one a warning',
    { 'Pulumi.dev.yaml': 'config: { oneops:readonly: canary, oneops:region: canary, oneops:readOnly: "true" }\n' },
    ['', 'Pulumi.dev.yaml:1:11 error ONE1101', 'Pulumi.dev.yaml:1:36 warning ONE1101'],
    { 'Pulumi.yaml': 'name: oneops\nruntime: oneops\n', 'Pulumi.dev.yaml': 'config: { oneops:region: east }\n' },
    ['', 'Pulumi.dev.yaml:1:11 warning ONE1602'],
  ],
  [
    'values of a stack are judged as a preview judges them, where they are written; without a stack, those of every stack, and none has to be set',
    {
      'oneops.yaml': `config: { size: { type: string, allowed: [S, M] }, n: { type: integer }, l: { type: list, default: [] }, key: { type: string, secret: true } }
${SHOP}platforms: { web: { pack: "oneops/tomcat:1", components: { compute: { size: "\${config.size}" } } } }
variables: { KEY: "\${config.key}", N: "\${config.n}\${config.l}" }
`,
      'Pulumi.x.yaml': 'config: { shop:size: XXL, shop:n: many, shop:l: x }\n',
    },
    [
      '--stack x',
      'oneops.yaml:1:106 error ONE1601',
      'Pulumi.x.yaml:1:22 error ONE1106',
      'Pulumi.x.yaml:1:35 error ONE1105',
      'Pulumi.x.yaml:1:49 error ONE1105',
    ],
    { 'Pulumi.x.yaml': 'config: { shop:size: S }\n', 'Pulumi.y.yaml': 'config: { shop:size: L }\n' },
    ['', 'Pulumi.y.yaml:1:22 error ONE1106'],
    { 'Pulumi.y.yaml': 'environment: [shop]\n' },
    [''],
    // What a program, or an environment of Pulumi, can give.
    ['--stack y'],
    { 'Pulumi.yaml': 'name: shop\nruntime: nodejs\n' },
    ['--stack x'],
  ],
  [
    'what the default of a declaration lacks is found without a stack, unless a stack has it; an empty secret is judged where it is used',
    {
      'oneops.yaml': `config: { l: { type: list, default: [a] }, m: { type: map, default: { a: b } } }\n${SHOP}variables: { L: "\${config.l[7]}", M: "\${config.m.zz}" }\n`,
    },
    ['', 'oneops.yaml:3:18 error ONE1203', 'oneops.yaml:3:39 error ONE1203'],
    { 'Pulumi.x.yaml': '{}\n', 'Pulumi.y.yaml': 'config: { shop:m: { zz: of one stack } }\n' },
    ['', 'oneops.yaml:3:18 error ONE1203'],
    {
      'oneops.yaml':
        "config: { owner: { type: string, secret: true, default: '' } }\nassembly: { name: shop, owner: '${config.owner}' }\n",
      'Pulumi.y.yaml': '{}\n',
    },
    ['', 'oneops.yaml:1:48 warning ONE1502', 'oneops.yaml:2:25 warning ONE1503', 'oneops.yaml:2:33 error ONE1108'],
  ],
  [
    "what a stack's own value makes wrong in a stack file is found without a stack, too; what it could still set is not",
    {
      'oneops.yaml': `config: { m: { type: map, default: { a: b } } }\n${SHOP}variables: { M: "\${config.m.a}" }\n`,
      'Pulumi.x.yaml': 'config: { shop:m: { b: c } }\n',
      'Pulumi.y.yaml': 'config: { shop:m: { a: c } }\n',
    },
    ['--stack x', 'oneops.yaml:3:18 error ONE1203'],
    ['--stack y'],
    ['', 'oneops.yaml:3:18 error ONE1203'],
    { 'Pulumi.x.yaml': '{}\n' },
    [''],
  ],
  [
    'a name of the settings that nothing declares is a warning; those of other providers, and those of Pulumi.yaml, are none',
    {
      'oneops.yaml': `config: { pw: { type: string, default: a } }\n${SHOP}variables: { PW: "\${config.pw}" }\n`,
      'Pulumi.x.yaml': 'config: { shop:pw: a, shop:pww: canary, other:pww: b }\n',
    },
    ['', 'Pulumi.x.yaml:1:23 warning ONE1602'],
    ['--stack x', 'Pulumi.x.yaml:1:23 warning ONE1602'],
    { 'Pulumi.yaml': 'name: shop\nruntime: oneops\nconfig: { pww: { type: string } }\n' },
    ['--stack x'],
    // What a renamed project left behind.
    { 'Pulumi.yaml': 'name: shop\nruntime: oneops\n', 'Pulumi.x.yaml': 'config: { aws:region: eu, store:pw: b }\n' },
    ['--stack x', 'Pulumi.x.yaml:1:27 warning ONE1602'],
    { 'Pulumi.x.yaml': 'config: { store:pw: b, shop:pw: c }\n' },
    ['--stack x'],
  ],
])('%s', async (_, ...steps) => {
  project(SHOP);
  for (const step of steps) {
    if (!Array.isArray(step)) {
      write(step as { readonly [file: string]: string });
      continue;
    }
    const [words = '', ...found] = step as readonly string[];
    const { code, text } = await check(...words.split(' ').filter(Boolean));
    expect([words, ...foundIn(text)]).toEqual([words, ...found]);
    expect([words, code]).toEqual([words, found.some((each) => each.includes(' error')) ? 3 : 0]);
    expect(text).not.toContain('canary');
  }
});

test('it says which files are fine, which settings are missing, and how a value is set', async () => {
  project('config: { key: { type: string, secret: true } }\nassembly: { name: shop, description: "${config.key}" }\n');
  write({
    'Pulumi.yaml': 'name: shop\nruntime: oneops\nstackConfigDir: stacks\n',
    'stacks/Pulumi.dev.yaml': '{}\n',
    'more.yaml': 'variables: { LEVEL: info }\n',
  });
  const set = 'set it with: pulumi config set --stack dev --secret key\n';
  expect((await check('--stack', 'dev')).text).toContain(set);
  const missing = 'there is no stacks/Pulumi.dve.yaml: dve has the default configuration; did you mean "dev"?\n';
  expect((await check('--stack', 'dve')).text).toContain(missing);
  write({ 'oneops.yaml': SHOP });
  expect((await check('oneops.yaml', 'more.yaml')).text).toBe('oneops.yaml, more.yaml: nothing wrong\n');
});

describe('what a catalogue knows to be wrong', () => {
  const MISTAKES = `assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      tomcat: { max_threads: many }
      compute: { size: Medium }
      artifact: { app: { repository: r } }
  next: { pack: oneops/ngnix:1 }
`;
  const PLACES = ['6:30 % ONE1105', '7:24 % ONE1106', '8:19 % ONE1103', '9:17 % ONE1301'];
  const foundAs = (...severities: readonly string[]): readonly string[] =>
    PLACES.map((place, index) => `oneops.yaml:${place.replace('%', severities[index] ?? '')}`);

  test.each([
    ['the embedded service', 'http://127.0.0.1:9090', 'error', 3],
    ['another service', 'https://oneops.acme.io', 'warning', 0],
  ])('for %s', async (_, url, severity, code) => {
    const settings = { 'oneops:url': url };
    project(MISTAKES, { dev: JSON.stringify({ config: settings }) });
    const checked = await check('--stack', 'dev');
    expect([checked.code, foundIn(checked.text)]).toEqual([code, foundAs(severity, severity, severity, severity)]);
    // It is the only stack here.
    expect(await check()).toEqual(checked);
    // A run judges the same file in the same way, before anything is registered.
    const config = { ...settings, 'oneops:resources': 'plugin' };
    const warned: string[] = [];
    const prepared = prepare(
      { directory: folder.path, options: {}, config, secretKeys: [], project: 'shop', stack: 'dev' },
      (text) => warned.push(text),
    );
    const places = (text: string): readonly string[] => text.match(/oneops\.yaml:\d+:\d+/g) ?? [];
    expect(places('problem' in prepared ? prepared.problem : warned.join('\n'))).toEqual(places(checked.text));
    expect('problem' in prepared).toBe(code !== 0);
  });

  test('with the saved catalogue of a live service: a list is no rule of it', async () => {
    const classes = ['Tomcat', 'Compute', 'Artifact'].map((name) => {
      const { attributes = {} } = classMetadata(registeredClass('catalog', name)) ?? {};
      const kept = Object.entries(attributes).map(([attribute, { required }]) => [
        attribute,
        { required, description: '' },
      ]);
      return [name, { description: '', attributes: Object.fromEntries(kept) as object }] as const;
    });
    const templates = {
      tomcat: 'Tomcat 1..1',
      compute: 'Compute 1..1',
      artifact: 'Artifact 0..* needs=repository,location',
    };
    const document = {
      version: 1,
      service: 'https://oneops.acme.io',
      packs: ['tomcat', 'nginx'].map((name) => ({ source: 'oneops', name, version: '1', description: '', templates })),
      classes: Object.fromEntries(classes),
    };
    write({ 'oneops.yaml': MISTAKES, 'catalogue.json': JSON.stringify(document) });
    const { code, text } = await check('--catalogue-file', 'catalogue.json');
    expect([code, foundIn(text)]).toEqual([3, foundAs('error', 'warning', 'error', 'error')]);
  });
});

const NAMES = 'ONE1105: must be the name of a file, or a list of names';

test.each<[string, readonly string[]]>([
  ['nowhere.yaml', ['5:11 ONE1220: cannot read nowhere.yaml: there is no such file']],
  ['7', [`5:11 ${NAMES}`]],
  ...['', "''", '[]', '{ name: oneops.yaml }'].map((file): [string, readonly string[]] => [file, [`5:11 ${NAMES}`]]),
  [
    '[oneops.yaml, true, gone.yaml, .]',
    [
      `5:25 ${NAMES}`,
      '5:31 ONE1220: cannot read gone.yaml: there is no such file',
      '5:42 ONE1220: cannot read .: it is a folder',
    ],
  ],
  ['oneops.yaml\n    flie: shop.yaml', ['6:5 ONE1101: unknown key "flie"']],
])('a file of Pulumi.yaml that is %j is found where it is named', async (file, expected) => {
  const manifest = `name: shop\nruntime:\n  name: oneops\n  options:\n    file: ${file}\n`;
  write({ 'oneops.yaml': SHOP, 'Pulumi.yaml': manifest });
  const { code, text } = await check();
  const reported = [...text.matchAll(/^Pulumi\.yaml:(\S+): error (.*)$/gm)].map(([, at, what]) => `${at} ${what}`);
  expect([code, reported]).toEqual([3, expected]);
  expect(await check('--online')).toEqual({ code, text });
  expect(await check('oneops.yaml')).toExitWith(0);
  expect(JSON.parse((await check('--json')).text)).toHaveLength(expected.length);
  write({ 'Pulumi.yaml': manifest.replace('oneops\n', 'nodejs\n') });
  expect(await check()).toExitWith(0);
});

test('the hints of settings say which command sets them, and for which stack', async () => {
  write({
    'oneops.yaml': `config: { key: { type: string, secret: true } }\n${SHOP}variables: { KEY: "\${config.key}" }\n`,
    'Pulumi.yaml': 'name: shop\nruntime: oneops\nconfig: { shop:key: { value: canary } }\n',
    'Pulumi.dev.yaml': 'config: { shop:key: canary, shop:kye: x, oneops:readonly: true }\n',
  });
  expect(await check('--stack', 'dev')).toExitWith(3, {
    text: [
      'read it, remove it from Pulumi.yaml, and set it with pulumi config set --secret key\n',
      'read it, and set it with pulumi config set --stack dev --secret key\n',
      'did you mean "key"?',
      'did you mean oneops:readOnly?',
    ],
    without: 'canary',
  });
  expect((await check('--stack', 'dve')).text).toMatch(
    /^there is no Pulumi\.dve\.yaml: dve has the default configuration; did you mean "dev"\?\n/,
  );
});

test('the places of a finding are listed once each', async () => {
  write({
    'oneops.yaml': `${SHOP}include: [services.yaml]\ntemplates:\n  t: { parameters: { size: { type: string, allowed: [S] } }, body: { pack: "oneops/custom:1" } }\n`,
    'services.yaml':
      "platforms:\n  '${each.key}': { each: { web: { size: XL } }, use: t, with: { size: '${each.value.size}' } }\n",
  });
  const places = (await check()).text.match(/^ {2}see: \S+/gm) ?? [];
  expect([places.length, new Set(places).size]).toEqual([4, 4]);
});

test('what is no call, or names what is not there, is refused with a reason', async () => {
  const refused = (...words: readonly string[]) => expect(async () => check(...words)).rejects;
  await refused().toThrow('or begin a new project: pulumi-oneops init');
  write({ 'oneops.yaml': SHOP });
  await refused('oneops.yaml', 'c.yaml').toThrow('cannot read c.yaml: there is no such file');
  await refused('--catalogue', 'strikt').toThrow('did you mean "strict"?');
  await refused('--format', 'jsno').toThrow('not "jsno"');
  await refused('--json', '--format', 'text').toThrow('exclude each other');
});

test('json has every finding with its id, and github one annotation each', async () => {
  write({ 'oneops.yaml': `${SHOP}platfroms: {}\n` });
  const { code, text } = await check('--format', 'json');
  expect([code, JSON.parse(text)]).toMatchObject([
    3,
    [{ id: 'ONE1101', code: 'unknown-key', at: { start: { line: 2, column: 1 } } }],
  ]);
  expect((await check('--json')).text).toBe(text);
  expect((await check('--format', 'github')).text).toBe(
    '::error file=oneops.yaml,line=2,col=1,endColumn=10,title=ONE1101::unknown key "platfroms"%0Ahint: did you mean "platforms"?\n',
  );
  write({ 'oneops.yaml': SHOP });
  expect(await check('--json')).toEqual({ code: 0, text: '[]\n' });
});

test('sarif: the file by its path in the repository, the exact characters, and a rule for the code', async () => {
  mkdirSync(join(folder.path, '.git'));
  write({ 'stacks/oneops.yaml': 'assembly: { name: shop }\nplatfroms:\n  web: { pack: oneops/tomcat:1 }\n' });
  process.chdir(join(folder.path, 'stacks'));
  const { text } = await check('--format', 'sarif');
  const [run] = (JSON.parse(text) as { runs: { results: object[]; tool: { driver: { rules: { id: string }[] } } }[] })
    .runs;
  expect(run?.results).toEqual([
    {
      ruleId: 'ONE1101',
      level: 'error',
      message: { text: 'unknown key "platfroms"\nhint: did you mean "platforms"?' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'stacks/oneops.yaml', uriBaseId: '%SRCROOT%' },
            region: { startLine: 2, startColumn: 1, endLine: 2, endColumn: 10 },
          },
        },
      ],
    },
  ]);
  expect(run?.tool.driver.rules.map(({ id }) => id)).toContain('ONE1101');
  expect([isSarif(JSON.parse(text)), isSarif.errors]).toEqual([true, null]);
});

test.each(['integer', 'number', 'boolean', 'list', 'map'])(
  'a secret of type %s in the place of a text is refused as a clear value is, and not shown',
  async (type) => {
    const given = { integer: '40961', number: '4.0961', boolean: 'true', list: '[40961]', map: '{ a: 40961 }' }[type];
    for (const declared of [`{ type: ${type}, secret: true }`, `{ type: ${type} }`]) {
      project(`config: { m: ${declared} }\n${SHOP}variables: { PIN: "\${config.m}" }\n`, {
        x: `config: { shop:m: ${given} }\n`,
      });
      for (const words of [[], ['--stack', 'x']]) {
        const { code, text } = await check(...words);
        expect(text).toMatch(/oneops\.yaml:3:\d+: error.*"config\.m" is an? \w+: must be text/);
        expect([code, text.includes('40961') || text.includes('4.0961')]).toEqual([3, false]);
      }
    }
  },
);

test('texts without quotes that Pulumi changes are reported at their lines; those that it keeps are not', async () => {
  const numbers = ['1.10', '0755', '1e3', '0x1F', '1_000'].map((text) => [text, 'a number']);
  const readAs = [...numbers, ['2026-01-31', 'a date'], ['True', 'a truth value']];
  const kept = ['15', '1.5', 'true', 'v1.10', '-3', '10.0.0.1'];
  const values = [...readAs.map(([value]) => value), ...kept];
  const names = values.map((_, index) => `v${index}`);
  const settings = (quote: string): string =>
    `config:\n${values.map((value, index) => `  shop:v${index}: ${quote}${value}${quote}\n`).join('')}`;
  write({
    'Pulumi.yaml': 'name: shop\nruntime: oneops\n',
    'oneops.yaml': `config: { ${names.map((name) => `${name}: { type: string }`).join(', ')} }\n${SHOP}variables: { V: '${names.map((name) => `\${config.${name}}`).join('')}' }\n`,
    'Pulumi.dev.yaml': settings(''),
  });
  for (const words of [['--stack', 'dev'], []]) {
    const { code, text } = await check(...words);
    const warnings = [...text.matchAll(/^Pulumi\.dev\.yaml:(\d+):\d+: warning.*because it reads it as ([a-z ]+)/gm)];
    expect([code, warnings.map(([, line, as]) => [values[Number(line) - 2], as])]).toEqual([0, readAs]);
    expect(text).toContain('put the value in quotes');
  }
  write({ 'Pulumi.dev.yaml': settings('"') });
  expect(await check('--stack', 'dev')).toEqual(FINE);
});
