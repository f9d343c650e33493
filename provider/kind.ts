// A kind's names and scopes: what follows from its literal alone.
// It knows no single kind, and not how the engine or a file spells resources.
import { parametersOf } from '../api/contract';
import type { Field, Fields } from './field';
import type { Address } from './address/live';
import type { ComputedType, Kind } from './model';
import { oncePer } from './values/once-per';
import { textAt } from './values/plain';

export type { FoundRecord, List } from './model';
export type { Address } from './address/live';
export type { ComesAfter, DeclaredRecord, Derive, Fact, FromState, Kind, Scope, SettledBy } from './model';

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

/** The kind in each of its scopes, as a kind of that scope alone would be; itself when it has but one. */
export const scopesOf: (of: Kind) => readonly Kind[] = oncePer((of) =>
  of.scopes === undefined ? [of] : of.scopes.map((scope) => ({ ...of, ...scope })),
);

/** The same, those with the fewest address arguments first. */
const narrowestFirst: (of: Kind) => readonly Kind[] = oncePer((of) =>
  [...scopesOf(of)].sort((left, right) => addressNames(left).length - addressNames(right).length),
);

/**
 * The kind in the scope that given address arguments mean: the narrowest that has all of them, so that farther names may follow from a parent.
 * Undefined when no scope has all of them.
 */
export function scopeAt(of: Kind, args: { readonly [name: string]: unknown }): Kind | undefined {
  const given = everyAddressName(of).filter((name) => !isMissing(args[name]));
  return narrowestFirst(of).find((scope) => given.every((name) => addressNames(scope).includes(name)));
}

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The kind in the scope whose address arguments are these, in any order. */
export const scopeNaming = (of: Kind, names: readonly string[]): Kind | undefined =>
  scopesOf(of).find((scope) => {
    const own = addressNames(scope);
    return own.length === names.length && own.every((name) => names.includes(name));
  });

/** The names of a kind's address arguments in its own scope, outermost first: `assembly`, `platform`, `name`. */
export const addressNames: (of: Pick<Kind, 'path' | 'named'>) => readonly string[] = oncePer((of) => {
  const names = pathNames(of);
  return of.named ? [...names.slice(0, -1), 'name'] : names;
});

/** The parameters of a kind's path, below the organization. */
export const pathNames: (of: Pick<Kind, 'path'>) => readonly string[] = oncePer((of) =>
  parametersOf(of.path).filter((name) => name !== 'organization'),
);

/** The names of a kind's address arguments in any of its scopes, its own name last. */
export const everyAddressName: (of: Kind) => readonly string[] = oncePer((of) => {
  const names = new Set(scopesOf(of).flatMap((scope) => addressNames(scope)));
  return [...[...names].filter((name) => name !== 'name'), ...(names.has('name') ? ['name'] : [])];
});

/** The argument by which records that are in one of this kind name it: `Platform` → `platform`. */
export const argumentFor = ({ token }: Pick<Kind, 'token'>): string => token.charAt(0).toLowerCase() + token.slice(1);

/** Address arguments that name neither the record nor its parent, nor what that is in: the platform of a variable that is in an environment. */
export function namesBeside(of: Kind): readonly string[] {
  const { within } = of;
  const known = within === undefined ? [] : [...addressNames(within), argumentFor(within)];
  return addressNames(of).filter((name) => name !== 'name' && !known.includes(name));
}

/** All argument names of a kind, of all its scopes: address, then fields. */
export const argumentNames: (of: Kind) => readonly string[] = oncePer((of) => [
  ...everyAddressName(of),
  ...Object.keys(of.fields),
]);

/** The address among a resource's arguments. */
export function addressOf(of: Kind, args: { readonly [name: string]: unknown }): Address {
  return Object.fromEntries(addressNames(of).map((name) => [name, textAt(args, name)]));
}

/** The argument of a kind that holds attributes by the service's own names; undefined when it has none. */
export const openName = (of: Kind): string | undefined =>
  Object.keys(of.fields).find((name) => of.fields[name]?.shape.type === 'open');

/** Names of the entries of an open map that have a value; none for no map. */
export const entryNames = (map: unknown): readonly string[] =>
  Object.entries(map ?? {}).flatMap(([name, value]) => (value === undefined || value === null ? [] : [name]));

/** The field of a kind by name. */
export function fieldOf(of: Kind, name: string): Field | undefined {
  return Object.hasOwn(of.fields, name) ? of.fields[name] : undefined;
}

/** Argument in which records of a kind differ that have one name in one place: components of several templates. Undefined where a name means one record. */
export const distinguishedBy = ({ token }: Pick<Kind, 'token'>): string | undefined =>
  token === 'Component' || token === 'EnvironmentComponent' ? 'type' : undefined;
