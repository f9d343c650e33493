// Environment verbs: create with a pull, later pulls, clouds without an outage (flows §3.6, §5).
import { holdsUnknown, textAt } from '../../values/plain';
import { type Environment, routes } from '../../../api/contract';
import { OneOpsError, Unprocessable } from '../../../api/errors';
import { lookAhead, LifecycleError } from '../../errors';
import { listedEnvironment } from '../../commit/environment-changes';
import { ownLeftovers } from '../../commit/foreign-changes';
import { refuseInPreview } from '../../commit/open-changes';
import { createOrFind, crud, type Recording } from '../../verbs/crud';
import { liveOf } from '../../verbs/live';
import { environmentOf } from '../../verbs/presence';
import { Incomplete, type Live } from '../../address/live';
import type { GuardedChange, Judgement, UpdateWork, Verbs, Work } from '../../kind';
import { judgePull, lookAtWholeDesign, refuseWholeDesign } from '../../deploy/others/brought';
import {
  giveBack,
  isPlacesText,
  noteTouched,
  placesText,
  seenInRefresh,
  setBackText,
  toSetBack,
} from '../../deploy/others/over-file';
import { userOf } from '../../history/change';
import { newerThan, newestClosed } from '../../history/committed';
import { committerOf, isLive, newestDeployment } from '../../commit/commit-environment';
import { environmentLinks, linkValues } from './cloud-links';
import { applyClouds, cloudChange, cloudsBody, declaredLinks, foreseeClouds, retiredClouds } from './clouds';
import { availabilityBody, pulledEnvironment, pullEnvironment, refusedAvailability } from './pull';
import { foreseeUpdate } from '../../lifecycle/update';
import { serviceStamp } from '../../secrets/writes';
import { mayBeRefresh } from '../../verbs/records';
import { judgeReplacement } from '../../deploy/platform-replacement';
import { instancesOf } from '../../deploy/run-elsewhere';
import { isHeld, unlockedEnvironment } from '../../verbs/waiting';
import { memoryOfStage } from '../../session';

const recording: Recording = { wrapper: 'cms_ci', memberNames: ['clouds', 'platform_availability'] };

async function read(work: Work): Promise<Live | undefined> {
  const environment = await environmentOf(work);
  if (environment === undefined) return undefined;
  const pulled = work.known === undefined ? await wantedRelease(work) : textAt(work.known, 'pulled');
  const live = await liveEnvironment(work, environment, pulled);
  if (work.known === undefined) return live;
  // A number, unless nothing was pulled or the newer release was not noted.
  const newer = work.args['designRelease'] === undefined ? await newerThan(work, Number(pulled) || 0) : undefined;
  if (mayBeRefresh(work) && !(await isCommittedByOwn(work, environment))) noteTouched(work);
  return { ...live, fills: { newer: newer ?? (await shownOverFile(work)) } };
}

/** Links by cloud name, without base values and leaving clouds; `pulled`: the last release. */
async function liveEnvironment(work: Work, environment: Environment, pulled: string): Promise<Live> {
  const links = await environmentLinks(work, environment);
  const declared = Object.keys(work.args['clouds'] ?? {});
  const hidden = work.args['clouds'] === undefined ? [] : await retiredClouds(work, links, declared);
  const shown = [...links]
    .filter(([name]) => !hidden.includes(name))
    .map(([name, link]) => [name, linkValues(link)] as const);
  const live = liveOf(environment, { clouds: JSON.stringify(Object.fromEntries(shown)) }, { pulled });
  return { ...live, source: environment };
}

/** The release to run: the declared one, or else the newest committed one. */
async function wantedRelease(work: Work): Promise<string> {
  if (work.args['designRelease'] !== undefined) return textAt(work.args, 'designRelease');
  return String((await newestClosed(work))?.releaseId ?? '');
}

/** The same for an environment that exists: what was pulled stays without a declared release. */
async function releaseToRun(work: Work): Promise<string> {
  const isAsIs = work.known !== undefined && work.known['newer'] === undefined;
  return work.args['designRelease'] === undefined && isAsIs ? textAt(work.known, 'pulled') : wantedRelease(work);
}

async function create(work: Work): Promise<Live> {
  await lookAtWholeDesign(work);
  const wanted = await wantedRelease(work);
  const { clouds: _, platform_availability: __, ...ciAttributes } = { ...baseTexts(work), ...work.wire };
  const declared = declaredLinks(work);
  const body = {
    // Without clouds the service takes it; an empty map it refuses for want of a primary.
    ...(declared ? { clouds: await cloudsBody(work, declared) } : {}),
    platform_availability: await availabilityBody(work),
    cms_ci: {
      ciName: work.address['name'] ?? '',
      nsPath: `/${work.api.organization}/${work.at['assembly']}`,
      ciAttributes,
    },
    async: 'true',
  };
  const live = await createOrFind(
    work,
    read,
    () => work.api.call(routes.environments.create, { address: work.at, body }),
    recording,
  );
  try {
    return await liveEnvironment(work, await pulledEnvironment(work), wanted);
  } catch (error) {
    if (!(error instanceof OneOpsError)) throw error;
    // Nothing is known to be pulled, which has to show after a refresh too.
    const isDeclared = work.args['designRelease'] !== undefined;
    const outputs = { pulled: '', ...(isDeclared ? { designRelease: '' } : { newer: `design release ${wanted}` }) };
    throw new Incomplete({ ...live, outputs }, [error.message]);
  }
}

async function update(work: UpdateWork): Promise<Live> {
  const { clouds: _, platform_availability: __, ...ciAttributes } = work.changes;
  const refusal = await refusedAvailability(work, work.known ?? { availability: work.live.wire['availability'] });
  if (refusal !== undefined) throw refusal;
  // The read before an update has just asked for it.
  const there = work.live.source as Environment;
  const environment = isHeld(there)
    ? await unlockedEnvironment(work, 'waits for the environment to be unlocked')
    : there;
  const change = await cloudChange(work, environment);
  if (Object.keys(ciAttributes).length > 0) {
    await work.api.call(routes.environments.update, {
      address: work.at,
      body: { cms_ci: { ciName: work.address['name'] ?? '', ciAttributes } },
    });
  }
  const wanted = await releaseToRun(work);
  const newer = work.known?.['newer'];
  if (work.known?.['pulled'] !== wanted || (newer !== undefined && !isPlacesText(newer))) await pullEnvironment(work);
  const back = await toSetBack(work);
  await giveBack(back);
  if (back.length > 0) work.notice(setBackText(back));
  const written = [
    ...(change ? await applyClouds(work, change) : []),
    ...(back.length > 0 ? [String(work.session.clock.now())] : []),
  ];
  const now = await work.api.call(routes.environments.read, { address: work.at });
  const live = await liveEnvironment(work, now, wanted);
  // Writes on platforms alone do not show in the environment's own stamp.
  return { ...live, stamp: [live.stamp, ...written].join('.') };
}

/**
 * Values over the file's, for `newer`. A pull brings what is newer, too, which a program may not
 * want yet.
 */
async function shownOverFile(work: Work): Promise<string | undefined> {
  const over = mayBeRefresh(work) ? await seenInRefresh(work) : [];
  const pulled = Number(serviceStamp(work.known?.['pulled'])) || 0;
  return over.length === 0 || (await newerThan(work, pulled)) !== undefined ? undefined : placesText(over);
}

/** Whether this run's user surely committed last. After a pull, nothing shows who did. */
async function isCommittedByOwn(work: Work, environment: Environment): Promise<boolean> {
  const by = committerOf(environment);
  if (by === '') return false;
  const isOurs = by === environment.createdBy && by === work.known?.['updatedBy'];
  return isOurs || by === (await userOf(work));
}

/** A preview says what a run will refuse, before it writes anything to the design. */
async function guard(work: Work, { changed }: GuardedChange): Promise<Judgement> {
  const availability = changed.some((name) => name === 'availability' || name === 'platformAvailability');
  const refusal = availability ? await refusedAvailability(work, work.known ?? {}) : undefined;
  if (refusal !== undefined) return { refusal: refusal.message };
  if (!changed.includes('designRelease') && !changed.includes('newer')) return {};
  // The design is written: the pull itself looks, and refuses.
  if (memoryOfStage(work, 'design').isCommitted === true) return {};
  const replacement = await judgeReplacement(work, textAt(work.known, 'newer') !== '');
  if (replacement.refusal !== undefined) return replacement;
  const { inputs } = memoryOfStage(work, 'environment');
  const others = holdsUnknown(inputs?.['designRelease']) ? await judgeOthers(work) : {};
  if (others.refusal !== undefined) return others;
  const pulled = await judgePull(work);
  const warning = [replacement.warning, pulled.warning].filter((part) => part !== undefined).join('\n');
  return { ...pulled, ...(warning === '' ? {} : { warning }) };
}

/** What others changed or left open there, for which the update or its pull will be refused. */
const judgeOthers = (work: Work): Promise<Judgement> =>
  lookAhead(async () => {
    const { of, ignored } = memoryOfStage(work, 'environment');
    if (of !== undefined) await foreseeUpdate(of, work, ignored);
    await refuseInPreview(work, listedEnvironment(work, ownLeftovers(work, false)));
    return {};
  });

function baseTexts(work: Work): { readonly [wireName: string]: string } {
  return { subdomain: `${work.address['name']}.${work.at['assembly']}.${work.api.organization}` };
}

const plain = crud(routes.environments, recording);

/** What runs there and is to be kept needs the environment. */
async function remove(work: Work): Promise<void> {
  if (memoryOfStage(work, 'environment').isRetained === true) {
    work.notice(`${work.id} stays as it is, with what runs there: its deployment says onDelete: retain`);
    return;
  }
  try {
    await plain.delete(work);
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    throw (await inUse(work)) ?? error;
  }
}

/**
 * The service deletes no environment in which something runs (service-facts §4.7.1). The deployment
 * takes that down, and knows whether it is to be kept.
 */
async function inUse(work: Work): Promise<LifecycleError | undefined> {
  const newest = await newestDeployment(work);
  const count = await instancesOf(work);
  if (newest === undefined || (count === 0 && !isLive(newest))) return undefined;
  const { deploymentId, deploymentState, createdBy = 'somebody' } = newest;
  return new LifecycleError(
    `${count} instances exist, and its newest deployment, ${deploymentId} by ${createdBy}, is ${deploymentState}`,
    'with its deployment declared, run pulumi up, which records what a run that was cut off began, then pulumi destroy, which takes it down first; ' +
      'what was deployed by hand or from another stack has to be taken down there',
  );
}

export const environmentVerbs: Verbs = {
  acts: true,
  async unshown(work) {
    const over = await toSetBack(work);
    return over.length === 0 ? undefined : `will set back ${placesText(over)}`;
  },
  async foresee(work, olds) {
    if (Object.keys(olds).length === 0) await refuseWholeDesign(work);
    return foreseeClouds(work, olds);
  },
  guarded: ['availability', 'platformAvailability', 'designRelease', 'newer'],
  guard,
  read,
  create,
  update,
  delete: remove,
  base: (work) => Promise.resolve(baseTexts(work)),
  plan: (olds, { args }) => (args['designRelease'] === olds['designRelease'] ? undefined : 'will pull the design'),
};
