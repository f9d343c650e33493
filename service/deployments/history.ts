// What a deployment shows besides its state (changes, moves, logs), its work orders, and the timeline of an environment (service-facts §2.2.10, §3.5, §4.7.4, §6).
// How a deployment runs: run.ts.
import { routes } from '../../api/contract';
import { recordChangeAnswer, relationChangeAnswer, releaseAnswer } from '../runtime/answers';
import { plannedRunAnswer, runAnswer, runLog } from '../runtime/attachment-runs';
import { type Context, handlersOf, type HandlerTable, notFound, refused } from '../runtime/handler';
import { pageOf } from '../runtime/releases';
import { approvalAnswer } from './approvals';
import { deploymentAnswer } from './deployments';
import { locateDeployment } from './run';
import { locateInstance } from '../transition';
import { attachmentsOfOrder } from './run';
import {
  type RecordChange,
  type Store,
  type StoredDeployment,
  type StoredDeploymentRecord,
  type StoredMove,
} from '../store';
import { locatePlace } from '../transition';

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

/** Attachments of a work order: those it is to run, or, once it has ended, those that ran. */
function attachmentsAnswer(
  { store, rules }: Pick<Context, 'store' | 'rules'>,
  order: StoredDeploymentRecord,
  change: RecordChange,
): object[] {
  const isAhead = order.state === 'pending' || order.state === 'inprogress';
  return isAhead
    ? attachmentsOfOrder(store, change, rules).map(plannedRunAnswer)
    : store.attachmentRuns.ofWork(order.id).map(runAnswer);
}

/** Changes of a deployment's release, each with its work order; those of relations have none. */
function changesAnswer(context: Context, deployment: StoredDeployment): object {
  const { releases, records, deployments } = context.store;
  const orders = new Map(deployments.records(deployment.id).map((order) => [order.changeId, order]));
  return {
    rfc_cis: releases.recordChanges(deployment.releaseId).map((change) => {
      const order = orders.get(change.id);
      const shown = recordChangeAnswer(context, change, records.byId(change.recordId, 'committed'));
      const attachments = order === undefined ? [] : attachmentsAnswer(context, order, change);
      return { ...shown, deployment: order === undefined ? null : { ...orderAnswer(order), attachments } };
    }),
    rfc_relations: releases
      .relationChanges(deployment.releaseId)
      .map((change) => relationChangeAnswer(context, change)),
  };
}

/** What was logged of a work order: its states, and what its attachments did. */
function logOf({ attachmentRuns }: Store, order: StoredDeploymentRecord, name: string): object {
  const made = { timestamp: order.created, level: 'INFO', message: `work order for ${name} made` };
  const ends: { readonly [state: string]: { readonly level: string; readonly message: string } } = {
    inprogress: { level: 'INFO', message: `work order for ${name} in progress` },
    complete: { level: 'INFO', message: `work order for ${name} complete` },
    failed: { level: 'ERROR', message: order.comments ?? `work order for ${name} failed` },
    canceled: { level: 'WARN', message: `work order for ${name} canceled` },
  };
  const end = ends[order.state];
  const ran = attachmentRuns.ofWork(order.id).flatMap(runLog);
  return {
    id: order.id,
    logData: [made, ...ran, ...(end === undefined ? [] : [{ timestamp: order.updated, ...end }])],
  };
}

/** Handlers of a deployment's history. */
export const historyHandlers: HandlerTable = handlersOf(routes.deployments, {
  read: (context) => {
    const deployment = locateDeployment(context, locatePlace(context), context.address.deployment);
    return context.rules.deploymentByIdIsChanges
      ? changesAnswer(context, deployment)
      : deploymentAnswer(context.store, deployment, 'one');
  },
  edit: (context) => {
    const { store } = context;
    const deployment = locateDeployment(context, locatePlace(context), context.address.deployment);
    return {
      ...deploymentAnswer(store, deployment, 'one'),
      state_history: store.deployments.moves(deployment.id).map(moveAnswer),
      approvals: store.approvals.list(deployment.id).map((approval) => approvalAnswer(context, approval)),
    };
  },
  logData: (context) => {
    const { store, query } = context;
    const deployment = locateDeployment(context, locatePlace(context), context.address.deployment);
    const asked = query['rfcId'];
    const orders = store.deployments
      .records(deployment.id)
      .filter((order) => asked === undefined || String(order.changeId) === asked);
    if (orders.length === 0) throw notFound(`deployment ${deployment.id} has no work order for change ${asked ?? ''}`);
    return orders.map((order) => logOf(store, order, store.releases.recordChange(order.changeId)?.name ?? ''));
  },
});

/** Handler of cancel_deployment. */
export const cancelOrderHandlers: HandlerTable = handlersOf(routes.operations, {
  cancelDeployment: (context) => {
    const { store, now } = context;
    const { bom } = locatePlace(context);
    const instance = locateInstance(context, context.address.instance, 'merged');
    const deployment = store.deployments.latest(bom);
    const orders = (deployment === undefined ? [] : store.deployments.records(deployment.id)).filter(
      (order) => order.recordId === instance.id && order.state === 'inprogress',
    );
    if (orders.length === 0) throw refused(`no work order is in progress on ${instance.name}`);
    return orders.map((order) =>
      orderAnswer(store.deployments.updateRecord(order.id, { state: 'canceled', updated: now })),
    );
  },
});

/** Handler of an environment's timeline. */
export const timelineHandlers: HandlerTable = handlersOf(routes.environments, {
  timeline: (context) => {
    const { store } = context;
    const { manifest, bom } = locatePlace(context);
    const happened = [
      ...[manifest, bom].flatMap((namespace) => store.releases.list(namespace)).map((release) => ({ release })),
      ...store.deployments.list(bom).map((deployment) => ({ deployment })),
    ].sort((one, other) => idOf(other) - idOf(one));
    return pageOf(context.query, happened).map((each) =>
      'release' in each ? releaseAnswer(context, each.release) : deploymentAnswer(store, each.deployment, 'list'),
    );
  },
});

type Happened = { readonly release: { readonly id: number } } | { readonly deployment: { readonly id: number } };

const idOf = (each: Happened): number => ('release' in each ? each.release.id : each.deployment.id);
