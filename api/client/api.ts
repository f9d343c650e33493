// The typed client: one call per route, the path by the dialect in use, every answer parsed by the contract.
// It must not know HTTP libraries, kinds, or the engine.
import type { z } from 'zod';
import {
  DIALECT_HEADER,
  DIALECTS,
  fillPath,
  pathIn,
  voices,
  type Dialect,
  type Route,
  type Send,
  type WireResponse,
} from '../contract';
import { apiError, ConnectionFailed, ContractError, Unauthenticated } from '../errors';
import { readEvents, spellEvents } from './attachment-events';
import { retrying, type RetryPolicy } from './retry';

export interface ClientOptions extends Partial<RetryPolicy> {
  /** Base address of the service. */
  readonly url: string;
  readonly organization: string;
  /** API token; sent as user name of HTTP Basic (api.md §5). */
  readonly token: string;
  /** Default `auto`: what the service says of itself, else what one GET shows, else `documented`. */
  readonly dialect?: Dialect | 'auto';
  /** Default: HTTP to `url`. */
  readonly send?: Send;
  /** Lets the token go over plain http to hosts other than this one. */
  readonly allowHttp?: boolean;
  /** Told of each exchange, for tracing; holds no token and no body. */
  readonly log?: (exchange: Exchange) => void;
}

/** One request and its answer, as a trace shows them. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

export interface CallInput {
  /** Path parameters; the organization is filled in. */
  readonly address?: { readonly [parameter: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface Api {
  readonly url: string;
  readonly organization: string;
  /** Sends one request of a route. Throws ApiError by status, TransportError without an answer, ContractError for an answer of another shape. */
  call<R extends Route>(route: R, input?: CallInput): Promise<z.output<R['answer']>>;
  dialect(): Promise<Dialect>;
  close(): void;
}

/** A client. Loads the HTTP library only when no `send` is given. */
export function createApi(options: ClientOptions): Api {
  const authorization = `Basic ${Buffer.from(`${options.token}:`).toString('base64')}`;
  const transport = opened(options);
  let known: Dialect | undefined = options.dialect === 'auto' ? undefined : options.dialect;
  let probe: Promise<Dialect> | undefined;

  const exchange = async (method: string, path: string, body: unknown, signal?: AbortSignal): Promise<WireResponse> => {
    const headers = {
      accept: 'application/json',
      authorization,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const response = await transport.send(
      { method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
      signal,
    );
    options.log?.({ method, path, status: response.status });
    known ??= DIALECTS.find((dialect) => dialect === response.headers[DIALECT_HEADER]);
    return response;
  };

  /** A route that only one dialect has tells them apart where no header does (architecture §2). */
  const probed = async (): Promise<Dialect> => {
    const path = voices.classic.paths['catalogue.publicOfferings'] ?? '';
    const response = await exchange('GET', path, undefined);
    return known ?? (response.status === 200 && isJson(response) ? 'classic' : 'documented');
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
      const voice = route.method === 'GET' && !(route.name in voices.classic.paths) ? known : await dialect();
      const path = fillPath(voice ? pathIn(voice, route) : route.path, {
        organization: options.organization,
        ...input.address,
      });
      const query = new URLSearchParams(input.query).toString();
      const address = query === '' ? path : `${path}?${query}`;
      return retrying(route, options, async () => {
        const response = await exchange(
          route.method,
          address,
          spellEvents(route, voice ?? 'documented', input.body),
          input.signal,
        );
        return answerOf(route, known ?? 'documented', path, response);
      });
    },
  };
}

function opened(options: ClientOptions): { readonly send: Send; close(): void } {
  if (options.send) return { send: options.send, close: () => undefined };
  const url = new URL(options.url);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'http:' && !isLocal && options.allowHttp !== true) {
    throw new ConnectionFailed(
      `a token does not go over plain http to ${url.host}`,
      'use https, or set oneops:allowHttp to true',
      'CONNECT',
      url.host,
      false,
    );
  }
  let transport: { readonly send: Send; close(): void } | undefined;
  const load = async (): Promise<{ readonly send: Send; close(): void }> => {
    const { httpTransport } = await import('../transport/index.js');
    return (transport ??= httpTransport({ url: options.url }));
  };
  return {
    send: async (request, signal) => (await load()).send(request, signal),
    close: () => transport?.close(),
  };
}

const isJson = (response: WireResponse): boolean =>
  /^application\/json\b/.test(response.headers['content-type'] ?? 'application/json');

/** The answer as the contract promises it, or the error it stands for. Trouble is never taken for absence. */
function answerOf<R extends Route>(
  route: R,
  dialect: Dialect,
  path: string,
  response: WireResponse,
): z.output<R['answer']> {
  const { status } = response;
  const refusal = { method: route.method, path, status, messages: [] };
  if (status >= 300 && status < 400) {
    if ((response.headers['location'] ?? '').includes('sign_in'))
      throw new Unauthenticated(refusal, 'the token is not known to the service: set oneops:token or ONEOPS_TOKEN');
    throw new ContractError(
      `the service answered ${status}, a redirect`,
      'check oneops:url: it must be the service itself, not a page before it',
      route.method,
      path,
      status,
    );
  }
  const body = parsedBody(route, path, response);
  if (isInvertedSuccess(route, dialect, status, body)) return body as z.output<R['answer']>;
  if (status >= 400) throw refusalOf(route, path, response, body);
  const errors = (body as { readonly errors?: readonly unknown[] } | null | undefined)?.errors;
  if (Array.isArray(errors) && errors.length > 0)
    throw apiError({ ...refusal, status: 422, messages: errors.map(String) }, { errors });
  const answer = route.answer.safeParse(readEvents(route, dialect, body));
  if (answer.success) return answer.data as z.output<R['answer']>;
  const issue = answer.error.issues[0];
  throw new ContractError(
    `the answer of ${route.name} is not what the API promises: ${issue?.path.join('.') || 'the whole of it'}: ${issue?.code ?? 'unreadable'}`,
    'check oneops:url and oneops:dialect',
    route.method,
    path,
    status,
  );
}

function parsedBody(route: Route, path: string, response: WireResponse): unknown {
  if (response.body.trim() === '') return undefined;
  try {
    if (isJson(response)) return JSON.parse(response.body) as unknown;
  } catch {
    // Told below, with everything else that is not JSON.
  }
  if (response.status >= 400 && response.status !== 404) return undefined;
  throw new ContractError(
    `the service answered ${response.status} with something that is not JSON`,
    'check oneops:url: something before the service may have answered',
    route.method,
    path,
    response.status,
  );
}

/** Row 13: the live service answers 422 with no errors when it changed an instance's state. */
const isInvertedSuccess = (route: Route, dialect: Dialect, status: number, body: unknown): boolean =>
  route.name === 'operations.setInstanceState' &&
  voices[dialect].instanceStateInverted &&
  status === 422 &&
  (body as { readonly errors?: readonly unknown[] } | undefined)?.errors?.length === 0;

function refusalOf(route: Route, path: string, response: WireResponse, body: unknown): Error {
  const said = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly error?: unknown;
    readonly errors?: unknown;
    readonly exception?: unknown;
  };
  const messages = (Array.isArray(said.errors) ? said.errors : [said.error ?? said.exception])
    .filter((message) => message !== undefined && message !== null)
    .map(String);
  const retryAfter = Number(response.headers['retry-after']);
  return apiError(
    {
      method: route.method,
      path,
      status: response.status,
      messages,
      ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
    },
    said,
  );
}
