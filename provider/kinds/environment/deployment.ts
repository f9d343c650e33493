// The Deployment kind: commits an environment, deploys and waits (flows §3.8, architecture §5).
import { refuseInAnother, refuseWriteInAnother } from '../../address/place';
import type { Api } from '../../../api/client';
import { type Relation, routes } from '../../../api/contract';
import { plural } from '../../../api/errors';
import { newestDeployment } from '../../commit/commit-environment';
import { diff, type Inputs } from '../../lifecycle/check';
import { configuredLinks, listedEnvironment, ownBeforeWrites } from '../../commit/environment-changes';
import { refuseInPreview } from '../../commit/open-changes';
import {
  changedInDesign,
  changedPaths,
  changesIn,
  environmentStamp,
  leavingWork,
  leftTheFile,
  writtenSince,
} from '../../commit/own-records';
import { platformOf } from '../../address/ids';
import { openBom } from '../../deploy/carry-out';
import { changesOf, lostClouds } from '../../deploy/losses/cause';
import { deploying, refuseLosses } from '../../deploy/losses/loss';
import { CHECK, type EnvironmentCheck } from '../../deploy/checks';
import { declaredInEnvironment, downOnPurpose } from '../../deploy/declared-records';
import { lostPull, refuseDiscarded } from '../../deploy/discarded';
import { liveAt, releaseKnown } from '../../deploy/outcome';
import { backLines, lostSince, refusePulledByOthers } from '../../deploy/plan-without-storing';
import { deploysAfterDeletes, firstRollOut, foreseeBusy, rollOut } from '../../deploy/roll-out';
import { noteTouched } from '../../deploy/others/over-file';
import { newestSeen, runningIn, stateNow } from '../../deploy/running';
import { tearDown } from '../../deploy/tear-down';
import { isTrouble, lookAhead, orElse } from '../../errors';
import { foreseeUpdate, refuseLostValues } from '../../lifecycle/update';
import { reachingPaths, userOf } from '../../history/change';
import { changesIn as releaseChanges, environmentReleasesSince, withoutDeployed } from '../../history/committed';
import { endedAfter, isManifest, newestManifest, releasesTo, writersIn } from '../../history/environment-releases';
import { busy, control, flag, int, leaving, map, mapOf, noted, oneOf, text, trigger, words } from '../../values/field';
import { type Address, type FoundRecord, type Judgement, kind, type Kind, type Work, type Verbs } from '../../kind';
import {
  cloudsConfigured,
  cloudsDeclared,
  componentsScaled,
  environmentsRetained,
  leavingIn,
  ownNames,
  platformsDown,
  recordsRetained,
  stampsOf,
} from '../settled';
import { holdsUnknown, textAt, type Texts } from '../../values/plain';
import { act } from '../../verbs/act';
import { memoryOf, memoryOfStage, stageKey } from '../../session';
import { mayBeRefresh } from '../../verbs/records';
import { CLOUD_LINK } from './cloud-links';
import { platform } from '../platform';
import { environment } from './kind';

// What a Deployment says before it deploys: in a preview, and in its release's comment.

/**
 * What this run does in platforms, as far as a preview knows it: `leaving platform db (9 of 16
 * instances)`, `new platform front`, `~prod in platform web (7 of 16 instances)`. A change of the
 * environment itself, or of a variable of all platforms, is perhaps in any of them.
 */
function platformTexts(olds: Inputs, work: Pick<Work, 'session' | 'address' | 'args'>): readonly string[] {
  const { assembly = '', environment: name = '' } = work.address;
  const counts = runningByPlatform(olds);
  const sum = (names: readonly string[]): number => names.reduce((all, each) => all + (counts.get(each) ?? 0), 0);
  const all = sum([...counts.keys()]);
  const part = (does: string, names: readonly string[]): readonly string[] => {
    const own = sum(names) === all ? '' : `${sum(names)} of `;
    const count = sum(names) === 0 ? '' : ` (${own}${plural(all, 'instance')})`;
    return names.length === 0 ? [] : [`${does} platform${names.length === 1 ? '' : 's'} ${names.join(', ')}${count}`];
  };
  const changed = (of: Kind, address: Address): readonly string[] => {
    const { known = {}, inputs = known, isPulled } = memoryOf(work.session, of, address);
    return [...(isPulled ? ['designRelease'] : []), ...diff(of, known, inputs).map(({ path }) => String(path[0]))];
  };
  const own = changed(environment, { assembly, name });
  const memory = memoryOf(work.session, environment, { assembly, name });
  const { along = [], undeployed = [], undeployedOf = ['an earlier run'] } = memory;
  const { open } = memoryOfStage({ ...work, at: { assembly } }, 'design');
  const opened = open === undefined ? [] : reachingPaths(releaseChanges(open, 'design'));
  // What a change of a platform says of it alone reaches no machine.
  const isBeside = (path: string): boolean =>
    /^~[^/$]+$/.test(path) && !changed(platform, { assembly, name: path.slice(1) }).some(reaches);
  const written = changedInDesign(work).filter((path) => !isBeside(path));
  // Changes that come along, and those that a stopped run left, count like those of this run.
  const brought = own.includes('designRelease') ? [...written, ...opened, ...along] : [];
  const design = [...new Set([...brought, ...undeployed])];
  const platforms = (sign: string): readonly string[] =>
    design.flatMap((path) => (path.startsWith(sign) && !/[/$]/.test(path) ? [path.slice(1)] : [])).sort();
  // What runs uses a new variable only once something else of it changes, too.
  const reaching = design.filter((path) => !path.startsWith('+$'));
  const paths = [
    ...reaching,
    ...changedPaths(work, 'environment'),
    ...writtenSince(work, 'environment', olds).map(({ path }) => `~${path}`),
  ];
  const inside = new Set(paths.map((path) => path.slice(1).split('/')[0] ?? ''));
  const isAnywhere = own.some(reaches) || [...inside].some((each) => each.startsWith('$'));
  const kept = [...counts.keys()].filter((each) => !platforms('-').includes(each)).sort();
  const stopped = kept.filter((each) => downOnPurpose(work).has(each));
  const staying = kept.filter((each) => !stopped.includes(each));
  const touched = staying.filter((each) => inside.has(each));
  const others = isAnywhere ? staying.filter((each) => !inside.has(each)) : [];
  const [added, deleted] = [platforms('+').filter((each) => !counts.has(each)), platforms('-')];
  // A platform that an earlier run added and this one deletes never ran here.
  const fresh = added.filter((each) => !deleted.includes(each));
  const leaving = deleted.filter((each) => !added.includes(each));
  const where = [...part('in', touched), ...part('perhaps in', others)].join(', ');
  const changes = changesIn(work).join(' ') || (where === '' ? '' : `changes of ${undeployedOf.join(' and ')}`);
  const going = [...part('leaving', leaving), ...part('taking down', stopped)];
  return [...going, ...part('new', fresh), `${changes} ${where}`.trim()];
}

/** How many instances of each platform ran after the last roll-out. */
function runningByPlatform(olds: Inputs = {}): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [key, count] of runningIn(olds['running'])) {
    const [first = ''] = key.split('/');
    counts.set(first, (counts.get(first) ?? 0) + count);
  }
  return counts;
}

/** Whether machines get something of a value of an environment or a platform, beside a pull. */
const reaches = (name: string): boolean =>
  !['description', 'links', 'platformAvailability', 'designRelease', 'newer'].includes(name);

const UNFINISHED: Texts = {
  none: 'an earlier run stopped before it deployed anything',
  active: 'its last deployment was still running',
  pending: 'its last deployment waited for an approval',
  paused: 'its last deployment was paused',
  failed: 'its last deployment failed',
  canceled: 'its last deployment was canceled',
  planned: 'what was committed there is not deployed',
  partial: 'its last deployment left instances for this one',
};

/** Why an environment has to be deployed again although nothing of it changed. */
export function unfinishedText(state: unknown): string | undefined {
  if (typeof state !== 'string' || state === 'complete') return undefined;
  return UNFINISHED[state] ?? (state.includes(' ') ? `a refresh found: ${state}` : `its last deployment is ${state}`);
}

/**
 * The preview of a refusal: somebody discarded what this stack had written there, left something
 * open, or took something away. A run that wrote, or repeats a pull, looks when it deploys.
 */
const guard = (work: Work): Promise<Judgement> =>
  lookAhead(async () => {
    for (const left of leftTheFile(work)) await refuseWriteInAnother(left.of, leavingWork(work, left));
    const { isPulled, inputs } = memoryOfStage(work, 'environment');
    if (isPulled !== true) await orElse(noteUndeployed(work), undefined, isTrouble);
    // Answers to writes name the user of a run: a preview has none.
    if (work.session.own.user !== undefined || (inputs === undefined && !holdsUnknown(work.args['stamps']))) return {};
    const unchanged = declaredInEnvironment(work).filter(({ memory }) => memory.isChanged !== true);
    if (isPulled === true || (await lostPull(work)) !== undefined) return {};
    const known = releaseKnown(work);
    // The releases of an environment that was made again begin later.
    const isOlder = known === 0 || (await releasesTo(work, known)).some(({ releaseId }) => releaseId <= known);
    if (!isOlder) await refuseInAnother(deployment, work);
    const { warning: isBusy } = known === 0 ? {} : await foreseeBusy(work);
    await refuseDiscarded(work, unchanged, (await endedAfter(work, known)).filter(isManifest));
    const { lost, back } = await lostSince(work);
    await refuseLosses(work, deploying(work), [...(await lostClouds(work)), ...lost]);
    const warning = [...(isBusy ? [isBusy] : []), ...backLines(back, 'will set back')].join('\n');
    const judged = warning === '' ? {} : { warning };
    const owns = ownBeforeWrites(work, foreseeUpdate);
    // Before a pull its environment looks, except at links that it leaves to the deployment.
    if (holdsUnknown(inputs?.['designRelease'])) {
      await refuseInPreview(work, configuredLinks(work, owns));
      return judged;
    }
    await refusePulledByOthers(work);
    await refuseLostValues(work, 'environment', async () => {
      const newest = await newestManifest(work, 'open');
      return [...(await environmentReleasesSince(work, known)).all, ...(newest ? [newest] : [])];
    });
    await refuseInPreview(work, listedEnvironment(work, owns));
    return judged;
  });

/** Notes, for `platformTexts`, what an environment has of a run that did not deploy it. */
async function noteUndeployed(work: Work): Promise<void> {
  const rolledOut = textAt(work.known, 'rolledOut');
  if (rolledOut === '' || ['', rolledOut].includes(environmentStamp(work))) return;
  const release = await newestManifest(work, 'open');
  const isOpen = release?.releaseState === 'open';
  const { rfc_cis: records = [], rfc_relations: relations = [] } = isOpen ? release : {};
  const isOfCloud = ({ relationName, fromCiId }: Relation): boolean =>
    relationName === 'base.Consumes' && !records.some(({ ciId }) => ciId === fromCiId);
  const planned = isOpen ? [] : ((await openBom(work))?.rfc_cis ?? []);
  const { platforms: less, onlyDeleted } = changesOf(planned);
  const counts = runningByPlatform(work.known);
  const undeployed = [
    ...(isOpen ? reachingPaths(releaseChanges(release, 'environment')) : []),
    // The release does not say which platforms use the cloud: as with a variable, any of them may.
    ...(relations.some(isOfCloud) ? ['~$'] : []),
    ...planned.map(platformOf).map((name) => {
      const isLeaving = onlyDeleted.has(name) && less.get(name) === (counts.get(name) ?? less.get(name));
      return `${isLeaving ? '-' : '+'}${name}`;
    }),
  ];
  const place = stageKey('environment', work.at);
  work.session.memory.note(place, { undeployed });
  if (changesIn(work).length > 0) return;
  const { all, runs } = await environmentReleasesSince(work, releaseKnown(work));
  const releases = isOpen ? [release] : all.flatMap((each) => withoutDeployed(each, runs) ?? []);
  const user = await userOf(work);
  const names = releases.flatMap(writersIn).map(({ who }) => (who === '' || who === user ? 'an earlier run' : who));
  if (names.length > 0) work.session.memory.note(place, { undeployedOf: [...new Set(names)].sort() });
}

export const deploymentVerbs: Verbs = act({
  guarded: ['stamps', 'clouds', 'leaving', 'state'],
  guard,
  run: firstRollOut,
  again: rollOut,
  undo: tearDown,
  unchanged: deploysAfterDeletes,

  async observe(work, environment) {
    // A roll-out looks for itself.
    const newest = work.known === undefined || mayBeRefresh(work) ? await newestSeen(work) : undefined;
    const state = await stateNow(work, newest, environment.comments ?? '');
    const deployment = work.known === undefined ? newest : undefined;
    const { outputs, ...live } = liveAt(work, { deployment, release: undefined, environment });
    if (mayBeRefresh(work) && Number(outputs?.['othersRelease']) > 0) noteTouched(work);
    return { ...live, outputs: { ...outputs, taken: textAt(work.known, 'taken') }, fills: { state } };
  },

  plan: (olds, now) => {
    const environment = String(now.args['environment']);
    const left = olds['state'] === now.args['state'] ? undefined : unfinishedText(olds['state']);
    const texts = platformTexts(olds, now).filter((each) => each !== '');
    if (texts.length === 0) return left === undefined ? undefined : `will deploy ${environment}: ${left}`;
    return `will deploy: ${[...texts, ...(left === undefined ? [] : [left])].join('; ')}`;
  },
});

/** An environment that was never deployed has no deployment. */
async function searchDeployment(api: Api, at: Address): Promise<readonly FoundRecord[]> {
  const latest = await newestDeployment({ api, at });
  return latest === undefined ? [] : [{ address: {}, isGiven: false }];
}

export const deployment = kind({
  token: 'Deployment',
  description: 'The roll-out of an environment: after everything it contains was written.',
  path: routes.environments.read.path,
  named: false,
  within: environment,
  found: { search: searchDeployment },
  cascades: false,
  stage: 'none',
  fields: {
    stamps: trigger(text()).describe('Filled in: the stamps of our last writes. Another text has to be committed.'),
    clouds: words("Names of the environment's declared clouds: others leave once nothing runs there.", trigger),
    down: words('Filled in: platforms that are declared to be down.', control),
    configured: words('Filled in: values of clouds that cloud configurations give, as `web/east/pctScale`.', control),
    scaled: words('Filled in: components of which the number of instances is declared, as `web/compute`.', control),
    leaving: leaving(),
    environments: words(
      'Filled in where this stack owns the assembly: its environments. A destroy stops while the assembly has others.',
    ),
    platforms: words('Filled in there, too: its platforms. What else is taken down is named.'),
    retained: words('Filled in: other environments of the assembly that stay, so that a destroy keeps it.'),
    keeps: words('Filled in: records of the design with `retainOnDelete`, which go with the assembly.'),
    comment: noted(control(text())).optional().describe('Text on the release and on the deployment.'),
    whenBusy: busy('What to do when other users deploy, or have open changes. Default `fail`.'),
    others: control(oneOf(['name', 'refuse']))
      .optional()
      .describe("Other users' committed changes: `name` them on the row (default), or `refuse` to run."),
    accept: words(
      'What other users took away or changed and this file lets go, as the refusal spells it: `db: design release 2677`. It is named on the row of each run.',
      control,
    ),
    checks: control(mapOf<EnvironmentCheck>('EnvironmentCheck', CHECK))
      .optional()
      .describe(
        'Requests that are sent after the deployment is complete, by name. The run fails if one of them does not bring back what is wanted.',
      ),
    timeout: control(int(1)).optional().describe('Minutes to wait for one deployment. Default 60.'),
    onDelete: control(oneOf(['disable', 'retain']))
      .optional()
      .describe('What destroying does: `disable` takes down what runs (default), `retain` leaves it.'),
    continueOnFailure: control(flag()).optional().describe('Go on with later steps when a record fails.'),
    state: trigger(oneOf(['complete']))
      .optional()
      .describe('Filled in: a deployment that is not complete is a difference.'),
  },
  impact: { severity: { state: 'high' } },
  settles: {
    leaving: leavingIn('environment'),
    environments: ownNames('Environment', true),
    platforms: ownNames('Platform', true),
    retained: environmentsRetained,
    keeps: recordsRetained,
    stamps: stampsOf('environment'),
    clouds: cloudsDeclared,
    down: platformsDown,
    configured: cloudsConfigured(Object.keys(CLOUD_LINK)),
    scaled: componentsScaled,
  },
  inherits: { whenBusy: ['Assembly'] },
  fills: { state: 'complete' },
  inFile: { path: 'environments.*.deploy' },
  computed: {
    deploymentId: int().describe('Number of the newest deployment we know of.'),
    releaseId: int().describe('Number of the release.'),
    running: text().describe(
      'Instances that ran after the last roll-out, by platform and cloud: `web/east 7, web/west 3`. A refresh that finds fewer reports it.',
    ),
    addresses: map({ type: 'list', items: { type: 'text' }, encoding: 'json', unordered: true }).describe(
      'Addresses after the last roll-out, by platform: of each instance the public one, or else the private one.',
    ),
    rolledOut: text().describe("Stamp of the environment's last write that was rolled out; empty for none."),
    taken: text().describe('Records that a run deleted before it failed.'),
    othersRelease: int().describe(
      "Newest release of the environment in which another user changed something, until a run with a refresh looks for values there over the file's; 0 for none.",
    ),
  },
  verbs: deploymentVerbs,
  sample: { create: { stamps: '' }, update: { stamps: 'unseen' } },
});
