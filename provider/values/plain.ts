// Plain values of any type: maps, texts, unknown and secret values, and what is computed once.

/** Values of any type by name: arguments, outputs, settings. */
export interface Values {
  readonly [name: string]: unknown;
}

/** Texts by name, such as those of attributes by their names on the wire. */
export interface Texts {
  readonly [name: string]: string;
}

export const isPlainObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list or a map with each of its values changed; any other value as it is. */
export function changedInside(value: unknown, change: (item: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => change(item));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item)]));
}

/** A map, or one without entries where there is none. */
export const asMap = (value: unknown): Values => (isPlainObject(value) ? value : {});

export const present = (value: unknown): boolean => value !== undefined && value !== null;

/** The entries of a map that have a value; none for no map. */
export const presentIn = (map: unknown): Values =>
  Object.fromEntries(Object.entries(map ?? {}).filter(([, value]) => present(value)));

/** The members that are not undefined: in JSON, and in options, what is not known is left out. */
export const defined = <T extends object>(members: T): { readonly [name in keyof T]?: Exclude<T[name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as never;

/** Names of the entries of a map that have a value; none for no map. */
export const entryNames = (map: unknown): readonly string[] => Object.keys(presentIn(map));

/** The value at a path of keys below a value; undefined where a map lacks the key. */
export const valueIn = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>(
    (soFar, step) => (isPlainObject(soFar) && Object.hasOwn(soFar, step) ? soFar[step] : undefined),
    value,
  );

/** The value with another one at some steps; undefined takes it out. */
export function withAt(value: unknown, [step, ...rest]: readonly string[], put: unknown): unknown {
  if (step === undefined) return put;
  const { [step]: inner, ...others } = asMap(value);
  const next = withAt(inner, rest, put);
  if (next === undefined) return others;
  // Keeps its place among the keys.
  return isPlainObject(value) && step in value ? { ...value, [step]: next } : { ...others, [step]: next };
}

/** A map without the value at a path of keys. */
export function withoutAt(values: Values, [name = '', ...rest]: readonly string[]): Values {
  const { [name]: value, ...others } = values;
  if (rest.length === 0) return others;
  return isPlainObject(value) ? { ...values, [name]: withoutAt(value, rest) } : values;
}

/** The text, number or boolean under a name, as text; else the fallback. */
export function textAt(values: Values | undefined, name: string, fallback = ''): string {
  const value = values?.[name];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : fallback;
}

/** The list of words under a name; empty without one. */
export function wordsAt(values: Values | undefined, name: string): readonly string[] {
  const value = values?.[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** Some of the texts; empty where there is none. */
export const picked = (texts: Texts, names: readonly string[]): Texts =>
  Object.fromEntries(names.map((name) => [name, texts[name] ?? '']));

// Values the engine does not know yet: in previews, and some diffs (engine-facts A §1).

/** What is in place of an unknown value of any type; the SDK's `runtime.unknownValue`. */
export const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** Whether a value is, or holds at any depth, an unknown; also a text with the sentinel. */
export function holdsUnknown(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(UNKNOWN);
  if (Array.isArray(value)) return value.some(holdsUnknown);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnknown);
}

const SIGNATURE = '4dabf18193072939515e22adb298388d';

/** The entry by which a map is a secret for the engine. */
export const SECRET_MARK = { [SIGNATURE]: '1b47061264138c4ac30d75fd1eb44270' };

export const isMarkedSecret = (value: unknown): value is Values =>
  isPlainObject(value) && value[SIGNATURE] === SECRET_MARK[SIGNATURE];

/** A pure function of an immutable object, computed once per object and as long as it lives. */
export function oncePer<Key extends object, Value>(workOut: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key);
    if (found) return found.value;
    const value = workOut(key);
    known.set(key, { value });
    return value;
  };
}
