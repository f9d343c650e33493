// What this run did to designs and environments as a whole: pulls, packs of platforms, and what is committed after deletes.
// Environments and platforms are known by their ids.
import type { Release } from '../../api/contract';
import type { CommittedChange } from '../history/change';

/** Where a delete shows what is going on. */
interface Messages {
  progress(message: string): void;
  notice(message: string): void;
}

type AfterDelete = (row: Messages) => Promise<void>;

/** The designs and environments that this run touched. */
export class Stages {
  readonly #committed = new Set<string>();
  readonly #designs = new Map<string, readonly Release[]>();
  readonly #pulled = new Set<string>();
  readonly #along = new Map<string, readonly CommittedChange[]>();
  readonly #renewed = new Set<string>();
  readonly #judged = new Set<string>();
  readonly #retained = new Set<string>();
  readonly #unjudgedLinks = new Map<string, Set<string>>();
  readonly #packs = new Map<string, string>();
  readonly #afterDelete = new Map<string, AfterDelete>();
  readonly #waiting = new Set<string>();

  /** This run committed the design of an assembly, by its name. */
  noteCommitted(assembly: string): void {
    this.#committed.add(assembly);
  }

  isCommitted(assembly: string): boolean {
    return this.#committed.has(assembly);
  }

  /** The releases of the design of an assembly, as this run saw them when it committed it. */
  noteDesign(assembly: string, releases: readonly Release[]): void {
    this.#designs.set(assembly, releases);
  }

  designOf(assembly: string): readonly Release[] | undefined {
    return this.#designs.get(assembly);
  }

  /** This run pulled the design into the environment. */
  notePulled(environment: string): void {
    this.#pulled.add(environment);
  }

  isPulled(environment: string): boolean {
    return this.#pulled.has(environment);
  }

  /** What of other users came with the pulls of this run. */
  noteAlong(environment: string, changes: readonly CommittedChange[]): void {
    this.#along.set(environment, [...this.along(environment), ...changes]);
  }

  along(environment: string): readonly CommittedChange[] {
    return this.#along.get(environment) ?? [];
  }

  /** It was named. */
  forgetAlong(environment: string): void {
    this.#along.delete(environment);
  }

  /** A pull of this run created a platform of an environment again: what is configured there has to be written again. */
  noteRenewed(platform: string): void {
    this.#renewed.add(platform);
  }

  isRenewed(platform: string): boolean {
    return this.#renewed.has(platform);
  }

  /** A deployment of this run found the environment's open changes to be this stack's. */
  noteJudged(environment: string): void {
    this.#judged.add(environment);
  }

  isJudged(environment: string): boolean {
    return this.#judged.has(environment);
  }

  /** The environment keeps what runs there, as its deployment says: nobody above deletes it. */
  noteRetained(environment: string): void {
    this.#retained.add(environment);
  }

  isRetained(environment: string): boolean {
    return this.#retained.has(environment);
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
