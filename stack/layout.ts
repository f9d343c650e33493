// The layout of a stack file, from the paths that the kinds declare: the keys below each path, the
// argument that each key means, the names that lead to a record, and the order of keys.
import { addressNames, argumentFor, scopesOf, snakeCase, type Kind } from '../provider';
import { argumentsInFile, kindInFile, kindOf, kinds, placesInFile } from '../provider/kinds';
import { oncePer } from '../provider/values';

/** The parts of a stack, in the order in which they are written. */
export const TOP_LEVEL: readonly string[] = [
  'config',
  'env',
  'assembly',
  'clouds',
  'design',
  'variables',
  'platforms',
  'environments',
  'outputs',
];

/** Parts that are maps by name: files add to them. */
export const SHARED: readonly string[] = ['config', 'clouds', 'variables', 'platforms', 'environments', 'outputs'];

/** Words of composition at the top of a file. */
export const TOP_WORDS: readonly string[] = ['include', 'templates', 'overlays'];

/** Words of a thing. Each is also a name that a thing can have. */
export const WORDS: readonly string[] = ['use', 'with', 'when', 'each'];

/** Keys that contain records come after what a record says of itself, in this order. */
export const LAST: readonly string[] = [
  ...['clouds', 'platforms', 'variables', 'components', 'attachments', 'monitors', 'relays', 'deploy'],
];

/** Whether a key at the top is a person's own, for anchors: it means nothing to a stack. */
export const isOwnKey = (key: string): boolean => key.startsWith('x-');

/** Whether a text can contain any word of composition: without one, there is nothing to compose. */
export const mayCompose = (text: string): boolean => /\b(?:include|templates|overlays|use|each|when)\b/.test(text);

/** The keys of a kind, without other words for the same. */
export const keysOf: (of: Kind) => readonly string[] = oncePer((of) => argumentsInFile(of).map(snakeCase));

/** The argument a key means; undefined for a key the kind does not have. */
export function argumentOf(of: Kind, key: string): string | undefined {
  const aliases = of.inFile?.aliases ?? {};
  return Object.hasOwn(aliases, key) ? aliases[key] : argumentsInFile(of)[keysOf(of).indexOf(key)];
}

/** Keys inside a component whose values are records of their own. */
export const COMPONENT_PARTS = ['attachments', 'monitors'] as const;

/** Keys inside a component, of a design or an environment, that are no attribute of any class. */
export const ownKeysOf: (of: Kind) => readonly string[] = oncePer((of) => [
  ...[...COMPONENT_PARTS, 'pulumi'],
  ...keysOf(of),
]);

/** Keys by place: `platforms.*` has the keys of a platform. `*`: a person's name. */
export const KEYS_AT: ReadonlyMap<string, ReadonlySet<string>> = keysByPlace();

function keysByPlace(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>([['', new Set(TOP_LEVEL)]]);
  const add = (place: string, keys: readonly string[]): void => {
    const known = found.get(place) ?? new Set();
    keys.forEach((key) => known.add(key));
    found.set(place, known);
  };
  for (const of of kinds)
    for (const place of placesInFile(of)) {
      const steps = place.split('.');
      add(place, ['pulumi', ...keysOf(of)]);
      steps.forEach((step, index) => {
        if (step !== '*') add(steps.slice(0, index).join('.'), [step]);
      });
    }
  return found;
}

export const placeBelow = (place: string, key: string): string => (place === '' ? key : `${place}.${key}`);

/** Keys at a place that contain records by name: `platforms.*` has `components`. */
export const collectionsAt = (place: string): readonly string[] =>
  [...(KEYS_AT.get(place) ?? [])].filter((key) => KEYS_AT.has(`${placeBelow(place, key)}.*`));

const COLLECTIONS = new Set([...KEYS_AT.keys()].flatMap(collectionsAt));
const SINGLE = new Set([...KEYS_AT.keys()].map((place) => place.split('.').at(-1)).filter((key) => key !== '*'));

/** The places of a key: `environments.NAME.platforms.NAME` for `scale`. */
export const placesOf = (key: string): readonly string[] =>
  [...KEYS_AT].filter(([place, keys]) => place !== '' && keys.has(key)).map(([place]) => place.replaceAll('*', 'NAME'));

/**
 * Where a map is, as far as composition needs to know: `top` is the file itself, `names` a map of
 * things by name, `thing` one of them. In `components`, a component can hold components by name, so
 * that a map in it is a thing, too. In `free` maps, such as tags, every key is a person's own.
 */
export type MapPosition = 'top' | 'names' | 'components' | 'component' | 'thing' | 'free';

export function positionBelow(position: MapPosition, key: string): MapPosition {
  if (position === 'free') return 'free';
  if (position === 'components') return 'component';
  if (position === 'names') return 'thing';
  if (key === 'components') return 'components';
  if (COLLECTIONS.has(key) || (position === 'top' && key === 'outputs')) return 'names';
  if (SINGLE.has(key)) return 'thing';
  return position === 'component' ? 'thing' : 'free';
}

/** Whether a map there can have the words `use`, `when` and `each`. */
export const isThing = (position: MapPosition): boolean => position === 'thing' || position === 'component';

interface Address {
  readonly [name: string]: string;
}

/** The keys of one part of an address, below its collection: `[user, deployer]`. */
export type KeysOfPart = (of: Kind, address: Address, part: string) => readonly string[];

/** Keys to a record of a kind in its scope; undefined for a kind that no file declares. */
export function keysTo(of: Kind, address: Address, keysOfPart: KeysOfPart): readonly string[] | undefined {
  const place = placeOfScope(of);
  const inside = namesSaidInside(of);
  const names = namesInFile(of)
    .filter((name) => !inside.includes(name))
    .values();
  return place?.split('.').flatMap((key) => (key === '*' ? keysOfPart(of, address, names.next().value ?? '') : [key]));
}

/** Address names in the record itself: `platform` and `component` of a procedure. */
export function namesSaidInside(of: Kind): readonly string[] {
  const names = namesInFile(of);
  const around = of.within === undefined ? 0 : starsIn(placeOfScope(of.within));
  return names.slice(around, around + names.length - starsIn(placeOfScope(of)));
}

const starsIn = (place: string | undefined): number => (place ?? '').split('*').length - 1;

/** The address names of a kind without the assembly, which the whole file describes. */
const namesInFile = (of: Kind): readonly string[] =>
  addressNames(of).filter((name) => name !== argumentFor(kindInFile('assembly')));

const placeOfScope: (of: Kind) => string | undefined = oncePer((of) => {
  const base = kindOf(of.token) ?? of;
  return placesInFile(base)[scopesOf(base).findIndex(({ path }) => path === of.path)];
});
