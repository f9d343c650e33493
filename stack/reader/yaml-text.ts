// Values as YAML text.
// It must not know what a value means.
import { stringify } from 'yaml';

/**
 * How the YAML library writes a text in double quotes: in one line. In several it adds a backslash to a line that is one blank.
 */
export const IN_ONE_LINE = { doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER } as const;

/** A value as a YAML document, as other programs read it: maps and lists in separate lines, no line folded. */
export const documentText = (value: unknown): string =>
  stringify(value ?? null, { lineWidth: 0, aliasDuplicateObjects: false, ...IN_ONE_LINE });
