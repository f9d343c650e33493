// The EnvironmentPlatform kind: a platform in one environment (service-facts §3.10, §4.7.5).
import { isDeepStrictEqual } from 'node:util';
import type { Api } from '../../../api/client';
import { type Diagnostic, type Record as WireRecord, type Relation, routes } from '../../../api/contract';
import type { Live, SetBy } from '../../address/live';
import { switchPlatforms } from '../../deploy/losses/cause';
import { idle } from '../../lifecycle/check';
import { LifecycleError } from '../../errors';
import { snakeCase, base, flag, mapOf, commented, member, takingOver, unstamped } from '../../values/field';
import type { AsPulled } from '../../history/as-pulled';
import { relationBases } from '../../history/environment-releases';
import { platformSwitches, type PlatformSwitch } from '../../history/platform-switch';
import { memoryOfStage } from '../../session';
import { type Texts, defined, entryNames, holdsUnknown, type Values } from '../../values/plain';
import { type Work, type Address, type FoundRecord, kind } from '../../kind';
import { adopt } from '../../verbs/adopt';
import { areForeignComments, commentsBase, commentsOf, declaresComments, withComments } from '../../verbs/comments';
import { deleteOnce } from '../../verbs/crud';
import { isPendingDelete, liveOf } from '../../verbs/live';
import { AlreadyThere } from '../../verbs/presence';
import { mayBeRefresh, readRecord } from '../../verbs/records';
import {
  leadingTo,
  LOCKS_ONLY,
  scaleIn,
  scaleOf,
  sentRelation,
  setScale,
  withoutMoved,
  type PackScale,
  type Scale,
  followedNames,
  isSetOtherwise,
  liveScale,
  scaledBy,
  contradictions,
  lostInstances,
  SCALING,
  type Scaling,
  HEALING,
  SWITCH_BASE,
  baseOf,
  differing,
  setSwitches,
  surelyUnset,
} from './scaling';
import { environment } from './kind';
import { shownAsPulled } from './overlay';
import { followDesign, meantBy, notPulled } from './pull';

// What is written to scale a platform, and what is given back (service-facts §2.1.9, §4.7.5).

interface FoundPlatform {
  readonly platform: WireRecord;
  /** Relations that can be scaled: none for a single platform, undefined when not read. */
  readonly relations: readonly Relation[] | undefined;
}

/** Whether the service changes the number of instances with the load. */
const isScaledByLoad = ({ ciAttributes }: WireRecord): boolean => ciAttributes['autoscale'] === 'true';

/** Whether the platform may have several instances of a component. */
const isRedundant = ({ ciAttributes }: WireRecord): boolean => ciAttributes['availability'] === 'redundant';

/** The base of comparison for values without a lock. Reads releases only for changed relations. */
async function packScale(work: Work, { platform, relations = [] }: FoundPlatform): Promise<PackScale> {
  const changed = relations.filter(({ updated, rfcAction }) => (rfcAction ? rfcAction === 'update' : Boolean(updated)));
  return { bases: await relationBases(work, platform, changed), byLoad: isScaledByLoad(platform) };
}

interface PlatformChanges {
  readonly texts: Texts;
  /** Values to write and to lock, by component. */
  readonly scale: Scale;
  /** Names of values that follow the pack again, by component. */
  readonly givenBack: { readonly [component: string]: readonly string[] };
}

/** The part of a body that writes scaling. Throws LifecycleError where there is none. */
function scalingBody(
  work: Work,
  platform: WireRecord,
  relations: readonly Relation[],
  { scale, givenBack }: PlatformChanges,
): { readonly [ciId: string]: object } {
  const components = [...new Set([...Object.keys(scale), ...Object.keys(givenBack)])];
  return Object.fromEntries(
    components.flatMap((component) => {
      const leading = leadingTo(relations, component);
      if (leading.length === 0 && Object.hasOwn(scale, component))
        throw notScalable(work, platform, relations, component);
      return leading.map((relation) => [
        String(relation.toCiId),
        sentRelation(relation, scale[component] ?? {}, givenBack[component] ?? []),
      ]);
    }),
  );
}

function notScalable(
  work: Work,
  platform: WireRecord,
  relations: readonly Relation[],
  component: string,
): LifecycleError {
  if (!isRedundant(platform)) return nothingToScale(work);
  const known = [...new Set(relations.flatMap(({ toCi }) => toCi?.ciName ?? []))];
  return new LifecycleError(
    `platform ${platform.ciName} has no component "${component}" that can be scaled`,
    known.length === 0 ? 'its pack scales nothing' : `it scales ${known.join(', ')}`,
  );
}

const nothingToScale = ({ at }: Work): LifecycleError =>
  new LifecycleError(
    `platform ${at['platform']} is single in ${at['environment']}: it has one of everything, and nothing to scale`,
    'leave scale out; a platform is redundant when the environment is, or its platform_availability says so, at its first pull',
  );

/** Throws for new scaling that the service would refuse, unless the run pulls another pack. */
async function foresee(work: Work, olds: Values): Promise<readonly Diagnostic[]> {
  const { scale } = work.args;
  const { platform = '' } = work.address;
  const { newPacks = {} } = memoryOfStage(work, 'design');
  const isRepacked = Object.keys(newPacks).some((name) => name.split('/')[0] === platform);
  const isKept = isDeepStrictEqual(scale, olds['scale']) || Object.keys(scaleIn(scale)).length === 0;
  if (isKept || isRepacked || holdsUnknown(work.address)) return [];
  const { inputs, isNew } = memoryOfStage(work, 'environment');
  const found = isNew ? undefined : await find(work);
  if (found)
    scalingBody(work, found.platform, found.relations ?? [], { texts: {}, scale: scaleIn(scale), givenBack: {} });
  else if (inputs && !holdsUnknown(inputs['platformAvailability']) && meantBy(inputs, platform) === 'single')
    throw nothingToScale(work);
  return [];
}

/** The writes of a change of `scale`, the values given back, or the end of scaling by load. */
function platformChanges(work: Work, { platform, relations = [] }: FoundPlatform, texts: Texts): PlatformChanges {
  const ends = texts['autoscale'] === 'false' && isScaledByLoad(platform);
  const scaleText = texts['scale'] ?? (ends ? work.wire['scale'] : undefined);
  if (scaleText === undefined) return { texts, scale: {}, givenBack: {} };
  const [after, before] = [scaleOf(scaleText), scaleIn(work.known?.['scale'])];
  const givenBack = Object.entries(before).flatMap(([component, values]) => {
    const names = Object.keys(values).filter(
      (name) => values[name] !== undefined && after[component]?.[name] === undefined,
    );
    return names.length === 0 ? [] : [[component, names]];
  });
  // A value that was locked before, and that scaling by load moved within limits, is kept, too.
  const locked = work.known === undefined ? setScale(relations, LOCKS_ONLY) : undefined;
  const isKept = (component: string): boolean =>
    locked
      ? locked[component]?.['current'] !== undefined
      : after[component]?.['current'] === before[component]?.['current'];
  const scale = isScaledByLoad(platform) && !ends ? withoutMoved(relations, after, isKept) : after;
  return { texts, scale, givenBack: Object.fromEntries(givenBack) as PlatformChanges['givenBack'] };
}

/** Whether nothing of the record is declared: import, review or sweep. */
const isBare = ({ wire, known }: Work): boolean => Object.keys(wire).length === 0 && known?.['revision'] === undefined;

async function find(work: Work): Promise<FoundPlatform | undefined> {
  // A platform is listed by its name, which is not the last part of this address.
  const named = { ...work, address: { ...work.address, name: work.at['platform'] ?? '' } };
  const platform = await readRecord(named, routes.environmentPlatforms, ['links_to', 'consumes']);
  if (platform === undefined) return undefined;
  const isScaled = work.args['scale'] !== undefined || work.known?.['scale'] !== undefined;
  if (!isScaled && !isBare(work)) return { platform, relations: undefined };
  if (!isRedundant(platform)) return { platform, relations: [] };
  const { depends_on: relations } = await work.api.call(routes.environmentPlatforms.edit, { address: work.at });
  return { platform, relations };
}

/** `enabled` as a text; when it is not known, the value of the last run. */
function enabledText(work: Work, found: PlatformSwitch | undefined): Texts {
  if (found?.enabled !== undefined) return { enabled: String(found.enabled) };
  const before = work.known?.['enabled'];
  if (typeof before !== 'boolean') return {};
  if (found !== undefined) work.notice(`whether ${work.id} is enabled is not known: ${found.reason}`);
  return { enabled: String(before) };
}

async function live(work: Work, source: FoundPlatform): Promise<Live> {
  const { platform, relations = [] } = source;
  // An update takes it from the state, because to find it out would cost a plan.
  const isSought = mayBeRefresh(work) || isBare(work);
  const found = isSought ? (await platformSwitches(work)).get(platform.ciId) : undefined;
  const origin = isBare(work) ? await packScale(work, source) : LOCKS_ONLY;
  const scale = isBare(work)
    ? setScale(relations, origin)
    : liveScale(relations, scaleIn((work.known ?? work.args)['scale']), isScaledByLoad(platform));
  const members = {
    ...commentsOf(platform),
    ...enabledText(work, found),
    ...(Object.keys(scale).length === 0 ? {} : { scale: JSON.stringify(scale) }),
  };
  // The service does not return a platform's locks, and no pull writes its attributes.
  const { owners: _, ...shown } = liveOf(platform, members);
  const by = setBy(found, scaledBy(relations, origin));
  return {
    ...shown,
    ...laterWriter(platform, found),
    ...by,
    ...(found && found.enabled === undefined ? { unknown: { enabled: found.reason } } : {}),
    followed: followedNames(relations),
    origin: 'pack',
    source,
  };
}

/** Who switched the platform, and who scaled it: its own record shows neither. */
function setBy(found: PlatformSwitch | undefined, scale: SetBy | undefined): Pick<Live, 'setBy'> {
  const by = defined({ enabled: found?.switched && { ...found.switched, reach: found.reach }, scale });
  return Object.keys(by).length === 0 ? {} : { setBy: by };
}

/** Who switched the platform, if that was its last write: the record does not show that. */
function laterWriter(platform: WireRecord, found: PlatformSwitch | undefined): Pick<Live, 'updated' | 'updatedBy'> {
  const { updated = 0 } = liveOf(platform);
  const { who = '', when = 0 } = found?.switched ?? {};
  return who !== '' && when > updated ? { updated: when, updatedBy: who } : {};
}

/** Writes attributes and scaling, then the switch; then pulls values that are given back. */
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
  if (enabled !== undefined) await switchPlatforms(work, enabled === 'true' ? 'enable' : 'disable', [platform]);
  // Only the service knows the pack's values: a pull writes them where there is no lock.
  if (Object.keys(changes.givenBack).length > 0) await followDesign(work);
  return { ...liveOf(record, commentsOf(record)), origin: 'pack' };
}

/** The comments of the platform when nobody sets any in the environment. */
const baseComments = (work: Work, platform: WireRecord): Promise<{ readonly comments: string }> =>
  commentsBase({ wire: commentsOf(platform) }, async () => {
    const designed = await work.api.call(routes.platforms.list, { address: work.at });
    return designed.find(({ ciName }) => ciName === platform.ciName);
  });

/** The platform as it is, to compare with what is declared for the first time. */
async function liveAtFirst(work: Work, found: FoundPlatform, origin: PackScale): Promise<Live> {
  const scale = scaledBy(found.relations ?? [], origin);
  const shown = { ...(await live(work, found)), ...setBy(undefined, scale) };
  if (work.wire['enabled'] === undefined) return shown;
  const known = (await platformSwitches(work)).get(found.platform.ciId);
  if (known?.enabled === undefined) return shown;
  return { ...shown, wire: { ...shown.wire, enabled: String(known.enabled) }, ...setBy(known, scale) };
}

const adopted = adopt<FoundPlatform>({
  find,
  live,

  async make(work) {
    throw await notPulled(work);
  },

  /** Throws AlreadyThere for another user's values: the lifecycle decides. */
  async take(work, found) {
    const texts = differing(work.wire, found.platform);
    const origin = await packScale(work, found);
    const isScaled = isSetOtherwise(found.relations ?? [], scaleOf(work.wire['scale']), origin);
    const isTheirs =
      areForeignComments(work, found.platform) &&
      found.platform.comments !== (await baseComments(work, found.platform)).comments;
    const isOff = async (): Promise<boolean> =>
      work.wire['enabled'] === 'true' && (await platformSwitches(work)).get(found.platform.ciId)?.enabled === false;
    if (isScaled || isTheirs || (await isOff()) || (await setSwitches(work, found.platform, texts)).length > 0)
      throw new AlreadyThere(await liveAtFirst(work, found, origin));
    return write(work, found, platformChanges(work, found, texts));
  },

  write(work) {
    const found = work.live.source as FoundPlatform;
    return write(work, found, platformChanges(work, found, work.changes));
  },

  /** Restores the values of design and pack, unless the platform is being deleted. */
  async giveBack(work, found) {
    const names = entryNames(work.args)
      .map(snakeCase)
      .filter((name) => name in SWITCH_BASE);
    // A sweep knows only names.
    const scale = Object.entries(scaleIn(work.args['scale'])).map(([name, values]) => [name, entryNames(values)]);
    const bases = names.length > 0 ? await baseOf(work, found.platform, true) : {};
    const texts = Object.fromEntries(names.map((name) => [name, bases[name] ?? '']));
    const enabled: Texts =
      work.args['enabled'] === false || work.known?.['enabled'] === false ? { enabled: 'true' } : {};
    const isCommented = declaresComments(work) && Boolean(found.platform.comments);
    const comments = isCommented ? await baseComments(work, found.platform) : {};
    const changes = { ...differing(texts, found.platform), ...comments, ...enabled };
    if (Object.keys(changes).length + scale.length === 0) return;
    const givenBack = Object.fromEntries(scale) as PlatformChanges['givenBack'];
    await write(work, found, { texts: changes, scale: {}, givenBack });
  },

  async base(work, { source }) {
    const { platform } = source as FoundPlatform;
    const isUnset = work.isWhole === true && isBare(work);
    const texts = await (isUnset ? surelyUnset(work, platform) : baseOf(work, platform, !isBare(work), true));
    return { ...texts, ...(await baseComments(work, platform)), enabled: 'true' };
  },
});

/** Whether a platform has the attributes of its pull: some are written without a release. */
const isAsCreated = ({ ciName, ciAttributes, comments }: WireRecord, shown: AsPulled): boolean => {
  const created = shown.records('platform', ciName)?.[0]?.record.ciAttributes ?? {};
  return !comments && Object.entries(ciAttributes).every(([name, text]) => (created[name] ?? '') === (text ?? ''));
};

/** The platforms of an environment: only their values show that a user set them. */
async function searchPlatforms(api: Api, at: Address, mayBeSet = false): Promise<readonly FoundRecord[]> {
  const platforms = await api.call(routes.environmentPlatforms.list, { address: at });
  const shown = mayBeSet ? await shownAsPulled(api, at, platforms) : undefined;
  return platforms
    .filter((each) => !isPendingDelete(each) && !(shown?.is('platform', each.ciName) && isAsCreated(each, shown)))
    .map(({ ciName: platform }) => ({ address: { platform }, isGiven: true }));
}

const DISABLED = 'the platform is disabled: the next deployment deletes all its instances';

export const environmentPlatform = kind({
  token: 'EnvironmentPlatform',
  description: 'A platform in one environment: whether it runs, its number of instances, and its healing.',
  path: routes.environmentPlatforms.read.path,
  named: false,
  within: environment,
  // A pull writes the values of scaling that are not locked, and nothing else of it.
  found: { search: searchPlatforms },
  stage: 'environment',
  fields: {
    enabled: base('true', unstamped(member(flag())))
      .optional()
      .describe(
        'Whether it runs. With `false`, the next deployment deletes all its instances; with `true`, it creates them again.',
      ),
    scale: unstamped(member(mapOf<Scaling>('Scaling', SCALING)))
      .optional()
      .describe(
        "How many instances it has of a component, by the component's name; only for a redundant platform. The pack decides what is left out.",
      ),
    ...HEALING,
    ...commented,
    ...takingOver,
  },
  impact: {
    severity: { enabled: 'high', scale: 'high' },
    makesInstances: ({ address, attributes }, { environment: where }) =>
      address.startsWith(`${where}/`) &&
      attributes.some(({ path: [argument], before, after }) =>
        argument === 'enabled'
          ? after.value !== false
          : argument === 'scale' && !(Number(after.value) <= Number(before.value)),
      ),
    takesDown: ({ address, attributes }, { environment: where, platform }) =>
      address === `${where}/${platform}` &&
      attributes.some(
        ({ path, after }) => path.join() === 'enabled' && after.is === 'value' && String(after.value) === 'false',
      ),
    risks: (before, after) => [
      ...(after?.['enabled'] === false && before?.['enabled'] !== false
        ? [{ severity: 'high', message: DISABLED } as const]
        : []),
      ...lostInstances(before?.['scale'], after?.['scale']),
    ],
  },
  rule: ({ scale }) => contradictions(scale),
  idle: (args) => [
    ...(args.enabled === false
      ? idle(args, Object.keys(HEALING), '"enabled" is false, so nothing of the platform runs')
      : []),
    ...(args.enabled !== false && args.autoreplace === false
      ? idle(args, ['replaceAfterMinutes', 'replaceAfterRepairs'], '"autoreplace" is false, so no instance is replaced')
      : []),
  ],
  inFile: { path: 'environments.*.platforms.*', onlyWhenSaid: true },
  // Nothing is given back when the platform or the environment no longer exists.
  verbs: withComments({ ...adopted, foresee, delete: (work) => deleteOnce(() => adopted.delete(work)) }),
  sample: {
    create: {
      enabled: false,
      scale: { compute: { current: 4, min: 3, max: 4, stepUp: 2, stepDown: 2, pctDpmt: 50 } },
      autorepair: false,
      autoreplace: false,
      replaceAfterMinutes: 30,
      replaceAfterRepairs: 5,
      autoscale: true,
      autocomply: true,
      comments: 'made first',
    },
    update: {
      enabled: true,
      scale: { compute: { current: 6, min: 4, max: 6, stepUp: 1, stepDown: 3, pctDpmt: 25 } },
      autorepair: true,
      autoreplace: true,
      replaceAfterMinutes: 45,
      replaceAfterRepairs: 6,
      autoscale: false,
      autocomply: false,
      comments: 'made later',
    },
  },
});
