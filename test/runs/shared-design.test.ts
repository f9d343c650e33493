// Two stacks of one design: what one takes away of it while an environment of the other runs it.
import { DIALECTS, routes } from '../../api/contract';
import { emptyStack, run, type Run, type RunOptions, type Stack } from '../world/engine-simulation';
import { resourcesOf, type EnvironmentSpec, type StackSpec } from '../world/stack-spec';
import { eachWorld } from '../world/world';

const EAST = { clouds: { east: { priority: 1 } } };
const OWNER: StackSpec = {
  variables: { LEVEL: 'info' },
  platforms: { web: {}, db: { pack: 'mysql' } },
  environments: { qa: EAST },
};
/** As `adopt: true` in a guest's file leaves it. */
const ADOPTING: StackSpec = {
  existing: true,
  platforms: { web: { adopt: true } },
  environments: { prod: EAST },
};
const DESIGN = { assembly: 'shop' };

describe.each(DIALECTS)('%s', (dialect) => {
  const world = eachWorld(dialect);

  const up = async (stack: Stack, spec: StackSpec | undefined): Promise<Run> => {
    world.nextRun();
    return run(world, stack, spec === undefined ? [] : resourcesOf(spec));
  };
  const done = async (spec: StackSpec, stack: Stack = emptyStack): Promise<Stack> => {
    const ended = await up(stack, spec);
    expect(ended.errors).toEqual([]);
    return ended.stack;
  };
  const platforms = async (): Promise<readonly string[]> =>
    (await world.api.call(routes.platforms.list, { address: DESIGN })).map(({ ciName }) => ciName).sort();
  const instancesIn = async (environment: string): Promise<number> => {
    const address = { ...DESIGN, environment };
    const query = { instances_state: 'all' };
    return (await world.api.call(routes.operations.environmentInstances, { address, query })).length;
  };

  test('an adopted platform that leaves the file stays while an environment of another stack runs it', async () => {
    await done(OWNER);
    const before = await instancesIn('qa');
    const guest = await done(ADOPTING);
    world.writes();
    const refused = await up(guest, { existing: true, environments: ADOPTING.environments ?? {} });
    expect(refused.errors).toHaveLength(1);
    expect(refused.errors[0]).toMatch(/platform acme\/shop\/web: environment qa \(\d+ instances\) runs it/);
    expect([await platforms(), await instancesIn('qa')]).toEqual([['db', 'web'], before]);
    expect(world.writes()).toEqual([]);
  });

  test('a destroy leaves what another stack runs, adopted or created', async () => {
    await done(OWNER);
    const guest = await done({ ...ADOPTING, platforms: { ...ADOPTING.platforms, cache: {} } });
    // The owner's environment runs the guest's platform, too.
    await done({ ...OWNER, variables: { LEVEL: 'debug' } }, await ownerAfter());
    const before = await instancesIn('qa');
    const destroyed = await up(guest, undefined);
    expect(destroyed.errors.length).toBeGreaterThan(0);
    expect(destroyed.errors.join()).toMatch(/platform acme\/shop\/web: environment qa \(\d+ instances\) runs it/);
    expect(await platforms()).toEqual(['cache', 'db', 'web']);
    expect([await instancesIn('qa'), await instancesIn('prod').catch(() => 0)]).toEqual([before, 0]);
  });

  /** The owner's stack, as its next run finds it. */
  async function ownerAfter(): Promise<Stack> {
    const ended = await up(emptyStack, { ...OWNER, adopt: true });
    expect(ended.errors).toEqual([]);
    return ended.stack;
  }

  test('what this stack created and its file removes is deleted, and the row names the environments that run it', async () => {
    const owner = await done(OWNER);
    await done({ existing: true, environments: { prod: EAST } });
    const running = await instancesIn('prod');
    const removed = await up(owner, { ...OWNER, platforms: { web: {} } });
    expect([removed.errors, await platforms()]).toEqual([[], ['web']]);
    expect(removed.notices.join('\n')).toMatch(/db [^]*environment prod \(\d+ instances\)/);
    expect(await instancesIn('prod')).toBe(running);
  });

  test('a destroy of the owner stops before it takes anything down, and goes on once the guest is gone', async () => {
    const both: StackSpec = { ...OWNER, environments: { qa: EAST, live: EAST } };
    const owner = await done(both, await done(OWNER));
    const guest = await done({ existing: true, environments: { prod: EAST } });
    const before = [await instancesIn('qa'), await instancesIn('live')];
    world.writes();
    const refused = await up(owner, undefined);
    expect(refused.errors.map((error) => error.split(':')[0])).toEqual(['Deployment', 'Deployment']);
    expect(refused.errors.join()).toMatch(/environment prod \(\d+ instances\) of another stack/);
    expect([await instancesIn('qa'), await instancesIn('live'), world.writes()]).toEqual([...before, []]);
    expect((await up(guest, undefined)).errors).toEqual([]);
    const destroyed = await up(refused.stack, undefined);
    expect([destroyed.errors, destroyed.stack.size]).toEqual([[], 0]);
  });

  test("a guest lays its values over the owner's platforms, and its destroy leaves the owner's design and instances", async () => {
    await done({ ...OWNER, platforms: { web: { pack: 'tomcat', variables: { SIZE: 'small' } } } });
    const before = await instancesIn('qa');
    const prod: EnvironmentSpec = {
      ...EAST,
      overrides: {
        web: { variables: { SIZE: 'large' }, components: { tomcat: { attributes: { max_threads: '200' } } } },
      },
      switches: { web: { autorepair: false } },
    };
    const guest = await done({ existing: true, environments: { prod } });
    const address = { ...DESIGN, environment: 'prod', platform: 'web' };
    const tomcat = await world.api.call(routes.environmentPlatforms.component, {
      address: { ...address, component: 'tomcat' },
    });
    const web = await world.api.call(routes.environmentPlatforms.read, { address });
    expect([tomcat.ciAttributes['max_threads'], web.ciAttributes['autorepair']]).toEqual(['200', 'false']);
    const down = await done(
      { existing: true, environments: { prod: { ...prod, switches: { web: { enabled: false } } } } },
      guest,
    );
    expect(await instancesIn('prod')).toBe(0);
    const destroyed = await up(down, undefined);
    expect([destroyed.errors, destroyed.stack.size]).toEqual([[], 0]);
    expect([await platforms(), await instancesIn('qa')]).toEqual([['web'], before]);
  });

  test.each<readonly [string, string, RunOptions]>([
    ['a pull', 'second', {}],
    ['a refresh', 'first', { refresh: true }],
  ])(
    'a platform of the owner that its owner deletes stops %s of a guest that refers to it',
    async (_, word, options) => {
      const owner = await done(OWNER);
      const spec: StackSpec = { existing: true, platforms: { web: { existing: true } }, environments: { prod: EAST } };
      const pinned = (designRelease: string) =>
        resourcesOf(spec).map((each) =>
          each.token === 'Environment' ? { ...each, args: { ...each.args, designRelease } } : each,
        );
      const guest = await run(world, emptyStack, pinned('first'));
      const before = await instancesIn('prod');
      await done({ ...OWNER, platforms: { db: { pack: 'mysql' } } }, owner);
      world.nextRun();
      const { errors } = await run(world, guest.stack, pinned(word), options);
      expect(errors.join()).toMatch(
        /deleted platform web from the design, release \d+, \d{4}-[^]*remove (it|web) from the file/,
      );
      expect([errors.length, await instancesIn('prod')]).toEqual([1, before]);
    },
  );

  test('a second environment changes no row of the first', async () => {
    const owner = await done(OWNER);
    const more = await up(owner, { ...OWNER, environments: { qa: EAST, live: EAST } });
    expect([more.errors, more.steps]).toEqual([[], ['create Environment::live', 'create Deployment::live']]);
  });

  test('without an environment of another stack, an adopted platform is deleted like a created one', async () => {
    await done(OWNER);
    const adopted = await done({ ...OWNER, adopt: true });
    const removed = await up(adopted, { ...OWNER, platforms: { web: {} } });
    expect([removed.errors, await platforms()]).toEqual([[], ['web']]);
    // An environment that leaves at the same time is this stack's, too.
    const less = await up(removed.stack, { platforms: {}, variables: {} });
    expect([less.errors, await platforms()]).toEqual([[], []]);
    const destroyed = await up(less.stack, undefined);
    expect([destroyed.errors, destroyed.stack.size]).toEqual([[], 0]);
  });
});
