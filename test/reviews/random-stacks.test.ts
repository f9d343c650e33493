// What a drift review promises of stacks at random, with their files: clean ones report nothing, and of what another user changed every attribute
// is found, named, attributed and located, for hardly more requests than there are collections. RUNS and SEED in the environment say how many.
import fc from 'fast-check';
import { DIALECTS, type Dialect } from '../../api/contract';
import { scopeAt, type Kind } from '../../provider';
import { lifecycle } from '../../provider/lifecycle';
import { countingCollections } from '../world/counted-collections';
import { keptOf, reviewIn, type Kept } from '../world/drift-world';
import { emptyStack, run } from '../world/engine-simulation';
import { randomStack, stacksOf } from '../world/random-stacks';
import { resourcesOf, type EnvironmentSpec, type StackSpec } from '../world/stack-spec';
import { attributeKeys, choosing, documentOf, keysOf, lineOf, yamlText } from '../world/stack-yaml';
import { tampered, tamperings, type Tampering } from '../world/tampering';
import { ROW, kindOf, makeWorld, type World } from '../world/world';

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
