// Links between platforms and dependencies between components leave no stamp on their record: a review names who changed them by the releases.
import type { Api } from '../../api/client';
import { DIALECTS, routes, type Dialect } from '../../api/contract';
import type { DriftFinding } from '../../drift';
import { lifecycle } from '../../provider/lifecycle';
import { commitDesignByHand } from '../world/by-hand';
import { keptOf, reviewIn, type Kept } from '../world/drift-world';
import { emptyStack, run, type Stack } from '../world/engine-simulation';
import { reticent } from '../world/reticent';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld, kindOf, ROW } from '../world/world';

const spec: StackSpec = {
  platforms: {
    db: { pack: 'mysql' },
    web: {
      pack: 'tomcat',
      links: ['db'],
      components: {
        user: { type: 'user', attributes: { username: 'app' } },
        third: { type: 'user', attributes: { username: 'third' } },
        other: { type: 'user', attributes: { username: 'other' }, depends: ['user'] },
      },
    },
  },
  environments: { prod: { clouds: { east: { priority: 1 } } } },
};

const WEB = { assembly: 'shop', platform: 'web' };

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
  const world = eachWorld(dialect);
  let stack: Stack;

  beforeEach(async () => {
    const made = await run(world, emptyStack, resourcesOf(spec));
    expect(made.errors).toEqual([]);
    ({ stack } = made);
    world.clock.advance(60_000);
  });

  /** Another user removes the link of `web`. */
  const unlink = (): Promise<unknown> =>
    world.other.call(routes.platforms.update, {
      address: WEB,
      body: { cms_dj_ci: { ciAttributes: {} }, links_to: [] },
    });

  /** Findings of records; that their releases wait to be deployed is found beside them. */
  const recordsIn = ({ findings }: { readonly findings: readonly DriftFinding[] }): readonly DriftFinding[] =>
    findings.filter(({ classification }) => classification !== 'undeployed');

  const found = async () =>
    recordsIn(await reviewIn(world, keptOf(stack))).map(({ address, attribute, author }) => [
      address,
      attribute,
      author?.who,
      author?.stage,
    ]);

  test('the user who removed a link is named, before and after the commit', async () => {
    await unlink();
    // A write takes effect immediately where designs have no open release.
    expect(await found()).toEqual([['acme/shop/web', 'links', 'maria', dialect === 'classic' ? 'design' : 'released']]);
    await commitDesignByHand(world.other).catch(() => undefined);
    expect(await found()).toEqual([['acme/shop/web', 'links', 'maria', 'released']]);
  });

  test('the user who removed a dependency is named, before and after the commit', async () => {
    const declared = keptOf(stack).find(({ id }) => id === 'acme/shop/web/other') as Kept;
    const life = lifecycle(kindOf('Component'), () => Promise.resolve(world.other), world.freshSession());
    const seen = await life.read(declared.id, declared.outputs, ROW);
    await life.update(declared.id, seen?.outputs ?? {}, { ...declared.outputs, depends: [] }, ROW);
    const other = ['acme/shop/web/other', 'depends', 'maria'];
    expect(await found()).toEqual([[...other, dialect === 'classic' ? 'design' : 'released']]);
    await commitDesignByHand(world.other).catch(() => undefined);
    expect(await found()).toEqual([[...other, 'released']]);
  });

  test('the user who added a dependency is named, and not the user of the run that wrote the others', async () => {
    const declared = keptOf(stack).find(({ id }) => id === 'acme/shop/web/other') as Kept;
    const life = lifecycle(kindOf('Component'), () => Promise.resolve(world.other), world.freshSession());
    const seen = await life.read(declared.id, declared.outputs, ROW);
    await life.update(declared.id, seen?.outputs ?? {}, { ...declared.outputs, depends: ['user', 'third'] }, ROW);
    await commitDesignByHand(world.other).catch(() => undefined);
    expect(await found()).toEqual([['acme/shop/web/other', 'depends', 'maria', 'released']]);
  });

  test('no user is named by a service that does not list the changes of releases', async () => {
    await unlink();
    const findings = recordsIn(await reviewIn(world, keptOf(stack), { api: reticent(world.api) }));
    expect(findings.map(({ attribute, author }) => [attribute, author])).toEqual([['links', { who: '', when: 0 }]]);
  });

  test('two users who each made a part of the change are both named', async () => {
    const change = async (api: Api, depends: readonly string[]): Promise<void> => {
      const declared = keptOf(stack).find(({ id }) => id === 'acme/shop/web/other') as Kept;
      const life = lifecycle(kindOf('Component'), () => Promise.resolve(api), world.freshSession());
      const seen = await life.read(declared.id, declared.outputs, ROW);
      await life.update(declared.id, seen?.outputs ?? {}, { ...declared.outputs, depends }, ROW);
      await commitDesignByHand(api).catch(() => undefined);
      world.clock.advance(60_000);
    };
    await change(world.other, []);
    await change(world.api, ['third']);
    expect(
      recordsIn(await reviewIn(world, keptOf(stack))).map(({ classification, attribute, author }) => [
        classification,
        attribute,
        author?.who,
        author?.unsure ?? [],
      ]),
    ).toEqual([['changed', 'depends', 'admin', ['maria']]]);
  });

  test('the user who removed a link and deleted what it led to is named', async () => {
    await unlink();
    await world.other.call(routes.platforms.delete, { address: { assembly: 'shop', platform: 'db' } });
    await commitDesignByHand(world.other).catch(() => undefined);
    expect((await found()).filter(([, attribute]) => attribute === 'links').map(([, , who]) => who)).toEqual(['maria']);
  });

  test('the user who removed a link is named next to another user who changed the record', async () => {
    await unlink();
    await commitDesignByHand(world.other).catch(() => undefined);
    world.clock.advance(60_000);
    await world.api.call(routes.platforms.update, {
      address: WEB,
      body: { cms_dj_ci: { ciAttributes: { description: 'changed by the user of the review' } } },
    });
    const own = (await found()).filter(([, attribute]) => attribute === 'links');
    expect(own.map(([, , who]) => who)).toEqual(['maria']);
  });
});
