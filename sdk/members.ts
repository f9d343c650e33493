// Arguments that follow from everything else a program declares: members of releases and deployments, and the release an environment runs
// (architecture §5). It must not know how resources are registered.
import { all, output, Output, unsecret, type Input } from '@pulumi/pulumi/output';
import type { Alias, CustomResourceOptions } from '@pulumi/pulumi/resource';
import {
  assembly,
  CLOUD_LINK,
  cloudConfiguration,
  deployment,
  designRelease,
  dynamicType,
  entryNames,
  environment,
  formatMember,
  memberPath,
  openName,
  pluginType,
  type Kind,
} from '../provider';
import { outputOf } from './links';
import { valueOf, type Declared, type Scope, type Tree } from './tree';

type Values = { readonly [name: string]: Input<unknown> };

/** `own` is the address of the resource itself, by argument. */
type Makers = {
  readonly [name: string]: (scope: Scope, tree: Tree, own: Declared['address']) => Input<unknown>;
};

/** What nobody has to write, by kind; each is settled when the program has stopped declaring. */
const DEFERRED: ReadonlyMap<Kind, Makers> = new Map<Kind, Makers>([
  [designRelease, { members: (scope, tree) => membersOf('design', scope, tree) }],
  [environment, { designRelease: releaseOf, configured: configuredOf }],
  [deployment, { members: (scope, tree) => membersOf('environment', scope, tree), clouds: cloudsOf }],
]);

/** What is as somebody else says where a resource says nothing itself: who, nearest first, by kind. */
const INHERITED: ReadonlyMap<Kind, { readonly [name: string]: readonly Kind[] }> = new Map<
  Kind,
  { readonly [name: string]: readonly Kind[] }
>([
  [designRelease, { whenBusy: [assembly] }],
  [environment, { whenBusy: [deployment, assembly] }],
  [deployment, { whenBusy: [assembly] }],
]);

/** Arguments of a resource that follow from the others; those the program gives itself are left to it. */
export function deferredArguments(
  of: Kind,
  given: { readonly [name: string]: unknown },
  scope: Scope,
  tree: Tree,
  own: Declared['address'],
): Values {
  const inherited = Object.entries(INHERITED.get(of) ?? {}).map(
    ([name, from]) => [name, (inner: Scope) => inheritedFrom(from, name, inner, tree, own)] as const,
  );
  const makers = [...Object.entries(DEFERRED.get(of) ?? {}), ...inherited];
  return Object.fromEntries(
    makers.filter(([name]) => given[name] === undefined).map(([name, make]) => [name, make(scope, tree, own)]),
  );
}

/** Arguments of a kind that are filled in from everything declared. */
export const deferredBy = (of: Kind): readonly string[] => Object.keys(DEFERRED.get(of) ?? {});

/** What the nearest of some kinds around a resource, or right inside of it, says for an argument. */
async function inheritedFrom(
  from: readonly Kind[],
  name: string,
  scope: Scope,
  tree: Tree,
  own: Declared['address'],
): Promise<Input<unknown>> {
  for (const of of from) {
    const address =
      of === deployment ? { ...scope.address, environment: own['name'] } : { assembly: scope.address['assembly'] };
    const found = (await tree.within({ ...scope, address })).find((declared) => declared.of === of);
    const value = found?.args[name];
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Every resource of a stage by its path, with what the release has to know of it. Records of other stacks are nobody's members. */
async function membersOf(stage: Kind['stage'], scope: Scope, tree: Tree): Promise<Values> {
  const collected = await tree.collect(stage, scope);
  const entries = collected.map(async (declared) => {
    if ((await valueOf(declared.args['existing'])) === true) return [];
    return [[await pathOf(declared), memberOf(declared)] as const];
  });
  return Object.fromEntries((await Promise.all(entries)).flat());
}

async function pathOf({ of, address }: Declared): Promise<string> {
  if (of === environment) return 'environment';
  const words = Object.entries(address).map(
    async ([argument, word]) => [argument, (await valueOf(word)) ?? ''] as const,
  );
  return memberPath(of, Object.fromEntries(await Promise.all(words)));
}

function memberOf({ of, resource, args, mark }: Declared): Output<string> {
  const open = openName(of);
  const declares = open === undefined ? undefined : namesIn(args[open]);
  const type = of.distinguishedBy === undefined ? undefined : (args[of.distinguishedBy] as Input<string>);
  return all([outputOf(resource, 'revision'), outputOf(resource, 'origin'), declares, type]).apply(
    ([revision, origin, names, template]) =>
      formatMember({
        revision: revision ?? '',
        pack: origin === 'pack',
        ...(names === undefined ? {} : { declares: names }),
        ...(mark ? { mark } : {}),
        ...(template === undefined ? {} : { type: template }),
      }),
  );
}

/** Names of the entries of an open map as given; of secrets, too, only the names are told. */
const namesIn = (map: unknown): Input<readonly string[]> =>
  Output.isInstance(map) || map instanceof Promise
    ? unsecret(output(map as Input<unknown>)).apply((known) => entryNames(known))
    : entryNames(map);

/** The revision of the release that commits an assembly's design, when the program declares one. */
async function releaseOf(scope: Scope, tree: Tree): Promise<Output<string | undefined> | undefined> {
  const release = (await tree.within(scope)).find(({ of }) => of === designRelease);
  return release && outputOf(release.resource, 'revision');
}

/** What an environment's cloud configurations declare: `web/east/pctScale`. */
async function configuredOf(scope: Scope, tree: Tree, own: Declared['address']): Promise<string[] | undefined> {
  const address = { ...scope.address, environment: own['name'] };
  const declaredThere = await tree.within({ ...scope, address });
  const paths = declaredThere
    .filter(({ of }) => of === cloudConfiguration)
    .map(async (declared) => {
      const path = await pathOf(declared);
      const named = Object.keys(cloudConfiguration.fields).filter((name) => name in CLOUD_LINK);
      return named.filter((name) => declared.args[name] !== undefined).map((name) => `${path}/${name}`);
    });
  const found = (await Promise.all(paths)).flat();
  return found.length === 0 ? undefined : found.sort();
}

/** Names of the clouds an environment declares. */
async function cloudsOf(scope: Scope, tree: Tree): Promise<Output<string[]> | undefined> {
  const owner = (await tree.within(scope)).find(({ of }) => of === environment);
  return (
    owner && output(owner.args['clouds'] as Input<object | undefined>).apply((clouds) => Object.keys(clouds ?? {}))
  );
}

/** Options of the release that an assembly declares for itself: it goes where the assembly goes, under the assembly's former names too. */
export function releaseOptions(options: CustomResourceOptions = {}): CustomResourceOptions {
  const { parent, provider, aliases } = options;
  return {
    ...(parent ? { parent } : {}),
    ...(provider ? { provider } : {}),
    ...(aliases ? { aliases: aliases.map((alias) => output(alias).apply(releaseAlias)) } : {}),
  };
}

function releaseAlias(alias: unknown): string | Alias {
  if (typeof alias === 'string')
    return [dynamicType, pluginType].reduce(
      (urn, typeOf) => urn.replace(typeOf(assembly.token), typeOf(designRelease.token)),
      alias,
    );
  const { type: _, ...rest } = alias as Alias;
  return rest;
}
