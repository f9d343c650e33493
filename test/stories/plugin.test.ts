// The resource plugin on the real engine: a program in Pulumi YAML without any package of ours beside it, and a stack that moves from the
// dynamic provider to the plugin.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../../api/contract';
import { findEngine, newProject, REPOSITORY, stateOf, type Engine, type Project, type Run } from '../engine';
import { startService, TOKEN, type LiveService } from './live-service';

const CANARY = 'canary-plugin-77c2';
/** Where the bundled plugins are, which `setup` installs. */
const PLUGINS = join(REPOSITORY, 'dist', 'plugins');

/** The program of the page, which has no secret and calls no function, with both. */
const PROGRAM = `${pageProgram()}  KEY:
    type: oneops:Variable
    properties: { assembly: '\${shop.name}', encryptedValue: { 'fn::secret': ${CANARY} } }
variables:
  east:
    fn::invoke: { function: oneops:getCloud, arguments: { name: east } }
outputs:
  cloud: \${east.name}
`;

function pageProgram(): string {
  const page = readFileSync(join(REPOSITORY, 'docs', 'plugin.md'), 'utf8');
  const [, block = ''] = /```yaml\n(name: shop\nruntime: yaml\n[^]*?)```/.exec(page) ?? [];
  const plugins = `plugins: { providers: [{ name: oneops, path: ${PLUGINS}/resource }] }`;
  return block.replace('name: shop\nruntime: yaml', `name: story\nruntime: yaml\n${plugins}`);
}

const STACK = `assembly: { name: moved, owner: team@acme.io }
variables: { KEY: { encrypted_value: { 'fn::secret': ${CANARY} } } }
platforms:
  web: { pack: oneops/custom:1, components: { user: { deployer: { username: deployer } } } }
environments:
  prod: { clouds: { east: { priority: 1 } } }
`;

const ownRuntime = (options: string): string => `name: story
runtime: { name: oneops${options} }
plugins:
  languages: [{ name: oneops, path: ${PLUGINS}/language }]
  providers: [{ name: oneops, path: ${PLUGINS}/resource }]
`;

let engine: Engine;
let live: LiveService;
const projects: Project[] = [];

beforeAll(async () => {
  engine = await findEngine();
  live = await startService('classic');
});

afterAll(async () => {
  await live.stop();
  await Promise.all(projects.map((project) => project.remove()));
});

async function open(files: { readonly [path: string]: string }): Promise<Project> {
  const config = { 'oneops:url': live.url, 'oneops:organization': 'acme' };
  const project = await newProject({ engine, files, config, secrets: { 'oneops:token': TOKEN } });
  projects.push(project);
  return project;
}

/** Runs a command that must succeed, and shows no secret. */
async function succeeds(project: Project, ...args: readonly string[]): Promise<Run> {
  const run = await project.run(...args);
  expect([run.code, run.output]).toEqual([0, expect.any(String)]);
  expect(run.output).not.toContain(CANARY);
  return run;
}

test('a program in Pulumi YAML: up, nothing left to do, drift found and repaired, import, destroy', async () => {
  const project = await open({ 'Pulumi.yaml': PROGRAM });
  const up = await succeeds(project, 'up');
  expect(up.output).toContain('oneops:index:Component tomcat created');
  const running = await live.running('shop');
  expect(running).toContain('prod/web');
  await succeeds(project, 'preview', '--expect-no-changes');
  await succeeds(project, 'refresh', '--preview-only', '--expect-no-changes');
  expect(await project.state()).not.toContain(CANARY);

  const address = { assembly: 'shop', platform: 'web', component: 'tomcat' };
  const body = { cms_dj_ci: { ciAttributes: { max_threads: '5' } } };
  await live.other.call(routes.components.update, { address, body });
  const drifted = await project.run('refresh', '--preview-only', '--diff', '--expect-no-changes');
  expect([drifted.code, drifted.output]).toEqual([7, expect.stringMatching(/max_threads: 100 => 5/)]);
  await succeeds(project, 'up', '--refresh', '--skip-preview');
  const { ciAttributes } = await live.other.call(routes.components.read, { address });
  expect(ciAttributes['max_threads']).toBe('100');

  const imported = await succeeds(project, 'import', 'oneops:index:Component', 'os', 'acme/shop/web/os');
  expect(imported.output).toContain('type: oneops:Component');
  expect((await stateOf(project)).find(({ name }) => name === 'os')?.inputs).toMatchObject({
    platform: 'web',
    type: 'os',
  });
  await succeeds(project, 'state', 'unprotect', '--all', '--yes');
  await succeeds(project, 'destroy');
  expect(await live.assemblies()).not.toContain('shop');
});

test('a stack moves from the dynamic provider to the plugin, and nothing changes', async () => {
  const project = await open({ 'Pulumi.yaml': ownRuntime(''), 'oneops.yaml': STACK });
  await succeeds(project, 'up', '--skip-preview');
  const running = await live.running('moved');
  expect(running.length).toBeGreaterThan(0);
  live.writes();
  await project.write('Pulumi.yaml', ownRuntime(', options: { resources: plugin }'));
  const preview = await succeeds(project, 'preview', '--expect-no-changes');
  expect(preview.output).toContain('8 unchanged');
  await succeeds(project, 'up', '--skip-preview');
  expect(live.writes()).toEqual([]);
  expect(await project.state()).toContain('oneops:index:Deployment');
  await succeeds(project, 'refresh', '--preview-only', '--expect-no-changes');

  // And back: what the plugin wrote lacks the text that the dynamic provider is loaded by, so the state is written again, and the service is not.
  await project.write('oneops.yaml', STACK.replace('owner:', 'description: moved, owner:'));
  await succeeds(project, 'up', '--skip-preview');
  live.writes();
  await project.write('Pulumi.yaml', ownRuntime(''));
  const back = await succeeds(project, 'up', '--skip-preview');
  expect(back.output).toMatch(/1 updated\n +7 unchanged/);
  expect(live.writes()).toEqual([]);
  await succeeds(project, 'refresh', '--preview-only', '--expect-no-changes');
  expect(await project.state()).not.toContain(CANARY);
  expect(await live.running('moved')).toEqual(running);
  await succeeds(project, 'destroy');
  expect(await live.assemblies()).not.toContain('moved');
});
