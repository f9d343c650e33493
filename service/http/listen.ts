// The listener between sockets and the service's plain function, with limits on both ways.
import { isUtf8 } from 'node:buffer';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { setMaxListeners } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import type { WireRequest } from '../../api/contract';
import type { Served } from '../faults';
import { BODY_LIMIT } from './body';
import { type ServiceClock, wallClock } from '../runtime/clock';
import type { Handle } from './respond';

/** How much of a body that is too large is taken in, so that its sender hears the answer. */
const DRAIN_LIMIT = 8 * BODY_LIMIT;

/** Bytes of the bodies of all requests at one time: they keep the memory bounded. */
interface Budget {
  readonly limit: number;
  held: number;
}

interface Received {
  /** Of one that is too large, just enough for the service to see so; '' when it was not kept. */
  readonly text: string;
  readonly tooLarge: boolean;
  /** Why it was not kept: the service keeps as many bodies as it can, or it is no text in UTF-8. */
  readonly refused: 'no room' | 'no text' | undefined;
  /** Gives its bytes back to the budget. */
  release(): void;
}

/** What there is of a request without a body. */
const NOTHING: Received = { text: '', tooLarge: false, refused: undefined, release: () => undefined };

/** Whether a request says that a body follows (RFC 9112 §6.3). */
const hasBody = (headers: WireRequest['headers']): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Reads a body to its end; rejects when its sender went away. */
async function receive(request: IncomingMessage, budget: Budget): Promise<Received> {
  const chunks: Buffer[] = [];
  let size = 0;
  let kept = 0;
  let noRoom = false;
  const release = (): void => {
    budget.held -= kept;
    kept = 0;
    chunks.length = 0;
  };
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      noRoom ||= size <= BODY_LIMIT && budget.held + chunk.length > budget.limit;
      if (noRoom) {
        release();
      } else if (size <= BODY_LIMIT) {
        chunks.push(chunk);
        kept += chunk.length;
        budget.held += chunk.length;
      }
      size += chunk.length;
      if (size > DRAIN_LIMIT) break;
    }
  } catch (error) {
    release();
    throw error;
  }
  const tooLarge = size > BODY_LIMIT;
  const whole = Buffer.concat(chunks, kept);
  // One that is too large was cut anywhere, in the middle of a character too.
  const refused = noRoom ? 'no room' : tooLarge || isUtf8(whole) ? undefined : 'no text';
  return { text: refused === undefined ? whole.toString('utf8') : '', tooLarge, refused, release };
}

/** Headers by lower-case name. Repeated ones are joined, so that they fit nothing (RFC 9110). */
function headersOf(request: IncomingMessage): WireRequest['headers'] {
  const raw = request.rawHeaders;
  // Without a prototype: `__proto__` is a header name like any other.
  const headers = Object.create(null) as { [name: string]: string };
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    const known = headers[name];
    headers[name] = known === undefined ? value : `${known}, ${value}`;
  }
  return headers;
}

/** How long an answer may take on its way. */
interface DeliveryLimits {
  /** ms in which its reader may take nothing, before the connection ends. */
  readonly answerTimeout: number;
  /** Ends drops immediately. */
  readonly signal: AbortSignal;
}

async function drip(
  response: ServerResponse,
  whole: Buffer,
  { bytes, ms }: { readonly bytes: number; readonly ms: number },
  signal: AbortSignal,
): Promise<void> {
  for (let from = 0; from < whole.length && !response.destroyed; from += bytes) {
    response.write(whole.subarray(from, from + bytes));
    await delay(ms, undefined, { signal });
  }
  response.end();
}

/**
 * Writes an answer; `last`: the connection ends after it. `now`: the time in its header, in ms
 * since 1970; default: the wall clock. Waits only where it goes out drop by drop; rejects when the
 * signal ends that.
 */
function deliver(
  response: ServerResponse,
  served: Served,
  { last, now }: { readonly last: boolean; readonly now?: number | undefined },
  limits: DeliveryLimits,
): Promise<void> | undefined {
  const { status, headers, body, delivery } = served;
  const cut = delivery?.kind === 'cut';
  const head: string[] = [];
  for (const name in headers) if (name !== 'content-length') head.push(name, headers[name] ?? '');
  head.push('content-length', cut ? (headers['content-length'] ?? '0') : String(Buffer.byteLength(body)));
  if (last || cut) head.push('connection', 'close');
  if (now !== undefined) head.push('date', new Date(now).toUTCString());
  response.writeHead(status, head);
  if (delivery?.kind === 'drip') return drip(response, Buffer.from(body), delivery, limits.signal);
  if (cut) response.write(body, () => response.destroy());
  else response.end(body);
  // What was not taken immediately has to be taken now and then; Node ends a socket whose timeout
  // nobody listens to.
  if ((response.socket?.writableLength ?? 0) > 0) response.setTimeout(limits.answerTimeout);
  return undefined;
}

/** Where to listen. Port 0: any free one. Without a host only this machine reaches it. */
export interface ListenOptions {
  readonly port: number;
  readonly host?: string;
  /** A request that is not complete by then is given up with 408, in ms. Default: one minute. */
  readonly requestTimeout?: number;
  /** An answer whose reader takes nothing for so long is given up, in ms. Default: one minute. */
  readonly answerTimeout?: number;
  /** How long `close` lets requests under way take, in ms. Default: five seconds. */
  readonly grace?: number;
  /** Bytes of bodies held at one time; a body beyond them is answered 429. Default: 128 MiB. */
  readonly bodyBudget?: number;
}

/** A listener at work. `close` ends idle connections immediately, and others when answered. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

const MINUTE = 60_000;

/** Statuses of what never became a request; everything else is 400. */
const BROKEN: { readonly [code: string]: number | undefined } = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/** `{"errors": […]}`, as every no of the service. */
const refusal = (message: string): string => JSON.stringify({ errors: [message] });

/** The answer to a body that was not kept. */
function refusalOf(refused: 'no room' | 'no text'): Served {
  const headers = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' };
  return refused === 'no text'
    ? {
        status: 400,
        headers,
        body: refusal('the body is not valid UTF-8: send it in UTF-8, with JSON as application/json'),
      }
    : { status: 429, headers: { ...headers, 'retry-after': '1' }, body: refusal('too many large bodies at once') };
}

interface Traffic {
  readonly handle: Handle;
  /** What time answers say it is. */
  readonly clock: ServiceClock;
  /** Answers under way by open connection. */
  readonly connections: Map<Socket, Set<ServerResponse>>;
  readonly budget: Budget;
  readonly limits: DeliveryLimits;
  closing: boolean;
}

async function answer(traffic: Traffic, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { handle, budget, limits } = traffic;
  const headers = headersOf(request);
  const received = hasBody(headers) ? await receive(request, budget) : NOTHING;
  try {
    if (received.refused !== undefined) {
      await deliver(response, refusalOf(received.refused), { last: true }, limits);
      return;
    }
    const wire = { method: request.method ?? 'GET', path: request.url ?? '/', headers };
    const sent = received.text === '' ? wire : { ...wire, body: received.text };
    const served = await handle(sent, limits.signal);
    const now = traffic.clock === wallClock ? undefined : traffic.clock.now();
    await deliver(response, served, { last: received.tooLarge || traffic.closing, now }, limits);
  } finally {
    received.release();
  }
}

/** Answers what is no HTTP, or came too slowly or too large to become a request. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Socket, underWay: readonly ServerResponse[]): void {
  // Before or within the answer to another request nothing can be said; the broken one may be half
  // here already.
  const [first, ...more] = underWay;
  const isFree = first === undefined || (more.length === 0 && !first.req.complete && !first.headersSent);
  if (!socket.writable || !isFree || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = BROKEN[error.code ?? ''] ?? 400;
  const says = STATUS_CODES[status] ?? '';
  const body = refusal(`${says.toLowerCase()}: this was no complete HTTP request`);
  const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${status} ${says}\r\n${headers}\r\n\r\n${body}`);
}

/** Answers the requests of a server and counts them by connection. */
function serve(server: Server, traffic: Traffic): void {
  const { connections } = traffic;
  server.on('connection', (socket) => {
    connections.set(socket, new Set());
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    const underWay = connections.get(socket);
    underWay?.add(response);
    response.once('close', () => {
      underWay?.delete(response);
      if (traffic.closing && underWay?.size === 0) socket.end();
    });
    // A sender that went away, or a fault that leaves no answer; the service itself answers for
    // every other failure.
    answer(traffic, request, response).catch(() => response.destroy());
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuseBroken(error, socket as Socket, [...(connections.get(socket as Socket) ?? [])]);
  });
}

/** Closes a server: idle connections immediately, the rest when answered or after its grace. */
function close(server: Server, traffic: Traffic, stop: AbortController, grace: number): Promise<void> {
  return new Promise((resolve, reject) => {
    traffic.closing = true;
    const end = setTimeout(() => {
      stop.abort();
      for (const socket of traffic.connections.keys()) socket.destroy();
    }, grace);
    server.close((error) => {
      clearTimeout(end);
      stop.abort();
      if (error === undefined) resolve();
      else reject(error);
    });
    for (const [socket, underWay] of traffic.connections) if (underWay.size === 0) socket.destroy();
  });
}

/** Starts listening; rejects when the port is taken or may not be used. */
export function listen(
  service: { readonly handle: Handle; readonly clock?: ServiceClock },
  options: ListenOptions,
): Promise<Listening> {
  const host = options.host ?? '127.0.0.1';
  const requestTimeout = options.requestTimeout ?? MINUTE;
  const stop = new AbortController();
  // One listener for each answer that is held back: as many as there are connections.
  setMaxListeners(0, stop.signal);
  const traffic: Traffic = {
    handle: service.handle,
    clock: service.clock ?? wallClock,
    connections: new Map(),
    budget: { limit: options.bodyBudget ?? 16 * BODY_LIMIT, held: 0 },
    limits: { answerTimeout: options.answerTimeout ?? MINUTE, signal: stop.signal },
    closing: false,
  };
  const server = createServer({ requestTimeout, connectionsCheckingInterval: Math.min(5000, requestTimeout / 4) });
  serve(server, traffic);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, () => {
      server.removeListener('error', reject);
      const { port } = server.address() as AddressInfo;
      const shown = host.includes(':') ? `[${host}]` : host;
      resolve({
        url: `http://${shown}:${port}`,
        close: () => close(server, traffic, stop, options.grace ?? 5000),
      });
    });
  });
}
