// How components come from a pack's templates: their values, their place in the platform, what they depend on (service-facts §4.5.1, §4.5.2, §12.1).
import { defaultAttributes, registeredClass } from '../../api/contract';
import { knownClass } from '../attributes';
import { type Catalogue, edgeAttributes, edges, type Pack, type PackTemplate } from '../catalogue';
import { seal } from '../secrets';
import {
  isLeaving,
  type AttributeLocks,
  type ReleaseWriter,
  type Store,
  type StoredRecord,
  type StoredRelation,
  type Values,
} from '../store';
import { type DesignPlatform, IMPLEMENTATION } from './place';

/** Class of a template's components in a design. */
export const componentClass = (template: PackTemplate): string => registeredClass('catalog', template.class);

/** Values of a component that nobody wrote on: class defaults, the template's over them, secrets sealed. */
export function templateValues(catalogue: Catalogue, template: PackTemplate): Values {
  const metadata = knownClass(catalogue, componentClass(template));
  const values = defaultAttributes(metadata, template.defaults);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      metadata.attributes[name]?.encrypted === true ? seal(value) : value,
    ]),
  );
}

/** The Requires relations of a platform that stay, by template. */
function requirements(store: Store, platform: StoredRecord): StoredRelation[] {
  return store.relations.from(platform.id, 'base.Requires').filter((relation) => !isLeaving(relation));
}

/** Ids of a platform's components that were made from a template and stay. */
export function madeFrom(store: Store, platform: StoredRecord, template: string): number[] {
  return requirements(store, platform)
    .filter((relation) => relation.values['template'] === template)
    .map((relation) => relation.toId);
}

/** Name of the template a component was made from; undefined for a component that waits for its deletion's commit. */
export function templateOf(store: Store, component: StoredRecord): string | undefined {
  const relation = store.relations.to(component.id, 'base.Requires').find((each) => !isLeaving(each));
  return relation?.values['template'] ?? undefined;
}

/** What a design is written with. */
export interface Making {
  readonly stage: ReleaseWriter;
  readonly store: Store;
  readonly catalogue: Catalogue;
}

/** A new component with the relation that ties it to its platform, and its monitors. DependsOn comes with `connect`. */
export function addComponent(
  { stage, catalogue }: Pick<Making, 'stage' | 'catalogue'>,
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
  const record = stage.add({
    namespace: inside,
    className: componentClass(template),
    impl: IMPLEMENTATION,
    comments: '',
    ...component,
  });
  stage.addRelation({
    namespace: inside,
    name: 'base.Requires',
    fromId: platform.id,
    toId: record.id,
    values: {
      template: template.name,
      constraint: template.constraint,
      services: template.services.join(','),
      priority: '1',
      help: template.help,
    },
  });
  for (const [name, values] of Object.entries(template.monitors)) {
    const metadata = knownClass(catalogue, 'catalog.Monitor');
    const monitor = stage.add({
      namespace: inside,
      className: 'catalog.Monitor',
      name: `${platform.name}-${record.name}-${name}`,
      values: defaultAttributes(metadata, values),
      comments: '',
    });
    stage.addRelation({ namespace: inside, name: 'catalog.WatchedBy', fromId: record.id, toId: monitor.id });
  }
  return record;
}

/** Adds the DependsOn relations the pack has between components of the platform and that do not exist yet. */
export function connect({ stage, store }: Pick<Making, 'stage' | 'store'>, place: DesignPlatform, pack: Pack): void {
  const byTemplate = new Map<string, number[]>();
  for (const relation of requirements(store, place.platform)) {
    const template = relation.values['template'] ?? '';
    byTemplate.set(template, [...(byTemplate.get(template) ?? []), relation.toId]);
  }
  for (const edge of edges(pack, 'design')) {
    for (const fromId of byTemplate.get(edge.from) ?? []) {
      const known = store.relations.from(fromId, 'catalog.DependsOn').filter((relation) => !isLeaving(relation));
      for (const toId of byTemplate.get(edge.to) ?? []) {
        if (fromId === toId || known.some((relation) => relation.toId === toId)) continue;
        stage.addRelation({
          namespace: place.inside,
          name: 'catalog.DependsOn',
          fromId,
          toId,
          values: edgeAttributes(edge),
        });
      }
    }
  }
}
