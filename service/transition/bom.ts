// A plan as a bom release: a change for each planned instance, with the relations that say what it is of and where it runs (service-facts §10.5).
import { defaultAttributes } from '../../api/contract';
import type { Catalogue } from '../catalogue';
import type { PlannedChange, PlannedWrite } from '../plan';
import {
  stage,
  type WriteStamp,
  type ReleaseWriter,
  type Store,
  type StoredRecord,
  type StoredRelease,
  type Values,
} from '../store';
import { classIn, instancesNamespace, type EnvironmentPlace } from './place';
import { DIGEST } from './plan-input';

interface BomRequest {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly place: EnvironmentPlace;
  /** At least one. */
  readonly changes: readonly PlannedChange[];
  /** The manifest release it deploys. */
  readonly manifestId: number;
  readonly author: WriteStamp;
}

/** Writes the open bom release of a plan. */
export function writeBom(request: BomRequest): StoredRelease {
  const { store, place, changes, author } = request;
  const release = store.releases.begin(place.bom, author, { parentId: request.manifestId });
  const bom = stage(store, place.bom, author);
  const written = new Map<string, StoredRecord>();
  for (const change of changes) {
    if (change.action === 'delete') {
      const record = store.records.byId(change.instanceId);
      if (record !== undefined) bom.remove(record, { execOrder: change.execOrder });
    } else {
      written.set(
        instanceKey(change.componentId, change.cloudId, numberOf(change.name)),
        writeInstance(request, bom, change),
      );
    }
  }
  for (const change of changes) if (change.action === 'add') joinInstance(request, bom, change, written);
  return store.releases.byId(release.id) ?? release;
}

function writeInstance(
  { store, catalogue, place }: BomRequest,
  bom: ReleaseWriter,
  change: PlannedWrite,
): StoredRecord {
  const component = store.records.byId(change.componentId, 'committed');
  const platform = store.records.byId(change.platformId, 'committed');
  if (component === undefined || platform === undefined)
    throw new Error(`the plan names a component that is not there: ${change.componentId}`);
  const className = classIn('bom', component.className);
  const namespace = instancesNamespace(place, platform);
  const facts = { execOrder: change.execOrder };
  const carried = { last_manifest_rfc: String(component.lastChangeId), [DIGEST]: change.digest };
  if (change.instanceId === undefined) {
    const values = asInstance(catalogue, className, change.values, 'new');
    const record = bom.add({ namespace, className, name: change.name, impl: component.impl, values }, facts);
    const priority =
      store.relations.between(platform.id, change.cloudId, 'base.Consumes', 'committed')?.values['priority'] ?? '1';
    bom.addRelation({
      namespace,
      name: 'base.RealizedAs',
      fromId: component.id,
      toId: record.id,
      values: { ...carried, priority },
    });
    bom.addRelation({
      namespace,
      name: 'base.DeployedTo',
      fromId: record.id,
      toId: change.cloudId,
      values: { priority },
    });
    return record;
  }
  const record = store.records.byId(change.instanceId);
  if (record === undefined) throw new Error(`the plan names an instance that is not there: ${change.instanceId}`);
  const realized = store.relations.between(component.id, record.id, 'base.RealizedAs');
  if (realized !== undefined) bom.updateRelation(realized, { values: carried });
  const values = asInstance(catalogue, className, change.values, 'old');
  if (change.action === 'replace') return bom.replace(record, { values }, facts);
  const hint = change.cause === 'propagate' ? 'propagate' : null;
  const updated = bom.update(record, { values }, { ...facts, hint });
  // Nothing of its own changed: an attachment did, or a neighbour.
  return updated.change === undefined ? bom.touch(record, { ...facts, hint }) : updated;
}

/** Values as an instance carries them: a new one has all attributes of its class, an old one takes those the class has. */
function asInstance(catalogue: Catalogue, className: string, values: Values, age: 'new' | 'old'): Values {
  const metadata = catalogue.classMetadata(className);
  if (metadata === undefined) return values;
  const given = Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      metadata.attributes[name] === undefined ? [] : [[name, value ?? ''] as const],
    ),
  );
  return age === 'new' ? defaultAttributes(metadata, given) : given;
}

/** Joins a new instance to what it runs on and is reached with. */
function joinInstance(
  { store }: BomRequest,
  bom: ReleaseWriter,
  change: PlannedWrite,
  written: ReadonlyMap<string, StoredRecord>,
): void {
  const record = written.get(instanceKey(change.componentId, change.cloudId, numberOf(change.name)));
  if (record === undefined) return;
  for (const [manifestName, name] of [
    ['manifest.ManagedVia', 'bom.ManagedVia'],
    ['manifest.SecuredBy', 'bom.SecuredBy'],
  ] as const) {
    for (const relation of store.relations.from(change.componentId, manifestName, 'committed')) {
      const target = targetOf(store, written, change, { componentId: relation.toId, namespace: record.namespace });
      if (target !== undefined) bom.addRelation({ namespace: record.namespace, name, fromId: record.id, toId: target });
    }
  }
}

/** The instance of a component an instance belongs to: of the same cloud and number, or the only one there is. */
function targetOf(
  store: Store,
  written: ReadonlyMap<string, StoredRecord>,
  change: PlannedWrite,
  { componentId, namespace }: { readonly componentId: number; readonly namespace: string },
): number | undefined {
  const component = store.records.byId(componentId, 'committed');
  for (const number of [numberOf(change.name), '1']) {
    const fresh = written.get(instanceKey(componentId, change.cloudId, number));
    if (fresh !== undefined) return fresh.id;
    const name = `${component?.name ?? ''}-${change.cloudId}-${number}`;
    const known =
      component === undefined ? undefined : store.records.byName(namespace, classIn('bom', component.className), name);
    if (known !== undefined) return known.id;
  }
  return undefined;
}

function instanceKey(componentId: number, cloudId: number, number: string): string {
  return `${componentId} ${cloudId} ${number}`;
}

function numberOf(name: string): string {
  return name.slice(name.lastIndexOf('-') + 1);
}
