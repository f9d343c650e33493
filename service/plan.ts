// The plan of a deployment: what has to change so that what runs is what the manifest says, and in
// which order (service-facts §4.7.2, §10.5, §12a).
import { createHash } from 'node:crypto';

/** Whether a platform has instances: enabled, in the manifest, on a cloud (service-facts §12a). */
function runs(platform: PlanPlatform): boolean {
  return platform.enabled && !platform.pendingDeletion && platform.clouds.length > 0;
}

/** Whether a link to a cloud is a primary one, also when `inactive` (service-facts §3.9). */
export function isPrimaryLink(link: Pick<PlanCloud, 'priority' | 'adminstatus'>): boolean {
  return link.priority === '1' && link.adminstatus !== 'offline';
}

/** Service types that components need and a cloud lacks, each once, in their order. */
export function missingServices(
  components: readonly { readonly services: readonly string[] }[],
  offered: readonly string[],
): string[] {
  const has = new Set(offered);
  const needed = components.flatMap((component) => component.services).filter((service) => !service.startsWith('*'));
  return [...new Set(needed)].filter((service) => !has.has(service));
}

/** Why there is no plan, by the numbers of service-facts §7.4. */
export class NoPlan extends Error {
  constructor(
    readonly code: 6002 | 6016 | 6017 | 6019,
    reason: string,
  ) {
    super(reason);
  }
}

/** Throws NoPlan for a platform without a primary cloud, or whose clouds lack a service. */
function checkClouds({ name, clouds, components }: PlanPlatform): void {
  if (!clouds.some(isPrimaryLink))
    throw new NoPlan(6017, `platform ${name} has only secondary clouds: one with priority 1 is needed`);
  const lacking = clouds
    .filter((cloud) => cloud.adminstatus === 'active')
    .flatMap((cloud) =>
      missingServices(components.filter(isLive), cloud.services).map((service) => `${service} on ${cloud.name}`),
    );
  if (lacking.length > 0)
    throw new NoPlan(6019, `platform ${name} needs services its clouds do not have: ${lacking.join(', ')}`);
}

const isLive = (component: PlanComponent): boolean => !component.pendingDeletion;

/** The variables a component sees: of its environment, its platform, its cloud. */
type Scopes = { readonly [S in (typeof ORDER)[number]]: PlanVariables };

// A platform's variable may refer to the environment's and the cloud's, the environment's to the
// cloud's; hence this order.
const ORDER = ['LOCAL', 'GLOBAL', 'CLOUD'] as const;

const ANY_REFERENCE = /\$OO_(?:GLOBAL|LOCAL|CLOUD)\{[^{}]*\}/g;

/** One text with its references replaced; a reference without an answer stays as it is. */
function resolveText(text: string, scopes: Scopes): string {
  if (!text.includes('$OO_')) return text;
  return ORDER.reduce(
    (current, scope) =>
      current.replace(new RegExp(`\\$OO_${scope}\\{([^{}]*)\\}`, 'g'), (reference, name: string) => {
        const variables = scopes[scope];
        return Object.hasOwn(variables, name) ? (variables[name] ?? '') : reference;
      }),
    text,
  );
}

/** All attributes with their references replaced. */
const resolveValues = (values: PlanValues, scopes: Scopes): PlanValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === null ? null : resolveText(value, scopes)]),
  );

/** SHA-256 in hex of values, whatever their order; null, empty and absent are equal. */
function digestOf(values: PlanValues, attached: PlanValues): string {
  return createHash('sha256')
    .update(JSON.stringify([stated(values), stated(attached)]))
    .digest('hex');
}

const stated = (values: PlanValues): readonly (readonly [string, string])[] =>
  Object.keys(values)
    .sort()
    .flatMap((name) => (values[name] ? [[name, values[name]] as const] : []));

type Unordered<C> = C extends PlannedChange ? Omit<C, 'execOrder'> : never;

interface Placed {
  readonly change: Unordered<PlannedChange>;
  readonly place: PlaceInOrder;
}

interface Site {
  readonly platform: PlanPlatform;
  readonly depths: ReadonlyMap<number, number>;
  /** Links between platforms: one that others link to comes before them. */
  readonly level: number;
  readonly instances: readonly PlanInstance[];
}

/**
 * Plans a deployment. Per platform that shall run and per active cloud, what the walk along the
 * dependencies wants is added, what differs is updated (or replaced, when marked), what is no
 * longer wanted is deleted. Inactive clouds are left alone. Offline clouds are emptied after all of
 * that, in reverse order; platforms that are disabled, deleted or without clouds are emptied last.
 * Changes come in execOrder; none means there is nothing to do.
 */
export function planDeployment(input: PlanInput): PlannedChange[] | NoPlan {
  try {
    return ordered(placedChanges(input));
  } catch (error) {
    if (error instanceof NoPlan) return error;
    throw error;
  }
}

function placedChanges(input: PlanInput): Placed[] {
  const levels = depthsDespiteCycles(
    input.platforms.map((platform) => platform.id),
    input.platforms.flatMap((platform) => platform.linksTo.map((to) => ({ from: platform.id, to }))),
  );
  const running = Map.groupBy(input.instances, ({ platformId }) => platformId);
  return input.platforms.flatMap((platform) => {
    if (runs(platform)) checkClouds(platform);
    const instances = running.get(platform.id) ?? [];
    const site: Site = { platform, depths: depthsIn(platform), level: levels.get(platform.id) ?? 0, instances };
    if (!runs(platform)) return instances.map((instance) => removal(site, instance, [IDLE, -site.level]));
    const active = activeGroups(platform.clouds).flatMap((group, rank) =>
      group.flatMap((cloud) => planCloud(site, cloud, rank, input.variables)),
    );
    return [...active, ...retired(site)];
  });
}

/** Depths of a platform's components. Throws NoPlan where they depend on each other in a circle. */
function depthsIn({ name, components, edges }: PlanPlatform): Site['depths'] {
  const found = depthsOf(
    components.map((component) => component.id),
    edges,
  );
  if (found.cyclic.length === 0) return found.depths;
  const names = components.filter(({ id }) => found.cyclic.includes(id)).map((component) => component.name);
  throw new NoPlan(6016, `platform ${name}: components depend on each other in a circle: ${names.join(', ')}`);
}

/** Active clouds by priority, then deployment order; clouds equal in both go together. */
function activeGroups(clouds: readonly PlanCloud[]): PlanCloud[][] {
  const active = clouds.filter((cloud) => cloud.adminstatus === 'active').sort(byTurn);
  return active.reduce<PlanCloud[][]>((groups, cloud) => {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && byTurn(last[0], cloud) === 0) last.push(cloud);
    else groups.push([cloud]);
    return groups;
  }, []);
}

function byTurn(left: PlanCloud, right: PlanCloud): number {
  return Number(left.priority) - Number(right.priority) || left.deploymentOrder - right.deploymentOrder;
}

/** Instances on clouds that are offline, or that the platform no longer consumes. */
function retired(site: Site): Placed[] {
  const { platform, instances } = site;
  const staying = new Set(platform.clouds.filter((cloud) => cloud.adminstatus !== 'offline').map((cloud) => cloud.id));
  const turns = [...platform.clouds].sort(byTurn).map((cloud) => cloud.id);
  return instances
    .filter((instance) => !staying.has(instance.cloudId))
    .map((instance) => removal(site, instance, [OFFLINE, -site.level, -turns.indexOf(instance.cloudId)]));
}

function removal(site: Site, instance: PlanInstance, place: PlaceInOrder): Placed {
  const change: Unordered<PlannedDelete> = {
    action: 'delete',
    name: instance.name,
    platformId: instance.platformId,
    componentId: instance.componentId,
    cloudId: instance.cloudId,
    instanceId: instance.id,
  };
  return { change, place: [...place, -(site.depths.get(instance.componentId) ?? 0)] };
}

function planCloud(site: Site, cloud: PlanCloud, rank: number, global: PlanInput['variables']): Placed[] {
  const { platform, depths } = site;
  const live = platform.components.filter(isLive);
  const scopes: Scopes = { GLOBAL: global, LOCAL: platform.variables, CLOUD: cloud.variables };
  const counts = instancesWanted({ ...platform, components: live.map(({ id }) => id), depths }, cloud.scale);
  const present = site.instances.filter((instance) => instance.cloudId === cloud.id);
  const running = new Map(present.map((instance) => [instanceKey(instance), instance]));
  const wanted: Unordered<PlannedWrite>[] = [];
  for (const component of live) {
    const carried = carry(platform, component, scopes);
    for (let number = 1; number <= (counts.get(component.id) ?? 0); number += 1) {
      const name = `${component.name}-${cloud.id}-${number}`;
      const key = instanceKey({ componentId: component.id, name });
      const instance = running.get(key);
      running.delete(key);
      wanted.push({
        action: instance === undefined ? 'add' : instance.replace ? 'replace' : 'update',
        name,
        platformId: platform.id,
        componentId: component.id,
        cloudId: cloud.id,
        instanceId: instance?.id,
        ...carried,
        cause: instance === undefined || instance.replace || instance.digest !== carried.digest ? 'own' : 'propagate',
      });
    }
  }
  const surplus = [...running.values()];
  const own = wanted.filter((write) => write.cause === 'own');
  const reached = propagated(platform, new Set([...own, ...surplus].map((change) => change.componentId)));
  const due = wanted.filter((write) => write.cause === 'own' || reached.has(write.componentId));
  const writes = withinPortions(platform.edges, counts, due);
  const place: PlaceInOrder = [ACTIVE, site.level, rank];
  return [
    ...writes.map((change): Placed => ({ change, place: [...place, 0, depths.get(change.componentId) ?? 0] })),
    ...surplus.map((instance) => removal(site, instance, [...place, 1])),
  ];
}

/** An instance of a component: one of the same name by another class is another instance. */
export const instanceKey = ({ componentId, name }: Pick<PlanInstance, 'componentId' | 'name'>): string =>
  `${componentId} ${name}`;

/** What instances of a component carry. Throws NoPlan for variables that do not exist. */
function carry(
  platform: PlanPlatform,
  component: PlanComponent,
  scopes: Scopes,
): Pick<PlannedWrite, 'values' | 'digest'> {
  const values = resolveValues(component.values, scopes);
  const missing = Object.entries(values).flatMap(([attribute, value]) =>
    [...new Set(value?.match(ANY_REFERENCE) ?? [])].map((reference) => `${reference} in attribute ${attribute}`),
  );
  if (missing.length > 0)
    throw new NoPlan(
      6002,
      `component ${component.name} of platform ${platform.name} refers to variables that do not exist: ${missing.join(', ')}`,
    );
  // A file's content may hold text that only looks like a reference: what nothing answers stays as
  // written.
  return { values, digest: digestOf(values, resolveValues(component.attached, scopes)) };
}

/** Components a change reaches through relations that pass it on, from any of `seeds`. */
function propagated(platform: PlanPlatform, seeds: ReadonlySet<number>): ReadonlySet<number> {
  const reached = new Set<number>();
  const asks = (id: number): boolean => seeds.has(id) || reached.has(id);
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    for (const { from, to, propagate } of platform.edges) {
      if (asks(to) && (propagate === 'from' || propagate === 'both')) reached.add(from);
      if (asks(from) && (propagate === 'to' || propagate === 'both')) reached.add(to);
    }
  }
  return reached;
}

/** Changes in order, by name where they share a step; each further place is a further step. */
function ordered(placed: readonly Placed[]): PlannedChange[] {
  const byName = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
  const sorted = [...placed].sort(
    (one, other) => compare(one.place, other.place) || byName(one.change.name, other.change.name),
  );
  let execOrder = 0;
  return sorted.map(({ change, place }, index): PlannedChange => {
    const before = sorted[index - 1];
    if (before === undefined || compare(before.place, place) !== 0) execOrder += 1;
    return { ...change, execOrder };
  });
}

// What the planner works on and what it answers: the manifest, what runs, and the changes that lead
// from one to the other.

/** Attribute values: text, or null where the class has no default. */
type PlanValues = { readonly [attribute: string]: string | null };

/** Variables of one scope: name → value as text; a secure one contains its stored text. */
export type PlanVariables = { readonly [name: string]: string };

/** A cloud of a platform: the attributes of the link (service-facts §2.1.9) and its offers. */
export interface PlanCloud {
  readonly id: number;
  readonly name: string;
  /** `1` primary, anything else secondary. */
  readonly priority: string;
  readonly deploymentOrder: number;
  /** Percent of each flex relation's `current`, 100 by default. */
  readonly scale: number;
  /** `active`; `inactive`: left as it is; `offline`: emptied (service-facts §3.9). */
  readonly adminstatus: string;
  /** Service types the cloud provides (`compute`, `dns`). */
  readonly services: readonly string[];
  readonly variables: PlanVariables;
}

export interface PlanComponent {
  readonly id: number;
  readonly name: string;
  /** Manifest values, references to variables unresolved. */
  readonly values: PlanValues;
  /** Values beside its own attributes: attachments'. A difference updates its instances. */
  readonly attached: PlanValues;
  /** Service types it needs of active clouds; a leading `*`: optional (service-facts §12.1). */
  readonly services: readonly string[];
  /** Deleted from the manifest while instances run. */
  readonly pendingDeletion: boolean;
}

/** A manifest.DependsOn relation (service-facts §2.1.9): `from` depends on `to`. */
export interface PlanEdge {
  readonly from: number;
  readonly to: number;
  /** `current` targets for each source, scaled by the cloud's percentage. */
  readonly flex: boolean;
  /** All sources share one target. */
  readonly converge: boolean;
  readonly current: number;
  /** Which way a change at one end asks a dummy update of the other. */
  readonly propagate: '' | 'from' | 'to' | 'both';
  /** Percent of a flex relation's targets that one deployment changes. Default: 100. */
  readonly portion: number;
}

export interface PlanPlatform {
  readonly id: number;
  readonly name: string;
  readonly enabled: boolean;
  /** Deleted from the manifest while instances run. */
  readonly pendingDeletion: boolean;
  readonly clouds: readonly PlanCloud[];
  readonly components: readonly PlanComponent[];
  readonly edges: readonly PlanEdge[];
  /** ciId of the component the walk starts at; undefined: every component nothing depends on. */
  readonly entrypoint: number | undefined;
  /** ciIds of the platforms it links to: they come first. */
  readonly linksTo: readonly number[];
  readonly variables: PlanVariables;
}

export interface PlanInstance {
  readonly id: number;
  /** `<component>-<cloudCiId>-<n>`, n from 1 (service-facts §2.1.6). */
  readonly name: string;
  readonly platformId: number;
  readonly componentId: number;
  readonly cloudId: number;
  /** Digest its last change carried. */
  readonly digest: string;
  /** Marked `replace`: its update becomes a replace (service-facts §3.3). */
  readonly replace: boolean;
}

export interface PlanInput {
  readonly platforms: readonly PlanPlatform[];
  readonly instances: readonly PlanInstance[];
  readonly variables: PlanVariables;
}

interface PlannedAt extends Pick<PlanInstance, 'name' | 'platformId' | 'componentId' | 'cloudId'> {
  /** Step in which it is carried out, from 1 without gaps; equal steps run in parallel. */
  readonly execOrder: number;
}

/** An instance to make or to change, with values whose variables are resolved. */
export interface PlannedWrite extends PlannedAt {
  readonly action: 'add' | 'update' | 'replace';
  /** ciId of the instance; undefined for an add. */
  readonly instanceId: number | undefined;
  readonly values: PlanValues;
  /** What the instance will carry: equal digests need no change. */
  readonly digest: string;
  /** `propagate`: nothing of its own changed, a neighbour did. */
  readonly cause: 'own' | 'propagate';
}

interface PlannedDelete extends PlannedAt {
  readonly action: 'delete';
  readonly instanceId: number;
}

export type PlannedChange = PlannedWrite | PlannedDelete;

// Order in a plan: depths in a dependency graph, and places as steps from 1 without gaps.

/** `from` comes after `to`. */
interface Dependency<N> {
  readonly from: N;
  readonly to: N;
}

/** Depths by node: 0 without dependencies, else one more than the deepest of them. */
interface Depths<N> {
  readonly depths: ReadonlyMap<N, number>;
  /** Nodes on or above a cycle, which have no depth. */
  readonly cyclic: readonly N[];
}

/** Depths of nodes, layer by layer. Dependencies on other nodes are ignored. */
export function depthsOf<N>(nodes: readonly N[], dependencies: readonly Dependency<N>[]): Depths<N> {
  const known = new Set(nodes);
  const below = Map.groupBy(
    dependencies.filter(({ to }) => known.has(to)),
    ({ from }) => from,
  );
  const depths = new Map<N, number>();
  let left = nodes;
  for (let depth = 0; ; depth += 1) {
    const layer = left.filter((node) => (below.get(node) ?? []).every(({ to }) => depths.has(to)));
    if (layer.length === 0) return { depths, cyclic: left };
    for (const node of layer) depths.set(node, depth);
    left = left.filter((node) => !depths.has(node));
  }
}

/**
 * Depth of every node where cycles are allowed (platform links, service-facts §4.5.1 trap 3): nodes
 * on a cycle, or that lead into one, all are one below the deepest of the others.
 */
function depthsDespiteCycles(
  nodes: readonly number[],
  dependencies: readonly Dependency<number>[],
): ReadonlyMap<number, number> {
  const { depths, cyclic } = depthsOf(nodes, dependencies);
  const last = 1 + Math.max(-1, ...depths.values());
  return new Map([...depths, ...cyclic.map((node) => [node, last] as const)]);
}

/** Work on active clouds, then emptying offline clouds, then what shall not run at all. */
const [ACTIVE, OFFLINE, IDLE] = [0, 1, 2];

/** A phase, then numbers, as many for each of a phase: compared one by one, smaller first. */
type PlaceInOrder = readonly number[];

function compare(left: PlaceInOrder, right: PlaceInOrder): number {
  const at = left.findIndex((each, index) => each !== right[index]);
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

// Instances of a platform on a cloud, and portions of a plan (service-facts §4.7.5, §10.5).

interface Graph {
  /** ciIds of the components, live ones only. */
  readonly components: readonly number[];
  readonly edges: readonly PlanEdge[];
  readonly entrypoint: number | undefined;
  /** Depth of each component: greater than that of anything it depends on. */
  readonly depths: ReadonlyMap<number, number>;
}

/** Targets of one source of an edge on a cloud, scaled when flex (service-facts §4.7.5). */
function targetsOf(edge: PlanEdge, scale: number): number {
  return edge.flex ? Math.ceil((edge.current * scale) / 100) : edge.current;
}

/**
 * Instances wanted of each component on a cloud scaled to `scale` percent. The walk starts with one
 * instance of the entrypoint and goes down along its dependencies, multiplied by each flex relation
 * and shared where relations converge; then up: what depends on a component has one instance for
 * each of it. What no relation joins to the rest has one.
 */
export function instancesWanted(
  { components, edges, entrypoint, depths }: Graph,
  scale: number,
): ReadonlyMap<number, number> {
  const known = new Set(components);
  const inside = edges.filter((edge) => known.has(edge.from) && known.has(edge.to));
  const depth = (id: number): number => depths.get(id) ?? 0;
  const upwards = [...components].sort((left, right) => depth(left) - depth(right));
  const downwards = [...upwards].reverse();
  const entries = entrypoint !== undefined && known.has(entrypoint) ? [entrypoint] : rootsOf(components, inside);
  const counts = new Map<number, number>(entries.map((id) => [id, 1]));
  const isEntry = new Set(entries);

  const goDown = (mayRaise: boolean): void => {
    const settled = new Set(mayRaise ? [] : counts.keys());
    for (const id of downwards) {
      const count = counts.get(id);
      if (count === undefined) continue;
      for (const edge of inside) {
        if (edge.from !== id || settled.has(edge.to) || isEntry.has(edge.to)) continue;
        const each = targetsOf(edge, scale);
        raise(counts, edge.to, edge.converge ? Math.min(1, count * each) : count * each);
      }
    }
  };
  const goUp = (): void => {
    for (const id of upwards) {
      if (isEntry.has(id)) continue;
      for (const edge of inside) {
        const below = edge.from === id ? counts.get(edge.to) : undefined;
        // A shared or multiplied target says nothing about how many share it; a component nothing
        // else reached has one.
        if (below === undefined) continue;
        if (edge.flex || edge.converge) raise(counts, id, Math.min(1, below));
        else raise(counts, id, below);
      }
    }
  };

  goDown(true);
  for (let before = -1; before !== counts.size;) {
    before = counts.size;
    goUp();
    goDown(false);
  }
  for (const id of components) if (!counts.has(id)) counts.set(id, 1);
  return counts;
}

function raise(counts: Map<number, number>, id: number, count: number): void {
  counts.set(id, Math.max(counts.get(id) ?? 0, count));
}

function rootsOf(components: readonly number[], edges: readonly PlanEdge[]): number[] {
  const needed = new Set(edges.map((edge) => edge.to));
  return components.filter((id) => !needed.has(id));
}

/** The number that ends the name of an instance: `<component>-<cloudCiId>-<n>`. */
const numberOf = ({ name }: Pick<PlannedWrite, 'name'>): number => Number(name.slice(name.lastIndexOf('-') + 1));

/** Components with one instance for each instance of `target`. */
function standingWith(target: number, edges: readonly PlanEdge[], counts: ReadonlyMap<number, number>): Set<number> {
  const found = new Set([target]);
  const joined = edges.filter((edge) => !edge.flex && !edge.converge);
  const isAsMany = (id: number): boolean => counts.get(id) === counts.get(target);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const { from, to } of joined) {
      if (found.has(to) && isAsMany(from)) found.add(from);
      if (found.has(from) && isAsMany(to)) found.add(to);
    }
  }
  return found;
}

/**
 * The writes of one platform on one cloud, without those that a later deployment is for: of the
 * targets of a flex relation, and what stands with them, as many numbers change as its portion of
 * `counts` says, rounded up, lowest first. New instances are never held up.
 */
function withinPortions(
  edges: readonly PlanEdge[],
  counts: ReadonlyMap<number, number>,
  writes: readonly Unordered<PlannedWrite>[],
): typeof writes {
  return edges
    .filter((edge) => edge.flex && edge.portion < 100)
    .reduce((left, { to, portion }) => {
      const group = standingWith(to, edges, counts);
      const isLimited = (write: Pick<PlannedWrite, 'action' | 'componentId'>): boolean =>
        write.action !== 'add' && group.has(write.componentId);
      const limited = left.filter(isLimited);
      // What differs comes first: it is due again as long as it does, what a neighbour passes on is
      // not.
      const own = limited.filter((write) => write.cause === 'own');
      const numbers = [...new Set((own.length > 0 ? own : limited).map(numberOf))].sort((one, other) => one - other);
      const allowed = new Set(numbers.slice(0, Math.ceil(((counts.get(to) ?? 0) * portion) / 100)));
      return left.filter((write) => !isLimited(write) || allowed.has(numberOf(write)));
    }, writes);
}
