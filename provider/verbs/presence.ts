// Decides whether a record surely is gone, and whether a refused create means a taken name.
import type { Api } from '../../api/client';
import { type Environment, routes } from '../../api/contract';
import { ContractError, isApiError, NamedError, NotFound, orNone, TransportError } from '../../api/errors';
import type { Live } from '../address/live';
import type { Work } from '../kind';
import type { Texts } from '../values/plain';

/** The name is taken: what exists there. The lifecycle takes it over, adopts it or explains it. */
export class AlreadyThere extends NamedError {
  constructor(readonly live: Live) {
    super('a record of this name is already there');
  }
}

/**
 * What a read answers; undefined for a 404 with a readable ancestor. 401, 5xx, HTML or a redirect
 * are trouble, never absence, and are thrown (architecture §3).
 */
export async function readOrGone<T>(api: Api, at: Texts, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    await ancestorAnswers(api, at);
    return undefined;
  }
}

/** The environment of a work, if it exists. */
export const environmentOf = ({ api, at }: Pick<Work, 'api' | 'at'>): Promise<Environment | undefined> =>
  readOrGone(api, at, () => api.call(routes.environments.read, { address: at }));

async function ancestorAnswers(api: Api, at: Texts): Promise<void> {
  const assembly = at['assembly'] && (await orNone(api.call(routes.assemblies.read, { address: at })));
  if (!assembly) await api.call(routes.organizations.read, {});
}

/** Whether the record may exist after a failed create: a duplicate, or a lost answer. */
export const mayBeThere = (error: unknown): boolean =>
  error instanceof TransportError ||
  error instanceof ContractError ||
  (isApiError(error) && ([400, 409, 422].includes(error.status) || error.status >= 500));
