// Laws of attachments at work: which run at which event, in which order, and what if one fails.
import { type Instance, type Procedure, type Record as WireRecord } from '../../api/contract';
import { eachDialectInTurn } from '../../test/dialects-in-turn';
import { type Shop, shopFor, change, flowOf } from '../../test/shop';

interface Shown {
  readonly attachmentName: string;
  readonly event: string;
  readonly path: string;
  readonly exec_cmd: string;
  readonly state: string;
  readonly comments: string | null;
}

const P = '/acme/assemblies/shop/operations/environments/prod/platforms/web';

eachDialectInTurn(0, (dialect, classic) => {
  const attach = (name: string, on: string, facts: object = {}): Promise<unknown> =>
    shop.ok(shop.attach('web/os', name, { path: `/opt/${name}`, ...facts }, on));
  const shop: Shop = shopFor('each', dialect, async () => {
    await shop.assembly();
    await shop.platform('web');
    await attach('late', 'after-add', { priority: '10', exec_cmd: 'sh /opt/late $OO_LOCAL{x}', content: 'top secret' });
    await attach('soon', 'after-add,after-update,before-delete', { priority: '2', source: 'http://files/soon' });
    await attach('first', 'before-add, on-demand', { priority: '99', content: 'echo hi', exec_cmd: 'sh /opt/first' });
    await attach('around', 'on-demand', { run_on_action: '["before-repair","after-repair"]', exec_cmd: 'true' });
    await shop.commitDesign();
    await shop.ok(shop.createEnvironment('prod', { east: '1' }));
  });

  const get = <T>(path: string): Promise<T> => shop.get<T>(path);
  const os = async (): Promise<Instance & { readonly attachments: readonly Shown[] }> => {
    const [listed] = await get<WireRecord[]>(`${P}/components/os/instances?instances_state=all`);
    return get(`${P}/components/os/instances/${listed?.ciId}`);
  };
  const names = (shown: readonly Shown[]): string[] =>
    shown.map(({ attachmentName, event, state }) => `${event} ${attachmentName} ${state}`);
  const logsOf = async (path: string): Promise<string[]> =>
    (await get<{ logData: { level: string; message: string }[] }[]>(path)).flatMap(({ logData }) =>
      logData.map(({ level, message }) => `${level} ${message}`),
    );
  /** Commits, deploys, and returns the work order of the component's instance. */
  const deploy = async (): Promise<{ state: string; comments: string | null; ran: Shown[]; logs: string[] }> => {
    const { bom } = await shop.commit('prod');
    const change = bom?.changes.find(({ ciName }) => ciName.startsWith('os-'));
    const id = await shop.start('prod');
    if (classic && change !== undefined) {
      const { rfc_cis: changes } = await get<{ rfc_cis: { rfcId: number; deployment: { attachments: Shown[] } }[] }>(
        shop.at('prod', `/deployments/${id}`),
      );
      const planned = changes.find(({ rfcId }) => rfcId === change['rfcId'])?.deployment.attachments ?? [];
      expect(planned.every(({ state }) => state === 'pending')).toBe(true);
    }
    const { deploymentState, rfc_info: orders } = await shop.until('prod', id, 'complete', 'failed');
    const order = orders[String(change?.['rfcId'])] as unknown as { comments: string | null; attachments: Shown[] };
    return {
      state: deploymentState,
      comments: order.comments,
      ran: order.attachments,
      logs: await logsOf(shop.at('prod', `/deployments/${id}/log_data?rfcId=${String(change?.['rfcId'])}`)),
    };
  };

  test('run around the birth of an instance by event, then by priority as a number', async () => {
    const { state, ran, logs } = await deploy();
    expect(state).toBe('complete');
    const expected = ['before-add first complete', 'after-add soon complete', 'after-add late complete'];
    expect([names(ran), names((await os()).attachments)]).toEqual([expected, expected]);
    expect(logs.slice(1, -1)).toEqual([
      'INFO attachment first (before-add, priority 99): saved its content to /opt/first',
      'INFO attachment first (before-add, priority 99): ran sh /opt/first',
      'INFO attachment soon (after-add, priority 2): saved its source to /opt/soon',
      'INFO attachment late (after-add, priority 10): saved its content to /opt/late',
      'INFO attachment late (after-add, priority 10): ran sh /opt/late $OO_LOCAL{x}',
    ]);
    expect(logs.join()).not.toContain('top secret');
  });

  test('run at a change, at a replacement and at the end, each at its own event', async () => {
    await deploy();
    await shop.ok(shop.prod('PUT', '/platforms/web/components/os', change({ timezone: 'PST' })));
    expect(names((await deploy()).ran)).toEqual(['after-update soon complete']);
    const { ciId } = await os();
    await shop.send('PUT', '/acme/operations/instances/state', { ids: [ciId], state: 'replace' });
    const replaced = names((await deploy()).ran);
    expect(replaced).toEqual(
      classic
        ? []
        : [
            'before-delete soon complete',
            'before-add first complete',
            'after-add soon complete',
            'after-add late complete',
          ],
    );
    const { ciId: platform } = await shop.manifest('prod', 'web');
    await shop.ok(shop.prod('PUT', '/disable', { platformCiIds: [platform] }));
    expect(names((await deploy()).ran)).toEqual(['before-delete soon complete']);
  });

  test.each(['web/os/soon', 'web/os/soon#after-add', 'prod/web/os@east/soon'])(
    'one that fails (%s) fails its order, those behind it do not run, and a retry runs all of them',
    async (match) => {
      shop.service.faults.set([{ effect: 'fail-deployment', record: match, message: 'disk full', times: 1 }]);
      const failed = await deploy();
      expect([failed.state, failed.comments]).toEqual(['failed', 'attachment soon failed at after-add: disk full']);
      expect(names(failed.ran)).toEqual(['before-add first complete', 'after-add soon failed']);
      expect(failed.logs).toContain('ERROR attachment soon (after-add, priority 2): disk full');
      expect((await shop.running('prod')).filter((each) => each.startsWith('web/os'))).toEqual([]);
      const { deploymentId } = await get<{ deploymentId: number }>(shop.at('prod', '/deployments/latest'));
      await shop.ask(deploymentId, 'active');
      await shop.until('prod', deploymentId, 'complete');
      expect(names((await os()).attachments).slice(2)).toEqual([
        'before-add first complete',
        'after-add soon complete',
        'after-add late complete',
      ]);
    },
  );

  test('a fault at another event, component or attachment strikes nothing', async () => {
    const elsewhere = ['web/os/soon#after-update', 'web/compute/soon', 'web/os/other', 'db/os/soon'];
    shop.service.faults.set(elsewhere.map((record) => ({ effect: 'fail-deployment', record, message: 'no' })));
    expect((await deploy()).state).toBe('complete');
  });

  describe('as actions', () => {
    const act = async (actionName: string, extraInfo?: string): Promise<{ procedure: Procedure; logs: string[] }> => {
      const { ciId } = await get<WireRecord>(`${P}/components/os`);
      const definition = flowOf([{ actionName, extraInfo, isCritical: true }]);
      const { procedureId } = await shop.ok<Procedure>(shop.run(ciId, { definition }));
      shop.clock.advance(60_000);
      const path = `/acme/operations/procedures/${procedureId}`;
      return { procedure: await get<Procedure>(path), logs: await logsOf(`${path}/log_data`) };
    };
    const onDemand = async (name: string): Promise<string> => {
      const actions = await get<{ actionId: number; description: string }[]>(`${P}/components/os/actions`);
      return String(actions.find(({ description }) => description === name)?.actionId);
    };
    beforeEach(async () => {
      await deploy();
    });

    test('run on demand, and only the one that is named', async () => {
      const { procedure, logs } = await act('user-custom-attachment', await onDemand('first'));
      expect(procedure.procedureState).toBe('complete');
      expect(logs).toContain('INFO attachment first (on-demand, priority 99): ran sh /opt/first');
      expect(names((await os()).attachments).slice(3)).toEqual(['on-demand first complete']);
    });

    test('fail their action on demand', async () => {
      shop.service.faults.set([{ effect: 'fail-deployment', record: 'web/os/first#on-demand', message: 'no shell' }]);
      const { procedure, logs } = await act('user-custom-attachment', await onDemand('first'));
      expect(procedure.procedureState).toBe('failed');
      expect(logs).toContain('ERROR attachment first failed at on-demand: no shell');
    });

    test('run around the action they name', async () => {
      expect((await act('repair')).procedure.procedureState).toBe('complete');
      expect(names((await os()).attachments).slice(3)).toEqual([
        'before-repair around complete',
        'after-repair around complete',
      ]);
    });
  });
});
