// Secrets by a name: of their key, of a text next to them, or of the item before them.
import { valueIn } from '../values/plain';

/** Names under which people keep secrets. A number of tokens is none: `max_tokens`. */
export const SECRET_WORD =
  /pass?w|passphrase|(?:^|(?<!(?:fastcgi|uwsgi|scgi|grpc|memcached|first|second|one|two|multi))[_.-])pass(?:$|[_.-])|pwd|secret|token(?!s)|(?<!(?<![a-z])(?:n|num|max|min|total|count|number_?of)[_.-]?)tokens|private(?![_.-]?(?:ip(?!sec)|address|network|subnet|dns|zone)(?!.{0,60}key))|credential|auth_?key|access_?key(?![_.-]?id)/i;

/** Ends of names of secrets; further words change the meaning: `TOKEN_LIFETIME`. */
export const SECRET_NAME =
  /(?:passw(?:or)?d|passphrase|(?:^|(?<!(?:fastcgi|uwsgi|scgi|grpc|memcached|first|second|one|two|multi))[_.-])pass|pwd|secret|token|(?:private|api|secret)[_-]?key|secret[_-]?access[_-]?key|credentials?)$/i;

/** A place or another name of a secret: a path, a file, an address, a parameter. */
const ELSEWHERE = /^(?:\.{0,2}\/|~|@|:\w|[a-z][a-z\d+.-]*:\/\/)/i;

/** Ends of names of places, next to words for secrets: `PASSWORD_FILE`. */
const PLACE_NAME = /(?:file|path|dir|ur[il]|endpoint|host)$/i;
/** Whether a text is an address with settings, or with a long word of letters and digits. */
const isSecretAddress = (text: string): boolean =>
  text.includes('://') &&
  (/[?#]/.test(text) || text.split(/[^\w-]/).some((word) => word.length >= 16 && /\d/.test(word)));

/** Words that are settings, and no secrets. */
const SETTING = /^(?:true|false|null|nil|none|yes|no|on|off|enabled?|disabled?|required|optional)?$/i;

/**
 * Whether a text can be a secret under a name: a number or place only under a sure name, a setting
 * never.
 */
export const mayBeSecret = (text: string, name: string | undefined): boolean =>
  name !== undefined &&
  !SETTING.test(text) &&
  (SECRET_NAME.test(name) ||
    (!/^\d+$/.test(text) && !(PLACE_NAME.test(name) && ELSEWHERE.test(text) && !isSecretAddress(text))));

/** Stands in place of a hidden secret, or sets a plugin with the name of one. */
const NO_SECRET = /^(?:(?:x{3,}|\*)\W*|force(?:_plus_permanent)?)$/i;

/** Whether a text surely is a secret under its name: no number, version or place. */
export const isSecretText = (text: string): boolean =>
  !SETTING.test(text) &&
  !NO_SECRET.test(text) &&
  /[^\d.]/.test(text) &&
  Number.isNaN(Number(text)) &&
  !ELSEWHERE.test(text);

/** Whether a name may be that of a secret: it ends as those do, or has a word for a secret. */
export const mayNameSecret = (name: string): boolean => SECRET_WORD.test(name) || SECRET_NAME.test(name);

/** The name in an option: `password` of `--password` and of `-Dpassword`. */
export const nameInOption = (option: string): string => option.replace(/^(?:-D|-+)(?=\w)/, '');

export interface SecretNames {
  key(name: string): boolean;
  /** Whether a text under a key of a map names what is next to it. */
  beside(text: string, key: string): boolean;
  /** Whether an item of a list names the next one. In a list of words each is a word. */
  before(text: string, next: string): boolean;
}

const NAME = /^-{0,2}[A-Za-z][\w.-]*$/;
/** Keys under which maps have the name of their value. */
const NAMING_KEY = /(?:^|[_.-])(?:name|key|k|id|var|variable|env)$|(?:Name|Key|Id|Variable)$/i;

/** Whether a text is nothing but the name of a secret: `DB_PASSWORD`, but not `libsecret`. */
function isSureName(text: string): boolean {
  const found = NAME.test(text) ? SECRET_NAME.exec(text) : null;
  if (found === null) return false;
  const before = text.slice(0, found.index);
  const isWord = /^$|[_.-]$/.test(before) || (/[a-z\d]$/.test(before) && /^[A-Z]/.test(found[0]));
  return isWord || text === text.toUpperCase();
}

const isInCapitals = (text: string): boolean => /^[A-Z][A-Z\d_]*$/.test(text);

const isName = (text: string): boolean => NAME.test(text) && SECRET_NAME.test(text);

/** Whether a key of a map says that its text is a name: `paramName`, but not `APP_NAME`. */
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

/** What marks a value as a secret: its key, the text of another key, or the item before it. */
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

export const isSecretUnder = (value: object, key: string, names: SecretNames): boolean =>
  namedSecretsOf(value, names)(key) !== undefined;

/** Keys of a map whose texts name what is next to them. */
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

/** Whether an item has its name before it: `["DB_PASSWORD", "x"]`, but not in a list of names. */
function isNamedBefore(list: readonly unknown[], index: number, names: SecretNames): boolean {
  const [before, own] = [list[index - 1], list[index]];
  if (typeof before !== 'string' || typeof own !== 'string' || !names.before(before, own)) return false;
  const isAnotherName = isName(own) && styleOf(own) === styleOf(before);
  return !isAnotherName && own !== '' && !own.startsWith('-') && !/^(?:true|false|\d+)$/i.test(own);
}

/** How a name is written: in capitals, and what is between its words. */
const styleOf = (name: string): string => `${name === name.toUpperCase()} ${name.replace(/[^_.-]/g, '')[0] ?? ''}`;

/** Whether a text is more than references of the service, and what joins them. */
export const isMoreThanReferences = (text: string): boolean =>
  text.includes('$OO_') ? /[\p{L}\p{N}]/u.test(text.replace(/\$OO_[A-Z]+\{[^{}]*\}/g, '')) : text.trim() !== '';
