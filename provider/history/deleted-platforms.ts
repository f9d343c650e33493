// Platforms that somebody deleted in an environment, from the changes of records in its releases (service-facts §4.7.3).
// It must not know what the design has, nor how a finding is reported.
import { cacheGets } from '../session/client';
import { newestReleases, writtenBy, type Asking } from './environment-releases';
import type { SwitchedBy } from './change';

/** A platform whose last change in an environment is its deletion. */
export interface DeletedPlatform {
  readonly name: string;
  /** Who deleted it, and in which release. */
  readonly deleted: SwitchedBy;
  readonly isOpen: boolean;
}

/** Platforms that the newest releases of an environment delete, and that no later one adds again. Sends no request that `changedDependencies` does not. */
export async function deletedPlatforms(asking: Asking): Promise<readonly DeletedPlatform[]> {
  const { reads } = asking.session;
  const { releases } = await newestReleases({ ...asking, api: reads ? cacheGets(asking.api, reads) : asking.api });
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
