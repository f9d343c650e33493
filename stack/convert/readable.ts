// A source as the YAML reader reads it: partials read, lists written out, other tags hidden; and
// the way back from there to what a person wrote.
import { plural } from '../../api/errors';
import { ANY_NAMES, holdsNamedSecret, mayNameSecret } from '../../provider/secrets';
import { valueIn } from '../../provider/values';
import { sortFindings, type Finding } from '../findings/finding';
import { rangesOf, sourceFile, type Range, type SourceFile } from '../yaml/source';
import { inSourceOrder, type Account } from './ledger';
import {
  maskTags,
  templateParts,
  type Condition,
  type PartialTag,
  type Section,
  type TagNote,
  type TemplatePart,
} from './mustache';
import { hasValue, isBelowSecret, isNothing, listOrMapIn, profileText, type Profile } from './profile';

/** A source as it is read. What is found in `file` is reported in `files`. */
interface Readable {
  readonly file: SourceFile;
  readonly erasedLines: ReadonlySet<number>;
  readonly notes: readonly PlacedNote[];
  readonly files: readonly SourceFile[];
  readonly sourceOf: (range: Range) => Range;
  readonly tags: TagNames;
}

/**
 * Names that tags of a template have; `lists`: those over lists, and whether the items are in the
 * text; `secrets`: those that stand for secrets of lists and maps.
 */
export interface TagNames {
  readonly all: ReadonlySet<string>;
  readonly lists: ReadonlyMap<string, boolean>;
  readonly secrets: ReadonlySet<string>;
}

/** A line whose JSON in single quotes goes on below: the key's indentation, and the value. */
const OPENS_JSON = /^( *)(?:- +)*[^\s#'"][^'"#]*: +'([[{](?:[^']|'')*)$/;

/** Whether a line closes an open single quote: `''` in it is an escaped quote. */
const closes = (line: string): boolean => line.replaceAll("''", '').includes("'");

/**
 * A text in which the lines of JSON in single quotes are indented deeper than its key. YAML demands
 * it, and old readers do not. In quotes, the spaces at the start of a line mean nothing, and the
 * numbers of lines stay. A quote that no line closes is left as it is.
 */
export function indented(text: string): string {
  const lines = text.split('\n');
  for (let first = 0; first < lines.length; first += 1) {
    const [, indent] = OPENS_JSON.exec(lines[first] ?? '') ?? [];
    if (indent === undefined) continue;
    const last = lines.findIndex((line, index) => index > first && closes(line));
    if (last < 0) return lines.join('\n');
    for (let index = first + 1; index <= last; index += 1) {
      const line = lines[index] ?? '';
      const own = line.search(/\S/);
      if (own >= 0 && own <= indent.length) lines[index] = `${indent} ${line.trimStart()}`;
    }
    first = last;
  }
  return lines.join('\n');
}

export const readableText = (file: SourceFile): Readable => ({
  file,
  erasedLines: new Set(),
  notes: [],
  files: [file],
  sourceOf: (range) => range,
  tags: { all: tagNames([file]), lists: new Map(), secrets: new Set() },
});

const tagNames = (files: readonly SourceFile[]): ReadonlySet<string> =>
  new Set(
    files.flatMap(({ text }) => [...text.matchAll(/\{\{+[#^&/]?\s*([^{}\n]+?)\s*\}\}/g)].map(([, tag = '']) => tag)),
  );

/** A template with its partials, its lists written out, and its other tags hidden. */
export function readableTemplate(
  { readPartial = () => ({ problem: 'partials are not read here' }) }: { readonly readPartial?: ReadPartial },
  source: SourceFile,
  profiles: readonly Profile[],
): Readable {
  const partials = new Map([[source.name, source]]);
  const work: Expansion = {
    ...{ readPartial, profiles, files: partials, left: MOST },
    ...{ notes: [], lists: new Map(), secrets: new Set(), shown: new Map() },
  };
  const all = piecesOf(work, { file: source, scopes: [], depth: 0 });
  const pieces = work.left < 0 ? [verbatim(source, 0, source.text.length)] : all;
  if (work.left < 0) reportTooLong(work, source);
  const conditions = [...work.shown.values()].map(({ at, tag, list, count }): PlacedNote => {
    if (count === 0) return { at, tag, code: 'hidden-part', note: `its content: no item of ${list} shows it` };
    return { at, tag, code: 'tag-rendered', note: `shown as the items of ${list} say` };
  });
  const masked = maskTags(pieces.map(({ text }) => text).join(''), conditionOf(profiles));
  // Another name than the source has, so that places in the two are not mixed up.
  const file = { name: `${source.name} (expanded)`, text: masked.text };
  const range = rangesOf(file);
  const inText = masked.notes.map(({ offset, ...note }) => ({ ...note, at: range(offset, offset + note.tag.length) }));
  const placeOf = placesOf(pieces);
  const files = [...partials.values()];
  return {
    file,
    erasedLines: masked.erasedLines,
    notes: [...work.notes, ...conditions, ...inText],
    files,
    sourceOf: (at) => (at.file === file.name ? placeOf(at) : at),
    tags: { all: tagNames(files), lists: work.lists, secrets: work.secrets },
  };
}

function reportTooLong({ notes, longest }: Expansion, source: SourceFile): void {
  const counted = `it may have ${MOST} characters, and each tag and each text between tags counts ${STEP} more`;
  const note = `here the template with its partials and lists becomes too long: ${counted}`;
  const hint = 'shorten a list of the profile, or convert parts of the template one by one';
  notes.push({ ...(longest ?? { at: rangesOf(source)(0, 0), tag: 'text' }), code: 'too-long-template', note, hint });
}

/** A section is shown where the profile has a value of its name. */
function conditionOf(profiles: readonly Profile[]): Condition {
  return (name) => {
    if (profiles.length === 0) return undefined;
    const has = profiles.map((profile) => hasValue(profile, name));
    return { isShown: has[0] === true, differs: has.some((each) => each !== has[0]) };
  };
}

/** Findings by their place in the source, once for a part that the text repeats. */
export function findingsInSource(
  findings: readonly Finding[],
  { sourceOf, files }: Pick<Readable, 'sourceOf' | 'files'>,
): readonly Finding[] {
  const placed = findings.map((finding): Finding => {
    const { at, related } = finding;
    const places =
      related === undefined ? {} : { related: related.map((each) => ({ ...each, at: sourceOf(each.at) })) };
    return { ...finding, at: sourceOf(at), ...places };
  });
  const distinct = new Map(
    placed.map((finding) => [JSON.stringify([finding.code, finding.message, finding.at]), finding]),
  );
  return sortFindings(
    [...distinct.values()],
    files.map(({ name }) => name),
  );
}

export function accountsInSource(
  accounts: readonly Account[],
  { file, sourceOf }: Pick<Readable, 'file' | 'sourceOf'>,
): readonly Account[] {
  const starts = [0, ...[...file.text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const placed = accounts.map((account): Account => {
    if (account.file !== file.name) return account;
    const offset = (starts[account.line - 1] ?? 0) + account.column - 1;
    const position = { line: account.line, column: account.column, offset };
    const at = sourceOf({ file: file.name, start: position, end: position });
    return { ...account, file: at.file, line: at.start.line, column: at.start.column };
  });
  return inSourceOrder([...new Map(placed.map((account) => [JSON.stringify(account), account])).values()]);
}

/** Reads the file that a partial names. `from`: the file with the tag. */
export type ReadPartial = (
  name: string,
  from: string,
) => { readonly name: string; readonly text: string } | { readonly problem: string };

/** A part of the expanded text: as it is in a file, or something that stands for what exists. */
interface Piece {
  readonly text: string;
  readonly file: SourceFile;
  readonly offset: number;
  readonly isVerbatim: boolean;
}

/** Something about a tag, with its place. */
export type PlacedNote = Omit<TagNote, 'offset'> & { readonly at: Range; readonly hint?: string };

interface Expansion {
  readonly readPartial: ReadPartial;
  readonly profiles: readonly Profile[];
  readonly files: Map<string, SourceFile>;
  readonly notes: PlacedNote[];
  /** Names of lists, and whether their items are in the text: not in hidden sections. */
  readonly lists: Map<string, boolean>;
  /** Names of the tags that stand for secrets of lists and maps. */
  readonly secrets: Set<string>;
  /** Sections that an item of a list decides, and how often each is in the text. */
  readonly shown: Map<string, { readonly at: Range; readonly tag: string; readonly list: string; count: number }>;
  /** What may still be written: characters and steps. */
  left: number;
  /** The innermost section or partial that was open when nothing was left. */
  longest?: { readonly at: Range; readonly tag: string };
}

interface Where {
  readonly file: SourceFile;
  readonly scopes: readonly TagScope[];
  readonly depth: number;
  /** Whether it is in a section that is not shown. */
  readonly isHidden?: boolean;
  /** The innermost section or partial that it is in. */
  readonly inside?: { readonly file: SourceFile; readonly at: number; readonly tag: string };
}

const MOST = 1_000_000;
const DEEPEST = 20;
const STEP = 20;

const verbatim = (file: SourceFile, start: number, end: number): Piece => ({
  text: file.text.slice(start, end),
  file,
  offset: start,
  isVerbatim: true,
});

function piecesOf(work: Expansion, where: Where): readonly Piece[] {
  const { file } = where;
  const parts = templateParts(file.text) ?? [{ is: 'text', start: 0, end: file.text.length }];
  return parts.flatMap((part) => partPieces(work, part, where));
}

function partPieces(work: Expansion, part: TemplatePart, where: Where): readonly Piece[] {
  const { file } = where;
  work.left -= STEP + (part.is === 'text' ? part.end - part.start : 0);
  if (work.left < 0) {
    const { inside } = where;
    if (inside && !work.longest) {
      const at = rangesOf(inside.file)(inside.at, inside.at + inside.tag.length);
      work.longest = { at, tag: inside.tag };
    }
    return [];
  }
  if (part.is === 'partial') return partialPieces(work, part, where);
  if (part.is === 'section') return sectionPieces(work, part, where);
  const item = part.is === 'value' ? itemText(part.name, where.scopes) : undefined;
  if (item === undefined) return [verbatim(file, part.start, part.end)];
  const { text, secret } = item;
  if (secret !== undefined) work.secrets.add(secret);
  work.left -= text.length;
  return [{ text, file, offset: part.start, isVerbatim: false }];
}

function partialPieces(work: Expansion, part: PartialTag, where: Where): readonly Piece[] {
  const { file, depth } = where;
  const { name, tag, at, indent } = part;
  const note = (code: TagNote['code'], text: string): void => {
    work.notes.push({ at: rangesOf(file)(at, at + tag.length), tag, code, note: text });
  };
  const read =
    depth < DEEPEST ? work.readPartial(name, file.name) : { problem: 'partials are in each other without end' };
  if ('problem' in read) {
    note('unread-partial', read.problem);
    return [verbatim(file, part.start, part.end)];
  }
  const partial = work.files.get(read.name) ?? sourceFile(read.name, read.text);
  work.files.set(read.name, partial);
  if (templateParts(partial.text) === undefined) {
    note('bad-tag', `a section of ${read.name} is not closed, or closed and not opened`);
    return [];
  }
  note('tag-rendered', `the text of ${read.name}`);
  const pieces = piecesOf(work, { ...where, file: partial, depth: depth + 1, inside: { file, at, tag } });
  if (indent === undefined) return pieces;
  const isOpen = pieces.length > 0 && !pieces.at(-1)?.text.endsWith('\n') && part.end > at + tag.length;
  return [...indentedPieces(work, pieces, indent), ...(isOpen ? [verbatim(file, part.end - 1, part.end)] : [])];
}

/** Each line of a partial has the indentation of its tag. */
function indentedPieces(work: Expansion, pieces: readonly Piece[], indent: string): readonly Piece[] {
  if (indent === '') return pieces;
  let isStart = true;
  return pieces.flatMap((piece) => {
    let { offset } = piece;
    return piece.text.split(/(?<=\n)/).flatMap((text): readonly Piece[] => {
      const own = { ...piece, text, offset };
      if (piece.isVerbatim) offset += text.length;
      const needs = isStart && text.trim() !== '';
      isStart = text.endsWith('\n') || (isStart && text.trim() === '');
      if (!needs) return [own];
      work.left -= indent.length;
      return [{ text: indent, file: own.file, offset: own.offset, isVerbatim: false }, own];
    });
  });
}

function sectionPieces(work: Expansion, section: Section, where: Where): readonly Piece[] {
  const { file, scopes } = where;
  const isHidden = where.isHidden === true;
  const found = isHidden ? undefined : inScopes(section.name, scopes);
  if (found !== undefined) return shownPieces(work, { section, ...found }, where);
  const known = listOrMapIn(work.profiles[0], section.name);
  if (known !== undefined && isHidden) work.lists.set(section.name, work.lists.get(section.name) ?? false);
  else if (known !== undefined && !section.isInverted) {
    reportList(work, section, { file, known: known.value });
    return repeated(work, { section, ...known, list: section.name, path: section.name }, where);
  }
  const unknown = section.isInverted ? [] : [{ tag: `{{${section.name}}}` }];
  const [first] = work.profiles;
  const isLeftOut = first !== undefined && hasValue(first, section.name) === section.isInverted;
  const inside = { ...where, scopes: [...scopes, ...unknown], isHidden: isHidden || isLeftOut };
  return [
    verbatim(file, section.start, section.end),
    ...innerPieces(work, section, inside),
    verbatim(file, section.close.start, section.close.end),
  ];
}

interface Decided {
  readonly section: Section;
  readonly value: unknown;
  /** The list whose item has the value. */
  readonly list: string;
  readonly path: string;
  readonly isSecret: boolean;
}

function shownPieces(work: Expansion, decided: Decided, where: Where): readonly Piece[] {
  const { section, value, list } = decided;
  const isEmpty = isNothing(value);
  const key = `${where.file.name} ${section.at}`;
  const at = rangesOf(where.file)(section.at, section.at + section.tag.length);
  const known = work.shown.get(key) ?? { at, tag: section.tag, list, count: 0 };
  work.shown.set(key, known);
  if (isEmpty !== section.isInverted) return [];
  known.count += 1;
  return section.isInverted ? innerPieces(work, section, where) : repeated(work, decided, where);
}

function repeated(work: Expansion, decided: Decided, where: Where): readonly Piece[] {
  const { section, value } = decided;
  if (value === true) return innerPieces(work, section, where);
  return scopesOver(decided).flatMap((scope) =>
    work.left < 0 ? [] : innerPieces(work, section, { ...where, scopes: [...where.scopes, scope] }),
  );
}

function innerPieces(work: Expansion, section: Section, where: Where): readonly Piece[] {
  const inside = { file: where.file, at: section.at, tag: section.tag };
  return section.inner.flatMap((part) => partPieces(work, part, { ...where, inside }));
}

function reportList(
  work: Expansion,
  { name, tag, at }: Section,
  { file, known }: { readonly file: SourceFile; readonly known: unknown },
): void {
  work.lists.set(name, true);
  const [first, ...others] = work.profiles.map((profile) => profileText(profile, name));
  const items = Array.isArray(known) ? `${plural(known.length, 'item')}` : 'a map';
  const isSame = others.every((other) => other === first);
  work.notes.push({
    at: rangesOf(file)(at, at + tag.length),
    tag,
    ...(isSame
      ? { code: 'tag-rendered', note: `written out: ${items}, as in the profile` }
      : { code: 'profiles-differ', note: `the list: ${items} as in the first profile, others differ` }),
  });
}

/** Places of pieces in their files. */
function placesOf(pieces: readonly Piece[]): Readable['sourceOf'] {
  const starts: number[] = [];
  let total = 0;
  for (const { text } of pieces) {
    starts.push(total);
    total += text.length;
  }
  const ranges = new Map<string, ReturnType<typeof rangesOf>>();
  const placeOf = (wanted: number): { readonly file: SourceFile | undefined; readonly offset: number } => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= wanted) low = middle;
      else high = middle - 1;
    }
    const piece = pieces[low];
    const within = piece?.isVerbatim === true ? wanted - (starts[low] ?? 0) : 0;
    return { file: piece?.file, offset: (piece?.offset ?? 0) + within };
  };
  return (range) => {
    const start = placeOf(range.start.offset);
    if (start.file === undefined) return range;
    const end = placeOf(Math.max(range.start.offset, range.end.offset - 1));
    const isEmpty = range.end.offset <= range.start.offset;
    const last = end.file === start.file && end.offset >= start.offset ? end.offset + (isEmpty ? 0 : 1) : start.offset;
    const rangeIn = ranges.get(start.file.name) ?? rangesOf(start.file);
    ranges.set(start.file.name, rangeIn);
    return rangeIn(start.offset, last);
  };
}

/** A section's value with its place in the profile, or the tag of an unknown value. */
type TagScope = InScope | { readonly tag: string };

interface InScope {
  /** The list or map of the profile that the value comes from. */
  readonly list: string;
  /** Keys and numbers to the value: `users.1.auth`. Each value has its own. */
  readonly path: string;
  readonly value: unknown;
  /** Whether a name in the profile says that it is a secret. */
  readonly isSecret: boolean;
}

/** What a name means: the innermost value that has it. */
function inScopes(name: string, scopes: readonly TagScope[]): InScope | undefined {
  for (const scope of [...scopes].reverse()) {
    if ('tag' in scope) {
      if (name === '.') return undefined;
      continue;
    }
    if (name === '.') return scope;
    const steps = name.split('.');
    const value = valueIn(scope.value, steps);
    if (value === undefined) continue;
    const isSecret = scope.isSecret || isBelowSecret(scope.value, steps);
    return { list: scope.list, path: `${scope.path}.${name}`, value, isSecret };
  }
  return undefined;
}

/** The scopes of a section over a value: one for each item of a list, or one for the value. */
function scopesOver({ list, path, value, isSecret }: InScope): readonly TagScope[] {
  if (!Array.isArray(value)) return [{ list, path, value, isSecret }];
  return value.map((item: unknown, index) => ({ list, path: `${path}.${index + 1}`, value: item, isSecret }));
}

/** The text in place of a tag; `secret`: the name of another tag, which hides a secret. */
function itemText(
  name: string,
  scopes: readonly TagScope[],
): { readonly text: string; readonly secret?: string } | undefined {
  const last = scopes.at(-1);
  if (name === '.' && last !== undefined && 'tag' in last) return { text: last.tag };
  const found = inScopes(name, scopes);
  if (found === undefined) return undefined;
  const { path, value, isSecret } = found;
  if (isSecret || mayNameSecret(path) || holdsNamedSecret(value, ANY_NAMES))
    return { text: `{{${path}}}`, secret: path };
  if (value === null) return { text: '' };
  return { text: typeof value === 'string' ? value : JSON.stringify(value) };
}
