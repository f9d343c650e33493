// How a deployment of a bom release starts: its work orders, and the approvals it waits for before the first of them (service-facts §3.4, §3.6).
// It must not know requests or bodies.
import type { Author, Store, StoredDeployment, StoredRecord, StoredRelease } from '../store';
import { makeOrders } from './orders';
import { carryOut } from './run';

/** What a person says of a new deployment. */
export interface DeploymentFacts {
  readonly description: string | null;
  readonly comments: string | null;
  readonly continueOnFailure: boolean;
  /** Steps to pause before. */
  readonly autoPauseExecOrders: readonly number[];
}

/** Clouds a release reaches: those of the instances it makes, changes or deletes. */
function cloudsOf(store: Store, release: StoredRelease): number[] {
  const made = store.releases.relationChanges(release.id).filter((change) => change.name === 'base.DeployedTo');
  const present = store.releases
    .recordChanges(release.id)
    .flatMap((change) => store.relations.from(change.recordId, 'base.DeployedTo', 'committed'));
  return [...new Set([...made, ...present].map((relation) => relation.toId))];
}

/** Supports of a release's clouds that are asked before each deployment. */
function askedSupports(store: Store, release: StoredRelease): StoredRecord[] {
  const ids = cloudsOf(store, release).flatMap((cloud) =>
    store.relations.from(cloud, 'base.SupportedBy', 'committed').map((relation) => relation.toId),
  );
  return store.records
    .byIds(ids, 'committed')
    .filter(({ values }) => values['enabled'] === 'true' && values['approval'] === 'true');
}

/** Starts a deployment of an open release: at once, or, where a cloud's support is asked, once it is approved. */
export function startDeployment(
  store: Store,
  release: StoredRelease,
  facts: DeploymentFacts,
  author: Author,
): StoredDeployment {
  const { now, user } = author;
  const supports = askedSupports(store, release);
  const orders = store.releases.recordChanges(release.id).map((change) => change.execOrder);
  const deployment = store.deployments.insert({
    ...facts,
    releaseId: release.id,
    namespace: release.namespace,
    state: supports.length === 0 ? 'active' : 'pending',
    currentStep: 0,
    maxExecOrder: Math.max(0, ...orders),
    created: now,
    createdBy: user,
    updated: now,
    updatedBy: null,
  });
  for (const support of supports) {
    store.approvals.insert({
      deploymentId: deployment.id,
      recordId: support.id,
      state: 'pending',
      comments: null,
      expiresIn: -1,
      created: now,
      updated: now,
      updatedBy: null,
    });
  }
  makeOrders(store, deployment);
  if (supports.length === 0) carryOut(store, deployment, 'start', author);
  return deployment;
}
