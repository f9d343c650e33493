// What the service does by itself for a platform of an environment: its values when no user sets them, and those that a user set (service-facts §3.10).
import type { Record as WireRecord } from '../../../../api/contract';
import { bornWith } from '../../../history/environment-releases';
import type { Work } from '../../../kind';

/** Texts by wire name. */
export interface Texts {
  readonly [wireName: string]: string;
}

/** The values of a platform's attributes that neither its pack nor a user sets; the last two are those of most packs (service-facts §2.2.5). */
export const SWITCH_BASE = {
  autorepair: 'true',
  autoreplace: 'true',
  autoscale: 'false',
  autocomply: 'false',
  replace_after_minutes: '60',
  replace_after_repairs: '3',
} as const;

/** The attributes that packs set. Before the first commit, such a value counts as the pack's. */
const OF_PACKS: readonly string[] = ['autoreplace', 'replace_after_minutes', 'replace_after_repairs'];

/** What packs set to different values. */
const DIFFERENT_IN_PACKS = 'autoreplace';

/** Those that nearly every pack sets to the same values: another number is rather an earlier declaration than the pack's. */
const SAME_IN_PACKS: readonly string[] = ['replace_after_minutes', 'replace_after_repairs'];

/** Texts that differ from those of a record. */
export const differing = (texts: Texts, { ciAttributes }: WireRecord): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([name, text]) => (ciAttributes[name] ?? '') !== text));

/** Whether a platform may have been written since a pull created it. Before its first commit only its writer shows that (service-facts §2.1.1). */
const isWritten = ({ updated, updatedBy, rfcAction }: WireRecord): boolean =>
  rfcAction === 'add' ? Boolean(updatedBy) : Boolean(updated) || rfcAction === 'update';

/**
 * The values of a platform's attributes when no user sets them: the live values if the platform was never written, otherwise those that its pack
 * gave it when it was created. `isOurs`: whether they were declared. `isUnclearSet`: whether a value that a user may have set before the first commit
 * of the platform counts as set.
 */
export async function baseOf(work: Work, platform: WireRecord, isOurs: boolean, isUnclearSet = isOurs): Promise<Texts> {
  const { ciId, ciAttributes, rfcAction, updatedBy } = platform;
  const isChanged = isWritten(platform) || (rfcAction === 'add' && isOurs);
  const shown = isChanged ? await bornWith(work, ciId) : { attributes: ciAttributes, isWritten: isOurs };
  // Where no release shows it, the values of a platform without a second writer are taken for its pack's.
  const isUntouched = rfcAction !== 'update' && !updatedBy && !isOurs;
  const born = shown ?? (isUntouched ? { attributes: ciAttributes, isWritten: false } : undefined);
  // A value written before the first commit of the platform is part of the change that created it, so a declared value cannot be the base. It is still
  // the live value, or an earlier run of this stack has given it back already: a killed one, or one from before an import.
  const isOwn = (name: string, text: string): boolean =>
    born?.isWritten === true &&
    (ciAttributes[name] === text ||
      (isOurs && SAME_IN_PACKS.includes(name)) ||
      ((isOurs || (isUnclearSet && !OF_PACKS.includes(name))) && ciAttributes[name] === born.attributes[name]));
  const baseText = (name: string, text: string) => (isOwn(name, text) ? undefined : born?.attributes[name]) || text;
  return Object.fromEntries(Object.entries(SWITCH_BASE).map(([name, text]) => [name, baseText(name, text)]));
}

/**
 * The values that a new platform surely has when no user sets any. Where nobody knows what the pack sets, because a user wrote the platform before its
 * first commit, none is known of what packs differ in, so that no value of it is taken for the pack's.
 */
export async function surelyUnset(work: Work, platform: WireRecord): Promise<Texts> {
  const base = await baseOf(work, platform, false, true);
  if (!isWritten(platform)) return base;
  const born = await bornWith(work, platform.ciId);
  return born?.isWritten === false ? base : { ...SWITCH_BASE, [DIFFERENT_IN_PACKS]: '' };
}

/**
 * Those names of texts to write that somebody set after the first commit of the platform. A value that somebody may have set before that commit gets a
 * notice: the service does not show whether it came with the platform.
 */
export async function setSwitches(work: Work, platform: WireRecord, texts: Texts): Promise<readonly string[]> {
  const names = Object.keys(texts).filter((name) => name in SWITCH_BASE);
  if (names.length === 0 || !isWritten(platform)) return [];
  const { ciAttributes, rfcAction } = platform;
  // No closed release contains the change that adds a platform before its first commit.
  const born = rfcAction === 'add' ? undefined : await bornWith(work, platform.ciId);
  const base = born === undefined ? ciAttributes : await baseOf(work, platform, false);
  const set = names.filter((name) => ciAttributes[name] !== base[name]);
  const isUnknown = born === undefined || born.isWritten;
  const mayBeSet = (name: string): boolean => ciAttributes[name] !== SWITCH_BASE[name as keyof typeof SWITCH_BASE];
  if (isUnknown && set.length === 0)
    for (const name of names.filter(mayBeSet))
      work.notice(
        `${name} was ${JSON.stringify(ciAttributes[name])} and is now ${JSON.stringify(texts[name])}: the service does not show whether another user set it`,
      );
  return set;
}
