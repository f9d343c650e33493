// Another value for every single attribute a resource declares: what another user may write on its record.
import { dialectRules, type Dialect } from '../../api/contract';
import { openName, type Inputs, type Kind } from '../../provider';
import { secretAttributes } from '../../provider/secrets';
import type { Shape } from '../../provider/values';
import { isUnseen } from './unseen';

/** One attribute and the value it is given: a field, or an entry of an open map. */
export interface Tampering {
  /** `['content']`, `['attributes', 'username']`. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** What alone differs within the value: `['east', 'priority']` of a map of clouds; empty for all of it. */
  readonly within: readonly string[];
}

/** What another value of an attribute is, where nobody could write just any, and why. */
const OTHERS: { readonly [path: string]: { readonly value: unknown; readonly why: string } } = {
  'Platform.links': { value: [], why: 'a link to a platform that is not there is refused' },
  'Component.depends': { value: [], why: 'one that is not there is refused' },
};

const isMap = (value: unknown): value is Inputs => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value within another one, and the way to it. */
interface Inner {
  readonly within: readonly string[];
  readonly value: unknown;
}

const inEntry =
  (key: string) =>
  ({ within, value }: Inner): Inner => ({ within: [key, ...within], value });

/** Values of the same form that mean something else: one for each entry and member of it, and one with an entry more. */
function othersOf(shape: Shape, value: unknown): readonly Inner[] {
  switch (shape.type) {
    case 'text':
      return [{ within: [], value: shape.allowed?.find((word) => word !== value) ?? otherText(String(value)) }];
    case 'flag':
      return [{ within: [], value: !value }];
    case 'int': {
      const { maximum = Infinity } = shape;
      return [{ within: [], value: Number(value) < maximum ? Number(value) + 1 : Number(value) - 1 }];
    }
    case 'list': {
      const allowed = shape.items.type === 'text' ? shape.items.allowed : undefined;
      const items = value as readonly unknown[];
      const more = allowed ? allowed.find((word) => !items.includes(word)) : 'tampered';
      return [{ within: [], value: [...items, more] }];
    }
    case 'map': {
      const entries = Object.entries(value as Inputs).flatMap(([key, entry]) =>
        othersOf(shape.values, entry).map(inEntry(key)),
      );
      return shape.values.type === 'object' ? entries : [...entries, { within: ['tampered'], value: 'yes' }];
    }
    case 'object':
      return Object.entries(value as Inputs).flatMap(([name, entry]) => {
        const member = shape.members[name];
        return member ? othersOf(member.shape, entry).map(inEntry(name)) : [];
      });
    case 'open':
      return othersOfFree(value);
  }
}

/** Numbers stay numbers; in front, so that what a pattern wants of the end (a domain) stays. */
const otherText = (text: string): string => (/^\d+$/.test(text) ? String(Number(text) + 1) : `x${text}`);

function othersOfFree(value: unknown): readonly Inner[] {
  if (typeof value === 'boolean') return [{ within: [], value: !value }];
  if (typeof value === 'number') return [{ within: [], value: value + 1 }];
  if (Array.isArray(value)) return [{ within: [], value: [...(value as readonly unknown[]), 'tampered'] }];
  if (!isMap(value)) return [{ within: [], value: otherText(String(value)) }];
  const entries = Object.entries(value).flatMap(([key, entry]) => othersOfFree(entry).map(inEntry(key)));
  return [...entries, { within: ['tampered'], value: 'yes' }];
}

/** A value with another one at a place within it. */
function withInner(value: unknown, [key, ...rest]: readonly string[], inner: unknown): unknown {
  if (key === undefined) return inner;
  const map = (value ?? {}) as Inputs;
  return { ...map, [key]: withInner(map[key], rest, inner) };
}

/** Whether nobody can change the attribute alone: a dialect may store comments only with another change (service-facts §2.1.3). */
export const goesAlong = (of: Kind, name: string, dialect: Dialect): boolean =>
  name === 'comments' && of.stage !== 'none' && !dialectRules[dialect].designCommentsStored;

/**
 * Every single attribute that a resource declares and a read can show, each with another value: every entry and member of its maps by itself. With
 * a dialect, only those that can be changed alone in it.
 */
export function tamperings(of: Kind, declared: Inputs, dialect: Dialect = 'documented'): readonly Tampering[] {
  const at = (path: readonly string[], value: unknown, inners: readonly Inner[]): readonly Tampering[] =>
    inners.map((inner) => ({ path, within: inner.within, value: withInner(value, inner.within, inner.value) }));
  return Object.entries(of.fields).flatMap(([name, field]): readonly Tampering[] => {
    const value = declared[name];
    if (value === undefined || isUnseen(of, name) || goesAlong(of, name, dialect)) return [];
    if (field.shape.type === 'open') {
      const secrets = secretAttributes(of, declared)?.names ?? [];
      return Object.entries(value as Inputs)
        .filter(([entry]) => !secrets.includes(entry))
        .flatMap(([entry, text]) => at([name, entry], text, othersOfFree(text)));
    }
    const other = OTHERS[`${of.token}.${name}`];
    return at([name], value, other ? [{ within: [], value: other.value }] : othersOf(field.shape, value));
  });
}

/** The inputs with all of these written on them. */
export function tampered(inputs: Inputs, with_: readonly Tampering[]): Inputs {
  return with_.reduce<Inputs>(
    (soFar, { path, within, value }) =>
      withInner(
        soFar,
        [...path, ...within],
        within.reduce<unknown>((outer, key) => (outer as Inputs)[key], value),
      ) as Inputs,
    inputs,
  );
}

/** Paths of the arguments in which two sets differ, an open map entry by entry: `attributes.username`. */
export function differingPaths(of: Kind, before: Inputs, after: Inputs): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !name.startsWith('__'));
  const differ = (left: unknown, right: unknown): boolean => JSON.stringify(left) !== JSON.stringify(right);
  return names.flatMap((name) => {
    const [left, right] = [before[name], after[name]];
    if (!differ(left, right)) return [];
    if (name !== openName(of) || !isMap(left) || !isMap(right)) return [name];
    const entries = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    return entries.filter((entry) => differ(left[entry], right[entry])).map((entry) => `${name}.${entry}`);
  });
}
