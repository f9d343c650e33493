// Somebody's uncommitted edits of what a stack declares: an unrelated run stops, says so, or sets them back, and deploys none of them in silence.
import { DIALECTS, routes } from '../../api/contract';
import { testInTurn } from '../dialects-in-turn';
import { actingBefore, configureByHand } from '../world/by-hand';
import { emptyStack, run, type Declared, type Run, type RunOptions, type Stack } from '../world/engine-simulation';
import { SHOP, withComponents, withDeployer, withProd, CHANGED, MOTD } from '../world/shop-spec';
import { resourcesOf, whenBusy, withArgs, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { eachWorld, type World } from '../world/world';

const DESIGN = { assembly: 'shop' };
const PROD = { assembly: 'shop', environment: 'prod' };
const COMPUTE = { ...DESIGN, platform: 'web', component: 'compute' };

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let stack: Stack;

  beforeEach(() => {
    stack = emptyStack;
  });

  const up = async (declared: readonly Declared[], options?: RunOptions): Promise<Run> => {
    const done = await run(world, stack, declared, options);
    stack = done.stack;
    return done;
  };

  const fine = async (spec: StackSpec, options?: RunOptions): Promise<void> => {
    expect((await up(resourcesOf(spec), options)).errors).toEqual([]);
    expect(await differences(world, spec)).toEqual([]);
  };

  const overwriting = (spec: StackSpec): readonly Declared[] =>
    withArgs(resourcesOf(spec), ['Component', 'Variable', 'Attachment', 'Platform'], { overwrite: true });

  const resize = async (size: string, name = 'size'): Promise<void> => {
    const { ciId } = await world.other.call(routes.components.read, { address: COMPUTE });
    const body = { cms_dj_ci: { ciId, ciName: 'compute', ciAttributes: { [name]: size } } };
    await world.other.call(routes.components.update, { address: COMPUTE, body });
  };

  const runningSizes = async (): Promise<readonly unknown[]> => {
    const address = PROD;
    const all = await world.api.call(routes.operations.environmentInstances, {
      address,
      query: { instances_state: 'all' },
    });
    return all
      .filter(({ nsPath, ciName }) => nsPath.includes('/web/') && ciName.startsWith('compute'))
      .map(({ ciAttributes }) => ciAttributes['size']);
  };

  if (dialect === 'classic') {
    test('of a declared attribute: an unrelated run stops, and names it', async () => {
      await fine(SHOP);
      await resize('XL');
      const done = await up(resourcesOf(CHANGED));
      expect(done.errors.join('\n')).toMatch(
        /DesignRelease::shop: [^]*component web\/compute: update by maria at 2026-\S+: size there "XL", declared "M"/,
      );
      expect(new Set(await runningSizes())).toEqual(new Set(['M']));
    });

    test('of a declared attribute: set back where overwrite says so, and the row says it', async () => {
      await fine(SHOP);
      await up(overwriting(SHOP));
      await resize('XL');
      const done = await up(overwriting(CHANGED));
      expect(done.errors).toEqual([]);
      expect(done.notices.join('\n')).toMatch(
        /DesignRelease acme\/shop: set back before the commit of the design, as overwrite says:\n {2}component web\/compute: update by maria at/,
      );
      expect(await differences(world, CHANGED)).toEqual([]);
      expect(new Set(await runningSizes())).toEqual(new Set(['M']));
    });

    test('of an attribute next to the declared one: not set back by overwrite, and stops the run', async () => {
      await fine(SHOP);
      await up(overwriting(SHOP));
      await resize('{"80":"80"}', 'ports');
      expect((await up(overwriting(CHANGED))).errors.join('\n')).toMatch(
        /component web\/compute: update by maria at \S+: ports there/,
      );
    });

    test('of a declared record that they delete: stops the run', async () => {
      await fine(SHOP);
      const address = { ...DESIGN, platform: 'web', component: 'deployer', attachment: 'motd' };
      await world.other.call(routes.attachments.delete, { address });
      const other = withComponents({ compute: { attributes: { size: 'L' } } });
      expect((await up(resourcesOf(other))).errors.join('\n')).toMatch(/attachment web\/deployer\/motd: delete/);
      await fine(other, { refresh: true });
    });

    test('of a monitor, which nothing declares: stops the run', async () => {
      await fine(SHOP);
      const [monitor] = await world.other.call(routes.monitors.list, { address: COMPUTE });
      const address = { ...COMPUTE, monitor: String(monitor?.ciId) };
      const body = {
        cms_dj_ci: { ciId: monitor?.ciId ?? 0, ciName: monitor?.ciName ?? '', ciAttributes: { enable: 'false' } },
      };
      await world.other.call(routes.monitors.update, { address, body });
      expect((await up(resourcesOf(CHANGED))).errors.join('\n')).toMatch(/monitor web\/compute\/!\S+: update by maria/);
    });
  }

  const DPMT = withProd({ platforms: { web: { east: { dpmtOrder: 3 } } } });

  test('of a cloud configuration, between our pull and our commit: the run stops, and nothing of it is deployed', async () => {
    await fine(DPMT);
    const edit = () => configureByHand(world, 'web', 'east', { dpmt_order: '9' });
    const changed = { ...CHANGED, environments: DPMT.environments ?? {} };
    const held = actingBefore(world, routes.deployments.latest, edit);
    const done = await run(held, stack, resourcesOf(changed));
    stack = done.stack;
    expect(done.errors.join('\n')).toMatch(
      /Deployment::prod: [^]*cloud east of platform web: update by \w+ at \S+: dpmt_order there "9", declared "3"/,
    );
    // Left open, and then committed before the next pull: still compared with what is declared.
    const more = {
      ...withDeployer({ attachments: { motd: { ...MOTD, content: 'more' } } }),
      environments: DPMT.environments ?? {},
    };
    const next = await up(resourcesOf(more));
    expect(next.errors.join('\n')).toMatch(/cloud east of platform web/);
    await fine(more, { refresh: true });
  });

  test('of a variable of an environment, between our pull and our commit: the run stops', async () => {
    const spec = { ...withProd({ variables: { LEVEL: 'info' } }), variables: { LEVEL: 'warn' } };
    await fine(spec);
    const edit = async () => {
      const address = { ...PROD, variable: 'LEVEL' };
      const { ciId } = await world.other.call(routes.environmentVariables.read, { address });
      const body = { cms_dj_ci: { ciId, ciName: 'LEVEL', ciAttributes: { value: 'debug' } } };
      await world.other.call(routes.environmentVariables.update, { address, body });
    };
    const changed = { ...CHANGED, variables: spec.variables, environments: spec.environments ?? {} };
    const done = await run(actingBefore(world, routes.deployments.latest, edit), stack, resourcesOf(changed));
    stack = done.stack;
    expect(done.errors.join('\n')).toMatch(
      /Deployment::prod: [^]*variable \$LEVEL: update by maria at \S+: value there "debug", declared "info"/,
    );
    await fine(changed, { refresh: true });
  });

  const LISTS =
    /platforms\.diff|environmentAttachments\.list|environmentPlatforms\.(components|read)|Variables\.list|environments\.timeline|environmentReleases\.(latest|read)/;

  test('a look reads the open release, and the one platform of the design that it changes', async () => {
    await fine(SHOP);
    world.requests();
    expect((await up(resourcesOf(CHANGED))).errors).toEqual([]);
    const asked = world.requests();
    expect(asked.filter((request) => LISTS.test(request))).toEqual(
      // Design writes take effect immediately there, and the newest release of an environment is a plan.
      dialect === 'classic'
        ? ['GET platforms.diff', 'GET environmentReleases.latest']
        : ['GET environments.timeline', 'GET environmentReleases.read'],
    );
    // Half of them are polls; what others committed is asked of the lists of releases, and after the roll-out the plan, the platforms and the instances
    // are each looked at once.
    expect(asked.filter((request) => request.startsWith('GET ')).length).toBeLessThanOrEqual(45);
  });

  test('where no release shows its changes, a look reads each platform once, and the attachments of components that have some', async () => {
    await fine(SHOP);
    world.requests();
    const untold: World['api']['call'] = async (route, input) => {
      const answer = await world.api.call(route, input);
      if (!/Releases\.(latest|read)$/.test(route.name)) return answer;
      const { rfc_cis: _, rfc_relations: __, ...release } = answer as { readonly [name: string]: unknown };
      return release as typeof answer;
    };
    const done = await run({ ...world, api: { ...world.api, call: untold } }, stack, resourcesOf(CHANGED));
    stack = done.stack;
    expect(done.errors).toEqual([]);
    const asked = world.requests();
    const count = (request: string): number => asked.filter((each) => each === request).length;
    const [platforms, withAttachments] = [2, 1];
    expect({
      diff: count('GET platforms.diff'),
      attachments: count('GET environmentAttachments.list'),
      components: count('GET environmentPlatforms.components'),
      variables: count('GET environmentPlatformVariables.list'),
    }).toEqual({ diff: platforms, attachments: withAttachments, components: platforms, variables: platforms });
    expect(count('GET components.list') + count('GET platformVariables.list')).toBe(0);
  });

  test('committed, too, before a pull: what the pull overwrites is called that', async () => {
    await fine(SHOP);
    const address = { ...PROD, platform: 'db', component: 'compute' };
    const { ciId } = await world.other.call(routes.environmentPlatforms.component, { address });
    const body = { cms_dj_ci: { ciId, ciName: 'compute', ciAttributes: { size: 'XL' } } };
    await world.other.call(routes.environmentPlatforms.updateComponent, { address, body });
    const done = await up(whenBusy(CHANGED, 'proceed'));
    expect(done.errors).toEqual([]);
    expect(done.notices.join('\n')).toMatch(
      /overwritten by the pull with the design's values:\n {2}component db\/compute: update by maria at \S+: size there "XL"/,
    );
    expect(done.notices.join('\n')).not.toMatch(/committed along/);
    const now = await world.other.call(routes.environmentPlatforms.component, { address });
    expect(now.ciAttributes['size']).not.toBe('XL');
  });
});
