// Laws of the audit and of read-only settings: every request has its line, no line has a secret, what cannot be recorded is not sent.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRoutes, type Route, routes, type WireRequest, type WireResponse } from '../contract';
import { AuditFailed, ConnectionFailed, ReadOnly } from '../errors';
import { type Api, type AuditLine, type ClientOptions, createApi } from './index';
import { eachFolder } from '../../test/folder';

const TOKEN = 'canary-of-audit-31c';
const URL_OF_SERVICE = 'https://ops.acme.io';
const SHOP = { ciId: 7, ciName: 'shop', ciClassName: 'account.Assembly', nsPath: '/acme', ciAttributes: {} };
const BODY = { cms_ci: { ciName: 'shop', ciAttributes: { description: 'canary-of-body' } } };

const folder = eachFolder();
let file: string;

beforeEach(() => {
  file = join(folder.path, 'audit.jsonl');
});

const linesOf = (path: string): readonly AuditLine[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditLine);

const answer = (body: unknown, status = 200): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

type Answers = (request: WireRequest) => WireResponse | Error;

const PROFILE: Answers = ({ path }) =>
  path === routes.profile.read.path ? answer({ id: 1, username: 'maria' }) : answer(SHOP);

function client(
  answers: Answers,
  options: Partial<ClientOptions> = {},
): { readonly api: Api; readonly sent: WireRequest[] } {
  const sent: WireRequest[] = [];
  const api = createApi({
    url: URL_OF_SERVICE,
    organization: 'acme',
    token: TOKEN,
    dialect: 'documented',
    pause: () => Promise.resolve(),
    now: () => Date.UTC(2026, 10, 21),
    send: (request) => {
      sent.push(request);
      const given = answers(request);
      return given instanceof Error ? Promise.reject(given) : Promise.resolve(given);
    },
    audit: file,
    ...options,
  });
  return { api, sent };
}

const read = (api: Api): Promise<unknown> => api.call(routes.assemblies.read, { address: { assembly: 'shop' } });

test('a line for each request, the repeated ones too, in the name of the user', async () => {
  let asked = 0;
  const { api, sent } = client((request) => {
    if (request.path.endsWith('/shop') && asked++ === 0) return answer({}, 503);
    return PROFILE(request);
  });
  await read(api);
  await api.call(routes.assemblies.create, { body: BODY });
  api.close();
  expect(linesOf(file)).toEqual(
    [
      ['GET', '/account/profile', 200],
      ['GET', '/acme/assemblies/shop', 503],
      ['GET', '/acme/assemblies/shop', 200],
      ['POST', '/acme/assemblies', 200],
    ].map(([method, path, status]) => ({
      when: '2026-11-21T00:00:00.000Z',
      who: 'maria',
      service: URL_OF_SERVICE,
      method,
      path,
      status,
      took: 0,
    })),
  );
  expect(sent).toHaveLength(4);
});

test('a request without an answer has the reason in its line, and a service that shows no user a name made of its address', async () => {
  const { api } = client(() => new ConnectionFailed('gone', undefined, { method: 'GET', path: '/' }, 'unknown'), {
    attempts: 1,
  });
  await expect(read(api)).rejects.toBeInstanceOf(ConnectionFailed);
  const lines = linesOf(file);
  expect(lines).toHaveLength(2);
  for (const line of lines)
    expect(line).toMatchObject({ status: 0, error: 'ConnectionFailed', who: `token of ${URL_OF_SERVICE}` });
});

test('no line contains the token, a body or a query', async () => {
  const { api } = client(PROFILE);
  await api.call(routes.assemblies.read, { address: { assembly: TOKEN }, query: { secret: 'canary-of-query' } });
  await api.call(routes.assemblies.create, { body: BODY });
  expect(readFileSync(file, 'utf8')).not.toMatch(/canary/);
  expect(readFileSync(file, 'utf8')).not.toContain(Buffer.from(`${TOKEN}:`).toString('base64'));
});

test('the file is for its owner alone, and what is in it stays', async () => {
  await read(client(PROFILE).api);
  const before = readFileSync(file, 'utf8');
  await read(client(PROFILE).api);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8').startsWith(before)).toBe(true);
  expect(linesOf(file)).toHaveLength(4);
});

test.each<[string, (path: string) => void, RegExp]>([
  ['a folder', (path) => mkdirSync(path), /it is a folder/],
  ['a missing folder', (path) => symlinkSync(join(path, 'nowhere', 'x'), path), /cannot be written/],
])('a file that cannot be opened, %s: nothing is sent', async (_, spoil, reason) => {
  spoil(file);
  const { api, sent } = client(PROFILE);
  const failure = await api.call(routes.assemblies.create, { body: BODY }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AuditFailed);
  expect((failure as Error).message).toMatch(reason);
  expect(sent).toEqual([]);
});

// A device that takes no byte stands in for a full disk.
test('a file that is full already: after the question who asks, nothing is sent', async () => {
  const { api, sent } = client(PROFILE, { audit: '/dev/full' });
  await expect(api.call(routes.assemblies.create, { body: BODY })).rejects.toThrow(/the disk is full/);
  await expect(read(api)).rejects.toBeInstanceOf(AuditFailed);
  expect(sent.map(({ path }) => path)).toEqual([routes.profile.read.path]);
});

test('a file that fills up: the answer that exists is handed on, nothing is sent after it', async () => {
  const { api, sent } = client(PROFILE);
  await read(api);
  const full = jest.spyOn(jest.requireActual<{ writeSync(): number }>('node:fs'), 'writeSync').mockReturnValueOnce(3);
  await expect(api.call(routes.assemblies.create, { body: BODY })).resolves.toMatchObject({ ciName: 'shop' });
  expect(full).toHaveBeenCalledTimes(1);
  full.mockRestore();
  const count = sent.length;
  await expect(read(api)).rejects.toBeInstanceOf(AuditFailed);
  expect(sent).toHaveLength(count);
});

test('several processes write complete lines', async () => {
  const script = join(folder.path, 'writer.ts');
  writeFileSync(
    script,
    `import { createApi, routes } from ${JSON.stringify(join(__dirname, 'index'))};
    const send = async ({ path }: { path: string }) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: path.endsWith('profile') ? JSON.stringify({ id: 1, username: process.argv[2] }) : ${JSON.stringify(JSON.stringify(SHOP))},
    });
    const api = createApi({ url: '${URL_OF_SERVICE}', organization: 'acme', token: 'x', dialect: 'documented', send, audit: ${JSON.stringify(file)} });
    const one = () => api.call(routes.assemblies.read, { address: { assembly: 'shop' + 'x'.repeat(2000) } });
    void Promise.all(Array.from({ length: 200 }, one));`,
  );
  const runner = join(__dirname, '..', '..', 'test', 'run-source.cjs');
  const writers = ['maria', 'juan', 'li'].map((name) =>
    spawn(process.execPath, ['--require', runner, script, name], { stdio: 'inherit' }),
  );
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'close'))[0] as number));
  expect(codes).toEqual([0, 0, 0]);
  const lines = linesOf(file);
  expect(lines).toHaveLength(3 * 201);
  expect(new Set(lines.map(({ who }) => who))).toEqual(new Set(['maria', 'juan', 'li']));
}, 30_000);

describe('read-only settings', () => {
  const address = Object.fromEntries(
    allRoutes.flatMap(({ path }) => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => [name, '1'])),
  ) as { readonly [name: string]: string };
  const writing = allRoutes.filter((route: Route) => route.method !== 'GET' || route.repeat !== 'read');

  test.each(writing.map((route): [string, Route] => [route.name, route]))('%s is not sent', async (_, route) => {
    const { api, sent } = client(PROFILE, { readOnly: true, audit: undefined, dialect: 'auto' });
    const failure = await api.call(route, { address, body: {} }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ReadOnly);
    expect((failure as Error).message).toContain('new OneOps({ readOnly })');
    expect(sent).toEqual([]);
  });

  test('reads go as before', async () => {
    const { api } = client(PROFILE, { readOnly: true });
    await expect(read(api)).resolves.toMatchObject({ ciName: 'shop' });
  });
});
