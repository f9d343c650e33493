// The state of an environment for its Deployment: `complete`, or a text that says how what runs differs from the last roll-out.
import {
  type Deployment,
  type Environment,
  type EnvironmentPlatform,
  type Instance,
  type Record as WireRecord,
  type Relation,
  routes,
} from '../../api/contract';
import { isOurs } from '../commit/commit-environment';
import { mayBeRefresh } from '../verbs/records';
import type { Work } from '../model';
import { countsOf, instancesOf, type Look, lookAtRunning, openPlan, type Running, runningIn } from './running';
import { linkTexts, linkTo } from '../kinds/environment/cloud-links';
import { componentOf } from '../address/namespace';

const UNPLANNED = 'what was committed could not be planned';

/** `complete` when everything declared runs as it was deployed; otherwise a text that says what does not. */
export async function stateNow(work: Work, newest: Deployment | undefined, comments: string): Promise<string> {
  const { known } = work;
  const isKnown = newest?.deploymentId === known?.['deploymentId'];
  // One we canceled, or found canceled with nothing left to deploy, is no difference: it was the newest when we recorded success.
  const settled = known?.['state'] === 'complete' && isKnown;
  const state = settled ? 'complete' : (newest?.deploymentState ?? 'complete');
  if (state !== 'complete' || known === undefined || newest === undefined || !mayBeRefresh(work)) return state;
  const planned = await openPlan(work);
  if (planned !== undefined) return planned;
  if (comments.startsWith('ERROR:BOM')) return UNPLANNED;
  const look = await lookAtRunning(work);
  // A newer deployment of this stack changed what runs, and its outcome was not recorded: the counts before it do not apply.
  const before = runningIn(isKnown || !isOurs(work, newest) ? known['running'] : undefined);
  const idle = look.idle.map(({ ciName }) => ciName).sort();
  const missing = await missingSince(work, look, before);
  const all = [...(idle.length === 0 ? [] : [`nothing runs of ${idle.join(', ')}`]), ...missing];
  const since = isKnown ? '' : ` since deployment ${newest.deploymentId} of ${newest.createdBy ?? 'somebody'}`;
  return all.length === 0 ? state : `${all.join('; ')}${since}`;
}

/** Reports what ran before and does not run although everything is deployed: a setting that is not declared prevents it, and is kept. */
export async function reportMissing(work: Work, look: Look): Promise<void> {
  const state = work.known?.['state'];
  // Only a refresh of this run writes a state of several words.
  if (typeof state !== 'string' || !state.includes(' ')) return;
  const missing = await missingSince(work, look, runningIn(work.known?.['running']));
  if (missing.length > 0)
    work.notice(
      `${missing.join('; ')}: nothing is left to deploy, so this stays as it is; "pulumi-oneops drift" shows who set what is not declared`,
    );
}

/** A cloud on which a platform has fewer instances than before. */
interface Shortfall {
  readonly cloud: string;
  readonly before: number;
  readonly now: number;
}

/**
 * What no longer runs of the last roll-out, one text for each platform and cloud. Leaves out platforms of which nothing runs, because `look.idle`
 * names them, and differences that scaling by load explains.
 */
async function missingSince(work: Work, look: Look, before: Running): Promise<readonly string[]> {
  const short = look.platforms.filter(
    (platform) =>
      !look.idle.some(({ ciId }) => ciId === platform.ciId) && fewer(platform, before, look.counts).length > 0,
  );
  const texts = await Promise.all(short.map((platform) => missingOf(work, platform, before)));
  return texts.flat().sort();
}

/** The clouds on which a platform has fewer instances than before. */
const fewer = ({ ciName }: WireRecord, before: Running, counts: Running): readonly Shortfall[] =>
  [...before].flatMap(([key, count]) => {
    const now = counts.get(key) ?? 0;
    return key.startsWith(`${ciName}/`) && now < count
      ? [{ cloud: key.slice(ciName.length + 1), before: count, now }]
      : [];
  });

async function missingOf(work: Work, { ciName: name }: WireRecord, before: Running): Promise<readonly string[]> {
  const address = { ...work.at, platform: name };
  // The list of the environment may be incomplete, so the list of the platform must show the same.
  const [platform, instances] = await Promise.all([
    work.api.call(routes.environmentPlatforms.read, { address }),
    instancesOf(work, name),
  ]);
  const short = fewer(platform, before, countsOf(instances));
  if (short.length === 0) return [];
  const [{ clouds }, { depends_on: scaled }] = await Promise.all([
    work.api.call(routes.environments.read, { address: work.at }),
    work.api.call(routes.environmentPlatforms.edit, { address }),
  ]);
  return short.flatMap((shortfall) => {
    const why = whyFewer(work, { platform, clouds, scaled, instances }, shortfall.cloud);
    const { cloud, now, before: expected } = shortfall;
    return why === SCALED_BY_LOAD
      ? []
      : [`${name}: ${now} of ${expected} instances run in ${cloud}${why === '' ? '' : `, because ${why}`}`];
  });
}

/** What the service reports about a platform of which fewer instances run. */
interface Known {
  readonly platform: EnvironmentPlatform;
  /** The links of the environment, which its platforms follow unless a user sets other values. */
  readonly clouds: Environment['clouds'];
  /** Its dependencies that can be scaled. */
  readonly scaled: readonly Relation[];
  readonly instances: readonly Instance[];
}

const SCALED_BY_LOAD = 'it scales by load';

/** Why fewer instances of a platform run on a cloud; empty when no setting explains it. */
function whyFewer(work: Work, { platform, clouds, scaled, instances }: Known, cloud: string): string {
  const link = linkTo(platform, cloud);
  if (link === undefined) return 'it does not use that cloud any more';
  const texts = linkTexts(committed(link));
  const isConfigured = namesIn(work, 'configured').some((name) => name.startsWith(`${platform.ciName}/${cloud}/`));
  const own = clouds?.[String(link.toCiId)];
  const share = Number(texts['pct_scale']);
  if (texts['adminstatus'] !== 'active') return `the cloud is ${texts['adminstatus']} for it`;
  if (!isConfigured && own && share < Number(linkTexts(own)['pct_scale']))
    return `pct_scale is ${share} for it, and ${linkTexts(own)['pct_scale']} in the environment`;
  const there = instances.filter(({ deployedTo }) => deployedTo?.ciName === cloud);
  if (scaled.length === 0 || !scaled.every((relation) => runsAsScaled(relation, share, there))) return '';
  const isSetHere = scaled.every((relation) => isDeclared(work, platform.ciName, relation));
  if ((isSetHere || platform.ciAttributes['autoscale'] === 'true') && scaled.every(isWithinItsRange))
    return SCALED_BY_LOAD;
  return scaled
    .map((relation) => `${nameOfTarget(relation)} is scaled to ${committed(relation)['current'] ?? ''}`)
    .join(', ');
}

const namesIn = ({ known }: Work, argument: 'configured' | 'scaled'): readonly string[] =>
  (known?.[argument] ?? []) as readonly string[];

/** Whether the stack declares the number of instances: then the difference is reported for the record of the platform. */
const isDeclared = (work: Work, platform: string, relation: Relation): boolean =>
  namesIn(work, 'scaled').includes(`${platform}/${nameOfTarget(relation)}`);

/** A relation's attributes without its open change. */
const committed = (relation: Relation): Relation['relationAttributes'] => ({
  ...relation.relationAttributes,
  ...(relation['relationBaseAttributes'] as Relation['relationAttributes'] | null | undefined),
});

const nameOfTarget = ({ toCi, toCiId }: Relation): string => toCi?.ciName ?? String(toCiId);

/** Whether as many instances run on a cloud as a dependency is scaled to: `current`, by the share of the cloud, rounded up (service-facts §10.5). */
function runsAsScaled(relation: Relation, share: number, there: readonly Instance[]): boolean {
  const wanted = Math.ceil((Number(committed(relation)['current'] ?? 1) * share) / 100);
  const name = nameOfTarget(relation);
  return there.filter((each) => componentOf(each) === name).length >= wanted;
}

function isWithinItsRange(relation: Relation): boolean {
  const { current, min, max } = committed(relation);
  return Number(min) < Number(max) && Number(current) >= Number(min) && Number(current) <= Number(max);
}
