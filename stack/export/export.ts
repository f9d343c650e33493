// Writes a stack file from records of the service: its text, the values that a person has to set,
// and a list of what it cannot contain.
import { Document, isCollection, isScalar, Pair, Scalar, stringify, YAMLMap, type Node as YamlNode } from 'yaml';
import type { ReadRecords } from '../../provider/import';
import { diff, distinguishedBy, fieldOf, type Inputs, type Kind, snakeCase } from '../../provider';
import { kindInFile } from '../../provider/kinds';
import { isPlainObject, withAt } from '../../provider/values';
import { readStack, type ReadStack } from '../bind/stack';
import { type KeysOfPart, keysTo, LAST, namesSaidInside, TOP_LEVEL } from '../layout';
import type { StackPlan } from '../plan';
import { plainCarrier, resolve } from '../values/resolve';
import { resourceKey } from '../values/value';
import { formatYaml, IN_ONE_LINE, padMapsOnly } from '../yaml/format';
import { argumentsToWrite, exportedRecord, inWords, withNativeValues, type ExportedRecord } from './record';
import { isHidden, withSecretsLifted, type ExportedSecret, type LiftedSecrets } from './secrets';

/** A stack file that says what records say. */
export interface ExportedStack {
  readonly text: string;
  readonly secrets: readonly ExportedSecret[];
  /** Secrets that nobody locked: they came with a pack, and the file leaves them there. */
  readonly packSecrets: readonly Omit<ExportedSecret, 'name'>[];
  /** Records and parts of records that the file lacks. */
  readonly notes: readonly ExportNote[];
  /** Errors that `check` reports in the file, although the service has the records. */
  readonly faults: readonly string[];
  readonly declared: number;
}

const FILE = 'oneops.yaml';

/** The shortest file that says what records say. `head`: comments at its top. */
export function exportedStack({ records: read, leftOut }: ReadRecords, head: readonly string[] = []): ExportedStack {
  const lifted = withSecretsLifted(read.map(exportedRecord));
  const { expected: records, secrets } = lifted;
  const { document, keys, notes: unwritten } = documentOf(lifted.written, secrets);
  const first = stackText(document);
  const reading = readStack([{ name: FILE, text: first }], environment);
  const faults = reading.findings
    .filter(({ severity }) => severity === 'error')
    .map(({ at, message, hint }) => `line ${at.start.line}: ${message}${hint === undefined ? '' : `: ${hint}`}`);
  const left = leftOut.map(({ of, id, says }) => ({ kind: of.token, id, says: says.replace(/\n\s*/g, '; ') }));
  const notes = [...left, ...unwritten, ...differences(lifted, reading)];
  const comments = commentsOf(notes, records, keys);
  const all = new Map([...comments, ['', [...head, ...(comments.get('') ?? [])]]]);
  const text = stackText(document, all);
  const packSecrets = records.flatMap(({ of, id, packSecrets: paths }) =>
    paths.map((path) => ({ kind: of.token, id, path })),
  );
  const declared = reading.plan?.resources.length ?? 0;
  return { text: formatYaml(text) ?? text, secrets, packSecrets, notes, faults, declared };
}

const environment = {
  readFile: () => ({ problem: 'an exported file names no other' }),
};

/** Comments at the record of each note, or at the nearest one around it in the file. */
function commentsOf(
  notes: readonly ExportNote[],
  records: readonly ExportedRecord[],
  keys: readonly (readonly string[] | undefined)[],
): ReadonlyMap<string, readonly string[]> {
  const places = new Map(records.map(({ id }, index) => [id, keys[index]]));
  const comments = new Map<string, readonly string[]>();
  for (const { kind, id, says } of notes) {
    let around = id;
    while (around !== '' && places.get(around) === undefined)
      around = around.slice(0, Math.max(0, around.lastIndexOf('/')));
    const place = commentKey(places.get(around) ?? []);
    comments.set(place, [...(comments.get(place) ?? []), `not exported: ${kind} ${id}: ${says}`]);
  }
  return comments;
}

/** Differences of a record between the file, read again, and the service. */
function differences(
  { expected: records, secrets, values }: LiftedSecrets,
  { plan }: ReadStack,
): readonly ExportNote[] {
  if (plan === undefined) return [];
  const declared = argumentsOf(plan, values);
  const own = records.map(({ of, name }) => resourceKey(of.token, name));
  const wrong = records.flatMap(({ of, id, inputs, address }, index): readonly ExportNote[] => {
    const args = declared.get(own[index] ?? '');
    if (args === undefined) return [{ kind: of.token, id, says: 'the file does not declare it' }];
    const hidden = secrets.filter((secret) => isHidden(secret) && secret.kind === of.token && secret.id === id);
    const names = argumentsToWrite(of);
    const only = (values: Inputs): Inputs =>
      Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
    const expected = hidden.reduce<Inputs>(
      (soFar, { name, path }) => withAt(soFar, path, secretText(name)) as Inputs,
      only(inputs),
    );
    const changes = diff(of, { ...address, ...expected }, { ...address, ...only(args) });
    return changes.map(({ path }) => ({ kind: of.token, id, says: `the file cannot say its ${path.join('.')}` }));
  });
  const extra = [...declared.keys()].filter((key) => !own.some((each) => each === key));
  return [
    ...wrong,
    ...extra.map((key) => ({ kind: key.split('::')[0] ?? '', id: key, says: 'the service has no such record' })),
  ];
}

const secretText = (name: string): string => `configuration ${name}`;

function argumentsOf(plan: StackPlan, values: LiftedSecrets['values']): ReadonlyMap<string, Inputs> {
  const carrier = plainCarrier((target) =>
    target.of === 'config' ? (values.get(target.name) ?? secretText(target.name)) : undefined,
  );
  return new Map(plan.resources.map(({ key, args }) => [key, resolve(args, carrier) as Inputs]));
}

// The document of a stack file, as plain data: each record below the keys that lead to it.

/** A record that the file cannot say, or not all of it. */
interface ExportNote {
  readonly kind: string;
  readonly id: string;
  readonly says: string;
}

/** The document of records, parents first, and the keys that lead to each of them. */
function documentOf(records: readonly ExportedRecord[], secrets: readonly ExportedSecret[]) {
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

/** The entry that declares a record with default values only. */
const saidOf = ({ inFile }: Kind): FileContents =>
  inFile?.onlyWhenSaid === true ? { pulumi: { protect: false } } : {};

const isEmptyMap = (value: unknown): boolean => isPlainObject(value) && Object.keys(value).length === 0;

interface Body {
  readonly value: unknown;
  readonly spread: readonly { readonly keys: readonly string[]; readonly value: unknown }[];
}

/** The entry of a record in a file, or the reason why it has none. */
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
    return withAt(args, [beside, ...steps], `\${config.${name}}`) as Inputs;
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

// The text of the document: short maps and lists in one line, keys in the order in which docs/yaml.md
// shows them, comments above keys.

/** A map of a file, as plain data. */
interface FileContents {
  readonly [key: string]: unknown;
}

/** Comments by the keys of the line below them; those without a key are at the top. */
type Comments = ReadonlyMap<string, readonly string[]>;

const commentKey = (keys: readonly string[]): string => keys.join('\n');

const OPTIONS = {
  aliasDuplicateObjects: false,
  lineWidth: 0,
  singleQuote: true,
  indentSeq: true,
  blockQuote: 'literal',
  doubleQuotedAsJSON: true,
  flowCollectionPadding: false,
  ...IN_ONE_LINE,
} as const;

function stackText(contents: FileContents, comments: Comments = new Map()): string {
  const document = new Document();
  document.contents = mapNode([], contents, comments);
  padMapsOnly(document);
  const head = commentText(comments.get('') ?? []);
  return `${head === undefined ? '' : `${head.replace(/^/gm, '#')}\n`}${document.toString(OPTIONS)}`;
}

const commentText = (lines: readonly string[]): string | undefined =>
  lines.length === 0 ? undefined : lines.map((text) => ` ${text.replace(/\s+/g, ' ')}`).join('\n');

function mapNode(keys: readonly string[], map: FileContents, comments: Comments): YAMLMap {
  const node = new YAMLMap();
  for (const [key, value] of ordered(map, keys.length === 0 ? TOP_LEVEL : LAST)) {
    const own = [...keys, key];
    const name = new Scalar(key);
    const above = commentText(comments.get(commentKey(own)) ?? []);
    if (above !== undefined) name.commentBefore = above;
    if (keys.length === 0 && node.items.length > 0) name.spaceBefore = true;
    node.items.push(new Pair(name, valueNode(own, value, comments)));
  }
  return node;
}

/** Entries, those with a known key last and in the order of the known ones. */
function ordered(map: FileContents, last: readonly string[]): readonly (readonly [string, unknown])[] {
  const rank = ([key]: readonly [string, unknown]): number => last.indexOf(key);
  return Object.entries(map).sort((left, right) => rank(left) - rank(right));
}

function valueNode(keys: readonly string[], value: unknown, comments: Comments): YamlNode {
  const node = isPlainObject(value) ? mapNode(keys, value, comments) : new Document().createNode(value, OPTIONS);
  if (isCollection(node)) node.flow = fitsInOneLine(keys, value as object, comments);
  if (isScalar(node) && typeof value === 'string' && value.includes('\n') && !endsAsBlock(value))
    node.type = Scalar.QUOTE_DOUBLE;
  return node;
}

/** Longest line on which a map is written as a whole, and longest list in one line. */
const LINE = 100;
const LIST = 60;

/** Whether a map or list is written in one line: a line of a file has no maps of maps. */
function fitsInOneLine(keys: readonly string[], value: object, comments: Comments): boolean {
  const text = stringify(value, { ...OPTIONS, collectionStyle: 'flow' }).trimEnd();
  if (holdsLines(value)) return false;
  if (Array.isArray(value)) return text.length < LIST && value.every((item) => typeof item !== 'object');
  const isCommented = [...comments.keys()].some((key) => key.startsWith(`${commentKey(keys)}\n`));
  const isFlat = keys.length > 2 || heightOf(value) <= keys.length;
  const padding = (text.match(/\{(?!\})/g) ?? []).length * 2;
  const length = 2 * keys.length + (keys.at(-1) ?? '').length + text.length + padding - 1;
  return isFlat && !isCommented && length < LINE;
}

const heightOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(heightOf)) : 0;

const holdsLines = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(holdsLines)
    : typeof value === 'string' && value.includes('\n');

/** Whether a text ends as the lines of a block do. Blanks at its end would be lost. */
function endsAsBlock(text: string): boolean {
  const end = text.slice(text.trimEnd().length);
  return end === '' || (end === '\n' && text !== end);
}
