// The page at /account/profile, on which a person gets an API token by user name and password, and renews it (the contract's section 5).
// The page itself holds nothing: its script sends the requests that every client can send, and the browser stores no token and no password.
import { createHash } from 'node:crypto';
import { type WireRequest } from '../../api/contract';
import { type Answered } from './respond';

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

/** Nothing but the page's own script and style run, and no other page shows it in a frame, or learns its address. */
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
