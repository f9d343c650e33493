// A resource's arguments as texts by wire name, and the way back from what the service answers.
import { ENCRYPTED, type Attributes } from '../../api/contract';
import { camelCase, snakeCase, type Field, type Fields } from './field';
import { openName, type Kind } from '../kind';
import type { Inputs } from '../lifecycle/check';
import { decodeShape, encodeShape, sameValue, spellAsDeclared, type Shape } from './shape';
import { asMap, holdsUnknown, oncePer, present, presentIn, type Texts } from './plain';

/** One declared value, with its shape (an open map's entries are free). */
export interface Declared {
  readonly field: Field;
  readonly argument: string;
  readonly shape: Shape;
  readonly value: unknown;
}

const wireFields = oncePer((fields: Fields) =>
  Object.entries(fields).map(([argument, field]) => ({ argument, field, name: snakeCase(argument) })),
);

/** Declared values by wire name, without fields that steer our own work; an open map is spread. */
export function declaredValues(of: Kind, inputs: Inputs): Map<string, Declared> {
  const values = new Map<string, Declared>();
  for (const { argument, field, name } of wireFields(of.fields)) {
    const value = inputs[argument];
    if (!present(value) || field.channel === 'control') continue;
    if (field.shape.type !== 'open') {
      values.set(name, { field, argument, shape: field.shape, value });
      continue;
    }
    for (const [own, entry] of Object.entries(asMap(value))) {
      if (present(entry)) values.set(own, { field, argument, shape: { type: 'open' }, value: entry });
    }
  }
  return values;
}

/** A declared value's text. Entries of an open map: text as it is, the rest as JSON text. */
export function textOf(declared: Declared): string {
  if (declared.shape.type !== 'open') return encodeShape(declared.shape, declared.value);
  return typeof declared.value === 'string' ? declared.value : JSON.stringify(declared.value);
}

export const textsOf = (of: Kind, inputs: Inputs): Texts => textsIn(declaredValues(of, inputs));

/** Declared values by wire name, some of a record's. */
export type DeclaredEntries = readonly (readonly [string, Declared])[];

export const textsIn = (values: Iterable<readonly [string, Declared]>): Texts =>
  Object.fromEntries([...values].map(([name, declared]) => [name, textOf(declared)]));

/** Whether a live text shows nothing of the value. */
export const isUnseen = (declared: Declared, live: string | null | undefined): boolean =>
  declared.field.secret || declared.field.writeOnly || live === ENCRYPTED;

/** Whether a live text means the declared value; encrypted text counts as the same. */
export function means(declared: Declared, live: string | null | undefined): boolean {
  return live === ENCRYPTED || declared.field.writeOnly || sameValue(declared.shape, declared.value, live ?? undefined);
}

/** The names of texts that mean another value than the live ones, by the fields of attributes. */
export const namesDiffering = (attributes: Fields, texts: Texts, live: Attributes): readonly string[] =>
  Object.keys(texts).filter(
    (name) => !sameValue(attributes[camelCase(name)]?.shape ?? { type: 'open' }, texts[name], live[name]),
  );

/** A live text as a value: the declared one when it means the same, undefined when blank. */
export function valueFromLive(declared: Declared, live: string | null | undefined): unknown {
  if (means(declared, live)) return declared.value;
  if (live === null || live === undefined || live === '')
    return declared.shape.type === 'text' || typeof declared.value === 'string' ? '' : undefined;
  if (declared.shape.type === 'open') return likeKnown(declared.value, live);
  return spellAsDeclared(declared.shape, declared.value, decodeShape(declared.shape, live));
}

/** An open map has no types on the wire: parse into the type that is known. */
function likeKnown(known: unknown, live: string): unknown {
  if (typeof known === 'boolean') return decodeShape({ type: 'flag' }, live);
  if (typeof known === 'number') return String(Number(live)) === live ? Number(live) : live;
  if (Array.isArray(known))
    return decodeShape({ type: 'list', items: { type: 'open' }, encoding: 'json', unordered: false }, live);
  if (typeof known === 'object') return decodeShape({ type: 'map', values: { type: 'open' } }, live);
  return live;
}

/** Declared inputs with live values in place of different ones. */
export function projectLive(of: Kind, known: Inputs, wire: Attributes): Inputs {
  const declared = declaredValues(of, known);
  const live = (name: string, otherwise?: unknown): unknown => {
    const own = declared.get(name);
    return own ? valueFromLive(own, wire[name]) : otherwise;
  };
  const inputs = Object.entries(known).map(([argument, value]): [string, unknown] => {
    const field = of.fields[argument];
    if (field?.shape.type !== 'open' || field.channel === 'control')
      return [argument, field ? live(snakeCase(argument), value) : value];
    return [argument, Object.fromEntries(Object.keys((value ?? {}) as Inputs).map((name) => [name, live(name)]))];
  });
  return Object.fromEntries(inputs);
}

/** The text of a field on the wire when nobody sets it, by its wire name. */
export const baseText = (of: Kind, name: string): string | undefined =>
  wireFields(of.fields).find((field) => field.name === name)?.field.base;

/** Inputs of an undeclared record (import): what is not at its base value. Only a text can be empty. */
export function inputsFromLive(of: Kind, wire: Attributes, isBase: (name: string, text: string) => boolean): Inputs {
  const shown = Object.entries(wire).filter(
    // A variable that is a secret has an empty value beside the encrypted one.
    (entry): entry is [string, string] =>
      entry[1] !== null && entry[1] !== ENCRYPTED && (entry[1] !== '' || !Object.values(wire).includes(ENCRYPTED)),
  );
  const texts = new Map(shown);
  const inputs: { [name: string]: unknown } = {};
  for (const { argument, field, name } of wireFields(of.fields)) {
    const live = texts.get(name);
    texts.delete(name);
    if (live === undefined || field.channel === 'control' || field.writeOnly || field.shape.type === 'open') continue;
    if (live === '' && (field.required || field.secret || field.shape.type !== 'text')) continue;
    if (!field.required && isBase(name, live)) continue;
    const value = decodeShape(field.shape, live);
    if (field.required || live === '' || !sameValue(field.shape, undefined, value)) inputs[argument] = value;
  }
  const open = openName(of);
  const rest = [...texts].filter(([name, live]) => !isBase(name, live));
  return open === undefined || rest.length === 0 ? inputs : { ...inputs, [open]: Object.fromEntries(rest) };
}

/** Inputs that were read, with live values of declared ones, even base and empty values. */
export function withDeclaredBesides(of: Kind, wire: Attributes, inputs: Inputs, declared: Inputs): Inputs {
  const known = Object.entries(declared).filter(([name, value]) => {
    const field = of.fields[name];
    return present(value) && !holdsUnknown(value) && field && field.channel !== 'control' && !field.writeOnly;
  });
  const live = presentIn(projectLive(of, Object.fromEntries(known), wire));
  const open = openName(of) ?? '';
  const all = { ...presentIn(live[open]), ...presentIn(inputs[open]) };
  const { [open]: _, ...besides } = { ...live, ...inputs };
  return Object.keys(all).length === 0 ? besides : { ...besides, [open]: all };
}

/** Arguments whose live text shows only that there is a secret: `['attributes', 'password']`. */
export function unseenInLive(of: Kind, wire: Attributes): readonly (readonly string[])[] {
  const open = openName(of);
  return Object.keys(wire).flatMap((text) => {
    if (wire[text] !== ENCRYPTED) return [];
    const own = wireFields(of.fields).find(({ name, field }) => field.shape.type !== 'open' && name === text);
    if (own !== undefined) return [[own.argument]];
    return open === undefined ? [] : [[open, text]];
  });
}

/** Declared values that no longer exist, as empty texts by wire name. */
export const emptiedTexts = (of: Kind, declared: Inputs, wire: Attributes): Texts =>
  Object.fromEntries(
    [...declaredValues(of, declared).keys()].filter((name) => (wire[name] ?? '') === '').map((name) => [name, '']),
  );
