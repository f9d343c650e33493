// A stack file as a component of a program in another language: Pulumi YAML adds a folder with
// PulumiPlugin.yaml on the real engine.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../package.json';
import { REPOSITORY, stateOf, type Run } from '../world/engine';
import { TOKEN } from './live-service';
import { openStory } from './story';

const CANARY = 'canary-component-31d8';
const PLUGINS = join(REPOSITORY, 'dist', 'plugins');

const COMPONENT = {
  'web/PulumiPlugin.yaml': 'runtime: oneops\nname: web\nversion: 1.0.0\n',
  'web/oneops.yaml': `config:
  owner: { type: string }
  level: { type: string, default: info }
  key: { type: string, secret: true }
assembly: { name: shop, owner: '\${config.owner}' }
variables: { LEVEL: '\${config.level}', KEY: { encrypted_value: '\${config.key}' } }
platforms:
  web: { pack: oneops/custom:1, components: { user: { deployer: { username: deployer } } } }
environments:
  prod: { clouds: { east: { priority: 1 } } }
outputs: { release: '\${design.revision}', level: '\${config.level}', key: '\${config.key}' }
`,
};

const program = (level: string, owner = '${first.owner}'): string => `name: story
runtime: yaml
plugins:
  languages: [{ name: oneops, path: ${PLUGINS}/language }]
  providers: [{ name: oneops, path: ${PLUGINS}/resource }]
packages: { web: ./web }
resources:
  first: { type: oneops:Assembly, properties: { name: first, owner: team@acme.io } }
  front:
    type: web:Stack
    properties: { owner: '${owner}', key: { 'fn::secret': ${CANARY} }, level: ${level} }
    options: { dependsOn: ['\${first}'] }
outputs: { release: '\${front.release}', level: '\${front.level}', key: '\${front.key}' }
`;

const { live, project } = openStory({ dialect: 'classic', files: { 'Pulumi.yaml': program('info'), ...COMPONENT } });

/** The blocks of the page: the package, the stack file, and a program that declares the component. */
const page = readFileSync(join(REPOSITORY, 'docs', 'languages.md'), 'utf8');
const [manifest = '', stack = '', yaml = ''] = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, block]) => block);

async function succeeds(...args: readonly string[]): Promise<Run> {
  const run = await project.succeeds(...args);
  expect(run.output).not.toContain(CANARY);
  return run;
}

test('a program in Pulumi YAML brings the component up, changes an argument and destroys it', async () => {
  await succeeds('up');
  const children = (await stateOf(project)).filter(({ name }) => name.startsWith('front/'));
  expect(children.map(({ name }) => name)).toContain('front/prod');
  expect(await live.running('shop')).toContain('prod/web');
  expect(await project.state()).not.toContain(CANARY);
  expect((await succeeds('stack', 'output', '--json')).stdout).toMatch(/"level": "info"/);
  live.writes();
  await succeeds('preview', '--expect-no-changes');
  expect(live.writes()).toEqual([]);

  // Under another name, with an alias: every child keeps its record.
  const renamed = program('info')
    .replaceAll('front', 'site')
    .replace('options: {', 'options: { aliases: [{ name: front }],');
  await project.write('Pulumi.yaml', renamed);
  await succeeds('preview', '--expect-no-changes');

  await project.write('Pulumi.yaml', program('warn'));
  const changed = await succeeds('up', '--skip-preview');
  expect(changed.output).toMatch(/oneops:index:Variable front\/variables\/LEVEL updated/);
  expect(changed.output).toMatch(/oneops:index:Deployment front\/\S+ updated/);

  await project.write('Pulumi.yaml', program('warn', 'nobody'));
  const wrong = await project.run('preview');
  expect([wrong.code, wrong.output]).toEqual([1, expect.stringMatching(/oneops\.yaml:5:\d+: error [^]*e-mail/)]);
  expect(wrong.output).not.toMatch(/\n +at /);

  await succeeds('destroy');
  expect(await live.assemblies()).not.toContain('shop');
});

test('the blocks of the page are a program that can be previewed, and a package with a schema', async () => {
  await project.write('shop/PulumiPlugin.yaml', manifest);
  await project.write('shop/oneops.yaml', stack);
  await project.write('Pulumi.yaml', yaml);
  // As `pulumi-oneops setup` does.
  for (const kind of ['language', 'resource'])
    await succeeds('plugin', 'install', kind, 'oneops', version, '--file', join(PLUGINS, kind));
  const preview = await succeeds('preview');
  expect(preview.output).toMatch(/oneops:index:Component front\/web\/deployer create/);
  expect(preview.output).toMatch(/oneops:index:Deployment front\/\S+ create/);
  const { stdout } = await succeeds('package', 'get-schema', './shop');
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ name: 'shop', resources: { 'shop:index:Stack': { isComponent: true } } },
    language: { nodejs: { respectSchemaVersion: true } },
  });
  await project.write('Pulumi.yaml', yaml.replace(/^packages:.*\n/m, ''));
  await succeeds('package', 'add', './shop');
  expect((await succeeds('preview')).output).toMatch(/oneops:index:Component front\/web\/deployer create/);

  const explicit = `  other: { type: pulumi:providers:oneops, properties: { url: ${live.url}, organization: acme, token: ${TOKEN} } }
  front:
    options: { providers: ['\${other}'] }`;
  await project.write('Pulumi.yaml', yaml.replace('  front:', explicit));
  const planned = JSON.parse((await succeeds('preview', '--json')).stdout) as {
    readonly steps: readonly { readonly urn: string; readonly newState?: { readonly provider?: string } }[];
  };
  const providers = planned.steps
    .filter(({ urn }) => urn.includes('::front/'))
    .map(({ newState }) => newState?.provider);
  expect(providers.length).toBeGreaterThan(5);
  expect(providers.filter((provider) => !provider?.includes('pulumi:providers:oneops::other'))).toEqual([]);

  await project.write('shop/oneops.yaml', stack.replace('pack:', 'pakc:'));
  const broken = await project.run('preview');
  expect([broken.code, broken.output]).toEqual([1, expect.stringMatching(/oneops\.yaml:7:\d+: error [^]*pakc/)]);
});
