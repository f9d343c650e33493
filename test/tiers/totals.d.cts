// Types of totals.cjs, as far as tests use it.

/** The numbers of one or several jest runs. */
export interface Totals {
  readonly suites: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}
export function ofNamed(totals: Totals): Totals;
