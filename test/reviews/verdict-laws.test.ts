// The law of the verdict: a review says IN SYNC only if what runs, and what is committed and deployed, is the file. A second
// user edits, commits and deploys at random. VERDICTS and SEED in the environment say how many histories are played.
import fc from 'fast-check';
import { routes } from '../../api/contract';
import { DIALECTS } from '../../api/contract';
import { commitByHand, commitDesignByHand, deployByHand } from '../world/by-hand';
import { keptOf, reviewIn } from '../world/drift-world';
import { emptyStack, run } from '../world/engine-simulation';
import { FOREIGN_EDITS } from '../world/foreign-edits';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { makeWorld, type World } from '../world/world';

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
  300_000,
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
