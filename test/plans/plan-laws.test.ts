// What `plan verify` promises: a plan whose start nobody touched is current, and every change of its start is found, by GETs alone.
// PLANS and SEED in the environment say how many.
import fc from 'fast-check';
import { DIALECTS, routes, type Dialect } from '../../api/contract';
import { ServerError, Unauthenticated } from '../../api/errors';
import type { PlanFile, Verification } from '../../preview';
import { LifecycleError, scopeAt } from '../../provider';
import { lifecycle } from '../../provider/lifecycle';
import { testInTurn } from '../dialects-in-turn';
import { keptOf } from '../world/drift-world';
import { emptyStack, run, type Stack } from '../world/engine-simulation';
import { stacksOf } from '../world/random-stacks';
import { savedPlan, verifiedIn } from '../world/saved-plan';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { choosing } from '../world/stack-yaml';
import { tampered, tamperings } from '../world/tampering';
import { eachWorld, kindOf, makeWorld, ROW, type World } from '../world/world';

const PLANS = Number(process.env['PLANS'] ?? 12);
const SEED = Number(process.env['SEED'] ?? 20_261_122);
/** Stacks that one service holds: making a service takes as long as a small stack. */
const TOGETHER = 4;

async function up(world: World, spec: StackSpec, before: Stack = emptyStack): Promise<Stack> {
  world.nextRun();
  const { stack, errors } = await run(world, before, resourcesOf(spec));
  expect(errors).toEqual([]);
  world.requests();
  return stack;
}

const short = ({ reasons }: Verification): readonly string[] =>
  reasons.map(({ of, address, who = '' }) => [of, address, who].filter(Boolean).join(' '));

const SHOP: StackSpec = {
  platforms: {
    web: {
      pack: 'custom',
      components: {
        deployer: {
          type: 'user',
          attributes: { username: 'deployer', description: 'deploys' },
          attachments: { motd: { content: 'hello', path: '/etc/motd' } },
        },
      },
    },
  },
  environments: { prod: { clouds: { east: { priority: 1 } } } },
};

/** The shop with another description, and with a variable more. */
const EDITED: StackSpec = JSON.parse(
  JSON.stringify({ ...SHOP, variables: { LEVEL: 'info' } }).replace('"deploys"', '"releases"'),
) as StackSpec;

const refusal = (status: number) => ({ method: 'GET', path: '/x', status, messages: ['no'] });

const AT = { assembly: 'shop', platform: 'web', component: 'deployer' };

describe.each(DIALECTS)('%s: a plan of an edit of the shop', (dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let stack: Stack;
  let plan: PlanFile;

  beforeEach(async () => {
    stack = await up(world, SHOP);
    plan = (await savedPlan(world, stack, resourcesOf(EDITED))) as PlanFile;
    world.requests();
  });

  const describeUser = (): Promise<unknown> =>
    world.other.call(routes.components.update, {
      address: AT,
      body: { cms_dj_ci: { ciName: 'deployer', ciAttributes: { description: 'mine' } } },
    });
  const commitDesign = async (): Promise<void> => {
    const latest = await world.other.call(routes.designReleases.latest, { address: { assembly: 'shop' } });
    const address = { assembly: 'shop', release: String(latest.releaseId) };
    await world.other.call(routes.designReleases.commit, { address, body: { desc: 'maria' } });
  };

  test('is current as long as nobody writes', async () => {
    expect(await verifiedIn(world, stack, plan)).toMatchObject({ outcome: 'current', reasons: [], unread: [] });
    expect(world.writes()).toEqual([]);
  });

  test('of the plugin, which also plans what an update leaves as it is, is current until the record is another one', async () => {
    plan = (await savedPlan(world, stack, resourcesOf(EDITED), 'plugin')) as PlanFile;
    expect(await verifiedIn(world, stack, plan)).toMatchObject({ outcome: 'current', reasons: [] });
    const recreated = new Map(
      [...stack].map(([key, kept]) => [key, { ...kept, outputs: { ...kept.outputs, ciId: 1 } }]),
    );
    const verified = await verifiedIn(world, recreated, plan, { api: undefined });
    expect([verified.outcome, short(verified)]).toEqual([
      'stale',
      expect.arrayContaining(['state acme/shop/web/deployer']),
    ]);
  });

  const changes: { readonly [what: string]: readonly [() => Promise<unknown>, RegExp] } = {
    'a record it changes was written': [describeUser, /^record acme\/shop\/web\/deployer maria/],
    'a record it only reads was removed': [
      () => world.other.call(routes.attachments.delete, { address: { ...AT, attachment: 'motd' } }),
      /^record acme\/shop\/web\/deployer\/motd maria/,
    ],
    'somebody created what it creates': [
      () =>
        world.other.call(routes.designVariables.create, {
          address: { assembly: 'shop' },
          body: { cms_dj_ci: { ciName: 'LEVEL', ciAttributes: { value: 'theirs' } } },
        }),
      /^record acme\/shop\/variables\/LEVEL maria/,
    ],
    'another user committed the design': [
      async () => {
        await describeUser();
        await commitDesign();
      },
      /^record acme\/shop\/web\/deployer maria/,
    ],
    'another user committed the design, and discarded the next change of it': [
      async () => {
        const address = { assembly: 'shop', variable: 'TMP' };
        const body = { cms_dj_ci: { ciName: 'TMP', ciAttributes: { value: 'theirs' } } };
        const create = (): Promise<unknown> =>
          world.other.call(routes.designVariables.create, { address: { assembly: 'shop' }, body });
        await create();
        await commitDesign();
        await world.other.call(routes.designVariables.delete, { address });
        await commitDesign();
        await create();
        const latest = await world.other.call(routes.designReleases.latest, { address: { assembly: 'shop' } });
        await world.other.call(routes.designReleases.discard, {
          address: { assembly: 'shop', release: String(latest.releaseId) },
        });
      },
      /^(release acme\/shop|record acme\/shop\/variables\/TMP) maria/,
    ],
    'an environment was deployed': [
      async () => {
        const address = { assembly: 'shop', environment: 'prod' };
        await describeUser();
        await commitDesign();
        await world.other.call(routes.environments.pull, { address });
        world.clock.advance(60_000);
        await world.other.call(routes.environments.commit, { address });
        world.clock.advance(60_000);
      },
      /^deployment acme\/shop\/prod maria/,
    ],
  };
  test.each(Object.entries(changes))('is stale when %s', async (_, [change, expected]) => {
    world.clock.advance(10_000);
    await change();
    world.requests();
    const verified = await verifiedIn(world, stack, plan);
    expect(short(verified).filter((line) => expected.test(line))).not.toEqual([]);
    expect([verified.outcome, world.writes()]).toEqual(['stale', []]);
  });

  test('is stale once the state moved on, also to what it plans, and its digest is another one', async () => {
    const { digest } = await verifiedIn(world, stack, plan, { api: undefined });
    expect(await verifiedIn(world, stack, plan, { digest })).toMatchObject({ outcome: 'current', digest });
    const later = await up(world, EDITED, stack);
    const verified = await verifiedIn(world, later, plan, { digest, api: undefined });
    expect([verified.outcome, short(verified)]).toEqual([
      'stale',
      expect.arrayContaining(['state acme/shop/variables/LEVEL']),
    ]);
    expect(verified.digest).not.toBe(digest);
  });

  test('that somebody changed in its file is not the approved one: that comes first, whatever else seems to differ', async () => {
    const { digest } = await verifiedIn(world, stack, plan, { api: undefined });
    const text = JSON.stringify(plan);
    const edits = [
      text.replace('"releases"', '"evil"'),
      text.replace('"releases"', '"evil"').replaceAll('"description":"releases"', '"description":"evil"'),
      text.replace('["update"]', '["same"]'),
      text.replace('["create"]', '["delete"]'),
    ];
    for (const edited of edits) {
      expect(edited).not.toBe(text);
      const { outcome, reasons } = await verifiedIn(world, stack, JSON.parse(edited) as PlanFile, { digest });
      expect([outcome, reasons[0]]).toEqual([
        'stale',
        expect.objectContaining({
          of: 'plan',
          message: expect.stringContaining('its digest is not the approved') as string,
        }),
      ]);
    }
  });

  test.each([
    ['incomplete', new ServerError(refusal(500))],
    ['authentication', new Unauthenticated(refusal(401))],
  ])('that cannot be read is not current: %s', async (outcome, error) => {
    const api = { ...world.api, call: () => Promise.reject(error) };
    expect(await verifiedIn(world, stack, plan, { api })).toMatchObject({ outcome, reasons: [] });
  });
});

const specs = stacksOf(['web', 'cache'], ['prod']);
const pairs = fc.array(fc.tuple(specs, specs), { minLength: TOGETHER, maxLength: TOGETHER });
const choices = fc.array(fc.nat(59), { minLength: 20, maxLength: 20 });

/** Applies the first stack of each pair, plans the second, and holds a law of it. */
async function withPlans(
  dialect: Dialect,
  all: readonly (readonly [StackSpec, StackSpec])[],
  law: (world: World, stack: Stack, plan: PlanFile, index: number) => Promise<void>,
): Promise<void> {
  const world = makeWorld(dialect);
  try {
    for (const [index, [first, second]] of all.entries()) {
      const assembly = `shop${index}`;
      const stack = await up(world, { ...first, assembly });
      // What was written within seconds of a plan counts as written since.
      world.clock.advance(60_000);
      const plan = await savedPlan(world, stack, resourcesOf({ ...second, assembly }));
      world.requests();
      if (plan !== undefined) await law(world, stack, plan, index);
    }
  } finally {
    world.close();
  }
}

test(
  'random plans of random stacks: current as long as nobody writes, refused once any record of the start was written',
  async () => {
    let current = 0;
    let refused = 0;
    const property = fc.asyncProperty(fc.constantFrom(...DIALECTS), pairs, choices, async (dialect, all, numbers) => {
      const choose = choosing(numbers);
      await withPlans(dialect, all, async (world, stack, plan) => {
        const untouched = await verifiedIn(world, stack, plan);
        expect([short(untouched), untouched.unread, untouched.outcome]).toEqual([[], [], 'current']);
        current += 1;
        const kept = keptOf(stack).flatMap((each) => {
          const of = scopeAt(kindOf(each.token), each.inputs) ?? kindOf(each.token);
          const values = ['DesignRelease', 'Deployment'].includes(of.token) ? [] : tamperings(of, each.inputs, dialect);
          return values.length === 0 ? [] : [{ of, each, values }];
        });
        const chosen = kept[choose(kept.length)];
        if (chosen === undefined) return;
        const { of, each, values } = chosen;
        const value = values[choose(values.length)];
        if (value === undefined || ['clouds', 'links', 'depends'].includes(value.path[0] ?? '')) return;
        const life = lifecycle(of, () => Promise.resolve(world.other), world.freshSession());
        const seen = await life.read(each.id, each.outputs, ROW);
        try {
          await life.update(each.id, seen?.outputs ?? {}, tampered(each.inputs, [value]), ROW);
        } catch (error) {
          if (!(error instanceof LifecycleError)) throw error;
          // A change that is refused was not made: the availability of a platform that an environment has, for example.
          expect(world.writes()).toEqual([]);
          return;
        }
        world.requests();
        const verified = await verifiedIn(world, stack, plan);
        expect([each.id, value, verified.outcome]).toEqual([each.id, value, 'stale']);
        expect(short(verified).join()).toContain('maria');
        expect(world.writes()).toEqual([]);
        refused += 1;
      });
    });
    await fc.assert(property, { numRuns: Math.ceil(PLANS / TOGETHER), seed: SEED, endOnFailure: true });
    expect(refused).toBeGreaterThan(0);
    process.stdout.write(`plans ${current} current, ${refused} of a changed start, refused ${refused}\n`);
  },
  60_000 + PLANS * 3_000,
);
