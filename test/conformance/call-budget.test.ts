// What each verb of each kind may ask of the service, counted exactly in its journal: check and diff send none;
// a preview and an unchanged `up` ask once who the service is, and a list for each parent of what is new.
// What a kind asks beyond one read and one write is data with its reason.
import type { Api } from '../../api/client';
import { DIALECTS, type Dialect } from '../../api/contract';
import { kinds, lifecycle, type Inputs, type Kind, type State } from '../../provider';
import { inOrder, emptyStack, preview, run, type Declared } from './engine-simulation';
import { eachWorld, kindOf, ROW } from './world';

type Verb = 'create' | 'update' | 'delete';

/** Requests in each dialect. */
interface Asks {
  readonly classic: readonly string[];
  readonly documented: readonly string[];
}

/** What a verb asks, in order, `…` for polls; and why it is not the one write of its kind, after the one read of an update. */
interface Flow {
  readonly asks: readonly (string | Asks)[];
  readonly why: string;
}

const PLANS = ['POST environments.commit', 'GET environments.read…', 'GET environmentReleases.bom'];
/** What is deployed has to run: no answer of a deployment says so. */
const SEES_IT_RUN = ['GET environmentPlatforms.list', 'GET operations.environmentInstances'];
const ROLLS_OUT = ['POST deployments.create', 'GET deployments.status…'];

/** What waits for a commit in an environment, to commit nobody else's: its newest release shows it; where that is a plan, the timeline its number. */
const OPEN_RELEASE: Asks = {
  classic: ['GET environmentReleases.latest'],
  documented: ['GET environments.timeline', 'GET environmentReleases.read'],
};
const NOTHING_OPEN: Asks = { classic: OPEN_RELEASE.classic, documented: ['GET environments.timeline'] };

/** By its name alone the service answers any component of that name: the list shows its number. */
const FINDS_COMPONENT = 'GET operations.components';
/** What other people committed, and took away. */
const TAKEN_AWAY = ['GET environmentPlatforms.list', 'GET environmentReleases.list'];
const NEWEST_MANIFEST = ['GET environments.timeline', 'GET environmentReleases.read'];
const RUNS_PROCEDURE = [
  FINDS_COMPONENT,
  'GET operations.component',
  'GET procedures.list',
  'GET operations.instances',
  'GET operations.actions',
  'POST procedures.create',
  'GET operations.instances',
  'GET procedures.read…',
];
const MARKS = [FINDS_COMPONENT, 'GET operations.instances', 'PUT operations.setInstancesState'];

const SWITCHES = ['GET environmentPlatforms.read', 'GET environmentPlatforms.edit', 'PUT environmentPlatforms.update'];

const [READS, EDITS, ...WRITES] = SWITCHES;

/** Only a release shows what a platform came with, and only the design shows its comments. */
const GIVES_BACK = [READS ?? '', EDITS ?? '', 'GET environmentReleases.list', 'GET platforms.list', ...WRITES];

/** A pull into an environment in which something is open: it fails, and is sent again once that was looked at and committed. */
const PULLS_AGAIN = [
  'GET platforms.list',
  'GET environmentPlatforms.list',
  'GET platforms.list',
  'POST environments.pull',
  'GET environments.read…',
  {
    classic: ['GET environmentReleases.latest'],
    documented: ['GET environments.timeline', 'GET environmentReleases.read'],
  },
  'GET environmentPlatforms.read',
  'GET environments.read',
  'POST environments.commit',
  'GET environments.read…',
  'POST environments.pull',
  'GET environments.read…',
  'GET platforms.list',
  'GET environmentPlatforms.list',
];

/** Once a run: environments of another stack may run what leaves the design. */
const WHO_RUNS_IT = 'GET environments.list';

const FLOWS: { readonly [token: string]: { readonly [verb in Verb]?: Flow } } = {
  Assembly: {
    delete: {
      asks: ['GET assemblies.read', 'GET environments.list', 'DELETE assemblies.delete'],
      why: 'the service would take environments along without a word',
    },
  },
  Cloud: {
    create: {
      asks: ['GET clouds.locations', 'POST clouds.create'],
      why: 'a location is given by name, and names become paths once a run',
    },
  },
  Platform: {
    create: {
      asks: ['POST platforms.create', 'GET platforms.read'],
      why: 'a link to a platform that is not there is dropped without a word',
    },
    delete: {
      asks: [WHO_RUNS_IT, 'GET platforms.read', 'DELETE platforms.delete'],
      why: 'an environment of another stack may run it',
    },
  },
  Component: {
    create: {
      asks: ['GET components.template', 'GET components.list', 'POST components.create'],
      why: 'the service fills in the values of the class, not of the template, and depends by number',
    },
    delete: {
      asks: [WHO_RUNS_IT, 'GET components.read…', 'DELETE components.delete'],
      why: 'by name the service would delete any component of that name: it is read, and deleted by number',
    },
  },
  Monitor: {
    create: {
      asks: ['GET platforms.diff', 'GET components.list', 'POST monitors.create'],
      why: 'a pack may bring one under a longer name, asked once per platform; the list tells the number of the component',
    },
    update: {
      asks: ['GET monitors.list', 'PUT monitors.update'],
      why: 'read from its own list: by name the live service finds it under any component',
    },
    delete: {
      asks: [WHO_RUNS_IT, 'GET monitors.list…', 'DELETE monitors.delete'],
      why: 'by name the live service would delete one of another component',
    },
  },
  Variable: {
    delete: {
      asks: [WHO_RUNS_IT, 'GET designVariables.read…', 'DELETE designVariables.delete'],
      why: 'by name the live service would delete any record of that name: it is read, and deleted by number',
    },
  },
  Attachment: {
    create: {
      asks: ['GET components.list', 'POST attachments.create'],
      why: 'by name the service would take any component of that name: the list tells its number',
    },
    update: {
      asks: ['GET attachments.list', 'PUT attachments.update'],
      why: 'read from its own list: by name the live service finds it under any component',
    },
    delete: {
      asks: [WHO_RUNS_IT, 'GET attachments.list…', 'DELETE attachments.delete'],
      why: 'by name the live service would delete one that was moved to another component',
    },
  },
  DesignRelease: {
    create: { asks: ['GET designReleases.latest'], why: 'a flow: nothing is open to be committed' },
    update: {
      asks: ['GET assemblies.read', 'GET designReleases.list', 'GET designReleases.latest'],
      why: 'a flow: what others committed is looked at before nothing is committed',
    },
    delete: { asks: [], why: 'a commit cannot be taken back' },
  },
  Environment: {
    create: {
      asks: [
        'GET designReleases.latest',
        'GET clouds.list',
        'GET platforms.list',
        'POST environments.create',
        'GET environments.read…',
      ],
      why: 'a flow: names become numbers, once a run, and it waits for the pull; of what, it asks, as no design release is declared',
    },
    update: {
      asks: [
        'GET environments.read',
        'GET clouds.list',
        'GET environments.read',
        'GET environmentPlatforms.list',
        'GET environmentPlatforms.read',
        'PUT environments.update',
        'GET environmentPlatforms.list',
        'GET environmentPlatforms.read',
        'PUT environmentPlatforms.configureCloud…',
        'PUT environments.update',
        'GET environments.read',
      ],
      why: 'a flow: a changed cloud reaches each platform, and no platform loses its last primary',
    },
    delete: {
      asks: ['GET environments.read', 'GET clouds.list', 'DELETE environments.delete'],
      why: 'another environment may have the name by now: it is read, clouds by their names',
    },
  },
  CloudService: {
    create: {
      asks: ['GET cloudServices.available', 'GET cloudServices.template', 'POST cloudServices.create'],
      why: 'a service is made from the template of its name, which the cloud must offer',
    },
    delete: {
      asks: ['GET cloudServices.read…', 'DELETE cloudServices.delete'],
      why: 'by name the service would delete a service of another class: it is read, and deleted by number',
    },
  },
  Procedure: {
    create: { asks: RUNS_PROCEDURE, why: 'a flow: found in the list before it is sent, and followed to its end' },
    update: { asks: ['GET environments.read', ...RUNS_PROCEDURE], why: 'a flow: a changed trigger runs it again' },
    delete: { asks: [], why: 'what was done is not undone' },
  },
  InstanceReplacement: {
    create: { asks: MARKS, why: 'a flow: marks the instances there are, all in one request' },
    update: { asks: ['GET environments.read', ...MARKS], why: 'a flow: a changed trigger marks them again' },
    delete: { asks: MARKS, why: 'a flow: takes back the marks no deployment acted on' },
  },
  EnvironmentPlatform: {
    create: {
      asks: [...SWITCHES, 'PUT environments.disable'],
      why: 'born with the pull; the switch has a request of its own',
    },
    update: { asks: [...SWITCHES, 'PUT environments.enable'], why: 'the switch has a request of its own' },
    delete: {
      asks: [...GIVES_BACK, 'PUT environments.enable', ...PULLS_AGAIN],
      why: "given back: its comments are the design's, and a pull brings the pack's scaling, which no read shows",
    },
  },
  CloudConfiguration: {
    create: {
      asks: ['GET environmentPlatforms.read', 'GET clouds.list', 'PUT environmentPlatforms.configureCloud'],
      why: 'born with the environment; names become numbers, once a run',
    },
    update: {
      asks: ['GET environmentPlatforms.read', 'GET clouds.list', 'PUT environmentPlatforms.configureCloud'],
      why: 'names become numbers, once a run',
    },
    delete: {
      asks: [
        'GET environmentPlatforms.read',
        'GET environments.read',
        'GET clouds.list',
        'PUT environmentPlatforms.configureCloud',
      ],
      why: "given back: it follows the environment's own values again",
    },
  },
  EnvironmentComponent: {
    create: {
      asks: ['GET environmentPlatforms.component', 'PUT environmentPlatforms.updateComponent'],
      why: 'adopted: it came with its platform',
    },
    delete: {
      asks: ['GET environmentPlatforms.component', 'GET components.list', 'PUT environmentPlatforms.updateComponent'],
      why: 'given back: it has the values of the design again',
    },
  },
  EnvironmentAttachment: {
    create: {
      asks: ['GET environmentAttachments.list', 'PUT environmentAttachments.update'],
      why: 'adopted: it came with its component',
    },
    delete: {
      asks: ['GET environmentAttachments.list', 'GET attachments.list', 'PUT environmentAttachments.update'],
      why: 'given back: it has the values of the design again',
    },
  },
  Deployment: {
    create: {
      asks: [
        'GET deployments.latest',
        OPEN_RELEASE,
        // Links that are not committed yet are compared with the environment's own.
        'GET environmentPlatforms.read',
        'GET environments.read',
        ...TAKEN_AWAY,
        'GET profile.read',
        'GET environmentPlatforms.list',
        { classic: ['GET environmentReleases.latest'], documented: NEWEST_MANIFEST },
        'GET deployments.preview',
        'GET operations.environmentInstances',
        ...PLANS,
        ...ROLLS_OUT,
        ...SEES_IT_RUN,
      ],
      why: 'a flow: nothing shows what an earlier tear-down disabled, nor what others left open in an environment made before this run',
    },
    update: {
      asks: ['GET environments.read', 'GET deployments.latest…', NOTHING_OPEN, ...TAKEN_AWAY, ...PLANS, ...SEES_IT_RUN],
      why: 'a flow: commits nothing of others, finds nothing to deploy, and sees that what is declared runs',
    },
    delete: {
      asks: [
        'GET environments.read',
        'GET deployments.latest',
        'GET environmentPlatforms.list',
        'PUT environments.disable',
        ...PLANS,
        ...ROLLS_OUT,
      ],
      why: 'a flow: takes down what runs',
    },
  },
};

/** Requests in order, each repetition of one folded into `…`. */
function folded(requests: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const request of requests) {
    const last = lines.at(-1);
    if (last === request) lines[lines.length - 1] = `${request}…`;
    else if (last !== `${request}…`) lines.push(request);
  }
  return lines;
}

const METHODS: { readonly [verb in Verb]: readonly string[] } = {
  create: ['POST'],
  update: ['GET', 'PUT'],
  // Another record may have the name by now: its number is compared first.
  delete: ['GET', 'DELETE'],
};

function expectWithin(dialect: Dialect, token: string, verb: Verb, requests: readonly string[]): void {
  const flow = FLOWS[token]?.[verb];
  const asked = flow?.asks.flatMap((each) => (typeof each === 'string' ? [each] : each[dialect]));
  if (asked) expect(folded(requests)).toEqual(asked);
  else expect(requests.map((request) => request.split(' ')[0])).toEqual(METHODS[verb]);
}

const cases = DIALECTS.flatMap((dialect) => kinds.map((of): [Dialect, string, Kind] => [dialect, of.token, of]));

describe.each(cases)('%s %s', (dialect, token, of) => {
  const world = eachWorld(dialect);
  let inputs: Inputs;
  let made: State;
  let created: readonly string[];

  beforeEach(async () => {
    // Once per process, before its first write: how the service speaks.
    await world.api.dialect();
    const address = await world.prepare(of);
    world.nextRun();
    inputs = world.life(token).check({ ...address, ...of.sample.create }).inputs;
    world.requests();
    made = await world.life(token).create(inputs, ROW);
    created = world.requests();
    world.nextRun();
  });

  test('create', () => expectWithin(dialect, token, 'create', created));

  test('check and diff, of what is unchanged and of what is not', async () => {
    const life = world.life(token);
    for (const change of [{}, of.sample.update ?? {}]) {
      const news = life.check({ ...inputs, ...change }).inputs;
      await life.diff(made.id, made.outputs, news);
    }
    // A preview says what other people deleted, which only the list of releases shows.
    expect(world.requests()).toEqual(token === 'DesignRelease' ? ['GET designReleases.list'] : []);
  });

  test('update', async () => {
    await world.life(token).update(made.id, made.outputs, { ...inputs, ...of.sample.update }, ROW);
    expectWithin(dialect, token, 'update', world.requests());
  });

  test('delete, and again when it no longer exists', async () => {
    await world.life(token).delete(made.id, made.outputs, ROW);
    expectWithin(dialect, token, 'delete', world.requests());
  });
});

const STACK: readonly Declared[] = [
  { key: 'Assembly::shop', token: 'Assembly', args: { name: 'shop', owner: 'team@acme.io' } },
  {
    key: 'Platform::web',
    token: 'Platform',
    args: { assembly: 'shop', name: 'web', source: 'oneops', pack: 'custom', version: '1' },
    after: ['Assembly::shop'],
  },
  ...['one', 'two', 'three'].map((name) => ({
    key: `Component::web/${name}`,
    token: 'Component',
    args: { assembly: 'shop', platform: 'web', name, type: 'user', attributes: { username: name } },
    after: ['Platform::web'],
  })),
];

describe.each(DIALECTS)('%s: a stack', (dialect) => {
  const world = eachWorld(dialect);

  beforeEach(async () => {
    await world.api.dialect();
    world.requests();
  });

  test('a preview and an unchanged up ask who the service is, and whether what is new exists, an up also sends one POST a record and asks for one template a platform', async () => {
    const declared = inOrder(STACK);
    await preview(world, emptyStack, declared);
    expect(world.requests()).toEqual(['GET organizations.read', 'GET assemblies.list']);
    const { stack, errors } = await run(world, emptyStack, declared);
    expect(errors).toEqual([]);
    expect([...world.requests()].sort()).toEqual([
      'GET assemblies.list',
      'GET components.template',
      'GET organizations.read',
      'POST assemblies.create',
      'POST components.create',
      'POST components.create',
      'POST components.create',
      'POST platforms.create',
    ]);
    expect((await run(world, stack, declared)).errors).toEqual([]);
    expect(world.requests()).toEqual(['GET organizations.read']);
  });
});

describe.each(DIALECTS)('%s: waiting', (dialect) => {
  const MINUTE = 60_000;
  const world = eachWorld(dialect);

  beforeEach(async () => {
    await world.prepare(kindOf('Deployment'));
    world.nextRun();
  });

  test('for a deployment of half an hour: at most ten polls a minute after the first', async () => {
    const end = world.clock.now() + 30 * MINUTE;
    const slow: Api = {
      ...world.api,
      call: async (route, input) => {
        const answer = await world.api.call(route, input);
        if (route.name !== 'deployments.status' || world.clock.now() > end) return answer;
        return { ...(answer as object), deploymentState: 'active' } as typeof answer;
      },
    };
    const life = lifecycle(kindOf('Deployment'), () => Promise.resolve(slow), world.freshSession());
    await life.create({ assembly: 'shop', environment: 'prod', stamps: '' }, ROW);
    const polls = world.service.journal().filter(({ route }) => route === 'deployments.status');
    const first = polls[0]?.at ?? 0;
    const later = polls.map(({ at }) => at - first).filter((at) => at >= MINUTE);
    expect(Math.max(...later)).toBeGreaterThan(29 * MINUTE);
    for (const from of later)
      expect(later.filter((at) => at >= from && at < from + MINUTE).length).toBeLessThanOrEqual(10);
  });
});
