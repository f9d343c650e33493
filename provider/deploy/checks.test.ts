// Checks of an environment: what passes, and what the run says of an answer that does not.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressToCome, failedChecks } from './checks';

const server = createServer((request, response) => {
  response.statusCode = request.url?.startsWith('/broken') ? 500 : 200;
  if (request.url?.endsWith('%zz7')) return void response.end('ok');
  if (request.url === '/endless') return void response.write('ok '.repeat(400_000));
  response.end(`ok, ${decodeURIComponent(request.url ?? '')} without ${request.headers.authorization ?? 'a token'}`);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let time = 0;
const said: string[] = [];
const clock = { now: () => time, sleep: (ms: number) => Promise.resolve(void (time += ms)) };
const DECLARED = 'canary-that-is-declared';
const hide = (text: string): string => text.replaceAll(DECLARED, '[secret]');
const progress = (line: string): void => void said.push(line);
const failed = (check: object) => failedChecks({ home: check }, { web: ['127.0.0.1'] }, { clock, progress, hide });
const at = (path: string): string =>
  `http://${addressToCome('web', 0)}:${(server.address() as AddressInfo).port}${path}`;

test.each([
  [() => ({ url: at('/'), contains: 'without a token' }), undefined],
  [() => ({ url: at('/broken'), status: 500 }), undefined],
  [() => ({ url: at('/broken'), within: '10s' }), /^status 500, not 200: ok.* \(GET http:.*repeated for 10s\)$/],
  // A path, a query and a user can be secret, and an answer can repeat them.
  [() => ({ url: at('/broken/canary%207'), within: '2s' }), /^status 500.*\[secret\].*\(GET http:[/\d.:]+, repeated/],
  [() => ({ url: at('/broken/canary%2F7'), within: '2s' }), /^status 500.*\[secret\]/],
  [() => ({ url: at('/broken/canary%zz7'), within: '2s' }), /^status 500, not 200: ok /],
  // Only the beginning of an answer is shown, and this secret goes beyond it.
  [() => ({ url: at(`/broken/${'x'.repeat(179)}/${DECLARED}`), within: '2s' }), /^status 500/],
  [() => ({ url: at('/broken?key=canary'), within: '2s' }), /^status 500/],
  [() => ({ url: 'http://maria:canary@127.0.0.1:1/', within: '2s' }), /^no answer: [^@]*$/],
  [() => ({ url: at('/endless'), contains: 'ok' }), undefined],
  [() => ({ url: at('/'), contains: 'fine' }), /the answer does not contain "fine": ok/],
  [() => ({ url: 'http://127.0.0.1:1/', within: '2s' }), /no answer: \w+/],
  [() => ({ url: `http://${addressToCome('db', 0)}/` }), /platform db has no address 0$/],
])('check %#', async (check, words) => {
  const found = await failed(check());
  expect([...found]).toEqual(words === undefined ? [] : [['home', expect.stringMatching(words)]]);
  expect([...found.values(), ...said].join()).not.toContain('canary');
});
