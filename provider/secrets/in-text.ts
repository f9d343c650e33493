// The parts of a text that are secrets: by what they look like, by their names, and in JSON by the keys around them.
// It must not know any kind, nor where a text is written.
import { secretPartsIn, type SecretPart } from './clear-secrets';
import { LIKELY_NAMES, mayBeSecret, namedSecretsOf, SECRET_NAME } from './names';
import { namedParts } from './assignments';

/** Secrets of one text that a person is asked for one by one. */
const MOST = 20;

/** Levels of JSON in a text that are looked at: nobody writes more. */
const DEEPEST = 100;

/** The list or map that a text is in JSON. */
export function objectInJson(text: string): object | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null ? found : undefined;
  } catch {
    return undefined;
  }
}

/** A text without the line breaks at its end, which the configuration does not keep of a value that is read from a file. */
export function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && /[\r\n]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * The parts of a text that are secrets, in order, none over another: all of it, but for the line breaks at its end, where it is JSON with a number that is
 * one, or has very many, unless it may not be one as a whole.
 */
export function secretsInText(text: string, mayBeWhole = true): readonly SecretPart[] {
  const { texts, hasNumber } = secretsOfJson(objectInJson(text.trim()));
  const whole = [{ name: 'value', start: 0, end: withoutLastBreaks(text).length }];
  if (hasNumber && mayBeWhole) return whole;
  const parts = joined([
    ...namedParts(text, LIKELY_NAMES),
    ...secretPartsIn(text),
    ...partsOfJson(text, texts),
    ...(hasNumber ? numbersOfJson(text) : []),
  ]);
  return parts.length > MOST && mayBeWhole ? whole : parts;
}

/** Parts in order; those that are over each other are one. */
function joined(all: readonly SecretPart[]): readonly SecretPart[] {
  const parts: SecretPart[] = [];
  for (const part of [...all].sort((left, right) => left.start - right.start || right.end - left.end)) {
    const last = parts.at(-1);
    if (last === undefined || part.start >= last.end) parts.push(part);
    else if (part.end > last.end) parts.splice(-1, 1, { ...last, end: part.end });
  }
  return parts;
}

/** The secret texts of a list or map, with their names, and whether a number is one. */
function secretsOfJson(json: object | undefined): {
  readonly texts: ReadonlyMap<string, string>;
  readonly hasNumber: boolean;
} {
  const texts = new Map<string, string>();
  let hasNumber = false;
  const look = (value: unknown, name: string | undefined, depth: number): void => {
    if (typeof value === 'object' && value !== null) {
      if (depth > DEEPEST) return;
      const secretUnder = namedSecretsOf(value, LIKELY_NAMES);
      for (const [key, inner] of Object.entries(value)) look(inner, name ?? secretUnder(key), depth + 1);
    } else if (name === undefined) return;
    else if (typeof value === 'number') hasNumber ||= SECRET_NAME.test(name);
    else if (typeof value === 'string' && mayBeSecret(value, name)) texts.set(value, name);
  };
  look(json, undefined, 0);
  return { texts, hasNumber };
}

/** Where a text in JSON has some of its texts, without their quotes. */
function partsOfJson(text: string, texts: ReadonlyMap<string, string>): readonly SecretPart[] {
  if (texts.size === 0) return [];
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].flatMap(({ 0: written, index }): readonly SecretPart[] => {
    const name = texts.get(JSON.parse(written) as string);
    return name === undefined ? [] : [{ name, start: index + 1, end: index + written.length - 1 }];
  });
}

/** Where a text in JSON has numbers under the names of secrets. */
const numbersOfJson = (text: string): readonly SecretPart[] =>
  [...text.matchAll(/"([^"\\]*)"\s*:\s*(-?\d[\d.eE+-]*)/g)].flatMap(
    ({ 0: found, 1: name = '', 2: number = '', index }): readonly SecretPart[] => {
      const end = index + found.length;
      return SECRET_NAME.test(name) ? [{ name, start: end - number.length, end }] : [];
    },
  );
