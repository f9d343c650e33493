// The client as a class: `new OneOps({ url, organization, token })`, with one method per route.
import * as z from 'zod';
import {
  type Api,
  type Call,
  type CallInput,
  type Dialect,
  layered,
  methodParameters,
  type Route,
  routes,
  ENCRYPTED,
  type Layer,
  parametersOf,
} from '../contract';
import { BadSettings, ContractError, isApiError, TransportError } from '../errors';
import { type ClientOptions, createApi } from './api';
import type { Areas, CallOptions } from './areas';

/** Gives the class its areas as members, by type alone: there are as many as the contract has. */
const WithAreas = class {} as new () => Areas;

/**
 * A client of one organization. Every route is a method of its area: `api.assemblies.read('shop')`,
 * `api.deployments.status('shop', 'prod', 42)`. After the path's parameters comes the body, when
 * the route takes one, and options: `{ query, signal }`. Throws BadSettings when made; a method
 * throws ApiError by status, TransportError without an answer, ContractError for an answer of
 * another shape.
 */
export class OneOps extends WithAreas {
  /** Base address of the service. */
  readonly url: string;
  readonly organization: string;
  readonly #api: Api;

  constructor(options: ClientOptions) {
    super();
    const api = createApi(options);
    this.#api = api;
    this.url = api.url;
    this.organization = api.organization;
    const settling = layered(api, readBackCreates);
    Object.assign(
      this,
      areasOf((route, input) => settling.call(route, input)),
    );
  }

  /** Sends one request of a route, whichever it is. */
  call<R extends Route>(route: R, input?: CallInput): Promise<z.output<R['answer']>> {
    return this.#api.call(route, input);
  }

  /** The dialect: as set, as the service says, or found out by one GET. */
  dialect(): Promise<Dialect> {
    return this.#api.dialect();
  }

  /** Closes kept connections. */
  close(): void {
    this.#api.close();
  }
}

function areasOf(call: Call): object {
  const methodsOf = (verbs: object): object =>
    Object.fromEntries(Object.entries(verbs).map(([verb, route]) => [verb, methodOf(call, route as Route)]));
  return Object.fromEntries(Object.entries(routes).map(([area, verbs]) => [area, methodsOf(verbs)]));
}

function methodOf(call: Call, route: Route) {
  const names = methodParameters(route);
  const takesBody = !(route.body instanceof z.ZodUndefined);
  return async (...input: readonly unknown[]): Promise<unknown> => {
    const [body, options] = takesBody ? input.slice(names.length) : [undefined, input[names.length]];
    const { query, signal } = (options ?? {}) as CallOptions;
    return call(route, {
      address: Object.fromEntries(names.map((name, index) => [name, textOf(input[index])])),
      ...(query === undefined ? {} : { query: queryOf(route, query) }),
      ...(takesBody ? { body } : {}),
      ...(signal === undefined ? {} : { signal }),
    });
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

function queryOf(route: Route, query: NonNullable<CallOptions['query']>): { readonly [name: string]: string } {
  const unknown = Object.keys(query).find((name) => !route.query.includes(name));
  if (unknown !== undefined)
    throw new BadSettings(
      `${route.name} has no query parameter ${JSON.stringify(unknown)}`,
      route.query.length === 0 ? 'it has none' : `it has ${route.query.join(', ')}`,
    );
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}

// Creates whose answer was lost: the record is read back, the create is never sent again.

interface SentBody {
  readonly ciName?: unknown;
  readonly ciAttributes?: { readonly [name: string]: unknown };
}

interface Found {
  readonly ciAttributes?: { readonly [name: string]: string | null };
}

/** Settles a create without an answer: a record that carries what was sent is the answer. */
const readBackCreates: Layer = (next) => async (route, input) => {
  try {
    return await next(route, input);
  } catch (error) {
    const read = route.repeat === 'create' && isLost(error) ? readOf(route, input) : undefined;
    const there = read && (await found(next, read));
    if (there === undefined || !carries(there, sentIn(input))) throw error;
    return there;
  }
};

const isLost = (error: unknown): boolean =>
  (error instanceof TransportError && error.sent !== false) ||
  error instanceof ContractError ||
  (isApiError(error) && error.status >= 500);

/** How the record of a create is read: by the read of the same area. */
function readOf(route: Route, input: CallInput): { readonly route: Route; readonly input: CallInput } | undefined {
  const area = (routes as { readonly [area: string]: { readonly [verb: string]: Route } })[
    route.name.split('.')[0] ?? ''
  ];
  const read = area?.['read'];
  const name = sentIn(input)?.ciName;
  if (read === undefined || typeof name !== 'string' || name === '') return undefined;
  const known = ['organization', ...Object.keys(input.address ?? {})];
  const [own, ...more] = parametersOf(read.path).filter((parameter) => !known.includes(parameter));
  if (more.length > 0) return undefined;
  const address = { ...input.address, ...(own === undefined ? {} : { [own]: name }) };
  return { route: read, input: { address, signal: input.signal } };
}

/** The answer of the read; undefined when it fails: the create's own failure says more. */
async function found(
  call: Call,
  read: { readonly route: Route; readonly input: CallInput },
): Promise<Found | undefined> {
  try {
    return (await call(read.route, read.input)) as Found;
  } catch {
    return undefined;
  }
}

function sentIn({ body }: CallInput): SentBody | undefined {
  const wrapped = body as { readonly cms_ci?: SentBody; readonly cms_dj_ci?: SentBody } | undefined;
  return wrapped?.cms_ci ?? wrapped?.cms_dj_ci;
}

/** Whether a record has every attribute as it was sent, as far as that can be seen. */
function carries(there: Found, sent: SentBody | undefined): boolean {
  return Object.entries(sent?.ciAttributes ?? {}).every(([name, value]) => {
    const text = there.ciAttributes?.[name] ?? '';
    return text === ENCRYPTED || text === sentText(value);
  });
}

const sentText = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '' : (JSON.stringify(value) ?? '');
