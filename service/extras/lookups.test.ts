// Laws of look-ups: anything by number, but not another organization's; packs; what the service says of itself.
import { dialectRules, DIALECTS, openApiText, type Record as WireRecord } from '../../api/contract';
import { type Shop, shopFor } from '../../test/shop';

describe.each(DIALECTS)('%s', (dialect) => {
  const classic = dialect === 'classic';
  const shop: Shop = shopFor('each', dialect, () => shop.assembly());

  test('a record is found by its number, in the shape its place has', async () => {
    const platform = await shop.platform('web');
    const found = await shop.ok(shop.send('GET', `/l/ci/${platform.ciId}`));
    expect(found).toMatchObject({ ciName: 'web', ciClassName: 'catalog.Platform', rfcAction: classic ? 'add' : null });
    const [cloud] = await shop.ok<WireRecord[]>(shop.send('GET', '/acme/clouds'));
    expect(await shop.ok(shop.send('GET', `/l/ci/${cloud!.ciId}`))).toMatchObject({ ciName: cloud!.ciName, altNs: {} });
  });

  test.each(['ci', 'rel', 'release', 'deployment', 'procedure'])(
    'what %s has no such number is not there',
    async (kind) => {
      for (const id of ['1', 'name', '999999999999'])
        expect((await shop.send('GET', `/l/${kind}/${id}`)).status).toBe(404);
    },
  );

  test('packs are listed with their versions, and with the templates of each mode', async () => {
    const packs = await shop.ok<{ [source: string]: { [name: string]: string[] } }>(
      shop.send('GET', '/acme/catalog/packs'),
    );
    expect(packs['oneops']).toMatchObject({ tomcat: ['1'], custom: ['1'] });
    const names = async (mode: string): Promise<(string | null | undefined)[]> =>
      (
        await shop.ok<WireRecord[]>(
          shop.send('GET', `/acme/catalog/packs/oneops/tomcat/1${mode}/platforms/tomcat/components`),
        )
      ).map(({ ciName }) => ciName);
    expect(await names('')).toContain('tomcat');
    expect(await names('')).not.toContain('sshkeys');
    expect(await names('/single')).toEqual(expect.arrayContaining(['tomcat', 'sshkeys']));
    for (const path of ['tomcat/9/platforms/tomcat', 'tomcat/1/platforms/custom', 'tomcat/1/double/platforms/tomcat'])
      expect((await shop.send('GET', `/acme/catalog/packs/oneops/${path}/components`)).status).toBe(404);
  });

  test('the service describes itself to anybody', async () => {
    const reply = await shop.send('GET', '/openapi.json', undefined, { authorization: '' });
    expect([reply.status, reply.body]).toEqual([200, JSON.parse(openApiText(dialectRules[dialect]))]);
    expect((await shop.send('GET', '/status/ecv', undefined, { authorization: '' })).status).toBe(200);
  });
});
