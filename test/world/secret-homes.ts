// A stack with a secret in every place that may contain one, and what another user does to these places.
import type { Api } from '../../api/client';
import { routes, type Route } from '../../api/contract';
import { handOf } from './hand';
import type { Declared } from './engine-simulation';
import { EAST } from './shop-spec';
import { resourcesOf, type StackSpec } from './stack-spec';
import type { World } from './world';

const AT = { assembly: 'shop' };
const PROD = { ...AT, environment: 'prod' };

/** A place that contains a secret. */
export interface Home {
  readonly title: string;
  /** What the engine knows the resource by. */
  readonly key: string;
  /** Id of the resource. */
  readonly id: string;
  /** Path of the argument, as findings show it. */
  readonly attribute: string;
  /** Wire name of the secret. */
  readonly wire: string;
  /** Another attribute of the record that the stack does not declare, where it has one. */
  readonly beside?: string;
  readonly declared: string;
  readonly route: Pick<typeof routes.components, 'read' | 'update'>;
  readonly at: { readonly [parameter: string]: string };
  readonly stage: 'design' | 'environment' | 'none';
}

/** The routes of one kind of record, of which these tests use what all have in common. */
const routesOf = (of: { readonly read: Route; readonly update: Route }): Home['route'] => of as never;

export const HOMES: readonly Home[] = [
  {
    title: 'a variable of the assembly',
    key: 'Variable::variables/KEY',
    id: 'acme/shop/variables/KEY',
    attribute: 'encryptedValue',
    wire: 'encrypted_value',
    declared: 'canary-design',
    route: routesOf(routes.designVariables),
    at: { ...AT, variable: 'KEY' },
    stage: 'design',
  },
  {
    title: 'a variable of a platform',
    key: 'Variable::platforms/web/variables/TOKEN',
    id: 'acme/shop/platforms/web/variables/TOKEN',
    attribute: 'encryptedValue',
    wire: 'encrypted_value',
    declared: 'canary-platform',
    route: routesOf(routes.platformVariables),
    at: { ...AT, platform: 'web', variable: 'TOKEN' },
    stage: 'design',
  },
  {
    title: 'a variable of an environment',
    key: 'Variable::environments/prod/variables/KEY',
    id: 'acme/shop/environments/prod/variables/KEY',
    attribute: 'encryptedValue',
    wire: 'encrypted_value',
    declared: 'canary-prod',
    route: routesOf(routes.environmentVariables),
    at: { ...PROD, variable: 'KEY' },
    stage: 'environment',
  },
  {
    title: 'a component of a pack',
    key: 'Component::db/mysql',
    id: 'acme/shop/db/mysql',
    attribute: 'attributes.password',
    wire: 'password',
    beside: 'version',
    declared: 'canary-component',
    route: routesOf(routes.components),
    at: { ...AT, platform: 'db', component: 'mysql' },
    stage: 'design',
  },
  {
    title: 'an attachment',
    key: 'Attachment::web/licence',
    id: 'acme/shop/web/deployer/licence',
    attribute: 'basicAuthPassword',
    wire: 'basic_auth_password',
    beside: 'checksum',
    declared: 'canary-attachment',
    route: routesOf(routes.attachments),
    at: { ...AT, platform: 'web', component: 'deployer', attachment: 'licence' },
    stage: 'design',
  },
  {
    title: 'a service of a cloud',
    key: 'CloudService::nova',
    id: 'acme/north/nova',
    attribute: 'attributes.password',
    wire: 'password',
    beside: 'region',
    declared: 'canary-service',
    route: routesOf(routes.cloudServices),
    at: { cloud: 'north', service: 'nova' },
    stage: 'none',
  },
];

const declaredIn = (title: string): string => HOMES.find((home) => home.title === title)?.declared ?? '';

const SHOP: StackSpec = {
  variables: { KEY: { encryptedValue: declaredIn('a variable of the assembly') } },
  platforms: {
    web: {
      pack: 'custom',
      variables: { TOKEN: { encryptedValue: declaredIn('a variable of a platform') } },
      components: {
        deployer: {
          type: 'user',
          attributes: { username: 'deployer', description: 'deploys' },
          attachments: {
            licence: {
              path: '/opt/licence',
              source: 'http://files.acme.io/licence',
              basicAuthUser: 'reader',
              basicAuthPassword: declaredIn('an attachment'),
            },
          },
        },
      },
    },
    db: {
      pack: 'mysql',
      components: { mysql: { attributes: { password: declaredIn('a component of a pack'), port: '3307' } } },
    },
  },
  environments: {
    prod: { clouds: EAST, variables: { KEY: { encryptedValue: declaredIn('a variable of an environment') } } },
  },
};

const CLOUD: readonly Declared[] = [
  { key: 'Cloud::north', token: 'Cloud', args: { name: 'north', location: 'aws' } },
  {
    key: 'CloudService::nova',
    token: 'CloudService',
    args: {
      cloud: 'north',
      name: 'nova',
      attributes: {
        endpoint: 'https://nova.acme.io',
        tenant: 'acme',
        username: 'deployer',
        password: declaredIn('a service of a cloud'),
      },
    },
    after: ['Cloud::north'],
    deletedWith: 'Cloud::north',
  },
];

/** The resources of the stack; `adopt`: with `adopt: true` on each that contains a secret. */
export const resources = ({ adopt = false } = {}): readonly Declared[] =>
  [...CLOUD, ...resourcesOf(SHOP)].map((each) =>
    adopt && HOMES.some(({ key }) => key === each.key) ? { ...each, args: { ...each.args, adopt: true } } : each,
  );

/** Writes attributes of a record as a user does; the change is open where changes are committed. */
export async function write(api: Api, home: Home, ciAttributes: { readonly [name: string]: string }): Promise<void> {
  const { ciId, ciName } = await api.call(home.route.read, { address: home.at });
  const record = { ciId, ciName, ciAttributes };
  const body = home.stage === 'none' ? { cms_ci: record } : { cms_dj_ci: record };
  await api.call(home.route.update, { address: home.at, body });
}

/** Commits what a user left open, in the design or the environment. Nothing where changes take effect immediately. */
export async function commit(api: Api, { stage }: Home): Promise<void> {
  if (stage === 'design') await handOf(api).commit();
  if (stage === 'environment') await api.call(routes.environments.commit, { address: PROD, body: {} });
}

/** Whether a record contains the secret that is declared: the service notes no change when it is sent the one that it contains. Leaves nothing open. */
export async function holdsDeclared({ other, clock }: World, home: Home): Promise<boolean> {
  const stamp = async (): Promise<string> => {
    const found = await other.call(home.route.read, { address: home.at });
    return [found.rfcId, found.rfcUpdated, found.lastAppliedRfcId, found.updated].join(' ');
  };
  const before = await stamp();
  clock.advance(1000);
  await write(other, home, { [home.wire]: home.declared });
  return (await stamp()) === before;
}
