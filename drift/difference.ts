// How two texts differ: word by word, line by line, and as a patch that `patch` and `git apply` read.
// The only file that names the library for differences; how a difference is drawn is the business of each report.
import { diffArrays, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';

/** A run of text: on both sides, only before, or only after. */
export interface Piece {
  readonly is: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** A line of a short difference; `skipped` stands for equal lines that are left out, its text says how many. */
export interface DifferenceLine {
  readonly is: Piece['is'] | 'skipped';
  readonly text: string;
}

/** Changes beyond which two texts count as wholly different: the search takes time with the square of their number. */
const MOST_CHANGES = 1_000;

/** The unified diff of a file; the empty text when nothing differs. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return '';
  const patch = structuredPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, { context: 3 });
  return formatPatch(patch, FILE_HEADERS_ONLY);
}

/** The words of two texts, in order: what is `same` or `removed` makes up `before`, what is `same` or `added` makes up `after`. */
export const wordDifference = (before: string, after: string): readonly Piece[] =>
  compareLists(wordsOf(before), wordsOf(after)).map(({ is, texts }) => ({ is, text: texts.join('') }));

/** The lines of two texts, without those far from any difference. `context`: equal lines kept around one. */
export function lineDifference(before: string, after: string, context = 2): readonly DifferenceLine[] {
  const runs = compareLists(before.split('\n'), after.split('\n'));
  return runs.flatMap(({ is, texts }, index): readonly DifferenceLine[] => {
    const lines = texts.map((text) => ({ is, text }));
    const head = index === 0 ? 0 : context;
    const tail = index === runs.length - 1 ? 0 : context;
    const skipped = lines.length - head - tail;
    // A line of its own in place of one line saves nothing.
    if (is !== 'same' || skipped < 2) return lines;
    return [
      ...lines.slice(0, head),
      { is: 'skipped', text: `${skipped} equal lines` },
      ...lines.slice(lines.length - tail),
    ];
  });
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^]/gu) ?? [];

interface Run {
  readonly is: Piece['is'];
  readonly texts: readonly string[];
}

function compareLists(before: string[], after: string[]): readonly Run[] {
  const changes = diffArrays(before, after, { maxEditLength: MOST_CHANGES });
  const runs: readonly Run[] = changes?.map(({ value, added, removed }) => ({
    is: added ? 'added' : removed ? 'removed' : 'same',
    texts: value,
  })) ?? [
    { is: 'removed', texts: before },
    { is: 'added', texts: after },
  ];
  return runs.filter(({ texts }) => texts.length > 0);
}
