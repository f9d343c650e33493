// `pulumi-oneops drift ignore`: adds entries for findings to drift.yaml.
import { resolve } from 'node:path';
import { plural } from '../../../api/errors';
import { dayOf, DRIFT_FILE, isDay } from '../../../stack';
import { findingSubject, ignoring, type DriftFinding, type Review } from '../../../drift';
import { commandOf, type Parsed } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { decideOnFindingsOrCause, type InFleet } from './by-cause';
import { chosen, reviewToRule } from './sources';
import { projectHere } from '../../here/project';
import { replaceFile } from '../../here/replace-file';
import { CAUSE_OPTION, CHOICE_OPTIONS, flag, text } from '../../options';

const OPTIONS = {
  all: flag('every finding of the review, instead of some; needs --until'),
  reason: { ...text('TEXT', 'why the finding is ignored; required'), default: '' },
  owner: { ...text('NAME', 'who is responsible for it; required'), default: '' },
  until: text('DAY', 'last day of the entry, 2027-01-31; after it, the entry makes reviews fail'),
  ...CAUSE_OPTION,
  ...CHOICE_OPTIONS,
} as const;

export const command = commandOf({
  usage: [
    'drift ignore ID... --reason TEXT --owner NAME [options]',
    'drift ignore --all --reason TEXT --owner NAME --until DAY',
  ],
  about: `Adds an entry for each finding to ${DRIFT_FILE}, and keeps the comments in it. Keep the file
under version control. Later reviews leave the findings out, and say who decided it and why. Runs of a
stack file leave the ignored attributes as they are, too. With --all, later reviews show only what is
new.`,
  options: OPTIONS,
  exits: {
    done: 'added',
    inPart: `with --all: not everything could be read, or so much is missing that a wrong setting or a failure
      is more likely; nothing was written`,
  },
  run: (asked) => decideOnFindingsOrCause(asked, ignore),
});

async function ignore({ values, positionals, review: saved }: Parsed<typeof OPTIONS> & InFleet): Promise<number> {
  const { all, reason, owner, until } = values;
  if (reason.trim() === '' || owner.trim() === '') throw new UsageError('ignore needs --reason and --owner');
  if (until !== undefined && !isDay(until)) throw new UsageError('--until takes a day like 2027-01-31');
  if (until !== undefined && until < dayOf())
    throw new UsageError(`--until ${until} has passed: name the last day on which the entry holds`);
  if (all && positionals.length > 0) throw new UsageError('--all means every finding: leave out the ids');
  if (all && until === undefined) throw new UsageError('--all needs --until: what is there today must end some day');
  const { review, file } = await reviewToRule(values, saved);
  const partly = all ? partlyKnown(review) : undefined;
  if (partly !== undefined) {
    process.stderr.write(`${partly}: nothing was written\n`);
    return EXIT.inPart;
  }
  const named = all ? review.findings : chosen(review, positionals);
  const held = review.ignored.filter(({ finding }) => named.includes(finding));
  for (const { finding, owner: holder, reason: known } of held)
    process.stdout.write(`already ignored ${finding.id} ${findingSubject(finding)}, by ${holder}: ${known}\n`);
  const findings = named.filter((finding) => !held.some((each) => each.finding === finding));
  if (findings.length === 0) {
    process.stdout.write('there is nothing to ignore\n');
    return EXIT.done;
  }
  const why = { reason, owner, ...(until === undefined ? {} : { until }) };
  replaceFile(file.name, ignoring(file, findings, why));
  for (const finding of findings) process.stdout.write(`ignored ${finding.id} ${findingSubject(finding)}\n`);
  process.stdout.write(`written: ${file.name}${all ? `, ${counted(findings)}` : ''}\n`);
  for (const line of notHeld(findings, file.name)) process.stdout.write(`${line}\n`);
  return EXIT.done;
}

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

function partlyKnown(review: Review): string | undefined {
  if (review.unread.length > 0) return `${review.unread.length} records could not be read`;
  return review.outcome === 'refused' ? review.summary : undefined;
}

/** `3 findings, 1 of high severity`: severe findings are named before they are left out. */
function counted(findings: readonly DriftFinding[]): string {
  const parts = [
    [findings.filter(({ severity }) => severity === 'high').length, 'of high severity'],
    [findings.filter(({ classification }) => classification === 'deleted').length, 'deleted'],
  ] as const;
  const severe = parts.flatMap(([count, what]) => (count === 0 ? [] : [`, ${count} ${what}`])).join('');
  return `${plural(findings.length, 'finding')}${severe}`;
}
