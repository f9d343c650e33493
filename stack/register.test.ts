// What a stack file comes to in the engine: the same registrations as a program's, each with its place in the file.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as sdk from '../sdk';
import { recorded, type Registered } from '../test/recording-monitor';
import { loadStack, register, stack } from './index';

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

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-register-'));
  writeFileSync(join(folder, 'oneops.yaml'), STACK);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CONFIG = { owner: 'team@acme.io', password: 's3cret' };

/** Registers the stack, as the language host does. */
function fromFile(secretConfig: readonly string[] = []) {
  const loaded = loadStack({ files: ['oneops.yaml'], directory: folder, config: CONFIG });
  if ('problem' in loaded) throw new Error(loaded.problem);
  return register({ ...loaded, secretConfig: new Set(secretConfig), pathOf: (file) => join(folder, file) });
}

/** The same, as a program would say it. */
function byHand(): void {
  const shop = new sdk.Assembly('shop', { owner: CONFIG.owner });
  const db = new sdk.Platform('db', { assembly: shop, source: 'oneops', pack: 'mysql', version: '1' });
  new sdk.Variable('variables/LEVEL', { assembly: shop, name: 'LEVEL', value: 'info' });
  new sdk.Variable('platforms/db/variables/KEY', { platform: db, name: 'KEY', encryptedValue: CONFIG.password });
  const web = new sdk.Platform('web', { assembly: shop, source: 'oneops', pack: 'tomcat', version: '1', links: [db] });
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
  const prod = new sdk.Environment('prod', {
    assembly: shop,
    clouds: { east: { priority: 1 }, west: { priority: 2 } },
  });
  new sdk.CloudConfiguration('prod/web/west', { environment: prod, platform: web, cloud: 'west', pctScale: 50 });
  new sdk.CloudConfiguration('prod/web/east', { environment: prod, platform: web, cloud: 'east', pctScale: 100 });
  new sdk.Variable('environments/prod/variables/LEVEL', { environment: prod, name: 'LEVEL', value: 'warn' });
  new sdk.Deployment('prod', { environment: prod });
}

const answer = ({ key }: Registered) => ({ revision: `r-${key}`, origin: 'own', ciId: key.length, deploymentId: 7 });
const byKey = (all: readonly Registered[]): { readonly [key: string]: Registered } =>
  Object.fromEntries(all.map((each) => [each.key, each]));

test('a file and a program that say the same register the same', async () => {
  const file = byKey(await recorded(() => fromFile(), answer));
  const program = byKey(await recorded(byHand, answer));
  expect(Object.keys(file).sort()).toEqual(Object.keys(program).sort());
  for (const [key, registered] of Object.entries(program)) {
    const { inputs, deletedWith, secretOutputs } = registered;
    expect({
      key,
      inputs: file[key]?.inputs,
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

test('configuration that is secret stays so, whether the file or the engine says it', async () => {
  const declared = byKey(await recorded(() => fromFile(), answer));
  expect(declared['Attachment::web/motd']?.inputs['basicAuthPassword']).toEqual({ secret: 's3cret' });
  expect(declared['Assembly::shop']?.inputs['owner']).toBe('team@acme.io');
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

describe("a program's own resources beside a file's", () => {
  const inFolder = async (program: () => void): Promise<{ readonly [key: string]: Registered }> => {
    const before = process.cwd();
    process.chdir(folder);
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

  test('are members of its release', async () => {
    writeFileSync(join(folder, 'bare.yaml'), bare);
    const all = await inFolder(() => {
      const shop = stack('bare.yaml');
      new sdk.Attachment('extra', { component: shop.resource('Component', 'web/deployer'), content: 'x' });
    });
    expect(all['Attachment::extra']?.inputs).toMatchObject({
      assembly: 'shop',
      platform: 'web',
      component: 'deployer',
    });
    expect(all['DesignRelease::shop']?.inputs['members']).toMatchObject({
      'web/deployer/extra': 'r-Attachment::extra',
    });
  });

  test('a resource the file does not declare is an error, and so is a bad file, before anything is declared', async () => {
    const registered: string[] = [];
    const failing = (program: () => void) =>
      recorded(program, ({ key }) => {
        registered.push(key);
        return {};
      });
    writeFileSync(join(folder, 'bad.yaml'), bare.replace('platforms:', 'platfroms:'));
    await expect(failing(() => stack(join(folder, 'bad.yaml')))).rejects.toThrow(
      /cannot be used\n[^]*unknown key "platfroms"/,
    );
    expect(registered).toEqual([]);
    await expect(failing(() => stack(join(folder, 'bare.yaml')).resource('Platform', 'none'))).rejects.toThrow(
      'declares no Platform "none"',
    );
  });
});

test('clouds come before the environment that uses them, replacements before its deployment, procedures after it', async () => {
  const text = `assembly: { name: shop, owner: team@acme.io }
platforms: { web: { pack: oneops/tomcat:1, components: { compute: { monitors: { load: { cmd: check } } } } } }
environments:
  prod:
    clouds: { edge: { priority: 1 } }
    procedures: { again: { platform: web, component: compute, action: reboot } }
    replacements: { image: { platform: web, component: compute } }
    relays: { ops: { emails: [ops@acme.io] } }
clouds:
  edge: { location: aws, services: { nova: {} } }
  other: { existing: true }
`;
  writeFileSync(join(folder, 'clouds.yaml'), text);
  const loaded = loadStack({ files: ['clouds.yaml'], directory: folder, config: {} });
  if ('problem' in loaded) throw new Error(loaded.problem);
  const all = await recorded(() => register({ ...loaded, secretConfig: new Set(), pathOf: (file) => file }));
  const dependenciesOf = (key: string): readonly string[] => all.find((each) => each.key === key)?.dependencies ?? [];
  expect(dependenciesOf('CloudService::edge/nova')).toContain('Cloud::edge');
  expect(dependenciesOf('Environment::prod')).toEqual(
    expect.arrayContaining(['Cloud::edge', 'CloudService::edge/nova']),
  );
  expect(dependenciesOf('Environment::prod')).not.toContain('Cloud::other');
  expect(dependenciesOf('Deployment::prod')).toContain('InstanceReplacement::prod/web/compute/image');
  expect(dependenciesOf('Procedure::prod/web/compute/again')).toContain('Deployment::prod');
  expect(dependenciesOf('DesignRelease::shop')).toContain('Monitor::web/compute/monitors/load');
  expect(dependenciesOf('Relay::prod/relays/ops')).toContain('Environment::prod');
});

test('a resource keeps its URN when its file gives it a parent: its former one is an alias', async () => {
  writeFileSync(
    join(folder, 'parent.yaml'),
    'assembly: { name: shop }\nplatforms: { web: { pack: oneops/tomcat:1, pulumi: { parent: "${assembly}" } } }\n',
  );
  const program = (): void => {
    const loaded = loadStack({ files: ['parent.yaml'], directory: folder, config: {} });
    if ('problem' in loaded) throw new Error(loaded.problem);
    register({ ...loaded, secretConfig: new Set(), pathOf: (file) => join(folder, file) });
  };
  const all = byKey(await recorded(program, answer));
  expect(all['Platform::web']?.aliases[0]).toMatchObject({ spec: { name: '', type: '', noparent: true } });
});
