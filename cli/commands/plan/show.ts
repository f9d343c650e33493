// `pulumi-oneops plan show`: what a saved plan does, as the comment on a pull request shows it.
import { describePlan, planDigest, readStart } from '../../../preview';
import { parseWords, type Command } from '../../command';
import { SETTINGS_HELP, SETTINGS_OPTIONS } from '../../settings';
import { writePlan } from '../preview-comment';
import { PLAN_HELP, PLAN_OPTIONS, planIn, planSettings, exportedStart } from './sources';

const HELP = `usage: pulumi-oneops plan show FILE [options]

Shows what a plan saved by "pulumi preview --save-plan" does, as preview-comment
does: risks, environments that deploy, every changed attribute, and the digest with
the service and the organization that it binds. Values before come from the state of the stack. Secrets stay hidden; one that
is next to a changed value is listed too, because encrypted values cannot be
compared.

  --title TEXT          headline; default "Preview of STACK"
  --json                the same as JSON, for programs
  --live                ask the service, with GETs only, which instances are affected,
                        and which releases of others come along
${PLAN_HELP}
${SETTINGS_HELP}

exit codes: 0 shown, 1 the plan or the state cannot be read; with --live:
3 something could not be read, 4 the service refused the token`;

const OPTIONS = {
  ...SETTINGS_OPTIONS,
  ...PLAN_OPTIONS,
  title: { type: 'string' },
  json: { type: 'boolean', default: false },
  live: { type: 'boolean', default: false },
} as const;

/** The plan show command. */
export const showCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const file = planIn('show', positionals);
    const start = readStart(await exportedStart(file, values));
    const { service } = await planSettings(file, values);
    const plan = describePlan(file, start, { stack: values.stack, organization: service.organization });
    return writePlan({ ...plan, service }, { ...values, digest: planDigest(file, start, service) });
  },
};
