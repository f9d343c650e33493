// What a drift review promises of stacks at random, with their files: clean ones report nothing, and of what another user changed every attribute
// is found, named, attributed and located, for hardly more requests than there are collections. RUNS and SEED in the environment say how many.
import fc from 'fast-check';
import { type Dialect, DIALECTS, routes } from '../../api/contract';
import { type Kind, scopeAt } from '../../provider';
import { lifecycle } from '../../provider/lifecycle';
import { countingCollections } from '../world/counted-collections';
import { type Kept, keptOf, reviewIn } from '../world/drift-world';
import { emptyStack, run } from '../world/engine-simulation';
import { randomStack, stacksOf } from '../world/random-stacks';
import { type EnvironmentSpec, resourcesOf, type StackSpec } from '../world/stack-spec';
import { attributeKeys, choosing, documentOf, keysOf, lineOf, yamlText } from '../world/stack-yaml';
import { tampered, type Tampering, tamperings } from '../world/tampering';
import { kindOf, makeWorld, ROW, type World } from '../world/world';
import { commitByHand, commitDesignByHand, deployByHand } from '../world/by-hand';
import { FOREIGN_EDITS } from '../world/foreign-edits';

const RUNS = Number(process.env['RUNS'] ?? 12);
const SEED = Number(process.env['SEED'] ?? 20_261_121);
/** Stacks that one service holds: making a service takes as long as a small stack. */
const TOGETHER = 10;
/** Stacks that one service holds and another user changes. */
const FEWER = 5;
/**
 * More than this many requests in addition to those for its collections no review may send. One record of each kind of list is read by itself, whatever the
 * size of the review: that shows whether the list carries complete records.
 */
const BESIDE = 12;

/** Mostly small ones: what differs between stacks of two platforms and of three is seen once in a while. */
const stack: fc.Arbitrary<StackSpec> = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: stacksOf(['web', 'cache'], ['prod']) }, { weight: 1, arbitrary: randomStack }),
    fc.record(
      { LEVEL: fc.constantFrom('info', 'a b', '${x}'), KEY: fc.constant({ encryptedValue: 'k3y' }) },
      { requiredKeys: [], noNullPrototype: true },
    ),
  )
  .map(([spec, variables]) => ({ ...spec, variables: { ...spec.variables, ...variables } }));

/** What the bound on requests was measured with: who wrote each of many variables and statuses takes more of them. */
const narrowed = (spec: StackSpec): StackSpec => ({
  ...spec,
  platforms: Object.fromEntries(
    Object.entries(spec.platforms ?? {}).map(([name, { variables: _, ...platform }]) => [name, platform]),
  ),
  environments: Object.fromEntries(
    Object.entries(spec.environments ?? {}).map(
      ([name, { variables: _, availability: __, platformAvailability: ___, platforms = {}, ...environment }]) => [
        name,
        {
          ...environment,
          platforms: Object.fromEntries(
            Object.entries(platforms).map(([platform, links]) => [platform, withShares(links)]),
          ),
        },
      ],
    ),
  ),
});

type Links = NonNullable<NonNullable<EnvironmentSpec['platforms']>[string]>;

const withShares = (links: Links): Links =>
  Object.fromEntries(
    Object.entries(links)
      .map(([cloud, { priority: _, adminstatus: __, ...link }]) => [cloud, link] as const)
      .filter(([, link]) => Object.keys(link).length > 0),
  );

interface Standing {
  readonly world: World;
  readonly spec: StackSpec;
  readonly kept: readonly Kept[];
}

/** Puts stacks into one service, each as its own assembly, and holds a law of each. */
async function withAll(
  dialect: Dialect,
  specs: readonly StackSpec[],
  law: (standing: Standing, index: number) => Promise<void>,
): Promise<void> {
  const world = makeWorld(dialect);
  try {
    for (const [index, each] of specs.entries()) {
      const spec = { ...each, assembly: `shop${index}` };
      world.nextRun();
      const done = await run(world, emptyStack, resourcesOf(spec));
      expect(done.errors).toEqual([]);
      world.requests();
      await law({ world, spec, kept: keptOf(done.stack) }, index);
    }
  } finally {
    world.close();
  }
}

const dialects = fc.constantFrom(...DIALECTS);
const several = (count: number) => fc.array(stack, { minLength: count, maxLength: count });
const choices = fc.array(fc.nat(59), { minLength: 40, maxLength: 40 });

test(
  'nothing is reported of random stacks that nobody touched, and only GETs are sent',
  async () => {
    let silent = 0;
    const law = async (dialect: Dialect, specs: readonly StackSpec[], numbers: readonly number[]): Promise<void> =>
      withAll(dialect, specs, async ({ world, spec, kept }) => {
        const text = yamlText(documentOf(spec), choosing(numbers));
        const review = await reviewIn(world, kept, { text });
        expect([review.findings, review.unread, review.outcome]).toEqual([[], [], 'in-sync']);
        expect(review.compared).toEqual(['code', 'state', 'live']);
        expect(world.writes()).toEqual([]);
        silent += 1;
      });
    const stacks = fc.asyncProperty(dialects, several(TOGETHER), choices, law);
    await fc.assert(stacks, { numRuns: Math.ceil(RUNS / TOGETHER), seed: SEED, endOnFailure: true });
    process.stdout.write(`clean drift reviews ${silent}, silent ${silent}\n`);
  },
  60_000 + RUNS * 3_000,
);

/** What a stack's clouds and links become is refused, or leaves more than one trace. */
const ELSEWHERE: readonly string[] = ['Environment.clouds', 'Platform.links', 'Component.depends'];

interface Change {
  readonly of: Kind;
  readonly kept: Kept;
  readonly chosen: readonly Tampering[];
}

/** Attributes of a stack's records, as chosen. */
const changesOf = (kept: readonly Kept[], numbers: readonly number[]): readonly Change[] => {
  const choose = choosing(numbers);
  return kept.flatMap((each) => {
    const of = scopeAt(kindOf(each.token), each.inputs) ?? kindOf(each.token);
    if (['DesignRelease', 'Deployment'].includes(of.token)) return [];
    const all = tamperings(of, each.inputs).filter(({ path }) => !ELSEWHERE.includes(`${of.token}.${path[0]}`));
    const chosen = all.filter(() => choose(3) === 0);
    return chosen.length === 0 ? [] : [{ of, kept: each, chosen }];
  });
};

async function writtenByMaria(world: World, { of, kept, chosen }: Change): Promise<void> {
  world.clock.advance(1000);
  const life = lifecycle(of, () => Promise.resolve(world.other), world.freshSession());
  const seen = await life.read(kept.id, kept.outputs, ROW);
  await life.update(kept.id, seen?.outputs ?? {}, tampered(kept.inputs, chosen), ROW);
}

test(
  'every attribute that another user changed in a random stack is found, named, attributed and located, for few requests',
  async () => {
    let found = 0;
    const law = async (dialect: Dialect, specs: readonly StackSpec[], numbers: readonly number[]): Promise<void> =>
      withAll(dialect, specs.map(narrowed), async ({ world, spec, kept }) => {
        const text = yamlText(documentOf(spec));
        const changes = changesOf(kept, numbers);
        for (const change of changes) await writtenByMaria(world, change);
        world.requests();
        const { api, collections } = countingCollections(world.api);
        const review = await reviewIn(world, kept, { text, api });
        expect(world.writes()).toEqual([]);
        expect(review.calls).toBeLessThanOrEqual(collections.size + BESIDE);
        const types = new Map(kept.map(({ id, inputs }) => [id, inputs] as const));
        const typeOf =
          (of: Kept) =>
          (component: string): string => {
            const { assembly, platform } = of.inputs;
            return String(types.get(`acme/${String(assembly)}/${String(platform)}/${component}`)?.['type']);
          };
        const expected = changes.flatMap(({ of, kept: each, chosen }) =>
          chosen.map(({ path }) => {
            const keys = [...(keysOf(of, each.id, typeOf(each)) ?? []), ...attributeKeys(of, path)];
            return [each.id, path.join('.'), 'changed', 'maria', lineOf(text, keys)];
          }),
        );
        const told = review.findings
          .filter(({ classification }) => !['touched', 'undeployed'].includes(classification))
          .map((each) => [each.address, each.attribute, each.classification, each.author?.who, each.at?.line]);
        const inOrder = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.join(' ')).sort();
        expect(inOrder(told)).toEqual(inOrder(expected));
        found += expected.length;
      });
    const stacks = fc.asyncProperty(dialects, several(FEWER), choices, law);
    await fc.assert(stacks, { numRuns: Math.ceil(RUNS / 15), seed: SEED, endOnFailure: true });
    process.stdout.write(`tampered attributes ${found}, found and located ${found}\n`);
  },
  60_000 + RUNS * 3_000,
);

// The law of the verdict: a review says IN SYNC only if what runs, and what is committed and deployed, is the file. A second
// user edits, commits and deploys at random. VERDICTS and SEED in the environment say how many histories are played.
describe('verdicts', () => {
  const VERDICTS = Number(process.env['VERDICTS'] ?? 6);
  const SEED = Number(process.env['SEED'] ?? 20_261_126);

  const SHOP: StackSpec = {
    platforms: { web: { pack: 'tomcat' }, db: { pack: 'tomcat' } },
    environments: { prod: { clouds: { east: { priority: 1 }, west: { priority: 1 } } } },
  };
  const PROD = { assembly: 'shop', environment: 'prod' };

  /** What the second user does; a step that the service refuses at that moment is left out. */
  const STEPS: { readonly [name: string]: (world: World) => Promise<unknown> } = {
    ...FOREIGN_EDITS,
    'add a platform': ({ other }) =>
      other.call(routes.platforms.create, {
        address: { assembly: 'shop' },
        body: { cms_dj_ci: { ciName: 'extra', ciAttributes: { source: 'oneops', pack: 'tomcat', version: '1' } } },
      }),
    pull: ({ other }) => other.call(routes.environments.pull, { address: PROD, body: {} }),
    commit: commitByHand,
    deploy: deployByHand,
  };

  /** What is committed and what runs, as the service has it: without times and numbers of releases. */
  async function standingOf({ api }: World): Promise<unknown> {
    const platforms = await api.call(routes.environmentPlatforms.list, { address: PROD });
    const components = await Promise.all(
      platforms.map(({ ciName }) =>
        api.call(routes.environmentPlatforms.components, { address: { ...PROD, platform: ciName } }),
      ),
    );
    const instances = await api.call(routes.operations.environmentInstances, { address: PROD });
    const shown = (records: readonly object[]): readonly string[] =>
      records
        .map((record) => {
          const { ciName, ciClassName, ciAttributes, nsPath } = record as { readonly [name: string]: unknown };
          return JSON.stringify([nsPath, ciClassName, ciName, ciAttributes]);
        })
        .sort();
    return [shown(platforms), shown(components.flat()), instances.length];
  }

  test.each(DIALECTS)(
    '%s: IN SYNC means that the manifest and what runs are those of the file',
    async (dialect) => {
      const verdicts: string[] = [];
      const steps = fc.array(fc.constantFrom(...Object.keys(STEPS)), { minLength: 0, maxLength: 4 });
      const play = async (names: readonly string[]): Promise<void> => {
        const world = makeWorld(dialect);
        try {
          const { stack, errors } = await run(world, emptyStack, resourcesOf(SHOP));
          expect(errors).toEqual([]);
          const declared = await standingOf(world);
          world.clock.advance(60_000);
          for (const name of names) {
            await STEPS[name]?.(world).catch(() => undefined);
            world.clock.advance(60_000);
          }
          world.nextRun();
          const { outcome } = await reviewIn(world, keptOf(stack));
          verdicts.push(outcome);
          if (outcome === 'in-sync') expect([names, await standingOf(world)]).toEqual([names, declared]);
        } finally {
          world.close();
        }
      };
      await fc.assert(fc.asyncProperty(steps, play), { numRuns: VERDICTS, seed: SEED, endOnFailure: true });
      await play([]);
      await play(['add a platform']);
      // The law judged something, and not everything was found.
      expect(verdicts).toContain('in-sync');
      expect(verdicts).toContain('drift');
    },
    300_000 + VERDICTS * 3_000,
  );

  test.each(DIALECTS)(
    '%s: releases of the design that cancel out wait for nothing, unless one was pulled',
    async (dialect) => {
      const spec: StackSpec = {
        ...SHOP,
        platforms: { web: { pack: 'tomcat', components: { compute: { attributes: { size: 'M' } } } } },
      };
      for (const isPulled of [false, true]) {
        const world = makeWorld(dialect);
        try {
          const { stack } = await run(world, emptyStack, resourcesOf(spec));
          for (const [size, api] of [
            ['XL', world.other],
            ['M', world.api],
          ] as const) {
            world.clock.advance(60_000);
            await api.call(routes.components.update, {
              address: { assembly: 'shop', platform: 'web', component: 'compute' },
              body: { cms_dj_ci: { ciName: 'compute', ciAttributes: { size } } },
            });
            await commitDesignByHand(api).catch(() => undefined);
            if (isPulled && size === 'XL') {
              await world.other.call(routes.environments.pull, { address: PROD, body: {} });
              await commitByHand(world);
            }
          }
          world.nextRun();
          const { outcome } = await reviewIn(world, keptOf(stack));
          expect([isPulled, outcome === 'in-sync']).toEqual([isPulled, !isPulled]);
        } finally {
          world.close();
        }
      }
    },
  );
});
