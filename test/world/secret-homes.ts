// A stack with a secret in every place that may contain one, and what another user does there.
import type { Api } from '../../api/client';
import { routes } from '../../api/contract';
import { handOf } from './hand';
import type { Declared } from './engine-simulation';
import { EAST } from './shop-spec';
import { resourcesOf, type StackSpec } from './stack-spec';
import type { World } from './world';

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
  /** As a hand names it. */
  readonly place: string;
}

export const HOMES: readonly Home[] = [
  {
    title: 'a variable of the assembly',
    key: 'Variable::variables/KEY',
    id: 'acme/shop/variables/KEY',
    attribute: 'encryptedValue',
    wire: 'encrypted_value',
    declared: 'canary-design',
    place: '$KEY',
  },
  {
    title: 'a variable of a platform',
    key: 'Variable::platforms/web/variables/TOKEN',
    id: 'acme/shop/platforms/web/variables/TOKEN',
    attribute: 'encryptedValue',
    wire: 'encrypted_value',
    declared: 'canary-platform',
    place: 'web/$TOKEN',
  },
  {
    title: 'a variable of an environment',
    key: 'Variable::environments/prod/variables/KEY',
    id: 'acme/shop/environments/prod/variables/KEY',
    attribute: 'encryptedValue',
    wire: 'encrypted_value',
    declared: 'canary-prod',
    place: 'prod:$KEY',
  },
  {
    title: 'a component of a pack',
    key: 'Component::db/mysql',
    id: 'acme/shop/db/mysql',
    attribute: 'attributes.password',
    wire: 'password',
    beside: 'version',
    declared: 'canary-component',
    place: 'db/mysql',
  },
  {
    title: 'an attachment',
    key: 'Attachment::web/licence',
    id: 'acme/shop/web/deployer/licence',
    attribute: 'basicAuthPassword',
    wire: 'basic_auth_password',
    beside: 'checksum',
    declared: 'canary-attachment',
    place: 'web/deployer/licence',
  },
  {
    title: 'a service of a cloud',
    key: 'CloudService::nova',
    id: 'acme/north/nova',
    attribute: 'attributes.password',
    wire: 'password',
    beside: 'region',
    declared: 'canary-service',
    place: '@north/nova',
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

/** Commits what a user left open. What is of a cloud takes effect immediately. */
export async function commit(api: Api, { place }: Home): Promise<void> {
  const address = { assembly: 'shop', environment: 'prod' };
  if (place.startsWith('prod:')) await api.call(routes.environments.commit, { address, body: {} });
  else if (!place.startsWith('@')) await handOf(api).commit();
}

/**
 * Whether a record contains the secret that is declared: the service notes no change when it is
 * sent the one that it contains. Leaves nothing open.
 */
export async function holdsDeclared({ maria, clock }: World, { place, wire, declared }: Home): Promise<boolean> {
  const stamp = async (): Promise<string> => {
    const { rfcId, rfcUpdated, lastAppliedRfcId, updated } = await maria.read(place);
    return [rfcId, rfcUpdated, lastAppliedRfcId, updated].join(' ');
  };
  const before = await stamp();
  clock.advance(1000);
  await maria.set(place, { [wire]: declared });
  return (await stamp()) === before;
}
