// A pull: the committed design copied into an environment's manifest, as changes of its open
// release (service-facts §4.7.2, §12a).
import {
  type Store,
  type StoredRecord,
  type StoredRelation,
  type Values,
  type WriteStamp,
  type NewRelation,
  follow,
  stage,
} from '../store';
import { type EnvironmentPlace, manifestPlatforms, platformNamespace, classIn } from './place';
import { defaultAttributes, registeredClass, type DialectRules } from '../../api/contract';
import { knownClass, sealedValues } from '../runtime/attributes';
import {
  type Catalogue,
  type Pack,
  edgeAttributes,
  edges,
  packOfPlatform,
  type PackTemplate,
  requiredTemplates,
  requirementOf,
  templates,
} from '../catalogue';
import { cloudLinks, linkPlatform, storedLink } from './links';
import { refused } from '../runtime/handler';

type Named = Pick<BlueprintRecord, 'className' | 'name'>;

const same = (left: Named, right: Named): boolean => left.className === right.className && left.name === right.name;

/** A record of the manifest with the relation that ties it to its place. */
interface Tied {
  readonly record: StoredRecord;
  readonly relation: StoredRelation | undefined;
}

/** Brings the records of one place to what is wanted there, and answers them in that order. */
function bring<W extends BlueprintRecord>(
  writer: ManifestWriter,
  present: readonly Tied[],
  wanted: readonly W[],
  namespace: string,
  tie: (id: number, wanted: W) => Omit<NewRelation, 'namespace'>,
): StoredRecord[] {
  for (const { record } of present) if (!wanted.some((each) => same(each, record))) writer.remove(record);
  return wanted.map((each) => {
    const known = present.find(({ record }) => same(each, record));
    const record = writer.record(namespace, each, known?.record);
    writer.relation({ namespace, ...tie(record.id, each) }, known?.relation);
    return record;
  });
}

/** What a component contains, and by which relations. */
const HELD = [
  ['attachments', 'manifest.EscortedBy'],
  ['monitors', 'manifest.WatchedBy'],
] as const;

/** Brings everything below a manifest platform to the blueprint. */
function fillPlatform(writer: ManifestWriter, platform: StoredRecord, wanted: Blueprint): void {
  const { store } = writer;
  const { namespace } = platform;
  const present = follow(store, platform.id, 'manifest.Requires');
  const departed = present.filter(({ record }) => !wanted.components.some((component) => same(component, record)));
  for (const { record } of departed)
    for (const [, name] of HELD) for (const held of follow(store, record.id, name)) writer.remove(held.record);
  const tie = { name: 'manifest.Requires', fromId: platform.id };
  const components = bring(writer, present, wanted.components, namespace, (toId, { requirement }) => {
    return { ...tie, toId, values: requirement };
  });
  for (const [place, { id: fromId }] of components.entries())
    for (const [what, name] of HELD) {
      const records = wanted.components[place]?.[what] ?? [];
      bring(writer, follow(store, fromId, name), records, namespace, (toId) => ({ name, fromId, toId }));
    }
  followVariables(writer, { namespace, className: 'manifest.Localvar' }, platform, wanted.variables);
  fillRelations(writer, platform, wanted, components);
}

/** Adds and changes variables of one scope, and removes the rest. `owner`: their scope. */
function followVariables(
  writer: ManifestWriter,
  { namespace, className }: { readonly namespace: string; readonly className: string },
  owner: StoredRecord,
  wanted: readonly BlueprintRecord[],
): void {
  const { records, relations } = writer.store;
  const name = 'manifest.ValueFor';
  const present = records
    .list({ namespace, className })
    .map((record) => ({ record, relation: relations.from(record.id, name)[0] }));
  bring(writer, present, wanted, namespace, (fromId) => ({ name, fromId, toId: owner.id }));
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
  const present = names.flatMap((name) => store.relations.list(namespace, name, 'staying'));
  const key = (relation: Pick<StoredRelation, 'name' | 'fromId' | 'toId'>): string =>
    `${relation.name} ${relation.fromId} ${relation.toId}`;
  const known = new Map(present.map((relation) => [key(relation), relation]));
  const asked = new Set(relations.map(key));
  for (const relation of relations) writer.relation(relation, known.get(key(relation)));
  for (const relation of present) if (!asked.has(key(relation))) writer.removeRelation(relation);
}

/** How long a pull takes, in ms at the usual speed. */
export const PULL_DURATION = 1500;

/** How a pull ended; `reason` is a sentence for `ERROR:MANIFEST:`. */
type PullOutcome = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** A pull: of which environment, by whom, and how available platforms are that are new there. */
export interface PullRequest {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly place: EnvironmentPlace;
  readonly availability: Availability;
  readonly author: WriteStamp;
}

/** Carries a pull out. Writes nothing when it fails. */
export function pullDesign(request: PullRequest): PullOutcome {
  const { store, catalogue, place, author } = request;
  if (store.releases.open(place.manifest) !== undefined) {
    return { ok: false, reason: 'a manifest release is open: commit or discard it first (6014)' };
  }
  const design = readDesign(store, place.design);
  const added = newPlatforms(
    store,
    place,
    design.platforms.map(({ record }) => record),
  );
  const unknown = strangeAvailability(request.availability, added, place.environment);
  if (unknown !== undefined) return { ok: false, reason: unknown };
  const packs = new Map(
    design.platforms.map((platform) => [platform.record.id, packOfPlatform(catalogue, platform.record.values)]),
  );
  const strange = design.platforms.find((platform) => packs.get(platform.record.id) === undefined);
  if (strange !== undefined) {
    return {
      ok: false,
      reason: `platform ${strange.record.name} is of a pack version that does not exist: ${family(strange.record).join(' ')} (6008)`,
    };
  }
  const writer = manifestWriter(store, place, author);
  const blocked = removeDeparted(writer, design);
  const pulled = design.platforms
    .filter((platform) => !blocked.has(identity(platform.record)))
    .flatMap((platform) => {
      const pack = packs.get(platform.record.id);
      return pack === undefined ? [] : [{ platform, record: pullPlatform(writer, request, platform, pack) }];
    });
  pullLinks(writer, pulled);
  const globals = design.variables.map((variable) => copied(variable, catalogue));
  followVariables(writer, { namespace: place.manifest, className: 'manifest.Globalvar' }, place.environment, globals);
  const release = writer.stage.release();
  const designed = store.releases.latest(place.design, ['closed']);
  if (release !== undefined)
    store.releases.describe(release.id, {
      description: `Pull design completed in ${PULL_DURATION} ms`,
      ...(designed === undefined ? {} : { parentId: designed.id }),
    });
  return { ok: true };
}

/** Committed design platforms an environment does not have yet. */
export function newPlatforms(
  store: Store,
  place: EnvironmentPlace,
  platforms: readonly StoredRecord[],
): StoredRecord[] {
  const known = new Set(manifestPlatforms(store, place).map(({ record }) => identity(record)));
  return platforms.filter((platform) => !known.has(identity(platform)));
}

/** What makes a manifest platform the one of a design platform: name and major version. */
function identity(platform: StoredRecord): string {
  return `${platform.name} ${platform.values['major_version'] ?? '1'}`;
}

/** What a pull cannot change in place: source, pack, version family. */
function family(platform: StoredRecord): [source: string, pack: string, version: string] {
  const { source, pack, version } = platform.values;
  return [source ?? '', pack ?? '', (version ?? '').split('.')[0] ?? ''];
}

/**
 * Removes platforms that left the design, and those whose pack changed under the same name. Answers
 * the identities of the latter: a first pull only deletes, the new platform comes once the old one
 * no longer exists (service-facts §12a).
 */
function removeDeparted(writer: ManifestWriter, design: CommittedDesign): ReadonlySet<string> {
  const wanted = new Map(design.platforms.map(({ record }) => [identity(record), record]));
  const blocked = new Set<string>();
  for (const { record } of manifestPlatforms(writer.store, writer.place)) {
    const match = wanted.get(identity(record));
    if (match !== undefined && family(match).join(' ') === family(record).join(' ')) continue;
    if (match !== undefined) blocked.add(identity(record));
    if (record.state !== 'pending_deletion') removePlatform(writer, record);
  }
  return blocked;
}

/** Removes a platform with everything in it. */
export function removePlatform(writer: ManifestWriter, platform: StoredRecord): void {
  const below = writer.store.records
    .list({ namespace: platform.namespace })
    .filter((record) => record.id !== platform.id);
  [...below, platform].forEach(writer.remove);
}

function pullPlatform(
  writer: ManifestWriter,
  request: PullRequest,
  design: CommittedPlatform,
  pack: Pack,
): StoredRecord {
  const { store, place } = writer;
  const known = manifestPlatforms(store, place).find(({ record }) => identity(record) === identity(design.record));
  const mode =
    known === undefined
      ? modeOf(wordFor(design.record, request.availability, place.environment))
      : modeOf(known.record.values['availability']);
  const namespace = platformNamespace(place, design.record.name, design.record.values['major_version'] ?? '1');
  const first = !manifestPlatforms(store, place).some(({ record }) => record.name === design.record.name);
  const wanted = platformRecord(request, design.record, pack, { availability: mode, is_active: String(first) });
  const platform = writer.record(namespace, wanted, known?.record);
  // The relation with the enabled flag is made with the platform, and never changed by a pull.
  if (known === undefined)
    writer.relation(
      {
        namespace: place.manifest,
        name: 'manifest.ComposedOf',
        fromId: place.environment.id,
        toId: platform.id,
        values: { enabled: 'true' },
      },
      undefined,
    );
  fillPlatform(writer, platform, blueprint(design, pack, mode, request.catalogue));
  for (const relation of cloudLinks(store, place.environment.id)) {
    const cloud = store.records.byId(relation.toId, 'committed');
    if (cloud !== undefined) linkPlatform(store, writer.stage, platform, { cloud, link: storedLink(relation.values) });
  }
  return platform;
}

function platformRecord({ catalogue }: PullRequest, design: StoredRecord, pack: Pack, own: Values): BlueprintRecord {
  const values = filled('manifest.Platform', { ...pack.platform, ...design.values, ...own }, catalogue);
  const designed = Object.fromEntries(Object.entries(design.values).filter(([name]) => Object.hasOwn(values, name)));
  return { className: 'manifest.Platform', name: design.name, impl: design.impl, values, designed };
}

/** Links between platforms as the design has them. */
function pullLinks(
  writer: ManifestWriter,
  pulled: readonly { readonly platform: CommittedPlatform; readonly record: StoredRecord }[],
): void {
  const byName = new Map(pulled.map(({ record }) => [record.name, record]));
  for (const { platform, record } of pulled) {
    const targets = platform.linksTo.flatMap((name) => byName.get(name)?.id ?? []);
    writer.stage.relateTo({ namespace: writer.place.manifest, name: 'manifest.LinksTo', fromId: record.id }, targets);
  }
}

// The committed design of an assembly as a pull reads it, and the blueprint of what each platform
// of it becomes (service-facts §2.1.9, §4.7.2).

interface DesignComponent {
  readonly record: StoredRecord;
  readonly template: string;
  /** Attributes of its Requires relation. */
  readonly requirement: Values;
  readonly attachments: readonly StoredRecord[];
  readonly monitors: readonly StoredRecord[];
  /** Dependencies a person made, on components of the same template. */
  readonly siblings: readonly { readonly componentId: number; readonly values: Values }[];
}

interface CommittedPlatform {
  readonly record: StoredRecord;
  /** Names of the platforms it links to. */
  readonly linksTo: readonly string[];
  readonly components: readonly DesignComponent[];
  readonly variables: readonly StoredRecord[];
}

interface CommittedDesign {
  readonly platforms: readonly CommittedPlatform[];
  readonly variables: readonly StoredRecord[];
}

/** The committed design below an assembly's namespace (`/<o>/<a>`). */
function readDesign(store: Store, namespace: string): CommittedDesign {
  const { records, relations } = store;
  const ends = (id: number, name: string) => follow(store, id, name, 'committed');
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
interface BlueprintRecord {
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

interface Blueprint {
  readonly components: readonly BlueprintComponent[];
  readonly edges: readonly BlueprintEdge[];
  readonly variables: readonly BlueprintRecord[];
  /** Place of the component the platform is reached by; -1 when the mode has none. */
  readonly entrypoint: number;
}

/**
 * The manifest of a platform in a mode. Components whose template does not exist in the mode are
 * left out; required templates that exist only outside the design are added.
 */
function blueprint(design: CommittedPlatform, pack: Pack, mode: Mode, catalogue: Catalogue): Blueprint {
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

/** A design record in the manifest: the class of the same tail, with its defaults. */
function copied(record: StoredRecord, catalogue: Catalogue): BlueprintRecord {
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

/** Services of a component, in place of the template's (service-facts §4.5.2). */
function ownServices({ requirement }: DesignComponent): Values {
  const services = requirement['services'];
  return services === undefined || services === null ? {} : { services };
}

function fromTemplate(template: PackTemplate, platform: string, catalogue: Catalogue): BlueprintComponent {
  const className = registeredClass('manifest', template.class);
  const metadata = knownClass(catalogue, className);
  return {
    className,
    name: template.name,
    impl: null,
    values: sealedValues(metadata, defaultAttributes(metadata, template.defaults)),
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

function filled(className: string, values: Values, catalogue: Catalogue): Values {
  const given = Object.entries(values).map(([name, value]) => [name, value ?? ''] as const);
  return defaultAttributes(knownClass(catalogue, className), Object.fromEntries(given));
}

// Writing one environment's manifest from blueprints: what is missing is added, what follows the
// design updated, what left it removed.

type ManifestWriter = ReturnType<typeof manifestWriter>;

/** The writer for an environment. The first real difference opens its manifest release. */
export function manifestWriter(store: Store, place: EnvironmentPlace, author: WriteStamp) {
  const manifest = stage(store, place.manifest, author);
  const ownRelation = ({ namespace }: StoredRelation): boolean =>
    namespace === place.manifest || namespace.startsWith(`${place.manifest}/`);
  return {
    store,
    place,
    stage: manifest,
    /**
     * The record a blueprint requests, below `namespace`: `known` brought to the design where no
     * owner `manifest` locks the attribute (service-facts §2.1.5) and taken back from pending
     * deletion, or a new one.
     */
    record: (namespace: string, wanted: BlueprintRecord, known: StoredRecord | undefined): StoredRecord => {
      if (known === undefined) {
        const { className, name, impl, values } = wanted;
        return manifest.add({ namespace, className, name, impl, values });
      }
      if (known.state === 'pending_deletion') store.records.setState(known.id, 'default');
      return manifest.update(known, { values: unlocked(known, wanted.designed) });
    },
    /** The relation, added unless it exists; values of one that exists follow, locked ones stay. */
    relation: (wanted: NewRelation, known: StoredRelation | undefined): StoredRelation =>
      known === undefined
        ? manifest.addRelation(wanted)
        : manifest.updateRelation(known, { values: unlocked(known, wanted.values ?? {}) }),
    /**
     * Removes a record and its manifest relations; those to instances stay with the instances: they
     * may be of an undeployed bom release, and a retry makes those instances still.
     */
    remove: (record: StoredRecord): void => manifest.remove(record, {}, ownRelation),
    removeRelation: (relation: StoredRelation): void => manifest.removeRelation(relation),
  };
}

function unlocked(known: Pick<StoredRecord, 'owners'>, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => known.owners[name] !== 'manifest'));
}

// Which mode a platform runs in: what a body says of platforms by id or name, and what follows for
// each (service-facts §4.7.1 rule 3).

/** Design platform ciId or name → `single`, `redundant` or `default`. */
export type Availability = { readonly [platform: string]: string };

type Mode = 'single' | 'redundant';

export function committedPlatforms(store: Store, design: string): StoredRecord[] {
  return store.records.list({ namespace: design, className: 'catalog.Platform' }, 'committed');
}

const WORDS = ['single', 'redundant', 'default'];

const sentence = (platform: string, word: string): string =>
  `availability of platform ${platform} cannot be ${JSON.stringify(word)}: single, redundant or default`;

/**
 * Throws a RefusedRequest (422) for platforms that need an availability when nothing is said (any
 * non-empty map passes for all), and, where the dialect checks them before it writes, for unknown
 * words.
 */
export function checkAvailability(
  { rules }: { readonly rules: Pick<DialectRules, 'availabilityChecked'> },
  availability: Availability,
  needing: readonly StoredRecord[],
): void {
  const strange = Object.entries(availability).filter(([, word]) => !WORDS.includes(word));
  if (rules.availabilityChecked && strange.length > 0) throw refused(...strange.map((entry) => sentence(...entry)));
  if (needing.length > 0 && Object.keys(availability).length === 0)
    throw refused(`Specify platform availability for: ${needing.map((platform) => platform.name).join(', ')}`);
}

/** Why one of these platforms cannot be pulled: its availability is no such word. */
function strangeAvailability(
  availability: Availability,
  added: readonly StoredRecord[],
  environment: StoredRecord,
): string | undefined {
  const said = added.map((platform) => [platform.name, wordFor(platform, availability, environment)] as const);
  const strange = said.find(([, word]) => !WORDS.includes(word));
  return strange === undefined ? undefined : sentence(...strange);
}

/** The availability of a new platform: by id, by name, or the environment's. */
function wordFor(platform: StoredRecord, availability: Availability, environment: StoredRecord): string {
  const said = own(availability, String(platform.id)) ?? own(availability, platform.name) ?? 'default';
  return said === 'default' ? (environment.values['availability'] ?? 'default') : said;
}

/** The mode a stored availability stands for. */
export function modeOf(availability: string | null | undefined): Mode {
  return availability === 'redundant' ? 'redundant' : 'single';
}

function own(availability: Availability, key: string): string | undefined {
  return Object.hasOwn(availability, key) ? availability[key] : undefined;
}
