// The engine, as far as a provider sees it: what it asks of the dynamic face, or of the one that a world
// has, for a stack, in which order, and what it keeps (engine-facts, part A).
import type { Api } from '../../api/client';
import { Forbidden } from '../../api/errors';
import {
  addressOf,
  COMPUTED,
  dynamicType,
  formatId,
  IGNORED,
  KEPT,
  OPTIONS,
  providerText,
  scopeAt,
  stateRecord,
  type Inputs,
  type StateRecord,
} from '../../provider';
import { kinds } from '../../provider/kinds';
import { optionsByState } from '../../provider/lifecycle';
import { parsePropertyPath, UNKNOWN, withValuesAt } from '../../provider/values';
import { newConnection, type Connection } from '../../provider/faces/dynamic/connection';
import { face, type Face } from '../../provider/faces/dynamic/face';
import { withInputs } from '../../provider/faces/dynamic/sdk-host';
import { kindOf, type World } from './world';

/** An argument made of other resources' outputs: known when they are. */
interface Reference {
  readonly from: readonly string[];
  make(...outputs: readonly Inputs[]): unknown;
}

const REFERENCE = Symbol('made of other outputs');

/** An argument made of the outputs of the resources with these keys. */
export const reference = (from: readonly string[], make: Reference['make']): Reference =>
  Object.assign({ from, make }, { [REFERENCE]: true });

const STATE = Symbol('made of the records of the state');

/** An argument made of what the state of the stack has of our records when a run begins. */
export const fromState = (make: (records: readonly StateRecord[]) => unknown): object => ({ [STATE]: make });

const isFromState = (value: unknown): value is { readonly [STATE]: (records: readonly StateRecord[]) => unknown } =>
  typeof value === 'object' && value !== null && STATE in value;

/** The records of a state, as the engine's answer shows them: pending replacements, too. */
const recordsIn = (stack: Stack): readonly StateRecord[] =>
  [...stack.values()].flatMap(
    ({ key, token, outputs }) => stateRecord(kinds, `urn:pulumi:dev::shop::${key}`, dynamicType(token), outputs) ?? [],
  );

export const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && REFERENCE in value;

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
  /** Property paths of the option ignoreChanges. */
  readonly ignoreChanges?: readonly string[];
  /** Whether each change replaces it: the option replaceOnChanges. */
  readonly isReplaced?: boolean;
}

/** What the engine keeps of a resource. */
interface Kept {
  readonly key: string;
  readonly token: string;
  readonly id: string;
  readonly inputs: Inputs;
  readonly outputs: Inputs;
  readonly after: readonly string[];
  /** Keys each argument is made of. */
  readonly madeOf: { readonly [argument: string]: readonly string[] };
  readonly deletedWith: string | undefined;
  readonly mark: Declared['mark'];
  /** A failure left it incomplete: it is updated in any case. */
  readonly incomplete: boolean;
  /** It was deleted to be replaced and not created again: the engine's pending replacement. */
  readonly replacing: boolean;
}

/** A stack's state, in the order of registration. */
export type Stack = ReadonlyMap<string, Kept>;

export const emptyStack: Stack = new Map();

/** A state without some resources, and without what leads to them: `state delete`, or an export that was edited. */
export const without = (stack: Stack, ...keys: readonly string[]): Stack =>
  new Map(
    [...stack].flatMap(([key, kept]) =>
      keys.includes(key) ? [] : [[key, { ...kept, after: kept.after.filter((each) => !keys.includes(each)) }]],
    ),
  );

export interface RunOptions {
  /** The run is killed right after its write of this number reached the service. */
  readonly killAfter?: number;
  /** The run is killed at its request of this number, before or after the service carries it out. */
  readonly killAt?: { readonly request: number; readonly when: 'before' | 'after' };
  /** The write of this number is refused: the run goes on as far as it can. */
  readonly refuseWrite?: number;
  /** Reads everything first, in the same run. */
  readonly refresh?: boolean;
  /** The state that the program reads; default: the stack's. */
  readonly answered?: Stack;
  /** Keys of the only resources that are looked at: `--target`. */
  readonly targets?: readonly string[];
  /** Keys of what a preview replaces, whatever its difference: `--replace`. */
  readonly replaces?: readonly string[];
  /** Holds a resource's delete back until it resolves, as a busy machine would. */
  readonly beforeDelete?: (key: string) => Promise<void>;
}

export interface Run {
  readonly stack: Stack;
  /** `update Platform::web`, in the order they were begun. */
  readonly steps: readonly string[];
  /** `Platform::web: message` */
  readonly errors: readonly string[];
  /** Messages that rows got and keep: `Platform web: message`. */
  readonly notices: readonly string[];
  /** What rows show while they wait, such as what the run will do. */
  readonly shown: readonly string[];
  /** Whether `killAfter` or `killAt` came to pass. */
  readonly killed: boolean;
}

/** What a preview shows, without what stays as it is, and the checked inputs of each resource by key. */
interface Preview extends Pick<Run, 'steps' | 'errors' | 'notices' | 'shown'> {
  readonly inputs: ReadonlyMap<string, Inputs>;
}

/** Time one request takes, in ms of the service's time. */
const LATENCY = 7;

const refusal = (method: string): Forbidden =>
  new Forbidden({ method, path: 'a path', status: 403, messages: ['not for you'] });

/** The process of one run: faces over one connection, whose requests take time. */
interface Process {
  readonly notices: string[];
  readonly shown: string[];
  killed(): boolean;
  face(token: string): Face;
}

/** The connection of a run that begins, over a client of a world. */
export function connectionIn(
  world: World,
  api: Api = world.api,
  engine?: Parameters<typeof newConnection>[2],
): Connection {
  const { url, organization } = world.api;
  const settings = { url, organization, token: 'a token of no use', dialect: 'auto', allowHttp: false };
  const resolved = { settings } as Parameters<typeof newConnection>[0];
  const opened = newConnection(resolved, () => Promise.resolve(api), engine);
  return {
    ...opened,
    session: { ...world.freshSession(), answers: opened.session.answers, isHere: opened.session.isHere },
  };
}

function newProcess(
  world: World,
  { killAfter = Infinity, killAt, refuseWrite, targets, replaces }: RunOptions = {},
  isDestroy = false,
): Process {
  const notices: string[] = [];
  const shown: string[] = [];
  let requests = 0;
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
      requests += 1;
      const isLast = killAt?.request === requests;
      if (isLast && killAt.when === 'before') {
        killed = true;
        dead();
      }
      if (route.method !== 'GET' && (writes += 1) === refuseWrite) throw refusal(route.method);
      const answer = await world.api.call(route, input);
      killed ||= writes >= killAfter || isLast;
      return killed ? dead() : answer;
    },
  };
  const engine = {
    log: ({ text, ephemeral }: { readonly text: string; readonly ephemeral: boolean }) => {
      (ephemeral ? shown : notices).push(text);
    },
    whenGone: () => undefined,
    close: () => undefined,
  };
  const opened = connectionIn(world, api, engine);
  const limits = { isLimited: () => !!targets, isReplacing: () => !!replaces, isDestroy: () => isDestroy };
  const connection = { ...opened, session: { ...opened.session, ...limits } };
  const host = { configure: () => undefined, connection: () => connection };
  return { notices, shown, killed: () => killed, face: (token) => (world.faceOf ?? face)(kindOf(token), host) };
}

const referencesIn = (value: unknown): readonly string[] => {
  if (isFromState(value)) return [];
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

function resolved(value: unknown, outputs: (key: string) => Inputs, state: readonly StateRecord[]): unknown {
  if (isFromState(value)) return value[STATE](state);
  if (isReference(value)) {
    const made = value.make(...value.from.map(outputs));
    return JSON.stringify(made)?.includes(UNKNOWN) ? UNKNOWN : made;
  }
  if (Array.isArray(value)) return value.map((item) => resolved(item, outputs, state));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolved(item, outputs, state)]));
}

const resolvedArgs = (of: Declared, outputs: (key: string) => Inputs, state: readonly StateRecord[]): Inputs => ({
  ...Object.fromEntries(
    Object.entries(resolved(of.args, outputs, state) as Inputs).filter(([, value]) => value !== undefined),
  ),
  __provider: providerText(of.token),
  ...(of.ignoreChanges
    ? { [IGNORED]: { ...Object.fromEntries(of.ignoreChanges.map((path) => [path, {}])), ...(of.args[IGNORED] ?? {}) } }
    : {}),
  [KEPT]: of.mark ?? '',
  ...hiddenOptions(of, outputs, state),
});

/** The options that the SDK hands to the provider alone. */
function hiddenOptions(
  { token, args }: Declared,
  outputs: (key: string) => Inputs,
  state: readonly StateRecord[],
): Inputs {
  const names = resolved(args, outputs, state) as Inputs;
  const of = scopeAt(kindOf(token), names) ?? kindOf(token);
  const known = optionsByState(state)(of, formatId(of, '', addressOf(of, names)));
  return { [OPTIONS]: { ...(args[OPTIONS] as object | undefined), ...known } };
}

/** Arguments with the old values at the ignored paths, as the engine gives them to the provider. */
function withOldValues({ ignoreChanges = [] }: Declared, news: Inputs, old: Kept | undefined): Inputs {
  if (old === undefined) return news;
  const paths = ignoreChanges.map((path) => parsePropertyPath(path) ?? []);
  return withValuesAt(news, old.inputs, paths) as Inputs;
}

/** A failure that leaves the resource in state (engine-facts A §5). */
interface Partial {
  readonly id: string;
  readonly properties: Inputs;
  readonly reasons: readonly string[];
}

const isPartial = (error: unknown): error is Partial => error instanceof Error && 'reasons' in error;

const messageOf = (error: unknown): string =>
  isPartial(error) ? error.reasons.join('\n') : error instanceof Error ? error.message : String(error);

/** Checked inputs; throws with every failure. */
async function checked(at: Face, olds: Inputs, news: Inputs): Promise<Inputs> {
  const { inputs, failures = [] } = await at.check(olds, news);
  if (failures.length > 0) throw new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join('\n'));
  return inputs ?? {};
}

type Difference = 'same' | 'update' | 'replace';

/** What the engine makes of a face's diff (engine-facts A §4). */
async function differenceOf(at: Face, kept: Kept, news: Inputs, isReplaced = false): Promise<Difference> {
  const { changes, replaces = [] } = await at.diff(kept.id, kept.outputs, news);
  const changed = [...new Set([...Object.keys(kept.inputs), ...Object.keys(news)])].filter(
    (name) => JSON.stringify(kept.inputs[name]) !== JSON.stringify(news[name]),
  );
  if (!(changes ?? changed.length > 0)) return 'same';
  return isReplaced || replaces.some((name) => changes ?? changed.includes(name)) ? 'replace' : 'update';
}

/** The same for a declared resource, which is checked again, as a new one, where it is replaced. */
async function declaredDifference(
  at: Face,
  kept: Kept,
  {
    inputs,
    news,
    isReplaced = false,
  }: { readonly inputs: Inputs; readonly news: Inputs; readonly isReplaced?: boolean | undefined },
): Promise<Difference> {
  const difference = await differenceOf(at, kept, inputs, isReplaced);
  if (difference === 'replace') await checked(at, {}, news);
  return difference;
}

/**
 * Resources that a replacement replaces, too, in the order of the state: those whose diff says so with
 * unknowns in place of what comes from it.
 */
async function replacedAlong(process: Process, stack: Stack, root: string): Promise<readonly Kept[]> {
  const replaced = new Set([root]);
  const along: Kept[] = [];
  for (const kept of stack.values()) {
    if (replaced.has(kept.key)) continue;
    const touched = Object.entries(kept.madeOf).filter(([, keys]) => keys.some((key) => replaced.has(key)));
    if (touched.length === 0) continue;
    const news = { ...kept.inputs, ...Object.fromEntries(touched.map(([argument]) => [argument, UNKNOWN])) };
    if ((await differenceOf(process.face(kept.token), kept, news)) !== 'replace') continue;
    replaced.add(kept.key);
    along.push(kept);
  }
  return along;
}

/** One `pulumi up --skip-preview`, as parallel as the order allows; with nothing declared, a destroy. */
export async function run(
  world: World,
  before: Stack,
  declared: readonly Declared[],
  options: RunOptions = {},
): Promise<Run> {
  world.clock.advance(1_000);
  const process = newProcess(world, options, declared.length === 0 && options.targets === undefined);
  const steps: string[] = [];
  const errors: string[] = [];
  const stack = new Map(before);
  const stateRecords = recordsIn(options.answered ?? before);
  /** Old resources whose replacement was made first: deleted at the end. */
  const later: Kept[] = [];
  const deleted = new Set<string>();
  const isTarget = (key: string): boolean => options.targets?.includes(key) ?? true;

  /** Does a step; answers whether it succeeded. Of a killed process the engine knows nothing. */
  const step = async (what: string, key: string, job: () => Promise<() => void>, partly?: (left: Partial) => void) => {
    if (what !== '') steps.push(`${what} ${key}`);
    try {
      const keep = await job();
      if (process.killed()) return false;
      keep();
      return true;
    } catch (error) {
      if (process.killed()) return false;
      errors.push(`${key}: ${messageOf(error)}`);
      if (isPartial(error)) partly?.(error);
      return false;
    }
  };

  const keep = (of: Declared, id: string, inputs: Inputs, outputs: Inputs, incomplete = false): void => {
    const { key, token, deletedWith, mark } = of;
    const facts = { after: comesAfter(of), madeOf: madeOf(of), deletedWith, mark, incomplete, replacing: false };
    stack.set(key, { key, token, id, inputs, outputs, ...facts });
  };

  const remove = (kept: Kept, then: () => void, condemned: ReadonlySet<string> = new Set()): Promise<boolean> =>
    step('delete', kept.key, async () => {
      if (kept.mark === 'protect') throw new Error('it is protected');
      const taken = kept.deletedWith !== undefined && condemned.has(kept.deletedWith);
      await options.beforeDelete?.(kept.key);
      if (kept.mark !== 'retain' && !taken)
        await process.face(kept.token).delete(kept.id, withInputs({ ...kept.outputs }, kept.inputs));
      return then;
    });

  const replace = async (kept: Kept): Promise<boolean> => {
    const along: Kept[] = [];
    const looked = await step('', kept.key, async () => {
      along.push(...(await replacedAlong(process, stack, kept.key)));
      return () => undefined;
    });
    if (!looked) return false;
    for (const each of [...along.reverse(), kept]) {
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
    if (!isTarget(key)) return true;
    const at = process.face(token);
    const renamed = of.alias === undefined ? undefined : stack.get(of.alias);
    if (renamed) {
      stack.delete(renamed.key);
      stack.set(key, { ...renamed, key });
    }
    const old = stack.get(key);
    let inputs: Inputs = {};
    let difference: Difference = 'same';
    const looked = await step('', key, async () => {
      const news = resolvedArgs(of, (other) => stack.get(other)?.outputs ?? {}, stateRecords);
      // One that was deleted with another one is new.
      const olds = (deleted.has(key) ? undefined : old?.inputs) ?? {};
      inputs = await checked(at, olds, withOldValues(of, news, old));
      if (old && !deleted.has(key)) difference = await declaredDifference(at, old, { inputs, news, ...of });
      return () => undefined;
    });
    if (!looked) return false;
    const left = (partial: Partial, given = inputs): void => keep(of, partial.id, given, partial.properties, true);
    const create = (): Promise<boolean> =>
      step(
        'create',
        key,
        async () => {
          const { id, outs } = await at.create(inputs);
          return () => keep(of, id, inputs, outs ?? {});
        },
        left,
      );
    if (!old || deleted.has(key)) return create();
    if ((difference as Difference) === 'replace') return (await replace(old)) && create();
    if (old.replacing) {
      // Nothing differs any more: made first, and what it replaces deleted at the end.
      if (!(await create())) return false;
      later.push(old);
      return true;
    }
    if ((difference as Difference) === 'same' && !old.incomplete) {
      keep(of, old.id, inputs, old.outputs);
      return true;
    }
    return step(
      'update',
      key,
      async () => {
        const { outs } = await at.update(old.id, old.outputs, inputs);
        return () => keep(of, old.id, inputs, outs ?? {});
      },
      // The engine keeps the inputs of the run before, beside the outputs of this one.
      (partial) => left(partial, old.inputs),
    );
  };

  if (options.refresh) {
    for (const kept of before.values()) {
      if (kept.replacing) continue;
      const read = await step('', kept.key, async () => {
        const found = await readAgain(process, kept);
        return () => void (found === undefined ? stack.delete(kept.key) : stack.set(kept.key, found));
      });
      if (!read) break;
    }
  }
  const outcomes = new Map<string, Promise<boolean>>();
  for (const of of declared) {
    const needed = comesAfter(of).flatMap((key) => outcomes.get(key) ?? []);
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
    const condemned = [...stack.values()].filter(({ key }) => !names.has(key) && isTarget(key));
    const leaving = new Set(condemned.map(({ key }) => key));
    // A limited run takes away nothing that something else depends on.
    const needed = condemned.find(({ key }) =>
      [...stack.values()].some((each) => !leaving.has(each.key) && each.after.includes(key)),
    );
    if (options.targets !== undefined && needed !== undefined) {
      errors.push(`${needed.key}: cannot be deleted, because what depends on it is not a target`);
      condemned.length = 0;
    }
    for (const old of later) await remove(old, () => undefined);
    const left = condemned.reverse();
    // Dependents come first; what one depends on that could not be deleted stays.
    const isFree = ({ key }: Kept): boolean => ![...stack.values()].some(({ after }) => after.includes(key));
    for (let at = left.findIndex(isFree); at !== -1 && !process.killed(); at = left.findIndex(isFree)) {
      const [kept] = left.splice(at, 1) as [Kept];
      if (kept.replacing) stack.delete(kept.key);
      else await remove(kept, () => stack.delete(kept.key), leaving);
    }
  }
  const order = new Set([...declared.map(({ key }) => key), ...stack.keys()]);
  const sorted = [...order].flatMap((key): [string, Kept][] => {
    const kept = stack.get(key);
    return kept ? [[key, kept]] : [];
  });
  return {
    stack: new Map(sorted),
    steps,
    errors,
    notices: process.notices,
    shown: process.shown,
    killed: process.killed(),
  };
}

/** One `pulumi preview`: check and diff alone, with unknowns in place of what is not known yet. */
export async function preview(
  world: World,
  stack: Stack,
  declared: readonly Declared[],
  options: RunOptions = {},
): Promise<Preview> {
  const process = newProcess(world, options);
  const steps: string[] = [];
  const errors: string[] = [];
  const replaced = new Set<string>();
  const outputs = new Map<string, Inputs>();
  const planned = new Map<string, Inputs>();
  const isTarget = (key: string): boolean => options.targets?.includes(key) ?? true;
  const there = new Map(stack);
  for (const kept of options.refresh ? stack.values() : []) {
    const found = await readAgain(process, kept);
    if (found === undefined) there.delete(kept.key);
    else there.set(kept.key, found);
  }
  for (const of of declared) {
    const { key, token } = of;
    if (!isTarget(key)) {
      outputs.set(key, there.get(key)?.outputs ?? {});
      continue;
    }
    const at = process.face(token);
    const old = options.replaces?.includes(key) ? undefined : (there.get(key) ?? there.get(of.alias ?? ''));
    const news = resolvedArgs(of, (other) => outputs.get(other) ?? {}, recordsIn(stack));
    const computed = [...Object.keys(COMPUTED), ...Object.keys(kindOf(token).computed)];
    const unknown = { ...Object.fromEntries(computed.map((name) => [name, UNKNOWN])), ...news };
    try {
      const inputs = await checked(at, (replaced.has(key) ? undefined : old?.inputs) ?? {}, news);
      planned.set(key, inputs);
      const difference =
        old && !replaced.has(key) ? await declaredDifference(at, old, { inputs, news, ...of }) : 'create';
      if (difference === 'replace')
        for (const along of await replacedAlong(process, stack, key)) replaced.add(along.key);
      if (difference !== 'same' || old?.incomplete) steps.push(`${difference} ${key}`);
      outputs.set(key, difference === 'same' && !old?.incomplete ? (old?.outputs ?? {}) : unknown);
    } catch (error) {
      errors.push(`${key}: ${messageOf(error)}`);
      outputs.set(key, unknown);
    }
  }
  const names = new Set(declared.flatMap(({ key, alias }) => (alias === undefined ? [key] : [key, alias])));
  for (const kept of [...stack.values()].reverse()) {
    if (names.has(kept.key) || !isTarget(kept.key)) continue;
    steps.push(`delete ${kept.key}`);
    if (kept.mark === 'protect') errors.push(`${kept.key}: it is protected`);
  }
  return { steps, errors, notices: process.notices, shown: process.shown, inputs: planned };
}

/** A record as a refresh reads it; undefined when it is gone. */
async function readAgain({ face }: Process, kept: Kept): Promise<Kept | undefined> {
  const { inputs, props } = await face(kept.token).read(kept.id, withInputs({ ...kept.outputs }, kept.inputs));
  return props && { ...kept, ...(inputs && { inputs }), outputs: props, incomplete: false };
}

const isDiffering = (before: Inputs, now: Inputs, name: string): boolean =>
  JSON.stringify(now[name]) !== JSON.stringify(before[name]);

/**
 * One `pulumi refresh --preview-only --diff`: `Platform::web description` for each argument that reads
 * differently, and what was deleted. `isQuiet`: nobody else wrote, so that who wrote last, and when,
 * is the same.
 */
export async function drift(world: World, stack: Stack, isQuiet = false): Promise<readonly string[]> {
  const process = newProcess(world);
  const found: string[] = [];
  for (const kept of stack.values()) {
    const read = await readAgain(process, kept);
    if (read === undefined) {
      found.push(`${kept.key} is gone`);
      continue;
    }
    const { inputs, outputs } = read;
    const names = Object.keys({ ...kept.inputs, ...inputs });
    const differing = names.filter((name) => isDiffering(kept.inputs, inputs, name));
    const moved = isQuiet ? ['updated', 'updatedBy'].filter((name) => isDiffering(kept.outputs, outputs, name)) : [];
    found.push(...[...differing, ...moved].map((name) => `${kept.key} ${name}`));
  }
  return found;
}
