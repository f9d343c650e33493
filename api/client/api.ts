// The typed client: one call per route, the path by the dialect in use, every answer parsed by the contract.
// It must not know HTTP libraries, kinds, or the engine.
import type { z } from 'zod';
import {
  DIALECT_HEADER,
  DIALECTS,
  fillPath,
  methodIn,
  pathIn,
  routes,
  UnsafeSegment,
  voices,
  type Dialect,
  type Route,
  type Send,
  type WireResponse,
} from '../contract';
import {
  Aborted,
  BadSettings,
  ConnectionFailed,
  messageOf,
  OneOpsError,
  ReadOnly,
  optionWords,
  type SettingWords,
} from '../errors';
import { httpTransport, isLoopback, type TransportOptions } from '../transport';
import { answerOf, isJson } from './answer';
import { spellEvents } from './attachment-events';
import { audited } from './audit';
import { harmless, type Observe } from './events';
import { policyOf, retrying, type RetryPolicy } from './retry';
import { retryBudget } from './retry-budget';
import { spellService } from './service-bodies';

/** How a client is made. What TransportOptions has (time-outs, sizes, connections, `ca`) counts only without a `send`. */
export interface ClientOptions extends Partial<RetryPolicy>, TransportOptions {
  readonly organization: string;
  /** API token; sent as user name of HTTP Basic (api.md §5). */
  readonly token: string;
  /** Default `auto`: what the service says of itself, else what one GET shows, else `documented`. */
  readonly dialect?: Dialect | 'auto';
  /** Default: HTTP to `url`. */
  readonly send?: Send;
  /** Lets the token go over plain http to hosts other than this one. */
  readonly allowHttp?: boolean;
  /** Refuses every request that is no read, with ReadOnly, before anything is sent. */
  readonly readOnly?: boolean;
  /** File that a line of JSON (AuditLine) is appended to for each request; made with mode 0600. Costs one GET, which asks who the user is. */
  readonly audit?: string | undefined;
  /** Told of each request, answer, repetition and failure, for a log. */
  readonly observe?: Observe;
  /** Milliseconds since 1970. Default: the wall clock. */
  readonly now?: () => number;
}

export interface CallInput {
  /** Path parameters; the organization is filled in. */
  readonly address?: { readonly [parameter: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly body?: unknown;
  /** Ends the call, and its pauses, with Aborted. */
  readonly signal?: AbortSignal | undefined;
}

export interface Api {
  readonly url: string;
  readonly organization: string;
  /** Sends one request of a route. Throws ApiError by status, TransportError without an answer, ContractError for an answer of another shape. */
  call<R extends Route>(route: R, input?: CallInput): Promise<z.output<R['answer']>>;
  dialect(): Promise<Dialect>;
  /** Closes kept connections. */
  close(): void;
}

/** One request of a call, as it goes out. */
interface Outgoing {
  readonly route: Route;
  readonly method: Route['method'];
  /** Path with its query. */
  readonly address: string;
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
  readonly attempt: number;
}

/** A client. Loads the HTTP library with the first request. Throws BadSettings. */
export function createApi(options: ClientOptions): Api {
  const words = options.words ?? optionWords;
  checkNames(options, words);
  const authorization = `Basic ${Buffer.from(`${options.token}:`).toString('base64')}`;
  const policy = policyOf(options, retryBudget);
  const observe = harmless(options.observe);
  const now = options.now ?? Date.now;
  const hide = hiding(options.token, authorization);
  const transport = opened(options, now, hide);
  const about = { hide, words, url: options.url, organization: options.organization };
  const read = <R extends Route>(route: R, dialect: Dialect, path: string, response: WireResponse) =>
    answerOf({ ...about, route, dialect, path, now: now() }, response);
  let known: Dialect | undefined = options.dialect === 'auto' ? undefined : options.dialect;
  let probe: Promise<Dialect> | undefined;

  const exchange = async (outgoing: Outgoing): Promise<WireResponse> => {
    const { route, method, address, body, signal, attempt } = outgoing;
    const about = { route: route.name, method, path: address, attempt };
    const headers = {
      accept: 'application/json',
      authorization,
      'user-agent': 'pulumi-oneops',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    observe({ kind: 'request', ...about });
    const start = now();
    const response = await answered(
      transport.send({ method, path: address, headers, ...text }, signal),
      outgoing,
      hide,
      words,
    );
    const date = Date.parse(response.headers['date'] ?? '');
    const said = Number.isNaN(date) ? {} : { date };
    observe({ kind: 'response', ...about, status: response.status, took: now() - start, ...said });
    known ??= DIALECTS.find((dialect) => dialect === response.headers[DIALECT_HEADER]);
    return response;
  };

  /** Sends a request, and again where that helps and is safe; `read` makes its answer a value or an error. */
  const repeated = async <T>(outgoing: Omit<Outgoing, 'attempt'>, read: (response: WireResponse) => T): Promise<T> => {
    const { route, method, address, signal } = outgoing;
    const about = { route: route.name, method, path: address };
    const watch = {
      retry: (attempt: number, error: OneOpsError, pause: number) =>
        observe({ kind: 'retry', ...about, attempt, error, pause }),
      gaveUp: (attempt: number, error: Error, gaveUp: 'final' | 'attempts' | 'budget' | 'wait') =>
        observe({ kind: 'error', ...about, attempt, error, gaveUp }),
    };
    return retrying(route, bare(address), policy, watch, signal, async (attempt) =>
      read(await exchange({ ...outgoing, attempt })),
    );
  };

  /** A route that only one dialect has tells them apart where no header does (architecture §2). Trouble is no answer to that. */
  const probed = (): Promise<Dialect> => {
    const route = routes.catalogue.publicOfferings;
    const address = pathIn('classic', route);
    return repeated({ route, method: route.method, address, body: undefined, signal: undefined }, (response) => {
      if (response.status === 429 || response.status >= 500) read(route, 'classic', address, response);
      return known ?? (response.status === 200 && isJson(response) ? 'classic' : 'documented');
    });
  };

  const dialect = async (): Promise<Dialect> => {
    if (known !== undefined) return known;
    probe ??= probed();
    try {
      return (known = await probe);
    } finally {
      probe = undefined;
    }
  };

  return {
    url: options.url,
    organization: options.organization,
    dialect,
    close: () => {
      transport.close();
    },
    async call(route, input = {}) {
      if (options.readOnly === true) refuseWrite(route, words);
      const isAlike = route.repeat === 'read' && !(route.name in voices.classic.paths);
      const voice = isAlike ? known : await dialect();
      const path = pathOf(voice ? pathIn(voice, route) : route.path, {
        organization: options.organization,
        ...input.address,
      });
      const query = new URLSearchParams(input.query).toString();
      const spoken = voice ?? 'documented';
      const body = spellService(route, spoken, spellEvents(route, spoken, input.body));
      return repeated(
        {
          route,
          method: methodIn(voices[spoken], route),
          address: query === '' ? path : `${path}?${query}`,
          body,
          signal: input.signal,
        },
        (response) => read(route, known ?? 'documented', path, response),
      );
    },
  };
}

/** A filled path. Throws BadSettings for a value that cannot stand in one. */
function pathOf(pattern: string, address: { readonly [name: string]: string }): string {
  try {
    return fillPath(pattern, address);
  } catch (error) {
    if (error instanceof UnsafeSegment)
      throw new BadSettings(error.message, 'give the name of a record, or its number');
    throw error;
  }
}

const bare = (address: string): string => address.split('?')[0] ?? '';

/** A rejection of ours as it is; any other means that there was no answer. Nothing of a foreign error is kept but its words. */
async function answered(
  sending: Promise<WireResponse>,
  { method, address, signal }: Outgoing,
  hide: (text: string) => string,
  words: SettingWords,
): Promise<WireResponse> {
  try {
    return await sending;
  } catch (error) {
    if (error instanceof OneOpsError) throw error;
    const path = bare(address);
    if (signal?.aborted === true) throw new Aborted('stopped on the way', undefined, method, path, 'unknown');
    throw new ConnectionFailed(
      `there was no answer: ${hide(messageOf(error))}`,
      `check ${words.named('url')} and that the service runs`,
      method,
      path,
      'unknown',
    );
  }
}

/** Replaces the token, and the header made of it, wherever they stand in a text. */
function hiding(token: string, authorization: string): (text: string) => string {
  const secrets = [authorization.slice('Basic '.length), encodeURIComponent(token), token].filter(
    (text) => text !== '',
  );
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '[token]'), text);
}

interface Opened {
  readonly send: Send;
  close(): void;
}

function opened(options: ClientOptions, now: () => number, hide: (text: string) => string): Opened {
  const { send, audit: file, url } = options;
  if (send === undefined) checkUrl(options);
  const carrier: Opened = send === undefined ? httpTransport(options) : { send, close: () => undefined };
  if (file === undefined) return carrier;
  const audit = audited(carrier.send, { file, url, now, hide, words: options.words ?? optionWords });
  return {
    send: audit.send,
    close: () => {
      audit.close();
      carrier.close();
    },
  };
}

/** Throws ReadOnly unless a route only reads. */
function refuseWrite(route: Route, words: SettingWords): void {
  if (route.method === 'GET' && route.repeat === 'read') return;
  throw new ReadOnly(`settings are read-only and ${route.name} writes: nothing was sent`, words.allowWrites);
}

/** Throws BadSettings for a setting that is missing: programs without types pass what their environment lacks. */
function checkNames(options: { readonly organization?: unknown; readonly token?: unknown }, words: SettingWords): void {
  for (const name of ['organization', 'token'] as const) {
    const value = options[name];
    if (typeof value !== 'string' || value.trim() === '')
      throw new BadSettings(`the client has no ${name}`, `give one: set ${words.given(name)}`);
  }
}

/** Throws BadSettings unless the url is one that a token may go to. */
function checkUrl({ url, allowHttp, words = optionWords }: ClientOptions): void {
  if (!URL.canParse(url)) throw new BadSettings('the url of the service is not a URL', 'give it as https://host');
  const base = new URL(url);
  if (base.username !== '' || base.password !== '')
    throw new BadSettings('the url of the service holds a user name or password', 'the token is a setting of its own');
  if (base.protocol === 'https:') return;
  if (base.protocol !== 'http:')
    throw new BadSettings(`the url of the service has the protocol ${base.protocol}`, 'give it as https://host');
  if (isLoopback(base.hostname) || allowHttp === true) return;
  throw new BadSettings(
    `a token does not go over plain http to ${base.host}`,
    `use https, or set ${words.named('allowHttp')} to true`,
  );
}
