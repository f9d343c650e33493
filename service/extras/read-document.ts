// A design in YAML 1.1 or JSON as nodes, with scalars as the live service reads them; and warnings
// about it.
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Scalar, stringify } from 'yaml';
import { isPlainText, numberText, WARNINGS_HEADER } from '../../api/contract';
import { type Answer, bounded, refused } from '../runtime/handler';

/** Most warnings of an answer, and most characters of each: clients read 16 kB of headers. */
const WARNINGS = { most: 10, longest: 150 };

/** Collects warnings; one that is added twice counts once. */
export interface Warnings {
  readonly warn: (warning: string) => void;
  readonly headers: () => Answer['headers'];
}

export function collectWarnings(): Warnings {
  const all = new Set<string>();
  return {
    warn: (warning) => {
      all.add(warning);
    },
    headers: () => (all.size === 0 ? {} : { [WARNINGS_HEADER]: asciiOf([...all]) }),
  };
}

function asciiOf(warnings: readonly string[]): string {
  const text = JSON.stringify(bounded(warnings, WARNINGS));
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The warning about an attribute of a document that its class does not have. */
export const unknownAttribute = (at: string, className: string, attribute: string): string =>
  `${at}: class ${className} has no attribute ${attribute}: it was left out`;

export type DocumentNode =
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, DocumentNode> }
  | { readonly kind: 'list'; readonly items: readonly DocumentNode[] }
  /** `text` as an attribute holds it, `''` for nothing; `value` as YAML understands it. */
  | { readonly kind: 'scalar'; readonly text: string; readonly value: unknown };

type DocumentReading =
  { readonly ok: true; readonly root: DocumentNode } | { readonly ok: false; readonly reasons: readonly string[] };

/** Most nodes a document may have once its aliases are followed, and how deep they may be. */
const MOST_NODES = 100_000;
const DEEPEST = 32;

/** Thrown inside of this file only. */
class Unreadable extends Error {}

type Parsed = ReturnType<typeof parseDocument>;

/** Reads YAML 1.1 or JSON. The last of equal keys counts; unknown tags and cycles do not. */
export function readDocument(text: string): DocumentReading {
  let parsed: Parsed;
  try {
    parsed = parseDocument(text, { version: '1.1', uniqueKeys: false, stringKeys: true, prettyErrors: true });
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
      return { kind: 'map', entries: merged(new Map(entries)) };
    }
    return isScalar(node) ? scalarOf(node) : { kind: 'scalar', text: '', value: null };
  };
  return read;
}

/** A map with the maps of its key `<<`: the first counts most, and its own members more. */
function merged(entries: ReadonlyMap<string, DocumentNode>): ReadonlyMap<string, DocumentNode> {
  const others = entries.get('<<');
  if (others === undefined) return entries;
  const maps = (others.kind === 'list' ? [...others.items].reverse() : [others]).flatMap((each) =>
    each.kind === 'map' ? [each] : [],
  );
  const own = [...entries].filter(([name]) => name !== '<<');
  return new Map([...maps.flatMap((each) => [...each.entries]), ...own]);
}

function scalarOf({ value, source = '' }: Pick<Scalar, 'value' | 'source'>): DocumentNode {
  if (typeof value === 'string') return { kind: 'scalar', text: value, value };
  if (value === null || value === undefined) return { kind: 'scalar', text: '', value: null };
  if (typeof value === 'boolean' && !isPlainText(source)) return { kind: 'scalar', text: String(value), value };
  if (typeof value === 'number' && Number.isFinite(value) && !isPlainText(source))
    return { kind: 'scalar', text: numberText(value, source), value };
  // Dates, and what is beyond numbers, keep the text they were written with.
  return { kind: 'scalar', text: source, value: source };
}

function keyOf(key: unknown): string {
  const text = isScalar(key) ? key.value : key;
  if (typeof text !== 'string') throw new Unreadable('a key of the document is no text');
  if (text === '__proto__') throw new Unreadable('the document has a key called __proto__');
  return text;
}

/** Plain data as YAML 1.1: `yes` and `1.10` are quoted where they are texts. */
export const yamlText = (data: unknown): string => stringify(data, { version: '1.1', aliasDuplicateObjects: false });

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

/** The members of a document as plain data; none where it is not a map. */
export function shownOf(root: DocumentNode): object {
  return root.kind === 'map' ? Object.fromEntries([...root.entries].map(([name, each]) => [name, plainOf(each)])) : {};
}

/** A node as an attribute's text: a scalar as written, a structure as JSON. */
export function nodeText(node: DocumentNode): string {
  return node.kind === 'scalar' ? node.text : JSON.stringify(plainOf(node));
}

/** Members of a map; none for nothing. Undefined when it is neither. */
export function nodeMembers(node: DocumentNode | undefined): ReadonlyMap<string, DocumentNode> | undefined {
  if (node === undefined || (node.kind === 'scalar' && node.value === null)) return new Map();
  return node.kind === 'map' ? node.entries : undefined;
}

/** Members of a map; none for nothing. Throws a RefusedRequest (422) when it is neither. */
export function membersAt(node: DocumentNode | undefined, what: string): ReadonlyMap<string, DocumentNode> {
  const members = nodeMembers(node);
  if (members === undefined) throw refused(`${what} must be a map`);
  return members;
}
