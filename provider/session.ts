// What one process remembers of one run: which records were declared, made and are being replaced (architecture §3, logical renames).
// It must not know the engine or the API; the dynamic face keeps one per configuration.
import type { CatalogueLevel } from './catalogue';
import { formatId } from './ids';
import { addressOf, type Address, type Kind } from './kind';
import { newOwnWrites, type OwnWrites } from './own-writes';
import { newReads, type Reads } from './api-layers';
import type { Work } from './verbs/verbs';

/** A record that a refresh of this run read from the engine's state. */
interface Refreshed {
  /** In its scope. */
  readonly of: Kind;
  readonly address: Address;
  /** Outputs as the state had them. */
  readonly known: { readonly [name: string]: unknown };
}

/** Lookups and record addresses of one run. Mutable on purpose, owned by whoever made it. */
export interface Session {
  /** Kinds by token. */
  readonly kinds: readonly Kind[];
  /** `token id` of records declared in this run: check saw them with a fully known address. */
  readonly declared: Set<string>;
  /** Their arguments as check saw them last, under the same key. */
  readonly inputs: Map<string, { readonly [name: string]: unknown }>;
  /** How findings of the packaged catalogue count. */
  readonly catalogue: CatalogueLevel;
  /** Arguments of declared records that the catalogue judges others by, by the same keys. */
  readonly judged: Map<string, { readonly [name: string]: unknown }>;
  /** Of the declared ones, those that check was asked for once more as new: replaced, by an option or a flag of the run if not by their diff. */
  readonly remade: Set<string>;
  /** Of those, the ones check was asked for as new, with the URN of the resource that declares each. */
  readonly newcomers: Map<string, string>;
  /** `token id` of records created or taken over in this run. */
  readonly made: Set<string>;
  /** Of those, the ones that were not there before this run: nothing stands in them that somebody else put there. */
  readonly born: Set<string>;
  /**
   * `token id` of records whose diff answered `replaces`, and what their own delete does: a pack's own record is given back and another
   * stack's left alone, and what stands below is not taken along.
   */
  readonly replacing: Map<string, 'deletes' | 'keeps'>;
  /** `token id` of records read for the engine in this run: state holds them as they are. */
  readonly seen: Set<string>;
  /** Of those, the records that are there, by the key of declared ones: what is not declared any more leaves in this run. */
  readonly refreshed: Map<string, Refreshed>;
  /** What this run wrote to records of designs and environments. */
  readonly own: OwnWrites;
  /**
   * `token id` of records a sweep deleted in this run, with what distinguished them from others of the name where that is known: the engine's own
   * delete, which comes later, has nothing left to do.
   */
  readonly swept: Map<string, string | undefined>;
  /** Packs, as `source/pack:version`, that platforms of the design change to in this run, by the platform's id. */
  readonly repacked: Map<string, string>;
  /** Ids of platforms in environments that a pull of this run brought anew: what is configured there has to be written again. */
  readonly renewed: Set<string>;
  /** Ids of environments into which this run pulled the design. */
  readonly pulled: Set<string>;
  /** Ids of environments whose open changes a deployment of this run found to be this stack's. */
  readonly lookedAround: Set<string>;
  /** Paths of cloud links, by the environment's id, that were committed before a pull without being held against what is declared. */
  readonly unheld: Map<string, ReadonlySet<string>>;
  /** Ids of environments that keep what runs there, since their deployment was told to: nobody above deletes them. */
  readonly retained: Set<string>;
  /** By declared key: URN of the resource that declares the record, where it is known. */
  readonly declaredBy: Map<string, string>;
  /** By declared key: what distinguishes a record from others of its name (`Kind.distinguishedBy`), as this run declares or last knew it. */
  readonly distinguished: Map<string, string>;
  /** By declared key: numbers of such records that this run read or wrote. */
  readonly numbers: Map<string, number>;
  /** Answers of lookups that hold for a run: clouds by id, templates by platform. */
  readonly lookups: Map<string, Promise<unknown>>;
  /** What refreshes of this run have read; none when every record is to be read by itself. */
  readonly reads: Reads | undefined;
  /** What follows each delete in a design, or an environment, once what commits it has had its turn in this run, by `commitKey`. */
  readonly afterDelete: Map<string, (row: Pick<Work, 'progress' | 'notice'>) => Promise<void>>;
  /** One design write of an assembly at a time (service-facts §11): tails of queues, by key. */
  readonly queues: Map<string, Promise<unknown>>;
  /** Time, so that waiting can be stepped by tests. */
  readonly clock: Clock;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

const realClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) =>
    new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
    }),
};

/** A session that remembers nothing yet. Without `readCache` a refresh reads each record by itself. */
export function newSession(
  kinds: readonly Kind[],
  clock: Clock = realClock,
  readCache = true,
  catalogue: CatalogueLevel = 'auto',
): Session {
  return {
    kinds,
    catalogue,
    judged: new Map(),
    declared: new Set(),
    inputs: new Map(),
    remade: new Set(),
    newcomers: new Map(),
    made: new Set(),
    born: new Set(),
    replacing: new Map(),
    seen: new Set(),
    refreshed: new Map(),
    own: newOwnWrites(),
    swept: new Map(),
    repacked: new Map(),
    renewed: new Set(),
    pulled: new Set(),
    lookedAround: new Set(),
    unheld: new Map(),
    retained: new Set(),
    declaredBy: new Map(),
    distinguished: new Map(),
    numbers: new Map(),
    lookups: new Map(),
    afterDelete: new Map(),
    reads: readCache ? newReads() : undefined,
    queues: new Map(),
    clock,
  };
}

export const subjectKey = (of: Pick<Kind, 'token'>, id: string): string => `${of.token} ${id}`;

/** What a record is known by to which the releases of a stage belong: an assembly, or an environment. */
export const holderKey = ({ kinds }: Session, stage: Kind['stage'], id: string): string =>
  subjectKey(kinds.find(({ holds }) => holds === stage) ?? { token: '' }, id);

/** What is committed together: a design, or one of its environments. `at` names the assembly, and the environment. */
export const commitKey = (stage: Kind['stage'], at: { readonly [name: string]: unknown }): string =>
  [stage, at['assembly'], ...(stage === 'environment' ? [at['environment']] : [])].join(' ');

/** The same for a declared address, in which check knows no organization. */
export const declaredKey = (of: Kind, address: Address): string => subjectKey(of, formatId(of, '', address));

/** Remembers what distinguishes a record from others of its name, where its kind has such an argument and the inputs say it. */
export function rememberDistinction(session: Session, of: Kind, inputs: { readonly [name: string]: unknown }): void {
  const value = of.distinguishedBy === undefined ? undefined : inputs[of.distinguishedBy];
  if (typeof value === 'string' && value !== '')
    session.distinguished.set(declaredKey(of, addressOf(of, inputs)), value);
}

/** Where a name may mean several records, what lies in this one is found by its number. */
export function rememberNumber(
  session: Session,
  of: Kind,
  address: Address,
  { ciId }: { readonly ciId: number },
): void {
  if (of.distinguishedBy !== undefined) session.numbers.set(declaredKey(of, address), ciId);
}

/** Whether a sweep of this run deleted a record; one of another class under its name is another record. `known`: as the state knows it. */
export function isSwept(session: Session, of: Kind, id: string, known: { readonly [name: string]: unknown }): boolean {
  const key = subjectKey(of, id);
  const swept = session.swept.get(key);
  const own = of.distinguishedBy === undefined ? undefined : known[of.distinguishedBy];
  return session.swept.has(key) && (swept === undefined || typeof own !== 'string' || swept === own);
}

/** The session, with what distinguishes these records remembered. */
export function knowing(
  session: Session,
  records: readonly { readonly kind: Kind; readonly inputs: { readonly [name: string]: unknown } }[],
): Session {
  for (const { kind, inputs } of records) rememberDistinction(session, kind, inputs);
  return session;
}

/** The answer of a lookup, asked once per run; a failed one is asked again. */
export function lookUp<T>(session: Session, key: string, ask: () => Promise<T>): Promise<T> {
  const known = session.lookups.get(key) as Promise<T> | undefined;
  if (known) return known;
  const asked = ask();
  session.lookups.set(key, asked);
  asked.catch(() => session.lookups.delete(key));
  return asked;
}

/** Runs jobs of one key one after the other, in the order they came. */
export function inTurn<T>(session: Session, key: string, job: () => Promise<T>): Promise<T> {
  const before = session.queues.get(key) ?? Promise.resolve();
  const mine = before.then(job, job);
  session.queues.set(
    key,
    mine.then(
      () => undefined,
      () => undefined,
    ),
  );
  return mine;
}
