// What a saved plan breaks of the policies that hold here now: the file and the time may be others than when the plan was approved.
// It must not know any single rule.
import type { Api } from '../../../api/client';
import {
  describePlan,
  type PlanFile,
  plannedResources,
  type PolicyVerdict,
  readStart,
  withLive,
} from '../../../preview';
import { isPlanRule } from '../../../policy';
import type { ServiceIdentity } from '../../../provider';
import { judgeRun, policiesHere } from '../../policies';

/** What is judged. */
interface Judged {
  readonly plan: PlanFile;
  /** The export of the stack's present state: its JSON, parsed. */
  readonly exported: unknown;
  readonly service: ServiceIdentity;
  /** The stack's name where the plan names none. */
  readonly stack?: string | undefined;
}

/** Judges a plan by a policy file, the named one or the one of this folder. `api`: the service, for the rules that need it; GETs only. */
export async function policyVerdict(judged: Judged, file: string | undefined, api?: Api): Promise<PolicyVerdict> {
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
