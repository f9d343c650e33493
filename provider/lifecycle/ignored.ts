// Ignored attributes: an update neither compares nor writes them.
import type { Attributes } from '../../api/contract';
import type { Kind } from '../kind';
import { coversPath, parsePropertyPath, withValuesAt, type PropertyPath } from '../values/property-path';
import type { Inputs } from './check';
import { sameValue, type Shape } from '../values/shape';
import { holdsUnknown, isPlainObject, presentIn } from '../values/plain';
import { declaredValues, isUnseen, valueFromLive, type Declared } from '../values/wire';

/**
 * Input with the ignored paths of a resource, which the engine does not give to a dynamic provider.
 * A change of it is no difference; the engine hides names with two underscores.
 */
export const IGNORED = '__ignored';

/** Input with further options, which are for this run alone. No state has it. */
export const OPTIONS = '__options';

/** Ignored paths, each with the rule that demands it; `{}` for one of the program's own. */
export interface Ignored {
  readonly [path: string]: {
    /** Whose rule it is, where, until when and why. */
    readonly rule?: string;
    /** Last day of the rule: `2027-01-31`. */
    readonly until?: string;
    /** Fingerprint of the value that the file declares, which the engine hands to nobody. */
    readonly declared?: string;
  };
}

const ignoredIn = (properties: Inputs): Ignored =>
  isPlainObject(properties[IGNORED]) ? (properties[IGNORED] as Ignored) : {};

export const ignoredPaths = (inputs: Inputs): readonly PropertyPath[] =>
  Object.keys(ignoredIn(inputs)).flatMap((path) => {
    const parsed = parsePropertyPath(path);
    return parsed === undefined ? [] : [parsed];
  });

/** What a row says of rules: which rule keeps what, and a warning when the file's value changed. */
export function rulesSaid(olds: Inputs, news: Inputs): readonly { readonly text: string; readonly warns: boolean }[] {
  const before = ignoredIn(olds);
  return Object.entries(ignoredIn(news)).flatMap(([path, { rule, declared = '' }]) => {
    if (rule === undefined) return [];
    const known = before[path]?.declared ?? declared;
    const warns = known !== declared && !holdsUnknown(declared);
    return [
      {
        text: warns
          ? `the file has another value of ${path} now, and it is not written: ${rule}`
          : `${path} is left as the service has it: ${rule}`,
        warns,
      },
    ];
  });
}

/** Whether ignored paths name a declared value, or a part of it. */
export function isIgnored(wireName: string, declared: Declared, ignored: readonly PropertyPath[]): boolean {
  const place = placeOf(wireName, declared);
  return ignored.some((path) => coversPath(path.slice(0, place.length), place));
}

const placeOf = (wireName: string, { argument, field }: Declared): readonly string[] =>
  field.shape.type === 'open' ? [argument, wireName] : [argument];

/**
 * Inputs with live values at ignored paths, without those that a write can leave out, or that no
 * read shows: a write locks an attribute even with its own value.
 */
export function withLiveAt(of: Kind, inputs: Inputs, wire: Attributes, ignored: readonly PropertyPath[]): Inputs {
  if (ignored.length === 0) return inputs;
  const kept: { [argument: string]: unknown } = { ...inputs };
  for (const [wireName, declared] of declaredValues(of, inputs)) {
    const { argument, field } = declared;
    const isOpen = field.shape.type === 'open';
    const value = valueAt(declared, wire[wireName], placeOf(wireName, declared), ignored);
    kept[argument] = isOpen ? presentIn({ ...(kept[argument] as Inputs), [wireName]: value }) : value;
  }
  return presentIn(kept);
}

/** A declared value, as live as ignored paths say; undefined where the whole of it is left out. */
function valueAt(
  declared: Declared,
  live: string | null | undefined,
  place: readonly string[],
  ignored: readonly PropertyPath[],
): unknown {
  const { field, shape, value } = declared;
  const isNeeded = field.required || field.channel === 'member';
  if (ignored.some((path) => coversPath(path, place)))
    return isNeeded && !isUnseen(declared, live) ? valueFromLive(declared, live) : undefined;
  const within = ignored.flatMap((path) =>
    path.length > place.length && coversPath(path.slice(0, place.length), place) ? [path.slice(place.length)] : [],
  );
  if (within.length === 0 || isUnseen(declared, live)) return value;
  return withValuesAt(value, alike(shape, value, valueFromLive(declared, live)), within);
}

/** A live list without order, with each item that is declared, too, in its declared place. */
function alike(shape: Shape, value: unknown, live: unknown): unknown {
  if (shape.type !== 'list' || !shape.unordered || !Array.isArray(value) || !Array.isArray(live)) return live;
  const { items } = shape;
  const isIn = (list: readonly unknown[], item: unknown): boolean => list.some((each) => sameValue(items, each, item));
  const others: unknown[] = live.filter((item: unknown) => !isIn(value, item));
  const placed: unknown[] = value.map((item: unknown): unknown =>
    isIn(live, item) || others.length === 0 ? item : others.shift(),
  );
  return [...placed, ...others];
}
