// No read shows a secret, so a change of one is known by who wrote its record: a refresh, `up
// --refresh` and a drift review find the same, and the declared value is there afterwards. In both
// dialects.
import type { Api } from '../../api/client';
import { type Dialect, DIALECTS, routes, type Record as WireRecord } from '../../api/contract';
import { DRIFT } from '../../drift';
import { rowsInTurn, testInTurn } from '../dialects-in-turn';
import { actingBefore } from '../world/between';
import { keptOf, reviewIn } from '../world/drift-world';
import {
  type Declared,
  emptyStack,
  preview,
  run,
  type Run,
  type RunOptions,
  type Stack,
} from '../world/engine-simulation';
import { handOf } from '../world/hand';
import { EAST, PROD } from '../world/shop-spec';
import { differingPaths } from '../world/tampering';
import { closedAfterEach, kindOf, ROW, titleOf, type World } from '../world/world';
import { addressOf, type Inputs, type Kind, pathAddress } from '../../provider';
import type { State } from '../../provider/lifecycle';
import { basic } from '../service-caller';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachDialect, TITLED } from '../world/each-dialect';
import { withoutAt } from '../../provider/values';

/** A place that contains a secret. */
interface Home {
  readonly title: string;
  /** What the engine knows the resource by. */
  readonly key: string;
  /** Id of the resource. */
  readonly id: string;
  /** Path of the argument, as findings show it. */
  readonly attribute: string;
  /** Wire name of the secret. */
  readonly wire: string;
  /** Another attribute of the record that the stack does not declare, where it has one. */
  readonly beside?: string;
  readonly declared: string;
  /** As a hand names it. */
  readonly place: string;
}

const HOMES: readonly Home[] = [
  {
    title: 'a variable of the assembly',
    key: 'Variable::variables/KEY',
    id: 'acme/shop/variables/KEY',
    attribute: 'encryptedValue',
    wire: 'encrypted_value',
    declared: 'canary-design',
    place: '$KEY',
  },
  {
    title: 'a variable of a platform',
    key: 'Variable::platforms/web/variables/TOKEN',
    id: 'acme/shop/platforms/web/variables/TOKEN',
    attribute: 'encryptedValue',
    wire: 'encrypted_value',
    declared: 'canary-platform',
    place: 'web/$TOKEN',
  },
  {
    title: 'a variable of an environment',
    key: 'Variable::environments/prod/variables/KEY',
    id: 'acme/shop/environments/prod/variables/KEY',
    attribute: 'encryptedValue',
    wire: 'encrypted_value',
    declared: 'canary-prod',
    place: 'prod:$KEY',
  },
  {
    title: 'a component of a pack',
    key: 'Component::db/mysql',
    id: 'acme/shop/db/mysql',
    attribute: 'attributes.password',
    wire: 'password',
    beside: 'version',
    declared: 'canary-component',
    place: 'db/mysql',
  },
  {
    title: 'an attachment',
    key: 'Attachment::web/licence',
    id: 'acme/shop/web/deployer/licence',
    attribute: 'basicAuthPassword',
    wire: 'basic_auth_password',
    beside: 'checksum',
    declared: 'canary-attachment',
    place: 'web/deployer/licence',
  },
  {
    title: 'a service of a cloud',
    key: 'CloudService::nova',
    id: 'acme/north/nova',
    attribute: 'attributes.password',
    wire: 'password',
    beside: 'region',
    declared: 'canary-service',
    place: '@north/nova',
  },
];

const declaredIn = (title: string): string => HOMES.find((home) => home.title === title)?.declared ?? '';

const SHOP: StackSpec = {
  variables: { KEY: { encryptedValue: declaredIn('a variable of the assembly') } },
  platforms: {
    web: {
      pack: 'custom',
      variables: { TOKEN: { encryptedValue: declaredIn('a variable of a platform') } },
      components: {
        deployer: {
          type: 'user',
          attributes: { username: 'deployer', description: 'deploys' },
          attachments: {
            licence: {
              path: '/opt/licence',
              source: 'http://files.acme.io/licence',
              basicAuthUser: 'reader',
              basicAuthPassword: declaredIn('an attachment'),
            },
          },
        },
      },
    },
    db: {
      pack: 'mysql',
      components: { mysql: { attributes: { password: declaredIn('a component of a pack'), port: '3307' } } },
    },
  },
  environments: {
    prod: { clouds: EAST, variables: { KEY: { encryptedValue: declaredIn('a variable of an environment') } } },
  },
};

const CLOUD: readonly Declared[] = [
  { key: 'Cloud::north', token: 'Cloud', args: { name: 'north', location: 'aws' } },
  {
    key: 'CloudService::nova',
    token: 'CloudService',
    args: {
      cloud: 'north',
      name: 'nova',
      attributes: {
        endpoint: 'https://nova.acme.io',
        tenant: 'acme',
        username: 'deployer',
        password: declaredIn('a service of a cloud'),
      },
    },
    after: ['Cloud::north'],
    deletedWith: 'Cloud::north',
  },
];

/** The resources of the stack; `adopt`: with `adopt: true` on each that contains a secret. */
const resources = ({ adopt = false } = {}): readonly Declared[] =>
  [...CLOUD, ...resourcesOf(SHOP)].map((each) =>
    adopt && HOMES.some(({ key }) => key === each.key) ? { ...each, args: { ...each.args, adopt: true } } : each,
  );

/** Commits what a user left open. What is of a cloud takes effect immediately. */
async function commit(api: Api, { place }: Home): Promise<void> {
  if (place.startsWith('prod:')) await api.call(routes.environments.commit, { address: PROD, body: {} });
  else if (!place.startsWith('@')) await handOf(api).commit();
}

/**
 * Whether a record contains the secret that is declared: the service notes no change when it is
 * sent the one that it contains. Leaves nothing open.
 */
async function holdsDeclared({ maria, clock }: World, { place, wire, declared }: Home): Promise<boolean> {
  const stamp = async (): Promise<string> => {
    const { rfcId, rfcUpdated, lastAppliedRfcId, updated } = await maria.read(place);
    return [rfcId, rfcUpdated, lastAppliedRfcId, updated].join(' ');
  };
  const before = await stamp();
  clock.advance(1000);
  await maria.set(place, { [wire]: declared });
  return (await stamp()) === before;
}

/** The resources with other arguments of a place. */
const editedAt = (homes: readonly Home[], args: Inputs, given = resources()): readonly Declared[] =>
  given.map((each) =>
    homes.some(({ key }) => key === each.key) ? { ...each, args: { ...each.args, ...args } } : each,
  );

const MYSQL = HOMES.find(({ title }) => title === 'a component of a pack')!;
/** An attribute next to its secret is edited. */
const MYSQL_EDITED = editedAt([MYSQL], { attributes: { password: MYSQL.declared, port: '3308' } });

eachDialect('%s', (test, world, dialect) => {
  let stack: Stack;

  const up = async (options?: RunOptions): Promise<Run> => {
    world.requests();
    const done = await run(world, stack, resources(), options);
    stack = done.stack;
    expect(done.errors).toEqual([]);
    return done;
  };

  beforeEach(async () => {
    stack = emptyStack;
    await up();
  });

  /** `acme/shop/db/mysql attributes.password`, as a refresh finds them. */
  const refreshed = async (): Promise<readonly string[]> => {
    world.nextRun();
    const found: string[] = [];
    for (const { token, id, inputs, outputs } of stack.values()) {
      const { __provider: _, ...known } = outputs;
      const state = await world.life(token).read(id, known, ROW);
      found.push(...differingPaths(kindOf(token), inputs, state?.inputs ?? {}).map((path) => `${id} ${path}`));
    }
    return found.sort();
  };

  /** The same, as a review finds them: what counts, and secrets that may have been written, too. */
  const reviewed = async (): Promise<{ readonly all: readonly string[]; readonly counting: readonly string[] }> => {
    const { findings } = await reviewIn(world, keptOf(stack));
    const found = findings.filter(
      ({ attribute, classification }) => attribute !== undefined && classification !== 'undeployed',
    );
    const text = ({ address, attribute }: (typeof found)[number]): string => `${address} ${attribute}`;
    return {
      all: found.map(text).sort(),
      counting: found
        .filter(({ classification }) => DRIFT.includes(classification))
        .map(text)
        .sort(),
    };
  };

  const nothingLeft = async (homes: readonly Home[] = HOMES): Promise<void> => {
    expect(await refreshed()).toEqual([]);
    expect((await reviewed()).all).toEqual([]);
    expect(await preview(world, stack, resources())).toMatchObject({ steps: [], errors: [] });
    for (const home of homes) expect([home.title, await holdsDeclared(world, home)]).toEqual([home.title, true]);
  };

  test('our own runs change no secret: first one, unchanged, refreshed, and with another attribute edited', async () => {
    await nothingLeft();
    await up();
    await up({ refresh: true });
    await nothingLeft();
  });

  test.each(['open', 'committed'] as const)('somebody writes a secret: %s', async (stage) => {
    for (const home of HOMES) {
      world.clock.advance(1000);
      await world.maria.set(home.place, { [home.wire]: 'foreign' });
      if (stage === 'committed') await commit(world.other, home);
      const expected = [`${home.id} ${home.attribute}`];
      expect([home.title, await refreshed(), await reviewed()]).toEqual([
        home.title,
        expected,
        { all: expected, counting: expected },
      ]);
      const done = await up({ refresh: true });
      expect(done.steps).toContain(`update ${home.key}`);
      expect(done.notices.join('\n')).toMatch(new RegExp(`${home.wire} .*changed by maria at 2026-`));
      await nothingLeft([home]);
    }
  });

  test('a separate refresh keeps the finding in the state, and the next run writes the declared value', async () => {
    const [home] = HOMES as readonly [Home];
    await world.maria.set(home.place, { [home.wire]: 'foreign' });
    await commit(world.other, home);
    await up({ refresh: true, targets: [] });
    await up({ refresh: true, targets: [] });
    expect((await up()).steps).toContain(`update ${home.key}`);
    await nothingLeft();
  });

  test('another attribute of the record is written: the secret is written again where nothing rules out that it changed', async () => {
    for (const home of HOMES.filter(({ beside }) => beside !== undefined)) {
      world.clock.advance(1000);
      await world.maria.set(home.place, { [home.beside as string]: '1' });
      // Only an open change lists its attributes.
      const isListed = dialect === 'classic' && !/^(prod:|@)/.test(home.place);
      const secret = `${home.id} ${home.attribute}`;
      expect([home.title, await refreshed(), (await reviewed()).all]).toEqual([
        home.title,
        ...(isListed ? [[], []] : [[secret], [secret]]),
      ]);
      await commit(world.other, home);
      expect([home.title, await refreshed(), (await reviewed()).all]).toEqual([home.title, [secret], [secret]]);
      await up({ refresh: true });
      await nothingLeft([home]);
    }
  });

  test("an edit on top of another user's secret, without a refresh, writes the declared secret, too, and says so", async () => {
    await world.maria.set(MYSQL.place, { [MYSQL.wire]: 'foreign' });
    const done = await run(world, stack, MYSQL_EDITED);
    expect([done.errors, done.notices.join('\n')]).toEqual([
      [],
      expect.stringMatching(/password (was|may have been) changed by maria at .*: written again/),
    ]);
    expect(await holdsDeclared(world, MYSQL)).toBe(true);
  });

  test("somebody's secret on top of our own change, before our own commit, is found", async () => {
    let written = false;
    const tampered = actingBefore(world, routes.designReleases.commit, () => {
      written = true;
      return world.maria.set(MYSQL.place, { [MYSQL.wire]: 'foreign' });
    });
    ({ stack } = await run(tampered, stack, MYSQL_EDITED));
    expect(written).toBe(dialect === 'classic');
    const expected = written ? [`${MYSQL.id} ${MYSQL.attribute}`] : [];
    expect([await refreshed(), (await reviewed()).counting]).toEqual([expected, expected]);
    expect((await run(world, stack, MYSQL_EDITED, { refresh: true })).errors).toEqual([]);
    expect(await holdsDeclared(world, MYSQL)).toBe(true);
  });

  test('a new secret that a killed run wrote, taken back in the file, is taken back with a refresh', async () => {
    for (const home of HOMES.filter(({ attribute }) => attribute !== 'attributes.password')) {
      const edited = editedAt([home], { [home.attribute]: 'canary-edited' });
      world.writes();
      expect((await run(world, stack, edited, { killAfter: 1 })).killed).toBe(true);
      expect([home.title, world.writes()]).toEqual([home.title, [expect.stringMatching(/^PUT \w+\.update$/)]]);
      await up({ refresh: true });
      await nothingLeft([home]);
    }
  });

  test('what our own user writes in addition to a run is named, and set back with a refresh; it does not count as drift', async () => {
    const [home] = HOMES as readonly [Home];
    await world.admin.set(home.place, { [home.wire]: 'foreign' });
    await commit(world.api, home);
    const expected = [`${home.id} ${home.attribute}`];
    expect([await refreshed(), await reviewed()]).toEqual([expected, { all: expected, counting: [] }]);
    await up({ refresh: true });
    await nothingLeft();
  });

  test('what a refresh keeps in place of a secret is never sent', async () => {
    const home = HOMES.find(({ wire }) => wire === 'basic_auth_password') as Home;
    await world.maria.set(home.place, { [home.wire]: 'foreign' });
    await up({ refresh: true, targets: [] });
    const kept = stack.get(home.key);
    const { __provider: _, ...inputs } = kept?.inputs ?? {};
    const { __provider: __, ...outputs } = kept?.outputs ?? {};
    world.nextRun();
    // ignoreChanges: the engine hands the state's value on.
    const life = world.life('Attachment');
    await life.update(home.id, outputs, { ...inputs, checksum: 'abc' }, ROW);
    await expect(life.create({ ...inputs, name: 'another' }, ROW)).rejects.toThrow(
      /the value of basic_auth_password is not known: .*ignoreChanges/,
    );
    // The update wrote the checksum alone: what maria set still is there.
    const { rfcId, lastAppliedRfcId } = await world.admin.read(home.place);
    await world.maria.set(home.place, { [home.wire]: 'foreign' });
    const after = await world.admin.read(home.place);
    expect([after.rfcId, after.lastAppliedRfcId]).toEqual([rfcId, lastAppliedRfcId]);
  });
});

// A secret cannot be compared: a record that contains one is taken over when it is ours alone, or
// when that is declared, and is refused otherwise. In both dialects, in every place that may
// contain a secret.

/** With `adopt: true` on what contains a secret, and on what is topmost, for all that is below. */
const ADOPTED = resources({ adopt: true }).map((each) =>
  ['Assembly', 'Cloud'].includes(each.token) ? { ...each, args: { ...each.args, adopt: true } } : each,
);

eachDialect('%s', (test, world) => {
  const up = async (by: World, declared = resources()): Promise<Run> => {
    const done = await run(by, emptyStack, declared);
    expect(done.errors).toEqual([]);
    return done;
  };

  /** The arguments of a resource, as its last run was given them. */
  const argumentsOf = (stack: Stack, { key }: Home): { readonly token: string; readonly inputs: Inputs } => {
    const kept = stack.get(key);
    const { __provider: _, __kept: __, ...inputs } = kept?.inputs ?? {};
    return { token: kept?.token ?? '', inputs };
  };

  const refusal = ({ wire }: Home): RegExp =>
    new RegExp(
      `already there and holds a secret, whose value cannot be compared:\\n {2}${wire}: a secret, which cannot be compared\\n[^]*adopt: true`,
    );

  const refused = async (stack: Stack): Promise<void> => {
    for (const home of HOMES) {
      world.nextRun();
      world.writes();
      const { token, inputs } = argumentsOf(stack, home);
      await expect(world.life(token).create(inputs, ROW)).rejects.toThrow(refusal(home));
      expect([home.title, world.writes().filter((request) => request.startsWith('PUT'))]).toEqual([home.title, []]);
    }
  };

  test('created by another user: refused, and written again when adopt: true is declared', async () => {
    const { stack } = await up({ ...world, api: world.other });
    await refused(stack);
    const done = await up(world, ADOPTED);
    const rows = done.notices.filter((notice) => notice.includes('written again'));
    expect(rows).toHaveLength(HOMES.length);
    rows.forEach((row) => expect(row).toMatch(/taken over; \w+ written again, because no read shows a secret/));
    expect(await preview(world, done.stack, ADOPTED)).toMatchObject({ steps: [], errors: [] });
  });

  test('created by our own run whose state is lost: refused, then taken over with adopt: true, its secrets written again', async () => {
    await up(world);
    // The file contains other secrets by now: what exists there must not be taken for them.
    const homes = HOMES.filter(({ attribute }) => attribute === 'encryptedValue');
    expect((await run(world, emptyStack, resources())).errors.join()).toContain('adopt: true');
    const edited = editedAt(homes, { encryptedValue: 'canary' }, ADOPTED);
    const done = await up(world, edited);
    const rows = done.notices.filter((notice) => notice.includes('taken over') && notice.includes('written again'));
    expect(rows).toHaveLength(HOMES.length);
    expect(await preview(world, done.stack, edited)).toMatchObject({ steps: [], errors: [] });
    for (const home of homes)
      expect([home.title, await holdsDeclared(world, { ...home, declared: 'canary' })]).toEqual([home.title, true]);
  });
});

// Locks (service-facts §2.1.5): ours are on what we declare and go with it; what another user
// locked, and we do not declare, keeps lock and value.
describe('locks', () => {
  const RECORDS = {
    Platform: routes.platforms,
    Component: routes.components,
    Attachment: routes.attachments,
    'Monitor of Component': routes.monitors,
    'Monitor of Component in Environment': routes.environmentMonitors,
    EnvironmentComponent: {
      read: routes.environmentPlatforms.component,
      update: routes.environmentPlatforms.updateComponent,
    },
    EnvironmentAttachment: routes.environmentAttachments,
    'Variable of Assembly': routes.designVariables,
    'Variable of Platform': routes.platformVariables,
    'Variable of Environment': routes.environmentVariables,
    'Variable of Platform in Environment': routes.environmentPlatformVariables,
  };

  type Title = keyof typeof RECORDS;

  /** What Maria sets and nobody declares; what we declare at its base value, and then take out. */
  interface Case {
    readonly theirs: readonly [name: string, text: string];
    readonly atBase: Inputs;
    readonly gone: readonly string[];
  }

  /** Variables are not among them: all three attributes of one are declared together. */
  const CASES: { readonly [title in Title]?: Case } = {
    Platform: { theirs: ['pack_digest', 'set-by-maria'], atBase: { description: '' }, gone: ['description'] },
    Component: {
      theirs: ['ulimit', '20000'],
      atBase: { attributes: { username: 'deployer', login_shell: '/bin/bash' } },
      gone: ['attributes', 'login_shell'],
    },
    Attachment: { theirs: ['run_on_action', '["true"]'], atBase: { path: '/tmp/download_file' }, gone: ['path'] },
  };

  const titled = (titles: object) => rowsInTurn(TITLED.filter(([title]) => title in titles));

  const open = closedAfterEach();
  let world: World;

  interface Made {
    readonly state: State;
    readonly inputs: Inputs;
    record(): Promise<WireRecord>;
    owners(): Promise<{ readonly [name: string]: string | null }>;
    /** Maria sets an attribute, and locks it next to whatever is locked. */
    maria(name: string, text: string): Promise<void>;
  }

  async function make(
    dialect: Dialect,
    of: Kind,
    change: (sample: Inputs) => Inputs = (sample) => sample,
  ): Promise<Made> {
    world = open(dialect);
    const { inputs, made: state } = await world.makeSample(of, change(of.sample.create));
    world.nextRun();
    return { state, inputs, ...recordOf(of, inputs) };
  }

  function recordOf(of: Kind, inputs: Inputs): Pick<Made, 'record' | 'owners' | 'maria'> {
    const at = RECORDS[titleOf(of) as Title];
    const address = pathAddress(of, 'acme', addressOf(of, inputs));
    const record = (): Promise<WireRecord> => world.other.call(at.read, { address });
    const owners: Made['owners'] = async () => (await record()).ciAttrProps?.owner ?? {};
    return {
      record,
      owners,
      async maria(name, text) {
        const { ciId, ciName, ...more } = await record();
        const owner = { ...(await owners()), [name]: 'design' };
        const cms_dj_ci = { ciId, ciName, ciAttributes: { [name]: text }, ciAttrProps: { owner } };
        await world.other.call(at.update, { address, body: { cms_dj_ci, ...linksIn(more) } });
      },
    };
  }

  /** What a PUT must repeat: links of a platform, siblings of a component (service-facts §4.5). */
  function linksIn(record: object): object {
    const { links_to, dependsOn, ciClassName } = record as {
      readonly links_to?: readonly string[];
      readonly dependsOn?: readonly WireRecord[];
      readonly ciClassName?: string;
    };
    const siblings = (dependsOn ?? []).filter((other) => other.ciClassName === ciClassName);
    return {
      ...(links_to ? { links_to } : {}),
      ...(dependsOn ? { sibling_depends_on: siblings.map(({ ciId }) => String(ciId)) } : {}),
    };
  }

  test('the kinds whose records carry locks are those looked at here', async () => {
    const found = new Set<string>();
    for (const [title, of] of TITLED) {
      world = open('classic');
      const { inputs } = await world.makeSample(of);
      const address = pathAddress(of, 'acme', addressOf(of, inputs));
      const path = of.path.replace(/\{(\w+)\}/g, (_, name: string) => address[name] ?? '');
      const headers = { accept: 'application/json', authorization: basic('admin-token') };
      const { body } = await world.service.handle({ method: 'GET', path, headers });
      if (/"(ciAttrProps|attrProps)":\{"owner"/.test(body)) found.add(title);
      world.close();
    }
    expect([...found].sort()).toEqual(Object.keys(RECORDS).sort());
  });

  test.each(titled(RECORDS))('%s %s: everything declared is locked, and nothing else', async (dialect, _, of) => {
    const { owners, state } = await make(dialect, of);
    const before = await owners();
    expect(Object.keys(before)).not.toEqual([]);
    await world.life(of.token).delete(state.id, state.outputs, ROW);
    // An environment's variable is given back, with its lock; the others no longer exist.
    if (of.stage === 'environment') expect(await owners()).toEqual({});
  });

  describe.each(titled(CASES))('%s %s', (dialect, title, of) => {
    const { theirs, atBase, gone } = CASES[title as Title] as Case;
    const [name, text] = theirs;

    const expectTheirs = async ({ record }: Made): Promise<void> => {
      const { ciAttributes, ciAttrProps } = await record();
      expect([ciAttributes[name], ciAttrProps?.owner?.[name]]).toEqual([text, 'design']);
    };

    test('an update keeps what another user locked', async () => {
      const made = await make(dialect, of);
      const ours = await made.owners();
      await made.maria(name, text);
      const news = { ...made.inputs, ...of.sample.update };
      const updated = await world.life(of.token).update(made.state.id, made.state.outputs, news, ROW);
      await expectTheirs(made);
      expect(Object.keys(await made.owners())).toEqual(expect.arrayContaining(Object.keys(ours).filter(isAmong(news))));
      world.nextRun();
      await world.life(of.token).update(made.state.id, updated.outputs, made.inputs, ROW);
      await expectTheirs(made);
    });

    test('a take-over keeps what another user locked', async () => {
      const made = await make(dialect, of);
      await made.maria(name, text);
      await world.life(of.token).create({ ...made.inputs, ...of.sample.update, adopt: true }, ROW);
      await expectTheirs(made);
    });

    test('our lock goes with the field, also of a value that is its base', async () => {
      const made = await make(dialect, of, (sample) => ({ ...sample, ...atBase }));
      expect(await made.owners()).toHaveProperty(gone.at(-1)!);
      await made.maria(name, text);
      await world.life(of.token).update(made.state.id, made.state.outputs, withoutAt(made.inputs, gone), ROW);
      expect(await made.owners()).not.toHaveProperty(gone.at(-1)!);
      await expectTheirs(made);
    });
  });

  /** Whether a wire name's argument, or attribute, is declared. */
  const isAmong =
    (inputs: Inputs) =>
    (name: string): boolean => {
      const argument = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      return argument in inputs || name in ((inputs['attributes'] ?? {}) as Inputs);
    };

  describe.each(DIALECTS)('%s: a component of the pack, given back', (dialect) => {
    const test = testInTurn(dialect);
    const component = kindOf('Component');
    const OS = { assembly: 'shop', platform: 'web', name: 'os', type: 'os' };
    const specOf = (attributes?: Inputs): StackSpec => ({
      platforms: { web: { components: attributes ? { os: { attributes } } : {} } },
    });

    const facts = async (): Promise<unknown> => {
      const { ciAttributes, ciAttrProps } = await recordOf(component, OS).record();
      return { ostype: ciAttributes['ostype'], timezone: ciAttributes['timezone'], owner: ciAttrProps?.owner ?? {} };
    };
    const ONLY_THEIRS = { ostype: 'ubuntu-14.04', timezone: 'UTC', owner: { ostype: 'design' } };

    const platform = async (): Promise<void> => {
      world = open(dialect);
      await world.prepare(component);
      world.nextRun();
    };

    test.each([{ timezone: 'PST' }, undefined])('declared with %j: theirs stay as they are', async (attributes) => {
      await platform();
      const made = await world.life('Component').create({ ...OS, ...(attributes ? { attributes } : {}) }, ROW);
      await recordOf(component, OS).maria('ostype', 'ubuntu-14.04');
      world.nextRun();
      world.writes();
      await world.life('Component').delete(made.id, made.outputs, ROW);
      expect(await facts()).toEqual(ONLY_THEIRS);
      expect(world.writes()).toEqual(attributes ? ['PUT components.update'] : []);
    });

    test('one that leaves the program gives back, before the commit, what it declared, and no more', async () => {
      world = open(dialect);
      const first = await run(world, emptyStack, resourcesOf(specOf({ timezone: 'PST' })));
      expect(first.errors).toEqual([]);
      await recordOf(component, OS).maria('ostype', 'ubuntu-14.04');
      world.nextRun();
      let second = await run(world, first.stack, resourcesOf(specOf()));
      if (dialect === 'classic') {
        // Hers is not committed: it stops the commit, although this run gave the record back.
        expect(second.errors.join('\n')).toMatch(
          /component web\/os: update by maria at \S+: ostype there "ubuntu-14.04"/,
        );
        await world.maria.commit();
        second = await run(world, second.stack, resourcesOf(specOf()));
      }
      expect(second.errors).toEqual([]);
      expect(await facts()).toEqual(ONLY_THEIRS);
      expect((await world.maria.release()).releaseState).toBe('closed');
    });
  });
});
