// What a kind of resource is, as one typed literal, how the API manages it, and the run in which that happens.
// These types speak of each other: a kind has verbs, a verb works in a run, and a run knows the kinds.
import type { Api } from '../api/client';
import { type Diagnostic, type NameRule, type Record as WireRecord, type Route, parametersOf } from '../api/contract';
import type { Address, Live } from './address/live';
import type { KnownCatalogue } from './catalogue/known';
import type { Args, Fields, Field } from './field';
import type { OwnWrites } from './lifecycle/own-writes';
import type { Answers } from './session/answers';
import type { Openings } from './session/opening';
import type { Declarations } from './session/declarations';
import type { Clock, Lookups, Turns } from './session/lookups';
import type { RecordsOfRun } from './session/records';
import type { CatalogueLevel } from './settings';
import type { Stages } from './session/stages';
import { oncePer, textAt } from './values/plain';

/** Where records of a kind live, and what follows from it. */
export interface Scope<F extends Fields = Fields> {
  /** Path pattern whose parameters, organization first, are the address. */
  readonly path: string;
  /** Pattern of the id below the organization, where the address alone would not show what it is: `{assembly}/variables/{name}`. */
  readonly id?: string;
  /** The kind it lives in: nesting, edges, inherited address. */
  readonly within?: Kind;
  /** Whether the parent's delete deletes it, too, so that `deletedWith` spares its own. */
  readonly cascades: boolean;
  /** `design` or `environment`: whose commit its writes wait for; `none` for those that take effect immediately. */
  readonly stage: 'design' | 'environment' | 'none';
  /** How the records below one parent are found. Default: nobody looks for them. */
  readonly found?: Search;
  readonly verbs: Verbs;
  readonly sample: Sample<F>;
}

export interface Kind<F extends Fields = Fields> extends Scope<F> {
  /** Bare name: `Attachment`. */
  readonly token: string;
  /** Whether the last parameter is the record's own name, called `name` in arguments. */
  readonly named: boolean;
  /** All its scopes, when there are several: the address shows which one a record is in. The kind's own facts are those of the first. */
  readonly scopes?: readonly Scope<F>[];
  /** Rule for the record's own name. */
  readonly nameRule?: NameRule;
  readonly fields: F;
  /** Its own outputs, in addition to the fixed computed names. */
  readonly computed: { readonly [name: string]: ComputedType };
  /** Arguments check fills in, which nobody writes: what must hold after a run. */
  readonly fills?: { readonly [name: string]: unknown };
  /** Arguments that follow from other records that are declared, which nobody writes. */
  readonly settles?: { readonly [argument: string]: SettledBy };
  /** Arguments whose value is another record's where this one gives none: tokens of kinds, the nearest first. */
  readonly inherits?: { readonly [argument: string]: readonly string[] };
  /** Where a stack file declares records of it; kinds without it are declared by programs only. */
  readonly inFile?: InFile;
  /** Records that come before, although no argument names them. */
  readonly after?: ComesAfter;
  /** What one field alone cannot say. Values may contain unknowns. */
  rule?(args: Partial<Args<F>>): Diagnostic[];
  /** Which arguments have no effect because of others; without those that are not known yet. Default: none. */
  idle?(args: Partial<Args<F>>): readonly Diagnostic[];
  /**
   * What a catalogue finds in the arguments. `parent`: those of the record it is in, where they are known. Values may hold
   * unknowns. Errors where the service surely refuses, warnings where a live service may know more; no message contains a value.
   */
  judge?(
    args: { readonly [name: string]: unknown },
    parent: { readonly [name: string]: unknown } | undefined,
    known: KnownCatalogue,
  ): Diagnostic[];
  readonly impact?: Impact;
}

/** What an output of a kind is. */
type ComputedType = 'text' | 'int' | 'lists';

/** Where a stack file declares the records of a kind. */
interface InFile {
  /** Keys that lead to a record, `*` for names; of a kind with several scopes, those of the outermost. */
  readonly path: string;
  /** Other words for keys: the live service's own. */
  readonly aliases?: { readonly [key: string]: string };
  /** Arguments that are work to do when they change, and that a file gives; others of this sort are filled in. */
  readonly given?: readonly string[];
  /** Arguments that a file gives in its own form instead of under their keys. */
  readonly apart?: readonly string[];
  /** Of arguments that are maps by name: the keys below its own under which a file gives each entry, `*` for the name. */
  readonly spread?: { readonly [argument: string]: string };
  /** Whether a file declares a record only where it says something of it: an empty map declares nothing. */
  readonly onlyWhenSaid?: boolean;
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

/** Makes a value of the same facts about records: immediately where they are plain data, otherwise as soon as they are known. */
export type Derive<R> = (
  records: readonly R[],
  facts: { readonly [name: string]: Fact },
  make: (values: readonly { readonly [name: string]: unknown }[]) => unknown,
) => unknown;

/** What the state of a stack holds of one record of ours. */
export interface StateRecord {
  readonly urn: string;
  /** The kind in the record's scope. */
  readonly of: Kind;
  /** Id without its organization: `/shop/web`. */
  readonly id: string;
  readonly ciId: number;
  /** Stamp of our last write. */
  readonly revision: string;
  readonly origin: string;
  /** The service and organization of the run that wrote it: `https://oneops.acme.io acme`; empty when unknown. */
  readonly service: string;
  /** Whether the engine keeps it when it leaves the file, and how. An import does not say it, and counts as protected. */
  readonly kept: 'protect' | 'retain' | '';
  /** Whether the record belongs to another stack. */
  readonly existing: boolean;
  /** Names of its arguments, with the values of those that find the record; all others are empty texts. */
  readonly names: { readonly [name: string]: unknown };
}

/** Makes a value of what the stack's state held of our records before this run; absent where no state can be read. */
export type FromState = (make: (state: readonly StateRecord[]) => unknown) => unknown;

/** What follows for a record from others of the same assembly and environment. */
interface Following {
  /** Whether records of a kind bear on it. */
  readonly from: (of: Kind) => boolean;
  /** What must be known of the records before it can be computed. */
  readonly reads?: readonly Exclude<Fact, { readonly output: string }>[];
}

/** How an argument follows from other records. */
export interface SettledBy extends Following {
  /** Whether records of other environments of the same assembly bear on it, too. Default: no. */
  readonly acrossEnvironments?: boolean;
  /** The stage of which every record belongs to the value: one that is declared too late would be left out. */
  readonly stage?: Kind['stage'];
  /** The value; undefined for none. */
  value<R extends DeclaredRecord>(own: R, others: readonly R[], derive: Derive<R>, fromState?: FromState): unknown;
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

/** What one process remembers of one run. Mutable on purpose, owned by whoever made it. */
export interface Session {
  readonly kinds: readonly Kind[];
  /** How findings of the packaged catalogue count. */
  readonly catalogue: CatalogueLevel;
  /** The catalogue for the service of this run; undefined for the packaged one. */
  readonly known: KnownCatalogue | undefined;
  readonly declarations: Declarations<Kind>;
  readonly records: RecordsOfRun<Kind>;
  readonly stages: Stages;
  /** What this run wrote to records of designs and environments. */
  readonly own: OwnWrites;
  /** Whether a refresh reads records out of their lists. */
  readonly readCache: boolean;
  /** What the service answered to this run. */
  readonly answers: Answers;
  readonly lookups: Lookups;
  readonly turns: Turns;
  /** Releases that this run opened. */
  readonly openings: Openings;
  readonly clock: Clock;
  /** Whether the run is, or may be, limited to some resources by `--target` or `--exclude`: it removes nothing before the engine does. */
  readonly isLimited: () => boolean;
  /** Whether the run is surely the destroy of the whole stack. */
  readonly isDestroy: () => boolean;
}

/** Everything a verb may use. Values are as declared; `wire` is their text by wire name, declared fields only. */
export interface Work {
  readonly api: Api;
  readonly session: Session;
  /** Address by the path's parameter names, organization included. */
  readonly at: { readonly [parameter: string]: string };
  /** What the resource is called in the program, where that is known. */
  readonly logicalName?: string;
  /** Address by argument names. */
  readonly address: Address;
  readonly id: string;
  readonly args: { readonly [name: string]: unknown };
  readonly wire: { readonly [wireName: string]: string };
  /** The record is read in a refresh: out of its list where that carries complete records. No decision to write may rest on it. */
  readonly isRefresh?: true;
  /** Outputs of the last run, when there was one. */
  readonly known?: { readonly [name: string]: unknown };
  /** The record is read in order to be declared as it is: a value of which nobody knows whether it was set has to be declared, too. */
  readonly isWhole?: boolean;
  /** Of a record that a sweep takes back: names of the clouds that its environment declares, where they are known. */
  readonly declaredClouds?: readonly string[];
  /** What is going on, for the resource's own row; shown live and not kept. */
  progress(message: string): void;
  /** Something a person must see after the run; kept under the resource. */
  notice(message: string): void;
}

/** An update: what was declared before, what exists there now, and the texts to write. */
export interface UpdateWork extends Work {
  readonly live: Live;
  /** Wire names and texts that differ from the live ones, base values of removed fields included. */
  readonly changes: { readonly [wireName: string]: string };
}

/** The arguments that a change is about, by name. */
export interface GuardedChange {
  readonly changed: readonly string[];
  /** Fields among them whose change replaces the record. */
  readonly replaces: readonly string[];
}

/** What a guard says of a change. */
export interface Judgement {
  /** The change must not be made: the complete message. */
  readonly refusal?: string;
  /** It may be made, and a person should know this before. */
  readonly warning?: string;
}

export interface Verbs {
  /** Undefined when the record no longer exists for certain: 404 with a readable ancestor. Anything else that fails is thrown. */
  read(work: Work): Promise<Live | undefined>;
  /** Throws AlreadyThere when the name is taken. */
  create(work: Work): Promise<Live>;
  update(work: UpdateWork): Promise<Live>;
  /** Deleting what was deleted succeeds. */
  delete(work: Work): Promise<void>;
  /** The texts removed fields go back to, by wire name. */
  base?(work: Work, live: Live, names: readonly string[]): Promise<{ readonly [wireName: string]: string }>;
  /** Whether an update brings back by itself what an attribute that is no longer declared had, where that is a secret which nobody can read. */
  readonly restoresSecrets?: boolean;
  /**
   * What the service knows to be wrong with arguments that the last run did not have; may read. Asked before anything is planned, in previews too,
   * so it must ask nothing when nothing is new. `olds`: arguments of the last run, empty for a new resource.
   */
  foresee?(work: Work, olds: { readonly [name: string]: unknown }): Promise<readonly Diagnostic[]>;
  /** Arguments whose change the guard judges. */
  readonly guarded?: readonly string[];
  /** Judges a change in preview, before anything is deleted or written; may read. `work` has the new arguments, and the old ones as `known`. */
  guard?(work: Work, change: GuardedChange): Promise<Judgement>;
  /** What a run will do, for the resource's row in preview. */
  plan?(
    olds: { readonly [name: string]: unknown },
    now: Pick<Work, 'session' | 'address' | 'args'>,
  ): string | undefined;
  /** Called in a run that has nothing to do for the resource, for what it has to remember; `workOf` makes the work on it later. */
  unchanged?(
    session: Session,
    address: Address,
    workOf: (row: Pick<Work, 'progress' | 'notice'>) => Promise<Work>,
  ): void;
  /** Whether update is called even when no text differs, after a take-over too: flows that act on triggers. */
  readonly acts?: boolean;
  /** Whether it is something that is done, and no record: no address alone means one. */
  readonly isAction?: boolean;
}

// What a change of a record means for what runs: a kind says it, and reviews and previews show it.

/** What a change of a record means for what runs. */
interface Impact {
  /** Severity of a difference in an argument, where the name of the argument alone does not decide it. */
  readonly severity?: { readonly [argument: string]: Severity };
  /** What deleting a record does. `ofPack`: the words for a record that its pack made. */
  readonly deleted?: { readonly severity: Severity; readonly message: string; readonly ofPack?: string };
  /** What making or writing a record does. */
  readonly applied?: { readonly severity: Severity; readonly message: string };
  /** Whether a change of an argument from one value to another leaves fewer instances or none. */
  takesAway?(argument: string, before: unknown, after: unknown): boolean;
  /** The risks of a planned change, from the arguments before and after it; either is undefined where there are none. */
  risks?(before: Values | undefined, after: Values | undefined): readonly Risk[];
  /** Whether a planned change can make instances in an environment in addition to those that run there. */
  makesInstances?(change: PlannedFacts, where: Pick<RunsAt, 'assembly' | 'environment'>): boolean;
  /** Whether a planned change takes down what runs somewhere. */
  takesDown?(change: PlannedFacts, where: RunsAt): boolean;
}

interface Values {
  readonly [argument: string]: unknown;
}

interface Risk {
  readonly severity: Severity;
  readonly message: string;
}

type Severity = 'high' | 'medium' | 'low';

/** What is known of a planned change. `address` is the id of its record. */
interface PlannedFacts {
  readonly operation: string;
  readonly address: string;
  /** Paths of the values that change, argument first, and from what to what they change. */
  readonly attributes: readonly {
    readonly path: readonly string[];
    readonly before: { readonly is: string; readonly value?: unknown };
    readonly after: { readonly is: string; readonly value?: unknown };
  }[];
}

/** Where an instance runs: ids of its assembly and environment, names of its platform and cloud. */
interface RunsAt {
  readonly assembly: string;
  readonly environment: string;
  readonly platform: string;
  readonly cloud: string;
}

// How the records of a kind below one parent are found.

/** A record below a parent, identified by the address arguments that the parent's address does not have. */
export interface FoundRecord {
  readonly address: Address;
  /** Its number, when several records of the list have its name. */
  readonly number?: number;
  /** It came with its parent, and no field shows that a user set a value in it: only its values can show that. */
  readonly isGiven: boolean;
}

/**
 * How the records of a kind below one parent are found: in a list of the service, or by a search that the kind implements. `mayBeSet`: without those of
 * which releases show that they are as a pull created them.
 */
type Search =
  { readonly list: List } | { search(api: Api, at: Address, mayBeSet?: boolean): Promise<readonly FoundRecord[]> };

/** A list of the records below one parent. */
export interface List {
  readonly route: Route;
  /** Whether a review reports records of the list that are not declared. */
  readonly isReviewed: boolean;
  /** The records of all such lists of a platform, in one answer: those whose component is the parent of this list. */
  readonly alsoIn?: { readonly route: Route; readonly className: string };
  /** Whether a record came with its parent, and no field shows that a user set a value in it. Default: false for all. */
  isGiven?(
    record: Pick<WireRecord, 'ciName' | 'updatedBy' | 'rfcAction' | 'ciAttributes' | 'ciAttrProps' | 'comments'>,
  ): boolean;
  /** Whether a record of the list is included. Default: all are. */
  counts?(record: WireRecord): boolean;
}

// A kind's names and scopes: what follows from its literal alone.

export type { Address } from './address/live';

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
