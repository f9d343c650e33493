// The resources of a stack file as a program finds them: by their paths in the file, as references name them.
// It must not know how they are registered, nor what any of them is.
import { RunError } from '@pulumi/pulumi/errors';
import { kinds, nearest, placesInFile } from '../provider';
import { formatSteps } from './values/interpolation';

/** A resource at a path, or undefined where the path only leads to others. */
interface Placed {
  readonly path: readonly string[];
  readonly resource: object;
}

interface Node {
  readonly path: readonly string[];
  readonly below: Map<string, Node>;
  resource?: object;
}

/** Keys that contain records by name, below the pattern of what they are in: `platforms.*` has `components`. */
const COLLECTIONS: ReadonlyMap<string, ReadonlySet<string>> = kinds.flatMap(placesInFile).reduce((all, place) => {
  const keys = place.split('.');
  for (const [index, key] of keys.entries())
    if (key !== '*' && keys[index + 1] === '*') {
      const holder = keys.slice(0, index).join('.');
      all.set(holder, new Set([...(all.get(holder) ?? []), key]));
    }
  return all;
}, new Map<string, Set<string>>());

/**
 * The handles of a stack by the keys at the top of its file. A handle is the resource itself, which also has what is declared in it; `files` says
 * in a message where a name was looked for. A map of handles throws RunError for a name that it does not have.
 */
export function handlesOf(resources: readonly Placed[], files: string): object {
  const root = newNode([]);
  for (const { path, resource } of resources) nodeAt(root, path).resource = resource;
  return Object.fromEntries([...root.below].map(([key, node]) => [key, handleOf(node, files)]));
}

function newNode(path: readonly string[]): Node {
  // Every second key is a name.
  const pattern = path.map((key, index) => (index % 2 === 1 ? '*' : key)).join('.');
  const collections = [...(COLLECTIONS.get(pattern) ?? [])];
  return { path, below: new Map(collections.map((key) => [key, newNode([...path, key])])) };
}

const nodeAt = (root: Node, path: readonly string[]): Node =>
  path.reduce((node, key) => {
    const known = node.below.get(key) ?? newNode([...node.path, key]);
    node.below.set(key, known);
    return known;
  }, root);

function handleOf({ path, below, resource }: Node, files: string): object {
  const handles = [...below].map(([key, node]) => [key, handleOf(node, files)] as const);
  if (resource === undefined) return namedHandles(path, handles, files);
  // Not enumerable: Pulumi looks for outputs in what it can enumerate.
  for (const [key, value] of handles) Object.defineProperty(resource, key, { value });
  return resource;
}

/** A map that throws for a name that it does not have, so that a program reads what is missing and not that `undefined` has no properties. */
function namedHandles(
  path: readonly string[],
  handles: readonly (readonly [string, object])[],
  files: string,
): { readonly [name: string]: object } {
  const none = Object.create(null) as { [name: string]: object };
  const map = Object.assign(none, Object.fromEntries(handles));
  return new Proxy(Object.freeze(map), {
    get(target, name) {
      // The language and Pulumi's SDK look for these in every object.
      if (typeof name === 'symbol' || name in target || name.startsWith('__') || PROBED.includes(name))
        return Reflect.get(target, name) as object | undefined;
      const known = Object.keys(target);
      const near = nearest(name, known);
      const hint = near
        ? `did you mean "${formatSteps([...path, near])}"?`
        : known.length > 0
          ? `known are ${known.join(', ')}`
          : 'it declares none';
      throw new RunError(`${files} declares no "${formatSteps([...path, name])}": ${hint}`);
    },
  });
}

const PROBED: readonly string[] = ['then', 'toJSON', 'constructor'];
