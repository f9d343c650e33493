// The check command: which files it reads, what it finds in the settings of stacks, and how findings of the catalogue count.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { classMetadata, registeredClass } from '../../../api/contract';
import { prepare } from '../../../stack/host/prepare';
import { isSarif } from '../../../test/sarif-schema';
import { command as checkCommand } from './check';
import { play, sessionsIn } from '../../../test/command-sessions';
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

test.each(sessionsIn('check.txt'))('%s', (_, steps) => play(steps));

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

test('a stack file that is not UTF-8 ends the command, with the place of the first byte that is wrong', async () => {
  const latin1 = Buffer.from('assembly:\n  name: shop\n  description: Caf\u00e9\n', 'latin1');
  writeFileSync(join(folder.path, 'oneops.yaml'), latin1);
  await expect(async () => check()).rejects.toThrow(
    'cannot read oneops.yaml: it is not UTF-8: byte E9 at line 3, column 19; save it as UTF-8',
  );
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
