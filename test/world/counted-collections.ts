// The collections that a review requests: what its number of requests is measured by.
import type { Api } from '../../api/client';
import { routes } from '../../api/contract';

/**
 * What no list of records shows: an environment's clouds, a platform's links to them, the newest deployment (flows §7); and what runs in an
 * environment: its open plan, its instances, and what a plan would change of them. The changes of a design since the last pull are in its releases, of
 * which a review reads ten at most.
 */
const NO_LIST: readonly string[] = [
  routes.environments.read.name,
  routes.environmentPlatforms.read.name,
  routes.environmentPlatforms.components.name,
  routes.platforms.diff.name,
  routes.designReleases.read.name,
  routes.environmentReleases.latest.name,
  routes.environmentReleases.read.name,
  routes.environments.timeline.name,
  routes.deployments.preview.name,
  routes.deployments.latest.name,
  routes.environmentReleases.bom.name,
  routes.operations.environmentInstances.name,
  routes.deployments.preview.name,
];

/** A client that counts the collections that are asked, each once: lists, and what is in none. */
export function countingCollections(api: Api): { readonly api: Api; readonly collections: ReadonlySet<string> } {
  const collections = new Set<string>();
  const call: Api['call'] = (route, input) => {
    if (route.name.endsWith('.list') || NO_LIST.includes(route.name))
      collections.add(`${route.name} ${JSON.stringify(input?.address ?? {})}`);
    return api.call(route, input);
  };
  return { api: { ...api, call }, collections };
}
