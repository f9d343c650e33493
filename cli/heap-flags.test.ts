// What the flags do to a heap of which much is alive and much more dies young.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');

/** Holds some megabytes, lets many more die after a while, and prints the largest heap in bytes. */
const CHURN = `
  const { memoryUsage } = process;
  const live = Array.from({ length: 200_000 }, (_, number) => ({ number, text: 'kept ' + number }));
  let young = [];
  let largest = 0;
  for (let number = 0; number < 600_000; number += 1) {
    young.push({ number, text: 'short-lived ' + number });
    if (young.length === 20_000) {
      young = [];
      largest = Math.max(largest, memoryUsage().heapTotal);
    }
  }
  console.log(largest, live.length);
`;

const largestHeap = (before: string): number => {
  const words = ['--require', './test/run-source.cjs', '-e', `${before};${CHURN}`];
  return Number.parseInt(execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }), 10);
};

test('a heap with the flags stays well below one without them', () => {
  const bounded = largestHeap("require('./cli/heap-flags.ts').setHeapFlags()");
  expect(bounded).toBeGreaterThan(10e6);
  expect(bounded).toBeLessThan(0.8 * largestHeap(''));
});
