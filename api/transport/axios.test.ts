// Laws of the transport, against a server on loopback: what arrives is what was sent, and every broken exchange says whether it was sent.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionFailed, TimedOut } from '../errors';
import { httpTransport } from './index';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function served(
  answer: Answer,
): Promise<{ readonly url: string; readonly connections: () => number; close(): Promise<void> }> {
  const server: Server = createServer(answer);
  let connections = 0;
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

const GET = { method: 'GET', path: '/acme/a%20b?x=%5B1%5D', headers: { accept: 'application/json' } };

test('method, path, headers and body arrive as sent; status, headers and body come back as text', async () => {
  const seen: string[] = [];
  const server = await served((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${request.headers.accept} ${body}`);
      response.writeHead(422, { 'Content-Type': 'application/json', 'X-Odd': 'yes' }).end('{"errors":["no"]}');
    });
  });
  const transport = httpTransport({ url: server.url });
  const answer = await transport.send({
    ...GET,
    method: 'PUT',
    headers: { ...GET.headers, 'content-type': 'application/json' },
    body: '{"é":1}',
  });
  expect(seen).toEqual(['PUT /acme/a%20b?x=%5B1%5D application/json {"é":1}']);
  expect(answer).toMatchObject({ status: 422, body: '{"errors":["no"]}', headers: { 'x-odd': 'yes' } });
  transport.close();
  await server.close();
});

test('a hundred requests at once use at most sixteen connections, kept for the next', async () => {
  const server = await served((_, response) => response.end('{}'));
  const transport = httpTransport({ url: server.url });
  await Promise.all(Array.from({ length: 100 }, () => transport.send(GET)));
  await transport.send(GET);
  expect(server.connections()).toBeLessThanOrEqual(16);
  transport.close();
  await server.close();
});

test('a redirect is handed back, never followed', async () => {
  const server = await served((_, response) => response.writeHead(302, { Location: '/users/sign_in' }).end());
  const transport = httpTransport({ url: server.url });
  await expect(transport.send(GET)).resolves.toMatchObject({ status: 302, headers: { location: '/users/sign_in' } });
  transport.close();
  await server.close();
});

test('a server that is not there was sent nothing', async () => {
  const server = await served(() => undefined);
  await server.close();
  const failure = await httpTransport({ url: server.url })
    .send(GET)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConnectionFailed);
  expect(failure).toMatchObject({ sent: false, retryable: true });
});

test('a connection that breaks before the answer may have been sent', async () => {
  const server = await served((request) => request.socket.destroy());
  const failure = await httpTransport({ url: server.url })
    .send(GET)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConnectionFailed);
  expect(failure).toMatchObject({ sent: 'unknown' });
  await server.close();
});

test('an answer that does not come in time', async () => {
  const server = await served(() => undefined);
  const failure = await httpTransport({ url: server.url, answerTimeout: 50 })
    .send(GET)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TimedOut);
  expect(failure).toMatchObject({ sent: 'unknown' });
  await server.close();
});

test('an answer that is too long is refused', async () => {
  const server = await served((_, response) => response.end('x'.repeat(2000)));
  await expect(httpTransport({ url: server.url, answerLimit: 1000 }).send(GET)).rejects.toBeInstanceOf(
    ConnectionFailed,
  );
  await server.close();
});
