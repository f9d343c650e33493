// Writes a record of the service in the form of a stack file.
import { componentClass, templateClass } from '../../api/contract';
import type { TakenRecord } from '../../provider/import';
import { openName, parseId, scopeOfId, snakeCase, type Inputs, type Kind } from '../../provider';
import { settledNames } from '../../provider/kinds/settled';
import { argumentsInFile } from '../../provider/kinds';
import { decodeShape, isPlainObject, sameValue, type Shape } from '../../provider/values';
import { withoutReferences } from '../values/interpolation';

/** A record of a kind in its scope. */
export interface ExportedRecord extends Pick<TakenRecord, 'of' | 'id' | 'name' | 'inputs'> {
  readonly address: { readonly [name: string]: string };
  /** Places of secrets that no read shows: `['attributes', 'password']`. */
  readonly secrets: readonly (readonly string[])[];
  /** Places of secrets of a design's record that nobody locked: they came with its pack. */
  readonly packSecrets: readonly (readonly string[])[];
}

/** A record that was read, as one to write. */
export function exportedRecord({ of, id, name, inputs, state }: TakenRecord): ExportedRecord {
  const scope = scopeOfId(of, id) ?? of;
  const { unseen = [], ownSecrets: secrets = [] } = state;
  const packSecrets = scope.stage === 'design' ? unseen.filter((path) => !secrets.includes(path)) : [];
  return { of: scope, id, name, address: parseId(scope, id)?.address ?? {}, inputs, secrets, packSecrets };
}

/** A text as the file has it: its `${…}` are references. */
export class FileText {
  constructor(readonly text: string) {}
}

const OPEN: Shape = { type: 'open' };

/** A value with the members of its objects by their keys in a file; `${` is text. */
export function inWords(shape: Shape, value: unknown): unknown {
  if (value instanceof FileText) return value.text;
  if (typeof value === 'string') return withoutReferences(value);
  if (Array.isArray(value)) return value.map((item) => inWords(OPEN, item));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    if (shape.type === 'object') return [snakeCase(key), inWords(shape.members[key]?.shape ?? OPEN, item)];
    return [key, inWords(shape.type === 'map' ? shape.values : OPEN, item)];
  });
  return Object.fromEntries(entries);
}

/** The inputs of a record, with native values in its open map where the class is known. */
export function withNativeValues(of: Kind, inputs: Inputs): Inputs {
  const open = openName(of);
  const values = open === undefined ? undefined : inputs[open];
  const known = attributesOf(inputs);
  if (open === undefined || known === undefined || !isPlainObject(values)) return inputs;
  const native = Object.entries(values).map(([name, text]) => {
    const attribute = known[name];
    return [name, attribute === undefined || typeof text !== 'string' ? text : nativeValue(attribute, text)];
  });
  return { ...inputs, [open]: Object.fromEntries(native) as Inputs };
}

/** The attributes of the class that the template of a component makes, where both are known. */
export function attributesOf({ type }: Inputs) {
  return componentClass(typeof type === 'string' ? templateClass(type) : undefined)?.attributes;
}

type Attribute = NonNullable<ReturnType<typeof attributesOf>>[string];

/** The value that a text is, if it is sent as that very text again. */
function nativeValue({ dataType, expects, encrypted }: Attribute, text: string): unknown {
  const shape = dataType === 'text' ? plainShape(expects?.type, text) : STRUCTURED[dataType];
  if (shape === undefined || encrypted) return text;
  const value = decodeShape(shape, text);
  return sameValue(OPEN, value, text) ? value : text;
}

const STRUCTURED: { readonly [dataType: string]: Shape } = {
  hash: { type: 'map', values: OPEN },
  array: { type: 'list', items: OPEN, encoding: 'json', unordered: false },
};

/** A text of digits is a number to a reader too, whatever the catalogue expects. */
const plainShape = (expected: string | undefined, text: string): Shape | undefined =>
  expected === 'boolean' ? { type: 'flag' } : /^-?\d+$/.test(text) ? { type: 'int' } : undefined;

/** The arguments of a record that a file gives, including those of its special forms. */
export const argumentsToWrite = (of: Kind): readonly string[] => [
  ...argumentsInFile(of),
  ...(of.inFile?.apart ?? []).filter((name) => !settledNames(of).includes(name)),
];
