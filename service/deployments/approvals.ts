// Approvals of deployments: listed, given and refused, and what follows for the deployment
// (service-facts §3.4, §3.6, §4.7.4).
import type * as z from 'zod';
import { routes, type settleBody } from '../../api/contract';
import { checkMayOn } from '../account/rights';
import { committedRecord } from '../runtime/answers';
import { type Context, handlersOf, type HandlerTable, refused, unreadable } from '../runtime/handler';
import { isSecret } from '../runtime/secrets';
import type { Store, StoredApproval, StoredDeployment, StoredRecord } from '../store';
import { changeDeploymentState, locateDeployment } from './run';

const MINUTE = 60_000;
const NUMBERS: { readonly [state: string]: number } = { pending: 100, approved: 200, rejected: 300, expired: 400 };

/** Whether an approval that was given counts no more. */
const isExpired = ({ state, expiresIn, updated }: StoredApproval, now: number): boolean =>
  state === 'approved' && expiresIn >= 0 && now > updated + expiresIn * MINUTE;

export function approvalAnswer(context: Context, approval: StoredApproval): object {
  const support = context.store.records.byId(approval.recordId, 'committed');
  const expired = isExpired(approval, context.now);
  const state = expired ? 'expired' : approval.state;
  return {
    approvalId: approval.id,
    deploymentId: approval.deploymentId,
    governCiId: approval.recordId,
    governCiJson: support === undefined ? null : JSON.stringify(committedRecord(context, support)),
    stateId: NUMBERS[state] ?? 0,
    state,
    updatedBy: approval.updatedBy,
    created: approval.created,
    updated: approval.updated,
    expiresIn: approval.expiresIn,
    isExpired: expired,
    comments: approval.comments,
  };
}

type Settlement = z.output<typeof settleBody>['approvals'][number];

interface Found {
  readonly approval: StoredApproval;
  readonly support: StoredRecord;
}

/** An approval by number, or `<nsPath>!<ciName>` of its support. Throws a RefusedRequest (422). */
function approvalOf(store: Store, deployment: StoredDeployment, identifier: string): Found {
  const found = store.approvals.list(deployment.id).flatMap((approval): Found[] => {
    const support = store.records.byId(approval.recordId, 'committed');
    return support === undefined ? [] : [{ approval, support }];
  });
  const match = found.find(
    ({ approval, support }) =>
      String(approval.id) === identifier || `${support.namespace}!${support.name}` === identifier,
  );
  if (match === undefined) throw refused(`deployment ${deployment.id} has no approval ${identifier}`);
  return match;
}

function minutesIn(sent: string | number | null | undefined): number {
  const minutes = Number(sent ?? -1);
  if (!Number.isInteger(minutes) || minutes < -1) throw unreadable('expiresIn must be minutes, or -1 for ever');
  return minutes;
}

/**
 * Writes what was settled. Throws a RefusedRequest: 400 for another word than approved or rejected,
 * 401 or 403 without a right on the cloud, 422 for a wrong token or a settled one.
 */
function settle(context: Context, deployment: StoredDeployment, sent: Settlement, comments: string | null): void {
  const { store, now, user } = context;
  const { approval, support } = approvalOf(store, deployment, String(sent.approvalId));
  if (sent.state !== 'approved' && sent.state !== 'rejected')
    throw unreadable(`an approval is approved or rejected, not ${JSON.stringify(sent.state)}`);
  if (approval.state !== 'pending' && !isExpired(approval, now))
    throw refused(`approval ${approval.id} is ${approval.state} already`);
  for (const { fromId } of store.relations.to(support.id, 'base.SupportedBy', 'committed')) {
    const cloud = store.records.byId(fromId, 'committed');
    if (cloud !== undefined) checkMayOn(context, cloud, ['cloud_support', 'cloud_compliance']);
  }
  const { approval_auth_type: how, approval_token: stored } = support.values;
  if (how === 'token' && !isSecret(stored ?? '', sent.token ?? ''))
    throw refused(`the token of support ${support.name} is not valid`);
  const patch = { state: sent.state, comments: sent.comments ?? comments, expiresIn: minutesIn(sent.expiresIn) };
  store.approvals.update(approval.id, { ...patch, updated: now, updatedBy: user });
}

/** Moves a pending deployment on: one rejection cancels it, all approvals start it. */
function follow(context: Context, deployment: StoredDeployment): void {
  const approvals = context.store.approvals.list(deployment.id);
  if (approvals.some(({ state }) => state === 'rejected')) changeDeploymentState(context, deployment, 'canceled');
  else if (approvals.every((each) => each.state === 'approved' && !isExpired(each, context.now)))
    changeDeploymentState(context, deployment, 'active');
}

/** Gives the approvals that need no token. Throws a RefusedRequest (422) when others remain. */
export function approveOpenly(context: Context, deployment: StoredDeployment): void {
  const { store, now, user } = context;
  const pending = store.approvals
    .list(deployment.id)
    .filter((each) => each.state !== 'approved' || isExpired(each, now));
  const closed = pending.filter(
    ({ recordId }) => store.records.byId(recordId, 'committed')?.values['approval_auth_type'] === 'token',
  );
  if (closed.length > 0)
    throw refused(`deployment ${deployment.id} waits for approvals that need a token: settle them (2014)`);
  for (const { id } of pending) store.approvals.update(id, { state: 'approved', updated: now, updatedBy: user });
}

export const approvalHandlers: HandlerTable = handlersOf(routes.deployments, {
  approvals: (context) => {
    const deployment = locateDeployment(context);
    return context.store.approvals.list(deployment.id).map((approval) => approvalAnswer(context, approval));
  },
  settle: (context) => {
    const deployment = locateDeployment(context);
    if (deployment.state !== 'pending')
      throw refused(`deployment ${deployment.id} is ${deployment.state}, not pending`);
    for (const sent of context.body.approvals) settle(context, deployment, sent, context.body.comments ?? null);
    follow(context, deployment);
    const settled = context.body.approvals.map((sent) =>
      approvalOf(context.store, deployment, String(sent.approvalId)),
    );
    return settled.map(({ approval }) => approvalAnswer(context, approval));
  },
});
