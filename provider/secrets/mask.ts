// Hides secrets from people and logs: the engine masks configuration alone (engine-facts A §3).
import { isPlainObject, UNKNOWN } from '../values/plain';
import { holdsNamedSecret, mayHaveForm } from './forms';
import { SURE_NAMES } from './names';

/** What is in a secret's place; the engine's own word. */
const MASK = '[secret]';

/** Shorter secrets are not looked for: replacing a letter everywhere would reveal more. */
const SHORTEST = 4;

/** The text with every secret, and its forms in URLs, JSON and Basic authentication, replaced. */
export function masked(text: string, secrets: Iterable<string>, shortest = SHORTEST): string {
  return [...secrets]
    .filter((secret) => secret.length >= shortest)
    .flatMap(formsOf)
    .sort((left, right) => right.length - left.length)
    .reduce((shown, form) => shown.replaceAll(form, MASK), text);
}

function formsOf(secret: string): readonly string[] {
  const base64 = (value: string): string => Buffer.from(value).toString('base64');
  const json = (value: string): string => JSON.stringify(value).slice(1, -1);
  // An attribute's list in a text, in the body of a request, is JSON within JSON.
  const inside = [json(secret), json(json(secret)), json(json(json(secret)))];
  return [...new Set([secret, ...inside, encodeURIComponent(secret), base64(secret), base64(`${secret}:`)])];
}

/** Every text inside a value, at any depth: what is secret when the value is. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

// A value in a finding: as JSON, and not at all where it is or contains a secret.

export const inJson = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

const isHidden = (value: unknown, secret: boolean): boolean =>
  secret || holdsNamedSecret(value, SURE_NAMES) || holdsSecret(value);

/** Whether a text, or one in a list or map, may contain a secret, or is not known. */
function holdsSecret(value: unknown): boolean {
  if (typeof value === 'string') return value === UNKNOWN || mayHaveForm(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => holdsSecret(key) || holdsSecret(inner));
}

/** `must be a map, not "x"`: what a value must be, and what it is. */
export const mustBe = (wanted: string | undefined, value: unknown, secret: boolean): string =>
  `must be ${wanted}${isHidden(value, secret) ? '' : `, not ${inJson(value)}`}`;

/** The hint how a single value, or several with commas, are written as a list. */
export function asList(value: unknown, secret: boolean): string | undefined {
  if (value === undefined || value === null || isPlainObject(value) || isHidden(value, secret)) return undefined;
  return `write a list: ${JSON.stringify(typeof value === 'string' ? value.split(/\s*,\s*/) : [value])}`;
}

/** The state of a deployment or procedure as the end of a sentence: `deployment 12 failed`. */
export const inState = (state: unknown): string =>
  state === 'failed' ? 'failed' : state === 'canceled' ? 'was canceled' : `is ${String(state)}`;
