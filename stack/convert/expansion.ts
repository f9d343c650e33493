// A Mustache template whose partials are read and whose sections over lists are repeated, and where each character of it comes from.
// Sections that are only shown or left out stay: their lines can stay in place.
import { rangesOf, sourceFile, type Range, type SourceFile } from '../reader/source';
import type { TagNote } from './mustache';
import { hasValue, isNothing, listOrMapIn, profileText, type Profile } from './profile';
import { itemText, scopesOver, inScopes, type TagScope } from './scopes';
import { templateParts, type PartialTag, type Section, type TemplatePart } from './template-parts';

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

/** An expanded template. */
interface Expanded {
  readonly text: string;
  readonly notes: readonly PlacedNote[];
  /** The template and the partials that it has. */
  readonly files: readonly SourceFile[];
  /** Names of lists, and whether their items are in the text: not those in sections that are not shown. */
  readonly lists: ReadonlyMap<string, boolean>;
  /** Names of the tags that stand for secrets of lists and maps. */
  readonly secrets: ReadonlySet<string>;
  /** The place in a file of a range of the text. */
  readonly sourceOf: (range: Range) => Range;
}

interface Work {
  readonly readPartial: ReadPartial;
  readonly profiles: readonly Profile[];
  readonly files: Map<string, SourceFile>;
  readonly notes: PlacedNote[];
  readonly lists: Map<string, boolean>;
  readonly secrets: Set<string>;
  /** Sections that an item of a list decides, and how often each is in the text. */
  readonly shown: Map<string, { readonly at: Range; readonly tag: string; readonly list: string; count: number }>;
  /** What may still be written: characters and steps. */
  left: number;
  /** The innermost section or partial that was open when nothing was left. */
  longest?: { readonly at: Range; readonly tag: string };
}

/** Where a part is. */
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

/** Expands a template. What cannot be read is left behind, and what is wrong is left to the reader of tags. */
export function expandTemplate(source: SourceFile, profiles: readonly Profile[], readPartial: ReadPartial): Expanded {
  const files = new Map([[source.name, source]]);
  const work: Work = {
    ...{ readPartial, profiles, files, left: MOST },
    ...{ notes: [], lists: new Map(), secrets: new Set(), shown: new Map() },
  };
  const all = piecesOf(work, { file: source, scopes: [], depth: 0 });
  const pieces = work.left < 0 ? [verbatim(source, 0, source.text.length)] : all;
  if (work.left < 0) {
    const counted = `it may have ${MOST} characters, and each tag and each text between tags counts ${STEP} more`;
    const note = `here the template with its partials and lists becomes too long: ${counted}`;
    const hint = 'shorten a list of the profile, or convert parts of the template one by one';
    const place = work.longest ?? { at: rangesOf(source)(0, 0), tag: 'text' };
    work.notes.push({ ...place, code: 'too-long-template', note, hint });
  }
  const conditions = [...work.shown.values()].map(({ at, tag, list, count }): PlacedNote => {
    if (count === 0) return { at, tag, code: 'hidden-part', note: `its content: no item of ${list} shows it` };
    return { at, tag, code: 'tag-rendered', note: `shown as the items of ${list} say` };
  });
  return {
    text: pieces.map(({ text }) => text).join(''),
    notes: [...work.notes, ...conditions],
    files: [...files.values()],
    lists: work.lists,
    secrets: work.secrets,
    sourceOf: placesOf(pieces),
  };
}

const verbatim = (file: SourceFile, start: number, end: number): Piece => ({
  text: file.text.slice(start, end),
  file,
  offset: start,
  isVerbatim: true,
});

function piecesOf(work: Work, where: Where): readonly Piece[] {
  const { file } = where;
  const parts = templateParts(file.text) ?? [{ is: 'text', start: 0, end: file.text.length }];
  return parts.flatMap((part) => partPieces(work, part, where));
}

function partPieces(work: Work, part: TemplatePart, where: Where): readonly Piece[] {
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

function partialPieces(work: Work, part: PartialTag, where: Where): readonly Piece[] {
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
  return [...indented(work, pieces, indent), ...(isOpen ? [verbatim(file, part.end - 1, part.end)] : [])];
}

/** Each line of a partial has the indentation of its tag. */
function indented(work: Work, pieces: readonly Piece[], indent: string): readonly Piece[] {
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

function sectionPieces(work: Work, section: Section, where: Where): readonly Piece[] {
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

/** A section that an item of a list decides. */
function shownPieces(work: Work, decided: Decided, where: Where): readonly Piece[] {
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

function repeated(work: Work, decided: Decided, where: Where): readonly Piece[] {
  const { section, value } = decided;
  if (value === true) return innerPieces(work, section, where);
  return scopesOver(decided).flatMap((scope) =>
    work.left < 0 ? [] : innerPieces(work, section, { ...where, scopes: [...where.scopes, scope] }),
  );
}

function innerPieces(work: Work, section: Section, where: Where): readonly Piece[] {
  const inside = { file: where.file, at: section.at, tag: section.tag };
  return section.inner.flatMap((part) => partPieces(work, part, { ...where, inside }));
}

function reportList(
  work: Work,
  { name, tag, at }: Section,
  { file, known }: { readonly file: SourceFile; readonly known: unknown },
): void {
  work.lists.set(name, true);
  const [first, ...others] = work.profiles.map((profile) => profileText(profile, name));
  const items = Array.isArray(known) ? `${known.length} ${known.length === 1 ? 'item' : 'items'}` : 'a map';
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
function placesOf(pieces: readonly Piece[]): Expanded['sourceOf'] {
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
