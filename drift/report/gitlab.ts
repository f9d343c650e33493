// A review as GitLab's code quality report: what merge requests show next to the lines of the stack file.
import { createHash } from 'node:crypto';
import type { DriftFinding, FilePlace, Review } from '../review/review';
import { brokenPolicies, isMandatory, policyText } from './broken-policies';
import { isDrift, messageText } from './words';
import { filePath, placeOrFile, type ReportOptions } from './report-options';
import { oneLine } from './shown-text';

const SEVERITY = { high: 'critical', medium: 'major', low: 'minor' } as const;

/** One entry of the report. */
interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major' | 'critical' | 'blocker';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

/** A list of issues: findings, then what was not read (`blocker`: the report is not complete), then broken policies and rule files. Ignored findings are left out. */
export function renderGitlab(review: Review, options: ReportOptions = {}): string {
  const place = (at: FilePlace | undefined): Issue['location'] => {
    const { file, line } = placeOrFile(at, options);
    return { path: oneLine(filePath(file, options)), lines: { begin: Math.max(1, line) } };
  };
  const issues: readonly Issue[] = [
    ...review.findings.map((finding) => ({
      description: messageText(finding, review, options),
      check_name: `drift/${finding.classification}`,
      fingerprint: finding.id,
      severity: severityOf(finding),
      location: place(finding.at),
    })),
    ...review.unread.map(({ kind, address, reason }) => ({
      description: `not read: ${oneLine(kind)} ${oneLine(address)}: ${oneLine(reason)}`,
      check_name: 'drift/unread',
      fingerprint: fingerprint('unread', kind, address),
      severity: 'blocker' as const,
      location: place(undefined),
    })),
    ...brokenPolicies(review).map((broken) => ({
      description: policyText(broken),
      check_name: 'drift/policy',
      fingerprint: fingerprint('policy', broken.policy, broken.address, broken.message),
      severity: isMandatory(broken) ? ('critical' as const) : ('minor' as const),
      location: place(broken.at),
    })),
    ...review.problems.map(({ severity, message, at }) => ({
      description: `rule file: ${oneLine(message)}`,
      check_name: 'drift/rule',
      fingerprint: fingerprint('rule', message),
      severity: severity === 'error' ? ('major' as const) : ('info' as const),
      location: place(at),
    })),
  ];
  return `${JSON.stringify(issues, null, 2)}\n`;
}

const severityOf = (finding: DriftFinding): Issue['severity'] =>
  isDrift(finding) ? SEVERITY[finding.severity] : 'info';

const fingerprint = (...of: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 32);
