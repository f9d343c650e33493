// The runs that are killed, in process (runs/crashes) and on the engine (engine/crashes): what a
// stack is before, and what it shall be.
import { STOREFRONT } from './shop-spec';
import type { StackSpec } from './stack-spec';

export interface KilledRun {
  readonly name: string;
  /** What exists when it begins; nothing when it is left out. */
  readonly from?: StackSpec;
  /** What is declared; a destroy when it is left out. */
  readonly to?: StackSpec;
  /** A kill loses the state, so the next run says that it takes over what it finds. */
  readonly loses?: true;
  /** In a sample on the engine, it is killed once alone, right after its first write. */
  readonly once?: true;
}

const { cache: _, ...WITHOUT_CACHE } = STOREFRONT.platforms!;
const DB = { pack: 'mysql', components: { mysql: { attributes: { port: '3308' } } } };

/** A value of a component and one of a cloud changed, a platform taken out. */
const EDITED: StackSpec = {
  ...STOREFRONT,
  platforms: { ...WITHOUT_CACHE, db: DB },
  environments: {
    ...STOREFRONT.environments,
    prod: {
      ...STOREFRONT.environments?.['prod'],
      clouds: { east: { priority: 1 }, west: { priority: 2, pctScale: 60 } },
    },
  },
};

/** One single record changed: nothing else makes the run go on. */
const ONE_EDITED: StackSpec = { ...STOREFRONT, platforms: { ...STOREFRONT.platforms, db: DB } };

export const KILLED_RUNS: readonly KilledRun[] = [
  { name: 'first up', to: STOREFRONT },
  { name: 'first up, state lost', to: STOREFRONT, loses: true },
  { name: 'edit', from: STOREFRONT, to: EDITED },
  { name: 'one record edited', from: STOREFRONT, to: ONE_EDITED, once: true },
  { name: 'destroy', from: STOREFRONT },
];
