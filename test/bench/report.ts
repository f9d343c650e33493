// What a bench found, and the page of tables that shows it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY } from '../world/engine';

const PAGE = join(REPOSITORY, 'docs', 'bench.md');

/** One row. Times in microseconds, or as `unit` says. */
export interface Finding {
  readonly what: string;
  readonly against: string;
  readonly figure: number;
  readonly reference: number;
  readonly unit: 'µs' | 'ms' | 'MB' | 'calls' | 'connections';
  /** The figure's quality as a ratio of the two; which way is said by the target. */
  readonly ratio: number;
  readonly target?: { readonly atMost: number };
}

/** Rows under a heading, with what a reader has to know of how they came about. */
export interface Chapter {
  readonly heading: string;
  readonly about: string;
  readonly findings: readonly Finding[];
}

const number = (value: number): string =>
  value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(value < 1 ? 3 : 1);

function rowOf(finding: Finding): string {
  const { what, against, figure, reference, unit, ratio, target } = finding;
  const cells = [
    what,
    `${number(figure)} ${unit}`,
    against,
    `${number(reference)} ${unit}`,
    ratio.toFixed(2),
    target ? `≤ ${target.atMost}` : '',
    target ? (ratio <= target.atMost ? 'met' : 'missed') : '',
  ];
  return `| ${cells.join(' | ')} |`;
}

/** A chapter of the page. */
export function chapterText({ heading, about, findings }: Chapter): string {
  return [
    `## ${heading}`,
    '',
    about,
    '',
    '| What | Median | Against | Median | Ratio | Target | |',
    '|---|--:|---|--:|--:|--:|---|',
    ...findings.map(rowOf),
  ].join('\n');
}

/** The commit that is measured, and the machine, without anything that names it. */
export function machine(): string {
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: REPOSITORY, encoding: 'utf8' }).trim();
  const model = cpus()[0]?.model.replace(/\s+/g, ' ').trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 1024 ** 3);
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return `Commit ${commit}. ${availableParallelism()} cores (${model}), ${memory} GiB of memory, ${process.platform}, Node ${process.versions.node}; load when it began: ${load}`;
}

/** The page with a chapter in the place of the one with the same heading, or at its end. */
function withChapter(page: string, text: string): string {
  const [heading = ''] = text.split('\n', 1);
  const [start = '', ...chapters] = page.trimEnd().split(/\n+(?=## )/);
  const isNew = !chapters.some((chapter) => chapter.startsWith(`${heading}\n`));
  const replaced = chapters.map((chapter) => (chapter.startsWith(`${heading}\n`) ? text : chapter));
  return `${[start, ...replaced, ...(isNew ? [text] : [])].join('\n\n')}\n`;
}

/** A chapter as the page shows it: with the rows that have a target, if there are any. */
function onPage(chapter: Chapter): Chapter {
  const aimed = chapter.findings.filter(({ target }) => target !== undefined);
  return aimed.length === 0 ? chapter : { ...chapter, findings: aimed };
}

/** Writes a chapter, which begins with its heading, and leaves the others as they are. */
export function writeChapter(chapter: Chapter): void {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  writeFileSync(PAGE, withChapter(page, chapterText(onPage(chapter))));
}

/** Writes the whole page. */
export function writePage(chapters: readonly Chapter[], facts: string): void {
  writeFileSync(PAGE, reportOf(chapters.map(onPage), facts));
}

/** The page. */
export function reportOf(chapters: readonly Chapter[], facts: string): string {
  return [
    '# Benchmarks',
    '',
    '`make bench` writes this page. Everything in a row was measured in one run, by turns; the ratio is the median of the ratios',
    'within each turn. The figures are those of this commit on this machine:',
    '',
    facts,
    '',
    chapters.map(chapterText).join('\n\n'),
    '',
  ].join('\n');
}
