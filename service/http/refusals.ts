// The one place that turns a no into an answer (service-facts §5, §7).
// It must not know routes, or why anything was refused.
import { voices, type Dialect } from '../../api/contract';
import { Refusal } from '../handler';
import { StorageFailure, StorageFull } from '../store';
import { jsonAnswer, type Answered } from './answered';

/** Most messages of an answer, and most characters of each: a body with a thousand mistakes needs no thousand answers. */
const MOST_MESSAGES = 100;
const LONGEST_MESSAGE = 2000;

function bounded(messages: readonly string[]): readonly string[] {
  const kept = messages
    .slice(0, MOST_MESSAGES)
    .map((each) => (each.length <= LONGEST_MESSAGE ? each : `${each.slice(0, LONGEST_MESSAGE)} ...`));
  const more = messages.length - kept.length;
  return more === 0 ? kept : [...kept, `and ${more} more`];
}

/** `{"errors": [...]}`; a 500 has the live service's own form (service-facts §7.1). */
export function refusalAnswer(refusal: Refusal, method: string, dialect: Dialect): Answered {
  const { reason } = refusal;
  const messages = bounded(refusal.messages);
  const { statuses } = voices[dialect];
  const table = method === 'GET' ? statuses.reads : statuses.writes;
  const status = (reason === undefined ? undefined : table[reason]) ?? refusal.status;
  if (status === 500) return jsonAnswer(500, { code: 500, exception: messages.join('; ') });
  return jsonAnswer(status, { errors: messages });
}

/** 401 of a missing or bad token: key `error`, a string (service-facts §5.1). */
export function unauthenticated(message: string): Answered {
  return { ...jsonAnswer(401, { error: message }), headers: { 'www-authenticate': 'Basic realm="oneops"' } };
}

/** 403 in both dialects: of a request that a web page may not send, whoever sent it. */
export function forbidden(message: string): Answered {
  return jsonAnswer(403, { errors: [message] });
}

/**
 * The answer to a request that failed and was not refused. A full disk answers 507 and a damaged database 500, each with what to do. Everything
 * else is a mistake of the service itself: what went wrong goes to the service's owner, not over the wire.
 */
export function failureAnswer(error: unknown, method: string, dialect: Dialect): Answered {
  if (!(error instanceof StorageFailure)) return mistake();
  return refusalAnswer(new Refusal(error instanceof StorageFull ? 507 : 500, [error.message]), method, dialect);
}

/** 500 of a mistake in the service itself. */
function mistake(): Answered {
  return jsonAnswer(500, { code: 500, exception: 'the service failed on this request; its journal names it' });
}
