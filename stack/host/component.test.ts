// A folder with PulumiPlugin.yaml as a plugin: its schema follows from its stack file, and what is wrong with it is one message.
import { secret } from '@pulumi/pulumi/output';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Assembly, chooseFace, Provider } from '../../sdk';
import { readText } from '../../test/read-text';
import { recorded, type Registered } from '../../test/recording-monitor';
import { startPlugin, componentProvider, schemaOfComponent } from './component';

const STACK = `config:
  owner: { type: string, description: whom to ask }
  size: { type: string, default: S }
  ports: { type: list, default: [80] }
  key: { type: string, secret: true }
assembly: { name: shop, owner: '\${config.owner}', description: '\${config.size} \${config.ports}' }
variables: { KEY: '\${config.key}' }
outputs: { revision: '\${assembly.revision}' }
`;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oneops-component-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const files = (texts: { readonly [name: string]: string }): void =>
  Object.entries(texts).forEach(([name, text]) => writeFileSync(join(directory, name), text));

test('configuration is what it takes, outputs are what it gives', () => {
  const { plan } = readText(STACK);
  if (plan === undefined) throw new Error('the stack cannot be read');
  const any = { $ref: 'pulumi.json#/Any' };
  expect(schemaOfComponent({ name: 'web', version: '1.2.0' }, plan)).toEqual({
    name: 'web',
    version: '1.2.0',
    resources: {
      'web:index:Stack': {
        isComponent: true,
        inputProperties: {
          owner: { type: 'string', description: 'whom to ask' },
          size: { type: 'string' },
          ports: { type: 'array', items: any },
          key: { type: 'string', secret: true },
        },
        requiredInputs: ['owner', 'key'],
        properties: { revision: any },
        required: ['revision'],
      },
    },
    language: Object.fromEntries(
      ['nodejs', 'python', 'go', 'csharp', 'java'].map((name) => [name, { respectSchemaVersion: true }]),
    ),
  });
});

test.each<[string, { readonly [name: string]: string }, object, string]>([
  ['no stack file', {}, {}, 'cannot read oneops.yaml: there is no such file'],
  ['a file that is wrong', { 'oneops.yaml': 'assembly: 1\n' }, {}, 'oneops.yaml cannot be used'],
  ['an unknown option', {}, { fiel: 'x' }, 'PulumiPlugin.yaml: runtime.options contains fiel'],
  [
    'a name that no package has',
    { 'oneops.yaml': STACK, 'PulumiPlugin.yaml': 'runtime: oneops\nname: a b\n' },
    {},
    'PulumiPlugin.yaml: "a b" cannot be the name of a package',
  ],
])('%s is a problem', async (_, texts, options, problem) => {
  files(texts);
  expect(await startPlugin({ directory, options: { ...options } }, '127.0.0.1:1')).toEqual({
    problem: expect.stringContaining(problem) as string,
  });
});

const built = (inputs: object, more: object = {}): Promise<readonly Registered[]> =>
  recorded(async () => {
    files({ 'oneops.yaml': STACK });
    const folder = { name: 'web', version: '1.2.0', directory, files: ['oneops.yaml'], plan: EMPTY };
    await componentProvider(folder).construct?.('front', 'web:index:Stack', inputs, more);
  });

const EMPTY = { config: [], resources: [], outputs: [], hidden: [] };

test('resources of the file become children under the name of the component, and keep their own names and secrets', async () => {
  const all = await built({ owner: 'team@acme.io', key: secret('s3cret') });
  expect(all.map(({ key }) => key)).toEqual([
    'Stack::front',
    'Assembly::front/shop',
    'Variable::front/variables/KEY',
    'DesignRelease::front/shop',
  ]);
  expect(all[1]?.inputs).toMatchObject({ name: 'shop', owner: 'team@acme.io', description: 'S [80]' });
  expect(all[2]?.inputs).toMatchObject({ name: 'KEY', encryptedValue: { secret: 's3cret' } });
});

test('children have the provider of the component, and what the file comes to at that service is complete', async () => {
  const all = await recorded(async () => {
    files({ 'oneops.yaml': STACK });
    const folder = { name: 'web', version: '1.2.0', directory, files: ['oneops.yaml'], plan: EMPTY };
    chooseFace('plugin');
    const first = new Assembly('first', { owner: 'team@acme.io' });
    const provider = new Provider('other', { url: 'http://127.0.0.1:1', organization: 'acme' });
    const options = { providers: { oneops: provider }, dependsOn: [first] };
    await componentProvider(folder).construct?.(
      'front',
      'web:index:Stack',
      { owner: first.owner, key: secret('x') },
      options,
    );
  });
  const children = all.filter(({ key }) => key.includes('::front/'));
  expect(children.map(({ provider }) => provider)).toEqual(Array(3).fill('other::id-of-other'));
  expect(children[0]?.inputs['owner']).toBe('team@acme.io');
  expect(children[0]?.dependencies).toContain('Assembly::first');
  expect(children[2]?.edges['__stamps']).toEqual(['Variable::front/variables/KEY']);
});

test('an argument that a preview does not know is unknown in what it is used for, and nothing else is', async () => {
  const all = await recorded(
    async () => {
      files({ 'oneops.yaml': STACK });
      chooseFace('plugin');
      const { revision } = new Assembly('first', { owner: 'team@acme.io' });
      const folder = { name: 'web', version: '1.2.0', directory, files: ['oneops.yaml'], plan: EMPTY };
      const inputs = { owner: 'team@acme.io', size: revision, key: secret('x') };
      await componentProvider(folder).construct?.('front', 'web:index:Stack', inputs, {});
    },
    () => ({}),
    true,
  );
  const shop = all.find(({ key }) => key === 'Assembly::front/shop')?.inputs;
  expect(shop).toMatchObject({ name: 'shop', owner: 'team@acme.io', description: 'UNKNOWN' });
});

test('a wrong argument is a finding with its place, and nothing is declared', async () => {
  await expect(built({ owner: 'nobody', key: 'x' })).rejects.toThrow(
    /^web:index:Stack "front", declared in \/[^]*oneops\.yaml:6:\d+: error \S+:[^]*e-mail/,
  );
});

test('an argument that is missing is one of the component, not of the configuration', async () => {
  await expect(built({ key: 'x' })).rejects.toThrow(
    /oneops\.yaml:2:3: error \S+: config "owner" is not set[^]*give web:index:Stack the argument owner/,
  );
});
