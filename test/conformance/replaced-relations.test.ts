// A record that is replaced takes the relations with it in which others held it: links between platforms, dependencies between components.
// The same run writes them again, also when it is killed in between and repeated.
import { DIALECTS, routes, type Dialect } from '../../api/contract';
import { emptyStack, preview, run, type Declared, type RunOptions, type Stack } from './engine-simulation';
import { resourcesOf, type StackSpec } from './stack-spec';
import { differences } from './stands-as-declared';
import { eachWorld } from './world';

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

/** Resources of a stack; a user `app` has the alias `user`. */
const declared = (spec: StackSpec): readonly Declared[] =>
  resourcesOf(spec).map((each) =>
    each.key === 'Component::web/app' ? { ...each, alias: 'Component::web/user' } : each,
  );

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
  const world = eachWorld(dialect);

  const up = async (stack: Stack, spec: StackSpec, options?: RunOptions): Promise<Stack> => {
    const done = await run(world, stack, declared(spec), options);
    if (!done.killed) expect(done.errors).toEqual([]);
    return done.stack;
  };

  const unchanged = async (stack: Stack, spec: StackSpec): Promise<void> => {
    expect(await preview(world, stack, resourcesOf(spec))).toEqual({ steps: [], errors: [] });
    expect(await differences(world, spec)).toEqual([]);
  };

  test.each<[string, StackSpec, StackSpec, string]>([
    ['a platform with another pack', linked('mysql'), linked('postgresql'), 'update Platform::web'],
    ['a platform with another name', linked('mysql'), linked('mysql', 'data'), 'update Platform::web'],
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
  });

  test('a run that is killed in between is completed by the next one', async () => {
    const stack = await up(emptyStack, linked('mysql'));
    for (const [killAfter, pack] of [
      [1, 'postgresql'],
      [2, 'mysql'],
      [3, 'postgresql'],
    ] as const) {
      const killed = await up(stack, linked(pack), { killAfter });
      await unchanged(await up(killed, linked(pack)), linked(pack));
      await up(await up(killed, linked(pack)), linked('mysql'));
    }
  });

  test('a run that is killed at any request is completed by the next one', async () => {
    const spec = linked('postgresql');
    let stack = await up(emptyStack, linked('mysql'));
    const wrong: string[] = [];
    let isKilled = true;
    for (let request = 1; isKilled; request += 1)
      for (const when of ['before', 'after'] as const) {
        const first = await run(world, stack, declared(spec), { killAt: { request, when } });
        isKilled = first.killed;
        stack = await up(first.stack, spec);
        wrong.push(...(await differences(world, spec)).map((each) => `request ${request}, ${when}: ${each}`));
        stack = await up(await up(stack, spec, { refresh: true }), linked('mysql'));
      }
    expect(wrong).toEqual([]);
  });

  test('the replaced platform alone, as the only target, gets its links back', async () => {
    const stack = await up(emptyStack, linked('mysql'));
    const targeted = await up(stack, linked('postgresql'), { targets: ['Platform::db'] });
    await unchanged(await up(targeted, linked('postgresql')), linked('postgresql'));
  });

  test('a platform of another user keeps its link', async () => {
    const stack = await up(emptyStack, linked('mysql'));
    const at = { assembly: 'shop' };
    const api = { ciName: 'api', ciAttributes: { source: 'oneops', pack: 'tomcat', version: '1' } };
    await world.other.call(routes.platforms.create, { address: at, body: { cms_dj_ci: api, links_to: ['db'] } });
    await up(stack, linked('postgresql'));
    const kept = await world.other.call(routes.platforms.read, { address: { ...at, platform: 'api' } });
    expect(kept.links_to).toEqual(['db']);
  });

  test('a link that another user took away is still found', async () => {
    const stack = await up(emptyStack, linked('mysql'));
    const address = { assembly: 'shop', platform: 'web' };
    const body = { cms_dj_ci: { ciAttributes: {} }, links_to: [] };
    await world.other.call(routes.platforms.update, { address, body });
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
