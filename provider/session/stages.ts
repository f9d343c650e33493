// What this run did to designs and environments as a whole: pulls, packs of platforms, and what is committed after deletes.
// Environments and platforms are known by their ids.
import type { Release } from '../../api/contract';

/** Where a delete shows what is going on. */
interface Messages {
  progress(message: string): void;
  notice(message: string): void;
}

type AfterDelete = (row: Messages) => Promise<void>;

/**
 * `committed`: the design of an assembly, by its name. Of environments: `pulled`; `judged`, whose open changes a
 * deployment of this run found to be this stack's; `retained`, which nobody above deletes, because it keeps what runs
 * there. `renewed`: a platform of an environment that a pull created again: its configuration has to be written again.
 */
type Done = 'committed' | 'pulled' | 'judged' | 'retained' | 'renewed';

/** The designs and environments that this run touched. */
export class Stages {
  readonly #done = new Set<string>();
  readonly #designs = new Map<string, readonly Release[]>();
  readonly #named = new Set<string>();
  readonly #unjudgedLinks = new Map<string, Set<string>>();
  readonly #packs = new Map<string, string>();
  readonly #afterDelete = new Map<string, AfterDelete>();
  readonly #waiting = new Set<string>();

  /** This run did something to a design, an environment or a platform. */
  note(what: Done, key: string): void {
    this.#done.add(`${what} ${key}`);
  }

  is(what: Done, key: string): boolean {
    return this.#done.has(`${what} ${key}`);
  }

  /** The releases of the design of an assembly, as this run saw them when it committed it. */
  noteDesign(assembly: string, releases: readonly Release[]): void {
    this.#designs.set(assembly, releases);
  }

  designOf(assembly: string): readonly Release[] | undefined {
    return this.#designs.get(assembly);
  }

  /** Whether a row of this run names it for the environment for the first time. */
  isFirstNamed(environment: string, line: string): boolean {
    const before = this.#named.size;
    return this.#named.add(`${environment} ${line}`).size > before;
  }

  /** A change of a cloud link was committed before a pull without being compared with what is declared. */
  noteUnjudgedLink(environment: string, path: string): void {
    this.#unjudgedLinks.set(environment, new Set([...(this.#unjudgedLinks.get(environment) ?? []), path]));
  }

  /** Paths of such links; undefined when there are none. */
  unjudgedLinks(environment: string): ReadonlySet<string> | undefined {
    return this.#unjudgedLinks.get(environment);
  }

  /** A platform of a design changes to another pack in this run. Both as a text: `acme/shop/web!1`, `oneops/nginx:1.2`. */
  notePack(platform: string, pack: string): void {
    this.#packs.set(platform, pack);
  }

  /** Packs to which platforms below an id change, by the rest of the platform's id. */
  packsBelow(start: string): readonly (readonly [string, string])[] {
    return [...this.#packs].flatMap(([id, pack]) => (id.startsWith(start) ? [[id.slice(start.length), pack]] : []));
  }

  /** What commits a stage had its turn: what each later delete there is followed by. `commit` is a `commitKey`. */
  afterDeletes(commit: string, job: AfterDelete): void {
    this.#afterDelete.set(commit, job);
  }

  /** Does what follows a delete, if anything does yet. */
  async finishDelete(commit: string, row: Messages): Promise<void> {
    const job = this.#afterDelete.get(commit);
    if (job === undefined) this.#waiting.add(commit);
    else await job(row);
  }

  /** Whether something was deleted before what commits the stage had its turn. */
  isWaiting(commit: string): boolean {
    return this.#waiting.has(commit);
  }
}
