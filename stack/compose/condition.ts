// Conditions: comparisons, `in`, `and`, `or`, `not` and parentheses; nothing else, so that every
// condition comes to true or false.
import { warning } from '../../api/contract';
import { didYouMean } from '../../provider/values';
import { parseSteps } from '../values/interpolation';
import type { Steps } from '../values/value';
import { partOf } from '../yaml/source';
import type { Entry, MapNode, ScalarNode } from '../yaml/tree';
import { type Composition } from './composition';
import { hasReference, knownValue } from './known';

interface ConditionFault {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly start: number;
  readonly end: number;
}

type Lookup = (
  steps: Steps,
) => { readonly value: unknown; readonly allowed?: readonly unknown[] } | Omit<ConditionFault, 'start' | 'end'>;

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
  fault?: ConditionFault;
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
    composition.report.error(node, 'bad-condition', 'a condition is a text, true or false', hint);
    return undefined;
  }
  const found = evaluate(node.source, lookup);
  if ('holds' in found) {
    reportImpossible(composition, node, lookup);
    return found.holds;
  }
  const { code, message, hint } = found.fault;
  composition.report.error({ ...node, at: placeIn(node, found.fault) }, code, message, hint);
  return undefined;
}

const COMPARED = /\$\{([^}]*)\}\s*(?:==|!=)\s*('(?:[^']|'')*'|"[^"]*")/g;

/** Warns when a configuration value is compared with a text that its declaration does not allow. */
function reportImpossible({ report }: Composition, node: ScalarNode, lookup: Lookup): void {
  for (const { 0: whole, 1: name = '', 2: text = '', index } of node.source.matchAll(COMPARED)) {
    const found = lookup(parseSteps(name.trim()) ?? []);
    const other = text.slice(1, -1).replaceAll("''", "'");
    if (!('value' in found) || found.allowed === undefined || found.allowed.includes(other)) continue;
    const end = index + whole.length;
    const hint = didYouMean(other, found.allowed.map(String), `allowed are ${found.allowed.map(String).join(', ')}`);
    const message = `"${name.trim()}" is never "${other}": its declaration does not allow it`;
    report.add(warning('not-allowed', node.path, message, hint), {
      ...node,
      at: placeIn(node, { start: end - text.length, end }),
    });
  }
}

/** The place of a part of a text, if the file has the text as it is; else of the whole. */
function placeIn(
  { at, raw, source }: ScalarNode,
  { start, end }: { readonly start: number; readonly end: number },
): ScalarNode['at'] {
  const offset = raw.indexOf(source);
  if (offset < 0 || raw.includes('\n') || end <= start) return at;
  return partOf(at, offset + start, offset + end);
}

/** Evaluates all parts of a condition, so that mistakes show whatever the values are. */
function evaluate(text: string, lookup: Lookup): { readonly holds: boolean } | { readonly fault: ConditionFault } {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const found = match[1] ?? match[2] ?? '';
    const start = match.index + match[0].length - found.length;
    if (match[2] !== undefined)
      return { fault: { ...wrong(`"${found}" is not part of a condition`), start, end: start + 1 } };
    tokens.push({ text: found, start });
  }
  const reading: Reading = { tokens, lookup, length: text.length, next: 0, depth: 0 };
  const value = readOr(reading);
  const rest = peek(reading);
  if (rest !== undefined) fail(reading, wrong(`"${rest.text}" is not expected here`), rest);
  if (reading.fault === undefined && typeof value !== 'boolean')
    fail(reading, wrong(`a condition is true or false, not ${nameOf(value)}`), undefined);
  return reading.fault ? { fault: reading.fault } : { holds: value === true };
}

const wrong = (message: string): Omit<ConditionFault, 'start' | 'end'> => ({
  code: 'bad-condition',
  message,
  hint: HINT,
});

const peek = ({ tokens, next }: Reading): Token | undefined => tokens[next];

/** Takes the next token, if it is one of these. */
function take(reading: Reading, ...texts: readonly string[]): Token | undefined {
  const token = peek(reading);
  if (token === undefined || !texts.includes(token.text)) return undefined;
  reading.next += 1;
  return token;
}

/** Keeps the first fault, at a token, or at the whole text. */
function fail(reading: Reading, fault: Omit<ConditionFault, 'start' | 'end'>, at: Token | undefined): undefined {
  const { start, text } = at ?? { start: 0, text: ' '.repeat(reading.length) };
  reading.fault ??= { ...fault, start, end: start + text.length };
  reading.next = at === undefined ? reading.next : reading.tokens.length;
}

function truth(reading: Reading, value: unknown, at: Token | undefined): boolean {
  if (typeof value !== 'boolean' && reading.fault === undefined)
    fail(reading, wrong(`"${at?.text ?? ''}" takes true or false, not ${nameOf(value)}`), at);
  return value === true;
}

function readOr(reading: Reading): unknown {
  let value = readAnd(reading);
  for (let word = take(reading, 'or'); word !== undefined; word = take(reading, 'or')) {
    const [left, right] = [truth(reading, value, word), truth(reading, readAnd(reading), word)];
    value = left || right;
  }
  return value;
}

function readAnd(reading: Reading): unknown {
  let value = readNot(reading);
  for (let word = take(reading, 'and'); word !== undefined; word = take(reading, 'and')) {
    const [left, right] = [truth(reading, value, word), truth(reading, readNot(reading), word)];
    value = left && right;
  }
  return value;
}

function readNot(reading: Reading): unknown {
  let word: Token | undefined;
  let negations = 0;
  for (let each = take(reading, 'not'); each !== undefined; each = take(reading, 'not')) {
    word = each;
    negations += 1;
  }
  const value = readComparison(reading);
  return word === undefined ? value : truth(reading, value, word) !== (negations % 2 === 1);
}

function readComparison(reading: Reading): unknown {
  const left = readOperand(reading);
  const operator = take(reading, '==', '!=', '<', '<=', '>', '>=', 'in');
  if (operator === undefined) return left;
  const right = readOperand(reading);
  return reading.fault === undefined ? compare(reading, operator, left, right) : undefined;
}

function compare(reading: Reading, operator: Token, left: unknown, right: unknown): boolean | undefined {
  if (operator.text === 'in') {
    if (!Array.isArray(right)) return fail(reading, wrong(`"in" takes a list, not ${nameOf(right)}`), operator);
    const items: readonly unknown[] = right;
    const other = items.find((item) => nameOf(item) !== nameOf(left));
    if (other !== undefined) return fail(reading, wrong(mixed(left, other)), operator);
    return items.some((item) => isSame(item, left));
  }
  if (nameOf(left) !== nameOf(right)) return fail(reading, wrong(mixed(left, right)), operator);
  if (operator.text === '==' || operator.text === '!=') return isSame(left, right) === (operator.text === '==');
  const [low, high] = operator.text.startsWith('<') ? [left, right] : [right, left];
  const isOrdered =
    (typeof low === 'number' && typeof high === 'number') || (typeof low === 'string' && typeof high === 'string');
  if (!isOrdered)
    return fail(reading, wrong(`"${operator.text}" compares numbers or texts, not ${nameOf(left)}`), operator);
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

function readOperand(reading: Reading): unknown {
  const token = peek(reading);
  if (token === undefined)
    return fail(reading, wrong('the condition is not complete'), reading.tokens.at(-1) ?? undefined);
  reading.next += 1;
  const { text } = token;
  if (text === '(' || text === '[') return readInside(reading, token);
  if (text.startsWith('${')) return readReference(reading, token);
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (text.startsWith('"')) return text.slice(1, -1);
  if (/^-?\d/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  const isWord = /^[A-Za-z]/.test(text) && !['and', 'or', 'not', 'in'].includes(text);
  return fail(reading, wrong(isWord ? `"${text}" needs quotes: '${text}'` : `"${text}" is not expected here`), token);
}

function readInside(reading: Reading, open: Token): unknown {
  reading.depth += 1;
  if (reading.depth > DEPTH) return fail(reading, wrong('the parentheses are nested too deeply'), open);
  const values: unknown[] = [];
  const close = open.text === '(' ? ')' : ']';
  if (peek(reading)?.text !== close || close === ')') {
    do values.push(close === ')' ? readOr(reading) : readOperand(reading));
    while (close === ']' && take(reading, ',') !== undefined);
  }
  reading.depth -= 1;
  if (take(reading, close) === undefined) return fail(reading, wrong(`"${open.text}" is never closed`), open);
  return close === ')' ? values[0] : values;
}

function readReference(reading: Reading, token: Token): unknown {
  const steps = parseSteps(token.text.slice(2, -1).trim());
  if (steps === undefined)
    return fail(
      reading,
      { code: 'bad-reference', message: `"${token.text}" is not a reference`, hint: 'a reference is ${config.NAME}' },
      token,
    );
  const found = reading.lookup(steps);
  return 'value' in found ? found.value : fail(reading, found, token);
}
