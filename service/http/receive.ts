// Takes a request off its socket: headers and body as text, within limits.
// It must not know routes or what a body means.
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
  /** Of one that is too large, just enough for the service to see so; '' when there was no room for it. */
  readonly text: string;
  readonly tooLarge: boolean;
  /** The service holds as many bodies as it can: this one was not kept. */
  readonly noRoom: boolean;
  /** Gives its bytes back to the budget. */
  release(): void;
}

/** Reads a body to its end; rejects when its sender went away. */
export function receive(request: IncomingMessage, budget: Budget): Promise<Received> {
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
      const text = chunks.length === 0 ? '' : Buffer.concat(chunks, kept).toString('utf8');
      resolve({ text, tooLarge: size > BODY_LIMIT, noRoom, release });
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
