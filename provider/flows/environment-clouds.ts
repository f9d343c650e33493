// Changing an environment's clouds: new ones join, changed defaults reach platforms, leaving ones go offline (flows §5.4, F4).
// It must not know the engine; what leaves for good is the deployment's business.
import { routes, type Environment, type EnvironmentPlatform } from '../../api/contract';
import { LifecycleError } from '../../api/errors';
import type { CloudLink } from '../kinds/environment';
import type { Work } from '../verbs/verbs';
import {
  cloudId,
  configureLink,
  environmentLinks,
  linkTexts,
  linkTo,
  LINK_BASE,
  platformsOf,
  type LinkTexts,
} from './cloud-links';

/** Declared links as texts by wire name; what is left out has the service's value. */
export function declaredLinks(work: Work): Map<string, LinkTexts> | undefined {
  const clouds = work.args['clouds'] as { readonly [name: string]: CloudLink } | undefined;
  if (clouds === undefined) return undefined;
  return new Map(
    Object.entries(clouds).map(([name, link]) => [
      name,
      {
        priority: String(link.priority ?? LINK_BASE['priority']),
        pct_scale: String(link.pctScale ?? LINK_BASE['pct_scale']),
        dpmt_order: String(link.dpmtOrder ?? LINK_BASE['dpmt_order']),
        adminstatus: link.adminstatus ?? LINK_BASE['adminstatus'] ?? '',
      },
    ]),
  );
}

/** `{ "<cloud ciId>": "1" | { priority, … } }` as the service takes it: text only (wire-facts §4.7.1-2). */
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

/**
 * Brings the environment's links to what is declared. Nothing is written unless every platform will have an active primary; clouds that leave
 * stay in the map, offline on each platform, until a deployment has taken their instances down.
 */
export async function applyClouds(work: Work, environment: Environment): Promise<void> {
  const declared = declaredLinks(work);
  if (declared === undefined) return;
  const live = await environmentLinks(work, environment);
  const leaving = [...live.keys()].filter((name) => !declared.has(name));
  const changed = [...declared]
    .filter(([name, link]) => live.has(name) && !sameLink(live.get(name) as LinkTexts, link))
    .map(([name]) => name);
  const joining = [...declared.keys()].filter((name) => !live.has(name));
  if (leaving.length + changed.length + joining.length === 0) return;

  if (joining.length + changed.length > 0) {
    const union = new Map([...[...live].filter(([name]) => !declared.has(name)), ...declared]);
    work.progress(joining.length > 0 ? `adds cloud ${joining.join(', ')}` : `changes cloud ${changed.join(', ')}`);
    await work.api.call(routes.environments.update, {
      address: work.at,
      body: { cms_ci: { ciName: work.address['name'] ?? '', ciAttributes: {} }, clouds: await cloudsBody(work, union) },
    });
  }
  for (const name of byComingPrimary(changed, declared)) {
    const next = declared.get(name) as LinkTexts;
    for (const platform of await platformsOf(work, work.at))
      await followDefault(work, platform, name, live.get(name) as LinkTexts, next);
  }
  for (const name of leaving) {
    for (const platform of await platformsOf(work, work.at)) await takeOffline(work, platform, name);
  }
}

const sameLink = (left: LinkTexts, right: LinkTexts): boolean =>
  Object.keys(LINK_BASE).every((key) => left[key] === right[key]);

/** A coming primary before a leaving one: the service refuses the other order (wire-facts §3.9). */
const byComingPrimary = (names: readonly string[], declared: ReadonlyMap<string, LinkTexts>): readonly string[] =>
  [...names].sort((left, right) => rank(declared.get(left)) - rank(declared.get(right)));

const rank = (link: LinkTexts | undefined): number =>
  (link?.['adminstatus'] === 'active' ? 0 : 10) + Number(link?.['priority'] ?? 1);

/** A changed default reaches the platforms that still carry the old one; a setting of their own stays. */
async function followDefault(
  work: Work,
  platform: EnvironmentPlatform,
  cloud: string,
  old: LinkTexts,
  next: LinkTexts,
): Promise<void> {
  const link = linkTo(platform, cloud);
  if (!link) return;
  const now = linkTexts(link.relationAttributes);
  const changes = Object.fromEntries(
    Object.keys(LINK_BASE).flatMap((key) =>
      now[key] === old[key] && old[key] !== next[key] ? [[key, next[key] as string]] : [],
    ),
  );
  if (Object.keys(changes).length > 0) await configureLink(work, platform, cloud, changes);
}

async function takeOffline(work: Work, platform: EnvironmentPlatform, cloud: string): Promise<void> {
  const link = linkTo(platform, cloud);
  if (!link || linkTexts(link.relationAttributes)['adminstatus'] === 'offline') return;
  work.progress(`takes ${platform.ciName} off cloud ${cloud}`);
  await configureLink(work, platform, cloud, { adminstatus: 'offline' });
}

/** Clouds that are in the environment's map, not declared, and offline on every platform: on their way out, and hidden from reads. */
export async function retiredClouds(
  work: Work,
  live: ReadonlyMap<string, LinkTexts>,
  declared: readonly string[],
): Promise<readonly string[]> {
  const extra = [...live.keys()].filter((name) => !declared.includes(name));
  if (extra.length === 0) return [];
  const platforms = await platformsOf(work, work.at);
  return extra.filter((name) =>
    platforms.every((platform) => {
      const link = linkTo(platform, name);
      return !link || linkTexts(link.relationAttributes)['adminstatus'] === 'offline';
    }),
  );
}

/** Takes retired clouds out of the environment's map. The service refuses while instances run there (wire-facts §4.7.1). */
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
  const staying = new Map([...live].filter(([name]) => !retired.includes(name)));
  await work.api.call(routes.environments.update, {
    address: work.at,
    body: { cms_ci: { ciName: environment.ciName, ciAttributes: {} }, clouds: await cloudsBody(work, staying) },
  });
}
