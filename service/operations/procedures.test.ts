// Procedures over the wire: what they run and in which order, who is refused, what is shown of them.
import { type Procedure, type Record as WireRecord } from '../../api/contract';
import { eachDialectInTurn } from '../../test/dialects-in-turn';
import type { Reply } from '../../test/service-caller';
import { change, flowOf, type Shop, shopFor } from '../../test/shop';

const PROCEDURES = '/acme/operations/procedures';
const WEB = '/acme/assemblies/shop/operations/environments/prod/platforms/web';

const step = (actionName: string, stepNumber = 1, isCritical = true): object => ({
  actionName,
  stepNumber,
  isCritical,
});
const REBOOT = flowOf([step('reboot')], { execStrategy: 'one-by-one' });

eachDialectInTurn(0, (dialect, classic) => {
  let compute: number;
  let targets: readonly number[];
  const shop: Shop = shopFor('each', dialect, async () => {
    await shop.build({ web: { pack: 'mysql' } }, { east: '1', west: '1' });
    expect(await shop.deploy('prod')).toBe('complete');
    compute = (await shop.get(`${WEB}/components/compute`)).ciId;
    const instances = await shop.get<WireRecord[]>(`${WEB}/components/compute/instances?instances_state=all`);
    targets = instances.map(({ ciId }) => ciId);
  });

  const run = (definition: string, facts: object = {}, more: object = {}): Promise<Reply> =>
    shop.run(compute, { definition, ...facts }, more);
  const started = (...given: Parameters<typeof run>): Promise<Procedure> => shop.ok<Procedure>(run(...given));
  const read = (id: number): Promise<Procedure> => shop.get<Procedure>(`${PROCEDURES}/${id}`);
  const statesOf = ({ procedureState, actions }: Procedure): string =>
    `${procedureState}: ${actions!.map(({ actionState }) => actionState).join(' ')}`;
  const ran = ({ actions }: Procedure): unknown =>
    actions?.map(({ actionName, ciId, execOrder }) => [actionName, ciId, execOrder]);
  const finished = async (reply: Reply | Promise<Reply>): Promise<Procedure> =>
    shop.procedure((await shop.ok<Procedure>(reply)).procedureId, 'complete', 'failed', 'canceled');
  const statesAtEachStep = async (id: number): Promise<string[]> => {
    const seen: string[] = [];
    for (let turn = 0; turn < 100; turn += 1) {
      const now = await read(id);
      if (statesOf(now) !== seen.at(-1)) seen.push(statesOf(now));
      if (!['active', 'pending'].includes(now.procedureState)) return seen;
    }
    throw new Error('not settled');
  };
  const failing = (action: string, message: string, times: number): void =>
    shop.service.faults.set([{ effect: 'fail-deployment', record: `web/compute#${action}`, message, times }]);

  test.each<[string, object, readonly string[]]>([
    [
      'one target after the other, steps in order',
      { execStrategy: 'one-by-one' },
      [
        'active: inprogress pending pending pending',
        'active: complete inprogress pending pending',
        'active: complete complete inprogress pending',
        'active: complete complete complete inprogress',
        'complete: complete complete complete complete',
      ],
    ],
    [
      'all targets at once, steps in order',
      {},
      [
        'active: inprogress inprogress pending pending',
        'active: complete complete inprogress inprogress',
        'complete: complete complete complete complete',
      ],
    ],
  ])('is made with all actions pending, and runs %s', async (_, facts, steps) => {
    const made = await started(flowOf([step('status', 1), step('reboot', 2)], facts));
    expect(made).toMatchObject({ procedureName: 'procedure', procedureCiId: 0, definition: null, currentStep: 0 });
    expect(statesOf(made)).toBe('active: pending pending pending pending');
    expect(await statesAtEachStep(made.procedureId)).toEqual(steps);
  });

  test('stops at a critical failure and not at another; a retry continues where it stopped', async () => {
    failing('status', 'no', 2);
    const first = await started(flowOf([step('status', 1, false), step('reboot', 2)], { execStrategy: 'parallel' }));
    expect((await statesAtEachStep(first.procedureId)).at(-1)).toBe('complete: failed failed complete complete');
    failing('reboot', 'no', 1);
    const second = await started(flowOf([step('status', 1), step('reboot', 2)], { execStrategy: 'parallel' }));
    expect((await statesAtEachStep(second.procedureId)).at(-1)).toBe('failed: complete complete failed complete');
    await shop.ok(shop.askProcedure(second.procedureId, 'active'));
    expect(await statesAtEachStep(second.procedureId)).toEqual([
      'active: complete complete inprogress complete',
      'complete: complete complete complete complete',
    ]);
  });

  test('fails at an action that the class of its target does not have', async () => {
    expect(statesOf(await finished(run(flowOf([step('rebot')]))))).toMatch(/^failed: failed/);
    const lax = flowOf([step('rebot', 1, false), step('reboot', 2)]);
    expect(statesOf(await finished(run(lax)))).toMatch(/^complete: failed .*complete$/);
    // Without a word, an action is not critical.
    for (const actionName of ['explode', 'user-custom-attachment'])
      expect((await finished(run(flowOf([{ actionName }])))).procedureState).toBe('complete');
  });

  test('waits when pending, and starts on request', async () => {
    const { procedureId } = await started(REBOOT, { procedureState: 'pending' });
    shop.clock.advance(60_000);
    expect(await read(procedureId)).toMatchObject({ procedureState: 'pending', currentStep: 0 });
    expect((await shop.askProcedure(procedureId, 'active')).body).toMatchObject({ procedureState: 'active' });
    const done = await shop.procedure(procedureId, 'complete');
    // To cancel what is complete changes nothing.
    expect((await shop.askProcedure(procedureId, 'canceled')).body).toMatchObject({ procedureState: 'complete' });
    expect(await read(procedureId)).toEqual(done);
  });

  test('canceled stays canceled: actions that wait are canceled, one that runs ends', async () => {
    const { procedureId } = await started(REBOOT);
    const canceled = { status: 200, body: { procedureState: 'canceled' } };
    expect(await shop.askProcedure(procedureId, 'canceled')).toMatchObject(canceled);
    shop.clock.advance(60_000);
    expect(statesOf(await read(procedureId))).toBe('canceled: complete canceled');
    for (const state of ['active', 'complete', ''])
      expect((await shop.askProcedure(procedureId, state)).status).toBe(422);
    // Once more changes nothing.
    expect(await shop.askProcedure(procedureId, 'canceled')).toMatchObject(canceled);
  });

  test('of the pack is run by its number, without its own definition', async () => {
    const procedures = await shop.get<WireRecord[]>(`${WEB}/procedures`);
    const snapshot = procedures.find(({ ciName }) => ciName === 'snapshot')!;
    const { ciId } = await shop.manifest('prod', 'web');
    const made = await shop.ok<Procedure>(shop.run(ciId, { procedureCiId: String(snapshot.ciId) }));
    expect(made).toMatchObject({ procedureName: 'snapshot', procedureCiId: snapshot.ciId });
    expect(made.actions!.length).toBeGreaterThan(0);
    expect((await statesAtEachStep(made.procedureId)).at(-1)).toMatch(/^complete:/);
    expect((await shop.run(ciId, { procedureCiId: '1' })).status).toBe(422);
  });

  test.each([
    ['50', [1, 2]],
    [100, [1, 1]],
  ])('is rolled at the share that its body says: %j', async (rollAt, orders) => {
    const done = await finished(run(flowOf([step('reboot')]), {}, { roll_at: rollAt }));
    expect([done.actions?.map(({ execOrder }) => execOrder), done.maxExecOrder]).toEqual([orders, orders.at(-1)]);
  });

  test('is read as a Java map prints it, and from a form', async () => {
    const definition = `{name=reboot, flow=[{relationName=base.RealizedAs, targetIds=[${targets[0]}], actions=[{stepNumber=1, actionName=reboot, extraInfo=null}], direction=from}]}`;
    const done = await finished(run(definition));
    expect([done.procedureName, ran(done)]).toEqual(['reboot', [['reboot', targets[0], 1]]]);
    const ofAnchor = encodeURIComponent('{"flow":[],"actions":[{"actionName":"status","stepNumber":1}]}');
    const form = await finished(
      shop.send(
        'POST',
        PROCEDURES,
        `cms_procedure[ciId]=${compute}&cms_procedure[procedureState]=active&cms_procedure[forceExecution]=true&cms_procedure[definition]=${ofAnchor}`,
        { 'content-type': 'application/x-www-form-urlencoded' },
      ),
    );
    expect([form.forceExecution, ran(form)]).toEqual([true, [['status', compute, 1]]]);
  });

  test.each<[string, string, string]>([
    ['no JSON', 'repair', ''],
    ['no flow', '{"name":"x"}', '(4002)'],
    ['an empty flow', '{"flow":[]}', '(4002)'],
    ['a Java map without a flow', '{name=x}', '(4002)'],
    ['targets of another component', flowOf([step('reboot')], { targetIds: [1] }), '(4002)'],
    ['targets that are none', flowOf([step('reboot')], { targetIds: [null] }), ''],
    ['ten thousand brackets', '['.repeat(10_000), ''],
  ])('of %s is refused', async (_, definition, code) => {
    const reply = await run(definition);
    expect([reply.status, reply.text]).toEqual([422, expect.stringContaining(code)]);
  });

  test('does not run at the same time as another on the same records, nor as a deployment unless forced', async () => {
    const made = await started(REBOOT, { procedureState: 'pending' });
    const second = await run(REBOOT);
    expect([second.status, second.text]).toEqual([422, expect.stringContaining('(4003)')]);
    await shop.ok(shop.askProcedure(made.procedureId, 'canceled'));
    await shop.ok(shop.prod('PUT', '/platforms/web/components/compute', change({ size: 'M' })));
    await shop.begin();
    const third = await run(REBOOT);
    expect([third.status, third.text]).toEqual([422, expect.stringContaining('(4007)')]);
    expect((await run(REBOOT, { forceExecution: true })).status).toBe(200);
  });

  test('on a record that does not exist reads as a missing right', async () => {
    expect((await run(REBOOT, { ciId: '1' })).status).toBe(classic ? 401 : 403);
    expect(await shop.status('GET', `${PROCEDURES}/1`)).toBe(classic ? 500 : 404);
  });

  test('is listed newest first by what was asked, and by nothing not at all', async () => {
    const ids: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) ids.unshift((await finished(run(REBOOT))).procedureId);
    const list = (query: string): Promise<Reply> => shop.send('GET', `${PROCEDURES}${query}`);
    const found = async (query: string): Promise<number[]> =>
      (await shop.ok<Procedure[]>(list(query))).map(({ procedureId }) => procedureId);
    expect(await found(`?ciId=${compute}`)).toEqual(ids);
    expect(await found(`?ciId=${compute}&size=2`)).toEqual(ids.slice(0, 2));
    expect(await found(`?ns_path=/acme/shop/prod&name=procedure&state=complete`)).toHaveLength(3);
    expect(await found(`?ns_path=/acme/shop/prod&name=another`)).toEqual([]);
    expect(await found(`?ns_path=/acme/shop/prod&state=active`)).toEqual([]);
    expect((await list('')).status).toBe(422);
    expect((await list('?ns_path=/other')).status).toBe(classic ? 401 : 403);
    const [withActions] = await shop.ok<Procedure[]>(list(`?ciId=${compute}&include_actions=true&size=1`));
    expect(withActions?.actions).toHaveLength(2);
  });

  test('shows what was logged of its actions, and why one failed until it is tried again', async () => {
    failing('reboot', 'no power in the rack', 1);
    const { procedureId, actions } = await finished(run(REBOOT));
    type Logs = readonly { readonly id: number; readonly logData: readonly object[] }[];
    const status = await shop.get<Procedure & { log_data: Logs }>(`${PROCEDURES}/${procedureId}/status`);
    const ids = actions!.map(({ actionId }) => actionId);
    expect(status.log_data.map(({ id }) => id)).toEqual(ids);
    expect(status.log_data[0]?.logData.at(-1)).toMatchObject({ level: 'ERROR', message: 'no power in the rack' });
    expect(await shop.get(`${PROCEDURES}/${procedureId}/log_data`)).toEqual(status.log_data);
    const logs = async (query: string): Promise<number[]> =>
      (await shop.get<Logs>(`${PROCEDURES}/log_data?procedure_id=${procedureId}${query}`)).map(({ id }) => id);
    expect(await logs('')).toEqual(ids);
    expect(await logs(`&action_ids=${ids[1]}`)).toEqual([ids[1]]);
    expect(await logs(`&action_ids=${ids.join(',')}`)).toEqual(ids);
    expect(await shop.status('GET', `${PROCEDURES}/log_data?procedure_id=1`)).toBe(classic ? 500 : 404);
    await shop.ok(shop.askProcedure(procedureId, 'active'));
    expect(JSON.stringify(await shop.get(`${PROCEDURES}/${procedureId}/log_data`))).not.toContain('power');
  });
});
