// The CloudConfiguration kind: how one platform of an environment uses one cloud (flows §3.7).
import type { Api } from '../../../api/client';
import {
  type Diagnostic,
  type Environment,
  type EnvironmentPlatform,
  problem,
  type Relation,
  routes,
} from '../../../api/contract';
import type { Live } from '../../address/live';
import { LifecycleError } from '../../errors';
import { type Address, type DeclaredRecord, type FoundRecord, kind, type Work } from '../../kind';
import {
  configureLink,
  environmentLinks,
  LINK_BASE,
  LINK_FIELDS,
  linksOf,
  linkTexts,
  linkTo,
  type DecidingValues,
  idleOfLink,
  isActivePrimary,
} from './cloud-links';
import { agreeIn } from '../settled';
import { memoryOfStage } from '../../session';
import { asMap, holdsUnknown, type Texts, valueIn } from '../../values/plain';
import { coversPath } from '../../values/property-path';
import { adopt } from '../../verbs/adopt';
import { deleteOnce } from '../../verbs/crud';
import { isPendingDelete } from '../../verbs/live';
import { environmentOf, readOrGone } from '../../verbs/presence';
import { environment } from './kind';
import { shownAsPulled } from './overlay';
import { notPulled } from './pull';

const platformAt = (work: Work): Promise<EnvironmentPlatform | undefined> =>
  readOrGone(work.api, work.at, () => work.api.call(routes.environmentPlatforms.read, { address: work.at }));

function liveLink(link: Relation, platform?: EnvironmentPlatform): Live {
  const applied = typeof link['lastAppliedRfcId'] === 'number' ? link['lastAppliedRfcId'] : 0;
  const change = link.rfcId || applied;
  return {
    ciId: link.ciRelationId,
    className: link.relationName,
    wire: link.relationAttributes,
    stamp: String(change || link.updated || link.created || link.ciRelationId),
    updated: link.updated ?? link.created ?? 0,
    updatedBy: link.updatedBy ?? link.createdBy ?? '',
    origin: 'pack',
    ...(platform ? { source: platform } : {}),
  };
}

/** A link has no path: it is gone with its platform, or when the environment uses no such cloud. */
async function read(work: Work): Promise<Live | undefined> {
  const platform = await platformAt(work);
  const link = platform && linkTo(platform, cloudOf(work));
  if (platform === undefined || link) return link && liveLink(link, platform);
  // Its use of the cloud may wait for its end.
  const isLeaving = (platform.consumes ?? []).some(({ toCi }) => toCi?.ciName === cloudOf(work));
  if (isPendingDelete(platform) || isLeaving) return undefined;
  const environment = await environmentOf(work);
  if (!environment || !(await environmentLinks(work, environment)).has(cloudOf(work))) return undefined;
  throw new LifecycleError(
    `the environment uses cloud "${cloudOf(work)}", but its platform does not list it`,
    'an answer may be incomplete: try again, and check the proxies between this machine and the service',
  );
}

const cloudOf = (work: Work): string => work.at['cloud'] as string;

/** The environment's own values for the cloud. */
async function environmentTexts(work: Work): Promise<Texts> {
  const links = await environmentLinks(work, await work.api.call(routes.environments.read, { address: work.at }));
  return links.get(cloudOf(work)) ?? LINK_BASE;
}

async function write(work: Work, platform: EnvironmentPlatform | undefined, changes: Texts): Promise<Live> {
  if (!platform) throw await notPulled(work);
  return liveLink(
    await configureLink(work, { platform: platform.ciName, links: linksOf(platform) }, cloudOf(work), changes),
  );
}

interface Linked {
  readonly platform: EnvironmentPlatform;
  readonly link: Relation;
}

async function find(work: Work): Promise<Linked | undefined> {
  const platform = await platformAt(work);
  const link = platform && linkTo(platform, cloudOf(work));
  return link && { platform, link };
}

const differing = (texts: Texts, link: Relation): Texts => {
  const live = linkTexts(link.relationAttributes);
  return Object.fromEntries(Object.entries(texts).filter(([name, text]) => live[name] !== text));
};

const adopted = adopt<Linked>({
  find,
  live: (_, { link, platform }) => liveLink(link, platform),
  make: async (work) => write(work, await platformAt(work), work.wire),
  take: (work, { link, platform }) => {
    const changes = differing(work.wire, link);
    return Object.keys(changes).length === 0 ? Promise.resolve(liveLink(link)) : write(work, platform, changes);
  },
  write: (work) => write(work, work.live.source as EnvironmentPlatform | undefined, work.changes),

  /** Nothing, when platform or cloud leave: instances would come back (flows §3.7). */
  async giveBack(work, { platform, link }) {
    if (isPendingDelete(platform)) return;
    const stays = work.declaredClouds?.includes(cloudOf(work)) ?? false;
    if (linkTexts(link.relationAttributes)['adminstatus'] === 'offline' && !stays) return;
    const names = Object.keys(work.wire).length > 0 ? Object.keys(work.wire) : Object.keys(LINK_BASE);
    const bases = await environmentTexts(work);
    const changes = differing(Object.fromEntries(names.map((name) => [name, bases[name] ?? ''])), link);
    if (Object.keys(changes).length > 0)
      await configureLink(work, { platform: platform.ciName, links: linksOf(platform) }, cloudOf(work), changes);
  },

  base: environmentTexts,
});

/** A cloud that this run takes from the environment has no configuration, although nothing of it changed. */
async function foresee(work: Work): Promise<readonly Diagnostic[]> {
  const { inputs: { clouds } = {}, ignored = [] } = memoryOfStage(work, 'environment');
  const cloud = cloudOf(work);
  if (clouds === undefined || holdsUnknown([clouds, work.address]) || cloud in asMap(clouds)) return [];
  // Somebody else may add a cloud that the environment ignores.
  if (ignored.some((path) => coversPath(path, ['clouds', cloud]))) return [];
  const hint = 'add it to the clouds of the environment, or remove this configuration';
  return [
    problem('unknown-cloud', ['cloud'], `the environment "${work.at['environment']}" has no cloud "${cloud}"`, hint),
  ];
}

/** Whether a link has the values that its environment has for the cloud. */
const isOf =
  (clouds: Environment['clouds']) =>
  ({ toCiId, relationAttributes }: Relation): boolean => {
    const own = clouds?.[String(toCiId)];
    const texts = own && linkTexts(own);
    return Object.entries(linkTexts(relationAttributes)).every(([name, text]) => texts?.[name] === text);
  };

/** The links of an environment's platforms: only their values show that a user set them. */
async function searchLinks(api: Api, at: Address, mayBeSet = false): Promise<readonly FoundRecord[]> {
  const platforms = await api.call(routes.environmentPlatforms.list, { address: at });
  const shown = mayBeSet ? await shownAsPulled(api, at, platforms) : undefined;
  const { clouds } = shown ? await api.call(routes.environments.read, { address: at }) : {};
  const found: FoundRecord[] = [];
  for (const { ciName: platform } of platforms.filter((each) => !isPendingDelete(each))) {
    if (shown?.is('link', platform) && shown.links(platform).every(isOf(clouds))) continue;
    const whole = await api.call(routes.environmentPlatforms.read, { address: { ...at, platform } });
    found.push(...[...linksOf(whole).keys()].map((cloud) => ({ address: { platform, cloud }, isGiven: true })));
  }
  return found;
}

/** Whether a configuration surely makes its cloud an active primary. */
function isPrimaryIn(environment: DeclaredRecord | undefined, { address, args }: DeclaredRecord): boolean {
  const clouds = environment?.args['clouds'];
  const { cloud = '' } = address;
  const inherited: DecidingValues = asMap(valueIn(clouds, [cloud]));
  const { priority, adminstatus } = args as DecidingValues;
  return (
    isActivePrimary({
      priority: priority ?? inherited.priority,
      adminstatus: adminstatus ?? inherited.adminstatus,
    }) === true
  );
}

const environmentIn = <R extends DeclaredRecord>(records: readonly R[]): R | undefined =>
  records.find(({ of }) => of.token === 'Environment');

export const cloudConfiguration = kind({
  token: 'CloudConfiguration',
  description: 'Settings of one cloud for one platform of an environment; what is left out follows the environment.',
  path: '/{organization}/{assembly}/{environment}/{platform}/{cloud}',
  named: false,
  within: environment,
  found: { search: searchLinks },
  stage: 'environment',
  fields: { ...LINK_FIELDS },
  impact: {
    takesAway: (argument, before, after) =>
      argument === 'pctScale' ? Number(after) < Number(before) : argument === 'adminstatus' && after === 'offline',
    makesInstances: ({ address, attributes }, { environment: where }) =>
      address.startsWith(`${where}/`) &&
      attributes.some(({ path: [argument], before, after }) =>
        argument === 'adminstatus'
          ? after.is !== 'value' || after.value === 'active'
          : argument === 'priority' || (argument === 'pctScale' && !(Number(after.value) <= Number(before.value))),
      ),
    takesDown: ({ address, attributes }, { environment: where, platform, cloud }) =>
      address === `${where}/${platform}/${cloud}` &&
      attributes.some(
        ({ path, after }) => path[0] === 'adminstatus' && after.is === 'value' && after.value === 'offline',
      ),
  },
  after: {
    // Those that make an active primary come first: the service refuses a platform without one.
    from: ({ token }) => token === 'CloudConfiguration' || token === 'Environment',
    reads: [{ argument: 'clouds' }, { argument: 'adminstatus' }, { argument: 'priority' }],
    mayPrecede: (own, other, around) => agreeIn('platform', own, other) && !isPrimaryIn(environmentIn(around), own),
    records: (own, others) => {
      const owner = environmentIn(others);
      if (isPrimaryIn(owner, own)) return [];
      return others.filter(
        (other) => other.of.token === own.of.token && agreeIn('platform', own, other) && isPrimaryIn(owner, other),
      );
    },
  },
  idle: idleOfLink,
  inFile: { path: 'environments.*.platforms.*.clouds.*' },
  // Nothing is given back where platform, link or environment no longer exist.
  verbs: { ...adopted, foresee, read, delete: (work) => deleteOnce(() => adopted.delete(work)) },
  sample: {
    create: { adminstatus: 'inactive', priority: 2, pctScale: 50, dpmtOrder: 2 },
    update: { adminstatus: 'active', priority: 1, pctScale: 60, dpmtOrder: 3 },
  },
});
