// Connections: made in time, directly or through a proxy, kept for the next request, with the authorities that are trusted.
// It must not know requests, answers or tokens.
import { Agent as HttpAgent, request as httpRequest, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectSecurely, type ConnectionOptions } from 'node:tls';
import { CONNECT_TIMED_OUT } from './failures';
import type { After } from './timed';

/** How connections are made. */
export interface Connecting {
  /** Connections at once. */
  readonly connections: number;
  /** Milliseconds until a connection must stand, a proxy's and TLS's part included. */
  readonly connectTimeout: number;
  readonly timers: After;
  /** PEM; undefined for what Node trusts. */
  readonly ca: string[] | undefined;
  /** The proxy for https. */
  readonly proxy: URL | undefined;
}

/** The agents of one service. */
export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
  /** Whether an error of a connection came before it stood. */
  unsent(error: unknown): boolean;
  close(): void;
}

/** An idle connection is closed after so many milliseconds: before the shortest customary time of servers (5 s), which else close it under us. */
const IDLE = 4000;

type Made = (error: Error | null, stream: Duplex) => void;

/** Makes the agents. */
export function createAgents(connecting: Connecting): Agents {
  const { connections, connectTimeout, timers, ca, proxy } = connecting;
  const early = new WeakSet<object>();
  const pool = { keepAlive: true, maxSockets: connections, timeout: IDLE };
  const http = new HttpAgent(pool);
  const https = new HttpsAgent({ ...pool, ...(ca === undefined ? {} : { ca }) });

  /** Ends what is not connected in time, and remembers errors that come before it is. */
  const watched = <S extends Socket | ClientRequest>(what: S, connected: string): S => {
    const forget = timers(connectTimeout, () => {
      what.destroy(Object.assign(new Error('no connection in time'), { code: CONNECT_TIMED_OUT }));
    });
    const fail = (error: Error): void => {
      early.add(error);
      forget();
    };
    what.once('error', fail);
    what.once('close', forget);
    what.once(connected, () => {
      forget();
      what.removeListener('error', fail);
    });
    return what;
  };

  http.createConnection = (options, made) =>
    watched(HttpAgent.prototype.createConnection.call(http, options, made) as Socket, 'connect');
  https.createConnection =
    proxy === undefined
      ? (options, made) =>
          watched(HttpsAgent.prototype.createConnection.call(https, options, made) as Socket, 'secureConnect')
      : (options, made) => {
          tunnel(proxy, options, ca, watched, early, made ?? (() => undefined));
          return undefined;
        };

  return {
    http,
    https,
    unsent: (error) => typeof error === 'object' && error !== null && early.has(error),
    close: () => {
      http.destroy();
      https.destroy();
    },
  };
}

/** Connects to a host through a proxy: CONNECT, then TLS with the host itself. */
function tunnel(
  proxy: URL,
  options: RequestOptions,
  ca: string[] | undefined,
  watched: <S extends Socket | ClientRequest>(what: S, connected: string) => S,
  early: WeakSet<object>,
  made: Made,
): void {
  const host = String(options.host ?? options.hostname);
  const authority = `${host.includes(':') ? `[${host}]` : host}:${options.port ?? 443}`;
  const fail = (error: Error): void => {
    early.add(error);
    // The host's agent reads no stream beside an error.
    made(error, undefined as unknown as Duplex);
  };
  const asking = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : proxy.port,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...proxyAuthorization(proxy) },
    agent: false,
    ...(ca === undefined ? {} : { ca }),
  });
  watched(asking, 'connect');
  asking.once('error', fail);
  asking.once('connect', (answer, socket) => {
    asking.removeListener('error', fail);
    if (answer.statusCode !== 200) {
      socket.destroy();
      fail(new Error(`the proxy ${proxy.host} answered ${answer.statusCode}`));
      return;
    }
    const secure = connectSecurely({ ...(options as ConnectionOptions), socket });
    made(null, watched(secure, 'secureConnect'));
  });
  asking.end();
}

/** The header a proxy with a user asks for; none without one. */
export function proxyAuthorization(proxy: URL): { readonly [name: string]: string } {
  if (proxy.username === '') return {};
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
}
