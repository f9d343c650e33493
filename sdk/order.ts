// What a resource comes after although no argument of it says so: the clouds an environment runs on, primaries, deployments (flows §6).
// It must not know how resources are registered.
import { output, Output, type Input } from '@pulumi/pulumi/output';
import { Resource, type CustomResource } from '@pulumi/pulumi/resource';
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

interface Values {
  readonly [name: string]: unknown;
}

/** A resource that is being registered. */
interface Registering {
  /** Arguments as given. */
  readonly given: Values;
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
 * one (flows §3.7). What they declare is waited for, except of those that cannot be declared before this one is.
 */
async function primaries({ given, words, scope, tree }: Registering): Promise<readonly Declared[]> {
  const siblings = await tree.within({ ...scope, address: { ...scope.address, platform: words['platform'] } });
  const owner = (await tree.within(scope)).find((declared) => declared.of === environment);
  const clouds = await valueOf(output((owner?.args['clouds'] ?? {}) as Input<Links>));
  if (await isPrimary(given, words['cloud'], clouds)) return [];
  const own = siblings.find(({ args }) => args === given);
  const candidates = siblings.filter(
    (sibling) =>
      sibling.of === cloudConfiguration && sibling !== own && !(own && comesAfter(sibling.args, own.resource, tree)),
  );
  const verdicts = await Promise.all(candidates.map(({ args, address }) => isPrimary(args, address['cloud'], clouds)));
  return candidates.filter((_, index) => verdicts[index]);
}

interface Links {
  readonly [cloud: string]: CloudLink;
}

/** Whether a cloud configuration makes its cloud an active one of priority 1; not while that is unknown, as in a preview. */
async function isPrimary(link: Values, cloud: Input<string | undefined>, clouds: Links | undefined): Promise<boolean> {
  const name = await valueOf(cloud);
  const inherited = clouds !== undefined && name !== undefined && Object.hasOwn(clouds, name) ? clouds[name] : {};
  const settled = async (member: 'adminstatus' | 'priority', base: unknown): Promise<unknown> =>
    link[member] === undefined || link[member] === null ? (inherited?.[member] ?? base) : await valueOf(link[member]);
  return (await settled('adminstatus', 'active')) === 'active' && (await settled('priority', 1)) === 1;
}

/** Whether arguments are made of a resource, or of others that are: as far as the program tells before anything is known. */
function comesAfter(args: unknown, resource: Resource, tree: Tree, seen = new Set<unknown>()): boolean {
  if (typeof args !== 'object' || args === null || seen.has(args)) return false;
  seen.add(args);
  const inside = (value: unknown): boolean => comesAfter(value, resource, tree, seen);
  if (Resource.isInstance(args)) return args === resource || inside(tree.of(args as CustomResource)?.args);
  if (Output.isInstance(args)) return [...sourcesOf(args)].some(inside);
  return Object.values(args).some(inside);
}

/** Resources an output is known to come from at once, without waiting for it. */
const sourcesOf = (value: object): ReadonlySet<Resource> =>
  (value as { resources(): ReadonlySet<Resource> }).resources();

/** The deployment that makes the instances a procedure runs on. */
async function deployments({ scope, tree }: Registering): Promise<readonly Declared[]> {
  return (await tree.within(scope)).filter(({ of }) => of === deployment);
}
