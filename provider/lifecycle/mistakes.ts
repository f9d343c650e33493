// Findings that stop a run and that no argument shows by itself: what the packaged catalogue rules out, and a record that is declared twice.
// It must not know any single kind, nor how a face calls its resources.
import { problem, type Diagnostic } from '../../api/contract';
import { ruledOut } from '../catalogue/declared';
import { formatId } from '../address/ids';
import { addressOf, type Kind } from '../kind';
import { isReference } from './refer';
import type { Inputs } from '../check';
import { declaredKey, type Session } from '../session';
import { holdsUnknown } from '../values/unknown';

/** Findings of the packaged catalogue that stop a run, and a record that this run declares twice. */
export const mistakes = (
  of: Kind,
  inputs: Inputs,
  session: Session,
  urn: string | undefined,
): readonly Diagnostic[] => [...ruledOut(of, inputs, session), ...declaredTwice(of, inputs, session, urn)];

/**
 * A finding when another resource of this run declares the record already. Resources are known by `urn`; without one nothing is said. Any number may
 * refer to a record with `existing: true`, and what only acts, a release for instance, is no record.
 */
function declaredTwice(of: Kind, inputs: Inputs, session: Session, urn: string | undefined): readonly Diagnostic[] {
  if (urn === undefined || of.verbs.acts === true || isReference(inputs)) return [];
  const address = addressOf(of, inputs);
  if (Object.values(address).some((part) => part === '' || holdsUnknown(part))) return [];
  const key = declaredKey(of, address);
  const first = session.declarations.claim(key, urn);
  if (first === urn) return [];
  const record = `${of.token} ${formatId(of, '', address).slice(1)}`;
  return [
    problem(
      'declared-twice',
      [],
      `"${logicalName(first)}" and "${logicalName(urn)}" both declare the record ${record}`,
      'leave one of them out, or give one of them another name; to refer to a record that another resource declares, use that resource',
    ),
  ];
}

/** `web` of `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/oneops:Platform::web`. */
const logicalName = (urn: string): string => urn.split('::').slice(3).join('::');
