// The stories of trial 2 without an engine: what a run makes of the service, in both dialects, compared with what the stack says.
// It must not know how flows work.
import { DIALECTS } from '../../api/contract';
import { drift, emptyStack, preview, run, type Run, type RunOptions, type Stack } from './engine-simulation';
import { resourcesOf, type StackSpec } from './stack-spec';
import { differences } from './stands-as-declared';
import { makeWorld, type World } from './world';

const SHOP: StackSpec = {
  platforms: {
    web: {
      pack: 'tomcat',
      links: ['db'],
      components: {
        tomcat: { attributes: { max_threads: '100' } },
        deployer: {
          type: 'user',
          attributes: { username: 'deployer' },
          attachments: {
            motd: { path: '/etc/motd', content: 'hello' },
            issue: { path: '/etc/issue', content: 'mind' },
          },
        },
      },
    },
    db: { pack: 'custom', components: { compute: { attributes: { size: 'M' } } } },
  },
  environments: {
    staging: { clouds: { east: { priority: 1 } } },
    prod: { clouds: { east: { priority: 1 }, west: { priority: 2 } }, platforms: { web: { west: { pctScale: 50 } } } },
  },
};

describe.each(DIALECTS)('%s', (dialect) => {
  let world: World;
  let stack: Stack;

  beforeEach(() => {
    world = makeWorld(dialect);
    stack = emptyStack;
  });

  afterEach(() => {
    world.close();
  });

  const up = async (spec: StackSpec, options?: RunOptions): Promise<Run> => {
    const done = await run(world, stack, resourcesOf(spec), options);
    stack = done.stack;
    return done;
  };

  /** Up, and everything stands as declared: in the service, for a second run, and for a refresh. */
  const upTo = async (spec: StackSpec, options?: RunOptions): Promise<Run> => {
    const done = await up(spec, options);
    expect(done.errors).toEqual([]);
    await expectClean(spec);
    return done;
  };

  const expectClean = async (spec: StackSpec): Promise<void> => {
    world.requests();
    expect(await preview(world, stack, resourcesOf(spec))).toEqual({ steps: [], errors: [] });
    expect(world.requests()).toEqual([]);
    expect(await drift(world, stack)).toEqual([]);
    expect(world.writes()).toEqual([]);
    const again = await up(spec);
    expect([again.steps, again.errors, world.requests()]).toEqual([[], [], []]);
    expect(await differences(world, spec)).toEqual([]);
    expect(world.service.outages()).toEqual([]);
  };

  test('1, 2: first up; a no-op', async () => {
    await upTo(SHOP);
  });
});
