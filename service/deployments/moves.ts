// The state machine of deployments: which move a client may ask for, and what it sets off (service-facts §3.4).
// It must not know the store, routes or time.

/** What moves a deployment: the states it is stored in; `pausing` is only shown. */
export const STORED_STATES = ['pending', 'active', 'paused', 'failed', 'canceled', 'complete'] as const;
export type StoredState = (typeof STORED_STATES)[number];

/** What a client's move does besides the new state. */
export type Effect =
  /** Nothing runs yet: the first step starts. */
  | 'start'
  /** Work orders that run finish; no further step starts. */
  | 'pause'
  /** The next step starts, unless orders of the present one still run. */
  | 'resume'
  /** Failed orders are pending again, then as `resume`. */
  | 'retry'
  /** Pending orders and the bom release are canceled. */
  | 'cancel';

export type Move =
  | { readonly ok: true; readonly to: StoredState; readonly effect: Effect }
  /** `code` is the back end's number (service-facts §7.4), which the refusal's message ends in. */
  | { readonly ok: false; readonly code: number; readonly reason: string };

const MOVES: { readonly [from in StoredState]: { readonly [to: string]: Effect } } = {
  pending: { active: 'start', canceled: 'cancel' },
  active: { paused: 'pause' },
  paused: { active: 'resume', canceled: 'cancel' },
  failed: { active: 'retry', canceled: 'cancel' },
  canceled: {},
  complete: {},
};

/** Back-end number by the state asked for. */
const CODES: { readonly [to: string]: number } = { active: 2014, canceled: 2015, paused: 2016 };
const OTHER_CODE = 2017;

/** Whether text is a state a deployment may be stored in. */
export function isStoredState(text: string): text is StoredState {
  return (STORED_STATES as readonly string[]).includes(text);
}

/** What asking for a state does to a deployment. `working`: some of its work orders are in progress. */
export function moveOf(from: StoredState, asked: string, working: boolean): Move {
  const effect = Object.hasOwn(MOVES[from], asked) ? MOVES[from][asked] : undefined;
  const code = Object.hasOwn(CODES, asked) ? CODES[asked] : undefined;
  const no = (reason: string): Move => ({ ok: false, code: code ?? OTHER_CODE, reason });
  if (effect === undefined || !isStoredState(asked))
    return no(`a deployment that is ${shownState(from, working)} cannot become ${asked}`);
  if (effect === 'cancel' && working) return no(`a deployment cannot be canceled while work orders are in progress`);
  return { ok: true, to: asked, effect };
}

/** The state as reads of one deployment show it: paused is `pausing` while work orders are in progress. */
export function shownState(state: string, working: boolean): string {
  return state === 'paused' && working ? 'pausing' : state;
}
