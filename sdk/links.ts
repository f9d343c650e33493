// From resource objects of a program to names of the service: parents, and fields with resources.
import { RunError } from '@pulumi/pulumi/errors';
import type { Input, Output } from '@pulumi/pulumi/output';
import { CustomResource } from '@pulumi/pulumi/resource';
import { addressNames, argumentFor, everyAddressName, scopeAt, type Field, type Kind } from '../provider';
import { kinds } from '../provider/kinds';
import type { NamesByArgument, ProgramResource, Tree } from './tree';

/** The kind an address argument names, if it is one of ours: `platform` → Platform. */
export const kindNamed = (argument: string): Kind | undefined => kinds.find((of) => argumentFor(of) === argument);

/** Address arguments that a program must give: the nearest parent's. The parent has the others. */
export function requiredNames(of: Kind): readonly string[] {
  const parent = of.within;
  const farther = parent ? addressNames(parent).filter((name) => name !== 'name' && name !== argumentFor(parent)) : [];
  return addressNames(of).filter((name) => name !== 'name' && !farther.includes(name));
}

export interface Links {
  /** Every address argument; the nearest parent's as an output: the engine sees the edge. */
  readonly address: NamesByArgument;
  /** The same with the parents' own words in place of outputs, where the program gave words. */
  readonly words: NamesByArgument;
  readonly parents: { readonly [argument: string]: ProgramResource };
}

/** The kind in the scope that the arguments name. Throws RunError when they name two. */
export function scopeOf(of: Kind, logicalName: string, args: { readonly [name: string]: unknown }): Kind {
  const scope = scopeAt(of, args);
  if (scope !== undefined) return scope;
  const given = everyAddressName(of).filter((name) => name !== 'name' && args[name] !== undefined);
  throw new RunError(
    `${of.token} "${logicalName}": ${given.join(' and ')} cannot be given together: give the nearest of them only`,
  );
}

/** Names and parents of a resource to be declared. Throws RunError for a contradiction. */
export function parentLinks(
  of: Kind,
  logicalName: string,
  args: { readonly [name: string]: unknown },
  tree: Tree,
): Links {
  const who = `${of.token} "${logicalName}"`;
  const parents: { [argument: string]: ProgramResource } = {};
  const words: { [argument: string]: Input<string | undefined> } = {};
  const address: { [argument: string]: Input<string | undefined> } = {};
  for (const name of [...addressNames(of)].reverse()) {
    const given = args[name] ?? (name === 'name' ? logicalName : undefined);
    const inherited = Object.values(parents).find((parent) => name in parent.address)?.address[name];
    if (CustomResource.isInstance(given)) {
      const parent = parentFrom(given, who, name, tree);
      parents[name] = parent;
      words[name] = parent.address['name'];
      address[name] = resourceOutput(given, 'name');
    } else {
      words[name] = (given as Input<string> | undefined) ?? inherited;
      address[name] = words[name];
    }
    refuseContradiction(who, name, words[name], inherited);
  }
  return { address: inOrder(of, address), words: inOrder(of, words), parents };
}

/** The nearest parent object: the one whose name is the last but the own. */
export function nearestParent(of: Kind, { parents }: Links): ProgramResource | undefined {
  const name = addressNames(of).findLast((argument) => parents[argument]?.of === of.within);
  return name === undefined ? undefined : parents[name];
}

/** A field's value with resource objects replaced by their names, which makes edges. */
export function withNames(field: Field | undefined, value: unknown): unknown {
  if (field?.refersTo === undefined || !Array.isArray(value)) return value;
  return value.map((item: unknown) => (CustomResource.isInstance(item) ? resourceOutput(item, 'name') : item));
}

export const resourceOutput = (resource: CustomResource, name: string): Output<string | undefined> =>
  (resource as unknown as { readonly [name: string]: Output<string | undefined> })[name] as Output<string | undefined>;

/** `who` is the child, for the error. */
function parentFrom(resource: CustomResource, who: string, argument: string, tree: Tree): ProgramResource {
  const parent = tree.of(resource);
  const wanted = kindNamed(argument);
  if (parent !== undefined && parent.of === wanted) return parent;
  throw new RunError(
    `${who}: ${argument} is a resource, but not ${wanted ? `a ${wanted.token}` : 'one with a name'} of this program`,
  );
}

function refuseContradiction(who: string, name: string, own: unknown, inherited: unknown): void {
  if (typeof own !== 'string' || typeof inherited !== 'string' || own === inherited) return;
  throw new RunError(`${who}: ${name} is "${own}", but its parent is in "${inherited}"`);
}

const inOrder = (of: Kind, address: NamesByArgument): NamesByArgument =>
  Object.fromEntries(addressNames(of).map((name) => [name, address[name]]));
