// `pulumi-oneops plan verify`: whether a saved plan may still be applied.
import { stackOfPlan, VERIFICATION_CODES, verificationText, verifyPlan } from '../../../preview';
import { serviceIdentity, type ServiceIdentity, type Settings } from '../../../provider';
import { parseWords, UsageError, type Command } from '../../command';
import { apiOf, problemOf, SETTINGS_HELP, SETTINGS_OPTIONS } from '../../settings';
import { serviceTime } from '../drift/sources';
import { POLICIES_OPTION } from '../../policies';
import { digestOption } from '../preview-comment';
import { policyVerdict } from './policies';
import { writtenSettings } from '../../project';
import { PLAN_HELP, PLAN_OPTIONS, planIn, planSettings, exportedStart } from './sources';

const HELP = `usage: pulumi-oneops plan verify FILE [options]

Says whether a plan saved by "pulumi preview --save-plan" may still be applied.
The state and the settings of the stack must be those it was made from. With
--live, a review of the stack must also find nothing that changed since: no record
that somebody changed, deleted or created, and no release or deployment that would
come along. The plan must also keep the policies that apply now: a freeze window
may have begun since it was approved. Sends only GETs.

  --live                ask the service
  --digest DIGEST       digest of the approved plan: the plan, its start and the
                        service must be exactly those; without it, a state that was
                        saved after the plan counts as another one
  --policies FILE       policies that the plan is held to; default: policies.yaml in
                        this folder, where there is one
  --json                the same as JSON, for programs
${PLAN_HELP}
${SETTINGS_HELP}

exit codes: 0 it may be applied, 1 wrong use, 2 it is stale, 3 the state or
something in the service could not be read, 4 the token is missing or refused,
5 its start is as it was, and it breaks a mandatory policy`;

const OPTIONS = {
  ...SETTINGS_OPTIONS,
  ...PLAN_OPTIONS,
  ...POLICIES_OPTION,
  live: { type: 'boolean', default: false },
  digest: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** The plan verify command. */
export const verifyCommand: Command = {
  help: HELP,
  options: OPTIONS,
  async run(words) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const plan = planIn('verify', positionals);
    const digest = digestOption(values.digest);
    let exported: unknown;
    try {
      exported = await exportedStart(plan, values);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      return failed(error instanceof Error ? error.message : String(error), VERIFICATION_CODES.incomplete);
    }
    const { resolved, note, service } = await planSettings(plan, values);
    const stack = values.stack ?? stackOfPlan(plan)?.stack;
    const settings = stack === undefined ? undefined : writtenSettings(stack);
    const verified = async (options: Partial<Parameters<typeof verifyPlan>[0]> = {}): Promise<number> => {
      const judged = { plan, exported, service, stack: values.stack };
      const policies = await policyVerdict(judged, values.policies, options.api);
      const verification = await verifyPlan({ plan, exported, digest, service, settings, policies, ...options });
      process.stdout.write(values.json ? `${JSON.stringify(verification, null, 2)}\n` : verificationText(verification));
      return VERIFICATION_CODES[verification.outcome];
    };
    if (!values.live) return verified();
    if ('problem' in resolved) return failed(problemOf(resolved, note), resolved.lacksToken ? 4 : 1);
    const time = serviceTime();
    const api = apiOf(resolved.settings, { readOnly: true, observe: time.observe });
    try {
      // The answers are of this service, whatever the plan's own configuration names.
      return await verified({ api, ahead: time.ahead, service: identityOf(resolved.settings) });
    } finally {
      api.close();
    }
  },
};

const identityOf = ({ url, organization }: Settings): ServiceIdentity =>
  serviceIdentity((key) => ({ 'oneops:url': url, 'oneops:organization': organization })[key], {});

function failed(message: string, code: number): number {
  process.stderr.write(`pulumi-oneops: ${message}\n`);
  return code;
}
