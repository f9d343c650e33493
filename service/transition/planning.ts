// The planner's input, quotas, and the plan as a release (service-facts §4.7.2, §7.4, §10.5).
import {
  instanceKey,
  NoPlan,
  type PlanCloud,
  type PlanComponent,
  type PlanEdge,
  type PlanInput,
  type PlanInstance,
  type PlannedChange,
  type PlannedWrite,
  type PlanPlatform,
  type PlanVariables,
} from '../plan';
import {
  follow,
  onceOf,
  type ReleaseWriter,
  stage,
  type Store,
  type StoredRecord,
  type StoredRelation,
  type StoredRelease,
  type Values,
  type WriteStamp,
} from '../store';
import { cloudLinks, storedLink } from './links';
import {
  classIn,
  type EnvironmentPlace,
  instancesNamespace,
  isEnabled,
  manifestComponents,
  type ManifestPlatform,
  manifestPlatforms,
  serviceTypesOf,
} from './place';
import { defaultAttributes } from '../../api/contract';
import type { Catalogue } from '../catalogue';

/** Of which environment something is planned or pulled, and for whom. */
export interface Planning {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly place: EnvironmentPlace;
  readonly author: WriteStamp;
}

/** Attribute of base.RealizedAs that contains what an instance was last made from. */
const DIGEST = 'manifest_digest';

/** The planner's input, a platform at a time. `exclude`: manifest platforms that stay. */
export function* readPlanInput(
  store: Store,
  place: EnvironmentPlace,
  exclude: ReadonlySet<number>,
): Generator<number, PlanInput | NoPlan, undefined> {
  const platforms = manifestPlatforms(store, place, 'committed').filter(({ record }) => !exclude.has(record.id));
  const cloudFacts = onceOf((id: number) => readCloud(store, id));
  const broken: string[] = [];
  const planned: PlanPlatform[] = [];
  const instances: PlanInstance[] = [];
  for (const platform of platforms) {
    const linked = cloudLinks(store, platform.record.id, 'committed').map((relation): PlanCloud => {
      const cloud = cloudFacts(relation.toId);
      const facts = linkFacts(relation.values);
      const where = `platform ${platform.record.name}: pct_scale and dpmt_order of cloud ${cloud.name}`;
      if (facts === undefined) broken.push(`${where} must be whole numbers`);
      return { ...cloud, ...(facts ?? FALLBACK) };
    });
    planned.push(readPlatform(store, platform, linked));
    const running = readInstances(store, place, platform.record);
    instances.push(...running);
    // An instance takes about a tenth of the time to read that an order takes.
    yield 1 + running.length / 10;
  }
  if (broken.length > 0) return new NoPlan(6016, broken.join('; '));
  return { platforms: planned, instances, variables: variablesIn(store, place.manifest, 'manifest.Globalvar') };
}

type LinkFacts = Pick<PlanCloud, 'priority' | 'deploymentOrder' | 'scale' | 'adminstatus'>;
type CloudFacts = Omit<PlanCloud, keyof LinkFacts>;

const FALLBACK: LinkFacts = { priority: '1', deploymentOrder: 1, scale: 100, adminstatus: 'active' };

/** Decimals are taken by `cloud_configuration` and fail here (service-facts §4.7.5). */
function linkFacts(values: Values): LinkFacts | undefined {
  const { priority, dpmt_order: order, pct_scale: scale, adminstatus } = storedLink(values);
  if (!/^-?\d+$/.test(order) || !/^\d+$/.test(scale)) return undefined;
  return { priority, deploymentOrder: Number(order), scale: Number(scale), adminstatus };
}

function readCloud(store: Store, id: number): CloudFacts {
  const cloud = store.records.byId(id, 'committed');
  const namespace = cloud === undefined ? '' : `${cloud.namespace}/${cloud.name}`;
  return {
    id,
    name: cloud?.name ?? String(id),
    services: serviceTypesOf(store, id),
    variables: variablesIn(store, namespace, 'account.Cloudvar'),
  };
}

function variablesIn(store: Store, namespace: string, className: string): PlanVariables {
  return Object.fromEntries(
    store.records.list({ namespace, className }, 'committed').map(({ name, values }) => {
      const secure = values['secure'] === 'true';
      return [name, (secure ? values['encrypted_value'] : values['value']) ?? ''];
    }),
  );
}

function readPlatform(store: Store, platform: ManifestPlatform, clouds: readonly PlanCloud[]): PlanPlatform {
  const { record } = platform;
  const { relations } = store;
  const components = manifestComponents(store, record, 'committed').map((component): PlanComponent => ({
    id: component.record.id,
    name: component.record.name,
    values: component.record.values,
    attached: attachedTo(store, component.record),
    services: component.services,
    pendingDeletion: component.record.state === 'pending_deletion',
  }));
  return {
    id: record.id,
    name: record.name,
    enabled: isEnabled(platform),
    pendingDeletion: record.state === 'pending_deletion',
    clouds,
    components,
    edges: [
      ...relations
        .list(record.namespace, 'manifest.DependsOn', 'committed')
        .map(({ fromId, toId, values }) => readEdge(fromId, toId, values)),
      // One key pair for all machines of a cloud.
      ...relations.list(record.namespace, 'manifest.SecuredBy', 'committed').map(({ fromId, toId }): PlanEdge => ({
        from: fromId,
        to: toId,
        flex: false,
        converge: true,
        current: 1,
        propagate: '',
        portion: 100,
      })),
    ],
    entrypoint: relations.from(record.id, 'manifest.Entrypoint', 'committed')[0]?.toId,
    linksTo: relations.from(record.id, 'manifest.LinksTo', 'committed').map((relation) => relation.toId),
    variables: variablesIn(store, record.namespace, 'manifest.Localvar'),
  };
}

function attachedTo(store: Store, component: StoredRecord): Values {
  const held = ['manifest.EscortedBy', 'manifest.WatchedBy'].flatMap((name) =>
    follow(store, component.id, name, 'committed'),
  );
  return Object.fromEntries(
    held.flatMap(({ record: { name, values } }) =>
      Object.entries(values).map(([attribute, value]) => [`${name}.${attribute}`, value]),
    ),
  );
}

function readEdge(from: number, to: number, values: Values): PlanEdge {
  const propagate = values['propagate_to'];
  const current = Number(values['current'] ?? '1');
  const portion = values['pct_dpmt'] ?? '';
  return {
    from,
    to,
    flex: values['flex'] === 'true',
    converge: values['converge'] === 'true',
    current: Number.isInteger(current) && current >= 0 ? current : 1,
    propagate: propagate === 'from' || propagate === 'to' || propagate === 'both' ? propagate : '',
    portion: /^\d+$/.test(portion) ? Number(portion) : 100,
  };
}

/** Hint of a manifest change for a deployment without differences (service-facts §4.7.5). */
export const TOUCH = 'touch';

function readInstances(store: Store, place: EnvironmentPlace, platform: StoredRecord): PlanInstance[] {
  const touches = new Map(
    manifestComponents(store, platform, 'committed').map(({ record: { id, lastChangeId } }) => [
      id,
      store.releases.recordChange(lastChangeId)?.hint === TOUCH ? String(lastChangeId) : undefined,
    ]),
  );
  return store.running(instancesNamespace(place, platform)).map(({ state, madeFrom, digest, ...instance }) => {
    const touch = touches.get(instance.componentId);
    // Whether the component was touched after the instance was last deployed.
    const isTouched = touch !== undefined && touch !== madeFrom;
    return { ...instance, platformId: platform.id, digest: isTouched ? '' : digest, replace: state === 'replace' };
  });
}

/** Quotas that can be counted early, by attribute: class of the instances, and their noun. */
const QUOTAS: readonly (readonly [attribute: string, className: string, noun: string])[] = [
  ['max_instances', 'Compute', 'machines'],
  ['max_keypairs', 'Keypair', 'key pairs'],
  ['max_secgroups', 'Secgroup', 'security groups'],
];

const isOf = (className: string, tail: string): boolean => className.endsWith(`.${tail}`);

/** Limit a cloud's compute service sets; undefined where none is set. */
function limitOf(store: Store, cloudId: number, attribute: string): number | undefined {
  const compute = store.relations
    .from(cloudId, 'base.Provides', 'committed')
    .find((relation) => relation.values['service'] === 'compute');
  const text = compute === undefined ? '' : (store.records.byId(compute.toId, 'committed')?.values[attribute] ?? '');
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Instances of a class that run on a cloud, of all assemblies. */
function runningOn(store: Store, cloudId: number, tail: string): number {
  const ids = store.relations.to(cloudId, 'base.DeployedTo', 'committed').map(({ fromId }) => fromId);
  return store.records.byIds(ids, 'committed').filter(({ className }) => isOf(className, tail)).length;
}

/** A sentence for the first quota that a plan breaks by adding; undefined: none. */
export function brokenQuota(store: Store, changes: readonly PlannedChange[]): string | undefined {
  for (const cloudId of new Set(changes.map((change) => change.cloudId))) {
    for (const [attribute, tail, noun] of QUOTAS) {
      const limit = limitOf(store, cloudId, attribute);
      if (limit === undefined) continue;
      const own = changes.filter(
        (change) =>
          change.cloudId === cloudId &&
          isOf(store.records.byId(change.componentId, 'committed')?.className ?? '', tail),
      );
      const added = own.filter(({ action }) => action === 'add').length;
      const removed = own.filter(({ action }) => action === 'delete').length;
      const wanted = runningOn(store, cloudId, tail) + added - removed;
      if (added > 0 && wanted > limit) {
        const cloud = store.records.byId(cloudId, 'committed')?.name ?? String(cloudId);
        return `cloud ${cloud} allows ${limit} ${noun}, the plan would have ${wanted} there`;
      }
    }
  }
  return undefined;
}

/** What the instances of a plan are made from, read once. */
function originsOf({ records, relations }: Store, changes: readonly PlannedChange[]) {
  const platforms = [...new Set(changes.map(({ platformId }) => platformId))];
  const components = [...new Set(changes.map(({ componentId }) => componentId))];
  // What the components run on and are reached with.
  const ties = ['ManagedVia', 'SecuredBy'].flatMap((tail) => relations.fromAny(components, `manifest.${tail}`));
  const ids = [...platforms, ...components, ...ties.map(({ toId }) => toId)];
  return { records: records.mapOf(ids, 'committed'), clouds: relations.fromAny(platforms, 'base.Consumes'), ties };
}

interface Writing extends Planning {
  readonly origins: ReturnType<typeof originsOf>;
}

/** Changes that are written in one slice. */
const AT_ONCE = 10;

/** Writes the open bom release of a plan, in slices. */
export function* writeBom(
  planning: Planning,
  changes: readonly PlannedChange[],
): Generator<number, StoredRelease, undefined> {
  const { store, place, author } = planning;
  // The manifest release that it deploys.
  const parentId = store.releases.latest(place.manifest, ['closed'])?.id ?? 0;
  const release = store.releases.begin(place.bom, author, { parentId });
  const bom = stage(store, place.bom, author);
  const written = new Map<string, StoredRecord>();
  const writing: Writing = { ...planning, origins: originsOf(store, changes) };
  for (const [index, change] of changes.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) yield AT_ONCE;
    if (change.action === 'delete') {
      const record = store.records.byId(change.instanceId);
      if (record !== undefined) bom.remove(record, { execOrder: change.execOrder });
    } else {
      written.set(instanceKey(change), writeInstance(writing, bom, change));
    }
  }
  for (const [index, change] of changes.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) yield AT_ONCE;
    if (change.action === 'add') joinInstance(writing, bom, change, written);
  }
  return store.releases.byId(release.id) ?? release;
}

function writeInstance(
  { store, catalogue, place, origins }: Writing,
  bom: ReleaseWriter,
  change: PlannedWrite,
): StoredRecord {
  const component = origins.records.get(change.componentId);
  const platform = origins.records.get(change.platformId);
  if (component === undefined || platform === undefined)
    throw new Error(`the plan names a component that is not there: ${change.componentId}`);
  const className = classIn('bom', component.className);
  const namespace = instancesNamespace(place, platform);
  const facts = { execOrder: change.execOrder };
  const carried = { last_manifest_rfc: String(component.lastChangeId), [DIGEST]: change.digest };
  if (change.instanceId === undefined) {
    const values = asInstance(catalogue, className, change.values, 'new');
    const record = bom.add({ namespace, className, name: change.name, impl: component.impl, values }, facts);
    const isUsed = ({ fromId, toId }: StoredRelation): boolean => fromId === platform.id && toId === change.cloudId;
    const priority = origins.clouds.find(isUsed)?.values['priority'] ?? '1';
    bom.addRelation({
      namespace,
      name: 'base.RealizedAs',
      fromId: component.id,
      toId: record.id,
      values: { ...carried, priority },
    });
    bom.addRelation({
      namespace,
      name: 'base.DeployedTo',
      fromId: record.id,
      toId: change.cloudId,
      values: { priority },
    });
    return record;
  }
  const record = store.records.byId(change.instanceId);
  if (record === undefined) throw new Error(`the plan names an instance that is not there: ${change.instanceId}`);
  const realized = store.relations.between(component.id, record.id, 'base.RealizedAs');
  if (realized !== undefined) bom.updateRelation(realized, { values: carried });
  const values = asInstance(catalogue, className, change.values, 'old');
  if (change.action === 'replace') return bom.replace(record, { values }, facts);
  const hint = change.cause === 'propagate' ? 'propagate' : null;
  const updated = bom.update(record, { values }, { ...facts, hint });
  // Nothing of its own changed: an attachment did, or a neighbour.
  return updated.change === undefined ? bom.touch(record, { ...facts, hint }) : updated;
}

/** Values of an instance: a new one has all attributes of its class, an old one the given ones. */
function asInstance(catalogue: Catalogue, className: string, values: Values, age: 'new' | 'old'): Values {
  const metadata = catalogue.classMetadata(className);
  if (metadata === undefined) return values;
  const given = Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      metadata.attributes[name] === undefined ? [] : [[name, value ?? ''] as const],
    ),
  );
  return age === 'new' ? defaultAttributes(metadata, given) : given;
}

/** Joins a new instance to what it runs on and is reached with. */
function joinInstance(
  { store, origins }: Writing,
  bom: ReleaseWriter,
  change: PlannedWrite,
  written: ReadonlyMap<string, StoredRecord>,
): void {
  const record = written.get(instanceKey(change));
  if (record === undefined) return;
  const { id: fromId, namespace } = record;
  for (const tie of origins.ties.filter((each) => each.fromId === change.componentId)) {
    const component = origins.records.get(tie.toId);
    const toId = component && instanceFor(store, change, component, { namespace, written });
    if (toId !== undefined) bom.addRelation({ namespace, name: tie.name.replace('manifest', 'bom'), fromId, toId });
  }
}

/** The instance of a component for another instance: of its cloud and number, or the only one. */
function instanceFor(
  store: Store,
  change: PlannedWrite,
  component: StoredRecord,
  { namespace, written }: { readonly namespace: string; readonly written: ReadonlyMap<string, StoredRecord> },
): number | undefined {
  for (const number of [/\d+$/.exec(change.name)?.[0], '1']) {
    const name = `${component.name}-${change.cloudId}-${number}`;
    const fresh = written.get(instanceKey({ componentId: component.id, name }));
    const known = fresh ?? store.records.byName(namespace, classIn('bom', component.className), name);
    if (known !== undefined) return known.id;
  }
  return undefined;
}
