// EnvironmentPlatform verbs: switch and scale a platform of an environment, and restore what is no longer declared (service-facts §3.10, §4.7.5).
import { routes, type Record as WireRecord, type Relation } from '../../../../api/contract';
import type { Api } from '../../../../api/client';
import { LifecycleError } from '../../../errors';
import type { Address, FoundRecord, Verbs, Work } from '../../../kind';
import type { Live, SetBy } from '../../../address/live';
import { noteSwitched, platformSwitches, type PlatformSwitch } from '../../../history/platform-switch';
import { adopt } from '../../../verbs/adopt';
import { areForeignComments, commentsBase, commentsOf, declaresComments, withComments } from '../../../verbs/comments';
import { deleteOnce } from '../../../verbs/crud';
import { isPendingDelete, liveOf } from '../../../verbs/live';
import { AlreadyThere, expectEnvironment } from '../../../verbs/presence';
import { mayBeRefresh, readRecord } from '../../../verbs/records';
import { followDesign } from '../pull';
import {
  platformChanges,
  scalingBody,
  givenBackOf,
  isRedundant,
  isScaledByLoad,
  packScale,
  type PlatformChanges,
  type FoundPlatform,
} from './scale-changes';
import {
  followedNames,
  isSetOtherwise,
  liveScale,
  LOCKS_ONLY,
  scaledBy,
  scaleIn,
  scaleOf,
  setScale,
  type PackScale,
} from './scaling';
import { baseOf, differing, setSwitches, surelyUnset, type Texts } from './switches';

/** Whether nothing of the record is declared: it is imported, read by a review, or restored by a sweep. */
const isBare = ({ wire, known }: Work): boolean => Object.keys(wire).length === 0 && known?.['revision'] === undefined;

const mentions = ({ args, known }: Work, argument: string): boolean =>
  args[argument] !== undefined || known?.[argument] !== undefined;

async function find(work: Work): Promise<FoundPlatform | undefined> {
  // A platform is listed by its name, which is not the last part of this address.
  const named = { ...work, address: { ...work.address, name: work.at['platform'] ?? '' } };
  const platform = await readRecord(named, routes.environmentPlatforms, ['links_to', 'consumes']);
  if (platform === undefined || isPendingDelete(platform)) return undefined;
  const isNeeded = mentions(work, 'scale') || isBare(work);
  return { platform, relations: isNeeded ? await scalable(work, platform) : undefined };
}

async function scalable(work: Work, platform: WireRecord): Promise<readonly Relation[]> {
  if (!isRedundant(platform)) return [];
  return (await work.api.call(routes.environmentPlatforms.edit, { address: work.at })).depends_on;
}

async function switchOf(work: Work, { ciId }: WireRecord): Promise<PlatformSwitch | undefined> {
  // An update takes it from the state, because to find it out would cost a plan.
  return mayBeRefresh(work) || isBare(work) ? (await platformSwitches(work)).get(ciId) : undefined;
}

/** `enabled` as a text; when it is not known, the value of the last run. */
function enabledText(work: Work, found: PlatformSwitch | undefined): Texts {
  if (found?.enabled !== undefined) return { enabled: String(found.enabled) };
  const before = work.known?.['enabled'];
  if (typeof before !== 'boolean') return {};
  if (found !== undefined) work.notice(`whether ${work.id} is enabled is not known: ${found.reason}`);
  return { enabled: String(before) };
}

const unknownSwitch = (found: PlatformSwitch | undefined): Pick<Live, 'unknown'> =>
  found !== undefined && found.enabled === undefined ? { unknown: { enabled: found.reason } } : {};

async function live(work: Work, source: FoundPlatform): Promise<Live> {
  const { platform, relations = [] } = source;
  const found = await switchOf(work, platform);
  const origin = isBare(work) ? await packScale(work, source) : LOCKS_ONLY;
  const scale = isBare(work)
    ? setScale(relations, origin)
    : liveScale(relations, scaleIn((work.known ?? work.args)['scale']), isScaledByLoad(platform));
  const members = {
    ...commentsOf(platform),
    ...enabledText(work, found),
    ...(Object.keys(scale).length === 0 ? {} : { scale: JSON.stringify(scale) }),
  };
  // The service does not return the locks of a platform, and its attributes do not follow the design: no pull wrote them.
  const { owners: _, ...shown } = liveOf(platform, members);
  const by = setBy(found, scaledBy(relations, origin));
  return {
    ...shown,
    ...laterWriter(platform, found),
    ...by,
    ...unknownSwitch(found),
    followed: followedNames(relations),
    origin: 'pack',
    source,
  };
}

/** Who switched the platform, and who scaled it: its own record shows neither. */
function setBy(found: PlatformSwitch | undefined, scale: SetBy | undefined): Pick<Live, 'setBy'> {
  const by = {
    ...(found?.switched === undefined ? {} : { enabled: { ...found.switched, reach: found.reach } }),
    ...(scale === undefined ? {} : { scale }),
  };
  return Object.keys(by).length === 0 ? {} : { setBy: by };
}

/** Who switched the platform, when that was the last write to it: its own record does not show that. */
function laterWriter(platform: WireRecord, found: PlatformSwitch | undefined): Pick<Live, 'updated' | 'updatedBy'> {
  const { updated = 0 } = liveOf(platform);
  const { by = '', at = 0 } = found?.switched ?? {};
  return by !== '' && at > updated ? { updated: at, updatedBy: by } : {};
}

/** Writes attributes and scaling in one request, and the switch in another; then pulls the pack's values for what is given back. */
async function write(work: Work, { platform, relations }: FoundPlatform, changes: PlatformChanges): Promise<Live> {
  const { enabled, scale: _, comments, ...attributes } = changes.texts;
  const dependsOn = scalingBody(work, platform, relations ?? [], changes);
  const own = comments === undefined ? {} : { comments };
  const isOwnWritten = Object.keys(attributes).length > 0 || comments !== undefined;
  let record = platform;
  if (isOwnWritten || Object.keys(dependsOn).length > 0)
    record = await work.api.call(routes.environmentPlatforms.update, {
      address: work.at,
      body: {
        ...(isOwnWritten
          ? { cms_dj_ci: { ciId: platform.ciId, ciName: platform.ciName, ...own, ciAttributes: attributes } }
          : {}),
        ...(Object.keys(dependsOn).length > 0 ? { depends_on: dependsOn } : {}),
      },
    });
  if (enabled !== undefined) await switchTo(work, platform, enabled === 'true');
  // Only the service knows the pack's values: a pull writes them to everything that is no longer locked.
  if (Object.keys(changes.givenBack).length > 0) await followDesign(work);
  return { ...liveOf(record, commentsOf(record)), origin: 'pack' };
}

/** The comments of the platform when nobody sets any in the environment. */
const baseComments = (work: Work, platform: WireRecord): Promise<{ readonly comments: string }> =>
  commentsBase({ wire: commentsOf(platform) }, async () => {
    const designed = await work.api.call(routes.platforms.list, { address: work.at });
    return designed.find(({ ciName }) => ciName === platform.ciName);
  });

async function switchTo(work: Work, platform: WireRecord, enabled: boolean): Promise<void> {
  const route = enabled ? routes.environments.enable : routes.environments.disable;
  await work.api.call(route, { address: work.at, body: { platformCiIds: [String(platform.ciId)] } });
  await noteSwitched(work, platform.ciId, enabled);
}

/** Whether the platform is declared as enabled, and somebody disabled it. */
async function isDisabled(work: Work, { platform }: FoundPlatform): Promise<boolean> {
  return work.wire['enabled'] === 'true' && (await platformSwitches(work)).get(platform.ciId)?.enabled === false;
}

/** The platform as it is, to compare with what is declared for the first time. */
async function liveAtFirst(work: Work, found: FoundPlatform, origin: PackScale): Promise<Live> {
  const scale = scaledBy(found.relations ?? [], origin);
  const shown = { ...(await live(work, found)), ...setBy(undefined, scale) };
  if (work.wire['enabled'] === undefined) return shown;
  const known = (await platformSwitches(work)).get(found.platform.ciId);
  if (known?.enabled === undefined) return shown;
  return { ...shown, wire: { ...shown.wire, enabled: String(known.enabled) }, ...setBy(known, scale) };
}

const baseFor = (work: Work, platform: WireRecord): Promise<Texts> =>
  work.isWhole === true && isBare(work) ? surelyUnset(work, platform) : baseOf(work, platform, !isBare(work), true);

const adopted = adopt<FoundPlatform>({
  find,
  live,

  async make(work) {
    await expectEnvironment(work);
    throw new LifecycleError(
      `the environment has no platform "${work.at['platform']}"`,
      'declare the platform, and pull it with the environment',
    );
  },

  /** Throws AlreadyThere for what another user set: the lifecycle decides what to do about it. */
  async take(work, found) {
    const texts = differing(work.wire, found.platform);
    const origin = await packScale(work, found);
    const isScaled = isSetOtherwise(found.relations ?? [], scaleOf(work.wire['scale']), origin);
    const isTheirs =
      areForeignComments(work, found.platform) &&
      found.platform.comments !== (await baseComments(work, found.platform)).comments;
    const isSet = isScaled || isTheirs || (await isDisabled(work, found));
    if (isSet || (await setSwitches(work, found.platform, texts)).length > 0)
      throw new AlreadyThere(await liveAtFirst(work, found, origin));
    return write(work, found, platformChanges(work, found, texts));
  },

  write(work) {
    const found = work.live.source as FoundPlatform;
    return write(work, found, platformChanges(work, found, work.changes));
  },

  /** Restores the values of the design and the pack for what is no longer declared. A platform that is being deleted is left alone. */
  async giveBack(work, found) {
    const { names, scale } = givenBackOf(work);
    const bases = names.length > 0 ? await baseOf(work, found.platform, true) : {};
    const texts = Object.fromEntries(names.map((name) => [name, bases[name] ?? '']));
    const enabled: Texts =
      work.args['enabled'] === false || work.known?.['enabled'] === false ? { enabled: 'true' } : {};
    const isCommented = declaresComments(work) && Boolean(found.platform.comments);
    const comments = isCommented ? await baseComments(work, found.platform) : {};
    const changes = { ...differing(texts, found.platform), ...comments, ...enabled };
    if (Object.keys(changes).length + Object.keys(scale).length === 0) return;
    await write(work, found, { texts: changes, scale: {}, givenBack: scale });
  },

  base: async (work, { source }) => ({
    ...(await baseFor(work, (source as FoundPlatform).platform)),
    ...(await baseComments(work, (source as FoundPlatform).platform)),
    enabled: 'true',
  }),
});

/** Verbs of the EnvironmentPlatform kind. When the platform or the environment no longer exists, nothing is given back. */
export const environmentPlatformVerbs: Verbs = withComments({
  ...adopted,
  delete: (work) => deleteOnce(() => adopted.delete(work)),
});

/** The platforms of an environment. All of them came with a pull: only their values show that a user set them. */
export async function searchPlatforms(api: Api, at: Address): Promise<readonly FoundRecord[]> {
  const platforms = await api.call(routes.environmentPlatforms.list, { address: at });
  return platforms
    .filter((each) => !isPendingDelete(each))
    .map(({ ciName: platform }) => ({ address: { platform }, isGiven: true }));
}
