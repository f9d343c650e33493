// `pulumi-oneops plan digest`: the name of a saved plan and its start, by which it is approved.
import type { WaitingRelease } from '../../../drift';
import {
  describePlan,
  type Plan,
  planDigest,
  planWaiting,
  readStart,
  stackOfPlan,
  waitingKeys,
} from '../../../preview';
import { parseWords, type Command } from '../../command';
import { apiOf, problemOf, SETTINGS_HELP, SETTINGS_OPTIONS, type FoundSettings } from '../../settings';
import { PLAN_HELP, PLAN_OPTIONS, planIn, planSettings, exportedStart } from './sources';

const HELP = `usage: pulumi-oneops plan digest FILE [options]

Prints the SHA-256 digest of a saved plan: of its steps, its goals, the state it
starts from, and the service and organization that the settings here name. Run
it where the plan was made, with the same settings. The order of the file and
its time do not count. With --live it also covers the releases of others that the run
brings along: "plan verify" refuses those that the digest does not cover. A plan that writes a secret gets another digest with each preview, because secrets take
part only as they are encrypted: nobody can guess one from the digest.

${PLAN_HELP}
  --live                ask the service, with GETs only, which releases come along
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
  live: { type: 'boolean', default: false },
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
    const { service, note, resolved } = await planSettings(plan, values);
    const described = describePlan(plan, start, { stack: values.stack, organization: service.organization });
    const waiting = values.live ? await waitingHere(described, resolved, note) : [];
    const digest = planDigest(plan, start, service, waitingKeys(waiting));
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
      ...(values.live ? { waiting } : {}),
    };
    process.stdout.write(values.json ? `${JSON.stringify(named, null, 2)}\n` : `${digest}\n`);
    return 0;
  },
};

/** The releases that come along. What could not be read is said, and not covered: a verification that finds more refuses the plan. */
async function waitingHere(
  plan: Plan,
  resolved: FoundSettings['resolved'],
  note: string | undefined,
): Promise<readonly WaitingRelease[]> {
  const say = (why: string): void => void process.stderr.write(`pulumi-oneops: ${why}\n`);
  if ('problem' in resolved) {
    say(`the digest covers no release that comes along: ${problemOf(resolved, note)}`);
    return [];
  }
  const api = apiOf(resolved.settings, { readOnly: true });
  try {
    const { waiting, unread } = await planWaiting(plan, api);
    for (const { reason } of unread) say(`the digest may not cover every release that comes along: ${reason}`);
    return waiting;
  } finally {
    api.close();
  }
}

/** What to do when the digest binds no service. */
const unboundText = (note: string | undefined): string =>
  [
    ...(note === undefined ? [] : [`pulumi-oneops: ${note}`]),
    'pulumi-oneops: the digest does not name the address of a service: neither oneops:url of the stack nor ONEOPS_URL does.',
    'Set one of them, so that the plan cannot be applied to another service.\n',
  ].join('\n');
