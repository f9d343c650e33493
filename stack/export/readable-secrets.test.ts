// Secrets that the service shows in clear: an export copies none, and its file says all the same what the service says.
import { declaredName, type TakenRecord } from '../../provider/import';
import { scopeOfId, type Inputs, type Kind } from '../../provider';
import { kindInFile } from '../../provider/kinds';
import { readText } from '../../test/read-text';
import { exportedStack, type ExportedStack } from './export';

const record = (of: Kind, id: string, inputs: Inputs): TakenRecord => ({
  ...{ of, id, name: declaredName({ of: scopeOfId(of, id) ?? of, id }), inputs },
  ...{ state: {} as TakenRecord['state'], given: {} },
});

const AROUND: readonly TakenRecord[] = [
  record(kindInFile('assembly'), 'acme/shop', { name: 'shop', owner: 'team@acme.io' }),
  record(kindInFile('platforms.*'), 'acme/shop/web', {
    ...{ assembly: 'shop', name: 'web', source: 'oneops', pack: 'tomcat', version: '1' },
  }),
];

const exported = (records: readonly TakenRecord[]): ExportedStack =>
  exportedStack({ records: [...AROUND, ...records], leftOut: [] });

const component = (attributes: Inputs, type = 'artifact'): ExportedStack =>
  exported([
    record(kindInFile('platforms.*.components.*'), 'acme/shop/web/app', {
      ...{ assembly: 'shop', platform: 'web', name: 'app', type, attributes },
    }),
  ]);

const variable = (name: string, value: string): ExportedStack =>
  exported([record(kindInFile('variables.*'), `acme/shop/variables/${name}`, { assembly: 'shop', name, value })]);

const lines = ({ secrets }: ExportedStack): readonly string[] =>
  secrets.map(
    ({ name, path, readable, type = 'string', file = 'no file' }) =>
      `${name} ${path.join('.')} ${readable} ${type} ${file}`,
  );

const expectRight = (stack: ExportedStack): void => {
  const notes = stack.notes.filter(({ kind }) => kind !== 'DesignRelease');
  expect([notes, stack.faults]).toEqual([[], []]);
  expect(JSON.stringify(stack)).not.toMatch(/canary|1234567/);
};

test.each<[string, Inputs, string, string]>([
  [
    'a map',
    { environment: { DB_PASSWORD: 'canary', LEVEL: 'info' } },
    "DB_PASSWORD: '${config.web-app-environment-DB_PASSWORD}'",
    'web-app-environment-DB_PASSWORD attributes.environment.DB_PASSWORD',
  ],
  [
    'a map, a password that sounds like a name',
    { environment: { DB_PASSWORD: 'canarysecret', HOST: 'db1', LEVEL: 'info' } },
    'HOST: db1',
    'web-app-environment-DB_PASSWORD attributes.environment.DB_PASSWORD',
  ],
  [
    'a map in JSON text',
    { environment: '{"DB_PASSWORD":"canary","LEVEL":"info"}' },
    '${config.web-app-environment-DB_PASSWORD}',
    'web-app-environment-DB_PASSWORD attributes.environment.DB_PASSWORD',
  ],
  [
    'a list of names and values',
    { environment: ['DB_PASSWORD', 'canary'] },
    '${config.web-app-environment-DB_PASSWORD}',
    'web-app-environment-DB_PASSWORD attributes.environment.1',
  ],
  [
    'pairs',
    { environment: [{ name: 'DB_PASSWORD', value: 'canary' }] },
    '${config.web-app-environment-DB_PASSWORD}',
    'web-app-environment-DB_PASSWORD attributes.environment.0.value',
  ],
  [
    'a text with an option',
    { restart: 'x$ ${y} -Dpassword=canary -Dlevel=$info' },
    '${config.web-app-restart}',
    'web-app-restart attributes.restart',
  ],
])('%s of a component in clear is a secret of the configuration', (_, attributes, written, secret) => {
  const stack = component(attributes);
  expect(stack.text).toContain(written);
  expect(lines(stack).map((line) => line.replace(/ stays string no file$/, ''))).toEqual([secret]);
  expect(stack.text).toContain(`  ${secret.split(' ')[0]}: { type: string, secret: true }`);
  expectRight(stack);
});

test('a password of punctuation is a secret, and references of the service are none', () => {
  const stack = component({ environment: { DB_PASSWORD: '!@#%^&*()', API_TOKEN: '$OO_LOCAL{a}:$OO_LOCAL{b}' } });
  expect(stack.secrets.map(({ name }) => name)).toEqual(['web-app-environment-DB_PASSWORD']);
  expect(stack.text).not.toContain('!@#');
  expect(stack.text).toContain('$OO_LOCAL{a}:$OO_LOCAL{b}');
});

test('a component whose class nobody knows keeps no attribute with the name of a secret', () => {
  const stack = component(
    { DB_PASSWORD: 'canary', level: 'info', spec: '{"token":"canary","n":1}' },
    'zork/oneops.1.Zork',
  );
  expect(lines(stack)).toEqual([
    'web-app-DB_PASSWORD attributes.DB_PASSWORD stays string no file',
    'web-app-spec attributes.spec stays string no file',
  ]);
  expect(JSON.stringify(stack)).not.toContain('canary');
});

test('a secret of several lines is set from a file, and the line break at its end stays', () => {
  const key = '-----BEGIN RSA PRIVATE KEY-----\ncanary\n-----END RSA PRIVATE KEY-----';
  const stack = exported([
    record(kindInFile('platforms.*.components.*'), 'acme/shop/web/app', {
      ...{ assembly: 'shop', platform: 'web', name: 'app', type: 'artifact', attributes: {} },
    }),
    record(kindInFile('platforms.*.components.*.attachments.*'), 'acme/shop/web/app/key', {
      ...{ assembly: 'shop', platform: 'web', component: 'app', name: 'key', path: '/key', content: `# app\n${key}\n` },
    }),
  ]);
  const name = 'web-app-key-content';
  expect(lines(stack)).toEqual([`${name} content stays string ${name}.secret`]);
  expectRight(stack);
});

test.each([
  // The YAML library wrote a backslash into a line of one blank.
  'x\n \n-Dpassword=canary -Dlevel=info -Dname=value\r\n \ny',
  '\n',
  'x\n\n',
  'export TOKEN=canary\n\n\n',
  ' \n',
  'export TOKEN=canary\n \n',
])('what is around a secret stays byte for byte: %j', (restart) => {
  expectRight(component({ restart, level: 'info' }));
});

test.each([
  ['DB_PASSWORD', 'canary', "DB_PASSWORD: '${config.DB_PASSWORD}'", 'DB_PASSWORD'],
  ['OPTIONS', '-Xmx1g -Dpassword=canary -Dx=y', "OPTIONS: '${config.OPTIONS}'", 'OPTIONS'],
])('a readable variable is encrypted from then on: %s', (name, value, written, secret) => {
  const stack = variable(name, value);
  expect(stack.text).toContain(written);
  expect(lines(stack)).toEqual([`${secret} value encrypted string no file`]);
  expectRight(stack);
});

test.each([
  ['A_PASSWORD', '$OO_GLOBAL{B}'],
  ['A_PASSWORD', 'true'],
  ['A_PASSWORD', ''],
  ['TOKEN_URL', 'http://x'],
])('the variable %s: %s stays as it is', (name, value) => {
  expect(lines(variable(name, value))).toEqual([]);
});

test('what is no secret stays as it is', () => {
  const stack = component({
    environment: { LEVEL: 'info', USE_TOKEN: 'true', DB_PASSWORD: '', REF: '$OO_LOCAL{pw}', B_TOKEN: '$OO_LOCAL{pw}' },
    restart: 'PASSWORD=$1\nrun',
  });
  expect([lines(stack), stack.text.includes('config')]).toEqual([[], false]);
});

test('equal names are numbered, and the file, read again, has no secret in clear', () => {
  const stack = component({
    environment: { A_TOKEN: 'canary', 'A.TOKEN': 'canary2' },
    restart: '-Dpw=1 --token=canary',
  });
  expect(stack.secrets.map(({ name }) => name)).toEqual([
    'web-app-environment-A_TOKEN',
    'web-app-environment-A_TOKEN-2',
    'web-app-restart',
  ]);
  const { findings } = readText(stack.text);
  expect(findings.filter(({ code }) => code === 'secret-in-file')).toEqual([]);
  expectRight(stack);
});
