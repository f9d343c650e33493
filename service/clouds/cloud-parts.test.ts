// Laws of what is in a cloud: variables that deployments use, supports, offerings, and how services differ from their templates.
import { DIALECTS, type Record as WireRecord } from '../../api/contract';
import { type Reply } from '../../test/service-caller';
import { type Shop, shopFor } from '../../test/shop';

const CLOUD = '/acme/clouds/east';

describe.each(DIALECTS)('%s', (dialect) => {
  const classic = dialect === 'classic';
  const shop: Shop = shopFor('each', dialect);

  const send = (method: string, rest: string, body?: unknown): Promise<Reply> =>
    shop.send(method, `${CLOUD}${rest}`, body);
  const record = (ciName: string, ciAttributes: object) => ({ cms_ci: { ciName, ciAttributes } });

  /** What all parts of a cloud have in common: place, part that can be made, attributes that change, and faulty ones. */
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
      expect((await send('PUT', `${at}/mine`, { cms_ci: { ciAttributes: faulty } })).status).toBe(422);
      expect((await send('PUT', `${at}/${ciId}`, { cms_ci: { ciAttributes: change } })).body).toMatchObject({
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
      expect((await shop.send('DELETE', CLOUD)).status).toBe(200);
      expect((await shop.send('GET', `/l/ci/${ciId}`)).status).toBe(404);
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
    await shop.design('PUT', classic ? '/platforms/web/components/compute' : '/platforms/web/components', {
      cms_dj_ci: { ciName: 'compute', ciAttributes: { size: '$OO_CLOUD{size}' } },
    });
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
