// What the service asks of one attribute's value, and the values of a new record (wire-facts §2.1.3).
// It must not know which class or record the attribute is of.
import type { AttributeMetadata, ClassMetadata } from './class-metadata';

/** Why a value is refused: required and blank, JSON text that does not parse to the type, or another form than the pattern. */
export type AttributeFault = 'blank' | 'unparsable' | 'mismatch';

// No brace inside: a value full of open ones must not cost a scan to its end for each.
const VARIABLE_REFERENCE = /\$OO_(GLOBAL|LOCAL|CLOUD)\{[^{}]*\}/;

/** JSON text of a hash or array as its values; undefined when it is neither. */
function elements(dataType: 'hash' | 'array', text: string): readonly unknown[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (dataType === 'array') return Array.isArray(parsed) ? parsed : undefined;
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? Object.values(parsed) : undefined;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Whether a text fits a pattern as the service tests it: anchored at the start, per line; a variable reference always fits. */
function fits(pattern: string, text: string): boolean {
  return VARIABLE_REFERENCE.test(text) || new RegExp(`^(?:${pattern})`, 'm').test(text);
}

/**
 * The fault of a value, or undefined when the service takes it. Blank values of attributes that are not required pass; each element of an
 * array and each value of a hash is held against the pattern (wire-facts §2.1.3).
 */
export function attributeFault(attribute: AttributeMetadata, value: string | null): AttributeFault | undefined {
  if (value === null || value.trim() === '') return attribute.required ? 'blank' : undefined;
  const { dataType, pattern } = attribute;
  const texts = dataType === 'text' ? [value] : elements(dataType, value);
  if (texts === undefined) return 'unparsable';
  return pattern === undefined || texts.every((each) => fits(pattern, asText(each))) ? undefined : 'mismatch';
}

/**
 * Attributes of a new record: the class defaults, with `given` laid over them. What the class does not have is dropped, as the live service
 * drops a pack default without an attribute (wire-facts §12.4 Postgresql).
 */
export function defaultAttributes(
  metadata: ClassMetadata,
  given: { readonly [name: string]: string } = {},
): { [name: string]: string } {
  const values = Object.entries(metadata.attributes).map(([name, attribute]): [string, string] => [
    name,
    (Object.hasOwn(given, name) ? given[name] : undefined) ?? attribute.default,
  ]);
  return Object.fromEntries(values);
}
