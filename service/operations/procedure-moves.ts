// The state machine of procedures: which move a client may ask for (service-facts §3.7).
// It must not know the store or time.

export const PROCEDURE_STATES = ['pending', 'active', 'complete', 'failed', 'canceled'] as const;
export type ProcedureState = (typeof PROCEDURE_STATES)[number];

const MOVES: { readonly [from in ProcedureState]: readonly ProcedureState[] } = {
  pending: ['active', 'canceled'],
  active: ['canceled'],
  failed: ['active', 'canceled'],
  complete: [],
  canceled: [],
};

/** Whether a procedure in state `from` may be asked to become `to`. */
export function mayMove(from: string, to: string): to is 'active' | 'canceled' {
  const known = PROCEDURE_STATES.find((state) => state === from);
  return known !== undefined && MOVES[known].some((state) => state === to);
}

/** Whether a procedure in this state has ended for good. */
export function isOver(state: string): boolean {
  const known = PROCEDURE_STATES.find((each) => each === state);
  return known !== undefined && MOVES[known].length === 0;
}
