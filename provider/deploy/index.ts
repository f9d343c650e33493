// The door of deployments, for previews: the losses that a run would be refused for. Sends GETs only.
import type { Api } from '../../api/client';
import { parseId, pathAddress, scopeOfId } from '../address/ids';
import type { Inputs } from '../lifecycle/check';
import { SILENT } from '../lifecycle/managed';
import { designChangesSince } from '../history/committed';
import type { Kind, Work } from '../kind';
import { declaredKey, isDeclared, memoryOfStage, newSession, subjectKey } from '../session';
import { lostFromDesign } from './losses/design-losses';
import { type Loss, withoutAccepted } from './losses/loss';
import { lostSince } from './plan-without-storing';

export { effectText, lossLine, type Loss } from './losses/loss';

/** A record as a run has it: the arguments of the file, and the outputs of the last run. */
export interface ForeseenRecord {
  readonly kind: Kind;
  readonly id: string;
  readonly inputs: Inputs;
  /** Absent for a record that the run makes. */
  readonly outputs?: Inputs | undefined;
}

/**
 * The losses for which a run that deploys an environment is refused: what others took away there
 * and, where it `pulls`, from the design. `records`: all that the run declares.
 */
export async function foreseenLosses(
  api: Api,
  records: readonly ForeseenRecord[],
  { environment, pulls }: { readonly environment: string; readonly pulls: boolean },
): Promise<readonly Loss[]> {
  const session = newSession([...new Set(records.map(({ kind }) => kind))]);
  for (const { kind, id, inputs, outputs } of records) {
    const of = scopeOfId(kind, id) ?? kind;
    const { address = {} } = parseId(of, id) ?? {};
    const key = declaredKey(of, address);
    const isNew = outputs === undefined;
    session.memory.note(key, { of, address, inputs, isNew, isChanged: isNew, ...(outputs && { known: outputs }) });
  }
  const deployment = session.memory.of(subjectKey({ token: 'Deployment' }, environment));
  if (!isDeclared(deployment)) return [];
  const { of, address, inputs: args, known } = deployment;
  const at = pathAddress(of, api.organization, address);
  const work: Work = { api, session, address, at, id: environment, args, wire: {}, ...(known && { known }), ...SILENT };
  const pulled = pulls ? Number(memoryOfStage(work, 'environment').known?.['pulled'] ?? 0) : 0;
  const design = pulled > 0 ? await lostFromDesign(work, pulled, await designChangesSince(work, pulled)) : [];
  return withoutAccepted<Loss>(work, [...design, ...(await lostSince(work)).lost]);
}
