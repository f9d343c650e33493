// Every command that reads files, and files that nobody should have written. Whatever the text, it ends in findings: in a worker that may hold
// 200 MB, and within seconds.
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { examine } from '../../stack';
import { COMPOSED, hostileTexts, STACK } from './fuzz/hostile-texts';
import type { Fault, Part } from './fuzz/read-hostile';

const CASES = Number(process.env['FINDING_CASES'] ?? 750);
const SEED = Number(process.env['SEED'] ?? 20_261_122);

/** Texts between two looks at the faults. */
const PART = 250;

/** Longest that one text may take, in milliseconds. */
const WATCHDOG = 30_000;

/** What a worker may hold, the program itself included. */
const HEAP = { maxOldGenerationSizeMb: 184, maxYoungGenerationSizeMb: 16 };

const PARTS: readonly Part[] = Array.from({ length: Math.ceil(CASES / PART) }, (_, index) => ({
  seed: SEED + index,
  count: Math.min(PART, CASES - index * PART),
}));

/** Has a worker read one part after the other, and returns the faults. Throws an error that contains the text at which the worker died or stayed. */
async function readAll(): Promise<readonly Fault[]> {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(join(__dirname, 'fuzz', 'read-hostile.ts'), {
    execArgv: ['--require', join(__dirname, '..', 'run-source.cjs')],
    resourceLimits: HEAP,
    workerData: { progress },
  });
  const faults: Fault[] = [];
  try {
    for (const part of PARTS) {
      const answer = once(worker, 'message') as Promise<[readonly Fault[]]>;
      worker.postMessage(part);
      const [found] = await Promise.race([answer, stuck(progress, answer)]).catch((error: unknown) => {
        const text = fc.sample(hostileTexts, { seed: part.seed, numRuns: part.count })[Atomics.load(progress, 0)];
        throw new Error(`${String(error)} at the text\n${text}`);
      });
      faults.push(...found);
    }
  } finally {
    await worker.terminate();
  }
  return faults;
}

/** Fails when the worker stays at one text. */
function stuck(progress: Int32Array, answer: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    let seen = { index: -1, since: performance.now() };
    const timer = setInterval(() => {
      const index = Atomics.load(progress, 0);
      if (index !== seen.index) seen = { index, since: performance.now() };
      else if (performance.now() - seen.since > WATCHDOG) {
        stop();
        reject(new Error(`it takes longer than ${WATCHDOG} ms`));
      }
    }, 500);
    const stop = (): void => clearInterval(timer);
    answer.then(stop, stop);
  });
}

test.each([STACK, COMPOSED])('the file that is changed is right', (text) =>
  expect(examine(text, { files: { 'motd.txt': '', 'motd.yaml': '{}' } }).findings).toEqual([]),
);

test(`${CASES} texts end in findings with a place, and none in a crash`, async () => {
  expect(await readAll()).toEqual([]);
}, 1_500_000);
