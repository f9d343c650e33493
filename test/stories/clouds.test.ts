// Clouds and names on the real engine: from cloud to cloud without an outage, what would be one refused, and logical renames.
import { routes } from '../../api/contract';
import { EAST, SHOP, WEST, withDeployer, withProd, withWeb } from '../conformance/shop-spec';
import type { StackSpec } from '../conformance/stack-spec';
import { descendantsOf, killAll } from '../engine';
import { chain, type Play } from './row-chain';

const TWO: StackSpec = { ...SHOP, environments: { prod: { clouds: EAST }, staging: { clouds: EAST } } };
const TWO_WEST: StackSpec = { ...SHOP, environments: { prod: { clouds: WEST }, staging: { clouds: WEST } } };
const NEXT = withProd({ clouds: WEST });
const EAST_FIRST = withProd({ clouds: { east: { priority: 1 }, west: { priority: 2 } } });
const WEST_FIRST = withProd({ clouds: { east: { priority: 2 }, west: { priority: 1 } } });

/** The platform web under another logical name. */
const RENAMED = withWeb({ logical: 'front' });

const deployments = (writes: readonly string[]): number =>
  writes.filter((write) => write === 'POST deployments.create').length;

/** Runs `up` to a declaration and kills it with everything it started as soon as its deployment runs. */
async function killedWhileItDeploys({ stack }: Play, spec: StackSpec): Promise<void> {
  await stack.declare(spec);
  stack.live.requests();
  const running = stack.project.start(['up', '--skip-preview']);
  while (deployments(stack.live.writes()) === 0) await new Promise((resolve) => setImmediate(resolve));
  killAll([running.pid, ...descendantsOf(running.pid)]);
  expect((await running.ended).code).toBe(-1);
  expect((await stack.project.run('cancel')).code).toBe(0);
}

const designPlatforms = async ({ stack }: Play): Promise<readonly string[]> =>
  (await stack.live.other.call(routes.platforms.list, { address: { assembly: 'shop' } }))
    .map(({ ciName }) => ciName)
    .sort();

chain('clouds', 1, [
  {
    title: 'from one cloud to another in two environments: one deployment each, and no outage',
    from: TWO,
    play: async ({ upTo }) => {
      const { writes } = await upTo(TWO_WEST);
      expect(deployments(writes)).toBe(2);
      return TWO_WEST;
    },
  },
  {
    title: 'killed while it deploys the new cloud; the next up finishes it',
    from: SHOP,
    play: async (play) => {
      await killedWhileItDeploys(play, NEXT);
      expect(play.stack.outages()).toEqual([]);
      await play.upTo(NEXT);
      return NEXT;
    },
  },
  {
    title: 'the new cloud fails and the old one keeps running; then it is mended',
    from: SHOP,
    play: async ({ fails, failing, mended, upTo, stack }) => {
      failing('web/compute@west');
      await fails(NEXT, /no room/);
      expect(await stack.live.running('shop')).toEqual(['prod/db', 'prod/web']);
      mended();
      await upTo(NEXT);
      return NEXT;
    },
  },
  {
    title: 'priorities swapped, and a new cloud that takes over the first place',
    from: SHOP,
    play: async ({ upTo }) => {
      await upTo(WEST_FIRST);
      await upTo(EAST_FIRST);
      return EAST_FIRST;
    },
  },
  {
    title: 'priorities swapped for one platform, and taken out again',
    from: EAST_FIRST,
    play: async ({ upTo }) => {
      await upTo(withProd({ platforms: { web: { west: { priority: 1 }, east: { priority: 2 } } } }, EAST_FIRST));
      await upTo(EAST_FIRST);
      return EAST_FIRST;
    },
  },
  {
    title: 'a cloud that would be inactive cannot be the only one: refused, and taken back',
    from: SHOP,
    play: async ({ fails, upTo }) => {
      await fails(withProd({ clouds: { west: { priority: 1, adminstatus: 'inactive' } } }), /no cloud is active/);
      const own = { web: { west: { adminstatus: 'inactive' } } };
      await fails(withProd({ clouds: WEST, platforms: own }), /without a cloud that is active/);
      await upTo(SHOP);
      return SHOP;
    },
  },
  {
    title: 'a logical rename writes nothing and says what to add; with an alias it says nothing',
    from: SHOP,
    play: async ({ stack, up, expectClean }) => {
      const renamed = await up(RENAMED);
      expect([renamed.errors, renamed.code, renamed.writes]).toEqual(['', 0, []]);
      expect(renamed.told).toMatch(/add an alias/);
      await expectClean(RENAMED);
      await stack.declare(SHOP, { web: 'front' });
      stack.live.requests();
      const back = await stack.project.run('up', '--skip-preview', '--expect-no-changes', '--diff');
      expect([back.code, back.output]).toEqual([0, expect.not.stringMatching(/add an alias/)]);
      expect(stack.live.requests()).toEqual(['GET organizations.read']);
      await expectClean(SHOP);
      return SHOP;
    },
  },
  {
    title: 'a logical rename while the deployment fails; the next up destroys nothing either',
    from: SHOP,
    play: async (play) => {
      play.failing('web/deployer');
      const renamed = withWeb({ logical: 'front' }, withDeployer({ attributes: { username: 'robot' } }));
      await play.fails(renamed, /.+/);
      play.mended();
      await play.up(renamed);
      const taken = await play.up(RENAMED);
      expect(taken.told).toMatch(/alias/);
      expect(await designPlatforms(play)).toEqual(['db', 'web']);
      await play.upTo(RENAMED);
      return RENAMED;
    },
  },
  {
    title: 'a logical rename with a change at once: an error with advice, and nothing is lost',
    from: SHOP,
    play: async ({ stack, fails, upTo }) => {
      await fails(withWeb({ logical: 'front', description: 'front' }), /add an alias/);
      expect(await stack.differences(SHOP)).toEqual([]);
      await upTo(SHOP);
      return SHOP;
    },
  },
]);
