// Waits that take too long, and runs that are killed while they wait: what was begun is in the state, the next run joins it, and destroying
// the stack takes it down.
import { DIALECTS, routes } from '../../api/contract';
import { timeoutArgument } from '../../provider';
import { kinds } from '../../provider/kinds';
import { newSession } from '../../provider/session';
import { testInTurn } from '../dialects-in-turn';
import { drift, emptyStack, preview, run, type Run, type RunOptions, type Stack } from '../world/engine-simulation';
import { CHANGED, SHOP, withProd } from '../world/shop-spec';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { eachWorld, kindOf, makeWorld, type World } from '../world/world';

const AT = { assembly: 'shop', environment: 'prod' };

/** How long a deployment is waited for, as Pulumi's own option says it. */
const LIMIT = timeoutArgument(kindOf('Deployment'), {}, { customTimeouts: { create: '45s', update: '1m' } });

const limited = (spec: StackSpec): StackSpec => withProd({ deploy: LIMIT }, spec);

/** The same world, whose service does not move from an answer on, while the run's own time continues. */
function stalledAt(world: World, route: string): World {
  const { clock, service } = world;
  let beyond = 0;
  const begun = service.journal().length;
  const stands = (): boolean =>
    service
      .journal()
      .slice(begun)
      .some((entry) => entry.route === route && entry.status === 200);
  const pass = (milliseconds: number): void => {
    if (stands()) beyond += milliseconds;
    else clock.advance(milliseconds);
  };
  const own = {
    now: () => clock.now() + beyond,
    sleep: (milliseconds: number) => Promise.resolve(pass(Math.ceil(milliseconds))),
  };
  return { ...world, clock: { ...clock, advance: pass }, freshSession: () => newSession(kinds, own) };
}

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let stack: Stack;

  beforeEach(() => {
    stack = emptyStack;
  });

  const go = async (spec: StackSpec | undefined, options?: RunOptions, in_ = world): Promise<Run> => {
    const done = await run(in_, stack, spec ? resourcesOf(spec) : [], options);
    stack = done.stack;
    return done;
  };

  const upTo = async (spec: StackSpec, options?: RunOptions): Promise<void> => {
    expect((await go(spec, options)).errors).toEqual([]);
    expect(await preview(world, stack, resourcesOf(spec))).toEqual({ steps: [], errors: [] });
    expect(await drift(world, stack)).toEqual([]);
    expect(await differences(world, spec)).toEqual([]);
  };

  const destroyed = async (): Promise<void> => {
    expect((await go(undefined)).errors).toEqual([]);
    expect([...stack.keys()]).toEqual([]);
    expect(await world.api.call(routes.assemblies.list, {})).toEqual([]);
  };

  const deployments = (): number =>
    world.service.journal().filter(({ route, status }) => route === 'deployments.create' && status === 200).length;

  /** What exists there before; what is declared; whose answer is the last sign of life; what the run says. */
  const waits: readonly (readonly [string, StackSpec | undefined, StackSpec, string, RegExp])[] = [
    ['the first deployment', undefined, SHOP, 'deployments.create', /deployment \d+ took longer than 1 minutes/],
    ['a later deployment', SHOP, CHANGED, 'deployments.create', /deployment \d+ took longer than 1 minutes/],
    ['the first commit', undefined, SHOP, 'environments.commit', /planning the deployment took longer than 15 min/],
    ['a later commit', SHOP, CHANGED, 'environments.commit', /planning the deployment took longer than 15 min/],
    ['the first pull', undefined, SHOP, 'environments.create', /pulling the design took longer than 15 min/],
    ['a later pull', SHOP, CHANGED, 'environments.pull', /pulling the design took longer than 15 min/],
  ];

  describe.each(waits)('%s takes too long', (_, before, spec, route, says) => {
    beforeEach(async () => {
      if (before) await upTo(limited(before));
      const done = await go(limited(spec), {}, stalledAt(world, route));
      expect(done.errors).toEqual([expect.stringMatching(says)]);
      expect(done.errors.join()).toContain('run pulumi up again to join it');
    });

    test('it is in the state, and destroying takes everything down', async () => {
      const isPull = route === 'environments.create' || route === 'environments.pull';
      expect(stack.get(isPull ? 'Environment::prod' : 'Deployment::prod')).toMatchObject({ incomplete: true });
      await destroyed();
    });

    test('the next run continues, and deploys once', async () => {
      const begun = deployments();
      await upTo(limited(spec));
      expect(deployments()).toBe(route === 'deployments.create' ? begun : begun + 1);
    });

    test('it ends by itself, and a refresh comes first', async () => {
      world.clock.advance(10 * 60_000);
      await upTo(limited(spec), { refresh: true });
    });
  });

  test('a deployment that is joined takes too long: it is in the state', async () => {
    await go(limited(SHOP), { killAt: afterStart() });
    const joined = await go(limited(SHOP), {}, stalledAt(world, 'deployments.status'));
    expect(joined.errors).toEqual([expect.stringMatching(/deployment \d+ took longer than 1 minutes/)]);
    const { deploymentId } = await world.api.call(routes.deployments.latest, { address: AT });
    expect(stack.get('Deployment::prod')).toMatchObject({ incomplete: true, outputs: { deploymentId } });
    await destroyed();
  });

  test('a tear-down takes too long: the next one continues', async () => {
    await upTo(limited(SHOP));
    const done = await go(undefined, {}, stalledAt(world, 'deployments.create'));
    expect(done.errors).toEqual([expect.stringMatching(/deployment \d+ took longer than 1 minutes/)]);
    await destroyed();
  });

  test('killed while the first deployment runs, then destroyed: says what to run, and that works', async () => {
    await go(SHOP, { killAt: afterStart() });
    const refused = await go(undefined);
    expect(refused.errors.join('\n')).toMatch(
      /environment acme\/shop\/prod: [^]*deployment, \d+ by admin, is active\n.*run pulumi up, .*then pulumi destroy/,
    );
    world.clock.advance(10 * 60_000);
    expect((await go(undefined)).errors.join('\n')).toMatch(/\d+ instances exist, .*is complete/);
    await upTo(SHOP);
    expect(deployments()).toBe(1);
    await destroyed();
  });

  /** The boundary right after a deployment was started, in a run that begins with nothing. */
  const afterStart = (): NonNullable<RunOptions['killAt']> => ({ request: startedAt, when: 'after' });

  let startedAt = 0;

  beforeAll(async () => {
    const reference = makeWorld(dialect);
    await run(reference, emptyStack, resourcesOf(limited(SHOP)));
    const requests = reference.requests();
    startedAt = requests.indexOf('POST deployments.create') + 1;
    reference.close();
  });
});
