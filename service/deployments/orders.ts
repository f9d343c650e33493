// Work orders: one for each change of a bom release, carried out step by step; what a finished one leaves behind (service-facts §2.2.11, §3.5, §10.5).
// Values that only a running instance has follow from the instance alone, so that they are the same every time.
import { type DialectRules } from '../../api/contract';
import { type PlannedRun, plannedRuns, runAttachments } from '../runtime/attachment-runs';
import type { Failures } from '../faults';
import { platformPath } from '../runtime/locate';
import { type Catalogue } from '../catalogue';
import {
  type WriteStamp,
  type RecordChange,
  type Store,
  type StoredDeploymentRecord,
  type StoredRecord,
  type Values,
} from '../store';

/** What carrying orders out takes. */
export interface OrderWork {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly failures: Pick<Failures, 'take'>;
  readonly rules: Pick<DialectRules, 'attachmentEvents'>;
  readonly author: WriteStamp;
}

/** Events around the change of an instance (service-facts §6): those before it, and those after it. */
function eventsAround(
  { action }: RecordChange,
  isReplaceKnown: boolean,
): {
  readonly before: readonly string[];
  readonly after: readonly string[];
} {
  // Where no event is called so, an instance that is replaced goes and comes again.
  if (action === 'replace' && !isReplaceKnown)
    return { before: ['before-delete', 'after-delete', 'before-add'], after: ['after-add'] };
  return { before: [`before-${action}`], after: [`after-${action}`] };
}

/** Attachments of the instance an order is about, in the order they are to run. */
export function attachmentsOfOrder(
  store: Store,
  change: RecordChange,
  rules: Pick<DialectRules, 'attachmentEvents'>,
): readonly PlannedRun[] {
  const { before, after } = eventsAround(change, rules.attachmentEvents === 'run_on');
  return plannedRuns(store, change.recordId, [...before, ...after]);
}

/** Ends an order that is in progress: `complete`, and its change is true; or `failed`, with the reason. */
export function endOrder(work: OrderWork, order: StoredDeploymentRecord): void {
  const { store, author } = work;
  const change = store.releases.recordChange(order.changeId);
  const reason = change === undefined ? undefined : failureOf(work, order, change);
  if (reason !== undefined) {
    store.deployments.updateRecord(order.id, { state: 'failed', comments: reason, updated: author.now });
    return;
  }
  if (change !== undefined) makeTrue(work, change);
  store.deployments.updateRecord(order.id, { state: 'complete', comments: null, updated: author.now });
}

/** Carries an order out with the attachments around it. Returns why it failed, or undefined. */
function failureOf(work: OrderWork, order: StoredDeploymentRecord, change: RecordChange): string | undefined {
  const { store, failures, rules, author } = work;
  const paths = pathsOf(store, change);
  const attached = { id: order.id, recordId: change.recordId, paths };
  const { before, after } = eventsAround(change, rules.attachmentEvents === 'run_on');
  const run = (events: readonly string[]): string | undefined =>
    runAttachments({ store, failures, now: author.now }, attached, plannedRuns(store, change.recordId, events));
  return run(before) ?? failures.take(paths) ?? managerFailed(store, order, change) ?? run(after);
}

function makeTrue({ store, catalogue, author }: OrderWork, change: RecordChange): void {
  store.releases.commitChange(change.id, author);
  if (change.action === 'delete') return;
  const instance = store.records.byId(change.recordId, 'committed');
  if (instance === undefined) return;
  const isUpdate = change.action === 'update';
  const values = isUpdate ? resizedValues(instance, catalogue) : bornValues(instance, catalogue);
  if (Object.keys(values).length > 0) store.records.update(instance.id, { values }, author);
  if (!isUpdate) store.records.setOpsState(instance.id, 'good');
}

/** Why an order fails whose machine's order failed (service-facts §3.4, continueOnFailure). */
function managerFailed(store: Store, order: StoredDeploymentRecord, change: RecordChange): string | undefined {
  if (change.action === 'delete') return undefined;
  const machines = store.relations.from(change.recordId, 'bom.ManagedVia').map((relation) => relation.toId);
  return store.deployments.hasFailed(order.deploymentId, machines) ? 'the work order of its machine failed' : undefined;
}

/** The paths failures are matched against: of the component, of the component on this cloud, of the instance. */
function pathsOf(store: Store, change: RecordChange): string[] {
  // `/<o>/<a>/<e>/bom/<p>/<majorVersion>` and `<component>-<cloudCiId>-<n>` (service-facts §2.1.7, §2.1.6)
  const [, component = change.name, cloudId = ''] = /^(.*)-(\d+)-\d+$/.exec(change.name) ?? [];
  const above = platformPath(change.namespace);
  const cloud = store.records.byId(Number(cloudId), 'committed');
  return [`${above}/${component}`, `${above}/${component}@${cloud?.name ?? cloudId}`, `${above}/${change.name}`];
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

/** Values of attributes that only a running instance of this class has. */
const running = (instance: StoredRecord, catalogue: Catalogue, facts: Values): Values => {
  const metadata = catalogue.classMetadata(instance.className);
  return Object.fromEntries(
    Object.entries(facts).filter(([attribute]) => metadata?.attributes[attribute]?.scope === 'bom'),
  );
};

/** What changes of these attributes when the size of a running instance does. */
function resizedValues(instance: StoredRecord, catalogue: Catalogue): Values {
  const [cores, ram] = capacityOf(instance.values['size']);
  return running(instance, catalogue, { cores: String(cores), ram: String(ram) });
}

/** Attributes the infrastructure fills in once an instance runs; only those its class has. */
function bornValues(instance: StoredRecord, catalogue: Catalogue): Values {
  const { id, name, namespace } = instance;
  const address = `10.${(id >> 16) & 255}.${(id >> 8) & 255}.${id & 255}`;
  const host = `${name}.${namespace.split('/').slice(1, 4).reverse().join('.')}`.toLowerCase();
  const facts: Values = {
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
  return { ...running(instance, catalogue, facts), ...resizedValues(instance, catalogue) };
}
