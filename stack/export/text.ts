// A stack file as text, from plain data: short maps and lists in one line, keys in the order in
// which docs/yaml.md shows them, comments above keys.
import { stringify } from 'yaml';
import { isPlainObject } from '../../provider/values';
import { LAST, TOP_LEVEL } from '../layout';
import { IN_ONE_LINE } from '../yaml/write';

/** A map of a file, as plain data. */
export interface FileContents {
  readonly [key: string]: unknown;
}

/** Comments by the keys of the line below them; those without a key are at the top. */
type Comments = ReadonlyMap<string, readonly string[]>;

export const commentKey = (keys: readonly string[]): string => keys.join('\n');

/** Longest line on which a map is written as a whole. */
const LINE = 100;

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
    return [...above, `${own}${valueText(value, indent.length)}`];
  }
  const flow = isFlat(value, keys.length) && !isCommented(keys, comments) ? oneLine(value) : undefined;
  if (flow !== undefined && own.length + flow.length < LINE) return [...above, `${own} ${flow}`];
  const inside = ordered(value, LAST).flatMap(([key, inner]) => linesOf([...keys, key], inner, comments));
  return [...above, own, ...inside];
}

/** Whether a comment is inside of a map. */
const isCommented = (keys: readonly string[], comments: Comments): boolean =>
  [...comments.keys()].some((key) => key.startsWith(`${commentKey(keys)}\n`));

/** Whether a map may be in one line: a line of a file has no maps of maps. */
const isFlat = (map: FileContents, depth: number): boolean =>
  depth > 2 || (depth === 2 ? heightOf(map) <= 2 : heightOf(map) <= 1);

const heightOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(heightOf)) : 0;

/** A value in one line; undefined where a text of several lines is in it. */
function oneLine(value: unknown): string | undefined {
  if (typeof value === 'string' && value.includes('\n')) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(oneLine);
    return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
  }
  if (!isPlainObject(value)) return flowText(value).trim();
  const entries = ordered(value, LAST).map(([key, inner]) => [keyText(key), oneLine(inner)] as const);
  if (entries.some(([, text]) => text === undefined)) return undefined;
  return entries.length === 0 ? '{}' : `{ ${entries.map(([key, text]) => `${key}: ${text}`).join(', ')} }`;
}

/** Longest list that is written in one line. */
const ONE_LINE = 60;

/** What follows `key:`, with the white space before it: ` M`, ` [a, b]`, `\n  - a`. */
function valueText(value: unknown, indent: number): string {
  const flow = flowText(value);
  if (typeof value === 'string' && !endsAsBlock(value)) return flow;
  if (typeof value !== 'object' || value === null) return libraryText(value, indent);
  const isShort = flow.length <= ONE_LINE && !Object.values(value).some((item) => typeof item === 'object');
  return isShort || Object.keys(value).length === 0 ? flow : libraryText(value, indent);
}

/** A key as it is written. */
const keyText = (key: string): string => flowText(key).trim();

/** Whether a text ends as the lines of a block do. Blanks at its end would be lost. */
function endsAsBlock(text: string): boolean {
  const end = text.slice(text.trimEnd().length);
  return end === '' || (end === '\n' && text !== end);
}

const OPTIONS = {
  lineWidth: 0,
  singleQuote: true,
  indentSeq: true,
  blockQuote: 'literal',
  aliasDuplicateObjects: false,
  ...IN_ONE_LINE,
} as const;

/** ` [a, { b: c }]` */
function flowText(value: unknown): string {
  if (typeof value === 'string' && value.includes('\n')) return ` ${JSON.stringify(value)}`;
  const text = stringify([value], {
    ...OPTIONS,
    collectionStyle: 'flow',
    flowCollectionPadding: false,
    blockQuote: false,
  });
  // `[value]` and a line break; members of maps are padded as is usual.
  return ` ${padded(text.trim().slice(1, -1))}`;
}

/** `{a: 1}` as `{ a: 1 }`, where no quoted text holds braces. */
const padded = (text: string): string =>
  /['"]/.test(text) ? text : text.replace(/\{(?=[^}])/g, '{ ').replace(/(?<=[^{])\}/g, ' }');

/** The value below `key:`, indented under it. */
function libraryText(value: unknown, indent: number): string {
  const [head = '', ...lines] = stringify({ k: value }, OPTIONS).trimEnd().split('\n');
  return [head.slice('k:'.length), ...lines.map((line) => (line === '' ? line : ' '.repeat(indent) + line))].join('\n');
}
