// `pulumi-oneops drift ignore`: adds entries for findings to drift.yaml.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DRIFT_FILE, isDay } from '../../../stack';
import { findingSubject, ignoring, type DriftFinding, type Review } from '../../../drift';
import { parseWords, UsageError, type Command } from '../../command';
import { CAUSE_HELP, CAUSE_OPTION, decideOnCause } from './by-cause';
import { CHOICE_HELP, CHOICE_OPTIONS, chosen, reviewFrom } from './chosen';
import { projectHere } from '../../project';
import { replaceFile } from '../../replace-file';
import { textIn } from './sources';

const HELP = `usage: pulumi-oneops drift ignore ID... --reason TEXT --owner NAME [options]
       pulumi-oneops drift ignore --all --reason TEXT --owner NAME --until DAY

Adds an entry for each finding to ${DRIFT_FILE}, and keeps the comments in it. Keep the file under version control. Later reviews leave
the findings out, and say who decided it and why. Runs of a stack file leave the ignored attributes as they are, too. With --all, later
reviews show only what is new.

${CHOICE_HELP}
${CAUSE_HELP}
  --all                 every finding of the review, instead of some; needs --until
  --reason TEXT         why the finding is ignored; required
  --owner NAME          who is responsible for it; required
  --until DAY           last day of the entry, 2027-01-31; after it, the entry makes reviews fail

exit codes: 0 added, 1 wrong use, or a file that is wrong; nothing was written: 3 with --all, not everything could be read,
4 the token is missing or refused, 5 with --all, so many records are missing that a wrong setting or a failure is more likely`;

const OPTIONS = {
  ...CHOICE_OPTIONS,
  ...CAUSE_OPTION,
  all: { type: 'boolean', default: false },
  reason: { type: 'string', default: '' },
  owner: { type: 'string', default: '' },
  until: { type: 'string' },
} as const;

/** The ignore command. */
export const ignoreCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const { cause, all, reason, owner, until } = values;
    if (cause !== undefined) return decideOnCause(ignoreCommand, words, { ...values, cause, positionals });
    if (reason.trim() === '' || owner.trim() === '') throw new UsageError('ignore needs --reason and --owner');
    if (until !== undefined && !isDay(until)) throw new UsageError('--until takes a day like 2027-01-31');
    if (until !== undefined && until < new Date().toISOString().slice(0, 10))
      throw new UsageError(`--until ${until} has passed: name the last day on which the entry holds`);
    if (all && positionals.length > 0) throw new UsageError('--all means every finding: leave out the ids');
    if (all && until === undefined) throw new UsageError('--all needs --until: what is there today must end some day');
    const name = values.rules ?? DRIFT_FILE;
    const isThere = existsSync(name);
    // A file that is made now contains nothing yet.
    const review = await reviewFrom({ ...values, rules: isThere ? name : undefined });
    const partly = all ? partlyKnown(review) : undefined;
    if (partly !== undefined) {
      process.stderr.write(`${partly.why}: nothing was written\n`);
      return partly.code;
    }
    const findings = all ? review.findings : chosen(review, positionals);
    if (findings.length === 0) {
      process.stdout.write('there is nothing to ignore\n');
      return 0;
    }
    const file = isThere ? textIn(name) : { name, text: '' };
    const why = { reason, owner, ...(until === undefined ? {} : { until }) };
    replaceFile(name, ignoring(file, findings, why));
    for (const finding of findings) process.stdout.write(`ignored ${finding.id} ${findingSubject(finding)}\n`);
    process.stdout.write(`written: ${name}${all ? `, ${counted(findings)}` : ''}\n`);
    for (const line of notHeld(findings, name)) process.stdout.write(`${line}\n`);
    return 0;
  },
};

/** What the entries do not keep a run from. */
function notHeld(findings: readonly DriftFinding[], name: string): readonly string[] {
  const project = projectHere();
  if (project !== undefined && project.files === undefined)
    return ['reviews alone read these entries: in a program, name the attributes in ignoreChanges of their resources'];
  if (resolve(name) !== resolve(DRIFT_FILE)) return [`reviews alone read these entries: a run reads ${DRIFT_FILE}`];
  const records = findings.filter(({ attribute }) => attribute === undefined);
  return records.map(
    (finding) =>
      `reviews alone leave out ${findingSubject(finding)}: a run still creates what is missing, and deploys what is not deployed`,
  );
}

/** Why not all findings of a review are known. */
function partlyKnown(review: Review): { readonly why: string; readonly code: number } | undefined {
  if (review.unread.length > 0) return { why: `${review.unread.length} records could not be read`, code: 6 };
  return review.outcome === 'refused' ? { why: review.summary, code: 6 } : undefined;
}

/** `3 findings, 1 of high severity`: severe findings are named once before reviews leave them out. */
function counted(findings: readonly DriftFinding[]): string {
  const parts = [
    [findings.filter(({ severity }) => severity === 'high').length, 'of high severity'],
    [findings.filter(({ classification }) => classification === 'deleted').length, 'deleted'],
  ] as const;
  const severe = parts.flatMap(([count, what]) => (count === 0 ? [] : [`, ${count} ${what}`])).join('');
  return `${findings.length} finding${findings.length === 1 ? '' : 's'}${severe}`;
}
