// Instances, their states and actions, and procedures over the wire, in both dialects.
import { DIALECTS, type Procedure, type Record as WireRecord } from '../../api/contract';
import type { Reply } from '../../test/service-caller';
import { type Shop, shopFor, change } from '../../test/shop';

describe.each(DIALECTS)('%s', (dialect) => {
  const classic = dialect === 'classic';
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
  const flow = async (name: string, facts: object = {}, action: object = {}): Promise<object> => ({
    name: 'procedure',
    flow: [
      {
        targetIds: (await instances(of(name, '/instances?instances_state=all'))).map(({ ciId }) => String(ciId)),
        relationName: 'base.RealizedAs',
        direction: 'from',
        execStrategy: 'one-by-one',
        actions: [{ actionName: 'repair', stepNumber: 1, isCritical: true, ...action }],
        ...facts,
      },
    ],
  });
  const run = async (name: string, definition: unknown, facts: object = {}): Promise<Reply> =>
    shop.send('POST', '/acme/operations/procedures', {
      cms_procedure: {
        procedureCiId: '0',
        procedureName: 'repair',
        ciId: String((await component(name)).ciId),
        procedureState: 'active',
        definition: typeof definition === 'string' ? definition : JSON.stringify(definition),
        ...facts,
      },
    });
  const read = (id: number): Promise<Procedure> => shop.get<Procedure>(`/acme/operations/procedures/${id}`);
  const ask = (id: number, procedureState: string): Promise<Reply> =>
    shop.send('PUT', `/acme/operations/procedures/${id}`, { cms_procedure: { procedureState } });

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

  describe('a procedure', () => {
    test('is active with all actions pending when made, then complete with all of them', async () => {
      const made = await shop.ok<Procedure>(run('compute', await flow('compute')));
      expect(made).toMatchObject({
        procedureName: 'procedure',
        procedureState: 'active',
        procedureCiId: 0,
        definition: null,
        currentStep: 0,
      });
      expect(
        made.actions?.map(({ actionState, actionName, execOrder }) => [actionState, actionName, execOrder]),
      ).toEqual([
        ['pending', 'repair', 1],
        ['pending', 'repair', 2],
      ]);
      expect((await read(made.procedureId)).actions?.map(({ actionState }) => actionState)).toEqual([
        'inprogress',
        'pending',
      ]);
      const done = await shop.procedure(made.procedureId, 'complete');
      expect(done.actions?.map(({ actionState }) => actionState)).toEqual(['complete', 'complete']);
    });

    test('waits when pending, and starts when told', async () => {
      const made = await shop.ok<Procedure>(run('compute', await flow('compute'), { procedureState: 'pending' }));
      shop.clock.advance(60_000);
      expect(await read(made.procedureId)).toMatchObject({ procedureState: 'pending', currentStep: 0 });
      expect((await ask(made.procedureId, 'active')).body).toMatchObject({ procedureState: 'active' });
      await shop.procedure(made.procedureId, 'complete');
    });

    test('canceled stays canceled: actions that wait are canceled, one that runs ends', async () => {
      const made = await shop.ok<Procedure>(run('compute', await flow('compute')));
      expect((await ask(made.procedureId, 'canceled')).body).toMatchObject({ procedureState: 'canceled' });
      shop.clock.advance(60_000);
      expect((await read(made.procedureId)).actions?.map(({ actionState }) => actionState)).toEqual([
        'complete',
        'canceled',
      ]);
      for (const state of ['active', 'complete', '']) expect((await ask(made.procedureId, state)).status).toBe(422);
      // Once more changes nothing.
      expect(await ask(made.procedureId, 'canceled')).toMatchObject({
        status: 200,
        body: { procedureState: 'canceled' },
      });
    });

    test('runs an attachment on demand', async () => {
      const actions = await shop.get<{ actionName: string; actionId: number }[]>(of('os', '/actions'));
      const extraInfo = String(actions.at(-1)?.actionId);
      const made = await shop.ok<Procedure>(
        run('os', await flow('os', {}, { actionName: 'user-custom-attachment', extraInfo })),
      );
      expect(made.actions?.[0]).toMatchObject({ extraInfo, actionName: 'user-custom-attachment' });
      await shop.procedure(made.procedureId, 'complete');
    });

    test.each<[string, number, (good: object) => unknown]>([
      ['no JSON', 422, () => 'repair'],
      ['no flow', 422, () => ({ name: 'x' })],
      [
        'targets that are none',
        422,
        () => ({
          flow: [
            {
              relationName: 'base.RealizedAs',
              direction: 'from',
              targetIds: [null],
              actions: [{ actionName: 'repair' }],
            },
          ],
        }),
      ],
      ['ten thousand brackets', 422, () => '['.repeat(10_000)],
      ['a well-formed one', 200, (good) => good],
    ])('of %s answers %i', async (_, status, definition) => {
      expect((await run('compute', definition(await flow('compute')))).status).toBe(status);
    });

    test('does not run at the same time as another on the same records, nor as a deployment unless forced', async () => {
      const made = await shop.ok<Procedure>(run('compute', await flow('compute'), { procedureState: 'pending' }));
      const second = await run('compute', await flow('compute'));
      expect([second.status, second.text]).toEqual([422, expect.stringContaining('(4003)')]);
      await shop.ok(ask(made.procedureId, 'canceled'));
      await shop.ok(shop.prod('PUT', '/platforms/web/components/compute', change({ size: 'M' })));
      await shop.commit('prod');
      await shop.start('prod');
      const third = await run('compute', await flow('compute'));
      expect([third.status, third.text]).toEqual([422, expect.stringContaining('(4007)')]);
      expect((await run('compute', await flow('compute'), { forceExecution: true })).status).toBe(200);
    });

    test('on a record that does not exist reads as a missing right', async () => {
      expect((await run('compute', await flow('compute'), { ciId: '1' })).status).toBe(classic ? 401 : 403);
      expect(await shop.status('GET', '/acme/operations/procedures/1')).toBe(classic ? 500 : 404);
    });

    test('is listed newest first by what was asked, and by nothing not at all', async () => {
      const { ciId } = await component('compute');
      const ids: number[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        const { procedureId } = await shop.ok<Procedure>(run('compute', await flow('compute')));
        await shop.procedure(procedureId, 'complete');
        ids.push(procedureId);
      }
      const list = (query: string): Promise<Reply> => shop.send('GET', `/acme/operations/procedures${query}`);
      const found = async (query: string): Promise<number[]> =>
        (await shop.ok<Procedure[]>(list(query))).map(({ procedureId }) => procedureId);
      expect(await found(`?ciId=${ciId}`)).toEqual([...ids].reverse());
      expect(await found(`?ciId=${ciId}&size=2`)).toEqual([ids[2], ids[1]]);
      expect(await found(`?ns_path=/acme/shop/prod&name=procedure&state=complete`)).toHaveLength(3);
      expect(await found(`?ns_path=/acme/shop/prod&name=another`)).toEqual([]);
      expect(await found(`?ns_path=/acme/shop/prod&state=active`)).toEqual([]);
      expect((await list('')).status).toBe(422);
      expect((await list('?ns_path=/other')).status).toBe(classic ? 401 : 403);
      const [withActions] = await shop.ok<Procedure[]>(list(`?ciId=${ciId}&include_actions=true&size=1`));
      expect(withActions?.actions).toHaveLength(2);
    });
  });
});
