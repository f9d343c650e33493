// Rules about platforms of a design: the packs they come from.
import { z } from 'zod';
import { effectiveValue, matchesAny, patterns, policyRule, type PolicyRule } from '../../policy-rule';

const stack = (pack: string): string =>
  `assembly: { name: shop, owner: team@acme.io }\nplatforms:\n  web: { pack: ${pack} }\n`;

/** Rules about platforms of a design. */
export const platformPolicies: readonly PolicyRule[] = [
  policyRule({
    name: 'packs-allowed',
    demands: 'Each platform comes from an allowed pack and version.',
    parameters: z.strictObject({
      allowed: patterns('Allowed packs, as source/pack:version: `oneops/tomcat:1`, `oneops/*`'),
    }),
    sample: {
      parameters: { allowed: ['oneops/tomcat:1', 'oneops/mysql:*'] },
      wrong: stack('oneops/custom:1'),
      right: stack('oneops/tomcat:1'),
    },
    judge(record, { allowed }) {
      const parts = ['source', 'pack', 'version'].map((name) => effectiveValue(record, name));
      if (parts.some((part) => part === undefined || part === '')) return [];
      const [source, pack, version] = parts;
      const named = `${String(source)}/${String(pack)}:${String(version)}`;
      if (matchesAny(allowed, named)) return [];
      return [{ message: `comes from pack ${named}; allowed are ${allowed.join(', ')}`, path: ['pack'] }];
    },
  }),
];
