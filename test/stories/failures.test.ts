// Failures on the real engine: deployments that fail, destroys, targets, and members that are protected or retained.
// Kills at any request are in test/stories/crashes.test.ts.
import { routes } from '../../api/contract';
import { CHANGED, MOTD, SHOP, withDeployer, withoutWeb, withWeb } from '../conformance/shop-spec';
import type { StackSpec } from '../conformance/stack-spec';
import { chain, type Play } from './row-chain';

const marked = (mark: 'protect' | 'retain'): StackSpec => withDeployer({ attachments: { motd: { ...MOTD, mark } } });

const DB_ONLY: StackSpec = { ...withoutWeb(), platforms: { db: {} } };

const urnOf = (token: string, name: string): string =>
  `urn:pulumi:dev::story::pulumi-nodejs:dynamic/oneops:${token}::${name}`;

const failsOnce = async ({ failing, fails, mended }: Play): Promise<void> => {
  failing('web/deployer');
  await fails(CHANGED, /deployment \d+ failed[^]*no room/);
  mended();
};

const newest = ({ stack }: Play) =>
  stack.live.other.call(routes.deployments.latest, { address: { assembly: 'shop', environment: 'prod' } });

chain('failures', 1, [
  {
    title: 'a deployment fails, and the next up retries that one',
    from: SHOP,
    play: async (play) => {
      await failsOnce(play);
      const failed = await newest(play);
      const { steps } = await play.upTo(CHANGED);
      expect(steps).toEqual(['update Deployment::prod']);
      expect((await newest(play)).deploymentId).toBe(failed.deploymentId);
      return CHANGED;
    },
  },
  {
    title: 'a deployment fails, a refresh shows it, and up with a refresh retries it',
    from: SHOP,
    play: async (play) => {
      await failsOnce(play);
      const gate = await play.stack.project.run('refresh', '--preview-only', '--expect-no-changes', '--diff');
      expect([gate.code, gate.output]).toEqual([7, expect.stringMatching(/state *: "complete" => "failed"/)]);
      await play.upTo(CHANGED, '--refresh');
      return CHANGED;
    },
  },
  {
    title: 'a deployment fails, and something else is changed as well',
    from: SHOP,
    play: async (play) => {
      await failsOnce(play);
      const other = withDeployer({
        attributes: { username: 'robot' },
        attachments: { motd: { ...MOTD, content: 'bye' } },
      });
      await play.upTo(other);
      return other;
    },
  },
  {
    title: 'a deployment fails, and the change is taken back',
    from: SHOP,
    play: async (play) => {
      await failsOnce(play);
      await play.upTo(SHOP);
      return SHOP;
    },
  },
  {
    title: 'one attachment by target; the next up finishes it',
    from: SHOP,
    play: async ({ up, upTo }) => {
      const one = await up(CHANGED, '--target', urnOf('Attachment', 'web/motd'));
      expect([one.errors, one.steps]).toEqual(['', ['update Attachment::web/motd']]);
      await upTo(CHANGED);
      return CHANGED;
    },
  },
  {
    title: 'an attachment destroyed by target with its dependents tears the environment down; up makes all of it again',
    from: SHOP,
    play: async ({ stack, upTo }) => {
      const gone = await stack.destroy('--target', urnOf('Attachment', 'web/motd'), '--target-dependents');
      expect([gone.errors, gone.code]).toEqual(['', 0]);
      expect(await stack.live.running('shop')).toEqual([]);
      await upTo(SHOP);
      return SHOP;
    },
  },
  {
    title: 'a protected attachment leaves alone, with its component or with its platform: it is not deleted',
    from: marked('protect'),
    play: async ({ fails, upTo }) => {
      for (const less of [
        withDeployer({ attachments: {} }),
        withWeb({ components: { compute: { attributes: { size: 'M' } } } }),
        withoutWeb(),
      ]) {
        const { writes } = await fails(less, /Attachment::web\/motd" cannot be deleted\s+because it is protected/);
        expect(writes.filter((write) => write.startsWith('DELETE'))).toEqual([]);
      }
      await upTo(marked('protect'));
      return marked('protect');
    },
  },
  {
    title: 'a retained attachment stays; taken back into the file it is taken over',
    from: marked('retain'),
    play: async ({ stack, up, upTo }) => {
      const { errors, code } = await up(withDeployer({ attachments: {} }));
      expect([errors, code]).toEqual(['', 0]);
      expect(await stack.differences(SHOP)).toEqual([]);
      await upTo(marked('retain'));
      return marked('retain');
    },
  },
  {
    title: 'a retained attachment below a platform that goes',
    from: marked('retain'),
    play: async ({ upTo }) => {
      await upTo(DB_ONLY);
      return DB_ONLY;
    },
  },
  {
    title: 'a retained platform stays with everything below it, and runs; taken back, it is asked for once',
    from: withWeb({ mark: 'retain' }),
    play: async ({ stack, up, upTo }) => {
      const { errors, code } = await up(DB_ONLY);
      expect([errors, code, stack.outages()]).toEqual(['', 0, []]);
      expect(await stack.differences(SHOP)).toEqual([]);
      await upTo(withWeb({ adopt: true }));
      await upTo(SHOP);
      return SHOP;
    },
  },
  {
    title: 'the last environments and an attachment leave at once',
    from: SHOP,
    play: async ({ upTo }) => {
      const less: StackSpec = { ...withDeployer({ attachments: {} }), environments: {} };
      await upTo(less);
      return less;
    },
  },
  {
    title: 'a tear-down fails and says what; the next one leaves nothing',
    from: SHOP,
    play: async ({ stack, failing, mended }) => {
      failing('web/deployer');
      const failed = await stack.destroy();
      expect([failed.code, failed.errors]).toEqual([1, expect.stringMatching(/deployment \d+ failed[^]*no room/)]);
      mended();
      const { errors, code } = await stack.destroy();
      expect([errors, code, await stack.left()]).toEqual(['', 0, []]);
      return undefined;
    },
  },
]);
