// Ctrl-C while it deploys, once and twice, on the real engine (architecture §5): what is said, what
// exists afterwards, what the next up does.
import { routes } from '../../api/contract';
import { dialectsInTurn } from '../dialects-in-turn';
import { until } from '../hand-timers';
import { SHOP, withDeployer } from '../world/shop-spec';
import { descendantsOf, isThere, pendingOperations, type Run } from '../world/engine';
import { openStack, type EngineStack } from './engine-stack';
import { stoppableClock, type StoppableClock } from './stoppable-clock';

/** CLI's exit codes (engine-facts D). */
const ERROR = 1;
const CANCELLED = 8;

const CHANGED = withDeployer({ attributes: { username: 'robot' } });

const CASES = (['once', 'twice'] as const).flatMap((times, turn) =>
  dialectsInTurn(turn).map((dialect) => [times, dialect] as const),
);

describe.each(CASES)('Ctrl-C %s, %s', (times, dialect) => {
  let clock: StoppableClock;
  let stack: EngineStack;

  beforeAll(async () => {
    clock = stoppableClock(2000);
    stack = await openStack(dialect, clock);
  });

  afterAll(() => stack.close());

  beforeEach(() => clock.go());

  const deployments = (): number =>
    stack.live.service.journal().filter(({ route, status }) => route === 'deployments.create' && status === 200).length;

  /** Runs `up` until its deployment is active, and stops the service's time there. */
  const upUntilItDeploys = async (spec: typeof SHOP) => {
    const before = deployments();
    await stack.declare(spec);
    // The deployment does not move from its first moment on.
    clock.stopWhen(() => deployments() > before);
    const running = stack.project.start(['up', '--skip-preview']);
    await until(() => deployments() > before);
    return { ...running, started: descendantsOf(running.pid) };
  };

  const deployment = async (): Promise<string> => {
    const address = { assembly: 'shop', environment: 'prod' };
    return (await stack.live.other.call(routes.deployments.latest, { address })).deploymentState;
  };

  const interrupted = async (running: Awaited<ReturnType<typeof upUntilItDeploys>>): Promise<Run> => {
    process.kill(running.pid, 'SIGINT');
    await until(() => running.printed().includes('^C received; cancelling'));
    expect(isThere(running.pid)).toBe(true);
    if (times === 'once') clock.go();
    else process.kill(running.pid, 'SIGINT');
    return running.ended;
  };

  test.each([
    ['the first deployment', SHOP],
    ['a later one', CHANGED],
  ])('%s', async (_, spec) => {
    const before = deployments();
    const running = await upUntilItDeploys(spec);
    const run = await interrupted(running);
    if (times === 'once') {
      // The wait continues to its end, and what came of it is kept.
      expect([run.code, run.output]).toEqual([ERROR, expect.stringContaining('update canceled')]);
      expect([await deployment(), await pendingOperations(stack.project)]).toEqual(['complete', 0]);
    } else {
      expect([run.code, run.output]).toEqual([CANCELLED, expect.stringContaining('^C received; terminating')]);
      expect(await deployment()).toBe('active');
      // Nothing continues by itself.
      await until(() => !running.started.some(isThere));
      // The lock is gone with the run, and the next one joins what still runs.
      const next = stack.project.start(['up', '--skip-preview']);
      await until(() => /joins deployment \d+, which is active/.test(next.printed()));
      clock.go();
      expect(await next.ended).toExitWith(0);
      if ((await pendingOperations(stack.project)) > 0)
        expect((await stack.project.run('refresh', '--clear-pending-creates', '--skip-preview')).code).toBe(0);
    }
    expect((await stack.up(spec)).errors).toBe('');
    expect(await stack.wrong(spec)).toEqual([]);
    expect(deployments()).toBe(before + 1);
  });
});
