// A document with what is alike in it written once: things of one map as `each`, things of several maps as a template.
// It must not know any single kind: which maps are things, the composition says.
import { isPlainObject } from '../../provider';
import { isThing, positionBelow, type MapPosition } from '../compose/position';
import type { ConfigType } from '../values/plan';
import { stackText, type FileContents } from '../write/stack-text';

/** The document that says the same, where that is shorter, with loops and templates. */
export function compacted(document: FileContents): FileContents {
  const shorter = withTemplates(withLoops(document, 'top'));
  return stackText(shorter).length < stackText(document).length ? shorter : document;
}

/** A value that is no map of values, and the keys that lead to it. */
interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

const isMap = (value: unknown): value is FileContents => isPlainObject(value) && Object.keys(value).length > 0;

function leavesOf(value: unknown, path: readonly string[] = []): readonly Leaf[] {
  if (!isMap(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

const typeOf = (value: unknown): ConfigType => {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'boolean' : 'map';
};

/** What things must have in common to be written once: their keys, and the types of their values. */
const shapeOf = (body: FileContents): string =>
  JSON.stringify(
    leavesOf(body)
      .map(({ path, value }) => [...path, typeOf(value)].join('\n'))
      .sort(),
  );

const sameText = (value: unknown): string => JSON.stringify(value);
const keyOf = (path: readonly string[]): string => path.join('\n');

/** Bodies of one shape as one body and what differs in it. */
interface Common {
  readonly body: FileContents;
  /** By the name of what differs: its value in each of the bodies. */
  readonly values: ReadonlyMap<string, readonly unknown[]>;
}

/** `word`: how the body refers to what differs, `each.value` or `param`. `texts`: texts that differ in a way that is known otherwise. */
function commonOf(
  bodies: readonly FileContents[],
  word: string,
  texts: ReadonlyMap<string, string> = new Map(),
): Common {
  const [first = {}, ...others] = bodies;
  const found = others.map(
    (body) => new Map<string, unknown>(leavesOf(body).map(({ path, value }) => [keyOf(path), value])),
  );
  const values = new Map<string, readonly unknown[]>();
  const names = new Map<string, string>();
  const references = new Map<string, string>();
  for (const { path, value } of leavesOf(first)) {
    const all = [value, ...found.map((leaves) => leaves.get(keyOf(path)))];
    const column = sameText(all);
    // In a template nothing refers to the element of a loop around it.
    const isSame = all.every((each) => sameText(each) === sameText(value)) && !sameText(value).includes('${each.');
    if (isSame) continue;
    const known = texts.get(column);
    if (known === undefined && !names.has(column)) {
      names.set(column, freeName(path, values));
      values.set(names.get(column) ?? '', all);
    }
    references.set(keyOf(path), known ?? `\${${word}.${names.get(column)}}`);
  }
  const written = (value: unknown, path: readonly string[]): unknown => {
    if (!isMap(value)) return references.get(keyOf(path)) ?? value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, written(inner, [...path, key])]));
  };
  return { body: written(first, []) as FileContents, values };
}

/** The last key, with as many of those before it as it needs to be the only one of its name. */
function freeName(path: readonly string[], taken: ReadonlyMap<string, unknown>): string {
  const words = path.map((key) => key.replace(/\W/g, '_'));
  const names = words.map((_, index) =>
    words
      .slice(-1 - index)
      .join('_')
      .replace(/^(?=\d)/, '_'),
  );
  return names.find((name) => !taken.has(name)) ?? `${names.at(-1)}_${taken.size}`;
}

/** About as long as its text, which takes much longer to make. */
const lengthOf = (map: FileContents): number => JSON.stringify(map).length;

function grouped<T>(items: readonly T[], group: (item: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(group(item), [...(groups.get(group(item)) ?? []), item]);
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** A map with one entry for things of it that are alike. No loop is inside of another one: it could not refer to the outer one. */
function withLoops(map: FileContents, position: MapPosition): FileContents {
  const entries = Object.entries(map);
  const isOfThings =
    position === 'names' ||
    position === 'components' ||
    (position === 'component' && entries.every(([, value]) => isMap(value)));
  const things = entries.flatMap(([name, body]) =>
    isOfThings && isMap(body) && isThing(positionBelow(position, name)) ? [{ name, body }] : [],
  );
  const loops = new Map<string, { readonly names: readonly string[]; readonly body: FileContents }>();
  const isLooped = ({ name }: Thing): boolean => [...loops.values()].some(({ names }) => names.includes(name));
  // All of one shape, and where that saves nothing those whose names begin alike.
  for (const alike of [
    ...grouped(things, ({ body }) => shapeOf(body)),
    ...grouped(things, ({ name, body }) => shapeOf(body) + beginOf(name)),
  ]) {
    if (alike.some(isLooped)) continue;
    const { key, body } = loopOf(alike);
    const before = Object.fromEntries(alike.map(({ name, body: own }) => [name, own]));
    const isFree = !loops.has(key) && !Object.hasOwn(map, key);
    if (isFree && lengthOf({ [key]: body }) < lengthOf(before))
      loops.set(key, { names: alike.map(({ name }) => name), body });
  }
  const all = entries.flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    const loop = [...loops].find(([, { names }]) => names.includes(key));
    if (loop !== undefined) return loop[1].names[0] === key ? [[loop[0], loop[1].body]] : [];
    return [[key, isMap(value) ? withLoops(value, positionBelow(position, key)) : value]];
  });
  return Object.fromEntries(all);
}

interface Thing {
  readonly name: string;
  readonly body: FileContents;
}

/** `'shop-${each.key}': { each: …, … }`: the names have in common what is before their last dash. */
function loopOf(things: readonly Thing[]): { readonly key: string; readonly body: FileContents } {
  const names = things.map(({ name }) => name);
  const prefix = beginOf(commonStart(names));
  const key = `${prefix}\${each.key}`;
  const { body, values } = commonOf(
    things.map((thing) => thing.body),
    'each.value',
    new Map([[sameText(names), key]]),
  );
  const elements = names.map((name, index) => [
    name.slice(prefix.length),
    Object.fromEntries([...values].map(([value, all]) => [value, all[index]])),
  ]);
  const each: unknown = values.size === 0 ? elements.map(([name]) => name) : Object.fromEntries(elements);
  return { key, body: { each, ...body } };
}

/** A name up to its last dash. */
const beginOf = (name: string): string => /^.*[-_.]/.exec(name)?.[0] ?? '';

function commonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  while (!others.every((other) => other.length > length && other.startsWith(first.slice(0, length)))) {
    if (length === 0) return '';
    length -= 1;
  }
  return first.slice(0, length);
}

/** A thing in the document, without the names that it is made for. */
interface PlacedThing extends Thing {
  readonly path: readonly string[];
}

const WORDS = ['each', 'use', 'with'];

function thingsIn(map: FileContents, position: MapPosition, path: readonly string[]): readonly PlacedThing[] {
  return Object.entries(map).flatMap(([key, value]) => {
    if (!isMap(value) || WORDS.includes(key)) return [];
    const below = positionBelow(position, key);
    const own = [...path, key];
    const { each: _, ...body } = value;
    const inside = thingsIn(value, below, own);
    return isThing(below) && isMap(body) ? [{ name: key, body, path: own }, ...inside] : inside;
  });
}

/** The document with a template for things that are alike, the longest ones first. */
function withTemplates(document: FileContents): FileContents {
  const candidates = grouped(thingsIn(document, 'top', []), ({ body }) => shapeOf(body));
  const templates = new Map<string, FileContents>();
  const uses = new Map<string, FileContents>();
  const chosen = candidates.map(templateOf).filter(({ saved }) => saved > 0);
  for (const { things, body, values } of [...chosen].sort((left, right) => right.saved - left.saved)) {
    const isTaken = ({ path }: PlacedThing): boolean =>
      [...uses.keys()].some(
        (other) => `${other}\n`.startsWith(`${keyOf(path)}\n`) || keyOf(path).startsWith(`${other}\n`),
      );
    if (things.some(isTaken)) continue;
    const name = freeTemplateName(things, templates);
    const parameters = Object.fromEntries([...values].map(([key, all]) => [key, { type: typeOf(all[0]) }]));
    templates.set(name, values.size === 0 ? { body } : { parameters, body });
    things.forEach(({ path }, index) => {
      const given = Object.fromEntries([...values].map(([key, all]) => [key, all[index]]));
      uses.set(keyOf(path), { use: name, ...(values.size === 0 ? {} : { with: given }) });
    });
  }
  if (templates.size === 0) return document;
  const written = (map: FileContents, path: readonly string[]): FileContents => {
    const used = uses.get(keyOf(path));
    if (used !== undefined) return { ...('each' in map ? { each: map['each'] } : {}), ...used };
    return Object.fromEntries(
      Object.entries(map).map(([key, value]) => [key, isMap(value) ? written(value, [...path, key]) : value]),
    );
  };
  return { ...written(document, []), templates: Object.fromEntries(templates) };
}

interface Candidate extends Common {
  readonly things: readonly PlacedThing[];
  /** Characters that the template saves. */
  readonly saved: number;
}

function templateOf(things: readonly PlacedThing[]): Candidate {
  const common = commonOf(
    things.map(({ body }) => body),
    'param',
  );
  const parameters = Object.fromEntries([...common.values].map(([key, all]) => [key, { type: typeOf(all[0]) }]));
  const before = things.reduce((sum, { body }) => sum + lengthOf(body), 0);
  const after = things.reduce(
    (sum, _, index) => {
      const given = Object.fromEntries([...common.values].map(([key, all]) => [key, all[index]]));
      return sum + lengthOf({ use: 'template', with: given });
    },
    lengthOf({ template: { parameters, body: common.body } }),
  );
  return { ...common, things, saved: before - after };
}

/** The name that all of them have, else that of the map that they are in. */
function freeTemplateName(things: readonly PlacedThing[], taken: ReadonlyMap<string, unknown>): string {
  const [first, ...others] = things;
  const isShared = first !== undefined && others.every(({ name }) => name === first.name);
  const words = isShared && /^[\w-]+$/.test(first.name) ? first.name : (first?.path.at(-2) ?? '').replace(/s$/, '');
  const name = /^[A-Za-z][\w-]*$/.test(words) ? words : 'shared';
  let number = 1;
  while (taken.has(number === 1 ? name : `${name}-${number}`)) number += 1;
  return number === 1 ? name : `${name}-${number}`;
}
