// What the service asks of one attribute's value, and the values of a new record (service-facts §2.1.3).
import type { AttributeMetadata, ClassMetadata } from './class-metadata';

/** Why a value is refused: required and blank, JSON text that does not parse to the type, or another form than the pattern. */
type AttributeFault = 'blank' | 'unparsable' | 'mismatch';

// No brace inside: a value full of open ones must not cost a scan to its end for each.
const VARIABLE_REFERENCE = /\$OO_(GLOBAL|LOCAL|CLOUD)\{[^{}]*\}/;

/** Deepest JSON text that is taken: what is nested deeper can be parsed, and breaks whoever walks through it. */
const DEEPEST = 64;

/** JSON text of a hash or array as its values; undefined when it is neither, or nested too deep. */
function elements(dataType: 'hash' | 'array', text: string): readonly unknown[] | undefined {
  if (measureJson(text).depth > DEEPEST) return undefined;
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

/** Whether a text contains a reference to a variable, whose value only the service knows. */
export const holdsReference = (text: string): boolean => VARIABLE_REFERENCE.test(text);

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** How far into a text of many lines a form is looked for, in characters. */
const LOOKED_THROUGH = 4000;

/**
 * The lines of a text that end within its first 4,000 characters; at least the first line, whatever its length. A pattern that runs over line
 * ends is tried from the start of every line on to the end of the text: with many lines that would take for ever.
 */
function firstLines(text: string): string {
  if (text.length <= LOOKED_THROUGH) return text;
  const last = text.lastIndexOf('\n', LOOKED_THROUGH);
  const end = last < 0 ? text.indexOf('\n') : last;
  return end < 0 ? text : text.slice(0, end);
}

/**
 * Whether a text fits a pattern as the service tests it: anchored at the start, per line; a variable reference always fits. Of a long text only
 * the first lines are looked at.
 */
function fits(pattern: string, text: string): boolean {
  return holdsReference(text) || new RegExp(`^(?:${pattern})`, 'm').test(firstLines(text));
}

/**
 * The fault of a value, or undefined when the service takes it. Blank values of attributes that are not required pass; each element of an
 * array and each value of a hash is compared with the pattern (service-facts §2.1.3).
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
 * drops a pack default without an attribute (service-facts §12.4 Postgresql).
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

/** Size of JSON text; what is in quotes does not count. Of text that is no JSON the numbers mean nothing. */
interface JsonMeasure {
  /** Deepest nesting of brackets: 1 for `[]`. */
  readonly depth: number;
  /** Members and elements of all levels together, at most: commas and opening brackets. */
  readonly members: number;
}

/** Measures JSON text in one pass, without recursion. */
export function measureJson(text: string): JsonMeasure {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (quoted) {
      if (character === '\\') index += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === ',') members += 1;
    else if (character === '{' || character === '[') {
      depth += 1;
      members += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return { depth: deepest, members };
}
