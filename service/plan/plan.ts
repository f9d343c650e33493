// The plan of a deployment: what has to change so that what runs is what the manifest says, and in which order (service-facts §4.7.2, §10.5, §12a).
import { createHash } from 'node:crypto';
import type {
  PlanCloud,
  PlanComponent,
  PlanFailure,
  PlanInput,
  PlanInstance,
  PlannedChange,
  PlannedDelete,
  PlannedWrite,
  PlanOutcome,
  PlanPlatform,
  PlanValues,
  PlanVariables,
} from './input';
import { groupBy } from '../runtime/group-by';
import { denseOrders, depthsDespiteCycles, depthsOf, type PlaceInOrder } from './order';
import { instancesWanted, withinPortions } from './wanted';

/** Whether a platform's instances shall run: enabled, in the manifest, and on at least one cloud (service-facts §12a). */
function runs(platform: PlanPlatform): boolean {
  return platform.enabled && !platform.pendingDeletion && platform.clouds.length > 0;
}

/** Whether the link to a cloud makes it a primary one; an `inactive` link does (service-facts §3.9). */
export function isPrimaryLink(link: Pick<PlanCloud, 'priority' | 'adminstatus'>): boolean {
  return link.priority === '1' && link.adminstatus !== 'offline';
}

/** Service types components need and a cloud lacks, without repetition, in order of the components. */
export function missingServices(
  components: readonly { readonly services: readonly string[] }[],
  offered: readonly string[],
): string[] {
  const has = new Set(offered);
  const needed = components.flatMap((component) => component.services).filter((service) => !service.startsWith('*'));
  return [...new Set(needed)].filter((service) => !has.has(service));
}

/** Why a platform that shall run cannot be planned, or undefined. */
function obstacle(platform: PlanPlatform): PlanFailure | undefined {
  if (!runs(platform)) return undefined;
  if (!platform.clouds.some(isPrimaryLink)) {
    return { code: 6017, reason: `platform ${platform.name} has only secondary clouds: one with priority 1 is needed` };
  }
  const live = platform.components.filter((component) => !component.pendingDeletion);
  const lacking = platform.clouds
    .filter((cloud) => cloud.adminstatus === 'active')
    .flatMap((cloud) => missingServices(live, cloud.services).map((service) => `${service} on ${cloud.name}`));
  if (lacking.length === 0) return undefined;
  return {
    code: 6019,
    reason: `platform ${platform.name} needs services its clouds do not have: ${lacking.join(', ')}`,
  };
}

/** The variables a component sees: of its environment, its platform, its cloud. */
interface Scopes {
  readonly global: PlanVariables;
  readonly local: PlanVariables;
  readonly cloud: PlanVariables;
}

/** Resolved values, and the references nothing answers, as written. */
interface Resolved {
  readonly values: PlanValues;
  readonly missing: readonly { readonly attribute: string; readonly reference: string }[];
}

// A platform's variable may refer to the environment's and the cloud's, the environment's to the cloud's; hence this order.
const ORDER = [
  ['LOCAL', 'local'],
  ['GLOBAL', 'global'],
  ['CLOUD', 'cloud'],
] as const;

const ANY_REFERENCE = /\$OO_(?:GLOBAL|LOCAL|CLOUD)\{[^{}]*\}/g;

/** One text with its references replaced; a reference without an answer stays as it is. */
function resolveText(text: string, scopes: Scopes): string {
  return ORDER.reduce(
    (current, [word, scope]) =>
      current.replace(new RegExp(`\\$OO_${word}\\{([^{}]*)\\}`, 'g'), (reference, name: string) => {
        const variables = scopes[scope];
        return Object.hasOwn(variables, name) ? (variables[name] ?? '') : reference;
      }),
    text,
  );
}

/** All attributes with their references replaced. */
function resolveValues(values: PlanValues, scopes: Scopes): Resolved {
  const entries = Object.entries(values).map(
    ([attribute, value]) => [attribute, value === null ? null : resolveText(value, scopes)] as const,
  );
  const missing = entries.flatMap(([attribute, value]) =>
    [...new Set(value?.match(ANY_REFERENCE) ?? [])].map((reference) => ({ attribute, reference })),
  );
  return { values: Object.fromEntries(entries), missing };
}

/** SHA-256, as hex, over values and attached values. Order of keys and the difference of null, empty and absent do not count. */
function digestOf(values: PlanValues, attached: PlanValues): string {
  return createHash('sha256')
    .update(JSON.stringify([stated(values), stated(attached)]))
    .digest('hex');
}

function stated(values: PlanValues): readonly (readonly [string, string])[] {
  return Object.entries(values)
    .flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value] as const]))
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

type Unordered<C> = C extends PlannedChange ? Omit<C, 'execOrder'> : never;

/** A change, and where in the plan it is. */
interface Placed {
  readonly change: Unordered<PlannedChange>;
  readonly place: PlaceInOrder;
}

/** What the plan of one platform is made from. */
interface Site {
  readonly platform: PlanPlatform;
  readonly depths: ReadonlyMap<number, number>;
  /** Links between platforms: one that others link to comes before them. */
  readonly level: number;
  readonly instances: readonly PlanInstance[];
}

/**
 * Plans a deployment. Per platform that shall run and per active cloud, what the walk along the dependencies wants is added, what differs
 * is updated (or replaced, when marked), what is no longer wanted is deleted. Inactive clouds are left alone. Offline clouds are emptied
 * after all of that, in reverse order; platforms that are disabled, deleted or without clouds are emptied last.
 * Changes come in execOrder; none means there is nothing to do.
 */
export function planDeployment(input: PlanInput): PlanOutcome {
  const levels = depthsDespiteCycles(
    input.platforms.map((platform) => platform.id),
    input.platforms.flatMap((platform) => platform.linksTo.map((to) => ({ from: platform.id, to }))),
  );
  const placed: Placed[] = [];
  const running = groupBy(input.instances, ({ platformId }) => platformId);
  for (const platform of input.platforms) {
    const failure = obstacle(platform);
    if (failure !== undefined) return { ok: false, failure };
    const found = depthsOf(
      platform.components.map((component) => component.id),
      platform.edges,
    );
    if (!found.ok) return { ok: false, failure: circular(platform, found.cyclic) };
    const instances = running.get(platform.id) ?? [];
    const site: Site = { platform, depths: found.depths, level: levels.get(platform.id) ?? 0, instances };
    if (!runs(platform)) {
      placed.push(...instances.map((instance) => removal(site, instance, ['idle', -site.level])));
      continue;
    }
    for (const [rank, group] of activeGroups(platform.clouds).entries()) {
      for (const cloud of group) {
        const local = planCloud(site, cloud, rank, input.variables);
        if (!local.ok) return local;
        placed.push(...local.placed);
      }
    }
    placed.push(...retired(site));
  }
  return { ok: true, changes: ordered(placed) };
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
    .map((instance) => removal(site, instance, ['offline', -site.level, -turns.indexOf(instance.cloudId)]));
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

type CloudPlan =
  { readonly ok: true; readonly placed: readonly Placed[] } | { readonly ok: false; readonly failure: PlanFailure };

function planCloud(site: Site, cloud: PlanCloud, rank: number, global: PlanInput['variables']): CloudPlan {
  const { platform, depths } = site;
  const live = platform.components.filter((component) => !component.pendingDeletion);
  const scopes: Scopes = { global, local: platform.variables, cloud: cloud.variables };
  const counts = instancesWanted(
    {
      components: live.map((component) => component.id),
      edges: platform.edges,
      entrypoint: platform.entrypoint,
      depths,
    },
    cloud.scale,
  );
  const running = new Map(
    site.instances.filter((instance) => instance.cloudId === cloud.id).map((instance) => [ownName(instance), instance]),
  );
  const wanted: Unordered<PlannedWrite>[] = [];
  for (const component of live) {
    const carried = carry(component, scopes);
    if (!carried.ok) return { ok: false, failure: unresolved(platform, component, carried.missing) };
    for (let number = 1; number <= (counts.get(component.id) ?? 0); number += 1) {
      const name = `${component.name}-${cloud.id}-${number}`;
      const instance = running.get(ownName({ componentId: component.id, name }));
      wanted.push({
        action: instance === undefined ? 'add' : instance.replace ? 'replace' : 'update',
        name,
        platformId: platform.id,
        componentId: component.id,
        cloudId: cloud.id,
        instanceId: instance?.id,
        values: carried.values,
        digest: carried.digest,
        cause: instance === undefined || instance.replace || instance.digest !== carried.digest ? 'own' : 'propagate',
      });
    }
  }
  const names = new Set(wanted.map(ownName));
  const surplus = [...running.values()].filter((instance) => !names.has(ownName(instance)));
  const own = wanted.filter((write) => write.cause === 'own');
  const reached = propagated(platform, new Set([...own, ...surplus].map((change) => change.componentId)));
  const due = wanted.filter((write) => write.cause === 'own' || reached.has(write.componentId));
  const writes = withinPortions(platform.edges, counts, due);
  const place: PlaceInOrder = ['active', site.level, rank];
  return {
    ok: true,
    placed: [
      ...writes.map((change): Placed => ({ change, place: [...place, 0, depths.get(change.componentId) ?? 0] })),
      ...surplus.map((instance) => removal(site, instance, [...place, 1])),
    ],
  };
}

/** An instance is its component's: one of the same name that a component of another class made before it is another instance. */
const ownName = ({ componentId, name }: Pick<PlanInstance, 'componentId' | 'name'>): string => `${componentId} ${name}`;

type Carried =
  | { readonly ok: true; readonly values: PlannedWrite['values']; readonly digest: string }
  | { readonly ok: false; readonly missing: readonly { readonly attribute: string; readonly reference: string }[] };

function carry(component: PlanComponent, scopes: Scopes): Carried {
  const { values, missing } = resolveValues(component.values, scopes);
  if (missing.length > 0) return { ok: false, missing };
  // A file's content may hold text that only looks like a reference: what nothing answers stays as written.
  const attached = Object.fromEntries(
    Object.entries(component.attached).map(([key, value]) => [key, value === null ? null : resolveText(value, scopes)]),
  );
  return { ok: true, values, digest: digestOf(values, attached) };
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

function ordered(placed: readonly Placed[]): PlannedChange[] {
  const orders = denseOrders(placed.map(({ place }) => place));
  return placed
    .map(({ change }, index): PlannedChange => ({ ...change, execOrder: orders[index] ?? 1 }))
    .sort(
      (left, right) =>
        left.execOrder - right.execOrder || (left.name < right.name ? -1 : left.name > right.name ? 1 : 0),
    );
}

function circular(platform: PlanPlatform, ids: readonly number[]): PlanFailure {
  const names = platform.components
    .filter((component) => ids.includes(component.id))
    .map((component) => component.name);
  return {
    code: 6016,
    reason: `platform ${platform.name}: components depend on each other in a circle: ${names.join(', ')}`,
  };
}

function unresolved(
  platform: PlanPlatform,
  component: PlanComponent,
  missing: readonly { readonly attribute: string; readonly reference: string }[],
): PlanFailure {
  const where = missing.map(({ attribute, reference }) => `${reference} in attribute ${attribute}`).join(', ');
  return {
    code: 6002,
    reason: `component ${component.name} of platform ${platform.name} refers to variables that do not exist: ${where}`,
  };
}
