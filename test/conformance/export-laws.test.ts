// The laws of an export: the file of a running stack makes the same stack elsewhere, and after an import of what it declares nothing is left to do.
// RUNS and SEED in the environment say how many random stacks, and which.
import fc from 'fast-check';
import { classMetadata, DIALECTS, templateClass, type Dialect } from '../../api/contract';
import { survey } from '../../provider';
import { exportedStack, readStack, type ExportedStack, type StackPlan } from '../../stack';
import { drift, emptyStack, preview, run } from './engine-simulation';
import { declaredIn, imported, programOf } from './plan-program';
import { REFUSED } from './random-lives';
import { randomStack } from './random-stacks';
import { resourcesOf, type StackSpec } from './stack-spec';
import { differences } from './stands-as-declared';
import { makeWorld, type World } from './world';

const RUNS = Number(process.env['RUNS'] ?? 2);
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

async function exported(world: World): Promise<ExportedStack> {
  world.requests();
  const stack = exportedStack(await survey(world.api, { address: 'Assembly:acme/shop', isWanted: isAny }), []);
  expect(world.writes()).toEqual([]);
  return stack;
}

function planOf({ text }: ExportedStack): StackPlan {
  const { findings, plan } = readStack([{ name: 'oneops.yaml', text }], {
    classMetadata,
    templateClass,
    readFile: () => ({ problem: 'none' }),
  });
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (plan === undefined) throw new Error('no plan');
  return plan;
}

/** The values of the secrets, as the stack declared them. */
function secretsIn(spec: StackSpec, { secrets }: ExportedStack): { readonly [name: string]: unknown } {
  const declared = new Map(resourcesOf(spec).map(({ key, args }) => [key, args]));
  return Object.fromEntries(
    secrets.map(({ name, kind, id, path }) => {
      const own = declared.get(`${kind}::${id.split('/').slice(2).join('/')}`);
      const value = path.reduce<unknown>((inner, step) => (inner as { readonly [key: string]: unknown })[step], own);
      return [name, value];
    }),
  );
}

/** The lines of a file, in any order: a service lists records by their numbers. */
const linesOf = ({ text }: ExportedStack): readonly string[] => text.split('\n').sort();

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
    // A secret that came with a pack is none of the file's.
    const secrets = Object.entries(secretsIn(spec, file));
    expect(secrets.filter(([, value]) => value === undefined)).toEqual([]);
    const plan = planOf(file);
    const config = secretsIn(spec, file);
    const program = programOf(plan, config);

    const { stack } = await imported(declaredIn(plan, config), world.life);
    world.nextRun();
    expect([file.text, await preview(world, stack, program)]).toEqual([file.text, { steps: [], errors: [] }]);
    expect(await drift(world, stack)).toEqual([]);

    const made = await run(elsewhere, emptyStack, program);
    expect(made.errors).toEqual([]);
    expect([file.text, await differences(elsewhere, spec)]).toEqual([file.text, await differences(world, spec)]);
    elsewhere.nextRun();
    expect(linesOf(await exported(elsewhere))).toEqual(linesOf(file));
    return 'held';
  } finally {
    world.close();
    elsewhere.close();
  }
}

test.each(DIALECTS)('a stack with a record of every sort, %s', async (dialect) => {
  expect(await hold(dialect, WIDE)).toBe('held');
});

test(
  'random stacks',
  async () => {
    let held = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...DIALECTS), randomStack, async (dialect, spec) => {
        if ((await hold(dialect, spec)) === 'held') held += 1;
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
    process.stdout.write(`random stacks exported, ${held} of ${RUNS} imported and made elsewhere, seed ${SEED}\n`);
  },
  60_000 + RUNS * 10_000,
);
