// A destroy that is cut off, and platforms that somebody takes down: what is declared runs again once the stack continues. Judged by instances, never by
// what a preview says. CRASH_POINTS=all takes every boundary (as `make soak` does); else a sample.
import { DIALECTS, routes, type Dialect } from '../../api/contract';
import { dialectsInTurn } from '../dialects-in-turn';
import { commitByHand, deployByHand, switchByHand } from '../world/by-hand';
import { drift, emptyStack, preview, run, type RunOptions, type Stack } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { makeWorld, type World } from '../world/world';

const SHOP: StackSpec = {
  platforms: {
    web: { pack: 'tomcat', components: { tomcat: { attributes: { max_threads: '100' } } } },
    db: { pack: 'mysql' },
  },
  environments: { prod: { clouds: { east: { priority: 1 } } } },
};

const EDITED: StackSpec = {
  ...SHOP,
  platforms: {
    ...SHOP.platforms,
    web: { pack: 'tomcat', components: { tomcat: { attributes: { max_threads: '90' } } } },
  },
};

const PROD = { assembly: 'shop', environment: 'prod' };

describe.each(dialectsInTurn(1))('%s', (dialect: Dialect) => {
  let world: World;
  afterEach(() => world.close());

  const up = (stack: Stack, spec: StackSpec | undefined, options?: RunOptions) =>
    run(world, stack, spec ? resourcesOf(spec) : [], options);

  const begin = async (): Promise<Stack> => {
    world = makeWorld(dialect);
    const { stack, errors } = await up(emptyStack, SHOP);
    expect(errors).toEqual([]);
    return stack;
  };

  const count = async (): Promise<number> =>
    (
      await world.api.call(routes.operations.environmentInstances, {
        address: PROD,
        query: { instances_state: 'all' },
      })
    ).length;

  const isPlanning = async (): Promise<boolean> =>
    (await world.api.call(routes.environments.read, { address: PROD })).ciState === 'locked';

  /** Lets every job of the service come to its end. */
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 100; round += 1) {
      world.clock.advance(5_000);
      const { ciState } = await world.api.call(routes.environments.read, { address: PROD });
      const latest = await world.api.call(routes.deployments.latest, { address: PROD });
      if (ciState === 'default' && ['complete', 'failed', 'canceled'].includes(latest.deploymentState)) return;
    }
  };

  /** A kill of a destroy, what comes after it, and whether the service has come to rest by then. */
  interface Case {
    readonly killAt: NonNullable<RunOptions['killAt']>;
    readonly settles: boolean;
    readonly refresh: boolean;
    readonly spec: StackSpec;
  }

  /** What is not as it should be after the next run. */
  const wrongAfter = async ({ killAt, settles, refresh, spec }: Case, disabledOnly: boolean): Promise<object> => {
    const stack = await begin();
    const before = await count();
    const killed = await up(stack, undefined, { killAt });
    expect(killed.killed).toBe(true);
    // While the service makes a plan, nothing shows yet what the plan will be.
    if (settles || (await isPlanning())) await settle();
    const next = await up(killed.stack, spec, { refresh });
    const shown = await preview(world, next.stack, resourcesOf(spec));
    const left = await drift(world, next.stack);
    // Nobody but the next commit sees what was disabled and never committed: machines run, and nothing else is to be seen.
    const wrong = disabledOnly && spec === SHOP ? [] : await differences(world, spec);
    const gone = before - (await count());
    world.close();
    return { errors: next.errors, wrong, steps: shown.steps, left, gone };
  };

  test('a destroy killed at any request: the next edit, and the next run with --refresh, bring everything back', async () => {
    const first = await begin();
    world.requests();
    expect((await up(first, undefined)).errors).toEqual([]);
    const writes = world.requests().flatMap((line, index) => (line.startsWith('GET') ? [] : [index + 1]));
    world.close();
    // Disable, commit and deploy: once the environment itself goes there is nothing left to bring back.
    const points = writes.slice(0, 3).flatMap((request) => [
      { request, when: 'before' as const },
      { request, when: 'after' as const },
    ]);
    const all = process.env['CRASH_POINTS'] === 'all';
    const taken = points.filter((_, index) => all || index % 2 === 1 - DIALECTS.indexOf(dialect));
    for (const killAt of taken)
      for (const settles of all ? [true, false] : [killAt.request !== writes[2]])
        for (const [refresh, spec] of [
          [true, SHOP],
          [true, EDITED],
          [false, EDITED],
        ] as const) {
          const disabledOnly = points.findIndex(
            ({ request, when }) => request === killAt.request && when === killAt.when,
          );
          const about = { killAt, settles, refresh, edited: spec === EDITED };
          const found = await wrongAfter({ killAt, settles, refresh, spec }, [1, 2].includes(disabledOnly));
          expect({ about, found }).toEqual({ about, found: { errors: [], wrong: [], steps: [], left: [], gone: 0 } });
        }
    world = makeWorld(dialect);
  }, 300_000);

  /** Somebody disables platforms, commits and deploys. */
  const takeDown = async (): Promise<void> => {
    await switchByHand(world, 'disable', 'web', 'db');
    await commitByHand(world);
    await settle();
    await deployByHand(world);
    await settle();
  };

  test('somebody disables the platforms and deploys: a refresh shows it, and the next run brings everything back', async () => {
    const stack = await begin();
    await takeDown();
    expect(await count()).toBe(0);
    expect(await drift(world, stack)).toEqual(['Deployment::prod state']);
    const { errors, stack: next } = await up(stack, SHOP, { refresh: true });
    expect(errors).toEqual([]);
    expect(await differences(world, SHOP)).toEqual([]);
    expect(await drift(world, next)).toEqual([]);
  });

  test('the same before an edit: it is refused, and a refresh brings everything back', async () => {
    const stack = await begin();
    await takeDown();
    const refused = await up(stack, EDITED);
    expect(refused.errors.join()).toMatch(/maria disabled platform (web|db), release \d+/);
    expect((await up(refused.stack, EDITED, { refresh: true })).errors).toEqual([]);
    expect(await differences(world, EDITED)).toEqual([]);
  });

  test('a run deployed into nothing once: the next edit names who switched it off, and a refresh brings everything back', async () => {
    const stack = await begin();
    await takeDown();
    const kept = stack.get('Deployment::prod');
    const latest = await world.api.call(routes.deployments.latest, { address: PROD });
    if (kept === undefined) throw new Error('no deployment in the stack');
    // As a version that did not look left it: the newest deployment is the one it knows.
    const outputs = { ...kept.outputs, deploymentId: latest.deploymentId };
    const refused = await up(new Map([...stack, [kept.key, { ...kept, outputs }]]), EDITED);
    expect(refused.errors.join()).toMatch(/maria disabled platform (web|db), release \d+/);
    const { errors, notices } = await up(refused.stack, EDITED, { refresh: true });
    expect(errors).toEqual([]);
    expect(notices.join()).toMatch(/set back as the file declares: .*maria disabled platform/);
    expect(await differences(world, EDITED)).toEqual([]);
  });

  test('instances of a platform were deleted: a refresh shows it, and the next run recreates them', async () => {
    const stack = await begin();
    const query = { instances_state: 'all' };
    const instances = await world.other.call(routes.operations.environmentInstances, { address: PROD, query });
    for (const { ciId, nsPath } of instances.filter((each) => each.nsPath.includes('/web/'))) {
      const address = { ...PROD, platform: nsPath.split('/')[5] ?? '', component: 'compute', instance: String(ciId) };
      await world.other.call(routes.operations.deleteInstance, { address });
    }
    expect(await drift(world, stack)).toEqual(['Deployment::prod state']);
    expect((await up(stack, SHOP, { refresh: true })).errors).toEqual([]);
    expect(await differences(world, SHOP)).toEqual([]);
  });

  test('what is offline or wanted nowhere is not missed', async () => {
    world = makeWorld(dialect);
    const spec: StackSpec = {
      platforms: { web: { pack: 'tomcat' }, db: { pack: 'mysql' } },
      environments: {
        prod: {
          clouds: { east: { priority: 1 }, west: { priority: 2 } },
          platforms: { web: { east: { pctScale: 0 }, west: { pctScale: 0 } } },
        },
      },
    };
    const { errors, stack, notices } = await up(emptyStack, spec);
    expect(errors).toEqual([]);
    expect(notices).toEqual([]);
    expect(await drift(world, stack)).toEqual([]);
  });
});
