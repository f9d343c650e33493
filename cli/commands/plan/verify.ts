// `pulumi-oneops plan verify`: whether a saved plan may still be applied.
import {
  stackOfPlan,
  type Verification,
  verificationText,
  verifyPlan,
  describePlan,
  type PlanFile,
  plannedResources,
  type PolicyVerdict,
  readStart,
  withLive,
} from '../../../preview';
import { serviceIdentity, type ServiceIdentity, type Settings } from '../../../provider/session/settings';
import { commandOf } from '../../command';
import { EXIT, UsageError } from '../../exit';
import { messageOf } from '../../../api/errors';
import { apiOf, usable } from '../../here/settings';
import { serviceTime } from '../drift/sources';
import { judgeRun, policiesHere } from '../../here/policies';
import { digestOption } from './preview-comment';
import { writtenSettings } from '../../here/project';
import { planIn, planSettings, exportedStart } from './sources';
import type { Api } from '../../../api/client';
import { isPlanRule } from '../../../policy';
import { flag, POLICIES_OPTION, SETTINGS_OPTIONS, STATE_OPTION, text } from '../../options';

export const command = commandOf({
  usage: ['plan verify FILE [options]'],
  about: `Says whether a plan saved by "pulumi preview --save-plan" may still be applied. The state
and the settings of the stack must be those it was made from. With --live, a review of the stack must
also find nothing that changed since: no record that somebody changed, deleted or created, and no
release or deployment that would come along. The plan must also keep the policies that apply now: a
freeze window may have begun since it was approved. Sends only GETs.`,
  options: {
    live: flag('ask the service'),
    digest: text(
      'DIGEST',
      `digest of the approved plan: the plan, its start and the service must be exactly those; without it, a
        state that was saved after the plan counts as another one`,
    ),
    ...POLICIES_OPTION,
    json: flag('the same as JSON, for programs'),
    ...STATE_OPTION,
    ...SETTINGS_OPTIONS,
  },
  exits: {
    done: 'it may be applied',
    differs: 'it is stale',
    policy: 'its start is as it was, and it breaks a mandatory policy',
    inPart: 'the state or something in the service could not be read',
  },
  async run({ values, positionals, print }) {
    const plan = planIn('verify', positionals);
    const digest = digestOption(values.digest);
    let exported: unknown;
    try {
      exported = await exportedStart(plan, values);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      process.stderr.write(`pulumi-oneops: ${messageOf(error)}\n`);
      return EXIT.inPart;
    }
    const found = await planSettings(plan, values);
    const { service } = found;
    const stack = values.stack ?? stackOfPlan(plan)?.stack;
    const settings = stack === undefined ? undefined : writtenSettings(stack);
    const verified = async (options: Partial<Parameters<typeof verifyPlan>[0]> = {}): Promise<number> => {
      const judged = { plan, exported, service, stack: values.stack };
      const policies = await policyVerdict(judged, values.policies, options.api);
      const verification = await verifyPlan({ plan, exported, digest, service, settings, policies, ...options });
      print(verification, verificationText);
      return CODES[verification.outcome];
    };
    if (!values.live) return verified();
    const settled = usable(found);
    const time = serviceTime();
    const api = apiOf(settled, { readOnly: true, observe: time.observe });
    try {
      // The answers are of this service, whatever the plan's own configuration names.
      return await verified({ api, ahead: time.ahead, service: identityOf(settled) });
    } finally {
      api.close();
    }
  },
});

const identityOf = ({ url, organization }: Settings): ServiceIdentity =>
  serviceIdentity((key) => ({ 'oneops:url': url, 'oneops:organization': organization })[key], {});

const CODES: { readonly [outcome in Verification['outcome']]: number } = {
  current: EXIT.done,
  stale: EXIT.differs,
  incomplete: EXIT.inPart,
  authentication: EXIT.notLetIn,
  refused: EXIT.policy,
};

interface Judged {
  readonly plan: PlanFile;
  /** The export of the stack's present state: its JSON, parsed. */
  readonly exported: unknown;
  readonly service: ServiceIdentity;
  /** The stack's name where the plan names none. */
  readonly stack?: string | undefined;
}

/** Judges a plan by a policy file. `api`: the service, for GETs of rules. */
async function policyVerdict(judged: Judged, file: string | undefined, api?: Api): Promise<PolicyVerdict> {
  const policies = policiesHere(file).filter(({ level }) => level !== 'disabled');
  if (policies.length === 0) return { broken: [], notes: [], unread: [] };
  const { plan, exported, service, stack } = judged;
  const start = readStart(exported);
  const described = describePlan(plan, start, { stack, organization: service.organization });
  const needsLive = policies.some(({ rule }) => isPlanRule(rule) && (rule.needsLive || rule.countsRecords === true));
  const asked = api !== undefined && needsLive ? await withLive(described, api) : described;
  const { violations, unjudged } = judgeRun(policies, asked, { resources: plannedResources(plan, start), unlisted: 0 });
  const authentication = asked.live?.authentication === true ? { authentication: true } : {};
  return {
    broken: violations
      .filter(({ level }) => level === 'mandatory')
      .map(({ policy, address, message, at }) => ({
        of: 'policy',
        address: address === '' ? 'the run' : address,
        message: `policy ${policy}: ${message}${at === undefined ? '' : ` (${at})`}`,
      })),
    notes: [
      ...violations.filter(({ level }) => level !== 'mandatory').map(noteOf),
      ...unjudged
        .filter(({ level }) => api === undefined || level !== 'mandatory')
        .map(({ policy, reason }) => `Policy ${policy} was not judged in full: ${reason}.`),
    ],
    unread:
      api === undefined
        ? []
        : unjudged
            .filter(({ level }) => level === 'mandatory')
            .map(({ policy, reason }) => ({
              ...{ kind: 'Policy', address: `policy ${policy}` },
              ...{ reason: `it was not judged in full: ${reason}`, ...authentication },
            })),
  };
}

const noteOf = ({
  policy,
  level,
  message,
}: {
  readonly policy: string;
  readonly level: string;
  readonly message: string;
}) => `Policy ${policy} (${level}): ${message}.`;
