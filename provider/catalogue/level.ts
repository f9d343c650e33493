// The levels at which findings of the packaged catalogue are reported.
import type { Diagnostic } from '../../api/contract';

/** How findings of the catalogue are reported: `auto` as each rule says, `strict` as errors, `warn` as warnings, `off` not at all. */
export const CATALOGUE_LEVELS = ['auto', 'strict', 'warn', 'off'] as const;
export type CatalogueLevel = (typeof CATALOGUE_LEVELS)[number];

/** The findings of the catalogue that a level reports, with their severity at that level. */
export const atLevel = (level: CatalogueLevel, findings: readonly Diagnostic[]): readonly Diagnostic[] =>
  level === 'off' ? [] : findings.map((finding) => ({ ...finding, severity: severityAt(level, finding) }));

const severityAt = (level: CatalogueLevel, { severity }: Diagnostic): Diagnostic['severity'] =>
  level === 'strict' ? 'error' : level === 'warn' ? 'warning' : severity;
