// The releases of an environment, and what their changes show, if listed (service-facts §4.7.3).
import {
  routes,
  type Attributes,
  type Deployment,
  type Record as WireRecord,
  type Relation,
  type Release,
} from '../../api/contract';
import { orNone } from '../../api/errors';
import { isPlainObject } from '../values/plain';
import type { Cause } from './change';
import type { Work } from '../kind';

/** The connection, and the environment that `at` names. */
export type Place = Pick<Work, 'api' | 'at'>;

/**
 * Who wrote a listed change, or made a platform; without a writer, who is behind the release. An
 * open change's record names its earlier writer.
 */
export const causeOf = (release: Release, change: Partial<WireRecord> = {}): Cause => ({
  who:
    change.rfcUpdatedBy ||
    change.rfcCreatedBy ||
    (change.rfcAction === 'add' && change.ciClassName === 'catalog.Platform' ? '' : change.updatedBy) ||
    change.createdBy ||
    release.commitedBy ||
    release.createdBy ||
    '',
  when:
    change.rfcUpdated ??
    change.rfcCreated ??
    change.updated ??
    change.created ??
    release.updated ??
    release.created ??
    0,
  releaseId: release.releaseId,
});

/** Who wrote the listed changes of a release. */
export const writersIn = (release: Release): readonly Cause[] => [
  ...(release.rfc_cis ?? []).map((change) => causeOf(release, change)),
  ...(release.rfc_relations ?? []).map((change) => causeOf(release, change)),
];

/** The committed releases among some, after one, oldest first. */
export const closedAfter = (releases: readonly Release[], after = 0): readonly Release[] =>
  releases
    .filter(({ releaseId, releaseState }) => releaseState === 'closed' && releaseId > after)
    .sort((one, other) => one.releaseId - other.releaseId);

export const isOfAnother = ({ createdBy, commitedBy }: Release, user: string | undefined): boolean =>
  [createdBy, commitedBy].some((name) => name && name !== user);

/** How many releases are read at most to find a change. */
export const FARTHEST = 25;

/** Whether a release is of the records of an environment, and no plan of it. */
export const isManifest = ({ nsPath }: { readonly nsPath?: string | null }): boolean =>
  nsPath?.endsWith('/manifest') === true;

/** The query that lists the changes of a release. */
export const WITH_CHANGES = { include_rfcs: 'true' };

/**
 * The newest release of the manifest that was not discarded, with its changes if listed, from the
 * timeline where `latest` is a plan (service-facts §13). `needs`: the changes of a closed one, too.
 */
export async function newestManifest(asking: Place, needs: 'all' | 'open' = 'all'): Promise<Release | undefined> {
  const { api, at } = asking;
  if ((await api.dialect()) !== 'documented') {
    const latest = await orNone(api.call(routes.environmentReleases.latest, { address: at, query: WITH_CHANGES }));
    if (latest === undefined || isManifest(latest)) return latest;
  }
  const { releases } = await happenedIn(asking);
  const first = releases.find((each) => isManifest(each) && each.releaseState !== 'canceled');
  if (first?.releaseState === 'closed') return needs === 'all' ? readRelease(asking, first.releaseId) : first;
  return first && readRelease(asking, first.releaseId);
}

/** The newest releases of an environment in any state, and its newest deployments: one page. */
async function happenedIn({ api, at }: Place) {
  const events = (await orNone(api.call(routes.environments.timeline, { address: at, query: { size: '100' } }))) ?? [];
  const isDeployment = (event: Release | Deployment): event is Deployment => 'deploymentState' in event;
  const releases = events.filter((event): event is Release => !isDeployment(event));
  return {
    releases: releases.sort((one, other) => other.releaseId - one.releaseId),
    deployments: events.filter(isDeployment).sort((one, other) => other.deploymentId - one.deploymentId),
  };
}

/** The newest deployment of an environment if it is surely this one, and over. */
export async function stillNewest(asking: Place, deploymentId: number): Promise<Deployment | undefined> {
  const [newest] = await deploymentsIn(asking);
  const isOver = newest !== undefined && ['complete', 'canceled'].includes(newest.deploymentState);
  return isOver && newest.deploymentId === deploymentId ? newest : undefined;
}

/** The newest deployments of an environment, newest first, as far as one page shows them. */
export const deploymentsIn = async (asking: Place): Promise<readonly Deployment[]> =>
  (await happenedIn(asking)).deployments;

/** The open release of an environment with its changes, by the page that shows its deployments. */
export async function openRelease(asking: Place): Promise<Release | undefined> {
  const { releases } = await happenedIn(asking);
  const open = releases.find((each) => isManifest(each) && each.releaseState === 'open');
  return open && readRelease(asking, open.releaseId);
}

/** The releases of an environment to one at least: from one page, or else the whole list. */
export async function releasesTo(asking: Place, releaseId: number): Promise<readonly Release[]> {
  const { releases } = releaseId === 0 ? { releases: [] } : await happenedIn(asking);
  const isWhole = releases.some((each) => each.releaseId <= releaseId);
  return isWhole ? releases : asking.api.call(routes.environmentReleases.list, { address: asking.at });
}

export const endedAfter = async (asking: Place, releaseId: number): Promise<readonly Release[]> =>
  (await releasesTo(asking, releaseId)).filter((each) => each.releaseState !== 'open' && each.releaseId > releaseId);

/**
 * The newest design release that an environment has pulled, at least `known`; 0 without one. Later
 * ones are read, newest first: a change of clouds names one, too, and pulls nothing. `upTo`: the
 * last release of the environment that counts.
 */
export async function newestPull(
  asking: Place,
  { known = 0, upTo = Infinity }: { readonly known?: number; readonly upTo?: number } = {},
): Promise<number> {
  const later = (await closedReleases(asking)).filter(
    ({ releaseId, parentReleaseId }) => releaseId <= upTo && (parentReleaseId ?? 0) > known,
  );
  for (const { releaseId, parentReleaseId } of later.toReversed())
    if (!setsCloudsAlone(await readRelease(asking, releaseId))) return parentReleaseId ?? known;
  return known;
}

/** The newest release of the manifest that was deployed: a plan of it is closed. */
export const newestDeployed = (all: readonly Release[]): number =>
  Math.max(
    0,
    ...all.map((each) => (!isManifest(each) && each.releaseState === 'closed' ? (each.parentReleaseId ?? 0) : 0)),
  );

/** The newest design release that an environment has pulled and deployed, at least `known`. */
export async function newestDeployedPull(asking: Place, known: number): Promise<number> {
  const all = await asking.api.call(routes.environmentReleases.list, { address: asking.at });
  return newestPull(asking, { known, upTo: newestDeployed(all) });
}

/** The newest design release that releases of the manifest name, before one if given; 0 without one. */
export const parentBefore = (list: readonly Release[], releaseId = Infinity): number =>
  Math.max(0, ...list.map((each) => (each.releaseId < releaseId ? (each.parentReleaseId ?? 0) : 0)));

/** Relations to clouds, and switches: a pull adds those of a new platform, and changes none. */
export const NEVER_PULLED: readonly string[] = ['base.Consumes', 'manifest.ComposedOf'];

/** Whether a release changes nothing but relations to clouds, or switches. */
export const setsCloudsAlone = ({ rfc_cis: records, rfc_relations: relations }: Release): boolean =>
  records?.length === 0 && relations?.every(({ relationName }) => NEVER_PULLED.includes(relationName)) === true;

/** The closed releases of the manifest before its newest one, or all of them, oldest first. */
export async function closedReleases({ api, at }: Place, newest?: Release): Promise<readonly Release[]> {
  const ended = await api.call(routes.environmentReleases.list, { address: at });
  return closedAfter(ended.filter((each) => isManifest(each) && each.releaseId < (newest?.releaseId ?? Infinity)));
}

/**
 * The newest releases of the manifest with changes, oldest first, and whether these are all.
 * `isAll`: reads none where there are more than `most`, since only all of them help.
 */
export async function newestReleases(
  asking: Place,
  { most = FARTHEST, isAll = false }: { readonly most?: number; readonly isAll?: boolean } = {},
): Promise<{ readonly releases: readonly Release[]; readonly walk: Walk }> {
  const newest = await newestManifest(asking);
  if (newest === undefined) return { releases: [], walk: 'whole' };
  if (newest.rfc_relations === undefined) return { releases: [], walk: 'unlisted' };
  const closed = await closedReleases(asking, newest);
  const walk = closed.length > most ? 'too far' : 'whole';
  const releases: Release[] = [];
  for (const { releaseId } of isAll && walk === 'too far' ? [] : closed.slice(-most))
    releases.push(await readRelease(asking, releaseId));
  const isListed = releases.every(({ rfc_relations: changes }) => changes !== undefined);
  return { releases: [...releases, newest], walk: isListed ? walk : 'unlisted' };
}

/** The oldest closed releases of the manifest with changes: the first created most records. */
async function* oldestReleases(asking: Place): AsyncGenerator<Release> {
  for (const { releaseId } of (await closedReleases(asking)).slice(0, FARTHEST))
    yield await readRelease(asking, releaseId);
}

/**
 * How a record of the manifest was created, if a release that can be read shows it. `isWritten`:
 * somebody may have set attributes before its first commit (service-facts §2.1.1).
 */
export async function bornWith(asking: Place, ciId: number) {
  for await (const { rfc_cis: records } of oldestReleases(asking)) {
    if (records === undefined) return undefined;
    const change = records.find((each) => each.ciId === ciId && each.rfcAction === 'add');
    if (change) return { attributes: change.ciAttributes, isWritten: Boolean(change.updatedBy) };
  }
  return undefined;
}

/**
 * The attributes that a platform's pack gave its relations, without those that somebody set before
 * the first commit, relations that no release shows, and an earlier version of the pack.
 */
export async function relationBases(
  asking: Place,
  platform: WireRecord,
  relations: readonly Relation[],
): Promise<ReadonlyMap<number, Attributes>> {
  const bases = new Map<number, Attributes>();
  const sought = new Set(relations.map(({ ciRelationId }) => ciRelationId));
  if (sought.size === 0) return bases;
  const current = packOf({ ...platform.ciAttributes, ...platform.ciBaseAttributes });
  let pack = '';
  for await (const { rfc_cis: records, rfc_relations: changes } of oldestReleases(asking)) {
    if (records === undefined || changes === undefined) return bases;
    pack =
      records.filter(({ ciId }) => ciId === platform.ciId).map(({ ciAttributes }) => packOf(ciAttributes))[0] ?? pack;
    for (const change of changes)
      if (change.rfcAction === 'add' && sought.delete(change.ciRelationId) && pack === current)
        bases.set(change.ciRelationId, unsetAttributes(change));
    if (sought.size === 0) return bases;
  }
  return bases;
}

const packOf = (attributes: Attributes): string =>
  ['source', 'pack', 'version', 'pack_digest'].map((name) => attributes[name] ?? '').join(' ');

/** Attributes of a new relation that nobody set: if written without a lock, any may be set. */
function unsetAttributes({ relationAttributes, relationAttrProps, updatedBy }: Relation): Attributes {
  const locked = Object.keys(relationAttrProps?.owner ?? {});
  if (updatedBy && locked.length === 0) return {};
  return Object.fromEntries(Object.entries(relationAttributes).filter(([name]) => !locked.includes(name)));
}

/** An assembly, whose design is meant, or an environment of it. */
interface ReleasePlace {
  readonly api: Place['api'];
  readonly at: { readonly assembly?: string | undefined; readonly environment?: string | undefined };
}

/** A release of a design or of an environment, with its changes. */
export function readRelease(
  { api, at: { assembly = '', environment } }: ReleasePlace,
  releaseId: number | string,
): Promise<Release> {
  const address = { assembly, release: String(releaseId) };
  return environment === undefined
    ? api.call(routes.designReleases.read, { address, query: WITH_CHANGES })
    : api.call(routes.environmentReleases.read, { address: { ...address, environment }, query: WITH_CHANGES });
}

/** An attribute of a relation before a change; undefined when the change does not show it. */
export function textBefore(change: Relation, name: string): string | undefined {
  const base = change['relationBaseAttributes'];
  return isPlainObject(base) && typeof base[name] === 'string' ? base[name] : undefined;
}

/** Names of the attributes of a relation that a change gives another value. */
export const attributesSetBy = (change: Relation): readonly string[] =>
  Object.entries(change.relationAttributes).flatMap(([name, text]) =>
    (textBefore(change, name) ?? text) === text ? [] : [name],
  );

/** How a search of releases ended: complete, without lists of changes, or at the limit. */
export type Walk = 'whole' | 'unlisted' | 'too far';
