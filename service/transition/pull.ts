// A pull: the committed design copied into an environment's manifest, as changes of its open release (service-facts §4.7.2, §12a).
import type { Store, StoredRecord, StoredRelation, Values, WriteStamp } from '../store';
import {
  type EnvironmentPlace,
  manifestComponents,
  type ManifestPlatform,
  manifestPlatforms,
  platformNamespace,
} from './place';
import {
  type Blueprint,
  blueprint,
  type BlueprintRecord,
  type CommittedDesign,
  type CommittedPlatform,
  copied,
  readDesign,
} from './blueprint';
import { type ManifestWriter, manifestWriter } from './manifest-writer';
import { defaultAttributes } from '../../api/contract';
import { knownClass } from '../runtime/attributes';
import type { Catalogue, Pack } from '../catalogue';
import { type Availability, modeFor, modeOf, strangeAvailability } from './availability';
import { cloudLinks, linkPlatform, storedLink } from './links';

type Named = Pick<BlueprintRecord, 'className' | 'name'>;

const same = (left: Named, right: Named): boolean => left.className === right.className && left.name === right.name;

/** Brings everything below a manifest platform to the blueprint. */
function fillPlatform(writer: ManifestWriter, platform: StoredRecord, wanted: Blueprint): void {
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
function followVariables(
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

/** Carries a pull out. Writes nothing when it fails: a release is open already, a platform's pack is not in the catalogue, or an availability is none. */
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
  const packs = new Map(design.platforms.map((platform) => [platform.record.id, packOf(platform.record, catalogue)]));
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

function packOf(platform: StoredRecord, catalogue: Catalogue): Pack | undefined {
  const { source, pack, version } = platform.values;
  return catalogue.pack(source ?? '', pack ?? '', version ?? '');
}

/**
 * Removes platforms that left the design, and those whose pack changed under the same name. Answers the identities of the latter: a first
 * pull only deletes, the new platform comes once the old one no longer exists (service-facts §12a).
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

function removePlatform(writer: ManifestWriter, platform: StoredRecord): void {
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
      ? modeFor(design.record, request.availability, place.environment)
      : modeOf(known.record.values['availability']);
  const namespace = platformNamespace(place, design.record.name, design.record.values['major_version'] ?? '1');
  const first = !manifestPlatforms(store, place).some(({ record }) => record.name === design.record.name);
  const wanted = platformRecord(request, design.record, pack, { availability: mode, is_active: String(first) });
  const platform = writer.record(namespace, wanted, known?.record);
  compose(writer, platform, known);
  fillPlatform(writer, platform, blueprint(design, pack, mode, request.catalogue));
  for (const relation of cloudLinks(store, place.environment.id)) {
    const cloud = store.records.byId(relation.toId, 'committed');
    if (cloud !== undefined) linkPlatform(store, writer.stage, platform, { cloud, link: storedLink(relation.values) });
  }
  return platform;
}

function platformRecord({ catalogue }: PullRequest, design: StoredRecord, pack: Pack, own: Values): BlueprintRecord {
  const given = Object.entries({ ...pack.platform, ...design.values, ...own }).map(
    ([name, value]) => [name, value ?? ''] as const,
  );
  const values = defaultAttributes(knownClass(catalogue, 'manifest.Platform'), Object.fromEntries(given));
  const designed = Object.fromEntries(Object.entries(design.values).filter(([name]) => Object.hasOwn(values, name)));
  return { className: 'manifest.Platform', name: design.name, impl: design.impl, values, designed };
}

/** The relation that holds whether the platform is enabled: born with it, never touched by a later pull. */
function compose(writer: ManifestWriter, platform: StoredRecord, known: ManifestPlatform | undefined): void {
  if (known !== undefined) return;
  const { manifest, environment } = writer.place;
  writer.relation(
    {
      namespace: manifest,
      name: 'manifest.ComposedOf',
      fromId: environment.id,
      toId: platform.id,
      values: { enabled: 'true' },
    },
    undefined,
  );
}

/** Links between platforms as the design has them. */
function pullLinks(
  writer: ManifestWriter,
  pulled: readonly { readonly platform: CommittedPlatform; readonly record: StoredRecord }[],
): void {
  const byName = new Map(pulled.map(({ record }) => [record.name, record]));
  for (const { platform, record } of pulled) {
    const targets = platform.linksTo.flatMap((name) => byName.get(name)?.id ?? []);
    const present = writer.store.relations.from(record.id, 'manifest.LinksTo');
    for (const relation of present) if (!targets.includes(relation.toId)) writer.removeRelation(relation);
    for (const toId of targets) {
      const known = present.find((relation) => relation.toId === toId);
      writer.relation({ namespace: writer.place.manifest, name: 'manifest.LinksTo', fromId: record.id, toId }, known);
    }
  }
}
