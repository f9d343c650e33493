// The records under review: what the file (code) and the Pulumi state (applied) say of each, joined by id.
import { coversPath, isPlainObject, type Inputs, type Kind, type PropertyPath } from '../../provider';
import type { Range } from '../../stack';
import type { ArgumentPath } from './secret-values';
import type { FilePlace } from './review';

/** What a source says of one resource. Values that are known only in a run hold the provider's sentinel for unknowns. */
export interface SourceRecord {
  /** In the scope the resource is in. */
  readonly kind: Kind;
  readonly id: string;
  readonly logicalName: string;
  readonly inputs: Inputs;
  /** Places in `inputs` that are secret because the source says so. */
  readonly hidden: readonly ArgumentPath[];
  readonly at?: FilePlace;
}

/** A resource of the file. */
export interface CodeRecord extends SourceRecord {
  /** Places of arguments in the file, by path joined with dots. */
  readonly places: ReadonlyMap<string, FilePlace>;
  /** Paths whose changes the program lets the engine ignore. */
  readonly ignored: readonly PropertyPath[];
}

/** A resource of the state. */
export interface AppliedRecord extends SourceRecord {
  readonly urn: string;
  /** Outputs of the last run that are no arguments: `revision`, `ciId`, … */
  readonly computed: Inputs;
  /** URNs of the resources whose outputs each argument is made of, where the engine says so. */
  readonly madeOf: Inputs;
}

/** What Pulumi keeps of a stack. */
export interface StackState {
  /** Name of the stack. */
  readonly stack?: string;
  /** Name of its project. */
  readonly project?: string;
  readonly records: readonly AppliedRecord[];
  /** One sentence each, for the review's notes. */
  readonly notes: readonly string[];
}

/** What a stack file declares. */
export interface Code {
  readonly records: readonly CodeRecord[];
}

/** Where a range of a file begins. */
export const startOf = ({ file, start }: Range): FilePlace => ({ file, line: start.line, column: start.column });

/** The id of a record below its organization, as drift.yaml and policies name it. */
export const recordPath = ({ address }: { readonly address: string }): string =>
  address.slice(address.indexOf('/') + 1);

/** One record, and what each source says of it. At least one of them says something. */
export interface Subject {
  readonly kind: Kind;
  readonly id: string;
  readonly code?: CodeRecord;
  readonly applied?: AppliedRecord;
}

/** Whether a program refers to the record, which is another stack's. */
export const isReferred = ({ code, applied }: Subject): boolean =>
  (code?.inputs['existing'] ?? applied?.inputs['existing']) === true;

/** Whether this stack created the record, or has it to itself: what others add to it is theirs to explain. */
export const createdByUs = ({ applied }: Subject): boolean =>
  ['own', 'created'].includes(String(applied?.computed['origin']));

/** Whether the program tells the engine to ignore changes at this path, or above it. */
export const isIgnored = ({ code }: Subject, path: readonly string[]): boolean =>
  code?.ignored.some((each) => coversPath(each, path)) ?? false;

/** Paths below the attribute at `path` that the program tells the engine to ignore, seen from the attribute. */
export const ignoredBelow = ({ code }: Subject, path: readonly string[]): readonly PropertyPath[] =>
  (code?.ignored ?? [])
    .filter((each) => each.length > path.length && coversPath(each.slice(0, path.length), path))
    .map((each) => each.slice(path.length));

/** Every record of the file and of the state, once; those of the state first, parents before their children as the sources have them. */
export function subjectsOf(code: Code | undefined, state: StackState | undefined): readonly Subject[] {
  const keyOf = ({ kind, id }: { readonly kind: Kind; readonly id: string }): string => `${kind.token} ${id}`;
  const declared = new Map((code?.records ?? []).map((each) => [keyOf(each), each]));
  const applied = new Map((state?.records ?? []).map((each) => [keyOf(each), each]));
  const keys = new Set([...applied.keys(), ...declared.keys()]);
  return [...keys].flatMap((key) => {
    const own = declared.get(key);
    const kept = applied.get(key);
    const either = kept ?? own;
    if (either === undefined) return [];
    const { kind, id } = either;
    return { kind, id, ...(own ? { code: own } : {}), ...(kept ? { applied: kept } : {}) };
  });
}

/**
 * What a read starts from: everything that is declared or applied, so that it answers all of it, and what the last run computed. Without a revision,
 * which is then answered as the service has it.
 */
export function knownOf({ kind, code, applied }: Subject): Inputs {
  const inputs: { [name: string]: unknown } = { ...applied?.inputs };
  for (const [name, value] of Object.entries(code?.inputs ?? {})) {
    const before = inputs[name];
    if (before === undefined || before === null) inputs[name] = value;
    else if (kind.fields[name]?.shape.type === 'open' && isPlainObject(before) && isPlainObject(value))
      inputs[name] = { ...value, ...before };
  }
  const { revision: _, ...computed } = { ...applied?.computed };
  // Of a record that no run of ours wrote, the read must not look up the origin.
  return { ...inputs, ...(applied ? {} : { origin: 'created' }), ...computed };
}
