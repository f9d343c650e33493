// States of releases, environments and clouds of a platform (service-facts §3.2, §3.8, §3.9).
import { DIALECTS } from '../../api/contract';
import { type Shop, shopFor, change } from '../../test/shop';

describe.each(DIALECTS)('%s', (dialect) => {
  const shop: Shop = shopFor('each', dialect, async () => {
    await shop.assembly();
    await shop.platform('web');
    await shop.commitDesign();
  });
  const born = (clouds: { readonly [cloud: string]: string | { readonly [name: string]: string } }): Promise<unknown> =>
    shop.ok(shop.createEnvironment('prod', clouds));

  describe('an environment', () => {
    /** What takes its time: how it begins, and the state it keeps the environment in. */
    const JOBS: readonly (readonly [string, string, object, string])[] = [
      ['POST', '/commit', {}, 'locked'],
      ['POST', '/force_deploy', {}, 'locked'],
      ['POST', '/deployments', { cms_deployment: { comments: 'go' } }, 'locked'],
      ['POST', '/pull', { platform_availability: { none: 'default' }, async: 'true' }, 'manifest_locked'],
    ];
    const JOBS_AND_PLANS = [
      ...JOBS,
      ['POST', '/deployments/bom', {}, ''] as const,
      ['GET', '/deployments/bom', {}, ''] as const,
    ];

    test.each(JOBS)('while %s %s continues refuses every job and plan', async (method, rest, body, state) => {
      await born({ east: '1' });
      for (const [other, place, sent] of JOBS_AND_PLANS) {
        await shop.ok(shop.prod('POST', '/commit', {}));
        await shop.settled('prod');
        const locked = await shop.ok(shop.prod(method, rest, body));
        expect(locked).toMatchObject({ ciState: state, comments: '' });
        const refused = await shop.prod(other, place, other === 'GET' ? undefined : sent);
        expect([place, refused.status, refused.text]).toEqual([place, 422, expect.stringContaining('locked')]);
        expect((await shop.settled('prod')).comments).toMatch(/^(SUCCESS|ERROR):/);
        // What was deployed is complete by then.
        shop.clock.advance(60_000);
      }
    });
  });

  describe('a cloud of a platform', () => {
    test('that is inactive keeps what it has, and does not take what changed', async () => {
      await born({ east: '1', west: '2' });
      await shop.deploy('prod');
      await shop.ok(shop.configure('prod', 'web', 'west', { adminstatus: 'inactive' }));
      await shop.ok(shop.prod('PUT', '/platforms/web/components/compute', change({ size: 'L' })));
      await shop.deploy('prod');
      const sizes = (await shop.instances('prod'))
        .filter(({ ciName }) => ciName.startsWith('compute-'))
        .map(({ deployedTo, ciAttributes }) => `${deployedTo?.ciName} ${ciAttributes['size']}`);
      expect(sizes.sort()).toEqual(['east L', 'west S']);
    });

    test.each<[string, string, string, readonly string[]]>([
      ['by priority', '1 1', '2 1', ['east', 'west']],
      ['by priority, the other way round', '2 1', '1 1', ['west', 'east']],
      ['by deployment order where priorities are equal', '1 2', '1 1', ['west', 'east']],
      ['at once where both are equal', '1 1', '1 1', ['east+west']],
    ])('comes up %s', async (_, east, west, turns) => {
      const link = (text: string) => {
        const [priority = '', order = ''] = text.split(' ');
        return { priority, dpmt_order: order };
      };
      await born({ east: link(east), west: link(west) });
      const { bom } = await shop.commit('prod');
      const ids = await shop.cloudIds();
      const names = new Map(Object.entries(ids).map(([name, id]) => [String(id), name]));
      const orders = bom!.changes
        .filter(({ ciName }) => ciName.startsWith('compute-'))
        .map(({ ciName, execOrder }) => [execOrder!, names.get(ciName.split('-')[1]!)!] as const)
        .sort(([one, first], [other, second]) => one - other || (first < second ? -1 : 1));
      const steps = new Map<number, string[]>();
      for (const [order, cloud] of orders) steps.set(order, [...(steps.get(order) ?? []), cloud]);
      expect([...steps.values()].map((clouds) => clouds.join('+'))).toEqual(turns);
    });
  });
});
