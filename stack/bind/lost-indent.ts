// Lines that are indented too little: the key above them is empty, and they can only belong to it.
// The rest of the file is read as it was meant, so that nothing is reported that only follows from
// the indentation.
import { kinds, nearest, placesInFile } from '../../provider';
import type { Report } from '../findings/finding';
import { isNull, type Entry, type MapNode, type Node } from '../yaml/tree';
import { isOwnKey, TOP_LEVEL } from './files';
import { COMPONENT_PARTS, keysOf } from './vocabulary';

/** Keys by place: those of `platforms.*` are the keys of a platform. Empty for the top. */
const KEYS: ReadonlyMap<string, ReadonlySet<string>> = keysByPlace();

function keysByPlace(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (place: string, keys: readonly string[]): void => {
    const known = found.get(place) ?? new Set();
    keys.forEach((key) => known.add(key));
    found.set(place, known);
  };
  add('', TOP_LEVEL);
  add('platforms.*.components.*', COMPONENT_PARTS);
  add('environments.*.clouds.*', ['priority']);
  for (const of of kinds)
    for (const path of placesInFile(of).map((place) => place.split('.'))) {
      add(path.join('.'), ['pulumi', ...keysOf(of)]);
      path.forEach((step, index) => {
        if (step !== '*') add(path.slice(0, index).join('.'), [step]);
      });
    }
  return found;
}

/** The file as it was meant; each key above lines that are indented too little is reported once, at the first of them. */
export const asIndented = (report: Report, root: MapNode): MapNode => indented(report, root, '');

const inside = (place: string, step: string): string => (place === '' ? step : `${place}.${step}`);

function indented(report: Report, map: MapNode, place: string): MapNode {
  const entries: Entry[] = [];
  let above: { readonly entry: Entry; readonly lines: Entry[] } | undefined;
  const close = (): void => {
    if (above === undefined) return;
    const { entry, lines } = above;
    const [first] = lines;
    const value: Node = first ? { form: 'map', path: entry.path, at: first.at, entries: lines } : entry.value;
    entries.push({ ...entry, value });
    above = undefined;
  };
  for (const entry of map.entries) {
    if (above !== undefined && entry.at.start.line > above.entry.at.start.line && belongs(entry, above.entry, place)) {
      if (above.lines.length === 0) reportLost(report, entry, above.entry);
      above.lines.push({ ...entry, path: [...above.entry.path, entry.key] });
      continue;
    }
    close();
    if (isNull(entry.value)) above = { entry, lines: [] };
    else entries.push(entry);
  }
  close();
  return { ...map, entries: entries.map((entry) => inEntry(report, entry, place)) };
}

function inEntry(report: Report, entry: Entry, place: string): Entry {
  if (entry.value.form !== 'map') return entry;
  const step = KEYS.get(place)?.has(entry.key) === true ? entry.key : '*';
  const below = inside(place, step);
  const isKnown = [...KEYS.keys()].some((known) => known === below || known.startsWith(`${below}.`));
  return isKnown ? { ...entry, value: indented(report, entry.value, below) } : entry;
}

/** Whether a line can only belong to the empty key above it. */
function belongs({ key, value }: Entry, above: Entry, place: string): boolean {
  const ofNamed = KEYS.get(inside(place, '*'));
  // In a map of names: what is a word of the named thing, or has no form of one.
  if (ofNamed !== undefined)
    return !place.endsWith('variables') && (ofNamed.has(key) || (value.form === 'scalar' && !isNull(value)));
  const known = KEYS.get(place);
  const takesMap = KEYS.has(inside(place, above.key)) || KEYS.has(inside(inside(place, above.key), '*'));
  if (known?.has(above.key) !== true || !takesMap) return false;
  return !known.has(key) && !isOwnKey(key) && nearest(key, [...known]) === undefined;
}

function reportLost(report: Report, entry: Entry, above: Entry): void {
  report.error(
    entry,
    'bad-indent',
    `"${entry.key}" belongs to "${above.key}" above it, but is not indented below it`,
    `indent this line, and the others that belong to "${above.key}", by two spaces more`,
  );
}
