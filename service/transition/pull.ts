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
import { type EnvironmentPlace, manifestPlatforms, classIn } from './place';
import { defaultAttributes, registeredClass, type DialectRules } from '../../api/contract';
import { knownClass, sealedValues } from '../runtime/attributes';
import {
  type Catalogue,
  type Pack,
  edgeAttributes,
  edges,
  packOfPlatform,
  requiredTemplates,
  requirementOf,
  templates,
} from '../catalogue';
import { cloudLinks, linkPlatform, storedLink } from './links';
import type { Planning } from './planning';
import { refused } from '../runtime/handler';

/** How long a pull says that it took, in ms. */
const SAID_DURATION = 1500;

/** A pull: of which environment, by whom, and how available platforms are that are new there. */
export interface PullRequest extends Planning {
  readonly availability: Availability;
}

interface Pulling extends PullRequest {
  readonly writer: ManifestWriter;
  /** Platforms that the manifest had before. */
  readonly present: readonly StoredRecord[];
}

/** A committed platform of the design with the pack that it is of. */
interface DesignPlatform {
  readonly design: StoredRecord;
  readonly pack: Pack;
}

/** Carries a pull out, or answers why it failed: then nothing was written. */
export function pullDesign(request: PullRequest): string | undefined {
  const { store, catalogue, place, author } = request;
  if (store.releases.open(place.manifest) !== undefined)
    return 'a manifest release is open: commit or discard it first (6014)';
  const platforms = committedPlatforms(store, place.design);
  const unknown = strangeAvailability(request.availability, newPlatforms(store, place, platforms), place.environment);
  if (unknown !== undefined) return unknown;
  const designed = platforms.flatMap((design): DesignPlatform[] => {
    const pack = packOfPlatform(catalogue, design.values);
    return pack === undefined ? [] : [{ design, pack }];
  });
  const strange = platforms.find((platform) => !designed.some(({ design }) => design === platform));
  if (strange !== undefined)
    return `platform ${strange.name} is of a pack version that does not exist: ${family(strange).join(' ')} (6008)`;
  const writer = manifestWriter(store, place, author);
  const present = manifestPlatforms(store, place).map(({ record }) => record);
  const pulling = { ...request, writer, present };
  const blocked = removeDeparted(pulling, platforms);
  const pulled = designed
    .filter(({ design }) => !blocked.has(identity(design)))
    .map((platform) => ({ design: platform.design, record: pullPlatform(pulling, platform) }));
  pullLinks(writer, pulled);
  followVariables(pulling, 'Globalvar', { from: place.design, to: place.manifest, holder: place.environment });
  const release = writer.stage.release();
  const latest = store.releases.latest(place.design, ['closed']);
  if (release !== undefined)
    store.releases.describe(release.id, {
      description: `Pull design completed in ${SAID_DURATION} ms`,
      ...(latest === undefined ? {} : { parentId: latest.id }),
    });
  return undefined;
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
function removeDeparted({ writer, present }: Pulling, designed: readonly StoredRecord[]): ReadonlySet<string> {
  const wanted = new Map(designed.map((record) => [identity(record), record]));
  const blocked = new Set<string>();
  for (const record of present) {
    const match = wanted.get(identity(record));
    if (match !== undefined && family(match).join(' ') === family(record).join(' ')) continue;
    if (match !== undefined) blocked.add(identity(record));
    if (record.state !== 'pending_deletion') removePlatform(writer, record);
  }
  return blocked;
}

export function removePlatform(writer: ManifestWriter, platform: StoredRecord): void {
  const below = writer.store.records
    .list({ namespace: platform.namespace })
    .filter((record) => record.id !== platform.id);
  [...below, platform].forEach(writer.remove);
}

function pullPlatform(pulling: Pulling, platform: DesignPlatform): StoredRecord {
  const { store, place, availability, writer, present } = pulling;
  const { design } = platform;
  const known = present.find((record) => identity(record) === identity(design));
  const mode = modeOf(known ? known.values['availability'] : wordFor(design, availability, place.environment));
  const isActive = !present.some((record) => record.name === design.name);
  const namespace = `${place.manifest}/${design.name}/${design.values['major_version'] ?? '1'}`;
  const wanted = platformRecord(pulling, platform, { availability: mode, is_active: String(isActive) });
  const record = writer.record(namespace, wanted, known);
  // The relation with the enabled flag is made with the platform, and never changed by a pull.
  if (known === undefined)
    writer.stage.addRelation({
      namespace: place.manifest,
      name: 'manifest.ComposedOf',
      fromId: place.environment.id,
      toId: record.id,
      values: { enabled: 'true' },
    });
  fillPlatform(pulling, record, platform, mode);
  for (const relation of cloudLinks(store, place.environment.id)) {
    const cloud = store.records.byId(relation.toId, 'committed');
    if (cloud !== undefined) linkPlatform(store, writer.stage, record, { cloud, link: storedLink(relation.values) });
  }
  return record;
}

function platformRecord({ catalogue }: Pulling, { design, pack }: DesignPlatform, own: Values): Wanted {
  const values = filled('manifest.Platform', { ...pack.platform, ...design.values, ...own }, catalogue);
  const designed = Object.fromEntries(Object.entries(design.values).filter(([name]) => Object.hasOwn(values, name)));
  return { className: 'manifest.Platform', name: design.name, impl: design.impl, values, designed };
}

/** Links between platforms as the design has them. */
function pullLinks(
  { store, place, stage }: ManifestWriter,
  pulled: readonly { readonly design: StoredRecord; readonly record: StoredRecord }[],
): void {
  const byName = new Map(pulled.map(({ record }) => [record.name, record.id]));
  for (const { design, record } of pulled) {
    const linked = follow(store, design.id, 'catalog.LinksTo', 'committed');
    const targets = linked.flatMap((end) => byName.get(end.record.name) ?? []);
    stage.relateTo({ namespace: place.manifest, name: 'manifest.LinksTo', fromId: record.id }, targets);
  }
}

/** A record as the manifest is to have it. */
interface Wanted {
  readonly className: string;
  readonly name: string;
  readonly impl: string | null;
  /** All attributes of a new record. */
  readonly values: Values;
  /** Those that follow the design: what a later pull writes. */
  readonly designed: Values;
}

interface WantedComponent extends Wanted {
  readonly template: string;
  /** Its number in the design; undefined for one that only the mode has. */
  readonly origin: number | undefined;
  /** Attributes of its Requires relation. */
  readonly requirement: Values;
  readonly attachments: readonly Wanted[];
  readonly monitors: readonly Wanted[];
}

/** A record of the manifest, and what is wanted of it. */
interface Brought<W> {
  readonly record: StoredRecord;
  readonly wanted: W;
}

const keyOf = ({ className, name }: Pick<Wanted, 'className' | 'name'>): string => `${className} ${name}`;

/**
 * Brings the records of one place to what is wanted there, and answers them in that order.
 * `present`: what is there, with the relation that ties each to its place.
 */
function bring<W extends Wanted>(
  writer: ManifestWriter,
  present: readonly { readonly record: StoredRecord; readonly relation: StoredRelation | undefined }[],
  wanted: readonly W[],
  namespace: string,
  tie: (id: number, wanted: W) => Omit<NewRelation, 'namespace'>,
  remove = writer.remove,
): Brought<W>[] {
  const asked = new Set(wanted.map(keyOf));
  const there = new Map(present.toReversed().map((each) => [keyOf(each.record), each]));
  for (const { record } of present) if (!asked.has(keyOf(record))) remove(record);
  return wanted.map((each) => {
    const known = there.get(keyOf(each));
    const record = writer.record(namespace, each, known?.record);
    writer.relation({ namespace, ...tie(record.id, each) }, known?.relation);
    return { record, wanted: each };
  });
}

/** What a component contains, and by which relations. */
const HELD = [
  ['attachments', 'manifest.EscortedBy'],
  ['monitors', 'manifest.WatchedBy'],
] as const;

/** Brings everything below a manifest platform to the design, in a mode of its pack. */
function fillPlatform(pulling: Pulling, platform: StoredRecord, designed: DesignPlatform, mode: Mode): void {
  const { store, place, writer } = pulling;
  const { namespace } = platform;
  const wanted = wantedComponents(pulling, designed, mode);
  const present = follow(store, platform.id, 'manifest.Requires');
  const tie = { name: 'manifest.Requires', fromId: platform.id };
  const tied = (toId: number, { requirement }: WantedComponent) => ({ ...tie, toId, values: requirement });
  const components = bring(writer, present, wanted, namespace, tied, (record) => {
    for (const [, name] of HELD) for (const held of follow(store, record.id, name)) writer.remove(held.record);
    writer.remove(record);
  });
  for (const component of components)
    for (const [what, name] of HELD) {
      const fromId = component.record.id;
      const records = component.wanted[what];
      bring(writer, follow(store, fromId, name), records, namespace, (toId) => ({ name, fromId, toId }));
    }
  const from = `${place.design}/_design/${designed.design.name}`;
  followVariables(pulling, 'Localvar', { from, to: namespace, holder: platform });
  fillRelations(writer, platform, wantedRelations(store, platform, designed.pack, mode, components));
}

/** Variables of one scope of the design in the manifest, where they are values for `holder`. */
function followVariables(
  { store, catalogue, writer }: Pulling,
  tail: 'Globalvar' | 'Localvar',
  { from, to, holder }: { readonly from: string; readonly to: string; readonly holder: StoredRecord },
): void {
  const { records, relations } = store;
  const name = 'manifest.ValueFor';
  const wanted = records.list({ namespace: from, className: `catalog.${tail}` }, 'committed');
  const present = records
    .list({ namespace: to, className: `manifest.${tail}` })
    .map((record) => ({ record, relation: relations.from(record.id, name)[0] }));
  const copies = wanted.map((variable) => copied(variable, catalogue));
  bring(writer, present, copies, to, (fromId) => ({ name, fromId, toId: holder.id }));
}

/** Relations between the components of a platform, and from it to the one it is reached by. */
function wantedRelations(
  { relations }: Store,
  platform: StoredRecord,
  pack: Pack,
  mode: Mode,
  components: readonly Brought<WantedComponent>[],
): Omit<NewRelation, 'namespace'>[] {
  const idsOf = (template: string): number[] =>
    components.filter(({ wanted }) => wanted.template === template).map(({ record }) => record.id);
  const between = (name: string, from: string, to: string | undefined, values: Values = {}) =>
    to === undefined ? [] : idsOf(from).flatMap((fromId) => idsOf(to).map((toId) => ({ name, fromId, toId, values })));
  // Dependencies that a person made, on components of the same template.
  const siblings = components.flatMap(({ record, wanted: { origin } }) =>
    (origin === undefined ? [] : relations.from(origin, 'catalog.DependsOn', 'committed'))
      .filter(({ values }) => values['source'] === 'user')
      .flatMap(({ toId, values }) =>
        components
          .filter(({ wanted }) => wanted.origin === toId)
          .map((target) => ({ name: 'manifest.DependsOn', fromId: record.id, toId: target.record.id, values })),
      ),
  );
  const entrypoints = idsOf(pack.entrypoint).slice(0, 1);
  return [
    ...edges(pack, mode).flatMap((edge) => between('manifest.DependsOn', edge.from, edge.to, edgeAttributes(edge))),
    ...siblings,
    ...templates(pack, mode).flatMap((template) => [
      ...between('manifest.ManagedVia', template.name, template.managedVia),
      ...between('manifest.SecuredBy', template.name, template.securedBy),
    ]),
    ...entrypoints.map((toId) => ({ name: 'manifest.Entrypoint', fromId: platform.id, toId, values: {} })),
  ];
}

function fillRelations(
  writer: ManifestWriter,
  { namespace }: StoredRecord,
  wanted: readonly Omit<NewRelation, 'namespace'>[],
): void {
  const names = ['manifest.DependsOn', 'manifest.ManagedVia', 'manifest.SecuredBy', 'manifest.Entrypoint'];
  const present = names.flatMap((name) => writer.store.relations.list(namespace, name, 'staying'));
  const key = ({ name, fromId, toId }: Pick<StoredRelation, 'name' | 'fromId' | 'toId'>): string =>
    `${name} ${fromId} ${toId}`;
  const known = new Map(present.map((relation) => [key(relation), relation]));
  const asked = new Set(wanted.map(key));
  for (const relation of wanted) writer.relation({ namespace, ...relation }, known.get(key(relation)));
  for (const relation of present) if (!asked.has(key(relation))) writer.stage.removeRelation(relation);
}

/**
 * The components of a platform in a mode. Those whose template does not exist in the mode are left
 * out; required templates that exist only outside the design are added.
 */
function wantedComponents(
  { store, catalogue }: Pulling,
  { design, pack }: DesignPlatform,
  mode: Mode,
): readonly WantedComponent[] {
  const available = new Map(templates(pack, mode).map((template) => [template.name, template]));
  const held = (record: StoredRecord, relation: string): Wanted[] =>
    follow(store, record.id, relation, 'committed').map((end) => copied(end.record, catalogue));
  const ofDesign = follow(store, design.id, 'base.Requires', 'committed').flatMap(
    ({ record, relation }): WantedComponent[] => {
      const template = available.get(relation.values['template'] ?? '');
      if (template === undefined) return [];
      const requirement = requirementOf(template);
      // Services of a component are in place of the template's (service-facts §4.5.2).
      const services = relation.values['services'] ?? requirement['services'] ?? '';
      return [
        {
          ...copied(record, catalogue),
          template: template.name,
          origin: record.id,
          requirement: { ...relation.values, ...requirement, services },
          attachments: held(record, 'catalog.EscortedBy'),
          monitors: held(record, 'catalog.WatchedBy'),
        },
      ];
    },
  );
  const ofMode = requiredTemplates(pack, mode)
    .filter((template) => !template.modes.includes('design'))
    .map((template): WantedComponent => ({
      ...fresh(registeredClass('manifest', template.class), template.name, template.defaults, catalogue),
      template: template.name,
      origin: undefined,
      requirement: requirementOf(template),
      attachments: [],
      monitors: Object.entries(template.monitors).map(([name, own]) =>
        fresh('manifest.Monitor', `${design.name}-${template.name}-${name}`, own, catalogue),
      ),
    }));
  return [...ofDesign, ...ofMode];
}

/** A design record in the manifest: the class of the same tail, with its defaults. */
function copied({ className: designed, name, impl, values }: StoredRecord, catalogue: Catalogue): Wanted {
  const className = classIn('manifest', designed);
  return { className, name, impl, values: filled(className, values, catalogue), designed: values };
}

/** A record that the design does not have. */
function fresh(
  className: string,
  name: string,
  own: { readonly [attribute: string]: string },
  catalogue: Catalogue,
): Wanted {
  const metadata = knownClass(catalogue, className);
  return {
    className,
    name,
    impl: null,
    values: sealedValues(metadata, defaultAttributes(metadata, own)),
    designed: {},
  };
}

function filled(className: string, values: Values, catalogue: Catalogue): Values {
  const given = Object.entries(values).map(([name, value]) => [name, value ?? ''] as const);
  return defaultAttributes(knownClass(catalogue, className), Object.fromEntries(given));
}

// Writing one environment's manifest: what is missing is added, what follows the design updated,
// what left it removed.

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
     * The record that is wanted, below `namespace`: `known` brought to the design where no
     * owner `manifest` locks the attribute (service-facts §2.1.5) and taken back from pending
     * deletion, or a new one.
     */
    record: (namespace: string, wanted: Wanted, known: StoredRecord | undefined): StoredRecord => {
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
    remove: (record: StoredRecord): void => manifest.remove(record, ownRelation),
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
