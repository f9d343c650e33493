// What an import leaves out of the code, and what it says of it.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Api } from '../../../api/client';
import type { Service } from '../../../service';
import { faceRun, serviceForRuns } from '../../../test/world/face-run';
import { type Connection, newConnection } from '../dynamic/connection';
import { received } from './properties';
import { type Route, routes } from '../../../api/contract';
import { stoppable, stoppableReads } from './stopping';

describe('face', () => {
  let service: Service;
  beforeEach(() => {
    service = serviceForRuns();
  });
  afterEach(() => service.close());

  test('an import names the secrets that no code has, without their values, and they are not reported as missing', async () => {
    const run = faceRun({}, service.handle);
    const urn = 'urn:pulumi:dev::shop::oneops:index:Cloud::north';
    const properties = { name: 'north', location: '/acme/_clouds', auth: 'canary' };
    await run.plugin('create', { urn, properties });
    const inputs = received((await run.plugin('read', { urn, id: 'acme/north' })).getInputs()).values;
    expect(inputs).toEqual({ name: 'north', location: '/acme/_clouds/north' });
    expect(run.messages).toEqual([
      {
        severity: 'warning',
        ephemeral: false,
        urn,
        text: expect.stringMatching(/^no code has the secret auth: .*pulumi config set --secret/) as string,
      },
    ]);
    expect(JSON.stringify(run.messages)).not.toContain('canary');
    const checked = await run.plugin('check', { urn, olds: inputs, news: inputs });
    expect(checked.getFailuresList()).toEqual([]);
  });

  test('an import without a secret says nothing', async () => {
    const run = faceRun({}, service.handle);
    const urn = 'urn:pulumi:dev::shop::oneops:index:Cloud::north';
    await run.plugin('create', { urn, properties: { name: 'north', location: 'aws' } });
    await run.plugin('read', { urn, id: 'acme/north' });
    expect(run.messages).toEqual([]);
  });

  test('a record of an organization that does not exist was not deleted with something it is in', async () => {
    const made = faceRun({ 'oneops:organization': 'amce' }, service.handle).plugin('create', {
      urn: 'urn:pulumi:dev::shop::oneops:index:Assembly::shop',
      properties: { name: 'shop', owner: 'team@acme.io' },
    });
    await expect(made).rejects.toThrow(/^cannot create assembly amce\/shop: (?![^]*--refresh)/);
  });
});

// The engine waits for the port first, so a plugin loads the kinds with the first resource.

/** Files that a file loads when it is loaded: types and `import()` cost nothing. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8').replace(/^import type [^;]*;/gm, '');
  for (const [, of = ''] of text.matchAll(/^(?:import|export) (?:[^;']* from )?'(\.[^']*)';/gm)) {
    const target = join(dirname(file), of);
    loadedBy(existsSync(`${target}.ts`) ? `${target}.ts` : join(target, 'index.ts'), seen);
  }
  return seen;
}

test('a plugin loads no kind and no client before its first answer', () => {
  const root = join(__dirname, '..', '..', '..');
  expect([...loadedBy(join(__dirname, 'main.ts'))].map((file) => relative(root, file)).sort()).toEqual([
    'api/errors.ts',
    'provider/faces/plugin/main.ts',
    'provider/faces/plugin/properties.ts',
    'provider/faces/plugin/resource-provider.ts',
    'provider/faces/served.ts',
    'provider/session/settings.ts',
    'provider/values/plain.ts',
    'provider/values/text.ts',
  ]);
});

// What ends when the engine cancels, and what the error says of what is left.

const ADDRESS = { assembly: 'shop', platform: 'web' };
const READ = routes.platforms.read;
const WRITE = routes.platforms.update;
const PATH = 'PUT /acme/assemblies/shop/design/platforms/web';

/** A client whose calls of the given routes are never answered. */
function silentFor(silent: readonly Route[], sent: string[]): Api {
  const call = (route: Route): Promise<unknown> => {
    sent.push(route.name);
    return silent.includes(route) ? new Promise(() => undefined) : Promise.resolve({});
  };
  return { organization: 'acme', call } as object as Api;
}

function connectionTo(api: Api): Connection {
  const connection = newConnection({ problem: 'none', lacksToken: false }, () => Promise.resolve(api), undefined);
  const clock = { now: () => 0, sleep: () => new Promise<void>(() => undefined) };
  return { ...connection, connect: () => Promise.resolve(api), session: { ...connection.session, clock } };
}

const NOTHING = 'canceled\nnothing was written for this resource\n';
const GO_ON = 'run the same command again: it continues from what exists';

test.each([
  ['a read', [READ], [READ], NOTHING],
  [
    'a write that was sent',
    [WRITE],
    [WRITE],
    `canceled\nsent and not answered, so it may have been carried out: ${PATH}\n`,
  ],
  ['a read after a write', [READ], [WRITE, READ], `canceled\ndone before: ${PATH}\n`],
])('%s ends', async (_, silent, calls, message) => {
  const stop = new AbortController();
  const sent: string[] = [];
  const api = await stoppable(connectionTo(silentFor(silent, sent)), stop.signal, 1).connect();
  const work = (async () => {
    for (const route of calls) await api.call(route, { address: ADDRESS });
  })();
  for (const turn of [...calls, 'last']) await Promise.resolve(turn);
  stop.abort();
  await expect(work).rejects.toThrow(`${message}${GO_ON}`);
  sent.length = 0;
  await expect(api.call(READ, { address: ADDRESS })).rejects.toThrow('canceled');
  expect(sent).toEqual([]);
});

test('a write that is answered after the stop is kept: nothing is left open', async () => {
  const stop = new AbortController();
  let answer: (value: object) => void = () => undefined;
  const call = () => new Promise((resolve) => (answer = resolve));
  const api = await stoppable(
    connectionTo({ organization: 'acme', call } as object as Api),
    stop.signal,
    60_000,
  ).connect();
  const write = api.call(WRITE, { address: ADDRESS });
  stop.abort();
  answer({});
  await expect(write).resolves.toEqual({});
});

test('each verb has its own list of what it wrote', async () => {
  const stop = new AbortController();
  const connection = connectionTo(silentFor([READ], []));
  const [first, second] = await Promise.all([1, 2].map(() => stoppable(connection, stop.signal).connect()));
  await first?.call(WRITE, { address: ADDRESS });
  const reads = [first, second].map((api) => api?.call(READ, { address: ADDRESS }));
  stop.abort();
  await expect(reads[0]).rejects.toThrow(PATH);
  await expect(reads[1]).rejects.toThrow(NOTHING);
});

test('a pause ends, and so does a function', async () => {
  const stop = new AbortController();
  const { session } = stoppable(connectionTo(silentFor([], [])), stop.signal);
  const pause = session.clock.sleep(1);
  const read = stoppableReads(silentFor([READ], []), stop.signal).call(READ, { address: ADDRESS });
  stop.abort();
  await expect(pause).rejects.toThrow('canceled');
  await expect(read).rejects.toThrow('canceled');
  await expect(session.clock.sleep(1)).rejects.toThrow('canceled');
});

test('what a destroy sent is said in plain words, with the number of the deployment that goes on, and how to go back', async () => {
  const stop = new AbortController();
  const address = { assembly: 'shop', environment: 'prod' };
  const call = (route: Route): Promise<unknown> =>
    route === routes.deployments.status
      ? new Promise(() => undefined)
      : Promise.resolve(route === routes.deployments.create ? { deploymentId: 4711 } : {});
  const api = await stoppable(connectionTo({ organization: 'acme', call } as object as Api), stop.signal, 1).connect();
  await api.call(routes.environments.disable, { address, body: {} });
  await api.call(routes.environments.commit, { address });
  await api.call(routes.deployments.create, { address, body: {} });
  const wait = api.call(routes.deployments.status, { address: { ...address, deployment: '4711' } });
  stop.abort();
  await expect(wait).rejects.toThrow(
    [
      'canceled',
      'done before: disabled platforms of the environment prod',
      'done before: committed the environment prod',
      'done before: started deployment 4711 of the environment prod, which goes on',
      GO_ON,
      'to go back instead, run pulumi up --refresh: without --refresh, a preview and an up do not see what was sent',
    ].join('\n'),
  );
});

// A plugin whose engine was killed before it asked for anything ends by itself.

const REPOSITORY = join(__dirname, '..', '..', '..');

test('ends when nobody listens at the address of its engine', async () => {
  const words = ['--require', join(REPOSITORY, 'test', 'run-source.cjs'), join(__dirname, 'main.ts'), '127.0.0.1:1'];
  const child = spawn(process.execPath, words, { cwd: REPOSITORY, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    expect(String(port)).toMatch(/^\d+\n$/);
    expect(await once(child, 'exit')).toEqual([1, null]);
  } finally {
    child.kill('SIGKILL');
  }
}, 30_000);
