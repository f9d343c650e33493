// What the engine is answered by a face: over the embedded service, without an engine.
import { createApi, type ClientOptions } from '../../../api/client';
import { ConnectionFailed, ContractError } from '../../../api/errors';
import { PartialFailure } from '../../errors';
import type { EngineMessage } from '../engine';
import { kinds } from '../../kinds';
import { providerText } from '../../lifecycle/registration';
import { UNKNOWN } from '../../values/plain';
import { createService, fastClock, type Service } from '../../../service';
import { newConnection } from './connection';
import { tagProperties } from './sdk-host';
import { face, type Face, type Host } from './face';
import dynamic from '.';
import { pulumiWords, resolveSettings } from '../../settings';

const TOKEN = 'token-of-the-admin';
const CONFIG: { readonly [key: string]: string } = {
  'oneops:url': 'http://127.0.0.1:1',
  'oneops:organization': 'acme',
  'oneops:token': TOKEN,
};

let service: Service;
let messages: EngineMessage[];

beforeEach(() => {
  service = createService({ database: ':memory:', clock: fastClock(1000), users: [{ name: 'admin', token: TOKEN }] });
  messages = [];
});

afterEach(() => service.close());

/** A face in a separate process; a new one is a new run. */
function newFace(token: string, config: typeof CONFIG = CONFIG, send: ClientOptions['send'] = service.handle): Face {
  const engine = {
    log: (message: EngineMessage) => void messages.push(message),
    whenGone: () => undefined,
    close: () => undefined,
  };
  const resolved = resolveSettings((key) => config[key], {});
  const connection = newConnection(
    resolved,
    async (settings) => createApi({ words: pulumiWords, ...settings, send, attempts: 1 }),
    engine,
  );
  const host: Host = { configure: () => undefined, connection: () => connection };
  const of = kinds.find((kind) => kind.token === token);
  if (!of) throw new Error(`no kind ${token}`);
  return face(of, host);
}

const SHOP = { name: 'shop', owner: 'team@acme.io', description: 'Web shop', __provider: providerText('Assembly') };
const failureOf = async (job: Promise<unknown>): Promise<Error & { [name: string]: unknown }> =>
  job.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: Error & { [name: string]: unknown }) => error,
  );

test('every kind has a face under its token, and nothing else is exported', () => {
  expect(Object.keys(dynamic).sort()).toEqual(kinds.map(({ token }) => token).sort());
});

test('a resource through its whole life: what goes in comes out, with the provider text', async () => {
  const { check, diff, create, read, update } = newFace('Assembly');
  expect(await check({}, SHOP)).toEqual({ inputs: SHOP, failures: [] });
  const { id, outs } = await create(SHOP);
  expect(id).toBe('acme/shop');
  expect(outs).toMatchObject(SHOP);
  expect(await diff(id, outs ?? {}, SHOP)).toEqual({ changes: false });
  const changed = { ...SHOP, description: 'Shop' };
  expect(await diff(id, outs ?? {}, changed)).toEqual({ replaces: [], deleteBeforeReplace: true });
  expect((await update(id, outs ?? {}, changed)).outs).toMatchObject(changed);
  const answer = await read(id, outs);
  expect(answer.inputs).toEqual(changed);
  expect(answer.props).toMatchObject(changed);
  await newFace('Assembly').delete(id, answer.props ?? {});
  expect(await newFace('Assembly').read(id, answer.props)).toEqual({});
});

test('identity replaces, delete first', async () => {
  const { create, diff } = newFace('Assembly');
  const { id, outs } = await create(SHOP);
  expect(await diff(id, outs ?? {}, { ...SHOP, name: 'store' })).toEqual({
    replaces: ['name'],
    deleteBeforeReplace: true,
  });
  expect(await diff(id, outs ?? {}, { ...SHOP, name: UNKNOWN })).toEqual({
    replaces: ['name'],
    deleteBeforeReplace: true,
  });
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
    messages = [];
    const { inputs } = await newFace('Assembly').check({ ...olds }, ruled(declared));
    expect(inputs).toEqual(ruled(declared));
    return messages.map(({ severity, text }) => `${severity} ${text}`);
  };
  expect(await said({}, 'a')).toEqual([]);
  expect(await said(ruled('a'), 'a')).toEqual([
    expect.stringMatching(/^info .*owner stays as it is: drift.yaml:3, by ann/),
  ]);
  expect(await said(ruled('a'), 'b')).toEqual([expect.stringMatching(/^warning .*owner.*drift.yaml:3, by ann/)]);
  // The rule itself is no difference, and a refresh keeps it.
  expect(await newFace('Assembly').diff('acme/shop', outs, ruled('b'))).toEqual({ changes: false });
  expect((await newFace('Assembly').read('acme/shop', outs)).inputs).toEqual(ruled('a'));
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
  const byPlace = Object.fromEntries((failures ?? []).map(({ property, reason }) => [reason.split(':')[0], property]));
  expect(failures).toHaveLength(4);
  expect(byPlace).toMatchObject({ basicAuthPassword: '', 'headers.a': '', 'runsOn[1]': '' });
  expect(failures?.find(({ property }) => property === 'priority')?.reason).toContain('must be a whole number');
  expect(JSON.stringify(failures)).not.toContain('text-secret');
});

test('an unknown in place of anything is no finding', async () => {
  const { failures } = await newFace('Attachment').check(
    {},
    {
      assembly: 'shop',
      platform: 'web',
      component: UNKNOWN,
      name: 'motd',
      priority: UNKNOWN,
      runsOn: ['after-add', UNKNOWN],
      headers: UNKNOWN,
      __provider: providerText('Attachment'),
    },
  );
  expect(failures).toEqual([]);
});

test('what the engine cannot keep is refused before anything is sent', async () => {
  const error = await failureOf(newFace('Assembly').create({ ...SHOP, tags: { since: new Date(0) } }));
  expect(error.message).toContain('tags.since is a Date');
  expect(service.journal()).toEqual([]);
});

test('missing configuration stops the first check, and is reported in full once', async () => {
  const { check } = newFace('Assembly', { 'oneops:url': 'http://127.0.0.1:1' });
  const first = await failureOf(check({}, SHOP));
  expect(first.message).toContain('oneops:organization, oneops:token are missing');
  expect(first.stack).toBe('');
  const second = await failureOf(check({}, SHOP));
  expect(second.message).toBe('Assembly shop: not tried: the service is not configured, as said before');
});

test('a refused token is reported in full once, without the token', async () => {
  const { create } = newFace('Assembly', { ...CONFIG, 'oneops:token': 'a-wrong-token' });
  const first = await failureOf(create(SHOP));
  expect(first.message).toMatch(/401[^]*\n {2}.*oneops:token/);
  const second = await failureOf(create({ ...SHOP, name: 'store' }));
  expect(second.message).toMatch(/^Assembly store: not tried again/);
  expect(first.message + second.message).not.toContain('a-wrong-token');
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
  const { create } = newFace('Assembly', CONFIG, () => Promise.reject(answered()));
  expect((await failureOf(create(SHOP))).message).toMatch(/Sign in\n {2}check the address/);
  const second = await failureOf(create({ ...SHOP, name: 'store' }));
  expect(second.message).toBe('Assembly store: the service answered 200 with a page: Sign in, as said before');
  title = 'Maintenance';
  expect((await failureOf(create(SHOP))).message).toMatch(/Maintenance\n {2}check the address/);
});

test('a service that does not answer is reported in full once', async () => {
  const { create } = newFace('Assembly', CONFIG, () =>
    Promise.reject(new ConnectionFailed('nobody listens', 'start it', { method: 'GET', path: '/' }, false)),
  );
  const first = await failureOf(create(SHOP));
  expect(first.message).toContain('nobody listens');
  const second = await failureOf(create({ ...SHOP, name: 'store' }));
  expect(second.message).toBe('Assembly store: not tried again: the service did not answer, as said before');
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
  const connection = newConnection(
    resolveSettings((key) => CONFIG[key], {}),
    async (settings) => createApi({ words: pulumiWords, ...settings, send: service.handle }),
    undefined,
  );
  const error = await failureOf(
    face(failing, { configure: () => undefined, connection: () => connection }).create(SHOP),
  );
  expect(error).toMatchObject({
    id: 'acme/shop',
    properties: { name: 'shop', __provider: SHOP.__provider, __incomplete: true },
  });
  expect((error['reasons'] as readonly string[]).join()).toContain('half done');
});

test('messages go to the row, or to the stack with the subject in front, and hide secrets', () => {
  const connection = newConnection(
    resolveSettings((key) => CONFIG[key], {}),
    () => Promise.reject(new Error('unused')),
    {
      log: (message) => void messages.push(message),
      whenGone: () => undefined,
      close: () => undefined,
    },
  );
  const row = connection.row('urn', 'Deployment prod');
  row.progress('1/3');
  row.progress('1/3');
  row.progress('2/3');
  connection.row(undefined, 'Deployment prod').notice(`with ${TOKEN}`);
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
