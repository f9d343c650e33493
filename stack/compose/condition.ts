// Conditions: comparisons, `in`, `and`, `or`, `not` and parentheses; nothing else, so that every
// condition comes to true or false.
import { didYouMean } from '../../provider/values';
import { hasReference, parseSteps } from '../values/interpolation';
import type { Steps } from '../values/value';
import { partOf, type Entry, type MapNode, type ScalarNode } from '../yaml/tree';
import { type Composition } from './composition';
import { knownValue, type Known } from './known';

class ConditionFault extends Error {
  constructor(
    readonly start: number,
    readonly end: number,
    readonly code: string,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

type Lookup = (steps: Steps) => Known;

interface Token {
  readonly text: string;
  readonly start: number;
}

interface Reading {
  readonly tokens: readonly Token[];
  readonly lookup: Lookup;
  readonly length: number;
  next: number;
  depth: number;
}

const TOKEN = /\s*(?:(\$\{[^}]*\}|'(?:[^']|'')*'|"[^"]*"|-?\d+(?:\.\d+)?\b|[A-Za-z]+|[=!<>]=|[<>()[\],])|(\S))/y;
/** Levels of parentheses: what reads a condition is recursive. */
const DEPTH = 32;
const HINT = "write a comparison, such as ${config.tier} == 'prod' or ${config.size} in ['S', 'M']";

/**
 * Whether the condition of a thing holds. `known` contains the configuration, `path` the keys of
 * the thing from the top. A fault is reported at its place in the text, and counts as true: nothing
 * is concluded from it.
 */
export function holds(composition: Composition, known: MapNode, when: Entry, path: readonly string[]): boolean {
  const isOn = conditionHolds(composition, when, (steps) => knownValue(composition, known, steps));
  if (isOn === false) composition.off.push({ how: 'condition', path, place: when });
  const { value } = when;
  if (isOn !== undefined && value.form === 'scalar' && !hasReference(value.raw) && value.raw !== '')
    composition.constant.push({ how: 'condition', path, place: value });
  return isOn !== false;
}

/** Evaluates the condition of an entry. Returns undefined for a fault, which was reported. */
function conditionHolds(composition: Composition, { value: node }: Entry, lookup: Lookup): boolean | undefined {
  if (node.form === 'failed') return undefined;
  if (node.form === 'scalar' && typeof node.value === 'boolean') return node.value;
  if (node.form !== 'scalar' || typeof node.value !== 'string') {
    const hint = `when: "\${config.tier} == 'prod'"`;
    return composition.report.error(node, 'bad-condition', 'a condition is a text, true or false', hint);
  }
  try {
    const isOn = evaluate(node.source, lookup);
    reportImpossible(composition, node, lookup);
    return isOn;
  } catch (fault) {
    if (!(fault instanceof ConditionFault)) throw fault;
    const { code, message, hint } = fault;
    return composition.report.error({ ...node, at: partOf(node, fault.start, fault.end) }, code, message, hint);
  }
}

const COMPARED = /\$\{([^}]*)\}\s*(?:==|!=)\s*('(?:[^']|'')*'|"[^"]*")/g;

/** Warns when a configuration value is compared with a text that its declaration does not allow. */
function reportImpossible({ report }: Composition, node: ScalarNode, lookup: Lookup): void {
  for (const { 0: whole, 1: name = '', 2: text = '', index } of node.source.matchAll(COMPARED)) {
    const found = lookup(parseSteps(name.trim()) ?? []);
    const other = quotedText(text);
    if (!('value' in found) || found.allowed === undefined || found.allowed.includes(other)) continue;
    const end = index + whole.length;
    const hint = didYouMean(other, found.allowed.map(String), `allowed are ${found.allowed.map(String).join(', ')}`);
    const message = `"${name.trim()}" is never "${other}": its declaration does not allow it`;
    report.warning({ ...node, at: partOf(node, end - text.length, end) }, 'not-allowed', message, hint);
  }
}

/** Evaluates all parts of a condition, so that mistakes show whatever the values are. */
function evaluate(text: string, lookup: Lookup): boolean {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const found = match[1] ?? match[2] ?? '';
    const start = match.index + match[0].length - found.length;
    if (match[2] !== undefined)
      throw new ConditionFault(start, start + 1, CODE, `"${found}" is not part of a condition`, HINT);
    tokens.push({ text: found, start });
  }
  const reading: Reading = { tokens, lookup, length: text.length, next: 0, depth: 0 };
  const value = readJoined(reading);
  const rest = peek(reading);
  if (rest !== undefined) fail(reading, `"${rest.text}" is not expected here`, rest);
  if (typeof value !== 'boolean') fail(reading, `a condition is true or false, not ${nameOf(value)}`, undefined);
  return value === true;
}

const CODE = 'bad-condition';

const peek = ({ tokens, next }: Reading): Token | undefined => tokens[next];

function take(reading: Reading, ...texts: readonly string[]): Token | undefined {
  const token = peek(reading);
  if (token === undefined || !texts.includes(token.text)) return undefined;
  reading.next += 1;
  return token;
}

/** Throws a fault at a token, or at the whole text. */
function fail(
  { length }: Reading,
  message: string,
  at: Token | undefined,
  { code, hint }: { readonly code: string; readonly hint?: string } = { code: CODE, hint: HINT },
): never {
  throw new ConditionFault(at?.start ?? 0, at ? at.start + at.text.length : length, code, message, hint);
}

function truth(reading: Reading, value: unknown, at: Token): boolean {
  if (typeof value === 'boolean') return value;
  return fail(reading, `"${at.text}" takes true or false, not ${nameOf(value)}`, at);
}

/** Words that join conditions: each binds closer than the one before it. */
const JOINING = ['or', 'and'];

function readJoined(reading: Reading, level = 0): unknown {
  const word = JOINING[level];
  if (word === undefined) return readNot(reading);
  let value = readJoined(reading, level + 1);
  for (let at = take(reading, word); at !== undefined; at = take(reading, word)) {
    const [left, right] = [truth(reading, value, at), truth(reading, readJoined(reading, level + 1), at)];
    value = word === 'or' ? left || right : left && right;
  }
  return value;
}

function readNot(reading: Reading): unknown {
  const words: Token[] = [];
  for (let at = take(reading, 'not'); at !== undefined; at = take(reading, 'not')) words.push(at);
  const value = readComparison(reading);
  const last = words.at(-1);
  return last === undefined ? value : truth(reading, value, last) !== (words.length % 2 === 1);
}

function readComparison(reading: Reading): unknown {
  const left = readOperand(reading);
  const operator = take(reading, '==', '!=', '<', '<=', '>', '>=', 'in');
  if (operator === undefined) return left;
  return compare(reading, operator, left, readOperand(reading));
}

function compare(reading: Reading, operator: Token, left: unknown, right: unknown): boolean {
  if (operator.text === 'in') {
    if (!Array.isArray(right)) return fail(reading, `"in" takes a list, not ${nameOf(right)}`, operator);
    const items: readonly unknown[] = right;
    const other = items.find((item) => nameOf(item) !== nameOf(left));
    if (other !== undefined) return fail(reading, mixed(left, other), operator);
    return items.some((item) => isSame(item, left));
  }
  if (nameOf(left) !== nameOf(right)) return fail(reading, mixed(left, right), operator);
  if (operator.text === '==' || operator.text === '!=') return isSame(left, right) === (operator.text === '==');
  const [low, high] = operator.text.startsWith('<') ? [left, right] : [right, left];
  const isOrdered =
    (typeof low === 'number' && typeof high === 'number') || (typeof low === 'string' && typeof high === 'string');
  if (!isOrdered) return fail(reading, `"${operator.text}" compares numbers or texts, not ${nameOf(left)}`, operator);
  return operator.text.length === 1 ? low < high : low <= high;
}

const mixed = (left: unknown, right: unknown): string =>
  `${nameOf(left)} is compared with ${nameOf(right)}: they are never equal`;
const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  const names: { readonly [type: string]: string } = {
    string: 'a text',
    number: 'a number',
    boolean: 'true or false',
    object: 'a map',
  };
  return names[typeof value] ?? 'nothing';
}

/** The text in quotes. In single ones, a doubled quote is one. */
const quotedText = (text: string): string =>
  text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text.slice(1, -1);

function readOperand(reading: Reading): unknown {
  const token = peek(reading);
  if (token === undefined) return fail(reading, 'the condition is not complete', reading.tokens.at(-1));
  reading.next += 1;
  const { text } = token;
  if (text === '(' || text === '[') return readInside(reading, token);
  if (text.startsWith('${')) return readReference(reading, token);
  if (/^['"]/.test(text)) return quotedText(text);
  if (/^-?\d/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  const isWord = /^[A-Za-z]/.test(text) && !['and', 'or', 'not', 'in'].includes(text);
  return fail(reading, isWord ? `"${text}" needs quotes: '${text}'` : `"${text}" is not expected here`, token);
}

function readInside(reading: Reading, open: Token): unknown {
  reading.depth += 1;
  if (reading.depth > DEPTH) return fail(reading, 'the parentheses are nested too deeply', open);
  const values: unknown[] = [];
  const close = open.text === '(' ? ')' : ']';
  if (peek(reading)?.text !== close || close === ')') {
    do values.push(close === ')' ? readJoined(reading) : readOperand(reading));
    while (close === ']' && take(reading, ',') !== undefined);
  }
  reading.depth -= 1;
  if (take(reading, close) === undefined) return fail(reading, `"${open.text}" is never closed`, open);
  return close === ')' ? values[0] : values;
}

function readReference(reading: Reading, token: Token): unknown {
  const steps = parseSteps(token.text.slice(2, -1).trim());
  if (steps === undefined)
    return fail(reading, `"${token.text}" is not a reference`, token, {
      code: 'bad-reference',
      hint: 'a reference is ${config.NAME}',
    });
  const found = reading.lookup(steps);
  return 'value' in found ? found.value : fail(reading, found.message, token, found);
}
