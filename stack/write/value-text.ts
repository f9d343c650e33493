// Values as they are usually written in a YAML file: plain where that reads the same, quoted as the value before, blocks for several lines.
// It names the YAML library, and knows no key of a stack file.
import { stringify } from 'yaml';
import { IN_ONE_LINE } from '../reader/yaml-text';

/** How the value that is replaced was written; `none` for a new one. */
type Style = 'plain' | 'single' | 'double' | 'block' | 'flow' | 'none';

interface Surroundings {
  /** Whether it is inside `{…}` or `[…]`. */
  readonly inFlow: boolean;
  /** Spaces before the key, or the dash, that the value belongs to. */
  readonly indent: number;
  readonly style: Style;
}

/** Longest list or map that is written in one line. */
const ONE_LINE = 60;

/**
 * Texts that may express a value after `key:` or `-`, the likeliest first, each with the white space before it: ` M`, ` [a, b]`, `\n  - a`. Which
 * of them is right is known when the file is read again: a trailing comment, or a tag, may rule out the first.
 */
export function candidates(value: unknown, surroundings: Surroundings): readonly string[] {
  const { inFlow } = surroundings;
  const ways = inFlow ? [flowText(value)] : inBlock(value, surroundings);
  const own = typeof value === 'string' ? inStyle(value, surroundings) : [];
  return [...new Set([...own, ...ways, ` ${JSON.stringify(value)}`])];
}

/** Words that a key, or a plain text, may be made of without being taken for anything else. */
const SAFE = /^[A-Za-z0-9_./][\w./+@-]*$/;
const NULL = /^(~|null)$/i;

/** A key as it is written. */
export const keyText = (key: string): string => flowText(key).trim();

/** A text in the style of the one it replaces, where that can be. */
function inStyle(text: string, { inFlow, indent, style }: Surroundings): readonly string[] {
  const isOneLine = !/[\n\r\t]/.test(text) && text !== '';
  switch (style) {
    case 'plain':
      return SAFE.test(text) && !NULL.test(text) ? [` ${text}`] : [];
    case 'single':
      return isOneLine ? [` '${text.replaceAll("'", "''")}'`] : [];
    case 'double':
      return isOneLine ? [` ${JSON.stringify(text)}`] : [];
    case 'block':
      return inFlow || text === '' ? [] : [blockText(text, indent)];
    default:
      return [];
  }
}

function inBlock(value: unknown, { indent, style }: Surroundings): readonly string[] {
  const isCollection = typeof value === 'object' && value !== null;
  const flow = flowText(value);
  if (typeof value === 'string' && !endsAsBlock(value)) return [flow];
  if (!isCollection) return [libraryText(value, indent), flow];
  const isEmpty = Object.keys(value).length === 0;
  const isShort = flow.length <= ONE_LINE && !Object.values(value).some((item) => typeof item === 'object');
  const asBlock = libraryText(value, indent);
  return isEmpty || style === 'flow' || (style !== 'block' && isShort) ? [flow, asBlock] : [asBlock, flow];
}

/** Whether a text ends as the lines of a block do. Blanks at its end would be lost, and below a block with blank lines there, those of the file would be in it. */
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

/** ` |`, and the lines of a text below. */
function blockText(text: string, indent: number): string {
  const body = text.replace(/\n$/, '');
  const leading = /^[ \n]/.test(text) ? '2' : '';
  const keep = text.endsWith('\n') ? '' : '-';
  const lines = body.split('\n').map((line) => (line === '' ? '' : ' '.repeat(indent + 2) + line));
  return [` |${leading}${keep}`, ...lines].join('\n');
}
