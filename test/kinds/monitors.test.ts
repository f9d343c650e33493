// Monitors of a design (service-facts §4.5.4, §12.1): what a pack brings is written where it is and given back, also by the sweep of a commit; what is
// the stack's own is created and deleted; another user's change of one is nobody's to commit.
import { DIALECTS, routes } from '../../api/contract';
import type { Inputs } from '../../provider';
import type { State } from '../../provider/lifecycle';
import { testInTurn } from '../dialects-in-turn';
import { emptyStack, preview, run, type Stack } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld, kindOf, ROW } from '../world/world';
import { reviewIn } from '../world/drift-world';

const AT = { assembly: 'shop', platform: 'web', component: 'os' };
const IN = { organization: 'acme', ...AT };
const CPU = 'web-os-cpu';
const HIGH = { HighCpuUtil: { metric: 'CpuIdle', trigger: '<=5', reset: '>10' } };

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);

  const texts = async (name = CPU): Promise<Inputs | undefined> => {
    const list = await world.other.call(routes.monitors.list, { address: IN });
    return list.find(({ ciName }) => ciName === name)?.ciAttributes;
  };

  const owners = async (): Promise<Inputs> => {
    const list = await world.other.call(routes.monitors.list, { address: IN });
    return list.find(({ ciName }) => ciName === CPU)?.ciAttrProps?.owner ?? {};
  };

  const writtenByMaria = (ciAttributes: { readonly [name: string]: string }): Promise<unknown> =>
    world.other.call(routes.monitors.update, {
      address: { ...IN, monitor: CPU },
      body: { cms_dj_ci: { ciName: CPU, ciAttributes } },
    });

  describe('one record', () => {
    beforeEach(async () => {
      await world.prepare(kindOf('Component'));
      world.nextRun();
      world.requests();
    });

    const create = (args: Inputs): Promise<State> => world.life('Monitor').create({ ...AT, name: CPU, ...args }, ROW);

    test('what the pack brings is locked and written with one request, and given back with another', async () => {
      const before = await texts();
      world.requests();
      const made = await create({ thresholds: HIGH, sampleInterval: 60 });
      expect(world.writes()).toEqual(['PUT monitors.update']);
      expect(made.outputs['origin']).toBe('pack');
      expect(await texts()).toEqual({ ...before, thresholds: JSON.stringify(HIGH) });
      expect(await owners()).toEqual({ thresholds: 'design', sample_interval: 'design' });
      world.nextRun();
      world.requests();
      await world.life('Monitor').delete(made.id, made.outputs, ROW);
      expect(world.writes()).toEqual(['PUT monitors.update']);
      expect([await texts(), await owners()]).toEqual([before, {}]);
    });

    test('what somebody set and nobody declares outlives us', async () => {
      await writtenByMaria({ description: 'of Maria' });
      const made = await create({ sampleInterval: 30 });
      world.nextRun();
      await world.life('Monitor').delete(made.id, made.outputs, ROW);
      expect(await texts()).toMatchObject({ description: 'of Maria', sample_interval: '60' });
    });

    test('the short name of what the pack brings is refused with the whole one', async () => {
      const short = world.life('Monitor').create({ ...AT, name: 'cpu', thresholds: HIGH }, ROW);
      await expect(short).rejects.toThrow(/the pack brings the monitor "web-os-cpu"/);
      expect(world.writes()).toEqual([]);
    });

    test('another component’s monitor of that name is not taken for it', async () => {
      const made = await create({ sampleInterval: 30 });
      const elsewhere = { ...AT, component: 'compute', name: CPU };
      world.nextRun();
      await expect(world.life('Monitor').create({ ...elsewhere, cmd: 'check' }, ROW)).rejects.toThrow(/exists already/);
      const read = await world.life('Monitor').read(`acme/shop/web/compute/monitors/${CPU}`, made.outputs, ROW);
      expect(read).toBeUndefined();
    });
  });

  const shop = (monitors: { readonly [name: string]: Inputs }): StackSpec => ({
    platforms: { web: { components: { os: { monitors } } } },
  });

  test('a commit includes them, and gives back what left; then there is nothing to do', async () => {
    const declared = resourcesOf(shop({ [CPU]: { thresholds: HIGH }, heap: { cmd: 'check_heap' } }));
    const first = await run(world, emptyStack, declared);
    expect([first.errors, (await texts())?.['thresholds']]).toEqual([[], JSON.stringify(HIGH)]);
    world.nextRun();
    expect((await preview(world, first.stack, declared)).steps).toEqual([]);
    world.nextRun();
    const second = await run(world, first.stack, resourcesOf(shop({})));
    expect([second.errors, await texts('heap'), await owners()]).toEqual([[], undefined, {}]);
    const open = await world.other.call(routes.designReleases.latest, { address: IN });
    expect(open.releaseState).toBe('closed');
  });

  test('a change by another user that is open is not committed, and named', async () => {
    // The other dialect commits every write of a design by itself.
    if (dialect === 'documented') return;
    const before = shop({ [CPU]: { description: 'ours' } });
    const first = await run(world, emptyStack, resourcesOf(before));
    world.clock.advance(1000);
    await writtenByMaria({ sample_interval: '5' });
    world.nextRun();
    const after = shop({ [CPU]: { description: 'ours still' } });
    const second = await run(world, first.stack, resourcesOf(after));
    expect(second.errors.join()).toMatch(/monitor web\/os\/!web-os-cpu.*sample_interval there "5"/s);
  });

  describe('in an environment', () => {
    const THERE = { ...IN, environment: 'prod' };
    const inProd = (monitors: { readonly [name: string]: Inputs }, design: Inputs = {}): StackSpec => ({
      platforms: {
        web: { components: { os: { ...(Object.keys(design).length > 0 ? { monitors: { [CPU]: design } } : {}) } } },
      },
      environments: {
        prod: { clouds: { east: { priority: 1 } }, overrides: { web: { components: { os: { monitors } } } } },
      },
    });
    const there = async (): Promise<Inputs> => {
      const list = await world.other.call(routes.environmentMonitors.list, { address: THERE });
      return list.find(({ ciName }) => ciName === CPU) ?? {};
    };
    const up = async (stack: Stack, spec: StackSpec): Promise<Stack> => {
      world.nextRun();
      const done = await run(world, stack, resourcesOf(spec));
      expect(done.errors).toEqual([]);
      world.nextRun();
      expect((await preview(world, done.stack, resourcesOf(spec))).steps).toEqual([]);
      return done.stack;
    };

    test('other values are deployed, kept against the design, and given back by the deployment that sweeps them', async () => {
      const declared = { [CPU]: { sampleInterval: 10, thresholds: HIGH } };
      let stack = await up(emptyStack, inProd(declared));
      expect(await there()).toMatchObject({
        rfcAction: null,
        ciAttributes: { sample_interval: '10', thresholds: JSON.stringify(HIGH) },
        ciAttrProps: { owner: { sample_interval: 'manifest', thresholds: 'manifest' } },
      });
      stack = await up(stack, inProd(declared, { sampleInterval: 20, description: 'of the design' }));
      expect(await there()).toMatchObject({ ciAttributes: { sample_interval: '10', description: 'of the design' } });
      await up(stack, inProd({}, { sampleInterval: 20, description: 'of the design' }));
      expect(await there()).toMatchObject({
        rfcAction: null,
        ciAttributes: { sample_interval: '20' },
        ciAttrProps: {},
      });
    });

    test('a monitor that the design does not have is refused with what to do', async () => {
      const done = await run(world, emptyStack, resourcesOf(inProd({ cpu: { enable: false } })));
      expect(done.errors.join()).toMatch(/has no monitor "cpu"[^]*such as "web-os-cpu"/);
    });
  });

  test('moved to another component of its platform: refused with what to do, and done in two runs', async () => {
    const user = (username: string, isHolder: boolean) => ({
      type: 'user',
      attributes: { username },
      ...(isHolder ? { monitors: { logins: { cmd: 'check' } } } : {}),
    });
    const inComponent = (holder: string): StackSpec => ({
      platforms: {
        web: { components: { one: user('one', holder === 'one'), two: user('two', holder === 'two') } },
      },
    });
    let { stack } = await run(world, emptyStack, resourcesOf(inComponent('one')));
    const refused = await run(world, stack, resourcesOf(inComponent('two')));
    expect(refused.errors.join()).toMatch(/component "one" has the monitor of this name; to move it, first run/);
    for (const holder of ['none', 'two']) {
      const done = await run(world, stack, resourcesOf(inComponent(holder)));
      expect(done.errors).toEqual([]);
      stack = done.stack;
    }
    expect(await preview(world, stack, resourcesOf(inComponent('two')))).toEqual({ steps: [], errors: [] });
  });
});

// The relay that comes with an environment (service-facts §4.7.1 rule 7): written where it is, given back, and never mistaken for one that somebody set.
describe('relays', () => {
  const AT = { assembly: 'shop', environment: 'prod' };
  const IN = { organization: 'acme', ...AT };
  const OWN = { ...AT, name: 'default' };

  describe.each(DIALECTS)('%s', (dialect) => {
    const test = testInTurn(dialect);
    const world = eachWorld(dialect);

    beforeEach(async () => {
      await world.prepare(kindOf('Relay'));
      world.nextRun();
      world.requests();
    });

    const texts = async (): Promise<Inputs> => {
      const list = await world.other.call(routes.relays.list, { address: IN });
      return list.find(({ ciName }) => ciName === 'default')?.ciAttributes ?? {};
    };

    const create = (args: Inputs): Promise<State> => world.life('Relay').create({ ...OWN, ...args }, ROW);

    const writtenByMaria = (ciAttributes: { readonly [name: string]: string }): Promise<unknown> =>
      world.other.call(routes.relays.update, {
        address: { ...IN, relay: 'default' },
        body: { cms_ci: { ciName: 'default', ciAttributes } },
      });

    test('what nobody set is written with one request, and given back with another', async () => {
      const before = await texts();
      world.requests();
      const made = await create({ severity: ['critical'], emails: ['ops@acme.io'] });
      expect(world.writes()).toEqual(['PUT relays.update']);
      expect(made.outputs['origin']).toBe('pack');
      expect(await texts()).toEqual({ ...before, severity: 'critical', emails: 'ops@acme.io' });
      world.nextRun();
      world.requests();
      await world.life('Relay').delete(made.id, made.outputs, ROW);
      expect(world.writes()).toEqual(['PUT relays.update']);
      expect(await texts()).toEqual(before);
    });

    test('what is declared as it is anyway is not written', async () => {
      await create({ severity: ['critical', 'info', 'warning'], emails: ['team@acme.io'] });
      expect(world.writes()).toEqual([]);
    });

    test('what is no longer declared goes back, the address to the owner of the assembly', async () => {
      const made = await create({ severity: ['critical'], emails: ['ops@acme.io'] });
      world.nextRun();
      await world.life('Relay').update(made.id, made.outputs, { ...OWN, correlation: false }, ROW);
      expect(await texts()).toMatchObject({
        severity: 'info,warning,critical',
        emails: 'team@acme.io',
        correlation: 'false',
      });
    });

    test('one that somebody deleted is created again, and deleted with the stack', async () => {
      await world.other.call(routes.relays.delete, { address: { ...IN, relay: 'default' } });
      const made = await create({ severity: ['critical'] });
      expect(made.outputs['origin']).toBe('created');
      expect(await texts()).toMatchObject({ severity: 'critical', emails: 'team@acme.io' });
      world.nextRun();
      await world.life('Relay').delete(made.id, made.outputs, ROW);
      expect(await texts()).toEqual({});
    });

    test('a review reports relays that somebody made or set, and not the one that came with the environment', async () => {
      const made = await world.life('Relay').create({ ...AT, name: 'ops', emails: ['ops@acme.io'] }, ROW);
      const environment = await world.life('Environment').read('acme/shop/prod', undefined, ROW);
      const kept = [
        { token: 'Environment', name: 'prod', id: 'acme/shop/prod', ...environment },
        { token: 'Relay', name: 'ops', ...made },
      ] as Parameters<typeof reviewIn>[1];
      const found = async (): Promise<readonly string[]> => {
        world.nextRun();
        const { findings } = await reviewIn(world, kept);
        return findings.filter(({ kind }) => kind === 'Relay').map(({ address }) => address);
      };
      expect(await found()).toEqual([]);
      world.clock.advance(1000);
      await writtenByMaria({ enabled: 'false' });
      await world.other.call(routes.relays.create, {
        address: IN,
        body: { cms_ci: { ciName: 'watch', ciAttributes: { emails: 'maria@acme.io' } } },
      });
      expect(await found()).toEqual(['acme/shop/prod/relays/default', 'acme/shop/prod/relays/watch']);
    });
  });
});
