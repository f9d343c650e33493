// Describes what ran after the last roll-out and no longer runs, and why: instances that no longer exist, clouds that a user switched off.
// Reads single platforms only when they have fewer instances than before.
import {
  routes,
  type Environment,
  type EnvironmentPlatform,
  type Instance,
  type Record as WireRecord,
  type Relation,
} from '../../../api/contract';
import type { Work } from '../../model';
import { linkTexts, linkTo } from '../environment/cloud-links';
import { countsOf, instancesOf, type Look, type Running } from './running';
import { componentOf } from '../../address/namespace';

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
export async function missingSince(work: Work, look: Look, before: Running): Promise<readonly string[]> {
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
