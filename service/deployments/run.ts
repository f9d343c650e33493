// A deployment as it runs, and the moves that a client may request (service-facts §3.4, §3.6).
import { type Context, refused } from '../runtime/handler';
import {
  heldBy,
  onceOf,
  type Store,
  type StoredDeployment,
  type StoredRecord,
  type StoredRelease,
  type WriteStamp,
  type RecordChange,
  type StoredDeploymentRecord,
  type Values,
} from '../store';
import { locatePlace, placeOfBom } from '../transition/place';
import { vanishPending } from '../transition/background-jobs';
import type { DialectRules } from '../../api/contract';
import type { Catalogue } from '../catalogue';
import type { Faults } from '../faults';
import { proceed, type Run, type Runners, type Slices, type StepJob } from '../runtime/work';
import { attachmentsOf, type PlannedRun, plannedRuns, runAttachments } from '../runtime/attachment-runs';
import { locateNumber, platformPath } from '../runtime/locate';

/** What a move that a client asks for does, by the stored state and the asked one. */
const MOVES: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ['pending active', 'start'],
  ['pending canceled', 'cancel'],
  ['active paused', 'pause'],
  ['paused active', 'resume'],
  ['paused canceled', 'cancel'],
  ['failed active', 'retry'],
  ['failed canceled', 'cancel'],
]);

/** The back end's number by the state asked for (service-facts §7.4); a refusal ends in it. */
const CODES: ReadonlyMap<string, number> = new Map([
  ['active', 2014],
  ['canceled', 2015],
  ['paused', 2016],
]);
const OTHER_CODE = 2017;

/**
 * What moving a deployment to an asked state does. `working`: some of its work is in progress.
 * Throws a RefusedRequest (422) with the back end's number.
 */
export function moveOf(from: string, asked: string, working: boolean): Effect {
  const effect = MOVES.get(`${from} ${asked}`);
  const code = CODES.get(asked) ?? OTHER_CODE;
  if (effect === undefined)
    throw refused(`a deployment that is ${shownState(from, working)} cannot become ${asked} (${code})`);
  if (effect === 'cancel' && working)
    throw refused(`a deployment cannot be canceled while work orders are in progress (${code})`);
  return effect;
}

/** The state in single reads: `pausing` for paused while work orders are in progress. */
export function shownState(state: string, working: boolean): string {
  return state === 'paused' && working ? 'pausing' : state;
}

/** Moves a deployment to a state. Throws a RefusedRequest (422) with the back end's number. */
export function changeDeploymentState(
  { store, user, now }: Pick<Context, 'store' | 'user' | 'now'>,
  deployment: StoredDeployment,
  asked: string,
  comments = deployment.comments,
): void {
  const effect = moveOf(deployment.state, asked, store.deployments.progress(deployment.id).isWorking);
  const moved = store.deployments.update(deployment.id, { state: asked, comments, updated: now, updatedBy: user });
  carryOut(store, moved, effect, { user, now });
}

/** The deployment that a path names, by number. Throws a RefusedRequest (404). */
export function locateDeployment(
  context: Context<{ readonly assembly: string; readonly environment: string; readonly deployment: string }>,
): StoredDeployment {
  const { environment, bom } = locatePlace(context);
  const { deployment } = context.address;
  return locateNumber(
    deployment,
    context.store.deployments.byId,
    ({ namespace }) => namespace === bom,
    `environment ${environment.name} has no deployment ${deployment} (2022)`,
  );
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

interface DeploymentParts {
  readonly catalogue: Catalogue;
  readonly faults: Pick<Faults, 'take'>;
  readonly rules: Pick<DialectRules, 'attachmentEvents'>;
}

/** Most orders of one slice, so that no request waits for all of a step. */
const AT_ONCE = 25;

/** Who moved a deployment last. */
const mover = ({ updatedBy, createdBy }: StoredDeployment): string => updatedBy ?? createdBy ?? '';

/** Runner of a step's end: its orders are carried out, then the deployment continues or ends. */
export function deploymentStepJobs(parts: DeploymentParts): Runners {
  return {
    *[STEP.name]({ store, now, job }): Slices {
      const deployment = store.deployments.byId(job.subject);
      if (deployment === undefined) return;
      const failed = new Set(store.deployments.failed(deployment.id));
      const author = { user: mover(deployment), now };
      for (let after = 0; ;) {
        const cloudName = onceOf((id: number) => store.records.byId(id, 'committed')?.name);
        const work: OrderWork = { ...parts, store, author, failed, cloudName };
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
function carryOut(store: Store, deployment: StoredDeployment, effect: Effect, author: WriteStamp): void {
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
    case 'resume': {
      // A deployment that was paused before a step goes past it.
      const reached = store.deployments.progress(deployment.id).next;
      const left = deployment.autoPauseExecOrders.filter((step) => step !== reached);
      store.deployments.update(deployment.id, { autoPauseExecOrders: left });
      break;
    }
    case 'start':
      break;
  }
  proceedWith(store, deployment.id, now);
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
    // A failed deletion always fails the deployment (service-facts §3.4).
    isFailed: (moment) =>
      moment === 'now' && deployment.continueOnFailure
        ? undone.some((changeId) => store.releases.recordChange(changeId)?.action === 'delete')
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

/** Everything is true: the bom release closes, what waited for its instances to go is removed. */
function complete(store: Store, deployment: StoredDeployment, now: number): void {
  store.releases.close(deployment.releaseId, { user: mover(deployment), now });
  const place = placeOfBom(store, deployment.namespace);
  if (place !== undefined) vanishPending(store, place);
}

/** What the user who starts a deployment says of it. */
export type DeploymentFacts = Pick<
  StoredDeployment,
  'description' | 'comments' | 'continueOnFailure' | 'autoPauseExecOrders'
>;

/** Supports of a release's clouds that are asked before each deployment. */
function askedSupports(store: Store, release: StoredRelease): StoredRecord[] {
  // Of the instances that it makes, changes or deletes.
  return store.releases
    .reached(release.id, 'base.DeployedTo')
    .flatMap((cloud) => heldBy(store, { id: cloud }, 'base.SupportedBy', 'committed'))
    .filter(({ values }) => values['enabled'] === 'true' && values['approval'] === 'true');
}

/** Starts a deployment of an open release, at once or after the approvals of its clouds. */
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

// Work orders: one for each change of a bom release (service-facts §2.2.11, §3.5, §10.5). Values
// that only a running instance has follow from the instance, so that they are always the same.

interface OrderWork extends DeploymentParts {
  readonly store: Store;
  readonly author: WriteStamp;
  /** ciIds of the instances whose orders failed. */
  readonly failed: Set<number>;
  readonly cloudName: (ciId: number) => string | undefined;
}

/** Events before and after the change of an instance (service-facts §6). */
function eventsAround(
  { action }: RecordChange,
  { attachmentEvents }: DeploymentParts['rules'],
): { readonly before: readonly string[]; readonly after: readonly string[] } {
  // Where no event is called so, an instance that is replaced goes and comes again.
  if (action === 'replace' && attachmentEvents !== 'run_on')
    return { before: ['before-delete', 'after-delete', 'before-add'], after: ['after-add'] };
  return { before: [`before-${action}`], after: [`after-${action}`] };
}

/** Attachments of the instance an order is about, in the order they are to run. */
export function attachmentsOfOrder(
  store: Store,
  change: RecordChange,
  rules: DeploymentParts['rules'],
): readonly PlannedRun[] {
  const { before, after } = eventsAround(change, rules);
  return plannedRuns(attachmentsOf(store, change.recordId), [...before, ...after]);
}

/** Ends an order: `complete`, and its change is true; or `failed`, with the reason. */
function endOrder(work: OrderWork, order: StoredDeploymentRecord): void {
  const { store, author, failed } = work;
  const change = store.releases.recordChange(order.changeId);
  const comments = (change && failureOf(work, order, change)) ?? null;
  if (comments !== null) failed.add(order.recordId);
  else if (change !== undefined) makeTrue(work, change);
  const state = comments === null ? 'complete' : 'failed';
  store.deployments.updateRecord(order.id, { state, comments, updated: author.now });
}

/** Carries an order out with the attachments around it. Returns why it failed, or undefined. */
function failureOf(work: OrderWork, order: StoredDeploymentRecord, change: RecordChange): string | undefined {
  const { store, faults, rules, author } = work;
  const paths = pathsOf(work, change);
  const attached = { id: order.id, recordId: change.recordId, paths };
  const { before, after } = eventsAround(change, rules);
  const attachments = attachmentsOf(store, change.recordId);
  const run = (events: readonly string[]): string | undefined =>
    runAttachments({ store, faults, now: author.now }, attached, plannedRuns(attachments, events));
  return run(before) ?? faults.take(paths) ?? managerFailed(work, change) ?? run(after);
}

function makeTrue({ store, catalogue, author }: OrderWork, change: RecordChange): void {
  store.releases.commitChange(change, author, (values) => ({
    values: foundAt(change, values, catalogue),
    ...(change.action === 'update' ? {} : { opsState: 'good' }),
  }));
}

/** Why an order fails whose machine's order failed (service-facts §3.4, continueOnFailure). */
function managerFailed({ store, failed }: OrderWork, change: RecordChange): string | undefined {
  if (change.action === 'delete' || failed.size === 0) return undefined;
  const machines = store.relations.from(change.recordId, 'bom.ManagedVia');
  return machines.some(({ toId }) => failed.has(toId)) ? 'the work order of its machine failed' : undefined;
}

/** Paths that faults name: the component, the component on this cloud, and the instance. */
function pathsOf({ cloudName }: OrderWork, change: RecordChange): string[] {
  // `/<o>/<a>/<e>/bom/<p>/<majorVersion>` and `<component>-<cloudCiId>-<n>` (service-facts §2.1.7,
  // §2.1.6)
  const [, component = change.name, cloudId = ''] = /^(.*)-(\d+)-\d+$/.exec(change.name) ?? [];
  const above = platformPath(change.namespace);
  const cloud = cloudName(Number(cloudId)) ?? cloudId;
  return [`${above}/${component}`, `${above}/${component}@${cloud}`, `${above}/${change.name}`];
}

/** Cores and memory in MB by size. */
const CAPACITY: { readonly [size: string]: readonly [cores: number, ram: number] } = {
  XS: [1, 1024],
  S: [1, 2048],
  M: [2, 4096],
  L: [4, 8192],
  XL: [8, 16384],
  XXL: [16, 32768],
  '3XL': [24, 49152],
  '4XL': [32, 65536],
};

/** The size's own capacity; a family's (`M-MEM`) is that of its size, an unknown one that of S. */
function capacityOf(size: string | null | undefined): readonly [cores: number, ram: number] {
  const [plain = ''] = (size ?? '').split('-');
  return (Object.hasOwn(CAPACITY, plain) ? CAPACITY[plain] : undefined) ?? [1, 2048];
}

/**
 * Values of attributes that only a running instance of its class has: of one that an order updates,
 * those that its size decides; of any other, all that the infrastructure fills in.
 */
function foundAt(
  { recordId: id, name, namespace, className, action }: RecordChange,
  values: Values,
  catalogue: Catalogue,
): Values {
  const address = `10.${(id >> 16) & 255}.${(id >> 8) & 255}.${id & 255}`;
  const host = `${name}.${namespace.split('/').slice(1, 4).reverse().join('.')}`.toLowerCase();
  const born: Values = {
    instance_name: host,
    instance_id: `i-${id.toString(16).padStart(8, '0')}`,
    host_id: `h-${(id % 97).toString(16).padStart(4, '0')}`,
    hypervisor: `hypervisor-${id % 7}`,
    availability_zone: `zone-${(id % 3) + 1}`,
    private_ip: address,
    public_ip: address,
    dns_record: address,
    private_dns: host,
    public_dns: host,
    hostname: host,
    vm_state: 'active',
    instance_state: 'ACTIVE',
    group_id: `sg-${id.toString(16)}`,
    group_name: host,
  };
  const [cores, ram] = capacityOf(values['size']);
  const facts = { ...(action === 'update' ? {} : born), cores: String(cores), ram: String(ram) };
  const attributes = catalogue.classMetadata(className)?.attributes;
  return Object.fromEntries(Object.entries(facts).filter(([attribute]) => attributes?.[attribute]?.scope === 'bom'));
}
