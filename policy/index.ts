// The door of policies: what an organization demands, and what breaks it.
export {
  declaredRecords,
  findingAt,
  judgePlan,
  judgeRecords,
  liveRecords,
  POLICY_FILE,
  recordOfResource,
  unlistedPolicies,
  unmatchedNames,
  violationLines,
  type KnownNames,
  type PolicyViolation,
  type UnjudgedPolicy,
} from './judge';
export { POLICY_LEVELS, readPolicies, type PolicyEntry } from './policy-file';
export { isPlanRule, kindsOf, ruleOf, RULE_NAMES, type JudgedRecord, type Rule } from './rules';
