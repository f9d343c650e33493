// The shop of the stories as data, and its edits: two linked platforms, one environment on one cloud.
import type { ComponentSpec, EnvironmentSpec, PlatformSpec, StackSpec } from './stack-spec';

/** Where its environment is. */
export const PROD = { assembly: 'shop', environment: 'prod' };

/** An attachment of `web/deployer`. */
export const MOTD = { path: '/etc/motd', content: 'hello' };

/** A user with an attachment. */
export const DEPLOYER: ComponentSpec = {
  type: 'user',
  attributes: { username: 'deployer' },
  attachments: { motd: MOTD },
};

/** A platform that links to `db`. */
export const WEB: PlatformSpec = {
  links: ['db'],
  components: { compute: { attributes: { size: 'M' } }, deployer: DEPLOYER },
};

/** Clouds of an environment: east alone. */
export const EAST = { east: { priority: 1 } };
/** Clouds of an environment: west alone. */
export const WEST = { west: { priority: 1 } };
/** Clouds of an environment: both, with these priorities. */
export const priorities = (east: number, west: number) => ({ east: { priority: east }, west: { priority: west } });

/** Two linked platforms, one environment on one cloud. */
export const SHOP: StackSpec = { platforms: { web: WEB, db: {} }, environments: { prod: { clouds: EAST } } };
/** The same without an environment. */
export const DESIGN: StackSpec = { ...SHOP, environments: {} };

/** A stack whose platform web is changed. */
export const withWeb = (change: Partial<PlatformSpec>, of: StackSpec = SHOP): StackSpec => ({
  ...of,
  platforms: { ...of.platforms, web: { ...of.platforms?.['web'], ...change } },
});

/** A stack whose platform web has these components, too. */
export const withComponents = (components: PlatformSpec['components'], of: StackSpec = SHOP): StackSpec =>
  withWeb({ components: { ...of.platforms?.['web']?.components, ...components } }, of);

/** The shop with its user changed. */
export const withDeployer = (change: Partial<ComponentSpec>, of: StackSpec = SHOP): StackSpec =>
  withComponents({ deployer: { ...DEPLOYER, ...change } }, of);

/** A stack whose environment prod is changed. */
export const withProd = (change: Partial<EnvironmentSpec>, of: StackSpec = SHOP): StackSpec => ({
  ...of,
  environments: { ...of.environments, prod: { ...of.environments?.['prod'], ...change } },
});

/** A stack without the platform web. */
export const withoutWeb = (of: StackSpec = SHOP): StackSpec => {
  const { web: _, ...platforms } = of.platforms ?? {};
  return { ...of, platforms };
};

/** The platform web under another name, and the same logical name. */
export const renamed = (of: StackSpec): StackSpec => {
  const { web, ...rest } = of.platforms ?? {};
  return { ...of, platforms: { front: { ...web, logical: 'web' }, ...rest } };
};

/** A stack with the platform cache. */
export const withCache = (cache: PlatformSpec, of: StackSpec): StackSpec => ({
  ...of,
  platforms: { ...of.platforms, cache },
});

/** The shop with a second user of web. */
export const helper = (more: object = {}): StackSpec =>
  withComponents({ helper: { type: 'user', attributes: { username: 'helper' }, ...more } });

/** The same, with the attachment of the first one moved to the second. */
export const MOVED = withComponents(
  { deployer: { ...DEPLOYER, attachments: {} } },
  helper({ attachments: { motd: MOTD } }),
);

/** The shop on two clouds, on the same the other way round, and on the other one alone. */
export const BOTH = withProd({ clouds: priorities(1, 2) });
export const SWAPPED = withProd({ clouds: priorities(2, 1) });
export const ON_WEST = withProd({ clouds: WEST });

/** An attachment changed: something to deploy on web. */
export const CHANGED = withDeployer({ attachments: { motd: { ...MOTD, content: 'bye' } } });

/** The storefront of examples/storefront, as data. */
export const STOREFRONT: StackSpec = {
  assembly: 'storefront',
  platforms: {
    web: {
      pack: 'tomcat',
      description: 'Shop front',
      links: ['db'],
      components: {
        compute: { attributes: { size: 'M' } },
        tomcat: { attributes: { max_threads: '100' } },
        deployer: {
          type: 'user',
          attributes: { username: 'deployer', sudoer: true },
          attachments: { motd: { path: '/etc/motd', content: 'Welcome.' }, licences: { path: '/opt/licences.tgz' } },
        },
      },
    },
    db: { pack: 'mysql', components: { mysql: { attributes: { port: '3307' } } } },
    cache: { pack: 'redisio' },
  },
  environments: {
    staging: { clouds: { east: { priority: 1 } } },
    prod: {
      availability: 'redundant',
      clouds: { east: { priority: 1 }, west: { priority: 2, pctScale: 50 } },
      platforms: { web: { west: { dpmtOrder: 2 } } },
    },
  },
};
