// Rules about monitors.
import { demandsValue, type PolicyRule } from '../../policy-rule';

const stack = (settings: string): string => `assembly: { name: shop, owner: team@acme.io }
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      compute:
        monitors:
          heap: { cmd: check_heap, custom: true, ${settings} }
`;

/** Rules about monitors. */
export const monitorPolicies: readonly PolicyRule[] = [
  demandsValue({
    name: 'monitors-enabled',
    demands: 'No declared monitor is switched off.',
    argument: 'enable',
    value: true,
    message: 'is switched off',
    sample: { parameters: {}, wrong: stack('enable: false'), right: stack('enable: true') },
  }),
];
