// Answers, refusals as answers, and their form: JSON, or a page (service-facts §0.2, §5, §7).
import {
  type Dialect,
  DIALECT_HEADER,
  type DialectRules,
  dialectRules,
  type WireRequest,
  type WireResponse,
} from '../../api/contract';
import { type Served } from '../faults';
import { finish } from '../runtime/work';
import { bounded, RefusedRequest } from '../runtime/handler';
import { StorageFailure, StorageFull } from '../store';

/** A function of a request. Rejects with AnswerDropped for a fault, or for an aborted delay. */
export type Handle = (request: WireRequest, signal?: AbortSignal) => Promise<Served>;

/** `body: undefined` is an empty body. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: { readonly [name: string]: string };
}

/** What most answers have of their own. */
const NO_HEADERS: Answered['headers'] = {};

/** An answer that is text of a media type, and goes out as it is. */
export function textAnswer(media: string, text: string): Answered {
  return { status: 200, body: text, headers: { 'content-type': `${media}; charset=utf-8` } };
}

const isText = ({ body, headers }: Answered): boolean =>
  typeof body === 'string' && headers['content-type'] !== undefined;

export function jsonAnswer(status: number, body: unknown): Answered {
  return { status, body, headers: NO_HEADERS };
}

/** Most messages of an answer, and most characters of each. */
const MESSAGES = { most: 100, longest: 2000 };

/** `{"errors": [...]}`; a 500 has the live service's own form (service-facts §7.1). */
export function refusalAnswer(refusal: RefusedRequest, method: string, dialect: Dialect): Answered {
  const { reason } = refusal;
  const messages = bounded(refusal.messages, MESSAGES);
  const { statuses } = dialectRules[dialect];
  const table = method === 'GET' ? statuses.reads : statuses.writes;
  const status = (reason === undefined ? undefined : table[reason]) ?? refusal.status;
  if (status === 500) return jsonAnswer(500, { code: 500, exception: messages.join('; ') });
  return jsonAnswer(status, { errors: messages });
}

/** 403 in both dialects: of a request that a web page may not send, whoever sent it. */
export function forbidden(message: string): Answered {
  return jsonAnswer(403, { errors: [message] });
}

/**
 * The answer to a request that failed and was not refused. A full disk answers 507 and a damaged
 * database 500, each with what to do. Everything else is a mistake of the service itself: what went
 * wrong goes to the service's owner, not over the wire.
 */
export function failureAnswer(error: unknown, method: string, dialect: Dialect): Answered {
  if (!(error instanceof StorageFailure))
    return jsonAnswer(500, { code: 500, exception: 'the service failed on this request; its journal names it' });
  return refusalAnswer(new RefusedRequest(error instanceof StorageFull ? 507 : 500, [error.message]), method, dialect);
}

/** Routes that answer JSON whatever is requested (service-facts §0.2). */
const ALWAYS_JSON: readonly string[] = [
  'platforms.list',
  'platforms.componentTypes',
  'operations.platforms',
  'environments.list',
  'organizations.list',
  'clouds.locations',
  'cloudServices.list',
  'cloudServices.available',
  'catalogue.offerings',
  'catalogue.services',
  'catalogue.publicOfferings',
  'catalogue.publicServices',
  // No page of a browser: who asks here is a machine.
  'service.status',
  'service.description',
];

export function wantsJson(request: WireRequest, route: string | null, rules: DialectRules): boolean {
  if (!rules.acceptExact || (route !== null && ALWAYS_JSON.includes(route))) return true;
  return (
    request.headers['accept']?.trim() === 'application/json' || (request.path.split('?')[0] ?? '').endsWith('.json')
  );
}

const SHARED_HEADERS = {
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: 'Fri, 01 Jan 1970 00:00:00 GMT',
  // A browser that guesses types could run an answer as a script.
  'x-content-type-options': 'nosniff',
};

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Elements of a list that are made and written at one go. */
const AT_ONCE = 200;

/** Whether a value is a list that can be long, of elements that can be made when they are written. */
const isLong = (value: object): value is Iterable<unknown> =>
  Array.isArray(value) ? value.length > AT_ONCE : Symbol.iterator in value;

/**
 * Whether a value is such a list, or has one among its members. Arrays are not searched: what is in
 * one is written in one piece.
 */
const holdsLong = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  (isLong(value) || (!Array.isArray(value) && Object.values(value).some(holdsLong)));

/** JSON in slices of long lists. */
function* jsonOf(value: unknown): Generator<void, string, undefined> {
  if (!holdsLong(value)) return JSON.stringify(value);
  const texts: string[] = [];
  if (isLong(value)) {
    let part: unknown[] = [];
    const write = (): number => texts.push(JSON.stringify(part).slice(1, -1));
    for (const element of value) {
      if (part.push(element) < AT_ONCE) continue;
      write();
      part = [];
      yield;
    }
    if (part.length > 0) write();
    return `[${texts.join(',')}]`;
  }
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) texts.push(`${JSON.stringify(name)}:${yield* jsonOf(member)}`);
  return `{${texts.join(',')}}`;
}

/** The body of an answer as text, in slices. */
export function* textOf(answered: Answered): Generator<void, string, undefined> {
  const { body } = answered;
  if (isText(answered)) return String(body);
  return body === undefined ? '' : yield* jsonOf(body);
}

/** Where a browser is redirected instead of getting an error (service-facts §5.1, §5.2). */
function browserRedirect(answered: Answered): string | undefined {
  const tokenTrouble = typeof answered.body === 'object' && answered.body !== null && 'error' in answered.body;
  return answered.status === 401 && tokenTrouble ? '/users/sign_in' : undefined;
}

/** Headers of every JSON answer: made once, since few answers have others. */
const jsonHeaders = (dialect: Dialect): WireResponse['headers'] => ({
  'content-type': 'application/json; charset=utf-8',
  ...SHARED_HEADERS,
  [DIALECT_HEADER]: dialect,
});
const JSON_HEADERS: { readonly [D in Dialect]: WireResponse['headers'] } = {
  documented: jsonHeaders('documented'),
  classic: jsonHeaders('classic'),
};

/** The answer with its text, with the dialect's name and the headers every answer carries. */
export function toWire(
  answered: Answered,
  dialect: Dialect,
  json: boolean,
  body = finish(textOf(answered)),
): WireResponse {
  const { status, headers: own } = answered;
  if (json || isText(answered)) {
    const shared = JSON_HEADERS[dialect];
    const headers = own === NO_HEADERS ? shared : { ...shared, ...own };
    return { status, headers, body };
  }
  const type = { 'content-type': 'text/html; charset=utf-8' };
  const headers = { ...type, ...SHARED_HEADERS, [DIALECT_HEADER]: dialect, ...own };
  const location = browserRedirect(answered);
  if (location !== undefined) return { status: 302, headers: { ...headers, location }, body: '' };
  const indented = body === '' ? '' : JSON.stringify(JSON.parse(body), null, 1);
  const page = `<!DOCTYPE html><html><head><title>OneOps</title></head><body><pre>${escape(indented)}</pre></body></html>`;
  return { status, headers, body: page };
}
