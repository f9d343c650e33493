// What reverting does of what a review found: of a secret, of what is in an environment; and that no printed request contains a secret.
import { DIALECTS, routes } from '../../api/contract';
import { applyReversal, deployAgain, describeReversal, planRevert, readState, type RevertContext } from '../../drift';
import type { Inputs } from '../../provider';
import { lifecycle } from '../../provider/lifecycle';
import { codeOf, exportOf, keptOf, reviewIn, type Kept } from '../world/drift-world';
import { emptyStack, run } from '../world/engine-simulation';
import { leftToDeploy } from '../world/left-to-deploy';
import { WEB } from '../world/shop-spec';
import { resourcesOf, type StackSpec } from '../world/stack-spec';
import { documentOf, yamlText } from '../world/stack-yaml';
import { eachWorld, kindOf, ROW } from '../world/world';

const SPEC: StackSpec = {
  variables: { KEY: { encryptedValue: 's3cret-canary' }, LEVEL: 'info' },
  platforms: {
    db: { pack: 'mysql', components: { mysql: { attributes: { password: 'p4ss-canary', port: '3306' } } } },
    web: WEB,
  },
  environments: {
    prod: {
      clouds: { east: { priority: 1 }, west: { priority: 2 } },
      platforms: { web: { west: { pctScale: 50 } } },
      variables: { LEVEL: 'debug' },
    },
  },
};

describe.each(DIALECTS)('%s', (dialect) => {
  const world = eachWorld(dialect);
  let kept: readonly Kept[];

  beforeEach(async () => {
    const { stack, errors } = await run(world, emptyStack, resourcesOf(SPEC));
    expect(errors).toEqual([]);
    kept = keptOf(stack);
    world.requests();
  });

  /** Another user writes one argument. */
  const written = async (token: string, id: string, change: Inputs): Promise<void> => {
    world.clock.advance(1000);
    const found = kept.find((each) => each.token === token && each.id === id) as Kept;
    const life = lifecycle(kindOf(token), () => Promise.resolve(world.other), world.freshSession());
    const seen = await life.read(id, found.outputs, ROW);
    await life.update(id, seen?.outputs ?? {}, { ...found.inputs, ...change }, ROW);
    world.requests();
  };

  const reverting = (declared: RevertContext['declared'] = readState(exportOf(kept)).records): RevertContext => ({
    api: world.api,
    declared,
    clock: world.freshSession().clock,
    tell: () => undefined,
  });

  /** Reverts what a review finds; answers the requests that were shown. */
  const reverted = async (): Promise<readonly string[]> => {
    const { findings } = await reviewIn(world, kept);
    const drifted = findings.filter(({ classification }) => classification === 'changed');
    const plan = await planRevert(reverting(), drifted);
    expect([plan.refused, plan.held, world.writes()]).toEqual([[], [], []]);
    for (const reversal of plan.reversals) await applyReversal(reverting(), reversal);
    expect(world.writes()).toHaveLength(plan.reversals.length);
    await deployAgain(reverting(), plan.reversals);
    expect(JSON.stringify(plan.reversals.map(describeReversal))).not.toContain('canary');
    return plan.reversals.map(({ request }) => request);
  };

  const left = (): Promise<readonly string[]> =>
    leftToDeploy(world.api, { assembly: 'shop', environment: 'prod' }, () => world.clock.advance(1000));

  test.each([
    ['a cloud configuration', 'CloudConfiguration', 'acme/shop/prod/web/west', { pctScale: 70 }, /"pct_scale":"50"/],
    ['a variable', 'Variable', 'acme/shop/environments/prod/variables/LEVEL', { value: 'trace' }, /"value":"debug"/],
  ])('%s of an environment is set back, and deployed', async (_, token, id, change, body) => {
    await written(token, id, change);
    expect(await reverted()).toEqual([expect.stringMatching(body)]);
    const { findings } = await reviewIn(world, kept);
    expect(findings.filter(({ classification }) => classification !== 'touched')).toEqual([]);
    expect(await left()).toEqual([]);
  });

  test('a request for an attribute next to a secret shows none, whether file or state declares it', async () => {
    const mysql = kept.find(({ id }) => id === 'acme/shop/db/mysql') as Kept;
    const attributes = { ...(mysql.inputs['attributes'] as Inputs), port: '3307', password: 'other-canary' };
    await written('Component', mysql.id, { attributes });
    const state = readState(exportOf(kept));
    const { findings } = await reviewIn(world, kept);
    const drifted = findings.filter(({ kind }) => kind === 'Component');
    expect(drifted.map(({ attribute }) => attribute).sort()).toEqual(['attributes.password', 'attributes.port']);
    for (const declared of [state.records, codeOf(yamlText(documentOf(SPEC)), state).records]) {
      const { reversals, refused } = await planRevert(reverting(declared), drifted);
      expect(refused).toEqual([]);
      const shown = JSON.stringify(reversals.map(describeReversal));
      expect(shown).toContain('3306');
      expect(shown).not.toContain('canary');
    }
  });

  test('a secret is written again as declared, and the request shown hides it', async () => {
    await written('Variable', 'acme/shop/variables/KEY', { encryptedValue: 'other-canary' });
    const [request, ...more] = await reverted();
    expect(more).toEqual([]);
    expect(request).toMatch(/"encrypted_value":"\*{8}"/);
    // Whose value it is now, the service shows nobody: the last to write it was the user this run speaks as.
    const variable = await world.api.call(routes.designVariables.read, {
      address: { assembly: 'shop', variable: 'KEY' },
    });
    expect(variable.rfcUpdatedBy ?? variable.rfcCreatedBy ?? variable.updatedBy).toBe('admin');
    expect(await left()).toEqual([]);
  });
});
