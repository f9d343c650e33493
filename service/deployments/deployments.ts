// Handlers of deployments: started, listed, read with the state of each work order, moved (wire-facts §4.7.4).
// It must not know what a work order does.
import { routes } from '../../api/contract';
import { handlersOf, malformed, notFound, Refusal, refused, type Context } from '../handler';
import type { Store, StoredDeployment, StoredRelease } from '../store';
import { isLive, locatePlace, type Place } from '../transition';
import { isStoredState, moveOf, shownState } from './moves';
import { isWorking, makeOrders } from './orders';
import { carryOut } from './run';

/** A deployment (wire-facts §2.2.10). Lists and `latest` leave the steps at 0; lists do not tell `pausing`. */
function deploymentAnswer(store: Store, deployment: StoredDeployment, route: 'list' | 'latest' | 'one'): object {
  const state = route === 'list' ? deployment.state : shownState(deployment.state, isWorking(store, deployment));
  return {
    deploymentId: deployment.id,
    releaseId: deployment.releaseId,
    maxExecOrder: route === 'one' ? deployment.maxExecOrder : 0,
    nsPath: deployment.namespace,
    deploymentState: state,
    processId: null,
    createdBy: deployment.createdBy,
    updatedBy: deployment.updatedBy,
    description: deployment.description,
    comments: deployment.comments,
    ops: null,
    autoPauseExecOrders: deployment.autoPauseExecOrders.length === 0 ? null : deployment.autoPauseExecOrders,
    created: deployment.created,
    updated: deployment.updated,
    flags: 0,
    continueOnFailure: deployment.continueOnFailure,
    currentStep: route === 'one' ? deployment.currentStep : 0,
    execModel: 'DEFAULT',
  };
}

/** The deployment a path names. Throws a Refusal (404). */
function locateDeployment(context: Context, place: Place, identifier: string): StoredDeployment {
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

/** The bom release a new deployment carries out. Throws a Refusal (422). */
function releaseToDeploy(store: Store, place: Place, id: string | number | undefined): StoredRelease {
  if (id === undefined || id === '') throw refused('releaseId is missing: the id of the bom release to deploy');
  const release = /^\d+$/.test(String(id)) ? store.releases.byId(Number(id)) : undefined;
  if (release?.namespace !== place.bom)
    throw refused(`${id} is no bom release of environment ${place.environment.name} (2023)`);
  if (release.state !== 'open')
    throw refused(`release ${id} is ${release.state}: only an open one can be deployed (2006)`);
  const live = store.deployments
    .list(place.bom)
    .find((deployment) => deployment.releaseId === release.id && isLive(deployment.state));
  if (live !== undefined) throw refused(`deployment ${live.id} of release ${id} is ${live.state} already (2013)`);
  return release;
}

/** Steps to pause before, as numbers. */
function pauseSteps(sent: unknown): number[] {
  if (sent === undefined || sent === null) return [];
  const steps = Array.isArray(sent) ? sent.map(Number) : [NaN];
  if (steps.some((step) => !Number.isInteger(step))) throw malformed('autoPauseExecOrders must be an array of numbers');
  return steps;
}

/** Handlers of routes.deployments. */
export const deploymentHandlers = handlersOf(routes.deployments, {
  list: (context) => {
    const { store } = context;
    return store.deployments
      .list(locatePlace(context).bom)
      .map((deployment) => deploymentAnswer(store, deployment, 'list'));
  },
  latest: (context) => {
    const { store } = context;
    const deployment = store.deployments.latest(locatePlace(context).bom);
    if (deployment === undefined) throw notFound();
    return deploymentAnswer(store, deployment, 'latest');
  },
  create: (context) => {
    const { store, user, now } = context;
    const place = locatePlace(context);
    const sent = context.body.cms_deployment;
    if (sent.nsPath !== place.bom) throw refused(`nsPath must be ${place.bom}: bad scope (403)`);
    const release = releaseToDeploy(store, place, sent.releaseId);
    const orders = store.releases.recordChanges(release.id).map((change) => change.execOrder);
    const deployment = store.deployments.insert({
      releaseId: release.id,
      namespace: place.bom,
      state: 'active',
      description: sent.description ?? null,
      comments: sent.comments ?? null,
      continueOnFailure: sent.continueOnFailure === true || sent.continueOnFailure === 'true',
      autoPauseExecOrders: pauseSteps(sent['autoPauseExecOrders']),
      currentStep: 0,
      maxExecOrder: Math.max(0, ...orders),
      created: now,
      createdBy: user,
      updated: now,
      updatedBy: null,
    });
    makeOrders(store, deployment);
    carryOut(store, deployment, 'start', { user, now });
    return oneAnswer(store, deployment.id);
  },
  status: (context) => {
    const { store } = context;
    const deployment = locateDeployment(context, locatePlace(context), context.address.deployment);
    const orders = store.deployments.records(deployment.id);
    return {
      ...deploymentAnswer(store, deployment, 'one'),
      rfc_info: Object.fromEntries(
        orders.map((order) => [
          String(order.changeId),
          { recordId: order.id, state: order.state, comments: order.comments },
        ]),
      ),
    };
  },
  update: (context) => {
    const { store, user, now } = context;
    const deployment = locateDeployment(context, locatePlace(context), context.address.deployment);
    const sent = context.body.cms_deployment;
    const comments = sent.comments ?? deployment.comments;
    const asked = sent.deploymentState ?? '';
    if (!isStoredState(deployment.state))
      throw new Error(`deployment ${deployment.id} is stored as ${deployment.state}`);
    const move = moveOf(deployment.state, asked, isWorking(store, deployment));
    if (!move.ok) throw refused(`${move.reason} (${move.code})`);
    const moved = store.deployments.update(deployment.id, { state: move.to, comments, updated: now, updatedBy: user });
    carryOut(store, moved, move.effect, { user, now });
    return oneAnswer(store, deployment.id);
  },
});

function oneAnswer(store: Store, id: number): object {
  const deployment = store.deployments.byId(id);
  if (deployment === undefined) throw notFound();
  return deploymentAnswer(store, deployment, 'one');
}
