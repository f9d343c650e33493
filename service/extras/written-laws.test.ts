// A law over random designs: what was extracted loads into the same, in the assembly it came from and in an empty one, in JSON and in YAML.
// DESIGNS=200 tries more designs of each dialect, as `make soak` does.
import fc from 'fast-check';
import { DIALECTS } from '../../api/contract';
import { type Shop, shopFor } from '../../test/shop';

const DESIGNS = Number(process.env['DESIGNS'] ?? 6);
const SEED = Number(process.env['SEED'] ?? 20_261_124);

const A = '/acme/assemblies';
const PLACEHOLDER = '::ENCRYPTED::';

/** Texts that YAML 1.1, JSON or a form could take for something else. */
const TRICKY = [
  '',
  'yes',
  'No',
  '1.10',
  '7.0',
  '0x1f',
  '1e3',
  '~',
  'null',
  '[1]',
  '{"a": 1}',
  '# no',
  'a: b',
  ' x ',
  '<<',
];
const anyText = fc.oneof(
  fc.constantFrom(
    ...TRICKY,
    'two\nlines\n',
    'tab\there',
    'it\'s "quoted"',
    'käse ☕',
    '2026-01-02',
    '$OO_LOCAL{x}',
    '!tag',
    '*x',
    '&x',
  ),
  fc.string({ maxLength: 12 }).filter((text) => !text.startsWith(PLACEHOLDER)),
);
const anyVariable = fc.oneof(anyText, fc.constant(PLACEHOLDER));
const anyName = fc.stringMatching(/^[a-z][a-z0-9-]{2,8}$/);
const dictionary = <T>(value: fc.Arbitrary<T>, maxKeys: number): fc.Arbitrary<{ [name: string]: T }> =>
  fc.dictionary(anyName, value, { maxKeys, noNullPrototype: true });
const anyHash = dictionary(fc.oneof(anyText, fc.integer(), fc.boolean(), fc.array(anyText, { maxLength: 2 })), 3);
const some = (model: { readonly [member: string]: fc.Arbitrary<unknown> }): fc.Arbitrary<object> =>
  fc.record(model, { requiredKeys: [] });

const anyAttachment = (events: string): fc.Arbitrary<object> =>
  some({
    content: anyText,
    path: fc.constantFrom('/etc/motd', '/tmp/x'),
    [events]: fc.subarray(['before-add', 'after-add', 'after-update'], { minLength: 1 }).map((each) => each.join(',')),
    headers: anyHash,
    basic_auth_password: fc.constantFrom(PLACEHOLDER, 'canary-of-an-attachment'),
    priority: fc.constantFrom('1', '7'),
  });
const anyMonitor = some({ cmd: anyText, description: anyText, cmd_options: anyHash, sample_interval: fc.constant(30) });

/** Members of any component. */
const shared = (events: string): { [member: string]: fc.Arbitrary<unknown> } => ({
  attachments: dictionary(anyAttachment(events), 2),
  monitors: dictionary(anyMonitor, 2),
});
const anyUser = (events: string): fc.Arbitrary<object> =>
  some({
    description: anyText,
    sudoer: fc.boolean(),
    ulimit: fc.constantFrom('8192', 8192),
    authorized_keys: fc.array(anyText, { maxLength: 3 }),
    ...shared(events),
  });
const anyBuild = (events: string): fc.Arbitrary<object> =>
  some({
    password: fc.constantFrom(PLACEHOLDER, 'canary-of-a-component', ''),
    environment: anyHash,
    before_migrate: anyText,
    ...shared(events),
  });
const anyServer = (events: string): fc.Arbitrary<object> =>
  some({
    environment: anyHash,
    java_options: anyText,
    startup_params: fc.array(anyText, { maxLength: 2 }),
    ...shared(events),
  });

/** Users by name, each of which may depend on one before it. */
const anyUsers = (events: string): fc.Arbitrary<object> =>
  fc
    .uniqueArray(fc.tuple(anyName, anyUser(events), fc.nat(3)), { maxLength: 3, selector: ([name]) => name })
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
      .tuple(anyUsers(events), dictionary(anyBuild(events), 2), anyServer(events), fc.boolean())
      .map(([users, builds, server, isSet]) => ({
        pack: 'oneops/tomcat:1',
        components: {
          'user/oneops.1.User': users,
          'build/oneops.1.Build': builds,
          ...(isSet ? { 'tomcat/oneops.1.Tomcat': { tomcat: server } } : {}),
        },
      })),
    fc
      .tuple(anyUsers(events), fc.constantFrom('custom', 'mysql', 'redisio'))
      .map(([users, pack]) => ({ pack: `oneops/${pack}:1`, components: { 'user/oneops.1.User': users } })),
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

/** Each text that a document contains, with its path; what is empty is left out. Lists without their order: links are sorted. */
function leavesOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => leavesOf(each, `${path}/*`)).sort();
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, each]) => leavesOf(each, `${path}/${name}`));
  const text = String(value);
  return text === '' ? [] : [`${path} = ${text.startsWith('canary') ? PLACEHOLDER : text}`];
}

describe.each(DIALECTS)('%s', (dialect) => {
  const shop: Shop = shopFor('all', dialect);

  const make = async (name: string): Promise<void> => {
    await shop.ok(shop.send('POST', A, { cms_ci: { ciName: name, ciAttributes: { owner: 'team@acme.io' } } }));
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
