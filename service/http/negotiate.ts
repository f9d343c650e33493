// In which form an answer goes out: JSON, or, where the dialect asks for an exact Accept header, the page a browser would get (service-facts §0.2).
// It must not know what is answered.
import { DIALECT_HEADER, type Dialect, type Voice, type WireRequest, type WireResponse } from '../../api/contract';
import { type Answered, isText, NO_HEADERS } from './answered';

/** Routes that answer JSON whatever is asked for (service-facts §0.2). */
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

/** Whether a request is answered with JSON. */
export function wantsJson(request: WireRequest, route: string | undefined, voice: Voice): boolean {
  if (!voice.acceptExact || (route !== undefined && ALWAYS_JSON.includes(route))) return true;
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

/** Where a browser is sent instead of being told (service-facts §5.1, §5.2). */
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
  if (isText(answered))
    return {
      status: answered.status,
      headers: { ...JSON_HEADERS[dialect], ...answered.headers },
      body: String(answered.body),
    };
  if (json) {
    const shared = JSON_HEADERS[dialect];
    return {
      status: answered.status,
      headers: answered.headers === NO_HEADERS ? shared : { ...shared, ...answered.headers },
      body: answered.body === undefined ? '' : JSON.stringify(answered.body),
    };
  }
  const headers = { ...SHARED_HEADERS, [DIALECT_HEADER]: dialect, ...answered.headers };
  const location = browserRedirect(answered);
  const text = answered.body === undefined ? '' : JSON.stringify(answered.body, null, 1);
  const body = `<!DOCTYPE html><html><head><title>OneOps</title></head><body><pre>${escape(text)}</pre></body></html>`;
  const page = { 'content-type': 'text/html; charset=utf-8', ...headers };
  return location === undefined
    ? { status: answered.status, headers: page, body }
    : { status: 302, headers: { ...page, location }, body: '' };
}
