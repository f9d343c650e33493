// Monitors of a design (service-facts §4.5.4, §12.1): what a pack brings is written where it is and
// given back, also by the sweep of a commit; what is the stack's own is created and deleted;
// another user's change of one is nobody's to commit.
import { routes, layered } from '../../api/contract';
import type { Api } from '../../api/client';
import { diff, type Inputs } from '../../provider';
import { lifecycle, type State } from '../../provider/lifecycle';
import { emptyStack, preview, run, type Stack } from '../world/engine-simulation';
import { standingStack } from '../world/each-stack';
import { type EnvironmentSpec, resourcesOf, type StackSpec } from '../world/stack-spec';
import { kindOf, ROW } from '../world/world';
import { reviewIn } from '../world/drift-world';
import { ConnectionFailed } from '../../api/errors';
import { PartialFailure } from '../../provider/errors';
import { kinds } from '../../provider/kinds';
import { newSession } from '../../provider/session';
import { eachDialect } from '../world/each-dialect';

const AT = { assembly: 'shop', platform: 'web', component: 'os' };
const IN = { organization: 'acme', ...AT };
const CPU = 'web-os-cpu';
const HIGH = { HighCpuUtil: { metric: 'CpuIdle', trigger: '<=5', reset: '>10' } };

eachDialect('%s', (test, world, dialect) => {
  const texts = async (name = CPU): Promise<Inputs | undefined> => {
    const list = await world.other.call(routes.monitors.list, { address: IN });
    return list.find(({ ciName }) => ciName === name)?.ciAttributes;
  };

  const owners = async (): Promise<Inputs> => {
    const list = await world.other.call(routes.monitors.list, { address: IN });
    return list.find(({ ciName }) => ciName === CPU)?.ciAttrProps?.owner ?? {};
  };

  const writtenByMaria = (ciAttributes: { readonly [name: string]: string }): Promise<unknown> =>
    world.maria.set(`web/os!${CPU}`, ciAttributes);

  describe('one record', () => {
    beforeEach(async () => {
      await world.prepare(kindOf('Component'));
      world.nextRun();
      world.requests();
    });

    const create = (args: Inputs): Promise<State> => world.life('Monitor').create({ ...AT, name: CPU, ...args }, ROW);

    test('what the pack brings is locked and written with one request, and given back with another', async () => {
      const before = await texts();
      world.requests();
      const made = await create({ thresholds: HIGH, sampleInterval: 60 });
      expect(world.writes()).toEqual(['PUT monitors.update']);
      expect(made.outputs['origin']).toBe('pack');
      expect(await texts()).toEqual({ ...before, thresholds: JSON.stringify(HIGH) });
      expect(await owners()).toEqual({ thresholds: 'design', sample_interval: 'design' });
      world.nextRun();
      world.requests();
      await world.life('Monitor').delete(made.id, made.outputs, ROW);
      expect(world.writes()).toEqual(['PUT monitors.update']);
      expect([await texts(), await owners()]).toEqual([before, {}]);
      world.nextRun();
      world.requests();
      await world.life('Monitor').delete(made.id, made.outputs, ROW);
      expect(world.writes()).toEqual([]);
    });

    test('what somebody set and nobody declares outlives us', async () => {
      await writtenByMaria({ description: 'of Maria' });
      const made = await create({ sampleInterval: 30 });
      world.nextRun();
      await world.life('Monitor').delete(made.id, made.outputs, ROW);
      expect(await texts()).toMatchObject({ description: 'of Maria', sample_interval: '60' });
    });

    test('the short name of what the pack brings is refused with the whole one', async () => {
      const short = world.life('Monitor').create({ ...AT, name: 'cpu', thresholds: HIGH }, ROW);
      await expect(short).rejects.toThrow(/the pack brings the monitor "web-os-cpu"/);
      expect(world.writes()).toEqual([]);
    });

    test('another component’s monitor of that name is not taken for it', async () => {
      const made = await create({ sampleInterval: 30 });
      const elsewhere = { ...AT, component: 'compute', name: CPU };
      world.nextRun();
      await expect(world.life('Monitor').create({ ...elsewhere, cmd: 'check' }, ROW)).rejects.toThrow(/exists already/);
      const read = await world.life('Monitor').read(`acme/shop/web/compute/monitors/${CPU}`, made.outputs, ROW);
      expect(read).toBeUndefined();
    });
  });

  const shop = (monitors: { readonly [name: string]: Inputs }): StackSpec => ({
    platforms: { web: { components: { os: { monitors } } } },
  });

  test('a commit includes them, and gives back what left; then there is nothing to do', async () => {
    const declared = resourcesOf(shop({ [CPU]: { thresholds: HIGH }, heap: { cmd: 'check_heap' } }));
    const first = await run(world, emptyStack, declared);
    expect([first.errors, (await texts())?.['thresholds']]).toEqual([[], JSON.stringify(HIGH)]);
    world.nextRun();
    expect((await preview(world, first.stack, declared)).steps).toEqual([]);
    world.nextRun();
    const second = await run(world, first.stack, resourcesOf(shop({})));
    expect([second.errors, await texts('heap'), await owners()]).toEqual([[], undefined, {}]);
    expect((await world.maria.release()).releaseState).toBe('closed');
  });

  test('a change by another user that is open is not committed, and named', async () => {
    // The other dialect commits every write of a design by itself.
    if (dialect === 'documented') return;
    const before = shop({ [CPU]: { description: 'ours' } });
    const first = await run(world, emptyStack, resourcesOf(before));
    world.clock.advance(1000);
    await writtenByMaria({ sample_interval: '5' });
    world.nextRun();
    const after = shop({ [CPU]: { description: 'ours still' } });
    const second = await run(world, first.stack, resourcesOf(after));
    expect(second.errors.join()).toMatch(/monitor web\/os\/!web-os-cpu.*sample_interval there "5"/s);
  });

  test('in an environment, a monitor that the design does not have is refused with what to do', async () => {
    const os = { monitors: { cpu: { enable: false } } };
    const prod = { clouds: { east: { priority: 1 } }, overrides: { web: { components: { os } } } };
    const done = await run(world, emptyStack, resourcesOf({ ...shop({}), environments: { prod } }));
    expect(done.errors.join()).toMatch(/has no monitor "cpu"[^]*such as "web-os-cpu"/);
  });

  test('moved to another component of its platform: refused with what to do, and done in two runs', async () => {
    const user = (username: string, isHolder: boolean) => ({
      type: 'user',
      attributes: { username },
      ...(isHolder ? { monitors: { logins: { cmd: 'check' } } } : {}),
    });
    const inComponent = (holder: string): StackSpec => ({
      platforms: {
        web: { components: { one: user('one', holder === 'one'), two: user('two', holder === 'two') } },
      },
    });
    let { stack } = await run(world, emptyStack, resourcesOf(inComponent('one')));
    const refused = await run(world, stack, resourcesOf(inComponent('two')));
    expect(refused.errors.join()).toMatch(/component "one" has the monitor of this name; to move it, first run/);
    for (const holder of ['none', 'two']) {
      const done = await run(world, stack, resourcesOf(inComponent(holder)));
      expect(done.errors).toEqual([]);
      stack = done.stack;
    }
    expect(await preview(world, stack, resourcesOf(inComponent('two')))).toMatchObject({ steps: [], errors: [] });
  });
});

// The relay that comes with an environment (service-facts §4.7.1 rule 7): written where it is,
// given back, and never mistaken for one that somebody set.
describe('relays', () => {
  const AT = { assembly: 'shop', environment: 'prod' };
  const IN = { organization: 'acme', ...AT };
  const OWN = { ...AT, name: 'default' };

  eachDialect('%s', (test, world) => {
    beforeEach(async () => {
      await world.prepare(kindOf('Relay'));
      world.nextRun();
      world.requests();
    });

    const texts = async (): Promise<Inputs> => {
      const list = await world.other.call(routes.relays.list, { address: IN });
      return list.find(({ ciName }) => ciName === 'default')?.ciAttributes ?? {};
    };

    const create = (args: Inputs): Promise<State> => world.life('Relay').create({ ...OWN, ...args }, ROW);

    const writtenByMaria = (ciAttributes: { readonly [name: string]: string }): Promise<unknown> =>
      world.other.call(routes.relays.update, {
        address: { ...IN, relay: 'default' },
        body: { cms_ci: { ciName: 'default', ciAttributes } },
      });

    test('what nobody set is written with one request, and given back with another', async () => {
      const before = await texts();
      world.requests();
      const made = await create({ severity: ['critical'], emails: ['ops@acme.io'] });
      expect(world.writes()).toEqual(['PUT relays.update']);
      expect(made.outputs['origin']).toBe('pack');
      expect(await texts()).toEqual({ ...before, severity: 'critical', emails: 'ops@acme.io' });
      world.nextRun();
      world.requests();
      await world.life('Relay').delete(made.id, made.outputs, ROW);
      expect(world.writes()).toEqual(['PUT relays.update']);
      expect(await texts()).toEqual(before);
    });

    test('what is declared as it is anyway is not written', async () => {
      await create({ severity: ['critical', 'info', 'warning'], emails: ['team@acme.io'] });
      expect(world.writes()).toEqual([]);
    });

    test('what is no longer declared goes back, the address to the owner of the assembly', async () => {
      const made = await create({ severity: ['critical'], emails: ['ops@acme.io'] });
      world.nextRun();
      await world.life('Relay').update(made.id, made.outputs, { ...OWN, correlation: false }, ROW);
      expect(await texts()).toMatchObject({
        severity: 'info,warning,critical',
        emails: 'team@acme.io',
        correlation: 'false',
      });
    });

    test('one that somebody deleted is created again, and deleted with the stack', async () => {
      await world.other.call(routes.relays.delete, { address: { ...IN, relay: 'default' } });
      const made = await create({ severity: ['critical'] });
      expect(made.outputs['origin']).toBe('created');
      expect(await texts()).toMatchObject({ severity: 'critical', emails: 'team@acme.io' });
      world.nextRun();
      await world.life('Relay').delete(made.id, made.outputs, ROW);
      expect(await texts()).toEqual({});
    });

    test('a review reports relays that somebody made or set, and not the one that came with the environment', async () => {
      const made = await world.life('Relay').create({ ...AT, name: 'ops', emails: ['ops@acme.io'] }, ROW);
      const environment = await world.life('Environment').read('acme/shop/prod', undefined, ROW);
      const kept = [
        { token: 'Environment', name: 'prod', id: 'acme/shop/prod', ...environment },
        { token: 'Relay', name: 'ops', ...made },
      ] as Parameters<typeof reviewIn>[1];
      const found = async (): Promise<readonly string[]> => {
        world.nextRun();
        const { findings } = await reviewIn(world, kept);
        return findings.filter(({ kind }) => kind === 'Relay').map(({ address }) => address);
      };
      expect(await found()).toEqual([]);
      world.clock.advance(1000);
      await writtenByMaria({ enabled: 'false' });
      await world.other.call(routes.relays.create, {
        address: IN,
        body: { cms_ci: { ciName: 'watch', ciAttributes: { emails: 'maria@acme.io' } } },
      });
      expect(await found()).toEqual(['acme/shop/prod/relays/default', 'acme/shop/prod/relays/watch']);
    });
  });
});

// Procedures and replacements in odd cases: failures, lost answers, time, names, triggers there and
// back; each counted by what the service ran.

eachDialect('%s', (test, world) => {
  let address: Inputs;

  beforeEach(async () => {
    address = { ...(await world.prepare(kindOf('Procedure'))), name: 'restart' };
    world.nextRun();
  });

  const reboot = (more: Inputs = {}): Inputs =>
    world.life('Procedure').check({ ...address, action: 'reboot', ...more }).inputs;
  const create = (more: Inputs = {}) => world.life('Procedure').create(reboot(more), ROW);
  const update = (olds: Inputs, more: Inputs = {}) => {
    world.nextRun();
    return world.life('Procedure').update('acme/shop/prod/web/compute/restart', olds, reboot(more), ROW);
  };
  const ran = async (): Promise<readonly string[]> => {
    const all = await world.other.call(routes.procedures.list, { query: { ns_path: '/acme/shop' } });
    return all.map(({ procedureState }) => procedureState);
  };
  const failure = async (job: Promise<State>): Promise<PartialFailure> => {
    const error: unknown = await job.catch((reason: unknown) => reason);
    if (error instanceof PartialFailure) return error;
    throw new Error(`not a partial failure: ${String(error)}`);
  };
  const failNext = (): void =>
    world.service.faults.set([
      { effect: 'fail-deployment', record: 'web/compute#reboot', message: 'no power', times: 1 },
    ]);

  test('runs once for the same triggers, again for others, and again for former ones', async () => {
    const first = await create({ triggers: { build: '1' } });
    const second = await update(first.outputs, { triggers: { build: '2' } });
    const third = await update(second.outputs, { triggers: { build: '1' } });
    expect(await ran()).toEqual(['complete', 'complete', 'complete']);
    expect(new Set([first, second, third].map(({ outputs }) => outputs['procedureId'])).size).toBe(3);
    await update(third.outputs, { triggers: { build: '1' } });
    expect(await ran()).toHaveLength(3);
  });

  test('with its state lost it is found, and not run again unless that is requested', async () => {
    const made = await create();
    world.nextRun();
    const again = await create();
    expect(again.outputs['procedureId']).toBe(made.outputs['procedureId']);
    expect(world.messages.join('\n')).toContain('ran already for these triggers');
    world.nextRun();
    await create({ rerun: true });
    expect(await ran()).toHaveLength(2);
  });

  test('an action, an instance or a name that does not exist is reported with the nearest', async () => {
    await expect(create({ action: 'rebot' })).rejects.toThrow(/no action "rebot"[^]*did you mean "reboot"/);
    await expect(create({ instances: ['compute-1'] })).rejects.toThrow(/has no instance compute-1/);
    expect(await ran()).toEqual([]);
  });

  test('one that failed says what failed, stays a failure, and runs again only when allowed', async () => {
    failNext();
    const failed = await failure(create());
    expect(failed.reasons.join('\n')).toMatch(
      /procedure \d+ failed\n {2}compute-\S+: reboot failed: .*\n.*rerun: true/,
    );
    expect(failed.outputs).toMatchObject({ state: 'failed' });
    const diff = await world.life('Procedure').diff(failed.id, failed.outputs, reboot());
    expect(diff.changes.map(({ path }) => path[0])).toEqual(['state']);
    world.writes();
    const still = await failure(update(failed.outputs));
    expect([still.outputs['state'], world.writes()]).toEqual(['failed', []]);
    const done = await update(still.outputs, { rerun: true });
    expect([done.outputs['state'], await ran()]).toEqual(['complete', ['complete']]);
  });

  test('out of time it continues by itself, and the next run joins it', async () => {
    let now = 0;
    // Our time flies, the service's does not move.
    const impatient = newSession(kinds, { now: () => (now += 30_000), sleep: () => Promise.resolve() });
    const life = lifecycle(kindOf('Procedure'), () => Promise.resolve(world.api), impatient);
    const late = await failure(life.create(reboot({ timeout: 1 }), ROW));
    expect(late.reasons.join()).toMatch(/took longer than 1 minute/);
    expect(late.outputs['state']).toBe('active');
    const done = await update(late.outputs, { timeout: 1 });
    expect([done.outputs['state'], await ran()]).toEqual(['complete', ['complete']]);
  });

  /** A client whose start of a procedure gets no answer; `reaches` the service or not. */
  const losing = (reaches: boolean): Api =>
    layered(world.api, (next) => async (route, input) => {
      if (route.name !== 'procedures.create') return next(route, input);
      if (reaches) await next(route, input);
      const request = { method: 'POST', path: '/acme/operations/procedures' };
      throw new ConnectionFailed('the connection broke', undefined, request, 'unknown');
    });
  const losingLife = (reaches: boolean) => world.lifeOf('Procedure', losing(reaches));

  test('a lost answer is settled by the list', async () => {
    const made = await losingLife(true).create(reboot(), ROW);
    expect([made.outputs['state'], await ran()]).toEqual(['complete', ['complete']]);
  });

  test('what the list does not show is unknown, and is looked for before it is sent again', async () => {
    const { outputs, reasons } = await failure(losingLife(false).create(reboot(), ROW));
    expect([outputs['state'], outputs['procedureId'], await ran()]).toEqual(['unknown', 0, []]);
    expect(reasons.join()).toMatch(/nobody knows whether it ran/);
    const read = await world.life('Procedure').read('acme/shop/prod/web/compute/restart', outputs, ROW);
    expect(read?.inputs['state']).toBe('unknown');
    const done = await update(outputs);
    expect([done.outputs['state'], await ran()]).toEqual(['complete', ['complete']]);
  });

  test('a replacement marks, is taken back while nothing was deployed, and reaches the machines with the deployment', async () => {
    const marks = async (): Promise<readonly (string | null | undefined)[]> => {
      const all = await world.other.call(routes.operations.instances, {
        address: { assembly: 'shop', environment: 'prod', platform: 'web', component: 'compute' },
        query: { instances_state: 'all' },
      });
      return [...new Set(all.map(({ ciState }) => ciState))];
    };
    const life = () => world.life('InstanceReplacement');
    const made = await life().create({ ...address, triggers: { image: '1' } }, ROW);
    expect(await marks()).toEqual(['replace']);
    world.nextRun();
    await life().delete(made.id, made.outputs, ROW);
    expect(await marks()).toEqual(['default']);
    world.clock.advance(1);
    const again = await life().create({ ...address, triggers: { image: '2' } }, ROW);
    expect(again.outputs['revision']).not.toBe(made.outputs['revision']);
    const before = String(again.outputs['marked']).split(',').length;
    expect(before).toBeGreaterThan(0);
    const deployment = {
      assembly: 'shop',
      environment: 'prod',
      stamps: '1',
      state: 'complete',
    };
    await world.life('Deployment').create(deployment, ROW);
    expect(await marks()).toEqual(['default']);
  });
});

// Clouds and their services in odd cases: locations by name and path, clouds in use, templates.

const NORTH = { name: 'north', location: 'aws' };

eachDialect('%s', (test, world) => {
  const locationOf = async (name: string): Promise<string | null | undefined> =>
    (await world.api.call(routes.clouds.read, { address: { cloud: name } })).ciAttributes['location'];

  test('a location by name and by path is the same', async () => {
    const made = await world.life('Cloud').create(NORTH, ROW);
    expect(await locationOf('north')).toBe('/public/oneops/clouds/aws');
    const byPath: Inputs = { ...NORTH, location: '/public/oneops/clouds/aws' };
    expect(await world.life('Cloud').diff(made.id, made.outputs, byPath)).toEqual({ changes: [], replaces: [] });
    const read = await world.life('Cloud').read(made.id, made.outputs, ROW);
    expect(read?.inputs).toEqual(NORTH);
  });

  test.each([
    ['Cloud', { name: 'south', location: 'asw' }, /no location "asw"[^]*did you mean "aws"/, []],
    ['CloudService', { cloud: 'north', name: 'nowa' }, /no template "nowa"[^]*did you mean "nova"/, []],
    // The service itself refuses a second one of a type.
    ['CloudService', { cloud: 'north', name: 'swift' }, /filestore already: s3/, ['POST cloudServices.create']],
  ])('a %s %j is refused with what there is', async (token, args, message, writes) => {
    await world.life('Cloud').create(NORTH, ROW);
    const account = { key: 'k', secret: 's3cret' };
    await world.life('CloudService').create({ cloud: 'north', name: 's3', attributes: account }, ROW);
    world.writes();
    await expect(world.life(token).create(args, ROW)).rejects.toThrow(message);
    expect(world.writes()).toEqual(writes);
  });

  test("a cloud of the organization's own needs a key, and its name in its location is no difference", async () => {
    const own = { name: 'cellar', location: '/acme/_clouds', auth: 'k3y' };
    expect(world.life('Cloud').check({ ...own, auth: undefined }).findings).toMatchObject([{ path: ['auth'] }]);
    const made = await world.life('Cloud').create(own, ROW);
    expect(await locationOf('cellar')).toBe('/acme/_clouds/cellar');
    const read = await world.life('Cloud').read(made.id, made.outputs, ROW);
    expect(diff(kindOf('Cloud'), own, read?.inputs ?? {})).toEqual([]);
  });

  test('another location replaces; taken over, a cloud cannot move', async () => {
    const made = await world.life('Cloud').create(NORTH, ROW);
    const moved = { ...NORTH, location: 'openstack' };
    expect((await world.life('Cloud').diff(made.id, made.outputs, moved)).replaces).toEqual(['location']);
    world.nextRun();
    await expect(world.life('Cloud').create({ ...moved, adopt: true }, ROW)).rejects.toThrow(/cannot move/);
    expect(await locationOf('north')).toBe('/public/oneops/clouds/aws');
  });

  test('a cloud in use is not deleted, and the environment is named', async () => {
    const east = await world.life('Cloud').create({ name: 'east', existing: true }, ROW);
    await world.prepare(kindOf('CloudConfiguration'));
    world.nextRun();
    const { existing: _, ...known } = east.outputs;
    await expect(world.life('Cloud').delete(east.id, known, ROW)).rejects.toThrow(/shop\/prod still uses the cloud/);
    expect(await locationOf('east')).toBeTruthy();
  });

  test('what is not declared has the value of the template, and secrets are never answered', async () => {
    await world.life('Cloud').create(NORTH, ROW);
    const attributes = { key: 'k', secret: 's3cret' };
    const made = await world.life('CloudService').create({ cloud: 'north', name: 'us-east-1', attributes }, ROW);
    const address = { cloud: 'north', service: 'us-east-1' };
    const live = await world.api.call(routes.cloudServices.read, { address });
    expect(live.ciAttributes).toMatchObject({ key: 'k', secret: '--ENCRYPTED--', region: 'us-east-1' });
    expect(await world.life('CloudService').read(made.id, made.outputs, ROW)).toMatchObject({ inputs: { attributes } });
  });
});

// The availability of platforms that an environment runs: what cannot change is refused before
// anything is written, and what is declared for platforms to come reaches them. Judged by what the
// environment's platforms say.

const specOf = (environment: Partial<EnvironmentSpec>, platforms: readonly string[] = ['web', 'db']): StackSpec => ({
  platforms: Object.fromEntries(platforms.map((name) => [name, { pack: 'tomcat' }])),
  environments: { prod: { clouds: { east: { priority: 1 } }, ...environment } },
});

const SINGLE = specOf({ availability: 'single' });
const REDUNDANT = specOf({ availability: 'redundant' });

eachDialect('%s', (test, world) => {
  let stack: Stack;

  beforeEach(async () => {
    stack = await standingStack(world, SINGLE);
  });

  const up = (spec: StackSpec) => run(world, stack, resourcesOf(spec));

  const modes = async (): Promise<{ readonly [name: string]: string | null | undefined }> => {
    const address = { assembly: 'shop', environment: 'prod' };
    const platforms = await world.api.call(routes.environmentPlatforms.list, { address });
    return Object.fromEntries(platforms.map(({ ciName, ciAttributes }) => [ciName, ciAttributes['availability']]));
  };

  const environment = () =>
    world.api.call(routes.environments.read, { address: { assembly: 'shop', environment: 'prod' } });

  const ALONE = specOf({ availability: 'single', platformAvailability: { web: 'redundant' } });
  const ADOPTED = specOf({ availability: 'redundant', adopt: true });

  test.each([
    ['the environment, which its platforms cannot follow', REDUNDANT],
    ['a platform alone', ALONE],
  ])('of %s: refused in preview and in the run, with the way out', async (_, spec) => {
    const says = [
      expect.stringMatching(
        /Environment::prod: .*platform (web|db) runs single and cannot become redundant in place.*platformAvailability: \{ (web|db): single/s,
      ),
    ];
    expect((await preview(world, stack, resourcesOf(spec))).errors).toEqual(says);
    world.requests();
    expect((await up(spec)).errors).toEqual(says);
    expect(world.writes()).toEqual([]);
    expect((await environment()).ciAttributes['availability']).toBe('single');
    expect(await modes()).toEqual({ web: 'single', db: 'single' });
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
    const { errors } = await up(ADOPTED);
    expect(errors.join()).toMatch(/runs single and cannot become redundant in place/);
    expect((await environment()).ciAttributes['availability']).toBe('single');
  });
});
