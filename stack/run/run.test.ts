// A stack file in the engine: the registrations of a program, each with its place in the file.
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as log from '@pulumi/pulumi/log';
import { secret } from '@pulumi/pulumi/output';
import { setAllConfig } from '@pulumi/pulumi/runtime/config';
import { Resource } from '@pulumi/pulumi/resource';
import * as sdk from '../../sdk';
import type { StackOptions } from '../../sdk';
import { DIALECTS, routes } from '../../api/contract';
import { eachFolder } from '../../test/folder';
import { emptyStack, run as runWorld, type Declared } from '../../test/world/engine-simulation';
import { makeWorld } from '../../test/world/world';
import { recorded, type Registered } from '../../test/recording-monitor';
import { loadStack } from '..';
import { declareStack } from './program';
import { IGNORED } from '../../provider';
import { readDriftFile, withRules } from './drift-file';
import { at, newPace, type PlanRun, register, registerInTurns } from './register';
import { includedFiles } from './load';

/** A stack that has to be right. */
function loadedIn(directory: string, file = 'oneops.yaml', config: { readonly [name: string]: string } = {}) {
  const loaded = loadStack({ files: [file], directory, config });
  if ('problem' in loaded) throw new Error(loaded.problem);
  return loaded;
}

describe('register', () => {
  const STACK = `config:
  owner: { type: string }
  password: { type: string, secret: true }
assembly: { name: shop, owner: "\${config.owner}" }
variables: { LEVEL: info }
platforms:
  db:
    pack: oneops/mysql:1
    variables: { KEY: "\${config.password}" }
  web:
    pack: oneops/tomcat:1
    links: [db]
    components:
      compute: { size: M }
      user:
        deployer:
          username: deployer
          attachments:
            motd: { content: "\${platforms.db.ciId} rows", basic_auth_password: "\${config.password}" }
environments:
  prod:
    clouds: { east: { priority: 1 }, west: { priority: 2 } }
    platforms:
      web: { clouds: { west: { pct_scale: 50 }, east: { pct_scale: 100 } } }
    variables: { LEVEL: warn }
outputs:
  deployment: "\${environments.prod.deployment.deploymentId}"
`;

  const folder = eachFolder({ files: { 'oneops.yaml': STACK } });

  const CONFIG = { owner: 'team@acme.io', password: 's3cret' };

  /** Registers the stack, as the language host does. */
  function fromFile(secretConfig: readonly string[] = []) {
    const loaded = loadedIn(folder.path, 'oneops.yaml', CONFIG);
    return register({ ...loaded, secretConfig: new Set(secretConfig) });
  }

  /** The same, as a program would say it. */
  function byHand(): void {
    const shop = new sdk.Assembly('shop', { owner: CONFIG.owner });
    const db = new sdk.Platform('db', { assembly: shop, source: 'oneops', pack: 'mysql', version: '1' });
    new sdk.Variable('variables/LEVEL', { assembly: shop, name: 'LEVEL', value: 'info' });
    new sdk.Variable('platforms/db/variables/KEY', { platform: db, name: 'KEY', encryptedValue: CONFIG.password });
    const ofWeb = { source: 'oneops', pack: 'tomcat', version: '1', links: [db] };
    const web = new sdk.Platform('web', { assembly: shop, ...ofWeb });
    new sdk.Component('web/compute', { platform: web, name: 'compute', type: 'compute', attributes: { size: 'M' } });
    const deployer = new sdk.Component('web/deployer', {
      platform: web,
      name: 'deployer',
      type: 'user',
      attributes: { username: 'deployer' },
    });
    new sdk.Attachment('web/motd', {
      component: deployer,
      name: 'motd',
      content: db.ciId.apply((id) => `${id} rows`),
      basicAuthPassword: CONFIG.password,
    });
    const clouds = { east: { priority: 1 }, west: { priority: 2 } };
    const prod = new sdk.Environment('prod', { assembly: shop, clouds });
    new sdk.CloudConfiguration('prod/web/west', { environment: prod, platform: web, cloud: 'west', pctScale: 50 });
    new sdk.CloudConfiguration('prod/web/east', { environment: prod, platform: web, cloud: 'east', pctScale: 100 });
    new sdk.Variable('environments/prod/variables/LEVEL', { environment: prod, name: 'LEVEL', value: 'warn' });
    new sdk.Deployment('prod', { environment: prod });
  }

  const answer = ({ key }: Registered) => ({
    revision: `r-${key}`,
    origin: 'created',
    ciId: key.length,
    deploymentId: 7,
  });
  const byKey = (all: readonly Registered[]): { readonly [key: string]: Registered } =>
    Object.fromEntries(all.map((each) => [each.key, each]));

  test('a file and a program that say the same register the same', async () => {
    const file = byKey(await recorded(() => fromFile(), answer));
    const program = byKey(await recorded(byHand, answer));
    expect(Object.keys(file).sort()).toEqual(Object.keys(program).sort());
    for (const [key, registered] of Object.entries(program)) {
      const { inputs, deletedWith, secretOutputs } = registered;
      const { __places: places, ...written } = file[key]?.inputs ?? {};
      // Where the service may object to a word of the file.
      expect(places).toEqual(
        registered.inputs['clouds'] && { 'clouds.east': 'oneops.yaml:22:15', 'clouds.west': 'oneops.yaml:22:38' },
      );
      expect({
        key,
        inputs: written,
        deletedWith: file[key]?.deletedWith,
        secretOutputs: file[key]?.secretOutputs,
      }).toEqual({ key, inputs, deletedWith, secretOutputs });
      // A file's order is at least as strict.
      expect(file[key]?.dependencies).toEqual(expect.arrayContaining([...registered.dependencies]));
    }
  });

  test('every resource carries its place in the file', async () => {
    const all = byKey(await recorded(() => fromFile(), answer));
    const places = Object.fromEntries(Object.entries(all).map(([key, { source }]) => [key, source]));
    expect(places).toMatchObject({
      'Assembly::shop': 'oneops.yaml#4,1',
      'Variable::variables/LEVEL': 'oneops.yaml#5,14',
      'Platform::web': 'oneops.yaml#10,3',
      'Component::web/deployer': 'oneops.yaml#16,9',
      'Attachment::web/motd': 'oneops.yaml#19,13',
      'CloudConfiguration::prod/web/west': 'oneops.yaml#24,24',
    });
    expect(Object.values(places).every((place) => place.startsWith('oneops.yaml#'))).toBe(true);
  });

  test('configuration that the engine keeps as a secret stays one', async () => {
    const kept = byKey(await recorded(() => fromFile(['owner']), answer));
    expect(kept['Assembly::shop']?.inputs['owner']).toEqual({ secret: 'team@acme.io' });
  });

  test('outputs are those of the file', async () => {
    const seen: Promise<unknown>[] = [];
    await recorded(() => {
      const { outputs } = fromFile();
      expect(Object.keys(outputs)).toEqual(['deployment']);
      for (const output of Object.values(outputs)) seen.push(new Promise((resolve) => output.apply(resolve)));
    }, answer);
    expect(await Promise.all(seen)).toEqual([7]);
  });

  describe("a program's own resources next to a file's", () => {
    const inFolder = async (program: () => void): Promise<{ readonly [key: string]: Registered }> => {
      const before = process.cwd();
      process.chdir(folder.path);
      try {
        return byKey(await recorded(program, answer));
      } finally {
        process.chdir(before);
      }
    };
    const bare = STACK.replace(/^config:\n.*\n.*\n/, '')
      .replace('"${config.owner}"', 'team@acme.io')
      .replace(', basic_auth_password: "${config.password}"', '')
      .replace('"${config.password}"', '{ fn::secret: made-up }');

    beforeEach(() => folder.write({ 'bare.yaml': bare }));

    test('are members of its release', async () => {
      const all = await inFolder(() => {
        const shop = declareStack('bare.yaml');
        new sdk.Attachment('extra', { component: shop.resource('Component', 'web/deployer'), content: 'x' });
      });
      expect(all['Attachment::extra']?.inputs).toMatchObject({
        assembly: 'shop',
        platform: 'web',
        component: 'deployer',
      });
      expect(all['DesignRelease::shop']?.inputs['__stamps']).toContain('r-Attachment::extra');
    });

    test('are judged by the catalogue of the service that the configuration names', async () => {
      folder.write({ 'pack.yaml': bare.replace('oneops/mysql:1', 'oneops/mysq:1') });
      const declared = inFolder(() => {
        setAllConfig({ 'oneops:url': 'http://127.0.0.1:1' });
        declareStack('pack.yaml');
      });
      await expect(declared).rejects.toThrow(/pack\.yaml:\d+:\d+: error \S+: pack "oneops\/mysq" is not in/);
      setAllConfig({});
    });

    test('a resource the file does not declare is an error, and so is a bad file, before anything is declared', async () => {
      const registered: string[] = [];
      const failing = (program: () => void) =>
        recorded(program, ({ key }) => {
          registered.push(key);
          return {};
        });
      folder.write({ 'bad.yaml': bare.replace('platforms:', 'platfroms:') });
      await expect(failing(() => declareStack(join(folder.path, 'bad.yaml')))).rejects.toThrow(
        /cannot be used\n[^]*unknown key "platfroms"/,
      );
      const begin = `cannot read oneops.yaml: there is no such file in ${process.cwd()}; pulumi-oneops init writes one`;
      await expect(failing(() => declareStack())).rejects.toThrow(begin);
      expect(registered).toEqual([]);
      await expect(
        failing(() => declareStack(join(folder.path, 'bare.yaml')).resource('Platform', 'none')),
      ).rejects.toThrow('declares no Platform "none"');
    });
  });

  test('a resource keeps its URN when its file gives it a parent: its former ones are aliases', async () => {
    folder.write({
      'parent.yaml':
        'assembly: { name: shop }\nplatforms: { web: { pack: oneops/tomcat:1, pulumi: { parent: "${platforms.db}" } }, db: { pack: oneops/tomcat:1 } }\n',
    });
    const program = (): void => void register(loadedIn(folder.path, 'parent.yaml'));
    const all = byKey(await recorded(program, answer));
    expect(all['Platform::web']).toMatchObject({
      parent: 'Platform::db',
      aliases: [
        { spec: { noparent: true } },
        { spec: { parenturn: expect.stringMatching(/Assembly::shop$/) as string } },
        {},
      ],
    });
  });

  describe('handles, and what a program decides about a file', () => {
    const FLEET = `config:
  owner: { type: string }
  services: { type: list, default: [web] }
  threads: { type: integer, default: 100 }
  password: { type: string, secret: true }
assembly: { name: shop, owner: "\${config.owner}" }
variables: { KEY: "\${config.password}" }
clouds: { edge: { location: aws, services: { swift: {} } } }
platforms:
  "\${each.key}":
    each: "\${config.services}"
    pack: oneops/tomcat:1
    variables: { HEAP: 1g }
    components:
      tomcat: { max_threads: "\${config.threads}" }
      user: { deployer: { username: deployer, attachments: { motd: { content: hello } } } }
environments:
  prod:
    clouds: { edge: { priority: 1 } }
    platforms: { web: { components: { tomcat: { max_threads: 300 } } } }
overlays:
  big: { platforms: { web: { components: { tomcat: { max_threads: 400 } } } } }
outputs: { threads: "\${platforms.web.components.tomcat.attributes.max_threads}" }
`;
    const GIVEN = { owner: 'team@acme.io', password: 's3cret' };
    const program = async (run: (file: string) => void): Promise<{ readonly [key: string]: Registered }> => {
      const file = join(folder.path, 'fleet.yaml');
      writeFileSync(file, FLEET);
      return byKey(await recorded(() => run(file), answer));
    };

    test('a resource is at its path in the file, and what is declared in it below', async () => {
      const all = await program((file) => {
        const shop = declareStack(file, { config: GIVEN });
        const { web } = shop.platforms;
        expect(web).toBe(shop.resource('Platform', 'web'));
        expect(web?.components['deployer']).toBe(shop.resource('Component', 'web/deployer'));
        expect(web?.components['deployer']?.attachments['motd']).toBe(shop.resource('Attachment', 'web/motd'));
        const { prod } = shop.environments;
        const paths: readonly (readonly [object | undefined, object])[] = [
          [shop.assembly, shop.resource('Assembly', 'shop')],
          [shop.design, shop.resource('DesignRelease', 'shop')],
          [shop.clouds['edge']?.services['swift'], shop.resource('CloudService', 'edge/swift')],
          [shop.variables['KEY'], shop.resource('Variable', 'variables/KEY')],
          [web?.variables['HEAP'], shop.resource('Variable', 'platforms/web/variables/HEAP')],
          [prod?.platforms['web']?.components['tomcat'], shop.resource('EnvironmentComponent', 'prod/web/tomcat')],
          [prod?.deployment, shop.resource('Deployment', 'prod')],
        ];
        for (const [handle, resource] of paths) expect(handle).toBe(resource);
        expect([Object.keys(web?.components ?? {}), Object.keys(prod?.relays ?? {})]).toEqual([
          ['tomcat', 'deployer'],
          [],
        ]);
        expect(['db' in shop.platforms, 'web' in shop.platforms]).toEqual([false, true]);
        new sdk.Attachment('extra', { component: web?.components['deployer'] ?? '', content: 'x' });
      });
      expect(all['Attachment::extra']?.inputs).toMatchObject({ platform: 'web', component: 'deployer' });
    });

    test('configuration and overlay are those of the program; secrets stay secret, and an output is one', async () => {
      const all = await program((file) => {
        const password = secret('known later');
        declareStack(file, { config: { ...GIVEN, password, services: ['web', 'api'], threads: 150 }, overlay: 'big' });
      });
      const threads = (key: string): unknown => all[key]?.inputs['attributes'];
      expect([threads('Component::web/tomcat'), threads('Component::api/tomcat')]).toEqual([
        { max_threads: 400 },
        { max_threads: 150 },
      ]);
      expect(all['Variable::variables/KEY']?.inputs['encryptedValue']).toEqual({ secret: 'known later' });
      const plain = await program((file) => void declareStack(file, { config: GIVEN }));
      expect(plain['Variable::variables/KEY']?.inputs['encryptedValue']).toEqual({ secret: 's3cret' });
    });

    test.each<[string, StackOptions, string | RegExp]>([
      ['no value', {}, /cannot be used\n[^]*fleet\.yaml:2:3[^]*config "owner" is not set/],
      ['a wrong type', { config: { ...GIVEN, threads: 'many' } }, /config "threads" must be an integer, not "many"/],
      ['no such config', { config: { ...GIVEN, onwer: 'x' } }, 'declares no config "onwer": did you mean "owner"?'],
      ['no such overlay', { config: GIVEN, overlay: 'bigg' }, /there is no overlay "bigg"[^]*did you mean "big"\?/],
      [
        'an output that decides',
        { config: { ...GIVEN, services: secret(['web']) } },
        /fleet\.yaml:11:11[^]*cannot decide/,
      ],
    ])('%s is one readable error, before anything is declared', async (_, options, message) => {
      const keys: string[] = [];
      const file = join(folder.path, 'fleet.yaml');
      writeFileSync(file, FLEET);
      const run = recorded(
        () => void declareStack(file, options),
        ({ key }) => {
          keys.push(key);
          return {};
        },
      );
      await expect(run).rejects.toThrow(message);
      expect(keys).toEqual([]);
    });

    test('a declared secret that the settings of the stack have in clear is a warning without the value', async () => {
      const warn = jest.spyOn(log, 'warn').mockResolvedValue();
      const withConfig = async (value: string, secretKeys: readonly string[] = []): Promise<readonly string[]> => {
        await program((file) => {
          setAllConfig({ 'story:owner': GIVEN.owner, 'story:password': value }, [...secretKeys]);
          declareStack(file, value === '' ? { config: { password: 'given' } } : {});
        });
        return warn.mock.calls.splice(0).map(([text]) => text);
      };
      expect(await withConfig('canary', ['story:password'])).toEqual([]);
      expect(await withConfig('')).toEqual([]);
      const [text = '', ...more] = await withConfig('canary');
      expect(text).toContain(
        'ONE1502: the value of the secret "password" is in clear text in the settings of the stack',
      );
      expect([text.includes('canary'), more]).toEqual([false, []]);
      warn.mockRestore();
    });

    test('a name that the file does not declare is named, with what there is', async () => {
      await program((file) => {
        const shop = declareStack(file, { config: GIVEN });
        expect(() => shop.platforms['wbe']).toThrow('declares no "platforms.wbe": did you mean "platforms.web"?');
        expect(() => shop.environments['prod']?.relays['ops']).toThrow(
          '"environments.prod.relays.ops": it declares none',
        );
        expect(JSON.stringify(Object.keys(shop.platforms))).toBe('["web"]');
      });
    });
  });
});

// What the entries of drift.yaml make of a run.
describe('kept attributes', () => {
  const stackFile = (threads: string): string => `config:
  tier: { type: string, default: web }
assembly: { name: shop, owner: team@acme.io, tags: { tier: gold, team: one } }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      tomcat: { max_threads: ${threads}, min_spare_threads: 30 }
      user: { deployer: { username: deployer, pulumi: { ignoreChanges: [sudoer] } } }
`;

  const RULES = `ignore:
  - { record: shop/none, reason: none, owner: o, attribute: description }
  - { record: shop/web/tomcat, kind: Component, attribute: attributes.max_threads, reason: load test, owner: ann@acme.io, until: 2027-01-31 }
  - { record: shop, kind: Assembly, attribute: tags.*, reason: theirs, owner: bob@acme.io }
  - { record: 'shop/*/deployer', attribute: 'attributes["username"]', reason: theirs, owner: bob@acme.io, stacks: prod }
  - { record: shop/web, classification: deleted, reason: theirs, owner: bob@acme.io }
`;

  const folder = eachFolder();

  function loaded(threads = '200') {
    folder.write({ 'oneops.yaml': stackFile(threads) });
    return loadedIn(folder.path);
  }

  const ruled = (day: string, { stack = 'dev', threads = '200' } = {}) =>
    withRules(loaded(threads), readDriftFile({ name: 'drift.yaml', text: RULES }), { stack, project: 'shop', day });

  const ignoredBy = ({ plan }: ReturnType<typeof ruled>): object =>
    Object.fromEntries(
      plan.resources.flatMap(({ key, options: { ignoreChanges } }) => (ignoreChanges ? [[key, ignoreChanges]] : [])),
    );

  test('an entry is ignoreChanges of each attribute that it fits, until its last day, in its stacks', () => {
    expect(ignoredBy(ruled('2027-01-31'))).toEqual({
      'Assembly::shop': ['tags.tier', 'tags.team'],
      'Component::web/tomcat': ['attributes.max_threads'],
      'Component::web/deployer': ['attributes.sudoer'],
    });
    expect(ignoredBy(ruled('2027-02-01', { stack: 'prod' }))).toEqual({
      'Assembly::shop': ['tags.tier', 'tags.team'],
      'Component::web/deployer': ['attributes.sudoer', 'attributes.username'],
    });
  });

  /** What the stack registers on a day. */
  async function registered(threads: string, day = '2027-01-31'): Promise<readonly Registered[]> {
    const { plan } = ruled(day, { threads });
    return recorded(() => register({ ...loaded(threads), plan }).outputs);
  }

  test('a registration has the paths as an option and as an input, with the rule and a fingerprint of the declared value', async () => {
    const inputsWith = async (threads: string): Promise<Registered['inputs']> =>
      (await registered(threads)).find(({ key }) => key === 'Component::web/tomcat')?.inputs ?? {};
    const [one, same, other] = [await inputsWith('200'), await inputsWith('200'), await inputsWith('300')];
    expect(one[IGNORED]).toEqual({
      'attributes.max_threads': {
        rule: 'drift.yaml:3, by ann@acme.io, until 2027-01-31: load test',
        until: '2027-01-31',
        declared: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    });
    expect(same[IGNORED]).toEqual(one[IGNORED]);
    expect(other[IGNORED]).not.toEqual(one[IGNORED]);
  });

  test.each(DIALECTS)('a run with a refresh leaves what a rule keeps, until its last day: %s', async (dialect) => {
    const world = makeWorld(dialect);
    try {
      const address = { assembly: 'shop', platform: 'web', component: 'tomcat' };
      const threads = async (): Promise<unknown> =>
        (await world.other.call(routes.components.read, { address })).ciAttributes['max_threads'];
      let stack = emptyStack;
      const up = async (declared: string, day?: string): Promise<string> => {
        const resources = (await registered(declared, day)).flatMap(({ key, inputs }): readonly Declared[] => {
          const [token = ''] = key.split('::');
          const ignoreChanges = Object.keys(inputs[IGNORED] ?? {});
          return ['Assembly', 'Platform', 'Component'].includes(token)
            ? [{ key, token, args: inputs, ignoreChanges }]
            : [];
        });
        const done = await runWorld(world, stack, resources, { refresh: true });
        ({ stack } = done);
        expect(done.errors).toEqual([]);
        return done.notices.join('\n');
      };
      await up('200');
      const body = { cms_dj_ci: { ciName: 'tomcat', ciAttributes: { max_threads: '555' } } };
      await world.other.call(routes.components.update, { address, body });
      expect(await up('200')).toMatch(
        /max_threads is left as the service has it: drift.yaml:3, by ann@acme.io, until 2027-01-31: load/,
      );
      expect(await up('300')).toMatch(
        /another value of attributes.max_threads now, and it is not written: .*load test/,
      );
      expect(await threads()).toBe('555');
      await up('300', '2027-02-01');
      expect(await threads()).toBe('300');
    } finally {
      world.close();
    }
  });
});

// A stack in turns: the same registrations as at once, and never more than there is room for.
describe('pace', () => {
  const folder = eachFolder();
  let run: PlanRun;

  beforeEach(() => {
    const users = Array.from({ length: 30 }, (_, number) => `        u${number}: { username: user-${number} }`);
    const text = [
      'assembly: { name: shop, owner: team@acme.io }',
      'variables: { LEVEL: info }',
      'platforms:',
      '  db: { pack: oneops/mysql:1 }',
      '  web:',
      '    pack: oneops/tomcat:1',
      '    links: [db]',
      '    components:',
      '      user:',
      ...users,
      'environments:',
      '  qa: { clouds: { east: { priority: 1 } } }',
      '  prod: { clouds: { east: { priority: 1 }, west: { priority: 2 } }, variables: { LEVEL: warn } }',
      '',
    ].join('\n');
    folder.write({ 'oneops.yaml': text });
    run = loadedIn(folder.path);
  });

  const sorted = (all: readonly Registered[]): readonly Registered[] =>
    [...all].sort((left, right) => (left.key < right.key ? -1 : 1));

  test.each([1, 3, 256])('with room for %d, the same is registered as at once', async (room) => {
    const atOnce = await recorded(() => void register(run));
    const inTurns = await recorded(() => registerInTurns(run, newPace(run.plan, { room, patience: 60_000 })));
    expect(sorted(inTurns)).toEqual(sorted(atOnce));
  });

  test('room is kept: a resource waits until one before it has its answer', async () => {
    const pace = newPace(run.plan, { room: 2, patience: 60_000 });
    const settle: (() => void)[] = [];
    const resource = (): Parameters<typeof pace.after>[1] =>
      ({ urn: { promise: () => new Promise<void>((resolve) => settle.push(resolve)) } }) as never;
    const passed: number[] = [];
    const keys = run.plan.resources.map(({ key }) => key).filter((key) => key.startsWith('Component::'));
    const all = (async () => {
      for (const [number, key] of keys.slice(0, 4).entries()) {
        await pace.after(key, resource());
        passed.push(number);
      }
    })();
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await turn();
    expect([passed, settle.length]).toEqual([[0], 2]);
    for (let answered = 0; answered < 4; answered += 1) {
      settle[answered]?.();
      await turn();
    }
    await all;
    expect(passed).toEqual([0, 1, 2, 3]);
  });

  test('a run whose resources get no answer continues without a bound', async () => {
    const pace = newPace(run.plan, { room: 1, patience: 1 });
    const never = { urn: { promise: () => new Promise(() => undefined) } } as never;
    for (const { key } of run.plan.resources) await pace.after(key, never);
    expect(run.plan.resources.length).toBeGreaterThan(30);
  });
});

// The files that a pattern of `include` finds, in a folder on disk.
describe('load', () => {
  const names = [
    'a.yaml',
    'b.yml',
    'x/a.yaml',
    'x/y/z.yaml',
    'x/y/.hidden.yaml',
    '.git/a.yaml',
    'node_modules/p/a.yaml',
  ];
  const texts = names.map((name) => [`project/${name}`, `${name}: {}`]);
  const folder = eachFolder({ files: { ...Object.fromEntries(texts), 'outside.yaml': 'outside: {}' } });

  beforeEach(() => symlinkSync('..', join(folder.path, 'project', 'x', 'ring')));

  test.each<[string, readonly string[] | string]>([
    ['*.yaml', ['a.yaml']],
    ['x/?/z.yaml', ['x/y/z.yaml']],
    ['**/*.yaml', ['a.yaml', 'x/a.yaml', 'x/y/z.yaml']],
    ['x/**/*.yaml', ['x/a.yaml', 'x/y/z.yaml']],
    ['**/**/a.yaml', ['a.yaml', 'x/a.yaml']],
    ['**/y/*.yaml', ['x/y/z.yaml']],
    ['*/a.yaml', ['x/a.yaml']],
    ['none.yaml', ['none.yaml']],
    ['**/none-*.yaml', 'no file matches'],
    ['../**/*.yaml', "it is outside of the project's folder"],
  ])('%s', (pattern, expected) => {
    const found = includedFiles(join(folder.path, 'project'), 'oneops.yaml')(pattern, 'oneops.yaml');
    const names = 'problem' in found ? found.problem : found.files.map(({ name }) => name);
    if (typeof expected === 'string') expect(names).toContain(expected);
    else expect(names).toEqual(expected);
  });
});

// What the SDK finds on the call stack while something is registered.
describe('position', () => {
  const PLACE = { file: '/stacks/oneops.yaml', line: 7, column: 3 };

  const sdk = Resource as unknown as { callsites(): readonly object[] };

  const framesOf = (error: Error): number => (error.stack ?? '').split('\n    at ').length - 1;

  afterEach(() => {
    delete process.env['PULUMI_DEBUG_PROMISE_LEAKS'];
  });

  test('the place is where the SDK looks, an error shows where it was made, and no more stack is written down', () => {
    const before = { callsites: sdk.callsites, limit: Error.stackTraceLimit };
    const { sites, frames } = at(PLACE, () => ({ sites: sdk.callsites(), frames: framesOf(new Error('made inside')) }));
    expect(sites.at(-1)).toEqual(PLACE);
    expect(frames).toBe(1);
    expect(() =>
      at(PLACE, () => {
        throw new Error('refused');
      }),
    ).toThrow('refused');
    expect({ callsites: sdk.callsites, limit: Error.stackTraceLimit }).toEqual(before);
  });

  test('a search for leaking promises gets whole stacks', () => {
    process.env['PULUMI_DEBUG_PROMISE_LEAKS'] = '1';
    expect(at(PLACE, () => framesOf(new Error('made inside')))).toBeGreaterThan(1);
  });
});
