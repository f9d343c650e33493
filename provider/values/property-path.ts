// Property paths of `ignoreChanges`: `attributes.max_threads`, `tags["a.b/c"]`,
// `clouds[0].priority`.
import { isPlainObject } from './plain';

/** Keys of maps and indices of lists; `*` stands for each of them. */
export type PropertyPath = readonly (string | number)[];

/** Reads a property path. Undefined for a text that is none, as the engine decides it. */
export function parsePropertyPath(text: string): PropertyPath | undefined {
  const path: (string | number)[] = [];
  let rest = text;
  while (rest !== '') {
    const match = (path.length === 0 ? FIRST : NEXT).exec(rest);
    if (match === null) return undefined;
    const [whole, quoted, index, name] = match;
    path.push(quoted?.replaceAll('\\"', '"') ?? (index === undefined ? (name ?? ANY) : Number(index)));
    rest = rest.slice(whole.length);
  }
  return path.length === 0 ? undefined : path;
}

const ANY = '*';
const BRACKETS = String.raw`\["((?:\\"|[^"])*)"\]|\[(\d+)\]|\[\*\]`;
const FIRST = new RegExp(String.raw`^(?:${BRACKETS}|([^.[]+))`);
const NEXT = new RegExp(String.raw`^(?:\.?(?:${BRACKETS})|\.([^.[]+))`);

export const formatPropertyPath = (path: PropertyPath): string =>
  path
    .map((part, at) => {
      if (typeof part === 'number') return `[${part}]`;
      if (/[.[\]"]/.test(part) || part === '') return `["${part.replaceAll('"', '\\"')}"]`;
      return at === 0 ? part : `.${part}`;
    })
    .join('');

/** Whether a property path names the value at `path`, or a value that contains it. */
export const coversPath = (covering: PropertyPath, path: PropertyPath): boolean =>
  covering.length <= path.length &&
  covering.every((part, at) => part === ANY || path[at] === ANY || String(part) === String(path[at]));

/**
 * `value` with what `from` has at each path: a value that `from` lacks is removed. A path below a
 * value that is no map or list changes nothing. Returns `value` itself without a difference.
 */
export const withValuesAt = (value: unknown, from: unknown, paths: readonly PropertyPath[]): unknown =>
  paths.reduce((taken, path) => withValueAt(taken, from, path), value);

function withValueAt(value: unknown, from: unknown, [part, ...below]: PropertyPath): unknown {
  if (part === undefined) return from;
  if (Array.isArray(value) && Array.isArray(from)) return withItemAt(value, from, part, below);
  // A map that one side does not have is empty there.
  const own = value ?? (isPlainObject(from) ? {} : value);
  const other = from ?? (isPlainObject(own) ? {} : from);
  if (!isPlainObject(own) || !isPlainObject(other)) return value;
  const names = part === ANY ? new Set([...Object.keys(own), ...Object.keys(other)]) : [String(part)];
  const result = new Map(Object.entries(own));
  for (const name of names) {
    if (below.length === 0 && !Object.hasOwn(other, name)) result.delete(name);
    else {
      const taken = withValueAt(own[name], other[name], below);
      if (taken !== undefined || Object.hasOwn(own, name)) result.set(name, taken);
    }
  }
  const isSame =
    result.size === Object.keys(own).length && [...result].every(([name, item]) => Object.is(item, own[name]));
  return isSame ? value : Object.fromEntries(result);
}

function withItemAt(
  value: readonly unknown[],
  from: readonly unknown[],
  part: string | number,
  below: PropertyPath,
): readonly unknown[] {
  // An index that one of the lists lacks names nothing.
  const isMeant = (at: number): boolean => (part === ANY || Number(part) === at) && at < from.length;
  const taken = value.map((item, at) => (isMeant(at) ? withValueAt(item, from[at], below) : item));
  return taken.some((item, at) => !Object.is(item, value[at])) ? taken : value;
}
