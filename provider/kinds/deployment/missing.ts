// What ran after the last roll-out and does not run any more, and why, in words: instances that are gone, clouds that somebody switched off.
// Asks for single platforms only where fewer instances are there than before. It must not know how anything is deployed.
import {
  routes,
  type Environment,
  type EnvironmentPlatform,
  type Instance,
  type Record as WireRecord,
  type Relation,
} from '../../../api/contract';
import type { Work } from '../../verbs/verbs';
import { parseMember } from '../../members';
import { textAt } from '../../text-at';
import { linkTexts, linkTo } from '../../releases/cloud-links';
import { countsOf, instancesOf, type Look, type Running } from './running';

/** Fewer instances of a platform on a cloud than there were. */
interface Shortfall {
  readonly cloud: string;
  readonly before: number;
  readonly now: number;
}

/**
 * What of the last roll-out does not run any more, a text for each platform and cloud; platforms of which nothing runs at all are the look's own.
 * Fewer instances that scaling by load explains are none.
 */
export async function missingSince(work: Work, look: Look, before: Running): Promise<readonly string[]> {
  const short = look.platforms.filter(
    (platform) =>
      !look.idle.some(({ ciId }) => ciId === platform.ciId) && fewer(platform, before, look.counts).length > 0,
  );
  const texts = await Promise.all(short.map((platform) => missingOf(work, platform, before)));
  return texts.flat().sort();
}

/** Where a platform has fewer instances than before. */
const fewer = ({ ciName }: WireRecord, before: Running, counts: Running): readonly Shortfall[] =>
  [...before].flatMap(([key, count]) => {
    const now = counts.get(key) ?? 0;
    return key.startsWith(`${ciName}/`) && now < count
      ? [{ cloud: key.slice(ciName.length + 1), before: count, now }]
      : [];
  });

async function missingOf(work: Work, { ciName: name }: WireRecord, before: Running): Promise<readonly string[]> {
  const address = { ...work.at, platform: name };
  // A list that came shortened is not taken for an outage: the platform's own has to agree.
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
    const { cloud, now, before: wanted } = shortfall;
    return why === SCALED_BY_LOAD
      ? []
      : [`${name}: ${now} of ${wanted} instances run in ${cloud}${why === '' ? '' : `, because ${why}`}`];
  });
}

/** What is known of a platform of which less runs. */
interface Known {
  readonly platform: EnvironmentPlatform;
  /** The environment's own links, which platforms follow unless somebody says otherwise. */
  readonly clouds: Environment['clouds'];
  /** Its dependencies that can be scaled. */
  readonly scaled: readonly Relation[];
  readonly instances: readonly Instance[];
}

const SCALED_BY_LOAD = 'it scales by load';

/** Why less of a platform runs on a cloud; empty where nothing that is set there tells. */
function whyFewer(work: Work, { platform, clouds, scaled, instances }: Known, cloud: string): string {
  const link = linkTo(platform, cloud);
  if (link === undefined) return 'it does not use that cloud any more';
  const texts = linkTexts(committed(link));
  const isConfigured = memberPaths(work).includes(`${platform.ciName}/${cloud}`);
  const own = clouds?.[String(link.toCiId)];
  const share = Number(texts['pct_scale']);
  if (texts['adminstatus'] !== 'active') return `the cloud is ${texts['adminstatus']} for it`;
  if (!isConfigured && own && share < Number(linkTexts(own)['pct_scale']))
    return `pct_scale is ${share} for it, and ${linkTexts(own)['pct_scale']} in the environment`;
  const there = instances.filter(({ deployedTo }) => deployedTo?.ciName === cloud);
  if (scaled.length === 0 || !scaled.every((relation) => runsAsScaled(relation, share, there))) return '';
  const isTold = scaled.every((relation) => isDeclared(work, platform.ciName, relation));
  if ((isTold || platform.ciAttributes['autoscale'] === 'true') && scaled.every(isWithinItsRange))
    return SCALED_BY_LOAD;
  return scaled
    .map((relation) => `${nameOfTarget(relation)} is scaled to ${committed(relation)['current'] ?? ''}`)
    .join(', ');
}

/** Paths of the environment's records that the stack declared in its last run. */
const memberPaths = ({ known }: Work): readonly string[] => Object.keys(known?.['members'] ?? {});

/** Whether the stack declares how many instances there are: then the platform's own record shows that they are fewer. */
const isDeclared = ({ known }: Work, platform: string, relation: Relation): boolean =>
  parseMember(textAt(known?.['members'] as Work['known'], platform)).declares?.includes(
    `scale.${nameOfTarget(relation)}.current`,
  ) === true;

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
  return there.filter(({ ciName }) => ciName.replace(/-\d+-\d+$/, '') === name).length >= wanted;
}

function isWithinItsRange(relation: Relation): boolean {
  const { current, min, max } = committed(relation);
  return Number(min) < Number(max) && Number(current) >= Number(min) && Number(current) <= Number(max);
}
