// What another user left open in an environment, at a service that lists no changes of releases: no run deploys it without a word.
import { DIALECTS, routes } from '../../api/contract';
import { testInTurn } from '../dialects-in-turn';
import { scaleByHand, switchByHand } from '../world/by-hand';
import { keptOf, reviewIn } from '../world/drift-world';
import { emptyStack, run, type Declared, type Run, type Stack } from '../world/engine-simulation';
import { reticent } from '../world/reticent';
import { resourcesOf, whenBusy, type StackSpec } from '../world/stack-spec';
import { eachWorld } from '../world/world';

const PROD = { assembly: 'shop', environment: 'prod' };
const WEB = { ...PROD, platform: 'web' };

const specOf = (size: string): StackSpec => ({
  platforms: { web: { pack: 'tomcat', components: { compute: { attributes: { size } } } }, db: { pack: 'mysql' } },
  environments: { prod: { clouds: { east: { priority: 1 } }, platformAvailability: { web: 'redundant' } } },
});

const BEFORE = specOf('M');
const AFTER = specOf('L');
const SWITCHED_ON: StackSpec = {
  ...BEFORE,
  environments: { prod: { ...BEFORE.environments?.['prod'], switches: { web: { enabled: true } } } },
};

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let stack: Stack;

  beforeEach(async () => {
    const made = await run(world, emptyStack, resourcesOf(BEFORE));
    expect(made.errors).toEqual([]);
    stack = made.stack;
    world.clock.advance(60_000);
  });

  const up = (declared: readonly Declared[] = resourcesOf(AFTER)): Promise<Run> =>
    run({ ...world, api: reticent(world.api) }, stack, declared);

  const machines = async (): Promise<number> => {
    const query = { instances_state: 'all' };
    const all = await world.other.call(routes.operations.environmentInstances, { address: PROD, query });
    return all.filter(({ ciName, nsPath }) => ciName.startsWith('compute') && nsPath.includes('/web/')).length;
  };

  const scale = (): Promise<void> => scaleByHand(world, { current: '1' });
  const disable = (): Promise<void> => switchByHand(world, 'disable', 'web');

  const monitor = async (): Promise<void> => {
    const address = { ...WEB, component: 'compute' };
    const [first] = await world.other.call(routes.environmentMonitors.list, { address });
    const body = { cms_dj_ci: { ciName: first?.ciName, ciAttributes: { sample_interval: '17' } } };
    await world.other.call(routes.environmentMonitors.update, {
      address: { ...address, monitor: String(first?.ciName) },
      body,
    });
  };

  const CHANGES = [
    {
      what: 'scaling',
      act: scale,
      words: /scaling of compute in platform web: update by maria at \S+: current there "1"/,
    },
    {
      what: 'a switch',
      act: disable,
      words: /a change in release \d+ that the service does not list, [^:]*: update by maria at/,
    },
    { what: 'a monitor', act: monitor, words: /monitor web\/compute\/\S+: update by maria at/ },
  ];

  test.each(CHANGES)('$what of another user stops the run, which names it', async ({ act, words }) => {
    const before = await machines();
    await act();
    expect((await up()).errors.join('\n')).toMatch(words);
    expect(await machines()).toBe(before);
  });

  test.each(CHANGES)(
    '$what of another user is committed along where whenBusy says so, and named',
    async ({ act, words }) => {
      await act();
      expect((await up(whenBusy(AFTER, 'proceed'))).notices.join('\n')).toMatch(words);
    },
  );

  test('a switch that another change of its release could hide is named with it', async () => {
    await monitor();
    await disable();
    const { notices } = await up(whenBusy(AFTER, 'proceed'));
    expect(notices.join('\n')).toMatch(/monitor web\/compute\/\S+: update by maria/);
    expect(notices.join('\n')).toMatch(/perhaps another change in release \d+ that the service does not list/);
  });

  test.each([
    ['nobody declares', BEFORE],
    ['the stack declares', SWITCHED_ON],
  ])('a review says that a switch that %s is not known while a release is open, and invents none', async (_, spec) => {
    stack = (await up(resourcesOf(spec))).stack;
    const reviewed = () => reviewIn({ ...world, api: reticent(world.api) }, keptOf(stack));
    expect(await reviewed()).toMatchObject({ findings: [], unread: [], outcome: 'in-sync' });
    await monitor();
    await disable();
    const { outcome, findings, unread } = await reviewed();
    expect(findings.filter(({ attribute }) => attribute === 'enabled')).toEqual([]);
    expect(unread.map(({ address, reason }) => `${address}: ${reason}`).sort()).toEqual([
      expect.stringMatching(/^acme\/shop\/prod\/db: the value of enabled is not known: release \d+ is not committed/),
      expect.stringMatching(/^acme\/shop\/prod\/web: the value of enabled is not known: release \d+ is not committed/),
    ]);
    expect(outcome).toBe('incomplete');
  });

  test('what a killed run of this stack scaled is committed before the next pull, and named', async () => {
    const scaled = (size: string, current: number): readonly Declared[] => {
      const { prod } = AFTER.environments ?? {};
      const switches = { web: { scale: { compute: { current } } } };
      return resourcesOf({ ...specOf(size), environments: { prod: { ...prod, switches } } });
    };
    stack = (await up(scaled('M', 3))).stack;
    const killed = await run({ ...world, api: reticent(world.api) }, stack, scaled('M', 4), { killAfter: 1 });
    expect(killed.killed).toBe(true);
    stack = killed.stack;
    const done = await up(scaled('L', 4));
    expect(done.errors).toEqual([]);
    expect(done.notices.join('\n')).toContain('scaling of compute in platform web: update by admin');
    expect(await machines()).toBe(4);
  });
});
