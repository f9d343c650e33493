// examples/staged-promotion on the real engine: production after staging, untouched when staging
// fails, and what a log shows of the wait. And examples/promotion: three stacks of one file, each
// by an approved plan.
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fastClock } from '../../service';
import { leftEverywhere } from '../world/left-to-deploy';
import { diagnosticsIn, findEngine, newProject, REPOSITORY, setUp, type Project, type Run } from '../world/engine';
import { TOKEN } from './live-service';
import { openStory } from './story';

const filesIn = (folder: string, names: readonly string[]): { readonly [name: string]: string } =>
  Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

const EXAMPLE = join(REPOSITORY, 'examples', 'staged-promotion');
const FILES = ['Pulumi.yaml', 'oneops.yaml', 'package.json'];

/** `3/7 web/compute-6201-1 active`, as rows show it. */
const PROGRESS = /\b(\d+)\/(\d+) (?:\S.* )?(active|complete|failed)\b/;

// Slow enough for several looks at one deployment.
const { live, project } = openStory({ dialect: 'classic', clock: fastClock(60), files: filesIn(EXAMPLE, FILES) });

beforeAll(() => setUp(project));

/** Requests for an environment since the last `requests()`, as `POST …/commit`. */
const written = (since: number, environment: string): readonly string[] =>
  live.service
    .journal()
    .slice(since)
    .filter(({ method, path }) => method !== 'GET' && path.includes(`/environments/${environment}`))
    .map(({ method, path }) => `${method} ${path}`);

test('production comes after staging; a log shows what runs, a line when it changes and no more', async () => {
  const up = await project.run('up', '--skip-preview');
  expect(up).toExitWith(0);
  const journal = live.service.journal();
  const began = (environment: string): number =>
    journal.findIndex(
      ({ method, path }) => method === 'POST' && path.includes(`/environments/${environment}/deployments`),
    );
  const made = journal.map(({ route }) => route).lastIndexOf('environments.create');
  expect(began('staging')).toBeGreaterThan(0);
  expect(made).toBeGreaterThan(began('staging'));
  expect(began('prod')).toBeGreaterThan(made);

  const lines = up.output.split('\n').filter((line) => PROGRESS.test(line));
  // What runs is named by platform and instance, on the deployment's own row.
  expect(
    lines.some((line) => /oneops:Deployment (staging|prod) .*\b\d+\/\d+ web\/[a-z]+-\d+-\d+.* active/.test(line)),
  ).toBe(true);
  // A line says something new (the row's last one, `created`, says again what was said last), and
  // all of them are no more than a person reads.
  const progress = lines
    .filter((line) => line.includes(' creating ('))
    .map((line) => `${/Deployment \w+/.exec(line)?.[0]} ${PROGRESS.exec(line)?.[0]}`);
  expect(progress.length).toBeGreaterThan(0);
  expect(progress.filter((line, index) => progress.indexOf(line) !== index)).toEqual([]);
  expect(up.output.split('\n').length).toBeLessThan(150);
});

test('a failing deployment of staging leaves production untouched; repaired, production follows', async () => {
  await project.run('config', 'set', 'greeting', 'Welcome back.');
  const since = live.service.journal().length;
  const runs = await live.instances('promoted');
  live.service.faults.set([{ effect: 'fail-deployment', record: 'web/deployer', message: 'no room' }]);
  const failed = await project.run('up', '--skip-preview');
  expect([failed.code, failed.output]).toEqual([1, expect.stringMatching(/deployment \d+ failed[^]*no room/)]);
  expect(written(since, 'prod')).toEqual([]);
  const ofProd = (all: typeof runs) => all.filter(({ nsPath }) => nsPath.includes('/prod/'));
  expect(ofProd(await live.instances('promoted'))).toEqual(ofProd(runs));

  live.service.faults.set([]);
  const mended = await project.run('up', '--skip-preview', '--json');
  expect(mended).toExitWith(0);
  expect(written(since, 'prod').some((line) => line.includes('/deployments'))).toBe(true);
  expect(await leftEverywhere(live.other)).toEqual([]);
  // The live display shows it on the deployment's own row, and keeps nothing of it.
  const progress = diagnosticsIn(mended.stdout).filter(({ message }) => PROGRESS.test(message));
  expect(progress.length).toBeGreaterThan(0);
  for (const { urn, ephemeral } of progress)
    expect([urn, ephemeral]).toEqual([expect.stringMatching(/oneops:Deployment::(staging|prod)$/), true]);
  expect(await project.run('refresh', '--preview-only', '--expect-no-changes', '--diff')).toExitWith(0);
  expect(live.service.outages()).toEqual([]);
});

test('destroyed, production goes first', async () => {
  const since = live.service.journal().length;
  expect(await project.run('destroy', '--skip-preview')).toExitWith(0);
  const journal = live.service.journal().slice(since);
  const first = (environment: string): number =>
    journal.findIndex(({ method, path }) => method !== 'GET' && path.includes(`/environments/${environment}`));
  expect(first('prod')).toBeGreaterThanOrEqual(0);
  expect(first('prod')).toBeLessThan(first('staging'));
  expect(await live.assemblies()).toEqual([]);
});

describe('a commit goes from dev to staging to prod', () => {
  const PROMOTION = join(REPOSITORY, 'examples', 'promotion');
  let stacks: Project;

  beforeAll(async () => {
    const names = ['Pulumi.yaml', 'oneops.yaml', 'package.json', 'freeze.txt', 'promote.sh'];
    stacks = await newProject({
      engine: await findEngine(),
      files: filesIn(PROMOTION, names),
      environment: { ONEOPS_URL: live.url, ONEOPS_ORGANIZATION: 'acme', ONEOPS_TOKEN: TOKEN },
    });
    await setUp(stacks);
    for (const stack of ['staging', 'prod']) await stacks.addStack(stack);
    mkdirSync(join(stacks.dir, 'node_modules', '.bin'));
    symlinkSync(join(REPOSITORY, 'bin', 'pulumi-oneops'), join(stacks.dir, 'node_modules', '.bin', 'pulumi-oneops'));
  });

  afterAll(() => stacks.remove());

  const run = (line: string, variables: { readonly [name: string]: string } = {}): Promise<Run> =>
    stacks.execute('sh', ['-c', line], variables);
  /** Applies the plan that was approved last. */
  const apply = (stack: string, variables: { readonly [name: string]: string } = {}): Promise<Run> =>
    run(`sh promote.sh ${stack} "$(sed -n 's/^Plan: \`\\(.*\\)\`$/\\1/p' comment.md)"`, variables);
  const promote = async (stack: string, variables: { readonly [name: string]: string } = {}): Promise<Run> => {
    const planned = await run(`sh node_modules/pulumi-oneops/examples/pipelines/shell/plan.sh ${stack}`);
    return planned.code === 0 ? apply(stack, variables) : planned;
  };
  const git = async (words: string): Promise<void> => {
    const line = `git -c user.name=Maria -c user.email=maria@acme.io ${words}`;
    expect(await run(line)).toExitWith(0);
  };
  /** What the machines of a stack were given, each text once. */
  const machines = async (stack: string): Promise<readonly unknown[]> => {
    const all = await live.instances(`shop-${stack}`);
    const users = all.filter(({ ciName }) => ciName.startsWith('deployer-'));
    return [...new Set(users.map(({ ciAttributes }) => ciAttributes?.['description']))];
  };
  const edit = async (from: string, to: string): Promise<void> => {
    const text = readFileSync(join(stacks.dir, 'oneops.yaml'), 'utf8');
    expect(text).toContain(from);
    await stacks.write('oneops.yaml', text.replace(from, to));
  };

  test('each stack after the one before it', async () => {
    expect(await promote('staging')).toExitWith(7);
    for (const stack of ['dev', 'staging', 'prod']) {
      expect(await promote(stack)).toExitWith(0);
      expect(await machines(stack)).toEqual(['First.']);
    }
  });

  test('not next to the stack before it, not before its checks pass, not in a freeze window', async () => {
    let status = 200;
    const server = createServer((_, response) => response.writeHead(status).end('no database'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await stacks.run('config', 'set', '--stack', 'dev', 'health', `http://127.0.0.1:${port}/`);
    await edit('within: 30s', 'within: 1s');
    await git('init --quiet');
    await git('add oneops.yaml');
    await git('commit --quiet --message First');
    await edit('First.', 'Second.');
    await git('commit --quiet --all --message Second');
    expect(await promote('staging')).toExitWith(7);
    expect(await promote('dev')).toExitWith(0);
    expect(await machines('dev')).toEqual(['Second.']);
    status = 503;
    const waits = await promote('staging');
    expect([waits.code, waits.output]).toEqual([7, expect.stringMatching(/status 503, not 200: no database/)]);
    status = 200;
    expect(await apply('staging')).toExitWith(0);
    expect(await machines('staging')).toEqual(['Second.']);
    await stacks.run('config', 'rm', '--stack', 'dev', 'health');
    server.close();
    const windows = readFileSync(join(stacks.dir, 'freeze.txt'), 'utf8');
    await stacks.write('freeze.txt', 'prod 2000-01-01 2999-12-31 holidays\n');
    // The day is that of the clock, whatever the environment says.
    expect(await promote('prod', { TODAY: '1999-01-01' })).toMatchObject({
      code: 8,
      output: expect.stringContaining('holidays') as string,
    });
    await stacks.write('freeze.txt', windows);
  });

  test('rolled back by the revert of its commit: the machines have the former values again', async () => {
    await git('revert --no-edit HEAD');
    for (const stack of ['dev', 'staging']) {
      expect(await promote(stack)).toExitWith(0);
      expect(await machines(stack)).toEqual(['First.']);
    }
    // What never got the commit needs no revert.
    expect(await machines('prod')).toEqual(['First.']);
  });

  test('not to another service than the one it was approved for', async () => {
    await edit('size: { type: string, default: S }', 'size: { type: string, default: M }');
    const since = live.service.journal().length;
    // The same service at another address: only the address says that it is another one.
    const elsewhere = await promote('dev', { ONEOPS_URL: live.url.replace('127.0.0.1', 'localhost') });
    expect([elsewhere.code, elsewhere.output.replace(/\s+/g, ' ')]).toEqual([
      2,
      expect.stringMatching(
        /is stale: [^]*the plan, its start or the service is another one; the service here is http:\/\/localhost/,
      ),
    ]);
    const writes = live.service
      .journal()
      .slice(since)
      .filter(({ method }) => method !== 'GET');
    expect(writes).toEqual([]);
    await edit('size: { type: string, default: M }', 'size: { type: string, default: S }');
  });

  test('not while somebody changed the stack before it', async () => {
    await live.maria.at({ assembly: 'shop-dev' }).set('web/deployer', { description: 'mine' });
    const waits = await apply('staging');
    expect([waits.code, waits.output]).toEqual([7, expect.stringContaining('maria')]);
    expect(await machines('staging')).toEqual(['First.']);
  });
});
