// How a platform is born from its pack, and how it follows the pack to another version (service-facts §4.5.1, §12.1).
import { defaultAttributes } from '../../api/contract';
import { knownClass } from '../attributes';
import { type Catalogue, type Pack, requiredTemplates } from '../catalogue';
import { seal } from '../secrets';
import { isLeaving, type NewRecord, type StoredRecord } from '../store';
import { addComponent, connect, madeFrom, type Making, templateOf, templateValues } from './from-template';
import { type Design, type DesignPlatform, IMPLEMENTATION, insideOf } from './place';

/** The pack version a platform names. */
export function packOfPlatform(catalogue: Catalogue, values: StoredRecord['values']): Pack | undefined {
  return catalogue.pack(values['source'] ?? '', values['pack'] ?? '', values['version'] ?? '');
}

/** Local variables of the pack that the platform does not have. */
function addVariables({ stage, store, catalogue }: Making, place: DesignPlatform, pack: Pack): void {
  const metadata = knownClass(catalogue, 'catalog.Localvar');
  for (const variable of pack.variables) {
    if (store.records.byName(place.inside, 'catalog.Localvar', variable.name) !== undefined) continue;
    const given = variable.secure
      ? { secure: 'true', encrypted_value: seal(variable.value) }
      : { value: variable.value };
    const record = stage.add({
      namespace: place.inside,
      className: 'catalog.Localvar',
      name: variable.name,
      impl: IMPLEMENTATION,
      values: defaultAttributes(metadata, given),
      comments: '',
    });
    stage.addRelation({
      namespace: place.inside,
      name: 'catalog.ValueFor',
      fromId: record.id,
      toId: place.platform.id,
    });
  }
}

/** What the pack requires and the platform lacks: required components, variables, dependencies. */
function complete(making: Making, place: DesignPlatform, pack: Pack): void {
  const { store, catalogue } = making;
  for (const template of requiredTemplates(pack, 'design')) {
    if (madeFrom(store, place.platform, template.name).length > 0) continue;
    addComponent(making, place, template, {
      name: template.name,
      values: templateValues(catalogue, template),
    });
  }
  addVariables(making, place, pack);
  connect(making, place, pack);
}

/** A new platform with everything its pack gives it, in one stage. */
export function makePlatform(
  making: Making,
  design: Design,
  record: Omit<NewRecord, 'namespace' | 'className'>,
  pack: Pack,
): StoredRecord {
  const { stage } = making;
  const platform = stage.add({
    ...record,
    namespace: design.namespace,
    className: 'catalog.Platform',
    impl: IMPLEMENTATION,
  });
  stage.addRelation({
    namespace: design.namespace,
    name: 'base.ComposedOf',
    fromId: design.assembly.id,
    toId: platform.id,
  });
  complete(making, { ...design, platform, inside: insideOf(design, platform.name) }, pack);
  return platform;
}

/**
 * Takes a platform to another version of its pack: what the new version adds is added, and attributes nobody owns that still hold the old
 * default get the new one (service-facts §2.1.5). Nothing is removed.
 */
export function updatePack(making: Making, place: DesignPlatform, former: Pack | undefined, pack: Pack): void {
  const { stage, store } = making;
  stage.update(place.platform, { values: { version: pack.version, pack_digest: pack.digest } });
  const components = store.relations
    .from(place.platform.id, 'base.Requires')
    .filter((relation) => !isLeaving(relation))
    .flatMap((relation) => store.records.byId(relation.toId) ?? []);
  for (const component of components) {
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
  complete(making, place, pack);
}
