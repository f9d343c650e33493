// The last look at every value handed back to the engine: what its encoding cannot carry is dropped or refused with its path (engine-facts A §0-1).
import { formatPath, type Path } from '../../../api/contract';

/** Values that the engine keeps as they are. */
type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };

/** A copy without `undefined`, at any depth. Throws TypeError, naming the place, for what would be lost or break: Date, Map, BigInt, functions and the like. */
export function plain(value: { readonly [key: string]: unknown }): { [key: string]: Plain } {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : [[key, plainValue(item, [key])] as const],
    ),
  );
}

function plainValue(value: unknown, path: Path): Plain {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => (item === undefined ? [] : [plainValue(item, [...path, index])]));
  }
  if (isPlainObject(value)) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) =>
        item === undefined ? [] : [[key, plainValue(item, [...path, key])] as const],
      ),
    );
  }
  throw new TypeError(`${formatPath(path)} is a ${nameOf(value)}, which cannot be kept in Pulumi's state`);
}

function isPlainObject(value: unknown): value is { readonly [key: string]: unknown } {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const nameOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? ((value.constructor as { readonly name: string } | undefined)?.name ?? 'object')
    : typeof value;
