// A deployment as it runs: started immediately or once it is approved, then step by step until it is complete, failed, paused or canceled; and the moves
// that a client may request (service-facts §0.3, §3.4, §3.6). What a work order does: orders.ts.
import { endOrder, type OrderWork } from './orders';
import { type Context, refused, RefusedRequest } from '../runtime/handler';
import type { Store, StoredDeployment, StoredRecord, StoredRelease, WriteStamp } from '../store';
import { type EnvironmentPlace, placeOfBom, vanishPending } from '../transition';
import type { DialectRules } from '../../api/contract';
import type { Catalogue } from '../catalogue';
import type { Failures } from '../faults';
import { proceed, type Run, type Runners, type Slices, type StepJob } from '../runtime/work';

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
  const move = moveOf(deployment.state, asked, store.deployments.progress(deployment.id).isWorking);
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

/** What ends a step: its work orders take so long. */
const STEP: StepJob = { name: 'deployment.step', duration: 3000 };

/** What a client's move does besides the new state. */
type Effect =
  /** Nothing runs yet: the first step starts. */
  | 'start'
  /** Work orders that run finish; no further step starts. */
  | 'pause'
  /** The next step starts, unless orders of the present one still run. */
  | 'resume'
  /** Failed orders are pending again, then as `resume`. */
  | 'retry'
  /** Pending orders and the bom release are canceled. */
  | 'cancel';

/** What runs deployments besides the store. */
export interface DeploymentParts {
  readonly catalogue: Catalogue;
  readonly failures: Pick<Failures, 'take'>;
  readonly rules: Pick<DialectRules, 'attachmentEvents'>;
}

/** Orders that one slice carries out: a step of many has several, so that no request waits for all of them. */
const AT_ONCE = 25;

/** Runner of a step's end: its orders are carried out, then the deployment continues or ends. */
export function deploymentStepJobs({ catalogue, failures, rules }: DeploymentParts): Runners {
  return {
    *[STEP.name]({ store, now, job }): Slices {
      const deployment = store.deployments.byId(job.subject);
      if (deployment === undefined) return;
      const work: OrderWork = {
        store,
        catalogue,
        failures,
        rules,
        author: { user: deployment.updatedBy ?? deployment.createdBy ?? '', now },
      };
      for (let after = 0; ;) {
        const orders = store.deployments.inProgress(deployment.id, after, AT_ONCE);
        for (const order of orders) endOrder(work, order);
        if (orders.length < AT_ONCE) break;
        after = orders.at(-1)?.id ?? after;
        yield orders.length;
      }
      proceedWith(store, deployment.id, now);
    },
  };
}

/** Does what a move sets off; the deployment already is in its new state. */
function carryOut(
  store: Store,
  deployment: StoredDeployment,
  effect: Effect,
  author: { readonly user: string; readonly now: number },
): void {
  const { now } = author;
  const move = (from: readonly string[], to: string): void =>
    store.deployments.moveRecords({ deploymentId: deployment.id, from, to, now });
  switch (effect) {
    case 'pause':
      return;
    case 'cancel':
      move(['pending'], 'canceled');
      store.releases.cancel(deployment.releaseId, author);
      return;
    case 'retry':
      move(['failed', 'canceled'], 'pending');
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
  const reached = store.deployments.progress(deployment.id).next;
  const left = deployment.autoPauseExecOrders.filter((step) => step !== reached);
  store.deployments.update(deployment.id, { autoPauseExecOrders: left });
}

/** Goes on where the orders are. Only an active deployment moves. */
function proceedWith(store: Store, id: number, now: number): void {
  const deployment = store.deployments.byId(id);
  if (deployment?.state !== 'active') return;
  const { isWorking, next, undone } = store.deployments.progress(id);
  const run: Run = {
    id,
    isWorking,
    next,
    isFailed: (moment) =>
      moment === 'now' && deployment.continueOnFailure
        ? undone.some((changeId) => isDeletion(store, changeId))
        : undone.length > 0,
    pausesBefore: (step) => deployment.autoPauseExecOrders.includes(step),
    start: (step) => {
      store.deployments.moveRecords({ deploymentId: id, from: ['pending'], to: 'inprogress', now, execOrder: step });
      store.deployments.update(id, { currentStep: step, updated: now });
    },
    end: (state) => {
      store.deployments.update(id, { state, updated: now });
      if (state === 'complete') complete(store, deployment, now);
    },
  };
  proceed(store, run, STEP, now);
}

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

/** What a person says of a new deployment. */
export interface DeploymentFacts {
  readonly description: string | null;
  readonly comments: string | null;
  readonly continueOnFailure: boolean;
  /** Steps to pause before. */
  readonly autoPauseExecOrders: readonly number[];
}

/** Supports of a release's clouds that are asked before each deployment. */
function askedSupports(store: Store, release: StoredRelease): StoredRecord[] {
  // Of the instances that it makes, changes or deletes.
  const clouds = store.releases.reached(release.id, 'base.DeployedTo');
  const ids = clouds.flatMap((cloud) =>
    store.relations.from(cloud, 'base.SupportedBy', 'committed').map((relation) => relation.toId),
  );
  return store.records
    .byIds(ids, 'committed')
    .filter(({ values }) => values['enabled'] === 'true' && values['approval'] === 'true');
}

/** Starts a deployment of an open release: immediately, or, where a cloud's support is asked, once it is approved. */
export function beginDeployment(
  store: Store,
  release: StoredRelease,
  facts: DeploymentFacts,
  author: WriteStamp,
): StoredDeployment {
  const { now, user } = author;
  const supports = askedSupports(store, release);
  const inserted = store.deployments.insert({
    ...facts,
    releaseId: release.id,
    namespace: release.namespace,
    state: supports.length === 0 ? 'active' : 'pending',
    currentStep: 0,
    maxExecOrder: 0,
    created: now,
    createdBy: user,
    updated: now,
    updatedBy: null,
  });
  const maxExecOrder = store.deployments.makeRecords(inserted);
  const deployment = store.deployments.update(inserted.id, { maxExecOrder });
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
  if (supports.length === 0) carryOut(store, deployment, 'start', author);
  return deployment;
}
