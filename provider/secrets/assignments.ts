// The secrets that a text gives by their names: `DB_PASSWORD=x`, `password: x`, `--token x`, and the pairs of XML and YAML.
// It must not know any kind, nor where a text is written.
import type { SecretPart } from './clear-secrets';
import {
  isMoreThanReferences,
  isSecretText,
  mayBeSecret,
  namedSecretsOf,
  nameInOption,
  SECRET_NAME,
  SURE_NAMES,
  type SecretNames,
} from './names';

/** `name="NAME" value="`, and in YAML `name: NAME` with `value: ` next to it or on the next line. */
const PAIR =
  /(?<![\w.$@-])(?:name|key)["']?\s{0,9}[:=]\s{0,9}["']?(?<pair>[\w.-]+)["']?(?:,\s{0,99}|\s{1,99})["']?value["']?\s{0,9}[:=]\s{0,9}(?=\S)/g;

/** `NAME=`, `NAME =>`, `"NAME": "`, `--NAME `, and at the start of a line `NAME: `. */
const ASSIGNMENT =
  /(?:(?<first>^[^\S\r\n\u2028\u2029]*)|(?<![\w.$@{-]))(?<name>[\w.-]+)["']?\s*=>?[^\S\n]*(?=[^\s=~])|(?<indent>^[^\S\r\n\u2028\u2029]*(?:- )?)["']?(?<key>[\w.-]+)["']?[^\S\n]*:[^\S\n]+(?=\S)|["'](?<quoted>[\w.-]+)["']\s*:\s*(?=["'])|<(?<element>[\w.-]+)>(?=[^\s<])|(?<![\w.$@{-])(?<option>--[A-Za-z][\w.-]*)[^\S\n]+(?=[^\s-])/gm;

/** What is filled in later: a variable of a shell or of the service, a template. */
const FILLED_IN = /^["']?(?:[$`({[|>&]|#\{|\*{3}|<(?:[%<(]|[\w .-]+>)|%(?:[({<]|[sd](?!\w)|\w+%))/;
/** The longest start of a value that is compared with it. */
const MOST_OF_START = 80;
/** What stands for the value of an option in a description: `--password PASSWORD`. */
const PLACEHOLDER = /^[A-Z_]+(?![^\s\]])/;

/** The secrets that a text gives by their names: `DB_PASSWORD=x`, also with spaces, after other words and in quotes, or `password: x`. */
export function namedParts(text: string, names: SecretNames): readonly SecretPart[] {
  const parts: SecretPart[] = [];
  const valueStart = ({ 0: found, index }: RegExpExecArray): number => index + found.length;
  const all = [...text.matchAll(PAIR), ...text.matchAll(ASSIGNMENT)];
  for (const found of all.sort((left, right) => valueStart(left) - valueStart(right))) {
    const { first, name: assigned, key, quoted, option, element, pair, indent } = found.groups ?? {};
    const name = pair ?? assigned ?? key ?? option ?? quoted ?? element ?? '';
    const start = valueStart(found);
    const rest = text.slice(start, start + MOST_OF_START);
    const isNamed = names.key(name) && (option === undefined || (SECRET_NAME.test(name) && !PLACEHOLDER.test(rest)));
    if (found.index < (parts.at(-1)?.end ?? 0) || !isNamed) continue;
    const isOnNextLine = pair !== undefined && found[0].includes('\n');
    const around = isOnNextLine ? indentOfLast(found[0]) : indent?.length;
    const block = around === undefined ? undefined : blockAt(text, start, around);
    const isFilledIn =
      block === undefined ? FILLED_IN.test(rest) : !isMoreThanReferences(text.slice(block.start, block.end));
    if (isFilledIn) continue;
    const isFirst = (first !== undefined && !name.startsWith('-')) || key !== undefined || isOnNextLine;
    const part = block ?? (element === undefined ? valueAt(text, start, isFirst) : insideElement(text, start));
    const value = part === undefined ? '' : text.slice(part.start, part.end);
    if (part !== undefined && mayBeSecret(value, name)) parts.push({ name, ...part });
  }
  return parts;
}

/**
 * The name whose value a text surely gives: `password` of `-Dpassword=x`. Undefined for none, for what can be a line of a program, whose values have spaces
 * or brackets, and where the value only says where the secret is.
 */
export function assignedSecretIn(text: string): string | undefined {
  if (!text.includes('=')) return undefined;
  const part = namedParts(text, SURE_NAMES).find(({ name, start, end }) => {
    const value = text.slice(start, end);
    const isAssigned = /=["']?$/.test(text.slice(Math.max(0, start - 2), start));
    const isPlain = /^[^\s()[\]{}$`<>]+$/.test(value) && /[\p{L}\p{N}]/u.test(value);
    return isAssigned && isPlain && isSecretText(value) && !isOwnName(value, name);
  });
  return part === undefined ? undefined : nameInOption(part.name);
}

/** Whether a value is only the name again, as in the arguments of a program: `password=self.password`. */
function isOwnName(value: string, name: string): boolean {
  const last = value.split('.').at(-1)?.toLowerCase() ?? '';
  return SECRET_NAME.test(last) && name.toLowerCase().endsWith(last);
}

/** Where a part of a text is. */
type Range = Pick<SecretPart, 'start' | 'end'>;

/** A text in double quotes with escaped ones, or in single quotes with doubled ones, or those that a shell escapes outside of them. */
const QUOTED = /^(?:"((?:\\.|[^"\\\n])*)"|'((?:''|'\\''|'"'"'|[^'\n])*)')/;

/** Blanks before the last line of a text. */
const indentOfLast = (text: string): number => /\S/.exec(text.slice(text.lastIndexOf('\n') + 1))?.index ?? 0;

/** The text of a block of YAML that starts there: the lines below a key that are indented further than it. */
function blockAt(text: string, start: number, indent: number): Range | undefined {
  const rest = text.slice(start);
  const [head] = /^[|>][-+\d]{0,2}[^\S\n]*\n\s*/.exec(rest) ?? [];
  if (head === undefined || head.length - head.lastIndexOf('\n') - 1 <= indent) return undefined;
  const [lines = ''] =
    new RegExp(`^[^\\n]*(?:\\n(?:[^\\S\\n]{${indent + 1},}[^\\n]*|[^\\S\\n]*(?=\\n)))*`).exec(
      rest.slice(head.length),
    ) ?? [];
  const from = start + head.length;
  return { start: from, end: from + lines.trimEnd().length };
}

/** The text of an element of XML. */
const insideElement = (text: string, start: number): Range => ({
  start,
  end: start + (/^[^<]*/.exec(text.slice(start))?.[0] ?? '').trimEnd().length,
});

/** A word without what closes something around it; a brace that the word opens itself is a part of it: `a$OO_LOCAL{b}`. */
const withoutEnd = (word: string): string =>
  word.replace(/(?<=[^"'`)\]};,])["'`)\]};,]+$/, (end, at: number) =>
    end.startsWith('}') && /\{[^{}]*$/.test(word.slice(0, at)) ? '}' : '',
  );

/** The value that starts there: what is in quotes, a word, or for the first name of a line all of it, up to another name. */
function valueAt(text: string, start: number, isFirst: boolean): Range | undefined {
  const rest = text.slice(start);
  const [quoted, inDouble, inside = inDouble ?? ''] = QUOTED.exec(rest) ?? [];
  if (quoted !== undefined) return inside === '' ? undefined : { start: start + 1, end: start + 1 + inside.length };
  const word = isFirst
    ? (/^\S*[^\n]*?(?=[^\S\n]-{0,2}[\w.-]+=|\n|$)/.exec(rest)?.[0] ?? '').trimEnd()
    : withoutEnd(/^\S+/.exec(rest)?.[0] ?? '');
  return { start, end: start + word.length };
}

/** Whether a value is a text that gives a secret by its name, or a list or map that contains a secret. */
export function holdsNamedSecret(value: unknown, names: SecretNames): boolean {
  if (typeof value === 'string') return namedParts(value, names).length > 0;
  if (typeof value !== 'object' || value === null) return false;
  const secretUnder = namedSecretsOf(value, names);
  return Object.entries(value).some(([key, inner]) => secretUnder(key) !== undefined || holdsNamedSecret(inner, names));
}
