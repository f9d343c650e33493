// What a project's request comes to: files, configuration, one text for what is wrong.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgramRequest } from './language-runtime';
import { stackSurroundings } from '../run/load';
import { prepare } from './prepare';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oneops-prepare-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const request = (more: Partial<ProgramRequest> = {}): ProgramRequest => ({
  directory,
  options: {},
  config: {},
  secretKeys: [],
  project: 'story',
  stack: 'dev',
  ...more,
});
const told: string[] = [];
const prepared = (more?: Partial<ProgramRequest>) => prepare(request(more), (text) => told.push(text));
const problem = (more?: Partial<ProgramRequest>): string => {
  const result = prepared(more);
  return 'problem' in result ? result.problem : 'none';
};

test('without options the file is oneops.yaml, and a missing one is said in one line', () => {
  expect(problem()).toBe('cannot read oneops.yaml: there is no such file');
  writeFileSync(join(directory, 'oneops.yaml'), 'assembly: { name: shop }\n');
  expect(problem()).toBe('none');
});

test.each<[string, { readonly [name: string]: unknown }, string]>([
  ['another file', { file: 'shop.yaml' }, 'cannot read shop.yaml'],
  ['several files', { file: ['a.yaml', 'b.yaml'] }, 'cannot read a.yaml: there is no such file\ncannot read b.yaml'],
  ['a folder', { file: '.' }, 'cannot read .: it is a folder'],
  ['no name', { file: 7 }, 'runtime.options.file must be the name of a file'],
  ['no names', { file: [] }, 'runtime.options.file must be the name of a file'],
  ['an option nobody knows', { files: 'x' }, 'runtime.options contains files; known are file, resources and catalogue'],
  ...[7, '', null, ['a.json'], { name: 'a.json' }].map(
    (catalogue): [string, { readonly [name: string]: unknown }, string] => [
      `no catalogue: ${JSON.stringify(catalogue)}`,
      { catalogue },
      'Pulumi.yaml: runtime.options.catalogue must be the name of a file',
    ],
  ),
  [
    'a catalogue that is not there',
    { catalogue: 'none.json' },
    'cannot read the catalogue in none.json: there is no such file',
  ],
])('options: %s', (_, options, text) => {
  expect(problem({ options })).toContain(text);
});

test('a saved catalogue is what the stack is checked against, in place of the packaged one', () => {
  writeFileSync(
    join(directory, 'oneops.yaml'),
    'assembly: { name: shop }\nplatforms: { web: { pack: acme/worker:7 } }\n',
  );
  const pack = { source: 'acme', name: 'worker', version: '7', description: 'Workers', templates: {} };
  const catalogue = { version: 1, service: 'http://127.0.0.1:1', packs: [pack], classes: {} };
  writeFileSync(join(directory, 'catalogue.json'), JSON.stringify(catalogue));
  expect(problem()).toBe('none');
  expect(told.splice(0).join()).toContain('the packaged catalogue');
  expect(problem({ options: { catalogue: 'catalogue.json' } })).toBe('none');
  expect(told.splice(0)).toEqual([]);
  writeFileSync(join(directory, 'catalogue.json'), '{}');
  expect(problem({ options: { catalogue: 'catalogue.json' } })).toContain(
    'pulumi-oneops packs --save catalogue.json writes it',
  );
});

test("configuration is the project's own, and a missing value is a finding", () => {
  writeFileSync(
    join(directory, 'oneops.yaml'),
    'config:\n  owner: { type: string }\nassembly: { name: shop, owner: "${config.owner}" }\n',
  );
  expect(problem({ config: { 'other:owner': 'team@acme.io' } })).toMatch(
    /oneops\.yaml cannot be used\noneops\.yaml:2:3: error ONE1601: config "owner" is not set/,
  );
  expect(problem({ config: { 'story:owner': 'team@acme.io' } })).toBe('none');
});

test('findings come all at the same time, warnings let the run continue', () => {
  writeFileSync(join(directory, 'oneops.yaml'), 'assembly: { name: shop, owner: nobody }\nplatfroms: {}\n');
  expect(problem()).toMatch(/e-mail[^]*platfroms[^]*2 errors/);
  writeFileSync(
    join(directory, 'oneops.yaml'),
    'config:\n  key: { type: string, secret: true, default: x }\nassembly: { name: shop }\n',
  );
  expect(problem()).toBe('none');
  // The log says before the text that it is a warning.
  expect(told.splice(0)).toEqual([
    `oneops.yaml:2:3: ONE1411: nothing uses config "key"
  hint: leave it out
oneops.yaml:2:38: ONE1502: the default of the secret "key" is in clear text in the file
  hint: pulumi config set --secret key
2 warnings`,
  ]);
});

test('a declared secret whose value is in clear in the settings of the stack is a warning without the value', () => {
  writeFileSync(
    join(directory, 'oneops.yaml'),
    'config:\n  key: { type: string, secret: true }\nassembly: { name: shop }\nvariables: { KEY: "${config.key}" }\n',
  );
  told.splice(0);
  const config = { 'story:key': 'canary' };
  expect(problem({ config, secretKeys: ['story:key'] })).toBe('none');
  expect(problem({ config: { 'story:key': '' } })).toBe('none');
  expect(told.splice(0)).toEqual([]);
  expect(problem({ config })).toBe('none');
  const [text = ''] = told.splice(0);
  expect(text).toMatch(
    /oneops\.yaml:2:3: ONE1502: the value of the secret "key" is in clear text in the settings of the stack/,
  );
  expect(text).toContain('pulumi config set --secret key');
  expect(text).not.toContain('canary');
});

test('the stack itself is at the top of its file', () => {
  writeFileSync(join(directory, 'oneops.yaml'), 'assembly: { name: shop }\n');
  expect(prepared()).toMatchObject({ place: { file: join(directory, 'oneops.yaml'), line: 1, column: 1 } });
});

test('a drift.yaml beside the stack is read: a wrong one is the problem, and an entry that has ended a warning', () => {
  writeFileSync(join(directory, 'oneops.yaml'), 'assembly: { name: shop, description: a shop }\n');
  const rule = (more: string): void =>
    writeFileSync(
      join(directory, 'drift.yaml'),
      `ignore: [{ record: shop, attribute: description, reason: theirs, owner: ann, ${more} }]\n`,
    );
  rule('untill: 2027-01-31');
  expect(problem()).toMatch(/^drift.yaml cannot be used\n.*"untill"/);
  rule('until: 2027-01-31');
  told.length = 0;
  prepare(request(), (text) => told.push(text), '2027-01-31');
  expect(told).toEqual([]);
  prepare(request(), (text) => told.push(text), '2027-02-01');
  expect(told).toEqual([
    expect.stringMatching(/^description of Assembly shop .*drift.yaml:1, by ann, until 2027-01-31/),
  ]);
});

test.each([
  ['["*"]', { 'oneops:resources': 'dynamic' }, /has "\*", which forbids the provider pulumi-nodejs/],
  ['["aws","oneops"]', { 'oneops:resources': 'plugin' }, /has "oneops", which forbids the provider oneops/],
  ['["oneops"]', { 'oneops:resources': 'dynamic' }, /^none$/],
])('a provider that the configuration disables is a problem: %s with %j', (disabled, config, expected) => {
  for (const name of ['@pulumi/pulumi', 'pulumi-oneops'])
    mkdirSync(join(directory, 'node_modules', name), { recursive: true });
  writeFileSync(join(directory, 'oneops.yaml'), 'assembly: { name: shop }\n');
  expect(problem({ config: { ...config, 'pulumi:disable-default-providers': disabled } })).toMatch(expected);
});

test('a byte order mark is no part of a file that a function reads', () => {
  writeFileSync(join(directory, 'note.txt'), '\uFEFFhello');
  writeFileSync(
    join(directory, 'oneops.yaml'),
    "assembly: { name: shop, description: { 'fn::readFile': note.txt } }\n",
  );
  const { readFile } = stackSurroundings(directory);
  expect([problem(), readFile('note.txt', 'oneops.yaml', 'project')]).toEqual(['none', { text: 'hello' }]);
});
