// The way from a design to running instances and back, in both dialects.
import { type Record as WireRecord } from '../../api/contract';
import { eachDialectInTurn } from '../../test/dialects-in-turn';
import { type Shop, shopFor, named, ofTemplate } from '../../test/shop';

/** What a platform of pack custom runs on one cloud in single. */
const CUSTOM = ['compute', 'fqdn', 'os', 'secgroup', 'sshkeys'];
const on = (platform: string, cloud: string): string[] =>
  CUSTOM.map((component) => `${platform}/${component}@${cloud}`);

eachDialectInTurn(1, (dialect, classic) => {
  const shop: Shop = shopFor('each', dialect, () => shop.assembly());

  const grown = async (): Promise<void> => {
    await shop.platform('db');
    await shop.platform('web', { links: ['db'] });
    await shop.commitDesign();
  };
  const deployed = async (): Promise<void> => {
    await grown();
    await shop.ok(shop.createEnvironment('prod', { east: '1' }));
    expect(await shop.deploy('prod')).toBe('complete');
  };
  /** Takes platform db, and the link to it, out of the design. */
  const withoutDb = async (): Promise<void> => {
    await shop.ok(shop.design('PUT', '/platforms/web', { ...named('web', {}), links_to: [] }));
    expect((await shop.design('DELETE', '/platforms/db')).status).toBe(200);
    await shop.commitDesign();
  };
  const tornDown = async (): Promise<void> => {
    const platforms = await shop.show<{ ciId: number }[]>('/platforms');
    await shop.ok(shop.prod('PUT', '/disable', { platformCiIds: platforms.map(({ ciId }) => String(ciId)) }));
    expect(await shop.deploy('prod')).toBe('complete');
  };

  test('design, environment, commit, deployment: then what is designed runs, and a second commit finds nothing to do', async () => {
    await grown();
    const created = await shop.ok(
      shop.createEnvironment('prod', { east: '1', west: '2' }, { availability: { db: 'single' } }),
    );
    const ids = await shop.cloudIds();
    expect(created).toMatchObject({
      ciClassName: 'manifest.Environment',
      nsPath: '/acme/shop',
      ciState: 'default',
      clouds: {
        [String(ids['east'])]: { priority: '1', dpmt_order: '1', pct_scale: '100', adminstatus: 'active' },
        [String(ids['west'])]: { priority: '2', dpmt_order: '1', pct_scale: '100', adminstatus: 'active' },
      },
    });
    expect(await shop.manifest('prod', 'web')).toMatchObject({
      nsPath: '/acme/shop/prod/manifest/web/1',
      rfcAction: 'add',
      links_to: ['db'],
      ciAttributes: { availability: 'single', is_active: 'true', pack: 'custom' },
      consumes: [{ relationName: 'base.Consumes', toCi: { ciName: 'east' } }, { toCi: { ciName: 'west' } }],
    });
    const { comments, bom } = await shop.commit('prod');
    expect(comments).toMatch(/^SUCCESS:.*\{.*"rfcCiCount":20.*"releaseId":\d+/);
    expect(bom?.changes).toHaveLength(20);
    const id = await shop.start('prod');
    const done = await shop.until('prod', id, 'complete', 'failed');
    expect(done.deploymentState).toBe('complete');
    expect(new Set(Object.values(done.rfc_info).map(({ state }) => state))).toEqual(new Set(['complete']));
    expect(await shop.running('prod')).toEqual(
      [...on('db', 'east'), ...on('db', 'west'), ...on('web', 'east'), ...on('web', 'west')].sort(),
    );
    expect(await shop.manifest('prod', 'web')).toMatchObject({ rfcAction: null, ciState: 'default' });
    const again = await shop.commit('prod');
    expect(again).toMatchObject({ bom: undefined, comments: expect.stringMatching(/^SUCCESS:/) });
    expect(again.comments).not.toMatch(/releaseId/);
    expect(shop.service.outages()).toEqual([]);
  });

  test('tear-down: disabled, committed, deployed, nothing runs; then the environment goes, and the assembly', async () => {
    await deployed();
    expect(await shop.status('DELETE', shop.at('prod'))).toBe(422);
    expect(await shop.status('DELETE', '/acme/assemblies/shop')).toBe(422);
    await tornDown();
    expect(await shop.running('prod')).toEqual([]);
    expect((await shop.platforms('prod')).sort()).toEqual(['db', 'web']);
    const deletion = await shop.prod('DELETE');
    expect(deletion.status).toBe(200);
    expect(deletion.text).toBe(classic ? deletion.text : '');
    expect(await shop.status('GET', shop.at('prod'))).toBe(404);
    expect(await shop.status('DELETE', '/acme/assemblies/shop')).toBe(200);
    expect(shop.service.outages()).toEqual([]);
  });

  test('a design change reaches the machine by pull, commit and deployment, and nothing else does', async () => {
    await deployed();
    await shop.ok(shop.redesign('os', { timezone: 'CET' }));
    await shop.commitDesign();
    expect(await shop.deploy('prod')).toBe('nothing');
    expect((await shop.pull('prod')).comments).toMatch(/^SUCCESS:/);
    const { bom } = await shop.commit('prod');
    expect(bom?.changes.map(({ ciName, rfcAction }) => [ciName.replace(/-\d+-1$/, ''), rfcAction])).toEqual([
      ['os', 'update'],
    ]);
    expect(bom?.changes[0]).toMatchObject({ ciAttributes: { timezone: 'CET' }, ciBaseAttributes: { timezone: 'UTC' } });
    await shop.until('prod', await shop.start('prod'), 'complete');
    expect(await shop.deploy('prod')).toBe('nothing');
  });

  /** A second component of web, with an attachment, besides what the pack makes. */
  const withDeployer = async (): Promise<void> => {
    const user = ofTemplate('user', 'deployer', { username: 'deployer' });
    await shop.ok(shop.design('POST', '/platforms/web/components', user));
    await shop.ok(shop.attach('web/deployer', 'motd', { content: 'hello', path: '/etc/motd' }, 'after-add'));
    await shop.commitDesign();
    await shop.pull('prod');
    expect(await shop.deploy('prod')).toBe('complete');
  };

  test.each<[string, () => Promise<unknown>, string, readonly string[]]>([
    ['a platform', withoutDb, '/platforms/db', on('db', 'east')],
    [
      'a component',
      () => shop.ok(shop.design('DELETE', '/platforms/web/components/deployer')),
      '/platforms/web/components/deployer',
      ['web/deployer@east'],
    ],
  ])('%s that runs is removed: pending deletion until its instances are gone, then it is', async (...row) => {
    const [, remove, place, gone] = row;
    await deployed();
    await withDeployer();
    const before = await shop.running('prod');
    expect(before).toEqual(expect.arrayContaining([...gone]));
    await remove();
    await shop.commitDesign();
    await shop.pull('prod');
    expect(await shop.show(place)).toMatchObject({ rfcAction: 'delete' });
    const { bom } = await shop.commit('prod');
    expect(await shop.show(place)).toMatchObject({ ciState: 'pending_deletion', rfcAction: null });
    const planned = bom?.changes.map(
      ({ nsPath, ciName, rfcAction }) => `${rfcAction} ${nsPath.split('/')[5]}/${ciName.replace(/-\d+-1$/, '@east')}`,
    );
    expect(planned?.sort()).toEqual(gone.map((each) => `delete ${each}`).sort());
    await shop.until('prod', await shop.start('prod'), 'complete');
    expect(await shop.status('GET', shop.at('prod', place))).toBe(404);
    expect(await shop.running('prod')).toEqual(before.filter((each) => !gone.includes(each)));
    expect(await shop.deploy('prod')).toBe('nothing');
    expect(shop.service.outages()).toEqual([]);
  });

  test('a platform deleted and designed again before the deployment is kept', async () => {
    await deployed();
    const before = await shop.instances('prod');
    await withoutDb();
    await shop.pull('prod');
    await shop.commit('prod');
    await shop.platform('db');
    await shop.commitDesign();
    expect((await shop.pull('prod')).comments).toMatch(/^SUCCESS:/);
    expect(await shop.deploy('prod')).toBe('nothing');
    expect((await shop.instances('prod')).map(({ ciId }) => ciId)).toEqual(before.map(({ ciId }) => ciId));
    expect(await shop.manifest('prod', 'db')).toMatchObject({ ciState: 'default' });
  });

  test('another pack under the same name: the first pull only deletes, a second one after the deployment brings the new one', async () => {
    await deployed();
    await withoutDb();
    await shop.platform('db', { pack: 'mysql' });
    await shop.commitDesign();
    await shop.pull('prod');
    expect(await shop.manifest('prod', 'db')).toMatchObject({ rfcAction: 'delete' });
    const components = await shop.show<WireRecord[]>('/platforms/db/components');
    expect(new Set(components.map(({ rfcAction }) => rfcAction))).toEqual(new Set(['delete']));
    expect(await shop.deploy('prod')).toBe('complete');
    expect(await shop.platforms('prod')).toEqual(['web']);
    await shop.pull('prod');
    expect(await shop.manifest('prod', 'db')).toMatchObject({ rfcAction: 'add', ciAttributes: { pack: 'mysql' } });
    expect(await shop.deploy('prod')).toBe('complete');
    expect(await shop.running('prod')).toEqual(expect.arrayContaining(['db/mysql@east', 'db/volume@east']));
  });
});
