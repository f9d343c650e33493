// How the engine's own JSON marks a secret: by a signature and, where it is not encrypted, its value as JSON (engine-facts A §3).
// It must not know where such a value is.
import { isPlainObject } from '../values/plain-object';

const SIGNATURE = '4dabf18193072939515e22adb298388d';
const SECRET = '1b47061264138c4ac30d75fd1eb44270';

/** The value as a secret: the engine encrypts what carries the mark, and keeps in clear what does not. */
export const markedSecret = (value: unknown): { readonly [key: string]: unknown } => ({
  [SIGNATURE]: SECRET,
  plaintext: JSON.stringify(value),
});

/** What a marked value holds: a value, or nothing to read since it is encrypted. Undefined for a value without the mark. */
export function secretIn(value: unknown): { readonly value: unknown } | 'encrypted' | undefined {
  if (!isPlainObject(value) || value[SIGNATURE] !== SECRET) return undefined;
  const { plaintext } = value;
  return typeof plaintext === 'string' ? { value: JSON.parse(plaintext) as unknown } : 'encrypted';
}
