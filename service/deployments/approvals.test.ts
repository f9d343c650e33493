// Approvals and the newer way to deploy: who is asked, what follows, what is only planned.
import { type Approval, type Deployment, type Environment } from '../../api/contract';
import { eachDialectInTurn } from '../../test/dialects-in-turn';
import { type Reply } from '../../test/service-caller';
import { type Shop, shopFor, record, change, recordChange } from '../../test/shop';

const TOKEN = 'open sesame';
const ASKING = { approval: 'true', approval_auth_type: 'none' };
const [EAST, WEST] = ['/acme/_clouds/east!gate', '/acme/_clouds/west!gate'];

eachDialectInTurn(1, (dialect, classic) => {
  const shop: Shop = shopFor('each', dialect, async () => {
    await shop.build({ web: {} }, { east: '1', west: '1' });
  });

  const support = (cloud: string, attributes: object = {}): Promise<unknown> =>
    shop.ok(shop.send('POST', `/acme/clouds/${cloud}/supports`, record('gate', { ...ASKING, ...attributes })));
  const approvals = (id: number): Promise<Approval[]> => shop.show<Approval[]>(`/deployments/${id}/approvals`);
  const stateOf = async (id: number): Promise<string> =>
    (await shop.show<Deployment>(`/deployments/${id}/status`)).deploymentState;
  const settle = (id: number, ...settled: object[]): Promise<Reply> =>
    shop.prod('PUT', `/deployments/${id}/approvals/settle`, { approvals: settled });

  describe('approvals', () => {
    test('are one for each cloud whose support asks for it; the deployment waits and nothing runs', async () => {
      await support('east');
      await support('west', { approval: 'false' });
      const id = await shop.begin();
      expect(await stateOf(id)).toBe('pending');
      expect(await approvals(id)).toMatchObject([
        {
          deploymentId: id,
          state: 'pending',
          isExpired: false,
          expiresIn: -1,
          governCiJson: expect.stringContaining('gate'),
        },
      ]);
      shop.clock.advance(3_600_000);
      expect(await shop.running('prod')).toEqual([]);
      expect((await shop.prod('POST', '/commit', {})).status).toBe(422);
    });

    test('are not requested by a support that is off, nor by one of a cloud that is not reached', async () => {
      await support('east', { enabled: 'false' });
      await shop.ok(
        shop.send('POST', '/acme/clouds', record('north', { location: '/public/oneops/clouds/ec2-us-east-1' })),
      );
      await support('north');
      expect(await stateOf(await shop.begin())).toBe('active');
    });

    test('one refused cancels the deployment, and its release', async () => {
      await support('east');
      await support('west');
      const id = await shop.begin();
      const settled = await settle(id, { approvalId: WEST, state: 'rejected' });
      expect(settled.body).toMatchObject([{ state: 'rejected' }]);
      expect(await stateOf(id)).toBe('canceled');
      const bom = await shop.show('/releases/bom?latest=true');
      expect(bom).toMatchObject({ releaseState: 'canceled' });
      expect((await settle(id, { approvalId: EAST, state: 'approved' })).status).toBe(422);
    });

    test('that need a token are not given without it, nor by its mask', async () => {
      await support('east', { approval_auth_type: 'token', approval_token: TOKEN });
      const id = await shop.begin();
      const [approval] = await approvals(id);
      expect(approval?.governCiJson).not.toContain(TOKEN);
      for (const token of [undefined, '', 'wrong', '--ENCRYPTED--'])
        expect((await settle(id, { approvalId: approval!.approvalId, state: 'approved', token })).status).toBe(422);
      expect((await shop.ask(id, 'active')).status).toBe(422);
      expect(await stateOf(id)).toBe('pending');
      await shop.ok(settle(id, { approvalId: approval!.approvalId, state: 'approved', token: TOKEN }));
      expect(await stateOf(id)).toBe('active');
    });

    test('that need none are given by asking for active', async () => {
      await support('east');
      const id = await shop.begin();
      expect((await shop.ask(id, 'active')).body).toMatchObject({ deploymentState: 'active' });
      expect(await approvals(id)).toMatchObject([{ state: 'approved' }]);
    });

    test('given by all, start the deployment; given by some, or run out, do not', async () => {
      await support('east');
      await support('west');
      const id = await shop.begin();
      const [east, west] = await approvals(id);
      const fine = { state: 'approved', comments: 'fine' };
      await shop.ok(settle(id, { ...fine, approvalId: east!.approvalId, expiresIn: 10 }));
      expect(await stateOf(id)).toBe('pending');
      expect((await approvals(id))[0]).toMatchObject({ ...fine, updatedBy: 'admin' });
      shop.clock.advance(11 * 60_000);
      expect((await approvals(id))[0]).toMatchObject({ state: 'expired', isExpired: true });
      await shop.ok(settle(id, { approvalId: String(west!.approvalId), state: 'approved' }));
      expect(await stateOf(id)).toBe('pending');
      await shop.ok(settle(id, { approvalId: east!.approvalId, state: 'approved' }));
      expect(await stateOf(id)).toBe('active');
    });

    test.each([
      ['an unknown approval', { approvalId: 1, state: 'approved' }, 422],
      ['another word', { approvalId: EAST, state: 'perhaps' }, 400],
      ['minutes that are none', { approvalId: EAST, state: 'approved', expiresIn: 'soon' }, 400],
    ])('%s settles nothing', async (_, settlement, status) => {
      await support('east');
      const id = await shop.begin();
      expect((await settle(id, settlement)).status).toBe(status);
      expect(await stateOf(id)).toBe('pending');
    });
  });

  test('a work order canceled by hand lets the deployment fail; a retry carries it out', async () => {
    const machine = async (): Promise<string> =>
      String((await shop.instances('prod')).find(({ ciName }) => ciName.startsWith('compute'))!.ciId);
    const cancel = (instance: string): Promise<Reply> =>
      shop.send(
        'PUT',
        `/acme/assemblies/shop/operations/environments/prod/platforms/web/components/compute/instances/${instance}/cancel_deployment`,
      );
    await shop.deploy('prod');
    await shop.ok(shop.prod('PUT', '/platforms/web/components/compute', change({ size: 'L' })));
    const id = await shop.begin();
    const instance = await machine();
    expect((await cancel(instance)).body).toMatchObject([{ deploymentId: id, dpmtRecordState: 'canceled' }]);
    expect((await cancel(instance)).status).toBe(422);
    await shop.until('prod', id, 'failed');
    const sizes = async (): Promise<unknown[]> =>
      (await shop.instances('prod'))
        .filter(({ ciName }) => ciName.startsWith('compute'))
        .map((each) => each.ciAttributes['size']);
    expect((await sizes()).sort()).toEqual(['L', 'S']);
    await shop.ask(id, 'active');
    await shop.until('prod', id, 'complete');
    expect(await sizes()).toEqual(['L', 'L']);
    // What the machines have follows their size.
    const capacities = (await shop.instances('prod'))
      .filter(({ ciName }) => ciName.startsWith('compute'))
      .map(({ ciAttributes }) => [ciAttributes['cores'], ciAttributes['ram']]);
    expect(capacities).toEqual([
      ['4', '8192'],
      ['4', '8192'],
    ]);
  });

  describe('the newer way to deploy', () => {
    const resize = (size: string): Promise<Reply> =>
      shop.prod('PUT', '/platforms/web/components/compute', change({ size }));
    const plan = (
      body?: object,
    ): Promise<{ release: object | null; rfcs: { cis: { rfcAction: string; ciName: string }[] } }> =>
      shop.ok(body === undefined ? shop.prod('GET', '/deployments/bom') : shop.prod('POST', '/deployments/bom', body));
    const go = (body: object = { cms_deployment: { comments: 'go' } }): Promise<Reply> =>
      shop.prod('POST', '/deployments', body);

    test('a plan shows what would be done, and stores nothing', async () => {
      await shop.deploy('prod');
      await resize('L');
      expect((await plan()).release).toBeNull();
      const planned = await plan({ commit: 'true' });
      expect(planned.rfcs.cis.map(({ ciName, rfcAction }) => [ciName.split('-')[0], rfcAction])).toEqual(
        expect.arrayContaining([['compute', 'update']]),
      );
      expect((await shop.show<Environment>('')).ciState).toBe('replace');
      const bom = await shop.prod('GET', '/releases/bom');
      expect(classic ? bom.status : (bom.body as { releaseState: string }).releaseState).toBe(classic ? 404 : 'closed');
      expect(await plan()).toMatchObject({ release: { releaseState: 'open' } });
    });

    test('locks immediately, deploys what is committed only, leaves a platform out, and with nothing to do makes no deployment', async () => {
      const web = await shop.manifest('prod', 'web');
      await plan({ commit: 'true', desc: 'first' });
      await go({ cms_deployment: {}, exclude_platforms: String(web.ciId) });
      await shop.settled('prod');
      expect((await shop.prod('GET', '/deployments/latest')).status).toBe(404);
      expect((await go()).body).toMatchObject({ ciName: 'prod', ciState: 'locked', comments: '' });
      expect((await go()).status).toBe(422);
      await shop.settled('prod');
      const latest = await shop.show<Deployment>('/deployments/latest');
      expect(latest).toMatchObject({ deploymentState: 'active', comments: 'go', createdBy: 'admin' });
      expect((await go()).status).toBe(422);
      await shop.until('prod', latest.deploymentId, 'complete');
      expect(await shop.running('prod')).toHaveLength(10);
      await resize('L');
      await go();
      await shop.settled('prod');
      expect(await shop.show<Deployment[]>('/deployments')).toHaveLength(1);
    });

    test('a plan that cannot be built is reported: at once, or in the environment', async () => {
      await shop.ok(shop.prod('PUT', '/platforms/web/components/compute', change({ size: '$OO_LOCAL{none}' })));
      const refused = await shop.prod('POST', '/deployments/bom', { commit: 'true' });
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('(6002)')]);
      // The refusal took the commit of the manifest back, too.
      expect((await shop.manifest('prod', 'web'))['rfcAction']).toBe('add');
      await shop.commit('prod');
      await go();
      expect((await shop.settled('prod')).comments).toMatch(/^ERROR:BOM:.*\(6002\)/);
    });

    test('one component is deployed immediately only where deployment is continuous', async () => {
      await shop.deploy('prod');
      const deploy = (): Promise<Reply> => shop.prod('POST', '/platforms/web/components/compute/deploy');
      const errors = ['Continuous deployment is not turned on for this environment'];
      expect(await deploy()).toMatchObject({ status: 422, body: { errors } });
      await shop.ok(shop.prod('PUT', '', recordChange({ codpmt: 'true' })));
      expect((await deploy()).body).toMatchObject({ ciName: 'compute', rfcAction: 'update' });
      await shop.settled('prod');
      const latest = await shop.show<Deployment>('/deployments/latest');
      await shop.until('prod', latest.deploymentId, 'complete');
      expect(latest.comments).toContain('compute');
    });
  });
});
