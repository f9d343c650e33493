// The laws of ownership on random histories of two stacks and another user: nothing is taken away, or brought along, that the run's file does not say.
// HISTORIES and SEED in the environment say how many, and which; HISTORY plays the one of this number alone, and prints it.
import fc from 'fast-check';
import { histories } from '../world/ownership-history';
import { play } from '../world/ownership-play';

const COUNT = Number(process.env['HISTORIES'] ?? 10);
const SEED = Number(process.env['SEED'] ?? 20_261_126);
const ONLY = process.env['HISTORY'];

test(
  'no run takes away, or brings along, what its file does not say, and a destroy leaves what another stack runs',
  async () => {
    const total = { runs: 0, complete: 0, deletes: 0 };
    const failures: string[] = [];
    for (const [index, history] of fc.sample(histories, { seed: SEED, numRuns: COUNT }).entries()) {
      if (ONLY !== undefined && Number(ONLY) !== index) continue;
      const { broken, story, counts } = await play(history);
      for (const name of ['runs', 'complete', 'deletes'] as const) total[name] += counts[name];
      if (broken.length > 0)
        failures.push(`history ${index} (${history.dialect}, ${history.second}): ${broken.join('; ')}`);
      if (ONLY !== undefined) process.stdout.write(`${story.join('\n')}\n`);
    }
    process.stdout.write(
      `histories ${COUNT}: ${total.runs} runs, ${total.complete} complete, ${total.deletes} deletes, seed ${SEED}\n`,
    );
    expect(failures).toEqual([]);
    expect(total.complete).toBeGreaterThan(0);
  },
  60_000 + COUNT * 20_000,
);
