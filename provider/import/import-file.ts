// The file that `pulumi import --file` takes, from what the service holds at given addresses (engine-facts, first section).
// It must not know the engine, how addresses were found, nor any program: what a program settles follows from what else is taken over.
import { messageOf } from '../../api/errors';
import { LifecycleError } from '../errors';
import type { Diagnostic } from '../../api/contract';
import { markedSecret } from '../engine-secret';
import { parseId, scopeOfId } from '../ids';
import { type DeclaredRecord, type Derive, type Kind } from '../kind';
import type { Lifecycle, Row } from '../lifecycle';
import { isPlainObject } from '../plain-object';
import { dynamicType, providerText, secretNames } from '../registration';
import { check, type Inputs } from '../rules';
import { secretAttributes } from '../secret-attributes';
import { settle, settledNames, withSettledUnknown } from '../settled';
import type { State } from '../state';

/** One record to take over, under its logical name in the program. */
export interface Taken {
  readonly of: Kind;
  readonly name: string;
  readonly id: string;
  /** The id to read it by, where its own may mean several records (Place). */
  readonly at?: string;
  /** Values no read shows: secrets, and what steers our own work. A map is joined with what is read of it. */
  readonly given?: Inputs;
  /** Whether it is left out when it says no more than it did when it was born. */
  readonly onlyIfDeclared?: boolean;
}

/** One entry of the file, in the engine's words. */
interface ImportEntry {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Inputs;
  readonly outputs: Inputs;
}

/** The file, and what a person has to know of it. */
export interface ImportFile {
  readonly resources: readonly ImportEntry[];
  /** What is required and shown by no read: the engine takes the record without it, and warns. */
  readonly incomplete: readonly Note[];
  /** Secrets there are: whoever declares them has them written by the next run. */
  readonly unseen: readonly Note[];
  /** Records that could not be taken, and why. */
  readonly leftOut: readonly Note[];
}

export interface Note {
  readonly of: Kind;
  readonly id: string;
  readonly says: string;
}

interface Entry extends Taken {
  readonly state: State;
  readonly inputs: Inputs;
}

const SILENT: Row = { progress: () => undefined, notice: () => undefined };

/**
 * Reads every record and composes the file; sends GETs only. Throws LifecycleError for a record that is not there; one that cannot be
 * understood is left out and told.
 */
export async function importFile(taken: readonly Taken[], life: (of: Kind) => Lifecycle): Promise<ImportFile> {
  const entries: Entry[] = [];
  const leftOut: Note[] = [];
  for (const each of taken) {
    const { of, id, at = id } = each;
    try {
      const entry = entryOf(each, await life(of).read(at, undefined, SILENT));
      if (entry !== undefined) entries.push(entry);
    } catch (error) {
      if (!(error instanceof LifecycleError)) throw error;
      leftOut.push({ of, id, says: messageOf(error) });
    }
  }
  const namesakes = namesakesAmong(entries);
  const kept = entries.filter((entry) => !namesakes.includes(entry));
  const declared = kept.map(declaredBy);
  return {
    resources: kept.map((entry, index) =>
      resourceOf(entry, settle(declared[index] as DeclaredEntry, declared, derived)),
    ),
    incomplete: kept.flatMap((entry) => incompleteIn(entry)),
    unseen: kept.flatMap((entry) => unseenOf(entry)),
    leftOut: [...leftOut, ...namesakes.map(besideOf)],
  };
}

/** Records whose id another entry has already, and what lies in them: a stack declares one record of a name. */
function namesakesAmong(entries: readonly Entry[]): readonly Entry[] {
  const keyOf = ({ of, id }: Entry): string => `${of.token} ${id}`;
  const ids = entries.map(keyOf);
  const second = entries.filter((entry, index) => ids.indexOf(keyOf(entry)) !== index);
  const liesIn = ({ at = '' }: Entry): boolean => second.some((other) => at.startsWith(`${other.at ?? other.id}/`));
  return entries.filter((entry) => second.includes(entry) || liesIn(entry));
}

const besideOf = ({ of, id, at = id }: Entry): Note => ({
  of,
  id: at,
  says: `another record of the name ${id} is in the file, and a stack can declare only one of them: import this one into another stack`,
});

function entryOf(taken: Taken, state: State | undefined): Entry | undefined {
  const { of, id, given = {}, onlyIfDeclared } = taken;
  if (state === undefined) throw new LifecycleError(`${of.token} ${id}: there is no such record`);
  const inputs = joined(state.inputs, given);
  if (onlyIfDeclared === true && state.outputs['origin'] === 'pack' && saysNothing(of, inputs)) return undefined;
  return { ...taken, state, inputs };
}

const joined = (read: Inputs, given: Inputs): Inputs => ({
  ...read,
  ...Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const seen = read[name];
      return [name, isPlainObject(value) && isPlainObject(seen) ? { ...seen, ...value } : value];
    }),
  ),
});

/**
 * Whether no program has to declare a record that came with its parent. Of a kind whose verbs know the values that come with it, what is left says
 * what somebody set; of another one nobody set anything, since that is how it was found.
 */
const saysNothing = (of: Kind, inputs: Inputs): boolean =>
  of.verbs.base === undefined ||
  Object.entries(of.fields).every(([name, { required }]) => required || inputs[name] === undefined);

function resourceOf({ of, name, id, state, inputs }: Entry, settled: Inputs): ImportEntry {
  const all = { ...withSecretsMarked(of, inputs), ...settled, __provider: providerText(of.token) };
  return { type: dynamicType(of.token), name, id, inputs: all, outputs: { ...state.outputs, ...all } };
}

/** Marks what the SDK would mark when it registers the resource. */
function withSecretsMarked(of: Kind, inputs: Inputs): Inputs {
  const whole = secretNames(of).filter((name) => inputs[name] !== undefined);
  const { argument = '', names = [] } = secretAttributes(of, inputs) ?? {};
  const values = inputs[argument];
  return {
    ...inputs,
    ...Object.fromEntries(whole.map((name) => [name, markedSecret(inputs[name])])),
    ...(isPlainObject(values) && names.length > 0
      ? { [argument]: { ...values, ...Object.fromEntries(names.map((name) => [name, markedSecret(values[name])])) } }
      : {}),
  };
}

/** What check finds missing: the engine runs it on every entry, and prints what it finds as a warning. */
function incompleteIn({ of, id, inputs }: Entry): readonly Note[] {
  return check(of, { ...withSettledUnknown(of, inputs), ...of.fills })
    .filter(({ severity }) => severity === 'error')
    .map((finding) => ({ of, id, says: sentenceOf(finding) }));
}

const sentenceOf = ({ message, hint }: Diagnostic): string => (hint === undefined ? message : `${message}: ${hint}`);

const unseenOf = ({ of, id, state, given = {} }: Entry): readonly Note[] =>
  (state.unseen ?? [])
    .filter(([name = '', inner]) => {
      const known = given[name];
      return inner === undefined ? known === undefined : !(isPlainObject(known) && inner in known);
    })
    .map((path) => ({ of, id, says: path.join('.') }));

/** The record as a program declares it, for what follows from it. */
interface DeclaredEntry extends DeclaredRecord {
  readonly outputs: Inputs;
}

function declaredBy({ of, id, inputs, state }: Entry): DeclaredEntry {
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
const derived: Derive<DeclaredEntry> = ({ args, outputs }, facts, make) =>
  make(
    Object.fromEntries(
      Object.entries(facts).map(([name, fact]) => {
        if ('output' in fact) return [name, outputs[fact.output]];
        return [name, args['argument' in fact ? fact.argument : fact.entriesOf]];
      }),
    ),
  );
