// What teams allow, as the table of service-facts §5.3 has it, in both dialects.
import { DIALECTS } from '../../api/contract';
import { basic, type Reply } from '../../test/service-caller';
import { type Shop, shopFor } from '../../test/shop';

const TEAM = 'builders';
const TOKEN = 'token-of-member';
const SHOP = '/acme/assemblies/shop';
const CLOUD = '/acme/clouds/east';

describe.each(DIALECTS)('%s', (dialect) => {
  const classic = dialect === 'classic';
  const FORBIDDEN = classic ? 401 : 403;
  let id: number;
  let compute: number;
  const shop: Shop = shopFor(
    'all',
    dialect,
    async () => {
      await shop.assembly();
      await shop.platform('web');
      await shop.commitDesign();
      await shop.ok(shop.createEnvironment('prod', { east: '1' }));
      await shop.settled('prod');
      const { ciId } = await shop.ok(shop.send('GET', shop.at('prod', '/platforms/web/components/compute')));
      compute = ciId;
      id = (await shop.ok<{ id: number }>(shop.send('POST', '/acme/organization/teams', { team: { name: TEAM } }))).id;
    },
    { users: [{ name: 'member', token: TOKEN, organizations: ['acme'], teams: [TEAM] }] },
  );

  const NONE = {
    design: false,
    transition: false,
    operations: false,
    org_scope: false,
    manages_access: false,
    cloud_services: false,
    cloud_support: false,
  };
  /** The team gives exactly these rights, and is attached to shop and east, or not. */
  const give = async (rights: object, attached: boolean): Promise<void> => {
    await shop.ok(shop.send('PUT', `/acme/organization/teams/${id}`, { team: { ...NONE, ...rights } }));
    for (const place of [SHOP, CLOUD])
      await shop.ok(shop.send('PUT', `${place}/update_teams`, attached ? { teams: [id] } : { remove: [id] }));
  };
  const ask = (method: string, path: string, body?: unknown): Promise<Reply> =>
    shop.send(method, path, body, { authorization: basic(TOKEN) });
  const component = classic ? '/components/compute' : '/components';
  const resize = { cms_dj_ci: { ciName: 'compute', ciAttributes: { size: 'M' } } };
  const instances = { ids: [], state: 'replace' };

  /** Requests by the right that allows them on what the team is attached to. */
  const REQUESTS: readonly (readonly [string, string, () => Promise<Reply>])[] = [
    ['design', 'PUT design', () => ask('PUT', `${SHOP}/design/platforms/web${component}`, resize)],
    ['transition', 'PUT transition', () => ask('PUT', shop.at('prod', '/platforms/web/components/compute'), resize)],
    ['transition', 'POST commit', () => ask('POST', shop.at('prod', '/commit'), {})],
    ['transition', 'GET or PUT toggle', () => ask(classic ? 'GET' : 'PUT', shop.at('prod', '/platforms/web/toggle'))],
    ['operations', 'PUT instances', () => ask('PUT', `${SHOP}/operations/instances/state`, instances)],
    [
      'operations',
      'POST procedures',
      () => ask('POST', '/acme/operations/procedures', { cms_procedure: { ciId: String(compute), definition: '{}' } }),
    ],
    ['design', 'PUT assembly', () => ask('PUT', SHOP, { cms_ci: { comments: 'x', ciAttributes: {} } })],
    ['manages_access', 'PUT assembly', () => ask('PUT', SHOP, { cms_ci: { comments: 'y', ciAttributes: {} } })],
    ['manages_access', 'update_teams', () => ask('PUT', `${SHOP}/update_teams`, { teams: [id] })],
    ['manages_access', 'POST assemblies', () => ask('POST', '/acme/assemblies', { cms_ci: { ciAttributes: {} } })],
    ['manages_access', 'PUT cloud', () => ask('PUT', CLOUD, { cms_ci: { ciAttributes: {} } })],
    ['cloud_services', 'POST variable', () => ask('POST', `${CLOUD}/variables`, { cms_ci: { ciAttributes: {} } })],
    ['cloud_support', 'POST support', () => ask('POST', `${CLOUD}/supports`, { cms_ci: { ciAttributes: {} } })],
    ['cloud_support', 'GET instances', () => ask('GET', `${CLOUD}/instances?instances_state=all`)],
  ];
  const RIGHTS = [...new Set(REQUESTS.map(([right]) => right))];

  test.each(RIGHTS)('%s allows what it is for, and nothing else', async (right) => {
    await give({ [right]: true }, true);
    const allowed = new Set(REQUESTS.filter(([needs]) => needs === right).map(([, says]) => says));
    const wrong: string[] = [];
    for (const [, says, send] of REQUESTS) {
      const { status, text } = await send();
      if ((status !== FORBIDDEN) !== allowed.has(says)) wrong.push(`${says}: ${status} ${text}`);
    }
    expect(wrong).toEqual([]);
  });

  test('without being attached a team reaches nothing, unless it has the whole organization', async () => {
    await give({ design: true, transition: true, cloud_services: true }, false);
    expect((await ask('GET', '/acme/assemblies')).body).toEqual([]);
    for (const path of [SHOP, `${SHOP}/design/platforms`, shop.at('prod'), `/l/ci/${compute}`])
      expect([path, (await ask('GET', path)).status]).toEqual([path, FORBIDDEN]);
    expect((await ask('PUT', `${SHOP}/design/platforms/web${component}`, resize)).status).toBe(FORBIDDEN);
    expect((await ask('GET', '/acme/clouds')).status).toBe(200);
    await give({ design: true, org_scope: true }, false);
    expect((await ask('GET', '/acme/assemblies')).body).toMatchObject([{ ciName: 'shop' }]);
    for (const path of [SHOP, `${SHOP}/design/platforms`, shop.at('prod'), `/l/ci/${compute}`])
      expect([path, (await ask('GET', path)).status]).toEqual([path, 200]);
    expect((await ask('PUT', `${SHOP}/design/platforms/web${component}`, resize)).status).toBe(200);
  });

  test('clouds, teams and the organization are for administrators', async () => {
    await give({ design: true, transition: true, org_scope: true, manages_access: true, cloud_services: true }, true);
    for (const [method, path] of [
      ['POST', '/acme/clouds'],
      ['PUT', '/acme/organization'],
      ['POST', '/acme/organization/teams'],
    ] as const)
      expect([path, (await ask(method, path, {})).status]).toEqual([path, FORBIDDEN]);
  });
});
