// Random stacks and edits of them on the real engine: after each up nothing is left to do, the service holds and runs what is declared; after
// destroy it holds nothing. STACKS and SEED in the environment say how many stacks, and which; their dialects alternate.
import fc from 'fast-check';
import { DIALECTS } from '../../api/contract';
import { randomStack } from '../conformance/random-stacks';
import { findEngine } from '../engine';
import { openStack } from './engine-stack';

const STACKS = Number(process.env['STACKS'] ?? 8);
const SEED = Number(process.env['SEED'] ?? 20_261_121);

/** An edit of a stack is another stack: together they are two of the stacks there are. */
const EDITS = 2;

test(
  'random stacks and edits of them converge, and leave nothing',
  async () => {
    const engine = await findEngine();
    const lives = fc.sample(fc.array(randomStack, { minLength: EDITS, maxLength: EDITS }), {
      seed: SEED,
      numRuns: Math.ceil(STACKS / EDITS),
    });
    let converged = 0;
    for (const [index, versions] of lives.entries()) {
      const dialect = DIALECTS[index % DIALECTS.length]!;
      const stack = await openStack(engine, dialect);
      try {
        for (const spec of versions) {
          const { errors, code } = await stack.up(spec);
          // What failed is shown with its stack: the seed and its place in the row make it again.
          const found = { dialect, life: index, spec, errors, code, wrong: await stack.wrong(spec) };
          expect(found).toEqual({ ...found, errors: '', code: 0, wrong: [] });
          converged += 1;
        }
        const { errors, code } = await stack.destroy();
        expect([errors, code, await stack.left()]).toEqual(['', 0, []]);
      } finally {
        await stack.close();
      }
    }
    process.stdout.write(`random stacks on the engine ${lives.length * EDITS}, converged ${converged}\n`);
  },
  10 * 60_000 + STACKS * 5 * 60_000,
);
