// What the planner needs, read from the committed manifest, the clouds and what runs.
import type { PlanCloud, PlanComponent, PlanEdge, PlanInput, PlanInstance, PlanPlatform, PlanVariables } from '../plan';
import type { Store, StoredRecord, StoredRelation, Values } from '../store';
import { cloudLinks, storedLink } from './links';
import { isEnabled, manifestComponents, manifestPlatforms, serviceTypesOf, type ManifestPlatform } from './manifest';
import { instancesNamespace, type EnvironmentPlace } from './place';

/** Attribute of base.RealizedAs that contains what an instance was last made from. */
export const DIGEST = 'manifest_digest';

/** A plan cannot be read from these attributes; `reason` is a sentence (code 6016). */
type PlanReading = { readonly ok: true; readonly input: PlanInput } | { readonly ok: false; readonly reason: string };

/** The planner's input for an environment. `exclude`: manifest platforms, by ciId, that shall stay as they are. */
export function readPlanInput(store: Store, place: EnvironmentPlace, exclude: ReadonlySet<number>): PlanReading {
  const platforms = manifestPlatforms(store, place, 'committed').filter(({ record }) => !exclude.has(record.id));
  const clouds = new Map<number, Omit<PlanCloud, keyof LinkFacts>>();
  const cloudFacts = (id: number): Omit<PlanCloud, keyof LinkFacts> => {
    const known = clouds.get(id) ?? readCloud(store, id);
    clouds.set(id, known);
    return known;
  };
  const broken: string[] = [];
  const input: PlanInput = {
    platforms: platforms.map((platform) => {
      const linked = cloudLinks(store, platform.record.id, 'committed').map((relation): PlanCloud => {
        const facts = linkFacts(relation.values);
        if (facts === undefined) {
          broken.push(
            `platform ${platform.record.name}: pct_scale and dpmt_order of cloud ${cloudFacts(relation.toId).name} must be whole numbers`,
          );
        }
        return { ...cloudFacts(relation.toId), ...(facts ?? FALLBACK) };
      });
      return readPlatform(store, platform, linked);
    }),
    instances: platforms.flatMap(({ record }) => readInstances(store, place, record)),
    variables: variablesIn(store, place.manifest, 'manifest.Globalvar'),
  };
  return broken.length === 0 ? { ok: true, input } : { ok: false, reason: broken.join('; ') };
}

type LinkFacts = Pick<PlanCloud, 'priority' | 'deploymentOrder' | 'scale' | 'adminstatus'>;

const FALLBACK: LinkFacts = { priority: '1', deploymentOrder: 1, scale: 100, adminstatus: 'active' };

/** Decimals are taken by `cloud_configuration` and fail here (service-facts §4.7.5). */
function linkFacts(values: Values): LinkFacts | undefined {
  const { priority, dpmt_order: order, pct_scale: scale, adminstatus } = storedLink(values);
  if (!/^-?\d+$/.test(order) || !/^\d+$/.test(scale)) return undefined;
  return { priority, deploymentOrder: Number(order), scale: Number(scale), adminstatus };
}

function readCloud(store: Store, id: number): Omit<PlanCloud, keyof LinkFacts> {
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
  const held = ['manifest.EscortedBy', 'manifest.WatchedBy']
    .flatMap((name) => store.relations.from(component.id, name, 'committed'))
    .flatMap((relation) => store.records.byId(relation.toId, 'committed') ?? []);
  return Object.fromEntries(
    held.flatMap(({ name, values }) =>
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

/** Hint of a manifest change that requests a deployment although nothing differs (service-facts §4.7.5 touch). */
export const TOUCH = 'touch';

/** Whether the component of an instance was touched after the instance was last deployed. */
function isTouched(store: Store, realized: StoredRelation): boolean {
  const change = store.records.byId(realized.fromId, 'committed')?.lastChangeId ?? 0;
  if (String(change) === realized.values['last_manifest_rfc']) return false;
  return store.releases.recordChange(change)?.hint === TOUCH;
}

function readInstances(store: Store, place: EnvironmentPlace, platform: StoredRecord): PlanInstance[] {
  const namespace = instancesNamespace(place, platform);
  const clouds = new Map(
    store.relations.list(namespace, 'base.DeployedTo', 'committed').map((relation) => [relation.fromId, relation.toId]),
  );
  return store.relations.list(namespace, 'base.RealizedAs', 'committed').flatMap((realized) => {
    const record = store.records.byId(realized.toId, 'committed');
    if (record === undefined) return [];
    return [
      {
        id: record.id,
        name: record.name,
        platformId: platform.id,
        componentId: realized.fromId,
        cloudId: clouds.get(record.id) ?? 0,
        digest: isTouched(store, realized) ? '' : (realized.values[DIGEST] ?? ''),
        replace: record.state === 'replace',
      },
    ];
  });
}
