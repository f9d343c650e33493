// A source as the YAML reader reads it, and the way back from there to what a person wrote.
// It must not know any key of a source.
import { sortFindings, type Finding } from '../findings/finding';
import { rangesOf, type Range, type SourceFile } from '../reader/source';
import { expandTemplate, type PlacedNote, type ReadPartial } from './expansion';
import { inSourceOrder, type Account } from './ledger';
import { maskTags, type Condition } from './mustache';
import { hasValue, type Profile } from './profile';

/** A source as it is read. What is found in `file` is reported in `files`. */
interface Readable {
  readonly file: SourceFile;
  readonly erasedLines: ReadonlySet<number>;
  readonly notes: readonly PlacedNote[];
  readonly files: readonly SourceFile[];
  readonly sourceOf: (range: Range) => Range;
  readonly tags: TagNames;
}

/** Names that tags of a template have; `lists`: those over lists, and whether the items are in the text; `secrets`: those that stand for secrets of lists and maps. */
export interface TagNames {
  readonly all: ReadonlySet<string>;
  readonly lists: ReadonlyMap<string, boolean>;
  readonly secrets: ReadonlySet<string>;
}

/** A line whose value is JSON in single quotes, which do not close in it: indentation of the key, and the value. */
const OPENS_JSON = /^( *)(?:- +)*[^\s#'"][^'"#]*: +'([[{](?:[^']|'')*)$/;

/** Whether a line closes a single quote that is open where it begins: `''` in it is an escaped quote. */
const closes = (line: string): boolean => line.replaceAll("''", '').includes("'");

/**
 * A text in which the lines of JSON in single quotes are indented deeper than its key. YAML demands it, and old readers do not. In quotes, the
 * spaces at the start of a line mean nothing, and the numbers of lines stay. A quote that no line closes is left as it is.
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

/** A source without tags. */
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
  const { text, notes, files, lists, secrets, sourceOf } = expandTemplate(source, profiles, readPartial);
  const masked = maskTags(text, conditionOf(profiles));
  // Another name than the source has, so that places in the two are not mixed up.
  const file = { name: `${source.name} (expanded)`, text: masked.text };
  const range = rangesOf(file);
  const inText = masked.notes.map(({ offset, ...note }) => ({ ...note, at: range(offset, offset + note.tag.length) }));
  return {
    file,
    erasedLines: masked.erasedLines,
    notes: [...notes, ...inText],
    files,
    sourceOf: (at) => (at.file === file.name ? sourceOf(at) : at),
    tags: { all: tagNames(files), lists, secrets },
  };
}

/** A section is shown where the profile has a value of its name. */
function conditionOf(profiles: readonly Profile[]): Condition {
  return (name) => {
    if (profiles.length === 0) return undefined;
    const has = profiles.map((profile) => hasValue(profile, name));
    return { isShown: has[0] === true, differs: has.some((each) => each !== has[0]) };
  };
}

/** Findings where they are in the source; of a part that is in the text several times, each once. */
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

/** Accounts where they are in the source. */
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
