// Profiles of Boo: values by name, in sections of an INI file.
// It must not know what the values are used for.
import { SECRET_WORD } from '../../provider';

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

/** A value of a profile that is a list with items, or a map, in JSON: `["one","two"]`. */
export function listOrMapIn(profile: Profile | undefined, name: string): object | undefined {
  const found = jsonOf(profile?.values.get(name)?.value ?? '');
  return found === undefined || (Array.isArray(found) && found.length === 0) ? undefined : found;
}

/** Whether a section of this name is shown: an empty text and an empty list are nothing. */
export function hasValue({ values }: Profile, name: string): boolean {
  const value = values.get(name)?.value ?? '';
  const found = jsonOf(value);
  return value !== '' && !(Array.isArray(found) && found.length === 0);
}

/** Whether a name is that of a secret, or a key of a value that is a map or holds maps. */
export const isOrHoldsSecret = (name: string, value: unknown): boolean =>
  SECRET_WORD.test(name) || keysIn(value).some((key) => SECRET_WORD.test(key));

const keysIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)])
    : [];

/** Whether the value of a name is a map or a list that holds a secret. */
export const isMapWithSecret = (profile: Profile, name: string): boolean =>
  isOrHoldsSecret('', jsonOf(profile.values.get(name)?.value ?? ''));

function jsonOf(value: string): object | undefined {
  if (!/^[[{]/.test(value)) return undefined;
  try {
    const found: unknown = JSON.parse(value);
    return typeof found === 'object' && found !== null ? found : undefined;
  } catch {
    return undefined;
  }
}
