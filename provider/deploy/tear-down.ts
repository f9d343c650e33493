// Takes an environment down, unless it is to be retained, or others use the assembly.
import { type Deployment, routes } from '../../api/contract';
import { cancelDeployment } from './follow';
import { newestDeployment } from '../commit/commit-environment';
import { deploymentsIn } from '../history/environment-releases';
import { openEnvironment } from '../commit/environment-changes';
import { ownToDeploy } from '../commit/foreign-changes';
import { refuseForeignChanges } from '../commit/open-changes';
import { isOutage, LifecycleError, orElse } from '../errors';
import type { Work } from '../kind';
import { environmentOf } from '../verbs/presence';
import { commitAndDeploy } from './carry-out';
import { nameInAssembly, nameInEnvironment, nameOpen, refuseWithOthers, takesAssembly } from './others/taken-down';
import { isDeclared, memoryOfStage, stageKey } from '../session';

/** Words on the deployment that takes everything down. */
const TEAR_DOWN = 'pulumi destroy';

/** Whether a deployment takes everything down, in a destroy of any stack. */
export const isTearDown = ({ comments }: Deployment): boolean => comments === TEAR_DOWN;

/** Takes everything down: cancel what lives, disable, commit, deploy, wait. */
export async function tearDown(work: Work): Promise<void> {
  const environment = await environmentOf(work);
  if (!environment) return;
  if (work.known?.['onDelete'] === 'retain') {
    work.session.memory.note(stageKey('environment', work.at), { isRetained: true });
    return;
  }
  const known = Number(work.known?.['ciId'] ?? 0);
  if (known > 0 && environment.ciId !== known) {
    const found = `${work.id} is another environment than the one this stack deployed: ${environment.ciId} instead of ${known}; what runs there stays`;
    // It keeps the assembly: without an error, the engine forgets platforms that are still there.
    if (work.session.isDestroy() && work.known?.['environments'] !== undefined)
      throw new LifecycleError(
        `${found}, and so does the assembly`,
        'pulumi up --refresh takes it over, or says whose it is; then destroy again',
      );
    work.notice(found);
    return;
  }
  if (takesAssembly(work)) {
    await refuseWithOthers(work);
    await nameInAssembly(work);
  }
  const list = () => work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const own = { ...work, args: work.known ?? {} };
  let platforms = await list();
  // An environment that stays keeps what is committed with this. Meanwhile others may add platforms.
  const isStaying = platforms.length > 0 && isDeclared(memoryOfStage(work, 'environment'));
  if (isStaying && (await refuseForeignChanges(own, openEnvironment(own, ownToDeploy(own))))) {
    work.session.answers.lookAgain(work.at, true);
    platforms = await list();
  }
  await nameInEnvironment(work, platforms);
  if (!isStaying) await orElse(nameOpen(work, platforms), undefined, isOutage);
  const [before = await newestDeployment(work)] = await orElse(deploymentsIn(work), [], isOutage);
  if (before) await cancelDeployment(work, before);
  if (platforms.length === 0) return;
  work.progress('disables every platform');
  await work.api.call(routes.environments.disable, {
    address: work.at,
    body: { platformCiIds: platforms.map((platform) => String(platform.ciId)) },
  });
  await commitAndDeploy(own, before, TEAR_DOWN, { emptying: true });
}
