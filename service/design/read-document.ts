// Text of a design, YAML or JSON, as nodes that keep each scalar as it was written: `7.0` is not `7` (wire-facts §4.5.5).
// It must not know what a design consists of.
import { isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';

/** A node: what it is and what it holds. */
export type DocumentNode =
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, DocumentNode> }
  | { readonly kind: 'list'; readonly items: readonly DocumentNode[] }
  /** `text` as written, `''` for nothing; `value` as YAML understands it. */
  | { readonly kind: 'scalar'; readonly text: string; readonly value: unknown };

/** A document that was read, or every reason why not. */
export type DocumentReading =
  { readonly ok: true; readonly root: DocumentNode } | { readonly ok: false; readonly reasons: readonly string[] };

/** Most nodes a document may have once its aliases are followed, and how deep they may stand. */
const MOST_NODES = 100_000;
const DEEPEST = 32;

/** Thrown inside of this file only. */
class Unreadable extends Error {}

type Parsed = ReturnType<typeof parseDocument>;

/** Reads a document: YAML 1.2 core, of which JSON is a part. Keys that are twice in one map, unknown tags and cycles are refused. */
export function readDocument(text: string): DocumentReading {
  let parsed: Parsed;
  try {
    parsed = parseDocument(text, { version: '1.2', schema: 'core', stringKeys: true, prettyErrors: true });
  } catch (error) {
    // Ten thousand brackets exhaust the parser's stack.
    if (error instanceof RangeError) return { ok: false, reasons: ['the document is nested too deep'] };
    throw error;
  }
  const findings = [...parsed.errors, ...parsed.warnings];
  if (findings.length > 0) return { ok: false, reasons: findings.map(({ message }) => message.split('\n')[0] ?? '') };
  try {
    return { ok: true, root: reader(parsed)(parsed.contents, 0) };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, reasons: [error.message] };
    throw error;
  }
}

function reader(parsed: Parsed): (node: unknown, depth: number) => DocumentNode {
  let count = 0;
  const read = (node: unknown, depth: number): DocumentNode => {
    count += 1;
    if (count > MOST_NODES) throw new Unreadable(`the document has more than ${MOST_NODES} values`);
    if (depth > DEEPEST) throw new Unreadable(`the document is nested more than ${DEEPEST} deep`);
    if (isAlias(node)) return read(node.resolve(parsed), depth + 1);
    if (isSeq(node)) return { kind: 'list', items: node.items.map((item) => read(item, depth + 1)) };
    if (isMap(node)) {
      const entries = node.items.map(({ key, value }) => [keyOf(key), read(value, depth + 1)] as const);
      return { kind: 'map', entries: new Map(entries) };
    }
    if (!isScalar(node)) return { kind: 'scalar', text: '', value: null };
    const { value, source } = node;
    const text = value === null ? '' : typeof value === 'string' ? value : (source ?? JSON.stringify(value));
    return { kind: 'scalar', text, value };
  };
  return read;
}

function keyOf(key: unknown): string {
  const text = isScalar(key) ? key.value : key;
  if (typeof text !== 'string') throw new Unreadable('a key of the document is no text');
  if (text === '__proto__') throw new Unreadable('the document has a key called __proto__');
  return text;
}

/** A node as plain data. */
export function plainOf(node: DocumentNode): unknown {
  switch (node.kind) {
    case 'map':
      return Object.fromEntries([...node.entries].map(([name, each]) => [name, plainOf(each)]));
    case 'list':
      return node.items.map(plainOf);
    case 'scalar':
      return node.value;
  }
}

/** A node as an attribute's text: a scalar as written, a structure as JSON. */
export function textOf(node: DocumentNode): string {
  return node.kind === 'scalar' ? node.text : JSON.stringify(plainOf(node));
}

/** Members of a map; none for nothing. Undefined when it is neither. */
export function membersOf(node: DocumentNode | undefined): ReadonlyMap<string, DocumentNode> | undefined {
  if (node === undefined || (node.kind === 'scalar' && node.value === null)) return new Map();
  return node.kind === 'map' ? node.entries : undefined;
}
