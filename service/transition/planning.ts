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
  type DraftedChange,
  drafts,
  onceOf,
  type RelationChange,
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
  type Components,
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
    const components = manifestComponents(store, platform.record, 'committed');
    planned.push(readPlatform(store, platform, components, linked));
    const running = readInstances(store, place, platform.record, components);
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

function readPlatform(store: Store, platform: ManifestPlatform, own: Components, clouds: PlanCloud[]): PlanPlatform {
  const { record } = platform;
  const { relations } = store;
  const attached = attachedTo(store, own);
  const components = own.map(({ record: { id, name, values, state }, services }): PlanComponent => ({
    id,
    name,
    values,
    attached: attached[id] ?? {},
    services,
    pendingDeletion: state === 'pending_deletion',
  }));
  return {
    id: record.id,
    name: record.name,
    enabled: isEnabled(platform),
    pendingDeletion: record.state === 'pending_deletion',
    clouds,
    components,
    edges: [
      ...relations.list(record.namespace, 'manifest.DependsOn', 'committed').map(readEdge),
      // One key pair for all machines of a cloud.
      ...relations
        .list(record.namespace, 'manifest.SecuredBy', 'committed')
        .map((tie) => readEdge({ ...tie, values: { converge: 'true' } })),
    ],
    entrypoint: relations.from(record.id, 'manifest.Entrypoint', 'committed')[0]?.toId,
    linksTo: relations.from(record.id, 'manifest.LinksTo', 'committed').map((relation) => relation.toId),
    variables: variablesIn(store, record.namespace, 'manifest.Localvar'),
  };
}

/** Values of what is attached to each component, by its ciId. */
function attachedTo({ relations, records }: Store, components: Components) {
  const ids = components.map(({ record }) => record.id);
  const held = ['EscortedBy', 'WatchedBy'].flatMap((tail) => relations.fromAny(ids, `manifest.${tail}`));
  const far = held.map(({ toId }) => toId);
  const ends = records.mapOf(far, 'committed');
  const attached: { [id: number]: { [attribute: string]: string | null } } = {};
  for (const { fromId, toId } of held)
    for (const [attribute, value] of Object.entries(ends.get(toId)?.values ?? {}))
      (attached[fromId] ??= {})[`${ends.get(toId)?.name}.${attribute}`] = value;
  return attached;
}

function readEdge({ fromId: from, toId: to, values }: StoredRelation): PlanEdge {
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

function readInstances(store: Store, place: EnvironmentPlace, platform: StoredRecord, own: Components): PlanInstance[] {
  const changeIds = own.map(({ record }) => record.lastChangeId);
  const touches = new Map(store.releases.hinted(changeIds, TOUCH).map(({ recordId, id }) => [recordId, String(id)]));
  const running = store.running(instancesNamespace(place, platform));
  return running.map(({ id, name, componentId, cloudId, state, madeFrom, digest }) => {
    // Whether the component was touched after the instance was last deployed.
    const kept = [undefined, madeFrom].includes(touches.get(componentId)) ? digest : '';
    return { id, name, componentId, cloudId, platformId: platform.id, digest: kept, replace: state === 'replace' };
  });
}

/** Quotas that can be counted early, by attribute: class of the instances, and their noun. */
const QUOTAS: readonly (readonly [attribute: string, className: string, noun: string])[] = [
  ['max_instances', 'Compute', 'machines'],
  ['max_keypairs', 'Keypair', 'key pairs'],
  ['max_secgroups', 'Secgroup', 'security groups'],
];

const isOf = (className: string, tail: string): boolean => className.endsWith(`.${tail}`);

/** The values of a cloud's compute service. */
function computeOf(store: Store, cloudId: number): Values {
  const compute = store.relations
    .from(cloudId, 'base.Provides', 'committed')
    .find((relation) => relation.values['service'] === 'compute');
  return (compute && store.records.byId(compute.toId, 'committed')?.values) ?? {};
}

/** Instances of a class that run on a cloud, of all assemblies. */
function runningOn(store: Store, cloudId: number, tail: string): number {
  const ids = store.relations.to(cloudId, 'base.DeployedTo', 'committed').map(({ fromId }) => fromId);
  return store.records.byIds(ids, 'committed').filter(({ className }) => isOf(className, tail)).length;
}

/** A sentence for the first quota that a plan breaks by adding; undefined: none. */
export function brokenQuota(store: Store, changes: readonly PlannedChange[]): string | undefined {
  for (const cloudId of new Set(changes.map((change) => change.cloudId))) {
    const limits = computeOf(store, cloudId);
    for (const [attribute, tail, noun] of QUOTAS) {
      const limit = limits[attribute] ?? '';
      if (!/^\d+$/.test(limit)) continue;
      const own = changes.filter(
        (change) =>
          change.cloudId === cloudId &&
          isOf(store.records.byId(change.componentId, 'committed')?.className ?? '', tail),
      );
      const added = own.filter(({ action }) => action === 'add').length;
      const removed = own.filter(({ action }) => action === 'delete').length;
      const wanted = runningOn(store, cloudId, tail) + added - removed;
      if (added > 0 && wanted > Number(limit)) {
        const cloud = store.records.byId(cloudId, 'committed')?.name ?? String(cloudId);
        return `cloud ${cloud} allows ${Number(limit)} ${noun}, the plan would have ${wanted} there`;
      }
    }
  }
  return undefined;
}

/** What the instances of a plan are made from, read once. */
function originsOf({ store: { records, relations }, catalogue, place }: Planning, changes: readonly PlannedChange[]) {
  const platformOf = new Map(changes.map(({ componentId, platformId }) => [componentId, platformId]));
  const components = [...platformOf.keys()];
  const platforms = [...new Set(platformOf.values())];
  // What the components run on and are reached with.
  const ties = ['ManagedVia', 'SecuredBy'].flatMap((tail) => relations.fromAny(components, `manifest.${tail}`));
  const ids = [...platforms, ...components, ...ties.map(({ toId }) => toId)];
  const known = records.mapOf(ids, 'committed');
  const tiesOf = Map.groupBy(ties, ({ fromId }) => fromId);
  return {
    clouds: relations.fromAny(platforms, 'base.Consumes'),
    hasInstances: onceOf((namespace: string) => records.exists({ namespace }, 'committed')),
    ofComponent: onceOf((id: number) => {
      const component = known.get(id);
      const platform = known.get(platformOf.get(id) ?? 0);
      if (component === undefined || platform === undefined)
        throw new Error(`the plan names a component that is not there: ${id}`);
      const className = classIn('bom', component.className);
      const made = onceOf((values: Values) => madeOf(catalogue, className, values));
      const tied = (tiesOf.get(id) ?? []).flatMap(({ name, toId }) => {
        const other = known.get(toId);
        return other === undefined ? [] : [{ name: name.replace('manifest', 'bom'), other }];
      });
      return { component, namespace: instancesNamespace(place, platform), className, made, tied };
    }),
  };
}

/** Values of an instance: a new one has all attributes of its class, an old one the given ones. */
function madeOf(catalogue: Catalogue, className: string, values: Values) {
  const metadata = catalogue.classMetadata(className);
  if (metadata === undefined) return { new: values, old: values };
  const given = Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      metadata.attributes[name] === undefined ? [] : [[name, value ?? ''] as const],
    ),
  );
  return { new: defaultAttributes(metadata, given), old: given };
}

interface Drafting extends Planning {
  readonly origins: ReturnType<typeof originsOf>;
  readonly draft: ReturnType<typeof drafts>;
  /** ciIds of the instances that come. */
  readonly added: ReadonlyMap<string, number>;
}

/** Changes of a plan that are read and drafted together. */
const AT_ONCE = 25;

/** The changes of records and relations that a plan comes to, in parts. Nothing is stored. */
export function* bomParts(
  planning: Planning,
  release: StoredRelease,
  changes: readonly PlannedChange[],
): Generator<readonly DraftedChange[], void, undefined> {
  const draft = drafts(planning.store, { release, author: planning.author });
  const adds = changes.filter(({ action }) => action === 'add');
  const added = new Map(adds.map((change) => [instanceKey(change), draft.allocateId()]));
  const drafting: Drafting = { ...planning, draft, added, origins: originsOf(planning, changes) };
  // A relation of two instances that go is one change.
  const gone = new Set<number>();
  for (let at = 0; at < changes.length; at += AT_ONCE) yield partOf(drafting, changes.slice(at, at + AT_ONCE), gone);
}

function partOf(drafting: Drafting, changes: readonly PlannedChange[], gone: Set<number>): DraftedChange[] {
  const { draft, store } = drafting;
  const idsOf = (isDeleted: boolean): number[] =>
    changes.flatMap(({ action, instanceId = [] }) => ((action === 'delete') === isDeleted ? instanceId : []));
  const [going, written] = [idsOf(true), idsOf(false)];
  const instances = store.records.mapOf([...going, ...written], 'committed');
  const realized = new Map(store.relations.toAny(written, 'base.RealizedAs').map((each) => [each.toId, each]));
  const leaving = store.relations.atAny(going).filter(({ id }) => !gone.has(id));
  for (const { id } of leaving) gone.add(id);
  const drafted = changes.flatMap((change): DraftedChange[] => {
    const { instanceId = 0, execOrder } = change;
    if (change.action === 'add') return draftNew(drafting, change);
    const instance = instances.get(instanceId);
    if (change.action !== 'delete') return draftWritten(drafting, change, instance, realized.get(instanceId));
    // One that a person deleted in the meantime is gone already.
    return instance === undefined ? [] : [draft.records.remove(instance, { execOrder })];
  });
  return [...leaving.map((tie) => draft.relations.remove(tie)), ...drafted];
}

/** An instance that is updated or replaced. */
function draftWritten(
  drafting: Drafting,
  change: PlannedWrite,
  instance: StoredRecord | undefined,
  realized: StoredRelation | undefined,
): DraftedChange[] {
  if (instance === undefined) throw new Error(`the plan names an instance that is not there: ${change.instanceId}`);
  const { carried, made } = originOf(drafting, change);
  const { action, execOrder } = change;
  // Where nothing of its own changed, an attachment did, or a neighbour.
  const hint = change.cause === 'propagate' && action === 'update' ? 'propagate' : null;
  const record = drafting.draft.records.update(instance, made.old, { action, execOrder, hint });
  const relation = realized && drafting.draft.relations.update(realized, carried);
  return relation === undefined || Object.keys(relation.values).length === 0 ? [record] : [record, relation];
}

/** What an instance is made from. */
function originOf({ origins }: Drafting, change: PlannedWrite) {
  const origin = origins.ofComponent(change.componentId);
  const carried = { last_manifest_rfc: String(origin.component.lastChangeId), [DIGEST]: change.digest };
  return { ...origin, carried, made: origin.made(change.values) };
}

/** A new instance, joined to its component, its cloud, what it runs on and is reached with. */
function draftNew(drafting: Drafting, change: PlannedWrite): DraftedChange[] {
  const { draft, origins, added } = drafting;
  const { component, namespace, className, carried, made, tied } = originOf(drafting, change);
  const { name, execOrder, cloudId: cloud } = change;
  const id = added.get(instanceKey(change));
  const sent = { id, namespace, className, name, impl: component.impl, values: made.new };
  const record = draft.records.add(sent, { execOrder });
  const isUsed = ({ fromId, toId }: StoredRelation): boolean => fromId === change.platformId && toId === cloud;
  const priority = origins.clouds.find(isUsed)?.values['priority'] ?? '1';
  const join = (relation: string, fromId: number, toId: number | undefined, values?: Values): RelationChange[] =>
    toId === undefined ? [] : [draft.relations.add({ namespace, name: relation, fromId, toId, values })];
  return [
    record,
    ...join('base.RealizedAs', component.id, record.recordId, { ...carried, priority }),
    ...join('base.DeployedTo', record.recordId, cloud, { priority }),
    ...tied.flatMap(({ name, other }) => join(name, record.recordId, instanceFor(drafting, change, namespace, other))),
  ];
}

/** The instance of a component for another instance: of its cloud and number, or the only one. */
function instanceFor(
  { store, added, origins }: Drafting,
  change: PlannedWrite,
  namespace: string,
  component: StoredRecord,
): number | undefined {
  for (const number of [/\d+$/.exec(change.name)?.[0], '1']) {
    const name = `${component.name}-${change.cloudId}-${number}`;
    const fresh = added.get(instanceKey({ componentId: component.id, name }));
    if (fresh !== undefined) return fresh;
    const className = classIn('bom', component.className);
    const known = origins.hasInstances(namespace) && store.records.byName(namespace, className, name, 'committed');
    if (known) return known.id;
  }
  return undefined;
}
