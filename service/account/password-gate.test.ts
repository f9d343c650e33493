// Laws of trying passwords: who guesses waits longer each time, holds up nobody else, and never keeps the service busy.
import { callerOf } from '../../test/service-caller';
import { createPasswordGate, delayAfter } from './profile';

const PATH = '/account/profile/authentication_token';
const user = (username: string, password: string): object => ({ user: { username, password } });
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('each failure doubles the delay, up to a limit; a success ends it', async () => {
  expect([0, 1, 2, 3, 6, 7, 2000].map(delayAfter)).toEqual([0, 250, 500, 1000, 8000, 8000, 8000]);
  const waits: number[] = [];
  const gate = createPasswordGate(async (ms) => void waits.push(ms));
  const attempt = (found: string | undefined): Promise<unknown> => gate.run('ann', () => Promise.resolve(found));
  for (const found of [undefined, undefined, 'token', 'token', undefined, 'token']) await attempt(found);
  expect(waits).toEqual([250, 500, 250]);
});

test('checks run two at a time, those of one name one after another, and no more wait than a few', async () => {
  const gate = createPasswordGate(async () => undefined);
  const running = new Set<string>();
  const ends: (() => void)[] = [];
  let most = 0;
  const check = (name: string) => async (): Promise<string | undefined> => {
    expect(running.has(name)).toBe(false);
    running.add(name);
    most = Math.max(most, running.size);
    await new Promise<void>((resolve) => ends.push(resolve));
    running.delete(name);
    return undefined;
  };
  const names = [
    ...Array.from({ length: 10 }, () => 'ann'),
    ...Array.from({ length: 60 }, (_, index) => `user${index}`),
  ];
  const found = names.map((name) => gate.run(name, check(name)));
  const settled = Promise.all(found);
  let isDone = false;
  void settled.then(() => (isDone = true));
  while (!isDone) {
    ends.splice(0).forEach((end) => end());
    await nextTurn();
  }
  const outcomes = await settled;
  expect(most).toBe(2);
  expect(outcomes.slice(0, 10).filter((each) => each === 'busy')).toHaveLength(6);
  expect(outcomes.filter((each) => each !== 'busy')).toHaveLength(32);
  expect(await gate.run('ann', async () => 'token')).toBe('token');
});

test('guessers wait, others are served meanwhile, and the right password still gets its token', async () => {
  const waiting: (() => void)[] = [];
  const waits: number[] = [];
  const caller = callerOf('documented', {
    users: [{ name: 'ann', token: 'token-of-ann', password: 'right' }],
    wait: (ms) => {
      waits.push(ms);
      return new Promise((resolve) => waiting.push(resolve));
    },
  });
  expect((await caller.send('POST', PATH, user('ann', 'wrong'))).status).toBe(401);
  const guesses = Array.from({ length: 16 }, () => caller.send('POST', PATH, user('ann', 'wrong')));
  // All sixteen are there; none is answered before others were served.
  expect((await caller.send('GET', '/acme/clouds')).status).toBe(200);
  let left = guesses.length;
  guesses.forEach((guess) => void guess.then(() => (left -= 1)));
  while (left > 0) {
    waiting.splice(0).forEach((go) => go());
    await nextTurn();
  }
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(4);
  expect(statuses.filter((status) => status === 429)).toHaveLength(12);
  expect(waits).toEqual([250, 500, 1000, 2000]);
  const right = caller.send('POST', PATH, user('ann', 'right'));
  while (waiting.length === 0) await nextTurn();
  waiting.splice(0).forEach((go) => go());
  expect(await right).toMatchObject({ status: 200, body: { token: expect.any(String) } });
  // A user that does not exist is tried as one that does.
  expect((await caller.send('POST', PATH, user('nobody', 'x'))).status).toBe(401);
  expect(caller.bugs).toEqual([]);
  caller.close();
});
