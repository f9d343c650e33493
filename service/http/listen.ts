// The listener: sockets on one side, the service's plain function on the other.
// It must not know routes, dialects or what anything means.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Send, type WireRequest, type WireResponse } from '../../api/contract';
import { BODY_LIMIT } from './read-body';

/** Where to listen. Port 0: any free one. Without a host only this machine reaches it. */
export interface ListenOptions {
  readonly port: number;
  readonly host?: string;
}

/** A listener at work. `close` stops it: idle connections at once, the others after their answer. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** A request that is not complete by then is given up, in ms. */
const REQUEST_TIMEOUT = 60_000;

/** How much of a body that is too large is still taken in, unread, so that its sender hears the answer instead of a broken connection. */
const PATIENCE = 8 * BODY_LIMIT;

interface Received {
  readonly text: string;
  readonly tooLarge: boolean;
}

/** Body as text; of one that is too large, just enough for the service to see so. */
async function receive(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (size <= BODY_LIMIT) chunks.push(chunk);
    size += chunk.length;
    if (size > PATIENCE) break;
  }
  return { text: Buffer.concat(chunks).toString('utf8'), tooLarge: size > BODY_LIMIT };
}

/** Headers with their last value; Node joins repeated ones by its own rules. */
function headersOf(request: IncomingMessage): WireRequest['headers'] {
  return Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? (value.at(-1) ?? '') : value]],
    ),
  );
}

function write(response: ServerResponse, wire: WireResponse, close: boolean): void {
  response.writeHead(wire.status, {
    ...wire.headers,
    'content-length': Buffer.byteLength(wire.body),
    ...(close ? { connection: 'close' } : {}),
  });
  response.end(wire.body);
}

async function answer(handle: Send, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { text, tooLarge } = await receive(request);
  const wire = { method: request.method ?? 'GET', path: request.url ?? '/', headers: headersOf(request) };
  write(response, await handle(text === '' ? wire : { ...wire, body: text }), tooLarge);
}

/** Starts listening; rejects when the port is taken or may not be used. */
export function listen(service: { readonly handle: Send }, options: ListenOptions): Promise<Listening> {
  const host = options.host ?? '127.0.0.1';
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT }, (request, response) => {
    // Only a sender that went away in the middle ends here; the service itself answers for every other failure.
    answer(service.handle, request, response).catch(() => response.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, () => {
      server.removeListener('error', reject);
      const { port } = server.address() as AddressInfo;
      const shown = host.includes(':') ? `[${host}]` : host;
      resolve({
        url: `http://${shown}:${port}`,
        close: () =>
          new Promise((closed, failed) => {
            server.close((error) => (error === undefined ? closed() : failed(error)));
            server.closeIdleConnections();
          }),
      });
    });
  });
}
