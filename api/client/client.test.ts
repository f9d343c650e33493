// Laws of the client: what is sent again and what never is, what an odd answer becomes, and that no token shows anywhere.
import { inspect } from 'node:util';
import { DIALECT_HEADER, routes, type Route, type WireRequest, type WireResponse } from '../contract';
import * as errors from '../errors';
import { createApi, type Api, type ClientOptions } from './index';

const TOKEN = 'canary-7f3a91';
const RECORD = { ciId: 7, ciName: 'shop', ciClassName: 'account.Assembly', nsPath: '/acme', ciAttributes: {} };

const answer = (status: number, body: unknown, headers: { readonly [name: string]: string } = {}): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json', [DIALECT_HEADER]: 'documented', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

type Step = WireResponse | Error;

/** A client over a script of answers, the last one repeated; and what it sent. */
function scripted(
  steps: readonly Step[],
  options: Partial<ClientOptions> = {},
): { readonly api: Api; readonly sent: WireRequest[]; readonly pauses: number[] } {
  const sent: WireRequest[] = [];
  const pauses: number[] = [];
  const api = createApi({
    url: 'http://127.0.0.1:1',
    organization: 'acme',
    token: TOKEN,
    dialect: 'documented',
    random: () => 0.5,
    pause: (milliseconds) => {
      pauses.push(milliseconds);
      return Promise.resolve();
    },
    send: (request) => {
      const step = steps[Math.min(sent.length, steps.length - 1)] as Step;
      sent.push(request);
      return step instanceof Error ? Promise.reject(step) : Promise.resolve(step);
    },
    ...options,
  });
  return { api, sent, pauses };
}

const lost = (sent: boolean | 'unknown'): Error => new errors.ConnectionFailed('gone', undefined, 'POST', '/', sent);
const BODY = { cms_ci: { ciName: 'shop', ciAttributes: {} } };
const address = { assembly: 'shop', environment: 'prod', platform: 'web', component: 'c', deployment: '1' };

describe('a request is sent again only where that is safe', () => {
  const reads: Route = routes.assemblies.read;
  const writes: Route = routes.assemblies.update;
  const creates: Route = routes.assemblies.create;
  const actions: Route = routes.environments.commit;
  test.each<[string, Route, Step, number]>([
    ['read after a lost answer', reads, lost('unknown'), 4],
    ['write after a lost answer', writes, lost('unknown'), 4],
    ['create after a lost answer', creates, lost('unknown'), 1],
    ['action after a lost answer', actions, lost('unknown'), 1],
    ['create that was never sent', creates, lost(false), 4],
    ['action that was never sent', actions, lost(false), 4],
    ['read after 503', reads, answer(503, {}), 4],
    ['write after 503', writes, answer(503, {}), 4],
    ['create after 503', creates, answer(503, {}), 1],
    ['action after 503', actions, answer(503, {}), 1],
    ['action after 429', actions, answer(429, {}), 4],
    ['read after 404', reads, answer(404, { errors: ['not found'] }), 1],
    ['write after 422', writes, answer(422, { errors: ['no'] }), 1],
    ['read after HTML', reads, answer(200, '<html>', { 'content-type': 'text/html' }), 1],
  ])('%s: %#', async (_, route, step, attempts) => {
    const { api, sent } = scripted([step]);
    await expect(api.call(route, { address, body: BODY })).rejects.toThrow();
    expect(sent).toHaveLength(attempts);
  });

  test('pauses grow, and the service may ask for longer ones', async () => {
    const { api, pauses } = scripted([
      lost('unknown'),
      lost('unknown'),
      answer(429, {}, { 'retry-after': '7' }),
      answer(200, RECORD),
    ]);
    await api.call(reads, { address });
    expect(pauses).toEqual([200, 400, 7000]);
  });
});

describe('what an answer becomes', () => {
  test.each<[string, WireResponse, keyof typeof errors]>([
    ['HTML with 200', answer(200, '<html>', { 'content-type': 'text/html' }), 'ContractError'],
    ['HTML with 404', answer(404, '<html>', { 'content-type': 'text/html' }), 'ContractError'],
    ['HTML with 502', answer(502, '<html>', { 'content-type': 'text/html' }), 'ServerError'],
    ['a redirect to the sign-in page', answer(302, '', { location: '/users/sign_in' }), 'Unauthenticated'],
    ['another redirect', answer(302, '', { location: '/elsewhere' }), 'ContractError'],
    ['broken JSON', answer(200, '{"ciId":'), 'ContractError'],
    ['another shape', answer(200, { ciId: 'seven' }), 'ContractError'],
    ['an empty answer', answer(200, ''), 'ContractError'],
    ['errors with 200', answer(200, { errors: ['relay failed'] }), 'Unprocessable'],
  ])('%s', async (_, step, name) => {
    const { api } = scripted([step], { attempts: 1 });
    await expect(api.call(routes.assemblies.read, { address })).rejects.toBeInstanceOf(errors[name]);
  });

  test('a delete takes the record or nothing', async () => {
    for (const body of [RECORD, '']) {
      const { api } = scripted([answer(200, body)]);
      await expect(api.call(routes.assemblies.delete, { address })).resolves.toEqual(
        body === '' ? undefined : expect.objectContaining(RECORD),
      );
    }
  });

  test('the inverted state answers of the live service', async () => {
    const call = (step: WireResponse): Promise<unknown> =>
      scripted([step], { dialect: 'classic' }).api.call(routes.operations.setInstanceState, {
        address: { ...address, instance: '9' },
        body: { state: 'replace' },
      });
    await expect(call(answer(422, { errors: [] }))).resolves.toBeDefined();
    await expect(call(answer(200, { errors: ['open change'] }))).rejects.toBeInstanceOf(errors.Unprocessable);
  });
});

describe('the dialect', () => {
  test('is what the service says of itself, without a request of its own', async () => {
    const { api, sent } = scripted([answer(200, RECORD, { [DIALECT_HEADER]: 'classic' })], { dialect: 'auto' });
    await api.call(routes.assemblies.read, { address });
    await expect(api.dialect()).resolves.toBe('classic');
    expect(sent).toHaveLength(1);
  });

  test.each([
    [200, 'classic'],
    [404, 'documented'],
  ])('is asked for once, by a route only one dialect has: %i is %s', async (status, dialect) => {
    const { api, sent } = scripted([{ ...answer(status, {}), headers: { 'content-type': 'application/json' } }], {
      dialect: 'auto',
    });
    await expect(api.dialect()).resolves.toBe(dialect);
    await api.dialect();
    expect(sent.map((request) => request.path)).toEqual(['/clouds/offerings']);
  });

  test('renames the events of attachments both ways', async () => {
    const { api, sent } = scripted([answer(200, { ...RECORD, ciAttributes: { run_on: 'after-add' } })], {
      dialect: 'classic',
    });
    const body = { cms_dj_ci: { ciName: 'motd', ciAttributes: { runs_on: 'after-add' } } };
    const made = await api.call(routes.attachments.create, { address, body });
    expect(sent[0]?.body).toContain('"run_on":"after-add"');
    expect(made.ciAttributes).toEqual({ runs_on: 'after-add' });
  });
});

test('names that could change a path are refused before anything is sent', async () => {
  for (const assembly of ['', '.', '..', 'a/b', 'a\\b', 'a\u0000b']) {
    const { api, sent } = scripted([answer(200, RECORD)]);
    await expect(api.call(routes.assemblies.read, { address: { assembly } })).rejects.toThrow(/cannot stand in a path/);
    expect(sent).toHaveLength(0);
  }
});

test('a token goes over plain http to this machine only', () => {
  const open = (url: string, allowHttp?: boolean): Api =>
    createApi({ url, organization: 'acme', token: TOKEN, ...(allowHttp === undefined ? {} : { allowHttp }) });
  expect(() => open('http://oneops.acme.io')).toThrow(/plain http/);
  for (const url of ['http://127.0.0.1:9090', 'http://localhost', 'http://[::1]:9', 'https://oneops.acme.io'])
    expect(() => open(url)).not.toThrow();
  expect(() => open('http://oneops.acme.io', true)).not.toThrow();
});

test('the token shows in no error and no trace, however printed', async () => {
  const shown: string[] = [];
  const steps: readonly Step[] = [
    answer(401, { error: 'no' }),
    answer(500, {}),
    lost('unknown'),
    answer(200, '<html>'),
    answer(302, '', { location: '/x' }),
  ];
  for (const step of steps) {
    const { api } = scripted([step], { attempts: 1, log: (exchange) => shown.push(JSON.stringify(exchange)) });
    const error = await api.call(routes.assemblies.read, { address }).catch((caught: unknown) => caught);
    shown.push(
      inspect(error, { depth: 9, showHidden: true }),
      JSON.stringify(error),
      String(error),
      (error as Error).stack ?? '',
    );
  }
  const encoded = Buffer.from(`${TOKEN}:`).toString('base64');
  for (const text of shown) {
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain(encoded);
  }
});
