// What the packaged catalogue finds in a declared resource that must not go on, by what the same run declared before.
// It must not know any single kind.
import type { Diagnostic } from '../../api/contract';
import { parentAddress } from '../address/ids';
import { addressOf, type Kind } from '../kind';
import type { Inputs } from '../check';
import { declaredKey, type Session } from '../session';
import { judge } from './judge';

/**
 * Findings of the packaged catalogue that stop a run. Its warnings are reported where a resource is declared: there they have a place in a file, and
 * secrets are known as such.
 */
export function ruledOut(of: Kind, inputs: Inputs, session: Session): readonly Diagnostic[] {
  if (of.judge === undefined) return [];
  const address = addressOf(of, inputs);
  if (session.kinds.some((kind) => kind.within?.token === of.token && kind.judge !== undefined))
    session.declarations.noteParent(declaredKey(of, address), inputs);
  const outer = parentAddress(of, address);
  const parent = of.within && outer ? session.declarations.parentInputs(declaredKey(of.within, outer)) : undefined;
  return judge(of, inputs, { level: session.catalogue, parent, known: session.known }).filter(
    ({ severity }) => severity === 'error',
  );
}
