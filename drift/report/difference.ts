// How two texts differ, word by word and line by line.
// It must not know what the texts are, nor how a difference is drawn.

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

/** Comparisons beyond which two lists are taken as wholly different: 700 lines against 700. */
const LIMIT = 500_000;

/** The words of two texts, in order: what is `same` or `removed` makes up `before`, what is `same` or `added` makes up `after`. */
export function wordDifference(before: string, after: string): readonly Piece[] {
  return joined(compareLists(wordsOf(before), wordsOf(after)));
}

/** The lines of two texts, without those far from any difference. `context`: equal lines kept around one. */
export function lineDifference(before: string, after: string, context = 2): readonly DifferenceLine[] {
  const pieces = compareLists(before.split('\n'), after.split('\n'));
  const changes = pieces.flatMap(({ is }, index) => (is === 'same' ? [] : [index]));
  const isNear = new Set(
    changes.flatMap((index) => Array.from({ length: 2 * context + 1 }, (_, step) => index - context + step)),
  );
  const lines: DifferenceLine[] = [];
  for (let index = 0; index < pieces.length;) {
    let end = index;
    while (end < pieces.length && !isNear.has(end)) end += 1;
    // A line of its own in place of one line saves nothing.
    if (end - index > 1) lines.push({ is: 'skipped', text: `${end - index} equal lines` });
    else lines.push(...pieces.slice(index, end));
    if (end < pieces.length) lines.push(pieces[end] as Piece);
    index = end + 1;
  }
  return lines;
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^]/gu) ?? [];

/** A shortest way from one list to the other, by longest common subsequence. */
function compareLists(before: readonly string[], after: readonly string[]): readonly Piece[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  return [
    ...before.slice(0, start).map((text): Piece => ({ is: 'same', text })),
    ...compareMiddles(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map((text): Piece => ({ is: 'same', text })),
  ];
}

function compareMiddles(before: readonly string[], after: readonly string[]): readonly Piece[] {
  const removed = (texts: readonly string[]): readonly Piece[] => texts.map((text) => ({ is: 'removed', text }));
  const added = (texts: readonly string[]): readonly Piece[] => texts.map((text) => ({ is: 'added', text }));
  if (before.length * after.length > LIMIT) return [...removed(before), ...added(after)];
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        before[i] === after[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
    }
  }
  const pieces: Piece[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      pieces.push({ is: 'same', text: before[i] as string });
      i += 1;
      j += 1;
    } else if ((common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0)) {
      pieces.push({ is: 'removed', text: before[i] as string });
      i += 1;
    } else {
      pieces.push({ is: 'added', text: after[j] as string });
      j += 1;
    }
  }
  return [...pieces, ...removed(before.slice(i)), ...added(after.slice(j))];
}

/** Neighbours of one sort as one. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const runs: { is: Piece['is']; texts: string[] }[] = [];
  for (const { is, text } of pieces) {
    const last = runs.at(-1);
    if (last?.is === is) last.texts.push(text);
    else runs.push({ is, texts: [text] });
  }
  return runs.map(({ is, texts }) => ({ is, text: texts.join('') }));
}
