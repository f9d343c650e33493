// Laws of designs as people write them: extract and load undo each other, and a load is all or nothing.
import { DIALECTS, type Record as WireRecord } from '../../api/contract';
import { type Reply } from '../../test/service-caller';
import { type Shop, shopFor } from '../../test/shop';
import { plainOf, readDocument } from './read-document';

const A = '/acme/assemblies';

/** A design with every kind of thing; `events` is the dialect's name of them. */
const written = (events: string): string => `
variables:
  region: east
  key: "::ENCRYPTED::kept-elsewhere"
platforms:
  db:
    pack: oneops/mysql:1
    variables: { note: 7.0 }
  web:
    pack: oneops/tomcat:1
    description: front
    links: [db]
    components:
      user/oneops.1.User:
        deployer:
          username: deployer
          sudoer: true
          authorized_keys: ["ssh-rsa AAA", "ssh-rsa BBB"]
          depends: [helper]
          attachments:
            motd: { path: /etc/motd, content: "hello", ${events}: [after-add, after-update] }
        helper:
          username: helper
      tomcat/oneops.1.Tomcat:
        tomcat:
          version: 7.0
          environment: { JAVA_HOME: /usr, LEVEL: 3 }
      lb/oneops.1.Lb:
        lb:
`;

describe.each(DIALECTS)('%s', (dialect) => {
  const classic = dialect === 'classic';
  const events = classic ? 'run_on' : 'runs_on';
  const shop: Shop = shopFor('each', dialect, () => shop.assembly());

  const load = (data: string, facts: object = {}, assembly = 'shop'): Promise<Reply> =>
    shop.send('PUT', `${A}/${assembly}/design/load`, { data, ...facts });
  const extract = (query = '', assembly = 'shop'): Promise<unknown> =>
    shop.ok(shop.send('GET', `${A}/${assembly}/design/extract${query}`));
  const records = async (path: string): Promise<WireRecord[]> =>
    shop.ok<WireRecord[]>(shop.send('GET', `${A}/shop/design/${path}`));
  const named = async (path: string, name: string): Promise<WireRecord> =>
    (await records(path)).find(({ ciName }) => ciName === name)!;

  test('a secret of a component that the pack makes is kept by extract, load and extract', async () => {
    const platforms = (password: string): string =>
      JSON.stringify({
        platforms: { db: { pack: 'oneops/mysql:1', components: { 'mysql/oneops.1.Mysql': { mysql: { password } } } } },
      });
    expect((await load(platforms('canary'))).status).toBe(200);
    const first = await extract();
    expect(JSON.stringify(first)).toContain('"password":"::ENCRYPTED::"');
    await shop.commitDesign();
    for (const assembly of ['shop', 'other']) {
      if (assembly === 'other')
        await shop.ok(shop.send('POST', A, { cms_ci: { ciName: 'other', ciAttributes: { owner: 'a@acme.io' } } }));
      expect((await load(JSON.stringify(first), {}, assembly)).status).toBe(200);
      expect([assembly, await extract('', assembly)]).toEqual([assembly, first]);
    }
  });

  test('a number with an exponent and without a point is text, as in YAML 1.1', async () => {
    expect((await load('variables: { A: 1e3, B: 12E-2, C: 1.5e+3, D: 7.0, E: 1000 }\n')).status).toBe(200);
    expect(await extract()).toMatchObject({ variables: { A: '1e3', B: '12E-2', C: '1500', D: '7.0', E: '1000' } });
  });

  test('a load makes what is written, text as it was written, and locks it', async () => {
    expect((await load(written(events))).status).toBe(200);
    const platforms = await records('platforms');
    expect(platforms.map(({ ciName }) => ciName)).toEqual(['db', 'web']);
    expect(await shop.ok(shop.send('GET', `${A}/shop/design/platforms/web`))).toMatchObject({ links_to: ['db'] });
    const components = 'platforms/web/components';
    expect((await named(components, 'deployer')).ciAttributes).toMatchObject({
      username: 'deployer',
      sudoer: 'true',
      authorized_keys: '["ssh-rsa AAA","ssh-rsa BBB"]',
    });
    expect(await named(components, 'tomcat')).toMatchObject({
      ciAttributes: { version: '7.0', environment: '{"JAVA_HOME":"/usr","LEVEL":3}' },
      ciAttrProps: { owner: { version: 'design', environment: 'design' } },
    });
    expect((await named('platforms/db/variables', 'note')).ciAttributes['value']).toBe('7.0');
    expect((await named('variables', 'key')).ciAttributes).toMatchObject({
      secure: 'true',
      encrypted_value: '--ENCRYPTED--',
    });
    expect((await named(`${components}/deployer/attachments`, 'motd')).ciAttributes).toMatchObject({
      [events]: 'after-add,after-update',
    });
    const deployer = await shop.ok<{ dependsOn: WireRecord[] }>(
      shop.send('GET', `${A}/shop/design/${components}/deployer`),
    );
    expect(deployer.dependsOn.map(({ ciName }) => ciName)).toContain('helper');
    const latest = await shop.ok(shop.send('GET', `${A}/shop/design/releases/latest`));
    expect(latest).toMatchObject({ releaseState: classic ? 'open' : 'closed' });
  });

  test('what was extracted loads into the same again, in one assembly and in another', async () => {
    await load(written(events));
    await shop.commitDesign();
    const before = await extract();
    expect((await load(JSON.stringify(before))).status).toBe(200);
    await shop.commitDesign();
    expect(await extract()).toEqual(before);
    await shop.ok(shop.send('POST', A, { cms_ci: { ciName: 'twin', ciAttributes: { owner: 'team@acme.io' } } }));
    expect((await load(JSON.stringify(before), {}, 'twin')).status).toBe(200);
    expect(await extract('', 'twin')).toEqual(before);
  });

  test('attributes that a class does not have are left out, and a header shows them', async () => {
    const odd = await load(`
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      user/oneops.1.User:
        deployer: { username: deployer, colour: canary, attachments: { motd: { path: /etc/motd, farbé: x } } }
      tomcat: { tomcat: { max_threadz: 7, monitors: { up: { cmdd: x } } } }
`);
    expect(odd.status).toBe(200);
    expect(JSON.parse(odd.headers['oneops-warnings'] ?? '')).toEqual([
      'web/deployer: class User has no attribute colour: it was left out',
      'web/deployer/motd: class Attachment has no attribute farbé: it was left out',
      'web/tomcat: class Tomcat has no attribute max_threadz: it was left out',
      'web/tomcat/up: class Monitor has no attribute cmdd: it was left out',
    ]);
    expect(odd.headers['oneops-warnings']).toMatch(/^[\x20-\x7e]+$/);
    expect(odd.headers['oneops-warnings']).not.toContain('canary');
    await shop.commitDesign();
    const plain = await load(JSON.stringify(await extract()));
    expect([plain.status, plain.headers['oneops-warnings']]).toEqual([200, undefined]);
    await shop.commitDesign();
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`x${n}`, 'ß'.repeat(500)]));
    const crowd = await load(
      JSON.stringify({ platforms: { web: { pack: 'oneops/tomcat:1', components: { tomcat: { tomcat: many } } } } }),
    );
    expect(JSON.parse(crowd.headers['oneops-warnings'] ?? '')).toHaveLength(11);
    expect(crowd.headers['oneops-warnings']?.length).toBeLessThan(10_000);
  });

  test('a second load merges: what it does not name stays', async () => {
    await load(written(events));
    await shop.commitDesign();
    await load(
      'platforms: { web: { pack: "oneops/tomcat:1", components: { user: { deployer: { ulimit: "8192" } } } } }',
    );
    expect((await named('platforms/web/components', 'deployer')).ciAttributes).toMatchObject({
      username: 'deployer',
      ulimit: '8192',
    });
    expect(await shop.ok(shop.send('GET', `${A}/shop/design/platforms/web`))).toMatchObject({ links_to: ['db'] });
  });

  test('extract takes one platform, and leaves structures as text when asked', async () => {
    await load(written(events));
    expect(Object.keys(((await extract('?platform_id=db')) as { platforms: object }).platforms)).toEqual(['db']);
    expect(JSON.stringify(await extract('?collapse=true'))).toContain('"environment":"{\\"JAVA_HOME');
    expect(JSON.stringify(await extract())).not.toContain('kept-elsewhere');
  });

  test('a load with faults does nothing, and shows them in the shape of the document', async () => {
    const faulty = `
platforms:
  web:
    pack: oneops/tomcat:1
    components:
      user/oneops.1.User:
        deployer: { username: "X Y" }
      nothing/oneops.1.Nothing: { it: {} }
  db: { pack: oneops/none:1 }
  "1st": { pack: oneops/custom:1 }
variables: { "9lives": x, fine: y }
`;
    const reply = await load(faulty);
    const messages = [expect.any(String)];
    expect(reply).toMatchObject({
      status: 422,
      body: {
        variables: { fine: 'y' },
        errors: {
          variables: { '9lives': messages },
          platforms: {
            db: messages,
            '1st': messages,
            web: {
              components: {
                'user/oneops.1.User': { deployer: [expect.stringContaining('[username]')] },
                'nothing/oneops.1.Nothing': { it: messages },
              },
            },
          },
        },
      },
    });
    expect(await records('platforms')).toEqual([]);
    expect(await records('variables')).toEqual([]);
  });

  test('a preview shows the same with 200, and does nothing either way', async () => {
    expect((await load(written(events), { preview: 'true' })).status).toBe(200);
    const reply = await load('platforms: { web: { pack: nothing } }', { preview: true });
    expect(reply).toMatchObject({ status: 200, body: { errors: { platforms: { web: [expect.any(String)] } } } });
    expect(await records('platforms')).toEqual([]);
  });

  test.each([
    ['no text', ''],
    ['a list', '[1, 2]'],
    ['a text', 'hello'],
    ['a platform that is a text', 'platforms: { web: custom }'],
    ['an unknown tag', 'variables: { a: !secret x }'],
    ['aliases without end', 'a: &a [*a]\nvariables: *a'],
    [
      'aliases that multiply',
      `${'abcdefghij'.split('').reduce((text, name, at, all) => `${text}${name}: &${name} ${at === 0 ? '[x,x,x,x,x,x,x,x,x]' : `[${`*${all[at - 1]!},`.repeat(9)}]`}\n`, '')}variables: *j`,
    ],
    ['ten thousand brackets', '['.repeat(10_000)],
    ['a key called __proto__', 'variables: { __proto__: x }'],
    ['documents to fetch', 'import: [http://localhost/x.yaml]'],
    ['broken YAML', 'platforms: {'],
  ])('%s is no design, or one that changes nothing', async (_, data) => {
    const reply = await load(data);
    expect([200, 422]).toContain(reply.status);
    expect(await records('platforms')).toEqual([]);
    expect(await records('variables')).toEqual([]);
  });

  test.each(['[1]', '[[1], {a: b}]', 'hello', '7'])(
    '%s is not a map: the answer has a list of errors and no member of its own',
    async (data) => {
      const body = { errors: ['the document must be a map'] };
      expect(await load(data)).toMatchObject({ status: 422, body });
      const preview = await load(data, { preview: true });
      expect([preview.status, preview.body]).toEqual([200, body]);
      expect(Object.keys((await load(data)).body as object)).toEqual(['errors']);
    },
  );

  test('waits for an open release', async () => {
    await shop.platform('web');
    expect((await load('variables: { a: x }')).status).toBe(classic ? 422 : 200);
  });
});

test.each<[string, string]>([
  ['7.0', '7.0'],
  ['"7.0"', '7.0'],
  ['1.10', '1.1'],
  ['9.2', '9.2'],
  ['0x1F', '31'],
  ['0755', '493'],
  ['"0755"', '0755'],
  ['1_000', '1000'],
  ['yes', 'true'],
  ['Off', 'false'],
  ['y', 'y'],
  ['N', 'N'],
  ['true', 'true'],
  ['~', ''],
  ['', ''],
  ['2026-01-02', '2026-01-02'],
  ['.inf', '.inf'],
  ['*x', 'x'],
])('%s is the text %j, as YAML 1.1 has it', (written, text) => {
  const reading = readDocument(`[&x x, ${written}]`);
  const items = reading.ok && reading.root.kind === 'list' ? reading.root.items : [];
  expect(items.slice(1).map((node) => (node.kind === 'scalar' ? node.text : node.kind))).toEqual(
    written === '' ? [] : [text],
  );
});

test('of keys that exist twice the last one counts, and << fills in what a map does not have', () => {
  const reading = readDocument('{ base: &base { a: 1, b: 1 }, a: x, a: y, map: { b: 2, <<: *base, c: 3 } }');
  expect(reading.ok && plainOf(reading.root)).toEqual({
    base: { a: 1, b: 1 },
    a: 'y',
    map: { a: 1, b: 2, c: 3 },
  });
});
