// What a difference of one attribute is, from its three values and from who wrote last.
// It must not know kinds, requests or reports.
import { holdsUnknown, sameValue, type Shape } from '../../provider';
import type { Classification } from './review';

/** The three values of an attribute; a source that took no part is left out. */
export interface Values {
  readonly code?: { readonly value: unknown };
  readonly applied?: { readonly value: unknown };
  readonly live: { readonly value: unknown };
}

/** Who wrote the record last, as seen from our own last write. */
export type Writer = 'nobody' | 'own-user' | 'somebody';

/** Whether two values mean the same; undefined when one of them is not known. */
export function compare(shape: Shape, left: unknown, right: unknown): boolean | undefined {
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
 * stands for both: what was declared then counts as applied, and the other way round. A value that is not known is taken to agree.
 */
export function classify(shape: Shape, { code, applied, live }: Values, writer: Writer): Classification | undefined {
  const wanted = code ?? applied;
  const before = applied ?? code;
  if (wanted === undefined || before === undefined) return undefined;
  const applies = compare(shape, before.value, live.value);
  const wants = compare(shape, wanted.value, live.value);
  const moved = compare(shape, wanted.value, before.value) === false;
  if (applies === undefined) {
    // What was applied is encrypted for us: only the file's value can be held against the live one.
    if (wants !== false) return undefined;
    return writer === 'nobody' ? 'pending' : DRIFTED[writer];
  }
  if (applies) return moved ? 'pending' : undefined;
  if (wants === true) return 'healed';
  return moved ? 'conflict' : DRIFTED[writer];
}
