// The records of an assembly as one stack file, as plain data: each below the keys that lead to it.
import { distinguishedBy, fieldOf, type Inputs, type Kind, snakeCase } from '../../provider';
import { kindInFile } from '../../provider/kinds';
import { isPlainObject } from '../../provider/values';
import { type KeysOfPart, keysTo, namesSaidInside } from '../layout';
import { argumentsToWrite, type ExportedRecord, inWords, withNativeValues, withValue } from './record';
import { type ExportedSecret, isHidden } from './secrets';
import type { FileContents } from './text';

/** A record that the file cannot say, or not all of it. */
export interface ExportNote {
  readonly kind: string;
  readonly id: string;
  readonly says: string;
}

/** The document of records, parents first, and the keys that lead to each of them. */
export function documentOf(records: readonly ExportedRecord[], secrets: readonly ExportedSecret[]) {
  const keysOfPart = keysAmong(records);
  const notes: ExportNote[] = [];
  const keys = records.map(({ of, address }) => keysTo(of, address, keysOfPart));
  const declared = secrets.map(({ name, type = 'string' }) => [name, { type, secret: true }] as const);
  const document: MutableMap = declared.length === 0 ? {} : { config: Object.fromEntries(declared) };
  records.forEach((record, index) => {
    const path = keys[index];
    const { of, id } = record;
    const note = (says: string): void => void notes.push({ kind: of.token, id, says });
    if (path === undefined) return note('a stack file has no place for it');
    const own = secrets.filter((secret) => isHidden(secret) && secret.kind === of.token && secret.id === id);
    const body = bodyOf(record, own);
    if ('reason' in body) return note(body.reason);
    const { value, spread } = body;
    if (!IMPLIED.includes(of.token) || !isEmptyMap(value))
      place(document, path, isEmptyMap(value) ? saidOf(of) : value);
    for (const each of spread) place(document, [...path, ...each.keys], each.value);
    if (isOnlyPrepared(record, records)) place(document, [...path, 'deploy'], false);
  });
  return { document, keys, notes };
}

/** Kinds of records that a file declares with what they are in, without a key. */
const IMPLIED = ['design', 'environments.*.deploy'].map((path) => kindInFile(path).token);

/** Whether a record is an environment that has no deployment. */
const isOnlyPrepared = ({ of, id }: ExportedRecord, records: readonly ExportedRecord[]): boolean =>
  of.token === kindInFile('environments.*').token &&
  !records.some((record) => record.id === id && record.of.token === kindInFile('environments.*.deploy').token);

/** What a file says of a record with values by default alone, to declare it at all. */
const saidOf = ({ inFile }: Kind): FileContents =>
  inFile?.onlyWhenSaid === true ? { pulumi: { protect: false } } : {};

const isEmptyMap = (value: unknown): boolean => isPlainObject(value) && Object.keys(value).length === 0;

interface Body {
  readonly value: unknown;
  readonly spread: readonly { readonly keys: readonly string[]; readonly value: unknown }[];
}

/** What a file says of a record, or why it cannot. */
function bodyOf(record: ExportedRecord, secrets: readonly ExportedSecret[]): Body | { readonly reason: string } {
  const { of, address } = record;
  const { inFile } = of;
  const args = writtenArguments(record, secrets);
  const spread = Object.entries(inFile?.spread ?? {}).flatMap(([argument, path]) =>
    Object.entries((args[argument] ?? {}) as FileContents).map(([name, value]) => ({
      keys: path.split('.').map((key) => (key === '*' ? name : key)),
      value,
    })),
  );
  const own = Object.fromEntries(Object.entries(args).filter(([name]) => inFile?.spread?.[name] === undefined));
  const form = inFile?.written?.(own) ?? {};
  if ('reason' in form) return form;
  if ('text' in form) return { value: form.text, spread };
  const { first = {}, omits = [] } = form;
  const rest = Object.entries(own).filter(([name]) => !omits.includes(name));
  const words = Object.fromEntries(namesSaidInside(of).map((each) => [each, address[each]]));
  return {
    value: { ...words, ...first, ...Object.fromEntries(rest.map(([key, each]) => [snakeCase(key), each])) },
    spread,
  };
}

/** The arguments of a record in the file's words, secrets as references to configuration. */
function writtenArguments({ of, inputs }: ExportedRecord, secrets: readonly ExportedSecret[]): Inputs {
  const native = withNativeValues(of, inputs);
  const given = argumentsToWrite(of).filter((name) => native[name] !== undefined && native[name] !== null);
  const plain = Object.fromEntries(
    given.map((name) => [name, inWords(fieldOf(of, name)?.shape ?? { type: 'open' }, native[name])]),
  );
  return secrets.reduce<Inputs>((args, { name, path: [argument = '', ...steps] }) => {
    // A file gives a secret in the place of the plain value.
    const [beside] = Object.entries(of.fields).find(([, { whenSecret }]) => whenSecret === argument) ?? [argument];
    return withValue(args, [beside, ...steps], `\${config.${name}}`);
  }, plain);
}

interface MutableMap {
  [key: string]: unknown;
}

/** Puts a copy of a value at some keys, and joins maps without copying all of them. */
function place(map: MutableMap, [key = '', ...rest]: readonly string[], value: unknown): void {
  const before = map[key];
  const inner: MutableMap = isPlainObject(before) ? before : {};
  if (rest.length > 0) place(inner, rest, value);
  map[key] = rest.length === 0 && !isPlainObject(value) ? value : inner;
  if (rest.length === 0 && isPlainObject(value)) Object.assign(inner, structuredClone(value));
}

const COMPONENT = kindInFile('platforms.*.components.*').token;

/** Keys of parts of addresses. A template comes before the names of several components of it. */
function keysAmong(records: readonly ExportedRecord[]): KeysOfPart {
  const templates = new Map<string, string>();
  const shared = new Set<string>();
  for (const { of, address, inputs } of records) {
    const template = inputs[distinguishedBy(of) ?? ''];
    if (typeof template !== 'string') continue;
    const platform = platformOf(address);
    // A record that lies over a component has its name as the argument `component`.
    const name = address['name'] ?? address['component'] ?? '';
    templates.set(`${platform}/${name}`, template);
    if (template !== name) shared.add(`${platform}/${template}`);
  }
  return (of, address, part) => {
    const name = address[part] ?? '';
    const isComponent = part === 'component' || (part === 'name' && of.token === COMPONENT);
    const template = isComponent ? templates.get(`${platformOf(address)}/${name}`) : undefined;
    return template !== undefined && shared.has(`${platformOf(address)}/${template}`) ? [template, name] : [name];
  };
}

const platformOf = ({ assembly, platform }: ExportedRecord['address']): string => `${assembly}/${platform}`;
