// Before the commit of an environment: what others took away there is set back, accepted or refused, and what they committed is named or refused.
import type { Deployment } from '../../api/contract';
import { changesOfOthers, environmentReleasesSince } from '../history/committed';
import type { Work } from '../kind';
import { holderKey } from '../session';
import { comingAlong, refuseAlong } from './along';
import {
  enable,
  type EnvironmentLoss,
  isRefreshed,
  lettingGo,
  lostInEnvironment,
  switchedOff,
} from './environment-losses';
import { lossLine, refuseLosses } from './losses';
import { isFirst } from './outcome';
import { doing } from './plan';

/** Whether something else than our last deployment may have taken platforms down: nothing that is read shows a disabled one. */
const mayBeDown = ({ known }: Work, newest: Deployment | undefined): boolean =>
  known?.['state'] !== 'complete' || newest?.deploymentId !== known['deploymentId'];

/**
 * Looks at what other people took away in the environment since the last deployment of this stack. A run that refreshed sets back what it can, and any
 * run turns on what a tear-down of this stack turned off; throws when something is lost that the file declares and does not accept.
 */
export async function takeBack(work: Work, before: Deployment | undefined): Promise<void> {
  // In an environment that this run made, nobody took anything away.
  if (work.session.records.of(holderKey('environment', work.id)).isMade) return;
  const since = Number(work.known?.['releaseId'] ?? 0);
  const lost = await lostInEnvironment(work, since);
  const isUncertain = isFirst(work) || mayBeDown(work, before);
  const { own, theirs } = isUncertain ? await switchedOff(work) : { own: [], theirs: [] };
  const all = [...lost, ...theirs.filter(({ subject }) => !lost.some((loss) => loss.subject === subject))];
  const isSetBack = ({ restore }: EnvironmentLoss): boolean => restore !== undefined && isRefreshed(work);
  const back = lettingGo(work, all).others.filter(isSetBack);
  refuseLosses(
    work,
    doing(work),
    all.filter((loss) => !back.includes(loss)),
  );
  const changes = await changesOfOthers(work, 'environment', await environmentReleasesSince(work, since));
  const along = [
    ...changes.filter(({ isByHand }) => isByHand),
    // What is not locked may have come with another user's pull: also what this run declares.
    ...comingAlong(
      work,
      changes.filter(({ isByHand }) => !isByHand),
    ),
  ];
  refuseAlong(work, along);
  work.session.stages.noteAlong(work.id, along);
  for (const { restore } of back) await restore?.();
  if (back.length > 0) work.notice(`set back as the file declares: ${back.map(lossLine).join('; ')}`);
  if (own.length === 0) return;
  await enable(
    work,
    own.map(({ ciId }) => ciId),
  );
}
