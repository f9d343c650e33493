// The records under review: what the file and the state say of each, joined by id.
// It must not know what stands on the service.
import { isPlainObject, type Inputs, type Kind } from '../../provider';
import type { Applied, Code, Declared, StackState } from './sourced';

/** One record, and what each source says of it. At least one of them does. */
export interface Subject {
  readonly kind: Kind;
  readonly id: string;
  readonly code?: Declared;
  readonly applied?: Applied;
}

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
 * What a read is told of a record: everything that is declared or applied, so that it answers all of it, and what the last run computed.
 * Without a revision, which is then answered as the service has it.
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
  // A record that no run of ours wrote is known all the same: its origin is then nobody's to look up.
  return { ...inputs, ...(applied ? {} : { origin: 'own' }), ...computed };
}
