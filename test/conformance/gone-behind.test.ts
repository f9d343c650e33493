// What a stack declares was deleted by somebody, and the next run carries out an edit: the error names `pulumi up --refresh`, which makes all of it again.
import { DIALECTS, routes } from '../../api/contract';
import { testInTurn } from '../dialects-in-turn';
import { commitDesignByHand } from './by-hand';
import { emptyStack, run, type Run, type RunOptions, type Stack } from './engine-simulation';
import { CHANGED, SHOP, withComponents, withProd, DEPLOYER } from './shop-spec';
import { resourcesOf, type StackSpec } from './stack-spec';
import { differences } from './stands-as-declared';
import { eachWorld } from './world';

const DESIGN = { assembly: 'shop' };
const WEB = { ...DESIGN, platform: 'web' };

const WITH_CLOUD = withProd(
  { platforms: { web: { east: { dpmtOrder: 3 } } }, variables: { LEVEL: 'info' } },
  {
    ...SHOP,
    variables: { LEVEL: 'warn' },
  },
);

describe.each(DIALECTS)('%s', (dialect) => {
  const test = testInTurn(dialect);
  const world = eachWorld(dialect);
  let stack: Stack;

  beforeEach(() => {
    stack = emptyStack;
  });

  const up = async (spec: StackSpec, options?: RunOptions): Promise<Run> => {
    const done = await run(world, stack, resourcesOf(spec), options);
    stack = done.stack;
    return done;
  };

  /** Maria destroys a stack of her own that declares the same records. */
  const destroyAll = async (): Promise<void> => {
    expect((await run({ ...world, api: world.other }, stack, [])).errors).toEqual([]);
  };

  const destroyEnvironment = async (): Promise<void> => {
    const { environments: _, ...rest } = WITH_CLOUD;
    expect((await run({ ...world, api: world.other }, stack, resourcesOf(rest))).errors).toEqual([]);
  };

  const deleteComponent = async (): Promise<void> => {
    await world.other.call(routes.components.delete, { address: { ...WEB, component: 'deployer' } });
    await commitDesignByHand(world.other);
  };

  const NEW_USER = withComponents({ second: { type: 'user', attributes: { username: 'second' } } });
  const NEW_ATTACHMENT = withComponents({
    deployer: { ...DEPLOYER, attachments: { ...DEPLOYER.attachments, more: { path: '/etc/more', content: 'more' } } },
  });
  const CLOUD_CHANGED = withProd({ platforms: { web: { east: { dpmtOrder: 4 } } } }, WITH_CLOUD);
  const VALUE_CHANGED = withProd({ variables: { LEVEL: 'debug' } }, WITH_CLOUD);

  test.each([
    { gone: 'everything', edit: 'an attachment changes', before: SHOP, after: CHANGED, act: destroyAll },
    { gone: 'everything', edit: 'a component is new', before: SHOP, after: NEW_USER, act: destroyAll },
    { gone: 'everything', edit: 'an attachment is new', before: SHOP, after: NEW_ATTACHMENT, act: destroyAll },
    { gone: 'everything', edit: 'a cloud changes', before: WITH_CLOUD, after: CLOUD_CHANGED, act: destroyAll },
    { gone: 'everything', edit: 'a value changes', before: WITH_CLOUD, after: VALUE_CHANGED, act: destroyAll },
    {
      gone: 'the environment',
      edit: 'a cloud changes',
      before: WITH_CLOUD,
      after: CLOUD_CHANGED,
      act: destroyEnvironment,
    },
    {
      gone: 'the environment',
      edit: 'a value changes',
      before: WITH_CLOUD,
      after: VALUE_CHANGED,
      act: destroyEnvironment,
    },
    { gone: 'the component', edit: 'its attachment changes', before: SHOP, after: CHANGED, act: deleteComponent },
    { gone: 'the component', edit: 'it gets an attachment', before: SHOP, after: NEW_ATTACHMENT, act: deleteComponent },
  ])('$gone is gone, and $edit: the error names --refresh, which heals it', async ({ before, after, act }) => {
    expect((await up(before)).errors).toEqual([]);
    await act();
    const { errors } = await up(after);
    expect(errors).not.toEqual([]);
    for (const error of errors) expect(error).toMatch(/pulumi up --refresh/);
    expect((await up(after, { refresh: true })).errors).toEqual([]);
    expect(await differences(world, after)).toEqual([]);
    expect((await up(after)).steps).toEqual([]);
  });
});
