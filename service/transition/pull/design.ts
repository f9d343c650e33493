// The committed design of an assembly, read as a whole: what a pull copies (service-facts §2.1.9, §4.7.2).
// It must not know environments, packs or manifests.
import type { Store, StoredRecord, StoredRelation, Values } from '../../store';

export interface DesignComponent {
  readonly record: StoredRecord;
  /** Template it was made from. */
  readonly template: string;
  /** Attributes of its Requires relation. */
  readonly requirement: Values;
  readonly attachments: readonly StoredRecord[];
  /** Dependencies a person made, on components of the same template. */
  readonly siblings: readonly { readonly componentId: number; readonly values: Values }[];
}

export interface DesignPlatform {
  readonly record: StoredRecord;
  /** Names of the platforms it links to. */
  readonly linksTo: readonly string[];
  readonly components: readonly DesignComponent[];
  readonly variables: readonly StoredRecord[];
}

export interface Design {
  readonly platforms: readonly DesignPlatform[];
  /** Variables of the assembly. */
  readonly variables: readonly StoredRecord[];
}

/** Reads what is committed below an assembly's namespace (`/<o>/<a>`); open changes are not seen. */
export function readDesign(store: Store, namespace: string): Design {
  const { records, relations } = store;
  const ends = (id: number, name: string): { readonly relation: StoredRelation; readonly record: StoredRecord }[] =>
    relations.from(id, name, 'committed').flatMap((relation) => {
      const record = records.byId(relation.toId, 'committed');
      return record === undefined ? [] : [{ relation, record }];
    });
  const component = (relation: StoredRelation, record: StoredRecord): DesignComponent => ({
    record,
    template: relation.values['template'] ?? '',
    requirement: relation.values,
    attachments: ends(record.id, 'catalog.EscortedBy').map((end) => end.record),
    siblings: relations
      .from(record.id, 'catalog.DependsOn', 'committed')
      .filter((each) => each.values['source'] === 'user')
      .map((each) => ({ componentId: each.toId, values: each.values })),
  });
  const platforms = records
    .list({ namespace, className: 'catalog.Platform' }, 'committed')
    .map((record): DesignPlatform => ({
      record,
      linksTo: ends(record.id, 'catalog.LinksTo').map((end) => end.record.name),
      components: ends(record.id, 'base.Requires').map((end) => component(end.relation, end.record)),
      variables: records.list(
        { namespace: `${namespace}/_design/${record.name}`, className: 'catalog.Localvar' },
        'committed',
      ),
    }));
  return { platforms, variables: records.list({ namespace, className: 'catalog.Globalvar' }, 'committed') };
}
