// Carries requests with axios over undici. A connection carries one request at a time, is kept for
// the next one, and may lead through a proxy. No redirects, no retries.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { Dispatcher, ProxyAgent } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Client from 'undici/lib/dispatcher/client.js';
import type { WireResponse, WireRequest } from '../contract';
import type { Progress, TimedExchange } from './timed';
import type { InternalAxiosRequestConfig } from 'axios';
import { Axios, AxiosHeaders } from 'axios/dist/browser/axios.cjs';
import {
  ConnectionFailed,
  type SettingWords,
  StaleConnection,
  TooLarge,
  type TransportError,
  Untrusted,
} from '../errors';

/** How the service is reached. */
interface Destination extends Reached {
  /** Trusted certificate authorities in PEM; undefined for those of Node. */
  readonly ca: string[] | undefined;
  readonly connectTimeout: number;
}

export interface Connections {
  /** Rejects with TransportError. */
  readonly exchange: TimedExchange;
  readonly close: () => void;
}

/** One connection, or the way to a new one after it was closed. */
interface Connection {
  readonly dispatcher: Dispatcher;
  isKept: boolean;
  /** When its last answer ended, in milliseconds of a monotonic clock. */
  lastUsed: number;
}

interface Answer {
  /** Whether its request was handed to a connection. */
  isSent: boolean;
  status: number;
  headers: WireResponse['headers'];
  readonly chunks: Buffer[];
}

/** Idle connections are closed before servers usually do, after 5 s. */
const IDLE = 4000;

/**
 * A write takes a connection that was used within so many milliseconds, or a new one. A busy server
 * closes an idle connection at any time after its limit, and nobody knows then whether it read a
 * request.
 */
const FRESH = 1000;

/**
 * A closed connection reports at once that it is closed. A connection that breaks later was alive:
 * the service, or a proxy, gave up on a request that may still be carried out.
 */
const STALE_WITHIN = 5000;

/** Makes connections as they are needed. The caller decides how many requests run at a time. */
export async function connectionsTo(destination: Destination): Promise<Connections> {
  const { base, proxy, answerLimit } = destination;
  // Plain http asks the proxy with the complete address; for https, ProxyAgent makes a tunnel.
  const asked = base.protocol === 'http:' ? proxy : undefined;
  const { origin } = asked ?? base;
  const prefix = `${asked === undefined ? '' : base.origin}${base.pathname.replace(/\/$/, '')}`;
  const own = asked === undefined ? {} : { host: base.host, ...authorizationFor(asked) };
  const isTunnel = proxy !== undefined && base.protocol !== 'http:';
  const open = opener(destination, origin, isTunnel ? await tunnels() : undefined);
  const all = new Set<Connection>();
  const idle: Connection[] = [];
  let isClosed = false;
  const drop = (connection: Connection): Promise<void> => {
    all.delete(connection);
    return connection.dispatcher.destroy();
  };
  /** An idle connection; the one that was used last comes first. */
  const take = (mayBeOld: boolean): Connection | undefined => {
    const last = idle.at(-1);
    return last && (mayBeOld || performance.now() - last.lastUsed < FRESH) ? idle.pop() : undefined;
  };
  /** A new connection, in place of the idle one that was not used for longest. */
  const renewed = async (): Promise<Connection> => {
    const old = idle.shift();
    if (old !== undefined) await drop(old);
    return open();
  };

  return {
    exchange: axiosExchange(async (request, progress) => {
      const sending = {
        origin,
        method: request.method,
        path: `${prefix}${request.path}`,
        headers: { 'accept-encoding': 'gzip, br', ...own, ...request.headers },
        body: request.body ?? null,
      };
      const connection = take(request.method === 'GET') ?? (await renewed());
      all.add(connection);
      // All may have been closed while an idle connection ended.
      if (isClosed) void drop(connection);
      const begin = performance.now();
      progress.stopWith(() => void drop(connection));
      const answer: Answer = { isSent: false, status: 0, headers: {}, chunks: [] };
      let isCarried = false;
      try {
        await dispatched(connection.dispatcher, sending, answer, progress);
        isCarried = true;
        progress.stopWith(() => undefined);
        connection.isKept = true;
        connection.lastUsed = performance.now();
        idle.push(connection);
        return { status: answer.status, headers: answer.headers, body: await textOf(answer, answerLimit) };
      } catch (error) {
        // After the exchange another request may have the connection.
        if (!isCarried) void drop(connection);
        const isStale = answer.status < 200 && connection.isKept && performance.now() - begin < STALE_WITHIN;
        // The others have waited as long, or longer.
        if (isStale) void Promise.all(idle.splice(0).map(drop));
        throw failureOf({ error: error as Error, isSent: answer.isSent, isStale }, request, destination);
      }
    }),
    close() {
      isClosed = true;
      idle.length = 0;
      for (const connection of all) void drop(connection);
    },
  };
}

/** Sends a request and collects its answer. Rejects with undici's own errors. */
function dispatched(
  dispatcher: Dispatcher,
  sending: Dispatcher.DispatchOptions,
  answer: Answer,
  progress: Progress,
): Promise<void> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(sending, {
      onConnect() {
        answer.isSent = true;
        progress.connected();
      },
      onHeaders(status, raw) {
        answer.status = status;
        // Interim answers (1xx) come before the answer itself.
        if (status < 200) return true;
        answer.headers = textHeaders(raw);
        progress.answered();
        return true;
      },
      onData(chunk) {
        answer.chunks.push(chunk);
        return true;
      },
      onComplete: () => resolve(),
      onError: reject,
    });
  });
}

type Tunnel = (options: ProxyAgent.Options) => Dispatcher;

/** Tunnels through a proxy. Their files are loaded where one is needed. */
async function tunnels(): Promise<Tunnel> {
  const { default: Agent } = await import('undici/lib/dispatcher/proxy-agent.js');
  // What the index of undici gives each client.
  const { default: connect } = await import('undici/lib/api/api-connect.js');
  const clientFactory = (to: URL, given: object): Dispatcher => Object.assign(new Client(to, given), { connect });
  return (options) => new Agent({ ...options, clientFactory });
}

/** Makes a way to connections of one origin. TLS sessions are shared between them. */
function opener(
  { proxy, ca, connectTimeout, answerLimit }: Destination,
  origin: string,
  tunnel: Tunnel | undefined,
): () => Connection {
  const tls = { ...(ca === undefined ? {} : { ca }), timeout: connectTimeout };
  const connector = buildConnector(tls);
  const options: Client.Options = {
    // The certificate is the origin's; undici would take the name from `host`, the service's.
    connect: ({ servername: _, ...to }, connected) => connector(to, connected),
    keepAliveTimeout: IDLE,
    keepAliveMaxTimeout: IDLE,
    // Times are kept by the caller.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: answerLimit,
  };
  return () => {
    const state = { isKept: false, lastUsed: 0 };
    const client = (to: string | URL, given: object): Client => {
      const made = new Client(to, given);
      made.on('connect', () => {
        state.isKept = false;
      });
      // Without this, undici connects again and again to what closes each connection.
      made.on('connectionError', (_origin, _targets, error) => void made.destroy(error));
      return made;
    };
    if (proxy === undefined || tunnel === undefined)
      return Object.assign(state, { dispatcher: client(origin, options) });
    const { connect: _, ...kept } = options;
    const { 'proxy-authorization': token } = authorizationFor(proxy);
    const through = { uri: proxy.href, requestTls: tls, proxyTls: tls, ...(token === undefined ? {} : { token }) };
    return Object.assign(state, { dispatcher: tunnel({ ...kept, ...through, factory: client }) });
  };
}

/** The header that a proxy with a user asks for; none without one. */
function authorizationFor(proxy: URL): { readonly 'proxy-authorization'?: string } {
  if (proxy.username === '') return {};
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
}

/** The text of an answer, as it was before it was packed. */
async function textOf({ headers, chunks }: Answer, limit: number): Promise<string> {
  const whole = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  const unpack = UNPACKING[headers['content-encoding'] ?? ''];
  const bytes = unpack === undefined || whole.length === 0 ? whole : await unpack(whole, { maxOutputLength: limit });
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

const UNPACKING: {
  readonly [encoding: string]: (packed: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>;
} = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
};

/** Names and values, which undici gives alternately. Repeated headers are one text. */
function textHeaders(raw: readonly Buffer[]): WireResponse['headers'] {
  const headers: { [name: string]: string } = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = String(raw[at]).toLowerCase();
    const value = raw[at + 1]?.toString('latin1') ?? '';
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

function axiosExchange(carry: TimedExchange): TimedExchange {
  // Without axios' defaults: no transformations, no headers of its own, no status that is an error.
  const client = new Axios({ headers: new AxiosHeaders() });

  return async ({ method, path, headers, body }, progress) => {
    const adapter = async (config: InternalAxiosRequestConfig) => {
      const sent = { method, path, headers: config.headers.toJSON(true) as WireResponse['headers'] };
      const answer = await carry(body === undefined ? sent : { ...sent, body }, progress);
      return { data: answer, status: answer.status, statusText: '', headers: {}, config };
    };
    // axios names a form as the type of a body that does not exist.
    const typed = { 'content-type': false, ...headers };
    return (await client.request<WireResponse>({ adapter, method, url: path, headers: typed })).data;
  };
}

// The failure of an exchange: by its code, and by whether the request can have arrived.

interface Breakage {
  /** A library's own error. It may hold headers, so only its code and message are kept. */
  readonly error: Error & { readonly code?: unknown };
  readonly isSent: boolean;
  /** Whether it broke on a connection kept from an earlier request, before an answer began. */
  readonly isStale: boolean;
}

/** Whom the exchange was with, and what messages need. */
interface Reached {
  readonly base: URL;
  /** The proxy, when the service is reached through one. */
  readonly proxy: URL | undefined;
  /** Bytes an answer may have, unpacked. */
  readonly answerLimit: number;
  /** How messages name the settings. */
  readonly words: SettingWords;
}

/** Codes of undici and zlib for an answer beyond the limit. */
const OVERFLOWS: readonly string[] = ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'ERR_BUFFER_TOO_LARGE'];

const UNTRUSTED =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA|UND_ERR_PRX_TLS)/;

function failureOf(
  { error, isSent, isStale }: Breakage,
  request: WireRequest,
  { base, proxy, answerLimit, words }: Reached,
): TransportError {
  const code = typeof error.code === 'string' ? error.code : '';
  const { origin } = base;
  const failed = (Failure: typeof ConnectionFailed, what: string, hint: string): ConnectionFailed =>
    new Failure(what, hint, request, isSent ? 'unknown' : false);

  if (OVERFLOWS.includes(code)) {
    const what = `the answer has more than ${answerLimit} bytes`;
    return new TooLarge(what, words.largeAnswer, request, true);
  }
  if (UNTRUSTED.test(code)) {
    // A service in plain http has no certificate.
    const isOfProxy = code === 'UND_ERR_PRX_TLS' || base.protocol === 'http:';
    return failed(
      Untrusted,
      `the certificate of ${isOfProxy ? `the proxy ${proxy?.host}` : origin} is not trusted (${code})`,
      'name the file of its certificate authority in NODE_EXTRA_CA_CERTS',
    );
  }
  const why = reasonOf(code, error.message, proxy);
  if (base.protocol === 'https:' && /^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER)$/.test(code))
    return failed(
      ConnectionFailed,
      `${origin} does not speak TLS (${why})`,
      `check the protocol and the port in ${words.named('url')}: an address that begins with http:// may be meant${words.seeUrl}`,
    );
  if (!isSent)
    return failed(
      ConnectionFailed,
      `${origin} cannot be reached (${why})`,
      `check ${words.named('url')} and that the service runs${words.seeUrl}`,
    );
  const hint = 'try again: what was sent may have arrived';
  return isStale
    ? failed(StaleConnection, `${origin} closed a kept connection (${why})`, hint)
    : failed(ConnectionFailed, `the connection to ${origin} broke (${why})`, hint);
}

/** The code, or the words where the code is undici's own and says less. */
function reasonOf(code: string, message: string, proxy: URL | undefined): string {
  const status = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (status !== undefined) return `the proxy ${proxy?.host} answered ${status}`;
  return code === '' || code.startsWith('UND_ERR_') ? message : code;
}
