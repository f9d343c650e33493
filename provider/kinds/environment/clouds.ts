// Changes of an environment's clouds, without an outage (flows §5.4, F4).
import { type Diagnostic, type Environment, mapValues, problem, routes } from '../../../api/contract';
import { LifecycleError } from '../../errors';
import {
  CLOUD_LINK,
  type CloudLink,
  allClouds,
  cloudId,
  configureLink,
  environmentLinks,
  hasPrimary,
  LINK_BASE,
  noCloud,
  linksOf,
  linkTexts,
  type LinkTexts,
  linkTo,
  platformsOf,
  refuseOutage,
} from './cloud-links';
import type { Work } from '../../kind';
import { cloud } from '../cloud';
import { camelCase } from '../../values/field';
import { isPlainObject, type Values, wordsAt } from '../../values/plain';
import { isDeclared, memoryOf } from '../../session';

export const declaredLinks = (work: Work): Map<string, LinkTexts> | undefined => linksIn(work.args);

/** Declared links as texts by wire name, with the service's values. */
export function linksIn(args: Values | undefined): Map<string, LinkTexts> | undefined {
  const clouds = args?.['clouds'] as { readonly [name: string]: CloudLink } | undefined;
  if (clouds === undefined) return undefined;
  const texts = (link: { readonly [member: string]: string | number | undefined }): LinkTexts =>
    Object.fromEntries(Object.entries(CLOUD_LINK).map(([name, { wire, base }]) => [wire, String(link[name] ?? base)]));
  return new Map(Object.entries(clouds).map(([name, link]) => [name, texts(link)]));
}

/** The body for links: `{ "<cloud ciId>": "1" | { priority, … } }` (service-facts §4.7.1-2). */
export async function cloudsBody(
  work: Work,
  links: ReadonlyMap<string, LinkTexts>,
): Promise<{ readonly [id: string]: string | LinkTexts }> {
  const entries = await Promise.all(
    [...links].map(async ([name, link]): Promise<[string, string | LinkTexts]> => {
      const onlyPriority = Object.entries(LINK_BASE).every(([key, base]) => key === 'priority' || link[key] === base);
      return [String(await cloudId(work, name)), onlyPriority ? (link['priority'] as string) : link];
    }),
  );
  return Object.fromEntries(entries);
}

interface CloudChange {
  readonly live: ReadonlyMap<string, LinkTexts>;
  readonly declared: ReadonlyMap<string, LinkTexts>;
  readonly joining: readonly string[];
  readonly changed: readonly string[];
  /** What an interrupted run wanted, and left on some platforms. */
  readonly tried: ReadonlyMap<string, LinkTexts>;
  readonly leaving: readonly string[];
  /** Declared ones that were on their way out when the last run ended. */
  readonly returning: readonly string[];
}

/** What has to change, if clouds are declared. Throws Refused for a lost active primary. */
export async function cloudChange(work: Work, environment: Environment): Promise<CloudChange | undefined> {
  const declared = declaredLinks(work);
  if (declared === undefined) return undefined;
  await Promise.all([...declared.keys()].map((name) => cloudId(work, name)));
  const live = await environmentLinks(work, environment);
  const known = linksIn(work.known);
  const names = [...declared.keys()];
  const change: CloudChange = {
    live,
    declared,
    joining: names.filter((name) => !live.has(name)),
    changed: names.filter((name) => differ(live.get(name), declared.get(name))),
    tried: new Map([...(known ?? [])].filter(([name, link]) => live.has(name) && differ(link, declared.get(name)))),
    leaving: [...live.keys()].filter((name) => !declared.has(name)),
    returning: known === undefined ? [] : names.filter((name) => live.has(name) && !known.has(name)),
  };
  if (!isChange(change)) return change;
  for (const platform of await platformsOf(work, work.at)) {
    const links = linksOf(platform);
    refuseOutage(platform.ciName, links, new Map([...links, ...wantedOn(work, platform.ciName, change, links)]));
  }
  return change;
}

const isChange = ({ joining, changed, tried, leaving, returning }: CloudChange): boolean =>
  joining.length + changed.length + tried.size + leaving.length + returning.length > 0;

/**
 * Brings the environment's links to what is declared. Joining clouds come first, then each
 * platform's links, a coming primary before a leaving one, and the changed defaults last, so that
 * an interrupted run continues. Leaving clouds stay in the map, offline on each platform, until a
 * deployment has taken their instances down. Answers the numbers of its changes on platforms.
 */
export async function applyClouds(work: Work, change: CloudChange): Promise<readonly number[]> {
  const { live, declared, joining, changed } = change;
  if (!isChange(change)) return [];
  const { name = '' } = work.address;
  if (joining.length > 0) {
    work.progress(`adds cloud ${joining.join(', ')}`);
    await writeLinks(work, name, new Map([...declared, ...live]));
  }
  const written: number[] = [];
  for (const platform of await platformsOf(work, work.at)) {
    const links = new Map(linksOf(platform));
    const wanted = wantedOn(work, platform.ciName, change, links);
    for (const [cloud, next] of byComingPrimary(wanted)) {
      const now = links.get(cloud);
      const texts = Object.entries(next).filter(([name, text]) => now?.[name] !== text);
      if (now === undefined || texts.length === 0) continue;
      work.progress(`${next['adminstatus'] === 'offline' ? 'takes' : 'changes'} cloud ${cloud} of ${platform.ciName}`);
      const link = await configureLink(work, { platform: platform.ciName, links }, cloud, Object.fromEntries(texts));
      links.set(cloud, next);
      written.push(link.rfcId ?? 0);
    }
  }
  if (changed.length > 0) await writeLinks(work, name, new Map([...live, ...declared]));
  return written;
}

async function writeLinks(work: Work, ciName: string, links: ReadonlyMap<string, LinkTexts>): Promise<void> {
  const cms_ci = { ciName, ciAttributes: {} };
  const body = { cms_ci, clouds: await cloudsBody(work, links) };
  await work.api.call(routes.environments.update, { address: work.at, body });
}

const differ = (left: LinkTexts | undefined, right: LinkTexts | undefined): boolean =>
  left !== undefined && right !== undefined && Object.keys(LINK_BASE).some((key) => left[key] !== right[key]);

/** Whether a text of a platform's link to a cloud is for a cloud configuration to write. */
type IsOwn = (cloud: string, wire: string) => boolean;

/** Links a platform shall have, by cloud. Leaving and returning goes before configurations. */
function wantedLinks(
  change: CloudChange,
  links: ReadonlyMap<string, LinkTexts>,
  isOwn: IsOwn,
): ReadonlyMap<string, LinkTexts> {
  const { live, declared, joining, changed, tried, leaving, returning } = change;
  const wanted = new Map<string, LinkTexts>();
  const set = (cloud: string, next: (link: LinkTexts) => LinkTexts): void => {
    const link = wanted.get(cloud) ?? links.get(cloud);
    if (link) wanted.set(cloud, next(link));
  };
  const back = (cloud: string): void =>
    set(cloud, (link) => {
      const adminstatus = declared.get(cloud)?.['adminstatus'] ?? '';
      return link['adminstatus'] === 'offline' ? { ...link, adminstatus } : link;
    });
  for (const cloud of joining) if (!links.has(cloud)) wanted.set(cloud, declared.get(cloud) as LinkTexts);
  const follow = (cloud: string, old: LinkTexts): void =>
    set(cloud, (link) => followed(link, old, declared.get(cloud) as LinkTexts, (wire) => isOwn(cloud, wire)));
  for (const cloud of changed) follow(cloud, live.get(cloud) as LinkTexts);
  for (const [cloud, old] of tried) follow(cloud, old);
  for (const cloud of returning) back(cloud);
  for (const cloud of leaving) set(cloud, (link) => ({ ...link, adminstatus: 'offline' }));
  // A change that was taken back may have left the declared clouds offline.
  if (hasPrimary(links) && !hasPrimary(new Map([...links, ...wanted])))
    for (const cloud of declared.keys()) back(cloud);
  return wanted;
}

/**
 * Links a platform shall have. Without an active primary, values that configurations no longer
 * declare follow the environment at once: the configurations come later.
 */
function wantedOn(
  work: Work,
  platform: string,
  change: CloudChange,
  links: ReadonlyMap<string, LinkTexts>,
): ReadonlyMap<string, LinkTexts> {
  const pathOf = (cloud: string, wire: string): string => `${platform}/${cloud}/${camelCase(wire)}`;
  const isOwn: IsOwn = (cloud, wire) => wordsAt(work.args, 'configured').includes(pathOf(cloud, wire));
  const wasOwn: IsOwn = (cloud, wire) => wordsAt(work.known, 'configured').includes(pathOf(cloud, wire));
  const wanted = new Map(wantedLinks(change, links, isOwn));
  if (!hasPrimary(links) || hasPrimary(new Map([...links, ...wanted]))) return wanted;
  for (const [cloud, link] of change.declared) {
    const free = Object.entries(link).filter(([wire]) => wasOwn(cloud, wire) && !isOwn(cloud, wire));
    const there = wanted.get(cloud) ?? links.get(cloud);
    if (there && free.length > 0) wanted.set(cloud, { ...there, ...Object.fromEntries(free) });
  }
  return wanted;
}

/** A changed default reaches the platforms that still have the old one. */
const followed = (link: LinkTexts, old: LinkTexts, next: LinkTexts, isOwn: (wire: string) => boolean): LinkTexts =>
  mapValues(link, (text, key) => (text === old[key] && !isOwn(key) ? (next[key] ?? text) : text));

/** A coming primary before a leaving one: the service refuses the other order. */
export const byComingPrimary = (links: ReadonlyMap<string, LinkTexts>): readonly (readonly [string, LinkTexts])[] =>
  [...links].sort(([, left], [, right]) => rank(left) - rank(right));

const rank = (link: LinkTexts): number => (link['adminstatus'] === 'active' ? 0 : 10) + Number(link['priority']);

/** Clouds of the environment that are not declared, and offline on every platform. */
export async function retiredClouds(
  work: Work,
  live: ReadonlyMap<string, LinkTexts>,
  declared: readonly string[],
): Promise<readonly string[]> {
  const extra = [...live.keys()].filter((name) => !declared.includes(name));
  if (extra.length === 0) return [];
  const platforms = await platformsOf(work, work.at);
  // Without a platform, somebody added them.
  return extra.filter(
    (name) =>
      platforms.length > 0 &&
      platforms.every((platform) => {
        const link = linkTo(platform, name);
        return !link || linkTexts(link.relationAttributes)['adminstatus'] === 'offline';
      }),
  );
}

/** Takes retired clouds out of the environment's map. Refused while instances run there. */
export async function dropRetiredClouds(
  work: Work,
  environment: Environment,
  declared: readonly string[],
): Promise<void> {
  const live = await environmentLinks(work, environment);
  const retired = await retiredClouds(work, live, declared);
  if (retired.length === 0) return;
  if (retired.length === live.size) {
    throw new LifecycleError('every cloud of the environment is on its way out', 'declare at least one cloud');
  }
  work.progress(`removes cloud ${retired.join(', ')}`);
  await writeLinks(work, environment.ciName, new Map([...live].filter(([name]) => !retired.includes(name))));
}

/** Findings about unknown clouds. Asks the service once per run, for new names only. */
export async function foreseeClouds(work: Work, olds: Values): Promise<readonly Diagnostic[]> {
  const known = cloudNames(olds);
  const isMade = (name: string): boolean => isDeclared(memoryOf(work.session, cloud, { name }));
  const joining = cloudNames(work.args).filter((name) => !known.includes(name) && !isMade(name));
  if (joining.length === 0) return [];
  const there = (await allClouds(work)).map(({ ciName }) => ciName);
  return joining
    .filter((name) => !there.includes(name))
    .map((name) => problem('unknown-cloud', ['clouds', name], ...noCloud(work, name, there)));
}

const cloudNames = ({ clouds }: Values): readonly string[] => (isPlainObject(clouds) ? Object.keys(clouds) : []);
