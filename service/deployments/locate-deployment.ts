// The deployment a path names (service-facts §0.3).
// It must not know what is done with it.
import { Refusal, type Context } from '../handler';
import type { StoredDeployment } from '../store';
import { type Place } from '../transition';

/** By number, of this environment. Throws a Refusal (404). */
export function locateDeployment(context: Pick<Context, 'store'>, place: Place, identifier: string): StoredDeployment {
  const deployment = /^\d+$/.test(identifier) ? context.store.deployments.byId(Number(identifier)) : undefined;
  if (deployment?.namespace !== place.bom) {
    throw new Refusal(
      404,
      [`environment ${place.environment.name} has no deployment ${identifier} (2022)`],
      'unknown-number',
    );
  }
  return deployment;
}
