// Paths of records below their assembly or environment, as rows and reviews name them.
import { addressNames, argumentFor, scopesOf, type Address, type Kind } from '../kind';
import { oncePer, type Texts } from '../values/plain';

/**
 * Path of a record below its assembly (`web/deployer/motd`, `$LOG_LEVEL`, `web/$HEAP`) or its
 * environment (`web/east`, `web/+tomcat`, `$LOG_LEVEL`); an environment's own is `environment`.
 */
export function memberPath(of: Kind, address: Address): string {
  const names = namesInside(of);
  if (names.length === 0) return argumentFor(of);
  if (
    of.stage === 'environment' &&
    names.length === 1 &&
    markOf(of, names, 0) + (address[names[0] ?? ''] ?? '') === HOLDER
  )
    return `${HOLDER}!`;
  return names.map((name, index) => `${markOf(of, names, index)}${address[name] ?? ''}`).join('/');
}

/** What the names of a kind begin with in a path, where the name alone could be another kind's. */
export const NAME_MARKS: Texts = { Variable: '$', Monitor: '!' };

/** What a part of a path begins with: `web/+tomcat` is a component, `web/east` a cloud. */
const markOf = ({ token, stage }: Kind, names: readonly string[], index: number): string => {
  if (stage === 'environment' && names[index] === 'component' && token !== 'InstanceReplacement') return '+';
  return index === names.length - 1 ? (NAME_MARKS[token] ?? '') : '';
};

/** The path of an environment. A platform of this name gets a mark at its end. */
const HOLDER = 'environment';

/** The kind, in its scope, that a path is of, and the address part that the path shows. */
export function parseMemberPath(
  kinds: readonly Kind[],
  stage: Kind['stage'],
  path: string,
): { readonly of: Kind; readonly inside: Address } | undefined {
  if (stage === 'environment' && path === HOLDER) return undefined;
  const parts = path === `${HOLDER}!` ? [HOLDER] : path.split('/');
  const marks = parts.map((part) => /^[^A-Za-z0-9]*/.exec(part)?.[0] ?? '');
  const of = inAnyScope(kinds).find((each) => {
    const names = namesInside(each);
    const isAlike = each.stage === stage && names.length === parts.length;
    return isAlike && marks.every((mark, index) => mark === markOf(each, names, index));
  });
  if (of === undefined) return undefined;
  const words = parts.map((part, index) => part.slice(marks[index]?.length));
  return { of, inside: Object.fromEntries(namesInside(of).map((name, index) => [name, words[index] ?? ''])) };
}

const inAnyScope: (kinds: readonly Kind[]) => readonly Kind[] = oncePer((kinds) => kinds.flatMap(scopesOf));

/** Names of a kind's address below the assembly or the environment that it is a member of. */
const namesInside: (of: Kind) => readonly string[] = oncePer((of) => {
  const outer = of.stage === 'design' ? ['assembly'] : ['assembly', 'environment'];
  const names = addressNames(of);
  return outer.every((name) => names.includes(name)) ? names.filter((name) => !outer.includes(name)) : [];
});
