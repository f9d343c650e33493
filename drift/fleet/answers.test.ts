// Answers of a fleet: the same after a rest as before, and in no more memory than their bytes.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fleetAnswers } from './answers';

const answerOf = (number: number): readonly object[] =>
  Array.from({ length: 100 }, (_, item) => ({ ciId: number * 1000 + item, ciName: `variable ${item}` }));

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

test('answers that rest take little memory: the compressed bytes, and not the buffer that zlib wrote them into', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { answers, rest } = fleetAnswers();
  collect();
  const before = process.memoryUsage().arrayBuffers;
  for (let number = 0; number < 1000; number += 1) {
    answers.set(`/${number}`, Promise.resolve(answerOf(number)));
    await answers.get(`/${number}`);
  }
  rest();
  collect();
  const each = (process.memoryUsage().arrayBuffers - before) / 1000;
  expect(each).toBeGreaterThan(200);
  expect(each).toBeLessThan(3000);
  await expect(answers.get('/7')).resolves.toEqual(answerOf(7));
});
