// What a resource comes after although no argument of it says so: the clouds an environment runs on, primaries, deployments (flows §6).
// It must not know how resources are registered.
import type { Input } from '@pulumi/pulumi/output';
import type { CustomResource } from '@pulumi/pulumi/resource';
import {
  cloud,
  cloudConfiguration,
  cloudService,
  deployment,
  environment,
  procedure,
  type CloudLink,
  type Kind,
} from '../provider';
import { valueOf, type Declared, type Scope, type Tree } from './tree';

/** A resource that is being registered. */
interface Registering {
  /** Arguments as given. */
  readonly given: { readonly [name: string]: unknown };
  readonly words: Declared['address'];
  readonly scope: Scope;
  readonly tree: Tree;
}

type Predecessors = (registering: Registering) => Promise<readonly Declared[]>;

const ORDER: ReadonlyMap<Kind, Predecessors> = new Map<Kind, Predecessors>([
  [environment, cloudsOfEnvironment],
  [cloudConfiguration, primaries],
  [procedure, deployments],
]);

/** Resources of the program that one of a kind comes after; undefined for kinds whose arguments say it all. */
export function predecessors(of: Kind, registering: Registering): Promise<readonly CustomResource[]> | undefined {
  return ORDER.get(of)?.(registering).then((found) => found.map(({ resource }) => resource));
}

/** Clouds the program makes and the environment names, with their services: a plan needs both. All of them while the names are not known. */
async function cloudsOfEnvironment({ given, scope, tree }: Registering): Promise<readonly Declared[]> {
  const links = await valueOf(given['clouds'] as Input<object | undefined>);
  const isUnknown = links === undefined && given['clouds'] !== undefined;
  const all = await tree.within({ provider: scope.provider, address: {} });
  const named = all.map(async (declared) => {
    const argument = declared.of === cloud ? 'name' : declared.of === cloudService ? 'cloud' : undefined;
    if (argument === undefined) return [];
    const name = await valueOf(declared.address[argument]);
    return isUnknown || (name !== undefined && Object.hasOwn(links ?? {}, name)) ? [declared] : [];
  });
  return (await Promise.all(named)).flat();
}

/**
 * Cloud configurations that give the same platform an active cloud of priority 1: the service refuses a write that leaves a platform without
 * one (flows §3.7).
 */
async function primaries({ given, words, scope, tree }: Registering): Promise<readonly Declared[]> {
  const siblings = await tree.within({ ...scope, address: { ...scope.address, platform: words['platform'] } });
  const owner = (await tree.within(scope)).find((declared) => declared.of === environment);
  const clouds = (owner?.args['clouds'] ?? {}) as { readonly [cloud: string]: CloudLink };
  const isPrimary = (link: CloudLink, name: unknown): boolean => {
    const inherited = typeof name === 'string' ? clouds[name] : undefined;
    return (
      (link.adminstatus ?? inherited?.adminstatus ?? 'active') === 'active' &&
      (link.priority ?? inherited?.priority ?? 1) === 1
    );
  };
  if (isPrimary(given, words['cloud'])) return [];
  return siblings.filter(
    ({ of, args, address }) => of === cloudConfiguration && isPrimary(args as CloudLink, address['cloud']),
  );
}

/** The deployment that makes the instances a procedure runs on. */
async function deployments({ scope, tree }: Registering): Promise<readonly Declared[]> {
  return (await tree.within(scope)).filter(({ of }) => of === deployment);
}
