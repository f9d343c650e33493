// Every rule that a policy can choose: those of the kinds, those of every record, those of planned runs.
// It must not know any single kind.
import { kinds, type PolicyRule } from '../provider';
import { PLAN_RULES, type PlanRule } from './plan-rules';
import { RECORD_RULES } from './record-rules';

/** A rule by what it judges. */
export type Rule = PolicyRule | PlanRule;

/** The rules of every kind with the kinds that have them, each rule once. */
const KIND_RULES: readonly PolicyRule[] = [...new Set(kinds.flatMap(({ policies = [] }) => policies))];

const RULES: readonly Rule[] = [...KIND_RULES, ...RECORD_RULES, ...PLAN_RULES];
const byName = new Map(RULES.map((rule) => [rule.name, rule]));

/** Names of all rules. */
export const RULE_NAMES: readonly string[] = [...byName.keys()];

/** The rule of a name. */
export const ruleOf = (name: string): Rule | undefined => byName.get(name);

/** Whether a rule judges planned runs. */
export const isPlanRule = (rule: Rule): rule is PlanRule => 'needsLive' in rule;

/** Tokens of the kinds whose records a rule judges; none for one that judges all. */
export const kindsOf = (rule: PolicyRule): readonly string[] =>
  kinds.filter(({ policies = [] }) => policies.includes(rule)).map(({ token }) => token);
