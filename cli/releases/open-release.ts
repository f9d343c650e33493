// Reads the open release of a design, of an environment's manifest, or of its plan, with its changes; and discards it.
import type { Api } from '../../api/client';
import { routes, type Record as WireRecord, type Release } from '../../api/contract';
import { orNone } from '../../api/errors';
import type { NamedPlace } from '../place';
import { linkChange, recordChange, type OpenChange } from './changes';

/** The kind of a release. */
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

/** The open release of a kind; undefined if none is open. */
export function openRelease(api: Api, place: NamedPlace, kind: ReleaseKind): Promise<OpenRelease | undefined> {
  if (kind === 'design') return openDesign(api, place);
  return kind === 'manifest' ? openManifest(api, place) : openPlan(api, place);
}

/** Discards an open release, and returns the state that the service then reports: one dialect refuses with status 200 (service-facts §4.5.6). */
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
        const records = await api.call(routes.platforms.diff, {
          address: { ...address, platform: platform.ciName },
          query,
        });
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

const WITH_CHANGES = { include_rfcs: 'true' };

const isManifest = ({ nsPath }: { readonly nsPath: string }): boolean => nsPath.endsWith('/manifest');

async function openManifest(api: Api, place: NamedPlace): Promise<OpenRelease | undefined> {
  const address = { assembly: place.assembly, environment: place.environment ?? '' };
  const release = await newestManifest(api, address);
  if (!isOpen(release)) return undefined;
  if (release.rfc_cis === undefined) return opened('manifest', release, await listed(api, address), MOST_UNSEEN);
  const links = await linksIn(api, place, release);
  return opened('manifest', release, [...release.rfc_cis.map(recordChange), ...links]);
}

const MOST_UNSEEN =
  'the service does not list changes of attachments, of scaling, of clouds, and of platforms that were switched on or off';

/** The newest manifest release, with its changes if the service returns them. In one dialect only the timeline shows an open release (service-facts §13 row 9). */
async function newestManifest(
  api: Api,
  address: { readonly assembly: string; readonly environment: string },
): Promise<Release | undefined> {
  const latest = await orNone(api.call(routes.environmentReleases.latest, { address, query: WITH_CHANGES }));
  if (latest !== undefined && isManifest(latest)) return latest;
  const happened = await api.call(routes.environments.timeline, { address });
  const open = happened.find((each) => isManifest(each) && each['releaseState'] === 'open');
  if (open === undefined) return undefined;
  const release = String(open.releaseId);
  return api.call(routes.environmentReleases.read, { address: { ...address, release }, query: WITH_CHANGES });
}

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

/** Changes of relations that users make directly; those of new records follow from the records that they connect. */
async function linksIn(
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
