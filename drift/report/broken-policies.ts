// The policies that a review or a stack of a fleet breaks, in the words and the order of every report.
import type { BrokenPolicy, Review } from '../review/review';
import { oneLine } from './shown-text';

/** The policies that are broken, mandatory ones first. */
export const brokenPolicies = ({ policies = [] }: Pick<Review, 'policies'>): readonly BrokenPolicy[] =>
  [...policies].sort((left, right) => Number(right.level === 'mandatory') - Number(left.level === 'mandatory'));

/** Whether a broken policy counts for the outcome. */
export const isMandatory = ({ level }: BrokenPolicy): boolean => level === 'mandatory';

/** `policy two-clouds (mandatory): Environment shop/prod has 1 active cloud`. */
export const policyText = ({ policy, level, message }: BrokenPolicy): string =>
  oneLine(`policy ${policy} (${level}): ${message}`);
