// A deployment as it runs: steps one after the other on the service's clock, until it is complete, failed, paused or canceled (service-facts §3.4).
// It must not know requests, nor which moves a client may ask for.
import type { Voice } from '../../api/contract';
import type { Catalogue } from '../catalogue';
import { nextStep, proceed, type Run, type StepJob } from '../steps';
import type { Runners, Store, StoredDeployment, StoredDeploymentRecord } from '../store';
import { placeOfBom, vanishPending } from '../transition';
import type { Failures } from './failures';
import type { Effect } from './moves';
import { endOrder, setOrders, type Work } from './orders';

/** What ends a step: its work orders take so long. */
const STEP: StepJob = { name: 'deployment.step', duration: 3000 };

/** What runs deployments besides the store. */
export interface DeploymentParts {
  readonly catalogue: Catalogue;
  readonly failures: Pick<Failures, 'take'>;
  readonly voice: Pick<Voice, 'attachmentEvents'>;
}

/** Runner of a step's end: its orders are carried out, then the deployment goes on or ends. */
export function deploymentJobs({ catalogue, failures, voice }: DeploymentParts): Runners {
  return {
    [STEP.name]: ({ store, now, job }) => {
      const deployment = store.deployments.byId(job.subject);
      if (deployment === undefined) return;
      const work: Work = {
        store,
        catalogue,
        failures,
        voice,
        author: { user: deployment.updatedBy ?? deployment.createdBy ?? '', now },
      };
      const orders = store.deployments.records(deployment.id).filter((order) => order.state === 'inprogress');
      for (const order of orders) endOrder(work, order);
      proceedWith(store, deployment.id, now);
    },
  };
}

/** Does what a move sets off; the deployment already is in its new state. */
export function carryOut(
  store: Store,
  deployment: StoredDeployment,
  effect: Effect,
  author: { readonly user: string; readonly now: number },
): void {
  const { now } = author;
  const orders = store.deployments.records(deployment.id);
  switch (effect) {
    case 'pause':
      return;
    case 'cancel':
      setOrders(
        store,
        orders.filter((order) => order.state === 'pending'),
        'canceled',
        now,
      );
      store.releases.cancel(deployment.releaseId, author);
      return;
    case 'retry':
      setOrders(store, orders.filter(isUndone), 'pending', now);
      break;
    case 'resume':
      passPause(store, deployment);
      break;
    case 'start':
      break;
  }
  proceedWith(store, deployment.id, now);
}

/** A deployment that was paused before a step goes past it when it is resumed. */
function passPause(store: Store, deployment: StoredDeployment): void {
  const reached = nextStep(store.deployments.records(deployment.id));
  const left = deployment.autoPauseExecOrders.filter((step) => step !== reached);
  store.deployments.update(deployment.id, { autoPauseExecOrders: left });
}

/** Goes on where the orders are. Only an active deployment moves. */
function proceedWith(store: Store, id: number, now: number): void {
  const deployment = store.deployments.byId(id);
  if (deployment?.state !== 'active') return;
  const works = store.deployments.records(id);
  const undone = works.filter(isUndone);
  const run: Run<StoredDeploymentRecord> = {
    id,
    works,
    isFailed: (moment) =>
      moment === 'now' && deployment.continueOnFailure
        ? undone.some((order) => isDeletion(store, order.changeId))
        : undone.length > 0,
    pausesBefore: (step) => deployment.autoPauseExecOrders.includes(step),
    start: (order) => store.deployments.updateRecord(order.id, { state: 'inprogress', updated: now }),
    reach: (step) => store.deployments.update(id, { currentStep: step, updated: now }),
    end: (state) => {
      store.deployments.update(id, { state, updated: now });
      if (state === 'complete') complete(store, deployment, now);
    },
  };
  proceed(store, run, STEP, now);
}

/** Failed, or canceled by hand: in an active deployment either is work that was not done. */
const isUndone = ({ state }: StoredDeploymentRecord): boolean => state === 'failed' || state === 'canceled';

/** A failed deletion always fails the deployment (service-facts §3.4). */
function isDeletion(store: Store, changeId: number): boolean {
  return store.releases.recordChange(changeId)?.action === 'delete';
}

/** Everything is true: the bom release closes, what waited for its instances to go is removed. */
function complete(store: Store, deployment: StoredDeployment, now: number): void {
  store.releases.close(deployment.releaseId, { user: deployment.updatedBy ?? deployment.createdBy ?? '', now });
  const place = placeOfBom(store, deployment.namespace);
  if (place !== undefined) vanishPending(store, place);
}
