// The state machine of deployments: which move a client may request, what it sets off, and the deployment that a path names (service-facts §0.3, §3.4).
// How a deployment runs: run.ts.
import { isDeploying } from './orders';
import { carryOut, type Effect } from './run';
import { type Context, RefusedRequest, refused } from '../handler';
import { type StoredDeployment } from '../store';
import { type EnvironmentPlace } from '../transition';

/** What moves a deployment: the states it is stored in; `pausing` is only shown. */
export const STORED_STATES = ['pending', 'active', 'paused', 'failed', 'canceled', 'complete'] as const;
export type StoredState = (typeof STORED_STATES)[number];

type Move =
  | { readonly ok: true; readonly to: StoredState; readonly effect: Effect }
  /** `code` is the back end's number (service-facts §7.4), which the refusal's message ends in. */
  | { readonly ok: false; readonly code: number; readonly reason: string };

const MOVES: { readonly [from in StoredState]: { readonly [to: string]: Effect } } = {
  pending: { active: 'start', canceled: 'cancel' },
  active: { paused: 'pause' },
  paused: { active: 'resume', canceled: 'cancel' },
  failed: { active: 'retry', canceled: 'cancel' },
  canceled: {},
  complete: {},
};

/** Back-end number by the state asked for. */
const CODES: { readonly [to: string]: number } = { active: 2014, canceled: 2015, paused: 2016 };
const OTHER_CODE = 2017;

/** Whether text is a state a deployment may be stored in. */
function isStoredState(text: string): text is StoredState {
  return (STORED_STATES as readonly string[]).includes(text);
}

/** What asking for a state does to a deployment. `working`: some of its work orders are in progress. */
export function moveOf(from: StoredState, asked: string, working: boolean): Move {
  const effect = Object.hasOwn(MOVES[from], asked) ? MOVES[from][asked] : undefined;
  const code = Object.hasOwn(CODES, asked) ? CODES[asked] : undefined;
  const no = (reason: string): Move => ({ ok: false, code: code ?? OTHER_CODE, reason });
  if (effect === undefined || !isStoredState(asked))
    return no(`a deployment that is ${shownState(from, working)} cannot become ${asked}`);
  if (effect === 'cancel' && working) return no(`a deployment cannot be canceled while work orders are in progress`);
  return { ok: true, to: asked, effect };
}

/** The state as reads of one deployment show it: paused is `pausing` while work orders are in progress. */
export function shownState(state: string, working: boolean): string {
  return state === 'paused' && working ? 'pausing' : state;
}

/** Moves a deployment to a state. Throws a RefusedRequest (422) that ends in the back end's number. */
export function changeDeploymentState(
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

/** By number, of this environment. Throws a RefusedRequest (404). */
export function locateDeployment(
  context: Pick<Context, 'store'>,
  place: EnvironmentPlace,
  identifier: string,
): StoredDeployment {
  const deployment = /^\d+$/.test(identifier) ? context.store.deployments.byId(Number(identifier)) : undefined;
  if (deployment?.namespace !== place.bom) {
    throw new RefusedRequest(
      404,
      [`environment ${place.environment.name} has no deployment ${identifier} (2022)`],
      'unknown-number',
    );
  }
  return deployment;
}
