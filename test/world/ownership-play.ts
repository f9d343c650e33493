// Plays a history on the simulated engine, and looks at each run from the side of the service.
import type { Api } from '../../api/client';
import { routes, type Record as WireRecord } from '../../api/contract';
import { NotFound } from '../../api/errors';
import type { Inputs } from '../../provider';
import { isPendingDelete } from '../../provider/verbs/live';
import { emptyStack, run, type Declared, type RunOptions, type Stack } from './engine-simulation';
import { environmentsOf, nameOfWrite, writeAs, type Person } from './ownership-foreign';
import {
  drawFrom,
  edited,
  eachEnvironment,
  firstSpecs,
  withoutPlatform,
  type Act,
  type ForeignWrite,
  type History,
  type StackIndex,
  type StateAct,
  type UpAct,
} from './ownership-history';
import {
  brokenLaws,
  newMemory,
  type InstanceChange,
  type Memory,
  type ObservedRun,
  type OwnedRecord,
  type RunningInstance,
  type ServiceRecords,
} from './ownership-laws';
import { nameIn, resourcesOf, type StackSpec } from './stack-spec';
import { makeWorld, type World } from './world';

const DESIGN = { assembly: 'shop' };

/** Components below which anybody attaches something. */
const WITH_ATTACHMENTS = ['compute', 'deployer', 'extra'];

const orNone = async <T>(list: Promise<readonly T[]>): Promise<readonly T[]> => {
  try {
    return await list;
  } catch (error) {
    if (error instanceof NotFound) return [];
    throw error;
  }
};

/** The records of the design of `shop` and its environments. */
export async function recordsAt(api: Api): Promise<ServiceRecords> {
  const found = new Map<number, { readonly path: string; readonly isLeaving: boolean }>();
  const add = (list: readonly WireRecord[], pathOf: (name: string) => string): void => {
    for (const record of list)
      found.set(record.ciId, { path: pathOf(record.ciName), isLeaving: isPendingDelete(record) });
  };
  const assemblies = await api.call(routes.assemblies.list, {});
  const shop = assemblies.filter(({ ciName }) => ciName === 'shop');
  if (shop.length === 0) return found;
  add(shop, () => '');
  add(await api.call(routes.designVariables.list, { address: DESIGN }), (name) => `$${name}`);
  add(await api.call(routes.environments.list, { address: DESIGN }), (name) => `~${name}`);
  const platforms = await api.call(routes.platforms.list, { address: DESIGN });
  add(platforms, (name) => name);
  for (const { ciName: platform } of platforms.filter((each) => !isPendingDelete(each))) {
    const address = { ...DESIGN, platform };
    const components = await orNone(api.call(routes.components.list, { address }));
    add(components, (name) => `${platform}/${name}`);
    add(await orNone(api.call(routes.platformVariables.list, { address })), (name) => `${platform}/$${name}`);
    for (const { ciName: component } of components.filter((each) => WITH_ATTACHMENTS.includes(each.ciName)))
      add(
        await orNone(api.call(routes.attachments.list, { address: { ...address, component } })),
        (name) => `${platform}/${component}/${name}`,
      );
  }
  return found;
}

const componentIn = ({ ciName }: Pick<WireRecord, 'ciName'>): string => ciName.replace(/-\d+-\d+$/, '');

/** Everything that runs in `shop`. */
export async function runningAt(api: Api): Promise<readonly RunningInstance[]> {
  const query = { instances_state: 'all' };
  const all = await orNone(api.call(routes.operations.assemblyInstances, { address: DESIGN, query }));
  return all.map((instance) => {
    const [, , , environment = '', , platform = ''] = instance.nsPath.split('/');
    const cloud = instance.deployedTo?.ciName ?? '';
    return { environment, platform, component: componentIn(instance), cloud, attributes: instance.ciAttributes };
  });
}

/** Values of the variables of each environment. */
export async function variablesAt(api: Api): Promise<ObservedRun['variables']> {
  const found: { [environment: string]: { readonly [name: string]: string } } = {};
  for (const environment of await environmentsOf(api)) {
    const list = await api.call(routes.environmentVariables.list, { address: { ...DESIGN, environment } });
    found[environment] = Object.fromEntries(
      list.map(({ ciName, ciAttributes }) => [ciName, ciAttributes['value'] ?? '']),
    );
  }
  return found;
}

/** The path of a resource that is a record of the design or an environment; undefined for others. */
export function pathOf(token: string, args: Inputs): string | undefined {
  const [name, platform, component] = ['name', 'platform', 'component'].map((each) => nameIn(args[each]));
  if (token === 'Assembly') return '';
  if (token === 'Environment') return `~${name}`;
  if (token === 'Platform') return name;
  if (args['environment'] !== undefined) return undefined;
  if (token === 'Component') return `${platform}/${name}`;
  if (token === 'Attachment') return `${platform}/${component}/${name}`;
  if (token === 'Variable') return args['platform'] === undefined ? `$${name}` : `${platform}/$${name}`;
  return undefined;
}

/** The records of a state. */
export const heldIn = (resources: Iterable<Pick<Kept, 'key' | 'token' | 'outputs' | 'mark'>>): readonly OwnedRecord[] =>
  [...resources].flatMap(({ key, token, outputs, mark }) => {
    const path = pathOf(token, outputs);
    if (path === undefined) return [];
    const isReference = outputs['existing'] === true;
    return [{ key, path, ciId: Number(outputs['ciId'] ?? 0), origin: String(outputs['origin']), mark, isReference }];
  });

/** Entries of `accept` that refusals name. */
export const acceptable = (errors: readonly string[]): readonly string[] =>
  [...errors.join('\n').matchAll(/accept: \[(.*?)\] \}/g)].flatMap(
    ([, list = '']) => JSON.parse(`[${list}]`) as string[],
  );

/** What of a state makes the design commit. */
const committing = (stack: Stack): string => {
  const { inputs, outputs, incomplete } = stack.get('DesignRelease::shop') ?? {};
  return JSON.stringify([
    incomplete,
    ...['stamps', 'leaving', 'newer'].map((name) => [inputs?.[name], outputs?.[name]]),
  ]);
};

const ownIds = (stack: Stack): readonly number[] =>
  heldIn(stack.values()).flatMap(({ ciId, isReference }) => (isReference || ciId === 0 ? [] : [ciId]));

/**
 * Where each commit and pull looks before: the service takes none on a condition, so what somebody writes between the look and the request is included.
 */
const LOOKS: { readonly [route: string]: readonly string[] } = {
  'environments.pull': ['designReleases.list'],
  'environments.commit': ['environments.timeline', 'environmentReleases.latest'],
  'designReleases.commit': ['platforms.list', 'designVariables.list', 'platforms.diff'],
};

/** What is taken out of the world to see that a law fails without it. */
export type Mutation = 'causes' | 'taking over' | 'state list';

type Kept = Stack extends ReadonlyMap<string, infer Each> ? Each : never;

interface Player {
  readonly user: string;
  readonly api: Api;
  spec: StackSpec;
  stack: Stack;
  /** Former states, oldest first. */
  readonly past: Stack[];
  readonly memory: Memory;
  /** Paths of what came from the other state although the service had it no longer: a refresh sees that. */
  readonly unseen: Set<string>;
  /** All records that any run of the stack knew. */
  readonly everything: Map<string, Kept>;
}

/** What came of a history. */
interface Played {
  /** What does not hold, with the act that it was seen after. */
  readonly broken: readonly string[];
  /** What was done, for whom reads a failure. */
  readonly story: readonly string[];
  readonly counts: { readonly runs: number; readonly complete: number; readonly deletes: number };
}

/** Plays a history on the simulated engine. */
export async function play(history: History, mutation?: Mutation): Promise<Played> {
  const world = makeWorld(history.dialect);
  try {
    return await playIn(world, history, mutation);
  } finally {
    world.close();
  }
}

async function playIn(world: World, history: History, mutation?: Mutation): Promise<Played> {
  const story: string[] = [];
  const broken: string[] = [];
  const counts = { runs: 0, complete: 0, deletes: 0 };
  let unique = 0;
  /** Records that an older state gave to a stack although the other one has them by now. */
  const doubled = new Set<number>();
  /** Records that went from one state to the other. */
  const moved = new Set<number>();
  const specs = firstSpecs(history.second);
  const players = specs.map((spec, index): Player => ({
    user: index === 0 ? 'admin' : 'pia',
    api: index === 0 ? world.api : world.third,
    spec,
    stack: emptyStack,
    past: [],
    memory: newMemory(),
    unseen: new Set(),
    everything: new Map(),
  })) as [Player, Player];
  const maria: Person = { api: world.other, tick: () => world.clock.advance(10_000) };
  const asMaria = async (write: ForeignWrite): Promise<void> => {
    unique += 1;
    story.push(`maria ${nameOfWrite(write)} ${write.draw}, ${write.then}`);
    const seen = world.service.journal().length;
    await writeAs(maria, write, unique);
    const done = world.service
      .journal()
      .slice(seen)
      .filter(({ method }) => method !== 'GET');
    story.push(...done.map(({ method, path, status }) => `  ${method} ${path} ${status}`));
  };

  /** A run with what it says of itself and what the service shows. */
  const runOf = async (
    index: StackIndex,
    declared: readonly Declared[],
    options: RunOptions,
    during?: UpAct['during'],
  ) => {
    const player = players[index];
    const spans: ObservedRun['spans'][number][] = [];
    const changes: InstanceChange[] = [];
    const runningBefore = await runningAt(world.other);
    let before = await recordsAt(world.other);
    let requests = 0;
    /** Routes since the other user's write. */
    let since: string[] | undefined;
    let isBlind = false;
    let written = '';
    let turn: Promise<unknown> = Promise.resolve();
    const intrude = async (write: ForeignWrite): Promise<void> => {
      spans.push({ before, after: await recordsAt(world.other) });
      await asMaria(write);
      before = await recordsAt(world.other);
      since = [];
      // The service does both in a job.
      isBlind ||= ['environments.pull', 'environments.commit'].includes(written);
    };
    const call: Api['call'] = (route, input) => {
      const next = turn.then(async () => {
        requests += 1;
        if (during?.at === requests) await intrude(during);
        const looks = LOOKS[route.name];
        if (looks !== undefined && since?.some((name) => looks.includes(name)) === false) isBlind = true;
        since?.push(route.name);
        if (route.method !== 'GET') written = route.name;
        if (route.name === routes.deployments.create.name)
          changes.push(
            ...(await plannedIn(world.other, String((input?.address as Inputs | undefined)?.['environment']))),
          );
        return player.api.call(route, input);
      });
      turn = next.catch(() => undefined);
      return next;
    };
    const api: Api = { ...player.api, call: mutation === 'causes' ? blindly(call, player.user) : call };
    const held = heldIn(player.stack.values());
    const others = new Set(ownIds((players[1 - index] as Player).stack).filter((ciId) => !doubled.has(ciId)));
    const answered = mutation === 'state list' ? { answered: new Map([...player.everything, ...player.stack]) } : {};
    const done = await run({ ...world, api }, player.stack, declared, { ...options, ...answered });
    spans.push({ before, after: await recordsAt(world.other) });
    player.past.push(player.stack);
    player.stack = done.stack;
    for (const [key, kept] of done.stack) player.everything.set(key, kept);
    // The service shows users, no stacks: what moved away and is declared again by the user who wrote it is taken over without a word.
    const theirs = ownIds((players[1 - index] as Player).stack);
    for (const ciId of ownIds(player.stack)) if (moved.has(ciId) && theirs.includes(ciId)) doubled.add(ciId);
    const observed: ObservedRun = {
      held,
      others,
      declared: declared.flatMap(({ key, token, args }) => {
        const path = pathOf(token, args);
        return path === undefined ? [] : [{ key, path, isReference: args['existing'] === true }];
      }),
      // `state delete` may have taken out what commits.
      commits: [...player.past.at(-1)!.values(), ...declared].some(({ token }) => token === 'DesignRelease'),
      looksAtDesign: committing(player.past.at(-1)!) !== committing(player.stack),
      unseen: player.unseen,
      spec: declared.length === 0 ? {} : player.spec,
      steps: done.steps,
      errors: done.errors,
      notices: done.notices,
      isKilled: done.killed,
      isLimited: options.targets !== undefined,
      isDestroy: declared.length === 0,
      isRefresh: options.refresh === true,
      isBlind,
      spans,
      changes,
      runningBefore,
      running: await runningAt(world.other),
      variables: await variablesAt(world.other),
    };
    counts.runs += 1;
    counts.deletes += done.steps.filter((step) => step.startsWith('delete')).length;
    if (done.errors.length === 0 && !done.killed) counts.complete += 1;
    if (done.errors.length === 0 && !done.killed && options.refresh === true && options.targets === undefined)
      player.unseen.clear();
    const name = `${declared.length === 0 ? 'destroy' : 'up'} ${index}`;
    story.push(
      `${name} ${JSON.stringify(options, (key, value: unknown) => (key === 'answered' ? undefined : value))}: ${done.killed ? 'killed, ' : ''}${done.steps.join(', ')}`,
      ...done.errors.map((error) => `  error ${error}`),
      ...done.notices.map((notice) => `  ${notice}`),
    );
    const found = brokenLaws(observed, player.memory);
    broken.push(...found.map((law) => `${name}: ${law}`));
    story.push(...found.map((law) => `  BROKEN ${law}`));
    return observed;
  };

  const up = async (of: Omit<UpAct, 'act'>): Promise<void> => {
    const player = players[of.stack];
    for (const number of of.edits) {
      const { name, spec } = edited(player.spec, number);
      story.push(`stack ${of.stack} edits: ${name}`);
      player.spec = spec;
    }
    if (of.fails !== undefined) world.service.failures.set([{ match: of.fails, message: 'no room', times: 1 }]);
    const declared = (): readonly Declared[] => {
      const plain = withAliases(resourcesOf(player.spec), player, of.draw);
      return mutation === 'taking over' ? plain.map(adopting) : plain;
    };
    const options: RunOptions = {
      ...(of.refresh ? { refresh: true } : {}),
      ...(of.kill ? { killAt: of.kill } : {}),
      ...limitOf(of, player.stack, declared()),
    };
    const done = await runOf(of.stack, declared(), options, of.during);
    world.service.failures.set([]);
    if (done.errors.length === 0 || done.isKilled || of.answer === 'nothing') return;
    const entries = acceptable(done.errors);
    if (of.answer === 'accept' && entries.length === 0) return;
    if (of.answer === 'accept') player.spec = accepting(player.spec, entries);
    await runOf(of.stack, declared(), of.answer === 'refresh' ? { refresh: true } : {});
  };

  const plainly: Omit<UpAct, 'act' | 'stack'> = {
    edits: [],
    refresh: false,
    limit: undefined,
    kill: undefined,
    fails: undefined,
    during: undefined,
    answer: 'nothing',
    draw: 0,
  };

  const changeState = async (of: StateAct): Promise<void> => {
    const { stack: index, what } = of;
    const player = players[index];
    const draw = drawFrom(of.draw);
    if (what === 'restore') {
      player.stack = draw.maybe(player.past.slice(-3)) ?? player.stack;
      const theirs = ownIds((players[1 - index] as Player).stack);
      for (const ciId of ownIds(player.stack)) if (theirs.includes(ciId)) doubled.add(ciId);
      story.push(`stack ${index}: an older state is imported`);
    } else if (what === 'unprotect') {
      player.stack = new Map([...player.stack].map(([key, kept]) => [key, { ...kept, mark: undefined }]));
      story.push(`stack ${index}: state unprotect --all`);
    } else if (what === 'delete') {
      const key = draw.maybe(
        [...player.stack.keys()].filter((each) => /^(Platform|Component|Variable|Attachment)::/.test(each)),
      );
      if (key === undefined) return;
      const keys = draw.of([true, false]) ? keysIn(player.stack, key) : dependentsOf(player.stack, key);
      story.push(`stack ${index}: state delete ${keys.join(' ')}`);
      player.stack = withoutKeys(player.stack, keys);
    } else {
      const other = players[1 - index] as Player;
      const names = Object.keys(player.spec.platforms ?? {}).filter(
        (each) => player.spec.platforms?.[each]?.existing !== true && other.spec.platforms?.[each] === undefined,
      );
      const name = draw.maybe(names);
      if (name === undefined || history.second === 'copy') return;
      const platform = player.spec.platforms?.[name] ?? {};
      const keys = keysIn(player.stack, `Platform::${platform.logical ?? name}`);
      story.push(`platform ${name} moves from stack ${index}: state move ${keys.join(' ')}`);
      other.spec = { ...other.spec, platforms: { ...other.spec.platforms, [name]: platform } };
      const taken = keys.flatMap((key) => {
        const kept = player.stack.get(key);
        return kept === undefined ? [] : [[key, kept] as const];
      });
      // The engine cuts what leads to records that stay behind.
      const cut = (kept: Kept): Kept => ({
        ...kept,
        after: kept.after.filter((key) => keys.includes(key)),
        deletedWith: keys.includes(kept.deletedWith ?? '') ? kept.deletedWith : undefined,
      });
      other.stack = new Map([...other.stack, ...taken.map(([key, kept]) => [key, cut(kept)] as const)]);
      for (const ciId of ownIds(new Map(taken))) moved.add(ciId);
      const there = await recordsAt(world.other);
      for (const { ciId, path } of heldIn(new Map(taken).values())) if (!there.has(ciId)) other.unseen.add(path);
      player.stack = withoutKeys(player.stack, keys);
      const { logical } = platform;
      player.spec = draw.of([true, false])
        ? withoutPlatform(player.spec, name)
        : {
            ...player.spec,
            platforms: { ...player.spec.platforms, [name]: { existing: true, ...(logical ? { logical } : {}) } },
          };
    }
  };

  const carryOut = async (act: Act): Promise<void> => {
    if (act.act === 'up') return up(act);
    if (act.act === 'foreign') return asMaria(act);
    return changeState(act);
  };

  await up({ ...plainly, stack: 0 });
  await up({ ...plainly, stack: 1 });
  for (const act of history.acts) await carryOut(act);

  // A destroy of one stack leaves running what the other one runs.
  const { destroyed } = history;
  const rest = players[1 - destroyed] as Player;
  const own = new Set(
    heldIn(players[destroyed].stack.values()).flatMap(({ path }) => (path.startsWith('~') ? [path.slice(1)] : [])),
  );
  const before = (await runningAt(world.other)).filter(({ environment }) => !own.has(environment));
  await runOf(destroyed, [], {});
  const after = await runningAt(world.other);
  const count = (all: readonly RunningInstance[], of: RunningInstance): number =>
    all.filter((each) =>
      ['environment', 'platform', 'component'].every((name) => each[name as 'cloud'] === of[name as 'cloud']),
    ).length;
  const fewer = before.filter((each) => count(after, each) < count(before, each));
  broken.push(
    ...new Set(
      fewer.map(
        ({ environment, platform, component }) =>
          `destroy ${destroyed}: ${environment}/${platform}/${component} of the other stack runs less`,
      ),
    ),
  );
  rest.spec = { ...rest.spec, environments: eachEnvironment(rest.spec, (of) => ({ ...of, description: 'after' })) };
  if (rest.stack.size > 0) await up({ ...plainly, stack: (1 - destroyed) as StackIndex });
  return { broken, story, counts };
}

const withoutKeys = (stack: Stack, keys: readonly string[]): Stack =>
  new Map(
    [...stack].flatMap(([key, kept]) =>
      keys.includes(key) ? [] : [[key, { ...kept, after: kept.after.filter((each) => !keys.includes(each)) }] as const],
    ),
  );

/** A resource and what is in it, by their keys: `Platform::web`, `Component::web/deployer`, `Variable::platforms/web/variables/HOME`. */
function keysIn(stack: Stack, key: string): readonly string[] {
  const [token = '', name = ''] = key.split('::');
  const isBelow = (other: string): boolean =>
    token === 'Platform' &&
    ['Component::', 'Attachment::', 'Monitor::', 'Variable::platforms/'].some((start) =>
      other.startsWith(`${start}${name}/`),
    );
  return [...stack.keys()].filter((other) => other === key || isBelow(other));
}

/** A resource and all that depend on it: `--target-dependents`. */
function dependentsOf(stack: Stack, key: string): readonly string[] {
  const found = new Set([key]);
  for (const kept of stack.values()) if (kept.after.some((each) => found.has(each))) found.add(kept.key);
  return [...found];
}

/** Of a platform with another logical name: the former one as alias, or none, so that the engine sees a new resource. */
function withAliases(declared: readonly Declared[], { stack, spec }: Player, number: number): readonly Declared[] {
  if (number % 3 === 0) return declared;
  const former = new Map<string, string>();
  for (const [name, { logical = name }] of Object.entries(spec.platforms ?? {})) {
    const held = [...stack.values()].find(({ token, outputs }) => token === 'Platform' && outputs['name'] === name);
    const old = held?.key.split('::')[1];
    if (old !== undefined && old !== logical) former.set(logical, old);
  }
  return declared.map((each) => {
    const [token = '', path = ''] = each.key.split('::');
    const [, start = '', logical = '', rest = ''] = /^(platforms\/)?([^/]+)(.*)$/.exec(path) ?? [];
    const old = ['Platform', 'Component', 'Attachment', 'Variable'].includes(token) ? former.get(logical) : undefined;
    const alias = old === undefined ? undefined : `${token}::${start}${old}${rest}`;
    return alias === undefined || !stack.has(alias) ? each : { ...each, alias };
  });
}

/** `--target` of what is new and half of the rest, or `--exclude` of a few. */
function limitOf(
  { limit, draw: number }: Pick<UpAct, 'limit' | 'draw'>,
  stack: Stack,
  declared: readonly Declared[],
): RunOptions {
  if (limit === undefined) return {};
  const known = [...stack.keys()];
  const fresh = declared.filter(({ key }) => !stack.has(key)).map(({ key }) => key);
  const chosen = known.filter(
    (_, index) => (number >> (index % 16)) % (limit === 'target' ? 2 : 4) === (limit === 'target' ? 1 : 0),
  );
  const left = limit === 'target' ? chosen : known.filter((key) => !chosen.includes(key));
  return { targets: [...fresh, ...left] };
}

const adopting = (declared: Declared): Declared =>
  ['Assembly', 'Environment'].includes(declared.token) && declared.args['existing'] !== true
    ? { ...declared, args: { ...declared.args, adopt: true } }
    : declared;

/** The file that accepts some changes. */
export const accepting = (spec: StackSpec, entries: readonly string[]): StackSpec => ({
  ...spec,
  environments: eachEnvironment(spec, (of) => {
    const deploy = of.deploy === false ? {} : (of.deploy ?? {});
    const accept = [...new Set([...((deploy['accept'] ?? []) as readonly string[]), ...entries])];
    return { ...of, deploy: { ...deploy, accept } };
  }),
});

/** What the next deployment of an environment changes, as the service plans it. */
async function plannedIn(api: Api, environment: string): Promise<readonly InstanceChange[]> {
  const address = { ...DESIGN, environment };
  const query = { include_rfcs: 'cis' };
  const bom = await api.call(routes.environmentReleases.bom, { address, query }).catch(() => undefined);
  return (bom?.rfc_cis ?? []).map((record) => ({
    environment,
    platform: record.nsPath.split('/')[5] ?? '',
    component: componentIn(record),
    action: record.rfcAction ?? 'update',
    changed: Object.fromEntries(
      Object.keys(record.ciBaseAttributes ?? {}).map((name) => [name, String(record.ciAttributes[name] ?? '')]),
    ),
  }));
}

/** A call that shows each release as the user's own: the question who changed something is taken out. */
const blindly =
  (call: Api['call'], user: string): Api['call'] =>
  async (route, input) => {
    const answer = await call(route, input);
    return route.method === 'GET' && /Releases\./.test(route.name)
      ? (asWrittenBy(answer, user) as typeof answer)
      : answer;
  };

function asWrittenBy(value: unknown, user: string): unknown {
  if (Array.isArray(value)) return value.map((each) => asWrittenBy(each, user));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      /By$/.test(name) && typeof each === 'string' ? user : asWrittenBy(each, user),
    ]),
  );
}
