// Rule files: rules that keep findings out of the outcome of a review, who says so, why, and until when; how they apply, and how one is added.
import { nearest } from '../../provider';
import { entryOf, readYaml, sourceFile, type Entry, type MapNode, type Node, type Range } from '../../stack';
import type { DriftFinding, FilePlace, IgnoredFinding, RuleProblem } from '../review/review';
import { startOf } from '../review/subjects';
import { oneLine } from '../report/shown-text';
import { spellingsOf } from '../wording';
import { findingSubject } from './earlier-reviews';

/** Findings that count, those that rules keep out, and what is wrong with the rules. */
interface RulesApplied {
  readonly findings: readonly DriftFinding[];
  readonly ignored: readonly IgnoredFinding[];
  readonly problems: readonly RuleProblem[];
}

/** A rule as written; patterns are texts with `*` (one part) and `**` (anything) in them. */
interface Rule {
  readonly id?: string;
  readonly kind?: string;
  readonly address?: string;
  readonly attribute?: string;
  readonly classification?: string;
  readonly reason: string;
  readonly owner: string;
  readonly until?: string;
  readonly includeHigh?: boolean;
  readonly includeDeleted?: boolean;
  readonly at: FilePlace;
}

const PATTERNS = ['kind', 'address', 'attribute', 'classification'] as const;
const FLAGS = ['includeHigh', 'includeDeleted'] as const;
const KEYS: readonly string[] = ['id', ...PATTERNS, 'reason', 'owner', 'until', ...FLAGS];

/**
 * Applies a rule file. The first rule that holds for a finding keeps it out. A rule that is incomplete or whose day (`today`, `2027-01-31`, is
 * past it) has passed is an error and keeps nothing out; one that fits no finding is a warning. What is severe or deleted stays in unless the rule
 * says so itself: a rule written for one thing must not hide another, worse one that happens to fit later.
 */
export function applyRules(
  file: { readonly text: string; readonly name: string },
  findings: readonly DriftFinding[],
  today: string,
): RulesApplied {
  const { rules, problems } = readRules(file);
  const expired = rules.filter(({ until }) => until !== undefined && until < today);
  const holding = rules.filter((rule) => !expired.includes(rule));
  const judged = findings.map((finding) => {
    const fitting = holding.filter((rule) => fits(rule, finding));
    return { finding, fitting, rule: fitting.find((rule) => mayHide(rule, finding)) };
  });
  const unused = holding.filter((rule) => judged.every(({ fitting }) => !fitting.includes(rule)));
  const tooWeak = judged.filter(({ fitting, rule }) => fitting.length > 0 && rule === undefined);
  return {
    findings: judged.filter(({ rule }) => rule === undefined).map(({ finding }) => finding),
    ignored: judged.flatMap(({ finding, rule }) => (rule === undefined ? [] : [ignoredBy(rule, finding)])),
    problems: [
      ...problems,
      ...expired.map((rule) =>
        problemAt('error', rule.at, `the rule of ${rule.owner} ended on ${rule.until}: ${rule.reason}`),
      ),
      ...tooWeak.flatMap(({ finding, fitting }) =>
        fitting.slice(0, 1).map((rule) => problemAt('warning', rule.at, weakness(finding))),
      ),
      ...unused.map((rule) =>
        problemAt(
          'warning',
          rule.at,
          `the rule of ${rule.owner} fits no finding: take it out when it is no longer needed`,
        ),
      ),
    ],
  };
}

const ignoredBy = ({ reason, owner, until }: Rule, finding: DriftFinding): IgnoredFinding => ({
  finding,
  reason,
  owner,
  ...(until === undefined ? {} : { until }),
});

/** What a rule has to say to keep a finding out; nothing for what any rule may. */
const wordsNeeded = ({ severity, classification }: DriftFinding): readonly (typeof FLAGS)[number][] => [
  ...(severity === 'high' ? (['includeHigh'] as const) : []),
  ...(classification === 'deleted' ? (['includeDeleted'] as const) : []),
];

const mayHide = (rule: Rule, finding: DriftFinding): boolean =>
  wordsNeeded(finding).every((word) => rule[word] === true);

const weakness = (finding: DriftFinding): string =>
  `the rule fits ${findingSubject(finding)} but does not say ${wordsNeeded(finding)
    .map((word) => `${word}: true`)
    .join(' and ')}: it is reported all the same`;

function fits(rule: Rule, finding: DriftFinding): boolean {
  if (rule.id !== undefined && rule.id !== finding.id) return false;
  const { kind, address, classification, attribute = '' } = finding;
  const texts = {
    kind: [kind],
    address: [address],
    classification: [classification],
    attribute: spellingsOf(attribute),
  };
  return PATTERNS.every((name) => {
    const pattern = rule[name];
    if (pattern === undefined) return true;
    return texts[name].some((text) => matches(pattern, text, name === 'attribute' ? '.' : '/'));
  });
}

/** The rules of a file, in its order, and what is wrong with it. Rules that are wrong are left out. */
function readRules(file: { readonly text: string; readonly name: string }): {
  readonly rules: readonly Rule[];
  readonly problems: readonly RuleProblem[];
} {
  if (file.text.trim() === '') return { rules: [], problems: [] };
  const problems: RuleProblem[] = [];
  const wrong = (at: Range, message: string): undefined => {
    problems.push(problemAt('error', startOf(at), message));
  };
  const { root, findings } = readYaml(sourceFile(file.name, file.text));
  for (const { at, message } of findings)
    if (findings.length > 0 && message !== 'the file is empty') wrong(at, message);
  if (root === undefined || problems.length > 0) return { rules: [], problems };
  const list = root.form === 'map' ? entryOf(root, 'rules') : undefined;
  if (root.form !== 'map' || root.entries.some(({ key }) => key !== 'rules'))
    wrong(root.at, 'a rule file contains one list: rules:');
  if (list === undefined || (list.value.form === 'scalar' && list.value.value === null)) return { rules: [], problems };
  if (list.value.form !== 'list') {
    wrong(list.value.at, '"rules" must be a list');
    return { rules: [], problems };
  }
  return { rules: list.value.items.flatMap((item) => ruleOf(item, wrong) ?? []), problems };
}

function ruleOf(item: Node, wrong: (at: Range, message: string) => undefined): Rule | undefined {
  if (item.form !== 'map') return wrong(item.at, 'a rule must be a map: id or patterns, reason, owner');
  const unknown = item.entries.filter(({ key }) => !KEYS.includes(key));
  for (const { key, at } of unknown) {
    const near = nearest(key, KEYS);
    wrong(at, `unknown key "${key}": ${near ? `did you mean "${near}"?` : `known are ${KEYS.join(', ')}`}`);
  }
  const missing = ['reason', 'owner'].filter((key) => textIn(item, key) === '');
  if (missing.length > 0) wrong(item.at, `a rule needs ${missing.map((key) => `"${key}"`).join(' and ')}`);
  const broad = ['id', ...PATTERNS].every((key) => textIn(item, key) === '');
  if (broad) wrong(item.at, 'a rule needs an id, or one of kind, address, attribute, classification');
  const until = entryOf(item, 'until');
  const ending = until === undefined || isDay(textIn(item, 'until'));
  if (until && !ending) wrong(until.value.at, 'must be a day like 2027-01-31');
  const badFlags = FLAGS.flatMap((key) => entryOf(item, key) ?? []).filter((entry) => flagOf(entry) === undefined);
  for (const { value, key } of badFlags) wrong(value.at, `"${key}" must be true or false`);
  if (unknown.length > 0 || missing.length > 0 || broad || !ending || badFlags.length > 0) return undefined;
  const texts = ['id', ...PATTERNS, 'until'].flatMap((key) =>
    textIn(item, key) === '' ? [] : [[key, textIn(item, key)]],
  );
  const flags = FLAGS.flatMap((key) => (flagOf(entryOf(item, key)) === true ? [[key, true]] : []));
  return {
    ...(Object.fromEntries([...texts, ...flags]) as Partial<Rule>),
    reason: textIn(item, 'reason'),
    owner: textIn(item, 'owner'),
    at: startOf(item.at),
  };
}

/** Source text: an id of digits alone is text, too. */
function textIn(map: MapNode, key: string): string {
  const node = entryOf(map, key)?.value;
  return node?.form === 'scalar' && node.value !== null ? node.source.trim() : '';
}

const flagOf = (entry: Entry | undefined): boolean | undefined =>
  entry?.value.form === 'scalar' && typeof entry.value.value === 'boolean' ? entry.value.value : undefined;

const problemAt = (severity: RuleProblem['severity'], at: FilePlace, message: string): RuleProblem => ({
  severity,
  message,
  at,
});

/** Whether a text fits a pattern: `*` stands for anything within one part, `**` for anything; parts end at `separator`. */
function matches(pattern: string, text: string, separator: '/' | '.'): boolean {
  const within = separator === '/' ? '[^/]*' : '[^.]*';
  const expression = pattern
    .split(/(\*+)/)
    .map((piece) => {
      if (piece.startsWith('**')) return '[^]*';
      return piece === '*' ? within : piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${expression}$`).test(text);
}

/** Whether a text is a day that there is: `2027-01-31`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

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
    throw new TypeError(`${file.name}:${double.at.line} already contains a rule for ${double.id}: change that one`);
  const text = file.text.startsWith('\uFEFF') ? file.text.slice(1) : file.text;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const { root } = text.trim() === '' ? { root: undefined } : readYaml(sourceFile(file.name, text));
  const list = root?.form === 'map' ? entryOf(root, 'rules') : undefined;
  const node = list?.value;
  const last = node?.form === 'list' ? node.items.at(-1) : undefined;
  const isFlow = node?.form === 'list' && text.startsWith('[', node.at.start.offset);
  if (isFlow && last)
    throw new TypeError(`${file.name}:${node.at.start.line} the rules are in one line: write one below the other`);
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

/** Where the line that contains an offset ends, its line break included. */
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
    `# ${oneLine(findingSubject(finding))}`,
    `- id: '${finding.id}'`,
    ...facts.map(([key, value]) => `  ${key}: ${value}`),
  ];
}
