// Each change of a deployment has a cause: what other people took away, switched off or added is
// refused or named, and never deployed without a word. What runs is compared with the file.
import { routes, type Route } from '../../api/contract';
import { ConnectionFailed } from '../../api/errors';
import type { Inputs } from '../../provider';
import { LifecycleError } from '../../provider/errors';
import { actingBefore, answering, reticent, through } from '../world/between';
import { type Declared, emptyStack, preview, run } from '../world/engine-simulation';
import {
  resourcesOf,
  withArgs,
  type EnvironmentSpec,
  type PlatformSpec,
  type StackSpec,
  whenBusy,
} from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { eachStack, instancesIn } from '../world/each-stack';
import { handOf, type Hand } from '../world/hand';
import { type World } from '../world/world';
import { eachDialect } from '../world/each-dialect';

const DESIGN = { assembly: 'shop' };
const PROD = { ...DESIGN, environment: 'prod' };
const TOMCAT = { source: 'oneops', pack: 'tomcat', version: '1' };

const USER = { type: 'user', attributes: { username: 'deployer' } };

const STACK: StackSpec = {
  variables: { LEVEL: 'warn' },
  platforms: { web: { pack: 'tomcat', components: { deployer: USER } }, db: { pack: 'mysql' } },
  environments: { prod: { clouds: { east: { priority: 1 }, west: { priority: 1 } }, availability: 'redundant' } },
};

const CACHE = {
  pack: 'redisio',
  components: { compute: { attributes: { size: 'M' } }, deployer: USER },
};

const sizedCompute = (size: string) => ({ compute: { attributes: { size } } });

/** An edit that concerns nothing of what other people do. */
const EDITED: StackSpec = { ...STACK, variables: { LEVEL: 'info' } };

const withPlatform = (name: string, platform: PlatformSpec, of = STACK): StackSpec => ({
  ...of,
  platforms: { ...of.platforms, [name]: platform },
});

/** An edit that is deployed. */
const DEPLOYED = withPlatform('web', {
  pack: 'tomcat',
  components: { deployer: { ...USER, attributes: { username: 'other' } } },
});
const DESCRIBED = withPlatform('db', { pack: 'mysql', description: 'of orders' });

const withProd = (change: Partial<EnvironmentSpec>, of = EDITED): StackSpec => ({
  ...of,
  environments: { prod: { ...of.environments?.['prod'], ...change } },
});
const WITH_DEV: StackSpec = {
  ...STACK,
  environments: { ...STACK.environments, dev: { clouds: { east: { priority: 1 } }, availability: 'single' } },
};
/** An edit that is deployed without a pull. */
const ELSEWHERE = withProd({ variables: { LEVEL: 'debug' } }, STACK);
const deploying = (deploy: Inputs, of = EDITED): StackSpec => withProd({ deploy }, of);

const ON_EAST = withProd({ clouds: { east: { priority: 1 } } }, STACK);

/** What an environment declares of its own, of each sort. */
const withThreads = (max_threads: number): Partial<EnvironmentSpec> => ({
  overrides: { web: { components: { tomcat: { attributes: { max_threads } } } } },
});
const scaledTo = (current: number, max: number): Partial<EnvironmentSpec> => ({
  switches: { web: { scale: { compute: { current, max } } } },
});
const onWest = (link: object): Partial<EnvironmentSpec> => ({ platforms: { web: { west: link } } });

/** What stops the work of a run. */
const fails = (): Promise<void> => Promise.reject(new LifecycleError('cut off', 'run it again'));

/** The entry of `accept` that a refusal names. */
const entryIn = (error: string): string => /accept: \["([^"]+)"\]/.exec(error)?.[1] ?? '';

/** The resources of a stack, of which those of a kind ignore changes of properties. */
const ignoring = (of: StackSpec, token: string, ignoreChanges: readonly string[]): readonly Declared[] =>
  resourcesOf(of).map((each) => (each.token === token ? { ...each, ignoreChanges } : each));

/** The resources of a stack, with something of the component that no pack gives. */
const withUser = (of: StackSpec, more: Partial<Declared>): readonly Declared[] =>
  resourcesOf(of).map((each) =>
    each.args['type'] === 'user' ? { ...each, ...more, args: { ...each.args, ...more.args } } : each,
  );

eachDialect('%s', (test, world, dialect) => {
  const own = eachStack(world);
  const { refused, said, up } = own;

  /** Instances of each platform. */
  const running = async (): Promise<{ readonly [platform: string]: number }> => {
    const all = await instancesIn(world);
    const counts: { [platform: string]: number } = {};
    for (const [, , , , , platform = ''] of all.map(({ nsPath }) => nsPath.split('/')))
      counts[platform] = (counts[platform] ?? 0) + 1;
    return counts;
  };
  const foreseen = async (spec: StackSpec): Promise<readonly string[]> =>
    (await preview(world, own.stack, resourcesOf(spec))).errors;
  /** What the preview and the run of resources say, neither of which fails. */
  const saidTwice = async (resources: readonly Declared[]): Promise<readonly string[]> => {
    const { errors, notices } = await preview(world, own.stack, resources);
    expect(errors).toEqual([]);
    return [notices.join(), await said(resources)];
  };
  /** Releases of the environment and deployments that were begun. */
  const writes = (): readonly string[] =>
    world.writes().filter((request) => /environments\.commit|deployments\.create/.test(request));

  let before: { readonly [platform: string]: number };
  /** Nothing of the environment was written, and it runs as before. */
  const expectUntouched = async (counts: object = before): Promise<void> =>
    expect([writes(), await running()]).toEqual([[], counts]);
  beforeEach(async () => {
    await said(STACK);
    before = await running();
    expect(before).toEqual({ web: expect.any(Number), db: expect.any(Number) });
    world.writes();
  });

  const deleted = (place: string): Promise<void> => world.maria.commit(world.maria.delete(place));
  const committed = async (act: () => Promise<unknown>, isDeployed = true, by = world.maria): Promise<void> => {
    await act();
    await by.commitEnvironment();
    if (isDeployed) await by.deploy();
    world.writes();
  };

  const setUser = (): Promise<void> => world.maria.commit(world.maria.set('web/deployer', { username: 'hers' }));
  const setThreads = (): Promise<unknown> => world.maria.set('prod:web/tomcat', { max_threads: '771' });
  /** Maria sets the variable in the environment, with this lock. */
  const setLevel = (value: string, lock = 'manifest'): Promise<unknown> =>
    world.maria.set('prod:$LEVEL', { value }, { owner: { secure: lock, value: lock, encrypted_value: lock } });
  const setHers = (place: string): Promise<unknown> =>
    world.maria.set(place, { max_threads: '771' }, { owner: { max_threads: 'manifest' } });
  const scaleUp = (): Promise<void> => world.maria.scale({ current: '5', max: '9' });
  const createDeployer = (): Promise<unknown> =>
    world.maria.create('web/deployer', { username: 'hers' }, { template_name: 'user' });

  const addEvil = (): Promise<void> => world.maria.commit(world.maria.create('evil', TOMCAT));

  test('a platform that somebody deleted in the environment alone is named, or refused, by the pull that brings it', async () => {
    await addEvil();
    await said(EDITED);
    await committed(async () => {
      await world.maria.set('prod:evil', { is_active: 'false' });
      await world.maria.delete('prod:evil');
    });
    expect(await running()).toEqual(before);
    const again = { ...STACK, variables: { LEVEL: 'error' } };
    // A refused run has pulled: the next one has nothing to pull, and the one after it pulls again.
    for (const spec of [again, again, STACK])
      expect(await refused(deploying({ others: 'refuse' }, spec))).toMatch(
        /platform evil by maria, design release \d+/,
      );
    expect(await running()).toEqual(before);
    expect(await said(again)).toMatch(/platform evil by maria, design release \d+/);
  });

  test('a pull that leaves a platform out fails, although nothing of it changed in the design', async () => {
    const api = answering(world.api, routes.environmentPlatforms.list, (platforms) =>
      platforms.filter(({ ciName }) => ciName !== 'db'),
    );
    await committed(() => world.maria.configure('web', 'west', { dpmt_order: '3' }), false);
    expect(await refused(EDITED, {}, { ...world, api })).toMatch(/the environment has no platform db/);
    expect(writes()).toEqual([]);
  });

  test.each<readonly [string, string, StackSpec]>([
    ['platform', 'db', EDITED],
    ['component', 'web/deployer', EDITED],
    ['variable', '$LEVEL', DESCRIBED],
  ])(
    'a declared %s that somebody deleted in the design stops the run, until a refresh creates it again',
    async (what, place, spec) => {
      await deleted(place);
      const error = await refused(spec);
      const says = `maria deleted ${what} ${place} from the design, release `;
      expect(error.slice(error.indexOf(says) + says.length)).toMatch(/^\d+, \d{4}-\d\d-\d\dT/);
      expect(error).toMatch(/pulumi up --refresh creates it again/);
      await expectUntouched();
      await said(spec, { refresh: true });
      expect(await running()).toEqual(before);
    },
  );

  test.each<readonly [string, string, () => Promise<unknown>, StackSpec]>([
    ['platform', 'db', () => world.maria.create('db', { ...TOMCAT, pack: 'mysql' }), EDITED],
    ['component', 'web/deployer', createDeployer, EDITED],
    ['variable', '$LEVEL', () => world.maria.create('$LEVEL', { value: 'hers' }), DESCRIBED],
  ])(
    'a declared %s that somebody deleted and created again stops the run: it is another one',
    async (what, place, create, spec) => {
      await deleted(place);
      await create();
      await world.maria.commit();
      const error = await refused(spec);
      expect(error).toContain(`maria deleted ${what} ${place} from the design, where another one has its name now`);
      expect(error).toMatch(/have the one that was created again deleted in the service, or declare adopt: true/);
      await expectUntouched();
      // The refusal of a refresh is that of every record that exists.
      const { stack: then } = await up(spec, { refresh: true });
      expect(then.has(place)).toBe(false);
      expect(await refused(spec)).toMatch(/it is already there and [^]*created by maria[^]*adopt: true/);
      await expectUntouched();
      await deleted(place);
      await said(spec, { refresh: true });
      expect(await running()).toEqual(before);
    },
  );

  test('a platform that somebody deleted in the design goes where the file declares it no more, or accepts it', async () => {
    await deleted('db');
    const error = await refused(EDITED);
    expect(error).toMatch(/accept: \["db: design release \d+"\]/);
    const { stack: then } = await up(EDITED);
    expect(await said(deploying({ accept: [entryIn(error)] }))).toMatch(/accepted: .*maria deleted platform db/);
    expect(await running()).toEqual({ web: before['web'] });
    own.stack = then;
    await said({ ...EDITED, platforms: { web: EDITED.platforms?.['web'] ?? {} } });
    expect(await running()).toEqual({ web: before['web'] });
  });

  test('of a platform that somebody deleted, preview and run say the same: made again, or gone with a pull', async () => {
    await deleted('db');
    await saidTwice(resourcesOf(DESCRIBED));
    expect(await running()).toEqual(before);
    await deleted('db');
    await world.maria.pull();
    await world.maria.rollOut();
    const elsewhere = withProd({ variables: { LEVEL: 'debug' } }, DESCRIBED);
    const says: unknown = expect.stringMatching(/Deployment::prod: [^]*maria deleted platform db from the design/);
    expect([await foreseen(elsewhere), await refused(elsewhere)]).toEqual([[says], says]);
  });

  test('of what others deployed, only what they left out, or took back since then, comes along', async () => {
    for (const name of ['db', 'web']) await world.maria.set(`${name}/compute`, { size: 'XL' });
    await world.maria.commit(world.maria.create('$HERS', { value: 'hers' }));
    await world.maria.pull();
    await world.maria.commitEnvironment('web');
    await world.maria.deploy();
    const says = [
      expect.stringMatching(/^(?![^]*db\/)[^]*component web\/compute \(size\) by maria, design release \d+/),
    ];
    const both = async (of: StackSpec) => {
      const spec = deploying({ others: 'refuse' }, of);
      return [await foreseen(spec), (await up(spec)).errors];
    };
    expect(await both(ELSEWHERE)).toEqual([says, says]);
    // Nothing shows which platforms a variable reaches.
    expect(await refused(deploying({ others: 'refuse' }, ELSEWHERE))).toContain('variable $HERS by maria');
    await world.maria.rollOut();
    expect(await both(ELSEWHERE)).toEqual([[], []]);
    await world.maria.commit(world.maria.set('web/compute', { size: 'S' }));
    expect(await both(withProd({ variables: { LEVEL: 'debug' } }))).toEqual([says, says]);
  });

  test.each(['maria', 'admin'])('what %s added and this user removed before a pull is named nowhere', async (name) => {
    const { admin: self, maria } = world;
    const by = name === 'maria' ? maria : self;
    await by.commit(by.create('web/backdoor', { username: 'backdoor' }, { template_name: 'user' }));
    await self.commit(self.delete('web/backdoor'));
    expect(await said(DEPLOYED)).not.toContain('backdoor');
  });

  test('a pull takes nothing for there that somebody deleted, created again and left open', async () => {
    const pinned = (designRelease: string): readonly Declared[] =>
      withArgs(resourcesOf(STACK), ['Environment'], { designRelease });
    const first = await run(world, own.stack, pinned('first'));
    await deleted('$LEVEL');
    await world.maria.create('$LEVEL', { value: 'hers' });
    const { errors, notices } = await run(world, first.stack, pinned('second'));
    const live = await world.other.call(routes.environmentVariables.list, { address: PROD });
    expect([...errors, ...notices].join('\n')).toContain('maria deleted variable $LEVEL');
    expect(live.map(({ ciAttributes }) => ciAttributes['value'])).toEqual(['warn']);
  });

  describe('a platform that somebody disabled', () => {
    const disable = (): Promise<void> => world.maria.switch('disable', 'db');

    test.each([
      ['deployed', true],
      ['not deployed', false],
    ])('and committed, %s, stops the run', async (_, isDeployed) => {
      await committed(disable, isDeployed);
      const down = isDeployed ? { web: before['web'] } : before;
      const error = await refused(EDITED);
      expect(error).toMatch(/maria disabled platform db, release \d+/);
      expect(error).toMatch(/enabled: false/);
      await expectUntouched(down);
      await said(EDITED, { refresh: true });
      expect(await running()).toEqual(before);
    });

    test('and committed stays off where the file says so, or accepts it', async () => {
      await committed(disable);
      const entry = entryIn(await refused(EDITED));
      expect(await said(deploying({ accept: [entry] }))).toMatch(/accepted: .*maria disabled platform db/);
      expect(await running()).toEqual({ web: before['web'] });
      await said(withProd({ switches: { db: { enabled: false } } }, STACK));
      expect(await running()).toEqual({ web: before['web'] });
    });

    test('and did not commit stops the run like every open change, and is not undone', async () => {
      await disable();
      const error = await refused(EDITED);
      expect(error).toMatch(/platform db: update by maria at/);
      expect(error).toMatch(/whenBusy/);
      expect(writes()).toEqual([]);
      expect(world.writes().filter((request) => request.includes('enable'))).toEqual([]);
      expect(await running()).toEqual(before);
    });
  });

  const scaleDown = (): Promise<void> => world.maria.scale({ current: '1', min: '1' });
  const onItsCloud = (texts: { readonly [name: string]: string }) => (): Promise<void> =>
    world.maria.configure('web', 'west', texts);

  test.each([
    ['disabled a platform', 'pulled', EDITED, () => world.maria.switch('disable', 'db')],
    ['disabled a platform', 'deployed', ELSEWHERE, () => world.maria.switch('disable', 'db')],
    ['scaled a platform down', 'pulled', EDITED, scaleDown],
    ['scaled a platform down', 'deployed', ELSEWHERE, scaleDown],
    ['took a cloud offline', 'pulled', EDITED, onItsCloud({ adminstatus: 'offline' })],
    ['took the share of a cloud', 'deployed', ELSEWHERE, onItsCloud({ pct_scale: '0' })],
  ])('somebody %s, and whenBusy commits it: it is named, and accepted, when it is %s', async (_, __, edited, act) => {
    await act();
    const first = await said(whenBusy(edited, 'proceed'));
    expect(first).toMatch(/by maria at/);
    expect(first.match(/accepted: maria /g)).toHaveLength(1);
    const left = await running();
    expect(left).not.toEqual(before);
    await said(whenBusy(STACK, 'proceed'));
    expect(await running()).toEqual(left);
  });

  test.each([
    ['open', true],
    ['open', false],
    ['committed', true],
    ['deployed', true],
    ['deployed', false],
  ])(
    'a platform that somebody scaled down, %s, locked: %s, stops each run until it is accepted',
    async (stage, isLocked) => {
      await world.maria.scale({ current: '1', min: '1' }, isLocked);
      if (stage !== 'open') await committed(() => Promise.resolve(), stage === 'deployed');
      const less = await running();
      let error = '';
      for (const options of [{}, { refresh: true }]) {
        error = await refused(ELSEWHERE, options);
        expect(error).toMatch(
          stage === 'open' ? /scaling of compute.* by maria/ : /maria scaled compute of platform web to 1/,
        );
        await expectUntouched(less);
      }
      if (stage === 'open') return;
      const entry = entryIn(error);
      expect(await said(deploying({ accept: [entry] }, ELSEWHERE))).toMatch(/accepted: maria scaled compute/);
      expect((await running())['web']).toBeLessThan(before['web'] ?? 0);
    },
  );

  test('a platform that somebody scaled down is accepted once, also where a declared cloud runs nothing of it', async () => {
    const empty = (of: Partial<EnvironmentSpec>): StackSpec =>
      withProd({ ...of, ...onWest({ adminstatus: 'offline' }) }, STACK);
    await said(empty({}));
    await world.maria.scale({ current: '1', min: '1' });
    await committed(() => Promise.resolve());
    const error = await refused(empty({ variables: { LEVEL: 'debug' } }));
    const entry = entryIn(error);
    await said(empty({ deploy: { accept: [entry] }, variables: { LEVEL: 'debug' } }));
    await said(empty({ variables: { LEVEL: 'info' } }));
  });

  test('a platform that the file declares to be down does not come up without a word', async () => {
    const down = (of: StackSpec): StackSpec => withProd({ switches: { db: { enabled: false } } }, of);
    await said(down(STACK));
    await world.maria.switch('enable', 'db');
    expect(await refused(down(EDITED))).toMatch(/platform db: update by maria/);
    expect(await running()).toEqual({ web: before['web'] });
    await committed(() => Promise.resolve(), false);
    for (const isDeployed of [false, true]) {
      if (isDeployed) await committed(() => world.maria.deploy(), false);
      const there = await running();
      const error = await refused(down(EDITED));
      expect(error).toMatch(
        /db would not be as declared[^]*maria enabled platform db, release \d+[^]*--refresh disables it/,
      );
      await expectUntouched(there);
    }
    expect(await said(down(STACK), { refresh: true })).not.toMatch(/brings along/);
    expect(await running()).toEqual({ web: before['web'] });
  });

  const switched = (name: string, isOn: boolean) => ({
    says: `${isOn ? 'enabled' : 'disabled'} platform ${name}`,
    act: () => world.admin.switch(isOn ? 'enable' : 'disable', name),
    prod: { switches: { [name]: { enabled: !isOn } } },
  });
  const onCloud = (name: string, text: string) => ({
    says: `set ${name} of cloud west of platform web to "${text}"`,
    act: () => world.admin.configure('web', 'west', { [name]: text }),
    prod: {},
  });
  test.each([
    ...[true, false].flatMap((isOn) => [
      ...[undefined, false, true].map((isDeployed) => ({ ...switched('db', isOn), isDeployed })),
      // The file declares the switch alone.
      { ...switched('extra', isOn), isDeployed: true },
    ]),
    ...[false, true].map((isDeployed) => ({ ...onCloud('adminstatus', 'offline'), isDeployed })),
    { ...onCloud('pct_scale', '0'), isDeployed: true },
  ])('what this user did against the file is set back, as the preview says: %p', async (row) => {
    const { says, act, prod, isDeployed } = row;
    if (says.endsWith('extra')) await world.maria.commit(world.maria.create('extra', TOMCAT));
    await said(EDITED);
    await said(withProd(prod, STACK));
    const there = await running();
    await act();
    if (isDeployed !== undefined) await committed(() => Promise.resolve(), isDeployed, world.admin);
    for (const words of await saidTwice(resourcesOf(withProd(prod))))
      expect(words).toContain(`set back as the file declares: admin ${says}`);
    expect(await running()).toEqual(there);
  });

  test.each([
    ['disabled', ['extra'], false],
    ['deployed', ['extra'], true],
    ['of a tear-down that ended early', ['web', 'db', 'extra'], false],
  ])('a platform that the run does not declare stays as its user switched it: %s', async (_, names, isDeployed) => {
    await said({ ...STACK, platforms: { ...STACK.platforms, extra: STACK.platforms!['db']! } });
    own.stack = new Map([...own.stack].filter(([key]) => !key.includes('extra')));
    const there = await running();
    const disable = async (): Promise<void> => {
      for (const name of names) await world.admin.switch('disable', name);
    };
    await committed(disable, isDeployed, world.admin);
    const isNamed = names.length === 1 && !isDeployed;
    for (const words of await saidTwice(resourcesOf(EDITED)))
      expect(words.includes('brings along: admin disabled platform extra, release')).toBe(isNamed);
    // What turns off every platform is a tear-down, which is set back as a whole.
    expect(await running()).toEqual(names.length === 1 ? before : there);
  });

  test('a configuration of a cloud that the environment ignores is no unknown cloud', async () => {
    await said(ON_EAST);
    await committed(() => world.maria.useClouds({ west: '1' }), false);
    await saidTwice(ignoring(withProd(onWest({ pctScale: 50 }), ON_EAST), 'Environment', ['clouds']));
  });

  test.each([
    ['platform web (current, max)', scaleUp, true],
    ['platform web (pct_scale)', () => world.maria.configure('web', 'west', { pct_scale: '200' }), true],
    ['component web/tomcat (max_threads)', setThreads, false],
  ])('what somebody set in the environment comes along with its name: %s', async (says, act, runsMore) => {
    await committed(act, false);
    expect(await said(ELSEWHERE)).toContain(`${says} by maria, release `);
    const { web = 0 } = await running();
    expect(web > (before['web'] ?? 0)).toBe(runsMore);
  });

  test('a platform that somebody created again is not written as if it were the own one', async () => {
    await deleted('db');
    await world.maria.create('db', { ...TOMCAT, pack: 'mysql' });
    world.writes();
    expect(await refused(DESCRIBED)).toMatch(/db: [^]*created by maria[^]*adopt: true/);
    expect([world.writes(), await running()]).toEqual([[], before]);
  });

  const added = (): Promise<void> =>
    world.maria.commit(world.maria.create('web/backdoor', { username: 'backdoor' }, { template_name: 'user' }));
  const says = /component web\/backdoor by maria, design release \d+/;

  test('what somebody added to the design between the look of a run and its pull does not come along unnamed later', async () => {
    const refusing = (of: StackSpec): StackSpec => deploying({ others: 'refuse' }, of);
    expect(await refused(refusing(EDITED), {}, actingBefore(world, routes.environments.pull, added))).toMatch(says);
    for (const spec of [EDITED, STACK]) expect(await refused(refusing(spec))).toMatch(says);
    expect(await running()).toEqual(before);
    expect(await said(STACK)).toMatch(says);
  });

  test('what came along right before a pull, and runs, is not named or refused again', async () => {
    expect(await said(EDITED, {}, actingBefore(world, routes.environments.pull, added))).toMatch(says);
    expect(await said(STACK)).not.toMatch(says);
    await said(deploying({ others: 'refuse' }, EDITED));
    await committed(() => world.maria.set('web/backdoor', { username: 'hers' }), false);
    await world.maria.commit();
    expect(await refused(deploying({ others: 'refuse' }, STACK))).toMatch(/web\/backdoor \(username\) by maria/);
  });

  test('what came with a platform that this run makes is not called brought', async () => {
    const more = { ...STACK, platforms: { ...STACK.platforms, cache: CACHE } };
    expect(await said(more)).not.toContain('brings along');
    await deleted('cache');
    expect(await said(more, { refresh: true })).not.toContain('brings along');
  });

  test('what an earlier run made before it failed is no change of others for one that refuses those', async () => {
    const sized = (size: string): StackSpec =>
      deploying({ others: 'refuse' }, withPlatform('web', { pack: 'tomcat', components: sizedCompute(size) }));
    await said(sized('M'));
    await world.maria.commit(world.maria.set('web/compute', { size: 'XL' }));
    const more = { ...sized('L'), platforms: { ...sized('L').platforms, cache: CACHE } };
    expect(await refused(more)).toContain('size was changed by maria');
    expect(await said(more, { refresh: true })).not.toContain('brings along');
    expect(await running()).toMatchObject({ cache: expect.any(Number) });
  });

  describe('what somebody added to the design', () => {
    beforeEach(added);

    test('is named once by a run that pulls it, also where it does not come to its deployment', async () => {
      const says = /component web\/backdoor by maria, design release \d+/g;
      const { errors, notices } = await up(EDITED, {}, actingBefore(world, routes.environments.timeline, fails));
      expect([errors.join(), notices.join().match(says)?.length]).toEqual([expect.stringContaining('cut off'), 1]);
    });

    test.each([{}, { refresh: true }])('is named once by the run that brings it to machines; %j', async (options) => {
      const notices = await said(EDITED, options);
      expect(notices.match(/component web\/backdoor by maria, design release \d+/g)).toHaveLength(1);
    });

    test.each(['', 'and pulled'])(
      'stops a run with others: refuse, unless one entry accepts it; %s',
      async (pulled) => {
        if (pulled) await committed(world.maria.pull, false);
        const error = await refused(deploying({ others: 'refuse' }));
        expect(error.match(/component web\/backdoor by maria, design release \d+/g)).toHaveLength(1);
        await expectUntouched();
        const entry = entryIn(error);
        const notices = await said(deploying({ others: 'refuse', accept: [entry] }));
        expect(notices.match(/component web\/backdoor by maria/g)).toHaveLength(1);
      },
    );

    test('into a platform that a third one added is named, too', async () => {
      await handOf(world.third).create('cache', TOMCAT);
      await handOf(world.third).commit();
      await world.maria.commit(world.maria.set('cache/tomcat', { max_threads: '9' }));
      const notices = await said(DEPLOYED);
      expect(notices).toMatch(/platform cache by pia, [^;]*; component cache\/tomcat by maria, design release/);
    });

    test('of a platform that a third one added is named once, without what came with it', async () => {
      await handOf(world.third).create('cache', TOMCAT);
      await handOf(world.third).commit();
      await world.maria.commit(world.maria.set('cache', { description: 'hers' }));
      const notices = await said(DEPLOYED);
      expect(notices.match(/platform cache by maria, design release \d+/g)).toHaveLength(1);
      expect(notices).not.toMatch(/cache\//);
    });

    const { web: _, ...withoutWeb } = STACK.platforms ?? {};
    test.each([
      ['platform', withoutWeb, { others: 'refuse' }, 'component web/backdoor'],
      ['component', { ...withoutWeb, web: { pack: 'tomcat' } }, {}, 'attachment web/hers'],
    ])(
      'goes with a %s that leaves the file: named as going, by the preview and once by the run',
      async (_, platforms, deploy, says) => {
        await world.maria.set('web', { description: 'hers' });
        await world.maria.create('web/deployer/hers', { path: '/a', content: 'b' });
        await world.maria.commit(world.maria.create('web/gone', { username: 'gone' }, { template_name: 'user' }));
        await world.maria.commit(world.maria.delete('web/gone'));
        const spec = deploying(deploy, { ...STACK, platforms });
        const going = new RegExp(`goes with what left the file: ([^;]*; )*${says} by maria, design release \\d+`, 'g');
        const { errors, notices } = await preview(world, own.stack, resourcesOf(spec));
        expect([errors, notices.join('\n').match(going)?.length]).toEqual([[], 1]);
        // A run with targets deletes nothing, so the platform and hers would be pulled.
        const targets = resourcesOf(spec).map(({ key }) => key);
        const limited = await preview(world, own.stack, resourcesOf(spec), { targets });
        const messages = 'others' in deploy ? limited.errors : limited.notices;
        expect(messages.join()).toContain('attachment web/hers by maria');
        const text = await said(spec);
        expect([text.match(going)?.length, /along:.*hers by|gone/.test(text)]).toEqual([1, false]);
      },
    );

    test('does not come along once this user took it out again', async () => {
      await world.admin.delete('web/backdoor');
      await world.admin.commit();
      expect(await said(deploying({ others: 'refuse' }))).not.toMatch(/maria/);
    });
  });

  test.each<readonly [string, () => Promise<unknown>, boolean]>([
    ['set in the environment', () => world.maria.set('prod:evil/tomcat', { max_threads: '771' }), true],
    ['locked there', () => setHers('prod:evil/tomcat'), true],
    ['locked there', () => setHers('prod:evil/tomcat'), false],
    ['deleted before', () => deleted('evil/hers').then(() => world.maria.pull()), false],
  ])('what somebody %s goes with its platform, which is named alone', async (_, act, isPulled) => {
    await addEvil();
    await world.maria.commit(world.maria.create('evil/hers', { username: 'hers' }, { template_name: 'user' }));
    await said(EDITED);
    await committed(act, false);
    await deleted('evil');
    if (isPulled) await committed(world.maria.pull, false);
    const notices = await said(isPulled ? withProd({ variables: { LEVEL: 'debug' } }) : STACK);
    expect(notices.match(/platform evil, deleted by maria, design release \d+/g)).toHaveLength(1);
    expect(notices).not.toMatch(/evil\//);
    expect(await running()).toEqual(before);
  });

  test.each<readonly [string, () => Promise<unknown>, RegExp]>([
    [
      'is named',
      () => world.maria.create('web/hers', { username: 'hers' }, { template_name: 'user' }),
      /brings along: component web\/hers by maria/,
    ],
    [
      'is refused where it takes away what the file declares',
      () => world.maria.delete('web/deployer'),
      /maria deleted component web\/deployer from the design/,
    ],
  ])(
    'what somebody committed before more writes of the run than a list of releases shows %s',
    async (_, act, words) => {
      const many = (value: string): StackSpec => ({
        ...STACK,
        variables: {
          ...STACK.variables,
          ...Object.fromEntries(Array.from({ length: 110 }, (_, at) => [`V${at}`, value])),
        },
      });
      await said(many('a'));
      await act();
      await world.maria.commit();
      const { errors, notices } = await up(many('b'));
      expect([...errors, ...notices].join('\n')).toMatch(words);
    },
  );

  describe('what somebody wrote beside what the run changes', () => {
    const USERNAME = /component web\/deployer \(username\) by maria, design release \d+/;

    test.each([
      ['current', () => world.maria.scale({ current: '4' }, false)],
      ['dpmt_order', () => world.maria.configure('web', 'west', { dpmt_order: '2' })],
    ])('%s is named, also in a release that pulled what this user committed', async (name, act) => {
      await up(EDITED, {}, actingBefore(world, routes.environments.pull, fails));
      await committed(async () => {
        await world.maria.pull();
        await act();
      }, false);
      expect(await refused(deploying({ others: 'refuse' }))).toContain(`platform web (${name}) by maria, release`);
    });

    test('a declared value is named, and a refresh sets it back', async () => {
      await setUser();
      expect(await said(EDITED)).toMatch(USERNAME);
      expect(await said(STACK, { refresh: true })).not.toMatch(/by maria/);
    });

    test('a declared value that this user set outside of the stack is named, or refused, until a refresh sets it back', async () => {
      await world.admin.set('web/deployer', { username: 'mine' });
      await world.admin.commit();
      const says = /component web\/deployer \(username\) by \w+ outside of this stack, design release \d+/;
      expect(await refused(deploying({ others: 'refuse' }))).toMatch(says);
      expect(await said(EDITED)).toMatch(says);
      await world.admin.set('web/deployer', { username: 'mine2' });
      await world.admin.commit();
      expect(await said(deploying({ others: 'refuse' }, STACK), { refresh: true })).not.toMatch(/outside/);
      expect((await world.admin.read('web/deployer')).ciAttributes['username']).toBe('deployer');
      expect(await said(deploying({ others: 'refuse' }))).not.toMatch(/outside/);
    });

    test.each<readonly [string, () => Promise<unknown>, Partial<EnvironmentSpec>]>([
      ['of the design', () => Promise.resolve(), {}],
      ['of a component of the environment', setThreads, withThreads(200)],
      ['of a variable of the environment', () => setLevel('hers'), { variables: { LEVEL: 'mine' } }],
      ['of the scale of a platform', scaleUp, scaledTo(2, 4)],
      [
        'of a cloud of a platform',
        () => world.maria.configure('web', 'west', { dpmt_order: '9', pct_scale: '150' }),
        onWest({ dpmtOrder: 3, pctScale: 120 }),
      ],
    ])('the advice of a refused value that the file declares leads out: one %s', async (_, act, declared) => {
      const refusing = (of: StackSpec): StackSpec => withProd({ ...declared, deploy: { others: 'refuse' } }, of);
      await said(withProd(declared, STACK));
      if (Object.keys(declared).length === 0) await setUser();
      else await committed(act, false);
      const error = await refused(refusing(EDITED));
      expect(error).toMatch(
        /by maria[^]*run pulumi up --refresh, which writes again what the file declares, or declare/,
      );
      expect(error).not.toMatch(/in the file/);
      expect(await said(refusing(EDITED), { refresh: true })).not.toMatch(/by maria/);
      expect(await differences(world, refusing(EDITED))).toEqual([]);
      expect(await said(refusing(DEPLOYED))).not.toMatch(/by maria/);
    });

    test.each<readonly [string, () => Promise<unknown>, Partial<EnvironmentSpec>]>([
      ['a value of a component', setThreads, withThreads(771)],
      [
        'a switch of healing',
        () => world.maria.set('prod:web', { autorepair: 'false' }),
        { switches: { web: { autorepair: false } } },
      ],
      ['what scales a platform', scaleUp, scaledTo(5, 9)],
      [
        'what a platform says of a cloud',
        () => world.maria.configure('web', 'west', { dpmt_order: '9' }),
        onWest({ dpmtOrder: 9 }),
      ],
    ])('%s that another user set is refused until the file declares it', async (_, act, declared) => {
      const refusing = (of: Partial<EnvironmentSpec>): StackSpec =>
        withProd({ ...of, deploy: { others: 'refuse' }, description: 'ours' }, STACK);
      await committed(act, false);
      const error = await refused(refusing({}));
      expect(error).toMatch(/by maria[^]*declare it in the file, have it deleted in the service, or declare deploy/);
      expect(error).not.toContain('--refresh');
      expect(await said(refusing(declared))).not.toMatch(/by maria/);
    });

    test.each(['', 'manifest'])(
      'a value of the environment that another user set to the one of the design is named; lock: "%s"',
      async (lock) => {
        const laid = (description: string): StackSpec =>
          withProd({ variables: { LEVEL: 'debug' }, description }, STACK);
        await said(laid('ours'));
        await committed(() => setLevel('warn', lock), false);
        expect(await said(laid('ours again'))).toMatch(/variable \$LEVEL \(value\) by maria, release \d+/);
      },
    );

    test('an attachment of the name of a declared one, at another component, is not taken for it', async () => {
      const MOTD = { path: '/etc/motd', content: 'hello' };
      const attached = (LEVEL: string, accept: readonly string[] = []): StackSpec => {
        const components = { deployer: { ...USER, attachments: { motd: MOTD } }, other: USER };
        const platforms = { ...STACK.platforms, web: { pack: 'tomcat', components } };
        return deploying({ others: 'refuse', accept }, { ...STACK, variables: { LEVEL }, platforms });
      };
      await said(attached('a'));
      await world.maria.commit(world.maria.delete('web/deployer/motd'));
      await world.maria.commit(world.maria.create('web/other/motd', { ...MOTD, content: 'hers' }));
      const accept: string[] = [];
      for (const says of ['deleted attachment web/deployer/motd', 'attachment web/motd by maria']) {
        const error = await refused(attached('b', accept));
        expect(error).toContain(says);
        accept.push(entryIn(error));
      }
      await said(attached('b', accept));
      await world.maria.commit(world.maria.set('web/other/motd', { content: 'hello' }));
      const error = await refused(attached('c', accept));
      expect(error).toMatch(/attachment web\/motd \(content\) by maria, design release \d+\n *declare it in the file/);
      await setUser();
      expect(await refused(attached('c', accept))).toMatch(/the rest in the file or .*, and run pulumi up/);
    });

    test('links and dependencies are named, until a refresh sets back the declared ones', async () => {
      const linked = (of: StackSpec): StackSpec =>
        withPlatform('web', { pack: 'tomcat', links: ['db'], components: { deployer: USER, other: USER } }, of);
      await said(linked(STACK));
      await world.maria.set('web', {}, { links_to: [] });
      const { ciId } = await world.maria.read('web/other');
      await world.maria.commit(world.maria.set('web/deployer', {}, { sibling_depends_on: [String(ciId)] }));
      const notices = await said(linked(EDITED));
      expect(notices).toMatch(/link web -> db, deleted by maria, design release \d+/);
      expect(notices).toMatch(/dependency web\/deployer -> other by maria, design release \d+/);
      await said(linked(STACK), { refresh: true });
      expect(await said(linked(EDITED))).not.toMatch(/maria/);
    });

    test('a declared value that another user hides behind a secret is set back', async () => {
      await said(STACK);
      await world.maria.commit(world.maria.set('$LEVEL', { secure: 'true', encrypted_value: 'hers' }));
      await said(STACK, { refresh: true });
      const found = await world.api.call(routes.designVariables.read, {
        address: { assembly: 'shop', variable: 'LEVEL' },
      });
      expect(found.ciAttributes).toMatchObject({ secure: 'false', value: 'warn' });
    });

    test('a variable that another user made secret is not named where the run makes it secret, too', async () => {
      await world.maria.commit(world.maria.set('$LEVEL', { secure: 'true', value: '', encrypted_value: 'hers' }));
      const spec = { ...STACK, variables: { LEVEL: { encryptedValue: 'ours' } } };
      expect((await saidTwice(resourcesOf(spec))).join()).not.toMatch(/maria/);
    });

    test('a declared secret is named, or refused, until this user sets it again', async () => {
      const secret = (of: StackSpec): StackSpec => ({
        ...of,
        variables: { ...of.variables, KEY: { encryptedValue: 'k-1' } },
      });
      const setKey = async (by: Hand, value: string): Promise<void> => {
        await by.set('$KEY', { secure: 'true', encrypted_value: value });
        await by.commit();
      };
      await said(secret(STACK));
      await setKey(world.maria, 'hers');
      const says = /variable \$KEY \(encrypted_value\) by maria, design release \d+/;
      expect(await refused(secret(deploying({ others: 'refuse' })))).toMatch(says);
      expect(await said(secret(EDITED))).toMatch(says);
      await setKey(world.maria, 'hers again');
      await setKey(world.admin, 'k-1');
      expect(await said(secret(deploying({ others: 'refuse' }, STACK)))).not.toMatch(/maria/);
    });

    const laidUser = { components: { deployer: { attributes: { username: 'ours' } } } };
    test.each<readonly [string, Partial<EnvironmentSpec>, RegExp]>([
      ['a variable', { variables: { LEVEL: 'debug' } }, /variable \$LEVEL \(value\) by maria, design release \d+/],
      ['a component', { overrides: { web: laidUser } }, USERNAME],
      ['a number of instances', { switches: { web: { scale: { compute: { current: 3 } } } } }, USERNAME],
    ])('%s that is given back takes the value of the design: named, or refused', async (_, laid, says) => {
      await said(withProd(laid, STACK));
      await world.maria.set('$LEVEL', { value: 'hers' });
      await setUser();
      expect(await refused(deploying({ others: 'refuse' }, STACK))).toMatch(says);
      expect(await said(STACK)).toMatch(says);
    });

    test.each([
      ['deleted it', [true, false]],
      ['created it again and did not commit that', [true, true]],
      ['changed it and did not commit that', [false, true]],
    ] as const)('a variable that is given back after somebody %s is as declared, or said', async (_, [goes, comes]) => {
      await said(withProd({ variables: { LEVEL: 'debug' } }, STACK));
      if (goes) await deleted('$LEVEL');
      if (comes) await world.maria[goes ? 'create' : 'set']('$LEVEL', { value: 'hers' });
      const read = async (): Promise<string> =>
        `$LEVEL = ${(await world.maria.read('prod:$LEVEL')).ciAttributes['value']}`;
      const { errors, notices } = await up(STACK);
      expect([...errors, ...notices, await read()].join('\n')).toMatch(
        /(\$LEVEL \(value\)|variable \$LEVEL) by maria|maria deleted variable \$LEVEL|\$LEVEL = warn/,
      );
      if (errors.length === 0) return;
      if (comes) await world.maria.delete('$LEVEL');
      await said(STACK, { refresh: true });
      expect(await read()).toBe('$LEVEL = warn');
    });

    test('a platform that comes to a new environment is named, once', async () => {
      await addEvil();
      const notices = await said(WITH_DEV);
      expect(notices).toMatch(/brings along: platform evil by maria, design release \d+/);
      expect(notices).not.toMatch(/evil\//);
    });

    test('a change of the design comes to a new environment: named behind a hundred later ones, too', async () => {
      await setUser();
      for (let round = 0; round <= 100; round += 1) {
        await world.maria.set('$LEVEL', { value: String(round) });
        await world.maria.commit().catch(() => undefined);
      }
      expect(await said(WITH_DEV)).toMatch(USERNAME);
    });

    test('a preview refuses a new environment for others: refuse, and takes one whose changes are accepted', async () => {
      await addEvil();
      const shop = (deploy = {}): StackSpec => {
        const dev = { ...WITH_DEV.environments?.['dev'], deploy: { others: 'refuse', ...deploy } };
        return { ...EDITED, environments: { ...STACK.environments, dev } };
      };
      const refusal = /Environment::dev: [^]*platform evil by maria, design release \d+[^]*accept: \["(evil: [^"]*)"\]/;
      const [error = ''] = await foreseen(shop());
      expect(error).toMatch(refusal);
      const accept = [refusal.exec(error)?.[1] ?? ''];
      expect(await foreseen(shop({ accept }))).toEqual([]);
      expect(await said(shop({ accept }))).toMatch(/brings along: platform evil by maria/);
    });

    test('a preview takes a new environment with others: refuse besides what leaves the file', async () => {
      const dev = { ...WITH_DEV.environments?.['dev'], deploy: { others: 'refuse' } };
      const { web = { pack: 'tomcat' } } = STACK.platforms ?? {};
      const spec: StackSpec = { platforms: { web }, environments: { ...STACK.environments, dev } };
      await saidTwice(resourcesOf(spec));
    });

    test('a new environment is not created without what the file declares', async () => {
      await deleted('db');
      const error = await refused(WITH_DEV);
      expect(error).toMatch(/cannot create dev: [^]*maria deleted platform db from the design/);
    });
  });

  test('a preview refuses a value that the run would lose, and takes one that is overwritten for none of theirs', async () => {
    await setUser();
    const lost = /component acme\/shop\/web\/deployer: username was changed by maria at .*, since our last read/;
    expect((await foreseen(DEPLOYED)).join('\n')).toMatch(lost);
    const overwriting = withUser(DEPLOYED, { args: { overwrite: true } });
    for (const play of [preview, run]) {
      const { errors, notices } = await play(world, own.stack, overwriting);
      expect([errors, notices.filter((notice) => notice.includes('brings along'))]).toEqual([[], []]);
    }
  });

  const KEY_OF_PROD = { KEY: { encryptedValue: 'k-2' } };
  test.each<readonly [string, string, (edit: string) => StackSpec]>([
    ['in the design', '$KEY', (LEVEL) => ({ ...STACK, variables: { LEVEL } })],
    ['before a pull', 'prod:$KEY', (LEVEL) => ({ ...STACK, variables: { LEVEL } })],
    ['before a deployment', 'prod:$KEY', (LEVEL) => withProd({ variables: { LEVEL } }, STACK)],
    ['over a value of prod', 'prod:$KEY', (LEVEL) => withProd({ variables: { LEVEL, ...KEY_OF_PROD } }, STACK)],
  ])('an open change shows no value in the place of a declared secret: %s', async (_, place, edited) => {
    if (dialect === 'documented' && place === '$KEY') return;
    const secret = (level: string): StackSpec => {
      const of = edited(level);
      return { ...of, variables: { LEVEL: 'warn', ...of.variables, KEY: { encryptedValue: 'k-1' } } };
    };
    await said(secret('warn'));
    world.writes();
    await world.maria.set(place, { secure: 'false', value: 'canary-hers', encrypted_value: '' });
    const error = await refused(secret('debug'));
    expect(error).toMatch(/variable \$KEY: update by maria at .*: .*secure there "false"/);
    expect(error).not.toContain('canary');
    expect(writes()).toEqual([]);
  });

  test.each([false, true])('an open change of an ignored attribute stops the run; refresh: %s', async (refresh) => {
    const as = (LEVEL: string): StackSpec => withProd({ ...withThreads(200), variables: { LEVEL } }, STACK);
    const ignored = ['EnvironmentComponent', ['attributes.max_threads']] as const;
    await said(ignoring(as('debug'), ...ignored));
    world.writes();
    await setThreads();
    expect(await refused(ignoring(as('info'), ...ignored), { refresh })).toMatch(
      /component web\/tomcat: update by maria at .*: max_threads there "771"/,
    );
    expect(writes()).toEqual([]);
  });

  test.each([false, true])('a committed change of an ignored attribute is named; refresh: %s', async (refresh) => {
    const unseeing = (of: StackSpec) => withUser(of, { ignoreChanges: ['attributes.username'] });
    await said(unseeing(STACK));
    await setUser();
    expect(await said(unseeing(EDITED), { refresh })).toMatch(
      /brings along: component web\/deployer \(username\) by maria, design release \d+/,
    );
  });

  const switching = (verb: 'enable' | 'disable') => (): Promise<void> => world.maria.switch(verb, 'db');
  const toOffline = (): Promise<void> => world.maria.configure('db', 'west', { adminstatus: 'offline' });
  test.each<readonly [string, string, () => Promise<void>, EnvironmentSpec]>([
    ['enabled', 'EnvironmentPlatform', switching('disable'), { switches: { db: { enabled: true } } }],
    ['enabled', 'EnvironmentPlatform', switching('enable'), { switches: { db: { enabled: false } } }],
    ['adminstatus', 'CloudConfiguration', toOffline, { platforms: { db: { west: { adminstatus: 'active' } } } }],
    ['clouds.west.adminstatus', 'Environment', toOffline, {}],
  ])('%s of %s that others set and this run ignores stays, and is named: %#', async (path, token, act, prod) => {
    const as = (of: StackSpec): readonly Declared[] => ignoring(withProd(prod, of), token, [path]);
    await said(as(STACK));
    const declared = await running();
    await committed(act, false);
    const [, words] = await saidTwice(as(EDITED));
    expect(words).toMatch(/accepted: maria (enabled|disabled|set adminstatus of cloud west of) platform db/);
    const there = await running();
    expect(there).not.toEqual(declared);
    expect(await said(as(DEPLOYED), { refresh: true })).not.toContain('set back');
    expect(await running()).toEqual(there);
  });

  test('a deployment that is new in the state does not call a platform brought that this run takes away', async () => {
    own.stack = new Map([...own.stack].filter(([key]) => key !== 'Deployment::prod'));
    expect(await said({ ...EDITED, platforms: { web: STACK.platforms!['web']! } })).not.toContain('brings along');
    expect(Object.keys(await running())).toEqual(['web']);
  });

  test('what others committed is judged before a delete that a failed run left is deployed', async () => {
    const overrides = { web: { components: { deployer: { ...USER, attributes: { username: 'own' } } } } };
    const refusing = deploying({ others: 'refuse' }, STACK);
    await said(withProd({ overrides }, refusing));
    // A program without our host does not see what leaves: the engine deletes it at the end.
    const unseeing = { answered: emptyStack };
    expect(
      await refused(refusing, unseeing, actingBefore(world, routes.environmentPlatforms.updateComponent, fails)),
    ).toContain('cut off');
    await world.maria.scale({ current: '5', max: '9' });
    await world.maria.commitEnvironment();
    before = await running();
    const { notices } = await up(refusing, unseeing);
    expect(notices.join()).toMatch(/that is not deployed: [^]*platform web \(current, max\) by maria, release \d+/);
    expect(await running()).toEqual(before);
  });

  describe('what somebody writes between a look and the commit', () => {
    const scale = (isLocked: boolean) => () => world.maria.scale({ current: '1', min: '1' }, isLocked);
    const takeShare = (): Promise<void> => world.maria.configure('db', 'east', { pct_scale: '0' });
    const SHARE = /cannot deploy prod: [^]*maria set pct_scale of cloud east of platform db to "0"/;
    test.each<readonly [string, () => Promise<void>, RegExp, StackSpec | undefined]>([
      ['scales down, locked', scale(true), /maria scaled compute of platform web/, undefined],
      ['scales down', scale(false), /maria scaled compute of platform web/, undefined],
      ['disables', () => world.maria.switch('disable', 'db'), /maria disabled platform db/, ELSEWHERE],
      ['takes the share of a cloud', takeShare, SHARE, DEPLOYED],
    ])('%s: the plan shows it, until a refresh sets back what it can', async (_, take, says, back) => {
      const racing = actingBefore(world, routes.environments.commit, take);
      for (const within of [racing, world]) {
        expect(await refused(back ?? ELSEWHERE, {}, within)).toMatch(says);
        expect(await running()).toEqual(before);
      }
      if (back) expect(await said(back, { refresh: true })).toMatch(/set back as the file declares: maria/);
      expect(await running()).toEqual(before);
    });

    test('over what the run has just written is named: the pull looks again', async () => {
      const size = (text: string): StackSpec =>
        withPlatform('db', { pack: 'mysql', components: { compute: { attributes: { size: text } } } });
      await said(size('S'));
      const take = (): Promise<void> => world.maria.commit(world.maria.set('db/compute', { size: 'XL' }));
      const { notices } = await up(size('M'), {}, actingBefore(world, routes.environments.read, take));
      expect(notices.join('\n')).toMatch(/component db\/compute \(size\) by maria, design release \d+/);
    });

    test('and commits during a pull, which then may have failed: the design is pulled again', async () => {
      let pulls = 0;
      const racing = through(world, (next) => async (route, input) => {
        const answer = await next(route, input);
        if (route.name === routes.environments.pull.name && (pulls += 1) === 1) {
          await setThreads();
          world.clock.advance(10_000);
          await world.maria.commitEnvironment();
        }
        return answer;
      });
      const { errors } = await up(EDITED, {}, racing);
      const [level] = await world.other.call(routes.environmentVariables.list, { address: PROD });
      expect([errors, pulls, level?.ciAttributes['value']]).toEqual([[], 2, 'info']);
    });

    test('takes no declared component: the pull looks again', async () => {
      const take = (): Promise<void> => deleted('web/deployer');
      expect(await refused(DESCRIBED, {}, actingBefore(world, routes.environments.read, take))).toMatch(
        /cannot pull the design into [^]*maria deleted component web\/deployer/,
      );
      expect(await running()).toEqual(before);
    });
  });

  test.each([
    [2, false],
    [3, false],
    // Where nothing shows who turned it off, the refresh that gives it its cloud back enables it, too.
    [2, true],
  ])(
    'what a tear-down turned off that was killed comes up again, although another user had changed it; write %i, refresh: %s',
    async (killAfter, refresh) => {
      await world.maria.set('prod:web/tomcat', { max_threads: '66' });
      expect(await up({ ...STACK, environments: {} }, { killAfter })).toMatchObject({ killed: true, errors: [] });
      world.clock.advance(60_000);
      if (refresh) await committed(() => world.maria.configure('web', 'west', { pct_scale: '0' }), false);
      await said(DEPLOYED, { refresh }, refresh ? { ...world, api: reticent(world.api) } : world);
      expect(await running()).toEqual(before);
    },
  );

  describe('a cloud in use', () => {
    const takeOffline = (): Promise<void> =>
      committed(() => world.maria.configure('web', 'west', { adminstatus: 'offline' }));
    const takeShare = (): Promise<void> => committed(() => world.maria.configure('web', 'west', { pct_scale: '0' }));

    test.each([
      ['taken offline', takeOffline, /maria set adminstatus.* "offline"/],
      ['without a share', takeShare, /maria set pct_scale.* "0"/],
    ])('and %s by somebody: the run stops, and a refresh brings it back', async (_, take, says) => {
      await take();
      const less = await running();
      expect(await refused(EDITED)).toMatch(says);
      await expectUntouched(less);
      await said(EDITED, { refresh: true });
      expect(await running()).toEqual(before);
    });

    async function takeOut(): Promise<void> {
      await committed(async () => {
        for (const platform of ['web', 'db']) await world.maria.configure(platform, 'west', { adminstatus: 'offline' });
      });
      const { clouds } = await world.other.call(routes.environments.read, { address: PROD });
      const left = Object.fromEntries(Object.entries(clouds ?? {}).slice(0, 1));
      const body = { cms_ci: { ciName: 'prod', ciAttributes: {} }, clouds: left };
      await world.other.call(routes.environments.update, { address: PROD, body });
    }

    test.each<[string, Inputs, readonly string[]]>([
      ['that overwrites', { overwrite: true }, []],
      ['whose clouds are ignored', {}, ['clouds']],
    ])('and taken out of an environment %s is no loss', async (_, args, ignoreChanges) => {
      const described = (description: string): readonly Declared[] =>
        withArgs(ignoring(withProd({ description }, STACK), 'Environment', ignoreChanges), ['Environment'], args);
      await said(described('ours'));
      await takeOut();
      expect((await preview(world, own.stack, described('new'))).errors).toEqual([]);
      expect((await up(described('new'))).errors.join()).not.toMatch(/took cloud/);
    });

    test('and taken out of the environment by somebody comes back, and is not called brought', async () => {
      await takeOut();
      expect((await foreseen(EDITED)).join()).toMatch(/^Environment::prod: .*clouds was changed by maria at /);
      const says = /somebody took cloud west out of the environment, last written by maria, [^]*of the environment$/;
      expect((await foreseen(ELSEWHERE)).join()).toMatch(says);
      expect(await refused(deploying({ accept: ['west: release unknown'] }, ELSEWHERE))).toMatch(says);
      expect(writes()).toEqual([]);
      expect(await said(EDITED, { refresh: true })).not.toMatch(/maria/);
      expect(await running()).toEqual(before);
    });

    test('is set back by a run that is limited to other resources than the environment', async () => {
      await takeShare();
      const targets = ['Assembly::shop', 'DesignRelease::shop', 'Deployment::prod'];
      expect(await said(STACK, { refresh: true, targets })).toMatch(
        /set back as the file declares: maria set pct_scale/,
      );
      expect(await running()).toEqual(before);
    });

    test('that a limited run leaves out is no loss', async () => {
      await said(ON_EAST);
      for (const accept of [[], ['again']])
        await said(withProd({ deploy: { accept } }, STACK), { targets: ['Deployment::prod'] });
    });

    test.each([false, true])(
      'that an update which stopped half-way did not add is no loss; deployed: %s',
      async (isLimitedBefore) => {
        await said(ON_EAST);
        const both = resourcesOf(withProd({ description: 'both' }, STACK));
        // The deployment has the cloud before the environment.
        if (isLimitedBefore) await said(both, { targets: ['Deployment::prod'] });
        expect(await refused(both, { refuseWrite: 2 })).toMatch(/not for you/);
        expect((await preview(world, own.stack, both)).errors).toEqual([]);
      },
    );

    test('and taken out after an update that stopped half-way is a loss for preview and run', async () => {
      const both = resourcesOf(withProd({ description: 'both', availability: 'redundant' }, STACK));
      expect(await refused(both, { refuseWrite: 2 })).toMatch(/not for you/);
      await takeOut();
      const less = await running();
      const { errors } = await preview(world, own.stack, both);
      for (const words of [errors.join(), await refused(both)])
        expect(words).toMatch(/somebody took cloud west out of the environment/);
      expect(await running()).toEqual(less);
    });

    test('stays as the file says', async () => {
      await takeOffline();
      const less = await running();
      await said(withProd(onWest({ adminstatus: 'offline' })));
      expect(await running()).toEqual(less);
    });
  });

  describe('a deployment that is waited for', () => {
    /** The world whose service does not answer some requests. */
    const deafTo = (route: Route, times: number): World => {
      let left = times;
      return through(world, (next) => (asked, input) => {
        if (asked.name !== route.name || left === 0) return next(asked, input);
        left -= 1;
        world.clock.advance(5_000);
        throw new ConnectionFailed('cannot reach the service', undefined, { method: 'GET', path: '/' }, true);
      });
    };

    test('survives an outage of the service for as long as it may take', async () => {
      await said(DEPLOYED, {}, deafTo(routes.deployments.status, 30));
    });

    test('and was canceled by somebody says so', async () => {
      const canceled = actingBefore(world, routes.deployments.status, async () => {
        for (const state of ['paused', 'canceled']) await world.maria.move(state);
      });
      expect(await refused(DEPLOYED, {}, canceled)).toMatch(/deployment \d+ was canceled\n *maria canceled it, or /);
    });

    test('and was paused by somebody says that it has to be resumed, and the next run joins it', async () => {
      const paused = actingBefore(world, routes.deployments.status, () => world.maria.move('paused'));
      const error = (await up(DEPLOYED, {}, paused)).errors.join('\n');
      expect(error).toMatch(/is paused\n *maria paused it: pulumi-oneops deployment resume /);
      expect(await refused(DEPLOYED)).toMatch(/is paused since .*\n.*deployment resume, or end it with .* cancel/);
      await world.maria.move('active');
      await said(DEPLOYED);
    });
  });
});
