// The stacks that the outage law looks at.
import type { StackSpec } from './stack-spec';

const EAST = { priority: 1 };
const BOTH = { east: EAST, west: EAST };

const withProd = (prod: NonNullable<StackSpec['environments']>[string]): StackSpec => ({
  variables: { LEVEL: 'warn' },
  platforms: {
    web: {
      pack: 'tomcat',
      variables: { HEAP: '1g' },
      components: {
        compute: { attributes: { size: 'M' }, attachments: { motd: { path: '/etc/motd', content: 'hello' } } },
      },
    },
    db: { pack: 'mysql' },
  },
  environments: { prod },
});

/** Stacks by name: scaled over two clouds, the same where another user deploys, single on one, with entries of the environment's own, and with a part of its scaling. */
const STACKS = {
  redundant: withProd({ clouds: BOTH, availability: 'redundant' }),
  elsewhere: withProd({ clouds: BOTH, availability: 'redundant', deploy: false }),
  single: withProd({ clouds: { east: EAST } }),
  declared: withProd({
    clouds: BOTH,
    availability: 'redundant',
    variables: { LEVEL: 'info' },
    platforms: { web: { east: { pctScale: 100 } } },
  }),
  scaled: withProd({
    clouds: BOTH,
    availability: 'redundant',
    switches: { web: { scale: { compute: { stepUp: 2 } } } },
  }),
} satisfies { readonly [name: string]: StackSpec };

export type StackName = keyof typeof STACKS;
export const OUTAGE_STACKS: { readonly [name in StackName]: StackSpec } = STACKS;
export const STACK_NAMES = Object.keys(STACKS) as readonly StackName[];
