// Keeps web pages of other sites away: the Host header, the Origin of a page, and the CORS headers
// of an origin that is allowed.
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Dialect, WireRequest } from '../../api/contract';
import type { ServiceClock } from '../runtime/clock';
import { type Answered, forbidden, toWire, type Handle } from './respond';
import type { Journal } from './journal';
import { createHash } from 'node:crypto';

/** Which hosts and web pages may use the service, besides its own address on loopback. */
interface BrowserRules {
  /** Host names and addresses of the service. `0.0.0.0` and `::` stand for every address. */
  readonly hosts: readonly string[];
  /** Origins (`https://shop.example`) whose pages may read the answers; `*`: every origin. */
  readonly origins: readonly string[];
  /** Paths that no page of another origin may use, whatever `origins` says. */
  readonly ownPagesOnly: (path: string) => boolean;
}

const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/** The name or address in a Host header, in lower case; undefined: the header is malformed. */
function nameIn(host: string): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:/@?#]+?)\.?)(?::\d*)?$/i.exec(host.trim());
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

const isLoopback = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '::1' ||
  (isIP(name) === 4 && name.startsWith('127.'));

/**
 * Whether a Host header names this service. A page can give its own name any address (DNS
 * rebinding), so only known names count; an address cannot be given to somebody else. A request
 * without the header comes from no browser.
 */
function isKnownHost(host: string | undefined, hosts: readonly string[]): boolean {
  if (host === undefined) return true;
  const name = nameIn(host);
  if (name === undefined) return false;
  if (isLoopback(name) || hosts.some((known) => known.toLowerCase() === name)) return true;
  return WILDCARDS.some((each) => hosts.includes(each)) && (isIP(name) !== 0 || name === hostname().toLowerCase());
}

/** The page of another origin that sent a request, in words; undefined: none, or not known. */
export function foreignPage({ headers }: WireRequest): string | undefined {
  const { origin, host } = headers;
  if (origin !== undefined) {
    const isOwn = host !== undefined && /^https?:\/\/(.+)$/i.exec(origin)?.[1]?.toLowerCase() === host.toLowerCase();
    return isOwn ? undefined : `a page of ${JSON.stringify(origin)}`;
  }
  // Images, links and forms of a page carry no Origin for GET, but modern browsers say where they
  // come from.
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none' ? undefined : 'a page of another site';
}

/** Whether a browser sends a request: it adds a token that it keeps to requests of any page. */
const isBrowser = ({ headers }: WireRequest): boolean =>
  headers['origin'] !== undefined ||
  headers['sec-fetch-mode'] !== undefined ||
  headers['sec-fetch-site'] !== undefined ||
  headers['user-agent']?.startsWith('Mozilla/') === true;

/** Whether a page of another origin is allowed. Only an Origin header names one. */
function isAllowed(rules: BrowserRules, request: WireRequest): boolean {
  if (rules.ownPagesOnly(request.path)) return false;
  const { origin } = request.headers;
  return rules.origins.includes('*') || (origin !== undefined && rules.origins.includes(origin.toLowerCase()));
}

/** Why a request is refused; undefined: it is served. */
function refusalOf(rules: BrowserRules, request: WireRequest): Answered | undefined {
  const { host } = request.headers;
  if (!isKnownHost(host, rules.hosts)) {
    const shown = JSON.stringify(host);
    return forbidden(`the service is not reached as ${shown}: start it with --allow-host to serve this name`);
  }
  const page = foreignPage(request);
  if (page === undefined || isAllowed(rules, request)) return undefined;
  const advice = rules.ownPagesOnly(request.path) ? '' : ': start the service with --allow-origin to let it';
  return forbidden(`${page} may not send requests here${advice}`);
}

/** What the live service sends with every answer (service-facts §0.2). */
const SHARED = {
  'access-control-allow-methods': 'POST, GET, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': 'Origin, X-Requested-With, Token, Authorization, Content-Type, Accept',
  'access-control-max-age': '86400',
};

/** Headers that let a page of an allowed origin read the answer; none by default. */
function corsOf(rules: BrowserRules, request: WireRequest): { readonly [name: string]: string } {
  if (rules.origins.length === 0 || rules.ownPagesOnly(request.path)) return {};
  if (rules.origins.includes('*')) return { 'access-control-allow-origin': '*', ...SHARED };
  const { origin } = request.headers;
  if (origin === undefined || !isAllowed(rules, request)) return { vary: 'Origin' };
  return { 'access-control-allow-origin': origin, ...SHARED, vary: 'Origin' };
}

/** What guards a service, and where it says what it refused. */
interface Guard {
  readonly rules: BrowserRules;
  readonly dialect: Dialect;
  readonly clock: ServiceClock;
  readonly journal: Journal;
}

/** The same handling, closed to unknown hosts and to pages of other origins: 403 with `errors`. */
export function guarded(handle: Handle, { rules, dialect, clock, journal }: Guard): Handle {
  return async (request, signal) => {
    const no = refusalOf(rules, request);
    if (no !== undefined) {
      const { method, path } = request;
      journal.add({ at: clock.now(), user: null, method, path, route: null, status: no.status, ms: 0 });
      return toWire(no, dialect, true);
    }
    const served = await handle(request, signal);
    const cors = corsOf(rules, request);
    if (served.status !== 401 || !isBrowser(request)) {
      return rules.origins.length === 0 ? served : { ...served, headers: { ...served.headers, ...cors } };
    }
    // Without the challenge no browser asks for a token, so none keeps one.
    const { 'www-authenticate': _challenge, ...headers } = served.headers;
    return { ...served, headers: { ...headers, ...cors } };
  };
}

// The page at /account/profile, on which a person gets an API token by password, and renews it. Its
// script sends the requests of every client; the browser stores no token and no password.

const STYLE = `body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 3rem auto; padding: 0 1rem }
label, input, button { display: block; font: inherit } input { width: 100%; box-sizing: border-box; margin-bottom: .75rem }
button { margin: .5rem 0 } code { overflow-wrap: anywhere }`;

const SCRIPT = `'use strict';
const field = (id) => document.getElementById(id);
const say = (text) => { field('outcome').textContent = text; };
const ask = (method, path, headers, body) => fetch(path, {
  method, credentials: 'omit', cache: 'no-store', body,
  headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
});
const reason = async (answer) => {
  const body = await answer.json().catch(() => ({}));
  return body.error || (body.errors || []).join('; ') || 'the service answered ' + answer.status;
};
const show = async () => {
  const user = { username: field('username').value, password: field('password').value };
  const answer = await ask('POST', '/account/profile/authentication_token', {}, JSON.stringify({ user }));
  if (!answer.ok) { say('No token: ' + await reason(answer)); return undefined; }
  const { token } = await answer.json();
  field('token').textContent = token;
  say('This is your API token. It is the user name of HTTP Basic; the password is empty.');
  return token;
};
const renew = async () => {
  const token = await show();
  if (token === undefined) return;
  const headers = { authorization: 'Basic ' + btoa(token + ':') };
  const answer = await ask('PUT', '/account/profile/reset_authentication_token', headers, '{}');
  if (!answer.ok) { say('Not renewed: ' + await reason(answer)); return; }
  await show();
};
const doing = (work) => () => { field('token').textContent = ''; work().catch(() => say('The service does not answer.')); };
field('show').addEventListener('click', doing(show));
field('renew').addEventListener('click', doing(renew));`;

const PAGE = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>API token</title><style>${STYLE}</style></head>
<body>
<main id="authentication">
<h1>API token</h1>
<label for="username">User name</label><input id="username" autocomplete="off" spellcheck="false">
<label for="password">Password</label><input id="password" type="password" autocomplete="off">
<button id="show">Show the token</button>
<button id="renew">Renew the token: every token so far becomes invalid</button>
<p id="outcome" role="status"></p>
<p><code id="token"></code></p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;

const hashed = (text: string): string => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

/** Only the page's own script and style run, and no page shows it in a frame or learns its URL. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src ${hashed(SCRIPT)}; style-src ${hashed(STYLE)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

/** Whether a person opens the page in a browser: a request for HTML, without a token. */
export function asksForTokenPage({ method, path, headers }: WireRequest): boolean {
  const isPage = path.split('?')[0] === '/account/profile' && (method === 'GET' || method === 'HEAD');
  return isPage && headers['authorization'] === undefined && headers['accept']?.includes('text/html') === true;
}

/** The page; it is the same for everybody. */
export function tokenPage(): Answered {
  return { status: 200, body: PAGE, headers: HEADERS };
}
