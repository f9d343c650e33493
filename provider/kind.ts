// A kind of resource as one typed literal, its verbs, and the run in which they work.
import type { Api } from '../api/client';
import { type Diagnostic, type NameRule, type Record as WireRecord, type Route, parametersOf } from '../api/contract';
import type { Address, Live } from './address/live';
import type { KnownCatalogue } from './kinds/catalogue/known';
import { type Args, type Field, type Fields, int, text } from './values/field';
import type { OwnWrites } from './lifecycle/own-writes';
import type { Answers } from './session/answers';
import type { Openings } from './session/opening';
import type { Memory } from './session/memory';
import type { CatalogueLevel } from './session/settings';
import type { Turns } from './session/turns';
import { oncePer, present, textAt, type Texts, type Values } from './values/plain';

/** Where records of a kind live, and what follows from it. */
export interface Scope<F extends Fields = Fields> {
  /** Path pattern whose parameters, organization first, are the address. */
  readonly path: string;
  /** Pattern of the id below the organization, if the address alone is ambiguous. */
  readonly id?: string;
  /** The kind it lives in: nesting, edges, inherited address. */
  readonly within?: Kind;
  /** Whether the parent's delete is enough: `deletedWith` then spares the record's own. */
  readonly cascades: boolean;
  /** Whose commit its writes wait for; `none`: they take effect immediately. */
  readonly stage: 'design' | 'environment' | 'none';
  /** How the records below one parent are found. Default: nobody looks for them. */
  readonly found?: Search;
  readonly verbs: Verbs;
  readonly sample: Sample<F>;
}

export interface Kind<F extends Fields = Fields> extends Scope<F> {
  /** Bare name: `Attachment`. */
  readonly token: string;
  /** What it is, for references, schemas and editors. */
  readonly description: string;
  /** Whether the last parameter is the record's own name, called `name` in arguments. */
  readonly named: boolean;
  /** All its scopes, when there are several. The kind's own facts are those of the first. */
  readonly scopes?: readonly Scope<F>[];
  /** Rule for the record's own name. */
  readonly nameRule?: NameRule;
  readonly fields: F;
  /** Its own outputs, in addition to the fixed computed names. */
  readonly computed: Fields;
  /** Arguments check fills in, which nobody writes: what must hold after a run. */
  readonly fills?: Values;
  /** Arguments that follow from other records that are declared, which nobody writes. */
  readonly settles?: { readonly [argument: string]: SettledBy };
  /** Arguments with the value of another record by default: tokens of kinds, the nearest first. */
  readonly inherits?: { readonly [argument: string]: readonly string[] };
  /** Where a stack file declares records of it; kinds without it are declared by programs only. */
  readonly inFile?: InFile;
  /** Records that come before, although no argument names them. */
  readonly after?: ComesAfter;
  /** What one field alone cannot say. Values may contain unknowns. */
  rule?(args: Partial<Args<F>>): Diagnostic[];
  /** Arguments without effect because of others. Default: none. */
  idle?(args: Partial<Args<F>>): readonly Diagnostic[];
  /**
   * Findings of a catalogue in the arguments. `parent`: arguments of the parent record. Values may
   * be unknown. Errors where the service surely refuses, warnings where a live service may know
   * more. No message contains a value.
   */
  judge?(args: Values, parent: Values | undefined, known: KnownCatalogue): Diagnostic[];
  readonly impact?: Impact;
}

/** Where a stack file declares the records of a kind. */
interface InFile {
  /** Keys that lead to a record, `*` for names; of several scopes, those of the outermost. */
  readonly path: string;
  /** Other words for keys: the live service's own. */
  readonly aliases?: Texts;
  /** Arguments that trigger work and that a file gives; others of this sort are filled in. */
  readonly given?: readonly string[];
  /** Arguments that a file gives in its own form instead of under their keys. */
  readonly apart?: readonly string[];
  /** Maps by name: the keys below its own under which a file gives each entry, `*` for the name. */
  readonly spread?: Texts;
  /** Whether an empty map declares no record. */
  readonly onlyWhenSaid?: boolean;
  /** How a file writes a record; absent for kinds that are not written by themselves. */
  readonly written?: (args: Values) => WrittenForm;
}

/** A record as a stack file writes it, or the reason why it cannot be written. */
type WrittenForm =
  | { readonly reason: string }
  | { readonly text: string }
  | {
      /** The key that contains the record's name, unless the name is the key. */
      readonly below?: string;
      /** Keys that replace the arguments in `omits`. */
      readonly first?: Values;
      readonly omits?: readonly string[];
    };

/** A record as it is declared. `of` is the kind in the record's scope. */
export interface DeclaredRecord {
  readonly of: Kind;
  /** Names by argument; a name that is not known yet is empty. */
  readonly address: Address;
  /** Arguments as given: values, or what will become values. */
  readonly args: Values;
  /** Whether the engine leaves it in the service when it goes. */
  readonly isRetained?: boolean;
}

/** A fact about a record: an output, an argument, or the names of an argument's entries. */
export type Fact = { readonly output: string } | { readonly argument: string } | { readonly entriesOf: string };

/** Makes a value of facts about records, as soon as these are known. */
export type Derive<R> = (
  records: readonly R[],
  facts: { readonly [name: string]: Fact },
  make: (values: readonly Values[]) => unknown,
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
  /** Service and organization of the run that wrote it: `https://oneops.acme.io acme`; or empty. */
  readonly service: string;
  /** Whether the engine keeps it when it leaves the file. An import counts as protected. */
  readonly kept: 'protect' | 'retain' | '';
  /** Whether the record belongs to another stack. */
  readonly existing: boolean;
  /** Of a release: what a run deleted before it failed. */
  readonly taken: string;
  /** Names of its arguments, with the values of those that find the record. */
  readonly names: Values;
}

/** Makes a value of the stack's state before this run; absent without a state. */
export type FromState = (make: (state: readonly StateRecord[]) => unknown) => unknown;

/** What follows for a record from others of the same assembly and environment. */
interface Following {
  readonly from: (of: Kind) => boolean;
  /** What must be known of the records before it can be computed. */
  readonly reads?: readonly Exclude<Fact, { readonly output: string }>[];
}

/** How an argument follows from other records. */
export interface SettledBy extends Following {
  /** Whether records of other environments of the same assembly bear on it, too. Default: no. */
  readonly acrossEnvironments?: boolean;
  /** The stage whose records all belong to the value: later declarations are refused. */
  readonly stage?: Kind['stage'];
  /** The value; undefined for none. */
  value<R extends DeclaredRecord>(own: R, others: readonly R[], derive: Derive<R>, fromState?: FromState): unknown;
}

/** How it follows which records come before. */
export interface ComesAfter extends Following {
  /** Whether another record of the kind can come before, by its address. Default: each can. */
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

/** Time, so that waiting can be stepped by tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** What one process remembers of one run. Mutable on purpose, owned by its maker. */
export interface Session {
  readonly kinds: readonly Kind[];
  /** How findings of the packaged catalogue count. */
  readonly catalogue: CatalogueLevel;
  /** The catalogue for the service of this run; undefined for the packaged one. */
  readonly known: KnownCatalogue | undefined;
  /** What this run knows of single records, by the keys of `subjectKey`. */
  readonly memory: Memory<Kind>;
  /** What this run wrote to records of designs and environments. */
  readonly own: OwnWrites;
  /** Whether a refresh reads records out of their lists. */
  readonly readCache: boolean;
  /** What the service answered to this run. */
  readonly answers: Answers;
  readonly turns: Turns;
  /** Releases that this run opened. */
  readonly openings: Openings;
  readonly clock: Clock;
  /** Takes the token, and the secrets of the declared resources, out of a text. */
  readonly hide: (text: string) => string;
  /** Whether `--target` or `--exclude` may limit the run: it removes nothing before the engine. */
  readonly isLimited: () => boolean;
  /** Whether `--replace` or `--target-replace` may replace records, of which no diff is asked. */
  readonly isReplacing: () => boolean;
  /** Whether the run is surely the destroy of the whole stack. */
  readonly isDestroy: () => boolean;
  /** Whether a service in outputs, `SERVICE`, is that of this run, as far as the run knows. */
  readonly isHere: (service: string) => boolean;
  /** Whether nothing answers on the machines, so that checks of deployments are not run. */
  readonly isSimulated?: boolean;
}

/** Everything a verb may use. Values are as declared; `wire` has their texts by wire name. */
export interface Work {
  readonly api: Api;
  readonly session: Session;
  /** Address by the path's parameter names, organization included. */
  readonly at: Texts;
  /** What the resource is called in the program, where that is known. */
  readonly logicalName?: string;
  /** Address by argument names. */
  readonly address: Address;
  readonly id: string;
  readonly args: Values;
  readonly wire: Texts;
  /** A refresh reads the record, from its list where that is complete. No write may rest on it. */
  readonly isRefresh?: true;
  /** Outputs of the last run, when there was one. */
  readonly known?: Values;
  /** The record is read in order to be declared as it is, with values of unknown origin. */
  readonly isWhole?: boolean;
  /** Of a record that a sweep takes back: the declared clouds of its environment, if known. */
  readonly declaredClouds?: readonly string[];
  /** What is going on, for the resource's own row; shown live and not kept. */
  progress(message: string): void;
  /** Something a person must see after the run; kept under the resource. */
  notice(message: string): void;
}

/** An update: what was declared before, what exists there now, and the texts to write. */
export interface UpdateWork extends Work {
  readonly live: Live;
  /** Texts that differ from the live ones, by wire name, with base values of removed fields. */
  readonly changes: Texts;
}

/** The arguments that a change is about, by name. */
export interface GuardedChange {
  readonly changed: readonly string[];
  /** Fields among them whose change replaces the record. */
  readonly replaces: readonly string[];
}

export interface Judgement {
  /** The change must not be made: the complete message. */
  readonly refusal?: string;
  /** It may be made, and a person should know this before. */
  readonly warning?: string;
}

export interface Verbs {
  /** Undefined when the record surely no longer exists: 404 with a readable ancestor. */
  read(work: Work): Promise<Live | undefined>;
  /** Throws AlreadyThere when the name is taken. */
  create(work: Work): Promise<Live>;
  update(work: UpdateWork): Promise<Live>;
  /** Deleting what was deleted succeeds. */
  delete(work: Work): Promise<void>;
  /** The texts removed fields go back to, by wire name. */
  base?(work: Work, live: Live, names: readonly string[]): Promise<Texts>;
  /** Whether an update brings back an unreadable secret that is no longer declared. */
  readonly restoresSecrets?: boolean;
  /**
   * Objections of the service to arguments that are new; may read. It is asked before anything is
   * planned, in previews too, so it asks nothing when nothing is new. `olds`: arguments of the last
   * run.
   */
  foresee?(work: Work, olds: Values): Promise<readonly Diagnostic[]>;
  /** Arguments whose change the guard judges. */
  readonly guarded?: readonly string[];
  /** Judges a change in preview, before any write; may read. `work.known` has the old arguments. */
  guard?(work: Work, change: GuardedChange): Promise<Judgement>;
  /** What a run will do, for the resource's row in preview. */
  plan?(olds: Values, now: Pick<Work, 'session' | 'address' | 'args'>): string | undefined;
  /**
   * What an update has to do that no argument shows, in words for the row; undefined for nothing.
   * Asked where no argument differs; may read.
   */
  unshown?(work: Work): Promise<string | undefined>;
  /** Called when there is nothing to do, for what has to be remembered. */
  unchanged?(
    session: Session,
    address: Address,
    workOf: (row: Pick<Work, 'progress' | 'notice'>) => Promise<Work>,
  ): void;
  /** Whether update is called without a difference of texts: for actions with triggers. */
  readonly acts?: boolean;
  /** Whether it is something that is done, and no record: no address alone means one. */
  readonly isAction?: boolean;
}

// What a change of a record means for what runs, as reviews and previews show it.

interface Impact {
  /** Severity of a difference in an argument, where the name alone does not decide it. */
  readonly severity?: { readonly [argument: string]: Severity };
  /** What deleting a record does. `ofPack`: the words for a record that its pack made. */
  readonly deleted?: { readonly severity: Severity; readonly message: string; readonly ofPack?: string };
  /** What making or writing a record does. */
  readonly applied?: { readonly severity: Severity; readonly message: string };
  /** Whether a change of an argument from one value to another leaves fewer instances or none. */
  takesAway?(argument: string, before: unknown, after: unknown): boolean;
  /** The risks of a planned change, from the arguments before and after it. */
  risks?(before: Values | undefined, after: Values | undefined): readonly Risk[];
  /** Whether a planned change can make further instances in an environment. */
  makesInstances?(change: PlannedFacts, where: Pick<RunsAt, 'assembly' | 'environment'>): boolean;
  /** Whether a planned change takes down what runs somewhere. */
  takesDown?(change: PlannedFacts, where: RunsAt): boolean;
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

/** A record below a parent, by the address arguments that the parent's address lacks. */
export interface FoundRecord {
  readonly address: Address;
  /** Its number, when several records of the list have its name. */
  readonly number?: number;
  /** It came with its parent, and only its values can show that a user set something. */
  readonly isGiven: boolean;
}

/** How records in one parent are found. `mayBeSet`: without those that a pull created. */
type Search =
  { readonly list: List } | { search(api: Api, at: Address, mayBeSet?: boolean): Promise<readonly FoundRecord[]> };

/** A list of the records below one parent. */
export interface List {
  readonly route: Route;
  /** Whether a review reports records of the list that are not declared. */
  readonly isReviewed: boolean;
  /** A list of all such records of a platform, each with its component as parent. */
  readonly alsoIn?: { readonly route: Route; readonly className: string };
  /**
   * Whether a record came with its parent and shows no set value. Default: false. `assembly`: that
   * it is in, where it was read.
   */
  isGiven?(
    record: Pick<WireRecord, 'ciName' | 'updatedBy' | 'rfcAction' | 'ciAttributes' | 'ciAttrProps' | 'comments'>,
    assembly?: Pick<WireRecord, 'ciAttributes'>,
  ): boolean;
  /** Whether a record of the list is included. Default: all are. */
  counts?(record: WireRecord): boolean;
}

// What follows from a kind's literal alone.

export type { Address } from './address/live';

/** What is true of most kinds. */
const USUAL = { named: true, cascades: true, computed: {} } as const;

type Usual = keyof typeof USUAL;

/** Declares a kind: one whose records have names, and are deleted with their parent, by default. */
export const kind = <F extends Fields>(literal: Omit<Kind<F>, Usual> & Partial<Pick<Kind<F>, Usual>>): Kind<F> => ({
  ...USUAL,
  ...literal,
});

/** Outputs every kind has (architecture §2). */
export const COMPUTED: Fields = {
  ciId: int().describe('Number of the record in the service.'),
  revision: text().describe('Stamp of our last write; changes with every write of ours and with nothing else.'),
  origin: text().describe(
    '`created` by this stack; `adopted`: imported, or taken over with `adopt: true`; `pack`: came with its platform or environment, and is only given back on delete.',
  ),
  updated: int().describe('When the record was last changed, in milliseconds since 1970.'),
  updatedBy: text().describe('Who changed the record last.'),
};

/** The kind in each of its scopes, as a kind of that scope alone. */
export const scopesOf: (of: Kind) => readonly Kind[] = oncePer((of) =>
  of.scopes === undefined ? [of] : of.scopes.map((scope) => ({ ...of, ...scope })),
);

/** The same, those with the fewest address arguments first. */
const narrowestFirst: (of: Kind) => readonly Kind[] = oncePer((of) =>
  [...scopesOf(of)].sort((left, right) => addressNames(left).length - addressNames(right).length),
);

/** The narrowest scope with all given arguments: farther names may follow from a parent. */
export function scopeAt(of: Kind, args: Values): Kind | undefined {
  const given = everyAddressName(of).filter((name) => !isMissing(args[name]));
  return narrowestFirst(of).find((scope) => given.every((name) => addressNames(scope).includes(name)));
}

const isMissing = (value: unknown): boolean => !present(value) || value === '';

/** The kind in the scope whose address arguments are these, in any order. */
export const scopeNaming = (of: Kind, names: readonly string[]): Kind | undefined =>
  scopesOf(of).find((scope) => {
    const own = addressNames(scope);
    return own.length === names.length && own.every((name) => names.includes(name));
  });

/** A kind's address arguments in its own scope, outermost first: `assembly`, `platform`, `name`. */
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

/** The argument by which records inside one of this kind name it: `Platform` → `platform`. */
export const argumentFor = ({ token }: Pick<Kind, 'token'>): string => token.charAt(0).toLowerCase() + token.slice(1);

/** Address arguments beside the parent's: the platform of a variable in an environment. */
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
export function addressOf(of: Kind, args: Values): Address {
  return Object.fromEntries(addressNames(of).map((name) => [name, textAt(args, name)]));
}

/** The argument of a kind that holds attributes by the service's own names. */
export const openName: (of: Kind) => string | undefined = oncePer((of) =>
  Object.keys(of.fields).find((name) => of.fields[name]?.shape.type === 'open'),
);

export function fieldOf(of: Kind, name: string): Field | undefined {
  return Object.hasOwn(of.fields, name) ? of.fields[name] : undefined;
}

/** The argument that distinguishes components of one name. */
export const distinguishedBy = ({ token }: Pick<Kind, 'token'>): string | undefined =>
  token === 'Component' || token === 'EnvironmentComponent' ? 'type' : undefined;
