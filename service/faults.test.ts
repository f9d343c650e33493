// Which requests a fault strikes, and what becomes of them: in process and over sockets.
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { dialectsInTurn } from '../test/dialects-in-turn';
import { ADMIN_TOKEN, basic, type Caller, callerFor, callerOf } from '../test/service-caller';
import { record } from '../test/shop';
import { listen, type Listening } from './http/listen';
import { AnswerDropped, createFaults, readFaults } from './faults';

const HEADERS = {
  authorization: basic(ADMIN_TOKEN),
  accept: 'application/json',
  'content-type': 'application/json',
} as const;
const assembly = (name: string): string => JSON.stringify(record(name, { owner: 'maria@acme.io' }));

describe('which requests are struck', () => {
  const call = (route = 'clouds.list', method = 'GET', record = '/acme') => ({ route, method, record });
  const strikes = (fault: object, calls: readonly ReturnType<typeof call>[]): boolean[] => {
    const faults = createFaults([{ effect: 'drop', ...fault }]);
    return calls.map((each) => faults.meet(() => each) !== undefined);
  };

  test('law: the nth of those that match, and as many as it says', () => {
    fc.assert(
      fc.property(
        fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
        fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        (nth, times, matching) => {
          const fault = { route: 'clouds.list', ...(nth && { nth }), ...(times && { times }) };
          const struck = strikes(
            fault,
            matching.map((matches) => call(matches ? 'clouds.list' : 'clouds.read')),
          );
          let met = 0;
          const expected = matching.map((matches) => {
            if (!matches) return false;
            met += 1;
            const many = times ?? (nth === undefined ? Infinity : 1);
            return met >= (nth ?? 1) && met < (nth ?? 1) + many;
          });
          expect(struck).toEqual(expected);
        },
      ),
    );
  });

  test.each([
    [{ method: 'GET' }, true],
    [{ method: 'PUT' }, false],
    [{ route: 'components.read', method: 'GET' }, true],
    [{ record: 'compute' }, true],
    [{ record: 'web/compute' }, true],
    [{ record: '/acme/shop/web/compute' }, true],
    [{ record: 'eb/compute' }, false],
    [{ record: 'web' }, false],
  ])('%j: %s', (fault, expected) => {
    expect(strikes(fault, [call('components.read', 'GET', '/acme/shop/web/compute')])).toEqual([expected]);
  });

  test('delays add up and go with one other effect; without faults no call is made up', () => {
    const faults = createFaults([
      { effect: 'delay', ms: 100 },
      { effect: 'delay', ms: 20 },
      { effect: 'drop' },
      { effect: 'html' },
    ]);
    expect(faults.meet(() => call())).toMatchObject({ delay: 120, fault: { effect: 'drop' } });
    faults.set([]);
    expect(
      faults.meet(() => {
        throw new Error('made up');
      }),
    ).toBeUndefined();
  });
});

describe.each(dialectsInTurn(1))('%s', (dialect) => {
  const log: string[] = [];
  const caller: Caller = callerFor('all', dialect, undefined, {
    wait: async (ms) => {
      log.push(`waited ${ms}`);
    },
    journal: ({ route }) => log.push(route ?? 'none'),
  });
  const send = (method: string, path: string, body?: string) =>
    caller.service.handle({ method, path, headers: HEADERS, ...(body === undefined ? {} : { body }) });
  const names = async (): Promise<string[]> =>
    ((await caller.send('GET', '/acme/assemblies')).body as { ciName: string }[]).map(({ ciName }) => ciName);
  beforeEach(async () => {
    caller.service.faults.set([]);
    await caller.send('DELETE', '/acme/assemblies/shop');
    log.length = 0;
  });

  test.each([
    [{ effect: 'status', status: 503, body: { errors: ['down'] } }, 503, false],
    [{ effect: 'status', status: 504, body: 'gateway', applied: true }, 504, true],
    [{ effect: 'html' }, 200, false],
    [{ effect: 'html', status: 502, applied: true }, 502, true],
    [{ effect: 'rate-limit', seconds: 7 }, 429, false],
    [{ effect: 'delay', ms: 5 }, 200, true],
    [{ effect: 'truncate', bytes: 10 }, 200, true],
    [{ effect: 'drip', ms: 5 }, 200, true],
  ] as const)('%j answers %d; carried out: %s', async (fault, status, applied) => {
    caller.service.faults.set([{ ...fault, route: 'assemblies.create' }]);
    const answer = await send('POST', '/acme/assemblies', assembly('shop'));
    expect(answer.status).toBe(status);
    expect(await names()).toEqual(applied ? ['shop'] : []);
    expect(caller.service.journal().at(-2)).toMatchObject({
      route: 'assemblies.create',
      status,
      fault: fault.effect,
    });
  });

  test.each([false, true])('a dropped answer is a rejection; carried out: %s', async (applied) => {
    caller.service.faults.set([{ effect: 'drop', applied, route: 'assemblies.create', times: 1 }]);
    await expect(send('POST', '/acme/assemblies', assembly('shop'))).rejects.toThrow(AnswerDropped);
    expect(await names()).toEqual(applied ? ['shop'] : []);
    expect(caller.service.journal().at(-2)).toMatchObject({ route: 'assemblies.create', status: 0, fault: 'drop' });
  });

  test('what the answers look like', async () => {
    caller.service.faults.set([
      { effect: 'status', status: 503, body: { errors: ['down'] }, headers: { 'Retry-After': '3' }, nth: 1 },
      { effect: 'status', status: 500, body: 'plain', nth: 2 },
      { effect: 'html', nth: 3 },
      { effect: 'rate-limit', seconds: 7, nth: 4 },
      { effect: 'truncate', bytes: 10, nth: 5 },
      { effect: 'truncate', bytes: 1_000_000, nth: 6 },
    ]);
    const answers = [];
    for (let turn = 0; turn < 7; turn += 1) answers.push(await send('GET', '/acme/clouds'));
    const [down, plain, html, tooMany, cut, long, whole] = answers;
    expect(down).toMatchObject({ body: '{"errors":["down"]}', headers: { 'retry-after': '3' } });
    expect(plain).toMatchObject({ body: 'plain', headers: { 'content-type': expect.stringContaining('text/plain') } });
    expect(html?.headers['content-type']).toContain('text/html');
    expect(tooMany).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
    expect(whole?.body.startsWith('[{')).toBe(true);
    expect(cut?.body).toBe(whole?.body.slice(0, 10));
    expect(cut?.headers['content-length']).toBe(String(Buffer.byteLength(whole?.body ?? '')));
    expect(long).toEqual(whole);
  });

  test('delays wait before the request is carried out', async () => {
    caller.service.faults.set([{ effect: 'delay', ms: 4000, route: 'clouds.list' }]);
    await send('GET', '/acme/clouds');
    expect(log).toEqual(['waited 4000', 'clouds.list']);
  });

  test('records are named by the path and by the body', async () => {
    await send('POST', '/acme/assemblies', assembly('shop'));
    caller.service.faults.set([{ effect: 'rate-limit', seconds: 1, record: 'acme/blog' }]);
    expect((await send('POST', '/acme/assemblies', assembly('blog'))).status).toBe(429);
    expect((await send('GET', '/acme/assemblies/blog.json')).status).toBe(429);
    expect((await send('GET', '/acme/assemblies/shop')).status).toBe(200);
    expect((await send('POST', '/acme/assemblies', '{"broken')).status).toBe(400);
    expect((await send('GET', '/acme/assemblies/%zz')).status).toBe(400);
  });
});

describe('over a socket', () => {
  let caller: Caller;
  let listening: Listening;
  /** Everything the service sends on a connection until it ends, or until `enough`. */
  const raw = (
    path: string,
    enough: (text: string) => boolean = () => false,
  ): Promise<{ text: string; pieces: number }> =>
    new Promise((resolve, reject) => {
      let text = '';
      let pieces = 0;
      const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
      const end = (): void => {
        socket.destroy();
        resolve({ text, pieces });
      };
      socket.on('data', (chunk) => {
        text += chunk.toString();
        pieces += 1;
        if (enough(text)) end();
      });
      socket.on('error', reject);
      socket.on('close', end);
      const authorization = basic(ADMIN_TOKEN);
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\nauthorization: ${authorization}\r\n\r\n`,
      );
    });
  beforeAll(async () => {
    caller = callerOf('documented');
    listening = await listen(caller.service, { port: 0, grace: 200 });
  });
  afterAll(async () => {
    await listening.close();
    caller.close();
  });

  test('a drop ends the connection without a byte', async () => {
    caller.service.faults.set([{ effect: 'drop' }]);
    expect((await raw('/acme/clouds')).text).toBe('');
  });

  test('a truncated answer ends within its announced length', async () => {
    caller.service.faults.set([{ effect: 'truncate', bytes: 12 }]);
    const { text } = await raw('/acme/clouds');
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBeGreaterThan(100);
    expect(body).toHaveLength(12);
    await expect(fetch(`${listening.url}/acme/clouds`).then((answer) => answer.text())).rejects.toThrow();
  });

  test('a dripping answer comes in pieces, and whole', async () => {
    caller.service.faults.set([{ effect: 'drip', ms: 1, bytes: 200 }]);
    const { text, pieces } = await raw('/acme/clouds', (soFar) => soFar.endsWith('}]'));
    const body = text.split('\r\n\r\n')[1] ?? '';
    expect(JSON.parse(body)).toHaveLength(2);
    expect(pieces).toBeGreaterThan(3);
  });

  test('closing ends a delay that would go on', async () => {
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const other = callerOf('documented', {
      faults: [{ effect: 'delay', ms: 600_000 }],
      wait: async (ms, signal) => {
        arrive();
        await delay(ms, undefined, { signal });
      },
    });
    const own = await listen(other.service, { port: 0, grace: 50 });
    const lost = expect(fetch(`${own.url}/acme/clouds`)).rejects.toThrow();
    await arrived;
    await own.close();
    await lost;
    expect(other.service.journal()).toMatchObject([{ route: 'clouds.list', status: 0, fault: 'delay' }]);
    other.close();
  });
});

test("the service's own timer ends with the signal", async () => {
  const caller = callerOf('documented', { faults: [{ effect: 'delay', ms: 600_000 }] });
  const request = { method: 'GET', path: '/acme/clouds', headers: HEADERS };
  await expect(caller.service.handle(request, AbortSignal.abort())).rejects.toThrow('abort');
  caller.close();
});

// Which work orders a failure hits, and how often.

const compute = (cloud: string, id: number): string[] => [
  '/acme/shop/prod/web/compute',
  `/acme/shop/prod/web/compute@${cloud}`,
  `/acme/shop/prod/web/compute-${id}-1`,
];

describe('failures of work', () => {
  const failing = (record: string, message: string) => ({ effect: 'fail-deployment', record, message }) as const;
  test.each([
    ['web/compute', true, true],
    ['prod/web/compute', true, true],
    ['/acme/shop/prod/web/compute', true, true],
    ['compute', true, true],
    ['web/compute@west', false, true],
    ['web/compute-501-1', true, false],
    ['eb/compute', false, false],
    ['stage/web/compute', false, false],
    ['web', false, false],
  ])('that match %s hit east: %s, west: %s', (match, east, west) => {
    const faults = createFaults([failing(match, 'no capacity')]);
    expect(faults.take(compute('east', 501))).toBe(east ? 'no capacity' : undefined);
    expect(faults.take(compute('west', 502))).toBe(west ? 'no capacity' : undefined);
  });

  test('count down, the first in force first, and can be replaced', () => {
    const faults = createFaults([{ ...failing('compute', 'once'), times: 1 }, failing('web/compute', 'always')]);
    const taken = [1, 2, 3].map(() => faults.take(compute('east', 501)));
    expect(taken).toEqual(['once', 'always', 'always']);
    faults.set([]);
    expect(faults.take(compute('east', 501))).toBeUndefined();
  });
});

// What is a fault and what is not: every mistake is named with its place.

const findingsOf = (faults: unknown): string => {
  try {
    readFaults(JSON.stringify(faults), 'faults.json');
  } catch (error) {
    return (error as Error).message;
  }
  return 'taken';
};

test('each effect is read as written', () => {
  const faults = [
    { effect: 'delay', ms: 2000, route: 'clouds.list' },
    { effect: 'status', status: 503, body: { errors: ['down'] }, headers: { 'Retry-After': '3' }, method: 'GET' },
    { effect: 'status', status: 503 },
    { effect: 'html', status: 502, applied: true },
    { effect: 'rate-limit', seconds: 2, times: 3 },
    { effect: 'drop', applied: true, route: 'environments.commit', nth: 2 },
    { effect: 'truncate', bytes: 10, record: 'shop/web' },
    { effect: 'drip', ms: 100, bytes: 4 },
    { effect: 'fail-deployment', record: 'web/compute@west', message: 'no capacity', times: 1 },
  ];
  expect(readFaults(JSON.stringify({ faults }), 'x')).toEqual(faults);
});

test.each([
  [[], 'faults.json: Invalid input'],
  [{}, 'faults.json: faults: '],
  [{ faults: {} }, 'faults.json: faults: '],
  [{ faults: [], more: 1 }, 'faults.json: Unrecognized key: "more"'],
  [{ faults: [{}] }, 'faults.json: faults[0].effect: '],
  [{ faults: [{ effect: 'explode' }] }, 'faults.json: faults[0].effect: '],
  [{ faults: [{ effect: 'delay' }] }, 'faults.json: faults[0].ms: '],
  [{ faults: [{ effect: 'delay', ms: -1 }] }, 'faults.json: faults[0].ms: '],
  [{ faults: [{ effect: 'delay', ms: 1, seconds: 1 }] }, 'faults.json: faults[0]: Unrecognized key: "seconds"'],
  [{ faults: [{ effect: 'drop', route: 'clouds.lst' }] }, 'faults[0].route: no route is called clouds.lst'],
  [{ faults: [{ effect: 'drop', method: 'get' }] }, 'faults.json: faults[0].method: '],
  [{ faults: [{ effect: 'drop', nth: 0 }] }, 'faults.json: faults[0].nth: '],
  [{ faults: [{ effect: 'status', status: 99 }] }, 'faults.json: faults[0].status: '],
  [{ faults: [{ effect: 'status', status: 500, headers: { a: 'x\r\ny: z' } }] }, 'faults.json: faults[0].headers.a: '],
  [{ faults: [{ effect: 'fail-deployment', message: 'no' }] }, 'faults.json: faults[0].record: '],
])('%j is refused with the place of the mistake', (faults, says) => {
  expect(findingsOf(faults)).toContain(says);
});

test('all mistakes are reported together, and text that is no JSON too', () => {
  const message = findingsOf({ faults: [{ effect: 'delay' }, { effect: 'drop' }, { effect: 'truncate' }] });
  expect(message.split('\n')).toHaveLength(3);
  expect(() => readFaults('{"faults": [', 'faults.json')).toThrow(/faults\.json: not JSON: /);
});
