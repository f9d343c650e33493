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

/** 403 in both dialects: of a request that a web page may not send, with any token. */
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

/** The answer as text, with the dialect's name and the headers every answer carries. */
export function toWire(answered: Answered, dialect: Dialect, json: boolean): WireResponse {
  const { status, headers: own, body } = answered;
  const written = (indent?: number): string => (body === undefined ? '' : JSON.stringify(body, null, indent));
  if (json || isText(answered)) {
    const shared = JSON_HEADERS[dialect];
    const headers = own === NO_HEADERS ? shared : { ...shared, ...own };
    return { status, headers, body: isText(answered) ? String(body) : written() };
  }
  const type = { 'content-type': 'text/html; charset=utf-8' };
  const headers = { ...type, ...SHARED_HEADERS, [DIALECT_HEADER]: dialect, ...own };
  const location = browserRedirect(answered);
  if (location !== undefined) return { status: 302, headers: { ...headers, location }, body: '' };
  const page = `<!DOCTYPE html><html><head><title>OneOps</title></head><body><pre>${escape(written(1))}</pre></body></html>`;
  return { status, headers, body: page };
}
