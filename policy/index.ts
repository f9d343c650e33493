// The door of policies: what an organization demands of what is declared and planned, and what breaks it.
export { declaredRecords, findingAt, recordOfResource } from './declared';
export { liveRecords } from './live';
export { judgePlan, judgeRecords, unlistedPolicies, type PolicyViolation, type UnjudgedPolicy } from './judge';
export { POLICY_LEVELS, readPolicies, type PolicyEntry } from './policy-file';
export { POLICY_FILE, violationLines } from './report';
export { isPlanRule, kindsOf, ruleOf, RULE_NAMES, type JudgedRecord, type Rule } from './rules';
export { unmatchedNames, type KnownNames } from './unmatched';
