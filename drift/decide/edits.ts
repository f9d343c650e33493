// From what a finding says to changes of the file: which entry, which value, in the file's own words.
import {
  camelCase,
  encodeShape,
  fieldOf,
  isPlainObject,
  shapeAt,
  snakeCase,
  valueIn,
  type Field,
  type Shape,
} from '../../provider';
import { entryOf, type Entry, type Node, type ResourceDeclaration, type WrittenResource } from '../../stack';
import { startOf } from '../review/subjects';
import { chainTo, fileText, holderOf, isEntry, isInFlow, mapNode, writtenEntry, type StackReading } from './file-tree';
import { addEntry, obstacleIn, removeEntry, replaceValue, sharedAnchor, type Obstacle, type Splice } from './splice';

/** A value at a place in a resource's arguments; undefined: it is not to be declared. */
export interface Setting {
  readonly argument: string;
  readonly steps: readonly string[];
  readonly value: unknown;
}

/** A change of one file, or why there is none. */
export type Edit = { readonly file: string; readonly splice: Splice } | Obstacle;

/** Keys that hold resources, or control the engine: attributes come before them. */
const STRUCTURE = ['attachments', 'depends', 'pulumi', 'components', 'variables', 'platforms', 'clouds', 'deploy'];

/** The settings of a finding's attribute: one, or one for each entry where the file contains a map. */
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

/** The value with another one at some steps; undefined takes it out. */
export function setIn(value: unknown, [step, ...rest]: readonly string[], put: unknown): unknown {
  if (step === undefined) return put;
  const { [step]: inner, ...others } = isPlainObject(value) ? value : {};
  const next = setIn(inner, rest, put);
  if (next === undefined) return others;
  // Keeps its place among the keys.
  return isPlainObject(value) && step in value ? { ...value, [step]: next } : { ...others, [step]: next };
}

/** The change that a setting is. */
export function editFor(
  reading: StackReading,
  declaration: ResourceDeclaration,
  written: WrittenResource,
  setting: Setting,
): Edit {
  const { own, entries } = written;
  if (!isEntry(own)) return { reason: 'the file does not name it', at: startOf(own.at) };
  const chain = chainTo(reading, own);
  const anchored = chain
    .map((each) => sharedAnchor(fileText(reading, chain), each))
    .find((found) => found !== undefined);
  if (anchored) return anchored;
  const field = fieldOf(declaration.kind, setting.argument) as Field;
  const whole = setIn(declaration.args[setting.argument], setting.steps, setting.value);
  if (field.shape.type === 'open') {
    const [name = '', ...steps] = setting.steps;
    const found = entryOf(written.body, name);
    const target = {
      key: name,
      shape: { type: 'open' } as const,
      steps,
      value: setting.value,
      whole: valueIn(whole, [name]),
    };
    return found
      ? within(reading, own, found, target)
      : addTo(reading, own, name, { value: target.whole, shape: target.shape });
  }
  const entry = entries[setting.argument];
  const key = snakeCase(setting.argument);
  const shape = field.shape;
  if (entry === undefined) return addTo(reading, own, key, { value: whole, shape });
  if (Object.values(entries).filter((each) => each === entry).length > 1)
    return partOfPack(reading, declaration, entry, setting);
  const cloudList = mapNode(entry) !== undefined && !isWrittenAsMap(reading, entry);
  const steps = cloudList ? [] : setting.steps;
  const target = { key, shape, steps, value: setting.value, whole, asWhole: cloudList };
  return within(reading, entry === own ? undefined : own, entry, target);
}

/** The keys of a setting below the entry of its resource, and its value in the file's words. */
export function keysFor(
  { kind, args }: ResourceDeclaration,
  { own, entries }: WrittenResource,
  { argument, steps, value }: Setting,
): { readonly keys: readonly string[]; readonly value: unknown } {
  const { shape } = fieldOf(kind, argument) as Field;
  const isWhole = entries[argument] !== undefined && !mapNode(entries[argument]);
  const inner = isWhole ? [] : steps;
  const put = isWhole ? setIn(args[argument], steps, value) : value;
  const words = inner.map((step, index) =>
    shapeAt(shape, inner.slice(0, index)).type === 'object' ? snakeCase(step) : step,
  );
  const named = shape.type === 'open' || entries[argument] === own ? [] : [snakeCase(argument)];
  return { keys: [...named, ...words], value: put === undefined ? undefined : spell(shapeAt(shape, inner), put) };
}

interface Target {
  readonly key: string;
  readonly shape: Shape;
  readonly steps: readonly string[];
  readonly value: unknown;
  /** The value of the whole entry, afterwards. */
  readonly whole: unknown;
  /** The entry is written as a whole, whatever its form. */
  readonly asWhole?: boolean;
}

/** The change inside of an entry, as deep as the file contains maps. `holder` contains the entry: without it, it cannot be taken out. */
function within(
  reading: StackReading,
  holder: Entry | undefined,
  entry: Entry,
  { shape, steps, value, whole, asWhole = false }: Target,
): Edit {
  const own = writtenEntry(reading, entry);
  const chain = chainTo(reading, own);
  const text = fileText(reading, chain);
  const [step, ...rest] = steps;
  const map = asWhole ? undefined : mapNode(entry);
  const isCall = map?.entries.some(({ key }) => key.startsWith('fn::')) === true;
  if (step !== undefined && map && !isCall) {
    const shared = obstacleIn(text, emptied(own));
    if (shared) return shared;
    const inner = shapeAt(shape, [step]);
    const child = map.entries.find(({ key }) => key === step || (shape.type === 'object' && camelCase(key) === step));
    const key = shape.type === 'object' ? snakeCase(step) : step;
    if (!child) return addTo(reading, entry, key, { value: valueIn(whole, [step]), shape: inner });
    return within(reading, entry, child, { key, shape: inner, steps: rest, value, whole: valueIn(whole, [step]) });
  }
  const obstacle = obstacleIn(text, own);
  if (obstacle) return obstacle;
  const file = own.at.file;
  if (whole === undefined) {
    if (holder === undefined) return { reason: 'it cannot be taken out alone', at: startOf(own.at) };
    return { file, splice: removeEntry(text, holderOf(reading, own) ?? holder, own) };
  }
  return { file, splice: replaceValue(text, own, spell(shape, whole, own.value), isInFlow(reading, chain)) };
}

/** An entry without what is in its map: what prevents writing there is judged entry by entry. */
const emptied = (entry: Entry): Entry =>
  entry.value.form === 'map' ? { ...entry, value: { ...entry.value, entries: [] } } : entry;

function addTo(
  reading: StackReading,
  own: Entry,
  key: string,
  { value, shape }: { readonly value: unknown; readonly shape: Shape },
): Edit {
  if (value === undefined) return { reason: 'it is not declared, and not set on the service', at: startOf(own.at) };
  return addWritten(reading, own, key, spell(shape, value));
}

/** Adds a value in the file's words. */
function addWritten(reading: StackReading, own: Entry, key: string, value: unknown): Edit {
  const entry = writtenEntry(reading, own);
  const chain = chainTo(reading, entry);
  const text = fileText(reading, chain);
  if (own.value.form === 'scalar' && own.value.value !== null)
    return { reason: 'the file says it in short: write it as a map first', at: startOf(own.at) };
  const shared = obstacleIn(text, emptied(entry));
  if (shared) return shared;
  const splice = addEntry(text, entry, { key, value }, { last: STRUCTURE, inFlow: isInFlow(reading, chain) });
  return { file: entry.at.file, splice };
}

/** `clouds: [east, west]` is read as a map, but is none in the file. */
const isWrittenAsMap = (reading: StackReading, entry: Entry): boolean =>
  writtenEntry(reading, entry).value.form === 'map';

/** `oneops/tomcat:1` with another version. */
function partOfPack(
  reading: StackReading,
  { args }: ResourceDeclaration,
  entry: Entry,
  { argument, value }: Setting,
): Edit {
  const own = writtenEntry(reading, entry);
  const chain = chainTo(reading, own);
  const text = fileText(reading, chain);
  const obstacle = obstacleIn(text, own);
  if (obstacle) return obstacle;
  if (typeof value !== 'string' && typeof value !== 'number')
    return { reason: 'it is in one text with the pack', at: startOf(entry.at) };
  const source = entry.value.form === 'scalar' ? entry.value.source : '';
  const [, from = '', name = '', version = ''] = /^([^/:]+\/)?([^/:]+)(:.+)?$/.exec(source) ?? [];
  const parts: { readonly [name: string]: string } = {
    source: `${value}/${name}${version}`,
    pack: `${from}${value}${version}`,
    version: `${from}${name}:${value}`,
  };
  const put = parts[argument];
  if (put === undefined || args[argument] === undefined)
    return { reason: 'it is in one text with the pack', at: startOf(entry.at) };
  return { file: own.at.file, splice: replaceValue(text, own, put, isInFlow(reading, chain)) };
}

/** A value in the file's words: members by their snake_case names, `${` as text, and as text on the wire where there was such a text. */
export function spell(shape: Shape, value: unknown, before?: Node): unknown {
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

/** Adds a value, in the file's words, some keys deep below a map, and what is missing on the way. */
export function addBelow(reading: StackReading, own: Entry, keys: readonly string[], value: unknown): Edit {
  const [key = '', ...rest] = keys;
  const child = entryOf(mapNode(own), key);
  if (child && rest.length > 0) return addBelow(reading, child, rest, value);
  if (child) return { reason: `"${key}" exists there already`, at: startOf(child.at) };
  const nested = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return addWritten(reading, own, key, nested);
}
