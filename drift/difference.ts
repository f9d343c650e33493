// Differences of two texts: by words, by lines, and as a patch for `patch` and `git apply`. Only
// this file imports the library for differences. Each report draws a difference in its own way.
import { diffArrays, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';

interface Piece {
  readonly is: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** A line of a short difference. The text of `skipped` says how many equal lines are left out. */
export interface DifferenceLine {
  readonly is: Piece['is'] | 'skipped';
  readonly text: string;
}

/** With more changes, the middle counts as different: the time grows with their square. */
const MOST_CHANGES = 300;

/** The unified diff of a file; the empty text when nothing differs. */
export function unifiedDiff(
  name: string,
  before: string,
  after: string,
  [left = 'a', right = 'b']: readonly string[] = [],
): string {
  if (before === after) return '';
  const patch = structuredPatch(`${left}/${name}`, `${right}/${name}`, before, after, undefined, undefined, {
    context: 3,
  });
  return formatPatch(patch, FILE_HEADERS_ONLY);
}

/** The words of two texts in order, `removed` from the first one and `added` by the second. */
export const wordDifference = (before: string, after: string): readonly Piece[] =>
  compareLists(wordsOf(before), wordsOf(after)).map(({ is, texts }) => ({ is, text: texts.join('') }));

/** The lines of two texts near a difference. `context`: equal lines kept around one. */
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
  const [head, tail] = commonEnds(before, after);
  const middle = (texts: string[]): string[] => texts.slice(head, texts.length - tail);
  const [removed, added] = [middle(before), middle(after)];
  const changes = diffArrays(removed, added, { maxEditLength: MOST_CHANGES });
  const runs: readonly Run[] = changes?.map((change) => ({
    is: change.added ? 'added' : change.removed ? 'removed' : 'same',
    texts: change.value,
  })) ?? [
    { is: 'removed', texts: removed },
    { is: 'added', texts: added },
  ];
  const ends = (texts: string[]): Run => ({ is: 'same', texts });
  return [ends(before.slice(0, head)), ...runs, ends(before.slice(before.length - tail))].filter(
    ({ texts }) => texts.length > 0,
  );
}

/** How many texts two lists have in common at their beginning, and of the others at their end. */
function commonEnds(before: readonly string[], after: readonly string[]): readonly [head: number, tail: number] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return [head, tail];
}
