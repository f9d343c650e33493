// The `act` verbs, for a commit, a deployment, a procedure: done once each, and waited for.
import { environmentOf } from './presence';
import type { Live } from '../address/live';
import type { Verbs, Work } from '../kind';

interface ActedOn {
  readonly ciId: number;
  readonly comments?: string | null | undefined;
}

/** A part that is left out is a decision too. */
interface Action extends Pick<Verbs, 'plan' | 'foresee' | 'unchanged' | 'guarded' | 'guard'> {
  /** Does it, and returns what came of it. Throws Incomplete for what was begun and is not done. */
  readonly run: (work: Work) => Promise<Live>;
  /** Does it for changed arguments, or takes up what is not done. Default: `run`. */
  readonly again?: (work: Work) => Promise<Live>;
  /** Takes back what can be taken back. Default: what was done is not undone. */
  readonly undo?: (work: Work) => Promise<void>;
  /** The record in which it is done. Default: the environment. */
  readonly place?: (work: Work) => Promise<ActedOn | undefined>;
  /** What is known of it now: of the last run's outputs, and of what the service says. */
  readonly observe: (work: Work, place: ActedOn) => Live | Promise<Live>;
}

/** Verbs of an action, deleted only with its record: a missing action would be done again. */
export const act = ({
  run,
  again = run,
  undo = () => Promise.resolve(),
  place = environmentOf,
  observe,
  ...others
}: Action): Verbs => ({
  acts: true,
  isAction: true,
  create: run,
  update: again,
  delete: undo,
  async read(work) {
    const actedOn = await place(work);
    return actedOn && observe(work, actedOn);
  },
  ...others,
});

/** The result of an action: without attributes, and always the stack's own. */
export function resultOf(
  className: 'deployment' | 'procedure' | 'release' | 'replacement',
  { ciId = 0, updated = 0, updatedBy = '', ...rest }: Pick<Live, 'stamp' | 'outputs' | 'fills'> & Partial<Live>,
): Live {
  return { ciId, className, wire: {}, origin: 'created', updated, updatedBy, ...rest };
}
