// What environments, their platforms and their releases refuse and allow, and the states they go through
// (service-facts §3.2, §3.8, §3.9), in both dialects.
import { type Record as WireRecord } from '../../api/contract';
import { eachDialectInTurn } from '../../test/dialects-in-turn';
import type { Reply } from '../../test/service-caller';
import { type Shop, shopFor, record, recordChange, named, change } from '../../test/shop';

const errorsOf = (reply: Reply): string[] => (reply.body as { errors: string[] }).errors;

eachDialectInTurn(1, (dialect, classic) => {
  const shop: Shop = shopFor('each', dialect, () => shop.assembly());

  const designed = async (): Promise<void> => {
    await shop.platform('web');
    await shop.commitDesign();
  };
  const environment = async (clouds: Parameters<Shop['createEnvironment']>[1] = { east: '1' }): Promise<void> => {
    await designed();
    await shop.ok(shop.createEnvironment('prod', clouds));
  };
  const create = async (body: object): Promise<Reply> =>
    shop.send('POST', classic ? '/acme/assemblies/shop/transition/environments' : shop.at('prod'), body);
  const prod = { ciName: 'prod', ciAttributes: {} };
  const anywhere = { platform_availability: { web: 'default' } };

  describe('a new environment', () => {
    test('needs a committed design where designs are committed', async () => {
      await shop.platform('web');
      const reply = await create({ cms_ci: prod, ...anywhere });
      expect(reply.status).toBe(classic ? 422 : 200);
    });

    /** On the cloud east, with this priority, or more of a link. */
    const onEast = (link: unknown) => (ids: { readonly [name: string]: number }) => ({
      ...anywhere,
      clouds: { [ids['east']!]: link },
    });
    const as = (ciName: string, attributes: object) => () => ({ ...anywhere, ...record(ciName, attributes) });
    test.each<[string, number, (ids: { readonly [name: string]: number }) => object]>([
      ['no clouds at all', 200, () => anywhere],
      ['no primary', 422, onEast('2')],
      ['a primary that is offline', 422, onEast({ priority: '1', adminstatus: 'offline' })],
      ['a priority as a number', classic ? 422 : 200, onEast(1)],
      ['a cloud by name', classic ? 200 : 422, () => ({ ...anywhere, clouds: { east: '1' } })],
      [
        'an unknown cloud besides',
        classic ? 200 : 422,
        (ids) => ({ ...anywhere, clouds: { [ids['east']!]: '1', 999_999: '1' } }),
      ],
      ['priority 3', 422, onEast('3')],
      [
        'clouds inside of the record',
        200,
        (ids) => ({ ...anywhere, cms_ci: { ...prod, clouds: { [ids['east']!]: '1' } } }),
      ],
      ['no availability', 422, () => ({})],
      ['an empty availability', 422, () => ({ platform_availability: {} })],
      ['an availability for nobody', 200, () => ({ platform_availability: { nobody: 'single' } })],
      ['an unknown availability', classic ? 200 : 422, () => ({ platform_availability: { web: 'double' } })],
      ['a bad name', 422, as('1prod', {})],
      ['an unknown attribute', 422, as('prod', { colour: 'red' })],
      ['a delay that is no number', 422, as('prod', { dpmtdelay: 'x' })],
    ])('with %s answers %i', async (_, status, facts) => {
      await designed();
      const reply = await create({ cms_ci: prod, ...facts(await shop.cloudIds()) });
      expect(reply.status).toBe(status);
      const there = await shop.prod('GET');
      expect(there.status).toBe(status === 200 ? 200 : 404);
    });

    test('has its own name, in any case', async () => {
      await environment();
      const reply = await shop.createEnvironment('PROD', { east: '1' });
      expect(reply.status).toBe(422);
      expect(errorsOf(reply)[0]).toMatch(/\(400\)$/);
    });

    test('does not take a cloud that is not active', async () => {
      await designed();
      await shop.ok(shop.send('PUT', '/acme/clouds/east', recordChange({ adminstatus: 'inert' })));
      expect((await shop.createEnvironment('prod', { east: '1' })).status).toBe(422);
    });

    test('gives platforms the availability the map says, else its own', async () => {
      await shop.platform('web');
      await shop.platform('db');
      await shop.commitDesign();
      const modes = { availability: { web: 'single', db: 'default' }, attributes: { availability: 'redundant' } };
      await shop.ok(shop.createEnvironment('prod', { east: '1' }, modes));
      expect((await shop.manifest('prod', 'web')).ciAttributes['availability']).toBe('single');
      expect((await shop.manifest('prod', 'db')).ciAttributes['availability']).toBe('redundant');
    });

    test('asked to be made in the background is locked until its design is pulled', async () => {
      await designed();
      const clouds = await shop.clouds({ east: '1' });
      const reply = await create({ cms_ci: prod, ...anywhere, clouds, async: 'true' });
      expect(reply.body).toMatchObject({ ciState: 'manifest_locked', comments: '' });
      expect(await shop.status('POST', shop.at('prod', '/commit'), {})).toBe(422);
      expect(await shop.settled('prod')).toMatchObject({ comments: expect.stringMatching(/^SUCCESS:/) });
      expect(await shop.platforms('prod')).toEqual(['web']);
    });

    test('copies what the mode of its platforms has: a load balancer only in redundant, keys in both', async () => {
      await shop.platform('web', { pack: 'tomcat' });
      await shop.platform('site', { pack: 'apache' });
      await shop.commitDesign();
      for (const [name, mode] of [
        ['prod', 'redundant'],
        ['dev', 'single'],
      ] as const) {
        await shop.ok(shop.createEnvironment(name, { east: '1' }, { attributes: { availability: mode } }));
        for (const platform of ['web', 'site']) {
          const components = await shop.get<WireRecord[]>(shop.at(name, `/platforms/${platform}/components`));
          const names = components.map(({ ciName }) => ciName);
          expect(names).toContain('sshkeys');
          expect(names.includes('lb')).toBe(mode === 'redundant');
          for (const { ciClassName } of components) expect(ciClassName).toMatch(/^manifest\./);
        }
      }
    });
  });

  describe('clouds of an environment', () => {
    test('a new one is added to every platform with its attributes; attributes of one that stays change on the environment only', async () => {
      await environment();
      await shop.deploy('prod');
      const wanted = { east: { priority: '1', pct_scale: '50' }, west: { priority: '2', dpmt_order: '3' } };
      await shop.ok(shop.prod('PUT', '', { cms_ci: {}, clouds: await shop.clouds(wanted) }));
      const ids = await shop.cloudIds();
      expect((await shop.ok<{ clouds: object }>(shop.prod('GET'))).clouds).toMatchObject({
        [ids['east']!]: { pct_scale: '50' },
        [ids['west']!]: { priority: '2', dpmt_order: '3' },
      });
      const { consumes } = await shop.manifest('prod', 'web');
      expect(consumes).toMatchObject([
        { toCi: { ciName: 'east' }, relationAttributes: { pct_scale: '100' } },
        { toCi: { ciName: 'west' }, rfcAction: 'add', relationAttributes: { priority: '2', dpmt_order: '3' } },
      ]);
    });

    test('the manifest release a new cloud opens names the newest design release although nothing was pulled', async () => {
      await environment();
      await shop.deploy('prod');
      await shop.platform('cache');
      await shop.commitDesign();
      const newest = (await shop.ok<{ releaseId: number }>(shop.design('GET', '/releases/latest'))).releaseId;
      await shop.ok(shop.prod('PUT', '', { cms_ci: {}, clouds: await shop.clouds({ east: '1', west: '2' }) }));
      const manifest = (await shop.manifest('prod', 'web')).consumes[1]!.releaseId!;
      const found = await shop.prod('POST', '/discard');
      expect(found.body).toMatchObject({ releaseId: manifest, releaseState: 'canceled', parentReleaseId: newest });
      expect(await shop.platforms('prod')).toEqual(['web']);
    });

    test('one that lacks a service disables the platform: the next deployment deletes its instances', async () => {
      await environment();
      expect(await shop.deploy('prod')).toBe('complete');
      const bare = { location: '/public/oneops/clouds/ec2-us-east-1', auth: 'k', adminstatus: 'active' };
      await shop.ok(shop.send('POST', '/acme/clouds', record('bare', bare)));
      await shop.ok(shop.prod('PUT', '', { cms_ci: {}, clouds: await shop.clouds({ east: '1', bare: '2' }) }));
      expect(await shop.deploy('prod')).toBe('complete');
      expect(await shop.running('prod')).toEqual([]);
    });

    test('one that is left out goes only when nothing is open and nothing runs there', async () => {
      await environment({ east: '1', west: '2' });
      const leave = async (): Promise<number> =>
        await shop.status('PUT', shop.at('prod'), { cms_ci: {}, clouds: await shop.clouds({ east: '1' }) });
      expect(await leave()).toBe(422);
      await shop.deploy('prod');
      expect(await leave()).toBe(422);
      await shop.ok(shop.configure('prod', 'web', 'west', { adminstatus: 'offline' }));
      expect(await leave()).toBe(422);
      expect(await shop.deploy('prod')).toBe('complete');
      expect(await leave()).toBe(200);
      expect((await shop.manifest('prod', 'web')).consumes).toHaveLength(1);
    });
  });

  describe('a cloud configuration', () => {
    test.each<[object, number]>([
      [{ adminstatus: 'inactive' }, 200],
      [{ adminstatus: 'offline' }, 422],
      [{ priority: '2' }, 422],
      [{ priority: '3' }, 422],
      [{ adminstatus: 'asleep' }, 422],
      [{ pct_scale: 'half' }, 422],
      [{ pct_scale: '50.5' }, 200],
      [{ dpmt_order: '-1' }, 200],
      [{ dpmt_order: '' }, 422],
      [{ colour: 'red' }, 422],
      [{}, 200],
    ])('%j on the only primary answers %i', async (attributes, status) => {
      await environment({ east: '1', west: '2' });
      expect((await shop.configure('prod', 'web', 'east', attributes)).status).toBe(status);
    });

    test('a primary may go once there is another; the answer is the relation', async () => {
      await environment({ east: '1', west: '2' });
      await shop.ok(shop.configure('prod', 'web', 'west', { priority: '1' }));
      const relation = await shop.ok(
        shop.configure('prod', 'web', 'east', { adminstatus: 'offline', pct_scale: '10' }),
      );
      expect(relation).toMatchObject({
        relationName: 'base.Consumes',
        relationAttributes: { priority: '1', adminstatus: 'offline', pct_scale: '10', dpmt_order: '1' },
      });
    });

    test('of a cloud the platform does not consume, or without attributes, is refused', async () => {
      await environment();
      expect((await shop.configure('prod', 'web', 'west', { priority: '1' })).status).toBe(404);
      const bare = await shop.prod('PUT', '/platforms/web/cloud_configuration', { cloud_id: '1' });
      expect(bare.status).toBe(classic ? 500 : 400);
    });

    test('is a change of the manifest: visible immediately, undone by discard, in force after commit and deployment', async () => {
      await environment({ east: '1', west: '2' });
      await shop.deploy('prod');
      await shop.ok(shop.configure('prod', 'web', 'west', { adminstatus: 'offline' }));
      const link = async () => (await shop.manifest('prod', 'web')).consumes[1]!;
      expect(await link()).toMatchObject({ rfcAction: 'update', relationAttributes: { adminstatus: 'offline' } });
      await shop.ok(shop.prod('POST', '/discard'));
      expect(await link()).toMatchObject({ relationAttributes: { adminstatus: 'active' } });
      expect(await shop.status('POST', shop.at('prod', '/discard'))).toBe(classic ? 500 : 404);
      await shop.ok(shop.configure('prod', 'web', 'west', { adminstatus: 'inactive' }));
      expect(await shop.deploy('prod')).toBe('nothing');
      await shop.ok(shop.configure('prod', 'web', 'west', { adminstatus: 'offline' }));
      expect(await shop.deploy('prod')).toBe('complete');
      expect((await shop.running('prod')).filter((path) => path.endsWith('@west'))).toEqual([]);
    });

    test('of a cloud that is inactive keeps what it has, and does not take what changed', async () => {
      await environment({ east: '1', west: '2' });
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
    ])('comes up: clouds %s', async (_, east, west, turns) => {
      const link = (text: string) => {
        const [priority = '', order = ''] = text.split(' ');
        return { priority, dpmt_order: order };
      };
      await environment({ east: link(east), west: link(west) });
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

  test.each(JOBS)('while %s %s continues, every job and plan is refused', async (method, rest, body, state) => {
    await environment();
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

  describe('a manifest component', () => {
    const os = (rest: object): Promise<Reply> =>
      shop.prod('PUT', '/platforms/web/components/os', { cms_dj_ci: { ciName: 'os', ...rest } });
    const design = async (timezone: string): Promise<void> => {
      await shop.ok(shop.redesign('os', { timezone }));
      await shop.commitDesign();
    };
    const timezone = async (): Promise<unknown> => {
      const all = await shop.get<WireRecord[]>(shop.at('prod', '/platforms/web/components'));
      return all.find(({ ciName }) => ciName === 'os')?.ciAttributes['timezone'];
    };

    test('follows the design at a pull, unless owner manifest locks the attribute', async () => {
      await environment();
      await shop.deploy('prod');
      await shop.ok(os({ ciAttributes: { timezone: 'EST' } }));
      await shop.deploy('prod');
      await design('CET');
      await shop.pull('prod');
      expect(await timezone()).toBe('CET');
      await shop.deploy('prod');
      await shop.ok(os({ ciAttributes: { timezone: 'PST' }, ciAttrProps: { owner: { timezone: 'manifest' } } }));
      await shop.deploy('prod');
      await design('MST');
      await shop.pull('prod');
      expect(await timezone()).toBe('PST');
    });

    test('an unknown attribute or component is refused', async () => {
      await environment();
      expect((await os({ ciAttributes: { colour: 'red' } })).status).toBe(422);
      expect(await shop.status('PUT', shop.at('prod', '/platforms/web/components/nobody'), change({}))).toBe(404);
    });
  });

  describe('a pull', () => {
    test('with a manifest release open fails in the background and changes nothing', async () => {
      await environment();
      await shop.platform('cache');
      await shop.commitDesign();
      expect((await shop.pull('prod', { cache: 'single' })).comments).toMatch(/^ERROR:MANIFEST:/);
      expect(await shop.platforms('prod')).toEqual(['web']);
    });

    test('without changes opens no release', async () => {
      await environment();
      await shop.deploy('prod');
      await shop.pull('prod');
      expect(await shop.status('POST', shop.at('prod', '/discard'))).not.toBe(200);
    });
  });

  describe('a commit', () => {
    test('that finds no plan says why, keeps the manifest committed, and succeeds once the reason no longer exists', async () => {
      await designed();
      await shop.ok(shop.createEnvironment('prod', { east: '1' }));
      const locked = {
        ciAttributes: { image_id: '$OO_GLOBAL{nowhere}' },
        ciAttrProps: { owner: { image_id: 'manifest' } },
      };
      await shop.ok(shop.prod('PUT', '/platforms/web/components/os', { cms_dj_ci: locked }));
      const { comments, bom } = await shop.commit('prod');
      expect(comments).toMatch(/^ERROR:BOM:.*\$OO_GLOBAL\{nowhere\}.*\(6002\)$/);
      expect(bom).toBeUndefined();
      expect(await shop.manifest('prod', 'web')).toMatchObject({ rfcAction: null });
      await shop.ok(shop.design('POST', '/variables', named('nowhere', { value: 'image-7' })));
      await shop.commitDesign();
      await shop.pull('prod');
      expect(await shop.deploy('prod')).toBe('complete');
      const os = (await shop.instances('prod')).find(({ ciName }) => ciName.startsWith('os-'));
      expect(os?.ciAttributes['image_id']).toBe('image-7');
    });

    test('with a decimal percentage fails', async () => {
      await environment();
      await shop.ok(shop.configure('prod', 'web', 'east', { pct_scale: '50.5' }));
      expect((await shop.commit('prod')).comments).toMatch(/^ERROR:BOM:.*\(6016\)$/);
    });

    test('replaces a bom release that was not deployed', async () => {
      await environment();
      const first = await shop.commit('prod');
      const second = await shop.commit('prod');
      expect(second.bom?.releaseId).not.toBe(first.bom?.releaseId);
      expect(second.bom?.changes.map(({ ciName }) => ciName)).toEqual(first.bom?.changes.map(({ ciName }) => ciName));
      const discarded = await shop.prod('POST', `/releases/${first.bom?.releaseId}/discard`);
      expect(discarded.status).toBe(classic ? 200 : 422);
    });

    test('that leaves a platform out deploys the others', async () => {
      await shop.platform('web');
      await shop.platform('db');
      await shop.commitDesign();
      await shop.ok(shop.createEnvironment('prod', { east: '1' }));
      const { ciId } = await shop.manifest('prod', 'db');
      await shop.ok(shop.prod('POST', '/commit', { exclude_platforms: String(ciId) }));
      await shop.settled('prod');
      await shop.until('prod', await shop.start('prod'), 'complete');
      expect(new Set((await shop.running('prod')).map((path) => path.split('/')[0]))).toEqual(new Set(['web']));
      expect(shop.service.outages()).toEqual([]);
    });
  });

  describe('releases', () => {
    test('bom and latest say what the dialect makes of them', async () => {
      await environment();
      const get = async (rest: string): Promise<[number, string | undefined, string | undefined]> => {
        const reply = await shop.prod('GET', `/releases/${rest}`);
        const body = reply.body as { nsPath?: string; releaseState?: string };
        return [reply.status, body.nsPath, body.releaseState];
      };
      const bom = '/acme/shop/prod/bom';
      const manifest = '/acme/shop/prod/manifest';
      const missing = [404, undefined, undefined];
      expect([await get('bom'), await get('latest')]).toEqual(
        classic ? [missing, [200, manifest, 'open']] : [missing, missing],
      );
      await shop.commit('prod');
      expect([await get('bom'), await get('latest')]).toEqual([
        [200, bom, 'open'],
        classic ? [200, manifest, 'closed'] : [200, bom, 'open'],
      ]);
      await shop.until('prod', await shop.start('prod'), 'complete');
      expect(await get('bom')).toEqual(classic ? missing : [200, bom, 'closed']);
      expect(await get('bom?latest=true')).toEqual([200, bom, 'closed']);
    });

    test('a bom release shows its changes with names, also after it was deployed', async () => {
      await environment();
      await shop.commit('prod');
      await shop.until('prod', await shop.start('prod'), 'complete');
      const all = await shop.get<{ rfc_cis: { ciName: string }[]; rfc_relations: { relationName: string }[] }>(
        shop.at('prod', '/releases/bom?latest=true&include_rfcs=true'),
      );
      expect(all.rfc_cis).toHaveLength(5);
      expect(new Set(all.rfc_relations.map(({ relationName }) => relationName))).toEqual(
        new Set(['base.RealizedAs', 'base.DeployedTo', 'bom.ManagedVia', 'bom.SecuredBy']),
      );
    });

    test('discard cancels the bom release, unless it is being deployed', async () => {
      await environment();
      const { bom } = await shop.commit('prod');
      const discard = (): Promise<Reply> => shop.prod('POST', `/releases/${bom?.releaseId}/discard`);
      expect((await discard()).body).toMatchObject({ releaseId: bom?.releaseId, releaseState: 'canceled' });
      expect((await discard()).status).toBe(classic ? 500 : 422);
      const next = await shop.commit('prod');
      await shop.start('prod');
      expect(await shop.status('POST', shop.at('prod', `/releases/${next.bom?.releaseId}/discard`))).toBe(422);
    });
  });

  test('attributes of an environment change immediately; its name does not', async () => {
    await environment();
    const changed = await shop.ok(shop.prod('PUT', '', recordChange({ description: 'live', dpmtdelay: '90' })));
    expect(changed.ciAttributes).toMatchObject({ description: 'live', dpmtdelay: '90', availability: 'single' });
    expect(await shop.status('PUT', shop.at('prod'), record('live', {}))).toBe(422);
    expect((await shop.get<{ ciName: string }[]>(shop.at('').replace(/\/$/, ''))).map(({ ciName }) => ciName)).toEqual([
      'prod',
    ]);
  });
});

describe('the watch', () => {
  const shop: Shop = shopFor('each', 'documented', async () => {
    await shop.assembly();
    await shop.platform('web');
    await shop.ok(shop.createEnvironment('prod', { east: '1', west: '2' }));
  });

  test('shows when a platform has no active primary, once, and again only after it had one', async () => {
    const set = (adminstatus: string): Promise<unknown> =>
      shop.ok(shop.configure('prod', 'web', 'east', { adminstatus }));
    await set('inactive');
    await set('inactive');
    expect(shop.service.outages()).toEqual([
      { at: expect.any(Number), environment: '/acme/shop/prod', platform: 'web', what: 'no-active-primary' },
    ]);
    await set('active');
    await set('inactive');
    expect(shop.service.outages()).toHaveLength(2);
  });

  test('shows when what ran and should run does not', async () => {
    await shop.ok(shop.configure('prod', 'web', 'west', { adminstatus: 'inactive' }));
    await shop.deploy('prod');
    await shop.ok(shop.configure('prod', 'web', 'west', { priority: '1' }));
    await shop.ok(shop.configure('prod', 'web', 'east', { adminstatus: 'offline' }));
    expect(shop.service.outages().map(({ what }) => what)).toEqual(['no-active-primary']);
    expect(await shop.deploy('prod')).toBe('complete');
    expect(shop.service.outages().map(({ what }) => what)).toEqual(['no-active-primary', 'nothing-runs']);
  });
});
