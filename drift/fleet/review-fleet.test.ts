// Answers of a fleet: the same after a rest as before, and in no more memory than their bytes.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fleetAnswers } from './review-fleet';

const answerOf = (number: number): readonly object[] =>
  Array.from({ length: 100 }, (_, item) => ({ ciId: number * 1000 + item, ciName: `variable ${item}` }));

const ROOT = join(__dirname, '..', '..');

/** Bytes that a compressed answer may take; zlib writes it into 16 KB. */
const MOST = 3000;

test('an answer is the same after a rest, also one that rested twice, and a failed one fails again', async () => {
  const { answers, rest } = fleetAnswers();
  const failed = Promise.reject<unknown>(new Error('no answer'));
  answers.set('/large', Promise.resolve(answerOf(1)));
  answers.set('/small', Promise.resolve({ ciId: 1 }));
  answers.set('/failed', failed);
  await expect(failed).rejects.toThrow('no answer');
  for (let rests = 0; rests < 2; rests += 1) {
    rest();
    await expect(answers.get('/large')).resolves.toEqual(answerOf(1));
    await expect(answers.get('/small')).resolves.toEqual({ ciId: 1 });
    await expect(answers.get('/failed')).rejects.toThrow('no answer');
  }
  expect(answers.get('/other')).toBeUndefined();
});

/** Lets a thousand answers rest, and prints the bytes of memory for each, once all that is not needed is given back. */
const RESTING = `
  const { fleetAnswers } = require('./drift/fleet/review-fleet.ts');
  const { answers, rest } = fleetAnswers();
  const items = (number) => Array.from({ length: 100 }, (_, item) => ({ ciId: number * 1000 + item, ciName: 'variable ' + item }));
  const used = () => (gc(), process.memoryUsage().arrayBuffers);
  (async () => {
    const before = used();
    for (let number = 0; number < 1000; number += 1) {
      answers.set('/' + number, Promise.resolve(items(number)));
      await answers.get('/' + number);
    }
    rest();
    // Memory is given back beside the program, a moment later.
    let each = Infinity;
    for (let round = 0; round < 500 && each > ${MOST}; round += 1) {
      each = (used() - before) / 1000;
      await new Promise(setImmediate);
    }
    console.log(each, JSON.stringify(await answers.get('/7')) === JSON.stringify(items(7)));
  })();
`;

test('answers that rest take little memory: the compressed bytes, and not the buffer that zlib wrote them into', () => {
  const words = ['--expose-gc', '--require', './test/run-source.cjs', '-e', RESTING];
  const [each, isSame] = execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' }).trim().split(' ');
  expect(Number(each)).toBeGreaterThan(200);
  expect(Number(each)).toBeLessThan(MOST);
  expect(isSame).toBe('true');
});
