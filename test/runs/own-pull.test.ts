// A variable of the design and its value in an environment, both changed by somebody: the pull of the run that sets the first one back writes the
// second one, too, and is no change of another user. In both dialects.
import { routes } from '../../api/contract';
import { rowsInTurn } from '../dialects-in-turn';
import { commitDesignByHand } from '../world/by-hand';
import { drift, emptyStack, preview, run, type RunOptions, type Stack } from '../world/engine-simulation';
import { EAST } from '../world/shop-spec';
import { resourcesOf, type StackSpec, type VariableSpec } from '../world/stack-spec';
import { differences } from '../world/stands-as-declared';
import { eachWorld } from '../world/world';

const DESIGN = { assembly: 'shop' };
const PROD = { ...DESIGN, environment: 'prod' };

const shop = (level: VariableSpec, inProd: VariableSpec): StackSpec => ({
  variables: { LEVEL: level },
  platforms: { web: {} },
  environments: { prod: { clouds: EAST, variables: { LEVEL: inProd } } },
});

/** The same for values in clear and for secrets. */
const SPECS = [
  ['values', shop('info', 'warn'), { value: 'trace' }, { value: 'debug' }],
  [
    'secrets',
    shop({ encryptedValue: 'canary-design' }, { encryptedValue: 'canary-prod' }),
    { encrypted_value: 'foreign-design' },
    { encrypted_value: 'foreign-prod' },
  ],
  [
    'a value and a secret',
    shop('info', { encryptedValue: 'canary-prod' }),
    { value: 'trace' },
    { encrypted_value: 'foreign' },
  ],
] as const;

const cases = rowsInTurn(
  SPECS.flatMap((spec) => ['', 'manifest'].map((owner) => [spec[0], owner || 'no lock', owner, spec] as const)),
);

describe.each(cases)('%s: %s, changed with %s', (dialect, _, __, owner, [, spec, inDesign, inProd]) => {
  const world = eachWorld(dialect);
  let stack: Stack;

  beforeEach(async () => {
    const done = await run(world, emptyStack, resourcesOf(spec));
    expect(done.errors).toEqual([]);
    stack = done.stack;
    world.clock.advance(1000);
  });

  const changeDesign = async (attributes: { readonly [name: string]: string }): Promise<void> => {
    const address = { ...DESIGN, variable: 'LEVEL' };
    const body = { cms_dj_ci: { ciName: 'LEVEL', ciAttributes: attributes } };
    await world.other.call(routes.designVariables.update, { address, body });
    await commitDesignByHand(world.other);
  };

  const changeProd = async (attributes: { readonly [name: string]: string }): Promise<void> => {
    const address = { ...PROD, variable: 'LEVEL' };
    const ciAttrProps = { owner: { secure: owner, value: owner, encrypted_value: owner } };
    const body = { cms_dj_ci: { ciName: 'LEVEL', ciAttributes: attributes, ciAttrProps } };
    await world.other.call(routes.environmentVariables.update, { address, body });
    await world.other.call(routes.environments.commit, { address: PROD, body: {} });
    world.clock.advance(5000);
  };

  const settles = async (options: RunOptions): Promise<void> => {
    const done = await run(world, stack, resourcesOf(spec), options);
    expect(done.errors).toEqual([]);
    expect(await preview(world, done.stack, resourcesOf(spec))).toEqual({ steps: [], errors: [] });
    expect(await drift(world, done.stack)).toEqual([]);
    expect(await differences(world, spec)).toEqual([]);
  };

  test('one run with a refresh sets both back', async () => {
    await changeDesign(inDesign);
    await changeProd(inProd);
    await settles({ refresh: true });
  });

  // The guard against lost updates is about values that can be read.
  if (spec !== SPECS[0][1]) return;

  test.each(owner === '' ? [1, 2, 3, 4] : [2])(
    'killed after %s writes, the next run finishes it, without a refresh, too',
    async (killAfter) => {
      await changeDesign(inDesign);
      await changeProd(inProd);
      const refreshed = await run(world, stack, resourcesOf(spec), { refresh: true, targets: [] });
      const killed = await run(world, refreshed.stack, resourcesOf(spec), { killAfter });
      expect(killed.killed).toBe(true);
      stack = killed.stack;
      await settles({});
    },
  );

  test("somebody's own value in the environment is not taken for what a pull brought", async () => {
    await changeProd({ secure: 'false', value: 'debug', encrypted_value: '' });
    const edited = shop(spec.variables?.['LEVEL'] ?? '', 'error');
    const done = await run(world, stack, resourcesOf(edited));
    expect(done.errors.join('\n')).toMatch(/ was changed by maria at /);
  });
});
