// A record that is replaced takes the relations with it in which others held it: links between platforms, dependencies between components.
// The same run writes them again, or the next one, where it is killed. CRASH_POINTS=all kills at every request (as `make soak` does); else at a sample.
import { routes } from '../../api/contract';
import type { Api } from '../../api/client';
import { BadSettings } from '../../api/errors';
import type { Inputs } from '../../provider';
import {
  type Declared,
  emptyStack,
  preview,
  run,
  type Run,
  type RunOptions,
  type Stack,
} from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
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
    expect(await preview(world, stack, declared(spec))).toEqual({ steps: [], errors: [] });
    expect(await differences(world, spec)).toEqual([]);
  };

  test.each<[string, StackSpec, StackSpec, string]>([
    ['a platform with another pack', linked('mysql'), linked('postgresql'), 'update Platform::web'],
    ['a platform with another name', linked('mysql'), linked('mysql', 'data'), 'update Platform::web'],
    ['a platform with another name and pack', linked('mysql'), linked('postgresql', 'data'), 'update Platform::web'],
    [
      'a deployed platform with another name',
      { ...linked('mysql'), ...PROD },
      { ...linked('mysql', 'data'), ...PROD },
      'update Platform::web',
    ],
    ['a component with another name', dependent('user'), dependent('app'), 'update Component::web/other'],
  ])('%s', async (_, before, after, step) => {
    const stack = await up(emptyStack, before);
    expect((await preview(world, stack, declared(after))).steps).toContain(step);
    await unchanged(await up(stack, after), after);
    // Killed at one of its requests, the next run completes it, and blames nobody for what the first one did.
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

  test('a link that the program takes out while its platform is replaced stays out', async () => {
    const stack = await up(emptyStack, two('mysql', ['db', 'cache']));
    await unchanged(await up(stack, two('postgresql', ['cache'])), two('postgresql', ['cache']));
  });

  test('several platforms of one that links to them', async () => {
    const stack = await up(emptyStack, two('mysql', ['db', 'cache']));
    const after = two('postgresql', ['db', 'cache']);
    await unchanged(await up(stack, after), after);
  });

  describe('a component that one of another user depends on', () => {
    const at = { ...shop, platform: 'web' };
    const user = (name: string, depends: readonly string[] = []): Inputs => ({
      ...at,
      name,
      type: 'user',
      attributes: { username: name },
      depends,
    });
    const lifeOf = (by: Api) => world.lifeOf('Component', by);
    const dependencies = async (): Promise<readonly string[]> => {
      const all = await world.other.call(routes.components.list, { address: at });
      const theirs = all.find(({ ciName }) => ciName === 'theirs');
      const address = { ...at, component: String(theirs?.ciId) };
      const { dependsOn } = await world.other.call(routes.components.read, { address });
      return (dependsOn ?? []).map(({ ciName }) => ciName).sort();
    };
    let stack: Stack;
    beforeEach(async () => {
      stack = await up(emptyStack, dependent('app'));
      // Named like its template, as the component of a pack is.
      await lifeOf(world.other).create(user('user'), ROW);
      await lifeOf(world.other).create(user('theirs', ['app', 'user']), ROW);
      await world.maria.commit();
    });

    test('by an option of the run gives it back, and takes no other away', async () => {
      const before = await dependencies();
      expect(before).toEqual(['app', 'os', 'user']);
      const { id, inputs, outputs } = stack.get('Component::web/app') ?? { id: '', inputs: {}, outputs: {} };
      const own = lifeOf(world.api);
      own.check(inputs, false, 'urn:app');
      await own.delete(id, outputs, ROW, 'urn:app');
      expect(await dependencies()).toEqual(['os', 'user']);
      await own.create(inputs, ROW);
      expect(await dependencies()).toEqual(before);
    });

    test('of another template cannot be depended on, which its row says', async () => {
      const web = { pack: 'tomcat', components: { app: { type: 'volume' } } };
      const without = new Map([...stack].filter(([key]) => key !== 'Component::web/other'));
      const { errors, notices } = await run(world, without, resourcesOf({ platforms: { web } }));
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
    const done = await run(
      world,
      stack,
      resourcesOf({
        platforms: { ...linked('mysql').platforms, web: { pack: 'tomcat', links: ['db'], description: 'shop' } },
      }),
    );
    expect(done.errors.join()).toContain('links was changed by');
  });
});

// Relations to replaced records, as other users wrote them or took them away: the run gives back those that went with the record, whatever else it
// writes at the same time, and no others.

const SHOP = { assembly: 'shop' };
const WEB = { ...SHOP, platform: 'web' };

const user = (username: string) => ({ type: 'user', attributes: { username } });
const theirs: Inputs = { ...WEB, name: 'theirs', ...user('theirs') };

eachDialect('%s', (test, world) => {
  const up = async (stack: Stack, spec: StackSpec): Promise<Run> => {
    const done = await run(world, stack, resourcesOf(spec));
    expect(done.errors).toEqual([]);
    return done;
  };
  const linksOf = async (platform: string): Promise<readonly string[] | null | undefined> =>
    (await world.other.call(routes.platforms.read, { address: { ...SHOP, platform } })).links_to;

  describe('dependencies of a component of another user', () => {
    const lifeOf = (by: Api) => world.lifeOf('Component', by);
    /** Components of the other user, with all that they show. */
    const seen = async (): Promise<readonly unknown[]> => {
      const all = await world.other.call(routes.components.list, { address: WEB });
      const own = all.filter(({ ciName }) => ciName === 'theirs');
      const read = own.map(async ({ ciId }) => {
        const address = { ...WEB, component: String(ciId) };
        const { ciClassName, ciAttributes, dependsOn } = await world.other.call(routes.components.read, { address });
        return { ciClassName, ciAttributes, depends: (dependsOn ?? []).map(({ ciName }) => ciName).sort() };
      });
      return Promise.all(read);
    };
    /** All are deleted and then created again in one run. */
    const replace = async (stack: Stack, names: readonly string[]): Promise<void> => {
      const own = lifeOf(world.api);
      const kept = names.flatMap((name) => stack.get(`Component::web/${name}`) ?? []);
      expect(kept.map(({ key }) => key)).toHaveLength(names.length);
      for (const { inputs, key } of kept) own.check(inputs, false, key);
      for (const { id, outputs, key } of kept) await own.delete(id, outputs, ROW, key);
      for (const { inputs } of kept) await own.create(inputs, ROW);
    };

    test('on several that are replaced in one run, one of them named like its template, all come back', async () => {
      const components = { user: user('first'), app: user('app') };
      const { stack } = await up(emptyStack, { platforms: { web: { pack: 'tomcat', components } } });
      await lifeOf(world.other).create({ ...theirs, depends: ['app', 'user'] }, ROW);
      await world.maria.commit();
      const before = await seen();
      expect(before).toMatchObject([{ depends: ['app', 'os', 'user'] }]);
      await replace(stack, ['user', 'app']);
      expect(await seen()).toEqual(before);
    });

    test('come back where it shares its name with a component of another template', async () => {
      const { stack } = await up(emptyStack, {
        platforms: { web: { pack: 'tomcat', components: { app: user('app') } } },
      });
      await lifeOf(world.other).create({ ...theirs, depends: ['app'] }, ROW);
      await lifeOf(world.other).create({ ...theirs, type: 'job', attributes: { minute: '5', cmd: 'true' } }, ROW);
      await world.maria.commit();
      const before = await seen();
      expect(before).toHaveLength(2);
      await replace(stack, ['app']);
      expect(await seen()).toEqual(before);
    });
  });

  test('a rename names the platforms of others that lose their links', async () => {
    const spec = (name: string): StackSpec => ({ platforms: { [name]: { pack: 'mysql', logical: 'db' } } });
    const { stack } = await up(emptyStack, spec('db'));
    await world.maria.create('api', TOMCAT, { links_to: ['db'] });
    await world.maria.commit();
    const { notices } = await up(stack, spec('data'));
    expect(await linksOf('api')).toEqual([]);
    expect(notices.join()).toContain('takes the old one out of links of platform acme/shop/api');
  });
});
