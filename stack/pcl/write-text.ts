// Texts and names as PCL writes them.
// It must not know what they mean.

/** Words that mean something in PCL, or in the programs that are made from it. */
const RESERVED = ['true', 'false', 'null', 'for', 'in', 'if', 'range', 'pulumi', 'oneops', 'config', 'options'];

const ESCAPES: { readonly [character: string]: string } = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** The inside of a text in quotes. `${` and `%{` begin nothing in it. */
const escaped = (text: string): string =>
  text
    .replace(/[\\"\n\r\t]/g, (character) => ESCAPES[character] ?? character)
    .replace(/[\p{Cc}\u2028\u2029\ufeff]/gu, codeOf)
    // A doubled mark is the mark itself; before one that is doubled, marks are written by their number, because all of them together are read otherwise.
    .replace(/([$%]+)\{/g, (_, marks: string) =>
      marks.length === 1 ? `${marks}${marks}{` : `${[...marks].map(codeOf).join('')}{`,
    );

const codeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text in quotes. */
export const quoted = (text: string): string => `"${escaped(text)}"`;

/** Whether PCL can hold a text: it keeps Unicode in its composed form, and no halves of characters. */
export const canHold = (text: string): boolean => !/\p{Surrogate}/u.test(text) && text === text.normalize('NFC');

/** Gives each thing a different identifier, made from its name. */
interface Identifiers {
  /** The first of the given names that is free, or one with a number. */
  take(...names: readonly string[]): string;
}

/** Identifiers of one program. */
export function newIdentifiers(): Identifiers {
  const taken = new Set(RESERVED);
  return {
    take(...names) {
      const wanted = names.map(identifierFrom);
      let found = wanted.find((each) => !taken.has(each));
      for (let number = 2; found === undefined; number += 1) {
        const numbered = `${wanted.at(-1) ?? 'it'}${number}`;
        if (!taken.has(numbered)) found = numbered;
      }
      taken.add(found);
      return found;
    },
  };
}

/** `webDeployer` from `web/deployer`; a name that is an identifier stays. Underscores alone are kept: other marks are refused by some languages. */
function identifierFrom(name: string): string {
  const words = name.split(/[^A-Za-z0-9_]+/).filter((word) => word !== '');
  const joined = words
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
  return /^[A-Za-z]/.test(joined) ? joined : `it${joined}`;
}
