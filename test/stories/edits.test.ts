// Edits on the real engine: first up, nothing to do, edits, tampering, removals, a platform that comes later.
import { routes } from '../../api/contract';
import { commitDesignByHand } from '../conformance/by-hand';
import { DEPLOYER, EAST, MOTD, SHOP, WEB, withComponents, withProd, withWeb } from '../conformance/shop-spec';
import { leftToDeploy } from '../conformance/left-to-deploy';
import type { StackSpec } from '../conformance/stack-spec';
import { chain, type Play } from './row-chain';

/** Two platforms, two environments, two clouds. */
const TWO: StackSpec = {
  ...SHOP,
  environments: {
    staging: { clouds: EAST },
    prod: {
      clouds: { east: { priority: 1 }, west: { priority: 2 } },
      platforms: { web: { west: { pctScale: 50 } }, db: { west: { dpmtOrder: 2 }, east: { pctScale: 80 } } },
    },
  },
};

const EDITED = withComponents({ deployer: { ...DEPLOYER, attachments: { motd: { ...MOTD, content: 'bye' } } } }, TWO);

const DEPLOYS = ['update Environment::staging', 'update Environment::prod'].concat([
  'update Deployment::staging',
  'update Deployment::prod',
]);

const { db: DB_CLOUDS, ...OTHER_CLOUDS } = TWO.environments!['prod']!.platforms!;

/** Maria changes a component of the design, and brings it to the machines of staging. */
async function tamper({ stack }: Play): Promise<void> {
  const { other } = stack.live;
  const address = { assembly: 'shop', platform: 'web', component: 'compute' };
  const compute = await other.call(routes.components.read, { address });
  const record = { ciId: compute.ciId, ciName: 'compute', ciAttributes: { size: 'L' } };
  await other.call(routes.components.update, { address, body: { cms_dj_ci: record } });
  await commitDesignByHand(other);
  const at = { assembly: 'shop', environment: 'staging' };
  expect(await leftToDeploy(other, at, () => undefined)).toHaveLength(1);
  const { releaseId } = await other.call(routes.environmentReleases.bom, { address: at });
  const cms_deployment = { releaseId: String(releaseId), nsPath: '/acme/shop/staging/bom' };
  await other.call(routes.deployments.create, { address: at, body: { cms_deployment } });
  let state = '';
  while (state !== 'complete')
    ({ deploymentState: state } = await other.call(routes.deployments.latest, { address: at }));
}

const sizes = async ({ stack }: Play): Promise<ReadonlySet<unknown>> =>
  new Set(
    (await stack.live.instances('shop'))
      .filter(({ ciName, nsPath }) => ciName.startsWith('compute-') && nsPath.includes('/web/'))
      .map(({ ciAttributes }) => ciAttributes['size']),
  );

chain('edits', 0, [
  {
    title: 'first up of two platforms, two environments and two clouds',
    play: async ({ upTo }) => {
      const { steps } = await upTo(TWO);
      expect(steps.map((step) => step.split(' ')[0])).toEqual(Array.from({ length: 14 }, () => 'create'));
      return TWO;
    },
  },
  {
    title: 'nothing to do, with a refresh too',
    from: TWO,
    play: async ({ up }) => {
      for (const words of [['--expect-no-changes'], ['--refresh', '--expect-no-changes']]) {
        const { code, steps, writes } = await up(TWO, ...words);
        expect([code, steps, writes]).toEqual([0, [], []]);
      }
      return TWO;
    },
  },
  {
    title: 'an attachment changed: one PUT, one commit of the design, and a deployment for each environment',
    from: TWO,
    play: async ({ stack, dialect, upTo }) => {
      const shown = await stack.preview(EDITED);
      const expected = ['update Attachment::web/motd', 'update DesignRelease::shop', ...DEPLOYS];
      expect([...shown.steps].sort()).toEqual([...expected].sort());
      const { steps, writes } = await upTo(EDITED);
      expect([...steps].sort()).toEqual([...expected].sort());
      expect(writes).toHaveLength(dialect === 'classic' ? 8 : 7);
      return EDITED;
    },
  },
  {
    title: 'what somebody else changed is repaired, and deployed where it ran',
    from: EDITED,
    play: async (play) => {
      await tamper(play);
      expect(await sizes(play)).toEqual(new Set(['M', 'L']));
      const { writes } = await play.upTo(EDITED, '--refresh');
      expect(writes.filter((write) => /^PUT|deployments.create/.test(write))).toEqual([
        'PUT components.update',
        'POST deployments.create',
      ]);
      expect(await sizes(play)).toEqual(new Set(['M']));
      return EDITED;
    },
  },
  {
    title: 'an attachment removed, and an adopted component no longer declared',
    from: EDITED,
    play: async ({ upTo }) => {
      const less = withWeb({ components: { deployer: { ...DEPLOYER, attachments: {} } } }, TWO);
      const { writes } = await upTo(less);
      expect(writes.filter((write) => write.startsWith('DELETE'))).toEqual(['DELETE attachments.delete']);
      return less;
    },
  },
  {
    title: 'a running platform with its link and cloud configurations removed',
    from: TWO,
    play: async ({ upTo }) => {
      const web = withProd({ platforms: OTHER_CLOUDS }, { ...TWO, platforms: { web: { ...WEB, links: [] } } });
      const { writes } = await upTo(web);
      expect(DB_CLOUDS).toBeDefined();
      expect(writes.filter((write) => /^DELETE|deployments.create/.test(write))).toEqual([
        'DELETE platforms.delete',
        'POST deployments.create',
        'POST deployments.create',
      ]);
      return web;
    },
  },
  {
    title: 'a platform that comes later with cloud configurations; one of them removed',
    from: TWO,
    play: async ({ upTo }) => {
      const more: StackSpec = { ...TWO, platforms: { ...TWO.platforms, cache: { pack: 'redisio' } } };
      await upTo(withProd({ platforms: { cache: { west: { pctScale: 50 }, east: { pctScale: 70 } } } }, more));
      const less = withProd({ platforms: { cache: { east: { pctScale: 70 } } } }, more);
      await upTo(less);
      return less;
    },
  },
  {
    title: 'destroyed, with one delete for the assembly and one for each environment',
    from: SHOP,
    play: async ({ stack }) => {
      const { code, errors, writes } = await stack.destroy();
      expect([errors, code]).toEqual(['', 0]);
      expect(writes.filter((write) => write.startsWith('DELETE'))).toEqual([
        'DELETE environments.delete',
        'DELETE assemblies.delete',
      ]);
      expect(await stack.left()).toEqual([]);
      return undefined;
    },
  },
]);
