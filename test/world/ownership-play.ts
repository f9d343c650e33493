// Plays a history of two stacks and Maria on a ground: in process, or on the real engine. Each run
// is looked at from the side of the service, and the law of ownership says what does not hold.
import type { Api } from '../../api/client';
import { routes, type Record as WireRecord } from '../../api/contract';
import type { Inputs } from '../../provider';
import { isPendingDelete } from '../../provider/verbs/live';
import type { Service } from '../../service';
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
import { drawFrom, type Draw, type Person } from './foreign-writer';
import {
  eachEnvironment,
  edited,
  environmentsOf,
  firstSpecs,
  nameOfWrite,
  orEmpty,
  withoutPlatform,
  writeAs,
  type History,
  type StackIndex,
  type StateAct,
  type UpAct,
  type Write,
} from './ownership-moves';
import { nameIn, resourcesOf, type StackSpec } from './stack-spec';

/** A resource of a state. */
interface Resource {
  readonly key: string;
  readonly inputs: Inputs;
  readonly outputs: Inputs;
  readonly mark?: OwnedRecord['mark'];
  readonly isIncomplete: boolean;
  /** Keys of what it depends on. */
  readonly after: readonly string[];
}

/** How a stack goes up. */
interface How extends Partial<Pick<UpAct, 'refresh' | 'kill' | 'during' | 'draw'>> {
  readonly limit?: { readonly by: 'target' | 'exclude'; readonly keys: readonly string[] };
}

/** What a run says of itself. */
interface Ended extends Pick<ObservedRun, 'steps' | 'errors' | 'notices' | 'isKilled' | 'isBlind'> {
  /** What its deployments change, as planned; undefined: what runs is compared. */
  readonly changes?: readonly InstanceChange[];
}

/** A service with two stacks. */
export interface Ground {
  readonly maria: Person;
  readonly service: Service;
  stateOf(stack: StackIndex): readonly Resource[] | Promise<readonly Resource[]>;
  /** Goes up; without a file it is a destroy. `intrude`: carries out what comes during the run. */
  go(
    stack: StackIndex,
    spec: StackSpec | undefined,
    how: How,
    intrude: (write: Write) => Promise<void>,
  ): Promise<Ended>;
  /** Moves resources to the other stack; answers whether it moved something. */
  move(from: StackIndex, keys: readonly string[]): boolean | Promise<boolean>;
  /** `state delete` of a resource, the first one, along with others. */
  forget(stack: StackIndex, keys: readonly string[]): void | Promise<void>;
  /** Imports one of the last states. */
  restore(stack: StackIndex, draw: Draw): void | Promise<void>;
  unprotect(stack: StackIndex): void | Promise<void>;
  close(): void | Promise<void>;
}

const DESIGN = { assembly: 'shop' };

/** Components below which anybody attaches something. */
const WITH_ATTACHMENTS = ['compute', 'deployer', 'extra'];

/** The records of the design of `shop` and its environments. */
async function recordsAt(api: Api): Promise<ServiceRecords> {
  const found = new Map<number, { readonly path: string; readonly isLeaving: boolean }>();
  const add = async (list: Promise<readonly WireRecord[]>, start: string): Promise<readonly WireRecord[]> => {
    const records = await orEmpty(list);
    for (const record of records)
      found.set(record.ciId, { path: `${start}${record.ciName}`, isLeaving: isPendingDelete(record) });
    return records;
  };
  const shop = (await api.call(routes.assemblies.list, {})).find(({ ciName }) => ciName === 'shop');
  if (shop === undefined) return found;
  found.set(shop.ciId, { path: '', isLeaving: isPendingDelete(shop) });
  await add(api.call(routes.designVariables.list, { address: DESIGN }), '$');
  await add(api.call(routes.environments.list, { address: DESIGN }), '~');
  const platforms = await add(api.call(routes.platforms.list, { address: DESIGN }), '');
  for (const { ciName: platform } of platforms.filter((each) => !isPendingDelete(each))) {
    const address = { ...DESIGN, platform };
    const components = await add(api.call(routes.components.list, { address }), `${platform}/`);
    await add(api.call(routes.platformVariables.list, { address }), `${platform}/$`);
    for (const { ciName: component } of components.filter((each) => WITH_ATTACHMENTS.includes(each.ciName)))
      await add(api.call(routes.attachments.list, { address: { ...address, component } }), `${platform}/${component}/`);
  }
  return found;
}

/** The component of an instance, or of a change of one. */
export const componentIn = ({ ciName }: Pick<WireRecord, 'ciName'>): string => ciName.replace(/-\d+-\d+$/, '');

/** Everything that runs in `shop`. */
async function runningAt(api: Api): Promise<readonly RunningInstance[]> {
  const query = { instances_state: 'all' };
  const all = await orEmpty(api.call(routes.operations.assemblyInstances, { address: DESIGN, query }));
  return all.map((instance) => {
    const [, , , environment = '', , platform = ''] = instance.nsPath.split('/');
    const cloud = instance.deployedTo?.ciName ?? '';
    return { environment, platform, component: componentIn(instance), cloud, attributes: instance.ciAttributes };
  });
}

/** Values of the variables of each environment. */
async function variablesAt(api: Api): Promise<ObservedRun['variables']> {
  const found: { [environment: string]: { readonly [name: string]: string } } = {};
  for (const environment of await environmentsOf(api)) {
    const list = await api.call(routes.environmentVariables.list, { address: { ...DESIGN, environment } });
    found[environment] = Object.fromEntries(
      list.map(({ ciName, ciAttributes }) => [ciName, ciAttributes['value'] ?? '']),
    );
  }
  return found;
}

const tokenOf = (key: string): string => key.split('::')[0] ?? '';

/** The path of a resource that is a record of the design, or an environment. */
function pathOf(token: string, args: Inputs): string | undefined {
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

const heldIn = (state: readonly Resource[]): readonly OwnedRecord[] =>
  state.flatMap(({ key, outputs, mark }) => {
    const path = pathOf(tokenOf(key), outputs);
    if (path === undefined) return [];
    const isReference = outputs['existing'] === true;
    return [{ key, path, ciId: Number(outputs['ciId'] ?? 0), origin: String(outputs['origin']), mark, isReference }];
  });

const ownIds = (state: readonly Resource[]): readonly number[] =>
  heldIn(state).flatMap(({ ciId, isReference }) => (isReference || ciId === 0 ? [] : [ciId]));

/** What of a state makes the design commit. */
const committing = (state: readonly Resource[]): string => {
  const { inputs, outputs, isIncomplete } = state.find(({ key }) => tokenOf(key) === 'DesignRelease') ?? {};
  const facts = ['stamps', 'leaving', 'newer'].map((name) => [inputs?.[name], outputs?.[name]]);
  return JSON.stringify([isIncomplete, facts]);
};

/** A resource and what is in it, by their keys. */
function keysIn(state: readonly Resource[], key: string): readonly string[] {
  const [token = '', name = ''] = key.split('::');
  const starts =
    token === 'Platform'
      ? ['Component::', 'Attachment::', 'Variable::platforms/'].map((each) => `${each}${name}/`)
      : [];
  const all = state.map((each) => each.key);
  return all.filter((other) => other === key || starts.some((start) => other.startsWith(start)));
}

/** A resource and all that depend on it: `--target-dependents`. */
function dependentsOf(state: readonly Resource[], key: string): readonly string[] {
  const found = new Set([key]);
  for (const each of state) if (each.after.some((other) => found.has(other))) found.add(each.key);
  return [...found];
}

/** `--target` of half of the state, or `--exclude` of some of it. */
function limitOf({ limit, draw }: Pick<UpAct, 'limit' | 'draw'>, state: readonly Resource[]): Pick<How, 'limit'> {
  if (limit === undefined) return {};
  const [count, rest] = limit === 'target' ? [2, 1] : [4, 0];
  const chosen = state.filter((_, index) => (draw >> (index % 16)) % count === rest);
  return { limit: { by: limit, keys: chosen.map(({ key }) => key) } };
}

/** Entries of `accept` that refusals name. */
const acceptable = (errors: readonly string[]): readonly string[] =>
  [...errors.join('\n').matchAll(/accept: \[(.*?)\] \}/g)].flatMap(
    ([, list = '']) => JSON.parse(`[${list}]`) as string[],
  );

/** The file that accepts some changes. */
const accepting = (spec: StackSpec, entries: readonly string[]): StackSpec => ({
  ...spec,
  environments: eachEnvironment(spec, (of) => {
    const deploy = of.deploy === false ? {} : (of.deploy ?? {});
    const accept = [...new Set([...((deploy['accept'] ?? []) as readonly string[]), ...entries])];
    return { ...of, deploy: { ...deploy, accept } };
  }),
});

/** What changed between two looks at what runs. */
const changesBetween = (before: readonly RunningInstance[], after: readonly RunningInstance[]) =>
  [before, after].flatMap((all, index) =>
    all.map((each): InstanceChange => ({ ...each, action: index === 0 ? 'delete' : 'add', changed: {} })),
  );

interface Player {
  spec: StackSpec;
  readonly memory: Memory;
  /** Paths of what came from the other state when the service had it no longer. */
  readonly unseen: Set<string>;
}

/** What came of a history. */
interface Played {
  /** What does not hold, with the act that it was seen after. */
  readonly broken: readonly string[];
  /** What was done, for whom reads a failure. */
  readonly story: readonly string[];
  readonly counts: { readonly runs: number; readonly complete: number; readonly deletes: number };
}

export async function play(history: History, ground: Ground): Promise<Played> {
  const { maria, service } = ground;
  const { api } = maria;
  const story: string[] = [];
  const broken: string[] = [];
  const counts = { runs: 0, complete: 0, deletes: 0 };
  let unique = 0;
  /** Records that an older state gave to a stack although the other one has them by now. */
  const doubled = new Set<number>();
  /** Records that went from one state to the other. */
  const moved = new Set<number>();
  const players = firstSpecs(history.second).map((spec) => ({
    spec,
    memory: newMemory(),
    unseen: new Set<string>(),
  })) as [Player, Player];
  const otherThan = (index: StackIndex): StackIndex => (index === 0 ? 1 : 0);

  /** Adds what both states have, of some records. */
  const addDoubled = async (index: StackIndex, isMeant: (ciId: number) => boolean): Promise<void> => {
    const theirs = ownIds(await ground.stateOf(otherThan(index)));
    for (const ciId of ownIds(await ground.stateOf(index)))
      if (isMeant(ciId) && theirs.includes(ciId)) doubled.add(ciId);
  };

  const asMaria = async (write: Write): Promise<void> => {
    unique += 1;
    story.push(`maria ${nameOfWrite(write)} ${write.draw}, ${write.then}`);
    const seen = service.journal().length;
    await writeAs(maria, write, unique);
    const done = service.journal().slice(seen);
    for (const { method, path, status } of done) if (method !== 'GET') story.push(`  ${method} ${path} ${status}`);
  };

  /** A run, and what does not hold of it; answers its errors, none where it was killed. */
  const runOf = async (index: StackIndex, spec: StackSpec | undefined, how: How = {}): Promise<readonly string[]> => {
    const player = players[index];
    const spans: ObservedRun['spans'][number][] = [];
    const runningBefore = await runningAt(api);
    let before = await recordsAt(api);
    const state = await ground.stateOf(index);
    const others = ownIds(await ground.stateOf(otherThan(index))).filter((ciId) => !doubled.has(ciId));
    const done = await ground.go(index, spec, how, async (write) => {
      spans.push({ before, after: await recordsAt(api) });
      await asMaria(write);
      before = await recordsAt(api);
    });
    spans.push({ before, after: await recordsAt(api) });
    const running = await runningAt(api);
    // The service shows users, no stacks: who wrote what moved away takes it over again.
    await addDoubled(index, (ciId) => moved.has(ciId));
    const declared = spec === undefined ? [] : resourcesOf(spec);
    const isLimited = how.limit !== undefined;
    const isRefresh = how.refresh === true;
    const observed: ObservedRun = {
      ...done,
      held: heldIn(state),
      others: new Set(others),
      declared: declared.flatMap(({ key, token, args }) => {
        const path = pathOf(token, args);
        return path === undefined ? [] : [{ key, path, isReference: args['existing'] === true }];
      }),
      // `state delete` may have taken out what commits.
      commits: [...state, ...declared].some(({ key }) => tokenOf(key) === 'DesignRelease'),
      looksAtDesign: committing(state) !== committing(await ground.stateOf(index)),
      unseen: player.unseen,
      spec: spec ?? {},
      isLimited,
      isDestroy: spec === undefined,
      isRefresh,
      spans,
      changes: done.changes ?? changesBetween(runningBefore, running),
      runningBefore,
      running,
      variables: await variablesAt(api),
    };
    const isComplete = done.errors.length === 0 && !done.isKilled;
    counts.runs += 1;
    counts.deletes += done.steps.filter((step) => step.startsWith('delete')).length;
    if (isComplete) counts.complete += 1;
    if (isComplete && isRefresh && !isLimited) player.unseen.clear();
    const name = `${spec === undefined ? 'destroy' : 'up'} ${index}`;
    const found = brokenLaws(observed, player.memory);
    broken.push(...found.map((law) => `${name}: ${law}`));
    story.push(
      `${name} ${JSON.stringify(how)}: ${done.isKilled ? 'killed, ' : ''}${done.steps.join(', ')}`,
      ...done.errors.map((error) => `  error ${error}`),
      ...done.notices.map((notice) => `  ${notice}`),
      ...found.map((law) => `  BROKEN ${law}`),
    );
    return done.isKilled ? [] : done.errors;
  };

  const up = async (of: UpAct): Promise<void> => {
    const { stack: index, draw } = of;
    const player = players[index];
    for (const number of of.edits) {
      const { name, spec } = edited(player.spec, number);
      story.push(`stack ${index} edits: ${name}`);
      player.spec = spec;
    }
    if (of.fails !== undefined)
      service.faults.set([{ effect: 'fail-deployment', record: of.fails, message: 'no room', times: 1 }]);
    const { refresh, kill, during } = of;
    const limit = limitOf(of, await ground.stateOf(index));
    const errors = await runOf(index, player.spec, { refresh, kill, during, draw, ...limit });
    service.faults.set([]);
    const entries = acceptable(errors);
    if (errors.length === 0 || of.answer === 'nothing' || (of.answer === 'accept' && entries.length === 0)) return;
    if (of.answer === 'accept') player.spec = accepting(player.spec, entries);
    await runOf(index, player.spec, { refresh: of.answer === 'refresh', draw });
  };

  const moveOf = async (index: StackIndex, draw: Draw): Promise<void> => {
    const [player, other] = [players[index], players[otherThan(index)]];
    const { platforms = {} } = player.spec;
    const name = draw.maybe(
      Object.keys(platforms).filter(
        (each) => platforms[each]?.existing !== true && other.spec.platforms?.[each] === undefined,
      ),
    );
    if (name === undefined || history.second === 'copy') return;
    const platform = platforms[name] ?? {};
    const { logical } = platform;
    const state = await ground.stateOf(index);
    const keys = keysIn(state, `Platform::${logical ?? name}`);
    const taken = state.filter(({ key }) => keys.includes(key));
    const isMoved = await ground.move(index, keys);
    story.push(`platform ${name} moves from stack ${index}: moved ${keys.join(' ')}: ${isMoved}`);
    if (!isMoved) return;
    other.spec = { ...other.spec, platforms: { ...other.spec.platforms, [name]: platform } };
    for (const ciId of ownIds(taken)) moved.add(ciId);
    const there = await recordsAt(api);
    for (const { ciId, path } of heldIn(taken)) if (!there.has(ciId)) other.unseen.add(path);
    player.spec = draw.of([true, false])
      ? withoutPlatform(player.spec, name)
      : { ...player.spec, platforms: { ...platforms, [name]: { existing: true, ...(logical ? { logical } : {}) } } };
  };

  const changeState = async ({ stack: index, what, draw: number }: StateAct): Promise<void> => {
    const draw = drawFrom(number);
    if (what === 'move') return moveOf(index, draw);
    story.push(`stack ${index}: state ${what}`);
    if (what === 'unprotect') return ground.unprotect(index);
    if (what === 'restore') {
      await ground.restore(index, draw);
      return addDoubled(index, () => true);
    }
    const state = await ground.stateOf(index);
    const named = state.map(({ key }) => key).filter((key) => /^(Platform|Component|Variable|Attachment)::/.test(key));
    const key = draw.maybe(named);
    if (key === undefined) return undefined;
    const keys = draw.of([true, false]) ? keysIn(state, key) : dependentsOf(state, key);
    story.push(`  ${keys.join(' ')}`);
    return ground.forget(index, keys);
  };

  await runOf(0, players[0].spec);
  await runOf(1, players[1].spec);
  for (const act of history.acts)
    await (act.act === 'up' ? up(act) : act.act === 'maria' ? asMaria(act) : changeState(act));

  // A destroy of one stack leaves running what the other one runs.
  const { destroyed } = history;
  const own = heldIn(await ground.stateOf(destroyed)).map(({ path }) => path);
  const count = (all: readonly RunningInstance[]): ReadonlyMap<string, number> => {
    const counted = new Map<string, number>();
    for (const { environment, platform, component } of all) {
      const place = `${environment}/${platform}/${component}`;
      if (!own.includes(`~${environment}`)) counted.set(place, (counted.get(place) ?? 0) + 1);
    }
    return counted;
  };
  const before = count(await runningAt(api));
  await runOf(destroyed, undefined);
  const after = count(await runningAt(api));
  for (const [place, number] of before)
    if ((after.get(place) ?? 0) < number) broken.push(`destroy ${destroyed}: ${place} of the other stack runs less`);
  const rest = otherThan(destroyed);
  const { spec } = players[rest];
  const described = { ...spec, environments: eachEnvironment(spec, (of) => ({ ...of, description: 'after' })) };
  if ((await ground.stateOf(rest)).length > 0) await runOf(rest, described);
  return { broken, story, counts };
}
