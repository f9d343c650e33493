// Writes the findings down as a page of tables.
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { type Chapter, type Finding, isMet, type Table } from './finding';

const number = (value: number): string =>
  value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(1);

function targetText({ target }: Finding): string {
  if (target === undefined) return '';
  return 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
}

function rowOf(finding: Finding): string {
  const { what, against, figure, reference, unit, ratio } = finding;
  const met = isMet(finding);
  const verdict = met === undefined ? '' : met ? 'met' : 'missed';
  const cells = [
    what,
    `${number(figure)} ${unit}`,
    against,
    `${number(reference)} ${unit}`,
    ratio.toFixed(2),
    targetText(finding),
    verdict,
  ];
  return `| ${cells.join(' | ')} |`;
}

const tableText = ({ head, rows }: Table): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** A chapter of the page. */
export function chapterText({ heading, about, findings, tables = [] }: Chapter): string {
  return [
    `## ${heading}`,
    '',
    about,
    '',
    '| What | Median | Against | Median | Ratio | Target | |',
    '|---|--:|---|--:|--:|--:|---|',
    ...findings.map(rowOf),
    ...tables.flatMap((table) => ['', tableText(table)]),
  ].join('\n');
}

/** The machine, without anything that names it. */
export function machine(): string {
  const model = cpus()[0]?.model.replace(/\s+/g, ' ').trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 1024 ** 3);
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return `${availableParallelism()} cores (${model}), ${memory} GiB of memory, ${process.platform}, Node ${process.versions.node}; load when it began: ${load}`;
}

/** The page. */
export function reportOf(chapters: readonly Chapter[], facts = machine()): string {
  return [
    '# Benchmarks',
    '',
    '`make bench` writes this page. Everything in a row was measured in one run, by turns; what counts is the ratio, which is the median of the ratios',
    'within each turn. The absolute figures are those of this machine, which other work shared:',
    '',
    facts,
    '',
    chapters.map(chapterText).join('\n\n'),
    '',
  ].join('\n');
}
