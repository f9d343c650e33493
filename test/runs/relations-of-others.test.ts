// Relations to replaced records, as other users wrote them or took them away: the run gives back those that went with the record, whatever else it
// writes at the same time, and no others.
import { DIALECTS, routes, type Dialect } from '../../api/contract';
import type { Api } from '../../api/client';
import type { Inputs } from '../../provider';
import { lifecycle } from '../../provider/lifecycle';
import { commitDesignByHand } from '../world/by-hand';
import { emptyStack, run, type Run, type Stack } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld, kindOf, ROW } from '../world/world';

const SHOP = { assembly: 'shop' };
const WEB = { ...SHOP, platform: 'web' };

const user = (username: string) => ({ type: 'user', attributes: { username } });
const theirs: Inputs = { ...WEB, name: 'theirs', ...user('theirs') };

/** A promise, and what resolves it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
  const world = eachWorld(dialect);

  const up = async (stack: Stack, spec: StackSpec): Promise<Run> => {
    const done = await run(world, stack, resourcesOf(spec));
    expect(done.errors).toEqual([]);
    return done;
  };
  const commit = (): Promise<unknown> => commitDesignByHand(world.other).catch(() => undefined);
  const linksOf = async (platform: string): Promise<readonly string[] | null | undefined> =>
    (await world.other.call(routes.platforms.read, { address: { ...SHOP, platform } })).links_to;
  const setLinks = async (platform: string, links_to: readonly string[]): Promise<void> => {
    const body = { cms_dj_ci: { ciAttributes: {} }, links_to };
    await world.other.call(routes.platforms.update, { address: { ...SHOP, platform }, body });
    await commit();
  };

  describe('dependencies of a component of another user', () => {
    const lifeOf = (by: Api) => lifecycle(kindOf('Component'), () => Promise.resolve(by), world.freshSession());
    /** Components of the other user, with all that they show. */
    const seen = async (): Promise<readonly unknown[]> => {
      const all = await world.other.call(routes.components.list, { address: WEB });
      const own = all.filter(({ ciName }) => ciName === 'theirs');
      const read = own.map(async ({ ciId }) => {
        const address = { ...WEB, component: String(ciId) };
        const { ciClassName, ciAttributes, dependsOn } = await world.other.call(routes.components.read, { address });
        return { ciClassName, ciAttributes, depends: (dependsOn ?? []).map(({ ciName }) => ciName).sort() };
      });
      return Promise.all(read);
    };
    /** All are deleted and then created again in one run. */
    const replace = async (stack: Stack, names: readonly string[]): Promise<void> => {
      const own = lifeOf(world.api);
      const kept = names.flatMap((name) => stack.get(`Component::web/${name}`) ?? []);
      expect(kept.map(({ key }) => key)).toHaveLength(names.length);
      for (const { inputs, key } of kept) own.check(inputs, false, key);
      for (const { id, outputs, key } of kept) await own.delete(id, outputs, ROW, key);
      for (const { inputs } of kept) await own.create(inputs, ROW);
    };

    test('on several that are replaced in one run, one of them named like its template, all come back', async () => {
      const components = { user: user('first'), app: user('app') };
      const { stack } = await up(emptyStack, { platforms: { web: { pack: 'tomcat', components } } });
      await lifeOf(world.other).create({ ...theirs, depends: ['app', 'user'] }, ROW);
      await commit();
      const before = await seen();
      expect(before).toMatchObject([{ depends: ['app', 'os', 'user'] }]);
      await replace(stack, ['user', 'app']);
      expect(await seen()).toEqual(before);
    });

    test('come back where it shares its name with a component of another template', async () => {
      const { stack } = await up(emptyStack, {
        platforms: { web: { pack: 'tomcat', components: { app: user('app') } } },
      });
      await lifeOf(world.other).create({ ...theirs, depends: ['app'] }, ROW);
      await lifeOf(world.other).create({ ...theirs, type: 'job', attributes: { minute: '5', cmd: 'true' } }, ROW);
      await commit();
      const before = await seen();
      expect(before).toHaveLength(2);
      await replace(stack, ['app']);
      expect(await seen()).toEqual(before);
    });
  });

  test('a link that another user took away is not written again when its platform is replaced', async () => {
    const spec = (pack: string): StackSpec => ({ platforms: { db: { pack }, web: { pack: 'tomcat', links: ['db'] } } });
    const { stack } = await up(emptyStack, spec('mysql'));
    await setLinks('web', []);
    await up(stack, spec('postgresql'));
    expect(await linksOf('web')).toEqual([]);
  });

  test('a rename names the platforms of others that lose their links', async () => {
    const spec = (name: string): StackSpec => ({ platforms: { [name]: { pack: 'mysql', logical: 'db' } } });
    const { stack } = await up(emptyStack, spec('db'));
    const cms_dj_ci = { ciName: 'api', ciAttributes: { source: 'oneops', pack: 'tomcat', version: '1' } };
    await world.other.call(routes.platforms.create, { address: SHOP, body: { cms_dj_ci, links_to: ['db'] } });
    await commit();
    const { notices } = await up(stack, spec('data'));
    expect(await linksOf('api')).toEqual([]);
    expect(notices.join()).toContain('takes the old one out of links of platform acme/shop/api');
  });

  test('a link that just came back stays, while the run updates the platform that holds it', async () => {
    const spec = (pack: string, description: string): StackSpec => ({
      platforms: { cache: { pack: 'mysql', description }, db: { pack }, web: { pack: 'tomcat', description } },
    });
    const declared = (pack: string, description: string) =>
      resourcesOf(spec(pack, description)).map((each) =>
        each.key === 'Platform::web' ? { ...each, after: ['Platform::cache'] } : each,
      );
    const { stack } = await run(world, emptyStack, declared('mysql', 'one'));
    await setLinks('web', ['db']);
    // The service answers in the order of a busy network: "web" is read before "db" is there again, and written after its link came back.
    const [deleted, read, restored] = [gate(), gate(), gate()];
    const soon = (opened: Promise<void>) => Promise.race([opened, new Promise((done) => setTimeout(done, 300))]);
    let isGone = false;
    const call: typeof world.api.call = async (route, input) => {
      const { platform } = { platform: '', ...input?.address };
      if (route.name === routes.platforms.update.name && platform === 'cache') await soon(deleted.opened);
      if (route.name === routes.platforms.create.name) await soon(read.opened);
      const answer = await world.api.call(route, input);
      if (route.name === routes.platforms.delete.name) {
        isGone = true;
        deleted.open();
      }
      if (route.name === routes.platforms.update.name && platform === 'web') restored.open();
      if (route.name === routes.platforms.read.name && platform === 'web' && isGone) {
        isGone = false;
        read.open();
        await soon(restored.opened);
      }
      return answer;
    };
    const busy = { ...world, api: { ...world.api, call } };
    expect((await run(busy, stack, declared('postgresql', 'two'))).errors).toEqual([]);
    expect(await linksOf('web')).toEqual(['db']);
  });
});
