// The laws of the way back. The file that an export writes of a running stack makes the same stack elsewhere. A design that the service wrote,
// converted, declares what an export of the design declares. After an import of either, nothing is left to do.
// ROUND_TRIPS and SEED in the environment say how many random stacks, and which.
import fc from 'fast-check';
import { classMetadata, DIALECTS, routes, templateClass, type Dialect } from '../../api/contract';
import { survey } from '../../provider/import';
import type { Inputs, Kind } from '../../provider';
import { convert, exportedStack, readStack, type ExportedStack, type StackPlan } from '../../stack';
import { dialectsInTurn } from '../dialects-in-turn';
import { drift, emptyStack, preview, run, type Declared } from '../world/engine-simulation';
import { declaredIn, imported, programOf } from '../world/plan-program';
import { REFUSED } from '../world/random-lives';
import { withSettings } from '../world/random-settings';
import { randomStack } from '../world/random-stacks';
import { resourcesOf, type EnvironmentSpec, type StackSpec, type SwitchesSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { kindOf, makeWorld, type World } from '../world/world';

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

const CLASSES = { classMetadata, templateClass };

function planOf(text: string): StackPlan {
  const { findings, plan } = readStack([{ name: 'oneops.yaml', text }], {
    ...CLASSES,
    readFile: () => ({ problem: 'none' }),
  });
  expect([text, findings.filter(({ severity }) => severity === 'error')]).toEqual([text, []]);
  if (plan === undefined) throw new Error('no plan');
  return plan;
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

const mapped = <T>(map: { readonly [name: string]: T } = {}, change: (value: T) => T): { readonly [name: string]: T } =>
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
  expect([text, await preview(world, stack, program)]).toEqual([text, { steps: [], errors: [] }]);
  expect([text, await drift(world, stack)]).toEqual([text, []]);
  return program;
}

/** The file that a conversion makes of the design that the service writes. */
async function convertedDesign({ api }: World): Promise<string> {
  const text = await api.call(routes.design.extractYaml, { address: { assembly: 'shop' } });
  const { yaml = '', accounts, findings } = convert({ name: 'design.yaml', text, assembly: 'shop' }, CLASSES);
  // A text of the stack may refer to a variable that nobody declares.
  const wrong = findings.filter(({ code }) => code !== 'undeclared-variable');
  expect([text, wrong]).toEqual([text, []]);
  expect([text, accounts.filter(({ outcome }) => outcome === 'left behind')]).toEqual([text, []]);
  return yaml;
}

/** The lines of a file, in any order: a service lists records by their numbers. */
const linesOf = ({ text }: ExportedStack): readonly string[] => text.split('\n').sort();

/** What a pack brings is not in a design that the service writes, changed or not. */
const MONITOR_OF_PACK = /^Monitor::(\w+)\/(\w+)\/monitors\/\1-\2-/;

const keysOf = (all: readonly { readonly key: string }[]): readonly string[] => all.map(({ key }) => key).sort();

/** What every platform of every environment has, whoever set it. */
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

test.each(dialectsInTurn(0))(
  'what is declared of healing before the first deployment is in the file, %s',
  async (dialect) => {
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
  },
);

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

test.each(dialectsInTurn(0))(
  'secrets in clear are in no export, and only variables become encrypted, %s',
  async (dialect) => {
    const world = makeWorld(dialect);
    try {
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
      expect(await preview(world, done.stack, program)).toEqual({ steps: [], errors: [] });
    } finally {
      world.close();
    }
  },
);
