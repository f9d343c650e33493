// Procedures and replacements in odd cases: failures, lost answers, time, names, triggers there and back; each counted by what the service ran.
import { DIALECTS, routes } from '../../api/contract';
import { ConnectionFailed } from '../../api/errors';
import { PartialFailure } from '../../provider/errors';
import type { Inputs } from '../../provider';
import { kinds } from '../../provider/kinds';
import { lifecycle, type State } from '../../provider/lifecycle';
import { newSession } from '../../provider/session';
import { testInTurn } from '../dialects-in-turn';
import { eachWorld, kindOf, ROW } from '../world/world';

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let address: Inputs;

  beforeEach(async () => {
    address = { ...(await world.prepare(kindOf('Procedure'))), name: 'restart' };
    world.nextRun();
  });

  const reboot = (more: Inputs = {}): Inputs =>
    world.life('Procedure').check({ ...address, action: 'reboot', ...more }).inputs;
  const create = (more: Inputs = {}) => world.life('Procedure').create(reboot(more), ROW);
  const update = (olds: Inputs, more: Inputs = {}) => {
    world.nextRun();
    return world.life('Procedure').update('acme/shop/prod/web/compute/restart', olds, reboot(more), ROW);
  };
  const ran = async (): Promise<readonly string[]> => {
    const all = await world.other.call(routes.procedures.list, { query: { ns_path: '/acme/shop' } });
    return all.map(({ procedureState }) => procedureState);
  };
  const failure = async (job: Promise<State>): Promise<PartialFailure> => {
    const error: unknown = await job.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof PartialFailure) return error;
    throw new Error(`not a partial failure: ${String(error)}`);
  };
  const failNext = (): void =>
    world.service.faults.set([
      { effect: 'fail-deployment', record: 'web/compute#reboot', message: 'no power', times: 1 },
    ]);

  test('runs once for the same triggers, again for others, and again for former ones', async () => {
    const first = await create({ triggers: { build: '1' } });
    const second = await update(first.outputs, { triggers: { build: '2' } });
    const third = await update(second.outputs, { triggers: { build: '1' } });
    expect(await ran()).toEqual(['complete', 'complete', 'complete']);
    expect(new Set([first, second, third].map(({ outputs }) => outputs['procedureId'])).size).toBe(3);
    await update(third.outputs, { triggers: { build: '1' } });
    expect(await ran()).toHaveLength(3);
  });

  test('with its state lost it is found, and not run again unless that is requested', async () => {
    const made = await create();
    world.nextRun();
    const again = await create();
    expect(again.outputs['procedureId']).toBe(made.outputs['procedureId']);
    expect(world.told.join('\n')).toContain('ran already for these triggers');
    world.nextRun();
    await create({ rerun: true });
    expect(await ran()).toHaveLength(2);
  });

  test('an action, an instance or a name that does not exist is reported with the nearest', async () => {
    await expect(create({ action: 'rebot' })).rejects.toThrow(/no action "rebot"[^]*did you mean "reboot"/);
    await expect(create({ instances: ['compute-1'] })).rejects.toThrow(/has no instance compute-1/);
    expect(await ran()).toEqual([]);
  });

  test('one that failed says what failed, stays a failure, and runs again only when allowed', async () => {
    failNext();
    const failed = await failure(create());
    expect(failed.reasons.join('\n')).toMatch(
      /procedure \d+ failed\n {2}compute-\S+: reboot failed: .*\n.*rerun: true/,
    );
    expect(failed.outputs).toMatchObject({ state: 'failed' });
    const diff = await world.life('Procedure').diff(failed.id, failed.outputs, reboot());
    expect(diff.changes.map(({ path }) => path[0])).toEqual(['state']);
    world.writes();
    const still = await failure(update(failed.outputs));
    expect([still.outputs['state'], world.writes()]).toEqual(['failed', []]);
    const done = await update(still.outputs, { rerun: true });
    expect([done.outputs['state'], await ran()]).toEqual(['complete', ['complete']]);
  });

  test('out of time it continues by itself, and the next run joins it', async () => {
    let now = 0;
    // Our time flies, the service's does not move.
    const impatient = newSession(kinds, { now: () => (now += 30_000), sleep: () => Promise.resolve() });
    const life = lifecycle(kindOf('Procedure'), () => Promise.resolve(world.api), impatient);
    const late = await failure(life.create(reboot({ timeout: 1 }), ROW));
    expect(late.reasons.join()).toMatch(/took longer than 1 minutes/);
    expect(late.outputs['state']).toBe('active');
    const done = await update(late.outputs, { timeout: 1 });
    expect([done.outputs['state'], await ran()]).toEqual(['complete', ['complete']]);
  });

  /** A client whose start of a procedure gets no answer; `reaches` the service or not. */
  const losing = (reaches: boolean) => ({
    ...world.api,
    call: (async (route, input) => {
      if (route.name !== 'procedures.create') return world.api.call(route, input);
      if (reaches) await world.api.call(route, input);
      throw new ConnectionFailed(
        'the connection broke',
        undefined,
        { method: 'POST', path: '/acme/operations/procedures' },
        'unknown',
      );
    }) as typeof world.api.call,
  });
  const losingLife = (reaches: boolean) =>
    lifecycle(kindOf('Procedure'), () => Promise.resolve(losing(reaches)), world.freshSession());

  test('a lost answer is settled by the list', async () => {
    const made = await losingLife(true).create(reboot(), ROW);
    expect([made.outputs['state'], await ran()]).toEqual(['complete', ['complete']]);
  });

  test('what the list does not show is unknown, and is looked for before it is sent again', async () => {
    const { outputs, reasons } = await failure(losingLife(false).create(reboot(), ROW));
    expect([outputs['state'], outputs['procedureId'], await ran()]).toEqual(['unknown', 0, []]);
    expect(reasons.join()).toMatch(/nobody knows whether it ran/);
    const read = await world.life('Procedure').read('acme/shop/prod/web/compute/restart', outputs, ROW);
    expect(read?.inputs['state']).toBe('unknown');
    const done = await update(outputs);
    expect([done.outputs['state'], await ran()]).toEqual(['complete', ['complete']]);
  });

  describe('a replacement', () => {
    const marks = async (): Promise<readonly (string | null | undefined)[]> => {
      const all = await world.other.call(routes.operations.instances, {
        address: { assembly: 'shop', environment: 'prod', platform: 'web', component: 'compute' },
        query: { instances_state: 'all' },
      });
      return [...new Set(all.map(({ ciState }) => ciState))];
    };

    test('marks, is taken back while nothing was deployed, and reaches the machines with the deployment', async () => {
      const life = () => world.life('InstanceReplacement');
      const made = await life().create({ ...address, triggers: { image: '1' } }, ROW);
      expect(await marks()).toEqual(['replace']);
      world.nextRun();
      await life().delete(made.id, made.outputs, ROW);
      expect(await marks()).toEqual(['default']);
      world.clock.advance(1);
      const again = await life().create({ ...address, triggers: { image: '2' } }, ROW);
      expect(again.outputs['revision']).not.toBe(made.outputs['revision']);
      const before = String(again.outputs['marked']).split(',').length;
      expect(before).toBeGreaterThan(0);
      const deployment = {
        assembly: 'shop',
        environment: 'prod',
        stamps: '1',
        state: 'complete',
      };
      await world.life('Deployment').create(deployment, ROW);
      expect(await marks()).toEqual(['default']);
    });
  });
});
