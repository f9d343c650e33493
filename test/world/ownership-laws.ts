// What a run may take away and bring, as laws of what was seen of it: the state before, the file, the engine's steps, the records of the service before
// and after, and the instances that its deployments changed. Each answers a line for what does not hold.
import { isForeignValue } from './ownership-foreign';
import type { EnvironmentSpec, PlatformSpec, StackSpec } from './stack-spec';

/** A record of the design, or an environment: `web/deployer`, `$LEVEL`, `~prod`; empty for the assembly. */
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

/** Instances of one component in an environment that a deployment adds or deletes, or of which it changes attributes. */
export interface InstanceChange {
  readonly environment: string;
  readonly platform: string;
  readonly component: string;
  readonly action: string;
  /** New values of changed attributes. */
  readonly changed: { readonly [name: string]: string };
}

/** What runs. */
export interface RunningInstance {
  readonly environment: string;
  readonly platform: string;
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
  /** Whether a commit of the design had a reason: what only changes what is accepted asks nothing of the design. */
  readonly looksAtDesign: boolean;
  /** Paths of what came by `state move` and was gone by then: only a refresh of this stack sees it. */
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
  /** What runs said since the last complete one. */
  readonly said: string[];
  /** What runs said since the last one that read everything: what they named stays as others set it until then. */
  readonly named: string[];
  /** Environments that a run deployed to its end. */
  readonly deployed: Set<string>;
  /** Whether a blind run may have brought what it did not name, since the last run that read everything. */
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

const isBelow = (path: RecordPath, above: RecordPath): boolean =>
  above === '' ? !path.startsWith('~') : path.startsWith(`${above}/`);

const isOk = ({ errors, isKilled }: ObservedRun): boolean => errors.length === 0 && !isKilled;

/** What a run said, and what runs of its stack said before that did not come to their end: they did what was left to do. */
const saidIn = ({ errors, notices }: ObservedRun, { said }: Memory): string =>
  [...said, ...errors, ...notices].join('\n');

const namedIn = ({ errors, notices }: ObservedRun, { named }: Memory): string =>
  [...named, ...errors, ...notices].join('\n');

/** Records that the state has and the file does not declare. */
function leftIn({ held, declared }: ObservedRun): readonly OwnedRecord[] {
  const keys = new Set(declared.map(({ key }) => key));
  const paths = new Set(declared.map(({ path }) => path));
  return held.filter(({ key, path, isReference }) => !isReference && !keys.has(key) && !paths.has(path));
}

/** Paths of the records that vanished, or wait for their deletion, in the spans of a run, with the number each had. */
function vanished({ spans }: ObservedRun): readonly { readonly path: RecordPath; readonly ciId: number }[] {
  return spans.flatMap(({ before, after }) =>
    [...before].flatMap(([ciId, { path, isLeaving }]) =>
      isLeaving || after.get(ciId)?.isLeaving === false ? [] : [{ path, ciId }],
    ),
  );
}

const stepsOfDelete = ({ steps, held }: ObservedRun): readonly OwnedRecord[] =>
  steps.flatMap((step) => {
    const [what = '', key = ''] = step.split(' ');
    const record = held.find((each) => each.key === key);
    return /^(delete|replace)/.test(what) && record !== undefined ? [record] : [];
  });

/** Records that vanish are those whose delete the engine counted, with the same number, and what is below them. */
function onlyCounted(run: ObservedRun): readonly string[] {
  const counted = stepsOfDelete(run).filter(({ isReference, mark }) => !isReference && mark === undefined);
  // A run that ended early did not come to the engine's deletes of what it had deleted before its commit.
  const early = isOk(run) || run.isLimited ? [] : leftIn(run).filter(({ mark }) => mark === undefined);
  const causes = [...counted, ...early];
  const gone = vanished(run);
  const isCaused = ({ path, ciId }: (typeof gone)[number]): boolean =>
    causes.some(
      (cause) =>
        (cause.path === path && cause.ciId === ciId) ||
        (isBelow(path, cause.path) && gone.some((other) => other.path === cause.path && other.ciId === cause.ciId)),
    );
  return gone
    .filter((each) => !isCaused(each))
    .map(({ path, ciId }) => `deleted: ${path || 'the assembly'} (${ciId}), which no delete step counts`);
}

/** Nothing that the other stack owns is deleted, but below a record that this one owns alone. */
function onlyOwn(run: ObservedRun): readonly string[] {
  const gone = vanished(run);
  const alone = gone.filter(({ ciId }) => !run.others.has(ciId));
  return gone
    .filter(({ path, ciId }) => run.others.has(ciId) && !alone.some((above) => isBelow(path, above.path)))
    .map(({ path, ciId }) => `deleted: ${path || 'the assembly'} (${ciId}), which the other stack owns`);
}

/** Each counted delete of a record that this stack owns did delete it. */
function allCounted(run: ObservedRun): readonly string[] {
  const [first] = run.spans;
  const last = run.spans.at(-1);
  if (!isOk(run) || first === undefined || last === undefined) return [];
  const declared = new Set(run.declared.map(({ path }) => path));
  const retained = run.held.filter(({ mark }) => mark === 'retain');
  return (
    stepsOfDelete(run)
      .filter(
        ({ path, mark, origin, isReference, ciId }) =>
          !isReference &&
          mark === undefined &&
          origin !== 'pack' &&
          !declared.has(path) &&
          ciId > 0 &&
          !retained.some((other) => isBelow(path, other.path)),
      )
      .filter(({ ciId }) => first.before.has(ciId) && last.after.has(ciId))
      .filter(({ ciId }) => run.commits || last.after.get(ciId)?.isLeaving !== true)
      // Open changes of others stop the commit of what is deleted last, which the row says.
      .filter(
        ({ ciId }) => !(last.after.get(ciId)?.isLeaving && run.notices.some((each) => /is not committed/.test(each))),
      )
      .map(({ path, ciId }) => `not deleted: ${path} (${ciId}), although its delete step succeeded`)
  );
}

/** What of a file decides how much of a platform runs in an environment. */
function capacityOf({ clouds, availability, platforms, switches }: EnvironmentSpec, platform: string): string {
  const { enabled, scale } = switches?.[platform] ?? {};
  return JSON.stringify([clouds, availability, platforms?.[platform], enabled ?? true, scale]);
}

const placeOf = ({ environment, platform }: Pick<InstanceChange, 'environment' | 'platform'>): string =>
  `${environment}/${platform}`;

/** Whether the file changed how much of a platform runs in an environment, since the last complete run of its stack. */
function changesCapacity(run: ObservedRun, memory: Memory, at: InstanceChange): boolean {
  const spec = run.spec.environments?.[at.environment];
  const before = memory.capacities.get(placeOf(at)) ?? new Set();
  return spec !== undefined && [...before].some((capacity) => capacity !== capacityOf(spec, at.platform));
}

/** Whether the file declared a platform to be down: it comes up where the file says that no more. */
const wasDown = (memory: Memory, at: InstanceChange): boolean =>
  [...(memory.capacities.get(placeOf(at)) ?? [])].some((capacity) => (JSON.parse(capacity) as unknown[])[3] === false);

/** Entries of `accept` for a platform. */
const acceptsOf = (spec: StackSpec, { environment, platform }: Pick<InstanceChange, 'environment' | 'platform'>) => {
  const deploy = spec.environments?.[environment]?.deploy;
  const entries = deploy === false ? [] : ((deploy?.['accept'] ?? []) as readonly string[]);
  return entries.filter((entry) => /^[^:/]+/.exec(entry)?.[0] === platform);
};

/** Components that no pack gives. */
const ADDED = ['deployer', 'extra', 'backdoor'];

const declaresPlatform = (spec: StackSpec, platform: string): boolean =>
  spec.platforms?.[platform] !== undefined && spec.platforms[platform]?.existing !== true;

const declaresComponent = (spec: StackSpec, { platform, component }: InstanceChange): boolean =>
  declaresPlatform(spec, platform) &&
  (!ADDED.includes(component) || spec.platforms?.[platform]?.components?.[component] !== undefined);

/** How many instances of each component come, or go without a successor. */
function balances(
  changes: readonly InstanceChange[],
): readonly { readonly of: InstanceChange; readonly net: number }[] {
  const found = new Map<string, { of: InstanceChange; net: number }>();
  for (const of of changes) {
    const key = `${placeOf(of)}/${of.component}`;
    const sign = of.action === 'add' ? 1 : of.action === 'delete' ? -1 : 0;
    const { net = 0 } = found.get(key) ?? {};
    found.set(key, { of, net: net + sign });
  }
  return [...found.values()];
}

const names = (text: string, word: string): boolean => new RegExp(`(^|[^\\w-])${word}([^\\w-]|$)`, 'm').test(text);

/** Whether a run said that it created a platform in place of one that another stack deleted: what is in it is then as its own file says. */
const isMadeAgain = (said: string, platform: string): boolean =>
  said.includes(`Platform ${platform}: the deletion of the record it replaces was committed first`);

/** Instances that go without a successor have a cause in the file, or in what it accepts; what the file does not declare is named. */
function lossesAreDeclared(run: ObservedRun, memory: Memory): readonly string[] {
  const said = saidIn(run, memory);
  return balances(run.changes)
    .filter(({ of, net }) => {
      if (net >= 0 || run.isDestroy) return false;
      const { environment, platform, component } = of;
      const hasLeft = (path: string): boolean => memory.left.has(path);
      if (run.spec.environments?.[environment] === undefined) return !hasLeft(`~${environment}`);
      if (changesCapacity(run, memory, of) || acceptsOf(run.spec, of).length > 0) return false;
      if (declaresComponent(run.spec, of)) return true;
      if (declaresPlatform(run.spec, platform) && ADDED.includes(component))
        return (
          !hasLeft(`${platform}/${component}`) &&
          !names(said, `${platform}/${component}`) &&
          !isMadeAgain(said, platform)
        );
      return !hasLeft(platform) && !names(said, platform);
    })
    .map(({ of, net }) => `lost: ${-net} of ${placeOf(of)}/${of.component}, which is in neither the file nor accepted`);
}

/**
 * A platform that the file has with `existing: true` is said by the file, and comes as its own stack has it, to a new environment and where it was
 * down. A new environment has all of the design: what this run's user put there earlier, and gave to the other stack since, is no news. What
 * another user adds has to be named there, too.
 */
function isOfOtherStack(run: ObservedRun, of: InstanceChange, isNew: boolean): boolean {
  if (of.component === 'backdoor') return false;
  const records = [...(run.spans[0]?.before ?? [])];
  const path = `${of.platform}/${of.component}`;
  return (
    (run.spec.platforms?.[of.platform]?.existing === true &&
      !run.runningBefore.some((each) => placeOf(each) === placeOf(of))) ||
    (isNew && records.some(([ciId, record]) => record.path === path && run.others.has(ciId)))
  );
}

/** What comes to machines is declared, or named. */
function comingIsNamed(run: ObservedRun, memory: Memory): readonly string[] {
  if (run.isBlind) return [];
  const said = saidIn(run, memory);
  const isNew = ({ environment }: InstanceChange): boolean => !memory.deployed.has(environment);
  const ran = (at: InstanceChange): boolean =>
    run.runningBefore.some((each) => placeOf(each) === placeOf(at) && each.component === at.component);
  const isNamed = ({ platform, component }: InstanceChange): boolean =>
    names(said, `${platform}/${component}`) || names(said, `platform ${platform}`);
  const came = balances(run.changes)
    .filter(({ of, net }) => {
      if (net <= 0 || declaresComponent(run.spec, of) || isNamed(of)) return false;
      // An environment in another stack's assembly asks for all of its design.
      if (run.spec.existing && isNew(of)) return false;
      if (isOfOtherStack(run, of, isNew(of))) return false;
      return !(changesCapacity(run, memory, of) && (ran(of) || wasDown(memory, of)));
    })
    .map(({ of }) => `came: ${placeOf(of)}/${of.component}, which is neither declared nor named`);
  const changed = run.changes.flatMap((of) => {
    const values = Object.entries(of.changed).filter(([, value]) => isForeignValue(value));
    return values.length === 0 || isNamed(of)
      ? []
      : values.map(([name]) => `came: ${placeOf(of)}/${of.component} ${name}`);
  });
  return [...new Set([...came, ...changed])];
}

/** Refusals are messages for people: a run does not end with an error of the code or of the service's. */
const endsInWords = ({ errors }: ObservedRun): readonly string[] =>
  errors
    .filter((error) => /TypeError|is not a function|Cannot read|answered 5\d\d|a bug/.test(error))
    .map((error) => `broke: ${error}`);

/** After a run that ended without an error, what is declared is there, and runs. */
function declaredRuns(run: ObservedRun, memory: Memory): readonly string[] {
  if (!isOk(run) || run.isLimited || run.isDestroy || run.isBlind) return [];
  if (memory.isUnclear && !run.isRefresh) return [];
  const { spec } = run;
  /** A run that has nothing to do asks nothing, and only a refresh looks at what the state has. */
  const looks = (token: string, name: string): boolean =>
    run.isRefresh || run.steps.some((step) => step.endsWith(` ${token}::${name}`));
  const records = [...(run.spans.at(-1)?.after.values() ?? [])];
  // What somebody deletes during a run, the next one finds.
  const meanwhile = new Set(
    run.spans.flatMap(({ after }, index) => {
      const next = run.spans[index + 1]?.before;
      return next === undefined
        ? []
        : [...after].flatMap(([ciId, { path }]) => (next.get(ciId)?.isLeaving === false ? [] : [path]));
    }),
  );
  const isAccepted = (platform: string): boolean =>
    Object.keys(spec.environments ?? {}).some((environment) => acceptsOf(spec, { environment, platform }).length > 0);
  const looksAtDesign = run.isRefresh || (run.looksAtDesign && looks('DesignRelease', 'shop'));
  const missing = (looksAtDesign ? run.declared : [])
    .filter(({ path, isReference }) => !isReference && !run.unseen.has(path))
    .filter(({ path }) => !isAccepted(path.split('/')[0] ?? '') && !isAccepted(path))
    .filter(({ path }) => !records.some((each) => each.path === path && !each.isLeaving) && !meanwhile.has(path))
    .map(({ path }) => `less: ${path} is declared, and not there`);
  const less = Object.entries(spec.environments ?? {}).flatMap(([environment, of]) =>
    of.deploy === false || !looks('Deployment', environment)
      ? []
      : [
          ...Object.keys(spec.platforms ?? {})
            .filter((platform) => declaresPlatform(spec, platform) && !isAccepted(platform))
            .flatMap((platform) => lessOf(run, memory, { environment, of, platform })),
          ...Object.entries({ ...spec.variables, ...of.variables }).flatMap(([name, value]) => {
            const live = run.variables[environment]?.[name];
            if (isAccepted(`$${name}`) || live === value || namedIn(run, memory).includes(`$${name}`)) return [];
            return [`less: $${name} of ${environment} is ${String(live)}, declared ${JSON.stringify(value)}`];
          }),
        ],
  );
  return [...missing, ...less];
}

function lessOf(
  run: ObservedRun,
  memory: Memory,
  at: { readonly environment: string; readonly of: EnvironmentSpec; readonly platform: string },
): readonly string[] {
  const { environment, of, platform } = at;
  const { spec, running } = run;
  if (of.switches?.[platform]?.enabled === false) return [];
  const own = running.filter((each) => each.environment === environment && each.platform === platform);
  const components: PlatformSpec['components'] = { compute: {}, ...spec.platforms?.[platform]?.components };
  return Object.entries(components).flatMap(([component, { attributes = {} }]) => {
    if (run.unseen.has(`${platform}/${component}`)) return [];
    const instances = own.filter((each) => each.component === component);
    const clouds = Object.keys(of.clouds ?? {}).filter((cloud) => !instances.some((each) => each.cloud === cloud));
    const laid = of.overrides?.[platform]?.components?.[component]?.attributes ?? {};
    // What another user set, a run that has not read it leaves as it is, and names it.
    const wrong = names(namedIn(run, memory), `${platform}/${component}`)
      ? []
      : Object.entries({ ...attributes, ...laid }).filter(([name, value]) =>
          instances.some((each) => String(each.attributes[name]) !== String(value)),
        );
    return [
      ...clouds.map((cloud) => `less: no ${component} of ${environment}/${platform} runs on ${cloud}`),
      ...wrong.map(
        ([name, value]) => `less: ${name} of ${environment}/${platform}/${component} is not ${String(value)}`,
      ),
    ];
  });
}

/** What does not hold of a run, and of its memory afterwards. */
export function brokenLaws(run: ObservedRun, memory: Memory): readonly string[] {
  const declared = new Set(run.declared.map(({ path }) => path));
  for (const { path } of leftIn(run)) memory.left.add(path);
  for (const path of declared) memory.left.delete(path);
  const broken = [
    ...onlyCounted(run),
    ...onlyOwn(run),
    ...allCounted(run),
    ...lossesAreDeclared(run, memory),
    ...comingIsNamed(run, memory),
    ...declaredRuns(run, memory),
    ...endsInWords(run),
  ];
  remember(run, memory);
  return broken;
}

function remember(run: ObservedRun, memory: Memory): void {
  const { capacities, said, named } = memory;
  const readsAll = isOk(run) && !run.isLimited && run.isRefresh && run.spans.length === 1;
  if (readsAll) named.length = 0;
  else named.push(...run.errors, ...run.notices);
  memory.isUnclear = !readsAll && (memory.isUnclear || run.isBlind);
  if (isOk(run) && !run.isLimited) said.length = 0;
  else said.push(...run.errors, ...run.notices);
  for (const [environment, of] of Object.entries(run.spec.environments ?? {})) {
    if (isOk(run) && !run.isLimited) memory.deployed.add(environment);
    for (const platform of ['web', 'db', 'cache', 'api', 'evil']) {
      const place = placeOf({ environment, platform });
      const before = isOk(run) && !run.isLimited ? new Set<string>() : (capacities.get(place) ?? new Set<string>());
      capacities.set(place, before.add(capacityOf(of, platform)));
    }
  }
}
