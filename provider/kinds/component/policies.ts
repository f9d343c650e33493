// Rules about components, of a design and in environments: the values of their attributes.
import { z } from 'zod';
import { isPlainObject, valueIn } from '../../plain-object';
import { matchesAny, patterns, policyRule, type PolicyRule } from '../../policy-rule';
import { textAt } from '../../text-at';
import { holdsUnknown } from '../../unknown';

const stack = (size: string): string => `assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      compute: { size: ${size} }
`;

/** Rules about components of a design, and what differs from it in an environment. */
export const componentPolicies: readonly PolicyRule[] = [
  policyRule({
    name: 'attribute-values',
    demands:
      'An attribute of components has an allowed value where it is declared, in the design or in an environment.',
    parameters: z.strictObject({
      types: patterns('Templates of the components: `compute`, `*`').default(['*']),
      attribute: z.string().describe('Name of the attribute'),
      allowed: patterns('Allowed values').optional(),
      least: z.number().describe('Least number').optional(),
      most: z.number().describe('Largest number').optional(),
    }),
    sample: {
      parameters: { types: 'compute', attribute: 'size', allowed: ['S', 'M', 'L'] },
      wrong: stack('XXL'),
      right: stack('L'),
    },
    judge({ args }, { types, attribute, allowed, least, most }) {
      // In an environment the type may be left out; the component may then be of any.
      const { type } = args;
      if (typeof type === 'string' && !matchesAny(types, type)) return [];
      const { attributes } = args;
      if (!isPlainObject(attributes)) return [];
      const given = valueIn(attributes, [attribute]);
      const values = Array.isArray(given)
        ? given.map((each: unknown) => textAt({ each }, 'each'))
        : [textAt(attributes, attribute)];
      const faults = (value: string): readonly string[] => [
        ...(allowed === undefined || matchesAny(allowed, value) ? [] : [`allowed are ${allowed.join(', ')}`]),
        ...(least === undefined || Number(value) >= least ? [] : [`at least ${least} is required`]),
        ...(most === undefined || Number(value) <= most ? [] : [`at most ${most} is allowed`]),
      ];
      return values
        .filter((value) => value !== '' && !holdsUnknown(value))
        .flatMap((value) => faults(value).map((fault) => `has ${attribute} ${value}; ${fault}`))
        .map((message) => ({ message, path: ['attributes', attribute] }));
    },
  }),
];
