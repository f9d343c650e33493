// A deployment that fails, and a CLI that is killed: what a person is told, and that the next run goes on from there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findEngine, newProject, type Engine, type Project } from '../engine';
import { startService, TOKEN, type LiveService } from './live-service';

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
let live: LiveService;
let project: Project;

beforeAll(async () => {
  engine = await findEngine();
});

beforeEach(async () => {
  live = await startService('classic');
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

test('a failed deployment tells what failed in whose words, and the next up retries it', async () => {
  live.service.failures.set([{ match: 'web/compute', message: 'quota of cores is used up', times: 1 }]);
  const failed = await project.run('up', '--skip-preview');
  expect(failed.code).toBe(1);
  expect(failed.output).toMatch(/deployment \d+ is failed/);
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

test('a CLI killed while it deploys: cancel, up again, and everything is there once', async () => {
  const child = spawn(engine.pulumi, ['up', '--yes', '--skip-preview', '--non-interactive'], {
    cwd: project.dir,
    env: project.environment,
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const started = (): boolean =>
    live.service.journal().some((entry) => entry.route === 'deployments.create' && entry.status === 200);
  while (!started()) await new Promise((resolve) => setImmediate(resolve));
  child.kill('SIGKILL');
  await exited;

  const cancel = await project.run('cancel');
  expect(cancel.code).toBe(0);
  const up = await project.run('up', '--skip-preview');
  expect([up.code, up.output]).toEqual([0, expect.any(String)]);
  const names = (await live.instances('shop')).map((instance) => `${instance.nsPath}/${instance.ciName}`);
  expect(new Set(names).size).toBe(names.length);
  expect(await live.running('shop')).toEqual(['prod/web']);
  await project.run('refresh', '--clear-pending-creates');
  await expectClean();
});
