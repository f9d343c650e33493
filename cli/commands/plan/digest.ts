// `pulumi-oneops plan digest`: the name of a saved plan and its start, by which it is approved.
import { planDigest, readStart, stackOfPlan } from '../../../drift';
import { parseWords, type Command } from '../../command';
import { PLAN_HELP, PLAN_OPTIONS, planIn, exportedStart } from './sources';

const HELP = `usage: pulumi-oneops plan digest FILE [options]

Prints the SHA-256 digest of a saved plan: of its steps, its goals, and the
state it starts from. The order of the file and its time do not count. A plan
that writes a secret gets another digest with each preview, because secrets take
part only as they are encrypted: nobody can guess one from the digest.

${PLAN_HELP}
  --stack NAME          stack of the plan; default: the one that the plan names
  --json                digest, stack and times as JSON

exit codes: 0 printed, 1 the plan or the state cannot be read

example
  pulumi stack export --file start.json
  pulumi preview --save-plan plan.json
  pulumi-oneops plan digest plan.json --state start.json`;

const OPTIONS = {
  ...PLAN_OPTIONS,
  stack: { type: 'string' },
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
    const digest = planDigest(plan, start);
    const { stack = '', project = '' } = stackOfPlan(plan) ?? {};
    const saved = start.saved === undefined ? {} : { saved: start.saved };
    const named = { version: 1, digest, stack, project, planned: Date.parse(plan.manifest.time), ...saved };
    process.stdout.write(values.json ? `${JSON.stringify(named, null, 2)}\n` : `${digest}\n`);
    return 0;
  },
};
