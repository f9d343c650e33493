// The listener: sockets on one side, the service's plain function on the other.
import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { type ServiceClock, wallClock } from '../clock';
import { type Served } from '../faults';
import { type Budget, deliver, headersOf, type DeliveryLimits, receive } from './socket';
import { type Handle } from './respond';
import { BODY_LIMIT } from './body';

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

/** A listener at work. `close` stops it: idle connections immediately, requests under way get their answer if it comes in time. */
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

/** What a listener works with and keeps track of. */
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
  const incoming = receive(request, headers, budget);
  const received = incoming instanceof Promise ? await incoming : incoming;
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
  // Before or within the answer to another request nothing can be said; the broken one may be half here already.
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
    // A sender that went away, or a fault that leaves no answer; the service itself answers for every other failure.
    answer(traffic, request, response).catch(() => response.destroy());
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuseBroken(error, socket as Socket, [...(connections.get(socket as Socket) ?? [])]);
  });
}

/** Closes a server: what waits for nothing immediately, the rest when it is answered or its grace is over. */
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
