// The check command: which files it reads, and how findings of the catalogue count.
import { mkdirSync, writeFileSync } from 'node:fs';
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
const project = (stack: string, settings: { readonly [stack: string]: string } = {}, runtime = 'oneops'): void =>
  write({
    'Pulumi.yaml': `name: shop\nruntime: ${runtime}\n`,
    'oneops.yaml': stack,
    ...Object.fromEntries(Object.entries(settings).map(([name, text]) => [`Pulumi.${name}.yaml`, text])),
  });

const SHOP = 'assembly: { name: shop }\n';
const web = (pack: string): string => `platforms: { web: { pack: "${pack}" } }\n`;

test('without a file: those that Pulumi.yaml names, as one stack', async () => {
  write({
    'Pulumi.yaml': 'name: shop\nruntime: { name: oneops, options: { file: [shop.yaml, parts/web.yaml] } }\n',
    'shop.yaml': SHOP,
    'parts/web.yaml': web('oneops/tomcat:1'),
  });
  expect(await check()).toEqual({ code: 0, text: 'shop.yaml, parts/web.yaml: nothing wrong\n' });
  write({ 'parts/web.yaml': 'platforms: { web: { pack: 3 } }\n' });
  expect(await check()).toExitWith(3, { text: 'parts/web.yaml:1:' });
});

test('without a file: one name, and the folder of `main`', async () => {
  write({
    'Pulumi.yaml': 'name: shop\nmain: stack\nruntime: { name: oneops, options: { file: shop.yaml } }\n',
    'stack/shop.yaml': SHOP,
  });
  expect(await check()).toEqual({ code: 0, text: 'stack/shop.yaml: nothing wrong\n' });
});

test.each(['name: shop\nruntime: nodejs\n', 'name: shop\nruntime: oneops\n', undefined])(
  'without a file and names of files (%j): oneops.yaml',
  async (project) => {
    write({ 'oneops.yaml': SHOP, ...(project === undefined ? {} : { 'Pulumi.yaml': project }) });
    expect(await check()).toEqual(FINE);
  },
);

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
  const severities = (text: string): readonly string[] =>
    [...text.matchAll(/^oneops\.yaml:(\d+):\d+: (\w+) (ONE\d+)/gm)].map(
      ([, line, severity, code]) => `${line} ${severity} ${code}`,
    );
  const [number, list, missing, pack] = ['6 % ONE1105', '7 % ONE1106', '8 % ONE1103', '9 % ONE1301'];
  const all = (words: readonly string[], found: readonly (string | undefined)[]): readonly string[] =>
    found.map((each, index) => String(each).replace('%', words[index] ?? ''));

  test.each<readonly [where: string, url: string, words: readonly string[], code: number]>([
    ['the embedded service', 'http://127.0.0.1:9090', ['error', 'error', 'error', 'error'], 3],
    ['another service', 'https://oneops.acme.io', ['warning', 'warning', 'warning', 'warning'], 0],
  ])('for %s', async (_, url, words, code) => {
    const settings = { 'oneops:url': url };
    project(MISTAKES, { dev: JSON.stringify({ config: settings }) });
    const checked = await check('--stack', 'dev');
    expect([checked.code, severities(checked.text)]).toEqual([code, all(words, [number, list, missing, pack])]);
    // It is the only stack here.
    expect(await check()).toEqual(checked);
    // A run judges the same file in the same way, before anything is registered.
    const request = {
      directory: folder.path,
      options: {},
      config: settings,
      secretKeys: [],
      project: 'shop',
      stack: 'dev',
    };
    const warned: string[] = [];
    const prepared = prepare({ ...request, config: { ...settings, 'oneops:resources': 'plugin' } }, (text) =>
      warned.push(text),
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
    const words = ['error', 'warning', 'error', 'error'];
    expect([code, severities(text)]).toEqual([3, all(words, [number, list, missing, pack])]);
  });
});

test.each(['stackConfigDir', 'config'])('the settings of stacks are in the folder that %s names', async (key) => {
  write({
    'Pulumi.yaml': `name: shop\nruntime: oneops\n${key}: stacks\n`,
    'oneops.yaml': `${SHOP}config: { size: { type: string, allowed: [S, M] } }\nvariables: { SIZE: '\${config.size}' }\n`,
    'stacks/Pulumi.dev.yaml': 'config: { shop:size: L }\n',
    'stacks/Pulumi.qa.yaml': 'config: { shop:size: M }\n',
  });
  for (const words of [[], ['--stack', 'dev']]) {
    expect(await check(...words)).toExitWith(3, { text: 'stacks/Pulumi.dev.yaml:1:22: error' });
  }
  expect(await check('--stack', 'qa')).toEqual(FINE);
  expect((await check('--stack', 'qaa')).text).toContain('there is no stacks/Pulumi.qaa.yaml');
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
  const told = [...text.matchAll(/^Pulumi\.yaml:(\S+): error (.*)$/gm)].map(([, at, what]) => `${at} ${what}`);
  expect([code, told]).toEqual([3, expected]);
  expect(await check('--online')).toEqual({ code, text });
  expect(await check('oneops.yaml')).toExitWith(0);
  expect(JSON.parse((await check('--json')).text)).toHaveLength(expected.length);
  write({ 'Pulumi.yaml': manifest.replace('oneops\n', 'nodejs\n') });
  expect(await check()).toExitWith(0);
});

test.each([
  ['', ['2:3 1411', '2:34 1105', '3:3 1601', '7:39 1203', '8:54 1107', '3:3 1602', '2:3 1101']],
  // With a mistake elsewhere, no value is judged where it is used.
  ['nope: 1\n', ['2:34 1105', '9:1 1101', '3:3 1601', '3:3 1602', '2:3 1101']],
])('a wrong default hides nothing of a chosen stack: %j', async (more, expected) => {
  project(
    `config:
  size: { type: number, default: big }
  need: { type: string }
  count: { type: integer }
  names: { type: list, default: [a] }
${SHOP}variables: { N: '\${config.need}', S: '\${config.names[7]}' }
environments: { prod: { clouds: { east: { priority: '\${config.count}' } } } }
${more}`,
    { dev: 'config:\n  oneops:urll: http://x\n  shop:cuont: 1\n  shop:count: 7\n' },
  );
  const { text } = await check('--stack', 'dev');
  const told = [...text.matchAll(/^(?:oneops|Pulumi.dev).yaml:(\S+): \w+ ONE(\d+)/gm)].map(
    (each) => `${each[1]} ${each[2]}`,
  );
  expect(told).toEqual(expected);
});

test('a token in clear in the files of Pulumi is found, and is not shown', async () => {
  write({
    'oneops.yaml': SHOP,
    'Pulumi.yaml': 'name: shop\nruntime: oneops\nconfig:\n  oneops:token: { value: canary-a }\n',
    'Pulumi.dev.yaml': 'config:\n  oneops:token: canary-b\n',
    'Pulumi.prod.yaml': 'config:\n  oneops:token: { secure: v1:abc }\n',
  });
  const { code, text } = await check();
  const found = [...text.matchAll(/^(\S+): warning ONE1502: the value of the secret "oneops:token" is in clear/gm)];
  expect([code, found.map(([, at]) => at)]).toEqual([0, ['Pulumi.yaml:4:26', 'Pulumi.dev.yaml:2:17']]);
  expect(text).toContain('pulumi config set --stack dev --secret oneops:token');
  expect(text).not.toContain('canary');
});

test('a secret in clear in the files of Pulumi is found, in those of the chosen stack or of all', async () => {
  write({
    'oneops.yaml': `config: { key: { type: string, secret: true }, user: { type: string } }\n${SHOP}variables: { KEY: "\${config.key}", USER: "\${config.user}" }\n`,
    'Pulumi.yaml':
      'name: shop\nruntime: oneops\nconfig:\n  shop:own: { type: string, secret: true, default: canary-a }\n  none: { type: string, secret: true }\n',
    'Pulumi.dev.yaml':
      'config:\n  shop:key: canary-b\n  shop:user: ada\n  shop:own: { secure: v1:abc }\n  other:key: x\n',
    'Pulumi.prod.yaml': 'config:\n  shop:key: { secure: v1:abc }\n  shop:own:\n    one: canary-c\n  shop:user: bob\n',
    'Pulumi.empty.yaml': '',
  });
  const told = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { code, text } = await check(...words);
    expect([code, text.includes('canary')]).toEqual([0, false]);
    return text.split('\n').filter((line) => line.includes('ONE'));
  };
  const own = (at: string): string =>
    `${at}: warning ONE1502: the value of the secret "own" is in clear text in the file`;
  const key = 'Pulumi.dev.yaml:2:13: warning ONE1502: the value of the secret "key" is in clear text in the file';
  expect(await told()).toEqual([own('Pulumi.yaml:4:52'), key, own('Pulumi.prod.yaml:4:5')]);
  expect(await told('--stack', 'dev')).toEqual([own('Pulumi.yaml:4:52'), key]);
  expect((await check('--stack', 'dev')).text).toContain('set it with pulumi config set --stack dev --secret key\n');
  expect(await told('--stack', 'prod')).toEqual([own('Pulumi.yaml:4:52'), own('Pulumi.prod.yaml:4:5')]);
});

test.each([
  ['  shop:key: { type: string, description: canary }', '{}'],
  ['  shop:key: { description: canary }', '{}'],
  ['  key: { type: array, items: { type: string } }', '{}'],
  ['  shop:key: { type: string, secret: true, default: "" }', '{}'],
  ['  shop:key: { value: "" }', '{ shop:key: "" }'],
  ['  key: ""', '{ shop:key: }'],
])('a declaration without a value, and an empty text, are no secret in clear: %s', async (declared, settings) => {
  write({
    'oneops.yaml': `config: { key: { type: string, secret: true } }\n${SHOP}variables: { KEY: "\${config.key}" }\n`,
    'Pulumi.yaml': `name: shop\nruntime: oneops\nconfig:\n${declared}\n`,
    'Pulumi.dev.yaml': `config: ${settings}\n`,
  });
  expect(await check()).toEqual(FINE);
});

test('a secret in clear in Pulumi.yaml has to be removed there, also when it looks like a declaration', async () => {
  write({
    'oneops.yaml': `config: { key: { type: map, secret: true } }\n${SHOP}variables: { KEY: "\${config.key.type}" }\n`,
    'Pulumi.yaml': 'name: shop\nruntime: oneops\nconfig:\n  shop:key: { value: { type: canary } }\n',
  });
  const { text } = await check();
  expect(text).toContain('Pulumi.yaml:4:22: warning ONE1502: ');
  expect(text).toContain('read it, remove it from Pulumi.yaml, and set it with pulumi config set --secret key\n');
});

test.each([
  ['Pulumi.yaml', 'name: shop\nruntime: [oneops\n', []],
  ['Pulumi.dev.yaml', 'config:\n  shop:key: [\n', ['--stack', 'dev']],
])('a %s that is no YAML is an error at its place', async (name, text, words) => {
  write({ 'oneops.yaml': SHOP, [name]: text });
  expect(await check(...words)).toExitWith(3, { text: new RegExp(`^${name}:\\d+:\\d+: error ONE`, 'm') });
});

test('several files are one stack, whatever Pulumi.yaml says; one that does not exist is an error that names it', async () => {
  write({ 'Pulumi.yaml': 'name: x\nruntime: oneops\n', 'a.yaml': SHOP, 'b.yaml': web('oneops/tomcat:1') });
  expect(await check('a.yaml', 'b.yaml')).toEqual({ code: 0, text: 'a.yaml, b.yaml: nothing wrong\n' });
  await expect(async () => check('a.yaml', 'c.yaml')).rejects.toThrow('cannot read c.yaml: there is no such file');
});

test('in an empty folder the error says how to begin', async () => {
  await expect(async () => check()).rejects.toThrow('or begin a new project: pulumi-oneops init');
});

test('a finding of the catalogue is a warning, and an error where the option, the stack or the project says strict', async () => {
  write({ 'oneops.yaml': SHOP + web('oneops/tomcatt:1') });
  expect(await check()).toExitWith(0, { text: 'did you mean "tomcat"' });
  expect(await check('--catalogue', 'strict')).toExitWith(3);
  write({ 'Pulumi.yaml': 'name: x\nruntime: oneops\nconfig: { oneops:catalogue: { value: strict } }\n' });
  expect(await check()).toExitWith(3);
  expect(await check('--catalogue', 'off')).toEqual(FINE);
  write({ 'Pulumi.dev.yaml': 'config:\n  oneops:catalogue: off\n' });
  expect(await check('--stack', 'acme/dev')).toEqual(FINE);
  await expect(async () => check('--catalogue', 'strikt')).rejects.toThrow('did you mean "strict"?');
});

test.each([
  ['strikt', 'oneops:catalogue is "strikt", which is not one of auto, strict, warn, off; did you mean "strict"?'],
  ['[strict]', 'oneops:catalogue is "a list", which is not one of auto, strict, warn, off'],
])('a wrong level of the catalogue in the settings is one finding among the others: %s', async (level, wrong) => {
  const files = { 'oneops.yaml': `${SHOP}${web('oneops/tomcatt:1')}variables: { LEVEL: "\${config.none}" }\n` };
  write({ ...files, 'Pulumi.yaml': `name: x\nruntime: oneops\nconfig: { oneops:catalogue: { value: ${level} } }\n` });
  for (const words of [[], ['--stack', 'dev']])
    for (const text of [wrong, 'did you mean "tomcat"', 'config.none'])
      expect(await check(...words)).toExitWith(3, { text });
});

describe('overlays that nobody chose', () => {
  const WEB = `${SHOP}platforms: { web: { pack: "oneops/tomcat:1", links: [db] }, db: { pack: "oneops/mysql:1" } }\n`;
  const places = ({ text }: { readonly text: string }): readonly string[] =>
    text.split('\n').filter((line) => line.startsWith('oneops.yaml:'));

  test('each is judged, and what is wrong without it is not said again', async () => {
    write({
      'oneops.yaml': `${WEB}overlays: { prod: { platforms: { wbe: { lnks: [a] } }, foo: 1 }, dev: [1] }\nvaraibles: {}\n`,
    });
    const wrong = await check();
    expect(wrong).toExitWith(3, { text: 'did you mean "web"?' });
    expect(places(wrong).map((line) => line.replace(/^[^ ]+ /, ''))).toEqual([
      expect.stringContaining('unknown key "varaibles"'),
      expect.stringContaining('"pack" is required'),
      expect.stringContaining('unknown key "lnks"'),
      expect.stringContaining('unknown key "foo"'),
      expect.stringContaining('an overlay must be a map'),
    ]);
    const chosen = await check('--overlay', 'prod');
    expect(chosen.text).not.toContain('an overlay must be a map');
    expect(chosen.text).toContain('unknown key "foo"');
  });

  test('a thing that an overlay removes and the file uses is found', async () => {
    write({
      'oneops.yaml': `${WEB}overlays: { prod: { platforms: { db: ~ } }, dev: { platforms: { web: { links: [] } } } }\n`,
    });
    expect(places(await check())).toEqual([expect.stringContaining('platform "db" is removed')]);
    expect(await check('--overlay', 'dev')).toEqual(FINE);
  });

  test('an overlay is judged with the settings of its stack; without them, missing configuration is no mistake', async () => {
    const looped = `'\${each.key}': { each: '\${config.more}', pack: "oneops/mysql:1" }`;
    write({
      'oneops.yaml': `config: { more: { type: list } }\n${WEB}overlays: { prod: { platforms: { ${looped} } } }\n`,
    });
    expect(await check()).toEqual(FINE);
    write({ 'Pulumi.yaml': 'name: shop\nruntime: oneops\n', 'Pulumi.prod.yaml': 'config: { shop:more: ["a/b"] }\n' });
    expect(places(await check())).toEqual([expect.stringContaining('"a/b" is not a name')]);
  });
});

describe('a file that is not UTF-8', () => {
  const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
  const put = (name: string, bytes: Uint8Array): void => writeFileSync(join(folder.path, name), bytes);

  test('a stack file ends the command, with the place of the first byte that is wrong', async () => {
    put('oneops.yaml', latin1('assembly:\n  name: shop\n  description: Caf\u00e9\n'));
    await expect(async () => check()).rejects.toThrow(
      'cannot read oneops.yaml: it is not UTF-8: byte E9 at line 3, column 19; save it as UTF-8',
    );
  });
});

describe('formats', () => {
  const WRONG = 'assembly: { name: shop }\nplatfroms:\n  web: { pack: oneops/tomcat:1 }\n';

  test('json: every finding with its id', async () => {
    write({ 'oneops.yaml': WRONG });
    const { code, text } = await check('--format', 'json');
    expect(code).toBe(3);
    expect(JSON.parse(text)).toMatchObject([
      { id: 'ONE1101', code: 'unknown-key', at: { start: { line: 2, column: 1 } } },
    ]);
    expect((await check('--json')).text).toBe(text);
    write({ 'oneops.yaml': SHOP });
    expect(await check('--json')).toEqual({ code: 0, text: '[]\n' });
  });

  test('sarif: the file by its path in the repository, the exact characters, and a rule for the code', async () => {
    mkdirSync(join(folder.path, '.git'));
    write({ 'stacks/oneops.yaml': WRONG });
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

  test('github: one annotation a finding', async () => {
    write({ 'oneops.yaml': WRONG });
    expect((await check('--format', 'github')).text).toBe(
      '::error file=oneops.yaml,line=2,col=1,endColumn=10,title=ONE1101::unknown key "platfroms"%0Ahint: did you mean "platforms"?\n',
    );
  });

  test('the places of a finding are listed once each', async () => {
    write({
      'oneops.yaml':
        'assembly: { name: shop, owner: team@acme.io }\ninclude: [services.yaml]\ntemplates:\n' +
        '  t: { parameters: { size: { type: string, allowed: [S] } }, body: { pack: oneops/custom:1 } }\n',
      'services.yaml':
        "platforms:\n  '${each.key}': { each: { web: { size: XL } }, use: t, with: { size: '${each.value.size}' } }\n",
    });
    const places = (await check()).text.split('\n').filter((line) => line.includes('see:'));
    expect(places.filter((line) => line.includes('services.yaml is included here'))).toHaveLength(1);
    expect(places).toHaveLength(4);
  });

  test('a format that does not exist, and two at the same time, are wrong use', async () => {
    write({ 'oneops.yaml': SHOP });
    await expect(async () => check('--format', 'jsno')).rejects.toThrow('not "jsno"');
    await expect(async () => check('--json', '--format', 'text')).rejects.toThrow('exclude each other');
  });
});

test('configuration of which a part is encrypted is a secret, and decides nothing', async () => {
  project(
    `${SHOP}config: { names: { type: map } }
platforms: { '\${each.key}': { each: '\${config.names}', pack: oneops/tomcat:1 } }
`,
    { prod: 'config: { shop:names: { a: [{ secure: v1:canary }] } }\n' },
  );
  expect(await check('--stack', 'prod')).toExitWith(3, {
    text: '"config.names" is a secret: it cannot decide what the file declares',
    without: 'canary',
  });
});

describe('a name in policies.yaml', () => {
  const POLICIES = `policies:
  active-clouds:
    environments: prdo
    least: 1
`;
  const inEnvironment = (name: string): string => `environments: { ${name}: { clouds: { east: { priority: 1 } } } }\n`;
  const project = (policies: string): void =>
    write({
      'Pulumi.yaml': 'name: shop\nruntime: oneops\n',
      'Pulumi.dev.yaml': '{}\n',
      'Pulumi.prod.yaml': '{}\n',
      'oneops.yaml': `${SHOP}${inEnvironment('dev')}overlays:\n  prod: { ${inEnvironment('prod').trim()} }\n  late: { ${inEnvironment('qa').trim()} }\n`,
      'policies.yaml': policies,
    });

  test('that no stack of the project has is a warning at its place', async () => {
    project(POLICIES);
    expect(await check('--stack', 'dev')).toExitWith(0, {
      text: [
        'policies.yaml:3:19',
        'environments: "prdo" matches no environment that a stack of this project declares',
        'did you mean "prod"?',
      ],
    });
  });

  test.each(['prod', 'qa', 'dev'])('that another stack, or an overlay, has is none: %s', async (name) => {
    project(POLICIES.replace('prdo', name));
    for (const words of [[], ['--stack', 'dev'], ['--stack', 'prod']]) expect(await check(...words)).toEqual(FINE);
  });

  test.each([
    ['a stack cannot be read', { 'Pulumi.prod.yaml': 'a: [\n' }, []],
    ['a program declares the stack', { 'Pulumi.yaml': 'name: shop\nruntime: nodejs\n' }, []],
    [
      'the name of an environment is known only in a run',
      {
        'oneops.yaml': `config: { where: { type: string } }\n${SHOP}${inEnvironment('dev')}overlays:\n  prod: { assembly: { name: "\${config.where}" } }\n`,
      },
      [],
    ],
    ['somebody names the files', {}, ['oneops.yaml']],
    ['somebody names the policies', {}, ['--policies', 'policies.yaml']],
  ])('is not judged where not everything is known: %s', async (_, files, words) => {
    project(POLICIES);
    write(files);
    expect((await check('--stack', 'dev', ...words)).text).not.toContain('prdo');
  });

  test('that is a stack with a typo is a warning, and another one may have no settings', async () => {
    project('policies: { active-clouds: { stacks: [pord, staging] } }\n');
    const { code, text } = await check();
    expect([code, text.match(/matches no stack/g)?.length]).toEqual([0, 1]);
    expect(text).toContain('stacks: "pord" matches no stack that has settings here');
  });
});

test('a misspelt setting is an error at its place, another unknown one a warning; the values are not shown', async () => {
  project(SHOP, {
    dev: 'config:\n  oneops:readonly: canary-1\n  oneops:region: canary-2\n  oneops:readOnly: "true"\n',
  });
  expect(await check()).toExitWith(3, {
    text: [
      'Pulumi.dev.yaml:2:3: error ONE1101: there is no setting oneops:readonly',
      'did you mean oneops:readOnly?',
      'Pulumi.dev.yaml:3:3: warning ONE1101: there is no setting oneops:region',
    ],
    without: 'canary',
  });
  write({ 'Pulumi.yaml': 'name: oneops\nruntime: oneops\n', 'Pulumi.dev.yaml': 'config:\n  oneops:region: east\n' });
  expect(await check()).toExitWith(0);
});

const SIZES = `config: { size: { type: string, allowed: [S, M] }, n: { type: integer }, l: { type: list, default: [] }, key: { type: string, secret: true } }
${SHOP}platforms: { web: { pack: oneops/tomcat:1, components: { compute: { size: "\${config.size}" } } } }
variables: { KEY: "\${config.key}" }
`;
const codesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .flatMap((line) => /^(\S+):\d+: (?:error|warning) (ONE\d+: .*)$/.exec(line)?.slice(1, 3).join(' ') ?? []);

test('values of a stack are judged as a preview judges them, where they are written', async () => {
  project(SIZES, { x: 'config:\n  shop:size: XXL\n  shop:n: many\n  shop:l: x\n' });
  const { code, text } = await check('--stack', 'x');
  expect(code).toBe(3);
  expect(codesOf(text)).toEqual(
    expect.arrayContaining([
      'oneops.yaml:1 ONE1601: config "key" is not set',
      'Pulumi.x.yaml:2 ONE1106: config "size" must be one of "S", "M", not "XXL"',
      'Pulumi.x.yaml:3 ONE1105: config "n" must be an integer, not "many"',
      'Pulumi.x.yaml:4 ONE1105: config "l" must be a list, not "x"',
    ]),
  );
  expect(text).toContain('set it with: pulumi config set --stack x --secret key\n');
});

test('the empty default of a secret is judged where it is used', async () => {
  project(
    "config: { owner: { type: string, secret: true, default: '' } }\nassembly: { name: shop, owner: '${config.owner}' }\n",
  );
  const { code, text } = await check();
  expect([code, codesOf(text).join('\n')]).toEqual([
    3,
    expect.stringMatching(/oneops\.yaml:2 ONE\d+: must be an e-mail/),
  ]);
});

test('without a stack, the values in the settings of every stack are judged, and none has to be set', async () => {
  project(SIZES, { dev: 'config: { shop:size: S }\n', prod: 'config: { shop:size: L }\n' });
  const { code, text } = await check();
  expect(code).toBe(3);
  const errors = codesOf(text).filter((line) => !line.includes('ONE14'));
  expect(errors).toEqual(['Pulumi.prod.yaml:1 ONE1106: config "size" must be one of "S", "M", not "L"']);
  write({ 'Pulumi.prod.yaml': 'config: { shop:size: M }\n' });
  expect(await check()).toExitWith(0);
});

test('a value that a program, or an environment of Pulumi, can give does not have to be set', async () => {
  project(SIZES, { x: 'config: { shop:own: 1 }' }, 'nodejs');
  expect(await check('--stack', 'x')).toExitWith(0);
  write({ 'Pulumi.yaml': 'name: shop\nruntime: oneops\n', 'Pulumi.x.yaml': 'environment: [shop]\n' });
  expect(await check('--stack', 'x')).toExitWith(0);
});

test('a name of the settings that the file does not declare is a warning, with the nearest name, and no value is shown', async () => {
  project(`config: { pw: { type: string } }\n${SHOP}variables: { PW: "\${config.pw}" }\n`, {
    x: 'config:\n  shop:pw: a\n  shop:pww: canary\n  other:pww: b\n',
  });
  for (const words of [[], ['--stack', 'x']]) {
    const { code, text } = await check(...words);
    expect(code).toBe(0);
    expect(codesOf(text)).toContain('Pulumi.x.yaml:3 ONE1602: config does not declare "pww": nothing uses this value');
    expect(text).toContain('did you mean "pw"?');
    expect(text).not.toContain('canary');
  }
});

test('a name that Pulumi.yaml declares is known, also without a value', async () => {
  project(SHOP, { x: 'config: { shop:size: L }\n' });
  write({ 'Pulumi.yaml': 'name: shop\nruntime: oneops\nconfig: { size: { type: string } }\n' });
  expect((await check('--stack', 'x')).text).not.toContain('config does not declare');
});

test('a stack without settings is named, with the stack that was meant', async () => {
  project(SHOP, { prod: 'config: {}\n' });
  const { text } = await check('--stack', 'prd');
  expect(text).toContain('there is no Pulumi.prd.yaml: prd has the default configuration; did you mean "prod"?\n');
});

test.each([
  ['{ type: list, default: [a] }', 'm[7]'],
  ['{ type: map, default: { a: b } }', 'm.zz'],
])('what the default of a declaration %s lacks is found without a stack', async (type, path) => {
  project(`config: { m: ${type} }\nassembly: { name: shop, description: '\${config.${path}}' }\n`);
  expect(await check()).toExitWith(3, {
    text: `oneops.yaml:2:39: error ONE1203: "config.${path}" is not in the configuration`,
  });
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
  const changed = {
    '1.10': 'a number',
    '0755': 'a number',
    '1e3': 'a number',
    '0x1F': 'a number',
    '1_000': 'a number',
  };
  const others = { '2026-01-31': 'a date', True: 'a truth value' };
  const readAs = Object.entries<string>({ ...changed, ...others });
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
    const told = [...text.matchAll(/^Pulumi\.dev\.yaml:(\d+):\d+: warning.*because it reads it as ([a-z ]+)/gm)];
    expect([code, told.map(([, line, as]) => [values[Number(line) - 2], as])]).toEqual([0, readAs]);
    expect(text).toContain('put the value in quotes');
  }
  write({ 'Pulumi.dev.yaml': settings('"') });
  expect(await check('--stack', 'dev')).toEqual(FINE);
});

test('keys that a renamed project left behind are reported, and those of other providers are not', async () => {
  project(`config: { port: { type: string, default: '80' } }\n${SHOP}variables: { P: '\${config.port}' }\n`, {
    dev: 'config:\n  aws:region: eu\n  store:port: 8080\n',
  });
  const { code, text } = await check('--stack', 'dev');
  expect([code, text.match(/: warning /g)?.length]).toEqual([0, 1]);
  expect(text).toMatch(/^Pulumi\.dev\.yaml:3:3: warning .*"store:port" is not for this project/);
  expect(text).toContain('rename the key to shop:port');
  write({ 'Pulumi.dev.yaml': 'config:\n  store:port: 8080\n  shop:port: 8080\n' });
  expect(await check('--stack', 'dev')).toEqual(FINE);
});
