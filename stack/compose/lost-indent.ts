// Lines that are indented too little. The key above them is empty, and they can belong to nothing
// else. The rest of the file is read as it was meant, so that one mistake gives one finding.
import { nearest } from '../../provider/values';
import type { Report } from '../findings/finding';
import { isOwnKey, KEYS_AT, placeBelow } from '../layout';
import { isNull, type Entry, type MapNode, type Node } from '../yaml/tree';

/** Keys by place, with what a cloud of an environment most often has. */
const KEYS: typeof KEYS_AT = new Map([...KEYS_AT, ['environments.*.clouds.*', new Set(['priority'])]]);

/** The file as it was meant. Lines that are indented too little are reported once for each key. */
export function asIndented(report: Report, map: MapNode, place = ''): MapNode {
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
  const below = placeBelow(place, step);
  const isKnown = [...KEYS.keys()].some((known) => known === below || known.startsWith(`${below}.`));
  return isKnown ? { ...entry, value: asIndented(report, entry.value, below) } : entry;
}

/** Whether a line can only belong to the empty key above it. */
function belongs({ key, value }: Entry, above: Entry, place: string): boolean {
  const ofNamed = KEYS.get(placeBelow(place, '*'));
  // In a map of names: what is a word of the named thing, or has no form of one.
  if (ofNamed !== undefined)
    return !place.endsWith('variables') && (ofNamed.has(key) || (value.form === 'scalar' && !isNull(value)));
  const known = KEYS.get(place);
  const takesMap = KEYS.has(placeBelow(place, above.key)) || KEYS.has(placeBelow(placeBelow(place, above.key), '*'));
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
