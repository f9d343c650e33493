// Plans of an environment whose platforms are enabled: a disabled one is emptied by a plan, or left out of it, and no list shows that it is disabled.
// It must not know how a plan is carried out.
import { routes, type Environment, type Record as WireRecord, type Release } from '../../../api/contract';
import { holderKey } from '../../session';
import type { Work } from '../../model';
import { commitEnvironment } from '../../releases/commit-environment';
import { disabledFor, emptiedPlatforms, refuseEmptying } from './plan';
import { downOnPurpose } from '../../releases/down-on-purpose';
import { openBom } from '../../releases/deployment-start';
import { JobFailed } from '../../releases/failures';

/**
 * Commits, and answers the plan. When the plan takes everything of a declared platform down, the platform is disabled: it is enabled and committed
 * again. Throws when that does not help.
 */
export async function planEnabled(
  work: Work,
  comment: string,
): Promise<{ readonly release: Release | undefined; readonly environment: Environment }> {
  const environment = await commitEnvironment(work, comment);
  const release = await openBom(work);
  const emptied = release ? await emptiedPlatforms(work, release) : [];
  if (emptied.length === 0) return { release, environment };
  work.notice(`${emptied.map(({ ciName }) => ciName).join(', ')} was disabled: enabled again`);
  await enable(work, emptied);
  const again = await commitEnabled(work, comment, emptied);
  const next = await openBom(work);
  if (next) refuseEmptying(await emptiedPlatforms(work, next));
  return { release: next, environment: again };
}

async function commitEnabled(work: Work, comment: string, enabled: readonly WireRecord[]): Promise<Environment> {
  try {
    return await commitEnvironment(work, comment);
  } catch (error) {
    if (!(error instanceof JobFailed)) throw error;
    throw disabledFor(enabled, error);
  }
}

/**
 * A former tear-down may have disabled the platforms, and nothing shows it: else "nothing to deploy" would be a false success (F12). In an
 * environment that was made in this run nobody did.
 */
export async function enableAll(work: Work): Promise<void> {
  if (work.session.records.isMade(holderKey(work.session, 'environment', work.id))) return;
  const down = downOnPurpose(work);
  const all = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const platforms = all.filter(({ ciName }) => !down.has(ciName));
  if (platforms.length > 0) await enable(work, platforms);
}

/** Enables platforms of the environment, as an open change. */
export async function enable(work: Work, platforms: readonly WireRecord[]): Promise<void> {
  await work.api.call(routes.environments.enable, {
    address: work.at,
    body: { platformCiIds: platforms.map((platform) => String(platform.ciId)) },
  });
}
