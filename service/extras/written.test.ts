// What is read and written as people write it, in YAML too, of designs and of environments: extract and load undo each other.
import { DIALECTS } from '../../api/contract';
import { type Shop, shopFor } from '../../test/shop';

const A = '/acme/assemblies/shop';

describe.each(DIALECTS)('%s', (dialect) => {
  const shop: Shop = shopFor('each', dialect, async () => {
    await shop.assembly();
    await shop.platform('web');
    await shop.ok(shop.design('POST', '/variables', { cms_dj_ci: { ciName: 'flag', ciAttributes: { value: 'yes' } } }));
    await shop.commitDesign();
    await shop.ok(shop.createEnvironment('qa', { east: '1' }));
    expect(await shop.deploy('qa')).toBe('complete');
  });

  test('a design in YAML loads into what it was', async () => {
    const yaml = await shop.send('GET', `${A}/design/extract.yaml`);
    expect([yaml.status, yaml.headers['content-type']]).toEqual([200, 'text/yaml; charset=utf-8']);
    const before = (await shop.send('GET', `${A}/design/extract`)).text;
    expect((await shop.send('PUT', `${A}/design/load`, { data: yaml.text })).status).toBe(200);
    await shop.commitDesign();
    expect((await shop.send('GET', `${A}/design/extract`)).text).toBe(before);
  });

  test('an environment shows what was set in it, loads it, and refuses what it does not have', async () => {
    const data =
      'variables: { flag: "no" }\nplatforms: { web: { components: { oneops.1.Compute: { compute: { size: L } } } } }';
    expect((await shop.send('PUT', shop.at('qa', '/load'), { data })).status).toBe(200);
    const written = await shop.send('GET', shop.at('qa', '/extract'));
    expect(written.body).toEqual({
      variables: { flag: 'no' },
      platforms: { web: { components: { 'oneops.1.Compute': { compute: { size: 'L' } } } } },
    });
    const yaml = await shop.send('GET', shop.at('qa', '/extract.yaml'));
    expect((await shop.send('PUT', shop.at('qa', '/load'), { data: yaml.text })).status).toBe(200);
    expect((await shop.send('GET', shop.at('qa', '/extract'))).text).toBe(written.text);
    const wrong = await shop.send('PUT', shop.at('qa', '/load'), { data: 'variables: { flag: x, other: y }' });
    expect([wrong.status, wrong.body]).toEqual([422, { errors: ['unknown variable "other"'] }]);
    expect((await shop.send('GET', shop.at('qa', '/extract'))).text).toBe(written.text);
  });

  test.each(['[1]', 'hello'])('%s is not a map: the answer has a list of errors and no other member', async (data) => {
    const body = { errors: ['the document must be a map'] };
    for (const [preview, status] of [
      ['false', 422],
      ['true', 200],
    ] as const) {
      const reply = await shop.send('PUT', shop.at('qa', '/load'), { data, preview });
      expect([reply.status, reply.body]).toEqual([status, body]);
    }
  });

  test('an empty document changes nothing, and the answer is an empty map', async () => {
    const reply = await shop.send('PUT', shop.at('qa', '/load'), { data: 'null' });
    expect([reply.status, reply.body]).toEqual([200, {}]);
  });

  test('releases have a text: that of the pull, or none', async () => {
    const texts = (
      await shop.ok<{ description: string; nsPath: string }[]>(shop.send('GET', shop.at('qa', '/releases')))
    )
      .filter(({ nsPath }) => nsPath.endsWith('/manifest'))
      .map(({ description }) => description);
    expect(texts).toEqual(['Pull design completed in 1500 ms']);
    const latest = await shop.ok<{ description: unknown }>(shop.design('GET', '/releases/latest'));
    expect(typeof latest.description).toBe('string');
    const timeline = await shop.ok<object[]>(shop.send('GET', shop.at('qa', '/timeline?size=2')));
    expect(timeline).toHaveLength(2);
  });
});
