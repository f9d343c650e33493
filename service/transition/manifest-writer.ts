// Writing one environment's manifest from blueprints: what is missing is added, what follows the design updated, what left it removed.
import {
  type NewRelation,
  type ReleaseWriter,
  stage,
  type Store,
  type StoredRecord,
  type StoredRelation,
  type Values,
  type WriteStamp,
} from '../store';
import type { EnvironmentPlace } from './place';
import type { BlueprintRecord } from './blueprint';

/** Writer of the manifest release of one environment. */
export interface ManifestWriter {
  readonly store: Store;
  readonly place: EnvironmentPlace;
  readonly author: WriteStamp;
  readonly stage: ReleaseWriter;
  /**
   * The record a blueprint requests, below `namespace`: `known` brought to the design where no owner `manifest` locks the attribute
   * (service-facts §2.1.5) and taken back from pending deletion, or a new one.
   */
  readonly record: (namespace: string, wanted: BlueprintRecord, known: StoredRecord | undefined) => StoredRecord;
  /** The relation, added unless it exists; values of one that exists follow, locked ones stay. */
  readonly relation: (wanted: NewRelation, known: StoredRelation | undefined) => StoredRelation;
  /** Takes a record and its relations of the manifest away; relations to instances stay until the instances go. */
  readonly remove: (record: StoredRecord) => void;
  readonly removeRelation: (relation: StoredRelation) => void;
}

/** The writer for an environment. Everything lands in its open manifest release, which the first real difference opens. */
export function manifestWriter(store: Store, place: EnvironmentPlace, author: WriteStamp): ManifestWriter {
  const manifest = stage(store, place.manifest, author);
  const ownRelation = ({ namespace }: StoredRelation): boolean =>
    namespace === place.manifest || namespace.startsWith(`${place.manifest}/`);
  return {
    store,
    place,
    author,
    stage: manifest,
    record: (namespace, wanted, known) => {
      if (known === undefined) {
        const { className, name, impl, values } = wanted;
        return manifest.add({ namespace, className, name, impl, values });
      }
      if (known.state === 'pending_deletion') store.records.setState(known.id, 'default');
      return manifest.update(known, { values: unlocked(known, wanted.designed) });
    },
    relation: (wanted, known) => {
      if (known === undefined) return manifest.addRelation(wanted);
      return manifest.updateRelation(known, { values: unlocked(known, wanted.values ?? {}) });
    },
    remove: (record) => {
      const current = store.records.byId(record.id);
      if (current === undefined || current.change?.action === 'delete') return;
      // Not `stage.remove`: it would remove relations of an undeployed bom release, and a retry makes those instances still.
      [...store.relations.from(record.id), ...store.relations.to(record.id)]
        .filter(ownRelation)
        .forEach((relation) => manifest.removeRelation(relation));
      if (current.change?.action === 'add') {
        store.changes.records.drop(current.change.id);
        return;
      }
      const release = store.releases.begin(place.manifest, author);
      const deletion = { action: 'delete', values: {}, base: {}, owners: null, comments: 'deleting' } as const;
      store.changes.records.write(release, current, deletion, author);
    },
    removeRelation: (relation) => manifest.removeRelation(relation),
  };
}

/** The values no owner `manifest` locks. */
function unlocked(known: Pick<StoredRecord, 'owners'>, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => known.owners[name] !== 'manifest'));
}
