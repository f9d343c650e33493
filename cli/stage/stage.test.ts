// What Ctrl-C ends at once: a call that nothing answers, and every call after it.
import { routes, type Api } from '../../api/contract';
import { Stopped, stoppable } from './stage';

test('a person who asks for the end gets it, whatever a call waits for', async () => {
  const stop = new AbortController();
  let calls = 0;
  const silent = { call: () => new Promise(() => (calls += 1)) } as unknown as Api;
  const api = stoppable(silent, stop.signal);
  const waiting = api.call(routes.clouds.list, {});
  stop.abort();
  await expect(waiting).rejects.toThrow(Stopped);
  await expect(api.call(routes.clouds.list, {})).rejects.toThrow(Stopped);
  expect(calls).toBe(1);
});
