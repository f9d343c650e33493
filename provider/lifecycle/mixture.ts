// What an interrupted change of a map or a set leaves: parts of what was there before, and parts of what was to come.
// It must not know kinds or requests.
import { isPlainObject } from '../values/plain-object';
import { decodeShape, encodeShape, sameValue, type Shape } from '../values/shape';

/**
 * Whether each entry of a map, or each item of a set, is on the wire as it is in one value or in another: what an interrupted change from one to the
 * other leaves.
 */
export function isMixture(shape: Shape, one: unknown, other: unknown, wire: string | null | undefined): boolean {
  const inner = partsOf(shape);
  if (inner === undefined) return false;
  const there = entriesOf(inner, decodeShape(shape, wire ?? ''));
  const sides = [entriesOf(inner, one), entriesOf(inner, other)];
  const keys = new Set([there, ...sides].flatMap((map) => Object.keys(map)));
  return [...keys].every((key) =>
    sides.some((side) => key in side === key in there && sameValue(inner, side[key], there[key])),
  );
}

/** The shape of the parts of a value that can change one at a time; undefined where it changes as a whole. */
function partsOf(shape: Shape): Shape | undefined {
  if (shape.type === 'map') return shape.values;
  return shape.type === 'list' && shape.unordered ? shape.items : undefined;
}

/** The parts of a map by their keys, and those of a set by what they mean. */
function entriesOf(inner: Shape, value: unknown): { readonly [key: string]: unknown } {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item) => [encodeShape(inner, item), item]));
  return isPlainObject(value) ? value : {};
}
