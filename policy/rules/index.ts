// The door of the rules that a policy can choose: about declared records, and planned runs.
import { DEPLOYMENT_RULES } from './deployment';
import { DESIGN_RULES } from './design';
import { ENVIRONMENT_RULES } from './environment';
import { PLAN_RULES, type PlanRule } from './plans';
import { RECORD_RULES } from './records';
import type { PolicyRule } from './rule';

export type { PlanRule } from './plans';
export type { JudgedRecord } from './rule';

export type Rule = PolicyRule | PlanRule;

const RULES: readonly Rule[] = [
  ...DESIGN_RULES,
  ...ENVIRONMENT_RULES,
  ...DEPLOYMENT_RULES,
  ...RECORD_RULES,
  ...PLAN_RULES,
];
const byName = new Map(RULES.map((rule) => [rule.name, rule]));

export const RULE_NAMES: readonly string[] = [...byName.keys()];

export const ruleOf = (name: string): Rule | undefined => byName.get(name);

export const isPlanRule = (rule: Rule): rule is PlanRule => 'needsLive' in rule;

/** Tokens of the kinds whose records a rule judges; none for one that judges all. */
export const kindsOf = ({ kinds = [] }: PolicyRule): readonly string[] => kinds.map(({ token }) => token);
