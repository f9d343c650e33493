// The policy file of a command, the one that is named or the one in the current folder; and its rules as people read about them.
// It must not know any single rule.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toJSONSchema } from 'zod';
import type { Plan, PreviewedResources } from '../preview';
import {
  isPlanRule,
  judgePlan,
  judgeRecords,
  kindsOf,
  POLICY_FILE,
  readPolicies,
  recordOfResource,
  unlistedPolicies,
  type PolicyEntry,
  type Rule,
} from '../policy';
import { textFrom } from './project';

/** The option that names a policy file. */
export const POLICIES_OPTION = { policies: { type: 'string' } } as const;

/** Names that people give the file by mistake: policies that nobody judges must not look as if nothing broke them. */
const NEAR_NAMES = ['policies.yml', 'policy.yml', 'policies.json'];

/** The policies that hold in a folder, the current one by default; none without a file. Throws Error with `file:line` for a file that cannot be used. */
export function policiesHere(named: string | undefined, directory = '.'): readonly PolicyEntry[] {
  const standard = join(directory, POLICY_FILE);
  if (named === undefined && !existsSync(standard)) {
    const other = NEAR_NAMES.map((each) => join(directory, each)).find((each) => existsSync(each));
    if (other === undefined) return [];
    throw new Error(`${other} is not read: call it ${POLICY_FILE}, or name it with --policies`);
  }
  const name = named ?? standard;
  return readPolicies({ name, text: textFrom(name) });
}

/**
 * What a run breaks of policies: what it declares, then what it would do. Of unchanged records, those that the preview lists are judged; where it
 * leaves some out, the policies about records are not judged in full.
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

/** A rule as people read about it. */
export interface DescribedRule {
  readonly rule: string;
  readonly demands: string;
  /** What it judges: kinds of records, every record, or planned runs. */
  readonly judges: string;
  readonly parameters: readonly { readonly name: string; readonly description: string; readonly default?: unknown }[];
}

/** What a rule demands, and its parameters. */
export function describeRule(rule: Rule): DescribedRule {
  const { properties = {} } = toJSONSchema(rule.parameters, { io: 'input', unrepresentable: 'any' });
  return {
    ...{ rule: rule.name, demands: rule.demands, judges: judgedBy(rule) },
    parameters: Object.entries(properties).map(([name, shape]) => {
      const { description = '', default: standard } = typeof shape === 'object' ? shape : {};
      return { name, description, ...(standard === undefined ? {} : { default: standard }) };
    }),
  };
}

function judgedBy(rule: Rule): string {
  if (isPlanRule(rule)) return rule.needsLive ? 'planned runs, with --live' : 'planned runs';
  const tokens = kindsOf(rule);
  return tokens.length === 0 ? 'every record' : tokens.join(', ');
}
