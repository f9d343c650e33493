// What a preview says of records that exist already: one message for the topmost one, with what is in it and what runs there, before anything is written.
import { DIALECTS, routes } from '../../api/contract';
import { UNKNOWN } from '../../provider/values';
import { commitDesignByHand } from '../world/by-hand';
import { emptyStack, preview, run, type Stack } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld } from '../world/world';

const SHOP: StackSpec = {
  variables: { LEVEL: 'info' },
  platforms: {
    web: {},
    db: { pack: 'mysql', components: { auditor: { type: 'user', attributes: { username: 'auditor' } } } },
  },
  environments: { prod: { clouds: { east: { priority: 1 } } } },
};
const AT = { assembly: 'shop', environment: 'prod' };
const DESIGN = { assembly: 'shop' };

describe.each(DIALECTS)('%s', (dialect) => {
  const world = eachWorld(dialect);

  const first = async (spec = SHOP): Promise<Stack> => {
    const done = await run(world, emptyStack, resourcesOf(spec));
    expect(done.errors).toEqual([]);
    world.nextRun();
    world.requests();
    return done.stack;
  };
  const instances = async (): Promise<number> =>
    (await world.api.call(routes.operations.environmentInstances, { address: AT, query: { instances_state: 'all' } }))
      .length;
  const without = (stack: Stack, ...keys: readonly string[]): Stack =>
    new Map([...stack].filter(([key]) => !keys.includes(key)));

  test('a stack that shares nothing asks for one list, and finds nothing', async () => {
    await world.api.dialect();
    world.requests();
    const shown = await preview(world, emptyStack, resourcesOf(SHOP));
    expect(shown.errors).toEqual([]);
    expect(world.requests().length).toBeLessThanOrEqual(3);
  });

  test('a value that is not known yet is compared with nothing', async () => {
    const unknown = resourcesOf(SHOP).map((each) =>
      each.token === 'Platform' ? { ...each, args: { ...each.args, links: UNKNOWN } } : each,
    );
    expect((await preview(world, emptyStack, unknown)).errors).toEqual([]);
  });

  test('a second stack is refused in the preview and in the run, in one message, and nothing is written', async () => {
    await first();
    const running = await instances();
    world.requests();
    const shown = await preview(world, emptyStack, resourcesOf(SHOP));
    expect(world.requests().length).toBeLessThanOrEqual(12);
    const done = await run(world, emptyStack, resourcesOf(SHOP));
    for (const errors of [shown.errors, done.errors]) {
      expect(errors).toHaveLength(1);
      expect(errors[0]).toMatch(/^Assembly::shop: /);
      expect(errors[0]).toMatch(/since \d{4}-\d\d-\d\dT[^ ]*Z, created by admin/);
      expect(errors[0]).toContain('platforms db, web');
      expect(errors[0]).toContain(`environment prod (${running} instances)`);
      expect(errors[0]).toContain('adopt: true');
      expect(errors[0]).toContain('pulumi-oneops import-file Assembly:acme/shop');
    }
    expect(world.writes()).toEqual([]);
    expect(await instances()).toBe(running);
  });

  test('adopt: true on the assembly holds for everything below it', async () => {
    await first();
    const adopting = { ...SHOP, adopt: true };
    expect((await preview(world, emptyStack, resourcesOf(adopting))).errors).toEqual([]);
    const done = await run(world, emptyStack, resourcesOf(adopting));
    expect(done.errors).toEqual([]);
    expect(done.notices.join()).toContain('adopt: true can be taken out');
    world.nextRun();
    // The argument alone leaves the state: nothing is sent for it.
    expect(await preview(world, done.stack, resourcesOf(SHOP))).toEqual({
      steps: ['update Assembly::shop'],
      errors: [],
    });
  });

  test('an environment of the owner is refused in a guest, with what runs there', async () => {
    await first();
    const running = await instances();
    const guest: StackSpec = { existing: true, environments: { ...SHOP.environments, test: {} } };
    const shown = await preview(world, emptyStack, resourcesOf(guest));
    expect(shown.errors).toHaveLength(1);
    expect(shown.errors[0]).toMatch(/^Environment::prod: /);
    expect(shown.errors[0]).toContain(`${running} instances`);
  });

  test('each new record that another user made below a known parent has a message, from one list for each parent', async () => {
    const level = { LEVEL: SHOP.variables?.['LEVEL'] ?? '' };
    const bare: StackSpec = { ...SHOP, variables: {}, platforms: { web: {} } };
    const stack = await first(bare);
    const body = { cms_dj_ci: { ciName: 'LEVEL', ciAttributes: { value: 'info', secure: 'false' } } };
    await world.other.call(routes.designVariables.create, { address: DESIGN, body });
    await world.other.call(routes.platforms.create, {
      address: DESIGN,
      body: {
        cms_dj_ci: {
          ciName: 'db',
          ciAttributes: { source: 'oneops', pack: 'mysql', version: '1', major_version: '1' },
        },
      },
    });
    await commitDesignByHand(world.other);
    const wanted: StackSpec = { ...SHOP, variables: { ...level, OTHER: 'x', MORE: 'y' } };
    world.requests();
    const shown = await preview(world, stack, resourcesOf(wanted));
    expect(shown.errors.map((error) => error.split(':')[0]).sort()).toEqual(['Platform', 'Variable']);
    expect(shown.errors.join()).toMatch(/created by maria/);
    expect(world.requests().filter((each) => each === 'GET designVariables.list')).toHaveLength(1);
    // A record in one that is refused has no message.
    expect(shown.errors.join()).not.toContain('Component::');
  });

  test('what this user alone wrote below a known parent is taken over without a word in the file', async () => {
    const stack = await first();
    const lost = without(stack, 'Platform::db', 'Component::db/auditor', 'Variable::variables/LEVEL');
    expect((await preview(world, lost, resourcesOf(SHOP))).errors).toEqual([]);
    expect((await run(world, lost, resourcesOf(SHOP))).errors).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5, 6])('what a run left that was killed after write %i is taken over', async (killAfter) => {
    const killed = await run(world, emptyStack, resourcesOf(SHOP), { killAfter });
    expect(killed.killed).toBe(true);
    world.nextRun();
    expect((await preview(world, killed.stack, resourcesOf(SHOP))).errors).toEqual([]);
    expect((await run(world, killed.stack, resourcesOf(SHOP))).errors).toEqual([]);
  });

  test('what a killed run of a guest left is taken over, as long as nothing of the environment is committed', async () => {
    await first({ ...SHOP, environments: {} });
    const guest = resourcesOf({ existing: true, environments: SHOP.environments ?? {} });
    const killed = await run(world, emptyStack, guest, { killAfter: 1 });
    expect([killed.killed, killed.stack.has('Environment::prod')]).toEqual([true, false]);
    world.nextRun();
    expect((await preview(world, killed.stack, guest)).errors).toEqual([]);
    expect((await run(world, killed.stack, guest)).errors).toEqual([]);
    world.nextRun();
    expect((await preview(world, killed.stack, guest)).errors).toHaveLength(1);
  });

  test('below a parent whose name is not known yet, nothing is said', async () => {
    await first();
    const news = { assembly: UNKNOWN, name: 'web', source: 'oneops', pack: 'custom', version: '1' };
    world.requests();
    const shown = await preview(world, emptyStack, [{ key: 'Platform::web', token: 'Platform', args: news }]);
    expect(shown.errors).toEqual([]);
    expect(world.requests().filter((each) => !each.endsWith('organizations.read'))).toEqual([]);
  });
});
