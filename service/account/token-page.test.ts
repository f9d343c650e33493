// The page on which a person gets a token: its script runs against the service, and nothing else may run in it.
import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { DIALECTS } from '../../api/contract';
import { basic, type Caller, callerFor } from '../../test/service-caller';

const PASSWORD = 'correct horse battery staple';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', authorization: '', 'sec-fetch-site': 'none' };
const PATH = '/account/profile';

interface Field {
  value: string;
  textContent: string;
  click: () => void;
  addEventListener(event: string, listener: () => void): void;
}

/** The page as a browser has it: its fields by id, and how many of its requests are under way. */
function opened(page: string, caller: Caller): { readonly field: (id: string) => Field; readonly idle: () => boolean } {
  const fields = new Map<string, Field>();
  for (const [, id = ''] of page.matchAll(/ id="(\w+)"/g)) {
    const field: Field = {
      value: '',
      textContent: '',
      click: () => undefined,
      addEventListener: (_, listener) => {
        field.click = listener;
      },
    };
    fields.set(id, field);
  }
  const field = (id: string): Field => fields.get(id)!;
  let underWay = 0;
  const fetch = async (path: string, sent: { method: string; headers: { [name: string]: string }; body: string }) => {
    underWay += 1;
    const own = {
      authorization: '',
      origin: 'http://127.0.0.1:1',
      host: '127.0.0.1:1',
      'sec-fetch-site': 'same-origin',
    };
    const { status, text } = await caller.send(sent.method, path, sent.body, { ...own, ...sent.headers });
    underWay -= 1;
    return { ok: status === 200, status, json: async () => JSON.parse(text) as unknown };
  };
  const script = /<script>([\s\S]*)<\/script>/.exec(page)?.[1] ?? '';
  runInNewContext(script, { document: { getElementById: field }, fetch, btoa });
  return { field, idle: () => underWay === 0 };
}

describe.each(DIALECTS)('%s', (dialect) => {
  const caller: Caller = callerFor('each', dialect, undefined, {
    users: [{ name: 'maria', token: 'token-of-maria', password: PASSWORD }],
  });

  /** Presses a button; answers the token that the page then shows, and what it says. */
  const pressed = async (button: string, password = PASSWORD): Promise<readonly [token: string, said: string]> => {
    const { text } = await caller.send('GET', PATH, undefined, BROWSER);
    const { field, idle } = opened(text, caller);
    field('username').value = 'maria';
    field('password').value = password;
    field(button).click();
    for (let turns = 0; turns < 3; turns = idle() ? turns + 1 : 0) await new Promise(setImmediate);
    return [field('token').textContent, field('outcome').textContent];
  };
  const statusWith = async (token: string): Promise<number> =>
    (await caller.send('GET', PATH, undefined, { authorization: basic(token) })).status;

  test('shows the token of who knows the password, and nothing to anybody else', async () => {
    const [token] = await pressed('show');
    expect(await statusWith(token)).toBe(200);
    expect(await pressed('show', 'wrong')).toEqual(['', expect.stringContaining('not valid')]);
  });

  test('renews it: the tokens so far are invalid, the new one is shown', async () => {
    const [before] = await pressed('show');
    const [after] = await pressed('renew');
    expect(after).not.toBe(before);
    expect(await Promise.all([before, 'token-of-maria', after].map(statusWith))).toEqual([401, 401, 200]);
  });

  test('runs its own script and style only, is in no frame, and holds nothing of anybody', async () => {
    const { status, headers, text } = await caller.send('GET', PATH, undefined, BROWSER);
    const policy = headers['content-security-policy'] ?? '';
    for (const [tag, directive] of [
      ['script', 'script-src'],
      ['style', 'style-src'],
    ] as const) {
      const inner = new RegExp(`<${tag}>([\\s\\S]*)</${tag}>`).exec(text)?.[1] ?? '';
      const hash = createHash('sha256').update(inner, 'utf8').digest('base64');
      expect(policy).toContain(`${directive} 'sha256-${hash}';`);
    }
    expect(policy).toMatch(/^default-src 'none'; .*form-action 'none'; frame-ancestors 'none'$/);
    expect([status, headers['x-content-type-options'], headers['cache-control']]).toEqual([
      200,
      'nosniff',
      expect.stringContaining('no-store'),
    ]);
    expect(text).not.toMatch(/maria|https?:|localStorage|cookie/);
  });

  test('is for people alone: other clients, other sites and other hosts get what they got', async () => {
    const status = async (headers: { readonly [name: string]: string }): Promise<number> =>
      (await caller.send('GET', PATH, undefined, { ...BROWSER, ...headers })).status;
    expect(await status({ accept: 'application/json' })).toBe(401);
    expect(await status({ authorization: basic('wrong'), accept: 'application/json' })).toBe(401);
    expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await status({ origin: 'https://evil.example' })).toBe(403);
    expect(await status({ host: 'evil.example' })).toBe(403);
  });
});
