// Links between platforms and dependencies between components leave no stamp on their record: a review names who changed them by the releases.
import type { Api } from '../../api/client';
import { type Route, routes, type Record as WireRecord } from '../../api/contract';
import type { DriftFinding, Review } from '../../drift';
import type { Lifecycle } from '../../provider/lifecycle';
import { reticent } from '../world/between';
import { declaredBy, type Kept, keptOf, revertedIn, revertingOf, reviewIn } from '../world/drift-world';
import { type Declared, run, type Stack } from '../world/engine-simulation';
import { standingStack } from '../world/each-stack';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld, kindOf, ROW } from '../world/world';
import { dialectsInTurn } from '../dialects-in-turn';
import { type ApiFunction, functions } from '../../provider/functions';
import { importFile, placeAt, recordsBelow } from '../../provider/import';
import type { Kind } from '../../provider';
import { EAST, PROD } from '../world/shop-spec';
import { eachDialect } from '../world/each-dialect';

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

eachDialect('%s', (test, world, dialect) => {
  let stack: Stack;

  beforeEach(async () => {
    stack = await standingStack(world, spec);
    world.clock.advance(60_000);
  });

  /** Another user removes the link of `web`. */
  const unlink = (): Promise<unknown> => world.maria.set('web', {}, { links_to: [] });

  /** Another user, or one with this client, changes the dependencies of `web/other`. */
  async function depend(depends: readonly string[], api?: Api): Promise<void> {
    const { id, outputs } = keptOf(stack).find((each) => each.id === 'acme/shop/web/other') as Kept;
    const life = world.lifeOf('Component', api);
    const seen = await life.read(id, outputs, ROW);
    await life.update(id, seen?.outputs ?? {}, { ...outputs, depends }, ROW);
  }

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

  test.each([
    ['acme/shop/web', 'links', unlink],
    ['acme/shop/web/other', 'depends', () => depend([])],
  ])('the user who removed what %s has in its %s is named, before and after the commit', async (id, argument, act) => {
    await act();
    const removed = [id, argument, 'maria', 'released'];
    // A write takes effect immediately where designs have no open release.
    expect(await found()).toEqual([dialect === 'classic' ? [id, argument, 'maria', 'design'] : removed]);
    await world.maria.commit();
    expect(await found()).toEqual([removed]);
    // A pull that is discarded, and a change of clouds, name the release of the design, too.
    await world.maria.pull();
    await world.maria.discardEnvironment();
    await world.maria.useClouds({ west: '2' });
    await world.maria.rollOut();
    expect(await found()).toContainEqual(removed);
    await world.maria.commit(world.maria.delete('db'));
    expect(await found()).toContainEqual(removed);
  });

  test('the user who deleted a record is named after a write of our own, too', async () => {
    await world.maria.commit(world.maria.delete('web/third'));
    await world.admin.set('web', { description: 'ours' });
    await world.admin.commit();
    const { findings } = await reviewIn(world, keptOf(stack));
    expect(findings.find(({ address }) => address === 'acme/shop/web/third')).toMatchObject({
      classification: 'deleted',
      author: { who: 'maria', stage: 'released' },
    });
  });

  test('no user is named by a service that does not list the changes of releases', async () => {
    await unlink();
    const findings = recordsIn(await reviewIn(world, keptOf(stack), { api: reticent(world.api) }));
    expect(findings.map(({ attribute, author }) => [attribute, author])).toEqual([['links', { who: '', when: 0 }]]);
  });

  test('two users who each made a part of the change are both named', async () => {
    await world.maria.commit(depend([]));
    world.clock.advance(60_000);
    await world.admin.commit(depend(['third'], world.api));
    expect(recordsIn(await reviewIn(world, keptOf(stack)))).toMatchObject([
      { classification: 'changed', attribute: 'depends', author: { who: 'admin', unsure: ['maria'] } },
    ]);
  });
});

// What a review says of an environment, which the stack deploys or another user, when another user changes the dependencies between its components.

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
    stack = await standingStack(world, { platforms: { web: { pack: 'tomcat' } }, environments: { prod } });
    if (!deploys) await deploy();
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

  /** Deploys what there is to deploy, and answers whether there was something: some changes need nothing. */
  const deploy = (): Promise<boolean> => world.maria.rollOut();

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

  const findingOf = async (attribute: string): Promise<DriftFinding | undefined> =>
    (await reviewed()).findings.find((each) => each.attribute === attribute);

  const currentOf = (from: string, to: string): string => `platforms.web.components.${from}.depends.${to}.current`;

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
      const attribute = currentOf(from, to);
      const found = { kind: 'Environment', address: 'acme/shop/prod', attribute, classification: 'undeployed' };
      const author = { who: 'maria', releaseId: expect.any(Number) as number, stage: 'design' };
      const open = await findingOf(attribute);
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
    '%s: each dependency without a target is high while that can take instances away, and once it is deployed',
    async (availability) => {
      await setUp(availability);
      const all = await running();
      const [said, expected, done]: [string[], string[], boolean[]] = [[], [], []];
      for (const [from, to] of await dependencies()) {
        await set(from, to, '0');
        const severityNow = async (): Promise<string> =>
          `${from} ${to}: ${(await findingOf(currentOf(from, to)))?.severity}`;
        said.push(await severityNow());
        await world.maria.commitEnvironment();
        said.push(await severityNow());
        const isDeployed = await deploy();
        said.push(await severityNow());
        const takesAway = (await running()) < all;
        done.push(takesAway);
        for (const isHigh of [true, takesAway, takesAway || isDeployed])
          expected.push(`${from} ${to}: ${isHigh ? 'high' : 'medium'}`);
        await set(from, to, '1');
        await deploy();
      }
      expect(said).toEqual(expected);
      expect([...new Set(done)].sort()).toEqual([false, true]);
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
    expect((await reviewed()).outcome).toBe('drift');
    expect(await findingOf(currentOf('lb', 'compute'))).toMatchObject({
      severity: 'high',
      author: { who: 'maria' },
      live: { value: expect.stringContaining('an open release sets it back') as string },
      advice: { revert: 'an open release sets it back: commit prod and deploy it' },
    });
    await deploy();
    expect(await running()).toBe(all);
    expect(await findingOf(currentOf('lb', 'compute'))).toBeUndefined();
  });

  test('a platform of the design that somebody deleted in the environment is found until a pull brings it back', async () => {
    await setUp('single');
    const all = await running();
    await world.maria.set('prod:web', { is_active: 'false' });
    await world.maria.delete('prod:web');
    const found = () => findingOf('platforms.web');
    const expected = { kind: 'Environment', severity: 'high', author: { who: 'maria' } };
    expect(await found()).toMatchObject(expected);
    // Until the deletion is deployed, the platform can still be updated.
    await world.maria.commitEnvironment();
    await world.maria.set('prod:web', { autorepair: 'false' });
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
    const { ciId } = await world.maria.read('web');
    await world.maria.pull({ [String(ciId)]: 'single' });
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
    await world.maria.set('prod:web', { availability: 'false' }, { depends_on: Object.fromEntries(lowered) });
    const found = () => findingOf('platforms.web.availability');
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
    await world.maria.set('prod:web', { availability: 'redundant' });
    await deploy();
    expect(await found()).toBeUndefined();
    expect((await reviewed()).findings.map((each) => each.attribute)).toContainEqual(expect.stringContaining('scale'));
  });

  test('a service that does not list the changes of releases: one note says that it is not known of both environments', async () => {
    const environment = { clouds: { east: { priority: 1 } }, ...(deploys ? {} : { deploy: false as const }) };
    const environments = { prod: environment, stage: environment };
    stack = await standingStack(world, { platforms: { web: { pack: 'tomcat' } }, environments });
    const { notes } = await reviewed(reticent(world.api));
    expect(notes.filter((note) => note.includes('somebody changed'))).toEqual([
      'whether somebody changed the dependencies between components in prod and stage is not known: the service does not list the changes of its releases',
    ]);
  });
});

// What reads, reviews and imports say where two components of a platform have one name: each finds its own, and an ambiguous name is refused.

const AT = { assembly: 'shop', platform: 'web' };
const SPEC: StackSpec = {
  platforms: {
    web: {
      pack: 'tomcat',
      components: {
        tomcat: {
          type: 'user',
          attributes: { username: 'tomcat', sudoer: false },
          attachments: { motd: { path: '/etc/motd', content: 'hello' } },
        },
      },
    },
  },
  environments: { prod: { clouds: EAST } },
};

eachDialect('%s', (test, world) => {
  let stack: Stack;
  let server: WireRecord;
  let user: WireRecord;
  beforeEach(async () => {
    stack = await standingStack(world, SPEC);
    [server, user] = (await both()) as [WireRecord, WireRecord];
    world.clock.advance(1000);
  });

  /** The pack's server and the user, both called tomcat. */
  const both = async (): Promise<readonly WireRecord[]> => {
    const list = await world.api.call(routes.components.list, { address: AT });
    return ['Tomcat', 'User'].flatMap(
      (tail) => list.find(({ ciName, ciClassName }) => ciName === 'tomcat' && ciClassName.endsWith(`.${tail}`)) ?? [],
    );
  };

  /** Maria changes an attribute of one of them. */
  async function change({ ciId, ciName }: WireRecord, attributes: { readonly [name: string]: string }): Promise<void> {
    const owner = Object.fromEntries(Object.keys(attributes).map((name) => [name, 'design']));
    await world.maria.commit(world.maria.set(`web/${ciId}`, attributes, { record: { ciId, ciName }, owner }));
  }

  const life = ({ token }: Pick<Kind, 'token'>): Lifecycle => world.lifeOf(token, world.api);

  test('a review reports the user’s own change, and of none of the server’s', async () => {
    expect((await reviewIn(world, keptOf(stack))).findings).toEqual([]);
    await change(server, { max_threads: '77' });
    const { findings: all } = await reviewIn(world, keptOf(stack));
    // The change itself waits for the next deployment.
    expect(all.filter(({ waits }) => waits).map(({ address }) => address)).toEqual(['acme/shop']);
    expect(all.filter(({ waits }) => waits !== true)).toEqual([
      expect.objectContaining({
        classification: 'undeclared',
        kind: 'Component',
        address: `acme/shop/web/${server.ciId}`,
      }),
    ]);
    await change(user, { sudoer: 'true' });
    const { findings } = await reviewIn(world, keptOf(stack));
    expect(findings.filter(({ classification, waits }) => classification !== 'undeclared' && waits !== true)).toEqual([
      expect.objectContaining({ address: 'acme/shop/web/tomcat', attribute: 'attributes.sudoer' }),
    ]);
  });

  test('a revert writes the user and nothing else', async () => {
    await change(user, { sudoer: 'true' });
    const { findings } = await reviewIn(world, keptOf(stack));
    const [before] = await both();
    const { reversals, refused } = await revertedIn(revertingOf(world, declaredBy(stack)), findings);
    expect([reversals.length, refused]).toEqual([1, []]);
    const [after, now] = await both();
    expect([after, now?.ciAttributes['sudoer']]).toEqual([before, 'false']);
  });

  test('an import by an ambiguous name is refused with the numbers, by which it works', async () => {
    await expect(placeAt('Component:acme/shop/web/tomcat', 'acme', life)).rejects.toThrow(
      new RegExp(
        `platform shop/web has 2 components named "tomcat": ${server.ciId} \\(\\S+\\.Tomcat\\), ${user.ciId} \\(\\S+\\.User\\)[^]*${server.ciId} or ${user.ciId}`,
      ),
    );
    const place = await placeAt(`acme/shop/web/${user.ciId}`, 'acme', life);
    expect(place).toEqual({ of: kindOf('Component'), id: 'acme/shop/web/tomcat', at: `acme/shop/web/${user.ciId}` });
    const inside = await placeAt(`acme/shop/web/${user.ciId}/motd`, 'acme', life);
    const file = await importFile(
      [
        { ...place, name: 'web/tomcat' },
        { ...inside, name: 'web/motd' },
      ],
      life,
    );
    expect(file.resources.map(({ id, inputs }) => [id, inputs['type'] ?? inputs['component'], inputs['name']])).toEqual(
      [
        ['acme/shop/web/tomcat', 'user', 'tomcat'],
        ['acme/shop/web/tomcat/motd', 'tomcat', 'motd'],
      ],
    );
    await expect(placeAt(`acme/shop/web/999999`, 'acme', life)).rejects.toThrow(
      'there is nothing at acme/shop/web/999999',
    );
  });

  test('with everything below, what one stack cannot declare together is left out and reported', async () => {
    const take = async (): Promise<readonly [readonly string[], readonly string[]]> => {
      const below = await recordsBelow(world.api, { of: kindOf('Platform'), id: 'acme/shop/web' });
      const file = await importFile(
        below.map((each) => ({ ...each, name: each.id })),
        life,
      );
      return [
        file.resources
          .map(({ type, id }) => `${type.split(':').at(-1)} ${id}`)
          .filter((line) => line.includes('tomcat')),
        file.leftOut.map(({ of, id }) => `${of.token} ${id}`),
      ];
    };
    expect(await take()).toEqual([['Component acme/shop/web/tomcat', 'Attachment acme/shop/web/tomcat/motd'], []]);
    await change(server, { max_threads: '77' });
    expect(await take()).toEqual([
      ['Component acme/shop/web/tomcat'],
      [`Component acme/shop/web/${user.ciId}`, `Attachment acme/shop/web/${user.ciId}/motd`],
    ]);
  });

  test('an act on a component runs on the one that is declared; without one, an ambiguous name is refused', async () => {
    const act: Declared = {
      key: 'Procedure::repair',
      token: 'Procedure',
      args: { ...AT, environment: 'prod', component: 'tomcat', name: 'fix', action: 'repair' },
      after: ['Deployment::prod'],
    };
    const done = await run(world, stack, [...resourcesOf(SPEC), act]);
    expect(done.errors).toEqual([]);
    const running = await world.api.call(routes.operations.components, { address: { ...AT, environment: 'prod' } });
    const own = running.find(({ ciClassName }) => ciClassName.endsWith('.User'));
    expect(done.stack.get(act.key)?.outputs['ciId']).toBe(own?.ciId);
    await expect(life(kindOf('Procedure')).create({ ...act.args, name: 'again' }, ROW)).rejects.toThrow(
      /platform shop\/prod\/web has 2 components named "tomcat"[^]*write the number/,
    );
    const byNumber = { ...act.args, name: 'again', component: String(own?.ciId) };
    expect((await life(kindOf('Procedure')).create(byNumber, ROW)).outputs['ciId']).toBe(own?.ciId);
  });

  test('functions of a component: the number says which, an ambiguous name is refused', async () => {
    const of = (token: string): ApiFunction | undefined => functions.find((each) => each.token === token);
    const ask = (route: Route, input: object): Promise<unknown> => world.api.call(route, input);
    const args = { ...AT, environment: 'prod', component: 'tomcat' };
    for (const each of [of('getActions'), of('getInstances')])
      await expect(each?.read(ask as never, args as never, 'acme')).rejects.toThrow(/2 components named "tomcat"/);
    const running = await world.api.call(routes.operations.components, { address: { ...AT, environment: 'prod' } });
    const own = running.find(({ ciClassName }) => ciClassName.endsWith('.Tomcat'));
    const numbered = { ...args, component: String(own?.ciId) };
    const answer = await of('getActions')?.read(ask as never, numbered, 'acme');
    expect(answer?.['actions']).toContainEqual(expect.objectContaining({ name: 'threaddump' }));
  });
});
