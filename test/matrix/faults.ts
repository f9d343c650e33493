// The fault matrix as data: what goes wrong on the way, and what a call of each kind makes of it.
import type { WireResponse } from '../../api/contract';
import type { Step } from './relay';

/** The kinds of calls: verbs on assemblies, and the commit of a design release. */
export const CALLS = ['list', 'read', 'create', 'update', 'delete', 'action'] as const;
export type CallKind = (typeof CALLS)[number];

/**
 * What a call comes to: the error's class or `ok`, the number of attempts, and what the service
 * contains afterwards: `+` the change, `-` none. Reads change nothing, so they have no mark.
 */
type Cell = `${string} ${number}` | `${string} ${number} ${'+' | '-'}`;

export interface Fault {
  readonly name: string;
  /** What happens to the nth request of a call; undefined: nobody listens. */
  readonly step: ((nth: number) => Step) | undefined;
  /** One cell for each kind of call, in the order of CALLS. */
  readonly cells: readonly [Cell, Cell, Cell, Cell, Cell, Cell];
}

const always = (step: Step) => (): Step => step;
const once =
  (step: Step) =>
  (nth: number): Step =>
    nth === 1 ? step : { kind: 'pass' };

/** An answer of the service itself, without the request being carried out. */
const refusal = (
  status: number,
  body: object = { errors: ['no'] },
  headers: { readonly [name: string]: string } = {},
): Step => ({
  kind: 'answer',
  status,
  headers,
  body: JSON.stringify(body),
});

/** A page of something before the service. */
const page = (status: number, title: string): Step => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
});

const redirect = (location: string): Step => ({ kind: 'answer', status: 302, headers: { location }, body: '' });

const changed = (change: (response: WireResponse) => WireResponse): Step => ({ kind: 'change', change });

/** The six cells of trouble that stays: creates and actions are sent once, all others so often. */
const lasting = (outcome: string, held: '+' | '-', attempts = 4): Fault['cells'] => [
  `${outcome} ${attempts}`,
  `${outcome} ${attempts}`,
  `${outcome} 1 ${held}`,
  `${outcome} ${attempts} ${held}`,
  `${outcome} ${attempts} ${held}`,
  `${outcome} 1 ${held}`,
];

/** The six cells of an answer that is final, whatever the call. */
const final = (outcome: string, held: '+' | '-'): Fault['cells'] => lasting(outcome, held, 1);

/** The six cells of trouble that passes: only creates and actions are not sent again. */
const passing = (outcome: string): Fault['cells'] => [
  'ok 2',
  'ok 2',
  `${outcome} 1 -`,
  'ok 2 +',
  'ok 2 +',
  `${outcome} 1 -`,
];

/** Where a redirect leads: another host, never to be asked. The test puts its address in. */
export const ELSEWHERE = 'http://elsewhere.invalid';

/** Twenty-five faults. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'refused connection',
    step: undefined,
    cells: [
      'ConnectionFailed 4',
      'ConnectionFailed 4',
      'ConnectionFailed 4 -',
      'ConnectionFailed 4 -',
      'ConnectionFailed 4 -',
      'ConnectionFailed 4 -',
    ],
  },
  {
    name: 'reset before it is carried out, once',
    step: once({ kind: 'reset', applied: false }),
    cells: passing('ConnectionFailed'),
  },
  {
    name: 'reset after it is carried out, once',
    step: once({ kind: 'reset', applied: true }),
    // The create is found by reading; the repeated delete finds nothing, which callers take for
    // done.
    cells: ['ok 2', 'ok 2', 'ok 1 +', 'ok 2 +', 'NotFound 2 +', 'ConnectionFailed 1 +'],
  },
  {
    name: 'time-out before it is carried out',
    step: always({ kind: 'silence', applied: false }),
    cells: lasting('TimedOut', '-'),
  },
  {
    name: 'time-out after it is carried out',
    step: always({ kind: 'silence', applied: true }),
    cells: lasting('TimedOut', '+'),
  },
  { name: '400', step: always(refusal(400)), cells: final('BadRequest', '-') },
  { name: '401, the token', step: always(refusal(401, { error: 'sign in' })), cells: final('Unauthenticated', '-') },
  { name: '401, the right', step: always(refusal(401)), cells: final('Forbidden', '-') },
  { name: '403', step: always(refusal(403)), cells: final('Forbidden', '-') },
  { name: '404', step: always(refusal(404)), cells: final('NotFound', '-') },
  { name: '409', step: always(refusal(409)), cells: final('Conflict', '-') },
  { name: '422', step: always(refusal(422)), cells: final('Unprocessable', '-') },
  {
    name: '429 with Retry-After, once',
    step: once(refusal(429, { errors: ['later'] }, { 'retry-after': '2' })),
    // Nothing was done, and the service says when to come again. An action is never sent twice.
    cells: ['ok 2', 'ok 2', 'ok 2 +', 'ok 2 +', 'ok 2 +', 'RateLimited 1 -'],
  },
  {
    name: '429 without Retry-After',
    step: always(refusal(429)),
    cells: [
      'RateLimited 4',
      'RateLimited 4',
      'RateLimited 4 -',
      'RateLimited 4 -',
      'RateLimited 4 -',
      'RateLimited 1 -',
    ],
  },
  { name: '500', step: always(refusal(500, { code: 500, exception: 'nil' })), cells: lasting('ServerError', '-') },
  { name: '502 with a page', step: always(page(502, 'Bad Gateway')), cells: lasting('ServerError', '-') },
  { name: '503, once', step: once(refusal(503)), cells: passing('ServerError') },
  { name: '503', step: always(refusal(503)), cells: lasting('ServerError', '-') },
  { name: '200 with a page', step: always(page(200, 'Welcome')), cells: final('ContractError', '-') },
  {
    name: 'redirect to the sign-in page',
    step: always(redirect('/users/sign_in')),
    cells: final('Unauthenticated', '-'),
  },
  { name: 'redirect elsewhere', step: always(redirect(ELSEWHERE)), cells: final('ContractError', '-') },
  {
    name: 'truncated JSON',
    step: always(changed((response) => ({ ...response, body: response.body.slice(0, -1) }))),
    cells: final('ContractError', '+'),
  },
  {
    name: 'another shape',
    step: always(changed((response) => ({ ...response, body: '{"unexpected":true}' }))),
    cells: final('ContractError', '+'),
  },
  {
    name: 'empty body',
    step: always(changed((response) => ({ ...response, body: '' }))),
    // A delete is answered by the record or by nothing (service-facts §13 row 1).
    cells: [
      'ContractError 1',
      'ContractError 1',
      'ContractError 1 +',
      'ContractError 1 +',
      'ok 1 +',
      'ContractError 1 +',
    ],
  },
  { name: 'an answer that drips', step: always({ kind: 'drip' }), cells: lasting('TimedOut', '+') },
];

/** Bytes an answer may have in the matrix. */
export const ANSWER_LIMIT = 1_000_000;

/** Faults of size, beyond the twenty-five. */
export const FURTHER_FAULTS: readonly Fault[] = [
  { name: '413', step: always(refusal(413)), cells: final('BadRequest', '-') },
  {
    name: 'an answer that is too long',
    step: always(changed((response) => ({ ...response, body: response.body + ' '.repeat(ANSWER_LIMIT) }))),
    cells: final('TooLarge', '+'),
  },
];
