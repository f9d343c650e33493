// What a run may take away: only what left its file, is in its state, and is still the same record.
import fc from 'fast-check';
import type { Api } from '../../api/client';
import { layered, type Route, routes, type Dialect } from '../../api/contract';
import { orNone } from '../../api/errors';
import { KEPT, OPTIONS } from '../../provider';
import { UNKNOWN } from '../../provider/values';
import { answering, failing } from '../world/between';
import { eachDialect } from '../world/each-dialect';
import { instancesIn, wrongIn } from '../world/each-stack';
import {
  emptyStack,
  preview,
  run,
  type Declared,
  type Run,
  type RunOptions,
  type Stack,
  without,
} from '../world/engine-simulation';
import type { InstanceChange } from '../world/ownership-laws';
import { histories, type History } from '../world/ownership-moves';
import { componentIn, play, type Ground } from '../world/ownership-play';
import { PROD, withWeb } from '../world/shop-spec';
import { type EnvironmentSpec, type PlatformSpec, resourcesOf, type StackSpec, withArgs } from '../world/stack-spec';
import { makeWorld } from '../world/world';

const EAST: EnvironmentSpec = { clouds: { east: { priority: 1 } } };
const auditor = { type: 'user', attributes: { username: 'auditor' } };
const SHOP: StackSpec = {
  variables: { LEVEL: 'info' },
  platforms: {
    web: {},
    db: { pack: 'mysql', components: { auditor } },
  },
  environments: { prod: EAST },
};
const deploying = (deploy: NonNullable<EnvironmentSpec['deploy']>): EnvironmentSpec => ({ ...EAST, deploy });
const WITHOUT_DB: StackSpec = { ...SHOP, platforms: { web: {} } };
const WITHOUT_VARIABLES: StackSpec = { ...SHOP, variables: {} };
/** A second stack with an environment in the assembly of the first. */
const GUEST: StackSpec = { existing: true, environments: { qa: EAST } };
/** As `adopt: true` in a guest's file leaves it. */
const ADOPTING: StackSpec = { ...GUEST, platforms: { web: { adopt: true } } };
const DESIGN = { assembly: 'shop' };

eachDialect('%s', (test, world) => {
  const up = async (stack: Stack, spec: StackSpec | undefined, options: RunOptions = {}): Promise<Run> => {
    world.nextRun();
    return run(world, stack, spec === undefined ? [] : resourcesOf(spec), options);
  };
  const upByPia = (stack: Stack, spec: StackSpec, options: RunOptions = {}): Promise<Run> => {
    world.nextRun();
    return run({ ...world, api: world.third }, stack, resourcesOf(spec), options);
  };
  const fine = async (spec: StackSpec | undefined, stack: Stack = emptyStack): Promise<Stack> => {
    const done = await up(stack, spec);
    expect(done.errors).toEqual([]);
    return done.stack;
  };
  /** The state after a run that stopped where the service refuses a route. */
  const stopped = async (route: Pick<Route, 'name'>, stack: Stack, spec: StackSpec, options?: RunOptions) => {
    world.nextRun();
    const done = await run({ ...world, api: failing(world.api, route) }, stack, resourcesOf(spec), options);
    expect(done.errors.join()).toContain('not for you');
    return done.stack;
  };
  const destroyed = async (stack: Stack): Promise<void> => expect((await fine(undefined, stack)).size).toBe(0);
  const countIn = async (environment = 'prod', platform?: string): Promise<number> => {
    const all = await instancesIn(world, environment).catch(() => []);
    return all.filter(({ nsPath }) => platform === undefined || nsPath.split('/')[5] === platform).length;
  };
  const platforms = async (): Promise<readonly string[]> =>
    (await world.api.call(routes.platforms.list, { address: DESIGN })).map(({ ciName }) => ciName).sort();
  const variables = async (): Promise<readonly unknown[]> =>
    (await world.api.call(routes.designVariables.list, { address: DESIGN })).map(
      ({ ciAttributes }) => ciAttributes['value'],
    );
  const isCommitted = async (): Promise<void> => expect((await world.admin.release()).releaseState).toBe('closed');

  describe('what leaves', () => {
    test('the state is forgotten', async () => {
      const stack = await fine(SHOP);
      const before = await countIn('prod', 'db');
      const left = { ...WITHOUT_DB, variables: {} };
      const done = await up(without(stack, 'Platform::db', 'Component::db/auditor', 'Variable::variables/LEVEL'), left);
      expect([done.errors, await platforms(), await countIn('prod', 'db')]).toEqual([[], ['db', 'web'], before]);
      expect([await variables(), done.steps.filter((step) => step.startsWith('delete'))]).toEqual([['info'], []]);
      const more = await up(done.stack, { ...left, environments: { prod: EAST, dev: EAST } });
      expect(more.notices.join()).toMatch(
        /brings along: platform db by \w+, design release \d+; variable \$LEVEL by \w+, design release \d+/,
      );
    });

    test('after an import, which shows no options, goes from the machines with the next run', async () => {
      const environments = { prod: EAST, dev: EAST };
      const before = { ...SHOP, platforms: { web: {}, db: { pack: 'mysql' } }, environments };
      // An import stores no dependencies: the engine deletes db before dev, and after its instances.
      const imported: Stack = new Map(
        [...(await fine(before))].sort().map(([key, { outputs, ...kept }]) => {
          const { [KEPT]: option, ...others } = outputs;
          const shown = key.includes('::db') ? { ...others, origin: 'adopted' } : { ...others, [KEPT]: option };
          return [key, { ...kept, outputs: shown }];
        }),
      );
      const done = await up(imported, WITHOUT_DB);
      expect([done.errors, await platforms()]).toEqual([[], ['web']]);
      expect(done.notices.join()).toMatch(/Platform shop\/db left the file, and may be protected[^]*with the next run/);
      const { stack, notices } = await up(done.stack, WITHOUT_DB);
      expect(notices.join()).toMatch(/platform db, deleted by \w+, design release \d+/);
      expect([await wrongIn(world, stack, WITHOUT_DB), await countIn('prod', 'db')]).toEqual([[], 0]);
    });

    test('a protected record stays until state unprotect, and its delete is committed', async () => {
      const stack = await fine({ ...SHOP, variables: { LEVEL: { value: 'info', mark: 'protect' } } });
      const refused = await up(stack, WITHOUT_VARIABLES);
      expect(refused.errors.join()).toContain('it is protected');
      expect(await variables()).toEqual(['info']);
      const unprotected = [...refused.stack].map(([key, kept]) => [key, { ...kept, mark: undefined }] as const);
      await fine(WITHOUT_VARIABLES, new Map(unprotected));
      expect(await variables()).toEqual([]);
      await isCommitted();
    });

    test.each<readonly [string, StackSpec]>([
      ['Variable::variables/LEVEL', { variables: {} }],
      ['Platform::db', { platforms: { web: {} } }],
      ['Deployment::prod', { environments: { prod: { ...EAST, deploy: false } } }],
    ])('a protected %s stays although a run that failed left it under another name, too', async (key, less) => {
      const plain: StackSpec = { ...SHOP, platforms: { web: {}, db: { pack: 'mysql' } } };
      const standing = await fine(plain);
      const before = await countIn();
      const kept = standing.get(key);
      if (kept === undefined) throw new Error(`there is no ${key}`);
      const first = { ...kept, key: `${key}-before` };
      const now = { ...kept, mark: 'protect' as const, outputs: { ...kept.outputs, [KEPT]: 'protect' } };
      const refused = await up(new Map([...standing, [first.key, first], [key, now]]), { ...plain, ...less });
      expect(refused.errors.join()).toContain('it is protected');
      expect(refused.notices.join()).toContain('is kept under another name in the state, so nothing was deleted');
      expect([await variables(), await platforms(), await countIn()]).toEqual([['info'], ['db', 'web'], before]);
      expect([...refused.stack.keys()]).not.toContain(first.key);
    });

    test('is left by a run that is limited to other resources, and deleted with its instances by the next', async () => {
      const stack = await fine(SHOP);
      const before = await countIn('prod', 'db');
      expect(before).toBeGreaterThan(0);
      const edited = { ...WITHOUT_DB, variables: { LEVEL: 'debug' } };
      const all = { targets: resourcesOf(edited).map(({ key }) => key) };
      const { shown: first } = await preview(world, stack, resourcesOf(edited), all);
      expect(first[0]).toMatch(/will commit: ~\$LEVEL; db, db\/auditor left the file; a run with --target/);
      const done = await up(stack, edited, all);
      expect([done.errors, await platforms(), await countIn('prod', 'db')]).toEqual([[], ['db', 'web'], before]);
      expect(done.notices.join()).toContain('db/auditor left the file');
      const targets = [...done.stack.keys()].filter((key) => !key.includes('::db'));
      world.nextRun();
      const shown = await preview(world, done.stack, resourcesOf(edited), { targets });
      const again = await up(done.stack, edited, { targets });
      expect(shown.shown).toEqual([expect.stringMatching(/db\/auditor left the file; a run with --target/)]);
      expect([shown.steps, again.steps, again.errors]).toEqual([['update DesignRelease::shop'], shown.steps, []]);
      const alone = await up(done.stack, edited, { targets: ['Component::db/auditor', 'Platform::db'] });
      const runs = /environment prod \(\d+ instances\) runs it[^]*pulumi up without --target and --exclude/;
      expect([alone.errors.join(), await countIn('prod', 'db')]).toEqual([expect.stringMatching(runs), before]);
      await fine(edited, done.stack);
      expect([await platforms(), await countIn('prod', 'db')]).toEqual([['web'], 0]);
    });

    test.each(['Deployment::prod', 'Environment::prod'])(
      'and is deleted by a run without %s, goes from the machines with the next',
      async (spared) => {
        const stack = await fine(SHOP);
        const targets = [...stack.keys()].filter((key) => key !== spared);
        const done = await up(stack, WITHOUT_DB, { targets });
        expect([done.errors, await platforms()]).toEqual([[], ['web']]);
        const last = await fine(WITHOUT_DB, done.stack);
        expect([await wrongIn(world, last, WITHOUT_DB), await countIn('prod', 'db')]).toEqual([[], 0]);
      },
    );

    test("another user's record under the name of one that left stays", async () => {
      const stack = await fine(SHOP);
      await world.maria.commit(world.maria.delete('$LEVEL'));
      await world.maria.commit(world.maria.create('$LEVEL', { value: 'hers', secure: 'false' }));
      const db = { ...SHOP.platforms?.['db'], description: 'of orders' };
      const done = await up(stack, { ...WITHOUT_VARIABLES, platforms: { ...SHOP.platforms, db } });
      expect([done.errors, await variables()]).toEqual([[], ['hers']]);
      expect(done.shown.join('\n')).not.toMatch(/takes away/);
      const { description: said } = await world.admin.release();
      expect(said ?? '').not.toMatch(/LEVEL/);
      expect(done.notices.join()).toMatch(/LEVEL is another record than this stack's: \d+ instead of \d+/);
      expect(done.stack.has('Variable::variables/LEVEL')).toBe(false);
    });

    test('a stack that had nothing else of the design is deleted by its destroy, and that is committed', async () => {
      const web = (await fine({ platforms: { web: {} } })).get('Platform::web');
      if (web === undefined) throw new Error('no platform');
      const pia = { ...world, api: world.third };
      const guest = await run(pia, emptyStack, resourcesOf({ existing: true }));
      const moved = new Map([
        ...guest.stack,
        ['Platform::web', { ...web, after: [], deletedWith: undefined }] as const,
      ]);
      const done = await run(pia, moved, []);
      expect([done.errors, await platforms()]).toEqual([[], []]);
      await isCommitted();
    });

    test('as an adopted platform is deleted like a created one, without an environment of another stack', async () => {
      await fine(SHOP);
      const removed = await fine(WITHOUT_DB, await fine({ ...SHOP, adopt: true }));
      expect(await platforms()).toEqual(['web']);
      // An environment that leaves at the same time is this stack's, too.
      const less = await fine({ platforms: {}, variables: {} }, removed);
      expect(await platforms()).toEqual([]);
      await destroyed(less);
    });
  });

  test.each(['', 'mine '])('what another stack of the user committed is named; own release: "%s"', async (own) => {
    const shop = (LEVEL: string) =>
      resourcesOf({ ...SHOP, variables: { LEVEL } }).map((each) => {
        const args = own ? { ...each.args, designRelease: own + LEVEL } : each.args;
        return each.token === 'Environment' ? { ...each, args, after: ['DesignRelease::shop'] } : each;
      });
    const { stack } = await run(world, emptyStack, shop('info'));
    await up(emptyStack, { existing: true, variables: { EXTRA: 'x' } });
    const { errors, notices } = await run(world, stack, shop('debug'));
    expect([errors, notices.join()]).toEqual([[], expect.stringMatching(/brings along: variable \$EXTRA by/)]);
  });

  describe('what another stack of the user deleted from the design', () => {
    const shop = (LEVEL: string, deploy = {}): StackSpec => ({
      ...SHOP,
      variables: { LEVEL },
      environments: { prod: deploying(deploy) },
    });
    /** Both stacks, once the environment of the first runs the platform of the second. */
    const both = async (): Promise<{ readonly stack: Stack; readonly second: Stack }> => {
      const first = await fine(shop('info'));
      const second = await fine({ existing: true, platforms: { cache: { components: { auditor } } } });
      const stack = await fine(shop('debug'), first);
      expect(await countIn('prod', 'cache')).toBeGreaterThan(0);
      return { stack, second };
    };

    test.each(['name', 'refuse'])('is named by the run that takes it from machines; others: %s', async (others) => {
      const { stack, second } = await both();
      await fine({ existing: true }, second);
      const done = await up(stack, shop('error', { others }));
      expect([done.errors, await countIn('prod', 'cache')]).toEqual([[], 0]);
      expect(done.notices.filter((each) => each.includes('brings along'))).toEqual([
        expect.stringMatching(/brings along: platform cache, deleted by admin, design release \d+/),
      ]);
      expect((await up(done.stack, shop('warn'))).notices.join()).not.toContain('brings along');
    });

    test('is named by the run of a guest that takes over the release', async () => {
      const owner = await fine(SHOP);
      const guest = await fine(GUEST);
      expect(await countIn('qa', 'db')).toBeGreaterThan(0);
      await fine(WITHOUT_DB, owner);
      const done = await up(guest, GUEST, { refresh: true });
      expect([done.errors, await countIn('qa', 'db')]).toEqual([[], 0]);
      expect(done.notices.filter((each) => each.includes('brings along'))).toEqual([
        expect.stringMatching(/brings along: platform db, deleted by admin, design release \d+$/),
      ]);
    });

    test('and is in a platform that stays is named, without what went with it', async () => {
      const { stack, second } = await both();
      await fine({ existing: true, platforms: { cache: {} } }, second);
      const done = await up(stack, shop('error'));
      expect(done.notices.filter((each) => each.includes('brings along'))).toEqual([
        expect.stringMatching(/brings along: component cache\/auditor, deleted by admin, design release \d+$/),
      ]);
    });

    test('is missed where this stack declares it', async () => {
      const stack = await fine(shop('info'));
      await world.admin.delete('$LEVEL');
      await world.admin.commit();
      const { errors } = await up(stack, { ...shop('info'), variables: { LEVEL: 'info', OTHER: 'x' } });
      expect(errors.join()).toMatch(/admin deleted variable \$LEVEL from the design, release \d+/);
    });

    test('is not what this stack deleted, also by a run that failed before the environment had it', async () => {
      const stack = await fine(shop('info'));
      const less = (LEVEL: string): StackSpec => ({ ...shop(LEVEL), platforms: { web: {} } });
      const failed = await stopped(routes.environments.pull, stack, less('debug'));
      expect([await platforms(), await countIn('prod', 'db')]).toEqual([['web'], expect.any(Number)]);
      const done = await up(failed, less('error'));
      expect([done.errors, done.notices.join()]).toEqual([[], expect.not.stringContaining('brings along')]);
      expect(await countIn('prod', 'db')).toBe(0);
    });
  });

  test.each(['the next run', 'one that failed, too'])(
    'what a failed run added, and %s took out of the file, does not come along',
    async (removed) => {
      const shop = (LEVEL: string, cache: StackSpec['platforms'] = {}): StackSpec => ({
        ...SHOP,
        variables: { LEVEL },
        platforms: { ...SHOP.platforms, ...cache },
        environments: { prod: { ...EAST, deploy: { others: 'refuse' } } },
      });
      const first = await fine(shop('info'));
      const added = await stopped(routes.designVariables.update, first, shop('debug', { cache: {} }));
      expect(await platforms()).toContain('cache');
      const { pull } = routes.environments;
      const stack = removed === 'the next run' ? added : await stopped(pull, added, shop('debug'));
      const done = await up(stack, shop('warn'));
      expect([done.errors, await platforms()]).toEqual([[], ['db', 'web']]);
      expect(done.notices.join()).not.toContain('brings along');
    },
  );

  describe("another user's platforms that nobody declares", () => {
    const EDITED: StackSpec = { ...SHOP, variables: { LEVEL: 'debug' } };
    const add = async (...names: readonly string[]): Promise<void> => {
      for (const name of names) await world.maria.create(name, { source: 'oneops', pack: 'custom', version: '1' });
      await world.maria.commit();
    };
    /** The stack once its environment runs `cache`, and its design has `idle`, too. */
    const withHers = async (deploy = {}): Promise<Stack> => {
      const stack = await fine({ ...SHOP, environments: { prod: deploying(deploy) } });
      await add('cache');
      const accept = `cache: design release ${(await world.maria.release()).releaseId}`;
      const prod = deploying({ ...deploy, accept: [accept] });
      const done = await up(stack, { ...EDITED, environments: { prod } });
      expect(done.errors).toEqual([]);
      expect(await countIn('prod', 'cache')).toBeGreaterThan(0);
      await add('idle');
      world.writes();
      return done.stack;
    };

    const takenDown = (count: number): RegExp =>
      new RegExp(
        `takes down what this stack does not declare: platform cache by maria, design release \\d+ \\(${count} instances?\\)$`,
        'm',
      );

    test('are named by the run that takes down their environment, with their user and instances', async () => {
      const stack = await withHers();
      const count = await countIn('prod', 'cache');
      const done = await up(stack, { ...EDITED, environments: {} });
      expect([done.errors, done.stack.has('Environment::prod')]).toEqual([[], false]);
      expect(done.notices.join('\n')).toMatch(takenDown(count));
    });

    test('are named by the destroy of the stack, also what runs nowhere', async () => {
      const stack = await withHers();
      const count = await countIn('prod', 'cache');
      await world.maria.commit(world.maria.create('$HERS', { value: 'hers' }));
      await world.maria.create('db/hers', { username: 'hers' }, { template_name: 'user' });
      const { errors, notices } = await up(stack, undefined);
      expect(errors).toEqual([]);
      expect(notices.join('\n')).toMatch(
        /goes with assembly shop: variable \$HERS by maria.*; component db\/hers by maria/,
      );
      expect(notices.join('\n')).toMatch(
        /the destroy deletes with assembly shop what this stack does not declare: platform cache by maria, design release \d+; platform idle by maria, design release \d+$/m,
      );
      expect(notices.join('\n')).toMatch(takenDown(count));
    });

    test('are named by a run that gives the assembly another name', async () => {
      const stack = await fine({ ...SHOP, environments: {} });
      await add('cache');
      const { errors, notices } = await up(stack, { ...SHOP, environments: {}, assembly: 'store' });
      const says = expect.stringMatching(/goes with assembly shop: platform cache by maria/);
      expect([errors, notices.join('\n')]).toEqual([[], says]);
    });

    test('are none in an assembly that somebody deleted', async () => {
      const stack = await fine({ ...SHOP, environments: {} });
      await world.other.call(routes.assemblies.delete, { address: DESIGN });
      await destroyed(stack);
    });

    test('are named where this stack had a platform of that name before', async () => {
      const stack = await fine(WITHOUT_DB, await fine(SHOP));
      await add('db');
      const { errors, notices } = await up(stack, undefined);
      expect([...errors, notices.join('\n')]).toEqual([
        expect.stringMatching(/does not declare: platform db by maria/),
      ]);
    });

    test.each([routes.designReleases.list.name, routes.designReleases.read.name])(
      'are named without their release by a destroy to which the service refuses %s',
      async (name) => {
        const stack = await withHers();
        world.nextRun();
        const { errors, notices } = await run({ ...world, api: failing(world.api, { name }) }, stack, []);
        expect([...errors, notices.join('\n')]).toEqual([
          expect.stringMatching(/takes down [^:]*: platform cache by maria, design release unknown \(/),
        ]);
      },
    );

    test('stay with others: refuse, also after a deployment that does not say so', async () => {
      const stack = await fine({ ...SHOP, environments: { prod: deploying({ others: 'refuse' }), qa: EAST } });
      await add('idle');
      const { errors, notices } = await up(stack, undefined);
      expect(errors.join('\n')).toMatch(/Deployment::prod: [^]*platform idle by maria, design release \d+\n/);
      expect(notices.join('\n').match(/the destroy deletes with assembly shop/g)).toHaveLength(1);
    });

    test('stay with others: refuse, and a deployment that is under way goes on', async () => {
      const stack = await fine({ ...SHOP, environments: { prod: deploying({ others: 'refuse' }) } });
      await add('cache');
      await world.maria.pull({ cache: 'single' });
      await world.maria.commitEnvironment();
      await world.maria.begin();
      await world.maria.move('paused');
      world.writes();
      const { errors } = await up(stack, { ...SHOP, environments: {} });
      expect(errors.join('\n')).toMatch(/Deployment::prod: [^]*platform cache by maria, design release \d+\n/);
      expect(world.writes()).toEqual([]);
    });

    test.each([
      [{ others: 'refuse' }, { onDelete: 'retain' }],
      [{ others: 'refuse', onDelete: 'retain' }, {}],
    ])('stay with an assembly that another environment keeps: %j beside %j', async (prod, qa) => {
      const stack = await fine({ ...SHOP, environments: { prod: deploying(prod), qa: deploying(qa) } });
      await add('idle');
      world.nextRun();
      const kept = 'onDelete' in prod ? 'prod' : 'qa';
      const before = await countIn(kept);
      const { errors, notices } = await run(world, stack, []);
      expect([errors, notices.join('\n')]).toEqual([[], expect.not.stringContaining('idle')]);
      expect(await platforms()).toEqual(['db', 'idle', 'web']);
      expect([await countIn(kept), await countIn(kept === 'qa' ? 'prod' : 'qa')]).toEqual([before, 0]);
    });

    test('stay with others: refuse where another environment is kept, while they run', async () => {
      const environments = (others: string) => ({ prod: deploying({ others }), qa: deploying({ onDelete: 'retain' }) });
      const keeping: StackSpec = { ...EDITED, environments: environments('refuse') };
      const named: StackSpec = { ...EDITED, environments: environments('name') };
      const first = await fine({ ...named, ...SHOP, environments: named.environments ?? {} });
      await add('cache');
      const stack = await fine(keeping, await fine(named, first));
      const count = await countIn('prod', 'cache');
      expect(count).toBeGreaterThan(0);
      const { errors } = await up(stack, undefined);
      expect(errors.join('\n')).toMatch(/what this stack does not declare would be taken down with acme\/shop\/prod/);
      expect(await countIn('prod', 'cache')).toBe(count);
    });

    test('stay with others: refuse, until they are accepted', async () => {
      const stack = await withHers({ others: 'refuse' });
      const count = await countIn('prod', 'cache');
      const { errors } = await up(stack, undefined);
      expect(errors.join('\n')).toMatch(
        /Deployment::prod: [^]*platform idle by maria, design release \d+\n[^]*accept: \["idle: design release \d+"\] \}, and run pulumi up before/,
      );
      expect(errors.join('\n')).not.toMatch(/cache/);
      const api = answering(world.api, routes.designReleases.list, () => []);
      const unknown = (await run({ ...world, api }, stack, [])).errors.join();
      expect(unknown).toMatch(/unknown\n *declare it in the file, or have it deleted in the service, and run pulumi/);
      expect([world.writes(), await countIn('prod', 'cache')]).toEqual([[], count]);
    });
  });

  describe('while an environment of another stack runs it', () => {
    const RUNS_WEB = /platform acme\/shop\/web: environment prod \(\d+ instances\) runs it/;

    test('an adopted platform that leaves the file stays', async () => {
      await fine(SHOP);
      const before = await countIn();
      const guest = await fine(ADOPTING);
      world.writes();
      const refused = await up(guest, GUEST);
      expect(refused.errors).toEqual([expect.stringMatching(RUNS_WEB)]);
      expect([await platforms(), await countIn(), world.writes()]).toEqual([['db', 'web'], before, []]);
    });

    test('an adopted platform stays with an own environment that targets leave out', async () => {
      await fine(SHOP);
      const adopted = await fine({ ...SHOP, adopt: true });
      const targets = ['DesignRelease::shop', 'Component::db/auditor', 'Platform::db'];
      const { errors } = await up(adopted, { ...WITHOUT_DB, adopt: true }, { targets });
      expect(errors.join()).toMatch(/acme\/shop\/db: environment prod \(\d+ instances\) runs it/);
    });

    test('a destroy leaves it, adopted or created', async () => {
      await fine(SHOP);
      const guest = await fine({ ...ADOPTING, platforms: { ...ADOPTING.platforms, cache: {} } });
      // The owner's environment runs the guest's platform, too.
      await fine({ ...SHOP, variables: { LEVEL: 'debug' } }, await fine({ ...SHOP, adopt: true }));
      const before = await countIn();
      expect((await up(guest, undefined)).errors.join()).toMatch(RUNS_WEB);
      expect([await platforms(), await countIn(), await countIn('qa')]).toEqual([['cache', 'db', 'web'], before, 0]);
    });

    test('what this stack created is deleted with its file, and the row names the environment', async () => {
      const owner = await fine(SHOP);
      await fine(GUEST);
      const running = await countIn('qa');
      const removed = await up(owner, WITHOUT_DB);
      expect([removed.errors, await platforms(), await countIn('qa')]).toEqual([[], ['web'], running]);
      expect(removed.notices.join('\n')).toMatch(/db [^]*environment qa \(\d+ instances\)/);
    });

    test('of a deleted variable, the row names only environments that pulled it', async () => {
      const owner = await fine(SHOP);
      await fine(GUEST);
      let { stack } = await up(owner, { ...SHOP, variables: { LEVEL: 'info', LATER: 'info' } });
      for (const [spec, named] of [
        [SHOP, []],
        [WITHOUT_VARIABLES, [expect.stringMatching(/LEVEL is deleted from the design, and environment qa \(/)]],
      ] as const) {
        const done = await up(stack, spec);
        expect([done.errors, done.notices.filter((each) => each.includes('still runs it'))]).toEqual([[], named]);
        ({ stack } = done);
      }
    });

    describe('a platform that moved to the stack of a guest', () => {
      const db = { pack: 'mysql', components: { compute: { attributes: { size: 'M' } } } };
      const guest = { existing: true, platforms: { db }, environments: { qa: EAST } };
      const move = async (): Promise<Stack> => {
        const owner = await fine({ ...SHOP, platforms: { web: {}, db } });
        return new Map([...owner].filter(([key]) => key.includes('::db')));
      };
      const upGuest = (stack: Stack): Promise<Run> => upByPia(stack, guest);

      test('comes to its new environment as another user changed it, and that is named', async () => {
        const moved = await move();
        await world.maria.commit(world.maria.set('db/compute', { size: 'XL' }));
        const { errors, notices } = await upGuest(moved);
        expect([...errors, notices.join()]).toEqual([
          expect.stringMatching(/brings along: component db\/compute \(size\) by maria/),
        ]);
        expect(notices.join()).not.toMatch(/\$LEVEL|platform web/);
      });

      test('and that another user deleted is missed by its new environment', async () => {
        const moved = await move();
        await world.maria.commit(world.maria.delete('db'));
        const { errors } = await upGuest(moved);
        expect(errors.join()).toMatch(/Environment::qa: [^]*maria deleted platform db from the design/);
        expect(await countIn('qa')).toBe(0);
      });
    });

    test.each<[EnvironmentSpec, string]>([
      [{ overrides: { db: { components: { compute: { attributes: { size: 'L' } } } } } }, '\\d+ instances of db'],
      [{ switches: { db: { enabled: false } } }, 'db would not be as declared'],
    ])('a platform that its owner deletes stops a guest that gives it values: %#', async (values, words) => {
      const owner = await fine({ ...SHOP, platforms: { ...SHOP.platforms, web: { pack: 'tomcat' } } });
      const guest = (own = {}): StackSpec => ({ existing: true, environments: { qa: { ...EAST, ...own } } });
      const first = await fine(guest(values));
      const before = await countIn('qa');
      await fine({ ...SHOP, platforms: { web: { pack: 'tomcat' } } }, owner);
      const { stack, errors } = await upByPia(first, guest(values), { refresh: true });
      const says = new RegExp(`Deployment::qa: [^]*${words}[^]*admin deleted platform db [^]*stack that owns it`);
      expect([errors.join(), await countIn('qa')]).toEqual([expect.stringMatching(says), before]);
      const removed = await upByPia(stack, guest(), { refresh: true });
      expect([removed.errors, await countIn('qa', 'db')]).toEqual([[], 0]);
    });

    test('a destroy of the owner stops before it takes anything down, and continues once the guest is gone', async () => {
      const owner = await fine({ ...SHOP, environments: { prod: EAST, live: EAST } }, await fine(SHOP));
      const guest = await fine(GUEST);
      const before = [await countIn(), await countIn('live')];
      world.writes();
      const refused = await up(owner, undefined);
      expect(refused.errors.map((error) => error.split(':')[0])).toEqual(['Deployment', 'Deployment']);
      expect(refused.errors.join()).toMatch(
        /environment qa \(\d+ instances\), which this stack does not take down[^]*if another stack has it, destroy that stack first; if this stack forgot it/,
      );
      expect([await countIn(), await countIn('live'), world.writes()]).toEqual([...before, []]);
      await fine(undefined, guest);
      await destroyed(refused.stack);
    });

    test('a destroy keeps the design in the state while an environment of an older state was made again', async () => {
      const old = await fine({ ...SHOP, environments: { prod: EAST } });
      const left = await fine({ ...SHOP, environments: {} }, old);
      await fine({ ...SHOP, environments: { prod: EAST } }, left);
      const running = await countIn();
      const refused = await up(old, undefined);
      expect(refused.errors.join()).toMatch(
        /^Deployment::prod: [^]*acme\/shop\/prod is another environment than the one this stack deployed: \d+ instead of \d+[^]*pulumi up --refresh/,
      );
      expect([refused.errors.length, await countIn(), [...refused.stack.keys()]]).toEqual([
        1,
        running,
        [...old.keys()],
      ]);
      await destroyed((await up(old, { ...SHOP, environments: { prod: EAST } }, { refresh: true })).stack);
    });
  });

  const BARE: EnvironmentSpec = { ...EAST, deploy: false };
  const deleteEnvironment = (): Promise<unknown> =>
    world.other.call(routes.environments.delete, { address: { ...DESIGN, environment: 'prod' } });
  /** Maria deletes the assembly, or the environment alone, and creates one under its name. */
  const makeAgain = {
    assembly: async (): Promise<void> => {
      await orNone(deleteEnvironment());
      await world.other.call(routes.assemblies.delete, { address: DESIGN });
      const body = { cms_ci: { ciName: 'shop', ciAttributes: { owner: 'maria@acme.io' } } };
      await world.other.call(routes.assemblies.create, { body });
    },
    environment: async (): Promise<void> => {
      await world.maria.switch('disable', 'web', 'db');
      await world.maria.rollOut();
      await deleteEnvironment();
      const [cloud] = await world.other.call(routes.clouds.list, {});
      await world.other.call(routes.environments.create, {
        address: { ...DESIGN, environment: 'prod' },
        body: {
          clouds: { [String(cloud?.ciId)]: '1' },
          platform_availability: { none: 'default' },
          cms_ci: { ciName: 'prod', ciAttributes: {} },
        },
      });
    },
  };
  const ANOTHER =
    /is another record than this stack's: \d+ instead of \d+, last written by maria; nothing is written in it\n.*pulumi up --refresh/;

  test.each<[keyof typeof makeAgain, StackSpec]>([
    ['assembly', { variables: { LEVEL: 'debug' } }],
    ['assembly', { variables: { LEVEL: 'info', NEW: 'x' } }],
    ['environment', { variables: { LEVEL: 'debug' } }],
    ['environment', { environments: { prod: { ...EAST, variables: { LEVEL: 'a' }, description: 'live' } } }],
    ['environment', { environments: { prod: EAST } }],
  ])('a preview and its run refuse an %s that somebody deleted and made again: %j', async (place, edit) => {
    const prod = place === 'assembly' ? BARE : { ...EAST, variables: { LEVEL: 'a' } };
    const spec = { ...SHOP, environments: { prod } };
    const stack = await fine(spec);
    await makeAgain[place]();
    world.nextRun();
    const { errors } = await preview(world, stack, resourcesOf({ ...spec, ...edit }));
    const row = { assembly: 'DesignRelease::shop: Assembly', environment: 'Deployment::prod: Environment' }[place];
    expect(errors).toEqual([expect.stringMatching(new RegExp(`^${row} acme/shop\\S* ${ANOTHER.source}`))]);
    world.writes();
    const refused = await up(stack, { ...spec, ...edit });
    expect(refused.errors).toEqual([expect.stringContaining("is another record than this stack's")]);
    if (place === 'environment') return;
    expect(world.writes()).toEqual([]);
    await destroyed(refused.stack);
  });

  const LAID = (value: string, prod = BARE): StackSpec => ({
    ...SHOP,
    variables: { LEVEL: 'info' },
    environments: { prod: { ...prod, variables: value === '' ? {} : { LEVEL: value } } },
  });
  /** A program that commits nothing itself. */
  const withoutRelease = (spec: StackSpec): readonly Declared[] =>
    resourcesOf(spec).filter(({ token }) => token !== 'DesignRelease');
  const NAMED: StackSpec = { platforms: {}, variables: {}, environments: {} };

  test.each<[keyof typeof makeAgain, string, readonly Declared[], readonly Declared[]]>([
    ['environment', 'without a deployment', resourcesOf(LAID('')), resourcesOf(LAID('b'))],
    ['environment', 'with a deployment', resourcesOf(LAID('a', EAST)), resourcesOf(LAID('b', EAST))],
    ['assembly', 'with others', resourcesOf(LAID('')), resourcesOf(LAID('', { ...BARE, description: 'live' }))],
    ['environment', 'without a deployment', resourcesOf(LAID('a')), resourcesOf(LAID('b'))],
    ['environment', 'without a deployment', resourcesOf(LAID('a')), resourcesOf(LAID(''))],
    ['environment', 'with a deployment', resourcesOf(LAID('a', EAST)), resourcesOf(LAID('', EAST))],
    ['assembly', 'without a release', withoutRelease(NAMED), withoutRelease({ ...NAMED, variables: { NEW: 'x' } })],
    ['assembly', 'with a release', resourcesOf(NAMED), resourcesOf({ ...NAMED, variables: { NEW: 'x' } })],
  ])('an %s %s, deleted and made again by somebody: a run writes nothing in it', async (place, _, before, after) => {
    const done = await run(world, emptyStack, before);
    expect(done.errors).toEqual([]);
    await makeAgain[place]();
    if (place === 'environment') {
      await world.maria.set('prod:$LEVEL', { value: 'a' }).catch(() => undefined);
      await world.maria.commitEnvironment().catch(() => undefined);
    }
    world.nextRun();
    world.writes();
    const refused = await run(world, done.stack, after);
    expect(refused.errors.join()).toMatch(/another record than this stack's/);
    expect(world.writes()).toEqual([]);
  });

  test('a destroy takes no value out of an environment that somebody deleted and made again', async () => {
    const stack = await fine(LAID('a'));
    await makeAgain.environment();
    await world.maria.set('prod:$LEVEL', { value: 'a' });
    await world.maria.commitEnvironment();
    world.writes();
    const done = await up(stack, undefined);
    expect(world.writes()).toEqual([]);
    expect(done.notices.join()).toMatch(/Environment \S+\/prod is another record than this [^]*: nothing was deleted/);
  });

  describe('an environment that the engine leaves', () => {
    const RETAINED: EnvironmentSpec = { ...EAST, mark: 'retain', deploy: { onDelete: 'retain' } };
    const NONE: StackSpec = { ...SHOP, environments: {} };

    test('and that left the file stops a destroy before the design leaves the state, until it is declared', async () => {
      const stack = await fine(NONE, await fine({ ...SHOP, environments: { prod: RETAINED } }));
      world.writes();
      const refused = await up(stack, undefined);
      expect(refused.errors).toEqual([
        expect.stringMatching(
          /^DesignRelease::shop: cannot delete design release acme\/shop: its assembly still has the environment prod \(\d+ instances\)/,
        ),
      ]);
      expect([[...refused.stack.keys()], world.writes()]).toEqual([[...stack.keys()], []]);
      await destroyed(await fine({ ...NONE, environments: { prod: { ...EAST, adopt: true } } }, refused.stack));
    });

    test('and that left the file stops a destroy before it takes others down', async () => {
      const both = await fine({ ...SHOP, environments: { prod: RETAINED, qa: EAST } });
      const stack = await fine({ ...SHOP, environments: { qa: EAST } }, both);
      const before = [await countIn(), await countIn('qa')];
      const { errors } = await up(stack, undefined);
      expect(errors[0]).toMatch(/^Deployment::qa: [^]*environment prod [^]*nothing was taken down/);
      expect([await countIn(), await countIn('qa')]).toEqual(before);
    });

    test('stops a destroy before the design leaves the state while the file leaves it, and goes once it does not', async () => {
      const stack = await fine({ ...SHOP, environments: { prod: { ...EAST, mark: 'retain' }, qa: EAST } });
      const { errors, stack: left } = await up(stack, undefined);
      expect(errors[0]).toMatch(/^DesignRelease::shop: [^]*its assembly still has the environment prod/);
      expect([...left.keys()]).toEqual(expect.arrayContaining(['Platform::web', 'Assembly::shop']));
      await destroyed(await fine({ ...SHOP, environments: { prod: EAST, qa: EAST } }, left));
    });
  });

  const LEFT: StackSpec = { ...SHOP, platforms: { web: { mark: 'retain' } } };
  test('a platform that the engine leaves stops a destroy before it takes anything down', async () => {
    const bare = await fine({ ...LEFT, environments: {} });
    const early = await up(bare, undefined);
    const alone = await run(world, bare, withoutRelease({ ...LEFT, environments: {} }));
    const stack = await fine(LEFT, alone.stack);
    world.writes();
    const late = await up(stack, undefined);
    expect([...early.errors, ...alone.errors, ...late.errors]).toEqual([
      expect.stringMatching(/^DesignRelease::shop: [^]*: web would be deleted with assembly shop/),
      expect.stringMatching(/^Deployment::prod: [^]*: web would be deleted with assembly shop/),
    ]);
    expect([world.writes(), (await countIn()) > 0]).toEqual([[], true]);
    await destroyed(await fine(SHOP, late.stack));
  });

  test.each<readonly [string, Partial<StackSpec>, boolean]>([
    ['renamed', { assembly: 'store', logical: 'shop' }, false],
    ['under another name', { assembly: 'store' }, false],
    ['replaced under its own name', {}, true],
  ])('a platform that the engine leaves stops an assembly that is %s', async (_, name, isReplaced) => {
    const news = withArgs(resourcesOf({ ...LEFT, ...name }), ['Assembly'], { description: 'new' });
    const declared = news.map((each) => ({ ...each, isReplaced: isReplaced && each.token === 'Assembly' }));
    const stack = await fine(LEFT);
    world.writes();
    const says = / web would be deleted with assembly shop, although declared with retainOnDelete/;
    for (const begin of [preview, run]) expect((await begin(world, stack, declared)).errors.join()).toMatch(says);
    const written = world.writes().filter((each) => /environments|deployments|assemblies\.delete/.test(each));
    expect([written, (await countIn()) > 0]).toEqual([[], true]);
  });

  test.each([preview, run])("another stack's environment stops an assembly that is renamed: %p", async (begin) => {
    const stack = await fine(SHOP);
    await fine({ existing: true, environments: { qa: EAST } });
    world.writes();
    const { errors } = await begin(world, stack, resourcesOf({ ...SHOP, assembly: 'store', logical: 'shop' }));
    expect([errors.join(), world.writes()]).toEqual([expect.stringMatching(/shop also has environment qa/), []]);
  });

  test('a platform that the engine leaves stops no environment whose assembly another process declares', async () => {
    const isApart = ({ token }: { readonly token: string }): boolean => /^(Environment|Deployment)$/.test(token);
    const both = await fine({ ...LEFT, environments: { prod: EAST, qa: EAST } });
    const apart = new Map([...both].filter(([, kept]) => isApart(kept)));
    const named = withArgs(resourcesOf(LEFT), ['Environment', 'Deployment'], { assembly: 'shop' });
    const prod = withArgs(named, ['Environment'], { designRelease: 'first' }).filter(isApart);
    const { errors } = await run(world, apart, prod);
    expect([errors, await countIn('qa')]).toEqual([[], 0]);
  });

  test('a platform that the engine leaves stays with its assembly, which a retained environment keeps', async () => {
    const kept: StackSpec = { ...LEFT, environments: { prod: { ...EAST, deploy: { onDelete: 'retain' } } } };
    const { errors } = await up(await fine(kept), { ...kept, assembly: 'store', logical: 'shop' });
    expect([errors, (await countIn()) > 0]).toEqual([[], true]);
  });

  test("a guest lays its values over the owner's platforms, and its destroy leaves the owner's", async () => {
    await fine({ ...SHOP, platforms: { web: { pack: 'tomcat', variables: { SIZE: 'small' } } } });
    const before = await countIn();
    const laid: EnvironmentSpec = {
      ...EAST,
      overrides: {
        web: { variables: { SIZE: 'large' }, components: { tomcat: { attributes: { max_threads: '200' } } } },
      },
    };
    const guest = (web: object): StackSpec => ({
      existing: true,
      environments: { qa: { ...laid, switches: { web } } },
    });
    const stack = await fine(guest({ autorepair: false }));
    const [tomcat, web] = [await world.admin.read('qa:web/tomcat'), await world.admin.read('qa:web')];
    expect([tomcat.ciAttributes['max_threads'], web.ciAttributes['autorepair']]).toEqual(['200', 'false']);
    const down = await fine(guest({ enabled: false }), stack);
    expect(await countIn('qa')).toBe(0);
    await destroyed(down);
    expect([await platforms(), await countIn()]).toEqual([['web'], before]);
  });

  test.each<readonly [string, string, RunOptions]>([
    ['a pull', 'second', {}],
    ['a refresh', 'first', { refresh: true }],
  ])('a platform that its owner deletes stops %s of a guest that refers to it', async (_, word, options) => {
    const owner = await fine(SHOP);
    const pinned = (designRelease: string) =>
      withArgs(resourcesOf({ ...GUEST, platforms: { db: { existing: true } } }), ['Environment'], { designRelease });
    const guest = await run(world, emptyStack, pinned('first'));
    const before = await countIn('qa');
    await fine(WITHOUT_DB, owner);
    world.nextRun();
    const { errors } = await run(world, guest.stack, pinned(word), options);
    expect(errors.join()).toMatch(
      /deleted platform db from the design, release \d+, \d{4}-[^]*remove (it|db) from the file/,
    );
    expect([errors.length, await countIn('qa')]).toEqual([1, before]);
  });

  test('a second environment changes no row of the first', async () => {
    const more = await up(await fine(SHOP), { ...SHOP, environments: { prod: EAST, live: EAST } });
    expect([more.errors, more.steps]).toEqual([[], ['create Environment::live', 'create Deployment::live']]);
  });

  // One message for the topmost record, with what is in it and runs there, before any write.
  describe('the preview of what exists already', () => {
    const previewed = (stack: Stack, spec: StackSpec) => preview(world, stack, resourcesOf(spec));

    /** A stack that is deployed; the next run begins. */
    const standing = async (spec = SHOP): Promise<Stack> => {
      const stack = await fine(spec);
      world.nextRun();
      world.requests();
      return stack;
    };

    test('a stack that shares nothing asks for one list, and finds nothing', async () => {
      await world.api.dialect();
      world.requests();
      expect((await previewed(emptyStack, SHOP)).errors).toEqual([]);
      expect(world.requests().length).toBeLessThanOrEqual(3);
    });

    test('a value that is not known yet is compared with nothing', async () => {
      const unknown = withArgs(resourcesOf(SHOP), ['Platform'], { links: UNKNOWN });
      expect((await preview(world, emptyStack, unknown)).errors).toEqual([]);
    });

    test('a second stack is refused in the preview and in the run, in one message, and nothing is written', async () => {
      await standing();
      const running = await countIn();
      world.requests();
      const shown = await previewed(emptyStack, SHOP);
      expect(world.requests().length).toBeLessThanOrEqual(12);
      const done = await up(emptyStack, SHOP);
      for (const errors of [shown.errors, done.errors]) {
        expect(errors).toEqual([
          expect.stringMatching(/^Assembly::shop: [^]*since \d{4}-\d\d-\d\dT[^ ]*Z, created by admin/),
        ]);
        for (const words of [
          'platforms db, web',
          `environment prod (${running} instances)`,
          'adopt: true',
          'pulumi-oneops import-file Assembly:acme/shop',
        ])
          expect(errors[0]).toContain(words);
      }
      expect([world.writes(), await countIn()]).toEqual([[], running]);
    });

    test('adopt: true on the assembly holds for everything below it', async () => {
      await standing();
      const adopting = { ...SHOP, adopt: true };
      expect((await previewed(emptyStack, adopting)).errors).toEqual([]);
      const done = await up(emptyStack, adopting);
      expect([done.errors, done.notices.join()]).toEqual([[], expect.stringContaining('adopt: true can be taken out')]);
      world.nextRun();
      // The argument alone leaves the state: nothing is sent for it.
      expect(await previewed(done.stack, SHOP)).toMatchObject({ steps: ['update Assembly::shop'], errors: [] });
    });

    test('a preview says of what another stack owns that it is only read', async () => {
      await standing(SHOP);
      const { errors, notices } = await preview(world, emptyStack, resourcesOf(GUEST));
      expect([errors, notices]).toEqual([[], ['Assembly shop: belongs to another stack: it is read, and not created']]);
    });

    const ALONE: StackSpec = { existing: true };
    const VARIABLE: StackSpec = { existing: true, variables: { SIZE: 'S' } };
    const REFERRING: StackSpec = { existing: true, platforms: { db: { existing: true } } };
    const inDb = (own: object): StackSpec => ({ ...REFERRING, platforms: { db: { existing: true, ...own } } });
    const asWeb = (name: string) => ({ existing: true, platforms: { [name]: { existing: true, logical: 'web' } } });
    const AUDITED = inDb({ components: { auditor } });
    const lost = 'platform "db" could not be located';
    const gone = 'no such platform: admin deleted platform db from the';
    test.each<readonly [string, StackSpec | undefined, StackSpec | undefined, StackSpec, string]>([
      ['a component whose platform', REFERRING, WITHOUT_DB, AUDITED, `Component::db/auditor: .*${lost}`],
      ['a variable whose platform', REFERRING, WITHOUT_DB, inDb(VARIABLE), `Variable::platforms/db.*${lost}`],
      ['a variable whose assembly', ALONE, undefined, VARIABLE, 'Variable::.*assembly "shop" could not be'],
      ['a reference whose platform', ALONE, WITHOUT_DB, REFERRING, `Platform::db: .*${gone}`],
      ['a renamed reference whose platform', asWeb('web'), WITHOUT_DB, asWeb('db'), `Platform::web: .*${gone}`],
      ['a reference whose assembly', undefined, undefined, ALONE, 'Assembly::shop: .*there is no such assembly'],
    ])("refuses %s is another stack's and gone, as the run does", async (_, before, less, spec, words) => {
      const owner = await standing();
      const guest = before === undefined ? emptyStack : await fine(before);
      await fine(less, owner);
      world.nextRun();
      world.writes();
      const named = expect.stringMatching(new RegExp(`^${words}`, 's'));
      expect((await previewed(guest, spec)).errors).toContainEqual(named);
      expect((await up(guest, spec)).errors).toContainEqual(named);
      expect(world.writes()).toEqual([]);
    });

    test('a new record in a platform of this stack that is gone is not refused: the run makes both', async () => {
      const web = { pack: 'tomcat' };
      const owner = await fine({ platforms: { web, db: { pack: 'mysql' } } });
      await fine({ platforms: { web } }, owner);
      world.nextRun();
      const spec = { platforms: { web, db: { pack: 'mysql', description: 'again', components: { auditor } } } };
      expect((await previewed(owner, spec)).errors).toEqual([]);
      expect((await up(owner, spec)).errors).toEqual([]);
    });

    test('a reference to what the same program makes is not looked for', async () => {
      const shop = resourcesOf(SHOP);
      const reference: Declared = {
        key: 'Assembly::again',
        token: 'Assembly',
        args: { name: 'shop', existing: true },
        after: ['Assembly::shop'],
      };
      expect((await preview(world, emptyStack, [...shop, reference])).errors).toEqual([]);
    });

    test('what another user made or locked is named where it is taken over, in the preview and once in the run', async () => {
      const laid: EnvironmentSpec = {
        ...EAST,
        overrides: { db: { components: { compute: { attributes: { size: 'L' } } } } },
      };
      await standing({ ...SHOP, platforms: { ...SHOP.platforms, db: { pack: 'mysql' } } });
      await world.maria.create('db/auditor', { username: 'auditor' }, { template_name: 'user' });
      await world.maria.commit(world.maria.set('web/compute', { size: 'M' }, { owner: { size: 'design' } }));
      await world.maria.set('prod:web/compute', { size: 'XL' }, { owner: { size: 'manifest' } });
      await world.maria.set('prod:db/compute', { size: 'L' }, { owner: { size: 'manifest' } });
      await world.maria.rollOut();
      const compute = { attributes: { size: 'M' } };
      const spec: StackSpec = {
        ...SHOP,
        adopt: true,
        platforms: { ...SHOP.platforms, web: { components: { compute } } },
        environments: { prod: laid },
      };
      world.nextRun();
      const shown = await preview(world, emptyStack, resourcesOf(spec));
      const { errors, notices, stack } = await up(emptyStack, spec);
      expect([shown.errors, errors]).toEqual([[], []]);
      for (const rows of [shown.notices, notices])
        for (const words of [
          /^Assembly shop: is already there, made by admin: this run takes it over$/,
          /^Component auditor: is already there, made by maria: this run takes it over$/,
          /^Component compute: is already there, last written by maria, size locked: this run takes it over$/,
          /^EnvironmentComponent\S*: is already there, last written by maria, size locked: this run takes it over$/,
        ])
          expect(rows.filter((each) => words.test(each))).toHaveLength(1);
      expect(notices.join('\n')).toMatch(
        /brings along: component web\/compute \(size\) by maria, release \d+, .*in place of what this file declares/,
      );
      const back = await up(stack, spec, { refresh: true });
      expect(back.errors).toEqual([]);
      expect(back.notices.join('\n')).toMatch(
        /set back as the file declares: component web\/compute \(size\) by maria/,
      );
      expect((await world.admin.read('prod:web/compute')).ciAttributes['size']).toBe('M');
    });

    describe('what others did in an environment that is taken over', () => {
      const size = async (value: string): Promise<void> => {
        await world.maria.set('prod:db/compute', { size: value }, { owner: { size: 'manifest' } });
        await world.maria.commitEnvironment();
      };
      const taking = async (stack = emptyStack, api = world.api, spec: StackSpec = SHOP): Promise<Run> => {
        world.nextRun();
        return run({ ...world, api }, stack, resourcesOf({ ...spec, adopt: true }));
      };
      const namedBy = ({ errors, notices }: Run): unknown => [
        errors,
        notices.filter((notice) => notice.includes('brings along')),
      ];
      const along =
        /^Deployment: brings along: component db\/compute \(size\) by maria, release \d+( \(1 instance\))?$/;
      const ONCE = [[], [expect.stringMatching(along)]];

      beforeEach(async () => {
        await standing();
        await size('L');
      });

      test('is named where nobody deployed it', async () => {
        await world.maria.deploy();
        await size('XL');
        expect(namedBy(await taking())).toEqual(ONCE);
      });

      test('is named where its deployment was canceled, and what ran before is not', async () => {
        await world.maria.deploy();
        await size('XL');
        await world.maria.begin();
        for (const deploymentState of ['paused', 'canceled']) {
          await world.maria.move(deploymentState);
          world.clock.advance(60_000);
        }
        expect(namedBy(await taking())).toEqual(ONCE);
      });

      test('is named by the run after one that failed', async () => {
        await world.maria.deploy();
        await size('XL');
        const failed = await taking(emptyStack, failing(world.api, routes.environments.commit));
        expect(failed.errors.join()).toContain('not for you');
        expect(namedBy(await taking(failed.stack))).toEqual(ONCE);
      });

      test('is named as a change of the design where they pulled it', async () => {
        await world.maria.deploy();
        for (const value of ['M', 'XXL']) {
          await world.maria.set('web/compute', { size: value });
          await world.maria.commit().catch(() => undefined);
          await world.maria.pull();
          await world.maria.commitEnvironment();
          if (value === 'M') await world.maria.deploy();
        }
        const named = expect.stringMatching(
          /: brings along: component web\/compute \(size\) by maria, design release \d+$/,
        );
        expect(namedBy(await taking())).toEqual([[], [named]]);
      });

      test('is refused before the deployment where it is off, and enabled again by a refresh without one in the state', async () => {
        await world.maria.switch('disable', 'web');
        await world.maria.rollOut();
        const newest = async () => (await world.api.call(routes.deployments.latest, { address: PROD })).deploymentId;
        const before = await newest();
        expect(await countIn('prod', 'web')).toBe(0);
        const { errors, stack } = await taking();
        expect(errors.join()).toMatch(
          /maria disabled platform web, release \d+, [^]*pulumi up --refresh enables it again/,
        );
        expect([stack.has('Deployment::prod'), await newest()]).toEqual([false, before]);
        const again = await up(stack, { ...SHOP, adopt: true }, { refresh: true });
        expect(again.errors).toEqual([]);
        expect(again.notices.join()).toMatch(/set back as the file declares: maria disabled platform web, release \d+/);
        expect(await countIn('prod', 'web')).toBeGreaterThan(0);
      });

      test('is not named where the run waited for its deployment', async () => {
        await world.maria.begin();
        const waiting: StackSpec = { ...SHOP, environments: { prod: deploying({ whenBusy: 'wait' }) } };
        expect(namedBy(await taking(emptyStack, world.api, waiting))).toEqual([[], []]);
      });
    });

    test('an environment of the owner is refused in a guest, with what runs there', async () => {
      await standing();
      const guest: StackSpec = { existing: true, environments: { ...SHOP.environments, test: {} } };
      expect((await previewed(emptyStack, guest)).errors).toEqual([
        expect.stringMatching(new RegExp(`^Environment::prod: [^]*${await countIn()} instances`)),
      ]);
    });

    test('new records of another user below a known parent have a message each, from one list for each parent', async () => {
      const stack = await standing({ ...WITHOUT_DB, variables: {} });
      await world.maria.create('$LEVEL', { value: 'info', secure: 'false' });
      await world.maria.commit(
        world.maria.create('db', { source: 'oneops', pack: 'mysql', version: '1', major_version: '1' }),
      );
      world.requests();
      const { errors } = await previewed(stack, { ...SHOP, variables: { LEVEL: 'info', OTHER: 'x', MORE: 'y' } });
      // A record in one that is refused has no message.
      expect(errors.map((error) => error.split(':')[0]).sort()).toEqual(['Platform', 'Variable']);
      expect(errors.join()).toMatch(/created by maria/);
      expect(world.requests().filter((each) => each === 'GET designVariables.list')).toHaveLength(1);
    });

    const small = (more: PlatformSpec, size = 'S'): StackSpec =>
      withWeb({ components: { compute: { attributes: { size } } }, ...more }, SHOP);
    const replaceable = (spec: StackSpec): readonly Declared[] =>
      withArgs(resourcesOf(spec), ['Component', 'Variable'], { [OPTIONS]: { deleteBeforeReplace: true } });
    test.each<readonly [readonly string[] | undefined, readonly string[]]>([
      [['Component::db/auditor'], ['db/auditor: .*may be of another stack']],
      [undefined, ['web/compute: .*size: there "XL", declared "S"', '/HEAP: .*value: there "1g"']],
    ])('what may be of others, of targets %j, is refused as the run refuses it', async (targets, words) => {
      const stack = without(await standing(small({ pack: 'play', components: {} })), ...(targets ?? []));
      await world.maria.set('web/compute', { size: 'XL' });
      await world.maria.commit(world.maria.set('web/$HEAP', { value: '1g' }));
      const declared = replaceable(small({ pack: 'play', variables: { HEAP: '2g' } }));
      for (const job of [preview, run]) {
        world.nextRun();
        const { errors } = await job(world, stack, declared, targets && { targets });
        expect([...errors].sort()).toEqual(words.map((each): unknown => expect.stringMatching(new RegExp(each, 's'))));
      }
    });

    test('what the engine deletes before it makes it again is not taken over', async () => {
      const replaces = ['Variable::variables/LEVEL'];
      const { notices, shown } = await preview(world, await standing(), replaceable(SHOP), { replaces });
      expect([notices, shown[0]]).toEqual([[], expect.stringContaining('will commit: +$LEVEL')]);
    });

    test.each([false, true])('what is not known yet is a value to write: adopt: %s', async (adopt) => {
      const stack = without(await standing(adopt ? small({ adopt }) : SHOP), 'Component::web/compute');
      const { errors, shown } = await preview(world, stack, resourcesOf(small({ adopt }, UNKNOWN)));
      expect(errors).toEqual([]);
      expect(shown.join()).toMatch(/commit: \+web\/compute,.*pull the design,.*deploy: ~prod in platform web/);
    });

    /** Takes over what is there, in a preview and in the run after it. */
    const takesOver = async (stack: Stack, spec: StackSpec): Promise<void> => {
      world.nextRun();
      const shown = await preview(world, stack, resourcesOf(spec));
      const done = await up(stack, spec);
      const rowsOf = ({ errors, notices }: Pick<Run, 'errors' | 'notices'>) =>
        [...errors, ...notices].filter((each) => !each.includes('committed along')).sort();
      expect(rowsOf(shown)).toEqual(rowsOf(done));
      // Whether the stamps of a release differ is known once all records are taken over.
      const steps = (all: Pick<Run, 'steps'>) => all.steps.filter((step) => !step.startsWith('update Des')).sort();
      expect([done.errors, steps(shown)]).toEqual([[], steps(done)]);
    };

    test('what this user alone wrote below a known parent is taken over without a word in the file', async () => {
      const stack = await standing();
      await takesOver(without(stack, 'Platform::db', 'Component::db/auditor', 'Variable::variables/LEVEL'), SHOP);
    });

    test('so is what it wrote in a component of a pack that the state does not have, either', async () => {
      const mysql = { attachments: { motd: { content: 'hello' } } };
      const spec = { ...SHOP, platforms: { db: { pack: 'mysql', components: { mysql } } } };
      const stack = await standing(spec);
      const forgotten = [...stack.keys()].filter((key) => /mysql|motd/.test(key));
      expect(forgotten).toHaveLength(2);
      await takesOver(without(stack, ...forgotten), spec);
    });

    test.each([1, 2, 3, 4, 5, 6])('what a run left that was killed after write %i is taken over', async (killAfter) => {
      const { killed, stack } = await up(emptyStack, SHOP, { killAfter });
      expect(killed).toBe(true);
      await takesOver(stack, SHOP);
    });

    test('what a killed run of a guest left is taken over, until something of the environment is committed', async () => {
      await standing({ ...SHOP, environments: {} });
      const { killed, stack } = await up(emptyStack, GUEST, { killAfter: 1 });
      expect([killed, stack.has('Environment::qa')]).toEqual([true, false]);
      await takesOver(stack, GUEST);
      world.nextRun();
      expect((await previewed(stack, GUEST)).errors).toHaveLength(1);
    });

    test('below a parent whose name is not known yet, nothing is said', async () => {
      await standing();
      const args = { assembly: UNKNOWN, name: 'web', source: 'oneops', pack: 'custom', version: '1' };
      const shown = await preview(world, emptyStack, [{ key: 'Platform::web', token: 'Platform', args }]);
      expect(shown.errors).toEqual([]);
      expect(world.requests().filter((each) => !each.endsWith('clouds.list'))).toEqual([]);
    });
  });
});

// The play about ownership. HISTORIES and SEED in the environment say how many, and
// which; HISTORY plays the one of this number alone, and prints it.

/** What is taken out of the world to see that a law fails without it. */
type Mutation = 'causes' | 'taking over' | 'state list';

/**
 * Where each commit and pull looks before: the service takes none on a condition, so what somebody
 * writes between the look and the request is included.
 */
const LOOKS: { readonly [route: string]: readonly string[] } = {
  'environments.pull': ['designReleases.list'],
  'environments.commit': ['environments.timeline', 'environmentReleases.latest'],
  'designReleases.commit': ['platforms.list', 'designVariables.list', 'platforms.diff'],
};

/** What the next deployment of an environment changes, as the service plans it. */
async function plannedIn(api: Api, environment: string): Promise<readonly InstanceChange[]> {
  const address = { ...DESIGN, environment };
  const query = { include_rfcs: 'cis' };
  const bom = await api.call(routes.environmentReleases.bom, { address, query }).catch(() => undefined);
  return (bom?.rfc_cis ?? []).map((record) => ({
    environment,
    platform: record.nsPath.split('/')[5] ?? '',
    component: componentIn(record),
    action: record.rfcAction ?? 'update',
    changed: Object.fromEntries(
      Object.keys(record.ciBaseAttributes ?? {}).map((name) => [name, String(record.ciAttributes[name] ?? '')]),
    ),
  }));
}

/** An answer that shows each change as the user's own. */
const asWrittenBy = (value: unknown, user: string): unknown =>
  JSON.parse(JSON.stringify(value), (name, each: unknown) =>
    /By$/.test(name) && typeof each === 'string' ? user : each,
  );

/** Resources, with aliases where a platform has another logical name; not for each number. */
function withAliases(spec: StackSpec, stack: Stack, number: number): readonly Declared[] {
  const declared = resourcesOf(spec);
  if (number % 3 === 0) return declared;
  const former = new Map<string, string>();
  for (const [name, { logical = name }] of Object.entries(spec.platforms ?? {})) {
    const held = [...stack.values()].find(({ token, outputs }) => token === 'Platform' && outputs['name'] === name);
    const old = held?.key.split('::')[1];
    if (old !== undefined && old !== logical) former.set(logical, old);
  }
  return declared.map((each) => {
    const [, token = '', start = '', logical = '', rest = ''] =
      /^(Platform|Component|Attachment|Variable)::(platforms\/)?([^/]+)(.*)$/.exec(each.key) ?? [];
    const alias = `${token}::${start}${former.get(logical)}${rest}`;
    return stack.has(alias) ? { ...each, alias } : each;
  });
}

/** Two stacks in process. */
function groundIn(dialect: Dialect, mutation?: Mutation): Ground {
  const world = makeWorld(dialect);
  const stacks: [Stack, Stack] = [emptyStack, emptyStack];
  /** Former states, oldest first. */
  const past: readonly [Stack[], Stack[]] = [[], []];
  /** All resources that any run of a stack knew. */
  const everything = [new Map(emptyStack), new Map(emptyStack)] as const;
  const adopting = (all: readonly Declared[]): readonly Declared[] =>
    all.map((each) =>
      ['Assembly', 'Environment'].includes(each.token) && each.args['existing'] !== true
        ? { ...each, args: { ...each.args, adopt: true } }
        : each,
    );
  return {
    maria: { api: world.other, tick: () => world.clock.advance(10_000) },
    service: world.service,
    stateOf: (index) => [...stacks[index].values()].map((each) => ({ ...each, isIncomplete: each.incomplete })),
    async go(index, spec, { limit, during, kill, refresh, draw = 0 }, intrude) {
      const stack = stacks[index];
      const [user, own] = index === 0 ? (['admin', world.api] as const) : (['pia', world.third] as const);
      const changes: InstanceChange[] = [];
      let requests = 0;
      /** Routes since Maria's write. */
      let since: string[] | undefined;
      let isBlind = false;
      let written = '';
      let turn: Promise<unknown> = Promise.resolve();
      const api = layered(own, (next) => (route, input) => {
        const asked = turn.then(async () => {
          requests += 1;
          if (during?.at === requests) {
            await intrude(during);
            since = [];
            // The service does both in a job.
            isBlind ||= ['environments.pull', 'environments.commit'].includes(written);
          }
          const looks = LOOKS[route.name];
          if (looks !== undefined && since?.some((name) => looks.includes(name)) === false) isBlind = true;
          since?.push(route.name);
          if (route.method !== 'GET') written = route.name;
          if (route.name === routes.deployments.create.name)
            changes.push(...(await plannedIn(world.other, String(input?.address?.['environment']))));
          const answer = await next(route, input);
          const isRelease = route.method === 'GET' && /Releases\./.test(route.name);
          return mutation === 'causes' && isRelease ? asWrittenBy(answer, user) : answer;
        });
        turn = asked.catch(() => undefined);
        return asked;
      });
      const plain = spec === undefined ? [] : withAliases(spec, stack, draw);
      const declared = mutation === 'taking over' ? adopting(plain) : plain;
      const isTarget = (key: string): boolean =>
        !stack.has(key) || limit?.keys.includes(key) === (limit?.by === 'target');
      const targets = [...declared.map(({ key }) => key), ...stack.keys()].filter(isTarget);
      const done = await run({ ...world, api }, stack, declared, {
        ...(refresh ? { refresh } : {}),
        ...(kill ? { killAt: kill } : {}),
        ...(limit ? { targets } : {}),
        ...(mutation === 'state list' ? { answered: new Map([...everything[index], ...stack]) } : {}),
      });
      past[index].push(stack);
      stacks[index] = done.stack;
      for (const [key, kept] of done.stack) everything[index].set(key, kept);
      return { ...done, isKilled: done.killed, isBlind, changes };
    },
    move(from, keys) {
      const to = from === 0 ? 1 : 0;
      const rest = [...stacks[from].keys()].filter((key) => !keys.includes(key));
      // The engine cuts what leads to records that stay behind.
      const taken = [...without(stacks[from], ...rest)].map(
        ([key, { deletedWith = '', ...kept }]) =>
          [key, { ...kept, deletedWith: keys.includes(deletedWith) ? deletedWith : undefined }] as const,
      );
      stacks[to] = new Map([...stacks[to], ...taken]);
      stacks[from] = without(stacks[from], ...keys);
      return true;
    },
    forget(index, keys) {
      stacks[index] = without(stacks[index], ...keys);
    },
    restore(index, draw) {
      stacks[index] = draw.maybe(past[index].slice(-3)) ?? stacks[index];
    },
    unprotect(index) {
      stacks[index] = new Map([...stacks[index]].map(([key, kept]) => [key, { ...kept, mark: undefined }]));
    },
    close: () => world.close(),
  };
}

const COUNT = Number(process.env['HISTORIES'] ?? 10);
const SEED = Number(process.env['SEED'] ?? 20_261_126);
const ONLY = process.env['HISTORY'];

const played = async (history: History, mutation?: Mutation): ReturnType<typeof play> => {
  const ground = groundIn(history.dialect, mutation);
  try {
    return await play(history, ground);
  } finally {
    await ground.close();
  }
};

test(
  'no run takes away, or brings along, what its file does not say, and a destroy leaves what another stack runs',
  async () => {
    const total = { runs: 0, complete: 0, deletes: 0 };
    const failures: string[] = [];
    for (const [index, history] of fc.sample(histories, { seed: SEED, numRuns: COUNT }).entries()) {
      if (ONLY !== undefined && Number(ONLY) !== index) continue;
      const { broken, story, counts } = await played(history);
      for (const name of ['runs', 'complete', 'deletes'] as const) total[name] += counts[name];
      if (broken.length > 0)
        failures.push(`history ${index} (${history.dialect}, ${history.second}): ${broken.join('; ')}`);
      if (ONLY !== undefined) process.stdout.write(`${story.join('\n')}\n`);
    }
    process.stdout.write(
      `histories ${COUNT}: ${total.runs} runs, ${total.complete} complete, ${total.deletes} deletes, seed ${SEED}\n`,
    );
    expect(failures).toEqual([]);
    expect(total.complete).toBeGreaterThan(0);
  },
  60_000 + COUNT * 20_000,
);

// The law of ownership can fail: without the question for causes, the rule of taking over, or the
// state as the only list, a random history breaks it. MUTATED says within how many, SEED which.
const MUTATED = Number(process.env['MUTATED'] ?? 12);

/** Edits of files that go up after an act: in such histories a fault has something to do. */
function editsAfter({ acts }: History, isFirst: (act: History['acts'][number]) => boolean): number {
  const first = acts.findIndex(isFirst);
  const later = first < 0 ? [] : acts.slice(first);
  return later.filter((each) => each.act === 'up' && each.edits.length > 0 && !each.limit && !each.kill).length;
}

/** The law that fails, and how much what is taken out has to do in a history. */
test.each<readonly [Mutation, RegExp, (history: History) => number]>([
  [
    'causes',
    /: (lost|came|less): /,
    (all) => editsAfter(all, (each) => each.act === 'maria' && each.then !== 'nothing'),
  ],
  ['taking over', /which the other stack owns/, (all) => (all.second === 'copy' ? editsAfter(all, () => true) : 0)],
  [
    'state list',
    /: deleted: /,
    (all) => (all.second === 'copy' ? 0 : editsAfter(all, (each) => each.act === 'state' && each.what === 'move')),
  ],
])(
  'without %s a law fails',
  async (mutation, expected, weight) => {
    const fitting = fc
      .sample(histories, { seed: SEED, numRuns: 20 * MUTATED })
      .filter((history) => weight(history) > 0)
      .sort((one, other) => weight(other) - weight(one))
      .slice(0, MUTATED);
    for (const [index, history] of fitting.entries()) {
      const { broken } = await played(history, mutation);
      if (!broken.some((law) => expected.test(law))) continue;
      process.stdout.write(`without ${mutation}: history ${index + 1} of ${fitting.length}, seed ${SEED}\n`);
      return;
    }
    throw new Error(`no law failed within ${fitting.length} histories`);
  },
  60_000 + MUTATED * 20_000,
);
