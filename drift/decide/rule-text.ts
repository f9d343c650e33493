// Adds a rule to the text of a rule file, leaving everything else in it as it is.
import { entryOf, readYaml, sourceFile } from '../../stack';
import type { DriftFinding } from '../review/review';
import { findingSubject } from './earlier-reviews';
import { readRules, wordsNeeded } from './rules';

/** Why a finding is ignored, and by whom. */
interface Ignoring {
  readonly reason: string;
  readonly owner: string;
  /** Day after which the rule fails. */
  readonly until?: string;
}

const HEAD = '# What drift reviews leave out, and why: each rule has a reason and an owner, and fails after its day.\n';

/**
 * The text with a rule for each finding added at the end of its list. Throws a TypeError when the text cannot be added to: it is wrong already, its
 * list is written in one line, or a finding has a rule in it.
 */
export function addRules(
  file: { readonly text: string; readonly name: string },
  findings: readonly DriftFinding[],
  ignoring: Ignoring,
): string {
  const { rules, problems } = readRules(file);
  const [problem] = problems;
  if (problem) throw new TypeError(`${file.name}:${problem.at?.line ?? 1} ${problem.message}`);
  const double = rules.find(({ id }) => findings.some((finding) => finding.id === id));
  if (double)
    throw new TypeError(`${file.name}:${double.at.line} holds a rule for ${double.id} already: change that one`);
  const text = file.text.startsWith('\uFEFF') ? file.text.slice(1) : file.text;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const { root } = text.trim() === '' ? { root: undefined } : readYaml(sourceFile(file.name, text));
  const list = root?.form === 'map' ? entryOf(root, 'rules') : undefined;
  const node = list?.value;
  const last = node?.form === 'list' ? node.items.at(-1) : undefined;
  const isFlow = node?.form === 'list' && text.startsWith('[', node.at.start.offset);
  if (isFlow && last)
    throw new TypeError(`${file.name}:${node.at.start.line} the rules stand in one line: write one below the other`);
  const indent = last && !isFlow ? ' '.repeat((node?.at.start.column ?? 3) - 1) : '  ';
  const added = findings
    .flatMap((finding) => linesOf(finding, ignoring).map((line) => `${indent}${line}${newline}`))
    .join('');
  if (list === undefined) return `${text === '' ? HEAD : endedLine(text, newline)}rules:${newline}${added}`;
  // An empty list, `rules:` or `rules: []`, gives way to one of lines.
  const end = last ? lineEnd(text, last.at.end.offset) : lineEnd(text, list.at.end.offset);
  const before = isFlow
    ? text.slice(0, node.at.start.offset).trimEnd() + text.slice(node.at.end.offset, end)
    : text.slice(0, end);
  return `${endedLine(before, newline)}${added}${text.slice(end)}`;
}

const endedLine = (text: string, newline: string): string =>
  text === '' || text.endsWith('\n') ? text : text + newline;

/** Where the line that holds an offset ends, its line break included. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

function linesOf(finding: DriftFinding, { reason, owner, until }: Ignoring): readonly string[] {
  const facts: readonly (readonly [string, string])[] = [
    ['reason', JSON.stringify(reason)],
    ['owner', JSON.stringify(owner)],
    ...(until === undefined ? [] : [['until', until] as const]),
    ...wordsNeeded(finding).map((word) => [word, 'true'] as const),
  ];
  return [
    `# ${findingSubject(finding)}`,
    `- id: '${finding.id}'`,
    ...facts.map(([key, value]) => `  ${key}: ${value}`),
  ];
}
