// Carries one request over a connection and its answer back, as text. No redirects, no retries; what breaks is told by its code alone.
// It must not know routes, dialects, tokens, retries or times.
import { request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { WireRequest, WireResponse } from '../contract';
import { type SettingWords, TooLarge } from '../errors';
import { proxyAuthorization, type Agents } from './agents';
import { failureOf } from './failures';
import type { Exchange } from './timed';

/** What carrying needs to know. */
export interface Carrying {
  /** Base address of the service. */
  readonly base: URL;
  readonly agents: Agents;
  /** Bytes an answer may have. */
  readonly answerLimit: number;
  /** For messages only: the agents keep it. */
  readonly connectTimeout: number;
  /** The proxy, when the service is reached through one. */
  readonly proxy: URL | undefined;
  /** For messages only: how the settings are called. */
  readonly words: SettingWords;
}

/** Exchanges over Node's own HTTP. Rejects with TransportError. */
export function carrier(carrying: Carrying): Exchange {
  const { base, agents, answerLimit, connectTimeout } = carrying;
  const place = placeOf(carrying);
  const send = base.protocol === 'https:' ? httpsRequest : httpRequest;

  return (request, progress) =>
    new Promise((resolve, reject) => {
      const body = request.body === undefined ? undefined : Buffer.from(request.body);
      let isAnswered = false;
      const sending: ClientRequest = send({
        ...place,
        method: request.method,
        path: `${place.path}${request.path}`,
        headers: {
          'accept-encoding': 'gzip, br',
          ...place.headers,
          ...request.headers,
          ...(body === undefined ? {} : { 'content-length': body.length }),
        },
      });
      const fail = (error: Error & { readonly code?: unknown }): void => {
        const breakage = {
          code: typeof error.code === 'string' ? error.code : '',
          message: error.message,
          unsent: !isAnswered && agents.unsent(error),
          stale: !isAnswered && sending.reusedSocket,
        };
        reject(failureOf(breakage, request, base.origin, connectTimeout, carrying.words));
      };
      sending.on('error', fail);
      sending.once('response', (response) => {
        isAnswered = true;
        progress.answered();
        textOf(unpacked(response, fail), answerLimit, request).then(
          (text) => resolve({ status: response.statusCode ?? 0, headers: textHeaders(response), body: text }),
          (error: Error) => {
            response.destroy();
            if (error instanceof TooLarge) reject(error);
            else fail(error);
          },
        );
      });
      progress.stopWith(() => {
        sending.destroy(new Error('stopped'));
      });
      sending.end(body);
    });
}

/** Where requests go: to the service, or, in plain http through a proxy, to the proxy with the whole address as path. */
function placeOf({ base, agents, proxy }: Carrying): RequestOptions & {
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
} {
  const prefix = base.pathname.replace(/\/$/, '');
  const host = (url: URL): { readonly host: string; readonly port: string } => ({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
  });
  if (base.protocol === 'https:') return { ...host(base), agent: agents.https, path: prefix, headers: {} };
  if (proxy === undefined) return { ...host(base), agent: agents.http, path: prefix, headers: {} };
  const headers = { host: base.host, ...proxyAuthorization(proxy) };
  return { ...host(proxy), agent: agents.http, path: `${base.origin}${prefix}`, headers };
}

/** The answer's bytes as they were before they were packed. */
function unpacked(response: IncomingMessage, fail: (error: Error) => void): Readable {
  const unpack = { gzip: createGunzip, br: createBrotliDecompress }[response.headers['content-encoding'] ?? ''];
  return unpack === undefined ? response : pipeline(response, unpack(), (error) => error && fail(error));
}

/** The whole text of an answer. Rejects with TooLarge, or as the stream breaks. */
function textOf(stream: Readable, limit: number, request: WireRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      const path = request.path.split('?')[0] ?? '';
      const what = `the answer has more than ${limit} bytes`;
      reject(new TooLarge(what, 'ask for less, or raise answerLimit', request.method, path, true));
    });
    stream.on('error', reject);
    // Comes last: without an end before it, the answer was cut off.
    stream.once('close', () => reject(Object.assign(new Error('the answer was cut off'), { code: 'ECONNRESET' })));
    stream.once('end', () => {
      const whole = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size);
      resolve(whole?.toString('utf8').replace(/^\uFEFF/, '') ?? '');
    });
  });
}

function textHeaders({ headers }: IncomingMessage): WireResponse['headers'] {
  const texts: { [name: string]: string } = {};
  for (const name in headers) texts[name] = String(headers[name]);
  return texts;
}
