// A link between a platform and a cloud: its members, and when its cloud is an active primary.
import {
  type Diagnostic,
  routes,
  type Environment,
  type EnvironmentPlatform,
  type Record as WireRecord,
  type Relation,
} from '../../../api/contract';
import { idle } from '../../lifecycle/check';
import { LifecycleError, Refused } from '../../errors';
import { base, baseTexts, int, membersOf, type ObjectOf, oneOf } from '../../values/field';
import type { Work } from '../../kind';
import { isPendingDelete } from '../../verbs/live';
import { decodeShape, type ObjectMember } from '../../values/shape';
import { didYouMean } from '../../values/text';
import { holdsUnknown, type Texts, type Values } from '../../values/plain';

/** Members of a link, with the service's own values (service-facts §2.1.9 base.Consumes). */
export const LINK_FIELDS = {
  priority: base('1', int(1, 2)).optional().describe('1 primary, 2 secondary.'),
  pctScale: base('100', int(0)).optional().describe('Share of the wanted instances, in percent.'),
  dpmtOrder: base('1', int()).optional().describe('Order among clouds in a deployment, ascending.'),
  adminstatus: base('active', oneOf(['active', 'inactive', 'offline']))
    .optional()
    .describe('`active`, `inactive` (left as it is) or `offline` (instances are deleted).'),
};

/** How a platform uses a cloud; a member that is left out has the service's value. */
export type CloudLink = ObjectOf<typeof LINK_FIELDS>;

/** The members of an object that is a link: each has a value of the service. */
export const CLOUD_LINK = membersOf(LINK_FIELDS) as { readonly [name: string]: Required<ObjectMember> };

/** Members without effect: nothing new is made on a cloud that is not active. */
export const idleOfLink = (link: CloudLink, path: readonly string[] = []): readonly Diagnostic[] =>
  link.adminstatus === 'inactive' || link.adminstatus === 'offline'
    ? idle(link, ['pctScale', 'dpmtOrder'], `the cloud is ${link.adminstatus}`, path)
    : [];

/** Declared values, or texts of the service, that decide about an active primary. */
export interface DecidingValues {
  readonly priority?: unknown;
  readonly adminstatus?: unknown;
}

/** Whether a link makes its cloud an active primary. Undefined while a member is not known. */
export function isActivePrimary({ priority, adminstatus }: DecidingValues): boolean | undefined {
  if (holdsUnknown(priority) || holdsUnknown(adminstatus)) return undefined;
  const rank = priority ?? LINK_FIELDS.priority.base;
  return (rank === 1 || rank === '1') && (adminstatus ?? LINK_FIELDS.adminstatus.base) === 'active';
}

export type LinkTexts = Texts;

/** The default values of a link. */
export const LINK_BASE: LinkTexts = baseTexts(LINK_FIELDS);

export const allClouds = (work: Work): Promise<readonly WireRecord[]> =>
  work.api.call(routes.clouds.list, { address: { organization: work.api.organization } });

/** The same, requested again when a cloud is missing: it may be new. */
async function cloudsWith(work: Work, holdsAll: (clouds: readonly WireRecord[]) => boolean) {
  const clouds = await allClouds(work);
  if (holdsAll(clouds)) return clouds;
  work.session.answers.drop(['clouds'], {});
  return allClouds(work);
}

/** Record number of a cloud by name. Throws when there is none, with the nearest name. */
export async function cloudId(work: Work, name: string): Promise<number> {
  const clouds = await cloudsWith(work, (all) => all.some((cloud) => cloud.ciName === name));
  const found = clouds.find((cloud) => cloud.ciName === name);
  if (found) return found.ciId;
  const names = clouds.map((cloud) => cloud.ciName);
  throw new LifecycleError(...noCloud(work, name, names));
}

/** The mistake in the name of a cloud, and the name that was probably meant. */
export const noCloud = ({ api }: Work, name: string, names: readonly string[]): [message: string, hint: string] => [
  `organization ${api.organization} has no cloud "${name}"`,
  didYouMean(name, names, `its clouds are ${names.join(', ') || 'none yet'}`),
];

/** An environment's links by cloud name. Throws when a cloud is not in the organization's list. */
export async function environmentLinks(work: Work, environment: Environment): Promise<Map<string, LinkTexts>> {
  const used = Object.entries(environment.clouds ?? {});
  const clouds = await cloudsWith(work, (all) => used.every(([id]) => all.some(({ ciId }) => String(ciId) === id)));
  const links = new Map<string, LinkTexts>();
  for (const [id, attributes] of used) {
    const cloud = clouds.find((candidate) => String(candidate.ciId) === id);
    if (!cloud)
      throw new LifecycleError(
        `environment ${environment.ciName} uses cloud ${id}, which is not in the list of the organization's clouds`,
        'an answer may be incomplete: try again, and check whether the token may see every cloud',
      );
    links.set(cloud.ciName, linkTexts(attributes));
  }
  return links;
}

/** The environment's platforms with the clouds they consume. */
export async function platformsOf(work: Work, at: Texts): Promise<readonly EnvironmentPlatform[]> {
  const list = await work.api.call(routes.environmentPlatforms.list, { address: at });
  const staying = list.filter((platform) => !isPendingDelete(platform));
  return Promise.all(
    staying.map((platform) =>
      work.api.call(routes.environmentPlatforms.read, { address: { ...at, platform: platform.ciName } }),
    ),
  );
}

export const linkTo = (platform: EnvironmentPlatform, cloud: string): Relation | undefined =>
  (platform.consumes ?? []).find((link) => link.toCi?.ciName === cloud && link.rfcAction !== 'delete');

/** The texts of a link, blanks as the service reads them. */
export function linkTexts(attributes: { readonly [name: string]: string | null }): LinkTexts {
  return Object.fromEntries(Object.entries(LINK_BASE).map(([name, base]) => [name, attributes[name] || base]));
}

/** The values of a link that is not as the service makes it by itself; its priority always. */
export const linkValues = (link: LinkTexts): Values =>
  Object.fromEntries(
    Object.entries(CLOUD_LINK).flatMap(([name, { shape, wire, base: own }]) => {
      const text = link[wire] ?? own;
      return text === own && name !== 'priority' ? [] : [[name, decodeShape(shape, text)]];
    }),
  );

/** Whether a platform has a committed link to a cloud that is active and has a share above 0. */
export const hasWork = ({ consumes }: EnvironmentPlatform): boolean =>
  (consumes ?? []).some(({ relationAttributes, rfcAction }) => {
    const link = linkTexts(relationAttributes);
    return !rfcAction && link['adminstatus'] === 'active' && Number(link['pct_scale']) > 0;
  });

/** A platform's links by cloud name, as they read. */
export const linksOf = (platform: EnvironmentPlatform): ReadonlyMap<string, LinkTexts> =>
  new Map(
    (platform.consumes ?? [])
      .filter((link) => link.rfcAction !== 'delete' && link.toCi !== undefined)
      .map((link) => [link.toCi?.ciName ?? '', linkTexts(link.relationAttributes)]),
  );

/** Whether some cloud is active with priority 1. */
export const hasPrimary = (links: ReadonlyMap<string, LinkTexts>): boolean =>
  [...links.values()].some((link) => isActivePrimary(link) === true);

/** Throws Refused when links would leave a platform without its last active primary. */
export function refuseOutage(platform: string, before: ReadonlyMap<string, LinkTexts>, after: typeof before): void {
  if (!hasPrimary(before) || hasPrimary(after)) return;
  const [leaving = ''] = [...before].find(([, link]) => isActivePrimary(link)) ?? [];
  throw new Refused(
    `platform ${platform} would be left without a cloud that is active with priority 1`,
    `make another cloud active with priority 1 before "${leaving}" leaves that role`,
  );
}

/** Writes texts to a platform's link. Refuses to leave it without an active primary. */
export async function configureLink(
  work: Work,
  { platform, links }: { readonly platform: string; readonly links: ReadonlyMap<string, LinkTexts> },
  cloud: string,
  changes: LinkTexts,
): Promise<Relation> {
  const link = links.get(cloud);
  if (!link) {
    throw new LifecycleError(
      `platform ${platform} does not use cloud "${cloud}"`,
      `the environment's clouds are ${[...links.keys()].join(', ') || 'none'}; add it to the environment's clouds first`,
    );
  }
  refuseOutage(platform, links, new Map([...links, [cloud, { ...link, ...changes }]]));
  const id = await cloudId(work, cloud);
  return work.api.call(routes.environmentPlatforms.configureCloud, {
    address: { ...work.at, platform },
    body: { cloud_id: String(id), attributes: changes },
  });
}
