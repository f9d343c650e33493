// Which values are secrets by a name: that of their key, of a text next to them, of the item before them in a list, or in a text that gives a name its value.
// It must not know any kind, nor where a value is written.
import type { SecretPart } from './clear-secrets';
import { valueIn } from './plain-object';

/** Names under which people keep secrets. */
export const SECRET_WORD = /pass?w|passphrase|pwd|secret|token|private|credential|auth_?key/i;

/** Ends of the names of secrets. Words after them make the name mean something else: `TOKEN_LIFETIME`. */
export const SECRET_NAME =
  /(?:passw(?:or)?d|passphrase|pwd|secret|token|(?:private|api|secret)[_-]?key|secret[_-]?access[_-]?key|credentials?)$/i;

/** Whether a name may be that of a secret: it ends as those do, or has a word for a secret. */
export const mayNameSecret = (name: string): boolean => SECRET_WORD.test(name) || SECRET_NAME.test(name);

/** Which names count. */
export interface SecretNames {
  /** Whether a key is the name of a secret. */
  key(name: string): boolean;
  /** Whether a text under a key of a map names what is next to it. */
  beside(text: string, key: string): boolean;
  /** Whether an item of a list names the next one; of a list of words, each is a word like the others. */
  before(text: string, next: string): boolean;
}

const NAME = /^-{0,2}[A-Za-z][\w.-]*$/;
/** Keys under which maps have the name of their value. */
const NAMING_KEY = /(?:^|[_.-])(?:name|key|k|id|var|variable|env)$|(?:Name|Key|Id|Variable)$/i;

/** Whether a text is nothing but the name of a secret, whose last word stands alone: `DB_PASSWORD` and `--dbPassword`, but not `libsecret`. */
function isSureName(text: string): boolean {
  const found = NAME.test(text) ? SECRET_NAME.exec(text) : null;
  if (found === null) return false;
  const before = text.slice(0, found.index);
  const isWord = /^$|[_.-]$/.test(before) || (/[a-z\d]$/.test(before) && /^[A-Z]/.test(found[0]));
  return isWord || text === text.toUpperCase();
}

/** Whether a text is written as the names of an environment are: `HOME`. */
const isInCapitals = (text: string): boolean => /^[A-Z][A-Z\d_]*$/.test(text);

const isName = (text: string): boolean => NAME.test(text) && SECRET_NAME.test(text);

/** Whether a key of a map says that its text is a name: `name` and `paramName`, but not the names of an environment, such as `APP_NAME`. */
const isNamingKey = (key: string): boolean => NAMING_KEY.test(key) && !/^[A-Z\d]+_[A-Z\d_]+$/.test(key);

/** All names with a word for a secret, for values that nobody has seen yet. */
export const ANY_NAMES: SecretNames = {
  key: mayNameSecret,
  beside: mayNameSecret,
  before: isName,
};

/** Names that may be those of secrets, for values that are not copied in case of doubt. */
export const LIKELY_NAMES: SecretNames = {
  key: mayNameSecret,
  beside: (text, key) => NAME.test(text) && SECRET_WORD.test(text) && isNamingKey(key),
  before: isName,
};

/** Names that only secrets have, for warnings. */
export const SURE_NAMES: SecretNames = {
  key: (name) => SECRET_NAME.test(name),
  beside: (text, key) => isSureName(text) && isNamingKey(key),
  before: (text, next) => isSureName(text) && (text.startsWith('-') || (isInCapitals(text) && !isInCapitals(next))),
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Keys of a map whose texts describe a value, and are none. */
const DESCRIPTION_KEY = /^(?:type|secure|description)$/i;
/** Keys of a map that can have a list of maps for their value. */
const VALUE_KEY = /^(?:values?|val|v|text|content|data|default)$/i;

/**
 * What says that a value of a list or a map is a secret: its key, the text of another key, or the item before it. Returns undefined for a key whose value is
 * no secret.
 */
export function namedSecretsOf(value: object, names: SecretNames): (key: string) => string | undefined {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const named = new Set<number>();
    // The value of a secret names nothing, whatever it sounds like.
    for (let index = 1; index < list.length; index += 1)
      if (!named.has(index - 1) && isNamedBefore(list, index, names)) named.add(index);
    return (key) => (named.has(Number(key)) ? String(list[Number(key) - 1]) : undefined);
  }
  const named = namesIn(value, names);
  return (key) => {
    if (names.key(key)) return key;
    const other = named.find((each) => each !== key);
    if (other === undefined || DESCRIPTION_KEY.test(key)) return undefined;
    const isSecret = /^name$/i.test(key)
      ? // The name of a value stays readable: what it names is the secret.
        !named.includes(key) && named.some((each) => !DESCRIPTION_KEY.test(each))
      : VALUE_KEY.test(key) || !isListOfMaps(valueIn(value, [key]));
    return isSecret ? String(valueIn(value, [other])) : undefined;
  };
}

/** Whether what a list or a map has under a key is a secret. */
export const isSecretUnder = (value: object, key: string, names: SecretNames): boolean =>
  namedSecretsOf(value, names)(key) !== undefined;

/** Keys of a map whose texts name what is next to them. Next to a text that is nothing but a name, one that only has the word for a secret is a value. */
function namesIn(map: object, names: SecretNames): readonly string[] {
  const hasValue = Object.keys(map).some((key) => VALUE_KEY.test(key));
  const named = Object.entries(map).filter(([key, text]) => {
    // The value of a secret names nothing, whatever it sounds like.
    if (typeof text !== 'string' || names.key(key)) return false;
    return names.beside(text, key) || (hasValue && !VALUE_KEY.test(key) && names.before(text, ''));
  });
  const isNaming = (key: string): boolean => !DESCRIPTION_KEY.test(key) && !VALUE_KEY.test(key);
  const sure = named.filter(([key, text]) => isNaming(key) && isSureName(text as string));
  return (sure.length > 0 ? sure : named).map(([key]) => key);
}

/** Things with their own names. */
const isListOfMaps = (value: unknown): boolean => Array.isArray(value) && value.some(isObject);

/** Whether an item of a list has its name before it: `["DB_PASSWORD", "x"]`, but not in a list of names alone. */
function isNamedBefore(list: readonly unknown[], index: number, names: SecretNames): boolean {
  const [before, own] = [list[index - 1], list[index]];
  if (typeof before !== 'string' || typeof own !== 'string' || !names.before(before, own)) return false;
  const isAnotherName = isName(own) && styleOf(own) === styleOf(before);
  return !isAnotherName && own !== '' && !own.startsWith('-') && !/^(?:true|false|\d+)$/i.test(own);
}

/** How a name is written: in capitals, and what is between its words. */
const styleOf = (name: string): string => `${name === name.toUpperCase()} ${name.replace(/[^_.-]/g, '')[0] ?? ''}`;

/** `NAME=`, `NAME =>`, `"NAME": "`, `--NAME `, and at the start of a line `NAME: `. */
const ASSIGNMENT =
  /(?:(?<first>^[^\S\r\n\u2028\u2029]*)|(?<![\w.$@{-]))(?<name>[\w.-]+)["']?\s*=>?[^\S\n]*(?=[^\s=~])|^[^\S\r\n\u2028\u2029]*(?:- )?["']?(?<key>[\w.-]+)["']?[^\S\n]*:[^\S\n]+(?=\S)|["'](?<quoted>[\w.-]+)["']\s*:\s*(?=["'])|<(?<element>[\w.-]+)>(?=[^\s<])|(?<![\w.$@{-])(?<option>--[A-Za-z][\w.-]*)[^\S\n]+(?=[^\s-])/gm;

/** What is filled in later: a variable of a shell or of the service, a template. */
const FILLED_IN = /^["']?(?:[$`({[|>&]|#\{|\*{3}|<(?:[%<(]|[\w .-]+>)|%(?:[({<]|[sd](?!\w)|\w+%))/;
/** The longest start of a value that is compared with it. */
const MOST_OF_START = 80;
/** What stands for the value of an option in a description: `--password PASSWORD`. */
const PLACEHOLDER = /^[A-Z_]+(?![^\s\]])/;
const NO_VALUE = /^(?:true|false|null|nil|none|yes|no|on|off)$/i;

/** The secrets that a text gives by their names: `DB_PASSWORD=x`, also with spaces, after other words and in quotes, or `password: x`. */
export function namedParts(text: string, names: SecretNames): readonly SecretPart[] {
  const parts: SecretPart[] = [];
  for (const found of text.matchAll(ASSIGNMENT)) {
    const { first, name: assigned, key, quoted, option, element } = found.groups ?? {};
    const name = assigned ?? key ?? option ?? quoted ?? element ?? '';
    const start = found.index + found[0].length;
    const rest = text.slice(start, start + MOST_OF_START);
    const isNamed = names.key(name) && (option === undefined || (SECRET_NAME.test(name) && !PLACEHOLDER.test(rest)));
    if (found.index < (parts.at(-1)?.end ?? 0) || !isNamed || FILLED_IN.test(rest)) continue;
    const isFirst = (first !== undefined && !name.startsWith('-')) || key !== undefined;
    const part = element === undefined ? valueAt(text, start, isFirst) : insideElement(text, start);
    const value = part === undefined ? '' : text.slice(part.start, part.end);
    const isNumber = /^\d+$/.test(value) && !SECRET_NAME.test(name);
    if (part !== undefined && value !== '' && !NO_VALUE.test(value) && !isNumber) parts.push({ name, ...part });
  }
  return parts;
}

/** What says where a secret is, or what it is called: a path, a file of an option, an address, a parameter of a statement. */
export const ELSEWHERE = /^(?:\.{0,2}\/|~|@|:\w|[a-z][a-z\d+.-]*:\/\/)/i;

/**
 * The name whose value a text surely gives: `password` of `-Dpassword=x`. Undefined for none, for what can be a line of a program, whose values have spaces
 * or brackets, and where the value only says where the secret is.
 */
export function assignedSecretIn(text: string): string | undefined {
  if (!text.includes('=')) return undefined;
  const part = namedParts(text, SURE_NAMES).find(({ start, end }) => {
    const value = text.slice(start, end);
    const isAssigned = /=["']?$/.test(text.slice(Math.max(0, start - 2), start));
    return isAssigned && /^[^\s()[\]{}$`<>]+$/.test(value) && !ELSEWHERE.test(value);
  });
  return part?.name.replace(/^-+D?/, '');
}

/** Whether a text is more than references of the service, and what joins them. */
export const isMoreThanReferences = (text: string): boolean =>
  text.includes('$OO_') ? /[\p{L}\p{N}]/u.test(text.replace(/\$OO_[A-Z]+\{[^{}]*\}/g, '')) : text.trim() !== '';

/** A text in double quotes with escaped ones, or in single quotes with doubled ones. */
const QUOTED = /^(?:"((?:\\.|[^"\\\n])*)"|'((?:''|[^'\n])*)')/;

/** The text of an element of XML. */
const insideElement = (text: string, start: number): { readonly start: number; readonly end: number } => ({
  start,
  end: start + (/^[^<]*/.exec(text.slice(start))?.[0] ?? '').trimEnd().length,
});

/** A word without what closes something around it; a brace that the word opens itself is a part of it: `a$OO_LOCAL{b}`. */
const withoutEnd = (word: string): string =>
  word.replace(/(?<=[^"'`)\]};,])["'`)\]};,]+$/, (end, at: number) =>
    end.startsWith('}') && /\{[^{}]*$/.test(word.slice(0, at)) ? '}' : '',
  );

/** The value that starts there: what is in quotes, a word, or for the first name of a line all of it, up to another name. */
function valueAt(
  text: string,
  start: number,
  isFirst: boolean,
): { readonly start: number; readonly end: number } | undefined {
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
  if (!isObject(value)) return false;
  const secretUnder = namedSecretsOf(value, names);
  return Object.entries(value).some(([key, inner]) => secretUnder(key) !== undefined || holdsNamedSecret(inner, names));
}
