// The outcome of a review: whether it is complete, and whether drift counts (architecture §7).

import { plural } from '../../api/errors';
import {
  DRIFT,
  SEVERITIES,
  type BrokenPolicy,
  type DriftFinding,
  type Outcome,
  type Review,
  type Severity,
} from './review';

export const isDrift = ({ classification, waits, elsewhere }: DriftFinding): boolean =>
  DRIFT.includes(classification) && waits !== true && elsewhere !== true;

/** Whether `drift revert` restores what a finding is about. */
export const isRevertible = (finding: DriftFinding): boolean =>
  isDrift(finding) && finding.advice.commands?.revert?.startsWith('pulumi-oneops drift revert') === true;

/** Whether a finding is a record of the file that the state lacks: new, or taken away by a destroy. */
const isUnmade = ({ classification, attribute, urn }: DriftFinding): boolean =>
  classification === 'pending' && attribute === undefined && urn === undefined;

/** Whether a finding is a change of this stack, or a record of its file, that waits to be deployed. */
export const isWaiting = (finding: DriftFinding): boolean =>
  (finding.waits === true || isUnmade(finding)) && finding.elsewhere !== true;

export const countsForOutcome = (finding: DriftFinding, failOn: Severity): boolean =>
  (isDrift(finding) || isWaiting(finding)) && SEVERITIES.indexOf(finding.severity) <= SEVERITIES.indexOf(failOn);

/** Whether an outcome rests on everything that is under review. */
export const isWhole = (outcome: Outcome): boolean => outcome !== 'incomplete' && outcome !== 'refused';

type Facts = Pick<Review, 'findings' | 'unread' | 'coverage' | 'failOn' | 'problems'>;

/** `vanished`: records that are gone without a trace; a deletion that waits leaves one. */
export function outcomeOf(facts: Facts, vanished: number): Outcome {
  const { findings, unread, coverage, failOn, problems } = facts;
  // So many records missing are trouble.
  if (vanished >= 3 && vanished >= coverage.read / 2) return 'refused';
  if (unread.length > 0) return 'incomplete';
  const isWrong = problems.some(({ severity }) => severity === 'error');
  const counted = findings.filter((each) => countsForOutcome(each, failOn));
  if (isWrong || counted.some(isDrift)) return 'drift';
  return counted.length > 0 ? 'not-deployed' : 'in-sync';
}

/** `all 36 records were read`, `the stack has no records yet`, `30 of 36 records were read`. */
function readText({ managed, read }: Review['coverage']): string {
  if (read < managed) return `${read} of ${plural(managed, 'record')} were read`;
  if (managed === 0) return 'the stack has no records yet';
  return managed === 1 ? 'its one record was read' : `all ${managed} records were read`;
}

/** `, 2 other things were not`: undeclared, or running; empty when all of it was read. */
function besideText({ unread, coverage: { managed, read } }: Facts): string {
  const beside = unread.length - (managed - read);
  return beside <= 0 ? '' : `, ${plural(beside, 'other thing')} ${beside === 1 ? 'was' : 'were'} not`;
}

/** One sentence that says what the outcome rests on. */
export function summaryOf(outcome: Outcome, facts: Facts, vanished: number): string {
  const { findings, coverage, failOn } = facts;
  const all = findings.filter((each) => countsForOutcome(each, failOn));
  const counted = all.filter(isDrift).length;
  const unmade = all.filter(isUnmade).length;
  const waits = all.length - counted - unmade;
  const severe = failOn === 'low' ? '' : ` of severity ${failOn === 'high' ? 'high' : `${failOn} or higher`}`;
  const waiting = waits === 0 ? '' : `, ${plural(waits, 'change')} not deployed`;
  const are = unmade === 1 ? 'is' : 'are';
  const missing =
    unmade === 0 ? '' : `, ${plural(unmade, 'record')} of the file ${are} not in the state yet: pulumi up`;
  const drift = `${counted === 0 ? 'no difference' : plural(counted, 'difference')}${severe}${waiting}${missing}`;
  switch (outcome) {
    case 'in-sync':
    case 'not-deployed':
      return `${drift}; ${readText(coverage)}`;
    case 'drift':
      return counted === 0
        ? `${drift}, but the rules have an error; ${readText(coverage)}`
        : `${drift}; ${readText(coverage)}`;
    case 'incomplete':
      return `${wasLetIn(facts) ? 'not everything could be read' : 'the service refused the token'}: ${readText(coverage)}${besideText(facts)}; ${drift} so far`;
    case 'refused':
      return `${vanished} of ${plural(coverage.read, 'record')} seem to be missing: more likely a wrong setting or a failure than deletions`;
  }
}

/** The review with the policies that its records break: a mandatory one counts as drift. */
export function heldTo(review: Review, policies: readonly BrokenPolicy[]): Review {
  const counting = policies.filter(({ level }) => level === 'mandatory').length;
  if (counting === 0) return { ...review, policies };
  const { outcome, summary } = review;
  const words = counting === 1 ? 'it breaks a mandatory policy' : `it breaks mandatory policies in ${counting} places`;
  return { ...review, outcome: isWhole(outcome) ? 'drift' : outcome, summary: `${summary}; ${words}`, policies };
}

/** Whether nothing counts but mandatory policies that are broken. */
export const isPolicyAlone = ({ outcome, policies = [], findings, problems, failOn }: Review): boolean =>
  outcome === 'drift' &&
  policies.some(({ level }) => level === 'mandatory') &&
  !problems.some(({ severity }) => severity === 'error') &&
  !findings.some((each) => countsForOutcome(each, failOn));

/** Whether the service accepted the token for everything that was read. */
export const wasLetIn = ({ unread }: Pick<Review, 'unread'>): boolean =>
  !unread.some(({ authentication }) => authentication);
