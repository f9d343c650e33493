// What an editor asks about the names of a stack: where one is declared, where it is mentioned, and what renaming it changes.
// It must not know how trees are walked, nor editors.
import type { Finding } from '../findings/finding';
import type { Range, SourceFile } from '../reader/source';
import type { Base, Sites } from './sites';
import type { Name, Site } from './texts';

/** A place of a cursor: line and column from 1. */
export interface Cursor {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Another text for a range. */
export interface TextEdit {
  readonly at: Range;
  readonly text: string;
}

/** Whether a cursor is in a range, or at its end. */
function isAt({ file, line, column }: Cursor, { file: of, start, end }: Range): boolean {
  if (file !== of) return false;
  const after = line > start.line || (line === start.line && column >= start.column);
  return after && (line < end.line || (line === end.line && column <= end.column));
}

/** Where the name at a cursor is declared; where it has only keys in environments and overlays, those; the files that an `include` names. */
export function definitionPlaces({ names, files }: Sites, cursor: Cursor): readonly Range[] {
  const here = narrowestAt(names, cursor).map(({ name }) => keyOf(name));
  const of = names.filter(({ name }) => here.includes(keyOf(name)));
  const declared = of.filter(({ role }) => role === 'declaration');
  const places = declared.length > 0 ? declared : of.filter(({ role }) => role === 'key');
  const start = { line: 1, column: 1, offset: 0 };
  const included = files.filter(({ at }) => isAt(cursor, at)).map(({ file }) => ({ file, start, end: start }));
  return distinct([...places.map(({ at }) => at), ...included]);
}

/** Every place where the name at a cursor is written. */
export const referencePlaces = (sites: Sites, cursor: Cursor): readonly Range[] =>
  distinct(
    sitesAt(sites, cursor)
      .filter(({ role }) => role !== 'output')
      .map(({ at }) => at),
  );

/** Names that can be changed in the file alone: configuration is set in other files, and clouds belong to the organization. */
const RENAMED = ['platforms', 'components', 'attachments', 'variables', 'environments', 'templates', 'parameters'];

/** What renaming the name at a cursor changes, or why it cannot be renamed. */
export function renameOf(
  sites: Sites,
  cursor: Cursor,
): { readonly at: Range; readonly name: string; readonly places: readonly Range[] } | { readonly problem: string } {
  const own = narrowestAt(sites.names, cursor).find(({ role }) => role !== 'output');
  if (own === undefined) return { problem: 'there is no name here' };
  const word = own.name.at(-1) ?? '';
  const all = sitesAt(sites, cursor).filter(({ role }) => role !== 'output');
  if (!RENAMED.includes(own.name.at(-2) ?? '') || !all.some(({ role }) => role === 'declaration'))
    return { problem: `"${word}" cannot be renamed: this file does not decide its name` };
  const fixed = all.find(({ isLiteral }) => !isLiteral);
  if (fixed)
    return {
      problem: `"${word}" cannot be renamed: at ${fixed.at.file}:${fixed.at.start.line} it follows from something else`,
    };
  return { at: own.at, name: word, places: distinct(all.map(({ at }) => at)) };
}

/** The texts of files with edits carried out. */
export const edited = (files: readonly SourceFile[], edits: readonly TextEdit[]): readonly SourceFile[] =>
  files.map(({ name, text }) => ({
    name,
    text: edits
      .filter(({ at }) => at.file === name)
      .sort((left, right) => right.at.start.offset - left.at.start.offset)
      .reduce(
        (whole, { at, text: with_ }) => whole.slice(0, at.start.offset) + with_ + whole.slice(at.end.offset),
        text,
      ),
  }));

/** The first error that there was not before; what is elsewhere because of the edit is the same error. */
export function newError(before: readonly Finding[], after: readonly Finding[]): Finding | undefined {
  const count = (findings: readonly Finding[], code: string): number =>
    findings.filter((each) => each.severity === 'error' && each.code === code).length;
  return after.find(({ severity, code }) => severity === 'error' && count(after, code) > count(before, code));
}

/** The sites of the name at a cursor. What a template declares has a name for each use of it, and all of them are one. */
function sitesAt({ names, bases }: Sites, cursor: Cursor): readonly Site[] {
  const found = new Set(narrowestAt(names, cursor));
  const declared = new Set(names.filter(({ role }) => role !== 'mention').map(({ name }) => keyOf(name)));
  for (let size = 0; size < found.size;) {
    size = found.size;
    const own = [...found].map(({ name }) => name);
    const others = own
      .flatMap((name) => bases.flatMap((each) => otherNames(name, each)))
      .filter((name) => declared.has(keyOf(name)));
    const keys = new Set([...own, ...others].map(keyOf));
    const places = new Set([...found].filter(({ role }) => role !== 'output').map(placeOf));
    for (const site of names) if (keys.has(keyOf(site.name)) || places.has(placeOf(site))) found.add(site);
  }
  return [...found];
}

/** The names that a name has below the base of a thing, or in a thing of that base. */
const otherNames = (name: Name, { of, base }: Base): readonly Name[] =>
  [
    [of, base],
    [base, of],
  ].flatMap(([from = [], to = []]) => {
    const isBelow = name.length > from.length && from.every((key, index) => key === name[index]);
    return isBelow ? [[...to, ...name.slice(from.length)]] : [];
  });

const keyOf = (name: Name): string => JSON.stringify(name);
const placeOf = ({ at }: { readonly at: Range }): string => `${at.file}:${at.start.offset}-${at.end.offset}`;

const lengthOf = ({ start, end }: Range): number => end.offset - start.offset;

/** What is at a cursor, without what surrounds it. */
export function narrowestAt<T extends { readonly at: Range }>(all: readonly T[], cursor: Cursor): readonly T[] {
  const here = all.filter(({ at }) => isAt(cursor, at));
  const least = Math.min(...here.map(({ at }) => lengthOf(at)));
  return here.filter(({ at }) => lengthOf(at) === least);
}

const distinct = (ranges: readonly Range[]): readonly Range[] => [
  ...new Map(ranges.map((at) => [placeOf({ at }), at])).values(),
];
