// A preview asks the service once, for its clouds: what `up` would fail with fails the preview.
import { listen, type Listening, type Service } from '../../../service';
import { faceRun, serviceForRuns } from '../../../test/world/face-run';
import type { EngineMessage } from '../engine';

const SHOP = { name: 'shop', owner: 'team@acme.io' };

let service: Service;
let listening: Listening;
beforeAll(async () => {
  service = serviceForRuns();
  listening = await listen(service, { port: 0 });
});
afterAll(async () => {
  await listening.close();
  service.close();
});

interface Run {
  readonly check: (name: string) => Promise<unknown>;
  readonly create: (name: string) => Promise<unknown>;
  readonly update: (name: string, noted: string) => Promise<unknown>;
  readonly messages: readonly EngineMessage[];
}

type Settings = { readonly [key: string]: string | undefined };

const urnOf = (name: string): string => `urn:pulumi:dev::shop::oneops:index:Assembly::${name}`;

function newRun(
  of: 'dynamic' | 'plugin',
  settings: Settings,
  environment: { readonly [name: string]: string } = {},
): Run {
  const run = faceRun({ 'oneops:url': listening.url, ...settings }, undefined, environment);
  const { check, create, update } = run.dynamic('Assembly');
  const [call, own] = [run.plugin, (name: string) => ({ ...SHOP, name })];
  const isPlugin = of === 'plugin';
  return {
    check: (name) => (isPlugin ? call('check', { urn: urnOf(name), news: own(name) }) : check({}, own(name))),
    create: (name) => (isPlugin ? call('create', { urn: urnOf(name), properties: own(name) }) : create(own(name))),
    update: (name, noted) => {
      const [id, olds, news] = [`acme/${name}`, { ...own(name), __api: noted }, { ...own(name), tags: { a: 'b' } }];
      return isPlugin ? call('update', { urn: urnOf(name), id, olds, news }) : update(id, olds, news);
    },
    messages: run.messages,
  };
}

const messageOf = (job: Promise<unknown>): Promise<string> =>
  job.then(
    () => 'it succeeded',
    (error: Error) => error.message,
  );

const WRONG = { 'oneops:token': 'a-wrong-token' };
const UNSET = { 'oneops:organization': undefined, 'oneops:token': undefined };

describe.each(['dynamic', 'plugin'] as const)('%s', (of) => {
  test.each<[string, Settings, RegExp, string]>([
    ['nothing listens', { 'oneops:url': 'http://127.0.0.1:1' }, /127\.0\.0\.1:1/, ' again: the service did not answer'],
    ['the token is refused', WRONG, /401[^]*\n {2}.*oneops:token/, ' again: the service refused access'],
    ['nothing is set', UNSET, /:organization, oneops:token are missing/, ': the service is not configured'],
  ])('%s: a preview and a write say so in full once, without the token', async (_, settings, words, inShort) => {
    for (const verb of ['check', 'create'] as const) {
      const run = newRun(of, settings);
      const said = await messageOf(run[verb]('shop'));
      expect(said).toMatch(words);
      expect(said).not.toContain('a-wrong-token');
      expect(await messageOf(run[verb]('store'))).toBe(`Assembly store: not tried${inShort}, as said before`);
    }
  });

  test('an organization that does not exist fails the preview, too', async () => {
    const run = newRun(of, { 'oneops:organization': 'nowhere' });
    for (const verb of ['check', 'create'] as const) expect(await messageOf(run[verb]('shop'))).toMatch(/nowhere/);
    expect(await messageOf(run.check('store'))).toMatch(
      /^Assembly store: not tried: the service did not let this run in/,
    );
  });

  test('an address with a path', async () => {
    const run = newRun(of, { 'oneops:url': `${listening.url}/oneops/ui` });
    const said = await messageOf(run.check('shop'));
    expect(said).toMatch(/404[^]*oneops:url/);
  });

  test('one request, and one list of what exists, however many resources there are', async () => {
    const before = service.journal().length;
    const run = newRun(of, {});
    await Promise.all(['shop', 'store', 'office'].map((name) => run.check(name)));
    const asked = service.journal().slice(before);
    expect(asked.map(({ route }) => route).sort()).toEqual(['assemblies.list', 'clouds.list']);
    expect(run.messages).toEqual([]);
  });

  test.each<[string, Settings, { readonly [name: string]: string }]>([
    ['the setting', { 'oneops:offlinePreview': 'true' }, {}],
    ['the variable', {}, { ONEOPS_OFFLINE_PREVIEW: 'true' }],
  ])('%s switches it off, and the run says so once', async (_, settings, environment) => {
    const run = newRun(of, { 'oneops:url': 'http://127.0.0.1:1', ...settings }, environment);
    await run.check('shop');
    await run.check('store');
    const text = expect.stringMatching(/^oneops:offlinePreview is set: the service was not asked/) as string;
    expect(run.messages).toEqual([{ severity: 'info', ephemeral: false, text }]);
    // A write asks first where the state has another address.
    const { update } = newRun(of, { ...settings }, environment);
    const before = service.journal().length;
    await expect(update('shop', 'http://other.example acme ab.cd')).rejects.toThrow(
      /of this stack is at http:\/\/other/,
    );
    expect(service.journal().slice(before)).toMatchObject([{ route: 'clouds.list' }]);
  });
});
