// Manifest records that wait for their instances to go, and go themselves once none is left (service-facts §3.1, §10.5).
// It must not know why an instance went.
import type { Store, StoredRecord } from '../store';
import { manifestComponents, manifestPlatforms } from './manifest';
import { instancesNamespace, type Place } from './place';

/** Removes what is pending deletion and has no instances: components with their attachments, platforms with all of theirs. */
export function vanishPending(store: Store, place: Place): void {
  const isGone = (record: StoredRecord): boolean =>
    record.state === 'pending_deletion' && store.relations.from(record.id, 'base.RealizedAs', 'committed').length === 0;
  for (const { record: platform } of manifestPlatforms(store, place, 'committed')) {
    for (const { record } of manifestComponents(store, platform, 'committed').filter((component) =>
      isGone(component.record),
    )) {
      store.relations
        .from(record.id, 'manifest.EscortedBy', 'committed')
        .forEach((relation) => store.records.remove(relation.toId));
      store.records.remove(record.id);
    }
    if (
      platform.state === 'pending_deletion' &&
      !store.records.exists({ namespace: instancesNamespace(place, platform) })
    ) {
      store.records
        .list({ namespace: platform.namespace }, 'committed')
        .forEach((record) => store.records.remove(record.id));
      store.records.remove(platform.id);
    }
  }
}
