// An edit of a stack, one write of which the service refuses, and then the edit taken back: one `up --refresh` brings everything to what it was.
// TAKEN_BACK in the environment says how many edits, SEED which.
import fc from 'fast-check';
import { DIALECTS, routes, type Dialect } from '../../api/contract';
import { Unprocessable } from '../../api/errors';
import { emptyStack, run, type Stack } from './engine-simulation';
import { randomVersions, REFUSED } from './random-lives';
import { DEPLOYER, MOTD, SHOP, withComponents, withDeployer, withProd } from './shop-spec';
import { resourcesOf, type StackSpec } from './stack-spec';
import { differences } from './stands-as-declared';
import { makeWorld, type World } from './world';

const EDITS = Number(process.env['TAKEN_BACK'] ?? 8);
const SEED = Number(process.env['SEED'] ?? 20_261_122);

/** The same world, whose service refuses the nth write, or the first by a route, however often it is sent. Tells whether it did. */
function refusing(
  world: World,
  nth: number,
  route?: string,
): { readonly world: World; readonly refused: () => boolean } {
  let writes = 0;
  let refused: string | undefined;
  const call: World['api']['call'] = async (asked, input) => {
    if (asked.method === 'GET') return world.api.call(asked, input);
    const sent = `${asked.name} ${JSON.stringify(input)}`;
    if ((route === undefined || asked.name === route) && (writes += 1) === nth) refused = sent;
    if (sent !== refused) return world.api.call(asked, input);
    throw new Unprocessable({ method: asked.method, path: asked.path, status: 422, messages: ['not now'] });
  };
  return { world: { ...world, api: { ...world.api, call } }, refused: () => refused !== undefined };
}

async function standing(world: World, spec: StackSpec): Promise<Stack> {
  const { stack, errors } = await run(world, emptyStack, resourcesOf(spec));
  expect(errors).toEqual([]);
  return stack;
}

async function expectTakenBack(world: World, stack: Stack, spec: StackSpec): Promise<void> {
  const back = await run(world, stack, resourcesOf(spec), { refresh: true });
  expect(back.errors).toEqual([]);
  expect(await differences(world, spec)).toEqual([]);
  const again = await run(world, back.stack, resourcesOf(spec), { refresh: true });
  expect(again).toMatchObject({ steps: [], errors: [] });
}

const { deployer: _, ...OTHERS } = SHOP.platforms?.['web']?.components ?? {};

/** A component renamed with its attachment, and a variable added. */
const RENAMED: StackSpec = {
  ...SHOP,
  variables: { G1: 'one' },
  platforms: {
    ...SHOP.platforms,
    web: { ...SHOP.platforms?.['web'], components: { ...OTHERS, robot: { ...DEPLOYER, attachments: { motd: MOTD } } } },
  },
};

const EXAMPLES: readonly (readonly [string, string, StackSpec])[] = [
  ['a component renamed with its attachment, and a variable added', 'attachments.create', RENAMED],
  [
    'a platform added',
    'platforms.create',
    { ...RENAMED, platforms: { ...RENAMED.platforms, cache: { pack: 'redisio' } } },
  ],
  ['an attachment added', 'designReleases.commit', withDeployer({ attachments: { motd: MOTD, more: MOTD } })],
  [
    "attributes of a pack's component",
    'designReleases.commit',
    withComponents({ os: { attributes: { timezone: 'CET' } } }),
  ],
  ['a cloud configuration added', 'environments.commit', withProd({ platforms: { web: { east: { dpmtOrder: 3 } } } })],
];

describe.each(DIALECTS)('%s', (dialect) => {
  test.each(EXAMPLES)('%s: refused at %s, taken back', async (_, route, edited) => {
    const world = makeWorld(dialect);
    try {
      const before = await standing(world, SHOP);
      const { world: faulty, refused } = refusing(world, 1, route);
      const failed = await run(faulty, before, resourcesOf(edited));
      if (!refused()) return;
      expect(failed.errors).not.toEqual([]);
      await expectTakenBack(world, failed.stack, SHOP);
    } finally {
      world.close();
    }
  });
});

test('what somebody of the same user made by hand is left alone', async () => {
  const world = makeWorld('classic');
  try {
    const before = await standing(world, SHOP);
    const body = { cms_dj_ci: { ciName: 'HERS', ciAttributes: { value: 'x' } } };
    await world.api.call(routes.designVariables.create, { address: { assembly: 'shop' }, body });
    const done = await run(world, before, resourcesOf(RENAMED), { refresh: true });
    expect(done.errors.join('\n')).toMatch(/variable \$HERS: add by admin at \S+\n[^]*pulumi up --refresh takes back/);
    const all = await world.api.call(routes.designVariables.list, { address: { assembly: 'shop' } });
    expect(all.map(({ ciName }) => ciName)).toContain('HERS');
  } finally {
    world.close();
  }
});

interface Edit {
  readonly dialect: Dialect;
  readonly specs: readonly StackSpec[];
  readonly nth: number;
}

const edit: fc.Arbitrary<Edit> = fc
  .record({ dialect: fc.constantFrom(...DIALECTS), versions: randomVersions(2), nth: fc.integer({ min: 1, max: 20 }) })
  .filter(({ versions }) => !versions.isShared)
  .map(({ dialect, versions, nth }) => ({ dialect, specs: versions.specs, nth }));

test(
  'any edit, any one refusal, the edit taken back: it converges in one up --refresh',
  async () => {
    let refusals = 0;
    const law = async ({ dialect, specs: [first, second], nth }: Edit): Promise<void> => {
      const world = makeWorld(dialect);
      try {
        const from = first as StackSpec;
        const made = await run(world, emptyStack, resourcesOf(from));
        if (made.errors.some((error) => REFUSED.test(error))) return;
        expect(made.errors).toEqual([]);
        const { world: faulty, refused } = refusing(world, nth);
        const failed = await run(faulty, made.stack, resourcesOf(second as StackSpec));
        if (!refused() || failed.errors.length === 0) return;
        refusals += 1;
        await expectTakenBack(world, failed.stack, from);
      } finally {
        world.close();
      }
    };
    await fc.assert(fc.asyncProperty(edit, law), {
      numRuns: EDITS,
      seed: SEED,
      endOnFailure: true,
      ...(process.env['FROM'] ? { path: process.env['FROM'] } : {}),
    });
    process.stdout.write(`edits ${EDITS}, refused and taken back ${refusals}, seed ${SEED}\n`);
  },
  60_000 + EDITS * 10_000,
);
