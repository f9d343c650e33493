// Which keys a kind has in a file, and which argument each means.
// It must not know values or places.
import { fieldOf, kinds, snakeCase, type Kind } from '../../provider';

/** Other words for a key: the live service's own (architecture §4). */
const ALSO: { readonly [token: string]: { readonly [key: string]: string } } = { Attachment: { run_on: 'runsOn' } };

/** Arguments that have a place of their own in a file. */
const ELSEWHERE: { readonly [token: string]: readonly string[] } = {
  Component: ['type', 'attributes'],
  Environment: ['platformAvailability', 'configured'],
};

/** Arguments the stack fills in: what must be done again when something else changed. */
function isFilledIn(of: Kind, name: string): boolean {
  const field = fieldOf(of, name);
  return field?.channel === 'control' && !field.quiet;
}

/** Names of the arguments a file can give a kind's resource under keys of their own. */
export function argumentsInFile(of: Kind): readonly string[] {
  const elsewhere = ELSEWHERE[of.token] ?? [];
  return Object.keys(of.fields).filter((name) => !elsewhere.includes(name) && !isFilledIn(of, name));
}

/** The keys of a kind, without other words for the same. */
export const keysOf = (of: Kind): readonly string[] => argumentsInFile(of).map(snakeCase);

/** The argument a key means; undefined for a key the kind does not have. */
export function argumentOf(of: Kind, key: string): string | undefined {
  const also = ALSO[of.token] ?? {};
  return Object.hasOwn(also, key) ? also[key] : argumentsInFile(of).find((name) => snakeCase(name) === key);
}

/** Keys inside a component that are no attribute of its class; a test holds them against every class of the catalogue. */
export function ownComponentKeys(): readonly string[] {
  const component = kinds.find(({ token }) => token === 'Component');
  return ['attachments', 'pulumi', ...(component ? keysOf(component) : [])];
}
