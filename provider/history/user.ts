// Who a run speaks as.
import { routes } from '../../api/contract';
import type { Api } from '../../api/client';
import { orElse } from '../errors';
import type { Work } from '../kind';

/** The user of a run, by answers to its writes, else asked; undefined if the service is silent. */
export const userOf = async ({ api, session }: Pick<Work, 'api' | 'session'>): Promise<string | undefined> =>
  session.own.user ?? ownUser(api);

/** Who a client speaks as; undefined when the service does not say. */
export const ownUser = async (api: Api): Promise<string | undefined> =>
  (await orElse(api.call(routes.profile.read, {}), undefined))?.username;
