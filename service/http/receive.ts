// Takes a request off its socket: headers and body as text, within limits.
// It must not know routes or what a body means.
import { isUtf8 } from 'node:buffer';
import { type IncomingMessage } from 'node:http';
import { type WireRequest } from '../../api/contract';
import { BODY_LIMIT } from './read-body';

/** How much of a body that is too large is still taken in, unread, so that its sender hears the answer instead of a broken connection. */
const PATIENCE = 8 * BODY_LIMIT;

/** Bytes of bodies held at one time, of all requests together: what keeps the memory bounded whoever sends. */
export interface Budget {
  readonly limit: number;
  held: number;
}

/** A body as it came. */
export interface Received {
  /** Of one that is too large, just enough for the service to see so; '' when it was not kept. */
  readonly text: string;
  readonly tooLarge: boolean;
  /** Why it was not kept: the service holds as many bodies as it can, or it is no text in UTF-8. */
  readonly refused: 'no room' | 'no text' | undefined;
  /** Gives its bytes back to the budget. */
  release(): void;
}

/** What there is of a request without a body. */
const NOTHING: Received = { text: '', tooLarge: false, refused: undefined, release: () => undefined };

/** Whether a request says that a body follows (RFC 9112 §6.3). */
const hasBody = (headers: WireRequest['headers']): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Reads a body to its end, at once where none follows; rejects when its sender went away. */
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
      if (size > PATIENCE) end();
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
