// Handlers of deployments: started, listed, read with the state of each work order, moved
// (service-facts §4.7.4).
import type * as z from 'zod';
import { type deploymentBody, routes } from '../../api/contract';
import { runAnswer, plannedRunAnswer, runLog } from '../runtime/attachment-runs';
import { handlersOf, notFound, refused, unreadable, type Context, type HandlerTable } from '../runtime/handler';
import type {
  Store,
  StoredAttachmentRun,
  StoredDeployment,
  StoredRelease,
  StoredDeploymentRecord,
  StoredMove,
} from '../store';
import { blocksCommits, checkUnlocked, isUnfinished } from '../transition/background-jobs';
import { locatePlace, type EnvironmentPlace } from '../transition/place';
import { locateInstance } from '../transition/platforms';
import { approveOpenly, approvalAnswer } from './approvals';
import { deployCommitted } from './deploy-committed';
import {
  beginDeployment,
  changeDeploymentState,
  type DeploymentFacts,
  locateDeployment,
  shownState,
  attachmentsOfOrder,
} from './run';
import { releaseAnswer } from '../runtime/answers';
import { pageOf, recordChanges, relationChanges } from '../runtime/releases';

/** A deployment (service-facts §2.2.10). Lists and `latest` have steps at 0, lists no `pausing`. */
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

function pauseSteps(sent: readonly (string | number)[] | null | undefined): number[] {
  const steps = (sent ?? []).map(Number);
  if (steps.some((step) => !Number.isInteger(step)))
    throw unreadable('autoPauseExecOrders must be an array of numbers');
  return steps;
}

function factsOf(sent: z.output<typeof deploymentBody>['cms_deployment']): DeploymentFacts {
  return {
    description: sent.description ?? null,
    comments: sent.comments ?? null,
    continueOnFailure: sent.continueOnFailure === true || sent.continueOnFailure === 'true',
    autoPauseExecOrders: pauseSteps(sent.autoPauseExecOrders),
  };
}

function oneAnswer(store: Store, id: number): object {
  const deployment = store.deployments.byId(id);
  if (deployment === undefined) throw notFound();
  return deploymentAnswer(store, deployment, 'one');
}

// Changes, moves, logs and work orders of deployments; timelines (service-facts §3.5, §4.7.4, §6).

/** A work order (service-facts §2.2.10). */
function orderAnswer(order: StoredDeploymentRecord): object {
  return {
    dpmtRecordId: order.id,
    deploymentId: order.deploymentId,
    rfcId: order.changeId,
    dpmtRecordState: order.state,
    comments: order.comments,
    ops: null,
    created: order.created,
    updated: order.updated,
  };
}

function moveAnswer(move: StoredMove): object {
  return {
    eventId: move.id,
    deploymentId: move.deploymentId,
    oldState: move.oldState,
    newState: move.newState,
    description: null,
    comments: move.comments,
    ops: null,
    updatedBy: move.movedBy,
    updated: move.moved,
  };
}

/** Changes of a deployment's release, each with its work order; those of relations have none. */
function changesAnswer(context: Context, deployment: StoredDeployment): object {
  const { store, rules } = context;
  const orders = new Map(store.deployments.records(deployment.id).map((order) => [order.changeId, order]));
  const ran = store.attachmentRuns.ofDeployment(deployment.id);
  return {
    rfc_cis: recordChanges(context, deployment.releaseId, (change) => {
      const order = orders.get(change.id);
      if (order === undefined) return { deployment: null };
      // Those that it is to run, or, once it has ended, those that ran.
      const attachments = ['pending', 'inprogress'].includes(order.state)
        ? attachmentsOfOrder(store, change, rules).map(plannedRunAnswer)
        : ran.get(order.id)?.map(runAnswer);
      return { deployment: { ...orderAnswer(order), attachments: attachments ?? [] } };
    }),
    rfc_relations: relationChanges(context, deployment.releaseId),
  };
}

/** What was logged of a work order: its states, and what its attachments did. */
function logOf(order: StoredDeploymentRecord, name: string, runs: readonly StoredAttachmentRun[] = []): object {
  const made = { timestamp: order.created, level: 'INFO', message: `work order for ${name} made` };
  const ends: { readonly [state: string]: { readonly level: string; readonly message: string } } = {
    inprogress: { level: 'INFO', message: `work order for ${name} in progress` },
    complete: { level: 'INFO', message: `work order for ${name} complete` },
    failed: { level: 'ERROR', message: order.comments ?? `work order for ${name} failed` },
    canceled: { level: 'WARN', message: `work order for ${name} canceled` },
  };
  const end = ends[order.state];
  return {
    id: order.id,
    logData: [made, ...runs.flatMap(runLog), ...(end === undefined ? [] : [{ timestamp: order.updated, ...end }])],
  };
}

export const deploymentRecordHandlers: HandlerTable = {
  ...handlersOf(routes.deployments, {
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
      if (sent.releaseId === undefined || sent.releaseId === '')
        return deployCommitted(context, place, factsOf(sent), { exclude, commits: false });
      if (sent.nsPath !== place.bom) throw refused(`nsPath must be ${place.bom}: bad scope (403)`);
      const release = releaseToDeploy(store, place, sent.releaseId);
      return oneAnswer(store, beginDeployment(store, release, factsOf(sent), { user, now }).id);
    },
    status: (context) => {
      const { store } = context;
      const deployment = locateDeployment(context);
      const orders = store.deployments.records(deployment.id);
      const ran = store.attachmentRuns.ofDeployment(deployment.id);
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
      const deployment = locateDeployment(context);
      const sent = context.body.cms_deployment;
      const asked = sent.deploymentState ?? '';
      if (deployment.state === 'pending' && asked === 'active') approveOpenly(context, deployment);
      changeDeploymentState(context, deployment, asked, sent.comments ?? deployment.comments);
      return oneAnswer(store, deployment.id);
    },
    read: (context) => {
      const deployment = locateDeployment(context);
      return context.rules.deploymentByIdIsChanges
        ? changesAnswer(context, deployment)
        : deploymentAnswer(context.store, deployment, 'one');
    },
    edit: (context) => {
      const { store } = context;
      const deployment = locateDeployment(context);
      return {
        ...deploymentAnswer(store, deployment, 'one'),
        state_history: store.deployments.moves(deployment.id).map(moveAnswer),
        approvals: store.approvals.list(deployment.id).map((approval) => approvalAnswer(context, approval)),
      };
    },
    logData: (context) => {
      const { store, query } = context;
      const deployment = locateDeployment(context);
      const asked = query['rfcId'];
      const orders = store.deployments
        .records(deployment.id)
        .filter((order) => asked === undefined || String(order.changeId) === asked);
      if (orders.length === 0)
        throw notFound(`deployment ${deployment.id} has no work order for change ${asked ?? ''}`);
      const names = store.releases.changedNames(deployment.releaseId);
      const ran = store.attachmentRuns.ofDeployment(deployment.id);
      return orders.map((order) => logOf(order, names.get(order.changeId) ?? '', ran.get(order.id)));
    },
  }),
  ...handlersOf(routes.operations, {
    cancelDeployment: (context) => {
      const { store, now } = context;
      const { bom } = locatePlace(context);
      const instance = locateInstance(context, context.address.instance, 'merged');
      const deployment = store.deployments.latest(bom);
      const orders = (deployment === undefined ? [] : store.deployments.records(deployment.id)).filter(
        (order) => order.recordId === instance.id && order.state === 'inprogress',
      );
      if (orders.length === 0) throw refused(`no work order is in progress on ${instance.name}`);
      const canceled = { state: 'canceled', updated: now };
      for (const { id } of orders) store.deployments.updateRecord(id, canceled);
      return orders.map((order) => orderAnswer({ ...order, ...canceled }));
    },
  }),
  ...handlersOf(routes.environments, {
    timeline: (context) => {
      const { store } = context;
      const { manifest, bom } = locatePlace(context);
      const releases = [manifest, bom].flatMap((namespace) => store.releases.list(namespace));
      const happened = [...releases, ...store.deployments.list(bom)].sort((one, other) => other.id - one.id);
      return pageOf(context.query, happened).map((each) =>
        'releaseId' in each ? deploymentAnswer(store, each, 'list') : releaseAnswer(context, each),
      );
    },
  }),
};
