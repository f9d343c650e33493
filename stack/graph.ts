// What depends on what in a stack, and what runs where: from a plan, as data.
import { kindInFile } from '../provider/kinds';
import type { ResourceDeclaration, StackPlan } from './plan';
import type { ResourceKey, Value } from './values/value';

/** The platforms of a stack with what they depend on, and its environments with their clouds. */
export interface StackGraph {
  readonly assembly: string;
  readonly platforms: readonly {
    readonly name: string;
    readonly pack: string;
    /** Platforms that it links, or that something in it refers to. */
    readonly dependsOn: readonly string[];
  }[];
  readonly environments: readonly {
    readonly name: string;
    /** Primary clouds have priority 1. What is not a plain number in the file is left out. */
    readonly clouds: readonly { readonly name: string; readonly priority?: number }[];
    /** Platforms that the file declares to be down. */
    readonly down: readonly string[];
  }[];
}

const platformKind = kindInFile('platforms.*');
const environmentKind = kindInFile('environments.*');
const environmentPlatformKind = kindInFile('environments.*.platforms.*');
const assemblyKind = kindInFile('assembly');

export function graphOf({ resources }: StackPlan): StackGraph {
  const byKey = new Map(resources.map((each) => [each.key, each]));
  const platforms = resources.filter(({ kind }) => kind === platformKind);
  const dependencies = new Map(platforms.map(({ key }) => [key, new Set<ResourceKey>()]));
  for (const { key, after } of resources) {
    const own = platformOf(key, byKey);
    for (const other of after.map((each) => platformOf(each, byKey))) {
      if (own !== undefined && other !== undefined && own !== other) dependencies.get(own)?.add(other);
    }
  }
  const names = new Map(platforms.map(({ key, logicalName }) => [key, logicalName]));
  return {
    assembly: resources.find(({ kind }) => kind === assemblyKind)?.logicalName ?? '',
    platforms: platforms.map(({ key, logicalName, args }) => ({
      name: logicalName,
      pack: `${wordOf(args['source'])}/${wordOf(args['pack'])}:${wordOf(args['version'])}`,
      dependsOn: [...(dependencies.get(key) ?? [])].map((each) => names.get(each) ?? ''),
    })),
    environments: resources
      .filter(({ kind }) => kind === environmentKind)
      .map((environment) => ({
        name: environment.logicalName,
        clouds: cloudsOf(environment),
        down: resources
          .filter(({ kind, within }) => kind === environmentPlatformKind && within === environment.key)
          .filter(({ args }) => args['enabled'] === false)
          .map(({ args }) => wordOf(args['platform'] ?? args['name'])),
      })),
  };
}

/** The platform of the design that a resource is, or is part of. */
function platformOf(key: ResourceKey, byKey: ReadonlyMap<ResourceKey, ResourceDeclaration>): ResourceKey | undefined {
  for (let at = byKey.get(key); at !== undefined; at = at.within === undefined ? undefined : byKey.get(at.within))
    if (at.kind === platformKind) return at.key;
  return undefined;
}

/** A text of the file; `…` for what is known only in a run. */
const wordOf = (value: Value | undefined): string => (typeof value === 'string' ? value : '…');

function cloudsOf({ args }: ResourceDeclaration): StackGraph['environments'][number]['clouds'] {
  const clouds = args['clouds'];
  if (typeof clouds !== 'object' || clouds === null || Array.isArray(clouds)) return [];
  return Object.entries(clouds as { readonly [name: string]: Value }).map(([name, link]) => {
    const priority = typeof link === 'object' && link !== null && 'priority' in link ? link.priority : 1;
    return { name, ...(typeof priority === 'number' ? { priority } : {}) };
  });
}
