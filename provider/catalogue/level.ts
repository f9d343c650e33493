// How findings of the packaged catalogue count.
// It knows no rule of the catalogue.
import type { Diagnostic } from '../../api/contract';

/** How findings of the catalogue count: `auto` as each rule says, `strict` as errors, `warn` as warnings, `off` not at all. */
export const CATALOGUE_LEVELS = ['auto', 'strict', 'warn', 'off'] as const;
export type CatalogueLevel = (typeof CATALOGUE_LEVELS)[number];

/** Findings of the catalogue as they count at a level. */
export const atLevel = (level: CatalogueLevel, findings: readonly Diagnostic[]): readonly Diagnostic[] =>
  level === 'off' ? [] : findings.map((finding) => ({ ...finding, severity: severityAt(level, finding) }));

const severityAt = (level: CatalogueLevel, { severity }: Diagnostic): Diagnostic['severity'] =>
  level === 'strict' ? 'error' : level === 'warn' ? 'warning' : severity;
