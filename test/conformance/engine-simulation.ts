// The engine, as far as a provider can tell: what it asks for a stack and in which order, and what it keeps (pulumi-facts, part A).
// It must not know any kind, nor what a stack is for.
import type { Api } from '../../api/client';
import { PartialFailure } from '../../api/errors';
import {
  COMPUTED,
  lifecycle,
  UNKNOWN,
  type DiffAnswer,
  type Inputs,
  type Lifecycle,
  type Session,
  type State,
} from '../../provider';
import { kindOf, type World } from './world';

/** An argument made of other resources' outputs: known when they are. */
export interface Reference {
  readonly from: readonly string[];
  make(...outputs: readonly Inputs[]): unknown;
}

const REFERENCE = Symbol('made of other outputs');

/** An argument made of the outputs of the resources with these keys. */
export const reference = (from: readonly string[], make: Reference['make']): Reference =>
  Object.assign({ from, make }, { [REFERENCE]: true });

const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && REFERENCE in value;

/** One resource a program registers. */
export interface Declared {
  /** `Platform::web`: what the engine knows it by. */
  readonly key: string;
  readonly token: string;
  readonly args: Inputs;
  /** Keys it comes after, besides those its arguments are made of. */
  readonly after?: readonly string[];
  readonly deletedWith?: string;
  readonly mark?: 'protect' | 'retain' | undefined;
  /** Former key. */
  readonly alias?: string;
}

/** What the engine keeps of a resource. */
export interface Kept extends State {
  readonly key: string;
  readonly token: string;
  readonly after: readonly string[];
  /** Keys each argument is made of. */
  readonly madeOf: { readonly [argument: string]: readonly string[] };
  readonly deletedWith: string | undefined;
  readonly mark: Declared['mark'];
  /** It was left incomplete by a failure: updated in any case. */
  readonly incomplete: boolean;
  /** It was deleted to be replaced, and not made again: the engine's pending replacement. */
  readonly replacing: boolean;
}

/** A stack's state, in the order of registration. */
export type Stack = ReadonlyMap<string, Kept>;

export const emptyStack: Stack = new Map();

export interface RunOptions {
  /** The run is killed right after its so manieth write reached the service. */
  readonly killAfter?: number;
  /** Reads everything first, in the same run. */
  readonly refresh?: boolean;
}

export interface Run {
  readonly stack: Stack;
  /** `update Platform::web`, in the order they were begun. */
  readonly steps: readonly string[];
  /** `Platform::web: message` */
  readonly errors: readonly string[];
  /** What rows were told and keep. */
  readonly notices: readonly string[];
  /** Whether `killAfter` came to pass. */
  readonly killed: boolean;
}

/** What a preview shows, by key; `same` is left out. */
export interface Preview {
  readonly steps: readonly string[];
  readonly errors: readonly string[];
}

/** Time one request takes, in ms of the service's time. */
const LATENCY = 7;

/** One run's lives: lifecycles over one session, with requests that take time and may end with the process. */
interface Process {
  readonly session: Session;
  readonly killed: () => boolean;
  life(token: string): Lifecycle;
}

function newProcess(world: World, killAfter = Infinity): Process {
  const session = world.freshSession();
  let writes = 0;
  let killed = false;
  const dead = (): never => {
    throw new Error('the process was killed');
  };
  const api: Api = {
    ...world.api,
    call: async (route, input) => {
      if (killed) dead();
      world.clock.advance(LATENCY);
      const answer = await world.api.call(route, input);
      if (route.method !== 'GET') writes += 1;
      killed ||= writes >= killAfter;
      return killed ? dead() : answer;
    },
  };
  return {
    session,
    killed: () => killed,
    life: (token) => lifecycle(kindOf(token), () => Promise.resolve(api), session),
  };
}

const referencesIn = (value: unknown): readonly string[] => {
  if (isReference(value)) return value.from;
  if (typeof value !== 'object' || value === null) return [];
  return [...new Set(Object.values(value).flatMap(referencesIn))];
};

const madeOf = ({ args }: Declared): Kept['madeOf'] =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, referencesIn(value)]));

const comesAfter = (declared: Declared): readonly string[] => [
  ...new Set([...(declared.after ?? []), ...Object.values(madeOf(declared)).flat()]),
];

/** Resources with each after everything it comes after, otherwise as given. */
export function inOrder(declared: readonly Declared[]): readonly Declared[] {
  const left = [...declared];
  const ordered: Declared[] = [];
  while (left.length > 0) {
    const next = left.findIndex((each) => !comesAfter(each).some((key) => left.some((other) => other.key === key)));
    if (next === -1) throw new Error(`a cycle among ${left.map(({ key }) => key).join(', ')}`);
    ordered.push(...left.splice(next, 1));
  }
  return ordered;
}

function resolved(value: unknown, outputs: (key: string) => Inputs): unknown {
  if (isReference(value)) {
    const made = value.make(...value.from.map(outputs));
    return JSON.stringify(made)?.includes(UNKNOWN) ? UNKNOWN : made;
  }
  if (Array.isArray(value)) return value.map((item) => resolved(item, outputs));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolved(item, outputs)]));
}

const messageOf = (error: unknown): string =>
  error instanceof PartialFailure ? error.reasons.join('\n') : error instanceof Error ? error.message : String(error);

const depends = (kept: Kept, argument: string, on: ReadonlySet<string>): boolean =>
  (kept.madeOf[argument] ?? []).some((key) => on.has(key));

/** Resources that a replacement replaces along: those whose diff says so with unknowns in place of what comes from it. In state's order. */
async function replacedAlong(process: Process, stack: Stack, root: string): Promise<readonly Kept[]> {
  const replaced = new Set([root]);
  const along: Kept[] = [];
  for (const kept of stack.values()) {
    if (replaced.has(kept.key)) continue;
    const touched = Object.keys(kept.madeOf).filter((argument) => depends(kept, argument, replaced));
    if (touched.length === 0) continue;
    const news = { ...kept.inputs, ...Object.fromEntries(touched.map((argument) => [argument, UNKNOWN])) };
    const { replaces } = await process.life(kept.token).diff(kept.id, kept.outputs, news);
    if (replaces.length === 0) continue;
    replaced.add(kept.key);
    along.push(kept);
  }
  return along;
}

/** One `pulumi up --skip-preview`: as much at a time as the order allows. With nothing declared it is a destroy. */
export async function run(
  world: World,
  before: Stack,
  declared: readonly Declared[],
  options: RunOptions = {},
): Promise<Run> {
  world.clock.advance(60_000);
  const process = newProcess(world, options.killAfter);
  const steps: string[] = [];
  const errors: string[] = [];
  const notices: string[] = [];
  const stack = new Map(before);
  /** What the engine deletes at the end besides what left: the old ones of replacements that were made first. */
  const later: Kept[] = [];
  const deleted = new Set<string>();
  const rowOf = (key: string) => ({
    progress: () => undefined,
    notice: (message: string) => void notices.push(`${key}: ${message}`),
  });

  /** Does a step; answers whether it succeeded. What a killed process did is not known to the engine. */
  const step = async <T>(
    what: string,
    key: string,
    job: () => Promise<T>,
    keep: (done: T) => void,
  ): Promise<boolean> => {
    steps.push(`${what} ${key}`);
    try {
      const done = await job();
      if (process.killed()) return false;
      keep(done);
      return true;
    } catch (error) {
      if (!process.killed()) errors.push(`${key}: ${messageOf(error)}`);
      if (!process.killed() && error instanceof PartialFailure) keep(error as unknown as T);
      return false;
    }
  };

  const keep = (of: Declared, inputs: Inputs) => (done: State | PartialFailure) => {
    const { key, token } = of;
    stack.set(key, {
      key,
      token,
      id: done.id,
      inputs,
      outputs: done.outputs,
      after: comesAfter(of),
      madeOf: madeOf(of),
      deletedWith: of.deletedWith,
      mark: of.mark,
      incomplete: done instanceof PartialFailure,
      replacing: false,
    });
  };

  const remove = (kept: Kept, then: () => void, condemned: ReadonlySet<string> = new Set()): Promise<boolean> =>
    step(
      'delete',
      kept.key,
      async () => {
        if (kept.mark === 'protect') throw new Error('it is protected');
        if (kept.mark === 'retain' || (kept.deletedWith !== undefined && condemned.has(kept.deletedWith))) return;
        await process.life(kept.token).delete(kept.id, kept.outputs, rowOf(kept.key));
      },
      then,
    );

  const replace = async (kept: Kept): Promise<boolean> => {
    const along = await replacedAlong(process, stack, kept.key);
    for (const each of [...[...along].reverse(), kept]) {
      if (deleted.has(each.key) || (each.key === kept.key && each.replacing)) continue;
      const mark = (): void => {
        stack.set(each.key, { ...each, replacing: true });
        deleted.add(each.key);
      };
      if (!(await remove(each, mark))) return false;
    }
    return true;
  };

  const register = async (of: Declared): Promise<boolean> => {
    const { key, token } = of;
    const life = process.life(token);
    const { inputs, findings } = life.check(resolved(of.args, (other) => stack.get(other)?.outputs ?? {}) as Inputs);
    if (findings.length > 0) {
      errors.push(...findings.map(({ message }) => `${key}: ${message}`));
      return false;
    }
    const create = (): Promise<boolean> => step('create', key, () => life.create(inputs, rowOf(key)), keep(of, inputs));
    const renamed = of.alias === undefined ? undefined : stack.get(of.alias);
    if (renamed) {
      stack.delete(renamed.key);
      stack.set(key, { ...renamed, key });
    }
    const old = stack.get(key);
    if (!old || deleted.has(key)) return create();
    let answer: DiffAnswer;
    try {
      answer = await life.diff(old.id, old.outputs, inputs);
    } catch (error) {
      errors.push(`${key}: ${messageOf(error)}`);
      return false;
    }
    if (answer.refusal !== undefined) {
      errors.push(`${key}: ${answer.refusal}`);
      return false;
    }
    if (answer.replaces.length > 0) return (await replace(old)) && create();
    if (old.replacing) {
      // Nothing differs any more: made first, and what it replaces deleted at the end (trial 2, row 10).
      if (!(await create())) return false;
      later.push(old);
      return true;
    }
    if (answer.changes.length > 0 || old.incomplete) {
      const update = () => life.update(old.id, old.outputs, inputs, rowOf(key));
      return step('update', key, update, keep(of, inputs));
    }
    keep(of, inputs)(old);
    return true;
  };

  if (options.refresh) {
    for (const kept of before.values()) {
      if (kept.replacing) continue;
      const state = await process.life(kept.token).read(kept.id, kept.outputs, rowOf(kept.key));
      if (state === undefined) stack.delete(kept.key);
      else stack.set(kept.key, { ...kept, inputs: state.inputs, outputs: state.outputs, incomplete: false });
    }
  }
  const outcomes = new Map<string, Promise<boolean>>();
  for (const of of declared) {
    const needed = comesAfter(of).map((key) => outcomes.get(key) ?? Promise.resolve(false));
    outcomes.set(
      of.key,
      Promise.all(needed).then(async (met) =>
        met.every(Boolean) && errors.length === 0 && !process.killed() ? register(of) : false,
      ),
    );
  }
  await Promise.all(outcomes.values());

  if (errors.length === 0 && !process.killed()) {
    const names = new Set(declared.map(({ key }) => key));
    const condemned = [...stack.values()].filter(({ key }) => !names.has(key));
    const leaving = new Set(condemned.map(({ key }) => key));
    for (const old of later) await remove(old, () => undefined);
    for (const kept of condemned.reverse()) {
      if (process.killed()) break;
      // Its dependents are still there: one of them could not be deleted.
      if ([...stack.values()].some(({ after }) => after.includes(kept.key))) continue;
      if (kept.replacing) stack.delete(kept.key);
      else await remove(kept, () => stack.delete(kept.key), leaving);
    }
  }
  const order = [...declared.map(({ key }) => key), ...[...stack.keys()]];
  const sorted = [...new Set(order)].flatMap((key): [string, Kept][] => {
    const kept = stack.get(key);
    return kept ? [[key, kept]] : [];
  });
  return { stack: new Map(sorted), steps, errors, notices, killed: process.killed() };
}

/** One `pulumi preview`: check and diff alone, with unknowns in place of what is not known yet. */
export async function preview(world: World, stack: Stack, declared: readonly Declared[]): Promise<Preview> {
  const process = newProcess(world);
  const steps: string[] = [];
  const errors: string[] = [];
  const replaced = new Set<string>();
  const outputs = new Map<string, Inputs>();
  for (const of of declared) {
    const { key, token } = of;
    const life = process.life(token);
    const { inputs, findings } = life.check(resolved(of.args, (other) => outputs.get(other) ?? {}) as Inputs);
    errors.push(...findings.map(({ message }) => `${key}: ${message}`));
    const computed = [...Object.keys(COMPUTED), ...Object.keys(kindOf(token).computed)];
    const unknown = { ...Object.fromEntries(computed.map((name) => [name, UNKNOWN])), ...inputs };
    const old = stack.get(key) ?? (of.alias === undefined ? undefined : stack.get(of.alias));
    if (!old || replaced.has(key)) {
      steps.push(`${old ? 'replace' : 'create'} ${key}`);
      outputs.set(key, unknown);
      continue;
    }
    const { changes, replaces, refusal } = await life.diff(old.id, old.outputs, inputs);
    if (refusal !== undefined) errors.push(`${key}: ${refusal}`);
    if (replaces.length > 0) {
      steps.push(`replace ${key}`);
      for (const along of await replacedAlong(process, stack, key)) replaced.add(along.key);
    } else if (changes.length > 0 || old.incomplete) {
      steps.push(`update ${key}`);
    }
    outputs.set(key, replaces.length + changes.length > 0 ? unknown : old.outputs);
  }
  const names = new Set(declared.map(({ key, alias }) => alias ?? key));
  for (const kept of [...stack.values()].reverse()) {
    if (names.has(kept.key)) continue;
    steps.push(`delete ${kept.key}`);
    if (kept.mark === 'protect') errors.push(`${kept.key}: it is protected`);
  }
  return { steps, errors };
}

/** One `pulumi refresh --preview-only --diff`: `Platform::web description`, for each argument that reads differently, and what is gone. */
export async function drift(world: World, stack: Stack): Promise<readonly string[]> {
  const process = newProcess(world);
  const found: string[] = [];
  for (const kept of stack.values()) {
    const row = { progress: () => undefined, notice: () => undefined };
    const state = await process.life(kept.token).read(kept.id, kept.outputs, row);
    if (state === undefined) found.push(`${kept.key} is gone`);
    else {
      const { changes } = await process.life(kept.token).diff(kept.id, state.outputs, kept.inputs);
      found.push(...changes.map(({ path }) => `${kept.key} ${path.join('.')}`));
    }
  }
  return found;
}
