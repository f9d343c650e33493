// A stack file before it is text, with its comments; its text; and plain scalars as YAML 1.1 reads
// them, which the tools of old files use.
import { Document, isScalar, Pair, parseDocument, Scalar, YAMLMap, YAMLSeq, type Node as YamlNode } from 'yaml';
import { isPlainText, numberText } from '../../api/contract';
import type { Range } from '../yaml/source';
import { IN_ONE_LINE } from '../yaml/format';

/** A value of the result. */
export type Written =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'plain'; readonly value: number | boolean }
  | { readonly is: 'list'; readonly items: readonly Written[] }
  /** `isShort`: written in one line. */
  | { readonly is: 'map'; readonly entries: readonly WrittenEntry[]; readonly isShort?: boolean };

export interface WrittenEntry {
  readonly key: string;
  readonly value: Written;
  /** Lines above it, without `#`. */
  readonly above?: readonly string[];
  /** Text after it on its line, without `#`. */
  readonly beside?: string;
  /** Where its key and its value are in the source. */
  readonly from?: { readonly key: Range; readonly value: Range };
}

export const writtenText = (value: string): Written => ({ is: 'text', text: value });

export const writtenMap = (entries: readonly (WrittenEntry | undefined)[]): Written => ({
  is: 'map',
  entries: entries.filter((entry) => entry !== undefined),
});

export function writtenOf(data: unknown): Written {
  if (typeof data === 'number' || typeof data === 'boolean') return { is: 'plain', value: data };
  if (Array.isArray(data)) return { is: 'list', items: data.map(writtenOf) };
  if (typeof data === 'object' && data !== null)
    return writtenMap(Object.entries(data).map(([key, value]) => ({ key, value: writtenOf(value) })));
  return writtenText(typeof data === 'string' ? data : '');
}

export function dataOf(value: Written): unknown {
  if (value.is === 'text') return value.text;
  if (value.is === 'plain') return value.value;
  if (value.is === 'list') return value.items.map(dataOf);
  return Object.fromEntries(value.entries.map((entry) => [entry.key, dataOf(entry.value)]));
}

/** A stack file as text. `header`: lines of comment above everything. */
export function convertedText(header: readonly string[], entries: readonly WrittenEntry[]): string {
  const document = new Document();
  document.contents = mapNode(entries);
  document.commentBefore = header.join('\n');
  return document.toString({ lineWidth: 0, singleQuote: true, ...IN_ONE_LINE });
}

function mapNode(entries: readonly WrittenEntry[]): YAMLMap {
  const node = new YAMLMap();
  for (const { key, value, above, beside } of entries) {
    const name = new Scalar(key);
    const held = valueNode(value);
    // Next to the key of a map it would be printed below the key.
    const isBeside = isScalar(held);
    const lines = [...(above ?? []), ...(beside === undefined || isBeside ? [] : [beside])];
    if (lines.length > 0) name.commentBefore = lines.join('\n');
    if (beside !== undefined && isBeside) held.comment = beside;
    node.items.push(new Pair(name, held));
  }
  if (entries.length === 0) node.flow = true;
  return node;
}

function valueNode(value: Written): YamlNode {
  if (value.is === 'map') {
    const node = mapNode(value.entries);
    if (value.isShort === true) node.flow = true;
    return node;
  }
  if (value.is === 'list') {
    const list = new YAMLSeq();
    list.items = value.items.map(valueNode);
    return list;
  }
  if (value.is === 'plain') return new Scalar(value.value);
  const scalar = new Scalar(value.text);
  const isProse = value.text.includes('\n') && !/[^\S\n]\n|[^\P{Cc}\n\t]|\n\n$|^\s/u.test(value.text);
  // Old readers take these for numbers, times and booleans.
  if (isProse) scalar.type = Scalar.BLOCK_LITERAL;
  else if (value.text.includes('\n') && value.text.trim() === '') scalar.type = Scalar.QUOTE_DOUBLE;
  else if (typeof valueOf(value.text) !== 'string' || /^[\d.+-]/.test(value.text))
    scalar.type = /[\p{Cc}]/u.test(value.text) ? Scalar.QUOTE_DOUBLE : Scalar.QUOTE_SINGLE;
  return scalar;
}

/** The form of every number, time, boolean and nothing; no list or map has it. */
const MAYBE_NO_TEXT = /^(?!- )[\w.+:~ -]*$/;

function valueOf(plain: string): unknown {
  if (isPlainText(plain) || !MAYBE_NO_TEXT.test(plain)) return plain;
  const { contents, errors } = parseDocument(plain, { version: '1.1', logLevel: 'silent' });
  return errors.length === 0 && isScalar(contents) ? contents.value : plain;
}

/** A plain scalar in YAML 1.1: `yes` is true, `010` is 8, and other text is itself. */
export function valueInYaml11(source: string): string | number | boolean | null {
  const value = source === '' ? null : valueOf(source);
  const isPlain = typeof value === 'boolean' || value === null || (typeof value === 'number' && Number.isFinite(value));
  return isPlain ? value : source;
}

/** The value as the service stores it: `7.0` stays, but `1.10` is `1.1`. */
export function textInYaml11(source: string): string {
  const value = valueInYaml11(source);
  if (value === null) return '';
  return typeof value === 'number' ? numberText(value, source) : String(value);
}
