// The shop of the stories as data, and its edits: two linked platforms, one environment on one cloud.
import type { ComponentSpec, EnvironmentSpec, PlatformSpec, StackSpec } from './stack-spec';

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

/** Two linked platforms, one environment on one cloud. */
export const SHOP: StackSpec = { platforms: { web: WEB, db: {} }, environments: { prod: { clouds: EAST } } };

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
