// Rules about deployments: when they may run, what they say, and whose work they may cancel.
import { z } from 'zod';
import { effectiveText, effectiveValue, policyRule, type PolicyRule } from '../../policy-rule';
import { isFrozen, windowShape, windowText } from './freeze-window';

const stack = (settings: string): string => `assembly: { name: shop, owner: team@acme.io }
platforms:
  web: { pack: oneops/tomcat:1 }
environments:
  prod:
    clouds: { east: { priority: 1 } }
    deploy: { ${settings} }
`;

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    // SyntaxError: it is none.
    return false;
  }
}

/** Rules about deployments. */
export const deploymentPolicies: readonly PolicyRule[] = [
  policyRule({
    name: 'freeze',
    demands:
      'Nothing is deployed, and nothing that runs is taken down, in a freeze window. Judged in runs and planned runs, by the clock of the machine that judges. A policy pack sees no deletions: only `preview-comment` and `plan verify` refuse one that takes down what runs.',
    parameters: z.strictObject({
      windows: z.array(windowShape).min(1).describe('Windows in which nothing is deployed'),
    }),
    sample: {
      parameters: { windows: [{ from: '2020-01-01T00:00Z', to: '2120-01-01T00:00Z' }] },
      wrong: stack('comment: roll-out'),
      right: stack('comment: roll-out').replace(/deploy: .*/, 'deploy: false'),
    },
    ofLeaving: true,
    judge: (record, { windows }, { now }) => {
      // What is retained continues to run.
      if (record.leaves && effectiveValue(record, 'onDelete') === 'retain') return [];
      const does = record.leaves ? 'is deleted, which takes down what runs,' : 'would run';
      return windows
        .filter((window) => now !== undefined && isFrozen(window, now))
        .map((window) => ({ message: `${does} in a freeze window: ${windowText(window)}` }));
    },
  }),
  policyRule({
    name: 'deployment-comment',
    demands: 'Each deployment has a comment of a form, for example with the number of a change request.',
    parameters: z.strictObject({
      pattern: z
        .string()
        .refine(isPattern, 'must be a regular expression')
        .default('.')
        .describe('Regular expression that the comment matches'),
    }),
    sample: {
      parameters: { pattern: 'CHG[0-9]+' },
      wrong: stack('comment: roll-out'),
      right: stack('comment: CHG1234 roll-out'),
    },
    judge(record, { pattern }) {
      const comment = effectiveText(record, 'comment');
      if (comment === undefined || new RegExp(pattern).test(comment)) return [];
      return [{ message: `has no comment that matches ${pattern}`, path: ['comment'] }];
    },
  }),
  policyRule({
    name: 'no-cancelling',
    demands: 'No deployment cancels the deployment of another user.',
    parameters: z.strictObject({}),
    sample: { parameters: {}, wrong: stack('when_busy: proceed'), right: stack('when_busy: wait') },
    judge: (record) =>
      effectiveValue(record, 'whenBusy') === 'proceed'
        ? [
            {
              message: 'cancels deployments of other users: fail or wait is required',
              path: ['whenBusy'],
              remedy: { whenBusy: 'wait' },
            },
          ]
        : [],
  }),
];
