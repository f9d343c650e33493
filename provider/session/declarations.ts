// What this run declares, as check sees it: which records, with which arguments, and by which resource.
// Records are known by the keys of `subjectKey`; which kind they are of does not matter here.

interface Inputs {
  readonly [name: string]: unknown;
}

/** How check was asked: whether the engine has the resource as new, and the resource's URN where it is known. */
interface Asked {
  readonly isNew: boolean;
  readonly urn: string | undefined;
}

/** The records that check saw in this run with a fully known address. */
export class Declarations {
  readonly #inputs = new Map<string, Inputs>();
  readonly #askedAgain = new Set<string>();
  readonly #new = new Set<string>();
  readonly #newUnder = new Map<string, string>();
  readonly #firstUrns = new Map<string, string>();
  readonly #distinctions = new Map<string, string>();
  readonly #parents = new Map<string, Inputs>();

  /** Check saw a record: its arguments, as they were seen last. */
  declare(key: string, inputs: Inputs, { isNew, urn }: Asked): void {
    if (isNew && this.#inputs.has(key)) this.#askedAgain.add(key);
    if (isNew) this.#new.add(key);
    if (isNew && urn !== undefined) this.#newUnder.set(key, urn);
    this.#inputs.set(key, inputs);
  }

  /** Whether this run declares the record. */
  has(key: string): boolean {
    return this.#inputs.has(key);
  }

  /** The arguments of a declared record; undefined when this run does not declare it. */
  inputsOf(key: string): Inputs | undefined {
    return this.#inputs.get(key);
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

  /** Keeps what distinguishes a record from others of its name (`Kind.distinguishedBy`), as this run declares it or last knew it. */
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
