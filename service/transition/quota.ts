// Whether a plan stays within what the compute services of its clouds allow (service-facts §2.2.3 max_…, §4.7.2, §7.4 code 6021).
import type { PlannedChange } from '../plan';
import type { Store } from '../store';

/** Quotas that can be counted before anything is made, by attribute of the service: class of the instances, and how they are called. */
const QUOTAS: readonly (readonly [attribute: string, className: string, noun: string])[] = [
  ['max_instances', 'Compute', 'machines'],
  ['max_keypairs', 'Keypair', 'key pairs'],
  ['max_secgroups', 'Secgroup', 'security groups'],
];

const isOf = (className: string, tail: string): boolean => className.endsWith(`.${tail}`);

/** Limit a cloud's compute service sets; undefined where none is set. */
function limitOf(store: Store, cloudId: number, attribute: string): number | undefined {
  const compute = store.relations
    .from(cloudId, 'base.Provides', 'committed')
    .find((relation) => relation.values['service'] === 'compute');
  const text = compute === undefined ? '' : (store.records.byId(compute.toId, 'committed')?.values[attribute] ?? '');
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Instances of a class that run on a cloud, of all assemblies. */
function runningOn(store: Store, cloudId: number, tail: string): number {
  return store.records
    .byIds(
      store.relations.to(cloudId, 'base.DeployedTo', 'committed').map((relation) => relation.fromId),
      'committed',
    )
    .filter(({ className }) => isOf(className, tail)).length;
}

/** A sentence for the first quota a plan would break, or undefined. A plan that adds nothing of a kind breaks none. */
export function brokenQuota(store: Store, changes: readonly PlannedChange[]): string | undefined {
  for (const cloudId of new Set(changes.map((change) => change.cloudId))) {
    for (const [attribute, tail, noun] of QUOTAS) {
      const limit = limitOf(store, cloudId, attribute);
      if (limit === undefined) continue;
      const own = changes.filter(
        (change) =>
          change.cloudId === cloudId &&
          isOf(store.records.byId(change.componentId, 'committed')?.className ?? '', tail),
      );
      const added = own.filter(({ action }) => action === 'add').length;
      const removed = own.filter(({ action }) => action === 'delete').length;
      const wanted = runningOn(store, cloudId, tail) + added - removed;
      if (added > 0 && wanted > limit) {
        const cloud = store.records.byId(cloudId, 'committed')?.name ?? String(cloudId);
        return `cloud ${cloud} allows ${limit} ${noun}, the plan would have ${wanted} there`;
      }
    }
  }
  return undefined;
}
