// What a review says of values that nobody declares, and that an environment alone has: found, named, attributed, and said what becomes of them.
import { DIALECTS, routes } from '../../api/contract';
import type { Api } from '../../api/client';
import { ServerError } from '../../api/errors';
import {
  acceptFindings,
  applyReversals,
  ignoring,
  planRevert,
  recordFindings,
  renderReview,
  type DriftFinding,
  type Review,
  type ReviewOptions,
} from '../../drift';
import { testInTurn } from '../dialects-in-turn';
import { commitDesignByHand, configureByHand } from '../world/by-hand';
import {
  ACCEPTING,
  type Kept,
  keptOf,
  NO_RULES,
  revertingIn,
  reviewIn,
  rulesOf,
  unexpectedIn,
} from '../world/drift-world';
import { emptyStack, run } from '../world/engine-simulation';
import { reticent } from '../world/reticent';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { eachWorld } from '../world/world';

const SHOP: StackSpec = {
  variables: { LEVEL: 'info' },
  platforms: { web: { pack: 'custom' } },
  environments: { prod: { clouds: { east: { priority: 1 }, west: { priority: 2 } } } },
};

const FILE = `assembly: { name: shop, owner: team@acme.io }
variables:
  LEVEL: info
platforms:
  web: { pack: oneops/custom:1 }
environments:
  prod:
    clouds: { east: { priority: 1 }, west: { priority: 2 } }
    deploy: {}
`;

const AT = { assembly: 'shop', environment: 'prod' };

describe.each(DIALECTS)('%s: what is set in an environment alone', (dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let kept: readonly Kept[];

  beforeEach(async () => {
    const { stack, errors } = await run(world, emptyStack, resourcesOf(SHOP));
    expect(errors).toEqual([]);
    world.requests();
    kept = keptOf(stack);
  });

  const reviewed = (options: Partial<ReviewOptions> = {}): Promise<Review> =>
    reviewIn(world, kept, { text: FILE, ...options });

  const setLink = (attributes: { readonly [name: string]: string }): Promise<void> => {
    world.clock.advance(1000);
    return configureByHand(world, 'web', 'west', attributes);
  };

  const commit = async (): Promise<void> => {
    world.clock.advance(1000);
    await world.other.call(routes.environments.commit, { address: AT, body: {} });
    world.clock.advance(60_000);
  };

  const one = (review: Review): DriftFinding => {
    expect(review.findings).toHaveLength(1);
    return review.findings[0] as DriftFinding;
  };

  test.each([
    ['pctScale', 'pct_scale', '0', 100, 0, 'high'],
    ['adminstatus', 'adminstatus', 'offline', 'active', 'offline', 'high'],
    ['dpmtOrder', 'dpmt_order', '3', 1, 3, 'medium'],
    ['priority', 'priority', '1', 2, 1, 'medium'],
  ])('a link without an entry in the file: %s', async (attribute, wireName, text, base, live, severity) => {
    await setLink({ [wireName]: text });
    const review = await reviewed();
    expect(one(review)).toMatchObject({
      classification: 'unexpected',
      severity,
      kind: 'CloudConfiguration',
      address: 'acme/shop/prod/web/west',
      attribute,
      expected: { is: 'value', value: base },
      live: { is: 'value', value: live },
      author: { who: 'maria', stage: 'design' },
      at: { file: 'oneops.yaml', line: 7 },
      setIn: { environment: 'prod', follows: 'environment', nextPull: 'keeps' },
    });
    expect(review.outcome).toBe('drift');
    expect(world.writes()).toEqual(['PUT environmentPlatforms.configureCloud']);
  });

  test('a revert leaves what was changed again since the review', async () => {
    await setLink({ pct_scale: '0' });
    const { findings } = await reviewed();
    await setLink({ pct_scale: '20' });
    const { refused, reversals } = await planRevert(revertingIn(world, FILE), findings);
    expect([reversals, refused.map(({ reason }) => reason)]).toEqual([
      [],
      ['it was changed again since the review: make a new one'],
    ]);
  });

  test('drift.yaml keeps out what it names, and what drift ignore writes', async () => {
    await setLink({ pct_scale: '50' });
    const first = await reviewed();
    const rules = rulesOf(`ignore:
  - kind: CloudConfiguration
    record: shop/prod/web/west
    attribute: pct_scale
    reason: a slow cloud
    owner: ann@acme.io
    until: 2999-12-31
`);
    const ruled = await reviewed({ rules });
    expect([ruled.findings, ruled.ignored.length, ruled.outcome]).toEqual([[], 1, 'in-sync']);
    const written = rulesOf(ignoring(NO_RULES, first.findings, { reason: 'known', owner: 'ann@acme.io' }));
    expect((await reviewed({ rules: written })).outcome).toBe('in-sync');
    await setLevel('debug');
    expect((await reviewed({ rules: written })).outcome).toBe('drift');
  });

  const setLevel = async (value: string, owner?: 'manifest'): Promise<void> => {
    world.clock.advance(1000);
    const props = owner ? { ciAttrProps: { owner: { secure: owner, value: owner, encrypted_value: owner } } } : {};
    await world.other.call(routes.environmentVariables.update, {
      address: { ...AT, variable: 'LEVEL' },
      body: { cms_dj_ci: { ciName: 'LEVEL', ciAttributes: { value }, ...props } },
    });
  };

  test.each([
    ['overwrites', undefined, 'the next pull overwrites it'],
    ['keeps', 'manifest', 'the next pull keeps it (locked by the environment)'],
  ] as const)('a variable: the next pull %s it', async (nextPull, owner, words) => {
    await setLevel('debug', owner);
    const review = await reviewed();
    const finding = one(review);
    expect(finding).toMatchObject({
      classification: 'unexpected',
      severity: 'medium',
      address: 'acme/shop/environments/prod/variables/LEVEL',
      attribute: 'value',
      expected: { is: 'value', value: 'info' },
      live: { is: 'value', value: 'debug' },
      setIn: { environment: 'prod', follows: 'design', nextPull },
      author: { who: 'maria', stage: 'design' },
    });
    const text = renderReview('text', review, { width: 400 });
    expect(text).toMatch(/set in prod only, by maria, .*, release \d+ \(not committed\); /);
    expect(text).toContain(words);
    expect(text).toMatch(/design +live in prod\n +info +debug/);
    const accepted = acceptFindings([finding], [{ name: 'oneops.yaml', text: FILE }], ACCEPTING);
    expect(accepted.files[0]?.text).toContain('    variables:\n      LEVEL: debug\n');
    const context = revertingIn(world, FILE);
    const { reversals } = await planRevert(context, [finding]);
    await applyReversals(context, reversals);
    const live = await world.api.call(routes.environmentVariables.read, { address: { ...AT, variable: 'LEVEL' } });
    expect([live.ciAttributes['value'], Object.values(live.ciAttrProps?.owner ?? {}).filter(Boolean)]).toEqual([
      'info',
      [],
    ]);
    expect(unexpectedIn(await reviewed())).toEqual([]);
  });

  const setInDesign = async (ciAttributes: { readonly [name: string]: string }): Promise<void> => {
    world.clock.advance(1000);
    await world.other.call(routes.designVariables.update, {
      address: { assembly: 'shop', variable: 'LEVEL' },
      body: { cms_dj_ci: { ciName: 'LEVEL', ciAttributes } },
    });
    await commitDesignByHand(world.other);
  };

  const LEVEL_HERE = 'acme/shop/environments/prod/variables/LEVEL value';

  test('a design that was committed and not pulled is not taken for something that was set in the environment', async () => {
    await setInDesign({ value: 'debug' });
    const review = await reviewed();
    expect(review.findings.map(({ classification, kind }) => [kind, classification])).toContainEqual([
      'Variable',
      'changed',
    ]);
    expect(unexpectedIn(review)).toEqual([]);
    expect(review.notes).toEqual([
      `the design was changed since the last pull of prod, which still has the earlier value: ${LEVEL_HERE}`,
    ]);
    // What is set in the environment afterwards is found.
    await setLevel('trace');
    const after = await reviewed();
    expect([unexpectedIn(after).length, after.notes]).toEqual([1, []]);
  });

  test.each(['open', 'committed'] as const)(
    'a value that was set in the environment before the design was changed is found: %s',
    async (reach) => {
      await setLevel('trace');
      if (reach === 'committed') await commit();
      await setInDesign({ value: 'debug' });
      const review = await reviewed();
      expect(unexpectedIn(review)).toMatchObject([
        { expected: { value: 'debug' }, live: { value: 'trace' }, author: { who: 'maria' } },
      ]);
      expect(review.notes).toEqual([]);
    },
  );

  test('where the service lists no changes of the design, a note names the values that may have been set', async () => {
    // Only the changes of releases show the dependencies between components.
    const [between, ...rest] = (await reviewed({ api: reticent(world.api) })).notes;
    expect([between, rest]).toEqual([expect.stringContaining('changed the dependencies between components'), []]);
    await setLevel('trace');
    await commit();
    expect(unexpectedIn(await reviewed({ api: reticent(world.api) }))).toHaveLength(1);
    await setInDesign({ value: 'debug' });
    const review = await reviewed({ api: reticent(world.api) });
    expect(unexpectedIn(review)).toEqual([]);
    expect(review.notes).toEqual([
      `prod differs from the design, which was changed later, and the service does not show whether somebody set in prod this value: ${LEVEL_HERE}`,
      between,
    ]);
    expect(review.findings.map(({ classification, author }) => [classification, author?.who])).toContainEqual([
      'undeployed',
      'maria',
    ]);
  });

  test('a secret that replaces a plain value is found, and shown nowhere', async () => {
    world.clock.advance(1000);
    await world.other.call(routes.environmentVariables.update, {
      address: { ...AT, variable: 'LEVEL' },
      body: {
        cms_dj_ci: { ciName: 'LEVEL', ciAttributes: { secure: 'true', value: '', encrypted_value: 'l3vel-canary' } },
      },
    });
    const review = await reviewed();
    expect(unexpectedIn(review).map(({ attribute }) => attribute)).toEqual(['encryptedValue', 'value']);
    expect(JSON.stringify(review)).not.toContain('canary');
    const { refused } = recordFindings(review.findings, NO_RULES);
    expect(refused.map(({ finding: { attribute } }) => attribute)).toEqual(['encryptedValue']);
  });

  test('a setting of the environment itself', async () => {
    world.clock.advance(1000);
    const { ciName } = await world.api.call(routes.environments.read, { address: AT });
    await world.other.call(routes.environments.update, {
      address: AT,
      body: { cms_ci: { ciName, ciAttributes: { autorepair: 'false' } } },
    });
    expect((await reviewed()).findings).toMatchObject([
      { classification: 'unexpected', attribute: 'autorepair', expected: { value: true }, live: { value: false } },
    ]);
  });

  test('what is recorded is expected: the next change to it is found, and reverted to what was recorded', async () => {
    await setLink({ pct_scale: '50' });
    const first = await reviewed();
    const { text, recorded: kept50 } = recordFindings(first.findings, NO_RULES);
    expect(kept50).toHaveLength(1);
    const rules = rulesOf(text);
    expect(await reviewed({ rules })).toMatchObject({ findings: [], outcome: 'in-sync', problems: [] });
    // Back to what the environment says is a change, too.
    for (const share of ['40', '100']) {
      await setLink({ pct_scale: share });
      const review = await reviewed({ rules });
      const finding = one(review);
      expect(finding).toMatchObject({
        classification: 'unexpected',
        expected: { value: 50 },
        live: { value: Number(share) },
        recorded: true,
        author: { who: 'maria' },
      });
      expect(recordFindings([finding], { name: 'drift.yaml', text }).text).toContain(`value: ${share}`);
    }
    const { findings } = await reviewed({ rules });
    const context = revertingIn(world, FILE);
    const { reversals, refused } = await planRevert(context, findings);
    expect(refused).toEqual([]);
    await applyReversals(context, reversals);
    expect(unexpectedIn(await reviewed({ rules }))).toEqual([]);
    const other = rulesOf(text.replace('web/west', 'web/north'));
    expect((await reviewed({ rules: other })).problems).toMatchObject([
      {
        severity: 'warning',
        message: expect.stringContaining('web/north pctScale, which no environment under review'),
      },
    ]);
  });

  test.each([routes.environmentPlatforms.list, routes.relays.list])(
    'an environment of which a list cannot be read is not in sync: $name',
    async ({ name }) => {
      const { call } = world.api;
      const api: Api = {
        ...world.api,
        call: (route, input) =>
          route.name === name
            ? Promise.reject(new ServerError({ method: 'GET', path: '/acme', status: 500, messages: ['no'] }))
            : call(route, input),
      };
      const review = await reviewed({ api });
      expect(review.outcome).toBe('incomplete');
      expect(review.unread).toContainEqual({
        kind: 'Environment',
        address: 'acme/shop/prod',
        reason: 'what nobody declares in it could not be read: the service answered 500: no (GET /acme)',
      });
      expect(review.summary).toContain(' other thing');
    },
  );
});
