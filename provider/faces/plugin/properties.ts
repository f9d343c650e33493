// Properties as the plugin protocol carries them, with secrets in envelopes.
import { Struct, type JavaScriptValue } from 'google-protobuf/google/protobuf/struct_pb';
import { isMarkedSecret, isPlainObject, SECRET_MARK, type Values } from '../../values/plain';

/** Where secrets are in a value: everywhere (`true`), or in some of its entries. */
export type SecretPlaces = true | { readonly [key: string]: SecretPlaces };

interface Received {
  readonly values: Values;
  readonly secrets: SecretPlaces | undefined;
}

/** Reads a message's properties; none for a message without them. */
export function received(struct: Struct | undefined): Received {
  const values = (struct?.toJavaScript() ?? {}) as Values;
  return { values: opened(values) as Values, secrets: secretPlaces(values) };
}

function opened(value: unknown): unknown {
  if (isMarkedSecret(value)) return opened(value['value']);
  if (Array.isArray(value)) return value.map(opened);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, opened(item)]));
}

function secretPlaces(value: unknown): SecretPlaces | undefined {
  if (isMarkedSecret(value)) return true;
  // One secret makes the whole list secret, as in the engine: elements have no names.
  if (Array.isArray(value)) return value.some((item) => secretPlaces(item) !== undefined) ? true : undefined;
  if (!isPlainObject(value)) return undefined;
  const places = Object.entries(value).flatMap(([key, item]) => {
    const inside = secretPlaces(item);
    return inside === undefined ? [] : [[key, inside] as const];
  });
  return places.length > 0 ? Object.fromEntries(places) : undefined;
}

/** Both sets of places together. */
export function joined(left: SecretPlaces | undefined, right: SecretPlaces | undefined): SecretPlaces | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  if (left === true || right === true) return true;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  const places = [...keys].map((key) => [key, joined(left[key], right[key]) as SecretPlaces] as const);
  return Object.fromEntries(places);
}

/** The value as an envelope: the engine encrypts it. */
export const enveloped = (value: unknown): unknown => ({ ...SECRET_MARK, value });

function sealed(value: unknown, places: SecretPlaces | undefined): unknown {
  if (places === undefined || value === undefined || value === null) return value;
  if (places === true) return enveloped(value);
  if (!isPlainObject(value)) return enveloped(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, sealed(item, places[key])]));
}

/** Members of a message, by the names in its setters. */
type Members<M> = {
  readonly [N in keyof M as N extends `set${infer Name}` ? Uncapitalize<Name> : never]?: M[N] extends (
    value: infer Value,
  ) => unknown
    ? Value
    : never;
};

export function withMembers<M extends object>(message: M, members: Members<M>): M {
  const setters = message as { readonly [setter: string]: (value: unknown) => unknown };
  for (const [name, value] of Object.entries(members))
    setters[`set${name.charAt(0).toUpperCase()}${name.slice(1)}`]?.call(message, value);
  return message;
}

/** A message's properties from plain values, with secrets in envelopes. */
export const sent = (values: Values, secrets?: SecretPlaces): Struct =>
  Struct.fromJavaScript(sealed(values, secrets) as { [key: string]: JavaScriptValue });
