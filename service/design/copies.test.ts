// Laws of copies and of going back: clones, saved designs, restored designs.
import { type Record as WireRecord, type Release } from '../../api/contract';
import { eachDialectInTurn } from '../../test/dialects-in-turn';
import { type Reply } from '../../test/service-caller';
import { type Shop, shopFor, named, record, change, ofTemplate } from '../../test/shop';

const A = '/acme/assemblies';

eachDialectInTurn(0, (dialect, classic) => {
  const shop: Shop = shopFor('each', dialect, async () => {
    await shop.assembly();
    await shop.platform('db', { pack: 'mysql' });
    await shop.platform('web', { pack: 'tomcat', links: ['db'] });
    await shop.design('POST', '/platforms/web/components', {
      cms_dj_ci: {
        ciName: 'deployer',
        ciAttributes: { username: 'deployer' },
        ciAttrProps: { owner: { username: 'design' } },
      },
      template_name: 'user',
    });
    await shop.attach('web/deployer', 'motd', { path: '/etc/motd', content: 'hi' });
    await shop.design('POST', '/variables', named('region', { value: 'east' }));
    await shop.commitDesign();
  });

  const get = <T>(path: string): Promise<T> => shop.get<T>(path);
  const namesAt = async (path: string): Promise<string[]> =>
    (await get<WireRecord[]>(path)).map(({ ciName }) => ciName).sort();
  /** All there is to see of a design, without numbers, stamps and places. */
  const pictureOf = async (assembly: string): Promise<unknown> => {
    const facts = ({ ciName, ciClassName, ciAttributes, ciAttrProps }: WireRecord): object => ({
      ciName,
      ciClassName,
      ciAttributes,
      ciAttrProps,
    });
    const platforms = await get<WireRecord[]>(`${A}/${assembly}/design/platforms`);
    return Promise.all(
      platforms.map(async ({ ciName }) => {
        const at = `${A}/${assembly}/design/platforms/${ciName}`;
        const platform = await get<WireRecord>(at);
        const components = await get<WireRecord[]>(`${at}/components`);
        const inside = await Promise.all(
          components.map(async (component) => {
            const one = await get<{ dependsOn: WireRecord[] }>(`${at}/components/${component.ciId}`);
            const depends = one.dependsOn.map((other) => other.ciName).sort();
            const attached = (await get<WireRecord[]>(`${at}/components/${component.ciId}/attachments`)).map(facts);
            return { ...facts(component), depends, attached };
          }),
        );
        return { ...facts(platform), links: platform['links_to'], inside };
      }),
    );
  };
  const clone = (body: object): Promise<Reply> => shop.send('POST', `${A}/shop/clone`, body);

  test('a copy has all of it, uncommitted values and variables too, under its own numbers', async () => {
    await shop.design('POST', '/variables', named('fresh', { value: 'x' }));
    const copy = await shop.ok(clone({ ciName: 'copy' }));
    expect(copy).toMatchObject({
      ciName: 'copy',
      ciAttributes: { description: 'Created from shop', owner: 'team@acme.io' },
    });
    expect(await pictureOf('copy')).toEqual(await pictureOf('shop'));
    expect(await namesAt(`${A}/copy/design/variables`)).toEqual(['fresh', 'region']);
    const ids = async (assembly: string): Promise<number[]> =>
      (await get<WireRecord[]>(`${A}/${assembly}/design/platforms/web/components`)).map(({ ciId }) => ciId);
    const originals = await ids('shop');
    expect((await ids('copy')).filter((id) => originals.includes(id))).toEqual([]);
    expect(await get<Release>(`${A}/copy/design/releases/latest`)).toMatchObject({
      releaseState: classic ? 'open' : 'closed',
    });
    await shop.ok(shop.send('DELETE', `${A}/copy`));
    expect(await namesAt(`${A}/shop/design/platforms`)).toEqual(['db', 'web']);
  });

  test('a saved design has what was committed and no variables; an assembly can begin with it', async () => {
    await shop.platform('later');
    const saved = await shop.ok(clone({ ciName: 'store', description: 'as sold', export: 'yes' }));
    expect(saved).toMatchObject({
      ciClassName: 'account.Design',
      nsPath: '/acme/_catalogs',
      ciAttributes: { description: 'as sold' },
    });
    expect((await clone({ ciName: 'STORE', export: true })).status).toBe(404);
    const body = { ...record('sold', { owner: 'a@acme.io' }), catalog_template: saved.ciId };
    await shop.ok(shop.send('POST', A, body));
    expect(await namesAt(`${A}/sold/design/platforms`)).toEqual(classic ? ['db', 'web'] : ['db', 'later', 'web']);
    expect(await namesAt(`${A}/sold/design/variables`)).toEqual([]);
    const design = await get<{ platforms: { [name: string]: { links?: string[] } } }>(
      '/acme/catalog/designs/store/export',
    );
    expect(design.platforms['web']?.links).toEqual(['db']);
    await shop.ok(shop.send('DELETE', '/acme/catalog/designs/store'));
    expect(await namesAt('/acme/catalog/designs')).toEqual([]);
    expect(await namesAt(`${A}/sold/design/platforms`)).toContain('web');
    expect(await shop.status('POST', A, { ...body, cms_ci: { ...body.cms_ci, ciName: 'again' } })).toBe(404);
    expect(await shop.status('GET', `${A}/again`)).toBe(404);
  });

  test.each([
    ['its own name', { ciName: 'shop' }],
    ['a bad name', { ciName: '1st' }],
    ['an organization that is not there', { ciName: 'copy', to_org: 'nowhere' }],
  ])('a copy under %s is reported as not there', async (_, body) => {
    expect(await clone(body)).toMatchObject({ status: 404, body: { errors: [expect.any(String)] } });
    expect(await namesAt(A)).toEqual(['shop']);
  });

  test('a copy goes into another organization of the user', async () => {
    await shop.ok(shop.send('POST', '/account/organizations', { name: 'other' }));
    await shop.ok(clone({ ciName: 'shop', to_org: 'other' }));
    expect(await namesAt('/other/assemblies/shop/design/platforms')).toEqual(['db', 'web']);
  });

  test('a platform is copied with what is in it, its monitors under its name', async () => {
    const { ciId } = await get<WireRecord>(`${A}/shop`);
    const at = `${A}/shop/design/platforms/web/clone`;
    const copy = await shop.ok(shop.send('POST', at, { to_assembly_id: ciId, to_ci_name: 'web2' }));
    expect(copy).toMatchObject({ ciName: 'web2', ciAttributes: { pack: 'tomcat', major_version: '1' } });
    expect(await namesAt(`${A}/shop/design/platforms/web2/components`)).toEqual(
      await namesAt(`${A}/shop/design/platforms/web/components`),
    );
    const monitors = await namesAt(`${A}/shop/design/platforms/web2/components/compute/monitors`);
    expect(monitors.length).toBeGreaterThan(0);
    expect(monitors.every((name) => name.startsWith('web2-compute-'))).toBe(true);
    expect(await shop.status('POST', at, { to_assembly_id: ciId, to_ci_name: 'WEB2' })).toBe(404);
  });

  describe('restore', () => {
    const latest = (): Promise<Release> => get<Release>(`${A}/shop/design/releases/latest`);
    const restore = (id: number): Promise<Reply> => shop.send('POST', `${A}/shop/design/releases/${id}/restore`);
    const rework = async (): Promise<void> => {
      await shop.redesign('deployer', { username: 'other', description: 'changed' });
      await shop.design('DELETE', '/platforms/web/components/deployer/attachments/motd');
      await shop.design('DELETE', '/platforms/db');
      await shop.platform('extra');
      await shop.design('POST', '/platforms/web/components', ofTemplate('user', 'guest', { username: 'guest' }));
      await shop.commitDesign();
    };

    test('brings back what was, whatever happened since, under the same numbers', async () => {
      const { releaseId } = await latest();
      const before = await pictureOf('shop');
      const { ciId } = await get<WireRecord>(`${A}/shop/design/platforms/web/components/deployer/attachments/motd`);
      await rework();
      expect(await pictureOf('shop')).not.toEqual(before);
      const { release, warnings } = await shop.ok<{ release: Release; warnings: string[] }>(restore(releaseId));
      expect([release.releaseState, warnings]).toEqual([classic ? 'open' : 'closed', []]);
      await shop.commitDesign();
      const after = (await pictureOf('shop')) as { ciName: string }[];
      expect(after.sort((one, other) => (one.ciName < other.ciName ? -1 : 1))).toEqual(before);
      const motd = await get<WireRecord>(`${A}/shop/design/platforms/web/components/deployer/attachments/motd`);
      expect(motd.ciId).toBe(ciId);
      expect(await namesAt(`${A}/shop/design/variables`)).toEqual(['region']);
    });

    test('of the newest release changes nothing', async () => {
      const release = await latest();
      await shop.ok(restore(release.releaseId));
      expect(await latest()).toEqual(release);
    });

    test('is refused while a release is open, and for one that was never committed', async () => {
      const { releaseId } = await latest();
      await shop.platform('open');
      const open = await latest();
      expect((await restore(releaseId)).status).toBe(classic ? 422 : 200);
      if (!classic) return;
      await shop.ok(shop.send('POST', `${A}/shop/design/releases/${open.releaseId}/discard`));
      expect((await restore(open.releaseId)).status).toBe(422);
      expect((await restore(1)).status).toBe(500);
    });
  });
});

describe('classic: the open changes of one platform', () => {
  const shop: Shop = shopFor('each', 'classic', async () => {
    await shop.assembly();
    await shop.platform('db');
    await shop.commitDesign();
  });
  const discard = (platform: string): Promise<Reply> => shop.design('POST', `/platforms/${platform}/discard`);

  test('discarded alone are undone alone', async () => {
    await shop.platform('web');
    await shop.design('PUT', '/platforms/db', change({ description: 'changed' }));
    await shop.design('DELETE', '/platforms/db/components/secgroup');
    expect((await discard('db')).body).toMatchObject({ rfcAction: null, ciAttributes: { description: '' } });
    expect((await shop.design('GET', '/platforms/web')).body).toMatchObject({ rfcAction: 'add' });
    expect((await discard('db')).status).toBe(422);
  });

  test('of a platform that was only added: it no longer exists, and so are links to it', async () => {
    await shop.platform('web');
    await shop.platform('front', { links: ['web', 'db'] });
    expect((await discard('web')).body).toMatchObject({ ciName: 'web', rfcAction: 'add' });
    expect((await shop.design('GET', '/platforms/web')).status).toBe(404);
    expect((await shop.design('GET', '/platforms/front')).body).toMatchObject({ links_to: ['db'] });
    await shop.commitDesign();
    expect((await shop.design('GET', '/platforms/front')).body).toMatchObject({ links_to: ['db'] });
  });

  test('are distinguished by diff: from what is committed, or from the templates', async () => {
    await shop.design('PUT', '/platforms/db/components/compute', change({ size: 'XL' }));
    const diff = async (query: string): Promise<unknown> => {
      const all = await shop.ok<{ ciName: string; diffAttributes: object }[]>(
        shop.design('GET', `/platforms/db/diff${query}`),
      );
      return all.map(({ ciName, diffAttributes }) => [ciName, diffAttributes]);
    };
    expect(await diff('?committed=true&changes_only=true')).toEqual([['compute', { size: 'S' }]]);
    await shop.commitDesign();
    expect(await diff('?committed=true&changes_only=true')).toEqual([]);
    expect(await diff('?changes_only=true')).toEqual([['compute', { size: 'S' }]]);
  });

  test('component types show how many there may be and are', async () => {
    await shop.design('POST', '/platforms/db/components', ofTemplate('user', 'one', { username: 'one' }));
    expect((await shop.design('GET', '/platforms/db/component_types')).body).toMatchObject({
      compute: { min: 1, max: 1, current: 1 },
      user: { min: 0, max: 999, current: 1 },
    });
  });
});
