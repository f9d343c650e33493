// Laws of the client: when it sends again, what an odd answer becomes, and that no token shows anywhere. Which call is sent
// again after which fault is in test/matrix.
import { inspect } from 'node:util';
import {
  allRoutes,
  DIALECT_HEADER,
  INSTANCE_STATE_ROUTES,
  type Route,
  routes,
  type WireRequest,
  type WireResponse,
} from '../contract';
import * as errors from '../errors';
import { type Api, type ClientEvent, type ClientOptions, createApi, OneOps, retryAfterOf, retryBudget } from './index';

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

const lost = (sent: boolean | 'unknown'): Error =>
  new errors.ConnectionFailed('gone', undefined, { method: 'POST', path: '/' }, sent);
const BODY = { cms_ci: { ciName: 'shop', ciAttributes: {} } };
const address = { assembly: 'shop', environment: 'prod', platform: 'web', component: 'c', deployment: '1' };

describe('a request is sent again only where that is safe', () => {
  const reads: Route = routes.assemblies.read;
  const writes: Route = routes.assemblies.update;
  const creates: Route = routes.assemblies.create;
  const actions: Route = routes.environments.commit;

  test('pauses grow, each somewhere between nothing and its most; the service may request longer ones', async () => {
    const script = [lost('unknown'), lost('unknown'), answer(429, {}, { 'retry-after': '7' }), answer(200, RECORD)];
    const { api, pauses } = scripted(script);
    await api.call(reads, { address });
    expect(pauses).toEqual([200, 400, 7000]);
    const many = scripted([lost('unknown')], { attempts: 12, random: () => 1 });
    await expect(many.api.call(reads, { address })).rejects.toThrow();
    expect(many.pauses).toEqual([400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000]);
  });

  test('a wish too long to wait for ends the call, and is reported', async () => {
    const { api, sent, pauses } = scripted([answer(429, {}, { 'retry-after': '3600' })]);
    await expect(api.call(reads, { address })).rejects.toMatchObject({
      retryAfter: 3600,
      hint: expect.stringMatching(/3600 s/),
    });
    expect([sent.length, pauses.length]).toEqual([1, 0]);
  });

  test('a kept connection that was closed is replaced immediately where that is safe, and only once', async () => {
    const stale = new errors.StaleConnection('closed', undefined, { method: 'GET', path: '/' }, 'unknown');
    const read = scripted([stale, answer(200, RECORD)]);
    await read.api.call(reads, { address });
    expect([read.sent.length, read.pauses.length]).toEqual([2, 0]);
    const always = scripted([stale], { attempts: 3 });
    await expect(always.api.call(writes, { address, body: BODY })).rejects.toBe(stale);
    expect([always.sent.length, always.pauses.length]).toEqual([3, 1]);
    for (const route of [creates, actions]) {
      const once = scripted([stale]);
      await expect(once.api.call(route, { address, body: BODY })).rejects.toBe(stale);
      expect(once.sent).toHaveLength(1);
    }
  });

  test('what is not trusted, too large or stopped is final', async () => {
    for (const kind of [errors.Untrusted, errors.TooLarge, errors.Aborted]) {
      const { api, sent } = scripted([new kind('no', undefined, { method: 'GET', path: '/' }, false)]);
      await expect(api.call(reads, { address })).rejects.toBeInstanceOf(kind);
      expect(sent).toHaveLength(1);
    }
  });

  test('a rejection of unknown make is a lost answer', async () => {
    const { api, sent } = scripted([new TypeError('dropped')]);
    await expect(api.call(reads, { address })).rejects.toBeInstanceOf(errors.ConnectionFailed);
    expect(sent).toHaveLength(4);
  });

  test('a signal ends the pause, and nothing is sent after it', async () => {
    const stop = new AbortController();
    const pause: ClientOptions['pause'] = (_, signal) => {
      stop.abort();
      expect(signal).toBe(stop.signal);
      return Promise.resolve();
    };
    const { api, sent } = scripted([lost('unknown')], { pause });
    await expect(api.call(reads, { address, signal: stop.signal })).rejects.toBeInstanceOf(errors.Aborted);
    expect(sent).toHaveLength(1);
  });
});

describe('the budget for repetitions', () => {
  test('ends a storm: a service that stays down is asked once per call in the end', async () => {
    const { api, sent } = scripted([answer(503, {})], { budget: retryBudget(10) });
    for (let call = 0; call < 50; call++)
      await expect(api.call(routes.assemblies.read, { address })).rejects.toBeInstanceOf(errors.ServerError);
    expect(sent).toHaveLength(50 + 10);
  });

  test('is earned back by success, a fifth of a repetition each, up to its most', () => {
    const budget = retryBudget(2);
    const taken = (): number => [budget.take(), budget.take(), budget.take()].filter((got) => got).length;
    expect([taken(), taken()]).toEqual([2, 0]);
    for (let success = 0; success < 5; success++) budget.give();
    expect(taken()).toBe(1);
    for (let success = 0; success < 100; success++) budget.give();
    expect(taken()).toBe(2);
  });

  test('can be shared between clients', async () => {
    const budget = retryBudget(3);
    const clients = [scripted([lost('unknown')], { budget }), scripted([lost('unknown')], { budget })];
    for (const { api } of clients) await expect(api.call(routes.assemblies.read, { address })).rejects.toThrow();
    expect(clients.map(({ sent }) => sent.length)).toEqual([4, 1]);
  });
});

test.each<[string | undefined, number | undefined]>([
  ['0', 0],
  ['120', 120],
  [' 5 ', 5],
  ['Mon, 05 Jan 2026 10:00:30 GMT', 30],
  ['Monday, 05-Jan-26 10:00:30 GMT', 30],
  ['Mon Jan  5 10:00:30 2026 GMT', 30],
  ['Mon, 05 Jan 2026 09:00:00 GMT', 0],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['2026', 2026],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %j is %j seconds', (header, wanted) => {
  expect(retryAfterOf(header, Date.UTC(2026, 0, 5, 10, 0, 0))).toBe(wanted);
});

describe('what a client shows', () => {
  test('each request, answer, repetition and failure, in order', async () => {
    const events: ClientEvent[] = [];
    const { api } = scripted([answer(503, {}), answer(404, {})], {
      observe: (event) => events.push(event),
      now: () => 7,
    });
    await expect(api.call(routes.assemblies.list, {})).rejects.toBeInstanceOf(errors.NotFound);
    const about = { route: 'assemblies.list', method: 'GET', path: '/acme/assemblies' };
    expect(events).toEqual([
      { kind: 'request', ...about, attempt: 1 },
      { kind: 'response', ...about, attempt: 1, status: 503, took: 0 },
      { kind: 'retry', ...about, attempt: 1, pause: 200, error: expect.any(errors.ServerError) },
      { kind: 'request', ...about, attempt: 2 },
      { kind: 'response', ...about, attempt: 2, status: 404, took: 0 },
      { kind: 'error', ...about, attempt: 2, gaveUp: 'final', error: expect.any(errors.NotFound) },
    ]);
  });

  test.each<[string, Step, Partial<ClientOptions>, string]>([
    ['attempts', lost('unknown'), {}, 'attempts'],
    ['budget', lost('unknown'), { budget: retryBudget(0) }, 'budget'],
    ['wait', answer(429, {}, { 'retry-after': '999' }), {}, 'wait'],
    ['final', answer(403, {}), {}, 'final'],
  ])('why it gave up: %s', async (_, step, options, gaveUp) => {
    const events: ClientEvent[] = [];
    const { api } = scripted([step], { ...options, observe: (event) => events.push(event) });
    await expect(api.call(routes.assemblies.list, {})).rejects.toThrow();
    expect(events.at(-1)).toMatchObject({ kind: 'error', gaveUp });
  });

  test('a listener that fails loses no answer', async () => {
    const warned: unknown[] = [];
    const warning = jest.spyOn(process, 'emitWarning').mockImplementation((text) => void warned.push(text));
    const { api } = scripted([answer(200, [])], {
      observe: () => {
        throw new Error('disk full');
      },
    });
    await expect(api.call(routes.assemblies.list, {})).resolves.toEqual([]);
    warning.mockRestore();
    expect(warned).toHaveLength(2);
  });
});

describe('what an answer becomes', () => {
  test.each<[string, WireResponse, keyof typeof errors]>([
    ['HTML with 404', answer(404, '<html>', { 'content-type': 'text/html' }), 'ContractError'],
    ['errors with 200', answer(200, { errors: ['relay failed'] }), 'Unprocessable'],
  ])('%s', async (_, step, name) => {
    const { api } = scripted([step], { attempts: 1 });
    await expect(api.call(routes.assemblies.read, { address })).rejects.toBeInstanceOf(errors[name]);
  });

  test('a redirect to the page for what does not exist is trouble, never absence, and names the organization', async () => {
    const { api } = scripted([answer(302, '', { location: '/not_found_error' })]);
    await expect(api.call(routes.assemblies.delete, { address })).rejects.toMatchObject({
      name: 'ContractError',
      hint: 'check the organization in new OneOps({ organization })',
    });
  });

  test.each(INSTANCE_STATE_ROUTES)('the inverted answers of the live service: %s', async (name) => {
    const route = allRoutes.find((each) => each.name === name) as Route;
    const call = (step: WireResponse): Promise<unknown> =>
      scripted([step], { dialect: 'classic' }).api.call(route, {
        address: { ...address, instance: '9' },
        body: { state: 'replace' },
      });
    await expect(call(answer(422, { errors: [] }))).resolves.toBeDefined();
    await expect(call(answer(200, { errors: ['open change'] }))).rejects.toBeInstanceOf(errors.Unprocessable);
  });
});

describe('the dialect', () => {
  test('is what the service says of itself, without its own request', async () => {
    const { api, sent } = scripted([answer(200, RECORD, { [DIALECT_HEADER]: 'classic' })], { dialect: 'auto' });
    await api.call(routes.assemblies.read, { address });
    await expect(api.dialect()).resolves.toBe('classic');
    expect(sent).toHaveLength(1);
  });

  test.each([
    [200, 'classic'],
    [404, 'documented'],
  ])('is requested once, by a route only one dialect has: %i is %s', async (status, dialect) => {
    const { api, sent } = scripted([{ ...answer(status, {}), headers: { 'content-type': 'application/json' } }], {
      dialect: 'auto',
    });
    await expect(api.dialect()).resolves.toBe(dialect);
    await api.dialect();
    expect(sent.map((request) => request.path)).toEqual(['/clouds/offerings']);
  });

  test.each<[string, Step]>([
    ['no answer', lost('unknown')],
    ['503', answer(503, {}, { [DIALECT_HEADER]: '' })],
    ['429', answer(429, {}, { [DIALECT_HEADER]: '' })],
  ])('trouble says nothing of it: after %s it is asked again, and then again by the next call', async (_, step) => {
    const { api, sent } = scripted([step], { dialect: 'auto' });
    await expect(api.dialect()).rejects.toThrow();
    await expect(api.dialect()).rejects.toThrow();
    expect(sent).toHaveLength(8);
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

describe('hints', () => {
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<title>Proxy</title>' };
  const hintIn = async (words?: errors.SettingWords, given = page): Promise<string | undefined> => {
    const api = createApi({
      url: 'https://oneops.test',
      organization: 'acme',
      token: 'x',
      dialect: 'documented',
      send: () => Promise.resolve(given),
      ...(words === undefined ? {} : { words }),
    });
    const failure: unknown = await api.call(routes.assemblies.list).catch((error: unknown) => error);
    return failure instanceof errors.OneOpsError ? failure.hint : undefined;
  };

  test('name the options of the client, and nothing of Pulumi; of a refused token the address, too', async () => {
    expect(await hintIn(undefined, { status: 401, headers: page.headers, body: '' })).toBe(
      'give the token of a user of https://oneops.test: token in new OneOps({ token })',
    );
    expect(await hintIn()).toBe('check the url in new OneOps({ url }): something before the service may have answered');
    const missing = (): unknown => createApi({ url: 'https://oneops.test', organization: 'acme', token: '' });
    expect(missing).toThrow('give one: set token in new OneOps({ token })');
  });

  test('name the settings as a face over the client says', async () => {
    const words = { ...errors.optionWords, named: (setting: string) => `oneops:${setting}` };
    expect(await hintIn(words)).toBe('check oneops:url: something before the service may have answered');
  });
});

test('names that could change a path are refused before anything is sent', async () => {
  for (const assembly of ['', '.', '..', 'a/b', 'a\\b', 'a\u0000b']) {
    const { api, sent } = scripted([answer(200, RECORD)]);
    await expect(api.call(routes.assemblies.read, { address: { assembly } })).rejects.toThrow(
      /cannot be part of a path/,
    );
    expect(sent).toHaveLength(0);
  }
});

test('a token goes over plain http to this machine only', () => {
  const open = (url: string, allowHttp?: boolean): Api =>
    createApi({ url, organization: 'acme', token: TOKEN, ...(allowHttp === undefined ? {} : { allowHttp }) });
  for (const url of ['http://oneops.acme.io', 'http://localhost.acme.io', 'http://128.0.0.1'])
    expect(() => open(url)).toThrow(/unencrypted/);
  for (const url of ['http://127.0.0.1:9090', 'http://127.8.8.8', 'http://localhost', 'http://[::1]:9'])
    expect(() => open(url)).not.toThrow();
  expect(() => open('https://oneops.acme.io')).not.toThrow();
  expect(() => open('http://oneops.acme.io', true)).not.toThrow();
});

test.each(['', 'oneops', 'ftp://oneops.acme.io', `https://${TOKEN}@oneops.acme.io`])(
  'an address that is none is refused without showing it: %#',
  (url) => {
    const open = (): Api => createApi({ url, organization: 'acme', token: TOKEN });
    expect(open).toThrow(errors.BadSettings);
    expect(open).not.toThrow(TOKEN);
  },
);

describe('the token shows nowhere, however printed:', () => {
  const encoded = Buffer.from(`${TOKEN}:`).toString('base64');
  const shownOf = (value: unknown): string =>
    [
      inspect(value, { depth: 20, showHidden: true, getters: true }),
      JSON.stringify(value) ?? '',
      String(value),
      value instanceof Error ? (value.stack ?? '') : '',
    ].join('\n');

  /** What an HTTP library throws: it contains the complete request. */
  const foreign = Object.assign(new Error(`socket hang up, ${encoded}, Basic ${TOKEN}`), {
    config: { headers: { authorization: `Basic ${encoded}` } },
    request: { _header: `authorization: Basic ${encoded}` },
    cause: new Error(TOKEN),
  });

  test.each<[string, Step]>([
    ['a token that is refused', answer(401, { error: `unknown token ${TOKEN}` })],
    ['a right that is missing', answer(403, { errors: [`${TOKEN} may not`, { user: encoded }] })],
    ['a mistake of the service', answer(500, { code: 500, exception: `nil for Basic ${encoded}` })],
    ['a page', answer(502, `<html><title>502 ${encoded}</title>`, { 'content-type': 'text/html' })],
    ['a page instead of an answer', answer(200, `<title>${TOKEN}</title>`, { 'content-type': 'text/html' })],
    ['errors in an answer', answer(200, { errors: [TOKEN] })],
    ['another shape', answer(200, { ciId: TOKEN })],
    ['a redirect', answer(302, '', { location: `/x?token=${TOKEN}` })],
    ['a lost answer', lost('unknown')],
    ['an error of the HTTP library', foreign],
  ])('%s', async (_, step) => {
    const shown: string[] = [];
    const { api } = scripted([step], { attempts: 2, observe: (event) => shown.push(shownOf(event)) });
    const failure = await api.call(routes.assemblies.read, { address }).catch((caught: unknown) => caught);
    expect(failure).toBeInstanceOf(errors.OneOpsError);
    expect(failure).toMatchObject({ method: expect.any(String), path: expect.any(String) });
    for (const text of [...shown, shownOf(failure)]) {
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain(encoded);
    }
  });

  test('the client itself', () => {
    const settings = { url: 'https://oneops.acme.io', organization: 'acme', token: TOKEN };
    for (const client of [createApi(settings), new OneOps(settings)]) {
      expect(shownOf(client)).not.toContain(TOKEN);
      expect(shownOf(client)).not.toContain(encoded);
    }
  });
});

test('errors in the shape of a document that was loaded become messages, each after the path to what it is about', async () => {
  const body = { variables: {}, errors: { platforms: { db: ['no pack'], web: { components: ['no map'] } } } };
  const messages = ['platforms.db: no pack', 'platforms.web.components: no map'];
  for (const status of [200, 422]) {
    const { api } = scripted([answer(status, body)]);
    const loaded = api.call(routes.design.load, { address, body: { data: 'x: y' } });
    await expect(loaded).rejects.toMatchObject({ status: 422, messages });
  }
});
