// Pulls: an environment takes over the committed design (service-facts §4.7.2). One at a time in each environment, for all rows of a run.
import { routes } from '../../../api/contract';
import { inSharedTurn, inTurn } from '../../session';
import { commitEnvironment } from '../../commit/commit-environment';
import { openEnvironment } from '../../commit/environment-changes';
import { environmentWork, lookAtPull } from '../../deploy/brought';
import { environmentId } from '../../commit/own-records';
import { ownLeftovers } from '../../commit/foreign-changes';
import { mindOthers } from '../../commit/open-changes';
import {
  committedPlatforms,
  expectAllPulled,
  noteRenewed,
  platformsThere,
  pullReplacing,
  replacedPlatforms,
} from '../../deploy/platform-replacement';
import { newestManifest } from '../../history/environment-releases';
import { JobFailed, sendUnlocked, settledEnvironment } from '../../verbs/waiting';
import type { Work } from '../../kind';
import { availabilityBody } from './platform-availability';

/**
 * Pulls the committed design. Throws, before it pulls, when that would take a platform down that nobody declared may go; and afterwards, when the
 * environment lacks a platform of the design.
 */
export const pullEnvironment = (work: Work): Promise<void> =>
  inTurn(work.session, pullKey(work), () => pullInTurn(work));

/**
 * The same for what was given back in an environment: the pull copies the design's value, which no read shows. Rows that request it while another
 * pull runs share the next one. What the environment declares, its clouds for example, decides about the pull, whichever row asks for it.
 */
export const followDesign = (work: Work): Promise<void> =>
  inSharedTurn(work.session, pullKey(work), () => pullInTurn(environmentWork(work)));

/** An environment takes one pull at a time (service-facts §3.8). */
const pullKey = (work: Work): string => `pull ${environmentId(work)}`;

async function pullInTurn(work: Work): Promise<void> {
  const design = await committedPlatforms(work);
  const there = await platformsThere(work);
  await lookAtPull(work, design, there);
  const replaced = await replacedPlatforms(work, there, design);
  const pull = (): Promise<void> => pullOnce(work);
  await (replaced.length === 0 ? pull() : pullReplacing(work, replaced, pull));
  noteRenewed(work);
  await expectAllPulled(work);
}

/** How often a failed pull is sent without a look at why it failed: in most cases one commit is in its way. */
const ATTEMPTS = 3;
/** Milliseconds in which the other rows of a run end their writes. */
const LIMIT = 15 * 60_000;

/** One pull. What is open in the environment is committed first, never discarded: no pull goes through in addition to it. */
async function pullOnce(work: Work): Promise<void> {
  const body = { platform_availability: await availabilityBody(work), async: 'true' };
  const end = work.session.clock.now() + LIMIT;
  for (let attempt = 1; ; attempt += 1) {
    await sendUnlocked(work, () => work.api.call(routes.environments.pull, { address: work.at, body }));
    work.session.stages.notePulled(environmentId(work));
    try {
      await settledEnvironment(work, 'pulling the design');
      return;
    } catch (error) {
      // An open release of the environment makes every pull fail (service-facts §4.7.2).
      if (!(error instanceof JobFailed) || work.session.clock.now() > end) throw error;
      if (attempt >= ATTEMPTS && !(await isOpen(work))) throw error;
    }
    await commitLeftovers(work);
  }
}

/** Whether a release is open in the environment: while a pull waited for the commit before it, another row of the run may have written there. */
const isOpen = async (work: Work): Promise<boolean> => (await newestManifest(work, 'open'))?.releaseState === 'open';

/** Closes the environment's open release. Whether its plan can be built does not matter here: the pull may bring what it lacks. */
async function commitLeftovers(work: Work): Promise<void> {
  // Its deployment knows its members, and has looked already when a variable is given back on the way.
  if (!work.session.stages.isJudged(environmentId(work)))
    await mindOthers(work, openEnvironment(work, ownLeftovers(work)));
  try {
    await commitEnvironment(work, 'commits what was open before a pull of the design');
  } catch (error) {
    if (!(error instanceof JobFailed)) throw error;
  }
}
