// Laws of account, clouds, cloud services and offerings, in both dialects.
import { type Record as WireRecord } from '../../api/contract';
import { dialectsInTurn, eachDialectInTurn } from '../../test/dialects-in-turn';
import { type Reply } from '../../test/service-caller';
import { type Shop, shopFor, shopOf, record, recordChange } from '../../test/shop';

type ByType = { readonly [type: string]: WireRecord[] };

eachDialectInTurn(1, (dialect, classic) => {
  const shop: Shop = shopFor('each', dialect);

  const location = '/public/oneops/clouds/ec2-us-east-1';
  const template = (id: number) =>
    classic ? `/acme/clouds/north/services/new?mgmtCiId=${id}` : '/acme/clouds/north/services/elb/new.json';
  const available = (): Promise<ByType> => shop.get<ByType>('/acme/clouds/east/services/available.json');
  const elb = async () => (await available())['lb']?.find((record) => record.ciName === 'elb') as WireRecord;

  test('a fresh database contains the organization and its two clouds with their services', async () => {
    expect(await shop.get('/account/organizations')).toMatchObject([{ name: 'acme', cms_id: expect.any(Number) }]);
    expect(await shop.get('/acme/organization')).toMatchObject({
      ciName: 'acme',
      nsPath: '/',
      ciAttributes: { full_name: 'Acme Works' },
    });
    expect(await shop.get('/account/profile')).toMatchObject({
      username: 'admin',
      organization: { name: 'acme' },
    });
    const clouds = await shop.get<WireRecord[]>('/acme/clouds');
    expect(clouds.map(({ ciName, ciAttributes }) => [ciName, ciAttributes['location']])).toEqual([
      ['east', expect.stringMatching(/\/ec2-us-east-1$/)],
      ['west', expect.stringMatching(/\/ec2-us-west-2$/)],
    ]);
    expect(await shop.get('/acme/clouds/east/services')).not.toEqual([]);
  });

  test('a cloud is in a known location, or in one of its own with a key', async () => {
    const locations = await shop.get<{ [name: string]: string }>('/acme/clouds/locations.json');
    expect(locations['ec2-us-east-1']).toBe(location);
    const made = await shop.send('POST', '/acme/clouds', record('north', { location, description: 'x' }));
    expect(made.body).toMatchObject({
      nsPath: '/acme/_clouds',
      ciAttributes: { location, adminstatus: 'active', description: 'x' },
    });
    const own = await shop.send('POST', '/acme/clouds', record('custom', { location: '/acme/_clouds', auth: 'key' }));
    expect(own.body).toMatchObject({ ciAttributes: { location: '/acme/_clouds/custom' } });
    for (const attributes of [{}, { location: '' }, { location: 'ec2-us-east-1' }, { location: '/acme/_clouds' }]) {
      expect(await shop.status('POST', '/acme/clouds', record('bad', attributes))).toBe(422);
    }
    expect(await shop.status('POST', '/acme/clouds', record('NORTH', { location }))).toBe(422);
    expect(await shop.status('POST', '/acme/clouds', record('1st', { location }))).toBe(422);
  });

  test('a cloud is changed but not moved, and deleted with all it has', async () => {
    const moved = await shop.send(
      'PUT',
      '/acme/clouds/east',
      recordChange({ description: 'new', location: '/elsewhere' }),
    );
    expect(moved.body).toMatchObject({ ciAttributes: { description: 'new', location } });
    expect(await shop.status('PUT', '/acme/clouds/east', { cms_ci: { comments: 'x' } })).toBe(classic ? 500 : 400);
    const deleted = await shop.send('DELETE', '/acme/clouds/east');
    expect([deleted.status, deleted.text === '']).toEqual([200, !classic]);
    expect(await shop.status('GET', '/acme/clouds/east')).toBe(404);
    const offerings = await shop.get<ByType>('/acme/clouds/offerings');
    expect(
      Object.values(offerings)
        .flat()
        .filter((record) => record.nsPath.startsWith('/acme/_clouds/east/')),
    ).toEqual([]);
  });

  test('a service comes from its template: one of each type, secrets masked, offerings copied', async () => {
    await shop.send('POST', '/acme/clouds', record('north', { location }));
    const { ciId } = await elb();
    const built = await shop.get(template(ciId));
    expect(built).toMatchObject({ ciName: 'elb', ciAttributes: { secret: '' } });
    expect(built).not.toHaveProperty('ciId');
    const completed = {
      ...built,
      ciAttributes: { ...built.ciAttributes, key: 'k', secret: 'canary', region: 'us-east-1' },
    };
    const body = classic ? { cms_ci: completed, mgmtCiId: ciId } : completed;
    const made = await shop.send('POST', '/acme/clouds/north/services', body);
    expect(made.body).toMatchObject({
      ciName: 'elb',
      ciAttributes: { secret: '--ENCRYPTED--', region: 'us-east-1' },
    });
    expect(await shop.status('POST', '/acme/clouds/north/services', body)).toBe(422);
    const fetched = await shop.get('/acme/clouds/north/services/elb');
    const changed = { ...fetched, ciAttributes: { ...fetched.ciAttributes, region: 'us-west-2' } };
    const put = await shop.send('PUT', '/acme/clouds/north/services/elb', classic ? { cms_ci: changed } : changed);
    expect(put.body).toMatchObject({
      ciAttributes: { region: 'us-west-2', secret: '--ENCRYPTED--' },
      updatedBy: 'admin',
    });
    expect(await shop.status('DELETE', '/acme/clouds/north/services/elb')).toBe(200);
    expect(await shop.get('/acme/clouds/north/services')).toEqual([]);
  });

  test('what a service lacks is named, and an unknown template is no service', async () => {
    await shop.send('POST', '/acme/clouds', record('north', { location }));
    const { ciId } = await elb();
    const blank = { ciName: 'elb', ciAttributes: { region: 'us-east-1' } };
    const refused = await shop.send(
      'POST',
      '/acme/clouds/north/services',
      classic ? { cms_ci: blank, mgmtCiId: ciId } : blank,
    );
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('[key]');
    expect(refused.text).toContain('[secret]');
    const unknown = classic ? { cms_ci: blank, mgmtCiId: 1 } : { ...blank, ciName: 'nothing' };
    expect(await shop.status('POST', '/acme/clouds/north/services', unknown)).toBe(classic ? 500 : 400);
    expect(
      await shop.status(
        'GET',
        classic ? '/acme/clouds/north/services/new' : '/acme/clouds/north/services/nothing/new.json',
      ),
    ).toBe(404);
  });

  test('offerings and services are grouped by type, in public, of the organization, of one cloud', async () => {
    const root = classic ? '/clouds' : '/cloud';
    for (const what of ['offerings', 'services']) {
      const all = await shop.get<ByType>(`${root}/${what}`);
      expect(all['compute']?.every((record) => record.nsPath.startsWith('/public/'))).toBe(true);
      const own = await shop.get<ByType>(`/acme/clouds/${what}`);
      const east = await shop.get<ByType>(`/acme/clouds/${what}.json?ns_path=/acme/_clouds/east`);
      expect(east['compute']?.length).toBeGreaterThan(0);
      expect(east['compute']?.length).toBeLessThan(own['compute']?.length as number);
      expect(await shop.status('GET', `/acme/clouds/${what}?ns_path=/other/_clouds`)).toBe(classic ? 401 : 403);
    }
    const offering = (await shop.get<ByType>('/acme/clouds/offerings'))['compute']?.[0];
    expect(offering?.ciAttributes).toMatchObject({ cost_unit: 'USD', criteria: expect.any(String) });
  });

  test('the compute report of an organization without machines says zero', async () => {
    for (const query of ['', '?grouping=cloud', '?grouping=cloud&cloud=east']) {
      const { status, body } = await shop.send('GET', `/acme/reports/compute.json${query}`);
      expect([status, body]).toMatchObject([
        200,
        { scope: expect.any(Array), data: { name: 'acme', metrics: { count: 0, cores: 0, ram: 0 } } },
      ]);
    }
  });
});

// Laws of what is in a cloud: variables, supports, offerings, services beside their templates.

const CLOUD = '/acme/clouds/east';

eachDialectInTurn(0, (dialect, classic) => {
  const shop: Shop = shopFor('each', dialect);

  const send = (method: string, rest: string, body?: unknown): Promise<Reply> =>
    shop.send(method, `${CLOUD}${rest}`, body);

  /** Parts of a cloud: place, a part that can be made, attributes that change, and faulty ones. */
  const PARTS: readonly (readonly [string, object, object, object])[] = [
    ['/variables', { value: 'a' }, { value: 'b' }, { value: ' begins with a blank' }],
    ['/supports', { description: 'day' }, { description: 'night' }, { shift: 'day' }],
    ['/services/nova/offerings', { criteria: 'x' }, { cost_rate: '0.2' }, { criteria: '' }],
  ];

  describe.each(PARTS)('%s', (path, good, change, faulty) => {
    const first = async (): Promise<string> => {
      const services = (await send('GET', '/services')).body as WireRecord[];
      const compute = services.find(({ ciClassName }) => /Ec2|Openstack/.test(ciClassName))!;
      return path.replace('nova', compute.ciName);
    };

    test('are made, read, changed and deleted immediately, and checked', async () => {
      const at = await first();
      const before = ((await send('GET', at)).body as WireRecord[]).length;
      const made = await send('POST', at, record('mine', good));
      expect(made.body).toMatchObject({ ciName: 'mine', ciState: 'default', createdBy: 'admin', ciAttributes: good });
      const { ciId } = made.body as WireRecord;
      expect((await send('POST', at, record('MINE', good))).text).toContain('(400)');
      expect((await send('POST', at, record('1st', good))).status).toBe(422);
      expect((await send('POST', at, record('other', faulty))).status).toBe(422);
      expect((await send('PUT', `${at}/mine`, recordChange(faulty))).status).toBe(422);
      expect((await send('PUT', `${at}/${ciId}`, recordChange(change))).body).toMatchObject({
        updatedBy: 'admin',
        ciAttributes: { ...good, ...change },
      });
      expect((await send('PUT', `${at}/mine`, { cms_ci: { ciName: 'yours' } })).status).toBe(422);
      expect((await send('GET', at)).body).toHaveLength(before + 1);
      const deleted = await send('DELETE', `${at}/mine`);
      expect([deleted.status, deleted.text === '']).toEqual([200, !classic]);
      expect((await send('GET', `${at}/mine`)).status).toBe(404);
    });

    test('go with their cloud', async () => {
      const { ciId } = (await send('POST', await first(), record('mine', good))).body as WireRecord;
      expect(await shop.status('DELETE', CLOUD)).toBe(200);
      expect(await shop.status('GET', `/l/ci/${ciId}`)).toBe(404);
    });
  });

  test('a variable of a cloud is the value its instances get', async () => {
    for (const [cloud, value] of [
      ['east', 'L'],
      ['west', 'M'],
    ] as const)
      await shop.ok(shop.send('POST', `/acme/clouds/${cloud}/variables`, record('size', { value })));
    await shop.assembly();
    await shop.platform('web');
    await shop.redesign('compute', { size: '$OO_CLOUD{size}' });
    await shop.commitDesign();
    await shop.ok(shop.createEnvironment('prod', { east: '1', west: '1' }));
    expect(await shop.deploy('prod')).toBe('complete');
    const machines = (await shop.instances('prod')).filter(({ ciName }) => ciName.startsWith('compute-'));
    expect(machines.map(({ deployedTo, ciAttributes }) => [deployedTo?.ciName, ciAttributes['size']]).sort()).toEqual([
      ['east', 'L'],
      ['west', 'M'],
    ]);
  });

  test('a secret variable and the token of a support are not shown', async () => {
    const secret = { secure: 'true', encrypted_value: 'canary' };
    const made = await send('POST', '/variables', record('key', secret));
    expect(made.body).toMatchObject({ ciAttributes: { encrypted_value: '--ENCRYPTED--' } });
    const support = await send('POST', '/supports', record('gate', { approval_token: 'canary' }));
    expect(made.text + support.text).not.toContain('canary');
  });

  test('a service shows where it left its template, but no secret', async () => {
    type Different = WireRecord & {
      readonly diffCi: WireRecord | null;
      readonly diffAttributes: { [name: string]: string };
    };
    const diff = async (query = ''): Promise<Different[]> =>
      shop.ok<Different[]>(send('GET', `/services/diff${query}`));
    const [service] = (await diff()).filter(({ diffCi }) => diffCi !== null);
    const change = { ciName: service!.ciName, ciAttributes: { region: 'changed' } };
    await shop.ok(send('PUT', `/services/${service!.ciName}`, classic ? { cms_ci: change } : change));
    const changed = (await diff('?changes_only=true')).find(({ ciId }) => ciId === service!.ciId);
    expect(changed?.diffAttributes).toHaveProperty('region');
    expect(changed?.diffCi?.ciClassName).toMatch(/^mgmt\.cloud\.service\./);
    expect(Object.keys(changed?.diffAttributes ?? {})).not.toContain('secret');
  });

  test('offerings of the template are there to begin with', async () => {
    const services = (await send('GET', '/services')).body as WireRecord[];
    const compute = services.find(({ ciClassName }) => /Ec2|Openstack/.test(ciClassName))!;
    const at = `/services/${compute.ciName}/offerings`;
    const available = (await send('GET', `${at}/available`)).body as WireRecord[];
    expect(available.length).toBeGreaterThan(0);
    const template = await send('GET', `${at}/new?mgmtOfferingCiId=${available[0]!.ciId}`);
    expect(template.body).toMatchObject({
      ciName: available[0]!.ciName,
      ciClassName: 'cloud.Offering',
      ciAttributes: available[0]!.ciAttributes,
    });
    expect((await send('GET', `${at}/new?mgmtOfferingCiId=1`)).status).toBe(404);
  });
});

// Quotas of a cloud's compute service: a plan beyond them is refused, one within them is not.

interface Branch {
  readonly name: string;
  readonly metrics: { readonly count: number; readonly cores: number };
  readonly children: readonly Branch[];
}
interface Report {
  readonly data: Branch;
}

/** Every attribute a service of this class must have. */
const OPENSTACK = { endpoint: 'http://nova', tenant: 'acme', username: 'acme', password: 'secret' };
const ZONE = { key: 'k', secret: 's', zone: 'acme.io', cloud_dns_id: 'north' };

test.each(dialectsInTurn(1))('%s: a commit beyond a quota fails with 6021, one within it deploys', async (dialect) => {
  const shop = shopOf(dialect);
  const CLOUD = '/acme/clouds/north';
  await shop.ok(shop.send('POST', '/acme/clouds', record('north', { location: '/public/oneops/clouds/openstack' })));
  const available = await shop.get<{ [type: string]: WireRecord[] }>(`${CLOUD}/services/available.json`);
  const add = async (type: string, tail: string, values: object): Promise<WireRecord> => {
    const template = available[type]!.find(({ ciClassName }) => ciClassName.endsWith(`.${tail}`))!;
    const record = {
      ciName: template.ciName,
      ciClassName: template.ciClassName,
      ciAttributes: { ...template.ciAttributes, ...values },
    };
    const body = dialect === 'classic' ? { cms_ci: record, mgmtCiId: template.ciId } : record;
    return shop.ok(shop.send('POST', `${CLOUD}/services/`, body));
  };
  const { ciName } = await add('compute', 'Openstack', { ...OPENSTACK, max_instances: '1' });
  await add('dns', 'Route53', ZONE);
  await shop.assembly();
  await shop.platform('web');
  await shop.commitDesign();
  const environment = (name: string) => shop.ok(shop.createEnvironment(name, { north: '1' }));
  await environment('dev');
  expect(await shop.deploy('dev')).toBe('complete');
  const report = await shop.get<Report>('/acme/reports/compute.json?grouping=cloud');
  const [used, free] = report.data.children.find(({ name }) => name === ciName)!.children;
  expect([used?.metrics.count, free?.metrics.count, free?.metrics.cores]).toEqual([1, 0, 0]);
  await environment('prod');
  expect(await shop.deploy('prod')).toMatch(/^ERROR:BOM: cloud north allows 1 machines, .* 2 there \(6021\)$/);
  expect(await shop.deploy('dev')).toBe('nothing');
  await shop.ok(shop.send('PUT', `${CLOUD}/services/${ciName}`, recordChange({ max_instances: '5' })));
  const wider = await shop.get<Report>('/acme/reports/compute.json?grouping=cloud');
  expect(wider.data.children.find(({ name }) => name === ciName)?.children[1]?.metrics.count).toBe(4);
  expect(await shop.deploy('prod')).toBe('complete');
  expect(shop.bugs).toEqual([]);
  shop.close();
});
