// Durability: acknowledged writes outlive a sudden end of the service, and others are whole or not
// there. ROUNDS and SEED say how many rounds, and which; `make soak` plays two hundred.
import { eachFolder } from '../folder';
import { difference, killRounds } from './kill-rounds';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

const folder = eachFolder();

test('half a write, and an acknowledged one that no longer exists, are found', () => {
  const before = ['platform a', 'component x'];
  expect(difference(before, before)).toEqual([]);
  expect(difference([...before, 'platform b'], before)).toEqual(['+ platform b']);
  expect(difference(['platform a', 'platform a'], before)).toEqual(['- component x', '+ platform a']);
});

test(
  'every acknowledged write is there after kill -9, and no half one',
  async () => {
    process.stdout.write(`kill rounds with SEED=${SEED}\n`);
    const report = await killRounds({ folder: folder.path, rounds: ROUNDS, seed: SEED });
    const { rounds, acknowledged, unanswered, done, refused } = report;
    const slowest = Math.round(Math.max(...report.restarts));
    process.stdout.write(
      [
        `rounds ${rounds}, acknowledged ${acknowledged}`,
        `refused ${refused}, without an answer ${unanswered}, of these found done ${done}`,
        `start ${Math.round(report.firstStart)} ms, slowest start after a kill ${slowest} ms\n`,
      ].join('\n'),
    );
    expect(report.findings).toEqual([]);
    expect(rounds).toBe(ROUNDS);
    expect(acknowledged).toBeGreaterThan(10 * ROUNDS);
  },
  60_000 + ROUNDS * 15_000,
);
