// What accepting promises of any file, in any layout: it says the live value afterwards, otherwise what it said before, and its comments stay. RUNS and SEED in the environment say how many stacks, and which.
import fc from 'fast-check';
import { Lexer } from 'yaml';
import { type Dialect, DIALECTS, routes } from '../../api/contract';
import { acceptFindings, type CodeRecord, type DriftFinding, type Shown } from '../../drift';
import { fieldOf, type Inputs, type Kind } from '../../provider';
import { sameValue } from '../../provider/values';
import { sizeFinding } from '../world/sample-review';
import { acceptedIn, codeOf, keptOf, reviewIn } from '../world/drift-world';
import { eachDialect } from '../world/each-dialect';
import { eachStack } from '../world/each-stack';
import { randomStack } from '../world/random-stacks';
import { type EnvironmentSpec, resourcesOf, type StackSpec, type SwitchesSpec } from '../world/stack-spec';
import { choosing, documentOf, yamlText } from '../world/stack-yaml';
import { tamperings } from '../world/tampering';
import { survey } from '../../provider/import';
import { readStack, type StackPlan } from '../../stack';
import { convert } from '../../stack/convert/convert';
import { exportedStack, type ExportedStack } from '../../stack/export/export';
import { dialectsInTurn } from '../dialects-in-turn';
import { type Declared, drift, emptyStack, preview, run, type Run } from '../world/engine-simulation';
import { declaredIn, imported, programOf } from '../world/plan-program';
import { REFUSED } from '../world/random-lives';
import { withSettings } from '../world/random-settings';
import { differences } from '../world/stands-as-declared';
import { closedAfterEach, kindOf, makeWorld, type World } from '../world/world';

const RUNS = Number(process.env['RUNS'] ?? 20);
const SEED = Number(process.env['SEED'] ?? 20_261_121);

const world = {
  environment: { readFile: () => ({ problem: 'there is no such file' }) },
  organization: 'acme',
};

/** Changes of one stack that are accepted, one after the other. */
const AT_MOST = 6;

/** Why a file cannot contain a value that somebody wrote on the service. */
const NOT_HELD: readonly RegExp[] = [
  // What is written by hand.
  /^it is in one text with the pack/,
  /^comments of its parts would get lost/,
  /^the file says it in short/,
  /^the file would no longer be valid: \S+ "\w+" must be /,
  /^the file would no longer be valid: \S+ there is no platform "tampered"/,
  // Clouds that left, which the file configures further down.
  /^the file would no longer be valid: \S+ the environment "\w+" has no cloud /,
  /^the file would no longer be valid: \S+ no cloud is active with priority 1/,
  /^the file would no longer be valid: \S+ "\w+" (is required|cannot be empty)/,
];

const choices = fc.array(fc.nat(59), { minLength: 60, maxLength: 60 });

/** Texts as somebody may have written them on the service. */
const texts = fc.array(
  fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      'true',
      '12',
      '~',
      'a: b',
      '# no',
      '- x',
      '"',
      "it's",
      '${x}',
      '$${x}',
      'a\nb',
      'a\n\n b\n',
      '\n',
      'ä🙂',
      '{a',
    ),
    fc.string({ maxLength: 12 }),
  ),
  { minLength: 20, maxLength: 20 },
);

/** Another value for one attribute of what a file declares; undefined: it is no longer set. */
interface Change {
  readonly of: CodeRecord;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Some changes of all that there could be. */
function changesOf(
  records: readonly CodeRecord[],
  numbers: readonly number[],
  words: readonly string[],
): readonly Change[] {
  const choose = choosing(numbers);
  return records
    .filter(({ kind }) => !['DesignRelease', 'Deployment'].includes(kind.token))
    .flatMap((of) =>
      tamperings(of.kind, of.inputs)
        .filter(() => choose(4) === 0)
        .map(({ path, value }): Change => {
          const isFree = typeof value === 'string' && ['content', 'attributes', 'description'].includes(path[0] ?? '');
          const way = choose(5);
          if (isFree && way > 1) return { of, path, value: words[choose(words.length)] };
          // A variable is its value.
          if (way === 1 && path[0] !== 'name' && of.kind.token !== 'Variable') return { of, path, value: undefined };
          return { of, path, value };
        }),
    );
}

const shown = (value: unknown): Shown => (value === undefined ? { is: 'absent' } : { is: 'value', value });

const findingOf = ({ of, path, value }: Change, code: readonly CodeRecord[]): DriftFinding =>
  sizeFinding({
    kind: of.kind.token,
    address: of.id,
    logicalName: of.logicalName,
    attribute: path.join('.'),
    code: shown(at(said(code).get(`${of.kind.token} ${of.id}`), path)),
    live: shown(value),
  });

/** What a file says, by record; the place of a value is not part of it. */
const said = (records: readonly CodeRecord[]): ReadonlyMap<string, Inputs> =>
  new Map(records.map(({ kind, id, inputs }) => [`${kind.token} ${id}`, inputs]));

const without = (inputs: Inputs, [name = '', entry]: readonly string[]): Inputs => {
  const { [name]: inner, ...others } = inputs;
  return entry === undefined ? others : { ...others, [name]: without((inner ?? {}) as Inputs, [entry]) };
};

const at = (inputs: Inputs | undefined, path: readonly string[]): unknown =>
  path.reduce<unknown>((soFar, step) => (soFar as Inputs | undefined)?.[step], inputs);

/** The reading after a change against the one before. */
function expectOnly({ of, path, value }: Change, before: readonly CodeRecord[], after: readonly CodeRecord[]): void {
  const key = `${of.kind.token} ${of.id}`;
  const [old, now] = [said(before), said(after)];
  expect([...now.keys()].sort()).toEqual([...old.keys()].sort());
  for (const [name, inputs] of old) {
    // A deployment's clouds follow from its environment's.
    if (path[0] === 'clouds' && name.startsWith('Deployment ')) continue;
    const own = name === key ? path : undefined;
    const next = now.get(name) ?? {};
    expect([name, own ? without(next, own) : next]).toEqual([name, own ? without(inputs, own) : inputs]);
  }
  const shape = path.length > 1 ? ({ type: 'open' } as const) : fieldOf(of.kind, path[0] ?? '')?.shape;
  expect(shape && sameValue(shape, at(now.get(key), path), value)).toBe(true);
}

/** Comments that stand in lines of their own, and behind values: as many of each as before, or more. */
const commentsOf = (text: string): readonly string[] =>
  [...new Lexer().lex(text)].filter((token) => token.startsWith('#')).map((token) => token.trim());

test(
  'a file says what was accepted, and the rest as before, with its comments',
  () => {
    let accepted = 0;
    const law = (spec: StackSpec, numbers: readonly number[], words: readonly string[]): void => {
      let text = yamlText(documentOf(spec), choosing(numbers));
      let code = codeOf(text);
      for (const change of changesOf(code, numbers, words).slice(0, AT_MOST)) {
        const result = acceptFindings([findingOf(change, code)], [{ name: 'oneops.yaml', text }], world);
        const after = result.files[0]?.text ?? '';
        const reasons = result.refused.map(({ reason }) => reason);
        expect(reasons.filter((reason) => !NOT_HELD.some((known) => known.test(reason)))).toEqual([]);
        if (result.accepted.length === 0) expect(after).toBe(text);
        if (result.accepted.length === 0) continue;
        accepted += 1;
        const read = codeOf(after);
        expectOnly(change, code, read);
        if (change.value !== undefined)
          expect(commentsOf(after)).toEqual(expect.arrayContaining([...commentsOf(text)]));
        [text, code] = [after, read];
      }
    };
    fc.assert(fc.property(randomStack, choices, texts, law), { numRuns: RUNS, seed: SEED, endOnFailure: true });
    process.stdout.write(`accepted changes ${accepted}, read back as accepted ${accepted}\n`);
  },
  60_000 + RUNS * 3_000,
);

function planOf(text: string): StackPlan {
  const { findings, plan } = readStack([{ name: 'oneops.yaml', text }], {
    readFile: () => ({ problem: 'none' }),
  });
  expect([text, findings.filter(({ severity }) => severity === 'error')]).toEqual([text, []]);
  if (plan === undefined) throw new Error('no plan');
  return plan;
}

// What an accepted change is to the next run: nothing of another user's, so that a run that refuses theirs goes through and leaves it as it is.
describe('after accepting, a run that refuses changes of others', () => {
  const FILE = `assembly: { name: shop, owner: team@acme.io }
variables: { LEVEL: warn }
platforms:
  web:
    pack: oneops/tomcat:1
    variables: { HOME: /home }
    components:
      tomcat: { max_threads: 100 }
      user: { deployer: { username: deployer, attachments: { motd: { path: /etc/motd, content: hello } } } }
environments:
  prod:
    clouds: { east: { priority: 1 }, west: { priority: 1 } }
    availability: redundant
    variables: { LEVEL: debug }
    deploy: { others: refuse }
    platforms:
      web:
        clouds: { west: { pct_scale: 120 } }
        scale: { compute: { current: 2, max: 4 } }
        variables: { HOME: /prod }
        components: { tomcat: { protocol: HTTP/1.1 } }
`;

  /** What another user writes: in the design, and in the environment with a lock and without one. */
  const WRITTEN: readonly (readonly [place: string, attribute: string, value: string, later: string])[] = [
    ['web/tomcat', 'max_threads', '771', '772'],
    ['$LEVEL', 'value', 'hers', 'hers again'],
    ['web/$HOME', 'value', '/hers', '/hers/again'],
    ['web/deployer/motd', 'content', 'hers', 'hers again'],
    ['prod:web/tomcat', 'max_threads', '771', '772'],
    ['prod:web/tomcat', 'protocol', 'HTTP/1.0', 'HTTP/2.0'],
    ['prod:$LEVEL', 'value', 'hers', 'hers again'],
    ['prod:web/$HOME', 'value', '/hers', '/hers/again'],
    ['prod:web/deployer/motd', 'content', 'hers', 'hers again'],
    ['prod:web', 'autorepair', 'false', 'true'],
  ];

  eachDialect('%s', (test, world) => {
    const own = eachStack(world);

    const write = async (place: string, attributes: { readonly [name: string]: string }, lock = ''): Promise<void> => {
      world.clock.advance(60_000);
      const names = place.includes('$') ? ['secure', 'value', 'encrypted_value'] : Object.keys(attributes);
      const owner = Object.fromEntries(names.map((name) => [name, lock]));
      await world.maria.set(place, attributes, place.startsWith('prod:') ? { owner } : {});
      await (place.startsWith('prod:') ? world.maria.rollOut() : world.maria.commit());
    };

    /** The file after everything is accepted that a review of it finds. */
    const accepted = async (): Promise<string> => {
      world.nextRun();
      const { findings } = await reviewIn(world, keptOf(own.stack), { text: FILE });
      return acceptedIn(FILE, findings).text;
    };

    const ran = async (text: string): Promise<Run> => {
      world.nextRun();
      world.clock.advance(60_000);
      return own.up(programOf(planOf(text), {}));
    };

    const expectFine = async (text: string): Promise<void> => {
      expect(text).not.toBe(FILE);
      const { errors, notices } = await ran(text);
      // Who wrote a record that the file declares from now on is said once.
      const isLeft = (each: string): boolean => each.includes('maria') && !each.endsWith('taken over');
      expect([errors, notices.filter(isLeft)]).toEqual([[], []]);
      world.nextRun();
      const { findings } = await reviewIn(world, keptOf(own.stack), { text });
      expect(findings.filter(({ classification }) => classification !== 'touched')).toEqual([]);
    };

    beforeEach(async () => {
      expect((await ran(FILE)).errors).toEqual([]);
    });

    test.each(
      WRITTEN.flatMap((each) =>
        (each[0].startsWith('prod:') ? ['', 'manifest'] : ['']).map(
          (lock) => [each[0], each[1], each[2], lock] as const,
        ),
      ),
    )('%s %s: goes through and leaves %s; lock "%s"', async (place, attribute, value, lock) => {
      await write(place, { [attribute]: value }, lock);
      const text = await accepted();
      await expectFine(text);
      expect((await world.admin.read(place)).ciAttributes[attribute]).toBe(value);
    });

    test.each([
      ['what scales a platform', () => world.maria.scale({ current: '3', max: '9' })],
      ['what scales a platform, without a lock', () => world.maria.scale({ current: '3', max: '9' }, false)],
      ['what the file says nothing of', () => world.maria.scale({ step_up: '3' })],
      ['a share of a cloud', () => world.maria.configure('web', 'west', { pct_scale: '150' })],
      ['an order of a cloud', () => world.maria.configure('web', 'east', { dpmt_order: '4' })],
      ['a platform that is off', () => world.maria.switch('disable', 'web')],
    ])('%s stays as it is', async (_, act) => {
      await act();
      await world.maria.rollOut();
      const address = { assembly: 'shop', environment: 'prod', platform: 'web' };
      const settings = async () => [
        (await world.api.call(routes.environmentPlatforms.edit, { address })).depends_on.map(
          (each) => each.relationAttributes,
        ),
        (await world.api.call(routes.environmentPlatforms.read, { address })).consumes?.map(
          (each) => each.relationAttributes,
        ),
      ];
      const before = await settings();
      await expectFine(await accepted());
      world.nextRun();
      expect(await settings()).toEqual(before);
    });

    test.each(WRITTEN)(
      '%s %s: what comes between the review and the run is not accepted',
      async (place, attribute, value, later) => {
        await write(place, { [attribute]: value });
        const text = await accepted();
        await write(place, { [attribute]: later });
        const { errors } = await ran(text);
        world.nextRun();
        if (errors.length > 0) expect(errors.join()).toMatch(/maria/);
        else expect((await world.admin.read(place)).ciAttributes[attribute]).toBe(value);
      },
    );
  });
});

// The laws of the way back. The file that an export writes of a running stack makes the same stack elsewhere. A design that the service wrote,
// converted, declares what an export of the design declares. After an import of either, nothing is left to do.
// ROUND_TRIPS and SEED in the environment say how many random stacks, and which.
describe('export', () => {
  const ROUND_TRIPS = Number(process.env['ROUND_TRIPS'] ?? 2);
  const SEED = Number(process.env['SEED'] ?? 20_261_122);

  const WIDE: StackSpec = {
    variables: { LEVEL: 'info', KEY: { encryptedValue: 'k3y' }, EMPTY: '' },
    platforms: {
      web: {
        pack: 'tomcat',
        description: 'front',
        links: ['db'],
        variables: { HOME: '/home/one' },
        components: {
          compute: { attributes: { size: 'L' } },
          deployer: {
            type: 'user',
            attributes: { username: 'deployer', sudoer: true, authorized_keys: ['ssh-rsa AAA'] },
            attachments: { motd: { path: '/etc/motd', content: 'zwei\nZeilen ${x}\n' } },
          },
          os: { monitors: { 'web-os-cpu': { enable: false }, own: { cmd: 'check' } } },
        },
      },
      db: { pack: 'mysql', components: { mysql: { attributes: { port: 3307 } } } },
    },
    environments: {
      prod: {
        clouds: { east: { priority: 1 }, west: { priority: 2, pctScale: 50 } },
        platformAvailability: { web: 'redundant' },
        platforms: { web: { west: { dpmtOrder: 2 } } },
        variables: { LEVEL: 'warn' },
        overrides: {
          web: {
            variables: { HOME: '/home/prod' },
            components: {
              compute: { attributes: { size: 'XL' } },
              deployer: { type: 'user', attachments: { motd: { content: 'prod' } } },
              os: { monitors: { own: { cmd: 'other' } } },
            },
          },
        },
        switches: { web: { autorepair: false, scale: { compute: { current: 3, min: 2 } } } },
      },
      dev: { clouds: { east: { priority: 1 } }, deploy: false },
    },
  };

  const isAny = (): boolean => true;
  const isOfDesign = ({ stage }: Kind): boolean => stage !== 'environment';

  async function exported(world: World, isWanted: (of: Kind) => boolean = isAny): Promise<ExportedStack> {
    world.requests();
    const stack = exportedStack(await survey(world.api, { address: 'Assembly:acme/shop', isWanted }));
    expect(world.writes()).toEqual([]);
    return stack;
  }

  /** The values of a plan's configuration, as the stack declared them at the places that refer to them. */
  function configIn(spec: StackSpec, plan: StackPlan): { readonly [name: string]: unknown } {
    const declared = new Map(resourcesOf(spec).map(({ key, args }) => [key, args]));
    const names = Object.fromEntries(plan.config.map(({ name }) => [name, { name }]));
    const found: { [name: string]: unknown } = {};
    const look = (value: unknown, own: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const name = plan.config.find((each) => names[each.name] === value)?.name;
      if (name !== undefined) found[name] = own;
      else
        for (const [key, inner] of Object.entries(value))
          look(inner, (own as { readonly [key: string]: unknown } | undefined)?.[key]);
    };
    for (const { key, args } of declaredIn(plan, names)) look(args, declared.get(key));
    expect(Object.keys(found).sort()).toEqual(Object.keys(names).sort());
    expect(Object.values(found)).not.toContain(undefined);
    return found;
  }

  /** A stack without what no answer of the service shows: a deployment of nothing, and values of monitors that are the default anyway. */
  function tellable(spec: StackSpec): StackSpec {
    const runs = ({ switches = {} }: EnvironmentSpec): boolean =>
      Object.keys(spec.platforms ?? {}).some((platform) => switches[platform]?.enabled !== false);
    return {
      ...spec,
      platforms: mapped(spec.platforms, (platform) => ({
        ...platform,
        components: mapped(platform.components, (component) => ({
          ...component,
          monitors: mapped(component.monitors, withoutDefaults),
        })),
      })),
      environments: mapped(spec.environments, (own) => (runs(own) ? own : { ...own, deploy: false })),
    };
  }

  const mapped = <T>(
    map: { readonly [name: string]: T } = {},
    change: (value: T) => T,
  ): { readonly [name: string]: T } =>
    Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));

  const withoutDefaults = (monitor: Inputs): Inputs => {
    const { fields } = kindOf('Monitor');
    return Object.fromEntries(Object.entries(monitor).filter(([name, value]) => fields[name]?.base !== String(value)));
  };

  /** Imports what a file declares; then no preview shows a change, and no review a difference. Returns its program. */
  async function standsImported(world: World, spec: StackSpec, text: string): Promise<readonly Declared[]> {
    const plan = planOf(text);
    const config = configIn(spec, plan);
    const program = programOf(plan, config);
    world.nextRun();
    const { stack } = await imported(declaredIn(plan, config), world.life);
    world.nextRun();
    expect([text, await preview(world, stack, program)]).toMatchObject([text, { steps: [], errors: [] }]);
    expect([text, await drift(world, stack)]).toEqual([text, []]);
    return program;
  }

  /** The file that a conversion makes of the design that the service writes. */
  async function convertedDesign({ api }: World): Promise<string> {
    const text = await api.call(routes.design.extractYaml, { address: { assembly: 'shop' } });
    const { yaml = '', accounts, findings } = convert({ name: 'design.yaml', text, assembly: 'shop' });
    expect([text, findings]).toEqual([text, []]);
    expect([text, accounts.filter(({ outcome }) => outcome === 'left behind')]).toEqual([text, []]);
    return yaml;
  }

  /** The lines of a file, in any order: a service lists records by their numbers. */
  const linesOf = ({ text }: ExportedStack): readonly string[] => text.split('\n').sort();

  /** What a pack brings is not in a design that the service writes, changed or not. */
  const MONITOR_OF_PACK = /^Monitor::(\w+)\/(\w+)\/monitors\/\1-\2-/;

  const keysOf = (all: readonly { readonly key: string }[]): readonly string[] => all.map(({ key }) => key).sort();

  /** What every platform of every environment has, set by any user. */
  async function platformsIn({ api }: World, { environments = {} }: StackSpec): Promise<readonly unknown[]> {
    const address = (environment: string) => ({ assembly: 'shop', environment });
    const lists = await Promise.all(
      Object.keys(environments).map((name) => api.call(routes.environmentPlatforms.list, { address: address(name) })),
    );
    return lists.map((list) => Object.fromEntries(list.map(({ ciName, ciAttributes }) => [ciName, ciAttributes])));
  }

  async function hold(dialect: Dialect, spec: StackSpec): Promise<'held' | 'refused'> {
    const world = makeWorld(dialect);
    const elsewhere = makeWorld(dialect);
    try {
      const done = await run(world, emptyStack, resourcesOf(spec));
      if (done.errors.length > 0 && done.errors.every((error) => REFUSED.test(error))) return 'refused';
      expect(done.errors).toEqual([]);
      world.nextRun();
      const file = await exported(world);
      expect([file.notes, file.faults]).toEqual([[], []]);
      const program = await standsImported(world, spec, file.text);

      const made = await run(elsewhere, emptyStack, program);
      expect(made.errors).toEqual([]);
      expect([file.text, await differences(elsewhere, spec)]).toEqual([file.text, await differences(world, spec)]);
      expect([file.text, await platformsIn(elsewhere, spec)]).toEqual([file.text, await platformsIn(world, spec)]);
      elsewhere.nextRun();
      expect(linesOf(await exported(elsewhere))).toEqual(linesOf(file));

      const converted = await standsImported(world, spec, await convertedDesign(world));
      const design = planOf((await exported(world, isOfDesign)).text);
      expect(keysOf(converted)).toEqual(keysOf(design.resources).filter((key) => !MONITOR_OF_PACK.test(key)));
      return 'held';
    } finally {
      world.close();
      elsewhere.close();
    }
  }

  test.each(dialectsInTurn(0))('a stack with a record of every sort, %s', async (dialect) => {
    expect(await hold(dialect, WIDE)).toBe('held');
  });

  test(
    'random stacks',
    async () => {
      let [held, refused] = [0, 0];
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...DIALECTS), randomStack, async (dialect, spec) => {
          if ((await hold(dialect, tellable(withSettings(spec)))) === 'held') held += 1;
          else refused += 1;
        }),
        { numRuns: ROUND_TRIPS, seed: SEED, endOnFailure: true },
      );
      process.stdout.write(
        `round trips ${ROUND_TRIPS - refused}, same ${held}: exported, and designs converted; seed ${SEED}\n`,
      );
    },
    60_000 + ROUND_TRIPS * 10_000,
  );

  /** Platforms whose healing differs from what the class or the pack says; the packs differ in `autoreplace`. The last two have nothing of it. */
  const HEALED: readonly (readonly [pack: string, SwitchesSpec])[] = [
    ['tomcat', { autoreplace: false }],
    ['tomcat', { autorepair: false, autocomply: true, replaceAfterMinutes: 7, replaceAfterRepairs: 9 }],
    ['mysql', { autoreplace: true, autoscale: true }],
    ['mysql', { autorepair: false }],
    ['tomcat', {}],
    ['mysql', {}],
  ];

  test.each(dialectsInTurn(0))('healing declared before the first deployment is in the file, %s', async (dialect) => {
    const named = HEALED.map((each, index) => [`p${index}`, each] as const);
    const spec: StackSpec = {
      platforms: Object.fromEntries(named.map(([name, [pack]]) => [name, { pack }])),
      environments: {
        prod: {
          clouds: { east: { priority: 1 } },
          platformAvailability: Object.fromEntries(named.map(([name]) => [name, 'redundant'])),
          switches: Object.fromEntries(named.map(([name, [, switches]]) => [name, switches])),
        },
      },
    };
    expect(await hold(dialect, spec)).toBe('held');
  });

  /** Secrets that the service shows in clear, in each place where an export finds them. */
  const CLEAR: StackSpec = {
    variables: { API_TOKEN: 'canary-1', OPTIONS: '-Xmx1g -Dpassword=canary-2 -Dx=y', LEVEL: 'info' },
    platforms: {
      web: {
        pack: 'tomcat',
        variables: { db_password: 'canary-3' },
        components: {
          artifact: {
            attributes: {
              ...{ repository: 'r', location: 'https://ada:canary-8@files.acme.io/x' },
              environment: { DB_PASSWORD: 'canary-4', LEVEL: 'info' },
              restart: '-Xmx1g -Dpassword=canary-5',
            },
            attachments: { start: { path: '/start', content: 'a\nexport DB_TOKEN=canary-6\nb $$x\n' } },
          },
        },
      },
    },
    environments: { prod: { clouds: { east: { priority: 1 } }, variables: { API_TOKEN: 'canary-7' } } },
  };

  const open = closedAfterEach();

  const CONFIG = {
    API_TOKEN: 'canary-1',
    OPTIONS: '-Xmx1g -Dpassword=canary-2 -Dx=y',
    'web-db_password': 'canary-3',
    'web-artifact-environment-DB_PASSWORD': 'canary-4',
    'web-artifact-restart': '-Xmx1g -Dpassword=canary-5',
    'web-artifact-start-content': 'a\nexport DB_TOKEN=canary-6\nb $$x',
    'prod-API_TOKEN': 'canary-7',
    'web-artifact-location': 'https://ada:canary-8@files.acme.io/x',
  };

  test.each(dialectsInTurn(0))('no export has a secret in clear; only variables are encrypted, %s', async (dialect) => {
    const world = open(dialect);
    expect((await run(world, emptyStack, resourcesOf(CLEAR))).errors).toEqual([]);
    world.nextRun();
    const file = await exported(world);
    expect([file.notes, file.faults]).toEqual([[], []]);
    expect(JSON.stringify(file)).not.toContain('canary');
    const plan = planOf(file.text);
    expect(plan.config.map(({ name }) => name).sort()).toEqual(Object.keys(CONFIG).sort());
    const program = programOf(plan, CONFIG);
    world.nextRun();
    const { stack } = await imported(declaredIn(plan, CONFIG), world.life);
    world.nextRun();
    const { steps, errors } = await preview(world, stack, program);
    expect(errors).toEqual([]);
    // What commits and deploys the variables changes with them.
    expect(
      steps.filter((step) => !/^update (?:Variable|DesignRelease|Environment|Deployment)::/.test(String(step))),
    ).toEqual([]);
    expect(steps.filter((step) => String(step).startsWith('update Variable::'))).toHaveLength(4);
    world.nextRun();
    const done = await run(world, stack, program);
    expect(done.errors).toEqual([]);
    world.nextRun();
    expect(await preview(world, done.stack, program)).toMatchObject({ steps: [], errors: [] });
    world.close();
  });
});
