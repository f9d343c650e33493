// What a review says of scaling next to a value of it that is declared: found value by value, and accepted, recorded or reverted without a change of
// what is declared.
import { DIALECTS, routes } from '../../api/contract';
import {
  acceptFindings,
  applyReversals,
  planRevert,
  recordFindings,
  renderReview,
  type Review,
  type ReviewOptions,
} from '../../drift';
import { testInTurn } from '../dialects-in-turn';
import { commitByHand, scaleByHand } from '../world/by-hand';
import {
  ACCEPTING,
  type Kept,
  keptOf,
  NO_RULES,
  revertingIn,
  reviewIn,
  rulesOf,
  unexpectedIn as unexpected,
} from '../world/drift-world';
import { emptyStack, run, type Stack } from '../world/engine-simulation';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld } from '../world/world';

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

const FILE = `assembly: { name: shop, owner: team@acme.io }
platforms:
  web: { pack: oneops/tomcat:1 }
environments:
  prod:
    availability: redundant
    clouds: { east: { priority: 1 } }
    platforms:
      web:
        scale:
          compute: { current: 3 }
    deploy: {}
`;

const WEB = { assembly: 'shop', environment: 'prod', platform: 'web' };

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let stack: Stack;
  let kept: readonly Kept[];

  beforeEach(async () => {
    const made = await run(world, emptyStack, resourcesOf(SHOP));
    expect(made.errors).toEqual([]);
    ({ stack } = made);
    kept = keptOf(stack);
    world.clock.advance(60_000);
  });

  const reviewed = (options: Partial<ReviewOptions> & { readonly text?: string } = {}): Promise<Review> => {
    world.nextRun();
    return reviewIn(world, kept, { text: FILE, ...options });
  };

  const compute = async () => {
    const { depends_on: relations } = await world.other.call(routes.environmentPlatforms.edit, { address: WEB });
    const [first] = relations;
    if (first === undefined) throw new Error('web scales nothing');
    return first;
  };

  /** Another user sets values next to the declared one, which keeps its lock, and commits. */
  const scale = async (values: { readonly [wireName: string]: string }, isLocked = true): Promise<void> => {
    await scaleByHand(world, values, isLocked);
    await commitByHand(world);
  };

  test('what only the stack has set is no finding', async () => {
    expect(await reviewed()).toMatchObject({ findings: [], unread: [], outcome: 'in-sync' });
  });

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
          at: { file: 'oneops.yaml', line: 10 },
        });
      const shown = renderReview('text', first, { width: 400 });
      for (const text of Object.values(values)) expect(shown).toContain(text);

      const { files, refused } = acceptFindings(found, [{ name: 'oneops.yaml', text: FILE }], ACCEPTING);
      expect(refused).toEqual([]);
      const text = files[0]?.text ?? '';
      for (const [name, value] of Object.entries(values)) expect(text).toContain(`${name}: ${value}`);
      expect(text).toContain('current: 3');
      expect(unexpected(await reviewed({ text }))).toEqual([]);

      const recording = recordFindings(found, NO_RULES);
      expect(recording.refused).toEqual([]);
      const rules = rulesOf(recording.text);
      const quiet = await reviewed({ rules });
      expect([unexpected(quiet), quiet.problems]).toEqual([[], []]);

      const context = revertingIn(world, FILE);
      const plan = await planRevert(context, found);
      expect([plan.refused, plan.held, plan.reversals.length]).toEqual([[], [], 1]);
      await applyReversals(context, plan.reversals);
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
    const { stack: now, errors } = await run(world, stack, resourcesOf(later));
    expect(errors).toEqual([]);
    kept = keptOf(now);
    const [found, ...others] = unexpected(await reviewed({ text: FILE.replace('current: 3', 'current: 4') }));
    expect([found?.attribute, found?.author?.unsure, others]).toEqual(['scale.compute.max', [], []]);
  });

  test('a recorded value that is changed again is found, and goes back to what was recorded', async () => {
    await scale({ max: '9' });
    const first = await reviewed();
    const rules = rulesOf(recordFindings(unexpected(first), NO_RULES).text);
    await scale({ max: '8' });
    const [found, ...others] = unexpected(await reviewed({ rules }));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ recorded: true, expected: { value: 9 }, live: { value: 8 } });
  });

  test('what was recorded of all scaling holds for each value when one of it is declared later', async () => {
    await scale({ max: '9' });
    const bare = FILE.replace(/ {4}platforms:\n.*\n.*\n.*\n/, '');
    kept = kept.filter(({ token }) => token !== 'EnvironmentPlatform');
    const first = await reviewed({ text: bare });
    expect(unexpected(first).map(({ attribute }) => attribute)).toEqual(['scale']);
    const rules = rulesOf(recordFindings(unexpected(first), NO_RULES).text);
    expect(unexpected(await reviewed({ rules }))).toEqual([]);
  });
});
