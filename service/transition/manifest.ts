// Reading an environment's manifest: its platforms, what each requires, what clouds offer (service-facts §2.1.9).
import type { Store, StoredRecord, StoredRelation, View } from '../store';
import type { EnvironmentPlace } from './place';

/** A manifest platform and the relation that holds whether it is enabled. */
export interface ManifestPlatform {
  readonly record: StoredRecord;
  readonly composition: StoredRelation;
}

/** Platforms of an environment, those pending deletion included. */
export function manifestPlatforms(
  store: Store,
  place: Pick<EnvironmentPlace, 'environment'>,
  view: View = 'merged',
): ManifestPlatform[] {
  return store.relations.from(place.environment.id, 'manifest.ComposedOf', view).flatMap((composition) => {
    const record = store.records.byId(composition.toId, view);
    return record === undefined ? [] : [{ record, composition }];
  });
}

/** Whether a platform is enabled (service-facts §3.10). */
export function isEnabled(platform: Pick<ManifestPlatform, 'composition'>): boolean {
  return platform.composition.values['enabled'] !== 'false';
}

/** A component of a manifest platform, with what its template says of it. */
interface ManifestComponent {
  readonly record: StoredRecord;
  readonly requirement: StoredRelation;
  readonly template: string;
  /** Service types; optional ones with a leading `*`. */
  readonly services: readonly string[];
}

/** Components of a manifest platform. */
export function manifestComponents(
  store: Store,
  platform: Pick<StoredRecord, 'id'>,
  view: View = 'merged',
): ManifestComponent[] {
  return store.relations.from(platform.id, 'manifest.Requires', view).flatMap((requirement) => {
    const record = store.records.byId(requirement.toId, view);
    if (record === undefined) return [];
    return [
      {
        record,
        requirement,
        template: requirement.values['template'] ?? '',
        services: listed(requirement.values['services']),
      },
    ];
  });
}

/** What the components of a platform ask of its clouds; those on their way out ask nothing. */
export function requirementsOf(
  store: Store,
  platform: Pick<StoredRecord, 'id'>,
): readonly Pick<ManifestComponent, 'services'>[] {
  return manifestComponents(store, platform).filter(
    ({ record }) => record.change?.action !== 'delete' && record.state !== 'pending_deletion',
  );
}

/** Service types a cloud provides. */
export function serviceTypesOf(store: Store, cloudId: number): string[] {
  return store.relations
    .from(cloudId, 'base.Provides', 'committed')
    .map((relation) => relation.values['service'] ?? '');
}

function listed(text: string | null | undefined): string[] {
  return (text ?? '').split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
}
