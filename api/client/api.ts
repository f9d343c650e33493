// The typed client: a call of a route passes through layers on its way to the service and back.
import {
  type Api,
  type Call,
  type CallInput,
  type Dialect,
  dialectRules,
  fillPath,
  type Layer,
  layered,
  methodIn,
  pathIn,
  routes,
  type Send,
  UnsafeSegment,
} from '../contract';
import { BadSettings, optionWords, ReadOnly, type SettingWords, urlProblem } from '../errors';
import { httpTransport, type Transport, type TransportOptions } from '../transport';
import { answerOf, isJson } from './answer';
import { audited } from './audit';
import { encodeForDialect, isAlike, spokenDialect } from './dialect';
import { exchanging, ignoreErrors, type Observe } from './exchange';
import { policyOf, retrying, type RetryPolicy } from './retry';

/** How a client is made. Members of TransportOptions apply only without a `send`. */
export interface ClientOptions extends Partial<RetryPolicy>, TransportOptions {
  readonly organization: string;
  /** API token; sent as user name of HTTP Basic (service-facts §5.1). */
  readonly token: string;
  /** Default `auto`: as the service says, else as one GET shows, else `documented`. */
  readonly dialect?: Dialect | 'auto';
  /** Default: HTTP to `url`. */
  readonly send?: Send;
  /** Lets the token go over plain http to hosts other than this one. */
  readonly allowHttp?: boolean;
  /** Refuses every request that is no read, with ReadOnly, before anything is sent. */
  readonly readOnly?: boolean;
  /** File for AuditLines, one for each request; mode 0600. Costs one GET for the user. */
  readonly audit?: string | undefined;
  /** Called with each request, answer, repetition and failure, for a log. */
  readonly observe?: Observe;
  /** Milliseconds since 1970. Default: the wall clock. */
  readonly now?: () => number;
}

/** A client. Loads the HTTP library with the first request. Throws BadSettings. */
export function createApi(options: ClientOptions): Api {
  const { url, organization, words = optionWords, now = Date.now } = options;
  checkNames(options, words);
  const authorization = `Basic ${Buffer.from(`${options.token}:`).toString('base64')}`;
  const hide = hiding(options.token, authorization);
  const observe = ignoreErrors(options.observe);
  const { send, close } = opened(options, { words, now, hide });
  const ask = retrying(policyOf(options), observe, exchanging({ send, authorization, observe, now, hide, words }));
  const spoken = spokenDialect(options.dialect);
  const about = { hide, words, url, organization };

  /** Where no header names the dialect, a route that only one dialect has shows it. */
  const probe = (): Promise<Dialect> => {
    const route = routes.catalogue.publicOfferings;
    const address = pathIn('classic', route);
    return ask({ route, method: route.method, address, body: undefined, signal: undefined }, (response) => {
      spoken.hear(response);
      if (response.status === 429 || response.status >= 500)
        answerOf({ ...about, route, dialect: 'classic', path: address, now: now() }, response);
      return spoken.known() ?? (response.status === 200 && isJson(response) ? 'classic' : 'documented');
    });
  };

  const call: Call = async (route, { address, query, body, signal }) => {
    const dialect = isAlike(route) ? (spoken.known() ?? 'documented') : await spoken.find(probe);
    const encoded = encodeForDialect(route, dialect, body);
    const path = filled(encoded.path, { organization, ...address });
    const asked = new URLSearchParams(query).toString();
    const outgoing = {
      route,
      method: methodIn(dialectRules[dialect], route),
      address: asked === '' ? path : `${path}?${asked}`,
      body: encoded.body,
      signal,
    };
    return ask(outgoing, (response) => {
      spoken.hear(response);
      return answerOf({ ...about, route, dialect: spoken.known() ?? 'documented', path, now: now() }, response);
    });
  };

  const api: Api = {
    url,
    organization,
    dialect: () => spoken.find(probe),
    close,
    call: ((route, input: CallInput = {}) => call(route, input)) as Api['call'],
  };
  return options.readOnly === true ? layered(api, readOnly(words)) : api;
}

const readOnly =
  (words: SettingWords): Layer =>
  (next) =>
  (route, input) =>
    route.method === 'GET' && route.repeat === 'read'
      ? next(route, input)
      : Promise.reject(
          new ReadOnly(`settings are read-only and ${route.name} writes: nothing was sent`, words.allowWrites),
        );

/** A filled path. Throws BadSettings for a value that cannot be part of one. */
function filled(pattern: string, address: { readonly [name: string]: string }): string {
  try {
    return fillPath(pattern, address);
  } catch (error) {
    if (error instanceof UnsafeSegment)
      throw new BadSettings(error.message, 'give the name of a record, or its number');
    throw error;
  }
}

/** Replaces the token, and the header made of it, wherever they occur in a text. */
function hiding(token: string, authorization: string): (text: string) => string {
  const secrets = [authorization.slice('Basic '.length), encodeURIComponent(token), token].filter(
    (text) => text !== '',
  );
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '[token]'), text);
}

function opened(
  options: ClientOptions,
  about: { readonly words: SettingWords; readonly now: () => number; readonly hide: (text: string) => string },
): Transport {
  const { send, audit: file, url, allowHttp = false } = options;
  const problem = send === undefined ? urlProblem(url, allowHttp, about.words) : undefined;
  if (problem !== undefined) throw problem;
  const wire: Transport = send === undefined ? httpTransport(options) : { send, close: () => undefined };
  if (file === undefined) return wire;
  const audit = audited(wire.send, { file, url, ...about });
  return {
    send: audit.send,
    close: () => {
      audit.close();
      wire.close();
    },
  };
}

/** Throws BadSettings for a missing setting: programs without types pass what they have. */
function checkNames(options: { readonly organization?: unknown; readonly token?: unknown }, words: SettingWords): void {
  for (const name of ['organization', 'token'] as const) {
    const value = options[name];
    if (typeof value !== 'string' || value.trim() === '')
      throw new BadSettings(`the client has no ${name}`, `give one: set ${words.given(name)}`);
  }
}
