// Laws of designs: what a platform brings, what is refused, what waits for a commit.
import { type Record as WireRecord } from '../../api/contract';
import { eachDialectInTurn } from '../../test/dialects-in-turn';
import { basic, type Reply } from '../../test/service-caller';
import { named, record, recordChange, change, ofTemplate, type Shop, shopFor } from '../../test/shop';

const AS = '/acme/assemblies';
const A = `${AS}/shop`;
const DESIGN = `${A}/design`;
const WEB = `${DESIGN}/platforms/web`;

const recordOf = (reply: Reply): WireRecord => reply.body as WireRecord;
const errorsOf = (reply: Reply): string[] => (reply.body as { errors: string[] }).errors;

const platform = (name: string, attributes: object = {}) =>
  named(name, { source: 'oneops', pack: 'tomcat', version: '1', ...attributes });

type Component = WireRecord & { readonly dependsOn: WireRecord[]; readonly dependents: WireRecord[] };
type LatestRelease = { readonly releaseId: number; readonly releaseState: string; readonly rfc_cis?: unknown };

const namesAt = async (shop: Shop, path: string): Promise<string[]> =>
  (await shop.get<WireRecord[]>(path)).map(({ ciName }) => ciName);
const latestOf = (shop: Shop, query = ''): Promise<LatestRelease> => shop.get(`${DESIGN}/releases/latest${query}`);

async function commit(shop: Shop): Promise<Reply> {
  const { releaseId } = await latestOf(shop);
  return shop.design('POST', `/releases/${releaseId}/commit`, { desc: 'all of it' });
}

eachDialectInTurn(1, (dialect, classic) => {
  const events = classic ? 'run_on' : 'runs_on';
  const shop: Shop = shopFor('each', dialect, () => shop.assembly(), {
    users: [{ name: 'paul', token: 'token-of-paul' }],
  });

  describe('assemblies', () => {
    test('comments, owner and attributes change immediately and are stamped', async () => {
      const sent = { cms_ci: { comments: 'other', ciAttributes: {} } };
      const { body } = await shop.send('PUT', A, sent, { authorization: basic('token-of-paul') });
      expect(body).toMatchObject({
        comments: 'other',
        createdBy: 'admin',
        updatedBy: 'paul',
        ciAttributes: { owner: 'team@acme.io', tags: '{}' },
      });
      expect((body as WireRecord).updated).toBeGreaterThan((body as WireRecord).created as number);
    });

    test.each(['Shop', 'shop', 'shop_1', 'x'.repeat(33)])('no assembly %j', async (ciName) => {
      const reply = await shop.send('POST', AS, record(ciName, { owner: 'maria@acme.io' }));
      expect(reply.status).toBe(422);
      expect(errorsOf(reply)).toHaveLength(1);
    });

    test('an owner is requested by the dialect that needs one, and must be an address in both', async () => {
      const without = await shop.send('POST', AS, record('other', {}));
      expect(without.status).toBe(classic ? 422 : 200);
      const wrong = await shop.send('PUT', A, recordChange({ owner: 'maria' }));
      expect(wrong.status).toBe(422);
    });

    test('DELETE takes all of it and answers as the dialect does', async () => {
      await shop.design('POST', '/platforms', platform('web'));
      const deleted = await shop.send('DELETE', A);
      expect([deleted.status, deleted.text === '']).toEqual([200, !classic]);
      if (classic) expect(deleted.body).toMatchObject({ ciName: 'shop' });
      expect(await shop.status('GET', A)).toBe(404);
      expect(await shop.get(AS)).toEqual([]);
      await shop.assembly();
      expect(await shop.get(`${DESIGN}/platforms`)).toEqual([]);
    });
  });

  describe('platforms', () => {
    test('a platform is born with what its pack requires, tied and connected', async () => {
      const made = await shop.design('POST', '/platforms', platform('web', { major_version: '3' }));
      expect(made.status).toBe(200);
      expect(recordOf(made).ciAttributes).toMatchObject({
        major_version: classic ? '1' : '3',
        pack_digest: expect.stringMatching(/^[0-9a-f]+$/),
      });
      const born = ['compute', 'fqdn', 'java', 'lb', 'os', 'secgroup', 'tomcat'];
      expect((await namesAt(shop, `${WEB}/components`)).sort()).toEqual(born);
      const tomcat = await shop.get<Component>(`${WEB}/components/tomcat`);
      expect(tomcat.dependsOn.map((record) => record.ciName)).toEqual(expect.arrayContaining(['os', 'java']));
      const os = await shop.get<Component>(`${WEB}/components/os`);
      expect(os.dependents.map((record) => record.ciName)).toContain('tomcat');
    });

    test.each([
      ['no attributes', { cms_dj_ci: { ciName: 'web' } }, classic ? 500 : 400],
      ['an unknown pack', platform('web', { pack: 'nothing' }), 422],
      ['an unknown version', platform('web', { version: '99' }), 422],
      ['an unknown attribute', platform('web', { colour: 'red' }), 422],
      ['a reserved name', platform('manifest'), 422],
    ])('%s: refused, and no release is opened', async (_, body, status) => {
      expect(await shop.status('POST', `${DESIGN}/platforms`, body)).toBe(status);
      expect(await shop.status('GET', `${DESIGN}/releases/latest`)).toBe(404);
      expect(await shop.get(`${DESIGN}/platforms`)).toEqual([]);
    });

    test('links are a set: by name or number, unknown ones dropped, all dropped when not sent again', async () => {
      await shop.design('POST', '/platforms', platform('db', { pack: 'mysql' }));
      const made = await shop.design('POST', '/platforms', { ...platform('web'), links_to: ['db', 'nobody'] });
      expect(made.body).not.toHaveProperty('links_to');
      const links = async () => (await shop.get<{ links_to: string[] }>(WEB)).links_to;
      expect(await links()).toEqual(['db']);
      const db = await shop.get(`${DESIGN}/platforms/db`);
      await shop.send('PUT', WEB, { ...change({ description: 'x' }), links_to: [db.ciId] });
      expect(await links()).toEqual(['db']);
      await shop.send('PUT', WEB, change({ description: 'y' }));
      expect(await links()).toEqual([]);
    });

    test('names are taken in any case', async () => {
      await shop.design('POST', '/platforms', platform('web'));
      expect(await shop.status('POST', `${DESIGN}/platforms`, platform('WEB'))).toBe(422);
      expect(await shop.status('GET', `${DESIGN}/platforms/WEB`)).toBe(404);
    });
  });

  describe('components', () => {
    const user = (name: string, attributes: object = { username: 'deployer' }) => ofTemplate('user', name, attributes);
    const put = (name: string, body: { cms_dj_ci: object }) =>
      classic
        ? shop.send('PUT', `${WEB}/components/${name}`, body)
        : shop.send('PUT', `${WEB}/components`, { ...body, cms_dj_ci: { ciName: name, ...body.cms_dj_ci } });

    beforeEach(async () => {
      await shop.design('POST', '/platforms', platform('web'));
    });

    test("a new component has class defaults; its template has the pack's", async () => {
      const made = await shop.ok(shop.send('POST', `${WEB}/components`, ofTemplate('volume', 'data', {})));
      expect(made.ciAttributes).toMatchObject({ mount_point: '/volume', fstype: 'ext3' });
      const template = await shop.get(`${WEB}/components/new?template_name=volume`);
      expect(template.ciAttributes).toMatchObject({ mount_point: '/data', fstype: 'xfs' });
      expect(template).not.toHaveProperty('ciId');
      expect(await shop.get(`${WEB}/components/new.json?template_name=nothing`)).toMatchObject({
        ciClassName: null,
        ciAttributes: {},
      });
    });

    test('update merges, keeps the rest, and owners stay unless the body says otherwise', async () => {
      await shop.send('POST', `${WEB}/components`, user('deployer'));
      await put('deployer', {
        cms_dj_ci: { ciAttributes: { ulimit: '20000' }, ciAttrProps: { owner: { ulimit: 'design' } } },
      });
      const second = await put('deployer', change({ description: 'x' }));
      expect(second.body).toMatchObject({
        ciAttributes: { username: 'deployer', ulimit: '20000', description: 'x' },
        ciAttrProps: { owner: { ulimit: 'design' } },
      });
      const third = await put('deployer', {
        cms_dj_ci: { ciAttributes: {}, ciAttrProps: { owner: { ulimit: '', description: 'design' } } },
      });
      expect(recordOf(third).ciAttrProps).toEqual({ owner: { description: 'design' } });
    });

    test('an unknown one does not exist', async () => {
      expect((await put('nobody', change({}))).status).toBe(404);
      expect(await shop.status('PUT', `${WEB}/components`, { cms_dj_ci: { ciId: 1, ciAttributes: {} } })).toBe(404);
    });

    test.each([
      ['unknown', { username: 'deployer', shoe: '44' }, 'shoe'],
      ['required and blank', { username: '' }, 'username'],
      ['not of the form', { username: 'X' }, 'username'],
      ['a number where text has a form', { username: 'deployer', ulimit: 5000 }, 'ulimit'],
      ['no JSON list', { username: 'deployer', authorized_keys: '[' }, 'authorized_keys'],
    ])('an attribute that is %s is named and refused', async (_, attributes, name) => {
      const reply = await shop.send('POST', `${WEB}/components`, user('deployer', attributes));
      expect(reply.status).toBe(422);
      expect(errorsOf(reply).join()).toContain(name);
      expect(await shop.status('GET', `${WEB}/components/deployer`)).toBe(404);
    });

    test('a reference to a variable passes any form', async () => {
      expect(await shop.status('POST', `${WEB}/components`, user('deployer', { username: '$OO_LOCAL{name}' }))).toBe(
        200,
      );
    });

    test('constraints: no second of one, none without the last, the template is needed', async () => {
      expect(await shop.status('POST', `${WEB}/components`, ofTemplate('compute', 'second', {}))).toBe(422);
      expect(await shop.status('DELETE', `${WEB}/components/tomcat`)).toBe(422);
      expect(await shop.status('POST', `${WEB}/components`, named('x', {}))).toBe(classic ? 500 : 400);
      expect(await shop.status('POST', `${WEB}/components`, { ...user('x'), template_name: 'nothing' })).toBe(422);
    });

    test('siblings: set by number, dropped when not sent again', async () => {
      const one = await shop.ok(shop.send('POST', `${WEB}/components`, user('one')));
      await shop.send('POST', `${WEB}/components`, { ...user('two'), sibling_depends_on: [String(one.ciId)] });
      const siblings = async () =>
        (await shop.get<Component>(`${WEB}/components/two`)).dependsOn.filter(({ ciId }) => ciId === one.ciId).length;
      expect(await siblings()).toBe(1);
      await put('two', change({}));
      expect(await siblings()).toBe(0);
    });

    test('deleting one deletes its attachments, too, and leaves the others', async () => {
      await shop.send('POST', `${WEB}/components`, user('deployer'));
      for (const component of ['deployer', 'tomcat']) {
        await shop.send('POST', `${WEB}/components/${component}/attachments`, named(`of-${component}`, {}));
      }
      await commit(shop);
      expect(await shop.status('DELETE', `${WEB}/components/deployer`)).toBe(200);
      await commit(shop);
      expect(await shop.status('GET', `${WEB}/components/deployer`)).toBe(404);
      expect(await shop.status('GET', `${WEB}/components/tomcat/attachments/of-deployer`)).toBe(404);
      expect(await namesAt(shop, `${WEB}/components/tomcat/attachments`)).toEqual(['of-tomcat']);
    });
  });

  describe('variables', () => {
    test.each([
      ['design', `${DESIGN}/variables`],
      ['platform', `${WEB}/variables`],
    ])('of a %s are made, read, changed and deleted', async (scope, path) => {
      await shop.design('POST', '/platforms', platform('web'));
      const made = await shop.send('POST', path, {
        cms_dj_ci: { ciName: 'region', ciAttributes: { value: 'east' }, ciAttrProps: { owner: { value: 'design' } } },
      });
      expect(made.body).toMatchObject({
        ciAttributes: { secure: 'false', value: 'east', encrypted_value: '' },
        ciAttrProps: { owner: { value: 'design' } },
      });
      expect(await shop.status('POST', path, named('region', {}))).toBe(422);
      expect(await shop.status('POST', path, named('Region', { value: 'x' }))).toBe(200);
      expect(await shop.status('POST', path, named('spaced', { value: ' x' }))).toBe(422);
      const body = named('region', { value: 'west' });
      await (classic || scope === 'design' ? shop.send('PUT', `${path}/region`, body) : shop.send('PUT', path, body));
      expect((await shop.get(`${path}/region`)).ciAttributes).toMatchObject({ value: 'west' });
      await commit(shop);
      await shop.send('DELETE', `${path}/region`);
      await commit(shop);
      expect(await namesAt(shop, path)).toEqual(['Region']);
    });

    test('a secret reads back as its mask, and its mask leaves it as it is', async () => {
      const path = `${DESIGN}/variables`;
      const sent = named('key', { secure: 'true', encrypted_value: 'canary' });
      const made = await shop.send('POST', path, sent);
      expect(recordOf(made).ciAttributes['encrypted_value']).toBe('--ENCRYPTED--');
      await commit(shop);
      for (const again of ['--ENCRYPTED--', 'canary']) {
        const before = await shop.get(`${path}/key`);
        await shop.send('PUT', `${path}/key`, change({ encrypted_value: again }));
        expect(await shop.send('GET', `${path}/key`)).toMatchObject({ body: before });
      }
      const other = await shop.send('PUT', `${path}/key`, change({ encrypted_value: 'other' }));
      expect(classic ? recordOf(other).rfcAction : recordOf(other).lastAppliedRfcId).not.toBe(
        recordOf(made).lastAppliedRfcId,
      );
      expect(other.text).not.toMatch(/other|canary/);
      const masked = await shop.send('POST', path, named('masked', { encrypted_value: '--ENCRYPTED--' }));
      expect(masked.status).toBe(422);
    });
  });

  describe('attachments', () => {
    const path = `${WEB}/components/tomcat/attachments`;
    const attachment = (name: string, attributes: object = {}) => named(name, attributes);
    beforeEach(async () => {
      await shop.design('POST', '/platforms', platform('web'));
    });

    test("the events have the dialect's name, and everything its default", async () => {
      const made = await shop.send(
        'POST',
        path,
        attachment('motd', { [events]: 'after-add,on-demand', basic_auth_password: 'canary' }),
      );
      expect(recordOf(made).ciAttributes).toEqual({
        content: '',
        source: '',
        basic_auth_user: '',
        basic_auth_password: '--ENCRYPTED--',
        headers: '',
        checksum: '',
        path: '/tmp/download_file',
        exec_cmd: '',
        [events]: 'after-add,on-demand',
        run_on_action: '[]',
        priority: '1',
      });
      expect(made.text).not.toContain('canary');
      const owned = await shop.send('PUT', `${path}/motd`, {
        cms_dj_ci: { ciAttributes: { [events]: 'before-add' }, ciAttrProps: { owner: { [events]: 'design' } } },
      });
      expect(owned.body).toMatchObject({
        ciAttributes: { [events]: 'before-add' },
        ciAttrProps: { owner: { [events]: 'design' } },
      });
      if (classic) expect(recordOf(owned).ciBaseAttributes).toEqual({});
    });

    test('what the other dialect asks or refuses', async () => {
      expect(await shop.status('POST', path, attachment('a', { runs_on: 'after-add' }))).toBe(classic ? 422 : 200);
      expect(await shop.status('POST', path, attachment('b', { [events]: 'whenever' }))).toBe(classic ? 200 : 422);
      expect(await shop.status('POST', path, attachment('c', { path: '' }))).toBe(classic ? 422 : 200);
    });

    test('names are unique in the platform, and found under any of its components', async () => {
      await shop.send('POST', path, attachment('motd'));
      const elsewhere = `${WEB}/components/java/attachments`;
      expect(await shop.status('POST', elsewhere, attachment('motd'))).toBe(422);
      expect(await shop.status('GET', `${elsewhere}/motd`)).toBe(200);
      expect(await shop.get(elsewhere)).toEqual([]);
      expect(await shop.status('GET', `${WEB}/components/nobody/attachments`)).toBe(404);
    });
  });
});

describe('classic: writes wait for the commit', () => {
  const shop: Shop = shopFor('each', 'classic', async () => {
    await shop.assembly();
    await shop.platform('web', { pack: 'tomcat' });
  });

  test('its release shows its changes of records when asked, as lists show them (service-facts §4.5.6)', async () => {
    await commit(shop);
    await shop.send('PUT', WEB, { ...named('web', { description: 'front' }), links_to: [] });
    const [shown] = await shop.get<object[]>(`${DESIGN}/platforms`);
    const { rfc_cis: changes, releaseId } = await latestOf(shop, '?include_rfcs=cis');
    expect(changes).toEqual([shown]);
    const read = await shop.design('GET', `/releases/${releaseId}?include_rfcs=true`);
    expect(read.body).toMatchObject({ rfc_cis: changes, rfc_relations: [] });
    expect(await latestOf(shop)).not.toHaveProperty('rfc_cis');
  });

  test('one open release contains them; commit closes it; the record keeps its id', async () => {
    const before = await shop.get(WEB);
    expect(before).toMatchObject({
      rfcAction: 'add',
      ciState: null,
      isActiveInRelease: true,
      ciBaseAttributes: {},
      lastAppliedRfcId: 0,
      rfcCreated: null,
    });
    const closed = await commit(shop);
    expect(closed.body).toMatchObject({
      releaseState: 'closed',
      description: 'all of it',
      commitedBy: 'admin',
      ciRfcCount: 0,
    });
    const after = await shop.get(WEB);
    expect(after).toMatchObject({
      ciId: before.ciId,
      rfcId: 0,
      releaseId: 0,
      rfcAction: null,
      ciState: 'default',
      isActiveInRelease: false,
      updatedBy: null,
    });
    expect(after.lastAppliedRfcId).toBe(before.rfcId);
  });

  test('a second commit is swallowed', async () => {
    const first = (await commit(shop)).body as { releaseId: number };
    const second = await shop.design('POST', `/releases/${first.releaseId}/commit`, { desc: 'again' });
    expect([second.status, second.body]).toEqual([200, first]);
  });

  test('a changed record shows what it was, who changed it and when', async () => {
    await commit(shop);
    const before = await shop.get(`${WEB}/components/tomcat`);
    await shop.send('PUT', `${WEB}/components/tomcat`, change({ port: '9090' }));
    const changed = await shop.get(`${WEB}/components/tomcat`);
    expect(changed).toMatchObject({
      rfcAction: 'update',
      ciState: 'default',
      ciBaseAttributes: { port: '8080' },
      createdBy: 'admin',
      created: before.created,
      updated: before.updated,
      rfcCreatedBy: 'admin',
      rfcUpdated: null,
    });
    expect(changed.rfcCreated).toBeGreaterThan(before.updated as number);
  });

  test('a committed platform is listed as deleted until the commit, and its name is taken until then', async () => {
    await commit(shop);
    expect((await shop.send('DELETE', WEB)).body).toMatchObject({ rfcAction: null });
    expect(await shop.get(WEB)).toMatchObject({ rfcAction: 'delete', comments: 'deleting' });
    expect((await shop.get<WireRecord[]>(`${WEB}/components`)).map((each) => each.rfcAction)).toEqual(
      Array(7).fill('delete'),
    );
    expect(await shop.status('POST', `${DESIGN}/platforms`, platform('web'))).toBe(422);
    expect(await shop.status('POST', `${WEB}/components`, ofTemplate('user', 'x', { username: 'deployer' }))).toBe(422);
    await commit(shop);
    expect(await shop.status('GET', WEB)).toBe(404);
    expect(await shop.status('POST', `${DESIGN}/platforms`, platform('web'))).toBe(200);
    expect(await shop.send('GET', `${WEB}/components`)).toMatchObject({ body: { length: 7 } });
  });

  test('an uncommitted platform vanishes immediately, with everything in it', async () => {
    await shop.send('DELETE', WEB);
    expect(await shop.status('GET', WEB)).toBe(404);
    expect((await commit(shop)).body).toMatchObject({ releaseState: 'closed' });
    expect(await shop.get(`${DESIGN}/platforms`)).toEqual([]);
  });

  test('discard gives back what was committed', async () => {
    await commit(shop);
    const before = (await shop.send('GET', `${WEB}/components`)).text;
    await shop.send('PUT', `${WEB}/components/tomcat`, change({ port: '9090' }));
    await shop.design('POST', '/platforms', platform('other'));
    const latest = await latestOf(shop);
    expect((await shop.design('POST', `/releases/${latest.releaseId}/discard`)).body).toMatchObject({
      releaseState: 'canceled',
    });
    expect((await shop.send('GET', `${WEB}/components`)).text).toBe(before);
    expect(await namesAt(shop, `${DESIGN}/platforms`)).toEqual(['web']);
  });

  test('one platform is committed alone; the rest stays open', async () => {
    await shop.design('POST', '/platforms', { ...platform('db', { pack: 'mysql' }), links_to: ['web'] });
    expect(await shop.ok(shop.send('POST', `${WEB}/commit`, { desc: 'web' }))).toMatchObject({
      ciName: 'web',
      rfcAction: null,
      ciState: 'default',
    });
    expect((await shop.get<WireRecord[]>(`${WEB}/components`)).every((each) => each.rfcAction === null)).toBe(true);
    expect(await shop.get(`${DESIGN}/platforms/db`)).toMatchObject({ rfcAction: 'add', links_to: ['web'] });
    expect(await shop.get(`${DESIGN}/releases/latest`)).toMatchObject({ releaseState: 'open' });
    expect(await shop.status('POST', `${WEB}/commit`, {})).toBe(422);
    await commit(shop);
    expect(await shop.get(`${DESIGN}/platforms/db`)).toMatchObject({ rfcAction: null, links_to: ['web'] });
  });

  test('a pack update waits for no open changes', async () => {
    expect(await shop.status('PUT', `${WEB}/pack_update`, { version: '1' })).toBe(422);
    await commit(shop);
    expect(await shop.status('PUT', `${WEB}/pack_update`, { version: '99' })).toBe(422);
    expect(await shop.status('PUT', `${WEB}/pack_update`, { version: '1' })).toBe(200);
  });
});

describe('documented: each write is closed immediately', () => {
  const shop: Shop = shopFor('each', 'documented', async () => {
    await shop.assembly();
    await shop.platform('web', { pack: 'tomcat' });
  });

  test('in a separate release, closed by its writer; an update without a change makes none', async () => {
    const latest = () => latestOf(shop);
    const first = await latest();
    expect(first.releaseState).toBe('closed');
    await shop.send('PUT', `${WEB}/components`, named('tomcat', { port: '8080' }));
    expect(await latest()).toEqual(first);
    const written = await shop.ok(shop.send('PUT', `${WEB}/components`, named('tomcat', { port: '9090' })));
    expect(written).toMatchObject({
      rfcAction: null,
      ciState: 'default',
      updatedBy: 'admin',
      ciAttributes: { port: '9090' },
    });
    const second = await latest();
    expect(second).toMatchObject({ releaseState: 'closed' });
    expect(second.releaseId).not.toBe(first.releaseId);
    expect((await shop.design('POST', `/releases/${second.releaseId}/commit`)).body).toEqual(second);
  });

  test('a deleted platform no longer exists and its name is free', async () => {
    expect((await shop.send('DELETE', WEB)).text).toBe('');
    expect(await shop.status('GET', WEB)).toBe(404);
    expect(await shop.status('POST', `${DESIGN}/platforms`, platform('web'))).toBe(200);
  });

  test('a component is named by number or by name in the body', async () => {
    const tomcat = await shop.get(`${WEB}/components/tomcat`);
    const byName = { ciName: 'tomcat', ciClassName: tomcat.ciClassName };
    for (const identity of [{ ciId: tomcat.ciId }, { ciId: String(tomcat.ciId) }, byName])
      expect(await shop.status('PUT', `${WEB}/components`, { cms_dj_ci: { ...tomcat, ...identity } })).toBe(200);
    expect(await shop.status('PUT', `${WEB}/components`, change({}))).toBe(404);
  });
});
