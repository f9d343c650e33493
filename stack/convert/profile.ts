// Profiles of Boo: values by name, in sections of an INI file.
import { ANY_NAMES, holdsNamedSecret, isSecretUnder, mayNameSecret, objectInJson } from '../../provider/secrets';
import { valueIn } from '../../provider/values';

interface ProfileValue {
  readonly value: string;
  readonly line: number;
}

export interface Profile {
  readonly name: string;
  readonly file: string;
  readonly values: ReadonlyMap<string, ProfileValue>;
  /** Values that another line gives again, which is used. */
  readonly repeated: readonly { readonly key: string; readonly line: number; readonly again: number }[];
}

/** Reads a file of profiles. A line that it cannot read is a problem, by its number. */
export function readProfiles(
  file: string,
  source: string,
): { readonly profiles: readonly Profile[]; readonly wrongLines: readonly number[] } {
  const sections = new Map<string, Section>();
  const wrongLines: number[] = [];
  let current: Section | undefined;
  source.split(/\r?\n/).forEach((written, index) => {
    const line = written.replace(/^\uFEFF/, '').trim();
    const section = /^\[([^\]]+)\]$/.exec(line)?.[1]?.trim();
    const [, key, value] = /^([^=:\s][^=:]*?)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    if (line === '' || /^[#;]/.test(line)) return;
    if (section !== undefined) {
      current = sections.get(section) ?? { values: new Map(), repeated: [] };
      sections.set(section, current);
    } else if (key !== undefined && value !== undefined && current !== undefined) {
      const before = current.values.get(key);
      if (before !== undefined) current.repeated.push({ key, line: before.line, again: index + 1 });
      current.values.set(key, { value: value.replace(/\s+[#;].*$/, ''), line: index + 1 });
    } else wrongLines.push(index + 1);
  });
  return { profiles: [...sections].map(([name, section]) => ({ name, file, ...section })), wrongLines };
}

interface Section {
  readonly values: Map<string, ProfileValue>;
  readonly repeated: Profile['repeated'][number][];
}

/** The value of a name in a profile, and the keys from there: a dot leads into a map. */
function placeIn({ values }: Profile, name: string): { readonly whole: unknown; readonly steps: readonly string[] } {
  const own = values.get(name)?.value;
  if (own !== undefined) return { whole: objectInJson(own) ?? own, steps: [] };
  for (const [key, { value }] of values) {
    if (!name.startsWith(`${key}.`)) continue;
    const place = { whole: objectInJson(value), steps: name.slice(key.length + 1).split('.') };
    if (valueIn(place.whole, place.steps) !== undefined) return place;
  }
  return { whole: undefined, steps: [] };
}

/** The value of a profile under a name: a text, or a list or map in JSON. */
function foundIn(profile: Profile, name: string): unknown {
  const { whole, steps } = placeIn(profile, name);
  return valueIn(whole, steps);
}

/** The text that takes the place of a tag with this name. */
export function profileText(profile: Profile, name: string): string | undefined {
  const found = profile.values.get(name)?.value ?? foundIn(profile, name);
  if (found === undefined || typeof found === 'string') return found;
  return found === null ? '' : JSON.stringify(found);
}

/** A list or map of a profile in JSON: `["one","two"]`; `isSecret`: all of it is a secret. */
export function listOrMapIn(
  profile: Profile | undefined,
  name: string,
): { readonly value: object; readonly isSecret: boolean } | undefined {
  if (profile === undefined) return undefined;
  const { whole, steps } = placeIn(profile, name);
  const value = valueIn(whole, steps);
  return isObject(value) && !isNothing(value) ? { value, isSecret: isBelowSecret(whole, steps) } : undefined;
}

/** Whether a section of this name is shown. */
export const hasValue = (profile: Profile, name: string): boolean => !isNothing(foundIn(profile, name) ?? null);

/** Whether a section over a value is left out. */
export const isNothing = (value: unknown): boolean =>
  value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether one of the keys that lead from a value to another makes that one a secret. */
export const isBelowSecret = (value: unknown, steps: readonly string[]): boolean =>
  steps.some((step, index) => {
    const map = valueIn(value, steps.slice(0, index));
    return isObject(map) && isSecretUnder(map, step, ANY_NAMES);
  });

/** Whether a name means a secret below a map, or a map or list that contains one. */
export function isSecretOfMap(profile: Profile, name: string): boolean {
  const { whole, steps } = placeIn(profile, name);
  const isSecret = isBelowSecret(whole, steps) || (!profile.values.has(name) && mayNameSecret(name));
  return isSecret || holdsNamedSecret(valueIn(whole, steps), ANY_NAMES);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
