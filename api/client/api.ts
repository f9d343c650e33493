// The typed client: one call per route, the path by the dialect in use, every answer parsed by the contract.
// It must not know HTTP libraries, kinds, or the engine.
import type { z } from 'zod';
import { DIALECT_HEADER, DIALECTS, fillPath, pathIn, routes, type Dialect, type Route, type Send, type WireResponse } from '../contract';
import { apiError, ContractError } from '../errors';
import { readEvents, spellEvents } from './attachment-events';

export interface ClientOptions {
  readonly url: string;
  readonly organization: string;
  readonly token: string;
  readonly dialect?: Dialect | 'auto';
  readonly send: Send;
}

export interface CallInput {
  readonly address?: { readonly [parameter: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface Api {
  readonly url: string;
  readonly organization: string;
  call<R extends Route>(route: R, input?: CallInput): Promise<z.output<R['answer']>>;
  dialect(): Promise<Dialect>;
  close(): void;
}

/** A client over `send`. */
export function createApi(options: ClientOptions): Api {
  let known: Dialect | undefined = options.dialect === 'auto' ? undefined : options.dialect;
  const exchange = async (method: string, path: string, body: unknown): Promise<WireResponse> => {
    const response = await options.send({
      method,
      path,
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(`${options.token}:`).toString('base64')}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const named = response.headers[DIALECT_HEADER];
    known ??= DIALECTS.find((dialect) => dialect === named);
    return response;
  };
  const dialect = async (): Promise<Dialect> => {
    if (known === undefined) await exchange('GET', routes.organizations.list.path, undefined);
    return (known ??= 'documented');
  };
  return {
    url: options.url,
    organization: options.organization,
    dialect,
    close: () => undefined,
    async call(route, input = {}) {
      const path = fillPath(pathIn(await dialect(), route), { organization: options.organization, ...input.address });
      const query = new URLSearchParams(input.query).toString();
      const response = await exchange(route.method, query === '' ? path : `${path}?${query}`, spellEvents(route, await dialect(), input.body));
      const body: unknown = response.body === '' ? undefined : readEvents(route, await dialect(), JSON.parse(response.body));
      if (response.status >= 400) {
        const said = (body ?? {}) as { readonly error?: unknown; readonly errors?: readonly unknown[] };
        throw apiError({ method: route.method, path, status: response.status, messages: (said.errors ?? [said.error]).map(String) }, said);
      }
      const answer = route.answer.safeParse(body);
      if (answer.success) return answer.data as never;
      throw new ContractError(`the answer is not what ${route.name} promises: ${answer.error.issues[0]?.path.join('.')}`, undefined, route.method, path, response.status);
    },
  };
}
