// The closed set of `fn::` functions of a stack file: arguments, result, an example. Binding,
// schema and the reference page follow from this table.
import { NamedError } from '../../api/errors';
import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { isPlainObject } from '../../provider/values';
import { documentText } from '../yaml/format';

/** The forms of an argument. */
type Form = 'value' | 'text' | 'list' | 'collection' | 'step' | 'sized' | 'map';

/** A call without a result. The message names no value, because it could be a secret. */
export class FunctionFault extends NamedError {}

export interface FileFunction {
  /** One form, or one for each item of a list. */
  readonly takes: Form | readonly Form[];
  readonly argument: string;
  readonly result: string;
  readonly returns: 'text' | 'any';
  /** Argument in YAML, and the result as JSON. */
  readonly example: readonly [argument: string, result: string];
  /** The result of an argument of that form. Absent: the binding makes the result. */
  readonly compute?: (argument: unknown) => unknown;
}

const isText = (value: unknown): boolean => !(typeof value === 'object' && value !== null);

/** Each form: its words, and whether a value has it. */
const FORMS: { readonly [F in Form]: { readonly words: string; readonly fits: (value: unknown) => boolean } } = {
  value: { words: 'a value', fits: () => true },
  text: { words: 'a text', fits: isText },
  list: { words: 'a list', fits: Array.isArray },
  map: { words: 'a map', fits: isPlainObject },
  collection: { words: 'a list or a map', fits: (value) => Array.isArray(value) || isPlainObject(value) },
  step: { words: 'an index or a key', fits: (value) => ['number', 'string'].includes(typeof value) },
  sized: { words: 'a list, a map or a text', fits: () => true },
};

/** Whether an argument has the form that a function takes. `isOpen`: for unknown values. */
export function fits(
  takes: FileFunction['takes'],
  argument: unknown,
  isOpen: (value: unknown) => boolean = () => false,
): boolean {
  if (typeof takes === 'string') return isOpen(argument) || FORMS[takes].fits(argument);
  if (!Array.isArray(argument) || argument.length !== takes.length) return false;
  return takes.every((form, index) => fits(form, argument[index] ?? null, isOpen));
}

export const formWords = (form: Form): string => FORMS[form].words;

/** A value inside a text: as itself, nothing as an empty text, lists and maps as JSON. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const pair = (argument: unknown): readonly [unknown, unknown] => argument as readonly [unknown, unknown];

function selected(argument: unknown): unknown {
  const [step, from] = pair(argument);
  const key = String(step);
  const isKey = !Array.isArray(from) || /^\d+$/.test(key);
  if (isKey && Object.hasOwn(from as object, key)) return (from as { readonly [key: string]: unknown })[key];
  if (!Array.isArray(from)) throw new FunctionFault('the map has no such key');
  throw new FunctionFault(`the list has no such item: it has ${from.length}, and the first one is 0`);
}

function parsed(argument: unknown): unknown {
  try {
    return JSON.parse(asText(argument)) as unknown;
  } catch {
    // The message of the parser quotes the text.
    throw new FunctionFault('the text is not JSON');
  }
}

function decoded(argument: unknown): string {
  const text = asText(argument).replace(/\s/g, '');
  const bytes = Buffer.from(text, 'base64');
  const isBase64 = bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  if (!isBase64) throw new FunctionFault('the text is not Base64');
  if (!isUtf8(bytes)) throw new FunctionFault('what it encodes is not text in UTF-8');
  return bytes.toString('utf8');
}

function sizeOf(argument: unknown): number {
  if (isPlainObject(argument)) return Object.keys(argument).length;
  return Array.isArray(argument) ? argument.length : [...asText(argument)].length;
}

/** Every function, by its name after `fn::`, in the order of the reference page. */
export const FILE_FUNCTIONS = {
  readFile: {
    takes: 'text',
    argument: 'the name of a file, relative to the file that contains the call',
    result:
      'the text of the file, as it is: references in it are not replaced. The file must be in the folder of the project.',
    returns: 'text',
    example: ['motd.txt', '"Welcome\\n"'],
  },
  env: {
    takes: 'text',
    argument: 'the name of an environment variable that the file declares in its list `env`',
    result: 'its value. It is a secret if its name has the form of one, such as `API_TOKEN`.',
    returns: 'text',
    example: ['REGION', '"east"'],
  },
  secret: {
    takes: 'value',
    argument: 'any value',
    result: 'the same value as a secret',
    returns: 'any',
    example: ['abc', '"abc"'],
  },
  join: {
    takes: ['text', 'list'],
    argument: 'a separator and a list of texts',
    result: 'one text',
    returns: 'text',
    example: ["[',', [a, b]]", '"a,b"'],
    compute(argument) {
      const [separator, items] = pair(argument);
      return (items as readonly unknown[]).map(asText).join(asText(separator));
    },
  },
  split: {
    takes: ['text', 'text'],
    argument: 'a separator and a text',
    result: 'the list of the parts between the separators',
    returns: 'any',
    example: ["[',', 'a,b']", '["a","b"]'],
    compute: (argument) => asText(pair(argument)[1]).split(asText(pair(argument)[0])),
  },
  select: {
    takes: ['step', 'collection'],
    argument: 'an index and a list, or a key and a map',
    result: 'the item at that place. The first item of a list has index 0.',
    returns: 'any',
    example: ['[1, [a, b]]', '"b"'],
    compute: selected,
  },
  length: {
    takes: 'sized',
    argument: 'a list, a map or a text',
    result: 'how many items, keys or characters it has',
    returns: 'any',
    example: ['[a, b]', '2'],
    compute: sizeOf,
  },
  keys: {
    takes: 'map',
    argument: 'a map',
    result: 'the list of its keys, in their order',
    returns: 'any',
    example: ['{ b: 1, a: 2 }', '["b","a"]'],
    compute: (argument) => Object.keys(argument as object),
  },
  replace: {
    takes: ['text', 'text', 'text'],
    argument: 'what to look for, what to put there, and the text',
    result: 'the text with every occurrence replaced',
    returns: 'text',
    example: ["['.', '-', a.b.c]", '"a-b-c"'],
    compute(argument) {
      const [wanted, put, text] = (argument as readonly unknown[]).map(asText);
      if (wanted === '') throw new FunctionFault('what to look for is an empty text');
      return (text ?? '').split(wanted ?? '').join(put);
    },
  },
  lower: {
    takes: 'text',
    argument: 'a text',
    result: 'the text in lower case',
    returns: 'text',
    example: ['Shop', '"shop"'],
    compute: (argument) => asText(argument).toLowerCase(),
  },
  upper: {
    takes: 'text',
    argument: 'a text',
    result: 'the text in upper case',
    returns: 'text',
    example: ['Shop', '"SHOP"'],
    compute: (argument) => asText(argument).toUpperCase(),
  },
  toJSON: {
    takes: 'value',
    argument: 'any value',
    result: 'the value as JSON',
    returns: 'text',
    example: ['{ a: [1, 2] }', '"{\\"a\\":[1,2]}"'],
    compute: (argument) => JSON.stringify(argument),
  },
  fromJSON: {
    takes: 'text',
    argument: 'a text in JSON',
    result: 'the value',
    returns: 'any',
    example: [`'{"a":[1,2]}'`, '{"a":[1,2]}'],
    compute: parsed,
  },
  toYAML: {
    takes: 'value',
    argument: 'any value',
    result: 'the value as YAML',
    returns: 'text',
    example: ['{ a: [1, 2] }', '"a:\\n  - 1\\n  - 2\\n"'],
    compute: documentText,
  },
  toBase64: {
    takes: 'text',
    argument: 'a text',
    result: 'the text in Base64',
    returns: 'text',
    example: ['hello', '"aGVsbG8="'],
    compute: (argument) => Buffer.from(asText(argument), 'utf8').toString('base64'),
  },
  fromBase64: {
    takes: 'text',
    argument: 'a text in Base64',
    result: 'the text that it encodes',
    returns: 'text',
    example: ['aGVsbG8=', '"hello"'],
    compute: decoded,
  },
  sha256: {
    takes: 'text',
    argument: 'a text',
    result: 'its SHA-256 in hexadecimal digits',
    returns: 'text',
    example: ['hello', '"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"'],
    compute: (argument) => createHash('sha256').update(asText(argument)).digest('hex'),
  },
  stackReference: {
    takes: ['text', 'text'],
    argument: 'the name of another Pulumi stack, and of one of its outputs',
    result: 'the output. It is a secret if it is one there.',
    returns: 'any',
    example: ['[acme/network/prod, address]', '"10.0.0.1"'],
  },
  invoke: {
    takes: 'map',
    argument: 'a map of `function`, `arguments` and `return`',
    result: 'a value that is read from the service: [functions](../functions.md)',
    returns: 'any',
    example: ['{ function: getCloud, arguments: { name: east }, return: ciId }', '"11"'],
  },
} as const satisfies { readonly [name: string]: FileFunction };

/** Name of a function after `fn::`. */
export type FunctionName = keyof typeof FILE_FUNCTIONS;

/** Whether a word after `fn::` is the name of a function. */
export const isFunction = (word: string): word is FunctionName => Object.hasOwn(FILE_FUNCTIONS, word);

export const functionFacts = (name: FunctionName): FileFunction => FILE_FUNCTIONS[name];

/** The result of a function. Throws FunctionFault when it can have none. */
export function apply(name: FunctionName, argument: unknown): unknown {
  const { takes, argument: words, compute } = functionFacts(name);
  if (!fits(takes, argument) || compute === undefined) throw new FunctionFault(`the argument must be ${words}`);
  return compute(argument);
}
