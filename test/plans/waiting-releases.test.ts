// What was approved is what runs: the comment names each release that another user committed before the plan, and a plan is stale
// once another one was committed since. EDITED and SEED in the environment say how many stacks the law plays.
import fc from 'fast-check';
import { DIALECTS, type Dialect } from '../../api/contract';
import { describePlan, planDigest, previewMarkdown, readStart, withLive } from '../../preview';
import type { Plan, PlanFile, Verification } from '../../preview';
import { rowsInTurn } from '../dialects-in-turn';
import { exportOf, keptOf, reviewIn } from '../world/drift-world';
import { emptyStack, run, type Stack } from '../world/engine-simulation';
import { FOREIGN_EDITS, runningInProd } from '../world/foreign-edits';
import { savedPlan, verifiedIn } from '../world/saved-plan';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { makeWorld, type World } from '../world/world';

const EDITED = Number(process.env['EDITED'] ?? 8);
const SEED = Number(process.env['SEED'] ?? 20_261_124);

const shop = (description: string, priority: number): StackSpec => ({
  platforms: { web: { pack: 'tomcat', description }, db: { pack: 'tomcat' } },
  environments: { prod: { clouds: { east: { priority: 1 }, west: { priority } } } },
});
const SHOP = shop('one', 1);

/** Edits of the stack itself, by what they change. */
const OWN_EDITS = {
  'the design': shop('two', 1),
  'the environment': shop('one', 2),
  both: shop('two', 2),
  nothing: SHOP,
} as const;

async function up(world: World, spec: StackSpec, before: Stack): Promise<Stack> {
  world.nextRun();
  const { stack, errors } = await run(world, before, resourcesOf(spec));
  expect(errors).toEqual([]);
  return stack;
}

/** A world with the shop, and what others did before a plan of an edit was made. */
async function edited(
  dialect: Dialect,
  others: readonly string[],
  own: StackSpec,
): Promise<{ readonly world: World; readonly stack: Stack; readonly plan: PlanFile; readonly shown: Plan }> {
  const world = makeWorld(dialect);
  const stack = await up(world, SHOP, emptyStack);
  world.clock.advance(60_000);
  for (const each of others) await FOREIGN_EDITS[each]?.(world);
  world.clock.advance(60_000);
  const plan = (await savedPlan(world, stack, resourcesOf(own))) as PlanFile;
  world.requests();
  const start = readStart(exportOf(keptOf(stack), { encrypted: true }));
  return { world, stack, plan, shown: describePlan(plan, start, { organization: 'acme' }) };
}

const releasesIn = ({ reasons }: Verification): readonly string[] =>
  reasons.filter(({ of }) => of === 'release').map(({ message, who = '' }) => `${who}: ${message}`);

/** What each edit of another user is named by, and which instances the comment counts. */
const CASES: readonly (readonly [what: string, others: readonly string[], named: RegExp, counted: RegExp])[] = [
  [
    'an undeclared component and what is attached to it',
    ['an attribute that the pack gave', 'an attachment'],
    /~web\/tomcat(?: .*~web\/tomcat\/evil|\/evil)/,
    /2 instances touched/,
  ],
  ['an undeclared attribute', ['a second attribute'], /~web\/tomcat/, /2 instances touched/],
  ['a platform of the same name', ['a platform, deleted and created again'], /-db/, /14 instances touched/],
  ['a variable', ['a variable'], /~variables\/LEVEL/, /is touched is not known/],
  ['a setting of the environment', ['an attribute in the environment'], /~web\/tomcat/, /2 instances touched/],
];

test.each(rowsInTurn(CASES))('%s: a release before the plan with %s is named by its comment', async (...row) => {
  const [dialect, , others, named, counted] = row;
  const { world, stack, plan, shown } = await edited(dialect, others, OWN_EDITS.both);
  try {
    const live = await withLive(shown, world.api);
    const comment = previewMarkdown(live).replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
    expect(comment).toMatch(named);
    expect(comment).toMatch(/of others will come along[^]*maria, 2026-01-05 00:0/);
    expect(comment).toMatch(counted);
    expect(comment).not.toContain('No running instance is touched');
    const verified = await verifiedIn(world, stack, plan);
    expect(world.writes()).toEqual([]);
    if (others.includes('a platform, deleted and created again')) {
      // Another record has the name: this stack's own was deleted.
      const deleted = {
        address: 'acme/shop/db',
        who: 'maria',
        message: expect.stringContaining('it was deleted') as string,
      };
      expect(verified).toMatchObject({ outcome: 'stale', reasons: [deleted] });
      return;
    }
    expect(verified).toMatchObject({ outcome: 'current', reasons: [] });
    // Once it is applied, nothing waits any more.
    const after = await up(world, OWN_EDITS.both, stack);
    const next = (await savedPlan(world, after, resourcesOf(OWN_EDITS.nothing))) as PlanFile;
    expect(await verifiedIn(world, after, next)).toMatchObject({ outcome: 'current', reasons: [] });
  } finally {
    world.close();
  }
});

test.each(rowsInTurn(CASES.slice(0, 2)))(
  '%s: a review names a release with %s that waits',
  async (dialect, _, others, named) => {
    const { world, stack } = await edited(dialect, others, OWN_EDITS.nothing);
    try {
      const { findings, outcome } = await reviewIn(world, keptOf(stack));
      const releases = findings.filter(({ attribute }) => attribute?.startsWith('releases.'));
      const value = releases.map(({ live }) => (live?.is === 'value' ? String(live.value) : '')).join(' ');
      expect(value).toContain('waits to be deployed to acme/shop/prod');
      // A record that has a finding of its own is not listed again.
      const others = findings.map(({ address }) => address.replace('acme/shop/', '~'));
      expect([value, ...others].join(' ')).toMatch(named);
      expect(outcome).not.toBe('in-sync');
      expect(releases.map(({ author }) => author?.who)).toEqual(releases.map(() => 'maria'));
      world.clock.advance(60_000);
      const after = await up(world, OWN_EDITS['the design'], stack);
      expect((await reviewIn(world, keptOf(after))).findings.filter(({ waits }) => waits)).toEqual([]);
    } finally {
      world.close();
    }
  },
);

test.each(rowsInTurn([['one more']]))('%s: an approved plan is stale once others commit %s', async (dialect) => {
  const { world, stack, plan } = await edited(dialect, ['a second attribute'], OWN_EDITS['the design']);
  try {
    const digest = planDigest(plan, readStart(exportOf(keptOf(stack), { encrypted: true })));
    world.clock.advance(60_000);
    await FOREIGN_EDITS['an attachment']?.(world);
    const verified = await verifiedIn(world, stack, plan, { digest });
    expect([verified.outcome, releasesIn(verified).join()]).toEqual([
      'stale',
      expect.stringContaining('committed since'),
    ]);
  } finally {
    world.close();
  }
});

const lives = fc.record({
  dialect: fc.constantFrom(...DIALECTS),
  others: fc.subarray(Object.keys(FOREIGN_EDITS)),
  own: fc.constantFrom(...(Object.keys(OWN_EDITS) as (keyof typeof OWN_EDITS)[])),
});

test(
  'random edits of others before a plan: they are named, or what runs differs only by what the plan says',
  async () => {
    const counts = { named: 0, alike: 0 };
    const law = fc.asyncProperty(lives, async ({ dialect, others, own }) => {
      const { world, stack, plan, shown } = await edited(dialect, others, OWN_EDITS[own]);
      const undisturbed = makeWorld(dialect);
      try {
        const verified = await verifiedIn(world, stack, plan);
        if (verified.outcome === 'stale') {
          expect(verified.reasons.some(({ who }) => who === 'maria')).toBe(true);
          expect(others).not.toEqual([]);
          counts.named += 1;
          return;
        }
        expect(verified.outcome).toBe('current');
        const { live } = await withLive(shown, world.api);
        if (live !== undefined && live.waiting.length > 0) {
          expect(live.waiting.every(({ who }) => who === 'maria')).toBe(true);
          counts.named += 1;
          return;
        }
        await up(world, OWN_EDITS[own], stack);
        await up(undisturbed, OWN_EDITS[own], await up(undisturbed, SHOP, emptyStack));
        expect(await runningInProd(world)).toEqual(await runningInProd(undisturbed));
        counts.alike += 1;
      } finally {
        world.close();
        undisturbed.close();
      }
    });
    await fc.assert(law, { numRuns: EDITED, seed: SEED, endOnFailure: true });
    process.stdout.write(`edits of others: ${counts.named} named, ${counts.alike} without effect on what runs\n`);
    expect(counts.named).toBeGreaterThan(0);
  },
  60_000 + EDITED * 5_000,
);
