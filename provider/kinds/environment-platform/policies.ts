// Rules about platforms in environments: whether they run, and how many instances they have.
import { z } from 'zod';
import { demandsValue, policyRule, type PolicyRule } from '../../policy-rule';
import { holdsUnknown } from '../../unknown';
import { autorepairRule } from '../environment/policies';
import { scaleIn } from './scaling';

const stack = (settings: string): string => `assembly: { name: shop, owner: team@acme.io }
platforms:
  web: { pack: oneops/tomcat:1 }
environments:
  prod:
    availability: redundant
    clouds: { east: { priority: 1 } }
    platforms:
      web: { ${settings} }
`;

/** Rules about platforms in environments. */
export const environmentPlatformPolicies: readonly PolicyRule[] = [
  autorepairRule,
  demandsValue({
    name: 'no-disabled-platform',
    demands: 'No platform is taken down in an environment.',
    argument: 'enabled',
    value: true,
    message: 'is disabled: its instances go with the next deployment',
    sample: { parameters: {}, wrong: stack('enabled: false'), right: stack('autorepair: true') },
  }),
  policyRule({
    name: 'scale-at-most',
    demands: 'No component of a platform has more instances in an environment than a limit.',
    parameters: z.strictObject({
      most: z.int().min(1).describe('Largest number of instances of one component on each cloud'),
    }),
    sample: {
      parameters: { most: 6 },
      wrong: stack('scale: { compute: { current: 8, min: 2, max: 8 } }'),
      right: stack('scale: { compute: { current: 4, min: 2, max: 6 } }'),
    },
    judge: ({ args: { scale } }, { most }) =>
      Object.entries(holdsUnknown(scale) ? {} : scaleIn(scale)).flatMap(([component, { current, min, max }]) => {
        const largest = Math.max(...[current, min, max].filter((each) => typeof each === 'number'));
        if (largest <= most) return [];
        return [
          {
            message: `has up to ${largest} instances of ${component}; at most ${most} are allowed`,
            path: ['scale', component],
          },
        ];
      }),
  }),
];
