// Which attributes of a record are compared, and what a difference of one is, from its three values and from who wrote last.
import { isReference, snakeCase, type Inputs, type Kind } from '../../provider';
import { secretAttributes } from '../../provider/secrets';
import { holdsUnknown, isPlainObject, sameValue, type Shape } from '../../provider/values';
import { isHiddenAt, type ArgumentPath } from './secret-values';
import type { Classification } from './review';

/** One comparable attribute. */
export interface Attribute {
  readonly path: ArgumentPath;
  readonly shape: Shape;
  readonly secret: boolean;
  /** No read answers it: what was applied counts as its live value. */
  readonly writeOnly: boolean;
}

/** What one source says: arguments, and which of them it keeps as secrets. */
interface DeclaredSide {
  readonly inputs: Inputs;
  readonly hidden: readonly ArgumentPath[];
}

/** The service's own name of an attribute: an entry of an open map has it already; what is deeper is part of its argument. */
export const wireNameOf = ([argument = '', entry, ...below]: readonly string[]): string =>
  entry === undefined || below.length > 0 ? snakeCase(argument) : entry;

const entriesOf = (value: unknown): Inputs => (isPlainObject(value) ? value : {});

/** The attributes that any of the sides declares; not what controls our own work, and not what check fills in. */
export function comparedAttributes(kind: Kind, sides: readonly DeclaredSide[]): readonly Attribute[] {
  if (sides.some(({ inputs }) => isReference(inputs))) return [];
  const isHidden = (path: ArgumentPath): boolean => sides.some(({ hidden }) => isHiddenAt(hidden, path));
  return Object.entries(kind.fields).flatMap(([name, field]): readonly Attribute[] => {
    if (field.channel === 'control' || kind.fills?.[name] !== undefined) return [];
    if (!sides.some(({ inputs }) => inputs[name] !== undefined && inputs[name] !== null)) return [];
    const { shape, writeOnly } = field;
    if (shape.type !== 'open') return [{ path: [name], shape, writeOnly, secret: field.secret || isHidden([name]) }];
    const encrypted = new Set(sides.flatMap(({ inputs }) => secretAttributes(kind, inputs)?.names ?? []));
    const entries = new Set(sides.flatMap(({ inputs }) => Object.keys(entriesOf(inputs[name]))));
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
export type Writer = 'nobody' | 'own-user' | 'somebody';

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Whether two values mean the same; undefined when one of them is not known. */
function compare(shape: Shape, left: unknown, right: unknown): boolean | undefined {
  if (holdsUnknown(left) || holdsUnknown(right)) return undefined;
  return sameValue(shape, left, right);
}

const DRIFTED: { readonly [W in Writer]: Classification } = {
  nobody: 'normalised',
  'own-user': 'changed-by-own-user',
  somebody: 'changed',
};

/**
 * The classification of an attribute's difference; undefined when there is none. Where the file, or the state, took no part, the other one
 * stands for both: what was declared then counts as applied, and the other way round. A value that is not known counts as equal.
 */
export function classify(
  shape: Shape,
  { code, applied, live }: ThreeValues,
  writer: Writer,
): Classification | undefined {
  const wanted = code ?? applied;
  const before = applied ?? code;
  if (wanted === undefined || before === undefined) return undefined;
  const applies = compare(shape, before.value, live.value);
  const wants = compare(shape, wanted.value, live.value);
  const moved = compare(shape, wanted.value, before.value) === false;
  if (applies === undefined) {
    // What was applied is encrypted for us: only the file's value can be compared with the live one.
    if (wants !== false) return undefined;
    return writer === 'nobody' ? 'pending' : DRIFTED[writer];
  }
  if (applies) return moved ? 'pending' : undefined;
  if (wants === true) return 'healed';
  // A value that the file declares for the first time is not applied yet. What the record has came with it, as long as nobody wrote the record.
  if (isAbsent(before.value) && writer === 'nobody') return 'pending';
  return moved ? 'conflict' : DRIFTED[writer];
}
