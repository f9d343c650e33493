// The shards of a fleet as Kubernetes runs them: the scripts of the example, each in a process, at the same time; then
// the one that joins their results.
import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Fleet } from '../../../drift';
import { cronJob } from '../../../test/engine/pipeline-scripts';
import { type FleetWorld, openFleetWorld } from '../../../test/world/fleet-world';

const ROOT = join(__dirname, '..', '..', '..');
/** `make verify` starts sixteen; fleet.test.ts joins sixteen in process. */
const SHARDS = Number(process.env['FLEET_PROCESSES'] ?? 2);

let at: FleetWorld;
beforeAll(async () => {
  at = await openFleetWorld(['mail', 'news', 'wiki']);
  await at.tamperIn('wiki', { description: 'somebody was here' });
  at.write(
    '.bin/npx',
    `#!/bin/sh\nshift 3\nexec '${process.execPath}' --require '${ROOT}/test/run-source.cjs' '${ROOT}/cli/main.ts' "$@"\n`,
  );
  chmodSync(join(at.folder, '.bin', 'npx'), 0o755);
});
afterAll(() => at.close());

async function pod(file: string, name: string, more: { readonly [name: string]: string }): Promise<string> {
  const { text, shell, environment } = cronJob(file, name);
  const [program = '', ...words] = shell;
  const { stdout } = await promisify(execFile)(program, [...words, text], {
    cwd: at.folder,
    env: {
      ...process.env,
      ...environment,
      ...at.settings,
      PATH: `${at.folder}/.bin:${process.env['PATH'] ?? ''}`,
      RESULTS: at.folder,
      METRICS: at.folder,
      ...more,
    },
  });
  return stdout;
}

test('the joined result of all pods is the review of the fleet', async () => {
  const pods = Array.from({ length: SHARDS }, (_, index) =>
    pod('fleet.yaml', 'oneops-drift-shards', {
      SHARDS: String(SHARDS),
      JOB_COMPLETION_INDEX: String(index),
    }),
  );
  await Promise.all(pods);
  expect(await pod('fleet-merge.yaml', 'oneops-drift-merge', {})).toContain(
    'DRIFT: 3 stacks: 2 in sync, 1 with drift; 1 cause',
  );
  for (const name of ['fleet.html', 'oneops-drift-fleet.prom']) expect(at.read(name)).toContain('stacks/wiki/dev');
  const results = Array.from({ length: SHARDS }, (_, index) => JSON.parse(at.read(`shard-${index + 1}.json`)) as Fleet);
  const whole = await at.fleet();
  expect(results.flatMap(({ causes }) => causes)).toEqual(whole.causes);
}, 120_000);
