// Names inside texts: references, names of the service's variables, keys and values that are a name as a whole; each with its exact characters.
import { positionBelow, type MapPosition } from '../compose/position';
import { rangeWithin, type Range } from '../reader/source';
import type { Entry, ScalarNode } from '../reader/tree';
import { placedSteps, splitText } from '../values/interpolation';

/** A name by its keys from the top, without environments and templates of components: `['platforms', 'web', 'components', 'deployer']`. */
export type Name = readonly string[];

/** One place where a name is written. */
export interface Site {
  readonly name: Name;
  /**
   * A `key` says more about a name that is declared elsewhere: in an environment, or in an overlay. An `output` is what a reference has after the name.
   */
  readonly role: 'declaration' | 'key' | 'mention' | 'output';
  readonly at: Range;
}

/** A map that is walked through. */
export interface Place {
  readonly position: MapPosition;
  /** Keys from the top, or from the top of the overlay. */
  readonly path: readonly string[];
  readonly isOverlay?: boolean;
  /** The template whose body it is in. */
  readonly template?: string;
  /** Bare name of the pack of the platform that it is in, where that has it. */
  readonly pack?: string | undefined;
}

/** What is looked up in a walk, and what it finds. */
export interface NameWalk {
  /** Texts of the files by name. */
  readonly texts: ReadonlyMap<string, string>;
  readonly names: Map<string, Site>;
}

/** The name that keys from the top mean: in an environment, the platforms, variables and clouds of the design. */
export function nameAt(path: readonly string[]): Name {
  const [first, , inside] = path;
  if (first === 'environments' && ['platforms', 'variables', 'clouds'].includes(inside ?? ''))
    return nameAt(path.slice(2));
  return first === 'platforms' && inside === 'clouds' ? path.slice(2) : path;
}

const SERVICE_VARIABLE = /\$OO_(GLOBAL|LOCAL)\{([^{}]+)\}/g;

/** References in a text, of a file and of the service. */
export function walkReferences(walk: NameWalk, { at }: { readonly at: Range }, raw: string, place: Place): void {
  if (!raw.includes('$')) return;
  const from = (walk.texts.get(at.file) ?? '').slice(at.start.offset, at.end.offset).indexOf(raw);
  if (from < 0) return;
  for (const part of splitText(raw))
    if (typeof part === 'object' && part.steps)
      addSteps(walk, { at }, { text: raw.slice(part.start + 2, part.end - 1), from: from + part.start + 2 }, place);
  for (const match of raw.matchAll(SERVICE_VARIABLE)) {
    const [whole, where, word = ''] = match;
    const inside = nameAt(place.path);
    if (where === 'LOCAL' && inside[0] !== 'platforms') continue;
    const name = [...(where === 'LOCAL' ? inside.slice(0, 2) : []), 'variables', word];
    const start = from + match.index + whole.indexOf(word);
    add(walk, { at }, [start, start + word.length], { name, role: 'mention' });
  }
}

/** Each name in the steps of a reference; the steps after the last name belong to it. */
function addSteps(
  walk: NameWalk,
  { at }: { readonly at: Range },
  { text, from }: { readonly text: string; readonly from: number },
  { template }: Place,
): void {
  const quote = /^\s*["']?/.exec(text)?.[0].length ?? 0;
  const steps = placedSteps(text.slice(quote).replace(/["']?\s*$/, '')) ?? [];
  const [first, second] = steps;
  const start = from + quote;
  if (first?.step === 'param' && second) {
    const name = ['templates', template ?? '', 'parameters', String(second.step)];
    if (template !== undefined)
      add(walk, { at }, [start + second.start, start + second.end], { name, role: 'mention' });
    return;
  }
  const words = steps.map(({ step }) => String(step));
  for (let index = 1; index < steps.length; index += 2) {
    const [key, step] = [words[index - 1] ?? '', steps[index]];
    const isName = key === 'config' ? index === 1 : positionBelow('top', key) === 'names' || key === 'components';
    if (!isName || step === undefined) return;
    const name = nameAt(words.slice(0, index + 1));
    add(walk, { at }, [start + step.start, start + step.end], { name, role: 'mention' });
    const rest = steps[index + 1];
    if (rest) add(walk, { at }, [start + rest.start, start + text.length], { name, role: 'output' });
  }
}

/** A key that is a name: of a thing, or of what it says more about. */
export function addKey(walk: NameWalk, own: Entry, path: readonly string[], place: Place): void {
  const name = nameAt(path);
  const isOwn = name.length === path.length && place.isOverlay !== true;
  addText(walk, { at: own.at, source: own.key }, name, isOwn ? 'declaration' : 'key');
  const [platform, , component, , monitor] = name.slice(1);
  // The name of a pack's monitor begins with those of its platform and component.
  if (name[4] !== 'monitors' || !monitor?.startsWith(`${platform}-${component}-`)) return;
  const length = platform?.length ?? 0;
  const quote = textAt(walk, own.at).indexOf(own.key);
  if (quote < 0) return;
  const mention = { role: 'mention' as const };
  add(walk, own, [quote, quote + length], { ...mention, name: name.slice(0, 2) });
  add(walk, own, [quote + length + 1, quote + length + 1 + (component?.length ?? 0)], {
    ...mention,
    name: name.slice(0, 4),
  });
}

/** A whole text that is a name. */
export function addText(
  walk: NameWalk,
  { at, source }: Pick<ScalarNode, 'at' | 'source'>,
  name: Name,
  role: Site['role'],
): void {
  const text = textAt(walk, at);
  const start = /^["']/.test(text) ? 1 : 0;
  const isWritten = text.slice(start, start + source.length) === source && text.length === source.length + 2 * start;
  // A name that another value makes is written where that value is.
  if (!isWritten && role === 'mention') return;
  const range = isWritten ? ([start, start + source.length] as const) : ([0, text.length] as const);
  add(walk, { at }, range, { name, role });
}

const textAt = ({ texts }: NameWalk, at: Range): string =>
  (texts.get(at.file) ?? '').slice(at.start.offset, at.end.offset);

function add(
  walk: NameWalk,
  { at }: { readonly at: Range },
  [start, end]: readonly [number, number],
  site: Omit<Site, 'at'>,
): void {
  const range = rangeWithin(at, textAt(walk, at), start, end);
  const key = JSON.stringify([site.name, range.file, range.start.offset]);
  if (!walk.names.has(key)) walk.names.set(key, { ...site, at: range });
}
