// A deployment that fails, and a CLI that is killed: what a person reads, and that the next run continues from there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { routes } from '../../api/contract';
import { findEngine, newProject, type Engine, type Project } from '../engine';
import { startService, TOKEN, type LiveService } from './live-service';
import { stoppableClock, type StoppableClock } from './stoppable-clock';

const FILE = `assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/custom:1
    components:
      user:
        deployer: { username: deployer }
environments:
  prod:
    clouds: { east: { priority: 1 } }
`;

let engine: Engine;
let clock: StoppableClock;
let live: LiveService;
let project: Project;

beforeAll(async () => {
  engine = await findEngine();
});

beforeEach(async () => {
  clock = stoppableClock(200);
  live = await startService('classic', TOKEN, clock);
  project = await newProject({
    engine,
    files: { 'oneops.yaml': FILE },
    config: { 'oneops:url': live.url, 'oneops:organization': 'acme' },
    secrets: { 'oneops:token': TOKEN },
  });
});

afterEach(async () => {
  await project.remove();
  await live.stop();
});

const expectClean = async (): Promise<void> => {
  const preview = await project.run('preview', '--expect-no-changes');
  const refresh = await project.run('refresh', '--preview-only', '--expect-no-changes', '--diff');
  expect([preview.code, refresh.code, refresh.output]).toEqual([0, 0, expect.any(String)]);
};

test('a failed deployment shows what failed in whose words, and the next up retries it', async () => {
  live.service.failures.set([{ match: 'web/compute', message: 'quota of cores is used up', times: 1 }]);
  const failed = await project.run('up', '--skip-preview');
  expect(failed.code).toBe(1);
  expect(failed.output).toMatch(/deployment \d+ failed/);
  expect(failed.output).toMatch(/web\/compute-\d+-1 failed: quota of cores is used up/);
  expect(failed.output).not.toMatch(/\n\s+at \S+ \(/);

  const preview = await project.run('preview', '--diff');
  expect(preview.output).toContain('to update');
  live.requests();
  const retried = await project.run('up', '--skip-preview');
  expect([retried.code, retried.output]).toEqual([0, expect.any(String)]);
  expect(live.writes()).toContain('PUT deployments.update');
  expect(await live.running('shop')).toEqual(['prod/web']);
  await expectClean();
});

const deployments = (): number =>
  live.service.journal().filter(({ route, status }) => route === 'deployments.create' && status === 200).length;

/** Waits until something holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

test('a CLI killed while it first deploys: destroy says what to run; up joins what runs, and then destroy works', async () => {
  // The deployment does not move from its first moment on.
  clock.stopWhen(() => deployments() > 0);
  const child = spawn(engine.pulumi, ['up', '--yes', '--skip-preview', '--non-interactive'], {
    cwd: project.dir,
    env: project.environment,
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  await until(() => deployments() > 0);
  child.kill('SIGKILL');
  await exited;

  const cancel = await project.run('cancel');
  expect(cancel.code).toBe(0);
  const refused = await project.run('destroy', '--skip-preview');
  expect(refused.code).toBe(1);
  expect(refused.output).toMatch(/newest deployment, \d+ by admin, is active\s.*run pulumi up, .*then pulumi destroy/);

  const up = project.start(['up', '--skip-preview']);
  await until(() => /joins deployment \d+, which is active/.test(up.printed()));
  clock.go();
  const { code, output } = await up.ended;
  expect([code, output]).toEqual([0, expect.any(String)]);
  expect(deployments()).toBe(1);
  const names = (await live.instances('shop')).map((instance) => `${instance.nsPath}/${instance.ciName}`);
  expect(new Set(names).size).toBe(names.length);
  expect(await live.running('shop')).toEqual(['prod/web']);
  await project.run('refresh', '--clear-pending-creates');
  await expectClean();
  const destroyed = await project.run('destroy', '--skip-preview');
  expect([destroyed.code, destroyed.output]).toEqual([0, expect.any(String)]);
  expect(await live.assemblies()).toEqual([]);
});

const PROD = { assembly: 'shop', environment: 'prod' };

/** Maria commits prod, and deploys what was planned. */
async function rollOutByMaria(): Promise<void> {
  const { other } = live;
  await other.call(routes.environments.commit, { address: PROD, body: {} });
  while ((await other.call(routes.environments.read, { address: PROD })).ciState !== 'default');
  const { releaseId } = await other.call(routes.environmentReleases.bom, { address: PROD });
  const body = { cms_deployment: { releaseId: String(releaseId), nsPath: '/acme/shop/prod/bom' } };
  await other.call(routes.deployments.create, { address: PROD, body });
  while ((await other.call(routes.deployments.latest, { address: PROD })).deploymentState !== 'complete');
}

test('somebody takes a platform down: a refresh fails and says so, and up --refresh brings it back', async () => {
  expect((await project.run('up', '--skip-preview')).code).toBe(0);
  const all = (await live.instances('shop')).length;
  const [web] = await live.other.call(routes.environmentPlatforms.list, { address: PROD });
  await live.other.call(routes.environments.disable, {
    address: PROD,
    body: { platformCiIds: [String(web?.ciId)] },
  });
  await rollOutByMaria();
  expect(await live.running('shop')).toEqual([]);

  const refresh = await project.run('refresh', '--preview-only', '--expect-no-changes', '--diff');
  expect(refresh.code).not.toBe(0);
  expect(refresh.output).toMatch(/state\s*: "complete" => "nothing runs of web since deployment \d+ of maria"/);

  const repaired = await project.run('up', '--refresh', '--skip-preview');
  expect([repaired.code, repaired.output]).toEqual([0, expect.any(String)]);
  expect(await live.instances('shop')).toHaveLength(all);
  await expectClean();

  // One of its machines was deleted, and what ran on it was not.
  const [compute] = (await live.instances('shop')).filter(({ ciName }) => ciName.startsWith('compute-'));
  const address = { ...PROD, platform: 'web', component: 'compute', instance: String(compute?.ciId) };
  await live.other.call(routes.operations.deleteInstance, { address });
  const again = await project.run('refresh', '--preview-only', '--expect-no-changes', '--diff');
  expect(again.code).not.toBe(0);
  expect(again.output).toMatch(/"web: \d+ of \d+ instances run in east"/);
  expect((await project.run('up', '--refresh', '--skip-preview')).code).toBe(0);
  expect(await live.instances('shop')).toHaveLength(all);
  await expectClean();
});
