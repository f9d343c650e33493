// Changes of a YAML text that leave everything else in it as it is: a value replaced, an entry added or removed; and what prevents them.
import type { Entry, MapNode, Node } from '../../stack';
import type { FilePlace } from '../review/review';
import { startOf } from '../review/subjects';
import { candidates, keyText, type Style } from '../../stack';

/** The text of a file and the piece of it that is replaced; `texts` are tried in order. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly texts: readonly string[];
}

/** The text after a splice, with the line breaks of the file. */
export function spliced(text: string, { start, end }: Splice, put: string): string {
  return text.slice(0, start) + withBreaksOf(text, put) + text.slice(end);
}

const withBreaksOf = (text: string, put: string): string =>
  text.includes('\r\n') ? put.replaceAll('\n', '\r\n') : put;

/** Whether a collection is written in `{…}` or `[…]`. */
export const isFlow = (text: string, node: Node): boolean => /[[{]/.test(text.charAt(node.at.start.offset));

/** Whether a node is shared by an alias: then its value is elsewhere. */
const isAlias = (entry: Entry): boolean => entry.value.path.join('\u0000') !== entry.path.join('\u0000');

const isEmpty = ({ value }: Entry): boolean => value.form === 'scalar' && value.raw === '';

/** Spaces before a key in its line; a dash counts as one. */
const indentOf = (entry: Entry): number => entry.at.start.column - 1;

/** Replaces the value of an entry. `inFlow`: the entry is inside `{…}`. */
export function replaceValue(text: string, entry: Entry, value: unknown, inFlow: boolean): Splice {
  const colon = text.indexOf(':', entry.at.end.offset) + 1;
  const surroundings = { inFlow, indent: indentOf(entry), style: styleOf(text, entry.value) };
  const texts = candidates(value, surroundings);
  if (isEmpty(entry)) return { start: colon, end: colon, texts };
  const { start, end } = entry.value.at;
  // What is between the colon and the value (an anchor, a tag, a comment) stays, and with it the white space.
  const between = text.slice(colon, start.offset);
  if (between.trim() !== '')
    return { start: start.offset, end: end.offset, texts: texts.map((each) => each.trimStart()) };
  return { start: colon, end: end.offset, texts: texts.map((each) => keepGap(each, between)) };
}

/** A value that stays in the line keeps the white space before it. */
const keepGap = (put: string, between: string): string =>
  put.startsWith('\n') || between.includes('\n') || between === '' ? put : between + put.trimStart();

function styleOf(text: string, node: Node): Style {
  if (node.form === 'list' || node.form === 'map') return isFlow(text, node) ? 'flow' : 'block';
  if (node.form !== 'scalar' || node.raw === '') return 'none';
  const first = node.raw.charAt(0);
  if (first === "'") return 'single';
  if (first === '"') return 'double';
  return /[|>]/.test(first) ? 'block' : 'plain';
}

/**
 * Adds an entry to the map that is, or is to be, the value of `own`. `last`: keys that the new one comes before. `inFlow`: `own` itself
 * is inside `{…}`.
 */
export function addEntry(
  text: string,
  own: Entry,
  { key, value }: { readonly key: string; readonly value: unknown },
  { last, inFlow }: { readonly last: readonly string[]; readonly inFlow: boolean },
): Splice {
  const map = own.value.form === 'map' ? own.value : undefined;
  if (map && isFlow(text, map)) return addToFlow(text, map, key, value);
  if (map === undefined || map.entries.length === 0) return replaceOrBegin(text, own, { [key]: value }, inFlow);
  const indent = indentOf(map.entries[0] as Entry);
  const line = (put: string): string => `${' '.repeat(indent)}${keyText(key)}:${put}`;
  const texts = candidates(value, { inFlow: false, indent, style: 'none' });
  const before = map.entries.filter((entry) => !last.includes(entry.key)).at(-1);
  if (before === undefined) {
    const first = lineStart(text, (map.entries[0] as Entry).at.start.offset);
    return { start: first, end: first, texts: texts.map((put) => `${line(put)}\n`) };
  }
  const end = lineEnd(text, isAlias(before) ? before.at.end.offset : before.value.at.end.offset);
  return { start: end, end, texts: texts.map((put) => `\n${line(put)}`) };
}

/** `own:` without a map becomes one with this entry. */
function replaceOrBegin(text: string, own: Entry, value: unknown, inFlow: boolean): Splice {
  const replaced = replaceValue(text, own, value, inFlow);
  if (!isEmpty(own) || inFlow) return replaced;
  // A comment behind `own:` stays there, and the entry comes below it.
  const end = lineEnd(text, replaced.start);
  const below = replaced.texts.filter((each) => each.startsWith('\n'));
  const [block] = candidates(value, { inFlow: false, indent: indentOf(own), style: 'block' });
  return { start: end, end, texts: [...below, ...(block === undefined ? [] : [block])] };
}

function addToFlow(text: string, map: MapNode, key: string, value: unknown): Splice {
  const entry = candidates(value, { inFlow: true, indent: 0, style: 'none' }).map((put) => `${keyText(key)}:${put}`);
  const close = map.at.end.offset - 1;
  const inside = text.slice(map.at.start.offset + 1, close);
  const start = close - (inside.length - inside.trimEnd().length);
  if (inside.trim() === '')
    return { start: map.at.start.offset + 1, end: close, texts: entry.map((put) => ` ${put} `) };
  const comma = inside.trimEnd().endsWith(',') ? ' ' : ', ';
  return { start, end: start, texts: entry.map((put) => comma + put) };
}

/** Takes an entry out of its map, with its comments. The map of `own`, emptied, is left as `{}`. */
export function removeEntry(text: string, own: Entry, entry: Entry): Splice {
  const map = own.value as MapNode;
  // By its place: what a list of names was read as is its own entry.
  const index = map.entries.findIndex(({ at }) => at.start.offset === entry.at.start.offset);
  const next = map.entries[index + 1];
  if (isFlow(text, map)) {
    if (next) return { start: entry.at.start.offset, end: next.at.start.offset, texts: [''] };
    if (index === 0) return { start: map.at.start.offset, end: map.at.end.offset, texts: ['{}'] };
    const comma = text.lastIndexOf(',', entry.at.start.offset);
    return { start: comma, end: entryEnd(entry), texts: [''] };
  }
  if (map.entries.length === 1) {
    const start = text.indexOf(':', own.at.end.offset) + 1;
    // A comment behind `own:` is about what stays; one behind the entry goes with it.
    const behind = text.slice(start, lineEnd(text, start));
    const end = lineEnd(text, isEmpty(entry) ? entry.at.end.offset : entryEnd(entry));
    return { start, end, texts: [` {}${/^\s*#/.test(behind) ? behind : ''}`] };
  }
  return withoutLines(text, entry);
}

/** Where an entry ends; an alias ends in the line of its key. */
const entryEnd = (entry: Entry): number => entry.value.at.end.offset;

/** All lines of an entry, comments right above it and deeper ones below it included. */
function withoutLines(text: string, entry: Entry): Splice {
  const indent = indentOf(entry);
  let start = lineStart(text, entry.at.start.offset);
  for (let above = lineBefore(text, start); above && isOwnComment(above.line, indent); above = lineBefore(text, start))
    start = above.start;
  let end = nextLine(text, isEmpty(entry) ? entry.at.end.offset : entryEnd(entry));
  for (
    let below = lineAt(text, end);
    below !== undefined && /^\s*#/.test(below) && columnOf(below) > indent;
    below = lineAt(text, end)
  )
    end = nextLine(text, end);
  const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';
  // Two blank lines would be left where there was one on either side.
  if (isBlank(lineBefore(text, start)?.line) && start > 0 && isBlank(lineAt(text, end)) && end < text.length)
    end = nextLine(text, end);
  return { start, end, texts: [''] };
}

const isOwnComment = (line: string, indent: number): boolean => /^\s*#/.test(line) && columnOf(line) === indent;
const columnOf = (line: string): number => line.length - line.trimStart().length;

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** Where the line that contains an offset ends, its line break left out. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return text.charAt(end - 1) === '\r' ? end - 1 : end;
}

function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

const lineAt = (text: string, offset: number): string | undefined =>
  offset >= text.length ? undefined : text.slice(offset, lineEnd(text, offset));

function lineBefore(text: string, start: number): { readonly start: number; readonly line: string } | undefined {
  if (start === 0) return undefined;
  const before = lineStart(text, start - 1);
  return { start: before, line: text.slice(before, lineEnd(text, before)) };
}

/** Why something cannot be accepted, and where to look. */
export interface Obstacle {
  readonly reason: string;
  readonly at?: FilePlace;
}

/** What prevents writing over the value of an entry as its file contains it. */
export function obstacleIn(text: string, entry: Entry): Obstacle | undefined {
  if (isAlias(entry)) {
    const { line } = entry.value.at.start;
    return { reason: `it is an alias: its value is in line ${line}, which others use too`, at: startOf(entry.at) };
  }
  return sharedAnchor(text, entry) ?? computed(entry.value);
}

/** An anchor right before the value of an entry, which an alias elsewhere uses. */
export function sharedAnchor(text: string, entry: Entry): Obstacle | undefined {
  const between = text.slice(entry.at.end.offset, entry.value.at.start.offset);
  const name = /&([^\s,[\]{}]+)/.exec(between)?.[1];
  if (name === undefined) return undefined;
  const lines = text.split('\n');
  const user = lines.findIndex((line) => new RegExp(`\\*${escaped(name)}(?![^\\s,\\]}])`).test(line));
  if (user < 0) return undefined;
  return { reason: `its anchor &${name} is used in line ${user + 1}: that would change, too`, at: startOf(entry.at) };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a value is made of references or by a function. */
function computed(node: Node): Obstacle | undefined {
  if (node.form === 'list') return node.items.map(computed).find((found) => found !== undefined);
  if (node.form === 'map') {
    const call = node.entries.find(({ key }) => key.startsWith('fn::'));
    if (call) return { reason: `its value comes from ${call.key}: change it there`, at: startOf(call.at) };
    return node.entries.map(({ value }) => computed(value)).find((found) => found !== undefined);
  }
  const reference = node.form === 'scalar' ? /(?<!\$)(?:\$\$)*(\$\{[^}]*\}?)/.exec(node.source)?.[1] : undefined;
  if (reference === undefined) return undefined;
  return { reason: `its value comes from ${reference}: change it there`, at: startOf(node.at) };
}
