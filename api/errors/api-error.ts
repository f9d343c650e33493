// Errors by status: one class for each way the service says no (wire-facts §7).
// It must not know the transport, kinds, or who shows an error.
import { OneOpsError } from './errors';

/** Facts of a refusal. `messages` are the service's own words. */
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

/** 400: the request is malformed. */
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

const TOKEN_HINT =
  'give the token of a user of the service: pulumi config set --secret oneops:token <token>, or ONEOPS_TOKEN';
const RIGHT_HINT =
  'the token is known, but its user lacks the right: ask an administrator of the organization to give it through a team';

/**
 * The error for an answer. The live service says 401 for a missing right too; its bodies differ: `error` for the token, `errors` for rights
 * (wire-facts §5.3).
 */
export function apiError(refusal: Refusal, body: { readonly error?: unknown; readonly errors?: unknown }): ApiError {
  const { status } = refusal;
  if (status === 401)
    return body.errors === undefined ? new Unauthenticated(refusal, TOKEN_HINT) : new Forbidden(refusal, RIGHT_HINT);
  if (status === 403) return new Forbidden(refusal, RIGHT_HINT);
  if (status === 404) return new NotFound(refusal);
  if (status === 409) return new Conflict(refusal);
  if (status === 422) return new Unprocessable(refusal);
  if (status === 429) return new RateLimited(refusal, 'the service asks for fewer requests: try again later');
  if (status >= 500)
    return new ServerError(refusal, 'the service is in trouble: try again later, or ask its operators');
  return new BadRequest(refusal);
}
