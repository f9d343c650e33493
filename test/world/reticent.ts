// A service that lists the changes of no release but a plan's, as live services may (service-facts §4.7.3).
import type { Api } from '../../api/client';
import { layered, type Layer } from '../../api/contract';

const LISTS_CHANGES = /^(designReleases|environmentReleases)\.(latest|read)$/;

const withoutChanges: Layer = (next) => async (route, input) => {
  const answer = await next(route, input);
  if (!LISTS_CHANGES.test(route.name)) return answer;
  const { rfc_cis: _, rfc_relations: __, ...release } = answer as { readonly [name: string]: unknown };
  return release;
};

/** The client of a service that lists no changes of releases. */
export const reticent = (api: Api): Api => layered(api, withoutChanges);
