// Platforms that a pull replaces, because their pack has another source, name or version family.
// The first pull only deletes them. A second pull, once the instances no longer exist, brings the
// new platform (service-facts §12a).
import { type EnvironmentPlatform, type Record as WireRecord, routes } from '../../api/contract';
import { orNone } from '../../api/errors';
import { LifecycleError } from '../errors';
import { textAt, UNKNOWN, wordsAt } from '../values/plain';
import { committedOf, isPendingDelete } from '../verbs/live';
import type { Judgement, Work } from '../kind';
import { commitEnvironment, newestDeployment } from '../commit/commit-environment';
import { configureLink, linksOf, type LinkTexts } from '../kinds/environment/cloud-links';
import { awaitDeployment, failureReasons, freeEnvironment } from './follow';
import { openBom, startDeployment } from './carry-out';
import { openEnvironment } from '../commit/environment-changes';
import { ownLeftovers } from '../commit/foreign-changes';
import { byComingPrimary, declaredLinks, linksIn } from '../kinds/environment/clouds';
import { refuseForeignChanges } from '../commit/open-changes';
import { platformOf, versionOf } from '../address/ids';
import { memoryOfStage, stageKey } from '../session';
import { instancesAt } from '../verbs/named-component';

/** A platform of an environment that now has a pack the service cannot change to in place. */
interface Replaced {
  readonly platform: WireRecord;
  /** `oneops/nginx:1`. */
  readonly from: string;
  readonly to: string;
  /** Number of its instances in the environment. */
  readonly running: number;
}

interface Pack {
  readonly [part: string]: string | null | undefined;
}

const packName = ({ source, pack, version }: Pack): string => `${source ?? ''}/${pack ?? ''}:${version ?? ''}`;

/** `oneops/nginx:1` of `oneops/nginx:1.2`: what the service can change in place stays within it. */
const familyOf = (name: string): string => name.replace(/(:[^.]*)\..*$/, '$1');

/** Remembers for the environments of this run that a platform gets another pack, or another name. */
export function noteNewPack(work: Work): void {
  const pack = { source: textAt(work.args, 'source'), pack: textAt(work.args, 'pack'), version: work.args['version'] };
  if (typeof pack.version !== 'string' || Object.values(pack).includes(UNKNOWN)) return;
  const { newPacks } = memoryOfStage(work, 'design');
  const name = `${textAt(work.args, 'name')}/${textAt(work.args, 'majorVersion', '1')}`;
  work.session.memory.note(stageKey('design', work.at), { newPacks: { ...newPacks, [name]: packName(pack as Pack) } });
}

export async function committedPlatforms(work: Work): Promise<readonly WireRecord[]> {
  const platforms = await work.api.call(routes.platforms.list, { address: work.at });
  return platforms.filter(({ rfcAction }) => rfcAction !== 'add');
}

const packsOf = (platforms: readonly WireRecord[]): ReadonlyMap<string, string> =>
  new Map(platforms.map((platform) => [versionOf(platform), packName(committedOf(platform))]));

const platformsThere = (work: Work): Promise<readonly WireRecord[]> =>
  work.api.call(routes.environmentPlatforms.list, { address: work.at });

/** Those of an environment's platforms that a pull of some packs would replace. */
async function replacedBy(
  work: Work,
  platforms: readonly WireRecord[],
  packs: ReadonlyMap<string, string>,
): Promise<readonly Replaced[]> {
  const replaced = platforms.flatMap((platform) => {
    const from = packName(platform.ciAttributes);
    const to = packs.get(versionOf(platform));
    return to === undefined || familyOf(to) === familyOf(from) ? [] : [{ platform, from, to }];
  });
  if (replaced.length === 0) return [];
  const instances = await instancesAt(work);
  return replaced.map((each) => ({
    ...each,
    running: instances.filter((instance) => platformOf(instance) === each.platform.ciName).length,
  }));
}

/** Those of an environment's platforms that a pull of a design's platforms would replace. */
export const replacedPlatforms = (
  work: Work,
  there: readonly WireRecord[],
  design: readonly WireRecord[],
): Promise<readonly Replaced[]> => replacedBy(work, there, packsOf(design));

/** A preview's words on the run's pull; with `isNewer`, of a design that only others changed. */
export async function judgeReplacement(work: Work, isNewer: boolean): Promise<Judgement> {
  const repacked = Object.entries(memoryOfStage(work, 'design').newPacks ?? {});
  if (repacked.length === 0 && !isNewer) return {};
  const packs = new Map([...(isNewer ? packsOf(await committedPlatforms(work)) : []), ...repacked]);
  // Of an environment that does not exist any more nothing is said: the run finds out.
  const replaced = await replacedBy(work, (await orNone(platformsThere(work))) ?? [], packs);
  const undeclared = notDeclared(work, replaced);
  if (undeclared.length > 0) return { refusal: refusalOf(work, undeclared).message };
  const running = replaced.filter((each) => each.running > 0);
  return running.length === 0 ? {} : { warning: `${sentenceOf(running)}, as recreatePlatforms declares` };
}

/** Those that run, and that nobody declared may go down. */
const notDeclared = (work: Work, replaced: readonly Replaced[]): readonly Replaced[] =>
  replaced.filter(
    ({ running, platform }) => running > 0 && !wordsAt(work.args, 'recreatePlatforms').includes(platform.ciName),
  );

/** `web goes down, 5 instances, and comes back with oneops/nginx:3 instead of oneops/nginx:1`. */
const sentenceOf = (replaced: readonly Replaced[]): string =>
  replaced
    .map(
      ({ platform: { ciName }, from, to, running }) =>
        `platform ${ciName} goes down with its ${running} instances, and comes back as ${to} instead of ${from}`,
    )
    .join('; ');

function refusalOf(work: Work, replaced: readonly Replaced[]): LifecycleError {
  const names = replaced.map(({ platform }) => platform.ciName);
  const parts = replaced.map(
    ({ platform, from, to, running }) => `${platform.ciName} from ${from} to ${to} (${running} instances run)`,
  );
  const list = names.join(', ');
  return new LifecycleError(
    `environment ${work.id} cannot take over ${parts.join(', ')}: the service deletes such a platform with all its instances before it makes the new one`,
    `to let ${list} go down in this environment and come back in the same run, declare recreatePlatforms: [${list}] on the environment; ` +
      'without an outage: declare a second platform with the new pack, move what uses the old one, then take the old one out',
  );
}

/**
 * Pulls what replaces platforms: a pull that deletes, a deployment that takes down only these, and
 * a pull that brings the new ones, with their clouds as before. Called again, it continues. Throws
 * before the first pull for a platform that runs and is not declared to be recreated.
 */
export async function pullReplacing<T>(work: Work, replaced: readonly Replaced[], pull: () => Promise<T>): Promise<T> {
  const undeclared = notDeclared(work, replaced);
  if (undeclared.length > 0) throw refusalOf(work, undeclared);
  const names = replaced.map(({ platform }) => platform.ciName);
  const before = await linksShown(work, names);
  saySettings(work, before);
  const running = replaced.filter((each) => each.running > 0);
  if (running.length > 0) work.notice(sentenceOf(running));
  await pull();
  const comment = `pulumi up: takes ${names.join(', ')} down to create ${names.length === 1 ? 'it' : 'them'} again`;
  await commitDeletion(work, names, comment);
  // An earlier run was cut off before this commit.
  const hidden = names.filter((name) => !before.has(name));
  const links = new Map([...before, ...(await linksShown(work, hidden))]);
  await takeDown(work, names, comment);
  const pulled = await pull();
  for (const [platform, texts] of links) await restoreLinks(work, platform, texts);
  return pulled;
}

const platformAt = (work: Work, platform: string): Promise<EnvironmentPlatform> =>
  work.api.call(routes.environmentPlatforms.read, { address: { ...work.at, platform } });

/** The links of the platforms that show them: one with an open deletion shows none. */
async function linksShown(
  work: Work,
  names: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, LinkTexts>>> {
  const links = new Map<string, ReadonlyMap<string, LinkTexts>>();
  for (const name of names) {
    const platform = await orNone(platformAt(work, name));
    if (platform !== undefined && platform.rfcAction !== 'delete') links.set(name, linksOf(platform));
  }
  return links;
}

/** Names undeclared settings of clouds: a run killed after the new platform came may lose them. */
function saySettings(work: Work, links: ReadonlyMap<string, ReadonlyMap<string, LinkTexts>>): void {
  const defaults = [declaredLinks(work), linksIn(work.known)];
  if (defaults[0] === undefined) return;
  const configured = wordsAt(work.args, 'configured');
  const settings = [...links].flatMap(([platform, ofPlatform]) =>
    [...ofPlatform]
      .filter(([cloud]) => !configured.some((path) => path.startsWith(`${platform}/${cloud}/`)))
      .flatMap(([cloud, texts]) =>
        Object.entries(texts)
          .filter(([name, text]) => defaults.every((declared) => (declared?.get(cloud)?.[name] ?? '') !== text))
          .map(([name, text]) => `${name} ${text} of cloud ${cloud} of platform ${platform}`),
      ),
  );
  if (settings.length > 0)
    work.notice(
      `${settings.join(', ')}: nobody declares this, and this run writes it again; if the run is cut off, look whether it is still there`,
    );
}

/** Commits the deletion of these platforms. The rest of the pull waits for the deployment. */
async function commitDeletion(work: Work, names: readonly string[], comment: string): Promise<void> {
  const before = await newestDeployment(work);
  if (before) await freeEnvironment(work, before, false);
  await refuseForeignChanges(work, openEnvironment(work, ownLeftovers(work)));
  const platforms = await work.api.call(routes.environmentPlatforms.list, { address: work.at });
  const others = platforms.filter(({ ciName }) => !names.includes(ciName)).map(({ ciId }) => ciId);
  await commitEnvironment(work, comment, others);
}

async function takeDown(work: Work, names: readonly string[], comment: string): Promise<void> {
  const release = await openBom(work);
  if (release === undefined) return;
  const started = await startDeployment(work, release, comment);
  const ended = await awaitDeployment(work, started, release);
  if (ended.deploymentState === 'complete') return;
  const reasons = await failureReasons(work, ended, release);
  throw new LifecycleError(
    [
      `deployment ${ended.deploymentId}, which takes ${names.join(', ')} down, is ${ended.deploymentState}`,
      ...reasons,
    ].join('\n'),
  );
}

/** A platform that is created again follows the environment's clouds: its own values go back. */
async function restoreLinks(work: Work, platform: string, before: ReadonlyMap<string, LinkTexts>): Promise<void> {
  const links = new Map(linksOf(await platformAt(work, platform)));
  for (const [cloud, texts] of byComingPrimary(before)) {
    const now = links.get(cloud);
    const changes = Object.entries(texts).filter(([name, text]) => now?.[name] !== text);
    if (now === undefined || changes.length === 0) continue;
    await configureLink(work, { platform, links }, cloud, Object.fromEntries(changes));
    links.set(cloud, texts);
  }
}

/** Marks platforms whose cloud settings need a look: an earlier run may have ended before. */
export function noteRenewed(work: Work): void {
  const { renewed = [] } = memoryOfStage(work, 'environment');
  work.session.memory.note(stageKey('environment', work.at), {
    renewed: [...renewed, ...wordsAt(work.args, 'recreatePlatforms')],
  });
}

/** Throws unless all of the design's platforms are there: a pull may omit one silently. */
export async function expectAllPulled(work: Work): Promise<void> {
  const there = (await platformsThere(work)).filter((platform) => !isPendingDelete(platform)).map(versionOf);
  const design = await committedPlatforms(work);
  const missing = design.filter((each) => !there.includes(versionOf(each))).map(({ ciName }) => ciName);
  if (missing.length === 0) return;
  throw new LifecycleError(
    `the service pulled the design into ${work.id}, but the environment has no platform ${missing.join(', ')}; nothing was deployed`,
    'look at the environment in the service: the platform may be on its way out there; discard its open changes, then run pulumi up again',
  );
}
