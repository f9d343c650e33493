// Whatever people did: once it is settled, what runs is what is designed, and nothing is left to do.
import fc from 'fast-check';
import { type Record as WireRecord } from '../../api/contract';
import { dialectsInTurn } from '../../test/dialects-in-turn';
import { shopOf, type Shop, named } from '../../test/shop';

const NAMES = ['a', 'b', 'c'] as const;
const CLOUDS = ['east', 'west'] as const;

type Step = (shop: Shop) => Promise<unknown>;

const isClassic = (shop: Shop): boolean => shop.service.dialect === 'classic';
const latest = async (shop: Shop): Promise<{ deploymentId: number; deploymentState: string } | undefined> => {
  const reply = await shop.prod('GET', '/deployments/latest');
  return reply.status === 200 ? (reply.body as { deploymentId: number; deploymentState: string }) : undefined;
};

const name = fc.constantFrom(...NAMES);
const cloud = fc.constantFrom(...CLOUDS);
const step = <T>(
  arbitrary: fc.Arbitrary<T>,
  label: string,
  carry: (shop: Shop, value: T) => Promise<unknown>,
): fc.Arbitrary<{ label: string; run: Step }> =>
  arbitrary.map((value) => ({ label: `${label} ${JSON.stringify(value)}`, run: (shop) => carry(shop, value) }));

/** What people do to a shop; most of it may be refused, none of it may break anything. */
const anyStep = fc.oneof(
  step(
    fc.record({ name, pack: fc.constantFrom('custom', 'custom', 'tomcat') }),
    'platform',
    (shop, { name: ciName, pack }) =>
      shop.design('POST', '/platforms', named(ciName, { source: 'oneops', pack, version: '1' })),
  ),
  step(name, 'remove', (shop, platform) => shop.design('DELETE', `/platforms/${platform}`)),
  step(fc.tuple(name, fc.subarray([...NAMES])), 'link', (shop, [ciName, links]) =>
    shop.design('PUT', `/platforms/${ciName}`, { ...named(ciName, {}), links_to: links }),
  ),
  step(fc.tuple(name, fc.constantFrom('UTC', 'CET', 'EST')), 'edit', (shop, [platform, timezone]) =>
    shop.design('PUT', `/platforms/${platform}/components${isClassic(shop) ? '/os' : ''}`, named('os', { timezone })),
  ),
  step(fc.tuple(name, fc.constantFrom('one', 'two')), 'attach', (shop, [platform, content]) =>
    shop.design(
      'POST',
      `/platforms/${platform}/components/os/attachments`,
      named('motd', {
        content,
        path: '/etc/motd',
        [isClassic(shop) ? 'run_on' : 'runs_on']: 'after-add',
        priority: '1',
      }),
    ),
  ),
  step(name, 'detach', (shop, platform) =>
    shop.design('DELETE', `/platforms/${platform}/components/os/attachments/motd`),
  ),
  step(fc.constant(0), 'commit design', (shop) => shop.commitDesign().catch(() => undefined)),
  step(fc.constantFrom('single', 'redundant'), 'pull', (shop, mode) =>
    shop.prod('POST', '/pull', { platform_availability: { x: 'default', a: mode }, async: 'true' }),
  ),
  step(
    fc.tuple(
      name,
      cloud,
      fc.record(
        { adminstatus: fc.constantFrom('active', 'inactive', 'offline'), priority: fc.constantFrom('1', '2') },
        { requiredKeys: [] },
      ),
    ),
    'configure',
    (shop, [platform, onCloud, attributes]) => shop.configure('prod', platform, onCloud, attributes),
  ),
  step(
    fc.constantFrom({ east: '1' }, { west: '1' }, { east: '1', west: '2' }, { east: '2', west: '1' }),
    'clouds',
    async (shop, clouds) => shop.prod('PUT', '', { cms_ci: {}, clouds: await shop.clouds(clouds) }),
  ),
  step(fc.constant(0), 'commit', (shop) => shop.prod('POST', '/commit', {})),
  step(fc.constant(0), 'deploy', (shop) => shop.start('prod').catch(() => undefined)),
  step(fc.integer({ min: 1, max: 20_000 }), 'wait', async (shop, time) => shop.clock.advance(time)),
  step(fc.constantFrom('paused', 'active', 'canceled'), 'ask', async (shop, state) => {
    const deployment = await latest(shop);
    return deployment === undefined ? undefined : shop.ask(deployment.deploymentId, state);
  }),
  step(fc.tuple(name, fc.constantFrom('compute', 'os', 'fqdn')), 'break', async (shop, [platform, component]) =>
    shop.service.faults.set([
      { effect: 'fail-deployment', record: `${platform}/${component}`, message: 'broken', times: 1 },
    ]),
  ),
  step(fc.nat({ max: 20 }), 'replace', async (shop, index) => {
    const instance = (await shop.instances('prod'))[index];
    return instance === undefined
      ? undefined
      : shop.send('PUT', '/acme/operations/instances/state', { ids: [instance.ciId], state: 'replace' });
  }),
  step(fc.tuple(name, fc.constantFrom('enable', 'disable')), 'switch', async (shop, [platform, verb]) => {
    const reply = await shop.prod('GET', `/platforms/${platform}`);
    return reply.status === 200
      ? shop.prod('PUT', `/${verb}`, { platformCiIds: [(reply.body as WireRecord).ciId] })
      : undefined;
  }),
  step(fc.constant(0), 'discard', (shop) => shop.prod('POST', '/discard')),
);

/** Ends whatever deployment there is. */
async function calm(shop: Shop): Promise<void> {
  await shop.settled('prod');
  for (let turn = 0; turn < 100; turn += 1) {
    const deployment = await latest(shop);
    if (deployment === undefined || ['complete', 'canceled'].includes(deployment.deploymentState)) return;
    shop.clock.advance(5000);
    await shop.ask(deployment.deploymentId, 'canceled');
  }
  throw new Error('a deployment does not end');
}

/** Brings everything to rest: committed, pulled, deployed, enabled, on an active primary cloud. */
async function settle(shop: Shop): Promise<void> {
  shop.service.faults.set([]);
  await calm(shop);
  await shop.commitDesign().catch(() => undefined);
  // A platform whose pack changed under its name needs two pulls and two deployments.
  for (let round = 0; round < 3; round += 1) {
    await shop.prod('POST', '/discard');
    await shop.pull('prod');
    const platforms = await shop.show<WireRecord[]>('/platforms');
    for (const platform of platforms.filter(({ rfcAction }) => rfcAction !== 'delete')) {
      await shop.prod('PUT', '/enable', { platformCiIds: [platform.ciId] });
      await shop.ok(shop.configure('prod', platform.ciName, 'east', { adminstatus: 'active', priority: '1' }));
    }
    expect(['complete', 'nothing']).toContain(await shop.deploy('prod'));
  }
}

describe.each(dialectsInTurn(0))('%s', (dialect) => {
  test('what runs is what is designed once everything is settled, and then there is nothing to do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40 }), async (steps) => {
        const shop = shopOf(dialect);
        try {
          await shop.build({ a: {} }, { east: '1', west: '2' });
          for (const { run } of steps) await run(shop);
          await shop.ok(shop.prod('GET'));
          await calm(shop);
          await shop.prod('POST', '/discard');
          const put = await shop.prod('PUT', '', {
            cms_ci: {},
            clouds: await shop.clouds({ east: '1', west: '2' }),
          });
          expect([200, 422]).toContain(put.status);
          await settle(shop);
          const designed = (await shop.ok<WireRecord[]>(shop.design('GET', '/platforms')))
            .map(({ ciName }) => ciName)
            .sort();
          expect((await shop.platforms('prod')).sort()).toEqual(designed);
          expect(await shop.deploy('prod')).toBe('nothing');
          const running = await shop.running('prod');
          for (const platform of designed) {
            const { consumes } = await shop.manifest('prod', platform);
            const active = consumes
              .filter((link) => link.relationAttributes['adminstatus'] === 'active')
              .map((link) => link.toCi!.ciName);
            const offline = consumes
              .filter((link) => link.relationAttributes['adminstatus'] === 'offline')
              .map((link) => link.toCi!.ciName);
            for (const each of active) expect(running).toContain(`${platform}/fqdn@${each}`);
            for (const each of offline)
              expect(running.filter((path) => path.startsWith(`${platform}/`) && path.endsWith(`@${each}`))).toEqual(
                [],
              );
          }
          expect(running.filter((path) => !designed.includes(path.split('/')[0]!))).toEqual([]);
          expect((await shop.instances('prod')).filter(({ ciState }) => ciState !== 'default')).toEqual([]);
          expect(shop.bugs).toEqual([]);
          expect(shop.service.journal().filter(({ status }) => status >= 500 && !isClassic(shop))).toEqual([]);
        } finally {
          shop.close();
        }
      }),
      { numRuns: 10 },
    );
  }, 60_000);
});
