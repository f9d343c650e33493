// What a project's request comes to: files, configuration, one text for what is wrong.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { once } from 'node:events';
import { setAllConfig } from '@pulumi/pulumi/runtime/config';
import { secret } from '@pulumi/pulumi/output';
import { credentials, Server, ServerCredentials } from '@grpc/grpc-js';
import { LanguageRuntimeClient, LanguageRuntimeService } from '@pulumi/pulumi/proto/language_grpc_pb';
import * as language from '@pulumi/pulumi/proto/language_pb';
import type { Message } from 'google-protobuf';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { installPackages, languageRuntime, type ProgramRequest } from './language-runtime';
import { faceOf } from './face';
import { prepare } from './prepare';
import { Assembly, chooseFace, Provider } from '../../sdk';
import { readText } from '../../test/read-text';
import { recorded, type Registered } from '../../test/recording-monitor';
import { componentProvider, schemaOfComponent, startPlugin } from './component';
import { withoutAnswers } from './sdk-run';
import { eachFolder } from '../../test/folder';

describe('prepare', () => {
  const directory = eachFolder();

  const request = (more: Partial<ProgramRequest> = {}): ProgramRequest => ({
    ...{ directory: directory.path, options: {}, config: {}, secretKeys: [], project: 'story', stack: 'dev' },
    ...more,
  });
  const messages: string[] = [];
  const prepared = (more?: Partial<ProgramRequest>) => prepare(request(more), (text) => messages.push(text));
  const problem = (more?: Partial<ProgramRequest>): string => {
    const result = prepared(more);
    return 'problem' in result ? result.problem : 'none';
  };

  test('without options the file is oneops.yaml, and a missing one is said in one line', () => {
    expect(problem()).toBe(
      `cannot read oneops.yaml: there is no such file in ${directory.path}; pulumi-oneops init writes one`,
    );
    directory.write({ 'oneops.yaml': 'assembly: { name: shop }\n' });
    expect(problem()).toBe('none');
  });

  test.each<[ProgramRequest['options'], string]>([
    [{ file: 'shop.yaml' }, 'cannot read shop.yaml'],
    [{ file: ['a.yaml', 'b.yaml'] }, 'cannot read a.yaml: there is no such file\ncannot read b.yaml'],
    [{ file: '.' }, 'cannot read .: it is a folder'],
    [{ file: 7 }, 'runtime.options.file must be the name of a file'],
    [{ file: [] }, 'runtime.options.file must be the name of a file'],
    [{ files: 'x' }, 'runtime.options contains files; known are file, resources and catalogue'],
    ...[7, '', null, ['a.json'], { name: 'a.json' }].map((catalogue): [ProgramRequest['options'], string] => [
      { catalogue },
      'Pulumi.yaml: runtime.options.catalogue must be the name of a file',
    ]),
    [{ catalogue: 'none.json' }, 'cannot read the catalogue in none.json: there is no such file'],
  ])('options: %j', (options, text) => {
    expect(problem({ options })).toContain(text);
  });

  test('a saved catalogue is what the stack is checked against, in place of the packaged one', () => {
    directory.write({ 'oneops.yaml': 'assembly: { name: shop }\nplatforms: { web: { pack: acme/worker:7 } }\n' });
    const pack = { source: 'acme', name: 'worker', version: '7', description: 'Workers', templates: {} };
    const catalogue = { version: 1, service: 'http://127.0.0.1:1', packs: [pack], classes: {} };
    directory.write({ 'catalogue.json': JSON.stringify(catalogue) });
    expect(problem()).toBe('none');
    expect(messages.splice(0).join()).toContain('the packaged catalogue');
    expect(problem({ options: { catalogue: 'catalogue.json' } })).toBe('none');
    expect(messages.splice(0)).toEqual([]);
    directory.write({ 'catalogue.json': '{}' });
    expect(problem({ options: { catalogue: 'catalogue.json' } })).toContain(
      'pulumi-oneops packs --save catalogue.json writes it',
    );
  });

  test('findings come all at the same time, warnings let the run continue', () => {
    directory.write({ 'oneops.yaml': 'assembly: { name: shop, owner: nobody }\nplatfroms: {}\n' });
    expect(problem()).toMatch(/e-mail[^]*platfroms[^]*2 errors/);
    directory.write({
      'oneops.yaml': 'config:\n  key: { type: string, secret: true, default: x }\nassembly: { name: shop }\n',
    });
    expect(problem()).toBe('none');
    // The log says before the text that it is a warning.
    expect(messages.splice(0)).toEqual([
      `oneops.yaml:2:3: ONE1411: nothing uses config "key"
  hint: leave it out
oneops.yaml:2:38: ONE1502: the default of the secret "key" is in clear text in the file
  hint: pulumi config set --secret key
2 warnings`,
    ]);
  });

  test('a value and a setting that are not set are said together; with another mistake, the mistake alone', () => {
    const config = { 'oneops:url': 'https://oneops.example.com', 'oneops:organization': 'acme' };
    const text = 'config: { key: { type: string } }\nassembly: { name: shop, description: "${config.key}" }\n';
    directory.write({ 'oneops.yaml': text });
    expect(problem({ config })).toMatch(
      /config "key" is not set[^]*1 error\nthe service .*: oneops:token is missing\n/,
    );
    expect(problem({ config: { ...config, 'oneops:token': 'x' } })).toMatch(/config "key" is not set[^]*1 error$/);
    directory.write({ 'oneops.yaml': text.replace('name: shop', 'nmae: shop') });
    expect(problem({ config })).not.toContain('oneops:token');
  });

  test('the stack itself is at the top of its file', () => {
    directory.write({ 'oneops.yaml': 'assembly: { name: shop }\n' });
    expect(prepared()).toMatchObject({ place: { file: join(directory.path, 'oneops.yaml'), line: 1, column: 1 } });
  });

  test('a drift.yaml beside the stack is read: a wrong one is the problem, and an entry that has ended a warning', () => {
    directory.write({ 'oneops.yaml': 'assembly: { name: shop, description: a shop }\n' });
    const rule = (more: string): void =>
      directory.write({
        'drift.yaml': `ignore: [{ record: shop, attribute: description, reason: theirs, owner: ann, ${more} }]\n`,
      });
    rule('untill: 2027-01-31');
    expect(problem()).toMatch(/^drift.yaml cannot be used\n.*"untill"/);
    rule('until: 2027-01-31');
    messages.length = 0;
    prepare(request(), (text) => messages.push(text), '2027-01-31');
    expect(messages).toEqual([]);
    prepare(request(), (text) => messages.push(text), '2027-02-01');
    expect(messages).toEqual([
      expect.stringMatching(/^description of Assembly shop .*drift.yaml:1, by ann, until 2027-01-31.* saved/),
    ]);
  });

  test.each([
    ['["*"]', { 'oneops:resources': 'dynamic' }, /has "\*", which forbids the provider pulumi-nodejs/],
    ['["aws","oneops"]', { 'oneops:resources': 'plugin' }, /has "oneops", which forbids the provider oneops/],
    ['["oneops"]', { 'oneops:resources': 'dynamic' }, /^none$/],
  ])('a provider that the configuration disables is a problem: %s with %j', (disabled, config, expected) => {
    for (const name of ['@pulumi/pulumi', 'pulumi-oneops'])
      mkdirSync(join(directory.path, 'node_modules', name), { recursive: true });
    directory.write({ 'oneops.yaml': 'assembly: { name: shop }\n' });
    expect(problem({ config: { ...config, 'pulumi:disable-default-providers': disabled } })).toMatch(expected);
  });
});

// A folder with PulumiPlugin.yaml as a plugin: its schema, its children, and its mistakes.
describe('component', () => {
  const STACK = `config:
  owner: { type: string, description: whom to ask }
  size: { type: string, default: S }
  ports: { type: list, default: [80] }
  key: { type: string, secret: true }
assembly: { name: shop, owner: '\${config.owner}', description: '\${config.size} \${config.ports}' }
variables: { KEY: '\${config.key}' }
outputs: { revision: '\${assembly.revision}' }
`;

  const directory = eachFolder();

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

  const NAMED = { 'oneops.yaml': STACK, 'PulumiPlugin.yaml': 'runtime: oneops\nname: a b\n' };

  test.each<[{ readonly [name: string]: string }, object, string]>([
    [{}, {}, 'cannot read oneops.yaml: there is no such file'],
    [{ 'oneops.yaml': 'assembly: 1\n' }, {}, 'oneops.yaml cannot be used'],
    [{}, { fiel: 'x' }, 'PulumiPlugin.yaml: runtime.options contains fiel'],
    [NAMED, {}, 'PulumiPlugin.yaml: "a b" cannot be the name of a package'],
  ])('files %j with options %j are a problem', async (texts, options, problem) => {
    directory.write(texts);
    expect(await startPlugin({ directory: directory.path, options: { ...options } }, '127.0.0.1:1')).toEqual({
      problem: expect.stringContaining(problem) as string,
    });
  });

  const construct = (inputs: object, more: object = {}): Promise<unknown> | undefined =>
    componentProvider({
      ...{ name: 'web', version: '1.2.0', directory: directory.path, files: ['oneops.yaml'], plan: EMPTY },
    }).construct?.('front', 'web:index:Stack', inputs, more);

  const built = (inputs: object): Promise<readonly Registered[]> =>
    recorded(async () => {
      directory.write({ 'oneops.yaml': STACK });
      await construct(inputs);
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
      directory.write({ 'oneops.yaml': STACK });
      chooseFace('plugin');
      const first = new Assembly('first', { owner: 'team@acme.io' });
      const provider = new Provider('other', { url: 'http://127.0.0.1:1', organization: 'acme' });
      const options = { providers: { oneops: provider }, dependsOn: [first] };
      await construct({ owner: first.owner, key: secret('x') }, options);
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
        directory.write({ 'oneops.yaml': STACK });
        chooseFace('plugin');
        const { revision } = new Assembly('first', { owner: 'team@acme.io' });
        await construct({ owner: 'team@acme.io', size: revision, key: secret('x') });
      },
      () => ({}),
      true,
    );
    const shop = all.find(({ key }) => key === 'Assembly::front/shop')?.inputs;
    expect(shop).toMatchObject({ name: 'shop', owner: 'team@acme.io', description: 'UNKNOWN' });
  });

  test('findings of the catalogue count as the configuration of the run says', async () => {
    const declaring = (config: { readonly [key: string]: string }): Promise<readonly Registered[]> =>
      recorded(async () => {
        directory.write({ 'oneops.yaml': `${STACK}platforms: { web: { pack: oneops/mysq:1 } }\n` });
        setAllConfig(config);
        await construct({ owner: 'team@acme.io', key: 'x' });
      });
    const message = /error \S+: pack "oneops\/mysq" is not in/;
    await expect(declaring({ 'oneops:catalogue': 'strict' })).rejects.toThrow(message);
    await expect(declaring({ 'oneops:url': 'http://127.0.0.1:1' })).rejects.toThrow(message);
    expect(await declaring({ 'oneops:catalogue': 'off' })).toHaveLength(5);
    setAllConfig({});
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
});

// Every question of the engine has an answer, and a stream that fails ends with its reason.

const parts: Parameters<typeof languageRuntime>[0] = {
  version: '0.0.0',
  dependencies: {},
  prepare: async () => ({ problem: 'not asked for' }),
  run: () => Promise.reject(new Error('not asked for')),
  install: () => Promise.resolve(undefined),
  plugin: () => Promise.reject(new Error('not asked for')),
  stop: () => undefined,
};

/** Asks a host with these parts, and ends it. */
async function asking<T>(own: typeof parts, ask: (client: LanguageRuntimeClient) => Promise<T>): Promise<T> {
  const server = new Server();
  server.addService(LanguageRuntimeService, languageRuntime(own));
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const client = new LanguageRuntimeClient(`127.0.0.1:${port}`, credentials.createInsecure());
  try {
    return await ask(client);
  } finally {
    client.close();
    server.forceShutdown();
  }
}

test('a plugin that cannot be served, and packages that cannot be installed, end the stream with the reason', async () => {
  const failing = {
    ...parts,
    install: () => Promise.resolve('npm ended with 1'),
    plugin: () => Promise.resolve({ problem: 'oneops.yaml cannot be used' }),
  };
  const errors = await asking(failing, (client) => {
    const streams = [
      client.runPlugin(new language.RunPluginRequest()),
      client.installDependencies(new language.InstallDependenciesRequest()),
    ];
    return Promise.all(streams.map((stream) => once(stream.resume(), 'error')));
  });
  expect(errors.flat().map((error: Error) => error.message)).toEqual([
    expect.stringContaining('oneops.yaml cannot be used'),
    expect.stringContaining('npm ended with 1'),
  ]);
});

/** What the engine asks of a host before, during and after a run. */
const QUESTIONS = [
  ['handshake', new language.LanguageHandshakeRequest(), {}],
  ['getPluginInfo', new Empty(), { version: '1.2.3' }],
  ['about', new language.AboutRequest(), { executable: process.execPath, version: process.version }],
  ['runtimeOptionsPrompts', new language.RuntimeOptionsRequest(), { promptsList: [] }],
  ['template', new language.TemplateRequest(), {}],
  ['getRequiredPackages', new language.GetRequiredPackagesRequest(), { packagesList: [] }],
  ['getRequiredPlugins', new language.GetRequiredPluginsRequest(), { pluginsList: [] }],
  [
    'getProgramDependencies',
    new language.GetProgramDependenciesRequest(),
    { dependenciesList: [{ name: 'pulumi-oneops', version: '1.2.3' }] },
  ],
] as const;

test.each(QUESTIONS)('%s has an answer', async (question, request, expected) => {
  const own = { ...parts, version: '1.2.3', dependencies: { 'pulumi-oneops': '1.2.3' } };
  const answer = await asking(own, (client) => {
    const { path, requestSerialize, responseDeserialize } = LanguageRuntimeService[question];
    return new Promise<Message>((resolve, reject) =>
      client.makeUnaryRequest(
        path,
        requestSerialize as (value: Message) => Buffer,
        responseDeserialize,
        request,
        (error, value) => (value === undefined ? reject(error ?? new Error('no answer')) : resolve(value)),
      ),
    );
  });
  expect(answer.toObject()).toMatchObject(expected);
});

test('every question of the protocol is answered, but those of packages that other languages write', () => {
  const answered = Object.keys(languageRuntime(parts));
  expect(Object.keys(LanguageRuntimeService).filter((name) => !answered.includes(name))).toEqual(['pack']);
});

// Which provider carries resources out: the declared one, or the one that the folder asks for.
describe('face', () => {
  const directory = eachFolder();

  const install = (...names: readonly string[]): void =>
    names.forEach((name) => mkdirSync(join(directory.path, 'node_modules', name), { recursive: true }));
  const both = (): void => install('@pulumi/pulumi', 'pulumi-oneops');
  const asks = (): void => directory.write({ 'package.json': '{"dependencies":{"pulumi-oneops":"0.1.0"}}' });
  const chosen = (options: object = {}, config: { readonly [key: string]: string } = {}, folder = directory.path) =>
    faceOf({ directory: folder, options: { ...options }, config });

  test.each<[string, () => void, object, { readonly [key: string]: string }, ReturnType<typeof faceOf>]>([
    ['an empty folder', () => undefined, {}, {}, { face: 'plugin' }],
    ['both packages', both, {}, {}, { face: undefined }],
    ['one package alone', () => install('pulumi-oneops'), {}, {}, { face: 'plugin' }],
    ['a package.json of something else', () => directory.write({ 'package.json': '{}' }), {}, {}, { face: 'plugin' }],
    ['a package.json, installed', () => (asks(), both()), {}, {}, { face: undefined }],
    ['the option', both, { resources: 'dynamic' }, {}, { face: 'dynamic' }],
    ['the option, with packages', both, { resources: 'plugin' }, {}, { face: 'plugin' }],
    ['the configuration of the stack', () => undefined, {}, { 'oneops:resources': 'plugin' }, { face: undefined }],
  ])('%s', (_, make, options, config, expected) => {
    make();
    expect(chosen(options, config)).toEqual(expected);
  });

  /** What is said of packages that are missing, with two ways out. */
  const missing = (whose: string, run: string): ReturnType<typeof faceOf> => ({
    problem: [
      `the packages of ${whose} are not installed: @pulumi/pulumi, pulumi-oneops`,
      `  run: ${run}`,
      '  or do without packages: write "resources: plugin" below runtime.options in Pulumi.yaml',
    ].join('\n'),
  });

  test('a package.json that is not installed yet is a problem', () => {
    asks();
    expect(chosen()).toEqual(missing('package.json', 'pulumi install'));
    install('pulumi-oneops');
    expect(chosen()).toEqual({ problem: expect.stringContaining('not installed: @pulumi/pulumi\n') as string });
  });

  test.each([
    [{ resources: 'dynamic' }, {}],
    [{}, { 'oneops:resources': 'dynamic' }],
  ])('the dynamic provider without packages is a problem: %j %j', (options, config) => {
    expect(chosen(options, config)).toEqual(missing('resources: dynamic', 'npm install @pulumi/pulumi pulumi-oneops'));
  });

  test('what the package.json of a workspace asks for, and is not installed yet, is a problem', () => {
    asks();
    const project = join(directory.path, 'stacks', 'shop');
    mkdirSync(project, { recursive: true });
    const inProject = () => chosen({}, {}, project);
    expect(inProject()).toEqual(missing('../../package.json', `npm install --prefix ${directory.path}`));
    both();
    expect(inProject()).toEqual({ face: undefined });
  });

  test('a face that does not exist is a problem', () => {
    expect(chosen({ resources: 'magic' })).toEqual({
      problem: 'Pulumi.yaml: runtime.options.resources is "magic"; it must be dynamic or plugin',
    });
  });
});

// What `pulumi install` runs: the package manager of the project, once.
describe('install', () => {
  const path = process.env['PATH'];
  const folder = eachFolder();

  beforeEach(() => {
    mkdirSync(join(folder.path, 'bin'));
    process.env['PATH'] = [join(folder.path, 'bin'), '/usr/bin', '/bin'].join(delimiter);
  });
  afterEach(() => {
    process.env['PATH'] = path;
  });

  function program(name: string, script: string): void {
    writeFileSync(join(folder.path, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder.path, 'bin', name), 0o755);
  }

  async function install(...files: readonly string[]): Promise<readonly [problem: string | undefined, output: string]> {
    for (const file of files) folder.write({ [file]: '{}' });
    let output = '';
    const problem = await installPackages(folder.path, (stream, bytes) => {
      output += `${stream}: ${Buffer.from(bytes).toString()}`;
    });
    return [problem?.replace(folder.path, 'FOLDER'), output];
  }

  test.each<[readonly string[], string]>([
    [[], ''],
    [['package-lock.json'], ''],
    [['package.json'], 'stdout: npm install\n'],
    [['package.json', 'package-lock.json'], 'stdout: npm ci\n'],
    [['package.json', 'pnpm-lock.yaml'], 'stdout: pnpm install --frozen-lockfile\n'],
    [['package.json', 'yarn.lock'], 'stdout: yarn install\n'],
  ])('%j', async (files, expected) => {
    for (const name of ['npm', 'pnpm', 'yarn']) program(name, `echo ${name} "$@"`);
    expect(await install(...files)).toEqual([undefined, expected]);
  });

  test('a failure comes with its output, and a missing package manager with what to do', async () => {
    program('npm', 'echo no such version >&2; exit 7');
    expect(await install('package.json')).toEqual(['npm install in FOLDER ended with 7', 'stderr: no such version\n']);
    expect((await install('package.json', 'pnpm-lock.yaml'))[0]).toMatch(
      /^pnpm install --frozen-lockfile in FOLDER cannot be started: .*ENOENT; install pnpm$/,
    );
  });
});

// What the SDK's debug messages may say: that the engine answered, never what.

test('the answer is left out of a debug message, and everything else is reported', () => {
  const messages: unknown[][] = [];
  const sdk = { debug: (...said: unknown[]) => messages.push(said) };
  withoutAnswers(sdk);
  withoutAnswers(sdk);
  sdk.debug('RegisterResource RPC finished: resource:web; err: null, resp: ,,description,canary\nmore canary');
  sdk.debug('Registering resource: t=x', 'resource', 7);
  expect(messages).toEqual([
    ['RegisterResource RPC finished: resource:web; err: null, resp: not shown'],
    ['Registering resource: t=x', 'resource', 7],
  ]);
});

test('a host that is only asked about itself loads nothing of stacks, programs or kinds', () => {
  const script = `process.argv[2] = '127.0.0.1:1';
    require('./stack/host/main');
    process.stdout.write(Object.keys(require.cache).join('\\n'));
    process.exit();`;
  const words = ['--require', './test/run-source.cjs', '--eval', script];
  const loaded = execFileSync(process.execPath, words, { cwd: join(__dirname, '..', '..'), encoding: 'utf8' });
  expect(loaded).toContain('language-runtime');
  expect(loaded).not.toMatch(/\/(stack\/(run|bind|compose)|sdk|provider\/kinds)\//);
});
