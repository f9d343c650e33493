// What a review says of scaling next to a value of it that is declared: found value by value, and accepted, recorded or reverted without a change of
// what is declared.
import { layered, type Route, routes } from '../../api/contract';
import { deployAgain, readState, recordFindings, renderReview, type Review, type ReviewOptions } from '../../drift';
import { failing } from '../world/between';
import {
  acceptedIn,
  exportOf,
  type Kept,
  keptOf,
  NO_RULES,
  revertedIn,
  revertingIn,
  reviewIn,
  rulesOf,
  unexpectedIn as unexpected,
} from '../world/drift-world';
import { run, type Stack } from '../world/engine-simulation';
import { standingStack } from '../world/each-stack';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { documentOf, yamlText } from '../world/stack-yaml';
import { eachDialect } from '../world/each-dialect';
import type { World } from '../world/world';
import { PROD } from '../world/shop-spec';

const SHOP: StackSpec = {
  platforms: { web: { pack: 'tomcat' } },
  environments: {
    prod: {
      availability: 'redundant',
      clouds: { east: { priority: 1 } },
      switches: { web: { scale: { compute: { current: 3 } } } },
    },
  },
};

const WEB = { assembly: 'shop', environment: 'prod', platform: 'web' };

/** Lets a stack stand before each test: its file, what its state has of it, and its reviews. */
function standing(world: World, spec: StackSpec) {
  const file = yamlText(documentOf(spec));
  const at = { file, stack: new Map() as Stack, kept: [] as readonly Kept[], reviewed };
  beforeEach(async () => {
    at.stack = await standingStack(world, spec);
    at.kept = keptOf(at.stack);
    world.clock.advance(60_000);
  });
  function reviewed(options: Partial<ReviewOptions> & { readonly text?: string } = {}): Promise<Review> {
    world.nextRun();
    return reviewIn(world, at.kept, { text: file, ...options });
  }
  return at;
}

eachDialect('%s', (test, world) => {
  const at = standing(world, SHOP);
  const { file: FILE, reviewed } = at;

  const compute = async () => {
    const { depends_on: relations } = await world.other.call(routes.environmentPlatforms.edit, { address: WEB });
    const [first] = relations;
    if (first === undefined) throw new Error('web scales nothing');
    return first;
  };

  /** Another user sets values next to the declared one, which keeps its lock, and commits. */
  const scale = async (values: { readonly [wireName: string]: string }, isLocked = true): Promise<void> => {
    await world.maria.scale(values, isLocked);
    await world.maria.commitEnvironment();
  };

  test.each([
    [{ max: '9' }, true, ['scale.compute.max']],
    [{ max: '9' }, false, ['scale.compute.max']],
    [{ step_up: '2', pct_dpmt: '50' }, true, ['scale.compute.pctDpmt', 'scale.compute.stepUp']],
  ])(
    '%j next to a declared current, locked: %s: found, accepted, recorded and reverted',
    async (values, isLocked, paths) => {
      await scale(values, isLocked);
      const first = await reviewed();
      const found = unexpected(first);
      expect(first.findings.map(({ attribute }) => attribute).sort()).toEqual(paths);
      for (const finding of found)
        expect(finding).toMatchObject({
          kind: 'EnvironmentPlatform',
          address: 'acme/shop/prod/web',
          severity: 'high',
          author: { who: 'maria' },
          setIn: { environment: 'prod', nextPull: isLocked ? 'keeps' : 'overwrites' },
          at: { file: 'oneops.yaml', line: 16 },
        });
      const shown = renderReview('text', first, { width: 400 });
      for (const text of Object.values(values)) expect(shown).toContain(text);

      const { text, refused } = acceptedIn(FILE, found);
      expect(refused).toEqual([]);
      for (const [name, value] of Object.entries(values)) expect(text).toContain(`${name}: ${value}`);
      expect(text).toContain('current: 3');
      expect(unexpected(await reviewed({ text }))).toEqual([]);

      const recording = recordFindings(found, NO_RULES);
      expect(recording.refused).toEqual([]);
      const rules = rulesOf(recording.text);
      const quiet = await reviewed({ rules });
      expect([unexpected(quiet), quiet.problems]).toEqual([[], []]);

      const plan = await revertedIn(revertingIn(world, FILE), found);
      expect([plan.refused, plan.held, plan.reversals.length]).toEqual([[], [], 1]);
      expect(unexpected(await reviewed())).toEqual([]);
      const { relationAttributes, relationAttrProps } = await compute();
      expect(relationAttributes).toMatchObject({ current: '3' });
      expect(relationAttrProps?.owner).toEqual({ current: 'manifest' });
    },
  );

  test('who set a value that a later run of the stack left as it is, is not said to be known', async () => {
    await scale({ max: '9' });
    const declared = { web: { scale: { compute: { current: 4 } } } };
    const [prod] = Object.values(SHOP.environments ?? {});
    const later = { ...SHOP, environments: { prod: { ...prod, switches: declared } } };
    const { stack: now, errors } = await run(world, at.stack, resourcesOf(later));
    expect(errors).toEqual([]);
    at.kept = keptOf(now);
    const [found, ...others] = unexpected(await reviewed({ text: FILE.replace('current: 3', 'current: 4') }));
    expect([found?.attribute, found?.author?.unsure, others]).toEqual(['scale.compute.max', [], []]);
  });

  test('what was recorded of all scaling holds for each value when one of it is declared later', async () => {
    await scale({ max: '9' });
    const bare = FILE.replace(/ {4}platforms:\n(?: {6}.*\n)+/, '');
    at.kept = at.kept.filter(({ token }) => token !== 'EnvironmentPlatform');
    const first = await reviewed({ text: bare });
    expect(unexpected(first).map(({ attribute }) => attribute)).toEqual(['scale']);
    const rules = rulesOf(recordFindings(unexpected(first), NO_RULES).text);
    expect(unexpected(await reviewed({ rules }))).toEqual([]);
  });
});

// What a review says of platforms that another user switches off or scales in an environment of which nobody declares it: by whom, in which release,
// what a pull does with it; and that it can be accepted into the file and reverted.
describe('switched platforms', () => {
  const SHOP: StackSpec = {
    platforms: { web: { pack: 'tomcat' }, db: { pack: 'mysql' } },
    environments: { prod: { availability: 'redundant', clouds: { east: { priority: 1 }, west: { priority: 2 } } } },
  };

  eachDialect('%s', (test, world) => {
    const at = standing(world, SHOP);
    const { file: FILE, reviewed } = at;

    /** Another user disables a platform; answers the number of the release it is in. */
    const disable = async (): Promise<number> => {
      await world.maria.switch('disable', 'web');
      const events = await world.api.call(routes.environments.timeline, { address: PROD });
      return Math.max(
        ...events.filter(({ nsPath }) => nsPath?.endsWith('/manifest')).map(({ releaseId }) => releaseId),
      );
    };

    /** Another user scales a platform, as the service's own pages do: with a lock, or without one. */
    const scale = (current: string, isLocked = true): Promise<void> => world.maria.scale({ current }, isLocked);

    const setRepair = async (autorepair: string): Promise<void> => {
      await world.maria.set('prod:web', { autorepair });
    };

    test('a platform that is disabled is reported with the release that did it, at each stage, and that a pull keeps it', async () => {
      const rows: unknown[] = [];
      const note = async (): Promise<void> => {
        const review = await reviewed();
        const [finding] = unexpected(review);
        rows.push([finding?.author?.who, finding?.author?.releaseId, finding?.author?.stage, finding?.setIn?.nextPull]);
        expect(unexpected(review)).toHaveLength(1);
        const text = renderReview('text', review, { width: 400 });
        expect(text).toMatch(/set in prod only, by maria, .*; the next pull keeps it\n/);
      };
      const release = await disable();
      await note();
      await world.maria.commitEnvironment();
      await note();
      await world.maria.deploy();
      await note();
      expect(rows).toEqual(['design', 'released', 'deployed'].map((stage) => ['maria', release, stage, 'keeps']));
    });

    test('who disabled a platform is not said to have changed its other values', async () => {
      await setRepair('false');
      await world.maria.commitEnvironment();
      const release = await disable();
      const found = unexpected(await reviewed());
      expect(found.map(({ attribute, author }) => [attribute, author?.releaseId === release, author?.stage])).toEqual([
        ['enabled', true, 'design'],
        ['autorepair', false, 'released'],
      ]);
    });

    test.each([['1'], ['5']])(
      'an instance count of %s without a lock is found once it is deployed, and no longer when it is as the pack has it',
      async (current) => {
        await scale(current, false);
        await world.maria.rollOut();
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
      const declared = await run(world, at.stack, resourcesOf(declares({ current: 3 })));
      expect(declared.errors).toEqual([]);
      at.kept = keptOf(declared.stack);
      expect(unexpected(await reviewed({ text: textOf('current: 3') }))).toEqual([]);
      const given = await run(world, declared.stack, resourcesOf(declares()));
      expect(given.errors).toEqual([]);
      at.kept = keptOf(given.stack);
      expect(await reviewed()).toMatchObject({ findings: [], outcome: 'in-sync' });
    });

    test('a platform that the file declares to be down stays down when a revert deploys', async () => {
      const [prod] = Object.values(SHOP.environments ?? {});
      const off = { ...SHOP, environments: { prod: { ...prod, switches: { db: { enabled: false } } } } };
      const { stack, errors } = await run(world, at.stack, resourcesOf(off));
      expect(errors).toEqual([]);
      at.kept = keptOf(stack);
      const text = FILE.replace('    deploy: {}', '    platforms: { db: { enabled: false } }\n    deploy: {}');
      expect(await reviewed({ text })).toMatchObject({ findings: [], outcome: 'in-sync' });

      await setRepair('false');
      await world.maria.commitEnvironment();
      const context = { ...revertingIn(world, text), applied: readState(exportOf(at.kept)).records };
      const { reversals } = await revertedIn(context, unexpected(await reviewed({ text })));
      await deployAgain(context, reversals);
      expect(reversals).toHaveLength(1);
      expect(await reviewed({ text })).toMatchObject({ findings: [], outcome: 'in-sync' });
    });

    test('no GET is sent twice, whether anything is to be found or not', async () => {
      const sent: string[] = [];
      const api = layered(world.api, (next) => (route, input) => {
        sent.push(JSON.stringify([route.name, input?.address ?? {}, input?.query ?? {}]));
        return next(route, input);
      });
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
      const asked = new Set<Route>();
      await reviewed({ api: layered(world.api, (next) => (route, input) => (asked.add(route), next(route, input))) });
      const silent: string[] = [];
      for (const route of asked) {
        const { outcome } = await reviewed({ api: failing(world.api, route) });
        if (outcome === 'in-sync') silent.push(route.name);
      }
      expect(silent).toEqual([]);
    });
  });
});
