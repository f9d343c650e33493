// Other people at the same design and environment: what they left open, what they lock, deploy and
// own is never included without a word.
import { routes, type Route } from '../../api/contract';
import { Forbidden } from '../../api/errors';
import { type Texts, UNKNOWN, type Values } from '../../provider/values/plain';
import { actingBefore, reticent, through } from '../world/between';
import { type Declared, drift, preview, reference, type RunOptions, type Stack } from '../world/engine-simulation';
import { eachStack, instancesIn } from '../world/each-stack';
import {
  CHANGED,
  DEPLOYER,
  EAST,
  MOTD,
  PROD,
  SHOP,
  priorities,
  withComponents,
  withDeployer,
  withProd,
  withWeb,
} from '../world/shop-spec';
import {
  type EnvironmentSpec,
  resourcesOf,
  type StackSpec,
  type VariableSpec,
  whenBusy,
  withArgs,
} from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { keptOf, reviewIn } from '../world/drift-world';
import { disableDb } from '../world/foreign-edits';
import { eachDialect } from '../world/each-dialect';
import type { World } from '../world/world';

/** An edit that changes a cloud of a platform. */
const DPMT: StackSpec = withProd({ platforms: { web: { east: { dpmtOrder: 3 } } } });

eachDialect('%s', (test, world, dialect) => {
  const staged = dialect === 'classic';
  const shop = eachStack(world);
  const { fine, refused, said, up } = shop;

  /** Maria changes a component the stack does not declare, in the design. */
  const editDesign = () => world.maria.set('db/compute', { size: 'XL' });

  /** The same in the environment, locked against pulls or not. */
  const editEnvironment = (locked: boolean) =>
    world.maria.set('prod:db/compute', { size: 'XL' }, locked ? { owner: { size: 'manifest' } } : {});

  if (staged)
    describe("another user's open changes of the design", () => {
      beforeEach(async () => void (await fine(SHOP)));

      test('a platform that is not ours: cancel commits it, too, says so, and discards nothing', async () => {
        await world.maria.create('cache', { source: 'oneops', pack: 'custom', version: '1' });
        expect(await said(whenBusy(CHANGED, 'proceed'))).toMatch(
          /DesignRelease acme\/shop: committed along[^]*platform cache: add by maria/,
        );
        expect((await world.maria.release()).releaseState).toBe('closed');
      });

      test('wait waits until they are committed', async () => {
        await editDesign();
        const acting = actingBefore(world, routes.designVariables.list, world.maria.commit, 3);
        await said(whenBusy(CHANGED, 'wait'), {}, acting);
        expect((await world.maria.release()).releaseState).toBe('closed');
        expect((await up(whenBusy(CHANGED, 'wait'))).steps).toEqual([]);
      });

      test('wait, and they discard ours along with theirs: reported, and created again with a refresh', async () => {
        await editDesign();
        const acting = actingBefore(world, routes.designVariables.list, world.maria.discard, 2);
        expect(await refused(whenBusy(CHANGED, 'wait'), {}, acting)).toMatch(
          /discarded[^]*attachment web\/deployer\/motd/,
        );
        await fine(CHANGED, { refresh: true });
      });

      test('are reported by a commit in the midst of a run, which cannot know yet what the run declares', async () => {
        await world.maria.create('web/hers', { username: 'hers' }, { template_name: 'user' });
        // Names of attachments are unique in a platform: the deletion is committed first.
        const onCompute = withComponents({ compute: { attributes: { size: 'M' }, attachments: { motd: MOTD } } });
        expect(await said(withDeployer({ attachments: {} }, onCompute))).toMatch(
          /committed along with platform web, whether they are of this stack or not:\n {2}component web\/hers: add by maria/,
        );
      });

      test('what came with a record of ours is none: a new platform, another version, what is deleted with its parent', async () => {
        const cache: StackSpec = { ...SHOP, platforms: { ...SHOP.platforms, cache: { pack: 'redisio' } } };
        await fine(cache);
        await world.maria.commit(world.maria.create('web/deployer/theirs', { path: '/a', content: 'b' }));
        const { deployer: _, ...components } = SHOP.platforms?.['web']?.components ?? {};
        const less = { ...SHOP, platforms: { ...SHOP.platforms, web: { ...SHOP.platforms?.['web'], components } } };
        await fine(less);
      });
    });

  describe("another user's open changes of an environment", () => {
    test('stop the tear-down of one that stays, which would commit them', async () => {
      await fine(SHOP);
      await editEnvironment(true);
      expect(await refused(withProd({ deploy: false }))).toMatch(
        /Deployment::prod: [^]*component db\/compute: update by maria at 2026-/,
      );
      expect((await world.maria.read('prod:db/compute')).rfcAction).toBe('update');
      await world.maria.switch('disable', 'web');
      expect(await said(undefined)).toMatch(/component db\/compute .* by maria, .*; platform web \(enabled\) by maria/);
    });

    test('are named by a tear-down, also clouds that no platform uses yet', async () => {
      await fine(SHOP);
      await world.maria.useClouds({ west: '1' });
      expect(await said(undefined)).toMatch(/takes down what is not committed: .* by maria/);
    });

    test('stop no tear-down that commits nothing', async () => {
      const bare = (deploy: EnvironmentSpec['deploy']): StackSpec => ({
        variables: { LEVEL: 'info' },
        environments: { prod: { clouds: EAST, ...(deploy === undefined ? {} : { deploy }) } },
      });
      await fine(bare({}));
      await world.maria.set('prod:$LEVEL', { value: 'hers' });
      await said(bare(false));
    });

    test('that a tear-down waits for: a platform that comes with them is named, and taken down', async () => {
      await fine(withProd({ deploy: { whenBusy: 'wait' } }));
      await editEnvironment(true);
      const ending = async () => {
        await world.maria.commitEnvironment();
        await world.maria.create('cache', { source: 'oneops', pack: 'custom', version: '1' });
        await world.maria.commit().catch(() => undefined);
        await world.maria.pull({ cache: 'single' });
        await world.maria.rollOut();
      };
      const acting = actingBefore(world, routes.environmentVariables.list, ending, 2);
      expect(await said(withProd({ deploy: false }), {}, acting)).toMatch(
        /takes down what this stack does not declare: platform cache by maria/,
      );
      expect(await instancesIn(world)).toEqual([]);
    });

    test('and are committed during a deployment, are named by the next one of the same run', async () => {
      const overridden = withProd({ overrides: { web: { components: { compute: { attributes: { size: 'L' } } } } } });
      await fine(overridden);
      const targets = [...shop.stack.keys()].filter((key) => /^(Deployment|EnvironmentComponent)::/.test(key));
      const acting = actingBefore(world, routes.environmentPlatforms.updateComponent, async () => {
        await editEnvironment(true);
        await world.maria.commitEnvironment();
      });
      expect(await said(SHOP, { targets }, acting)).toMatch(
        /brings along: component db\/compute \(size\) by maria, release \d+ \(1 instance\)/,
      );
    });

    test('during a deployment are not committed by a pull of the same run', async () => {
      const redundant = withProd({ availability: 'redundant' });
      await fine(withProd({ switches: { web: { scale: { compute: { current: 3 } } } } }, redundant));
      const targets = [...shop.stack.keys()].filter((key) => /^(Deployment|EnvironmentPlatform)/.test(key));
      const acting = actingBefore(world, routes.environments.pull, () => editEnvironment(true));
      const { errors, notices } = await up(redundant, { targets }, acting);
      expect([...errors, ...notices].join('\n')).toMatch(/component db\/compute: update by maria at 2026-/);
      expect((await world.maria.read('prod:db/compute')).rfcAction).toBe('update');
    });

    test('of a cloud of a platform: named by who opened its release', async () => {
      await fine(SHOP);
      await world.maria.configure('db', 'east', { pct_scale: '30' });
      expect(await refused(DPMT)).toMatch(/cloud east of platform db: update by maria/);
      expect(await said(whenBusy(DPMT, 'proceed'))).toMatch(/cloud east of platform db/);
    });

    test('that come between our pull and our deployment', async () => {
      await fine(SHOP);
      const editing = actingBefore(world, routes.environments.timeline, () => editEnvironment(true));
      expect(await refused(CHANGED, {}, editing)).toMatch(
        /Deployment::prod: [^]*component db\/compute: update by maria/,
      );
      await world.maria.commitEnvironment();
      await said(CHANGED);
    });

    test.each([
      ['a component', () => editEnvironment(false)],
      ['a monitor', () => world.maria.set('prod:web/os!web-os-cpu', { duration: '9' })],
    ])('wait waits until %s is committed', async (_, edit) => {
      await fine(SHOP);
      await edit();
      world.requests();
      const acting = actingBefore(world, routes.environmentVariables.list, world.maria.commitEnvironment, 3);
      await said(whenBusy(DPMT, 'wait'), {}, acting);
      const listed = world.requests().filter((request) => request === 'GET environmentVariables.list');
      expect(listed.length).toBeGreaterThan(2);
    });
  });

  test('wait does not wait for ever', async () => {
    await fine(SHOP);
    await editEnvironment(false);
    const impatient = withArgs(whenBusy(DPMT, 'wait'), ['Deployment'], { timeout: 2 });
    expect(await refused(impatient)).toMatch(
      /waiting for open changes of others in the environment took longer than 2 minutes/,
    );
  });

  const askApproval = async (): Promise<void> => {
    const cms_ci = { ciName: 'gate', ciAttributes: { approval: 'true', approval_auth_type: 'none' } };
    await world.other.call(routes.cloudSupports.create, { address: { cloud: 'east' }, body: { cms_ci } });
  };

  test('a deployment of a stopped run that is rejected while the next run waits is made again if that has work', async () => {
    await fine(SHOP);
    await askApproval();
    const impatient = withArgs(resourcesOf(CHANGED), ['Deployment'], { timeout: 2 });
    expect(await refused(impatient)).toMatch(/took longer than 2 minutes/);
    let asked = 0;
    const rejecting = through(world, (next) => async (route, input) => {
      const isThird = route.name === routes.deployments.status.name && (asked += 1) % 3 === 0;
      if (isThird) await world.maria.move(asked === 3 ? 'canceled' : 'active');
      return next(route, input);
    });
    world.writes();
    expect(await refused(CHANGED, {}, rejecting)).toMatch(/deployment \d+ was canceled\n.*rejected its approval/);
    expect(world.writes()).not.toContain('POST deployments.create');
    expect(await refused(impatient)).toMatch(/took longer than 2 minutes/);
    asked = 0;
    await said(withProd({ platforms: { web: { east: { dpmtOrder: 3 } } } }, CHANGED), {}, rejecting);
  });

  test('a destroy goes on where nothing shows what others left open', async () => {
    await fine(SHOP);
    const refusal = new Forbidden({ method: 'GET', path: 'timeline', status: 403, messages: ['not for you'] });
    const hidden = through(world, (next) => async (route, input) => {
      if (route.name === routes.environments.timeline.name) throw refusal;
      return next(route, input);
    });
    await said(undefined, {}, hidden);
  });

  test('wait waits for the approval of a deployment of another user, and ours for its own', async () => {
    await fine(SHOP);
    await askApproval();
    await editEnvironment(false);
    await world.maria.commitEnvironment();
    const theirs = await world.maria.begin();
    const stateOf = async (): Promise<string> => {
      const address = { ...PROD, deployment: String(theirs) };
      return (await world.api.call(routes.deployments.status, { address })).deploymentState;
    };
    expect(await stateOf()).toBe('pending');
    let asked = 0;
    const approving = through(world, (next) => async (route, input) => {
      if (route.name === routes.deployments.status.name && (asked += 1) % 3 === 0) {
        const newest = await world.other.call(routes.deployments.latest, { address: PROD });
        if (newest.deploymentState === 'pending') await world.maria.move('active');
      }
      return next(route, input);
    });
    await said(whenBusy(DPMT, 'wait'), {}, approving);
    expect(await stateOf()).toBe('complete');
    expect(asked).toBeGreaterThan(2);
  });

  test('a cloud somebody gave an environment without platforms shows, and is not removed by a deployment', async () => {
    const bare: StackSpec = { environments: { prod: { clouds: EAST } } };
    for (const spec of [{ platforms: { web: {} } }, {}, bare]) await said(spec);
    await world.maria.useClouds({ west: '2' });
    const { clouds } = await world.other.call(routes.environments.read, { address: PROD });
    expect(await drift(world, shop.stack)).toEqual(['Environment::prod clouds']);
    await up(withArgs(resourcesOf(bare), ['Deployment'], { state: 'complete', stamps: 'again' }));
    const now = await world.other.call(routes.environments.read, { address: PROD });
    expect(Object.keys(now.clouds ?? {})).toEqual(Object.keys(clouds ?? {}));
    expect(Object.keys(now.clouds ?? {})).toHaveLength(2);
  });

  describe('a second stack of one design', () => {
    const owner: StackSpec = { platforms: SHOP.platforms ?? {} };
    const theirs: StackSpec = { existing: true, environments: { prod: { clouds: EAST } } };
    const owned = eachStack(world);
    const own = async (spec: StackSpec) => expect((await owned.up(spec)).errors).toEqual([]);

    const changed: StackSpec = {
      platforms: withDeployer({ attachments: { motd: { ...MOTD, content: 'new' } } }).platforms ?? {},
    };

    const contentThatRuns = async () => (await world.admin.read('prod:web/deployer/motd')).ciAttributes['content'];

    beforeEach(() => own(owner));

    test.each([
      ['with existing: true', 'DesignRelease::shop', resourcesOf(theirs)],
      ['with a platform', 'DesignRelease::shop', resourcesOf({ ...theirs, platforms: { cache: { pack: 'redisio' } } })],
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
      await said(declared);
      expect(await drift(world, shop.stack)).toEqual([]);
      await own(changed);
      const { releaseId } = await world.maria.release();
      expect((await preview(world, shop.stack, declared)).steps).toEqual([]);
      expect(await drift(world, shop.stack)).toEqual([`${shownAt} newer`]);
      const done = await up(declared, { refresh: true });
      expect(done.errors).toEqual([]);
      expect(done.steps).toContain('update Deployment::prod');
      expect(await contentThatRuns()).toBe('new');
      expect(JSON.stringify(shop.stack.get('Environment::prod')?.outputs['pulled'])).toBe(`"${releaseId}"`);
      expect((await up(declared)).steps).toEqual([]);
      expect(await drift(world, shop.stack)).toEqual([]);
    });

    test("leaves the owner's uncommitted work alone, and a discarded release too", async () => {
      if (!staged) return;
      await said(theirs);
      await editDesign();
      expect(await drift(world, shop.stack)).toEqual([]);
      expect((await up(theirs, { refresh: true })).steps).toEqual([]);
      expect((await world.maria.read('db/compute')).rfcAction).toBeTruthy();
      await world.maria.discard();
      expect(await drift(world, shop.stack)).toEqual([]);
      expect((await up(theirs, { refresh: true })).steps).toEqual([]);
    });

    test('stays at the release it names, until it names another', async () => {
      const pinned = (word: string) => withArgs(resourcesOf(theirs), ['Environment'], { designRelease: word });
      await said(pinned('first'));
      await own(changed);
      await said(pinned('first'), { refresh: true });
      expect(await contentThatRuns()).toBe('hello');
      await said(pinned('second'));
      expect(await contentThatRuns()).toBe('new');
    });
  });
});

// Somebody's uncommitted edits of what a stack declares: an unrelated run stops, says so, or sets
// them back, and deploys none of them in silence.
describe('uncommitted edits of what is declared', () => {
  eachDialect('%s', (test, world, dialect) => {
    const own = eachStack(world);
    const { fine, refused, said, up } = own;

    const sized = (size: string): StackSpec =>
      withProd({ overrides: { web: { components: { compute: { attributes: { size } } } } } });
    const overwriting = (spec: StackSpec): readonly Declared[] =>
      withArgs(resourcesOf(spec), ['Component', 'Variable', 'Attachment', 'Platform'], { overwrite: true });

    if (dialect === 'classic') {
      test('of a declared attribute: set back where overwrite says so, which no preview refuses, and the row says it', async () => {
        await fine(SHOP);
        await up(overwriting(SHOP));
        await world.maria.set('web/compute', { size: 'XL' });
        expect((await preview(world, own.stack, overwriting(CHANGED))).errors).toEqual([]);
        expect(await said(overwriting(CHANGED))).toMatch(
          /DesignRelease acme\/shop: set back before the commit of the design, as overwrite says:\n {2}component web\/compute: update by maria at/,
        );
        expect(await differences(world, CHANGED)).toEqual([]);
        const computes = (await instancesIn(world)).filter(({ ciName }) => ciName.startsWith('compute'));
        expect(new Set(computes.map(({ ciAttributes }) => ciAttributes['size']))).toEqual(new Set(['M', 'S']));
      });
    }

    describe('a refresh writes what is declared, and names who had something open', () => {
      const LEVEL: StackSpec = { ...withProd({ variables: { LEVEL: 'info' } }), variables: { LEVEL: 'warn' } };
      const EDITED: StackSpec = {
        ...CHANGED,
        variables: LEVEL.variables ?? {},
        environments: LEVEL.environments ?? {},
      };
      const value = async (): Promise<unknown> => (await world.admin.read('prod:$LEVEL')).ciAttributes['value'];

      test.each([
        [
          'no pull',
          LEVEL,
          /Variable acme\/shop\/\S+\/LEVEL: value was written over, in a record that maria had left open/,
        ],
        [
          'a pull',
          EDITED,
          /Environment \S+: committed first, although not of this stack; [^]*\n {2}variable \$LEVEL: update by maria at 2026-\S+: value there "hers"/,
        ],
      ])('of a variable of an environment, with %s', async (_, spec, words) => {
        await fine(LEVEL);
        await world.maria.set('prod:$LEVEL', { value: 'hers' });
        expect(await said(spec, { refresh: true })).toMatch(words);
        expect(await value()).toBe('info');
      });

      test('also of a record in which this user, too, had something open', async () => {
        const attributes = { sudoer: false, username: 'app' };
        const WAITING = withProd({ overrides: { web: { components: { deployer: { attributes } } } } });
        await fine(WAITING);
        await world.admin.set('prod:web/deployer', { username: 'mine' });
        await world.maria.set('prod:web/deployer', { sudoer: 'true' });
        expect(await said(WAITING, { refresh: true })).toMatch(
          /were written over, in a record that admin and maria had left open/,
        );
      });

      test('and says of none that it was committed where the run stops for another one', async () => {
        await fine(LEVEL);
        await world.maria.set('prod:$LEVEL', { value: 'hers' });
        await world.maria.set('prod:db/compute', { size: 'XL' });
        const { errors, notices } = await up(EDITED, { refresh: true });
        expect(errors.join('\n')).toMatch(/component db\/compute: update by maria/);
        expect(notices.join('\n')).not.toMatch(/committed first/);
      });

      test('of how a platform is scaled, with a pull', async () => {
        const scaled = (spec: StackSpec): StackSpec =>
          withProd({ switches: { web: { scale: { compute: { current: 2 } } } }, availability: 'redundant' }, spec);
        await fine(scaled(SHOP));
        await world.maria.scale({ current: '1' });
        expect(await said(scaled(CHANGED), { refresh: true })).toMatch(
          /committed first, although not of this stack; [^]*\n {2}scaling of compute in platform web: update by maria at 2026-\S+: current there "1"/,
        );
      });

      test('but stops for a value that nobody declares, which the pull would take', async () => {
        const overridden = (spec: StackSpec): StackSpec =>
          withProd({ overrides: { web: { components: { deployer: { attributes: { sudoer: false } } } } } }, spec);
        await fine(overridden(SHOP));
        await world.maria.set('prod:web/deployer', { sudoer: 'true', home_directory: '/hers' });
        expect(await refused(overridden(CHANGED), { refresh: true })).toMatch(
          /component web\/deployer: update by maria[^]*home_directory/,
        );
      });

      if (dialect === 'classic')
        test.each([
          ['platform db', 'Platform db: '],
          ['attachment web/deployer/motd', ''],
        ])('of %s that they delete', async (what, row) => {
          await fine(SHOP);
          await world.maria.delete(what.split(' ')[1] ?? '');
          const { notices } = await fine(SHOP, { refresh: true });
          const first = `${row}committed first, although not of this stack; `;
          expect(notices.join('\n')).toMatch(new RegExp(`${first}[^]*\n {2}${what}: delete by maria at 2026-`));
        });
    });

    describe('a preview refuses what the run would stop for', () => {
      const { db: _, ...others } = withWeb({ links: [] }, CHANGED).platforms ?? {};
      const withoutDb: StackSpec = { ...CHANGED, platforms: others };

      const shown = async (declared: readonly Declared[], stack?: Stack, options?: RunOptions): Promise<string> => {
        world.nextRun();
        world.writes();
        const { errors } = await preview(world, stack ?? own.stack, declared, options);
        expect(world.writes()).toEqual([]);
        return errors.join('\n');
      };
      beforeEach(async () => void (await fine(SHOP)));

      test('before it pulls into an environment', async () => {
        await world.maria.set('prod:db/compute', { size: 'XL' });
        const words = /prod: [^]*db\/compute: update by maria at 2026-\S+: size there "XL"[^]* that the file declares/;
        const components = { compute: { attributes: { size: 'XL' } } };
        const declared = withProd({ overrides: { db: { components } } }, CHANGED);
        for (const spec of [CHANGED, declared]) expect(await shown(resourcesOf(spec))).toMatch(words);
        expect(await shown(whenBusy(CHANGED, 'proceed'))).toBe('');
        expect(await shown(resourcesOf(SHOP))).toBe('');
        expect(await refused(CHANGED)).toMatch(words);
        await world.maria.commitEnvironment();
        expect(await shown(resourcesOf(CHANGED))).toBe('');
        await fine(CHANGED);
      });

      const onLarge =
        (isCommitted: boolean, hand: 'maria' | 'admin' = 'maria') =>
        async () => {
          await fine(sized('L'));
          await world[hand].set('prod:web/compute', { size: 'XL' });
          if (isCommitted) await world.maria.commitEnvironment();
        };
      test('before it deploys without a pull', async () => {
        await onLarge(false)();
        expect(await shown(resourcesOf(sized('XL')))).toBe('');
        await world.maria.discardEnvironment();
        await world.maria.set('prod:db/compute', { size: 'XL' });
        const words = /Deployment::prod: [^]*component db\/compute: update by maria at 2026-\S+: size there "XL"/;
        expect(await shown(resourcesOf(sized('XL')))).toMatch(words);
        expect(await shown(whenBusy(sized('XL'), 'proceed'))).toBe('');
        expect(await refused(sized('XL'))).toMatch(words);
        expect(await shown(resourcesOf(sized('XL')))).toMatch(words);
      });

      test.each([false, true])(
        'and no deleted record that it makes again, or takes over as adopt says: %s',
        async (isMadeAgain) => {
          await world.maria.commit(world.maria.delete('web/deployer/motd'));
          if (isMadeAgain) {
            await world.maria.commit(world.maria.create('web/deployer/motd', { ...MOTD, content: 'hers' }));
            await world.maria.set('web/deployer/motd', { content: 'hers, too' });
            expect(await shown(resourcesOf(CHANGED))).toMatch(/where another one has its name now/);
          }
          const adopting = withArgs(resourcesOf(CHANGED), ['Attachment'], { adopt: isMadeAgain });
          expect(await shown(adopting)).toBe('');
          await said(adopting);
          expect(await differences(world, CHANGED)).toEqual([]);
        },
      );

      const resize = (platform: string, hand: 'maria' | 'admin' = 'maria') => {
        return () => world[hand].set(`${platform}/compute`, { size: 'XL' });
      };
      const withSize = (attributes?: { readonly [name: string]: string }): StackSpec =>
        withComponents({ compute: attributes ? { attributes } : {} });
      const toLarge = withSize({ size: 'L' });
      const rewrite = (texts: Texts) => () => world.maria.set('web/deployer/motd', texts);
      const LIMITED = { targets: ['Component::web/compute', 'DesignRelease::shop'] };
      const LESS = withWeb({ description: 'x', components: { deployer: DEPLOYER } });
      const ON_WEB = { targets: ['Platform::web', 'DesignRelease::shop'] };
      const withSecret = (variable: VariableSpec): StackSpec => withWeb({ variables: { PASS: variable } });

      const XL = /component web\/compute: update by maria at 2026-\S+: size there "XL", declared "M"/;
      const PUBLIC = /component web\/compute: update by maria.* at 2026-\S+: require_public_ip there "true"$/m;
      const DELETED = /platform db: delete by maria at 2026-[^]*, or remove from the file what is deleted there; when/;
      const add = () => world.maria.create('hers', { source: 'oneops', pack: 'custom', version: '1' });
      const byHand = () => world.admin.create('$HAND', { value: 'x', secure: 'false' });
      const makePublic = (): Promise<unknown> => world.maria.set('web/compute', { require_public_ip: 'true' });
      const content = reference(['Platform::web'], ({ revision }) => `at ${String(revision)}`);
      const withContent = withArgs(resourcesOf(withWeb({ description: 'x' })), ['Attachment'], { content });
      type Row = readonly [RegExp, () => Promise<unknown>, readonly Declared[], RunOptions?];
      const beforeCommit: readonly Row[] = [
        [DELETED, () => world.maria.delete('db'), resourcesOf(CHANGED)],
        [/platform hers: add by maria/, add, resourcesOf(CHANGED)],
        [/variable \$HAND: add by admin/, byHand, resourcesOf(CHANGED)],
        [/DesignRelease::shop: [^]*db\/compute: update by maria at [^]*: wait/, resize('db'), resourcesOf(CHANGED)],
        [XL, resize('web'), resourcesOf(CHANGED)],
        [XL, resize('web'), resourcesOf(withWeb({ description: 'shop front' }))],
        [PUBLIC, makePublic, resourcesOf(withSize({ size: 'L' }))],
        [PUBLIC, makePublic, resourcesOf(withWeb({ components: { deployer: DEPLOYER } }))],
        [PUBLIC, makePublic, resourcesOf(withDeployer({ type: 'file', attributes: { path: '/x' }, attachments: {} }))],
        [/web\/compute: update by maria at 2026-\S+: size there "XL"$/m, resize('web'), resourcesOf(LESS), ON_WEB],
        [/ path was changed by maria/, rewrite({ path: '/hers' }), withContent],
        [/attachment web\/deployer\/motd: update by .*: priority there "7"/, rewrite({ priority: '7' }), withContent],
      ];
      const described = resourcesOf(withProd({ description: 'x' }, sized('L')));
      const onThird = () => world.maria.configure('db', 'east', { pct_scale: '30' });
      const onWest = () => world.maria.useClouds({ west: '1' });
      const rows: readonly Row[] = [
        ...(dialect === 'classic' ? beforeCommit : []),
        [/ size was changed by maria/, onLarge(false), resourcesOf(sized('S'))],
        [/ size was changed by maria/, onLarge(true), resourcesOf(sized('S'))],
        [/component web\/compute: update by maria.*: size there "XL", declared "L"/, onLarge(false), described],
        [/component web\/compute: update by maria.*: size there "XL"$/m, onLarge(false), resourcesOf(SHOP)],
        [
          /component web\/compute: update by admin.*: size there "XL", declared "L"/,
          onLarge(false, 'admin'),
          described,
        ],
        [/cloud east of platform db: update by maria.*: pct_scale there "30"$/m, onThird, resourcesOf(sized('L'))],
        [/cloud west of platform db: add by maria at/, onWest, resourcesOf(sized('L'))],
        [/maria disabled platform db/, () => disableDb(world), resourcesOf(sized('L'))],
        [/ size was changed by maria/, resize('web'), resourcesOf(toLarge)],
        [/ size was changed by maria/, resize('web'), resourcesOf(withSize())],
        [/ size was changed by admin/, resize('web', 'admin'), resourcesOf(toLarge)],
        [/ size was changed by maria/, resize('web'), whenBusy(toLarge, 'proceed')],
        [/ size was changed by maria/, resize('web'), resourcesOf(toLarge), LIMITED],
        [/ content was changed by maria/, rewrite({ content: 'hers' }), resourcesOf(CHANGED)],
      ];
      for (const [words, act, declared, options] of rows)
        test(`before it loses or commits a value: ${String(words)}`, async () => {
          await act();
          const before = await instancesIn(world);
          expect(await shown(declared, own.stack, options)).toMatch(words);
          expect(await refused(declared, options)).toMatch(words);
          expect(await instancesIn(world)).toEqual(before);
          expect(await shown(declared, own.stack, options)).toMatch(words);
        });

      test('and nothing where options alone change', async () => {
        await resize('prod:db')();
        await world.maria.delete('db');
        const kept = resourcesOf(SHOP).map((each) => ({ ...each, mark: 'protect' as const }));
        for (const declared of [kept, withArgs(kept, ['Attachment'], { adopt: true })])
          expect([await shown(declared), (await up(declared)).errors, world.writes()]).toEqual(['', [], []]);
      });

      const later = (value: unknown) =>
        reference(['Platform::db'], ({ revision }) => (revision === UNKNOWN ? UNKNOWN : value));
      const hers = { username: 'hers' };
      test.each<readonly [string, string, Texts, Values]>([
        ['Platform::web', 'web', { description: 'hers' }, { description: 'hers', links: later([]) }],
        ['Component::web/compute', 'web/compute', { size: 'XL' }, { attributes: { size: later('XL') } }],
        ['Component::web/deployer', 'web/deployer', hers, { attributes: later(hers) }],
        ['Component::web/deployer', 'web/deployer', hers, { depends: later([]), overwrite: later(true) }],
        ['Attachment::web/motd', 'web/deployer/motd', { content: 'hers' }, { content: later('hers') }],
      ])('but no value that is not known yet, of %s: %#', async (record, path, theirs, args) => {
        await world.maria.commit(world.maria.set(path, theirs));
        const changes: { readonly [key: string]: Values } = { 'Platform::db': { description: 'x' }, [record]: args };
        const declared = resourcesOf(SHOP).map((of) => ({ ...of, args: { ...of.args, ...changes[of.key] } }));
        expect(await shown(declared)).toBe('');
        await said(declared);
      });

      test('and looks only at what others changed; what it cannot read hides no other refusal', async () => {
        const refusal = new Forbidden({ method: 'GET', path: 'component', status: 403, messages: ['not for you'] });
        const closed = through(world, (next) => (route, input) => {
          return route.name === routes.components.read.name ? Promise.reject(refusal) : next(route, input);
        });
        await resize('db')();
        world.nextRun();
        world.requests();
        await preview(world, own.stack, resourcesOf(toLarge));
        expect(world.requests()).not.toContain('GET components.read');
        await resize('web')();
        await rewrite({ content: 'hers' })();
        world.nextRun();
        const both = resourcesOf(withComponents({ compute: { attributes: { size: 'L' } } }, CHANGED));
        const { errors } = await preview(closed, own.stack, both);
        expect(errors.join('\n')).toMatch(/ content was changed by maria/);
      });

      test('since an attachment is lost with its component, which nobody declares: the advice works', async () => {
        const makeUser = async () => {
          await world.maria.commit(world.maria.create('web/hers', { username: 'hers' }, { template_name: 'user' }));
        };
        const on = (spec: StackSpec) => withArgs(resourcesOf(spec), ['Attachment'], { component: 'hers' });
        await makeUser();
        await said(on(SHOP));
        await world.maria.commit(world.maria.delete('web/hers'));
        const words = /keep it: pulumi up --refresh .*, once component web\/hers exists, made by hand or declared here/;
        expect(await shown(on(withWeb({ description: 'x' })))).toMatch(words);
        await makeUser();
        await said(on(withWeb({ description: 'x' })), { refresh: true });
      });

      test('since a value would be lost that leaves, as a variable becomes secret', async () => {
        await fine(withSecret('one'));
        await world.maria.set('web/$PASS', { value: 'hers' });
        const secret = withSecret({ encryptedValue: 'two' });
        expect(await shown(resourcesOf(secret))).toMatch(/ value was changed by maria/);
        expect(await refused(secret)).toMatch(/ value was changed by maria/);
      });

      if (dialect === 'classic') {
        test.each<readonly [StackSpec, boolean]>([
          [withWeb({ components: { deployer: DEPLOYER } }), false],
          [withSize({ size: 'XL' }), false],
          [withSize({ size: 'L' }), true],
          [withWeb({ description: 'shop front' }), true],
        ])('and takes an open value that the run sets: %#', async (spec, refresh) => {
          await resize('web')();
          world.nextRun();
          const { errors } = await preview(world, own.stack, resourcesOf(spec), { refresh });
          expect(errors).toEqual([]);
          await fine(spec, { refresh });
        });

        test('before a replacement commits what others left open in its platform, without what it deletes', async () => {
          const onCompute = withComponents({ compute: { attributes: { size: 'M' }, attachments: { motd: MOTD } } });
          const moved = withDeployer({ attachments: {} }, onCompute);
          await rewrite({ content: 'hers' })();
          expect(await shown(resourcesOf(moved))).toBe('');
          await world.maria.create('web/hers', { username: 'hers' }, { template_name: 'user' });
          expect(await shown(resourcesOf(moved))).toMatch(/component web\/hers: add by maria/);
          expect(await shown(whenBusy(moved, 'proceed'))).toBe('');
        });

        test.each<readonly [() => Promise<unknown>, RegExp, StackSpec, StackSpec]>([
          [() => world.admin.delete('db'), /platform db: delete by [^]*pulumi up --refresh takes/, SHOP, CHANGED],
          [() => world.admin.create('$NEW', { value: 'x' }), /variable \$NEW: add by .*\n *commit/, SHOP, CHANGED],
          ...[withProd({ clouds: priorities(1, 2) }, DPMT), { ...CHANGED, environments: DPMT.environments! }].map(
            (after) =>
              [
                () => world.admin.configure('web', 'east', { dpmt_order: '1' }),
                /there "1", declared/,
                DPMT,
                after,
              ] as const,
          ),
        ])(
          'since its own user, as in a run that was killed, left something open: %#',
          async (act, words, before, after) => {
            await fine(before);
            await act();
            expect(await shown(resourcesOf(after))).toMatch(words);
            expect(await refused(after)).toMatch(words);
          },
        );

        test('after somebody discarded what an earlier run had written', async () => {
          await world.maria.set('db/compute', { size: 'XL' });
          await up(CHANGED);
          await world.maria.discard();
          const words =
            /maria discarded release \d+ at 2026-\S+, and with it what this stack had written: attachment web\//;
          expect(await shown(resourcesOf(CHANGED))).toMatch(words);
          expect(await shown(resourcesOf(SHOP))).toBe('');
          expect(await refused(CHANGED)).toMatch(words);
        });

        test('and nothing that the run writes, commits or may write itself', async () => {
          expect(await shown(resourcesOf(CHANGED))).toBe('');
          await world.maria.delete('db');
          expect(await shown(whenBusy(CHANGED, 'proceed'))).toBe('');
          const refreshed = new Map([...own.stack].filter(([key]) => key !== 'Platform::db'));
          expect(await shown(resourcesOf(CHANGED), refreshed)).toBe('');
          expect(await shown(resourcesOf(withoutDb))).toBe('');
          await world.maria.discard();
          await world.admin.set('web/compute', { size: 'XL' });
          expect(await shown(resourcesOf(CHANGED))).toBe('');
        });
      }
    });

    describe('what somebody discards of the own writes is missed, and a refresh writes it again:', () => {
      const ordered = (dpmtOrder: number) => withProd({ platforms: { web: { east: { dpmtOrder } } } });
      const discardInProd = () => world.maria.discardEnvironment();
      const list = routes.designReleases.list;
      const discard = () => world.maria.discard();
      const places: readonly (readonly [string, StackSpec, StackSpec, () => Promise<unknown>, Route, string])[] = [
        ['an environment', sized('L'), sized('XL'), discardInProd, routes.environments.timeline, 'prod:db/compute'],
        ['a cloud of a platform', DPMT, ordered(4), discardInProd, routes.environments.timeline, 'prod:db/compute'],
        ...(dialect === 'classic' ? [['a design', SHOP, CHANGED, discard, list, 'db/compute'] as const] : []),
      ];
      const words =
        /maria discarded release \d+ at 2026-\S+, and with it what this stack had written: (component web\/|attachment web\/|cloud web\/east$)/m;

      test.each(places)('in %s, before its commit', async (_, before, after, discard, route) => {
        await fine(before);
        expect(await refused(after, {}, actingBefore(world, route, discard))).toMatch(words);
        await fine(after, { refresh: true });
      });

      test.each([
        ...places,
        [
          'an environment, by a switch',
          SHOP,
          withProd({ switches: { db: { enabled: false } } }),
          discardInProd,
          routes.environments.timeline,
          'prod:db/compute',
        ] as const,
      ])('in %s, between the look and the commit', async (what, before, after, discard) => {
        await fine(before);
        const commit = what === 'a design' ? routes.designReleases.commit : routes.environments.commit;
        expect(await refused(after, {}, actingBefore(world, commit, discard))).toMatch(
          /maria discarded release \d+ at 2026-\S+, and with it what this stack had written/,
        );
        await fine(after, { refresh: true });
      });

      test.each<readonly [string, StackSpec | undefined, StackSpec]>([
        ['a later pull', SHOP, CHANGED],
        ['the first pull', undefined, SHOP],
        ['the first pull with values of the environment', undefined, sized('L')],
      ])('as %s, between the look and the commit: the next run repeats it', async (_, before, after) => {
        if (before !== undefined) await fine(before);
        expect(await refused(after, {}, actingBefore(world, routes.environments.commit, discardInProd))).toMatch(
          /maria discarded release \d+ at 2026-\S+, and with it the pull of design release \d+\nrun pulumi up again/,
        );
        if (after !== SHOP && after !== CHANGED) {
          expect(await refused(after)).toMatch(words);
          await fine(after, { refresh: true });
        } else await fine(after);
      });

      test.each(places)('in %s, after a run that stopped', async (_, before, after, discard, __, hers) => {
        await fine(before);
        await world.maria.set(hers, { size: 'XL' });
        expect(await refused(after)).toMatch(/compute: update by maria/);
        await discard();
        expect((await preview(world, own.stack, resourcesOf(after))).errors.join()).toMatch(words);
        for (const round of [1, 2])
          expect([round, (await up(after)).errors.join()]).toEqual([round, expect.stringMatching(words)]);
        await fine(after, { refresh: true });
      });

      const pulledAgain =
        /maria discarded release \d+ at 2026-\S+, and with it the pull of design release \d+: this run pulls the design again/;

      test.each<readonly [string, StackSpec | undefined, StackSpec]>([
        ['a later', SHOP, CHANGED],
        ['the first', undefined, SHOP],
      ])('as %s pull is, which the next deployment repeats without one', async (_, before, after) => {
        if (before !== undefined) await fine(before);
        const stopping = actingBefore(world, routes.environments.commit, () => Promise.reject(new Error('cut off')));
        expect(await refused(after, {}, stopping)).toContain('cut off');
        await discardInProd();
        expect(await said(after)).toMatch(pulledAgain);
        await fine(after);
      });

      test('as a pull is with what the file declares over it', async () => {
        await fine(SHOP);
        const after = sized('L');
        const changed = { ...after, platforms: CHANGED.platforms ?? {} };
        const stopping = actingBefore(world, routes.environments.commit, () => Promise.reject(new Error('cut off')));
        expect(await refused(changed, {}, stopping)).toContain('cut off');
        await discardInProd();
        expect(await refused(changed)).toMatch(words);
        await fine(changed, { refresh: true });
      });

      test('as a pull of the same run is, which its deployment repeats without one', async () => {
        await fine(SHOP);
        const discarding = actingBefore(world, routes.environments.timeline, discardInProd);
        expect(await said(CHANGED, {}, discarding)).toMatch(pulledAgain);
        await fine(CHANGED);
      });

      test.each(places)('in %s, and not where the file takes it back', async (_, before, after, discard, __, hers) => {
        await fine(before);
        await world.maria.set(hers, { size: 'XL' });
        await up(after);
        await discard();
        await fine(before, { refresh: true });
        await fine(after);
      });
    });

    if (dialect === 'classic')
      test('what somebody discards of a first run is missed, also behind a later release', async () => {
        const stopping = actingBefore(world, routes.designReleases.commit, () => Promise.reject(new Error('cut off')));
        expect(await refused(SHOP, {}, stopping)).toContain('cut off');
        await world.maria.discard();
        await world.maria.create('$HERS', { value: '1' });
        const words = /maria discarded release \d+ at 2026-\S+, and with it what this stack had written: platform/;
        for (const then of [() => Promise.resolve(), world.maria.commit]) {
          await then();
          expect(await refused(whenBusy(SHOP, 'proceed'))).toMatch(words);
        }
        await said(SHOP, { refresh: true });
      });

    test('of a cloud configuration, between our pull and our commit: the run stops, and nothing of it is deployed', async () => {
      await fine(DPMT);
      const ordered = (spec: StackSpec): StackSpec => ({ ...spec, environments: DPMT.environments ?? {} });
      const edit = () => world.maria.configure('web', 'east', { dpmt_order: '9' });
      expect(await refused(ordered(CHANGED), {}, actingBefore(world, routes.environments.timeline, edit))).toMatch(
        /Deployment::prod: [^]*cloud east of platform web: update by \w+ at \S+: dpmt_order there "9", declared "3"/,
      );
      // Left open, and then committed before the next pull: still compared with what is declared.
      const more = ordered(withDeployer({ attachments: { motd: { ...MOTD, content: 'more' } } }));
      expect(await refused(more)).toMatch(/cloud east of platform web/);
      await fine(more, { refresh: true });
    });

    test.each([false, true])(
      'locked, unlocked and committed (each by itself: %s): the run whose pull replaces it names it',
      async (each) => {
        await fine(SHOP);
        await world.maria.set('prod:db/compute', { size: 'XL' }, { owner: { size: 'manifest' } });
        if (each) await world.maria.commitEnvironment();
        await world.maria.set('prod:db/compute', {}, { owner: { size: '' } });
        await world.maria.commitEnvironment();
        const { notices } = await fine(CHANGED);
        expect(notices.join('\n')).toMatch(
          /replaced by the pull: component db\/compute \(size\) by maria, release \d+$/m,
        );
      },
    );

    test.each([
      ['deployed', () => world.maria.pull().then(world.maria.rollOut)],
      ['took back', () => world.maria.set('db/compute', { size: 'S' }).then(world.maria.commit)],
    ])('nothing comes along that another user committed and %s', async (_, act) => {
      await fine(SHOP);
      await world.maria.set('db/compute', { size: 'XL' }).then(world.maria.commit);
      await act();
      expect(await said(CHANGED)).not.toContain('brings along');
    });

    test('committed, too, before a pull: what the pull overwrites is called that', async () => {
      await fine(SHOP);
      await world.maria.set('prod:db/compute', { size: 'XL' });
      const done = await up(whenBusy(CHANGED, 'proceed'));
      expect(done.errors).toEqual([]);
      expect(done.notices.join('\n')).toMatch(
        /overwritten by the pull with the design's values:\n {2}component db\/compute: update by maria at \S+: size there "XL"/,
      );
      expect(done.notices.join('\n')).not.toMatch(/committed along/);
      expect((await world.maria.read('prod:db/compute')).ciAttributes['size']).not.toBe('XL');
    });
  });
});

// What another user left open in an environment, at a service that lists no changes of releases.
describe('where no changes of releases are listed', () => {
  const specOf = (size: string): StackSpec => ({
    platforms: { web: { pack: 'tomcat', components: { compute: { attributes: { size } } } }, db: { pack: 'mysql' } },
    environments: { prod: { clouds: { east: { priority: 1 } }, platformAvailability: { web: 'redundant' } } },
  });

  const BEFORE = specOf('M');
  const AFTER = specOf('L');
  const inProd = (more: EnvironmentSpec, of = AFTER): StackSpec => ({
    ...of,
    environments: { prod: { ...of.environments?.['prod'], ...more } },
  });

  eachDialect('%s', (test, world) => {
    const within = (): World => ({ ...world, api: reticent(world.api) });
    const own = eachStack(world, within);
    const { refused, said, up } = own;

    beforeEach(async () => {
      await own.fine(BEFORE);
      world.clock.advance(60_000);
    });

    const machines = async (): Promise<number> => {
      const all = await instancesIn(world);
      return all.filter(({ ciName, nsPath }) => ciName.startsWith('compute') && nsPath.includes('/web/')).length;
    };

    const scale = (): Promise<void> => world.maria.scale({ current: '1' });
    const scaleAndDeploy = async (): Promise<void> => {
      await scale();
      await world.maria.rollOut();
    };
    const disable = (): Promise<void> => world.maria.switch('disable', 'web');

    const monitor = async (by: World['api'] = world.other): Promise<void> => {
      const address = { ...PROD, platform: 'web', component: 'compute' };
      const [first] = await by.call(routes.environmentMonitors.list, { address });
      const body = { cms_dj_ci: { ciName: first?.ciName, ciAttributes: { sample_interval: '17' } } };
      await by.call(routes.environmentMonitors.update, {
        address: { ...address, monitor: String(first?.ciName) },
        body,
      });
    };

    const switchBesideOwn = async (): Promise<void> => {
      await disable();
      await monitor(world.api);
    };

    test.each([
      ['scaling', scale, /scaling of compute in platform web: update by maria at \S+: current there "1"/],
      ['a switch', disable, /a change in release \d+ that the service does not list, [^:]*: update by maria at/],
      ['a switch, beside an own change,', switchBesideOwn, /a change in release \d+ that the service does not/],
      ['a monitor', () => monitor(), /monitor web\/compute\/\S+: update by maria at/],
    ])('%s of others stops the run, or is committed along with whenBusy, and is named', async (_, act, words) => {
      const before = await machines();
      await act();
      expect(await refused(AFTER)).toMatch(words);
      expect(await machines()).toBe(before);
      expect((await up(whenBusy(AFTER, 'proceed'))).notices.join('\n')).toMatch(words);
    });

    test('fewer instances of which no release shows the cause end no run well, until they are accepted', async () => {
      await scaleAndDeploy();
      const refusal = await refused(AFTER);
      const [, entry = ''] = /maria took instances of platform web[^]*accept: \["([^"]+)"\]/.exec(refusal) ?? [];
      expect(await said(inProd({ deploy: { accept: [entry] } }))).toContain('accepted: maria took');
      await said(BEFORE);
      expect(await machines()).toBe(1);
    });

    test('fewer instances that the load explains end a run well', async () => {
      const switches = { web: { autoscale: true, scale: { compute: { min: 1, max: 9 } } } };
      await said(inProd({ switches }, BEFORE));
      await scaleAndDeploy();
      await said(inProd({ switches }));
      expect(await machines()).toBe(1);
    });

    test.each([
      ['nobody declares', BEFORE],
      ['the stack declares', inProd({ switches: { web: { enabled: true } } }, BEFORE)],
    ])(
      'a review says that a switch that %s is not known while a release is open, and invents none',
      async (_, spec) => {
        await said(spec);
        const reviewed = () => reviewIn(within(), keptOf(own.stack));
        expect(await reviewed()).toMatchObject({ findings: [], unread: [], outcome: 'in-sync' });
        await monitor();
        await disable();
        const { outcome, findings, unread } = await reviewed();
        expect(findings.filter(({ attribute }) => attribute === 'enabled')).toEqual([]);
        const why = expect.stringMatching(/^the value of enabled is not known: release \d+ is not committed/);
        expect(unread.map(({ address, reason }) => [address, reason]).sort()).toEqual([
          ['acme/shop/prod/db', why],
          ['acme/shop/prod/web', why],
        ]);
        expect(outcome).toBe('incomplete');
      },
    );

    test('what a killed run of this stack scaled is committed before the next pull, and named', async () => {
      const scaled = (size: string, current: number): StackSpec =>
        inProd({ switches: { web: { scale: { compute: { current } } } } }, specOf(size));
      await said(scaled('M', 3));
      expect((await up(scaled('M', 4), { killAfter: 1 })).killed).toBe(true);
      expect(await said(scaled('L', 4))).toContain('scaling of compute in platform web: update by admin');
      expect(await machines()).toBe(4);
    });
  });
});
