// The policy file of a command, the one that is named or the one in the current folder.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { WrongInput } from '../../api/errors';
import type { Plan, PreviewedResources } from '../../preview';
import {
  judgePlan,
  judgeRecords,
  POLICY_FILE,
  readPolicies,
  recordOfResource,
  unlistedPolicies,
  type PolicyEntry,
} from '../../policy';
import { textFrom } from './project';

/** Mistaken names of the file: policies that nobody judges must not look kept. */
const NEAR_NAMES = ['policies.yml', 'policy.yml', 'policies.json'];

/** The policies of a folder; none without a file. Throws Error with `file:line`. */
export function policiesHere(named: string | undefined, directory = '.'): readonly PolicyEntry[] {
  const standard = join(directory, POLICY_FILE);
  if (named === undefined && !existsSync(standard)) {
    const other = NEAR_NAMES.map((each) => join(directory, each)).find((each) => existsSync(each));
    if (other === undefined) return [];
    throw new WrongInput(`${other} is not read: call it ${POLICY_FILE}, or name it with --policies`);
  }
  const name = named ?? standard;
  return readPolicies({ name, text: textFrom(name) });
}

/**
 * What a run breaks of policies: what it declares, then what it would do. Of unchanged records,
 * those that the preview lists are judged; where it leaves some out, the policies about records are
 * not judged in full.
 */
export function judgeRun(
  policies: readonly PolicyEntry[],
  plan: Plan,
  { resources, unlisted }: PreviewedResources,
): ReturnType<typeof judgePlan> {
  const records = resources.flatMap((each) => recordOfResource(each, plan.organization) ?? []);
  const { violations, unjudged } = judgePlan(policies, plan);
  const context = { stack: plan.stack === '' ? undefined : plan.stack, now: new Date() };
  const placed = judgeRecords(policies, records, context).map((each) => {
    const at = resources.find(({ token, logicalName }) => token === each.kind && logicalName === each.logicalName)?.at;
    return at === undefined ? each : { ...each, at };
  });
  const unlistedToo = unlistedPolicies(policies, { stack: plan.stack, unlisted });
  return { violations: [...placed, ...violations], unjudged: [...unlistedToo, ...unjudged] };
}
