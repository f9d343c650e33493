// A review as workflow commands of GitHub Actions: annotations on the lines of the stack file.
import { workflowCommand, type ReportPlace } from '../../stack';
import type { FilePlace, Review } from '../review/review';
import { brokenPolicies, isMandatory } from './broken-policies';
import { isCounted, isDrift, messageText, OUTCOME_WORDS, titleText } from './words';
import { filePath, type ReportOptions } from './report-options';
import { oneLine, visible } from './shown-text';

type Level = 'error' | 'warning' | 'notice';

/**
 * A command a line: the outcome first, then what was not read, then findings: drift that counts as `error`, other drift as `warning`, the
 * rest as `notice`. A step shows ten of each level, so the most severe come first.
 */
export function renderGithub(review: Review, options: ReportOptions = {}): string {
  const level: Level = review.outcome === 'in-sync' ? 'notice' : 'error';
  const placeOf = (at: FilePlace | undefined): ReportPlace | undefined =>
    at && { path: oneLine(filePath(at.file, options)), line: at.line, column: at.column };
  const lines = [
    command(level, OUTCOME_WORDS[review.outcome], review.summary),
    ...review.unread.map(({ kind, address, reason }) => command('error', 'not read', `${kind} ${address}: ${reason}`)),
    ...review.problems.map(({ severity, message, at }) => command(severity, 'rule file', message, placeOf(at))),
    ...brokenPolicies(review).map((broken) =>
      command(isMandatory(broken) ? 'error' : 'warning', `policy ${broken.policy}`, broken.message, placeOf(broken.at)),
    ),
    ...review.findings.map((finding) =>
      command(
        isCounted(finding, review) ? 'error' : isDrift(finding) ? 'warning' : 'notice',
        `${finding.severity}: ${titleText(finding)}`,
        messageText(finding, review, options),
        placeOf(finding.at),
      ),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** One workflow command; `at`: the place that it annotates. */
const command = (level: Level, title: string, message: string, at?: ReportPlace): string =>
  workflowCommand(level, oneLine(title), visible(message), at);
