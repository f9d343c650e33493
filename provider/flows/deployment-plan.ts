// What a plan would do, before it is deployed: a plan that empties a declared platform stops (architecture §5, F12).
// It must not know how plans are made or carried out.
import { routes, type Release } from '../../api/contract';
import { LifecycleError } from '../../api/errors';
import type { Work } from '../verbs/verbs';
import { linkTexts, platformsOf } from './cloud-links';

/** Platform of a bom or manifest record: the sixth part of `/organization/assembly/environment/bom/web/1`. */
const platformOf = (nsPath: string): string => nsPath.split('/')[5] ?? '';

/**
 * Throws when a plan deletes every instance of a platform that is declared and has an active cloud: the service disables platforms whose
 * cloud lacks a service, and says nothing.
 */
export async function refuseEmptyingPlan(work: Work, release: Release): Promise<void> {
  const changes = release.rfc_cis ?? [];
  const platforms = [...new Set(changes.map((change) => platformOf(change.nsPath)))];
  const onlyDeletes = platforms.filter((platform) =>
    changes.every((change) => platformOf(change.nsPath) !== platform || change.rfcAction === 'delete'),
  );
  if (onlyDeletes.length === 0) return;
  const staying = (await platformsOf(work, work.at)).filter(
    (platform) =>
      onlyDeletes.includes(platform.ciName) &&
      (platform.consumes ?? []).some((link) => linkTexts(link.relationAttributes)['adminstatus'] === 'active'),
  );
  if (staying.length === 0) return;
  const instances = await work.api.call(routes.operations.environmentInstances, {
    address: work.at,
    query: { instances_state: 'all' },
  });
  const emptied = staying
    .map((platform) => platform.ciName)
    .filter((name) => {
      const deleted = new Set(
        changes.filter((change) => platformOf(change.nsPath) === name).map((change) => change.ciId),
      );
      return instances
        .filter((instance) => platformOf(instance.nsPath) === name)
        .every((instance) => deleted.has(instance.ciId));
    });
  if (emptied.length === 0) return;
  throw new LifecycleError(
    `the plan would delete every instance of ${emptied.join(', ')}, which is declared and has an active cloud; nothing was deployed`,
    'the service disables a platform whose cloud lacks a service it needs: compare the services of its clouds, then run pulumi up again',
  );
}

const UNFINISHED: { readonly [state: string]: string } = {
  none: 'an earlier run stopped before it deployed anything',
  active: 'its last deployment is still running',
  pending: 'its last deployment waits for an approval',
  paused: 'its last deployment is paused',
  failed: 'its last deployment failed',
  canceled: 'its last deployment was canceled',
};

/** Why an environment has to be deployed again though nothing of it changed; undefined when its last deployment is complete. */
export function unfinishedText(state: unknown): string | undefined {
  if (typeof state !== 'string' || state === 'complete') return undefined;
  return UNFINISHED[state] ?? `its last deployment is ${state}`;
}
