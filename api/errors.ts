// The tree of errors: failures without a status, and one class per refusal (service-facts §7); and
// which addresses a token is not sent to.
import { BlockList, isIP } from 'node:net';

/** An error whose `name` is that of its class: by itself, each error is called `Error`. */
export abstract class NamedError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** An error of ours: what happened, on what, and what to do next. Holds no secret. */
export abstract class OneOpsError extends NamedError {
  /** Whether the same request may succeed when sent again. */
  readonly retryable: boolean = false;
  private subject: string | undefined;
  private advice: string | undefined;

  constructor(
    /** What happened, without the subject. */
    readonly what: string,
    readonly hint?: string,
  ) {
    super(what);
    this.message = this.compose();
  }

  /** Says what was attempted, on what; the first to say so is right, since it was nearest. */
  attempted(subject: string): this {
    this.subject ??= subject;
    this.message = this.compose();
    return this;
  }

  /** Adds what else to do next, which only the caller knows; once. */
  advised(advice: string): this {
    this.advice ??= advice;
    this.message = this.compose();
    return this;
  }

  private compose(): string {
    const head = this.subject === undefined ? this.what : `${this.subject}: ${this.what}`;
    return [head, this.hint, this.advice].filter((part) => part !== undefined).join('\n');
  }
}

/** Whether the same question may be answered later: the service is out, or in trouble. */
export const mayPass = (error: unknown): error is OneOpsError => error instanceof OneOpsError && error.retryable;

interface RequestName {
  readonly method: string;
  readonly path: string;
}

/** There was no answer that can be used. */
export abstract class TransportError extends OneOpsError {
  override readonly retryable: boolean = true;
  readonly method: string;
  /** Path without its query. */
  readonly path: string;

  constructor(
    what: string,
    hint: string | undefined,
    { method, path }: RequestName,
    /** `unknown` when the connection broke after the request was sent. */
    readonly sent: boolean | 'unknown',
  ) {
    super(what, hint);
    this.method = method;
    this.path = path.split('?')[0] ?? '';
  }
}

/** No answer in time: no connection, no answer, or an answer that does not end. */
export class TimedOut extends TransportError {}

/** No connection, or it broke. */
export class ConnectionFailed extends TransportError {}

/** The other side closed a kept connection before an answer began: a new one may do. */
export class StaleConnection extends ConnectionFailed {}

/** The certificate is not trusted: nothing was sent, and sending again helps nobody. */
export class Untrusted extends ConnectionFailed {
  override readonly retryable = false;
}

/** Request or answer has more bytes than allowed. A request that is too large was not sent. */
export class TooLarge extends TransportError {
  override readonly retryable = false;
}

/** The caller's signal stopped the request. */
export class Aborted extends TransportError {
  override readonly retryable = false;
}

interface WrongAnswer extends RequestName {
  readonly status: number;
  /** What the answer says of itself, as far as it can be read: the title of a page. */
  readonly messages?: readonly string[];
  /** Whether something before the service answered in its place: a page, a redirect. */
  readonly elsewhere?: boolean;
}

/** An answer of another form than the contract promises. Never means "deleted". */
export class ContractError extends OneOpsError {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly messages: readonly string[];
  readonly elsewhere: boolean;

  constructor(what: string, hint: string | undefined, answer: WrongAnswer) {
    super(what, hint);
    this.method = answer.method;
    this.path = answer.path;
    this.status = answer.status;
    this.messages = answer.messages ?? [];
    this.elsewhere = answer.elsewhere ?? false;
  }
}

/** The client was given settings or arguments it cannot work with; nothing was sent. */
export class BadSettings extends OneOpsError {}

/** What a person gave is wrong; nothing was done. Says where, and what to write. */
export class WrongInput extends NamedError {}

/** A write was to be sent with settings that forbid writes; nothing was sent. */
export class ReadOnly extends OneOpsError {}

/** The audit file cannot be written; nothing was sent. */
export class AuditFailed extends OneOpsError {}

/** Something that cannot happen did: a defect of ours. */
export class Bug extends OneOpsError {
  constructor(what: string) {
    super(what, 'this is a defect of pulumi-oneops: please report it with the command and its output');
  }
}

/** What a hint may tell a person to look at. */
export type NamedSetting = 'url' | 'organization' | 'token' | 'dialect' | 'allowHttp' | 'audit';

export interface SettingWords {
  /** The setting, as what to check. */
  named(setting: NamedSetting): string;
  /** The setting, as what to set. */
  given(setting: NamedSetting): string;
  /** Added to the advice to check the url: how to see it. Empty for none. */
  readonly seeUrl: string;
  /** How a token is given. */
  readonly giveToken: string;
  /** How a token is let over plain http to another machine. */
  readonly allowHttp: string;
  /** How writing is allowed again. */
  readonly allowWrites: string;
  /** What to do about an answer that is larger than what is read. */
  readonly largeAnswer: string;
  /** What to do about a request that is larger than what is sent. */
  readonly largeRequest: string;
}

const given = (setting: NamedSetting): string => `${setting} in new OneOps({ ${setting} })`;

/** The words for a program that uses the client alone. */
export const optionWords: SettingWords = {
  named: (setting) => `the ${given(setting)}`,
  given,
  seeUrl: '',
  giveToken: given('token'),
  allowHttp: `set ${given('allowHttp')} to true`,
  allowWrites: 'to write, make a client without readOnly in new OneOps({ readOnly })',
  largeAnswer: 'request less, or raise answerLimit',
  largeRequest: 'send less, or raise bodyLimit',
};

const URL_SHAPE = 'give it as https://host or http://127.0.0.1:port';

/** Why no token is sent to an address: it is no URL, has another protocol, or a token in clear. */
export function urlProblem(url: string, allowHttp: boolean, words: SettingWords): BadSettings | undefined {
  const name = words.named('url');
  if (!URL.canParse(url)) return new BadSettings(`${name} is not a URL`, URL_SHAPE);
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '')
    return new BadSettings(`${name} contains a user name or password`, `the token goes into ${words.given('token')}`);
  if (protocol !== 'https:' && protocol !== 'http:')
    return new BadSettings(`${name} has the protocol ${protocol}`, URL_SHAPE);
  if (protocol === 'https:' || allowHttp || isLoopback(hostname)) return undefined;
  return new BadSettings(`${name} would send the token unencrypted to ${hostname}`, `use https, or ${words.allowHttp}`);
}

/** Whether a host of a URL is `localhost`, 127.0.0.0/8 or ::1. Other names are not resolved. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  const kind = isIP(name);
  if (kind === 0) return name === 'localhost' || name === 'localhost.';
  const own = new BlockList();
  own.addSubnet('127.0.0.0', 8, 'ipv4');
  own.addAddress('::1', 'ipv6');
  return own.check(name, kind === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Facts of a refusal, for the constructor of `ApiError`. `messages` are the service's own words.
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
 * The error for an answer. `better`: a hint for a 401 or a 404 that knows the settings. The live
 * service answers 401 for a missing right too: with `errors` in the body, and with `error` for the
 * token (service-facts §5.3).
 */
export function apiError(
  refusal: Refusal,
  body: { readonly error?: unknown; readonly errors?: unknown },
  words: SettingWords = optionWords,
  better?: string,
): ApiError {
  const { status, retryAfter } = refusal;
  if (status === 401)
    return body.errors === undefined
      ? new Unauthenticated(refusal, better ?? `give the token of a user of the service: ${words.giveToken}`)
      : new Forbidden(refusal, HINTS.right);
  if (status === 403) return new Forbidden(refusal, HINTS.right);
  if (status === 404) return new NotFound(refusal, better ?? HINTS.absent);
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

/** Whether the service itself said no. */
export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError;

/** An answer, or undefined where the service says that there is nothing of the kind (404). */
export async function orNone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The error with what was attempted, and on what, in front. */
export function describe(error: unknown, about: { readonly attempt: string; readonly subject: string }): Error {
  const subject = `cannot ${about.attempt} ${about.subject}`;
  if (error instanceof OneOpsError) return error.attempted(subject);
  return new Bug(messageOf(error)).attempted(subject);
}

/** `1 record`, `12 records`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The first of some texts, and one text on the rest: by default `and 3 more`. */
export const firstOf = (
  texts: readonly string[],
  most: number,
  rest = (count: number): string => `and ${count} more`,
): readonly string[] => (texts.length > most ? [...texts.slice(0, most), rest(texts.length - most)] : texts);

/** `web, db and 3 more`: the first of some names, and how many the others are. */
export const firstNamed = (names: readonly string[], most: number): string =>
  names.slice(0, most).join(', ') + (names.length > most ? ` and ${names.length - most} more` : '');

/** Lines of at most that many characters, broken at spaces; a longer word stays whole. */
export const folded = (text: string, width: number): readonly string[] =>
  text
    .replace(new RegExp(`(.{1,${width}})(?:\\s+|$)`, 'g'), '$1\n')
    .trimEnd()
    .split('\n');
