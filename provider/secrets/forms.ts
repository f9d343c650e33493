// Secrets in clear inside a text: seven well-known forms, and names with values.
import { isPlainObject } from '../values/plain';
import {
  isMoreThanReferences,
  isSecretText,
  LIKELY_NAMES,
  mayBeSecret,
  namedSecretsOf,
  nameInOption,
  SECRET_NAME,
  SURE_NAMES,
  type SecretNames,
} from './names';

interface Form {
  readonly phrase: string;
  /** Its first group is the secret. */
  readonly pattern: RegExp;
  /** Whether a match surely is a secret; default: each is. */
  readonly isSure?: (secret: string, found: string) => boolean;
}

/** Where a secret starts that is not filled in later. */
const START = '(?![$*<{[%]|#{)';

/** A word of a command line, or quoted text, which can begin with a user's name. */
const WORD = ['"', "'"]
  .map((quote) => `(?<=${quote}(?:[^\\s:"'$]+:)?)${START}[^${quote}\\n]+`)
  .concat(`${START}[^\\s"']+`)
  .join('|');

/** A command line of a tool up to an option with a password. */
const OPTIONS = '\\s(?:[^\\n|;&]{0,300}?\\s)??';

/** What stands for a password in a description: `curl -u user:password`. */
const EXAMPLE = /^pass(?:word|wd)?$/i;

/** The password in a command line that begins like this. */
const inCommand = (command: string, isSure = (_: string): boolean => true): Form => ({
  phrase: 'a password',
  // The command is looked back at: it can have several passwords.
  pattern: new RegExp(`(?<=\\b${command}["']?)(${WORD})`, 'g'),
  isSure: (secret) => !EXAMPLE.test(secret) && isSure(secret),
});

const FORMS: readonly Form[] = [
  { phrase: 'a private key', pattern: /(-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----)/g },
  {
    phrase: 'a password',
    pattern: /:\/\/[^\s/:@]*:((?![$*<{])[^\s/]+)@/g,
    // `http://host:80?mail=ada@acme.io`
    isSure: (secret) => !/^\d{1,5}[?#,]/.test(secret) && !EXAMPLE.test(secret),
  },
  {
    phrase: 'a secret',
    pattern: /:\/\/[^\s]{0,2000}[?&;](?:password|passwd|pwd|token|secret|api_?key|access_?key)=((?![$*<{])[^\s&;]+)/gi,
  },
  {
    phrase: 'a token',
    pattern:
      /\bauthorization["']?[^\S\n]{0,9}[:=,][^\S\n]{0,9}["']?(?:bearer|basic|token)[^\S\n]+((?![$*<{[%]|#{|[\w-]*token(?=["'\s]|$)|\w+=["'])[^\s"']+)/gi,
    // `authorization: basic authentication is needed`
    isSure: (secret) => /\d/.test(secret) || secret.length >= 20,
  },
  {
    phrase: 'a password',
    pattern:
      /(?:@\S{1,99}\s{1,9})?\bidentified\s{1,9}by\s{1,9}(?:password\s{1,9})?'((?![$*<{[%]|#{)(?:''|\\[^\n]|[^'\\\n])+)'/gi,
    // `each node is identified by 'name'`
    isSure: (_, found) => /^@|IDENTIFIED/.test(found),
  },
  {
    phrase: 'a password',
    pattern: /(?:\bmachine\s{1,9}\S{1,99}\s{1,9})?\blogin\s{1,9}\S{1,99}\s{1,9}password\s{1,9}((?![$*<{[%]|#{)\S+)/g,
    // `login and password policy`
    isSure: (_, found) => found.startsWith('machine'),
  },
  inCommand(`curl${OPTIONS}(?:-u|-U|--user|--proxy-user)[ =]{0,9}["']?[^\\s:"'$]+:`),
  // A colon or a number can be a port, as in `ssh -l mysql -p2222`.
  inCommand(`mysql(?:dump|admin)?${OPTIONS}(?!-p[\\d.:]*:\\d)-p`, (secret) => /\D/.test(secret)),
  // Without the options of the command that it starts.
  inCommand('sshpass(?:\\s{1,9}-(?:[vV]|P\\s?\\S{1,99})){0,3}\\s{1,9}-p ?'),
  inCommand(`redis-cli${OPTIONS}-a `),
];

/** The secret that a text surely contains, as a phrase: `a private key`. Undefined for none. */
export const secretInText = (text: string): string | undefined =>
  FORMS.find(({ pattern, isSure = () => true }) => {
    for (const [found, secret = ''] of text.matchAll(pattern)) if (isSure(secret, found)) return true;
    return false;
  })?.phrase;

/** Whether a text has one of the forms, or what may be one. */
export const mayHaveForm = (text: string): boolean => FORMS.some(({ pattern }) => text.search(pattern) >= 0);

/** `name="NAME" value="`, and in YAML `name: NAME` beside or above `value: `. */
const PAIR =
  /(?<![\w.$@-])(?:name|key)["']?\s{0,9}[:=]\s{0,9}["']?(?<pair>[\w.-]+)["']?(?:,\s{0,99}|\s{1,99})["']?value["']?\s{0,9}[:=]\s{0,9}(?=\S)/g;

/** `NAME=`, `NAME =>`, `"NAME": "`, `--NAME `, `<NAME>`, and at the start of a line `NAME: `. */
const ASSIGNMENT =
  /(?:(?<first>^[^\S\r\n\u2028\u2029]*)|(?<![\w.$@{-]))(?<name>[\w.-]+)["']?\s*=>?[^\S\n]*(?=[^\s=~])|(?:^[^\S\r\n\u2028\u2029]*(?:- )?)["']?(?<key>[\w.-]+)["']?[^\S\n]*:[^\S\n]+(?=\S)|["'](?<quoted>[\w.-]+)["']\s*:\s*(?=["'])|<(?<element>[\w.-]+)>(?=[^\s<])|(?<![\w.$@{-])(?<option>--[A-Za-z][\w.-]*)[^\S\n]+(?=[^\s-])/gm;

/** What is filled in later: a variable of a shell or of the service, a template. */
const FILLED_IN = /^["']?(?:[$`({[&]|#\{|\*{3}|<(?:[%<(]|[\w .-]+>)|%(?:[({<]|[sd](?!\w)|\w+%))/;
/** What stands for the value of an option in a description: `--password PASSWORD`. */
const PLACEHOLDER = /^[A-Z_]+(?![^\s\]])/;
/** The longest part of a value that is looked at. */
const MOST = 2000;

/** A name of a secret in a text, and its value, of which the end is not known exactly. */
interface Assigned {
  readonly name: string;
  readonly value: string;
  /** Whether `=` is right before the value. */
  readonly isEqual: boolean;
}

/** Names of secrets with their likely values: `DB_PASSWORD=x`, `password: x`, `--token x`. */
function* assignedIn(text: string, names: SecretNames): Generator<Assigned> {
  for (const form of [PAIR, ASSIGNMENT])
    for (const { 0: found, groups = {}, index } of text.matchAll(form)) {
      const { pair, first, name: assigned, key, option, quoted, element } = groups;
      const name = pair ?? assigned ?? key ?? option ?? quoted ?? element ?? '';
      const start = index + found.length;
      const rest = text.slice(start, start + MOST);
      const isPlaceholder = option !== undefined && (!SECRET_NAME.test(name) || PLACEHOLDER.test(rest));
      if (!names.key(name) || isPlaceholder || FILLED_IN.test(rest)) continue;
      const isLine = key !== undefined || found.includes('\n') || (first !== undefined && !name.startsWith('-'));
      const value = valueIn(rest, isLine);
      if (value !== '' && mayBeSecret(value, name)) yield { name, value, isEqual: found.endsWith('=') };
    }
}

/** The value that a text begins with: a block of YAML, quoted text, a line, or a word. */
function valueIn(rest: string, isLine: boolean): string {
  if (/^[|>]/.test(rest)) {
    const [, block = ''] = /^[|>][-+\d]{0,2}[^\S\n]*\n\s*?([^\S\n]+\S[^]*)/.exec(rest) ?? [];
    return isMoreThanReferences(block) ? block : '';
  }
  const [, , quoted] = /^(["'])((?:\\.|(?!\1)[^\\\n])*)\1/.exec(rest) ?? [];
  if (quoted !== undefined) return quoted;
  const unquoted = isLine ? /^\S*[^\n]*?(?=[^\S\n]-{0,2}[\w.-]+=|\n|$)/ : /^["']?[^\s"'`)\]};,<]+/;
  return (unquoted.exec(rest)?.[0] ?? '').trimEnd();
}

/**
 * The name whose value a text surely gives: `password` of `-Dpassword=x`. Undefined for a possible
 * line of a program, and for a value that only says where the secret is.
 */
export function assignedSecretIn(text: string): string | undefined {
  if (!text.includes('=')) return undefined;
  for (const { name, value, isEqual } of assignedIn(text, SURE_NAMES)) {
    const isPlain = /^[^\s()[\]{}$`<>]+$/.test(value) && /[\p{L}\p{N}]/u.test(value);
    if (isEqual && isPlain && isSecretText(value) && !isOwnName(value, name)) return nameInOption(name);
  }
  return undefined;
}

/** Whether a value is only the name again: `password=self.password`. */
function isOwnName(value: string, name: string): boolean {
  const last = value.split('.').at(-1)?.toLowerCase() ?? '';
  return SECRET_NAME.test(last) && name.toLowerCase().endsWith(last);
}

/** Whether a value gives a secret by its name, or contains one. */
export function holdsNamedSecret(value: unknown, names: SecretNames): boolean {
  if (typeof value === 'string') return assignedIn(value, names).next().done !== true;
  if (typeof value !== 'object' || value === null) return false;
  const secretUnder = namedSecretsOf(value, names);
  return Object.entries(value).some(([key, inner]) => secretUnder(key) !== undefined || holdsNamedSecret(inner, names));
}

/** Whether a text may hold a secret, and is therefore not copied. */
export const mayHoldSecret = (text: string): boolean =>
  holdsNamedSecret(text, LIKELY_NAMES) || mayHaveForm(text) || holdsSecretIn(objectInJson(text.trim()));

/** The list or map that a text is in JSON. */
export function objectInJson(text: string): object | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Levels of JSON in a text that are looked at: nobody writes more. */
const DEEPEST = 100;

/** Whether a JSON value holds a secret under a name; `name`: of a secret above it. */
function holdsSecretIn(value: unknown, name?: string, depth = 0): boolean {
  if (typeof value === 'string') return mayBeSecret(value, name);
  if (typeof value === 'number') return name !== undefined && SECRET_NAME.test(name);
  if ((!Array.isArray(value) && !isPlainObject(value)) || depth > DEEPEST) return false;
  const secretUnder = namedSecretsOf(value, LIKELY_NAMES);
  return Object.entries(value).some(([key, inner]) => holdsSecretIn(inner, name ?? secretUnder(key), depth + 1));
}
