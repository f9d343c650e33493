// What an instance carries: values with their references to variables resolved ($OO_GLOBAL{x}, $OO_LOCAL{x}, $OO_CLOUD{x}; service-facts §2.2.7), and their digest.
// Equal digests need no change.
import { createHash } from 'node:crypto';
import { type PlanValues, type PlanVariables } from './input';

/** The variables a component sees: of its environment, its platform, its cloud. */
export interface Scopes {
  readonly global: PlanVariables;
  readonly local: PlanVariables;
  readonly cloud: PlanVariables;
}

/** Resolved values, and the references nothing answers, as written. */
interface Resolved {
  readonly values: PlanValues;
  readonly missing: readonly { readonly attribute: string; readonly reference: string }[];
}

// A platform's variable may refer to the environment's and the cloud's, the environment's to the cloud's; hence this order.
const ORDER = [
  ['LOCAL', 'local'],
  ['GLOBAL', 'global'],
  ['CLOUD', 'cloud'],
] as const;

const ANY_REFERENCE = /\$OO_(?:GLOBAL|LOCAL|CLOUD)\{[^{}]*\}/g;

/** One text with its references replaced; a reference without an answer stays as it is. */
export function resolveText(text: string, scopes: Scopes): string {
  return ORDER.reduce(
    (current, [word, scope]) =>
      current.replace(new RegExp(`\\$OO_${word}\\{([^{}]*)\\}`, 'g'), (reference, name: string) => {
        const variables = scopes[scope];
        return Object.hasOwn(variables, name) ? (variables[name] ?? '') : reference;
      }),
    text,
  );
}

/** All attributes with their references replaced. */
export function resolveValues(values: PlanValues, scopes: Scopes): Resolved {
  const entries = Object.entries(values).map(
    ([attribute, value]) => [attribute, value === null ? null : resolveText(value, scopes)] as const,
  );
  const missing = entries.flatMap(([attribute, value]) =>
    [...new Set(value?.match(ANY_REFERENCE) ?? [])].map((reference) => ({ attribute, reference })),
  );
  return { values: Object.fromEntries(entries), missing };
}

/** SHA-256, as hex, over values and attached values. Order of keys and the difference of null, empty and absent do not count. */
export function digestOf(values: PlanValues, attached: PlanValues): string {
  return createHash('sha256')
    .update(JSON.stringify([stated(values), stated(attached)]))
    .digest('hex');
}

function stated(values: PlanValues): readonly (readonly [string, string])[] {
  return Object.entries(values)
    .flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value] as const]))
    .sort(([left], [right]) => (left < right ? -1 : 1));
}
