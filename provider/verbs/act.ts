// The `act` verbs: done once per wish and waited for: a commit, a deployment, a procedure.
import { routes } from '../../api/contract';
import { readOrGone } from './presence';
import type { Live } from '../address/live';
import type { Verbs, Work } from '../kind';

interface ActedOn {
  readonly ciId: number;
  readonly comments?: string | null | undefined;
}

/** A part that is left out is a decision too. */
interface Action extends Pick<Verbs, 'plan' | 'unchanged'> {
  /** Does it, and returns what came of it. Throws Incomplete for what was begun and is not done. */
  run(work: Work): Promise<Live>;
  /** Does it for changed arguments, or takes up what is not done. Default: `run`. */
  again?(work: Work): Promise<Live>;
  /** Takes back what can be taken back. Default: what was done is not undone. */
  undo?(work: Work): Promise<void>;
  /** The record in which it is done. Default: the environment. */
  place?(work: Work): Promise<ActedOn | undefined>;
  /** What is known of it now: of the last run's outputs, and of what the service says. */
  observe(work: Work, place: ActedOn): Live | Promise<Live>;
}

/** Verbs of an action, deleted only with its record: a missing action would be done again. */
export function act(action: Action): Verbs {
  return {
    acts: true,
    isAction: true,
    create: (work) => action.run(work),
    update: (work) => (action.again ? action.again(work) : action.run(work)),
    delete: (work) => (action.undo ? action.undo(work) : Promise.resolve()),
    async read(work) {
      const place = await (action.place ? action.place(work) : environmentOf(work));
      return place && action.observe(work, place);
    },
    ...(action.plan && { plan: action.plan.bind(action) }),
    ...(action.unchanged && { unchanged: action.unchanged.bind(action) }),
  };
}

const environmentOf = (work: Work): Promise<ActedOn | undefined> =>
  readOrGone(work.api, work.at, () => work.api.call(routes.environments.read, { address: work.at }));

/** What came of an action: without attributes, and always the stack's own. */
export function resultOf(
  className: 'deployment' | 'procedure' | 'release' | 'replacement',
  { ciId = 0, updated = 0, updatedBy = '', ...rest }: Pick<Live, 'stamp' | 'outputs' | 'fills'> & Partial<Live>,
): Live {
  return { ciId, className, wire: {}, origin: 'created', updated, updatedBy, ...rest };
}
