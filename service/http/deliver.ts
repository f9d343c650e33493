// Puts an answer on its socket: at once, cut short, or drop by drop.
// It must not know what is answered, nor why it goes out as it does.
import { type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Served } from '../faults';

/** How long an answer may take on its way. */
export interface Patience {
  /** ms in which its reader may take nothing, before the connection ends. */
  readonly answerTimeout: number;
  /** Ends drops at once. */
  readonly signal: AbortSignal;
}

async function drip(
  response: ServerResponse,
  whole: Buffer,
  bytes: number,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  for (let from = 0; from < whole.length && !response.destroyed; from += bytes) {
    response.write(whole.subarray(from, from + bytes));
    await delay(ms, undefined, { signal });
  }
  response.end();
}

/**
 * Writes an answer; `last`: the connection ends after it. `now`: the time its header tells, in ms since 1970; default: the wall clock. Waits only where it goes out drop by drop; rejects when the signal ends that.
 */
export function deliver(
  response: ServerResponse,
  served: Served,
  last: boolean,
  patience: Patience,
  now?: number,
): Promise<void> | undefined {
  const { status, headers, body, delivery } = served;
  const cut = delivery?.kind === 'cut';
  const head: string[] = [];
  for (const name in headers) if (name !== 'content-length') head.push(name, headers[name] ?? '');
  head.push('content-length', cut ? (headers['content-length'] ?? '0') : String(Buffer.byteLength(body)));
  if (last || cut) head.push('connection', 'close');
  if (now !== undefined) head.push('date', new Date(now).toUTCString());
  response.writeHead(status, head);
  if (delivery?.kind === 'drip') return drip(response, Buffer.from(body), delivery.bytes, delivery.ms, patience.signal);
  if (cut) response.write(body, () => response.destroy());
  else response.end(body);
  // What was not taken at once has to be taken now and then; Node ends a socket whose timeout nobody listens to.
  if ((response.socket?.writableLength ?? 0) > 0) response.setTimeout(patience.answerTimeout);
  return undefined;
}
