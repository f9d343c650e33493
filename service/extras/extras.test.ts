// Laws of designs as people write them: extract and load undo each other, all or nothing.
import fc from 'fast-check';
import { dialectRules, type Record as WireRecord } from '../../api/contract';
import { openApiText } from '../../api/contract/openapi';
import { dialectsInTurn, eachDialectInTurn } from '../../test/dialects-in-turn';
import type { Reply } from '../../test/service-caller';
import { type Shop, shopFor, record, named } from '../../test/shop';
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

eachDialectInTurn(0, (dialect, classic) => {
  const events = classic ? 'run_on' : 'runs_on';
  const shop: Shop = shopFor('each', dialect, () => shop.assembly());

  const load = (data: string, facts: object = {}): Promise<Reply> =>
    shop.send('PUT', `${A}/shop/design/load`, { data, ...facts });
  const extract = (query = ''): Promise<unknown> => shop.get(`${A}/shop/design/extract${query}`);
  const records = async (path: string): Promise<WireRecord[]> => shop.get<WireRecord[]>(`${A}/shop/design/${path}`);
  const named = async (path: string, name: string): Promise<WireRecord> =>
    (await records(path)).find(({ ciName }) => ciName === name)!;

  test('a load makes what is written, text as it was written, and locks it', async () => {
    expect((await load(written(events))).status).toBe(200);
    const platforms = await records('platforms');
    expect(platforms.map(({ ciName }) => ciName)).toEqual(['db', 'web']);
    expect(await shop.get(`${A}/shop/design/platforms/web`)).toMatchObject({ links_to: ['db'] });
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
    const deployer = await shop.get<{ dependsOn: WireRecord[] }>(`${A}/shop/design/${components}/deployer`);
    expect(deployer.dependsOn.map(({ ciName }) => ciName)).toContain('helper');
    const latest = await shop.get(`${A}/shop/design/releases/latest`);
    expect(latest).toMatchObject({ releaseState: classic ? 'open' : 'closed' });
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
    expect(await shop.get(`${A}/shop/design/platforms/web`)).toMatchObject({ links_to: ['db'] });
  });

  test('extract takes one platform, and leaves structures as text when asked', async () => {
    await load(written(events));
    expect(Object.keys(((await extract('?platform_id=db')) as { platforms: object }).platforms)).toEqual(['db']);
    expect(JSON.stringify(await extract('?collapse=true'))).toContain('"environment":"{\\"JAVA_HOME');
    expect(JSON.stringify(await extract())).not.toContain('kept-elsewhere');
  });

  test.each([
    ['load', 422],
    ['preview', 200],
  ])('a %s with faults does nothing, and shows them in the shape of the document', async (way, status) => {
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
  far: { pack: oneops/custom:1, links: [nowhere] }
  near: { pack: oneops/custom:1, links: db }
variables: { "9lives": x, fine: y }
`;
    const reply = await load(faulty, { preview: way === 'preview' });
    const messages = [expect.any(String)];
    expect(reply).toMatchObject({
      status,
      body: {
        variables: { fine: 'y' },
        errors: {
          variables: { '9lives': messages },
          platforms: {
            db: messages,
            '1st': messages,
            far: { links: ['unknown platform "nowhere"'] },
            near: { links: ['links must be a list of platforms'] },
            web: {
              components: {
                'user/oneops.1.User': { deployer: [expect.stringContaining('[username]')] },
                'nothing/oneops.1.Nothing': { it: [expect.stringMatching(/^Unknown component class\/template/)] },
              },
            },
          },
        },
      },
    });
    expect(await records('platforms')).toEqual([]);
    expect(await records('variables')).toEqual([]);
  });

  test('a preview of what has no fault does nothing either', async () => {
    expect((await load(written(events), { preview: 'true' })).status).toBe(200);
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
  ])('%s is no design, or one that changes nothing', async (_, data) => {
    const reply = await load(data);
    expect([200, 422]).toContain(reply.status);
    expect(await records('platforms')).toEqual([]);
    expect(await records('variables')).toEqual([]);
  });

  test.each(['constructor', 'toString'])('what is wrong at a key called %s is reported there', async (key) => {
    const components = { [key]: { keys: {} } };
    const reply = await load(JSON.stringify({ platforms: { web: { pack: 'oneops/tomcat:1', components } } }));
    expect(reply.status).toBe(422);
    const reported = { [key]: { keys: [expect.stringMatching(/^Unknown component class/)] } };
    expect(reply.body).toMatchObject({ errors: { platforms: { web: { components: reported } } } });
    expect(typeof Object.keys).toBe('function');
  });

  const NO_MAP = ['the document must be a map'];
  test.each<[string, unknown, number]>([
    ...['[1]', '[[1], {a: b}]', 'hello', '7'].map((data): [string, unknown, number] => [data, NO_MAP, 200]),
    ['platforms: {', [expect.stringMatching(/^Failed to parse configuration file - invalid YAML: /)], 422],
  ])('%s is not read: the answer has a list of errors and no member of its own', async (data, errors, previewed) => {
    for (const [preview, status] of [
      [false, 422],
      [true, previewed],
    ]) {
      const reply = await load(data, { preview });
      expect([reply.status, reply.body]).toEqual([status, { errors }]);
    }
    expect(await records('platforms')).toEqual([]);
  });

  test('waits for an open release', async () => {
    await shop.platform('web');
    expect((await load('variables: { a: x }')).status).toBe(classic ? 422 : 200);
  });
});

const TEXTS: { readonly [written: string]: string } = {
  ...{ '7.0': '7.0', '"7.0"': '7.0', '1.10': '1.1', '9.2': '9.2', '0x1F': '31', '0755': '493', '"0755"': '0755' },
  ...{ '1e3': '1e3', '12E-2': '12E-2', '1.5e+3': '1500', '1000': '1000' },
  ...{ '1_000': '1000', yes: 'true', Off: 'false', y: 'y', N: 'N', true: 'true', '~': '', '': '' },
  ...{ '2026-01-02': '2026-01-02', '.inf': '.inf', '*x': 'x' },
};

test.each(Object.entries(TEXTS))('%s is the text %j, as YAML 1.1 has it', (written, text) => {
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

// What is read and written as people write it, in YAML too, of designs and of environments.
describe('written', () => {
  const A = '/acme/assemblies/shop';

  describe.each(dialectsInTurn(1))('%s', (dialect) => {
    const shop: Shop = shopFor('each', dialect, async () => {
      await shop.assembly();
      await shop.platform('web');
      await shop.ok(shop.design('POST', '/variables', named('flag', { value: 'yes' })));
      await shop.ok(shop.attach('web/os', 'motd', { path: '/etc/motd' }, 'after-add'));
      await shop.commitDesign();
      await shop.ok(shop.createEnvironment('qa', { east: '1' }));
      expect(await shop.deploy('qa')).toBe('complete');
    });

    test('a design is written in YAML too', async () => {
      const yaml = await shop.send('GET', `${A}/design/extract.yaml`);
      expect([yaml.status, yaml.headers['content-type']]).toEqual([200, 'text/yaml; charset=utf-8']);
    });

    test('an environment shows what was set in it, loads it, and refuses what it does not have', async () => {
      const motd = { [dialect === 'classic' ? 'run_on' : 'runs_on']: 'before-add' };
      const components = {
        'oneops.1.Compute': { compute: { size: 'L' } },
        'oneops.1.Os': { os: { attachments: { motd } } },
      };
      const document = { variables: { flag: 'no' }, platforms: { web: { components } } };
      const data = JSON.stringify(document);
      expect(await shop.status('PUT', shop.at('qa', '/load'), { data })).toBe(200);
      const written = await shop.send('GET', shop.at('qa', '/extract'));
      expect(written.body).toEqual(document);
      const yaml = await shop.send('GET', shop.at('qa', '/extract.yaml'));
      expect(await shop.status('PUT', shop.at('qa', '/load'), { data: yaml.text })).toBe(200);
      expect((await shop.send('GET', shop.at('qa', '/extract'))).text).toBe(written.text);
      const wrong = await shop.send('PUT', shop.at('qa', '/load'), { data: 'variables: { flag: x, other: y }' });
      expect([wrong.status, wrong.body]).toEqual([422, { errors: ['unknown variable "other"'] }]);
      expect((await shop.send('GET', shop.at('qa', '/extract'))).text).toBe(written.text);
    });

    test.each([
      ['hello', 'false', 422, { errors: ['the document must be a map'] }],
      ['hello', 'true', 200, { errors: ['the document must be a map'] }],
      ['null', 'false', 200, {}],
    ])('what is no map is refused, and an empty document changes nothing: %s, preview %s', async (...row) => {
      const [data, preview, status, body] = row;
      const reply = await shop.send('PUT', shop.at('qa', '/load'), { data, preview });
      expect([reply.status, reply.body]).toEqual([status, body]);
    });

    test('releases have a text: that of the pull, or none', async () => {
      const texts = (await shop.get<{ description: string; nsPath: string }[]>(shop.at('qa', '/releases')))
        .filter(({ nsPath }) => nsPath.endsWith('/manifest'))
        .map(({ description }) => description);
      expect(texts).toEqual(['Pull design completed in 1500 ms']);
      const latest = await shop.ok<{ description: unknown }>(shop.design('GET', '/releases/latest'));
      expect(typeof latest.description).toBe('string');
      const timeline = await shop.get<object[]>(shop.at('qa', '/timeline?size=2'));
      expect(timeline).toHaveLength(2);
    });
  });
});

// A law over random designs: what was extracted, in JSON or YAML, loads into the same anywhere.
// DESIGNS=200 tries more designs of each dialect, as `make soak` does.
describe('laws', () => {
  const DESIGNS = Number(process.env['DESIGNS'] ?? 6);
  const SEED = Number(process.env['SEED'] ?? 20_261_124);

  const A = '/acme/assemblies';
  const PLACEHOLDER = '::ENCRYPTED::';

  /** Texts that YAML 1.1, JSON or a form could take for something else. */
  const TRICKY = [
    ...['', 'yes', 'No', '1.10', '7.0', '0x1f', '1e3', '~', 'null', '[1]', '{"a": 1}', '# no', 'a: b', ' x ', '<<'],
    ...['two\nlines\n', 'tab\there', 'it\'s "quoted"', 'käse ☕', '2026-01-02', '$OO_LOCAL{x}', '!tag', '*x', '&x'],
  ];
  const anyText = fc.oneof(
    fc.constantFrom(...TRICKY),
    fc.string({ maxLength: 12 }).filter((text) => !text.startsWith(PLACEHOLDER)),
  );
  const anyVariable = fc.oneof(anyText, fc.constant(PLACEHOLDER));
  const anyName = fc.stringMatching(/^[a-z][a-z0-9-]{2,8}$/);
  const dictionary = <T>(value: fc.Arbitrary<T>, maxKeys: number): fc.Arbitrary<{ [name: string]: T }> =>
    fc.dictionary(anyName, value, { maxKeys, noNullPrototype: true });
  const anyHash = dictionary(fc.oneof(anyText, fc.integer(), fc.boolean(), fc.array(anyText, { maxLength: 2 })), 3);
  const some = (model: { readonly [member: string]: fc.Arbitrary<unknown> }): fc.Arbitrary<object> =>
    fc.record(model, { requiredKeys: [] });

  const anyMonitor = some({
    cmd: anyText,
    description: anyText,
    cmd_options: anyHash,
    sample_interval: fc.constant(30),
  });
  const anyAttachment = (events: string): fc.Arbitrary<object> =>
    some({
      content: anyText,
      path: fc.constantFrom('/etc/motd', '/tmp/x'),
      [events]: fc
        .subarray(['before-add', 'after-add', 'after-update'], { minLength: 1 })
        .map((each) => each.join(',')),
      headers: anyHash,
      basic_auth_password: fc.constantFrom(PLACEHOLDER, 'canary-of-an-attachment'),
      priority: fc.constantFrom('1', '7'),
    });

  /** Attributes of each kind of component, besides what any has. */
  const OF_KIND = {
    user: {
      description: anyText,
      sudoer: fc.boolean(),
      ulimit: fc.constantFrom('8192', 8192),
      authorized_keys: fc.array(anyText, { maxLength: 3 }),
    },
    build: {
      password: fc.constantFrom(PLACEHOLDER, 'canary-of-a-component', ''),
      environment: anyHash,
      before_migrate: anyText,
    },
    server: { environment: anyHash, java_options: anyText, startup_params: fc.array(anyText, { maxLength: 2 }) },
  };
  const anyComponent = (kind: keyof typeof OF_KIND, events: string): fc.Arbitrary<object> =>
    some({
      ...OF_KIND[kind],
      attachments: dictionary(anyAttachment(events), 2),
      monitors: dictionary(anyMonitor, 2),
    });

  /** Users by name, each of which may depend on one before it. */
  const anyUsers = (events: string): fc.Arbitrary<object> =>
    fc
      .uniqueArray(fc.tuple(anyName, anyComponent('user', events), fc.nat(3)), {
        maxLength: 3,
        selector: ([name]) => name,
      })
      .map((users) =>
        Object.fromEntries(
          users.map(([name, user, on], index) => {
            const earlier = users[on]?.[0];
            const depends = on < index && earlier !== undefined ? { depends: [earlier] } : {};
            return [name, { username: name, ...user, ...depends }];
          }),
        ),
      );

  const anyPlatform = (events: string): fc.Arbitrary<object> =>
    fc.oneof(
      fc
        .tuple(
          anyUsers(events),
          dictionary(anyComponent('build', events), 2),
          anyComponent('server', events),
          fc.boolean(),
        )
        .map(([users, builds, server, isSet]) => ({
          pack: 'oneops/tomcat:1',
          components: {
            'user/oneops.1.User': users,
            'build/oneops.1.Build': builds,
            ...(isSet ? { 'tomcat/oneops.1.Tomcat': { tomcat: server } } : {}),
          },
        })),
      fc
        .tuple(anyUsers(events), fc.constantFrom('custom', 'redisio'))
        .map(([users, pack]) => ({ pack: `oneops/${pack}:1`, components: { 'user/oneops.1.User': users } })),
      // The pack makes this component, without a secret.
      fc.constantFrom(PLACEHOLDER, 'canary-of-a-pack').map((password) => ({
        pack: 'oneops/mysql:1',
        components: { 'mysql/oneops.1.Mysql': { mysql: { password } } },
      })),
    );

  /** A document that loads; each platform may link to those before it. */
  const anyDesign = (events: string): fc.Arbitrary<object> =>
    fc
      .record({
        variables: dictionary(anyVariable, 3),
        platforms: fc.uniqueArray(
          fc.tuple(
            anyName,
            anyPlatform(events),
            anyText,
            dictionary(anyVariable, 2),
            fc.array(fc.nat(3), { maxLength: 2 }),
          ),
          { minLength: 1, maxLength: 3, selector: ([name]) => name },
        ),
      })
      .map(({ variables, platforms }) => ({
        variables,
        platforms: Object.fromEntries(
          platforms.map(([name, platform, description, own, to], index) => [
            name,
            {
              ...platform,
              description,
              variables: own,
              links: [...new Set(to.filter((each) => each < index))].map((each) => platforms[each]?.[0]),
            },
          ]),
        ),
      }));

  /** Each text of a document with its path, besides empty ones; lists without their order. */
  function leavesOf(value: unknown, path = ''): readonly string[] {
    if (Array.isArray(value)) return value.flatMap((each) => leavesOf(each, `${path}/*`)).sort();
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).flatMap(([name, each]) => leavesOf(each, `${path}/${name}`));
    const text = String(value);
    return text === '' ? [] : [`${path} = ${text.startsWith('canary') ? PLACEHOLDER : text}`];
  }

  describe.each(dialectsInTurn(0))('%s', (dialect) => {
    const shop: Shop = shopFor('all', dialect);

    const make = async (name: string): Promise<void> => {
      await shop.ok(shop.send('POST', A, record(name, { owner: 'team@acme.io' })));
    };
    const load = async (name: string, data: string): Promise<void> => {
      await shop.ok(shop.send('PUT', `${A}/${name}/design/load`, { data }));
      const { status, body } = await shop.send('GET', `${A}/${name}/design/releases/latest`);
      const release = body as { readonly releaseId: number; readonly releaseState: string };
      if (status === 200 && release.releaseState === 'open')
        await shop.ok(shop.send('POST', `${A}/${name}/design/releases/${release.releaseId}/commit`, {}));
    };
    const extract = async (name: string, form = ''): Promise<string> =>
      (await shop.send('GET', `${A}/${name}/design/extract${form}`)).text;

    test(
      'extract, load and extract again is the same, with its placeholders',
      async () => {
        let count = 0;
        let secrets = 0;
        const property = fc.asyncProperty(anyDesign(dialect === 'classic' ? 'run_on' : 'runs_on'), async (design) => {
          count += 1;
          const [first, twin] = [`a${count}`, `b${count}`];
          await make(first);
          await make(twin);
          await load(first, JSON.stringify(design));
          const [json, yaml] = [await extract(first), await extract(first, '.yaml')];
          expect(json).not.toContain('canary');
          const kept = new Set(leavesOf(JSON.parse(json)));
          expect(leavesOf(design).filter((leaf) => !kept.has(leaf))).toEqual([]);
          secrets += json.split(PLACEHOLDER).length - 1;
          for (const [name, text] of [
            [first, json],
            [first, yaml],
            [twin, yaml],
            [twin, json],
          ] as const) {
            await load(name, text);
            expect(JSON.parse(await extract(name))).toEqual(JSON.parse(json));
          }
        });
        await fc.assert(property, { numRuns: DESIGNS, seed: SEED, endOnFailure: true });
        expect(secrets).toBeGreaterThan(0);
      },
      30_000 + DESIGNS * 1000,
    );
  });
});

// Laws of look-ups: anything by number, packs, what the service says of itself.

eachDialectInTurn(1, (dialect, classic) => {
  const shop: Shop = shopFor('each', dialect, () => shop.assembly());

  test('a record is found by its number, in the shape its place has', async () => {
    const platform = await shop.platform('web');
    const found = await shop.get(`/l/ci/${platform.ciId}`);
    expect(found).toMatchObject({ ciName: 'web', ciClassName: 'catalog.Platform', rfcAction: classic ? 'add' : null });
    const [cloud] = await shop.get<WireRecord[]>('/acme/clouds');
    expect(await shop.get(`/l/ci/${cloud!.ciId}`)).toMatchObject({ ciName: cloud!.ciName, altNs: {} });
  });

  test.each(['ci', 'rel', 'release', 'deployment', 'procedure'])(
    'what %s has no such number is not there',
    async (kind) => {
      for (const id of ['1', 'name', '999999999999']) expect(await shop.status('GET', `/l/${kind}/${id}`)).toBe(404);
    },
  );

  test('packs are listed with their versions, and with the templates of each mode', async () => {
    const packs = await shop.get<{ [source: string]: { [name: string]: string[] } }>('/acme/catalog/packs');
    expect(packs['oneops']).toMatchObject({ tomcat: ['1'], custom: ['1'] });
    const names = async (mode: string): Promise<(string | null | undefined)[]> =>
      (await shop.get<WireRecord[]>(`/acme/catalog/packs/oneops/tomcat/1${mode}/platforms/tomcat/components`)).map(
        ({ ciName }) => ciName,
      );
    expect(await names('')).toContain('tomcat');
    expect(await names('')).not.toContain('sshkeys');
    expect(await names('/single')).toEqual(expect.arrayContaining(['tomcat', 'sshkeys']));
    for (const path of ['tomcat/9/platforms/tomcat', 'tomcat/1/platforms/custom', 'tomcat/1/double/platforms/tomcat'])
      expect(await shop.status('GET', `/acme/catalog/packs/oneops/${path}/components`)).toBe(404);
  });

  test('the service describes itself to anybody', async () => {
    const reply = await shop.send('GET', '/openapi.json', undefined, { authorization: '' });
    expect([reply.status, reply.body]).toEqual([200, JSON.parse(openApiText(dialectRules[dialect]))]);
    expect(await shop.status('GET', '/status/ecv', undefined, { authorization: '' })).toBe(200);
  });
});
