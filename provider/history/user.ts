// Who a run speaks as.
import { routes } from '../../api/contract';
import type { Api } from '../../api/client';
import { Bug, OneOpsError } from '../../api/errors';
import type { Work } from '../kind';
import { lookUp } from '../session';

/** The user that a run speaks as: as its own writes were answered, else requested once. Undefined when the service does not say. */
export const userOf = async ({ api, session }: Pick<Work, 'api' | 'session'>): Promise<string | undefined> =>
  session.own.user ?? lookUp(session, 'user', () => ownUser(api));

/** Who a client speaks as; undefined when the service does not say. */
export async function ownUser(api: Api): Promise<string | undefined> {
  try {
    return (await api.call(routes.profile.read, {})).username;
  } catch (error) {
    if (error instanceof OneOpsError && !(error instanceof Bug)) return undefined;
    throw error;
  }
}
