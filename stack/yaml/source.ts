// Places in a text.
import { LineCounter } from 'yaml';

/** A text a person wrote, under the name findings call it by. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

/** Line and column from 1, in UTF-16 units as editors count them; offset from 0. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** A place in a file. Lines and columns count from 1. */
export interface FilePlace {
  /** As it was given: relative to the folder of the call, or absolute. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `oneops.yaml:3:5`. */
export const rangeText = ({ file, start }: Range): string => `${file}:${start.line}:${start.column}`;

/** From a position up to, not including, another. */
export interface Range {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
}

/** A file without its byte order mark, so that offsets and columns are those an editor shows. */
export function sourceFile(name: string, text: string): SourceFile {
  return { name, text: text.startsWith('\uFEFF') ? text.slice(1) : text };
}

/** Ranges of a file by offset. */
export function rangesOf(file: SourceFile): (start: number, end: number) => Range {
  const lines = new LineCounter();
  for (let start = 0; start >= 0; start = file.text.indexOf('\n', start) + 1 || -1) lines.addNewLine(start);
  const position = (wanted: number): Position => {
    const offset = Math.max(0, Math.min(wanted, file.text.length));
    const { line, col } = lines.linePos(offset);
    return { line, column: col, offset };
  };
  return (start, end) => ({ file: file.name, start: position(start), end: position(Math.max(start, end)) });
}

/** Where a line begins in a text, by its number. */
export const lineStart = (text: string, line: number): number =>
  text
    .split(/(?<=\n)/)
    .slice(0, line - 1)
    .join('').length;

/** A part of a range. `text` is what the whole range holds; `start` and `end` are offsets in it. */
export function rangeWithin(at: Range, text: string, start: number, end: number): Range {
  const shift = (offset: number): Position => {
    const before = text.slice(0, offset);
    const newline = before.lastIndexOf('\n');
    return {
      line: at.start.line + before.split('\n').length - 1,
      column: newline < 0 ? at.start.column + offset : offset - newline,
      offset: at.start.offset + offset,
    };
  };
  return { file: at.file, start: shift(start), end: shift(end) };
}
