// Laws of single instances, and of switches.
import { type Record as WireRecord } from '../../api/contract';
import { eachDialectInTurn } from '../../test/dialects-in-turn';
import { type Reply } from '../../test/service-caller';
import { type Shop, shopFor } from '../../test/shop';

const OPERATIONS = '/acme/assemblies/shop/operations/environments/prod';

eachDialectInTurn(0, (dialect, classic) => {
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

    test('refuse limits that are none, and scaling of a platform that is not redundant', async () => {
      await shop.deploy('prod');
      expect((await turn('autoreplace', { status: 'enable', replace_after_minutes: 'soon' })).status).toBe(400);
      const errors = ['Autoscale operation is allowed only for platforms with redundant availability.'];
      expect(await turn('autoscale', { status: 'enable' })).toMatchObject({ status: 422, body: { errors } });
    });
  });
});
