// What this run declares, as check sees it: which records, with which arguments, and by which resource.
// Records are known by the keys of `subjectKey`.
import type { Address } from '../address/live';
import type { PropertyPath } from '../values/property-path';

interface Inputs {
  readonly [name: string]: unknown;
}

/** How check was asked: whether the engine has the resource as new, and the resource's URN where it is known. */
interface Asked {
  readonly isNew: boolean;
  readonly urn: string | undefined;
}

/** A record that this run declares, with its kind. */
export interface DeclaredInRun<Of> {
  readonly of: Of;
  readonly address: Address;
  /** Arguments as check saw them last. */
  readonly inputs: Inputs;
  /** Outputs: those of the last run, or of this one once it wrote the record. Absent before a new record is made. */
  readonly known?: Inputs;
  /** Whether this run makes or changes it. */
  readonly isChanged: boolean;
}

/** The records that check saw in this run with a fully known address. */
export class Declarations<Of> {
  readonly #records = new Map<string, DeclaredInRun<Of>>();
  readonly #pending = new Map<string, Inputs>();
  readonly #ignored = new Map<string, readonly PropertyPath[]>();
  readonly #askedAgain = new Set<string>();
  readonly #new = new Set<string>();
  readonly #newUnder = new Map<string, string>();
  readonly #firstUrns = new Map<string, string>();
  readonly #distinctions = new Map<string, string>();
  readonly #parents = new Map<string, Inputs>();
  readonly #owned = new Set<string>();

  /** Check saw a record: its arguments, as they were seen last. */
  declare(
    key: string,
    { of, address, inputs }: Pick<DeclaredInRun<Of>, 'of' | 'address' | 'inputs'>,
    { isNew, urn }: Asked,
  ): void {
    const before = this.#records.get(key);
    if (isNew && before !== undefined) this.#askedAgain.add(key);
    if (isNew) this.#new.add(key);
    if (isNew && urn !== undefined) this.#newUnder.set(key, urn);
    this.#records.set(key, { isChanged: isNew, ...before, of, address, inputs });
  }

  /** Keeps arguments that are work of this run alone: no state has them. */
  notePending(key: string, values: Inputs): void {
    this.#pending.set(key, values);
  }

  pendingOf(key: string): Inputs {
    return this.#pending.get(key) ?? {};
  }

  /** What of the record this run neither compares nor writes, and so does not declare. */
  noteIgnored(key: string, paths: readonly PropertyPath[]): void {
    this.#ignored.set(key, paths);
  }

  ignoredOf(key: string): readonly PropertyPath[] {
    return this.#ignored.get(key) ?? [];
  }

  /** What the engine knows of a declared record: its outputs of the last run, or of this one. */
  know(key: string, known: Inputs): void {
    const declared = this.#records.get(key);
    if (declared !== undefined) this.#records.set(key, { ...declared, known });
  }

  /** This run makes or changes the record. */
  noteChanged(key: string): void {
    const declared = this.#records.get(key);
    if (declared !== undefined) this.#records.set(key, { ...declared, isChanged: true });
  }

  /** Whether this run declares the record. */
  has(key: string): boolean {
    return this.#records.has(key);
  }

  /** A declared record; undefined when this run does not declare it. */
  find(key: string): DeclaredInRun<Of> | undefined {
    return this.#records.get(key);
  }

  /** All declared records with a known address. */
  all(): readonly DeclaredInRun<Of>[] {
    return [...this.#records.values()];
  }

  /** The arguments of a declared record; undefined when this run does not declare it. */
  inputsOf(key: string): Inputs | undefined {
    return this.#records.get(key)?.inputs;
  }

  /** Whether check was called for a record again as new: it is being replaced, by its diff or by an option or a flag of the run. */
  isAskedAgain(key: string): boolean {
    return this.#askedAgain.has(key);
  }

  /** Whether check was called for a record as new: it is made, taken over or replaced. */
  isNew(key: string): boolean {
    return this.#new.has(key);
  }

  /** Whether check was called for a record as new by this resource. With `--replace` the engine asks for no diff, and check only once, as new. */
  isNewUnder(key: string, urn: string | undefined): boolean {
    return urn !== undefined && this.#newUnder.get(key) === urn;
  }

  /** A resource declares a record. Returns the URN of the first resource of this run that did. */
  claim(key: string, urn: string): string {
    const first = this.#firstUrns.get(key) ?? urn;
    this.#firstUrns.set(key, first);
    return first;
  }

  /** The record belongs to the stack, although no check of this run sees it: what is set back is not checked. */
  noteOwned(key: string): void {
    this.#owned.add(key);
  }

  isOwned(key: string): boolean {
    return this.#owned.has(key);
  }

  /** Keeps what distinguishes a record from others of its name (`distinguishedBy`), as this run declares it or last knew it. */
  distinguish(key: string, value: string): void {
    this.#distinctions.set(key, value);
  }

  distinctionOf(key: string): string | undefined {
    return this.#distinctions.get(key);
  }

  /** Keeps the arguments of a record by which the catalogue judges the records in it. */
  noteParent(key: string, inputs: Inputs): void {
    this.#parents.set(key, inputs);
  }

  parentInputs(key: string): Inputs | undefined {
    return this.#parents.get(key);
  }
}
