// What a review says of platforms that another user switches off or scales in an environment of which nobody declares it: by whom, in which release,
// what a pull does with it; and that it can be accepted into the file and reverted.
import { DIALECTS, routes } from '../../api/contract';
import type { Api } from '../../api/client';
import { Forbidden } from '../../api/errors';
import { applyReversals, deployAgain, planRevert, readState, renderReview } from '../../drift';
import type { Review, ReviewOptions } from '../../drift';
import { testInTurn } from '../dialects-in-turn';
import { commitByHand, deployByHand, scaleByHand, switchByHand } from '../world/by-hand';
import { exportOf, type Kept, keptOf, revertingIn, reviewIn, unexpectedIn as unexpected } from '../world/drift-world';
import { emptyStack, run, type Stack } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld } from '../world/world';

const SHOP: StackSpec = {
  platforms: { web: { pack: 'tomcat' }, db: { pack: 'mysql' } },
  environments: { prod: { availability: 'redundant', clouds: { east: { priority: 1 }, west: { priority: 2 } } } },
};

const FILE = `assembly: { name: shop, owner: team@acme.io }
platforms:
  web: { pack: oneops/tomcat:1 }
  db: { pack: oneops/mysql:1 }
environments:
  prod:
    availability: redundant
    clouds: { east: { priority: 1 }, west: { priority: 2 } }
    deploy: {}
`;

const AT = { assembly: 'shop', environment: 'prod' };
const WEB = { ...AT, platform: 'web' };

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let kept: readonly Kept[];

  let made: Stack;
  beforeEach(async () => {
    const { stack, errors } = await run(world, emptyStack, resourcesOf(SHOP));
    made = stack;
    expect(errors).toEqual([]);
    world.requests();
    kept = keptOf(stack);
    world.clock.advance(60_000);
  });

  const reviewed = (options: Partial<ReviewOptions> & { readonly text?: string } = {}): Promise<Review> => {
    world.nextRun();
    return reviewIn(world, kept, { text: FILE, ...options });
  };

  /** Another user disables a platform; answers the number of the release it is in. */
  const disable = async (): Promise<number> => {
    await switchByHand(world, 'disable', 'web');
    const events = await world.api.call(routes.environments.timeline, { address: AT });
    return Math.max(...events.filter(({ nsPath }) => nsPath?.endsWith('/manifest')).map(({ releaseId }) => releaseId));
  };

  /** Another user scales a platform, as the service's own pages do: with a lock, or without one. */
  const scale = (current: string, isLocked = true): Promise<void> => scaleByHand(world, { current }, isLocked);

  const setRepair = async (autorepair: string): Promise<void> => {
    const platform = await world.api.call(routes.environmentPlatforms.read, { address: WEB });
    const body = { cms_dj_ci: { ciId: platform.ciId, ciName: 'web', ciAttributes: { autorepair } } };
    await world.other.call(routes.environmentPlatforms.update, { address: WEB, body });
  };

  test('nothing is found of what nobody touched', async () => {
    expect(await reviewed()).toMatchObject({ findings: [], unread: [], outcome: 'in-sync' });
  });

  test('a platform that is disabled is reported with the release that did it, at each stage, and that a pull keeps it', async () => {
    const told: unknown[] = [];
    const note = async (): Promise<void> => {
      const review = await reviewed();
      const [finding] = unexpected(review);
      told.push([finding?.author?.who, finding?.author?.releaseId, finding?.author?.stage, finding?.setIn?.nextPull]);
      expect(unexpected(review)).toHaveLength(1);
      const text = renderReview('text', review, { width: 400 });
      expect(text).toMatch(/set in prod only, by maria, .*; the next pull keeps it\n/);
    };
    const release = await disable();
    await note();
    await commitByHand(world);
    await note();
    await deployByHand(world);
    await note();
    expect(told).toEqual(['design', 'released', 'deployed'].map((stage) => ['maria', release, stage, 'keeps']));
  });

  test('who disabled a platform is not said to have changed its other values', async () => {
    await setRepair('false');
    await commitByHand(world);
    const release = await disable();
    const found = unexpected(await reviewed());
    expect(found.map(({ attribute, author }) => [attribute, author?.releaseId === release, author?.stage])).toEqual([
      ['enabled', true, 'design'],
      ['autorepair', false, 'released'],
    ]);
  });

  const TAMPERED: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    ['enabled', 'keeps', () => disable()],
    ['scale', 'keeps', () => scale('5')],
    ['scale', 'overwrites', () => scale('5', false)],
    ['scale', 'overwrites', () => scale('1', false)],
    ['autorepair', 'keeps', () => setRepair('false')],
  ];

  // That what is advised holds is a law of drift-unexpected-laws.
  test.each(TAMPERED)('%s, which the next pull %s, is found and attributed', async (attribute, nextPull, tamper) => {
    await tamper();
    expect(unexpected(await reviewed())).toMatchObject([
      { attribute, setIn: { nextPull }, author: { who: 'maria', stage: 'design' } },
    ]);
  });

  test.each([['1'], ['5']])(
    'an instance count of %s without a lock is found once it is deployed, and no longer when it is as the pack has it',
    async (current) => {
      await scale(current, false);
      await commitByHand(world);
      await deployByHand(world);
      const found = unexpected(await reviewed());
      expect(found).toMatchObject([{ attribute: 'scale', author: { who: 'maria' }, severity: 'high' }]);
      expect(found[0]?.live).toMatchObject({ value: { compute: { current: Number(current) } } });
      await scale('2', false);
      expect(unexpected(await reviewed())).toEqual([]);
    },
  );

  test('a scaling that was declared from the first pull on is no finding, also after it is given back', async () => {
    const [prod] = Object.values(SHOP.environments ?? {});
    const declares = (compute?: { readonly [name: string]: number }): StackSpec => ({
      ...SHOP,
      environments: { prod: { ...prod, ...(compute ? { switches: { web: { scale: { compute } } } } : {}) } },
    });
    const textOf = (values: string): string =>
      FILE.replace('    deploy: {}', `    platforms: { web: { scale: { compute: { ${values} } } } }\n    deploy: {}`);
    const declared = await run(world, made, resourcesOf(declares({ current: 3 })));
    expect(declared.errors).toEqual([]);
    kept = keptOf(declared.stack);
    expect(unexpected(await reviewed({ text: textOf('current: 3') }))).toEqual([]);
    const given = await run(world, declared.stack, resourcesOf(declares()));
    expect(given.errors).toEqual([]);
    kept = keptOf(given.stack);
    expect(await reviewed()).toMatchObject({ findings: [], outcome: 'in-sync' });
  });

  test('a platform that the file declares to be down stays down when a revert deploys', async () => {
    const [prod] = Object.values(SHOP.environments ?? {});
    const off = { ...SHOP, environments: { prod: { ...prod, switches: { db: { enabled: false } } } } };
    const { stack, errors } = await run(world, made, resourcesOf(off));
    expect(errors).toEqual([]);
    kept = keptOf(stack);
    const text = FILE.replace('    deploy: {}', '    platforms: { db: { enabled: false } }\n    deploy: {}');
    expect(await reviewed({ text })).toMatchObject({ findings: [], outcome: 'in-sync' });

    await setRepair('false');
    await commitByHand(world);
    const context = { ...revertingIn(world, text), applied: readState(exportOf(kept)).records };
    const { reversals } = await planRevert(context, unexpected(await reviewed({ text })));
    await applyReversals(context, reversals);
    await deployAgain(context, reversals);
    expect(reversals).toHaveLength(1);
    expect(await reviewed({ text })).toMatchObject({ findings: [], outcome: 'in-sync' });
  });

  test('no GET is sent twice, whether anything is to be found or not', async () => {
    const sent: string[] = [];
    const { call } = world.api;
    const api: Api = {
      ...world.api,
      call: (route, input) => {
        const { address, query } = input as { readonly address?: object; readonly query?: object };
        sent.push(JSON.stringify([route.name, address ?? {}, query ?? {}]));
        return call(route, input);
      },
    };
    for (const tamper of [() => Promise.resolve(), () => disable()]) {
      await tamper();
      sent.length = 0;
      await reviewed({ api });
      expect(sent.length).toBeGreaterThan(10);
      expect(sent.filter((each, index) => sent.indexOf(each) !== index)).toEqual([]);
    }
  });

  test('where a platform is disabled, no list that is refused makes it in sync', async () => {
    await disable();
    const { call } = world.api;
    const names = new Set<string>();
    await reviewed({ api: { ...world.api, call: (route, input) => (names.add(route.name), call(route, input)) } });
    const silent: string[] = [];
    for (const name of names) {
      const api: Api = {
        ...world.api,
        call: (route, input) =>
          route.name === name
            ? Promise.reject(new Forbidden({ method: 'GET', path: '/acme', status: 403, messages: ['no'] }))
            : call(route, input),
      };
      const { outcome } = await reviewed({ api });
      if (outcome === 'in-sync') silent.push(name);
    }
    expect(silent).toEqual([]);
  });
});
