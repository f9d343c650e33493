// The availability of platforms that an environment runs: what cannot change is refused before anything is written, and what is declared for
// platforms to come reaches them. Judged by what the environment's platforms say.
import { DIALECTS, routes, type Dialect } from '../../api/contract';
import { emptyStack, preview, run, type Stack } from '../world/engine-simulation';
import { resourcesOf, type EnvironmentSpec, type StackSpec } from '../world/stack-spec';
import { eachWorld } from '../world/world';

const specOf = (environment: Partial<EnvironmentSpec>, platforms: readonly string[] = ['web', 'db']): StackSpec => ({
  platforms: Object.fromEntries(platforms.map((name) => [name, { pack: 'tomcat' }])),
  environments: { prod: { clouds: { east: { priority: 1 } }, ...environment } },
});

const SINGLE = specOf({ availability: 'single' });
const REDUNDANT = specOf({ availability: 'redundant' });

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
  const world = eachWorld(dialect);
  let stack: Stack;

  beforeEach(async () => {
    const first = await run(world, emptyStack, resourcesOf(SINGLE));
    expect(first.errors).toEqual([]);
    stack = first.stack;
  });

  const up = (spec: StackSpec) => run(world, stack, resourcesOf(spec));

  const modes = async (): Promise<{ readonly [name: string]: string | null | undefined }> => {
    const address = { assembly: 'shop', environment: 'prod' };
    const platforms = await world.api.call(routes.environmentPlatforms.list, { address });
    return Object.fromEntries(platforms.map(({ ciName, ciAttributes }) => [ciName, ciAttributes['availability']]));
  };

  const environment = () =>
    world.api.call(routes.environments.read, { address: { assembly: 'shop', environment: 'prod' } });

  test('of the environment, its platforms cannot follow: refused in preview and in the run, with the way out', async () => {
    const says = [
      expect.stringMatching(
        /Environment::prod: .*platform (web|db) runs single and cannot become redundant in place.*platformAvailability: \{ (web|db): single/s,
      ),
    ];
    expect((await preview(world, stack, resourcesOf(REDUNDANT))).errors).toEqual(says);
    world.requests();
    expect((await up(REDUNDANT)).errors).toEqual(says);
    expect(world.writes()).toEqual([]);
    expect((await environment()).ciAttributes['availability']).toBe('single');
    expect(await modes()).toEqual({ web: 'single', db: 'single' });
  });

  test('of a platform alone, too, and the same the other way round', async () => {
    const alone = specOf({ availability: 'single', platformAvailability: { web: 'redundant' } });
    const shown = await preview(world, stack, resourcesOf(alone));
    expect(shown.errors.join()).toMatch(/platform web runs single and cannot become redundant/);
    expect((await up(alone)).errors.join()).toMatch(/platform web runs single and cannot become redundant/);
  });

  test('with what runs declared as it is, platforms to come follow the environment', async () => {
    const kept = { availability: 'redundant', platformAvailability: { web: 'single', db: 'single' } };
    const both = await up(specOf(kept));
    expect(both.errors).toEqual([]);
    stack = both.stack;
    expect((await up(specOf(kept, ['web', 'db', 'cache']))).errors).toEqual([]);
    expect(await modes()).toEqual({ web: 'single', db: 'single', cache: 'redundant' });
  });

  test('a platform that leaves in the same run is in nobody’s way', async () => {
    const kept = { availability: 'redundant', platformAvailability: { web: 'single' } };
    const left = specOf(kept, ['web']);
    expect((await preview(world, stack, resourcesOf(left))).errors).toEqual([]);
    expect((await up(left)).errors).toEqual([]);
    expect(await modes()).toEqual({ web: 'single' });
  });

  test('of an environment that is taken over', async () => {
    stack = new Map([...stack].filter(([key]) => !/^(Environment|Deployment)::/.test(key)));
    const adopted = { ...REDUNDANT.environments?.['prod'], adopt: true };
    const { errors } = await up({ ...REDUNDANT, environments: { prod: adopted } });
    expect(errors.join()).toMatch(/runs single and cannot become redundant in place/);
    expect((await environment()).ciAttributes['availability']).toBe('single');
  });
});
