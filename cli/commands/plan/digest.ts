// `pulumi-oneops plan digest`: the name of a saved plan and its start, by which it is approved.
import { planDigest, readStart, stackOfPlan } from '../../../preview';
import { parseWords, type Command } from '../../command';
import { SETTINGS_HELP, SETTINGS_OPTIONS } from '../../settings';
import { PLAN_HELP, PLAN_OPTIONS, planIn, planSettings, exportedStart } from './sources';

const HELP = `usage: pulumi-oneops plan digest FILE [options]

Prints the SHA-256 digest of a saved plan: of its steps, its goals, the state it
starts from, and the service and organization that the settings here name. Run
it where the plan was made, with the same settings. The order of the file and
its time do not count. A plan that writes a secret gets another digest with each
preview, because secrets take part only as they are encrypted: nobody can guess
one from the digest.

${PLAN_HELP}
  --json                digest, service, stack and times as JSON
${SETTINGS_HELP}
                        Here, the default of --stack is the stack of the plan.

exit codes: 0 printed, 1 the plan or the state cannot be read

example
  pulumi stack export --file start.json
  pulumi preview --save-plan plan.json
  pulumi-oneops plan digest plan.json --state start.json`;

const OPTIONS = {
  ...SETTINGS_OPTIONS,
  ...PLAN_OPTIONS,
  json: { type: 'boolean', default: false },
} as const;

/** The plan digest command. */
export const digestCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const plan = planIn('digest', positionals);
    const start = readStart(await exportedStart(plan, values));
    const { service, note } = await planSettings(plan, values);
    const digest = planDigest(plan, start, service);
    if (service.url === undefined) process.stderr.write(unboundText(note));
    const { stack = '', project = '' } = stackOfPlan(plan) ?? {};
    const saved = start.saved === undefined ? {} : { saved: start.saved };
    const planned = Date.parse(plan.manifest.time);
    const named = {
      version: 1,
      digest,
      service,
      stack,
      project,
      planned,
      ...saved,
    };
    process.stdout.write(values.json ? `${JSON.stringify(named, null, 2)}\n` : `${digest}\n`);
    return 0;
  },
};

/** What to do when the digest binds no service. */
const unboundText = (note: string | undefined): string =>
  [
    ...(note === undefined ? [] : [`pulumi-oneops: ${note}`]),
    'pulumi-oneops: the digest does not name the address of a service: neither oneops:url of the stack nor ONEOPS_URL does.',
    'Set one of them, so that the plan cannot be applied to another service.\n',
  ].join('\n');
