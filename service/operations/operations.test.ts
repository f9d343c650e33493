// Instances, their states and actions over the wire, in both dialects.
import { type Record as WireRecord } from '../../api/contract';
import { eachDialectInTurn } from '../../test/dialects-in-turn';
import type { Reply } from '../../test/service-caller';
import { type Shop, shopFor, change } from '../../test/shop';

eachDialectInTurn(1, (dialect, classic) => {
  const shop: Shop = shopFor('each', dialect, async () => {
    await shop.assembly();
    await shop.platform('web');
    await shop.attach('web/os', 'tune', { path: '/opt/tune' }, 'after-add,on-demand');
    await shop.commitDesign();
    await shop.ok(shop.createEnvironment('prod', { east: '1', west: '1' }));
    expect(await shop.deploy('prod')).toBe('complete');
  });

  const OPERATIONS = '/acme/assemblies/shop/operations/environments/prod';
  const of = (component: string, rest = ''): string => `${OPERATIONS}/platforms/web/components/${component}${rest}`;
  const ALL_COMPUTES = of('compute', '/instances?instances_state=all');
  const component = (name: string): Promise<WireRecord> => shop.get(of(name));
  const instances = async (path: string): Promise<WireRecord[]> => shop.get<WireRecord[]>(path);

  describe('instances', () => {
    test.each([
      ['a component', (): string => of('compute', '/instances'), 2],
      ['the machines of a platform', (): string => of('compute', '/instances.json'), 2],
      ['an environment', (): string => `${OPERATIONS}/instances`, 10],
      ['an assembly', (): string => '/acme/assemblies/shop/instances', 10],
    ])('of %s are listed by state', async (_, path, count) => {
      expect(await instances(`${path()}?instances_state=all`)).toHaveLength(count);
      expect(await instances(`${path()}?instances_state=good,notify`)).toHaveLength(count);
      expect(await instances(`${path()}?instances_state=unhealthy`)).toHaveLength(0);
      expect(await instances(path())).toHaveLength(classic ? 0 : count);
    });

    test('show their cloud and that they are committed records', async () => {
      const all = await instances(ALL_COMPUTES);
      expect(all.map((instance) => (instance['deployedTo'] as WireRecord).ciName).sort()).toEqual(['east', 'west']);
      for (const instance of all)
        expect(instance).toMatchObject({ ciState: 'default', opsState: 'good', attrProps: {} });
    });
  });

  describe('the state of one instance', () => {
    const set = async (id: number | string, state: string): Promise<Reply> =>
      shop.send('PUT', of('compute', `/instances/${id}/state`), { state });
    /** Whether the answer says yes: classic has it the wrong way round. */
    const saysYes = ({ status, body }: Reply): boolean =>
      classic ? status === 422 && JSON.stringify(body) === '{"errors":[]}' : status === 200;
    const saysNo = ({ status, body }: Reply): boolean =>
      (classic ? status === 200 : status >= 400 && status < 500) && (body as { errors: string[] }).errors.length > 0;

    test('becomes replace, with what is on it, and back', async () => {
      const [compute] = await instances(ALL_COMPUTES);
      expect(saysYes(await set(compute!.ciId, 'replace'))).toBe(true);
      const marked = (await shop.instances('prod')).filter(({ ciState }) => ciState === 'replace');
      expect(marked.map(({ ciName }) => ciName.split('-')[0]).sort()).toEqual(['compute', 'os']);
      expect(saysYes(await set(compute!.ciId, 'default'))).toBe(true);
      expect((await shop.instances('prod')).every(({ ciState }) => ciState === 'default')).toBe(true);
    });

    test.each([
      ['an unknown state', async () => [(await instances(ALL_COMPUTES))[0]!.ciId, 'broken'] as const],
      ['an instance that is not there', async () => [1, 'replace'] as const],
      ['an instance by name', async () => [(await instances(ALL_COMPUTES))[0]!.ciName, 'replace'] as const],
      ['a component', async () => [(await component('compute')).ciId, 'replace'] as const],
    ])('refuses %s', async (_, facts) => {
      const [id, state] = await facts();
      expect(saysNo(await set(id, state))).toBe(true);
      expect((await shop.instances('prod')).every(({ ciState }) => ciState === 'default')).toBe(true);
    });

    test('does not change while a change of it waits for its deployment', async () => {
      await shop.ok(shop.prod('PUT', '/platforms/web/components/compute', change({ size: 'M' })));
      await shop.commit('prod');
      const [compute] = await instances(ALL_COMPUTES);
      expect(saysNo(await set(compute!.ciId, 'replace'))).toBe(true);
    });
  });

  test('the state of several is set for all of them or for none', async () => {
    const ids = (await instances(ALL_COMPUTES)).map(({ ciId }) => ciId);
    const set = (sent: unknown[]): Promise<Reply> =>
      shop.send('PUT', '/acme/operations/instances/state', { ids: sent, state: 'replace' });
    expect((await set([...ids, 1])).status).toBe(404);
    expect((await shop.instances('prod')).every(({ ciState }) => ciState === 'default')).toBe(true);
    expect(await set(ids)).toMatchObject({ status: 200, body: true });
  });

  test('actions are those of the class, then attachments on demand', async () => {
    const actions = await shop.get<{ actionName: string; actionId: number; description: string }[]>(
      of('os', '/actions'),
    );
    expect(actions[0]?.actionName).toBe('repair');
    expect(actions.at(-1)).toMatchObject({ actionName: 'user-custom-attachment', description: 'tune' });
    const ids = actions.map(({ actionId }) => actionId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
