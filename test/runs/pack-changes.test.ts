// Running platforms with a changed pack, judged by their instances before, between and after.
// PACK_VERSIONS=4 tries pairs of four versions of each pack (`make soak`); else of three.
import { type Dialect, DIALECTS, routes } from '../../api/contract';
import { loadCatalogue } from '../../service/catalogue';
import { dialectsInTurn } from '../dialects-in-turn';
import { sharedFolder } from '../folder';
import { actingBefore, through } from '../world/between';
import {
  type Declared,
  drift,
  emptyStack,
  preview,
  run,
  type Run,
  type RunOptions,
  type Stack,
} from '../world/engine-simulation';
import { eachStack, instancesIn } from '../world/each-stack';
import {
  type ComponentSpec,
  type EnvironmentSpec,
  type OverrideSpec,
  type PlatformSpec,
  resourcesOf,
  type StackSpec,
} from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { makeWorld, type World } from '../world/world';
import { EAST, MOTD } from '../world/shop-spec';
import { eachDialect } from '../world/each-dialect';

describe('pack changes', () => {
  /** `1` to `1.1` is within a family; the others are not. */
  const VERSIONS = ['1', '1.1', '2', '3'].slice(0, Number(process.env['PACK_VERSIONS'] ?? 3));

  /** Packs of the catalogue. Others are built upon `custom`, which has to mean one version. */
  const NAMES = [
    ...new Set(
      loadCatalogue([])
        .packs()
        .map(({ name }) => name),
    ),
  ].filter((name) => name !== 'custom');

  const folder = sharedFolder();
  let world: World;

  beforeAll(() => {
    const file = (source: string, name: string, version: string, more = {}): void => {
      const pack = { source, name, version, category: 'Versions', extends: [`oneops/${name}:1`], ...more };
      folder.write({ [`${source}-${name}-${version}.json`]: JSON.stringify(pack) });
    };
    for (const name of NAMES) for (const version of VERSIONS.slice(1)) file('oneops', name, version);
    file('community', 'nginx', '1');
    const scaled = { from: 'lb', to: 'compute', flex: true, min: 2, current: 3, max: 9, modes: ['redundant'] };
    file('oneops', 'tomcat', '1.7', { dependsOn: [scaled] });
  });
  afterEach(() => world.close());

  const PROD: EnvironmentSpec = { clouds: { east: { priority: 1 }, west: { priority: 2 } } };

  /** One platform of each pack, in versions; all of them may be recreated. */
  const specOf = (platforms: StackSpec['platforms'], environment: Partial<EnvironmentSpec> = {}): StackSpec => ({
    ...(platforms ? { platforms } : {}),
    environments: { prod: { ...PROD, ...environment } },
  });

  const web = (version: string, more: Partial<PlatformSpec> = {}): StackSpec['platforms'] => ({
    web: { pack: 'nginx', version, ...more },
    db: { pack: 'mysql' },
  });

  const RECREATE = { recreatePlatforms: ['web'] };
  const CONFIGURED = { platforms: { web: { west: { pctScale: 50, dpmtOrder: 3 } } } };

  const recreated = (version: string): StackSpec => specOf(web(version), { ...RECREATE, ...CONFIGURED });

  const up = (stack: Stack, spec: StackSpec, options?: RunOptions): Promise<Run> =>
    run(world, stack, resourcesOf(spec), options);

  const deployed = async (spec: StackSpec): Promise<Stack> => {
    const { stack, errors } = await up(emptyStack, spec);
    expect(errors).toEqual([]);
    return stack;
  };

  /** Another user changes the version of the pack of `web`. */
  const updatePack = async (version: string): Promise<void> => {
    const address = { assembly: 'shop', platform: 'web' };
    await world.other.call(routes.platforms.packUpdate, { address, body: { version } });
    await world.maria.commit();
  };

  /** ciIds of the instances of each platform of prod. */
  async function instances(): Promise<{ readonly [platform: string]: readonly number[] }> {
    const found: { [platform: string]: number[] } = {};
    for (const { nsPath, ciId } of await instancesIn(world)) (found[nsPath.split('/')[5] ?? ''] ??= []).push(ciId);
    return found;
  }

  /** Items one after the other so that each ordered pair of them is there once. */
  function walk<T>(items: readonly T[]): readonly T[] {
    const left = items.map((_, here) => items.flatMap((__, there) => (here === there ? [] : [there])));
    const path: T[] = [];
    const visit = (here: number): void => {
      for (let next = left[here]?.pop(); next !== undefined; next = left[here]?.pop()) visit(next);
      path.unshift(items[here] as T);
    };
    visit(0);
    return path;
  }

  describe.each(dialectsInTurn(0))('%s', (dialect: Dialect) => {
    beforeEach(() => {
      world = makeWorld(dialect, [folder.path]);
    });

    test('every pack takes every step between two of its versions, and runs afterwards', async () => {
      const all = (version: string): StackSpec =>
        specOf(Object.fromEntries(NAMES.map((pack) => [pack, { pack, version }])), {
          clouds: { east: { priority: 1 } },
          recreatePlatforms: NAMES,
        });
      const [first = '', ...steps] = walk(VERSIONS);
      expect(steps).toHaveLength(VERSIONS.length * (VERSIONS.length - 1));
      let stack = await deployed(all(first));
      let before = first;
      for (const version of steps) {
        const old = await instances();
        const { stack: next, errors } = await up(stack, all(version));
        expect(errors).toEqual([]);
        const now = await instances();
        expect(Object.keys(now).sort()).toEqual([...NAMES].sort());
        const kept = Object.keys(old).filter((name) => old[name]?.every((id) => now[name]?.includes(id)));
        const isInPlace = version.split('.')[0] === before.split('.')[0];
        expect({ before, version, kept }).toEqual({ before, version, kept: isInPlace ? kept : [] });
        if (isInPlace) expect(kept.sort()).toEqual([...NAMES].sort());
        expect(await drift(world, next)).toEqual([]);
        stack = next;
        before = version;
      }
      expect(await differences({ ...world, packs: [folder.path] }, all(before))).toEqual([]);
    }, 300_000);

    test('nobody declared that it may go down: refused in preview and in the run, and what runs continues', async () => {
      const stack = await deployed(specOf(web('1')));
      const before = await instances();
      const shown = await preview(world, stack, resourcesOf(specOf(web('2'))));
      expect(shown.errors).toEqual([
        expect.stringMatching(
          /Environment::prod: environment acme\/shop\/prod cannot take over web from oneops\/nginx:1 to oneops\/nginx:2 \(\d+ instances run\).*recreatePlatforms: \[web\]/s,
        ),
      ]);
      const refused = await up(stack, specOf(web('2')));
      expect(refused.errors).toEqual([expect.stringContaining('cannot take over web')]);
      // The design has moved on meanwhile: no later run may let the environment follow.
      const again = await up(refused.stack, specOf(web('2')));
      expect(again.errors).toEqual([expect.stringContaining('cannot take over web')]);
      expect(await instances()).toEqual(before);
      // Taken back, it is as it was.
      const back = await up(again.stack, specOf(web('1')));
      expect(back.errors).toEqual([]);
      expect(await instances()).toEqual(before);
      expect(await differences({ ...world, packs: [folder.path] }, specOf(web('1')))).toEqual([]);
    });

    test('declared: the preview says what goes down, other platforms stay up, and clouds are configured as before', async () => {
      const stack = await deployed(recreated('1'));
      const before = await instances();
      expect((await preview(world, stack, resourcesOf(recreated('2')))).errors).toEqual([]);
      const { errors, notices } = await up(stack, recreated('2'));
      expect(errors).toEqual([]);
      expect(notices).toContainEqual(
        expect.stringMatching(/platform web goes down with its \d+ instances, and comes back as oneops\/nginx:2/),
      );
      const now = await instances();
      expect(now['web']).toHaveLength(before['web']?.length ?? 0);
      expect(now['db']).toEqual(before['db']);
      expect(await differences({ ...world, packs: [folder.path] }, recreated('2'))).toEqual([]);
    });

    test('where nothing runs nothing has to be declared', async () => {
      const idle = (version: string): StackSpec => specOf(web(version), { deploy: false });
      const stack = await deployed(idle('1'));
      expect((await up(stack, idle('2'))).errors).toEqual([]);
      const address = { assembly: 'shop', environment: 'prod' };
      const platforms = await world.api.call(routes.environmentPlatforms.list, { address });
      const versions = platforms.map(({ ciName, ciAttributes }) => `${ciName} ${ciAttributes['version']}`);
      expect(versions.sort()).toEqual(['db 1', 'web 2']);
    });

    test('platforms that swap their names swap packs: refused by the preview, as by the run', async () => {
      const named = (first: string, second: string): StackSpec =>
        specOf({ [first]: { pack: 'nginx', logical: 'first' }, [second]: { pack: 'mysql', logical: 'second' } });
      const stack = await deployed(named('web', 'db'));
      const before = await instances();
      const words = expect.stringMatching(
        /^Environment::prod: [^]*cannot take over [^]*db from oneops\/mysql:1 to oneops\/nginx:1/,
      );
      expect((await preview(world, stack, resourcesOf(named('db', 'web')))).errors).toEqual([words]);
      expect((await up(stack, named('db', 'web'))).errors).toEqual([words]);
      expect(await instances()).toEqual(before);
    });

    test('another pack or source is refused where it runs', async () => {
      const stack = await deployed(specOf(web('1'), RECREATE));
      const before = await instances();
      for (const change of [{ pack: 'apache' }, { source: 'community' }]) {
        const spec = specOf(web('1', change), RECREATE);
        expect((await preview(world, stack, resourcesOf(spec))).errors.join()).toMatch(
          /cannot change (pack|source) of/,
        );
        expect((await up(stack, spec)).errors.join()).toMatch(/cannot change (pack|source) of/);
        expect(await instances()).toEqual(before);
      }
    });

    test('a preview after runs that stopped before a commit and a pull names what gets the version', async () => {
      let stack = await deployed(specOf(web('1')));
      const spec = specOf({ ...web('1'), db: { pack: 'mysql', version: '1.1' } });
      for (const refuseWrite of [3, dialect === 'classic' ? 2 : 1]) {
        const stopped = await up(stack, spec, { refuseWrite });
        expect(stopped.errors).toHaveLength(1);
        ({ stack } = stopped);
        const { shown } = await preview(world, stack, resourcesOf(spec));
        expect(shown.at(-1)).toMatch(/will deploy: (~prod|changes of an earlier run) in platform db \(/);
      }
    });

    test('somebody changes the version: a stack of the environment alone does not follow into an outage', async () => {
      await deployed({ platforms: web('1') ?? {} });
      const own: StackSpec = { ...specOf(undefined), existing: true };
      const stack = await deployed(own);
      const before = await instances();
      await updatePack('2');
      const refused = await up(stack, own, { refresh: true });
      expect(refused.errors).toEqual([expect.stringContaining('cannot take over web')]);
      expect(await instances()).toEqual(before);
      const allowed: StackSpec = { ...specOf(undefined, RECREATE), existing: true };
      expect((await up(refused.stack, allowed)).errors).toEqual([]);
      const now = await instances();
      expect(now['web']).toHaveLength(before['web']?.length ?? 0);
      expect(now['web']).not.toEqual(before['web']);
    });

    test('somebody changes the version while a run deploys one environment: the pull of the next one looks again', async () => {
      const inTurn = (platforms: StackSpec['platforms']): readonly Declared[] =>
        resourcesOf({ platforms: platforms ?? {}, environments: { dev: PROD, prod: PROD } }).map((each) =>
          each.key === 'Environment::prod' ? { ...each, after: [...(each.after ?? []), 'Deployment::dev'] } : each,
        );
      const { stack, errors } = await run(world, emptyStack, inTurn(web('1')));
      expect(errors).toEqual([]);
      const before = await instances();
      const committing = actingBefore(world, routes.environments.commit, () => updatePack('2'));
      const edited = await run(committing, stack, inTurn({ ...web('1'), db: { pack: 'mysql', version: '1.1' } }));
      expect(edited.errors).toEqual([expect.stringMatching(/Environment::prod: .*cannot take over web/)]);
      expect(await instances()).toEqual(before);
    });

    test("what another user's pull of a new version changed of scaling is no change by hand", async () => {
      const own = (deploy: object): StackSpec => ({
        ...specOf(undefined, { availability: 'redundant', deploy: { others: 'refuse', ...deploy } }),
        existing: true,
      });
      await deployed({ platforms: { web: { pack: 'tomcat' } } });
      const { stack } = await up(emptyStack, own({}));
      const address = { assembly: 'shop', platform: 'web', environment: 'prod' };
      await world.api.call(routes.platforms.packUpdate, { address, body: { version: '1.7' } });
      await world.admin.commit();
      await world.maria.pull();
      await world.maria.commitEnvironment();
      expect((await up(stack, own({}), { refresh: true })).errors).toEqual([]);
    });

    test('killed at any request of it, the next run finishes it', async () => {
      const begin = async (): Promise<Stack> => {
        world.close();
        world = makeWorld(dialect, [folder.path]);
        return deployed(recreated('1'));
      };
      const first = await begin();
      world.requests();
      expect((await up(first, recreated('2'))).errors).toEqual([]);
      const writes = world.requests().flatMap((line, index) => (line.startsWith('GET') ? [] : [index + 1]));
      const SHARE = process.env['CRASH_POINTS'] === 'all' ? 1 : 3;
      const points = writes
        .flatMap((request) => (['before', 'after'] as const).map((when) => ({ request, when })))
        .filter((_, index) => index % SHARE === DIALECTS.indexOf(dialect) % SHARE);
      expect(points.length).toBeGreaterThan(5);
      for (const killAt of points) {
        const stack = await begin();
        const killed = await up(stack, recreated('2'), { killAt });
        expect(killed.killed).toBe(true);
        const { stack: next, errors } = await up(killed.stack, recreated('2'));
        const difference = await differences({ ...world, packs: [folder.path] }, recreated('2'));
        const shown = await preview(world, next, resourcesOf(recreated('2')));
        expect({ killAt, errors, difference, steps: shown.steps }).toEqual({
          killAt,
          errors: [],
          difference: [],
          steps: [],
        });
      }
    }, 300_000);
  });
});

// What another user set of a cloud of a platform that is created again in its environment stays,
// also when the run is killed at any request, or the run has said that it may be lost.
// CRASH_POINTS=all takes every request (as `make soak` does); else a sample.
describe('clouds of a platform that is created again', () => {
  const STEP = process.env['CRASH_POINTS'] === 'all' ? 1 : 8;

  const pack = { source: 'oneops', name: 'nginx', version: '2', category: 'Versions', extends: ['oneops/nginx:1'] };
  const folder = sharedFolder({ files: { 'oneops-nginx-2.json': JSON.stringify(pack) } });

  const spec = (version: string): StackSpec => ({
    platforms: { web: { pack: 'nginx', version } },
    environments: {
      prod: { clouds: { east: { priority: 1 }, west: { priority: 2 } }, recreatePlatforms: ['web'] },
    },
  });

  /** The share that `web` has of the cloud `west`. */
  const shareOfWest = async ({ other }: World) => {
    const address = { assembly: 'shop', environment: 'prod', platform: 'web' };
    const { consumes } = await other.call(routes.environmentPlatforms.read, { address });
    return consumes?.find(({ toCi }) => toCi?.ciName === 'west')?.relationAttributes['pct_scale'];
  };

  async function setByOther({ maria, clock }: World): Promise<void> {
    await maria.configure('web', 'west', { pct_scale: '50' });
    await maria.commitEnvironment();
    clock.advance(600_000);
  }

  describe.each(dialectsInTurn(0))('%s', (dialect) => {
    test.each([false, true])(
      'settings of another user outlive a run that creates the platform again, repeated with refresh: %s',
      async (refresh) => {
        const wrong: string[] = [];
        let isKilled = true;
        for (let request = refresh ? 5 : 1; isKilled; request += STEP) {
          const world = makeWorld(dialect, [folder.path]);
          const made = await run(world, emptyStack, resourcesOf(spec('1')));
          await setByOther(world);
          const killed = await run(world, made.stack, resourcesOf(spec('2')), { killAt: { request, when: 'after' } });
          isKilled = killed.killed;
          const done = await run(world, killed.stack, resourcesOf(spec('2')), { refresh });
          const share = await shareOfWest(world);
          const isNamed = killed.notices.join().includes('pct_scale 50 of cloud west of platform web: nobody declares');
          const found = [
            ...made.errors,
            ...done.errors,
            ...(share === '50' || (isNamed && isKilled) ? [] : [`${share}`]),
          ];
          wrong.push(...found.map((each) => `request ${request}: ${each}`));
          world.close();
        }
        expect(wrong).toEqual([]);
      },
      200_000,
    );
  });
});

// Deletes that come late, as on a busy machine: names change hands in one run, whatever the order
// in which the requests arrive.

describe('late deletes', () => {
  const NOTES = { path: '/etc/notes', content: 'read me' };

  const user = (attachments: ComponentSpec['attachments'] = {}): ComponentSpec => ({
    type: 'user',
    attributes: { username: 'deployer' },
    attachments,
  });
  const job = (attachments: ComponentSpec['attachments'] = {}): ComponentSpec => ({
    type: 'job',
    attributes: { minute: '5' },
    attachments,
  });

  const shop = (components: { readonly [name: string]: ComponentSpec }): StackSpec => ({
    platforms: { web: { components } },
    environments: { prod: { clouds: EAST } },
  });

  /** Two components swap their names; their attachments stay with what they were attached to. */
  const BEFORE = shop({ one: user({ motd: MOTD }), two: job({ notes: NOTES }) });
  const AFTER = shop({ one: job({ notes: NOTES }), two: user({ motd: MOTD }) });

  /** Turns of the event loop without a request, after which nothing else can go on. */
  const IDLE_TURNS = 5;

  eachDialect('%s', (test, world) => {
    const own = eachStack(world);
    const { up } = own;

    /**
     * A run in which the deletes of some resources wait until the service refused a create and
     * answered so many requests after it, or until nothing else continues. Answers how many creates
     * it refused.
     */
    const upWithLate = async (spec: StackSpec, late: (key: string) => boolean, after: number) => {
      let requests = 0;
      let refused = 0;
      let left = Infinity;
      const waiting: (() => void)[] = [];
      const busy = through(world, (next) => async (asked, input) => {
        requests += 1;
        left -= 1;
        if (left <= 0) for (const release of waiting.splice(0)) release();
        try {
          return await next(asked, input);
        } catch (error) {
          if (asked.method === 'POST') {
            refused += 1;
            left = Math.min(left, after);
          }
          throw error;
        }
      });
      const idle = async (): Promise<void> => {
        for (let turns = 0, seen = requests; turns < IDLE_TURNS; turns += 1) {
          await new Promise(setImmediate);
          if (requests !== seen) turns = 0;
          seen = requests;
        }
      };
      const beforeDelete = async (key: string): Promise<void> => {
        if (!late(key)) return;
        const refusal = new Promise<void>((resolve) => void waiting.push(resolve));
        await Promise.race([refusal, idle()]);
      };
      const done = await up(spec, { beforeDelete }, busy);
      return { ...done, refused };
    };

    const COMPONENTS = ['Component::web/one', 'Component::web/two'];
    const ATTACHMENTS = ['Attachment::web/motd', 'Attachment::web/notes'];

    const cases = [0, 15].flatMap((after) =>
      [...COMPONENTS, ...ATTACHMENTS, 'every one'].map((held) => ({ held, after })),
    );

    test.each(cases)(
      'components swap names while their attachments move; late delete: $held, $after requests after a refusal',
      async ({ held, after }) => {
        const late = (key: string): boolean => held === 'every one' || held === key;
        expect((await up(BEFORE)).errors).toEqual([]);
        const done = await upWithLate(AFTER, late, after);
        expect(done.errors).toEqual([]);
        if (COMPONENTS.includes(held)) expect(done.refused).toBeGreaterThan(0);
        expect(await differences(world, AFTER)).toEqual([]);
        expect((await up(AFTER)).steps).toEqual([]);
      },
    );

    const SWAPPED: { readonly [key: string]: string } = { 'Component::web/one': 'two', 'Component::web/two': 'one' };
    const AUDITOR: ComponentSpec = { type: 'user', attributes: { username: 'auditor' } };
    const USERS = shop({ one: user(), two: AUDITOR });
    const swapped = resourcesOf(USERS).map((of) => ({
      ...of,
      args: { ...of.args, name: SWAPPED[of.key] ?? of.args['name'] },
    }));

    test('each is created once the other of its template is deleted', async () => {
      expect((await up(USERS)).errors).toEqual([]);
      expect((await up(swapped)).errors).toEqual([]);
      expect(await differences(world, shop({ one: AUDITOR, two: user() }))).toEqual([]);
    });

    test('one that comes before the other names the way that works, and no adopt without its danger', async () => {
      expect((await up(USERS)).errors).toEqual([]);
      const [first, second] = Object.keys(SWAPPED) as [string, string];
      const { errors } = await up(swapped.map((of) => (of.key === second ? { ...of, after: [first] } : of)));
      expect(errors.join()).toMatch(/two: it is already there [^]* renames or deletes later, do that in a run before/);
    });

    /** Platforms by their resources: each has a name of its own, and a component. */
    const named = (names: readonly string[]): StackSpec => ({
      platforms: Object.fromEntries(
        names.map((name, index) => [
          name,
          { logical: `p${index}`, description: `of p${index}`, components: { robot: { ...user(), depends: [] } } },
        ]),
      ),
      environments: { prod: { clouds: EAST } },
    });
    test.each([
      ['abc', 'bca'],
      ['ab', 'bc'],
    ])('platforms, each named by a letter of %s, get those of %s: as the preview says', async (before, after) => {
      expect((await up(named([...before]))).errors).toEqual([]);
      // What is deleted beside it takes nothing from the new names.
      await world.maria.create('idle', { source: 'oneops', pack: 'redisio', version: '1', major_version: '1' });
      await world.maria.commit();
      await world.maria.commit(world.maria.delete('idle'));
      world.nextRun();
      const wanted = named([...after]);
      const { errors } = await preview(world, own.stack, resourcesOf(wanted));
      expect([errors, (await up(wanted)).errors]).toEqual([[], []]);
      expect(await differences(world, wanted)).toEqual([]);
      expect((await up(wanted)).steps).toEqual([]);
    });

    test('a name whose record leaves the file in the same run is refused by the preview, and free in the next run', async () => {
      expect((await up(named(['a', 'b']))).errors).toEqual([]);
      world.nextRun();
      world.writes();
      const { errors } = await preview(world, own.stack, resourcesOf(named(['b'])));
      expect(errors).toEqual([expect.stringMatching(/^DesignRelease::shop: platform .*b does not get its name/)]);
      expect(world.writes()).toEqual([]);
      for (const names of ['a', 'b']) expect((await up(named([names]))).errors).toEqual([]);
    });

    test('and taken over where it is as declared', async () => {
      const robots = (names: readonly string[]): StackSpec =>
        shop(Object.fromEntries(names.map((name) => [name, user()])));
      const moved = (spec: StackSpec) =>
        resourcesOf(spec).map((each) =>
          each.token === 'Component' && each.key.endsWith('/two') ? { ...each, key: 'Component::web/one' } : each,
        );
      expect((await up(robots(['one', 'two']))).errors).toEqual([]);
      world.nextRun();
      const wanted = moved(robots(['two']));
      expect((await preview(world, own.stack, wanted)).errors).toEqual([]);
      expect((await up(wanted)).errors).toEqual([]);
      expect(await differences(world, robots(['two']))).toEqual([]);
    });

    test.each(['maria', 'admin'] as const)(
      'a new name that a record of %s has is refused before anything goes',
      async (user) => {
        expect((await up(named(['a']))).errors).toEqual([]);
        await world[user].create('b', { source: 'oneops', pack: 'redisio', version: '1', major_version: '1' });
        await world[user].commit();
        world.nextRun();
        world.writes();
        const { errors } = await preview(world, own.stack, resourcesOf(named(['b'])));
        expect((await up(named(['b']))).errors).toEqual(errors);
        expect([errors, world.writes()]).toEqual([
          [expect.stringMatching(/^Platform::p0: .*b: it is already there/)],
          [],
        ]);
      },
    );

    test('a name that a component keeps is refused immediately, whatever else is replaced', async () => {
      const KEPT: ComponentSpec = { type: 'user', attributes: { username: 'kept' } };
      const before = shop({ one: user({ motd: MOTD }), two: job({ notes: NOTES }), kept: KEPT });
      expect((await up(before)).errors).toEqual([]);
      await world.maria.create('web/kept/taken', { path: '/etc/taken', run_on: 'on-demand', priority: '1' });
      const wanted = shop({ one: job({ notes: NOTES }), two: user({ motd: MOTD, taken: NOTES }), kept: KEPT });
      const errors = (await up(wanted)).errors.join('\n');
      expect(errors).toMatch(/an attachment named taken exists already in platform web/);
      expect(errors).not.toMatch(/being replaced|within a minute/);
    });
  });
});

// A component that keeps its name and is created again from another template, with everything that
// an environment lays over it: until the deployment the environment has both, and what is in the
// new one is found although the name alone leads to the old one.

type LaidComponentSpec = NonNullable<OverrideSpec['components']>[string];

const LOGINS = { cmd: 'check_logins', metrics: { used: { unit: '%' } } };
const PARTS = { attachments: { motd: MOTD }, monitors: { logins: LOGINS } };

const JOB: ComponentSpec = { type: 'job', attributes: { minute: '5', cmd: 'true' } };
const USER: ComponentSpec = { type: 'user', attributes: { username: 'robot' } };

/** What prod lays over a component and each part of it. */
const inProd = ({ type = '', attachments, monitors }: ComponentSpec): LaidComponentSpec => ({
  type,
  attributes: type === 'job' ? { minute: '20' } : { description: 'in prod' },
  ...(attachments ? { attachments: { motd: { content: 'hello, prod' } } } : {}),
  ...(monitors ? { monitors: { logins: { sampleInterval: 30 } } } : {}),
});

const shop = (components: { readonly [name: string]: ComponentSpec }): StackSpec => ({
  platforms: { web: { components } },
  environments: {
    prod: {
      clouds: EAST,
      overrides: {
        web: {
          components: Object.fromEntries(
            Object.entries(components).map(([name, component]) => [name, inProd(component)]),
          ),
        },
      },
    },
  },
});

const CASES = [
  ['with the same parts', shop({ extra: { ...JOB, ...PARTS } }), shop({ extra: { ...USER, ...PARTS } })],
  [
    'with parts of another one',
    shop({ other: { ...USER, attachments: { motd: MOTD } }, extra: JOB }),
    shop({ extra: { ...USER, attachments: { motd: MOTD } } }),
  ],
  ['without parts', shop({ extra: { ...JOB, ...PARTS } }), shop({ extra: USER })],
] as const;

eachDialect('%s', (test, world, dialect) => {
  const own = eachStack(world);

  test.each(CASES)('created again %s, and back again', async (_, one, other) => {
    for (const spec of [one, other, one])
      expect((await own.settles(spec)).notices.join('\n')).not.toContain('written as declared before the commit');
  });

  test.each([
    ['POST environments.pull', 'after'],
    ['PUT environmentAttachments.update', 'before'],
    ['PUT environmentMonitors.update', 'before'],
  ] as const)(
    'killed at %s, %s the service has it: the next run writes what the pull created again',
    async (at, when) => {
      const [, one, other] = CASES[0];
      await own.up(one);
      const trial = makeWorld(dialect);
      const begun = await run(trial, emptyStack, resourcesOf(one));
      trial.requests();
      await run(trial, begun.stack, resourcesOf(other));
      const request = trial.requests().indexOf(at) + 1;
      trial.close();
      expect((await own.up(other, { killAt: { request, when } })).killed).toBe(true);
      await own.settles(other);
    },
  );
});
