// Random stacks and edits of them on the real engine: after each up nothing is left to do, the service holds and runs what is declared; after
// destroy it contains nothing. STACKS and SEED in the environment say how many stacks, and which; their dialects alternate.
import fc from 'fast-check';
import { DIALECTS } from '../../api/contract';
import { gently, leftBeside, makeShared, randomVersions, REFUSED, withoutMarks } from '../world/random-lives';
import type { StackSpec } from '../world/stack-spec';
import { findEngine, stateOf } from '../world/engine';
import { openStack, type Done } from './engine-stack';

const STACKS = Number(process.env['STACKS'] ?? 8);
const SEED = Number(process.env['SEED'] ?? 20_261_121);

/** An edit of a stack is another stack: together they are two of the stacks there are. */
const EDITS = 2;

test(
  'random stacks and edits of them converge, and leave nothing',
  async () => {
    const engine = await findEngine();
    const lives = fc.sample(randomVersions(EDITS), { seed: SEED, numRuns: Math.ceil(STACKS / EDITS) });
    let converged = 0;
    for (const [index, { specs, isShared }] of lives.entries()) {
      const dialect = DIALECTS[index % DIALECTS.length]!;
      const stack = await openStack(engine, dialect);
      try {
        if (isShared) await makeShared(stack.live.other);
        let from: StackSpec = {};
        for (const spec of specs) {
          const first = await stack.up(spec);
          // What is refused immediately goes step by step; what the refused run took out of the design already, the state still has.
          const steps = REFUSED.test(first.errors) ? gently(from, spec) : [];
          const done = [first];
          for (const step of steps) done.push(await stack.up(step, '--refresh'));
          const { errors, code } = done.at(-1) as Done;
          // What failed is shown with its stack: the seed and its place in the row make it again.
          const found = { dialect, life: index, spec, errors, code, wrong: await stack.wrong(spec) };
          expect(found).toEqual({ ...found, errors: '', code: 0, wrong: [] });
          converged += 1;
          from = spec;
        }
        // What is protected, or retained, would stay.
        const last = specs.at(-1) as StackSpec;
        if (JSON.stringify(withoutMarks(last)) !== JSON.stringify(last)) await stack.up(withoutMarks(last));
        const { errors, code } = await stack.destroy();
        const left = [...(await stateOf(stack.project)), ...(await leftBeside(stack.live.other, isShared))];
        expect([errors, code, left]).toEqual(['', 0, []]);
      } finally {
        await stack.close();
      }
    }
    process.stdout.write(`random stacks on the engine ${lives.length * EDITS}, converged ${converged}, seed ${SEED}\n`);
  },
  10 * 60_000 + STACKS * 5 * 60_000,
);
