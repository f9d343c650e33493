// Instances of a component: the six values of a scalable relation (service-facts §2.1.9 DependsOn).
import {
  type Attributes,
  type Diagnostic,
  mapValues,
  problem,
  type Record as WireRecord,
  type Relation,
} from '../../../api/contract';
import type { SetBy } from '../../address/live';
import { bornWith } from '../../history/environment-releases';
import type { Work } from '../../kind';
import { isPlainObject, type Texts, type Values } from '../../values/plain';
import { base, baseTexts, flag, int, membersOf, type ObjectOf } from '../../values/field';

const SCALING_FIELDS = {
  current: int(0).describe('Desired number of instances on each cloud.'),
  min: int(0).describe('Lower limit for scaling by load.'),
  max: int(0).describe('Upper limit for scaling by load.'),
  stepUp: int(1).describe('Instances that scaling by load adds in one step.'),
  stepDown: int(1).describe('Instances that scaling by load removes in one step.'),
  pctDpmt: int(1, 100).describe('Share of the instances that one deployment changes, in percent.'),
};

/** How one component is scaled. The pack decides what is left out. */
export type Scaling = ObjectOf<typeof SCALING_FIELDS>;

/** The values of one component's scaling, with their names on the wire. */
export const SCALING = membersOf(SCALING_FIELDS);

type Name = keyof typeof SCALING;
const NAMES = Object.keys(SCALING) as readonly Name[];

/** Values by component and name, as arguments or a state give them. */
export interface Scale {
  readonly [component: string]: Values;
}

/** The scaling in an argument; empty for none. */
export const scaleIn = (value: unknown): Scale =>
  isPlainObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, Scale[string]] => isPlainObject(entry[1])),
      )
    : {};

export const scaleOf = (text: string | undefined): Scale => (text ? scaleIn(JSON.parse(text)) : {});

const valueOf = (relation: Relation, name: Name): number | string => {
  const text = relation.relationAttributes[SCALING[name].wire] ?? '';
  return /^\d+$/.test(text) ? Number(text) : text;
};

export const leadingTo = (relations: readonly Relation[], component: string): readonly Relation[] =>
  relations.filter(({ toCi }) => toCi?.ciName === component);

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Live values of what was declared; a `current` that the load changed, as declared. */
export function liveScale(relations: readonly Relation[], known: Scale, byLoad: boolean): Scale {
  const valuesOf = (relation: Relation, component: string): Scale[string] => {
    const before = known[component] ?? {};
    const names = NAMES.filter((name) => before[name] !== undefined);
    return Object.fromEntries(
      names.map((name) => {
        const live = valueOf(relation, name);
        return [name, byLoad && name === 'current' && isWithin(live, before) ? before[name] : live];
      }),
    );
  };
  return entriesFor(Object.keys(known), relations, valuesOf, known);
}

const isWithin = (live: unknown, { min, max }: Scale[string]): boolean =>
  isNumber(live) && isNumber(min) && isNumber(max) && live >= min && live <= max;

/**
 * Declared values without a `current` that scaling by load changed within the limits: writing it
 * would delete instances. `isKept`: whether a value is to be kept.
 */
export function withoutMoved(
  relations: readonly Relation[],
  after: Scale,
  isKept: (component: string) => boolean,
): Scale {
  return mapValues(after, ({ current, ...others }, component) => {
    const leading = leadingTo(relations, component);
    const isMoved = isKept(component) && leading.every((relation) => isWithin(valueOf(relation, 'current'), others));
    return current === undefined || isMoved ? others : { current, ...others };
  });
}

/** The pack's values, for those without a lock. `byLoad`: whether the platform scales by load. */
export interface PackScale {
  readonly bases: ReadonlyMap<number, Attributes>;
  readonly byLoad: boolean;
}

/** Only values with a lock count as set. */
export const LOCKS_ONLY: PackScale = { bases: new Map(), byLoad: false };

const isLocked = (relation: Relation, name: Name): boolean =>
  relation.relationAttrProps?.owner?.[SCALING[name].wire] === 'manifest';

/** Whether a user set a value: it is locked, or differs from the pack's and from the load's. */
function isSet(relation: Relation, name: Name, { bases, byLoad }: PackScale): boolean {
  if (isLocked(relation, name)) return true;
  const ofPack = bases.get(relation.ciRelationId)?.[SCALING[name].wire];
  if (typeof ofPack !== 'string' || ofPack === relation.relationAttributes[SCALING[name].wire]) return false;
  const limits = { min: valueOf(relation, 'min'), max: valueOf(relation, 'max') };
  return !(byLoad && name === 'current' && isWithin(valueOf(relation, name), limits));
}

/**
 * Who wrote last what a user set. A relation with an open change still names its earlier writer
 * (service-facts §2.1.9): the release shows who changes it.
 */
export function scaledBy(relations: readonly Relation[], origin: PackScale): SetBy | undefined {
  const set = relations.filter((relation) => NAMES.some((name) => isSet(relation, name, origin)));
  const open = set.find(({ releaseId, rfcAction }) => releaseId && rfcAction === 'update');
  if (open?.releaseId) return { who: '', when: 0, releaseId: open.releaseId, reach: 'open' };
  const [newest] = set
    .map(({ createdBy, updatedBy, created, updated, releaseId }) => ({
      who: updatedBy || createdBy || '',
      when: updated ?? created ?? 0,
      ...(releaseId ? { releaseId, reach: 'open' as const } : {}),
    }))
    .sort((one, other) => other.when - one.when);
  return newest;
}

/** The values that a user set in the environment. */
export function setScale(relations: readonly Relation[], origin: PackScale): Scale {
  const components = [...new Set(relations.flatMap(({ toCi }) => toCi?.ciName ?? []))];
  return entriesFor(components, relations, (relation) =>
    Object.fromEntries(
      NAMES.filter((name) => isSet(relation, name, origin)).map((name) => [name, valueOf(relation, name)]),
    ),
  );
}

/** Values that the next pull overwrites: `scale.compute.max`, and `scale` without any lock. */
export function followedNames(relations: readonly Relation[]): readonly string[] {
  const locked = new Set(
    relations.flatMap((relation) =>
      NAMES.filter((name) => isLocked(relation, name)).map((name) => `${relation.toCi?.ciName}.${name}`),
    ),
  );
  const components = [...new Set(relations.flatMap(({ toCi }) => toCi?.ciName ?? []))];
  const values = components.flatMap((component) => NAMES.map((name) => `${component}.${name}`));
  const followed = values.filter((each) => !locked.has(each)).map((each) => `scale.${each}`);
  return locked.size === 0 ? ['scale', ...followed] : followed;
}

/** Whether a declared value differs from a user's; not for a `current` that the load changed. */
export function isSetOtherwise(relations: readonly Relation[], declared: Scale, origin: PackScale): boolean {
  const [there, set] = [liveScale(relations, declared, origin.byLoad), setScale(relations, origin)];
  return Object.entries(declared).some(([component, values]) =>
    Object.entries(values).some(
      ([name, value]) =>
        value !== undefined && set[component]?.[name] !== undefined && there[component]?.[name] !== value,
    ),
  );
}

/** Values by component; of several of one name, those that differ from `known`. */
function entriesFor(
  components: readonly string[],
  relations: readonly Relation[],
  valuesOf: (relation: Relation, component: string) => Scale[string],
  known: Scale = {},
): Scale {
  return Object.fromEntries(
    components.flatMap((component) => {
      const each = leadingTo(relations, component).map((relation) => valuesOf(relation, component));
      const values = NAMES.flatMap((name) => {
        const found = each.map((one) => one[name]).filter((value) => value !== undefined);
        const [first] = found;
        return first === undefined ? [] : [[name, found.find((value) => value !== known[component]?.[name]) ?? first]];
      });
      return values.length === 0 ? [] : [[component, Object.fromEntries(values) as Scale[string]]];
    }),
  );
}

/** A relation with all its values: a write replaces them all (service-facts §4.7.5). */
interface SentRelation {
  readonly relationAttributes: { readonly [wireName: string]: string | null };
  readonly relationAttrProps: { readonly owner: Texts };
}

/** A relation with declared values locked against pulls, and others unlocked. */
export function sentRelation(relation: Relation, declared: Scale[string], givenBack: readonly string[]): SentRelation {
  const names = NAMES.filter((name) => declared[name] !== undefined);
  const wires = (all: readonly string[]): readonly string[] =>
    NAMES.filter((name) => all.includes(name)).map((name) => SCALING[name].wire);
  const { owner = {} } = relation.relationAttrProps ?? {};
  const kept = Object.entries(owner).filter(([wire]) => !wires(givenBack).includes(wire));
  return {
    relationAttributes: {
      ...relation.relationAttributes,
      ...Object.fromEntries(names.map((name) => [SCALING[name].wire, String(declared[name])])),
    },
    relationAttrProps: {
      owner: { ...Object.fromEntries(kept), ...Object.fromEntries(wires(names).map((wire) => [wire, 'manifest'])) },
    },
  };
}

/** Values that contradict each other. */
export const contradictions = (scale: unknown): Diagnostic[] =>
  Object.entries(scaleIn(scale)).flatMap(([component, { current, min, max }]) => {
    const isLess = (one: unknown, other: unknown): boolean => isNumber(one) && isNumber(other) && one < other;
    const wrong = (name: string, message: string, hint: string): Diagnostic[] => [
      problem('contradiction', ['scale', component, name], message, hint),
    ];
    if (isLess(max, min))
      return wrong('min', `min ${String(min)} is more than max ${String(max)}`, 'give a smaller min');
    const bound = isLess(current, min)
      ? `less than min ${String(min)}`
      : isLess(max, current) && `more than max ${String(max)}`;
    return bound ? wrong('current', `current ${String(current)} is ${bound}`, 'give a value between min and max') : [];
  });

interface Lost {
  readonly severity: 'high' | 'medium';
  readonly message: string;
}

/** Instances that a change of scaling deletes: scaled to 0, or to fewer. */
export function lostInstances(before: unknown, after: unknown): readonly Lost[] {
  const was = scaleIn(before);
  return Object.entries(scaleIn(after)).flatMap(([component, { current }]): Lost[] => {
    const old = was[component]?.['current'];
    if (!isNumber(current) || current === old) return [];
    if (current === 0)
      return [{ severity: 'high', message: `${component} is scaled to 0: all its instances are deleted` }];
    if (!isNumber(old) || current > old) return [];
    return [{ severity: 'medium', message: `${component} is scaled from ${old} to ${current}` }];
  });
}

// What the service does by itself for a platform of an environment (service-facts §3.10).

/** What the service does when instances fail; the last two bases are most packs' (§2.2.5). */
export const HEALING = {
  autorepair: base('true', flag()).optional().describe('Whether failing instances are repaired.'),
  autoreplace: base('true', flag()).optional().describe('Whether instances that stay broken are replaced.'),
  replaceAfterMinutes: base('60', int(0))
    .optional()
    .describe('Minutes an instance must be broken before it is replaced.'),
  replaceAfterRepairs: base('3', int(0))
    .optional()
    .describe('Repairs that must have failed before an instance is replaced.'),
  autoscale: base('false', flag())
    .optional()
    .describe('Whether the load sets the number of instances, within `min` and `max`; if redundant.'),
  autocomply: base('false', flag()).optional().describe('Whether compliances are applied automatically.'),
};

/** Values that neither pack nor user sets, by wire name. */
export const SWITCH_BASE = baseTexts(HEALING);

/** The attributes that packs set. Before the first commit, such a value counts as the pack's. */
const OF_PACKS: readonly string[] = ['autoreplace', 'replace_after_minutes', 'replace_after_repairs'];

/** What packs set to different values. */
const DIFFERENT_IN_PACKS = 'autoreplace';

/** Nearly the same in all packs: another number is rather an earlier declaration. */
const SAME_IN_PACKS: readonly string[] = ['replace_after_minutes', 'replace_after_repairs'];

export const differing = (texts: Texts, { ciAttributes }: WireRecord): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([name, text]) => (ciAttributes[name] ?? '') !== text));

/** Whether a platform may have been written since its creation (service-facts §2.1.1). */
const isWritten = ({ updated, updatedBy, rfcAction }: WireRecord): boolean =>
  rfcAction === 'add' ? Boolean(updatedBy) : Boolean(updated) || rfcAction === 'update';

/**
 * The values of a platform's attributes when no user sets them: live ones if it was never written,
 * otherwise those of its creation. `isOurs`: whether they were declared. `isUnclearSet`: whether a
 * value that a user may have set before the first commit counts as set.
 */
export async function baseOf(work: Work, platform: WireRecord, isOurs: boolean, isUnclearSet = isOurs): Promise<Texts> {
  const { ciId, ciAttributes, rfcAction, updatedBy } = platform;
  const isChanged = isWritten(platform) || (rfcAction === 'add' && isOurs);
  const shown = isChanged ? await bornWith(work, ciId) : { attributes: ciAttributes, isWritten: isOurs };
  // Without a second writer, the values of a platform are taken for its pack's.
  const isUntouched = rfcAction !== 'update' && !updatedBy && !isOurs;
  const born = shown ?? (isUntouched ? { attributes: ciAttributes, isWritten: false } : undefined);
  // A value from before the first commit is part of the change that created the platform, so a
  // declared value cannot be the base. It is still live, or an earlier run gave it back.
  const isOwn = (name: string, text: string): boolean =>
    born?.isWritten === true &&
    (ciAttributes[name] === text ||
      (isOurs && SAME_IN_PACKS.includes(name)) ||
      ((isOurs || (isUnclearSet && !OF_PACKS.includes(name))) && ciAttributes[name] === born.attributes[name]));
  const baseText = (name: string, text: string) => (isOwn(name, text) ? undefined : born?.attributes[name]) || text;
  return mapValues(SWITCH_BASE, (text, name) => baseText(name, text));
}

/**
 * The values that a new platform surely has when no user sets any. If a user wrote the platform
 * before its first commit, values that differ between packs are unknown.
 */
export async function surelyUnset(work: Work, platform: WireRecord): Promise<Texts> {
  const bases = await baseOf(work, platform, false, true);
  if (!isWritten(platform)) return bases;
  const born = await bornWith(work, platform.ciId);
  return born?.isWritten === false ? bases : { ...SWITCH_BASE, [DIFFERENT_IN_PACKS]: '' };
}

/**
 * Names of texts that somebody set after the first commit of the platform. A value from before that
 * commit gets a notice: it may have come with the platform.
 */
export async function setSwitches(work: Work, platform: WireRecord, texts: Texts): Promise<readonly string[]> {
  const names = Object.keys(texts).filter((name) => name in SWITCH_BASE);
  if (names.length === 0 || !isWritten(platform)) return [];
  const { ciAttributes, rfcAction } = platform;
  // No closed release contains the change that adds a platform before its first commit.
  const born = rfcAction === 'add' ? undefined : await bornWith(work, platform.ciId);
  const bases = born === undefined ? ciAttributes : await baseOf(work, platform, false);
  const set = names.filter((name) => ciAttributes[name] !== bases[name]);
  const isUnknown = born === undefined || born.isWritten;
  const mayBeSet = (name: string): boolean => ciAttributes[name] !== SWITCH_BASE[name];
  if (isUnknown && set.length === 0)
    for (const name of names.filter(mayBeSet))
      work.notice(
        `${name} was ${JSON.stringify(ciAttributes[name])} and is now ${JSON.stringify(texts[name])}: the service does not show whether another user set it`,
      );
  return set;
}
