// Deployments over the wire: steps on the clock, failures, pauses, retries, cancels.
import { dialectsInTurn } from '../../test/dialects-in-turn';
import { described } from '../../test/described';
import type { Reply } from '../../test/service-caller';
import { type Shop, shopFor } from '../../test/shop';

describe.each(dialectsInTurn(0))('%s', (dialect) => {
  const shop: Shop = shopFor('each', dialect, async () => {
    await shop.build({ web: {} }, { east: '1' });
  });

  const statusOf = async (id: number) =>
    shop.show<{
      deploymentState: string;
      currentStep: number;
      maxExecOrder: number;
      rfc_info: { [rfc: string]: { state: string; comments: string | null } };
    }>(`/deployments/${id}/status`);
  const statesOf = async (id: number): Promise<string[]> =>
    Object.values((await statusOf(id)).rfc_info).map(({ state }) => state);
  const finished = async (): Promise<number> => {
    const id = await shop.begin();
    await shop.until('prod', id, 'complete');
    return id;
  };

  test.each(['/deployments', '/deployments/'])(
    'POST %s answers as openapi.json says: the deployment of a release, or without one the environment',
    async (path) => {
      const { answerFault, operations } = described(dialect);
      const operation = 'deployments.create';
      const { bom } = await shop.commit('prod');
      const nsPath = '/acme/shop/prod/bom';
      const bodies = [{ releaseId: bom!.releaseId, nsPath, comments: 'one' }, { comments: 'in one go' }];
      const members: (readonly string[])[] = [];
      for (const cms_deployment of bodies) {
        const { status, body } = await shop.prod('POST', path, { cms_deployment });
        expect([status, answerFault(operation, status, body)]).toEqual([200, undefined]);
        members.push(['deploymentId', 'ciName'].filter((name) => name in (body as object)));
        const { deploymentId } = body as { deploymentId?: number };
        if (deploymentId !== undefined) {
          await shop.until('prod', deploymentId, 'complete');
          await shop.ok(shop.prod('POST', '/platforms/web/components/compute/touch'));
        }
      }
      expect(members).toEqual([['deploymentId'], ['ciName']]);
      expect(JSON.stringify(operations.get(operation)?.responses['200'])).toContain('"anyOf"');
    },
  );

  test('runs its steps in order: none starts before the one before it is complete', async () => {
    const { bom } = await shop.commit('prod');
    const orderOf = new Map(bom!.changes.map((change) => [String(change.rfcId), change.execOrder!]));
    const id = await shop.start('prod');
    const seen = new Set<number>();
    for (let state = 'active'; state === 'active';) {
      const status = await statusOf(id);
      state = status.deploymentState;
      seen.add(status.currentStep);
      for (const [rfc, { state: order }] of Object.entries(status.rfc_info)) {
        const place = orderOf.get(rfc)!;
        if (place < status.currentStep) expect(order).toBe('complete');
        if (place > status.currentStep) expect(order).toBe('pending');
      }
    }
    const steps = Math.max(...orderOf.values());
    expect([...seen]).toEqual(Array.from({ length: steps }, (_, index) => index + 1));
    expect(steps).toBeGreaterThan(2);
  });

  test('answers all its facts; lists and latest leave the steps at 0', async () => {
    const id = await shop.begin({ comments: 'first', continueOnFailure: false });
    const facts = {
      deploymentId: id,
      nsPath: '/acme/shop/prod/bom',
      deploymentState: 'active',
      comments: 'first',
      createdBy: 'admin',
      continueOnFailure: false,
    };
    expect(await statusOf(id)).toMatchObject({ ...facts, currentStep: 1 });
    expect((await statusOf(id)).maxExecOrder).toBeGreaterThan(2);
    expect(await shop.show('/deployments/latest')).toMatchObject({
      ...facts,
      currentStep: 0,
      maxExecOrder: 0,
    });
    expect(await shop.show('/deployments')).toMatchObject([facts]);
    // Read by its number, it is itself or its changes, as the dialect has it.
    const changes = [
      { ciId: expect.any(Number), deployment: { deploymentId: id, dpmtRecordState: expect.any(String) } },
    ];
    const read = await shop.show<{ rfc_cis?: object[] }>(`/deployments/${id}`);
    if (dialect === 'classic') expect(read.rfc_cis?.slice(0, 1)).toMatchObject(changes);
    else expect(read).toMatchObject(facts);
  });

  test('closes its release when complete; instances then carry what the manifest says and what the machine brought', async () => {
    await finished();
    const instances = await shop.instances('prod');
    const compute = instances.find(({ ciName }) => ciName.startsWith('compute-'))!;
    const ids = await shop.cloudIds();
    expect(compute).toMatchObject({
      ciName: `compute-${ids['east']}-1`,
      ciClassName: 'bom.oneops.1.Compute',
      nsPath: '/acme/shop/prod/bom/web/1',
      ciState: 'default',
      opsState: 'good',
      ciAttributes: { size: 'S', cores: '1', ram: '2048', vm_state: 'active' },
      cloud: { relationName: 'base.DeployedTo', toCiId: ids['east'] },
      deployedTo: { ciName: 'east' },
    });
    expect(compute.ciAttributes['private_ip']).toMatch(/^10\.\d+\.\d+\.\d+$/);
    const bom = await shop.show<{ releaseState: string }>('/releases/bom?latest=true');
    expect(bom.releaseState).toBe('closed');
  });

  test.each<[string, (body: { releaseId: number; nsPath: string }) => object]>([
    ['without nsPath', ({ releaseId }) => ({ releaseId })],
    ['with the nsPath of another', ({ releaseId }) => ({ releaseId, nsPath: '/acme/shop/dev/bom' })],
    ['with a release that is not there', ({ nsPath }) => ({ releaseId: 1, nsPath })],
    ['with a manifest release', ({ releaseId, nsPath }) => ({ releaseId: releaseId - 0.5, nsPath })],
  ])('is not started %s', async (_, body) => {
    const { bom } = await shop.commit('prod');
    const sent = { cms_deployment: body({ releaseId: bom!.releaseId, nsPath: '/acme/shop/prod/bom' }) };
    expect(await shop.status('POST', shop.at('prod', '/deployments/'), sent)).toBe(422);
    expect(await shop.show('/deployments')).toEqual([]);
  });

  test('is one to a release, and none to a release that is closed', async () => {
    const { bom } = await shop.commit('prod');
    const again = (): Promise<Reply> =>
      shop.prod('POST', '/deployments/', {
        cms_deployment: { releaseId: bom!.releaseId, nsPath: '/acme/shop/prod/bom' },
      });
    const id = await shop.start('prod');
    const second = await again();
    expect([second.status, second.text]).toEqual([422, expect.stringContaining('(2013)')]);
    await shop.until('prod', id, 'complete');
    expect((await again()).status).toBe(422);
  });

  test('pauses after the running step, is pausing until then, and continues when resumed', async () => {
    const id = await shop.begin();
    const paused = await shop.ask(id, 'paused');
    expect(paused.body).toMatchObject({ deploymentState: 'pausing', updatedBy: 'admin' });
    expect((await shop.ask(id, 'canceled')).status).toBe(422);
    await shop.until('prod', id, 'paused');
    const before = await statusOf(id);
    shop.clock.advance(600_000);
    expect(await statusOf(id)).toEqual(before);
    expect(new Set(await statesOf(id))).toEqual(new Set(['complete', 'pending']));
    expect(await shop.status('POST', shop.at('prod', '/commit'), {})).toBe(422);
    expect((await shop.ask(id, 'active')).body).toMatchObject({ deploymentState: 'active' });
    expect((await shop.until('prod', id, 'complete', 'failed')).deploymentState).toBe('complete');
    // Its moves, each with who made it.
    const { state_history: moves } = await shop.show<{ state_history: object[] }>(`/deployments/${id}/edit`);
    expect(moves).toMatchObject(
      [
        [null, 'active'],
        ['active', 'paused'],
        ['paused', 'active'],
        ['active', 'complete'],
      ].map(([oldState, newState]) => ({ oldState, newState, updatedBy: 'admin' })),
    );
  });

  test('pauses by itself before the steps that the request names', async () => {
    const id = await shop.begin({ autoPauseExecOrders: [1, 3] });
    const at: number[] = [];
    for (;;) {
      const { deploymentState } = await shop.until('prod', id, 'paused', 'complete');
      if (deploymentState === 'complete') break;
      at.push((await statusOf(id)).currentStep);
      await shop.ok(shop.ask(id, 'active'));
    }
    expect(at).toEqual([0, 2]);
  });

  test('canceled while paused leaves what is done, and the release canceled; a commit then plans the rest', async () => {
    const id = await shop.begin();
    await shop.ask(id, 'paused');
    await shop.until('prod', id, 'paused');
    const done = await shop.running('prod');
    expect((await shop.ask(id, 'canceled')).body).toMatchObject({ deploymentState: 'canceled' });
    expect(new Set(await statesOf(id))).toEqual(new Set(['complete', 'canceled']));
    const bom = await shop.show<{ releaseState: string }>('/releases/bom?latest=true');
    expect(bom.releaseState).toBe('canceled');
    for (const state of ['active', 'paused', 'canceled']) expect((await shop.ask(id, state)).status).toBe(422);
    expect(await shop.running('prod')).toEqual(done);
    const next = await shop.commit('prod');
    expect(next.bom?.changes).toHaveLength(5 - done.length);
    await shop.until('prod', await shop.start('prod'), 'complete');
    expect(await shop.running('prod')).toHaveLength(5);
  });

  test('is not canceled while it is active', async () => {
    const id = await shop.begin();
    const reply = await shop.ask(id, 'canceled');
    expect([reply.status, reply.text]).toEqual([422, expect.stringMatching(/\(\d{4}\)/)]);
    expect((await statusOf(id)).deploymentState).toBe('active');
  });

  test('fails at the order that fails: its step runs out, later ones do not start; a retry carries out what is left, once', async () => {
    shop.service.faults.set([{ effect: 'fail-deployment', record: 'web/compute', message: 'no capacity', times: 1 }]);
    const id = await shop.begin();
    const failed = await shop.until('prod', id, 'failed', 'complete');
    expect(failed.deploymentState).toBe('failed');
    const states = Object.values(failed.rfc_info).map(({ state }) => state);
    expect(states.filter((state) => state === 'failed')).toHaveLength(1);
    expect(states).not.toContain('inprogress');
    expect(states).toContain('pending');
    expect(await shop.running('prod')).toEqual(['web/secgroup@east', 'web/sshkeys@east']);
    const logs = await shop.show<{ logData: object[] }[]>(`/deployments/${id}/log_data`);
    expect(logs.flatMap(({ logData }) => logData)).toContainEqual(
      expect.objectContaining({ level: 'ERROR', message: 'no capacity' }),
    );
    expect((await shop.prod('GET', `/deployments/${id}/log_data?rfcId=1`)).status).toBe(404);
    expect(await shop.status('DELETE', shop.at('prod'))).toBe(422);
    await shop.ok(shop.ask(id, 'active'));
    expect((await shop.until('prod', id, 'failed', 'complete')).deploymentState).toBe('complete');
    expect(await shop.running('prod')).toHaveLength(5);
  });

  test('with continueOnFailure, continues with what the failure does not carry, and ends failed', async () => {
    shop.service.faults.set([{ effect: 'fail-deployment', record: 'web/compute', message: 'no capacity' }]);
    const id = await shop.begin({ continueOnFailure: true });
    const status = await shop.until('prod', id, 'failed', 'complete');
    expect(status.deploymentState).toBe('failed');
    const messages = Object.values(status.rfc_info).map(({ state, comments }) => `${state} ${comments ?? ''}`);
    expect(messages).not.toContain('pending ');
    expect(messages.filter((message) => message === 'failed the work order of its machine failed')).toHaveLength(1);
    expect(await shop.running('prod')).toEqual(['web/fqdn@east', 'web/secgroup@east', 'web/sshkeys@east']);
  });

  test('fails at a deletion that fails, even with continueOnFailure', async () => {
    await finished();
    const { ciId } = await shop.manifest('prod', 'web');
    await shop.ok(shop.prod('PUT', '/disable', { platformCiIds: [ciId] }));
    shop.service.faults.set([{ effect: 'fail-deployment', record: 'web/os', message: 'stuck' }]);
    const id = await shop.begin({ continueOnFailure: true });
    expect((await shop.until('prod', id, 'failed', 'complete')).deploymentState).toBe('failed');
    expect(await shop.running('prod')).toEqual(expect.arrayContaining(['web/compute@east', 'web/os@east']));
  });

  test('that failed lets the design be pulled; canceled, the next commit deploys the newer design', async () => {
    shop.service.faults.set([{ effect: 'fail-deployment', record: 'web/os', message: 'stuck', times: 1 }]);
    const id = await shop.begin();
    await shop.until('prod', id, 'failed');
    await shop.platform('cache');
    await shop.commitDesign();
    expect((await shop.pull('prod')).comments).toMatch(/^SUCCESS:/);
    await shop.ok(shop.ask(id, 'canceled'));
    expect(await shop.deploy('prod')).toBe('complete');
    expect(await shop.running('prod')).toHaveLength(10);
  });

  test('that failed and is retried after its platform left the design leaves nothing behind: the next commit cleans up', async () => {
    shop.service.faults.set([{ effect: 'fail-deployment', record: 'web/os', message: 'stuck', times: 1 }]);
    await shop.platform('cache');
    await shop.commitDesign();
    await shop.ok(shop.prod('POST', '/discard'));
    await shop.pull('prod', { cache: 'single' });
    const id = await shop.begin();
    await shop.until('prod', id, 'failed');
    await shop.design('DELETE', '/platforms/web');
    await shop.commitDesign();
    await shop.pull('prod');
    await shop.ok(shop.ask(id, 'active'));
    await shop.until('prod', id, 'complete');
    expect(await shop.running('prod')).toHaveLength(10);
    expect(await shop.deploy('prod')).toBe('complete');
    expect(await shop.running('prod')).toHaveLength(5);
    expect(await shop.platforms('prod')).toEqual(['cache']);
  });

  test('of instances marked replace creates new ones in their place', async () => {
    await finished();
    const before = await shop.instances('prod');
    const compute = before.find(({ ciName }) => ciName.startsWith('compute-'))!;
    expect(
      (await shop.send('PUT', '/acme/operations/instances/state', { ids: [compute.ciId], state: 'replace' })).body,
    ).toBe(true);
    const marked = (await shop.instances('prod')).filter(({ ciState }) => ciState === 'replace');
    expect(marked.map(({ ciName }) => ciName.replace(/-\d+-1$/, '')).sort()).toEqual(['compute', 'os']);
    const { bom } = await shop.commit('prod');
    const actions = bom!.changes.map(({ ciName, rfcAction }) => `${rfcAction} ${ciName.replace(/-\d+-1$/, '')}`);
    expect(actions).toEqual(expect.arrayContaining(['replace compute', 'replace os']));
    await shop.until('prod', await shop.start('prod'), 'complete');
    const after = await shop.instances('prod');
    expect(after.map(({ ciId }) => ciId)).toEqual(before.map(({ ciId }) => ciId));
    const again = after.find(({ ciId }) => ciId === compute.ciId)!;
    expect(again.ciState).toBe('default');
    expect(again.created).toBeGreaterThan(compute.created!);
    expect(await shop.deploy('prod')).toBe('nothing');
  });
});
