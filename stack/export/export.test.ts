// Secrets that the service shows in clear: an export copies none, and its file says the same.
import type { TakenRecord } from '../../provider/import';
import { declaredName, type Inputs, type Kind, scopeOfId } from '../../provider';
import { kindInFile } from '../../provider/kinds';
import { readText } from '../../test/read-text';
import { exportedStack, type ExportedStack } from './export';
import { readStack } from '../bind/stack';
import { canHold, newIdentifiers, pclOf, type PclProgram, quoted } from './pcl';

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
    'a map in JSON text',
    { environment: '{"DB_PASSWORD":"canary","LEVEL":"info"}' },
    '${config.web-app-environment-DB_PASSWORD}',
    'web-app-environment-DB_PASSWORD attributes.environment.DB_PASSWORD',
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

test('a text of several lines is written in lines, however short it is', () => {
  expect(component({ restart: 'a\nb\n' }).text).toMatch(/restart: \|\n +a\n +b\n/);
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

// A plan as a program in PCL: what carries over, what is reported instead, and texts.

const ASSEMBLY = 'assembly: { name: shop, owner: team@acme.io';
function programOf(text: string, config: { readonly [name: string]: string } = {}): PclProgram {
  const { plan, findings } = readStack([{ name: 'oneops.yaml', text }], {
    catalogue: 'off',
    readFile: () => ({ problem: 'no file is read' }),
  });
  if (plan === undefined) throw new Error(findings.map(({ message }) => message).join('\n'));
  return pclOf(plan, config);
}

test.each<[what: string, text: string, lines: readonly string[]]>([
  [
    'references, texts, functions and what Pulumi knows',
    `config: { tags: { type: map, default: { tier: web } }, tier: { type: string } }
${ASSEMBLY}, description: '\${config.tier} on \${pulumi.stack}', tags: { a: '\${config.tags.tier}', b: { fn::join: ['-', [x, '\${config.tier}']] } } }
outputs: { owner: '\${assembly.owner}', 'the-id': '\${assembly.ciId}', all: 'as \${config.tags}' }`,
    [
      'config "tags" "map(any)" {\n  default = { "tier" = "web" }\n}',
      'config "tier" "string" {\n',
      '  description = "${tier} on ${stack()}"',
      '  tags = { "a" = tags.tier, "b" = join("-", ["x", tier]) }',
      'output "owner" {\n  __logicalName = "owner"\n  value = shop.owner\n}',
      'output "theId" {\n  __logicalName = "the-id"\n  value = shop.ciId\n}',
      'value = "as ${toJSON(tags)}"',
    ],
  ],
  [
    'options',
    `${ASSEMBLY}, pulumi: { protect: true, ignoreChanges: [description], customTimeouts: { create: 5m }, aliases: [{ name: old }, 'urn:pulumi:dev::p::t::n'] } }
platforms:
  web: { pack: oneops/tomcat:1, pulumi: { parent: '\${assembly}', deletedWith: '\${assembly}' } }
  db: { pack: oneops/mysql:1, pulumi: { dependsOn: ['\${platforms.web}'] } }`,
    [
      '    protect = true',
      '    customTimeouts = { "create" = "5m" }',
      '    ignoreChanges = [description]',
      '    aliases = [{ "name" = "old" }, "urn:pulumi:dev::p::t::n"]',
      '    parent = shop',
      '    deletedWith = shop',
      '    dependsOn = [web]',
      'stamps = "${db.revision} ${web.revision}"',
    ],
  ],
  [
    'a secret that is the whole of a property, in a variable that YAML keeps as one',
    `${ASSEMBLY} }\nvariables: { KEY: { fn::secret: hunter2 } }`,
    ['variablesKEYEncryptedValue = secret("hunter2")', '  encryptedValue = variablesKEYEncryptedValue'],
  ],
  [
    'an output of another stack',
    `${ASSEMBLY}, description: { fn::stackReference: [acme/network/prod, address] } }`,
    [
      'resource stackReference "pulumi:pulumi:StackReference" {\n  name = "acme/network/prod"\n}',
      '  description = getOutput(stackReference, "address")',
    ],
  ],
  [
    'a question to the service',
    `${ASSEMBLY}, description: { fn::invoke: { function: getCloud, arguments: { name: east }, return: location } } }`,
    ['  description = invoke("oneops:index:getCloud", { "name" = "east" }).location'],
  ],
])('carries %s', (_, text, lines) => {
  const { text: program, losses } = programOf(text, {});
  for (const line of lines) expect(program).toContain(line);
  expect(losses).toEqual([]);
});

test('what PCL has no word for is the value of this stack where there is one, and otherwise an error, each at its place', () => {
  const file = `config: { tier: { type: string, allowed: [WEB] }, key: { type: string, secret: true } }
${ASSEMBLY}, description: { fn::lower: '\${config.tier}' }, tags: { k: { fn::lower: '\${config.key}' } },
  pulumi: { hideDiffs: ['tags["a*"]'], ignoreChanges: ['*'] } }`;
  const { text, losses } = programOf(file, { tier: 'WEB', key: 'hunter2' });
  expect(text).toContain('description = "web"');
  expect(text).not.toContain('hunter2');
  expect(losses.map(({ at: { start }, says, carried }) => [start.line, says.slice(0, 45), carried])).toEqual([
    [1, 'the values that tier may have are not carried', true],
    [2, 'fn::lower cannot be carried: the program has ', true],
    [2, 'fn::lower cannot be carried, and its value is', false],
    [2, 'ignoreChanges with "*" is not carried: name e', false],
  ]);
});

test('names are identifiers, each one its own, whatever they are alike', () => {
  const { take } = newIdentifiers();
  expect([
    take('shop'),
    take('shop', 'shop/DesignRelease'),
    take('web/deployer'),
    take('web-deployer'),
    take('1st'),
    take('größe'),
    take('null'),
    take('null'),
  ]).toEqual(['shop', 'shopDesignRelease', 'webDeployer', 'webDeployer2', 'it1st', 'grE', 'null2', 'null3']);
});

test.each<[text: string, written: string]>([
  ['a ${b} %{c}', '"a $${b} %%{c}"'],
  ['$${b}', '"\\u0024\\u0024{b}"'],
  ['$%{b}', '"\\u0024\\u0025{b}"'],
  ['"\\\n\t\r', '"\\"\\\\\\n\\t\\r"'],
  ['zwei\nZeilen ä 日本 🚀', '"zwei\\nZeilen ä 日本 🚀"'],
  ['\u0000\u001b', '"\\u0000\\u001b"'],
  ['5 % {', '"5 % {"'],
])('the text %j', (text, written) => {
  expect(quoted(text)).toBe(written);
});

test('texts that PCL changes are known', () => {
  expect(['ä', 'a\u0308', '\ud83d', '🚀'].map(canHold)).toEqual([true, false, false, true]);
});

test('a component that a record of an environment lies over is below its template there, too', () => {
  const inputs = { assembly: 'shop', environment: 'prod', platform: 'web', component: 'app', type: 'artifact' };
  const stack = exported([
    record(kindInFile('environments.*'), 'acme/shop/prod', { assembly: 'shop', name: 'prod' }),
    record(kindInFile('environments.*.platforms.*.components.*'), 'acme/shop/prod/web/components/app', {
      ...{ ...inputs, attributes: { version: '2' } },
    }),
  ]);
  expect(stack.text).toContain('components: { artifact: { app: { version: 2 } } }');
});
