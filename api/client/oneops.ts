// The client as a class: `new OneOps({ url, organization, token })`, one method per route, grouped by area and by record.
import type { z } from 'zod';
import { layered, type Api, type CallInput, type Dialect, type Route } from '../contract';
import { createApi, type ClientOptions } from './api';
import { areasOf, type Areas } from './methods';
import { readBackCreates } from './settle';

/** Gives the class its areas as members, by type alone: there are as many as the contract has. */
const WithAreas = class {} as new () => Areas;

/**
 * A client of one organization. Every route is a method of its area, `api.assemblies.read('shop')`,
 * `api.deployments.status('shop', 'prod', 42)`; an area whose records can be read is a function too, which binds one of them:
 * `api.environments('shop', 'prod').deployments.status(42)`. After the path's parameters comes the body, when the route takes one, and
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
