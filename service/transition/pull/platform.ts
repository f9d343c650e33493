// One platform of an environment brought to its blueprint: components, attachments, monitors, variables, relations (service-facts §4.7.2).
import type { StoredRecord, StoredRelation } from '../../store';
import { manifestComponents } from '../manifest';
import type { Blueprint, BlueprintRecord } from './blueprint';
import type { ManifestWriter } from './writer';

type Named = Pick<BlueprintRecord, 'className' | 'name'>;

const same = (left: Named, right: Named): boolean => left.className === right.className && left.name === right.name;

/** Brings everything below a manifest platform to the blueprint. */
export function fillPlatform(writer: ManifestWriter, platform: StoredRecord, wanted: Blueprint): void {
  const present = manifestComponents(writer.store, platform);
  for (const { record } of present) {
    if (wanted.components.some((component) => same(component, record))) continue;
    HELD.flatMap((name) => heldBy(writer, record, name)).forEach(({ held }) => writer.remove(held));
    writer.remove(record);
  }
  const components = wanted.components.map((component) => {
    const known = present.find(({ record }) => same(component, record));
    const record = writer.record(platform.namespace, component, known?.record);
    const requires = { namespace: platform.namespace, name: 'manifest.Requires', fromId: platform.id, toId: record.id };
    writer.relation({ ...requires, values: component.requirement }, known?.requirement);
    fillHeld(writer, { component: record, name: 'manifest.EscortedBy' }, component.attachments);
    fillHeld(writer, { component: record, name: 'manifest.WatchedBy' }, component.monitors);
    return record;
  });
  fillVariables(writer, platform, wanted.variables);
  fillRelations(writer, platform, wanted, components);
}

/** Relations from a component to what it contains: attachments, monitors. */
const HELD = ['manifest.EscortedBy', 'manifest.WatchedBy'] as const;

/** What a component holds by relations of a name. */
interface Holding {
  readonly component: StoredRecord;
  readonly name: (typeof HELD)[number];
}

function heldBy(
  writer: ManifestWriter,
  component: StoredRecord,
  name: Holding['name'],
): { readonly held: StoredRecord; readonly relation: StoredRelation }[] {
  return writer.store.relations.from(component.id, name).flatMap((relation) => {
    const held = writer.store.records.byId(relation.toId);
    return held === undefined ? [] : [{ held, relation }];
  });
}

function fillHeld(writer: ManifestWriter, { component, name }: Holding, wanted: readonly BlueprintRecord[]): void {
  const { namespace } = component;
  const present = heldBy(writer, component, name);
  for (const { held } of present) if (!wanted.some((each) => each.name === held.name)) writer.remove(held);
  for (const each of wanted) {
    const known = present.find(({ held }) => held.name === each.name);
    const record = writer.record(namespace, each, known?.held);
    writer.relation({ namespace, name, fromId: component.id, toId: record.id }, known?.relation);
  }
}

function fillVariables(writer: ManifestWriter, platform: StoredRecord, wanted: readonly BlueprintRecord[]): void {
  followVariables(writer, { namespace: platform.namespace, className: 'manifest.Localvar' }, platform, wanted);
}

/** Variables of one scope: those of the design added or followed, the rest removed. `owner` is what they are the values for. */
export function followVariables(
  writer: ManifestWriter,
  { namespace, className }: { readonly namespace: string; readonly className: string },
  owner: StoredRecord,
  wanted: readonly BlueprintRecord[],
): void {
  const present = writer.store.records.list({ namespace, className });
  present.filter((record) => !wanted.some((each) => each.name === record.name)).forEach(writer.remove);
  for (const each of wanted) {
    const known = present.find((record) => record.name === each.name);
    const record = writer.record(namespace, each, known);
    const [relation] = known === undefined ? [] : writer.store.relations.from(record.id, 'manifest.ValueFor');
    writer.relation({ namespace, name: 'manifest.ValueFor', fromId: record.id, toId: owner.id }, relation);
  }
}

function fillRelations(
  writer: ManifestWriter,
  platform: StoredRecord,
  wanted: Blueprint,
  components: readonly StoredRecord[],
): void {
  const { store } = writer;
  const { namespace } = platform;
  const idOf = (place: number): number => components[place]?.id ?? 0;
  const edges = wanted.edges.map((edge) => ({
    namespace,
    name: edge.name,
    fromId: idOf(edge.from),
    toId: idOf(edge.to),
    values: edge.values,
  }));
  const entry = components[wanted.entrypoint];
  const relations = [
    ...edges,
    ...(entry === undefined
      ? []
      : [{ namespace, name: 'manifest.Entrypoint', fromId: platform.id, toId: entry.id, values: {} }]),
  ];
  const names = ['manifest.DependsOn', 'manifest.ManagedVia', 'manifest.SecuredBy', 'manifest.Entrypoint'];
  const present = names
    .flatMap((name) => store.relations.list(namespace, name))
    .filter((relation) => relation.change?.action !== 'delete');
  const key = (relation: Pick<StoredRelation, 'name' | 'fromId' | 'toId'>): string =>
    `${relation.name} ${relation.fromId} ${relation.toId}`;
  const known = new Map(present.map((relation) => [key(relation), relation]));
  const asked = new Set(relations.map(key));
  for (const relation of relations) writer.relation(relation, known.get(key(relation)));
  for (const relation of present) if (!asked.has(key(relation))) writer.removeRelation(relation);
}
