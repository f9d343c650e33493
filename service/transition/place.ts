// Where the parts of an environment are (namespaces of its manifest, bom and platforms), and what
// its manifest holds (service-facts §2.1.7–§2.1.9).
import { locate, locateAssembly, namesIn } from '../runtime/locate';
import type { Context } from '../runtime/handler';
import {
  follow,
  type ReleaseWriter,
  stage,
  type Store,
  type StoredRecord,
  type StoredRelation,
  type View,
} from '../store';

export interface EnvironmentPlace {
  readonly environment: StoredRecord;
  /** `/<o>/<a>`: the design, and the environment's own record. */
  readonly design: string;
  /** `/<o>/<a>/<e>` */
  readonly path: string;
  /** `/<o>/<a>/<e>/manifest`: global variables and manifest releases; platforms below it. */
  readonly manifest: string;
  /** `/<o>/<a>/<e>/bom`: bom releases and deployments; instances below it. */
  readonly bom: string;
}

export type EnvironmentAddress = { readonly assembly: string; readonly environment: string };

/** Parameters of a path that names a platform of an environment. */
export type PlatformAddress = EnvironmentAddress & { readonly platform: string };

/** Parameters of a path that names a component of an environment. */
export type ComponentAddress = PlatformAddress & { readonly component: string };

export function placeOf(environment: StoredRecord): EnvironmentPlace {
  const path = `${environment.namespace}/${environment.name}`;
  return { environment, design: environment.namespace, path, manifest: `${path}/manifest`, bom: `${path}/bom` };
}

/** The environment a request's path names. Throws a RefusedRequest (404). */
export function locatePlace(context: Context<EnvironmentAddress>): EnvironmentPlace {
  const assembly = locateAssembly(context, context.address.assembly);
  const namespace = `${assembly.namespace}/${assembly.name}`;
  const place = { noun: 'environment', namespace, className: 'manifest.Environment', view: 'committed' } as const;
  return placeOf(locate(context, context.address.environment, place));
}

/** The writer of an environment's manifest release for what a request changes. */
export function manifestStage(
  { store, user, now, rules }: Context<unknown>,
  { manifest }: EnvironmentPlace,
): ReleaseWriter {
  return stage(store, manifest, { user, now, commentsCount: rules.designCommentsStored });
}

/** The environment a job or deployment is about, by ciId; undefined when it no longer exists. */
export function placeById(store: Context['store'], id: number): EnvironmentPlace | undefined {
  const environment = store.records.byId(id, 'committed');
  return environment?.className === 'manifest.Environment' ? placeOf(environment) : undefined;
}

/** The environment of a bom namespace (`/<o>/<a>/<e>/bom`); undefined when it no longer exists. */
export function placeOfBom(store: Context['store'], namespace: string): EnvironmentPlace | undefined {
  const { organization, assembly, environment } = namesIn(namespace);
  const record = store.records.byName(`/${organization}/${assembly}`, 'manifest.Environment', environment, 'committed');
  return record === undefined ? undefined : placeOf(record);
}

/** Namespace of the instances of a manifest platform: `…/manifest/web/1` → `…/bom/web/1`. */
export function instancesNamespace(
  place: Pick<EnvironmentPlace, 'manifest' | 'bom'>,
  platform: Pick<StoredRecord, 'namespace'>,
): string {
  return `${place.bom}${platform.namespace.slice(place.manifest.length)}`;
}

/** The class in another package: `catalog.oneops.1.User` → `manifest.oneops.1.User`. */
export function classIn(packageName: 'catalog' | 'manifest' | 'bom', className: string): string {
  return className.replace(/^[a-z]+/, packageName);
}

/** A manifest platform and the relation that holds whether it is enabled. */
export interface ManifestPlatform {
  readonly record: StoredRecord;
  readonly composition: StoredRelation;
}

/** Platforms of an environment, those pending deletion included. */
export function manifestPlatforms(
  store: Store,
  place: Pick<EnvironmentPlace, 'environment'>,
  view: View = 'merged',
): ManifestPlatform[] {
  return follow(store, place.environment.id, 'manifest.ComposedOf', view).map(({ record, relation }) => ({
    record,
    composition: relation,
  }));
}

/** Whether a platform is enabled (service-facts §3.10). */
export function isEnabled(platform: Pick<ManifestPlatform, 'composition'>): boolean {
  return platform.composition.values['enabled'] !== 'false';
}

/** Components of a manifest platform, with what its template says of each. */
export type Components = readonly {
  readonly record: StoredRecord;
  /** Service types; optional ones with a leading `*`. */
  readonly services: readonly string[];
}[];

export function manifestComponents(
  store: Store,
  platform: Pick<StoredRecord, 'id'>,
  view: View = 'merged',
): Components {
  return follow(store, platform.id, 'manifest.Requires', view).map(({ record, relation }) => ({
    record,
    services: listed(relation.values['services']),
  }));
}

/** What the components of a platform ask of its clouds; those on their way out ask nothing. */
export function requirementsOf(store: Store, platform: Pick<StoredRecord, 'id'>): Components {
  return manifestComponents(store, platform, 'staying').filter(({ record }) => record.state !== 'pending_deletion');
}

export function serviceTypesOf(store: Store, cloudId: number): string[] {
  return store.relations
    .from(cloudId, 'base.Provides', 'committed')
    .map((relation) => relation.values['service'] ?? '');
}

function listed(text: string | null | undefined): string[] {
  return (text ?? '').split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
}
