// What a kind of resource is, as one typed literal: everything else is derived from it.
// It knows no single kind, and not how the engine or a file spells resources.
import { textAt } from './text-at';
import type { Api } from '../api/client';
import { parametersOf, type Diagnostic, type NameRule, type Record as WireRecord, type Route } from '../api/contract';
import type { Args, Field, Fields } from './field';
import type { Impact } from './impact';
import { oncePer } from './once-per';
import type { Verbs } from './verbs/verbs';

/** A kind's address, by parameter; the record's own name is `name`. Never holds the organization. */
export interface Address {
  readonly [parameter: string]: string;
}

/** Where records of a kind live, and what follows from it. */
export interface Scope<F extends Fields = Fields> {
  /** Path pattern whose parameters, organization first, are the address. */
  readonly path: string;
  /** Pattern of the id below the organization, where the address alone would not tell what it is: `{assembly}/variables/{name}`. */
  readonly id?: string;
  /** The kind it lives in: nesting, edges, inherited address. */
  readonly within?: Kind;
  /** Whether the parent's delete takes it along, so that `deletedWith` spares its own. */
  readonly cascades: boolean;
  /** `design` or `environment`: whose commit its writes wait for; `none` for those that take effect at once. */
  readonly stage: 'design' | 'environment' | 'none';
  /** How the records below one parent are found. Default: nobody looks for them. */
  readonly found?: Search;
  readonly verbs: Verbs;
  readonly sample: Sample<F>;
}

/** A record below a parent, by the arguments that its parent's address leaves open. */
export interface FoundRecord {
  readonly address: Address;
  /** Its number, where several records of the list have its name. */
  readonly number?: number;
  /** It came with its parent, and nothing says that somebody has set anything in it: only its own values can show it. */
  readonly isGiven: boolean;
}

/** How the records of a kind below one parent are found: out of a list of the service, or by a search of the kind's own. */
type Search = { readonly list: List } | { search(api: Api, at: Address): Promise<readonly FoundRecord[]> };

/** A list of the records below one parent. */
export interface List {
  readonly route: Route;
  /** Whether a review reports records of the list that nobody declares. */
  readonly isReviewed: boolean;
  /** Whether a record came with its parent, and nothing says that somebody has set anything in it. Default: none did. */
  isGiven?(record: Pick<WireRecord, 'ciName' | 'updatedBy' | 'ciAttributes' | 'ciAttrProps'>): boolean;
  /** Whether a record counts. Default: all do. */
  counts?(record: WireRecord): boolean;
}

export interface Kind<F extends Fields = Fields> extends Scope<F> {
  /** Bare name: `Attachment`. */
  readonly token: string;
  /** Whether the last parameter is the record's own name, called `name` in arguments. */
  readonly named: boolean;
  /** All its scopes, when there are several: the address tells which one a record is in. The kind's own facts are those of the first. */
  readonly scopes?: readonly Scope<F>[];
  /** Rule for the record's own name. */
  readonly nameRule?: NameRule;
  /** What a member's name begins with in its path, where the name alone could be another kind's: `$`, which begins no name. */
  readonly memberMark?: string;
  /** Argument in which records of the kind differ that have one name in one place. Without it a name means one record. */
  readonly distinguishedBy?: string;
  /** The address arguments of which a stack file makes its logical name. Default: all below the assembly, as the id spells them. */
  readonly logicalName?: readonly string[];
  readonly fields: F;
  /** Whether writes of another record of ours give this one a new stamp: a new pack version of a platform rewrites its components. */
  readonly restamped?: boolean;
  /** Outputs of its own, beside the fixed computed names. */
  readonly computed: { readonly [name: string]: ComputedType };
  /** Arguments check fills in, which nobody writes: what must hold after a run. */
  readonly fills?: { readonly [name: string]: unknown };
  /** Arguments that follow from other records that are declared, which nobody writes. */
  readonly settles?: { readonly [argument: string]: SettledBy };
  /** Arguments whose value is another record's where this one gives none: tokens of kinds, the nearest first. */
  readonly inherits?: { readonly [argument: string]: readonly string[] };
  /** Token of the kind of which a program's resource of this kind declares one along with itself. */
  readonly companion?: string;
  /** Where a stack file declares records of it; kinds without it are declared by programs only. */
  readonly inFile?: InFile;
  /** Records that come before, although no argument names them. */
  readonly after?: ComesAfter;
  /** What one field alone cannot say. Values may hold unknowns. */
  rule?(args: Partial<Args<F>>): Diagnostic[];
  /**
   * What the packaged catalogue finds in the arguments. `parent`: those of the record it lies in, where they are known. Values may hold
   * unknowns. Errors where the service surely refuses, warnings where a live service may know more; no message holds a value.
   */
  judge?(
    args: { readonly [name: string]: unknown },
    parent: { readonly [name: string]: unknown } | undefined,
  ): Diagnostic[];
  /** The stage whose releases belong to a record of the kind: those of a design to its assembly, those of a manifest to its environment. */
  readonly holds?: 'design' | 'environment';
  /** The stage whose open changes it commits, once everything of the stage was written. */
  readonly commits?: 'design' | 'environment';
  /** Which uses of clouds it writes: that of one cloud by one platform, or, in `clouds`, those that all platforms of an environment follow. */
  readonly cloudLinks?: 'one' | 'defaults';
  readonly impact?: Impact;
}

type ComputedType = 'text' | 'int';

/** Where a stack file declares the records of a kind. */
interface InFile {
  /** Keys that lead to a record, `*` for names; of a kind with several scopes, those of the outermost. */
  readonly path: string;
  /** Other words for keys: the live service's own. */
  readonly aliases?: { readonly [key: string]: string };
  /** Arguments that a file gives in a form of its own instead of under their keys. */
  readonly apart?: readonly string[];
  /** How a file writes a record that it does not declare yet; absent for a kind that is not written by itself. */
  readonly written?: (args: { readonly [name: string]: unknown }) => WrittenForm;
}

/** A record as a stack file writes it: a single text, or its arguments by their keys; or the reason why it cannot be written. */
type WrittenForm =
  | { readonly reason: string }
  | { readonly text: string }
  | {
      /** The key below which the record's name is written. A record of that very name needs no key of its own while the file declares no other there. */
      readonly below?: string;
      /** Keys that replace the arguments in `omits`. */
      readonly first?: { readonly [key: string]: unknown };
      readonly omits?: readonly string[];
    };

/** A record as it is declared. `of` is the kind in the record's scope. */
export interface DeclaredRecord {
  readonly of: Kind;
  /** Names by argument; a name that is not known yet is empty. */
  readonly address: Address;
  /** Arguments as given: values, or what will become values. */
  readonly args: { readonly [name: string]: unknown };
  /** What its options forbid when it is removed. */
  readonly mark?: 'retain' | 'protect' | undefined;
}

/** A fact about a record: an output, the value of an argument, or an argument of which only the names of the entries count. */
export type Fact = { readonly output: string } | { readonly argument: string } | { readonly entriesOf: string };

/** Makes a value of facts about a record: at once where they are plain data, otherwise as soon as they are known. */
export type Derive<R> = (
  record: R,
  facts: { readonly [name: string]: Fact },
  make: (values: { readonly [name: string]: unknown }) => unknown,
) => unknown;

/** What follows for a record from others of the same assembly and environment. */
interface Following {
  /** Whether records of a kind bear on it. */
  readonly from: (of: Kind) => boolean;
  /** What must be known of the records before it can be computed. */
  readonly reads?: readonly Exclude<Fact, { readonly output: string }>[];
}

/** How an argument follows from other records. */
export interface SettledBy extends Following {
  /** The stage of which every record belongs to the value: one that is declared too late would be left out. */
  readonly stage?: Kind['stage'];
  /** The value; undefined for none. */
  value<R extends DeclaredRecord>(own: R, others: readonly R[], derive: Derive<R>): unknown;
}

/** How it follows which records come before. */
export interface ComesAfter extends Following {
  /** Whether another record of the kind can come before, by its address alone; `around` are the records of other kinds. Default: each can. */
  mayPrecede?<R extends DeclaredRecord>(own: R, other: R, around: readonly R[]): boolean;
  records<R extends DeclaredRecord>(own: R, others: readonly R[]): readonly R[];
}

/** Arguments for the conformance suite: parents' names are filled in by it. */
interface Sample<F extends Fields = Fields> {
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

/** The kind in the scope whose parent is of a kind. */
export const scopeWithin = (of: Kind, parent: Kind): Kind | undefined =>
  scopesOf(of).find((scope) => scope.within?.token === parent.token);

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

/** Whether records of a kind belong to an assembly, so that its stack file may declare them; others are the organization's. */
export const isInAssembly = (of: Pick<Kind, 'path'>): boolean => parametersOf(of.path).includes('assembly');

/** The parameters of a kind's path, below the organization. */
export const pathNames: (of: Pick<Kind, 'path'>) => readonly string[] = oncePer((of) =>
  parametersOf(of.path).filter((name) => name !== 'organization'),
);

/** The names of a kind's address arguments in any of its scopes, its own name last. */
export const everyAddressName: (of: Kind) => readonly string[] = oncePer((of) => {
  const names = new Set(scopesOf(of).flatMap((scope) => addressNames(scope)));
  return [...[...names].filter((name) => name !== 'name'), ...(names.has('name') ? ['name'] : [])];
});

/** The argument by which records that lie in one of this kind name it: `Platform` → `platform`. */
export const argumentFor = ({ token }: Pick<Kind, 'token'>): string => token.charAt(0).toLowerCase() + token.slice(1);

/** Address arguments that name neither the record nor its parent, nor what that lies in: the platform of a variable that lies in an environment. */
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
