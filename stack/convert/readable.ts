// Prepares a source for the YAML reader: partials read, lists written out, other tags hidden; and
// finds the way back to the original text.
import { plural } from '../../api/errors';
import { ANY_NAMES, holdsNamedSecret, mayNameSecret } from '../../provider/secrets';
import { valueIn } from '../../provider/values';
import type { CodeOf } from '../findings/old-files';
import { eachOnce, identityOf, sortFindings, type Finding } from '../findings/finding';
import { rangesOf, sourceFile, type Range, type SourceFile } from '../yaml/source';
import { inSourceOrder, type Account } from './ledger';
import {
  hide,
  reservedAt,
  templateParts,
  withTagsHidden,
  type PartialTag,
  type Section,
  type TemplatePart,
} from './mustache';
import { hasValue, isBelowSecret, isNothing, listOrMapIn, profileText, type Profile } from './profile';

/** A source as it is read. What is found in `file` is reported in `files`. */
interface Readable {
  readonly file: SourceFile;
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
  const { parts, wrong } = templateParts(source.text);
  for (const each of wrong) noteTag(work, source, each, each.code, each.note);
  const all = partsPieces(work, parts, { file: source, scopes: [], depth: 0 });
  const unexpanded = { ...verbatim(source, 0, source.text.length), text: withTagsHidden(source.text) };
  const pieces = work.left < 0 ? [unexpanded] : all;
  if (work.left < 0) reportTooLong(work, source);
  const conditions = [...work.shown.values()].map(({ at, tag, list, count }): PlacedNote => {
    if (count === 0) return { at, tag, code: 'hidden-part', note: `its content: no item of ${list} shows it` };
    return { at, tag, code: 'tag-rendered', note: `shown as the items of ${list} say` };
  });
  // Another name than the source has, so that places in the two are not mixed up.
  const file = { name: `${source.name} (expanded)`, text: textOf(pieces) };
  const placeOf = placesOf(pieces);
  const files = [...partials.values()];
  return {
    file,
    notes: [...work.notes, ...conditions],
    files,
    sourceOf: (at) => (at.file === file.name ? (placeOf(at.start.offset, at.end.offset) ?? at) : at),
    tags: { all: tagNames(files), lists: work.lists, secrets: work.secrets },
  };
}

const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('');

function reportTooLong({ notes, longest }: Expansion, source: SourceFile): void {
  const counted = `it may have ${MOST} characters, and each tag and each text between tags counts ${STEP} more`;
  const note = `here the template with its partials and lists becomes too long: ${counted}`;
  const hint = 'shorten a list of the profile, or convert parts of the template one by one';
  notes.push({ ...(longest ?? { at: rangesOf(source)(0, 0), tag: 'text' }), code: 'too-long-template', note, hint });
}

/** Findings by their place in the source, once for a part that the text repeats. */
export function findingsInSource(findings: readonly Finding[], readable: Readable): readonly Finding[] {
  const { sourceOf, files } = readable;
  const placeOf = placeInSource(readable);
  const placed = findings.map((finding): Finding => {
    const { at, related, hint } = finding;
    return {
      ...finding,
      at: sourceOf(at),
      ...(related === undefined ? {} : { related: related.map((each) => ({ ...each, at: sourceOf(each.at) })) }),
      ...(hint === undefined ? {} : { hint: at.file === readable.file.name ? hintInSource(hint, placeOf) : hint }),
    };
  });
  return sortFindings(
    eachOnce(placed, identityOf),
    files.map(({ name }) => name),
  );
}

/** A hint of the YAML reader, which names a place of the text that it reads. */
const hintInSource = (hint: string, placeOf: ReturnType<typeof placeInSource>): string =>
  hint.replace(/(?<=starts at )(\d+):(\d+)/, (_, line: string, column: string) => {
    const { start } = placeOf(Number(line), Number(column));
    return `${start.line}:${start.column}`;
  });

/** Where a line and a column of the text that is read come from. */
function placeInSource({ file, sourceOf }: Pick<Readable, 'file' | 'sourceOf'>) {
  const starts = [0, ...[...file.text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (line: number, column: number): Range => {
    const position = { line, column, offset: (starts[line - 1] ?? 0) + column - 1 };
    return sourceOf({ file: file.name, start: position, end: position });
  };
}

export function accountsInSource(accounts: readonly Account[], readable: Readable): readonly Account[] {
  const placeOf = placeInSource(readable);
  const placed = accounts.map((account): Account => {
    if (account.file !== readable.file.name) return account;
    const { file, start } = placeOf(account.line, account.column);
    return { ...account, file, line: start.line, column: start.column };
  });
  return inSourceOrder(eachOnce(placed));
}

/** Reads the file that a partial names. `from`: the file with the tag. */
export type ReadPartial = (name: string, from: string) => SourceFile | { readonly problem: string };

/** A part of the expanded text: as it is in a file, or something that stands for what exists. */
interface Piece {
  readonly text: string;
  readonly file: SourceFile;
  readonly offset: number;
  readonly isVerbatim: boolean;
}

/** Something about one line or tag that has to be reported. */
export interface PlacedNote {
  readonly at: Range;
  readonly code: CodeOf<'changed' | 'left behind'> | 'bad-tag' | 'too-long-template';
  readonly tag: string;
  readonly note: string;
  readonly hint?: string;
}

/** Notes something about a tag, which is at an offset of its file. */
function noteTag(
  { notes }: Expansion,
  file: SourceFile,
  found: PlacedTag,
  code: PlacedNote['code'],
  note: string,
): void {
  notes.push({ at: tagRange(file, found), tag: found.tag, code, note });
}

/** A tag as it is written, and where it begins in its file. */
interface PlacedTag {
  readonly at: number;
  readonly tag: string;
}

const tagRange = (file: SourceFile, { at, tag }: PlacedTag): Range => rangesOf(file)(at, at + tag.length);

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
  /** The limit of what is still written: characters and steps. */
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
  readonly inside?: PlacedTag & { readonly file: SourceFile };
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

const partsPieces = (work: Expansion, parts: readonly TemplatePart[], where: Where): readonly Piece[] =>
  parts.flatMap((part) => partPieces(work, part, where));

function partPieces(work: Expansion, part: TemplatePart, where: Where): readonly Piece[] {
  const { file, isHidden = false } = where;
  const own = verbatim(file, part.start, part.end);
  work.left -= STEP + (part.is === 'text' ? part.end - part.start : 0);
  if (work.left < 0) {
    const { inside } = where;
    if (inside) work.longest ??= { at: tagRange(inside.file, inside), tag: inside.tag };
    return [];
  }
  switch (part.is) {
    case 'text':
      refuseReserved(work, own, part.start);
      return [own];
    case 'partial':
      return partialPieces(work, part, where);
    case 'section':
      return sectionPieces(work, part, where);
    case 'value': {
      const item = itemText(part.name, where.scopes);
      if (item === undefined) return [isHidden ? own : { ...own, text: hide(own.text) }];
      const { text, isTag = false, secret } = item;
      if (secret !== undefined) work.secrets.add(secret);
      work.left -= text.length;
      refuseReserved(work, { ...own, text }, part.start);
      return [{ ...own, text: isTag ? hide(text) : text, isVerbatim: false }];
    }
  }
}

/** A text may not contain the characters that stand for tags. */
function refuseReserved(work: Expansion, { text, file, isVerbatim }: Piece, start: number): void {
  const found = reservedAt(text);
  const note = 'the file has characters of the private area of Unicode (U+E000 to U+E0FF), which stand for tags here';
  const at = start + (isVerbatim ? Math.max(0, found) : 0);
  if (found >= 0) noteTag(work, file, { at, tag: 'text' }, 'bad-tag', note);
}

function partialPieces(work: Expansion, part: PartialTag, where: Where): readonly Piece[] {
  const { file, depth, isHidden = false } = where;
  const { name, tag, at, indent } = part;
  const note = (code: PlacedNote['code'], text: string): void => noteTag(work, file, part, code, text);
  const read =
    depth < DEEPEST ? work.readPartial(name, file.name) : { problem: 'partials are in each other without end' };
  if ('problem' in read) {
    note('unread-partial', read.problem);
    return isHidden ? [verbatim(file, part.start, part.end)] : [];
  }
  const partial = work.files.get(read.name) ?? sourceFile(read.name, read.text);
  work.files.set(read.name, partial);
  const { parts, wrong } = templateParts(partial.text);
  if (wrong.some(({ code }) => code === 'bad-tag')) {
    note('bad-tag', `a section of ${read.name} is not closed, or closed and not opened`);
    return [];
  }
  note('tag-rendered', `the text of ${read.name}`);
  for (const each of wrong) noteTag(work, partial, each, each.code, each.note);
  const pieces = partsPieces(work, parts, { ...where, file: partial, depth: depth + 1, inside: { file, at, tag } });
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
    reportList(work, file, section, known.value);
    return repeated(work, { section, ...known, list: section.name, path: section.name }, where);
  }
  const unknown = section.isInverted ? [] : [{ tag: `{{${section.name}}}` }];
  const inside = { ...where, scopes: [...scopes, ...unknown] };
  if (isHidden)
    return [
      verbatim(file, section.start, section.end),
      ...innerPieces(work, section, inside),
      verbatim(file, section.close.start, section.close.end),
    ];
  const { isShown, code, note } = conditionOf(work.profiles, section);
  noteTag(work, file, section, code, note);
  if (isShown) return innerPieces(work, section, inside);
  noteHidden(work, innerPieces(work, section, { ...inside, isHidden: true }));
  return [];
}

/** Whether a section is shown: where the first profile has a value of its name, or none is given. */
function conditionOf(
  profiles: readonly Profile[],
  { name, isInverted }: Section,
): Pick<PlacedNote, 'code' | 'note'> & { readonly isShown: boolean } {
  const [has, ...others] = profiles.map((profile) => hasValue(profile, name));
  const isShown = (has ?? true) !== isInverted;
  if (has === undefined) {
    const note = `the condition: its content is ${isInverted ? 'left out' : 'always there'}; choose with --profile`;
    return { isShown, code: 'no-profile-value', note };
  }
  const is = isShown ? 'shown' : 'left out';
  if (others.some((other) => other !== has))
    return { isShown, code: 'profiles-differ', note: `the condition: ${is} as in the first profile, others differ` };
  return { isShown, code: 'tag-rendered', note: `${is}, because the profile ${has ? 'has' : 'has no'} ${name}` };
}

/** Notes the lines of a part that is not shown, each by its key. */
function noteHidden({ notes }: Expansion, pieces: readonly Piece[]): void {
  const placeOf = placesOf(pieces);
  for (const { 1: key = '', index, 0: line } of textOf(pieces).matchAll(
    /^[^\S\n]*(?:- )?['"]?([^\s:'"#][^:'"\n]*)/gm,
  )) {
    const start = index + line.search(/\S/);
    const tag = key.trim();
    const at = placeOf(start, start + tag.length);
    if (at) notes.push({ at, tag, code: 'hidden-part', note: 'in a section that is not shown' });
  }
}

interface Decided extends InScope {
  readonly section: Section;
}

function shownPieces(work: Expansion, decided: Decided, where: Where): readonly Piece[] {
  const { section, value, list } = decided;
  const isEmpty = isNothing(value);
  const key = `${where.file.name} ${section.at}`;
  const known = work.shown.get(key) ?? { at: tagRange(where.file, section), tag: section.tag, list, count: 0 };
  work.shown.set(key, known);
  if (isEmpty !== section.isInverted) return [];
  known.count += 1;
  return section.isInverted ? innerPieces(work, section, where) : repeated(work, decided, where);
}

function repeated(work: Expansion, decided: Decided, where: Where): readonly Piece[] {
  const { section, value, list, path, isSecret } = decided;
  if (value === true) return innerPieces(work, section, where);
  const scopes: readonly TagScope[] = Array.isArray(value)
    ? value.map((item: unknown, index) => ({ list, path: `${path}.${index + 1}`, value: item, isSecret }))
    : [{ list, path, value, isSecret }];
  return scopes.flatMap((scope) =>
    work.left < 0 ? [] : innerPieces(work, section, { ...where, scopes: [...where.scopes, scope] }),
  );
}

function innerPieces(work: Expansion, section: Section, where: Where): readonly Piece[] {
  const inside = { file: where.file, at: section.at, tag: section.tag };
  return section.inner.flatMap((part) => partPieces(work, part, { ...where, inside }));
}

function reportList(work: Expansion, file: SourceFile, section: Section, known: unknown): void {
  work.lists.set(section.name, true);
  const [first, ...others] = work.profiles.map((profile) => profileText(profile, section.name));
  const items = Array.isArray(known) ? `${plural(known.length, 'item')}` : 'a map';
  if (others.every((other) => other === first))
    noteTag(work, file, section, 'tag-rendered', `written out: ${items}, as in the profile`);
  else noteTag(work, file, section, 'profiles-differ', `the list: ${items} as in the first profile, others differ`);
}

/** Places of pieces in their files. */
function placesOf(pieces: readonly Piece[]): (start: number, end: number) => Range | undefined {
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
  return (from, to) => {
    const start = placeOf(from);
    if (start.file === undefined) return undefined;
    const end = placeOf(Math.max(from, to - 1));
    const isEmpty = to <= from;
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

/** The value of a name: the innermost one that has it. */
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

/** The text in place of a tag: of a value, or another tag, which hides the secret of that name. */
function itemText(
  name: string,
  scopes: readonly TagScope[],
): { readonly text: string; readonly isTag?: boolean; readonly secret?: string } | undefined {
  const last = scopes.at(-1);
  if (name === '.' && last !== undefined && 'tag' in last) return { text: last.tag, isTag: true };
  const found = inScopes(name, scopes);
  if (found === undefined) return undefined;
  const { path, value, isSecret } = found;
  if (isSecret || mayNameSecret(path) || holdsNamedSecret(value, ANY_NAMES))
    return { text: `{{${path}}}`, isTag: true, secret: path };
  if (value === null) return { text: '' };
  return { text: typeof value === 'string' ? value : JSON.stringify(value) };
}
