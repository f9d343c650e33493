// EnvironmentPlatform verbs: switch and scale a platform of an environment, and restore what is no longer declared (service-facts §3.10, §4.7.5).
import { routes, type Record as WireRecord, type Relation } from '../../../api/contract';
import type { Api } from '../../../api/client';
import { LifecycleError } from '../../errors';
import { snakeCase } from '../../field';
import { entryNames, type Address, type FoundRecord } from '../../kind';
import { noteSwitched, platformSwitches, type PlatformSwitch } from '../../releases/platform-switch';
import { adopt } from '../../verbs/adopt';
import { deleteOnce } from '../../verbs/crud';
import { isPendingDelete, liveOf } from '../../verbs/live';
import { AlreadyThere, expectEnvironment } from '../../verbs/presence';
import { mayBeRefresh, readRecord } from '../../verbs/records';
import type { Live } from '../../live';
import type { Verbs, Work } from '../../model';
import { followDesign } from '../environment/pull';
import {
  isLockedOtherwise,
  leadingTo,
  liveScale,
  lockedScale,
  scaledBy,
  scaleIn,
  scaleOf,
  sentRelation,
  withoutMoved,
  type Scale,
} from './scaling';
import { baseOf, differing, setSwitches, SWITCH_BASE, type Texts } from './switches';

/** A platform of the environment, as the service returned it. */
interface Found {
  readonly platform: WireRecord;
  /** Relations that can be scaled: empty for a platform that is single, undefined when they were not read. */
  readonly relations: readonly Relation[] | undefined;
}

/** Whether nothing of the record is declared: it is imported, read by a review, or restored by a sweep. */
const isBare = ({ wire, known }: Work): boolean => Object.keys(wire).length === 0 && known?.['revision'] === undefined;

const mentions = ({ args, known }: Work, argument: string): boolean =>
  args[argument] !== undefined || known?.[argument] !== undefined;

async function find(work: Work): Promise<Found | undefined> {
  // A platform is listed by its name, which is not the last part of this address.
  const named = { ...work, address: { ...work.address, name: work.at['platform'] ?? '' } };
  const platform = await readRecord(named, routes.environmentPlatforms, ['links_to', 'consumes']);
  if (platform === undefined || isPendingDelete(platform)) return undefined;
  const isNeeded = mentions(work, 'scale') || isBare(work);
  return { platform, relations: isNeeded ? await scalable(work, platform) : undefined };
}

const isScaledByLoad = ({ ciAttributes }: WireRecord): boolean => ciAttributes['autoscale'] === 'true';

const isRedundant = ({ ciAttributes }: WireRecord): boolean => ciAttributes['availability'] === 'redundant';

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

async function live(work: Work, source: Found): Promise<Live> {
  const { platform, relations = [] } = source;
  const found = await switchOf(work, platform);
  const scale = isBare(work)
    ? lockedScale(relations)
    : liveScale(relations, scaleIn((work.known ?? work.args)['scale']), isScaledByLoad(platform));
  const members = {
    ...enabledText(work, found),
    ...(Object.keys(scale).length === 0 ? {} : { scale: JSON.stringify(scale) }),
  };
  // The service does not return the locks of a platform, and its attributes do not follow the design: no pull wrote them.
  const { owners: _, ...shown } = liveOf(platform, members);
  return { ...shown, ...laterWriter(platform, found), ...setBy(found, relations), origin: 'pack', source };
}

/** Who switched the platform, and who scaled it: its own record shows neither. */
function setBy(found: PlatformSwitch | undefined, relations: readonly Relation[]): Pick<Live, 'setBy'> {
  const scale = scaledBy(relations);
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

/** What to write: attributes and `enabled` by wire name, and values of relations. */
interface Changes {
  readonly texts: Texts;
  /** Values to write and to lock, by component. */
  readonly scale: Scale;
  /** Names of values that follow the pack again, by component. */
  readonly givenBack: { readonly [component: string]: readonly string[] };
}

/** Writes attributes and scaling in one request, and the switch in another; then pulls the pack's values for what is given back. */
async function write(work: Work, { platform, relations }: Found, changes: Changes): Promise<Live> {
  const { enabled, scale: _, ...attributes } = changes.texts;
  const dependsOn = dependsOnBody(work, platform, relations ?? [], changes);
  let record = platform;
  if (Object.keys(attributes).length > 0 || Object.keys(dependsOn).length > 0)
    record = await work.api.call(routes.environmentPlatforms.update, {
      address: work.at,
      body: {
        ...(Object.keys(attributes).length > 0
          ? { cms_dj_ci: { ciId: platform.ciId, ciName: platform.ciName, ciAttributes: attributes } }
          : {}),
        ...(Object.keys(dependsOn).length > 0 ? { depends_on: dependsOn } : {}),
      },
    });
  if (enabled !== undefined) await switchTo(work, platform, enabled === 'true');
  // Only the service knows the pack's values: a pull writes them to everything that is no longer locked.
  if (Object.keys(changes.givenBack).length > 0) await followDesign(work);
  return { ...liveOf(record), origin: 'pack' };
}

async function switchTo(work: Work, platform: WireRecord, enabled: boolean): Promise<void> {
  const route = enabled ? routes.environments.enable : routes.environments.disable;
  await work.api.call(route, { address: work.at, body: { platformCiIds: [String(platform.ciId)] } });
  await noteSwitched(work, platform.ciId, enabled);
}

function dependsOnBody(
  work: Work,
  platform: WireRecord,
  relations: readonly Relation[],
  { scale, givenBack }: Changes,
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
  if (!isRedundant(platform))
    return new LifecycleError(
      `platform ${platform.ciName} is single in ${work.at['environment']}: it has one of everything, and nothing to scale`,
      'leave scale out; a platform is redundant when the environment is, or its platform_availability says so, at its first pull',
    );
  const known = [...new Set(relations.flatMap(({ toCi }) => toCi?.ciName ?? []))];
  return new LifecycleError(
    `platform ${platform.ciName} has no component "${component}" that can be scaled`,
    known.length === 0 ? 'its pack scales nothing' : `it scales ${known.join(', ')}`,
  );
}

/** What a change of `scale` writes, and what it gives back. */
function changesOf(work: Work, { platform, relations = [] }: Found, texts: Texts): Changes {
  if (texts['scale'] === undefined) return { texts, scale: {}, givenBack: {} };
  const [after, before] = [scaleOf(texts['scale']), scaleIn(work.known?.['scale'])];
  const givenBack = Object.entries(before).flatMap(([component, values]) => {
    const names = Object.keys(values).filter(
      (name) => values[name] !== undefined && after[component]?.[name] === undefined,
    );
    return names.length === 0 ? [] : [[component, names]];
  });
  // A value that somebody locked before the first declaration, and that scaling by load changed within the limits, is kept, too.
  const locked = work.known === undefined ? lockedScale(relations) : undefined;
  const isKept = (component: string): boolean =>
    locked
      ? locked[component]?.['current'] !== undefined
      : after[component]?.['current'] === before[component]?.['current'];
  const scale = isScaledByLoad(platform) ? withoutMoved(relations, after, isKept) : after;
  return { texts, scale, givenBack: Object.fromEntries(givenBack) as Changes['givenBack'] };
}

const isScaledOtherwise = ({ wire }: Work, { platform, relations = [] }: Found): boolean =>
  isLockedOtherwise(relations, scaleOf(wire['scale']), isScaledByLoad(platform));

/** Whether the platform is declared as enabled, and somebody disabled it. */
async function isDisabled(work: Work, { platform }: Found): Promise<boolean> {
  return work.wire['enabled'] === 'true' && (await platformSwitches(work)).get(platform.ciId)?.enabled === false;
}

/** The platform as it is, to compare with what is declared for the first time. */
async function liveAtFirst(work: Work, found: Found): Promise<Live> {
  const shown = await live(work, found);
  if (work.wire['enabled'] === undefined) return shown;
  const known = (await platformSwitches(work)).get(found.platform.ciId);
  if (known?.enabled === undefined) return shown;
  return { ...shown, wire: { ...shown.wire, enabled: String(known.enabled) }, ...setBy(known, found.relations ?? []) };
}

/** What is given back when the declaration is removed: attributes by wire name, and values of scaling by component. A sweep knows only their names. */
function givenBackOf({ args }: Work): { readonly names: readonly string[]; readonly scale: Changes['givenBack'] } {
  const declared = entryNames(args);
  const listed = declared.flatMap((name) => {
    const [, component = '', value = ''] = /^scale\.(.+)\.(\w+)$/.exec(name) ?? [];
    return value === '' ? [] : [{ component, value }];
  });
  const given = Object.entries(scaleIn(args['scale'])).flatMap(([component, values]) =>
    entryNames(values).map((value) => ({ component, value })),
  );
  const all = [...listed, ...given];
  const valuesOf = (component: string): readonly string[] =>
    all.filter((each) => each.component === component).map(({ value }) => value);
  return {
    names: declared.map(snakeCase).filter((name) => name in SWITCH_BASE),
    scale: Object.fromEntries(all.map(({ component }) => [component, valuesOf(component)])),
  };
}

const adopted = adopt<Found>({
  find,
  live,

  async make(work) {
    await expectEnvironment(work);
    throw new LifecycleError(
      `the environment has no platform "${work.at['platform']}"`,
      'declare the platform, and pull it with the environment',
    );
  },

  /** Throws AlreadyThere for what somebody else set: the lifecycle decides what to do about it. */
  async take(work, found) {
    const texts = differing(work.wire, found.platform);
    const isSet = isScaledOtherwise(work, found) || (await isDisabled(work, found));
    if (isSet || (await setSwitches(work, found.platform, texts)).length > 0)
      throw new AlreadyThere(await liveAtFirst(work, found));
    return write(work, found, changesOf(work, found, texts));
  },

  write(work) {
    const found = work.live.source as Found;
    return write(work, found, changesOf(work, found, work.changes));
  },

  /** Restores the values of the design and the pack for what is no longer declared. A platform that is being deleted is left alone. */
  async giveBack(work, found) {
    const { names, scale } = givenBackOf(work);
    const bases = names.length > 0 ? await baseOf(work, found.platform, true) : {};
    const texts = Object.fromEntries(names.map((name) => [name, bases[name] ?? '']));
    const enabled: Texts =
      work.args['enabled'] === false || work.known?.['enabled'] === false ? { enabled: 'true' } : {};
    const changes = { ...differing(texts, found.platform), ...enabled };
    if (Object.keys(changes).length + Object.keys(scale).length === 0) return;
    await write(work, found, { texts: changes, scale: {}, givenBack: scale });
  },

  base: async (work, { source }) => ({
    ...(await baseOf(work, (source as Found).platform, !isBare(work))),
    enabled: 'true',
  }),
});

/** Verbs of the EnvironmentPlatform kind. When the platform or the environment is gone, nothing is given back. */
export const environmentPlatformVerbs: Verbs = {
  ...adopted,
  delete: (work) => deleteOnce(() => adopted.delete(work)),
};

/** The platforms of an environment. All of them came with a pull: only their values show that a user set them. */
export async function searchPlatforms(api: Api, at: Address): Promise<readonly FoundRecord[]> {
  const platforms = await api.call(routes.environmentPlatforms.list, { address: at });
  return platforms
    .filter((each) => !isPendingDelete(each))
    .map(({ ciName: platform }) => ({ address: { platform }, isGiven: true }));
}
