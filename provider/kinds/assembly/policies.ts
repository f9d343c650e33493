// Rules about assemblies.
import { z } from 'zod';
import { effectiveText, matchesAny, patterns, policyRule, type PolicyRule } from '../../policy-rule';

const stack = (owner: string): string => `assembly: { name: shop, ${owner} }\n`;

/** Rules about assemblies. */
export const assemblyPolicies: readonly PolicyRule[] = [
  policyRule({
    name: 'owner-domain',
    demands: 'Each assembly has an owner, whose e-mail address is in an allowed domain.',
    parameters: z.strictObject({ domains: patterns('Allowed domains: `acme.io`, `*.acme.io`') }),
    sample: {
      parameters: { domains: ['acme.io', '*.acme.io'] },
      wrong: stack('owner: team@example.com'),
      right: stack('owner: team@shop.acme.io'),
    },
    judge(record, { domains }) {
      const owner = effectiveText(record, 'owner');
      if (owner === undefined) return [];
      const domain = /@([^@]*)$/.exec(owner)?.[1] ?? '';
      const inLowerCase = (text: string): string => text.toLowerCase();
      if (matchesAny(domains.map(inLowerCase), inLowerCase(domain))) return [];
      const said = owner === '' ? 'has no owner' : `has the owner ${owner}`;
      return [{ message: `${said}; an address in ${domains.join(' or ')} is required`, path: ['owner'] }];
    },
  }),
];
