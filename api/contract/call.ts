// A call of a route, the layers on its way to the service, and its text as it crosses the wire.
import type * as z from 'zod';
import type { Dialect } from './dialect';
import type { Route } from './route';

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
  /** Throws ApiError by status, TransportError without an answer, or ContractError. */
  call<R extends Route>(route: R, input?: CallInput): Promise<z.output<R['answer']>>;
  dialect(): Promise<Dialect>;
  close(): void;
}

export type Call = (route: Route, input: CallInput) => Promise<unknown>;

/** A step on the way of a call. */
export type Layer = (next: Call) => Call;

/** A client whose calls pass through layers, the first one first. */
export function layered(api: Api, ...layers: readonly Layer[]): Api {
  const call = layers.reduceRight<Call>(
    (next, layer) => layer(next),
    (route, input) => api.call(route, input),
  );
  return { ...api, call: ((route, input = {}) => call(route, input)) as Api['call'] };
}

/** A request as it crosses the wire. Header names are lower case. */
export interface WireRequest {
  readonly method: string;
  /** Path with query string, as sent: percent-encoded. */
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
}

/** An answer as it crosses the wire. Header names are lower case. */
export interface WireResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** Sends one request and resolves to its answer; rejects only when there is none. */
export type Send = (request: WireRequest, signal?: AbortSignal) => Promise<WireResponse>;
