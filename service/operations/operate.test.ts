// Laws of single instances, of switches, and of how procedures order their steps.
import { DIALECTS, type Procedure, type Record as WireRecord } from '../../api/contract';
import { type Reply } from '../../test/service-caller';
import { type Shop, shopFor } from '../../test/shop';

const OPERATIONS = '/acme/assemblies/shop/operations/environments/prod';

describe.each(DIALECTS)('%s', (dialect) => {
  const classic = dialect === 'classic';
  const shop: Shop = shopFor('each', dialect, async () => {
    await shop.build({ web: { pack: 'mysql' } }, { east: '1', west: '1' });
  });

  const PLATFORM = `${OPERATIONS}/platforms/web`;
  const get = <T = WireRecord>(path: string): Promise<T> => shop.get<T>(path);
  const instancesOf = (component: string): Promise<WireRecord[]> =>
    get<WireRecord[]>(`${PLATFORM}/components/${component}/instances?instances_state=all`);

  describe('an instance', () => {
    beforeEach(async () => {
      expect(await shop.deploy('prod')).toBe('complete');
    });

    test('in full shows what it depends on, and what on it, of its own cloud', async () => {
      const [os] = await instancesOf('os');
      const full = await get<
        WireRecord & { dependsOn: WireRecord[]; dependents: WireRecord[]; deployedTo: WireRecord }
      >(`${PLATFORM}/components/os/instances/${os!.ciId}`);
      const cloud = full.ciName.split('-').at(-2);
      expect(full).toMatchObject({ opsState: 'good', opsEvents: [], rfcId: 0 });
      expect(full.dependsOn.map(({ ciName }) => ciName)).toEqual([`compute-${cloud}-1`]);
      expect(full.dependents.map(({ ciName }) => ciName)).toContain(`mysql-${cloud}-1`);
      expect(full.dependents.every(({ ciName }) => ciName.includes(`-${cloud}-`))).toBe(true);
      expect(await get(`${PLATFORM}/components/os/instances/${os!.ciName}`)).toEqual(full);
      expect(await shop.status('GET', `${PLATFORM}/components/os/instances/os-1-1`)).toBe(404);
    });

    test('whose record is removed is created again by the next deployment', async () => {
      const [compute] = await instancesOf('compute');
      const removed = await shop.send('DELETE', `${PLATFORM}/components/compute/instances/${compute!.ciId}`);
      expect([removed.status, removed.text === '']).toEqual([200, !classic]);
      expect(await instancesOf('compute')).toHaveLength(1);
      expect(await shop.deploy('prod')).toBe('complete');
      expect(await instancesOf('compute')).toHaveLength(2);
    });

    test('is listed by platform and by cloud; environments by the cloud they use', async () => {
      const all = await shop.instances('prod');
      expect(await get<WireRecord[]>(`${PLATFORM}/instances?instances_state=all`)).toEqual(all);
      const east = await get<WireRecord[]>('/acme/clouds/east/instances?instances_state=all');
      expect(east.map(({ ciId }) => ciId)).toEqual(
        all.filter(({ deployedTo }) => deployedTo?.ciName === 'east').map(({ ciId }) => ciId),
      );
      expect(await get<WireRecord[]>('/acme/clouds/east/operations')).toMatchObject([{ ciName: 'prod' }]);
    });

    test('is marked by the short paths too', async () => {
      const [compute] = await instancesOf('compute');
      const one = await shop.send('PUT', `/acme/assemblies/shop/operations/instances/${compute!.ciId}/state`, {
        state: 'replace',
      });
      expect([one.status, classic ? one.text : '']).toEqual(classic ? [422, '{"errors":[]}'] : [200, '']);
      const ids = [compute!.ciId];
      const path = '/acme/assemblies/shop/operations/instances/state';
      expect((await shop.send('PUT', path, { ids, state: 'default' })).body).toBe(true);
      expect((await instancesOf('compute')).every(({ ciState }) => ciState === 'default')).toBe(true);
      expect(await shop.status('PUT', path, { ids: [1], state: 'default' })).toBe(404);
    });
  });

  describe('switches', () => {
    const turn = (name: string, body: object): Promise<Reply> => shop.send('PUT', `${PLATFORM}/${name}`, body);

    test('of a platform that is not committed yet are written into the change that adds it', async () => {
      for (const name of ['autorepair', 'autoreplace', 'autocomply']) {
        expect((await turn(name, { status: 'disable' })).body).toMatchObject({
          rfcAction: 'add',
          ciAttributes: { [name]: 'false' },
        });
      }
      expect(await shop.deploy('prod')).toBe('complete');
      expect(await shop.manifest('prod', 'web')).toMatchObject({
        rfcAction: null,
        ciAttributes: { autorepair: 'false', autoreplace: 'false', autocomply: 'false' },
      });
    });

    test('take limits without a status, and change nothing for a status that is none', async () => {
      await shop.deploy('prod');
      const before = (await shop.manifest('prod', 'web')).ciAttributes;
      const sent = { replace_after_repairs: '4', replace_after_minutes: '60' };
      const reply = await turn('autoreplace', sent);
      expect([reply.status, reply.body]).toMatchObject([200, { ciAttributes: { ...before, ...sent } }]);
      for (const status of ['on', '', null, undefined]) {
        expect((await turn('autorepair', { status })).status).toBe(200);
        expect((await shop.manifest('prod', 'web')).ciAttributes).toEqual({ ...before, ...sent });
      }
    });

    test('are in force immediately, without a release', async () => {
      await shop.deploy('prod');
      for (const name of ['autorepair', 'autoreplace', 'autocomply']) {
        for (const [status, value] of [
          ['disable', 'false'],
          ['enable', 'true'],
        ] as const) {
          expect((await turn(name, { status })).body).toMatchObject({
            rfcAction: null,
            ciAttributes: { [name]: value },
          });
        }
      }
      const replaced = await turn('autoreplace', {
        status: 'enable',
        replace_after_minutes: 30,
        replace_after_repairs: '2',
      });
      expect(replaced.body).toMatchObject({
        ciAttributes: { replace_after_minutes: '30', replace_after_repairs: '2' },
      });
      expect(await shop.deploy('prod')).toBe('nothing');
    });

    test.each([
      ['autoreplace', { status: 'enable', replace_after_minutes: 'soon' }, 400],
      ['autoscale', { status: 'enable' }, 422],
    ])('%s refuses %j', async (name, body, status) => {
      await shop.deploy('prod');
      expect((await turn(name, body)).status).toBe(status);
    });
  });

  describe('a procedure', () => {
    beforeEach(async () => {
      expect(await shop.deploy('prod')).toBe('complete');
    });
    const anchor = async (component: string): Promise<string> =>
      String((await get(`${PLATFORM}/components/${component}`)).ciId);
    const start = async (facts: object): Promise<Procedure> =>
      shop.ok<Procedure>(
        shop.send('POST', '/acme/operations/procedures', { cms_procedure: { procedureState: 'active', ...facts } }),
      );
    const read = (id: number): Promise<Procedure> => get<Procedure>(`/acme/operations/procedures/${id}`);
    const retry = (id: number): Promise<unknown> =>
      shop.ok(shop.send('PUT', `/acme/operations/procedures/${id}`, { cms_procedure: { procedureState: 'active' } }));
    const statesAtEachStep = async (id: number): Promise<string[]> => {
      const seen: string[] = [];
      for (let turn = 0; turn < 100; turn += 1) {
        const { procedureState, actions } = await read(id);
        const states = `${procedureState}: ${actions!.map(({ actionState }) => actionState).join(' ')}`;
        if (states !== seen.at(-1)) seen.push(states);
        if (!['active', 'pending'].includes(procedureState)) return seen;
      }
      throw new Error('not settled');
    };
    const flow = (actions: object[], facts: object = {}): string =>
      JSON.stringify({ flow: [{ relationName: 'base.RealizedAs', direction: 'from', actions, ...facts }] });
    const step = (actionName: string, stepNumber: number, isCritical = true) => ({
      actionName,
      stepNumber,
      isCritical,
    });

    test.each<[string, object, readonly string[]]>([
      [
        'one target after the other, steps in order',
        { execStrategy: 'one-by-one' },
        [
          'active: inprogress pending pending pending',
          'active: complete inprogress pending pending',
          'active: complete complete inprogress pending',
          'active: complete complete complete inprogress',
          'complete: complete complete complete complete',
        ],
      ],
      [
        'all targets at once, steps in order',
        {},
        [
          'active: inprogress inprogress pending pending',
          'active: complete complete inprogress inprogress',
          'complete: complete complete complete complete',
        ],
      ],
    ])('runs %s', async (_, facts, steps) => {
      const definition = flow([step('status', 1), step('reboot', 2)], facts);
      const { procedureId } = await start({ ciId: await anchor('compute'), definition });
      expect(await statesAtEachStep(procedureId)).toEqual(steps);
    });

    test('stops at a critical failure and not at another; a retry continues where it stopped', async () => {
      shop.service.faults.set([{ effect: 'fail-deployment', record: 'web/compute#status', message: 'no', times: 2 }]);
      const lax = flow([step('status', 1, false), step('reboot', 2)], { execStrategy: 'parallel' });
      const first = await start({ ciId: await anchor('compute'), definition: lax });
      expect((await statesAtEachStep(first.procedureId)).at(-1)).toBe('complete: failed failed complete complete');
      shop.service.faults.set([{ effect: 'fail-deployment', record: 'web/compute#reboot', message: 'no', times: 1 }]);
      const strict = flow([step('status', 1), step('reboot', 2)], { execStrategy: 'parallel' });
      const second = await start({ ciId: await anchor('compute'), definition: strict });
      expect((await statesAtEachStep(second.procedureId)).at(-1)).toBe('failed: complete complete failed complete');
      await retry(second.procedureId);
      expect(await statesAtEachStep(second.procedureId)).toEqual([
        'active: complete complete inprogress complete',
        'complete: complete complete complete complete',
      ]);
    });

    test('fails at an action that the class of its target does not have', async () => {
      const { procedureId } = await start({ ciId: await anchor('compute'), definition: flow([step('rebot', 1)]) });
      expect((await statesAtEachStep(procedureId)).at(-1)).toMatch(/^failed: failed/);
      const again = { ciId: await anchor('compute'), definition: flow([step('rebot', 1, false), step('reboot', 2)]) };
      expect((await statesAtEachStep((await start(again)).procedureId)).at(-1)).toMatch(
        /^complete: failed .*complete$/,
      );
    });

    test('of the pack is run by its number, without its own definition', async () => {
      const procedures = await get<WireRecord[]>(`${PLATFORM}/procedures`);
      expect(procedures.map(({ ciName }) => ciName)).toContain('snapshot');
      const { ciId } = await shop.manifest('prod', 'web');
      const snapshot = procedures.find(({ ciName }) => ciName === 'snapshot')!;
      const made = await start({ procedureCiId: String(snapshot.ciId), ciId: String(ciId) });
      expect(made).toMatchObject({ procedureName: 'snapshot', procedureCiId: snapshot.ciId });
      expect(made.actions!.length).toBeGreaterThan(0);
      expect((await statesAtEachStep(made.procedureId)).at(-1)).toMatch(/^complete:/);
      const none = { cms_procedure: { procedureCiId: '1', ciId: String(ciId) } };
      expect(await shop.status('POST', '/acme/operations/procedures', none)).toBe(422);
    });

    test('shows what was logged of its actions, and why one failed until it is tried again', async () => {
      shop.service.faults.set([
        { effect: 'fail-deployment', record: 'web/compute#reboot', message: 'no power in the rack', times: 1 },
      ]);
      const { procedureId } = await start({ ciId: await anchor('compute'), definition: flow([step('reboot', 1)]) });
      await statesAtEachStep(procedureId);
      const status = await get<
        Procedure & { log_data: { id: number; logData: { level: string; message: string }[] }[] }
      >(`/acme/operations/procedures/${procedureId}/status`);
      expect(status.log_data.map(({ id }) => id)).toEqual(status.actions!.map(({ actionId }) => actionId));
      expect(status.log_data[0]?.logData.at(-1)).toMatchObject({ level: 'ERROR', message: 'no power in the rack' });
      expect(await get(`/acme/operations/procedures/${procedureId}/log_data`)).toEqual(status.log_data);
      await retry(procedureId);
      expect(JSON.stringify(await get(`/acme/operations/procedures/${procedureId}/log_data`))).not.toContain('power');
    });
  });
});
