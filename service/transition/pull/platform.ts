// One platform of an environment brought to its blueprint: components, attachments, variables, relations (service-facts §4.7.2).
import type { StoredRecord, StoredRelation } from '../../store';
import { manifestComponents } from '../manifest';
import type { Blueprint, BlueprintComponent, BlueprintRecord } from './blueprint';
import type { ManifestWriter } from './writer';

type Named = Pick<BlueprintRecord, 'className' | 'name'>;

const same = (left: Named, right: Named): boolean => left.className === right.className && left.name === right.name;

/** Brings everything below a manifest platform to the blueprint. */
export function fillPlatform(writer: ManifestWriter, platform: StoredRecord, wanted: Blueprint): void {
  const present = manifestComponents(writer.store, platform);
  for (const { record } of present) {
    if (wanted.components.some((component) => same(component, record))) continue;
    attachmentsOf(writer, record).forEach(({ attachment }) => writer.remove(attachment));
    writer.remove(record);
  }
  const components = wanted.components.map((component) => {
    const known = present.find(({ record }) => same(component, record));
    const record = writer.record(platform.namespace, component, known?.record);
    const requires = { namespace: platform.namespace, name: 'manifest.Requires', fromId: platform.id, toId: record.id };
    writer.relation({ ...requires, values: component.requirement }, known?.requirement);
    fillAttachments(writer, platform, record, component);
    return record;
  });
  fillVariables(writer, platform, wanted.variables);
  fillRelations(writer, platform, wanted, components);
}

function attachmentsOf(
  writer: ManifestWriter,
  component: StoredRecord,
): { readonly attachment: StoredRecord; readonly relation: StoredRelation }[] {
  return writer.store.relations.from(component.id, 'manifest.EscortedBy').flatMap((relation) => {
    const attachment = writer.store.records.byId(relation.toId);
    return attachment === undefined ? [] : [{ attachment, relation }];
  });
}

function fillAttachments(
  writer: ManifestWriter,
  platform: StoredRecord,
  component: StoredRecord,
  wanted: BlueprintComponent,
): void {
  const present = attachmentsOf(writer, component);
  for (const { attachment } of present) {
    if (!wanted.attachments.some((each) => each.name === attachment.name)) writer.remove(attachment);
  }
  for (const each of wanted.attachments) {
    const known = present.find(({ attachment }) => attachment.name === each.name);
    const record = writer.record(platform.namespace, each, known?.attachment);
    writer.relation(
      { namespace: platform.namespace, name: 'manifest.EscortedBy', fromId: component.id, toId: record.id },
      known?.relation,
    );
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
