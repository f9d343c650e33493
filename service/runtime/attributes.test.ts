// The document's own rules of values: what it describes is checked, what it allows is taken.
import { type Record as WireRecord } from '../../api/contract';
import { dialectsInTurn } from '../../test/dialects-in-turn';
import { type Reply } from '../../test/service-caller';
import { type Shop, shopFor, named, record, recordChange, change, ofTemplate } from '../../test/shop';

const PLATFORM = { source: 'oneops', pack: 'custom', version: '1' };
const BOOLEANS = ['autorepair', 'monitoring', 'codpmt', 'debug', 'global_dns', 'autoscale'];

describe.each(dialectsInTurn(1))('%s', (dialect) => {
  const documented = dialect === 'documented';
  let east: string;
  const shop: Shop = shopFor('all', dialect, async () => {
    await shop.assembly();
    east = String((await shop.get<WireRecord>('/acme/clouds/east')).ciId);
    await shop.platform('web', { pack: 'custom' });
    await shop.design('POST', '/platforms/web/components', ofTemplate('user', 'deployer', { username: 'deployer' }));
    await shop.commitDesign();
    await shop.createEnvironment('prod', { east: '1' });
  });

  const environment = (name: string, ciAttributes: object): Promise<Reply> =>
    shop.send('POST', documented ? shop.at(name) : '/acme/assemblies/shop/transition/environments', {
      clouds: { [east]: '1' },
      platform_availability: { web: 'default' },
      ...record(name, ciAttributes),
    });
  const platform = (ciName: string, more: object): Promise<Reply> =>
    shop.send('POST', '/acme/assemblies/shop/design/platforms', named(ciName, { ...PLATFORM, ...more }));
  const ATTACHMENTS = '/acme/assemblies/shop/design/platforms/web/components/deployer/attachments';
  const events = documented ? 'runs_on' : 'run_on';
  const attachment = (ciName: string, ciAttributes: object | undefined): Promise<Reply> =>
    shop.send('POST', ATTACHMENTS, { cms_dj_ci: { ciName, ...(ciAttributes === undefined ? {} : { ciAttributes }) } });
  const complete = { path: '/etc/motd', [events]: 'after-add', priority: '1' };

  /** Documented: 422 that names the field; else taken. */
  const isChecked = async (field: string, sent: Promise<Reply>): Promise<void> => {
    const { status, body } = await sent;
    const expected = documented
      ? [422, { errors: [expect.stringContaining(field)] }]
      : [200, expect.not.objectContaining({ errors: expect.anything() })];
    expect([field, status, body]).toEqual([field, ...expected]);
  };

  test.each(BOOLEANS)('the switch %s of an environment is true or false', async (name) => {
    await isChecked(name, shop.prod('PUT', '', recordChange({ [name]: 'maybe' })));
    for (const value of ['true', 'false', true, '']) {
      const sent = recordChange({ [name]: value });
      expect(await shop.status('PUT', shop.at('prod'), sent)).toBe(200);
    }
  });

  test('the availability of an environment is single or redundant', async () => {
    await isChecked('availability', environment('triple', { availability: 'triple' }));
    for (const availability of ['single', 'redundant'])
      expect((await environment(availability, { availability })).status).toBe(200);
    const profile = record('profile', { availability: 'triple' });
    await isChecked('availability', shop.send('POST', '/acme/organization/environments', profile));
  });

  test.each(['1/../../x', '', 'abc', '0', '-1', ' '])('the major version of a platform is no %j', async (version) => {
    const name = `p${version.length}${version.charCodeAt(0) || 0}`;
    const made = await platform(name, { major_version: version });
    if (documented) {
      expect([made.status, made.body]).toEqual([422, { errors: [expect.stringContaining('major_version')] }]);
    } else {
      expect((made.body as WireRecord).ciAttributes).toMatchObject({ major_version: '1' });
    }
  });

  test('a major version that is a number is part of the path', async () => {
    const made = await platform('second', { major_version: documented ? '2' : '1' });
    expect(made.status).toBe(200);
    expect((made.body as WireRecord).ciAttributes).toMatchObject({ major_version: documented ? '2' : '1' });
  });

  test('the priority of an attachment is a number; its headers may be a hash', async () => {
    await isChecked('priority', attachment('high', { ...complete, priority: 'high' }));
    expect((await attachment('second', { ...complete, priority: '2' })).status).toBe(200);
    const headers = { Accept: 'text/plain', Depth: 3 };
    const hash = await attachment('hash', { ...complete, headers });
    if (documented) {
      expect((hash.body as WireRecord).ciAttributes).toMatchObject({ headers: JSON.stringify(headers) });
      const patched = change({ headers: {} });
      expect((await shop.send('PUT', `${ATTACHMENTS}/hash`, patched)).body).toMatchObject({
        ciAttributes: { headers: '{}' },
      });
      const inPath = change({ path: { a: 'b' } });
      expect(await shop.status('PUT', `${ATTACHMENTS}/hash`, inPath)).toBe(422);
    } else {
      expect([hash.status, hash.body]).toEqual([422, { errors: [expect.stringContaining('headers')] }]);
    }
  });

  test('attributes that the document calls required are there', async () => {
    await isChecked('ciAttributes', shop.send('PUT', '/acme/assemblies/shop', { cms_ci: { comments: 'x' } }));
    if (!documented) return;
    await isChecked('ciAttributes', shop.send('POST', '/acme/assemblies', { cms_ci: { ciName: 'other' } }));
    await isChecked('ciAttributes', attachment('none', undefined));
    const sent = { cms_dj_ci: { comments: 'x' } };
    await isChecked('ciAttributes', shop.send('PUT', `${ATTACHMENTS}/second`, sent));
    expect(await shop.status('GET', '/acme/assemblies/other')).toBe(404);
    expect(await shop.status('GET', `${ATTACHMENTS}/none`)).toBe(404);
  });
});
