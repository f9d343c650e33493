// What real clients of the live service send, byte for byte: forms, lenient definitions, files.
import { type Record as WireRecord } from '../../api/contract';
import { eachDialectInTurn } from '../../test/dialects-in-turn';
import type { Reply } from '../../test/service-caller';
import { type Shop, shopFor, named, ofTemplate } from '../../test/shop';

const A = '/acme/assemblies/shop';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

eachDialectInTurn(1, (dialect, classic) => {
  const shop: Shop = shopFor('each', dialect, () => shop.assembly());

  const form = (method: string, path: string, body: string): Promise<Reply> => shop.send(method, path, body, FORM);
  const read = <T = WireRecord>(path: string): Promise<T> => shop.get<T>(path);

  describe('forms', () => {
    const platform =
      'cms_dj_ci[ciName]=web&cms_dj_ci[ciAttributes][source]=oneops&cms_dj_ci[ciAttributes][pack]=custom';
    const version = 'cms_dj_ci[ciAttributes][version]=1';
    const create = (rest: string): Promise<Reply> =>
      form('POST', `${A}/design/platforms`, `${platform}&${version}${rest}`);

    test.each([
      '&cms_dj_ci[ciAttrProps][owner]&links_to',
      '&cms_dj_ci[ciAttrProps][owner]=&links_to=',
      '&cms_dj_ci[ciAttrProps]&links_to[]',
      '&cms_dj_ci%5BciAttrProps%5D%5Bowner%5D&links_to&',
    ])('an empty list or map is none: %s', async (rest) => {
      expect((await create(rest)).status).toBe(200);
      expect(await read(`${A}/design/platforms/web`)).toMatchObject({ links_to: [] });
    });

    test.each(['sibling_depends_on', 'sibling_depends_on=', 'depends_on', 'depends_on='])(
      'a component with %s is changed',
      async (rest) => {
        await create('');
        const path = `${A}/design/platforms/web/components${classic ? '/compute' : ''}`;
        const reply = await form('PUT', path, `cms_dj_ci[ciName]=compute&cms_dj_ci[ciAttributes][size]=L&${rest}`);
        expect([reply.status, reply.body]).toMatchObject([200, { ciAttributes: { size: 'L' } }]);
      },
    );

    test.each(['platform_availability', 'platform_availability=', 'platform_availability&async'])(
      'a pull with %s asks for the availability of new platforms, and continues without any',
      async (body) => {
        await create('');
        await shop.commitDesign();
        await shop.ok(shop.createEnvironment('prod', { east: '1' }));
        await shop.commit('prod');
        expect((await form('POST', shop.at('prod', '/pull'), body)).status).toBe(200);
        await shop.platform('db');
        await shop.commitDesign();
        await shop.prod('POST', '/discard', {});
        const reply = await form('POST', shop.at('prod', '/pull'), body);
        expect([reply.status, reply.body]).toEqual([422, { errors: ['Specify platform availability for: db'] }]);
      },
    );

    test('a name without = clears an attribute, and gives way to one with a value', async () => {
      await create('');
      const path = `${A}/design/platforms/web`;
      await form('PUT', path, 'cms_dj_ci[ciAttributes][description]=front');
      expect((await read(path)).ciAttributes['description']).toBe('front');
      await form('PUT', path, 'cms_dj_ci[ciAttributes][description]&cms_dj_ci[ciAttributes][description]=back');
      expect((await read(path)).ciAttributes['description']).toBe('back');
      await form('PUT', path, 'cms_dj_ci[ciAttributes][description]');
      expect((await read(path)).ciAttributes['description']).toBe('');
    });
  });

  test.each([['nosuch'], [1], ['']])('an unknown sibling (%j) is ignored', async (sibling) => {
    await shop.platform('web');
    const reply = await shop.design('POST', '/platforms/web/components', {
      template_name: 'user',
      ...named('one', { username: 'one' }),
      sibling_depends_on: [sibling],
    });
    expect(reply.status).toBe(200);
  });

  describe('a design load', () => {
    const load = (data: string, headers?: { readonly [name: string]: string }): Promise<Reply> =>
      headers === undefined
        ? shop.send('PUT', `${A}/design/load`, { data })
        : shop.send('PUT', `${A}/design/load`, data, headers);
    const names = async (path: string): Promise<string[]> =>
      (await read<WireRecord[]>(`${A}/design/${path}`)).map(({ ciName }) => ciName).sort();
    const components = (inside: string): string =>
      `platforms:\n  web:\n    pack: oneops/tomcat:1\n    components:\n${inside}`;
    const user = (name: string): string => `        ${name}: { username: ${name} }\n`;

    test('without data, as a form', async () => {
      for (const body of ['data=', 'data', 'preview=true']) {
        const reply = await load(body, FORM);
        expect([reply.status, reply.body]).toEqual([
          422,
          { errors: ['Failed to parse configuration file - no data detected.'] },
        ]);
      }
    });

    test('deletes optional components it does not mention, of platforms that existed and that it has components for', async () => {
      const both = components(`      user/oneops.1.User:\n${user('ann')}${user('bob')}`);
      expect((await load(`${both}  db: { pack: "oneops/mysql:1" }\n`)).status).toBe(200);
      await shop.ok(shop.design('POST', '/platforms/db/components', ofTemplate('user', 'eve', { username: 'eve' })));
      await shop.attach('web/bob', 'motd', { path: '/etc/motd' }, 'after-add');
      await shop.commitDesign();
      const before = await names('platforms/web/components');
      // No components at all: nothing goes.
      expect((await load('platforms: { web: { pack: "oneops/tomcat:1" } }')).status).toBe(200);
      await shop.commitDesign();
      expect(await names('platforms/web/components')).toEqual(before);
      // Only ann is mentioned: bob goes with his attachment, the rest stays.
      const one = `${components(`      user/oneops.1.User:\n${user('ann')}`)}  db: { pack: "oneops/mysql:1" }\n`;
      expect((await load(one)).status).toBe(200);
      if (classic) {
        const bob = await read(`${A}/design/platforms/web/components/bob`);
        expect(bob['rfcAction']).toBe('delete');
      }
      await shop.commitDesign();
      expect(await names('platforms/web/components')).toEqual(before.filter((name) => name !== 'bob'));
      expect(await shop.status('GET', `${A}/design/platforms/web/attachments/motd`)).toBe(404);
      expect(await names('platforms/db/components')).toContain('eve');
    });

    test('lets components depend on others of the same class, whichever template they are of', async () => {
      const wanted = components(
        [
          '      daemon/oneops.1.Daemon: { worker: { service_name: worker, depends: [tomcat-daemon] } }',
          '      tomcat-daemon/oneops.1.Daemon: { tomcat-daemon: { service_name: tomcat } }',
          '',
        ].join('\n'),
      );
      const reply = await load(wanted);
      expect([reply.status, reply.text]).toEqual([200, expect.not.stringContaining('errors')]);
      await shop.commitDesign();
      const { dependsOn } = await read<{ dependsOn: WireRecord[] }>(`${A}/design/platforms/web/components/worker`);
      expect(dependsOn.map(({ ciName }) => ciName)).toContain('tomcat-daemon');
      const unknown = await load(components('      user/oneops.1.User: { ann: { username: ann, depends: [nobody] } }'));
      expect([unknown.status, unknown.text]).toEqual([422, expect.stringContaining('nobody is no other component')]);
    });

    test('takes a file of a multipart form, as curl -F sends it', async () => {
      const boundary = '------------------------d74496d66958873e';
      const part = (name: string, rest: string, text: string): string =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${text}\r\n`;
      const data = 'platforms:\n  web:\n    pack: oneops/custom:1\n';
      const file = part('data_file', '; filename="design.yaml"\r\nContent-Type: application/octet-stream', data);
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      const preview = await load(`${file}${part('preview', '', 'true')}--${boundary}--\r\n`, headers);
      expect([preview.status, await names('platforms')]).toEqual([200, []]);
      expect((await load(`${file}--${boundary}--\r\n`, headers)).status).toBe(200);
      expect(await names('platforms')).toEqual(['web']);
    });
  });

  describe('environments', () => {
    beforeEach(async () => {
      await shop.platform('web');
      await shop.commitDesign();
    });

    test('a word that is no availability', async () => {
      const reply = await shop.createEnvironment('qa', { east: '1' }, { availability: { web: 'Reduandant' } });
      expect(reply.status).toBe(classic ? 200 : 422);
      const found = await shop.send('GET', shop.at('qa'));
      if (!classic) expect(found.status).toBe(404);
      else {
        const comments = expect.stringMatching(/^ERROR:MANIFEST: availability of platform web cannot be "Reduandant"/);
        expect((await shop.settled('qa')).comments).toEqual(comments);
        expect(await shop.platforms('qa')).toEqual([]);
        // It can be pulled again with a word that is one.
        await shop.pull('qa', { web: 'single' });
        expect(await shop.platforms('qa')).toEqual(['web']);
      }
    });

    test('disable without ids of its platforms is refused with a reason', async () => {
      await shop.createEnvironment('qa', { east: '1' });
      const missing = 'platformCiIds is missing';
      for (const [body, reason] of [
        [undefined, missing],
        [{}, missing],
        [{ platformCiIds: [] }, missing],
        [{ platformCiIds: ['1'] }, 'has id 1 (6006)'],
      ] as const) {
        const reply = await shop.send('PUT', shop.at('qa', '/disable'), body);
        expect([reply.status, reply.body]).toEqual([422, { errors: [expect.stringContaining(reason)] }]);
      }
    });
  });
});
