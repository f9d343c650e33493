// Every move of every state, against the table of service-facts §3.4.
import { RefusedRequest } from '../runtime/handler';
import { moveOf, shownState } from './run';

/** The states a deployment is stored in; `pausing` is only shown. */
const STORED_STATES = ['pending', 'active', 'paused', 'failed', 'canceled', 'complete'];

const ASKED = [...STORED_STATES, 'pausing', 'nonsense', '', '__proto__', 'constructor'];

/** `from -> to`: what may be asked; with `*`, only while no work order is in progress. */
const ALLOWED = [
  'pending -> active',
  'pending -> canceled*',
  'active -> paused',
  'paused -> active',
  'paused -> canceled*',
  'failed -> active',
  'failed -> canceled*',
];

describe('a deployment', () => {
  test.each(
    STORED_STATES.flatMap((from) =>
      ASKED.flatMap((to) => [false, true].map((working): [string, string, boolean] => [from, to, working])),
    ),
  )('that is %s, asked to become "%s", work orders in progress %s', (from, to, working) => {
    const line = `${from} -> ${to}`;
    const expected = ALLOWED.includes(line) || (!working && ALLOWED.includes(`${line}*`));
    const move = (): unknown => moveOf(from, to, working);
    if (expected) expect(move).not.toThrow();
    else expect(move).toThrow(RefusedRequest);
    if (!expected) expect(move).toThrow(/\(20(14|15|16|17)\)$/);
  });

  test('shows pausing only while paused and working', () => {
    expect(STORED_STATES.map((state) => shownState(state, false))).toEqual(STORED_STATES);
    expect(STORED_STATES.filter((state) => shownState(state, true) !== state)).toEqual(['paused']);
    expect(shownState('paused', true)).toBe('pausing');
  });
});
