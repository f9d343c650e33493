// Placeholders for the secrets of a stack, the same in its configuration and in its state.
import { markedSecret, secretIn } from '../../provider';
import { changedInside, textAt } from '../../provider/values';

/** How the placeholder of a secret begins. */
export const PLACEHOLDER = 'placeholder-of-';

export const placeholderOf = (key: string): string => `${PLACEHOLDER}${key.split(':').at(-1)}`;

/** Placeholders by their values, longest first: no value is part of a later one. */
type Placeholders = readonly (readonly [value: string, placeholder: string])[];

/** Placeholders for the secret settings of a stack. */
export const placeholdersFor = (
  configuration: { readonly [key: string]: unknown },
  secrets: ReadonlySet<string>,
): Placeholders =>
  [...secrets]
    .map((key) => [textAt(configuration, key, ''), placeholderOf(key)] as const)
    .filter(([value]) => value !== '')
    .sort(([left], [right]) => right.length - left.length);

/**
 * An exported state with placeholders in its secrets. A secret that no setting explains gets one of
 * its own, in each text of a list or map; one with something of a setting in it keeps the rest.
 * `written`: texts that the file says in clear, such as a reference to a variable: they stay.
 */
export function withPlaceholders(
  value: unknown,
  placeholders: Placeholders,
  written: ReadonlySet<string> = new Set(),
): unknown {
  const secret = secretIn(value);
  if (secret === 'encrypted') return markedSecret(`${PLACEHOLDER}an-unreadable-secret`);
  if (secret === undefined) return changedInside(value, (item) => withPlaceholders(item, placeholders, written));
  const hidden = replaced(secret.value, placeholders);
  const unexplained = (text: string): string =>
    text === '' || written.has(text) ? text : `${PLACEHOLDER}another-secret`;
  const isUnexplained = JSON.stringify(hidden) === JSON.stringify(secret.value);
  return markedSecret(isUnexplained ? inTexts(hidden, unexplained) : hidden);
}

const replaced = (value: unknown, placeholders: Placeholders): unknown =>
  inTexts(value, (text) =>
    placeholders.reduce((shown, [secret, placeholder]) => shown.replaceAll(secret, placeholder), text),
  );

const inTexts = (value: unknown, by: (text: string) => string): unknown =>
  typeof value === 'string' ? by(value) : changedInside(value, (item) => inTexts(item, by));
