// A stack file before it is text: maps with their comments, lists, texts and plain values.
// It must not know how YAML is written.
import type { Range } from '../reader/source';

/** A value of the result. */
export type Written =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'plain'; readonly value: number | boolean }
  | { readonly is: 'list'; readonly items: readonly Written[] }
  /** `isShort`: written in one line. */
  | { readonly is: 'map'; readonly entries: readonly WrittenEntry[]; readonly isShort?: boolean };

/** One key of the result, with the comments of its source. */
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

/** A text. */
export const writtenText = (value: string): Written => ({ is: 'text', text: value });

/** A map. */
export const writtenMap = (entries: readonly (WrittenEntry | undefined)[]): Written => ({
  is: 'map',
  entries: entries.filter((entry) => entry !== undefined),
});

/** Plain data as a value of the result. */
export function writtenOf(data: unknown): Written {
  if (typeof data === 'number' || typeof data === 'boolean') return { is: 'plain', value: data };
  if (Array.isArray(data)) return { is: 'list', items: data.map(writtenOf) };
  if (typeof data === 'object' && data !== null)
    return writtenMap(Object.entries(data).map(([key, value]) => ({ key, value: writtenOf(value) })));
  return writtenText(typeof data === 'string' ? data : '');
}

/** A value of the result as plain data. */
export function dataOf(value: Written): unknown {
  if (value.is === 'text') return value.text;
  if (value.is === 'plain') return value.value;
  if (value.is === 'list') return value.items.map(dataOf);
  return Object.fromEntries(value.entries.map((entry) => [entry.key, dataOf(entry.value)]));
}
