// Forms of values and their texts on the wire, as data for check, encode, decode and compare.
import { problem, type Diagnostic, type Path } from '../../api/contract';
import { mayNameSecret } from '../secrets/names';
import { didYouMean } from './text';
import { asList, inJson, mustBe } from '../secrets/mask';
import { holdsUnknown, isPlainObject, present } from './plain';

/** A value's form. Lists and maps are `json` text on the wire; numbers keep their source text. */
export type Shape =
  | {
      readonly type: 'text';
      readonly allowed?: readonly string[];
      readonly pattern?: RegExp;
      readonly says?: string;
      readonly lenient?: boolean;
      /** Part that says nothing: left out when two texts are compared. */
      readonly aside?: RegExp;
    }
  | { readonly type: 'flag' }
  | { readonly type: 'int'; readonly minimum?: number; readonly maximum?: number }
  | { readonly type: 'list'; readonly items: Shape; readonly encoding: 'csv' | 'json'; readonly unordered: boolean }
  | { readonly type: 'map'; readonly values: Shape }
  | { readonly type: 'object'; readonly name?: string; readonly members: { readonly [name: string]: ObjectMember } }
  | { readonly type: 'open' };

/** One member of an object value: its shape, and the wire value it has when nobody sets it. */
export interface ObjectMember {
  readonly shape: Shape;
  readonly description?: string;
  readonly wire: string;
  readonly base?: string;
}

/** Every finding about a value; an unknown is never judged (engine-facts A §1). */
export function checkShape(shape: Shape, value: unknown, path: Path, secret = false): Diagnostic[] {
  if (holdsUnknown(value) && !isPlainObject(value) && !Array.isArray(value)) return [];
  const wrong = (wanted: string, hint?: string): Diagnostic[] => [
    problem('wrong-type', path, mustBe(wanted, value, secret), hint),
  ];
  switch (shape.type) {
    case 'text':
      return checkText(shape, value, { path, secret }, wrong);
    case 'flag':
      return typeof value === 'boolean' || value === 'true' || value === 'false' ? [] : wrong('true or false');
    case 'int': {
      const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isSafeInteger(number)) return wrong('a whole number');
      const { minimum = -Infinity, maximum = Infinity } = shape;
      if (number >= minimum && number <= maximum) return [];
      return [problem('out-of-range', path, `must be ${range(minimum, maximum)}${secret ? '' : `, not ${number}`}`)];
    }
    case 'list':
      if (!Array.isArray(value)) return wrong('a list', asList(value, secret));
      return value.flatMap((item, index) => checkShape(shape.items, item, [...path, index], secret));
    case 'map':
      if (!isPlainObject(value)) return wrong('a map');
      return Object.entries(value).flatMap(([key, item]) =>
        checkShape(shape.values, item, [...path, key], secret || mayNameSecret(key)),
      );
    case 'object':
      if (!isPlainObject(value)) return wrong('a map');
      return Object.entries(value).flatMap(([key, item]) => {
        const member = shape.members[key];
        return member
          ? checkShape(member.shape, item, [...path, key], secret)
          : [unknownKey(key, Object.keys(shape.members), path)];
      });
    case 'open':
      if (!isPlainObject(value)) return wrong('a map');
      return Object.entries(value).flatMap(([key, item]) =>
        isFiniteInside(item)
          ? outputAsText(item, [...path, key])
          : [problem('wrong-type', [...path, key], 'must be a finite number: JSON has no other')],
      );
  }
}

/** `unknown key "x"`, with the nearest known name offered. */
export function unknownKey(key: string, known: readonly string[], path: Path): Diagnostic {
  return problem('unknown-key', [...path, key], `unknown key "${key}"`, didYouMean(key, known));
}

/** Whether a value has no NaN and no Infinity, which would become null on their way. */
function isFiniteInside(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isFiniteInside);
}

/** Pulumi's own words, which a program in any language gets for an output that it puts into a text. */
const OUTPUT_AS_TEXT = /Calling \[?\w+\]? on an \[?Output[<[]T[>\]]/;

const outputAsText = (value: unknown, path: Path): Diagnostic[] =>
  OUTPUT_AS_TEXT.test(JSON.stringify(value))
    ? [
        problem(
          'wrong-type',
          path,
          'an output of the program was used as a text',
          'use pulumi.interpolate`…`, pulumi.jsonStringify(…) or output.apply(…)',
        ),
      ]
    : [];

function checkText(
  shape: Shape & { type: 'text' },
  value: unknown,
  { path, secret }: { readonly path: Path; readonly secret: boolean },
  wrong: (wanted: string) => Diagnostic[],
) {
  if (typeof value !== 'string') {
    return shape.lenient && (Number.isFinite(value) || typeof value === 'boolean') ? [] : wrong('text');
  }
  const [output] = outputAsText(value, path);
  if (output) return [output];
  if (shape.allowed && !shape.allowed.includes(value)) {
    return [
      problem(
        'not-allowed',
        path,
        `${inJson(value)} is not allowed here`,
        didYouMean(value, shape.allowed, `allowed are ${shape.allowed.join(', ')}`),
      ),
    ];
  }
  if (shape.pattern && !shape.pattern.test(value)) {
    return [problem('bad-format', path, mustBe(shape.says, value, secret))];
  }
  return [];
}

function range(minimum: number, maximum: number): string {
  if (maximum === Infinity) return `at least ${minimum}`;
  return minimum + 1 === maximum ? `${minimum} or ${maximum}` : `from ${minimum} to ${maximum}`;
}

/** The value as text on the wire. The value has been checked. */
export function encodeShape(shape: Shape, value: unknown): string {
  if (!present(value)) return '';
  switch (shape.type) {
    case 'text':
    case 'flag':
    case 'int':
      return plainText(value);
    case 'list': {
      // A list that is not known yet is no list.
      if (!Array.isArray(value)) return plainText(value);
      const items = value.map((item) => plainItem(shape.items, item));
      return shape.encoding === 'csv' ? items.join(',') : JSON.stringify(items);
    }
    case 'map':
    case 'object':
    case 'open':
      return JSON.stringify(value);
  }
}

/** Texts, numbers and booleans as they are; anything else as JSON text. */
const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : (JSON.stringify(value) ?? '');

function plainItem(shape: Shape, value: unknown): unknown {
  return shape.type === 'text' ? String(value) : value;
}

/** The wire's text as a value. A text of another form stays text (architecture §2). */
export function decodeShape(shape: Shape, wire: string): unknown {
  switch (shape.type) {
    case 'text':
      return wire;
    case 'flag':
      return wire === 'true' ? true : wire === 'false' ? false : wire;
    case 'int':
      return /^-?(0|[1-9]\d*)$/.test(wire) && Number.isSafeInteger(Number(wire)) ? Number(wire) : wire;
    case 'list':
      if (shape.encoding === 'csv')
        return wire
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== '');
      return parsed(wire, Array.isArray);
    case 'map':
    case 'object':
    case 'open':
      return parsed(wire, isPlainObject);
  }
}

function parsed(wire: string, fits: (value: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(wire);
    return fits(value) ? value : wire;
  } catch {
    return wire;
  }
}

function shapeUnder(shape: Shape, key: string): Shape {
  if (shape.type === 'map') return shape.values;
  return (shape.type === 'object' ? shape.members[key]?.shape : undefined) ?? { type: 'open' };
}

/** The value that a member has when nobody sets it; undefined where there is none. */
const baseUnder = (shape: Shape, key: string): string | undefined =>
  shape.type === 'object' ? shape.members[key]?.base : undefined;

/** The shape at a path of keys below a value. */
export const shapeAt = (shape: Shape, steps: readonly string[]): Shape => steps.reduce(shapeUnder, shape);

/** Whether two values mean the same: blank = null = absent, sets unordered, JSON parsed. */
export function sameValue(shape: Shape, left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (holdsUnknown(left) || holdsUnknown(right)) return JSON.stringify(left) === JSON.stringify(right);
  return canonical(shape, left) === canonical(shape, right);
}

/** The same text for all values that mean the same. */
export function canonical(shape: Shape, value: unknown): string {
  if (isBlank(value)) return '';
  const parsedValue = typeof value === 'string' && shape.type !== 'text' ? decodeShape(shape, value) : value;
  if (isBlank(parsedValue)) return '';
  switch (shape.type) {
    case 'text':
      return shape.aside ? String(parsedValue).replace(shape.aside, '') : String(parsedValue);
    case 'flag':
    case 'int':
      return String(parsedValue);
    case 'list': {
      if (!Array.isArray(parsedValue)) return String(parsedValue);
      const items = parsedValue.map((item) => canonical(shape.items, item));
      return JSON.stringify(shape.unordered ? [...items].sort() : items);
    }
    case 'map':
    case 'object':
      return canonicalEntries(shape, parsedValue);
    case 'open':
      return canonicalOpen(parsedValue);
  }
}

const isBlank = (value: unknown): boolean =>
  !present(value) ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlainObject(value) && Object.keys(value).length === 0);

function canonicalEntries(shape: Shape, value: unknown): string {
  if (!isPlainObject(value)) return String(value);
  const texts = Object.keys(value)
    .sort()
    .map((key): [string, string] => [key, canonical(shapeUnder(shape, key), value[key])])
    .filter(([key, text]) => shape.type !== 'object' || text !== (baseUnder(shape, key) ?? ''));
  return texts.length === 0 ? '' : JSON.stringify(texts);
}

/** Free values: an object or list equals its own JSON text, a number its own text. */
function canonicalOpen(value: unknown): string {
  const tree = openTree(value);
  return typeof tree === 'string' ? tree : JSON.stringify(tree);
}

/** A text, or the parts of a list or map, for one JSON: nested ones would double quotes. */
function openTree(value: unknown): string | readonly unknown[] {
  if (isBlank(value)) return '';
  if (typeof value === 'string') {
    const inner = /^\s*[[{]/.test(value)
      ? parsed(value, (candidate) => typeof candidate === 'object' && candidate !== null)
      : value;
    return typeof inner === 'string' ? inner : openTree(inner);
  }
  if (Array.isArray(value)) return ['list', ...value.map(openTree)];
  if (isPlainObject(value))
    return [
      'map',
      ...Object.keys(value)
        .sort()
        .map((key) => [key, openTree(value[key])]),
    ];
  return String(value);
}

/** A decoded live value, written as declared wherever both mean the same. */
export function spellAsDeclared(shape: Shape, declared: unknown, live: unknown): unknown {
  if (sameValue(shape, declared, live)) return declared;
  if ((shape.type !== 'map' && shape.type !== 'object') || !isPlainObject(declared) || !isPlainObject(live))
    return live;
  const baseOf = (key: string): string | undefined => baseUnder(shape, key);
  const keys = [...new Set([...Object.keys(declared), ...Object.keys(live)])];
  return Object.fromEntries(
    keys
      .map((key): [string, unknown] => {
        // An undeclared value is reported as it is, even a base value.
        if (key in live)
          return [key, key in declared ? spellAsDeclared(shapeUnder(shape, key), declared[key], live[key]) : live[key]];
        return [key, baseOf(key) !== undefined && String(declared[key]) === baseOf(key) ? declared[key] : undefined];
      })
      .filter(([key, value]) => value !== undefined && (key in declared || plainText(value) !== baseOf(key))),
  );
}
