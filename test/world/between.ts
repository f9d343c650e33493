// What comes between a run and its service: somebody who acts right before a request, other answers, and lists that an installation does not make.
import type { Api } from '../../api/client';
import { layered, type Layer, type Route } from '../../api/contract';
import { Forbidden } from '../../api/errors';
import type { World } from './world';

/** The world in which somebody acts right before the first request by a route, or before the one of a number. */
export function actingBefore(world: World, { name }: Route, act: () => Promise<unknown>, nth = 1): World {
  let asked = 0;
  return through(world, (next) => async (route, input) => {
    if (route.name === name && (asked += 1) === nth) await act();
    return next(route, input);
  });
}

/** The world whose requests go through a layer. */
export const through = (world: World, layer: Layer): World => ({ ...world, api: layered(world.api, layer) });

/** The client whose answers by a route are changed. */
export const answering = <R extends Route>(
  api: Api,
  { name }: R,
  change: (answer: Awaited<ReturnType<typeof api.call<R>>>) => unknown,
): Api =>
  layered(api, (next) => async (route, input) => {
    const answer = await next(route, input);
    return route.name === name ? change(answer as Parameters<typeof change>[0]) : answer;
  });

const refusedBy = (path: string): Error =>
  new Forbidden({ method: 'GET', path, status: 403, messages: ['not for you'] });

/** The client whose requests by a route fail: refused, unless another error is given. */
export const failing = (api: Api, { name }: Pick<Route, 'name'>, error = refusedBy(name)): Api =>
  layered(api, (next) => (route, input) => (route.name === name ? Promise.reject(error) : next(route, input)));

const LISTS_CHANGES = /^(designReleases|environmentReleases)\.(latest|read)$/;

/** The client of a service that lists the changes of no release but a plan's, as live services may (service-facts §4.7.3). */
export const reticent = (api: Api): Api =>
  layered(api, (next) => async (route, input) => {
    const answer = await next(route, input);
    if (!LISTS_CHANGES.test(route.name)) return answer;
    const { rfc_cis: _, rfc_relations: __, ...release } = answer as { readonly [name: string]: unknown };
    return release;
  });
