// check, diff, create, read, update, delete: derived from a kind, written once (architecture §2).
import type { Api } from '../../api/client';
import type { Diagnostic } from '../../api/contract';
import { scopeOfId } from '../address/ids';
import { scopeAt, type Kind } from '../kind';
import type { PropertyPath } from '../values/property-path';
import type { Inputs } from './check';
import type { Session } from '../session';
import type { State } from './state';
import type { Managed, Row } from './managed';
import { changeOf, checkInputs, foreseen, type Checked, type DiffAnswer } from './plan';
import { read } from './read';
import { update } from './update';
import { create, remove } from './write';

export { isNotedAt, marksOf, optionsByState } from './leaving';
export { type Row, SILENT } from './managed';
export { writersOf } from './own-writes';
export type { State } from './state';

/**
 * The lifecycle of a kind over one connection and one run's memory. Failures are typed errors.
 * `isSurvey`: nothing is written, so that undeclared records are read from lists, too.
 */
export function lifecycle(of: Kind, connect: () => Promise<Api>, session: Session, isSurvey = false) {
  const byArguments = (args: Inputs): Managed => ({ of: scopeAt(of, args) ?? of, connect, session, isSurvey });
  const byId = (id: string): Managed => ({ of: scopeOfId(of, id) ?? of, connect, session, isSurvey });
  return {
    /**
     * Findings, and the inputs with what is filled in; no request. `isKnown`: the engine passed old
     * inputs; otherwise a known record is being replaced.
     */
    check: (news: Inputs, isKnown = true, urn?: string): Checked =>
      checkInputs(byArguments(news), news, { isKnown, urn }),

    /** Further findings of the service, if it can be asked. Unchanged resources send nothing. */
    foresee: (olds: Inputs, news: Inputs, row: Row): Promise<readonly Diagnostic[]> =>
      foreseen(byArguments(news), olds, news, row),

    /** `isRetained`: the engine leaves a replaced record in the service. */
    diff: (id: string, olds: Inputs, news: Inputs, isRetained = false): Promise<DiffAnswer> =>
      changeOf(byId(id), id, { olds, news, isRetained }),

    create: (inputs: Inputs, row: Row): Promise<State> => create(byArguments(inputs), inputs, row),

    /** Undefined when deleted. Without `known`, the outputs of the last run, it is an import. */
    read: (id: string, known: Inputs | undefined, row: Row, declared?: Inputs): Promise<State | undefined> =>
      read(byId(id), { id, known, declared }, row),

    /** `ignored`: paths that are neither compared with what is there nor written. */
    update: (id: string, olds: Inputs, news: Inputs, row: Row, ignored: readonly PropertyPath[] = []): Promise<State> =>
      update(byId(id), { id, olds, news, ignored }, row),

    /** A record that is declared as new under the same `urn` is replaced, and not renamed. */
    delete: (id: string, known: Inputs, row: Row, urn?: string): Promise<void> =>
      remove(byId(id), { id, known, urn }, row),
  };
}

export type Lifecycle = ReturnType<typeof lifecycle>;
