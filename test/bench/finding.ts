// What a bench found, as a row of the report: a figure next to what it is measured against, and the target if there is one.

/** One row. Times in microseconds, or as `unit` says. */
export interface Finding {
  readonly what: string;
  readonly against: string;
  readonly figure: number;
  readonly reference: number;
  readonly unit: 'µs' | 'ms' | 'MB' | 'calls' | 'connections';
  /** The figure's quality as a ratio of the two; which way is said by the target. */
  readonly ratio: number;
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
}

/** Rows under a heading, with what a reader has to know of how they came about. */
export interface Chapter {
  readonly heading: string;
  readonly about: string;
  readonly findings: readonly Finding[];
  /** Further figures, without a verdict. */
  readonly tables?: readonly Table[];
}

/** Cells as text. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Whether the target is met; undefined without one. */
export function isMet({ ratio, target }: Finding): boolean | undefined {
  if (target === undefined) return undefined;
  return 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
}
