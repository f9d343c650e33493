// What a name means inside of sections over lists and maps of a profile, and the text that takes the place of a tag there.
// It must not know where in a template it is.
import { ANY_NAMES, holdsNamedSecret, mayNameSecret, valueIn } from '../../provider';
import { isBelowSecret } from './profile';

/** What a section gives to what is in it: a value with its place in the profile, or the tag that stands for an unknown value. */
export type TagScope = InScope | { readonly tag: string };

interface InScope {
  /** The list or map of the profile that the value comes from. */
  readonly list: string;
  /** The keys and numbers from there to the value: `users.1.auth`. Two values never have the same. */
  readonly path: string;
  readonly value: unknown;
  /** Whether a name in the profile says that it is a secret. */
  readonly isSecret: boolean;
}

/** What a name means: the innermost value that has it. */
export function inScopes(name: string, scopes: readonly TagScope[]): InScope | undefined {
  for (const scope of [...scopes].reverse()) {
    if ('tag' in scope) {
      if (name === '.') return undefined;
      continue;
    }
    if (name === '.') return scope;
    const steps = name.split('.');
    const value = valueIn(scope.value, steps);
    if (value === undefined) continue;
    const isSecret = scope.isSecret || isBelowSecret(scope.value, steps);
    return { list: scope.list, path: `${scope.path}.${name}`, value, isSecret };
  }
  return undefined;
}

/** The scopes of a section over a value: one for each item of a list, or one for the value. */
export function scopesOver({ list, path, value, isSecret }: InScope): readonly TagScope[] {
  if (!Array.isArray(value)) return [{ list, path, value, isSecret }];
  return value.map((item: unknown, index) => ({ list, path: `${path}.${index + 1}`, value: item, isSecret }));
}

/** The text that takes the place of a tag; `secret`: the name in it, where it is another tag, so that a secret is not copied. */
export function itemText(
  name: string,
  scopes: readonly TagScope[],
): { readonly text: string; readonly secret?: string } | undefined {
  const last = scopes.at(-1);
  if (name === '.' && last !== undefined && 'tag' in last) return { text: last.tag };
  const found = inScopes(name, scopes);
  if (found === undefined) return undefined;
  const { path, value, isSecret } = found;
  if (isSecret || mayNameSecret(path) || holdsNamedSecret(value, ANY_NAMES))
    return { text: `{{${path}}}`, secret: path };
  if (value === null) return { text: '' };
  return { text: typeof value === 'string' ? value : JSON.stringify(value) };
}
