// Values as YAML text.
// It must not know what a value means.
import { stringify } from 'yaml';

/** A value as a YAML document, as other programs read it: maps and lists in separate lines, no line folded. */
export const documentText = (value: unknown): string =>
  stringify(value ?? null, { lineWidth: 0, aliasDuplicateObjects: false });
