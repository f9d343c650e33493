// kill -9 of the CLI while its providers start, before our code runs in them: no process stays.
// KILLS says how often; `make soak` does it more often.
import { execFileSync } from 'node:child_process';
import { setImmediate as turn } from 'node:timers/promises';
import { descendantsOf, killAll, survivorsOf } from '../world/engine';
import { openStory } from './story';

const KILLS = Number(process.env['KILLS'] ?? '2');
const FILE = `assembly: { name: shop, owner: team@acme.io }
platforms:
  web: { pack: oneops/custom:1 }
`;

const { project } = openStory({ files: { 'oneops.yaml': FILE } });
/** The processes that a CLI started, once one is to become a provider, or the CLI has ended. */
async function untilProviderStarts(pid: number, ended: Promise<unknown>): Promise<readonly number[]> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  for (;;) {
    const started = descendantsOf(pid);
    const lines = started.length === 0 ? '' : linesOf(started);
    if (lines.includes('pulumi-resource-pulumi-nodejs') || isOver) return started;
    await turn();
  }
}

function linesOf(pids: readonly number[]): string {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', pids.join()], { encoding: 'utf8' });
  } catch {
    // All of them have ended meanwhile.
    return '';
  }
}

test(`no process outlives its CLI, killed ${KILLS} times while a provider starts`, async () => {
  const left: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const running = project.start(['up', '--skip-preview']);
    const started = await untilProviderStarts(running.pid, running.ended);
    expect(started.length).toBeGreaterThan(1);
    const all = [...new Set([...started, ...descendantsOf(running.pid)])];
    killAll([running.pid]);
    await running.ended;
    left.push(...(await survivorsOf(all)));
    await project.run('cancel');
  }
  expect(left).toEqual([]);
});
