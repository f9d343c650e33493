// Laws of look-ups: anything by number, but not another organization's; packs; what the service says of itself.
import { dialectRules, DIALECTS, openApiText, type Record as WireRecord } from '../../api/contract';
import { basic } from '../../test/service-caller';
import { type Shop, shopOf } from '../../test/shop';

describe.each(DIALECTS)('%s', (dialect) => {
  const classic = dialect === 'classic';
  let shop: Shop;
  beforeEach(async () => {
    shop = shopOf(dialect, { users: [{ name: 'stranger', token: 'token-of-stranger', organizations: ['other'] }] });
    await shop.assembly();
  });
  afterEach(() => {
    expect(shop.bugs).toEqual([]);
    shop.close();
  });

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

  test("another organization's records are not handed out", async () => {
    const platform = await shop.platform('web');
    const headers = { authorization: basic('token-of-stranger') };
    const reply = await shop.send('GET', `/l/ci/${platform.ciId}`, undefined, headers);
    expect(reply.status).toBe(classic ? 500 : 404);
    expect(reply.text).not.toContain('web');
  });

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
