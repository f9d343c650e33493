// Links between platforms and dependencies between components leave no stamp on their record: a review names who changed them by the releases.
import type { Api } from '../../api/client';
import { type Dialect, DIALECTS, routes } from '../../api/contract';
import type { DriftFinding, Review } from '../../drift';
import { lifecycle } from '../../provider/lifecycle';
import { commitByHand, commitDesignByHand, deployByHand } from '../world/by-hand';
import { type Kept, keptOf, reviewIn } from '../world/drift-world';
import { emptyStack, run, type Stack } from '../world/engine-simulation';
import { reticent } from '../world/reticent';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld, kindOf, ROW } from '../world/world';
import { orNone } from '../../api/errors';
import { dialectsInTurn, testInTurn } from '../dialects-in-turn';

const spec: StackSpec = {
  platforms: {
    db: { pack: 'mysql' },
    web: {
      pack: 'tomcat',
      links: ['db'],
      components: {
        user: { type: 'user', attributes: { username: 'app' } },
        third: { type: 'user', attributes: { username: 'third' } },
        other: { type: 'user', attributes: { username: 'other' }, depends: ['user'] },
      },
    },
  },
  environments: { prod: { clouds: { east: { priority: 1 } } } },
};

const WEB = { assembly: 'shop', platform: 'web' };

describe.each(DIALECTS)('%s', (dialect: Dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let stack: Stack;

  beforeEach(async () => {
    const made = await run(world, emptyStack, resourcesOf(spec));
    expect(made.errors).toEqual([]);
    ({ stack } = made);
    world.clock.advance(60_000);
  });

  /** Another user removes the link of `web`. */
  const unlink = (): Promise<unknown> =>
    world.other.call(routes.platforms.update, {
      address: WEB,
      body: { cms_dj_ci: { ciAttributes: {} }, links_to: [] },
    });

  /** Findings of records; that their releases wait to be deployed is found beside them. */
  const recordsIn = ({ findings }: { readonly findings: readonly DriftFinding[] }): readonly DriftFinding[] =>
    findings.filter(({ classification }) => classification !== 'undeployed');

  const found = async () =>
    recordsIn(await reviewIn(world, keptOf(stack))).map(({ address, attribute, author }) => [
      address,
      attribute,
      author?.who,
      author?.stage,
    ]);

  test('the user who removed a link is named, before and after the commit', async () => {
    await unlink();
    // A write takes effect immediately where designs have no open release.
    expect(await found()).toEqual([['acme/shop/web', 'links', 'maria', dialect === 'classic' ? 'design' : 'released']]);
    await commitDesignByHand(world.other).catch(() => undefined);
    expect(await found()).toEqual([['acme/shop/web', 'links', 'maria', 'released']]);
  });

  test('the user who removed a dependency is named, before and after the commit', async () => {
    const declared = keptOf(stack).find(({ id }) => id === 'acme/shop/web/other') as Kept;
    const life = lifecycle(kindOf('Component'), () => Promise.resolve(world.other), world.freshSession());
    const seen = await life.read(declared.id, declared.outputs, ROW);
    await life.update(declared.id, seen?.outputs ?? {}, { ...declared.outputs, depends: [] }, ROW);
    const other = ['acme/shop/web/other', 'depends', 'maria'];
    expect(await found()).toEqual([[...other, dialect === 'classic' ? 'design' : 'released']]);
    await commitDesignByHand(world.other).catch(() => undefined);
    expect(await found()).toEqual([[...other, 'released']]);
  });

  test('no user is named by a service that does not list the changes of releases', async () => {
    await unlink();
    const findings = recordsIn(await reviewIn(world, keptOf(stack), { api: reticent(world.api) }));
    expect(findings.map(({ attribute, author }) => [attribute, author])).toEqual([['links', { who: '', when: 0 }]]);
  });

  test('two users who each made a part of the change are both named', async () => {
    const change = async (api: Api, depends: readonly string[]): Promise<void> => {
      const declared = keptOf(stack).find(({ id }) => id === 'acme/shop/web/other') as Kept;
      const life = lifecycle(kindOf('Component'), () => Promise.resolve(api), world.freshSession());
      const seen = await life.read(declared.id, declared.outputs, ROW);
      await life.update(declared.id, seen?.outputs ?? {}, { ...declared.outputs, depends }, ROW);
      await commitDesignByHand(api).catch(() => undefined);
      world.clock.advance(60_000);
    };
    await change(world.other, []);
    await change(world.api, ['third']);
    expect(
      recordsIn(await reviewIn(world, keptOf(stack))).map(({ classification, attribute, author }) => [
        classification,
        attribute,
        author?.who,
        author?.unsure ?? [],
      ]),
    ).toEqual([['changed', 'depends', 'admin', ['maria']]]);
  });
});

// What a review says of an environment, which the stack deploys or another user, when another user changes the dependencies between its components.

const PROD = { assembly: 'shop', environment: 'prod' };

const cases = [true, false].flatMap((deploys, turn) =>
  dialectsInTurn(turn).map(
    (dialect) => [dialect, deploys ? 'deployed by the stack' : 'deployed by others', deploys] as const,
  ),
);

describe.each(cases)('%s, %s', (dialect, _, deploys) => {
  const world = eachWorld(dialect);
  let stack: Stack;

  const setUp = async (availability: string): Promise<void> => {
    const prod = { availability, clouds: { east: { priority: 1 } }, ...(deploys ? {} : { deploy: false as const }) };
    const made = await run(
      world,
      emptyStack,
      resourcesOf({ platforms: { web: { pack: 'tomcat' } }, environments: { prod } }),
    );
    expect(made.errors).toEqual([]);
    ({ stack } = made);
    if (!deploys) {
      await commitByHand(world);
      await deployByHand(world);
    }
    world.clock.advance(60_000);
  };

  const setAll = async (
    component: string,
    below: string,
    relationAttributes: { readonly [name: string]: string },
    props = {},
    api = world.other,
  ): Promise<void> => {
    await api.call(routes.environmentPlatforms.updateDependsOn, {
      address: { ...PROD, platform: 'web', component },
      body: { depends_on: { [below]: { relationAttributes, ...props } } },
    });
  };
  const set = (component: string, below: string, current: string, props = {}): Promise<void> =>
    setAll(component, below, { current }, props);

  /** Deploys what there is to deploy: some changes need nothing. */
  const deploy = async (): Promise<void> => {
    await commitByHand(world);
    const plan = await orNone(world.other.call(routes.environmentReleases.bom, { address: PROD }));
    if (plan?.releaseState === 'open') await deployByHand(world);
  };

  const running = async (): Promise<number> => {
    const query = { instances_state: 'all' };
    return (await world.other.call(routes.operations.environmentInstances, { address: PROD, query })).length;
  };

  /** What is found of single values of the environment; what a Deployment lacks is said of it, too. */
  const ofEnvironment = (findings: Review['findings']): Review['findings'] =>
    findings.filter(({ kind, attribute }) => kind !== 'Deployment' && attribute !== undefined);

  const reviewed = (api = world.api): Promise<Review> => {
    world.nextRun();
    return reviewIn(world, keptOf(stack), { api });
  };

  test.each([
    ['redundant', 'fqdn', 'lb', {}],
    ['redundant', 'compute', 'secgroup', {}],
    ['single', 'fqdn', 'compute', { relationAttrProps: { owner: {} } }],
  ])(
    '%s: no target of %s on %s, %j: found until it is set back and deployed',
    async (availability, from, to, props) => {
      await setUp(availability);
      const all = await running();
      expect(await reviewed()).toMatchObject({ notes: [], outcome: 'in-sync' });

      await set(from, to, '0', props);
      const attribute = `platforms.web.components.${from}.depends.${to}.current`;
      const found = { kind: 'Environment', address: 'acme/shop/prod', attribute, classification: 'undeployed' };
      const author = { who: 'maria', releaseId: expect.any(Number) as number, stage: 'design' };
      const open = (await reviewed()).findings.find((each) => each.attribute === attribute);
      expect(open).toMatchObject({ ...found, severity: 'high', author });
      expect(open?.live).toMatchObject({ value: expect.stringContaining('0 instead of 1: maria set it') as string });

      await deploy();
      expect(await running()).toBeLessThan(all);
      const { outcome, findings } = await reviewed();
      expect(outcome).toBe('drift');
      expect(ofEnvironment(findings)).toMatchObject([{ ...found, author: { ...author, stage: 'deployed' } }]);
      const [advised] = findings.filter((each) => each.attribute === attribute);
      expect(advised?.advice.revert).toContain(
        `PUT /acme/assemblies/shop/transition/environments/prod/platforms/web/components/${from}/update_depends_on with {"depends_on":{"${to}":{"relationAttributes":{"current":"1"}}}}`,
      );

      await set(from, to, '1', props);
      expect((await reviewed()).findings.map((each) => each.attribute)).toContain(attribute);
      await deploy();
      expect(await running()).toBe(all);
      const after = await reviewed();
      expect([after.outcome, ofEnvironment(after.findings)]).toEqual(['in-sync', []]);
    },
  );

  /** Every dependency between two components of web that does not scale. */
  const dependencies = async (): Promise<readonly (readonly [string, string])[]> => {
    const at = { ...PROD, platform: 'web' };
    const components = await world.other.call(routes.environmentPlatforms.components, { address: at });
    const each = components.map(async ({ ciName }) => {
      const address = { ...at, component: ciName };
      const relations = await world.other.call(routes.environmentPlatforms.dependsOn, { address });
      return relations
        .filter(({ relationAttributes }) => relationAttributes['flex'] !== 'true')
        .map(({ toCi }) => [ciName, toCi?.ciName ?? ''] as const);
    });
    return (await Promise.all(each)).flat();
  };

  test.each(['redundant', 'single'])(
    '%s: each dependency without a target is high exactly if that takes instances away',
    async (availability) => {
      await setUp(availability);
      const all = await running();
      const [said, done]: [string[], string[]] = [[], []];
      for (const [from, to] of await dependencies()) {
        await set(from, to, '0');
        const severityNow = async (): Promise<string> => {
          const { findings } = await reviewed();
          const attribute = `platforms.web.components.${from}.depends.${to}.current`;
          return `${from} ${to}: ${findings.find((each) => each.attribute === attribute)?.severity}`;
        };
        said.push(await severityNow());
        await deploy();
        said.push(await severityNow());
        const severity = (await running()) < all ? 'high' : 'medium';
        done.push(`${from} ${to}: ${severity}`, `${from} ${to}: ${severity}`);
        await set(from, to, '1');
        await deploy();
      }
      expect(said).toEqual(done);
      expect([...new Set(done.map((each) => each.split(': ')[1]))].sort()).toEqual(['high', 'medium']);
    },
  );

  test.each([
    [
      'os',
      'compute',
      { current: '1', min: '1', max: '1', step_up: '1', step_down: '1', pct_dpmt: '100', propagate_to: 'from' },
    ],
    ['lb', 'compute', { propagate_to: 'both' }],
  ] as const)('every attribute of %s on %s is found, with who set it, until it is set back', async (from, to, was) => {
    await setUp('redundant');
    const others = { current: '2', min: '0', max: '4', step_up: '2', step_down: '3', pct_dpmt: '50', propagate_to: '' };
    const now = Object.fromEntries(Object.entries(others).filter(([name]) => name in was));
    await setAll(from, to, now);
    const expected = Object.entries(now).map(([name, value]) => [
      `platforms.web.components.${from}.depends.${to}.${name}`,
      'medium',
      'maria',
      expect.stringContaining(
        `${value || 'nothing'} instead of ${String(Object.entries(was).find(([each]) => each === name)?.[1])}: maria set it`,
      ) as string,
    ]);
    const found = async () =>
      ofEnvironment((await reviewed()).findings).map(({ attribute, severity, author, live }) => [
        attribute,
        severity,
        author?.who,
        live?.is === 'value' ? live.value : live,
      ]);
    expect((await found()).sort()).toEqual(expected.sort());
    await deploy();
    expect((await found()).sort()).toEqual(expected.sort());
    await setAll(from, to, was);
    await deploy();
    expect(await found()).toEqual([]);
  });

  test('what two users wrote in one release is of one of them', async () => {
    await setUp('single');
    await setAll('os', 'compute', { max: '3' }, {}, world.api);
    await setAll('os', 'compute', { min: '0' });
    const { findings } = await reviewed();
    expect(ofEnvironment(findings).map(({ author }) => [author?.who, author?.unsure])).toEqual([
      ['maria', ['admin']],
      ['maria', ['admin']],
    ]);
  });

  test('a number that scales, deployed and then set back in an open release, is found until that runs', async () => {
    await setUp('redundant');
    const all = await running();
    await set('lb', 'compute', '0', { relationAttrProps: { owner: {} } });
    await deploy();
    expect(await running()).toBeLessThan(all);
    await set('lb', 'compute', '2', { relationAttrProps: { owner: {} } });
    const attribute = 'platforms.web.components.lb.depends.compute.current';
    const { outcome, findings } = await reviewed();
    expect(outcome).toBe('drift');
    expect(findings.find((each) => each.attribute === attribute)).toMatchObject({
      severity: 'high',
      author: { who: 'maria' },
      live: { value: expect.stringContaining('an open release sets it back') as string },
      advice: { revert: 'an open release sets it back: commit prod and deploy it' },
    });
    await deploy();
    expect(await running()).toBe(all);
    expect((await reviewed()).findings.map((each) => each.attribute)).not.toContain(attribute);
  });

  test('a platform of the design that somebody deleted in the environment is found until a pull brings it back', async () => {
    await setUp('single');
    const all = await running();
    const address = { ...PROD, platform: 'web' };
    const inactive = { cms_dj_ci: { ciAttributes: { is_active: 'false' } } };
    await world.other.call(routes.environmentPlatforms.update, { address, body: inactive });
    await world.other.call(routes.environmentPlatforms.delete, { address });
    const found = async (): Promise<unknown> =>
      (await reviewed()).findings.find((each) => each.attribute === 'platforms.web');
    const expected = { kind: 'Environment', severity: 'high', author: { who: 'maria' } };
    expect(await found()).toMatchObject(expected);
    // Until the deletion is deployed, the platform can still be updated.
    await commitByHand(world);
    const body = { cms_dj_ci: { ciAttributes: { autorepair: 'false' } } };
    await world.other.call(routes.environmentPlatforms.update, { address, body });
    await deploy();
    expect(await running()).toBe(0);
    expect(await found()).toMatchObject({
      ...expected,
      live: { value: expect.stringMatching(/^maria deleted web in prod alone, .*the design still has it$/) as string },
      advice: {
        revert: expect.stringMatching(
          /POST \/acme\/assemblies\/shop\/transition\/environments\/prod\/pull with \{"platform_availability":\{"\d+"/,
        ) as string,
      },
    });
    const { ciId } = await world.other.call(routes.platforms.read, { address: { assembly: 'shop', platform: 'web' } });
    await world.other.call(routes.environments.pull, {
      address: PROD,
      body: { platform_availability: { [String(ciId)]: 'single' } },
    });
    world.clock.advance(10_000);
    await deploy();
    expect(await running()).toBe(all);
    expect(await found()).toBeUndefined();
  });

  test('an availability that somebody changes in the environment is found: what is not redundant lists no scaling', async () => {
    await setUp('redundant');
    const all = await running();
    const address = { ...PROD, platform: 'web' };
    const { depends_on: scaling } = await world.other.call(routes.environmentPlatforms.edit, { address });
    const lowered = scaling.map(({ toCiId, relationAttributes }) => [
      String(toCiId),
      { relationAttributes: { ...relationAttributes, current: '1' } },
    ]);
    const body = {
      cms_dj_ci: { ciAttributes: { availability: 'false' } },
      depends_on: Object.fromEntries(lowered) as Record<string, unknown>,
    };
    await world.other.call(routes.environmentPlatforms.update, { address, body });
    const found = async (): Promise<unknown> =>
      (await reviewed()).findings.find((each) => each.attribute === 'platforms.web.availability');
    const expected = { kind: 'Environment', severity: 'high', author: { who: 'maria' } };
    expect(await found()).toMatchObject({
      ...expected,
      live: { value: expect.stringMatching(/not committed$/) as string },
    });
    await deploy();
    expect(await running()).toBeLessThan(all);
    expect(await found()).toMatchObject({
      ...expected,
      live: { value: expect.stringMatching(/^false instead of redundant: maria set it in release \d+$/) as string },
    });
    await world.other.call(routes.environmentPlatforms.update, {
      address,
      body: { cms_dj_ci: { ciAttributes: { availability: 'redundant' } } },
    });
    await deploy();
    expect(await found()).toBeUndefined();
    expect((await reviewed()).findings.map((each) => each.attribute)).toContainEqual(expect.stringContaining('scale'));
  });

  test('a service that does not list the changes of releases: a note says that it is not known', async () => {
    await setUp('single');
    const { notes } = await reviewed(reticent(world.api));
    expect(notes?.join(' ')).toContain(
      'whether somebody changed the dependencies between components in prod is not known',
    );
  });
});
