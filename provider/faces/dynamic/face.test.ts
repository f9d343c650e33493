// What the engine is answered by a face: over the embedded service, without an engine.
import fc from 'fast-check';
import { type ClientEvent, type ClientOptions, createApi } from '../../../api/client';
import { ContractError } from '../../../api/errors';
import { PartialFailure } from '../../errors';
import type { EngineMessage } from '../engine';
import { kinds } from '../../kinds';
import { providerText } from '../../lifecycle/registration';
import type { Service } from '../../../service';
import { faceRun, serviceForRuns } from '../../../test/world/face-run';
import { traceLine } from './connection';
import { tagProperties, withInputs } from './sdk-host';
import { face, type Face, plain } from './face';
import dynamic from '.';
import { routes } from '../../../api/contract';

type Send = NonNullable<ClientOptions['send']>;

describe('face', () => {
  let service: Service;
  let messages: readonly EngineMessage[];
  beforeEach(() => {
    service = serviceForRuns();
  });
  afterEach(() => service.close());

  /** A face in a separate process; a new one is a new run. */
  function newFace(token: string, settings: Parameters<typeof faceRun>[0] = {}, send: Send = service.handle): Face {
    const run = faceRun(settings, send);
    ({ messages } = run);
    return run.dynamic(token);
  }

  const SHOP = { name: 'shop', owner: 'team@acme.io', description: 'Web shop', __provider: providerText('Assembly') };
  const failureOf = (job: Promise<unknown>): Promise<Error & { [name: string]: unknown }> =>
    job.then(
      () => Promise.reject(new Error('it succeeded')),
      (error: Error & { [name: string]: unknown }) => error,
    );

  test('every kind has a face under its token, and nothing else is exported', () => {
    expect(Object.keys(dynamic).sort()).toEqual(kinds.map(({ token }) => token).sort());
  });

  test('state without a provider text is repaired by an update', async () => {
    const { create, diff } = newFace('Assembly');
    const { id, outs } = await create(SHOP);
    const { __provider: _, ...bare } = outs ?? {};
    expect(await diff(id, bare, SHOP)).toEqual({ changes: true });
  });

  describe('arguments that need no request when they change', () => {
    const quietly = { ...SHOP, existing: true };

    test('are kept in state without one: a delete has nothing else to go by', async () => {
      const { create, diff, update } = newFace('Assembly');
      const { id, outs = {} } = await create(SHOP);
      const sent = service.journal().length;
      expect(await diff(id, outs, quietly)).toEqual({});
      const updated = (await update(id, outs, quietly)).outs ?? {};
      expect(updated).toEqual({ ...outs, existing: true });
      expect(await diff(id, updated, quietly)).toEqual({ changes: false });
      await newFace('Assembly').delete(id, updated);
      expect(service.journal()).toHaveLength(sent);
    });

    test('leave state when they are taken back, and what becomes ours is written', async () => {
      await newFace('Assembly').create({ ...SHOP, description: 'of somebody else' });
      const { create, update } = newFace('Assembly');
      const { id, outs = {} } = await create(quietly);
      await expect(update(id, outs, SHOP)).rejects.toThrow(/already there and differs/);
      const ours = (await update(id, outs, { ...SHOP, adopt: true })).outs ?? {};
      expect(ours).not.toHaveProperty('existing');
      expect((await newFace('Assembly').read(id, ours)).inputs).toMatchObject({ description: 'Web shop' });
    });

    test('do not hide a retry after a partial failure', async () => {
      const { create, diff } = newFace('Assembly');
      const { id, outs = {} } = await create(SHOP);
      expect(await diff(id, { ...outs, __incomplete: true }, { ...SHOP, adopt: true })).toEqual({ changes: true });
    });
  });

  test('check, diff and what they refuse send nothing', async () => {
    const { check, diff } = newFace('Assembly');
    await check({}, { ...SHOP, owner: 'nobody', nme: 1 });
    await diff('acme/shop', SHOP, { ...SHOP, description: 'other' });
    expect(service.journal()).toEqual([]);
  });

  test('a rule of the file is said on the row, and warned of when the value that it keeps is another in the file', async () => {
    const ruled = (declared: string) => ({ ...SHOP, __ignored: { owner: { rule: 'drift.yaml:3, by ann', declared } } });
    const { outs = {} } = await newFace('Assembly').create(ruled('a'));
    const said = async (olds: object, declared: string): Promise<readonly string[]> => {
      const { inputs } = await newFace('Assembly').check({ ...olds }, ruled(declared));
      expect(inputs).toEqual(ruled(declared));
      return messages.map(({ severity, text }) => `${severity} ${text}`);
    };
    expect(await said({}, 'a')).toEqual([expect.stringMatching(/: is already there, .* takes it over$/)]);
    expect(await said(ruled('a'), 'a')).toEqual([
      expect.stringMatching(/^info .*owner is left as the service has it: drift.yaml:3, by ann/),
    ]);
    expect(await said(ruled('a'), 'b')).toEqual([expect.stringMatching(/^warning .*owner.*drift.yaml:3, by ann/)]);
    // The rule itself is no difference, and a refresh keeps it.
    expect(await newFace('Assembly').diff('acme/shop', outs, ruled('b'))).toEqual({ changes: false });
    expect((await newFace('Assembly').read('acme/shop', outs)).inputs).toEqual(ruled('a'));
    // The engine keeps the inputs that it has, where an answer has none.
    const known = withInputs({ ...outs }, ruled('a'));
    expect(await newFace('Assembly').read('acme/shop', known)).not.toHaveProperty('inputs');
  });

  test.each([
    [['description'], ['description']],
    [['owner'], []],
  ])(
    'replaceOnChanges: %j is decided by the face, and a change of what is ignored is not shown',
    async (given, replaces) => {
      const { outs = {} } = await newFace('Assembly').create({ ...SHOP, __ignored: { owner: {} } });
      const { check, diff } = newFace('Assembly');
      const news = { ...SHOP, description: 'other' };
      expect((await check(SHOP, { ...news, __options: { replaceOnChanges: given } })).inputs).toEqual(news);
      expect(await diff('acme/shop', outs, news)).toEqual({ replaces, deleteBeforeReplace: true, changes: true });
      const prod = { assembly: 'shop', name: 'prod', __designRelease: '1' };
      const edited = { ...prod, __configured: ['web/east/pctScale'], description: 'other' };
      expect(await newFace('Environment').diff('acme/shop/prod', edited, prod)).toMatchObject({ changes: true });
    },
  );

  test('an argument that nobody writes is compared if the program gives one, and else is nobody’s', async () => {
    const release = { assembly: 'shop', __provider: providerText('DesignRelease') };
    const imported = { ...release, __stamps: '1 2', __environments: ['prod'] };
    const { diff } = newFace('DesignRelease');
    const given = { ...release, __environments: ['prod'] };
    const changes = async (news: typeof release): Promise<unknown> => (await diff('acme/shop', imported, news)).changes;
    expect(await changes(release)).toBe(false);
    expect(await changes({ ...given, __stamps: '1 2' } as typeof given)).toBe(false);
    expect(await changes({ ...given, __stamps: '3' } as typeof given)).toBe(true);
    // The engine compares what the face does not judge.
    expect(await changes(given)).toBeUndefined();
  });

  test('failures name plain arguments only: the engine prints the value of a named one', async () => {
    const { failures } = await newFace('Attachment').check(
      {},
      {
        assembly: 'shop',
        platform: 'web',
        component: 'deployer',
        name: 'motd',
        source: 'http://files.acme.io',
        basicAuthPassword: { not: 'text-secret' },
        headers: { a: { b: 'c' } },
        priority: 'many',
        runsOn: ['after-add', 'afteradd'],
        __provider: providerText('Attachment'),
      },
    );
    const byPlace = Object.fromEntries(
      (failures ?? []).map(({ property, reason }) => [reason.split(':')[0], property]),
    );
    expect(failures).toHaveLength(4);
    expect(byPlace).toMatchObject({ basicAuthPassword: '', 'headers.a': '', 'runsOn[1]': '' });
    expect(failures?.find(({ property }) => property === 'priority')?.reason).toContain('must be a whole number');
    expect(JSON.stringify(failures)).not.toContain('text-secret');
  });

  test('a page in place of the service is reported in full once, another one too', async () => {
    let title = 'Sign in';
    const answered = (): ContractError =>
      new ContractError(`the service answered 200 with a page: ${title}`, 'check the address', {
        method: 'GET',
        path: '/',
        status: 200,
        elsewhere: true,
      });
    const { create } = newFace('Assembly', {}, () => Promise.reject(answered()));
    expect((await failureOf(create(SHOP))).message).toMatch(/Sign in\n {2}check the address/);
    const second = await failureOf(create({ ...SHOP, name: 'store' }));
    expect(second.message).toBe('Assembly store: the service answered 200 with a page: Sign in, as said before');
    title = 'Maintenance';
    expect((await failureOf(create(SHOP))).message).toMatch(/Maintenance\n {2}check the address/);
  });

  test('trouble with one resource is reported in full each time', async () => {
    const { create } = newFace('Platform');
    const platform = {
      assembly: 'none',
      name: 'web',
      source: 'oneops',
      pack: 'tomcat',
      version: '1',
      __provider: providerText('Platform'),
    };
    const [first, second] = [await failureOf(create(platform)), await failureOf(create(platform))];
    expect(first.message).toContain('cannot create platform acme/none/web');
    expect(second.message).toBe(first.message);
  });

  test('a partial failure keeps id, outputs with the provider text, and reasons', async () => {
    const of = { ...(kinds[0] as (typeof kinds)[number]) };
    const failing = {
      ...of,
      verbs: {
        ...of.verbs,
        create: () =>
          Promise.reject(new PartialFailure({ id: 'acme/shop', outputs: { name: 'shop' }, reasons: ['half done'] })),
      },
    };
    const error = await failureOf(face(failing, faceRun().host).create(SHOP));
    expect(error).toMatchObject({
      id: 'acme/shop',
      properties: { name: 'shop', __provider: SHOP.__provider, __incomplete: true },
    });
    expect((error['reasons'] as readonly string[]).join()).toContain('half done');
  });

  test('messages go to the row, or to the stack with the subject in front, and hide secrets', () => {
    const { connection, messages } = faceRun({ 'oneops:token': 'canary-token' });
    const row = connection.row('urn', 'Deployment prod');
    row.progress('1/3');
    row.progress('1/3');
    row.progress('2/3');
    connection.row(undefined, 'Deployment prod').notice('with canary-token');
    expect(messages).toEqual([
      { text: '1/3', urn: 'urn', severity: 'info', ephemeral: true },
      { text: '2/3', urn: 'urn', severity: 'info', ephemeral: true },
      { text: 'Deployment prod: with [secret]', severity: 'info', ephemeral: false },
    ]);
  });

  test('with --replace the engine asks check once, as new, and for no diff: its own delete deletes, that of another name does not', async () => {
    const { outs = {} } = await newFace('Assembly').create(SHOP);
    const urn = 'urn:pulumi:dev::shop::pulumi-nodejs:dynamic/oneops:Assembly::shop';
    const said = (properties: object, of = urn): { [name: string]: unknown } => {
      const request = { getUrn: () => of, getNews: () => ({ toJavaScript: () => ({ ...properties }) }) };
      tagProperties(request, 'getNews');
      return request.getNews().toJavaScript();
    };
    const renamed = newFace('Assembly');
    await renamed.check({}, said(SHOP));
    await renamed.delete('acme/shop', said(outs, `${urn}-before`));
    expect(await newFace('Assembly').read('acme/shop', outs)).toMatchObject({
      id: 'acme/shop',
      props: { ciId: outs['ciId'] },
    });
    const next = newFace('Assembly');
    await next.check({}, said(SHOP));
    await next.delete('acme/shop', said(outs));
    const made = await next.create(said(SHOP));
    expect(made.outs?.['ciId']).not.toBe(outs['ciId']);
  });

  test('what the engine replaces by an option or a flag, although its diff does not, is deleted', async () => {
    const assemblies = newFace('Assembly');
    const { outs = {} } = await assemblies.create(SHOP);
    const next = newFace('Assembly');
    // As the engine does it: once with what it knows, again as new, and then the delete comes first.
    await next.check(SHOP, { ...SHOP, description: 'second' });
    await next.diff('acme/shop', outs, { ...SHOP, description: 'second' });
    await next.check({}, { ...SHOP, description: 'second' });
    await next.delete('acme/shop', outs);
    const made = await next.create({ ...SHOP, description: 'second' });
    expect(made.outs?.['ciId']).not.toBe(outs['ciId']);
  });
});

// Laws of plain(): the engine can keep what comes out.

test('whatever JSON can say comes out as it is', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      // JSON itself turns -0 into 0, and so does the engine.
      expect(JSON.stringify(plain(value))).toBe(JSON.stringify(value));
    }),
  );
});

test('undefined is dropped from maps at any depth, and nothing else', () => {
  expect(plain({ a: undefined, b: { c: undefined, d: [1, { e: undefined }] }, f: null })).toEqual({
    b: { d: [1, {}] },
    f: null,
  });
  expect(JSON.stringify(plain({ a: undefined }))).toBe('{}');
});

test('the argument is left alone', () => {
  const value = { a: { b: undefined, c: [undefined] } };
  plain(value);
  expect(value).toStrictEqual({ a: { b: undefined, c: [undefined] } });
});

// What a trace reports of each step of a request, without what was sent.

const linesOf = async (statuses: readonly number[]): Promise<readonly string[]> => {
  const events: ClientEvent[] = [];
  const left = [...statuses];
  let clock = 0;
  const api = createApi({
    url: 'http://127.0.0.1',
    organization: 'acme',
    token: 'canary-token',
    dialect: 'documented',
    observe: (event) => events.push(event),
    pause: () => Promise.resolve(),
    random: () => 0.5,
    now: () => (clock += 12),
    send: () => Promise.resolve({ status: left.shift() ?? 200, headers: {}, body: '[]' }),
  });
  await api.call(routes.assemblies.list, { query: { name: 'shop' } }).catch(() => undefined);
  return events.map(traceLine).filter((line) => line !== undefined);
};

test.each([
  [[200], ['200 in 12 ms, attempt 1']],
  [
    [503, 200],
    ['503 in 12 ms, attempt 1', 'ServerError, attempt 1: again in 200 ms', '200 in 12 ms, attempt 2'],
  ],
  [[403], ['403 in 12 ms, attempt 1', 'Forbidden, attempt 1: given up (final)']],
])('a request that is answered %j', async (statuses, lines) => {
  expect(await linesOf(statuses)).toEqual(lines.map((line) => `GET /acme/assemblies?name=shop ${line}`));
});

// A cloud that nobody has is an error of the preview, before the design is touched.
describe('foreseen clouds', () => {
  let service: Service;
  beforeEach(() => {
    service = serviceForRuns();
  });
  afterEach(() => service.close());

  /** Faces of one process. */
  const run = (settings: Parameters<typeof faceRun>[0] = {}) =>
    faceRun({ 'oneops:dialect': 'documented', ...settings }, service.handle).dynamic;
  const asked = (): readonly string[] => service.journal().map(({ method, path }) => `${method} ${path}`);

  const environment = (...clouds: readonly string[]) => ({
    assembly: 'shop',
    name: 'prod',
    clouds: Object.fromEntries(clouds.map((name) => [name, { priority: 1 }])),
    __provider: providerText('Environment'),
  });

  test('a misspelt cloud fails the check, and the sentence names the one that was meant', async () => {
    const { failures } = await run()('Environment').check({}, environment('eats', 'west'));
    expect(failures).toEqual([
      { property: '', reason: 'clouds.eats: organization acme has no cloud "eats": did you mean "east"?' },
    ]);
    expect(asked()).toEqual(['GET /acme/clouds']);
  });

  test('a stack file has a place for it, which is kept nowhere', async () => {
    const news = { ...environment('eats'), __places: { 'clouds.eats': 'oneops.yaml:9:15' } };
    const { inputs, failures = [] } = await run()('Environment').check({}, news);
    expect(failures[0]?.reason).toMatch(/^oneops\.yaml:9:15: organization acme has no cloud "eats"/);
    expect(inputs).not.toHaveProperty('__places');
  });

  test('what is not new is not judged, and the clouds are requested once a run', async () => {
    const at = run()('Environment');
    expect((await at.check(environment('eats'), environment('eats'))).failures).toEqual([]);
    expect((await at.check(environment('east', 'west'), environment('west'))).failures).toEqual([]);
    expect((await at.check(environment('east'), environment('east', 'wset'))).failures).toHaveLength(1);
    expect((await at.check({}, environment('nowhere'))).failures).toHaveLength(1);
    expect(asked()).toEqual(['GET /acme/clouds']);
  });

  test('a cloud that the run declares is as good as one that exists', async () => {
    const at = run();
    await at('Cloud').check({}, { name: 'north', location: 'aws', __provider: providerText('Cloud') });
    expect((await at('Environment').check({}, environment('north'))).failures).toEqual([]);
    expect(asked()).toEqual(['GET /acme/clouds']);
  });

  test('an environment without clouds, or with clouds that are not known yet, needs no other request', async () => {
    const { clouds: _, ...without } = environment();
    expect((await run()('Environment').check({}, without)).failures).toEqual([]);
    const unknown = { ...without, clouds: '04da6b54-80e4-46f7-96ec-b56ff0331ba9' };
    expect((await run()('Environment').check({}, unknown)).failures).toEqual([]);
    expect(asked()).toEqual(['GET /acme/clouds', 'GET /acme/clouds']);
  });

  test('an offline preview asks nothing, and continues', async () => {
    const offline = run({ 'oneops:offlinePreview': 'true' })('Environment');
    expect((await offline.check({}, environment('eats'))).failures).toEqual([]);
    expect(asked()).toEqual([]);
  });
});
