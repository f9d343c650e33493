// Turns a finding into a value and its place in a file, with the names that the file uses.
import {
  argumentFor,
  camelCase,
  declaredName,
  distinguishedBy,
  fieldOf,
  type Field,
  type Kind,
  parseId,
  recordsAbove,
  scopeOfId,
  snakeCase,
} from '../../provider';
import { kindOf } from '../../provider/kinds';
import { encodeShape, isPlainObject, shapeAt, valueIn, withAt, type Shape } from '../../provider/values';
import {
  entryOf,
  keysTo,
  resourceKey,
  type Entry,
  type Node,
  type Placed,
  type ResourceDeclaration,
  withNativeValues,
  type WrittenResource,
} from '../../stack';
import type { DriftFinding } from '../review/review';
import { startOf } from '../review/sources';
import type { PlanChange, StackReading } from './readings';
import type { Obstacle } from './written-value';

/** A value at a place in a resource's arguments; undefined: it is not to be declared. */
interface Setting {
  readonly argument: string;
  readonly steps: readonly string[];
  readonly value: unknown;
}

/** The settings of a finding's attribute: one, or one for each entry of a map in the file. */
export function settingsFor(
  declaration: Pick<ResourceDeclaration, 'kind' | 'args'>,
  attribute: string,
  value: unknown,
): readonly Setting[] | undefined {
  const [argument = '', ...words] = attribute.split('.');
  const field = fieldOf(declaration.kind, argument);
  if (field === undefined || field.channel === 'control') return undefined;
  const current = declaration.args[argument];
  const steps = words.length === 0 ? [] : stepsOf(current, words.join('.'), field.shape);
  return spread({ argument, steps, value }, valueIn(current, steps), shapeAt(field.shape, steps));
}

/** A map is set entry by entry, so that what is around each stays. */
function spread(setting: Setting, current: unknown, shape: Shape): readonly Setting[] {
  const { value } = setting;
  const isMap = ['map', 'object', 'open'].includes(shape.type);
  if (!isMap || !isPlainObject(value) || !isPlainObject(current) || Object.keys(value).length === 0) return [setting];
  const keys = [...new Set([...Object.keys(current), ...Object.keys(value)])];
  const differing = keys.filter((key) => JSON.stringify(current[key]) !== JSON.stringify(value[key]));
  // Additions first: a map that is emptied on the way would not hold.
  return [...differing.filter((key) => key in value), ...differing.filter((key) => !(key in value))].flatMap((key) =>
    spread({ ...setting, steps: [...setting.steps, key], value: value[key] }, current[key], shapeAt(shape, [key])),
  );
}

/** Keys may hold dots: the longest one that exists is meant. */
function stepsOf(current: unknown, words: string, shape: Shape): readonly string[] {
  if (isPlainObject(current)) {
    const keys = Object.keys(current).filter((key) => words === key || words.startsWith(`${key}.`));
    const [key] = keys.sort((left, right) => right.length - left.length);
    if (key !== undefined)
      return words === key
        ? [key]
        : [key, ...stepsOf(current[key], words.slice(key.length + 1), shapeAt(shape, [key]))];
  }
  const isNested = shape.type === 'map' && shape.values.type === 'object';
  return isNested ? words.split('.') : [words];
}

/** Where a value is to be written, in the file's words; undefined: the entry is to be taken out. */
export interface Target {
  readonly file: string;
  readonly path: readonly string[];
  readonly value: unknown;
  /** The nearest entry that exists. */
  readonly at: Placed['at'];
  /** The composition that made a value from several places: no single one of them can change it. */
  readonly composed?: string;
}

const COMPOSED: { readonly [how: string]: string } = {
  template: 'a template',
  argument: 'an argument of a template or of each',
  each: 'each',
  overlay: 'an overlay',
};

/** The composition of an entry or its value; undefined for one that is written once. */
export const composedBy = ({ via = [], value }: Entry): string | undefined =>
  [...via, ...(value.via ?? [])].map(({ how }) => COMPOSED[how]).find((word) => word !== undefined);

/** A resource's place as an entry; undefined for what the file does not name. */
export const isEntry = (place: Placed): place is Entry => 'key' in place && 'value' in place;

const mapNode = (entry: Entry | undefined) => (entry?.value.form === 'map' ? entry.value : undefined);

export function targetOf(
  { kind, args }: ResourceDeclaration,
  { own, body, entries }: WrittenResource,
  { argument, steps, value }: Setting,
): Target | Obstacle {
  if (!isEntry(own)) return { reason: 'the file does not name it', at: startOf(own.at) };
  const { shape } = fieldOf(kind, argument) as Field;
  const whole = withAt(args[argument], steps, value);
  const isOpen = shape.type === 'open';
  const entry = isOpen ? entryOf(body, steps[0] ?? '') : entries[argument];
  if (entry !== undefined && Object.values(entries).filter((each) => each === entry).length > 1)
    return {
      reason: `it is in one text with the pack: write ${argument} ${String(value)} there`,
      at: startOf(entry.at),
    };
  let last = entry ?? own;
  // Steps that lead to `last`; -1: it is the entry of the resource.
  let depth = entry === undefined ? -1 : isOpen ? 1 : 0;
  for (let map = mapNode(last); entry && map && !isListInDisguise(map) && depth < steps.length; map = mapNode(last)) {
    const step = steps[depth] ?? '';
    const isObject = shapeAt(shape, steps.slice(0, depth)).type === 'object';
    const child = map.entries.find(({ key }) => key === step || (isObject && camelCase(key) === step));
    if (child === undefined) break;
    last = child;
    depth += 1;
  }
  const isThere = entry !== undefined && (depth === steps.length || !mapNode(last) || isListInDisguise(last.value));
  // A value beside others of a map needs its own key; what is no map is written as a whole.
  const used = isThere ? Math.max(depth, 0) : Math.min(steps.length, depth < 0 ? (isOpen ? 1 : 0) : depth + 1);
  const around = shapeAt(shape, steps.slice(0, Math.max(0, used - 1)));
  const step = steps[used - 1] ?? '';
  const key = depth < 0 && !isOpen ? snakeCase(argument) : around.type === 'object' ? snakeCase(step) : step;
  const put = valueIn(whole, steps.slice(0, used));
  const words =
    put === undefined ? undefined : spell(shapeAt(shape, steps.slice(0, used)), put, isThere ? last.value : undefined);
  const composed = composedBy(own) ?? composedBy(last);
  return {
    file: last.at.file,
    path: [...last.path.map(String), ...(isThere ? [] : [key])],
    value: words,
    at: last.at,
    ...(composed === undefined ? {} : { composed }),
  };
}

/** A value in the file's words: members in snake_case, `${` as text, text where there was text. */
function spell(shape: Shape, value: unknown, before?: Node): unknown {
  const wasText = before?.form === 'scalar' && typeof before.value === 'string';
  if (wasText && (shape.type === 'list' || shape.type === 'map') && typeof value === 'object')
    return escapeText(encodeShape(shape, value));
  if (typeof value === 'string') return escapeText(value);
  if (Array.isArray(value)) return inOldOrder(shape, value, before).map((item) => spell({ type: 'open' }, item));
  if (!isPlainObject(value)) return value;
  // Links that say nothing are names alone.
  const isBare = before?.form === 'list' || isListInDisguise(before);
  const links = Object.values(value);
  if (isBare && links.every((link) => isPlainObject(link) && Object.keys(link).length === 0)) return Object.keys(value);
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    shape.type === 'object' ? snakeCase(key) : key,
    spell(shapeAt(shape, [key]), item),
  ]);
  return Object.fromEntries(entries);
}

/** A list of names that was read as a map: all its keys are where its values are. */
const isListInDisguise = (node: Node | undefined): boolean =>
  node?.form === 'map' && node.entries.length > 0 && node.entries.every(({ at, value }) => value.at === at);

/** Where order means nothing, what stays keeps its place, and what is new comes last. */
function inOldOrder(shape: Shape, items: readonly unknown[], before: Node | undefined): readonly unknown[] {
  if (shape.type !== 'list' || !shape.unordered || before?.form !== 'list') return items;
  const old = before.items.map((item) => (item.form === 'scalar' ? item.source : ''));
  const rank = (item: unknown): number => {
    const index = old.indexOf(String(item));
    return index < 0 ? old.length : index;
  };
  return [...items].sort((left, right) => rank(left) - rank(right));
}

const escapeText = (text: string): string => text.replace(/\$+(?=\{)/g, (run) => run + run);

interface Addition {
  readonly own: Entry;
  readonly keys: readonly string[];
  readonly value: unknown;
  readonly change: PlanChange;
}

/** The entry for a value of a record that comes with one that the file declares. */
export function settingOf(reading: StackReading, finding: DriftFinding, organization: string): Addition | Obstacle {
  const { kind: token, address: id, attribute = '', live } = finding;
  const of = kindOf(token);
  const scope = of && scopeOfId(of, id);
  const parsed = scope && parseId(scope, id);
  if (scope === undefined || parsed?.organization !== organization) return { reason: `${id} is no id of a ${token}` };
  if (live?.is !== 'value') return { reason: 'the review does not say what it contains: declare it by hand' };
  const [argument = '', ...steps] = attribute.split('.');
  const place = placeBelow(reading, scope, parsed.address);
  const field = fieldOf(scope, argument);
  if (place === undefined || field === undefined)
    return { reason: `a file has no place for "${attribute}" of a ${token}, or does not declare the record it is in` };
  const value = withAt(
    undefined,
    steps.length === 0 ? [] : [steps.join('.')],
    nativeIn(reading, scope, parsed.address, attribute, live.value),
  );
  const args = { [argument]: value };
  const form = scope.inFile?.written?.(args);
  const isOpen = field.shape.type === 'open';
  const written =
    form !== undefined && 'text' in form
      ? spell({ type: 'text' }, form.text)
      : isOpen
        ? spell(field.shape, value)
        : { [snakeCase(argument)]: spell(field.shape, value) };
  const key = resourceKey(token, declaredName({ of: scope, id }));
  return { ...place, value: written, change: { of: 'new', key, args } };
}

/** The keys of a part of an address and of its record's sort: `user`, `deployer` of a component. */
function keysOfPart(reading: StackReading, address: Address, part: string): readonly string[] {
  const sort = sortOf(reading, address, part);
  const own = address[part] ?? '';
  return typeof sort === 'string' && sort !== own ? [sort, own] : [own];
}

type Address = { readonly [name: string]: string };

/** The argument that distinguishes the declared record of a part of an address: a component's type. */
function sortOf({ plan, written }: StackReading, address: Address, part: string): unknown {
  const isIt = ({ address: at }: WrittenResource): boolean =>
    Object.entries(at).every(([name, word]) => address[name === 'name' ? part : name] === word);
  const keys = written.filter(isIt).map(({ key }) => key);
  const found = plan.resources.find(({ kind, key }) => argumentFor(kind) === part && keys.includes(key));
  return found?.args[distinguishedBy(found.kind) ?? ''];
}

/** A text of the service as an attribute of the component at an address has it: a number, a flag. */
export function nativeIn(
  reading: StackReading,
  of: Kind,
  address: Address,
  attribute: string,
  value: unknown,
): unknown {
  const [argument = '', ...words] = attribute.split('.');
  const name = words.join('.');
  const type = sortOf(reading, { ...address, component: address['component'] ?? address['name'] ?? '' }, 'component');
  const inputs = withNativeValues(of, { type, [argument]: { [name]: value } });
  return valueIn(inputs[argument], [name]);
}

/** Keys of a record below the nearest record around it that the file declares. */
function placeBelow(
  reading: StackReading,
  of: Kind,
  address: Address,
): { readonly own: Entry; readonly keys: readonly string[] } | undefined {
  const keysOf = (kind: Kind): readonly string[] =>
    keysTo(kind, address, (_, words, part) =>
      keysOfPart(reading, words, part === 'name' && kind !== of ? argumentFor(kind) : part),
    ) ?? [];
  for (const above of recordsAbove(of, address)) {
    const around = reading.written.find(
      ({ key, address: own }) =>
        key.startsWith(`${above.of.token}::`) &&
        Object.entries(above.address).every(([part, word]) => own[part] === word),
    );
    if (around !== undefined)
      return isEntry(around.own) ? { own: around.own, keys: keysOf(of).slice(keysOf(above.of).length) } : undefined;
  }
  return undefined;
}
