// The one place that turns a no into an answer, and the statuses in which the dialects differ (wire-facts §5, §7).
// It must not know routes, or why anything was refused.
import type { Dialect } from '../../api/contract';
import type { Reason, Refusal } from '../handler';
import { jsonAnswer, type Answered } from './answered';

/** Statuses a dialect gives in cases outside the 25 rows: facts of the live service, as data. */
interface Statuses {
  /** GET of a reason's case; without an entry, the refusal's own status. */
  readonly reads: { readonly [R in Reason]?: number };
  /** The same for every other method. */
  readonly writes: { readonly [R in Reason]?: number };
  /** An organization in the path that is not there: a redirect the client has to follow to its 404, or the 404 itself (wire-facts §5.2). */
  readonly unknownOrganization: 302 | 404;
}

export const STATUSES: { readonly [D in Dialect]: Statuses } = {
  documented: { reads: {}, writes: {}, unknownOrganization: 404 },
  classic: {
    reads: { malformed: 500, foreign: 500, 'unknown-number': 500, 'nothing-open': 500 },
    writes: { malformed: 500, foreign: 422, 'unknown-number': 500, 'nothing-open': 500 },
    unknownOrganization: 302,
  },
};

/** `{"errors": [...]}`; a 500 has the live service's own form (wire-facts §7.1). */
export function refusalAnswer(refusal: Refusal, method: string, dialect: Dialect): Answered {
  const { reason } = refusal;
  const table = method === 'GET' ? STATUSES[dialect].reads : STATUSES[dialect].writes;
  const status = (reason === undefined ? undefined : table[reason]) ?? refusal.status;
  if (status === 500) return jsonAnswer(500, { code: 500, exception: refusal.messages.join('; ') });
  return jsonAnswer(status, { errors: refusal.messages });
}

/** 401 of a missing or bad token: key `error`, a string (wire-facts §5.1). */
export function unauthenticated(message: string): Answered {
  return { ...jsonAnswer(401, { error: message }), headers: { 'www-authenticate': 'Basic realm="oneops"' } };
}

/** 500 of a mistake in the service itself; what went wrong goes to the service's owner, not over the wire. */
export function mistake(): Answered {
  return jsonAnswer(500, { code: 500, exception: 'the service failed on this request; its journal names it' });
}
