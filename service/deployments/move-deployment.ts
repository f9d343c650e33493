// A move of a deployment, asked for by a person: allowed or refused, then carried out (service-facts §3.4).
// It must not know requests' bodies.
import { refused, type Context } from '../handler';
import type { StoredDeployment } from '../store';
import { isStoredState, moveOf } from './moves';
import { isDeploying } from './orders';
import { carryOut } from './run';

/** Moves a deployment to a state. Throws a Refusal (422) that ends in the back end's number. */
export function moveDeployment(
  { store, user, now }: Pick<Context, 'store' | 'user' | 'now'>,
  deployment: StoredDeployment,
  asked: string,
  comments = deployment.comments,
): void {
  if (!isStoredState(deployment.state)) throw new Error(`deployment ${deployment.id} is stored as ${deployment.state}`);
  const move = moveOf(deployment.state, asked, isDeploying(store, deployment));
  if (!move.ok) throw refused(`${move.reason} (${move.code})`);
  const moved = store.deployments.update(deployment.id, { state: move.to, comments, updated: now, updatedBy: user });
  carryOut(store, moved, move.effect, { user, now });
}
