// The file of `pulumi import --file`, from the service (engine-facts, first section).
import { inOneSentence, mapValues } from '../../api/contract';
import { messageOf } from '../../api/errors';
import { parseId, scopeOfId } from '../address/ids';
import { check, type Inputs } from '../lifecycle/check';
import { LifecycleError } from '../errors';
import type { DeclaredRecord, Derive, Kind } from '../kind';
import { type Lifecycle, SILENT } from '../lifecycle';
import { isReference } from '../lifecycle/refer';
import { dynamicType, markedSecret, pluginType, providerText, secretIn } from '../lifecycle/registration';
import type { State } from '../lifecycle/state';
import { secretPathsIn } from '../secrets/attributes';
import { settle, settledNames, withHiddenNames, withSettledUnknown } from '../kinds/settled';
import { holdsUnknown, isPlainObject, valueIn, withAt, withoutAt } from '../values/plain';

/** One record to take over, under its logical name in the program. */
export interface Taken {
  readonly of: Kind;
  readonly name: string;
  readonly id: string;
  /** The id to read it by, where its own may mean several records (Place). */
  readonly at?: string;
  /** What a stack declares: read even with its base value, and used where no read shows a value. */
  readonly declared?: Inputs;
  /** Where a stack declares secrets in it, next to what its kind says. */
  readonly hidden?: readonly (readonly string[])[];
  /** Whether it is left out when it says no more than it did when it was born. */
  readonly onlyIfDeclared?: boolean;
}

/** One entry of the file, in the engine's words. */
interface ImportEntry {
  readonly type: string;
  readonly logicalName: string;
  readonly id: string;
  readonly inputs: Inputs;
  readonly outputs: Inputs;
}

/** The file, and what a person has to know of it. */
export interface ImportFile {
  readonly resources: readonly (ImportEntry & { readonly name: string })[];
  /** What is required and shown by no read: the engine takes the record without it, and warns. */
  readonly incomplete: readonly Note[];
  /** Secrets there are: the next run writes those that a file declares. */
  readonly unseen: readonly Note[];
  /** Records that could not be taken, and why. */
  readonly leftOut: readonly Note[];
}

export interface Note {
  readonly of: Kind;
  readonly id: string;
  readonly says: string;
}

export interface TakenRecord extends Taken {
  readonly state: State;
  /** The declared values that no read shows: secrets, and what steers our own work. */
  readonly given: Inputs;
  readonly inputs: Inputs;
}

export interface ReadRecords {
  readonly records: readonly TakenRecord[];
  readonly leftOut: readonly Note[];
}

/** Which provider the resources of a file are of. */
export type ImportedFor = 'dynamic' | 'plugin';

/** Reads every record, as `readTaken` does, and composes the file. */
export async function importFile(
  taken: readonly Taken[],
  life: (of: Kind) => Lifecycle,
  imported: ImportedFor = 'dynamic',
): Promise<ImportFile> {
  const { records, leftOut } = await readTaken(taken, life);
  const declared = records.map(declaredBy);
  const resources = records.map((entry, index) =>
    resourceOf(entry, settle(declared[index] as DeclaredEntry, declared, derived), imported),
  );
  return {
    resources: withCodeNames(resources),
    incomplete: records.flatMap(incompleteIn),
    unseen: records.flatMap(unseenOf),
    leftOut,
  };
}

/**
 * Reads every record; sends GETs only. Throws LifecycleError for a missing record; one that cannot
 * be understood is reported. A record without declared values is kept only if another kept record
 * names it.
 */
export async function readTaken(taken: readonly Taken[], life: (of: Kind) => Lifecycle): Promise<ReadRecords> {
  const entries: TakenRecord[] = [];
  const leftOut: Note[] = [];
  for (const each of taken) {
    const { of, id, at = id, declared } = each;
    try {
      entries.push(entryOf(each, await life(of).read(at, undefined, SILENT, declared)));
    } catch (error) {
      if (!(error instanceof LifecycleError)) throw error;
      leftOut.push({ of, id, says: messageOf(error) });
    }
  }
  const saying = entries.filter((entry) => !isIdle(entry));
  const kept = entries.filter((entry) => saying.includes(entry) || saying.some((other) => names(other, entry)));
  const namesakes = namesakesAmong(kept);
  return {
    records: kept.filter((entry) => !namesakes.includes(entry)),
    leftOut: [...leftOut, ...namesakes.map(besideOf)],
  };
}

/** Whether it came with its parent, and says no more than it did when it was born. */
const isIdle = ({ of, state, inputs, onlyIfDeclared }: TakenRecord): boolean =>
  onlyIfDeclared === true && state.outputs['origin'] === 'pack' && saysNothing(of, inputs);

/** Whether an argument of one record names another one next to it. */
function names(one: TakenRecord, other: TakenRecord): boolean {
  const beside = other.id.slice(0, other.id.lastIndexOf('/') + 1);
  const name = other.id.slice(beside.length);
  return Object.entries(one.of.fields).some(([argument, { refersTo }]) => {
    const named = one.inputs[argument];
    return refersTo === other.of.token && one.id.startsWith(beside) && Array.isArray(named) && named.includes(name);
  });
}

/** Records whose id another entry has: a stack declares one record of a name. */
function namesakesAmong(entries: readonly TakenRecord[]): readonly TakenRecord[] {
  const keyOf = ({ of, id }: TakenRecord): string => `${of.token} ${id}`;
  const ids = entries.map(keyOf);
  const second = entries.filter((entry, index) => ids.indexOf(keyOf(entry)) !== index);
  const liesIn = ({ at = '' }: TakenRecord): boolean =>
    second.some((other) => at.startsWith(`${other.at ?? other.id}/`));
  return entries.filter((entry) => second.includes(entry) || liesIn(entry));
}

const besideOf = ({ of, id, at = id }: TakenRecord): Note => ({
  of,
  id: at,
  says: `another record of the name ${id} is in the file, and a stack can declare only one of them: import this one into another stack`,
});

function entryOf(taken: Taken, found: State | undefined): TakenRecord {
  const { of, id, declared = {} } = taken;
  if (found === undefined) throw new LifecycleError(`${of.token} ${id}: there is no such record`);
  const seen = (values: Inputs): Inputs => (taken.declared ? withoutUndeclaredSecrets(of, values, declared) : values);
  const state = { ...found, inputs: seen(found.inputs), outputs: seen(found.outputs) };
  const given = unseenAmong(of, declared, state.unseen ?? []);
  const inputs = joined(withEmptyTexts(of, state), given);
  return { ...taken, given, state, inputs: isReference(declared) ? onlyOf(declared, inputs) : inputs };
}

/** What a reference declares: nothing else of the record is ours. */
const onlyOf = (declared: Inputs, inputs: Inputs): Inputs =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => name in declared));

/** The declared values that no read shows. */
function unseenAmong(of: Kind, declared: Inputs, unseen: NonNullable<State['unseen']>): Inputs {
  const settled = [...settledNames(of), ...Object.keys(of.fills ?? {})];
  const steering = Object.entries(of.fields)
    .filter(([name, { channel, writeOnly }]) => (writeOnly || channel === 'control') && !settled.includes(name))
    .map(([name]) => [name]);
  return [...steering, ...unseen].reduce<Inputs>((given, path) => {
    const value = valueIn(declared, path);
    return value === undefined || value === null || holdsUnknown(value)
      ? given
      : (withAt(given, path, value) as Inputs);
  }, {});
}

/** The inputs, with an empty text where a record has neither the value nor its secret. */
function withEmptyTexts(of: Kind, { inputs, unseen = [] }: State): Inputs {
  const empty = Object.entries(of.fields).filter(
    ([name, { whenSecret }]) =>
      whenSecret !== undefined && inputs[name] === undefined && !unseen.some(([argument]) => argument === whenSecret),
  );
  return { ...inputs, ...Object.fromEntries(empty.map(([name]) => [name, ''])) };
}

const joined = (read: Inputs, given: Inputs): Inputs => ({
  ...read,
  ...mapValues(given, (value, name) => {
    const seen = read[name];
    return isPlainObject(value) && isPlainObject(seen) ? { ...seen, ...value } : value;
  }),
});

/**
 * Whether no program has to declare a record that came with its parent. For kinds with known base
 * values, what is left was set by somebody; in other kinds nobody set anything.
 */
const saysNothing = (of: Kind, inputs: Inputs): boolean =>
  of.verbs.base === undefined ||
  Object.entries(of.fields).every(([name, { required }]) => required || inputs[name] === undefined);

function resourceOf(entry: TakenRecord, settled: Inputs, imported: ImportedFor): ImportEntry {
  const { of, name, id, state, inputs, hidden = [] } = entry;
  const isPlugin = imported === 'plugin';
  const provider = isPlugin ? {} : { __provider: providerText(of.token) };
  const marked = [...secretPathsIn(of, inputs), ...hidden].reduce<Inputs>(markedAt, inputs);
  const all = { ...marked, ...settled, ...provider };
  const type = isPlugin ? pluginType(of.token) : dynamicType(of.token);
  return {
    type,
    logicalName: name,
    id,
    inputs: withHiddenNames(of, all),
    outputs: withHiddenNames(of, { ...state.outputs, ...all }),
  };
}

/** Marks what is at a path; nothing that is marked already, or in something that is. */
function markedAt(values: Inputs, [name = '', ...rest]: readonly string[]): Inputs {
  const value = values[name];
  if (value === undefined || secretIn(value) !== undefined) return values;
  if (rest.length === 0) return { ...values, [name]: markedSecret(value) };
  // What is in a list has no name, so the engine keeps the complete list as a secret.
  return { ...values, [name]: isPlainObject(value) ? markedAt(value, rest) : markedSecret(value) };
}

/** Findings of check that are missing values: the engine prints them as warnings. */
function incompleteIn({ of, id, inputs }: TakenRecord): readonly Note[] {
  return check(of, { ...withSettledUnknown(of, inputs), ...of.fills })
    .filter(({ severity }) => severity === 'error')
    .map((finding) => ({ of, id, says: inOneSentence(finding) }));
}

const unseenOf = ({ of, id, state, given }: TakenRecord): readonly Note[] =>
  (state.unseen ?? [])
    .filter((path) => valueIn(given, path) === undefined)
    .map((path) => ({ of, id, says: path.join('.') }));

/** The record as a program declares it, for what follows from it. */
export interface DeclaredEntry extends DeclaredRecord {
  readonly outputs: Inputs;
}

function declaredBy({ of, id, inputs, state }: TakenRecord): DeclaredEntry {
  const scope = scopeOfId(of, id) ?? of;
  const written = Object.entries(inputs).filter(([name]) => !settledNames(of).includes(name));
  return {
    of: scope,
    address: parseId(scope, id)?.address ?? {},
    args: Object.fromEntries(written),
    outputs: state.outputs,
  };
}

/** Everything is known of what is taken over. */
export const derived: Derive<DeclaredEntry> = (records, facts, make) =>
  make(
    records.map(({ args, outputs }) =>
      mapValues(facts, (fact) => {
        if ('output' in fact) return outputs[fact.output];
        return args['argument' in fact ? fact.argument : fact.entriesOf];
      }),
    ),
  );

/**
 * The values without secrets that a read shows and nobody declares, such as the key of a cloud: a
 * stack file from an import cannot have them, and the next run would remove them.
 */
const withoutUndeclaredSecrets = (of: Kind, values: Inputs, declared: Inputs): Inputs =>
  secretPathsIn(of, values)
    .filter((path) => valueIn(declared, path) === undefined)
    .reduce<Inputs>(withoutAt, values);

// Names of code for what is taken over: each unique, and a variable in any language.

/** The entries with names for code: Pulumi's CLI reads `web/os` as a division. */
export function withCodeNames<E extends Pick<ImportEntry, 'type' | 'logicalName'>>(
  entries: readonly E[],
): readonly (E & { readonly name: string })[] {
  const taken = new Set<string>();
  return entries.map((entry) => {
    const plain = entry.logicalName.replace(/[^\w-]/g, '_').replace(/^(?![A-Za-z_])/, '_');
    const token = entry.type.slice(entry.type.lastIndexOf(':') + 1);
    const name = candidates(plain, token, entries.length).find((each) => !taken.has(comparable(each))) as string;
    taken.add(comparable(name));
    return { name, ...entry };
  });
}

/** One more than there are entries, so that one of them is free. */
const candidates = (plain: string, token: string, count: number): readonly string[] => [
  plain,
  ...Array.from({ length: count }, (_, index) => `${plain}_${token}${index === 0 ? '' : String(index + 1)}`),
];

/** Some languages write `web-os`, `web_os` and `webOs` as the same variable. */
const comparable = (name: string): string => name.replace(/[-_]/g, '').toLowerCase();
