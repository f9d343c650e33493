// Values of a review: which attributes of a record are compared, what a difference is, and how a
// value is shown. Secrets are marked as long as they are plain data, and shown as digests.
import { createHmac, randomBytes } from 'node:crypto';
import { asMap, encodeShape, holdsUnknown, sameValue, type Shape } from '../../provider/values';
import type { Classification, Shown } from './review';
import { type Inputs, isReference, type Kind, snakeCase } from '../../provider';
import { secretAttributes } from '../../provider/secrets';

const HIDDEN = Symbol('hidden');

interface Hidden {
  readonly [HIDDEN]: true;
  readonly value: unknown;
}

/** A path into a resource's arguments: `['attributes', 'password']`. */
export type ArgumentPath = readonly string[];

export const hide = (value: unknown): Hidden => (isHidden(value) ? value : { [HIDDEN]: true, value });

const isHidden = (value: unknown): value is Hidden => typeof value === 'object' && value !== null && HIDDEN in value;

/** The value without marks, at any depth. */
export const unhidden = (value: unknown): unknown => split(value).plain;

/** The value without marks, and their places; a list is one place. */
export function split(value: unknown): { readonly plain: unknown; readonly hidden: readonly ArgumentPath[] } {
  if (isHidden(value)) return { plain: unhidden(value.value), hidden: [[]] };
  if (!holdsHidden(value)) return { plain: value, hidden: [] };
  if (Array.isArray(value)) return { plain: value.map(unhidden), hidden: [[]] };
  const entries = Object.entries(value as object).map(([name, item]) => [name, split(item)] as const);
  return {
    plain: Object.fromEntries(entries.map(([name, { plain }]) => [name, plain])),
    hidden: entries.flatMap(([name, { hidden }]) => hidden.map((path) => [name, ...path])),
  };
}

export const holdsHidden = (value: unknown): boolean => isHidden(value) || someIn(value, holdsHidden);

/** Whether something holds for an item of a list or a map; false for any other value. */
export function someIn(value: unknown, holds: (item: unknown) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holds);
  for (const name in value) if (holds((value as { readonly [name: string]: unknown })[name])) return true;
  return false;
}

/** Whether something at a path, above it or below it, is secret. */
export const isHiddenAt = (hidden: readonly ArgumentPath[], path: ArgumentPath): boolean =>
  hidden.some((each) => each.every((step, index) => index >= path.length || step === path[index]));

/** A value as a report may show it. */
export type Redact = (shape: Shape, value: unknown, secret: boolean) => Shown;

/** A secret that is set, with an unknown value. */
export const UNKNOWN_SECRET: Shown = { is: 'secret' };

/** Makes digests with its own key: equal for equal values, in this review alone. */
export function newRedact(): Redact {
  const key = randomBytes(32);
  return (shape, value, secret) => {
    if (value === undefined || value === null || (secret && value === '')) return { is: 'absent' };
    if (secret) {
      if (holdsUnknown(value)) return UNKNOWN_SECRET;
      return { is: 'secret', digest: createHmac('sha256', key).update(encodeShape(shape, value)).digest('hex') };
    }
    return holdsUnknown(value) ? { is: 'unknown' } : { is: 'value', value };
  };
}

export interface Attribute {
  readonly path: ArgumentPath;
  readonly shape: Shape;
  readonly secret: boolean;
  /** No read answers it: what was applied counts as its live value. */
  readonly writeOnly: boolean;
}

/** The arguments of one source, and which of them it keeps as secrets. */
interface DeclaredSide {
  readonly inputs: Inputs;
  readonly hidden: readonly ArgumentPath[];
}

/** The service's own name of an attribute: that of its argument, or of its entry in an open map. */
export const wireNameOf = ([argument = '', entry, ...below]: readonly string[]): string =>
  entry === undefined || below.length > 0 ? snakeCase(argument) : entry;

/** The attributes that any of the sides declares, without what controls a run or is filled in. */
export function comparedAttributes(kind: Kind, sides: readonly DeclaredSide[]): readonly Attribute[] {
  if (sides.some(({ inputs }) => isReference(inputs))) return [];
  const isHidden = (path: ArgumentPath): boolean => sides.some(({ hidden }) => isHiddenAt(hidden, path));
  return Object.entries(kind.fields).flatMap(([name, field]): readonly Attribute[] => {
    if (field.channel === 'control' || kind.fills?.[name] !== undefined) return [];
    if (!sides.some(({ inputs }) => inputs[name] !== undefined && inputs[name] !== null)) return [];
    const { shape, writeOnly } = field;
    if (shape.type !== 'open') return [{ path: [name], shape, writeOnly, secret: field.secret || isHidden([name]) }];
    const encrypted = new Set(sides.flatMap(({ inputs }) => secretAttributes(kind, inputs)?.names ?? []));
    const entries = new Set(sides.flatMap(({ inputs }) => Object.keys(asMap(inputs[name]))));
    return [...entries].map((entry) => {
      const path = [name, entry];
      return { path, shape, writeOnly, secret: encrypted.has(entry) || isHidden(path) };
    });
  });
}

/** The three values of an attribute; a source that took no part is left out. */
interface ThreeValues {
  readonly code?: { readonly value: unknown };
  readonly applied?: { readonly value: unknown };
  readonly live: { readonly value: unknown };
}

/** Who wrote the record last, as seen from our own last write. */
export type WrittenBy = 'nobody' | 'own-user' | 'somebody';

/** Whether two values mean the same; undefined when one of them is not known. */
function compare(shape: Shape, left: unknown, right: unknown): boolean | undefined {
  if (holdsUnknown(left) || holdsUnknown(right)) return undefined;
  return sameValue(shape, left, right);
}

const DRIFTED: { readonly [W in WrittenBy]: Classification } = {
  nobody: 'normalised',
  'own-user': 'changed-by-own-user',
  somebody: 'changed',
};

/**
 * The classification of a difference; undefined for none. One of file and state stands for both
 * where the other took no part. A value that is not known counts as equal.
 */
export function classify(
  shape: Shape,
  { code, applied, live }: ThreeValues,
  writer: WrittenBy,
): Classification | undefined {
  const wanted = code ?? applied;
  const before = applied ?? code;
  if (wanted === undefined || before === undefined) return undefined;
  const applies = compare(shape, before.value, live.value);
  const wants = compare(shape, wanted.value, live.value);
  const moved = compare(shape, wanted.value, before.value) === false;
  if (applies === undefined) {
    // The applied value is encrypted for us: only the file's value can be compared with the live
    // one.
    if (wants !== false) return undefined;
    return writer === 'nobody' ? 'pending' : DRIFTED[writer];
  }
  if (applies) return moved ? 'pending' : undefined;
  if (wants === true) return 'healed';
  // The file declares it for the first time: the record came with it, unless somebody wrote it.
  if ((before.value === undefined || before.value === null) && writer === 'nobody') return 'pending';
  return moved ? 'conflict' : DRIFTED[writer];
}
