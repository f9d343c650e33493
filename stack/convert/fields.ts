// Maps of a source whose keys are arguments of a kind: each value in the shape that the kind has
// for it.
import { fieldOf, snakeCase } from '../../provider';
import { kindInFile } from '../../provider/kinds';
import { isMoreThanReferences, mayBeSecret, SECRET_NAME } from '../../provider/secrets';
import { checkShape, nearest, type Shape } from '../../provider/values';
import { argumentOf, keysOf } from '../layout';
import { entryOf, isNull, type Entry, type MapNode, type Node } from '../yaml/tree';
import { MASK } from './configuration';
import { entryFrom, keyName, leaveEmpty, leaveUnknown, settingsIn, type Conversion } from './conversion';
import { leavesOf, type Account } from './ledger';
import { convertedValue, namesListed } from './values';
import { dataOf, writtenMap, writtenOf, type Written, type WrittenEntry } from './written';

interface Fields {
  /** Path of the kind in a stack file. */
  readonly kind: string;
  /** Place under which a secret is declared. */
  readonly place: readonly string[];
  /** Keys that somebody else reads. */
  readonly apart?: readonly string[];
  /** What changed for all of them. */
  readonly note?: string;
}

/** Entries of a map as arguments of a kind. A key that the kind lacks is left behind. */
export function fieldsOf(work: Conversion, body: MapNode | undefined, fields: Fields): readonly WrittenEntry[] {
  const of = kindInFile(fields.kind);
  return (body?.entries ?? []).flatMap((entry) => {
    if (fields.apart?.includes(entry.key)) return [];
    const name = argumentOf(of, entry.key);
    const field = name === undefined ? undefined : fieldOf(of, name);
    if (name === undefined || field === undefined) {
      const near = nearest(entry.key, keysOf(of));
      // An export writes every attribute of an attachment.
      const isEmpty = (leaf: Node): boolean => leaf.form !== 'scalar' || leaf.source === '' || isNull(leaf);
      if (near === undefined && leavesOf(entry.value).every(isEmpty)) leaveEmpty(work, entry.value);
      else leaveUnknown(work, entry, near);
      return [];
    }
    const key = snakeCase(name);
    const note = fields.note ?? (key === entry.key ? undefined : `now ${key}`);
    const { shape, secret } = field;
    const value = convertedValue(work, entry.value, { shape, place: [...fields.place, key], note, secret });
    const kept = allowedOf(work, entry, shape, value);
    return kept === undefined ? [] : [entryFrom(work, entry, key, kept)];
  });
}

/** A value that its argument can have; the rest, or single items, are left behind. */
function allowedOf(work: Conversion, entry: Entry, shape: Shape, value: Written): Written | undefined {
  const data = dataOf(value);
  // A blank text is nothing, whatever the argument is; what a reference stands for is not known.
  if (data === '' || JSON.stringify(data).includes('${config.')) return value;
  const faults = checkShape(shape, data, []).map(({ path, message }) => ({ item: path[0], message }));
  const [fault] = faults;
  if (fault === undefined || entry.value.form === 'failed') return value;
  const items = value.is === 'list' ? value.items : [];
  const kept = items.filter((_, index) => !faults.some(({ item }) => item === index));
  work.report.warning(entry.value, 'refused-setting', `${fault.message}: it is left behind`);
  const why = `${items.length > 0 && kept.length > 0 ? 'in part: ' : ''}${fault.message}`;
  work.ledger.became(entry.value, 'refused-setting', why);
  return kept.length === 0 ? undefined : { is: 'list', items: kept };
}

/** Numbers that templates call otherwise than the service does. */
const FORMER_NUMBERS: ReadonlyMap<string, string> = new Map([['percent_deploy', 'pct_dpmt']]);

/** Entries of a map of numbers with these keys, such as the settings of a cloud. */
export function numberEntries(
  work: Conversion,
  body: MapNode | undefined,
  known: readonly string[],
  note?: string,
): readonly (WrittenEntry | undefined)[] {
  return (body?.entries ?? []).map((entry) => {
    const key = FORMER_NUMBERS.get(entry.key) ?? entry.key;
    // Under both names the one of the service counts.
    if (!known.includes(key) || (key !== entry.key && entryOf(body, key) !== undefined))
      return leaveUnknown(work, entry, nearest(entry.key, known));
    const renamed = key === entry.key ? undefined : `now ${key}`;
    const notes = [renamed, note].filter((each) => each !== undefined).join(', ');
    const shape = { shape: { type: 'int' }, place: [], note: notes === '' ? undefined : notes } as const;
    return entryFrom(work, entry, key, convertedValue(work, entry.value, shape));
  });
}

/** A list of names under a key; `became`: what it became. Nothing where there is no name. */
export function namesEntry(
  work: Conversion,
  entry: Entry,
  key: string,
  became: readonly [code: Account['code'], note?: string],
): WrittenEntry | undefined {
  const names = namesListed(work, entry.value);
  if (names.length === 0) return leaveEmpty(work, entry.value);
  work.ledger.became(entry.value, ...became);
  return entryFrom(work, entry, key, writtenOf(names));
}

/** An entry for each name of a map of maps. */
export function eachOf(
  work: Conversion,
  entry: Entry | undefined,
  written: (own: Entry, body: MapNode | undefined) => Written,
): WrittenEntry | undefined {
  const own = settingsIn(work, entry?.value);
  if (entry === undefined || own === undefined || own.entries.length === 0) return undefined;
  const entries = own.entries.map((each) =>
    entryFrom(work, each, keyName(work, each), written(each, settingsIn(work, each.value))),
  );
  return entryFrom(work, entry, entry.key, writtenMap(entries));
}

/** Whether a readable variable has a secret's name, and more than references as its value. */
const isNamedSecret = ({ key, value }: Entry): boolean =>
  SECRET_NAME.test(key) &&
  (value.form !== 'scalar' ||
    (mayBeSecret(value.source, key) && !value.source.startsWith(MASK) && isMoreThanReferences(value.source)));

/** Variables of an assembly or platform. Only templates of Boo have encrypted ones apart. */
export function variablesOf(
  work: Conversion,
  body: MapNode | undefined,
  place: readonly string[],
  isBoo = true,
): WrittenEntry | undefined {
  const plain = entryOf(body, 'variables');
  const secrets = isBoo ? entryOf(body, 'encrypted_variables') : undefined;
  const variable = (own: Entry, isSecret: boolean): WrittenEntry => {
    const note = isSecret ? 'now a variable' : 'encrypted from now on';
    const secret = isSecret || isNamedSecret(own) ? { secret: true, note } : {};
    const value = convertedValue(work, own.value, { shape: { type: 'text' }, place: [...place, own.key], ...secret });
    return entryFrom(work, own, keyName(work, own), value);
  };
  const entries = [
    ...(settingsIn(work, plain?.value)?.entries ?? []).map((own) => variable(own, false)),
    ...(settingsIn(work, secrets?.value)?.entries ?? []).map((own) => variable(own, true)),
  ];
  const source = plain ?? secrets;
  return source === undefined || entries.length === 0
    ? undefined
    : entryFrom(work, source, 'variables', writtenMap(entries));
}
