// Who a run speaks as.
import { routes } from '../../api/contract';
import type { Api } from '../../api/client';
import { Bug, OneOpsError } from '../../api/errors';
import type { Work } from '../kind';

/** The user of a run, by answers to its writes, else asked; undefined if the service is silent. */
export const userOf = async ({ api, session }: Pick<Work, 'api' | 'session'>): Promise<string | undefined> =>
  session.own.user ?? ownUser(api);

/** Who a client speaks as; undefined when the service does not say. */
export async function ownUser(api: Api): Promise<string | undefined> {
  try {
    return (await api.call(routes.profile.read, {})).username;
  } catch (error) {
    if (error instanceof OneOpsError && !(error instanceof Bug)) return undefined;
    throw error;
  }
}
