// References to variables in attribute values, resolved: $OO_GLOBAL{x}, $OO_LOCAL{x}, $OO_CLOUD{x} (service-facts §2.2.7).
// It must not know where variables are kept, nor what an attribute means.
import type { PlanValues, PlanVariables } from './input';

/** The variables a component sees: of its environment, its platform, its cloud. */
export interface Scopes {
  readonly global: PlanVariables;
  readonly local: PlanVariables;
  readonly cloud: PlanVariables;
}

/** Resolved values, and the references nothing answers, as written. */
export interface Resolved {
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
