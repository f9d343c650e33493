// Secrets of records as configuration, hidden ones and those that the service answers in clear: the
// file refers to them, so that no value is copied.
import { ENCRYPTED, mapValues } from '../../api/contract';
import { fieldOf, openName, snakeCase } from '../../provider';
import {
  isMoreThanReferences,
  LIKELY_NAMES,
  mayBeSecret,
  mayHoldSecret,
  namedSecretsOf,
  nameInOption,
  SURE_NAMES,
} from '../../provider/secrets';
import { isPlainObject } from '../../provider/values';
import { fileOfSecret, keptOf, LONGEST_NAME, MASK } from '../convert/configuration';
import { argumentsToWrite, attributesOf, FileText, withNativeValues, type ExportedRecord } from './record';

/** A secret that a person sets as configuration. */
export interface ExportedSecret {
  readonly name: string;
  /** Token of the kind and id of the record, and the path of the argument. */
  readonly kind: string;
  readonly id: string;
  readonly path: readonly string[];
  /** Where the service shows the value: it stays so, or the next update encrypts it. */
  readonly readable?: 'stays' | 'encrypted';
  /** Type of the configuration value; default: `string`. */
  readonly type?: 'integer' | 'number';
  readonly file?: string;
}

/** Whether no read shows the secret: nothing in the record's values stands for it. */
export const isHidden = ({ readable }: ExportedSecret): boolean => readable === undefined;

/** The argument, unless the secret is all that the record is. */
function wordsFor({ of }: ExportedRecord, path: readonly string[]): readonly string[] {
  const isAll = Object.values(of.fields).some(({ whenSecret }) => whenSecret === path[0]);
  return isAll ? [] : [snakeCase(path.at(-1) ?? '')];
}

/** Takes a free name: the words of a record's address, and words for the place in it. */
function takeName(
  { assembly: _, ...around }: ExportedRecord['address'],
  words: readonly string[],
  taken: Set<string>,
): string {
  const wanted = [...Object.values(around), ...words]
    .join('-')
    .replace(/[^\w-]/g, '_')
    .slice(0, LONGEST_NAME);
  const first = /^[A-Za-z]/.test(wanted) ? wanted : `secret-${wanted}`;
  let name = first;
  for (let number = 2; taken.has(name); number += 1) name = `${first}-${number}`;
  taken.add(name);
  return name;
}

/** Records with their secrets as configuration. */
export interface LiftedSecrets {
  /** The records to write: references to configuration are in the places of the secrets. */
  readonly written: readonly ExportedRecord[];
  /** The records that the file has to say, with the values of its configuration. */
  readonly expected: readonly ExportedRecord[];
  /** Hidden ones first. */
  readonly secrets: readonly ExportedSecret[];
  /** Clear ones, by names of configuration. No message and no file may contain one. */
  readonly values: ReadonlyMap<string, string | number>;
}

/** Makes the secrets of records configuration; names are unique. */
export function withSecretsLifted(records: readonly ExportedRecord[]): LiftedSecrets {
  const book: Book = { taken: new Set(), secrets: [], values: new Map() };
  for (const record of records)
    for (const path of record.secrets) {
      const name = takeName(record.address, wordsFor(record, path), book.taken);
      book.secrets.push({ name, kind: record.of.token, id: record.id, path });
    }
  const both = records.map((record) => liftedFrom(record, book));
  return {
    written: both.map(([written]) => written),
    expected: both.map(([, expected]) => expected),
    secrets: book.secrets,
    values: book.values,
  };
}

interface Book {
  readonly taken: Set<string>;
  readonly secrets: ExportedSecret[];
  readonly values: Map<string, string | number>;
}

function liftedFrom(record: ExportedRecord, book: Book): readonly [ExportedRecord, ExportedRecord] {
  const { of } = record;
  const native = withNativeValues(of, record.inputs);
  let [written, expected] = [record, record];
  for (const argument of argumentsToWrite(of)) {
    const field = fieldOf(of, argument);
    const value = native[argument];
    if (field === undefined || field.secret || field.channel === 'control' || value === undefined) continue;
    const before = book.secrets.length;
    const without = argumentWithout({ record, book, argument }, value);
    if (book.secrets.length === before) continue;
    written = { ...written, inputs: { ...written.inputs, [argument]: without } };
    if (field.whenSecret === undefined) continue;
    const { [argument]: plain, ...others } = expected.inputs;
    expected = { ...expected, inputs: { ...others, [field.whenSecret]: plain } };
  }
  return [written, expected];
}

interface Source {
  readonly record: ExportedRecord;
  readonly book: Book;
  readonly argument: string;
}

interface Place {
  readonly path: readonly string[];
  /** Words for the name of a secret there. */
  readonly names: readonly string[];
  readonly secret: string | undefined;
  /** Whether keys, texts and items name what is below or next to them. */
  readonly isNaming: boolean;
}

function argumentWithout(source: Source, value: unknown): unknown {
  const { record, argument } = source;
  const { of, address, inputs } = record;
  const path = [argument];
  if (argument === openName(of) && isPlainObject(value)) {
    const known = attributesOf(inputs);
    // Of the attributes of a class, the catalogue says which are secrets.
    const isSecret = (name: string): boolean => known?.[name] === undefined && LIKELY_NAMES.key(name);
    return mapValues(value, (inner, name) =>
      valueWithout(source, inner, {
        path: [...path, name],
        names: [name],
        secret: isSecret(name) ? name : undefined,
        isNaming: true,
      }),
    );
  }
  const field = fieldOf(of, argument);
  const isMap = field?.shape.type === 'map' || field?.shape.type === 'open';
  // The name of a record says what its value is.
  const own = address['name'] ?? '';
  const secret = field?.whenSecret !== undefined && SURE_NAMES.key(own) ? own : undefined;
  const names = field?.whenSecret === undefined ? [snakeCase(argument)] : [];
  // The names of things, such as events of a monitor, name no values.
  if (field?.shape.type === 'map' && field.shape.values.type !== 'text' && isPlainObject(value))
    return mapValues(value, (inner, name) =>
      valueWithout(source, inner, { path: [...path, name], names: [...names, name], secret, isNaming: true }),
    );
  return valueWithout(source, value, { path, names, secret, isNaming: isMap });
}

function valueWithout(source: Source, value: unknown, place: Place): unknown {
  if (typeof value === 'string') return textWithout(source, value, place);
  if (typeof value === 'number')
    return mayBeSecret(String(value), place.secret) ? new FileText(reference(source, place, value)) : value;
  if (!Array.isArray(value) && !isPlainObject(value)) return value;
  const secretUnder = place.isNaming ? namedSecretsOf(value, LIKELY_NAMES) : () => undefined;
  const inner = (each: unknown, key: string): unknown => {
    const name = secretUnder(key);
    const own = name ?? (Array.isArray(value) ? undefined : key);
    return valueWithout(source, each, {
      ...place,
      path: [...place.path, key],
      names: own === undefined ? place.names : [...place.names, own],
      secret: place.secret ?? name,
    });
  };
  return Array.isArray(value) ? value.map((each, index) => inner(each, String(index))) : mapValues(value, inner);
}

function textWithout(source: Source, text: string, place: Place): unknown {
  if (text.startsWith(MASK) || text === ENCRYPTED) return text;
  if (mayBeSecret(text, place.secret) ? !isMoreThanReferences(text) : !mayHoldSecret(text)) return text;
  const value = keptOf(text);
  return new FileText(`${reference(source, place, value)}${text.slice(value.length)}`);
}

function reference({ record, book, argument }: Source, { path, names }: Place, value: string | number): string {
  const { of, id, address } = record;
  const words = names.map(nameInOption);
  const name = takeName(address, words, book.taken);
  book.values.set(name, value);
  book.secrets.push({
    ...{ name, kind: of.token, id, path },
    readable: fieldOf(of, argument)?.whenSecret === undefined ? 'stays' : 'encrypted',
    ...(typeof value === 'number'
      ? { type: Number.isInteger(value) ? ('integer' as const) : ('number' as const) }
      : {}),
    ...(typeof value === 'string' && value.includes('\n') ? { file: fileOfSecret(name) } : {}),
  });
  return `\${config.${name}}`;
}
