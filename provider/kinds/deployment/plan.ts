// What a plan would do, before it is deployed: a plan that empties a declared platform is not carried out (architecture §5, F12).
// It must not know how plans are made or carried out.
import { routes, type EnvironmentPlatform, type Record as WireRecord, type Release } from '../../../api/contract';
import { LifecycleError } from '../../errors';
import type { Work } from '../../model';
import { linkTexts, platformsOf } from '../environment/cloud-links';
import { downOnPurpose } from '../../deploy/down-on-purpose';
import { platformOf } from '../../address/namespace';

/**
 * Platforms of which a plan deletes every instance although they are declared to run and have an active cloud: disabled ones. A tear-down that was cut off
 * leaves them so, and so does the service when a cloud lacks a service they need, without a word.
 */
export async function emptiedPlatforms(work: Work, release: Release): Promise<readonly EnvironmentPlatform[]> {
  const changes = release.rfc_cis ?? [];
  const down = downOnPurpose(work);
  const platforms = [...new Set(changes.map((change) => platformOf(change)))].filter((name) => !down.has(name));
  const onlyDeletes = platforms.filter((platform) =>
    changes.every((change) => platformOf(change) !== platform || change.rfcAction === 'delete'),
  );
  if (onlyDeletes.length === 0) return [];
  const staying = (await platformsOf(work, work.at)).filter(
    (platform) =>
      onlyDeletes.includes(platform.ciName) &&
      (platform.consumes ?? []).some((link) => linkTexts(link.relationAttributes)['adminstatus'] === 'active'),
  );
  if (staying.length === 0) return [];
  const instances = await work.api.call(routes.operations.environmentInstances, {
    address: work.at,
    query: { instances_state: 'all' },
  });
  return staying.filter(({ ciName }) => {
    const deleted = new Set(changes.filter((change) => platformOf(change) === ciName).map((change) => change.ciId));
    return instances
      .filter((instance) => platformOf(instance) === ciName)
      .every((instance) => deleted.has(instance.ciId));
  });
}

const namesOf = (platforms: readonly WireRecord[]): string => platforms.map(({ ciName }) => ciName).join(', ');

/** Throws when platforms are still emptied once they were enabled. */
export function refuseEmptying(emptied: readonly WireRecord[]): void {
  if (emptied.length === 0) return;
  throw new LifecycleError(
    `the plan would delete every instance of ${namesOf(emptied)}, which is declared, enabled and has an active cloud; nothing was deployed`,
    'look at the platform and its clouds in the service, then run pulumi up again',
  );
}

/** Platforms were disabled, and with them enabled no plan can be made: nothing was deployed. */
export const disabledFor = (platforms: readonly WireRecord[], { message }: Error): LifecycleError =>
  new LifecycleError(
    `the service had disabled ${namesOf(platforms)}, and its plan would have deleted every instance; enabled again, ${message}`,
    'the service disables a platform whose cloud lacks a service it needs: compare the services of its clouds, then run pulumi up again; nothing was deployed',
  );

const UNFINISHED: { readonly [state: string]: string } = {
  none: 'an earlier run stopped before it deployed anything',
  active: 'its last deployment is still running',
  pending: 'its last deployment waits for an approval',
  paused: 'its last deployment is paused',
  failed: 'its last deployment failed',
  canceled: 'its last deployment was canceled',
  planned: 'what was committed there is not deployed',
};

/** Why an environment has to be deployed again though nothing of it changed; undefined when its last deployment is complete. */
export function unfinishedText(state: unknown): string | undefined {
  if (typeof state !== 'string' || state === 'complete') return undefined;
  return UNFINISHED[state] ?? (state.includes(' ') ? state : `its last deployment is ${state}`);
}
