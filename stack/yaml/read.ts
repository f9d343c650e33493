// Reads a text as a tree with places: YAML 1.2 core with the merge keys of YAML 1.1, and a finding
// for everything that a stack cannot contain.
import {
  Composer,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Parser,
  visit,
  type CST,
  type Document,
  type Pair,
  type Scalar,
  type YAMLParseError,
} from 'yaml';
import type { Path } from '../../api/contract';
import { SECRET_WORD } from '../../provider/secrets';
import { firstAt, newReport, type Finding, type Report } from '../findings/finding';
import { rangesOf, type Range, type SourceFile } from './source';
import { isNull, type Entry, type Node, type Placed } from './tree';

/** A file's tree, when its grammar holds, and everything found in it. */
interface YamlReading {
  readonly root?: Node;
  readonly findings: readonly Finding[];
}

/** Nodes that aliases may add to a tree: far more than a person writes, far less than hurts. */
const ALIASED_NODES = 10_000;

const TAGS = new Set([
  '!',
  ...['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
]);

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  prettyErrors: false,
  uniqueKeys: false,
  resolveKnownTags: false,
  logLevel: 'silent',
} as const;

interface Built {
  readonly node: Node;
  readonly size: number;
  readonly depth: number;
}

interface Walk {
  readonly file: SourceFile;
  readonly report: Report;
  readonly replaced: Replaced | undefined;
  readonly range: (start: number, end: number) => Range;
  /** Anchors seen so far; `open` while their own value is being read. */
  readonly anchors: Map<string, Built | 'open'>;
  aliasedNodes: number;
}

/**
 * Reads one file. Never throws; after a fault of grammar there is no tree, since what follows it
 * cannot be trusted. With `replaced`, the last entry of a key counts, and `replaced` gets those
 * before it; else a key that is written twice is an error.
 */
export function readYaml(file: SourceFile, replaced?: Replaced): YamlReading {
  const report = newReport([file.name]);
  const root = rootOf({ file, report, replaced, range: rangesOf(file), anchors: new Map(), aliasedNodes: 0 });
  return { ...(root ? { root } : {}), findings: report.findings() };
}

function rootOf(walk: Walk): Node | undefined {
  const { file, report } = walk;
  const place = (start: number, end: number) => ({ path: [], at: walk.range(start, end) });
  const tokens = [...new Parser().parse(file.text)];
  const deep = beyondDepth(tokens);
  if (deep !== undefined)
    return report.error(place(deep, deep + 1), 'too-deep', 'nested too deeply', `${DEPTH} levels are the most`);
  const documents: readonly Document.Parsed[] = [...new Composer(OPTIONS).compose(tokens)];
  const space = ODD_SPACE.test(file.text) ? mistakenSpace(partsOf(documents), file.text) : undefined;
  if (space !== undefined) return report.error(place(...space.pos), space.code, space.message, space.hint);
  const [fault] = documents.flatMap(({ errors }) => errors).sort((left, right) => left.pos[0] - right.pos[0]);
  if (fault) {
    const { code, message, hint, pos } = explained(fault, partsOf(documents), file.text);
    const at = place(...pos);
    if (SECRET_WORD.test(file.text.split('\n')[at.at.start.line - 1] ?? '')) report.hide(at.at);
    return report.error(at, code, message, hint);
  }
  for (const { pos, message } of documents.flatMap(({ warnings }) => warnings)) {
    const tag = message.replace(/^Unresolved tag: (tag:yaml\.org,2002:)?/, 'tag "');
    report.error(place(...pos), 'unknown-tag', `${tag}" is not known or does not fit`, 'leave the tag out');
  }
  const [first, ...others] = documents.filter(
    ({ contents }) => !(contents === null || (isScalar(contents) && contents.value === null)),
  );
  for (const { range } of others) {
    const at = place(range[0], range[0] + 3);
    report.error(at, 'several-documents', 'a second document in one file', 'put it into a separate file');
  }
  if (first?.directives?.yaml.explicit && first.directives.yaml.version !== '1.2') {
    const message = `YAML ${first.directives.yaml.version} is not read here`;
    report.error(place(0, 0), 'yaml-version', message, 'leave the directive out: files are YAML 1.2');
  }
  if (!first) return report.error(place(0, 0), 'empty-file', 'the file is empty', 'start with: assembly: { name: … }');
  return build(walk, first.contents, [], 0).node;
}

/** A scalar, or a list or map in `[…]` or `{…}`, and where it starts and ends in the text. */
interface Part {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

function partsOf(documents: readonly Document.Parsed[]): readonly Part[] {
  const found: Part[] = [];
  const add = (type: string, range: readonly number[] | null | undefined): void => {
    const [start = 0, end = 0] = range ?? [];
    found.push({ type, start, end });
  };
  for (const document of documents)
    visit(document, {
      Scalar: (_, { type = '', range }) => add(type, range),
      Collection: (_, { flow, range }) => (flow === true ? add('FLOW', range) : undefined),
    });
  return found;
}

/** The first character that only looks like a space: nothing else of its text is reported. */
function mistakenSpace(parts: readonly Part[], text: string): PlacedFault | undefined {
  for (const { type, start, end } of parts) {
    const found = type === 'PLAIN' ? MISTAKEN.exec(text.slice(start, end)) : null;
    if (found === null) continue;
    const number = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return {
      code: 'bad-syntax',
      message: `the character U+${number} (${SPACES[found[0]] ?? 'a wide space'}) is no space to YAML`,
      hint: 'type a space in its place',
      pos: [start + found.index, start + found.index + 1],
    };
  }
  return undefined;
}

/** A fault of the grammar, and where the mistake is, which the library notices later. */
function explained({ code, message, pos }: YAMLParseError, parts: readonly Part[], text: string): PlacedFault {
  const unquoted = unquotedReference(text, pos[0]);
  if (unquoted !== undefined) return unquoted;
  const opened = /^(Flow|Missing closing)/.test(message) ? openedAt(parts, text) : undefined;
  if (opened !== undefined) {
    const [message, hint] = [`${text.charAt(opened)} is never closed`, `close it with ${ENDS[text.charAt(opened)]}`];
    return { code: 'unclosed', message, hint, pos: [opened, opened + 1] };
  }
  // A text under "|" or ">" ends where a line is indented less.
  const ended = parts.find(
    ({ type, end }) => type.startsWith('BLOCK') && end <= pos[0] && text.slice(end, pos[0]).trim() === '',
  );
  return { ...syntaxFault(code), ...(ended ? { hint: endedHint(text, ended.start) } : {}), pos };
}

const ENDS: { readonly [start: string]: string } = { '"': '"', "'": "'", '[': ']', '{': '}' };

/** Where the quote or bracket is that is never closed: the library shows its missing end. */
function openedAt(parts: readonly Part[], text: string): number | undefined {
  const open = parts.filter(({ type, start, end }) => {
    const close = /^(QUOTE|FLOW)/.test(type) ? ENDS[text.charAt(start)] : undefined;
    return close !== undefined && (end - start < 2 || text.charAt(end - 1) !== close);
  });
  // A bracket around a quote that is never closed has its end in the text of the quote.
  const quotes = open.filter(({ type }) => type !== 'FLOW');
  return (quotes.length === 0 ? open : quotes).map(({ start }) => start).sort((left, right) => left - right)[0];
}

function build(walk: Walk, value: unknown, path: Path, fallback: number): Built {
  const anchor = isScalar(value) || isCollection(value) ? value.anchor : undefined;
  if (anchor === undefined) return buildPlain(walk, value, path, fallback);
  walk.anchors.set(anchor, 'open');
  const built = buildPlain(walk, value, path, fallback);
  walk.anchors.set(anchor, built);
  return built;
}

function buildPlain(walk: Walk, value: unknown, path: Path, fallback: number): Built {
  const at = placeOf(walk, value, fallback);
  const failed: Built = { node: { form: 'failed', path, at }, size: 1, depth: 1 };
  if (isAlias(value)) return followAlias(walk, value.source, failed);
  // A tag that is not known has been reported with the library's warnings.
  if (isNode(value) && value.tag !== undefined && !TAGS.has(value.tag)) return failed;
  if (isMap(value)) return buildMap(walk, value.items, path, at);
  if (isSeq(value)) {
    const items = value.items.map((item, index) => build(walk, item, [...path, index], at.start.offset));
    return gather({ form: 'list', items: items.map(({ node }) => node), path, at }, items);
  }
  return buildScalar(walk, isScalar(value) ? value : undefined, path, at);
}

function buildMap(walk: Walk, pairs: readonly Pair[], path: Path, at: Range): Built {
  const own: Entry[] = [];
  const merged: Entry[] = [];
  let isPartial = false;
  const children: Built[] = [];
  for (const pair of pairs) {
    if (isMergeKey(pair.key)) {
      const key = { path: [...path, '<<'], at: placeOf(walk, pair.key, 0) };
      const built = build(walk, pair.value, key.path, key.at.end.offset);
      children.push(built);
      merged.push(...mergedEntries(walk.report, key, built.node));
      isPartial ||= !bringsAll(built.node);
      continue;
    }
    const read = buildEntry(walk, pair, path);
    if (read === undefined) continue;
    children.push(read.built);
    own.push(read.entry);
  }
  const entries = withMerged(uniqueEntries(walk.report, own, walk.replaced), merged);
  return gather({ form: 'map', entries, path, at, ...(isPartial ? { isPartial } : {}) }, children);
}

const isMergeKey = (key: unknown): boolean => isScalar(key) && key.value === '<<' && key.type === 'PLAIN';

function buildScalar(walk: Walk, scalar: Scalar | undefined, path: Path, at: Range): Built {
  const held = scalar?.value;
  const value = typeof held === 'string' || typeof held === 'number' || typeof held === 'boolean' ? held : null;
  const source = typeof value === 'string' ? value : (scalar?.source ?? '');
  const raw = walk.file.text.slice(at.start.offset, at.end.offset);
  const half = UNSENDABLE.exec(source)?.[0];
  if (half !== undefined) {
    const number = half.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    walk.report.error({ path, at }, 'bad-syntax', `no service takes the character U+${number}`, 'leave it out');
  }
  return { node: { form: 'scalar', value, source, raw, path, at }, size: 1, depth: 1 };
}

function gather(node: Node, children: readonly Built[]): Built {
  return {
    node,
    size: children.reduce((sum, { size }) => sum + size, 1),
    depth: children.reduce((deepest, { depth }) => Math.max(deepest, depth + 1), 1),
  };
}

/** The anchor's own node, shared, and counted as often as it is used. */
function followAlias(walk: Walk, name: string, failed: Built): Built {
  const place = failed.node;
  const known = walk.anchors.get(name);
  if (known === undefined) {
    walk.report.error(
      place,
      'unknown-alias',
      `no anchor "&${name}" comes before this alias`,
      'quote a text that starts with "*"',
    );
    return failed;
  }
  if (known === 'open') {
    walk.report.error(place, 'alias-cycle', `the alias "*${name}" is inside its own anchor`);
    return failed;
  }
  const before = walk.aliasedNodes;
  walk.aliasedNodes += known.size;
  const tooDeep = place.path.length + known.depth > DEPTH;
  if (walk.aliasedNodes <= ALIASED_NODES && !tooDeep) return known;
  if (tooDeep) walk.report.error(place, 'too-deep', 'nested too deeply');
  else if (before <= ALIASED_NODES)
    walk.report.error(place, 'too-many-aliases', `aliases make the file larger than ${ALIASED_NODES} values`);
  return failed;
}

function buildEntry(walk: Walk, { key, value }: Pair, path: Path): { entry: Entry; built: Built } | undefined {
  const at = placeOf(walk, key, 0);
  const refuse = (code: string, message: string, hint?: string): undefined => {
    walk.report.error({ path, at }, code, message, hint);
    // Anchors inside are still anchors: aliases to them are not wrong too.
    build(walk, value, path, at.end.offset);
  };
  if (isAlias(key)) return refuse('complex-key', 'a key must be a word, not an alias');
  if (!isScalar(key)) {
    const template = walk.file.text.startsWith('{{', at.start.offset);
    return refuse(
      'complex-key',
      'a key must be a word',
      template ? 'this looks like a template: render it first' : 'quote it if it is one',
    );
  }
  const word = typeof key.value === 'string' ? key.value : (key.source ?? '');
  if (word === '') return refuse('missing-key', 'a key is missing');
  if (word === '__proto__') return refuse('reserved-key', '"__proto__" cannot be a key');
  const own = [...path, word];
  const scalar = buildScalar(walk, key, own, at);
  if (typeof key.anchor === 'string') walk.anchors.set(key.anchor, scalar);
  const built = build(walk, value, own, at.end.offset);
  return { entry: { key: word, path: own, at, value: built.node }, built };
}

function placeOf(walk: Walk, value: unknown, fallback: number): Range {
  const [start = fallback, end = fallback] = (isNode(value) ? value.range : undefined) ?? [];
  const text = walk.file.text.slice(start, end);
  return walk.range(start, start + text.trimEnd().length);
}

/** A finding's words for one code of the grammar. */
interface PlacedFault {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Where it starts and ends in the text. */
  readonly pos: readonly [number, number];
}

/** The message of a fault of grammar, its hint, and its code where that is another one. */
const syntaxFaults: { readonly [code: string]: readonly [message: string, hint?: string | undefined, code?: string] } =
  {
    TAB_AS_INDENT: ['a tab cannot indent', 'indent with spaces', 'tab'],
    BAD_INDENT: [
      'the indentation does not fit the lines before it',
      'keys of one map start in one column; close every [ and {; text under "|" is indented throughout',
      'bad-indent',
    ],
    MULTILINE_IMPLICIT_KEY: [
      'a key that goes over several lines',
      'is a ":" missing, or is the text above, under "|" perhaps, indented too little?',
    ],
    BLOCK_AS_IMPLICIT_KEY: [
      'a map or list cannot start here',
      'put it on a separate line, indented; quote a text that holds ": "',
    ],
    BLOCK_IN_FLOW: ['a second ":" in one value', 'quote a text that holds ": "'],
    BAD_SCALAR_START: ['a text cannot start with this character', 'put the text in quotes'],
    BAD_DQ_ESCAPE: ['an escape that double quotes do not know', 'write "\\\\" for a backslash, or use single quotes'],
    UNEXPECTED_TOKEN: ['this is not allowed here', 'is the indentation right?'],
    MISSING_CHAR: ['something is missing here', 'a closing quote or a ":"?'],
    ALIAS_PROPS: ['an alias cannot have an anchor or a tag of its own'],
    BAD_ALIAS: ['an alias without a name', 'quote a text that starts with "*" or "&"'],
    BAD_DIRECTIVE: ['a directive YAML does not know'],
    KEY_OVER_1024_CHARS: ['a key of more than 1024 characters'],
    RESOURCE_EXHAUSTION: ['nested too deeply', undefined, 'too-deep'],
  };

/** The words for a code; codes without their own words are simply not valid YAML. */
function syntaxFault(fault: string): Omit<PlacedFault, 'pos'> {
  const [message, hint, code = 'bad-syntax'] = syntaxFaults[fault] ?? ['this is not valid YAML'];
  return { code, message, hint };
}

/**
 * The words for a reference between braces or brackets whose own brace the grammar took for a map,
 * and its place; undefined when the fault at `offset` is not in one.
 */
function unquotedReference(text: string, offset: number): PlacedFault | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const found = /[^\s,[\]{}"':]*\$(?:OO_[A-Z]+)?\{[^{}\n]*$/.exec(text.slice(lineStart, offset + 1));
  if (found === null) return undefined;
  const start = lineStart + found.index;
  const written = /^[^{]*\{[^{}\n,]*\}?/.exec(text.slice(start))?.[0] ?? '';
  return {
    code: 'unquoted-reference',
    message: `a reference between braces or brackets must be in quotes`,
    hint: `write "${written}" with its quotes`,
    pos: [start, start + written.length],
  };
}

/** A null byte, or half of a character, as the escapes of double quotes can write them. */
const UNSENDABLE = /[\0\uD800-\uDFFF]/u;

/** Characters that look like a space, or like nothing, and are letters to YAML. */
const SPACES: { readonly [character: string]: string } = {
  '\u00A0': 'no-break space',
  '\u200B': 'zero width space',
  '\u202F': 'narrow no-break space',
  '\u3000': 'ideographic space',
  '\uFEFF': 'byte order mark',
};
const SPACE = `[${Object.keys(SPACES).join('')}\\u2000-\\u200A]`;

/** Any such character. */
const ODD_SPACE = new RegExp(SPACE, 'u');

/** A character at an end of a plain text, or next to a mark of YAML, was meant as a space. */
const MISTAKEN = new RegExp(`(?<=^[-?]?)${SPACE}|(?<=:)${SPACE}|${SPACE}(?=#|\\s*$)`, 'u');

/** The hint for the first line after a text under "|" or ">", which starts at `start`. */
function endedHint(text: string, start: number): string {
  const before = text.slice(0, start).split('\n');
  const column = (before.at(-1) ?? '').search(/\S/) + 1;
  return `the text that starts at ${before.length}:${column} ends here: indent this line as far as its others`;
}

/** Receives an entry that a later one with the same key replaces. */
type Replaced = (former: Entry, last: Entry) => void;

/**
 * Entries with each key once. A key that is written twice is reported; of two maps both count, else
 * the first one. With `replaced`, the last one counts, and nothing is reported.
 */
function uniqueEntries(report: Report, entries: readonly Entry[], replaced?: Replaced): readonly Entry[] {
  const first = new Map<string, Entry>();
  for (const entry of entries) {
    const former = first.get(entry.key);
    if (former === undefined) {
      first.set(entry.key, entry);
      continue;
    }
    if (replaced !== undefined) {
      replaced(former, entry);
      first.set(entry.key, entry);
      continue;
    }
    report.error(entry, 'duplicate-key', `"${entry.key}" is given twice in this map`, firstAt(former.at, entry.at));
    if (former.value.form !== 'map' || entry.value.form !== 'map') continue;
    const both = withMerged(former.value.entries, entry.value.entries);
    first.set(entry.key, { ...former, value: { ...former.value, entries: both } });
  }
  return [...first.values()];
}

/** A map's own entries and those of merged maps: its own win, and of merged ones the first. */
function withMerged(own: readonly Entry[], merged: readonly Entry[]): readonly Entry[] {
  const first = new Map<string, Entry>();
  for (const entry of [...own, ...merged]) if (!first.has(entry.key)) first.set(entry.key, entry);
  return [...first.values()];
}

/**
 * What `<<` with a value brings into the map around it: the entries of a map, or of a list of maps,
 * at the place of the key. Their values stay where they are written, as those of aliases do.
 */
function mergedEntries(report: Report, key: Placed, value: Node): readonly Entry[] {
  const maps = value.form === 'list' ? value.items : isNull(value) ? [] : [value];
  const around = key.path.slice(0, -1);
  return maps.flatMap((map) => {
    if (map.form === 'map') return map.entries.map((entry) => ({ ...entry, path: [...around, entry.key], at: key.at }));
    if (map.form !== 'failed') report.error(key, 'merge-key', '"<<" takes a map, or a list of maps', 'write <<: *NAME');
    return [];
  });
}

/** Whether everything that `<<` names could be brought. */
const bringsAll = (value: Node): boolean =>
  value.form === 'list'
    ? value.items.every(bringsAll)
    : isNull(value) || (value.form === 'map' && value.isPartial !== true);

/** Levels of nesting: what composes a text, and what walks its tree, is recursive. */
export const DEPTH = 64;

/**
 * Where the first collection begins that is in too many others; undefined when there is none. It is
 * looked for before anything recursive reads the text, because Node can end a process that runs out
 * of stack there.
 */
function beyondDepth(tokens: readonly CST.Token[]): number | undefined {
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
