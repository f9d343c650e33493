// Types of tiers.cjs.

/** One start of jest. */
export interface Run {
  readonly suites: readonly string[];
  readonly counts?: { readonly [variable: string]: string };
  readonly named?: boolean;
}
export const ROOT: string;
export const TIERS: { readonly [tier: string]: readonly Run[] };
export function patternOf(suites: readonly string[]): string;
