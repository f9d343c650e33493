// Laws of the listener: whatever comes over a socket, the answer is clear and others are served.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ADMIN_TOKEN, basic, type Caller, callerOf } from '../../test/service-caller';
import { manualClock } from '../runtime/clock';
import { listen, type Listening, type ListenOptions } from './listen';
import { type Handle } from './respond';

const AUTHORIZATION = `authorization: ${basic(ADMIN_TOKEN)}`;

/** A connection that keeps what it hears. */
interface Wire {
  readonly socket: Socket;
  /** Everything heard once the other side has ended the connection. */
  readonly ended: Promise<string>;
  /** Everything heard once it fits a pattern. */
  heard(pattern: RegExp): Promise<string>;
}

async function wireTo(listening: Listening): Promise<Wire> {
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  // A reset ends a connection like anything else.
  socket.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  await once(socket, 'connect');
  return {
    socket,
    ended,
    heard: async (pattern) => {
      while (!pattern.test(text))
        await Promise.race([
          once(socket, 'data'),
          ended.then(() => Promise.reject(new Error(`ended with ${JSON.stringify(text)}`))),
        ]);
      return text;
    },
  };
}

/** All that is heard of what is sent on its own connection. */
async function answered(listening: Listening, sent: string | Buffer): Promise<string> {
  const wire = await wireTo(listening);
  wire.socket.write(sent);
  return wire.ended;
}

const statusIn = (text: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
const headed = (...lines: readonly string[]): string => [...lines, '', ''].join('\r\n');
const LOCAL = 'host: localhost';
const CLOSE = 'connection: close';
const CHUNKED = 'transfer-encoding: chunked';
/** The head of a request to this machine. */
const asked = (line: string, ...more: readonly string[]): string => headed(`${line} HTTP/1.1`, LOCAL, ...more);

/** A listener over a plain function, for one test. */
async function withListener(
  handle: Handle,
  options: Partial<ListenOptions>,
  use: (listening: Listening) => Promise<void>,
): Promise<void> {
  const listening = await listen({ handle }, { port: 0, grace: 200, ...options });
  try {
    await use(listening);
  } finally {
    await listening.close();
  }
}

const hello: Handle = async ({ path, body }) => ({ status: 200, headers: {}, body: `${path} ${body?.length ?? 0}` });

describe('over the service', () => {
  let caller: Caller;
  let listening: Listening;
  beforeAll(async () => {
    caller = callerOf('documented');
    listening = await listen(caller.service, { port: 0, grace: 200 });
  });
  afterAll(async () => {
    await listening.close();
    expect(caller.bugs).toEqual([]);
    caller.close();
  });

  const clouds = (...more: readonly string[]): string => asked('GET /acme/clouds', CLOSE, ...more);
  const post = (body: string | Buffer, ...more: readonly string[]): Buffer => {
    const length = `content-length: ${Buffer.byteLength(body)}`;
    return Buffer.concat(
      [asked('POST /acme/assemblies', CLOSE, AUTHORIZATION, ...more, length), body].map((part) => Buffer.from(part)),
    );
  };
  const valid = '{"cms_ci":{"ciName":"shop"}}';
  const LATIN = Buffer.from('{"cms_ci":{"ciName":"käse"}}', 'latin1');
  const at = (path: string): string => clouds(AUTHORIZATION).replace('/acme/clouds', path);

  test.each<[string, string | Buffer, number]>([
    ['a good one', clouds(AUTHORIZATION), 200],
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['another protocol', Buffer.from('160301020001000001fc0303', 'hex'), 400],
    ['a version there is not', headed('GET /acme/clouds HTTP/9.9', 'host: localhost'), 400],
    ['no host', headed('GET /acme/clouds HTTP/1.1', AUTHORIZATION), 400],
    ['the host of another', headed('GET /acme/clouds HTTP/1.1', 'host: evil.example', CLOSE, AUTHORIZATION), 403],
    ['a second host', clouds(AUTHORIZATION, 'host: evil.example'), 403],
    ['a method nobody knows', asked('BREW /acme/clouds'), 400],
    ['a method of another protocol', asked('PROPFIND /acme/clouds', CLOSE), 404],
    ['a header without a name', asked('GET /acme/clouds', ': x'), 400],
    ['headers beyond measure', clouds(AUTHORIZATION, `x-more: ${'x'.repeat(20_000)}`), 431],
    ['a path beyond measure', asked(`GET /${'x'.repeat(20_000)}`), 431],
    ['two lengths', asked('POST /acme/assemblies', 'content-length: 1', 'content-length: 2') + 'ab', 400],
    ['a length and chunks', asked('POST /acme/assemblies', 'content-length: 1', CHUNKED) + '0\r\n\r\n', 400],
    ['a chunk of no length', asked('POST /acme/assemblies', CHUNKED) + 'zz\r\n', 400],
    ['an expectation', clouds(AUTHORIZATION, 'expect: wonders'), 417],
    ['two tokens', clouds(AUTHORIZATION, `authorization: ${basic('other')}`), 401],
    ['twice the same token', clouds(AUTHORIZATION, AUTHORIZATION), 401],
    ['a header called __proto__', clouds(AUTHORIZATION, '__proto__: x', '__proto__: y', 'constructor: z'), 200],
    ['two content types', post(valid, 'content-type: application/json', 'content-type: text/plain'), 415],
    ['another charset', post(valid, 'content-type: application/json; charset=utf-16'), 415],
    ['a body in another encoding', post(LATIN, 'content-type: application/json'), 400],
    ['ten thousand slashes', at(`/acme${'/'.repeat(10_000)}clouds`), 400],
    ['an absurd query', at(`/acme/clouds?${'a[b][c]=d&'.repeat(1500)}`), 200],
    ['a proxy’s address', asked('GET http://elsewhere/acme/clouds', CLOSE, AUTHORIZATION), 400],
    ['an asterisk', asked('GET *', CLOSE, AUTHORIZATION), 404],
    ['a wish for another protocol', asked('GET /acme/clouds', `${CLOSE}, upgrade`, 'upgrade: h2c', AUTHORIZATION), 200],
  ])('%s', async (_, sent, status) => {
    const heard = await answered(listening, sent);
    expect(statusIn(heard)).toBe(status);
    expect(heard).not.toMatch(/ at .*\.(ts|js):/);
  });

  test.each<[string, Buffer, RegExp]>([
    ['Latin-1', LATIN, /not valid UTF-8: send it in UTF-8/],
    ['UTF-16', Buffer.from(valid, 'utf16le'), /null bytes, as text in UTF-16 has: send it in UTF-8/],
    ['UTF-16 with its mark', Buffer.from(`\ufeff${valid}`, 'utf16le'), /not valid UTF-8: send it in UTF-8/],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${valid}`), /byte order mark: send UTF-8 without one/],
  ])('a body in %s is refused with what is expected, and nothing is kept', async (_, body, says) => {
    const heard = await answered(listening, post(body, 'content-type: application/json'));
    expect(statusIn(heard)).toBe(400);
    expect(heard).toMatch(says);
    expect((await caller.send('GET', '/acme/assemblies')).body).toEqual([]);
  });

  test('a wish for a tunnel ends the connection', async () => {
    expect(await answered(listening, asked('CONNECT elsewhere:443'))).toBe('');
  });

  test('a hundred million bytes are not taken in', async () => {
    const wire = await wireTo(listening);
    wire.socket.write(asked('POST /acme/assemblies', AUTHORIZATION, 'content-length: 100000000'));
    const chunk = Buffer.alloc(1_000_000, 'x');
    let sent = 0;
    const send = (): void => {
      let goesOn = wire.socket.writable;
      while (goesOn && sent < 100) {
        goesOn = wire.socket.write(chunk);
        sent += 1;
      }
    };
    wire.socket.on('drain', send);
    send();
    expect(statusIn(await wire.heard(/\r\n\r\n/))).toBe(413);
    await wire.ended;
    expect(sent).toBeLessThan(100);
  });

  test('what never became complete is not carried out, and others are served meanwhile', async () => {
    const wire = await wireTo(listening);
    wire.socket.write(asked('POST /acme/assemblies', AUTHORIZATION, 'content-length: 100'));
    wire.socket.write('{"cms_ci":{"ciName":"half"');
    expect((await caller.send('GET', '/acme/assemblies')).body).toEqual([]);
    wire.socket.destroy();
    await wire.ended;
    expect(statusIn(await answered(listening, clouds(AUTHORIZATION)))).toBe(200);
    expect((await caller.send('GET', '/acme/assemblies')).body).toEqual([]);
  });

  test('2,000 idle connections do not keep others from being served', async () => {
    const report = process.report.getReport() as unknown as { userLimits?: { open_files?: { soft: number | string } } };
    const limit = Number(report.userLimits?.open_files?.soft ?? 1024);
    // Both ends of each connection are files of this process.
    const count = Math.min(2000, Number.isNaN(limit) ? 2000 : Math.floor((limit - 100) / 2));
    expect(count).toBeGreaterThanOrEqual(100);
    const before = process.memoryUsage().rss;
    const idle: Wire[] = [];
    for (let made = 0; made < count; made += 200)
      idle.push(...(await Promise.all(Array.from({ length: 200 }, () => wireTo(listening)))));
    // Half of them begin a request and stop.
    idle.forEach(
      ({ socket }, index) => index % 2 === 0 && socket.write('GET /acme/clouds HTTP/1.1\r\nhost: localhost\r\n'),
    );
    const began = performance.now();
    for (let turn = 0; turn < 20; turn += 1)
      expect(statusIn(await answered(listening, clouds(AUTHORIZATION)))).toBe(200);
    expect(performance.now() - began).toBeLessThan(5000);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    idle.forEach(({ socket }) => socket.destroy());
    await Promise.all(idle.map(({ ended }) => ended));
  }, 30_000);
});

describe('over any function', () => {
  test('answers say what time it is by the clock of the service', async () => {
    const listening = await listen({ handle: hello, clock: manualClock(Date.UTC(2030, 4, 5)) }, { port: 0 });
    const { headers } = await fetch(listening.url);
    await listening.close();
    expect(headers.get('date')).toBe('Sun, 05 May 2030 00:00:00 GMT');
  });

  test('requests on one connection are answered in order', () =>
    withListener(hello, {}, async (listening) => {
      const wire = await wireTo(listening);
      wire.socket.write([1, 2, 3].map((n) => asked(`GET /${n}`)).join(''));
      const heard = await wire.heard(/\/3 0$/);
      expect([...heard.matchAll(/\/(\d) 0/g)].map((match) => match[1])).toEqual(['1', '2', '3']);
      wire.socket.destroy();
    }));

  test.each([
    ['nothing', ''],
    ['half of the headers', 'GET / HTTP/1.1\r\nhost'],
    ['headers without their end', 'GET / HTTP/1.1\r\nhost: localhost\r\n'],
    ['half of a body', asked('POST /', 'content-length: 10') + 'abc'],
    ['half of a chunk', asked('POST /', CHUNKED) + '5\r\nab'],
  ])('%s is given up after a while with 408', (_, sent) => {
    const handled: string[] = [];
    const handle: Handle = async ({ path }) => {
      handled.push(path);
      return { status: 200, headers: {}, body: '' };
    };
    return withListener(handle, { requestTimeout: 200 }, async (listening) => {
      expect(statusIn(await answered(listening, sent))).toBe(408);
      expect(handled).toEqual([]);
    });
  });

  test('a sender that continues a byte at a time is given up too', () =>
    withListener(hello, { requestTimeout: 300 }, async (listening) => {
      const wire = await wireTo(listening);
      const drops = setInterval(() => wire.socket.write('x'), 20);
      wire.socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nx-more: ');
      expect(statusIn(await wire.ended)).toBe(408);
      clearInterval(drops);
    }));

  test('a reader that takes nothing is given up', () => {
    const asking = Promise.withResolvers<void>();
    const big: Handle = async () => {
      // Once the answer is on its way: a busy machine takes long to begin it.
      setImmediate(asking.resolve);
      return { status: 200, headers: {}, body: 'x'.repeat(50_000_000) };
    };
    return withListener(big, { answerTimeout: 300 }, async (listening) => {
      const wire = await wireTo(listening);
      wire.socket.pause();
      const began = performance.now();
      wire.socket.write(asked('GET /'));
      // Reads again only when the other side has long given up, and finds less than was promised.
      await asking.promise;
      await delay(1500);
      wire.socket.resume();
      expect((await wire.ended).length).toBeLessThan(50_000_000);
      expect(performance.now() - began).toBeLessThan(8000);
    });
  }, 15_000);

  test('bodies are held up to a budget, which is given back', () =>
    withListener(hello, { bodyBudget: 1_000_000 }, async (listening) => {
      const head = (length: number): string => asked('POST /', `content-length: ${length}`);
      const slow = await wireTo(listening);
      slow.socket.write(head(700_001) + 'x'.repeat(700_000));
      const probe = async (length: number): Promise<number> => {
        const wire = await wireTo(listening);
        wire.socket.write(head(length) + 'x'.repeat(length));
        const heard = await wire.heard(/\r\n\r\n/);
        wire.socket.destroy();
        return statusIn(heard);
      };
      // Until the first body has arrived there is room; from then on there is none.
      while ((await probe(600_000)) === 200) expect(slow.socket.destroyed).toBe(false);
      expect(await probe(600_000)).toBe(429);
      expect(await probe(100_000)).toBe(200);
      slow.socket.write('x');
      expect(await slow.heard(/\/ 700001$/)).toMatch(/^HTTP\/1\.1 200/);
      expect(await probe(600_000)).toBe(200);
      const lost = await wireTo(listening);
      lost.socket.write(head(900_000) + 'x'.repeat(800_000));
      while ((await probe(600_000)) === 200) expect(lost.socket.destroyed).toBe(false);
      lost.socket.destroy();
      await lost.ended;
      while ((await probe(600_000)) !== 200) expect(lost.socket.destroyed).toBe(true);
      slow.socket.destroy();
    }));

  test('closing ends idle and half-sent connections immediately and lets the others have their answer', async () => {
    let answer = (): void => undefined;
    const reached = new Promise<void>((arrived) => {
      answer = arrived;
    });
    let release = (): void => undefined;
    const held = new Promise<void>((letGo) => {
      release = letGo;
    });
    const handle: Handle = async () => {
      answer();
      await held;
      return { status: 200, headers: {}, body: 'late' };
    };
    const listening = await listen({ handle }, { port: 0, grace: 5000 });
    const idle = await wireTo(listening);
    const half = await wireTo(listening);
    half.socket.write('GET / HTTP/1.1\r\nhost');
    const busy = await wireTo(listening);
    busy.socket.write(asked('GET /'));
    await reached;
    const closed = listening.close();
    expect([await idle.ended, await half.ended]).toEqual(['', '']);
    release();
    expect(await busy.ended).toMatch(/^HTTP\/1\.1 200.*connection: close.*late$/is);
    await closed;
  });

  test('closing waits no longer than its grace', async () => {
    const listening = await listen({ handle: () => new Promise(() => undefined) }, { port: 0, grace: 50 });
    const wire = await wireTo(listening);
    wire.socket.write(asked('GET /'));
    await listening.close();
    expect(await wire.ended).toBe('');
  });

  test('a function that fails ends the connection and nothing else', () => {
    const handle: Handle = async ({ path }) => {
      if (path === '/fails') throw new Error('fails');
      return hello({ method: 'GET', path, headers: {} });
    };
    return withListener(handle, {}, async (listening) => {
      expect(await answered(listening, asked('GET /fails'))).toBe('');
      expect(await (await fetch(`${listening.url}/works`)).text()).toBe('/works 0');
    });
  });
});
