// The root of the error tree and the failures that have no status: transport, contract, settings, defects.

/** What every error of ours carries: what happened, on what, and what to do next. Holds no secret. */
export abstract class OneOpsError extends Error {
  /** Whether the same request may succeed when sent again. */
  readonly retryable: boolean = false;
  private subject: string | undefined;
  private advice: string | undefined;

  constructor(
    /** What happened, without the subject. */
    readonly what: string,
    /** What to do next. */
    readonly hint?: string,
  ) {
    super(what);
    this.name = new.target.name;
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

/** Method of a request, and its path without the query. */
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
    /** Whether the request reached the service: `unknown` when the connection broke after it was sent. */
    readonly sent: boolean | 'unknown',
  ) {
    super(what, hint);
    this.method = method;
    this.path = path;
  }
}

/** No answer in time: no connection, no answer, or an answer that does not end. */
export class TimedOut extends TransportError {}

/** No connection, or it broke. */
export class ConnectionFailed extends TransportError {}

/** A connection kept from an earlier request was closed by the other side before the first byte of an answer: a new one may do. */
export class StaleConnection extends ConnectionFailed {}

/** The other side's certificate is not trusted: nothing was sent, and sending again helps nobody. */
export class Untrusted extends ConnectionFailed {
  override readonly retryable = false;
}

/** The request, or its answer, has more bytes than allowed. A request that is too large was not sent. */
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

/** An answer that is not what the contract promises: HTML, a redirect, broken JSON, another shape. Never means "deleted". */
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

/** A file, a setting or a word that a person gave is wrong; nothing was done. The message says where, and what to write. */
export class WrongInput extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

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
