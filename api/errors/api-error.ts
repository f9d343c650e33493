// Errors by status: one class for each way the service says no (service-facts §7).
import { OneOpsError } from './errors';
import { optionWords, type SettingWords } from './setting-words';

/**
 * Facts of a refusal, given to the constructor of `ApiError`. `messages` are the service's own words.
 *
 * @public
 */
export interface Refusal {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly messages: readonly string[];
  /** Seconds the service asks to wait. */
  readonly retryAfter?: number;
}

/** The service said no. */
export class ApiError extends OneOpsError {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly messages: readonly string[];
  readonly retryAfter: number | undefined;

  constructor(refusal: Refusal, hint?: string) {
    const said = refusal.messages.length === 0 ? '' : `: ${refusal.messages.join('; ')}`;
    super(`the service answered ${refusal.status}${said} (${refusal.method} ${refusal.path})`, hint);
    this.method = refusal.method;
    this.path = refusal.path;
    this.status = refusal.status;
    this.messages = refusal.messages;
    this.retryAfter = refusal.retryAfter;
  }
}

/** 400, and any other 4xx without its own class: the request is malformed, or too large (413). */
export class BadRequest extends ApiError {}
/** 401: no token, or one the service does not know. */
export class Unauthenticated extends ApiError {}
/** 403, or the live service's 401 with `errors`: the user may not do this. */
export class Forbidden extends ApiError {}
/** 404. */
export class NotFound extends ApiError {}
/** 409. */
export class Conflict extends ApiError {}
/** 422: understood and not possible. */
export class Unprocessable extends ApiError {}
/** 429: too many requests. */
export class RateLimited extends ApiError {
  override readonly retryable = true;
}
/** 5xx: the service, or something in front of it, is in trouble. */
export class ServerError extends ApiError {
  override readonly retryable = true;
}

const HINTS = {
  right:
    'the token is known, but its user lacks the right: ask an administrator of the organization to give it through a team',
  absent: "check the names in the path, and that the token's user may see them",
  conflict: 'something else changed it at the same time: try again',
  size: 'the request is larger than the service, or something before it, takes',
  values: 'correct what the service names, and try again',
  limit: 'the service limits the number of requests: try again later',
  trouble: 'the service is in trouble: try again later, or ask its operators',
} as const;

/**
 * The error for an answer. `whenAbsent`: the hint of a 404, when more is known than that something is missing. The live service says 401 for a missing right too; its bodies differ: `error` for the token, `errors` for rights
 * (service-facts §5.3).
 */
export function apiError(
  refusal: Refusal,
  body: { readonly error?: unknown; readonly errors?: unknown },
  words: SettingWords = optionWords,
  whenAbsent: string = HINTS.absent,
): ApiError {
  const { status, retryAfter } = refusal;
  if (status === 401)
    return body.errors === undefined
      ? new Unauthenticated(refusal, `give the token of a user of the service: ${words.giveToken}`)
      : new Forbidden(refusal, HINTS.right);
  if (status === 403) return new Forbidden(refusal, HINTS.right);
  if (status === 404) return new NotFound(refusal, whenAbsent);
  if (status === 409) return new Conflict(refusal, HINTS.conflict);
  if (status === 413) return new BadRequest(refusal, HINTS.size);
  if (status === 422) return new Unprocessable(refusal, HINTS.values);
  if (status === 429)
    return new RateLimited(
      refusal,
      retryAfter === undefined ? HINTS.limit : `the service asks to wait ${retryAfter} s: try again then`,
    );
  if (status >= 500) return new ServerError(refusal, HINTS.trouble);
  const hint = `the service cannot read this request: check ${words.named('url')} and ${words.named('dialect')}`;
  return new BadRequest(refusal, hint);
}
