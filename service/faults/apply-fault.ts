// What a fault makes of an answer: another one, half of one, none.
// What a socket has to do is data of the answer, so that callers without a socket can read it too.
import { StringDecoder } from 'node:string_decoder';
import { type WireResponse } from '../../api/contract';
import type { MetFault } from './faults';

/** How a listener puts an answer on the wire; a caller without a socket may ignore it. */
type Delivery =
  /** The connection ends after the body, which is shorter than `content-length` says. */
  | { readonly kind: 'cut' }
  /** The body goes out `bytes` at a time, `ms` apart. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly ms: number };

/** An answer, and how it goes out when that is not as usual. */
export interface Served extends WireResponse {
  readonly delivery?: Delivery;
}

/** There is no answer, on purpose: a fault dropped it. A listener ends the connection without a word. */
export class AnswerDropped extends Error {
  constructor() {
    super('a fault dropped the answer');
    this.name = 'AnswerDropped';
  }
}

const plainText = { 'content-type': 'text/plain; charset=utf-8' };
const json = { 'content-type': 'application/json; charset=utf-8' };

function page(status: number): Served {
  const body = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${status}</h1><p>This page was sent in place of an answer.</p></body></html>`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** The first bytes of an answer, with the length of the whole. */
function cut(answer: WireResponse, bytes: number): Served {
  const whole = Buffer.from(answer.body);
  if (bytes >= whole.length) return answer;
  return {
    status: answer.status,
    headers: { ...answer.headers, 'content-length': String(whole.length) },
    // Whole characters only: half of one would become another.
    body: new StringDecoder('utf8').write(whole.subarray(0, bytes)),
    delivery: { kind: 'cut' },
  };
}

/**
 * The answer to a request that meets a fault. `carryOut` has the service answer it, which a fault that is not `applied` never asks for.
 * Throws AnswerDropped when there shall be no answer.
 */
export function applyFault(fault: MetFault['fault'], carryOut: () => WireResponse): Served {
  if (fault === undefined) return carryOut();
  if ('applied' in fault && fault.applied === true) carryOut();
  switch (fault.effect) {
    case 'status': {
      const { status, body, headers } = fault;
      const lowerCase = Object.fromEntries(
        Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
      );
      if (typeof body === 'string') return { status, headers: { ...plainText, ...lowerCase }, body };
      const text = body === undefined ? '' : JSON.stringify(body);
      return { status, headers: { ...json, ...lowerCase }, body: text };
    }
    case 'html':
      return page(fault.status ?? 200);
    case 'rate-limit':
      return {
        status: 429,
        headers: { ...json, 'retry-after': String(fault.seconds) },
        body: JSON.stringify({ errors: ['too many requests'] }),
      };
    case 'drop':
      throw new AnswerDropped();
    case 'truncate':
      return cut(carryOut(), fault.bytes);
    case 'drip':
      return { ...carryOut(), delivery: { kind: 'drip', bytes: fault.bytes ?? 1, ms: fault.ms } };
  }
}
