// Every move of every state a procedure may be asked for, against the table of service-facts §3.7.
import { mayMove, PROCEDURE_STATES } from './procedures';

const ASKED = [...PROCEDURE_STATES, 'discarded', 'inprogress', '', '__proto__', 'constructor'];
const ALLOWED = [
  'pending -> active',
  'pending -> canceled',
  'active -> canceled',
  'failed -> active',
  'failed -> canceled',
];

test.each(PROCEDURE_STATES.flatMap((from) => ASKED.map((to): [string, string] => [from, to])))(
  'a procedure that is %s, asked to become "%s"',
  (from, to) => {
    expect(mayMove(from, to)).toBe(ALLOWED.includes(`${from} -> ${to}`));
  },
);

test('what no procedure is stored as moves nowhere', () => {
  for (const from of ['discarded', '', '__proto__']) for (const to of ASKED) expect(mayMove(from, to)).toBe(false);
});
