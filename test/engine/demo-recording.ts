// The picture of `pulumi-oneops demo` in the README: what it printed, without what differs from run to
// run, as an SVG.

/** What differs from run to run, and what the picture shows instead. */
const MASKS: readonly (readonly [pattern: RegExp, shown: string])[] = [
  [/^( +[+~-] +oneops:index:.*?) \(\d[\d.]*s\).*$/, '$1'],
  [/maria, [^,]+, \d{4}-\d\d-\d\d \d\d:\d\d UTC/, 'maria, 3 minutes ago, 2026-11-21 14:10 UTC'],
  [/release \d+/, 'release 3026'],
  [/^( +\w+ *: )\d+$/, '$12889'],
  [/\S*pulumi-oneops-report-[^/]+/, '/tmp/pulumi-oneops-report-x7Fq2a'],
];

/** How many resources of a run are shown. */
const SHOWN = 5;

const isResource = (line: string): boolean => / oneops:index:/.test(line);

/** The lines of the picture. */
export function recordedLines(printed: string): readonly string[] {
  const shown = printed
    .trimEnd()
    // The head of a review has an address, times and counts of requests; its end repeats what to do.
    .replace(/^( +Drift review of .*)\n(?: +\S.*\n)*/gm, '$1\n')
    .replace(/^ +── What to do [^]*?\n\n/gm, '')
    // The engine shows outputs that changed, and a row may have reported twice.
    .replace(/^ +Outputs:\n(?: +\w+ *: .*\n)*/gm, '')
    .split('\n')
    .map((line) => MASKS.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line).trimEnd());
  const runs = shown.reduce<string[][]>((all, line) => {
    const last = all.at(-1);
    if (last !== undefined && isResource(line) && isResource(last[0] ?? '')) last.push(line);
    else all.push([line]);
    return all;
  }, []);
  // Resources of one run are done in parallel, in any order.
  return runs
    .map((run) => [...new Set(run)].sort())
    .flatMap((run) => (run.length <= SHOWN ? run : [...run.slice(0, SHOWN), `   … and ${run.length - SHOWN} more`]));
}

const [LINE, COLUMN, MARGIN] = [18, 7.83, 16];
const COLOURS: readonly (readonly [pattern: RegExp, colour: string])[] = [
  [/^\$ /, '#ffffff'],
  [/^ +(\+|~) /, '#7ee787'],
  [/DRIFT: |HIGH \(|MEDIUM \(/, '#ff7b72'],
  [/IN SYNC/, '#7ee787'],
  [/^\S/, '#a5d6ff'],
];

/** A terminal that shows the lines. */
export function pictureOf(lines: readonly string[]): string {
  const [width, height] = [Math.round(83 * COLUMN + 2 * MARGIN), (lines.length + 1) * LINE + MARGIN];
  const escaped = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    '<title>What npx pulumi-oneops demo prints</title>',
    '<rect width="100%" height="100%" rx="8" fill="#0d1117"/>',
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">',
    ...lines.map((line, index) => {
      const colour = COLOURS.find(([pattern]) => pattern.test(line))?.[1] ?? '#c9d1d9';
      return `<text xml:space="preserve" x="${MARGIN}" y="${MARGIN + (index + 1) * LINE}" fill="${colour}">${escaped(line)}</text>`;
    }),
    '</g>',
    '</svg>\n',
  ].join('\n');
}
