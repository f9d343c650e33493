// Reviews as JUnit XML: drift that counts is a failure, and an unread record an error.
import { countsForOutcome, isWhole } from '../review/outcome';
import type { DriftFinding, Review } from '../review/review';
import type { FleetStack } from '../fleet/fleet';
import {
  brokenPolicies,
  isMandatory,
  policyText,
  wordsOf,
  isoText,
  messageText,
  SHOWN_OUTCOMES,
  titleText,
} from './words';
import { escaped, ignoredText, leadOf, type ReportOptions, oneLine, visible } from './shown-text';

export interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
  /** Milliseconds. */
  readonly took: number;
  readonly started: number;
}

interface Case {
  readonly group: string;
  readonly name: string;
  readonly end?: {
    readonly element: 'failure' | 'error' | 'skipped';
    readonly type?: string;
    readonly message: string;
    readonly text?: string;
  };
}

/**
 * The suite of a stack: a case for the review as a whole, for each finding and for each unread record.
 * Findings that do not count and ignored findings are skipped; a mistake in a rule file is an
 * error.
 */
export function junitSuite(stack: FleetStack, began: number, options: ReportOptions): Suite {
  const { name, review } = stack;
  if (review === undefined) return { name: `drift ${name}`, cases: [wholeCase(stack)], took: 0, started: began };
  const cases = [
    wholeCase(review),
    ...review.unread.map(({ kind, address, reason }): Case => ({
      group: `not read.${kind}`,
      name: address,
      end: { element: 'error', type: 'unread', message: reason },
    })),
    ...review.problems.map(({ severity, message, at }): Case => {
      const text = `${leadOf(at, options)}${message}`;
      const end = severity === 'error' ? { element: 'error' as const, type: 'rule' } : SKIPPED;
      return { group: 'rule files', name: text, end: { ...end, message: text } };
    }),
    ...brokenPolicies(review).map((broken): Case => {
      const end = isMandatory(broken) ? { element: 'failure' as const, type: 'policy' } : SKIPPED;
      const message = `${leadOf(broken.at, options)}${policyText(broken)}`;
      return { group: `policy.${broken.policy}`, name: broken.address, end: { ...end, message } };
    }),
    ...review.findings.map((finding) => findingCase(finding, review, options)),
    ...review.ignored.map((each): Case => ({
      ...named(each.finding),
      end: { ...SKIPPED, message: `ignored: ${ignoredText(each)}` },
    })),
  ];
  const { organization, took, started } = review;
  return { name: ['drift', organization, review.stack ?? []].flat().join(' '), cases, took, started };
}

export function junitText(suites: readonly Suite[], name = 'pulumi-oneops drift'): string {
  const numbers = (cases: readonly Case[]): string => {
    const count = (element: string): number => cases.filter(({ end }) => end?.element === element).length;
    return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`;
  };
  const seconds = (took: number): string => (took / 1000).toFixed(3);
  const all = suites.flatMap(({ cases }) => cases);
  const most = Math.max(0, ...suites.map(({ took }) => took));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${attribute(name)}" ${numbers(all)} time="${seconds(most)}">`,
    ...suites.flatMap(({ name, cases, took, started }) => {
      const skipped = cases.filter(({ end }) => end?.element === 'skipped').length;
      const moment = isoText(started).slice(0, 19);
      const timestamp = moment === '' ? '' : ` timestamp="${moment}"`;
      return [
        `  <testsuite name="${attribute(name)}" ${numbers(cases)} skipped="${skipped}" time="${seconds(took)}"${timestamp}>`,
        ...cases.map(caseText),
        '  </testsuite>',
      ];
    }),
    '</testsuites>',
    '',
  ].join('\n');
}

function wholeCase({ outcome, summary }: Pick<Review, 'outcome' | 'summary'>): Case {
  const name = { group: 'review', name: 'everything was read' };
  if (isWhole(outcome)) return name;
  return { ...name, end: { element: 'error', type: outcome, message: `${SHOWN_OUTCOMES[outcome].words}: ${summary}` } };
}

// The id keeps apart what has one name: a finding of a record and another of its whole.
const named = (finding: DriftFinding): Case => ({
  group: `${finding.kind}.${finding.address}`,
  name: `${finding.attribute ?? 'record'} [${finding.id}]`,
});

function findingCase(finding: DriftFinding, review: Review, options: ReportOptions): Case {
  const { classification, severity, at } = finding;
  const { label, meaning } = wordsOf(finding);
  const skipped = { ...SKIPPED, message: `${severity}: ${label}` };
  if (!countsForOutcome(finding, review.failOn)) return { ...named(finding), end: skipped };
  const text = `${leadOf(at, options)}${messageText(finding, review)}\n${meaning}`;
  const message = `${severity}: ${titleText(finding)}`;
  return { ...named(finding), end: { element: 'failure', type: classification, message, text } };
}

const SKIPPED = { element: 'skipped' } as const;

function caseText({ group, name, end }: Case): string {
  const open = `    <testcase classname="${attribute(group)}" name="${attribute(name)}" time="0"`;
  if (end === undefined) return `${open}/>`;
  const { element, type, message, text } = end;
  const kind = type === undefined ? '' : ` type="${attribute(type)}"`;
  const inner = `<${element}${kind} message="${attribute(message)}"`;
  return `${open}>${inner}${text === undefined ? '/>' : `>${escaped(visible(text))}</${element}>`}</testcase>`;
}

const attribute = (text: string): string => escaped(oneLine(text));
