// Laws of the planner over arbitrary manifests and whatever ran before.
import fc from 'fast-check';
import type { PlanCloud, PlanComponent, PlanEdge, PlanInput, PlanInstance, PlannedChange, PlanPlatform } from './plan';
import { depthsOf, instancesWanted, NoPlan, planDeployment } from './plan';

const CLOUDS = [501, 502, 503];

const cloudOf = (id: number): fc.Arbitrary<PlanCloud> =>
  fc.record({
    id: fc.constant(id),
    name: fc.constant(`cloud${id}`),
    priority: fc.constantFrom('1', '1', '2'),
    deploymentOrder: fc.integer({ min: -1, max: 2 }),
    scale: fc.constantFrom(100, 50, 34, 0, 150),
    adminstatus: fc.constantFrom('active', 'active', 'inactive', 'offline'),
    services: fc.constant(['compute', 'dns']),
    variables: fc.constant({ zone: `zone-${id}` }),
  });

const componentOf = (id: number): fc.Arbitrary<PlanComponent> =>
  fc.record({
    id: fc.constant(id),
    name: fc.constant(`part${id % 10}`),
    values: fc.record({
      size: fc.constantFrom('S', 'M', null, '$OO_LOCAL{size}', 'x$OO_GLOBAL{region}', '$OO_CLOUD{zone}'),
      text: fc.constantFrom('', 'a'),
    }),
    attached: fc.record({ motd: fc.constantFrom('', 'hello', '$OO_LOCAL{nothing}') }),
    services: fc.constantFrom(['compute'], ['*mirror', 'dns'], []),
    pendingDeletion: fc.constantFrom(false, false, false, true),
  });

const edgesOf = (ids: readonly number[]): fc.Arbitrary<PlanEdge[]> =>
  fc
    .tuple(
      ...ids.flatMap((from, index) =>
        ids.slice(0, index).map((to) =>
          fc.option(
            fc.record<PlanEdge>({
              from: fc.constant(from),
              to: fc.constant(to),
              flex: fc.constantFrom(false, false, true),
              converge: fc.constantFrom(false, false, false, true),
              current: fc.integer({ min: 1, max: 3 }),
              propagate: fc.constantFrom('', '', 'from', 'to', 'both'),
              portion: fc.constant(100),
            }),
            { freq: 2 },
          ),
        ),
      ),
    )
    .map((edges) => edges.filter((edge) => edge !== null));

const platformOf = (id: number, linksTo: readonly number[]): fc.Arbitrary<PlanPlatform> => {
  const ids = [1, 2, 3, 4, 5].map((part) => id * 10 + part);
  return fc.record({
    id: fc.constant(id),
    name: fc.constant(`platform${id}`),
    enabled: fc.constantFrom(true, true, true, false),
    pendingDeletion: fc.constantFrom(false, false, false, true),
    clouds: fc.subarray(CLOUDS).chain((chosen) => fc.tuple(...chosen.map(cloudOf))),
    components: fc.tuple(...ids.map(componentOf)),
    edges: edgesOf(ids),
    entrypoint: fc.constantFrom(ids.at(-1), undefined),
    linksTo: fc.subarray([...linksTo]),
    variables: fc.record({ size: fc.constantFrom('L', '$OO_GLOBAL{region}') }),
  });
};

/** A manifest; the links of its platforms may form a circle, as the API allows. */
const manifest: fc.Arbitrary<PlanInput> = fc.record({
  platforms: fc.tuple(platformOf(1, [2]), platformOf(2, [1, 3]), platformOf(3, [])),
  instances: fc.constant([]),
  variables: fc.record({ region: fc.constantFrom('east', 'west') }),
});

const planned = (input: PlanInput): readonly PlannedChange[] => {
  const outcome = planDeployment(input);
  fc.pre(!(outcome instanceof NoPlan));
  return outcome;
};

/** What runs after a plan was carried out. */
const applied = (instances: readonly PlanInstance[], changes: readonly PlannedChange[]): PlanInstance[] => {
  const after = new Map(instances.map((instance) => [instance.id, instance]));
  let next = 1 + Math.max(10_000, ...after.keys());
  for (const change of changes) {
    if (change.action === 'delete') {
      after.delete(change.instanceId);
      continue;
    }
    const { name, platformId, componentId, cloudId, digest } = change;
    const id = change.instanceId ?? next++;
    after.set(id, { id, name, platformId, componentId, cloudId, digest, replace: false });
  }
  return [...after.values()];
};

/** Of two manifests of the same platforms the first is deployed, some of it marked `replace`. */
const later: fc.Arbitrary<PlanInput> = fc
  .tuple(manifest, manifest, fc.infiniteStream(fc.constantFrom(false, false, false, true)))
  .map(([first, second, marks]) => {
    const outcome = planDeployment(first);
    const running = outcome instanceof NoPlan ? [] : applied([], outcome);
    return {
      ...second,
      instances: running.map((instance) => ({ ...instance, replace: marks.next().value as boolean })),
    };
  });

const law = (check: (input: PlanInput) => void): void => fc.assert(fc.property(later, check), { numRuns: 300 });

const shallRun = (platform: PlanPlatform): boolean =>
  platform.enabled && !platform.pendingDeletion && platform.clouds.length > 0;
const silent = (one: PlanEdge): PlanEdge => ({ ...one, propagate: '' });
const isWrite = (change: PlannedChange): boolean => change.action !== 'delete';

describe('a plan', () => {
  test('of what is deployed is empty', () => {
    law((input) => {
      const changes = planned(input);
      expect(planned({ ...input, instances: applied(input.instances, changes) })).toEqual([]);
    });
  });

  test('leaves on every active cloud what the walk wants, on every inactive one what there was, and nothing elsewhere', () => {
    law((input) => {
      const after = applied(input.instances, planned(input));
      for (const platform of input.platforms) {
        const live = platform.components.filter((component) => !component.pendingDeletion);
        const { depths } = depthsOf(
          live.map((component) => component.id),
          platform.edges,
        );
        for (const cloud of CLOUDS) {
          const names = after
            .filter((one) => one.platformId === platform.id && one.cloudId === cloud)
            .map((one) => one.name);
          const link = platform.clouds.find((one) => one.id === cloud);
          if (!shallRun(platform) || link === undefined || link.adminstatus === 'offline') {
            expect(names).toEqual([]);
          } else if (link.adminstatus === 'inactive') {
            const before = input.instances.filter((one) => one.platformId === platform.id && one.cloudId === cloud);
            expect(new Set(names)).toEqual(new Set(before.map((one) => one.name)));
          } else {
            const counts = instancesWanted(
              {
                components: live.map((component) => component.id),
                edges: platform.edges,
                entrypoint: platform.entrypoint,
                depths,
              },
              link.scale,
            );
            const wanted = live.flatMap((component) =>
              Array.from(
                { length: counts.get(component.id)! },
                (_, index) => `${component.name}-${cloud}-${index + 1}`,
              ),
            );
            expect(new Set(names)).toEqual(new Set(wanted));
          }
        }
      }
    });
  });

  test('makes a component after what it depends on, and deletes it before', () => {
    law((input) => {
      const changes = planned(input);
      for (const { from, to } of input.platforms.flatMap((platform) => platform.edges)) {
        for (const cloud of CLOUDS) {
          const at = (id: number, writes: boolean): number[] =>
            changes
              .filter((change) => change.componentId === id && change.cloudId === cloud && isWrite(change) === writes)
              .map((change) => change.execOrder);
          for (const above of at(from, true)) for (const below of at(to, true)) expect(above).toBeGreaterThan(below);
          for (const above of at(from, false)) for (const below of at(to, false)) expect(above).toBeLessThan(below);
        }
      }
    });
  });

  test('empties offline clouds after every write, and platforms that shall not run after that', () => {
    law((input) => {
      const changes = planned(input);
      const platforms = new Map(input.platforms.map((platform) => [platform.id, platform]));
      const phase = (change: PlannedChange): number => {
        const platform = platforms.get(change.platformId)!;
        if (!shallRun(platform)) return 2;
        return platform.clouds.find((cloud) => cloud.id === change.cloudId)?.adminstatus === 'active' ? 0 : 1;
      };
      const spans = [0, 1, 2].map((wanted) =>
        changes.filter((change) => phase(change) === wanted).map((change) => change.execOrder),
      );
      expect(Math.max(0, ...spans[0]!)).toBeLessThan(Math.min(Infinity, ...spans[1]!));
      expect(Math.max(0, ...spans[0]!, ...spans[1]!)).toBeLessThan(Math.min(Infinity, ...spans[2]!));
      expect(changes.filter((change) => isWrite(change) && phase(change) !== 0)).toEqual([]);
    });
  });

  test('counts its steps from 1 without gaps, in the order of its changes', () => {
    law((input) => {
      const orders = planned(input).map((change) => change.execOrder);
      expect(orders).toEqual([...orders].sort((left, right) => left - right));
      expect([...new Set(orders)]).toEqual(Array.from({ length: new Set(orders).size }, (_, index) => index + 1));
    });
  });

  test('updates exactly the instances whose attributes or attachments differ, and what a change is passed on to', () => {
    law((input) => {
      const quiet = {
        ...input,
        platforms: input.platforms.map((platform) => ({ ...platform, edges: platform.edges.map(silent) })),
      };
      const running = applied(input.instances, planned(quiet));
      const [first] = running;
      fc.pre(first !== undefined);
      const edited = quiet.platforms.map((platform) => ({
        ...platform,
        components: platform.components.map((component) =>
          component.id === first.componentId
            ? { ...component, attached: { ...component.attached, extra: 'new' } }
            : component,
        ),
      }));
      const active = new Set(
        edited
          .filter(shallRun)
          .flatMap((platform) =>
            platform.clouds
              .filter((cloud) => cloud.adminstatus === 'active')
              .map((cloud) => `${platform.id}/${cloud.id}`),
          ),
      );
      const expected = running.filter(
        (one) => one.componentId === first.componentId && active.has(`${one.platformId}/${one.cloudId}`),
      );
      const changes = planned({ ...quiet, platforms: edited, instances: running });
      expect(new Set(changes.map((change) => change.name))).toEqual(new Set(expected.map((one) => one.name)));
    });
  });

  test('replaces what is marked and shall stay, and nothing else', () => {
    law((input) => {
      const changes = planned(input);
      const marked = new Map(input.instances.map((instance) => [instance.id, instance.replace]));
      for (const change of changes) {
        if (change.action === 'replace') expect(marked.get(change.instanceId!)).toBe(true);
        if (change.action === 'update') expect(marked.get(change.instanceId!)).toBe(false);
      }
    });
  });
});

const component = (id: number, name: string, facts: Partial<PlanComponent> = {}): PlanComponent => ({
  id,
  name,
  values: {},
  attached: {},
  services: [],
  pendingDeletion: false,
  ...facts,
});
const edge = (from: number, to: number, facts: Partial<PlanEdge> = {}): PlanEdge => ({
  from,
  to,
  flex: false,
  converge: false,
  current: 1,
  propagate: '',
  portion: 100,
  ...facts,
});
const cloud = (id: number, facts: Partial<PlanCloud> = {}): PlanCloud => ({
  id,
  name: `cloud${id}`,
  priority: '1',
  deploymentOrder: 1,
  scale: 100,
  adminstatus: 'active',
  services: [],
  variables: {},
  ...facts,
});
const platform = (facts: Partial<PlanPlatform>): PlanPlatform => ({
  id: 1,
  name: 'web',
  enabled: true,
  pendingDeletion: false,
  clouds: [cloud(501)],
  components: [],
  edges: [],
  entrypoint: undefined,
  linksTo: [],
  variables: {},
  ...facts,
});
const single = (facts: Partial<PlanPlatform>): PlanInput => ({
  platforms: [platform(facts)],
  instances: [],
  variables: {},
});

test('what another component of the same name left running is deleted, and never becomes an instance of the new one', () => {
  const [user, job] = [1, 2];
  const instances = applied([], planned(single({ components: [component(user, 'nightly')] })));
  const components = [component(user, 'nightly', { pendingDeletion: true }), component(job, 'nightly')];
  expect(
    planned({ ...single({ components }), instances }).map(({ action, componentId }) => [action, componentId]),
  ).toEqual([
    ['add', job],
    ['delete', user],
  ]);
});

describe('a load-balanced platform', () => {
  const [fqdn, lb, compute, secgroup, os, tomcat] = [1, 2, 3, 4, 5, 6];
  const parts = {
    entrypoint: fqdn,
    components: ['fqdn', 'lb', 'compute', 'secgroup', 'os', 'tomcat'].map((name, at) => component(at + 1, name)),
    edges: [
      edge(fqdn, lb),
      edge(lb, compute, { flex: true, current: 3, propagate: 'both' }),
      edge(compute, secgroup, { converge: true }),
      edge(os, compute, { propagate: 'from' }),
      edge(tomcat, os),
    ],
  };
  test('has one machine for each scaled target, rounded up, what is on the machine with each, and shares the rest', () => {
    const changes = planned(single({ ...parts, clouds: [cloud(501, { scale: 50 })] }));
    expect(changes.map(({ name }) => name.replace('-501', '')).sort()).toEqual(
      'compute-1 compute-2 fqdn-1 lb-1 os-1 os-2 secgroup-1 tomcat-1 tomcat-2'.split(' '),
    );
  });

  test('that loses a machine updates what the loss reaches', () => {
    const instances = applied([], planned(single(parts)));
    const changes = planned({ ...single({ ...parts, clouds: [cloud(501, { scale: 50 })] }), instances });
    const byAction = (action: string): string[] =>
      changes.filter((change) => change.action === action).map((change) => change.name);
    expect(byAction('delete')).toEqual(['tomcat-501-3', 'os-501-3', 'compute-501-3']);
    expect(byAction('update').sort()).toEqual(['compute-501-1', 'compute-501-2', 'lb-501-1', 'os-501-1', 'os-501-2']);
    expect(byAction('add')).toEqual([]);
    const lastUpdate = Math.max(...changes.filter(isWrite).map((change) => change.execOrder));
    for (const change of changes) if (!isWrite(change)) expect(change.execOrder).toBeGreaterThan(lastUpdate);
  });
});

describe('a flex relation with a portion', () => {
  const [lb, compute, os, secgroup] = [1, 2, 3, 4];
  const parts = (portion: number, size: string): PlanInput =>
    single({
      entrypoint: lb,
      components: [
        component(lb, 'lb'),
        ...['compute', 'os', 'secgroup'].map((name, at) => component(at + 2, name, { values: { size } })),
      ],
      edges: [
        edge(lb, compute, { flex: true, current: 4, portion }),
        edge(os, compute, { propagate: 'from' }),
        edge(compute, secgroup, { converge: true }),
      ],
    });
  const running = applied([], planned(parts(100, 'S')));

  /** Names of what each run changes until nothing is left to do; at most eight runs. */
  const runsOf = (input: PlanInput): string[][] => {
    const names: string[][] = [];
    let instances = running;
    for (let run = 0; run < 8; run += 1) {
      const changes = planned({ ...input, instances });
      if (changes.length === 0) break;
      names.push(changes.map((change) => change.name).sort());
      instances = applied(instances, changes);
    }
    return names;
  };
  const machines = (...numbers: readonly number[]): string[] => [
    ...numbers.map((number) => `compute-501-${number}`),
    ...numbers.map((number) => `os-501-${number}`),
  ];

  test.each<[number, string[][]]>([
    [100, [[...machines(1, 2, 3, 4), 'secgroup-501-1']]],
    [50, [[...machines(1, 2), 'secgroup-501-1'], machines(3, 4)]],
    [34, [[...machines(1, 2), 'secgroup-501-1'], machines(3, 4)]],
    [1, [[...machines(1), 'secgroup-501-1'], machines(2), machines(3), machines(4)]],
    [0, [['secgroup-501-1']]],
  ])(
    'of %i percent changes as many machines in a run, with what is on them, and the next in the next',
    (portion, runs) => {
      expect(runsOf(parts(portion, 'M'))).toEqual(runs);
    },
  );

  test('holds up neither new machines nor those that go', () => {
    expect(planned(parts(25, 'S')).filter(({ action }) => action === 'add')).toHaveLength(10);
    const none = { ...parts(25, 'S'), instances: running };
    const fewer = none.platforms.map((each) => ({ ...each, clouds: [cloud(501, { scale: 25 })] }));
    expect(planned({ ...none, platforms: fewer }).filter(({ action }) => action === 'delete')).toHaveLength(6);
  });
});

describe('no plan', () => {
  const failureOf = (input: PlanInput): number | undefined => {
    const outcome = planDeployment(input);
    return outcome instanceof NoPlan ? outcome.code : undefined;
  };
  const reference = { components: [component(1, 'os', { values: { hosts: '$OO_GLOBAL{nowhere}' } })] };
  const needy = { components: [component(1, 'compute', { services: ['compute', '*mirror'] })] };

  const SECONDARY = cloud(502, { priority: '2' });
  const MACHINES = cloud(501, { services: ['compute'] });

  test.each<[string, Partial<PlanPlatform>, number | undefined]>([
    ['an unknown variable', reference, 6002],
    ['an unknown variable of a disabled platform', { ...reference, enabled: false }, undefined],
    ['only secondary clouds', { clouds: [cloud(501, { priority: '2' })] }, 6017],
    ['a primary that is offline', { clouds: [cloud(501, { adminstatus: 'offline' }), SECONDARY] }, 6017],
    ['a primary that is inactive', { clouds: [cloud(501, { adminstatus: 'inactive' }), SECONDARY] }, undefined],
    ['no clouds at all', { ...reference, clouds: [] }, undefined],
    ['a service missing', needy, 6019],
    ['a service missing on a disabled platform', { ...needy, enabled: false }, undefined],
    [
      'a service missing on a cloud that is going',
      { ...needy, clouds: [MACHINES, cloud(502, { adminstatus: 'offline' })] },
      undefined,
    ],
    ['only an optional service missing', { ...needy, clouds: [MACHINES] }, undefined],
    ['a circle', { components: [component(1, 'a'), component(2, 'b')], edges: [edge(1, 2), edge(2, 1)] }, 6016],
  ])('with %s: %#', (_, facts, code) => {
    expect(failureOf(single(facts))).toBe(code);
  });
});
