// What a value of an attribute must be to be of use, beyond the rules that the service itself enforces.

/** Expectations of a value. The service stores other values too; a deployment fails on them, or ignores them. */
export interface Expectation {
  readonly type?: 'boolean' | 'integer';
  /** Smallest and largest integer, both allowed. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** The only values there are. */
  readonly allowed?: readonly string[];
  /** Regular expression for the whole text, with `says`, which completes the sentence "must be …". */
  readonly pattern?: string;
  readonly says?: string;
}

/** An expectation as written in a file of classes. */
export interface ExpectationDocument extends Omit<Expectation, 'type'> {
  readonly type?: string | undefined;
}

/** Why a value is not as expected, as a code of a finding. */
type ExpectationFault = 'wrong-type' | 'out-of-range' | 'not-allowed' | 'bad-format';

const BOOLEANS: readonly string[] = ['true', 'false'];

/** Reads an expectation. An attribute whose default is `true` or `false` is a switch, whether or not the file says so. */
export function readExpectation(
  document: ExpectationDocument | undefined,
  defaultText: string | undefined,
): Expectation | undefined {
  if (document === undefined) return BOOLEANS.includes(defaultText ?? '') ? { type: 'boolean' } : undefined;
  const { type, ...rest } = document;
  return { ...rest, ...(type === 'boolean' || type === 'integer' ? { type } : {}) };
}

/** Why a text is not as expected; undefined when it is, and for a blank one, which leaves the choice to the service. */
export function expectationFault(expectation: Expectation, text: string): ExpectationFault | undefined {
  const { type, minimum = -Infinity, maximum = Infinity, allowed, pattern } = expectation;
  if (text.trim() === '') return undefined;
  if (type === 'boolean' && !BOOLEANS.includes(text)) return 'wrong-type';
  if (type === 'integer') {
    if (!/^-?\d+$/.test(text)) return 'wrong-type';
    if (Number(text) < minimum || Number(text) > maximum) return 'out-of-range';
  }
  if (allowed !== undefined && !allowed.includes(text)) return 'not-allowed';
  if (pattern !== undefined && !new RegExp(pattern).test(text)) return 'bad-format';
  return undefined;
}

/** How many allowed values a sentence lists in full. */
const LISTED = 12;

/** An expectation in words that complete the sentence "must be …". */
export function expectationWords({ type, minimum, maximum, allowed, says }: Expectation): string {
  if (type === 'boolean') return 'true or false';
  if (type === 'integer') return `a whole number${rangeWords(minimum, maximum)}`;
  if (says !== undefined) return says;
  const words = allowed ?? [];
  const more = words.length > LISTED ? ` and ${words.length - LISTED} more` : '';
  return `one of ${words.slice(0, LISTED).join(', ')}${more}`;
}

function rangeWords(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined) return maximum === undefined ? '' : ` up to ${maximum}`;
  return maximum === undefined ? ` from ${minimum} on` : ` from ${minimum} to ${maximum}`;
}
