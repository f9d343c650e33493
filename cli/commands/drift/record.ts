// `pulumi-oneops drift record`: undeclared values of environments, written to drift.yaml.
import { findingSubject, recordFindings } from '../../../drift';
import { DRIFT_FILE } from '../../../stack';
import { commandOf } from '../../command';
import { chosen, reviewToRule } from './sources';
import { replaceFile } from '../../here/replace-file';
import { CHOICE_OPTIONS } from '../../options';
import { EXIT } from '../../exit';

export const command = commandOf({
  usage: ['drift record [ID...] [options]'],
  about: `Writes undeclared values of environments to "expected" of ${DRIFT_FILE}: those of these
findings, or all. Later reviews expect these values, and report the next change of them. Keep the file
under version control. To set a value in new environments, too, declare it in the stack's file:
pulumi-oneops drift accept.`,
  options: CHOICE_OPTIONS,
  exits: {
    done: 'written',
    failed: 'a finding cannot be recorded; nothing was written',
    inPart: 'not everything could be read; nothing was written',
  },
  async run({ values, positionals: ids }) {
    const { review, file } = await reviewToRule(values);
    if (review.unread.length > 0) {
      process.stderr.write(`${review.unread.length} records could not be read: nothing was recorded\n`);
      return EXIT.inPart;
    }
    const findings =
      ids.length > 0
        ? chosen(review, ids)
        : review.findings.filter(({ classification }) => classification === 'unexpected');
    const { text, recorded, refused } = recordFindings(findings, file);
    for (const { finding, reason } of refused)
      process.stderr.write(`${finding.id} ${findingSubject(finding)} is not recorded\n  ${reason}\n`);
    if (ids.length > 0 && refused.length > 0) return EXIT.failed;
    for (const finding of recorded) process.stdout.write(`recorded ${finding.id} ${findingSubject(finding)}\n`);
    const count = recorded.length;
    if (count > 0) replaceFile(file.name, text);
    process.stdout.write(
      count === 0
        ? 'there is nothing to record\n'
        : `written: ${file.name}, ${count} new ${count === 1 ? 'value' : 'values'}\n`,
    );
    return EXIT.done;
  },
});
