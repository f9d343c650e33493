// The engine against its simulation (test/world/engine-simulation.ts): the same runs on both take
// the same steps, send the same writes, and fail alike. What a run makes of the service is judged
// in process; this story shows that the simulation is right.
import { emptyStack, preview, run, type Stack, without } from '../world/engine-simulation';
import { type LifeRun, STACK_LIVES } from '../world/stack-lives';
import { resourcesOf } from '../world/stack-spec';
import { makeWorld, type World } from '../world/world';
import { dialectsInTurn } from '../dialects-in-turn';
import { keyOfUrn } from '../world/engine';
import { openStack, type EngineStack } from './engine-stack';

/** The state in a stack's file. */
interface Latest {
  readonly resources?: readonly { readonly urn: string; readonly dependencies?: readonly string[] }[];
}

/** A stack on the engine, and the same in this process. */
interface Pair {
  readonly engine: EngineStack;
  readonly world: World;
  stack: Stack;
  /** The states from before the last run. */
  earlier?: { readonly deployment: Latest; readonly stack: Stack };
}

/** A URN has the types of all parents before its own: the engine takes a pattern. */
const urnOf = (key: string): string => `**/oneops:${key}`;

/** The engine's words for the parts of a replacement, as the simulation has them. */
const WORDS: { readonly [op: string]: string } = { 'create-replacement': 'create', 'delete-replaced': 'delete' };

const asSimulated = (steps: readonly string[]): readonly string[] =>
  steps
    .map((step) => step.split(' ') as [string, string])
    .filter(([op]) => op !== 'replace')
    .map(([op, key]) => `${WORDS[op] ?? op} ${key}`)
    .sort();

/** Requests that were no reads, and were carried out. */
const writesIn = (journal: ReturnType<World['service']['journal']>): string[] =>
  journal
    .filter(({ method, status }) => method !== 'GET' && status < 400)
    .map(({ method, route, path }) => `${method} ${route ?? path}`);

/** Gives both states back, or takes resources out of both: a person edits an export, and imports it. */
async function changeStates(pair: Pair, { forgets = [], restores }: LifeRun): Promise<void> {
  const { project } = pair.engine;
  const { checkpoint } = JSON.parse(await project.state()) as { readonly checkpoint: { readonly latest?: Latest } };
  const now = { deployment: checkpoint.latest ?? {}, stack: pair.stack };
  const { deployment, stack } = (restores && pair.earlier) || now;
  const isLeft = (urn: string): boolean => !forgets.includes(keyOfUrn(urn) ?? '');
  const resources = (deployment.resources ?? [])
    .filter(({ urn }) => isLeft(urn))
    .map(({ dependencies = [], ...each }) => ({
      ...each,
      dependencies: dependencies.filter(isLeft),
      ...(forgets.length > 0 ? { propertyDependencies: {} } : {}),
    }));
  const changed = { deployment: { ...deployment, resources }, stack: without(stack, ...forgets) };
  pair.stack = changed.stack;
  pair.earlier = changed;
  if (!restores && forgets.length === 0) return;
  await project.write('state.json', JSON.stringify({ version: 3, deployment: changed.deployment }));
  await project.succeeds('stack', 'import', '--file', 'state.json', '--force');
}

/** Plays a run on both. A preview and a refresh follow the last run of a life. */
async function playOn(
  pair: Pair,
  isLast: boolean,
  { to, after, targets = [], dependents = [], ...rest }: LifeRun,
): Promise<void> {
  const { engine, world } = pair;
  const { refused, fails = refused } = rest;
  const declared = to ? resourcesOf(to) : [];
  for (const { service, other } of [engine.live, world]) {
    await after?.(other);
    const { failing: record, refusing: route } = rest;
    service.faults.set([
      ...(record === undefined ? [] : [{ effect: 'fail-deployment', record, message: 'no room' } as const]),
      ...(route === undefined ? [] : [{ effect: 'status', status: 422, route, body: { errors: ['no'] } } as const]),
    ]);
  }
  await changeStates(pair, rest);
  if (rest.previewed && to) {
    const shown = await engine.preview(to);
    const { steps, errors } = await preview(world, pair.stack, declared);
    expect([shown.code === 0, shown.writes]).toEqual([errors.length === 0, []]);
    if (fails) expect([shown.errors, errors.join('\n')]).toEqual(Array(2).fill(expect.stringMatching(fails)));
    else expect([...shown.steps].sort()).toEqual([...steps].sort());
  }
  const words = [
    ...(rest.refresh ? ['--refresh'] : []),
    ...targets.flatMap((key) => ['--target', urnOf(key)]),
    ...(dependents.length > 0 ? ['--target-dependents'] : []),
  ];
  const done = await (to ? engine.up(to, ...words) : engine.destroy(...words));
  const before = world.service.journal().length;
  const simulated = await run(world, pair.stack, declared, {
    ...(rest.refresh ? { refresh: true } : {}),
    ...(targets.length > 0 ? { targets: [...targets, ...dependents] } : {}),
  });
  pair.stack = simulated.stack;
  if (fails) {
    expect([done.code, done.errors, simulated.errors.join('\n')]).toEqual([
      1,
      ...(Array(2).fill(expect.stringMatching(fails)) as string[]),
    ]);
    expect([engine.outages(), world.service.outages()]).toEqual([[], []]);
    if (rest.stands) expect(await engine.differences(rest.stands)).toEqual([]);
    return;
  }
  expect([done.code, done.errors, simulated.errors]).toEqual([0, '', []]);
  expect({ steps: asSimulated(done.steps), writes: [...done.writes].sort() }).toEqual({
    steps: simulated.steps.filter((step) => !(rest.isPending && step.startsWith('delete '))).sort(),
    writes: writesIn(world.service.journal().slice(before)).sort(),
  });
  if (rest.stands) expect(await engine.differences(rest.stands)).toEqual([]);
  else if (to === undefined) expect(targets.length > 0 ? [] : await engine.left()).toEqual([]);
  else if (targets.length === 0) expect(await (isLast ? engine.wrong(to) : engine.differences(to))).toEqual([]);
}

/** What a row of many runs takes on a machine that has much else to do, in ms. */
const PATIENCE = 30 * 60_000;

describe.each(dialectsInTurn(0))('the engine and its simulation, %s', (dialect) => {
  let pair: Pair | undefined;

  /** After a row that failed, the next one begins with new stacks. */
  const closed = async (): Promise<void> => {
    const old = pair;
    pair = undefined;
    old?.world.close();
    await old?.engine.close();
  };

  afterAll(closed);

  test.each(STACK_LIVES.filter(({ onEngine = 0 }) => onEngine > 0))(
    '$title',
    async ({ runs, onEngine }) => {
      pair ??= {
        engine: await openStack(dialect),
        world: makeWorld(dialect),
        stack: emptyStack,
      };
      const current = pair;
      try {
        const played = runs.slice(0, onEngine);
        for (const each of played) await playOn(current, each === played.at(-1), each);
      } catch (error) {
        await closed();
        throw error;
      }
    },
    PATIENCE,
  );
});
