// Each change of a deployment has a cause: what other people took away, switched off or added is refused or named, and never deployed without a word.
// What runs is compared with the file after each run.
import { DIALECTS, routes, type Route } from '../../api/contract';
import { ConnectionFailed } from '../../api/errors';
import type { Inputs } from '../../provider';
import { LifecycleError } from '../../provider/errors';
import { testInTurn } from '../dialects-in-turn';
import {
  actingBefore,
  commitByHand,
  commitDesignByHand,
  configureByHand,
  deployByHand,
  scaleByHand,
  switchByHand,
} from '../world/by-hand';
import {
  type Declared,
  emptyStack,
  previewWithInputs,
  run,
  type Run,
  type RunOptions,
  type Stack,
} from '../world/engine-simulation';
import { resourcesOf, type EnvironmentSpec, type StackSpec } from '../world/stack-spec';
import { eachWorld, type World } from '../world/world';

const DESIGN = { assembly: 'shop' };
const PROD = { ...DESIGN, environment: 'prod' };
const WEB = { ...DESIGN, platform: 'web' };

const USER = { type: 'user', attributes: { username: 'deployer' } };

const STACK: StackSpec = {
  variables: { LEVEL: 'warn' },
  platforms: { web: { pack: 'tomcat', components: { deployer: USER } }, db: { pack: 'mysql' } },
  environments: { prod: { clouds: { east: { priority: 1 }, west: { priority: 1 } }, availability: 'redundant' } },
};

/** An edit that concerns nothing of what other people do. */
const EDITED: StackSpec = { ...STACK, variables: { LEVEL: 'info' } };

/** An edit that is deployed. */
const DEPLOYED: StackSpec = {
  ...STACK,
  platforms: {
    ...STACK.platforms,
    web: { pack: 'tomcat', components: { deployer: { ...USER, attributes: { username: 'other' } } } },
  },
};

const withProd = (change: Partial<EnvironmentSpec>, of = EDITED): StackSpec => ({
  ...of,
  environments: { prod: { ...of.environments?.['prod'], ...change } },
});
/** An edit that is deployed without a pull. */
const ELSEWHERE = withProd({ variables: { LEVEL: 'debug' } }, STACK);
const deploying = (deploy: Inputs, of = EDITED): StackSpec => withProd({ deploy }, of);

const without = (platform: string, of = EDITED): StackSpec => ({
  ...of,
  platforms: Object.fromEntries(Object.entries(of.platforms ?? {}).filter(([name]) => name !== platform)),
});

const set = (ciName: string, ciAttributes = {}) => ({ cms_dj_ci: { ciName, ciAttributes } });

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let stack: Stack;

  const up = async (spec: StackSpec, options?: RunOptions, within: World = world): Promise<Run> => {
    const done = await run(within, stack, resourcesOf(spec), options);
    stack = done.stack;
    return done;
  };
  const fine = async (spec: StackSpec, options?: RunOptions): Promise<string> => {
    const { errors, notices } = await up(spec, options);
    expect(errors).toEqual([]);
    return notices.join('\n');
  };
  const refused = async (spec: StackSpec, options?: RunOptions): Promise<string> => {
    const { errors } = await up(spec, options);
    expect(errors).toHaveLength(1);
    return errors.join('\n');
  };

  /** Instances of each platform. */
  const running = async (): Promise<{ readonly [platform: string]: number }> => {
    const query = { instances_state: 'all' };
    const all = await world.other.call(routes.operations.environmentInstances, { address: PROD, query });
    const counts: { [platform: string]: number } = {};
    for (const { nsPath } of all) counts[nsPath.split('/')[5] ?? ''] = (counts[nsPath.split('/')[5] ?? ''] ?? 0) + 1;
    return counts;
  };
  /** Releases of the environment and deployments that were begun. */
  const writes = (): readonly string[] =>
    world.writes().filter((request) => /environments\.commit|deployments\.create/.test(request));

  let before: { readonly [platform: string]: number };
  beforeEach(async () => {
    stack = emptyStack;
    await fine(STACK);
    before = await running();
    expect(before).toEqual({ web: expect.any(Number), db: expect.any(Number) });
    world.writes();
  });

  const deleted = async (platform: string): Promise<void> => {
    await world.other.call(routes.platforms.delete, { address: { ...DESIGN, platform } });
    await commitDesignByHand(world.other);
  };
  const committed = async (act: () => Promise<unknown>, isDeployed = true): Promise<void> => {
    await act();
    await commitByHand(world);
    if (isDeployed) await deployByHand(world);
    world.writes();
  };

  const setThreads = (): Promise<unknown> =>
    world.other.call(routes.environmentPlatforms.updateComponent, {
      address: { ...PROD, platform: 'web', component: 'tomcat' },
      body: { cms_dj_ci: { ciName: 'tomcat', ciAttributes: { max_threads: '771' } } },
    });

  test('a platform that somebody deleted in the environment alone is named, or refused, by the pull that brings it', async () => {
    const ciAttributes = { source: 'oneops', pack: 'tomcat', version: '1' };
    const body = { cms_dj_ci: { ciName: 'evil', ciAttributes } };
    await world.other.call(routes.platforms.create, { address: DESIGN, body });
    await commitDesignByHand(world.other);
    await fine(EDITED);
    const address = { ...PROD, platform: 'evil' };
    const inactive = { cms_dj_ci: { ciAttributes: { is_active: 'false' } } };
    await committed(async () => {
      await world.other.call(routes.environmentPlatforms.update, { address, body: inactive });
      await world.other.call(routes.environmentPlatforms.delete, { address });
    });
    expect(await running()).toEqual(before);
    const again = { ...STACK, variables: { LEVEL: 'error' } };
    // A refused run has pulled: the next one has nothing to pull, and the one after it pulls again.
    for (const spec of [again, again, STACK])
      expect(await refused(deploying({ others: 'refuse' }, spec))).toMatch(
        /platform evil by maria, design release \d+/,
      );
    expect(await running()).toEqual(before);
    expect(await fine(again)).toMatch(/platform evil by maria, design release \d+/);
  });

  test('a pull that leaves a platform out fails, although nothing of it changed in the design', async () => {
    const call: World['api']['call'] = async (route, input) => {
      const answer = await world.api.call(route, input);
      if (route.name !== routes.environmentPlatforms.list.name) return answer;
      return (answer as unknown as { ciName: string }[]).filter(({ ciName }) => ciName !== 'db') as typeof answer;
    };
    await committed(() => configureByHand(world, 'web', 'west', { dpmt_order: '3' }), false);
    const { errors } = await up(EDITED, {}, { ...world, api: { ...world.api, call } });
    expect(errors.join('\n')).toMatch(/the environment has no platform db/);
    expect(writes()).toEqual([]);
  });

  describe('a declared platform that somebody deleted in the design', () => {
    beforeEach(() => deleted('db'));

    test('stops the run before anything of the environment is committed, with who, when and what to do', async () => {
      const error = await refused(EDITED);
      expect(error).toMatch(/db/);
      expect(error).toMatch(/maria deleted platform db from the design, release \d+, \d{4}-\d\d-\d\dT/);
      expect(error).toMatch(/pulumi up --refresh creates it again/);
      expect(error).toMatch(/accept: \["db: design release \d+"\]/);
      expect(writes()).toEqual([]);
      expect(await running()).toEqual(before);
    });

    test('is created again by a refresh', async () => {
      await fine(EDITED, { refresh: true });
      expect(await running()).toEqual(before);
    });

    test('goes where the file no longer declares it', async () => {
      await fine(without('db'));
      expect(await running()).toEqual({ web: before['web'] });
    });

    test('goes where the file accepts it, and is named', async () => {
      const [, entry = ''] = /accept: \["([^"]+)"\]/.exec(await refused(EDITED)) ?? [];
      const accepting = deploying({ accept: [entry] });
      expect(await fine(accepting)).toMatch(/accepted: .*maria deleted platform db/);
      expect(await running()).toEqual({ web: before['web'] });
    });
  });

  test('a declared component that somebody deleted in the design stops the run', async () => {
    await world.other.call(routes.components.delete, { address: { ...WEB, component: 'deployer' } });
    await commitDesignByHand(world.other);
    const error = await refused(EDITED);
    expect(error).toMatch(/maria deleted component web\/deployer from the design, release \d+/);
    expect(await running()).toEqual(before);
    expect(writes()).toEqual([]);
    await fine(EDITED, { refresh: true });
    expect(await running()).toEqual(before);
  });

  test('a declared variable that somebody deleted in the design stops the run', async () => {
    await world.other.call(routes.designVariables.delete, { address: { ...DESIGN, variable: 'LEVEL' } });
    await commitDesignByHand(world.other);
    const other: StackSpec = {
      ...STACK,
      platforms: { ...STACK.platforms, db: { pack: 'mysql', description: 'of orders' } },
    };
    expect(await refused(other)).toMatch(/maria deleted variable \$LEVEL from the design, release \d+/);
    expect(writes()).toEqual([]);
  });

  test('a pull takes nothing for there that somebody deleted, created again and left open', async () => {
    const pinned = (designRelease: string): readonly Declared[] =>
      resourcesOf(STACK).map((each) =>
        each.token === 'Environment' ? { ...each, args: { ...each.args, designRelease } } : each,
      );
    const first = await run(world, stack, pinned('first'));
    await world.other.call(routes.designVariables.delete, { address: { ...DESIGN, variable: 'LEVEL' } });
    await commitDesignByHand(world.other);
    const body = { cms_dj_ci: { ciName: 'LEVEL', ciAttributes: { value: 'hers' } } };
    await world.other.call(routes.designVariables.create, { address: DESIGN, body });
    const { errors, notices } = await run(world, first.stack, pinned('second'));
    const live = await world.other.call(routes.environmentVariables.list, { address: PROD });
    const [says, value] =
      dialect === 'classic' ? ['maria deleted variable $LEVEL', 'warn'] : ['$LEVEL by maria', 'hers'];
    expect([...errors, ...notices].join('\n')).toContain(says);
    expect(live.map(({ ciAttributes }) => ciAttributes['value'])).toEqual([value]);
  });

  describe('a platform that somebody disabled', () => {
    const disable = (): Promise<void> => switchByHand(world, 'disable', 'db');

    test.each([
      ['deployed', true],
      ['not deployed', false],
    ])('and committed, %s, stops the run', async (_, isDeployed) => {
      await committed(disable, isDeployed);
      const down = isDeployed ? { web: before['web'] } : before;
      const error = await refused(EDITED);
      expect(error).toMatch(/maria disabled platform db, release \d+/);
      expect(error).toMatch(/enabled: false/);
      expect(writes()).toEqual([]);
      expect(await running()).toEqual(down);
      await fine(EDITED, { refresh: true });
      expect(await running()).toEqual(before);
    });

    test('and committed stays off where the file says so, or accepts it', async () => {
      await committed(disable);
      const [, entry = ''] = /accept: \["([^"]+)"\]/.exec(await refused(EDITED)) ?? [];
      expect(await fine(deploying({ accept: [entry] }))).toMatch(/accepted: .*maria disabled platform db/);
      expect(await running()).toEqual({ web: before['web'] });
      await fine(withProd({ switches: { db: { enabled: false } } }, STACK));
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

  test.each([
    ['open', true],
    ['open', false],
    ['committed', true],
    ['deployed', true],
    ['deployed', false],
  ])(
    'a platform that somebody scaled down, %s, locked: %s, stops each run until it is accepted',
    async (stage, isLocked) => {
      await scaleByHand(world, { current: '1', min: '1' }, isLocked);
      if (stage !== 'open') await committed(() => Promise.resolve(), stage === 'deployed');
      const less = await running();
      let error = '';
      for (const options of [{}, { refresh: true }]) {
        error = await refused(ELSEWHERE, options);
        expect(error).toMatch(
          stage === 'open' ? /scaling of compute.* by maria/ : /maria scaled compute of platform web to 1/,
        );
        expect([await running(), writes()]).toEqual([less, []]);
      }
      if (stage === 'open') return;
      const [, entry = ''] = /accept: \["([^"]+)"\]/.exec(error) ?? [];
      expect(await fine(deploying({ accept: [entry] }, ELSEWHERE))).toMatch(/accepted: maria scaled compute/);
      expect((await running())['web']).toBeLessThan(before['web'] ?? 0);
    },
  );

  test('a platform that somebody scaled down is accepted once, also where a declared cloud runs nothing of it', async () => {
    const empty = (of: Partial<EnvironmentSpec>): StackSpec =>
      withProd({ ...of, platforms: { web: { west: { adminstatus: 'offline' } } } }, STACK);
    await fine(empty({}));
    await scaleByHand(world, { current: '1', min: '1' });
    await committed(() => Promise.resolve());
    const error = await refused(empty({ variables: { LEVEL: 'debug' } }));
    const [, entry = ''] = /accept: \["([^"]+)"\]/.exec(error) ?? [];
    await fine(empty({ deploy: { accept: [entry] }, variables: { LEVEL: 'debug' } }));
    await fine(empty({ variables: { LEVEL: 'info' } }));
  });

  test('a platform that the file declares to be down does not come up without a word', async () => {
    const down = (of: StackSpec): StackSpec => withProd({ switches: { db: { enabled: false } } }, of);
    await fine(down(STACK));
    await switchByHand(world, 'enable', 'db');
    expect(await refused(down(EDITED))).toMatch(/platform db: update by maria/);
    expect(await running()).toEqual({ web: before['web'] });
    await committed(() => Promise.resolve(), false);
    expect(await fine(down(EDITED))).toMatch(/brings along: platform db \(enabled\) by maria, release \d+ \(\d+ inst/);
  });

  test.each([
    ['scaled up', () => scaleByHand(world, { current: '5', max: '9' }), /platform web \(current, max\) by maria/],
    ['gave a share', () => configureByHand(world, 'web', 'west', { pct_scale: '200' }), /platform web \(pct_scale\)/],
  ])('a platform that somebody %s comes along with its name', async (_, act, says) => {
    await committed(act, false);
    expect(await fine(ELSEWHERE)).toMatch(says);
    expect((await running())['web']).toBeGreaterThan(before['web'] ?? 0);
  });

  test('a platform that somebody created again is not written as if it were the own one', async () => {
    await deleted('db');
    const ciAttributes = { source: 'oneops', pack: 'mysql', version: '1' };
    const body = { cms_dj_ci: { ciName: 'db', ciAttributes } };
    await world.other.call(routes.platforms.create, { address: DESIGN, body });
    world.writes();
    const described = { ...STACK.platforms, db: { pack: 'mysql', description: 'of orders' } };
    expect(await refused({ ...STACK, platforms: described })).toMatch(/db: [^]*created by maria[^]*adopt: true/);
    expect([world.writes(), await running()]).toEqual([[], before]);
  });

  const added = async (): Promise<void> => {
    const ciAttributes = { username: 'backdoor' };
    const body = { template_name: 'user', cms_dj_ci: { ciName: 'backdoor', ciAttributes } };
    await world.other.call(routes.components.create, { address: WEB, body });
    await commitDesignByHand(world.other);
  };

  const pulledByMaria = async (): Promise<void> => {
    await world.other.call(routes.environments.pull, { address: PROD, body: {} });
    world.clock.advance(60_000);
    await world.other.call(routes.environments.read, { address: PROD });
  };

  test('what somebody added to the design between the look of a run and its pull does not come along unnamed later', async () => {
    const says = /component web\/backdoor by maria, design release \d+/;
    const refusing = (of: StackSpec): StackSpec => deploying({ others: 'refuse' }, of);
    const { errors } = await up(refusing(EDITED), {}, actingBefore(world, routes.environments.pull, added));
    expect(errors.join('\n')).toMatch(says);
    for (const spec of [EDITED, STACK]) expect(await refused(refusing(spec))).toMatch(says);
    expect(await running()).toEqual(before);
    expect(await fine(STACK)).toMatch(says);
  });

  describe('what somebody added to the design', () => {
    beforeEach(added);

    test('is named once by a run that pulls it, also where it does not come to its deployment', async () => {
      const says = /component web\/backdoor by maria, design release \d+/g;
      const fails = (): Promise<void> => Promise.reject(new LifecycleError('cut off', 'run it again'));
      const { errors, notices } = await up(EDITED, {}, actingBefore(world, routes.environments.timeline, fails));
      expect([errors.join(), notices.join().match(says)?.length]).toEqual([expect.stringContaining('cut off'), 1]);
    });

    test.each([{}, { refresh: true }])('is named once by the run that brings it to machines; %j', async (options) => {
      const notices = await fine(EDITED, options);
      expect(notices.match(/component web\/backdoor by maria, design release \d+/g)).toHaveLength(1);
    });

    test.each(['', 'and pulled'])(
      'stops a run that refuses changes of others, unless one entry accepts it; %s',
      async (pulled) => {
        if (pulled) await committed(pulledByMaria, false);
        const error = await refused(deploying({ others: 'refuse' }));
        expect(error.match(/component web\/backdoor by maria, design release \d+/g)).toHaveLength(1);
        expect(writes()).toEqual([]);
        expect(await running()).toEqual(before);
        const [, entry = ''] = /accept: \["([^"]+)"\]/.exec(error) ?? [];
        const notices = await fine(deploying({ others: 'refuse', accept: [entry] }));
        expect(notices.match(/component web\/backdoor by maria/g)).toHaveLength(1);
      },
    );

    test('does not come along once this user took it out again', async () => {
      await world.api.call(routes.components.delete, { address: { ...WEB, component: 'backdoor' } });
      await commitDesignByHand(world.api);
      expect(await fine(deploying({ others: 'refuse' }))).not.toMatch(/maria/);
    });
  });

  describe('what somebody wrote beside what the run changes', () => {
    const setUser = async (): Promise<void> => {
      const ciAttributes = { username: 'hers' };
      const body = { cms_dj_ci: { ciName: 'deployer', ciAttributes } };
      await world.other.call(routes.components.update, { address: { ...WEB, component: 'deployer' }, body });
      await commitDesignByHand(world.other);
    };

    test('a setting of the environment that is not locked is named', async () => {
      await committed(setThreads, false);
      expect(await fine(ELSEWHERE)).toMatch(/component web\/tomcat \(max_threads\) by maria, release \d+/);
    });

    test.each([
      ['current', () => scaleByHand(world, { current: '4' }, false)],
      ['dpmt_order', () => configureByHand(world, 'web', 'west', { dpmt_order: '2' })],
    ])('%s is named, also in a release that pulled what this user committed', async (name, act) => {
      const fails = (): Promise<void> => Promise.reject(new LifecycleError('cut off', 'run it again'));
      await up(EDITED, {}, actingBefore(world, routes.environments.pull, fails));
      await committed(async () => {
        await pulledByMaria();
        await act();
      }, false);
      expect(await refused(deploying({ others: 'refuse' }))).toContain(`platform web (${name}) by maria, release`);
    });

    test('a declared value is named, and a refresh sets it back', async () => {
      await setUser();
      expect(await fine(EDITED)).toMatch(/component web\/deployer \(username\) by maria, design release \d+/);
      expect(await fine(STACK, { refresh: true })).not.toMatch(/by maria/);
    });

    test('links and dependencies are named, until a refresh sets back the declared ones', async () => {
      const linked = (of: StackSpec): StackSpec => {
        const { db = {} } = of.platforms ?? {};
        return {
          ...of,
          platforms: { web: { pack: 'tomcat', links: ['db'], components: { deployer: USER, other: USER } }, db },
        };
      };
      await fine(linked(STACK));
      await world.other.call(routes.platforms.update, { address: WEB, body: { ...set('web'), links_to: [] } });
      const [address, other] = ['deployer', 'other'].map((component) => ({ ...WEB, component }));
      const { ciId } = await world.other.call(routes.components.read, { address: other! });
      const body = { ...set('deployer'), sibling_depends_on: [String(ciId)] };
      await world.other.call(routes.components.update, { address: address!, body });
      await commitDesignByHand(world.other);
      const notices = await fine(linked(EDITED));
      expect(notices).toMatch(/link web -> db, deleted by maria, design release \d+/);
      expect(notices).toMatch(/dependency web\/deployer -> other by maria, design release \d+/);
      await fine(linked(STACK), { refresh: true });
      expect(await fine(linked(EDITED))).not.toMatch(/maria/);
    });

    test('a declared secret is named, or refused, until this user sets it again', async () => {
      const secret = (of: StackSpec): StackSpec => ({
        ...of,
        variables: { ...of.variables, KEY: { encryptedValue: 'k-1' } },
      });
      const setKey = async (api: World['api'], value: string): Promise<void> => {
        const body = { cms_dj_ci: { ciName: 'KEY', ciAttributes: { secure: 'true', encrypted_value: value } } };
        await api.call(routes.designVariables.update, { address: { ...DESIGN, variable: 'KEY' }, body });
        await commitDesignByHand(api);
      };
      await fine(secret(STACK));
      await setKey(world.other, 'hers');
      const says = /variable \$KEY \(encrypted_value\) by maria, design release \d+/;
      expect(await refused(secret(deploying({ others: 'refuse' })))).toMatch(says);
      expect(await fine(secret(EDITED))).toMatch(says);
      await setKey(world.other, 'hers again');
      await setKey(world.api, 'k-1');
      expect(await fine(secret(deploying({ others: 'refuse' }, STACK)))).not.toMatch(/maria/);
    });

    test.each<readonly [string, Partial<EnvironmentSpec>, RegExp]>([
      ['a variable', { variables: { LEVEL: 'debug' } }, /variable \$LEVEL \(value\) by maria, design release \d+/],
      [
        'a component',
        { overrides: { web: { components: { deployer: { attributes: { username: 'ours' } } } } } },
        /component web\/deployer \(username\) by maria, design release \d+/,
      ],
      [
        'a number of instances',
        { switches: { web: { scale: { compute: { current: 3 } } } } },
        /component web\/deployer \(username\) by maria, design release \d+/,
      ],
    ])('%s that is given back takes the value of the design: named, or refused', async (_, laid, says) => {
      await fine(withProd(laid, STACK));
      const body = { cms_dj_ci: { ciName: 'LEVEL', ciAttributes: { value: 'hers' } } };
      await world.other.call(routes.designVariables.update, { address: { ...DESIGN, variable: 'LEVEL' }, body });
      await setUser();
      expect(await refused(deploying({ others: 'refuse' }, STACK))).toMatch(says);
      expect(await fine(STACK)).toMatch(says);
    });

    test.each([
      ['deleted it', [true, false]],
      ['created it again and did not commit that', [true, true]],
      ['changed it and did not commit that', [false, true]],
    ] as const)('a variable that is given back after somebody %s is as declared, or said', async (_, [goes, comes]) => {
      await fine(withProd({ variables: { LEVEL: 'debug' } }, STACK));
      const address = { ...DESIGN, variable: 'LEVEL' };
      const body = { cms_dj_ci: { ciName: 'LEVEL', ciAttributes: { value: 'hers' } } };
      if (goes) await world.other.call(routes.designVariables.delete, { address });
      if (goes) await commitDesignByHand(world.other);
      if (comes)
        await (goes
          ? world.other.call(routes.designVariables.create, { address: DESIGN, body })
          : world.other.call(routes.designVariables.update, { address, body }));
      const read = async (): Promise<string> => {
        const at = { ...PROD, variable: 'LEVEL' };
        const live = await world.other.call(routes.environmentVariables.read, { address: at });
        return `$LEVEL = ${live.ciAttributes['value']}`;
      };
      const { errors, notices } = await up(STACK);
      expect([...errors, ...notices, await read()].join('\n')).toMatch(
        /(\$LEVEL \(value\)|variable \$LEVEL) by maria|maria deleted variable \$LEVEL|\$LEVEL = warn/,
      );
      if (errors.length === 0) return;
      if (comes) await world.other.call(routes.designVariables.delete, { address });
      await fine(STACK, { refresh: true });
      expect(await read()).toBe('$LEVEL = warn');
    });

    test('a platform that comes to a new environment is named, once', async () => {
      const ciAttributes = { source: 'oneops', pack: 'tomcat', version: '1' };
      const body = { cms_dj_ci: { ciName: 'evil', ciAttributes } };
      await world.other.call(routes.platforms.create, { address: DESIGN, body });
      await commitDesignByHand(world.other);
      const dev = { clouds: { east: { priority: 1 } }, availability: 'single' };
      const notices = await fine({ ...STACK, environments: { ...STACK.environments, dev } });
      expect(notices).toMatch(/brings along: platform evil by maria, design release \d+/);
      expect(notices).not.toMatch(/evil\//);
    });

    test('a new environment is not created without what the file declares', async () => {
      await deleted('db');
      const dev = { clouds: { east: { priority: 1 } }, availability: 'single' };
      const error = await refused({ ...STACK, environments: { ...STACK.environments, dev } });
      expect(error).toMatch(/cannot create dev: [^]*maria deleted platform db from the design/);
    });
  });

  test('a preview refuses a value that the run would lose, and takes one that is overwritten for none of theirs', async () => {
    await world.other.call(routes.components.update, {
      address: { ...WEB, component: 'deployer' },
      body: set('deployer', { username: 'hers' }),
    });
    await commitDesignByHand(world.other);
    const lost = /component web\/deployer: username was changed by maria at .*, since our last read/;
    expect((await previewWithInputs(world, stack, resourcesOf(DEPLOYED))).errors.join('\n')).toMatch(lost);
    const overwriting = resourcesOf(DEPLOYED).map((each) =>
      each.args['type'] === 'user' ? { ...each, args: { ...each.args, overwrite: true } } : each,
    );
    const shown = await previewWithInputs(world, stack, overwriting);
    expect([shown.errors, shown.notices.filter((notice) => notice.includes('brings along'))]).toEqual([[], []]);
    const { errors, notices } = await run(world, stack, overwriting);
    expect([errors, notices.filter((notice) => notice.includes('brings along'))]).toEqual([[], []]);
  });

  test.each([false, true])('an open change of an ignored attribute stops the run; refresh: %s', async (refresh) => {
    const ignoring = async (level: string, options: RunOptions = {}): Promise<Run> => {
      const overrides = { web: { components: { tomcat: { attributes: { max_threads: 200 } } } } };
      const declared = resourcesOf(withProd({ overrides, variables: { LEVEL: level } }, STACK));
      const ignoreChanges = ['attributes.max_threads'];
      const done = await run(
        world,
        stack,
        declared.map((each) => (each.token === 'EnvironmentComponent' ? { ...each, ignoreChanges } : each)),
        options,
      );
      stack = done.stack;
      return done;
    };
    expect((await ignoring('debug')).errors).toEqual([]);
    world.writes();
    await setThreads();
    expect((await ignoring('info', { refresh })).errors.join('\n')).toMatch(
      /component web\/tomcat: update by maria at .*: max_threads there "771"/,
    );
    expect(writes()).toEqual([]);
  });

  test.each([false, true])('a committed change of an ignored attribute is named; refresh: %s', async (refresh) => {
    const ignoring = (of: StackSpec, options: RunOptions = {}): Promise<Run> => {
      const marked = resourcesOf(of).map((each) =>
        each.args['type'] === 'user' ? { ...each, ignoreChanges: ['attributes.username'] } : each,
      );
      return run(world, stack, marked, options);
    };
    ({ stack } = await ignoring(STACK));
    await world.other.call(routes.components.update, {
      address: { ...WEB, component: 'deployer' },
      body: set('deployer', { username: 'hers' }),
    });
    await commitDesignByHand(world.other);
    const { errors, notices } = await ignoring(EDITED, { refresh });
    expect(errors).toEqual([]);
    expect(notices.join()).toMatch(/brings along: component web\/deployer \(username\) by maria, design release \d+/);
  });

  test('what others committed is judged before a delete that a failed run left is deployed', async () => {
    const overrides = { web: { components: { deployer: { type: 'user', attributes: { username: 'own' } } } } };
    const refusing = deploying({ others: 'refuse' }, STACK);
    await fine(withProd({ overrides }, refusing));
    const fails = (): Promise<void> => Promise.reject(new LifecycleError('cut off', 'run it again'));
    // A program without our host does not see what leaves: the engine deletes it after the deployment.
    const unseeing = { answered: emptyStack };
    const { errors } = await up(
      refusing,
      unseeing,
      actingBefore(world, routes.environmentPlatforms.updateComponent, fails),
    );
    expect(errors.join()).toContain('cut off');
    await scaleByHand(world, { current: '5', max: '9' });
    await commitByHand(world);
    before = await running();
    const { notices } = await up(refusing, unseeing);
    expect(notices.join()).toMatch(/that is not deployed: [^]*platform web \(current, max\) by maria, release \d+/);
    expect(await running()).toEqual(before);
  });

  describe('what somebody writes between a look and the commit', () => {
    const scale = (isLocked: boolean) => () => scaleByHand(world, { current: '1', min: '1' }, isLocked);
    test.each<readonly [string, () => Promise<void>, RegExp, StackSpec | undefined]>([
      ['scales down, locked', scale(true), /maria scaled compute of platform web/, undefined],
      ['scales down', scale(false), /maria scaled compute of platform web/, undefined],
      ['disables', () => switchByHand(world, 'disable', 'db'), /maria disabled platform db/, ELSEWHERE],
      [
        'takes the share of a cloud',
        () => configureByHand(world, 'db', 'east', { pct_scale: '0' }),
        /cannot deploy prod: [^]*maria set pct_scale of cloud east of platform db to "0"/,
        DEPLOYED,
      ],
    ])('%s: the plan shows it, until a refresh sets back what it can', async (_, take, says, back) => {
      const racing = actingBefore(world, routes.environments.commit, take);
      for (const within of [racing, world]) {
        const { errors } = await up(back ?? ELSEWHERE, {}, within);
        expect(errors.join('\n')).toMatch(says);
        expect(await running()).toEqual(before);
      }
      if (back) expect(await fine(back, { refresh: true })).toMatch(/set back as the file declares: maria/);
      expect(await running()).toEqual(before);
    });

    test('over what the run has just written is named: the pull looks again', async () => {
      const size = (text: string): StackSpec['platforms'] => ({
        db: { pack: 'mysql', components: { compute: { attributes: { size: text } } } },
      });
      await fine({ ...STACK, platforms: { ...STACK.platforms, ...size('S') } });
      const take = async (): Promise<void> => {
        const body = { cms_dj_ci: { ciName: 'compute', ciAttributes: { size: 'XL' } } };
        await world.other.call(routes.components.update, {
          address: { ...DESIGN, platform: 'db', component: 'compute' },
          body,
        });
        await commitDesignByHand(world.other);
      };
      const edited = { ...STACK, platforms: { ...STACK.platforms, ...size('M') } };
      const { notices } = await up(edited, {}, actingBefore(world, routes.environments.read, take));
      expect(notices.join('\n')).toMatch(/component db\/compute \(size\) by maria, design release \d+/);
    });

    test('and commits during a pull, which then may have failed: the design is pulled again', async () => {
      let pulls = 0;
      const call: World['api']['call'] = async (route, input) => {
        const answer = await world.api.call(route, input);
        if (route.name === routes.environments.pull.name && (pulls += 1) === 1) {
          await setThreads();
          world.clock.advance(10_000);
          await commitByHand(world);
        }
        return answer;
      };
      const { errors } = await up(EDITED, {}, { ...world, api: { ...world.api, call } });
      const [level] = await world.other.call(routes.environmentVariables.list, { address: PROD });
      expect([errors, pulls, level?.ciAttributes['value']]).toEqual([[], 2, 'info']);
    });

    test('takes no declared component: the pull looks again', async () => {
      const take = async (): Promise<void> => {
        await world.other.call(routes.components.delete, { address: { ...WEB, component: 'deployer' } });
        await commitDesignByHand(world.other);
      };
      const edited: StackSpec = {
        ...EDITED,
        platforms: { ...EDITED.platforms, db: { pack: 'mysql', description: 'x' } },
      };
      const { errors } = await up(edited, {}, actingBefore(world, routes.environments.read, take));
      expect(errors.join('\n')).toMatch(/cannot pull the design into [^]*maria deleted component web\/deployer/);
      expect(await running()).toEqual(before);
    });
  });

  describe('a cloud in use', () => {
    test.each([
      [
        'taken offline',
        () => configureByHand(world, 'web', 'west', { adminstatus: 'offline' }),
        /adminstatus.* "offline"/,
      ],
      ['without a share', () => configureByHand(world, 'web', 'west', { pct_scale: '0' }), /pct_scale.* "0"/],
    ])('and %s by somebody: the run stops, and a refresh brings it back', async (_, act, says) => {
      await committed(act);
      const less = await running();
      const error = await refused(EDITED);
      expect(error).toMatch(/maria/);
      expect(error).toMatch(says);
      expect(writes()).toEqual([]);
      expect(await running()).toEqual(less);
      await fine(EDITED, { refresh: true });
      expect(await running()).toEqual(before);
    });

    test('is set back by a run that is limited to other resources than the environment', async () => {
      await committed(() => configureByHand(world, 'web', 'west', { pct_scale: '0' }));
      const targets = ['Assembly::shop', 'DesignRelease::shop', 'Deployment::prod'];
      expect(await fine(STACK, { refresh: true, targets })).toMatch(
        /set back as the file declares: maria set pct_scale/,
      );
      expect(await running()).toEqual(before);
    });

    test('stays as the file says', async () => {
      await committed(() => configureByHand(world, 'web', 'west', { adminstatus: 'offline' }));
      const less = await running();
      await fine(withProd({ platforms: { web: { west: { adminstatus: 'offline' } } } }));
      expect(await running()).toEqual(less);
    });
  });

  describe('a deployment that is waited for', () => {
    /** The world whose service does not answer some requests. */
    const deafTo = (route: Route, times: number): World => {
      let left = times;
      const call: World['api']['call'] = async (asked, input) => {
        if (asked.name !== route.name || left === 0) return world.api.call(asked, input);
        left -= 1;
        world.clock.advance(5_000);
        throw new ConnectionFailed('cannot reach the service', undefined, { method: 'GET', path: '/' }, true);
      };
      return { ...world, api: { ...world.api, call } };
    };

    test('survives an outage of the service for as long as it may take', async () => {
      const outage = deafTo(routes.deployments.status, 30);
      expect((await up(DEPLOYED, {}, outage)).errors).toEqual([]);
    });

    test('and was paused by somebody says that it has to be resumed, and the next run joins it', async () => {
      const paused = actingBefore(world, routes.deployments.status, () => move('paused'));
      const error = (await up(DEPLOYED, {}, paused)).errors.join('\n');
      expect(error).toMatch(/is paused\n.*resume it in the service/);
      expect((await up(DEPLOYED)).errors.join('\n')).toMatch(/is paused since .*\n.*resume it/);
      await move('active');
      await fine(DEPLOYED);
    });

    const move = async (deploymentState: string): Promise<void> => {
      const { deploymentId, releaseId } = await world.other.call(routes.deployments.latest, { address: PROD });
      const address = { ...PROD, deployment: String(deploymentId) };
      const body = { cms_deployment: { deploymentState, releaseId: String(releaseId) } };
      await world.other.call(routes.deployments.update, { address, body });
      world.clock.advance(3_000);
    };
  });
});
