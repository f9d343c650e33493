// How a finding shows a value: as JSON, and not at all where it is a secret, or contains one in clear.
import { holdsNamedSecret, mayHaveForm } from './forms';
import { SURE_NAMES } from './names';
import { isPlainObject } from '../values/plain';

/** A value as JSON, or `nothing`. */
export const inJson = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

const isHidden = (value: unknown, secret: boolean): boolean =>
  secret || holdsNamedSecret(value, SURE_NAMES) || holdsSecret(value);

/** Whether a text, or one in a list or map, may contain a secret. As JSON its quotes would be others. */
function holdsSecret(value: unknown): boolean {
  if (typeof value === 'string') return mayHaveForm(value);
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

/** A state of a deployment, or of a procedure, as the end of a sentence: `deployment 12 failed`, `… is active`. */
export const inState = (state: unknown): string =>
  state === 'failed' ? 'failed' : state === 'canceled' ? 'was canceled' : `is ${String(state)}`;
