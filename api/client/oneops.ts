// The client as a class: `new OneOps({ url, organization, token })`, one method per route, grouped by area.
import { z } from 'zod';
import {
  type Api,
  type Call,
  type CallInput,
  type Dialect,
  layered,
  methodParameters,
  type Route,
  routes,
} from '../contract';
import { BadSettings } from '../errors';
import { type ClientOptions, createApi } from './api';
import type { Areas, CallOptions } from './areas';
import { readBackCreates } from './settle';

/** Gives the class its areas as members, by type alone: there are as many as the contract has. */
const WithAreas = class {} as new () => Areas;

/**
 * A client of one organization. Every route is a method of its area: `api.assemblies.read('shop')`,
 * `api.deployments.status('shop', 'prod', 42)`. After the path's parameters comes the body, when the route takes one, and
 * options: `{ query, signal }`. Throws BadSettings when made; each method throws ApiError by status, TransportError without an answer,
 * ContractError for an answer of another shape.
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

  /** The service's dialect: as set, as the service says, or found out by one GET. */
  dialect(): Promise<Dialect> {
    return this.#api.dialect();
  }

  /** Closes kept connections. */
  close(): void {
    this.#api.close();
  }
}

/** The methods of all areas. */
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
