// The law of ownership: the service and its instances, compared with the file after each run. Lost
// records were in the state and left the file; lost instances have a cause in the file, new ones
// are declared or named, and declared ones run. A difference without an excuse is a line.
import { isForeignValue } from './ownership-moves';
import type { EnvironmentSpec, PlatformSpec, StackSpec } from './stack-spec';

/** A record of the design, or an environment: `web/deployer`, `$LEVEL`, `~prod`. */
type RecordPath = string;

/** A resource of a state, or of a file, that is such a record. */
export interface OwnedRecord {
  readonly key: string;
  readonly path: RecordPath;
  readonly ciId: number;
  readonly origin: string;
  readonly mark: 'protect' | 'retain' | undefined;
  /** Declared with `existing: true`. */
  readonly isReference: boolean;
}

/** The records of the service, by ciId. */
export type ServiceRecords = ReadonlyMap<number, { readonly path: RecordPath; readonly isLeaving: boolean }>;

/** Where something of a platform runs. */
interface Place {
  readonly environment: string;
  readonly platform: string;
}

/** An instance that a deployment adds or deletes, or of which it changes attributes. */
export interface InstanceChange extends Place {
  readonly component: string;
  readonly action: string;
  /** New values of changed attributes. */
  readonly changed: { readonly [name: string]: string };
}

/** What runs. */
export interface RunningInstance extends Place {
  readonly component: string;
  readonly cloud: string;
  readonly attributes: { readonly [name: string]: unknown };
}

export interface ObservedRun {
  readonly held: readonly OwnedRecord[];
  /** Numbers of the records that the other stack has in its state. */
  readonly others: ReadonlySet<number>;
  readonly declared: readonly Pick<OwnedRecord, 'key' | 'path' | 'isReference'>[];
  /** Whether the state, or the file, has the resource that commits the design. */
  readonly commits: boolean;
  /** Whether a commit of the design had a reason. */
  readonly looksAtDesign: boolean;
  /** Paths of what came by a move and was gone by then: only a refresh sees it. */
  readonly unseen: ReadonlySet<RecordPath>;
  readonly spec: StackSpec;
  /** `delete Platform::web` */
  readonly steps: readonly string[];
  readonly errors: readonly string[];
  readonly notices: readonly string[];
  readonly isKilled: boolean;
  /** With `--target` or `--exclude`. */
  readonly isLimited: boolean;
  readonly isDestroy: boolean;
  readonly isRefresh: boolean;
  /** Somebody wrote between a look and the commit, or the pull, that followed immediately. */
  readonly isBlind: boolean;
  /** Spans of the run in which nobody else wrote. */
  readonly spans: readonly { readonly before: ServiceRecords; readonly after: ServiceRecords }[];
  readonly changes: readonly InstanceChange[];
  readonly runningBefore: readonly RunningInstance[];
  readonly running: readonly RunningInstance[];
  /** Values of the variables of each environment. */
  readonly variables: { readonly [environment: string]: { readonly [name: string]: string } };
}

/** What earlier runs of the same stack said. Mutable on purpose, owned by a player. */
export interface Memory {
  /** Paths of records of the state that the file did not declare. */
  readonly left: Set<RecordPath>;
  /** What decides how much runs, since the last complete run, by environment and platform. */
  readonly capacities: Map<string, Set<string>>;
  /** What runs said since the last complete one: what did not come to its end, a later run does. */
  readonly said: string[];
  /** What runs said since the last one that read everything: what they named stays until then. */
  readonly named: string[];
  /** Environments that a run deployed to its end. */
  readonly deployed: Set<string>;
  /** Whether a blind run may have brought what it did not name, until a run reads everything. */
  isUnclear: boolean;
}

export const newMemory = (): Memory => ({
  left: new Set(),
  capacities: new Map(),
  said: [],
  named: [],
  deployed: new Set(),
  isUnclear: false,
});

/** What follows from a run and its memory. */
function seenIn(run: ObservedRun, memory: Memory) {
  const { errors, notices, held, declared, spans } = run;
  const isOk = errors.length === 0 && !run.isKilled;
  const keys = new Set(declared.map(({ key }) => key));
  const paths = new Set(declared.map(({ path }) => path));
  return {
    run,
    memory,
    isOk,
    isWhole: isOk && !run.isLimited,
    paths,
    said: [...memory.said, ...errors, ...notices].join('\n'),
    named: [...memory.named, ...errors, ...notices].join('\n'),
    /** Records that the state has and the file does not declare. */
    left: held.filter(({ key, path, isReference }) => !isReference && !keys.has(key) && !paths.has(path)),
    /** Records that vanished, or wait for their deletion. */
    gone: spans.flatMap(({ before, after }) =>
      [...before].flatMap(([ciId, { path, isLeaving }]) =>
        isLeaving || after.get(ciId)?.isLeaving === false ? [] : [{ path, ciId }],
      ),
    ),
    /** Records that the engine's delete steps are for. */
    deletes: run.steps.flatMap((step) => {
      const [what = '', key = ''] = step.split(' ');
      const record = held.find((each) => each.key === key);
      return /^(delete|replace)/.test(what) && record && !record.isReference ? [record] : [];
    }),
  };
}

type Seen = ReturnType<typeof seenIn>;

const isBelow = (path: RecordPath, above: RecordPath): boolean =>
  above === '' ? !path.startsWith('~') : path.startsWith(`${above}/`);

const names = (text: string, word: string): boolean => new RegExp(`(^|[^\\w-])${word}([^\\w-]|$)`, 'm').test(text);

/** A record is gone if, and only if, the engine counted its delete, or the one of what it is in. */
function goneRecords({ run, isOk, paths, left, gone, deletes }: Seen): readonly string[] {
  const { others, held, spans, notices } = run;
  // A run that ended early did not come to the engine's deletes of what it deleted itself.
  const early = isOk || run.isLimited ? [] : left;
  const unmarked = [...deletes, ...early].filter(({ mark }) => mark === undefined);
  const isCaused = ({ path, ciId }: (typeof gone)[number]): boolean =>
    unmarked.some(
      (cause) =>
        (cause.path === path && cause.ciId === ciId) ||
        (isBelow(path, cause.path) && gone.some((each) => each.path === cause.path && each.ciId === cause.ciId)),
    );
  const alone = gone.filter(({ ciId }) => !others.has(ciId));
  const uncounted = gone.filter((each) => !isCaused(each));
  const foreign = gone.filter(({ path, ciId }) => others.has(ciId) && !alone.some((each) => isBelow(path, each.path)));
  const [first, last] = [spans[0]?.before, spans.at(-1)?.after];
  const retained = held.filter(({ mark }) => mark === 'retain');
  const kept = deletes
    .filter(({ mark, origin }) => isOk && mark === undefined && origin !== 'pack')
    .filter(({ path }) => !paths.has(path) && !retained.some((each) => isBelow(path, each.path)))
    .filter(({ ciId }) => {
      const there = last?.get(ciId);
      if (ciId === 0 || there === undefined || first?.has(ciId) !== true) return false;
      // Open changes of others stop the commit of what is deleted last, which the row says.
      return !there.isLeaving || (run.commits && !notices.some((each) => each.includes('is not committed')));
    });
  const line =
    (words: string, why: string) =>
    ({ path, ciId }: (typeof gone)[number]) =>
      `${words}: ${path || 'the assembly'} (${ciId}), ${why}`;
  return [
    ...uncounted.map(line('deleted', 'which no delete step counts')),
    ...foreign.map(line('deleted', 'which the other stack owns')),
    ...kept.map(line('not deleted', 'although its delete step succeeded')),
  ];
}

/** What of a file decides how much of a platform runs in an environment. */
function capacityOf({ clouds, availability, platforms, switches }: EnvironmentSpec, platform: string): string {
  const { enabled, scale } = switches?.[platform] ?? {};
  return JSON.stringify([enabled ?? true, clouds, availability, platforms?.[platform], scale]);
}

const placeOf = ({ environment, platform }: Place): string => `${environment}/${platform}`;

/** Entries of `accept` for a platform. */
const acceptsOf = (spec: StackSpec, { environment, platform }: Place): readonly string[] => {
  const deploy = spec.environments?.[environment]?.deploy;
  const entries = deploy === false ? [] : ((deploy?.['accept'] ?? []) as readonly string[]);
  return entries.filter((entry) => /^[^:/]+/.exec(entry)?.[0] === platform);
};

/** Components that no pack gives. */
const ADDED = ['deployer', 'extra', 'backdoor'];

const declaresPlatform = (spec: StackSpec, platform: string): boolean =>
  spec.platforms?.[platform] !== undefined && spec.platforms[platform]?.existing !== true;

/** Instances that go, come, or have a value of Maria's, with their excuses. */
function changedInstances({ run, memory, said }: Seen): readonly string[] {
  const { spec, runningBefore } = run;
  const capacities = (at: Place): readonly string[] => [...(memory.capacities.get(placeOf(at)) ?? [])];
  /** Whether the file changed how much of a platform runs since the last complete run. */
  const changesCapacity = (at: Place): boolean => {
    const of = spec.environments?.[at.environment];
    return of !== undefined && capacities(at).some((capacity) => capacity !== capacityOf(of, at.platform));
  };
  /** Whether the file declared a platform to be down. */
  const wasDown = (at: Place): boolean => capacities(at).some((capacity) => capacity.startsWith('[false'));
  const declares = ({ platform, component }: InstanceChange): boolean =>
    declaresPlatform(spec, platform) &&
    (!ADDED.includes(component) || spec.platforms?.[platform]?.components?.[component] !== undefined);
  const leaves = (path: RecordPath): boolean => memory.left.has(path);

  const isLossExcused = (of: InstanceChange): boolean => {
    const { environment, platform, component } = of;
    const path = `${platform}/${component}`;
    if (spec.environments?.[environment] === undefined) return leaves(`~${environment}`);
    if (changesCapacity(of) || acceptsOf(spec, of).length > 0) return true;
    if (declares(of)) return false;
    if (!declaresPlatform(spec, platform) || !ADDED.includes(component))
      return leaves(platform) || names(said, platform);
    // A platform that another stack deleted and this one created again is as this file says.
    const isMadeAgain = said.includes(
      `Platform ${platform}: the deletion of the record it replaces was committed first`,
    );
    return leaves(path) || names(said, path) || isMadeAgain;
  };

  const isNamed = ({ platform, component }: InstanceChange): boolean =>
    names(said, `${platform}/${component}`) || names(said, `platform ${platform}`);
  const isArrivalExcused = (of: InstanceChange): boolean => {
    const there = runningBefore.filter((each) => placeOf(each) === placeOf(of));
    const isNew = !memory.deployed.has(of.environment);
    if (declares(of) || isNamed(of)) return true;
    // An environment in another stack's assembly asks for all of its design.
    if (spec.existing && isNew) return true;
    const ran = there.some(({ component }) => component === of.component);
    if (changesCapacity(of) && (ran || wasDown(of))) return true;
    // What another user adds has to be named in any case.
    if (of.component === 'backdoor') return false;
    // A platform with `existing: true` comes as its own stack has it where nothing of it ran. A new
    // environment has all of the design: what the other stack owns is no news there.
    const path = `${of.platform}/${of.component}`;
    const isTheirs = [...(run.spans[0]?.before ?? [])].some(
      ([ciId, each]) => each.path === path && run.others.has(ciId),
    );
    return (spec.platforms?.[of.platform]?.existing === true && there.length === 0) || (isNew && isTheirs);
  };

  const balances = new Map<string, { readonly of: InstanceChange; net: number }>();
  for (const of of run.changes) {
    const key = `${placeOf(of)}/${of.component}`;
    const balance = balances.get(key) ?? { of, net: 0 };
    balance.net += of.action === 'add' ? 1 : of.action === 'delete' ? -1 : 0;
    balances.set(key, balance);
  }
  const counted = [...balances].flatMap(([place, { of, net }]) => {
    if (net < 0 && !run.isDestroy && !isLossExcused(of))
      return [`lost: ${-net} of ${place}, which is in neither the file nor accepted`];
    return net > 0 && !run.isBlind && !isArrivalExcused(of)
      ? [`came: ${place}, which is neither declared nor named`]
      : [];
  });
  const foreign = run.changes.flatMap((of) =>
    Object.entries(of.changed).flatMap(([name, value]) =>
      run.isBlind || !isForeignValue(value) || isNamed(of) ? [] : [`came: ${placeOf(of)}/${of.component} ${name}`],
    ),
  );
  return [...counted, ...new Set(foreign)];
}

/** After a run that ended without an error, what is declared is there, and runs. */
function missing({ run, memory, isWhole, named }: Seen): readonly string[] {
  const { spec, isRefresh, unseen, spans } = run;
  if (!isWhole || run.isDestroy || run.isBlind || (memory.isUnclear && !isRefresh)) return [];
  /** A run that has nothing to do asks nothing, and only a refresh looks at what the state has. */
  const looks = (token: string, name: string): boolean =>
    isRefresh || run.steps.some((step) => step.endsWith(` ${token}::${name}`));
  const isAccepted = (platform: string): boolean =>
    Object.keys(spec.environments ?? {}).some((environment) => acceptsOf(spec, { environment, platform }).length > 0);
  const there = [...(spans.at(-1)?.after.values() ?? [])].filter(({ isLeaving }) => !isLeaving).map(({ path }) => path);
  // What somebody deletes during a run, the next one finds.
  const meanwhile = spans
    .slice(1)
    .flatMap(({ before }, index) =>
      [...(spans[index]?.after ?? [])].flatMap(([ciId, { path }]) =>
        before.get(ciId)?.isLeaving === false ? [] : [path],
      ),
    );
  const wanted = isRefresh || (run.looksAtDesign && looks('DesignRelease', 'shop')) ? run.declared : [];
  const records = wanted
    .filter(({ path, isReference }) => !isReference && !unseen.has(path))
    .filter(({ path }) => !isAccepted(path.split('/')[0] ?? '') && !isAccepted(path))
    .filter(({ path }) => !there.includes(path) && !meanwhile.includes(path))
    .map(({ path }) => `less: ${path} is declared, and not there`);

  const ofPlatform = (environment: string, of: EnvironmentSpec, platform: string): readonly string[] => {
    if (!declaresPlatform(spec, platform) || isAccepted(platform)) return [];
    if (of.switches?.[platform]?.enabled === false) return [];
    const components: PlatformSpec['components'] = { compute: {}, ...spec.platforms?.[platform]?.components };
    return Object.entries(components).flatMap(([component, { attributes }]) => {
      const path = `${platform}/${component}`;
      const at = `${environment}/${path}`;
      const own = run.running.filter((each) => `${placeOf(each)}/${each.component}` === at);
      const clouds = Object.keys(of.clouds ?? {}).filter((name) => !own.some(({ cloud }) => cloud === name));
      const values = { ...attributes, ...of.overrides?.[platform]?.components?.[component]?.attributes };
      // What another user set, a run that has not read it leaves as it is, and names it.
      const wrong = Object.entries(names(named, path) ? {} : values).filter(([name, value]) =>
        own.some((each) => String(each.attributes[name]) !== String(value)),
      );
      if (unseen.has(path)) return [];
      return [
        ...clouds.map((cloud) => `less: nothing of ${at} runs on ${cloud}`),
        ...wrong.map(([name, value]) => `less: ${name} of ${at} is not ${String(value)}`),
      ];
    });
  };
  const running = Object.entries(spec.environments ?? {}).flatMap(([environment, of]) => {
    if (of.deploy === false || !looks('Deployment', environment)) return [];
    const variables = Object.entries({ ...spec.variables, ...of.variables }).flatMap(([name, value]) => {
      const live = run.variables[environment]?.[name];
      if (isAccepted(`$${name}`) || live === value || named.includes(`$${name}`)) return [];
      return [`less: $${name} of ${environment} is ${String(live)}, declared ${JSON.stringify(value)}`];
    });
    return [...Object.keys(spec.platforms ?? {}).flatMap((name) => ofPlatform(environment, of, name)), ...variables];
  });
  return [...records, ...running];
}

/** What does not hold of a run, and of its memory afterwards. */
export function brokenLaws(run: ObservedRun, memory: Memory): readonly string[] {
  const seen = seenIn(run, memory);
  for (const { path } of seen.left) memory.left.add(path);
  for (const path of seen.paths) memory.left.delete(path);
  // Refusals are messages for people: no run ends with an error of the code.
  const broke = run.errors.filter((error) =>
    /TypeError|is not a function|Cannot read|answered 5\d\d|a bug/.test(error),
  );
  const broken = [
    ...goneRecords(seen),
    ...changedInstances(seen),
    ...missing(seen),
    ...broke.map((error) => `broke: ${error}`),
  ];
  remember(seen);
  return broken;
}

function remember({ run, memory, isWhole }: Seen): void {
  const { capacities, said, named } = memory;
  const readsAll = isWhole && run.isRefresh && run.spans.length === 1;
  if (readsAll) named.length = 0;
  else named.push(...run.errors, ...run.notices);
  memory.isUnclear = !readsAll && (memory.isUnclear || run.isBlind);
  if (isWhole) said.length = 0;
  else said.push(...run.errors, ...run.notices);
  for (const [environment, of] of Object.entries(run.spec.environments ?? {})) {
    if (isWhole) memory.deployed.add(environment);
    for (const platform of ['web', 'db', 'cache', 'api', 'evil']) {
      const place = placeOf({ environment, platform });
      const before = isWhole ? new Set<string>() : (capacities.get(place) ?? new Set<string>());
      capacities.set(place, before.add(capacityOf(of, platform)));
    }
  }
}
