// After a deployment: what runs is compared with what the file declares.
import { Incomplete } from '../address/live';
import type { Work } from '../kind';
import { commitAndDeploy } from './carry-out';
import { downOnPurpose } from './declared-records';
import { causesOf, enable, switchedOff } from './losses/cause';
import { deploying, lossError, lossLine, withoutAccepted } from './losses/loss';
import { idsOf, interrupted, type Outcome, releaseKnown, type Seen } from './outcome';
import { lookAtRunning, runningIn, runningText, type Look } from './running';
import { wordsAt } from '../values/plain';

/**
 * Enables and deploys again what a cut-off destroy, or the service, left off. Throws when less runs
 * than declared for a reason that is neither in the file nor accepted.
 */
export async function compareWithFile(work: Work, outcome: Outcome): Promise<Seen> {
  const look = await lookAtRunning(work, outcome.release === undefined);
  const { less, fallen } = lessThanBefore(work, look);
  const causes = await causesOf(work, { gone: [], maybeOff: less, linked: less, scaled: fallen, isAnyones: true });
  const lost = await withoutAccepted(work, causes);
  if (lost.length > 0) {
    const isLost = ([key]: readonly [string, number]): boolean =>
      lost.some(({ platform }) => key.startsWith(`${platform}/`));
    const before = [...runningIn(work.known?.['running'])].filter(isLost);
    // The next run finds the same causes: those after the last complete run's release.
    const releaseId = releaseKnown(work);
    const state = lost.map(lossLine).join('; ');
    const running = runningText(new Map([...look.counts, ...before]));
    throw new Incomplete(interrupted(work, { ...idsOf(outcome), releaseId, running, state }), [
      lossError(deploying(work), lost).message,
    ]);
  }
  const { own } = look.idle.length === 0 ? { own: [] } : await switchedOff(work);
  const idle = look.idle.filter(({ ciId }) => own.some(({ platform }) => platform.ciId === ciId));
  if (idle.length === 0) return { ...outcome, look };
  const names = idle.map(({ ciName }) => ciName).join(', ');
  work.notice(`nothing ran of ${names}: enabled, and deployed again`);
  await enable(work, idle);
  const again = await commitAndDeploy(work, outcome.deployment, `pulumi up: brings ${names} back`);
  const then = await lookAtRunning(work);
  if (then.idle.length === 0) return { ...again, look: then };
  const still = then.idle.map(({ ciName }) => ciName).join(', ');
  throw new Incomplete(interrupted(work, { ...idsOf(again), state: `nothing runs of ${still}` }), [
    `nothing runs of ${still} in ${work.id}, although the service found nothing left to deploy; look at its platforms and clouds in the service, ` +
      'then run pulumi up again',
  ]);
}

/**
 * Names of platforms. `fallen`: less runs of them than after the last deployment. `less`: these, and
 * those of which nothing runs, or nothing on some declared cloud.
 */
function lessThanBefore(work: Work, { platforms, counts, idle }: Look) {
  const before = [...runningIn(work.known?.['running'])];
  const clouds = wordsAt(work.args, 'clouds');
  const down = downOnPurpose(work);
  const names = platforms.map(({ ciName }) => ciName);
  const fallen = names.filter((name) =>
    before.some(([key, count]) => key.startsWith(`${name}/`) && (counts.get(key) ?? 0) < count),
  );
  const isEmpty = (name: string): boolean =>
    !down.has(name) && clouds.some((cloud) => (counts.get(`${name}/${cloud}`) ?? 0) === 0);
  return { less: [...new Set([...idle.map(({ ciName }) => ciName), ...fallen, ...names.filter(isEmpty)])], fallen };
}
