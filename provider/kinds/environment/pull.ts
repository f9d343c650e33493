// Pulls of the committed design (service-facts §4.7.2), one at a time in each environment.
import { askingAnew } from '../../session/answers';
import type { Api } from '../../../api/client';
import { type Environment, routes } from '../../../api/contract';
import { commitEnvironment, committerOf } from '../../commit/commit-environment';
import { openEnvironment } from '../../commit/environment-changes';
import { ownLeftovers } from '../../commit/foreign-changes';
import { refuseForeignChanges } from '../../commit/open-changes';
import { environmentId, isDesigned } from '../../commit/own-records';
import { environmentWork, lookAtPull } from '../../deploy/others/brought';
import {
  committedPlatforms,
  expectAllPulled,
  noteRenewed,
  pullReplacing,
  replacedPlatforms,
} from '../../deploy/platform-replacement';
import { LifecycleError, orElse } from '../../errors';
import { newestManifest } from '../../history/environment-releases';
import type { Work, Address } from '../../kind';
import { inSharedTurn, inTurn, stageKey } from '../../session';
import { holdsUnknown, textAt, type Texts, type Values } from '../../values/plain';
import { JobFailed, sendUnlocked, settledEnvironment } from '../../verbs/waiting';

/** Pulls the committed design. Throws for a platform that would go, or is missing afterwards. */
export const pullEnvironment = (work: Work): Promise<void> =>
  inTurn(work.session, pullKey(work), () => pullInTurn(work));

/**
 * The same for values that were given back. Rows that request it while a pull runs share the next
 * one. The environment's declaration decides, whichever row asks.
 */
export const followDesign = (work: Work): Promise<void> =>
  inSharedTurn(work.session, pullKey(work), () => pullInTurn(environmentWork(work)));

/** The error for a platform that the environment lacks. Throws without the environment. */
export async function notPulled(work: Work): Promise<LifecycleError> {
  await work.api.call(routes.environments.read, { address: work.at });
  return new LifecycleError(
    `the environment has no platform "${work.at['platform']}"`,
    'declare the platform, and pull it with the environment',
  );
}

/** An environment takes one pull at a time (service-facts §3.8). */
const pullKey = (work: Work): string => `pull ${environmentId(work)}`;

async function pullInTurn(work: Work): Promise<void> {
  // Another user may have committed since this run did, while it deployed another environment.
  const design = await committedPlatforms({ ...work, api: askingAnew(work.api) });
  const there = await lookAtPull(work, design);
  const replaced = there === undefined ? [] : await replacedPlatforms(work, there, design);
  const pull = (): Promise<void> => pullOnce(work);
  await (replaced.length === 0 ? pull() : pullReplacing(work, replaced, pull));
  noteRenewed(work);
  if (there !== undefined) await expectAllPulled(work);
}

/** Attempts without a look at the reason: usually one commit is in the way. */
const ATTEMPTS = 3;
/** Milliseconds in which the other rows of a run end their writes. */
const LIMIT = 15 * 60_000;

/**
 * One pull. Open changes of the environment are committed first, never discarded. It is sent again
 * where somebody committed meanwhile: the environment then shows the result of that commit, and not
 * whether the pull failed.
 */
async function pullOnce(work: Work): Promise<void> {
  const body = { platform_availability: await availabilityBody(work), async: 'true' };
  const end = work.session.clock.now() + LIMIT;
  for (let attempt = 1; ; attempt += 1) {
    await sendUnlocked(work, () => work.api.call(routes.environments.pull, { address: work.at, body }));
    work.session.memory.note(stageKey('environment', work.at), { isPulled: true });
    try {
      const environment = await pulledEnvironment(work);
      const by = committerOf(environment);
      if (by === '') return;
      if (attempt >= ATTEMPTS) throw committedMeanwhile(work, by, environment.updated);
      continue;
    } catch (error) {
      // An open release of the environment makes every pull fail (service-facts §4.7.2).
      if (!(error instanceof JobFailed) || work.session.clock.now() > end) throw error;
      if (attempt >= ATTEMPTS && !(await isOpen(work))) throw error;
    }
    await commitLeftovers(work);
  }
}

/** The environment once a pull has ended. Its row keeps the last message after the run. */
export async function pulledEnvironment(work: Work): Promise<Environment> {
  const environment = await settledEnvironment(work, 'pulling the design');
  work.progress('the design is pulled');
  return environment;
}

const committedMeanwhile = (work: Work, by: string, at: number | null | undefined): LifecycleError =>
  new LifecycleError(
    `the design may be missing in ${environmentId(work)}: ${by} committed there at ${new Date(at ?? 0).toISOString()}, during each of ${ATTEMPTS} pulls`,
    'run pulumi up again once nobody commits there',
  );

/** Whether a release is open: another row of the run may have written meanwhile. */
const isOpen = async (work: Work): Promise<boolean> => (await newestManifest(work, 'open'))?.releaseState === 'open';

/** Closes the environment's open release, whether or not its plan works. */
async function commitLeftovers(work: Work): Promise<void> {
  await refuseForeignChanges(work, openEnvironment(work, ownLeftovers(work)));
  const committed = commitEnvironment(work, 'commits what was open before a pull of the design');
  await orElse(committed, undefined, (error) => error instanceof JobFailed);
}

// The service keeps the availability of a platform's first pull (service-facts §4.7.1, §4.7.2).

/** Availability that arguments mean for a platform. */
export function meantBy(args: Values, platform: string): string {
  const own = (args['platformAvailability'] as Texts | undefined)?.[platform];
  return own === undefined || own === 'default' ? textAt(args, 'availability', 'single') : own;
}

/** Availability of a platform; very old ones say `default`, which is the environment's. */
function modeOf({ availability }: { readonly [name: string]: string | null }, environment: Values): string {
  return availability === 'single' || availability === 'redundant' ? availability : meantBy(environment, '');
}

/**
 * Why the declared availability cannot be had: platforms that run in another one. `before`: what
 * was declared so far; a platform that differed already is left.
 */
export async function refusedAvailability(work: Work, before: Values): Promise<LifecycleError | undefined> {
  if (!differs(work.args, before)) return undefined;
  const platforms = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const changed = platforms.filter(({ ciName, ciAttributes }) => {
    const next = meantBy(work.args, ciName);
    // What a preview does not know yet is judged by the run.
    return !holdsUnknown(next) && next !== meantBy(before, ciName) && next !== modeOf(ciAttributes, before);
  });
  const staying = changed.length === 0 ? [] : await namesThatStay(work);
  const stuck = changed.filter(({ ciName }) => staying.includes(ciName));
  if (stuck.length === 0) return undefined;
  const parts = stuck.map(
    ({ ciName, ciAttributes }) =>
      `platform ${ciName} runs ${modeOf(ciAttributes, before)} and cannot become ${meantBy(work.args, ciName)} in place`,
  );
  const kept = stuck.map(({ ciName, ciAttributes }) => `${ciName}: ${modeOf(ciAttributes, before)}`);
  return new LifecycleError(
    `environment ${work.id}: ${parts.join('; ')}`,
    `the service keeps the availability of a platform's first pull: declare platformAvailability: { ${kept.join(', ')} } (in a YAML file: availability of the platform below the environment), and what you declared ` +
      'applies to new platforms; or take the platform out of the file, run pulumi up, and declare it again; or create another environment',
  );
}

/** Availability of platforms that differs from the environment's, as arguments. */
export async function shownByPlatforms(api: Api, at: Address, environment: Values): Promise<Values> {
  const platforms = await api.call(routes.environmentPlatforms.list, { address: at });
  const own = textAt(environment, 'availability', 'single');
  const differing = platforms
    .map(({ ciName, ciAttributes }) => [ciName, modeOf(ciAttributes, environment)] as const)
    .filter(([, mode]) => mode !== own);
  return differing.length === 0 ? {} : { platformAvailability: Object.fromEntries(differing) };
}

function differs(news: Values, before: Values): boolean {
  const names = [news, before].flatMap((args) => Object.keys((args['platformAvailability'] ?? {}) as Values));
  return ['', ...names].some((name) => meantBy(news, name) !== meantBy(before, name));
}

/** Platforms of the design, without those that this run takes out. */
async function namesThatStay(work: Work): Promise<readonly string[]> {
  const platforms = await work.api.call(routes.platforms.list, { address: work.at });
  const names = platforms.filter(({ rfcAction }) => rfcAction !== 'delete').map(({ ciName }) => ciName);
  const declared = names.filter((name) => isDesigned(work, name));
  return declared.length === 0 ? names : declared;
}

/** Availability of every design platform by number (service-facts §4.7.1-3). */
export async function availabilityBody(work: Work): Promise<Texts> {
  const wanted = (work.args['platformAvailability'] ?? {}) as Texts;
  const platforms = await work.api.call(routes.platforms.list, { address: work.at });
  const unknown = Object.keys(wanted).filter((name) => !platforms.some((platform) => platform.ciName === name));
  if (unknown.length > 0)
    throw new LifecycleError(
      `the design has no platform ${unknown.join(', ')}`,
      'platformAvailability names platforms of the assembly',
    );
  return Object.fromEntries(platforms.map((platform) => [String(platform.ciId), wanted[platform.ciName] ?? 'default']));
}
