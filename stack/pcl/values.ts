// What an expression of a program says in a stack file: data, with the file's own references and functions.
// It must not know arguments of kinds, nor how a file is written.
import { isPlainObject } from '../../provider';
import { FileText, SecretText } from '../export/file-text';
import type { FileContents } from '../write/stack-text';
import { formatSteps } from '../values/interpolation';
import type { Steps } from '../values/value';
import { Unreadable } from './cursor';
import type { Expression, Span } from './tree';

/** What a name of the program is in the file. */
export type Meaning =
  | { readonly is: 'config'; readonly name: string }
  | { readonly is: 'variable'; readonly value: Expression }
  /** Another stack: its whole name. */
  | { readonly is: 'stack'; readonly name: Expression }
  | {
      readonly is: 'resource';
      /** Steps of a reference to it. */
      readonly names: Steps;
      /** The plain value of an argument that leads to its place. */
      readonly word: (argument: string) => string | undefined;
    };

/** The names that expressions can have. */
export interface PclNames {
  meaning(name: string): Meaning | undefined;
  /** The value of a configuration is a secret. */
  hide(config: string): void;
  /** Variables that are being said: one that needs itself has no value. */
  readonly open: ReadonlySet<string>;
}

/** Throws Unreadable for the part of a program that a stack file cannot say. */
export function cannotSay({ start, end }: Span, summary: string, detail?: string): never {
  throw new Unreadable({ severity: 'error', start, end, summary, ...(detail === undefined ? {} : { detail }) });
}

/** The value in the words of a file: plain data, FileText and SecretText. Throws Unreadable. */
export function fileValue(names: PclNames, expression: Expression): unknown {
  switch (expression.form) {
    case 'literal':
      return expression.value;
    case 'list':
      return expression.items.map((item) => fileValue(names, item));
    case 'object':
      return Object.fromEntries(expression.entries.map(([key, value]) => [key, fileValue(names, value)]));
    case 'template':
      return textIn(names, expression.parts);
    case 'reference':
      return referenceIn(names, expression.root, expression.steps, expression);
    case 'call':
      return callIn(names, expression, expression.steps, expression);
  }
}

/** A text with what is filled in. */
function textIn(names: PclNames, parts: readonly (string | Expression)[]): unknown {
  const said = parts.map((part) => {
    if (typeof part === 'string') return part;
    const value = fileValue(names, part);
    if (value instanceof FileText || isCall(value)) return value;
    if (value instanceof SecretText)
      return cannotSay(part, 'a secret is a part of a text: give the whole text as a secret');
    return scalarText(value) ?? cannotSay(part, 'a text in a stack file takes references, and no lists or maps');
  });
  const [only] = said;
  if (said.length === 1 && isCall(only)) return only;
  const texts = said.filter((part): part is string | FileText => !isCall(part));
  if (texts.length < said.length) return { 'fn::join': ['', said] };
  if (texts.every((part) => typeof part === 'string')) return texts.join('');
  return new FileText(
    texts.map((part, index) => (part instanceof FileText ? part.text : literally(part, texts[index + 1]))).join(''),
  );
}

/** Whether a value is a function of a stack file. */
const isCall = (value: unknown): value is FileContents =>
  isPlainObject(value) && Object.keys(value).some((key) => key.startsWith('fn::'));

/** A text, number or boolean as text. */
const scalarText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

/** A text that contains no reference, where references are read: dollar signs before a brace are doubled, and so are those before a reference. */
function literally(text: string, next: string | FileText | undefined): string {
  const meetsBrace = next instanceof FileText && /^\$*\{/.test(next.text);
  return text.replace(meetsBrace ? /(?<!\$)\$+(?=\{|$)/g : /(?<!\$)\$+(?=\{)/g, (run) => run + run);
}

function referenceIn(names: PclNames, root: string, steps: Steps, at: Span): unknown {
  const meaning = names.meaning(root);
  if (meaning === undefined) return cannotSay(at, `${root} is not part of this program`);
  if (meaning.is === 'config') return new FileText(`\${${formatSteps(['config', meaning.name, ...steps])}}`);
  if (meaning.is === 'stack') {
    const [first, output] = steps;
    const isOutput = first === 'outputs' && output !== undefined && steps.length === 2;
    return isOutput
      ? stackOutput(names, meaning.name, output)
      : cannotSay(at, 'a stack file takes one output of another stack');
  }
  if (meaning.is === 'resource') {
    const [first, ...rest] = steps;
    if (first === undefined) return cannotSay(at, `${root} is a whole resource, not a value`);
    const word = rest.length === 0 ? meaning.word(String(first)) : undefined;
    return word ?? new FileText(`\${${formatSteps([...meaning.names, ...steps])}}`);
  }
  if (names.open.has(root)) return cannotSay(at, `the value of ${root} needs ${root}`);
  const within: PclNames = { ...names, open: new Set([...names.open, root]) };
  const { value } = meaning;
  if (steps.length === 0) return fileValue(within, value);
  if (value.form === 'reference') return referenceIn(within, value.root, [...value.steps, ...steps], at);
  if (value.form === 'call') return callIn(within, value, [...value.steps, ...steps], at);
  return stepsInto(fileValue(within, value), steps, at);
}

function stepsInto(value: unknown, steps: Steps, at: Span): unknown {
  return steps.reduce((soFar, step) => {
    const isHeld = typeof soFar === 'object' && soFar !== null && Object.hasOwn(soFar, String(step));
    const isData = !(soFar instanceof FileText || soFar instanceof SecretText);
    return isHeld && isData
      ? (soFar as { readonly [key: string]: unknown })[String(step)]
      : cannotSay(at, 'there is no such value');
  }, value);
}

/** Functions of one argument, and of two in the order of the program or the other way round. */
const FUNCTIONS: { readonly [name: string]: (args: readonly unknown[]) => unknown } = {
  toJSON: ([value]) => ({ 'fn::toJSON': value }),
  toBase64: ([value]) => ({ 'fn::toBase64': value }),
  fromBase64: ([value]) => ({ 'fn::fromBase64': value }),
  length: ([value]) => ({ 'fn::length': value }),
  readFile: ([value]) => ({ 'fn::readFile': value }),
  join: ([separator, items]) => ({ 'fn::join': [separator, items] }),
  split: ([separator, text]) => ({ 'fn::split': [separator, text] }),
  element: ([items, index]) => ({ 'fn::select': [index, items] }),
  stack: () => new FileText('${pulumi.stack}'),
  project: () => new FileText('${pulumi.project}'),
  organization: () => new FileText('${pulumi.organization}'),
  cwd: () => new FileText('${pulumi.cwd}'),
  rootDirectory: () => new FileText('${pulumi.rootDirectory}'),
};

/** A function and its arguments. */
interface Called {
  readonly name: string;
  readonly args: readonly Expression[];
}

function callIn(names: PclNames, { name, args }: Called, steps: Steps, at: Span): unknown {
  if (name === 'invoke') return invokeIn(names, args, steps, at);
  if (steps.length > 0) return cannotSay(at, 'a stack file cannot take a part of what a function returns');
  const [first, second] = args;
  const other = name === 'getOutput' && first?.form === 'reference' ? names.meaning(first.root) : undefined;
  if (other?.is === 'stack' && second !== undefined) return stackOutput(names, other.name, fileValue(names, second));
  if (name === 'secret' && first !== undefined) return hidden(names, fileValue(names, first), first);
  if (name === 'notImplemented') return cannotSay(at, 'the converter did not understand this part');
  const made = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (made === undefined)
    return cannotSay(at, `a stack file has no function ${name}`, 'docs/reference/values.md lists those that it has');
  const values = args.map((arg) => fileValue(names, arg));
  if (values.some(hasSecret))
    return cannotSay(at, `a secret is an argument of ${name}: give the whole value as a secret`);
  return made(values);
}

const stackOutput = (names: PclNames, stack: Expression, output: unknown): FileContents => ({
  'fn::stackReference': [fileValue(names, stack), output],
});

function invokeIn(names: PclNames, args: readonly Expression[], steps: Steps, at: Span): unknown {
  const [name, given] = args;
  if (name?.form !== 'literal' || typeof name.value !== 'string') return cannotSay(at, 'the function has no name');
  if (!/^oneops:/.test(name.value))
    return cannotSay(at, `a stack file cannot call ${name.value}: it calls functions of OneOps`);
  const values = given === undefined ? undefined : fileValue(names, given);
  if (hasSecret(values)) return cannotSay(at, 'an argument of a function is a secret');
  const isEmpty = isPlainObject(values) && Object.keys(values).length === 0;
  return {
    'fn::invoke': {
      function: name.value.replace(/^oneops:(index[:/](\w+:)?)?/, 'oneops:'),
      ...(values === undefined || isEmpty ? {} : { arguments: values }),
      ...(steps.length === 0 ? {} : { return: formatSteps(steps) }),
    },
  };
}

/** Whether a secret is somewhere in a value. */
export function hasSecret(value: unknown): boolean {
  if (value instanceof SecretText) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasSecret);
}

/** A value as a secret: texts are taken out of the file, references are to secret configuration. */
function hidden(names: PclNames, value: unknown, at: Span): unknown {
  if (value === null || value instanceof SecretText) return value;
  if (value instanceof FileText) {
    const used = [...value.text.matchAll(/(?<!\$)\$\{config\.([\w-]+)/g)].map(([, name = '']) => name);
    if (used.length === 0) return { 'fn::secret': value };
    used.forEach((name) => names.hide(name));
    return value;
  }
  if (Array.isArray(value)) return cannotSay(at, 'a list is a secret as a whole: a stack file has secret texts only');
  const text = scalarText(value);
  if (text !== undefined) return new SecretText(text);
  if (!isPlainObject(value)) return cannotSay(at, 'this cannot be a secret: a stack file has secret texts only');
  if (isCall(value)) return { 'fn::secret': value };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hidden(names, item, at)]));
}
