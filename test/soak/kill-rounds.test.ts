// Durability: what the service acknowledged outlives its sudden end, and what it did not is whole
// or not there. `make test` runs a few rounds, `make verify` more, and `make soak` two hundred;
// ROUNDS and SEED in the environment say how many, and which.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judge } from './judge';
import { killRounds } from './kill-rounds';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneops-killed-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the judge', () => {
  const before = ['platform a', 'component x'];
  const after = ['platform a', 'component x', 'platform b', 'component y'];

  test('finds nothing when the last write exists completely or not at all', () => {
    expect(judge(before, [before, after])).toMatchObject({ lost: 0, half: 0, difference: [] });
    expect(judge(after, [before, after])).toMatchObject({ lost: 0, half: 0, difference: [] });
  });

  test('finds half a write, and an acknowledged one that no longer exists', () => {
    expect(judge(['platform a', 'component x', 'platform b'], [before, after])).toMatchObject({ lost: 0, half: 1 });
    expect(judge(['platform a', 'platform b', 'component y'], [before, after])).toMatchObject({ lost: 1, half: 0 });
    expect(judge(['platform a'], [before])).toMatchObject({ lost: 1, half: 0, difference: ['- component x'] });
    expect(judge([...before, 'platform b'], [before])).toMatchObject({ lost: 1, difference: ['+ platform b'] });
    expect(judge(['platform a', 'platform a'], [['platform a']])).toMatchObject({ lost: 1 });
  });
});

test(
  'every acknowledged write is there after kill -9, and no half one',
  async () => {
    process.stdout.write(`kill rounds with SEED=${SEED}\n`);
    const report = await killRounds({ folder, rounds: ROUNDS, seed: SEED });
    const { rounds, acknowledged, lost, half, unanswered, done, refused } = report;
    const slowest = Math.round(Math.max(...report.restarts));
    process.stdout.write(
      [
        `rounds ${rounds}, acknowledged ${acknowledged}, lost ${lost}, half ${half}`,
        `refused ${refused}, without an answer ${unanswered}, of these found done ${done}`,
        `start ${Math.round(report.firstStart)} ms, slowest start after a kill ${slowest} ms\n`,
      ].join('\n'),
    );
    expect(report.findings).toEqual([]);
    expect({ rounds, lost, half }).toEqual({ rounds: ROUNDS, lost: 0, half: 0 });
    expect(acknowledged).toBeGreaterThan(10 * ROUNDS);
  },
  60_000 + ROUNDS * 15_000,
);
