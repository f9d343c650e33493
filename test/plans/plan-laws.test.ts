// What `plan verify` promises: a plan whose start nobody touched is current, and every change of
// its start is found, by GETs alone. PLANS and SEED in the environment say how many.
import fc from 'fast-check';
import { type Dialect, DIALECTS } from '../../api/contract';
import { ServerError, Unauthenticated } from '../../api/errors';
import {
  describePlan,
  type Plan,
  planDigest,
  type PlanFile,
  previewMarkdown,
  readStart,
  type Verification,
  withLive,
} from '../../preview';
import { LifecycleError, scopeAt } from '../../provider';
import { rowsInTurn } from '../dialects-in-turn';
import { exportOf, keptOf, reviewIn } from '../world/drift-world';
import { emptyStack, run, type Stack } from '../world/engine-simulation';
import { stacksOf } from '../world/random-stacks';
import { savedPlan, verifiedIn } from '../world/saved-plan';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { choosing } from '../world/stack-yaml';
import { tampered, tamperings } from '../world/tampering';
import { closedAfterEach, kindOf, ROW, type World } from '../world/world';
import { disableDb, FOREIGN_EDITS, runningInProd } from '../world/foreign-edits';
import { eachDialect } from '../world/each-dialect';

const open = closedAfterEach();

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

/** What another user does. */
type Act = (maria: World['maria']) => Promise<unknown>;

const refusal = (status: number) => ({ method: 'GET', path: '/x', status, messages: ['no'] });

eachDialect('%s: a plan of an edit of the shop', (test, world) => {
  let stack: Stack;
  let plan: PlanFile;

  beforeEach(async () => {
    stack = await up(world, SHOP);
    plan = (await savedPlan(world, stack, resourcesOf(EDITED))) as PlanFile;
    world.requests();
  });

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

  const DESCRIBED: Act = (maria) => maria.set('web/deployer', { description: 'mine' });
  const COMMITTED: Act = (maria) => maria.commit();
  const PULLED: Act = (maria) => maria.pull().then(() => maria.commitEnvironment());
  const created =
    (name: string): Act =>
    (maria) =>
      maria.create(`$${name}`, { value: 'theirs' });
  const at = (record: string): RegExp => new RegExp(`^record acme/shop/${record} maria`);
  const USER = at('web/deployer');

  const CHANGES: readonly (readonly [what: string, acts: readonly Act[], named: RegExp])[] = [
    ['a record it changes was written', [DESCRIBED], USER],
    ['a record it only reads was removed', [(maria) => maria.delete('web/deployer/motd')], at('web/deployer/motd')],
    ['somebody created what it creates', [created('LEVEL')], at('variables/LEVEL')],
    ['another user committed the design', [DESCRIBED, COMMITTED], USER],
    [
      'another user committed the design, and discarded the next change',
      [created('TMP'), COMMITTED, DESCRIBED, (maria) => maria.discard()],
      /^(release acme\/shop|record acme\/shop\/variables\/TMP) maria/,
    ],
    [
      'an environment was deployed as it was',
      [(maria) => maria.touch('web/deployer'), (maria) => maria.rollOut()],
      /^deployment acme\/shop\/prod maria/,
    ],
    ['an environment was deployed', [DESCRIBED, COMMITTED, PULLED], /^deployment acme\/shop\/prod maria/],
  ];

  test.each(CHANGES)('is stale when %s', async (_, acts, named) => {
    world.clock.advance(10_000);
    for (const act of acts) await act(world.maria);
    world.requests();
    const verified = await verifiedIn(world, stack, plan);
    expect(short(verified).filter((line) => named.test(line))).not.toEqual([]);
    expect([verified.outcome, world.writes()]).toEqual(['stale', []]);
  });

  test('is stale once the state moved on, also to what it plans, and its digest is another one', async () => {
    const { digest } = await verifiedIn(world, stack, plan, { api: undefined });
    expect(await verifiedIn(world, stack, plan, { digest })).toMatchObject({ outcome: 'current', digest });
    const later = await up(world, EDITED, stack);
    const verified = await verifiedIn(world, later, plan, { digest, api: undefined });
    const message = 'the plan creates this Variable, and it is in the state already';
    const moved = expect.objectContaining({ of: 'state', address: 'acme/shop/variables/LEVEL', message }) as unknown;
    expect(verified).toMatchObject({ outcome: 'stale', reasons: expect.arrayContaining([moved]) as unknown });
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
  const world = open(dialect);
  for (const [index, [first, second]] of all.entries()) {
    const assembly = `shop${index}`;
    const stack = await up(world, { ...first, assembly });
    // What was written within seconds of a plan counts as written since.
    world.clock.advance(60_000);
    const plan = await savedPlan(world, stack, resourcesOf({ ...second, assembly }));
    world.requests();
    if (plan !== undefined) await law(world, stack, plan, index);
  }
  world.close();
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
        const life = world.lifeOf(of);
        const seen = await life.read(each.id, each.outputs, ROW);
        try {
          await life.update(each.id, seen?.outputs ?? {}, tampered(each.inputs, [value]), ROW);
        } catch (error) {
          if (!(error instanceof LifecycleError)) throw error;
          // A change that is refused was not made, such as the availability of a platform.
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

// What was approved is what runs: the comment names each release that another user committed before
// the plan, and a plan is stale once another one was committed since. EDITED and SEED in the
// environment say how many stacks the law plays.
describe('waiting releases', () => {
  const EDITED = Number(process.env['EDITED'] ?? 8);
  const SEED = Number(process.env['SEED'] ?? 20_261_124);

  const shop = (description: string, priority: number, more = {}): StackSpec => ({
    platforms: { web: { pack: 'tomcat', description }, db: { pack: 'tomcat' } },
    environments: { prod: { clouds: { east: { priority: 1 }, west: { priority } }, ...more } },
  });
  const SHOP = shop('one', 1);
  const ACME = { organization: 'acme' };
  const startOf = (stack: Stack) => readStart(exportOf(keptOf(stack), { encrypted: true }));

  /** Edits of the stack itself, by what they change. */
  const OWN_EDITS = {
    'the design': shop('two', 1),
    'the environment': shop('one', 2),
    both: shop('two', 2),
    nothing: SHOP,
  } as const;

  /** A world with the shop, and what others did before a plan of an edit was made. */
  async function edited(
    dialect: Dialect,
    others: readonly string[],
    own: StackSpec,
    first = SHOP,
  ): Promise<{ readonly world: World; readonly stack: Stack; readonly plan: PlanFile; readonly shown: Plan }> {
    const world = open(dialect);
    const stack = await up(world, first, emptyStack);
    world.clock.advance(60_000);
    for (const each of others) await FOREIGN_EDITS[each]?.(world);
    world.clock.advance(60_000);
    const plan = (await savedPlan(world, stack, resourcesOf(own))) as PlanFile;
    world.requests();
    return { world, stack, plan, shown: describePlan(plan, startOf(stack), ACME) };
  }

  const releasesIn = ({ reasons }: Verification): readonly string[] =>
    reasons.filter(({ of }) => of === 'release').map(({ message, who = '' }) => `${who}: ${message}`);

  /** What each edit of another user is named by, and which instances the comment counts. */
  const CASES: readonly (readonly [what: string, others: readonly string[], named: RegExp, counted: RegExp])[] = [
    [
      'an undeclared component and what is attached to it',
      ['an attribute that the pack gave', 'an attachment'],
      /[+]web\/tomcat\/evil/,
      /2 instances touched/,
    ],
    ['an undeclared attribute', ['a second attribute'], /~web\/tomcat/, /2 instances touched/],
    ['a variable', ['a variable'], /\+variables\/LEVEL/, /is touched is not known/],
    ['a setting of the environment', ['an attribute in the environment'], /~web\/tomcat/, /2 instances touched/],
  ];

  /** The file declares the platform: what is planned after this edit is refused. */
  const RENEWED = 'a platform, deleted and created again';

  test.each(rowsInTurn([[RENEWED]]))('%s: %s makes a plan stale, and refuses the next one', async (dialect) => {
    const { world, stack, plan } = await edited(dialect, [], OWN_EDITS.both);
    await FOREIGN_EDITS[RENEWED]?.(world);
    // Another record has the name: this stack's own was deleted.
    const message = expect.stringContaining('it was deleted') as string;
    const reasons = expect.arrayContaining([
      expect.objectContaining({ address: 'acme/shop/db', who: 'maria', message }),
    ]) as object[];
    expect(await verifiedIn(world, stack, plan)).toMatchObject({ outcome: 'stale', reasons });
    expect(await savedPlan(world, stack, resourcesOf(OWN_EDITS.both))).toBeUndefined();
  });

  test.each(rowsInTurn(CASES))('%s: a release before the plan with %s is named by its comment', async (...row) => {
    const [dialect, , others, named, counted] = row;
    const { world, stack, plan, shown } = await edited(dialect, others, OWN_EDITS.both);
    const live = await withLive(shown, world.api);
    const comment = previewMarkdown(live).replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
    expect(comment).toMatch(named);
    expect(comment).toMatch(/of others will come along[^]*maria, 2026-01-05 00:0/);
    expect(comment).toMatch(counted);
    expect(comment).not.toContain('No running instance is touched');
    const verified = await verifiedIn(world, stack, plan);
    expect(world.writes()).toEqual([]);
    expect(verified).toMatchObject({ outcome: 'current', reasons: [] });
    // Once it is applied, nothing waits any more.
    const after = await up(world, OWN_EDITS.both, stack);
    const next = (await savedPlan(world, after, resourcesOf(OWN_EDITS.nothing))) as PlanFile;
    expect(await verifiedIn(world, after, next)).toMatchObject({ outcome: 'current', reasons: [] });
  });

  const commit = async ({ maria, clock }: World): Promise<void> => {
    await maria.commitEnvironment();
    clock.advance(60_000);
  };

  /** What another user takes away in prod, and how a comment names it. */
  const LOSSES: readonly (readonly [what: string, take: (world: World) => Promise<unknown>, named: RegExp])[] = [
    [
      'disabled',
      disableDb,
      /^maria disabled platform db, release \d+, .*: 14 instances of db would be deleted\. pulumi up refuses/,
    ],
    [
      'took offline',
      ({ maria }) => maria.configure('db', 'west', { adminstatus: 'offline' }),
      /^maria set adminstatus of cloud west of platform db to "offline", .*pulumi up refuses/,
    ],
    [
      'scaled down',
      ({ maria }) => maria.scale({ current: '1', min: '1' }, false, 'db'),
      /^maria scaled \S+ of platform db to 1, .*pulumi up refuses/,
    ],
    [
      'deleted in the design',
      async ({ maria }) => {
        await maria.delete('db');
        await maria.commit();
      },
      /^maria deleted platform db from the design, .*14 instances of db would be deleted\. pulumi up refuses/,
    ],
  ];

  test.each(rowsInTurn(LOSSES))('%s: the comment says that a run refuses what another user %s', async (...row) => {
    const [dialect, what, take, named] = row;
    const more = what === 'scaled down' ? { availability: 'redundant' } : {};
    const own = shop('two', 2, more);
    const { world, stack } = await edited(dialect, [], own, shop('one', 1, more));
    const plan = (await savedPlan(world, stack, resourcesOf(own))) as PlanFile;
    await take(world);
    await commit(world).catch(() => undefined);
    world.requests();
    const live = await withLive(describePlan(plan, startOf(stack), ACME), world.api);
    expect(world.writes()).toEqual([]);
    expect(live.risks).toMatchObject([
      { severity: 'high', address: 'acme/shop/prod', message: expect.stringMatching(named) as string },
    ]);
    expect(live.live?.unread.filter((line) => !line.includes('which instances'))).toEqual([]);
    if (String(named).includes('14')) expect(live.live?.touched).toMatchObject([{ effect: 'go' }]);
    if (['disabled', 'took offline'].includes(what)) {
      // A run after a refresh sets this back.
      const read = describePlan(plan, startOf(stack), ACME);
      const isDeployment = ({ kind }: { readonly kind: { readonly token: string } }) => kind.token === 'Deployment';
      const records = read.records?.map((each) =>
        isDeployment(each) ? { ...each, outputs: { ...each.outputs, state: 'db is disabled' } } : each,
      );
      expect((await withLive({ ...read, records: records ?? [] }, world.api)).risks).toEqual([]);
    }
    world.nextRun();
    expect((await run(world, stack, resourcesOf(own))).errors).not.toEqual([]);
  });

  test.each(rowsInTurn([['a second attribute']]))(
    '%s: %s comes along until another user deployed it, and what is locked, set and taken back does not',
    async (dialect, other) => {
      const { world, shown } = await edited(dialect, [other], OWN_EDITS.both);
      const coming = async () => {
        const { live, risks } = await withLive(shown, world.api);
        return [live?.waiting.map(({ of, who, members }) => `${of} ${who} ${members?.join()}`), risks];
      };
      await world.maria.pull();
      expect(await coming()).toEqual([['design maria ~web/tomcat'], shown.risks]);
      await world.maria.set('prod:db/tomcat', { max_threads: '78' });
      await commit(world);
      expect(await coming()).toEqual([['environment maria ~web/tomcat,~db/tomcat'], shown.risks]);
      // A deployment may leave platforms out.
      await world.maria.commitEnvironment('web');
      await world.maria.deploy();
      expect(await coming()).toEqual([['environment maria ~web/tomcat'], shown.risks]);
      expect(await world.maria.rollOut()).toBe(true);
      const { max_threads: before = '' } = (await world.maria.read('prod:web/tomcat')).ciAttributes;
      for (const [value, owner] of [`${before} manifest`, '77 manifest', `${before} `].map((each) => each.split(' '))) {
        await world.maria.set('prod:web/tomcat', { max_threads: value ?? '' }, { owner: { max_threads: owner ?? '' } });
        await commit(world);
      }
      expect(await coming()).toEqual([[], shown.risks]);
    },
  );

  test.each(rowsInTurn(CASES.slice(0, 2)))(
    '%s: a review names a release with %s that waits',
    async (dialect, _, others, named) => {
      const { world, stack } = await edited(dialect, others, OWN_EDITS.nothing);
      const { findings, outcome } = await reviewIn(world, keptOf(stack));
      const releases = findings.filter(({ attribute }) => attribute?.startsWith('releases.'));
      const value = releases.map(({ live }) => (live?.is === 'value' ? String(live.value) : '')).join(' ');
      expect(value).toContain('waits to be deployed to acme/shop/prod');
      // A record that has a finding of its own is not listed again.
      const addresses = findings.map(({ address }) => address.replace('acme/shop/', '~'));
      expect([value, ...addresses].join(' ')).toMatch(named);
      expect(outcome).toBe('drift');
      expect(releases.map(({ author }) => author?.who)).toEqual(releases.map(() => 'maria'));
      for (const release of releases)
        expect(release.advice.revert).toMatch(/^pulumi up deploys it with the next change of the design; /);
      world.clock.advance(60_000);
      const after = await up(world, OWN_EDITS['the design'], stack);
      expect((await reviewIn(world, keptOf(after))).findings.filter(({ waits }) => waits)).toEqual([]);
    },
  );

  test.each(rowsInTurn([['one more']]))('%s: an approved plan is stale once others commit %s', async (dialect) => {
    const { world, stack, plan } = await edited(dialect, ['a second attribute'], OWN_EDITS['the design']);
    const digest = planDigest(plan, startOf(stack));
    world.clock.advance(60_000);
    await world.maria.set('web/tomcat', { min_spare_threads: '7' });
    expect(releasesIn(await verifiedIn(world, stack, plan, { digest })).join()).toMatch(
      /release \d+ (was committed since: waits to be|is open in the design, not committed)/,
    );
    await FOREIGN_EDITS['an attachment']?.(world);
    const verified = await verifiedIn(world, stack, plan, { digest });
    expect(`${verified.outcome} ${releasesIn(verified).join()}`).toMatch(/^stale .*committed since/);
  });

  const lives = fc.record({
    dialect: fc.constantFrom(...DIALECTS),
    others: fc.subarray(Object.keys(FOREIGN_EDITS).filter((each) => each !== RENEWED)),
    own: fc.constantFrom(...(Object.keys(OWN_EDITS) as (keyof typeof OWN_EDITS)[])),
  });

  test(
    'random edits of others before a plan: they are named, or what runs differs only by what the plan says',
    async () => {
      const counts = { named: 0, alike: 0 };
      const law = fc.asyncProperty(lives, async ({ dialect, others, own }) => {
        const { world, stack, plan, shown } = await edited(dialect, others, OWN_EDITS[own]);
        const { outcome, reasons } = await verifiedIn(world, stack, plan);
        expect(['current', 'stale']).toContain(outcome);
        const waiting = outcome === 'stale' ? [] : ((await withLive(shown, world.api)).live?.waiting ?? []);
        if (outcome === 'stale' || waiting.length > 0) {
          if (outcome === 'stale') expect(reasons.some(({ who }) => who === 'maria')).toBe(true);
          expect(waiting.every(({ who }) => who === 'maria')).toBe(true);
          expect(others).not.toEqual([]);
          counts.named += 1;
        } else {
          const undisturbed = open(dialect);
          await up(world, OWN_EDITS[own], stack);
          await up(undisturbed, OWN_EDITS[own], await up(undisturbed, SHOP, emptyStack));
          expect(await runningInProd(world)).toEqual(await runningInProd(undisturbed));
          counts.alike += 1;
          undisturbed.close();
        }
        world.close();
      });
      await fc.assert(law, { numRuns: EDITED, seed: SEED, endOnFailure: true });
      process.stdout.write(`edits of others: ${counts.named} named, ${counts.alike} without effect on what runs\n`);
      expect(counts.named).toBeGreaterThan(0);
    },
    60_000 + EDITED * 5_000,
  );
});
