// Comments of a source, by the key that they speak of: the lines above it, and the rest of its line.
// It must not know what any key means.
import { SECRET_WORD } from '../../provider';
import type { SourceFile } from '../reader/source';
import type { Entry, Node } from '../reader/tree';
import { shown } from './mustache';

/** Comments of one key. */
interface OwnComments {
  readonly above?: readonly string[];
  readonly beside?: string;
}

/** Returns the comments of a key. */
export type Comments = (entry: Entry) => OwnComments;

/** Comments of a file, and the first ones, which speak of all of it. A comment that seems to contain a secret is not returned. */
export function commentsByKey(
  file: SourceFile,
  root: Node | undefined,
): { readonly header: readonly string[]; readonly of: Comments } {
  const scalars = rangesOfScalars(root);
  const isText = (offset: number): boolean => scalars.some(([start, end]) => start <= offset && offset < end);
  const header = headerOf(file.text);
  const of = ({ at, value }: Entry): OwnComments => {
    const above = linesAbove(file.text, at.start.offset, isText, header.end);
    const isSingle = value.form === 'scalar' && !/^[|>]/.test(value.raw) && value.at.end.offset > at.end.offset;
    const beside = besideOf(file.text, isSingle ? value.at.end.offset : at.end.offset, isSingle);
    return {
      ...(above.length === 0 ? {} : { above }),
      ...(beside === undefined ? {} : { beside }),
    };
  };
  return { header: header.lines, of };
}

const isHarmless = (comment: string): boolean =>
  !(SECRET_WORD.test(comment) && /[:=]\s*['"]?[^\s'"]/.test(comment)) ||
  /\s\S+\s\S+\s\S+/.test(comment.replace(/^.*?[:=]/, ''));

function headerOf(source: string): { readonly lines: readonly string[]; readonly end: number } {
  const lines: string[] = [];
  let offset = 0;
  let end = 0;
  for (const line of source.split('\n')) {
    offset += line.length + 1;
    if (/^\s*#/.test(line)) {
      lines.push(commentText(line));
      end = offset;
    } else if (!/^\s*$|^---/.test(line)) break;
  }
  // Comments without an empty line below them speak of the first key.
  const rest = source.slice(end);
  return /^\s*\n/.test(rest) ? { lines: lines.filter(isHarmless), end } : { lines: [], end: 0 };
}

const commentText = (line: string): string => shown(line.replace(/^\s*#/, '').replace(/\r$/, ''));

function linesAbove(source: string, key: number, isText: (offset: number) => boolean, from: number): readonly string[] {
  const lines: string[] = [];
  let end = source.lastIndexOf('\n', key - 1);
  while (end > from) {
    const start = source.lastIndexOf('\n', end - 1) + 1;
    const line = source.slice(start, end);
    const isBlank = line.trim() === '' && lines.length === 0;
    if (isText(start + line.search(/\S|$/)) || !(isBlank || /^\s*#/.test(line))) break;
    if (!isBlank) lines.unshift(commentText(line));
    end = start - 1;
  }
  return lines.filter(isHarmless);
}

/** The comment on the rest of a line; after a key also behind its colon. */
function besideOf(source: string, end: number, isValue: boolean): string | undefined {
  const rest = /^[^\n]*/.exec(source.slice(end))?.[0] ?? '';
  const found = (isValue ? /^\s+#(.*)$/ : /^['"]?\s*:(?:\s+[|>][-+\d]*)?\s+#(.*)$/).exec(rest)?.[1];
  if (found === undefined) return undefined;
  const comment = shown(found.replace(/\r$/, ''));
  return isHarmless(comment) ? comment : undefined;
}

function rangesOfScalars(root: Node | undefined): readonly (readonly [number, number])[] {
  if (root === undefined) return [];
  if (root.form === 'map') return root.entries.flatMap(({ value }) => rangesOfScalars(value));
  if (root.form === 'list') return root.items.flatMap(rangesOfScalars);
  // Single lines cannot contain a line that looks like a comment.
  return root.at.end.line > root.at.start.line ? [[root.at.start.offset, root.at.end.offset]] : [];
}
