// Values of a plan as expressions of PCL.
// It must not know what they are values of.
import type { Range } from '../reader/source';
import {
  holdsSecret,
  isExpression,
  EXPRESSION,
  type FunctionCall,
  type Invoke,
  type Reference,
  type Steps,
  type TextTemplate,
  type Value,
} from '../values/value';
import { canHold, quoted } from './write-text';

/** What values are written with. */
export interface Words {
  /** The expression for what a reference means, without its steps. */
  target(reference: Reference): string;
  /** The expression for an output of another stack. */
  stackOutput(stack: string, output: string): string;
  /** Whether a value is a list or a map: a text of it is JSON. */
  isCollection(value: Value): boolean;
  /** The plain value that the stack's own configuration gives it; undefined where it gives none. */
  known(value: Value): { readonly value: Value } | undefined;
  /** Reports what PCL cannot say. `carried`: whether something else stands for it in the program. */
  lose(at: Range, says: string, carried: boolean): void;
}

/** The expression for a value. `at`: where it is written, for what has no place. */
export function expressionOf(value: Value, words: Words, at: Range): string {
  const inner = (each: Value): string => expressionOf(each, words, at);
  if (typeof value === 'string') return quotedOr(value, words, at);
  if (typeof value !== 'object' || value === null) return String(value);
  if (!isExpression<Reference>(value)) {
    if (Array.isArray(value)) return `[${value.map((each: Value) => inner(each)).join(', ')}]`;
    const entries = Object.entries(value).map(([key, item]) => `${quotedOr(key, words, at)} = ${inner(item as Value)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  switch (value[EXPRESSION]) {
    case 'reference':
      return `${words.target(value)}${stepsText(value.steps)}`;
    case 'secret':
      return `secret(${inner(value.value)})`;
    case 'template':
      return templateOf(value, words, at);
    case 'call':
      return callOf(value, words);
    case 'invoke':
      return invokeOf(value, words);
  }
}

function quotedOr(text: string, words: Words, at: Range): string {
  if (!canHold(text)) words.lose(at, 'a text in decomposed Unicode comes out in its composed form', true);
  return quoted(text);
}

/** `.name`, `["$KEY"]`, `[0]`. */
const stepsText = (steps: Steps): string =>
  steps
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${quoted(step)}]`;
    })
    .join('');

function templateOf({ parts }: TextTemplate<Reference>, words: Words, at: Range): string {
  const text = parts.map((part) => {
    if (typeof part === 'string') return quotedOr(part, words, at).slice(1, -1);
    const expression = expressionOf(part, words, at);
    return `\${${words.isCollection(part) ? `toJSON(${expression})` : expression}}`;
  });
  return `"${text.join('')}"`;
}

/** Functions that PCL has, too, under the same name and with the same meaning. */
const SAME: readonly string[] = ['join', 'split', 'toJSON', 'toBase64', 'fromBase64'];

function callOf(value: FunctionCall<Reference>, words: Words): string {
  const { name, argument, place } = value;
  const inner = (each: Value): string => expressionOf(each, words, place.at);
  const [first, second] = Array.isArray(argument) ? (argument as readonly Value[]) : [];
  if (name === 'text') return `"\${${words.isCollection(argument) ? `toJSON(${inner(argument)})` : inner(argument)}}"`;
  if (SAME.includes(name))
    return `${name}(${(name === 'join' || name === 'split') && Array.isArray(argument) ? argument.map(inner).join(', ') : inner(argument)})`;
  if (name === 'select' && typeof first === 'number' && second !== undefined)
    return `element(${inner(second)}, ${first})`;
  if (name === 'select' && typeof first === 'string' && isReference(second))
    return inner({ ...second, steps: [...second.steps, first] });
  if (name === 'length' && words.isCollection(argument)) return `length(${inner(argument)})`;
  const known = holdsSecret(value) ? undefined : words.known(value);
  words.lose(
    place.at,
    known === undefined
      ? `fn::${name} cannot be carried, and its value is not known before a run: make it a value of the configuration`
      : `fn::${name} cannot be carried: the program has the value of this stack`,
    known !== undefined,
  );
  return known === undefined ? 'null' : inner(known.value);
}

const isReference = (value: Value | undefined): value is Reference =>
  typeof value === 'object' && value !== null && isExpression<Reference>(value) && value[EXPRESSION] === 'reference';

function invokeOf({ function: name, argument, steps, secret, place }: Invoke<Reference>, words: Words): string {
  const inner = (each: Value): string => expressionOf(each, words, place.at);
  const given = argument as { readonly [key: string]: Value };
  if (name === 'stackReference') return words.stackOutput(inner(given['stack'] ?? ''), inner(given['output'] ?? ''));
  const asked = `invoke("oneops:index:${name}", ${inner(argument)})${stepsText(steps)}`;
  return secret ? `secret(${asked})` : asked;
}
