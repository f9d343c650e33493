// Profiles of Boo: values by name, in sections of an INI file.
// It must not know what the values are used for.
import { SECRET_WORD, valueIn } from '../../provider';

/** A value and its line. */
interface ProfileValue {
  readonly value: string;
  readonly line: number;
}

/** One section of the file. */
export interface Profile {
  readonly name: string;
  readonly file: string;
  readonly values: ReadonlyMap<string, ProfileValue>;
}

/** Reads a file of profiles. A line that is neither section, value, comment nor empty is returned as a problem, by its number. */
export function readProfiles(
  file: string,
  source: string,
): { readonly profiles: readonly Profile[]; readonly wrongLines: readonly number[] } {
  const sections = new Map<string, Map<string, ProfileValue>>();
  const wrongLines: number[] = [];
  let current: Map<string, ProfileValue> | undefined;
  source.split(/\r?\n/).forEach((written, index) => {
    const line = written.replace(/^\uFEFF/, '').trim();
    const section = /^\[([^\]]+)\]$/.exec(line)?.[1]?.trim();
    const [, key, value] = /^([^=:\s][^=:]*?)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    if (line === '' || /^[#;]/.test(line)) return;
    if (section !== undefined) {
      current = sections.get(section) ?? new Map<string, ProfileValue>();
      sections.set(section, current);
    } else if (key !== undefined && value !== undefined && current !== undefined)
      current.set(key, { value: value.replace(/\s+[#;].*$/, ''), line: index + 1 });
    else wrongLines.push(index + 1);
  });
  return { profiles: [...sections].map(([name, values]) => ({ name, file, values })), wrongLines };
}

/** What a profile has under a name: a text, or a list or map in JSON; also a value below a map, by a dotted name. */
function foundIn({ values }: Profile, name: string): unknown {
  const own = values.get(name)?.value;
  if (own !== undefined) return jsonOf(own) ?? own;
  for (const [key, { value }] of values) {
    const found = name.startsWith(`${key}.`)
      ? valueIn(jsonOf(value), name.slice(key.length + 1).split('.'))
      : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text that takes the place of a tag with this name. */
export function profileText(profile: Profile, name: string): string | undefined {
  const found = profile.values.get(name)?.value ?? foundIn(profile, name);
  if (found === undefined || typeof found === 'string') return found;
  return found === null ? '' : JSON.stringify(found);
}

/** A value of a profile that is a list with items, or a map, in JSON: `["one","two"]`. */
export function listOrMapIn(profile: Profile | undefined, name: string): object | undefined {
  const found = profile === undefined ? undefined : foundIn(profile, name);
  return typeof found !== 'object' || isNothing(found) ? undefined : (found ?? undefined);
}

/** Whether a section of this name is shown. */
export const hasValue = (profile: Profile, name: string): boolean => !isNothing(foundIn(profile, name) ?? null);

/** Whether a section over a value is left out. */
export const isNothing = (value: unknown): boolean =>
  value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether a name is that of a secret, or a key of a value that is a map or holds maps. */
export const isOrHoldsSecret = (name: string, value: unknown): boolean =>
  SECRET_WORD.test(name) || keysIn(value).some((key) => SECRET_WORD.test(key));

const keysIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)])
    : [];

/** Whether a name means a secret below a map, or a map or a list that holds one. */
export const isSecretOfMap = (profile: Profile, name: string): boolean =>
  isOrHoldsSecret(profile.values.has(name) ? '' : name, foundIn(profile, name));

function jsonOf(value: string): object | undefined {
  if (!/^[[{]/.test(value)) return undefined;
  try {
    const found: unknown = JSON.parse(value);
    return typeof found === 'object' && found !== null ? found : undefined;
  } catch {
    return undefined;
  }
}
