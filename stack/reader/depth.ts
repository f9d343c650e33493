// How deep a YAML text may be nested.
// It must not know what any key means.
import type { CST } from 'yaml';

/** Levels of nesting: what composes a text, and what walks its tree, is recursive. */
export const DEPTH = 64;

/**
 * Where the first collection begins that is in too many others; undefined when there is none. It is looked for before anything recursive reads
 * the text, because Node can end a process that runs out of stack there.
 */
export function beyondDepth(tokens: readonly CST.Token[]): number | undefined {
  const open = tokens.map((token) => ({ token, depth: 0 })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (depth > DEPTH) return token.offset;
    if (token.type === 'document' && token.value) open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const { key, value } of token.items.toReversed())
      for (const inner of [value, key]) if (inner && 'items' in inner) open.push({ token: inner, depth: depth + 1 });
  }
  return undefined;
}
