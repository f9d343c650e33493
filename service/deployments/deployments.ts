// Handlers of deployments: started, listed, read with the state of each work order, moved (service-facts §4.7.4).
import { type z } from 'zod';
import { type deploymentBody, routes } from '../../api/contract';
import { runAnswer } from '../runtime/attachment-runs';
import { handlersOf, notFound, refused, unreadable } from '../runtime/handler';
import { groupBy } from '../runtime/group-by';
import type { Store, StoredDeployment, StoredRelease } from '../store';
import { blocksCommits, checkUnlocked, isUnfinished, locatePlace, type EnvironmentPlace } from '../transition';
import { approveOpenly } from './approvals';
import { deployCommitted } from './deploy-committed';
import { beginDeployment, changeDeploymentState, type DeploymentFacts, locateDeployment, shownState } from './run';

/** A deployment (service-facts §2.2.10). Lists and `latest` leave the steps at 0; lists do not report `pausing`. */
export function deploymentAnswer(store: Store, deployment: StoredDeployment, route: 'list' | 'latest' | 'one'): object {
  const state =
    route === 'list'
      ? deployment.state
      : shownState(deployment.state, store.deployments.progress(deployment.id).isWorking);
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

/** The bom release a new deployment carries out. Throws a RefusedRequest (422). */
function releaseToDeploy(store: Store, place: EnvironmentPlace, id: string | number | undefined): StoredRelease {
  const release = /^\d+$/.test(String(id)) ? store.releases.byId(Number(id)) : undefined;
  if (release?.namespace !== place.bom)
    throw refused(`${id} is no bom release of environment ${place.environment.name} (2023)`);
  if (isUnfinished(release)) checkUnlocked(place);
  if (release.state !== 'open')
    throw refused(`release ${id} is ${release.state}: only an open one can be deployed (2006)`);
  const live = store.deployments
    .list(place.bom)
    .find((deployment) => deployment.releaseId === release.id && blocksCommits(deployment.state));
  if (live !== undefined) throw refused(`deployment ${live.id} of release ${id} is ${live.state} already (2013)`);
  return release;
}

/** Steps to pause before, as numbers. */
function pauseSteps(sent: readonly (string | number)[] | null | undefined): number[] {
  const steps = (sent ?? []).map(Number);
  if (steps.some((step) => !Number.isInteger(step)))
    throw unreadable('autoPauseExecOrders must be an array of numbers');
  return steps;
}

const isBlank = (id: string | number | undefined): boolean => id === undefined || id === '';

/** What a body says of a new deployment. */
function factsOf(sent: z.output<typeof deploymentBody>['cms_deployment']): DeploymentFacts {
  return {
    description: sent.description ?? null,
    comments: sent.comments ?? null,
    continueOnFailure: sent.continueOnFailure === true || sent.continueOnFailure === 'true',
    autoPauseExecOrders: pauseSteps(sent.autoPauseExecOrders),
  };
}

/** Handlers of routes.deployments. */
export const deploymentRecordHandlers = handlersOf(routes.deployments, {
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
    const { cms_deployment: sent, exclude_platforms: exclude } = context.body;
    if (isBlank(sent.releaseId)) return deployCommitted(context, place, factsOf(sent), { exclude, commits: false });
    if (sent.nsPath !== place.bom) throw refused(`nsPath must be ${place.bom}: bad scope (403)`);
    const release = releaseToDeploy(store, place, sent.releaseId);
    return oneAnswer(store, beginDeployment(store, release, factsOf(sent), { user, now }).id);
  },
  status: (context) => {
    const { store } = context;
    const deployment = locateDeployment(context, locatePlace(context), context.address.deployment);
    const orders = store.deployments.records(deployment.id);
    const ran = groupBy(store.attachmentRuns.ofDeployment(deployment.id), ({ workId }) => workId);
    return {
      ...deploymentAnswer(store, deployment, 'one'),
      rfc_info: Object.fromEntries(
        orders.map((order) => [
          String(order.changeId),
          {
            recordId: order.id,
            state: order.state,
            comments: order.comments,
            attachments: (ran.get(order.id) ?? []).map(runAnswer),
          },
        ]),
      ),
    };
  },
  update: (context) => {
    const { store } = context;
    const deployment = locateDeployment(context, locatePlace(context), context.address.deployment);
    const sent = context.body.cms_deployment;
    const asked = sent.deploymentState ?? '';
    if (deployment.state === 'pending' && asked === 'active') approveOpenly(context, deployment);
    changeDeploymentState(context, deployment, asked, sent.comments ?? deployment.comments);
    return oneAnswer(store, deployment.id);
  },
});

function oneAnswer(store: Store, id: number): object {
  const deployment = store.deployments.byId(id);
  if (deployment === undefined) throw notFound();
  return deploymentAnswer(store, deployment, 'one');
}
