// What a kind of resource is, as one typed literal (architecture §2): everything else is derived from it.
// It must not know any single kind, nor how the engine or a file spells resources.
import { textAt } from './text-at';
import { parametersOf, type Diagnostic, type NameRule } from '../api/contract';
import type { Args, Field, Fields } from './field';
import type { Verbs } from './verbs/verbs';

/** A kind's address, by parameter; the record's own name is `name`. Never holds the organization. */
export interface Address {
  readonly [parameter: string]: string;
}

export interface Kind<F extends Fields = Fields> {
  /** Bare name: `Attachment`. */
  readonly token: string;
  /** Path pattern whose parameters, organization first, are the address and, joined, the id. */
  readonly path: string;
  /** Whether the last parameter is the record's own name, called `name` in arguments. */
  readonly named: boolean;
  /** The kind it lives in: nesting, edges, inherited address. */
  readonly within?: Kind;
  /** Rule for the record's own name. */
  readonly nameRule?: NameRule;
  /** Whether the parent's delete takes it along, so that `deletedWith` spares its own. */
  readonly cascades: boolean;
  /** `design` or `environment`: whose commit its writes wait for; `none` for those that take effect at once. */
  readonly stage: 'design' | 'environment' | 'none';
  readonly fields: F;
  /** Outputs of its own, beside the fixed computed names. */
  readonly computed: { readonly [name: string]: ComputedType };
  /** Arguments check fills in, which nobody writes: what must hold after a run. */
  readonly fills?: { readonly [name: string]: unknown };
  readonly verbs: Verbs;
  readonly sample: Sample<F>;
  /** What one field alone cannot say. Values may hold unknowns. */
  rule?(args: Partial<Args<F>>): Diagnostic[];
}

export type ComputedType = 'text' | 'int';

/** Arguments for the conformance suite: parents' names are filled in by it. */
export interface Sample<F extends Fields = Fields> {
  readonly create: Args<F>;
  readonly update?: Partial<Args<F>>;
  readonly replace?: Partial<Args<F>>;
  /** Own name; default `sample`. */
  readonly name?: string;
}

/** Declares a kind; exists for inference. */
export function kind<F extends Fields>(literal: Kind<F>): Kind<F> {
  return literal;
}

/** Outputs every kind has: record number, stamp of our last write, who made the record, and its last change (architecture §2). */
export const COMPUTED: { readonly [name: string]: ComputedType } = {
  ciId: 'int',
  revision: 'text',
  origin: 'text',
  updated: 'int',
  updatedBy: 'text',
};

/** The names of a kind's address arguments, outermost first: `assembly`, `platform`, `name`. */
export function addressNames(of: Pick<Kind, 'path' | 'named'>): readonly string[] {
  const names = parametersOf(of.path).filter((name) => name !== 'organization');
  return of.named ? [...names.slice(0, -1), 'name'] : names;
}

/** All argument names of a kind: address, then fields. */
export function argumentNames(of: Kind): readonly string[] {
  return [...addressNames(of), ...Object.keys(of.fields)];
}

/** The address among a resource's arguments. */
export function addressOf(of: Kind, args: { readonly [name: string]: unknown }): Address {
  return Object.fromEntries(addressNames(of).map((name) => [name, textAt(args, name)]));
}

/** Address with the path's own parameter names, organization included, for filling the path. */
export function pathAddress(of: Kind, organization: string, address: Address): { readonly [name: string]: string } {
  const own = parametersOf(of.path).at(-1) as string;
  const { name, ...parents } = address;
  return { organization, ...parents, ...(of.named && name !== undefined ? { [own]: name } : {}) };
}

/** Id of an address: the path's parts below the organization, with scope words where the pattern has them (architecture §2). */
export function formatId(of: Kind, organization: string, address: Address): string {
  return [organization, ...addressNames(of).map((name) => address[name] as string)].join('/');
}

/** Parses an id back; undefined when it has not the kind's number of parts. */
export function parseId(
  of: Kind,
  id: string,
): { readonly organization: string; readonly address: Address } | undefined {
  const [organization, ...parts] = id.split('/');
  const names = addressNames(of);
  if (organization === undefined || parts.length !== names.length || parts.some((part) => part === ''))
    return undefined;
  return { organization, address: Object.fromEntries(names.map((name, index) => [name, parts[index] as string])) };
}

/** The field of a kind by name. */
export function fieldOf(of: Kind, name: string): Field | undefined {
  return Object.hasOwn(of.fields, name) ? of.fields[name] : undefined;
}
