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

/** Writes an answer; `last`: the connection ends after it. Rejects when the signal ends it. */
export async function deliver(
  response: ServerResponse,
  served: Served,
  last: boolean,
  patience: Patience,
): Promise<void> {
  const { status, headers, body, delivery } = served;
  const cut = delivery?.kind === 'cut';
  const length = cut ? (headers['content-length'] ?? 0) : Buffer.byteLength(body);
  response.writeHead(status, {
    ...headers,
    'content-length': length,
    ...(last || cut ? { connection: 'close' } : {}),
  });
  if (delivery?.kind === 'drip') {
    await drip(response, Buffer.from(body), delivery.bytes, delivery.ms, patience.signal);
    return;
  }
  // From here on the reader has to take something now and then; Node ends a socket whose timeout nobody listens to.
  response.setTimeout(patience.answerTimeout);
  if (cut) response.write(body, () => response.destroy());
  else response.end(body);
}
