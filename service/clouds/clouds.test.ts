// Laws of account, clouds, cloud services and offerings, in both dialects.
import { type Dialect, DIALECTS, type Record as WireRecord } from '../../api/contract';
import { type Caller, type Reply, callerFor } from '../../test/service-caller';

const recordOf = (reply: Reply): WireRecord => reply.body as WireRecord;
const byType = (reply: Reply) => reply.body as { readonly [type: string]: WireRecord[] };

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
  const classic = dialect === 'classic';
  const caller: Caller = callerFor('each', dialect);

  const cloud = (name: string, attributes: object) => ({ cms_ci: { ciName: name, ciAttributes: attributes } });
  const location = '/public/oneops/clouds/ec2-us-east-1';
  const template = (id: number) =>
    classic ? `/acme/clouds/north/services/new?mgmtCiId=${id}` : '/acme/clouds/north/services/elb/new.json';
  const available = async () => byType(await caller.send('GET', '/acme/clouds/east/services/available.json'));
  const elb = async () => (await available())['lb']?.find((record) => record.ciName === 'elb') as WireRecord;

  test('a fresh database contains the organization and its two clouds with their services', async () => {
    expect((await caller.send('GET', '/account/organizations')).body).toMatchObject([
      { name: 'acme', cms_id: expect.any(Number) },
    ]);
    expect((await caller.send('GET', '/acme/organization')).body).toMatchObject({ ciName: 'acme', nsPath: '/' });
    expect((await caller.send('GET', '/account/profile')).body).toMatchObject({
      username: 'admin',
      organization: { name: 'acme' },
    });
    const clouds = (await caller.send('GET', '/acme/clouds')).body as WireRecord[];
    expect(clouds.map((record) => record.ciName)).toEqual(['east', 'west']);
    expect((await caller.send('GET', '/acme/clouds/east/services')).body).not.toEqual([]);
  });

  test('a cloud is in a known location, or in one of its own with a key', async () => {
    const locations = (await caller.send('GET', '/acme/clouds/locations.json')).body as { [name: string]: string };
    expect(locations['ec2-us-east-1']).toBe(location);
    const made = await caller.send('POST', '/acme/clouds', cloud('north', { location, description: 'x' }));
    expect(recordOf(made)).toMatchObject({
      nsPath: '/acme/_clouds',
      ciAttributes: { location, adminstatus: 'active', description: 'x' },
    });
    const own = await caller.send('POST', '/acme/clouds', cloud('custom', { location: '/acme/_clouds', auth: 'key' }));
    expect(recordOf(own).ciAttributes['location']).toBe('/acme/_clouds/custom');
    for (const attributes of [{}, { location: '' }, { location: 'ec2-us-east-1' }, { location: '/acme/_clouds' }]) {
      expect((await caller.send('POST', '/acme/clouds', cloud('bad', attributes))).status).toBe(422);
    }
    expect((await caller.send('POST', '/acme/clouds', cloud('NORTH', { location }))).status).toBe(422);
    expect((await caller.send('POST', '/acme/clouds', cloud('1st', { location }))).status).toBe(422);
  });

  test('a cloud is changed but not moved, and deleted with all it has', async () => {
    const moved = await caller.send('PUT', '/acme/clouds/east', {
      cms_ci: { ciAttributes: { description: 'new', location: '/elsewhere' } },
    });
    expect(recordOf(moved).ciAttributes).toMatchObject({ description: 'new', location });
    expect((await caller.send('PUT', '/acme/clouds/east', { cms_ci: { comments: 'x' } })).status).toBe(
      classic ? 500 : 400,
    );
    const deleted = await caller.send('DELETE', '/acme/clouds/east');
    expect([deleted.status, deleted.text === '']).toEqual([200, !classic]);
    expect((await caller.send('GET', '/acme/clouds/east')).status).toBe(404);
    const offerings = byType(await caller.send('GET', '/acme/clouds/offerings'));
    expect(
      Object.values(offerings)
        .flat()
        .filter((record) => record.nsPath.startsWith('/acme/_clouds/east/')),
    ).toEqual([]);
  });

  test('a service comes from its template: one of each type, secrets masked, offerings copied', async () => {
    await caller.send('POST', '/acme/clouds', cloud('north', { location }));
    const { ciId } = await elb();
    const built = recordOf(await caller.send('GET', template(ciId)));
    expect(built).toMatchObject({ ciName: 'elb', ciAttributes: { secret: '' } });
    expect(built).not.toHaveProperty('ciId');
    const completed = {
      ...built,
      ciAttributes: { ...built.ciAttributes, key: 'k', secret: 'canary', region: 'us-east-1' },
    };
    const body = classic ? { cms_ci: completed, mgmtCiId: ciId } : completed;
    const made = await caller.send('POST', '/acme/clouds/north/services', body);
    expect(recordOf(made)).toMatchObject({
      ciName: 'elb',
      ciAttributes: { secret: '--ENCRYPTED--', region: 'us-east-1' },
    });
    expect((await caller.send('POST', '/acme/clouds/north/services', body)).status).toBe(422);
    const fetched = recordOf(await caller.send('GET', '/acme/clouds/north/services/elb'));
    const changed = { ...fetched, ciAttributes: { ...fetched.ciAttributes, region: 'us-west-2' } };
    const put = await caller.send('PUT', '/acme/clouds/north/services/elb', classic ? { cms_ci: changed } : changed);
    expect(recordOf(put)).toMatchObject({
      ciAttributes: { region: 'us-west-2', secret: '--ENCRYPTED--' },
      updatedBy: 'admin',
    });
    expect((await caller.send('DELETE', '/acme/clouds/north/services/elb')).status).toBe(200);
    expect((await caller.send('GET', '/acme/clouds/north/services')).body).toEqual([]);
  });

  test('what a service lacks is named, and an unknown template is no service', async () => {
    await caller.send('POST', '/acme/clouds', cloud('north', { location }));
    const { ciId } = await elb();
    const blank = { ciName: 'elb', ciAttributes: { region: 'us-east-1' } };
    const refused = await caller.send(
      'POST',
      '/acme/clouds/north/services',
      classic ? { cms_ci: blank, mgmtCiId: ciId } : blank,
    );
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('[key]');
    expect(refused.text).toContain('[secret]');
    const unknown = classic ? { cms_ci: blank, mgmtCiId: 1 } : { ...blank, ciName: 'nothing' };
    expect((await caller.send('POST', '/acme/clouds/north/services', unknown)).status).toBe(classic ? 500 : 400);
    expect(
      (
        await caller.send(
          'GET',
          classic ? '/acme/clouds/north/services/new' : '/acme/clouds/north/services/nothing/new.json',
        )
      ).status,
    ).toBe(404);
  });

  test('offerings and services are grouped by type, in public, of the organization, of one cloud', async () => {
    const root = classic ? '/clouds' : '/cloud';
    for (const what of ['offerings', 'services']) {
      const all = byType(await caller.send('GET', `${root}/${what}`));
      expect(all['compute']?.every((record) => record.nsPath.startsWith('/public/'))).toBe(true);
      const own = byType(await caller.send('GET', `/acme/clouds/${what}`));
      const east = byType(await caller.send('GET', `/acme/clouds/${what}.json?ns_path=/acme/_clouds/east`));
      expect(east['compute']?.length).toBeGreaterThan(0);
      expect(east['compute']?.length).toBeLessThan(own['compute']?.length as number);
      expect((await caller.send('GET', `/acme/clouds/${what}?ns_path=/other/_clouds`)).status).toBe(
        classic ? 401 : 403,
      );
    }
    const offering = byType(await caller.send('GET', '/acme/clouds/offerings'))['compute']?.[0];
    expect(offering?.ciAttributes).toMatchObject({ cost_unit: 'USD', criteria: expect.any(String) });
  });

  test('the compute report of an organization without machines says zero', async () => {
    for (const query of ['', '?grouping=cloud', '?grouping=cloud&cloud=east']) {
      const { status, body } = await caller.send('GET', `/acme/reports/compute.json${query}`);
      expect([status, body]).toMatchObject([
        200,
        { scope: expect.any(Array), data: { name: 'acme', metrics: { count: 0, cores: 0, ram: 0 } } },
      ]);
    }
  });
});
