// A stack file as text, from plain data: short maps and lists in one line, keys in the order in
// which docs/yaml.md shows them, comments above keys.
import { Document, isCollection, isScalar, Pair, Scalar, stringify, YAMLMap, type Node as YamlNode } from 'yaml';
import { isPlainObject } from '../../provider/values';
import { LAST, TOP_LEVEL } from '../layout';
import { IN_ONE_LINE, padMapsOnly } from '../yaml/format';

/** A map of a file, as plain data. */
export interface FileContents {
  readonly [key: string]: unknown;
}

/** Comments by the keys of the line below them; those without a key are at the top. */
type Comments = ReadonlyMap<string, readonly string[]>;

export const commentKey = (keys: readonly string[]): string => keys.join('\n');

const OPTIONS = {
  aliasDuplicateObjects: false,
  lineWidth: 0,
  singleQuote: true,
  indentSeq: true,
  blockQuote: 'literal',
  doubleQuotedAsJSON: true,
  flowCollectionPadding: false,
  ...IN_ONE_LINE,
} as const;

export function stackText(contents: FileContents, comments: Comments = new Map()): string {
  const document = new Document();
  document.contents = mapNode([], contents, comments);
  padMapsOnly(document);
  const head = commentText(comments.get('') ?? []);
  return `${head === undefined ? '' : `${head.replace(/^/gm, '#')}\n`}${document.toString(OPTIONS)}`;
}

const commentText = (lines: readonly string[]): string | undefined =>
  lines.length === 0 ? undefined : lines.map((text) => ` ${text.replace(/\s+/g, ' ')}`).join('\n');

function mapNode(keys: readonly string[], map: FileContents, comments: Comments): YAMLMap {
  const node = new YAMLMap();
  for (const [key, value] of ordered(map, keys.length === 0 ? TOP_LEVEL : LAST)) {
    const own = [...keys, key];
    const name = new Scalar(key);
    const above = commentText(comments.get(commentKey(own)) ?? []);
    if (above !== undefined) name.commentBefore = above;
    if (keys.length === 0 && node.items.length > 0) name.spaceBefore = true;
    node.items.push(new Pair(name, valueNode(own, value, comments)));
  }
  return node;
}

/** Entries, those with a known key last and in the order of the known ones. */
function ordered(map: FileContents, last: readonly string[]): readonly (readonly [string, unknown])[] {
  const rank = ([key]: readonly [string, unknown]): number => last.indexOf(key);
  return Object.entries(map).sort((left, right) => rank(left) - rank(right));
}

function valueNode(keys: readonly string[], value: unknown, comments: Comments): YamlNode {
  const node = isPlainObject(value) ? mapNode(keys, value, comments) : new Document().createNode(value, OPTIONS);
  if (isCollection(node)) node.flow = fitsInOneLine(keys, value as object, comments);
  if (isScalar(node) && typeof value === 'string' && value.includes('\n') && !endsAsBlock(value))
    node.type = Scalar.QUOTE_DOUBLE;
  return node;
}

/** Longest line on which a map is written as a whole, and longest list in one line. */
const LINE = 100;
const LIST = 60;

/** Whether a map or list is written in one line: a line of a file has no maps of maps. */
function fitsInOneLine(keys: readonly string[], value: object, comments: Comments): boolean {
  const text = stringify(value, { ...OPTIONS, collectionStyle: 'flow' }).trimEnd();
  if (holdsLines(value)) return false;
  if (Array.isArray(value)) return text.length < LIST && value.every((item) => typeof item !== 'object');
  const isCommented = [...comments.keys()].some((key) => key.startsWith(`${commentKey(keys)}\n`));
  const isFlat = keys.length > 2 || heightOf(value) <= keys.length;
  const padding = (text.match(/\{(?!\})/g) ?? []).length * 2;
  const length = 2 * keys.length + (keys.at(-1) ?? '').length + text.length + padding - 1;
  return isFlat && !isCommented && length < LINE;
}

const heightOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(heightOf)) : 0;

const holdsLines = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(holdsLines)
    : typeof value === 'string' && value.includes('\n');

/** Whether a text ends as the lines of a block do. Blanks at its end would be lost. */
function endsAsBlock(text: string): boolean {
  const end = text.slice(text.trimEnd().length);
  return end === '' || (end === '\n' && text !== end);
}
