// Other people at the same design and environment: what they left open, what they lock, deploy and own is never included without a word.
import { DIALECTS, routes } from '../../api/contract';
import { testInTurn } from '../dialects-in-turn';
import { actingBefore, configureByHand } from '../world/by-hand';
import {
  drift,
  emptyStack,
  preview,
  run,
  type Declared,
  type Run,
  type RunOptions,
  type Stack,
} from '../world/engine-simulation';
import { CHANGED, EAST, MOTD, SHOP, withComponents, withDeployer, withProd } from '../world/shop-spec';
import { resourcesOf, whenBusy, withArgs, type StackSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { eachWorld, type World } from '../world/world';

const DESIGN = { assembly: 'shop' };
const PROD = { assembly: 'shop', environment: 'prod' };

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
  const staged = dialect === 'classic';
  const world = eachWorld(dialect);
  let stack: Stack;

  beforeEach(() => {
    stack = emptyStack;
  });

  const upAs = async (declared: readonly Declared[], options?: RunOptions, within = world): Promise<Run> => {
    world.requests();
    const done = await run(within, stack, declared, options);
    stack = done.stack;
    return done;
  };

  const up = (spec: StackSpec, options?: RunOptions): Promise<Run> => upAs(resourcesOf(spec), options);

  const fine = async (spec: StackSpec): Promise<void> => {
    expect((await up(spec)).errors).toEqual([]);
    expect(await differences(world, spec)).toEqual([]);
  };

  const openRelease = () => world.other.call(routes.designReleases.latest, { address: DESIGN });

  const commitDesign = async (verb: 'commit' | 'discard' = 'commit') => {
    const { releaseId } = await openRelease();
    const address = { ...DESIGN, release: String(releaseId) };
    await world.other.call(routes.designReleases[verb], { address });
  };

  /** Maria changes a component the stack does not declare, in the design. */
  const editDesign = async (size = 'XL') => {
    const address = { ...DESIGN, platform: 'db', component: 'compute' };
    const { ciId } = await world.other.call(routes.components.read, { address });
    const body = { cms_dj_ci: { ciId, ciName: 'compute', ciAttributes: { size } } };
    await world.other.call(routes.components.update, { address, body });
  };

  /** The same in the environment, locked against pulls or not. */
  const editEnvironment = async (locked: boolean, size = 'XL') => {
    const address = { ...PROD, platform: 'db', component: 'compute' };
    const { ciId } = await world.other.call(routes.environmentPlatforms.component, { address });
    const ciAttrProps = { owner: { size: 'manifest' } };
    const body = {
      cms_dj_ci: { ciId, ciName: 'compute', ciAttributes: { size }, ...(locked ? { ciAttrProps } : {}) },
    };
    await world.other.call(routes.environmentPlatforms.updateComponent, { address, body });
  };

  const commitEnvironment = async () => {
    await world.other.call(routes.environments.commit, { address: PROD, body: {} });
    world.clock.advance(5_000);
  };

  const componentOf = (action: 'open' | 'none') => async () => {
    const list = await world.other.call(routes.components.list, { address: { ...DESIGN, platform: 'db' } });
    expect(Boolean(list.find(({ ciName }) => ciName === 'compute')?.rfcAction)).toBe(action === 'open');
  };

  const DPMT: StackSpec = withProd({ platforms: { web: { east: { dpmtOrder: 3 } } } });

  if (staged)
    describe("another user's open changes of the design", () => {
      test('fail names what, who and when; committed by them, ours continues', async () => {
        await fine(SHOP);
        await editDesign();
        const done = await up(CHANGED);
        expect(done.errors.join('\n')).toMatch(
          /DesignRelease::shop: [^]*component db\/compute: update by maria at 2026-[^]*whenBusy: wait/,
        );
        await componentOf('open')();
        await commitDesign();
        expect((await up(CHANGED)).errors).toEqual([]);
      });

      test('a platform that is not ours: cancel commits it, too, says so, and discards nothing', async () => {
        await fine(SHOP);
        const ciAttributes = { source: 'oneops', pack: 'custom', version: '1' };
        const body = { cms_dj_ci: { ciName: 'cache', ciAttributes } };
        await world.other.call(routes.platforms.create, { address: DESIGN, body });
        expect((await up(CHANGED)).errors.join('\n')).toMatch(/platform cache: add by maria/);
        const done = await upAs(whenBusy(CHANGED, 'proceed'));
        expect(done.errors).toEqual([]);
        expect(done.notices.join('\n')).toMatch(
          /DesignRelease acme\/shop: committed along[^]*platform cache: add by maria/,
        );
        expect((await openRelease()).releaseState).toBe('closed');
      });

      test('wait waits until they are committed', async () => {
        await fine(SHOP);
        await editDesign();
        const acting = actingBefore(world, routes.designVariables.list, () => commitDesign(), 3);
        const done = await upAs(whenBusy(CHANGED, 'wait'), {}, acting);
        expect(done.errors).toEqual([]);
        expect((await openRelease()).releaseState).toBe('closed');
        expect((await upAs(whenBusy(CHANGED, 'wait'))).steps).toEqual([]);
      });

      test('wait, and they discard ours along with theirs: reported, and created again with a refresh', async () => {
        await fine(SHOP);
        await editDesign();
        const acting = actingBefore(world, routes.designVariables.list, () => commitDesign('discard'), 2);
        const done = await upAs(whenBusy(CHANGED, 'wait'), {}, acting);
        expect(done.errors.join('\n')).toMatch(/discarded[^]*attachment web\/deployer\/motd/);
        expect((await up(CHANGED, { refresh: true })).errors).toEqual([]);
        expect(await differences(world, CHANGED)).toEqual([]);
      });

      test('are reported by a commit in the midst of a run, which cannot know yet what the run declares', async () => {
        await fine(SHOP);
        const address = { ...DESIGN, platform: 'web' };
        const body = { cms_dj_ci: { ciName: 'hers', ciAttributes: { username: 'hers' } }, template_name: 'user' };
        await world.other.call(routes.components.create, { address, body });
        // Names of attachments are unique in a platform: the deletion is committed before it is made elsewhere.
        const onCompute = withComponents({ compute: { attributes: { size: 'M' }, attachments: { motd: MOTD } } });
        const done = await up(withDeployer({ attachments: {} }, onCompute));
        expect(done.errors).toEqual([]);
        expect(done.notices.join('\n')).toMatch(
          /committed along with platform web, whether they are of this stack or not:\n {2}component web\/hers: add by maria/,
        );
      });

      test('what came with a record of ours is none: a new platform, another version, what is deleted with its parent', async () => {
        await fine(SHOP);
        const cache: StackSpec = { ...SHOP, platforms: { ...SHOP.platforms, cache: { pack: 'redisio' } } };
        await fine(cache);
        const body = { cms_dj_ci: { ciName: 'theirs', ciAttributes: { path: '/a', content: 'b' } } };
        const address = { ...DESIGN, platform: 'web', component: 'deployer' };
        await world.other.call(routes.attachments.create, { address, body });
        await commitDesign();
        const { deployer: _, ...components } = SHOP.platforms?.['web']?.components ?? {};
        const less = { ...SHOP, platforms: { ...SHOP.platforms, web: { ...SHOP.platforms?.['web'], components } } };
        await fine(less);
      });
    });

  describe("another user's open changes of an environment", () => {
    test('stop the pull, and what it needs committed first', async () => {
      await fine(SHOP);
      await editEnvironment(false);
      const done = await up(CHANGED);
      expect(done.errors.join('\n')).toMatch(/Environment::prod: [^]*component db\/compute: update by maria at 2026-/);
      await commitEnvironment();
      await fine(CHANGED);
    });

    test.each([
      ['locked against pulls', true],
      ['not locked', false],
    ])('stop a deployment that needs no pull: %s', async (_, locked) => {
      await fine(SHOP);
      await editEnvironment(locked);
      expect((await up(DPMT)).errors.join('\n')).toMatch(
        /Deployment::prod: [^]*component db\/compute: update by maria/,
      );
      await commitEnvironment();
      // What is not locked, the next pull takes back: what is set is not compared.
      expect((await up(DPMT)).errors).toEqual([]);
    });

    test('of a cloud of a platform: named by who opened its release', async () => {
      await fine(SHOP);
      await configureByHand(world, 'db', 'east', { pct_scale: '30' });
      expect((await up(DPMT)).errors.join('\n')).toMatch(/cloud east of platform db: update by maria/);
      const done = await upAs(whenBusy(DPMT, 'proceed'));
      expect(done.errors).toEqual([]);
      expect(done.notices.join('\n')).toMatch(/cloud east of platform db/);
    });

    test('that come between our pull and our deployment', async () => {
      await fine(SHOP);
      const declared = resourcesOf(CHANGED);
      const done = await upAs(
        declared,
        {},
        actingBefore(world, routes.deployments.latest, () => editEnvironment(true)),
      );
      expect(done.errors.join('\n')).toMatch(/Deployment::prod: [^]*component db\/compute: update by maria/);
      await commitEnvironment();
      expect((await up(CHANGED)).errors).toEqual([]);
    });

    const editMonitor = async (): Promise<void> => {
      const address = { ...PROD, platform: 'web', component: 'os', monitor: 'web-os-cpu' };
      const body = { cms_dj_ci: { ciName: address.monitor, ciAttributes: { duration: '9' } } };
      await world.other.call(routes.environmentMonitors.update, { address, body });
    };

    test.each([
      ['a component', () => editEnvironment(false)],
      ['a monitor', editMonitor],
    ])('wait waits until %s is committed', async (_, edit) => {
      await fine(SHOP);
      await edit();
      let isCommitted = false;
      const acting = actingBefore(
        world,
        routes.environmentVariables.list,
        () => {
          isCommitted = true;
          return commitEnvironment();
        },
        3,
      );
      expect((await upAs(whenBusy(DPMT, 'wait'), {}, acting)).errors).toEqual([]);
      expect(isCommitted).toBe(true);
    });
  });

  test('wait does not wait for ever', async () => {
    await fine(SHOP);
    await editEnvironment(false);
    const impatient = withArgs(whenBusy(DPMT, 'wait'), ['Deployment'], { timeout: 2 });
    expect((await upAs(impatient)).errors.join('\n')).toMatch(
      /waiting for open changes of others in the environment took longer than 2 minutes/,
    );
  });

  describe('another user holds the environment', () => {
    test('with a pull: ours waits', async () => {
      await fine(SHOP);
      const pull = () =>
        world.other.call(routes.environments.pull, {
          address: PROD,
          body: { platform_availability: { none: 'default' }, async: 'true' },
        });
      const held = actingBefore(world, routes.environments.read, pull);
      expect((await upAs(resourcesOf(CHANGED), {}, held)).errors).toEqual([]);
      expect(await differences(world, CHANGED)).toEqual([]);
    });

    test('with a commit: ours waits', async () => {
      await fine(SHOP);
      const held = actingBefore(world, routes.environments.commit, () =>
        world.other.call(routes.environments.commit, { address: PROD, body: {} }),
      );
      expect((await upAs(resourcesOf(CHANGED), {}, held)).errors).toEqual([]);
      expect(await differences(world, CHANGED)).toEqual([]);
    });

    describe('with a deployment that waits for an approval', () => {
      const pending = async (): Promise<number> => {
        const cms_ci = { ciName: 'gate', ciAttributes: { approval: 'true', approval_auth_type: 'none' } };
        await world.other.call(routes.cloudSupports.create, { address: { cloud: 'east' }, body: { cms_ci } });
        await editEnvironment(false);
        await commitEnvironment();
        const { releaseId } = await world.other.call(routes.environmentReleases.bom, { address: PROD });
        const cms_deployment = { releaseId: String(releaseId), nsPath: '/acme/shop/prod/bom' };
        const address = PROD;
        const { deploymentId, deploymentState } = await world.other.call(routes.deployments.create, {
          address,
          body: { cms_deployment },
        });
        expect(deploymentState).toBe('pending');
        return deploymentId;
      };
      const move = (id: number, deploymentState: string) =>
        world.other.call(routes.deployments.update, {
          address: { ...PROD, deployment: String(id) },
          body: { cms_deployment: { deploymentState } },
        });

      test('fail names it', async () => {
        await fine(SHOP);
        const id = await pending();
        expect((await up(DPMT)).errors.join('\n')).toMatch(new RegExp(`deployment ${id} of maria is pending since`));
      });

      test('wait waits for the approval, and ours for its own', async () => {
        await fine(SHOP);
        const id = await pending();
        let asked = 0;
        const call: World['api']['call'] = async (route, input) => {
          if (route.name === routes.deployments.status.name && (asked += 1) % 3 === 0) {
            const newest = await world.other.call(routes.deployments.latest, { address: PROD });
            if (newest.deploymentState === 'pending') await move(newest.deploymentId, 'active');
          }
          return world.api.call(route, input);
        };
        const done = await upAs(whenBusy(DPMT, 'wait'), {}, { ...world, api: { ...world.api, call } });
        expect(done.errors).toEqual([]);
        const { deploymentState } = await world.api.call(routes.deployments.status, {
          address: { ...PROD, deployment: String(id) },
        });
        expect(deploymentState).toBe('complete');
        expect(asked).toBeGreaterThan(2);
      });

      test('cancel cancels it', async () => {
        await fine(SHOP);
        const id = await pending();
        const support = { cloud: 'east', support: 'gate' };
        await world.other.call(routes.cloudSupports.delete, { address: support });
        expect((await upAs(whenBusy(DPMT, 'proceed'))).errors).toEqual([]);
        const { deploymentState } = await world.api.call(routes.deployments.status, {
          address: { ...PROD, deployment: String(id) },
        });
        expect(deploymentState).toBe('canceled');
      });
    });
  });

  test('a cloud somebody gave an environment without platforms shows, and is not removed by a deployment', async () => {
    const bare: StackSpec = { environments: { prod: { clouds: EAST } } };
    expect((await up({ platforms: { web: {} } })).errors).toEqual([]);
    expect((await up({})).errors).toEqual([]);
    expect((await up(bare)).errors).toEqual([]);
    const { clouds } = await world.other.call(routes.environments.read, { address: PROD });
    const west = (await world.other.call(routes.clouds.list, {})).find(({ ciName }) => ciName === 'west');
    await world.other.call(routes.environments.update, {
      address: PROD,
      body: {
        cms_ci: { ciName: 'prod', ciAttributes: {} },
        clouds: { ...(clouds as { [id: string]: { [name: string]: string } }), [String(west?.ciId)]: '2' },
      },
    });
    expect(await drift(world, stack)).toEqual(['Environment::prod clouds']);
    await upAs(withArgs(resourcesOf(bare), ['Deployment'], { state: 'complete', stamps: 'again' }));
    const now = await world.other.call(routes.environments.read, { address: PROD });
    expect(Object.keys(now.clouds ?? {})).toContain(String(west?.ciId));
  });

  describe('a second stack of one design', () => {
    const owner: StackSpec = { platforms: SHOP.platforms ?? {} };
    const theirs: StackSpec = { existing: true, environments: { prod: { clouds: EAST } } };
    let owned: Stack;

    const own = async (spec: StackSpec): Promise<void> => {
      const done = await run(world, owned, resourcesOf(spec));
      expect(done.errors).toEqual([]);
      owned = done.stack;
    };

    const changed: StackSpec = {
      platforms: withDeployer({ attachments: { motd: { ...MOTD, content: 'new' } } }).platforms ?? {},
    };

    const contentThatRuns = async (): Promise<string | null | undefined> => {
      const address = { ...PROD, platform: 'web', component: 'deployer' };
      const [motd] = await world.api.call(routes.environmentAttachments.list, { address });
      return motd?.ciAttributes['content'];
    };

    beforeEach(async () => {
      owned = emptyStack;
      await own(owner);
    });

    test.each([
      ['with existing: true', 'DesignRelease::shop', resourcesOf(theirs)],
      [
        'with its name alone',
        'Environment::prod',
        resourcesOf(theirs).flatMap((each) => {
          if (each.token === 'Assembly' || each.token === 'DesignRelease') return [];
          const { designRelease: _, ...args } = each.args;
          return [{ ...each, args: { ...args, assembly: 'shop' } }];
        }),
      ],
    ])('%s: sees, pulls and deploys what the owner commits, with a refresh', async (_, shownAt, declared) => {
      expect((await upAs(declared)).errors).toEqual([]);
      expect(await drift(world, stack)).toEqual([]);
      await own(changed);
      const { releaseId } = await openRelease();
      expect((await preview(world, stack, declared)).steps).toEqual([]);
      expect(await drift(world, stack)).toEqual([`${shownAt} newer`]);
      const done = await upAs(declared, { refresh: true });
      expect(done.errors).toEqual([]);
      expect(done.steps).toContain('update Deployment::prod');
      expect(await contentThatRuns()).toBe('new');
      expect(JSON.stringify(stack.get('Environment::prod')?.outputs['pulled'])).toBe(`"${releaseId}"`);
      expect((await upAs(declared)).steps).toEqual([]);
      expect(await drift(world, stack)).toEqual([]);
    });

    test("leaves the owner's uncommitted work alone, and a discarded release too", async () => {
      if (!staged) return;
      expect((await up(theirs)).errors).toEqual([]);
      await editDesign();
      expect(await drift(world, stack)).toEqual([]);
      expect((await up(theirs, { refresh: true })).steps).toEqual([]);
      await componentOf('open')();
      await commitDesign('discard');
      expect(await drift(world, stack)).toEqual([]);
      expect((await up(theirs, { refresh: true })).steps).toEqual([]);
    });

    test('stays at the release it names, until it names another', async () => {
      const pinned = (word: string) => withArgs(resourcesOf(theirs), ['Environment'], { designRelease: word });
      expect((await upAs(pinned('first'))).errors).toEqual([]);
      await own(changed);
      expect((await upAs(pinned('first'), { refresh: true })).errors).toEqual([]);
      expect(await contentThatRuns()).toBe('hello');
      expect((await upAs(pinned('second'))).errors).toEqual([]);
      expect(await contentThatRuns()).toBe('new');
    });
  });
});
