// Laws of the transport, against servers on loopback: what arrives is what was sent, times and
// sizes end what does not end by itself, and every broken exchange says whether it was sent.
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createPlainServer,
  type Server as PlainServer,
  type Socket,
} from 'node:net';
import { inspect } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { handTimers, until } from '../../test/hand-timers';
import { Aborted, BadSettings, ConnectionFailed, StaleConnection, TimedOut, TooLarge, Untrusted } from '../errors';
import { httpTransport, type Transport, type TransportOptions } from './index';

const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** One value of DER: tag, length, content. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length =
    body.length < 128 ? Buffer.from([body.length]) : Buffer.from([0x82, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const sequence = (...content: readonly Buffer[]): Buffer => der(0x30, ...content);
const time = (text: string): Buffer => der(0x17, Buffer.from(text));

/** Object identifiers, encoded: ECDSA with SHA-256, common name, subject alternative name, basic constraints. */
const ECDSA_SHA256 = sequence(der(0x06, bytes('2a8648ce3d040302')));
const COMMON_NAME = der(0x06, bytes('550403'));
const ALTERNATIVE_NAME = der(0x06, bytes('551d11'));
const BASIC_CONSTRAINTS = der(0x06, bytes('551d13'));

/**
 * A key, and its certificate for a host's name, both PEM: its own authority, valid from 2020 to 2049.
 * It is made in each run, so that no private key is in the repository.
 */
function certificateFor(host: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(host)))));
  const extensions = sequence(
    sequence(ALTERNATIVE_NAME, der(0x04, sequence(der(0x82, Buffer.from(host))))),
    sequence(BASIC_CONSTRAINTS, der(0x04, sequence(der(0x01, bytes('ff'))))),
  );
  const signed = sequence(
    der(0xa0, der(0x02, bytes('02'))),
    der(0x02, bytes('01')),
    ECDSA_SHA256,
    name,
    sequence(time('200101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', signed, privateKey);
  const whole = sequence(signed, ECDSA_SHA256, der(0x03, bytes('00'), signature));
  const lines = (whole.toString('base64').match(/.{1,64}/g) ?? []).join('\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

interface Listening {
  readonly url: string;
  readonly port: number;
  readonly sockets: Set<Socket>;
  connections(): number;
  close(): Promise<void>;
}

/** Listens on a free port of this machine until the test is over. */
async function listening(server: Server | PlainServer): Promise<Listening> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const here = {
    url: `http://127.0.0.1:${port}`,
    port,
    sockets,
    connections: () => connections,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => {
          resolve();
        });
      }),
  };
  open.push(here);
  return here;
}

const served = (answer: RequestListener): Promise<Listening> => listening(createServer(answer));

function transportTo(url: string, options: Partial<TransportOptions> = {}): Transport {
  const transport = httpTransport({ url, environment: {}, ...options });
  open.push(transport);
  return transport;
}

/** The error of a request. */
const failureOf = async (sending: Promise<unknown>): Promise<unknown> => {
  const answer = await sending.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in answer) return answer.error;
  throw new Error(`expected a failure, got ${JSON.stringify(answer.value)}`);
};

/** That a request fails with this kind of error, these facts and these words; answers the error. */
async function fails(
  sending: Promise<unknown>,
  kind: new (...made: never) => Error,
  facts: object = {},
  says = /^/,
): Promise<unknown> {
  const failure = await failureOf(sending);
  expect(failure).toBeInstanceOf(kind);
  expect(failure).toMatchObject({ ...facts, message: expect.stringMatching(says) });
  return failure;
}

/** The body of the answer to a request. */
const answerOf = async (transport: Transport, request = GET): Promise<string> => (await transport.send(request)).body;

const GET = { method: 'GET', path: '/acme/a%20b?x=%5B1%5D', headers: { accept: 'application/json' } };

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

describe('what is carried', () => {
  test('method, path, headers and body arrive as sent; status, headers and body come back as text', async () => {
    const seen: string[] = [];
    const server = await served((request, response) => {
      void bodyOf(request).then((body) => {
        seen.push(`${request.method} ${request.url} ${request.headers.accept} ${body}`);
        response.writeHead(422, { 'Content-Type': 'application/json', 'X-Odd': 'yes' }).end('{"errors":["né"]}');
      });
    });
    const answer = await transportTo(server.url).send({
      ...GET,
      method: 'PUT',
      headers: { ...GET.headers, 'content-type': 'application/json' },
      body: '{"é":1}',
    });
    expect(seen).toEqual(['PUT /acme/a%20b?x=%5B1%5D application/json {"é":1}']);
    expect(answer).toMatchObject({ status: 422, body: '{"errors":["né"]}', headers: { 'x-odd': 'yes' } });
  });

  test('no header says what nobody said', async () => {
    const seen: string[][] = [];
    const server = await served((request, response) => {
      seen.push(Object.keys(request.headers).sort());
      response.end('{}');
    });
    await transportTo(server.url).send({ ...GET, method: 'POST', headers: { accept: 'a/b', 'user-agent': 'us' } });
    expect(seen).toEqual([['accept', 'accept-encoding', 'connection', 'content-length', 'host', 'user-agent']]);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('a base address with a path, and an answer that is packed by %s', async (encoding, pack) => {
    const server = await served((request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(pack(`"${request.url}"`));
    });
    expect(await answerOf(transportTo(`${server.url}/oneops/`), { ...GET, path: '/acme' })).toBe('"/oneops/acme"');
  });

  test('an answer without a body is not unpacked, whatever its header says', async () => {
    const server = await served((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end());
    await expect(transportTo(server.url).send(GET)).resolves.toMatchObject({ status: 200, body: '' });
  });

  test('a path that looks like another host stays on this one', async () => {
    const server = await served((request, response) => response.end(request.url));
    expect(await answerOf(transportTo(server.url), { ...GET, path: '//acme.example/x' })).toBe('//acme.example/x');
    expect(server.connections()).toBe(1);
  });
});

describe('how many', () => {
  test('a hundred requests at the same time use at most sixteen connections, kept for the next', async () => {
    const server = await served((_, response) => response.end('{}'));
    const transport = transportTo(server.url);
    await Promise.all(Array.from({ length: 100 }, () => transport.send(GET)));
    await transport.send(GET);
    expect(server.connections()).toBeLessThanOrEqual(16);
  });

  test.each([429, 503])('after answers with %i fewer are on the way, and more again as it copes', async (status) => {
    let inside = 0;
    let most = 0;
    let busy = true;
    const server = await served((_, response) => {
      inside += 1;
      most = Math.max(most, inside);
      setImmediate(() => {
        inside -= 1;
        response.writeHead(busy ? status : 200).end('{}');
      });
    });
    const transport = transportTo(server.url);
    const batch = async (size: number): Promise<number> => {
      most = 0;
      await Promise.all(Array.from({ length: size }, () => transport.send(GET)));
      return most;
    };
    for (let halving = 0; halving < 2; halving++) await transport.send(GET);
    busy = false;
    expect(await batch(16)).toBeLessThanOrEqual(8);
    await batch(200);
    expect(await batch(200)).toBeGreaterThan(8);
  });
});

describe('times', () => {
  const times = { connectTimeout: 10_000, answerTimeout: 130_000, totalTimeout: 180_000 };

  test('a connection that does not come: nothing was sent', async () => {
    const timers = handTimers();
    // Takes the connection, and never speaks TLS.
    const server = await listening(
      createPlainServer((socket) => socket.once('data', () => timers.expire(times.connectTimeout))),
    );
    const sending = transportTo(`https://127.0.0.1:${server.port}`, { timers: timers.after }).send(GET);
    await fails(sending, TimedOut, { sent: false }, /no connection within 10 s/);
  });

  test('a caller that stops while a connection is made: nothing was sent, and the connection is given up', async () => {
    const stop = new AbortController();
    const server = await listening(createPlainServer((socket) => socket.once('data', () => stop.abort())));
    await fails(transportTo(`https://127.0.0.1:${server.port}`).send(GET, stop.signal), Aborted, { sent: false });
  });

  test('a caller that stops: before, while waiting for its turn, on the way', async () => {
    const stop = new AbortController();
    const server = await served(() => stop.abort());
    const transport = transportTo(server.url, { connections: 1 });
    await Promise.all([
      fails(transport.send(GET, stop.signal), Aborted, { sent: 'unknown' }),
      fails(transport.send(GET, stop.signal), Aborted, { sent: false }),
    ]);
    await fails(transport.send(GET, stop.signal), Aborted, { sent: false });
  });
});

describe('sizes', () => {
  test('an answer that only unpacks to too much, too', async () => {
    const packed = gzipSync('x'.repeat(1_000_000));
    const server = await served((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed));
    await fails(transportTo(server.url, { answerLimit: packed.length * 2 }).send(GET), TooLarge);
  });

  test('one that does not unpack leaves its connection to the request that has it by then', async () => {
    const packed = gzipSync('x'.repeat(20_000_000));
    let packedBy: Socket | undefined;
    const held: (() => void)[] = [];
    let isTaken = false;
    const server = await served((request, response) => {
      if (request.method === 'GET') {
        packedBy = request.socket;
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
      } else {
        isTaken ||= request.socket === packedBy;
        held.push(() => response.end('{}'));
      }
    });
    const transport = transportTo(server.url, { answerLimit: 19_000_000 });
    let isSettled = false;
    const large = failureOf(transport.send(GET)).finally(() => (isSettled = true));
    const others: Promise<unknown>[] = [];
    while (!isSettled && !isTaken) {
      if (packedBy !== undefined && others.length < 15) others.push(transport.send({ ...GET, method: 'POST' }));
      await new Promise(setImmediate);
    }
    expect(await large).toBeInstanceOf(TooLarge);
    await until(() => held.length === others.length);
    for (const answer of held) answer();
    await expect(Promise.all(others)).resolves.toHaveLength(others.length);
  });

  test('a request that is too long is not sent', async () => {
    const server = await served((_, response) => response.end('{}'));
    const transport = transportTo(server.url, { bodyLimit: 1000 });
    const sending = transport.send({ ...GET, method: 'PUT', body: 'é'.repeat(501) });
    await fails(sending, TooLarge, { sent: false }, /1002 bytes, 1000 are allowed/);
    await expect(transport.send({ ...GET, method: 'PUT', body: 'é'.repeat(500) })).resolves.toBeDefined();
    expect(server.connections()).toBe(1);
  });
});

describe('what breaks', () => {
  test('a kept connection that was closed meanwhile is distinguished', async () => {
    let requests = 0;
    const server = await served((request, response) => {
      requests += 1;
      if (requests === 1) response.end('{}');
      else request.socket.destroy();
    });
    const transport = transportTo(server.url);
    await transport.send(GET);
    expect(await failureOf(transport.send(GET))).toBeInstanceOf(StaleConnection);
    expect(server.connections()).toBe(1);
  });

  test('a kept connection that breaks after a while was not closed meanwhile: the request may still be carried out', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(5000);
    try {
      const server = await served((request, response) => {
        if (request.method === 'GET') return void response.end('{}');
        now.mockReturnValue(35_000);
        request.socket.destroy();
      });
      const transport = transportTo(server.url);
      await transport.send(GET);
      const failure = await fails(transport.send({ ...GET, method: 'POST' }), ConnectionFailed, { sent: 'unknown' });
      expect(failure).not.toBeInstanceOf(StaleConnection);
      expect(server.connections()).toBe(1);
    } finally {
      now.mockRestore();
    }
  });

  test('a write takes no connection that was idle for a second, but its place, and a read does', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(5000);
    try {
      const server = await served((_, response) => response.end('{}'));
      const transport = transportTo(server.url);
      const connectionsAfter = async (method: string, time: number): Promise<number> => {
        now.mockReturnValue(time);
        await transport.send({ ...GET, method });
        return server.connections();
      };
      expect(await connectionsAfter('GET', 5000)).toBe(1);
      expect(await connectionsAfter('POST', 5900)).toBe(1);
      expect(await connectionsAfter('GET', 7900)).toBe(1);
      expect(await connectionsAfter('POST', 9000)).toBe(2);
      await until(() => server.sockets.size === 1);
    } finally {
      now.mockRestore();
    }
  });

  test.each([
    ['by its length', { 'content-length': '100' }],
    ['in its chunks', {}],
  ])('an answer that is cut off %s is no answer', async (_, headers) => {
    const server = await served((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.write('[]', () => request.socket.destroy());
    });
    await fails(transportTo(server.url).send(GET), ConnectionFailed, { sent: 'unknown', path: '/acme/a%20b' });
  });

  test('no error contains a header of the request, however printed', async () => {
    const silent = await listening(createPlainServer((socket) => socket.destroy()));
    const gone = await served(() => undefined);
    await gone.close();
    const half = await served((request, response) => response.write('[', () => request.socket.destroy()));
    const long = await served((_, response) => response.end('x'.repeat(2000)));
    const canary = { ...GET, headers: { ...GET.headers, authorization: 'Basic canary-7f3a91' } };
    const urls = [silent.url, gone.url, half.url, long.url, `https://127.0.0.1:${silent.port}`];
    for (const url of urls) {
      const failure = await failureOf(transportTo(url, { answerLimit: 1000 }).send(canary));
      expect(failure).not.toHaveProperty('cause');
      const shown = inspect(failure, { depth: 20, showHidden: true, getters: true });
      expect(shown).toMatch(/127\.0\.0\.1|bytes/);
      expect(shown).not.toMatch(/canary|authorization/i);
    }
  });
});

describe('encrypted', () => {
  const { key, certificate } = certificateFor('oneops.test');
  const secure = (answer: RequestListener): Promise<Listening> =>
    listening(createSecureServer({ key, cert: certificate }, answer));

  /** A proxy that leads every CONNECT to one port, whatever host is asked for; and what it was asked. */
  async function proxyTo(port: number): Promise<{ readonly url: string; readonly asked: string[] }> {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end('"by the proxy"');
    });
    server.on('connect', (request: IncomingMessage, socket: Socket) => {
      asked.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
      if (port === 0) return void socket.end('HTTP/1.1 407 No\r\n\r\n');
      const there = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(there).pipe(socket);
      });
      socket.once('close', () => there.destroy());
      there.once('error', () => socket.destroy());
      there.once('close', () => socket.destroy());
      socket.once('error', () => there.destroy());
    });
    return { url: (await listening(server)).url, asked };
  }

  test('a certificate nobody vouches for: nothing was sent, and nothing is sent again', async () => {
    let requests = 0;
    const server = await secure((_, response) => {
      requests += 1;
      response.end('{}');
    });
    await fails(transportTo(`https://127.0.0.1:${server.port}`).send(GET), Untrusted, {
      sent: false,
      retryable: false,
      hint: expect.stringMatching(/NODE_EXTRA_CA_CERTS/),
    });
    expect(requests).toBe(0);
  });

  test('through a proxy, with its own authority, on a kept connection', async () => {
    const server = await secure((request, response) => response.end(`"${request.url}"`));
    const proxy = await proxyTo(server.port);
    const environment = { HTTPS_PROXY: proxy.url.replace('//', '//user:p%40ss@') };
    const transport = transportTo('https://oneops.test:8443', { environment, ca: certificate });
    for (const path of ['/one', '/two'])
      await expect(transport.send({ ...GET, path })).resolves.toMatchObject({ status: 200, body: `"${path}"` });
    const credentials = Buffer.from('user:p@ss').toString('base64');
    expect(proxy.asked).toEqual([`CONNECT oneops.test:8443 Basic ${credentials}`]);
  });

  test('through a proxy, the host itself is still who must be vouched for', async () => {
    const server = await secure((_, response) => response.end('{}'));
    const proxy = await proxyTo(server.port);
    const to = (url: string, options: Partial<TransportOptions>): Promise<unknown> =>
      failureOf(transportTo(url, { environment: { HTTPS_PROXY: proxy.url }, ...options }).send(GET));
    expect(await to('https://oneops.test', {})).toBeInstanceOf(Untrusted);
    expect(await to('https://another.test', { ca: certificate })).toBeInstanceOf(Untrusted);
  });

  test('a proxy that refuses, and one that does not exist: nothing was sent', async () => {
    const proxy = await proxyTo(0);
    const gone = await served(() => undefined);
    await gone.close();
    for (const [url, says] of [
      [proxy.url, /answered 407/],
      [gone.url, /ECONNREFUSED/],
    ] as const) {
      const environment = { HTTPS_PROXY: url.replace('//', '//user:canary@') };
      const sending = transportTo('https://oneops.test', { environment }).send(GET);
      const failure = await fails(sending, ConnectionFailed, { sent: false }, says);
      expect(inspect(failure, { depth: 9, showHidden: true })).not.toContain('canary');
    }
  });

  test('a proxy that closes each connection is asked once', async () => {
    const proxy = await listening(createPlainServer((socket) => socket.once('data', () => socket.end())));
    const sending = transportTo('https://oneops.test', { environment: { HTTPS_PROXY: proxy.url } }).send(GET);
    await fails(sending, ConnectionFailed, { sent: false });
    expect(proxy.connections()).toBe(1);
  });

  test('a proxy with a user, in plain http, learns who asks; the service gets the same host as without', async () => {
    const seen: (string | undefined)[] = [];
    const proxy = await served((request, response) => {
      seen.push(request.headers['proxy-authorization'], request.headers.host);
      response.end('{}');
    });
    const environment = { HTTP_PROXY: proxy.url.replace('//', '//user:p%40ss@') };
    await transportTo('http://oneops.test:8080', { environment }).send(GET);
    expect(seen).toEqual([`Basic ${Buffer.from('user:p@ss').toString('base64')}`, 'oneops.test:8080']);
  });

  test('plain http asks the proxy itself, and this machine is never asked for through one', async () => {
    const proxy = await proxyTo(0);
    const environment = { HTTP_PROXY: proxy.url };
    expect(await answerOf(transportTo('http://oneops.test', { environment }))).toBe('"by the proxy"');
    const server = await served((_, response) => response.end('"itself"'));
    expect(await answerOf(transportTo(server.url, { environment }))).toBe('"itself"');
    expect(proxy.asked).toEqual([`GET http://oneops.test${GET.path}`]);
  });

  test('a proxy that is reached by https is who must be vouched for, not the service in plain http behind it', async () => {
    const { key: own, certificate: ca } = certificateFor('localhost');
    const echo: RequestListener = (request, response) => response.end(`"${request.url} ${request.headers.host}"`);
    const { port } = await listening(createSecureServer({ key: own, cert: ca }, echo));
    const environment = { HTTP_PROXY: `https://localhost:${port}` };
    const answer = await answerOf(transportTo('http://oneops.test', { environment, ca }));
    expect(answer).toBe(`"http://oneops.test${GET.path} oneops.test"`);
    const sending = transportTo('http://oneops.test', { environment }).send(GET);
    await fails(sending, Untrusted, { sent: false }, new RegExp(`certificate of the proxy localhost:${port} `));
  });

  test('what is no certificate is refused immediately', () => {
    const make = (ca: string, file?: string): unknown =>
      httpTransport({ url: 'https://oneops.test', ca, environment: file ? { NODE_EXTRA_CA_CERTS: file } : {} });
    expect(() => make('/etc/ca.pem')).toThrow(BadSettings);
    expect(() => make(certificate, '/does/not/exist')).toThrow(/NODE_EXTRA_CA_CERTS/);
  });
});
