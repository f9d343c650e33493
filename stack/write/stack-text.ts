// A stack file as text, from plain data: short maps and lists in one line, keys in the order in which docs/yaml.md shows them, comments above keys.
// It must not know what the keys mean.
import { TOP_LEVEL } from '../bind/files';
import { isPlainObject } from '../../provider';
import { candidates, keyText } from './value-text';

/** A map of a file, as plain data. */
export interface FileContents {
  readonly [key: string]: unknown;
}

/** Comments by the keys that lead to the line below them, joined with line breaks; those of no key are at the top. */
type Comments = ReadonlyMap<string, readonly string[]>;

/** The key of a comment. */
export const commentKey = (keys: readonly string[]): string => keys.join('\n');

/** Longest line on which a map is written as a whole. */
const LINE = 100;

/** Keys that contain records come after what a record says of itself, in this order. */
const LAST = ['clouds', 'platforms', 'variables', 'components', 'attachments', 'monitors', 'relays', 'deploy'];

/** The text of a document. */
export function stackText(document: FileContents, comments: Comments = new Map()): string {
  const head = (comments.get('') ?? []).map(commentLine);
  const parts = ordered(document, [...TOP_LEVEL]).map(([key, value]) => linesOf([key], value, comments));
  return `${[...head, ...parts.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))].join('\n')}\n`;
}

const commentLine = (text: string): string => `# ${text.replace(/\s+/g, ' ')}`;

/** Entries, those with a known key last and in the order of the known ones. */
function ordered(map: FileContents, last: readonly string[]): readonly (readonly [string, unknown])[] {
  const rank = ([key]: readonly [string, unknown]): number => last.indexOf(key);
  return Object.entries(map).sort((left, right) => rank(left) - rank(right));
}

function linesOf(keys: readonly string[], value: unknown, comments: Comments): readonly string[] {
  const indent = '  '.repeat(keys.length - 1);
  const own = `${indent}${keyText(keys.at(-1) ?? '')}:`;
  const above = (comments.get(commentKey(keys)) ?? []).map((text) => `${indent}${commentLine(text)}`);
  if (!isPlainObject(value) || Object.keys(value).length === 0) {
    const [text = ''] = candidates(value, { inFlow: false, indent: indent.length, style: 'none' });
    return [...above, `${own}${text}`];
  }
  const flow = isFlat(value, keys.length) && !isCommented(keys, comments) ? flowText(value) : undefined;
  if (flow !== undefined && own.length + flow.length < LINE) return [...above, `${own} ${flow}`];
  const inside = ordered(value, LAST).flatMap(([key, inner]) => linesOf([...keys, key], inner, comments));
  return [...above, own, ...inside];
}

/** Whether a comment is inside of a map. */
const isCommented = (keys: readonly string[], comments: Comments): boolean =>
  [...comments.keys()].some((key) => key.startsWith(`${commentKey(keys)}\n`));

/** Whether a map may be in one line: the parts of a file hold no maps of maps in a line of theirs. */
const isFlat = (map: FileContents, depth: number): boolean =>
  depth > 2 || (depth === 2 ? heightOf(map) <= 2 : heightOf(map) <= 1);

const heightOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(heightOf)) : 0;

/** A value in one line; undefined where a text of several lines is in it. */
function flowText(value: unknown): string | undefined {
  if (typeof value === 'string' && value.includes('\n')) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(flowText);
    return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
  }
  if (!isPlainObject(value)) return candidates(value, { inFlow: true, indent: 0, style: 'none' })[0]?.trim();
  const entries = ordered(value, LAST).map(([key, inner]) => [keyText(key), flowText(inner)] as const);
  if (entries.some(([, text]) => text === undefined)) return undefined;
  return entries.length === 0 ? '{}' : `{ ${entries.map(([key, text]) => `${key}: ${text}`).join(', ')} }`;
}
