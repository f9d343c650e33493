// Arguments that are work of one run, such as the records that left the file: the engine hands them to check, and no state has them.
import { addressOf, type Kind } from '../kind';
import { isPlainObject } from '../values/plain';
import type { Inputs } from '../check';
import { declaredKey, type Session } from '../session';

const names = ({ fields }: Kind): readonly string[] => Object.keys(fields).filter((name) => fields[name]?.pending);

/** The arguments among these that are work of this run. */
export const pendingIn = (of: Kind, inputs: Inputs): Inputs =>
  Object.fromEntries(names(of).flatMap((name) => (name in inputs ? [[name, inputs[name]]] : [])));

/** The others. */
export const withoutPending = (of: Kind, inputs: Inputs): Inputs => {
  const pending = names(of);
  return pending.length === 0
    ? inputs
    : Object.fromEntries(Object.entries(inputs).filter(([name]) => !pending.includes(name)));
};

/** Whether this run has such work for a record. */
export const isPending = (of: Kind, session: Session, inputs: Inputs): boolean =>
  names(of).length > 0 &&
  Object.values(session.declarations.pendingOf(declaredKey(of, addressOf(of, inputs)))).some(
    (value) => value !== undefined && !(isPlainObject(value) && Object.keys(value).length === 0),
  );
