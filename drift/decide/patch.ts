// Two versions of a text as a unified diff, which `patch` and `git apply` read.
// It must not know what changed, nor why.

/** Lines of context around a change. */
const CONTEXT = 3;

/** The unified diff of a file; the empty text when nothing differs. Changes stand in as few hunks as their distance allows. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return '';
  const [old, now] = [linesOf(before), linesOf(after)];
  const kept = commonLines(old, now);
  const hunks = hunksOf(old, now, kept);
  return [`--- a/${name}`, `+++ b/${name}`, ...hunks, ''].join('\n');
}

/** Lines with their breaks; a missing last break is told as diffs do. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

type Pair = readonly [old: number, now: number];

/** Pairs of lines that stay. What stands alike at both ends is left out of the search, which is then small: changes are few. */
function commonLines(old: readonly string[], now: readonly string[]): readonly Pair[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const room = Math.min(old.length, now.length) - start;
  while (end < room && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const head = Array.from({ length: start }, (_, index): Pair => [index, index]);
  const tail = Array.from({ length: end }, (_, index): Pair => [old.length - end + index, now.length - end + index]);
  const middle = longestCommon(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [...head, ...middle.map(([left, right]): Pair => [left + start, right + start]), ...tail];
}

function longestCommon(old: readonly string[], now: readonly string[]): readonly Pair[] {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (left: number, right: number): number => lengths[left * width + right] ?? 0;
  for (let left = old.length - 1; left >= 0; left -= 1)
    for (let right = now.length - 1; right >= 0; right -= 1)
      lengths[left * width + right] =
        old[left] === now[right] ? at(left + 1, right + 1) + 1 : Math.max(at(left + 1, right), at(left, right + 1));
  const pairs: Pair[] = [];
  let [left, right] = [0, 0];
  while (left < old.length && right < now.length) {
    if (old[left] === now[right]) pairs.push([left++, right++]);
    else if (at(left + 1, right) >= at(left, right + 1)) left += 1;
    else right += 1;
  }
  return pairs;
}

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
  readonly old: number;
  readonly now: number;
}

function hunksOf(old: readonly string[], now: readonly string[], kept: readonly Pair[]): readonly string[] {
  const lines: Line[] = [];
  let [left, right] = [0, 0];
  for (const [nextOld, nextNow] of [...kept, [old.length, now.length] as const]) {
    for (; left < nextOld; left += 1) lines.push({ mark: '-', text: old[left] ?? '', old: left, now: right });
    for (; right < nextNow; right += 1) lines.push({ mark: '+', text: now[right] ?? '', old: left, now: right });
    if (nextOld < old.length || nextNow < now.length)
      lines.push({ mark: ' ', text: old[nextOld] ?? '', old: left++, now: right++ });
  }
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ mark }) => mark !== ' '),
  );
  const hunks: Line[][] = [];
  lines.forEach((line, index) => {
    if (!near[index]) return;
    if (near[index - 1] && hunks.length > 0) hunks.at(-1)?.push(line);
    else hunks.push([line]);
  });
  return hunks.flatMap((hunk) => {
    const count = (without: string): number => hunk.filter(({ mark }) => mark !== without).length;
    const range = (from: number, length: number): string => `${length === 0 ? from : from + 1},${length}`;
    const [first] = hunk;
    const head = `@@ -${range(first?.old ?? 0, count('+'))} +${range(first?.now ?? 0, count('-'))} @@`;
    return [head, ...hunk.map(({ mark, text }) => mark + text)];
  });
}
