// Sends requests over HTTP: the one file that names axios. Keep-alive, time-outs, size limits, no redirects.
// It must not know routes, dialects, tokens or retries.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import axios, { AxiosError, type AxiosInstance } from 'axios';
import type { Send, WireRequest, WireResponse } from '../contract';
import { ConnectionFailed, TimedOut } from '../errors';

export interface TransportOptions {
  /** Base URL: `https://oneops.acme.io`. */
  readonly url: string;
  /** Milliseconds until an answer must be there; the live service may hold a call for 120 s (wire-facts §0.1). Default 130 000. */
  readonly answerTimeout?: number;
  /** Connections kept and used at once. Default 16. */
  readonly connections?: number;
  /** Bytes an answer may have. Default 64 MiB. */
  readonly answerLimit?: number;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Codes of failures before anything was sent. */
const NOT_SENT = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
];

/** A `Send` over HTTP or HTTPS. Rejects with TimedOut or ConnectionFailed. */
export function httpTransport(options: TransportOptions): { readonly send: Send; close(): void } {
  const base = new URL(options.url);
  const pool = { keepAlive: true, maxSockets: options.connections ?? 16 };
  const httpAgent = new HttpAgent(pool);
  const httpsAgent = new HttpsAgent(pool);
  const client: AxiosInstance = axios.create({
    baseURL: base.href.replace(/\/$/, ''),
    httpAgent,
    httpsAgent,
    timeout: options.answerTimeout ?? 130_000,
    maxRedirects: 0,
    maxContentLength: options.answerLimit ?? 64 * 1024 * 1024,
    maxBodyLength: Infinity,
    responseType: 'text',
    transformRequest: [(data: unknown) => data],
    transformResponse: [(data: unknown) => data],
    validateStatus: () => true,
    // Loopback is never reached through a proxy; elsewhere HTTPS_PROXY and NO_PROXY hold.
    ...(LOOPBACK.includes(base.hostname) ? { proxy: false as const } : {}),
  });

  return {
    async send(request, signal) {
      try {
        const response = await client.request<string>({
          method: request.method,
          url: request.path,
          headers: request.headers,
          ...(request.body === undefined ? {} : { data: request.body }),
          ...(signal === undefined ? {} : { signal }),
        });
        return { status: response.status, headers: textHeaders(response.headers), body: response.data };
      } catch (error) {
        throw failureOf(error, request, base);
      }
    },
    close() {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

function textHeaders(headers: object): WireResponse['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}

function failureOf(error: unknown, request: WireRequest, base: URL): Error {
  if (!(error instanceof AxiosError)) return error instanceof Error ? error : new Error(String(error));
  const code = error.code ?? '';
  const path = request.path.split('?')[0] ?? '';
  const sent = NOT_SENT.includes(code) ? false : 'unknown';
  if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') {
    return new TimedOut(
      `${base.origin} did not answer in time`,
      'the service may be busy: try again later',
      request.method,
      path,
      sent,
    );
  }
  return new ConnectionFailed(
    `${base.origin} cannot be reached (${code === '' ? error.message : code})`,
    'check oneops:url and that the service runs: pulumi config get oneops:url',
    request.method,
    path,
    sent,
  );
}
