// Laws of what is written in an environment besides its clouds.
import { type Record as WireRecord, type Relation, type Release } from '../../api/contract';
import { eachDialectInTurn } from '../../test/dialects-in-turn';
import { type Reply } from '../../test/service-caller';
import { type Shop, shopFor, named, change, record } from '../../test/shop';

type Scalable = WireRecord & { readonly depends_on: Relation[] };

eachDialectInTurn(0, (dialect, classic) => {
  const shop: Shop = shopFor('each', dialect);

  /** An environment prod of an assembly with platform web, on east (and west). */
  const born = async (
    mode: 'single' | 'redundant',
    clouds: { readonly [cloud: string]: string | object } = { east: '1' },
  ): Promise<void> => {
    await shop.assembly();
    await shop.platform('web', { pack: 'tomcat' });
    await shop.design('POST', '/variables', named('region', { value: 'design' }));
    await shop.attach('web/os', 'motd', { path: '/etc/motd', content: 'design' });
    await shop.commitDesign();
    await shop.ok(
      shop.createEnvironment('prod', clouds as { [cloud: string]: string }, { availability: { web: mode } }),
    );
  };
  /** The same on east alone, where it runs. */
  const deployed = async (): Promise<void> => {
    await born('single');
    await shop.deploy('prod');
  };
  const get = <T = WireRecord>(rest: string): Promise<T> => shop.show<T>(rest);
  const edit = (): Promise<Scalable> => get<Scalable>('/platforms/web/edit');
  const machines = async (): Promise<string[]> =>
    (await shop.running('prod')).filter((name) => name.startsWith('web/compute@'));
  const openManifest = async (): Promise<string | undefined> =>
    (await shop.prod('POST', '/discard')).status === 200 ? 'open' : undefined;

  describe('scaling', () => {
    const scale = async (relationAttributes: object): Promise<Reply> => {
      const [relation] = (await edit()).depends_on;
      const body = { depends_on: { [String(relation?.toCiId)]: { relationAttributes } } };
      return shop.prod('PUT', '/platforms/web', body);
    };

    test.each<[number, string, string, number, number]>([
      [1, '100', '100', 1, 1],
      [2, '100', '50', 2, 1],
      [3, '100', '50', 3, 2],
      [4, '100', '10', 4, 1],
      [5, '50', '200', 3, 10],
    ])('current %i at %s %% and %s %% is %i and %i machines', async (current, eastScale, westScale, east, west) => {
      await born('redundant', {
        east: { priority: '1', pct_scale: eastScale },
        west: { priority: '1', pct_scale: westScale },
      });
      const answer = await shop.ok<Scalable>(scale({ current: String(current), max: '20' }));
      expect(answer.depends_on[0]).toMatchObject({
        relationAttributes: { current: String(current), flex: 'true' },
        rfcAction: expect.any(String),
      });
      expect(await shop.deploy('prod')).toBe('complete');
      const counts = ['east', 'west'].map(
        async (cloud) => (await machines()).filter((name) => name.endsWith(cloud)).length,
      );
      expect(await Promise.all(counts)).toEqual([east, west]);
    });

    test('of a platform that is single does nothing, and says nothing of it', async () => {
      await deployed();
      expect((await edit()).depends_on).toEqual([]);
      const compute = await get('/platforms/web/components/compute');
      const body = { depends_on: { [String(compute.ciId)]: { relationAttributes: { current: '3' } } } };
      expect((await shop.prod('PUT', '/platforms/web', body)).body).toMatchObject({ depends_on: [] });
      expect(await shop.deploy('prod')).toBe('nothing');
    });

    test.each([
      ['a word for a number', { current: 'many' }],
      ['a negative number', { current: '-1' }],
      ['an attribute that is none', { speed: '9' }],
    ])('refuses %s', async (_, attributes) => {
      await born('redundant');
      expect((await scale(attributes)).status).toBe(422);
    });

    test('by component names the far end, locks what is set, and may say where changes spread', async () => {
      await born('redundant');
      const at = '/platforms/web/components/lb';
      const body = (attributes: object) => ({ depends_on: { compute: { relationAttributes: attributes } } });
      const [changed] = await shop.ok<Relation[]>(
        shop.prod('PUT', `${at}/update_depends_on`, body({ current: '3', propagate_to: 'both' })),
      );
      expect(changed).toMatchObject({
        relationAttributes: { current: '3', propagate_to: 'both' },
        relationAttrProps: { owner: { current: 'manifest', propagate_to: 'manifest' } },
      });
      expect(await get(`${at}/depends_on`)).toMatchObject([{ relationAttributes: { current: '3' } }]);
      expect((await shop.prod('PUT', `${at}/update_depends_on`, { depends_on: { nobody: {} } })).status).toBe(422);
      const component = { cms_dj_ci: {}, ...body({ current: '4' }) };
      await shop.ok(shop.prod('PUT', at, component));
      expect((await edit()).depends_on[0]?.relationAttributes['current']).toBe('4');
    });
  });

  describe('touch', () => {
    test('of several is of all of them or of none', async () => {
      await deployed();
      const all = await get<WireRecord[]>('/platforms/web/components');
      const touch = (componentCiIds: number[]): Promise<Reply> =>
        shop.prod('POST', '/platforms/web/components/touch', { componentCiIds });
      expect((await touch([all[0]!.ciId, 1])).status).toBe(422);
      expect(await openManifest()).toBeUndefined();
      expect((await touch(all.slice(0, 2).map(({ ciId }) => ciId))).body).toHaveLength(2);
      expect(await openManifest()).toBe('open');
    });

    test('comes with a changed priority of a cloud: names follow it', async () => {
      await born('single', { east: '1', west: '1' });
      await shop.deploy('prod');
      const ids = await shop.cloudIds();
      const answer = await shop.prod('PUT', '/platforms/web/cloud_priority', { cloud_id: ids['west'], priority: 2 });
      expect(answer.body).toMatchObject({ relationName: 'base.Consumes', relationAttributes: { priority: '2' } });
      const { bom } = await shop.commit('prod');
      expect(bom?.changes.map(({ ciName }) => ciName.split('-')[0])).toContain('fqdn');
      expect(
        (await shop.prod('PUT', '/platforms/web/cloud_priority', { cloud_id: ids['east'], priority: 2 })).status,
      ).toBe(422);
    });
  });

  describe('versions of a platform', () => {
    const secondVersion = async (): Promise<void> => {
      await deployed();
      await shop.design('PUT', '/platforms/web', change({ major_version: '2' }));
      await shop.commitDesign();
      await shop.pull('prod', { web: 'single' });
    };

    test('one is active; the other can be read by its number and activated', async () => {
      await secondVersion();
      expect(await get('/platforms/web!2')).toMatchObject({
        ciAttributes: { major_version: '2', is_active: 'false' },
      });
      expect(await get('/platforms/web')).toMatchObject({ ciAttributes: { major_version: '1' } });
      await shop.ok(shop.prod(classic ? 'GET' : 'PUT', '/platforms/web!2/activate'));
      expect(await get('/platforms/web')).toMatchObject({ ciAttributes: { major_version: '2', is_active: 'true' } });
    });

    test('the one that is not active can be deleted, the other cannot', async () => {
      await secondVersion();
      expect((await shop.prod('DELETE', '/platforms/web!1')).status).toBe(422);
      expect((await shop.prod('DELETE', '/platforms/web!2')).status).toBe(200);
      expect((await shop.prod('GET', '/platforms/web!2')).status).toBe(404);
    });
  });

  test('toggle disables and enables: the next deployment empties the platform, and fills it again', async () => {
    await deployed();
    const before = await shop.running('prod');
    expect(await shop.ok(shop.prod(classic ? 'GET' : 'PUT', '/platforms/web/toggle'))).toMatchObject({ ciName: 'web' });
    expect(await shop.deploy('prod')).toBe('complete');
    expect(await shop.running('prod')).toEqual([]);
    await shop.ok(shop.prod(classic ? 'GET' : 'PUT', '/platforms/web/toggle'));
    expect(await shop.deploy('prod')).toBe('complete');
    expect(await shop.running('prod')).toEqual(before);
  });

  test('variables follow the design until they are locked, and again when they are unlocked', async () => {
    const redesign = async (value: string): Promise<void> => {
      await shop.design('PUT', '/variables/region', change({ value }));
      await shop.commitDesign();
      await shop.pull('prod');
    };
    const region = async (): Promise<unknown> => (await get('/variables/region')).ciAttributes['value'];
    await deployed();
    expect((await shop.prod('PUT', '/variables/lock', { ciIds: [1] })).status).toBe(404);
    const { ciId } = await get('/variables/region');
    const [locked] = await shop.ok<WireRecord[]>(shop.prod('PUT', '/variables/lock', { ciIds: [ciId] }));
    expect(locked).toMatchObject({ ciAttrProps: { owner: { value: 'manifest' } } });
    await shop.deploy('prod');
    await redesign('second');
    expect(await region()).toBe('design');
    await shop.deploy('prod');
    await shop.ok(shop.prod('PUT', '/variables/unlock', { ciIds: [String(ciId)] }));
    await shop.deploy('prod');
    await redesign('third');
    expect(await region()).toBe('third');
  });

  test.each([
    [
      'an attachment',
      '/platforms/web/components/os/attachments/motd',
      { content: 'here', [classic ? 'run_on' : 'runs_on']: 'after-add' },
      'manifest.Attachment',
    ],
    ['a monitor', '/platforms/web/components/os/monitors/web-os-cpu', { sample_interval: '5' }, 'manifest.Monitor'],
  ])('%s is changed for one environment, and the next deployment brings that to the machine', async (...row) => {
    const [, path, ciAttributes, ciClassName] = row;
    await deployed();
    expect((await shop.prod('PUT', path, change(ciAttributes))).body).toMatchObject({ ciClassName, ciAttributes });
    expect(await get(path)).toMatchObject({ rfcAction: 'update', ciAttributes });
    const { bom } = await shop.commit('prod');
    expect(bom?.changes.map(({ ciName, rfcAction }) => [ciName.split('-')[0], rfcAction])).toEqual([['os', 'update']]);
  });

  test('monitors go with one that the design loses', async () => {
    const CPU = '/platforms/web/components/os/monitors/web-os-cpu';
    await deployed();
    expect((await shop.prod('GET', CPU)).status).toBe(200);
    await shop.design('DELETE', CPU);
    await shop.commitDesign();
    await shop.pull('prod');
    await shop.deploy('prod');
    expect((await shop.prod('GET', CPU)).status).toBe(404);
  });

  test('relays begin with one to the owner of the assembly; others come and go immediately', async () => {
    await born('single');
    expect(await get<WireRecord[]>('/relays')).toMatchObject([
      {
        ciName: 'default',
        ciClassName: 'manifest.relay.email.Relay',
        ciAttributes: { emails: 'team@acme.io', enabled: 'true' },
      },
    ]);
    const relay = (ciName: string, emails: string) => record(ciName, { emails });
    expect((await shop.prod('POST', '/relays', relay('watch', 'a@acme.io'))).status).toBe(200);
    expect((await shop.prod('POST', '/relays', relay('Watch', 'a@acme.io'))).text).toContain('(400)');
    expect((await shop.prod('POST', '/relays', relay('none', ''))).status).toBe(422);
    for (const enabled of ['false', 'true'])
      expect((await shop.prod('PUT', '/relays/watch/toggle')).body).toMatchObject({ ciAttributes: { enabled } });
    expect((await shop.prod('DELETE', '/relays/watch')).status).toBe(200);
    expect(await get<WireRecord[]>('/relays')).toHaveLength(1);
  });

  describe('restore', () => {
    const newest = async (): Promise<Release> =>
      (await get<Release[]>('/releases')).find(
        ({ nsPath, releaseState }) => nsPath.endsWith('/manifest') && releaseState === 'closed',
      )!;
    const sizeOf = async (): Promise<unknown> => (await get('/platforms/web/components/compute')).ciAttributes['size'];
    const resize = (size: string): Promise<Reply> =>
      shop.prod('PUT', '/platforms/web/components/compute', change({ size }));

    test('brings a manifest back, and what runs with the next deployment', async () => {
      await deployed();
      const { releaseId } = await newest();
      const before = await shop.running('prod');
      await resize('XL');
      await shop.design('DELETE', '/platforms/web');
      await shop.commitDesign();
      await shop.deploy('prod');
      await shop.pull('prod');
      await shop.deploy('prod');
      expect(await shop.running('prod')).toEqual([]);
      const { release } = await shop.ok<{ release: Release }>(shop.prod('POST', `/releases/${releaseId}/restore`));
      expect(release.releaseState).toBe('open');
      expect(await sizeOf()).toBe('S');
      expect(await shop.deploy('prod')).toBe('complete');
      expect(await shop.running('prod')).toEqual(before);
    });

    test('takes back a platform that only waits for its instances to go', async () => {
      await deployed();
      const { releaseId } = await newest();
      await shop.design('DELETE', '/platforms/web');
      await shop.commitDesign();
      await shop.pull('prod');
      await shop.commit('prod');
      await shop.ok(shop.prod('POST', `/releases/${releaseId}/restore`));
      expect(await shop.deploy('prod')).toMatch(/complete|nothing/);
      expect(await shop.platforms('prod')).toEqual(['web']);
      expect(await machines()).toHaveLength(1);
    });

    test('is refused while the manifest is open, and for a bom release', async () => {
      await deployed();
      const { releaseId } = await newest();
      const bom = await get<Release>('/releases/bom?latest=true');
      expect((await shop.prod('POST', `/releases/${bom.releaseId}/restore`)).status).toBe(422);
      await resize('M');
      expect((await shop.prod('POST', `/releases/${releaseId}/restore`)).status).toBe(422);
      expect(await sizeOf()).toBe('M');
    });
  });

  test('force_deploy plans what is committed and leaves the manifest open', async () => {
    await deployed();
    await shop.ok(shop.prod('PUT', '/platforms/web/components/compute', change({ size: 'L' })));
    expect((await shop.prod('POST', '/force_deploy', {})).body).toMatchObject({ ciState: 'locked' });
    expect((await shop.settled('prod')).comments).toMatch(/^SUCCESS:.*"rfcCiCount":0/);
    expect(await openManifest()).toBe('open');
  });

  test('releases of the manifest and the bom are listed newest first, in pages; the open one is not', async () => {
    await deployed();
    await shop.ok(shop.prod('PUT', '/platforms/web/components/compute', change({ size: 'L' })));
    const all = await get<Release[]>('/releases');
    expect(all.map(({ releaseState }) => releaseState)).toEqual(['closed', 'closed']);
    expect(all.map(({ nsPath }) => nsPath.split('/').at(-1))).toEqual(['bom', 'manifest']);
    expect(await get<Release[]>('/releases?size=1&offset=1')).toEqual([all[1]]);
    expect((await shop.prod('GET', '/releases?size=all')).status).toBe(400);
    expect(await get(`/releases/${all[0]!.releaseId}`)).toMatchObject({ releaseState: 'closed' });
    expect((await shop.prod('GET', '/releases/1')).status).toBe(classic ? 500 : 404);
  });
});
