// The door of the transport. Sends requests over HTTP: few at a time, within times and sizes,
// directly or through a proxy. Loads no HTTP library before the first request.
import type { Send, WireRequest } from '../contract';
import { Aborted, BadSettings, messageOf, optionWords, type SettingWords, TooLarge } from '../errors';
import { createGate } from './gate';
import { type ProcessVariables, proxyFor } from './proxy';
import { after, type After, timed } from './timed';
import type { Connections } from './connections';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

export { proxyFor, type ProcessVariables } from './proxy';
export type { After } from './timed';

/** How requests are sent. Times are milliseconds, sizes bytes. */
export interface TransportOptions {
  /** Base address: `https://oneops.acme.io`. */
  readonly url: string;
  /** Until a connection is open. Default 10 000. */
  readonly connectTimeout?: number;
  /** Until an answer begins. The live service may hold a call for 120 s. Default 130 000. */
  readonly answerTimeout?: number;
  /** Until an answer is complete. Default 180 000. */
  readonly totalTimeout?: number;
  /** Requests at a time; fewer while the service asks for fewer. Default 16. */
  readonly connections?: number;
  /** What an answer may have, unpacked. Default 64 MiB. */
  readonly answerLimit?: number;
  /** What a request's body may have. Default 16 MiB. */
  readonly bodyLimit?: number;
  /** Certificate authorities in PEM, besides the usual ones and those of NODE_EXTRA_CA_CERTS. */
  readonly ca?: string | readonly string[];
  /** Where HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY are read. Default: the process's. */
  readonly environment?: ProcessVariables;
  /** Default: timers of the process. */
  readonly timers?: After;
  /** How hints name the settings. Default: as options of the client. */
  readonly words?: SettingWords;
}

export interface Transport {
  readonly send: Send;
  /** Closes kept connections. */
  readonly close: () => void;
}

const MEBIBYTE = 1024 * 1024;

/** A `Send` over HTTP or HTTPS; rejects with TransportError. Throws BadSettings. */
export function httpTransport(options: TransportOptions): Transport {
  const base = new URL(options.url);
  const { connections = 16, connectTimeout = 10_000, answerTimeout = 130_000, totalTimeout = 180_000 } = options;
  const { bodyLimit = 16 * MEBIBYTE, answerLimit = 64 * MEBIBYTE, timers = after, words = optionWords } = options;
  const environment = options.environment ?? process.env;
  const proxy = proxyFor(base, environment);
  const ca = authorities(options.ca, environment);
  const limits = { connectTimeout, answerTimeout, totalTimeout, timers, origin: base.origin, words };
  const gate = createGate(connections);
  let loaded: Promise<Connections> | undefined;

  const load = async (): Promise<Connections> => {
    const { connectionsTo } = await import('./connections.js');
    return connectionsTo({ base, proxy, ca, connectTimeout, answerLimit, words });
  };

  return {
    async send(request, signal) {
      const large = tooLarge(request, bodyLimit, words);
      if (large !== undefined) throw large;
      const { exchange } = await (loaded ??= load());
      const leave = await entered(() => gate.enter(signal), request);
      let status = 0;
      try {
        const response = await timed(exchange, request, limits, signal);
        status = response.status;
        return response;
      } finally {
        if (status === 0) leave('failed');
        else leave(status === 429 || status === 503 ? 'busy' : 'fine');
      }
    },
    close: () => {
      void loaded?.then(
        ({ close }) => close(),
        () => undefined,
      );
    },
  };
}

async function entered<T>(enter: () => Promise<T>, request: WireRequest): Promise<T> {
  try {
    return await enter();
  } catch {
    // The gate refuses for one reason only: the caller's signal.
    throw new Aborted('stopped before it was sent', undefined, request, false);
  }
}

function tooLarge(request: WireRequest, limit: number, words: SettingWords): TooLarge | undefined {
  const { body } = request;
  // A character has at most three bytes: most texts need not be measured.
  if (body === undefined || body.length * 3 <= limit) return undefined;
  const size = Buffer.byteLength(body);
  if (size <= limit) return undefined;
  const what = `the request has ${size} bytes, ${limit} are allowed`;
  return new TooLarge(what, words.largeRequest, request, false);
}

/**
 * Authorities in PEM: the given ones, those of NODE_EXTRA_CA_CERTS, and Node's. Undefined when none
 * are given. Throws BadSettings for what is not PEM, or a file that cannot be read.
 */
function authorities(
  given: string | readonly string[] | undefined,
  environment: ProcessVariables,
): string[] | undefined {
  if (given === undefined) return undefined;
  const own = typeof given === 'string' ? [given] : given;
  if (own.length === 0 || !own.every((text) => text.includes('-----BEGIN CERTIFICATE-----')))
    throw new BadSettings('ca contains no certificate', 'give the text of the PEM file, not its path');
  const file = environment['NODE_EXTRA_CA_CERTS'];
  if (file === undefined || file === '') return [...rootCertificates, ...own];
  try {
    return [...rootCertificates, readFileSync(file, 'utf8'), ...own];
  } catch (error) {
    throw new BadSettings(`NODE_EXTRA_CA_CERTS cannot be read: ${messageOf(error)}`, 'correct it, or unset it');
  }
}
