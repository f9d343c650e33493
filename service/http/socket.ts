// A request off its socket within limits, and an answer onto it: immediately, cut short, or drop by drop.
// What is asked or answered does not matter here.
import { isUtf8 } from 'node:buffer';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type WireRequest } from '../../api/contract';
import { type Served } from '../faults';
import { BODY_LIMIT } from './body';

/** How much of a body that is too large is still taken in, unread, so that its sender hears the answer instead of a broken connection. */
const DRAIN_LIMIT = 8 * BODY_LIMIT;

/** Bytes of bodies held at one time, of all requests together: what keeps the memory bounded whoever sends. */
export interface Budget {
  readonly limit: number;
  held: number;
}

/** A body as it came. */
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

/** Reads a body to its end, immediately where none follows; rejects when its sender went away. */
export function receive(
  request: IncomingMessage,
  headers: WireRequest['headers'],
  budget: Budget,
): Received | Promise<Received> {
  if (!hasBody(headers)) return NOTHING;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let kept = 0;
    let noRoom = false;
    let ended = false;
    const release = (): void => {
      budget.held -= kept;
      kept = 0;
      chunks.length = 0;
    };
    const end = (): void => {
      if (ended) return;
      ended = true;
      const tooLarge = size > BODY_LIMIT;
      const whole = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, kept);
      // One that is too large was cut anywhere, in the middle of a character too.
      const refused = noRoom ? 'no room' : tooLarge || isUtf8(whole) ? undefined : 'no text';
      resolve({ text: refused === undefined ? whole.toString('utf8') : '', tooLarge, refused, release });
    };
    const giveUp = (error?: Error): void => {
      if (ended) return;
      ended = true;
      release();
      reject(error ?? new Error('the sender went away'));
    };
    request.on('data', (chunk: Buffer) => {
      if (!noRoom && size <= BODY_LIMIT) {
        if (budget.held + chunk.length > budget.limit) {
          noRoom = true;
          release();
        } else {
          chunks.push(chunk);
          kept += chunk.length;
          budget.held += chunk.length;
        }
      }
      size += chunk.length;
      if (size > DRAIN_LIMIT) end();
    });
    request.on('end', end);
    request.on('error', giveUp);
    request.on('close', () => giveUp());
  });
}

/** Headers by lower-case name; repeated ones joined, so that two of what there may be one of fit nothing (RFC 9110 §5.3). */
export function headersOf(request: IncomingMessage): WireRequest['headers'] {
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
export interface DeliveryLimits {
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
 * Writes an answer; `last`: the connection ends after it. `now`: the time in its header, in ms since 1970; default: the wall clock. Waits only where it goes out drop by drop; rejects when the signal ends that.
 */
export function deliver(
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
  // What was not taken immediately has to be taken now and then; Node ends a socket whose timeout nobody listens to.
  if ((response.socket?.writableLength ?? 0) > 0) response.setTimeout(limits.answerTimeout);
  return undefined;
}
