// A service in this process, clients on it without a socket, and each kind's lifecycle.
import { join } from 'node:path';
import { createApi, type Api } from '../../api/client';
import type { Dialect } from '../../api/contract';
import { addressNames, type Inputs, type Kind, type Session } from '../../provider';
import { kinds } from '../../provider/kinds';
import { lifecycle, type Lifecycle, type Row, type State } from '../../provider/lifecycle';
import { newSession } from '../../provider/session';
import type { Face, Host } from '../../provider/faces/dynamic/face';
import { textAt } from '../../provider/values/plain';
import {
  type Catalogue,
  createService,
  loadCatalogue,
  manualClock,
  type ManualClock,
  type Service,
  type ServiceOptions,
} from '../../service';
import { titleOf } from '../../sdk/generate/frozen';
import { handOf, type Hand } from './hand';

export { titleOf } from '../../sdk/generate/frozen';

export interface World {
  readonly service: Service;
  /** The service's time, which moves only when a test moves it, and while our own work waits. */
  readonly clock: ManualClock;
  readonly api: Api;
  /** Folders of packs besides the tests' own. */
  readonly packs: readonly string[];
  /** The hand of the stack's own user, admin. */
  readonly admin: Hand;
  /** Another user's client. */
  readonly other: Api;
  readonly maria: Hand;
  /** A third user's client: pia's. */
  readonly third: Api;
  /** Messages on rows, newest last. */
  readonly messages: string[];
  /** Those of them that a row keeps after the run. */
  readonly notices: string[];
  /** The lifecycle of a kind in the present run. */
  life(token: string): Lifecycle;
  /** The lifecycle of a kind in a new run of another user; by default maria's. */
  lifeOf(of: Kind | string, by?: Api): Lifecycle;
  /** Forgets what a run remembers, as the next `pulumi up` would. */
  nextRun(): void;
  /** The verbs of a kind in a process; default: the dynamic provider's. */
  readonly faceOf?: (of: Kind, host: Host) => Face;
  /** What a run that begins now remembers: nothing. */
  freshSession(): Session;
  /** Makes everything a kind's sample lives in, and answers its address. */
  prepare(of: Kind): Promise<Inputs>;
  /** Makes a kind's sample in a run of its own. `declared`: what is given besides its address. */
  makeSample(of: Kind, declared?: Inputs): Promise<{ readonly inputs: Inputs; readonly made: State }>;
  /** Requests since the last call, without reads: `POST assemblies.create`. */
  writes(): readonly string[];
  /** All requests since the last call of `writes`. */
  requests(): readonly string[];
  close(): void;
}

export const ROW: Row = { progress: () => undefined, notice: () => undefined };

export const kindOf = (token: string): Kind => {
  const found = kinds.find((of) => of.token === token);
  if (!found) throw new Error(`no kind ${token}`);
  return found;
};

/** Whether records of a kind come with a pull: they are written and given back, and never gone. */
export const comesWithPull = ({ stage, token, verbs }: Kind): boolean =>
  stage === 'environment' && token !== 'Environment' && verbs.isAction !== true;

/** Whether a record is there after its delete: given back, or an action, which is not undone. */
export const outlivesDelete = (of: Kind): boolean => of.verbs.isAction === true || comesWithPull(of);

const PARENTS: { readonly [token: string]: Inputs } = {
  Cloud: { name: 'north', location: 'aws' },
  Assembly: { name: 'shop', owner: 'team@acme.io' },
  Platform: { assembly: 'shop', name: 'web', source: 'oneops', pack: 'custom', version: '1' },
  Component: { assembly: 'shop', platform: 'web', name: 'parent', type: 'user', attributes: { username: 'parent' } },
  Environment: {
    assembly: 'shop',
    name: 'prod',
    clouds: { east: { priority: 1 }, west: { priority: 1 } },
    designRelease: 'first',
  },
};

const IN_WEB = { assembly: 'shop', platform: 'web', name: 'sample' };
const OF_DESIGN = { assembly: 'shop', name: 'sample', value: 'of the design' };

/** What a kind's sample needs besides its parents, by title: made before the design is committed. */
const NEEDS: { readonly [title: string]: Surrounding } = {
  Platform: { token: 'Platform', inputs: { ...PARENTS['Platform'], name: 'db' } },
  Component: { token: 'Component', inputs: { ...PARENTS['Component'] } },
  'Variable of Environment': { token: 'Variable', inputs: OF_DESIGN },
  EnvironmentComponent: { token: 'Component', inputs: { ...PARENTS['Component'] } },
  EnvironmentAttachment: {
    token: 'Attachment',
    inputs: { ...IN_WEB, component: 'os', path: '/etc/motd', source: 'http://files.acme.io/motd' },
  },
  'Monitor of Component in Environment': { token: 'Monitor', inputs: { ...IN_WEB, component: 'os', cmd: 'check' } },
  'Variable of Platform in Environment': { token: 'Variable', inputs: { ...OF_DESIGN, platform: 'web' } },
};

/** What a kind's sample needs of a parent: only a redundant platform is scaled. */
const OF_PARENTS: { readonly [token: string]: { readonly [parent: string]: Inputs } } = {
  EnvironmentPlatform: { Environment: { platformAvailability: { web: 'redundant' } } },
};

/** What a kind is in, the outermost first. */
const parentsOf = ({ within }: Kind): readonly Kind[] => (within ? [...parentsOf(within), within] : []);

interface Surrounding {
  readonly token: string;
  readonly inputs: Inputs;
}

/** Everything that a kind's sample lives in or refers to, each after what it is in. */
export function surroundings(of: Kind): readonly Surrounding[] {
  const chain = parentsOf(of).map(({ token }) => token);
  const isInEnvironment = chain.includes('Environment');
  // The live service makes no environment of a design that was never committed.
  if (isInEnvironment || of.token === 'Environment') chain.splice(1, 0, 'Platform');
  const need = NEEDS[titleOf(of)];
  const needs = need === undefined ? [] : [need];
  const parents = chain.flatMap((token) => [
    ...(token === 'Environment' ? needs : []),
    { token, inputs: { ...PARENTS[token], ...OF_PARENTS[of.token]?.[token] } },
  ]);
  return isInEnvironment ? parents : [...parents, ...needs];
}

const isOnInstances = (of: Kind): boolean => of.verbs.isAction === true && addressNames(of).includes('component');

/** The address of a kind's sample, in what `prepare` makes. */
export function sampleAddress(of: Kind): { readonly [name: string]: string } {
  const names: { readonly [name: string]: string } = {
    assembly: 'shop',
    platform: 'web',
    component: textAt(NEEDS[titleOf(of)]?.inputs, 'component', isOnInstances(of) ? 'compute' : 'parent'),
    environment: 'prod',
    // A service needs its own cloud; what an environment uses is there from the start.
    cloud: parentsOf(of).some(({ token }) => token === 'Cloud') ? 'north' : 'west',
    name: of.sample.name ?? 'sample',
  };
  return Object.fromEntries(addressNames(of).map((name) => [name, names[name] ?? '']));
}

/** Pauses of a run are longer here, which makes fewer polls, but not where a kill at each is tried. */
const PACE = process.env['CRASH_POINTS'] === 'all' ? 1 : 10;
/** In ms, as in a run: longer ones of many environments would pass the limit of a wait. */
const LONGEST_PAUSE = 6_000;

/** Folders are read once: making a service would take twice as long otherwise. */
const catalogues = new Map<string, Catalogue>();

function catalogueOf(packs: readonly string[]): Catalogue {
  const folders = [join(__dirname, '..', 'packs'), ...packs];
  const key = folders.join('\n');
  const read = catalogues.get(key) ?? loadCatalogue(folders);
  catalogues.set(key, read);
  return read;
}

/** Organization acme, clouds east and west, or an image. `packs`: folders besides the tests' own. */
export function makeWorld(
  dialect: Dialect,
  packs: readonly string[] = [],
  since = Date.UTC(2026, 0, 5),
  image?: ServiceOptions['image'],
): World {
  const clock = manualClock(since);
  const service = createService({
    database: ':memory:',
    dialect,
    clock,
    catalogue: catalogueOf(packs),
    ...(image && { image }),
    users: [
      { name: 'admin', token: 'admin-token' },
      { name: 'maria', token: 'maria-token' },
      { name: 'pia', token: 'pia-token' },
    ],
  });
  const connect = (token: string): Api =>
    createApi({ url: 'http://127.0.0.1', organization: 'acme', token, dialect: 'auto', send: service.handle });
  const api = connect('admin-token');
  const other = connect('maria-token');
  const messages: string[] = [];
  const notices: string[] = [];
  const row: Row = {
    progress: (message) => messages.push(message),
    notice: (message) => {
      messages.push(message);
      notices.push(message);
    },
  };
  const freshSession = (): Session =>
    newSession(kinds, {
      now: clock.now,
      sleep: (milliseconds) => {
        clock.advance(Math.max(Math.ceil(milliseconds), Math.min(PACE * milliseconds, LONGEST_PAUSE)));
        return Promise.resolve();
      },
    });
  let session = freshSession();
  let seen = 0;
  const life = (token: string): Lifecycle =>
    withRow(
      lifecycle(kindOf(token), () => Promise.resolve(api), session),
      row,
    );
  const requests = (): readonly string[] => {
    const fresh = service.journal().slice(seen);
    seen = service.journal().length;
    return fresh.map((entry) => `${entry.method} ${entry.route ?? entry.path}`);
  };

  const world: World = {
    service,
    clock,
    api,
    packs,
    freshSession,
    other,
    admin: handOf(api, clock.advance),
    maria: handOf(other, clock.advance),
    third: connect('pia-token'),
    messages,
    notices,
    life,
    lifeOf: (of, by = other) =>
      lifecycle(typeof of === 'string' ? kindOf(of) : of, () => Promise.resolve(by), freshSession()),
    nextRun: () => {
      session = freshSession();
    },
    async prepare(of) {
      for (const { token, inputs } of surroundings(of)) {
        if (token === 'Environment') await commitDesign(life);
        await life(token).create(inputs, row);
      }
      // What is done to instances needs some.
      if (isOnInstances(of))
        await life('Deployment').create({ assembly: 'shop', environment: 'prod', stamps: '' }, row);
      if (of.token === 'Environment') await commitDesign(life);
      clock.advance(1000);
      return sampleAddress(of);
    },
    async makeSample(of, declared = of.sample.create) {
      const address = await world.prepare(of);
      world.nextRun();
      const { inputs } = world.life(of.token).check({ ...address, ...declared });
      return { inputs, made: await world.life(of.token).create(inputs, ROW) };
    },
    requests,
    writes: () => requests().filter((request) => !request.startsWith('GET')),
    close: () => {
      service.close();
    },
  };
  return world;
}

/** Makes worlds that are closed after each test, unless the test closes them before. */
export function closedAfterEach(): typeof makeWorld {
  const open = new Set<World>();
  afterEach(() => open.forEach((world) => world.close()));
  return (...given) => {
    const world = makeWorld(...given);
    open.add(world);
    const close = (): void => {
      if (open.delete(world)) world.service.close();
    };
    return Object.assign(world, { close });
  };
}

/** A world that is new in each test, and closed after it: the same object all along. */
export function eachWorld(dialect: Dialect, packs?: readonly string[]): World {
  const world = {} as World;
  beforeEach(() => {
    Object.assign(world, makeWorld(dialect, packs));
  });
  afterEach(() => {
    world.close();
  });
  return world;
}

/** A design needs one commit before an environment can pull it. */
async function commitDesign(life: (token: string) => Lifecycle): Promise<State> {
  return life('DesignRelease').create({ assembly: 'shop', stamps: 'new' }, ROW);
}

/** Rows are the world's own, whatever a law passes. */
function withRow(inner: Lifecycle, row: Row): Lifecycle {
  return {
    ...inner,
    create: (inputs) => inner.create(inputs, row),
    read: (id, known, _, declared) => inner.read(id, known, row, declared),
    update: (id, olds, news, _, ignored) => inner.update(id, olds, news, row, ignored),
    delete: (id, known) => inner.delete(id, known, row),
  };
}
