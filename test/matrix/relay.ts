// A relay on loopback in front of a service: it does with requests and answers what a fault says.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WireRequest, WireResponse } from '../../api/contract';

/** What happens to one request. Times are a client's, run out by the relay so that nobody waits. */
export type Step =
  /** The service's own answer. */
  | { readonly kind: 'pass' }
  /** An answer of something before the service, which never sees the request. */
  | { readonly kind: 'answer'; readonly status: number; readonly headers?: Headers; readonly body: string }
  /** The service carries it out, and its answer is changed on the way. */
  | { readonly kind: 'change'; readonly change: (response: WireResponse) => WireResponse }
  /** The connection breaks. */
  | { readonly kind: 'reset'; readonly applied: boolean }
  /** No answer comes. */
  | { readonly kind: 'silence'; readonly applied: boolean }
  /** The service carries it out, and its answer never ends. */
  | { readonly kind: 'drip' };

interface Headers {
  readonly [name: string]: string;
}

/** What the relay needs of the outside. */
interface Relaying {
  readonly handle: (request: WireRequest) => Promise<WireResponse>;
  /** What happens to the nth request, from 1. */
  readonly step: (nth: number) => Step;
  /** Lets the wait for the beginning of an answer run out. */
  readonly endAnswerWait: () => void;
  /** Lets the wait for the end of an answer run out, once its beginning arrived. */
  readonly endTotalWait: () => Promise<void>;
}

async function read(request: IncomingMessage): Promise<WireRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const body = Buffer.concat(chunks).toString();
  return { method: request.method ?? '', path: request.url ?? '', headers, ...(body === '' ? {} : { body }) };
}

const write = (response: ServerResponse, { status, headers, body }: WireResponse): void => {
  response.writeHead(status, headers).end(body);
};

async function carryOut(
  step: Step,
  request: WireRequest,
  response: ServerResponse,
  { handle, endAnswerWait, endTotalWait }: Relaying,
): Promise<void> {
  switch (step.kind) {
    case 'pass':
      write(response, await handle(request));
      return;
    case 'answer':
      write(response, {
        status: step.status,
        headers: { 'content-type': 'application/json', ...step.headers },
        body: step.body,
      });
      return;
    case 'change':
      write(response, step.change(await handle(request)));
      return;
    case 'reset':
      if (step.applied) await handle(request);
      response.destroy();
      return;
    case 'silence':
      if (step.applied) await handle(request);
      endAnswerWait();
      return;
    case 'drip': {
      const { body } = await handle(request);
      response.writeHead(200, { 'content-type': 'application/json' }).write(body.slice(0, 1) || ' ');
      await endTotalWait();
    }
  }
}

/** Starts a relay on a free port. */
export async function startRelay(relaying: Relaying) {
  let arrived = 0;
  const server = createServer((request, response) => {
    arrived += 1;
    const step = relaying.step(arrived);
    read(request)
      .then((whole) => carryOut(step, whole, response, relaying))
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Requests that arrived. */
    arrived: () => arrived,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
