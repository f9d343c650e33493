// One request and one answer, as text: what the client sends and the service's `handle` takes, with or without a socket.

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
