// Platforms and components come from a pack (service-facts §4.5.1, §4.5.2, §12.1).
import { defaultAttributes, registeredClass } from '../../api/contract';
import { knownClass, sealedValues } from '../runtime/attributes';
import type { Context } from '../runtime/handler';
import { seal } from '../runtime/secrets';
import {
  type Catalogue,
  edgeAttributes,
  edges,
  type Pack,
  type PackTemplate,
  requiredTemplates,
  requirementOf,
  templates,
} from '../catalogue';
import {
  type AttributeLocks,
  follow,
  type NewRecord,
  type ReleaseWriter,
  type Store,
  type StoredRecord,
  type StoredRelation,
  type Values,
} from '../store';
import { type Design, type DesignPlatform, IMPLEMENTATION, insideOf, localVariables } from './place';

export const componentClass = (template: PackTemplate): string => registeredClass('catalog', template.class);

/** Values of an untouched component: class defaults, the template's values, sealed secrets. */
export function templateValues(catalogue: Catalogue, template: PackTemplate): Values {
  const metadata = knownClass(catalogue, componentClass(template));
  const values = defaultAttributes(metadata, template.defaults);
  return sealedValues(metadata, values);
}

/** The design template of a name; undefined, too, where the catalogue lost the pack. */
export const designTemplate = (pack: Pack | undefined, name: string): PackTemplate | undefined =>
  pack && templates(pack, 'design').find((template) => template.name === name);

const requirements = (store: Store, platform: StoredRecord): StoredRelation[] =>
  store.relations.from(platform.id, 'base.Requires', 'staying');

/** Ids of a platform's components that were made from a template and stay. */
export function madeFrom(store: Store, platform: StoredRecord, template: string): number[] {
  return requirements(store, platform)
    .filter((relation) => relation.values['template'] === template)
    .map((relation) => relation.toId);
}

/** The template of a component; undefined for a component that is being deleted. */
export function templateOf(store: Store, component: StoredRecord): string | undefined {
  return store.relations.to(component.id, 'base.Requires', 'staying')[0]?.values['template'] ?? undefined;
}

type Making = Pick<Context, 'store' | 'catalogue'>;

/** A new component with its relation to the platform and its monitors, without DependsOn. */
export function addComponent(
  { catalogue }: Pick<Making, 'catalogue'>,
  stage: ReleaseWriter,
  place: DesignPlatform,
  template: PackTemplate,
  component: {
    readonly name: string;
    readonly values: Values;
    readonly owners?: AttributeLocks;
    readonly comments?: string;
  },
): StoredRecord {
  const { inside, platform } = place;
  const record = stage.addTied(
    { namespace: inside, className: componentClass(template), impl: IMPLEMENTATION, comments: '', ...component },
    { name: 'base.Requires', from: platform.id, values: requirementOf(template) },
  );
  for (const [name, values] of Object.entries(template.monitors)) {
    const className = 'catalog.Monitor';
    const monitor = {
      name: `${platform.name}-${record.name}-${name}`,
      values: defaultAttributes(knownClass(catalogue, className), values),
    };
    const tie = { name: 'catalog.WatchedBy', from: record.id };
    stage.addTied({ namespace: inside, className, ...monitor, comments: '' }, tie);
  }
  return record;
}

/** Adds the pack's DependsOn relations between components that do not have them yet. */
export function connect(
  { store }: Pick<Making, 'store'>,
  stage: ReleaseWriter,
  place: DesignPlatform,
  pack: Pack,
): void {
  const byTemplate = Map.groupBy(requirements(store, place.platform), ({ values }) => values['template'] ?? '');
  for (const edge of edges(pack, 'design')) {
    for (const { toId: fromId } of byTemplate.get(edge.from) ?? []) {
      const known = store.relations.from(fromId, 'catalog.DependsOn', 'staying');
      for (const { toId } of byTemplate.get(edge.to) ?? []) {
        if (fromId === toId || known.some((relation) => relation.toId === toId)) continue;
        const ends = { namespace: place.inside, name: 'catalog.DependsOn', fromId, toId };
        stage.addRelation({ ...ends, values: edgeAttributes(edge) });
      }
    }
  }
}

function addVariables({ store, catalogue }: Making, stage: ReleaseWriter, place: DesignPlatform, pack: Pack): void {
  const { namespace, className, tie } = localVariables(place);
  for (const { name, value, secure } of pack.variables) {
    if (store.records.byName(namespace, className, name) !== undefined) continue;
    const given = secure ? { secure: 'true', encrypted_value: seal(value) } : { value };
    const values = defaultAttributes(knownClass(catalogue, className), given);
    const record = { namespace, className, name, impl: IMPLEMENTATION, values, comments: '' };
    stage.addTied(record, tie);
  }
}

/** What the pack requires and the platform lacks: required components, variables, dependencies. */
function complete(making: Making, stage: ReleaseWriter, place: DesignPlatform, pack: Pack): void {
  for (const template of requiredTemplates(pack, 'design')) {
    if (madeFrom(making.store, place.platform, template.name).length > 0) continue;
    const { name } = template;
    addComponent(making, stage, place, template, { name, values: templateValues(making.catalogue, template) });
  }
  addVariables(making, stage, place, pack);
  connect(making, stage, place, pack);
}

/** A new platform with everything its pack gives it, in one stage. */
export function makePlatform(
  making: Making,
  stage: ReleaseWriter,
  design: Design,
  record: Omit<NewRecord, 'namespace' | 'className'>,
  pack: Pack,
): StoredRecord {
  const platform = stage.addTied(
    { ...record, namespace: design.namespace, className: 'catalog.Platform', impl: IMPLEMENTATION },
    { name: 'base.ComposedOf', from: design.assembly.id },
  );
  complete(making, stage, { ...design, platform, inside: insideOf(design, platform.name) }, pack);
  return platform;
}

/**
 * Takes a platform to another version of its pack: what the new version adds is added, and
 * attributes nobody owns that still hold the old default get the new one (service-facts §2.1.5).
 * Nothing is removed.
 */
export function updatePack(
  making: Making,
  stage: ReleaseWriter,
  place: DesignPlatform,
  former: Pack | undefined,
  pack: Pack,
): void {
  const { store } = making;
  stage.update(place.platform, { values: { version: pack.version, pack_digest: pack.digest } });
  for (const { record: component } of follow(store, place.platform.id, 'base.Requires', 'staying')) {
    const name = templateOf(store, component);
    const before = former?.templates.find((template) => template.name === name)?.defaults ?? {};
    const after = pack.templates.find((template) => template.name === name)?.defaults ?? {};
    const values = Object.fromEntries(
      Object.entries(after).filter(
        ([attribute]) =>
          component.owners[attribute] === undefined &&
          Object.hasOwn(component.values, attribute) &&
          component.values[attribute] === before[attribute],
      ),
    );
    stage.update(component, { values });
  }
  complete(making, stage, place, pack);
}
