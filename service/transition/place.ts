// Where the parts of an environment are: namespaces of its manifest, bom and platforms, and the classes below each (service-facts §2.1.7, §2.1.8).
import { locateAssembly, locateEnvironment, namesIn } from '../locate';
import type { Context } from '../handler';
import { stage, type ReleaseWriter, type StoredRecord } from '../store';

/** An environment and its namespaces. */
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

/** Parameters of a path that names an environment. */
export type EnvironmentAddress = { readonly assembly: string; readonly environment: string };

/** Parameters of a path that names a platform of an environment. */
export type PlatformAddress = EnvironmentAddress & { readonly platform: string };

/** Parameters of a path that names a component of an environment. */
export type ComponentAddress = PlatformAddress & { readonly component: string };

/** The namespaces of an environment's record. */
export function placeOf(environment: StoredRecord): EnvironmentPlace {
  const path = `${environment.namespace}/${environment.name}`;
  return { environment, design: environment.namespace, path, manifest: `${path}/manifest`, bom: `${path}/bom` };
}

/** The environment a request's path names. Throws a RefusedRequest (404). */
export function locatePlace(context: Context<EnvironmentAddress>): EnvironmentPlace {
  const assembly = locateAssembly(context, context.address.assembly);
  return placeOf(locateEnvironment(context, assembly, context.address.environment));
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
  const environment = store.records.byId(id);
  return environment?.className === 'manifest.Environment' ? placeOf(environment) : undefined;
}

/** The environment of a bom namespace (`/<o>/<a>/<e>/bom`); undefined when it no longer exists. */
export function placeOfBom(store: Context['store'], namespace: string): EnvironmentPlace | undefined {
  const { organization, assembly, environment } = namesIn(namespace);
  const record = store.records.byName(`/${organization}/${assembly}`, 'manifest.Environment', environment);
  return record === undefined ? undefined : placeOf(record);
}

/** Namespace of a manifest platform, its components, variables and attachments. */
export function platformNamespace(
  place: Pick<EnvironmentPlace, 'manifest'>,
  name: string,
  majorVersion: string,
): string {
  return `${place.manifest}/${name}/${majorVersion}`;
}

/** Namespace of the instances of a manifest platform: `…/manifest/web/1` → `…/bom/web/1`. */
export function instancesNamespace(
  place: Pick<EnvironmentPlace, 'manifest' | 'bom'>,
  platform: Pick<StoredRecord, 'namespace'>,
): string {
  return `${place.bom}${platform.namespace.slice(place.manifest.length)}`;
}

/** The class of the same tail in another package: `catalog.oneops.1.User` → `manifest.oneops.1.User`. */
export function classIn(packageName: 'catalog' | 'manifest' | 'bom', className: string): string {
  return className.replace(/^[a-z]+/, packageName);
}
