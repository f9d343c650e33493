// Plans of an environment whose platforms are enabled: a disabled one is emptied by a plan, or left out of it, and no list shows that it is disabled.
// It must not know how a plan is carried out.
import type { Environment, Record as WireRecord, Release } from '../../../api/contract';
import type { Work } from '../../model';
import { componentsLostByPlan } from '../../deploy/design-losses';
import { deletedByPlan, enable, linksLostByPlan, switchedOff } from '../../deploy/environment-losses';
import { refuseLosses } from '../../deploy/losses';
import { commitEnvironment } from '../../commit/commit-environment';
import { disabledFor, emptiedPlatforms, refuseEmptying } from './plan';
import { openBom } from '../../deploy/start';
import { JobFailed } from '../../verbs/failures';
import { forgetSwitches } from '../../history/platform-switch';

/**
 * Commits, and answers the plan. Throws when it takes down what other people deleted or switched off, and the file declares. What this stack or the
 * service itself disabled is enabled and committed again; throws when that does not help.
 */
export async function planEnabled(
  work: Work,
  comment: string,
): Promise<{ readonly release: Release | undefined; readonly environment: Environment }> {
  const environment = await commitEnvironment(work, comment);
  const release = await openBom(work);
  if (release === undefined) return { release, environment };
  refuseLosses(work, doing(work), await deletedByPlan(work, release));
  refuseLosses(work, doing(work), await linksLostByPlan(work, release));
  refuseLosses(work, doing(work), await componentsLostByPlan(work, release));
  const emptied = await disabledByPlan(work, release);
  if (emptied.length === 0) return { release, environment };
  work.notice(`${emptied.map(({ ciName }) => ciName).join(', ')} was disabled: enabled again`);
  await enable(
    work,
    emptied.map(({ ciId }) => ciId),
  );
  const again = await commitEnabled(work, comment, emptied);
  const next = await openBom(work);
  if (next) refuseEmptying(await disabledByPlan(work, next));
  return { release: next, environment: again };
}

/** `deploy prod`. */
export const doing = (work: Work): string => `deploy ${work.at['environment'] ?? work.id}`;

/** Platforms that a plan empties because they are disabled, without those that other people disabled: of these it throws where the file does not accept it. */
async function disabledByPlan(work: Work, release: Release): Promise<readonly WireRecord[]> {
  const emptied = await emptiedPlatforms(work, release);
  if (emptied.length === 0) return [];
  forgetSwitches(work);
  const names = emptied.map(({ ciName }) => ciName);
  const { own, theirs } = await switchedOff(work);
  refuseLosses(
    work,
    doing(work),
    theirs.filter(({ platform }) => names.includes(platform)),
  );
  return own.filter(({ ciName }) => names.includes(ciName));
}

async function commitEnabled(work: Work, comment: string, enabled: readonly WireRecord[]): Promise<Environment> {
  try {
    return await commitEnvironment(work, comment);
  } catch (error) {
    if (!(error instanceof JobFailed)) throw error;
    throw disabledFor(enabled, error);
  }
}
