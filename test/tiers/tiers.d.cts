// Types of tiers.cjs.

/** One start of jest. */
export interface Run {
  readonly suites: readonly string[];
  readonly counts?: { readonly [variable: string]: string };
  readonly named?: boolean;
  readonly platform?: { readonly NODE: string; readonly SDK: string; readonly CLI: string };
}
/** Versions that `make matrix` tries, oldest first. */
export const PLATFORMS: { readonly [of in 'NODE' | 'SDK' | 'CLI']: readonly string[] };
export const ROOT: string;
export const TIERS: { readonly [tier: string]: readonly Run[] };
export function patternOf(suites: readonly string[]): string;
