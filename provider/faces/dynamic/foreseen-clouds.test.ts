// A cloud that nobody has is an error of the preview, before the design is touched; an unchanged environment asks for no cloud.
import { createApi } from '../../../api/client';
import { createService, fastClock, type Service } from '../../../service';
import { kinds } from '../../kinds';
import { providerText } from '../../lifecycle/registration';
import { pulumiWords, resolveSettings } from '../../settings';
import { newConnection } from './connection';
import { face, type Face } from './face';

const TOKEN = 'token-of-the-admin';

let service: Service;
let asked: string[];
beforeEach(() => {
  service = createService({ database: ':memory:', clock: fastClock(1000), users: [{ name: 'admin', token: TOKEN }] });
  asked = [];
});
afterEach(() => service.close());

/** Faces of one process, whose requests go to the embedded service, or nowhere. */
function run(isReachable = true, more: { readonly [key: string]: string } = {}): (token: string) => Face {
  const configuration: { readonly [key: string]: string } = {
    'oneops:url': 'http://127.0.0.1:1',
    'oneops:organization': 'acme',
    'oneops:token': TOKEN,
    'oneops:dialect': 'documented',
    ...more,
  };
  const resolved = resolveSettings((key) => configuration[key], {});
  const connection = newConnection(
    resolved,
    async (settings) =>
      createApi({
        words: pulumiWords,
        ...settings,
        attempts: 1,
        send: (request) => {
          if (request.path !== '/acme/organization') asked.push(`${request.method} ${request.path}`);
          return isReachable ? service.handle(request) : Promise.reject(new Error('the network is down'));
        },
      }),
    undefined,
  );
  const host = { configure: () => undefined, connection: () => connection };
  return (token) =>
    face(
      kinds.find((kind) => kind.token === token)!,
      host,
    );
}

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
  expect(asked).toEqual(['GET /acme/clouds']);
});

test('a stack file has a place for it, which is kept nowhere', async () => {
  const news = { ...environment('eats'), __places: { 'clouds.eats': 'oneops.yaml:9:15' } };
  const { inputs, failures = [] } = await run()('Environment').check({}, news);
  expect(failures[0]?.reason).toMatch(/^oneops\.yaml:9:15: organization acme has no cloud "eats"/);
  expect(inputs).not.toHaveProperty('__places');
});

test('only what is new is requested, once a run', async () => {
  const at = run()('Environment');
  expect((await at.check(environment('eats'), environment('eats'))).failures).toEqual([]);
  expect((await at.check(environment('east', 'west'), environment('west'))).failures).toEqual([]);
  expect(asked).toEqual([]);
  expect((await at.check(environment('east'), environment('east', 'wset'))).failures).toHaveLength(1);
  expect((await at.check({}, environment('nowhere'))).failures).toHaveLength(1);
  expect(asked).toEqual(['GET /acme/clouds']);
});

test('a cloud that the run declares is as good as one that exists', async () => {
  const at = run();
  await at('Cloud').check({}, { name: 'north', location: 'aws', __provider: providerText('Cloud') });
  expect((await at('Environment').check({}, environment('north'))).failures).toEqual([]);
  expect(asked).toEqual(['GET /acme/clouds']);
});

test('an environment without clouds, or with clouds that are not known yet, asks nothing', async () => {
  const { clouds: _, ...without } = environment();
  expect((await run()('Environment').check({}, without)).failures).toEqual([]);
  const unknown = { ...without, clouds: '04da6b54-80e4-46f7-96ec-b56ff0331ba9' };
  expect((await run()('Environment').check({}, unknown)).failures).toEqual([]);
  expect(asked).toEqual([]);
});

test('an offline preview asks nothing, and continues', async () => {
  expect(
    (await run(false, { 'oneops:offlinePreview': 'true' })('Environment').check({}, environment('eats'))).failures,
  ).toEqual([]);
  expect(asked).toEqual([]);
});
