// What a trace reports of each step of a request: which, how it ended, how long it took, which attempt; nothing of what was sent.
import { createApi, type ClientEvent } from '../../../api/client';
import { routes } from '../../../api/contract';
import { traceLine } from './connection';

const linesOf = async (statuses: readonly number[]): Promise<readonly string[]> => {
  const events: ClientEvent[] = [];
  const left = [...statuses];
  let clock = 0;
  const api = createApi({
    url: 'http://127.0.0.1',
    organization: 'acme',
    token: 'canary-token',
    dialect: 'documented',
    observe: (event) => events.push(event),
    pause: () => Promise.resolve(),
    random: () => 0.5,
    now: () => (clock += 12),
    send: () => Promise.resolve({ status: left.shift() ?? 200, headers: {}, body: '[]' }),
  });
  await api.call(routes.assemblies.list, { query: { name: 'shop' } }).catch(() => undefined);
  return events.map(traceLine).filter((line) => line !== undefined);
};

test('a request that is answered is one line', async () => {
  expect(await linesOf([200])).toEqual(['GET /acme/assemblies?name=shop 200 in 12 ms, attempt 1']);
});

test('each repetition shows why and when', async () => {
  expect(await linesOf([503, 200])).toEqual([
    'GET /acme/assemblies?name=shop 503 in 12 ms, attempt 1',
    'GET /acme/assemblies?name=shop ServerError, attempt 1: again in 200 ms',
    'GET /acme/assemblies?name=shop 200 in 12 ms, attempt 2',
  ]);
});

test('a failure for good is reported with its kind', async () => {
  expect(await linesOf([403])).toEqual([
    'GET /acme/assemblies?name=shop 403 in 12 ms, attempt 1',
    'GET /acme/assemblies?name=shop Forbidden, attempt 1: given up (final)',
  ]);
});
