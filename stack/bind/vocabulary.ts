// Which keys a kind has in a file, and which argument each means.
import { argumentsInFile, kindInFile, oncePer, snakeCase, type Kind } from '../../provider';

/** The keys of a kind, without other words for the same. */
export const keysOf: (of: Kind) => readonly string[] = oncePer((of) => argumentsInFile(of).map(snakeCase));

/** The argument a key means; undefined for a key the kind does not have. */
export function argumentOf(of: Kind, key: string): string | undefined {
  const aliases = of.inFile?.aliases ?? {};
  return Object.hasOwn(aliases, key) ? aliases[key] : argumentsInFile(of)[keysOf(of).indexOf(key)];
}

/** Keys inside a component whose values are records of their own. */
export const COMPONENT_PARTS = ['attachments', 'monitors'] as const;

const ownKeys: (of: Kind) => readonly string[] = oncePer((of) => [...COMPONENT_PARTS, 'pulumi', ...keysOf(of)]);

/** Keys inside a component that are no attribute of its class; a test compares them with every class of the catalogue. */
export const ownComponentKeys = (): readonly string[] => ownKeys(kindInFile('platforms.*.components.*'));

/** The same for a component in an environment. */
export const ownOverrideKeys = (): readonly string[] => ownKeys(kindInFile('environments.*.platforms.*.components.*'));
