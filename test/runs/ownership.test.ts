// What a run may take away: only what its file no longer declares, what its state still has, and what is still the same record.
import { DIALECTS, routes } from '../../api/contract';
import { emptyStack, run, type Run, type RunOptions, type Stack } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld } from '../world/world';

const SHOP: StackSpec = {
  variables: { LEVEL: 'info' },
  platforms: { web: {}, db: { pack: 'mysql' } },
  environments: { prod: { clouds: { east: { priority: 1 } } } },
};
const WITHOUT_DB: StackSpec = { ...SHOP, platforms: { web: {} } };
const AT = { assembly: 'shop', environment: 'prod' };
const DB = { assembly: 'shop', platform: 'db' };

describe.each(DIALECTS)('%s', (dialect) => {
  const world = eachWorld(dialect);

  const up = async (stack: Stack, spec: StackSpec, options: RunOptions = {}): Promise<Run> => {
    world.nextRun();
    return run(world, stack, resourcesOf(spec), options);
  };
  const first = async (spec = SHOP): Promise<Stack> => {
    const done = await up(emptyStack, spec);
    expect(done.errors).toEqual([]);
    return done.stack;
  };
  const instancesOf = async (platform: string): Promise<number> => {
    const all = await world.api.call(routes.operations.environmentInstances, {
      address: AT,
      query: { instances_state: 'all' },
    });
    return all.filter(({ nsPath }) => nsPath.split('/')[5] === platform).length;
  };
  const platforms = async (): Promise<readonly string[]> =>
    (await world.api.call(routes.platforms.list, { address: DB })).map(({ ciName }) => ciName).sort();
  /** A state without some records: `state move` to another stack, `state delete`, or an export that was edited. */
  const without = (stack: Stack, ...keys: readonly string[]): Stack =>
    new Map([...stack].filter(([key]) => !keys.includes(key)));

  test('what left the file is deleted, with its instances', async () => {
    const stack = await first();
    expect(await instancesOf('db')).toBeGreaterThan(0);
    const done = await up(stack, WITHOUT_DB);
    expect([done.errors, await platforms(), await instancesOf('db')]).toEqual([[], ['web'], 0]);
  });

  test('what left the state is forgotten', async () => {
    const stack = await first();
    const before = await instancesOf('db');
    const moved = without(stack, 'Platform::db', 'Variable::variables/LEVEL');
    const done = await up(moved, { ...WITHOUT_DB, variables: {} });
    expect([done.errors, await platforms(), await instancesOf('db')]).toEqual([[], ['db', 'web'], before]);
    expect(await world.api.call(routes.designVariables.list, { address: DB })).toHaveLength(1);
    expect(done.steps.filter((step) => step.startsWith('delete'))).toEqual([]);
    const environments = { ...SHOP.environments, dev: { clouds: { east: { priority: 1 } } } };
    const more = await up(done.stack, { ...WITHOUT_DB, variables: {}, environments });
    expect(more.notices.join()).toMatch(
      /brings along: platform db by \w+, design release \d+ \(\d+ instances\); variable \$LEVEL by \w+, design release \d+/,
    );
  });

  test.each([undefined, 'mine'])(
    'what another stack of the user committed is named, with designRelease %s',
    async (own) => {
      const shop = (level: string) =>
        resourcesOf({ ...SHOP, variables: { LEVEL: level } }).map((each) =>
          each.token === 'Environment' && own
            ? { ...each, args: { ...each.args, designRelease: `${own} ${level}` }, after: ['DesignRelease::shop'] }
            : each,
        );
      const { stack } = await run(world, emptyStack, shop('info'));
      world.nextRun();
      const guest = await up(emptyStack, { existing: true, variables: { EXTRA: 'x' } });
      expect(guest.errors).toEqual([]);
      const done = await run(world, stack, shop('debug'));
      expect([done.errors, done.notices.join()]).toEqual([
        [],
        expect.stringMatching(/brings along: variable \$EXTRA by/),
      ]);
    },
  );

  test('what moved to a stack that had nothing of the design is deleted by its destroy, and that is committed', async () => {
    const db = (await first({ ...SHOP, environments: {} })).get('Platform::db');
    if (db === undefined) throw new Error('no platform');
    const pia = { ...world, api: world.third };
    const guest = await run(pia, emptyStack, resourcesOf({ existing: true }));
    const moved = new Map([...guest.stack, ['Platform::db', { ...db, after: [], deletedWith: undefined }] as const]);
    const done = await run(pia, moved, []);
    expect([done.errors, await platforms()]).toEqual([[], ['web']]);
    const latest = await world.api.call(routes.designReleases.latest, { address: DB });
    expect(latest.releaseState).toBe('closed');
  });

  test('after state unprotect the engine deletes, and the delete is committed', async () => {
    const marked = (mark?: 'protect'): StackSpec => ({ ...SHOP, variables: { LEVEL: { value: 'info', mark } } });
    const stack = await first(marked('protect'));
    const refused = await up(stack, { ...SHOP, variables: {} });
    expect(refused.errors.join()).toContain('it is protected');
    expect(await world.api.call(routes.designVariables.list, { address: DB })).toHaveLength(1);
    const unprotected = new Map([...refused.stack].map(([key, kept]) => [key, { ...kept, mark: undefined }]));
    const done = await up(unprotected, { ...SHOP, variables: {} });
    expect([done.errors, await world.api.call(routes.designVariables.list, { address: DB })]).toEqual([[], []]);
    const latest = await world.api.call(routes.designReleases.latest, { address: DB });
    expect(latest.releaseState).toBe('closed');
  });

  test('a run that is limited to some resources removes nothing before the engine', async () => {
    const stack = await first();
    const before = await instancesOf('db');
    const targets = resourcesOf({ ...WITHOUT_DB, variables: { LEVEL: 'debug' } }).map(({ key }) => key);
    const done = await up(stack, { ...WITHOUT_DB, variables: { LEVEL: 'debug' } }, { targets });
    expect([done.errors, await platforms(), await instancesOf('db')]).toEqual([[], ['db', 'web'], before]);
    expect(done.notices.join()).toContain('db left the file');
    const whole = await up(done.stack, { ...WITHOUT_DB, variables: { LEVEL: 'debug' } });
    expect([whole.errors, await platforms(), await instancesOf('db')]).toEqual([[], ['web'], 0]);
  });

  test("another user's record under the name of one that left stays", async () => {
    const stack = await first();
    const [level] = await world.api.call(routes.designVariables.list, { address: DB });
    const commitHers = async (): Promise<void> => {
      const { releaseId } = await world.other.call(routes.designReleases.latest, { address: DB });
      const address = { ...DB, release: String(releaseId) };
      await world.other.call(routes.designReleases.commit, { address, body: { desc: 'hers' } });
    };
    await world.other.call(routes.designVariables.delete, { address: { ...DB, variable: String(level?.ciId) } });
    await commitHers();
    await world.other.call(routes.designVariables.create, {
      address: DB,
      body: { cms_dj_ci: { ciName: 'LEVEL', ciAttributes: { value: 'hers', secure: 'false' } } },
    });
    await commitHers();
    const done = await up(stack, { ...SHOP, variables: {} });
    const [hers] = await world.api.call(routes.designVariables.list, { address: DB });
    expect([done.errors, hers?.ciAttributes['value']]).toEqual([[], 'hers']);
    expect(done.notices.join()).toMatch(/LEVEL is another record than this stack's: \d+ instead of \d+/);
    expect(done.stack.has('Variable::variables/LEVEL')).toBe(false);
  });
});
