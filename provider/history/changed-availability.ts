// The availability of platforms that somebody changed in an environment, from the changes of records in its releases (service-facts §4.7.3). A platform
// that is not redundant lists no scaling, and a pull never sets its availability back.
import type { Release } from '../../api/contract';
import { type Asking, newestReleases, writtenBy } from './environment-releases';
import type { SwitchedBy } from './change';

/** A platform whose availability is another one than that of its first pull. */
export interface ChangedAvailability {
  readonly platform: string;
  readonly before: string;
  readonly now: string;
  /** Who changed it, and in which release. */
  readonly set: SwitchedBy;
  readonly isOpen: boolean;
}

type Changes = ReadonlyMap<string, ChangedAvailability>;

/** What the newest releases of an environment change. Sends no request that `changedDependencies` does not. */
export async function changedAvailability(asking: Asking): Promise<readonly ChangedAvailability[]> {
  const { releases } = await newestReleases(asking);
  const committed = releases.filter(({ releaseState }) => releaseState !== 'open').reduce(changedBy, new Map());
  const open = releases.filter(({ releaseState }) => releaseState === 'open').reduce(changedBy, committed);
  // A change that is not committed takes nothing back yet.
  const changed: Changes = new Map([...open, ...committed].filter(([, { before, now }]) => before !== now));
  return [...changed.values()];
}

/** What is changed after a release. */
function changedBy(known: Changes, release: Release): Changes {
  const changed = new Map(known);
  for (const change of release.rfc_cis ?? []) {
    if (change.ciClassName !== 'manifest.Platform') continue;
    const { ciName: platform, rfcAction, ciAttributes, ciBaseAttributes } = change;
    const [now, old] = [ciAttributes['availability'], ciBaseAttributes?.['availability']];
    if (rfcAction !== 'update') changed.delete(platform);
    else if (typeof now === 'string' && typeof old === 'string') {
      const before = changed.get(platform)?.before ?? old;
      changed.set(platform, {
        platform,
        before,
        now,
        set: writtenBy(release, change),
        isOpen: release.releaseState === 'open',
      });
    }
  }
  return changed;
}

/** A platform whose last change in an environment is its deletion. */
export interface DeletedPlatform {
  readonly name: string;
  /** Who deleted it, and in which release. */
  readonly deleted: SwitchedBy;
  readonly isOpen: boolean;
}

/** Platforms that the newest releases of an environment delete, and that no later one adds again. Sends no request that `changedDependencies` does not. */
export async function deletedPlatforms(asking: Asking): Promise<readonly DeletedPlatform[]> {
  const { releases } = await newestReleases(asking);
  const found = new Map<string, DeletedPlatform>();
  for (const release of releases)
    for (const change of release.rfc_cis ?? []) {
      const { ciClassName, ciName, rfcAction } = change;
      if (ciClassName !== 'manifest.Platform') continue;
      const deleted = writtenBy(release, change);
      if (rfcAction === 'delete') found.set(ciName, { name: ciName, deleted, isOpen: release.releaseState === 'open' });
      // A platform that is to be deleted can be updated until it is: only an addition brings it back.
      else if (rfcAction === 'add') found.delete(ciName);
    }
  return [...found.values()];
}
