// `pulumi-oneops drift ignore`: adds rules for findings to the rule file.
import { existsSync } from 'node:fs';
import { addRules, isDay, findingSubject } from '../../../drift';
import { parseWords, UsageError, type Command } from '../../command';
import { CAUSE_HELP, CAUSE_OPTION, decideOnCause } from './by-cause';
import { CHOICE_HELP, CHOICE_OPTIONS, chosen, reviewFrom } from './chosen';
import { replaceFile } from '../../replace-file';
import { STANDARD_RULES, textIn } from './sources';

const HELP = `usage: pulumi-oneops drift ignore ID... --reason TEXT --owner NAME [options]

Adds a rule for each finding to the rule file, and keeps the comments in it. Keep the file under version control. Later reviews leave
the findings out, and say who decided it and why.

${CHOICE_HELP}
${CAUSE_HELP}
  --reason TEXT         why the finding is ignored; required
  --owner NAME          who is responsible for it; required
  --until DAY           last day of the rule, 2027-01-31; after it, the rule makes reviews fail
  --rules FILE          default ${STANDARD_RULES}

exit codes: 0 added, 1 wrong use, or a rule file that is wrong, 4 the token is missing or refused`;

const OPTIONS = {
  ...CHOICE_OPTIONS,
  ...CAUSE_OPTION,
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
    const { cause } = values;
    if (cause !== undefined) return decideOnCause(ignoreCommand, words, { ...values, cause, positionals });
    const { reason, owner, until } = values;
    if (reason.trim() === '' || owner.trim() === '') throw new UsageError('ignore needs --reason and --owner');
    if (until !== undefined && !isDay(until)) throw new UsageError('--until takes a day like 2027-01-31');
    if (until !== undefined && until < new Date().toISOString().slice(0, 10))
      throw new UsageError(`--until ${until} has passed: name the last day on which the rule applies`);
    const name = values.rules ?? STANDARD_RULES;
    const isThere = existsSync(name);
    // A file that is made now rules nothing yet.
    const findings = chosen(await reviewFrom({ ...values, rules: isThere ? name : undefined }), positionals);
    const file = isThere ? textIn(name) : { name, text: '' };
    const text = addRules(file, findings, { reason, owner, ...(until === undefined ? {} : { until }) });
    replaceFile(name, text);
    for (const finding of findings) process.stdout.write(`ignored ${finding.id} ${findingSubject(finding)}\n`);
    process.stdout.write(`written: ${name}\n`);
    return 0;
  },
};
