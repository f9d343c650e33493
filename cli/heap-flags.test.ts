// What the flags do to a heap of which much is alive and much more dies young, and which commands set them.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');

/** Holds some tens of megabytes, lets many more die after a while, and prints the largest heap in bytes. */
const CHURN = `
  const { memoryUsage } = process;
  const live = Array.from({ length: 400_000 }, (_, number) => ({ number, text: 'kept ' + number }));
  let young = [];
  let largest = 0;
  for (let number = 0; number < 2_000_000; number += 1) {
    young.push({ number, text: 'short-lived ' + number });
    if (young.length === 40_000) {
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

/** Whether the installed program sets the flags when it is called with these words; nothing else of it is loaded. */
function isBounded(words: readonly string[]): boolean {
  const program = `
    const { _load: load } = require('node:module');
    require('node:module')._load = (name, ...rest) => {
      if (name.endsWith('/heap-flags.js')) return { setHeapFlags: () => console.log('bounded') };
      return name.endsWith('/main.js') ? {} : load(name, ...rest);
    };
    require('./bin/pulumi-oneops');
  `;
  return execFileSync(process.execPath, ['-e', program, ...['pulumi-oneops', ...words]], {
    cwd: ROOT,
    encoding: 'utf8',
  }).includes('bounded');
}

test.each([
  ['serve', true],
  ['drift --all stacks/*', true],
  ['drift --fail-on high --backend', true],
  ['drift', false],
  ['drift merge shards/*.json', false],
  ['check --all', false],
])('pulumi-oneops %s: flags %s', (words, expected) => {
  expect(isBounded(words.split(' '))).toBe(expected);
});
