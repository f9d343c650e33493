// What each step of the demo reads, in this process: how often it looks for changes of others, and how many other reads it takes, polls apart.
// A limit is what the step takes today; whoever raises one says why.
import { DIALECTS, routes, type Dialect } from '../../api/contract';
import { commitDesignByHand } from './by-hand';
import { emptyStack, run, type RunOptions, type Stack } from './engine-simulation';
import { resourcesOf, type StackSpec } from './stack-spec';
import { makeWorld, type World } from './world';

const MOTD = { path: '/etc/motd', content: 'Welcome to the storefront.', runsOn: ['after-add', 'after-update'] };
const LICENCES = { path: '/opt/licences.tgz', source: 'https://files.acme.io/licences.tgz', runsOn: ['after-add'] };

/** The storefront of `examples/`; `less`: without an attachment and a platform. */
const storefront = (content: string, less = false): StackSpec => ({
  platforms: {
    web: {
      pack: 'tomcat',
      links: ['db'],
      components: {
        compute: { attributes: { size: 'M' } },
        tomcat: { attributes: { max_threads: '100' } },
        deployer: {
          type: 'user',
          attributes: { username: 'deployer' },
          attachments: { motd: { ...MOTD, content }, ...(less ? {} : { licences: LICENCES }) },
        },
      },
    },
    db: { pack: 'mysql', components: { mysql: { attributes: { port: '3307' } } } },
    ...(less ? {} : { cache: { pack: 'redisio' } }),
  },
  environments: {
    staging: { clouds: { east: { priority: 1 } } },
    prod: {
      availability: 'redundant',
      clouds: { east: { priority: 1 }, west: { priority: 2, pctScale: 50 } },
      platforms: { web: { west: { dpmtOrder: 2 } } },
    },
  },
});

/** Reads of one step. */
interface Reads {
  /** To find what is open in the design: lists of its records and of its platforms', the release's own read apart. */
  readonly design: number;
  /** The same in the environments, all of them together, the releases with their changes included. */
  readonly environments: number;
  /** All reads but polls; the first of a run with declarations asks the service who it is. */
  readonly all: number;
}

const POLLS = ['GET environments.read', 'GET deployments.status'];
const OF_DESIGN = /^GET (platforms\.diff|designVariables\.list)$/;
const OF_ENVIRONMENTS =
  /^GET (environmentReleases\.(latest|read)|environments\.timeline|environmentPlatforms\.components|environmentVariables\.list|environmentPlatformVariables\.list|environmentAttachments\.list)$/;

const ENVIRONMENTS = 2;
/** At most two lists for the design, of which one is the release, and two for each environment. */
const LOOKS: Omit<Reads, 'all'> = { design: 1, environments: 2 * ENVIRONMENTS };
const NONE: Omit<Reads, 'all'> = { design: 0, environments: 0 };

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
  let world: World;
  let stack: Stack = emptyStack;

  beforeAll(async () => {
    world = makeWorld(dialect);
    await world.api.dialect();
  });
  afterAll(() => world.close());

  const readsOf = async (spec: StackSpec | undefined, options?: RunOptions): Promise<Reads> => {
    world.requests();
    const done = await run(world, stack, spec ? resourcesOf(spec) : [], options);
    stack = done.stack;
    expect(done.errors).toEqual([]);
    const reads = world.requests().filter((request) => request.startsWith('GET '));
    const count = (matches: (request: string) => boolean): number => reads.filter(matches).length;
    return {
      design: count((request) => OF_DESIGN.test(request)),
      environments: count((request) => OF_ENVIRONMENTS.test(request)),
      all: count((request) => !POLLS.includes(request)),
    };
  };

  const tamper = async (): Promise<void> => {
    const address = { assembly: 'shop', platform: 'web', component: 'tomcat' };
    const { ciId } = await world.other.call(routes.components.read, { address });
    const body = { cms_dj_ci: { ciId, ciName: 'tomcat', ciAttributes: { max_threads: '5' } } };
    await world.other.call(routes.components.update, { address, body });
    await commitDesignByHand(world.other);
  };

  interface Step {
    readonly title: string;
    readonly spec: StackSpec | undefined;
    readonly limit: Reads;
    readonly refresh?: true;
  }

  // What others took away is looked for when the design and each environment are compared, and again before their commits: a list of releases each time.
  // A delete reads the record first, whose name may be another one's by now. A list of assemblies shows whether what is new exists, and one of environments
  // who else runs what leaves.
  const steps: readonly Step[] = [
    { title: 'the first up: nobody else was there', spec: storefront('a'), limit: { ...NONE, all: 25 } },
    { title: 'nothing to do', spec: storefront('a'), limit: { ...NONE, all: 1 } },
    { title: 'a repair', spec: storefront('a'), refresh: true, limit: { ...LOOKS, all: 64 } },
    { title: 'an edit of one attachment', spec: storefront('b'), limit: { ...LOOKS, all: 40 } },
    { title: 'an attachment and a platform leave', spec: storefront('b', true), limit: { ...LOOKS, all: 49 } },
    { title: 'nothing to do, with a refresh', spec: storefront('b', true), refresh: true, limit: { ...NONE, all: 21 } },
    { title: 'destroy', spec: undefined, limit: { ...NONE, all: 11 } },
  ];

  test.each(steps)('$title', async ({ title, spec, limit, refresh }) => {
    if (title === 'a repair') await tamper();
    const reads = await readsOf(spec, { ...(refresh ? { refresh } : {}) });
    for (const name of ['design', 'environments', 'all'] as const)
      expect({ name, isWithin: reads[name] <= limit[name], reads }).toMatchObject({ name, isWithin: true });
  });
});
