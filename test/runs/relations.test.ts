// A replaced record takes links and dependencies of others with it. The same run writes them again,
// or the next run after a kill, and no other relations. CRASH_POINTS=all kills at every request (as
// `make soak` does); else at a sample.
import { routes } from '../../api/contract';
import { BadSettings } from '../../api/errors';
import type { Inputs } from '../../provider';
import { type Declared, emptyStack, preview, run, type RunOptions, type Stack } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { wrongIn } from '../world/each-stack';
import { makeWorld, ROW } from '../world/world';
import { failing, through } from '../world/between';
import { eachDialect } from '../world/each-dialect';

const STEP = process.env['CRASH_POINTS'] === 'all' ? 1 : 4;

const TOMCAT = { source: 'oneops', pack: 'tomcat', version: '1' };

const PROD = { environments: { prod: { clouds: { east: { priority: 1 } } } } };

/** `web` uses a database of a pack and a name. The name of its resource stays. */
const linked = (pack: string, name = 'db'): StackSpec => ({
  platforms: { [name]: { pack, logical: 'db' }, web: { pack: 'tomcat', links: [name] } },
});

/** In `web`, a user comes after another one of this name. */
const dependent = (name: string): StackSpec => ({
  platforms: {
    web: {
      pack: 'tomcat',
      components: {
        [name]: { type: 'user', attributes: { username: 'app' } },
        other: { type: 'user', attributes: { username: 'other' }, depends: [name] },
      },
    },
  },
});

/** `db` and `cache` of a pack, and, where `web` is one of this stack, the links of it. */
const two = (pack: string, links?: readonly string[]): StackSpec => ({
  platforms: { db: { pack }, cache: { pack }, ...(links ? { web: { pack: 'tomcat', links } } : {}) },
});

/** Resources of a stack; a user `app` has the alias `user`. */
const declared = (spec: StackSpec): readonly Declared[] =>
  resourcesOf(spec).map((each) =>
    each.key === 'Component::web/app' ? { ...each, alias: 'Component::web/user' } : each,
  );

eachDialect('%s', (test, world, dialect) => {
  const up = async (stack: Stack, spec: StackSpec, options?: RunOptions): Promise<Stack> => {
    const done = await run(world, stack, declared(spec), options);
    if (!done.killed) expect(done.errors).toEqual([]);
    return done.stack;
  };

  const shop = { assembly: 'shop' };
  /** A platform of another user. */
  const createApi = (links_to: readonly string[]) => world.maria.create('api', TOMCAT, { links_to });
  const readApi = () => world.other.call(routes.platforms.read, { address: { ...shop, platform: 'api' } });

  const unchanged = async (stack: Stack, spec: StackSpec): Promise<void> => {
    expect(await wrongIn(world, stack, spec, declared(spec))).toEqual([]);
  };

  const LINKED = 'Platform::web';
  const DEPLOYED = { ...linked('mysql'), ...PROD };
  test.each<[string, StackSpec, StackSpec, string]>([
    ['a platform with another pack', linked('mysql'), linked('postgresql'), LINKED],
    ['a platform with another name', linked('mysql'), linked('mysql', 'data'), LINKED],
    ['a platform with another name and pack', linked('mysql'), linked('postgresql', 'data'), LINKED],
    ['a deployed platform with another name', DEPLOYED, { ...linked('mysql', 'data'), ...PROD }, LINKED],
    ['a component with another name', dependent('user'), dependent('app'), 'Component::web/other'],
    [
      'several platforms of one that links to them',
      two('mysql', ['db', 'cache']),
      two('postgresql', ['db', 'cache']),
      LINKED,
    ],
    ['a platform whose link is taken out, too', two('mysql', ['db', 'cache']), two('postgresql', ['cache']), LINKED],
  ])('%s', async (_, before, after, key) => {
    const stack = await up(emptyStack, before);
    expect((await preview(world, stack, declared(after))).steps).toContain(`update ${key}`);
    await unchanged(await up(stack, after), after);
    // Killed at a request, the next run completes it, and blames nobody for what the first one did.
    let isKilled = !('environments' in after);
    for (let request = 1; isKilled; request += STEP) {
      world.close();
      Object.assign(world, makeWorld(dialect));
      const made = await up(emptyStack, before);
      const killed = await run(world, made, declared(after), { killAt: { request, when: 'after' } });
      isKilled = killed.killed;
      await unchanged(await up(killed.stack, after), after);
    }
  });

  test('the replaced platform alone, as the only target, gets its links back', async () => {
    const stack = await up(emptyStack, linked('mysql'));
    const targeted = await up(stack, linked('postgresql'), { targets: ['Platform::db'] });
    await unchanged(await up(targeted, linked('postgresql')), linked('postgresql'));
  });

  test('a platform of another user keeps its links to several platforms', async () => {
    const stack = await up(emptyStack, two('mysql'));
    await createApi(['db', 'cache']);
    await world.maria.commit();
    await up(stack, two('postgresql'));
    expect([...((await readApi()).links_to ?? [])].sort()).toEqual(['cache', 'db']);
  });

  test.each(['add', 'update'])(
    'what another user left open (%s) in a platform that gets its link back stays theirs',
    async (how) => {
      const stack = await up(emptyStack, linked('mysql'));
      await createApi(['db']);
      if (how === 'update') {
        await world.maria.commit();
        await world.maria.set('api', { description: 'theirs' }, { links_to: ['db'] });
      }
      // The dialect `documented` commits the whole design before it creates a platform again.
      const { rfcAction: open } = await readApi();
      const done = await run(world, stack, resourcesOf(linked('postgresql')));
      const { links_to: links, rfcAction } = await readApi();
      expect(links).toEqual(['db']);
      if (dialect === 'documented') return;
      expect(done.errors.join()).toContain(`platform api: ${how} by maria`);
      expect([open, rfcAction]).toEqual([how, how]);
    },
  );

  describe('components of another user that depend on what is replaced', () => {
    const WEB = { ...shop, platform: 'web' };
    const user = (username: string) => ({ type: 'user', attributes: { username } });
    const theirs = { ...WEB, name: 'theirs', ...user('theirs') };
    const JOB: Inputs = { ...theirs, type: 'job', attributes: { minute: '5', cmd: 'true' } };

    /** Those named `theirs`, with all that they show; without names that they depend on. */
    const seen = async (without: readonly string[] = []): Promise<readonly unknown[]> => {
      const all = await world.other.call(routes.components.list, { address: WEB });
      const read = all
        .filter(({ ciName }) => ciName === 'theirs')
        .map(async ({ ciId }) => {
          const address = { ...WEB, component: String(ciId) };
          const { ciClassName, ciAttributes, dependsOn } = await world.other.call(routes.components.read, { address });
          const depends = (dependsOn ?? []).map(({ ciName }) => ciName).filter((name) => !without.includes(name));
          return { ciClassName, ciAttributes, depends: depends.sort() };
        });
      return Promise.all(read);
    };

    const made = async (stack: Stack, others: readonly Inputs[]): Promise<Stack> => {
      for (const other of others) await world.lifeOf('Component', world.other).create(other, ROW);
      await world.maria.commit();
      return stack;
    };
    const upWith = (components: { readonly [name: string]: ReturnType<typeof user> }): Promise<Stack> =>
      up(emptyStack, { platforms: { web: { pack: 'tomcat', components } } });

    // A component `user` is named like its template, as the component of a pack is.
    test.each<[string, readonly string[], readonly Inputs[]]>([
      ['on several, all of which come back', ['user', 'app'], [{ ...theirs, depends: ['app', 'user'] }]],
      [
        "on one, and on another user's own",
        ['app'],
        [
          { ...theirs, ...user('user'), name: 'user' },
          { ...theirs, depends: ['app', 'user'] },
        ],
      ],
      ['on one, and share a name with one of another template', ['app'], [{ ...theirs, depends: ['app'] }, JOB]],
    ])('%s', async (_, names, others) => {
      const stack = await made(await upWith(Object.fromEntries(names.map((name) => [name, user(name)]))), others);
      const before = await seen();
      const rest = await seen(names);
      expect(before).not.toEqual(rest);
      const own = world.lifeOf('Component', world.api);
      const kept = names.map((name) => stack.get(`Component::web/${name}`)!);
      for (const { inputs, key } of kept) own.check(inputs, false, key);
      for (const { id, outputs, key } of kept) await own.delete(id, outputs, ROW, key);
      expect(await seen()).toEqual(rest);
      for (const { inputs } of kept) await own.create(inputs, ROW);
      expect(await seen()).toEqual(before);
    });

    test('on one that becomes one of another template: its row says that they cannot', async () => {
      const stack = await made(await upWith({ app: user('app') }), [{ ...theirs, depends: ['app'] }]);
      const web = { pack: 'tomcat', components: { app: { type: 'volume' } } };
      const { errors, notices } = await run(world, stack, resourcesOf({ platforms: { web } }));
      expect(errors).toEqual([]);
      expect(notices.join()).toContain('component acme/shop/web/theirs did not get "app" back in its depends');
    });
  });

  test('a write that fails is named with the platform that lacks its link, and the next run continues', async () => {
    const stack = await up(emptyStack, linked('mysql'));
    const astray = through(world, (next) => (route, input) => {
      const isUpdate = route.name === routes.platforms.update.name;
      return next(route, isUpdate ? { ...input, address: { ...input?.address, platform: 'none' } } : input);
    });
    const { errors, stack: left } = await run(astray, stack, resourcesOf(linked('postgresql')));
    expect(errors).toEqual([
      expect.stringMatching(
        /^Platform::db: cannot create platform acme\/shop\/db: .*platform acme\/shop\/web did not get "db" back in its links: the service answered 404/,
      ),
    ]);
    await unchanged(await up(left, linked('postgresql')), linked('postgresql'));
  });

  test('a read that fails deletes nothing, and says what was to be deleted', async () => {
    const stack = await up(emptyStack, linked('mysql'));
    world.writes();
    const api = failing(world.api, routes.platforms.list, new BadSettings('the list is broken'));
    const { errors } = await run({ ...world, api }, stack, resourcesOf(linked('postgresql')));
    expect(errors.join()).toContain('cannot delete platform acme/shop/db: ');
    expect(world.writes()).toEqual([]);
  });

  test('a run does not update more than its preview says where a linked platform is declared from now on', async () => {
    const alone = { platforms: { web: { pack: 'tomcat', links: ['db'] } } };
    const stack = await up(emptyStack, linked('mysql'));
    const without = new Map([...stack].filter(([key]) => key !== 'Platform::db'));
    for (const db of [{ existing: true }, { pack: 'mysql', logical: 'db' }]) {
      const after = resourcesOf({ platforms: { db, ...alone.platforms } });
      const { steps } = await preview(world, without, after);
      const done = await run(world, without, after);
      expect([done.errors, done.steps.filter((step) => !steps.includes(step))]).toEqual([[], []]);
    }
  });

  test('a link that another user took away is still found', async () => {
    const stack = await up(emptyStack, linked('mysql'));
    await world.maria.set('web', {}, { links_to: [] });
    const web = { pack: 'tomcat', links: ['db'], description: 'shop' };
    const done = await run(world, stack, resourcesOf({ platforms: { ...linked('mysql').platforms, web } }));
    expect(done.errors.join()).toContain('links was changed by');
  });

  test('a rename names the platforms of others that lose their links', async () => {
    const spec = (name: string): StackSpec => ({ platforms: { [name]: { pack: 'mysql', logical: 'db' } } });
    const stack = await up(emptyStack, spec('db'));
    await createApi(['db']);
    await world.maria.commit();
    const { errors, notices } = await run(world, stack, resourcesOf(spec('data')));
    expect([errors, (await readApi()).links_to]).toEqual([[], []]);
    expect(notices.join()).toContain('takes the old one out of links of platform acme/shop/api');
  });
});
