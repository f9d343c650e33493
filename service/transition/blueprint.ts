// The committed design of an assembly as a pull reads it, and the blueprint of what each platform of it becomes (service-facts §2.1.9, §4.7.2).
// How blueprints are written: pull.ts and manifest-writer.ts.
import { defaultAttributes, registeredClass } from '../../api/contract';
import { knownClass } from '../runtime/attributes';
import { seal } from '../runtime/secrets';
import {
  type Catalogue,
  edgeAttributes,
  edges,
  type Pack,
  type PackTemplate,
  requiredTemplates,
  templates,
} from '../catalogue';
import type { Store, StoredRecord, StoredRelation, Values } from '../store';
import type { Mode } from './availability';
import { classIn } from './place';

interface DesignComponent {
  readonly record: StoredRecord;
  /** Template it was made from. */
  readonly template: string;
  /** Attributes of its Requires relation. */
  readonly requirement: Values;
  readonly attachments: readonly StoredRecord[];
  readonly monitors: readonly StoredRecord[];
  /** Dependencies a person made, on components of the same template. */
  readonly siblings: readonly { readonly componentId: number; readonly values: Values }[];
}

export interface CommittedPlatform {
  readonly record: StoredRecord;
  /** Names of the platforms it links to. */
  readonly linksTo: readonly string[];
  readonly components: readonly DesignComponent[];
  readonly variables: readonly StoredRecord[];
}

export interface CommittedDesign {
  readonly platforms: readonly CommittedPlatform[];
  /** Variables of the assembly. */
  readonly variables: readonly StoredRecord[];
}

/** Reads what is committed below an assembly's namespace (`/<o>/<a>`); open changes are not seen. */
export function readDesign(store: Store, namespace: string): CommittedDesign {
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
    monitors: ends(record.id, 'catalog.WatchedBy').map((end) => end.record),
    siblings: relations
      .from(record.id, 'catalog.DependsOn', 'committed')
      .filter((each) => each.values['source'] === 'user')
      .map((each) => ({ componentId: each.toId, values: each.values })),
  });
  const platforms = records
    .list({ namespace, className: 'catalog.Platform' }, 'committed')
    .map((record): CommittedPlatform => ({
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

/** A record the manifest holds, with values for a new one. */
export interface BlueprintRecord {
  readonly className: string;
  readonly name: string;
  readonly impl: string | null;
  /** All attributes of a new record. */
  readonly values: Values;
  /** Those that follow the design: what a later pull writes. */
  readonly designed: Values;
}

interface BlueprintComponent extends BlueprintRecord {
  /** Attributes of its Requires relation. */
  readonly requirement: Values;
  readonly attachments: readonly BlueprintRecord[];
  readonly monitors: readonly BlueprintRecord[];
}

/** A relation between two components, by their places in the list of components. */
interface BlueprintEdge {
  readonly name: 'manifest.DependsOn' | 'manifest.ManagedVia' | 'manifest.SecuredBy';
  readonly from: number;
  readonly to: number;
  readonly values: Values;
}

export interface Blueprint {
  readonly components: readonly BlueprintComponent[];
  readonly edges: readonly BlueprintEdge[];
  readonly variables: readonly BlueprintRecord[];
  /** Place of the component the platform is reached by; -1 when the mode has none. */
  readonly entrypoint: number;
}

/**
 * The manifest of a platform in a mode. Components whose template does not exist in the mode are left out; required templates that exist
 * only outside the design are added.
 */
export function blueprint(design: CommittedPlatform, pack: Pack, mode: Mode, catalogue: Catalogue): Blueprint {
  const available = new Map(templates(pack, mode).map((template) => [template.name, template]));
  const kept = design.components.filter((component) => available.has(component.template));
  const added = requiredTemplates(pack, mode).filter((template) => !template.modes.includes('design'));
  const components = [
    ...kept.map((component) => fromDesign(component, available.get(component.template), catalogue)),
    ...added.map((template) => fromTemplate(template, design.record.name, catalogue)),
  ];
  const templateOf = [...kept.map((component) => component.template), ...added.map((template) => template.name)];
  const placesOf = (template: string): number[] =>
    templateOf.flatMap((each, place) => (each === template ? [place] : []));
  const between = (
    name: BlueprintEdge['name'],
    from: string,
    to: string | undefined,
    values: Values,
  ): BlueprintEdge[] =>
    to === undefined
      ? []
      : placesOf(from).flatMap((source) => placesOf(to).map((target) => ({ name, from: source, to: target, values })));
  const siblings = kept.flatMap((component, place) =>
    component.siblings.flatMap(({ componentId, values }): BlueprintEdge[] => {
      const to = kept.findIndex((other) => other.record.id === componentId);
      return to === -1 ? [] : [{ name: 'manifest.DependsOn', from: place, to, values }];
    }),
  );
  return {
    components,
    edges: [
      ...edges(pack, mode).flatMap((edge) => between('manifest.DependsOn', edge.from, edge.to, edgeAttributes(edge))),
      ...siblings,
      ...[...available.values()].flatMap((template) => [
        ...between('manifest.ManagedVia', template.name, template.managedVia, {}),
        ...between('manifest.SecuredBy', template.name, template.securedBy, {}),
      ]),
    ],
    variables: design.variables.map((variable) => copied(variable, catalogue)),
    entrypoint: templateOf.indexOf(pack.entrypoint),
  };
}

/** A design record as the manifest contains it: the class of the same tail, its attributes over the class defaults. */
export function copied(record: StoredRecord, catalogue: Catalogue): BlueprintRecord {
  const className = classIn('manifest', record.className);
  return {
    className,
    name: record.name,
    impl: record.impl,
    values: filled(className, record.values, catalogue),
    designed: record.values,
  };
}

function fromDesign(
  component: DesignComponent,
  template: PackTemplate | undefined,
  catalogue: Catalogue,
): BlueprintComponent {
  return {
    ...copied(component.record, catalogue),
    requirement:
      template === undefined
        ? component.requirement
        : { ...component.requirement, ...requirementOf(template), ...ownServices(component) },
    attachments: component.attachments.map((attachment) => copied(attachment, catalogue)),
    monitors: component.monitors.map((monitor) => copied(monitor, catalogue)),
  };
}

/** Services a person set on the component count instead of the template's (service-facts §4.5.2 update_services). */
function ownServices({ requirement }: DesignComponent): Values {
  const services = requirement['services'];
  return services === undefined || services === null ? {} : { services };
}

function fromTemplate(template: PackTemplate, platform: string, catalogue: Catalogue): BlueprintComponent {
  const className = registeredClass('manifest', template.class);
  const metadata = knownClass(catalogue, className);
  const values = Object.fromEntries(
    Object.entries(defaultAttributes(metadata, template.defaults)).map(([name, value]) => [
      name,
      metadata.attributes[name]?.encrypted === true ? seal(value) : value,
    ]),
  );
  return {
    className,
    name: template.name,
    impl: null,
    values,
    designed: {},
    requirement: requirementOf(template),
    attachments: [],
    monitors: Object.entries(template.monitors).map(([name, own]) =>
      monitorOf(`${platform}-${template.name}-${name}`, own, catalogue),
    ),
  };
}

/** A monitor that only an environment has, since the design lacks its component. */
function monitorOf(name: string, own: PackTemplate['monitors'][string], catalogue: Catalogue): BlueprintRecord {
  const className = 'manifest.Monitor';
  return {
    className,
    name,
    impl: null,
    values: defaultAttributes(knownClass(catalogue, className), own),
    designed: {},
  };
}

function requirementOf(template: PackTemplate): Values {
  return {
    template: template.name,
    constraint: template.constraint,
    services: template.services.join(','),
    priority: '1',
    help: template.help,
  };
}

function filled(className: string, values: Values, catalogue: Catalogue): Values {
  const given = Object.entries(values).map(([name, value]) => [name, value ?? ''] as const);
  return defaultAttributes(knownClass(catalogue, className), Object.fromEntries(given));
}
