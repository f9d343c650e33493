// The open release of a design, a manifest or a plan, with its changes; and how it is discarded.
import type { Api } from '../../../api/client';
import { routes, type Record as WireRecord, type Release, type Relation } from '../../../api/contract';
import { orNone } from '../../../api/errors';
import { platformOf } from '../../../provider';
import { newestManifest, nounOf, pathOf, WITH_CHANGES } from '../../../provider/history';
import { writersOf } from '../../../provider/lifecycle';
import { isPlainObject } from '../../../provider/values';

export type ReleaseKind = 'design' | 'manifest' | 'bom';

/** An open release, and the changes that a discard would lose. */
export interface OpenRelease {
  readonly kind: ReleaseKind;
  readonly releaseId: number;
  /** Who opened it; empty if the service does not say. */
  readonly createdBy: string;
  /** When, in milliseconds since 1970. */
  readonly created: number;
  readonly changes: readonly OpenChange[];
  /** Notes on changes that the service does not list. */
  readonly unseen?: string;
}

export function openRelease(api: Api, place: NamedPlace, kind: ReleaseKind): Promise<OpenRelease | undefined> {
  if (kind === 'design') return openDesign(api, place);
  return kind === 'manifest' ? openManifest(api, place) : openPlan(api, place);
}

/** Discards an open release, and returns its state: one dialect refuses with 200 (§4.5.6). */
export async function discardRelease(api: Api, place: NamedPlace, { kind, releaseId }: OpenRelease): Promise<string> {
  const { assembly, environment = '' } = place;
  const release = String(releaseId);
  const answer =
    kind === 'design'
      ? await api.call(routes.designReleases.discard, { address: { assembly, release } })
      : kind === 'manifest'
        ? await api.call(routes.environments.discard, { address: { assembly, environment } })
        : await api.call(routes.environmentReleases.discard, { address: { assembly, environment, release } });
  return answer.releaseState;
}

const opened = (kind: ReleaseKind, release: Release, changes: readonly OpenChange[], unseen?: string): OpenRelease => ({
  kind,
  releaseId: release.releaseId,
  createdBy: release.createdBy ?? '',
  created: release.created ?? 0,
  changes,
  ...(unseen === undefined ? {} : { unseen }),
});

const isOpen = (release: Release | undefined): release is Release => release?.releaseState === 'open';

const isChanged = ({ rfcAction }: WireRecord): boolean => Boolean(rfcAction);

async function openDesign(api: Api, { assembly }: NamedPlace): Promise<OpenRelease | undefined> {
  const address = { assembly };
  const release = await orNone(api.call(routes.designReleases.latest, { address }));
  if (!isOpen(release)) return undefined;
  const [platforms, variables] = await Promise.all([
    api.call(routes.platforms.list, { address }),
    api.call(routes.designVariables.list, { address }),
  ]);
  const query = { committed: 'true', changes_only: 'false' };
  const inside = await Promise.all(
    platforms
      // Everything in a platform that is removed goes with it.
      .filter(({ rfcAction }) => rfcAction !== 'delete')
      .map(async (platform) => {
        const inPlatform = { ...address, platform: platform.ciName };
        const records = await api.call(routes.platforms.diff, { address: inPlatform, query });
        return records.filter((record) => isChanged(record) && !comesWith(record, platform));
      }),
  );
  const changes = [...platforms.filter(isChanged), ...inside.flat(), ...variables.filter(isChanged)].map(recordChange);
  return opened('design', release, changes, LINKS_UNSEEN);
}

const LINKS_UNSEEN =
  'the service does not list changes of links between platforms and of dependencies between components';

/** Whether a record was created with its platform, by the same user. */
const comesWith = (record: WireRecord, platform: WireRecord): boolean =>
  platform.rfcAction === 'add' &&
  record.rfcAction === 'add' &&
  (record.updatedBy ?? record.createdBy) === platform.createdBy &&
  record.createdBy === platform.createdBy;

async function openManifest(api: Api, place: NamedPlace): Promise<OpenRelease | undefined> {
  const address = { assembly: place.assembly, environment: place.environment ?? '' };
  const release = await newestManifest({ api, at: address }, 'open');
  if (!isOpen(release)) return undefined;
  if (release.rfc_cis === undefined) return opened('manifest', release, await listed(api, address), MOST_UNSEEN);
  const links = await linksIn(api, place, release);
  return opened('manifest', release, [...release.rfc_cis.map(recordChange), ...links]);
}

const MOST_UNSEEN =
  'the service does not list changes of attachments, of scaling, of clouds, and of platforms that were switched on or off';

/** Open changes that lists show: of platforms, components and variables. */
async function listed(
  api: Api,
  address: { readonly assembly: string; readonly environment: string },
): Promise<readonly OpenChange[]> {
  const [platforms, variables] = await Promise.all([
    api.call(routes.environmentPlatforms.list, { address }),
    api.call(routes.environmentVariables.list, { address }),
  ]);
  const inside = await Promise.all(
    platforms.map(async ({ ciName: platform }) => {
      const at = { ...address, platform };
      return Promise.all([
        api.call(routes.environmentPlatforms.components, { address: at }),
        api.call(routes.environmentPlatformVariables.list, { address: at }),
      ]);
    }),
  );
  return [...platforms, ...inside.flat(2), ...variables].filter(isChanged).map(recordChange);
}

async function openPlan(api: Api, place: NamedPlace): Promise<OpenRelease | undefined> {
  const address = { assembly: place.assembly, environment: place.environment ?? '' };
  const release = await orNone(api.call(routes.environmentReleases.bom, { address, query: WITH_CHANGES }));
  if (!isOpen(release)) return undefined;
  return opened('bom', release, (release.rfc_cis ?? []).map(recordChange));
}

/** Changes of relations that users make; those of new records follow from their ends. */
export async function linksIn(
  api: Api,
  { assembly, environment = '' }: NamedPlace,
  release: Release,
): Promise<readonly OpenChange[]> {
  const { rfc_relations: relations = [], rfc_cis: records = [] } = release;
  const born = new Set(records.flatMap(({ ciId, rfcAction }) => (rfcAction === 'add' ? [ciId] : [])));
  const own = relations.filter(
    ({ rfcAction, fromCiId, toCiId }) => rfcAction !== 'add' || !(born.has(fromCiId) || born.has(toCiId)),
  );
  if (own.length === 0) return [];
  const [platforms, clouds] = await Promise.all([
    api.call(routes.environmentPlatforms.list, { address: { assembly, environment } }),
    api.call(routes.clouds.list, {}),
  ]);
  const names = new Map([...platforms, ...clouds].map(({ ciId, ciName }) => [ciId, ciName]));
  return own.flatMap((relation) => linkChange(relation, names));
}

/** A change that is not committed, or not deployed. */
export interface OpenChange {
  /** `component web/tomcat`. */
  readonly what: string;
  readonly changeId: number;
  /** `add`, `update`, `replace` or `delete`. */
  readonly action: string;
  /** Names of the attributes that an update changes, by the service's own names. */
  readonly attributes: readonly string[];
  /** Its authors, each once; empty if the service does not name them. */
  readonly by: readonly string[];
  /** Time of the last write, in milliseconds since 1970. */
  readonly at: number;
}

export const recordChange = (record: WireRecord): OpenChange => ({
  what: subjectOf(record),
  changeId: record.rfcId ?? 0,
  action: record.rfcAction ?? 'update',
  attributes: record.rfcAction === 'update' ? Object.keys(record.ciBaseAttributes ?? {}).sort() : [],
  by: [...new Set(writersOf(record))],
  at: record.rfcUpdated ?? record.rfcCreated ?? record.updated ?? record.created ?? 0,
});

/** Noun and name of a record, from its class and its namespace (service-facts §2.1.7, §2.1.8). */
export const subjectOf = ({ component, ...record }: WireRecord & { readonly component?: unknown }): string =>
  `${record.ciClassName.startsWith('bom.') ? 'instance' : nounOf(record)} ${pathOf(record, nameOf(component))}`;

const nameOf = (record: unknown): string | undefined =>
  isPlainObject(record) && 'ciName' in record ? String(record['ciName']) : undefined;

/** Names of platforms and clouds by their numbers. */
type NamesByNumber = ReadonlyMap<number, string>;

/** Words for the relations that users change directly (service-facts §2.1.9). */
const MEANINGS: { readonly [relation: string]: (relation: Relation, names: NamesByNumber) => string } = {
  ComposedOf: ({ toCiId }, names) => `platform ${nameIn(names, toCiId)}: whether it is enabled`,
  Consumes: ({ fromCiId, nsPath, toCiId }, names) =>
    `platform ${names.get(fromCiId) ?? (platformOf({ nsPath }) || fromCiId)}: use of cloud ${nameIn(names, toCiId)}`,
  DependsOn: ({ nsPath, fromCiId }) => `platform ${platformOf({ nsPath }) || `of component ${fromCiId}`}: scaling`,
};

const nameIn = (names: NamesByNumber, number: number): string => names.get(number) ?? `number ${number}`;

/** The open change of a relation; undefined for relations that users do not change directly. */
function linkChange(relation: Relation, names: NamesByNumber): readonly OpenChange[] {
  const what = MEANINGS[relation.relationName.slice(relation.relationName.lastIndexOf('.') + 1)]?.(relation, names);
  if (what === undefined) return [];
  const base = relation['relationBaseAttributes'];
  return [
    {
      what,
      changeId: relation.rfcId ?? 0,
      action: relation.rfcAction ?? 'update',
      attributes: relation.rfcAction === 'update' && isPlainObject(base) ? Object.keys(base).sort() : [],
      by: [...new Set([relation.createdBy, relation.updatedBy].flatMap((name) => (name ? [name] : [])))],
      at: relation.updated ?? relation.created ?? 0,
    },
  ];
}

export interface NamedPlace {
  readonly assembly: string;
  readonly environment?: string | undefined;
}
