// A stack in the world of a suite: brought up once, or run again and again in each test.
import { routes, type Instance } from '../../api/contract';
import {
  drift,
  emptyStack,
  preview,
  run,
  type Declared,
  type Run,
  type RunOptions,
  type Stack,
} from './engine-simulation';
import { firstRun } from './first-run';
import { resourcesOf, type StackSpec } from './stack-spec';
import { differences } from './stands-as-declared';
import type { World } from './world';

/** The state of a stack after its first run, which must not fail. */
export async function standingStack(world: World, spec: StackSpec): Promise<Stack> {
  const { stack, errors } = await firstRun(world, spec);
  expect(errors).toEqual([]);
  return stack;
}

/**
 * Everything that is not as declared, a line each: what a preview or a refresh would do, requests of
 * a preview and writes of a refresh, differences of the service, and outages of what stays.
 */
export async function wrongIn(
  world: World,
  stack: Stack,
  spec: StackSpec | undefined,
  declared: readonly Declared[] = spec === undefined ? [] : resourcesOf(spec),
): Promise<readonly string[]> {
  world.requests();
  const { steps, errors } = await preview(world, stack, declared);
  const requests = world.requests();
  // The clouds of an environment are looked up once.
  const asked = requests.filter((request, index) => request !== 'GET clouds.list' || requests.indexOf(request) < index);
  const drifted = await drift(world, stack, true);
  const outages = spec === undefined ? [] : world.service.outages();
  return [
    ...[...steps, ...errors, ...drifted],
    ...asked.map((request) => `preview asks ${request}`),
    ...world.writes().map((request) => `refresh sends ${request}`),
    ...(await differences(world, spec)),
    ...outages.map((outage) => `outage: ${JSON.stringify(outage)}`),
  ];
}

type Spec = StackSpec | readonly Declared[];

interface EachStack {
  /** What the last run of the test left; empty when a test begins. */
  stack: Stack;
  /** Runs to a declaration; without one everything is destroyed. `within`: where requests go. */
  up(spec?: Spec, options?: RunOptions, within?: World): Promise<Run>;
  /** The same, which must not fail and leave the service as declared. */
  fine(spec: StackSpec, options?: RunOptions): Promise<Run>;
  /** Notices of a run that does not fail. */
  said(spec?: Spec, options?: RunOptions, within?: World): Promise<string>;
  /** The error of a run that fails. */
  refused(spec?: Spec, options?: RunOptions, within?: World): Promise<string>;
  /** The same, after which nothing is left to do either. */
  settles(spec: StackSpec, options?: RunOptions): Promise<Run>;
}

const isSpec = (spec: Spec): spec is StackSpec => !Array.isArray(spec);

/** A stack that is empty when a test begins. `usual`: where requests go without another word. */
export function eachStack(world: World, usual: () => World = () => world): EachStack {
  const own: EachStack = {
    stack: emptyStack,
    async up(spec = [], options = {}, within = usual()) {
      const isUsual = within === world && own.stack === emptyStack && !Object.values(options).some(Boolean);
      const done =
        isUsual && isSpec(spec)
          ? await firstRun(world, spec)
          : await run(within, own.stack, isSpec(spec) ? resourcesOf(spec) : spec, options);
      own.stack = done.stack;
      return done;
    },
    async fine(spec, options) {
      const done = await own.up(spec, options);
      expect(done.errors).toEqual([]);
      expect(await differences(world, spec)).toEqual([]);
      return done;
    },
    async said(spec, options, within) {
      const { errors, notices } = await own.up(spec, options, within);
      expect(errors).toEqual([]);
      return notices.join('\n');
    },
    async refused(spec, options, within) {
      const { errors } = await own.up(spec, options, within);
      expect(errors).toHaveLength(1);
      return errors.join('\n');
    },
    async settles(spec, options) {
      const done = await own.up(spec, options);
      expect(done.errors).toEqual([]);
      expect(await wrongIn(world, own.stack, spec)).toEqual([]);
      return done;
    },
  };
  beforeEach(() => {
    own.stack = emptyStack;
  });
  return own;
}

/** Everything that runs in an environment of the shop. */
export const instancesIn = ({ api }: World, environment = 'prod'): Promise<readonly Instance[]> =>
  api.call(routes.operations.environmentInstances, {
    address: { assembly: 'shop', environment },
    query: { instances_state: 'all' },
  });
