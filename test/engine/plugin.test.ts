// The resource plugin on the real engine: a program in Pulumi YAML without our packages, a stack
// that moves between both providers, Ctrl-C, and a debugger. Every kind is imported by type, name
// and id; the code that the CLI prints gives an unchanged preview.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../hand-timers';
import { pendingOperations, programFiles, REPOSITORY, setUp, stateOf } from '../world/engine';
import type { Project, Run, StateResource } from '../world/engine';
import { SAMPLED, programOf, sampledAs } from '../world/samples';
import { titleOf } from '../world/world';
import { dialectsInTurn } from '../dialects-in-turn';
import { startService, TOKEN, type LiveService } from './live-service';
import { stoppableClock } from './stoppable-clock';
import { openStories } from './story';

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

const PROVIDERS = `  providers: [{ name: oneops, path: ${PLUGINS}/resource }]\n`;
const ownRuntime = (options: string): string => `name: story
runtime: { name: oneops${options} }
plugins:
  languages: [{ name: oneops, path: ${PLUGINS}/language }]
${PROVIDERS}`;

const PLUGIN = ', options: { resources: plugin }';

const { live, open: opened } = openStories('classic');

const open = (files: { readonly [path: string]: string }, at: LiveService = live): Promise<Project> =>
  opened({ files, at });

/** Runs a command that must succeed, and shows no secret. */
async function succeeds(project: Project, ...args: readonly string[]): Promise<Run> {
  const run = await project.succeeds(...args);
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

  await live.maria.set('web/tomcat', { max_threads: '5' });
  const drifted = await project.run('refresh', '--preview-only', '--diff', '--expect-no-changes');
  expect([drifted.code, drifted.output]).toEqual([7, expect.stringMatching(/max_threads: 100 => 5/)]);
  await succeeds(project, 'up', '--refresh', '--skip-preview');
  expect((await live.maria.read('web/tomcat')).ciAttributes['max_threads']).toBe('100');

  const imported = await succeeds(project, 'import', 'oneops:index:Component', 'os', 'acme/shop/web/os');
  expect(imported.output).toContain('type: oneops:Component');
  expect((await stateOf(project)).find(({ name }) => name === 'os')?.inputs).toMatchObject({
    platform: 'web',
    type: 'os',
  });
  await succeeds(project, 'state', 'unprotect', '--all', '--yes');

  // Nothing shows such a program's records that left: environments follow with the next run.
  const deployer = `  deployer:
    type: oneops:Component
    properties: { assembly: '\${shop.name}', platform: '\${web.name}', type: user, attributes: { username: app } }
`;
  const more = PROGRAM.replace('  release:\n', `${deployer}  release:\n`);
  await project.write('Pulumi.yaml', more.replace('${tomcat.revision}', '${tomcat.revision} ${deployer.revision}'));
  await succeeds(project, 'up', '--skip-preview');
  const users = async (): Promise<number> =>
    (await live.instances('shop')).filter(({ ciClassName }) => ciClassName.endsWith('.User')).length;
  const before = await users();
  await project.write('Pulumi.yaml', PROGRAM);
  await succeeds(project, 'up', '--skip-preview');
  const next = await succeeds(project, 'up', '--skip-preview');
  expect(next.output).toMatch(/DesignRelease release updated/);
  expect(await users()).toBeLessThan(before);
  await succeeds(project, 'preview', '--expect-no-changes');
  await succeeds(project, 'destroy');
  expect(await live.assemblies()).not.toContain('shop');
});

test('a stack moves from the dynamic provider to the plugin and back, and nothing changes', async () => {
  const project = await open({ 'Pulumi.yaml': ownRuntime(''), 'oneops.yaml': STACK });
  const moves = async (options: string, count: number): Promise<void> => {
    live.writes();
    await project.write('Pulumi.yaml', ownRuntime(options));
    const preview = await succeeds(project, 'preview', '--expect-no-changes');
    expect(preview.output).toContain(`${count} unchanged`);
    await succeeds(project, 'up', '--skip-preview', '--expect-no-changes');
    await succeeds(project, 'refresh', '--preview-only', '--expect-no-changes');
    expect(live.writes()).toEqual([]);
  };
  await succeeds(project, 'up', '--skip-preview');
  const running = await live.running('moved');
  expect(running.length).toBeGreaterThan(0);
  await moves(PLUGIN, 8);
  expect(await project.state()).toContain('oneops:index:Deployment');

  // What the plugin created, updated and refreshed goes back like what it only kept.
  const more = STACK.replace('owner:', 'description: moved, owner:').replace(
    'variables: {',
    'variables: { ADDED: one,',
  );
  await project.write('oneops.yaml', more);
  await succeeds(project, 'up', '--skip-preview');
  await succeeds(project, 'refresh', '--skip-preview', '--expect-no-changes');
  await moves('', 9);
  expect(await project.state()).not.toContain('oneops:index:');
  expect(await project.state()).not.toContain(CANARY);
  expect(await live.running('moved')).toEqual(running);
  await succeeds(project, 'destroy');
  expect(await live.assemblies()).not.toContain('moved');
});

test('the converter takes a stack over for either provider, and turns its file into a program that changes nothing', async () => {
  const files = { 'Pulumi.yaml': ownRuntime(PLUGIN), 'oneops.yaml': STACK.replace('moved', 'taken') };
  const first = await open(files);
  await succeeds(first, 'up', '--skip-preview');
  const taking = ['import', '--from', 'oneops', '--generate-code=false', '--protect=false', '--skip-preview', '--'];
  live.writes();
  let second = first;
  for (const options of ['', PLUGIN]) {
    second = await open({ ...files, 'Pulumi.yaml': ownRuntime(options) });
    await setUp(second);
    await succeeds(second, ...taking, '--declared');
    await succeeds(second, 'preview', '--expect-no-changes', '--diff');
    expect(await second.state()).not.toContain(CANARY);
    const refused = await second.run(...taking, 'acme/nobody');
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('failed: there is nothing at acme/nobody\n'),
    ]);
  }
  const project = second;
  await succeeds(project, 'convert', '--from', 'oneops', '--language', 'yaml', '--out', 'program');
  for (const name of ['Pulumi.yaml', 'Main.yaml'])
    await project.write(name, await readFile(join(project.dir, 'program', name), 'utf8'));
  await succeeds(project, 'preview', '--expect-no-changes', '--diff');
  await succeeds(project, 'up', '--skip-preview', '--expect-no-changes');
  expect(live.writes()).toEqual([]);

  await project.write('oneops.yaml', 'assembly: { nam: shop }\n');
  await project.write('Pulumi.yaml', ownRuntime(PLUGIN));
  const wrong = await project.run('convert', '--from', 'oneops', '--language', 'yaml', '--out', 'program');
  expect([wrong.code, wrong.output]).toEqual([
    1,
    expect.stringMatching(/error: oneops\.yaml:1,13-16: ONE\d+ unknown key "nam"; did you mean/),
  ]);
  await succeeds(first, 'destroy', '--skip-preview');
});

test('a stack file with every kind becomes a program, and a program becomes no stack file: a comment names the command', async () => {
  const text = readFileSync(join(REPOSITORY, 'test', 'fixtures', 'state', 'unreleased', 'oneops.yaml'), 'utf8');
  const project = await open({ 'Pulumi.yaml': ownRuntime(PLUGIN), 'oneops.yaml': text });
  await setUp(project);
  await succeeds(project, 'convert', '--from', 'oneops', '--language', 'yaml', '--out', 'program');
  for (const name of ['Pulumi.yaml', 'Main.yaml'])
    await project.write(name, await readFile(join(project.dir, 'program', name), 'utf8'));
  const { output } = await succeeds(project, 'preview');
  expect(output).toContain(' to create');
  await project.write('pcl/main.pp', 'output "one" {\n  value = "two"\n}\n');
  await project.write('pcl/Pulumi.yaml', 'name: back\nruntime: yaml\n');
  await succeeds(project, 'convert', '--cwd', 'pcl', '--from', 'pcl', '--language', 'oneops', '--out', '../back');
  expect(readFileSync(join(project.dir, 'back', 'oneops.yaml'), 'utf8')).toMatch(/^# pulumi-oneops export .*\n$/);
});

test('a project of two files, without node_modules, comes up and imports', async () => {
  const lean = STACK.replace('moved', 'lean');
  const project = await open({ 'Pulumi.yaml': ownRuntime(PLUGIN), 'oneops.yaml': lean });
  await rm(join(project.dir, 'node_modules'), { recursive: true });
  await succeeds(project, 'up', '--skip-preview');
  await succeeds(project, 'preview', '--expect-no-changes');
  const named = ['oneops:index:Component', 'web/os', 'acme/lean/web/os'];
  await succeeds(project, 'import', ...named, '--protect=false', '--generate-code=false');
  await project.write('oneops.yaml', lean.replace('components: {', 'components: { os: {},'));
  // The record is as declared; the release that the stack declares then contains it too.
  const preview = await succeeds(project, 'preview');
  expect(preview.output).toMatch(/DesignRelease lean update/);
  expect(preview.output).toContain('8 unchanged');
  expect(preview.output).not.toContain('oneops:index:Component');
  expect((await succeeds(project, 'up', '--skip-preview')).output).toContain('8 unchanged');
  await succeeds(project, 'destroy');
});

test('one Ctrl-C ends a deployment that runs: the error says what is left, the state keeps it, and the next up continues', async () => {
  const clock = stoppableClock(2000);
  const slow = await startService('classic', TOKEN, clock);
  const count = (): number => slow.service.journal().filter(({ route }) => route === 'deployments.create').length;
  try {
    const files = { 'Pulumi.yaml': ownRuntime(PLUGIN), 'oneops.yaml': STACK };
    const project = await open(files, slow);
    clock.stopWhen(() => count() > 0);
    const running = project.start(['up', '--skip-preview']);
    await until(() => count() > 0);
    process.kill(running.pid, 'SIGINT');
    const { code, output } = await running.ended;
    expect([code, output]).toEqual([1, expect.stringContaining('canceled')]);
    expect(output).toMatch(/done before: started deployment \d+ of the environment \w+, which goes on/);
    expect(output).toContain('run the same command again: it continues from what exists');
    expect(await pendingOperations(project)).toBe(0);
    const next = project.start(['up', '--skip-preview']);
    await until(() => /joins deployment \d+/.test(next.printed()));
    clock.go();
    expect((await next.ended).code).toBe(0);
    expect(count()).toBe(1);
    await succeeds(project, 'preview', '--expect-no-changes');
  } finally {
    await slow.stop();
  }
});

test('a debugger starts the plugin: engines attach to it one after the other', async () => {
  const plugin = spawn(join(PLUGINS, 'resource', 'pulumi-resource-oneops'), { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(plugin.stdout, 'data')) as [Buffer];
    const project = await open({
      'Pulumi.yaml': ownRuntime(PLUGIN),
      'oneops.yaml': STACK.replace('moved', 'debugged'),
    });
    const attached = { PULUMI_DEBUG_PROVIDERS: `oneops:${port.toString().trim()}` };
    const up = await project.start(['up', '--skip-preview'], attached).ended;
    expect([up.code, up.output]).toEqual([0, expect.stringContaining('oneops:index:Deployment')]);
    expect(await project.start(['destroy', '--skip-preview', '--yes'], attached).ended).toExitWith(0);
    expect(plugin.exitCode).toBeNull();
  } finally {
    plugin.kill();
  }
});

/** Secrets of the samples, of those that a read shows, too. */
const SECRET = /s3cret|k3y-|canary/;
const YAML = `name: story\nruntime: yaml\nplugins:\n${PROVIDERS}`;

describe.each(dialectsInTurn(0))('every kind through the plugin, %s', (dialect) => {
  const { live, open: opened } = openStories(dialect);
  let stood: readonly StateResource[];

  const open = (files: { readonly [path: string]: string }): Promise<Project> =>
    opened({
      files,
      config: { 'oneops:resources': 'plugin' },
      secrets: { key: 's3cret-variable', 'sample-auth': 'k3y-one' },
    });

  const succeeds = async (project: Project, ...args: readonly string[]): Promise<Run> => {
    const run = await project.succeeds(...args);
    expect(run.output).not.toMatch(SECRET);
    expect(await project.state()).not.toMatch(SECRET);
    return run;
  };

  /** Imports resources by type, name and id, and answers the code that the CLI writes. */
  const imported = async (project: Project, named: (of: StateResource) => string | undefined): Promise<string> => {
    const resources = stood.flatMap((of) => {
      const name = named(of);
      return name === undefined ? [] : [{ type: `oneops:index:${of.token}`, name, id: of.id }];
    });
    await project.write('import.json', JSON.stringify({ resources }));
    const run = await succeeds(project, 'import', '--file', 'import.json', '--protect=false', '--out', 'code.yaml');
    // A secret of the sample that code cannot have is all that is warned of.
    expect([...new Set(run.output.match(/warning: [^:]*/g))]).toEqual(['warning: no code has the secret auth']);
    const code = await readFile(join(project.dir, 'code.yaml'), 'utf8');
    expect(code).not.toMatch(SECRET);
    return code;
  };

  test('made, and nothing is left to do', async () => {
    const files = programFiles(programOf('create', dialect));
    const project = await open({ ...files, 'Pulumi.yaml': `${files['Pulumi.yaml']}${PROVIDERS}` });
    await succeeds(project, 'up', '--skip-preview');
    expect(await project.state()).not.toContain('pulumi-nodejs:dynamic');
    stood = await stateOf(project);
    const made = stood.flatMap(({ key }) => sampledAs(key) ?? []);
    expect(made.map(titleOf).sort()).toEqual(SAMPLED.map(titleOf).sort());
    await succeeds(project, 'preview', '--refresh', '--expect-no-changes', '--diff');
    live.writes();
  });

  test('imported into a program in Pulumi YAML: with the printed code, the preview is unchanged', async () => {
    const project = await open({ 'Pulumi.yaml': YAML });
    await project.write('Main.yaml', await imported(project, ({ token, name }) => `${token}-${name}`));
    await succeeds(project, 'preview', '--diff', '--expect-no-changes');
    expect(live.writes()).toEqual([]);
  });

  test('imported into a project of stack files: its code is a comment that names the command for one', async () => {
    const own = 'assembly: { name: home, owner: team@acme.io }\n';
    const project = await open({ 'Pulumi.yaml': ownRuntime(PLUGIN), 'oneops.yaml': own });
    const code = await imported(project, ({ token, name }) => `${token}-${name}`);
    expect(code.trimEnd().split('\n')).toEqual([expect.stringMatching(/^# pulumi-oneops export /)]);
    expect(live.writes()).toEqual([]);
  });

  test('taken over under the names of a stack file, several with one name: the code is unchanged', async () => {
    const project = await open({ 'Pulumi.yaml': YAML });
    await setUp(project);
    const taking = ['import', '--from', 'oneops', '--protect=false', '--skip-preview', '--out', 'code.yaml'];
    await succeeds(project, ...taking, '--', 'acme/home', '--below', '--resources', 'plugin');
    await project.write('Main.yaml', await readFile(join(project.dir, 'code.yaml'), 'utf8'));
    await succeeds(project, 'preview', '--diff', '--expect-no-changes');
    expect(live.writes()).toEqual([]);
  });
});
